//! Games that a database holds.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};
use boardprint_base::SyntaxError;
use boardprint_store::db::{self, Db, GameKind, Snapshot};
use boardprint_store::dedup::{By, Collection, Fingerprint, Games, Known, Place, date_key, players_key};
use boardprint_store::read::Record;

use crate::report::Usage;

/// The games of a collection, compared with those of a database if there is one.
pub(super) struct Against {
    games: Collection,
    known: Option<Stored>,
}

struct Stored {
    name: Arc<str>,
    snapshot: Snapshot,
    /// Why the database could not be asked.
    failure: Mutex<Option<db::Error>>,
    /// Closed when everything is done.
    _db: Db,
}

impl Against {
    pub(super) fn new(games: Collection, folder: Option<&Path>) -> Result<Self> {
        let known = folder.map(Stored::open).transpose()?;
        Ok(Against { games, known })
    }

    /// Says whether the database answered every question.
    pub(super) fn finish(self) -> Result<()> {
        let Some(Stored { name, failure, .. }) = self.known else { return Ok(()) };
        let failure = failure.into_inner().unwrap_or_else(PoisonError::into_inner);
        failure.map_or(Ok(()), Err).with_context(|| name.to_string())
    }
}

impl Stored {
    fn open(folder: &Path) -> Result<Self> {
        let db = Db::open(folder, db::Options::default().create(false)).map_err(|error| match error {
            error @ (db::Error::NoDatabase { .. } | db::Error::NotADatabase { .. }) => {
                anyhow::Error::new(Usage(error.to_string()))
            }
            error => error.into(),
        })?;
        let snapshot = db.snapshot();
        Ok(Stored { name: folder.to_string_lossy().into(), snapshot, failure: Mutex::default(), _db: db })
    }

    fn find(&self, game: &Fingerprint) -> db::Result<Option<Known>> {
        let Some(id) = self.snapshot.find_game(&game.digest)? else { return Ok(None) };
        let stored = self.snapshot.game(id)?;
        let tag = |name: &str| stored.tag(name).unwrap_or_default();
        let (players, dates) =
            (players_key(tag("White"), tag("Black")), ["Date", "UTCDate"].map(tag).map(date_key));
        let place = Place { file: self.name.clone(), record: Some(id), line: None };
        Ok(Some(match stored.moves.kind() {
            // A position without tags is nobody's game, as in a collection.
            GameKind::Infinite if stored.tags.is_empty() && stored.moves.is_empty() => {
                Known { place, players: Some(0), date: Some(0) }
            }
            GameKind::Infinite => Known { place, players, date: dates[1].or(dates[0]) },
            GameKind::Western => Known { place, players, date: dates[0].or(dates[1]) },
        }))
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
