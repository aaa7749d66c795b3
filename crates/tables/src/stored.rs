//! The games of a database.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;

use boardprint_games::RecordError;
use boardprint_store::db::{ExportedGame, LogReader, StoredGame};
use boardprint_store::games::Rules;

use crate::{Entry, Failure, Games, Item};

/// How many games are read ahead.
const AHEAD: usize = 256;

/// The games of a database that pass, by number; `passes` gets the name of the source file, too. Damage ends
/// the table, whatever is done with bad records.
///
/// # Errors
///
/// The thread that reads ahead cannot be started.
pub fn stored(
    log: LogReader,
    rules: Arc<Rules>,
    passes: impl Fn(&ExportedGame, &str) -> bool + Send + 'static,
) -> io::Result<Games> {
    // The iterator borrows the log, so a thread owns both.
    let (sender, receiver) = sync_channel(AHEAD);
    std::thread::Builder::new().name("games".to_owned()).spawn(move || {
        for item in log.games() {
            let item = match item {
                Ok(exported) => {
                    let source = log.sources().get(exported.game.source.file as usize);
                    let source = source.map_or("?", |source| &source.path);
                    if !passes(&exported, source) {
                        continue;
                    }
                    Ok((exported.id, exported.game, source.into()))
                }
                Err(error) => Err(error.to_string()),
            };
            let item = StoredItem { item, rules: Arc::clone(&rules) };
            // An error means that nobody wants more.
            if sender.send(Box::new(item) as Box<dyn Item>).is_err() {
                break;
            }
        }
    })?;
    Ok(Box::new(receiver.into_iter()))
}

/// A game of the database on its way into a table.
struct StoredItem {
    item: Result<(u64, Arc<StoredGame>, Arc<str>), String>,
    rules: Arc<Rules>,
}

impl StoredItem {
    fn failed(&self, kind: &'static str, message: String, system: bool) -> Failure {
        let message = message.into();
        let source = self.item.as_ref().map_or_else(|_| "database".into(), |(.., source)| Arc::clone(source));
        let record = self.item.as_ref().ok().map(|(_, game, _)| game.source.record);
        Failure { source, record, line: None, column: None, kind, message, hint: None, system }
    }
}

impl Item for StoredItem {
    fn number(&self) -> i64 {
        self.item.as_ref().map_or(0, |(id, ..)| i64::try_from(*id).unwrap_or(i64::MAX))
    }

    fn weight(&self) -> usize {
        // A PGN record has about 300 bytes of tags and 5 bytes per move.
        self.item.as_ref().map_or(0, |(_, game, _)| 300 + 5 * game.moves.len() + game.start.len())
    }

    fn entry(&self) -> Result<Entry<'_>, Failure> {
        let damaged = |why: String| self.failed("damaged", why, true);
        let (_, game, source) = self.item.as_ref().map_err(|why| damaged(why.clone()))?;
        let content = self.rules.content(game).map_err(damaged)?;
        let record = i64::try_from(game.source.record).unwrap_or(i64::MAX);
        Ok(Entry { source, record, content })
    }

    fn failure(&self, error: &RecordError) -> Failure {
        self.failed(error.name(), format!("game {}: {error}", self.number()), false)
    }
}
