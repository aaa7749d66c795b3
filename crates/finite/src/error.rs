//! What is wrong with the text of a move.

use std::fmt;

/// Why a text is not a move of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MoveError {
    /// It is a move, but not a legal one here.
    Illegal,
    /// Two pieces can make this move.
    Ambiguous,
    /// It is not a move at all.
    NotAMove,
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MoveError::Illegal => "illegal move",
            MoveError::Ambiguous => "two pieces can make this move",
            MoveError::NotAMove => "this is not a move",
        })
    }
}

impl std::error::Error for MoveError {}
