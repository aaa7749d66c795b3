//! Each game once.
//!
//! [`run`] reads some inputs and hands games, copies and doubts to a [`Sink`], in input order:
//!
//! ```
//! use boardprint_dedup::{Collection, DedupOptions, Pair, Reject, Sink, run};
//! use boardprint_games::Record;
//! use boardprint_records::{Input, ReaderOptions};
//!
//! /// Takes the games that stay.
//! struct Kept(Vec<String>);
//!
//! impl Sink for Kept {
//!     type Error = std::convert::Infallible;
//!     fn keep(&mut self, record: &Record, _: &[(String, String)]) -> Result<(), Self::Error> {
//!         self.0.push(record.text.clone());
//!         Ok(())
//!     }
//!     fn duplicate(&mut self, _: &Record, _: &Pair) -> Result<(), Self::Error> {
//!         Ok(())
//!     }
//!     fn doubt(&mut self, _: &Pair) -> Result<(), Self::Error> {
//!         Ok(())
//!     }
//!     fn reject(&mut self, _: Reject<'_>) -> Result<(), Self::Error> {
//!         Ok(())
//!     }
//! }
//!
//! let games = ["1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7", "1. e4 e5 2. g1f3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. 0-0 Be7"];
//! let mut kept = Kept(Vec::new());
//! let options = DedupOptions::default();
//! let inputs = games.map(Input::text);
//! let sums = run(&inputs, &ReaderOptions::default(), &options, &Collection::default(), &mut kept)?;
//! assert_eq!((sums.kept, sums.likely), (1, 1));
//! assert_eq!(kept.0, games[..1]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How
//!
//! Games become [`Fingerprint`]s in parallel; one thread decides in input order, so the result does not
//! depend on the number of threads. What is remembered is one table entry per distinct game and four bytes
//! per record.
//!
//! Two games with the same key are compared like this:
//!
//! - below [`DedupOptions::min_plies`] they are one only if players and date agree as well;
//! - the pair is [`Confidence::Certain`] if the players agree ([`players_key`]), [`Confidence::Likely`] if
//!   the game (the shorter one, by prefix) has at least 20 plies or neither game names its players, else
//!   [`Confidence::Doubtful`];
//! - below [`DedupOptions::min_confidence`] both stay and the pair is reported as a doubt.
//!
//! Lines of a list, and ICN records with neither tags nor moves, are positions: equal ones are one with
//! certainty.
//!
//! Keeping the first game takes one pass. Everything else needs to know the whole input before the first game
//! can be written, so it is read again: to write the result, to collect tags. Standard input is then copied
//! to a temporary file first. By [`By::Prefix`] the moves go to a temporary file too, so that every game can
//! be held against all others without being read again. The longer game then always stays; [`Keep`] decides
//! among equal ones.

mod decide;
mod fingerprint;
mod group;
mod lines;
mod pipeline;
mod run;
mod table;
mod texts;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use serde::Serialize;

use boardprint_games::{Record, RecordError};
use boardprint_records::{Progress, ReadError};

pub use decide::{Decision, Facts, Stays, confidence};
use fingerprint::both;
pub use fingerprint::{
    Chain, Collection, Fingerprint, Games, Known, Line, date_key, players_key, who_and_when,
};
pub use group::{Continuations, Decided, Group, GroupKey};
pub use run::{DedupError, run};

/// When two games are one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// Same laws, start and moves.
    #[default]
    Game,
    /// Same start and moves, laws aside.
    Moves,
    /// Same last position after the same number of plies.
    Final,
    /// One continues the other.
    Prefix,
}

/// How sure it is that two games are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// Short games of other players.
    Doubtful,
    /// The moves agree over 20 plies or more, or no players are named.
    Likely,
    /// Moves and players agree.
    Certain,
}

impl Confidence {
    /// From how many plies on equal moves are no accident.
    const LIKELY_PLIES: u32 = 20;

    /// Of games of the same moves whose players are the same, as far as they are known.
    fn of_same_players(players: Option<u64>) -> Self {
        if both(players).is_some() { Confidence::Certain } else { Confidence::Likely }
    }

    /// Of games of the same moves whose players differ.
    const fn of_other_players(plies: u32) -> Self {
        if plies >= Self::LIKELY_PLIES { Confidence::Likely } else { Confidence::Doubtful }
    }
}

/// Which of equal games stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// The first.
    #[default]
    First,
    /// The longest, then the first.
    Longest,
    /// The one with the most tags, ratings, clocks and comments, then the first.
    Richest,
}

/// How to find duplicates and what to do with them.
#[derive(Clone, Debug)]
pub struct DedupOptions {
    by: By,
    keep: Keep,
    min_plies: u32,
    min_confidence: Confidence,
    merge_tags: bool,
    paranoid: bool,
    threads: usize,
}

/// Where a game stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The file, `-` or `-e`; or the name of a game that is known from elsewhere.
    #[serde(serialize_with = "as_text")]
    pub path: Arc<str>,
    /// The number of the record, from 1.
    pub record: Option<u64>,
    /// The line on which it begins.
    pub line: Option<u64>,
}

fn as_text<S: serde::Serializer>(text: &Arc<str>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(text)
}

/// A pair of games that are, or may be, one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pair {
    /// The game in question.
    pub game: Place,
    /// The one that stands for it.
    pub kept: Place,
    /// Whether the game was dropped; a doubtful one stays.
    pub dropped: bool,
    /// The criterion.
    pub by: By,
    /// How sure it is.
    pub confidence: Confidence,
    /// Why, in words.
    pub reason: &'static str,
}

/// A record that is not a game: it could not be read, or breaks off.
#[derive(Debug)]
pub enum Reject<'a> {
    /// The collection could not be read here.
    Read(&'a ReadError),
    /// The record is not a good game.
    Game(&'a Record, &'a RecordError),
}

/// Why the input is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// For everything at once.
    Only,
    /// To find equal games.
    Compare,
    /// To collect the tags of copies.
    Tags,
    /// To write what stays.
    Write,
}

/// Takes the results, in input order.
pub trait Sink {
    /// What can go wrong with taking them.
    type Error;

    /// The input is read, perhaps once more; `progress` can be watched.
    fn begin(&mut self, _pass: Pass, _progress: Progress) {}

    /// A game that stays, with the tags that only its copies have.
    ///
    /// # Errors
    ///
    /// Ends the run.
    fn keep(&mut self, record: &Record, tags: &[(String, String)]) -> Result<(), Self::Error>;

    /// A copy that is dropped.
    ///
    /// # Errors
    ///
    /// Ends the run.
    fn duplicate(&mut self, record: &Record, pair: &Pair) -> Result<(), Self::Error>;

    /// A game that may be a copy and stays; it is given to `keep` too.
    ///
    /// # Errors
    ///
    /// Ends the run.
    fn doubt(&mut self, pair: &Pair) -> Result<(), Self::Error>;

    /// A game that has the key of another and differs from it, so that it is not dropped for it; see
    /// [`DedupOptions::paranoid`].
    ///
    /// # Errors
    ///
    /// Ends the run.
    fn collide(&mut self, _game: &Place, _other: &Place) -> Result<(), Self::Error> {
        Ok(())
    }

    /// A record that is not a game. It is kept apart: neither kept nor dropped.
    ///
    /// # Errors
    ///
    /// Ends the run.
    fn reject(&mut self, reject: Reject<'_>) -> Result<(), Self::Error>;
}

/// What a run did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Records read, good and bad.
    pub records: u64,
    /// Games that stay.
    pub kept: u64,
    /// Copies with the same players.
    pub certain: u64,
    /// Copies of 20 plies or more, or without named players.
    pub likely: u64,
    /// Copies dropped in spite of doubts.
    pub doubtful: u64,
    /// Games that may be copies and stay.
    pub doubts: u64,
    /// Records that are not games.
    pub rejected: u64,
    /// Pairs of different games with the same key, found by [`DedupOptions::paranoid`]. Neither is dropped
    /// for the other.
    pub collisions: u64,
}

impl Summary {
    /// Copies that are dropped.
    #[must_use]
    pub const fn dropped(&self) -> u64 {
        self.certain + self.likely + self.doubtful
    }
}

impl DedupOptions {
    /// When two games are one; by game unless said otherwise.
    #[must_use]
    pub fn by(mut self, by: By) -> Self {
        self.by = by;
        self
    }

    /// Which of equal games stays; the first unless said otherwise.
    #[must_use]
    pub fn keep(mut self, keep: Keep) -> Self {
        self.keep = keep;
        self
    }

    /// Below how many plies players and date must agree; 10 unless said otherwise.
    #[must_use]
    pub fn min_plies(mut self, plies: u32) -> Self {
        self.min_plies = plies;
        self
    }

    /// How sure it must be before a copy is dropped; likely unless said otherwise.
    #[must_use]
    pub fn min_confidence(mut self, confidence: Confidence) -> Self {
        self.min_confidence = confidence;
        self
    }

    /// Whether a copy gives its tags to the game that stays.
    #[must_use]
    pub fn merge_tags(mut self, merge: bool) -> Self {
        self.merge_tags = merge;
        self
    }

    /// Whether games are compared by their texts before one is dropped for another. Without it equal keys are
    /// enough: those of honest games never meet by accident, but SHA-1 does not resist an attacker who makes
    /// both games, and the key of beginnings ([`Chain`]) not even a determined amateur. Beginnings are
    /// compared by a fingerprint with a secret key of the run. Texts go to a temporary file; what stays and
    /// goes is the same, as long as nobody cheats.
    #[must_use]
    pub fn paranoid(mut self, paranoid: bool) -> Self {
        self.paranoid = paranoid;
        self
    }

    /// How many threads work; 0, the default, is one per core.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }
}

impl Default for DedupOptions {
    fn default() -> Self {
        DedupOptions {
            by: By::default(),
            keep: Keep::default(),
            min_plies: 10,
            min_confidence: Confidence::Likely,
            merge_tags: false,
            paranoid: false,
            threads: 0,
        }
    }
}

impl By {
    /// Why two games are one, in words.
    fn reason(self, confidence: Confidence) -> &'static str {
        match (self, confidence == Confidence::Certain) {
            (By::Game, true) => "same laws, start, moves and players",
            (By::Game, false) => "same laws, start and moves; players differ or are not named",
            (By::Moves, true) => "same start, moves and players",
            (By::Moves, false) => "same start and moves; players differ or are not named",
            (By::Final, true) => "same last position, length and players",
            (By::Final, false) => "same last position and length; players differ or are not named",
            (By::Prefix, true) => "the beginning of a game of the same players",
            (By::Prefix, false) => "the beginning of another game; players differ or are not named",
        }
    }
}

/// The page of the crate: its example runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
