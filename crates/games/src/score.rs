//! A game while it is read.

use std::borrow::Cow;

use boardprint_base::{GameResult, Span};
use boardprint_finite::{Board, Move, MoveError, Notation};

use crate::finite::{Extras, FiniteGame, Remark};
use crate::warning::{GameWarning, Warning};
use crate::{GameError, GameErrorKind};

/// A game as far as it could be read, and why no further.
#[derive(Debug)]
pub(crate) struct Draft<'a> {
    /// `None` if not even the start is known.
    pub(crate) game: Option<FiniteGame<'a>>,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) error: Option<GameError>,
}

impl<'a> Draft<'a> {
    /// Nothing could be read.
    pub(crate) fn failed(error: GameError) -> Self {
        Draft { game: None, warnings: Vec::new(), error: Some(error) }
    }

    /// The whole game, or why it is not whole.
    pub(crate) fn whole(self) -> Result<(FiniteGame<'a>, Vec<Warning>), GameError> {
        match (self.game, self.error) {
            (Some(game), None) => Ok((game, self.warnings)),
            (_, Some(error)) => Err(error),
            (None, None) => Err(GameError::at_start(GameErrorKind::Expected("a game"), Span::new(0, 0))),
        }
    }
}

/// Moves that are read one after another.
pub(crate) struct Score<'a> {
    pub(crate) tags: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    pub(crate) start: Board,
    /// The position after the moves so far.
    pub(crate) board: Board,
    pub(crate) moves: Vec<Move>,
    pub(crate) result: Option<GameResult>,
    pub(crate) extras: Extras,
    pub(crate) remarks: Vec<Remark>,
    pub(crate) warnings: Vec<Warning>,
}

impl<'a> Score<'a> {
    pub(crate) fn new(start: Board) -> Self {
        Score {
            tags: Vec::new(),
            board: start.clone(),
            start,
            moves: Vec::with_capacity(128),
            result: None,
            extras: Extras::default(),
            remarks: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Reads and plays a move.
    pub(crate) fn play(&mut self, notation: Notation, word: &str, span: Span) -> Result<(), GameError> {
        match self.board.read_after(notation, word, self.moves.last().copied()) {
            Ok(played) => {
                self.push(played);
                Ok(())
            }
            Err(error) => Err(self.refuse(notation, error, word, span)),
        }
    }

    /// Plays a move that is legal.
    pub(crate) fn push(&mut self, played: Move) {
        self.board.play_known(played);
        self.moves.push(played);
    }

    /// Why a word is not a legal move here.
    pub(crate) fn refuse(&self, notation: Notation, error: MoveError, word: &str, span: Span) -> GameError {
        let reason = match error {
            MoveError::Illegal => self.board.reason(notation, word, self.moves.last().copied()),
            _ => None,
        };
        self.error(GameErrorKind::Move(error, reason), span)
    }

    pub(crate) fn error(&self, kind: GameErrorKind, span: Span) -> GameError {
        GameError { kind, span, plies: self.moves.len() }
    }

    pub(crate) fn warn(&mut self, kind: GameWarning, span: Span) {
        self.warnings.push(Warning::game(kind, span));
    }

    /// What was read.
    pub(crate) fn draft(self, error: Option<GameError>) -> Draft<'a> {
        let mut game = FiniteGame::played(self.start, self.moves);
        (game.tags, game.result, game.extras) = (self.tags, self.result, self.extras);
        game.remarks = self.remarks;
        Draft { game: Some(game), warnings: self.warnings, error }
    }
}
