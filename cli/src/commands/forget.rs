//! `boardprint forget`: games that nobody wants to see any more.

use std::sync::atomic::Ordering;

use anyhow::Result;
use boardprint_store::db::{self, LogReader, Options, ReindexOptions, forget};
use serde_json::json;

use crate::args::PiecesArg;
use crate::database::{DbArg, count, failure, start_threads, stored_rules};
use crate::meter::Meter;
use crate::report::{Report, Status, Usage};

/// Forget games of the database
///
/// The index is built again without them. Other games keep their numbers. The games stay in the log until the
/// database is merged into a new one (`boardprint merge NEW OLD`); nothing shows them any more. A source that
/// is forgotten can be imported again.
#[derive(clap::Args)]
#[group(id = "which", required = true, multiple = true, args = ["id", "source"])]
#[command(after_help = "Examples:\n  \
    boardprint forget --id 17 --id 18\n  \
    boardprint forget --dry-run --source games/wrong.pgn\n  \
    boardprint forget --source games/wrong.pgn")]
pub(crate) struct Args {
    /// Forget the game with this number; may be given several times
    #[arg(long, value_name = "N")]
    id: Vec<u64>,

    /// Forget all games of this source, as `boardprint stats` names it; may be given several times
    #[arg(long, value_name = "PATH")]
    source: Vec<String>,

    /// Say what would be forgotten, and forget nothing
    #[arg(long)]
    dry_run: bool,

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
    let mut meter = Meter::visible_if(true);
    let counted = meter.count("counting games", Some(log.next_game()));
    for game in log.games() {
        game.map_err(failure)?;
        counted.fetch_add(1, Ordering::Relaxed);
    }
    meter.end();
    let before = counted.load(Ordering::Relaxed);
    let sources = log.sources();
    if let Some(unknown) = args.source.iter().find(|path| !sources.iter().any(|known| *known.path == ***path))
    {
        return Err(Usage(format!("no games were read from {unknown}")).into());
    }
    if args.dry_run {
        return would_forget(args, &log, before, report);
    }
    let options = ReindexOptions { wait: args.db.wait(), ..ReindexOptions::default() };
    let rules = stored_rules(&args.pieces, profile)?;
    let counted = meter.count("indexing games", Some(log.next_game()));
    let base = Options::default().profile(profile.name()).progress(counted);
    let done = forget(&args.db.db, &args.id, &args.source, &options, &base, &rules).map_err(failure)?;
    meter.end();
    let forgotten = before.saturating_sub(done.games);
    if args.json {
        report.object(&json!({ "forgotten": forgotten, "games": done.games, "dry_run": false }))?;
    } else {
        let games = count(done.games, "game", "games");
        report.summary(format!("forgot {}; {games} left", count(forgotten, "game", "games")))?;
    }
    report.finish()
}

/// Counts what would be forgotten.
fn would_forget(args: &Args, log: &LogReader, before: u64, mut report: Report) -> Result<Status> {
    let sources = log.sources();
    let is_named = |path: &str| args.source.iter().any(|source| source == path);
    if let Some(id) = args.id.iter().find(|id| **id >= log.next_game()) {
        return Err(failure(db::Error::Missing { what: "game", id: *id }));
    }
    let mut forgotten = 0;
    for game in log.games() {
        let game = game.map_err(failure)?;
        let path = sources.get(game.game.source.file as usize).map(|source| &*source.path);
        if args.id.contains(&game.id) || path.is_some_and(is_named) {
            forgotten += 1;
        }
    }
    let left = before - forgotten;
    if args.json {
        report.object(&json!({ "forgotten": forgotten, "games": left, "dry_run": true }))?;
    } else {
        let forgotten = count(forgotten, "game", "games");
        report
            .summary(format!("would forget {forgotten}; {} would be left", count(left, "game", "games")))?;
    }
    report.finish()
}
