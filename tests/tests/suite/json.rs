//! The example of the JSON long form's own page, both ways.

use std::fs;

use boardprint_icn::json::{MoveForm, write};
use boardprint_icn::{ReadOptions, Warning, WarningKind, canonical};
use boardprint_tests::corpus;
use serde_json::Value;

fn text(file: &str) -> String {
    fs::read_to_string(corpus(file)).expect("the corpus is there")
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("it is JSON")
}

#[test]
fn the_example_comes_back_as_it_is_but_for_its_slip() {
    let text = text("json/usage.json");
    let reading = ReadOptions::default().parse_json(&text).unwrap();
    let kinds: Vec<_> = reading.warnings.iter().map(Warning::kind).collect();
    assert_eq!(kinds, [WarningKind::TrailingComma]);
    let expected = json(&text.replace("2,-2,\"", "2,-2\""));
    assert_eq!(json(&write(&reading.game, MoveForm::Strings).unwrap()), expected);
}

#[test]
fn the_older_moves_are_those_of_the_example() {
    let (game, moves) = (text("json/usage.json"), text("json/usage-legacy-moves.json"));
    let mut whole = json(&game);
    whole["moves"] = json(&moves)["moves"].take();
    let options = ReadOptions::default();
    let older = options.parse_json(&whole.to_string()).unwrap();
    assert_eq!(older.warnings, []);
    assert_eq!(canonical(&older.game), canonical(&options.parse_json(&game).unwrap().game));
    assert_eq!(json(&write(&older.game, MoveForm::Objects).unwrap()), whole);
}

/// The content of the first fence of a language in a page of `docs/`.
fn fence(page: &str, language: &str) -> String {
    let text = fs::read_to_string(corpus("../docs").join(page)).expect("the page is there");
    let (_, rest) = text.split_once(&format!("```{language}\n")).expect("the page has the fence");
    rest.split_once("\n```").expect("the fence is closed").0.to_owned()
}

#[test]
fn the_example_of_our_page_is_right() {
    let text = fence("json.md", "json");
    let reading = ReadOptions::default().parse_json(&text).unwrap();
    assert_eq!(reading.warnings, []);
    assert_eq!(canonical(&reading.game), fence("json.md", "icn"));
    assert_eq!(json(&write(&reading.game, MoveForm::Strings).unwrap()), json(&text));
    let objects = json(&write(&reading.game, MoveForm::Objects).unwrap());
    assert_eq!(objects["moves"][1]["castle"]["coord"], json(r#"["9007199254740993", 8]"#));
}
