//! The commands of the database, with the real program.

#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(clippy::format_collect, reason = "small texts, easily read")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use boardprint_base::{Digest, GameResult};
use boardprint_games::{Format, Profile};
use boardprint_store::db::{Batch, Db, NewGame, Options};
use boardprint_store::games::Rules;
use serde_json::Value;
use tempfile::TempDir;

/// A folder for one test, with its database.
struct Desk(TempDir);

impl Desk {
    fn new() -> Self {
        Desk(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).unwrap();
        path
    }

    /// The program on the database `db`.
    fn command(&self, db: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_boardprint"));
        command.args(arguments).env("BOARDPRINT_DB", self.path(db)).current_dir(self.0.path());
        command
    }

    fn run(&self, db: &str, arguments: &[&str]) -> (i32, String, String) {
        let Output { status, stdout, stderr } = self.command(db, arguments).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (status.code().unwrap_or(-1), text(stdout), text(stderr))
    }

    /// What the program prints when all is well.
    fn ok(&self, db: &str, arguments: &[&str]) -> String {
        let (status, out, talk) = self.run(db, arguments);
        assert_eq!(status, 0, "{arguments:?}: {out}{talk}");
        out
    }

    /// Everything that can be read from a database.
    fn content(&self, db: &str) -> [String; 3] {
        let stats: Value = serde_json::from_str(&self.ok(db, &["stats", "--json"])).unwrap();
        let sums = ["games", "positions", "distinct_positions", "results", "duplicates", "rejected"];
        let sums = sums.map(|name| format!("{name} {}", stats[name]));
        [self.ok(db, &["export", "--json"]), self.ok(db, &["export", "--what", "positions"]), sums.join("\n")]
    }
}

fn corpus(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus").join(name)
}

/// The games of the corpus with the hash of every position.
fn replay_games() -> Vec<(String, Vec<Digest>)> {
    let text = fs::read_to_string(corpus("replay/replay.jsonl")).unwrap();
    let game = |line: &str| {
        let object: Value = serde_json::from_str(line).unwrap();
        let hashes = object["cph"].as_array().unwrap();
        let hashes = hashes.iter().map(|hash| hash.as_str().unwrap().parse().unwrap()).collect();
        (object["icn"].as_str().unwrap().to_owned(), hashes)
    };
    text.lines().map(game).collect()
}

fn icn_file(games: &[(String, Vec<Digest>)]) -> String {
    games.iter().map(|(text, _)| format!("{text}\n\n")).collect()
}

#[test]
fn importing_the_same_files_again_adds_nothing() {
    let desk = Desk::new();
    let replay = desk.write("replay.icn", &icn_file(&replay_games()));
    let small = corpus("games");
    let files = [replay.to_str().unwrap(), small.to_str().unwrap()];
    let import =
        |files: &[&str]| desk.run("db", &[&["import", "--json", "--min-plies", "0"], files].concat());
    let (status, first, talk) = import(&files);
    assert_eq!(status, 0, "{first}{talk}");
    let before = desk.ok("db", &["export", "--json"]);
    let (_, again, _) = import(&files);
    let sums: Value = serde_json::from_str(again.lines().last().unwrap()).unwrap();
    assert_eq!((sums["games"].as_u64(), sums["positions"].as_u64()), (Some(0), Some(0)), "{again}");
    // Under another name it is another file, and its games are known.
    let copy = desk.write("copy.icn", &icn_file(&replay_games()));
    let (status, out, _) = import(&[copy.to_str().unwrap()]);
    let sums: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((status, sums["games"].as_u64()), (0, Some(0)), "{out}");
    assert_eq!(desk.ok("db", &["export", "--json"]), before);
    assert!(desk.ok("db", &["verify", "--paranoid"]).starts_with("all is well"));
}

#[test]
fn a_game_is_left_out_only_if_it_is_there_when_texts_are_compared() {
    let desk = Desk::new();
    let text = "K5,1|k5,8 5,1>5,2|5,8>5,7";
    desk.write("games.icn", &format!("{text}\n"));
    desk.write("copy.icn", &format!("[Event \"copy\"] {text}\n"));
    // A database in which another game has the hash of this one.
    let rules = Rules::new(Profile::Plain);
    let game = |text| rules.game(Format::Icn, text).unwrap();
    let forged = NewGame { hash: game(text).hash, ..game("K5,1|k5,8 5,1>6,2") };
    for db in ["careless", "paranoid"] {
        let made = Db::open(desk.path(db), Options::default()).unwrap();
        made.ingest(Batch { games: vec![forged.clone()], ..Batch::default() }, &rules, None).unwrap();
        made.close().unwrap();
    }
    let import = |db: &str, args: &[&str]| {
        let (status, out, talk) = desk.run(db, &[&["import", "--json", "--min-plies", "0"], args].concat());
        assert_eq!(status, 0, "{out}{talk}");
        let sums: Value = serde_json::from_str(&out).unwrap();
        (["games", "duplicates", "collisions"].map(|name| sums[name].as_u64().unwrap()), talk)
    };
    assert_eq!(import("careless", &["games.icn"]), ([0, 1, 0], String::new()));
    let warning = "warning: 1 new game shares a hash with another game and differs from it: stored\n";
    assert_eq!(import("paranoid", &["--paranoid", "games.icn"]), ([1, 0, 1], warning.to_owned()));
    assert_eq!(import("paranoid", &["--paranoid", "copy.icn"]), ([0, 1, 0], String::new()));
    assert!(desk.ok("paranoid", &["export"]).contains("5,1>5,2|5,8>5,7"));
    let (status, found, _) = desk.run("paranoid", &["verify"]);
    assert_eq!(status, 3);
    assert!(found.contains("games 0 and 1 differ and share the hash "), "{found}");
}

#[test]
fn one_and_two_threads_give_the_same_database() {
    let desk = Desk::new();
    desk.write("replay.icn", &icn_file(&replay_games()));
    for (db, threads, batch) in [("one", "1", "100000"), ("two", "2", "37")] {
        desk.ok(db, &["import", "replay.icn", "--threads", threads, "--batch", batch]);
    }
    desk.ok("three", &["import", "replay.icn", "--threads", "2", "--batch", "37", "--paranoid"]);
    assert_eq!(desk.content("one"), desk.content("two"));
    assert_eq!(desk.content("one"), desk.content("three"));
}

#[test]
fn every_position_is_found_where_it_occurred() {
    let desk = Desk::new();
    let games = replay_games();
    desk.write("replay.icn", &icn_file(&games));
    desk.ok("db", &["import", "replay.icn", "--duplicates", "keep"]);
    let mut map: BTreeMap<Digest, Vec<(u64, u32)>> = BTreeMap::new();
    for (game, (_, hashes)) in (0..).zip(&games) {
        for (ply, hash) in (0..).zip(hashes) {
            map.entry(*hash).or_default().push((game, ply));
        }
    }
    let db = Db::open(desk.path("db"), Options::default()).unwrap();
    let snapshot = db.snapshot();
    assert_eq!(snapshot.games(), games.len() as u64);
    for (number, (hash, places)) in map.iter().enumerate() {
        let found = snapshot.lookup(hash).unwrap().map(Result::unwrap);
        let found: Vec<(u64, u32)> = found.map(|posting| (posting.game(), posting.ply())).collect();
        assert_eq!(found, *places, "{hash}");
        if number % 16 == 0 {
            assert_eq!(snapshot.tally(hash).unwrap().occurrences(), places.len() as u64, "{hash}");
        }
    }
    drop((snapshot, db));
    let counts: String = map.iter().map(|(hash, places)| format!("{hash} {}\n", places.len())).collect();
    let exported = desk.ok("db", &["export", "--what", "positions"]);
    let lines: Vec<(&str, &str)> = exported.lines().map(|line| line.rsplit_once(' ').unwrap()).collect();
    assert_eq!(lines.iter().map(|(count, _)| format!("{count}\n")).collect::<String>(), counts);
    for (line, cpn) in lines {
        assert!(line.starts_with(&Digest::of(cpn.as_bytes()).to_string()), "{line} {cpn}");
    }
    // The program itself, for some of them: by whole hash, and by a beginning.
    for (hash, places) in map.iter().step_by(map.len() / 12) {
        let hash = hash.to_string();
        for asked in [&hash[..], &hash[..20], &hash[..30]] {
            let out = desk.ok("db", &["lookup", asked, "--json", "--limit", "0"]);
            let answer: Value = serde_json::from_str(&out).unwrap();
            assert_eq!(answer["position"]["hash"].as_str(), Some(&hash[..]), "{out}");
            assert_eq!(answer["occurrences"].as_u64(), Some(places.len() as u64), "{out}");
            let row = |game: &Value| {
                (game["id"].as_u64().unwrap(), u32::try_from(game["ply"].as_u64().unwrap()).unwrap())
            };
            let games: Vec<(u64, u32)> = answer["games"].as_array().unwrap().iter().map(row).collect();
            // Each game once, with the first ply at which it has the position.
            let mut firsts = places.clone();
            firsts.dedup_by_key(|(game, _)| *game);
            assert_eq!(games, firsts);
            assert_eq!(answer["game_count"].as_u64(), Some(firsts.len() as u64), "{out}");
        }
    }
}

#[test]
fn killed_imports_go_on_where_they_stopped() {
    let desk = Desk::new();
    let games = replay_games();
    // Duplicates are kept, so that a record that is taken twice shows; one record of each file is bad.
    for name in ["a.icn", "b.icn"] {
        desk.write(name, &format!("{}K1,1|k1,9 3,3>4,4\n", icn_file(&games[..150])));
    }
    let import =
        ["import", "a.icn", "b.icn", "--duplicates", "keep", "--batch", "23", "--rejects", "bad.jsonl"];
    let (status, _, talk) = desk.run("whole", &import);
    assert_eq!(status, 1, "two records are bad: {talk}");
    fs::remove_file(desk.path("bad.jsonl")).unwrap();
    let head = || fs::read_to_string(desk.path("killed/HEAD")).unwrap_or_default();
    let mut state = 11_u64;
    let mut killed = 0;
    for _ in 0..10 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut command = desk.command("killed", &import);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // After none, one or two more batches are acknowledged, and a moment: amid the work on the next.
        let (mut batches, mut last) = (state >> 40 & 3, head());
        let end = Instant::now() + Duration::from_secs(20);
        while batches > 1 && Instant::now() < end && child.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_millis(1));
            let now = head();
            if now != last {
                (batches, last) = (batches - 1, now);
            }
        }
        thread::sleep(Duration::from_millis(state >> 50 & 31));
        if child.try_wait().unwrap().is_none() {
            child.kill().unwrap();
            killed += 1;
        }
        child.wait().unwrap();
    }
    assert!(killed > 4, "the import ended before it could be killed: {killed}");
    let (status, out, talk) = desk.run("killed", &import);
    assert!(status == 0 || status == 1, "{out}{talk}");
    assert!(desk.ok("killed", &["verify"]).starts_with("all is well"));
    assert_eq!(desk.content("killed"), desk.content("whole"));
    // Every rejected record is on a line of its own, perhaps twice; none is torn.
    let bad = fs::read_to_string(desk.path("bad.jsonl")).unwrap();
    let mut bad: Vec<(String, u64)> = bad
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .map(|line| (line["path"].as_str().unwrap().to_owned(), line["record"].as_u64().unwrap()))
        .collect();
    bad.sort();
    bad.dedup();
    assert_eq!(bad, [("a.icn".to_owned(), 151), ("b.icn".to_owned(), 151)]);
}

/// The rest comes in only after the signal, so that there is something left to stop.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_batch_and_says_how_to_go_on() {
    use std::io::Write as _;
    let desk = Desk::new();
    let text = icn_file(&replay_games());
    let (first, rest) = text.split_at(300_000);
    let mut command = desk.command("db", &["import", "-", "--batch", "10", "--min-plies", "0"]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(first.as_bytes()).unwrap();
    thread::sleep(Duration::from_millis(500));
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    thread::sleep(Duration::from_millis(500));
    // It may have seen enough already.
    let _ = input.write_all(rest.as_bytes());
    drop(input);
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    let (out, talk) = (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap());
    assert_eq!(status.code(), Some(130), "{out}{talk}");
    assert!(talk.contains("run the same command again"), "{talk}");
    desk.write("all.icn", &text);
    let before: Value = serde_json::from_str(&desk.ok("db", &["stats", "--json"])).unwrap();
    assert!(before["games"].as_u64().unwrap() < 263, "{before}");
    desk.ok("db", &["import", "all.icn", "--min-plies", "0"]);
    assert!(desk.ok("db", &["verify"]).starts_with("all is well"));
    let after: Value = serde_json::from_str(&desk.ok("db", &["stats", "--json"])).unwrap();
    desk.ok("whole", &["import", "all.icn", "--min-plies", "0"]);
    let whole: Value = serde_json::from_str(&desk.ok("whole", &["stats", "--json"])).unwrap();
    assert_eq!(after["positions"], whole["positions"]);
}

#[test]
fn western_games_are_found_by_fen_and_come_out_as_pgn() {
    let desk = Desk::new();
    let pgn = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 {good} Nc6 1-0\n\n\
        [White \"C\"]\n[Black \"D\"]\n[Result \"0-1\"]\n\n1. Nf3 Nc6 2. e4 e5 3. Bb5 0-1\n";
    desk.write("games.pgn", pgn);
    desk.ok("db", &["import", "games.pgn"]);
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    let out = desk.ok("db", &["lookup", fen, "--json"]);
    let position: Value = serde_json::from_str(out.lines().next().unwrap()).unwrap();
    assert_eq!(position["results"]["white"].as_u64(), Some(1), "{out}");
    assert_eq!(position["results"]["black"].as_u64(), Some(1), "{out}");
    assert_eq!(
        (&position["moves"][0]["uci"], &position["moves"][0]["san"]),
        (&"f1b5".into(), &"Bb5".into()),
        "{out}"
    );
    assert_eq!(position["ended_here"].as_u64(), Some(1), "{out}");
    let exported = desk.ok("db", &["export", "--form", "pgn"]);
    assert_eq!(exported.trim_end(), pgn.replace("{good} ", "").trim_end());
    // What comes out goes in again, as the same games.
    desk.write("again.pgn", &exported);
    assert!(desk.ok("db", &["import", "again.pgn", "--min-plies", "0"]).contains(": 0 new games"));
    // With the text kept, comments come back too.
    desk.ok("kept", &["import", "games.pgn", "--keep-text"]);
    assert_eq!(desk.ok("kept", &["export"]).trim_end(), pgn.trim_end());
}

#[test]
fn what_is_not_indexed_is_not_said_to_be_missing() {
    let desk = Desk::new();
    desk.write("game.pgn", "1. e4 e5 2. Nf3 *\n");
    desk.ok("db", &["import", "game.pgn", "--max-ply", "2"]);
    assert!(desk.ok("db", &["lookup", "e4", "e5"]).contains("1 game"));
    let (status, out, _) = desk.run("db", &["lookup", "e4 e5 Nf3"]);
    assert_eq!(status, 1);
    let said = "this position does not occur within the first 2 half-moves: only they are indexed\n";
    assert!(out.ends_with(said), "{out}");
}

#[test]
fn rights_are_part_of_the_name_if_the_database_says_so() {
    let desk = Desk::new();
    let (with, without) = ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1");
    desk.write("list.fen", &format!("{with}\n{without}\n"));
    desk.ok("plain", &["import", "list.fen"]);
    desk.ok("rights", &["import", "list.fen", "--rights"]);
    let occurrences = |db: &str, fen: &str| {
        let out = desk.ok(db, &["lookup", fen, "--json"]);
        serde_json::from_str::<Value>(out.lines().next().unwrap()).unwrap()["occurrences"].as_u64()
    };
    // To a plain database both are one position, so that the second one is a copy.
    assert_eq!((occurrences("plain", with), occurrences("plain", without)), (Some(1), Some(1)));
    assert_eq!((occurrences("rights", with), occurrences("rights", without)), (Some(1), Some(1)));
    let (status, _, talk) = desk.run("plain", &["import", "list.fen", "--rights"]);
    assert_eq!(status, 3);
    assert!(talk.contains("profile"), "{talk}");
    // A database with rights goes on with them.
    assert!(desk.ok("rights", &["import", "list.fen"]).starts_with("nothing new"));
    // So does what is left of one.
    let log = desk.path("rights/games/00000001.log");
    let mut bytes = fs::read(&log).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&log, bytes).unwrap();
    assert_eq!(desk.run("rights", &["salvage", "saved"]).0, 1);
    assert_eq!((occurrences("saved", with), occurrences("saved", without)), (Some(1), Some(1)));
    fs::remove_file(desk.path("saved/HEAD")).unwrap();
    desk.ok("saved", &["reindex"]);
    assert_eq!((occurrences("saved", with), occurrences("saved", without)), (Some(1), Some(1)));
}

#[test]
fn rejects_say_what_is_wrong_and_where() {
    let desk = Desk::new();
    desk.write("games.icn", "K1,1|k1,9 1,1>1,2\nK1,1|k1,9 7,7>1,2\nK1,1|k1,9|Zz3,3\n");
    let (status, out, talk) = desk.run("db", &["import", "games.icn"]);
    assert_eq!(status, 1, "{out}{talk}");
    assert!(talk.contains("games.icn:2:1: ply 1: no piece stands on 7,7"), "{talk}");
    assert!(talk.contains("games.icn:3:11: "), "{talk}");
    let (status, _, talk) = desk.run("other", &["import", "games.icn", "--rejects", "bad.jsonl"]);
    assert_eq!((status, &*talk), (1, ""));
    let bad = fs::read_to_string(desk.path("bad.jsonl")).unwrap();
    let bad: Vec<Value> = bad.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(bad.len(), 2);
    assert_eq!((bad[0]["record"].as_u64(), bad[0]["line"].as_u64()), (Some(2), Some(2)));
    assert_eq!(bad[1]["text"], "K1,1|k1,9|Zz3,3");
}

#[test]
fn failures_are_told_apart_by_status() {
    let desk = Desk::new();
    for command in [&["stats"][..], &["lookup", "012345"], &["export"], &["verify"], &["compact"]] {
        let (status, _, talk) = desk.run("nowhere", command);
        assert_eq!(status, 2, "{command:?} {talk}");
        assert!(talk.contains("there is no database"), "{talk}");
        assert!(!desk.path("nowhere").exists(), "{command:?} made a database");
    }
    desk.ok("db", &["import", "-e", "K1,1|k1,9 1,1>1,2"]);
    assert_eq!(desk.run("db", &["lookup", "0123"]).0, 2);
    assert_eq!(desk.run("db", &["lookup", "no position at all"]).0, 2);
    let (status, out, _) = desk.run("db", &["lookup", "0123456789"]);
    assert_eq!((status, &*out), (1, "no position has a hash that begins with 0123456789\n"));
    let (status, out, _) = desk.run("db", &["import", "missing.icn"]);
    assert_eq!(status, 2, "{out}");
    for command in [&["import", "-e", "K1,1|k1,9"][..], &["verify"], &["reindex"]] {
        let (status, _, talk) = desk.run("db", &[command, &["--threads", "100000"]].concat());
        assert_eq!(status, 2, "{command:?} {talk}");
        assert!(talk.contains("1024"), "{talk}");
    }
    let (status, _, talk) = desk.run("db", &["merge", "new", "db", "nowhere"]);
    assert_eq!(status, 2, "{talk}");
    assert!(talk.contains("name another folder") && !talk.contains("--db"), "{talk}");
    assert!(!desk.path("new").exists(), "a database was made");
    desk.write("a-file", "no folder");
    fs::create_dir(desk.path("folder")).unwrap();
    desk.write("folder/a-file", "");
    desk.ok("other", &["import", "-e", "K1,1|k1,9 1,1>1,2"]);
    for command in [&["stats"][..], &["import", "-e", "K1,1|k1,9"], &["export"], &["backup", "copy"]] {
        let (status, _, talk) = desk.run("a-file", command);
        assert_eq!(status, 2, "{command:?} {talk}");
        assert!(talk.contains("name a folder"), "{talk}");
    }
    for (to, said) in
        [("a-file", "name a folder"), ("other", "name another folder"), ("folder", "name another")]
    {
        let (status, _, talk) = desk.run("db", &["backup", to]);
        assert_eq!(status, 2, "{to} {talk}");
        assert!(talk.contains(said) && !talk.contains("reindex"), "{talk}");
    }
    {
        let _open = Db::open(desk.path("db"), Options::default()).unwrap();
        let (status, _, talk) = desk.run("db", &["stats", "--wait", "0"]);
        assert_eq!(status, 3);
        assert!(talk.contains("in use by a program (process "), "{talk}");
        assert!(talk.contains("raise --wait"), "{talk}");
        // The games can be read all the same.
        desk.ok("db", &["export"]);
    }
    let head = fs::read_to_string(desk.path("db/HEAD")).unwrap();
    fs::write(desk.path("db/HEAD"), head.replace(char::is_numeric, "9")).unwrap();
    let (status, _, talk) = desk.run("db", &["stats"]);
    assert_eq!(status, 3, "{talk}");
}

#[test]
fn beginnings_that_fit_many_positions_list_them() {
    let desk = Desk::new();
    // A thousand positions and six digits: two of them rarely share as many, so ask for what is there.
    desk.write("replay.icn", &icn_file(&replay_games()[..20]));
    desk.ok("db", &["import", "replay.icn"]);
    let positions = desk.ok("db", &["export", "--what", "positions"]);
    let lines: Vec<&str> = positions.lines().collect();
    let alone =
        lines.windows(3).find(|three| three[0][..6] != three[1][..6] && three[1][..6] != three[2][..6]);
    let alone = alone.unwrap()[1];
    let out = desk.ok("db", &["lookup", &alone[..6], "--json"]);
    let answer: Value = serde_json::from_str(&out).unwrap();
    let (hash, count) = alone.split_once(' ').unwrap();
    assert_eq!(answer["position"]["hash"], hash, "{out}");
    assert_eq!(answer["occurrences"].to_string(), count.split(' ').next().unwrap(), "{out}");
    // All positions begin with no digits at all; six must be given.
    assert_eq!(desk.run("db", &["lookup", &alone[..5]]).0, 2);
}

#[test]
fn results_are_counted() {
    let desk = Desk::new();
    let text: String = GameResult::ALL
        .iter()
        .enumerate()
        .map(|(x, result)| format!("[Result \"{result}\"] K0,0|k5,9 0,0>{x},1\n\n"))
        .collect();
    desk.write("games.icn", &text);
    desk.ok("db", &["import", "games.icn"]);
    let out = desk.ok("db", &["lookup", "k5,9|K0,0", "--moves", "--json"]);
    let position: Value = serde_json::from_str(out.lines().next().unwrap()).unwrap();
    for result in ["white", "black", "draw", "unknown"] {
        assert_eq!(position["results"][result].as_u64(), Some(1), "{out}");
    }
    assert_eq!(position["moves"].as_array().unwrap().len(), 4, "{out}");
}

/// Two copies of a game of twelve half-moves by the same players, one that says less and one that says more,
/// and the same moves of others.
#[test]
fn import_decides_like_dedup_and_merges_tags() {
    let desk = Desk::new();
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 1-0";
    desk.write("poor.pgn", &format!("[White \"Ann\"]\n[Black \"Bob\"]\n\n{moves}\n"));
    desk.write("rich.pgn", &format!("[White \"Ann\"]\n[Black \"Bob\"]\n[Event \"Cup\"]\n\n{moves}\n"));
    desk.write("other.pgn", &format!("[White \"Cem\"]\n[Black \"Dee\"]\n\n{moves}\n"));
    desk.write(
        "short.pgn",
        "[White \"Cem\"]\n[Black \"Dee\"]\n\n1. e4 *\n\n[White \"Cem\"]\n[Black \"Dee\"]\n\n1. e4 *\n",
    );
    let files = ["poor.pgn", "rich.pgn", "other.pgn", "short.pgn"];
    // What dedup would keep is what import adds.
    let report =
        desk.run("none", &[&["dedup", "--report", "pairs.jsonl", "-o", "kept.pgn"][..], &files].concat());
    assert_eq!(report.0, 0, "{}", report.2);
    let kept = fs::read_to_string(desk.path("kept.pgn")).unwrap().matches("[White ").count() as u64;
    let out = desk.ok("db", &[&["import", "--json"][..], &files].concat());
    let sums: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(sums["games"].as_u64(), Some(kept), "{out}");
    assert_eq!((kept, sums["duplicates"].as_u64(), sums["merged"].as_u64()), (4, Some(1), Some(1)), "{out}");
    assert!(desk.ok("db", &["export", "--id", "0"]).contains("[Event \"Cup\"]"));
    // A database and dedup agree: nothing of these files is new to it, apart from what dedup cannot tell.
    let pairs: Value = serde_json::from_str(&desk.ok("db", &["duplicates", "--json"])).unwrap();
    assert_eq!(
        (pairs["total"].as_u64(), &pairs["pairs"][0]["confidence"]),
        (Some(1), &"certain".into()),
        "{pairs}"
    );
    assert_eq!(pairs["pairs"][0]["copy"]["record"]["path"], "rich.pgn");
    // The other ways.
    desk.ok("skip", &[&["import", "--on-duplicate", "skip"][..], &files].concat());
    assert!(!desk.ok("skip", &["export", "--id", "0"]).contains("Cup"));
    let out = desk.ok("keep", &[&["import", "--on-duplicate", "keep"][..], &files].concat());
    assert!(out.starts_with("5 records: 5 new games with "), "{out}");
    let out = desk.ok("one", &["import", "poor.pgn"]);
    assert_eq!(
        out,
        "1 record: 1 new game with 13 positions, 0 duplicates left out, 0 rejected; 1 game in all\n"
    );
    let out = desk.ok("one", &["import", "rich.pgn"]);
    let expected = "1 duplicate left out (1 gave tags to the stored game), 0 rejected; 1 game in all\n";
    assert!(out.ends_with(expected), "{out}");
}

/// A database as it grows and changes: each way leads to the same games, positions and answers.
#[test]
fn every_engine_and_every_way_gives_the_same_answers() {
    let desk = Desk::new();
    let games = replay_games();
    for (name, part) in [("a.icn", &games[..60]), ("b.icn", &games[60..120])] {
        desk.write(name, &icn_file(part));
    }
    for (db, engine) in [("sled", "sled"), ("redb", "redb")] {
        desk.ok(db, &["import", "a.icn", "b.icn", "--engine", engine, "--min-plies", "0"]);
    }
    desk.ok("first", &["import", "a.icn", "--min-plies", "0"]);
    desk.ok("second", &["import", "b.icn", "--min-plies", "0"]);
    desk.ok(
        "merged",
        &[
            "merge",
            desk.path("merged").to_str().unwrap(),
            desk.path("first").to_str().unwrap(),
            desk.path("second").to_str().unwrap(),
            "--min-plies",
            "0",
        ],
    );
    let copy = desk.path("copy");
    desk.ok("first", &["backup", copy.to_str().unwrap()]);
    // A database that is there stays on its engine, which is said.
    for (engine, is_said) in [("sled", true), ("redb", false)] {
        let (_, _, talk) = desk.run("redb", &["import", "a.icn", "--engine", engine, "--min-plies", "0"]);
        assert_eq!(talk.contains("this one is on redb"), is_said, "{talk}");
        let (_, _, talk) =
            desk.run("redb", &["merge", "redb", "sled", "--engine", engine, "--min-plies", "0"]);
        assert_eq!(talk.contains("this one is on redb"), is_said, "{talk}");
    }
    desk.ok("copy", &["reindex", "--engine", "redb"]);
    desk.ok("copy", &["import", "b.icn", "--min-plies", "0"]);
    desk.ok("copy", &["compact"]);
    let salvaged = desk.path("salvaged");
    desk.ok("sled", &["salvage", salvaged.to_str().unwrap()]);
    let answers = |db: &str| {
        let questions: String = games[..120]
            .iter()
            .step_by(17)
            .map(|(_, hashes)| format!("{}\n", hashes[hashes.len() / 2]))
            .collect();
        desk.write("questions", &questions);
        let text = desk.ok(db, &["lookup", "--batch", "questions"]);
        let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        for line in &mut lines {
            line["generation"] = 0.into();
        }
        (desk.ok(db, &["export"]), desk.ok(db, &["export", "--what", "positions"]), lines)
    };
    let expected = answers("sled");
    assert!(expected.2.iter().all(|answer| answer["occurrences"].as_u64() >= Some(1)));
    for db in ["redb", "merged", "copy", "salvaged"] {
        assert!(answers(db) == expected, "{db}");
        assert!(desk.ok(db, &["verify"]).starts_with("all is well"), "{db}");
    }
    // A database without its index is as good as before after `reindex`; until then its games can be had.
    fs::remove_dir_all(desk.path("sled/index-1")).unwrap();
    let (status, found, _) = desk.run("sled", &["verify"]);
    assert!(status == 3 && found.contains("reindex"), "{found}");
    assert!(
        found.contains(&format!("{} games", expected.0.matches("\n\n").count()))
            || found.contains("1 finding"),
        "{found}"
    );
    assert_eq!(desk.ok("sled", &["export"]), expected.0);
    desk.ok("sled", &["reindex"]);
    assert!(answers("sled") == expected);
}

#[test]
fn nothing_that_is_read_is_written_over() {
    let desk = Desk::new();
    let pgn = "[White \"A\"]\n\n1. e4 e5 *\n\n[White \"B\"]\n\n1. e4 e5 2. Ke3 *\n";
    desk.write("games.pgn", pgn);
    fs::create_dir(desk.path("folder")).unwrap();
    assert_eq!(desk.run("db", &["import", "games.pgn"]).0, 1);
    let before = desk.content("db");
    for command in [
        &["export", "-o", "db/HEAD"][..],
        &["export", "--what", "positions", "-o", "db/games/00000001.log"],
        &["lookup", "e4", "--export", "db/games/00000001.log"],
        &["import", "games.pgn", "--rejects", "db/HEAD"],
        &["import", "games.pgn", "--rejects", "games.pgn"],
    ] {
        let (status, out, talk) = desk.run("db", command);
        assert_eq!((status, &*out), (2, ""), "{command:?} {talk}");
        assert!(talk.contains("write to another file"), "{talk}");
    }
    for (rejects, said) in
        [("nowhere/bad.jsonl", "there is no such folder"), ("folder", "folder is a folder")]
    {
        let (status, _, talk) = desk.run("db", &["import", "games.pgn", "--rejects", rejects]);
        assert_eq!(status, 2, "{talk}");
        assert!(talk.contains(said), "{talk}");
    }
    assert_eq!(desk.run("db", &["import", "games.pgn", "--batch", "0"]).0, 2);
    assert_eq!(fs::read_to_string(desk.path("games.pgn")).unwrap(), pgn);
    assert_eq!(desk.content("db"), before);
}

#[test]
fn two_standard_inputs_are_told_apart_when_databases_are_merged() {
    let desk = Desk::new();
    for (db, white) in [("one", "Ann"), ("other", "Cem")] {
        let game = desk.write("game.pgn", &format!("[White \"{white}\"]\n[Black \"Bob\"]\n\n1. e4 *\n"));
        let mut import = desk.command(db, &["import", "-q", "-"]);
        assert!(import.stdin(fs::File::open(game).unwrap()).status().unwrap().success());
    }
    desk.ok("both", &["merge", "both", "one", "other"]);
    let games = desk.ok("both", &["export"]);
    assert!(games.contains("\"Ann\"") && games.contains("\"Cem\""), "{games}");
}

#[test]
fn files_without_records_are_no_sources() {
    let desk = Desk::new();
    fs::create_dir(desk.path("folder")).unwrap();
    desk.write("folder/a-letter", "Prose about nothing.");
    desk.write("folder/games.icn", "K1,1|k1,9 1,1>1,2\n");
    desk.write("folder/last.icn", "");
    desk.ok("db", &["import", "folder"]);
    let stats: Value = serde_json::from_str(&desk.ok("db", &["stats", "--json"])).unwrap();
    assert_eq!(stats["sources"].as_array().unwrap().len(), 1, "{stats}");
    assert!(desk.ok("db", &["import", "folder"]).starts_with("nothing new"));
    // A file that is filled later is read then.
    desk.write("folder/last.icn", "K1,1|k1,9 1,1>2,2\n");
    assert!(desk.ok("db", &["import", "folder"]).contains("1 new game with "));
}

#[test]
fn lookups_say_what_they_had_to_guess() {
    let desk = Desk::new();
    desk.ok("db", &["import", "-e", "K1,1|k1,9 1,1>1,2"]);
    let (status, _, talk) = desk.run("db", &["lookup", "Ke2", "--no-board"]);
    assert_eq!((status, &*talk), (1, "warning: no tag names the game: it was guessed from the moves\n"));
    assert_eq!(desk.run("db", &["lookup", "e4", "--no-board"]).2, "");
}

#[test]
fn games_are_forgotten_by_number_and_by_source() {
    let desk = Desk::new();
    desk.write("a.icn", "[White \"A\"] K1,1|k1,9 1,1>1,2\n\n[White \"B\"] K1,1|k1,9 1,1>2,2\n");
    desk.write("b.icn", "[White \"C\"] K1,1|k1,9 1,1>2,1\n");
    desk.ok("db", &["import", "a.icn", "b.icn"]);
    assert_eq!(desk.ok("db", &["forget", "--id", "0"]), "forgot 1 game; 2 games left\n");
    assert_eq!(desk.run("db", &["forget", "--id", "9"]).0, 2);
    assert_eq!(desk.run("db", &["forget", "--id", "9", "--dry-run"]).0, 2);
    for (dry, said) in
        [(&["--dry-run"][..], "would forget 0 games; 2 games"), (&[], "forgot 0 games; 2 games")]
    {
        let again = desk.ok("db", &[&["forget", "--id", "0"], dry].concat());
        assert!(again.starts_with(said), "{again}");
    }
    assert_eq!(desk.ok("db", &["forget", "--source", "b.icn"]), "forgot 1 game; 1 game left\n");
    let left = desk.ok("db", &["export"]);
    assert!(
        left.contains("[White \"B\"]") && !left.contains("[White \"A\"]") && !left.contains("[White \"C\"]"),
        "{left}"
    );
    assert_eq!(desk.run("db", &["export", "--id", "0"]).0, 1);
    assert!(desk.ok("db", &["verify"]).starts_with("all is well: 1 game,"));
    // What was forgotten with its source can come in again.
    assert!(desk.ok("db", &["import", "b.icn"]).contains("1 new game with "));
}

#[test]
fn lookups_filter_sort_and_page() {
    let desk = Desk::new();
    let game = |white: &str, black: &str, elo: u32, date: &str, result: &str, reply: &str| {
        format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[WhiteElo \"{elo}\"]\n[BlackElo \"{elo}\"]\n[Date \"{date}\"]\n\n1. e4 {reply} {result}\n\n"
        )
    };
    let text = [
        game("Ann", "Bob", 2500, "2020.01.01", "1-0", "e5"),
        game("Bob", "Ann", 2600, "2021.05.??", "0-1", "c5"),
        game("Cem", "Dee", 2400, "2022.03.04", "1/2-1/2", "e5"),
    ];
    desk.write("games.pgn", &text.concat());
    desk.ok("db", &["import", "games.pgn"]);
    let ids = |more: &[&str]| {
        let (_, out, talk) = desk.run("db", &[&["lookup", "e4", "--json"][..], more].concat());
        let answer: Value =
            serde_json::from_str(&out).unwrap_or_else(|error| panic!("{more:?}: {error}: {out}{talk}"));
        let ids: Vec<u64> =
            answer["games"].as_array().unwrap().iter().map(|game| game["id"].as_u64().unwrap()).collect();
        assert!(!more.iter().any(|arg| arg.starts_with("--cur")) || !ids.is_empty());
        (ids, answer)
    };
    for (more, expected) in [
        (&[][..], vec![0, 1, 2]),
        (&["--player", "ann"], vec![0, 1]),
        (&["--player", "ann", "--side", "black"], vec![1]),
        (&["--since", "2021"], vec![1, 2]),
        (&["--until", "2021-05"], vec![0, 1]),
        (&["--result", "draw"], vec![2]),
        (&["--min-rating", "2500"], vec![0, 1]),
        (&["--source", "games"], vec![0, 1, 2]),
        (&["--source", "elsewhere"], vec![]),
        (&["--order", "rating"], vec![1, 0, 2]),
        (&["--order", "date"], vec![2, 1, 0]),
    ] {
        let (found, answer) = ids(more);
        assert_eq!(found, expected, "{more:?}");
        assert_eq!(answer["game_count"].as_u64(), Some(expected.len() as u64), "{more:?}");
        // The same games by the log alone.
        if !more.contains(&"--order") {
            let (_, out, _) = desk.run("db", &[&["export", "--json"][..], more].concat());
            let exported: Vec<u64> = out
                .lines()
                .map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].as_u64().unwrap())
                .collect();
            assert_eq!(exported, expected, "{more:?}");
        }
    }
    let (first, answer) = ids(&["--order", "rating", "--limit", "2"]);
    let cursor = answer["nextCursor"].as_str().unwrap();
    let (rest, answer) = ids(&["--order", "rating", "--limit", "2", "--cursor", cursor]);
    assert_eq!(([first, rest].concat(), answer["nextCursor"].is_null()), (vec![1, 0, 2], true));
    // Moves, unquoted, with SAN, ratings and percentages.
    let out = desk.ok("db", &["lookup", "1.", "e4", "--no-board"]);
    assert!(out.contains("3 games, mean rating 2500: white 33%, draw 33%, black 33%"), "{out}");
    assert!(out.contains("      2    67%    50%   50%     0%    2450  e5"), "{out}");
    desk.ok("db", &["lookup", "e4", "e5", "--export", "e5.pgn.gz", "--moves"]);
    let again = desk.ok("again", &["import", "e5.pgn.gz"]);
    assert!(again.starts_with("2 records: 2 new games"), "{again}");
    // Batches: one answer per question, bad ones too.
    desk.write("questions", "e4\n\nnothing of the kind\n1. d4 d5\n");
    let (status, out, _) = desk.run("db", &["lookup", "--batch", "questions"]);
    let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((status, lines.len()), (1, 3), "{out}");
    assert_eq!((&lines[0]["occurrences"], &lines[2]["occurrences"]), (&3.into(), &0.into()));
    assert_eq!(
        (&lines[1]["error"]["kind"], &lines[1]["question"]),
        (&"unreadable".into(), &"nothing of the kind".into())
    );
}

/// The fields of `--json` are those that the description of the server requires.
#[test]
fn objects_have_the_fields_of_the_description() {
    let desk = Desk::new();
    let twice = "[White \"A\"]\n[Black \"B\"]\n[Date \"2020.01.01\"]\n\n1. e4 e5 *\n\n".repeat(2);
    desk.write("games.pgn", &twice);
    desk.ok("db", &["import", "games.pgn"]);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/api/openapi.json");
    let description: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let object = |arguments: &[&str]| -> Value { serde_json::from_str(&desk.ok("db", arguments)).unwrap() };
    let required = |schema: &str, object: &Value| {
        let schema = &description["components"]["schemas"][schema];
        let parts = schema["allOf"].as_array().cloned().unwrap_or_else(|| vec![schema.clone()]);
        for name in parts.iter().flat_map(|part| part["required"].as_array().cloned().unwrap_or_default()) {
            assert!(object.get(name.as_str().unwrap()).is_some(), "{name} is missing: {object}");
        }
    };
    let explored = object(&["lookup", "e4", "--json"]);
    required("Explore", &explored);
    required("Position", &explored["position"]);
    required("Results", &explored["results"]);
    required("NextMove", &explored["moves"][0]);
    required("GameRow", &explored["games"][0]);
    required("Record", &explored["games"][0]["record"]);
    required("Stats", &object(&["stats", "--json"]));
    let duplicates = object(&["duplicates", "--json"]);
    required("Duplicates", &duplicates);
    required("Pair", &duplicates["pairs"][0]);
}

#[test]
fn examples_print_what_they_say() {
    trycmd::TestCases::new().case("tests/cmd/database.trycmd");
}
