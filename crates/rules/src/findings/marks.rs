//! Marks after moves: `x`, `+`, `#`.

use boardprint_base::{Game, Move};

use super::{Finding, Kind};
use crate::legal::{Answer, Condition, Ply};

/// Which marks the writer of a game uses at all. What is never marked is not missing.
pub(super) struct Habits {
    captures: bool,
    checks: bool,
}

impl Habits {
    pub(super) fn of(game: &Game) -> Self {
        Habits {
            captures: game.moves.iter().any(|mv| mv.notes.capture),
            checks: game.moves.iter().any(|mv| mv.notes.marks.contains(['+', '#'])),
        }
    }

    /// What is wrong with the marks of a move. `may_be_drawn`: whether the game may have ended in a way we
    /// doubt.
    pub(super) fn findings(
        &self,
        mv: &Move,
        ply: &Ply,
        number: usize,
        heeds_check: bool,
        may_be_drawn: impl Fn() -> bool,
    ) -> Option<Finding> {
        let piece = ply.played.piece();
        let found = |kind, what: String| {
            let message = format!("{piece}{}>{} {what}", mv.from, mv.to);
            Some(Finding::new(kind, number, message).at(&mv.to))
        };
        match ply.played.captured() {
            Some(victim) if self.captures && !mv.notes.capture => {
                return found(Kind::MissingCapture, format!("takes {victim} and has no `x`"));
            }
            None if mv.notes.capture => {
                return found(Kind::WrongCapture, "has `x` and takes nothing".to_owned());
            }
            _ => {}
        }
        let (plus, hash) = (mv.notes.marks.contains('+'), mv.notes.marks.contains('#'));
        let is_mate = ply.conclusion.is_some_and(|end| end.condition == Condition::Checkmate);
        if hash && !is_mate && ply.is_decided {
            // The site writes `#` on every move that ends the game: captures of royals, and draws too.
            let what = if ply.check == Answer::Yes { "gives check and no mate" } else { "gives no mate" };
            let is_end = ply.conclusion.is_some() || may_be_drawn();
            return if is_end { None } else { found(Kind::WrongMate, format!("has `#` and {what}")) };
        }
        if plus && ply.check == Answer::No {
            return found(Kind::WrongCheck, "has `+` and gives no check".to_owned());
        }
        if self.checks && is_mate && !hash {
            return found(Kind::MissingMate, "gives mate and has no `#`".to_owned());
        }
        if self.checks && heeds_check && ply.check == Answer::Yes && !plus && !hash {
            return found(Kind::MissingCheck, "gives check and has no `+`".to_owned());
        }
        None
    }
}
