//! The way out: lookups, tallies, statistics, exports.

use std::collections::BTreeMap;
use std::sync::Arc;

use boardprint_base::{Digest, DigestPrefix};

use super::engine::{Engine, Tree};
use super::error::{Error, Result};
use super::game::{GameCache, Starts, StoredGame, StoredMove};
use super::game_index;
use super::hot::{Counts, Summary};
use super::manifest::{Manifest, Runs, Source};
use super::posting::{Posting, Prefix};
use super::replay::Replay;
use super::run::{Entry, Merge, Run, RunReader};

/// A view of the database at one moment. It is cheap to make and to clone.
#[derive(Clone)]
pub struct Snapshot {
    engine: Arc<dyn Engine>,
    starts: Arc<Starts>,
    manifest: Arc<Manifest>,
}

/// What a database holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stats {
    /// How many games.
    pub games: u64,
    /// How many positions, each as often as it occurs.
    pub postings: u64,
    /// How the games ended.
    pub results: Counts,
    /// How many games were left out because they were there already.
    pub duplicates: u64,
    /// How many records could not be read.
    pub rejects: u64,
    /// The source files.
    pub sources: Vec<Source>,
    /// The bytes of all postings, in sorted runs.
    pub posting_bytes: u64,
    /// The runs of postings: a lookup asks each of them.
    pub posting_runs: usize,
    /// The bytes on disk, free space included.
    pub disk_bytes: u64,
    /// The bytes of everything that is kept, without free space and the engine's own.
    pub live_bytes: u64,
}

impl Stats {
    /// Whether the disk holds more than three times what is kept, so that compacting pays.
    #[must_use]
    pub const fn wants_compacting(&self) -> bool {
        // A small database is mostly the engine's own.
        self.disk_bytes > 3 * self.live_bytes + (8 << 20)
    }
}

/// How games went on from a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How the games ended.
    pub results: Counts,
    /// The moves that followed, the most frequent first.
    pub moves: Vec<NextMove>,
}

/// A move that followed a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextMove {
    /// The move; `None` where the game ended.
    pub next: Option<StoredMove>,
    /// How the games with it ended.
    pub results: Counts,
}

impl Tally {
    /// How often the position occurred.
    #[must_use]
    pub fn occurrences(&self) -> u64 {
        self.results.total()
    }
}

impl Snapshot {
    pub(crate) fn new(engine: Arc<dyn Engine>, starts: Arc<Starts>, manifest: Arc<Manifest>) -> Self {
        Snapshot { engine, starts, manifest }
    }

    /// How many games there are; their numbers are from 0 to below this.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.manifest.games
    }

    /// How the hashes were made.
    #[must_use]
    pub fn profile(&self) -> &str {
        &self.manifest.profile
    }

    /// The source files, in the order of their numbers.
    #[must_use]
    pub fn sources(&self) -> &[Source] {
        &self.manifest.sources
    }

    /// A game by number.
    ///
    /// # Errors
    ///
    /// If there is no such game, or its block is damaged.
    pub fn game(&self, id: u64) -> Result<Arc<StoredGame>> {
        self.game_with(&mut GameCache::default(), id)
    }

    /// The number of the game with a hash; the first, if there are several.
    ///
    /// # Errors
    ///
    /// If a block is damaged.
    pub fn find_game(&self, hash: &Digest) -> Result<Option<u64>> {
        game_index::find(&self.engine, &self.manifest.runs.game_index, hash)
    }

    /// The numbers of all games with a hash, in order: several, if copies were kept, or different games share it.
    ///
    /// # Errors
    ///
    /// If a block is damaged; later ones show as items.
    pub fn find_games(&self, hash: &Digest) -> Result<impl Iterator<Item = Result<u64>> + use<>> {
        game_index::find_all(&self.engine, &self.manifest.runs.game_index, hash)
    }

    /// Where a position occurred, by game and ply. Ten bytes of the hash are compared; who needs certainty replays one
    /// of the games.
    ///
    /// # Errors
    ///
    /// If a block is damaged; later ones show as items.
    pub fn lookup(&self, position: &Digest) -> Result<Occurrences> {
        let prefix = Prefix::of(position);
        self.between(prefix, prefix)
    }

    /// Where positions occurred whose hashes begin with some digits, by hash, game and ply.
    ///
    /// # Errors
    ///
    /// If a block is damaged; later ones show as items.
    pub fn lookup_prefix(&self, digits: &DigestPrefix) -> Result<Occurrences> {
        let (low, high) = Prefix::range(digits);
        self.between(low, high)
    }

    /// Whether a posting really is of a position: replays its game and compares the whole hash.
    ///
    /// # Errors
    ///
    /// If the game's block is damaged, or the game cannot be replayed.
    pub fn confirm(&self, posting: &Posting, position: &Digest, replay: &dyn Replay) -> Result<bool> {
        let game = self.game(posting.game())?;
        let replayed = replay.replay(&game);
        let replayed = replayed
            .map_err(|why| Error::inconsistent(Tree::Games, format!("game {}: {why}", posting.game())))?;
        Ok(replayed.positions.iter().any(|(hash, ply)| *ply == posting.ply() && hash == position))
    }

    /// How games went on from a position. Positions that occur often are counted ahead.
    ///
    /// # Errors
    ///
    /// If a block is damaged.
    pub fn tally(&self, position: &Digest) -> Result<Tally> {
        let prefix = Prefix::of(position);
        let mut summary = Summary::new(prefix);
        for run in &self.manifest.runs.hot {
            let found = RunReader::from_entry(&self.engine, run, &summary)?.next().transpose()?;
            if let Some(found) = found.filter(|found| found.prefix == prefix) {
                summary.absorb(found);
            }
        }
        let mut games = GameCache::default();
        for (first, last) in summary.gaps(self.games()) {
            let (first, last) =
                (Posting::new(prefix, first, 0)?, Posting::new(prefix, last, Posting::MAX_PLY)?);
            self.visit(&mut games, self.stretch(first, last)?, |game, moves| {
                moves.for_each(|next| summary.count(game, next));
            })?;
        }
        Ok(summary.into_tally())
    }

    /// How games went on from a position, kept apart by something about the games, such as their laws. Every game is looked at.
    ///
    /// # Errors
    ///
    /// If a block is damaged.
    pub fn tally_by<K: Ord>(
        &self,
        position: &Digest,
        mut key: impl FnMut(&StoredGame) -> K,
    ) -> Result<BTreeMap<K, Tally>> {
        let mut games = GameCache::default();
        let mut sums: BTreeMap<K, Summary> = BTreeMap::new();
        self.visit(&mut games, self.lookup(position)?, |game, moves| {
            let summary = sums.entry(key(game)).or_insert_with(|| Summary::new(Prefix::of(position)));
            moves.for_each(|next| summary.count(game, next));
        })?;
        Ok(sums.into_iter().map(|(key, summary)| (key, summary.into_tally())).collect())
    }

    /// What the database holds.
    ///
    /// # Errors
    ///
    /// If the disk cannot be asked.
    pub fn stats(&self) -> Result<Stats> {
        let manifest = &self.manifest;
        let bytes = |tree| manifest.runs.of(tree).iter().map(|run| run.bytes).sum::<u64>();
        Ok(Stats {
            games: manifest.games,
            postings: manifest.runs.postings.iter().map(|run| run.entries).sum(),
            results: manifest.results,
            duplicates: manifest.duplicates,
            rejects: manifest.rejects,
            sources: manifest.sources.to_vec(),
            posting_bytes: bytes(Tree::Postings),
            posting_runs: manifest.runs.postings.len(),
            disk_bytes: self.engine.disk_size()?,
            live_bytes: manifest.game_bytes + Runs::TREES.into_iter().map(bytes).sum::<u64>(),
        })
    }

    /// Every game, by number.
    #[must_use]
    pub fn export_games(&self) -> Games {
        Games { snapshot: self.clone(), cache: GameCache::default(), next: 0 }
    }

    /// Every position with its number of occurrences, by hash.
    #[must_use]
    pub fn export_positions(&self) -> PositionCounts {
        let all = Occurrences { entries: self.merged(), last: Posting::last_of(Prefix([0xff; 10])) };
        PositionCounts { postings: all, next: None }
    }

    fn between(&self, low: Prefix, high: Prefix) -> Result<Occurrences> {
        self.stretch(Posting::first_of(low), Posting::last_of(high))
    }

    /// The postings from one to another, both included.
    fn stretch(&self, first: Posting, last: Posting) -> Result<Occurrences> {
        let reader = |run: &Arc<Run>| RunReader::from_entry(&self.engine, run, &first);
        let readers = self.manifest.runs.postings.iter().map(reader).collect::<Result<Vec<_>>>()?;
        Ok(Occurrences { entries: Merge::new(readers), last })
    }

    /// Hands over each game of some postings of one position, with what was played next.
    fn visit(
        &self,
        games: &mut GameCache,
        postings: Occurrences,
        mut each: impl FnMut(&StoredGame, &mut dyn Iterator<Item = Option<StoredMove>>),
    ) -> Result<()> {
        let mut postings = postings.peekable();
        let mut plies = Vec::new();
        while let Some(posting) = postings.next().transpose()? {
            plies.push(posting.ply());
            if matches!(postings.peek(), Some(Ok(next)) if next.game() == posting.game()) {
                continue;
            }
            let game = self.game_with(games, posting.game())?;
            each(&game, &mut game.moves.at(plies.drain(..)));
        }
        Ok(())
    }

    /// All entries of a tree in order.
    pub(crate) fn merged<E: Entry>(&self) -> Merge<E, RunReader<E>> {
        let runs = self.manifest.runs.of(E::TREE);
        Merge::new(runs.iter().map(|run| RunReader::new(&self.engine, run)).collect())
    }

    pub(crate) fn game_with(&self, cache: &mut GameCache, id: u64) -> Result<Arc<StoredGame>> {
        if id >= self.manifest.games {
            return Err(Error::Missing { what: "game", id });
        }
        cache.get(&*self.engine, &self.starts, id)
    }

    pub(crate) const fn engine(&self) -> &Arc<dyn Engine> {
        &self.engine
    }

    pub(crate) fn starts(&self) -> &Starts {
        &self.starts
    }

    pub(crate) fn manifest(&self) -> &Manifest {
        &self.manifest
    }
}

impl Summary {
    fn into_tally(self) -> Tally {
        let mut tally = Tally::default();
        let moves: BTreeMap<_, _> = self.moves;
        for (step, results) in moves {
            tally.results.add_all(&results);
            tally.moves.push(NextMove { next: StoredMove::unpack(&step), results });
        }
        tally
            .moves
            .sort_by(|a, b| b.results.total().cmp(&a.results.total()).then_with(|| a.next.cmp(&b.next)));
        tally
    }
}

/// Places where positions occurred, by hash, game and ply.
pub struct Occurrences {
    entries: Merge<Posting, RunReader<Posting>>,
    last: Posting,
}

impl Iterator for Occurrences {
    type Item = Result<Posting>;

    fn next(&mut self) -> Option<Result<Posting>> {
        match self.entries.next()? {
            Ok(posting) if posting > self.last => None,
            item => Some(item),
        }
    }
}

/// Positions with their numbers of occurrences, by hash.
pub struct PositionCounts {
    postings: Occurrences,
    next: Option<Posting>,
}

impl Iterator for PositionCounts {
    type Item = Result<(Prefix, u64)>;

    fn next(&mut self) -> Option<Self::Item> {
        let first = match self.next.take() {
            Some(posting) => posting,
            None => match self.postings.next()? {
                Ok(posting) => posting,
                Err(error) => return Some(Err(error)),
            },
        };
        let mut count = 1;
        for posting in self.postings.by_ref() {
            match posting {
                Ok(posting) if posting.same_position(&first) => count += 1,
                Ok(posting) => {
                    self.next = Some(posting);
                    break;
                }
                Err(error) => return Some(Err(error)),
            }
        }
        Some(Ok((first.prefix(), count)))
    }
}

/// Games with their numbers, in order.
pub struct Games {
    snapshot: Snapshot,
    cache: GameCache,
    next: u64,
}

impl Iterator for Games {
    type Item = Result<(u64, Arc<StoredGame>)>;

    fn next(&mut self) -> Option<Self::Item> {
        let id = self.next;
        if id >= self.snapshot.games() {
            return None;
        }
        self.next += 1;
        Some(self.snapshot.game_with(&mut self.cache, id).map(|game| (id, game)))
    }
}
