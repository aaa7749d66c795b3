//! `boardprint salvage`: what can be read of a damaged database.

use std::path::PathBuf;

use anyhow::Result;
use boardprint_games::Profile;
use boardprint_store::db::{EngineKind, Indexing, Missing, Options, salvage};
use serde_json::json;

use crate::args::PiecesArg;
use crate::database::{
    DbArg, count, engine_parser, failure, number, profile_of, start_threads, stored_rules,
};
use crate::report::{Report, Status, Usage};

/// Save every game that can still be read from a damaged database
///
/// Every intact part of the log of games is read, whatever lies in between, and its games become a new
/// database with new numbers. What is missing is listed; the exit status is then 1. The damaged database is
/// not changed.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  boardprint salvage saved.db --db damaged.db")]
pub(crate) struct Args {
    /// Make the new database in this folder
    #[arg(value_name = "DEST")]
    to: PathBuf,

    #[command(flatten)]
    db: DbArg,

    /// Keep the index of the new database on this engine
    #[arg(long, value_name = "ENGINE", default_value_t = EngineKind::Sled, value_parser = engine_parser())]
    engine: EngineKind,

    /// Make castling rights and en passant part of the names of positions of finite games
    #[arg(long)]
    rights: bool,

    #[command(flatten)]
    pieces: PiecesArg,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<Status> {
    let mut report = Report::new(args.json);
    start_threads(0, 0)?;
    // What cannot be read any more is no reason to save nothing.
    let known = Indexing::of(&args.db.db).ok().flatten();
    let profile = match &known {
        _ if args.rights => Profile::Rights,
        Some(known) => profile_of(&known.profile)?,
        None => Profile::default(),
    };
    let is_used = args.to.read_dir().is_ok_and(|mut entries| entries.next().is_some());
    if is_used {
        let message = format!("{} is not empty; name a new folder", args.to.display());
        return Err(Usage(message).into());
    }
    let options = Options::default()
        .profile(profile.name())
        .max_ply(known.and_then(|known| known.max_ply))
        .engine(args.engine)
        .wait(args.db.wait())
        .purpose("salvage");
    let rules = stored_rules(&args.pieces, profile)?;
    let saved = salvage(&args.db.db, &args.to, &options, &rules).map_err(failure)?;
    let missing = |missing: &Missing| {
        (missing.from.file_name(), missing.from.offset(), missing.bytes, missing.before_game)
    };
    if saved.missing_games > 0 || saved.unplayable > 0 || !saved.missing.is_empty() {
        report.raise(Status::BadRecords);
    }
    if args.json {
        let parts = saved.missing.iter().map(missing).map(|(segment, offset, bytes, before_game)| {
            json!({ "segment": segment, "offset": offset, "bytes": bytes, "before_game": before_game })
        });
        report.object(&json!({
            "games": saved.games, "missing_games": saved.missing_games, "unplayable": saved.unplayable,
            "missing": parts.collect::<Vec<_>>(),
        }))?;
        return report.finish();
    }
    for (segment, offset, bytes, before_game) in saved.missing.iter().map(missing) {
        let before = before_game.map(|game| format!(", before game {game}")).unwrap_or_default();
        report.line(format!(
            "{segment}: {} bytes from byte {} on cannot be read{before}",
            number(bytes),
            number(offset)
        ))?;
    }
    let mut parts = vec![format!("saved {}", count(saved.games, "game", "games"))];
    if saved.missing_games > 0 {
        parts.push(format!("{} known to be missing", count(saved.missing_games, "game is", "games are")));
    }
    if saved.unplayable > 0 {
        parts.push(format!("{} be played", count(saved.unplayable, "game cannot", "games cannot")));
    }
    report.summary(parts.join("; "))?;
    if saved.missing_games > 0 {
        report.talk(&format!(
            "note: to bring back what its files still have, import them again: boardprint import --db {} FILE…",
            args.to.display()
        ));
    }
    report.finish()
}
