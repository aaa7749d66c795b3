//! Western chess, judged by the chess library that reads it.

use boardprint_base::{GameResult, Span, SyntaxError};
use boardprint_rules::findings::Kind;
use boardprint_store::pgn::{Broken, Trouble, WesternGame};
use boardprint_store::read::{Format, Record};
use cozy_chess::{Board, Color, FenParseError};

use super::verdict::{End, Finding, POSITION, SYNTAX, Verdict};
use crate::problem::Problem;

/// A FEN that was read: whether the position can be played from, and whether it is an end.
pub(super) fn of_fen(record: &Record) -> Verdict {
    // The counters say nothing about the position.
    let given = record.text.split_whitespace().take(4);
    let usual = ["", "w", "-", "-"].into_iter().skip(given.clone().count());
    let fields: Vec<&str> = given.chain(usual).chain(["0", "1"]).collect();
    match fields.join(" ").parse::<Board>() {
        Ok(board) => Verdict { legal: Some(true), conclusion: end(&board), ..Verdict::default() },
        Err(error) => {
            let what = match error {
                FenParseError::InvalidCastlingRights => {
                    "king and rook do not stand where castling needs them"
                }
                FenParseError::InvalidEnPassant => "no pawn can have passed over the en passant square",
                _ => "look at the kings, the pawns, and who is in check",
            };
            let message = "no game of chess leads to this position".to_owned();
            let span = Span::new(0, record.text.len());
            let problem = Problem { message, span, also: None, hint: Some(what.to_owned()) };
            let findings = vec![Finding::in_text(POSITION, problem)];
            Verdict { legal: Some(false), findings, ..Verdict::default() }
        }
    }
}

/// A PGN game; `None` for records of other formats.
pub(super) fn of_pgn(record: &Record) -> Option<Verdict> {
    if record.format != Format::Pgn {
        return None;
    }
    let game = WesternGame::parse(&record.text);
    if let Some(broken) = game.broken {
        return Some(of_broken(broken));
    }
    let conclusion = end(&game.last);
    let findings = result_findings(&game, conclusion);
    Some(Verdict { legal: Some(true), conclusion, findings, ..Verdict::default() })
}

/// A game that breaks off.
fn of_broken(broken: Broken) -> Verdict {
    let is_illegal = broken.trouble == Trouble::Illegal;
    let kind = match broken.trouble {
        Trouble::Illegal => Kind::IllegalMove.name(),
        Trouble::Start => POSITION,
        Trouble::AfterResult => Kind::MovesAfterEnd.name(),
        _ => SYNTAX,
    };
    let ply = broken.ply + 1;
    let problem = Problem::from(SyntaxError::from(broken));
    let finding = Finding { ply: is_illegal.then_some(ply), ..Finding::in_text(kind, problem) };
    Verdict {
        legal: is_illegal.then_some(false),
        first_illegal_ply: is_illegal.then_some(ply),
        conclusion: None,
        findings: vec![finding],
    }
}

/// What the result says against the board or against itself.
fn result_findings(game: &WesternGame<'_>, conclusion: Option<End>) -> Vec<Finding> {
    let tag = game.tag("Result");
    let tag = tag.and_then(|tag| GameResult::ALL.into_iter().find(|result| result.as_str() == tag));
    let mut findings = Vec::new();
    if let (Some(tag), Some(written)) = (tag, game.result)
        && tag != written
    {
        let message = format!("the `Result` tag says {tag}, the result behind the moves {written}");
        findings.push(Finding::new(Kind::WrongResult.name(), message));
    }
    if let (Some(end), Some(said)) = (conclusion, tag.or(game.result)) {
        let (result, sentence) = match end.victor {
            Some(1) => (GameResult::WhiteWins, "white has mated"),
            Some(_) => (GameResult::BlackWins, "black has mated"),
            None => (GameResult::Draw, "it is stalemate"),
        };
        if said != result {
            let message = format!("the result is {said}, and on the board {sentence}");
            findings.push(Finding::new(Kind::WrongResult.name(), message));
        }
    }
    findings
}

/// How a game ended on the board: by mate or stalemate. Other draws are for players to claim.
fn end(board: &Board) -> Option<End> {
    if board.generate_moves(|_| true) {
        return None;
    }
    let winner = match board.side_to_move() {
        Color::White => 2,
        Color::Black => 1,
    };
    Some(if board.checkers().is_empty() {
        End::new(None, "stalemate")
    } else {
        End::new(Some(winner), "checkmate")
    })
}
