//! Games that are to be forgotten. The log says so from then on; the index is built again without them.

use std::path::Path;
use std::sync::Arc;

use super::Options;
use super::error::{Error, Result};
use super::export::LogReader;
use super::head::Head;
use super::home::Found;
use super::lock::Holder;
use super::log::{BatchEnd, Forget, Log};
use super::place::Place;
use super::reindex::{ReindexOptions, ReindexReport, reindex};
use super::replay::Replay;

/// Forgets games by number, and all games of sources by name, then builds the index again. Numbers of games
/// do not change. The games stay in the log until the database is merged into a new one; nothing shows them
/// any more.
///
/// # Errors
///
/// If there is no such game or source. If the index cannot be built again ([`Error::HalfForgotten`]), the games
/// are forgotten all the same, and [`reindex`] can be called again.
pub fn forget(
    path: &Path,
    games: &[u64],
    sources: &[String],
    options: &ReindexOptions,
    base: &Options,
    replay: &dyn Replay,
) -> Result<ReindexReport> {
    {
        let place = Place::of(path)?;
        let none = || Error::NoDatabase { path: place.name() };
        let Found::Head(_) = place.look()? else { return Err(none()) };
        let _lock = place.lock(&Holder::this("forget", None), options.wait)?;
        // Read under the lock: another process may have written just before.
        let Found::Head(head) = place.look()? else { return Err(none()) };
        append(&place, &head, games, sources, base)?;
    }
    reindex(path, options, base, replay).map_err(|error| Error::HalfForgotten(Box::new(error)))
}

fn append(place: &Place, head: &Head, games: &[u64], sources: &[String], base: &Options) -> Result<()> {
    let log = Arc::new(Log::new(place.storage(true), head.id, base.segment_bytes));
    log.check_reach(head.log)?;
    let end = log.whole_end(head.log)?;
    log.cut(end)?;
    let reader = LogReader::over(Arc::clone(&log), end, head.profile.clone())?;
    if let Some(id) = games.iter().find(|id| **id >= reader.next_game()) {
        return Err(Error::Missing { what: "game", id: *id });
    }
    let mut forget = Forget { games: games.to_vec(), sources: Vec::new() };
    for name in sources {
        let found: Vec<u32> =
            (0..).zip(reader.sources()).filter(|(_, known)| *known.path == **name).map(|(n, _)| n).collect();
        if found.is_empty() {
            let cause = std::io::Error::new(std::io::ErrorKind::NotFound, "no games came from it");
            return Err(Error::Io { action: "forget", path: name.into(), cause });
        }
        forget.sources.extend(found);
    }
    let at = log.place_for_batch(end)?;
    let mut bytes = Vec::new();
    forget.frame().write(at, &mut bytes);
    let (duplicates, rejects) = reader.duplicates_and_rejects();
    // A source that is forgotten may be read again from its beginning.
    let marks = forget.sources.iter().filter_map(|number| {
        let source = reader.sources().get(*number as usize)?.clone();
        let source = super::manifest::Source { offset: 0, records: 0, ..source };
        Some(super::log::SourceMark { number: *number, source })
    });
    let done = BatchEnd {
        begin: at,
        previous: end,
        next_game: reader.next_game(),
        duplicates,
        rejects,
        results: super::counts::Counts::default(),
        sources: marks.collect(),
    };
    done.frame().write(at.after(bytes.len() as u64)?, &mut bytes);
    log.append(at, &bytes)?;
    log.storage().keep()
}
