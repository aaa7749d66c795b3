//! What of a position decides which moves can be played.

use boardprint_base::{PieceKind, Player, Position, Square};

use crate::rights::DeadRights;

/// Which marks of a position count: special rights and the en passant square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Marks {
    /// Those that a move can use. Positions that differ in other marks only are one position.
    #[default]
    Usable,
    /// All, for exact round trips.
    AsGiven,
}

/// What of a position counts, seen without copying it.
#[derive(Clone, Debug)]
pub(crate) struct Identity<'a> {
    /// The indexes of the pieces whose special right does not count, ascending.
    pub(crate) dead_rights: &'a [usize],
    /// The en passant square, if it counts.
    pub(crate) en_passant: Option<&'a Square>,
}

impl<'a> Identity<'a> {
    #[inline]
    pub(crate) fn of(position: &'a Position, marks: Marks, rights: &'a mut DeadRights) -> Self {
        match marks {
            Marks::Usable => Identity {
                dead_rights: rights.find(position.pieces.as_slice()),
                en_passant: position
                    .en_passant
                    .as_ref()
                    .filter(|square| can_capture_en_passant(position, square)),
            },
            Marks::AsGiven => Identity { dead_rights: &[], en_passant: position.en_passant.as_ref() },
        }
    }

    /// Whether it is the whole position: every mark counts.
    pub(crate) fn keeps_all_marks(&self, position: &Position) -> bool {
        self.dead_rights.is_empty() && self.en_passant == position.en_passant.as_ref()
    }
}

/// A copy of the position without the marks that nothing can use. Laws and counters stay.
///
/// ```
/// use boardprint_base::{Piece, PieceKind, Pieces, Placed, Player, Position, Square};
/// let king = Placed::new(Piece::new(PieceKind::King, Player::WHITE), Square::new(5, 1)).with_right();
/// let position = Position::new(Pieces::from_list(vec![king]).unwrap());
/// let identity = boardprint_bridge::identity(&position);
/// assert!(!identity.pieces.as_slice()[0].right);
/// assert_eq!(boardprint_bridge::identity(&identity), identity);
/// ```
#[must_use]
pub fn identity(position: &Position) -> Position {
    let mut rights = DeadRights::default();
    let seen = Identity::of(position, Marks::Usable, &mut rights);
    let mut copy = position.clone();
    copy.en_passant = seen.en_passant.cloned();
    for index in seen.dead_rights {
        copy.pieces.set_right(*index, false);
    }
    copy
}

/// Whether a pawn of the side to move stands ready to capture an enemy pawn by stepping onto the empty square.
pub(crate) fn can_capture_en_passant(position: &Position, square: &Square) -> bool {
    let mover = position.turn.to_move();
    let back = -mover.forward();
    let pawn_at = |dx| match position.pieces.get(&square.offset(dx, back)) {
        Some(placed) if placed.piece.kind == PieceKind::Pawn => Some(placed.piece.player),
        _ => None,
    };
    position.pieces.get(square).is_none()
        && pawn_at(0).is_some_and(|owner| owner != mover && owner != Player::NEUTRAL)
        && [-1, 1].into_iter().any(|dx| pawn_at(dx) == Some(mover))
}
