//! `boardprint import`: files into the database.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use boardprint_dedup::{Confidence, DedupOptions};
use boardprint_games::Profile;
use boardprint_records::Reader;
use boardprint_store::db::{
    self, Access, Db, EngineKind, IngestOptions, IngestReport, Observer, OnDuplicate, RejectReason, Rejected,
};
use boardprint_store::games::judge;
use clap::ValueEnum;
use clap::builder::RangedU64ValueParser;
use serde_json::json;

use crate::args::InputArgs;
use crate::database::{
    DbArg, NOTHING_WRITTEN, collisions, count, engine_note, engine_parser, failure, number, rules,
    start_threads, threads_parser,
};
use crate::interrupt::cannot_listen;
use crate::output::check;
use crate::report::{Report, Status, Usage};
use crate::terminal;
use crate::visible::visible_line;

/// Put games and positions into the database
///
/// An import that was interrupted goes on where it stopped when it is given the same files again. Records
/// that cannot be read are reported and left out. Duplicates are recognised by the rules of `boardprint
/// dedup`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boardprint import games.icn more-games/ twic.pgn.zst\n  \
    boardprint import --dry-run twic.pgn.zst\n  \
    boardprint import --db chess.db --rejects bad.jsonl games.pgn\n  \
    zcat games.icn.gz | boardprint import -\n\n\
    Ctrl-C finishes the batch under way; the exit status is then 130.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Args {
    #[command(flatten)]
    db: DbArg,

    #[command(flatten)]
    duplicates: DuplicateArgs,

    /// Say what would become of every record, and write nothing
    #[arg(long)]
    dry_run: bool,

    /// Compare games themselves, not only their hashes, before one is left out: for games of hostile origin
    #[arg(long)]
    paranoid: bool,

    /// Keep the index of a new database on this engine; on sled unless given
    #[arg(long, value_name = "ENGINE", value_parser = engine_parser())]
    engine: Option<EngineKind>,

    /// Make castling rights and en passant part of the names of positions of finite games, in a new database
    #[arg(long)]
    rights: bool,

    /// Index only the first N half-moves of each game, in a new database
    #[arg(long, value_name = "N")]
    max_ply: Option<u32>,

    /// Keep the text of each record, comments and all, for `export`
    #[arg(long)]
    keep_text: bool,

    /// Append records that cannot be read to this file, one JSON object per line
    #[arg(long, value_name = "FILE")]
    rejects: Option<PathBuf>,

    /// Use this many threads; one per core unless given
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true, value_parser = threads_parser())]
    threads: usize,

    /// Use about this much memory: bytes, or a number with K, M or G
    #[arg(long, value_name = "SIZE", default_value = "512M", value_parser = parse_size)]
    memory: u64,

    /// Commit at most this many games at a time
    #[arg(long, value_name = "GAMES", default_value_t = 50_000, value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    batch: usize,

    /// Print one JSON object per line: bad records, then the sums
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    input: InputArgs,
}

/// What is done with games that are there already.
#[derive(clap::Args, Clone)]
pub(crate) struct DuplicateArgs {
    /// Say what to do with games that the database holds already
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = OnDuplicateArg::Merge, alias = "duplicates")]
    pub(crate) on_duplicate: OnDuplicateArg,

    /// Treat games with fewer half-moves as one only if players and date agree as well
    #[arg(long, value_name = "N", default_value_t = 10)]
    min_plies: u32,

    /// Leave out what is at least this sure to be a duplicate
    #[arg(long, value_name = "CONFIDENCE", value_enum, default_value_t = ConfidenceArg::Likely)]
    min_confidence: ConfidenceArg,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnDuplicateArg {
    /// Leave them out
    Skip,
    /// Leave them out; the stored game gets the tags that it lacks
    Merge,
    /// Add them as separate games
    Keep,
}

#[derive(Clone, Copy, ValueEnum)]
enum ConfidenceArg {
    /// Short games of other players
    Doubtful,
    /// The moves agree over 20 half-moves or more, or neither game names its players
    Likely,
    /// Moves and players agree
    Certain,
}

impl DuplicateArgs {
    /// The rule by which games are one.
    pub(crate) fn options(&self) -> DedupOptions {
        DedupOptions::default().min_plies(self.min_plies).min_confidence(match self.min_confidence {
            ConfidenceArg::Doubtful => Confidence::Doubtful,
            ConfidenceArg::Likely => Confidence::Likely,
            ConfidenceArg::Certain => Confidence::Certain,
        })
    }
}

impl From<OnDuplicateArg> for OnDuplicate {
    fn from(what: OnDuplicateArg) -> Self {
        match what {
            OnDuplicateArg::Skip => OnDuplicate::Skip,
            OnDuplicateArg::Merge => OnDuplicate::Merge,
            OnDuplicateArg::Keep => OnDuplicate::Keep,
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<Status> {
    start_threads(args.threads, args.memory)?;
    let profile = if args.rights { Profile::Rights } else { Profile::Plain };
    let options = args
        .db
        .options("import")
        .access(Access::Write)
        .create(true)
        .engine(args.engine.unwrap_or_default())
        .max_ply(args.max_ply)
        .profile(profile.name())
        // A database that was made with rights goes on with them.
        .any_profile(!args.rights)
        .memory(args.memory);
    let stop = stop_on_interrupt()?;
    // A slip of the keyboard makes no database.
    args.input.some_exists()?;
    let reader = Reader::new(args.input.inputs()?, args.input.reading.reader_options());
    if let Some(path) = &args.rejects {
        let read: Vec<&Path> = args.input.paths().chain([&*args.db.db]).collect();
        check(&[path], &read)?;
    }
    let rejects = args.rejects.as_deref().filter(|_| !args.dry_run).map(RejectsFile::open).transpose()?;
    let (db, profile) = if args.dry_run { args.db.open_dry(options)? } else { args.db.open(options)? };
    let rules = rules(&args.input.reading, profile)?.keep_text(args.keep_text);
    let progress = reader.progress();
    let mut report = Report::new(args.json);
    report.watch("importing", progress.clone(), true);
    let watch = Watch(Mutex::new(Talk { report, rejects, shown: 0, hidden: 0 }));
    let ingest_options = IngestOptions::default()
        .threads(args.threads)
        .memory(args.memory)
        .batch_games(args.batch)
        .paranoid(args.paranoid)
        .dry_run(args.dry_run)
        .on_duplicate(args.duplicates.on_duplicate.into());
    let judge = judge(args.duplicates.options());
    let outcome = db::ingest(&db, reader, &rules, Some(&judge), &ingest_options, &watch, &stop);
    let Talk { mut report, hidden, .. } = watch.0.into_inner().unwrap_or_else(PoisonError::into_inner);
    report.stop_watching();
    let sums = outcome.map_err(failure)?;
    if hidden > 0 {
        let more = count(hidden, "more record was", "more records were");
        report.say(&format!("error: {more} rejected; --all-errors shows each, --rejects keeps them"));
    }
    report.skipped(progress.skipped());
    if !sums.stopped && sums.games + sums.duplicates + sums.rejects + sums.known == 0 {
        report.nothing_found();
    }
    let games = db.snapshot().games() + if args.dry_run { sums.games } else { 0 };
    summary(args, &mut report, &sums, games)?;
    notes(args, &mut report, &db)?;
    db.close().map_err(failure)?;
    report.finish()
}

/// What else is worth knowing of the database.
fn notes(args: &Args, report: &mut Report, db: &Db) -> Result<()> {
    if args.max_ply.is_some_and(|ply| db.snapshot().max_ply() != Some(ply)) {
        report.talk(
            "note: --max-ply applies to a new database only; `boardprint reindex --max-ply` changes this one",
        );
    }
    if let Some(note) = engine_note(args.engine, db) {
        report.talk(&note);
    }
    if db.snapshot().stats().map_err(failure)?.wants_compacting() {
        report.talk("note: much of the space on disk is free; `boardprint compact` gives it back");
    }
    Ok(())
}

/// What became of every record.
fn summary(args: &Args, report: &mut Report, sums: &IngestReport, games: u64) -> Result<()> {
    if sums.stopped {
        report.raise(Status::Interrupted);
        let go_on = if args.dry_run { "" } else { "; run the same command again to go on from here" };
        report.say(&format!("stopped{go_on}"));
    }
    if sums.collisions > 0 {
        let outcome = if args.dry_run { "would be stored" } else { "stored" };
        report.talk(&collisions(sums.collisions, "new game", outcome));
    }
    let records = sums.games + sums.duplicates + sums.rejects;
    if report.is_json() {
        return report.object(&json!({
            "records": records, "games": sums.games, "positions": sums.postings, "duplicates": sums.duplicates,
            "merged": sums.merged, "collisions": sums.collisions, "rejected": sums.rejects, "stopped": sums.stopped,
            "games_in_all": games, "dry_run": args.dry_run,
        }));
    }
    let written = if args.dry_run { NOTHING_WRITTEN } else { "" };
    if records == 0 && !sums.stopped {
        return report.summary(format!("nothing new; {} in all{written}", count(games, "game", "games")));
    }
    let mut duplicates = count(sums.duplicates, "duplicate", "duplicates");
    if args.duplicates.on_duplicate != OnDuplicateArg::Keep {
        duplicates += " left out";
    }
    let merged = number(sums.merged);
    duplicates = match sums.merged {
        0 => duplicates,
        1 => format!("{duplicates} (1 gave tags to the stored game)"),
        _ => format!("{duplicates} ({merged} gave tags to the stored games)"),
    };
    report.summary(format!(
        "{}: {} with {}, {duplicates}, {} rejected; {} in all{written}",
        count(records, "record", "records"),
        count(sums.games, "new game", "new games"),
        count(sums.postings, "position", "positions"),
        number(sums.rejects),
        count(games, "game", "games"),
    ))
}

/// Records that cannot be read, as lines of a file. They are safe before the batch that they belong to counts.
struct RejectsFile {
    path: PathBuf,
    out: BufWriter<File>,
}

impl RejectsFile {
    fn open(path: &Path) -> Result<Self> {
        let open = || -> io::Result<File> {
            let mut file = OpenOptions::new().create(true).append(true).open(path)?;
            if file.metadata()?.is_file() {
                end_torn_line(path, &mut file)?;
            }
            Ok(file)
        };
        let name = path.display();
        let file = open().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Usage(format!("cannot write {name}: there is no such folder")).into(),
            io::ErrorKind::IsADirectory => Usage(format!("{name} is a folder")).into(),
            _ => anyhow::Error::new(error).context(name.to_string()),
        })?;
        Ok(RejectsFile { path: path.to_owned(), out: BufWriter::new(file) })
    }

    /// Everything is on the disk. Pipes and devices have none.
    fn sync(&mut self) -> io::Result<()> {
        let synced = self.out.flush().and_then(|()| {
            let file = self.out.get_ref();
            if file.metadata()?.is_file() { file.sync_data() } else { Ok(()) }
        });
        synced.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", self.path.display())))
    }
}

/// A line that an import could not end because it was killed is cut off: its record comes again. What is not
/// ours stays, on a line of its own.
fn end_torn_line(path: &Path, file: &mut File) -> io::Result<()> {
    const LONGEST: u64 = 128 << 20;
    let length = file.metadata()?.len();
    let mut reader = File::open(path)?;
    let from = length.saturating_sub(LONGEST);
    reader.seek(SeekFrom::Start(from))?;
    let mut last = [0];
    if length == 0 || {
        reader.seek(SeekFrom::Start(length - 1))?;
        reader.read_exact(&mut last)?;
        last == *b"\n"
    } {
        return Ok(());
    }
    reader.seek(SeekFrom::Start(from))?;
    let mut tail = Vec::new();
    reader.read_to_end(&mut tail)?;
    let begin = tail.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    let line = &tail[begin..];
    let is_torn = line.starts_with(b"{\"") && serde_json::from_slice::<serde_json::Value>(line).is_err();
    if is_torn {
        return file.set_len(from + begin as u64);
    }
    file.write_all(b"\n")
}

/// Hears what happens, from several threads.
struct Watch(Mutex<Talk>);

struct Talk {
    report: Report,
    rejects: Option<RejectsFile>,
    /// Rejected records that were shown, and those that were only counted.
    shown: u64,
    hidden: u64,
}

/// How many rejected records are shown.
const SHOWN: u64 = 3;

impl Observer for Watch {
    fn rejected(&self, rejected: &Rejected<'_>) -> io::Result<()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).rejected(rejected)
    }

    fn flush(&self) -> io::Result<()> {
        let mut talk = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        talk.rejects.as_mut().map_or(Ok(()), RejectsFile::sync)
    }
}

impl Talk {
    fn rejected(&mut self, rejected: &Rejected<'_>) -> io::Result<()> {
        let report = &mut self.report;
        let Rejected { path, record, offset, line, column, reason } = rejected;
        let text = match reason {
            RejectReason::Unread(error) if error.is_fatal_to_source() => {
                return report.unread(error).map_err(io::Error::other);
            }
            RejectReason::Unread(_) => "",
            RejectReason::Refused(record, _) => &record.text,
        };
        report.raise(Status::BadRecords);
        if let Some(file) = &mut self.rejects {
            let object = json!({
                "path": path, "record": record, "offset": offset, "line": line, "column": column,
                "reason": reason.to_string(), "text": text,
            });
            serde_json::to_writer(&mut file.out, &object)?;
            return file.out.write_all(b"\n");
        }
        if report.is_json() {
            let said = match reason {
                RejectReason::Unread(error) => report.unread(error),
                RejectReason::Refused(record, error) => report.bad_record(record, &error.clone().into()),
            };
            return said.map_err(io::Error::other);
        }
        if self.shown >= SHOWN && !terminal::shows_all_errors() {
            self.hidden += 1;
            return Ok(());
        }
        self.shown += 1;
        report.say(&visible_line(&format!("error: {path}:{line}:{column}: {reason}")));
        Ok(())
    }
}

/// A flag that Ctrl-C sets; a second Ctrl-C ends the process, and what was acknowledged is safe.
fn stop_on_interrupt() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        let _ = writeln!(anstream::stderr(), "finishing this batch; press Ctrl-C again to stop now");
    })
    .map_err(cannot_listen)?;
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
