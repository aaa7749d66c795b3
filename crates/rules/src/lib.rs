//! What moves do on the unbounded board.
//!
//! - [`fairy`]: the movement language and its evaluator
//! - [`findings`]: what is wrong with a game
//! - [`hyper`]: how pieces move in variants of four dimensions
//! - [`legal`]: which moves are legal, check, mate and the other ends of a game
//! - [`pieces`]: how each piece moves, and piece files of users
//! - [`replay`]: playing moves on a position and taking them back

pub mod fairy;
pub mod findings;
pub mod hyper;
pub mod legal;
pub mod pieces;
pub mod replay;

/// The page on the language, so that its examples are tested.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/fairy.md")]
struct FairyPage;
