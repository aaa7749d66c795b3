//! Why a record cannot be read, whatever its format.

use std::fmt;

use boardprint_base::replay::ReplayError;
use boardprint_base::{LineColumn, Span};
use boardprint_cpn::CpnError;
use boardprint_finite::{FenError, Game, Unplayable};
use boardprint_icn::IcnError;

use crate::GameError;
use crate::game_error::{option_hint, write_open_game};

/// Why a record cannot be read: what is wrong, and the bytes of the record that are.
///
/// It holds no source text, so it is small and comparable; line, column and picture are computed when shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordError {
    kind: RecordErrorKind,
    span: Span,
}

/// What can be wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordErrorKind {
    /// The text is not ICN, or not its JSON long form.
    Icn(IcnError),
    /// The text is not CPN, or not of a board that can be used here.
    Cpn(CpnError),
    /// The text is not FEN or SFEN.
    Fen(FenError),
    /// The text is not PGN, CSA, KIF, USI or UCI, or its moves cannot be played.
    Game(GameError),
    /// A move of the open board starts on an empty square.
    Replay(ReplayError),
    /// A move of a finite game cannot be played.
    IllegalMove {
        /// The half-move, from 1.
        ply: usize,
    },
    /// A position of a finite game cannot be played from.
    Unplayable(Unplayable),
    /// A FEN may be of several games.
    OpenGame(Vec<Game>),
    /// The board is of a game whose rules nobody here knows.
    NoRules,
    /// The game is shorter than the half-move that was asked for.
    NoSuchPly {
        /// The half-moves of the game.
        plies: usize,
    },
}

impl RecordError {
    /// An error of a kind at a place.
    #[must_use]
    pub const fn new(kind: RecordErrorKind, span: Span) -> Self {
        RecordError { kind, span }
    }

    /// Something that is wrong with a record as a whole.
    #[must_use]
    pub const fn of_whole(kind: RecordErrorKind) -> Self {
        RecordError { kind, span: Span::new(0, 0) }
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> &RecordErrorKind {
        &self.kind
    }

    /// The bytes of the record that are wrong; empty where it is the record as a whole.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.span
    }

    /// A second place that has to do with it, and what stands there.
    #[must_use]
    pub const fn also(&self) -> Option<(Span, &'static str)> {
        match &self.kind {
            RecordErrorKind::Icn(error) => match error.first() {
                Some(first) => Some((first, "first given here")),
                None => None,
            },
            _ => None,
        }
    }

    /// Line and column of the first wrong byte, in the text of the record.
    #[must_use]
    pub fn line_column(&self, source: &str) -> LineColumn {
        LineColumn::of(source, self.span.start)
    }

    /// A short name of the kind for programs: `syntax`, `illegal-move` and so on.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match &self.kind {
            RecordErrorKind::Icn(_) | RecordErrorKind::Cpn(_) | RecordErrorKind::Fen(_) => "syntax",
            RecordErrorKind::Game(error) => error.kind().name(),
            RecordErrorKind::OpenGame(_) => "open-game",
            RecordErrorKind::Replay(_) => "empty-square",
            RecordErrorKind::IllegalMove { .. } => "illegal-move",
            RecordErrorKind::Unplayable(_) => "unplayable-start",
            RecordErrorKind::NoRules => "no-rules",
            RecordErrorKind::NoSuchPly { .. } => "no-such-ply",
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match &self.kind {
            RecordErrorKind::Icn(error) => error.hint(),
            RecordErrorKind::Cpn(error) => error.hint(),
            RecordErrorKind::Fen(error) => error.hint(),
            RecordErrorKind::Game(error) => error.hint(),
            RecordErrorKind::OpenGame(games) => Some(option_hint(games)),
            RecordErrorKind::Replay(_) | RecordErrorKind::IllegalMove { .. } => {
                Some("check the moves before it, too".to_owned())
            }
            RecordErrorKind::Unplayable(_) => Some("check pieces, side to move and castling".to_owned()),
            RecordErrorKind::NoRules | RecordErrorKind::NoSuchPly { .. } => None,
        }
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            RecordErrorKind::Icn(error) => error.fmt(f),
            RecordErrorKind::Cpn(error) => error.fmt(f),
            RecordErrorKind::Fen(error) => error.fmt(f),
            RecordErrorKind::Game(error) => error.fmt(f),
            RecordErrorKind::OpenGame(games) => write_open_game(games, f),
            RecordErrorKind::Replay(error) => error.fmt(f),
            RecordErrorKind::IllegalMove { ply } => write!(f, "half-move {ply} is illegal"),
            RecordErrorKind::Unplayable(why) => write!(f, "no game can start from this position: {why}"),
            RecordErrorKind::NoRules => f.write_str("this board is of a game without known rules"),
            RecordErrorKind::NoSuchPly { plies: 0 } => f.write_str("this is a position without moves"),
            RecordErrorKind::NoSuchPly { plies: 1 } => f.write_str("the game has only one half-move"),
            RecordErrorKind::NoSuchPly { plies } => write!(f, "the game has only {plies} half-moves"),
        }
    }
}

impl std::error::Error for RecordError {}

impl From<IcnError> for RecordError {
    fn from(error: IcnError) -> Self {
        RecordError { span: error.span(), kind: RecordErrorKind::Icn(error) }
    }
}

impl From<CpnError> for RecordError {
    fn from(error: CpnError) -> Self {
        RecordError { span: error.span(), kind: RecordErrorKind::Cpn(error) }
    }
}

impl From<FenError> for RecordError {
    fn from(error: FenError) -> Self {
        RecordError { span: error.span(), kind: RecordErrorKind::Fen(error) }
    }
}

impl From<GameError> for RecordError {
    fn from(error: GameError) -> Self {
        RecordError { span: error.span(), kind: RecordErrorKind::Game(error) }
    }
}

impl From<ReplayError> for RecordError {
    fn from(error: ReplayError) -> Self {
        RecordError { span: Span::new(0, 0), kind: RecordErrorKind::Replay(error) }
    }
}
