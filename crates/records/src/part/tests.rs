use std::path::Path;

use proptest::prelude::*;
use proptest::sample::select;

use boardprint_games::Format;

use crate::{Input, Reader, ReaderOptions};

/// Offset and text of each record, or why there is none.
type Items = Vec<(Option<u64>, Result<String, String>)>;

fn items(input: Input, format: Format) -> Items {
    let options = ReaderOptions::default().format(format).buffer(64);
    Reader::new([input], options)
        .map(|item| match item {
            Ok(record) => (Some(record.offset), Ok(record.text)),
            Err(error) => (error.offset(), Err(error.kind().to_string())),
        })
        .collect()
}

/// The records of the parts of a file that end at some bytes.
fn in_parts(path: &Path, size: u64, ends: &[u64], format: Format) -> Vec<Items> {
    let mut ends: Vec<u64> = ends.iter().map(|end| end % (size + 1)).chain([size]).collect();
    ends.sort_unstable();
    let mut start = 0;
    let mut parts = Vec::new();
    for end in ends {
        parts.push(items(Input::part(path, start..end), format));
        start = end;
    }
    parts
}

fn assert_shared(text: &str, ends: &[u64], format: Format) -> Result<(), TestCaseError> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games");
    std::fs::write(&path, text).expect("a file");
    let whole = items(Input::path(&path), format);
    let parts = in_parts(&path, text.len() as u64, ends, format);
    prop_assert_eq!(parts.concat(), whole, "{:?} in {:?}", text, ends);
    Ok(())
}

/// What collections are made of, what belongs together in any order: whole records, parts of some, and what
/// goes wrong.
const ICN: [&str; 36] = [
    "[Event \"a\"]",
    "[Event \"b\"] ",
    "[Variant \"Classical\"]",
    "[White: Tom]",
    "[White \"a > b|c\"]",
    "[White \"never closed",
    "[%clk 0:01]",
    "w",
    "b 3/100 7 ",
    "(8|1)",
    "(8|",
    "koth",
    "K1,1|k1,9",
    "K2,2|k2,9|",
    "3Q5,5",
    "K1,1|k1,9 1,1>1,2",
    "w (8|1) K3,3|k3,9 3,3>3,4|3,9>3,8 1-0",
    "b K4,4|k4,9",
    "[Event \"c\"] [Site \"d\"] w 0/100 K5,5|k5,9 5,5>5,6{[%clk 0:09:56.7]}|5,9>5,8{[%clk 0:09]}",
    "1. K1,1 > 1,2",
    "2. k1,9 > 1,8 {fine}",
    "1,2>1,3|1,8>",
    "1,7 =Q +",
    "1-0",
    "*",
    "{a comment}",
    "{a comment of\n\n1,1>1,2\n[Event \"in it\"]\nK6,6|k6,9\nK7,7|k7,9 1,1>1,2\nw K8,8|k8,9\n}",
    "{never closed",
    "}",
    "{\"slideLimit\": 7}",
    "{\"a\": [1, {\"b\": \"x>y|z\"}",
    "\"}]",
    "Squares:1,1|2,2",
    "Rays:1,1>1,0|",
    "maybe 1,1>1,2",
    "é",
];

const PGN: [&str; 18] = [
    "[Event \"a\"]",
    "[Event \"b\"]\n[White \"c\"]",
    "[White \"d\"]",
    "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"] 1. e4",
    "1. e4 e5 2. Nf3 *",
    "1. d4 {a comment} d5 1-0",
    "2. c4 {a comment of\n\n[Event \"in it\"]\nlines}",
    "{never closed",
    "}",
    "1/2-1/2",
    "*",
    "% escaped [Event \"x\"]",
    "; [Event \"x\"] {",
    "1. e4 ; {",
    "(1. e4",
    "[Event \"e\"] {x}",
    "[%clk 0:01]",
    "  [Event \"f\"]",
];

const JSON: [&str; 10] = [
    "{\"a\": 1}",
    "{\"a\": {\"b\": \"}\\\"\"}}",
    "{\"a\": [\n{\"b\": 1}\n,\n{\"c\": 2}\n]}",
    "{\n}",
    "{\"never\": closed",
    "{\"lost\": \"quote}",
    "}",
    "7",
    ",",
    "{} {}",
];

const CSA: [&str; 10] =
    ["V2.2", "'CSA encoding=UTF-8", "'comment", "N+A", "PI", "+", "+7776FU", "%TORYO", "/", "V3.0"];

/// Lines of a format in random order, with blank ones between some.
fn lines(of: &'static [&'static str]) -> impl Strategy<Value = String> {
    let gap = select(&["\n", "\n", "\n", "\n\n", "\r\n", " ", "\n \n", ""][..]);
    let line = (select(of), gap).prop_map(|(line, gap)| format!("{line}{gap}"));
    prop::collection::vec(line, 0..24).prop_map(|lines| lines.concat())
}

fn ends() -> impl Strategy<Value = Vec<u64>> {
    prop::collection::vec(any::<u64>(), 0..8)
}

#[test]
fn what_was_shared_wrongly_once() {
    for (format, text) in [
        (Format::Pgn, "{never closed\n; [Event \"x\"] {\n\n[Event \"e\"] {x} [Event \"a\"]\n"),
        (Format::Pgn, "{never closed\n[Event \"a\"]\n\n[Event \"a\"] "),
        (Format::Pgn, "% escaped\n\n[Event \"a\"]\n"),
        (Format::Icn, "1,1>1,2\n{never closed\n2. k1,9 > 1,8 {fine} w\n[Event \"a\"]\n"),
        (Format::Icn, "1,1>1,2\n{1,1>1,2} w\n[Event \"a\"]\n"),
        (Format::Icn, "1,1>1,2 {open\nK5,5|k6,6\n\n[Event \"x\"]\n}"),
        (Format::Json, "[{\"never\": closed\n]"),
        (Format::Json, "[{}\n{}\n]"),
        (Format::Csa, "'comment\n\nV2.2\n+\n"),
    ] {
        for end in 0..text.len() as u64 {
            assert_shared(text, &[end], format).unwrap();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn parts_of_icn_give_the_records_of_the_whole(text in lines(&ICN), ends in ends()) {
        assert_shared(&text, &ends, Format::Icn)?;
    }

    #[test]
    fn parts_of_pgn_give_the_records_of_the_whole(text in lines(&PGN), ends in ends()) {
        assert_shared(&text, &ends, Format::Pgn)?;
    }

    #[test]
    fn parts_of_json_give_the_records_of_the_whole(text in lines(&JSON), ends in ends()) {
        assert_shared(&text, &ends, Format::Json)?;
        assert_shared(&format!("[{text}]"), &ends, Format::Json)?;
    }

    #[test]
    fn parts_of_csa_give_the_records_of_the_whole(text in lines(&CSA), ends in ends()) {
        assert_shared(&text, &ends, Format::Csa)?;
    }

    #[test]
    fn parts_of_lists_give_the_records_of_the_whole(
        text in lines(&["8/8/8/8/8/8/8/8 w - - 0 1", "# nothing", "", "x"]), ends in ends()
    ) {
        for format in [Format::Fen, Format::Usi] {
            assert_shared(&text, &ends, format)?;
        }
    }
}

#[test]
fn every_part_has_its_share() {
    let tagged =
        "[Event \"x\"]\n[Variant \"CoaIP\"]\n\nw K1,1|k1,9\n\n1. K1,1 > 1,2 {fine} | 1,9>1,8\n2. 1,2>1,3\n\n";
    for (format, record) in [
        (Format::Icn, "K1,1|k1,9 1,1>1,2|1,9>1,8\n"),
        (Format::Icn, "b 0/100 (8|1) K1,1|k1,9\n\n"),
        (Format::Icn, tagged),
        (Format::Icn, "[Event \"x\"] w K1,1|k1,9 1,1>1,2{[%clk 0:09:56.7]}|1,9>1,8{[%clk 0:09:56.7]}\n"),
        (Format::Pgn, "[Event \"x\"]\n[White \"y\"]\n\n1. e4 {well} e5 *\n\n"),
        (Format::Json, "{\"a\": {\"b\": 1}}\n"),
        (Format::Uci, "e2e4 e7e5\n"),
    ] {
        let text = record.repeat(800);
        let (size, folder) = (text.len() as u64, tempfile::tempdir().expect("a folder"));
        let path = folder.path().join("games");
        std::fs::write(&path, text).expect("a file");
        let ends: Vec<u64> = (1..8).map(|part| size * part / 8).collect();
        for part in in_parts(&path, size, &ends, format) {
            assert!((99..=101).contains(&part.len()), "{} of {record}", part.len());
        }
    }
}
