//! The way in: batches are numbered, encoded and committed.
//!
//! Numbering decides which games are new and gives them their numbers, one batch after another. Encoding
//! sorts and packs a batch and needs nothing but the batch. Committing writes and acknowledges, in order:
//!
//! 1. the frames of the batch, its end the last of them, into the log; sync. From here on the batch is kept,
//!    whatever happens;
//! 2. blocks of the index, under run numbers that the manifest does not name; sync;
//! 3. the manifest that names them; sync;
//! 4. HEAD.
//!
//! A merge of runs does the same from step 2 on, then deletes the old runs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard, PoisonError};

use boardprint_base::Digest;

use super::build::{IndexBatch, Item, Retag};
use super::counts::{Summariser, Summary};
use super::engine::{Access, Engine, Tree, Write};
use super::error::{Error, Result};
use super::export::LogReader;
use super::game::StoredGame;
use super::game_index::IndexEntry;
use super::head::Head;
use super::log::{
    BLOCK_GAMES, BatchEnd, Copies, CopyNote, Frame, HEAD_BYTES, RejectNote, Rejects, Retagged, SourceMark,
    encode_block,
};
use super::manifest::{CountNotes, Manifest, Runs, Source, Spill};
use super::numberer::{Judge, Numberer};
use super::posting::Posting;
use super::ratings::{Rater, RatingTable, Ratings};
use super::replay::Replay;
use super::run::{BlockBuilder, Merge, Run, WholeRun, delete_run, write_run};
use super::{Db, Shared};
use rayon::prelude::*;

/// A game on its way into the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewGame {
    /// The game; `source.file` is the place of its source in [`Batch::sources`].
    pub game: StoredGame,
    /// What tells the game from others.
    pub hash: Digest,
    /// The hash of each position and its ply, in order; empty if [`Replay::each_hash`] shall be asked for
    /// them, of games that turn out to be new.
    pub positions: Vec<(Digest, u32)>,
    /// The laws, unless they are the usual ones.
    pub laws: Option<String>,
}

/// Games that come in together, whole or not at all.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// The games, in the order of the input.
    pub games: Vec<NewGame>,
    /// The source files that were read for this batch, and how far.
    pub sources: Vec<Source>,
    /// Records that could not be read; `place.file` is the place of the source in `sources`.
    pub rejects: Vec<RejectNote>,
    /// Copies of these games that were noted elsewhere; `of` is the place of the game in `games`, in
    /// ascending order, and `place.file` that of the source in `sources`.
    pub copies: Vec<CopyNote>,
    /// What to do with games that the database holds already.
    pub duplicates: OnDuplicate,
}

/// What to do with games that the database holds already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnDuplicate {
    /// Note the copy; the stored game takes the tags that it lacks.
    #[default]
    Merge,
    /// Note the copy and leave the stored game as it is.
    Skip,
    /// Store it again.
    Keep,
}

/// What became of a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ingested {
    /// The number of the first new game.
    pub first_game: u64,
    /// How many games are new.
    pub games: u64,
    /// How many were there already and left out.
    pub duplicates: u64,
    /// How many of these gave tags to the stored game.
    pub merged: u64,
    /// How many of the new games share their hash with another game.
    pub collisions: u64,
    /// How many positions the new games have in the index.
    pub postings: u64,
}

/// What the writer keeps between batches.
#[derive(Debug, Default)]
pub(crate) struct WriterState {
    /// Whether a write failed, so that memory and disk may differ.
    failed: bool,
    /// Merged runs that snapshots may still read.
    doomed: Vec<(Tree, Arc<Run>)>,
    /// Whether what interrupted work left was cleared.
    recovered: bool,
}

/// Writes and acknowledges.
pub(crate) struct Committer<'a> {
    shared: &'a Shared,
    state: MutexGuard<'a, WriterState>,
}

/// A batch whose new games have numbers.
pub(crate) struct Numbered {
    pub(super) first: u64,
    pub(super) run: u32,
    pub(super) items: Vec<Item>,
    pub(super) copies: Vec<CopyNote>,
    pub(super) retagged: Vec<Retagged>,
    pub(super) rejects: Vec<RejectNote>,
    pub(super) marks: Vec<SourceMark>,
    pub(super) totals: super::build::Totals,
    pub(super) results: super::counts::Counts,
    pub(super) words: (Vec<Write>, u32),
    pub(super) retags: Vec<Retag>,
    pub(super) ingested: Ingested,
    pub(super) threshold: usize,
}

/// A batch, ready to be written.
pub(crate) struct Encoded {
    /// Blocks of games, then other frames.
    frames: Vec<Frame>,
    blocks: usize,
    first_tags: usize,
    marks: Vec<SourceMark>,
    results: super::counts::Counts,
    pub(crate) index: IndexBatch,
    ingested: Ingested,
}

impl Db {
    /// Puts a batch into the database. When this returns, it is there for good.
    ///
    /// # Errors
    ///
    /// If the disk or the engine fails, or a game is beyond what the format can hold. Nothing can be written
    /// then until the database is opened again.
    pub fn ingest(&self, batch: Batch, replay: &dyn Replay, judge: Option<&dyn Judge>) -> Result<Ingested> {
        let (numberer, mut committer) = self.writer(replay)?;
        let mut numberer = numberer.judge(judge);
        committer.commit(numberer.number(batch)?.encode(replay, true)?)
    }

    /// Merges all runs of each tree into one, so that a lookup asks one run. It costs about as much as
    /// writing all postings once.
    ///
    /// # Errors
    ///
    /// If the disk or the engine fails.
    pub fn settle(&self, replay: &dyn Replay) -> Result<()> {
        let mut committer = self.committer(replay)?;
        committer.guarded(|committer| {
            for tree in [Tree::Postings, Tree::GameIndex] {
                let runs = committer.shared.manifest().runs.of(tree).to_vec();
                if runs.len() > 1 {
                    committer.merge_into_one(tree, runs, false)?;
                }
            }
            Ok(())
        })
    }

    /// Deletes what was merged into other runs, unless a snapshot still reads it; whether anything is left to
    /// delete. Every batch does the same.
    ///
    /// # Errors
    ///
    /// If the disk or the engine fails.
    pub fn sweep(&self, replay: &dyn Replay) -> Result<bool> {
        self.committer(replay)?.guarded(|committer| {
            committer.delete_doomed()?;
            Ok(!committer.state.doomed.is_empty())
        })
    }

    /// Whether [`Db::settle`] pays: the runs beside the largest hold more than a quarter of what that one
    /// does. Whoever settles only then writes a posting a few times while the database grows tenfold.
    #[must_use]
    pub fn wants_settling(&self) -> bool {
        let manifest = self.shared.manifest();
        let entries = || manifest.runs.postings.iter().map(|run| run.entries);
        let largest = entries().max().unwrap_or(0);
        entries().sum::<u64>() - largest > largest / 4
    }

    /// The parts of the way in, or for a dry run only the one that decides: nothing is written then, and
    /// every game that was numbered stays in memory.
    ///
    /// A dry run changes nothing, so that it cannot take in what an interrupted import left in the log alone.
    pub(crate) fn way_in<'a>(
        &'a self,
        replay: &'a dyn Replay,
        dry_run: bool,
    ) -> Result<(Numberer<'a>, Option<Committer<'a>>)> {
        if !dry_run {
            return self.writer(replay).map(|(numberer, committer)| (numberer, Some(committer)));
        }
        let manifest = self.shared.manifest();
        let whole = self.shared.log.whole_end(manifest.log_end)?;
        if whole > manifest.log_end {
            let reader = LogReader::over(Arc::clone(&self.shared.log), whole, manifest.profile.clone())?;
            return Err(Error::Behind { indexed: manifest.next_game, acknowledged: reader.next_game() });
        }
        Ok((Numberer::new(&self.shared)?, None))
    }

    /// The parts of the way in. Waits for another writer to end; clears what interrupted work left, and
    /// indexes what is in the log alone.
    pub(crate) fn writer<'a>(&'a self, replay: &'a dyn Replay) -> Result<(Numberer<'a>, Committer<'a>)> {
        let committer = self.committer(replay)?;
        Ok((Numberer::new(&self.shared)?, committer))
    }

    /// The part that writes, as [`Db::writer`] gives it.
    pub(crate) fn committer<'a>(&'a self, replay: &dyn Replay) -> Result<Committer<'a>> {
        let shared = &self.shared;
        if shared.access == Access::Read {
            return Err(Error::ReadOnly);
        }
        let mut committer = Committer::new(shared);
        if committer.state.failed {
            return Err(Error::Failed);
        }
        if !committer.state.recovered {
            committer.guarded(|committer| committer.recover(replay))?;
            committer.state.recovered = true;
        }
        if shared.is_loading() {
            // A bulk load was dropped before its end.
            committer.guarded(Committer::finish_bulk)?;
        }
        Ok(committer)
    }
}

impl Numbered {
    /// Sorts and packs the batch, on the threads of the current rayon pool; without `packed`, postings are
    /// only sorted.
    pub(crate) fn encode(self, replay: &dyn Replay, packed: bool) -> Result<Encoded> {
        let first = self.first;
        let blocks = self.items.par_chunks(BLOCK_GAMES).enumerate().map(|(block, items)| {
            let games = items.iter().map(|item| (&*item.game, &item.hash));
            encode_block(first + (block * BLOCK_GAMES) as u64, games)
        });
        let mut frames = blocks.collect::<Result<Vec<Frame>>>()?;
        let blocks = frames.len();
        if !self.copies.is_empty() {
            frames.push(Copies(self.copies).frame());
        }
        if !self.rejects.is_empty() {
            frames.push(Rejects(self.rejects).frame());
        }
        let first_tags = frames.len();
        frames.extend(self.retagged.iter().map(Retagged::frame));
        let mut words = super::words::Words::default();
        let mut index = IndexBatch::new(first, self.run, self.items, replay, &mut words, self.totals)?;
        (index.word_writes, index.words) = self.words;
        index.retags = self.retags;
        if packed {
            index = index.packed(self.run, self.threshold)?;
        }
        let mut ingested = self.ingested;
        ingested.postings = index.len();
        Ok(Encoded { frames, blocks, first_tags, marks: self.marks, results: self.results, index, ingested })
    }
}

impl Encoded {
    /// What became of the batch, once it is committed.
    pub(crate) const fn ingested(&self) -> Ingested {
        self.ingested
    }

    /// The bytes of the batch at a place in the log. Rows and new tags learn where they are.
    fn place(
        &mut self,
        previous: super::log::Address,
        at: super::log::Address,
        results: super::counts::Counts,
    ) -> Result<Vec<u8>> {
        let size: u64 = self.frames.iter().map(Frame::total).sum();
        let mut out = Vec::with_capacity(usize::try_from(size).unwrap_or(0) + 256);
        for (number, frame) in self.frames.drain(..).enumerate() {
            let here = at.after(out.len() as u64)?;
            if number < self.blocks {
                let rows = self.index.rows.iter_mut().skip(number * BLOCK_GAMES).take(BLOCK_GAMES);
                rows.for_each(|row| row.address = here);
            } else if let Some(retag) =
                number.checked_sub(self.first_tags).and_then(|tags| self.index.retags.get_mut(tags))
            {
                retag.at = here;
            }
            frame.write(here, &mut out);
        }
        let totals = &self.index.totals;
        let end = BatchEnd {
            begin: at,
            previous,
            next_game: totals.next_game,
            duplicates: totals.duplicates,
            rejects: totals.rejects,
            results,
            sources: std::mem::take(&mut self.marks),
        };
        end.frame().write(at.after(out.len() as u64)?, &mut out);
        debug_assert!(out.len() > HEAD_BYTES);
        self.index.log_end = at.after(out.len() as u64)?;
        Ok(out)
    }
}

impl<'a> Committer<'a> {
    /// The one writer. Waits for another to end.
    pub(crate) fn new(shared: &'a Shared) -> Self {
        Committer { shared, state: shared.writer.lock().unwrap_or_else(PoisonError::into_inner) }
    }

    /// Writes a batch and acknowledges it, then merges runs if there are many.
    pub(crate) fn commit(&mut self, encoded: Encoded) -> Result<Ingested> {
        self.guarded(|this| {
            let ingested = encoded.ingested;
            let index = this.append(encoded)?;
            this.index(index, Vec::new(), false)?;
            this.merge(false)?;
            Ok(ingested)
        })
    }

    /// Runs work after whose failure nothing more is written.
    pub(crate) fn guarded<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.state.failed {
            return Err(Error::Failed);
        }
        // Set first, so that a panic counts as a failure too.
        self.state.failed = true;
        let result = work(self)?;
        self.state.failed = false;
        Ok(result)
    }

    pub(crate) const fn shared(&self) -> &'a Shared {
        self.shared
    }

    /// Writes a batch into the log; what is left is for the index.
    pub(crate) fn append(&mut self, encoded: Encoded) -> Result<IndexBatch> {
        let current = self.shared.writer_manifest();
        self.append_after(&current, encoded)
    }

    /// As [`Committer::append`], after a state that need not be published.
    pub(crate) fn append_after(&mut self, current: &Manifest, mut encoded: Encoded) -> Result<IndexBatch> {
        if encoded.index.first != current.next_game {
            let what =
                format!("a batch from game {} comes after game {}", encoded.index.first, current.next_game);
            return Err(Error::inconsistent(Tree::GameIndex, what));
        }
        let log = &self.shared.log;
        let at = log.place_for_batch(current.log_end)?;
        let mut results = current.results;
        results.add_all(&encoded.results);
        let bytes = encoded.place(current.log_end, at, results)?;
        log.append(at, &bytes)?;
        Ok(encoded.index)
    }

    /// Indexes a batch that is in the log, and acknowledges it; `spills` hold postings that are not in its
    /// blocks.
    pub(crate) fn index(&mut self, mut batch: IndexBatch, spills: Vec<Spill>, loading: bool) -> Result<()> {
        if self.write_index(&mut batch)? {
            self.shared.engine.sync()?;
        }
        let mut manifest = (*self.shared.writer_manifest()).clone();
        batch.note_in(&mut manifest);
        manifest.spills.extend(spills);
        self.publish(manifest, loading)
    }

    /// Writes what a batch leaves in the index; whether that is anything.
    pub(crate) fn write_index(&self, batch: &mut IndexBatch) -> Result<bool> {
        let (new, old) = batch.writes(&self.shared.engine)?;
        let wrote = !new.is_empty() || !old.is_empty();
        self.write_blocks(new)?;
        self.shared.engine.apply(old)?;
        Ok(wrote)
    }

    /// Hands blocks to the engine in groups, so that no group is large.
    fn write_blocks(&self, writes: Vec<Write>) -> Result<()> {
        const GROUP: usize = 4096;
        let mut writes = writes.into_iter();
        loop {
            let group: Vec<Write> = writes.by_ref().take(GROUP).collect();
            if group.is_empty() {
                return Ok(());
            }
            self.shared.engine.load(group)?;
        }
    }

    /// Writes a manifest and makes it the one that counts. What it names must be synced. Readers do not see
    /// it while a bulk load is under way.
    pub(crate) fn publish(&mut self, mut manifest: Manifest, loading: bool) -> Result<()> {
        let shared = self.shared;
        manifest.generation += 1;
        manifest.tidy();
        manifest.next_run = shared.next_run.load(Ordering::Relaxed);
        shared.engine.apply(vec![manifest.write()])?;
        shared.engine.sync()?;
        if let (Some(home), true) = (&shared.home, shared.acknowledges) {
            home.write_head(&shared.head_of(&manifest))?;
        }
        let manifest = Arc::new(manifest);
        let mut load = shared.loading.write().unwrap_or_else(PoisonError::into_inner);
        if loading {
            *load = Some(manifest);
        } else {
            *load = None;
            *shared.manifest.write().unwrap_or_else(PoisonError::into_inner) = manifest;
        }
        Ok(())
    }

    /// Merges until no level of any tree has too many runs.
    pub(crate) fn merge(&mut self, loading: bool) -> Result<()> {
        while let Some((tree, runs)) = self.shared.too_many_runs() {
            self.merge_into_one(tree, runs, loading)?;
        }
        self.delete_doomed()
    }

    /// Writes one run with the entries of others and puts it in their place. Counts are made with postings.
    pub(crate) fn merge_into_one(&mut self, tree: Tree, runs: Vec<Arc<Run>>, loading: bool) -> Result<()> {
        let shared = self.shared;
        let level = runs.iter().map(|run| run.level).max().unwrap_or(0).saturating_add(1);
        let mut manifest = (*shared.writer_manifest()).clone();
        let mut gone: Vec<(Tree, Arc<Run>)> = runs.iter().map(|run| (tree, Arc::clone(run))).collect();
        if tree == Tree::Postings {
            let readers = runs.iter().map(|run| WholeRun::<Posting>::new(&shared.engine, run)).collect();
            let (postings, counts, notes) = shared.write_postings(&manifest, level, Merge::new(readers))?;
            manifest.note_counts(postings.id, &notes);
            shared.caches.note_merged(postings.id, &runs);
            let old: Vec<Arc<Run>> =
                runs.iter().filter_map(|run| manifest.runs.counts_of(run.id)).cloned().collect();
            manifest.runs.replace(Tree::Counts, &old, counts);
            manifest.runs.replace(tree, &runs, postings);
            gone.extend(old.into_iter().map(|run| (Tree::Counts, run)));
        } else {
            let readers = runs.iter().map(|run| WholeRun::<IndexEntry>::new(&shared.engine, run)).collect();
            let run = write_run(&*shared.engine, shared.new_run()?, level, Merge::new(readers))?;
            manifest.runs.replace(tree, &runs, run);
        }
        shared.engine.sync()?;
        self.publish(manifest, loading)?;
        drop(runs);
        self.state.doomed.extend(gone);
        self.delete_doomed()
    }

    /// Deletes merged runs that no snapshot reads any more.
    fn delete_doomed(&mut self) -> Result<()> {
        let mut deleted = false;
        for (tree, run) in std::mem::take(&mut self.state.doomed) {
            if Arc::strong_count(&run) == 1 {
                delete_run(&*self.shared.engine, tree, run.id)?;
                deleted = true;
            } else {
                self.state.doomed.push((tree, run));
            }
        }
        if deleted { self.shared.engine.sync() } else { Ok(()) }
    }
}

impl Shared {
    /// A run number that was never used.
    pub(crate) fn new_run(&self) -> Result<u32> {
        let id = self.next_run.fetch_add(1, Ordering::Relaxed);
        if id == u32::MAX {
            return Err(Error::TooLarge { what: "the number of runs", limit: u32::MAX.into() });
        }
        Ok(id)
    }

    /// HEAD for a state of the index.
    pub(crate) fn head_of(&self, manifest: &Manifest) -> Head {
        Head {
            id: manifest.id,
            generation: manifest.generation,
            log: manifest.log_end,
            games: manifest.games(),
            index: self.index_number,
            profile: manifest.profile.clone(),
            max_ply: manifest.max_ply,
        }
    }

    /// The oldest runs of a level that has as many as are merged.
    fn too_many_runs(&self) -> Option<(Tree, Vec<Arc<Run>>)> {
        let manifest = self.writer_manifest();
        let fan_in = self.options.fan_in;
        [Tree::Postings, Tree::GameIndex].into_iter().find_map(|tree| {
            let runs = manifest.runs.of(tree);
            (0..u8::MAX).find_map(|level| {
                let same: Vec<_> =
                    runs.iter().filter(|run| run.level == level).take(fan_in).cloned().collect();
                (same.len() == fan_in).then_some((tree, same))
            })
        })
    }

    /// Writes a run of postings, and the counts beside it, with the ratings that games have now.
    pub(crate) fn write_postings(
        &self,
        manifest: &Manifest,
        level: u8,
        postings: impl Iterator<Item = Result<Posting>> + Send,
    ) -> Result<(Run, Run, CountNotes)> {
        let rater = Rater::Index(RatingTable::new(&self.engine, manifest.next_game));
        let summariser = Summariser::new(self.options.counts_from, rater);
        write_postings(&*self.engine, self.new_run()?, level, postings, summariser, &manifest.rated_before)
    }
}

/// Writes a run of postings, and the counts beside it. Some games got other ratings since they were last
/// counted.
pub(crate) fn write_postings(
    engine: &dyn Engine,
    id: u32,
    level: u8,
    postings: impl Iterator<Item = Result<Posting>> + Send,
    mut summariser: Summariser<'_>,
    rated_before: &BTreeMap<u64, Ratings>,
) -> Result<(Run, Run, CountNotes)> {
    // Packed at once: a summary takes about a hundred bytes until the run is written.
    let mut builder = BlockBuilder::<Summary>::new(id, level);
    let mut blocks: Vec<Write> = Vec::new();
    let mut rated_again = BTreeSet::new();
    let postings = postings.map(|posting| {
        let posting = posting?;
        if let Some(summary) = summariser.push(&posting)? {
            blocks.extend(builder.push(summary));
        }
        if !rated_before.is_empty() && rated_before.contains_key(&posting.game()) {
            rated_again.insert(posting.game());
        }
        Ok(posting)
    });
    let run = write_run(engine, id, level, postings)?;
    blocks.extend(summariser.take().and_then(|summary| builder.push(summary)));
    let (last, counts) = builder.finish();
    blocks.extend(last);
    engine.load(blocks)?;
    Ok((run, counts, CountNotes { distinct: summariser.distinct(), rated_again }))
}

impl Runs {
    /// The numbers of all runs of a tree.
    pub(crate) fn has(&self, tree: Tree, id: u32) -> bool {
        self.of(tree).iter().any(|run| run.id == id)
    }
}
