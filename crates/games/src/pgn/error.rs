//! Where a PGN game breaks off, and why.

use std::fmt;

use boardprint_base::Span;
use boardprint_finite::MoveError;

/// Why a PGN game cannot be read to its end, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PgnError {
    pub(super) kind: PgnErrorKind,
    pub(super) span: Span,
    pub(super) plies: usize,
}

/// What can be wrong with a PGN game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PgnErrorKind {
    /// The start cannot be played from.
    Start,
    /// The tags name a game that is not read from PGN.
    Variant,
    /// A word is not a legal move.
    Move(MoveError),
    /// Moves follow the result.
    AfterResult,
    /// A tag, comment or variation is never closed.
    Unclosed(char),
}

impl PgnError {
    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> PgnErrorKind {
        self.kind
    }

    /// The bytes of the record that cannot be followed.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.span
    }

    /// How many half-moves were good.
    #[must_use]
    pub const fn plies(&self) -> usize {
        self.plies
    }

    /// What to do about it.
    #[must_use]
    pub const fn hint(&self) -> Option<&'static str> {
        Some(match self.kind {
            PgnErrorKind::Start => "check pieces, side to move and castling",
            PgnErrorKind::Variant => "only Western chess and Chess960 are read from PGN",
            PgnErrorKind::Move(MoveError::Ambiguous) => "add the file or rank it comes from",
            PgnErrorKind::Move(MoveError::NotAMove) => "put remarks into `{}`",
            PgnErrorKind::Move(_) => "check the moves before it, too",
            PgnErrorKind::AfterResult => "begin another game with its tags",
            PgnErrorKind::Unclosed('[') => "close it with `]`",
            PgnErrorKind::Unclosed('(') => "close it with `)`",
            PgnErrorKind::Unclosed(_) => "close it with `}`",
        })
    }
}

impl PgnErrorKind {
    /// A short name for programs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            PgnErrorKind::Start => "unplayable-start",
            PgnErrorKind::Variant => "unknown-variant",
            PgnErrorKind::Move(MoveError::Ambiguous) => "ambiguous-move",
            PgnErrorKind::Move(MoveError::NotAMove) => "not-a-move",
            PgnErrorKind::Move(_) => "illegal-move",
            PgnErrorKind::AfterResult => "moves-after-end",
            PgnErrorKind::Unclosed(_) => "syntax",
        }
    }
}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            PgnErrorKind::Start => f.write_str("no game can start from this position"),
            PgnErrorKind::Variant => f.write_str("this is not Western chess"),
            PgnErrorKind::Move(error) => error.fmt(f),
            PgnErrorKind::AfterResult => f.write_str("moves after the result"),
            PgnErrorKind::Unclosed(open) => write!(f, "unclosed `{open}`"),
        }
    }
}

impl std::error::Error for PgnError {}
