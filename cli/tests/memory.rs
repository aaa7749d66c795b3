//! Commands stay within the memory that `docs/limits.md` promises, whatever the size of the file.

#![cfg(target_os = "linux")]

mod common;

use common::{feed, within};

const GAMES: usize = 60_000;

/// Games of a few hundred bytes each, as a stream.
fn games() -> Vec<Vec<u8>> {
    let moves: String = (1..20).map(|n| format!("|{n},1>{},1", n + 1)).collect();
    let game =
        |n: usize| format!("[Event \"{n}\"]\nw 0/100 1 K1,1|k{n},9|Q5,5 1,1>1,1{moves}\n\n").into_bytes();
    (0..GAMES / 1000).map(|thousand| (0..1000).flat_map(|n| game(thousand * 1000 + n)).collect()).collect()
}

#[test]
fn commands_that_stream_need_no_more_for_a_larger_file() {
    let games = games();
    assert!(games.iter().map(Vec::len).sum::<usize>() > 12 << 20);
    for arguments in [
        ["canon", "-"].as_slice(),
        &["canon", "--json", "-"],
        &["hash", "-"],
        &["hash", "--of", "game", "-"],
        &["convert", "--to", "cpn", "-"],
        &["convert", "--to", "json", "-"],
    ] {
        let outcome = feed(&mut within(64, arguments), games.iter().map(Vec::as_slice));
        assert_eq!(outcome.status, Some(0), "{arguments:?}: {}", outcome.errors);
        assert_eq!(outcome.results.lines().count(), GAMES, "{arguments:?}");
    }
}

#[test]
fn one_large_record_needs_a_small_multiple_of_its_size() {
    let pieces: Vec<String> = (0..400_000).map(|n| format!("P{},{}", n % 632, n / 632)).collect();
    let record = pieces.join("|").into_bytes();
    for command in ["canon", "hash"] {
        let outcome = feed(&mut within(256, &[command, "-"]), std::iter::once(record.as_slice()));
        assert_eq!(outcome.status, Some(0), "{command}: {}", outcome.errors);
    }
}
