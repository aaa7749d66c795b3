//! Squares of the unbounded board and their order.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use crate::coord::{Coord, ParseCoordError};

/// A square of the unbounded board.
///
/// `Ord` is the reading order of the whole system: `y` descending, then `x` ascending, as a page is read.
///
/// ```
/// use boardprint_base::Square;
/// let (high, low) = (Square::new(9, 2), Square::new(0, 1));
/// assert!(high < low);
/// assert_eq!(high.to_string(), "9,2");
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Square {
    /// The column, growing to the right.
    pub x: Coord,
    /// The row, growing away from White.
    pub y: Coord,
}

impl Square {
    /// The square in column `x` and row `y`.
    pub fn new(x: impl Into<Coord>, y: impl Into<Coord>) -> Self {
        Square { x: x.into(), y: y.into() }
    }

    /// The square `dx` columns and `dy` rows away.
    #[must_use]
    pub fn offset(&self, dx: i64, dy: i64) -> Self {
        Square { x: &self.x + dx, y: &self.y + dy }
    }

    /// Appends `x,y` to `out`.
    pub fn write_to(&self, out: &mut Vec<u8>) {
        self.x.write_to(out);
        out.push(b',');
        self.y.write_to(out);
    }
}

impl Ord for Square {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        other.y.cmp(&self.y).then_with(|| self.x.cmp(&other.x))
    }
}

impl PartialOrd for Square {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = ParseCoordError;
    fn from_str(text: &str) -> Result<Self, ParseCoordError> {
        let (x, y) = text.split_once(',').ok_or(ParseCoordError)?;
        Ok(Square { x: x.parse()?, y: y.parse()? })
    }
}
