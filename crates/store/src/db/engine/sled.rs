//! The embedded engine: sled 0.34.
//!
//! sled reports some failures by a panic; here they become errors, and an engine that panicked once answers nothing
//! more. Its `flush` ends with `sync_file_range`, which leaves the disk's own cache and the file's length unsynced, so
//! `sync` calls fsync as well, also on values that sled keeps in files of their own.

use std::fs::{self, File};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::{Engine, Pair, Tree, Write};
use crate::db::error::{Error, Result};

/// A sled database in a folder of its own.
#[derive(Debug)]
pub struct SledEngine {
    path: PathBuf,
    trees: [sled::Tree; 6],
    db: sled::Db,
    data: File,
    stopped: AtomicBool,
}

/// How long to wait for the background threads of an earlier handle in this process to let go of the file.
const LOCK_PATIENCE: Duration = Duration::from_secs(5);

impl SledEngine {
    /// Opens or creates the database in a folder, with a cache of about `cache` bytes.
    ///
    /// # Errors
    ///
    /// If another process has it open, if it is damaged, or if the disk fails.
    pub fn open(path: &Path, cache: u64) -> Result<Self> {
        let config = sled::Config::new().path(path).cache_capacity(cache).flush_every_ms(None);
        let deadline = Instant::now() + LOCK_PATIENCE;
        let db = loop {
            match guarded(|| config.open()) {
                Err(Error::Engine(message)) if message.contains("could not acquire lock") => {
                    if Instant::now() > deadline {
                        return Err(Error::InUse { path: path.to_owned() });
                    }
                    thread::sleep(Duration::from_millis(20));
                }
                other => break other?,
            }
        };
        let open = |tree: Tree| guarded(|| db.open_tree(tree.name()));
        let [meta, postings, games, starts, game_index, hot] = Tree::ALL.map(open);
        let trees = [meta?, postings?, games?, starts?, game_index?, hot?];
        let data = path.join("db");
        let data = File::open(&data).map_err(Error::io("open", data))?;
        Ok(SledEngine { path: path.to_owned(), trees, db, data, stopped: AtomicBool::new(false) })
    }

    /// A read. One that fails leaves the others alone, so that a check finds all damage, unless sled panicked.
    fn read<T>(&self, work: impl FnOnce() -> sled::Result<T>) -> Result<T> {
        self.call(work, false)
    }

    /// A write. After one that failed nothing can be relied on.
    fn write<T>(&self, work: impl FnOnce() -> sled::Result<T>) -> Result<T> {
        self.call(work, true)
    }

    fn call<T>(&self, work: impl FnOnce() -> sled::Result<T>, writes: bool) -> Result<T> {
        if self.stopped.load(Ordering::Acquire) {
            return Err(Error::Engine("it stopped after an earlier failure".to_owned()));
        }
        let result = guarded(work);
        if let Err(Error::Engine(message)) = &result
            && (writes || message.starts_with(PANICKED))
        {
            self.stopped.store(true, Ordering::Release);
        }
        result
    }

    const fn tree(&self, tree: Tree) -> &sled::Tree {
        &self.trees[tree as usize]
    }
}

const PANICKED: &str = "it panicked";

/// Runs a call into sled, with its panics as errors.
fn guarded<T>(work: impl FnOnce() -> sled::Result<T>) -> Result<T> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(Error::Engine(error.to_string())),
        Err(panic) => {
            let message = panic.downcast_ref::<String>().map(String::as_str);
            let message = message.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown");
            Err(Error::Engine(format!("{PANICKED}: {message}")))
        }
    }
}

impl Engine for SledEngine {
    fn apply(&self, writes: Vec<Write>) -> Result<()> {
        // Not as a `sled::Batch`: that keeps every old version of every page in memory until it ends.
        for write in writes {
            self.write(|| match write {
                Write::Put { tree, key, value } => self.tree(tree).insert(key, value),
                Write::Delete { tree, key } => self.tree(tree).remove(key),
            })?;
        }
        Ok(())
    }

    fn load(&self, writes: Vec<Write>) -> Result<()> {
        // Keys first, with empty values. A leaf of sled splits at 17 items and is written again whole when it does; with the keys
        // in place all splits are done while the leaves are tiny, and each value is then written exactly once.
        for write in &writes {
            if let Write::Put { tree, key, .. } = write {
                self.write(|| self.tree(*tree).insert(key, sled::IVec::default()))?;
            }
        }
        self.apply(writes)
    }

    fn get(&self, tree: Tree, key: &[u8]) -> Result<Option<Vec<u8>>> {
        Ok(self.read(|| self.tree(tree).get(key))?.map(|value| value.to_vec()))
    }

    fn floor(&self, tree: Tree, key: &[u8]) -> Result<Option<Pair>> {
        let pair = self.read(|| self.tree(tree).range(..=key).next_back().transpose())?;
        Ok(pair.map(|(key, value)| (key.to_vec(), value.to_vec())))
    }

    fn scan(&self, tree: Tree, from: &[u8], to: &[u8], limit: usize) -> Result<Vec<Pair>> {
        if from >= to {
            return Ok(Vec::new());
        }
        self.read(|| {
            let pairs = self.tree(tree).range(from..to).take(limit);
            pairs.map(|pair| pair.map(|(key, value)| (key.to_vec(), value.to_vec()))).collect()
        })
    }

    fn sync(&self) -> Result<()> {
        self.write(|| self.db.flush().map(|_| ()))?;
        self.data.sync_all().map_err(Error::io("sync", self.path.join("db")))?;
        // Large values live in files of their own; there are none of them in an ordinary database.
        let blobs = self.path.join("blobs");
        let mut any = false;
        for entry in fs::read_dir(&blobs).map_err(Error::io("list", &blobs))? {
            let path = entry.map_err(Error::io("list", &blobs))?.path();
            // sled may remove an old one meanwhile.
            if let Ok(file) = File::open(&path) {
                file.sync_all().map_err(Error::io("sync", path))?;
                any = true;
            }
        }
        if any {
            File::open(&blobs).and_then(|folder| folder.sync_all()).map_err(Error::io("sync", &blobs))?;
        }
        Ok(())
    }

    fn disk_size(&self) -> Result<u64> {
        self.read(|| self.db.size_on_disk())
    }
}

impl Drop for SledEngine {
    fn drop(&mut self) {
        // What was acknowledged is synced; an error here has nobody to go to.
        let _ = guarded(|| self.db.flush());
    }
}
