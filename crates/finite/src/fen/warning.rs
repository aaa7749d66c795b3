//! What a lenient reader let pass.

use std::fmt;

use boardprint_base::Span;

/// How much a reader of FEN lets pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Leniency {
    /// Nothing but what is written by the book: see [`Fen::read`](crate::Fen::read).
    Strict,
    /// Missing castling, en passant and counters, operations of EPD, a move number 0, rights and squares that
    /// mean nothing, an empty pocket.
    #[default]
    Usual,
    /// All this, a board alone, and any blanks around and between the fields.
    Everything,
}

/// Something in a FEN that was read although it is not by the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FenWarning {
    /// What it is.
    pub kind: FenWarningKind,
    /// The bytes it is about.
    pub span: Span,
}

/// What a lenient reader lets pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FenWarningKind {
    /// There is only a board: the first player moves.
    BoardAlone,
    /// Castling rights or the en passant square are missing: there are none.
    MissingFields,
    /// One or both counters are missing.
    MissingCounters,
    /// Operations of EPD were dropped; `hmvc` and `fmvn` are read.
    Operations,
    /// The move number is 0: read as 1.
    MoveNumberZero,
    /// A castling right without king and rook, or given twice, was dropped.
    StaleCastling,
    /// An en passant square that no pawn has just passed was dropped.
    StaleEnPassant,
    /// Blanks around the text or more than one between fields.
    Blanks,
    /// An empty pocket of Crazyhouse was dropped.
    EmptyPocket,
}

impl FenWarningKind {
    /// The warning in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            FenWarningKind::BoardAlone => {
                "only a board is given: the first player is to move, and nobody may castle"
            }
            FenWarningKind::MissingFields => {
                "castling rights or the en passant square are missing: read as none"
            }
            FenWarningKind::MissingCounters => "counters are missing: read as those of a first move",
            FenWarningKind::Operations => "operations of EPD are left out",
            FenWarningKind::MoveNumberZero => "moves count from 1: move number 0 is read as 1",
            FenWarningKind::StaleCastling => "a castling right without king and rook is left out",
            FenWarningKind::StaleEnPassant => "no pawn has just passed the en passant square: it is left out",
            FenWarningKind::Blanks => "more blanks than needed",
            FenWarningKind::EmptyPocket => "the empty pocket is left out",
        }
    }

    /// Whether the usual leniency lets it pass.
    pub(super) const fn is_usual(self) -> bool {
        !matches!(self, FenWarningKind::BoardAlone | FenWarningKind::Blanks)
    }
}

impl fmt::Display for FenWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.words())
    }
}
