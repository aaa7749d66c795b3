//! The database: games, and where every position occurred.
//!
//! A [`Db`] keeps games by number, and for each position the games and plies where it occurred. It is written in batches; a batch
//! is there whole or not at all, whatever happens to the process. [`Db::snapshot`] gives a view that does not change while a
//! batch comes in.
//!
//! ```
//! use boardprint_base::{Digest, GameResult};
//! use boardprint_store::db::{Batch, Db, Moves, NewGame, Options, StoredGame, WesternMove};
//!
//! let db = Db::in_memory(Options::default())?;
//! let e4 = WesternMove::new(12, 28, None).unwrap();
//! let game = StoredGame {
//!     tags: Vec::new(),
//!     result: GameResult::Draw,
//!     start: "".into(),
//!     moves: Moves::western([e4]),
//!     source: Default::default(),
//!     extra: Default::default(),
//! };
//! let (start, after) = (Digest::of(b"start"), Digest::of(b"after e4"));
//! let game = NewGame { game, hash: Digest::of(b"e2e4"), positions: vec![(start, 0), (after, 1)] };
//! db.ingest(Batch { games: vec![game], ..Batch::default() })?;
//!
//! let tally = db.snapshot().tally(&start)?;
//! assert_eq!(tally.occurrences(), 1);
//! assert_eq!(tally.moves[0].next.as_ref().unwrap().to_string(), "e2e4");
//! # Ok::<(), boardprint_store::db::Error>(())
//! ```
//!
//! The layout is described in `docs/database.md`.

mod bulk;
mod codec;
mod compact;
mod engine;
mod error;
mod game;
mod game_index;
mod home;
mod hot;
mod ingest;
mod manifest;
mod numberer;
mod posting;
mod replay;
mod run;
mod sighting;
mod snapshot;
mod spill;
mod verify;
mod writer;

use std::path::Path;
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

pub use self::bulk::Bulk;
pub use self::engine::{Engine, MemoryEngine, Pair, SledEngine, Tree, Write};
pub use self::error::{Error, Result};
pub use self::game::{GameKind, Moves, MovesIter, Origin, StoredGame, StoredMove, WesternMove};
pub use self::hot::Counts;
pub use self::ingest::{
    GameSource, IngestOptions, IngestReport, Observer, Prepare, Record, Refusal, Rejected, SourceFile, ingest,
};
pub use self::manifest::Source;
pub use self::numberer::Numberer;
pub use self::posting::{Posting, Prefix};
pub use self::replay::{Replay, Replayed};
pub use self::run::Run;
pub use self::snapshot::{Games, NextMove, Occurrences, PositionCounts, Snapshot, Stats, Tally};
pub use self::verify::{Finding, VerifyOptions, VerifyReport};
pub use self::writer::{Batch, Committer, Duplicates, Encoded, Ingested, NewGame, Numbered};

use self::game::Starts;
use self::game_index::Filter;
use self::home::{Head, Home};
use self::manifest::{Manifest, Runs};
use self::writer::WriterState;

/// How a database is opened.
#[derive(Clone, Debug)]
pub struct Options {
    profile: String,
    any_profile: bool,
    memory: u64,
    create: bool,
    hot_threshold: usize,
    fan_in: usize,
}

impl Default for Options {
    /// The profile `cpn^ plain`, 512 MB, a database that does not exist is made.
    fn default() -> Self {
        Options {
            profile: "cpn^ plain".to_owned(),
            any_profile: false,
            memory: 512 << 20,
            create: true,
            hot_threshold: 64,
            fan_in: 8,
        }
    }
}

impl Options {
    /// How the hashes are made: the CPN revision, and plain or with rights. A database has one profile for good.
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

    /// How often a position must occur in one batch to be counted ahead.
    #[must_use]
    pub fn hot_threshold(mut self, occurrences: usize) -> Self {
        self.hot_threshold = occurrences.max(1);
        self
    }

    /// How many runs of a level are merged into one of the next.
    #[must_use]
    pub fn fan_in(mut self, runs: usize) -> Self {
        self.fan_in = runs.max(2);
        self
    }

    /// The part of the memory that the engine may keep for its pages.
    fn cache(&self) -> u64 {
        self.memory / 4
    }
}

/// A database. It is `Send` and `Sync`: any number of threads may read while one writes.
pub struct Db {
    shared: Shared,
}

pub(crate) struct Shared {
    engine: Arc<dyn Engine>,
    starts: Arc<Starts>,
    home: Option<Home>,
    /// The number of the data folder in use.
    data: u32,
    /// The state in which the database was opened.
    opened: u64,
    options: Options,
    manifest: RwLock<Arc<Manifest>>,
    /// The manifest of a bulk load under way.
    loading: RwLock<Option<Arc<Manifest>>>,
    next_run: AtomicU32,
    writer: Mutex<WriterState>,
    /// The filter of game hashes, between imports.
    filter: Mutex<Option<Filter>>,
}

impl Db {
    /// Opens a database, or makes one.
    ///
    /// What interrupted work left behind is removed: the database holds exactly the batches that were acknowledged.
    ///
    /// # Errors
    ///
    /// If it is in use, of another format or profile, damaged, or if the disk fails.
    pub fn open(path: impl AsRef<Path>, options: Options) -> Result<Self> {
        let (home, head) = Home::open(path.as_ref(), options.create)?;
        let data = head.map_or(1, |head| head.data);
        let folder = home.data(data);
        if head.is_some() && !folder.is_dir() {
            return Err(Error::NoDatabase { path: folder });
        }
        let engine = SledEngine::open(&folder, options.cache()).map_err(|error| match error {
            Error::InUse { .. } => Error::InUse { path: home.path().to_owned() },
            other => other,
        })?;
        Self::start(Arc::new(engine), Some(home), head, options)
    }

    /// A database in memory.
    ///
    /// # Errors
    ///
    /// Never for a new one; the type is that of [`Db::open`].
    pub fn in_memory(options: Options) -> Result<Self> {
        Self::with_engine(Arc::new(MemoryEngine::new()), options)
    }

    /// A database on any engine. Nothing keeps others from using the same engine: that is up to the caller.
    ///
    /// # Errors
    ///
    /// As [`Db::open`].
    pub fn with_engine(engine: Arc<dyn Engine>, options: Options) -> Result<Self> {
        Self::start(engine, None, None, options)
    }

    fn start(
        engine: Arc<dyn Engine>,
        home: Option<Home>,
        head: Option<Head>,
        options: Options,
    ) -> Result<Self> {
        let loaded = Manifest::load(&*engine)?;
        let (found, acknowledged) =
            (loaded.as_ref().map_or(0, |manifest| manifest.generation), head.map(|head| head.acknowledged));
        if let Some(acknowledged) = acknowledged.filter(|acknowledged| found < *acknowledged) {
            return Err(Error::LostWork { found, acknowledged });
        }
        let manifest = if let Some(manifest) = loaded {
            manifest
        } else {
            let manifest =
                Manifest { generation: 1, profile: options.profile.clone(), ..Manifest::default() };
            engine.apply(vec![manifest.write()])?;
            engine.sync()?;
            manifest
        };
        if manifest.profile != options.profile && !options.any_profile {
            return Err(Error::OtherProfile { found: manifest.profile, wanted: options.profile });
        }
        let interrupted_load = !manifest.spills.is_empty();
        let data = head.map_or(1, |head| head.data);
        if let Some(home) = &home
            && acknowledged != Some(manifest.generation)
        {
            home.write_head(Head { data, acknowledged: manifest.generation })?;
        }
        recover(&engine, &manifest)?;
        let starts = Starts::load(&engine, manifest.starts)?;
        let shared = Shared {
            engine,
            starts: Arc::new(starts),
            home,
            data,
            opened: manifest.generation,
            options,
            next_run: AtomicU32::new(manifest.next_run),
            manifest: RwLock::new(Arc::new(manifest)),
            loading: RwLock::default(),
            writer: Mutex::default(),
            filter: Mutex::default(),
        };
        let db = Db { shared };
        if interrupted_load {
            let (_, mut committer) = db.writer()?;
            committer.guarded(Committer::finish_bulk)?;
        } else if let Some(home) = &db.shared.home
            && home.spill().exists()
        {
            std::fs::remove_dir_all(home.spill()).map_err(Error::io("remove", home.spill()))?;
        }
        Ok(db)
    }

    /// A view of the database as it is now. Batches that come in later do not change it.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let shared = &self.shared;
        Snapshot::new(Arc::clone(&shared.engine), Arc::clone(&shared.starts), shared.manifest())
    }

    /// Closes the database. After writing, this spends the time that the next open would take: sled notes where its pages are only
    /// when it opens. A database that is merely dropped is as safe.
    ///
    /// # Errors
    ///
    /// If the disk fails. What was acknowledged is safe all the same.
    pub fn close(self) -> Result<()> {
        let shared = self.shared;
        let wrote =
            shared.manifest.into_inner().unwrap_or_else(PoisonError::into_inner).generation > shared.opened;
        if let Some(home) = &shared.home
            && wrote
            && Arc::strong_count(&shared.engine) == 1
        {
            drop(shared.engine);
            SledEngine::open(&home.data(shared.data), shared.options.cache())?;
        }
        Ok(())
    }

    /// How far a source file has been read: where an import goes on.
    #[must_use]
    pub fn source(&self, path: &str, stamp: &boardprint_base::Digest) -> Option<Source> {
        self.shared.manifest().source(path, stamp).map(|(_, source)| source.clone())
    }
}

impl Shared {
    fn manifest(&self) -> Arc<Manifest> {
        Arc::clone(&self.manifest.read().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Deletes runs and games that the manifest does not name.
fn recover(engine: &Arc<dyn Engine>, manifest: &Manifest) -> Result<()> {
    for tree in Runs::TREES {
        let mut from = Vec::new();
        while let Some((key, _)) = engine.scan(tree, &from, &[0xff; 32], 1)?.pop() {
            let id = key.first_chunk().copied().map(u32::from_be_bytes);
            let id = id.ok_or_else(|| Error::damaged(tree, &key, "the key has no run"))?;
            if !manifest.runs.of(tree).iter().any(|run| run.id == id) {
                run::delete_run(&**engine, tree, id)?;
            }
            from = run::run_bounds(id).1;
        }
    }
    game::delete_from(engine, manifest.games)
}
