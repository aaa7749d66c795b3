//! A real process, killed at random moments of an import.

#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(clippy::print_stdout, reason = "the child tells its parent what was acknowledged")]

mod common;

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use boardprint_store::db::{Db, IngestOptions, IngestReport, Observer, Options, ingest};
use common::{Numbers, Random, Rules, content, findings};

const GAMES: u64 = 12_000;
const FOLDER: &str = "BOARDPRINT_KILL_TEST_FOLDER";
const BULK: &str = "BOARDPRINT_KILL_TEST_BULK";

fn small() -> Options {
    Options::default().hot_threshold(8).fan_in(2).memory(64 << 20)
}

fn options(bulk: bool) -> IngestOptions {
    IngestOptions::default().threads(2).batch_games(200).bulk(bulk)
}

fn source() -> impl Iterator<Item = Numbers> {
    std::iter::once(Numbers { path: "numbers", next: 0, games: GAMES })
}

/// Tells on standard output how many records were acknowledged in this run.
struct Teller;

impl Observer for Teller {
    fn acknowledged(&self, report: &IngestReport) {
        println!("acknowledged {}", report.games + report.duplicates + report.rejects);
    }
}

/// Not a test of its own: the process that the others kill.
#[test]
fn child() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let db = Db::open(Path::new(&folder), small()).unwrap();
    let bulk = std::env::var_os(BULK).is_some();
    match ingest(&db, source(), &Rules, &options(bulk), &Teller, &AtomicBool::new(false)) {
        Ok(_) => println!("finished"),
        Err(error) => {
            println!("failed: {error}");
            std::process::exit(3);
        }
    }
}

fn spawn(folder: &Path, bulk: bool) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "child", "--nocapture", "--test-threads=1"]).env(FOLDER, folder);
    if bulk {
        command.env(BULK, "1");
    }
    command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

/// How many records are in the database.
fn records(db: &Db) -> u64 {
    db.snapshot().sources().first().map_or(0, |source| source.records)
}

/// The last number that a child told.
fn acknowledged(told: &[String]) -> u64 {
    let number = |line: &String| line.strip_prefix("acknowledged ")?.parse().ok();
    told.iter().rev().find_map(number).unwrap_or(0)
}

fn killed_at_random_moments(kills: u64, bulk: bool) {
    let reference = Db::in_memory(small()).unwrap();
    ingest(&reference, source(), &Rules, &options(false), &(), &AtomicBool::new(false)).unwrap();
    let expected = content(&reference.snapshot());
    let mut random = Random(kills);
    let mut folder = tempfile::tempdir().unwrap();
    let (mut before, mut finished, mut in_the_middle) = (0, 0, 0);
    for round in 0..kills {
        let mut child = spawn(folder.path(), bulk);
        let lines = BufReader::new(child.stdout.take().unwrap());
        let reader = std::thread::spawn(move || {
            let told: Vec<String> = lines.lines().map_while(Result::ok).collect();
            acknowledged(&told)
        });
        std::thread::sleep(Duration::from_millis(30 + random.below(900)));
        child.kill().unwrap();
        child.wait().unwrap();
        let told = reader.join().unwrap();

        let db = Db::open(folder.path(), small()).unwrap();
        let found = records(&db);
        assert!(found >= before + told, "round {round}: {found} records, {told} acknowledged after {before}");
        assert_eq!(findings(&db), Vec::<String>::new(), "round {round}");
        in_the_middle += u64::from(found > 0 && found < GAMES);
        before = found;
        if found == GAMES {
            assert_eq!(content(&db.snapshot()), expected, "round {round}");
            drop(db);
            (folder, before) = (tempfile::tempdir().unwrap(), 0);
            finished += 1;
        }
    }
    let mut child = spawn(folder.path(), bulk);
    assert!(child.wait().unwrap().success());
    let db = Db::open(folder.path(), small()).unwrap();
    assert_eq!(content(&db.snapshot()), expected, "the import was resumed to its end");
    assert_eq!(findings(&db), Vec::<String>::new());
    assert!(in_the_middle > 2, "{in_the_middle} kills in the middle, {finished} imports finished");
}

#[test]
fn killed_at_thirty_random_moments_no_acknowledged_game_is_lost() {
    killed_at_random_moments(30, false);
}

#[test]
fn a_bulk_load_killed_at_random_moments_loses_nothing_either() {
    killed_at_random_moments(12, true);
}

/// A limit on the size of files stands for a full disk: writes beyond it fail.
#[cfg(unix)]
#[test]
fn a_full_disk_is_reported_and_the_import_goes_on_when_there_is_room() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new("sh");
    command
        .args(["-c", "trap '' XFSZ; ulimit -f 1500; exec \"$0\" --exact child --nocapture --test-threads=1"]);
    command.arg(std::env::current_exe().unwrap()).env(FOLDER, folder.path());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap());
    let reader = std::thread::spawn(move || lines.lines().map_while(Result::ok).collect::<Vec<_>>());
    let mut waited = 0;
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        waited += 1;
        if waited > 600 {
            child.kill().unwrap();
            panic!("the import hangs on a full disk");
        }
        std::thread::sleep(Duration::from_millis(100));
    };
    let told = reader.join().unwrap();
    assert_eq!(status.code(), Some(3), "{told:?}");
    assert!(told.iter().any(|line| line.starts_with("failed: ")), "{told:?}");
    assert!(acknowledged(&told) > 0, "{told:?}");

    let db = Db::open(folder.path(), small()).unwrap();
    assert!(records(&db) >= acknowledged(&told) && records(&db) < GAMES);
    assert_eq!(findings(&db), Vec::<String>::new());
    ingest(&db, source(), &Rules, &options(false), &(), &AtomicBool::new(false)).unwrap();
    assert_eq!(records(&db), GAMES);
    assert_eq!(findings(&db), Vec::<String>::new());
}
