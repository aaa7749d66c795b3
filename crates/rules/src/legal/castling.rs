//! When a king or royal centaur may castle.

use std::collections::BTreeMap;

use boardprint_base::{Coord, Piece, PieceKind, Placed, Player, Position, Square};

use super::{Answer, Referee};
use boardprint_base::replay;

impl Referee<'_> {
    /// Whether the piece at `index` castles by going to `to` without passing an attacked square; `None` if
    /// that is not castling at all. Whether the king is safe afterwards is not asked here.
    pub(super) fn castling(&self, position: &mut Position, index: usize, to: &Square) -> Option<Answer> {
        let leader = &position.pieces.as_slice()[index];
        if !leader.right || !leader.piece.kind.leads_castling() {
            return None;
        }
        let castling = replay::castling(position, index, to)?;
        let (leader, player) = (leader.clone(), leader.piece.player);
        if !self.heeds_check(player) {
            return Some(Answer::Yes);
        }
        let mut answer = Answer::Yes;
        for square in [&leader.square, &castling.to, to] {
            match self.is_safe_on(position, &leader, square) {
                Answer::Yes => {}
                Answer::No => return Some(Answer::No),
                Answer::Unknown => answer = Answer::Unknown,
            }
        }
        Some(answer)
    }

    /// Whether no royal would be attacked if a piece stood on another, empty square.
    pub(super) fn is_safe_on(&self, position: &mut Position, piece: &Placed, square: &Square) -> Answer {
        let player = piece.piece.player;
        let Ok(index) = position.pieces.find(&piece.square) else { return Answer::Unknown };
        let there = position.pieces.relocate(index, square.clone());
        let check = self.is_in_check(position, player);
        position.pieces.relocate(there, piece.square.clone());
        match check {
            Answer::Yes => Answer::No,
            Answer::No => Answer::Yes,
            Answer::Unknown => Answer::Unknown,
        }
    }
}

/// The outermost pieces of a rank that have their right and are not pawns, by player and role: if any of these
/// is far enough from another piece to castle with it, one of the outermost is.
pub(crate) struct Castlers<'a>(BTreeMap<(Player, bool), (&'a Coord, &'a Coord)>);

impl<'a> Castlers<'a> {
    /// Those among the pieces of one rank, from left to right.
    pub(crate) fn of(rank: &'a [Placed]) -> Self {
        let mut found = BTreeMap::new();
        for Placed { square, piece, right } in rank {
            if *right && piece.kind != PieceKind::Pawn {
                let role = (piece.player, piece.kind.leads_castling());
                found.entry(role).or_insert((&square.x, &square.x)).1 = &square.x;
            }
        }
        Castlers(found)
    }

    /// Whether a piece of the rank, no pawn, could castle with one of them, now or when nothing stands between
    /// them any more: of one player, one of the two a leader, at least three columns apart.
    pub(crate) fn have_partner_of(&self, placed: &Placed) -> bool {
        let Piece { kind, player } = placed.piece;
        let is_far = |x: &Coord| (&placed.square.x - x).abs() >= Coord::from(3);
        let others = self.0.get(&(player, !kind.leads_castling()));
        others.is_some_and(|(left, right)| is_far(left) || is_far(right))
    }
}
