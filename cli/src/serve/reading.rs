//! What a text means: every notation of it, warnings, findings. Nothing is written.

use std::collections::BTreeMap;

use boardprint_games::{Content, Format, ReadOptions, Record, RecordError, WriteOptions};
use boardprint_records::{Input, ReadError, Reader, ReaderOptions};
use serde_json::{Value, json};

use super::app::{Context, Question, Reply};
use super::fault::{Fault, Outcome, for_http};
use super::position::from_parameter;
use crate::answers::{game_name, plies, tags};
use crate::asked::{Form, Warning};
use crate::commands::check;

/// How many findings of a kind are told per record.
const PER_KIND: u64 = 100;

pub(super) fn read(view: &Context<'_>, question: &Question) -> Outcome<Reply> {
    let query = &question.query;
    query.only(&[&["from", "game", "limit"]])?;
    let limit = query.number("limit", 1, 100)?;
    let format = match from_parameter(query)? {
        None => None,
        Some(Form::Moves) => Some(Format::Pgn),
        Some(Form::Record(format)) => Some(format),
        Some(Form::Hash) => return Err(Fault::parameter("`from` cannot be `hash` here")),
    };
    let options = view.app.reading.of(query)?;
    let cutting = ReaderOptions::default().format(format).cut_text(true);
    let mut records = Vec::new();
    let mut first_fault = None;
    let mut more = false;
    for (index, record) in Reader::new([Input::text(question.body.as_str())], cutting).enumerate() {
        if index == limit {
            more = true;
            break;
        }
        view.budget.check()?;
        let described = match record {
            Err(error) => Err((error.number().unwrap_or(1), error.line().unwrap_or(1), unread(&error))),
            Ok(record) => match options.read(&record) {
                Err(error) => Err((record.number, record.line, placed(&error, &record))),
                Ok(reading) => {
                    let warnings = Warning::all(&reading.warnings, &record.text);
                    let content = reading.content.into_owned();
                    describe(view, &record, &options, &content, &warnings)
                        .map_err(|fault| (record.number, record.line, fault))
                }
            },
        };
        records.push(described.unwrap_or_else(|(number, line, fault)| {
            let object = json!({ "record": { "record": number, "line": line }, "error": fault.object() });
            first_fault.get_or_insert(fault);
            object
        }));
    }
    if records.iter().all(|record| !record["error"].is_null()) && limit > 0 {
        let nothing = || Fault { place: Some((1, 1)), ..Fault::unreadable("there is nothing to read") };
        return Err(first_fault.unwrap_or_else(nothing));
    }
    Reply::json(&json!({ "more_records": more, "records": records }))
}

/// A record that could not even be cut out.
fn unread(error: &ReadError) -> Fault {
    let place = error.line().map(|line| (line, 1));
    Fault { place, ..Fault::unreadable(for_http(&error.kind().to_string())) }
}

/// An error with its place in the whole text.
fn placed(error: &RecordError, record: &Record) -> Fault {
    let mut fault = Fault::of_record(error, &record.text);
    fault.place = fault.place.map(|(line, column)| {
        (record.line + line - 1, if line == 1 { record.column + column - 1 } else { column })
    });
    fault
}

fn describe(
    view: &Context<'_>,
    record: &Record,
    options: &ReadOptions,
    content: &Content<'static>,
    warnings: &[Warning],
) -> Outcome<Value> {
    let profile = view.app.profile;
    let start = view.position(&content.at(0)?)?;
    let end = view.position(&content.at(content.plies())?)?;
    let judged = check::judge_record(record, options, &view.app.reading.pieces, PER_KIND);
    let verdict = serde_json::to_value(judged.object).map_err(|error| Fault::internal(&error.to_string()))?;
    let (_, lost) = content.to_cpn(&WriteOptions::default())?;
    let variant = content.tag("Variant").filter(|name| !name.is_empty());
    Ok(json!({
        "record": { "record": record.number, "line": record.line },
        "format": record.format.name(),
        "game": game_name(content),
        "variant": variant,
        "tags": tags(content),
        "start": start,
        "position": end,
        "moves": plies(content, profile)?,
        "game_hash": content.game_text().digest().to_string(),
        "legal": verdict["legal"],
        "notations": notations(content),
        "warnings": warnings.iter().map(|warning| warning.clone().reworded(for_http)).collect::<Vec<_>>(),
        "lost": lost.names().collect::<Vec<_>>(),
        "findings": told(&verdict["findings"]),
        "conclusion": verdict["conclusion"],
    }))
}

/// Findings in words of this protocol.
pub(super) fn told(findings: &Value) -> Value {
    let mut findings = findings.clone();
    for finding in findings.as_array_mut().into_iter().flatten() {
        for name in ["message", "hint"] {
            if let Some(words) = finding[name].as_str() {
                finding[name] = for_http(words).into();
            }
        }
    }
    findings
}

/// The whole record in every form that can hold it.
fn notations(content: &Content<'_>) -> BTreeMap<&'static str, String> {
    let is_open = matches!(content, Content::Infinite(_));
    let holds = |format: &Format| match format {
        // These are positions.
        Format::Cpn | Format::Fen | Format::Sfen => content.plies() == 0,
        Format::Json => is_open,
        _ => true,
    };
    let write = |format: Format| {
        let written = content.write(format, &WriteOptions::default()).ok()?;
        Some((format.name(), written.text))
    };
    Format::ALL.into_iter().filter(holds).filter_map(write).collect()
}
