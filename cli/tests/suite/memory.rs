//! Every command stays within the memory that `docs/limits.md` promises, with a collection larger than that.

#![cfg(target_os = "linux")]
#![expect(clippy::format_collect, reason = "inputs are made in one line")]

use std::fs;
use std::path::Path;

use crate::common::{feed, within};
use tempfile::TempDir;

const GAMES: usize = 7_000;

/// The megabytes of address space that the docs promise for a command.
fn promised(command: &str) -> usize {
    let page = include_str!("../../../docs/limits.md");
    let row = page.lines().find_map(|line| line.strip_prefix(&format!("| `{command}` | ")));
    let row = row.unwrap_or_else(|| panic!("docs/limits.md has a row for {command}"));
    row.split(' ').next().and_then(|number| number.parse().ok()).expect("megabytes")
}

/// Games with a long comment each.
fn games() -> Vec<u8> {
    let comment = "all work and no play makes a dull game, ".repeat(400);
    let mut text = Vec::new();
    for n in 0..GAMES {
        let game = format!("[Event \"{n}\"]\n[Result \"*\"]\nw 0/100 1 K1,1|k{n},9|Q5,5 1,1>1,2");
        text.extend_from_slice(game.as_bytes());
        text.extend_from_slice(format!("{{{comment}}}|{n},9>{n},8\n\n").as_bytes());
    }
    text
}

/// Runs a command within what is promised for it; what it prints.
fn run(name: &str, arguments: &[&str], folder: &Path) -> String {
    let mut command = within(promised(name), arguments);
    command.current_dir(folder);
    let outcome = feed(&mut command, std::iter::empty());
    assert!(matches!(outcome.status, Some(0 | 1)), "{arguments:?}: {}", outcome.errors);
    assert!(!outcome.errors.contains("memory"), "{arguments:?}: {}", outcome.errors);
    outcome.results
}

fn collection() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("games.icn"), games()).expect("room for it");
    folder
}

#[test]
fn commands_that_stream_need_no_more_for_a_larger_file() {
    let folder = collection();
    let size = fs::metadata(folder.path().join("games.icn")).expect("it was written").len();
    for (name, arguments) in [
        ("canon", ["canon", "games.icn"].as_slice()),
        ("hash", &["hash", "--of", "game", "games.icn"]),
        ("convert", &["convert", "--to", "cpn", "games.icn"]),
        ("check", &["check", "--json", "games.icn"]),
        ("show", &["show", "--ascii", "games.icn"]),
        ("dedup", &["dedup", "games.icn"]),
        ("dedup --by prefix", &["dedup", "--by", "prefix", "games.icn"]),
    ] {
        assert!(size > (promised(name) << 20) as u64, "the file is larger than what {name} may take");
        let results = run(name, arguments, folder.path());
        assert!(results.lines().count() >= GAMES, "{arguments:?}");
    }
}

#[test]
fn commands_of_the_database_need_no_more_for_a_larger_collection() {
    let folder = collection();
    let path = folder.path();
    for copy in ["two.icn", "three.icn"] {
        fs::copy(path.join("games.icn"), path.join(copy)).expect("room for it");
    }
    let size = 3 * fs::metadata(path.join("games.icn")).expect("it was written").len();
    for command in ["import", "stats", "lookup", "verify", "compact", "export"] {
        assert!(size > (promised(command) << 20) as u64, "{command}");
    }
    let import = ["import", "--memory", "32M", "--keep-text", "--duplicates", "keep"];
    let summary = run("import", &[import.as_slice(), &["games.icn", "two.icn", "three.icn"]].concat(), path);
    assert!(summary.starts_with("21,000 records: 21,000 new games"), "{summary}");
    assert!(run("stats", &["stats"], path).contains("21,000"));
    assert!(run("lookup", &["lookup", "K1,1|k7,9|Q5,5"], path).contains("games.icn:8"));
    assert!(run("verify", &["verify"], path).starts_with("all is well"));
    run("compact", &["compact"], path);
    let exported = run("export", &["export"], path);
    assert!(exported.len() as u64 > size - 100_000, "{} bytes", exported.len());
}

#[test]
fn a_limit_that_will_not_do_is_said_before_anything_begins() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for arguments in [["import", "-e", "K5,1|k5,8"].as_slice(), &["merge", "all.db", "one.db"], &["verify"]] {
        let mut command = within(100, arguments);
        command.current_dir(folder.path());
        let outcome = feed(&mut command, std::iter::empty());
        assert_eq!(outcome.status, Some(3), "{arguments:?}: {}", outcome.errors);
        let said = "error: the limit on address space is 102,400 kB, and this takes about ";
        assert!(outcome.errors.starts_with(said), "{arguments:?}: {}", outcome.errors);
    }
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 0, "nothing was made");
}

#[test]
fn one_large_record_needs_a_small_multiple_of_its_size() {
    let pieces: Vec<String> = (0..200_000).map(|n| format!("P{},{}", n % 632, n / 632)).collect();
    let record = pieces.join("|").into_bytes();
    for command in ["canon", "hash"] {
        let outcome = feed(&mut within(128, &[command, "-"]), std::iter::once(record.as_slice()));
        assert_eq!(outcome.status, Some(0), "{command}: {}", outcome.errors);
    }
}

/// Ten million pieces are above the limit on records; with another limit they are read. Takes gigabytes.
#[test]
#[ignore = "takes minutes without optimisation: CI runs it with the program as it is handed out"]
fn ten_million_pieces_are_one_position() {
    let rows = 0..3_163_u32;
    let pieces = |row: u32| (0..3_163).map(move |x| (x, row)).take(if row == 3_162 { 1_594 } else { 3_163 });
    let icn = rows.clone().map(|row| {
        let row: Vec<String> = pieces(row).map(|(x, y)| format!("P{x},{y}")).collect();
        row.join("|") + "|"
    });
    let icn = icn.collect::<String>();
    let icn = icn.trim_end_matches('|').as_bytes();
    let json =
        rows.map(|row| pieces(row).map(|(x, y)| format!("\"{x},{y}\":\"pawnsW\",")).collect::<String>());
    let json = json.collect::<String>();
    let json = format!("{{\"startingPosition\":{{{}}}}}", json.trim_end_matches(','));
    let mut names = Vec::new();
    for (format, text, megabytes) in [("icn", icn, 2_048), ("json", json.as_bytes(), 3_072)] {
        let once = || std::iter::once(text);
        let refused = feed(&mut within(256, &["hash", "--from", format, "-"]), once());
        assert!(refused.errors.contains("longer than 67108864 bytes"), "{format}: {}", refused.errors);
        assert_eq!(refused.status, Some(1));
        let arguments = ["hash", "--from", format, "--max-record", "1000000000", "-"];
        let read = feed(&mut within(megabytes, &arguments), once());
        assert_eq!(read.status, Some(0), "{format}: {}", read.errors);
        names.push(read.results);
    }
    assert_eq!(names[0], names[1]);
}

/// A line of a gigabyte is read to its end and refused.
#[test]
#[ignore = "takes minutes without optimisation: CI runs it with the program as it is handed out"]
fn a_line_of_a_gigabyte_is_streamed_and_refused() {
    let piece = vec![b'7'; 1 << 20];
    for format in ["icn", "json", "cpn", "fen", "sfen", "pgn"] {
        let begin = if format == "json" { b"{\"a\":\"".as_slice() } else { b"" };
        let pieces = std::iter::once(begin).chain(std::iter::repeat_n(piece.as_slice(), 1 << 10));
        let outcome = feed(&mut within(256, &["canon", "--from", format, "-"]), pieces);
        assert_eq!(outcome.status, Some(1), "{format}: {}", outcome.errors);
        assert!(outcome.errors.contains("longer than 67108864 bytes"), "{format}: {}", outcome.errors);
    }
}
