//! Prints a PGN collection of random legal games, the same for the same numbers:
//! `cargo run --release -p boardprint-dedup --example make_pgn -- GAMES [COPIES PERCENT] [SEED]`
//!
//! Of COPIES percent of the games, half are copies of earlier ones with other tags, comments and result, half
//! are beginnings of earlier ones. The tag `Event` says so: `copy of 17`, `beginning of 17`.

use std::io::{self, BufWriter, Write};

use cozy_chess::util::display_san_move;
use cozy_chess::{Board, Move};

/// Small and good enough: xorshift with a multiplication.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..4 {
            random.below(2);
        }
        random
    }

    fn index(&mut self, length: usize) -> usize {
        usize::try_from(self.below(length as u64)).expect("below a length")
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) % limit
    }
}

/// The moves of a game in SAN: 20 to 140 half-moves, unless it ends before.
fn moves(seed: u64) -> Vec<String> {
    let mut random = Random::new(seed);
    let length = 20 + random.below(61) + random.below(61);
    let (mut board, mut moves, mut legal) = (Board::default(), Vec::new(), Vec::<Move>::new());
    while (moves.len() as u64) < length {
        legal.clear();
        board.generate_moves(|of_piece| {
            legal.extend(of_piece);
            false
        });
        let Some(choice) = (!legal.is_empty()).then(|| legal[random.index(legal.len())]) else {
            break;
        };
        moves.push(display_san_move(&board, choice).to_string());
        board.play(choice);
    }
    moves
}

fn main() -> io::Result<()> {
    let mut numbers = std::env::args().skip(1).map(|number| number.parse::<u64>().expect("a number"));
    let games = numbers.next().expect("how many games");
    let (copies, seed) = (numbers.next().unwrap_or(20), numbers.next().unwrap_or(1));
    let mut out = BufWriter::new(io::stdout().lock());
    let mut random = Random::new(seed);
    let is_copy = |number: u64| number > 1 && Random::new(seed ^ number << 32).below(100) < copies.min(99);
    for number in 1..=games {
        let again = is_copy(number);
        let mut original = number;
        while is_copy(original) {
            original = 1 + random.below(number - 1);
        }
        let mut played = moves(seed << 32 | original);
        let cut = again && random.below(2) == 0 && played.len() > 24;
        if cut {
            played.truncate(20 + random.index(played.len() - 20));
        }
        let event = match (again, cut) {
            (false, _) => format!("game {number}"),
            (true, false) => format!("copy of {original}"),
            (true, true) => format!("beginning of {original}"),
        };
        let result = ["1-0", "0-1", "1/2-1/2", "*"][random.index(4)];
        let (white, black, day) = (original % 9_973, original % 9_967, original % 28 + 1);
        writeln!(
            out,
            "[Event \"{event}\"]\n[Site \"?\"]\n[Date \"2024.01.{day:02}\"]\n[Round \"{}\"]",
            number % 9
        )?;
        writeln!(out, "[White \"White{white}\"]\n[Black \"Black{black}\"]\n[Result \"{result}\"]\n")?;
        let mut column = 0;
        let mut word = |text: &str| {
            column += text.len() + 1;
            let end = if column > 76 { '\n' } else { ' ' };
            column %= 77;
            write!(out, "{text}{end}")
        };
        for (ply, san) in played.iter().enumerate() {
            if ply % 2 == 0 {
                word(&format!("{}.", ply / 2 + 1))?;
            }
            word(san)?;
            if again && ply % 16 == 7 {
                word("{a remark}")?;
            }
        }
        word(result)?;
        write!(out, "\n\n")?;
    }
    out.flush()
}
