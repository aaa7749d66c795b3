//! What a conversion could not keep.

use std::fmt;
use std::ops::{BitOr, BitOrAssign};

/// A set of things that a conversion could not keep.
///
/// ```
/// use boardprint_bridge::Lost;
/// let lost = Lost::CASTLING | Lost::CLOCK;
/// assert!(lost.contains(Lost::CLOCK));
/// assert_eq!(lost.to_string(), "castling, clock");
/// assert_eq!("clock".parse(), Ok(Lost::CLOCK));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Lost(u16);

/// Declares the members once: constant, name, what it means.
macro_rules! members {
    ($($constant:ident $bit:literal $name:literal $doc:literal),* $(,)?) => {
        impl Lost {
            $(#[doc = $doc] pub const $constant: Lost = Lost(1 << $bit);)*

            /// Each thing with its name.
            const NAMES: &'static [(Lost, &'static str)] = &[$((Lost::$constant, $name)),*];
        }
    };
}

members! {
    CASTLING 0 "castling" "Castling rights.",
    EN_PASSANT 1 "en passant" "The en passant square.",
    CLOCK 2 "clock" "Half-moves without progress and how many are allowed.",
    MOVE_NUMBER 3 "move number" "The number of the move.",
    LAWS 4 "laws" "Promotion, win conditions, border, extra rules.",
    ORIGIN 5 "origin" "Where the board lies among all squares.",
    OUTSIDE 6 "outside" "Pieces beyond the window.",
    DEAD_MARKS 7 "dead marks" "Special rights and an en passant square that nothing can use.",
    COUNTING 8 "counting" "The limit of a count of moves, in Makruk.",
    TAGS 9 "tags" "Tags that the form has no place for.",
    NOTES 10 "notes" "Comments, clocks, variations and glyphs.",
    RESULT 11 "result" "Who won.",
    ENDING 12 "ending" "In which way the game ended.",
}

impl Lost {
    /// Nothing.
    pub const NOTHING: Lost = Lost(0);
    /// Everything that can be lost.
    pub const ANYTHING: Lost = {
        let (mut all, mut index) = (0, 0);
        while index < Self::NAMES.len() {
            all |= Self::NAMES[index].0.0;
            index += 1;
        }
        Lost(all)
    };

    /// Whether nothing is lost.
    #[must_use]
    pub const fn is_nothing(self) -> bool {
        self.0 == 0
    }

    /// Whether all of `other` is in here.
    #[must_use]
    pub const fn contains(self, other: Lost) -> bool {
        self.0 & other.0 == other.0
    }

    /// What is left without `other`.
    #[must_use]
    pub const fn without(self, other: Lost) -> Lost {
        Lost(self.0 & !other.0)
    }

    /// This if a condition holds, else nothing.
    #[must_use]
    pub const fn when(self, condition: bool) -> Lost {
        if condition { self } else { Lost::NOTHING }
    }

    /// The names of what is in here.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Self::NAMES.iter().filter(move |(lost, _)| self.contains(*lost)).map(|(_, name)| *name)
    }

    /// A value together with what it lacks: `Ok` if that is nothing.
    ///
    /// # Errors
    ///
    /// [`Lossy`] if anything is lost.
    pub fn with<T>(self, result: T) -> Result<T, Lossy<T>> {
        if self.is_nothing() { Ok(result) } else { Err(Lossy { result, lost: self }) }
    }
}

impl BitOr for Lost {
    type Output = Lost;
    fn bitor(self, other: Lost) -> Lost {
        Lost(self.0 | other.0)
    }
}

impl BitOrAssign for Lost {
    fn bitor_assign(&mut self, other: Lost) {
        *self = *self | other;
    }
}

/// The text is not the name of something that can be lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownLoss;

impl std::str::FromStr for Lost {
    type Err = UnknownLoss;
    fn from_str(text: &str) -> Result<Self, UnknownLoss> {
        Self::NAMES.iter().find(|(_, name)| *name == text).map(|(lost, _)| *lost).ok_or(UnknownLoss)
    }
}

impl fmt::Display for UnknownLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected the name of something that a conversion can lose, such as `castling`")
    }
}

impl std::error::Error for UnknownLoss {}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, name) in self.names().enumerate() {
            f.write_str(if index == 0 { "" } else { ", " })?;
            f.write_str(name)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Lost({self})")
    }
}

/// The result of a conversion that lost something, and what.
///
/// It comes as an error, so that nothing is lost unseen; [`Lossy::ignore`] names what does not matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lossy<T> {
    /// What the conversion made.
    pub result: T,
    /// What it could not keep; never nothing.
    pub lost: Lost,
}

impl<T> Lossy<T> {
    /// The result, if no more than this was lost.
    ///
    /// # Errors
    ///
    /// The same with what else was lost.
    pub fn ignore(self, lost: Lost) -> Result<T, Self> {
        self.lost.without(lost).with(self.result)
    }

    /// A conversion's result with what it lost, be it nothing.
    pub fn parts(outcome: Result<T, Self>) -> (T, Lost) {
        match outcome {
            Ok(result) => (result, Lost::NOTHING),
            Err(Lossy { result, lost }) => (result, lost),
        }
    }
}

impl<T> fmt::Display for Lossy<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the conversion loses {}", self.lost)
    }
}

impl<T: fmt::Debug> std::error::Error for Lossy<T> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_named_is_ignored() {
        let outcome = (Lost::CASTLING | Lost::CLOCK).with(7);
        assert_eq!(outcome.clone().or_else(|e| e.ignore(Lost::CLOCK | Lost::CASTLING)), Ok(7));
        assert_eq!(
            outcome.or_else(|e| e.ignore(Lost::CLOCK)),
            Err(Lossy { result: 7, lost: Lost::CASTLING })
        );
        assert_eq!(Lost::NOTHING.with(7), Ok(7));
    }

    #[test]
    fn every_member_has_its_own_bit_and_name() {
        assert_eq!(Lost::ANYTHING.names().count(), Lost::NAMES.len());
        assert_eq!(Lost::ANYTHING.0.count_ones() as usize, Lost::NAMES.len());
        for (lost, name) in Lost::NAMES {
            assert_eq!(name.parse(), Ok(*lost));
        }
    }
}
