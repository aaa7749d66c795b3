//! Who attacks what.

use std::ops::ControlFlow;

use boardprint_base::{Piece, PieceKind, Placed, Player, Position, Square};

use super::{Answer, Referee, view};
use crate::fairy::{self, Mover, Path, Reach};

/// Whether a player is in check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Check {
    /// No royal is attacked.
    No,
    /// A royal is attacked.
    By {
        /// Who attacks.
        attacker: Box<Placed>,
        /// Who is attacked.
        royal: Box<Placed>,
    },
    /// The budget did not allow an answer.
    Unknown,
}

/// A way in which a piece attacks a royal.
#[derive(Debug)]
pub(super) struct Attack<'t> {
    pub(super) from: Square,
    pub(super) royal: Square,
    pub(super) path: &'t Path,
    pub(super) certain: bool,
}

impl<'t> Referee<'t> {
    /// Whether a player is in check, and by whom.
    #[must_use]
    pub fn check(&self, position: &Position, player: Player) -> Check {
        let mut unknown = false;
        for royal in self.royals(position, player) {
            for attacker in enemies(position, player) {
                match self.reach(position, attacker, &royal.square) {
                    Reach::No => {}
                    Reach::Unknown => unknown = true,
                    _ => {
                        return Check::By { attacker: attacker.clone().into(), royal: royal.clone().into() };
                    }
                }
            }
        }
        if unknown { Check::Unknown } else { Check::No }
    }

    /// Whether a player is in check.
    #[must_use]
    pub fn is_in_check(&self, position: &Position, player: Player) -> Answer {
        let mut answer = Answer::No;
        for royal in self.royals(position, player) {
            match self.is_attacked(position, player, &royal.square) {
                Answer::Yes => return Answer::Yes,
                Answer::Unknown => answer = Answer::Unknown,
                Answer::No => {}
            }
        }
        answer
    }

    /// Every way in which a royal of a player is attacked; `None` if some of them have no closed form.
    pub(super) fn attacks(&self, position: &Position, player: Player) -> Option<Vec<Attack<'t>>> {
        let (mut attacks, mut attackers) = (Vec::new(), Vec::new());
        for royal in self.royals(position, player) {
            attackers.clear();
            let _ = self.each_attacker(position, player, &royal.square, |index, _| {
                attackers.push(index);
                ControlFlow::Continue(())
            });
            attackers.sort_unstable();
            attackers.dedup();
            for attacker in attackers.iter().map(|index| &position.pieces.as_slice()[*index]) {
                let movement = self.table.get(attacker.piece.kind)?.movement(attacker.piece.player);
                if !movement.is_exact() {
                    return None;
                }
                let view = view(position, attacker.piece.player);
                let mover = Mover { from: &attacker.square, right: attacker.right };
                let ways = movement.paths_to(mover, &royal.square, &view);
                let ways = ways.filter(|(path, _)| self.is_short(path, &attacker.square, &royal.square));
                attacks.extend(ways.map(|(path, answer)| Attack {
                    from: attacker.square.clone(),
                    royal: royal.square.clone(),
                    path,
                    certain: answer == fairy::Answer::Yes,
                }));
            }
        }
        Some(attacks)
    }

    /// Whether an enemy's movement needs a hurdle, so that a piece that comes into its way may open it.
    pub(super) fn has_hurdles(&self, position: &Position, player: Player) -> bool {
        position.pieces.iter().any(|placed| {
            matches!(placed.piece.kind, PieceKind::Custom(_))
                && placed.piece.player != player
                && self.table.get(placed.piece.kind).is_none_or(|definition| {
                    let movement = definition.movement(placed.piece.player);
                    !movement.is_exact() || movement.paths(true).any(|path| path.legs().len() > 1)
                })
        })
    }

    pub(super) fn royals<'p>(
        &self,
        position: &'p Position,
        player: Player,
    ) -> impl Iterator<Item = &'p Placed> {
        let is_royal = move |piece: Piece| piece.player == player && self.is_royal(piece);
        position.pieces.iter().filter(move |placed| is_royal(placed.piece))
    }
}

/// The pieces of all other players. What belongs to nobody never moves.
pub(super) fn enemies(position: &Position, player: Player) -> impl Iterator<Item = &Placed> {
    position
        .pieces
        .iter()
        .filter(move |placed| placed.piece.player != player && placed.piece.player != Player::NEUTRAL)
}
