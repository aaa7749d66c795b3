//! The database of the command line: where it is, how it is opened, what its errors mean.

use std::io::ErrorKind;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Result, anyhow};
use boardprint_base::PieceKind;
use boardprint_games::{Profile, ReadOptions};
use boardprint_store::db::{self, Access, Db, EngineKind, LogReader, Options, WayOut};
use boardprint_store::games::Rules;
use clap::Args;
use clap::builder::{PossibleValuesParser, RangedU64ValueParser, TypedValueParser as _};

use crate::args::{PiecesArg, ReadingArgs};
use crate::report::Usage;

/// Which database.
#[derive(Args, Clone)]
pub(crate) struct DbArg {
    /// Use the database in this folder, or on a server: `postgresql://USER@HOST/DATABASE`
    #[arg(
        long,
        value_name = "DIR",
        env = "BOARDPRINT_DB",
        hide_env_values = true,
        default_value = "boardprint.db"
    )]
    pub(crate) db: PathBuf,

    #[command(flatten)]
    pub(crate) wait: WaitArg,
}

/// How long to wait for a database.
#[derive(Args, Clone, Copy)]
pub(crate) struct WaitArg {
    /// Wait this long for a database that is in use
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(..=MOST_PATIENT))]
    wait: u64,
}

/// Nobody waits longer than a week.
const MOST_PATIENT: u64 = 7 * 24 * 3600;

impl WaitArg {
    pub(crate) const fn duration(self) -> Duration {
        Duration::from_secs(self.wait)
    }
}

impl DbArg {
    /// How long to wait for somebody else.
    pub(crate) const fn wait(&self) -> Duration {
        self.wait.duration()
    }

    /// How a database is opened for something.
    pub(crate) fn options(&self, purpose: &str) -> Options {
        Options::default().any_profile(true).create(false).wait(self.wait()).purpose(purpose)
    }

    /// Opens a database that exists, to ask it something.
    pub(crate) fn read(&self, purpose: &str) -> Result<(Db, Profile)> {
        // There is little to do, unless an interrupted load has to be finished first.
        start_threads(1, 0)?;
        self.open(self.options(purpose).access(Access::Read))
    }

    pub(crate) fn open(&self, options: Options) -> Result<(Db, Profile)> {
        let db = Db::open(&self.db, options).map_err(failure)?;
        let profile = profile_of(db.snapshot().profile())?;
        Ok((db, profile))
    }

    /// Opens a database for a dry run.
    pub(crate) fn open_dry(&self, options: Options) -> Result<(Db, Profile)> {
        let db = open_dry(&self.db, options)?;
        let profile = profile_of(db.snapshot().profile())?;
        Ok((db, profile))
    }

    /// The games alone: no engine, no lock, nothing written.
    pub(crate) fn games(&self) -> Result<(LogReader, Profile)> {
        let log = LogReader::open(&self.db).map_err(failure)?;
        let profile = profile_of(log.profile())?;
        Ok((log, profile))
    }
}

/// Whether two folders are one.
pub(crate) fn is_same_place(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// What the sums of a dry run end with.
pub(crate) const NOTHING_WRITTEN: &str = " (dry run: nothing was written)";

/// Opens a database to find out what would become of it: for reading, or an empty one in memory in place of
/// one that would be made.
pub(crate) fn open_dry(path: &Path, options: Options) -> Result<Db> {
    match Db::open(path, options.clone().access(Access::Read)) {
        Err(db::Error::NoDatabase { .. }) => Db::in_memory(options).map_err(failure),
        opened => opened.map_err(failure),
    }
}

pub(crate) fn profile_of(name: &str) -> Result<Profile> {
    let unknown = || {
        let what = "which this program does not know; use the newer program that wrote it";
        anyhow!("the database holds hashes of the profile `{name}`, {what}")
    };
    Profile::of_name(name).ok_or_else(unknown)
}

/// Starts the threads that share the work, all of them before there is anything to do: one per core, or this
/// many. `memory` is what the command takes besides.
pub(crate) fn start_threads(count: usize, memory: u64) -> Result<()> {
    check_address_space(count, memory)?;
    let started = rayon::ThreadPoolBuilder::new().num_threads(count).build_global();
    started.map_err(|error| failure(db::Error::Threads(error.to_string())))
}

/// More threads than any machine has cores would only look for work in each other.
const MOST_THREADS: u64 = 1024;

/// How many threads somebody may ask for.
pub(crate) fn threads_parser() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(..=MOST_THREADS)
}

/// Address space of the program, its threads and the engine with little in it (docs/limits.md has what was
/// measured).
const ADDRESS_SPACE: u64 = 128 << 20;
/// What the allocator of glibc sets aside for a thread that allocates.
const ARENA: u64 = 64 << 20;
/// Threads of the engine.
const ENGINE_THREADS: u64 = 10;

/// Refuses to begin under a limit on address space (`ulimit -v`) that would end the program in the middle: an
/// allocation that fails there aborts, and cannot be turned into an error.
fn check_address_space(threads: usize, memory: u64) -> Result<()> {
    let Some(limit) = address_space_limit() else { return Ok(()) };
    let threads = match threads {
        0 => thread::available_parallelism().map_or(1, NonZero::get),
        threads => threads,
    };
    let said = std::env::var("MALLOC_ARENA_MAX").ok().and_then(|arenas| arenas.parse::<u64>().ok());
    // The first arena is the heap itself.
    let arenas =
        said.filter(|arenas| *arenas > 0).unwrap_or(u64::MAX).min(threads as u64 + ENGINE_THREADS) - 1;
    let needed = ADDRESS_SPACE + ARENA * arenas + memory;
    if limit >= needed {
        return Ok(());
    }
    let kilobytes = |bytes: u64| number(bytes / 1024);
    let (limit, needed) = (kilobytes(limit), kilobytes(needed));
    let advice = if arenas > 0 { ", or set MALLOC_ARENA_MAX=1, which makes it less" } else { "" };
    Err(anyhow!(
        "the limit on address space is {limit} kB, and this takes about {needed} kB; raise it with `ulimit -v`{advice}"
    ))
}

/// The limit on the address space of this process in bytes, where the system says so.
fn address_space_limit() -> Option<u64> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

pub(crate) fn engine_parser() -> impl clap::builder::TypedValueParser<Value = EngineKind> {
    PossibleValuesParser::new(EngineKind::ALL.map(EngineKind::name))
        .map(|name| EngineKind::of_name(&name).expect("only names of engines are possible"))
}

/// What is said of an engine that somebody asked for, of a database that is on another one.
pub(crate) fn engine_note(asked: Option<EngineKind>, db: &Db) -> Option<String> {
    let found = db.engine().filter(|found| asked.is_some_and(|asked| asked != *found))?;
    let change = if db.is_local() { "; `boardprint reindex --engine` changes this one" } else { "" };
    Some(format!("note: --engine applies to a new database only, and this one is on {found}{change}"))
}

/// What stored games mean; custom pieces must be named again.
pub(crate) fn stored_rules(pieces: &PiecesArg, profile: Profile) -> Result<Rules> {
    let table = pieces.table()?;
    let custom = table.iter().filter_map(|piece| match piece.kind() {
        PieceKind::Custom(code) => Some(code),
        _ => None,
    });
    let icn = boardprint_icn::ReadOptions::default().custom_pieces(custom);
    // Whatever came in comes out: names of CPN were checked then.
    let cpn = boardprint_cpn::Options::default().free_names(true);
    Ok(Rules::new(profile).reading(ReadOptions::default().icn(icn).cpn(cpn)))
}

/// What records and stored games mean, as the command line says.
pub(crate) fn rules(reading: &ReadingArgs, profile: Profile) -> Result<Rules> {
    Ok(Rules::new(profile).reading(reading.read_options()?))
}

const NOT_ALLOWED: &str = "it belongs to somebody else: look at its owner and its rights";

/// A failure of the database in words, with what to do about it.
#[expect(clippy::needless_pass_by_value, reason = "it is handed to `map_err`")]
pub(crate) fn failure(error: db::Error) -> anyhow::Error {
    let advice = match (&error, error.way_out()) {
        (db::Error::NoDatabase { .. }, _) => {
            return Usage(format!("{error}; make one with `boardprint import`, or name it with --db")).into();
        }
        (db::Error::NotADatabase { .. }, _) | (db::Error::OtherDatabase { .. }, WayOut::OtherFolder) => {
            return Usage(format!("{error}; name another folder")).into();
        }
        (db::Error::Missing { .. }, _) => return Usage(error.to_string()).into(),
        (db::Error::Server { fault, .. }, way_out) if fault.is_usage() => {
            return Usage(format!("{error}; {way_out}")).into();
        }
        (db::Error::InUse { holder, .. }, _) => match holder.as_ref().and_then(|holder| holder.address.as_ref()) {
            Some(address) => format!("ask the server at {address}, or raise --wait"),
            None => "try again when it has ended, or raise --wait".to_owned(),
        },
        (db::Error::OtherProfile { .. }, _) => {
            "leave out --rights, or change the database with `boardprint reindex --rights`".to_owned()
        }
        (db::Error::OtherFormat { found, known }, _) if found < known => {
            "`boardprint reindex` takes over its games".to_owned()
        }
        (db::Error::Io { path, cause, .. }, _)
            if path.ends_with("lock") && matches!(cause.kind(), ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied) =>
        {
            "`boardprint export` works without the right to write, and so do all commands that read once the index is on redb (`reindex --engine redb`)"
                .to_owned()
        }
        (db::Error::Io { cause, .. }, _) if cause.kind() == ErrorKind::PermissionDenied => NOT_ALLOWED.to_owned(),
        (db::Error::HeadUnreadable { why, .. }, _) if why.contains("(os error 13)") => NOT_ALLOWED.to_owned(),
        (db::Error::Io { path, cause, .. }, _)
            if cause.kind() == ErrorKind::NotFound && path.components().any(|part| part.as_os_str() == "games") =>
        {
            "the games are missing: put them back, or restore a backup".to_owned()
        }
        (db::Error::Io { cause, .. }, _) if cause.kind() == ErrorKind::NotADirectory => {
            return Usage(format!("{error}; name a folder")).into();
        }
        (db::Error::Io { cause, .. }, _) if cause.kind() == ErrorKind::ReadOnlyFilesystem => {
            "name a place that can be written".to_owned()
        }
        // The index need not be damaged: the machine may have failed while it was opened.
        (_, WayOut::Reindex) if is_of_the_machine(&error) => {
            "try again; if that does not help, build the index again with `boardprint reindex`: the games are not touched".to_owned()
        }
        (_, WayOut::Reindex) => {
            "build the index again with `boardprint reindex`: the games are not touched".to_owned()
        }
        (_, WayOut::OtherGames) => {
            "put the right games back; or, if HEAD is that of another database, move it away and run `boardprint reindex`"
                .to_owned()
        }
        (_, WayOut::OpenToWrite) => {
            "run a command that may write, such as `boardprint compact`, or `boardprint reindex`".to_owned()
        }
        (_, WayOut::Salvage) => {
            "restore a backup, or save what can be read with `boardprint salvage DEST`".to_owned()
        }
        (_, way_out) => way_out.to_string(),
    };
    anyhow!("{error}; {advice}")
}

/// Whether an engine failed because the system did. sled writes some of these errors as its own code sees
/// them.
fn is_of_the_machine(error: &db::Error) -> bool {
    let said = error.to_string();
    said.contains("(os error ") || said.contains("Os { code: ")
}

/// A warning that counts games which share a hash with another one and differ from it.
pub(crate) fn collisions(count: u64, games: &str, outcome: &str) -> String {
    let (s, share, differ) = if count == 1 { ("", "shares", "differs") } else { ("s", "share", "differ") };
    let count = number(count);
    format!("warning: {count} {games}{s} {share} a hash with another game and {differ} from it: {outcome}")
}

/// How many, with the right word: `1 game`, `2 games`.
pub(crate) fn count(value: u64, one: &str, many: &str) -> String {
    format!("{} {}", number(value), if value == 1 { one } else { many })
}

/// A number with its thousands apart.
pub(crate) fn number(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
