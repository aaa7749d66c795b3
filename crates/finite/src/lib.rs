//! The finite games: Western chess with Chess960, Makruk, Shogi, Xiangqi and Janggi.
//!
//! - [`Game`] is one of the five, [`Kind`] a kind of its pieces, [`Man`] a piece.
//! - [`Fen`] is a position as FEN or SFEN says it: checked, not yet playable.
//! - [`Board`] is a position that can be played, [`Move`] a move in two bytes.

mod board;
mod error;
mod fen;
mod game;
mod man;
pub mod moves;
mod western;

pub use board::{Board, MOST_CELLS, game_digest, write_game};
pub use error::MoveError;
pub use fen::{Fault, Fen, FenError, FenErrorKind, Part};
pub use game::{Game, UnknownGame};
pub use man::{Kind, Man};
pub use moves::{Action, Move};
