//! A rectangle of squares.

use std::fmt;
use std::str::FromStr;

use crate::{Border, Coord, Square};

/// A rectangle of squares, edges included. Never empty.
///
/// Its text is `x0,y0,x1,y1`, two opposite corners in any order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rect {
    left: Coord,
    bottom: Coord,
    right: Coord,
    top: Coord,
}

/// The text is not four integers with commas between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseRectError;

impl Rect {
    /// The rectangle with these two opposite corners.
    #[must_use]
    pub fn new(a: Square, b: Square) -> Self {
        let (left, right) = if a.x <= b.x { (a.x, b.x) } else { (b.x, a.x) };
        let (bottom, top) = if a.y <= b.y { (a.y, b.y) } else { (b.y, a.y) };
        Rect { left, bottom, right, top }
    }

    /// The rectangle with these edges: the columns `left` and `right`, the rows `bottom` and `top`.
    pub fn with_edges(
        left: impl Into<Coord>,
        bottom: impl Into<Coord>,
        right: impl Into<Coord>,
        top: impl Into<Coord>,
    ) -> Self {
        Rect::new(Square { x: left.into(), y: bottom.into() }, Square { x: right.into(), y: top.into() })
    }

    /// The least column.
    #[must_use]
    pub const fn left(&self) -> &Coord {
        &self.left
    }

    /// The greatest column.
    #[must_use]
    pub const fn right(&self) -> &Coord {
        &self.right
    }

    /// The least row.
    #[must_use]
    pub const fn bottom(&self) -> &Coord {
        &self.bottom
    }

    /// The greatest row.
    #[must_use]
    pub const fn top(&self) -> &Coord {
        &self.top
    }

    /// Whether a square lies inside.
    #[must_use]
    pub fn contains(&self, square: &Square) -> bool {
        self.left <= square.x && square.x <= self.right && self.bottom <= square.y && square.y <= self.top
    }

    /// The border of a board that is exactly this rectangle.
    #[must_use]
    pub fn to_border(&self) -> Border {
        Border {
            left: Some(self.left.clone()),
            right: Some(self.right.clone()),
            bottom: Some(self.bottom.clone()),
            top: Some(self.top.clone()),
        }
    }
}

impl fmt::Display for Rect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{},{}", self.left, self.bottom, self.right, self.top)
    }
}

impl FromStr for Rect {
    type Err = ParseRectError;
    fn from_str(text: &str) -> Result<Self, ParseRectError> {
        let mut numbers = text.split(',').map(|number| number.trim().parse::<Coord>());
        let mut next = || numbers.next().and_then(Result::ok).ok_or(ParseRectError);
        let (a, b) = (Square { x: next()?, y: next()? }, Square { x: next()?, y: next()? });
        if numbers.next().is_some() { Err(ParseRectError) } else { Ok(Rect::new(a, b)) }
    }
}

impl fmt::Display for ParseRectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected `x0,y0,x1,y1`: two corners, four integers with commas between them")
    }
}

impl std::error::Error for ParseRectError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_come_in_any_order() {
        let rect: Rect = "8, -1,1,10".parse().unwrap();
        assert_eq!(rect.to_string(), "1,-1,8,10");
        assert!(rect.contains(&Square::new(8, 10)) && !rect.contains(&Square::new(0, 0)));
    }

    #[test]
    fn rects_have_four_integers() {
        for text in ["", "1,2,3", "1,2,3,4,5", "1,2,3,x", "1,2,3,4.0", "1,,3,4"] {
            assert_eq!(text.parse::<Rect>(), Err(ParseRectError), "{text}");
        }
    }
}
