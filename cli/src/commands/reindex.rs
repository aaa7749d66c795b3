//! `boardprint reindex`: the index built again from the games.

use anyhow::Result;
use boardprint_games::Profile;
use boardprint_store::db::{EngineKind, Indexing, Options, ReindexOptions, reindex};
use serde_json::json;

use crate::args::PiecesArg;
use crate::database::{
    DbArg, count, engine_parser, failure, profile_of, start_threads, stored_rules, threads_parser,
};
use crate::meter::Meter;
use crate::report::{Report, Status};

/// Build the index of the database again from its games
///
/// The new index is built beside the old one, which stays until the new one is complete. The games are not
/// touched. This also changes the engine, the way in which positions are named and how many half-moves are
/// indexed, restores a lost HEAD, and takes over a database of version 0.1.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boardprint reindex\n  \
    boardprint reindex --engine redb --db chess.db\n  \
    boardprint reindex --rights --max-ply 40")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Args {
    #[command(flatten)]
    db: DbArg,

    /// Keep the index on this engine instead of its present one
    #[arg(long, value_name = "ENGINE", value_parser = engine_parser())]
    engine: Option<EngineKind>,

    /// Make castling rights and en passant part of the names of positions of finite games
    #[arg(long)]
    rights: bool,

    /// Leave castling rights and en passant out of the names of positions of finite games
    #[arg(long, conflicts_with = "rights")]
    plain: bool,

    /// Index only the first N half-moves of each game
    #[arg(long, value_name = "N", conflicts_with = "all_plies")]
    max_ply: Option<u32>,

    /// Index every half-move again
    #[arg(long)]
    all_plies: bool,

    /// Use this many threads; one per core unless given
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true, value_parser = threads_parser())]
    threads: usize,

    #[command(flatten)]
    pieces: PiecesArg,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<Status> {
    start_threads(args.threads, 0)?;
    let mut report = Report::new(args.json);
    let total = args.db.games().ok().map(|(log, _)| log.next_game());
    // A database of version 0.1 does not say it here; it is named plainly then.
    let known = Indexing::of(&args.db.db).map_err(failure)?;
    let profile = match (args.rights, args.plain) {
        (true, _) => Profile::Rights,
        (_, true) => Profile::Plain,
        _ => known.as_ref().map(|known| profile_of(&known.profile)).transpose()?.unwrap_or_default(),
    };
    let options = ReindexOptions {
        engine: args.engine,
        profile: Some(profile.name().to_owned()),
        max_ply: if args.all_plies { Some(None) } else { args.max_ply.map(Some) },
        threads: args.threads,
        wait: args.db.wait(),
    };
    let rules = stored_rules(&args.pieces, profile)?;
    let mut meter = Meter::visible_if(true);
    let base = Options::default().profile(profile.name()).progress(meter.count("indexing games", total));
    let done = reindex(&args.db.db, &options, &base, &rules).map_err(failure)?;
    meter.end();
    if done.converted {
        report.talk(
            "note: the games of a database of version 0.1 were taken over; its data folder can be removed",
        );
    }
    if done.new_head {
        let named = match known {
            Some(_) => "",
            None => {
                "; nothing says how positions were named, so they are named plainly unless you give --rights"
            }
        };
        report.talk(&format!("note: HEAD was restored from the games{named}"));
    }
    if args.json {
        report.object(&json!({
            "games": done.games, "occurrences": done.postings, "profile": profile.name(),
            "converted": done.converted, "new_head": done.new_head,
        }))?;
    } else {
        let games = count(done.games, "game", "games");
        report.summary(format!("indexed {games} with {}", count(done.postings, "position", "positions")))?;
    }
    report.finish()
}
