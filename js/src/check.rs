//! What is wrong with a record, as an object. The names are those of `boardprint check --json`.

use boardprint_games::{Finding, Verdict};
use serde::Serialize;

use crate::answer::{self, json};
use crate::options::{Options, READING};
use crate::position::EndObject;
use crate::problem::{Place, Places, Problem, UNKNOWN_FORMAT};

/// What was found out about a record.
#[derive(Serialize)]
pub(crate) struct VerdictObject<'a> {
    ok: bool,
    legal: Option<bool>,
    #[serde(rename = "firstIllegalPly")]
    first_illegal_ply: Option<usize>,
    conclusion: Option<EndObject>,
    findings: Vec<FindingObject<'a>>,
}

#[derive(Serialize)]
struct FindingObject<'a> {
    kind: &'static str,
    ply: Option<usize>,
    message: &'a str,
    #[serde(flatten)]
    place: Option<Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    square: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'a str>,
}

impl<'a> VerdictObject<'a> {
    pub(crate) fn of(verdict: &'a Verdict, text: &str) -> Self {
        let mut places = Places::new(text);
        let finding = |finding: &'a Finding| FindingObject {
            kind: finding.kind,
            ply: finding.ply,
            message: &finding.message,
            place: finding.span.map(|span| places.of(span)),
            square: finding.square.as_ref().map(ToString::to_string),
            hint: finding.hint.as_deref(),
        };
        VerdictObject {
            ok: verdict.findings.is_empty(),
            legal: verdict.legal,
            first_illegal_ply: verdict.first_illegal_ply,
            conclusion: verdict.conclusion.map(Into::into),
            findings: verdict.findings.iter().map(finding).collect(),
        }
    }
}

/// What is wrong with a text. That it cannot be read is a finding, too.
pub(crate) fn of_text(text: &str, reading: &str, options: &str) -> Result<String, Problem> {
    Options::of(options, &[READING])?;
    match answer::read(text, reading) {
        Ok((_, read)) => {
            let verdict = read.map_or_else(|error| error.verdict(), |reading| reading.check());
            json(&VerdictObject::of(&verdict, text))
        }
        Err(problem) if problem.kind() == UNKNOWN_FORMAT => json(&VerdictObject {
            ok: false,
            legal: None,
            first_illegal_ply: None,
            conclusion: None,
            findings: vec![FindingObject {
                kind: problem.kind(),
                ply: None,
                message: problem.message(),
                place: problem.place(),
                square: None,
                hint: problem.hint(),
            }],
        }),
        Err(problem) => Err(problem),
    }
}
