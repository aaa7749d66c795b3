//! When a king or royal centaur may castle.

use boardprint_base::{Coord, Placed, Position, Square};

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

/// Whether two pieces could castle with each other, now or when nothing stands between them any more: of one
/// player and rank, one of them a leader, no pawns, at least three columns apart. Their rights are not looked
/// at.
pub(crate) fn are_partners(a: &Placed, b: &Placed) -> bool {
    use boardprint_base::PieceKind::Pawn;
    a.piece.player == b.piece.player
        && a.square.y == b.square.y
        && a.piece.kind != Pawn
        && b.piece.kind != Pawn
        && a.piece.kind.leads_castling() != b.piece.kind.leads_castling()
        && (&a.square.x - &b.square.x).abs() >= Coord::from(3)
}
