//! `boardprint verify`: the full check of the database.

use anyhow::Result;
use boardprint_store::games::Collisions;
use serde_json::json;

use crate::args::ReadingArgs;
use crate::database::{DbArg, failure, number, rules};
use crate::report::{Report, Status};
use crate::visible::visible_line;

/// Checks every block and replays every game against its positions
///
/// The exit status is 3 if anything is damaged.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  boardprint verify\n  boardprint verify --paranoid --db chess.db")]
pub(crate) struct Args {
    #[command(flatten)]
    db: DbArg,

    #[command(flatten)]
    reading: ReadingArgs,

    /// Also compares the CPN of all positions that share a hash
    #[arg(long)]
    paranoid: bool,

    /// One JSON object a finding, then the sums
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<Status> {
    let mut report = Report::new(args.json);
    let (db, profile) = args.db.open()?;
    let rules = rules(&args.reading, profile)?;
    let snapshot = db.snapshot();
    let checked = snapshot.verify(Some(&rules)).map_err(failure)?;
    let mut findings: Vec<String> = checked.findings.iter().map(ToString::to_string).collect();
    if args.paranoid && findings.is_empty() {
        let collisions = Collisions::find(&snapshot, &rules).map_err(failure)?;
        findings.extend(collisions.iter().map(ToString::to_string));
    }
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
        let word = if well { "all is well".to_owned() } else { format!("{} findings", findings.len()) };
        report.line(format!("{word}: {games} games, {positions} positions, {blocks} blocks"))?;
    }
    report.finish()
}
