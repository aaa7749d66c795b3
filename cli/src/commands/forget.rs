//! `boardprint forget`: games that nobody wants to see any more.

use anyhow::Result;
use boardprint_store::db::{Options, ReindexOptions, forget};
use serde_json::json;

use crate::args::PiecesArg;
use crate::database::{DbArg, count, failure, start_threads, stored_rules};
use crate::report::{Report, Status};

/// Forget games of the database
///
/// The index is built again without them. Other games keep their numbers. The games stay in the log until the database is merged into a new one
/// (`boardprint merge NEW OLD`); nothing shows them any more. A source that is forgotten can be imported again.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boardprint forget --id 17 --id 18\n  \
    boardprint forget --source games/wrong.pgn")]
pub(crate) struct Args {
    /// Forget the game with this number; may be given several times
    #[arg(long, value_name = "N", required_unless_present = "source")]
    id: Vec<u64>,

    /// Forget all games of this source, as `boardprint stats` names it; may be given several times
    #[arg(long, value_name = "PATH")]
    source: Vec<String>,

    #[command(flatten)]
    db: DbArg,

    #[command(flatten)]
    pieces: PiecesArg,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<Status> {
    start_threads(0, 0)?;
    let mut report = Report::new(args.json);
    let (log, profile) = args.db.games()?;
    let before = log.games().try_fold(0_u64, |sum, game| game.map(|_| sum + 1)).map_err(failure)?;
    let options = ReindexOptions { wait: args.db.wait(), ..ReindexOptions::default() };
    let rules = stored_rules(&args.pieces, profile)?;
    let base = Options::default().profile(profile.name());
    let done = forget(&args.db.db, &args.id, &args.source, &options, &base, &rules).map_err(failure)?;
    let forgotten = before.saturating_sub(done.games);
    if args.json {
        report.object(&json!({ "forgotten": forgotten, "games": done.games }))?;
    } else {
        let games = count(done.games, "game", "games");
        report.line(format!("forgot {}; {games} left", count(forgotten, "game", "games")))?;
    }
    report.finish()
}
