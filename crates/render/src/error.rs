//! Why a diagram cannot be drawn.

use std::fmt;

use boardprint_base::{Coord, Square};

use crate::label;
use boardprint_base::Rect;

/// Why a diagram cannot be laid out, and what to do about it ([`DiagramError::hint`]).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DiagramError {
    /// More squares than the limit allows, folding included.
    TooLarge {
        /// How many columns there would be.
        columns: Coord,
        /// How many rows there would be.
        rows: Coord,
        /// How many squares are allowed.
        limit: usize,
        /// A window around pieces of the diagram that can be drawn.
        window: Rect,
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

impl DiagramError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            DiagramError::TooLarge { window, .. } => {
                Some(format!("draw a part of it: choose a window, such as {window}"))
            }
            DiagramError::SquareTwice(_) => Some("keep one piece on each square".to_owned()),
            DiagramError::WrongCellCount { .. } => None,
        }
    }
}

impl fmt::Display for DiagramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DiagramError::TooLarge { columns, rows, limit, .. } => {
                let (columns, rows) = (label::number(columns), label::number(rows));
                write!(
                    f,
                    "the picture would have {columns} columns and {rows} rows, more than {limit} squares"
                )
            }
            DiagramError::SquareTwice(square) => write!(f, "two pieces stand on {}", label::square(square)),
            DiagramError::WrongCellCount { expected: Some(expected), found } => {
                write!(f, "the shape has {expected} cells, but {found} are given")
            }
            DiagramError::WrongCellCount { expected: None, .. } => {
                f.write_str("the shape has too many cells to draw")
            }
        }
    }
}

impl std::error::Error for DiagramError {}
