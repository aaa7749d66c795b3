//! Blocks of games: about sixteen records, compressed together.
//!
//! The key is the first game's number and the number of the part: a block that is larger than a few kilobytes is cut into parts,
//! because sled moves large values into files of their own. The last part tells how many there are.

use std::cell::RefCell;
use std::sync::Arc;

use super::super::codec::{self, Cursor, put_varint};
use super::super::engine::{Engine, Pair, Scan, Tree, Write};
use super::super::error::{Error, Result};
use super::super::posting::Posting;
use super::{StartRef, Starts, StoredGame};

/// How many games share a block.
pub(crate) const BLOCK_GAMES: usize = 16;
const PART_BYTES: usize = 6000;
/// A block that claims to be larger is damaged.
const MAX_BLOCK_BYTES: u64 = 1 << 32;
/// How many times smaller zstd can make anything: a block of 128 KiB takes four bytes at least.
const MAX_RATIO: u64 = (128 << 10) / 4;
const LEVEL: i32 = 3;

thread_local! {
    /// Making a compressor costs more than compressing a block with it.
    static COMPRESSOR: RefCell<Option<zstd::bulk::Compressor<'static>>> = const { RefCell::new(None) };
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

fn part_key(first: u64, part: u16) -> Vec<u8> {
    let mut key = first.to_be_bytes()[3..].to_vec();
    key.extend_from_slice(&part.to_be_bytes());
    key
}

/// The first game and the part of a key.
fn parse_key(key: &[u8]) -> Result<(u64, u16)> {
    let Ok(bytes) = <[u8; 7]>::try_from(key) else {
        return Err(Error::damaged(Tree::Games, key, "not the key of a block of games"));
    };
    let mut first = [0; 8];
    first[3..].copy_from_slice(&bytes[..5]);
    Ok((u64::from_be_bytes(first), u16::from_be_bytes([bytes[5], bytes[6]])))
}

/// The writes that store games with consecutive numbers as one block.
pub(crate) fn encode_block(first: u64, games: &[(&StoredGame, StartRef)]) -> Result<Vec<Write>> {
    let (mut raw, mut record) = (Vec::new(), Vec::new());
    for (game, start) in games {
        record.clear();
        game.put(*start, &mut record);
        codec::put_bytes(&mut raw, &record);
    }
    let mut packed = Vec::new();
    put_varint(&mut packed, games.len() as u64);
    put_varint(&mut packed, raw.len() as u64);
    packed.extend(compress(&raw)?);
    if packed.len() > PART_BYTES * usize::from(u16::MAX) || raw.len() as u64 > MAX_BLOCK_BYTES {
        let limit = (PART_BYTES * usize::from(u16::MAX)) as u64;
        return Err(Error::TooLarge { what: "a block of games in bytes", limit });
    }
    let parts = packed.chunks(PART_BYTES);
    Ok((0..)
        .zip(parts)
        .map(|(part, bytes)| {
            let key = part_key(first, part);
            let mut value = codec::begin(bytes.len());
            value.extend_from_slice(bytes);
            let value = codec::seal(Tree::Games, &key, value);
            Write::Put { tree: Tree::Games, key, value }
        })
        .collect())
}

/// A block of games, read.
struct Block {
    first: u64,
    games: Vec<Arc<StoredGame>>,
}

impl Block {
    /// Reads a block from its parts.
    fn read(parts: &[Pair], starts: &Starts) -> Result<Self> {
        let (key, _) = &parts[0];
        let (first, _) = parse_key(key)?;
        let mut packed = Vec::new();
        for (key, value) in parts {
            packed.extend_from_slice(codec::open(Tree::Games, key, value)?.rest());
        }
        let broken = |what| Error::damaged(Tree::Games, key, what);
        let mut input = Cursor::new(&packed);
        let count = input.varint().filter(|count| (1..=u64::from(u16::MAX)).contains(count));
        let len = input.varint().filter(|len| *len <= MAX_BLOCK_BYTES);
        let (Some(count), Some(len)) = (count, len) else { return Err(broken("no head")) };
        // Room for it is made before it is unpacked, so that a wrong length must not pass.
        if len > MAX_RATIO * input.rest().len() as u64 {
            return Err(broken("claims more than it can hold"));
        }
        let len = usize::try_from(len).map_err(|_| broken("too large"))?;
        let raw = zstd::bulk::decompress(input.rest(), len).map_err(|_| broken("cannot be decompressed"))?;
        let mut input = Cursor::new(&raw);
        let game = |_| {
            let mut record = Cursor::new(input.bytes()?);
            let game = StoredGame::take(&mut record, starts)?;
            record.is_empty().then(|| Arc::new(game))
        };
        let games = (0..count).map(game).collect::<Option<Vec<_>>>();
        let games = games.filter(|_| raw.len() == len && input.is_empty());
        Ok(Block { first, games: games.ok_or_else(|| broken("a record cannot be read"))? })
    }
}

/// Reads games one at a time and remembers the last block: games asked for in order cost one read a block.
#[derive(Default)]
pub(crate) struct GameCache {
    block: Option<Block>,
}

impl GameCache {
    /// A game by number; the caller knows that it exists.
    pub(crate) fn get(&mut self, engine: &dyn Engine, starts: &Starts, id: u64) -> Result<Arc<StoredGame>> {
        let within = |block: &Block| {
            let index = usize::try_from(id.checked_sub(block.first)?).ok()?;
            block.games.get(index).cloned()
        };
        if let Some(game) = self.block.as_ref().and_then(within) {
            return Ok(game);
        }
        let missing = || Error::inconsistent(Tree::Games, format!("game {id} is missing"));
        let last = engine.floor(Tree::Games, &part_key(id, u16::MAX))?.ok_or_else(missing)?;
        let (first, parts) = parse_key(&last.0)?;
        let mut pairs = Vec::with_capacity(usize::from(parts) + 1);
        for part in 0..parts {
            let key = part_key(first, part);
            let value = engine.get(Tree::Games, &key)?;
            let value = value.ok_or_else(|| Error::damaged(Tree::Games, &key, "a part is missing"))?;
            pairs.push((key, value));
        }
        pairs.push(last);
        let block = self.block.insert(Block::read(&pairs, starts)?);
        within(block).ok_or_else(missing)
    }
}

/// Reads every block in order and hands its games over, with the number of the first. Ends at `end`.
pub(crate) fn for_each_block(
    engine: &Arc<dyn Engine>,
    starts: &Starts,
    end: u64,
    mut visit: impl FnMut(u64, Vec<Arc<StoredGame>>) -> Result<()>,
) -> Result<()> {
    let (from, to) = (part_key(0, 0), part_key(end.min(Posting::MAX_GAME), 0));
    let mut parts: Vec<Pair> = Vec::new();
    let mut expected = 0;
    let mut finish = |parts: &mut Vec<Pair>| -> Result<()> {
        if parts.is_empty() {
            return Ok(());
        }
        let block = Block::read(parts, starts)?;
        if block.first != expected {
            return Err(Error::inconsistent(Tree::Games, format!("game {expected} is missing")));
        }
        expected += block.games.len() as u64;
        parts.clear();
        visit(block.first, block.games)
    };
    for pair in Scan::new(Arc::clone(engine), Tree::Games, from, to) {
        let pair = pair?;
        let (_, part) = parse_key(&pair.0)?;
        if part == 0 {
            finish(&mut parts)?;
        } else if usize::from(part) != parts.len() {
            return Err(Error::damaged(Tree::Games, &pair.0, "a part before it is missing"));
        }
        parts.push(pair);
    }
    finish(&mut parts)?;
    if expected == end {
        Ok(())
    } else {
        let what = format!("the games end at {expected}, the manifest says {end}");
        Err(Error::inconsistent(Tree::Games, what))
    }
}

/// Deletes every block that begins at or behind a game.
pub(crate) fn delete_from(engine: &Arc<dyn Engine>, first: u64) -> Result<()> {
    let from = part_key(first, 0);
    for pair in Scan::new(Arc::clone(engine), Tree::Games, from, vec![0xff; 8]) {
        let (key, _) = pair?;
        engine.apply(vec![Write::Delete { tree: Tree::Games, key }])?;
    }
    Ok(())
}
