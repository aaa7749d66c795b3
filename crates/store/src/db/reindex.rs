//! The index built from the games.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::engine::{Access, EngineKind};
use super::error::{Error, Result, ServerFault};
use super::export::LogReader;
use super::head::{DatabaseId, FORMAT_1, HEAD, Head};
use super::home::{Found, Home, newest_index};
use super::ingest::pool;
use super::lock::Holder;
use super::log::{Address, Log};
use super::manifest::Manifest;
use super::place::Place;
use super::replay::Replay;
use super::{Db, Options, Parts, old};

/// How an index is built.
#[derive(Clone, Debug, Default)]
pub struct ReindexOptions {
    /// The engine; the one that the index has if `None`.
    pub engine: Option<EngineKind>,
    /// The profile of the hashes; the one that the database has if `None`.
    pub profile: Option<String>,
    /// Positions after this ply are left out; as the database says if `None`, no limit for `Some(None)`.
    pub max_ply: Option<Option<u32>>,
    /// How many threads work; 0 for as many as there are cores.
    pub threads: usize,
    /// How long to wait for a database that is in use.
    pub wait: Duration,
}

/// What became of a database.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReindexReport {
    /// How many games it has.
    pub games: u64,
    /// How many positions.
    pub postings: u64,
    /// Whether it was of the format of version 0.1, and its games were taken over.
    pub converted: bool,
    /// Whether HEAD was missing or could not be read, and was made again from the games.
    pub new_head: bool,
}

/// Builds the index of a database from its games, beside the old one, then switches and removes the old one.
/// A database of version 0.1 is read and becomes one of this version; its data folder stays. A HEAD that is
/// missing or damaged is made again. The games are not touched.
///
/// # Errors
///
/// If the database is in use, a game cannot be read or replayed, or the disk fails. The old index is then as
/// it was.
pub fn reindex(
    path: &Path,
    options: &ReindexOptions,
    base: &Options,
    replay: &dyn Replay,
) -> Result<ReindexReport> {
    let mut report = ReindexReport::default();
    let holder = Holder::this("reindex", None);
    let place = Place::of(path)?;
    let none = || Error::NoDatabase { path: place.name() };
    if matches!(place, Place::Folder(_)) {
        // A folder that is no database gets no lock.
        match path.is_dir().then(|| place.look()) {
            None | Some(Ok(Found::Nothing)) => return Err(none()),
            Some(Err(error @ Error::NotADatabase { .. })) => return Err(error),
            Some(_) => {}
        }
    }
    let lock = place.lock(&holder, options.wait)?;
    let found = match place.look() {
        Err(Error::OtherFormat { found: FORMAT_1, .. }) => {
            report.converted = true;
            None
        }
        // No file can take the place of a folder.
        Err(error @ Error::HeadUnreadable { .. }) if path.join(HEAD).is_dir() => return Err(error),
        Err(Error::HeadMissing { .. } | Error::HeadUnreadable { .. }) => {
            report.new_head = true;
            Some(head_from_log(path, &place, base)?)
        }
        Ok(Found::Nothing) => return Err(none()),
        Ok(Found::Head(head)) => Some(head),
        Err(error) => return Err(error),
    };
    let home = Home::locked(place, lock);
    let pool = pool(options.threads)?;
    let head = match found {
        Some(head) => head,
        None => old::convert(path, replay, base)?,
    };
    let db = pool.install(|| build(home, &head, options, base, replay))?;
    report.games = db.snapshot().games();
    report.postings = db.snapshot().stats()?.postings;
    db.close()?;
    Ok(report)
}

fn build(
    home: Home,
    head: &Head,
    options: &ReindexOptions,
    base: &Options,
    replay: &dyn Replay,
) -> Result<Db> {
    let log = Log::new(home.storage(true), head.id, base.segment_bytes);
    log.check_reach(head.log)?;
    let log = Arc::new(log);
    let whole = log.whole_end(head.log)?;
    log.cut(whole)?;
    let reader = LogReader::over(Arc::clone(&log), whole, head.profile.clone())?;
    let before = home.engine_of(head.index).ok();
    let kind = options.engine.or(before).unwrap_or(base.engine);
    if home.place().engine(kind) != kind {
        return Err(Error::Server {
            server: home.place().name().to_string_lossy().into_owned(),
            what: "the index lies on the server, beside the games".to_owned(),
            fault: ServerFault::Engine,
        });
    }
    // What cannot be removed now is removed another time.
    let _ = home.remove_superseded(head);
    let number = home.free_index()?.max(head.index.saturating_add(1));
    let profile = options.profile.clone().unwrap_or_else(|| head.profile.clone());
    let max_ply = options.max_ply.unwrap_or(head.max_ply);
    let manifest =
        Manifest { generation: head.generation, ..Manifest::new(head.id, profile, max_ply, Log::first()) };
    let engine = home.create_index(number, &manifest, kind, base.cache())?;
    engine.apply(vec![manifest.write()])?;
    let parts = Parts { engine, log, home: Some(home), index_number: number, acknowledges: false, manifest };
    let open = base.clone().access(Access::Write);
    let mut db = Db::start(parts, open);
    db.build_all(whole, replay, &reader)?;
    // From here on the new index counts.
    db.shared.acknowledges = true;
    let manifest = db.shared.manifest();
    let new = db.shared.head_of(&manifest);
    if let Some(home) = &db.shared.home {
        home.write_head(&new)?;
        let _ = home.remove_superseded(&new);
    }
    Ok(db)
}

impl Db {
    fn build_all(&self, to: Address, replay: &dyn Replay, reader: &LogReader) -> Result<()> {
        let mut committer = super::writer::Committer::new(&self.shared);
        committer.guarded(|committer| committer.index_log(to, replay, true, reader.forgotten()))
    }
}

/// What HEAD would say, from the segments: they carry the id, and the end of the last whole batch is theirs
/// too. How positions are named is said by the newest index.
fn head_from_log(path: &Path, place: &Place, base: &Options) -> Result<Head> {
    let storage = place.storage(false);
    let mut id: Option<DatabaseId> = None;
    for segment in storage.segments()? {
        let found = Log::segment_id(&storage, segment)?;
        match (id, found) {
            (Some(id), Some(found)) if id != found => {
                return Err(Error::OtherDatabase {
                    path: storage.path(segment),
                    found: found.to_string(),
                    wanted: id.to_string(),
                });
            }
            _ => id = id.or(found),
        }
    }
    let id = id.ok_or(Error::NoDatabase { path: place.name() })?;
    let log = Arc::new(Log::new(storage, id, base.segment_bytes));
    log.check_reach(Log::first())?;
    let end = log.whole_end(Log::first())?;
    // Without HEAD nobody knows what was acknowledged: whatever stands after the last whole batch must be
    // nothing, or a torn end.
    log.check_tail(end)?;
    let reader = LogReader::over(log, end, String::new())?;
    let (index, indexing) =
        newest_index(path, id).map_or((0, None), |(number, note)| (number, note.indexing));
    let (profile, max_ply) = match indexing {
        Some(indexing) => (indexing.profile, indexing.max_ply),
        None => (base.profile.clone(), base.max_ply),
    };
    Ok(Head { id, generation: 1, log: end, games: reader.next_game(), index, profile, max_ply })
}
