//! What a moving piece sees: who stands where, and where the board ends.

use boardprint_base::{Border, Piece, PieceKind, Pieces, Placed, Player, Square};

use super::expr::Jump;

/// What stands on a square, as the moving piece sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Occupant {
    /// Nothing.
    Empty,
    /// A piece that cannot be captured: of the same player, or a void.
    Friend,
    /// A piece that can be captured: of another player, or an obstacle.
    Enemy,
}

/// The pieces around a moving piece. The piece itself may stand on it too; it is nobody's obstacle.
pub trait Board {
    /// Whether [`Board::occupied_on_line`] goes from near to far.
    const IS_ORDERED: bool = false;

    /// What stands on a square.
    fn at(&self, square: &Square) -> Occupant;

    /// Every occupied square, each at least once.
    fn occupied(&self) -> impl Iterator<Item = &Square>;

    /// At least every occupied square that lies in a direction from a square; more is allowed.
    ///
    /// A board that knows its lines answers questions about rays faster; by default these are all occupied
    /// squares.
    fn occupied_on_line(&self, from: &Square, direction: Jump) -> impl Iterator<Item = &Square> {
        let _ = (from, direction);
        self.occupied()
    }

    /// The edges of the board, if it has any.
    fn border(&self) -> Option<&Border> {
        None
    }
}

/// A board given by lists of squares.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// Friends are voids, enemies obstacles: so everybody sees them.
    pieces: Pieces,
    border: Border,
}

impl Surroundings {
    /// A board with these friends and enemies; an enemy on a friend's square wins.
    pub fn new(friends: impl IntoIterator<Item = Square>, enemies: impl IntoIterator<Item = Square>) -> Self {
        let mut pieces = Pieces::default();
        let mut put = |kind, square| {
            pieces.insert(Placed::new(Piece::new(kind, Player::NEUTRAL), square));
        };
        friends.into_iter().for_each(|square| put(PieceKind::Void, square));
        enemies.into_iter().for_each(|square| put(PieceKind::Obstacle, square));
        Surroundings { pieces, border: Border::default() }
    }

    /// The same board with edges.
    #[must_use]
    pub fn within(mut self, border: Border) -> Self {
        self.border = border;
        self
    }

    /// The board as everybody sees it. Questions about it are answered by the code for positions.
    #[must_use]
    pub fn view(&self) -> View<'_> {
        View { pieces: &self.pieces, player: Player::NEUTRAL, border: &self.border }
    }
}

impl Board for Surroundings {
    fn at(&self, square: &Square) -> Occupant {
        self.view().at(square)
    }

    fn occupied(&self) -> impl Iterator<Item = &Square> {
        self.pieces.iter().map(|placed| &placed.square)
    }

    fn border(&self) -> Option<&Border> {
        Some(&self.border)
    }
}

/// A position as one of its players sees it: voids are friends of everybody, obstacles enemies.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// All pieces.
    pub pieces: &'a Pieces,
    /// Who moves.
    pub player: Player,
    /// The edges of the board.
    pub border: &'a Border,
}

impl Board for View<'_> {
    const IS_ORDERED: bool = true;

    #[inline]
    fn at(&self, square: &Square) -> Occupant {
        match self.pieces.get(square) {
            None => Occupant::Empty,
            Some(placed) if placed.piece.kind == PieceKind::Void => Occupant::Friend,
            Some(placed) if placed.piece.kind == PieceKind::Obstacle => Occupant::Enemy,
            Some(placed) if placed.piece.player == self.player => Occupant::Friend,
            Some(_) => Occupant::Enemy,
        }
    }

    fn occupied(&self) -> impl Iterator<Item = &Square> {
        self.pieces.iter().map(|placed| &placed.square)
    }

    fn occupied_on_line(&self, from: &Square, direction: Jump) -> impl Iterator<Item = &Square> {
        // Pieces are in reading order: the rows above come first, then the row itself, then the rows below.
        let pieces = self.pieces.as_slice();
        let in_row = move |placed: &&Placed| direction.y != 0 || placed.square.y == from.y;
        let above = pieces.partition_point(|placed| match direction.y {
            0 => placed.square < *from,
            1.. => placed.square.y > from.y,
            _ => placed.square.y >= from.y,
        });
        let is_backward = direction.y > 0 || (direction.y == 0 && direction.x < 0);
        let (backward, forward) = pieces.split_at(above);
        let (backward, forward) = if is_backward { (backward, &[][..]) } else { (&[][..], forward) };
        backward.iter().rev().chain(forward).take_while(in_row).map(|placed| &placed.square)
    }

    fn border(&self) -> Option<&Border> {
        Some(self.border)
    }
}
