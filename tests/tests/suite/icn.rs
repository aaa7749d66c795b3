//! Every row of the ICN vectors: verdict, kinds of warnings, canonical text, place of the error.

use std::collections::BTreeSet;

use boardprint_icn::{canonical, parse};
use boardprint_tests::{report, rows};
use serde::Deserialize;

#[derive(Deserialize)]
struct Row {
    name: String,
    icn: String,
    verdict: String,
    warnings: BTreeSet<String>,
    canonical: Option<String>,
    error_at: Option<(usize, usize)>,
}

#[derive(Deserialize)]
struct Group {
    #[serde(rename = "group")]
    name: String,
    equal: bool,
    texts: Vec<String>,
    canonical: serde_json::Value,
}

fn failure(row: &Row) -> Option<String> {
    let reading = match parse(&row.icn) {
        Err(error) => {
            let at = error.line_column(&row.icn);
            let good = row.error_at == Some((at.line, at.column));
            return (!good).then(|| {
                format!("{}: {error} at {at:?}, wanted {} {:?}", row.name, row.verdict, row.error_at)
            });
        }
        Ok(reading) => reading,
    };
    if row.verdict == "error" {
        return Some(format!("{}: read, wanted an error at {:?}", row.name, row.error_at));
    }
    let kinds: BTreeSet<String> = reading.warnings.iter().map(|w| w.kind().name().to_owned()).collect();
    if kinds != row.warnings {
        return Some(format!("{}: warnings {kinds:?}, wanted {:?}", row.name, row.warnings));
    }
    let text = canonical(&reading.game);
    (Some(&text) != row.canonical.as_ref())
        .then(|| format!("{}: {text}\n  wanted {:?}", row.name, row.canonical))
}

#[test]
fn every_row_of_icn_is_read_as_it_says() {
    let rows: Vec<Row> = rows("icn/icn.jsonl");
    let failures: Vec<String> = rows.iter().filter_map(failure).collect();
    report("rows of icn.jsonl", rows.len(), &failures);
}

#[test]
fn texts_of_one_game_have_one_canonical_text() {
    let groups: Vec<Group> = rows("icn/icn-equal.jsonl");
    let mut failures = Vec::new();
    for group in &groups {
        let texts: Vec<String> = group
            .texts
            .iter()
            .map(|text| parse(text).map_or_else(|e| e.to_string(), |r| canonical(&r.game)))
            .collect();
        let good = match &group.canonical {
            serde_json::Value::String(one) => texts.iter().all(|text| text == one),
            serde_json::Value::Array(each) => each.iter().zip(&texts).all(|(wanted, text)| wanted == text),
            // Only the game hash agrees.
            _ => group.equal,
        };
        if !good {
            failures.push(format!("{}: {texts:#?}", group.name));
        }
    }
    report("groups of icn-equal.jsonl", groups.len(), &failures);
}

#[test]
fn canonical_text_is_its_own_canonical_text() {
    for row in rows::<Row>("icn/icn.jsonl") {
        let Some(text) = row.canonical else { continue };
        let reading = parse(&text).unwrap_or_else(|e| panic!("{}: {e}", row.name));
        assert_eq!(canonical(&reading.game), text, "{}", row.name);
        assert!(row.verdict != "ok" || reading.warnings.is_empty(), "{}: {:?}", row.name, reading.warnings);
    }
}
