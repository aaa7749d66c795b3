//! Games that a database holds.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, anyhow};
use boardprint_dedup::{By, Collection, Fingerprint, Games, Known, Place, who_and_when};
use boardprint_games::{Profile, Record, RecordError};
use boardprint_store::db::{self, Db, Snapshot};
use boardprint_store::games::Rules;

use crate::args::ReadingArgs;
use crate::database::rules;
use crate::report::Usage;

/// The games of a collection, compared with those of a database if there is one.
pub(super) struct Against {
    games: Collection,
    known: Option<Stored>,
}

/// A database that is asked.
pub(super) struct Stored {
    name: Arc<str>,
    snapshot: Snapshot,
    /// What stored games are.
    rules: Rules,
    profile: Profile,
    /// Whether games are compared, not only their hashes.
    paranoid: bool,
    /// Why the database could not be asked.
    failure: Mutex<Option<anyhow::Error>>,
    /// Closed when everything is done.
    db: Db,
}

impl Against {
    pub(super) fn new(games: Collection, known: Option<Stored>) -> Self {
        Against { games, known }
    }

    /// Says whether the database answered every question.
    pub(super) fn finish(self) -> Result<()> {
        let Some(Stored { name, failure, snapshot, db, .. }) = self.known else { return Ok(()) };
        drop(snapshot);
        let ended = db.close().map_err(anyhow::Error::from);
        let failure = failure.into_inner().unwrap_or_else(PoisonError::into_inner);
        failure.map_or(ended, Err).with_context(|| name.to_string())
    }
}

impl Stored {
    pub(super) fn open(folder: &Path, reading: &ReadingArgs, paranoid: bool) -> Result<Self> {
        let options = db::Options::default().create(false).any_profile(true).access(db::Access::Read);
        let db = Db::open(folder, options).map_err(|error| match error {
            error @ (db::Error::NoDatabase { .. } | db::Error::NotADatabase { .. }) => {
                anyhow::Error::new(Usage(error.to_string()))
            }
            error => error.into(),
        })?;
        let (name, snapshot) = (db::shown_path(folder).to_string_lossy().into(), db.snapshot());
        let profile = Profile::of_name(snapshot.profile()).unwrap_or_default();
        let rules = rules(reading, profile)?;
        Ok(Stored { name, snapshot, rules, profile, paranoid, failure: Mutex::default(), db })
    }

    /// How the database names positions.
    pub(super) fn profile(&self) -> Profile {
        self.profile
    }

    fn find(&self, game: &Fingerprint) -> Result<Option<Known>> {
        if !self.paranoid {
            let Some(id) = self.snapshot.find_game(&game.digest)? else { return Ok(None) };
            return self.known(id).map(Some);
        }
        // The first that is the same, else the first of all.
        let mut first = None;
        for id in self.snapshot.find_games(&game.digest)? {
            let known = self.known(id?)?;
            if known.text == game.text.text {
                return Ok(Some(known));
            }
            first.get_or_insert(known);
        }
        Ok(first)
    }

    fn known(&self, id: u64) -> Result<Known> {
        let stored = self.snapshot.game(id)?;
        let content = self.rules.content(&stored).map_err(|why| anyhow!("game {id}: {why}"))?;
        let place = Place { path: self.name.clone(), record: Some(id), line: None };
        let (players, date) = who_and_when(&content);
        let text = if self.paranoid { content.key(self.profile).text } else { Vec::new() };
        Ok(Known { place, players, date, text })
    }
}

impl Games for Against {
    fn fingerprint(&self, record: &Record, by: By) -> Result<Fingerprint, RecordError> {
        self.games.fingerprint(record, by)
    }

    fn tags(&self, record: &Record) -> Vec<(String, String)> {
        self.games.tags(record)
    }

    fn known(&self, game: &Fingerprint) -> Option<Known> {
        let stored = self.known.as_ref()?;
        stored.find(game).unwrap_or_else(|error| {
            stored.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            None
        })
    }
}
