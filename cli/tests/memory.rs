//! Commands stay within the memory that `docs/limits.md` promises, whatever the size of the file.

#![cfg(target_os = "linux")]

mod common;

use common::{feed, within};

const GAMES: usize = 7_000;

/// The memory for programs that stream; the file is larger.
const MEGABYTES: usize = 96;

/// Games with a long comment each.
fn games() -> impl Iterator<Item = Vec<u8>> {
    let comment = "all work and no play makes a dull game, ".repeat(400);
    (0..GAMES).map(move |n| {
        format!("[Event \"{n}\"]\nw 0/100 1 K1,1|k{n},9|Q5,5 1,1>1,2{{{comment}}}|{n},9>{n},8\n\n")
            .into_bytes()
    })
}

#[test]
fn commands_that_stream_need_no_more_for_a_larger_file() {
    let games: Vec<Vec<u8>> = games().collect();
    assert!(games.iter().map(Vec::len).sum::<usize>() > MEGABYTES << 20);
    for arguments in
        [["canon", "-"].as_slice(), &["hash", "--of", "game", "-"], &["convert", "--to", "cpn", "-"]]
    {
        let outcome = feed(&mut within(MEGABYTES, arguments), games.iter().map(Vec::as_slice));
        assert_eq!(outcome.status, Some(0), "{arguments:?}: {}", outcome.errors);
        assert_eq!(outcome.results.lines().count(), GAMES, "{arguments:?}");
    }
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
