//! What is wrong with a FEN, and where.

use std::fmt;

use boardprint_base::{LineColumn, Span, SyntaxError};

/// The parts of a FEN or SFEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// The board as a whole.
    Board,
    /// A rank, counted from the top from 1.
    Rank(usize),
    /// The pieces in hand.
    Hand,
    /// Who moves next.
    Turn,
    /// The castling rights.
    Castling,
    /// The en passant square.
    EnPassant,
    /// Half-moves without progress.
    Clock,
    /// The move number.
    MoveNumber,
    /// The text after the last field.
    End,
}

/// A text that is not a FEN or SFEN of its game.
///
/// ```
/// use boardprint_finite::{Fen, Game, Part};
/// let error = Fen::read(Game::Western, "rnbqkbnr/pppppppp/8/8/8/9/PPPPPPPP/RNBQKBNR w - - 0 1").unwrap_err();
/// assert_eq!(error.part(), Part::Rank(6));
/// assert_eq!(error.to_string(), "rank 6 from the top: found 9 squares, a rank has 8");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FenError {
    part: Part,
    kind: FenErrorKind,
    span: Span,
}

/// What can be wrong with a FEN.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FenErrorKind {
    /// The text does not follow the grammar.
    Syntax(SyntaxError),
    /// A rule is broken.
    Rule(FenRule),
    /// The board has another number of ranks.
    Ranks {
        /// The ranks of the text.
        found: usize,
        /// The ranks of the game.
        wanted: usize,
    },
    /// A rank has another number of squares.
    Squares {
        /// The squares of the rank.
        found: usize,
        /// The squares of every rank of the game.
        wanted: usize,
    },
}

boardprint_base::kinds! {
    /// A rule that a FEN, or a part of one, can break: what is wrong, and what to do.
    FenRule words hint
    CastlingTwice "castling-twice" "castling right given twice" "one right for each side of a king",
    CastlingWithoutRook "castling-without-rook" "a castling right without king and rook" "a king and that rook must stand on the back rank",
    CountBelowTwo "count-below-two" "a count below 2" "leave the count out",
    Crazyhouse "crazyhouse" "pieces in hand: this is Crazyhouse, which has no name here" "only Shogi has pieces in hand; without them it is a position of the board alone",
    EnPassantNotPassed "en-passant-not-passed" "no pawn has just passed the en passant square" "write `-`",
    EnPassantOccupied "en-passant-occupied" "the en passant square is occupied" "write `-`",
    EnPassantRank "en-passant-rank" "the en passant square is on a wrong rank" "it is on rank 6 for white to move, on rank 3 for black",
    KingInHand "king-in-hand" "a king is never in hand" "leave it out",
    MoveNumberZero "move-number-zero" "moves count from 1" "write `1`",
    NeverInHand "never-in-hand" "this piece is never in hand" "a piece in hand is neither promoted nor a king",
    NeverPromotes "never-promotes" "a piece that never promotes has a `+`" "leave the `+` out",
    NoCastling "no-castling" "this game has no castling" "write `-`",
    NoEnPassant "no-en-passant" "this game has no en passant" "write `-`",
    NoHand "no-hand" "this game has no hand" "only Shogi has pieces in hand",
    NoSuchCell "no-such-cell" "the board has no such cell" "cells are counted from the top left corner from 0",
    NoSuchPiece "no-such-piece" "the game has no such piece" "see the kinds of the game",
    NotANumber "not-a-number" "not a number" "write digits without leading zeros",
    NotASquare "not-a-square" "not a square" "write a square such as `e3`, or `-`",
    RunOfZero "run-of-zero" "a run of empty squares begins with 0" "leave the 0 out",
    SfenTurn "sfen-turn" "neither `b` nor `w`" "`b` is the first player, `w` the second",
    Turn "turn" "neither `w` nor `b`" "`w` is the first player, `b` the second",
    TwoRooks "two-rooks" "two rooks may castle on one side of their king" "one rook on each side of the king",
    TwoRuns "two-runs" "two runs of empty squares side by side" "write their sum",
}

impl fmt::Display for FenRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}

impl std::error::Error for FenRule {}

impl FenError {
    pub(super) const fn new(part: Part, kind: FenErrorKind, span: Span) -> Self {
        FenError { part, kind, span }
    }

    pub(super) const fn syntax(part: Part, error: SyntaxError) -> Self {
        let span = error.span();
        FenError { part, kind: FenErrorKind::Syntax(error), span }
    }

    /// The part that is wrong.
    #[must_use]
    pub const fn part(&self) -> Part {
        self.part
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> &FenErrorKind {
        &self.kind
    }

    /// The bytes that are wrong.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.span
    }

    /// The same error in a text that begins `offset` bytes earlier.
    #[must_use]
    pub fn shifted(mut self, offset: usize) -> Self {
        self.span = self.span.shifted(offset);
        if let FenErrorKind::Syntax(error) = self.kind {
            self.kind = FenErrorKind::Syntax(error.shifted(offset));
        }
        self
    }

    /// Line and column of the first wrong byte.
    #[must_use]
    pub fn line_column(&self, source: &str) -> LineColumn {
        LineColumn::of(source, self.span.start)
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match &self.kind {
            FenErrorKind::Syntax(error) => error.hint(),
            FenErrorKind::Rule(rule) => Some(rule.hint().to_owned()),
            FenErrorKind::Ranks { .. } | FenErrorKind::Squares { .. } => None,
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Part::Rank(number) => return write!(f, "rank {number} from the top"),
            Part::Board => "board",
            Part::Hand => "hand",
            Part::Turn => "turn",
            Part::Castling => "castling",
            Part::EnPassant => "en passant",
            Part::Clock => "half-moves",
            Part::MoveNumber => "move number",
            Part::End => "end",
        })
    }
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.part)?;
        match &self.kind {
            FenErrorKind::Syntax(error) => error.fmt(f),
            FenErrorKind::Rule(rule) => rule.fmt(f),
            FenErrorKind::Ranks { found: 1, wanted } => write!(f, "found one rank, the board has {wanted}"),
            FenErrorKind::Ranks { found, wanted } => write!(f, "found {found} ranks, the board has {wanted}"),
            FenErrorKind::Squares { found, wanted } => {
                write!(f, "found {found} squares, a rank has {wanted}")
            }
        }
    }
}

impl std::error::Error for FenError {}
