//! `boardprint merge`: databases into one.

use std::path::PathBuf;

use anyhow::Result;
use boardprint_games::Profile;
use boardprint_store::db::{self, Access, Db, EngineKind, LogReader, MergeOptions, Options, merge};
use boardprint_store::games::judge;
use serde_json::json;

use super::import::DuplicateArgs;
use crate::args::PiecesArg;
use crate::database::{
    NOTHING_WRITTEN, count, engine_note, engine_parser, failure, is_same_place, open_dry, start_threads,
    stored_rules,
};
use crate::meter::Meter;
use crate::report::{Report, Status, Usage};

/// Merge databases into one, as if their games had been imported in that order
///
/// The databases that are read may be in use. What they forgot stays forgotten. If this is interrupted, run
/// it again: games that are there already are duplicates.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boardprint merge all.db first.db second.db\n  \
    boardprint merge --dry-run all.db third.db")]
pub(crate) struct Args {
    /// Put the games into the database in this folder; it is made if it does not exist
    #[arg(value_name = "DEST")]
    to: PathBuf,

    /// Take the games from these databases
    #[arg(value_name = "DIR", required = true)]
    from: Vec<PathBuf>,

    #[command(flatten)]
    duplicates: DuplicateArgs,

    /// Say what would become of every game, and write nothing
    #[arg(long)]
    dry_run: bool,

    /// Keep the index of a new database on this engine; on sled unless given
    #[arg(long, value_name = "ENGINE", value_parser = engine_parser())]
    engine: Option<EngineKind>,

    /// Wait this long for a database that is in use
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(..=604_800))]
    wait: u64,

    #[command(flatten)]
    pieces: PiecesArg,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<Status> {
    let mut report = Report::new(args.json);
    if let Some(same) = args.from.iter().find(|from| is_same_place(from, &args.to)) {
        return Err(Usage(format!("{} is DEST itself; name other databases", same.display())).into());
    }
    start_threads(0, 0)?;
    // All of them must be there before anything is made; a new database names positions as the first of them
    // does.
    let (mut profile, mut total) = (None, 0);
    for from in &args.from {
        let log = LogReader::open(from).map_err(|error| match error {
            // There is no --db here.
            db::Error::NoDatabase { .. } => Usage(format!("{error}; name another folder")).into(),
            error => failure(error),
        })?;
        profile = profile.or_else(|| Profile::of_name(log.profile()));
        total += log.next_game();
    }
    let options = Options::default()
        .profile(profile.unwrap_or_default().name())
        .any_profile(true)
        .engine(args.engine.unwrap_or_default())
        .access(Access::Write)
        .wait(std::time::Duration::from_secs(args.wait))
        .purpose("merge");
    let db = if args.dry_run {
        open_dry(&args.to, options)?
    } else {
        Db::open(&args.to, options).map_err(failure)?
    };
    let profile = Profile::of_name(db.snapshot().profile()).unwrap_or_default();
    let rules = stored_rules(&args.pieces, profile)?;
    let judge = judge(args.duplicates.options());
    let mut meter = Meter::visible_if(true);
    let options = MergeOptions::default()
        .on_duplicate(args.duplicates.on_duplicate.into())
        .dry_run(args.dry_run)
        .progress(meter.count("merging games", Some(total)));
    let done = merge(&db, &args.from, &options, &rules, Some(&judge)).map_err(failure)?;
    meter.end();
    let games = db.snapshot().games() + if args.dry_run { done.games } else { 0 };
    if let Some(note) = engine_note(args.engine, &db) {
        report.talk(&note);
    }
    db.close().map_err(failure)?;
    if args.json {
        report.object(&json!({
            "games": done.games, "duplicates": done.duplicates, "merged": done.merged, "positions": done.postings,
            "games_in_all": games, "dry_run": args.dry_run,
        }))?;
    } else {
        report.summary(format!(
            "{}, {}; {} in all{}",
            count(done.games, "new game", "new games"),
            count(done.duplicates, "duplicate", "duplicates"),
            count(games, "game", "games"),
            if args.dry_run { NOTHING_WRITTEN } else { "" },
        ))?;
    }
    report.finish()
}
