//! One file a command.

mod canon;
mod completions;
mod convert;
mod man;

use anyhow::Result;
use clap::Subcommand;

use crate::args::Cli;
use crate::report::Status;

/// What can be asked.
#[derive(Subcommand)]
pub(crate) enum Command {
    Canon(canon::Args),
    Convert(convert::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// Does what was asked.
pub(crate) fn run(cli: Cli) -> Result<Status> {
    match cli.command {
        Command::Canon(args) => canon::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
    }
}
