//! `boardprint duplicates`: pairs of a stored game and a record that was the same.

use anyhow::Result;
use boardprint_store::db::{CopyNote, Snapshot};
use serde_json::{Value, json};

use crate::answers::{GameRow, Paths, sure};
use crate::database::{DbArg, count, failure};
use crate::report::{Report, Status};
use crate::table::sparing_table;

/// List records that were duplicates of stored games
///
/// Each line is a pair: the game that the database holds, and the record that was left out for it. They are
/// in the order in which the records came.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boardprint duplicates\n  \
    boardprint duplicates --limit 100 --cursor 100 --json")]
pub(crate) struct Args {
    #[command(flatten)]
    db: DbArg,

    /// List at most this many pairs; 0 for all
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,

    /// Continue after an earlier page, which printed this cursor
    #[arg(long, value_name = "CURSOR")]
    cursor: Option<u64>,

    /// Print one JSON object with the pairs
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<Status> {
    let mut report = Report::new(args.json);
    let (db, _) = args.db.read("duplicates")?;
    let snapshot = db.snapshot();
    let log = snapshot.export().map_err(failure)?;
    let limit = if args.limit == 0 { usize::MAX } else { args.limit };
    let from = args.cursor.unwrap_or(0);
    let (mut total, mut pairs) = (0_u64, Vec::new());
    for note in log.copies() {
        let note = note.map_err(failure)?;
        if total >= from && pairs.len() < limit {
            pairs.push(note);
        }
        total += 1;
    }
    let end = from + pairs.len() as u64;
    let next = (end < total).then_some(end);
    if args.json {
        let pairs = pairs.iter().map(|note| pair(&snapshot, note)).collect::<Result<Vec<_>>>()?;
        report.object(&json!({
            "generation": snapshot.generation(), "total": total, "pairs": pairs,
            "nextCursor": next.map(|next| next.to_string()),
        }))?;
    } else {
        print(&snapshot, &pairs, next, &mut report)?;
        report.talk(&count(total, "duplicate", "duplicates"));
    }
    drop((log, snapshot));
    db.close().map_err(failure)?;
    report.finish()
}

fn print(snapshot: &Snapshot, pairs: &[CopyNote], next: Option<u64>, report: &mut Report) -> Result<()> {
    if !pairs.is_empty() {
        let mut rows = vec![["game", "sure", "players", "kept", "duplicate"].map(str::to_owned).to_vec()];
        for note in pairs {
            rows.push(row(snapshot, note)?);
        }
        report.line(sparing_table(&rows, 1, &[2, 1]))?;
    }
    next.map_or(Ok(()), |next| report.line(format!("  and more: --cursor {next}")))
}

/// A forgotten game is shown by its number alone.
fn kept(snapshot: &Snapshot, note: &CopyNote) -> Result<Option<GameRow>> {
    let Some(line) = snapshot.game_line_of(note.of).map_err(failure)? else { return Ok(None) };
    let stored = snapshot.game(note.of).map_err(failure)?;
    Ok(Some(GameRow::new(snapshot, &line, &stored, Paths::Whole)))
}

fn row(snapshot: &Snapshot, note: &CopyNote) -> Result<Vec<String>> {
    let copy = Paths::Whole.place(snapshot, note.place.file, note.place.record);
    let (players, place) = match kept(snapshot, note)? {
        Some(row) => {
            let name = |name: &Option<Box<str>>| name.as_deref().unwrap_or("?").to_owned();
            let players = format!("{} - {}", name(&row.white), name(&row.black));
            (players, row.record.to_string())
        }
        None => ("(forgotten)".to_owned(), "-".to_owned()),
    };
    Ok(vec![note.of.to_string(), sure(note.confidence).to_owned(), players, place, copy.to_string()])
}

/// The copy has the moves of the game; what else it said went into the game, if it was merged.
fn pair(snapshot: &Snapshot, note: &CopyNote) -> Result<Value> {
    let kept = kept(snapshot, note)?;
    let plies = kept.as_ref().map_or(0, |row| row.plies);
    let result = kept.as_ref().map_or("unknown", |row| row.result);
    let kept = kept.map_or_else(|| Ok(json!({ "id": note.of })), serde_json::to_value)?;
    Ok(json!({
        "kept": kept,
        "copy": {
            "id": null, "record": Paths::Whole.place(snapshot, note.place.file, note.place.record), "plies": plies,
            "white": null, "black": null, "date": null, "event": null, "result": result,
        },
        "by": "game", "confidence": sure(note.confidence), "merged": note.merged, "same_plies": plies,
        "truncated": false, "next": { "kept": null, "copy": null },
    }))
}
