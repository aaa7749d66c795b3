//! The full check of a database: every block, every count, and every game replayed against its postings.

use std::collections::HashMap;
use std::sync::Arc;

use boardprint_base::{Digest, GameResult};
use rayon::prelude::*;

use super::engine::{Scan, Tree};
use super::error::{Error, Result};
use super::game::{StoredGame, for_each_block};
use super::game_index::IndexEntry;
use super::hot::{Counts, Summary, packed};
use super::posting::{Posting, Prefix};
use super::run::{Entry, Run, read_block};
use super::snapshot::Snapshot;

/// Plays stored games again. The database knows bytes; who knows the rules says what they mean.
pub trait Replay: Sync {
    /// What the game was when it came in.
    ///
    /// # Errors
    ///
    /// If the game cannot be replayed; the text says why.
    fn replay(&self, game: &StoredGame) -> std::result::Result<Replayed, String>;
}

/// A game played again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// What tells the game from others.
    pub hash: Digest,
    /// The hash of each position and its ply.
    pub positions: Vec<(Digest, u32)>,
}

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
        }
    }
}

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

impl Snapshot {
    /// Checks everything: the checksum, order and number of all blocks, the counts of the manifest, and, with a replayer, every game
    /// against its postings, its hash and the counts ahead. Damage is a finding, not an error.
    ///
    /// # Errors
    ///
    /// Never for damage; if the machine fails otherwise, as when memory for the sums cannot be had.
    pub fn verify(&self, replay: Option<&dyn Replay>) -> Result<VerifyReport> {
        let mut report = VerifyReport::default();
        let mut postings = Sums::new(self.games());
        let mut index = Sums::new(self.games());
        let mut hot: HashMap<Prefix, Summary> = HashMap::new();
        let mut unknown = None;
        let mut note = |tree, game: u64, known: bool| {
            if !known {
                unknown.get_or_insert((tree, game));
            }
        };
        self.check_runs(&mut report, |posting: &Posting| {
            note(Tree::Postings, posting.game(), postings.add(posting.game(), posting_sum(posting)));
        });
        report.postings = self.manifest().runs.postings.iter().map(|run| run.entries).sum();
        self.check_runs(&mut report, |entry: &IndexEntry| {
            note(Tree::GameIndex, entry.game, index.add(entry.game, index_sum(entry)));
        });
        self.check_runs(&mut report, |summary: &Summary| match hot.entry(summary.prefix) {
            std::collections::hash_map::Entry::Occupied(mut known) => known.get_mut().absorb(summary.clone()),
            std::collections::hash_map::Entry::Vacant(place) => {
                place.insert(summary.clone());
            }
        });
        if let Some((tree, game)) = unknown {
            let error = Error::inconsistent(tree, format!("it names game {game}, which does not exist"));
            report.findings.push(Finding::Broken(error));
        }
        self.check_games(&mut report, replay, &mut postings, &mut index, &mut hot);
        if replay.is_some() && report.is_well() {
            self.compare(&mut report, &postings, &index, hot);
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

    /// Reads every game; replays it and takes what it should have left from the sums and counts.
    fn check_games(
        &self,
        report: &mut VerifyReport,
        replay: Option<&dyn Replay>,
        postings: &mut Sums,
        index: &mut Sums,
        hot: &mut HashMap<Prefix, Summary>,
    ) {
        let mut results = Counts::default();
        let sources = self.sources().len();
        let mut findings = Vec::new();
        let (mut games_read, mut blocks) = (0, 0);
        let walked = for_each_block(self.engine(), self.starts(), self.games(), |first, games| {
            blocks += 1;
            games_read += games.len() as u64;
            for game in &games {
                results.add(game.result);
            }
            for (id, game) in (first..).zip(&games) {
                if game.source.file as usize >= sources && sources > 0 {
                    findings.push(Finding::Game {
                        id,
                        reason: "its source file is not in the manifest".to_owned(),
                    });
                }
            }
            let Some(replay) = replay else { return Ok(()) };
            let replayed: Vec<_> = games.par_iter().map(|game| replay.replay(game)).collect();
            for ((id, game), replayed) in (first..).zip(&games).zip(replayed) {
                match replayed {
                    Err(reason) => findings.push(Finding::Game { id, reason }),
                    Ok(replayed) => {
                        index
                            .add(id, index_sum(&IndexEntry { hash: replayed.hash, game: id }).wrapping_neg());
                        take_positions(id, game, replayed.positions, postings, hot)?;
                    }
                }
            }
            Ok(())
        });
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
    }

    /// What is left in the sums and counts is wrong.
    fn compare(
        &self,
        report: &mut VerifyReport,
        postings: &Sums,
        index: &Sums,
        hot: HashMap<Prefix, Summary>,
    ) {
        for (tree, sums) in [(Tree::Postings, postings), (Tree::GameIndex, index)] {
            for (stretch, _) in (0..).zip(&sums.0).filter(|(_, sum)| **sum != 0) {
                let first = stretch * STRETCH;
                let last = (first + STRETCH).min(self.games()) - 1;
                report.findings.push(Finding::Mismatch { tree, first, last });
            }
        }
        let mut wrong: Vec<Prefix> = hot
            .into_values()
            .filter(|left| left.moves.values().any(|counts| counts.0 != [0; 4]))
            .map(|left| left.prefix)
            .collect();
        wrong.sort_unstable();
        report.findings.extend(wrong.into_iter().map(Finding::Counts));
    }
}

/// Takes the positions of a replayed game from the sums and counts.
fn take_positions(
    id: u64,
    game: &StoredGame,
    mut positions: Vec<(Digest, u32)>,
    postings: &mut Sums,
    hot: &mut HashMap<Prefix, Summary>,
) -> Result<()> {
    positions.sort_unstable();
    positions.dedup_by_key(|(hash, ply)| (Prefix::of(hash), *ply));
    let mut visits = Vec::new();
    for (hash, ply) in positions {
        let prefix = Prefix::of(&hash);
        postings.add(id, posting_sum(&Posting::new(prefix, id, ply)?).wrapping_neg());
        if hot.get(&prefix).is_some_and(|summary| summary.covers(id)) {
            visits.push((ply, prefix));
        }
    }
    visits.sort_unstable();
    for (next, (_, prefix)) in game.moves.at(visits.iter().map(|(ply, _)| *ply)).zip(&visits) {
        if let Some(summary) = hot.get_mut(prefix) {
            let counts = summary.moves.entry(packed(next)).or_default();
            let place = GameResult::ALL.iter().position(|result| *result == game.result).unwrap_or(3);
            // Below zero wraps, and is as wrong as any other number but zero.
            counts.0[place] = counts.0[place].wrapping_sub(1);
        }
    }
    Ok(())
}
