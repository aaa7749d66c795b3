//! Where a game of a finite game breaks off, and why.

use std::fmt;

use boardprint_base::Span;
use boardprint_finite::{FenError, Game, Illegal, MoveError, Unplayable};

use crate::Format;

/// Why a game in PGN, CSA, KIF, USI or UCI cannot be read to its end, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameError {
    pub(crate) kind: GameErrorKind,
    pub(crate) span: Span,
    pub(crate) plies: usize,
}

/// What can be wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GameErrorKind {
    /// The start cannot be played from.
    Start(Option<Unplayable>),
    /// The start is not a FEN or SFEN of the game.
    Fen(Box<FenError>),
    /// The tags name a game that is not known.
    Variant,
    /// The start may be of several games.
    OpenGame(Vec<Game>),
    /// A word is not a legal move: how it fails, and if it is illegal, the reason.
    Move(MoveError, Option<Illegal>),
    /// Moves follow the result.
    AfterResult,
    /// A tag, comment or variation is never closed.
    Unclosed(char),
    /// Something else was expected.
    Expected(&'static str),
    /// The program was built without the feature `finite`, which reads this format.
    NotBuilt(Format),
}

impl GameError {
    pub(crate) const fn at_start(kind: GameErrorKind, span: Span) -> Self {
        GameError { kind, span, plies: 0 }
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> &GameErrorKind {
        &self.kind
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

    /// Why a move is illegal, if that is what is wrong.
    #[must_use]
    pub const fn reason(&self) -> Option<Illegal> {
        match self.kind {
            GameErrorKind::Move(_, reason) => reason,
            _ => None,
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let words = match &self.kind {
            GameErrorKind::Start(_) => "check pieces, side to move and castling",
            GameErrorKind::Fen(error) => return error.hint(),
            GameErrorKind::Variant => {
                "Western chess, Chess960, Makruk, Shogi, Xiangqi and Janggi are known; without a `Variant` tag it is Western chess"
            }
            GameErrorKind::OpenGame(games) => return Some(option_hint(games)),
            GameErrorKind::Move(MoveError::Ambiguous, _) => "add the file or rank it comes from",
            GameErrorKind::Move(MoveError::NotAMove, _) => "put remarks into a comment",
            GameErrorKind::Move(..) => "check the moves before it, too",
            GameErrorKind::AfterResult => "begin another game after the result",
            GameErrorKind::Unclosed('[') => "close it with `]`",
            GameErrorKind::Unclosed('(') => "close it with `)`",
            GameErrorKind::Unclosed(_) => "close it with `}`",
            GameErrorKind::Expected(_) | GameErrorKind::NotBuilt(_) => return None,
        };
        Some(words.to_owned())
    }
}

/// How to say which of several games is meant.
pub(crate) fn option_hint(games: &[Game]) -> String {
    let options: Vec<String> = games.iter().map(|game| format!("`--game {game}`")).collect();
    format!("say which: {}", options.join(" or "))
}

/// That a position may be of several games.
pub(crate) fn write_open_game(games: &[Game], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let names: Vec<&str> = games.iter().map(|game| game.title()).collect();
    write!(f, "this may be a position of {}", names.join(" or of "))
}

impl GameErrorKind {
    /// A short name for programs.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            GameErrorKind::Start(_) => "unplayable-start",
            GameErrorKind::Variant => "unknown-variant",
            GameErrorKind::OpenGame(_) => "open-game",
            GameErrorKind::Move(MoveError::Ambiguous, _) => "ambiguous-move",
            GameErrorKind::Move(MoveError::NotAMove, _) => "not-a-move",
            GameErrorKind::Move(..) => "illegal-move",
            GameErrorKind::AfterResult => "moves-after-end",
            GameErrorKind::NotBuilt(_) => "unknown-format",
            GameErrorKind::Fen(_) | GameErrorKind::Unclosed(_) | GameErrorKind::Expected(_) => "syntax",
        }
    }
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            GameErrorKind::Start(None) => f.write_str("no game can start from this position"),
            GameErrorKind::Start(Some(why)) => write!(f, "no game can start from this position: {why}"),
            GameErrorKind::Fen(error) => error.fmt(f),
            GameErrorKind::Variant => f.write_str("this game is not known"),
            GameErrorKind::OpenGame(games) => write_open_game(games, f),
            GameErrorKind::Move(error, None) => error.fmt(f),
            GameErrorKind::Move(error, Some(reason)) => write!(f, "{error}: {reason}"),
            GameErrorKind::AfterResult => f.write_str("moves after the result"),
            GameErrorKind::Unclosed(open) => write!(f, "unclosed `{open}`"),
            GameErrorKind::Expected(what) => write!(f, "expected {what}"),
            GameErrorKind::NotBuilt(format) => {
                write!(f, "this build does not know {}, only ICN, its long form and CPN", format.title())
            }
        }
    }
}

impl std::error::Error for GameError {}
