//! The way out: games, lookups, tallies, statistics.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use boardprint_base::{Digest, DigestPrefix};

use super::answer::{FullList, ListKey};
use super::budget::{Budget, Steps};
use super::build::tags_address;
use super::columns::{Columns, Row};
use super::counts::{Counts, Summary};
use super::engine::{Engine, Tree};
use super::error::{Error, Result};
use super::export::LogReader;
use super::filter::Filter;
use super::game::{StoredGame, StoredMove};
use super::game_index;
use super::log::{Address, Block, Log, Retagged};
use super::manifest::{Manifest, Runs, Source};
use super::orders::Orders;
use super::posting::{Posting, Prefix};
use super::recent::Recent;
use super::replay::Replay;
use super::run::{Entry, Merge, Run, RunReader, WholeRun};
use super::visits::{Filters, Visit};
use super::words;

/// A view of the database at one moment. It is cheap to make and to clone.
#[derive(Clone)]
pub struct Snapshot {
    engine: Arc<dyn Engine>,
    log: Arc<Log>,
    manifest: Arc<Manifest>,
    budget: Option<Arc<Budget>>,
    caches: Arc<Caches>,
}

/// What all views of an open database keep in memory.
pub(crate) struct Caches {
    /// Blocks of games, by their place, for whoever steps through games. Only games that were acknowledged
    /// are asked for, and their frames never change.
    blocks: Recent<Address, Arc<Block>>,
    /// Games. Lists ask for the same few again and again, each from another block, and unpacking a block
    /// takes longer than all else that a line of a list needs. With how often games got other tags or were
    /// forgotten, a game is the same for all views.
    games: Recent<(u64, u64, u64), Arc<StoredGame>>,
    /// How often a position occurs in a run. Every move of an answer asks for it, and a run never changes: a
    /// batch that comes in adds one. With the number of its entries a run is known even after somebody else
    /// has built the index again.
    occurrences: Recent<(u32, u64, Prefix), u64>,
    /// Where a position occurred first. Later games do not change that: their numbers are higher. With how
    /// many games were forgotten.
    firsts: Recent<(u64, Prefix), (u64, u32)>,
    /// Lists of games that later games do not change.
    lists: Recent<ListKey, Arc<FullList>>,
    /// The last few filters.
    filters: Filters,
    /// All games in some orders, if somebody wants them to be kept.
    orders: Orders,
    /// Which runs a run was merged from: how often a position occurs in it is the sum of what is known of
    /// these.
    merged: Mutex<BTreeMap<u32, Vec<(u32, u64)>>>,
}

impl Default for Caches {
    fn default() -> Self {
        // In bytes, roughly, and in numbers: 2 MB, 6 MB, 6 MB, 1 MB and 2 MB each half.
        Caches {
            blocks: Recent::new(2 << 20),
            games: Recent::new(6 << 20),
            occurrences: Recent::new(1 << 17),
            firsts: Recent::new(1 << 14),
            lists: Recent::new(2 << 20),
            filters: Filters::default(),
            orders: Orders::default(),
            merged: Mutex::default(),
        }
    }
}

impl Caches {
    /// Notes that a run has taken the place of others, so that what is known of these need not be found out
    /// again.
    pub(crate) fn note_merged(&self, new: u32, old: &[Arc<Run>]) {
        /// Of the runs before these nobody knows anything any more.
        const RUNS: usize = 64;
        let mut merged = self.merged.lock().unwrap_or_else(PoisonError::into_inner);
        merged.insert(new, old.iter().map(|run| (run.id, run.entries)).collect());
        while merged.len() > RUNS {
            merged.pop_first();
        }
    }

    /// How often a position occurs in a run, if that is known of the run or of those that it was merged from.
    fn occurrences_in(&self, run: (u32, u64), prefix: Prefix) -> Option<u64> {
        if let Some(known) = self.occurrences.get((run.0, run.1, prefix)) {
            return Some(known);
        }
        let parts = self.merged.lock().unwrap_or_else(PoisonError::into_inner).get(&run.0).cloned()?;
        if parts.iter().map(|(_, entries)| entries).sum::<u64>() != run.1 {
            return None;
        }
        let known = parts.into_iter().map(|(id, entries)| self.occurrences.get((id, entries, prefix)));
        let known = known.sum::<Option<u64>>()?;
        self.occurrences.put((run.0, run.1, prefix), known, 1);
        Some(known)
    }

    /// The block of games at a place of the log.
    fn block(&self, log: &Log, at: Address) -> Result<Arc<Block>> {
        if let Some(block) = self.blocks.get(at) {
            return Ok(block);
        }
        // Nobody waits while a block is read; two who read the same one at once do no harm.
        let block = Arc::new(Block::read(&log.frame(at)?)?);
        self.blocks.put(at, Arc::clone(&block), block.weight());
        Ok(block)
    }
}

/// Somebody wants ratings.
pub(crate) struct RatingsWanted {
    /// Where counts have none, games are looked at, up to this many occurrences.
    up_to: u64,
    columns: Columns,
    /// Whether the ratings of all games were counted.
    pub(crate) all_known: bool,
}

impl RatingsWanted {
    pub(crate) fn new(engine: &Arc<dyn Engine>, up_to: u64) -> Self {
        RatingsWanted { up_to, columns: Columns::new(engine), all_known: true }
    }
}

/// What a database holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stats {
    /// How many games.
    pub games: u64,
    /// How many games were forgotten.
    pub forgotten: u64,
    /// How many positions, each as often as it occurs.
    pub postings: u64,
    /// How the games ended.
    pub results: Counts,
    /// How many records were games that were there already.
    pub duplicates: u64,
    /// How many records could not be read.
    pub rejects: u64,
    /// The source files.
    pub sources: Vec<Source>,
    /// The bytes of all postings, in sorted runs.
    pub posting_bytes: u64,
    /// The runs of postings: a lookup asks each of them.
    pub posting_runs: usize,
    /// The bytes of the index on disk, free space included.
    pub disk_bytes: u64,
    /// The bytes of everything that the index keeps in runs, without free space and the engine's own.
    pub live_bytes: u64,
    /// The bytes of the log of games.
    pub game_bytes: u64,
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
    /// How many games have the position; a game may have it several times.
    pub games: u64,
    /// How the games ended, for each occurrence.
    pub results: Counts,
    /// The moves that followed, the most frequent first.
    pub moves: Vec<NextMove>,
}

/// A move that followed a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextMove {
    /// The move; `None` where the game ended.
    pub next: Option<StoredMove>,
    /// How the games with it ended, for each occurrence.
    pub results: Counts,
    /// The first game with it, and the ply of the position there.
    pub first: (u64, u32),
}

impl Tally {
    /// How often the position occurred.
    #[must_use]
    pub fn occurrences(&self) -> u64 {
        self.results.total()
    }
}

impl Snapshot {
    pub(crate) const fn new(
        engine: Arc<dyn Engine>,
        log: Arc<Log>,
        manifest: Arc<Manifest>,
        caches: Arc<Caches>,
    ) -> Self {
        Snapshot { engine, log, manifest, budget: None, caches }
    }

    /// The same view for somebody who does not wait forever: what takes longer ends with [`Error::OutOfTime`].
    #[must_use]
    pub fn within(mut self, budget: Arc<Budget>) -> Self {
        self.budget = Some(budget);
        self
    }

    pub(crate) fn budget(&self) -> Option<Arc<Budget>> {
        self.budget.clone()
    }

    /// Whether whoever asks has any patience left.
    pub(crate) fn check_budget(&self) -> Result<()> {
        self.budget.as_ref().map_or(Ok(()), |budget| budget.check())
    }

    /// Which state of the database this is: the number grows with every change.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.manifest.generation
    }

    /// How many games there are. Their numbers are below [`Snapshot::next_game`].
    #[must_use]
    pub fn games(&self) -> u64 {
        self.manifest.games()
    }

    /// The number that the next game gets.
    #[must_use]
    pub fn next_game(&self) -> u64 {
        self.manifest.next_game
    }

    /// How the hashes were made.
    #[must_use]
    pub fn profile(&self) -> &str {
        &self.manifest.profile
    }

    /// Positions after this ply are not indexed.
    #[must_use]
    pub fn max_ply(&self) -> Option<u32> {
        self.manifest.max_ply
    }

    /// The source files, in the order of their numbers.
    #[must_use]
    pub fn sources(&self) -> &[Source] {
        &self.manifest.sources
    }

    /// A game by number, with its newest tags.
    ///
    /// # Errors
    ///
    /// If there is no such game or it was forgotten, or if its block is damaged.
    pub fn game(&self, id: u64) -> Result<Arc<StoredGame>> {
        if id >= self.manifest.next_game {
            return Err(Error::Missing { what: "game", id });
        }
        let key = (id, self.manifest.retagged, self.manifest.forgotten);
        if let Some(game) = self.caches.games.get(key) {
            return Ok(game);
        }
        let game = self.reader().game(id)?;
        self.caches.games.put(key, Arc::clone(&game), game.weight());
        Ok(game)
    }

    /// What is known of a game without opening it.
    ///
    /// # Errors
    ///
    /// If there is no such game, or the index is damaged.
    pub fn row(&self, id: u64) -> Result<Row> {
        if id >= self.manifest.next_game {
            return Err(Error::Missing { what: "game", id });
        }
        Columns::new(&self.engine).row(id)
    }

    /// A name or laws by the number in a row; `None` for 0.
    ///
    /// # Errors
    ///
    /// If the index is damaged.
    pub fn word(&self, number: u32) -> Result<Option<Box<str>>> {
        number.checked_sub(1).map(|number| words::word(&*self.engine, number)).transpose()
    }

    /// The number of the game with a hash; the first, if there are several.
    ///
    /// # Errors
    ///
    /// If a block is damaged.
    pub fn find_game(&self, hash: &Digest) -> Result<Option<u64>> {
        self.find_games(hash)?.next().transpose()
    }

    /// The numbers of all games with a hash, in order: several, if copies were kept, or different games share
    /// it.
    ///
    /// # Errors
    ///
    /// If a block is damaged; later ones show as items.
    pub fn find_games(&self, hash: &Digest) -> Result<impl Iterator<Item = Result<u64>> + use<>> {
        game_index::find_all(&self.engine, &self.manifest.runs.game_index, hash)
    }

    /// Where a position occurred, by game and ply. Ten bytes of the hash are compared; who needs certainty
    /// replays one of the games.
    ///
    /// # Errors
    ///
    /// If a block is damaged; later ones show as items.
    pub fn lookup(&self, position: &Digest) -> Result<Occurrences> {
        self.lookup_from(position, 0)
    }

    /// As [`Snapshot::lookup`], from a game on.
    ///
    /// # Errors
    ///
    /// As [`Snapshot::lookup`].
    pub fn lookup_from(&self, position: &Digest, game: u64) -> Result<Occurrences> {
        let prefix = Prefix::of(position);
        self.stretch(&Posting::new(prefix, game.min(Posting::MAX_GAME), 0)?, Posting::last_of(prefix))
    }

    /// The first game with a position, and the ply. Ten bytes of the hash are compared.
    ///
    /// # Errors
    ///
    /// If a block is damaged.
    pub fn first_occurrence(&self, position: &Digest) -> Result<Option<(u64, u32)>> {
        let key = (self.manifest.forgotten, Prefix::of(position));
        // Somebody with a newer view may have found one that is not in this view yet.
        let known = self.caches.firsts.get(key).filter(|(game, _)| *game < self.manifest.next_game);
        if known.is_some() {
            return Ok(known);
        }
        let first = self.lookup(position)?.next().transpose()?;
        let first = first.map(|posting| (posting.game(), posting.ply()));
        if let Some(first) = first {
            self.caches.firsts.put(key, first, 1);
        }
        Ok(first)
    }

    /// Where positions occurred whose hashes begin with some digits, by hash, game and ply.
    ///
    /// # Errors
    ///
    /// If a block is damaged; later ones show as items.
    pub fn lookup_prefix(&self, digits: &DigestPrefix) -> Result<Occurrences> {
        let (low, high) = Prefix::range(digits);
        self.stretch(&Posting::first_of(low), Posting::last_of(high))
    }

    /// The positions whose hashes begin with some digits, up to this many, with how often each occurred.
    ///
    /// # Errors
    ///
    /// If a block is damaged.
    pub fn candidates(&self, digits: &DigestPrefix, limit: usize) -> Result<Vec<(Prefix, u64)>> {
        PositionCounts { postings: self.lookup_prefix(digits)?, next: None }.take(limit).collect()
    }

    /// Whether a game has a position at a ply: replays it and compares the whole hash. The text of the
    /// position, if it does.
    ///
    /// # Errors
    ///
    /// If the game's block is damaged, or the game cannot be replayed.
    pub fn confirm(
        &self,
        game: u64,
        ply: u32,
        position: &Digest,
        replay: &dyn Replay,
    ) -> Result<Option<Vec<u8>>> {
        let text = replay.position(&*self.game(game)?, ply).map_err(|why| Error::Replay { id: game, why })?;
        Ok(text.filter(|text| replay.hash(text) == *position))
    }

    /// How games went on from a position. No game is opened; positions that occur often are counted ahead.
    ///
    /// # Errors
    ///
    /// If a block is damaged.
    pub fn tally(&self, position: &Digest) -> Result<Tally> {
        self.summary(position, None).map(Summary::into_tally)
    }

    /// What is counted of a position in all games. Ratings are counted if somebody wants them.
    pub(crate) fn summary(
        &self,
        position: &Digest,
        mut wanted: Option<&mut RatingsWanted>,
    ) -> Result<Summary> {
        let mut sum = Summary::new(Prefix::of(position));
        for run in &self.manifest.runs.postings {
            self.count_in(run, &mut sum, wanted.as_deref_mut())?;
        }
        Ok(sum)
    }

    /// How often a position occurred in games that pass a filter. Costs less than a tally, and least where it
    /// was asked before.
    ///
    /// # Errors
    ///
    /// If a block is damaged.
    pub fn occurrences(&self, position: &Digest, filter: &Filter) -> Result<u64> {
        let total = self.all_occurrences(position)?;
        // What never occurred need not be filtered.
        if filter.is_empty() || total == 0 {
            return Ok(total);
        }
        self.passing_occurrences(position, filter)
    }

    /// How often a position occurred.
    pub(crate) fn all_occurrences(&self, position: &Digest) -> Result<u64> {
        let prefix = Prefix::of(position);
        let mut total = 0;
        for run in &self.manifest.runs.postings {
            if let Some(known) = self.caches.occurrences_in((run.id, run.entries), prefix) {
                total += known;
                continue;
            }
            let key = (run.id, run.entries, prefix);
            let found = self.occurrences_in(run, prefix)?;
            self.caches.occurrences.put(key, found, 1);
            total += found;
        }
        Ok(total)
    }

    /// How often a position occurs in a run.
    fn occurrences_in(&self, run: &Run, prefix: Prefix) -> Result<u64> {
        if let Some(counts) = self.manifest.runs.counts_of(run.id)
            && let Some(occurrences) = Summary::find_occurrences(&*self.engine, counts, prefix)?
        {
            return Ok(occurrences);
        }
        let mut occurrences = 0;
        self.for_each_in(run, prefix, 0, |_| {
            occurrences += 1;
            Ok(true)
        })?;
        Ok(occurrences)
    }

    /// Adds what a run has of a position.
    fn count_in(&self, run: &Run, sum: &mut Summary, mut wanted: Option<&mut RatingsWanted>) -> Result<()> {
        let prefix = sum.prefix;
        if let Some(counts) = self.manifest.runs.counts_of(run.id)
            && let Some(counts) = Summary::find(&*self.engine, counts, prefix)?
        {
            let is_rated = !self.manifest.unrated.contains(&run.id);
            match &mut wanted {
                // There are no ratings in the counts, but few enough games to look at.
                Some(wanted) if !is_rated && counts.occurrences() <= wanted.up_to => {}
                wanted => {
                    sum.absorb(counts);
                    if let Some(wanted) = wanted {
                        wanted.all_known &= is_rated;
                        self.rate_again(run, sum, wanted)?;
                    }
                    return Ok(());
                }
            }
        }
        self.for_each_in(run, prefix, 0, |posting| {
            let ratings = wanted.as_mut().map(|wanted| wanted.columns.row(posting.game()));
            sum.count(posting, ratings.transpose()?.map_or([0; 2], |row| row.ratings()));
            Ok(true)
        })
    }

    /// Counts of a run have the ratings with which games came in; some have others now.
    fn rate_again(&self, run: &Run, sum: &mut Summary, wanted: &mut RatingsWanted) -> Result<()> {
        for (game, before) in &self.manifest.rated_before {
            let now = wanted.columns.row(*game)?.ratings();
            let mut again = false;
            self.for_each_in(run, sum.prefix, *game, |posting| {
                let is_it = posting.game() == *game;
                if is_it {
                    sum.rate_again(posting, again, *before, now);
                    again = true;
                }
                Ok(is_it)
            })?;
        }
        Ok(())
    }

    /// The occurrences of a position in a run, from a game on, as long as somebody wants them.
    pub(crate) fn for_each_in(
        &self,
        run: &Run,
        prefix: Prefix,
        from: u64,
        mut visit: impl FnMut(&Posting) -> Result<bool>,
    ) -> Result<()> {
        let mut steps = Steps::of(self.budget());
        let first = Posting::new(prefix, from, 0)?;
        RunReader::from_entry(&self.engine, run, &first)?.for_each(|posting| {
            steps.step()?;
            Ok(posting.same_position(&first) && visit(posting)?)
        })
    }

    /// How those games went on from a position that pass a filter. Rows are looked at, no game is opened.
    ///
    /// # Errors
    ///
    /// If a block is damaged.
    pub fn tally_filtered(&self, position: &Digest, filter: &Filter) -> Result<Tally> {
        if filter.is_empty() {
            return self.tally(position);
        }
        self.passing_summary(position, filter).map(Summary::into_tally)
    }

    /// How games went on from a position, by their laws; the usual ones are the empty text.
    ///
    /// # Errors
    ///
    /// If a block is damaged.
    pub fn tally_by_laws(&self, position: &Digest) -> Result<BTreeMap<Box<str>, Tally>> {
        let mut sums: BTreeMap<u32, Summary> = BTreeMap::new();
        for visit in self.visits(position, &Filter::default(), 0)? {
            let Visit { posting, row, .. } = visit?;
            let sum = sums.entry(row.laws).or_insert_with(|| Summary::new(Prefix::of(position)));
            sum.count(&posting, row.ratings());
        }
        let named = |(laws, summary): (u32, Summary)| {
            Ok((self.word(laws)?.unwrap_or_default(), summary.into_tally()))
        };
        sums.into_iter().map(named).collect()
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
            games: manifest.games(),
            forgotten: manifest.forgotten,
            postings: manifest.runs.postings.iter().map(|run| run.entries).sum(),
            results: manifest.results,
            duplicates: manifest.duplicates,
            rejects: manifest.rejects,
            sources: manifest.sources.to_vec(),
            posting_bytes: bytes(Tree::Postings),
            posting_runs: manifest.runs.postings.len(),
            disk_bytes: self.engine.disk_size()?,
            live_bytes: Runs::TREES.into_iter().map(bytes).sum::<u64>(),
            game_bytes: self.log.size()?,
        })
    }

    /// How many positions there are, each counted once, if that is known without looking at all of them:
    /// where there is one run.
    #[must_use]
    pub fn distinct_positions(&self) -> Option<u64> {
        match &*self.manifest.runs.postings {
            [] => Some(0),
            [run] => self.manifest.distinct.get(&run.id).copied(),
            _ => None,
        }
    }

    /// Every game, by number, from the log: as [`LogReader`] does it without an index.
    ///
    /// # Errors
    ///
    /// If the log is damaged.
    pub fn export(&self) -> Result<LogReader> {
        LogReader::over(Arc::clone(&self.log), self.manifest.log_end, self.manifest.profile.clone())
    }

    /// Every position with its number of occurrences, by hash.
    #[must_use]
    pub fn export_positions(&self) -> PositionCounts {
        let (steps, last) = (Steps::of(self.budget()), Posting::last_of(Prefix([0xff; 10])));
        let runs = self.manifest.runs.postings.iter();
        let entries = Merge::new(runs.map(|run| RunReader::new(&self.engine, run)).collect());
        let all = Occurrences { entries, last, steps };
        PositionCounts { postings: all, next: None }
    }

    /// The postings from one to another, both included.
    pub(crate) fn stretch(&self, first: &Posting, last: Posting) -> Result<Occurrences> {
        let reader = |run: &Arc<Run>| RunReader::from_entry(&self.engine, run, first);
        let readers = self.manifest.runs.postings.iter().map(reader).collect::<Result<Vec<_>>>()?;
        Ok(Occurrences { entries: Merge::new(readers), last, steps: Steps::of(self.budget()) })
    }

    /// All entries of a tree in order.
    pub(crate) fn merged<E: Entry>(&self) -> Merge<E, WholeRun<E>> {
        let runs = self.manifest.runs.of(E::TREE);
        Merge::new(runs.iter().map(|run| WholeRun::new(&self.engine, run)).collect())
    }

    pub(crate) fn reader(&self) -> GameReader {
        let reader = GameReader::new(&self.engine, &self.log, self.manifest.retagged > 0);
        GameReader { caches: Some(Arc::clone(&self.caches)), ..reader }
    }

    pub(crate) const fn engine(&self) -> &Arc<dyn Engine> {
        &self.engine
    }

    pub(crate) fn lists(&self) -> &Recent<ListKey, Arc<FullList>> {
        &self.caches.lists
    }

    pub(crate) fn filters(&self) -> &Filters {
        &self.caches.filters
    }

    pub(crate) fn orders(&self) -> &Orders {
        &self.caches.orders
    }

    pub(crate) fn manifest(&self) -> &Manifest {
        &self.manifest
    }
}

impl Summary {
    pub(crate) fn into_tally(self) -> Tally {
        let mut tally = Tally { games: self.games, ..Tally::default() };
        for (step, counts) in self.moves {
            tally.results.add_all(&counts.results);
            let next = StoredMove::unpack(&step);
            tally.moves.push(NextMove { next, results: counts.results, first: counts.first });
        }
        tally
            .moves
            .sort_by(|a, b| b.results.total().cmp(&a.results.total()).then_with(|| a.next.cmp(&b.next)));
        tally
    }
}

/// Reads games by number: one look at their rows, one read of the log. The last block is kept.
pub(crate) struct GameReader {
    engine: Arc<dyn Engine>,
    log: Arc<Log>,
    columns: Columns,
    block: Option<Arc<Block>>,
    /// Where blocks may be found that somebody else has read.
    caches: Option<Arc<Caches>>,
    /// Whether games may have new tags.
    retagged: bool,
}

impl GameReader {
    pub(crate) fn new(engine: &Arc<dyn Engine>, log: &Arc<Log>, retagged: bool) -> Self {
        let columns = Columns::new(engine);
        let (engine, log) = (Arc::clone(engine), Arc::clone(log));
        GameReader { engine, log, columns, block: None, caches: None, retagged }
    }

    /// A game by number, with its newest tags; the caller knows that there is such a number.
    pub(crate) fn game(&mut self, id: u64) -> Result<Arc<StoredGame>> {
        let row = self.columns.row(id)?;
        if row.forgotten {
            return Err(Error::Missing { what: "game", id });
        }
        if self.block.as_ref().is_none_or(|block| block.at != row.address) {
            self.block = Some(match &self.caches {
                Some(caches) => caches.block(&self.log, row.address)?,
                None => Arc::new(Block::read(&self.log.frame(row.address)?)?),
            });
        }
        let game = self.block.as_ref().and_then(|block| block.get(id)).map(|logged| Arc::clone(&logged.game));
        let mut game = game.ok_or_else(|| {
            Error::inconsistent(Tree::Columns, format!("game {id} is not where its row says"))
        })?;
        if self.retagged
            && let Some(at) = tags_address(&*self.engine, id)?
        {
            let retagged = Retagged::read(&self.log.frame(at)?)?;
            if retagged.game != id {
                return Err(Error::inconsistent(Tree::Tags, format!("game {id} has the tags of another")));
            }
            Arc::make_mut(&mut game).tags = retagged.tags;
        }
        Ok(game)
    }
}

/// Places where positions occurred, by hash, game and ply.
pub struct Occurrences {
    entries: Merge<Posting, RunReader<Posting>>,
    last: Posting,
    steps: Steps,
}

impl Iterator for Occurrences {
    type Item = Result<Posting>;

    fn next(&mut self) -> Option<Result<Posting>> {
        if let Err(late) = self.steps.step() {
            return Some(Err(late));
        }
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
