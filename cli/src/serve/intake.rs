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
    pub(super) fn work(&self, app: &App) {
        if !self.files.is_empty() {
            self.take(app, &self.files);
        }
        let Some(folder) = &self.folder else { return };
        let mut before: BTreeMap<PathBuf, Look> = BTreeMap::new();
        let mut taken: BTreeMap<PathBuf, Look> = BTreeMap::new();
        while !app.ending.load(Ordering::Relaxed) {
            let now: BTreeMap<PathBuf, Look> = files(folder).into_iter().collect();
            let mut new: Vec<PathBuf> = Vec::new();
            for (path, look) in &now {
                if Some(look) == before.get(path) && Some(look) != taken.get(path) {
                    new.push(path.clone());
                }
            }
            if !new.is_empty() && self.take(app, &new) {
                for path in new {
                    if let Some(look) = now.get(&path) {
                        taken.insert(path, *look);
                    }
                }
            }
            taken.retain(|path, _| now.contains_key(path));
            before = now;
            std::thread::sleep(LOOK);
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

    /// Imports files; whether that went well.
    fn take(&self, app: &App, files: &[PathBuf]) -> bool {
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
        match db::ingest(&app.db, reader, &self.rules, Some(&judge), &options, &Voice, &app.ending) {
            Ok(IngestReport { games, duplicates, rejects, .. }) => {
                if !is_quiet() {
                    anstream::eprintln!(
                        "imported {} games; {} duplicates left out, {} records rejected",
                        number(games),
                        number(duplicates),
                        number(rejects)
                    );
                }
                if let Err(error) = self.settle(app) {
                    anstream::eprintln!("error: {}", visible_line(&error.to_string()));
                }
                true
            }
            Err(error) => {
                anstream::eprintln!("error: {}", visible_line(&error.to_string()));
                false
            }
        }
    }
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
