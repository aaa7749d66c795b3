//! What moves do in infinite chess.

pub mod replay;
//! What moves do on the unbounded board.
//!
//! - [`fairy`]: the movement language and its evaluator
//! - [`pieces`]: how each piece moves, and piece files of users

pub mod fairy;
pub mod pieces;
