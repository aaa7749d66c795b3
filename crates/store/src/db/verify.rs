//! The full check of a database: every block, every count, and every game replayed against its postings.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use boardprint_base::{Digest, GameResult};
use rayon::prelude::*;

use super::engine::{Scan, Tree};
use super::error::{Error, Result};
use super::game::{GameCache, StoredGame, for_each_block};
use super::game_index::IndexEntry;
use super::hot::{Counts, Summary, packed};
use super::posting::{Posting, Prefix};
use super::replay::Replay;
use super::run::{Entry, Run, read_block};
use super::sighting::{Key, Sighting, Sightings};
use super::snapshot::Snapshot;

/// Something wrong with a database.
#[derive(Debug)]
#[non_exhaustive]
pub enum Finding {
    /// A block or a count is wrong.
    Broken(Error),
    /// A game cannot be replayed.
    Game {
        /// Its number.
        id: u64,
        /// Why.
        reason: String,
    },
    /// The postings or hashes of some games are not those of the games.
    Mismatch {
        /// The tree that differs.
        tree: Tree,
        /// The first game of the stretch.
        first: u64,
        /// The last one.
        last: u64,
    },
    /// The counts of a position are not those of its games.
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
/// let options = VerifyOptions::default().positions(1 << 24).folder("scratch");
/// ```
#[derive(Clone, Debug)]
pub struct VerifyOptions {
    pub(crate) positions: usize,
    pub(crate) folder: Option<PathBuf>,
}

impl Default for VerifyOptions {
    fn default() -> Self {
        VerifyOptions { positions: 1 << 20, folder: None }
    }
}

impl VerifyOptions {
    /// How many positions are held in memory to be compared, 32 bytes each: a million by default. Others go to temporary files.
    #[must_use]
    pub fn positions(mut self, positions: usize) -> Self {
        self.positions = positions;
        self
    }

    /// Where temporary files are made; by default where the system has them. They have no names, and end with the process.
    #[must_use]
    pub fn folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into());
        self
    }
}

/// What a check found.
#[derive(Debug, Default)]
pub struct VerifyReport {
    /// How many blocks were read.
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
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Finding::Broken(error) => std::fmt::Display::fmt(error, f),
            Finding::Game { id, reason } => write!(f, "game {id} cannot be replayed: {reason}"),
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
const TOGETHER_PLIES: usize = 1 << 16;
/// Games with much text in them are fewer at a time: so many bytes count as a position.
const BYTES_A_PLY: usize = 128;

/// Games are compared with their postings in stretches of this many.
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

/// A number for an entry, as random as SHA-1 needs not be here: the hashes are random already, the rest is mixed in.
fn mix(bytes: &[u8], number: u64) -> u128 {
    let mut low = [0; 16];
    let len = bytes.len().min(16);
    low[..len].copy_from_slice(&bytes[..len]);
    let number = u128::from(number).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
    let mixed = (u128::from_le_bytes(low) ^ number).wrapping_mul(0xd6e8_feb8_6659_fd93_a5a5_9e37_79b9_7f4b);
    mixed ^ (mixed >> 61)
}

fn posting_sum(posting: &Posting) -> u128 {
    mix(&posting.prefix().0, posting.game() << 24 | u64::from(posting.ply()))
}

fn index_sum(entry: &IndexEntry) -> u128 {
    mix(&entry.hash.0, entry.game)
}

/// What the games must account for; nothing is left of it if all is well.
struct Left {
    postings: Sums,
    index: Sums,
    hot: HashMap<Prefix, Summary>,
}

impl Left {
    /// Takes away what a game accounts for.
    fn take(&mut self, id: u64, game: &StoredGame, account: &Account) {
        self.index.add(id, account.index.wrapping_neg());
        self.postings.add(id, account.postings.wrapping_neg());
        let place = GameResult::ALL.iter().position(|result| *result == game.result).unwrap_or(3);
        for (prefix, next) in &account.hot {
            let Some(summary) = self.hot.get_mut(prefix) else { continue };
            let counts = summary.moves.entry(next.clone()).or_default();
            // Below zero wraps, and is as wrong as any other number but zero.
            counts.0[place] = counts.0[place].wrapping_sub(1);
        }
    }
}

/// What a game left behind when it came in.
struct Account {
    index: u128,
    postings: u128,
    /// Positions that are counted ahead, with the move that followed.
    hot: Vec<(Prefix, Box<[u8]>)>,
    sightings: Vec<Sighting>,
}

impl Account {
    /// Plays a game again.
    fn of(
        id: u64,
        game: &StoredGame,
        replay: &dyn Replay,
        key: &Key,
        hot: &HashMap<Prefix, Summary>,
    ) -> std::result::Result<Self, String> {
        let hash = replay.hash(&replay.identity(game)?);
        let mut account = Account {
            index: index_sum(&IndexEntry { hash, game: id }),
            postings: 0,
            hot: Vec::new(),
            sightings: Vec::with_capacity(game.moves.len() + 1),
        };
        let (mut ply, mut beyond, mut visits) = (0, None, Vec::new());
        replay.positions(game, &mut |text| {
            let prefix = Prefix::of(&replay.hash(text));
            match Posting::new(prefix, id, ply) {
                Ok(posting) => {
                    account.postings = account.postings.wrapping_add(posting_sum(&posting));
                    account.sightings.push(Sighting { posting, print: key.print(text) });
                }
                Err(error) => beyond = Some(error.to_string()),
            }
            if hot.get(&prefix).is_some_and(|summary| summary.covers(id)) {
                visits.push((ply, prefix));
            }
            ply += 1;
        })?;
        let steps = game.moves.at(visits.iter().map(|(ply, _)| *ply));
        account.hot = visits.iter().map(|(_, prefix)| *prefix).zip(steps.map(packed)).collect();
        beyond.map_or(Ok(account), Err)
    }
}

impl Snapshot {
    /// Checks everything: the checksum, order and number of all blocks, the counts of the manifest, and, with a replayer, every game
    /// against its postings, its hash and the counts ahead. Different positions under one prefix are found, and different games under
    /// one hash. Damage is a finding, not an error.
    ///
    /// # Errors
    ///
    /// Never for damage; if a temporary file cannot be made, written or read.
    pub fn verify(&self, replay: Option<&dyn Replay>) -> Result<VerifyReport> {
        self.verify_with(replay, &VerifyOptions::default())
    }

    /// As [`verify`](Snapshot::verify), with other room or another folder for temporary files.
    ///
    /// # Errors
    ///
    /// As [`verify`](Snapshot::verify).
    pub fn verify_with(&self, replay: Option<&dyn Replay>, options: &VerifyOptions) -> Result<VerifyReport> {
        let mut report = VerifyReport::default();
        let mut left =
            Left { postings: Sums::new(self.games()), index: Sums::new(self.games()), hot: HashMap::new() };
        let mut unknown = None;
        let mut note = |tree, game: u64, known: bool| {
            if !known {
                unknown.get_or_insert((tree, game));
            }
        };
        self.check_runs(&mut report, |posting: &Posting| {
            note(Tree::Postings, posting.game(), left.postings.add(posting.game(), posting_sum(posting)));
        });
        report.postings = self.manifest().runs.postings.iter().map(|run| run.entries).sum();
        self.check_runs(&mut report, |entry: &IndexEntry| {
            note(Tree::GameIndex, entry.game, left.index.add(entry.game, index_sum(entry)));
        });
        self.check_runs(&mut report, |summary: &Summary| match left.hot.entry(summary.prefix) {
            std::collections::hash_map::Entry::Occupied(mut known) => known.get_mut().absorb(summary.clone()),
            std::collections::hash_map::Entry::Vacant(place) => {
                place.insert(summary.clone());
            }
        });
        if let Some((tree, game)) = unknown {
            let error = Error::inconsistent(tree, format!("it names game {game}, which does not exist"));
            report.findings.push(Finding::Broken(error));
        }
        let mut sightings = Sightings::new(options);
        self.check_games(&mut report, replay, &mut left, &mut sightings)?;
        if let Some(replay) = replay {
            if report.is_well() {
                self.compare(&mut report, left);
            }
            for (first, second) in sightings.finish()? {
                report.findings.push(Finding::SharedPrefix {
                    prefix: first.prefix(),
                    first: (first.game(), first.ply()),
                    second: (second.game(), second.ply()),
                });
            }
            self.compare_games(&mut report, replay);
        }
        Ok(report)
    }

    /// Reads every block of every run of a tree.
    fn check_runs<E: Entry>(&self, report: &mut VerifyReport, mut visit: impl FnMut(&E)) {
        for run in self.manifest().runs.of(E::TREE) {
            if let Err(error) = self.check_run(run, report, &mut visit) {
                report.findings.push(Finding::Broken(error));
            }
        }
    }

    fn check_run<E: Entry>(
        &self,
        run: &Run,
        report: &mut VerifyReport,
        visit: &mut impl FnMut(&E),
    ) -> Result<()> {
        let (from, to) = run.bounds();
        let (mut blocks, mut entries, mut bytes) = (0, 0, 0);
        let mut last: Option<E> = None;
        for pair in Scan::new(Arc::clone(self.engine()), E::TREE, from, to) {
            // An engine that cannot go on ends the run; a bad block does not.
            let (key, value) = pair?;
            (blocks, bytes) = (blocks + 1, bytes + (key.len() + value.len()) as u64);
            match read_block::<E>(&key, &value) {
                Err(error) => report.findings.push(Finding::Broken(error)),
                Ok(block) => {
                    let follows = |last: &E| last.order(&block[0]) == std::cmp::Ordering::Less;
                    if !last.as_ref().is_none_or(follows) {
                        let error = Error::damaged(E::TREE, &key, "the block overlaps the one before");
                        report.findings.push(Finding::Broken(error));
                    }
                    entries += block.len() as u64;
                    block.iter().for_each(&mut *visit);
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

    /// Reads every game; replays it and takes what it should have left from the sums and counts. Only sightings that cannot be kept are
    /// an error.
    fn check_games(
        &self,
        report: &mut VerifyReport,
        replay: Option<&dyn Replay>,
        left: &mut Left,
        sightings: &mut Sightings,
    ) -> Result<()> {
        let key = Key::new();
        let mut results = Counts::default();
        let sources = self.sources().len();
        let mut findings = Vec::new();
        let (mut games_read, mut blocks) = (0, 0);
        let mut account_for = |games: &[(u64, Arc<StoredGame>)], findings: &mut Vec<Finding>| {
            let Some(replay) = replay else { return Ok(()) };
            let hot = &left.hot;
            let accounts: Vec<_> =
                games.par_iter().map(|(id, game)| Account::of(*id, game, replay, &key, hot)).collect();
            for ((id, game), account) in games.iter().zip(accounts) {
                match account {
                    Err(reason) => findings.push(Finding::Game { id: *id, reason }),
                    Ok(account) => {
                        left.take(*id, game, &account);
                        sightings.add(&account.sightings)?;
                    }
                }
            }
            Ok(())
        };
        let mut waiting = Vec::new();
        let mut plies = 0;
        let mut kept = Ok(());
        let walked = for_each_block(self.engine(), self.starts(), self.games(), |first, games| {
            blocks += 1;
            games_read += games.len() as u64;
            for (id, game) in (first..).zip(games) {
                results.add(game.result);
                if game.source.file as usize >= sources && sources > 0 {
                    findings.push(Finding::Game {
                        id,
                        reason: "its source file is not in the manifest".to_owned(),
                    });
                }
                let tags: usize = game.tags.iter().map(|tag| tag.name.len() + tag.value.len()).sum();
                plies += game.moves.len() + 1 + (tags + game.start.len() + game.extra.len()) / BYTES_A_PLY;
                waiting.push((id, game));
            }
            if plies < TOGETHER_PLIES {
                return Ok(());
            }
            plies = 0;
            kept = account_for(&std::mem::take(&mut waiting), &mut findings);
            // Any error ends the walk.
            if kept.is_ok() { Ok(()) } else { Err(Error::Failed) }
        });
        kept?;
        account_for(&waiting, &mut findings)?;
        report.games += games_read;
        report.blocks += blocks;
        report.findings.extend(findings);
        if let Err(error) = walked {
            report.findings.push(Finding::Broken(error));
        } else if results != self.manifest().results {
            let said = GameResult::ALL.map(|result| self.manifest().results.of(result));
            let what = format!("results {:?}, the manifest says {said:?}", results.0);
            report.findings.push(Finding::Broken(Error::inconsistent(Tree::Games, what)));
        }
        Ok(())
    }

    /// What is left in the sums and counts is wrong.
    fn compare(&self, report: &mut VerifyReport, left: Left) {
        for (tree, sums) in [(Tree::Postings, &left.postings), (Tree::GameIndex, &left.index)] {
            for (stretch, _) in (0..).zip(&sums.0).filter(|(_, sum)| **sum != 0) {
                let first = stretch * STRETCH;
                let last = (first + STRETCH).min(self.games()) - 1;
                report.findings.push(Finding::Mismatch { tree, first, last });
            }
        }
        let mut wrong: Vec<Prefix> = left
            .hot
            .into_values()
            .filter(|left| left.moves.values().any(|counts| counts.0 != [0; 4]))
            .map(|left| left.prefix)
            .collect();
        wrong.sort_unstable();
        report.findings.extend(wrong.into_iter().map(Finding::Counts));
    }

    /// Compares the texts of games under one hash. There are few: somebody made them, or copies were kept on purpose.
    fn compare_games(&self, report: &mut VerifyReport, replay: &dyn Replay) {
        let mut cache = GameCache::default();
        let mut identity = |id| Ok(replay.identity(&*self.game_with(&mut cache, id)?).ok());
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
