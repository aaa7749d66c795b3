//! Squares of the unbounded board and their order.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use crate::coord::{Coord, ParseCoordError};
use crate::short::Short;

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
    #[inline]
    pub fn new(x: impl Into<Coord>, y: impl Into<Coord>) -> Self {
        Square { x: x.into(), y: y.into() }
    }

    /// The square `dx` columns and `dy` rows away.
    #[must_use]
    pub fn offset(&self, dx: i64, dy: i64) -> Self {
        Square { x: &self.x + dx, y: &self.y + dy }
    }

    /// One number in reading order, if both coordinates are within `i64`: searches then compare without
    /// branching.
    #[inline]
    fn key(&self) -> Option<i128> {
        let (x, y) = (self.x.as_i64()?, self.y.as_i64()?);
        Some(i128::from(!y) << 64 | i128::from(x.wrapping_sub(i64::MIN).cast_unsigned()))
    }

    /// Appends `x,y` to `out`.
    #[inline]
    pub fn write_to(&self, out: &mut Vec<u8>) {
        let mut short = Short::new();
        if self.put(&mut short) {
            short.append_to(out);
        } else {
            self.write_big_to(out);
        }
    }

    /// Appends `x,y` if both are within `i64`, and says whether they are.
    #[inline]
    pub(crate) fn put(&self, short: &mut Short) -> bool {
        let (Some(x), Some(y)) = (self.x.as_i64(), self.y.as_i64()) else { return false };
        short.number(x);
        short.push(b',');
        short.number(y);
        true
    }

    #[cold]
    fn write_big_to(&self, out: &mut Vec<u8>) {
        self.x.write_to(out);
        out.push(b',');
        self.y.write_to(out);
    }
}

impl Ord for Square {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        #[cold]
        fn with_big(a: &Square, b: &Square) -> Ordering {
            b.y.cmp(&a.y).then_with(|| a.x.cmp(&b.x))
        }
        match (self.key(), other.key()) {
            (Some(a), Some(b)) => a.cmp(&b),
            _ => with_big(self, other),
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn coordinate() -> impl Strategy<Value = Coord> {
        prop_oneof![
            (-2_i64..3).prop_map(Coord::from),
            prop_oneof![Just(i64::MIN), Just(i64::MAX), any::<i64>()].prop_map(Coord::from),
            any::<i128>().prop_map(Coord::from),
        ]
    }

    proptest! {
        #[test]
        fn reading_order_is_rows_downwards_then_columns(a in (coordinate(), coordinate()), b in (coordinate(), coordinate())) {
            let expected = b.1.cmp(&a.1).then(a.0.cmp(&b.0));
            prop_assert_eq!(Square { x: a.0, y: a.1 }.cmp(&Square { x: b.0, y: b.1 }), expected);
        }
    }
}
