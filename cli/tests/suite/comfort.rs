//! What stopped people at the terminal, tried again.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::{Outcome, compressed, feed, file, program, run};

fn pipe(arguments: &[&str], input: &str) -> Outcome {
    feed(Command::new(program()).args(arguments), std::iter::once(input.as_bytes()))
}

fn in_folder(folder: &Path, arguments: &[&str]) -> Outcome {
    feed(Command::new(program()).args(arguments).current_dir(folder), std::iter::empty())
}

#[test]
fn a_pipe_is_read_without_being_named() {
    let outcome = pipe(&["canon"], "w 1 K5,1|k5,8");
    assert_eq!((&*outcome.results, outcome.status), ("k5,8|K5,1\n", Some(0)));
    // What is named is read instead.
    let outcome = pipe(&["canon", "-e", "K1,1|k5,8"], "this is not read");
    assert_eq!((&*outcome.results, outcome.status), ("k5,8|K1,1\n", Some(0)));
}

#[test]
fn nothing_found_is_told_by_words_and_status() {
    let folder = tempfile::tempdir().expect("a folder");
    for command in ["canon", "hash", "check", "show", "dedup"] {
        let outcome = in_folder(folder.path(), &[command, "."]);
        assert_eq!((outcome.status, &*outcome.results), (Some(1), ""), "{command}");
        assert_eq!(outcome.errors, "no records found\n", "{command}");
        let outcome = pipe(&[command], "");
        assert_eq!((outcome.status, &*outcome.errors), (Some(1), "no records found\n"), "{command}");
    }
}

#[test]
fn errors_of_a_kind_are_shown_three_times_and_counted() {
    let (_folder, path) = file("bad.icn", "K5,1|k5,8,\n".repeat(50));
    let path = path.to_str().expect("UTF-8");
    let outcome = run(&["hash", path]);
    assert_eq!(outcome.status, Some(1));
    assert_eq!(outcome.errors.matches("error: ").count(), 3);
    assert!(
        outcome.errors.ends_with("errors in all: 50 syntax; --all-errors shows each\n"),
        "{}",
        outcome.errors
    );
    let outcome = run(&["hash", "--all-errors", path]);
    assert_eq!(outcome.errors.matches("error: ").count(), 50);
    assert!(!outcome.errors.contains("in all"));
    let outcome = run(&["hash", "--json", path]);
    assert_eq!((outcome.results.lines().count(), &*outcome.errors), (50, ""));
}

#[test]
fn folders_pass_over_what_is_no_game() {
    let (folder, _) = file("game.icn", "K5,1|k5,8\n");
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).expect("room for it");
    write("README.txt", b"These games were played in May.");
    write("notes.txt", b"Prose about nothing.");
    write("board.png", b"\x89PNG\r\n\x1a\n");
    write("unknown", b"\0\x01\x02\x03");
    write(".hidden", b"not even counted");
    let outcome = in_folder(folder.path(), &["check", "."]);
    assert_eq!(outcome.status, Some(0), "{}", outcome.errors);
    assert_eq!(outcome.errors, "note: skipped 4 files that do not look like games\n");
    // A file that somebody names is meant to be read, and one that is called a game should be one.
    assert_eq!(in_folder(folder.path(), &["check", "notes.txt"]).status, Some(1));
    write("broken.icn", b"\0\x01\x02\x03");
    assert_eq!(in_folder(folder.path(), &["check", "."]).status, Some(1));
}

#[test]
fn a_dash_is_standard_output() {
    let folder = tempfile::tempdir().expect("a folder");
    let outcome = in_folder(folder.path(), &["show", "--svg", "-", "-e", "K5,1|k5,8"]);
    assert!(outcome.results.starts_with("<svg"), "{}", outcome.results);
    let outcome = in_folder(folder.path(), &["show", "--html", "-", "-e", "K5,1|k5,8"]);
    assert!(outcome.results.starts_with("<!DOCTYPE html>"), "{}", &outcome.results[..40]);
    for arguments in [["dedup", "-o", "-", "-e"], ["convert", "--to=icn", "--output=-", "-e"]] {
        let outcome = in_folder(folder.path(), &[&arguments[..], &["K5,1|k5,8"]].concat());
        assert_eq!(outcome.results.trim().len(), "K5,1|k5,8".len(), "{arguments:?}");
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[test]
fn output_is_compressed_by_its_name() {
    let (folder, path) = file("games.icn", "K5,1|k5,8 5,1>5,2\nK5,1|k5,8 5,1>5,2\n");
    for (ending, magic) in [("gz", &[0x1f_u8, 0x8b][..]), ("zst", &[0x28, 0xb5, 0x2f, 0xfd])] {
        for command in [&["dedup"][..], &["convert", "--to", "icn"]] {
            let name = format!("out.icn.{ending}");
            let outcome = in_folder(folder.path(), &[command, &["games.icn", "-o", &name]].concat());
            assert_eq!(outcome.status, Some(0), "{}", outcome.errors);
            let bytes = fs::read(folder.path().join(&name)).expect("the file was written");
            assert!(bytes.starts_with(magic), "{name}");
            let read_again = in_folder(folder.path(), &["canon", &name]);
            assert!(read_again.results.starts_with("k5,8|K5,1 5,1>5,2\n"), "{}", read_again.errors);
        }
    }
    drop(path);
    // The same bytes as the tool itself would take.
    assert!(compressed(b"x").iter().any(|(ending, _)| *ending == "gz"));
}

#[test]
fn plies_count_from_the_end_too() {
    let game = "1. e4 e5 2. Nf3";
    let hash = |ply: &str| run(&["hash", "-q", "--ply", ply, "-e", game]).results;
    assert_eq!(hash("-1"), hash("last"));
    assert_eq!(hash("Infinity"), hash("3"));
    assert_eq!(hash("-2"), hash("2"));
    assert_eq!(hash("-4"), hash("0"));
    assert_eq!(run(&["hash", "--ply", "-5", "-e", game]).status, Some(1));
    let all = run(&["show", "--ascii", "--ply", "all", "-e", game]);
    assert_eq!((all.results.matches("a  b  c").count(), all.status), (4, Some(0)));
    assert!(all.results.contains("-e, after half-move 3\n"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_named_and_nothing_panics() {
    let full = || fs::File::options().write(true).open("/dev/full").expect("Linux has it");
    let commands: [&[&str]; 8] = [
        &["hash", "-e", "1. e4"],
        &["canon", "-e", "K5,1|k5,8"],
        &["check", "-e", "K5,1,"],
        &["show", "-e", "1. e4"],
        &["--help"],
        &["help", "dedup"],
        &["completions", "bash"],
        &["man"],
    ];
    for arguments in commands {
        let output = Command::new(program()).args(arguments).stdout(full()).output().expect("it runs");
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {errors}");
        assert!(!errors.contains("panicked"), "{errors}");
    }
    for arguments in [["hash", "-e", "1. e4"], ["canon", "-e", "K5,1,"], ["dedup", "-e", "1. e4"]] {
        let output = Command::new(program()).args(arguments).stderr(full()).output().expect("it runs");
        assert_eq!(output.status.code(), Some(3), "{arguments:?}");
    }
    for arguments in
        [&["dedup", "-o", "/dev/full", "-e", "1. e4"][..], &["show", "--svg", "/dev/full", "-e", "1. e4"]]
    {
        let outcome = run(arguments);
        assert_eq!(outcome.status, Some(3), "{arguments:?}");
        assert!(outcome.errors.contains("cannot write /dev/full: No space left"), "{}", outcome.errors);
    }
}

#[test]
fn quiet_means_errors_only() {
    let noisy = run(&["canon", "-e", "[White: x] K05,1|k5,8"]);
    assert!(noisy.errors.contains("warning"));
    let quiet = run(&["canon", "-q", "-e", "[White: x] K05,1|k5,8"]);
    assert_eq!((&*quiet.errors, &quiet.results), ("", &noisy.results));
    assert!(run(&["--quiet", "canon", "-e", "K5,1,"]).errors.contains("error: "));
    assert_eq!(run(&["dedup", "-q", "-e", "1. e4"]).errors, "");
    let folder = tempfile::tempdir().expect("a folder");
    let import = |quiet: &[&str]| {
        let outcome =
            in_folder(folder.path(), &[&["import", "--engine", "redb", "-e", "1. e4"], quiet].concat());
        outcome.results + &outcome.errors
    };
    assert_eq!(import(&["-q"]), "");
    assert!(import(&["-q", "--json"]).starts_with("{\"schema\":1,"), "what programs ask for they get");
}

#[test]
fn a_board_alone_is_read_on_request() {
    for text in ["4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/4K3  w - - 0 1"] {
        let refused = run(&["convert", "--to", "fen", "-e", text]);
        assert_eq!(refused.status, Some(1), "{text}");
        assert!(
            refused.errors.contains("help: `--lenient` reads a board alone, and any blanks"),
            "{}",
            refused.errors
        );
        let read = run(&["convert", "--lenient", "--game", "western", "--to", "fen", "-e", text]);
        assert_eq!(read.results, "4k3/8/8/8/8/8/8/4K3 w - - 0 1\n", "{text}");
        assert_eq!(read.errors.matches("warning: ").count(), 1, "{}", read.errors);
    }
}

#[test]
fn colour_is_used_where_it_is_asked_for() {
    let arguments = ["diff", "-e", "1. e4", "-e", "1. d4"];
    let coloured =
        |when: &str| run(&[&arguments[..], &["--color", when]].concat()).results.contains('\u{1b}');
    assert!(coloured("always") && !coloured("never") && !coloured("auto"));
    assert!(run(&["canon", "--color", "always", "-e", "K5,1,"]).errors.contains('\u{1b}'));
    assert!(run(&["--help", "--color", "always"]).results.contains('\u{1b}'));
    assert!(!run(&["--help", "--color", "never"]).results.contains('\u{1b}'));
}

#[test]
fn names_that_people_try_work() {
    assert_eq!(run(&["validate", "-e", "K5,1|k5,8"]).status, Some(0));
    assert_eq!(run(&["compare", "-e", "K5,1|k5,8", "-e", "K5,1|k5,8"]).status, Some(0));
    assert!(run(&["draw", "-e", "1. e4"]).results.contains("black to move"));
}

#[test]
fn help_helps() {
    assert!(run(&["help", "--help"]).results.starts_with("Show help about a command"));
    assert_eq!(run(&["help", "dedup"]).results, run(&["dedup", "--help"]).results);
    assert!(run(&["help", "variants", "show"]).results.contains("--all"));
    let outcome = run(&["help", "dedpu"]);
    assert_eq!(outcome.status, Some(2));
    let outcome = run(&["help", "chekc"]);
    assert!(outcome.errors.contains("`boardprint help` lists them"), "{}", outcome.errors);
}

/// Every command has examples, its own options before the shared ones, and lines that begin with a verb.
#[test]
fn help_is_in_good_order() {
    let list = run(&["--help"]).results;
    let list = list.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("a list");
    let starts = list.lines().filter(|line| !line.starts_with("   "));
    let names: Vec<&str> = starts.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() >= 15, "{names:?}");
    for name in names {
        let help = run(&[name, "--help"]).results;
        assert!(help.contains("Examples:\n"), "{name}");
        if let (Some(own), Some(shared)) = (help.find("\nOptions:\n"), help.find("\nReading options:\n")) {
            assert!(own < shared, "{name}");
        }
    }
}

#[test]
fn a_western_hash_says_once_what_it_leaves_out() {
    let note =
        "note: hashes of Western positions leave out castling rights and en passant; --rights puts them in\n";
    assert_eq!(run(&["hash", "-e", "1. e4", "-e", "1. d4", "-e", "1. c4 c5"]).errors, note);
    assert_eq!(run(&["hash", "--rights", "-e", "1. e4"]).errors, "");
    assert_eq!(run(&["hash", "--of", "game", "-e", "1. e4"]).errors, "");
    assert_eq!(run(&["hash", "-e", "8/8/8/8/8/8/k6P/2K5 w - - 0 1"]).errors, "");
    assert_eq!(run(&["hash", "-e", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]).errors, note);
    assert_eq!(run(&["hash", "-e", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"]).errors, note);
    // Counters of any game are not what the note is about.
    let counted = concat!(env!("CARGO_MANIFEST_DIR"), "/../corpus/fen/bugs/counters-are-no-rights.fen");
    assert_eq!(run(&["hash", counted]).errors, "");
}

#[test]
fn diff_answers_by_status() {
    let of = |arguments: &[&str]| run(&[&["diff"], arguments].concat());
    let same = of(&["-e", "w 1 K5,1|k5,8 1. K5,1>5,2", "-e", "k5,8|K5,1 5,1>5,2"]);
    assert_eq!(
        (same.status, &*same.results),
        (Some(0), "same by game: same laws, start and moves\n  - first\n  + second\n")
    );
    let other = of(&["-e", "1. e4 e5 2. Nf3", "-e", "1. e4 e5 2. Nc3"]);
    assert_eq!(other.status, Some(1));
    assert!(
        other.results.contains("half-move 3:\n  - Nf3\n  + Nc3\nthe position before it:\n"),
        "{}",
        other.results
    );
    let beginning = of(&["--by", "prefix", "-e", "1. e4 e5", "-e", "1. e4 e5 2. Nf3"]);
    assert_eq!(beginning.status, Some(0));
    assert!(beginning.results.contains("moves: - is the beginning; + goes on for 1 half-move\n"));
    for wrong in [&["-e", "1. e4"][..], &["-e", "1. e4", "-e", "1. e4", "-e", "1. e4"]] {
        assert_eq!(of(wrong).status, Some(2), "{wrong:?}");
    }
    assert_eq!(of(&["-e", "1. e4", "-e", "K5,1,"]).status, Some(1));
    let (folder, _) = file("a.pgn", "[White \"A\"]\n\n1. e4 *\n");
    fs::write(folder.path().join("b.pgn"), "1. e4 1-0\n").expect("room for it");
    let files = in_folder(folder.path(), &["diff", "a.pgn", "b.pgn"]);
    assert_eq!(files.status, Some(0));
    assert!(
        files.results.contains("result:\n  - *\n  + 1-0\ntag White:\n  - A\n  + –\n"),
        "{}",
        files.results
    );
}

#[test]
fn show_says_when_moves_are_illegal() {
    let outcome = run(&["show", "-e", "K5,1|R8,1|P8,2|k5,8 8,1>8,9"]);
    assert_eq!(outcome.errors, "warning: -e: half-move 1 is illegal; `boardprint check` says why\n");
    assert_eq!(outcome.status, Some(0));
    assert_eq!(run(&["show", "--ply", "0", "-e", "K5,1|R8,1|P8,2|k5,8 8,1>8,9"]).errors, "");
}

#[test]
fn pictures_of_several_records_are_numbered() {
    let folder = tempfile::tempdir().expect("a folder");
    let texts = ["-e", "1. e4", "-e", "K5,1|k5,8 5,1>5,2"];
    let options = [
        "show", "--svg", "a.svg", "--png", "a.png", "--html", "a.html", "--theme", "print", "--marks", "none",
    ];
    let more = [
        "--size",
        "20",
        "--arrow",
        "e2e4",
        "--highlight",
        "5,1|e4",
        "--no-coordinates",
        "--no-legend",
        "--flip",
    ];
    let outcome = in_folder(folder.path(), &[&options[..], &more, &texts].concat());
    assert_eq!((outcome.status, &*outcome.results), (Some(0), ""), "{}", outcome.errors);
    let read = |name: &str| fs::read(folder.path().join(name)).expect(name);
    for (name, magic) in [
        ("a.svg", "<svg"),
        ("a-2.svg", "<svg"),
        ("a.html", "<!DOCTYPE html>"),
        ("a-2.html", "<!DOCTYPE html>"),
    ] {
        assert!(read(name).starts_with(magic.as_bytes()), "{name}");
    }
    for name in ["a.png", "a-2.png"] {
        assert!(read(name).starts_with(b"\x89PNG"), "{name}");
    }
    // Two names in the terminal, none for one board.
    assert!(run(&[&["show", "--ascii"], &texts[..]].concat()).results.starts_with("-e\n8 r"));
    assert!(run(&["show", "--ascii", "-e", "1. e4"]).results.starts_with("8 r"));
}

#[test]
fn what_needs_no_judgement_is_mended() {
    let (folder, _) = file("games.icn", "N0,0|K5,5|k9,9 N0,0x1,2\n\nK5,1|k5,8 5,1>5,2\n");
    let outcome = in_folder(folder.path(), &["check", "--fix", "games.icn", "-o", "mended.icn"]);
    assert_eq!(
        outcome.results,
        "games.icn:1: ply 1: N0,0>1,2 has `x` and takes nothing: removed `x` [mended wrong-x]\n"
    );
    assert_eq!((&*outcome.errors, outcome.status), ("mended 1 record\n", Some(0)));
    assert_eq!(in_folder(folder.path(), &["check", "mended.icn"]).status, Some(0));
    let texts = |name: &str| in_folder(folder.path(), &["canon", "-q", name]).results;
    assert_eq!(texts("mended.icn"), texts("games.icn"));
    assert_eq!(in_folder(folder.path(), &["check", "--fix", "games.icn"]).status, Some(2));
    let dry = in_folder(folder.path(), &["check", "--fix", "--dry-run", "games.icn"]);
    assert_eq!((dry.status, &dry.results), (Some(0), &outcome.results));
}

#[test]
fn a_dry_run_of_dedup_writes_nothing() {
    let (folder, _) = file("games.icn", "K5,1|k5,8 5,1>5,2\nK5,1|k5,8 5,1>5,2\n");
    let arguments = [
        "dedup",
        "--dry-run",
        "games.icn",
        "-o",
        "x",
        "--duplicates",
        "y",
        "--report",
        "z",
        "--rejects",
        "r",
    ];
    let outcome = in_folder(folder.path(), &arguments);
    assert_eq!((outcome.status, &*outcome.results), (Some(0), ""));
    assert!(outcome.errors.contains("nothing was written"), "{}", outcome.errors);
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
}

#[test]
fn single_moves_are_written_both_ways() {
    let of = |to: &str, style: &str, text: &str, position: &str| {
        run(&["convert", "--to", to, "--style", style, "--move", text, "-e", position]).results
    };
    let position = "P2,7|r1,8|K1,1|k9,9";
    assert_eq!(of("icn", "readable", "2,7>1,8=Q", position), "P2,7 x 1,8 =Q\n");
    assert_eq!(of("icn", "universal", "P2,7 x 1,8 =Q", position), "2,7>1,8Q\n");
    assert_eq!(
        of("pgn", "canonical", "g1f3", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        "Nf3\n"
    );
    assert_eq!(run(&["convert", "--to", "icn", "--move", "1,1>1,2|9,9>9,8", "-e", position]).status, Some(1));
}

#[test]
fn a_style_says_what_it_leaves_out() {
    let game = "[White \"A\"] K5,1|k5,8 5,1>5,2!{hi}";
    let notes = |style: &str| run(&["convert", "--to", "icn", "--style", style, "-e", game]).errors;
    assert_eq!(notes("canonical"), "note: -e: 1 tag, 1 comment and the marks of 1 move are left out\n");
    assert_eq!(
        (notes("compact"), notes("readable"), notes("moderate")),
        <(String, String, String)>::default()
    );
    assert!(notes("universal").contains("1 comment"));
    let lines = |more: &[&str]| {
        let arguments = ["convert", "--to", "icn", "--style", "readable", "-e", game];
        run(&[&arguments[..], more].concat()).results.lines().count()
    };
    assert!(lines(&[]) > 1 && lines(&["--one-line"]) == 1);
}

#[test]
fn dense_boards_and_unsorted_hands_are_read_on_request() {
    let position = "k3,-3|Q2,-4|K-1,-5";
    let grid = run(&["convert", "-q", "--to", "cpn", "--grid", "-e", position]).results;
    let back = run(&["convert", "--to", "icn", "--origin", "-1,-5", "-e", grid.trim()]);
    assert_eq!((back.results.trim(), &*back.errors), (position, ""));
    let hand = "B--1----s:p,S:P";
    assert_eq!(run(&["hash", "-e", hand]).status, Some(1));
    assert_eq!(run(&["convert", "--lenient", "--to", "cpn", "-e", hand]).results, "B--1----S:P,s:p\n");
}

/// Ctrl-C while it waits for more: an answer, status 130, and no file.
#[cfg(unix)]
#[test]
fn an_interrupt_is_answered_and_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(program());
    command.args(["dedup", "-o", "out.icn"]).current_dir(folder.path());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let mut input = child.stdin.take().expect("piped");
    input.write_all(b"K5,1|k5,8 5,1>5,2\n").expect("it reads");
    // The file without a name is there once the program listens.
    while fs::read_dir(folder.path()).expect("a folder").count() == 0 {
        std::thread::sleep(Duration::from_millis(10));
    }
    let killed =
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("`kill` is there");
    assert!(killed.success());
    let output = child.wait_with_output().expect("it ends");
    drop(input);
    assert_eq!(output.status.code(), Some(130));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("interrupted while "), "{errors}");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[test]
fn every_command_that_reads_answers_an_interrupt() {
    let mut command = Command::new(program());
    command.arg("canon").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let (mut input, mut output) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
    let feeder = std::thread::spawn(move || while input.write_all(b"K5,1|k5,8 5,1>5,2\n").is_ok() {});
    // Whoever prints also listens.
    output.read_exact(&mut [0; 1]).expect("it prints");
    let killed =
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("`kill` is there");
    assert!(killed.success());
    let ended = child.wait_with_output().expect("it ends");
    feeder.join().expect("nobody reads any more");
    drop(output);
    assert_eq!(ended.status.code(), Some(130));
    assert_eq!(String::from_utf8_lossy(&ended.stderr), "\ninterrupted while reading\n");
}

/// Every file below a folder with its content, the lock aside: that says who looked last.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut left = vec![folder.to_owned()];
    while let Some(folder) = left.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                left.push(path);
            } else if path.file_name() != Some("lock".as_ref()) {
                found.push((path.display().to_string(), fs::read(&path).expect("a file")));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn a_dry_run_of_import_says_what_would_be_added() {
    let line = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5";
    let game = |white: &str, more: &str| format!("[White \"{white}\"]\n[Black \"B\"]\n\n{line}{more} *\n\n");
    let (folder, _) = file("a.pgn", game("A", "") + &game("A", " 7. Bb3") + &game("A", ""));
    fs::write(folder.path().join("b.pgn"), game("A", " 7. Bb3 d6") + "1. e4 Ke5 *\n\n").expect("room for it");
    let here = |arguments: &[&str]| in_folder(folder.path(), arguments);
    let dry = here(&["import", "--dry-run", "--db", "x.db", "--engine", "redb", "a.pgn"]);
    let expected =
        "3 records: 2 new games with 27 positions, 1 duplicate left out, 0 rejected; 2 games in all";
    assert_eq!(dry.results, format!("{expected} (dry run: nothing was written)\n"), "{}", dry.errors);
    assert!(!folder.path().join("x.db").exists());
    let real = here(&["import", "--db", "x.db", "--engine", "redb", "a.pgn"]);
    assert_eq!((&*real.results, real.status), (&*format!("{expected}\n"), dry.status));
    let before = files(folder.path());
    let both = ["import", "--db", "x.db", "--json", "--rejects", "bad", "a.pgn", "b.pgn"];
    let dry = here(&[&both[..], &["--dry-run"]].concat());
    assert_eq!(files(folder.path()), before);
    assert_eq!(dry.status, Some(1));
    let real = here(&both);
    let sums = real.results.lines().last().expect("sums").replace("\"dry_run\":false", "\"dry_run\":true");
    assert_eq!(dry.results.lines().last(), Some(&*sums));
    assert!(sums.contains("\"games\":1,") && sums.contains("\"rejected\":1,"), "{sums}");
}

#[test]
fn a_dry_run_of_merge_says_what_would_be_added() {
    let (folder, _) = file("a.pgn", "[White \"A\"]\n\n1. e4 e5 2. Nf3 *\n\n[White \"B\"]\n\n1. d4 d5 *\n");
    let here = |arguments: &[&str]| in_folder(folder.path(), arguments);
    here(&["import", "--db", "a.db", "--engine", "redb", "a.pgn"]);
    let arguments = ["merge", "--engine", "redb", "--on-duplicate", "keep", "both.db", "a.db", "a.db"];
    let dry = here(&[&arguments[..], &["--dry-run"]].concat());
    let expected = "4 new games, 0 duplicates; 4 games in all";
    assert_eq!(dry.results, format!("{expected} (dry run: nothing was written)\n"), "{}", dry.errors);
    assert!(!folder.path().join("both.db").exists());
    assert_eq!(here(&arguments).results, format!("{expected}\n"));
    let before = files(folder.path());
    let again = ["merge", "--json", "--min-plies", "0", "--min-confidence", "doubtful", "both.db", "a.db"];
    let dry = here(&[&again[..], &["--dry-run"]].concat());
    assert_eq!(files(folder.path()), before);
    assert_eq!(dry.results, here(&again).results.replace("\"dry_run\":false", "\"dry_run\":true"));
    assert!(dry.results.contains("\"duplicates\":2,"), "{}", dry.results);
}

#[test]
fn the_column_of_an_error_in_a_movement_counts_line_ends() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/fairy/bugs/errors-after-a-line-end.jsonl");
    for row in fs::read_to_string(path).expect("the corpus is there").lines() {
        let row: serde_json::Value = serde_json::from_str(row).expect("JSON");
        let outcome = run(&["piece", "--json", "--", row["expr"].as_str().expect("a movement")]);
        let object: serde_json::Value = serde_json::from_str(&outcome.results).expect("JSON");
        let error = &object["error"];
        assert_eq!((&error["line"], &error["column"]), (&1.into(), &row["error_at"]), "{row}");
    }
}
