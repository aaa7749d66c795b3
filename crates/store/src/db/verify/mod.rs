//! The full check of a database: the log first, without the index, then the index against it.
//!
//! Every frame of the log is read, every game replayed, and what it should have left in the index is added to
//! sums. Then every block of the index is read and taken from them: nothing is left if all is well. No
//! position is sorted, so that this takes about half the time of an import.

mod rows;
mod summaries;

use std::hash::{BuildHasher as _, RandomState};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use boardprint_base::Digest;
use rayon::prelude::*;

use super::counts::{Counts, Summary};
use super::engine::{Scan, Tree};
use super::error::{Error, Result};
use super::export::LogReader;
use super::game_index::IndexEntry;
use super::log::{Address, LoggedGame};
use super::posting::{Posting, Prefix};
use super::recover::LoggedBatch;
use super::replay::{Replay, Replayed};
use super::run::{BlockRead, Entry, Run, read_block};
use super::sighting::{Key, Sighting, Sightings};
use super::snapshot::Snapshot;

use self::rows::RowCheck;
use self::summaries::SummaryCheck;

/// Something wrong with a database.
#[derive(Debug)]
#[non_exhaustive]
pub enum Finding {
    /// A frame, a block or a count is wrong.
    Broken(Error),
    /// A game cannot be replayed, or is not the game that it was.
    Game {
        /// Its number.
        id: u64,
        /// Why.
        reason: String,
    },
    /// What the index has of some games is not what they left.
    Mismatch {
        /// The tree that differs.
        tree: Tree,
        /// The first game of the stretch.
        first: u64,
        /// The last one.
        last: u64,
    },
    /// The counts of a position are not those of its postings.
    Counts(Prefix),
    /// Two different positions share what is kept of a hash: lookups take them for one.
    SharedPrefix {
        /// What they share.
        prefix: Prefix,
        /// Game and ply of one.
        first: (u64, u32),
        /// Game and ply of the other.
        second: (u64, u32),
    },
    /// Two different games share a hash.
    SharedHash {
        /// The hash.
        hash: Digest,
        /// The number of one.
        first: u64,
        /// The number of the other.
        second: u64,
    },
}

/// How a database is checked.
///
/// ```
/// use boardprint_store::db::VerifyOptions;
/// let options = VerifyOptions::default().collisions(true).positions(1 << 24).folder("scratch");
/// ```
#[derive(Clone, Debug)]
pub struct VerifyOptions {
    pub(crate) positions: usize,
    pub(crate) folder: Option<PathBuf>,
    collisions: bool,
    progress: Option<Arc<AtomicU64>>,
}

impl Default for VerifyOptions {
    fn default() -> Self {
        VerifyOptions { positions: 1 << 20, folder: None, collisions: false, progress: None }
    }
}

impl VerifyOptions {
    /// Whether to look for different positions that share what is kept of a hash. All positions are sorted
    /// for that, which takes about as long as an import.
    #[must_use]
    pub fn collisions(mut self, collisions: bool) -> Self {
        self.collisions = collisions;
        self
    }

    /// Counts positions: those of the games that were replayed, then those of the index that were compared.
    #[must_use]
    pub fn progress(mut self, positions: Arc<AtomicU64>) -> Self {
        self.progress = Some(positions);
        self
    }

    /// How many positions are held in memory to be compared, 48 bytes each: a million by default. Others go
    /// to temporary files.
    #[must_use]
    pub fn positions(mut self, positions: usize) -> Self {
        self.positions = positions;
        self
    }

    /// Where temporary files are made; by default where the system has them. They have no names, and end with
    /// the process.
    #[must_use]
    pub fn folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into());
        self
    }
}

/// What a check found.
#[derive(Debug, Default)]
pub struct VerifyReport {
    /// How many frames of the log and blocks of the index were read.
    pub blocks: u64,
    /// How many games.
    pub games: u64,
    /// How many postings.
    pub postings: u64,
    /// What is wrong; empty if all is well.
    pub findings: Vec<Finding>,
}

impl VerifyReport {
    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_well(&self) -> bool {
        self.findings.is_empty()
    }

    fn note(&mut self, error: Error) {
        self.findings.push(Finding::Broken(error));
    }
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Finding::Broken(error) => std::fmt::Display::fmt(error, f),
            Finding::Game { id, reason } => write!(f, "game {id} is wrong: {reason}"),
            Finding::Mismatch { tree, first, last } => {
                write!(f, "{tree} of games {first} to {last} are not those of the games")
            }
            Finding::Counts(prefix) => {
                write!(f, "the counts of position {prefix} are not those of its games")
            }
            Finding::SharedPrefix { prefix, first, second } => write!(
                f,
                "two positions share the hash {prefix}…: game {} after {} half-moves, game {} after {}",
                first.0, first.1, second.0, second.1
            ),
            Finding::SharedHash { hash, first, second } => {
                write!(f, "games {first} and {second} differ and share the hash {hash}")
            }
        }
    }
}

/// Games are replayed together until they have this many positions, so that all threads have work.
const TOGETHER_PLIES: usize = 1 << 17;
/// Games with much text in them are fewer at a time: this many bytes count as a position.
const BYTES_PER_PLY: usize = 128;
/// Games are compared with what they left in stretches of this many.
const STRETCH: u64 = 256;

/// An order-free sum over the entries of each stretch of games: equal sums, equal sets.
struct Sums(Vec<u128>);

impl Sums {
    fn new(games: u64) -> Self {
        Sums(vec![0; usize::try_from(games.div_ceil(STRETCH)).unwrap_or(0)])
    }

    /// Whether the game exists.
    fn add(&mut self, game: u64, sum: u128) -> bool {
        let stretch = usize::try_from(game / STRETCH).ok().and_then(|stretch| self.0.get_mut(stretch));
        stretch.map(|stretch| *stretch = stretch.wrapping_add(sum)).is_some()
    }
}

/// A number for an entry, as random as SHA-1 needs not be here: the hashes are random already, the rest is
/// mixed in.
fn mix(bytes: &[u8], number: u64) -> u128 {
    let mut low = [0; 16];
    let len = bytes.len().min(16);
    low[..len].copy_from_slice(&bytes[..len]);
    let number = u128::from(number).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
    let mixed = (u128::from_le_bytes(low) ^ number).wrapping_mul(0xd6e8_feb8_6659_fd93_a5a5_9e37_79b9_7f4b);
    mixed ^ (mixed >> 61)
}

fn index_sum(entry: &IndexEntry) -> u128 {
    mix(&entry.hash.0, entry.game)
}

/// What a game left when it came in.
struct Account {
    index: u128,
    postings: u128,
    laws: Option<String>,
    sightings: Vec<Sighting>,
}

/// What games are checked with.
struct Check<'a> {
    replay: &'a dyn Replay,
    key: Option<Key>,
    max_ply: Option<u32>,
    /// What postings are summed with, another one each time.
    sum_key: [u64; 4],
}

/// Numbers that nobody knows beforehand.
fn random_key() -> [u64; 4] {
    let state = RandomState::new();
    [0_u8, 1, 2, 3].map(|number| state.hash_one(number))
}

impl Account {
    /// Plays a game again.
    fn of(id: u64, logged: &LoggedGame, check: &Check<'_>) -> std::result::Result<Self, String> {
        let (game, replay) = (&logged.game, check.replay);
        let Replayed { hash, positions, laws } = replay.replay(game)?;
        if hash != logged.hash && !game.moves.is_empty() {
            return Err(format!("its hash is {hash}, not {}", logged.hash));
        }
        let mut account = Account {
            index: index_sum(&IndexEntry { hash, game: id }),
            postings: 0,
            laws: laws.filter(|laws| !laws.is_empty()),
            sightings: Vec::new(),
        };
        let last = positions.last().map_or(0, |(_, ply)| *ply);
        // If the last ply fits, all do.
        let model = Posting::new(Prefix::default(), id, last).map_err(|why| why.to_string())?;
        let model = model.followed_by(None, game.result);
        let (mut words, mut moves) = (game.moves.words(), game.moves.iter());
        for (position, ply) in positions {
            let prefix = Prefix::of(&position);
            let posting = match &mut words {
                Some(words) => model.earlier(prefix, ply, words.next()),
                None => model.earlier(prefix, ply, None).followed_by(moves.next().as_ref(), game.result),
            };
            if check.max_ply.is_none_or(|max_ply| ply <= max_ply) {
                account.postings = account.postings.wrapping_add(posting.sum(&check.sum_key));
                if check.key.is_some() {
                    account.sightings.push(Sighting { posting, print: 0 });
                }
            }
        }
        if let Some(key) = &check.key {
            let mut sightings = account.sightings.iter_mut();
            replay.positions(game, &mut |text| {
                if let Some(sighting) = sightings.next() {
                    sighting.print = key.print(text);
                }
            })?;
        }
        Ok(account)
    }
}

/// What the index must hold; nothing is left of it if all is well.
struct Left {
    postings: Sums,
    index: Sums,
    results: Counts,
    games: u64,
}

impl Snapshot {
    /// Checks everything: every frame of the log, every game replayed, then every block of the index against
    /// them. Different games under one hash are found too. Damage is a finding, not an error.
    ///
    /// # Errors
    ///
    /// Never for damage; if a temporary file cannot be made, written or read.
    pub fn verify(&self, replay: &dyn Replay) -> Result<VerifyReport> {
        self.verify_with(replay, &VerifyOptions::default())
    }

    /// As [`verify`](Snapshot::verify), with other options.
    ///
    /// # Errors
    ///
    /// As [`verify`](Snapshot::verify).
    pub fn verify_with(&self, replay: &dyn Replay, options: &VerifyOptions) -> Result<VerifyReport> {
        let mut report = VerifyReport::default();
        let reader = match self.export() {
            Ok(reader) => reader,
            Err(error) => {
                report.note(error);
                return Ok(report);
            }
        };
        let mut left = Left {
            postings: Sums::new(self.next_game()),
            index: Sums::new(self.next_game()),
            results: Counts::default(),
            games: 0,
        };
        let check = Check {
            replay,
            key: options.collisions.then(Key::new),
            max_ply: self.max_ply(),
            sum_key: random_key(),
        };
        let progress = options.progress.as_deref();
        let mut sightings = Sightings::new(options);
        let mut rows = RowCheck::new(self, &reader, &mut report);
        check_log(&reader, &check, &mut left, &mut sightings, &mut rows, &mut report, progress)?;
        let rated = rows.tags_are_settled();
        self.check_index(&reader, &mut left, &check, rated, &mut report, progress);
        if options.collisions {
            for (first, second) in sightings.finish()? {
                report.findings.push(Finding::SharedPrefix {
                    prefix: first.prefix(),
                    first: (first.game(), first.ply()),
                    second: (second.game(), second.ply()),
                });
            }
        }
        self.compare_games(&mut report, replay);
        Ok(report)
    }

    /// Reads every block of the index and takes it from what it must hold.
    fn check_index(
        &self,
        reader: &LogReader,
        left: &mut Left,
        check: &Check<'_>,
        rated: bool,
        report: &mut VerifyReport,
        progress: Option<&AtomicU64>,
    ) {
        let manifest = self.manifest();
        let well = report.is_well();
        let mut unknown = None;
        let mut note = |tree, game: u64, known: bool| {
            if !known {
                unknown.get_or_insert((tree, game));
            }
        };
        for run in &manifest.runs.postings {
            let mut summaries = SummaryCheck::of(self, run, rated);
            self.check_run(run, report, |block: &[Posting]| {
                if let Some(progress) = progress {
                    progress.fetch_add(block.len() as u64, Ordering::Relaxed);
                }
                for posting in block {
                    let game = posting.game();
                    note(Tree::Postings, game, left.postings.add(game, posting.sum(&check.sum_key)));
                    summaries.push(posting);
                }
            });
            report.findings.extend(summaries.finish());
        }
        for run in &manifest.runs.counts {
            self.check_run(run, report, |_: &[Summary]| {});
        }
        report.postings = manifest.runs.postings.iter().map(|run| run.entries).sum();
        for run in &manifest.runs.game_index {
            self.check_run(run, report, |block: &[IndexEntry]| {
                for entry in block {
                    note(Tree::GameIndex, entry.game, left.index.add(entry.game, index_sum(entry)));
                }
            });
        }
        if let Some((tree, game)) = unknown {
            report.note(Error::inconsistent(tree, format!("it names game {game}, which does not exist")));
        }
        let (duplicates, rejects) = reader.duplicates_and_rejects();
        let said = (manifest.games(), manifest.results, manifest.duplicates, manifest.rejects);
        if well && said != (left.games, left.results, duplicates, rejects) {
            report.note(Error::inconsistent(
                Tree::Meta,
                "games, results, duplicates or rejects are not those of the log",
            ));
        }
        if well && **manifest.sources != *reader.sources() {
            report.note(Error::inconsistent(Tree::Meta, "the sources are not those of the log"));
        }
        // Sums of what could not be read are wrong of necessity.
        if report.is_well() {
            for (tree, sums) in [(Tree::Postings, &left.postings), (Tree::GameIndex, &left.index)] {
                for (stretch, _) in (0..).zip(&sums.0).filter(|(_, sum)| **sum != 0) {
                    let first = stretch * STRETCH;
                    let last = (first + STRETCH).min(self.next_game()) - 1;
                    report.findings.push(Finding::Mismatch { tree, first, last });
                }
            }
        }
    }

    fn check_run<E: Entry>(&self, run: &Run, report: &mut VerifyReport, mut visit: impl FnMut(&[E])) {
        if let Err(error) = self.walk_run(run, report, &mut visit) {
            report.note(error);
        }
    }

    fn walk_run<E: Entry>(
        &self,
        run: &Run,
        report: &mut VerifyReport,
        visit: &mut impl FnMut(&[E]),
    ) -> Result<()> {
        let (from, to) = run.bounds();
        let (mut blocks, mut entries, mut bytes) = (0, 0, 0);
        let mut expected = run.first_key();
        let mut last: Option<E> = None;
        for pair in Scan::new(Arc::clone(self.engine()), E::TREE, from, to) {
            // An engine that cannot go on ends the run; a bad block does not.
            let (key, value) = pair?;
            (blocks, bytes) = (blocks + 1, bytes + (key.len() + value.len()) as u64);
            if expected.take().is_some_and(|expected| expected != key) {
                report.note(Error::damaged(E::TREE, &key, "a block before it is missing"));
            }
            match read_block::<E>(&key, &value) {
                Err(error) => report.note(error),
                Ok(BlockRead { entries: block, next }) => {
                    expected = next;
                    let follows = |last: &E| last.order(&block[0]) == std::cmp::Ordering::Less;
                    if !last.as_ref().is_none_or(follows) {
                        report.note(Error::damaged(E::TREE, &key, "the block overlaps the one before"));
                    }
                    entries += block.len() as u64;
                    visit(&block);
                    last = block.last().cloned();
                }
            }
        }
        report.blocks += blocks;
        if (blocks, entries, bytes) == (run.blocks, run.entries, run.bytes) {
            return Ok(());
        }
        let what = format!(
            "run {} has {entries} entries in {blocks} blocks, the manifest says {} in {}",
            run.id, run.entries, run.blocks
        );
        Err(Error::inconsistent(E::TREE, what))
    }

    /// Compares the texts of games under one hash. There are few: somebody made them, or copies were kept on
    /// purpose.
    fn compare_games(&self, report: &mut VerifyReport, replay: &dyn Replay) {
        let mut reader = self.reader();
        let mut identity = |id| Ok(replay.identity(&*reader.game(id)?).ok());
        let mut group: Option<(IndexEntry, Option<Vec<u8>>)> = None;
        let mut differ = |entry: IndexEntry| -> Result<Option<Finding>> {
            let Some((first, text)) = group.as_mut().filter(|(first, _)| first.hash == entry.hash) else {
                group = Some((entry, None));
                return Ok(None);
            };
            if text.is_none() {
                *text = identity(first.game)?;
            }
            let finding = Finding::SharedHash { hash: entry.hash, first: first.game, second: entry.game };
            let other = identity(entry.game)?;
            Ok((other.is_some() && text.is_some() && other != *text).then_some(finding))
        };
        for entry in self.merged::<IndexEntry>() {
            match entry.and_then(&mut differ) {
                Ok(finding) => report.findings.extend(finding),
                // What cannot be read has been found already.
                Err(_) => return,
            }
        }
    }
}

/// Reads the log, replays every game and notes what it should have left.
fn check_log(
    reader: &LogReader,
    check: &Check<'_>,
    left: &mut Left,
    sightings: &mut Sightings,
    rows: &mut RowCheck<'_>,
    report: &mut VerifyReport,
    progress: Option<&AtomicU64>,
) -> Result<()> {
    let mut batch = LoggedBatch::default();
    let (mut plies, mut next) = (0, 0);
    let mut account_for = |games: Vec<(u64, Address, LoggedGame)>, report: &mut VerifyReport| -> Result<()> {
        let accounts: Vec<_> = games
            .par_iter()
            .map(|(id, _, logged)| {
                let gone = reader.forgotten().is(*id, logged.game.source.file);
                let account = (!gone).then(|| Account::of(*id, logged, check));
                if let Some(progress) = progress {
                    progress.fetch_add(logged.game.moves.len() as u64 + 1, Ordering::Relaxed);
                }
                account
            })
            .collect();
        for ((id, at, logged), account) in games.into_iter().zip(accounts) {
            let laws = match account {
                None => None,
                Some(Err(reason)) => {
                    report.findings.push(Finding::Game { id, reason });
                    continue;
                }
                Some(Ok(account)) => {
                    left.games += 1;
                    left.results.add(logged.game.result);
                    left.index.add(id, account.index.wrapping_neg());
                    left.postings.add(id, account.postings.wrapping_neg());
                    sightings.add(&account.sightings)?;
                    account.laws
                }
            };
            rows.check(id, at, &logged, laws.as_deref(), report);
        }
        Ok(())
    };
    let mut walk = || -> Result<()> {
        for placed in reader.log().frames(super::log::Log::first(), reader.end()) {
            let placed = match placed {
                Ok(placed) => placed,
                Err(error) => {
                    report.note(error);
                    break;
                }
            };
            report.blocks += 1;
            let before = batch.games.len();
            match batch.take(&placed) {
                Ok(Some(end)) if end.next_game != next => report.note(Error::DamagedLog {
                    address: placed.at,
                    what: "the batch says another number of games",
                }),
                Ok(_) => {}
                Err(error) => report.note(error),
            }
            for (id, at, logged) in &batch.games[before..] {
                if *id != next {
                    report
                        .note(Error::DamagedLog { address: *at, what: "games are missing before the block" });
                }
                next = id + 1;
                let game = &logged.game;
                plies += game.moves.len()
                    + 1
                    + (game.tags.bytes() + game.start.len() + game.extra.len()) / BYTES_PER_PLY;
                if game.source.file as usize >= reader.sources().len() && !reader.sources().is_empty() {
                    let reason = "its source file is not known".to_owned();
                    report.findings.push(Finding::Game { id: *id, reason });
                }
            }
            if plies >= TOGETHER_PLIES {
                plies = 0;
                account_for(std::mem::take(&mut batch).games, report)?;
            }
        }
        account_for(std::mem::take(&mut batch).games, report)
    };
    walk()?;
    report.games = left.games;
    Ok(())
}
