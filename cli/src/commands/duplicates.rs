//! `boardprint duplicates`: pairs of a stored game and a record that was the same.

use anyhow::Result;
use boardprint_dedup::Confidence;
use boardprint_store::db::{CopyNote, GameLine, Snapshot};
use boardprint_store::games::confidence_of;
use serde_json::{Value, json};

use crate::answers::{game_row, outcome};
use crate::database::{DbArg, count, failure, table};
use crate::report::{Report, Status};

/// List records that were duplicates of stored games
///
/// Each line is a pair: the game that the database holds, and the record that was left out for it. They are in the order in which the records came.
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

    /// Go on after an earlier page, which printed this
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
        report.line(table(&rows, 1))?;
    }
    next.map_or(Ok(()), |next| report.line(format!("  and more: --cursor {next}")))
}

/// A forgotten game is shown by its number alone.
fn kept(snapshot: &Snapshot, note: &CopyNote) -> Result<Option<(GameLine, Value)>> {
    let Some(line) = snapshot.game_line_of(note.of).map_err(failure)? else { return Ok(None) };
    let stored = snapshot.game(note.of).map_err(failure)?;
    let row = game_row(&line, &stored);
    Ok(Some((line, row)))
}

const fn sure(note: &CopyNote) -> &'static str {
    match confidence_of(note.confidence) {
        Confidence::Certain => "certain",
        Confidence::Likely => "likely",
        Confidence::Doubtful => "possible",
    }
}

fn path_of(snapshot: &Snapshot, note: &CopyNote) -> String {
    snapshot
        .sources()
        .get(note.place.file as usize)
        .map_or_else(|| "?".to_owned(), |source| source.path.to_string())
}

fn row(snapshot: &Snapshot, note: &CopyNote) -> Result<Vec<String>> {
    let copy = format!("{}:{}", path_of(snapshot, note), note.place.record);
    let (players, place) = match kept(snapshot, note)? {
        Some((line, row)) => {
            let name = |name: &Option<Box<str>>| name.as_deref().unwrap_or("?").to_owned();
            let players = format!("{} - {}", name(&line.white), name(&line.black));
            (players, format!("{}:{}", line.source, row["record"]["record"]))
        }
        None => ("(forgotten)".to_owned(), "-".to_owned()),
    };
    Ok(vec![note.of.to_string(), sure(note).to_owned(), players, place, copy])
}

/// The copy has the moves of the game; what else it said went into the game, if it was merged.
fn pair(snapshot: &Snapshot, note: &CopyNote) -> Result<Value> {
    let kept = kept(snapshot, note)?;
    let plies = kept.as_ref().map_or(0, |(line, _)| line.row.plies);
    let result = kept.as_ref().map_or("unknown", |(line, _)| outcome(line.row.result));
    let record = json!({ "path": path_of(snapshot, note), "record": note.place.record, "line": null });
    Ok(json!({
        "kept": kept.map_or_else(|| json!({ "id": note.of }), |(_, row)| row),
        "copy": {
            "id": null, "record": record, "plies": plies, "white": null, "black": null, "date": null,
            "event": null, "result": result,
        },
        "by": "game", "confidence": sure(note), "merged": note.merged, "same_plies": plies, "truncated": false,
        "next": { "kept": null, "copy": null },
    }))
}
