//! Who attacks what.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use boardprint_base::{Piece, PieceKind, Placed, Player, Position, Square};

use super::lines::Lines;
use super::strikes::DIRECTIONS;
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

/// With more royals than this, pieces are sorted by lines before somebody asks who attacks one.
const MANY: usize = if cfg!(test) { 1 } else { 64 };

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
            let mut first: Option<usize> = None;
            let _ = self.each_attacker(position, player, &royal.square, |index, reach| {
                match reach {
                    Reach::Unknown => unknown = true,
                    _ => first = Some(first.map_or(index, |first| first.min(index))),
                }
                ControlFlow::Continue(())
            });
            if let Some(attacker) = first.map(|index| &position.pieces.as_slice()[index]) {
                return Check::By { attacker: attacker.clone().into(), royal: royal.clone().into() };
            }
        }
        if unknown { Check::Unknown } else { Check::No }
    }

    /// Whether a player is in check.
    #[must_use]
    pub fn is_in_check(&self, position: &Position, player: Player) -> Answer {
        let mut answer = Answer::No;
        // Where there are many, each one more would cost a walk over all pieces.
        if self.royals(position, player).nth(MANY).is_some() {
            return self.is_one_of_many_attacked(position, player);
        }
        for royal in self.royals(position, player) {
            match self.is_attacked(position, player, &royal.square) {
                Answer::Yes => return Answer::Yes,
                Answer::Unknown => answer = Answer::Unknown,
                Answer::No => {}
            }
        }
        answer
    }

    /// Whether some royal of a player is attacked, with the pieces sorted by lines first.
    fn is_one_of_many_attacked(&self, position: &Position, player: Player) -> Answer {
        let pieces = position.pieces.as_slice();
        let (table, border) = (self.table.strikes(), &position.laws.border);
        let lines = Lines::of(pieces);
        let mut kinds: Vec<Piece> = enemies(position, player).map(|enemy| enemy.piece).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let leaps: BTreeSet<(i64, i64)> = kinds.iter().flat_map(|kind| table.of(*kind).leaps()).collect();
        let others: Vec<&Placed> =
            enemies(position, player).filter(|enemy| table.of(enemy.piece).has_more).collect();
        let is_enemy =
            |placed: &Placed| placed.piece.player != player && placed.piece.player != Player::NEUTRAL;
        let mut answer = Answer::No;
        for royal in self.royals(position, player).map(|royal| &royal.square) {
            if !border.contains(royal) {
                continue;
            }
            let leapers = leaps.iter().filter_map(|(x, y)| {
                let from = position.pieces.get(&royal.offset(-x, -y)).filter(|placed| is_enemy(placed))?;
                table.of(from.piece).leaps_by(*x, *y).then_some(from)
            });
            let sliders = (0..DIRECTIONS.len()).filter_map(|towards| {
                // Each direction stands next to its opposite.
                let nearest = lines.nearest(royal, DIRECTIONS[towards ^ 1]).map(|index| &pieces[index])?;
                let strikes = table.of(nearest.piece);
                (is_enemy(nearest) && strikes.rays & 1 << towards != 0).then_some(nearest)
            });
            for attacker in leapers.chain(sliders).chain(others.iter().copied()) {
                match self.reach(position, attacker, royal) {
                    Reach::No => {}
                    Reach::Unknown => answer = Answer::Unknown,
                    _ => return Answer::Yes,
                }
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
