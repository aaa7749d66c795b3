//! Games as the database keeps them.

mod moves;
mod tags;

use std::sync::Arc;

use boardprint_base::GameResult;

pub use self::moves::{Moves, MovesIter, StoredMove};
pub use self::tags::Tags;
use boardprint_finite::Game;

use super::codec::{Cursor, put_bytes, put_varint};

/// What a stored game is, which says what its start and its moves mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameKind {
    /// A game of the unbounded board: the start is canonical ICN, moves are squares.
    Infinite,
    /// A finite game: the start is a FEN, moves are sixteen bits each.
    Finite(Game),
    /// A position of any other game: the start is a CPN, and there are no moves.
    Board,
}

impl GameKind {
    /// The code that the format keeps: 0 for the unbounded board, 1 to 5 for finite games, 255 for a board.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            GameKind::Infinite => 0,
            GameKind::Finite(game) => game.code(),
            GameKind::Board => 255,
        }
    }

    /// The kind with a code.
    #[must_use]
    pub fn of_code(code: u8) -> Option<Self> {
        match code {
            0 => Some(GameKind::Infinite),
            255 => Some(GameKind::Board),
            code => Game::from_code(code).map(GameKind::Finite),
        }
    }

    /// The name of the game: `infinite`, one of the finite games, or `board`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            GameKind::Infinite => "infinite",
            GameKind::Finite(game) => game.name(),
            GameKind::Board => "board",
        }
    }
}

/// A game as the database keeps it. What was said about the moves is not kept, unless in `extra`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredGame {
    /// What it is.
    pub kind: GameKind,
    /// What is known about the game, in order.
    pub tags: Tags,
    /// How it ended.
    pub result: GameResult,
    /// The start: canonical ICN with its laws, FEN or CPN, by `kind`; empty for the usual start of a finite
    /// game.
    pub start: Arc<str>,
    /// The moves.
    pub moves: Moves,
    /// Where the game was read.
    pub source: Origin,
    /// Bytes of the caller's own; usually empty.
    pub extra: Box<[u8]>,
}

/// Where a game was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Origin {
    /// The number of the source file in the database. On the way in it is the place in the batch's list of
    /// sources.
    pub file: u32,
    /// The byte at which the record begins.
    pub offset: u64,
    /// The number of the record in the file, from 1.
    pub record: u64,
}

impl StoredGame {
    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.get(name)
    }

    /// Appends the game with its start by number.
    pub(crate) fn put(&self, start: u64, out: &mut Vec<u8>) {
        out.push(self.kind.code());
        out.push(result_code(self.result));
        self.source.put(out);
        put_varint(out, start);
        self.tags.put(out);
        self.moves.put(out);
        put_bytes(out, &self.extra);
    }

    /// Reads what [`StoredGame::put`] wrote.
    pub(crate) fn take(input: &mut Cursor<'_>, starts: &[Arc<str>]) -> Option<Self> {
        let kind = GameKind::of_code(input.byte()?)?;
        let result = *GameResult::ALL.get(usize::from(input.byte()?))?;
        let source = Origin::take(input)?;
        let start = Arc::clone(starts.get(usize::try_from(input.varint()?).ok()?)?);
        let tags = Tags::take(input)?;
        let moves = Moves::take(kind, input)?;
        let extra = input.bytes()?.into();
        Some(StoredGame { kind, tags, result, start, moves, source, extra })
    }
}

/// The place of a result in [`GameResult::ALL`], which the format keeps.
pub(crate) const fn result_code(result: GameResult) -> u8 {
    match result {
        GameResult::WhiteWins => 0,
        GameResult::BlackWins => 1,
        GameResult::Draw => 2,
        GameResult::Unknown => 3,
    }
}
