//! What was found out about a record.

use std::collections::BTreeMap;

use boardprint_games::check::SYNTAX;
use boardprint_games::{Content, End, Finding, Record, RecordError, Verdict};
use boardprint_rules::findings::Repaired;
use serde::Serialize;

use super::filter::Sieve;
use super::fix::RepairObject;
use crate::problem::{Places, Problem, ProblemObject};
use crate::report::RecordObject;

/// A record and what was found out about it.
pub(super) struct Judged<'a> {
    pub(super) record: &'a Record,
    pub(super) verdict: Verdict,
    /// Why it could not be read; the only finding is about this.
    pub(super) error: Option<RecordError>,
    /// What it means, after its repair.
    pub(super) content: Option<Content<'a>>,
    /// What was mended before, where that was asked for.
    pub(super) repaired: Option<Repaired>,
}

/// How a game ended, as an object of the output.
#[derive(Serialize)]
struct EndObject {
    /// The name of the player who won; nobody in a draw.
    winner: Option<String>,
    condition: &'static str,
}

/// A verdict as an object of the output.
#[derive(Serialize)]
pub(crate) struct VerdictObject {
    record: RecordObject,
    ok: bool,
    legal: Option<bool>,
    first_illegal_ply: Option<usize>,
    conclusion: Option<EndObject>,
    findings: Vec<FindingObject>,
    /// How many findings of a kind are left out.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    more: BTreeMap<&'static str, u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ProblemObject>,
    /// What was mended, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    repairs: Option<Vec<RepairObject>>,
}

#[derive(Serialize)]
struct FindingObject {
    kind: &'static str,
    ply: Option<usize>,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

impl Judged<'_> {
    pub(super) fn object(&self, sieve: &Sieve<'_>) -> VerdictObject {
        let mut places = Places::new(self.record);
        let verdict = &self.verdict;
        let has_syntax = verdict.findings.iter().any(|finding| finding.kind == SYNTAX);
        let error = self.error.clone().filter(|_| has_syntax).map(Problem::from);
        VerdictObject {
            record: RecordObject::of(self.record),
            ok: sieve.counts().is_empty(),
            legal: verdict.legal,
            first_illegal_ply: verdict.first_illegal_ply,
            conclusion: verdict.conclusion.map(Into::into),
            findings: verdict.findings.iter().map(|finding| self.finding(finding, &mut places)).collect(),
            more: sieve.left_out(),
            error: error.map(|problem| problem.object(&mut places)),
            repairs: self.repaired.as_ref().map(|repaired| repaired.repairs.iter().map(Into::into).collect()),
        }
    }

    fn finding(&self, finding: &Finding, places: &mut Places<'_>) -> FindingObject {
        let place = self.problem(finding).map(|problem| problem.object(places));
        FindingObject {
            kind: finding.kind,
            ply: finding.ply,
            message: finding.message.clone(),
            line: place.as_ref().map(|place| place.line),
            column: place.as_ref().map(|place| place.column),
            hint: place.and_then(|place| place.hint),
        }
    }

    /// What is wrong with the text, if a finding is about it.
    pub(super) fn problem(&self, finding: &Finding) -> Option<Problem> {
        let of_finding = |span| Problem {
            kind: finding.kind,
            message: finding.message.clone(),
            span,
            also: None,
            hint: finding.hint.clone(),
        };
        self.error.clone().map(Problem::from).or_else(|| finding.span.map(of_finding))
    }
}

impl From<End> for EndObject {
    fn from(end: End) -> Self {
        EndObject { winner: end.winner.map(|player| player.to_string()), condition: end.condition }
    }
}
