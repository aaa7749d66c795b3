//! The embedded engine: sled 0.34.
//!
//! sled reports some failures by a panic; here they become errors, and an engine that panicked once answers
//! nothing more. Its `flush` ends with `sync_file_range`, which leaves the disk's own cache and the file's
//! length unsynced, so `sync` calls fsync as well, also on values that sled keeps in files of their own.
//!
//! Each run of blocks is a tree of its own in sled. To remove keys one by one makes sled write the rest of
//! each leaf again; a whole tree is given up without that.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::ops::Bound;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};
use std::thread;
use std::time::{Duration, Instant};

use super::{Engine, Pair, Tree, Write};
use crate::db::error::{Error, Result};
use crate::db::manifest::Runs;

/// A sled database in a folder of its own.
#[derive(Debug)]
pub struct SledEngine {
    path: PathBuf,
    /// Taken when the engine ends.
    handles: Option<Handles>,
    stopped: AtomicBool,
    /// Bytes of keys and values since it was opened.
    written: AtomicU64,
}

#[derive(Debug)]
struct Handles {
    racks: [Rack; Tree::ALL.len()],
    db: sled::Db,
    data: File,
}

/// A tree of the index, as trees of sled: one for all keys that begin with the same bytes, in the order of
/// these.
#[derive(Debug)]
struct Rack {
    tree: Tree,
    parts: RwLock<BTreeMap<Vec<u8>, sled::Tree>>,
}

impl Rack {
    fn new(tree: Tree) -> Self {
        Rack { tree, parts: RwLock::default() }
    }

    /// The bytes by which a key is put into a part: the number of its run, or none.
    fn part_of<'a>(&self, key: &'a [u8]) -> &'a [u8] {
        let len = if Runs::TREES.contains(&self.tree) { RUN_BYTES } else { 0 };
        &key[..len.min(key.len())]
    }

    /// The name of a part in sled.
    fn name(&self, part: &[u8]) -> Vec<u8> {
        let mut name = self.tree.name().as_bytes().to_vec();
        if Runs::TREES.contains(&self.tree) {
            name.push(b'-');
            name.extend_from_slice(part);
        }
        name
    }

    /// The part that has a name in sled, if it is one of this tree.
    fn part_with_name<'a>(&self, name: &'a [u8]) -> Option<&'a [u8]> {
        let rest = name.strip_prefix(self.tree.name().as_bytes())?;
        if Runs::TREES.contains(&self.tree) {
            rest.strip_prefix(b"-")
        } else {
            Some(rest).filter(|rest| rest.is_empty())
        }
    }

    fn get(&self, part: &[u8]) -> Option<sled::Tree> {
        self.parts.read().unwrap_or_else(PoisonError::into_inner).get(part).cloned()
    }

    /// A part, which is made if it is not there.
    fn get_or_make(&self, db: &sled::Db, part: &[u8]) -> sled::Result<sled::Tree> {
        if let Some(tree) = self.get(part) {
            return Ok(tree);
        }
        let mut parts = self.parts.write().unwrap_or_else(PoisonError::into_inner);
        let tree = db.open_tree(self.name(part))?;
        parts.insert(part.to_vec(), tree.clone());
        Ok(tree)
    }

    /// The parts that may have keys between two.
    fn between(&self, from: &[u8], to: &[u8]) -> Vec<(Vec<u8>, sled::Tree)> {
        let parts = self.parts.read().unwrap_or_else(PoisonError::into_inner);
        let (first, last) = (self.part_of(from), self.part_of(to));
        parts
            .range::<[u8], _>((Bound::Included(first), Bound::Included(last)))
            .map(|(part, tree)| (part.clone(), tree.clone()))
            .collect()
    }

    fn forget(&self, part: &[u8]) {
        self.parts.write().unwrap_or_else(PoisonError::into_inner).remove(part);
    }
}

/// The number of a run, with which its keys begin.
const RUN_BYTES: usize = 4;

/// sled notes where its pages are only when it opens, and reads what was written since: this much takes no
/// longer than opening does.
const READ_AGAIN_BYTES: u64 = 16 << 20;
/// How long to wait for the background threads of an earlier handle in this process to let go of the file.
const LOCK_PATIENCE: Duration = Duration::from_secs(5);
/// sled waits forever for threads that it could not start.
const THREADS: usize = 10;

impl SledEngine {
    /// Opens or creates the database in a folder, with a cache of about `cache` bytes. The caller holds a
    /// lock on the folder.
    ///
    /// # Errors
    ///
    /// If it is damaged, if there are no threads, or if the disk fails.
    pub fn open(path: &Path, cache: u64) -> Result<Self> {
        check_threads(THREADS)?;
        remove_half_snapshots(path)?;
        let db = open_db(path, cache)?;
        let racks = Tree::ALL.map(Rack::new);
        for name in db.tree_names() {
            if let Some((rack, part)) =
                racks.iter().find_map(|rack| Some((rack, rack.part_with_name(&name)?)))
            {
                guarded(|| rack.get_or_make(&db, part))?;
            }
        }
        let data = path.join("db");
        let data = File::open(&data).map_err(Error::io("open", data))?;
        let handles = Some(Handles { racks, db, data });
        let path = path.to_owned();
        Ok(SledEngine { path, handles, stopped: AtomicBool::new(false), written: AtomicU64::new(0) })
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
        let Handles { racks, db, data } = handles;
        guarded(move || {
            drop(racks);
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

    fn rack(&self, tree: Tree) -> Result<&Rack> {
        Ok(&self.handles()?.racks[tree as usize])
    }

    /// Puts a value under a key.
    fn put(&self, tree: Tree, key: &[u8], value: impl Into<sled::IVec>) -> Result<()> {
        let (rack, db) = (self.rack(tree)?, &self.handles()?.db);
        self.write(|| rack.get_or_make(db, rack.part_of(key))?.insert(key, value))?;
        Ok(())
    }
}

/// Opens a sled database and some of its trees.
pub(crate) fn open_trees(path: &Path, cache: u64, names: &[&str]) -> Result<(sled::Db, Vec<sled::Tree>)> {
    let db = open_db(path, cache)?;
    let trees = names.iter().map(|name| guarded(|| db.open_tree(name))).collect::<Result<_>>()?;
    Ok((db, trees))
}

fn open_db(path: &Path, cache: u64) -> Result<sled::Db> {
    let config = sled::Config::new().path(path).cache_capacity(cache).flush_every_ms(None);
    let deadline = Instant::now() + LOCK_PATIENCE;
    loop {
        match guarded(|| config.open()) {
            // sled has no kind for this error.
            Err(Error::Engine(message)) if message.contains("could not acquire lock") => {
                if Instant::now() > deadline {
                    return Err(Error::InUse { path: path.to_owned(), holder: None });
                }
                thread::sleep(Duration::from_millis(20));
            }
            other => return other,
        }
    }
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
            self.written.fetch_add(write.len() as u64, Ordering::Relaxed);
            match write {
                Write::Put { tree, key, value } => self.put(tree, &key, value)?,
                Write::Delete { tree, key } => {
                    let rack = self.rack(tree)?;
                    if let Some(part) = rack.get(rack.part_of(&key)) {
                        self.write(|| part.remove(key))?;
                    }
                }
            }
        }
        Ok(())
    }

    fn load(&self, writes: Vec<Write>) -> Result<()> {
        // Keys first, with empty values. A leaf of sled splits at 17 items and is written again whole when it
        // does; with the keys in place all splits are done while the leaves are tiny, and each value is then
        // written exactly once.
        for write in &writes {
            if let Write::Put { tree, key, .. } = write {
                self.put(*tree, key, sled::IVec::default())?;
            }
        }
        self.apply(writes)
    }

    fn get(&self, tree: Tree, key: &[u8]) -> Result<Option<Vec<u8>>> {
        let rack = self.rack(tree)?;
        let Some(part) = rack.get(rack.part_of(key)) else { return Ok(None) };
        Ok(self.read(|| part.get(key))?.map(|value| value.to_vec()))
    }

    fn floor(&self, tree: Tree, key: &[u8]) -> Result<Option<Pair>> {
        let rack = self.rack(tree)?;
        let last = |part: &sled::Tree| self.read(|| part.range(..=key).next_back().transpose());
        // Nearly always it is in the part of the key.
        let mut pair = rack.get(rack.part_of(key)).as_ref().map(last).transpose()?.flatten();
        if pair.is_none() {
            for (_, part) in rack.between(&[], key).iter().rev() {
                pair = last(part)?;
                if pair.is_some() {
                    break;
                }
            }
        }
        Ok(pair.map(|(key, value)| (key.to_vec(), value.to_vec())))
    }

    fn scan(&self, tree: Tree, from: &[u8], to: &[u8], limit: usize) -> Result<Vec<Pair>> {
        let mut pairs = Vec::new();
        if from >= to {
            return Ok(pairs);
        }
        for (_, part) in self.rack(tree)?.between(from, to) {
            self.read(|| {
                for pair in part.range(from..to).take(limit - pairs.len()) {
                    let (key, value) = pair?;
                    pairs.push((key.to_vec(), value.to_vec()));
                }
                Ok(())
            })?;
            if pairs.len() == limit {
                break;
            }
        }
        Ok(pairs)
    }

    fn delete_range(&self, tree: Tree, from: &[u8], to: &[u8]) -> Result<()> {
        let (rack, db) = (self.rack(tree)?, &self.handles()?.db);
        if from >= to {
            return Ok(());
        }
        for (part, keys) in rack.between(from, to) {
            if *part >= *from && *part < *rack.part_of(to) {
                drop(keys);
                rack.forget(&part);
                self.write(|| db.drop_tree(rack.name(&part)))?;
            } else {
                let keys: Vec<sled::IVec> = self.read(|| keys.range(from..to).keys().collect())?;
                self.apply(keys.iter().map(|key| Write::Delete { tree, key: key.to_vec() }).collect())?;
            }
        }
        Ok(())
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

    fn opens_slowly(&self) -> bool {
        self.written.load(Ordering::Relaxed) > READ_AGAIN_BYTES
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
