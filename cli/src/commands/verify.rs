//! `boardprint verify`: the full check of the database.

use anyhow::Result;
use boardprint_store::db::{self, Access, Db, ExportedGame, LogReader, Replay as _, VerifyOptions};
use boardprint_store::games::Rules;
use rayon::prelude::*;
use serde_json::json;

use crate::args::PiecesArg;
use crate::database::{DbArg, count, failure, start_threads, stored_rules, threads_parser};
use crate::meter::Meter;
use crate::report::{Report, Status};
use crate::visible::visible_line;

/// Check every game, and the index against the games
///
/// The log of games is read first, without the index: every game is replayed. Then every block of the index
/// is compared with what the games left in it. Different games that share a hash are found too. The exit
/// status is 3 if anything is wrong; each finding says what helps.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  boardprint verify\n  boardprint verify --paranoid --db chess.db")]
pub(crate) struct Args {
    #[command(flatten)]
    db: DbArg,

    #[command(flatten)]
    pieces: PiecesArg,

    /// Also look for different positions that share the stored part of a hash, which takes sorting all
    /// positions
    #[arg(long)]
    paranoid: bool,

    /// Use this many threads; one per core unless given
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true, value_parser = threads_parser())]
    threads: usize,

    /// Print one JSON object per finding, then the sums
    #[arg(long)]
    json: bool,
}

/// What the engine takes its cache from. Everything is read once, so that a large one is of no use.
const MEMORY: u64 = 64 << 20;
/// Games are replayed together until they have this many moves.
const TOGETHER: usize = 1 << 14;

/// What was looked at.
#[derive(Default)]
struct Checked {
    games: u64,
    positions: u64,
    blocks: u64,
    findings: u64,
}

pub(crate) fn run(args: &Args) -> Result<Status> {
    let mut report = Report::new(args.json);
    start_threads(args.threads, MEMORY)?;
    let (log, profile) = args.db.games()?;
    let rules = stored_rules(&args.pieces, profile)?;
    let options = args.db.options("verify").memory(MEMORY).access(Access::Read);
    let mut checked = Checked::default();
    match Db::open(&args.db.db, options) {
        Ok(db) => {
            let snapshot = db.snapshot();
            let mut meter = Meter::visible_if(true);
            // Each position is met twice: in its game, and in the index.
            let total = snapshot.stats().ok().map(|stats| 2 * stats.postings);
            let progress = meter.count("checking positions", total);
            let options = VerifyOptions::default().collisions(args.paranoid).progress(progress);
            let done = snapshot.verify_with(&rules, &options).map_err(failure)?;
            meter.end();
            drop(snapshot);
            if let Err(error) = db.close() {
                checked.found(&error.to_string(), Some(error.way_out()), &mut report)?;
            }
            (checked.games, checked.positions, checked.blocks) = (done.games, done.postings, done.blocks);
            for finding in &done.findings {
                let help = match finding {
                    db::Finding::Broken(error) => Some(error.way_out()),
                    db::Finding::Mismatch { .. } | db::Finding::Counts(_) => Some(db::WayOut::Reindex),
                    db::Finding::Game { .. } => Some(db::WayOut::Salvage),
                    _ => None,
                };
                checked.found(&finding.to_string(), help, &mut report)?;
            }
        }
        // Without its index the games can be checked all the same.
        Err(error) if error.way_out() == db::WayOut::Reindex => {
            checked.found(&error.to_string(), Some(error.way_out()), &mut report)?;
            check_games(&log, &rules, &mut checked, &mut report)?;
        }
        Err(error) => return Err(failure(error)),
    }
    checked.print(&mut report)?;
    report.finish()
}

/// Reads the log from end to end, and replays every game.
fn check_games(log: &LogReader, rules: &Rules, checked: &mut Checked, report: &mut Report) -> Result<()> {
    let (mut games, mut moves) = (Vec::new(), 0);
    let mut items = log.games();
    loop {
        let item = items.next();
        // A log that cannot be read on has ended.
        let at_end = item.as_ref().is_none_or(Result::is_err);
        match item {
            Some(Ok(game)) => {
                moves += game.game.moves.len() + 1;
                games.push(game);
            }
            Some(Err(error)) => {
                checked.found(&error.to_string(), Some(error.way_out()), report)?;
            }
            None => {}
        }
        if at_end || moves >= TOGETHER {
            moves = 0;
            let wrong: Vec<Option<String>> = games.par_iter().map(|game| wrong(game, rules)).collect();
            checked.games += games.len() as u64;
            games.clear();
            for finding in wrong.into_iter().flatten() {
                checked.found(&finding, Some(db::WayOut::Salvage), report)?;
            }
        }
        if at_end {
            break;
        }
    }
    for error in log.copies().filter_map(Result::err).chain(log.rejects().filter_map(Result::err)) {
        checked.found(&error.to_string(), Some(error.way_out()), report)?;
    }
    Ok(())
}

fn wrong(exported: &ExportedGame, rules: &Rules) -> Option<String> {
    let ExportedGame { id, game, hash } = exported;
    match rules.replay(game) {
        Err(why) => Some(format!("game {id} is wrong: {why}")),
        // The hash of a position depends on how positions are named, which may have changed since.
        Ok(replayed) if replayed.hash != *hash && !game.moves.is_empty() => {
            Some(format!("game {id} is wrong: its hash is {}, not {hash}", replayed.hash))
        }
        Ok(_) => None,
    }
}

impl Checked {
    fn found(&mut self, finding: &str, help: Option<db::WayOut>, report: &mut Report) -> Result<()> {
        self.findings += 1;
        report.raise(Status::MachineFailed);
        if report.is_json() {
            return report.object(&json!({ "finding": finding, "help": help.map(|help| help.to_string()) }));
        }
        let help = help.map(|help| format!("; {help}")).unwrap_or_default();
        report.line(&*visible_line(&format!("{finding}{help}")))
    }

    fn print(&self, report: &mut Report) -> Result<()> {
        if report.is_json() {
            return report.object(&json!({
                "ok": self.findings == 0, "findings": self.findings, "games": self.games,
                "positions": self.positions, "blocks": self.blocks,
            }));
        }
        let word = match self.findings {
            0 => "all is well".to_owned(),
            findings => count(findings, "finding", "findings"),
        };
        let games = count(self.games, "game", "games");
        let positions = count(self.positions, "position", "positions");
        report.sentence(format!("{word}: {games}, {positions}, {}", count(self.blocks, "block", "blocks")))
    }
}
