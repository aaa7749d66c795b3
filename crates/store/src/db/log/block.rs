//! Blocks of games: about sixteen records, compressed together, with the starts they share.

use std::cell::RefCell;
use std::sync::Arc;

use boardprint_base::Digest;

use super::super::codec::{Cursor, put_bytes, put_varint};
use super::super::error::{Error, Result};
use super::super::game::StoredGame;
use super::frame::MAX_PAYLOAD;
use super::{Address, Frame, FrameKind, Placed};

/// How many games share a block.
pub(crate) const BLOCK_GAMES: usize = 16;
/// A block that claims to be larger is damaged.
const MAX_BLOCK_BYTES: u64 = 1 << 32;
/// How many times smaller zstd can make anything: a block of 128 KiB takes four bytes at least.
const MAX_RATIO: u64 = (128 << 10) / 4;
const LEVEL: i32 = 3;

thread_local! {
    /// Making a compressor costs more than compressing a block with it.
    static COMPRESSOR: RefCell<Option<zstd::bulk::Compressor<'static>>> = const { RefCell::new(None) };
    static DECOMPRESSOR: RefCell<Option<zstd::bulk::Decompressor<'static>>> = const { RefCell::new(None) };
}

fn compress(raw: &[u8]) -> Result<Vec<u8>> {
    let failed = |error| Error::Engine(format!("compression failed: {error}"));
    COMPRESSOR.with_borrow_mut(|slot| {
        let compressor = match slot {
            Some(compressor) => compressor,
            None => slot.insert(zstd::bulk::Compressor::new(LEVEL).map_err(failed)?),
        };
        compressor.compress(raw).map_err(failed)
    })
}

fn decompress(packed: &[u8], len: usize) -> Option<Vec<u8>> {
    DECOMPRESSOR.with_borrow_mut(|slot| {
        let decompressor = match slot {
            Some(decompressor) => decompressor,
            None => slot.insert(zstd::bulk::Decompressor::new().ok()?),
        };
        decompressor.decompress(packed, len).ok()
    })
}

/// A game in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LoggedGame {
    pub(crate) game: Arc<StoredGame>,
    /// What tells it from others.
    pub(crate) hash: Digest,
}

/// The frame that keeps games with consecutive numbers.
pub(crate) fn encode_block<'a>(
    first: u64,
    games: impl ExactSizeIterator<Item = (&'a StoredGame, &'a Digest)>,
) -> Result<Frame> {
    let count = games.len();
    let mut starts: Vec<&str> = Vec::new();
    let (mut records, mut record) = (Vec::new(), Vec::new());
    for (game, hash) in games {
        let start = starts.iter().position(|start| **start == *game.start).unwrap_or_else(|| {
            starts.push(&game.start);
            starts.len() - 1
        });
        record.clear();
        record.extend_from_slice(&hash.0);
        game.put(start as u64, &mut record);
        put_bytes(&mut records, &record);
    }
    let mut raw = Vec::with_capacity(records.len() + 64);
    put_varint(&mut raw, starts.len() as u64);
    for start in &starts {
        put_bytes(&mut raw, start.as_bytes());
    }
    raw.append(&mut records);
    let mut payload = Vec::with_capacity(raw.len() / 2 + 16);
    put_varint(&mut payload, first);
    put_varint(&mut payload, count as u64);
    put_varint(&mut payload, raw.len() as u64);
    payload.extend(compress(&raw)?);
    if payload.len() > MAX_PAYLOAD || raw.len() as u64 > MAX_BLOCK_BYTES {
        return Err(Error::TooLarge { what: "a block of games in bytes", limit: MAX_PAYLOAD as u64 });
    }
    Ok(Frame::new(FrameKind::Games, payload))
}

impl StoredGame {
    /// The bytes that it takes in memory, roughly.
    pub(crate) fn weight(&self) -> usize {
        let tags = self.tags.bytes() + 16 * self.tags.len();
        // A game shares its start with most others of its block; counted for each, it errs on the safe side.
        256 + tags + self.start.len() + self.extra.len() + self.moves.size()
    }
}

/// A block of games, read.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) at: Address,
    pub(crate) first: u64,
    pub(crate) games: Vec<LoggedGame>,
}

impl Block {
    /// The bytes that it takes in memory, roughly.
    pub(crate) fn weight(&self) -> usize {
        self.games.iter().map(|logged| logged.game.weight()).sum()
    }

    /// Reads a block from its frame.
    pub(crate) fn read(placed: &Placed) -> Result<Self> {
        let damaged = |what| Error::DamagedLog { address: placed.at, what };
        if placed.kind != FrameKind::Games {
            return Err(damaged("the frame is not a block of games"));
        }
        let mut input = Cursor::new(&placed.payload);
        let (first, count) = (input.varint(), input.varint());
        let len = input.varint().filter(|len| *len <= MAX_BLOCK_BYTES);
        let (Some(first), Some(count), Some(len)) = (first, count, len) else {
            return Err(damaged("the block has no head"));
        };
        // Room for it is made before it is unpacked, so that a wrong length must not pass.
        if len > MAX_RATIO * input.rest().len() as u64 {
            return Err(damaged("the block claims more than it can hold"));
        }
        let len = usize::try_from(len).map_err(|_| damaged("the block is too large"))?;
        let raw = decompress(input.rest(), len).ok_or_else(|| damaged("the block cannot be decompressed"))?;
        let games = Self::games(&raw, count).ok_or_else(|| damaged("a game of the block cannot be read"))?;
        Ok(Block { at: placed.at, first, games })
    }

    fn games(raw: &[u8], count: u64) -> Option<Vec<LoggedGame>> {
        let mut input = Cursor::new(raw);
        let start_count = input.count()?;
        let starts =
            (0..start_count).map(|_| input.text().map(Arc::from)).collect::<Option<Vec<Arc<str>>>>()?;
        let game = |_| {
            let mut record = Cursor::new(input.bytes()?);
            let hash = Digest(record.array()?);
            let game = StoredGame::take(&mut record, &starts)?;
            record.is_empty().then(|| LoggedGame { game: Arc::new(game), hash })
        };
        let games = (0..count).map(game).collect::<Option<Vec<_>>>()?;
        input.is_empty().then_some(games)
    }

    /// The number after the last game of a block, without unpacking it.
    pub(crate) fn end_of(placed: &Placed) -> Option<u64> {
        let mut input = Cursor::new(&placed.payload);
        input.varint()?.checked_add(input.varint()?)
    }

    /// A game of the block by its number.
    pub(crate) fn get(&self, id: u64) -> Option<&LoggedGame> {
        self.games.get(usize::try_from(id.checked_sub(self.first)?).ok()?)
    }
}
