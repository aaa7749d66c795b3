//! What a batch of games leaves in the index. It is made from games that come in, and from games of the log
//! when the index is built.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use boardprint_base::Digest;
use rayon::prelude::*;

use super::codec;
use super::columns::{self, Facts, Row};
use super::counts::{Counts, Summary};
use super::engine::{Engine, Tree, Write};
use super::error::{Error, Result};
use super::game::{StoredGame, Tags};
use super::game_index::IndexEntry;
use super::log::Address;
use super::manifest::{Manifest, Source};
use super::posting::{Posting, Prefix};
use super::ratings::{Rater, Ratings};
use super::replay::Replay;
use super::run::{BlockBuilder, Entry, Run, pack_block};
use super::sort;
use super::words::Words;

/// A game with its number still to come.
pub(crate) struct Item {
    pub(crate) game: Arc<StoredGame>,
    pub(crate) hash: Digest,
    pub(crate) positions: Positions,
    pub(crate) row: Row,
}

/// The positions of a game that are to be indexed.
pub(crate) enum Positions {
    /// Their hashes, each with its ply.
    Known(Vec<(Digest, u32)>),
    /// Those up to a ply; the game is replayed when their postings are made, so that their hashes are never
    /// kept.
    UpTo(u32),
}

impl Positions {
    /// No position.
    pub(crate) const fn none() -> Self {
        Positions::Known(Vec::new())
    }

    /// Hashes that are there, as far as they are to be indexed.
    pub(crate) fn known(mut hashes: Vec<(Digest, u32)>, max_ply: Option<u32>) -> Self {
        if let Some(max_ply) = max_ply {
            hashes.retain(|(_, ply)| *ply <= max_ply);
        }
        Positions::Known(hashes)
    }

    /// Those of a game, as far as they are to be indexed.
    pub(crate) fn of_game(game: &StoredGame, max_ply: Option<u32>) -> Self {
        let last = u32::try_from(game.moves.len()).unwrap_or(u32::MAX);
        Positions::UpTo(max_ply.map_or(last, |max_ply| last.min(max_ply)))
    }

    fn len(&self) -> usize {
        match self {
            Positions::Known(hashes) => hashes.len(),
            Positions::UpTo(ply) => *ply as usize + 1,
        }
    }
}

/// New tags of a game, as the index keeps them.
pub(crate) struct Retag {
    pub(crate) game: u64,
    names: [u32; 2],
    date: u32,
    ratings: [u16; 2],
    /// Where the tags stand in the log.
    pub(crate) at: Address,
}

impl Retag {
    pub(crate) fn new(game: u64, tags: &Tags, words: &mut Words, at: Address) -> Self {
        let facts = Facts::of(tags);
        let names = [words.number_of(facts.white), words.number_of(facts.black)];
        let ratings = [facts.white_rating, facts.black_rating];
        Retag { game, names, date: facts.date, ratings, at }
    }

    fn change(&self, row: &mut Row) {
        [row.white, row.black] = self.names;
        row.date = self.date;
        [row.white_rating, row.black_rating] = self.ratings;
    }
}

/// The row of a game whose place in the log is not known yet.
pub(crate) fn row_of(game: &StoredGame, laws: Option<&str>, words: &mut Words, at: Address) -> Row {
    let facts = Facts::of(&game.tags);
    let names = [
        words.number_of(facts.white),
        words.number_of(facts.black),
        words.number_of(laws.filter(|laws| !laws.is_empty())),
    ];
    Row::new(game, &facts, names, at)
}

/// Sums over all games, after a batch.
#[derive(Clone, Debug)]
pub(crate) struct Totals {
    pub(crate) next_game: u64,
    pub(crate) duplicates: u64,
    pub(crate) rejects: u64,
    pub(crate) sources: Arc<Vec<Source>>,
}

/// A batch, sorted, for the index.
pub(crate) struct IndexBatch {
    pub(crate) first: u64,
    pub(crate) rows: Vec<Row>,
    pub(crate) postings: Vec<Posting>,
    pub(crate) retags: Vec<Retag>,
    pub(crate) word_writes: Vec<Write>,
    pub(crate) words: u32,
    pub(crate) totals: Totals,
    /// The end of the log with this batch.
    pub(crate) log_end: Address,
    results: Counts,
    forgotten: u64,
    /// Blocks of the game index, and of postings and counts once they are packed.
    blocks: Vec<Write>,
    index_run: Run,
    posting_run: Option<Run>,
    count_run: Option<Run>,
    /// How many positions the batch has, each counted once.
    distinct: u64,
    /// Older games that get other ratings, with those that they had.
    rated_before: Vec<(u64, Ratings)>,
    /// Whether it may have been written before: nobody knows then which ratings games had.
    pub(crate) is_redone: bool,
}

impl IndexBatch {
    /// Sorts what the games leave, on the threads of the current rayon pool. Games whose rows say so were
    /// forgotten.
    pub(crate) fn new(
        first: u64,
        run: u32,
        mut items: Vec<Item>,
        replay: &dyn Replay,
        words: &mut Words,
        totals: Totals,
    ) -> Result<Self> {
        let mut all = postings_of_all(first, &mut items, replay)?;
        sort::by_position(&mut all);
        // The same position twice at one ply is one posting.
        all.dedup_by(|a, b| (*a).cmp(b).is_eq());
        let (mut results, mut forgotten) = (Counts::default(), 0);
        let mut index = Vec::with_capacity(items.len());
        for (game, item) in (first..).zip(&items) {
            if item.row.forgotten {
                forgotten += 1;
            } else {
                results.add(item.row.result);
                index.push(IndexEntry { hash: item.hash, game });
            }
        }
        index.par_sort_unstable();
        let (blocks, index_run) = encode_blocks(run, &index);
        Ok(IndexBatch {
            first,
            rows: items.into_iter().map(|item| item.row).collect(),
            postings: all,
            retags: Vec::new(),
            word_writes: words.writes(),
            words: words.len(),
            totals,
            log_end: Address::default(),
            results,
            forgotten,
            blocks,
            index_run,
            posting_run: None,
            count_run: None,
            distinct: 0,
            rated_before: Vec::new(),
            is_redone: false,
        })
    }

    /// How many positions the batch has.
    pub(crate) fn len(&self) -> u64 {
        self.posting_run.as_ref().map_or(self.postings.len() as u64, |run| run.entries)
    }

    /// Packs the postings and counts of the batch.
    pub(crate) fn packed(mut self, run: u32, threshold: usize) -> Result<Self> {
        self.retag_own();
        let (blocks, postings) = encode_blocks(run, &self.postings);
        let mut groups: Vec<&[Posting]> = Vec::new();
        for group in self.postings.chunk_by(Posting::same_position) {
            self.distinct += 1;
            if group.len() >= threshold {
                groups.push(group);
            }
        }
        let (first, rows) = (self.first, &*self.rows);
        let summary = |group| Summary::of(group, &mut Rater::Rows(first, rows));
        let summaries = groups.into_par_iter().map(summary).collect::<Result<Vec<Summary>>>()?;
        let (more, counts) = encode_stream(run, summaries);
        self.blocks.extend(blocks);
        self.blocks.extend(more);
        self.posting_run = Some(postings);
        self.count_run = Some(counts);
        self.postings = Vec::new();
        Ok(self)
    }

    /// Gives games of the batch the tags that later ones of it brought.
    fn retag_own(&mut self) {
        for retag in &self.retags {
            let place = retag.game.checked_sub(self.first).and_then(|place| usize::try_from(place).ok());
            if let Some(row) = place.and_then(|place| self.rows.get_mut(place)) {
                retag.change(row);
            }
        }
    }

    /// The changes that put the batch into an engine: under keys that nobody reads yet, and under others. The
    /// same changes made again do no harm.
    pub(crate) fn writes(&mut self, engine: &Arc<dyn Engine>) -> Result<(Vec<Write>, Vec<Write>)> {
        self.retag_own();
        let mut changed = HashMap::new();
        let mut before = BTreeMap::new();
        let mut columns = columns::Columns::new(engine);
        for retag in self.retags.iter().filter(|retag| retag.game < self.first) {
            let row = match changed.entry(retag.game) {
                std::collections::hash_map::Entry::Occupied(row) => row.into_mut(),
                std::collections::hash_map::Entry::Vacant(place) => {
                    let row = columns.row(retag.game)?;
                    before.insert(retag.game, row.ratings());
                    place.insert(row)
                }
            };
            retag.change(row);
        }
        before.retain(|game, ratings| changed.get(game).is_some_and(|row| row.ratings() != *ratings));
        self.rated_before = before.into_iter().collect();
        let rows = columns::writes(&**engine, self.first, &self.rows, &changed)?;
        let mut new = std::mem::take(&mut self.blocks);
        new.extend(rows.new);
        let mut old = std::mem::take(&mut self.word_writes);
        old.extend(rows.changed);
        let last: BTreeMap<u64, Address> = self.retags.iter().map(|retag| (retag.game, retag.at)).collect();
        old.extend(last.into_iter().map(|(game, at)| tags_write(game, at)));
        Ok((new, old))
    }

    /// Enters the batch into a manifest.
    pub(crate) fn note_in(self, manifest: &mut Manifest) {
        manifest.log_end = self.log_end;
        manifest.next_game = self.totals.next_game;
        manifest.duplicates = self.totals.duplicates;
        manifest.rejects = self.totals.rejects;
        manifest.sources = self.totals.sources;
        manifest.forgotten += self.forgotten;
        manifest.results.add_all(&self.results);
        manifest.words = self.words;
        manifest.retagged += self.retags.len() as u64;
        // Counts that are there were made with the ratings that games had.
        if self.is_redone && self.retags.iter().any(|retag| retag.game < self.first) {
            manifest.unrate();
        } else {
            manifest.note_rated(self.rated_before);
        }
        manifest.runs.push(Tree::GameIndex, self.index_run);
        if let Some(run) = self.posting_run {
            manifest.distinct.insert(run.id, self.distinct);
            manifest.runs.push(Tree::Postings, run);
        }
        if let Some(run) = self.count_run {
            manifest.runs.push(Tree::Counts, run);
        }
    }
}

/// The postings of games, one after another: each chunk of games has its own part of the list, so that none
/// is moved. The positions of the games are taken.
fn postings_of_all(first: u64, items: &mut [Item], replay: &dyn Replay) -> Result<Vec<Posting>> {
    const TOGETHER: usize = 64;
    for item in items.iter_mut().filter(|item| item.row.forgotten) {
        item.positions = Positions::none();
    }
    let count = |items: &[Item]| items.iter().map(|item| item.positions.len()).sum::<usize>();
    let mut all = vec![Posting::default(); count(items)];
    let mut rest = &mut *all;
    let mut parts = Vec::with_capacity(items.len().div_ceil(TOGETHER));
    for (id, games) in (first..).step_by(TOGETHER).zip(items.chunks_mut(TOGETHER)) {
        let part;
        (part, rest) = std::mem::take(&mut rest).split_at_mut(count(games));
        parts.push((id, games, part));
    }
    parts.into_par_iter().try_for_each(|(first, games, mut out)| {
        for (id, item) in (first..).zip(games) {
            let part;
            (part, out) = out.split_at_mut(item.positions.len());
            match std::mem::replace(&mut item.positions, Positions::none()) {
                Positions::Known(hashes) => postings_of(id, &item.game, &hashes, part)?,
                Positions::UpTo(ply) => postings_of_replay(id, &item.game, ply, replay, part)?,
            }
        }
        Ok(())
    })?;
    Ok(all)
}

/// Makes the postings of a game as it is replayed.
fn postings_of_replay(
    id: u64,
    game: &StoredGame,
    last: u32,
    replay: &dyn Replay,
    out: &mut [Posting],
) -> Result<()> {
    let Some(mut words) = game.moves.words() else {
        let mut hashes = replay.hashes(game).map_err(|why| Error::Replay { id, why })?;
        hashes.retain(|(_, ply)| *ply <= last);
        return postings_of(id, game, &hashes, out);
    };
    // If the last ply fits, all do.
    let model = Posting::new(Prefix::default(), id, last)?.followed_by(None, game.result);
    let (mut outs, mut plies) = (out.iter_mut(), 0..=last);
    let replayed = replay.each_hash(game, last, &mut |hash| {
        if let (Some(out), Some(ply)) = (outs.next(), plies.next()) {
            *out = model.earlier(Prefix::of(hash), ply, words.next());
        }
    });
    replayed.map_err(|why| Error::Replay { id, why })?;
    if outs.next().is_some() {
        return Err(Error::Replay { id, why: "it has fewer positions than moves".to_owned() });
    }
    Ok(())
}

/// Makes the postings of a game whose hashes are known.
fn postings_of(id: u64, game: &StoredGame, hashes: &[(Digest, u32)], out: &mut [Posting]) -> Result<()> {
    let result = game.result;
    // Plies ascend, so that the moves are gone through once.
    let (mut rest, mut next_ply, mut next) = (game.moves.iter(), 0, None);
    for ((hash, ply), out) in hashes.iter().zip(out) {
        if *ply < next_ply {
            (rest, next_ply) = (game.moves.iter(), 0);
        }
        while next_ply <= *ply {
            next = rest.next();
            next_ply += 1;
        }
        *out = Posting::new(Prefix::of(hash), id, *ply)?.followed_by(next.as_ref(), result);
    }
    Ok(())
}

fn tags_key(game: u64) -> Vec<u8> {
    game.to_be_bytes()[3..].to_vec()
}

fn tags_write(game: u64, at: Address) -> Write {
    let key = tags_key(game);
    let mut value = codec::begin(8);
    value.extend_from_slice(&at.0.to_le_bytes());
    let value = codec::seal(Tree::Tags, &key, value);
    Write::Put { tree: Tree::Tags, key, value }
}

/// Where the new tags of a game stand, if it has any.
pub(crate) fn tags_address(engine: &dyn Engine, game: u64) -> Result<Option<Address>> {
    let key = tags_key(game);
    let Some(value) = engine.get(Tree::Tags, &key)? else { return Ok(None) };
    let at = codec::open(Tree::Tags, &key, &value)?.array().map(|at| Address(u64::from_le_bytes(at)));
    at.ok_or_else(|| Error::damaged(Tree::Tags, &key, "no place in the log")).map(Some)
}

/// Packs sorted entries of fixed size, block by block in parallel.
pub(crate) fn encode_blocks<E: Entry>(run: u32, entries: &[E]) -> (Vec<Write>, Run) {
    let parts: Vec<Vec<Write>> = entries
        .par_chunks(E::BLOCK_ENTRIES)
        .enumerate()
        .map(|(number, block)| {
            let next = entries.get((number + 1) * E::BLOCK_ENTRIES);
            match pack_block(run, block, next) {
                Some(write) => vec![write],
                None => encode_long(run, block, next),
            }
        })
        .collect();
    let mut first = Vec::with_capacity(E::KEY_LEN);
    if let Some(entry) = entries.first() {
        entry.write_key(&mut first);
    }
    let (entries, first) = (entries.len() as u64, first.into());
    let mut whole = Run { id: run, level: 0, entries, blocks: 0, bytes: 0, first };
    let writes: Vec<Write> = parts.into_iter().flatten().collect();
    for write in &writes {
        if let Write::Put { key, value, .. } = write {
            whole.blocks += 1;
            whole.bytes += (key.len() + value.len()) as u64;
        }
    }
    (writes, whole)
}

/// The blocks of entries that do not fit into one, because moves are long.
fn encode_long<E: Entry>(run: u32, entries: &[E], next: Option<&E>) -> Vec<Write> {
    let mut builder = BlockBuilder::new(run, 0);
    let mut writes: Vec<Write> = entries.iter().filter_map(|entry| builder.push(entry.clone())).collect();
    writes.extend(builder.finish_before(next).0);
    writes
}

/// Packs sorted entries of any size.
fn encode_stream<E: Entry>(run: u32, entries: Vec<E>) -> (Vec<Write>, Run) {
    let mut builder = BlockBuilder::new(run, 0);
    let mut writes: Vec<Write> = entries.into_iter().filter_map(|entry| builder.push(entry)).collect();
    let (last, run) = builder.finish();
    writes.extend(last);
    (writes, run)
}
