//! One file a command.

mod canon;
mod check;
mod completions;
mod convert;
mod dedup;
mod hash;
mod man;
mod piece;
mod show;
mod variants;

use anyhow::Result;
use clap::Subcommand;

use crate::args::Cli;
use crate::report::Status;

/// What can be asked.
#[derive(Subcommand)]
pub(crate) enum Command {
    Canon(canon::Args),
    Check(check::Args),
    Convert(convert::Args),
    Dedup(dedup::Args),
    Hash(hash::Args),
    Completions(completions::Args),
    Man(man::Args),
    Piece(piece::Args),
    Show(show::Args),
    Variants(variants::Args),
}

/// Does what was asked.
pub(crate) fn run(cli: Cli) -> Result<Status> {
    match cli.command {
        Command::Canon(args) => canon::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Dedup(args) => dedup::run(&args),
        Command::Hash(args) => hash::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
        Command::Piece(args) => piece::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Variants(args) => variants::run(&args),
    }
}
