//! Games as clean PGN: tags, SAN, result.

use boardprint_base::{GameResult, Side};
use boardprint_finite::{Board, Move, Notation};

/// How long a line of moves gets.
const WIDTH: usize = 80;

/// A game as PGN, with a blank line between tags and moves, and a newline at its end. Moves from the first illegal one on are left
/// out. Where the start is not the usual one and no tag says so, the tags `SetUp` and `FEN` are added.
///
/// ```
/// use boardprint_base::GameResult;
/// use boardprint_finite::{Board, Game};
/// use boardprint_games::pgn;
/// let game = pgn::read("1. e2e4 e7e5 2. g1f3 1/2-1/2")?;
/// let text = pgn::write([], &Board::start(Game::Western), game.moves().iter().copied(), GameResult::Draw);
/// assert_eq!(text, "1. e4 e5 2. Nf3 1/2-1/2\n");
/// # Ok::<(), pgn::PgnError>(())
/// ```
#[must_use]
pub fn write<'t>(
    tags: impl IntoIterator<Item = (&'t str, &'t str)>,
    start: &Board,
    moves: impl IntoIterator<Item = Move>,
    result: GameResult,
) -> String {
    let mut out = String::new();
    let mut has_fen = false;
    for (name, value) in tags {
        has_fen |= name == "FEN";
        write_tag(name, value, &mut out);
    }
    if !start.is_usual_start() && !has_fen {
        let mut fen = Vec::new();
        start.write_identity(&mut fen);
        write_tag("SetUp", "1", &mut out);
        write_tag("FEN", &format!("{} 0 1", String::from_utf8_lossy(&fen)), &mut out);
    }
    if !out.is_empty() {
        out.push('\n');
    }
    let mut line = out.len();
    let mut word = |text: &str, out: &mut String| {
        if out.len() > line {
            let fits = out.len() - line + 1 + text.len() < WIDTH;
            out.push(if fits { ' ' } else { '\n' });
            if !fits {
                line = out.len();
            }
        }
        out.push_str(text);
    };
    let mut board = start.clone();
    let mut number = start.move_number();
    for (ply, played) in moves.into_iter().enumerate() {
        let white = board.side() == Side::Bottom;
        let Some(san) = board.write(Notation::San, played) else { break };
        if white {
            word(&format!("{number}."), &mut out);
        } else if ply == 0 {
            word(&format!("{number}..."), &mut out);
        }
        word(&san, &mut out);
        board.play_known(played);
        number += u32::from(!white);
    }
    word(result.as_str(), &mut out);
    out.push('\n');
    out
}

fn write_tag(name: &str, value: &str, out: &mut String) {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    for part in ["[", name, " \"", &value, "\"]\n"] {
        out.push_str(part);
    }
}

#[cfg(test)]
mod tests {
    use crate::Start;
    use crate::pgn::read;

    use super::*;

    fn rewritten(text: &str) -> String {
        let game = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let Start::Board(start) = game.start() else { panic!("{text}: cannot be played") };
        let result = game.result.unwrap_or(GameResult::Unknown);
        let written = write([], start, game.moves().iter().copied(), result);
        let again = read(&written).unwrap_or_else(|error| panic!("{written}: {error}"));
        assert_eq!(again.moves(), game.moves(), "{written}");
        written
    }

    #[test]
    fn san_names_no_more_than_it_must() {
        let text = "[FEN \"3k4/8/8/R6R/8/8/8/R3K2R w KQ - 0 1\"]\n\n1. Ra5c5 Ke7 2. Rh1h2 Kf7 3. O-O-O *";
        let written = rewritten(text);
        assert!(written.ends_with("\n\n1. Rac5 Ke7 2. R1h2 Kf7 3. O-O-O *\n"), "{written}");
    }

    #[test]
    fn mates_promotions_and_null_moves_come_back() {
        rewritten("1. f3 e5 2. g4 Qh4# 0-1");
        rewritten("[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8=N Kg7 2. -- Kf6 1/2-1/2");
        rewritten("[FEN \"r1k4r/pppppppp/8/8/8/8/PPPPPPPP/R1K4R w HAha - 0 1\"]\n\n1. O-O O-O-O *");
    }
}
