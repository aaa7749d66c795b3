//! Games that a database holds.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, anyhow};
use boardprint_base::SyntaxError;
use boardprint_store::db::{self, Db, GameKind, Replay as _, Snapshot, StoredGame};
use boardprint_store::dedup::{By, Collection, Fingerprint, Games, Known, Place, date_key, players_key};
use boardprint_store::games::{Profile, Rules};
use boardprint_store::read::Record;

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
    /// What stored games are, if they are to be compared.
    rules: Option<Rules>,
    /// Why the database could not be asked.
    failure: Mutex<Option<anyhow::Error>>,
    /// Closed when everything is done.
    _db: Db,
}

impl Against {
    pub(super) fn new(games: Collection, known: Option<Stored>) -> Self {
        Against { games, known }
    }

    /// Says whether the database answered every question.
    pub(super) fn finish(self) -> Result<()> {
        let Some(Stored { name, failure, .. }) = self.known else { return Ok(()) };
        let failure = failure.into_inner().unwrap_or_else(PoisonError::into_inner);
        failure.map_or(Ok(()), Err).with_context(|| name.to_string())
    }
}

impl Stored {
    pub(super) fn open(folder: &Path, reading: &ReadingArgs, paranoid: bool) -> Result<Self> {
        let options = db::Options::default().create(false).any_profile(true);
        let db = Db::open(folder, options).map_err(|error| match error {
            error @ (db::Error::NoDatabase { .. } | db::Error::NotADatabase { .. }) => {
                anyhow::Error::new(Usage(error.to_string()))
            }
            error => error.into(),
        })?;
        // Games are the same whatever names the positions.
        let rules = paranoid.then(|| rules(reading, Profile::Plain)).transpose()?;
        let (name, snapshot) = (folder.to_string_lossy().into(), db.snapshot());
        Ok(Stored { name, snapshot, rules, failure: Mutex::default(), _db: db })
    }

    fn find(&self, game: &Fingerprint) -> Result<Option<Known>> {
        let Some(rules) = &self.rules else {
            let Some(id) = self.snapshot.find_game(&game.digest)? else { return Ok(None) };
            return Ok(Some(self.known(id, &*self.snapshot.game(id)?, Vec::new())));
        };
        // The first that is the same, else the first of all.
        let mut first = None;
        for id in self.snapshot.find_games(&game.digest)? {
            let id = id?;
            let stored = self.snapshot.game(id)?;
            let text = rules.identity(&stored).map_err(|why| anyhow!("game {id}: {why}"))?;
            let same = text == game.text.text;
            let known = self.known(id, &stored, text);
            if same {
                return Ok(Some(known));
            }
            first.get_or_insert(known);
        }
        Ok(first)
    }

    fn known(&self, id: u64, stored: &StoredGame, text: Vec<u8>) -> Known {
        let tag = |name: &str| stored.tag(name).unwrap_or_default();
        let (players, dates) =
            (players_key(tag("White"), tag("Black")), ["Date", "UTCDate"].map(tag).map(date_key));
        let place = Place { file: self.name.clone(), record: Some(id), line: None };
        let (players, date) = match stored.moves.kind() {
            // A position without tags is nobody's game, as in a collection.
            GameKind::Infinite if stored.tags.is_empty() && stored.moves.is_empty() => (Some(0), Some(0)),
            GameKind::Infinite => (players, dates[1].or(dates[0])),
            GameKind::Western => (players, dates[0].or(dates[1])),
        };
        Known { place, players, date, text }
    }
}

impl Games for Against {
    fn fingerprint(&self, record: &Record, by: By) -> Result<Fingerprint, SyntaxError> {
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
