//! Everything that `--json` prints is as `docs/json-output.schema.json` says.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::{file, run};

/// The keywords that the validator knows. It refuses a schema with others, so that nothing is checked in
/// appearance only.
const KEYWORDS: [&str; 16] = [
    "$defs",
    "$ref",
    "$schema",
    "additionalProperties",
    "anyOf",
    "const",
    "description",
    "enum",
    "items",
    "maxItems",
    "minItems",
    "minimum",
    "pattern",
    "properties",
    "required",
    "title",
];

/// A validator of the part of JSON Schema that our file uses. A library would bring fifty crates.
struct Schema {
    root: Value,
}

impl Schema {
    fn load() -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/json-output.schema.json");
        let text = fs::read_to_string(path).expect("the schema is there");
        Schema { root: serde_json::from_str(&text).expect("the schema is JSON") }
    }

    fn definition(&self, name: &str) -> &Value {
        let found = &self.root["$defs"][name];
        assert!(found.is_object(), "no definition of {name}");
        found
    }

    /// Why a value does not fit, with the way to the place.
    fn check(&self, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
        let rules = schema.as_object().ok_or_else(|| format!("{at}: the schema is not an object"))?;
        for (rule, wanted) in rules {
            assert!(rule == "type" || KEYWORDS.contains(&&**rule), "the validator does not know `{rule}`");
            let fits = match &**rule {
                "$ref" => {
                    let name = wanted.as_str().and_then(|path| path.strip_prefix("#/$defs/"));
                    self.check(self.definition(name.expect("only definitions are referred to")), value, at)?;
                    true
                }
                "type" => match wanted {
                    Value::Array(types) => types.iter().any(|name| is_type(name, value)),
                    name => is_type(name, value),
                },
                "const" => value == wanted,
                "enum" => wanted.as_array().is_some_and(|known| known.contains(value)),
                "anyOf" => {
                    let all = wanted.as_array().expect("a list");
                    all.iter().any(|one| self.check(one, value, at).is_ok())
                }
                "minimum" => value.as_i64().is_none_or(|number| Some(number) >= wanted.as_i64()),
                "pattern" => {
                    assert_eq!(wanted, "^[0-9a-f]{40}$", "the only pattern that is known");
                    let is_digit = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
                    value.as_str().is_none_or(|text| text.len() == 40 && text.bytes().all(is_digit))
                }
                "minItems" => {
                    value.as_array().is_none_or(|items| Some(items.len() as u64) >= wanted.as_u64())
                }
                "maxItems" => {
                    value.as_array().is_none_or(|items| Some(items.len() as u64) <= wanted.as_u64())
                }
                "items" => {
                    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.check(wanted, item, &format!("{at}/{index}"))?;
                    }
                    true
                }
                "required" => {
                    let names = wanted.as_array().expect("a list");
                    names.iter().all(|name| value.get(name.as_str().expect("a name")).is_some())
                }
                _ => true,
            };
            if !fits {
                return Err(format!("{at}: {value} does not fit `{rule}`: {wanted}"));
            }
        }
        for (name, item) in value.as_object().into_iter().flatten() {
            let at = format!("{at}/{name}");
            match (&schema["properties"][name], &schema["additionalProperties"]) {
                (Value::Null, Value::Bool(false)) => return Err(format!("{at} is not in the schema")),
                (Value::Null, Value::Null | Value::Bool(true)) => {}
                (Value::Null, others) => self.check(others, item, &at)?,
                (known, _) => self.check(known, item, &at)?,
            }
        }
        Ok(())
    }
}

fn is_type(name: &Value, value: &Value) -> bool {
    match name.as_str().expect("the name of a type") {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "integer" => value.is_i64() || value.is_u64(),
        other => panic!("the validator does not know the type `{other}`"),
    }
}

/// Runs a command, and checks every object against one of some definitions. Each definition must be met.
fn all_fit(arguments: &[&str], definitions: &[&str]) {
    let schema = Schema::load();
    let outcome = run(arguments);
    let mut met = vec![false; definitions.len()];
    for line in outcome.results.lines() {
        let object: Value =
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{arguments:?}: {line}: {error}"));
        schema.check(&schema.root, &object, "").unwrap_or_else(|why| panic!("{arguments:?}: {why}"));
        let fits = definitions.iter().map(|name| schema.check(schema.definition(name), &object, name));
        let fits: Vec<Result<(), String>> = fits.collect();
        assert!(fits.iter().any(Result::is_ok), "{arguments:?}: {fits:?}");
        met.iter_mut().zip(&fits).for_each(|(met, fits)| *met |= fits.is_ok());
    }
    assert!(met.iter().all(|met| *met), "{arguments:?}: {met:?} of {definitions:?}\n{}", outcome.errors);
}

#[test]
fn every_output_is_as_the_schema_says() {
    let icn = "[White \"A\"] (8|1) K5,1|P1,7|k5,8 1,7>1,8Q|5,8>5,7\n\nK5,1|k5,8 9,9>9,8\n\nK5,1,\n";
    let (_icn_folder, icn) = file("games.icn", icn);
    let pgn = "[White \"A\"]\n\n1. e4 e5 2. Nf3 1-0\n\n[White \"A\"]\n\n1. e4 e5 2. Nf3 0-1\n\n[White \"B\"]\n\n1. e4 e5 2. Bc7\n";
    let (folder, pgn) = file("games.pgn", pgn);
    let (icn, pgn) = (icn.to_str().expect("UTF-8"), pgn.to_str().expect("UTF-8"));
    let picture = folder.path().join("a.svg");
    let picture = picture.to_str().expect("UTF-8");
    let missing = folder.path().join("missing");
    let missing = missing.to_str().expect("UTF-8");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    all_fit(&["canon", "--json", icn], &["canon", "bad-record"]);
    all_fit(&["canon", "--json", missing], &["bad-record"]);
    all_fit(&["hash", "--json", icn, pgn], &["hash-line", "bad-record"]);
    all_fit(&["hash", "--json", "--ply", "all", "--of", "exact", icn], &["hash-line", "bad-record"]);
    all_fit(&["convert", "--json", "--to", "icn", icn], &["convert", "bad-record"]);
    all_fit(&["convert", "--json", "--to", "cpn", "--ply", "all", pgn], &["convert", "bad-record"]);
    all_fit(&["check", "--json", icn, pgn], &["check"]);
    all_fit(&["check", "--json", "--max-findings", "0", icn, pgn], &["check"]);
    all_fit(&["check", "--json", "--fix", "--dry-run", "-e", "N0,0|K5,5|k9,9 N0,0x1,2"], &["check"]);
    all_fit(&["show", "--json", icn, pgn], &["show", "bad-record"]);
    all_fit(&["show", "--json", "--svg", picture, "-e", start], &["show"]);
    all_fit(&["diff", "--json", "-e", "1. e4 e5 2. Nf3 *", "-e", "[White \"x\"]\n\n1. e4 d5 1-0"], &["diff"]);
    all_fit(&["diff", "--json", "-e", "(8|1) K5,1|k5,8", "-e", "K5,1|k5,8 5,1>5,2"], &["diff"]);
    all_fit(&["diff", "--json", "-e", "K5,1|k5,8", "-e", start], &["diff"]);
    all_fit(&["diff", "--json", "-e", "K5,1|k5,8", "-e", "K5,1,"], &["bad-record"]);
    all_fit(
        &["dedup", "--json", "--dry-run", "--min-plies", "0", icn, pgn],
        &["dedup-pair", "dedup-summary", "bad-record"],
    );
    all_fit(&["piece", "--json", "knight"], &["piece-moves"]);
    all_fit(&["piece", "--json", "--list"], &["piece-listed"]);
    all_fit(&["piece", "--json", "knight", "--to", "1,2"], &["piece-answer"]);
    all_fit(&["piece", "--json", "knight", "--same-as", "rook"], &["piece-answer"]);
    all_fit(&["variants", "--json"], &["variant"]);
    all_fit(&["variants", "--json", "show", "Classical"], &["variant-start"]);
}

#[test]
fn every_answer_of_a_database_is_as_the_schema_says() {
    let icn = "[White \"A\"] (8|1) K5,1|Q4,1|k5,8 4,1>4,7|5,8>6,8|4,7>7,7\n\nK5,1|k5,8 9,9>9,8\n";
    let (_icn_folder, icn) = file("games.icn", icn);
    let line = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5";
    let tags = "[White \"A\"]\n[Black \"B\"]\n[WhiteElo \"2000\"]\n[Date \"2020.01.01\"]\n";
    let pgn = format!("{tags}\n{line} 1-0\n\n{tags}[Event \"E\"]\n\n{line} 1-0\n\n1. e4 c5 *\n");
    let (folder, pgn) = file("games.pgn", &pgn);
    let (icn, pgn) = (icn.to_str().expect("UTF-8"), pgn.to_str().expect("UTF-8"));
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (db, questions) = (path("db"), path("questions"));
    fs::write(&questions, "e4\nno question at all\nffffffff\n").expect("room for it");
    let asked = |command: &[&str], definitions: &[&str]| {
        all_fit(&[command, &["--json", "--db", &db]].concat(), definitions);
    };
    asked(&["import", "--dry-run", icn, pgn], &["import", "bad-record"]);
    asked(&["import", icn, pgn], &["import", "bad-record"]);
    asked(&["lookup", "e4"], &["lookup"]);
    asked(&["lookup", "K5,1|Q4,1|k5,8"], &["lookup"]);
    asked(&["lookup", "1. h4"], &["lookup"]);
    asked(&["lookup", "ffffffff"], &["lookup-candidates"]);
    asked(&["lookup", "--batch", &questions], &["lookup", "lookup-error", "lookup-candidates"]);
    asked(&["stats"], &["stats"]);
    asked(&["stats", "--fast"], &["stats"]);
    asked(&["export"], &["export-game"]);
    asked(&["export", "--what", "positions"], &["export-position"]);
    asked(&["verify"], &["verify"]);
    asked(&["compact"], &["compact"]);
    asked(&["reindex"], &["reindex"]);
    asked(&["backup", &path("copy")], &["backup"]);
    asked(&["duplicates"], &["duplicates"]);
    all_fit(&["merge", "--json", "--dry-run", &path("both"), &db], &["merge"]);
    all_fit(&["merge", "--json", &path("both"), &db], &["merge"]);
    asked(&["forget", "--dry-run", "--id", "1"], &["forget"]);
    asked(&["forget", "--id", "1"], &["forget"]);
    asked(&["duplicates"], &["duplicates"]);
    asked(&["salvage", &path("saved")], &["salvage"]);
    let log = folder.path().join("db/games/00000001.log");
    let mut bytes = fs::read(&log).expect("the games");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&log, bytes).expect("room for it");
    asked(&["verify"], &["verify", "verify-finding"]);
    asked(&["salvage", &path("some")], &["salvage"]);
    all_fit(&["moves", "--json", "-e", "K1,1|HU5,5|AM3,3|k9,9|RO4,4"], &["moves"]);
    all_fit(&["moves", "--json", icn, pgn], &["moves", "bad-record"]);
    all_fit(&["piece", "--json", "--unbounded", "rook"], &["piece-moves"]);
}

/// An object that may have any field checks nothing.
#[test]
fn no_object_of_the_schema_is_open() {
    let schema = Schema::load();
    let (mut left, mut closed) = (vec![&schema.root["$defs"]], 0);
    while let Some(part) = left.pop() {
        match part {
            Value::Array(items) => left.extend(items),
            Value::Object(fields) => {
                if fields.contains_key("properties") {
                    assert_eq!(fields.get("additionalProperties"), Some(&Value::Bool(false)), "{part}");
                    closed += 1;
                }
                left.extend(fields.values());
            }
            _ => {}
        }
    }
    assert!(closed > 40, "{closed}");
}

#[test]
fn the_validator_refuses_what_does_not_fit() {
    let schema = Schema::load();
    let fits = |name: &str, text: &str| {
        let value: Value = serde_json::from_str(text).expect("JSON");
        schema.check(schema.definition(name), &value, name)
    };
    let record = r#"{"path":"-e","record":1,"line":1}"#;
    let hash = "0123456789abcdef0123456789abcdef01234567";
    assert_eq!(fits("record", record), Ok(()));
    assert!(fits("record", r#"{"path":"-e","record":1}"#).is_err());
    assert!(fits("record", r#"{"path":"-e","record":"1","line":1}"#).is_err());
    let line = |schema: u32, ply: &str, hash: &str, more: &str| {
        format!(r#"{{"schema":{schema},"record":{record},"ply":{ply},"hash":"{hash}"{more}}}"#)
    };
    assert_eq!(fits("hash-line", &line(1, "null", hash, "")), Ok(()));
    for wrong in [
        line(2, "null", hash, ""),
        line(1, "-1", hash, ""),
        line(1, "\"last\"", hash, ""),
        line(1, "1", &hash[1..], ""),
        line(1, "1", &hash.to_uppercase(), ""),
        line(1, "1", hash, ",\"more\":1"),
    ] {
        assert!(fits("hash-line", &wrong).is_err(), "{wrong}");
    }
}
