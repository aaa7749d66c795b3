//! Games of the finite games.

use boardprint_base::{GameResult, Player, Side};
use boardprint_finite::{Board, Conclusion, History, Illegal, Notation};
use boardprint_games::pgn::PgnErrorKind;
use boardprint_games::{Content, FiniteGame, ReadOptions, Record, RecordError, RecordErrorKind, Start};
use boardprint_render::Diagram;
use boardprint_rules::findings::Kind;

use super::verdict::{End, Finding, POSITION, SYNTAX, Verdict};
use crate::problem::Problem;

/// What is wrong with a game that was read, or with its only position.
pub(super) fn judge(game: &FiniteGame<'_>) -> Verdict {
    let start = match game.start().board() {
        Ok(start) => start,
        Err(why) => {
            let finding = Finding::new(POSITION, format!("no game leads to this position: {why}"));
            return Verdict { legal: Some(false), findings: vec![finding], ..Verdict::default() };
        }
    };
    let conclusion = last_end(&start, game);
    let findings = result_findings(game, conclusion);
    Verdict { legal: Some(true), conclusion: conclusion.map(Into::into), findings, ..Verdict::default() }
}

/// How the game ended on the board, if it did.
fn last_end(start: &Board, game: &FiniteGame<'_>) -> Option<Conclusion> {
    let mut board = start.clone();
    let mut history = History::new(&board);
    let mut end = board.end();
    for played in game.moves() {
        if board.play(*played).is_err() {
            return None;
        }
        end = history.push(&board);
    }
    end
}

/// A record that breaks off.
pub(super) fn of_error(options: &ReadOptions, record: &Record, error: RecordError) -> Verdict {
    let (kind, plies) = match error.kind() {
        RecordErrorKind::Pgn(pgn) => {
            let kind = match pgn.kind() {
                PgnErrorKind::Move(boardprint_finite::MoveError::Illegal) => Kind::IllegalMove.name(),
                PgnErrorKind::Start => POSITION,
                PgnErrorKind::AfterResult => Kind::MovesAfterEnd.name(),
                _ => SYNTAX,
            };
            (kind, pgn.plies())
        }
        _ => (SYNTAX, 0),
    };
    let illegal = (kind == Kind::IllegalMove.name()).then_some(plies + 1);
    let before = illegal.and_then(|_| before(options, record, error.span().start));
    let mut problem = Problem::from(error);
    let mut picture = None;
    if let Some(content) = before {
        if let Some(reason) = reason(&content, &record.text[problem.span.start..problem.span.end]) {
            problem.message = format!("{}: {reason}", problem.message);
        }
        picture = picture_of(&content);
    }
    let finding = Finding { ply: illegal, picture, ..Finding::in_text(kind, problem) };
    Verdict {
        legal: illegal.map(|_| false),
        first_illegal_ply: illegal,
        conclusion: None,
        findings: vec![finding],
    }
}

/// The game up to a byte of its record.
fn before<'a>(options: &ReadOptions, record: &'a Record, end: usize) -> Option<Content<'a>> {
    let text = record.text.get(..end)?;
    Some(options.read_text(record.format, text).ok()?.content)
}

/// Why a move cannot be played after a game.
fn reason(content: &Content<'_>, text: &str) -> Option<Illegal> {
    let Content::Finite(game) = content else { return None };
    let Ok(Start::Board(board)) = game.at(usize::MAX) else { return None };
    board.reason(Notation::San, text, None)
}

/// The board after a game.
fn picture_of(content: &Content<'_>) -> Option<Diagram> {
    let last = content.moves().last();
    let position = content.at(content.plies()).ok()?;
    boardprint_render::diagram(&position, last.as_ref()).ok()?.build().ok()
}

/// What the result says against the board or against itself.
fn result_findings(game: &FiniteGame<'_>, conclusion: Option<Conclusion>) -> Vec<Finding> {
    let tag = game.tag("Result");
    let tag = tag.and_then(|tag| GameResult::ALL.into_iter().find(|result| result.as_str() == tag));
    let mut findings = Vec::new();
    if let (Some(tag), Some(written)) = (tag, game.result)
        && tag != written
    {
        let message = format!("the `Result` tag says {tag}, the result after the moves {written}");
        findings.push(Finding::new(Kind::WrongResult.name(), message));
    }
    if let (Some(end), Some(said)) = (conclusion, tag.or(game.result)) {
        let winner = match end.victor {
            Some(Side::Bottom) => "white has won",
            Some(Side::Top) => "black has won",
            None => "it is a draw",
        };
        if said != end.result() {
            let message = format!("the result is {said}, and on the board {winner} by {}", end.condition);
            findings.push(Finding::new(Kind::WrongResult.name(), message));
        }
    }
    findings
}

impl From<Conclusion> for End {
    fn from(end: Conclusion) -> Self {
        let winner = end.victor.map(|side| match side {
            Side::Bottom => Player::WHITE,
            Side::Top => Player::BLACK,
        });
        End::new(winner, end.condition.name())
    }
}
