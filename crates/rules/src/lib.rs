//! What moves do on the unbounded board.
//!
//! - [`fairy`]: the movement language and its evaluator
//! - [`pieces`]: how each piece moves, and piece files of users
//! - [`replay`]: playing moves on a position and taking them back

pub mod fairy;
pub mod pieces;
pub mod replay;
