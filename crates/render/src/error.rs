//! Why a scene cannot be drawn.

use std::fmt;

use boardprint_base::{Coord, Square};

use crate::label;
use crate::window::Window;

/// Why a scene cannot be laid out, and what to do about it ([`SceneError::hint`]).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SceneError {
    /// More squares than the limit allows, folding included.
    TooLarge {
        /// How many columns there would be.
        columns: Coord,
        /// How many rows there would be.
        rows: Coord,
        /// How many squares are allowed.
        limit: usize,
        /// A window around pieces of the scene that can be drawn.
        window: Window,
    },
    /// Two pieces on one square.
    SquareTwice(Square),
    /// A finite board whose cells do not fill its shape.
    WrongCellCount {
        /// How many cells the shape has; `None` if that number is too large to count.
        expected: Option<usize>,
        /// How many cells there are.
        found: usize,
    },
}

impl SceneError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            SceneError::TooLarge { window, .. } => {
                Some(format!("draw a part of it: choose a window, such as {window}"))
            }
            SceneError::SquareTwice(_) => Some("keep one piece on each square".to_owned()),
            SceneError::WrongCellCount { .. } => None,
        }
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SceneError::TooLarge { columns, rows, limit, .. } => {
                let (columns, rows) = (label::short(columns, 12), label::short(rows, 12));
                write!(
                    f,
                    "the picture would have {columns} columns and {rows} rows, more than {limit} squares"
                )
            }
            SceneError::SquareTwice(square) => write!(f, "two pieces stand on {}", label::square(square)),
            SceneError::WrongCellCount { expected: Some(expected), found } => {
                write!(f, "the shape has {expected} cells, but {found} are given")
            }
            SceneError::WrongCellCount { expected: None, .. } => {
                f.write_str("the shape has too many cells to draw")
            }
        }
    }
}

impl std::error::Error for SceneError {}
