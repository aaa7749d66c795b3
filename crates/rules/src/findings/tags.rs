//! Results and terminations that the board contradicts.

use boardprint_base::{Game, GameResult, Player};

use super::{Finding, Kind};
use crate::legal::{Conclusion, Condition, Trial};

/// What the tags of a legal game say against the board after its last move.
pub(super) fn findings(game: &Game, trial: &Trial<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let tag = game.tag("Result").and_then(result);
    if let (Some(tag), Some(written)) = (tag, game.result)
        && tag != written
    {
        let message = format!("the `Result` tag says {tag}, the result after the moves {written}");
        findings.push(Finding::new(Kind::WrongResult, None, message));
    }
    let end = trial.conclusion();
    if let (Some(end), Some(said)) = (end, tag.or(game.result))
        && said != result_of(end).unwrap_or(GameResult::Unknown)
    {
        let message = format!("the result is {said}, and on the board {}", sentence(end));
        findings.push(Finding::new(Kind::WrongResult, None, message));
    }
    let Some(said) = game.tag("Termination") else { return findings };
    let Some(meant) = termination(said) else { return findings };
    let wrong = match (meant, end) {
        (Meant::Board(condition), Some(end)) => condition != end.condition,
        // The site asks only after captures and promotions; and where we doubt its table we say nothing.
        (Meant::Board(Condition::InsufficientMaterial), None) if trial.is_material_doubtful() => false,
        (Meant::Board(_), None) => trial.is_decided(),
        (Meant::Players, Some(_)) => true,
        (Meant::Players, None) => false,
    };
    if wrong {
        let board = end.map_or_else(
            || "the board shows no end".to_owned(),
            |end| format!("on the board {}", sentence(end)),
        );
        let message = format!("the termination is `{said}`, and {board}");
        findings.push(Finding::new(Kind::WrongTermination, None, message));
    }
    findings
}

fn sentence(end: Conclusion) -> String {
    match end.victor {
        Some(_) => end.to_string(),
        None => format!("it is a {end}"),
    }
}

/// What a `Termination` tag says.
enum Meant {
    /// The board shows it.
    Board(Condition),
    /// The players or their clocks ended the game.
    Players,
}

fn termination(said: &str) -> Option<Meant> {
    let said = said.trim().to_ascii_lowercase();
    let is_known =
        |condition: &&Condition| said == condition.title().to_ascii_lowercase() || said == condition.name();
    match Condition::ALL.iter().find(is_known) {
        // It ends no game of the open board, so that the board cannot show it.
        Some(Condition::PerpetualCheck) => return None,
        Some(condition) => return Some(Meant::Board(*condition)),
        None => {}
    }
    if said.ends_with("-move rule") {
        return Some(Meant::Board(Condition::MoveRule));
    }
    let by_players = ["resignation", "agreement", "time forfeit", "aborted", "abandoned"];
    by_players.contains(&said.as_str()).then_some(Meant::Players)
}

fn result(text: &str) -> Option<GameResult> {
    GameResult::ALL.into_iter().find(|result| result.as_str() == text.trim())
}

/// The result of an end as it is written; a win of somebody else has no spelling.
pub(super) fn result_of(end: Conclusion) -> Option<GameResult> {
    match end.victor {
        Some(Player::WHITE) => Some(GameResult::WhiteWins),
        Some(Player::BLACK) => Some(GameResult::BlackWins),
        Some(_) => None,
        None => Some(GameResult::Draw),
    }
}
