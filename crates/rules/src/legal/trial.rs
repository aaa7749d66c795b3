//! A game played under the eyes of the referee.

use boardprint_base::{Move, PieceKind, Placed, Player, Position};

use super::Condition;
use super::castling::Castlers;
use super::ends::{self, Conclusion, Undecided};
use super::material::{self, Verdict};
use super::repetition::Repetition;
use super::{Answer, Fault, Referee};
use crate::pieces::PieceTable;
use boardprint_base::replay::Played;

/// A game played move by move: legal moves only, rights cleared as the site does, ends noticed.
#[derive(Clone, Debug)]
pub struct Trial<'t> {
    referee: Referee<'t>,
    position: Position,
    ply: usize,
    repetition: Repetition,
    checks: Vec<(Player, u32)>,
    /// Whether the player to move is in check.
    check: Answer,
    /// Who has just moved, and is certainly not in check.
    safe: Option<Player>,
    conclusion: Option<Conclusion>,
    is_decided: bool,
}

/// A move that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// What it did.
    pub played: Played,
    /// Whether the player to move next is in check.
    pub check: Answer,
    /// How the game ended with it.
    pub conclusion: Option<Conclusion>,
    /// Whether it is certain that no other end came before: a budget may have left mate open.
    pub is_decided: bool,
}

impl<'t> Trial<'t> {
    /// A game before its first move.
    #[must_use]
    pub fn new(table: &'t PieceTable, start: Position) -> Self {
        let mut trial = Trial {
            referee: Referee::new(table, &start),
            repetition: Repetition::new(&start),
            position: start,
            ply: 0,
            checks: Vec::new(),
            check: Answer::Unknown,
            safe: None,
            conclusion: None,
            is_decided: true,
        };
        let cycle = trial.position.turn.cycle();
        let last = cycle[cycle.len() - 1];
        trial.check = trial.referee.is_in_check(&trial.position, trial.position.turn.to_move());
        trial.conclusion = trial.end_of_position(last, true);
        trial
    }

    /// The referee.
    #[must_use]
    pub fn referee(&self) -> &Referee<'t> {
        &self.referee
    }

    /// The position now.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// How many half-moves were played.
    #[must_use]
    pub fn ply(&self) -> usize {
        self.ply
    }

    /// How the game stands ended.
    #[must_use]
    pub fn conclusion(&self) -> Option<Conclusion> {
        self.conclusion
    }

    /// Whether the absence of a conclusion is certain: a budget may have left mate open.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.is_decided
    }

    /// Whether nobody may have the pieces to mate, so that a claim of a draw is not to be contradicted.
    pub(crate) fn is_material_doubtful(&self) -> bool {
        material::verdict(&self.referee, &self.position) != Verdict::Sufficient
    }

    /// Plays a legal move, also after the game has ended.
    ///
    /// # Errors
    ///
    /// [`Fault`] says why the move is not legal; the game is as before.
    pub fn play(&mut self, mv: &Move) -> Result<Ply, Fault> {
        let before = self.position.pieces.get(&mv.from).cloned();
        let played = self.referee.play_out_of(&mut self.position, mv, self.check)?;
        self.ply += 1;
        self.referee.has_passed_as_pawn = played.is_double_push() && played.promotion().is_some();

        for gone in before.iter().chain(played.captured()) {
            self.repetition.remove(gone);
        }
        if let Some(after) = self.position.pieces.get(&mv.to) {
            self.repetition.add(after);
        }
        if let Some(castling) = played.castling()
            && let Some(after) = self.position.pieces.get(&castling.to)
        {
            self.repetition.remove(&Placed { square: castling.from.clone(), right: true, ..after.clone() });
            self.repetition.add(after);
        }
        let lost = before.iter().chain(played.captured()).filter(|placed| placed.right);
        for placed in lost {
            self.clear_rights(placed);
        }

        self.is_decided = true;
        let next = self.position.turn.to_move();
        self.check = if self.safe == Some(next) {
            self.referee.gives_check(&self.position, &played, next)
        } else {
            self.referee.is_in_check(&self.position, next)
        };
        // A legal move leaves nobody in check who has to heed it.
        self.safe = Some(played.piece().player).filter(|player| self.referee.heeds_check(*player));
        self.conclusion = self.referee.end_by_move(&self.position, &played);
        if self.conclusion.is_none() && self.check == Answer::Yes {
            self.conclusion = self.third_check(played.piece().player);
        }
        let times = self.repetition.count(&self.position, self.ply, played.is_progress());
        if self.conclusion.is_none() && times >= 3 {
            self.conclusion = Some(Conclusion::draw(Condition::Repetition));
        }
        if self.conclusion.is_none() {
            let is_exchange = played.captured().is_some() || played.promotion().is_some();
            self.conclusion = self.end_of_position(played.piece().player, is_exchange);
        }
        Ok(Ply { played, check: self.check, conclusion: self.conclusion, is_decided: self.is_decided })
    }

    /// The ends that need no knowledge of the last move; `last` is who made it.
    fn end_of_position(&mut self, last: Player, is_exchange: bool) -> Option<Conclusion> {
        match self.referee.end_without_moves(&mut self.position, last, self.check) {
            Ok(Some(conclusion)) => return Some(conclusion),
            Ok(None) => {}
            Err(Undecided) => self.is_decided = false,
        }
        if ends::is_move_rule_spent(&self.position) {
            return Some(Conclusion::draw(Condition::MoveRule));
        }
        let is_drawn =
            is_exchange && material::verdict(&self.referee, &self.position) == Verdict::Insufficient;
        is_drawn.then(|| Conclusion::draw(Condition::InsufficientMaterial))
    }

    fn third_check(&mut self, player: Player) -> Option<Conclusion> {
        let wins = self.referee.wins_by(&self.position, player, Condition::ThreeCheck.name());
        let index = self.checks.iter().position(|(who, _)| *who == player).unwrap_or_else(|| {
            self.checks.push((player, 0));
            self.checks.len() - 1
        });
        self.checks[index].1 += 1;
        (wins && self.checks[index].1 >= 3).then(|| Conclusion::win(player, Condition::ThreeCheck))
    }

    /// Clears the rights of pieces that could castle only with one that has just lost its right.
    fn clear_rights(&mut self, lost: &Placed) {
        if lost.piece.kind == PieceKind::Pawn {
            return;
        }
        let pieces = self.position.pieces.as_slice();
        let start = pieces.partition_point(|placed| placed.square.y > lost.square.y);
        let end = start + pieces[start..].partition_point(|placed| placed.square.y == lost.square.y);
        // Those who lose their right are of one role, and their partners of the other, so one does not depend
        // on what became of another.
        let castlers = Castlers::of(&pieces[start..end]);
        let is_useless = |placed: &Placed| {
            let is_concerned = placed.right
                && placed.piece.kind != PieceKind::Pawn
                && placed.piece.player == lost.piece.player
                && placed.piece.kind.leads_castling() != lost.piece.kind.leads_castling();
            is_concerned && !castlers.have_partner_of(placed)
        };
        let useless: Vec<usize> = (start..end).filter(|index| is_useless(&pieces[*index])).collect();
        for index in useless {
            let before = self.position.pieces.as_slice()[index].clone();
            self.repetition.remove(&before);
            self.position.pieces.set_right(index, false);
            self.repetition.add(&Placed { right: false, ..before });
        }
    }
}
