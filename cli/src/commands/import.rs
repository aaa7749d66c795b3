//! `boardprint import`: files into the database.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use boardprint_games::Profile;
use boardprint_records::{Progress, ReadError, Reader};
use boardprint_store::db::{self, IngestOptions, IngestReport, Observer, OnDuplicate, Rejected};
use boardprint_store::games::FileSource;
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use crate::args::InputArgs;
use crate::database::{DbArg, collisions, failure, number, rules};
use crate::report::{Report, Status};
use crate::visible::visible_line;

/// Games and positions into the database
///
/// An import that was interrupted goes on where it stopped when it is given the same files again. Records that cannot be read are
/// reported and left out.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boardprint import games.icn more-games/ twic.pgn.zst\n  \
    boardprint import --db chess.db --rejects bad.jsonl games.pgn\n  \
    zcat games.icn.gz | boardprint import -\n\n\
    Ctrl-C finishes the batch under way; the exit status is then 1.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    db: DbArg,

    /// What to do with games that the database holds already: same laws, start and moves
    #[arg(long, value_enum, default_value_t = DuplicatesArg::Skip)]
    duplicates: DuplicatesArg,

    /// Compares games themselves, not only their hashes, before one is left out: for games of hostile origin. With `--duplicates
    /// keep` none is left out, and there is nothing to compare
    #[arg(long)]
    paranoid: bool,

    /// Castling rights and en passant are part of a Western position's name; decided when the database is made
    #[arg(long)]
    rights: bool,

    /// Keeps the text of each record, comments and all, for `export`
    #[arg(long)]
    keep_text: bool,

    /// Writes records that cannot be read to this file, one JSON object a line, behind what it holds
    #[arg(long, value_name = "FILE")]
    rejects: Option<PathBuf>,

    /// How many threads; as many as there are cores unless said otherwise
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    threads: usize,

    /// About how much memory to use: bytes, or with K, M or G behind
    #[arg(long, value_name = "SIZE", default_value = "512M", value_parser = parse_size)]
    memory: u64,

    /// How many games are acknowledged together at most
    #[arg(long, value_name = "GAMES", default_value_t = 50_000)]
    batch: usize,

    /// One JSON object a line: bad records, then the sums
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum DuplicatesArg {
    /// Adds them again
    Keep,
    /// Leaves them out
    Skip,
}

pub(crate) fn run(args: &Args) -> Result<Status> {
    let profile = if args.rights { Profile::Rights } else { Profile::Plain };
    let options = db::Options::default()
        .profile(profile.name())
        // A database that was made with rights goes on with them.
        .any_profile(!args.rights)
        .memory(args.memory);
    let reader = Reader::new(args.input.inputs()?, args.input.reading.reader_options());
    let rejects = args.rejects.as_ref().map(|path| {
        let file = OpenOptions::new().create(true).append(true).open(path);
        file.map(BufWriter::new).with_context(|| path.display().to_string())
    });
    let rejects = rejects.transpose()?;
    let (db, profile) = args.db.open_with(options)?;
    let rules = rules(&args.input.reading, profile)?.keep_text(args.keep_text);
    let progress = reader.progress();
    let watch = Watch {
        bar: progress_bar(&progress),
        talk: Mutex::new(Talk { report: Report::new(args.json), rejects }),
    };
    let stop = stop_on_interrupt()?;
    let ingest_options = IngestOptions::default()
        .threads(args.threads)
        .memory(args.memory)
        .batch_games(args.batch)
        .paranoid(args.paranoid)
        .on_duplicate(match args.duplicates {
            DuplicatesArg::Keep => OnDuplicate::Keep,
            DuplicatesArg::Skip => OnDuplicate::Skip,
        });
    let sources = FileSource::all(reader, db.snapshot().sources().len() as u64);
    let ended = AtomicBool::new(false);
    let outcome = thread::scope(|scope| {
        scope.spawn(|| {
            while !ended.load(Ordering::Relaxed) {
                watch.bar.set_position(progress.bytes());
                thread::sleep(Duration::from_millis(100));
            }
        });
        let outcome = db::ingest(&db, sources, &rules, None, &ingest_options, &watch, &stop);
        ended.store(true, Ordering::Relaxed);
        outcome
    });
    watch.bar.finish_and_clear();
    let Talk { mut report, rejects } = watch.talk.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(mut rejects) = rejects {
        rejects.flush()?;
    }
    let sums = outcome.map_err(failure)?;
    summary(args, &mut report, &sums, db.snapshot().games())?;
    if db.snapshot().stats().map_err(failure)?.wants_compacting() {
        report.talk("note: much of the space on disk is free; `boardprint compact` gives it back");
    }
    db.close().map_err(failure)?;
    report.finish()
}

fn summary(args: &Args, report: &mut Report, sums: &IngestReport, games: u64) -> Result<()> {
    if sums.stopped {
        report.raise(Status::BadRecords);
        report.talk("stopped; run the same command again to go on from here");
    }
    if sums.collisions > 0 {
        report.talk(&collisions(sums.collisions, "new game", "stored"));
    }
    if report.is_json() {
        return report.object(&json!({
            "games": sums.games, "positions": sums.postings, "duplicates": sums.duplicates,
            "collisions": sums.collisions, "rejected": sums.rejects, "stopped": sums.stopped, "games_in_all": games,
        }));
    }
    report.line(format!(
        "{} new games with {} positions, {} duplicates {}, {} records rejected; {} games in all",
        number(sums.games),
        number(sums.postings),
        number(sums.duplicates),
        match args.duplicates {
            DuplicatesArg::Skip => "left out",
            DuplicatesArg::Keep => "added",
        },
        number(sums.rejects),
        number(games),
    ))
}

/// Hears what happens, from several threads.
struct Watch {
    bar: ProgressBar,
    talk: Mutex<Talk>,
}

struct Talk {
    report: Report,
    rejects: Option<BufWriter<File>>,
}

impl Observer for Watch {
    fn rejected(&self, rejected: &Rejected<'_>) -> io::Result<()> {
        let mut talk = self.talk.lock().unwrap_or_else(PoisonError::into_inner);
        self.bar.suspend(|| talk.rejected(rejected))
    }

    fn acknowledged(&self, sums: &IngestReport) {
        self.bar.set_message(format!("{} games", number(sums.games + sums.duplicates)));
    }
}

impl Talk {
    fn rejected(&mut self, rejected: &Rejected<'_>) -> io::Result<()> {
        let report = &mut self.report;
        if let Some(cause) = rejected.unread {
            let read = cause.get_ref().and_then(|cause| cause.downcast_ref::<ReadError>());
            if let Some(error) = read {
                return report.unread(error).map_err(io::Error::other);
            }
            report.raise(Status::BadRecords);
            let message = format!("error: {}: {}", rejected.path, rejected.reason);
            report.talk(&visible_line(&message));
            return Ok(());
        }
        report.raise(Status::BadRecords);
        let Rejected { path, record, offset, line, column, text, reason, .. } = rejected;
        if let Some(file) = &mut self.rejects {
            let object = json!({
                "path": path, "record": record, "offset": offset, "line": line, "column": column,
                "reason": reason, "text": String::from_utf8_lossy(text),
            });
            serde_json::to_writer(&mut *file, &object)?;
            return file.write_all(b"\n");
        }
        if report.is_json() {
            let error = json!({ "kind": "syntax", "message": reason, "line": line, "column": column });
            let object =
                json!({ "record": { "path": path, "record": record, "line": line }, "error": error });
            return report.object(&object).map_err(io::Error::other);
        }
        report.talk(&visible_line(&format!("error: {path}:{line}:{column}: {reason}")));
        Ok(())
    }
}

/// A bar on a terminal, else nothing.
fn progress_bar(progress: &Progress) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let (bar, template) = match progress.total() {
        Some(total) => (
            ProgressBar::new(total),
            "{wide_bar} {binary_bytes}/{binary_total_bytes} {binary_bytes_per_sec} {msg} ({eta} left)",
        ),
        None => (ProgressBar::new_spinner(), "{spinner} {binary_bytes} {binary_bytes_per_sec} {msg}"),
    };
    bar.with_style(ProgressStyle::with_template(template).expect("the template is well-formed"))
}

/// A flag that Ctrl-C sets; a second Ctrl-C ends the process, and what was acknowledged is safe.
fn stop_on_interrupt() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        anstream::eprintln!("finishing this batch; Ctrl-C once more to end now");
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(stop)
}

pub(super) fn parse_size(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.trim_end_matches(['b', 'B']).to_ascii_uppercase() {
        text if text.ends_with('K') => (text, 10),
        text if text.ends_with('M') => (text, 20),
        text if text.ends_with('G') => (text, 30),
        text => (text, 0),
    };
    let digits = digits.trim_end_matches(['K', 'M', 'G']);
    let size = digits.parse::<u64>().ok().and_then(|size| size.checked_mul(1 << unit));
    size.filter(|size| *size >= 16 << 20)
        .ok_or_else(|| "write a size of 16M or more, such as `2G`".to_owned())
}
