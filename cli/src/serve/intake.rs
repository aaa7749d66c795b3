//! New files while answering: those that are named, and those that appear in a folder. Readers see whole
//! batches.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

use boardprint_dedup::DedupOptions;
use boardprint_records::{Input, Reader, ReaderOptions};
use boardprint_store::db::{self, IngestOptions, IngestReport, Observer, RejectReason, Rejected};
use boardprint_store::games::{Rules, judge};

use super::app::App;
use crate::database::number;
use crate::terminal::is_quiet;
use crate::visible::visible_line;

/// How often a folder is looked at. A file is taken when it was the same at two looks, so that it is not
/// still being written.
const LOOK: Duration = Duration::from_millis(500);

/// What to take in.
pub(super) struct Intake {
    pub(super) files: Vec<PathBuf>,
    pub(super) folder: Option<PathBuf>,
    pub(super) rules: Rules,
    /// How records are cut out of files.
    pub(super) reader: ReaderOptions,
    pub(super) memory: u64,
}

/// How a file looks from outside: its size and the time of its last change.
type Look = (u64, Option<SystemTime>);

/// Hears of records that cannot be read.
struct Voice;

impl Observer for Voice {
    fn rejected(&self, rejected: &Rejected<'_>) -> std::io::Result<()> {
        let Rejected { path, line, column, reason, .. } = rejected;
        let text = match reason {
            RejectReason::Unread(error) if error.is_fatal_to_source() => format!("error: {error}"),
            reason => format!("error: {path}:{line}:{column}: {reason}"),
        };
        anstream::eprintln!("{}", visible_line(&text));
        Ok(())
    }
}

impl Intake {
    /// Takes in what there is and what comes, until the server ends.
    ///
    /// # Errors
    ///
    /// If the database cannot be read any more.
    pub(super) fn work(&self, app: &App) -> db::Result<()> {
        let mut new = self.files.clone();
        let mut before: BTreeMap<PathBuf, Look> = BTreeMap::new();
        let mut taken: BTreeMap<PathBuf, Look> = BTreeMap::new();
        loop {
            if !new.is_empty() {
                match self.take(app, &new) {
                    Ok(()) => {
                        for path in new {
                            if let Some(look) = before.get(&path) {
                                taken.insert(path, *look);
                            }
                        }
                    }
                    // It may come back.
                    Err(error @ db::Error::Server { .. }) => complain(&error),
                    Err(error) => return give_up(app, error),
                }
            }
            let Some(folder) = &self.folder else { return Ok(()) };
            if app.ending.load(Ordering::Relaxed) {
                return Ok(());
            }
            std::thread::sleep(LOOK);
            let now: BTreeMap<PathBuf, Look> = files(folder).into_iter().collect();
            taken.retain(|path, _| now.contains_key(path));
            let is_new = |(path, look): &(&PathBuf, &Look)| {
                before.get(*path) == Some(*look) && taken.get(*path) != Some(*look)
            };
            new = now.iter().filter(is_new).map(|(path, _)| path.clone()).collect();
            before = now;
        }
    }

    /// Small batches leave many runs, and each of them is asked for every answer: they are merged, unless
    /// somebody wants to end.
    fn settle(&self, app: &App) -> db::Result<()> {
        if !app.db.wants_settling() || app.ending.load(Ordering::Relaxed) {
            return Ok(());
        }
        app.db.settle(&self.rules)?;
        // Whoever asked before may still read what was merged.
        while app.db.sweep(&self.rules)? && !app.ending.load(Ordering::Relaxed) {
            std::thread::sleep(LOOK);
        }
        Ok(())
    }

    /// Imports files.
    fn take(&self, app: &App, files: &[PathBuf]) -> db::Result<()> {
        let reader = Reader::new(files.iter().map(Input::path), self.reader.clone());
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        // Half of the cores are left to those who ask; batches are small, so that they soon see something.
        let options = IngestOptions::default()
            .threads(cores.div_ceil(2))
            .memory(self.memory / 2)
            .batch_games(5_000)
            .bulk(false);
        // What is a duplicate is decided as `import` does without options.
        let judge = judge(DedupOptions::default());
        let IngestReport { games, duplicates, rejects, .. } =
            db::ingest(&app.db, reader, &self.rules, Some(&judge), &options, &Voice, &app.ending)?;
        if !is_quiet() {
            anstream::eprintln!(
                "imported {} games; {} duplicates left out, {} records rejected",
                number(games),
                number(duplicates),
                number(rejects)
            );
        }
        self.settle(app)
    }
}

/// After a failure nothing is written until the database is opened again. Where it can still be read, the
/// server goes on without the intake.
fn give_up(app: &App, error: db::Error) -> db::Result<()> {
    if app.db.snapshot().stats().is_err() {
        return Err(error);
    }
    complain(&error);
    anstream::eprintln!("note: nothing more is imported until the server is started again");
    Ok(())
}

fn complain(error: &db::Error) {
    anstream::eprintln!("error: {}", visible_line(&error.to_string()));
}

/// The files of a folder and of those in it, hidden ones aside. Links are not followed.
fn files(folder: &Path) -> Vec<(PathBuf, Look)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            if entry.file_name().as_encoded_bytes().starts_with(b".") {
                continue;
            }
            let Ok(about) = entry.metadata() else { continue };
            if about.is_dir() {
                folders.push(entry.path());
            } else if about.is_file() && about.len() > 0 {
                found.push((entry.path(), (about.len(), about.modified().ok())));
            }
        }
    }
    found
}
