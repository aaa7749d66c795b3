//! Nothing that a file says moves the cursor, colours the terminal or hides: every place where input is shown
//! to people.

use std::fs;
use std::process::Command;

use crate::common::{Outcome, feed, program};

/// An escape sequence, a right-to-left override, a C1 control, a character without width.
const EVIL: &str = "Eve\u{1b}[31m\u{202e}\u{9b}2J\u{200b}";
const SHOWN: &str = "Eve\\u{1b}[31m\\u{202e}\\u{9b}2J\\u{200b}";

fn is_clean(text: &str) -> bool {
    let hidden =
        |c: char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    !text.chars().any(|c| (c.is_control() && c != '\n') || hidden(c))
}

#[test]
fn what_is_shown_to_people_is_escaped_everywhere() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: String| fs::write(folder.path().join(name), text).expect("room for it");
    let tags = format!("[White \"{EVIL}\"]\n[Black \"{EVIL}\"]\n[Date \"{EVIL}\"]\n[Variant \"{EVIL}\"]\n");
    let good = format!("{tags}\nK5,1|k5,8|Q1,1 5,1>5,2|5,8>5,7{{{EVIL}}}\n\n");
    let rules = format!("{{\"{EVIL}\":\"{EVIL}\"}} K5,1|k5,8|Q1,1 5,1>5,2|5,8>5,7\n\n");
    let name = format!("games {EVIL}.icn");
    write(&name, format!("{good}{rules}{tags}\nK5,1|k5,8 5,1>5,2|9,9>9,8\n\n{tags}\nK5,1|{EVIL}5,8\n\n"));
    write("chess.pgn", format!("{tags}\n1. e4 {EVIL} *\n"));
    let run = |arguments: &[&str]| -> Outcome {
        let mut command = Command::new(program());
        feed(command.args(arguments).current_dir(folder.path()), std::iter::empty())
    };
    let (mut shown, mut printed) = (0, 0);
    let all = "b40a95ef";
    for arguments in [
        ["import", &name, "chess.pgn"].as_slice(),
        &["stats"],
        &["lookup", "K5,1|k5,8|Q1,1", "--laws"],
        &["lookup", "K5,1|k5,8|Q1,1"],
        &["lookup", all],
        &["verify"],
        &["check", &name, "chess.pgn"],
        &["hash", &name],
        &["hash", "--ply", "9", &name],
        &["show", "--ascii", &name],
        &["convert", "--to", "cpn", &name],
        &["convert", "--to", "fen", &name],
        &["piece", EVIL],
        &["lookup", EVIL],
        &["canon", EVIL],
        &["import", EVIL],
    ] {
        let outcome = run(arguments);
        assert!(outcome.status.is_some_and(|status| status < 4), "{arguments:?}");
        assert!(is_clean(&outcome.errors), "{arguments:?}: {:?}", outcome.errors);
        assert!(is_clean(&outcome.results), "{arguments:?}: {:?}", outcome.results);
        shown += usize::from(outcome.errors.contains(SHOWN));
        printed += usize::from(outcome.results.contains(SHOWN));
    }
    assert!(shown >= 9 && printed >= 4, "the characters are shown, not dropped: {shown} and {printed}");
    // What goes on to other programs is as it was, in errors of the same run it is not.
    let outcome = run(&["dedup", &name, "chess.pgn"]);
    assert!(outcome.results.contains(EVIL), "{}", outcome.results);
    assert!(is_clean(&outcome.errors), "{:?}", outcome.errors);
}
