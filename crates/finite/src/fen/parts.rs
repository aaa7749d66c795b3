//! The parts of a FEN, and making one from parts.

use boardprint_base::Side;

use super::{Castling, Fen, FenRule, RIGHT, fresh_plies};
use crate::game::Game;
use crate::man::Man;

/// Looking into a FEN. Cells are counted in reading order: from the top left corner, rank by rank.
impl Fen {
    /// The game it is of.
    #[must_use]
    pub const fn game(&self) -> Game {
        self.game
    }

    /// Who moves next.
    #[must_use]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// The cells in reading order.
    #[must_use]
    pub fn cells(&self) -> &[Option<Man>] {
        &self.board
    }

    /// The piece on a cell.
    #[must_use]
    pub fn man(&self, cell: usize) -> Option<Man> {
        self.board.get(cell).copied().flatten()
    }

    /// How many pieces of each kind a side has in hand, by the place of the kind in [`Game::kinds`].
    #[must_use]
    pub const fn hand(&self, side: Side) -> &[usize; 8] {
        &self.hands[side as usize]
    }

    /// The cells of the rooks that may castle: for each side, first the one to the right of its king, then
    /// the other.
    #[must_use]
    pub const fn castling(&self) -> [[Option<usize>; 2]; 2] {
        self.castling.0
    }

    /// Whether the piece on a cell is a king or a rook that may castle.
    #[must_use]
    pub fn may_castle(&self, cell: usize) -> bool {
        let of_king = |(side, rooks): (Side, &[Option<usize>; 2])| {
            rooks.iter().any(Option::is_some) && self.castling_king(side) == Some(cell)
        };
        self.castling.rooks().any(|rook| rook == cell)
            || Side::ALL.into_iter().zip(&self.castling.0).any(of_king)
    }

    /// The cell of the en passant square.
    #[must_use]
    pub const fn en_passant(&self) -> Option<usize> {
        self.en_passant
    }

    /// The limit of the count of moves, in Makruk: the half-moves without progress are that count then.
    #[must_use]
    pub const fn counting(&self) -> Option<u64> {
        self.counting
    }

    /// Half-moves without progress.
    #[must_use]
    pub const fn clock(&self) -> u64 {
        self.clock
    }

    /// Half-moves since the start of the game, by the move number.
    #[must_use]
    pub const fn plies(&self) -> u64 {
        self.plies
    }

    /// Whether the move number is that of a first move.
    #[must_use]
    pub const fn is_fresh(&self) -> bool {
        self.plies == fresh_plies(self.side)
    }

    /// Whether a FEN says the number of half-moves. It counts moves of both sides, so that it cannot tell
    /// which of the two began; an SFEN can.
    #[must_use]
    pub const fn tells_plies(&self) -> bool {
        (self.plies / 2).saturating_mul(2).saturating_add(fresh_plies(self.side)) == self.plies
    }
}

/// Making a FEN from its parts. It is a valid one after every step.
///
/// ```
/// use boardprint_base::Side;
/// use boardprint_finite::{Fen, Game, Man};
/// let mut fen = Fen::empty(Game::Western);
/// let place = |letter| Game::Western.kinds().iter().position(|kind| kind.letter() == letter).unwrap();
/// fen.put(60, Some(Man::new(place(b'k'), Side::Bottom, false)))?;
/// fen.put(63, Some(Man::new(place(b'r'), Side::Bottom, false)))?;
/// fen.allow_castling(63)?;
/// assert_eq!(fen.to_string(), "8/8/8/8/8/8/8/4K2R w K - 0 1");
/// # Ok::<(), boardprint_finite::FenRule>(())
/// ```
impl Fen {
    /// An empty board; the first player moves.
    #[must_use]
    pub fn empty(game: Game) -> Self {
        Fen {
            game,
            board: vec![None; game.squares()],
            side: Side::Bottom,
            castling: Castling::default(),
            en_passant: None,
            counting: None,
            clock: 0,
            plies: 0,
            hands: Default::default(),
        }
    }

    /// Sets who moves next. Counters become those of a first move, and there is no en passant square.
    pub fn set_side(&mut self, side: Side) {
        self.side = side;
        self.en_passant = None;
        self.clock = 0;
        self.plies = fresh_plies(side);
    }

    /// Puts a piece on a cell, or takes it away. Castling rights and the en passant square are gone then.
    ///
    /// # Errors
    ///
    /// [`FenRule`] if the game has no such cell or piece.
    pub fn put(&mut self, cell: usize, man: Option<Man>) -> Result<(), FenRule> {
        if man.is_some_and(|man| !man.exists_in(self.game)) {
            return Err(FenRule::NoSuchPiece);
        }
        let Some(square) = self.board.get_mut(cell) else {
            return Err(FenRule::NoSuchCell);
        };
        *square = man;
        self.castling = Castling::default();
        self.en_passant = None;
        Ok(())
    }

    /// Puts pieces of a kind, by its place in [`Game::kinds`], into a hand.
    ///
    /// # Errors
    ///
    /// [`FenRule`] if such pieces are never in hand.
    pub fn add_to_hand(&mut self, side: Side, kind: usize, count: usize) -> Result<(), FenRule> {
        if self.game != Game::Shogi {
            return Err(FenRule::NoHand);
        }
        match self.game.kinds().get(kind) {
            Some(known) if !known.is_royal() => {}
            _ => return Err(FenRule::NeverInHand),
        }
        let held = &mut self.hands[side as usize][kind];
        *held = held.saturating_add(count);
        Ok(())
    }

    /// Lets the king castle with the rook on a cell.
    ///
    /// # Errors
    ///
    /// [`FenRule`] if that is not a rook on the back rank of its king, or if another rook on that side of the
    /// king may castle.
    pub fn allow_castling(&mut self, rook: usize) -> Result<(), FenRule> {
        let Some(side) = self.man(rook).map(Man::side) else {
            return Err(FenRule::CastlingWithoutRook);
        };
        let king = self.castling_king(side).filter(|_| self.game == Game::Western);
        let Some(king) =
            king.filter(|_| self.is_own(rook, side, false, b'r') && self.back_rank(side).contains(&rook))
        else {
            return Err(FenRule::CastlingWithoutRook);
        };
        let wing = if rook > king { RIGHT } else { 1 - RIGHT };
        match self.castling.0[side as usize][wing].replace(rook) {
            None => Ok(()),
            Some(before) => {
                self.castling.0[side as usize][wing] = Some(before);
                Err(FenRule::TwoRooks)
            }
        }
    }

    /// Sets the en passant square: the one that a pawn has just passed.
    ///
    /// # Errors
    ///
    /// [`FenRule`] if no pawn can have passed it.
    pub fn set_en_passant(&mut self, cell: usize) -> Result<(), FenRule> {
        if self.game != Game::Western {
            return Err(FenRule::NoEnPassant);
        }
        if let Some(rule) = self.en_passant_fault(cell) {
            return Err(rule);
        }
        self.en_passant = Some(cell);
        Ok(())
    }

    /// Sets the counters: half-moves without progress, and half-moves since the start of the game. A count of
    /// Makruk is a counter too, and its limit is gone.
    pub fn set_counters(&mut self, clock: u64, plies: u64) {
        self.clock = clock;
        self.plies = plies;
        self.counting = None;
    }

    /// Makes the half-moves without progress the count of a game of Makruk, up to a limit in half-moves.
    pub(crate) fn set_limit(&mut self, limit: Option<u32>) {
        self.counting = limit.map(u64::from).filter(|_| self.game == Game::Makruk);
    }
}
