//! One file a command.

mod canon;
mod check;
mod compact;
mod completions;
mod convert;
mod dedup;
mod export;
mod hash;
mod import;
mod lookup;
mod man;
mod moves;
mod piece;
mod show;
mod stats;
mod variants;
mod verify;

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
    Import(import::Args),
    Lookup(lookup::Args),
    Stats(stats::Args),
    Export(export::Args),
    Verify(verify::Args),
    Compact(compact::Args),
    Completions(completions::Args),
    Man(man::Args),
    Moves(moves::Args),
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
        Command::Import(args) => import::run(&args),
        Command::Lookup(args) => lookup::run(&args),
        Command::Stats(args) => stats::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Compact(args) => compact::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
        Command::Moves(args) => moves::run(&args),
        Command::Piece(args) => piece::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Variants(args) => variants::run(&args),
    }
}
