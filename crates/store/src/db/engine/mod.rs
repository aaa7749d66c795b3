//! What the database asks of a storage engine: ordered bytes, and a promise that synced writes stay.

mod memory;
mod redb;
pub(crate) mod sled;

use std::fmt;
use std::path::Path;
use std::sync::Arc;

pub use self::memory::MemoryEngine;
pub use self::redb::RedbEngine;
pub use self::sled::SledEngine;
use super::error::{Error, Result};

/// The trees of a database, each an ordered map of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Tree {
    /// The manifest.
    Meta = 0,
    /// Where each position occurred.
    Postings = 1,
    /// The hash of each game.
    GameIndex = 2,
    /// Counts of positions that occur often.
    Counts = 3,
    /// A row per game.
    Columns = 4,
    /// Names and laws by number.
    Words = 5,
    /// Where the new tags of a game stand in the log.
    Tags = 6,
}

/// A key and its value.
pub type Pair = (Vec<u8>, Vec<u8>);

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Write {
    /// Sets the value of a key.
    Put {
        /// The tree.
        tree: Tree,
        /// The key.
        key: Vec<u8>,
        /// The value.
        value: Vec<u8>,
    },
    /// Removes a key.
    Delete {
        /// The tree.
        tree: Tree,
        /// The key.
        key: Vec<u8>,
    },
}

impl Write {
    /// The bytes of key and value.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Write::Put { key, value, .. } => key.len() + value.len(),
            Write::Delete { key, .. } => key.len(),
        }
    }

    /// Whether key and value are empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// An ordered store of bytes.
///
/// After [`Engine::sync`] returns, every earlier write survives the end of the process and of the machine. Of
/// later writes any part may survive; the database above needs no more than that each single key has either
/// its old or its new value.
pub trait Engine: Send + Sync {
    /// Makes changes, in order.
    ///
    /// # Errors
    ///
    /// If the engine fails; some of the changes may then have been made.
    fn apply(&self, writes: Vec<Write>) -> Result<()>;

    /// Puts values under new keys, in order. Until the call returns, any of the keys may have another value,
    /// and after a crash without [`Engine::sync`] too, so this is only for keys that nobody reads yet. An
    /// engine may be much faster at this.
    ///
    /// # Errors
    ///
    /// If the engine fails; some of the changes may then have been made.
    fn load(&self, writes: Vec<Write>) -> Result<()> {
        self.apply(writes)
    }

    /// The value of a key.
    ///
    /// # Errors
    ///
    /// If the engine fails.
    fn get(&self, tree: Tree, key: &[u8]) -> Result<Option<Vec<u8>>>;

    /// The greatest key that is not above `key`, with its value.
    ///
    /// # Errors
    ///
    /// If the engine fails.
    fn floor(&self, tree: Tree, key: &[u8]) -> Result<Option<Pair>>;

    /// Up to `limit` pairs with keys from `from` to before `to`, ascending.
    ///
    /// # Errors
    ///
    /// If the engine fails.
    fn scan(&self, tree: Tree, from: &[u8], to: &[u8], limit: usize) -> Result<Vec<Pair>>;

    /// Removes every key from `from` to before `to`.
    ///
    /// # Errors
    ///
    /// If the engine fails; some of the keys may then be gone.
    fn delete_range(&self, tree: Tree, from: &[u8], to: &[u8]) -> Result<()> {
        const PAGE: usize = 256;
        loop {
            let page = self.scan(tree, from, to, PAGE)?;
            let last = page.len() < PAGE;
            self.apply(page.into_iter().map(|(key, _)| Write::Delete { tree, key }).collect())?;
            if last {
                return Ok(());
            }
        }
    }

    /// What is acknowledged now, as an engine that does not change; `None` if this one may be read while it
    /// is written.
    ///
    /// # Errors
    ///
    /// If the engine fails.
    fn view(&self) -> Result<Option<Arc<dyn Engine>>> {
        Ok(None)
    }

    /// Waits until all writes are safe.
    ///
    /// # Errors
    ///
    /// If the engine or the disk fails.
    fn sync(&self) -> Result<()>;

    /// Bytes on disk.
    ///
    /// # Errors
    ///
    /// If the disk cannot be asked.
    fn disk_size(&self) -> Result<u64>;

    /// Whether the next one to open it would have to read much that was written since this one was opened. To
    /// open it once more and close it again spares that.
    fn opens_slowly(&self) -> bool {
        false
    }

    /// Ends the engine, which answers nothing more. Dropping does the same, but then nobody hears of an
    /// error. What was synced is safe either way.
    ///
    /// # Errors
    ///
    /// If the engine fails while it ends.
    fn close(&mut self) -> Result<()> {
        Ok(())
    }
}

impl Tree {
    /// Every tree.
    pub const ALL: [Tree; 7] =
        [Tree::Meta, Tree::Postings, Tree::GameIndex, Tree::Counts, Tree::Columns, Tree::Words, Tree::Tags];

    /// The name of the tree.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Tree::Meta => "meta",
            Tree::Postings => "postings",
            Tree::GameIndex => "game_index",
            Tree::Counts => "counts",
            Tree::Columns => "columns",
            Tree::Words => "words",
            Tree::Tags => "tags",
        }
    }
}

/// Which engine keeps an index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EngineKind {
    /// sled: the default. One process at a time, for reading too.
    #[default]
    Sled,
    /// redb: several processes may read together, also from media that cannot be written.
    Redb,
    /// Tables beside the log, on the server that holds it.
    Postgres,
}

impl EngineKind {
    /// Every engine that keeps files.
    pub const ALL: [EngineKind; 2] = [EngineKind::Sled, EngineKind::Redb];

    /// The name of the engine.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            EngineKind::Sled => "sled",
            EngineKind::Redb => "redb",
            EngineKind::Postgres => "postgres",
        }
    }

    /// The engine with a name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Opens an index in a folder, or makes one.
    pub(crate) fn open(self, folder: &Path, cache: u64, access: Access) -> Result<Arc<dyn Engine>> {
        Ok(match self {
            EngineKind::Sled => Arc::new(SledEngine::open(folder, cache)?),
            EngineKind::Redb if access == Access::Read => {
                Arc::new(RedbEngine::open_read_only(folder, cache)?)
            }
            EngineKind::Redb => Arc::new(RedbEngine::open(folder, cache)?),
            EngineKind::Postgres => {
                return Err(Error::Engine("an index in a folder cannot lie on a server".to_owned()));
            }
        })
    }

    /// Whether several processes can read at once.
    pub(crate) const fn shares(self) -> bool {
        matches!(self, EngineKind::Redb | EngineKind::Postgres)
    }
}

impl fmt::Display for EngineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What an index is opened for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// For reading; an engine that cannot help it may still write its own files.
    Read,
    /// For reading and writing.
    #[default]
    Write,
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Every pair of a range, fetched page by page.
pub(crate) struct Scan {
    engine: Arc<dyn Engine>,
    tree: Tree,
    /// Where the next page begins; `None` when there is none.
    next: Option<Vec<u8>>,
    to: Vec<u8>,
    page: std::vec::IntoIter<Pair>,
    page_len: usize,
}

impl Scan {
    /// The longest page. Blocks have about 6 KB, so that a page is far below a megabyte.
    const PAGE: usize = 32;

    pub(crate) fn new(engine: Arc<dyn Engine>, tree: Tree, from: Vec<u8>, to: Vec<u8>) -> Self {
        // Most lookups end within the first block, so that pages grow from one.
        Scan { engine, tree, next: Some(from), to, page: Vec::new().into_iter(), page_len: 1 }
    }

    /// A scan that starts with a pair already read.
    pub(crate) fn after(engine: Arc<dyn Engine>, tree: Tree, first: Pair, to: Vec<u8>) -> Self {
        let next = successor(&first.0);
        Scan { engine, tree, next: Some(next), to, page: vec![first].into_iter(), page_len: 1 }
    }
}

/// The least key above a key.
fn successor(key: &[u8]) -> Vec<u8> {
    let mut next = key.to_vec();
    next.push(0);
    next
}

impl Iterator for Scan {
    type Item = Result<Pair>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(pair) = self.page.next() {
                return Some(Ok(pair));
            }
            let from = self.next.take()?;
            let page = match self.engine.scan(self.tree, &from, &self.to, self.page_len) {
                Ok(page) => page,
                Err(error) => return Some(Err(error)),
            };
            if page.len() == self.page_len {
                self.next = page.last().map(|(key, _)| successor(key));
            }
            self.page_len = (self.page_len * 4).min(Self::PAGE);
            self.page = page.into_iter();
            self.page.len().checked_sub(1)?;
        }
    }
}
