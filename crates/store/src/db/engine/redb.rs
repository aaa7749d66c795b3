//! The engine for several reading processes: redb.
//!
//! redb writes pages and then, in one step, which of them count; it keeps checksums of its own. Changes are
//! committed without waiting for the disk, and `sync` is a commit that waits. A database opened for reading
//! needs no write access at all.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use redb::{Database, Durability, ReadOnlyDatabase, ReadableDatabase, TableDefinition};

use super::sled::catch;
use super::{Engine, Pair, Tree, Write};
use crate::db::error::{Error, Result};

/// The file in the folder of the index.
const FILE: &str = "index.redb";

/// A redb database in a folder of its own.
pub struct RedbEngine {
    path: PathBuf,
    /// Taken when the engine ends.
    handle: Option<Handle>,
    stopped: AtomicBool,
}

enum Handle {
    Write(Database),
    Read(ReadOnlyDatabase),
}

const fn table(tree: Tree) -> TableDefinition<'static, &'static [u8], &'static [u8]> {
    TableDefinition::new(tree.name())
}

fn failed(error: impl Into<redb::Error>) -> Error {
    Error::Engine(error.into().to_string())
}

impl RedbEngine {
    /// Opens or creates the database in a folder, with a cache of about `cache` bytes.
    ///
    /// # Errors
    ///
    /// If another process has it open, if it is damaged, or if the disk fails.
    pub fn open(folder: &Path, cache: u64) -> Result<Self> {
        let path = folder.join(FILE);
        let db = catch(|| {
            let mut builder = Database::builder();
            builder.set_cache_size(usize::try_from(cache).unwrap_or(usize::MAX));
            builder.create(&path).map_err(|error| opening(error, folder))
        })?;
        let engine = RedbEngine { path, handle: Some(Handle::Write(db)), stopped: AtomicBool::new(false) };
        // Every table is there, so that readers find them.
        engine.transaction(Durability::Immediate, |write| {
            for tree in Tree::ALL {
                write.open_table(table(tree)).map_err(failed)?;
            }
            Ok(())
        })?;
        Ok(engine)
    }

    /// Opens the database in a folder for reading, beside other readers.
    ///
    /// # Errors
    ///
    /// If another process writes it, if a writer was interrupted and nobody has opened it for writing since,
    /// if it is damaged, or if the disk fails.
    pub fn open_read_only(folder: &Path, cache: u64) -> Result<Self> {
        let path = folder.join(FILE);
        let db = catch(|| {
            let mut builder = Database::builder();
            builder.set_cache_size(usize::try_from(cache).unwrap_or(usize::MAX));
            builder.open_read_only(&path).map_err(|error| opening(error, folder))
        })?;
        Ok(RedbEngine { path, handle: Some(Handle::Read(db)), stopped: AtomicBool::new(false) })
    }

    fn handle(&self) -> Result<&Handle> {
        if self.stopped.load(Ordering::Acquire) {
            return Err(Error::Engine("it stopped after an earlier failure".to_owned()));
        }
        self.handle.as_ref().ok_or_else(|| Error::Engine("it was closed".to_owned()))
    }

    fn transaction(
        &self,
        durability: Durability,
        work: impl FnOnce(&redb::WriteTransaction) -> Result<()>,
    ) -> Result<()> {
        let Handle::Write(db) = self.handle()? else { return Err(Error::ReadOnly) };
        let done = catch(|| {
            let mut write = db.begin_write().map_err(failed)?;
            write.set_durability(durability).map_err(failed)?;
            work(&write)?;
            write.commit().map_err(failed)
        });
        if done.is_err() {
            self.stopped.store(true, Ordering::Release);
        }
        done
    }

    fn read<T>(
        &self,
        tree: Tree,
        work: impl FnOnce(
            redb::ReadOnlyTable<&'static [u8], &'static [u8]>,
        ) -> std::result::Result<T, redb::StorageError>,
    ) -> Result<T> {
        let handle = self.handle()?;
        catch(|| {
            let read = match handle {
                Handle::Write(db) => db.begin_read(),
                Handle::Read(db) => db.begin_read(),
            };
            let table = read.map_err(failed)?.open_table(table(tree)).map_err(failed)?;
            work(table).map_err(failed)
        })
    }
}

fn opening(error: redb::DatabaseError, folder: &Path) -> Error {
    match error {
        redb::DatabaseError::DatabaseAlreadyOpen => Error::InUse { path: folder.to_owned(), holder: None },
        redb::DatabaseError::RepairAborted => Error::Interrupted { path: folder.to_owned() },
        error => failed(error),
    }
}

impl Engine for RedbEngine {
    fn apply(&self, writes: Vec<Write>) -> Result<()> {
        if writes.is_empty() {
            return Ok(());
        }
        self.transaction(Durability::None, |transaction| {
            for tree in Tree::ALL {
                let of_tree = |write: &&Write| {
                    let (Write::Put { tree: found, .. } | Write::Delete { tree: found, .. }) = write;
                    *found == tree
                };
                let mut writes = writes.iter().filter(of_tree).peekable();
                if writes.peek().is_none() {
                    continue;
                }
                let mut table = transaction.open_table(table(tree)).map_err(failed)?;
                for write in writes {
                    match write {
                        Write::Put { key, value, .. } => table.insert(&**key, &**value).map_err(failed)?,
                        Write::Delete { key, .. } => table.remove(&**key).map_err(failed)?,
                    };
                }
            }
            Ok(())
        })
    }

    fn get(&self, tree: Tree, key: &[u8]) -> Result<Option<Vec<u8>>> {
        self.read(tree, |table| Ok(table.get(key)?.map(|value| value.value().to_vec())))
    }

    fn floor(&self, tree: Tree, key: &[u8]) -> Result<Option<Pair>> {
        self.read(tree, |table| {
            let pair = table.range::<&[u8]>(..=key)?.next_back().transpose()?;
            Ok(pair.map(|(key, value)| (key.value().to_vec(), value.value().to_vec())))
        })
    }

    fn scan(&self, tree: Tree, from: &[u8], to: &[u8], limit: usize) -> Result<Vec<Pair>> {
        if from >= to {
            return Ok(Vec::new());
        }
        self.read(tree, |table| {
            let pairs = table.range::<&[u8]>(from..to)?.take(limit);
            pairs
                .map(|pair| pair.map(|(key, value)| (key.value().to_vec(), value.value().to_vec())))
                .collect()
        })
    }

    fn sync(&self) -> Result<()> {
        self.transaction(Durability::Immediate, |_| Ok(()))
    }

    fn disk_size(&self) -> Result<u64> {
        Ok(std::fs::metadata(&self.path).map_err(Error::io("read", &self.path))?.len())
    }

    fn close(&mut self) -> Result<()> {
        self.end()
    }
}

impl RedbEngine {
    fn end(&mut self) -> Result<()> {
        let Some(handle) = self.handle.take() else { return Ok(()) };
        catch(move || {
            drop(handle);
            Ok(())
        })
    }
}

impl Drop for RedbEngine {
    fn drop(&mut self) {
        // What was acknowledged is synced; an error here has nobody to go to.
        let _ = self.end();
    }
}
