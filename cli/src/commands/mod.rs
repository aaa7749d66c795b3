//! One file per command.

mod backup;
mod canon;
pub(crate) mod check;
mod compact;
mod completions;
mod convert;
mod dedup;
mod diff;
mod duplicates;
mod export;
mod forget;
mod hash;
mod help;
mod import;
mod lookup;
mod man;
mod merge;
mod moves;
mod moves_text;
mod piece;
mod reindex;
mod salvage;
#[cfg(feature = "serve")]
mod serve;
#[cfg(feature = "postgres")]
mod shard;
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
    Diff(diff::Args),
    Hash(hash::Args),
    Help(help::Args),
    Import(import::Args),
    #[command(visible_alias = "search")]
    Lookup(lookup::Args),
    Stats(stats::Args),
    Export(export::Args),
    Verify(verify::Args),
    Compact(compact::Args),
    Duplicates(duplicates::Args),
    Reindex(reindex::Args),
    Backup(backup::Args),
    Salvage(salvage::Args),
    Merge(merge::Args),
    Forget(forget::Args),
    Completions(completions::Args),
    Man(man::Args),
    Moves(moves::Args),
    Piece(piece::Args),
    #[cfg(feature = "serve")]
    Serve(Box<serve::Args>),
    #[cfg(feature = "postgres")]
    Shard(shard::Args),
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
        Command::Diff(args) => diff::run(&args),
        Command::Hash(args) => hash::run(&args),
        Command::Help(args) => help::run(&args),
        Command::Import(args) => import::run(&args),
        Command::Lookup(args) => lookup::run(&args),
        Command::Stats(args) => stats::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Compact(args) => compact::run(&args),
        Command::Duplicates(args) => duplicates::run(&args),
        Command::Reindex(args) => reindex::run(&args),
        Command::Backup(args) => backup::run(&args),
        Command::Salvage(args) => salvage::run(&args),
        Command::Merge(args) => merge::run(&args),
        Command::Forget(args) => forget::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
        Command::Moves(args) => moves::run(&args),
        Command::Piece(args) => piece::run(&args),
        #[cfg(feature = "serve")]
        Command::Serve(args) => serve::run(*args),
        #[cfg(feature = "postgres")]
        Command::Shard(args) => shard::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Variants(args) => variants::run(&args),
    }
}
