//! How a game ends, in the order in which the site asks.

use std::fmt;

use boardprint_base::{CHECKMATE, Condition, PieceKind, Player, Position, Square};

use super::{Answer, Referee};
use boardprint_base::replay::Played;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Conclusion {
    /// Who won; nobody in a draw.
    pub victor: Option<Player>,
    /// In which way.
    pub condition: Condition,
}

impl Conclusion {
    pub(super) fn win(victor: Player, condition: Condition) -> Self {
        Conclusion { victor: Some(victor), condition }
    }

    pub(super) fn draw(condition: Condition) -> Self {
        Conclusion { victor: None, condition }
    }
}

impl fmt::Display for Conclusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.victor {
            Some(victor) => write!(f, "{victor} wins by {}", self.condition.title().to_ascii_lowercase()),
            None => write!(f, "draw by {}", self.condition.title().to_ascii_lowercase()),
        }
    }
}

impl Referee<'_> {
    /// How a move ended the game by what it captured or where it went.
    pub(super) fn end_by_move(&self, position: &Position, played: &Played) -> Option<Conclusion> {
        let mover = played.piece().player;
        let wins_by = |condition: Condition| self.wins_by(position, mover, condition.name());
        let next = position.turn.to_move();
        let took_royal = played.captured().is_some_and(|captured| self.is_royal(captured.piece));
        if wins_by(Condition::AllPiecesCaptured)
            && !position.pieces.iter().any(|placed| placed.piece.player == next)
        {
            return Some(Conclusion::win(mover, Condition::AllPiecesCaptured));
        }
        if took_royal && wins_by(Condition::RoyalCapture) {
            return Some(Conclusion::win(mover, Condition::RoyalCapture));
        }
        if took_royal
            && wins_by(Condition::AllRoyalsCaptured)
            && played.captured().is_some_and(|last| self.royals(position, last.piece.player).next().is_none())
        {
            return Some(Conclusion::win(mover, Condition::AllRoyalsCaptured));
        }
        if played.piece().kind == PieceKind::King
            && wins_by(Condition::KingOfTheHill)
            && is_hill_taken(position)
        {
            return Some(Conclusion::win(mover, Condition::KingOfTheHill));
        }
        None
    }

    /// Checkmate or stalemate of the player to move, whom `last` has brought there; an error if that is not
    /// known. `check`: whether that player is in check.
    pub(super) fn end_without_moves(
        &self,
        position: &mut Position,
        last: Player,
        check: Answer,
    ) -> Result<Option<Conclusion>, Undecided> {
        match self.can_move_out_of(position, check) {
            Answer::Yes => Ok(None),
            Answer::Unknown => Err(Undecided),
            Answer::No => {
                let player = position.turn.to_move();
                let is_mate = self.heeds_check(player) && self.wins_by(position, last, CHECKMATE);
                match check {
                    Answer::Yes if is_mate => Ok(Some(Conclusion::win(last, Condition::Checkmate))),
                    Answer::Unknown if is_mate => Err(Undecided),
                    _ => Ok(Some(Conclusion::draw(Condition::Stalemate))),
                }
            }
        }
    }
}

/// The budget did not allow an answer.
pub(super) struct Undecided;

/// Whether some king stands on one of the four squares of the hill.
fn is_hill_taken(position: &Position) -> bool {
    [(4, 4), (5, 4), (4, 5), (5, 5)].into_iter().any(|(x, y)| {
        let on_it = position.pieces.get(&Square::new(x, y));
        on_it.is_some_and(|placed| placed.piece.kind == PieceKind::King)
    })
}

pub(super) fn is_move_rule_spent(position: &Position) -> bool {
    position.move_rule.as_ref().is_some_and(|rule| rule.count == rule.limit)
}
