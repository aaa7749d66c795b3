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
    /// Taken when the engine ends.
    handles: Option<Handles>,
    stopped: AtomicBool,
}

#[derive(Debug)]
struct Handles {
    trees: Vec<sled::Tree>,
    db: sled::Db,
    data: File,
}

/// How long to wait for the background threads of an earlier handle in this process to let go of the file.
const LOCK_PATIENCE: Duration = Duration::from_secs(5);
/// sled waits forever for threads that it could not start.
const THREADS: usize = 10;

impl SledEngine {
    /// Opens or creates the database in a folder, with a cache of about `cache` bytes. The caller holds a lock on the folder.
    ///
    /// # Errors
    ///
    /// If it is damaged, if there are no threads, or if the disk fails.
    pub fn open(path: &Path, cache: u64) -> Result<Self> {
        check_threads(THREADS)?;
        remove_half_snapshots(path)?;
        let names: Vec<&str> = Tree::ALL.iter().map(|tree| tree.name()).collect();
        let (db, trees) = open_trees(path, cache, &names)?;
        let data = path.join("db");
        let data = File::open(&data).map_err(Error::io("open", data))?;
        let handles = Some(Handles { trees, db, data });
        Ok(SledEngine { path: path.to_owned(), handles, stopped: AtomicBool::new(false) })
    }

    fn handles(&self) -> Result<&Handles> {
        self.handles.as_ref().ok_or_else(|| Error::Engine("it was closed".to_owned()))
    }

    /// Flushes and drops everything, with panics as errors.
    fn end(&mut self) -> Result<()> {
        let Some(handles) = self.handles.take() else { return Ok(()) };
        let flushed = if self.stopped.load(Ordering::Acquire) {
            Ok(())
        } else {
            guarded(|| handles.db.flush().map(|_| ()))
        };
        // sled unwraps while it is dropped.
        let Handles { trees, db, data } = handles;
        guarded(move || {
            drop(trees);
            drop(db);
            Ok(())
        })
        .and(flushed)?;
        drop(data);
        Ok(())
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

    fn tree(&self, tree: Tree) -> Result<&sled::Tree> {
        Ok(&self.handles()?.trees[tree as usize])
    }
}

/// Opens a sled database and some of its trees.
pub(crate) fn open_trees(path: &Path, cache: u64, names: &[&str]) -> Result<(sled::Db, Vec<sled::Tree>)> {
    let config = sled::Config::new().path(path).cache_capacity(cache).flush_every_ms(None);
    let deadline = Instant::now() + LOCK_PATIENCE;
    let db = loop {
        match guarded(|| config.open()) {
            // sled has no kind for this error.
            Err(Error::Engine(message)) if message.contains("could not acquire lock") => {
                if Instant::now() > deadline {
                    return Err(Error::InUse { path: path.to_owned(), holder: None });
                }
                thread::sleep(Duration::from_millis(20));
            }
            other => break other?,
        }
    };
    let trees = names.iter().map(|name| guarded(|| db.open_tree(name))).collect::<Result<_>>()?;
    Ok((db, trees))
}

/// Whether the system gives this many threads at a time.
pub(crate) fn check_threads(count: usize) -> Result<()> {
    let barrier = std::sync::Arc::new((std::sync::Mutex::new(false), std::sync::Condvar::new()));
    let mut threads = Vec::new();
    let mut failed = None;
    for _ in 0..count {
        let barrier = std::sync::Arc::clone(&barrier);
        let wait = move || {
            let (over, changed) = &*barrier;
            let mut over = over.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            while !*over {
                over = changed.wait(over).unwrap_or_else(std::sync::PoisonError::into_inner);
            }
        };
        match thread::Builder::new().spawn(wait) {
            Ok(thread) => threads.push(thread),
            Err(error) => {
                failed = Some(error);
                break;
            }
        }
    }
    *barrier.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = true;
    barrier.1.notify_all();
    for thread in threads {
        let _ = thread.join();
    }
    failed.map_or(Ok(()), |error| Err(Error::Threads(error.to_string())))
}

/// Removes snapshots that a kill left half written: sled would take them for the newest.
pub(crate) fn remove_half_snapshots(path: &Path) -> Result<()> {
    let list = match fs::read_dir(path) {
        Ok(list) => list,
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(cause) => return Err(Error::Io { action: "list", path: path.to_owned(), cause }),
    };
    for entry in list {
        let entry = entry.map_err(Error::io("list", path))?;
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        if name.starts_with("snap.") && name.ends_with(".generating") {
            let half = entry.path();
            fs::remove_file(&half).map_err(Error::io("remove", half))?;
        }
    }
    Ok(())
}

const PANICKED: &str = "it panicked";

/// Runs a call into sled, with its panics as errors.
pub(crate) fn guarded<T>(work: impl FnOnce() -> sled::Result<T>) -> Result<T> {
    catch(|| work().map_err(|error| Error::Engine(error.to_string())))
}

/// Runs a call into an engine, with its panics as errors.
pub(super) fn catch<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<String>().map(String::as_str);
        let message = message.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown");
        Err(Error::Engine(format!("{PANICKED}: {message}")))
    })
}

impl Engine for SledEngine {
    fn apply(&self, writes: Vec<Write>) -> Result<()> {
        // Not as a `sled::Batch`: that keeps every old version of every page in memory until it ends.
        for write in writes {
            let (Write::Put { tree, .. } | Write::Delete { tree, .. }) = &write;
            let tree = self.tree(*tree)?;
            self.write(|| match write {
                Write::Put { key, value, .. } => tree.insert(key, value),
                Write::Delete { key, .. } => tree.remove(key),
            })?;
        }
        Ok(())
    }

    fn load(&self, writes: Vec<Write>) -> Result<()> {
        // Keys first, with empty values. A leaf of sled splits at 17 items and is written again whole when it does; with the keys
        // in place all splits are done while the leaves are tiny, and each value is then written exactly once.
        for write in &writes {
            if let Write::Put { tree, key, .. } = write {
                let tree = self.tree(*tree)?;
                self.write(|| tree.insert(key, sled::IVec::default()))?;
            }
        }
        self.apply(writes)
    }

    fn get(&self, tree: Tree, key: &[u8]) -> Result<Option<Vec<u8>>> {
        let tree = self.tree(tree)?;
        Ok(self.read(|| tree.get(key))?.map(|value| value.to_vec()))
    }

    fn floor(&self, tree: Tree, key: &[u8]) -> Result<Option<Pair>> {
        let tree = self.tree(tree)?;
        let pair = self.read(|| tree.range(..=key).next_back().transpose())?;
        Ok(pair.map(|(key, value)| (key.to_vec(), value.to_vec())))
    }

    fn scan(&self, tree: Tree, from: &[u8], to: &[u8], limit: usize) -> Result<Vec<Pair>> {
        if from >= to {
            return Ok(Vec::new());
        }
        let tree = self.tree(tree)?;
        self.read(|| {
            let pairs = tree.range(from..to).take(limit);
            pairs.map(|pair| pair.map(|(key, value)| (key.to_vec(), value.to_vec()))).collect()
        })
    }

    fn sync(&self) -> Result<()> {
        let handles = self.handles()?;
        self.write(|| handles.db.flush().map(|_| ()))?;
        handles.data.sync_all().map_err(|cause| {
            // What reached the disk is not known any more.
            self.stopped.store(true, Ordering::Release);
            Error::Io { action: "sync", path: self.path.join("db"), cause }
        })?;
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
        let handles = self.handles()?;
        self.read(|| handles.db.size_on_disk())
    }

    fn close(&mut self) -> Result<()> {
        self.end()
    }
}

impl Drop for SledEngine {
    fn drop(&mut self) {
        // What was acknowledged is synced; an error here has nobody to go to.
        let _ = self.end();
    }
}
