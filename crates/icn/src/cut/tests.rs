use std::ops::Range;

use proptest::prelude::*;

use super::*;

/// What a cutter makes of a text that arrives in pieces: records and what is skipped, with their places.
fn items(mut cutter: Cutter, text: &[u8], buffer: usize) -> Vec<(bool, Range<usize>)> {
    let mut items = Vec::new();
    let (mut start, mut end) = (0, 0);
    loop {
        let step = cutter.step(&text[start..end], end == text.len());
        let (is_record, length) = match step {
            Step::More if end == text.len() => break,
            Step::More => {
                end = text.len().min(end + buffer);
                continue;
            }
            Step::Record(length) => (true, length),
            Step::Skip(length) => (false, length),
            Step::Bad(..) => panic!("ICN has no bad records"),
        };
        items.push((is_record, start..start + length));
        start += length;
    }
    items.push((true, start..text.len()));
    items.retain(|(_, range)| !text[range.clone()].trim_ascii().is_empty());
    items
}

/// The records of a text, which must not depend on how it arrives.
fn cut(text: &str) -> Vec<&str> {
    let whole = items(Cutter::default(), text.as_bytes(), text.len().max(1));
    for buffer in [1, 2, 3, 7, 64] {
        assert_eq!(items(Cutter::default(), text.as_bytes(), buffer), whole, "buffer of {buffer}");
    }
    whole
        .into_iter()
        .map(|(_, range)| text[range].trim_matches(['\u{feff}', ' ', '\n', '\r', '\t']))
        .collect()
}

const LONG: &str = "[Variant: Classical]\n[White: Tom]\n[Result: 0-1]\n\nw 0/100 1 (8;Q,R|1;q,r) checkmate \
    {\"slideLimit\": 100, \"s\": \"}\"} P4,2+|p4,7+|K5,1|k5,8\n\n1. P4,2 > 4,4  | p4,7 > 4,6\n2. P4,4 x\n4,5 {a [b] \
    c\n[d]} | k5,8 > 5,7 =Q +\n12 ... k5,7 > 5,6 !?";

#[test]
fn one_game_may_take_many_lines() {
    assert_eq!(cut(LONG), [LONG]);
}

#[test]
fn games_end_at_tags_behind_moves() {
    let text = format!("{LONG}\n{LONG} {LONG}\n\n\n");
    assert_eq!(cut(&text), [LONG, LONG, LONG]);
}

#[test]
fn every_line_can_be_a_record() {
    let lines = [
        "K1,1|k1,9",
        "w K1,1|k1,9",
        "N-100,-100",
        "b 4,3 0/100 K1,1|k1,9",
        "K1,1|k1,9 1,1>1,2",
        "4,3 K1,1|k1,9 1,1>1,2|1,9>1,8",
        "w:b:r K1,1|k1,9|3Q5,5",
        "3Q1,1|K1,1 1. 1,1>1,2 {x [Event \"no\"]} 1-0",
        "{\"slideLimit\": 7} K1,1|k1,9 1,1>1,2 *",
        "{\"slideLimit\": 7} K1,1|k1,9",
        "(8|1) K1,1|k1,9 P1,7 > 1,8 =Q",
        "(checkmate|royalcapture) K1,1|k1,9",
        "checkmate,koth K1,1|k1,9 1,1>1,2",
        "5 K1,1|k1,9 1,1>1,2",
        "_,5,_,5 K1,1|k1,9 1e21,1>1,2",
        "1e21,3 K1,1|k1,9 1,1>1,2",
        "Squares:1,1|2,2 Rays:1,1>1,0|3,3>1,1 K1,1|k1,9",
        "[Event \"a ] b\"][Site: x] K1,1|k1,9",
        "[Event \"a\"] [Variant \"Chess\"] 1. P5,2 > 5,4 | p5,7 > 5,5",
        "K1,1|k1,9 {a comment} 1-0",
        "0/100 K1,1|k1,9",
        "1,_,0,9 K1,1|k1,9",
        "-1,_,_,1e3 K1,1|k1,9 1,1>1,2",
        "1,2,_,_ K1,1|k1,9",
        "zz K1,1|k1,9",
        "x K1,1|k1,9 1,1>1,2",
        "e,f K1,1|k1,9",
        "e,f {\"a\":1} K1,1",
        "q (8|1) K1,1|k1,9 1,1>1,2",
        "(e|zz) K1,1|k1,9",
    ];
    for first in lines {
        for second in lines {
            assert_eq!(cut(&format!("{first}\n{second}\n")), [first, second]);
            assert_eq!(cut(&format!("\r\n{first}\r\n\r\n{second}")), [first, second]);
        }
    }
}

#[test]
fn fields_on_lines_of_their_own_belong_to_the_position_above() {
    for text in [
        "w\nK5,1+|k5,8+",
        "K1,1|k1,9\nb",
        "K1,1|k1,9\nb\n0/100\n\n1,9>1,8",
        "K1,1 |\n k1,9\n| Q2,2|",
        "(8 |\n1) K1,1|k1,9",
        "{\n\t\"a\": [1, {\"b\": 2}]\n}\nK1,1|k1,9\n\n5,1>5,2",
        "[Event \"a\"]\n\n[Site \"b\"]\n\n{hello}\n\nK1,1|k1,9",
        "Rays:1,1>1,0|2,2>1,1\nK1,1|k1,9",
        "K1,1|k1,9 1,1>1,2 1,9>\n1,8 2.\n1,2>\n1,3 Q\n\n* {unfinished}",
    ] {
        assert_eq!(cut(text), [text]);
    }
    assert_eq!(cut("K1,1|k1,9\nb\nK2,2|k2,9"), ["K1,1|k1,9\nb", "K2,2|k2,9"]);
    assert_eq!(cut("K1,1|k1,9\n\nb\n0/5\nK2,2|k2,9"), ["K1,1|k1,9", "b\n0/5\nK2,2|k2,9"]);
    assert_eq!(cut("K1,1|k1,9\nb\n0/5 K2,2|k2,9"), ["K1,1|k1,9\nb", "0/5 K2,2|k2,9"]);
}

#[test]
fn a_game_in_json_is_a_record_of_its_own() {
    let json = "{\"startingPosition\":{\"1,1\":\"kingsW\"},\"moves\":[]}";
    let icn = "K1,1|k9,9 1,1>1,2";
    for gap in ["\n", "\n\n"] {
        assert_eq!(cut(&[json, icn, json, json, icn].join(gap)), [json, icn, json, json, icn]);
    }
}

#[test]
fn a_promotion_on_the_next_line_belongs_to_its_move() {
    for text in [
        "P1,7|k1,9 1,7>1,8\nq P2,7 > 2,8",
        "P1,7|k1,9 1,7>1,8\nq {wow} 2. 1,9>2,9",
        "P1,7|k1,9 1,7>1,8\nq\n1,9>2,9",
        "P1,7|k1,9 1,7\nx 2,8",
        "P1,7|k1,9 P1,7\nx 2,8 q",
    ] {
        assert_eq!(cut(text), [text]);
    }
}

#[test]
fn a_byte_order_mark_belongs_to_the_record_after_it() {
    let marked = "\u{feff}";
    for (first, second) in [
        ("K1,1|k1,9", "K2,2|k2,9"),
        ("K1,1|k1,9 1,1>1,2", "w 0/100 K2,2|k2,9"),
        ("K1,1|k1,9 1,1>1,2", "[Event \"x\"] K2,2|k2,9"),
        ("K1,1|k1,9", "\n0/5\nK2,2|k2,9"),
        ("[Event \"x\"]", "\n[Event \"x\"] K2,2|k2,9"),
    ] {
        for gap in ["\n", "\n\n"] {
            let text = format!("{first}{gap}{marked}{second}\n");
            for buffer in [1, 2, 3, 7, 64] {
                let items = items(Cutter::default(), text.as_bytes(), buffer);
                let records: Vec<&str> = items.into_iter().map(|(_, range)| &text[range]).collect();
                assert_eq!(records.concat(), text);
                assert_eq!(records.len(), 2, "{records:?}");
                assert!(records[1].starts_with(marked), "{records:?}");
            }
        }
    }
}

#[test]
fn tags_without_a_position_are_cut_where_names_repeat() {
    let text =
        "[Event \"a\"]\n[Variant \"Chess\"]\n\n[Event \"b\"]\n[Variant \"Core\"]\nw\n[Variant \"CoaIP\"]";
    let records =
        ["[Event \"a\"]\n[Variant \"Chess\"]", "[Event \"b\"]\n[Variant \"Core\"]\nw", "[Variant \"CoaIP\"]"];
    assert_eq!(cut(text), records);
}

#[test]
fn broken_records_leave_the_next_one_alone() {
    let good = "[Event \"good\"]\nK1,1|k1,9 1,1>1,2 {fine}";
    for bad in [
        "K1,1|k1,9 1,1>1,2 {never closed\n",
        "[Event \"never closed K1,1|k1,9 1,1>1,2",
        "{\"a\": [1 K1,1|k1,9",
        "{\"a\": \"b K1,1|k1,9",
        "(8|1 K1,1|k1,9",
        "K1,1|k1,9 what ever",
        "K1,1|k1,9 1,1>1,2 ))} ]",
    ] {
        let text = format!("{bad}\n\n{good}\n");
        let records = cut(&text);
        assert_eq!(records.len(), 2, "{records:?}");
        assert_eq!(records[1], good);
    }
    let last = "K1,1|k1,9 1,1>1,2 {never closed\nK2,2|k2,9";
    assert_eq!(cut(last), ["K1,1|k1,9 1,1>1,2 {never closed", "K2,2|k2,9"]);
}

#[test]
fn a_position_of_two_hundred_thousand_pieces_is_one_record() {
    let pieces: Vec<String> = (0..200_000).map(|n| format!("P{n},{}", n * 7)).collect();
    let text = format!("w {}\nK1,1|k1,9\n", pieces.join("|"));
    let records = items(Cutter::default(), text.as_bytes(), 1000);
    assert_eq!(records.len(), 2);
    assert_eq!(records[0].1.len(), text.len() - "K1,1|k1,9\n".len());
}

#[test]
fn a_number_without_its_dot_goes_on_with_a_game() {
    let game = "K1,1|k1,9\n1 1,1>1,2 k1,9 > 1,8\n2 K1,2 > 1,3 {hm} !\n3 1,8x1,7\n4 1e3,7 x\n5,5";
    assert_eq!(
        cut(&format!("{game}\n5 K1,1|k1,9\n7 4,3 K2,2|k9,9 1,1>1,2")),
        [game, "5 K1,1|k1,9", "7 4,3 K2,2|k9,9 1,1>1,2",]
    );
}

/// Nothing of a record is needed before the place that the cutter names.
#[test]
fn what_is_passed_can_be_forgotten() {
    let moves = "1,1>1,2|1,9>1,8 {hm} ".repeat(50);
    let text = format!("[Event \"x\"] {{\"a\": 1}} K1,1|k1,9 {moves}\n\nw K2,2|k2,9\n");
    let boundary = text.find("w K2,2").unwrap();
    for buffer in [1, 5, 33] {
        let (mut cutter, mut start, mut end) = (Cutter::default(), 0, 0);
        loop {
            match cutter.step(&text.as_bytes()[start..end], end == text.len()) {
                Step::More => end = text.len().min(end + buffer),
                step => {
                    assert_eq!(step, Step::Record(boundary - start));
                    break;
                }
            }
            let passed = cutter.position().min(end - start);
            cutter.forget(passed);
            start += passed;
        }
        assert!(start > boundary - 100, "{start} of {boundary}");
    }
}

#[test]
fn a_line_that_certainly_begins_a_record_ends_everything() {
    for open in [
        "{open",
        "{\"a\": [1,",
        "(8|",
        "Rays:1,1|",
        "K1,1|k1,9 {\"a\": {",
        "1,1>1,2 {x\n",
        "Rays:1,1| {x",
        "[Event \"x\"] {",
    ] {
        for (above, line) in [
            ("K3,3|k3,9", "K4,4|k4,9"),
            ("K3,3|k3,9 1,1>1,2", "w K4,4|k4,9 4,4>4,5"),
            ("1. 1,1>1,2", "[Event \"y\"]"),
        ] {
            for close in ["", "}", ")", "}}]}"] {
                let text = format!("{open}\n{above}\n{line} {close}\nK1,1|k1,9\n");
                let begin = text.find(line).unwrap();
                let starts = items(Cutter::default(), text.as_bytes(), 3);
                assert!(starts.iter().any(|(_, range)| range.start == begin), "{text}: {starts:?}");
                cut(&text);
            }
        }
    }
}

#[test]
fn hostile_repetition_takes_linear_work() {
    // Each would take hours if a byte were looked at once for every other.
    for hostile in [
        "|", "1\u{a0}", "1 ", "x ", ":", "{", "{\"a\":[", "[A \"", "(8|", "1,1 ", "1,1>", "=", "\n|",
        "3 1,1\n", "K", "zz ", "zz\n", "\u{feff}", "\n1,_",
    ] {
        for start in ["", "K1,1|k1,9 ", "K1,1|k1,9 1,1>1,2 ", "K1,1|"] {
            let text = format!("{start}{}", hostile.repeat(200_000));
            drop(items(Cutter::default(), text.as_bytes(), 4096));
        }
    }
}

proptest! {
    #[test]
    fn records_come_back(
        games in prop::collection::vec((tags(), "(w|b|0/100|\\(8\\|1\\)|koth)?", pieces(), moves()), 1..6), gap in "\n{1,3}"
    ) {
        let games: Vec<String> = games.into_iter().map(|(t, f, p, m)| format!("{t} {f} {p}{m}").trim().to_owned()).collect();
        let text = games.join(&gap);
        prop_assert_eq!(cut(&text), games);
    }

    #[test]
    fn every_byte_is_in_one_record_or_blank(text in "[\\[\\]{}()|KQk1,>x \n\"a:b.*/-]{0,80}") {
        let records = cut(&text);
        let solid = |text: &str| text.split_whitespace().collect::<String>();
        prop_assert_eq!(solid(&records.concat()), solid(&text));
    }
}

fn tags() -> impl Strategy<Value = String> {
    prop::collection::vec(
        "\\[[A-D][a-z]{1,4} \"[ a-z\\[\\]{}|,0-9>]{0,9}\"\\]|\\[[A-D][a-z]{1,4}: [a-z{}|,0-9>]{0,9}\\]",
        0..3,
    )
    .prop_map(|tags| tags.join("\n"))
}

fn pieces() -> impl Strategy<Value = String> {
    prop::collection::vec("[KQPRkqpr]-?[1-9],[1-9]\\+?", 1..4).prop_map(|pieces| pieces.join("|"))
}

fn moves() -> impl Strategy<Value = String> {
    let one = "([1-9]\\. )?[KQ]?-?[1-9],[1-9]( ?[>x] ?)[1-9],[1-9]( ?=Q)?( ?[+#!?]{1,2})?( ?\\{[ a-z\\[|,>\n]{0,9}\\})?";
    let list = prop::collection::vec((one, "\\||\n| \\| |\n\n"), 0..4);
    list.prop_map(|moves| {
        let moves: String = moves.into_iter().map(|(m, gap)| gap + &m).collect();
        if moves.is_empty() { moves } else { format!("\n{}", moves.trim_start_matches(['|', ' ', '\n'])) }
    })
}
