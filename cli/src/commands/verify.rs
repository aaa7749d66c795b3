//! `boardprint verify`: the full check of the database.

use anyhow::Result;
use boardprint_store::db::Options;
use serde_json::json;

use crate::args::ReadingArgs;
use crate::database::{DbArg, failure, number, rules};
use crate::report::{Report, Status};
use crate::visible::visible_line;

/// Checks every block and replays every game against its positions
///
/// Different positions or games that share a hash are found, too. The exit status is 3 if anything is wrong.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  boardprint verify\n  boardprint verify --db chess.db")]
pub(crate) struct Args {
    #[command(flatten)]
    db: DbArg,

    #[command(flatten)]
    reading: ReadingArgs,

    /// What is always done: compares the texts of all positions and games that share a hash
    #[arg(long, hide = true)]
    paranoid: bool,

    /// One JSON object a finding, then the sums
    #[arg(long)]
    json: bool,
}

/// What the engine takes its cache from. Everything is read once, so that a large one is of no use.
const MEMORY: u64 = 64 << 20;

pub(crate) fn run(args: &Args) -> Result<Status> {
    let mut report = Report::new(args.json);
    let (db, profile) =
        args.db.open_with(Options::default().create(false).any_profile(true).memory(MEMORY))?;
    let rules = rules(&args.reading, profile)?;
    let snapshot = db.snapshot();
    let checked = snapshot.verify(&rules).map_err(failure)?;
    let findings: Vec<String> = checked.findings.iter().map(ToString::to_string).collect();
    for finding in &findings {
        report.raise(Status::MachineFailed);
        if args.json {
            report.object(&json!({ "finding": finding }))?;
        } else {
            report.line(&*visible_line(finding))?;
        }
    }
    let well = findings.is_empty();
    if args.json {
        report.object(&json!({
            "ok": well, "games": checked.games, "positions": checked.postings, "blocks": checked.blocks,
        }))?;
    } else {
        let (games, positions) = (number(checked.games), number(checked.postings));
        let blocks = number(checked.blocks);
        let word = match findings.len() {
            0 => "all is well".to_owned(),
            1 => "1 finding".to_owned(),
            count => format!("{} findings", number(count as u64)),
        };
        report.line(format!("{word}: {games} games, {positions} positions, {blocks} blocks"))?;
    }
    report.finish()
}
