//! Texts of moves: reading and writing them with a board.

mod squares;

use std::fmt;
use std::str::FromStr;

use crate::board::{Board, Inner};
use crate::error::MoveError;
use crate::game::Game;
use crate::moves::Move;
use crate::western;

/// A way to write moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Notation {
    /// Standard algebraic notation, and what Fairy-Stockfish makes of it in the other games.
    San,
    /// Squares with ranks from 1: `h3e3`, `P@e5`, `b2h8+`.
    Uci,
    /// Squares of Xiangqi with ranks from 0: `h2e2`.
    Ucci,
    /// Squares of Shogi: `7g7f`, `B*5e`.
    Usi,
}

impl Notation {
    /// Every notation.
    pub const ALL: &'static [Notation] = &[Notation::San, Notation::Uci, Notation::Ucci, Notation::Usi];

    /// The name in options, such as `san`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Notation::San => "san",
            Notation::Uci => "uci",
            Notation::Ucci => "ucci",
            Notation::Usi => "usi",
        }
    }

    /// Whether moves of a game are written so.
    #[must_use]
    pub const fn fits(self, game: Game) -> bool {
        match self {
            Notation::San | Notation::Uci => true,
            Notation::Ucci => matches!(game, Game::Xiangqi),
            Notation::Usi => matches!(game, Game::Shogi),
        }
    }
}

/// The text is not the name of a notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownNotation;

impl FromStr for Notation {
    type Err = UnknownNotation;
    fn from_str(text: &str) -> Result<Self, UnknownNotation> {
        Self::ALL.iter().copied().find(|notation| notation.name() == text).ok_or(UnknownNotation)
    }
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for UnknownNotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Notation::ALL.iter().map(|notation| notation.name()).collect();
        write!(f, "expected one of {}", names.join(", "))
    }
}

impl std::error::Error for UnknownNotation {}

/// Reading and writing moves.
impl Board {
    /// Reads a legal move.
    ///
    /// # Errors
    ///
    /// [`MoveError`] if it is not a legal move in this notation.
    pub fn read(&self, notation: Notation, text: &str) -> Result<Move, MoveError> {
        self.read_after(notation, text, None)
    }

    /// Reads a legal move where the text may refer to the move before.
    ///
    /// # Errors
    ///
    /// [`MoveError`] if it is not a legal move in this notation.
    pub fn read_after(
        &self,
        notation: Notation,
        text: &str,
        _before: Option<Move>,
    ) -> Result<Move, MoveError> {
        if !notation.fits(self.game()) {
            return Err(MoveError::NotAMove);
        }
        match notation {
            Notation::San => self.read_san(text.as_bytes()),
            Notation::Uci => squares::read_uci(self, text, 1),
            Notation::Ucci => squares::read_uci(self, text, 0),
            Notation::Usi => squares::read_usi(self, text),
        }
    }

    /// Reads a move in SAN.
    ///
    /// # Errors
    ///
    /// [`MoveError`] if it is not a legal move.
    pub fn read_san(&self, word: &[u8]) -> Result<Move, MoveError> {
        match &self.inner {
            Inner::Western(board) => western::resolve(board, word).map(|played| played.named),
            Inner::Other(_) => Err(MoveError::NotAMove),
        }
    }

    /// Writes a move; `None` if it is illegal or moves of this game are not written so.
    #[must_use]
    pub fn write(&self, notation: Notation, played: Move) -> Option<String> {
        self.write_after(notation, played, None)
    }

    /// Writes a move where the text may refer to the move before.
    #[must_use]
    pub fn write_after(&self, notation: Notation, played: Move, _before: Option<Move>) -> Option<String> {
        if !notation.fits(self.game()) || self.judge(played).is_err() {
            return None;
        }
        match (notation, &self.inner) {
            (Notation::San, Inner::Western(board)) => western::san(board, played),
            (Notation::San, Inner::Other(_)) => None,
            (Notation::Uci, _) => Some(played.uci(self.game()).to_string()),
            (Notation::Ucci, _) => Some(squares::ucci(played)),
            (Notation::Usi, _) => Some(squares::usi(played)),
        }
    }

    /// A legal move, as a result of reading.
    fn legal(&self, played: Move) -> Result<Move, MoveError> {
        self.judge(played).map(|()| played).map_err(|_| MoveError::Illegal)
    }
}
