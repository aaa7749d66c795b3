//! What is written one after another is read as the same records, wherever it is written.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::common::{Outcome, feed, program};

fn run(folder: &Path, arguments: &[&str]) -> Outcome {
    feed(Command::new(program()).current_dir(folder).args(arguments), std::iter::empty())
}

fn good(folder: &Path, arguments: &[&str]) -> String {
    let outcome = run(folder, arguments);
    assert_eq!(outcome.status, Some(0), "{arguments:?}: {}", outcome.errors);
    outcome.results
}

/// The hashes of the games of a file.
fn hashes(folder: &Path, arguments: &[&str]) -> Vec<String> {
    let out = good(folder, &[&["hash", "--of", "game"], arguments].concat());
    out.lines().filter_map(|line| line.split_whitespace().next().map(str::to_owned)).collect()
}

#[test]
fn games_are_set_apart_as_their_format_wants() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let games = [
        (
            "shogi.usi",
            ["pgn", "csa", "kif", "usi", "uci"].as_slice(),
            [
                "position startpos moves 7g7f 3c3d",
                "position sfen 4k4/9/9/9/9/9/9/9/4K4 b 2Pb 1 moves P*5e",
                "position startpos moves 2g2f",
            ],
        ),
        (
            "western.uci",
            &["pgn", "uci", "icn", "json"],
            [
                "position startpos moves e2e4 e7e5",
                "position startpos moves d2d4",
                "position fen 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1 moves e1c1",
            ],
        ),
    ];
    for (name, formats, lines) in games {
        fs::write(folder.join(name), lines.join("\n")).expect("room for it");
        let expected = hashes(folder, &[name]);
        assert_eq!(expected.len(), 3, "{name}");
        let db = format!("{name}.db");
        good(folder, &["import", "-q", "--db", &db, name]);
        for to in formats {
            let to = *to;
            let own = !matches!(to, "icn" | "json");
            let printed = good(folder, &["convert", "-q", "--to", to, name]);
            let file = format!("{name}.{to}");
            good(folder, &["convert", "-q", "--to", to, "-o", &file, name]);
            assert_eq!(fs::read_to_string(folder.join(&file)).expect("a file"), printed, "{name} {to}");
            let exported = good(folder, &["export", "-q", "--db", &db, "--to", to]);
            for (by, text) in [("convert", printed), ("export", exported)] {
                let file = format!("{by}-{name}.{to}");
                fs::write(folder.join(&file), &text).expect("room for it");
                let found = hashes(folder, &["--from", to, &file]);
                assert_eq!(found.len(), 3, "{by} {to}: {text}");
                // On the open board a game has another hash.
                assert!(!own || found == expected, "{by} {to}: {text}");
                let is_list = matches!(to, "usi" | "uci");
                assert_eq!(is_list, text.lines().count() == 3 && is_list, "{by} {to}: {text}");
                assert!(!text.ends_with("\n\n"), "{by} {to}: {text}");
            }
        }
    }
    let csa = good(folder, &["convert", "-q", "--to", "csa", "shogi.usi"]);
    assert_eq!(csa.lines().filter(|line| *line == "/").count(), 2, "{csa}");
    // Moves are not records.
    let moves = ["convert", "--to", "pgn", "--ply", "0", "--move", "g1f3", "-e", "1. e4 *", "-e", "1. d4 *"];
    assert_eq!(good(folder, &moves), "Nf3\nNf3\n");
}
