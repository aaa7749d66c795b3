//! The count of moves in Makruk.
//!
//! A player may count when no pawns are left, so that nobody can say from the board whether somebody does: a
//! FEN says it. From there on the count is carried along.

use super::{Mailbox, bits};

// Places in the table of Makruk.
const PAWN: usize = 0;
const KNIGHT: usize = 1;
const KHON: usize = 2;
const ROOK: usize = 3;

impl Mailbox {
    /// The limit of the count, in half-moves.
    pub(crate) const fn limit(&self) -> Option<u32> {
        self.limit
    }

    /// Where a count goes on after a capture or a promotion, if it does not just go on: a side that has lost
    /// all but its king gets a count of its own. The pieces of the other side make its limit, and it begins
    /// with the number of pieces on the board.
    #[cold]
    pub(super) fn count_again(&mut self) -> Option<u32> {
        let [own, other] = [self.side, self.side.opponent()].map(|side| self.men[side as usize]);
        let count = |kind: usize| {
            bits(other).filter(|square| self.cells[*square].is_some_and(|man| man.kind() == kind)).count()
        };
        if own.count_ones() > 1 || other.count_ones() < 2 || count(PAWN) > 0 {
            return None;
        }
        let moves = match (count(ROOK), count(KHON), count(KNIGHT)) {
            (2.., ..) => 8,
            (1, ..) => 16,
            (_, 2.., _) => 22,
            (.., 2..) => 32,
            (_, 1, _) => 44,
            _ => 64,
        };
        self.limit = Some(2 * moves);
        Some(2 * (own | other).count_ones())
    }
}
