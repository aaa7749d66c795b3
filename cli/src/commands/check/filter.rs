//! Which kinds of findings are wanted.

use boardprint_icn::WarningKind;
use boardprint_rules::findings::Kind;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};

use super::verdict::{POSITION, SYNTAX, VARIANT_LAWS};

/// All warnings of the reader together.
const WARNINGS: &str = "warnings";

/// Which kinds of findings are wanted.
#[derive(clap::Args)]
pub(super) struct Filter {
    /// Shows only findings of these kinds; `warnings` stands for all warnings of the reader
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = kind_parser(), hide_possible_values = true)]
    only: Vec<String>,

    /// Leaves out findings of these kinds
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = kind_parser(), hide_possible_values = true)]
    ignore: Vec<String>,
}

impl Filter {
    pub(super) fn wants(&self, kind: &str) -> bool {
        let is_warning = WarningKind::ALL.iter().any(|warning| warning.name() == kind);
        let names =
            |list: &[String]| list.iter().any(|name| name == kind || (is_warning && name == WARNINGS));
        (self.only.is_empty() || names(&self.only)) && !names(&self.ignore)
    }
}

fn kind_parser() -> impl clap::builder::TypedValueParser<Value = String> {
    let own = [SYNTAX, WARNINGS, VARIANT_LAWS, POSITION];
    let kinds = Kind::ALL.iter().map(|kind| kind.name());
    let warnings = WarningKind::ALL.iter().map(|kind| kind.name());
    let all: Vec<&'static str> = own.into_iter().chain(kinds).chain(warnings).collect();
    PossibleValuesParser::new(all).map(|name| name)
}
