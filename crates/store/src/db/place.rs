//! Where a database lies: in a folder, or on a server.

use std::path::{Path, PathBuf};
#[cfg(feature = "postgres")]
use std::sync::Arc;
use std::time::Duration;

use super::engine::{Access, EngineKind};
use super::error::{Error, Result, ServerFault};
use super::head::Head;
use super::home::{Found, is_url, lock_mode, look};
use super::lock::{Holder, Lock, LockMode};
use super::log::{GAMES, Storage};
#[cfg(feature = "postgres")]
use super::postgres::Server;

/// Where a database lies.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    Folder(PathBuf),
    #[cfg(feature = "postgres")]
    Server(Arc<Server>),
}

/// A path as it may be shown: the address of a server without its password.
#[must_use]
pub fn shown_path(path: &Path) -> PathBuf {
    match Place::of(path) {
        Ok(place) => place.name(),
        Err(_) => "postgresql://…".into(),
    }
}

/// Refuses addresses of anything but PostgreSQL, which would be taken for folders.
fn not_elsewhere(path: &Path) -> Result<()> {
    let scheme = path.to_str().and_then(|text| text.split_once("://")).map(|(scheme, _)| scheme);
    // A single letter is a drive.
    match scheme {
        Some(scheme) if scheme.len() > 1 && scheme.bytes().all(|b| b.is_ascii_alphanumeric()) => {
            Err(Error::Server {
                // The address may hold a password.
                server: format!("{scheme}://…"),
                what: "a database is a folder, or lies on a PostgreSQL server".to_owned(),
                fault: ServerFault::Address,
            })
        }
        _ => Ok(()),
    }
}

impl Place {
    /// The place that a path names: `postgresql://…` is a server, everything else a folder.
    pub(crate) fn of(path: &Path) -> Result<Self> {
        if !is_url(path) {
            not_elsewhere(path)?;
            return Ok(Place::Folder(path.to_owned()));
        }
        #[cfg(feature = "postgres")]
        return Ok(Place::Server(Arc::new(Server::new(path.to_str().unwrap_or_default())?)));
        #[cfg(not(feature = "postgres"))]
        return Err(Error::Server {
            // The address may hold a password.
            server: "postgresql://…".to_owned(),
            what: "this program cannot use PostgreSQL".to_owned(),
            fault: ServerFault::NotBuilt,
        });
    }

    /// The place of something that must be a folder.
    pub(crate) fn folder(path: &Path) -> Result<&Path> {
        if !is_url(path) {
            not_elsewhere(path)?;
            return Ok(path);
        }
        Err(Error::Server {
            server: "postgresql://…".to_owned(),
            what: "this can only be written into a folder".to_owned(),
            fault: ServerFault::Folder,
        })
    }

    /// Its name, for messages.
    pub(crate) fn name(&self) -> PathBuf {
        match self {
            Place::Folder(path) => path.clone(),
            #[cfg(feature = "postgres")]
            Place::Server(server) => server.name(),
        }
    }

    /// What is there; errors for what is not a database.
    pub(crate) fn look(&self) -> Result<Found> {
        match self {
            Place::Folder(path) => look(path),
            #[cfg(feature = "postgres")]
            Place::Server(server) => server.look(),
        }
    }

    /// The segments of the log.
    pub(crate) fn storage(&self, writable: bool) -> Storage {
        match self {
            Place::Folder(path) => Storage::files(path.join(GAMES), writable),
            #[cfg(feature = "postgres")]
            Place::Server(server) => Storage::Server(super::postgres::LogTable::new(Arc::clone(server))),
        }
    }

    /// Locks it against all others that write, and in a folder against most that read.
    pub(crate) fn lock(&self, holder: &Holder, wait: Duration) -> Result<Lock> {
        match self {
            Place::Folder(path) => Lock::take(path, LockMode::Exclusive, holder, wait),
            #[cfg(feature = "postgres")]
            Place::Server(server) => Ok(Lock::Server(server.lock(&holder.clone().on_this_host(), wait)?)),
        }
    }

    /// Locks it as those do who only read, if they must.
    pub(crate) fn lock_for(&self, access: Access, holder: &Holder, wait: Duration) -> Result<Lock> {
        match self {
            Place::Folder(path) => Lock::take(path, lock_mode(path, access), holder, wait),
            #[cfg(feature = "postgres")]
            Place::Server(_) if access == Access::Read => Ok(Lock::Free),
            #[cfg(feature = "postgres")]
            Place::Server(_) => self.lock(holder, wait),
        }
    }

    /// Whether the lock that readers or writers take is still of the same kind.
    pub(crate) fn mode(&self, access: Access) -> LockMode {
        match self {
            Place::Folder(path) => lock_mode(path, access),
            #[cfg(feature = "postgres")]
            Place::Server(_) => LockMode::Exclusive,
        }
    }

    /// Whether HEAD names another index by now.
    pub(crate) fn moved_on(&self, from: &Head) -> Result<bool> {
        if matches!(self, Place::Folder(_)) {
            return Ok(false);
        }
        Ok(match self.look()? {
            Found::Head(now) => now.index != from.index,
            Found::Nothing => true,
        })
    }

    /// The engine of a new index here, if another is wished for.
    pub(crate) fn engine(&self, wished: EngineKind) -> EngineKind {
        match self {
            Place::Folder(_) => wished,
            #[cfg(feature = "postgres")]
            Place::Server(_) => EngineKind::Postgres,
        }
    }
}
