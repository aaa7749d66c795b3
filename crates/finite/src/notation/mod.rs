//! Texts of moves: reading and writing them with a board.

mod janggi;
mod japanese;
mod san;
mod shogi;
mod squares;
#[cfg(test)]
mod tests;
mod xiangqi;

use std::fmt;
use std::str::FromStr;

use self::shogi::Ranks;
use self::xiangqi::Script;
use crate::board::{Board, Inner};
use crate::error::{Illegal, MoveError, Refusal};
use crate::game::Game;
use crate::mailbox::Mailbox;
use crate::moves::Move;
use crate::western;

pub use japanese::{csa_name, csa_piece, kanji_digit, kif_name, kif_piece};

/// Declares the notations once: variant, name, games, what it is.
macro_rules! notations {
    ($($variant:ident $name:literal [$($game:ident),*] $doc:literal),* $(,)?) => {
        /// A way to write moves.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Notation {
            $(#[doc = $doc] $variant,)*
        }

        impl Notation {
            /// Every notation.
            pub const ALL: &'static [Notation] = &[$(Notation::$variant),*];

            /// The name in options, such as `san`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Notation::$variant => $name,)* }
            }

            /// Whether moves of a game are written this way.
            #[must_use]
            pub const fn fits(self, game: Game) -> bool {
                match self { $(Notation::$variant => matches!(game, $(Game::$game)|*),)* }
            }
        }
    };
}

notations! {
    San "san" [Western, Makruk, Shogi, Xiangqi, Janggi]
        "Standard algebraic notation, and what Fairy-Stockfish makes of it in the other games. Of Shogi that is `P-76`; [`Notation::Hodges`] and [`Notation::Algebraic`] are read as well.",
    Iccs "iccs" [Xiangqi] "Squares of Xiangqi with ranks from 0: `H2-E2`.",
    Wxf "wxf" [Xiangqi] "Piece, file, direction, and steps or file: `C2=5`. Three ways to tell crowded pieces apart are read.",
    Chinese "chinese" [Xiangqi] "The same in Chinese: `炮二平五`. Simplified and traditional names are read, simplified ones written.",
    ChineseTraditional "chinese-traditional" [Xiangqi] "The same in traditional characters, with names of its own for each side: `炮二平五`, `馬８進７`.",
    Hodges "hodges" [Shogi] "Shogi in letters: `P-7f`, `Bx2b+`, `B*5e`.",
    Algebraic "algebraic" [Shogi] "Shogi as pychess writes it: `Pa4`, `Bxh8=H`, `P@a2`.",
    Numbers "numbers" [Janggi] "Janggi by numbers: `P77-76`.",
    Uci "uci" [Western, Makruk, Shogi, Xiangqi, Janggi] "Squares with ranks from 1: `h3e3`, `P@e5`, `b2h8+`.",
    Uci960 "uci960" [Western] "The same where castling is always the king taking the rook, as in Chess960: `e1h1`.",
    Ucci "ucci" [Xiangqi] "Squares of Xiangqi with ranks from 0: `h2e2`.",
    Usi "usi" [Shogi] "Squares of Shogi: `7g7f`, `B*5e`.",
    Csa "csa" [Shogi] "Moves of CSA files: `+7776FU`.",
    Kif "kif" [Shogi] "Moves of KIF files: `７六歩(77)`. `同` needs the move before.",
    SanFromZero "san0" [Xiangqi, Janggi] "SAN with ranks from 0, as `XBoard` writes games on ten ranks: `Che2`.",
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
        before: Option<Move>,
    ) -> Result<Move, MoveError> {
        Ok(self.interpret(notation, text, before)?)
    }

    /// Why a text that is a move of this notation is not a legal one; `None` if it is legal, ambiguous, or
    /// not a move.
    ///
    /// ```
    /// use boardprint_finite::{Board, Game, Illegal, Notation};
    /// let start = Board::start(Game::Western);
    /// assert_eq!(start.reason(Notation::San, "Bc4", None), Some(Illegal::Blocked));
    /// assert_eq!(start.reason(Notation::San, "Nf3", None), None);
    /// ```
    #[must_use]
    pub fn reason(&self, notation: Notation, text: &str, before: Option<Move>) -> Option<Illegal> {
        match (self.interpret(notation, text, before), &self.inner) {
            (Err(Refusal::Illegal(_)), Inner::Western(board)) => {
                Some(western::reason(board, &self.fen(), text.as_bytes()))
            }
            (Err(Refusal::Illegal(reason)), Inner::Other(_)) => Some(reason),
            _ => None,
        }
    }

    fn interpret(&self, notation: Notation, text: &str, before: Option<Move>) -> Result<Move, Refusal> {
        if !notation.fits(self.game()) {
            return Err(Refusal::NotAMove);
        }
        let board = match (&self.inner, notation) {
            (_, Notation::Uci | Notation::Uci960) => return squares::read_uci(self, text, 1),
            (Inner::Western(board), _) => return Ok(western::resolve(board, text.as_bytes())?.named),
            (Inner::Other(board), _) => board,
        };
        match notation {
            Notation::San | Notation::Uci | Notation::Uci960 => read_other_san(board, text.as_bytes()),
            Notation::SanFromZero => san::read(board, text.as_bytes(), 0),
            Notation::Iccs => xiangqi::read_iccs(board, text),
            Notation::Wxf => xiangqi::read_wxf(board, text),
            Notation::Chinese | Notation::ChineseTraditional => xiangqi::read_chinese(board, text),
            Notation::Hodges | Notation::Algebraic => shogi::read(board, text.as_bytes()),
            Notation::Numbers => janggi::read(board, text.as_bytes()),
            Notation::Ucci => squares::read_uci(self, text, 0),
            Notation::Usi => squares::read_usi(self, text),
            Notation::Csa => japanese::read_csa(board, text),
            Notation::Kif => japanese::read_kif(board, text, before),
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
            Inner::Other(board) => Ok(read_other_san(board, word)?),
        }
    }

    /// Writes a move; `None` if it is illegal or moves of this game are not written so.
    #[must_use]
    pub fn write(&self, notation: Notation, played: Move) -> Option<String> {
        self.write_after(notation, played, None)
    }

    /// Writes a move where the text may refer to the move before.
    #[must_use]
    pub fn write_after(&self, notation: Notation, played: Move, before: Option<Move>) -> Option<String> {
        if !notation.fits(self.game()) || self.judge(played).is_err() {
            return None;
        }
        match (notation, &self.inner) {
            (Notation::Uci, _) => Some(played.uci(self.game()).to_string()),
            (Notation::Uci960, Inner::Western(board)) => {
                Some(western::uci_taking_rooks(board, played).uci(Game::Western).to_string())
            }
            (_, Inner::Western(board)) => western::san(board, played),
            (_, Inner::Other(board)) => write_other(board, notation, played, before),
        }
    }

    /// The notation of a list of moves that are played from here: the one in which most of them can be read,
    /// and among equals the first in the order of [`Notation::ALL`]. `None` if not even the first can be.
    /// Ranks from 0 and from 1 are told apart in this way.
    ///
    /// ```
    /// use boardprint_finite::{Board, Game, Notation};
    /// let start = Board::start(Game::Xiangqi);
    /// assert_eq!(start.notation_of(&["h2e2", "h9g7"]), Some(Notation::Iccs));
    /// assert_eq!(start.notation_of(&["h3e3", "h10g8"]), Some(Notation::San));
    /// assert_eq!(start.notation_of(&["炮二平五", "马８进７"]), Some(Notation::Chinese));
    /// assert_eq!(start.notation_of(&["e4"]), None);
    /// ```
    #[must_use]
    pub fn notation_of(&self, words: &[&str]) -> Option<Notation> {
        let mut best = (0, None);
        for notation in Notation::ALL.iter().copied().filter(|notation| notation.fits(self.game())) {
            let mut board = self.clone();
            let mut before = None;
            let mut read = 0;
            for word in words {
                let Ok(played) = board.read_after(notation, word, before) else { break };
                board.play_known(played);
                before = Some(played);
                read += 1;
            }
            if read > best.0 {
                best = (read, Some(notation));
            }
        }
        best.1
    }

    /// A legal move, as a result of reading.
    fn legal(&self, played: Move) -> Result<Move, Refusal> {
        self.judge(played).map(|()| played).map_err(Refusal::Illegal)
    }
}

fn read_other_san(board: &Mailbox, word: &[u8]) -> Result<Move, Refusal> {
    if board.game() == Game::Shogi { shogi::read(board, word) } else { san::read(board, word, 1) }
}

fn write_other(board: &Mailbox, notation: Notation, played: Move, before: Option<Move>) -> Option<String> {
    match notation {
        Notation::San if board.game() == Game::Shogi => shogi::write_hodges(board, played, Ranks::Numbers),
        Notation::San => san::write(board, played, 1),
        Notation::SanFromZero => san::write(board, played, 0),
        Notation::Iccs => Some(xiangqi::write_iccs(played)),
        Notation::Wxf => xiangqi::write_wxf(board, played),
        Notation::Chinese => xiangqi::write_chinese(board, played, Script::Simplified),
        Notation::ChineseTraditional => xiangqi::write_chinese(board, played, Script::Traditional),
        Notation::Hodges => shogi::write_hodges(board, played, Ranks::Letters),
        Notation::Algebraic => shogi::write_algebraic(board, played),
        Notation::Numbers => janggi::write(board, played),
        Notation::Uci | Notation::Uci960 => Some(played.uci(board.game()).to_string()),
        Notation::Ucci => Some(squares::ucci(played)),
        Notation::Usi => Some(squares::usi(played)),
        Notation::Csa => japanese::write_csa(board, played),
        Notation::Kif => japanese::write_kif(board, played, before),
    }
}
