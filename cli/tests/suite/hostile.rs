//! Input made to hang the program, to fill the memory or to deceive who reads its errors.

#![expect(clippy::format_collect, reason = "inputs are made in one line")]

use std::fs;
use std::io::Write as _;
use std::iter::{once, repeat_n};
use std::process::Command;

use crate::common::{Outcome, compressed, feed, file, program, run, within};
use boardprint_tests::Mutator;
use boardprint_tests::property::{program_at, seeds};

/// Runs the program on a file and expects one bad record with this message.
fn refused(command: &str, name: &str, content: &str, message: &str) {
    let (_folder, path) = file(name, content);
    let outcome = run(&[command, path.to_str().expect("UTF-8")]);
    assert_eq!(outcome.status, Some(1), "{name}: {}", outcome.errors);
    assert!(outcome.errors.contains(message), "{name}: {}", outcome.errors);
    assert!(outcome.errors.len() < 20_000, "{name}: {} bytes of errors", outcome.errors.len());
    assert_eq!(outcome.results, "", "{name}");
}

#[test]
fn any_file_is_answered() {
    let seeds = seeds("program");
    let mut mutator = Mutator::new(1);
    for round in 0..150 {
        let (seed, other) = (&seeds[round * 5 % seeds.len()], &seeds[(round * 7 + 3) % seeds.len()]);
        program_at(program(), &mutator.change(&seed.bytes, &other.bytes));
    }
}

#[test]
fn numbers_beyond_the_limit_are_refused_at_once() {
    let digits = "7".repeat(1_000_000);
    refused("hash", "digits.icn", &format!("K{digits},1|k1,1\n"), "more than 100000 digits");
    refused(
        "hash",
        "digits.json",
        &format!("{{\"startingPosition\":{{\"{digits},1\":\"kingsW\"}}}}"),
        "digits",
    );
    for number in ["1e999999999", "-1e999999999", "1e99999999999999999999", "1.5e999999999"] {
        refused("hash", "bomb.icn", &format!("K{number},1|k1,1\n"), "error");
    }
    refused("hash", "rules.icn", "{\"a\":1e999999999} K1,1|k1,1\n", "error");
}

#[test]
fn a_number_at_the_limit_is_an_ordinary_number() {
    let (_folder, path) = file("long.icn", format!("K{},1|k1,1\n", "7".repeat(100_000)));
    let outcome = run(&["canon", path.to_str().expect("UTF-8")]);
    assert_eq!(outcome.status, Some(0), "{}", outcome.errors);
    assert_eq!(outcome.results.len(), 100_000 + "k1,1|K,1\n".len());
}

#[test]
fn a_million_tags_are_refused_and_many_pieces_are_not() {
    let tags: String = (0..1_000_000).map(|number| format!("[T{number} \"\"]\n")).collect();
    refused("canon", "tags.icn", &format!("{tags}\nK1,1|k1,9\n"), "more than 100000 tags");
    let pieces: Vec<String> = (0..100_000).map(|n| format!("P{},{}", n % 317, n / 317)).collect();
    let (_folder, path) = file("pieces.icn", pieces.join("|"));
    let outcome = run(&["hash", path.to_str().expect("UTF-8")]);
    assert_eq!(outcome.status, Some(0), "{}", outcome.errors);
}

#[test]
fn more_pieces_than_the_limit_on_records_allows_are_streamed_and_refused() {
    let icn = "P12,34|".repeat(1 << 17);
    let json = "\"12,34\":\"pawnsW\",".repeat(1 << 16);
    for (format, begin, pieces) in [("icn", "K1,1|", icn), ("json", "{\"startingPosition\":{", json)] {
        let arguments = ["hash", "--max-record", "1000000", "--from", format, "-"];
        let pieces = once(begin.as_bytes()).chain(repeat_n(pieces.as_bytes(), 8));
        let Outcome { errors, results, status } = feed(&mut within(64, &arguments), pieces);
        assert_eq!((status, results.as_str()), (Some(1), ""), "{format}: {errors}");
        assert!(errors.contains("longer than 1000000 bytes"), "{format}: {errors}");
    }
}

#[test]
fn turn_orders_have_an_end() {
    let order = |turns: usize| ["w", "b", "r"].into_iter().cycle().take(turns).collect::<Vec<_>>();
    refused("hash", "turns.icn", &format!("{} K1,1|k1,9", order(100_000).join(":")), "more than 1000 turns");
    let json = format!("{{\"gameRules\":{{\"turnOrder\":[\"{}\"]}},", order(100_000).join("\",\""));
    let json = format!("{json}\"startingPosition\":{{\"1,1\":\"kingsW\"}}}}");
    refused("hash", "turns.json", &json, "more than 1000 turns");
    let cpn = format!("B--1--W:^K_p1_p1--infinite_0:turn_{}", vec!["1_2_3"; 1_000].join("_"));
    refused("hash", "turns.cpn", &cpn, "error");
    let (_folder, path) = file("turns.icn", format!("{} K1,1|k1,9 1,1>1,2\n", order(1_000).join(":")));
    assert_eq!(run(&["hash", "--ply", "all", path.to_str().expect("UTF-8")]).status, Some(0));
}

#[test]
fn a_file_of_no_known_format_is_said_to_be_one() {
    for content in ["[package]\nname = \"x\"\n", "[[bin]]\n", "#!/bin/sh\nexit 0\n", "<svg/>", "a: 1\n"] {
        let (_folder, path) = file("some.txt", content);
        let path = path.to_str().expect("UTF-8");
        let outcome = run(&["canon", path]);
        assert_eq!(outcome.status, Some(1), "{content:?}");
        assert!(outcome.errors.contains("cannot tell the format"), "{content:?}: {}", outcome.errors);
        // Who names the format gets the errors of that format.
        let named = run(&["check", "--from", "pgn", path]);
        assert!(!named.errors.contains("cannot tell the format"), "{content:?}: {}", named.errors);
    }
}

#[test]
fn json_that_has_lost_its_end_is_an_error() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../corpus/json/bugs/array-not-closed.json");
    let outcome = run(&["canon", path]);
    assert_eq!((outcome.status, outcome.results.as_str()), (Some(1), "k1,9|K1,1\nk1,9|K2,2\n"));
    assert!(outcome.errors.contains("array is not closed"), "{}", outcome.errors);
    let game = "{\"startingPosition\":{\"1,1\":\"kingsW\"}}";
    for (content, printed) in [
        ("[".to_owned(), ""),
        (format!("[{game}"), "K1,1\n"),
        (format!("[{game},\n{game},"), "K1,1\nK1,1\n"),
        (format!("[{game},{}", &game[..20]), "K1,1\n"),
    ] {
        let (_folder, path) = file("cut.json", &content);
        let outcome = run(&["canon", path.to_str().expect("UTF-8")]);
        assert_eq!((outcome.status, outcome.results.as_str()), (Some(1), printed), "{content}");
        assert!(outcome.errors.contains("not closed"), "{content}: {}", outcome.errors);
    }
}

#[test]
fn the_limit_on_records_holds_for_every_command() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let long = format!("K1,1|k1,9 1,1>1,2{{{}}}\n\nK2,2|k1,9 2,2>2,3\n", "x".repeat(5_000));
    fs::write(folder.path().join("long.icn"), long).expect("room for it");
    for command in ["canon", "hash", "check", "show", "dedup", "import"] {
        let mut program = Command::new(program());
        let program = program.args([command, "--max-record", "1000", "long.icn"]).current_dir(folder.path());
        let outcome = feed(program, std::iter::empty());
        assert_eq!(outcome.status, Some(1), "{command}: {}", outcome.errors);
        assert!(outcome.errors.contains("longer than 1000 bytes"), "{command}: {}", outcome.errors);
    }
}

/// A pipe gives what it has when it has it, and ends in the middle of a record if its writer does.
#[test]
#[cfg(unix)]
fn a_named_pipe_is_read_to_its_end() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let pipe = folder.path().join("pipe.icn");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    let outcome = std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut writer = fs::OpenOptions::new().write(true).open(&pipe).expect("a reader");
            for n in 0..3_000 {
                writeln!(writer, "K{n},1|k{n},9").expect("a reader");
            }
            writer.write_all(b"K1,1|k1,").expect("a reader");
        });
        run(&["canon", pipe.to_str().expect("UTF-8")])
    });
    assert_eq!(outcome.status, Some(1));
    assert_eq!(outcome.results.lines().count(), 3_000);
    assert!(outcome.errors.contains(":3001:"), "{}", outcome.errors);
}

/// What is read several times, or looked at before it is read, need not be a file.
#[test]
#[cfg(unix)]
fn a_named_pipe_is_read_once_by_commands_that_read_twice() {
    for (command, found) in [
        (["dedup", "--keep", "richest"].as_slice(), "K9,1|k9,9"),
        (&["dedup", "--by", "prefix"], "K9,1|k9,9"),
        (&["import"], "10 new games"),
    ] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let pipe = folder.path().join("pipe.icn");
        assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
        let outcome = std::thread::scope(|scope| {
            scope.spawn(|| {
                let games: String = (0..10).map(|n| format!("K{n},1|k{n},9\n")).collect();
                fs::write(&pipe, games).expect("a reader");
            });
            let mut command = {
                let mut program = Command::new(program());
                program.args(command).arg(&pipe).env("BOARDPRINT_DB", folder.path().join("db"));
                program
            };
            feed(&mut command, std::iter::empty())
        });
        assert_eq!(outcome.status, Some(0), "{command:?}: {}", outcome.errors);
        assert!(outcome.results.contains(found), "{command:?}: {}", outcome.results);
    }
}

/// The input is held open, so that there is something to interrupt.
#[test]
#[cfg(unix)]
fn an_interrupt_leaves_no_half_written_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let entries = || fs::read_dir(folder.path()).expect("a folder").count();
    let mut command = Command::new(program());
    let command = command.args(["dedup", "-", "-o", "out.icn"]).current_dir(folder.path());
    let mut child = command.stdin(std::process::Stdio::piped()).spawn().expect("the program starts");
    // Waiting for the child would close its input, and its end would come before the interrupt.
    let input = child.stdin.take();
    while entries() == 0 {
        std::thread::yield_now();
        assert!(child.try_wait().expect("it can be asked").is_none(), "it waits for input");
    }
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(kill.success());
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    drop(input);
    assert_eq!(entries(), 0);
}

#[test]
fn deep_nesting_is_refused() {
    let deep = |open: &str, close: &str| format!("{}{}", open.repeat(500_000), close.repeat(500_000));
    refused("canon", "rules.icn", &format!("{} K1,1|k1,9", deep("{\"a\":", "}")), "levels of nesting");
    refused("canon", "deep.json", &format!("{{\"gameRules\":{}}}", deep("[", "]")), "more than 128 levels");
    refused("canon", "open.json", &"[".repeat(1_000_000), "error");
    refused("canon", "brackets.icn", &"(".repeat(1_000_000), "error");
    let outcome = run(&["piece", &"(".repeat(100_000)]);
    assert!(matches!(outcome.status, Some(1 | 2)), "{}", outcome.errors);
    let outcome = run(&["piece", &format!("{}[1,0]{}", "(".repeat(1_000), ")".repeat(1_000))]);
    assert!(matches!(outcome.status, Some(1 | 2)), "{}", outcome.errors);
}

#[test]
fn shapes_whose_product_overflows_are_refused() {
    for shape in ["18446744073709551615,2", "4294967296,4294967296", "99999999999999999999999999,3", "1,0"] {
        for command in ["hash", "show"] {
            refused(command, "shape.cpn", &format!("B--{shape}--W:^K--\n"), "error");
        }
    }
    let shape = vec!["2"; 10_000].join(",");
    refused("hash", "dimensions.cpn", &format!("B--{shape}--W:^K--\n"), "error");
}

#[test]
fn a_line_without_end_is_streamed_and_refused() {
    let line = vec![b'7'; 1 << 20];
    for format in ["icn", "json", "cpn", "fen", "sfen", "pgn"] {
        let arguments = ["canon", "--max-record", "1000000", "--from", format, "-"];
        let begin = if format == "json" { b"{\"a\":\"".as_slice() } else { b"" };
        let pieces = once(begin).chain(repeat_n(line.as_slice(), 80));
        let Outcome { errors, status, .. } = feed(&mut within(64, &arguments), pieces);
        assert_eq!(status, Some(1), "{format}: {errors}");
        assert!(errors.contains("longer than 1000000 bytes"), "{format}: {errors}");
    }
}

#[test]
fn a_bomb_is_streamed_and_refused() {
    for (ending, member) in compressed(&vec![b'7'; 1 << 20]) {
        let bomb = member.repeat(80);
        let (_folder, path) = file(&format!("bomb.icn.{ending}"), &bomb);
        assert!(bomb.len() < 4 << 20, "{ending} is small");
        let arguments = ["canon", "--from", "icn", "--max-record", "1000000", path.to_str().expect("UTF-8")];
        let Outcome { errors, status, .. } = feed(&mut within(64, &arguments), std::iter::empty());
        assert_eq!(status, Some(1), "{ending}: {errors}");
        assert!(errors.contains("longer than 1000000 bytes"), "{ending}: {errors}");
    }
}

#[test]
fn a_truncated_file_gives_its_whole_records_and_an_error() {
    let games: String =
        (0..20_000).map(|n| format!("K{n},1|k{},9 {n},1>{n},2\n", n * 7919 % 10_007)).collect();
    for (ending, whole) in compressed(games.as_bytes()) {
        let (_folder, path) = file(&format!("cut.icn.{ending}"), &whole[..whole.len() * 3 / 4]);
        let outcome = run(&["canon", path.to_str().expect("UTF-8")]);
        assert_eq!(outcome.status, Some(1), "{ending}: {}", outcome.errors);
        assert!(outcome.errors.contains("error: "), "{ending}: {}", outcome.errors);
        // Every line is a line of the whole file: nothing is made of half a record.
        let mut wanted = games.lines();
        for line in outcome.results.lines() {
            let (start, _) = line.rsplit_once(' ').expect("a game");
            let king = start.split('|').find(|piece| piece.starts_with('K')).expect("a white king");
            let next = wanted.next().expect("not more than there were");
            assert!(next.starts_with(&format!("{king}|")), "{line} for {next}");
        }
    }
}

#[test]
#[cfg(unix)]
fn folders_that_contain_themselves_end() {
    let (folder, _) = file("a.icn", "K1,1|k1,9\n");
    let below = folder.path().join("b");
    fs::create_dir(&below).expect("a folder");
    std::os::unix::fs::symlink(folder.path(), below.join("up")).expect("a link");
    std::os::unix::fs::symlink(below.join("self"), below.join("self")).expect("a link");
    fs::write(below.join("z.icn"), "K2,2|k1,9\n").expect("room");
    let outcome = run(&["canon", folder.path().to_str().expect("UTF-8")]);
    assert_eq!(outcome.results, "k1,9|K1,1\nk1,9|K2,2\n");
    assert!(outcome.errors.contains("contains itself"), "{}", outcome.errors);
    assert_ne!(outcome.status, Some(0));
}

#[test]
fn odd_bytes_are_read_or_refused() {
    for (content, status, printed) in [
        (b"\xef\xbb\xbfK1,1|k1,9\n".as_slice(), 0, "k1,9|K1,1\n"),
        (b"K1,1|k1,9\r\n", 0, "k1,9|K1,1\n"),
        (b"K1,1|k1\0,9\n", 1, ""),
        (b"K1,1|k1,9 {\xff}\n", 1, ""),
        (b"\xff\xfeK\x001\x00", 1, ""),
        (b"", 1, ""),
    ] {
        let (_folder, path) = file("odd.icn", content);
        let outcome = run(&["canon", "--from", "icn", path.to_str().expect("UTF-8")]);
        assert_eq!((outcome.status, outcome.results.as_str()), (Some(status), printed), "{content:?}");
    }
}

#[test]
fn errors_show_what_cannot_be_seen() {
    let shown = |text: &str| {
        let outcome = run(&["canon", "--from", "icn", "-e", text]);
        assert_eq!(outcome.status, Some(1), "{text:?}");
        let hidden = outcome.errors.chars().find(|c| {
            (c.is_control() && *c != '\n') || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}')
        });
        assert_eq!(hidden, None, "{:?}", outcome.errors);
        outcome.errors
    };
    let errors = shown("K1,1|\u{202e}k1,9");
    assert!(errors.contains("`\\u{202e}`"), "{errors}");
    assert!(errors.contains("K1,1|\\u{202e}k1,9"), "{errors}");
    assert!(shown("K1,1|К2,1").contains("(U+041A)"), "a Cyrillic letter is named");
    assert!(shown("K1,1|\u{9b}2Jk1,9").contains("\\u{9b}2J"));
    assert!(shown("K1,1|\u{1b}[2Jk1,9").contains("[2J"));
    assert!(shown("{a\u{200b}\u{1b}]0;x\u{7}} K1,1|k?").contains("\\u{200b}"));
}

#[test]
#[cfg(unix)]
fn names_of_files_are_shown_escaped() {
    let (_folder, path) = file("a\u{1b}[31m\nb\u{202e}.icn", "K1,1|k1,9\nK1,1|k?\n");
    let outcome = feed(Command::new(program()).arg("hash").arg(&path), std::iter::empty());
    assert_eq!(outcome.results.lines().count(), 1, "{:?}", outcome.results);
    for printed in [&outcome.results, &outcome.errors] {
        assert!(printed.contains("a\\u{1b}[31m\\nb\\u{202e}.icn"), "{printed:?}");
    }
}

#[test]
fn a_game_that_comes_by_few_positions_very_often_is_kept_in_linear_time() {
    let round = "1,1>1,2|9,9>9,8|1,2>1,1|9,8>9,9|".repeat(10_000);
    let (folder, path) = file("long.icn", format!("K1,1|k9,9 {}\n", round.trim_end_matches('|')));
    let (path, db) = (path.to_str().expect("UTF-8"), folder.path().join("db"));
    let db = db.to_str().expect("UTF-8");
    let outcome = run(&["import", "--db", db, path]);
    assert!(outcome.results.starts_with("1 record: 1 new game with 40,001 positions"), "{}", outcome.results);
    assert!(run(&["verify", "--db", db]).results.starts_with("all is well"));
    let found = run(&["lookup", "--db", db, "--moves", "K1,1|k9,9"]);
    assert!(found.results.contains("10,000"), "{}", found.results);
}
