//! The database on a failing machine, with real processes and real files: kills at random moments and at the
//! n-th system call, errors injected into system calls, flipped bytes, truncated and swapped files, power
//! cuts.
//!
//! Whatever happens: every acknowledged game comes back, by opening or by `reindex`, byte for byte; no panic,
//! no hang, no wrong answer. How much is tried is set by environment variables (`BOARDPRINT_KILLS`,
//! `…_CALLS`, `…_ERRORS`, `…_FLIPS`, `…_CUTS`, `…_SEED`); `benches/faults.sh` has the long form. Tests that
//! need strace say so and pass where it is missing.

#![allow(clippy::print_stdout, reason = "the child tells its parent what was acknowledged")]

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use crate::common::{Content, Random, Rules, content, copy, findings, numbers};
use boardprint_base::Digest;
use boardprint_store::db::{
    Access, Db, EngineKind, Error, IngestOptions, IngestReport, LogReader, Observer, Options, Question,
    ReindexOptions, Rejected, WayOut, backup, ingest, reindex,
};

const GAMES: u64 = 700;
const OPERATION: &str = "BOARDPRINT_FAULT_OPERATION";
const FOLDER: &str = "BOARDPRINT_FAULT_FOLDER";
const ENGINE: &str = "BOARDPRINT_FAULT_ENGINE";
const BULK: &str = "BOARDPRINT_FAULT_BULK";

/// Waits a little: a child of another test may hold a copy of the lock between its start and its program.
fn small() -> Options {
    Options::default()
        .wait(Duration::from_secs(20))
        .counts_from(8)
        .fan_in(3)
        .memory(32 << 20)
        .segment_bytes(60_000)
}

fn patient() -> ReindexOptions {
    ReindexOptions { wait: Duration::from_secs(20), ..ReindexOptions::default() }
}

fn options(bulk: bool) -> IngestOptions {
    IngestOptions::default().threads(2).batch_games(60).bulk(bulk)
}

fn source() -> boardprint_records::Reader {
    numbers(&[("numbers", GAMES)])
}

fn amount(name: &str, usual: u64) -> u64 {
    std::env::var(format!("BOARDPRINT_{name}")).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn seed() -> u64 {
    amount("SEED", 1)
}

/// What the database must hold in the end.
fn expected() -> &'static Content {
    static EXPECTED: OnceLock<Content> = OnceLock::new();
    EXPECTED.get_or_init(|| {
        let db = Db::in_memory(small()).unwrap();
        ingest(&db, source(), &Rules, None, &options(false), &(), &AtomicBool::new(false)).unwrap();
        content(&db.snapshot())
    })
}

/// Tells on standard output how many records were acknowledged in this run, and keeps a list of rejects.
struct Teller {
    rejects: Mutex<fs::File>,
}

impl Observer for Teller {
    fn rejected(&self, rejected: &Rejected<'_>) -> std::io::Result<()> {
        // In one call: a kill between two would leave half a line, and the next process would go on in the
        // middle of it.
        let line = format!("{} {}.\n", rejected.record, rejected.reason);
        self.rejects.lock().unwrap().write_all(line.as_bytes())
    }

    fn flush(&self) -> std::io::Result<()> {
        self.rejects.lock().unwrap().sync_all()
    }

    fn acknowledged(&self, report: &IngestReport) {
        println!("\nacknowledged {}", report.games + report.duplicates + report.rejects);
    }
}

fn rejects_path(folder: &Path) -> PathBuf {
    folder.with_extension("rejects")
}

/// Not a test of its own: the process that the others harm. Status 0, or 3 with a message.
#[test]
fn child() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let folder = PathBuf::from(folder);
    let operation = std::env::var(OPERATION).unwrap();
    match operate(&operation, &folder) {
        Ok(()) => println!("\nfinished"),
        Err(error) => {
            println!("\nfailed: {error}; {}", error.way_out());
            std::process::exit(3);
        }
    }
}

fn operate(operation: &str, folder: &Path) -> Result<(), Error> {
    let engine = EngineKind::of_name(&std::env::var(ENGINE).unwrap()).unwrap();
    let io = |cause| Error::Io { action: "open", path: rejects_path(folder), cause };
    match operation {
        "import" => {
            let bulk = std::env::var_os(BULK).is_some();
            let rejects =
                fs::OpenOptions::new().create(true).append(true).open(rejects_path(folder)).map_err(io)?;
            let teller = Teller { rejects: Mutex::new(rejects) };
            let db = Db::open(folder, small().engine(engine))?;
            ingest(&db, source(), &Rules, None, &options(bulk), &teller, &AtomicBool::new(false))?;
            db.close()
        }
        "lookup" => {
            let db = Db::open(folder, small().access(Access::Read))?;
            let answer = db.snapshot().answer(&Question::new(Digest::of(b"")).ratings(true), &Rules)?;
            println!("\nanswer {} {} {:?}", answer.games, answer.occurrences, answer.results);
            Ok(())
        }
        "verify" => {
            let db = Db::open(folder, small().access(Access::Read))?;
            let report = db.snapshot().verify(&Rules)?;
            println!("\nfindings {}", report.findings.len());
            Ok(())
        }
        "export" => LogReader::open(folder)?.games().try_for_each(|game| game.map(drop)),
        "reindex" => reindex(folder, &patient(), &small(), &Rules).map(drop),
        "compact" => Db::open(folder, small())?.compact()?.close(),
        "backup" => backup(folder, &folder.with_extension("copy")).map(drop),
        other => panic!("no operation {other}"),
    }
}

/// How a child ended.
#[derive(Debug)]
struct Outcome {
    code: Option<i32>,
    told: String,
    errors: String,
}

impl Outcome {
    fn acknowledged(&self) -> u64 {
        let last =
            self.told.lines().filter_map(|line| line.strip_prefix("acknowledged ")?.parse().ok()).next_back();
        last.unwrap_or(0)
    }
}

/// Runs a child, perhaps under a harmful wrapper, perhaps killed after a while; a child that hangs fails the
/// test.
fn run(
    wrapper: &[String],
    operation: &str,
    folder: &Path,
    engine: EngineKind,
    bulk: bool,
    kill: Option<Duration>,
) -> Outcome {
    let me = std::env::current_exe().unwrap();
    let mut command = match wrapper.split_first() {
        Some((program, rest)) => {
            let mut command = Command::new(program);
            command.args(rest).arg(me);
            command
        }
        None => Command::new(me),
    };
    command.args(["--exact", "faults::child", "--nocapture", "--test-threads=1"]).env("RUST_BACKTRACE", "0");
    command.env(FOLDER, folder).env(OPERATION, operation).env(ENGINE, engine.name());
    if bulk {
        command.env(BULK, "1");
    }
    let (out, err) = (folder.with_extension("out"), folder.with_extension("err"));
    command
        .stdout(fs::File::create(&out).unwrap())
        .stderr(fs::File::create(&err).unwrap())
        .stdin(Stdio::null());
    let mut child = command.spawn().unwrap();
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if kill.is_some_and(|after| begun.elapsed() >= after) {
            let _ = child.kill();
        }
        assert!(begun.elapsed() < Duration::from_secs(300), "{operation} hangs: {wrapper:?}");
        std::thread::sleep(Duration::from_millis(2));
    };
    let read = |path: &Path| String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
    Outcome { code: status.code(), told: read(&out), errors: read(&err) }
}

fn records(folder: &Path) -> u64 {
    match LogReader::open(folder) {
        Ok(log) => log.sources().first().map_or(0, |source| source.records),
        Err(Error::NoDatabase { .. }) => 0,
        Err(error) => panic!("the log cannot be read: {error}"),
    }
}

/// Opens the database, after `reindex` if opening says so. How it came back.
fn recovered(folder: &Path, what: &str) -> (Option<Db>, &'static str) {
    match Db::open(folder, small().create(false)) {
        Ok(db) => (Some(db), "opened"),
        Err(Error::NoDatabase { .. }) => (None, "nothing yet"),
        Err(error) => {
            assert_eq!(error.way_out(), WayOut::Reindex, "{what}: {error}");
            reindex(folder, &patient(), &small(), &Rules).unwrap_or_else(|error| panic!("{what}: {error}"));
            (Some(Db::open(folder, small().create(false)).unwrap()), "reindexed")
        }
    }
}

/// Everything that was acknowledged is there, the import goes on to its end, and the content is that of one
/// without faults.
fn check(folder: &Path, acknowledged: u64, to_the_end: bool, what: &str) -> &'static str {
    // Whoever only reads comes in too, or learns what to do.
    match Db::open(folder, small().access(Access::Read)).map(Db::close) {
        Ok(closed) => closed.unwrap_or_else(|error| panic!("{what}: {error}")),
        Err(Error::NoDatabase { .. }) => {}
        Err(error) => assert_eq!(error.way_out(), WayOut::Reindex, "{what}: {error}"),
    }
    let (db, how) = recovered(folder, what);
    let found = records(folder);
    assert!(found >= acknowledged, "{what}: {found} records, {acknowledged} acknowledged");
    let Some(db) = db else {
        assert_eq!(acknowledged, 0, "{what}");
        return how;
    };
    if to_the_end {
        ingest(&db, source(), &Rules, None, &options(false), &(), &AtomicBool::new(false))
            .unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(findings(&db), Vec::<String>::new(), "{what}");
        assert!(content(&db.snapshot()) == *expected(), "{what}: the content differs");
        // What goes by HEAD alone sees the same.
        let games = LogReader::open(folder).unwrap().games().map(Result::unwrap).count();
        assert_eq!(games, expected().games.len(), "{what}");
    }
    // Every reject of an acknowledged batch is in the list, whole.
    if let Ok(list) = fs::read_to_string(rejects_path(folder)) {
        for reject in LogReader::open(folder).unwrap().rejects() {
            let reject = reject.unwrap();
            let line = format!("{} {}.", reject.place.record, reject.reason);
            assert!(to_the_end || list.lines().any(|found| found == line), "{what}: {line}");
        }
    }
    how
}

/// A finished database, made once.
fn finished(engine: EngineKind) -> &'static Path {
    static FOLDERS: Mutex<BTreeMap<&str, &'static Path>> = Mutex::new(BTreeMap::new());
    let mut folders = FOLDERS.lock().unwrap();
    folders.entry(engine.name()).or_insert_with(|| {
        let folder = Box::leak(Box::new(tempfile::tempdir().unwrap()));
        let path = folder.path().join("db");
        let db = Db::open(&path, small().engine(engine)).unwrap();
        ingest(&db, source(), &Rules, None, &options(false), &(), &AtomicBool::new(false)).unwrap();
        db.close().unwrap();
        Box::leak(path.into_boxed_path())
    })
}

fn no_panic(outcome: &Outcome, what: &str) {
    assert!(matches!(outcome.code, Some(0 | 3)), "{what}: {outcome:?}");
    assert!(!outcome.told.contains("panicked at"), "{what}: {outcome:?}");
}

fn has_strace() -> bool {
    let there = Command::new("strace").arg("-V").output().is_ok_and(|done| done.status.success());
    if !there {
        println!("skipped: strace is not installed");
    }
    there
}

#[test]
fn killed_at_random_moments_no_acknowledged_game_is_lost() {
    let mut random = Random(seed());
    let mut ways: BTreeMap<String, u64> = BTreeMap::new();
    for round in 0..amount("KILLS", 16) {
        let engine = EngineKind::ALL[usize::try_from(round % 2).unwrap()];
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("db");
        let mut acknowledged = 0;
        // Some are killed again while they recover.
        for again in 0..=random.below(3) {
            let after = Duration::from_millis(random.below(if again == 0 { 700 } else { 300 }));
            let outcome = run(&[], "import", &path, engine, round % 3 == 0, Some(after));
            acknowledged += outcome.acknowledged();
        }
        let how = check(&path, acknowledged, round % 4 == 0, &format!("kill {round}"));
        *ways.entry(format!("{engine} {how}")).or_default() += 1;
    }
    println!("kills: {ways:?}");
}

/// What strace harms: files of the database, by name, so that a process is not harmed while it starts.
fn harmed(path: &Path, inject: &str) -> Vec<String> {
    let mut words: Vec<String> = ["strace", "-f", "-qq", "-o", "/dev/null"].map(str::to_owned).to_vec();
    let names = [
        "",
        "HEAD",
        "HEAD.new",
        "games",
        "games/00000001.log",
        "games/00000002.log",
        "games/00000003.log",
        "index-1",
        "index-1/ID",
        "index-1/db",
        "index-1/conf",
        "index-1/blobs",
        "index-1/index.redb",
        "index-1/spill",
        "index-2",
        "index-2/ID",
        "index-2/db",
        "index-2/index.redb",
        "index-2/conf",
        "index-2/spill",
    ];
    for name in names {
        words.extend(["-P".to_owned(), path.join(name).to_string_lossy().trim_end_matches('/').to_owned()]);
    }
    words.extend(["-e".to_owned(), format!("inject={inject}")]);
    words
}

#[test]
fn killed_at_the_nth_system_call_no_acknowledged_game_is_lost() {
    if !has_strace() {
        return;
    }
    let calls = [
        "pwrite64",
        "write",
        "fsync",
        "fdatasync",
        "sync_file_range",
        "rename",
        "openat",
        "ftruncate",
        "unlink",
        "mkdir",
    ];
    let mut random = Random(seed() + 100);
    let mut ways: BTreeMap<String, u64> = BTreeMap::new();
    for round in 0..amount("CALLS", 14) {
        let engine = EngineKind::ALL[usize::try_from(round % 2).unwrap()];
        let call = calls[usize::try_from(random.below(calls.len() as u64)).unwrap()];
        let when = 1 + random.below(60);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("db");
        let wrapper = harmed(&path, &format!("{call}:signal=KILL:when={when}"));
        let outcome = run(&wrapper, "import", &path, engine, round % 3 == 0, None);
        let what = format!("{engine}: kill at {call} {when}");
        let how = check(&path, outcome.acknowledged(), round % 4 == 0, &what);
        *ways.entry(format!("{engine} {how}")).or_default() += 1;
    }
    println!("kills at calls: {ways:?}");
}

#[test]
fn failing_system_calls_end_in_an_error_and_lose_nothing() {
    if !has_strace() {
        return;
    }
    let calls =
        ["pread64", "read", "write", "pwrite64", "fsync", "fdatasync", "openat", "rename", "ftruncate"];
    let operations = ["import", "lookup", "verify", "export", "reindex", "compact", "backup"];
    let mut random = Random(seed() + 200);
    let mut ways: BTreeMap<String, u64> = BTreeMap::new();
    for round in 0..amount("ERRORS", 28) {
        let engine = EngineKind::ALL[usize::try_from(round % 2).unwrap()];
        let operation = operations[usize::try_from(round).unwrap() % operations.len()];
        let call = calls[usize::try_from(random.below(calls.len() as u64)).unwrap()];
        let error = ["EIO", "ENOSPC", "EMFILE", "EAGAIN"][usize::try_from(random.below(4)).unwrap()];
        let persistent = random.below(3) == 0;
        let when = format!("{}{}", 1 + random.below(40), if persistent { "+" } else { "" });
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("db");
        let mut before = 0;
        if operation != "import" {
            copy(finished(engine), &path);
            before = GAMES;
        }
        let what = format!("{engine}: {operation} with {call} {error} at {when}");
        let wrapper = harmed(&path, &format!("{call}:error={error}:when={when}"));
        let outcome = run(&wrapper, operation, &path, engine, round % 3 == 0, None);
        no_panic(&outcome, &what);
        if let Some(answer) = outcome.told.lines().find(|line| line.starts_with("answer ")) {
            let db = Db::open(finished(engine), small().access(Access::Read).wait(Duration::from_secs(60)))
                .unwrap();
            let right = db.snapshot().answer(&Question::new(Digest::of(b"")), &Rules).unwrap();
            let right = format!("answer {} {} {:?}", right.games, right.occurrences, right.results);
            assert_eq!(answer, right, "{what}: a wrong answer");
        }
        let acknowledged = before.max(outcome.acknowledged());
        let how = check(&path, acknowledged, round % 4 == 0, &what);
        *ways.entry(format!("{operation} status {:?}, {how}", outcome.code)).or_default() += 1;
    }
    println!("errors: {ways:#?}");
}

/// In version 0.1 this destroyed the database, even from a lookup.
#[test]
fn a_read_error_while_opening_costs_at_most_the_index() {
    if !has_strace() {
        return;
    }
    for when in 1..=6 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("db");
        copy(finished(EngineKind::Sled), &path);
        let wrapper = harmed(&path, &format!("pread64:error=EIO:when={when}"));
        let what = format!("read error {when}");
        no_panic(&run(&wrapper, "lookup", &path, EngineKind::Sled, false, None), &what);
        check(&path, GAMES, when == 3, &what);
    }
}

#[test]
fn threads_that_cannot_be_made_are_an_error() {
    if !has_strace() {
        return;
    }
    for when in [1, 2, 4, 8, 12, 14, 18] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("db");
        let wrapper = [
            "strace",
            "-f",
            "-qq",
            "-o",
            "/dev/null",
            "-e",
            &format!("inject=clone3,clone:error=EAGAIN:when={}+", when + 1),
        ];
        let outcome = run(&wrapper.map(str::to_owned), "import", &path, EngineKind::Sled, false, None);
        let what = format!("no thread after {when}");
        // The first thread is that of the test itself.
        assert!(
            matches!(outcome.code, Some(0 | 3)) || outcome.errors.contains("failed to spawn thread"),
            "{what}: {outcome:?}"
        );
        check(&path, outcome.acknowledged(), false, &what);
    }
}

#[test]
fn few_files_are_an_error_or_enough() {
    for files in [8, 12, 16, 20, 24, 32] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("db");
        let wrapper = ["sh", "-c", &format!("ulimit -n {files}; exec \"$0\" \"$@\"")].map(str::to_owned);
        for (operation, bulk) in [("import", true), ("import", false), ("lookup", false)] {
            let outcome = run(&wrapper, operation, &path, EngineKind::Sled, bulk, None);
            no_panic(&outcome, &format!("{operation} with {files} files"));
        }
        check(&path, 0, true, &format!("{files} files"));
    }
}

/// Every file of a database but its lock.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.file_name().is_some_and(|name| name != "lock") {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn a_flipped_byte_is_an_error_or_harmless_and_is_never_made_worse() {
    let mut random = Random(seed() + 300);
    let mut ways: BTreeMap<String, u64> = BTreeMap::new();
    for round in 0..amount("FLIPS", 60) {
        let engine = EngineKind::ALL[usize::try_from(round % 2).unwrap()];
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("db");
        copy(finished(engine), &path);
        let all = files(&path);
        let file = &all[usize::try_from(random.below(all.len() as u64)).unwrap()];
        let name = file.strip_prefix(&path).unwrap().to_string_lossy().into_owned();
        let mut bytes = fs::read(file).unwrap();
        // The end of an index is empty; aim at what was written.
        let used = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        if used == 0 {
            continue;
        }
        let at = usize::try_from(random.below(used as u64)).unwrap();
        let what = format!("{engine}: byte {at} of {name}");
        let (harm, range) = match round % 10 {
            8 => ("cut", at..at),
            9 => ("garbage", at..bytes.len().min(at + 700)),
            _ => ("flip", at..at + 1),
        };
        match harm {
            "cut" => bytes.truncate(at),
            _ => bytes[range].iter_mut().for_each(|byte| *byte ^= 1 << (round % 8)),
        }
        fs::write(file, &bytes).unwrap();
        let in_log = name.starts_with("games");
        let damaged_log: Vec<(PathBuf, Vec<u8>)> = files(&path.join("games"))
            .into_iter()
            .map(|file| (file.clone(), fs::read(file).unwrap()))
            .collect();
        // Reading changes nothing of the games, right or wrong.
        let outcome = run(&[], "verify", &path, engine, false, None);
        no_panic(&outcome, &what);
        let outcome = run(&[], "lookup", &path, engine, false, None);
        no_panic(&outcome, &what);
        for (file, before) in damaged_log {
            assert!(fs::read(&file).unwrap() == before, "{what}: {} was changed by reading", file.display());
        }
        if let Some(answer) =
            outcome.told.lines().find(|line| line.starts_with("answer ")).filter(|_| !in_log)
        {
            let db = Db::open(finished(engine), small().access(Access::Read).wait(Duration::from_secs(60)))
                .unwrap();
            let right = db.snapshot().answer(&Question::new(Digest::of(b"")), &Rules).unwrap();
            assert_eq!(
                answer,
                format!("answer {} {} {:?}", right.games, right.occurrences, right.results),
                "{what}"
            );
        }
        let how = if in_log {
            // The games themselves are harmed: it is said where, and the rest can be saved.
            let saved = folder.path().join("saved");
            let report = boardprint_store::db::salvage(&path, &saved, &small(), &Rules).unwrap();
            let total = expected().games.len() as u64;
            let all_there = report.games == total;
            let seen = run(&[], "export", &path, engine, false, None).code == Some(3);
            assert!(seen || all_there, "{what}: games are missing and nobody says so");
            assert!(harm != "flip" || report.games + 40 >= total, "{what}: {report:?}");
            "salvaged"
        } else {
            // The games are whole: building the index brings everything back.
            reindex(&path, &ReindexOptions { engine: Some(engine), ..patient() }, &small(), &Rules)
                .unwrap_or_else(|error| panic!("{what}: {error}"));
            let db = Db::open(&path, small()).unwrap();
            assert_eq!(findings(&db), Vec::<String>::new(), "{what}");
            assert!(content(&db.snapshot()) == *expected(), "{what}");
            "reindexed"
        };
        *ways.entry(format!("{harm} {how}")).or_default() += 1;
    }
    println!("flips: {ways:?}");
}

/// A power cut loses any part of what was not synced: the end of the log after what HEAD acknowledged is cut
/// or garbled, and the index may be an older one, or have lost its end.
#[test]
fn a_power_cut_loses_nothing_that_was_acknowledged() {
    let mut random = Random(seed() + 400);
    let mut ways: BTreeMap<String, u64> = BTreeMap::new();
    for round in 0..amount("CUTS", 16) {
        let engine = EngineKind::ALL[usize::try_from(round % 2).unwrap()];
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("db");
        let mut acknowledged =
            run(&[], "import", &path, engine, false, Some(Duration::from_millis(200 + random.below(300))))
                .acknowledged();
        let old = folder.path().join("old-index");
        if path.join("index-1").is_dir() {
            copy(&path.join("index-1"), &old);
        }
        acknowledged +=
            run(&[], "import", &path, engine, false, Some(Duration::from_millis(100 + random.below(300))))
                .acknowledged();
        if !path.join("HEAD").exists() {
            continue;
        }
        let head = fs::read_to_string(path.join("HEAD")).unwrap();
        let log: Vec<u64> = head
            .lines()
            .find_map(|line| line.strip_prefix("log "))
            .unwrap()
            .split(' ')
            .map(|n| n.parse().unwrap())
            .collect();
        for file in files(&path.join("games")) {
            let number: u64 = file.file_stem().unwrap().to_str().unwrap().parse().unwrap();
            let mut bytes = fs::read(&file).unwrap();
            let safe = match number.cmp(&log[0]) {
                std::cmp::Ordering::Less => bytes.len(),
                std::cmp::Ordering::Equal => usize::try_from(log[1]).unwrap(),
                std::cmp::Ordering::Greater => 0,
            };
            if safe < bytes.len() {
                let keep = safe + usize::try_from(random.below((bytes.len() - safe) as u64 + 1)).unwrap();
                match random.below(3) {
                    0 => bytes.truncate(keep),
                    1 => bytes[keep..].fill(0),
                    _ => {}
                }
                fs::write(&file, bytes).unwrap();
            } else if number == log[0] && random.below(2) == 0 {
                // A file that had grown before its data came.
                bytes.extend(vec![0; 5000]);
                fs::write(&file, bytes).unwrap();
            }
        }
        if random.below(2) == 0 && old.is_dir() && path.join("index-1").is_dir() {
            fs::remove_dir_all(path.join("index-1")).unwrap();
            copy(&old, &path.join("index-1"));
        }
        let how = check(&path, acknowledged, round % 2 == 0, &format!("power cut {round}"));
        *ways.entry(format!("{engine} {how}")).or_default() += 1;
    }
    println!("power cuts: {ways:?}");
}

/// A limit on the size of files stands for a full disk: writes beyond it fail.
#[cfg(unix)]
#[test]
fn a_full_disk_is_reported_and_the_import_goes_on_when_there_is_room() {
    for engine in EngineKind::ALL {
        for blocks in [8, 60, 900] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("db");
            let wrapper = ["sh", "-c", &format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"")]
                .map(str::to_owned);
            let outcome = run(&wrapper, "import", &path, engine, false, None);
            let what = format!("{engine}: {blocks} blocks");
            no_panic(&outcome, &what);
            check(&path, outcome.acknowledged(), true, &what);
        }
    }
}
