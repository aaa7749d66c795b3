//! Games of the finite games.

use boardprint_base::{GameResult, Player, Side};
use boardprint_finite::{Board, Conclusion, Game, History, MoveError};
use boardprint_games::{
    Content, FiniteGame, GameError, GameErrorKind, ReadOptions, Reading, Record, RecordError,
    RecordErrorKind, Warning,
};
use boardprint_render::{self as render, Diagram};
use boardprint_rules::findings::Kind;

use super::verdict::{End, Finding, POSITION, SYNTAX, Verdict};
use crate::problem::Problem;

/// What is wrong with a game that was read, or with its only position.
pub(super) fn judge(game: &FiniteGame<'_>, warnings: &[Warning]) -> Verdict {
    let warnings = warnings.iter().filter(|warning| warning.kind().is_finding());
    let mut findings: Vec<Finding> = warnings.map(of_warning).collect();
    let start = match game.start().board() {
        Ok(start) => start,
        Err(why) => {
            findings.push(Finding::new(POSITION, format!("no game leads to this position: {why}")));
            return Verdict { legal: Some(false), findings, ..Verdict::default() };
        }
    };
    let conclusion = last_end(&start, game);
    findings.extend(result_findings(game, conclusion));
    Verdict { legal: Some(true), conclusion: conclusion.map(Into::into), findings, ..Verdict::default() }
}

fn of_warning(warning: &Warning) -> Finding {
    let (kind, message) = (warning.kind().name(), warning.to_string());
    Finding::in_text(kind, Problem { kind, message, span: warning.span(), also: None, hint: None })
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

/// A record that breaks off: the reason, and the board before the move that cannot be played.
pub(super) fn of_error(options: &ReadOptions, record: &Record, error: RecordError) -> Verdict {
    let (kind, plies) = match error.kind() {
        RecordErrorKind::Game(game) => (kind_of(game), game.plies()),
        _ => (SYNTAX, 0),
    };
    let illegal = (kind == Kind::IllegalMove.name()).then_some(plies + 1);
    let picture = illegal.and_then(|_| last_board(options, record));
    let finding = Finding { ply: illegal, picture, ..Finding::in_text(kind, Problem::from(error)) };
    Verdict {
        legal: illegal.map(|_| false),
        first_illegal_ply: illegal,
        conclusion: None,
        findings: vec![finding],
    }
}

fn kind_of(error: &GameError) -> &'static str {
    match error.kind() {
        GameErrorKind::Move(MoveError::Illegal, _) => Kind::IllegalMove.name(),
        GameErrorKind::Start(_) => POSITION,
        GameErrorKind::AfterResult => Kind::MovesAfterEnd.name(),
        _ => SYNTAX,
    }
}

/// The board after the moves that can be played.
fn last_board(options: &ReadOptions, record: &Record) -> Option<Diagram> {
    let (reading, _) = options.read_as_far(record.format, &record.text);
    let Reading { content, .. } = reading?;
    let last = content.moves().last();
    let position: Content<'_> = content.at(content.plies()).ok()?;
    render::diagram(&position, last.as_ref()).ok()?.build().ok()
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
    if let (Some(end), Some(said)) = (conclusion, tag.or(game.result))
        && end.contradicts(said)
    {
        let outcome = match end.victor {
            Some(victor) => format!("{} has won", player(game.game(), victor)),
            None => "it is a draw".to_owned(),
        };
        let message = format!("the result is {said}, and on the board {outcome} by {}", end.condition);
        findings.push(Finding::new(Kind::WrongResult.name(), message));
    }
    findings
}

/// What a side is called in a game.
const fn player(game: Game, side: Side) -> &'static str {
    match (game, side) {
        (Game::Western | Game::Makruk, Side::Bottom) => "white",
        (Game::Xiangqi, Side::Bottom) => "red",
        (Game::Western | Game::Makruk | Game::Xiangqi, Side::Top) => "black",
        (_, Side::Bottom) => "the first player",
        (_, Side::Top) => "the second player",
    }
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
