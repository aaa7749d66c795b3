//! Every prefix of a text and every change of one character gives a result or an error within the text, never
//! a panic.

use boardprint_base::Span;
use boardprint_icn::{Style, canonical, parse};
use boardprint_tests::{corpus, rows};
use serde::Deserialize;

#[derive(Deserialize)]
struct Row {
    icn: String,
    verdict: String,
}

/// Some texts of the vectors, the small games, and the longest text that is still short.
fn texts() -> Vec<String> {
    let rows: Vec<Row> = rows("icn/icn.jsonl");
    let readable = rows.into_iter().filter(|row| row.verdict != "error" && row.icn.len() < 500);
    let mut texts: Vec<String> = readable.map(|row| row.icn).collect();
    texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
    texts.truncate(18);
    for file in [
        "games/four-players.icn",
        "icn/valid/every-kind.icn",
        "icn/valid/moves-of-people.icn",
        "icn/valid/rules-have-one-spelling.icn",
    ] {
        texts.push(std::fs::read_to_string(corpus(file)).expect("a text of the corpus"));
    }
    texts
}

fn assert_within(text: &str, span: Span) {
    assert!(text.get(span.start..span.end).is_some(), "{span:?} of {text:?}");
}

/// Reads a text; what can be read can be written in every style, and read again.
fn survive(text: &str) {
    match parse(text) {
        Err(error) => {
            assert_within(text, error.span());
            assert!(!error.to_string().is_empty());
        }
        Ok(reading) => {
            reading.warnings.iter().for_each(|warning| assert_within(text, warning.span()));
            let wanted = canonical(&reading.game);
            for style in Style::ALL {
                let back = parse(&style.write(&reading.game));
                let back = back.unwrap_or_else(|e| panic!("{e}: {text:?} as {}", style.write(&reading.game)));
                assert_eq!(canonical(&back.game), wanted, "{text:?}");
            }
        }
    }
}

#[test]
fn every_prefix_gives_an_answer() {
    for text in texts() {
        for (end, _) in text.char_indices() {
            survive(&text[..end]);
            survive(&text[end..]);
        }
    }
}

#[test]
fn every_change_of_one_character_gives_an_answer() {
    const OTHERS: [&str; 26] = [
        "", "|", ",", "\"", "{", "}", "[", "]", "(", ")", "é", "\u{a0}", "0", "9", "e", "-", "+", "x", ">",
        ".", "…", ":", "=", "_", "😀", "\0",
    ];
    for (number, text) in texts().into_iter().enumerate() {
        for (place, (at, old)) in text.char_indices().enumerate() {
            // Three of them at each place; over all places and texts, each at every kind of place.
            for step in 0..3 {
                let new = OTHERS[(place + number + step * 9) % OTHERS.len()];
                let mut changed = text.clone();
                changed.replace_range(at..at + old.len_utf8(), new);
                survive(&changed);
            }
        }
    }
}
