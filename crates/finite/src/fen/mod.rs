//! FEN of Western chess, Makruk, Xiangqi, Janggi and Shogi, and SFEN.
//!
//! ```
//! use boardprint_finite::{Fen, Game};
//! use boardprint_base::Side;
//!
//! let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
//! let fen = Fen::read(Game::Western, start)?;
//! assert_eq!(fen.side(), Side::Bottom);
//! assert_eq!(fen.man(0).map(|man| man.letter(Game::Western)), Some(b'r'));
//! assert_eq!(fen.to_string(), start);
//! # Ok::<(), boardprint_finite::FenError>(())
//! ```
//!
//! **Accepts** a board whose ranks are all full, a turn (`w` or `b`; for Xiangqi also `r`), castling as
//! `KQkq` or by the files of the rooks, an en passant square, half-moves and move number. After the turn, the
//! counters or all fields may be missing, but Western chess needs castling and en passant. Makruk may have a
//! counting limit instead of an en passant square. Shogi has its hand in brackets after the board; SFEN,
//! where `b` is the first player, has its own reader.
//!
//! **Writes** one spelling: castling in the order `KQkq`, a file only where another rook stands further out;
//! hands in the order g n l p s r b in FEN, as Fairy-Stockfish does, and r b g s n l p in SFEN; the letters of
//! the first column of each game's table.
//!
//! **Refuses** everything else: a rank of another length, runs of empty squares that are split or begin with
//! 0, unknown letters, castling rights without king and rook, an en passant square that no pawn has just
//! passed, numbers with leading zeros, blanks too many. [`Fen::read_with`] lets much of it pass and says so.

mod error;
mod parts;
mod read;
mod shape;
#[cfg(test)]
mod tests;
mod warning;
mod write;

pub use error::{FenError, FenErrorKind, FenRule, Part};
pub use warning::{FenWarning, FenWarningKind, Leniency};

use boardprint_base::Side;

use crate::game::Game;
use crate::man::Man;

/// A position of a FEN or SFEN, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fen {
    game: Game,
    /// Rank by rank from the top.
    board: Vec<Option<Man>>,
    side: Side,
    castling: Castling,
    /// The cell of the en passant square.
    en_passant: Option<usize>,
    /// The limit of the count of moves, in Makruk.
    counting: Option<u64>,
    /// Half-moves without progress.
    clock: u64,
    /// Half-moves since the start of the game, by the move number.
    plies: u64,
    /// How many of each kind are in hand, bottom's first.
    hands: [Hand; 2],
}

/// How many of each kind are in hand, by its place in the game's table.
type Hand = [usize; 8];

/// The cells of the rooks that may castle, bottom's first: to the right of the king, and to its left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Castling([[Option<usize>; 2]; 2]);

impl Castling {
    fn rooks(&self) -> impl Iterator<Item = usize> {
        self.0.into_iter().flatten().flatten()
    }
}

impl Fen {
    /// The king of a side on its back rank, if there is exactly one.
    fn castling_king(&self, side: Side) -> Option<usize> {
        let mut kings = self.back_rank(side).filter(|cell| self.is_own(*cell, side, true, b'k'));
        kings.next().filter(|_| kings.next().is_none())
    }

    /// The rook of a side on its back rank that stands furthest out on one side of the king.
    fn outermost_rook(&self, side: Side, king: usize, wing: usize) -> Option<usize> {
        let is_rook = |cell: &usize| self.is_own(*cell, side, false, b'r');
        let mut rank = self.back_rank(side);
        match wing {
            RIGHT => rank.rfind(is_rook).filter(|rook| *rook > king),
            _ => rank.find(is_rook).filter(|rook| *rook < king),
        }
    }

    fn is_own(&self, cell: usize, side: Side, royal: bool, letter: u8) -> bool {
        self.board[cell].is_some_and(|man| {
            let kind = &self.game.kinds()[man.kind()];
            man.side() == side && kind.is_royal() == royal && kind.letter() == letter
        })
    }

    fn back_rank(&self, side: Side) -> std::ops::Range<usize> {
        match side {
            Side::Bottom => self.board.len() - self.game.files()..self.board.len(),
            Side::Top => 0..self.game.files(),
        }
    }

    /// What is wrong with an en passant square, if anything: it must be empty, and a pawn must just have
    /// passed it.
    fn en_passant_fault(&self, cell: usize) -> Option<FenRule> {
        let files = self.game.files();
        let (rank, pawn) = match self.side {
            Side::Bottom => (2, cell + files),
            Side::Top => (5, cell.saturating_sub(files)),
        };
        if cell / files != rank {
            return Some(FenRule::EnPassantRank);
        }
        if self.board[cell].is_some() {
            return Some(FenRule::EnPassantOccupied);
        }
        let passed = self.is_own(pawn, self.side.opponent(), false, b'p');
        (!passed).then_some(FenRule::EnPassantNotPassed)
    }

    /// Whether a pawn of the side to move could step onto the en passant square.
    #[must_use]
    pub fn can_capture_en_passant(&self) -> bool {
        let Some(cell) = self.en_passant else { return false };
        let files = self.game.files();
        let beside = match self.side {
            Side::Bottom => cell + files,
            Side::Top => cell - files,
        };
        let file = cell % files;
        file > 0 && self.is_own(beside - 1, self.side, false, b'p')
            || file + 1 < files && self.is_own(beside + 1, self.side, false, b'p')
    }
}

/// Index of the castling to the right of the king.
const RIGHT: usize = 0;

/// The half-moves before the first move of a side.
const fn fresh_plies(side: Side) -> u64 {
    match side {
        Side::Bottom => 0,
        Side::Top => 1,
    }
}
