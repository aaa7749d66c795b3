//! What can be wrong with the text of a movement.

use std::fmt;

use boardprint_base::{Found, LineColumn, Span};

/// A text that is not a movement: what is wrong, and the bytes that are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovementError {
    kind: MovementErrorKind,
    span: Span,
}

/// What can be wrong with the text of a movement.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MovementErrorKind {
    /// Something else had to stand here.
    Expected {
        /// What would do.
        what: &'static str,
        /// What stands there, or `None` at the end of the text.
        found: Option<char>,
    },
    /// Two movements stand side by side.
    MissingStar,
    /// A point stands where a star would do.
    PointForStar,
    /// Options stand outside braces.
    OptionsWithoutBraces,
    /// The upper bound of a range is below the lower one.
    ReversedRange,
    /// A number is beyond 63 bits.
    NumberOutOfRange,
    /// The text is longer than the limit.
    TooLong {
        /// The most characters.
        limit: usize,
    },
    /// There are more brackets within brackets than the limit.
    TooDeep {
        /// The most levels.
        limit: usize,
    },
}

impl MovementError {
    pub(super) const fn new(kind: MovementErrorKind, span: Span) -> Self {
        MovementError { kind, span }
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> &MovementErrorKind {
        &self.kind
    }

    /// The bytes that are wrong.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.span
    }

    /// Line and column of the first wrong byte.
    #[must_use]
    pub fn line_column(&self, source: &str) -> LineColumn {
        LineColumn::of(source, self.span.start)
    }

    /// What to do about it.
    #[must_use]
    pub const fn hint(&self) -> Option<&'static str> {
        match self.kind {
            MovementErrorKind::Expected { .. } => None,
            MovementErrorKind::MissingStar => Some("write `a * b`, and `a^* * b` after an endless repeat"),
            MovementErrorKind::PointForStar => Some("one movement after another is written with `*`: `a*b`"),
            MovementErrorKind::OptionsWithoutBraces => Some("put options in braces: `{a,b}`"),
            MovementErrorKind::ReversedRange => Some("write the lower bound first: `^[1..3]`"),
            MovementErrorKind::NumberOutOfRange => {
                Some("numbers go to 9223372036854775807 on either side of zero")
            }
            MovementErrorKind::TooLong { .. } | MovementErrorKind::TooDeep { .. } => {
                Some("use repeats and mirrors instead of long lists of options")
            }
        }
    }
}

impl fmt::Display for MovementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            MovementErrorKind::Expected { what, found: None } => {
                write!(f, "expected {what}, found the end of the text")
            }
            MovementErrorKind::Expected { what, found: Some(found) } => {
                write!(f, "expected {what}, found {}", Found(*found))
            }
            MovementErrorKind::MissingStar => f.write_str("expected `*` between two movements"),
            MovementErrorKind::PointForStar => f.write_str("expected `*`, a mark or the end, found `.`"),
            MovementErrorKind::OptionsWithoutBraces => {
                f.write_str("expected `*`, a mark or the end, found `,`")
            }
            MovementErrorKind::ReversedRange => f.write_str("upper bound is below the lower bound"),
            MovementErrorKind::NumberOutOfRange => f.write_str("number is out of range"),
            MovementErrorKind::TooLong { limit } => write!(f, "more than {limit} characters"),
            MovementErrorKind::TooDeep { limit } => write!(f, "more than {limit} levels of nesting"),
        }
    }
}

impl std::error::Error for MovementError {}
