//! `boardprint convert`: from one form to another.

use anyhow::Result;
use boardprint_icn::Style;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};

use crate::args::InputArgs;
use crate::report::{Report, Status};
use crate::source::{Parser, records};

/// Records in another form
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boardprint convert --to icn --style readable game.icn\n  \
    boardprint convert --to icn -e 'K1,1|k1,9 1,1>1,2'")]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// The form to write
    #[arg(long, value_name = "FORM")]
    to: To,

    /// How to write ICN
    #[arg(long, value_name = "STYLE", default_value = "canonical", value_parser = style_parser())]
    style: Style,
}

/// The forms that can be written.
#[derive(Clone, Copy, clap::ValueEnum)]
enum To {
    /// Infinite-chess notation
    Icn,
}

pub(crate) fn run(args: &Args) -> Result<Status> {
    let mut report = Report::new(false);
    let parser = Parser::new(&args.input.reading)?;
    for record in records(&args.input) {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                report.unread(&error)?;
                continue;
            }
        };
        match (parser.game(&record), args.to) {
            (Err(problem), _) => report.bad_record(&record, &problem)?,
            (Ok(read), To::Icn) => {
                report.line(args.style.write(&read.game))?;
                report.warnings(&record, &read.warnings);
            }
        }
    }
    report.finish()
}

fn style_parser() -> impl clap::builder::TypedValueParser<Value = Style> {
    PossibleValuesParser::new(Style::ALL.map(Style::name)).map(|name| {
        let known = Style::ALL.into_iter().find(|style| style.name() == name);
        known.expect("only names of styles are possible")
    })
}
