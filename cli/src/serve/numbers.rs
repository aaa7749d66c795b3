//! What the database holds: numbers, variants, hashes by their first digits.

use std::collections::BTreeMap;

use boardprint_base::DigestPrefix;
use boardprint_icn::variants;
use boardprint_store::db::Prefix;
use serde_json::{Value, json};

use super::app::{Context, Question, Reply};
use super::fault::{Fault, Outcome};
use crate::answers::{Paths, Results};

/// What the database holds.
pub(super) fn stats(view: &Context<'_>, question: &Question) -> Outcome<Reply> {
    question.query.only(&[])?;
    let snapshot = &view.snapshot;
    let stats = snapshot.stats()?;
    let sources: Vec<Value> = stats
        .sources
        .iter()
        .map(|source| json!({ "path": Paths::Names.show(&source.path), "bytes": source.offset, "records": source.records }))
        .collect();
    Reply::json(&json!({
        "generation": snapshot.generation(),
        "games": stats.games,
        "positions": stats.postings,
        "distinct_positions": snapshot.distinct_positions().or_else(|| view.app.keeper.distinct(snapshot.generation())),
        "duplicates": stats.duplicates,
        "rejected": stats.rejects,
        "results": Results::from(&stats.results),
        "disk_bytes": stats.disk_bytes,
        "position_bytes": stats.posting_bytes,
        "kept_bytes": stats.live_bytes,
        "runs": stats.posting_runs,
        "profile": view.app.profile.name(),
        "variants": view.app.keeper.variants(),
        "sources": sources,
    }))
}

/// The built-in variants, and how often each is in the database as far as that was counted.
pub(super) fn list(view: &Context<'_>, question: &Question) -> Outcome<Reply> {
    question.query.only(&[])?;
    let mut games: BTreeMap<&str, u64> = BTreeMap::new();
    let counted = view.app.keeper.variants();
    for (name, count) in &counted {
        if let Some(variant) = variants::find(name) {
            *games.entry(variant.code()).or_default() += count;
        }
    }
    let list: Vec<Value> = variants::all()
        .iter()
        .map(|variant| {
            let pieces = variant.at(None).map_or(0, |revision| revision.placement().split('|').count());
            json!({
                "code": variant.code(), "name": variant.name(), "pieces": pieces,
                "revisions": variant.revisions().len(), "games": games.get(variant.code()).copied().unwrap_or(0),
            })
        })
        .collect();
    Reply::json(&json!({ "variants": list }))
}

/// The positions whose hashes begin with some digits.
pub(super) fn prefix(view: &Context<'_>, question: &Question) -> Outcome<Reply> {
    let query = &question.query;
    query.only(&[&["limit", "cursor"]])?;
    let limit = query.number("limit", 50, 1_000)?;
    let name = question.name.to_ascii_lowercase();
    let digits = name.parse::<DigestPrefix>().ok().filter(|digits| digits.digits() >= 6);
    let digits = digits.ok_or_else(|| Fault::parameter("write 6 to 40 hexadecimal digits"))?;
    let after = query.parsed::<DigestPrefix>("cursor", "the `nextCursor` of an earlier answer")?;
    let after = after.map(|cursor| Prefix::of(&cursor.first()));
    let snapshot = &view.snapshot;
    let (hashes, next) = view.finder().beginning_with(&digits, after, limit)?;
    let mut positions = Vec::with_capacity(hashes.len());
    for hash in hashes {
        let tally = snapshot.tally(&hash)?;
        positions.push(json!({ "hash": hash, "occurrences": tally.occurrences(), "games": tally.games }));
    }
    let next = next.map(|prefix| prefix.to_string());
    Reply::json(&json!({
        "generation": snapshot.generation(), "prefix": digits.to_string(),
        "positions": positions, "nextCursor": next,
    }))
}
