//! What can go wrong with a database.

use std::io;
use std::path::{Path, PathBuf};

use super::engine::Tree;
use super::home::index_number;
use super::lock::Holder;
use super::log::Address;

/// Why a database cannot be opened, read or written. [`Error::way_out`] says what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Another process, or another handle of this one, has the database open.
    #[error("the database {} is in use{}", path.display(), holder.as_ref().map(|holder| format!(" by {holder}")).unwrap_or_default())]
    InUse {
        /// Where the database is.
        path: PathBuf,
        /// Who has it, as far as the lock file says.
        holder: Option<Box<Holder>>,
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
    /// There are games, but no HEAD.
    #[error("{} is missing beside the games of a database", path.display())]
    HeadMissing {
        /// Where it should be.
        path: PathBuf,
    },
    /// HEAD is not an ordinary file, is damaged, or cannot be read.
    #[error("{} cannot be read: {why}", path.display())]
    HeadUnreadable {
        /// Where it is.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// A part of the folder belongs to another database.
    #[error("{} belongs to another database: its id is {found}, this one's is {wanted}", path.display())]
    OtherDatabase {
        /// The segment or index.
        path: PathBuf,
        /// The id found there.
        found: String,
        /// The id of this database.
        wanted: String,
    },
    /// The database was written by another version of the program.
    #[error("the database has format {found}, this program reads format {known}")]
    OtherFormat {
        /// The format of the database.
        found: u32,
        /// The format this program reads and writes.
        known: u32,
    },
    /// The names in the database were made by another specification.
    #[error("the names in the database are those of specification {found}, this program knows {known}")]
    OtherSpecification {
        /// The specification of the database.
        found: String,
        /// The specification of this program.
        known: &'static str,
    },
    /// The hashes in the database were made in another way.
    #[error("the database holds hashes of the profile `{found}`, not `{wanted}`")]
    OtherProfile {
        /// The profile of the database.
        found: String,
        /// The profile asked for.
        wanted: String,
    },
    /// A part of the log of games is not what was written.
    #[error("the games are damaged: {} at byte {}: {what}", address.file_name(), address.offset())]
    DamagedLog {
        /// Where.
        address: Address,
        /// What is wrong there.
        what: &'static str,
    },
    /// The log of games is shorter than what was acknowledged.
    #[error("acknowledged games are missing: {} ends at byte {found}, HEAD says {}", acknowledged.file_name(), acknowledged.offset())]
    LostGames {
        /// The end that had been acknowledged.
        acknowledged: Address,
        /// How long the segment is.
        found: u64,
    },
    /// The index cannot be opened.
    #[error("the index {} cannot be opened: {why}", path.display())]
    BadIndex {
        /// The folder of the index.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// The index does not cover all games.
    #[error("the index does not cover all games: {indexed} of {acknowledged}")]
    Behind {
        /// How many games it covers.
        indexed: u64,
        /// How many there are.
        acknowledged: u64,
    },
    /// Whoever wrote the index was interrupted, and it cannot be read before somebody has opened it for writing.
    #[error("the index {} was left open by a program that was interrupted", path.display())]
    Interrupted {
        /// The folder of the index.
        path: PathBuf,
    },
    /// Games are forgotten, but the index still has them.
    #[error("the games are forgotten, but the index could not be built again without them: {0}")]
    HalfForgotten(#[source] Box<Error>),
    /// A value in the index is not what was written.
    #[error("the index is damaged: block {key} in {tree}: {what}")]
    Damaged {
        /// The tree that holds the block.
        tree: Tree,
        /// The key of the block in hex.
        key: String,
        /// What is wrong with it.
        what: &'static str,
    },
    /// The index does not agree with itself or with the games.
    #[error("the index is damaged: {tree}: {what}")]
    Inconsistent {
        /// The tree.
        tree: Tree,
        /// What differs.
        what: String,
    },
    /// A stored game cannot be replayed.
    #[error("game {id} cannot be replayed: {why}")]
    Replay {
        /// Its number.
        id: u64,
        /// Why.
        why: String,
    },
    /// The storage engine failed or stopped.
    #[error("the storage engine failed: {0}")]
    Engine(String),
    /// The server on which the database lies failed, or is not what it should be.
    #[error("{server}: {what}")]
    Server {
        /// The address, without password.
        server: String,
        /// What happened.
        what: String,
        /// Of which kind that is.
        fault: ServerFault,
    },
    /// The system gives no more threads.
    #[error("cannot start threads: {0}")]
    Threads(String),
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
    /// The database was opened for reading.
    #[error("the database was opened for reading only")]
    ReadOnly,
    /// A snapshot is still open.
    #[error("the database cannot be compacted while snapshots of it are open")]
    SnapshotsOpen,
    /// The question took longer than whoever asked had patience for.
    #[error("out of time")]
    OutOfTime,
    /// A game that the database does not hold.
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

/// What helps after an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WayOut {
    /// Wait until the holder has ended, or ask the server that holds it.
    Wait,
    /// Make a database by importing games.
    Import,
    /// Choose another folder.
    OtherFolder,
    /// Build the index from the games again.
    Reindex,
    /// Restore a backup, or save what can be read.
    Salvage,
    /// Move what stands in the place of HEAD away, then build the index again.
    MoveAway,
    /// Put the right games back; or, if it is HEAD that belongs to another database, move that away.
    OtherGames,
    /// Open it once where it can be written.
    OpenToWrite,
    /// Use the newer program that wrote it.
    NewerProgram,
    /// Make room, raise the limit or mend the disk, then try again.
    Again,
    /// Look after the server.
    Server(ServerFault),
}

/// What is wrong with a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ServerFault {
    /// This program was built without support for servers.
    NotBuilt,
    /// The address is not one.
    Address,
    /// Nobody answers there.
    Unreachable,
    /// The connection was lost.
    Lost,
    /// The role is unknown there, or its password is wrong or missing.
    Role,
    /// The server has no such database.
    Database,
    /// The role may not do that.
    Denied,
    /// The server is a replica, which can only be read.
    Replica,
    /// The server wants an encrypted connection.
    Tls,
    /// The server has no room, or no connection left.
    Full,
    /// The schema holds tables of somebody else.
    NotOurs,
    /// The address is that of a shard.
    Shard,
    /// The database has no shards.
    NoShards,
    /// The tables have a layout that this program does not know.
    Layout,
    /// Something is there already.
    Occupied,
    /// Another process changed the database meanwhile.
    Changed,
    /// The index of a database on a server lies on that server.
    Engine,
    /// This needs a folder.
    Folder,
    /// Anything else.
    Other,
}

impl ServerFault {
    /// Whether another request helps, rather than another state of the server.
    #[must_use]
    pub const fn is_usage(self) -> bool {
        matches!(
            self,
            ServerFault::NotBuilt
                | ServerFault::Address
                | ServerFault::NotOurs
                | ServerFault::Shard
                | ServerFault::NoShards
                | ServerFault::Occupied
                | ServerFault::Engine
                | ServerFault::Folder
        )
    }

    /// What helps.
    #[must_use]
    pub const fn hint(self) -> &'static str {
        match self {
            ServerFault::NotBuilt => "build it with the feature `postgres`",
            ServerFault::Address => {
                "write it as postgresql://USER@HOST:PORT/DATABASE, with %40 for an @ within a name or a password"
            }
            ServerFault::Unreachable => "start the server, or correct host and port",
            ServerFault::Lost => {
                "what was acknowledged is safe; run the command again when the server is back: an import goes on where it stopped"
            }
            ServerFault::Role => {
                "make the role with `createuser`, or give the right name and password (PGPASSWORD, or in the address)"
            }
            ServerFault::Database => "make it with `createdb`, or correct the name after the host",
            ServerFault::Denied => {
                "have the owner of the schema grant the right, or use another role or ?schema="
            }
            ServerFault::Replica => "write to the server that it copies",
            ServerFault::Tls => {
                "this program speaks without TLS: use a socket or a tunnel, and sslmode=disable"
            }
            ServerFault::Full => "make room or allow more connections on the server, then try again",
            ServerFault::NotOurs => "name another schema with ?schema=NAME",
            ServerFault::Shard => "name the coordinator",
            ServerFault::NoShards => "make them with `boardprint shard`, before the first import",
            ServerFault::Layout => "use the program that wrote it",
            ServerFault::Occupied => "name an empty schema with ?schema=NAME",
            ServerFault::Changed => "ask again",
            ServerFault::Engine => "leave out --engine",
            ServerFault::Folder => "name a folder",
            ServerFault::Other => "look into the log of the server",
        }
    }
}

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

    /// The same error for somebody else who runs into it.
    #[cfg(feature = "postgres")]
    pub(crate) fn again(&self) -> Self {
        match self {
            Error::Server { server, what, fault } => {
                Error::Server { server: server.clone(), what: what.clone(), fault: *fault }
            }
            _ => Error::Failed,
        }
    }

    /// Whether the database itself is damaged, as opposed to a failing machine or a wrong request.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        matches!(
            self,
            Error::Damaged { .. }
                | Error::Inconsistent { .. }
                | Error::DamagedLog { .. }
                | Error::LostGames { .. }
                | Error::BadIndex { .. }
                | Error::Replay { .. }
        )
    }

    /// What helps.
    #[must_use]
    pub fn way_out(&self) -> WayOut {
        match self {
            Error::InUse { .. } | Error::SnapshotsOpen => WayOut::Wait,
            Error::NoDatabase { .. } | Error::Missing { .. } => WayOut::Import,
            Error::NotADatabase { .. } => WayOut::OtherFolder,
            Error::OtherFormat { found, known } if found > known => WayOut::NewerProgram,
            Error::OtherSpecification { .. } => WayOut::NewerProgram,
            Error::HeadUnreadable { path, .. } if path.is_dir() => WayOut::MoveAway,
            Error::DamagedLog { .. } | Error::LostGames { .. } | Error::Replay { .. } => WayOut::Salvage,
            // Either the games are those of another database, or HEAD is.
            Error::OtherDatabase { path, .. } if path.extension().is_some_and(|end| end == "log") => {
                WayOut::OtherGames
            }
            Error::OtherDatabase { path, .. } if !is_index(path) => WayOut::OtherFolder,
            Error::Interrupted { .. } => WayOut::OpenToWrite,
            Error::HeadMissing { .. }
            | Error::HalfForgotten(_)
            | Error::HeadUnreadable { .. }
            | Error::OtherDatabase { .. }
            | Error::OtherFormat { .. }
            | Error::OtherProfile { .. }
            | Error::BadIndex { .. }
            | Error::Behind { .. }
            | Error::Damaged { .. }
            | Error::Inconsistent { .. }
            | Error::Engine(_) => WayOut::Reindex,
            Error::Server { fault, .. } => WayOut::Server(*fault),
            Error::Threads(_)
            | Error::Io { .. }
            | Error::TooLarge { .. }
            | Error::Failed
            | Error::OutOfTime
            | Error::ReadOnly => WayOut::Again,
        }
    }
}

/// Whether a path is that of an index.
fn is_index(path: &Path) -> bool {
    path.file_name().and_then(|name| index_number(name.to_str()?)).is_some()
}

impl std::fmt::Display for WayOut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            WayOut::Wait => "wait until it has ended, or ask the server that holds it",
            WayOut::Import => "make a database with `import`",
            WayOut::OtherFolder => "choose another folder",
            WayOut::Reindex => "build the index again with `reindex`: the games are not touched",
            WayOut::Salvage => "restore a backup, or save what can be read with `salvage`",
            WayOut::MoveAway => "move it away, then make it again with `reindex`: the games are not touched",
            WayOut::OtherGames => {
                "put the right games back; or, if HEAD is that of another database, move it away and make it again with `reindex`"
            }
            WayOut::OpenToWrite => "open it once where it can be written, for example with `compact`",
            WayOut::NewerProgram => "use the newer program that wrote it",
            WayOut::Again => "make room or raise the limit, then try again",
            WayOut::Server(fault) => fault.hint(),
        })
    }
}
