//! A game of one of the finite games.

use std::borrow::Cow;

use boardprint_base::{GameResult, Span};
use boardprint_finite::{Board, Fen, Game, Move, Unplayable};

/// A game, or a position with nothing played yet. It borrows its tags from the text of its record where it can.
#[derive(Clone, Debug)]
pub struct FiniteGame<'a> {
    /// The tags in order: name and value.
    pub tags: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    /// The result written after the moves.
    pub result: Option<GameResult>,
    /// What else the record holds.
    pub extras: Extras,
    /// The comments on the moves that were played, in order. Those of variations are only counted.
    pub remarks: Vec<Remark>,
    /// What the text says of checks and mates, one for each move; nothing if that was not asked for.
    pub(crate) marks: Vec<Mark>,
    start: Start,
    moves: Vec<Move>,
    /// Whether every move is known to be legal after those before it.
    is_played: bool,
    built: Built,
}

/// Proof that this build has finite games. Without the feature `finite` there is none, hence no
/// [`FiniteGame`], and the compiler leaves out whatever would be done with one.
#[derive(Clone, Copy, Debug)]
enum Built {
    #[cfg(feature = "finite")]
    Yes,
}

impl Built {
    #[cfg(feature = "finite")]
    const fn proof() -> Self {
        Built::Yes
    }

    #[cfg(not(feature = "finite"))]
    fn proof() -> Self {
        unreachable!("this build has no finite games")
    }
}

/// The position before the first move.
#[derive(Clone, Debug)]
pub enum Start {
    /// A position that can be played from.
    Board(Board),
    /// A position without moves as it was written, which need not be playable: it may lack kings.
    Fen(Fen),
}

/// A comment, and where in the text of its record it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remark {
    /// After how many half-moves.
    pub ply: usize,
    /// Its bytes, without the signs that make it a comment.
    pub span: Span,
}

impl Remark {
    /// A comment without the line end after it.
    pub(crate) fn of_line(ply: usize, text: &[u8], start: usize, end: usize) -> Self {
        Remark { ply, span: Span::new(start, start + text[start..end].trim_ascii_end().len()) }
    }
}

/// What stands after a move in its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    None,
    /// `+`
    Check,
    /// `#`
    Mate,
    /// Something else that may mean a check.
    Unknown,
}

/// How much a record holds beside tags and moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    /// Comments.
    pub comments: u32,
    /// Comments with a clock stamp.
    pub clocks: u32,
    /// Variations of the main line.
    pub variations: u32,
    /// Numeric glyphs, `!` and `?`.
    pub glyphs: u32,
}

impl Start {
    /// The game that it is a position of.
    #[must_use]
    pub fn game(&self) -> Game {
        match self {
            Start::Board(board) => board.game(),
            Start::Fen(fen) => fen.game(),
        }
    }

    /// The position as something that can be played from.
    ///
    /// # Errors
    ///
    /// [`Unplayable`] says why it cannot be.
    pub fn board(&self) -> Result<Cow<'_, Board>, Unplayable> {
        match self {
            Start::Board(board) => Ok(Cow::Borrowed(board)),
            Start::Fen(fen) => Board::from_fen(fen).map(Cow::Owned),
        }
    }

    /// The position as FEN.
    #[must_use]
    pub fn fen(&self) -> Cow<'_, Fen> {
        match self {
            Start::Board(board) => Cow::Owned(board.fen()),
            Start::Fen(fen) => Cow::Borrowed(fen),
        }
    }
}

impl From<Board> for Start {
    fn from(board: Board) -> Self {
        Start::Board(board)
    }
}

impl From<Fen> for Start {
    fn from(fen: Fen) -> Self {
        Start::Fen(fen)
    }
}

impl<'a> FiniteGame<'a> {
    /// A position without moves.
    ///
    /// # Panics
    ///
    /// Without the feature `finite`; no text gives a position of a finite game there.
    #[must_use]
    pub fn position(start: impl Into<Start>) -> Self {
        FiniteGame {
            tags: Vec::new(),
            result: None,
            extras: Extras::default(),
            remarks: Vec::new(),
            marks: Vec::new(),
            start: start.into(),
            moves: Vec::new(),
            is_played: true,
            built: Built::proof(),
        }
    }

    /// A game whose moves have been played already, so that they are known to be legal.
    #[must_use]
    pub(crate) fn played(start: Board, moves: Vec<Move>) -> Self {
        FiniteGame { moves, ..Self::position(Start::Board(start)) }
    }

    /// A game whose moves nobody has looked at yet. They are checked when they are played.
    #[must_use]
    pub fn unchecked(start: Board, moves: Vec<Move>) -> Self {
        FiniteGame { moves, is_played: false, ..Self::position(Start::Board(start)) }
    }

    /// Which game it is.
    #[must_use]
    pub fn game(&self) -> Game {
        self.start.game()
    }

    /// The position before the first move.
    #[must_use]
    pub const fn start(&self) -> &Start {
        &self.start
    }

    /// The moves.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| &**value)
    }

    /// The position after this many half-moves, or the illegal half-move before it, counted from 1.
    ///
    /// # Errors
    ///
    /// A half-move up to there is illegal.
    pub fn at(&self, ply: usize) -> Result<Start, usize> {
        let Start::Board(start) = &self.start else { return Ok(self.start.clone()) };
        let mut board = start.clone();
        for (number, step) in (1..).zip(self.moves.iter().take(ply)) {
            if !self.play(&mut board, *step) {
                return Err(number);
            }
        }
        Ok(Start::Board(board))
    }

    /// Whether every move is known to be legal after those before it.
    pub(crate) const fn is_played(&self) -> bool {
        self.is_played
    }

    /// Plays one of the moves of this game; false if it is illegal.
    pub(crate) fn play(&self, board: &mut Board, step: Move) -> bool {
        if self.is_played {
            board.play_known(step);
            return true;
        }
        board.play(step).is_ok()
    }

    /// Goes on from a position without moves by one of the moves of a game; false if it is illegal.
    pub(crate) fn advance(&mut self, game: &FiniteGame<'_>, step: Move) -> bool {
        match &mut self.start {
            Start::Board(board) => game.play(board, step),
            Start::Fen(_) => false,
        }
    }

    /// The same game, which borrows nothing.
    #[must_use]
    pub fn into_owned(self) -> FiniteGame<'static> {
        let own = |(name, value): (Cow<'a, str>, Cow<'a, str>)| {
            (Cow::Owned(name.into_owned()), Cow::Owned(value.into_owned()))
        };
        FiniteGame {
            tags: self.tags.into_iter().map(own).collect(),
            result: self.result,
            extras: self.extras,
            remarks: self.remarks,
            marks: self.marks,
            start: self.start,
            moves: self.moves,
            is_played: self.is_played,
            built: self.built,
        }
    }
}
