//! The database: games, and where every position occurred.
//!
//! A [`Db`] keeps games by number in a log of its own, and an index of every position on a storage engine.
//! The games are the truth: the index can always be built from them again ([`reindex`]). A database is
//! written in batches; a batch is there whole or not at all, whatever happens to the process.
//! [`Db::snapshot`] gives a view that does not change while a batch comes in.
//!
//! ```
//! use boardprint_base::{Digest, GameResult};
//! use boardprint_finite::Game;
//! use boardprint_store::db::{Batch, Db, GameKind, Moves, NewGame, Options, Replay, StoredGame, StoredMove, Tags};
//!
//! /// Somebody who knows the rules.
//! struct Rules;
//! impl Replay for Rules {
//!     fn identity(&self, game: &StoredGame) -> Result<Vec<u8>, String> {
//!         Ok(format!("{:?}", game.moves).into_bytes())
//!     }
//!     fn positions(&self, game: &StoredGame, each: &mut dyn FnMut(&[u8])) -> Result<(), String> {
//!         (0..=game.moves.len()).for_each(|ply| each(format!("after {ply}").as_bytes()));
//!         Ok(())
//!     }
//! }
//!
//! let db = Db::in_memory(Options::default())?;
//! let game = StoredGame {
//!     kind: GameKind::Finite(Game::Western),
//!     tags: Tags::new(),
//!     result: GameResult::Draw,
//!     start: "".into(),
//!     moves: Moves::finite([12 | 28 << 6]),
//!     source: Default::default(),
//!     extra: Default::default(),
//! };
//! let (start, after) = (Digest::of(b"after 0"), Digest::of(b"after 1"));
//! let hash = Digest::of(&Rules.identity(&game).unwrap());
//! let game = NewGame { game, hash, positions: vec![(start, 0), (after, 1)], laws: None };
//! db.ingest(Batch { games: vec![game], ..Batch::default() }, &Rules, None)?;
//!
//! let tally = db.snapshot().tally(&start)?;
//! assert_eq!((tally.games, tally.occurrences()), (1, 1));
//! assert_eq!(tally.moves[0].next, Some(StoredMove::Finite(12 | 28 << 6)));
//! # Ok::<(), boardprint_store::db::Error>(())
//! ```
//!
//! The layout is described in `docs/database.md`.

mod answer;
mod backup;
mod budget;
mod build;
mod bulk;
mod codec;
mod columns;
mod compact;
mod counts;
mod crowd;
mod engine;
mod error;
mod export;
mod filter;
mod forget;
mod game;
mod game_index;
mod head;
mod home;
mod ingest;
mod list;
mod load;
mod lock;
mod log;
mod manifest;
mod merge;
mod numberer;
mod old;
mod orders;
mod place;
mod positions;
#[cfg(feature = "postgres")]
mod postgres;
mod posting;
mod ratings;
mod recent;
mod recover;
mod reindex;
mod replay;
mod run;
mod salvage;
mod sighting;
mod snapshot;
mod sort;
mod spill;
mod verify;
mod visits;
mod words;
mod writer;

use std::path::Path;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

pub use self::answer::{Answer, Cursor, GameLine, MoveLine, Order, Question, Witness};
pub use self::backup::{BackupReport, backup};
pub use self::budget::Budget;
pub use self::columns::{Row, date};
pub use self::counts::Counts;
pub(crate) use self::crowd::{CROWD, Crowd};
pub use self::engine::{Access, Engine, EngineKind, MemoryEngine, Pair, RedbEngine, SledEngine, Tree, Write};
pub use self::error::{Error, Result, ServerFault, WayOut};
pub use self::export::{Copies, ExportedGame, ExportedGames, LogReader, Notes, Rejects};
pub use self::filter::{Filter, Side};
pub use self::forget::forget;
pub use self::game::{GameKind, Moves, MovesIter, Origin, StoredGame, StoredMove, Tags};
pub use self::head::{DatabaseId, SPECIFICATION};
pub use self::home::Indexing;
pub use self::ingest::{IngestOptions, IngestReport, Observer, Prepare, RejectReason, Rejected, ingest};
pub use self::list::GameList;
pub use self::load::{BuiltGame, BuiltNotes, BuiltPostings, LoadTarget, RunPart, load_part};
pub use self::lock::Holder;
pub use self::log::{Address, CopyNote, RejectNote};
pub use self::manifest::Source;
pub use self::merge::{MergeOptions, merge};
pub use self::numberer::{Judge, Verdict, merge_tags};
pub use self::place::shown_path;
pub use self::positions::{CountedPosition, CountedPositions, PositionOptions};
#[cfg(feature = "postgres")]
pub use self::postgres::{PostgresEngine, fdw_script, make_shards};
pub use self::posting::{Posting, Prefix};
pub use self::recent::Recent;
pub use self::reindex::{ReindexOptions, ReindexReport, reindex};
pub use self::replay::{Replay, Replayed};
pub use self::salvage::{Missing, SalvageReport, salvage};
pub use self::snapshot::{NextMove, Occurrences, PositionCounts, Snapshot, Stats, Tally};
pub use self::verify::{Finding, VerifyOptions, VerifyReport};
pub use self::writer::{Batch, Ingested, NewGame, OnDuplicate};

use self::game_index::Filter as KnownGames;
use self::head::{DatabaseId as Id, Head};
use self::home::{Found, Home};
use self::log::{Log, Storage};
use self::manifest::Manifest;
use self::place::Place;
use self::snapshot::Caches;
use self::writer::WriterState;

/// How a database is opened.
#[derive(Clone, Debug)]
pub struct Options {
    profile: String,
    any_profile: bool,
    max_ply: Option<u32>,
    memory: u64,
    create: bool,
    access: Access,
    engine: EngineKind,
    wait: Duration,
    purpose: String,
    address: Option<String>,
    counts_from: usize,
    fan_in: usize,
    segment_bytes: u64,
    progress: Option<Arc<AtomicU64>>,
}

impl Default for Options {
    /// The profile `cpn^ plain`, 512 MB, for writing, on sled; a database that does not exist is made, and
    /// one in use is not waited for.
    fn default() -> Self {
        Options {
            profile: "cpn^ plain".to_owned(),
            any_profile: false,
            max_ply: None,
            memory: 512 << 20,
            create: true,
            access: Access::Write,
            engine: EngineKind::Sled,
            wait: Duration::ZERO,
            purpose: "a program".to_owned(),
            address: None,
            counts_from: 64,
            fan_in: 16,
            segment_bytes: Log::SEGMENT_BYTES,
            progress: None,
        }
    }
}

impl Options {
    /// How the hashes are made: the CPN revision, and plain or with rights. Only [`reindex`] changes it later.
    #[must_use]
    pub fn profile(mut self, profile: impl Into<String>) -> Self {
        self.profile = profile.into();
        self
    }

    /// Whether a database that exists may have any profile; [`Snapshot::profile`] says which.
    #[must_use]
    pub fn any_profile(mut self, any: bool) -> Self {
        self.any_profile = any;
        self
    }

    /// Indexes positions up to this ply only. It counts for a database that is made; [`reindex`] changes it
    /// later.
    #[must_use]
    pub fn max_ply(mut self, ply: Option<u32>) -> Self {
        self.max_ply = ply;
        self
    }

    /// About how much memory to use, in bytes.
    #[must_use]
    pub fn memory(mut self, bytes: u64) -> Self {
        self.memory = bytes;
        self
    }

    /// Whether to make a database that does not exist.
    #[must_use]
    pub fn create(mut self, create: bool) -> Self {
        self.create = create;
        self
    }

    /// For reading or for writing. On redb, readers of several processes share a database; what is opened for
    /// reading is never made.
    #[must_use]
    pub fn access(mut self, access: Access) -> Self {
        self.access = access;
        self
    }

    /// The engine of a database that is made.
    #[must_use]
    pub fn engine(mut self, engine: EngineKind) -> Self {
        self.engine = engine;
        self
    }

    /// How long to wait for a database that is in use.
    #[must_use]
    pub fn wait(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }

    /// What the database is opened for, in a word or two, for those who wait for it.
    #[must_use]
    pub fn purpose(mut self, purpose: impl Into<String>) -> Self {
        self.purpose = purpose.into();
        self
    }

    /// Where this process answers for the database, if it is a server.
    #[must_use]
    pub fn address(mut self, address: impl Into<String>) -> Self {
        self.address = Some(address.into());
        self
    }

    /// How often a position must occur in one run to be counted ahead.
    #[must_use]
    pub fn counts_from(mut self, occurrences: usize) -> Self {
        self.counts_from = occurrences.max(1);
        self
    }

    /// How many runs of a level are merged into one of the next.
    #[must_use]
    pub fn fan_in(mut self, runs: usize) -> Self {
        self.fan_in = runs.max(2);
        self
    }

    /// How long a segment of the log gets before the next begins.
    #[must_use]
    pub fn segment_bytes(mut self, bytes: u64) -> Self {
        self.segment_bytes = bytes.max(1);
        self
    }

    /// Counts how far long work on the index is: games while it is built from them, positions while it is
    /// compacted.
    #[must_use]
    pub fn progress(mut self, done: Arc<AtomicU64>) -> Self {
        self.progress = Some(done);
        self
    }

    /// One more is done.
    fn count_progress(&self) {
        if let Some(progress) = &self.progress {
            progress.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// How many positions of games of the log are sorted together: each takes 32 bytes, and as much again
    /// while the games are there and while it is packed.
    pub(crate) fn positions_together(&self) -> usize {
        usize::try_from(self.memory / 64).unwrap_or(usize::MAX).max(1 << 10)
    }

    /// The part of the memory that the engine may keep for its pages.
    fn cache(&self) -> u64 {
        self.memory / 4
    }

    fn holder(&self) -> Holder {
        Holder::this(&self.purpose, self.address.as_deref())
    }
}

/// A database. It is `Send` and `Sync`: any number of threads may read while one writes.
pub struct Db {
    shared: Shared,
}

pub(crate) struct Shared {
    engine: Arc<dyn Engine>,
    log: Arc<Log>,
    /// The log for those who do not write.
    readers_log: Arc<Log>,
    home: Option<Home>,
    /// The number of the index folder in use.
    index_number: u32,
    /// Whether HEAD names this index, so that it moves on with it.
    acknowledges: bool,
    /// The state in which the database was opened.
    opened: u64,
    /// The newest state that somebody looked at.
    seen: AtomicU64,
    access: Access,
    options: Options,
    manifest: RwLock<Arc<Manifest>>,
    /// The manifest of a bulk load under way.
    loading: RwLock<Option<Arc<Manifest>>>,
    next_run: AtomicU32,
    writer: Mutex<WriterState>,
    /// The filter of game hashes, between imports.
    filter: Mutex<Option<KnownGames>>,
    /// What all views keep in memory.
    caches: Arc<Caches>,
    /// The same where others write too, with the state that it is of: they may have built the index again,
    /// with other numbers for the same names.
    others_caches: Mutex<(u64, Arc<Caches>)>,
}

/// The parts of a database that is open.
struct Parts {
    engine: Arc<dyn Engine>,
    log: Arc<Log>,
    home: Option<Home>,
    index_number: u32,
    acknowledges: bool,
    manifest: Manifest,
}

impl Db {
    /// Opens a database, or makes one.
    ///
    /// What interrupted work left is not touched before something is written: the database shows exactly the
    /// batches that were acknowledged.
    ///
    /// # Errors
    ///
    /// If it is in use, of another format or profile, damaged, or if the disk fails; [`Error::way_out`] says
    /// what to do.
    pub fn open(path: impl AsRef<Path>, options: Options) -> Result<Self> {
        let create = options.create && options.access == Access::Write;
        let place = Place::of(path.as_ref())?;
        let mut tries = 0;
        loop {
            let (home, found) =
                Home::open(place.clone(), options.access, create, &options.holder(), options.wait)?;
            let Found::Head(head) = found else { return Self::make(home, options) };
            tries += 1;
            match Self::open_existing(home, &head, options.clone()) {
                // Without a lock, another process may put a new index in the place of the one that HEAD named.
                Err(Error::BadIndex { .. } | Error::Server { fault: ServerFault::Changed, .. })
                    if tries < 5 && place.moved_on(&head)? => {}
                // Whoever may write mends that by opening and closing it.
                Err(Error::Interrupted { path }) if options.access == Access::Read && tries < 2 => {
                    let mended =
                        Self::open(place.name(), options.clone().access(Access::Write).create(false));
                    mended.and_then(Self::close).map_err(|error| match error {
                        Error::Io { .. } => Error::Interrupted { path },
                        other => other,
                    })?;
                }
                opened => return opened,
            }
        }
    }

    /// A database in memory.
    ///
    /// # Errors
    ///
    /// Never for a new one; the type is that of [`Db::open`].
    pub fn in_memory(options: Options) -> Result<Self> {
        Self::with_engine(Arc::new(MemoryEngine::new()), options)
    }

    /// A database with its log in memory and its index on an empty engine.
    ///
    /// # Errors
    ///
    /// If the engine fails, or is not empty.
    pub fn with_engine(engine: Arc<dyn Engine>, options: Options) -> Result<Self> {
        if Manifest::load(&*engine)?.is_some() {
            return Err(Error::inconsistent(Tree::Meta, "the engine holds an index already"));
        }
        let log = Log::new(Storage::memory(), Id::new(), options.segment_bytes);
        let end = log.create()?;
        let manifest = Manifest::new(log.id(), options.profile.clone(), options.max_ply, end);
        engine.apply(vec![manifest.write()])?;
        let log = Arc::new(log);
        let parts = Parts { engine, log, home: None, index_number: 0, acknowledges: false, manifest };
        Ok(Self::start(parts, options))
    }

    fn make(home: Home, options: Options) -> Result<Self> {
        let log = home.begin(options.segment_bytes)?;
        let id = log.id();
        let end = log.create()?;
        let index = home.free_index()?;
        let kind = home.place().engine(options.engine);
        let manifest = Manifest::new(id, options.profile.clone(), options.max_ply, end);
        let engine = home.create_index(index, &manifest, kind, options.cache())?;
        engine.apply(vec![manifest.write()])?;
        engine.sync()?;
        let parts = Parts {
            engine,
            log: Arc::new(log),
            home: Some(home),
            index_number: index,
            acknowledges: true,
            manifest,
        };
        let db = Self::start(parts, options);
        let head = db.shared.head_of(&db.shared.manifest());
        if let Some(home) = &db.shared.home {
            home.write_head(&head)?;
            home.note_holder();
        }
        Ok(db)
    }

    fn open_existing(home: Home, head: &Head, options: Options) -> Result<Self> {
        if head.profile != options.profile && !options.any_profile {
            return Err(Error::OtherProfile { found: head.profile.clone(), wanted: options.profile });
        }
        let writable = options.access == Access::Write;
        let log = Log::new(home.storage(writable), head.id, options.segment_bytes);
        log.check_reach(head.log)?;
        let (engine, kind) = home.open_index(head, options.cache(), options.access)?;
        let manifest = checked_manifest(&*engine, &home, head)?;
        if writable {
            // What cannot be removed now is removed another time.
            let _ = home.remove_superseded(head);
        }
        let interrupted_load = !manifest.spills.is_empty();
        let log = Arc::new(log);
        // An index that is ahead of HEAD counts only if the log is ahead too, and whole.
        if manifest.log_end > head.log && log.whole_end(head.log)? < manifest.log_end {
            let why = "it is ahead of the games".to_owned();
            return Err(Error::BadIndex { path: home.index(head.index), why });
        }
        let parts =
            Parts { engine, log, home: Some(home), index_number: head.index, acknowledges: true, manifest };
        let db = Self::start(parts, options);
        if interrupted_load {
            if !writable && kind.shares() {
                let path = db.shared.home.as_ref().map(|home| home.index(head.index));
                return Err(Error::Interrupted { path: path.unwrap_or_default() });
            }
            db.end_load()?;
        }
        Ok(db)
    }

    /// Ends a bulk load that was interrupted. Readers do it too: it changes nothing but the index.
    fn end_load(&self) -> Result<()> {
        let shared = &self.shared;
        let manifest = shared.manifest();
        let mut committer = writer::Committer::new(shared);
        *shared.loading.write().unwrap_or_else(PoisonError::into_inner) = Some(manifest);
        committer.guarded(writer::Committer::finish_bulk)
    }

    fn start(parts: Parts, options: Options) -> Self {
        let Parts { engine, log, home, index_number, acknowledges, manifest } = parts;
        let shared = Shared {
            engine,
            readers_log: log.reading(),
            log,
            home,
            index_number,
            acknowledges,
            opened: manifest.generation,
            seen: AtomicU64::new(manifest.generation),
            access: options.access,
            options,
            next_run: AtomicU32::new(manifest.next_run),
            manifest: RwLock::new(Arc::new(manifest)),
            loading: RwLock::default(),
            writer: Mutex::default(),
            filter: Mutex::default(),
            caches: Arc::default(),
            others_caches: Mutex::default(),
        };
        Db { shared }
    }

    /// A view of the database as it is now. Batches that come in later do not change it.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let shared = &self.shared;
        let log = Arc::clone(&shared.readers_log);
        // Where others write too, the state is that of now. If it cannot be had, the old one says why at the
        // first question.
        let view = shared.engine.view().ok().flatten();
        let now = view.and_then(|engine| Some((Manifest::load(&*engine).ok().flatten()?, engine)));
        // Another database may have been made in its place.
        let now = now.filter(|(manifest, _)| manifest.id == shared.log.id());
        let (engine, manifest, caches) = match now {
            Some((manifest, engine)) => {
                let caches = shared.caches_of(manifest.generation);
                (engine, Arc::new(manifest), caches)
            }
            None => (Arc::clone(&shared.engine), shared.manifest(), Arc::clone(&shared.caches)),
        };
        shared.seen.fetch_max(manifest.generation, Ordering::Relaxed);
        Snapshot::new(engine, log, manifest, caches)
    }

    /// The newest state that a snapshot of this database showed: the number grows with every change. Asks
    /// nobody.
    #[must_use]
    pub fn seen_generation(&self) -> u64 {
        self.shared.seen.load(Ordering::Relaxed).max(self.shared.manifest().generation)
    }

    /// Whether a snapshot costs next to nothing, because no server is asked for it.
    #[must_use]
    pub fn is_local(&self) -> bool {
        self.shared.home.as_ref().is_none_or(Home::is_folder)
    }

    /// The engine that keeps its index, if it lies somewhere.
    #[must_use]
    pub fn engine(&self) -> Option<EngineKind> {
        let shared = &self.shared;
        shared.home.as_ref().and_then(|home| home.engine_of(shared.index_number).ok())
    }

    /// What tells this database from all others.
    #[must_use]
    pub fn id(&self) -> DatabaseId {
        self.shared.log.id()
    }

    /// Closes the database. After much was written, this spends the time that the next open would take: sled
    /// notes where its pages are only when it opens. A database that is merely dropped is as safe.
    ///
    /// # Errors
    ///
    /// If the disk or the engine fails. What was acknowledged is in the log all the same.
    pub fn close(self) -> Result<()> {
        let shared = self.shared;
        let manifest = shared.manifest();
        let mut engine = shared.engine;
        let again = manifest.generation > shared.opened && engine.opens_slowly();
        // Snapshots that are still open keep it.
        let Some(ending) = Arc::get_mut(&mut engine) else { return Ok(()) };
        ending.close()?;
        drop(engine);
        if let Some(home) = shared.home
            && again
            && shared.access == Access::Write
            && let Found::Head(head) = home.place().look()?
        {
            let (engine, _) = home.open_index(&head, shared.options.cache(), Access::Write)?;
            checked_manifest(&*engine, &home, &head)?;
        }
        Ok(())
    }

    /// How far a source file has been read: where an import goes on.
    #[must_use]
    pub fn source(&self, path: &str, stamp: &boardprint_base::Digest) -> Option<Source> {
        self.shared.writer_manifest().source(path, stamp).cloned()
    }
}

impl Shared {
    fn manifest(&self) -> Arc<Manifest> {
        Arc::clone(&self.manifest.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// What views of a state keep in memory, where others write too.
    fn caches_of(&self, generation: u64) -> Arc<Caches> {
        let mut newest = self.others_caches.lock().unwrap_or_else(PoisonError::into_inner);
        if newest.0 < generation {
            *newest = (generation, Arc::default());
        }
        if newest.0 == generation { Arc::clone(&newest.1) } else { Arc::default() }
    }
}

/// The manifest of an index, if it is that of this database and as new as HEAD says. An engine that lost
/// something is not trusted.
fn checked_manifest(engine: &dyn Engine, home: &Home, head: &Head) -> Result<Manifest> {
    let bad = |why: String| Error::BadIndex { path: home.index(head.index), why };
    let manifest = match Manifest::load(engine) {
        Ok(Some(manifest)) => manifest,
        Ok(None) => return Err(bad("it is empty".to_owned())),
        Err(error) => return Err(bad(error.to_string())),
    };
    if manifest.id != head.id {
        return Err(bad(format!("it is the index of the database {}", manifest.id)));
    }
    if manifest.generation < head.generation || manifest.log_end < head.log {
        return Err(bad(format!(
            "it went back to state {}, HEAD says {}",
            manifest.generation, head.generation
        )));
    }
    if manifest.profile != head.profile {
        return Err(bad(format!("its hashes have the profile `{}`", manifest.profile)));
    }
    Ok(manifest)
}
