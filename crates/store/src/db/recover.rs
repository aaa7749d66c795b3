//! The index after an interruption, and the index built from the log.

use std::collections::HashSet;
use std::sync::Arc;

use boardprint_base::Digest;
use rayon::prelude::*;

use super::build::{IndexBatch, Item, Positions, Retag, Totals, row_of};
use super::error::{Error, Result};
use super::home::Found;
use super::log::{Address, BatchEnd, Block, Forget, FrameKind, LoggedGame, Placed, Retagged};
use super::manifest::{Runs, Source};
use super::posting::Posting;
use super::replay::Replay;
use super::run::{delete_run, run_bounds};
use super::words::Words;
use super::writer::Committer;

/// Games to be left out of the index.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forgotten {
    pub(crate) games: HashSet<u64>,
    /// A source, and the first game that came after it was forgotten: it may be imported again.
    pub(crate) sources: Vec<(u32, u64)>,
}

impl Forgotten {
    pub(crate) fn note(&mut self, forget: Forget, next_game: u64) {
        self.games.extend(forget.games);
        self.sources.extend(forget.sources.into_iter().map(|source| (source, next_game)));
    }

    pub(crate) fn is(&self, id: u64, source: u32) -> bool {
        self.games.contains(&id) || self.sources.iter().any(|(gone, before)| *gone == source && id < *before)
    }
}

/// The games and notes of one batch of the log.
#[derive(Default)]
pub(crate) struct LoggedBatch {
    pub(crate) games: Vec<(u64, Address, LoggedGame)>,
    pub(crate) retagged: Vec<(Address, Retagged)>,
    pub(crate) forget: Vec<Forget>,
    /// How many positions the games have.
    positions: usize,
}

impl LoggedBatch {
    /// Takes in a frame; the end of the batch, if it is that.
    pub(crate) fn take(&mut self, placed: &Placed) -> Result<Option<BatchEnd>> {
        match placed.kind {
            FrameKind::Games => {
                let Block { at, first, games } = Block::read(placed)?;
                self.positions += games.iter().map(|game| game.game.moves.len() + 1).sum::<usize>();
                self.games.extend((first..).zip(games).map(|(id, game)| (id, at, game)));
            }
            FrameKind::Tags => self.retagged.push((placed.at, Retagged::read(placed)?)),
            FrameKind::Forget => self.forget.push(Forget::read(placed)?),
            FrameKind::Rejects | FrameKind::Copies => {}
            FrameKind::BatchEnd => return BatchEnd::read(placed).map(Some),
        }
        Ok(None)
    }
}

impl Committer<'_> {
    /// Clears what interrupted work left: cuts what is not whole, deletes runs that nobody names, indexes
    /// whole batches that the index does not know.
    pub(crate) fn recover(&mut self, replay: &dyn Replay) -> Result<()> {
        let shared = self.shared();
        let manifest = shared.writer_manifest();
        for tree in Runs::TREES {
            let mut from = Vec::new();
            while let Some((key, _)) = shared.engine.scan(tree, &from, &[0xff; 32], 1)?.pop() {
                let id = key.first_chunk().copied().map(u32::from_be_bytes);
                let id = id.ok_or_else(|| Error::damaged(tree, &key, "the key has no run"))?;
                if !manifest.runs.has(tree, id) {
                    delete_run(&*shared.engine, tree, id)?;
                }
                from = run_bounds(id).1;
            }
        }
        if manifest.spills.is_empty() {
            shared.remove_spills()?;
        }
        let whole = shared.log.whole_end(manifest.log_end)?;
        if whole > manifest.log_end {
            self.index_log(whole, replay, false, &Forgotten::default())?;
        }
        shared.log.cut(whole)?;
        // Whoever wrote the last state may have ended before HEAD said so.
        let manifest = shared.writer_manifest();
        if let (Some(home), true) = (&shared.home, shared.acknowledges)
            && let Found::Head(head) = home.place().look()?
            && head.generation < manifest.generation
        {
            home.write_head(&shared.head_of(&manifest))?;
        }
        Ok(())
    }

    /// Indexes the log from where the index ends up to a place, which is the end of a batch.
    pub(crate) fn index_log(
        &mut self,
        to: Address,
        replay: &dyn Replay,
        bulk: bool,
        forgotten: &Forgotten,
    ) -> Result<()> {
        let shared = self.shared();
        let manifest = shared.writer_manifest();
        let mut words = Words::load(&*shared.engine, manifest.words)?;
        let mut sources = manifest.sources.to_vec();
        let mut batch = LoggedBatch::default();
        let together = shared.options.positions_together();
        for placed in shared.log.frames(manifest.log_end, to) {
            let placed = placed?;
            let Some(end) = batch.take(&placed)? else { continue };
            // Games that are indexed cannot be taken out again one by one.
            let all_known = |forget: &Forget| {
                forget.games.iter().all(|id| forgotten.games.contains(id))
                    && forget
                        .sources
                        .iter()
                        .all(|gone| forgotten.sources.iter().any(|(known, _)| known == gone))
            };
            if !batch.forget.iter().all(all_known) {
                let path =
                    shared.home.as_ref().map(|home| home.index(shared.index_number)).unwrap_or_default();
                return Err(Error::BadIndex {
                    path,
                    why: "games were forgotten after it was built".to_owned(),
                });
            }
            let done = placed.end()?;
            for mark in end.sources {
                put_source(&mut sources, mark.number, mark.source)
                    .ok_or(Error::DamagedLog { address: placed.at, what: "a source is missing" })?;
            }
            // Small batches are indexed together.
            if batch.positions < together && done < to {
                continue;
            }
            let totals = Totals {
                next_game: end.next_game,
                duplicates: end.duplicates,
                rejects: end.rejects,
                sources: Arc::new(sources.clone()),
            };
            let mut index =
                shared.index_of(std::mem::take(&mut batch), replay, &mut words, totals, forgotten)?;
            index.log_end = done;
            // What fits into memory whole is packed at once: there is nothing to merge it with.
            let alone = done == to && shared.writer_manifest().spills.is_empty();
            if bulk && !alone {
                self.index_bulk(index)?;
            } else {
                let run = shared.new_run()?;
                self.index(index.packed(run, shared.options.counts_from)?, Vec::new(), false)?;
                self.merge(false)?;
            }
        }
        if bulk { self.finish_bulk() } else { Ok(()) }
    }
}

pub(crate) fn put_source(sources: &mut Vec<Source>, number: u32, source: Source) -> Option<()> {
    let number = number as usize;
    match number.cmp(&sources.len()) {
        std::cmp::Ordering::Less => sources[number] = source,
        std::cmp::Ordering::Equal => sources.push(source),
        std::cmp::Ordering::Greater => return None,
    }
    Some(())
}

/// Enters how far a source was read, unless more of it was read before, as another database may have; its
/// number.
pub(crate) fn enter_source(sources: &mut Vec<Source>, source: &Source) -> u32 {
    let same = |known: &Source| known.path == source.path && known.stamp == source.stamp;
    let at = sources.iter().rposition(same).unwrap_or(sources.len());
    match sources.get_mut(at) {
        Some(known) if known.records > source.records => {}
        Some(known) => *known = source.clone(),
        None => sources.push(source.clone()),
    }
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// What is known of a game of the log before its postings are made.
struct Known {
    hash: Digest,
    positions: Positions,
    laws: Option<String>,
}

impl Known {
    fn of(
        logged: &LoggedGame,
        max_ply: Option<u32>,
        replay: &dyn Replay,
    ) -> std::result::Result<Self, String> {
        let LoggedGame { game, hash } = logged;
        // A finite game with the hash that it had when it came in has moves that were legal then.
        let is_whole = |text: Vec<u8>| replay.hash(&text) == *hash;
        if !game.moves.is_empty() && game.moves.are_words() && replay.identity(game).is_ok_and(is_whole) {
            let positions = Positions::of_game(game, max_ply);
            return Ok(Known { hash: *hash, positions, laws: replay.laws(game) });
        }
        let replayed = replay.replay(game)?;
        // The hash of a position without moves depends on the profile; that of a game is in the log.
        let hash = if game.moves.is_empty() { replayed.hash } else { *hash };
        Ok(Known { hash, positions: Positions::known(replayed.positions, max_ply), laws: replayed.laws })
    }
}

impl super::Shared {
    /// What a batch of the log leaves in the index; games are replayed in parallel.
    fn index_of(
        &self,
        batch: LoggedBatch,
        replay: &dyn Replay,
        words: &mut Words,
        totals: Totals,
        forgotten: &Forgotten,
    ) -> Result<IndexBatch> {
        let first = totals.next_game - batch.games.len() as u64;
        for (expected, (id, at, _)) in (first..).zip(&batch.games) {
            if *id != expected || expected > Posting::MAX_GAME {
                return Err(Error::DamagedLog { address: *at, what: "games are missing before the block" });
            }
        }
        let max_ply = self.manifest().max_ply;
        let known: Vec<Result<Option<Known>>> = batch
            .games
            .par_iter()
            .map(|(id, _, logged)| {
                self.options.count_progress();
                if forgotten.is(*id, logged.game.source.file) {
                    return Ok(None);
                }
                let known = Known::of(logged, max_ply, replay);
                known.map(Some).map_err(|why| Error::Replay { id: *id, why })
            })
            .collect();
        let mut items = Vec::with_capacity(batch.games.len());
        for ((_, at, logged), known) in batch.games.into_iter().zip(known) {
            let LoggedGame { game, hash } = logged;
            let known = known?;
            let laws = known.as_ref().and_then(|known| known.laws.as_deref());
            let mut row = row_of(&game, laws, words, at);
            row.forgotten = known.is_none();
            let (hash, positions) =
                known.map_or((hash, Positions::none()), |known| (known.hash, known.positions));
            items.push(Item { game, hash, positions, row });
        }
        let retags: Vec<Retag> = batch
            .retagged
            .iter()
            .map(|(at, retagged)| Retag::new(retagged.game, &retagged.tags, words, *at))
            .collect();
        let mut index = IndexBatch::new(first, self.new_run()?, items, replay, words, totals)?;
        (index.retags, index.is_redone) = (retags, true);
        Ok(index)
    }
}
