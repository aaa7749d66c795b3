//! `boardprint stats`: what the database holds.

use std::collections::BTreeMap;

use anyhow::Result;
use boardprint_base::GameResult;
use boardprint_games::Profile;
use boardprint_store::db::{Snapshot, Stats};
use serde_json::json;

use crate::database::{DbArg, failure, number, results_object, table};
use crate::report::{Report, Status};
use crate::serve::client;

/// What the database holds
///
/// Counting distinct positions and variants reads the whole database; --fast leaves them out.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  boardprint stats\n  boardprint stats --json --db chess.db")]
pub(crate) struct Args {
    #[command(flatten)]
    db: DbArg,

    /// Only what is known without reading everything
    #[arg(long)]
    fast: bool,

    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// What takes a walk over everything.
#[derive(Default)]
struct Walked {
    positions: u64,
    variants: BTreeMap<String, u64>,
}

pub(crate) fn run(args: &Args) -> Result<Status> {
    let mut report = Report::new(args.json);
    if let Some(server) = client::Server::holding(&args.db.db) {
        client::stats(&server, &mut report)?;
        return report.finish();
    }
    let (db, profile) = args.db.open()?;
    let snapshot = db.snapshot();
    let stats = snapshot.stats().map_err(failure)?;
    let walked = if args.fast { None } else { Some(walk(&snapshot)?) };
    if args.json {
        report.object(&object(&stats, profile, walked.as_ref()))?;
    } else {
        report.line(text(&stats, profile, walked.as_ref()))?;
    }
    report.finish()
}

fn walk(snapshot: &Snapshot) -> Result<Walked> {
    let mut walked = Walked::default();
    for position in snapshot.export_positions() {
        position.map_err(failure)?;
        walked.positions += 1;
    }
    let log = snapshot.export().map_err(failure)?;
    for game in log.games() {
        let game = game.map_err(failure)?.game;
        let variant = game.tag("Variant").filter(|variant| !variant.is_empty());
        let variant = variant.unwrap_or(match game.kind {
            boardprint_store::db::GameKind::Infinite => "no variant named",
            other => other.name(),
        });
        *walked.variants.entry(variant.to_owned()).or_default() += 1;
    }
    Ok(walked)
}

fn object(stats: &Stats, profile: Profile, walked: Option<&Walked>) -> serde_json::Value {
    let sources: Vec<_> = stats
        .sources
        .iter()
        .map(|source| json!({ "path": source.path, "records": source.records, "bytes": source.offset }))
        .collect();
    json!({
        "profile": profile.name(),
        "games": stats.games,
        "positions": stats.postings,
        "distinct_positions": walked.map(|walked| walked.positions),
        "results": results_object(&stats.results),
        "variants": walked.map(|walked| &walked.variants),
        "duplicates": stats.duplicates,
        "rejected": stats.rejects,
        "position_bytes": stats.posting_bytes,
        "kept_bytes": stats.live_bytes,
        "disk_bytes": stats.disk_bytes,
        "runs": stats.posting_runs,
        "sources": sources,
    })
}

fn text(stats: &Stats, profile: Profile, walked: Option<&Walked>) -> String {
    let mut rows = Vec::new();
    let mut row = |name: &str, value: String| rows.push(vec![name.to_owned(), value]);
    row("games", number(stats.games));
    row("positions", number(stats.postings));
    if let Some(walked) = walked {
        row("distinct positions", number(walked.positions));
    }
    for result in GameResult::ALL {
        row(&format!("result {result}"), number(stats.results.of(result)));
    }
    for (variant, games) in walked.into_iter().flat_map(|walked| &walked.variants) {
        row(&format!("variant {variant}"), number(*games));
    }
    row("duplicates left out", number(stats.duplicates));
    row("records rejected", number(stats.rejects));
    row("names", profile.name().to_owned());
    row("bytes a position", ratio(stats.posting_bytes, stats.postings));
    row("with games", ratio(stats.live_bytes, stats.postings));
    row("bytes on disk", number(stats.disk_bytes));
    for source in &stats.sources {
        row(&format!("records of {}", source.path), number(source.records));
    }
    table(&rows, 0)
}

#[expect(clippy::cast_precision_loss, reason = "one digit is shown")]
fn ratio(bytes: u64, positions: u64) -> String {
    if positions == 0 { "-".to_owned() } else { format!("{:.1}", bytes as f64 / positions as f64) }
}
