//! Games that a database holds.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use boardprint_dedup::{By, Collection, DedupOptions, Facts, Fingerprint, Games, Known, Place};
use boardprint_games::{Profile, Record, RecordError};
use boardprint_store::db::{self, Db, Snapshot};
use boardprint_store::games::{Kin, Rules};

use crate::args::ReadingArgs;
use crate::database::{failure, rules};

/// The games of a collection, compared with those of a database if there is one.
pub(super) struct Against {
    games: Collection,
    known: Option<Stored>,
}

/// A database that is asked.
pub(super) struct Stored {
    name: Arc<str>,
    snapshot: Snapshot,
    kin: Kin,
    /// What stored games are.
    rules: Rules,
    profile: Profile,
    options: DedupOptions,
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
        let Some(Stored { name, failure, snapshot, kin, db, .. }) = self.known else { return Ok(()) };
        drop((snapshot, kin));
        let ended = db.close().map_err(anyhow::Error::from);
        let failure = failure.into_inner().unwrap_or_else(PoisonError::into_inner);
        failure.map_or(ended, Err).with_context(|| name.to_string())
    }
}

impl Stored {
    pub(super) fn open(
        folder: &Path,
        wait: Duration,
        reading: &ReadingArgs,
        options: DedupOptions,
        paranoid: bool,
    ) -> Result<Self> {
        let open = db::Options::default().create(false).any_profile(true).access(db::Access::Read);
        let db = Db::open(folder, open.wait(wait).purpose("dedup")).map_err(failure)?;
        let (name, snapshot) = (db::shown_path(folder).to_string_lossy().into(), db.snapshot());
        let profile = Profile::of_name(snapshot.profile()).unwrap_or_default();
        let rules = rules(reading, profile)?;
        let kin = Kin::new(db.snapshot(), options.clone());
        Ok(Stored { name, snapshot, kin, rules, profile, options, paranoid, failure: Mutex::default(), db })
    }

    /// How the database names positions.
    pub(super) fn profile(&self) -> Profile {
        self.profile
    }

    /// The game that a record is most surely a copy of; where texts count, one with the same text if there is
    /// one.
    fn find(&self, game: &Fingerprint) -> Result<Option<Known>> {
        let record = Facts::from(game);
        let mut found: Option<(_, Known)> = None;
        for (id, stored) in self.kin.candidates(&game.digest, &record)? {
            let known = self.known(id, &stored)?;
            let is_it = !self.paranoid || known.text == game.text.text;
            let rank = (is_it, self.options.confidence(&stored, &record));
            if found.as_ref().is_none_or(|(best, _)| rank > *best) {
                found = Some((rank, known));
            }
        }
        Ok(found.map(|(_, known)| known))
    }

    fn known(&self, id: u64, facts: &Facts) -> Result<Known> {
        let place = Place { path: self.name.clone(), record: Some(id), line: None };
        let text = if self.paranoid {
            let stored = self.snapshot.game(id)?;
            let content = self.rules.content(&stored).map_err(|why| anyhow!("game {id}: {why}"))?;
            content.key(self.profile).text
        } else {
            Vec::new()
        };
        Ok(Known { place, players: facts.players, date: facts.date, text })
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
