//! `boardprint shard`: positions on several servers.

use anyhow::Result;
use boardprint_store::db::{fdw_script, make_shards};

use crate::database::{DbArg, count, failure};
use crate::report::{Report, Status, Usage};

/// Spread the positions of a new database over several PostgreSQL servers
///
/// Each server gets an equal range of the hashes of positions; games and everything else stay with the
/// database that --db names. This is done once, before the first import. Passwords are not kept: the servers
/// are asked with the password of --db.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boardprint shard --db postgresql://me@one/games postgresql://me@two/part\n  \
    boardprint shard --db postgresql://me@one/games --sql > shards.sql")]
pub(crate) struct Args {
    #[command(flatten)]
    db: DbArg,

    /// Use these servers, each with an empty schema
    #[arg(value_name = "URL", required_unless_present = "sql", conflicts_with = "sql")]
    shards: Vec<String>,

    /// Print SQL that shows the positions on all servers as one table of the database
    #[arg(long)]
    sql: bool,
}

pub(crate) fn run(args: &Args) -> Result<Status> {
    let mut report = Report::new(false);
    let is_url = |text: &str| text.starts_with("postgresql://") || text.starts_with("postgres://");
    if !is_url(&args.db.db.to_string_lossy()) || !args.shards.iter().all(|shard| is_url(shard)) {
        return Err(
            Usage("only databases on servers have shards: give postgresql:// addresses".to_owned()).into()
        );
    }
    if args.sql {
        report.line(fdw_script(&args.db.db).map_err(failure)?.trim_end())?;
    } else {
        make_shards(&args.db.db, &args.shards).map_err(failure)?;
        let shards = count(args.shards.len() as u64, "server", "servers");
        report.line(format!(
            "positions will be kept on {shards}; fill the database with `boardprint import`"
        ))?;
    }
    report.finish()
}
