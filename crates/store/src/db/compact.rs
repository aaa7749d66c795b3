//! Writing a database anew, without the space that deleted blocks left.

use std::fs;
use std::sync::Arc;

use super::engine::{Engine, SledEngine, Write};
use super::error::{Error, Result};
use super::game::{BLOCK_GAMES, Starts, StoredGame, encode_block, for_each_block};
use super::game_index::IndexEntry;
use super::home::Head;
use super::hot::Summary;
use super::manifest::{Manifest, Runs};
use super::posting::Posting;
use super::run::{Entry, write_run};
use super::snapshot::Snapshot;
use super::{Db, Options, Shared};

impl Db {
    /// Writes the database anew beside itself, every tree as one run, and puts it in the place of the old one.
    ///
    /// If this is interrupted, the old database is still there, or the new one already; what is left of the other goes away when
    /// the database is opened.
    ///
    /// # Errors
    ///
    /// If snapshots are open, a block is damaged, or the disk fails. The old database is then as it was.
    pub fn compact(self) -> Result<Db> {
        if Arc::strong_count(&self.shared.engine) > 1 {
            return Err(Error::SnapshotsOpen);
        }
        let db = self.with_small_cache()?;
        let snapshot = db.snapshot();
        let shared = db.shared;
        let options = shared.options.clone();
        let Some(home) = shared.home else {
            let new: Arc<dyn Engine> = Arc::new(super::MemoryEngine::new());
            copy(&snapshot, &new)?;
            return Db::with_engine(new, options);
        };
        let data = shared.data.wrapping_add(1);
        let folder = home.data(data);
        // A folder that an earlier attempt in this process left.
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(Error::io("remove", &folder))?;
        }
        let new: Arc<dyn Engine> = Arc::new(SledEngine::open(&folder, small_cache(&options))?);
        let generation = copy(&snapshot, &new)?;
        // Opened again, so that the next open is fast: see `Db::close`.
        drop(new);
        drop(SledEngine::open(&folder, small_cache(&options))?);
        super::home::sync_folder(&folder).map_err(Error::io("sync", &folder))?;
        let head = Head { data, acknowledged: generation };
        home.write_head(head)?;
        drop((snapshot, shared.engine));
        let new = Arc::new(SledEngine::open(&folder, options.cache())?);
        // What cannot be removed now is removed when the database is opened.
        let _ = fs::remove_dir_all(home.data(shared.data));
        Db::start(new, Some(home), Some(head), options)
    }

    /// The database opened again for a copy.
    fn with_small_cache(self) -> Result<Db> {
        let generation = self.shared.manifest().generation;
        let Shared { engine, home, data, options, .. } = self.shared;
        let Some(home) = home else { return Db::with_engine(engine, options) };
        drop(engine);
        let engine = SledEngine::open(&home.data(data), small_cache(&options))?;
        Db::start(Arc::new(engine), Some(home), Some(Head { data, acknowledged: generation }), options)
    }
}

/// The cache of each engine during a copy: two are open, sled takes more than it is told, and a copy looks at everything once.
fn small_cache(options: &Options) -> u64 {
    options.cache() / 8
}

/// Copies everything a snapshot sees into an empty engine; the new state's number.
fn copy(from: &Snapshot, to: &Arc<dyn Engine>) -> Result<u64> {
    let old = from.manifest();
    let mut runs = Runs::default();
    copy_runs::<Posting>(from, &**to, &mut runs)?;
    copy_runs::<IndexEntry>(from, &**to, &mut runs)?;
    copy_runs::<Summary>(from, &**to, &mut runs)?;
    let (starts, bytes) = copy_games(from, &**to)?;
    let writes = starts.writes()?;
    let game_bytes = bytes + writes.iter().map(Write::len).sum::<usize>() as u64;
    to.apply(writes)?;
    to.sync()?;
    let manifest = Manifest {
        generation: old.generation + 1,
        next_run: 1,
        game_bytes,
        starts: starts.len(),
        runs,
        ..old.clone()
    };
    to.apply(vec![manifest.write()])?;
    to.sync()?;
    Ok(manifest.generation)
}

fn copy_runs<E: Entry>(from: &Snapshot, to: &dyn Engine, runs: &mut Runs) -> Result<()> {
    let level = from.manifest().runs.of(E::TREE).iter().map(|run| run.level).max().unwrap_or(0);
    runs.push(E::TREE, write_run(to, 0, level, from.merged::<E>())?);
    Ok(())
}

/// Copies the games in full blocks; small batches leave small ones. The table of starts is made anew, and given back
/// with the bytes written.
fn copy_games(from: &Snapshot, to: &dyn Engine) -> Result<(Starts, u64)> {
    const GROUP: usize = 1024;
    let starts = Starts::default();
    let (mut writes, mut bytes) = (Vec::new(), 0);
    let mut block: Vec<Arc<StoredGame>> = Vec::with_capacity(2 * BLOCK_GAMES);
    let mut first = 0;
    let mut write = |games: &[Arc<StoredGame>]| -> Result<()> {
        let mut new_starts = Vec::new();
        let mut with_start = Vec::with_capacity(games.len());
        for game in games {
            with_start.push((&**game, starts.intern(&game.start, &mut new_starts)?));
        }
        let block = encode_block(first, &with_start)?;
        bytes += block.iter().map(Write::len).sum::<usize>() as u64;
        writes.extend(block);
        first += games.len() as u64;
        if writes.len() >= GROUP { to.load(std::mem::take(&mut writes)) } else { Ok(()) }
    };
    for_each_block(from.engine(), from.starts(), from.games(), |_, games| {
        block.extend(games);
        while block.len() >= BLOCK_GAMES {
            write(&block[..BLOCK_GAMES])?;
            block.drain(..BLOCK_GAMES);
        }
        Ok(())
    })?;
    if !block.is_empty() {
        write(&block)?;
    }
    to.load(writes)?;
    Ok((starts, bytes))
}
