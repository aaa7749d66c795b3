//! Sorted runs: entries in blocks of about 512, each block one value of the engine.
//!
//! Each block says which one comes next, and the manifest which is the first, so that a block that an engine
//! lost is an error and never a wrong answer.
//!
//! The key of a block is the run's number and its first entry's key, so that all blocks of a run lie side by
//! side in order, and the block that may hold an entry is found by one floor seek.

use std::cmp::Ordering;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::thread;

use super::codec::{self, Cursor};
use super::engine::{Engine, Pair, Scan, Tree, Write};
use super::error::{Error, Result};

/// What runs are made of.
pub(crate) trait Entry: Clone + Send + Sync + 'static {
    /// The tree of its runs.
    const TREE: Tree;
    /// The length of a key.
    const KEY_LEN: usize;
    /// How many make a block, unless they are long.
    const BLOCK_ENTRIES: usize = 512;

    /// Appends the key. Keys order as entries do.
    fn write_key(&self, out: &mut Vec<u8>);

    /// Appends the entry, given the one before it in its block.
    fn encode(&self, previous: Option<&Self>, out: &mut Vec<u8>);

    /// Reads what `encode` wrote.
    fn decode(previous: Option<&Self>, input: &mut Cursor<'_>) -> Option<Self>;

    /// The first eight bytes of the key, as a number: entries order by them first.
    fn rank(&self) -> u64;

    /// The order of entries in a run.
    fn order(&self, other: &Self) -> Ordering;

    /// Takes in an entry with the same key, in a merge. Entries that are never equal keep the default.
    fn absorb(&mut self, _other: Self) {}
}

/// A run, as the manifest names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// Its number, the first four bytes of its keys.
    pub(crate) id: u32,
    /// How often its entries have been merged.
    pub(crate) level: u8,
    /// How many entries it holds.
    pub(crate) entries: u64,
    /// How many blocks it has.
    pub(crate) blocks: u64,
    /// The bytes of its keys and values.
    pub(crate) bytes: u64,
    /// The key of its first entry.
    pub(crate) first: Box<[u8]>,
}

/// A block ends when it has this many bytes, however few entries: a full leaf of sixteen blocks stays below
/// the size at which sled moves it into a file of its own.
const BLOCK_BYTES: usize = 7400;

impl Run {
    /// The keys of all blocks lie from the first to before the second.
    pub(crate) fn bounds(&self) -> (Vec<u8>, Vec<u8>) {
        run_bounds(self.id)
    }

    /// The key of its first block; `None` for a run without entries.
    pub(crate) fn first_key(&self) -> Option<Vec<u8>> {
        (self.entries > 0).then(|| [&self.id.to_be_bytes(), &*self.first].concat())
    }
}

/// Where the keys of a run begin and end.
pub(crate) fn run_bounds(id: u32) -> (Vec<u8>, Vec<u8>) {
    let next = id.checked_add(1).map_or_else(|| vec![0xff; 5], |next| next.to_be_bytes().to_vec());
    (id.to_be_bytes().to_vec(), next)
}

/// The key of the block that begins with an entry.
fn block_key<E: Entry>(run: u32, first: &E) -> Vec<u8> {
    let mut key = Vec::with_capacity(4 + E::KEY_LEN);
    key.extend_from_slice(&run.to_be_bytes());
    first.write_key(&mut key);
    key
}

/// The key that a block of the same run as another has if it begins with an entry.
fn block_key_of<E: Entry>(other: &[u8], first: &E) -> Vec<u8> {
    let mut key = Vec::with_capacity(4 + E::KEY_LEN);
    key.extend_from_slice(other.get(..4).unwrap_or_default());
    first.write_key(&mut key);
    key
}

/// Cuts sorted entries into blocks.
pub(crate) struct BlockBuilder<E> {
    run: Run,
    key: Vec<u8>,
    body: Vec<u8>,
    last: Option<E>,
    count: usize,
}

impl<E: Entry> BlockBuilder<E> {
    pub(crate) fn new(id: u32, level: u8) -> Self {
        let run = Run { id, level, entries: 0, blocks: 0, bytes: 0, first: Box::default() };
        BlockBuilder { run, key: Vec::new(), body: Vec::new(), last: None, count: 0 }
    }

    /// Adds the next entry; gives back a block when one is full.
    #[inline]
    pub(crate) fn push(&mut self, entry: E) -> Option<Write> {
        let full = self.count == E::BLOCK_ENTRIES || self.body.len() >= BLOCK_BYTES;
        let block = if full { self.take(Some(&entry)) } else { None };
        if self.count == 0 {
            self.key = block_key(self.run.id, &entry);
        }
        entry.encode(self.last.as_ref(), &mut self.body);
        self.last = Some(entry);
        self.count += 1;
        block
    }

    /// The last block, and the run.
    pub(crate) fn finish(self) -> (Option<Write>, Run) {
        self.finish_before(None)
    }

    /// The last block of a part of a run, and that part; `next` comes after it.
    pub(crate) fn finish_before(mut self, next: Option<&E>) -> (Option<Write>, Run) {
        (self.take(next), self.run)
    }

    /// The run so far, and its last block, which is still open.
    pub(crate) fn leave_open(mut self) -> (Run, Option<OpenBlock>) {
        let (key, body, count) = (std::mem::take(&mut self.key), std::mem::take(&mut self.body), self.count);
        (self.run, (count > 0).then_some(OpenBlock { key, body, count }))
    }

    fn take(&mut self, next: Option<&E>) -> Option<Write> {
        if self.count == 0 {
            return None;
        }
        let key = std::mem::take(&mut self.key);
        let mut value = codec::begin(self.body.len() + 3 + 1 + E::KEY_LEN);
        if let Some(next) = next {
            value.push(1);
            next.write_key(&mut value);
        } else {
            value.push(0);
        }
        if self.run.blocks == 0 {
            self.run.first = key[4..].into();
        }
        codec::put_varint(&mut value, self.count as u64);
        value.extend_from_slice(&self.body);
        let value = codec::seal(E::TREE, &key, value);
        self.run.entries += self.count as u64;
        self.run.blocks += 1;
        self.run.bytes += (key.len() + value.len()) as u64;
        self.body.clear();
        self.last = None;
        self.count = 0;
        Some(Write::Put { tree: E::TREE, key, value })
    }
}

/// One block of entries that lie side by side; `next` comes after it. `None` if they take more than a block
/// may.
pub(crate) fn pack_block<E: Entry>(run: u32, entries: &[E], next: Option<&E>) -> Option<Write> {
    // As much as most take, so that the value need not move.
    let mut value = codec::begin(1 + E::KEY_LEN + 3 + entries.len() * 14 + 64);
    value.push(next.is_some().into());
    if let Some(next) = next {
        next.write_key(&mut value);
    }
    codec::put_varint(&mut value, entries.len() as u64);
    let (limit, mut previous) = (value.len() + BLOCK_BYTES, None);
    for entry in entries {
        if value.len() >= limit {
            return None;
        }
        entry.encode(previous, &mut value);
        previous = Some(entry);
    }
    let key = block_key(run, entries.first()?);
    let value = codec::seal(E::TREE, &key, value);
    Some(Write::Put { tree: E::TREE, key, value })
}

/// The last block of a part of a run: the entry that comes after it is not known yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OpenBlock {
    pub(crate) key: Vec<u8>,
    pub(crate) body: Vec<u8>,
    pub(crate) count: usize,
}

impl OpenBlock {
    /// Ends the block, and counts it as one of a run; `next` is the key of the entry after it.
    pub(crate) fn seal(self, tree: Tree, next: Option<&[u8]>, run: &mut Run) -> Write {
        let mut value = codec::begin(self.body.len() + 4 + next.map_or(0, <[u8]>::len));
        value.push(next.is_some().into());
        value.extend_from_slice(next.unwrap_or_default());
        codec::put_varint(&mut value, self.count as u64);
        value.extend_from_slice(&self.body);
        let value = codec::seal(tree, &self.key, value);
        run.entries += self.count as u64;
        run.blocks += 1;
        run.bytes += (self.key.len() + value.len()) as u64;
        Write::Put { tree, key: self.key, value }
    }
}

/// A stored block, checked: order, number, first key.
pub(crate) struct BlockRead<E> {
    pub(crate) entries: Vec<E>,
    /// The whole key of the block that comes next.
    pub(crate) next: Option<Vec<u8>>,
}

/// What a stored block says before its entries: the whole key of the block that comes next, and how many
/// entries there are.
fn open_block<'a, E: Entry>(key: &[u8], value: &'a [u8]) -> Result<(Option<Vec<u8>>, usize, Cursor<'a>)> {
    let mut input = codec::open(E::TREE, key, value)?;
    let broken = |what| Error::damaged(E::TREE, key, what);
    let next = match input.byte() {
        Some(0) => None,
        Some(1) => {
            let next = input.take(E::KEY_LEN).ok_or_else(|| broken("no key of the next block"))?;
            Some([key.get(..4).unwrap_or_default(), next].concat())
        }
        _ => return Err(broken("no word about the next block")),
    };
    if next.as_ref().is_some_and(|next| **next <= *key) {
        return Err(broken("the next block comes before it"));
    }
    let count = input.count().ok_or_else(|| broken("no number of entries"))?;
    Ok((next, count, input))
}

/// Reads a stored block.
pub(crate) fn read_block<E: Entry>(key: &[u8], value: &[u8]) -> Result<BlockRead<E>> {
    let (next, count, mut input) = open_block::<E>(key, value)?;
    let broken = |what| Error::damaged(E::TREE, key, what);
    let mut entries: Vec<E> = Vec::with_capacity(count);
    for _ in 0..count {
        let previous = entries.last();
        let entry = E::decode(previous, &mut input).ok_or_else(|| broken("an entry cannot be read"))?;
        if previous.is_some_and(|previous| previous.order(&entry) != Ordering::Less) {
            return Err(broken("entries out of order"));
        }
        entries.push(entry);
    }
    if !input.is_empty() || entries.is_empty() {
        return Err(broken("bytes left over"));
    }
    if block_key_of(key, &entries[0]) == key {
        Ok(BlockRead { entries, next })
    } else {
        Err(broken("the key is not that of the first entry"))
    }
}

/// Looks an entry up in the block that would hold it. `find` gets the number of entries and their bytes; it
/// may pass over the others without making them, and gives `None` if these cannot be read.
pub(crate) fn find_entry<E: Entry, T>(
    engine: &dyn Engine,
    run: &Run,
    wanted: &E,
    find: impl FnOnce(usize, &mut Cursor<'_>) -> Option<Option<T>>,
) -> Result<Option<T>> {
    let key = block_key(run.id, wanted);
    let Some(first) = run.first_key().filter(|first| *first <= key) else { return Ok(None) };
    let block = engine.floor(E::TREE, &key)?.filter(|(found, _)| *found >= first);
    let (found, value) =
        block.ok_or_else(|| Error::damaged(E::TREE, &first, "the first block is missing"))?;
    let (next, count, mut input) = open_block::<E>(&found, &value)?;
    // The block that is found reaches beyond what is looked for, or one is missing.
    if let Some(next) = next.filter(|next| *next <= key) {
        return Err(Error::damaged(E::TREE, &next, "the block is missing"));
    }
    find(count, &mut input).ok_or_else(|| Error::damaged(E::TREE, &found, "an entry cannot be read"))
}

/// The entries of a run, block by block. They are made one by one, so that a lookup pays for none that comes
/// after what it looks for.
pub(crate) struct RunReader<E> {
    blocks: Scan,
    /// The key and the value of the block under way, whose checksum is right.
    block: (Vec<u8>, Vec<u8>),
    /// Where in the value the next entry begins.
    at: usize,
    /// How many entries of the block are left.
    left: usize,
    /// Whether the next entry is the first of its block.
    is_first: bool,
    /// The entry that comes next, if it was made already.
    next: Option<E>,
    last: Option<E>,
    /// The key of the block that must come next.
    expected: Option<Vec<u8>>,
}

impl<E: Entry> RunReader<E> {
    /// All entries of a run.
    pub(crate) fn new(engine: &Arc<dyn Engine>, run: &Run) -> Self {
        let (from, to) = run.bounds();
        Self::over(Scan::new(Arc::clone(engine), E::TREE, from, to), run.first_key())
    }

    /// The entries from the first that is not below `from`: one floor seek.
    pub(crate) fn from_entry(engine: &Arc<dyn Engine>, run: &Run, from: &E) -> Result<Self> {
        let (first, to) = run.bounds();
        let key = block_key(run.id, from);
        let Some(run_first) = run.first_key() else { return Ok(Self::new(engine, run)) };
        if key <= run_first {
            return Ok(Self::new(engine, run));
        }
        let block = engine.floor(E::TREE, &key)?.filter(|block| block.0 >= first);
        let block = block.ok_or_else(|| Error::damaged(E::TREE, &run_first, "the first block is missing"))?;
        let found = block.0.clone();
        let blocks = Scan::after(Arc::clone(engine), E::TREE, block, to);
        let mut reader = Self::over(blocks, Some(found));
        reader.fill()?;
        // The block that is found reaches beyond what is looked for, or one is missing.
        if let Some(next) = reader.expected.as_ref().filter(|next| **next <= key) {
            return Err(Error::damaged(E::TREE, next, "the block is missing"));
        }
        while reader.left > 0 {
            let entry = reader.entry()?;
            if entry.order(from) != Ordering::Less {
                reader.next = Some(entry);
                break;
            }
        }
        Ok(reader)
    }

    fn over(blocks: Scan, expected: Option<Vec<u8>>) -> Self {
        RunReader {
            blocks,
            block: Default::default(),
            at: 0,
            left: 0,
            is_first: true,
            next: None,
            last: None,
            expected,
        }
    }

    /// Goes to the next block; whether there is one.
    fn fill(&mut self) -> Result<bool> {
        match next_block::<E>(&mut self.blocks, &mut self.expected)? {
            Some(block) => self.block = block,
            None => return Ok(false),
        }
        let (key, value) = &self.block;
        let (next, count, input) = open_block::<E>(key, value)?;
        if count == 0 {
            return Err(Error::damaged(E::TREE, key, "no entries"));
        }
        self.at = codec::body_end(value) - input.rest().len();
        (self.left, self.is_first, self.expected) = (count, true, next);
        Ok(true)
    }

    /// Calls with the entries that are left, for as long as somebody wants them. None is copied.
    pub(crate) fn for_each(mut self, mut visit: impl FnMut(&E) -> Result<bool>) -> Result<()> {
        if let Some(entry) = self.next.take()
            && !visit(&entry)?
        {
            return Ok(());
        }
        while self.left > 0 || self.fill()? {
            if !visit(self.advance()?)? {
                break;
            }
        }
        Ok(())
    }

    /// The next entry of the block.
    #[inline]
    fn entry(&mut self) -> Result<E> {
        self.advance().cloned()
    }

    /// Goes to the next entry of the block, checked: order, number, first key.
    #[inline]
    fn advance(&mut self) -> Result<&E> {
        let (key, value) = &self.block;
        let left = std::mem::take(&mut self.left);
        let broken = |what| Error::damaged(E::TREE, key, what);
        let end = codec::body_end(value);
        let mut input = Cursor::new(&value[self.at..end]);
        let previous = if self.is_first { None } else { self.last.as_ref() };
        let entry = E::decode(previous, &mut input).ok_or_else(|| broken("an entry cannot be read"))?;
        if self.last.as_ref().is_some_and(|last| last.order(&entry) != Ordering::Less) {
            return Err(broken("entries out of order"));
        }
        if std::mem::take(&mut self.is_first) && block_key_of(key, &entry) != *key {
            return Err(broken("the key is not that of the first entry"));
        }
        if left == 1 && !input.is_empty() {
            return Err(broken("bytes left over"));
        }
        self.at = end - input.rest().len();
        self.left = left - 1;
        Ok(self.last.insert(entry))
    }
}

impl<E: Entry> Iterator for RunReader<E> {
    type Item = Result<E>;

    #[inline]
    fn next(&mut self) -> Option<Result<E>> {
        if let Some(entry) = self.next.take() {
            return Some(Ok(entry));
        }
        if self.left == 0 {
            match self.fill() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
        Some(self.entry())
    }
}

/// The next block of a run, which must be the one that the block before named.
fn next_block<E: Entry>(blocks: &mut Scan, expected: &mut Option<Vec<u8>>) -> Result<Option<Pair>> {
    match (blocks.next().transpose()?, expected.take()) {
        (None, None) => Ok(None),
        (Some(block), Some(expected)) if block.0 == expected => Ok(Some(block)),
        (_, Some(expected)) => Err(Error::damaged(E::TREE, &expected, "the block is missing")),
        (Some(block), None) => Err(Error::damaged(E::TREE, &block.0, "the run ends before the block")),
    }
}

/// All entries of a run. They are made a block at a time, which is less work for each than [`RunReader`] has.
pub(crate) struct WholeRun<E> {
    blocks: Scan,
    /// The key of the block that must come next.
    expected: Option<Vec<u8>>,
    /// What is left of the block under way.
    entries: std::vec::IntoIter<E>,
    /// The last entry of that block.
    last: Option<E>,
}

impl<E: Entry> WholeRun<E> {
    pub(crate) fn new(engine: &Arc<dyn Engine>, run: &Run) -> Self {
        let (from, to) = run.bounds();
        let blocks = Scan::new(Arc::clone(engine), E::TREE, from, to);
        WholeRun { blocks, expected: run.first_key(), entries: Vec::new().into_iter(), last: None }
    }

    /// Goes to the next block; its first entry.
    #[cold]
    fn fill(&mut self) -> Result<Option<E>> {
        let Some((key, value)) = next_block::<E>(&mut self.blocks, &mut self.expected)? else {
            return Ok(None);
        };
        let BlockRead { entries, next } = read_block::<E>(&key, &value)?;
        if let (Some(last), Some(first)) = (&self.last, entries.first())
            && last.order(first) != Ordering::Less
        {
            return Err(Error::damaged(E::TREE, &key, "entries out of order"));
        }
        self.last = entries.last().cloned();
        (self.expected, self.entries) = (next, entries.into_iter());
        Ok(self.entries.next())
    }
}

impl<E: Entry> Iterator for WholeRun<E> {
    type Item = Result<E>;

    #[inline]
    fn next(&mut self) -> Option<Result<E>> {
        match self.entries.next() {
            Some(entry) => Some(Ok(entry)),
            None => self.fill().transpose(),
        }
    }
}

/// Several sorted streams as one; entries with equal keys are absorbed into the first.
///
/// The heads of the streams play a tournament. Each match remembers its loser, so that whoever comes after
/// the winner plays one match per round against those, and nobody else plays again.
pub(crate) struct Merge<E, S> {
    streams: Vec<S>,
    /// The next entry of each stream.
    heads: Vec<Option<E>>,
    /// The winner of the tournament, then the loser of each match: the final, the matches before it, and so on.
    places: Vec<Player>,
    /// An error met while a head was filled.
    failed: Option<Error>,
}

/// A stream in the tournament. Its rank stands beside it, so that the matches of a round need not wait for
/// each other's heads.
#[derive(Clone, Copy)]
struct Player {
    /// The rank of its head; the greatest where the stream has ended.
    rank: u64,
    stream: usize,
}

impl<E: Entry, S: Iterator<Item = Result<E>>> Merge<E, S> {
    pub(crate) fn new(streams: Vec<S>) -> Self {
        let count = streams.len();
        let heads = (0..count).map(|_| None).collect();
        let mut merge = Merge { streams, heads, places: Vec::with_capacity(count), failed: None };
        let players: Vec<Player> = (0..count).map(|stream| merge.fill(stream)).collect();
        let Some(first) = players.first() else { return merge };
        // The winners of the matches, and after them the streams themselves: the match at n is between those
        // at 2n and 2n + 1.
        merge.places = vec![*first; count];
        let mut winners = [&*merge.places, &*players].concat();
        for place in (1..count).rev() {
            let (one, other) = (winners[2 * place], winners[2 * place + 1]);
            let one_wins = merge.beats(one, other);
            (winners[place], merge.places[place]) = if one_wins { (one, other) } else { (other, one) };
        }
        merge.places[0] = winners[1];
        merge
    }

    /// Takes the next entry of a stream for its head.
    #[inline]
    fn fill(&mut self, stream: usize) -> Player {
        let head = match self.streams[stream].next() {
            Some(Ok(entry)) => Some(entry),
            Some(Err(error)) => {
                self.failed = Some(error);
                None
            }
            None => None,
        };
        let rank = head.as_ref().map_or(u64::MAX, E::rank);
        self.heads[stream] = head;
        Player { rank, stream }
    }

    /// Whether the head of one stream comes before that of another; earlier streams come first among equals,
    /// so that `absorb` sees them in order.
    #[inline]
    fn beats(&self, one: Player, other: Player) -> bool {
        if one.rank == other.rank { self.beats_closely(one, other) } else { one.rank < other.rank }
    }

    #[cold]
    fn beats_closely(&self, one: Player, other: Player) -> bool {
        match (&self.heads[one.stream], &self.heads[other.stream]) {
            (Some(head), Some(next)) => {
                head.order(next).then(one.stream.cmp(&other.stream)) == Ordering::Less
            }
            (head, _) => head.is_some(),
        }
    }

    /// The least entry of all streams.
    #[inline]
    fn pop(&mut self) -> Option<E> {
        let stream = self.places.first()?.stream;
        let entry = self.heads[stream].take()?;
        let mut winner = self.fill(stream);
        let mut place = self.places.len() + stream;
        while place > 1 {
            place /= 2;
            let other = self.places[place];
            let changes = self.beats(other, winner);
            (winner, self.places[place]) = if changes { (other, winner) } else { (winner, other) };
        }
        self.places[0] = winner;
        Some(entry)
    }

    /// Whether the next entry has the key of another.
    #[inline]
    fn comes_again(&self, entry: &E) -> bool {
        let winner = self.places.first().filter(|winner| winner.rank == entry.rank());
        let next = winner.and_then(|winner| self.heads[winner.stream].as_ref());
        next.is_some_and(|next| next.order(entry) == Ordering::Equal)
    }
}

impl<E: Entry, S: Iterator<Item = Result<E>>> Iterator for Merge<E, S> {
    type Item = Result<E>;

    #[inline]
    fn next(&mut self) -> Option<Result<E>> {
        if self.failed.is_none()
            && let Some(mut entry) = self.pop()
        {
            while self.failed.is_none() && self.comes_again(&entry) {
                if let Some(equal) = self.pop() {
                    entry.absorb(equal);
                }
            }
            if self.failed.is_none() {
                return Some(Ok(entry));
            }
        }
        self.places.clear();
        self.failed.take().map(Err)
    }
}

/// Writes a sorted stream as a run. The stream is read and encoded in one thread while another writes.
pub(crate) fn write_run<E: Entry>(
    engine: &dyn Engine,
    id: u32,
    level: u8,
    entries: impl Iterator<Item = Result<E>> + Send,
) -> Result<Run> {
    const IN_FLIGHT: usize = 2;
    const GROUP: usize = 1024;
    let (sender, receiver) = sync_channel::<Vec<Write>>(IN_FLIGHT);
    thread::scope(|scope| {
        let encoder = scope.spawn(move || -> Result<Run> {
            let mut builder = BlockBuilder::new(id, level);
            let mut group = Vec::with_capacity(GROUP);
            for entry in entries {
                group.extend(builder.push(entry?));
                // A failed send means that the writer failed; its error is the one to report.
                if group.len() >= GROUP && sender.send(std::mem::take(&mut group)).is_err() {
                    break;
                }
            }
            let (last, run) = builder.finish();
            group.extend(last);
            let _ = sender.send(group);
            Ok(run)
        });
        let written = receiver.into_iter().try_for_each(|group| engine.load(group));
        let run = encoder.join().map_err(|_| Error::Engine("the encoder panicked".to_owned()))?;
        written?;
        run
    })
}

/// Deletes every block of a run.
pub(crate) fn delete_run(engine: &dyn Engine, tree: Tree, id: u32) -> Result<()> {
    let (from, to) = run_bounds(id);
    engine.delete_range(tree, &from, &to)
}
