//! Games as the database keeps them.

mod block;
mod moves;
mod starts;

use std::sync::Arc;

use boardprint_base::{GameResult, Tag};

pub(crate) use self::block::{BLOCK_GAMES, GameCache, delete_from, encode_block, for_each_block};
pub use self::moves::{GameKind, Moves, MovesIter, StoredMove, WesternMove};
pub(crate) use self::starts::{StartRef, Starts};
use super::codec::{Cursor, put_bytes, put_varint};

/// A game as the database keeps it. What was said about the moves is not kept, unless in `extra`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredGame {
    /// What is known about the game, in order.
    pub tags: Vec<Tag>,
    /// How it ended.
    pub result: GameResult,
    /// The start: canonical ICN with its laws, or FEN; empty for the usual start of Western chess.
    pub start: Arc<str>,
    /// The moves; they say which board the game is played on.
    pub moves: Moves,
    /// Where the game was read.
    pub source: Origin,
    /// Bytes of the caller's own; usually empty.
    pub extra: Box<[u8]>,
}

/// Where a game was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The number of the source file in the manifest. On the way in the database fills it from the batch.
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
        self.tags.iter().find(|tag| &*tag.name == name).map(|tag| &*tag.value)
    }

    /// Appends the game with its start by number or in full.
    pub(crate) fn put(&self, start: StartRef, out: &mut Vec<u8>) {
        out.push(self.moves.kind() as u8 | result_code(self.result) << 1);
        put_varint(out, self.source.file.into());
        put_varint(out, self.source.offset);
        put_varint(out, self.source.record);
        match start {
            StartRef::Shared(id) => put_varint(out, u64::from(id) + 1),
            StartRef::Own => {
                out.push(0);
                put_bytes(out, self.start.as_bytes());
            }
        }
        put_varint(out, self.tags.len() as u64);
        for tag in &self.tags {
            put_bytes(out, tag.name.as_bytes());
            put_bytes(out, tag.value.as_bytes());
        }
        self.moves.put(out);
        put_bytes(out, &self.extra);
    }

    /// Reads what [`StoredGame::put`] wrote.
    pub(crate) fn take(input: &mut Cursor<'_>, starts: &Starts) -> Option<Self> {
        let head = input.byte()?;
        let kind = if head & 1 == 0 { GameKind::Infinite } else { GameKind::Western };
        let result = *GameResult::ALL.get(usize::from(head >> 1))?;
        let source = Origin {
            file: u32::try_from(input.varint()?).ok()?,
            offset: input.varint()?,
            record: input.varint()?,
        };
        let start = match input.varint()?.checked_sub(1) {
            None => input.text()?.into(),
            Some(id) => starts.get(u32::try_from(id).ok()?)?,
        };
        let count = input.count()?;
        let tag = |_| Some(Tag { name: input.text()?.into(), value: input.text()?.into() });
        let tags = (0..count).map(tag).collect::<Option<Vec<Tag>>>()?;
        let moves = Moves::take(kind, input)?;
        let extra = input.bytes()?.into();
        Some(StoredGame { tags, result, start, moves, source, extra })
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
