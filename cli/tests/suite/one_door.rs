//! What a record means is decided in one place: every command says the same of equal and of different records.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::common::{Outcome, feed, program};

const WESTERN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const WESTERN_CPN: &str = "w:r,w:n,w:b,w:q,w:^k,w:b,w:n,w:r,w:p,w:p,w:p,w:p,w:p,w:p,w:p,w:p,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\
    W:P,W:P,W:P,W:P,W:P,W:P,W:P,W:P,W:R,W:N,W:B,W:Q,W:^K,W:B,W:N,W:R";

/// Each row: texts that are one record, whatever their format. Rows differ from each other.
fn table() -> Vec<Vec<String>> {
    let shogi = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";
    let shogi_cpn = convert("sfen", &format!("{shogi} b - 1"));
    vec![
        // Castling is part of a name only in a database that carries rights.
        vec![
            format!("{WESTERN} w KQkq - 0 1"),
            format!("{WESTERN} w - - 0 1"),
            format!("{WESTERN} w KQkq - 12 40"),
            format!("B--8,8--{WESTERN_CPN}--"),
            format!("B--8,8--{}--", WESTERN_CPN.replace('^', "_")),
            format!("B--8,8--{}--", WESTERN_CPN.replace("W:R", "W:+R").replace("W:^K", "W:+^K")),
        ],
        vec![format!("{WESTERN} b KQkq - 0 1"), format!("t--8,8--{WESTERN_CPN}--")],
        vec![
            "K1,1|k1,9".to_owned(),
            "k1,9|K1,1".to_owned(),
            "w 5/100 3 K1,1+|k1,9".replace("5/100 ", ""),
            r#"{"startingPosition": {"1,1": "kingsW", "1,9": "kingsB"}}"#.to_owned(),
            "B--2--infinite:^k_1_9,INFINITE:^K_1_1--".to_owned(),
            "B--2--infinite:-k_1_9,INFINITE:-K_1_1--".to_owned(),
        ],
        vec!["koth K1,1|k1,9".to_owned(), "K1,1|k1,9 koth".to_owned()],
        vec![format!("{shogi} b - 1"), format!("{shogi}[-] w 0 1"), shogi_cpn],
        vec!["B--1,3--w:^k,,W:^K--".to_owned(), "B--1,3--w:_k,,W:_K--".to_owned()],
        vec!["1. e4 e5 *".to_owned(), "[Event \"?\"]\n\n1. e2e4 {x} e7e5".to_owned()],
        vec!["1. e4 c5 *".to_owned()],
        vec!["K1,1|k1,9 1,1>1,2".to_owned(), "[Site \"?\"] K1,1|k1,9 1. K1,1 > 1,2 {hm}".to_owned()],
    ]
}

/// Records that nobody takes.
const BAD: [&str; 3] = ["rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "K1,1|K1,1", "1. e5 *"];

fn run(folder: &Path, arguments: &[&str]) -> Outcome {
    feed(Command::new(program()).current_dir(folder).args(arguments), std::iter::empty())
}

fn convert(from: &str, text: &str) -> String {
    run(Path::new("."), &["convert", "--to", "cpn", "--from", from, "-e", text]).results.trim().to_owned()
}

/// The table as one file per text, so that each has its own format.
fn write(folder: &Path) -> Vec<Vec<String>> {
    let mut names = Vec::new();
    for (row, texts) in table().iter().enumerate() {
        let mut of_row = Vec::new();
        for (column, text) in texts.iter().enumerate() {
            let name = format!("{row}-{column}.txt");
            fs::write(folder.join(&name), format!("{text}\n")).expect("room for it");
            of_row.push(name);
        }
        names.push(of_row);
    }
    names
}

fn good(folder: &Path, arguments: &[&str]) -> String {
    let outcome = run(folder, arguments);
    assert_eq!(outcome.status, Some(0), "{arguments:?}: {}", outcome.errors);
    outcome.results
}

#[test]
fn equal_records_have_one_hash_and_one_cpn() {
    let folder = TempDir::new().expect("a folder");
    let mut seen = Vec::new();
    for row in write(folder.path()) {
        for command in
            [["hash", "--revision", "2015"].as_slice(), &["convert", "--to", "cpn", "--revision", "2015"]]
        {
            let of = |name: &String| {
                let out = good(folder.path(), &[command, &[name]].concat());
                out.split_whitespace().next().expect("an answer").to_owned()
            };
            let first = of(&row[0]);
            for name in &row {
                assert_eq!(of(name), first, "{command:?} {name}");
            }
            seen.push(first);
        }
    }
    // The laws are not part of a position: the rows with and without them share their names.
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 2 * (table().len() - 1));
}

#[test]
fn dedup_keeps_one_of_each() {
    let folder = TempDir::new().expect("a folder");
    let names = write(folder.path());
    for by in ["game", "prefix"] {
        let all: Vec<&str> = names.iter().flatten().map(String::as_str).collect();
        let arguments =
            [&["dedup", "--by", by, "--min-plies", "0", "--report", "pairs", "-o", "kept"][..], &all]
                .concat();
        good(folder.path(), &arguments);
        let pairs = fs::read_to_string(folder.path().join("pairs")).expect("a report");
        let row_of =
            |place: &Value| place["path"].as_str().and_then(|path| path.split('-').next()).map(str::to_owned);
        for line in pairs.lines() {
            let pair: Value = serde_json::from_str(line).expect("JSON");
            assert_eq!(row_of(&pair["game"]), row_of(&pair["kept"]), "{by}: {line}");
        }
        let copies: usize = names.iter().map(|row| row.len() - 1).sum();
        assert_eq!(pairs.lines().count(), copies, "{by}: {pairs}");
    }
}

#[test]
fn a_database_knows_them_by_any_name() {
    let folder = TempDir::new().expect("a folder");
    let names = write(folder.path());
    // Of each row, every text in turn is the one that is stored.
    let most = names.iter().map(Vec::len).max().expect("rows");
    for turn in 0..most {
        let db = format!("{turn}.db");
        let stored: Vec<&str> = names.iter().map(|row| row[turn % row.len()].as_str()).collect();
        good(folder.path(), &[&["import", "--db", &db][..], &stored].concat());
        let all: Vec<&str> = names.iter().flatten().map(String::as_str).collect();
        let again =
            good(folder.path(), &[&["import", "--json", "--min-plies", "0", "--db", &db][..], &all].concat());
        let summary: Value = serde_json::from_str(again.lines().last().expect("sums")).expect("JSON");
        assert_eq!(summary["games"], 0, "{turn}: {again}");
        let new = good(folder.path(), &[&["dedup", "--min-plies", "0", "--db", &db][..], &all].concat());
        assert_eq!(new.trim(), "", "{turn}");
        for (row, texts) in table().iter().enumerate() {
            for text in texts {
                let found = good(folder.path(), &["lookup", "--json", "--db", &db, text]);
                let position: Value =
                    serde_json::from_str(found.lines().next().expect("an answer")).expect("JSON");
                assert!(position["occurrences"].as_u64() >= Some(1), "{turn}, row {row}: {text}: {found}");
            }
        }
    }
}

#[test]
fn a_bad_record_is_bad_to_every_command() {
    let folder = TempDir::new().expect("a folder");
    for (number, text) in BAD.iter().enumerate() {
        let name = format!("bad-{number}.txt");
        fs::write(folder.path().join(&name), format!("{text}\n")).expect("room for it");
        for command in [
            ["hash"].as_slice(),
            &["convert", "--to", "cpn"],
            &["show"],
            &["check"],
            &["dedup"],
            &["import", "--db", "bad.db"],
        ] {
            let outcome = run(folder.path(), &[command, &[&name]].concat());
            assert_eq!(outcome.status, Some(1), "{command:?} {text}: {} {}", outcome.results, outcome.errors);
        }
    }
}
