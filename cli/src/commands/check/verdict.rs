//! What was found out about a record.

use std::collections::BTreeMap;

use boardprint_base::Player;
use boardprint_games::Record;
use boardprint_render::Diagram;
use boardprint_rules::findings::{self, Repaired};
use boardprint_rules::legal::Conclusion;
use serde::Serialize;

use super::filter::Sieve;
use super::fix::RepairObject;
use crate::problem::{Places, Problem, ProblemObject};
use crate::report::RecordObject;

/// A record that cannot be read.
pub(super) const SYNTAX: &str = "syntax";
/// A start taken from a variant whose laws the text leaves out.
pub(super) const VARIANT_LAWS: &str = "variant-laws";
/// A position that cannot be played from.
pub(super) const POSITION: &str = "position";

/// What was found out about a record.
#[derive(Default)]
pub(super) struct Verdict {
    pub(super) legal: Option<bool>,
    pub(super) first_illegal_ply: Option<usize>,
    pub(super) conclusion: Option<End>,
    pub(super) findings: Vec<Finding>,
}

/// Something that is wrong with a record.
pub(super) struct Finding {
    pub(super) kind: &'static str,
    pub(super) ply: Option<usize>,
    pub(super) message: String,
    /// Where in the text it is.
    pub(super) problem: Option<Problem>,
    /// The board around the place.
    pub(super) picture: Option<Diagram>,
}

/// How a game ended.
#[derive(Clone, Serialize)]
pub(super) struct End {
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
    conclusion: Option<End>,
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

impl Verdict {
    pub(super) fn object(
        &self,
        record: &Record,
        sieve: &Sieve<'_>,
        repaired: Option<&Repaired>,
    ) -> VerdictObject {
        let mut places = Places::new(record);
        let syntax = self.findings.iter().find(|finding| finding.kind == SYNTAX);
        VerdictObject {
            record: RecordObject::of(record),
            ok: sieve.counts().is_empty(),
            legal: self.legal,
            first_illegal_ply: self.first_illegal_ply,
            conclusion: self.conclusion.clone(),
            findings: self.findings.iter().map(|finding| finding.object(&mut places)).collect(),
            more: sieve.left_out(),
            error: syntax
                .and_then(|finding| finding.problem.as_ref())
                .map(|problem| problem.object(&mut places)),
            repairs: repaired.map(|repaired| repaired.repairs.iter().map(Into::into).collect()),
        }
    }
}

impl Finding {
    pub(super) fn new(kind: &'static str, message: impl Into<String>) -> Self {
        Finding { kind, ply: None, message: message.into(), problem: None, picture: None }
    }

    pub(super) fn in_text(kind: &'static str, problem: Problem) -> Self {
        Finding { problem: Some(problem.clone()), ..Finding::new(kind, problem.message) }
    }

    fn object(&self, places: &mut Places<'_>) -> FindingObject {
        let place = self.problem.as_ref().map(|problem| problem.object(places));
        FindingObject {
            kind: self.kind,
            ply: self.ply,
            message: self.message.clone(),
            line: place.as_ref().map(|place| place.line),
            column: place.as_ref().map(|place| place.column),
            hint: place.and_then(|place| place.hint),
        }
    }
}

impl From<findings::Finding> for Finding {
    fn from(finding: findings::Finding) -> Self {
        Finding { ply: finding.ply, ..Finding::new(finding.kind.name(), finding.message) }
    }
}

impl End {
    pub(super) fn new(winner: Option<Player>, condition: &'static str) -> Self {
        End { winner: winner.map(|player| player.to_string()), condition }
    }
}

impl From<Conclusion> for End {
    fn from(conclusion: Conclusion) -> Self {
        End::new(conclusion.victor, conclusion.condition.name())
    }
}
