//! Starts that games share, each stored once.
//!
//! The table is bounded, so that a collection in which every game has a start of its own costs no memory: when it is full,
//! further starts stay with their games.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use super::super::codec;
use super::super::engine::{Engine, Scan, Tree, Write};
use super::super::error::{Error, Result};

/// The starts that games share. It only grows, so that snapshots and the writer use the same table.
#[derive(Debug, Default)]
pub(crate) struct Starts {
    table: RwLock<Table>,
}

#[derive(Debug, Default)]
struct Table {
    texts: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, u32>,
    bytes: usize,
}

/// Where the start of a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StartRef {
    /// In the table.
    Shared(u32),
    /// With the game.
    Own,
}

impl Starts {
    /// How many starts the table holds at most.
    const MAX_COUNT: usize = 4096;
    /// How many bytes they have together at most.
    const MAX_BYTES: usize = 16 << 20;
    /// A longer start is compressed with its game.
    const MAX_START: usize = 64 << 10;

    /// Reads the first `count` starts and deletes what stands behind them.
    pub(crate) fn load(engine: &Arc<dyn Engine>, count: u32) -> Result<Self> {
        let starts = Starts::default();
        let mut doomed = Vec::new();
        for pair in Scan::new(Arc::clone(engine), Tree::Starts, Vec::new(), vec![0xff; 5]) {
            let (key, value) = pair?;
            let broken = |what| Error::damaged(Tree::Starts, &key, what);
            let id = key.first_chunk().map(|id| u32::from_be_bytes(*id)).filter(|_| key.len() == 4);
            let id = id.ok_or_else(|| broken("not the key of a start"))?;
            if id >= count {
                doomed.push(Write::Delete { tree: Tree::Starts, key });
                continue;
            }
            let packed = codec::open(Tree::Starts, &key, &value)?.rest();
            let text = zstd::bulk::decompress(packed, Self::MAX_START).ok();
            let text = text.and_then(|text| String::from_utf8(text).ok());
            let text = text.ok_or_else(|| broken("not a compressed text"))?;
            if starts.add(&text.into()) != Some(id) {
                return Err(broken("a start is missing or stands twice"));
            }
        }
        if starts.len() != count {
            let what = format!("{} starts, the manifest says {count}", starts.len());
            return Err(Error::inconsistent(Tree::Starts, what));
        }
        engine.apply(doomed)?;
        Ok(starts)
    }

    /// How many there are.
    pub(crate) fn len(&self) -> u32 {
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        u32::try_from(table.texts.len()).expect("the table is bounded")
    }

    /// A start by number.
    pub(crate) fn get(&self, id: u32) -> Option<Arc<str>> {
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        table.texts.get(id as usize).cloned()
    }

    /// Where a start stands; a new one is added to the table and to `writes` if there is room.
    pub(crate) fn intern(&self, start: &Arc<str>, writes: &mut Vec<Write>) -> Result<StartRef> {
        let known = {
            let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
            table.numbers.get(start).copied()
        };
        if let Some(id) = known {
            return Ok(StartRef::Shared(id));
        }
        let Some(id) = self.add(start) else { return Ok(StartRef::Own) };
        writes.push(Self::write(id, start)?);
        Ok(StartRef::Shared(id))
    }

    /// The writes that store every start, for a database that is written anew.
    pub(crate) fn writes(&self) -> Result<Vec<Write>> {
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        (0..).zip(&table.texts).map(|(id, text)| Self::write(id, text)).collect()
    }

    fn write(id: u32, start: &str) -> Result<Write> {
        let key = id.to_be_bytes().to_vec();
        let mut value = codec::begin(start.len());
        let packed = zstd::bulk::compress(start.as_bytes(), 0);
        value.extend(packed.map_err(|error| Error::Engine(format!("compression failed: {error}")))?);
        let value = codec::seal(Tree::Starts, &key, value);
        Ok(Write::Put { tree: Tree::Starts, key, value })
    }

    /// Adds a start if it is new and there is room.
    fn add(&self, start: &Arc<str>) -> Option<u32> {
        let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
        let fits = table.texts.len() < Self::MAX_COUNT
            && start.len() <= Self::MAX_START
            && table.bytes + start.len() <= Self::MAX_BYTES
            && !table.numbers.contains_key(start);
        fits.then(|| {
            let id = u32::try_from(table.texts.len()).expect("the table is bounded");
            table.texts.push(Arc::clone(start));
            table.numbers.insert(Arc::clone(start), id);
            table.bytes += start.len();
            id
        })
    }
}
