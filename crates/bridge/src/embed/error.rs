//! Why a game cannot be taken to the other board.

use std::fmt;

use boardprint_base::{Piece, PieceKind, Square};
use boardprint_finite::{Game, Illegal, Unplayable};

/// Why a game cannot be taken to the other board, and the half-move that stands in the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbedError {
    kind: EmbedErrorKind,
    ply: Option<usize>,
}

/// What the other board does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EmbedErrorKind {
    /// Only Western chess has a place on the open board.
    OtherGame(Game),
    /// The square is not one of the eight by eight.
    Outside {
        /// Which one.
        square: Square,
    },
    /// Western chess has no such piece or player.
    OtherPiece {
        /// Where it stands.
        square: Square,
        /// What it is.
        piece: Piece,
    },
    /// A special right that Western chess does not give to this piece on this square, or a pawn that lacks
    /// its right.
    Right {
        /// Where it stands.
        square: Square,
    },
    /// A pawn can be captured en passant in a way that Western chess does not have.
    EnPassant {
        /// The square.
        square: Square,
    },
    /// Players other than white and black take turns.
    TurnOrder,
    /// A pawn becomes what it cannot become in Western chess.
    Promotion {
        /// What it becomes.
        kind: PieceKind,
    },
    /// No Western game can start from the position.
    Unplayable(Unplayable),
    /// The move is illegal in Western chess.
    Illegal(Illegal),
    /// A king castles from other squares than those of the usual start; kings of the open board go two columns.
    OtherCastling,
    /// A turn without a move.
    NoMove,
}

impl EmbedErrorKind {
    /// The error at a half-move, from 1.
    #[must_use]
    pub const fn at_ply(self, ply: usize) -> EmbedError {
        EmbedError { kind: self, ply: Some(ply) }
    }
}

impl EmbedError {
    /// What the other board does not have.
    #[must_use]
    pub const fn kind(&self) -> &EmbedErrorKind {
        &self.kind
    }

    /// The half-move that stands in the way, from 1; `None` if it is the start.
    #[must_use]
    pub const fn ply(&self) -> Option<usize> {
        self.ply
    }
}

impl From<EmbedErrorKind> for EmbedError {
    fn from(kind: EmbedErrorKind) -> Self {
        EmbedError { kind, ply: None }
    }
}

impl From<Unplayable> for EmbedErrorKind {
    fn from(why: Unplayable) -> Self {
        EmbedErrorKind::Unplayable(why)
    }
}

impl fmt::Display for EmbedErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EmbedErrorKind::OtherGame(game) => {
                write!(f, "{} has no place on the open board; Western chess has", game.name())
            }
            EmbedErrorKind::Outside { square } => write!(f, "{square} is not on the board of 8 by 8 squares"),
            EmbedErrorKind::OtherPiece { square, piece } => {
                write!(f, "Western chess has no `{piece}`, which stands on {square}")
            }
            EmbedErrorKind::Right { square } => {
                write!(f, "the special right of the piece on {square} is not the one it has in Western chess")
            }
            EmbedErrorKind::EnPassant { square } => {
                write!(f, "no pawn of Western chess is captured en passant on {square}")
            }
            EmbedErrorKind::TurnOrder => f.write_str("in Western chess white and black take turns"),
            EmbedErrorKind::Promotion { kind } => {
                write!(f, "a pawn of Western chess never becomes `{}`", kind.code())
            }
            EmbedErrorKind::Unplayable(why) => {
                write!(f, "no Western game can start from this position: {why}")
            }
            EmbedErrorKind::Illegal(why) => write!(f, "illegal in Western chess: {}", why.words()),
            EmbedErrorKind::OtherCastling => f.write_str("the open board has no castling as in Chess960"),
            EmbedErrorKind::NoMove => f.write_str("the open board has no turn without a move"),
        }
    }
}

impl fmt::Display for EmbedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(ply) = self.ply {
            write!(f, "half-move {ply}: ")?;
        }
        self.kind.fmt(f)
    }
}

impl std::error::Error for EmbedError {}
