//! Databases put together.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::Db;
use super::error::{Error, Result};
use super::export::LogReader;
use super::game::{Origin, StoredGame};
use super::log::CopyNote;
use super::manifest::Source;
use super::numberer::Judge;
use super::replay::Replay;
use super::snapshot::Snapshot;
use super::writer::{Batch, Ingested, NewGame, OnDuplicate};

/// How databases are merged.
#[derive(Clone, Debug, Default)]
pub struct MergeOptions {
    on_duplicate: OnDuplicate,
    dry_run: bool,
    progress: Option<Arc<AtomicU64>>,
}

impl MergeOptions {
    /// What to do with games that the database holds already.
    #[must_use]
    pub fn on_duplicate(mut self, on_duplicate: OnDuplicate) -> Self {
        self.on_duplicate = on_duplicate;
        self
    }

    /// Whether only to find out what would become of every game: everything is decided as in a real merge,
    /// and nothing is written.
    #[must_use]
    pub fn dry_run(mut self, dry_run: bool) -> Self {
        self.dry_run = dry_run;
        self
    }

    /// Counts the games that have been replayed.
    #[must_use]
    pub fn progress(mut self, games: Arc<AtomicU64>) -> Self {
        self.progress = Some(games);
        self
    }
}

/// Puts the games of databases into one, as if they had been imported in that order. The copies that they
/// noted come along, once however often they are merged.
///
/// # Errors
///
/// If one of them cannot be read, a game cannot be replayed, or the disk fails. What was written stays;
/// merging again goes on with duplicates.
pub fn merge(
    db: &Db,
    from: &[PathBuf],
    options: &MergeOptions,
    replay: &dyn Replay,
    judge: Option<&dyn Judge>,
) -> Result<Ingested> {
    let mut sums = Ingested { first_game: db.snapshot().next_game(), ..Ingested::default() };
    let (numberer, mut committer) = db.way_in(replay, options.dry_run)?;
    let mut numberer = numberer.judge(judge);
    for path in from {
        let reader = LogReader::open(path)?;
        let (noted, known) = new_copies(&reader, &db.snapshot())?;
        numberer.know_copies(known);
        let mut add = |games: Vec<(StoredGame, u64)>, last: bool| -> Result<()> {
            let copies = (0..).zip(&games).flat_map(|(place, (_, id))| {
                let own = noted.get(id).into_iter().flatten();
                own.map(move |note| CopyNote { of: place, ..*note })
            });
            let copies = copies.collect();
            let batch = batch_of(games, reader.sources(), last, options, replay)?;
            let encoded = numberer.number(Batch { copies, ..batch })?.encode(replay, committer.is_some())?;
            let done = encoded.ingested();
            if let Some(committer) = &mut committer {
                committer.commit(encoded)?;
            }
            sums.games += done.games;
            sums.duplicates += done.duplicates;
            sums.merged += done.merged;
            sums.collisions += done.collisions;
            sums.postings += done.postings;
            Ok(())
        };
        let (mut games, mut plies) = (Vec::new(), 0);
        for exported in reader.games() {
            let exported = exported?;
            plies += exported.game.moves.len() + 1;
            games.push((Arc::unwrap_or_clone(exported.game), exported.id));
            if plies >= MERGED_PLIES {
                plies = 0;
                add(std::mem::take(&mut games), false)?;
            }
        }
        add(games, true)?;
    }
    Ok(sums)
}

type NotesByGame = HashMap<u64, Vec<CopyNote>>;

/// The copies that a database noted and another one did not, by the number of their game; and where those
/// stand that the other one noted.
fn new_copies(from: &LogReader, to: &Snapshot) -> Result<(NotesByGame, HashSet<Origin>)> {
    let known = to.export()?;
    let known =
        known.copies().map(|note| note.map(|note| note.place)).collect::<Result<HashSet<Origin>>>()?;
    let same = |a: &Source, b: &Source| a.path == b.path && a.stamp == b.stamp;
    let files: Vec<Option<u32>> = from
        .sources()
        .iter()
        .map(|source| to.sources().iter().rposition(|known| same(known, source)))
        .map(|file| file.and_then(|file| u32::try_from(file).ok()))
        .collect();
    let mut noted = NotesByGame::new();
    for note in from.copies() {
        let note = note?;
        let file = files.get(note.place.file as usize).copied().flatten();
        if !file.is_some_and(|file| known.contains(&Origin { file, ..note.place })) {
            noted.entry(note.of).or_default().push(note);
        }
    }
    Ok((noted, known))
}

const MERGED_PLIES: usize = 1 << 20;

/// A batch of stored games; how far their sources were read is said with the last one only, so that an
/// interrupted merge claims nothing.
pub(crate) fn batch_of(
    games: Vec<(StoredGame, u64)>,
    sources: &[Source],
    last: bool,
    options: &MergeOptions,
    replay: &dyn Replay,
) -> Result<Batch> {
    let new = |(game, id): (StoredGame, u64)| {
        let replayed = replay.replay(&game).map_err(|why| Error::Replay { id, why })?;
        if let Some(progress) = &options.progress {
            progress.fetch_add(1, Ordering::Relaxed);
        }
        Ok(NewGame { game, hash: replayed.hash, positions: replayed.positions, laws: replayed.laws })
    };
    let games = games.into_par_iter().map(new).collect::<Result<Vec<_>>>()?;
    let sources = sources
        .iter()
        .cloned()
        .map(|source| if last { source } else { Source { offset: 0, records: 0, ..source } });
    Ok(Batch { games, sources: sources.collect(), duplicates: options.on_duplicate, ..Batch::default() })
}
