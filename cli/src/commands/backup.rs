//! `boardprint backup`: a copy of the games.

use std::path::PathBuf;

use anyhow::Result;
use boardprint_store::db::backup;
use serde_json::json;

use crate::database::{DbArg, count, failure, is_same_place, number};
use crate::report::{Report, Status, Usage};

/// Copy the games of the database into another folder
///
/// The database may be in use, even by an import: the copy holds everything that was acknowledged when it
/// began. A second backup into the same folder copies only what was added since. The copy has no index;
/// `boardprint reindex --db DEST` builds one.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  boardprint backup /mnt/backup/chess.db\n  boardprint backup copy.db --db chess.db"
)]
pub(crate) struct Args {
    /// Write the copy into this folder: a new one, or one with an earlier backup of the same database
    #[arg(value_name = "DEST")]
    to: PathBuf,

    #[command(flatten)]
    db: DbArg,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<Status> {
    let mut report = Report::new(args.json);
    if is_same_place(&args.db.db, &args.to) {
        return Err(
            Usage(format!("{} is the database itself; name another folder", args.to.display())).into()
        );
    }
    let done = backup(&args.db.db, &args.to).map_err(failure)?;
    if args.json {
        report.object(&json!({ "games": done.games, "copied": done.copied, "bytes": done.bytes }))?;
    } else {
        let (copied, bytes) = (number(done.copied), number(done.bytes));
        let games = count(done.games, "game", "games");
        report.summary(format!("the backup holds {games} in {bytes} bytes, {copied} of them copied now"))?;
    }
    report.finish()
}
