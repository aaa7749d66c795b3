//! `boardprint compact`: the index without free space.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Result;
use boardprint_store::db::Access;
use serde_json::json;

use crate::database::{DbArg, failure, number, start_threads};
use crate::meter::{Meter, Unit};
use crate::report::{Report, Status};

/// Rewrite the index of the database without the space that merges left free
///
/// This needs room for a second index meanwhile. If it is interrupted, the old index is still there. The
/// games are not touched.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  boardprint compact\n  boardprint compact --db chess.db")]
pub(crate) struct Args {
    #[command(flatten)]
    db: DbArg,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<Status> {
    let mut report = Report::new(args.json);
    start_threads(0, 0)?;
    let (copied, mut meter) = (Arc::new(AtomicU64::new(0)), Meter::visible_if(true));
    let options = args.db.options("compact").access(Access::Write).progress(Arc::clone(&copied));
    let (db, _) = args.db.open(options)?;
    let stats = db.snapshot().stats().map_err(failure)?;
    let before = stats.disk_bytes;
    meter.begin("copying positions", Unit::Items, Some(stats.postings), move || {
        copied.load(Ordering::Relaxed)
    });
    let db = db.compact().map_err(failure)?;
    meter.end();
    let after = db.snapshot().stats().map_err(failure)?.disk_bytes;
    db.close().map_err(failure)?;
    if args.json {
        report.object(&json!({ "before": before, "after": after }))?;
    } else {
        report.summary(format!("the index took {} bytes and now takes {}", number(before), number(after)))?;
    }
    report.finish()
}
