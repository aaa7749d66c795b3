//! The vectors, and what they leave open.

use std::fs;

use boardprint_base::Coord;
use proptest::prelude::*;
use serde_json::Value;

use crate::{Actor, Cpn, CpnErrorKind, Field, Options, Revision, Side};

fn vectors() -> Vec<Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/cpn/cpn.jsonl");
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn revision_of(row: &Value) -> Revision {
    Revision::from_year(row["rev"].as_str().unwrap().parse().unwrap()).unwrap()
}

fn texts(values: &Value) -> Vec<&str> {
    values.as_array().unwrap().iter().map(|value| value.as_str().unwrap()).collect()
}

#[test]
fn valid_vectors_are_read_with_their_fields_and_hash() {
    let mut count = 0;
    for row in vectors().iter().filter(|row| row["valid"] == true) {
        let text = row["cpn"].as_str().unwrap();
        let cpn: Cpn = text.parse().unwrap_or_else(|error| panic!("{}: {error}", row["name"]));
        assert_eq!(cpn.to_string(), text);
        assert_eq!(cpn.side().to_string(), row["side"], "{text}");
        let shape: Vec<String> = cpn.shape().iter().map(Coord::to_string).collect();
        // The largest size is beyond what a JSON reader keeps exactly.
        if row["name"] == "zero-dim-huge" {
            assert_eq!(shape, ["1000000000000000000000000000000", "0"]);
        } else {
            let wanted: Vec<String> = row["shape"].as_array().unwrap().iter().map(Value::to_string).collect();
            assert_eq!(shape, wanted, "{text}");
        }
        assert_eq!(cpn.len() as u64, row["cells"].as_u64().unwrap(), "{text}");
        assert_eq!(cpn.cells().count(), cpn.len(), "{text}");
        let occupied = cpn.cells().filter(|cell| !cell.is_empty()).count();
        assert_eq!(occupied as u64, row["occupied"].as_u64().unwrap(), "{text}");
        assert_eq!(cpn.hand().collect::<Vec<_>>(), texts(&row["hand"]), "{text}");
        assert_eq!(cpn.cph().to_string(), row["cph"], "{text}");
        if let Some(revision) = cpn.revision() {
            assert_eq!(revision, revision_of(row), "{text}");
        }
        count += 1;
    }
    assert_eq!(count, vectors().iter().filter(|row| row["cph"].is_string()).count());
}

#[test]
fn invalid_vectors_are_refused_in_their_revision() {
    for row in vectors().iter().filter(|row| row["valid"] == false) {
        let text = row["cpn"].as_str().unwrap();
        let error = Options::default().revision(revision_of(row)).read(text).expect_err(text);
        assert!(
            error.span().start <= error.span().end && error.span().end <= text.len(),
            "{text}: {error:?}"
        );
        // A prefix of one revision alone is not a mixture: only a reader of another revision refuses it.
        let foreign = ["actor-underscore-king-2015", "actor-dash-king-2015", "actor-caret-king-2019"];
        assert_eq!(text.parse::<Cpn>().is_ok(), foreign.contains(&row["name"].as_str().unwrap()), "{text}");
    }
}

#[test]
fn free_names_are_those_of_cpn_rb() {
    let free = Options::default().free_names(true);
    for row in vectors().iter().filter(|row| row["name"].as_str().unwrap().starts_with("rb-foo")) {
        let text = row["cpn"].as_str().unwrap();
        assert_eq!(free.read(text).unwrap().to_string(), text);
    }
    for row in vectors().iter().filter(|row| row["valid"] == true) {
        let text = row["cpn"].as_str().unwrap();
        assert_eq!(free.read(text).unwrap(), text.parse().unwrap());
    }
    for text in [
        "B--2---k,w:-k---k",
        "B--1--k---",
        "B--1--a b--",
        "B--1--♔--",
        "B--1--x----",
        "B--1----b,a",
        "B--1----,a",
    ] {
        assert!(free.read(text).is_err(), "{text}");
    }
}

#[test]
fn errors_name_field_cell_and_bytes() {
    let place = |text: &str| {
        let error = text.parse::<Cpn>().unwrap_err();
        (error.field(), error.cell(), error.span().start, error.span().end)
    };
    assert_eq!(place("b--1----"), (Field::Side, None, 0, 1));
    assert_eq!(place("Bt--1----"), (Field::Side, None, 1, 2));
    assert_eq!(place("B--8,08----"), (Field::Shape, None, 5, 7));
    assert_eq!(place("B--2--W:^K,w:-k--"), (Field::Board, Some(2), 11, 15));
    assert_eq!(place("B--2--,w:^k♔--"), (Field::Board, Some(2), 11, 14));
    assert_eq!(place("B--3--,--"), (Field::Board, None, 6, 7));
    assert_eq!(place("B--1----S:R,S:B"), (Field::Hand, Some(2), 12, 15));
    assert_eq!(place("B--1----S:R,"), (Field::Hand, Some(2), 12, 12));
    assert_eq!(place("B--1--"), (Field::Board, Some(1), 6, 6));
}

#[test]
fn a_wrong_number_of_cells_is_told_with_both_numbers() {
    let error = "B--8,8--,,--".parse::<Cpn>().unwrap_err();
    assert_eq!(*error.kind(), CpnErrorKind::CellCount { found: 3, wanted: Some(64) });
    assert_eq!(error.to_string(), "board: found 3 cells, the shape has 64");
    assert_eq!(error.hint().unwrap(), "write 63 commas, empty cells included");
    let error = "B--4294967296,4294967296----".parse::<Cpn>().unwrap_err();
    assert_eq!(*error.kind(), CpnErrorKind::CellCount { found: 1, wanted: None });
}

#[test]
fn another_revision_sorts_the_hand_anew() {
    let text = "B--2--W:^K,w:^k--S:+R,S:B,S:R,S:^K,s:+r,s:^k,s:r";
    let cpn: Cpn = text.parse().unwrap();
    let newer = cpn.in_revision(Revision::Y2019);
    assert_eq!(newer.to_string(), "B--2--W:-K,w:-k--S:+R,S:-K,S:B,S:R,s:+r,s:-k,s:r");
    assert_ne!(newer.cph(), cpn.cph());
    assert_eq!(newer.in_revision(Revision::Y2015), cpn);
}

#[test]
fn a_lenient_reader_sorts_the_hand_and_says_where() {
    let lenient = Options::default().lenient(true);
    let (cpn, warnings) = lenient.read_with_warnings("B--1----S:R,s:p,S:B,S:B").unwrap();
    assert_eq!(cpn, "B--1----S:B,S:B,S:R,s:p".parse().unwrap());
    let [warning] = warnings[..] else { panic!("{warnings:?}") };
    assert_eq!(
        (warning.kind().name(), warning.span()),
        ("unsorted-hand", boardprint_base::Span::new(16, 19))
    );
    // What is in order stays as it is, and all other rules stay rules.
    assert_eq!(lenient.read_with_warnings("B--1----S:B,s:p").unwrap().1, []);
    for text in ["B--1----S:R,,S:B", "B--2----S:R,S:B", "B--1--w:^k--s:-k,S:B", "B--01----"] {
        assert!(lenient.read(text).is_err(), "{text}");
    }
    let strict = "B--1----S:R,S:B".parse::<Cpn>().unwrap_err();
    assert_eq!(*strict.kind(), CpnErrorKind::Broken(crate::CpnRule::UnsortedHand));
}

#[test]
fn parts_are_checked() {
    let new = |shape: &[usize], cells: &[&str], hand: &[&str]| {
        Cpn::new(Side::Bottom, shape, cells.iter().copied(), hand.iter().copied()).map(|cpn| cpn.to_string())
    };
    assert_eq!(new(&[], &[], &[]).unwrap(), "B------");
    assert_eq!(new(&[1], &[""], &["s:p", "S:P"]).unwrap(), "B--1----S:P,s:p");
    assert!(new(&[2], &["w:r,w:r"], &[]).is_err());
    assert!(new(&[1], &[""], &["s:p--"]).is_err());
    assert!(new(&[1], &["w:r", "w:r"], &[]).is_err());
}

#[test]
fn json_holds_the_text() {
    let cpn: Cpn = "B--1--W:^K--".parse().unwrap();
    let json = serde_json::to_string(&(&cpn, cpn.cph())).unwrap();
    assert_eq!(json, r#"["B--1--W:^K--","90d90cde4696faac7208010d51450d9c95db133a"]"#);
    assert_eq!(serde_json::from_str::<(Cpn, crate::Cph)>(&json).unwrap(), (cpn.clone(), cpn.cph()));
    assert!(serde_json::from_str::<Cpn>("\"B\"").is_err());
}

#[test]
fn a_million_cells_are_read() {
    let cells = 1_000_000;
    let text = format!("t--100,100,100--{}--", "w:r,".repeat(cells - 1));
    let cpn: Cpn = text.parse().unwrap();
    assert_eq!(cpn.cells().filter(|cell| cell.is_empty()).count(), 1);
    assert_eq!(cpn.len(), cells);
}

fn actor() -> impl Strategy<Value = String> {
    let name = "[a-z][a-z0-9_]{0,3}";
    (name, "\\+?\\^?", name, any::<bool>()).prop_map(|(game, prefix, name, bottom)| {
        let text = format!("{game}:{prefix}{name}");
        if bottom { text.to_ascii_uppercase() } else { text }
    })
}

proptest! {
    #[test]
    fn parts_come_back(
        cells in prop::collection::vec(prop_oneof![Just(String::new()), actor()], 1..20),
        hand in prop::collection::vec(actor(), 0..6), top in any::<bool>(),
    ) {
        let side = if top { Side::Top } else { Side::Bottom };
        let shape = [cells.len(), 1];
        let cpn = Cpn::new(side, &shape, cells.iter().map(String::as_str), hand.iter().map(String::as_str)).unwrap();
        prop_assert!(cpn.cells().eq(cells.iter().map(String::as_str)));
        let mut sorted = hand;
        sorted.sort();
        prop_assert!(cpn.hand().eq(sorted.iter().map(String::as_str)));
        prop_assert_eq!(&cpn.to_string().parse::<Cpn>().unwrap(), &cpn);
        for revision in Revision::ALL {
            let other = cpn.in_revision(revision);
            prop_assert_eq!(&other.to_string().parse::<Cpn>().unwrap(), &other);
            prop_assert_eq!(&other.in_revision(Revision::Y2015), &cpn);
        }
    }

    #[test]
    fn an_actor_is_its_parts(text in actor()) {
        let actor = Actor::parse(&text).unwrap();
        let mut again = String::new();
        actor.write_to(Revision::Y2015, &mut again);
        prop_assert_eq!(again, text);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[Bt]?(--|-)?[0-3,]{0,3}--[wW:^_+k,♔-]{0,9}--[sS:p,-]{0,9}", free in any::<bool>()) {
        match Options::default().free_names(free).read(&text) {
            Ok(cpn) => prop_assert_eq!(cpn.to_string(), text),
            Err(error) => prop_assert!(text.get(error.span().start..error.span().end).is_some()),
        }
    }
}
