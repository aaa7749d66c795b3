//! The same input gives the same bytes, whatever the machine is set to, and in every build.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{feed, file, program};
use boardprint_base::Digest;
use serde_json::Value;
use tempfile::TempDir;

/// Settings that must not matter, those of the first run first.
const SETTINGS: [[(&str, &str); 3]; 3] = [
    [("LC_ALL", "C"), ("TZ", "UTC"), ("RAYON_NUM_THREADS", "1")],
    [("LC_ALL", "tr_TR.UTF-8"), ("TZ", "Pacific/Kiritimati"), ("RAYON_NUM_THREADS", "2")],
    [("LC_ALL", "de_DE.ISO-8859-1"), ("TZ", "America/St_Johns"), ("RAYON_NUM_THREADS", "8")],
];

type Printed = (String, String, Option<i32>);

fn corpus(name: &str) -> String {
    format!("{}/../corpus/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn run(folder: &Path, arguments: &[&str], settings: &[(&str, &str)]) -> Printed {
    let mut command = Command::new(program());
    let command = command.args(arguments).envs(settings.iter().copied()).current_dir(folder);
    let outcome = feed(command, std::iter::empty());
    (outcome.results, outcome.errors, outcome.status)
}

#[test]
fn output_depends_on_nothing_but_the_input() {
    let (games, bad) = (corpus("games"), corpus("icn"));
    let (edges, spellings) = (corpus("pgn/edges.pgn"), corpus("pgn/spellings.pgn"));
    let (folder, dated) = file(
        "dated.icn",
        "[Variant \"Classical\"]\n[UTCDate \"2024.02.29\"]\n[UTCTime \"23:59:59\"]\n5,2>5,4\n",
    );
    let dated = dated.to_str().expect("UTF-8");
    for arguments in [
        ["canon", &games].as_slice(),
        &["canon", "--json", &games, &bad],
        &["canon", dated],
        &["hash", "--ply", "all", &games],
        &["hash", "--of", "game", &games, &bad],
        &["convert", "--to", "json", &games],
        &["convert", "--to", "icn", "--style", "readable", &games],
        &["show", &games],
        &["check", &games, dated, &edges, &spellings],
        &["check", "--json", &games, dated, &edges],
        &["dedup", &games, dated, &edges, &spellings],
        &["dedup", "--by", "prefix", "--merge-tags", "--min-plies", "0", &games, &spellings],
        &["variants"],
    ] {
        let wanted = run(folder.path(), arguments, &SETTINGS[0]);
        assert!(!wanted.0.is_empty(), "{arguments:?}");
        for settings in &SETTINGS[1..] {
            assert_eq!(run(folder.path(), arguments, settings), wanted, "{arguments:?} with {settings:?}");
        }
    }
}

/// Games of the corpus, a copy of some, and a bad record.
fn collection() -> Vec<String> {
    let text = fs::read_to_string(corpus("replay/replay.jsonl")).unwrap();
    let games = text.lines().take(60).map(|line| {
        let object: Value = serde_json::from_str(line).unwrap();
        object["icn"].as_str().unwrap().to_owned()
    });
    let mut games: Vec<String> = games.collect();
    games.push("K1,1|k?".to_owned());
    games.extend_from_within(..7);
    games
}

/// The same in another order, always the same one.
fn shuffled<T: Clone>(items: &[T]) -> Vec<T> {
    let mut items = items.to_vec();
    let mut state = 1_u64;
    for index in (1..items.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        items.swap(index, usize::try_from(state >> 33).unwrap() % (index + 1));
    }
    items
}

fn write(folder: &TempDir, name: &str, games: &[String]) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, games.join("\n\n") + "\n").unwrap();
    path
}

#[test]
fn threads_change_nothing_in_a_database_or_a_deduplication() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder, "games.icn", &collection());
    let mut wanted: Option<Vec<Printed>> = None;
    for (threads, settings) in ["1", "2", "8"].into_iter().zip(&SETTINGS) {
        let db = format!("db-{threads}");
        let position = "K5,1|k5,8";
        let printed: Vec<Printed> = [
            ["import", "--threads", threads, "--batch", "9", "--db", &db, "games.icn"].as_slice(),
            &["export", "--json", "--db", &db],
            &["export", "--what", "positions", "--db", &db],
            &["lookup", position, "--json", "--db", &db],
            &["verify", "--db", &db],
            &["dedup", "--threads", threads, "games.icn"],
            &[
                "dedup",
                "--threads",
                threads,
                "--by",
                "prefix",
                "--report",
                "-",
                "-o",
                "/dev/null",
                "games.icn",
            ],
            &["dedup", "--threads", threads, "--keep", "richest", "--merge-tags", "games.icn"],
        ]
        .iter()
        .map(|arguments| run(folder.path(), arguments, settings))
        .collect();
        let statuses: Vec<Option<i32>> = printed.iter().map(|printed| printed.2).collect();
        // The position does not occur.
        assert_eq!(statuses, [1, 0, 0, 1, 0, 1, 1, 1].map(Some), "{printed:?}");
        // Sizes on disk are the machine's; what is kept is ours.
        let (stats, ..) = run(folder.path(), &["stats", "--json", "--db", &db], settings);
        let stats: Value = serde_json::from_str(&stats).unwrap();
        assert_eq!(stats["games"], 60, "{stats}");
        assert_eq!(&printed, wanted.get_or_insert_with(|| printed.clone()), "{threads} threads");
    }
}

#[test]
fn the_order_of_files_and_games_changes_no_set() {
    let folder = tempfile::tempdir().unwrap();
    let games = collection();
    write(&folder, "a.icn", &games[..30]);
    write(&folder, "b.icn", &games[30..]);
    write(&folder, "shuffled.icn", &shuffled(&games));
    let sorted = |(results, _, _): Printed, column: usize| {
        let words = results.lines().map(|line| line.split("  ").nth(column).unwrap_or_default().to_owned());
        let mut words: Vec<String> = words.collect();
        words.sort();
        words
    };
    let hashes = |files: &[&str]| {
        let arguments = [["hash", "--ply", "all"].as_slice(), files].concat();
        sorted(run(folder.path(), &arguments, &[]), 0)
    };
    let wanted = hashes(&["a.icn", "b.icn"]);
    assert!(wanted.len() > 1_000, "{}", wanted.len());
    assert_eq!(hashes(&["b.icn", "a.icn"]), wanted);
    assert_eq!(hashes(&["shuffled.icn"]), wanted);
    let mut exported = Vec::new();
    for (db, files) in
        [("one", ["a.icn", "b.icn"].as_slice()), ("two", &["b.icn", "a.icn"]), ("three", &["shuffled.icn"])]
    {
        run(folder.path(), &[["import", "--db", db].as_slice(), files].concat(), &[]);
        exported.push(run(folder.path(), &["export", "--what", "positions", "--db", db], &[]).0);
    }
    assert!(exported[0].lines().count() > 500);
    assert!(exported.iter().all(|positions| *positions == exported[0]));
}

#[test]
fn the_order_of_pieces_and_tags_changes_no_name() {
    let folder = tempfile::tempdir().unwrap();
    let pieces: Vec<String> =
        (0..500).map(|n| format!("{}{},{}", ["P", "q", "AM", "3r", "ob"][n % 5], n * n, n % 17)).collect();
    let tags: Vec<String> = ["White", "Black", "Event", "Site", "Round", "Zzz"]
        .map(|name| format!("[{name} \"{name}\"]"))
        .to_vec();
    let text =
        |tags: &[String], pieces: &[String]| format!("{}\nw:b:r {}\n", tags.join("\n"), pieces.join("|"));
    fs::write(folder.path().join("a.icn"), text(&tags, &pieces)).unwrap();
    fs::write(folder.path().join("b.icn"), text(&shuffled(&tags), &shuffled(&pieces))).unwrap();
    for arguments in [["canon"].as_slice(), &["hash"], &["hash", "--of", "game"], &["convert", "--to", "cpn"]]
    {
        let named = |name: &str| {
            let (results, errors, status) = run(folder.path(), &[arguments, &[name]].concat(), &[]);
            assert_eq!(status, Some(0), "{arguments:?}: {errors}");
            results.replace(name, "")
        };
        assert_eq!(named("a.icn"), named("b.icn"), "{arguments:?}");
    }
}

/// Each line of `golden.tsv` is the SHA-1 of what a command prints. CI runs this with the program as it is
/// built for tests and with the one that is handed out (`BOARDPRINT`), so that optimisation changes nothing.
#[test]
fn every_build_prints_the_same() {
    let golden = include_str!("golden.tsv");
    let folder = PathBuf::from(corpus(""));
    let mut found = String::new();
    for line in golden.lines().filter(|line| !line.is_empty()) {
        let (_, arguments) = line.split_once('\t').expect("a hash and a command");
        let words: Vec<&str> = arguments.split(' ').collect();
        let (results, errors, status) = run(&folder, &words, &SETTINGS[1]);
        assert!(status.is_some_and(|status| status < 2), "{arguments}: {errors}");
        let printed = format!("{results}{errors}");
        writeln!(found, "{}\t{arguments}", Digest::of(printed.as_bytes())).unwrap();
    }
    assert_eq!(found, golden, "if the change is meant, this is the new golden.tsv:\n{found}");
}
