//! `boardprint stats`: what the database holds.

use std::collections::BTreeMap;

use anyhow::Result;
use boardprint_base::GameResult;
use boardprint_games::{Profile, says_something};
use boardprint_store::db::{GameKind, SPECIFICATION, Snapshot, Stats};
use serde_json::json;

use crate::answers::{Results, kind_name, outcome};
use crate::database::{DbArg, failure, number};
use crate::report::{Report, Status};
use crate::serve::client;
use crate::table::facts;

/// Count what the database holds
///
/// A position that occurs in two games, or twice in one, is two occurrences and one distinct position.
/// Counting distinct positions, kinds and variants reads everything; --fast leaves them out.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  boardprint stats\n  boardprint stats --json --db chess.db")]
pub(crate) struct Args {
    #[command(flatten)]
    db: DbArg,

    /// Print only what is known without reading everything
    #[arg(long)]
    fast: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What takes a walk over everything.
#[derive(Default)]
struct Walked {
    positions: u64,
    kinds: BTreeMap<&'static str, u64>,
    variants: BTreeMap<String, u64>,
}

pub(crate) fn run(args: &Args) -> Result<Status> {
    let mut report = Report::new(args.json);
    if let Some(server) = client::Server::holding(&args.db.db) {
        client::stats(&server, &mut report)?;
        return report.finish();
    }
    let (db, profile) = args.db.read("stats")?;
    let snapshot = db.snapshot();
    let stats = snapshot.stats().map_err(failure)?;
    let walked = if args.fast { None } else { Some(walk(&snapshot)?) };
    if args.json {
        report.object(&object(&snapshot, &stats, profile, walked.as_ref()))?;
    } else {
        report.line(text(&stats, profile, walked.as_ref()))?;
    }
    drop(snapshot);
    db.close().map_err(failure)?;
    report.finish()
}

fn walk(snapshot: &Snapshot) -> Result<Walked> {
    let mut walked = Walked::default();
    if let Some(positions) = snapshot.distinct_positions() {
        walked.positions = positions;
    } else {
        for position in snapshot.export_positions() {
            position.map_err(failure)?;
            walked.positions += 1;
        }
    }
    let log = snapshot.export().map_err(failure)?;
    for game in log.games() {
        let game = game.map_err(failure)?.game;
        *walked.kinds.entry(kind_name(game.kind)).or_default() += 1;
        let variant = game.tag("Variant").filter(|variant| says_something(variant));
        let variant = variant.unwrap_or(match game.kind {
            GameKind::Infinite => "no variant named",
            other => kind_name(other),
        });
        *walked.variants.entry(variant.to_owned()).or_default() += 1;
    }
    Ok(walked)
}

fn object(
    snapshot: &Snapshot,
    stats: &Stats,
    profile: Profile,
    walked: Option<&Walked>,
) -> serde_json::Value {
    let sources: Vec<_> = stats
        .sources
        .iter()
        .map(|source| json!({ "path": source.path, "records": source.records, "bytes": source.offset }))
        .collect();
    json!({
        "generation": snapshot.generation(),
        "profile": profile.name(),
        "specification": SPECIFICATION,
        "max_ply": snapshot.max_ply(),
        "games": stats.games,
        "forgotten": stats.forgotten,
        "positions": stats.postings,
        "distinct_positions": walked.map(|walked| walked.positions),
        "results": Results::from(&stats.results),
        "kinds": walked.map(|walked| &walked.kinds),
        "variants": walked.map(|walked| &walked.variants),
        "duplicates": stats.duplicates,
        "rejected": stats.rejects,
        "position_bytes": stats.posting_bytes,
        "kept_bytes": stats.live_bytes,
        "game_bytes": stats.game_bytes,
        "disk_bytes": stats.disk_bytes,
        "runs": stats.posting_runs,
        "sources": sources,
    })
}

fn text(stats: &Stats, profile: Profile, walked: Option<&Walked>) -> String {
    let mut rows = Vec::new();
    let mut row = |name: &str, value: String| rows.push(vec![name.to_owned(), value]);
    row("games", number(stats.games));
    if stats.forgotten > 0 {
        row("forgotten games", number(stats.forgotten));
    }
    row("occurrences of positions", number(stats.postings));
    if let Some(walked) = walked {
        row("distinct positions", number(walked.positions));
    }
    for result in GameResult::ALL {
        let name = match result {
            GameResult::WhiteWins | GameResult::BlackWins => format!("won by {}", outcome(result)),
            GameResult::Draw => "drawn".to_owned(),
            GameResult::Unknown => "result unknown".to_owned(),
        };
        row(&name, number(stats.results.of(result)));
    }
    for (kind, games) in walked.into_iter().flat_map(|walked| &walked.kinds) {
        row(&format!("kind {kind}"), number(*games));
    }
    for (variant, games) in walked.into_iter().flat_map(|walked| &walked.variants) {
        row(&format!("variant {variant}"), number(*games));
    }
    row("duplicates left out", number(stats.duplicates));
    row("records rejected", number(stats.rejects));
    row("names of positions", profile.name().to_owned());
    row("index bytes per occurrence", ratio(stats.live_bytes, stats.postings));
    row("with the games", ratio(stats.live_bytes + stats.game_bytes, stats.postings));
    row("bytes of the index on disk", number(stats.disk_bytes));
    for source in &stats.sources {
        row(&format!("records of {}", source.path), number(source.records));
    }
    facts(rows)
}

#[expect(clippy::cast_precision_loss, reason = "one digit is shown")]
fn ratio(bytes: u64, positions: u64) -> String {
    if positions == 0 { "-".to_owned() } else { format!("{:.1}", bytes as f64 / positions as f64) }
}
