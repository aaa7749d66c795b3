//! `boardprint compact`: the database without free space.

use anyhow::Result;

use crate::database::{DbArg, failure, number};
use crate::report::{Report, Status};

/// Writes the database anew, without the space that merges left free
///
/// Needs room for a second copy meanwhile. If it is interrupted, the old database is still there.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  boardprint compact\n  boardprint compact --db chess.db")]
#[command(after_help = "Examples:\n  boardprint compact --db chess.db")]
pub(crate) struct Args {
    #[command(flatten)]
    db: DbArg,
}

pub(crate) fn run(args: &Args) -> Result<Status> {
    let mut report = Report::new(false);
    let (db, _) = args.db.open()?;
    let before = db.snapshot().stats().map_err(failure)?.disk_bytes;
    let db = db.compact().map_err(failure)?;
    let after = db.snapshot().stats().map_err(failure)?.disk_bytes;
    db.close().map_err(failure)?;
    report.line(format!("{} bytes before, {} bytes now", number(before), number(after)))?;
    report.finish()
}
