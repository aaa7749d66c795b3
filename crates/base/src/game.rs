//! Games: tags, start, moves and what was said about them.

use crate::piece::{Piece, PieceKind};
use crate::position::Position;
use crate::short::Short;
use crate::square::Square;

/// A game, or a position with nothing played yet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Game {
    /// What is known about the game, in order; no name twice.
    pub tags: Vec<Tag>,
    /// The position before the first move.
    pub start: Position,
    /// Whether the pieces come from the `Variant` tag rather than from the text.
    pub start_from_variant: bool,
    /// Marks that the site draws on the board.
    pub presets: Presets,
    /// What was said before the first move.
    pub opening_comments: Vec<Box<str>>,
    /// The moves.
    pub moves: Vec<Move>,
    /// The result written after the moves.
    pub result: Option<GameResult>,
    /// What was said after the result.
    pub closing_comments: Vec<Box<str>>,
}

/// One thing known about a game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tag {
    /// Such as `White`.
    pub name: Box<str>,
    /// Such as `Tom`; may be empty.
    pub value: Box<str>,
}

/// Squares and rays that the site draws on the board. Not part of the game state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Presets {
    /// Highlighted squares.
    pub squares: Vec<Square>,
    /// Rays: where they start, and their direction.
    pub rays: Vec<(Square, Square)>,
}

/// A move and what its writer noted about it.
///
/// `Eq` compares the notes too; [`Move::same_move`] does not.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// Where the piece stood.
    pub from: Square,
    /// Where it went.
    pub to: Square,
    /// What a pawn became; it belongs to the mover.
    pub promotion: Option<PieceKind>,
    /// What the writer noted.
    pub notes: Notes,
}

/// What a writer noted about a move. None of it is part of the canonical text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Notes {
    /// The piece written in front.
    pub piece: Option<Piece>,
    /// Whether the move was written with `x`.
    pub capture: bool,
    /// The run of `+`, `#`, `!`, `?` and `=` after it.
    pub marks: Box<str>,
    /// The comments after it, clock stamps included.
    pub comments: Vec<Box<str>>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`
    Unknown,
}

impl Game {
    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|tag| &*tag.name == name).map(|tag| &*tag.value)
    }
}

impl Move {
    /// A move without promotion and notes.
    #[must_use]
    pub fn new(from: Square, to: Square) -> Self {
        Move { from, to, promotion: None, notes: Notes::default() }
    }

    /// Appends the two squares: `x,y>x,y`.
    #[inline]
    pub fn write_squares_to(&self, out: &mut Vec<u8>) {
        let mut short = Short::new();
        if self.from.put(&mut short) {
            short.push(b'>');
            if self.to.put(&mut short) {
                out.extend_from_slice(short.as_bytes());
                return;
            }
        }
        self.from.write_to(out);
        out.push(b'>');
        self.to.write_to(out);
    }

    /// Whether both move the same piece to the same square with the same promotion, notes aside.
    #[must_use]
    pub fn same_move(&self, other: &Move) -> bool {
        self.from == other.from && self.to == other.to && self.promotion == other.promotion
    }
}

impl GameResult {
    /// Every result.
    pub const ALL: [GameResult; 4] =
        [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unknown];

    /// The result as it is written behind the moves.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        }
    }
}

impl std::fmt::Display for GameResult {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
