//! Naming positions of the finite games, many times.

use std::sync::LazyLock;

use boardprint_base::Side;
use boardprint_cpn::Cph;
use boardprint_finite::{Board, Game, MOST_CELLS, Man};

/// Writes positions of the finite games as CPN, as FEN to CPN does. Its buffer is reused.
///
/// ```
/// use boardprint_bridge::BoardNamer;
/// use boardprint_finite::{Board, Game};
/// let mut namer = BoardNamer::new(false);
/// assert_eq!(namer.cph(&Board::start(Game::Western)).to_string(), "5693c349961f8bc345c6c11418aa00be3a038d8f");
/// ```
#[derive(Debug)]
pub struct BoardNamer {
    /// Whether castling rights and a usable en passant square are written.
    rights: bool,
    buffer: Vec<u8>,
}

/// A cell with its comma, padded, and its length.
type Cell = ([u8; 8], u8);

/// Codes of cells, made from [`Man::byte_of`]: 0 is empty, then come pieces, then pieces with a castling mark.
const PIECE: u8 = 32;
const MARKED: u8 = 64;
const EN_PASSANT: u8 = 1;
const CODES: usize = 96;
const _: () = assert!(PIECE as usize == Man::CODES, "the codes of pieces begin here");

/// What the cells of each game are written as.
static CELLS: LazyLock<[[Cell; CODES]; Game::ALL.len()]> =
    LazyLock::new(|| Game::ALL.map(|game| std::array::from_fn(|code| cell(game, code))));

/// What the cells of a game are written as, by code.
#[inline]
pub(crate) fn cells(game: Game) -> &'static [([u8; 8], u8); CODES] {
    &CELLS[usize::from(game.code()) - 1]
}

fn cell(game: Game, code: usize) -> Cell {
    let mut text = String::new();
    if code == usize::from(EN_PASSANT) {
        text.push_str(super::fen::EN_PASSANT);
    } else if code >= usize::from(PIECE) {
        let plain = code % Man::CODES;
        let side = if plain & 16 == 0 { Side::Bottom } else { Side::Top };
        if let Some(kind) = game.kinds().get(plain & 7) {
            let marked = code >= usize::from(MARKED) || plain & 8 != 0;
            super::fen::push_actor(&mut text, game, kind, side, marked);
        }
    }
    text.push(',');
    let mut bytes = [b' '; 8];
    bytes[..text.len()].copy_from_slice(text.as_bytes());
    (bytes, u8::try_from(text.len()).unwrap_or(8))
}

impl BoardNamer {
    /// A namer that writes castling rights and a usable en passant square, or leaves them out.
    #[must_use]
    pub fn new(rights: bool) -> Self {
        BoardNamer { rights, buffer: Vec::new() }
    }

    /// The CPH of a position.
    pub fn cph(&mut self, board: &Board) -> Cph {
        Cph::of(self.cpn(board))
    }

    /// The CPN of a position. It is ASCII.
    pub fn cpn(&mut self, board: &Board) -> &[u8] {
        let game = board.game();
        let mut men = [None; MOST_CELLS];
        let squares = board.fill_cells(&mut men);
        let mut codes = men.map(Man::byte_of);
        if self.rights {
            board.each_castling(|rook, king| {
                for cell in [rook, king] {
                    codes[cell] = MARKED + codes[cell] % PIECE;
                }
            });
            if let Some(cell) = board.usable_en_passant() {
                codes[cell] = EN_PASSANT;
            }
        }
        if self.buffer.is_empty() {
            self.buffer.resize(16 + MOST_CELLS * 8 + 64, 0);
        }
        let mut len = write_head(game, board.side(), &mut self.buffer);
        let table = cells(game);
        for code in &codes[..squares] {
            let (text, length) = &table[usize::from(*code)];
            self.buffer[len..len + 8].copy_from_slice(text);
            len += usize::from(*length);
        }
        // The comma of the last cell gives way.
        self.buffer[len - 1..=len].copy_from_slice(b"--");
        len += 1;
        if game == Game::Shogi {
            len = push_hands(Side::ALL.map(|side| board.hand(side)), len, &mut self.buffer);
        }
        &self.buffer[..len]
    }
}

/// Writes the pieces in hand in ASCII order from a place on, and returns where they end. The buffer grows if
/// it must.
pub(crate) fn push_hands(hands: [&[u16; 8]; 2], start: usize, buffer: &mut Vec<u8>) -> usize {
    let table = cells(Game::Shogi);
    let mut len = start;
    for (side, hand) in Side::ALL.into_iter().zip(hands) {
        for kind in *SHOGI_ORDER {
            let (text, length) = &table[usize::from(Man::byte_of(Some(Man::new(kind, side, false))))];
            for _ in 0..hand[kind] {
                if buffer.len() < len + 8 {
                    buffer.resize(2 * len + 8, 0);
                }
                buffer[len..len + 8].copy_from_slice(text);
                len += usize::from(*length);
            }
        }
    }
    // No comma after the last one.
    len - usize::from(len > start)
}

/// The kinds that are in hands, in ASCII order of their actors.
static SHOGI_ORDER: LazyLock<[usize; 7]> = LazyLock::new(|| {
    let mut kinds = std::array::from_fn(|kind| kind);
    kinds.sort_unstable_by_key(|kind| Game::Shogi.kinds()[*kind].abbreviation());
    kinds
});

/// Writes side and shape, and returns how long they are.
pub(crate) fn write_head(game: Game, side: Side, buffer: &mut [u8]) -> usize {
    let shape: &[u8] = match (game.ranks(), game.files()) {
        (8, 8) => b"--8,8--",
        (9, 9) => b"--9,9--",
        _ => b"--10,9--",
    };
    buffer[0] = if side == Side::Bottom { b'B' } else { b't' };
    buffer[1..=shape.len()].copy_from_slice(shape);
    1 + shape.len()
}

#[cfg(test)]
mod tests {
    use boardprint_finite::{Fen, Notation};

    use super::*;
    use crate::fen::FenExt as _;
    use crate::{BoardTrail, Lossy, Marks};

    /// Names a position in both ways.
    fn compare(board: &Board) {
        let fen = board.fen();
        for (rights, marks) in [(false, None), (true, Some(Marks::Usable))] {
            let expected = Lossy::parts(fen.to_cpn(marks)).0;
            let mut namer = BoardNamer::new(rights);
            assert_eq!(std::str::from_utf8(namer.cpn(board)), Ok(expected.as_str()), "{fen}");
        }
    }

    #[test]
    fn names_are_those_of_fen_to_cpn() {
        let fens = [
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "4k3/8/8/8/8/8/8/RR2K1RR w BG - 0 1",
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
            "4k3/8/8/7p/P7/8/8/4K3 b - a3 0 1",
        ];
        for text in fens {
            compare(&Board::of_western_tag(text).unwrap());
        }
        for number in 0..960 {
            compare(&Board::chess960(number).unwrap());
        }
    }

    #[test]
    fn every_position_of_the_games_has_its_hash() {
        let mut positions = 0;
        for row in crate::tests::rows("finite/finite-games.jsonl") {
            let game = match row["game"].as_str().unwrap() {
                "chess960" => Game::Western,
                name => name.parse().unwrap(),
            };
            let start = row["start"].as_str().unwrap();
            let fen = if game == Game::Shogi { Fen::read_sfen(start) } else { Fen::read(game, start) };
            let mut board = Board::from_fen(&fen.unwrap()).unwrap();
            let (mut namer, mut trail) = (BoardNamer::new(false), BoardTrail::new());
            trail.start(&board);
            let moves = row["uci"].as_array().unwrap().iter().map(|uci| Some(uci.as_str().unwrap()));
            for (played, cph) in std::iter::once(None).chain(moves).zip(row["cph"].as_array().unwrap()) {
                if let Some(uci) = played {
                    let played = board.read(Notation::Uci, uci).unwrap();
                    board.play(played).unwrap();
                    trail.step(played);
                }
                assert_eq!(trail.cph().to_string(), *cph, "{} {}", row["name"], board.fen());
                assert_eq!(trail.cpn(), namer.cpn(&board));
                assert_eq!(namer.cph(&board).to_string(), *cph, "{} {}", row["name"], board.fen());
                compare(&board);
                positions += 1;
            }
        }
        assert_eq!(positions, 8_537 + 144);
        for row in crate::tests::rows("finite/finite-ends.jsonl") {
            let game: Game = row["game"].as_str().unwrap().parse().unwrap();
            let board = Board::from_fen(&Fen::read(game, row["fen"].as_str().unwrap()).unwrap()).unwrap();
            assert_eq!(BoardNamer::new(false).cph(&board).to_string(), row["cph"], "{}", row["name"]);
        }
    }
}
