//! What can be typed.

use std::path::PathBuf;

use boardprint_icn::Dialect;
use boardprint_store::read::{Format, Input};
use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser as _;
use clap::{Args, Parser};

use crate::commands::Command;

/// Gives every chess position a name that does not depend on who wrote it down.
#[derive(Parser)]
#[command(version, max_term_width = 100, subcommand_required = true, arg_required_else_help = true)]
#[command(
    after_help = "Exit status: 0 all well, 1 some records were bad, 2 wrong usage, 3 the machine failed.\n\
    `boardprint COMMAND --help` shows examples."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to read and how.
#[derive(Args, Clone)]
pub(crate) struct InputArgs {
    /// Files and folders to read; `-` is standard input
    #[arg(value_name = "FILE", required_unless_present = "text")]
    files: Vec<PathBuf>,

    /// Reads this text as one record; may be given several times
    #[arg(short = 'e', long = "expression", value_name = "TEXT", allow_hyphen_values = true)]
    text: Vec<String>,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
}

/// How to read records.
#[derive(Args, Clone)]
pub(crate) struct ReadingArgs {
    /// The format of the input; told from the content unless named
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    pub(crate) from: Option<Format>,

    /// Reads ICN as this dialect where dialects differ
    #[arg(long, value_name = "DIALECT", value_parser = dialect_parser())]
    dialect: Option<Dialect>,

    /// Refuses what the chosen dialect does not know; without one, whatever gives a warning
    #[arg(long)]
    strict: bool,
}

impl InputArgs {
    /// The inputs in the order of the command line, texts first.
    pub(crate) fn inputs(&self) -> Vec<Input> {
        let texts = self.text.iter().map(Input::text);
        texts.chain(self.files.iter().map(Input::argument)).collect()
    }
}

impl ReadingArgs {
    /// The options of the ICN reader.
    pub(crate) fn icn_options(&self) -> boardprint_icn::Options {
        let options = boardprint_icn::Options::default().strict(self.strict);
        match self.dialect {
            Some(dialect) => options.dialect(dialect),
            None => options,
        }
    }
}

fn format_parser() -> impl clap::builder::TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::name))
        .map(|name| name.parse::<Format>().expect("only names of formats are possible"))
}

fn dialect_parser() -> impl clap::builder::TypedValueParser<Value = Dialect> {
    PossibleValuesParser::new(Dialect::ALL.map(Dialect::name)).map(|name| {
        let known = Dialect::ALL.into_iter().find(|dialect| dialect.name() == name);
        known.expect("only names of dialects are possible")
    })
}
