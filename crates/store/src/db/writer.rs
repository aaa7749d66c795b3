//! The way in: batches are numbered, encoded and committed.
//!
//! Numbering decides which games are new and gives them their numbers, one batch after another. Encoding sorts and packs a batch
//! and needs nothing but the batch, so that several can be encoded at once. Committing writes and acknowledges, in order:
//!
//! 1. the blocks, under run numbers and game numbers that the manifest does not name; sync;
//! 2. the manifest that names them; sync;
//! 3. HEAD.
//!
//! A merge does the same with the merged run, then deletes the old ones.

use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard, PoisonError};

use boardprint_base::Digest;
use rayon::prelude::*;

use super::engine::{Tree, Write};
use super::error::{Error, Result};
use super::game::{BLOCK_GAMES, StartRef, StoredGame, encode_block};
use super::game_index::IndexEntry;
use super::home::Head;
use super::hot::{Counts, Summary, summarise};
use super::manifest::{Manifest, Runs, Source, Spill};
use super::numberer::Numberer;
use super::posting::{Posting, Prefix};
use super::run::{BLOCK_ENTRIES, BlockBuilder, Entry, Merge, Run, RunReader, delete_run, write_run};
use super::{Db, Shared};

/// A game on its way into the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewGame {
    /// The game; `source.file` is the place of its source in [`Batch::sources`].
    pub game: StoredGame,
    /// What tells the game from others.
    pub hash: Digest,
    /// The hash of each position and its ply.
    pub positions: Vec<(Digest, u32)>,
}

/// Games that come in together, whole or not at all.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// The games, in the order of the input.
    pub games: Vec<NewGame>,
    /// The source files that were read for this batch, and how far.
    pub sources: Vec<Source>,
    /// How many records could not be read.
    pub rejects: u64,
    /// What to do with games that the database holds already.
    pub duplicates: Duplicates,
}

/// What to do with games that the database holds already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Duplicates {
    /// Count them and leave them out.
    #[default]
    Skip,
    /// Store them again.
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
    /// How many of the new games share their hash with another game; looked for by [`Numberer::paranoid`].
    pub collisions: u64,
    /// How many positions the new games have.
    pub postings: u64,
}

/// What the writer keeps between batches.
#[derive(Debug, Default)]
pub(crate) struct WriterState {
    /// Whether a write failed, so that memory and disk may differ.
    failed: bool,
    /// Merged runs that snapshots may still read.
    doomed: Vec<(Tree, Arc<Run>)>,
}

/// Writes and acknowledges.
pub struct Committer<'a> {
    shared: &'a Shared,
    state: MutexGuard<'a, WriterState>,
}

/// A batch whose new games have numbers.
pub struct Numbered {
    pub(super) first: u64,
    pub(super) run: u32,
    pub(super) games: Vec<(NewGame, StartRef)>,
    pub(super) start_writes: Vec<Write>,
    pub(super) starts: u32,
    pub(super) sources: Arc<Vec<Source>>,
    pub(super) duplicates: u64,
    pub(super) collisions: u64,
    pub(super) rejects: u64,
    pub(super) hot_threshold: usize,
}

/// A batch, ready to be written.
pub struct Encoded {
    pub(crate) writes: Vec<Write>,
    pub(crate) postings: Vec<Posting>,
    pub(crate) hot: Vec<Summary>,
    posting_run: Option<Run>,
    hot_run: Option<Run>,
    index_run: Run,
    game_bytes: u64,
    starts: u32,
    sources: Arc<Vec<Source>>,
    results: Counts,
    rejects: u64,
    end: u64,
    ingested: Ingested,
}

impl Db {
    /// Puts a batch into the database. When this returns, it is there for good.
    ///
    /// # Errors
    ///
    /// If the disk or the engine fails, or a game is beyond what the format can hold. The batch is then not in the database.
    pub fn ingest(&self, batch: Batch) -> Result<Ingested> {
        let (mut numberer, mut committer) = self.writer()?;
        committer.commit(numberer.number(batch)?.encode()?)
    }

    /// Merges all runs of each tree into one, so that a lookup asks one run. It costs about as much as writing all postings once.
    ///
    /// # Errors
    ///
    /// If the disk or the engine fails.
    pub fn settle(&self) -> Result<()> {
        let (_, mut committer) = self.writer()?;
        committer.guarded(|committer| {
            for tree in Runs::TREES {
                let runs = self.shared.manifest().runs.of(tree).to_vec();
                if runs.len() > 1 {
                    committer.merge_into_one(tree, runs, false)?;
                }
            }
            Ok(())
        })
    }

    /// The parts of the way in, for those who encode in several threads. Waits for another writer to end.
    ///
    /// # Errors
    ///
    /// If an earlier write failed, or the engine does.
    pub fn writer(&self) -> Result<(Numberer<'_>, Committer<'_>)> {
        let shared = &self.shared;
        let state = shared.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if state.failed {
            return Err(Error::Failed);
        }
        let mut committer = Committer { shared, state };
        if shared.is_loading() {
            // A bulk load was dropped before its end.
            committer.guarded(Committer::finish_bulk)?;
        }
        let numberer = Numberer::new(shared)?;
        Ok((numberer, committer))
    }
}

impl Numbered {
    /// Sorts and packs the batch, on the threads of the current rayon pool.
    ///
    /// # Errors
    ///
    /// If a game is beyond what the format can hold.
    pub fn encode(self) -> Result<Encoded> {
        let run = self.run;
        Ok(self.encode_games()?.packed(run))
    }

    /// As [`Numbered::encode`], but with the postings and summaries sorted and not yet packed.
    pub(crate) fn encode_games(mut self) -> Result<Encoded> {
        let first = self.first;
        let mut postings = Vec::with_capacity(self.games.iter().map(|(game, _)| game.positions.len()).sum());
        for (id, (game, _)) in (first..).zip(&mut self.games) {
            // Taken, so that they are not in memory twice.
            for (hash, ply) in std::mem::take(&mut game.positions) {
                postings.push(Posting::new(Prefix::of(&hash), id, ply)?);
            }
        }
        postings.par_sort_unstable();
        // The same position twice at one ply is one posting.
        postings.dedup();
        let games: Vec<(&StoredGame, StartRef)> =
            self.games.iter().map(|(game, start)| (&game.game, *start)).collect();
        let stored: Vec<&StoredGame> = games.iter().map(|(game, _)| *game).collect();
        let hot = summarise(&postings, self.hot_threshold, first, &stored);
        let mut index: Vec<IndexEntry> =
            (first..).zip(&self.games).map(|(game, (new, _))| IndexEntry { hash: new.hash, game }).collect();
        index.par_sort_unstable();

        let mut writes = self.start_writes;
        let blocks = games.par_chunks(BLOCK_GAMES).enumerate();
        let blocks = blocks.map(|(block, games)| encode_block(first + (block * BLOCK_GAMES) as u64, games));
        writes.extend(blocks.collect::<Result<Vec<_>>>()?.into_iter().flatten());
        let game_bytes = writes.iter().map(Write::len).sum::<usize>() as u64;
        let (blocks, index_run) = encode_blocks(self.run, &index);
        writes.extend(blocks);
        let mut results = Counts::default();
        for game in &stored {
            results.add(game.result);
        }
        let ingested = Ingested {
            first_game: first,
            games: games.len() as u64,
            duplicates: self.duplicates,
            collisions: self.collisions,
            postings: postings.len() as u64,
        };
        Ok(Encoded {
            writes,
            postings,
            hot,
            posting_run: None,
            hot_run: None,
            index_run,
            game_bytes,
            starts: self.starts,
            sources: self.sources,
            results,
            rejects: self.rejects,
            end: first + ingested.games,
            ingested,
        })
    }
}

/// Packs sorted entries of fixed size, block by block in parallel.
fn encode_blocks<E: Entry>(run: u32, entries: &[E]) -> (Vec<Write>, Run) {
    let blocks: Vec<(Option<Write>, Run)> = entries
        .par_chunks(BLOCK_ENTRIES)
        .map(|block| {
            let mut builder = BlockBuilder::new(run, 0);
            for entry in block {
                // The block ends with the chunk, never before.
                let _ = builder.push(entry.clone());
            }
            builder.finish()
        })
        .collect();
    let mut whole = Run { id: run, level: 0, entries: 0, blocks: 0, bytes: 0 };
    let mut writes = Vec::with_capacity(blocks.len());
    for (write, part) in blocks {
        writes.extend(write);
        whole.entries += part.entries;
        whole.blocks += part.blocks;
        whole.bytes += part.bytes;
    }
    (writes, whole)
}

/// Packs sorted entries of any size.
fn encode_stream<E: Entry>(run: u32, entries: Vec<E>) -> (Vec<Write>, Run) {
    let mut builder = BlockBuilder::new(run, 0);
    let mut writes: Vec<Write> = entries.into_iter().filter_map(|entry| builder.push(entry)).collect();
    let (last, run) = builder.finish();
    writes.extend(last);
    (writes, run)
}

impl<'a> Committer<'a> {
    /// Writes a batch and acknowledges it, then merges runs if there are many.
    ///
    /// # Errors
    ///
    /// If the disk or the engine fails. Nothing can be written then until the database is opened again.
    pub fn commit(&mut self, encoded: Encoded) -> Result<Ingested> {
        self.guarded(|this| {
            let ingested = encoded.ingested;
            this.write_batch(encoded)?;
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

    pub(crate) fn shared(&self) -> &'a Shared {
        self.shared
    }

    pub(crate) fn write_batch(&mut self, encoded: Encoded) -> Result<()> {
        self.write_batch_with(encoded, Vec::new(), false)
    }

    /// Writes a batch and acknowledges it; `spills` hold what is not in its blocks.
    pub(crate) fn write_batch_with(
        &mut self,
        mut encoded: Encoded,
        spills: Vec<Spill>,
        loading: bool,
    ) -> Result<()> {
        let current = self.shared.writer_manifest();
        if encoded.ingested.first_game != current.games {
            let what = format!(
                "a batch from game {} comes after game {}",
                encoded.ingested.first_game, current.games
            );
            return Err(Error::inconsistent(Tree::Games, what));
        }
        let wrote = !encoded.writes.is_empty();
        self.write_blocks(std::mem::take(&mut encoded.writes))?;
        if wrote {
            self.shared.engine.sync()?;
        }
        let mut manifest = (*current).clone();
        encoded.note_in(&mut manifest);
        manifest.spills.extend(spills);
        self.publish(manifest, loading)
    }

    /// Hands blocks to the engine in groups, so that no group is large.
    pub(crate) fn write_blocks(&self, writes: Vec<Write>) -> Result<()> {
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

    /// Writes a manifest and makes it the one that counts. What it names must be synced. Readers do not see it while a bulk load
    /// is under way.
    pub(crate) fn publish(&mut self, mut manifest: Manifest, loading: bool) -> Result<()> {
        let shared = self.shared;
        manifest.generation += 1;
        manifest.next_run = shared.next_run.load(Ordering::Relaxed);
        shared.engine.apply(vec![manifest.write()])?;
        shared.engine.sync()?;
        if let Some(home) = &shared.home {
            home.write_head(Head { data: shared.data, acknowledged: manifest.generation })?;
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

    /// Writes one run with the entries of others and puts it in their place.
    fn merge_into_one(&mut self, tree: Tree, runs: Vec<Arc<Run>>, loading: bool) -> Result<()> {
        let run = match tree {
            Tree::Postings => self.shared.merge_runs::<Posting>(&runs)?,
            Tree::GameIndex => self.shared.merge_runs::<IndexEntry>(&runs)?,
            _ => self.shared.merge_runs::<Summary>(&runs)?,
        };
        self.shared.engine.sync()?;
        let mut manifest = (*self.shared.writer_manifest()).clone();
        manifest.runs.replace(tree, &runs, run);
        self.publish(manifest, loading)?;
        self.state.doomed.extend(runs.into_iter().map(|run| (tree, run)));
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

impl Encoded {
    /// How many bytes are to be written.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.writes.iter().map(Write::len).sum()
    }

    /// What became of the batch, once it is committed.
    #[must_use]
    pub const fn ingested(&self) -> Ingested {
        self.ingested
    }

    /// Packs postings and summaries that are not packed yet.
    pub(crate) fn packed(mut self, run: u32) -> Self {
        let (blocks, postings) = encode_blocks(run, &self.postings);
        let (more, hot) = encode_stream(run, std::mem::take(&mut self.hot));
        self.writes.extend(blocks);
        self.writes.extend(more);
        self.posting_run = Some(postings);
        self.hot_run = Some(hot);
        self.postings = Vec::new();
        self
    }

    /// Enters the batch into a manifest.
    fn note_in(self, manifest: &mut Manifest) {
        manifest.games = self.end;
        manifest.game_bytes += self.game_bytes;
        manifest.starts = self.starts;
        manifest.sources = self.sources;
        manifest.results.add_all(&self.results);
        manifest.duplicates += self.ingested.duplicates;
        manifest.rejects += self.rejects;
        manifest.runs.push(Tree::GameIndex, self.index_run);
        if let Some(run) = self.posting_run {
            manifest.runs.push(Tree::Postings, run);
        }
        if let Some(run) = self.hot_run {
            manifest.runs.push(Tree::Hot, run);
        }
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

    /// The oldest runs of a level that has as many as are merged.
    fn too_many_runs(&self) -> Option<(Tree, Vec<Arc<Run>>)> {
        let manifest = self.writer_manifest();
        let fan_in = self.options.fan_in;
        Runs::TREES.into_iter().find_map(|tree| {
            let runs = manifest.runs.of(tree);
            (0..u8::MAX).find_map(|level| {
                let same: Vec<_> =
                    runs.iter().filter(|run| run.level == level).take(fan_in).cloned().collect();
                (same.len() == fan_in).then_some((tree, same))
            })
        })
    }

    /// Writes a run with the entries of others.
    pub(crate) fn merge_runs<E: Entry>(&self, runs: &[Arc<Run>]) -> Result<Run> {
        let level = runs.iter().map(|run| run.level).max().unwrap_or(0).saturating_add(1);
        let readers = runs.iter().map(|run| RunReader::<E>::new(&self.engine, run)).collect();
        write_run(&*self.engine, self.new_run()?, level, Merge::new(readers))
    }
}
