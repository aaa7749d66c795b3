//! Which findings are wanted.

use std::collections::BTreeMap;

use boardprint_games::WarningKind;
use boardprint_games::check::{POSITION, SYNTAX, VARIANT_LAWS};
use boardprint_rules::findings::Kind;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};

/// All warnings of the reader together.
const WARNINGS: &str = "warnings";

/// Which kinds of findings are wanted.
#[derive(clap::Args)]
pub(super) struct Filter {
    /// Show only findings of these kinds; `warnings` stands for all warnings of the reader
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = kind_parser(), hide_possible_values = true)]
    only: Vec<String>,

    /// Leave out findings of these kinds
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = kind_parser(), hide_possible_values = true)]
    ignore: Vec<String>,

    /// Show this many findings of a kind per record, and count the others
    #[arg(long, value_name = "N", default_value_t = 100)]
    max_findings: u64,
}

/// Takes the wanted findings of a record, this many of a kind, and counts the others: showing a finding takes
/// time, and a record may be made to have a finding in every byte.
pub(super) struct Sieve<'a> {
    filter: &'a Filter,
    counts: BTreeMap<&'static str, u64>,
}

impl Sieve<'_> {
    /// Whether the next finding is one of this kind that is to be shown.
    pub(super) fn takes(&mut self, kind: &'static str) -> bool {
        if !self.filter.wants(kind) {
            return false;
        }
        let count = self.counts.entry(kind).or_default();
        *count += 1;
        *count <= self.filter.max_findings
    }

    /// How many findings of each kind there were.
    pub(super) fn counts(&self) -> &BTreeMap<&'static str, u64> {
        &self.counts
    }

    /// How many findings of each kind are not shown.
    pub(super) fn left_out(&self) -> BTreeMap<&'static str, u64> {
        let beyond =
            |(kind, count): (&&'static str, &u64)| (*kind, count.saturating_sub(self.filter.max_findings));
        self.counts.iter().map(beyond).filter(|(_, count)| *count > 0).collect()
    }
}

impl Filter {
    /// All kinds, this many findings of each.
    #[cfg(feature = "serve")]
    pub(super) fn all(max_findings: u64) -> Self {
        Filter { only: Vec::new(), ignore: Vec::new(), max_findings }
    }

    /// For the findings of one record.
    pub(super) fn sieve(&self) -> Sieve<'_> {
        Sieve { filter: self, counts: BTreeMap::new() }
    }

    fn wants(&self, kind: &str) -> bool {
        let is_warning = WarningKind::names().any(|name| name == kind);
        let names =
            |list: &[String]| list.iter().any(|name| name == kind || (is_warning && name == WARNINGS));
        (self.only.is_empty() || names(&self.only)) && !names(&self.ignore)
    }
}

fn kind_parser() -> impl clap::builder::TypedValueParser<Value = String> {
    let own = [SYNTAX, WARNINGS, VARIANT_LAWS, POSITION];
    let kinds = Kind::ALL.iter().map(|kind| kind.name());
    let all: Vec<&'static str> = own.into_iter().chain(kinds).chain(WarningKind::names()).collect();
    PossibleValuesParser::new(all).map(|name| name)
}
