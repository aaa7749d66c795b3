//! The two sides of a finite board.

use std::fmt;

/// The two sides of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The first player; its actors are in upper case.
    Bottom,
    /// The second player; its actors are in lower case.
    Top,
}

impl Side {
    /// Both sides, the first player's first.
    pub const ALL: [Side; 2] = [Side::Bottom, Side::Top];

    /// The letter in a CPN: `B` or `t`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Side::Bottom => 'B',
            Side::Top => 't',
        }
    }

    /// The other side.
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Side::Bottom => Side::Top,
            Side::Top => Side::Bottom,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Bottom => "B",
            Side::Top => "t",
        })
    }
}
