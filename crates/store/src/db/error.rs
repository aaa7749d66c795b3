//! What can go wrong with a database.

use std::io;
use std::path::PathBuf;

use super::engine::Tree;

/// Why a database cannot be opened, read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Another process, or another handle of this one, has the database open.
    #[error("the database {} is in use by another process", path.display())]
    InUse {
        /// Where the database is.
        path: PathBuf,
    },
    /// There is no database, and none was to be made.
    #[error("there is no database at {}", path.display())]
    NoDatabase {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// The folder holds something else.
    #[error("{} is not a boardprint database: it is not empty and has no HEAD file", path.display())]
    NotADatabase {
        /// The folder.
        path: PathBuf,
    },
    /// The database was written by a newer program.
    #[error("the database has format {found}, this program reads format {known}")]
    OtherFormat {
        /// The format of the database.
        found: u32,
        /// The format this program reads and writes.
        known: u32,
    },
    /// The hashes in the database were made in another way.
    #[error("the database holds hashes of the profile `{found}`, not `{wanted}`")]
    OtherProfile {
        /// The profile of the database.
        found: String,
        /// The profile asked for.
        wanted: String,
    },
    /// A stored value is not what was written.
    #[error("damaged block {key} in {tree}: {what}")]
    Damaged {
        /// The tree that holds the block.
        tree: Tree,
        /// The key of the block in hex.
        key: String,
        /// What is wrong with it.
        what: &'static str,
    },
    /// A tree does not hold what the manifest says.
    #[error("{tree} does not agree with the manifest: {what}")]
    Inconsistent {
        /// The tree.
        tree: Tree,
        /// What differs.
        what: String,
    },
    /// The data file went back behind work that had been acknowledged.
    #[error("acknowledged work is missing: the data file is at state {found}, HEAD says {acknowledged}")]
    LostWork {
        /// The state found.
        found: u64,
        /// The state that had been acknowledged.
        acknowledged: u64,
    },
    /// The storage engine failed or stopped.
    #[error("the storage engine failed: {0}")]
    Engine(String),
    /// A file could not be read or written.
    #[error("cannot {action} {}: {cause}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        #[source]
        cause: io::Error,
    },
    /// More than the format can hold.
    #[error("{what} is beyond the limit of {limit}")]
    TooLarge {
        /// What is too large.
        what: &'static str,
        /// The limit.
        limit: u64,
    },
    /// An earlier write failed, so that what is in memory and on disk may differ.
    #[error("an earlier write failed; open the database again")]
    Failed,
    /// A snapshot is still open.
    #[error("the database cannot be compacted while snapshots of it are open")]
    SnapshotsOpen,
    /// A game or a start that the database does not hold.
    #[error("there is no {what} {id}")]
    Missing {
        /// What was asked for.
        what: &'static str,
        /// Its number.
        id: u64,
    },
}

/// The result of a database operation.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub(crate) fn damaged(tree: Tree, key: &[u8], what: &'static str) -> Self {
        Error::Damaged { tree, key: hex::encode(key), what }
    }

    pub(crate) fn inconsistent(tree: Tree, what: impl Into<String>) -> Self {
        Error::Inconsistent { tree, what: what.into() }
    }

    pub(crate) fn io(action: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |cause| Error::Io { action, path, cause }
    }

    /// Whether the database itself is damaged, as opposed to a failing machine or a wrong request.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        matches!(self, Error::Damaged { .. } | Error::Inconsistent { .. } | Error::LostWork { .. })
    }
}
