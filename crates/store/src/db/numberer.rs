//! Which games of a batch are new, and their numbers.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, PoisonError};

use boardprint_base::Digest;

use super::Shared;
use super::engine::Tree;
use super::error::{Error, Result};
use super::game::{GameCache, StoredGame};
use super::game_index::{self, Filter};
use super::manifest::{Manifest, Source};
use super::posting::Posting;
use super::replay::Replay;
use super::writer::{Batch, Duplicates, NewGame, Numbered};

/// Gives games their numbers.
pub struct Numberer<'a> {
    shared: &'a Shared,
    filter: Filter,
    /// Games that are numbered but not yet in the manifest: the end of their batch, and their hashes.
    pending: VecDeque<(u64, Pending)>,
    next_game: u64,
    sources: Vec<Source>,
    paranoid: Option<Paranoid<'a>>,
}

/// Games that are numbered, by hash. With nobody to compare them, the hash is enough and the lists stay empty.
type Pending = HashMap<Digest, Vec<StoredGame>>;

/// Who compares games of the same hash.
struct Paranoid<'a> {
    replay: &'a dyn Replay,
    games: GameCache,
}

/// What a new game is to those that are there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kinship {
    /// No game has its hash.
    New,
    /// It is there.
    Known,
    /// Other games have its hash.
    Collides,
}

impl<'a> Numberer<'a> {
    pub(super) fn new(shared: &'a Shared) -> Result<Self> {
        let manifest = shared.manifest();
        let kept = shared.filter.lock().unwrap_or_else(PoisonError::into_inner).take();
        let filter = match kept {
            Some(filter) => filter,
            None => Filter::load(&shared.engine, &manifest.runs.game_index)?,
        };
        Ok(Numberer {
            shared,
            filter,
            pending: VecDeque::new(),
            next_game: manifest.games,
            sources: manifest.sources.to_vec(),
            paranoid: None,
        })
    }

    /// Compares the texts of games, not only their hashes: a game is left out only if it is the same as one that is there. What shares
    /// a hash and differs is stored and counted.
    #[must_use]
    pub fn paranoid(mut self, replay: &'a dyn Replay) -> Self {
        self.paranoid = Some(Paranoid { replay, games: GameCache::default() });
        self
    }

    /// Numbers the new games of a batch. Batches must be committed in the order in which they were numbered.
    ///
    /// # Errors
    ///
    /// If the engine fails or the database is full; if a game cannot be read that is to be compared.
    pub fn number(&mut self, batch: Batch) -> Result<Numbered> {
        let manifest = self.shared.writer_manifest();
        while self.pending.front().is_some_and(|(end, _)| *end <= manifest.games) {
            self.pending.pop_front();
        }
        if self.filter.is_full() {
            self.filter = Filter::load(&self.shared.engine, &manifest.runs.game_index)?;
            let pending: Vec<Digest> =
                self.pending.iter().flat_map(|(_, games)| games.keys().copied()).collect();
            for hash in &pending {
                self.filter.add(hash);
            }
        }
        let files = self.note_sources(&batch.sources);
        let (first, mut duplicates, mut collisions) = (self.next_game, 0, 0);
        let mut games = Vec::with_capacity(batch.games.len());
        let mut start_writes = Vec::new();
        let mut new = Pending::with_capacity(batch.games.len());
        for mut game in batch.games {
            let kinship = match batch.duplicates {
                Duplicates::Skip => self.kinship(&manifest, &new, &game)?,
                Duplicates::Keep => Kinship::New,
            };
            if kinship == Kinship::Known {
                duplicates += 1;
                continue;
            }
            collisions += u64::from(kinship == Kinship::Collides);
            self.filter.add(&game.hash);
            let same_hash = new.entry(game.hash).or_default();
            if self.paranoid.is_some() {
                same_hash.push(bare(&game.game));
            }
            let file = files.get(game.game.source.file as usize).copied();
            game.game.source.file = file.unwrap_or(game.game.source.file);
            let start = self.shared.starts.intern(&game.game.start, &mut start_writes)?;
            games.push((game, start));
            self.next_game += 1;
        }
        if self.next_game > Posting::MAX_GAME {
            return Err(Error::TooLarge { what: "the number of games", limit: Posting::MAX_GAME });
        }
        self.pending.push_back((self.next_game, new));
        Ok(Numbered {
            first,
            run: self.shared.new_run()?,
            games,
            start_writes,
            starts: self.shared.starts.len(),
            sources: Arc::new(self.sources.clone()),
            duplicates,
            collisions,
            rejects: batch.rejects,
            hot_threshold: self.shared.options.hot_threshold,
        })
    }

    fn kinship(&mut self, manifest: &Manifest, new: &Pending, game: &NewGame) -> Result<Kinship> {
        let hash = &game.hash;
        if !self.filter.may_hold(hash) {
            return Ok(Kinship::New);
        }
        let (engine, runs) = (&self.shared.engine, &manifest.runs.game_index);
        let pending = self.pending.iter().map(|(_, games)| games).chain([new]);
        let mut pending = pending.filter_map(|games| games.get(hash)).peekable();
        let Some(paranoid) = &mut self.paranoid else {
            let is_known = pending.peek().is_some() || game_index::find(engine, runs, hash)?.is_some();
            return Ok(if is_known { Kinship::Known } else { Kinship::New });
        };
        let Paranoid { replay, games } = paranoid;
        let text = identity(*replay, &game.game, "a new game")?;
        let mut kinship = Kinship::New;
        for other in pending.flatten() {
            kinship = Kinship::Collides;
            if identity(*replay, other, "a game of this import")? == text {
                return Ok(Kinship::Known);
            }
        }
        for id in game_index::find_all(engine, runs, hash)? {
            let id = id?;
            kinship = Kinship::Collides;
            let other = games.get(&**engine, &self.shared.starts, id)?;
            if identity(*replay, &other, &format!("game {id}"))? == text {
                return Ok(Kinship::Known);
            }
        }
        Ok(kinship)
    }

    /// Takes over how far source files were read; their numbers in the manifest.
    fn note_sources(&mut self, read: &[Source]) -> Vec<u32> {
        let mut number = |source: &Source| {
            let same = |known: &Source| known.path == source.path && known.stamp == source.stamp;
            let at = self.sources.iter().rposition(same).unwrap_or_else(|| {
                self.sources.push(source.clone());
                self.sources.len() - 1
            });
            self.sources[at] = source.clone();
            u32::try_from(at).unwrap_or(u32::MAX)
        };
        read.iter().map(&mut number).collect()
    }
}

/// What of a game tells it from others.
fn bare(game: &StoredGame) -> StoredGame {
    StoredGame {
        tags: Vec::new(),
        result: game.result,
        start: Arc::clone(&game.start),
        moves: game.moves.clone(),
        source: game.source,
        extra: Box::default(),
    }
}

fn identity(replay: &dyn Replay, game: &StoredGame, name: &str) -> Result<Vec<u8>> {
    let text = replay.identity(game);
    text.map_err(|why| Error::inconsistent(Tree::Games, format!("{name} cannot be compared: {why}")))
}

/// The filter outlives the import, so that the next one need not make it again. A game too many in it does no harm.
impl Drop for Numberer<'_> {
    fn drop(&mut self) {
        let filter = std::mem::replace(&mut self.filter, Filter::empty());
        *self.shared.filter.lock().unwrap_or_else(PoisonError::into_inner) = Some(filter);
    }
}
