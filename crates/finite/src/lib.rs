//! The finite games: Western chess with Chess960, Makruk, Shogi, Xiangqi and Janggi.
//!
//! - [`Game`] is one of the five, [`Kind`] a kind of its pieces, [`Man`] a piece.
//! - [`Fen`] is a position as FEN or SFEN says it: checked, not yet playable.
//! - [`Board`] is a position that can be played: legal moves, why a move is illegal ([`Illegal`]), check, and
//!   ends ([`Conclusion`]). [`History`] knows the ends that need the moves before: repetition and moves
//!   without progress.
//! - [`Move`] is a move in two bytes, and [`Notation`] says how moves are written. [`write_game`] and
//!   [`game_digest`] name a game.
//!
//! ```
//! use boardprint_finite::{Board, Condition, Game, Notation};
//! let mut board = Board::start(Game::Western);
//! for word in ["f3", "e5", "g4", "Qh4#"] {
//!     let played = board.read(Notation::San, word)?;
//!     board.play(played).expect("what was read is legal");
//! }
//! assert_eq!(board.end().map(|end| end.condition), Some(Condition::Checkmate));
//! # Ok::<(), boardprint_finite::MoveError>(())
//! ```

mod board;
mod ends;
mod error;
mod fen;
mod game;
mod mailbox;
mod man;
pub mod moves;
pub mod notation;
mod score;
#[cfg(test)]
mod tests;
mod western;

pub use board::{Board, MOST_CELLS, game_digest, write_game};
pub use boardprint_base::Condition;
pub use ends::{Conclusion, History};
pub use error::{Illegal, MoveError, Unplayable};
pub use fen::{Fen, FenError, FenErrorKind, FenRule, FenWarning, FenWarningKind, Leniency, Part};
pub use game::{Game, UnknownGame};
pub use man::{Kind, Man};
pub use moves::{Action, Move};
pub use notation::{Notation, UnknownNotation};
pub use score::{SanReader, first_illegal};

/// The page of the finite games: its example runs as a test.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../../docs/finite.md")]
    struct Finite;
}

/// The page of the crate: its example runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
