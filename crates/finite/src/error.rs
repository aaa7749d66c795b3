//! What is wrong with a move, with its text, and with a position.

use std::fmt;

/// Why a text is not a move of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MoveError {
    /// It is a move, but not a legal one here.
    Illegal,
    /// Two pieces can make this move.
    Ambiguous,
    /// It is not a move at all.
    NotAMove,
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MoveError::Illegal => "illegal move",
            MoveError::Ambiguous => "two pieces can make this move",
            MoveError::NotAMove => "this is not a move",
        })
    }
}

impl std::error::Error for MoveError {}

/// Why a text is not a legal move, with the reason if it is a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    Illegal(Illegal),
    Ambiguous,
    NotAMove,
}

impl From<Refusal> for MoveError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Illegal(_) => MoveError::Illegal,
            Refusal::Ambiguous => MoveError::Ambiguous,
            Refusal::NotAMove => MoveError::NotAMove,
        }
    }
}

impl From<MoveError> for Refusal {
    fn from(error: MoveError) -> Self {
        match error {
            MoveError::Illegal => Refusal::Illegal(Illegal::NotItsMove),
            MoveError::Ambiguous => Refusal::Ambiguous,
            MoveError::NotAMove => Refusal::NotAMove,
        }
    }
}

/// Why a move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Illegal {
    /// Nothing stands where it starts.
    NoPiece,
    /// The piece belongs to the other side.
    OtherSide,
    /// Another piece than the text says stands where it starts.
    OtherPiece,
    /// It ends on a piece of its own side.
    OwnPiece,
    /// It would take a king or general.
    TakesKing,
    /// The piece does not move that way.
    NotItsMove,
    /// Something stands in its way, or the screen of a cannon is missing.
    Blocked,
    /// A pawn takes where nothing is to be taken.
    NothingToTake,
    /// The king would be in check after it, and is not now.
    IntoCheck,
    /// The king stays in check.
    StaysInCheck,
    /// The generals would face each other.
    GeneralsFace,
    /// It has to promote.
    MustPromote,
    /// It must not promote.
    MustNotPromote,
    /// No such piece is in hand.
    NotInHand,
    /// The square of the drop is occupied.
    Occupied,
    /// The dropped piece could never move.
    DeadDrop,
    /// An unpromoted pawn of the same side is on the file.
    TwoPawns,
    /// A dropped pawn would mate.
    MateByPawn,
    /// A pass while in check.
    PassInCheck,
    /// The game has no such move: a pass, a drop, or nothing at all.
    NoSuchMove,
    /// Castling that the rules do not allow here.
    Castling,
}

impl Illegal {
    /// The reason in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Illegal::NoPiece => "there is no piece on the square it starts from",
            Illegal::OtherSide => "the piece belongs to the other side",
            Illegal::OtherPiece => "another piece stands on the square it starts from",
            Illegal::OwnPiece => "a piece of the same side stands there",
            Illegal::TakesKing => "a king is never captured",
            Illegal::NotItsMove => "the piece does not move that way",
            Illegal::Blocked => "the way is blocked, or there is nothing to jump over",
            Illegal::NothingToTake => "there is nothing to capture",
            Illegal::IntoCheck => "it leaves the king in check",
            Illegal::StaysInCheck => "the king is in check and stays there",
            Illegal::GeneralsFace => "the generals would face each other on an open file",
            Illegal::MustPromote => "the piece has to promote there",
            Illegal::MustNotPromote => "the piece cannot promote there",
            Illegal::NotInHand => "there is no such piece in hand",
            Illegal::Occupied => "a piece can be dropped on an empty square only",
            Illegal::DeadDrop => "the dropped piece could never move",
            Illegal::TwoPawns => "there is an unpromoted pawn on that file already (nifu)",
            Illegal::MateByPawn => "a dropped pawn must not mate",
            Illegal::PassInCheck => "passing is not allowed while in check",
            Illegal::NoSuchMove => "the game has no such move",
            Illegal::Castling => "castling is not allowed here",
        }
    }
}

impl Illegal {
    /// How near it came to a legal move: where several pieces might be meant, the nearest reason is told.
    pub(crate) const fn nearness(self) -> u8 {
        match self {
            Illegal::NoPiece | Illegal::NoSuchMove => 0,
            Illegal::OtherSide | Illegal::OtherPiece | Illegal::NotInHand => 1,
            Illegal::NotItsMove => 2,
            Illegal::NothingToTake => 3,
            Illegal::Blocked | Illegal::OwnPiece | Illegal::TakesKing | Illegal::Occupied => 4,
            Illegal::MustPromote
            | Illegal::MustNotPromote
            | Illegal::Castling
            | Illegal::DeadDrop
            | Illegal::TwoPawns => 5,
            Illegal::IntoCheck
            | Illegal::StaysInCheck
            | Illegal::GeneralsFace
            | Illegal::MateByPawn
            | Illegal::PassInCheck => 6,
        }
    }
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}

impl std::error::Error for Illegal {}

/// Why a position cannot be played from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unplayable {
    /// A side has no king, where the rules need one.
    NoKing,
    /// A side has more than one king or general.
    TwoKings,
    /// More pieces in hand than any game has.
    Hand,
    /// The side that is not to move is in check.
    OpponentInCheck,
    /// Pawns on the first or last rank, or checks that no move can have given.
    Impossible,
}

impl fmt::Display for Unplayable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unplayable::NoKing => "a side has no king",
            Unplayable::TwoKings => "a side has more than one king",
            Unplayable::Hand => "there are too many pieces in hand",
            Unplayable::OpponentInCheck => "the side that is not to move is in check",
            Unplayable::Impossible => {
                "no game can reach this position: check pawns, side to move and castling"
            }
        })
    }
}

impl std::error::Error for Unplayable {}
