//! Files that change while they are read, and between two readings: a whole result or an error, never a wrong
//! result in silence.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::SystemTime;

use boardprint_dedup::{
    self as dedup, By, Collection, DedupError, DedupOptions, Keep, Pair, Pass, Reject, Sink, Summary,
};
use boardprint_games::{Profile, Record};
use boardprint_records::{Input, Progress, ReadErrorKind, Reader, ReaderOptions};
use boardprint_store::db::{Db, IngestOptions, IngestReport, Observer, Options, Rejected, ingest};
use boardprint_store::games::Rules;
use tempfile::TempDir;

const RECORDS: usize = 8_000;

/// A file of games that is far larger than what is read at a time. Its time of change lies in the past, so
/// that every later one differs.
fn games() -> (TempDir, PathBuf, String) {
    let mut text = String::new();
    for n in 0..RECORDS {
        writeln!(text, "K{n},1|k{n},9 {n},1>{n},2|{n},9>{n},8").unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.icn");
    fs::write(&path, &text).unwrap();
    File::options().write(true).open(&path).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
    (folder, path, text)
}

fn reader(path: &Path) -> Reader {
    Reader::new([Input::path(path)], ReaderOptions::default().buffer(64 << 10))
}

/// What can happen to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Truncate,
    Append,
    Overwrite,
    Replace,
    Delete,
}

impl Change {
    const ALL: [Change; 5] =
        [Change::Truncate, Change::Append, Change::Overwrite, Change::Replace, Change::Delete];

    fn make(self, path: &Path, text: &str) {
        let open = || File::options().write(true).open(path).unwrap();
        match self {
            // Within a record.
            Change::Truncate => open().set_len((text.len() / 2) as u64).unwrap(),
            Change::Append => {
                let mut file = File::options().append(true).open(path).unwrap();
                file.write_all(b"K7,1|k7,9 7,1>7,").unwrap();
            }
            // Other games, exactly as long.
            Change::Overwrite => open().write_all(text.replace('K', "Q").as_bytes()).unwrap(),
            Change::Replace => {
                let new = path.with_extension("new");
                fs::write(&new, text.replace('K', "Q")).unwrap();
                fs::rename(new, path).unwrap();
            }
            Change::Delete => fs::remove_file(path).unwrap(),
        }
    }
}

#[test]
fn a_file_that_changes_while_it_is_read_is_reported() {
    for change in [Change::Truncate, Change::Append, Change::Overwrite] {
        let (_folder, path, text) = games();
        let mut reader = reader(&path);
        assert!(reader.next().unwrap().is_ok());
        change.make(&path, &text);
        let mut rest: Vec<_> = reader.collect();
        let last = rest.pop().unwrap();
        assert!(matches!(last.unwrap_err().kind(), ReadErrorKind::Changed), "{change:?}");
        // Nothing is made of half a record: what is given out is a line of one text or the other.
        let (old, new) = (text.lines(), text.replace('K', "Q"));
        let whole: BTreeSet<&str> = old.chain(new.lines()).collect();
        assert!(rest.iter().all(|item| whole.contains(&*item.as_ref().unwrap().text)), "{change:?}");
    }
}

#[test]
#[cfg(unix)]
fn a_file_that_is_replaced_or_removed_is_read_as_it_was() {
    for change in [Change::Replace, Change::Delete] {
        let (_folder, path, text) = games();
        let mut reader = reader(&path);
        let first = reader.next().unwrap().unwrap().text;
        change.make(&path, &text);
        let texts = std::iter::once(first).chain(reader.map(|item| item.unwrap().text));
        assert!(texts.eq(text.lines()), "{change:?}");
    }
}

#[test]
fn an_import_says_that_its_file_changed() {
    let (_folder, path, text) = games();
    let db = Db::in_memory(Options::default()).unwrap();
    let cutter = Shortener { path: &path, text: &text, heard: Mutex::default() };
    // Batches are small, so that most of the file is still to be read when the first one is acknowledged.
    let options = IngestOptions::default().threads(1).batch_games(10);
    let rules = Rules::new(Profile::Plain);
    let report =
        ingest(&db, reader(&path), &rules, None, &options, &cutter, &AtomicBool::new(false)).unwrap();
    let heard = cutter.heard.into_inner().unwrap();
    assert!(heard.len() == 1 && heard[0].contains("changed while it was read"), "{heard:?}");
    assert!(report.rejects == 1 && (10..RECORDS as u64).contains(&report.games), "{report:?}");
}

/// Cuts a file short as soon as some of its games are in the database.
struct Shortener<'a> {
    path: &'a Path,
    text: &'a str,
    heard: Mutex<Vec<String>>,
}

impl Observer for Shortener<'_> {
    fn rejected(&self, rejected: &Rejected<'_>) -> std::io::Result<()> {
        self.heard.lock().unwrap().push(rejected.reason.to_string());
        Ok(())
    }

    fn acknowledged(&self, _: &IngestReport) {
        Change::Truncate.make(self.path, self.text);
    }
}

#[test]
fn a_file_is_read_on_after_the_record_that_was_read_before() {
    let (_folder, path, _) = games();
    let all: Vec<Record> = reader(&path).map(Result::unwrap).collect();
    for taken in [1, 17, RECORDS] {
        let mut rest = reader(&path);
        rest.resume(taken as u64, all[taken - 1].end()).unwrap();
        assert!(rest.map(Result::unwrap).eq(all[taken..].iter().cloned()));
    }
    for (number, end) in [(3, all[2].end() + 1), (RECORDS as u64 + 1, all[RECORDS - 1].end())] {
        let error = reader(&path).resume(number, end).unwrap_err();
        assert!(matches!(error.kind(), ReadErrorKind::OtherEnd { .. }), "{error}");
    }
}

/// Changes a file when a pass begins; by the name of a pass, or after the first game that is kept.
struct Meddler<'a> {
    path: &'a Path,
    text: &'a str,
    when: Pass,
    change: Change,
    passes: usize,
    kept: usize,
    changed: usize,
}

impl Sink for Meddler<'_> {
    type Error = Infallible;

    fn begin(&mut self, pass: Pass, _: Progress) {
        self.passes += 1;
        if pass == self.when && pass != Pass::Only {
            self.change.make(self.path, self.text);
        }
    }

    fn keep(&mut self, _: &Record, _: &[(String, String)]) -> Result<(), Infallible> {
        self.kept += 1;
        if self.when == Pass::Only && self.kept == 1 {
            self.change.make(self.path, self.text);
        }
        Ok(())
    }

    fn duplicate(&mut self, _: &Record, _: &Pair) -> Result<(), Infallible> {
        Ok(())
    }

    fn doubt(&mut self, _: &Pair) -> Result<(), Infallible> {
        Ok(())
    }

    fn reject(&mut self, reject: Reject<'_>) -> Result<(), Infallible> {
        // Half a record may be no good game either.
        let changed = matches!(reject, Reject::Read(error) if matches!(error.kind(), ReadErrorKind::Changed));
        self.changed += usize::from(changed);
        Ok(())
    }
}

fn meddle(
    options: &DedupOptions,
    when: Pass,
    change: Change,
) -> (Result<Summary, DedupError<Infallible>>, usize) {
    let (_folder, path, text) = games();
    // A few games are enough where the file changes between passes.
    let text: String = if when == Pass::Only { text } else { text.split_inclusive('\n').take(50).collect() };
    fs::write(&path, &text).unwrap();
    File::options().write(true).open(&path).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
    let mut sink = Meddler { path: &path, text: &text, when, change, passes: 0, kept: 0, changed: 0 };
    let reading = ReaderOptions::default().buffer(64 << 10);
    let outcome = dedup::run(&[Input::path(&path)], &reading, options, &Collection::default(), &mut sink);
    assert!(sink.passes > 0);
    (outcome, sink.changed)
}

#[test]
fn a_change_between_two_passes_ends_a_deduplication() {
    let options = DedupOptions::default().min_plies(0);
    for (options, pass) in [
        (options.clone().by(By::Prefix), Pass::Write),
        (options.clone().merge_tags(true), Pass::Tags),
        (options.clone().merge_tags(true), Pass::Write),
        (options.clone().keep(Keep::Richest), Pass::Write),
    ] {
        for change in Change::ALL {
            // A folder's entries are walked again, a file is opened again: nothing of the first pass may be
            // used for another text.
            let (outcome, _) = meddle(&options.clone().threads(2), pass, change);
            assert!(matches!(outcome, Err(DedupError::Changed)), "{pass:?} {change:?}: {outcome:?}");
        }
    }
}

#[test]
fn a_change_within_the_only_pass_is_a_bad_record() {
    for change in [Change::Truncate, Change::Append, Change::Overwrite] {
        let (outcome, changed) = meddle(&DedupOptions::default().threads(1), Pass::Only, change);
        assert_eq!(changed, 1, "{change:?}: {outcome:?}");
        assert!(outcome.is_ok_and(|summary| summary.rejected > 0));
    }
}
