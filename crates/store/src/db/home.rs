//! The folder of a database: HEAD, a lock, the games, and the index.
//!
//! Nothing is ever removed here but an index folder that is named by our scheme, carries this database's id, and is not the one
//! that HEAD names.

use std::fs::{self, File};
use std::io::{ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::engine::{Access, Engine, EngineKind};
use super::error::{Error, Result};
use super::head::{DatabaseId, HEAD, Head, sync_folder};
use super::lock::{Holder, LOCK, Lock, LockMode};
use super::log::{GAMES, Log, SEGMENT_HEAD, Storage};

/// The folder of a database, locked.
#[derive(Debug)]
pub(crate) struct Home {
    path: PathBuf,
    /// Held for as long as the database is open.
    _lock: Lock,
}

const INDEX: &str = "index-";
const ID: &str = "ID";
const MAX_ID_BYTES: u64 = 4096;

/// What is found in a folder.
pub(crate) enum Found {
    Head(Head),
    /// Nothing, or what an interrupted creation left.
    Nothing,
}

impl Home {
    /// Locks a folder, and says what is in it.
    pub(crate) fn open(
        path: &Path,
        access: Access,
        create: bool,
        holder: &Holder,
        wait: Duration,
    ) -> Result<(Self, Found)> {
        match look(path)? {
            Found::Nothing if !create => return Err(Error::NoDatabase { path: path.to_owned() }),
            Found::Nothing => fs::create_dir_all(path).map_err(Error::io("create", path))?,
            Found::Head(_) => {}
        }
        loop {
            let mode = lock_mode(path, access);
            let lock = Lock::take(path, mode, holder, wait)?;
            // Read under the lock: another process may have built another index just before.
            if lock_mode(path, access) == mode {
                return Ok((Home { path: path.to_owned(), _lock: lock }, look(path)?));
            }
        }
    }

    /// A folder whose lock is held.
    pub(crate) fn locked(path: &Path, lock: Lock) -> Self {
        Home { path: path.to_owned(), _lock: lock }
    }

    /// The folder of the database.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The folder of the segments.
    pub(crate) fn games(&self) -> PathBuf {
        self.path.join(GAMES)
    }

    /// The folder of the index with a number.
    pub(crate) fn index(&self, number: u32) -> PathBuf {
        index_path(&self.path, number)
    }

    /// An index number that is not in use.
    pub(crate) fn free_index(&self) -> Result<u32> {
        let taken = entries(&self.path)?.iter().filter_map(|name| index_number(name)).max();
        Ok(taken.map_or(1, |taken| taken.saturating_add(1)))
    }

    /// Makes a folder for an index, with the id of its database in it.
    pub(crate) fn create_index(&self, number: u32, id: DatabaseId, engine: EngineKind) -> Result<PathBuf> {
        let folder = self.index(number);
        fs::create_dir(&folder).map_err(Error::io("create", &folder))?;
        let text = format!("boardprint index\nid {id}\nengine {engine}\n");
        let text = format!("{text}check {:08x}\n", crc32fast::hash(text.as_bytes()));
        let path = folder.join(ID);
        let write = || {
            let mut file = File::create(&path)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            sync_folder(&folder)?;
            sync_folder(&self.path)
        };
        write().map_err(Error::io("write", &path))?;
        Ok(folder)
    }

    /// Opens the index that HEAD names.
    pub(crate) fn open_index(
        &self,
        head: &Head,
        cache: u64,
        access: Access,
    ) -> Result<(std::sync::Arc<dyn Engine>, EngineKind)> {
        let folder = self.index(head.index);
        let bad = |why: String| Error::BadIndex { path: folder.clone(), why };
        let (id, engine) = read_id(&folder).map_err(bad)?;
        if id != head.id {
            return Err(Error::OtherDatabase {
                path: folder,
                found: id.to_string(),
                wanted: head.id.to_string(),
            });
        }
        match engine.open(&folder, cache, access) {
            Ok(opened) => Ok((opened, engine)),
            Err(error @ (Error::InUse { .. } | Error::Threads(_))) => Err(match error {
                Error::InUse { .. } => {
                    Error::InUse { path: self.path.clone(), holder: Holder::read(&self.path) }
                }
                other => other,
            }),
            Err(error) => Err(bad(error.to_string())),
        }
    }

    /// Removes indexes of this database that HEAD does not name.
    pub(crate) fn remove_superseded(&self, head: &Head) -> Result<()> {
        for number in entries(&self.path)?.iter().filter_map(|name| index_number(name)) {
            if number != head.index {
                self.remove_index(number, head.id)?;
            }
        }
        Ok(())
    }

    /// Removes an index if it is one of this database.
    pub(crate) fn remove_index(&self, number: u32, id: DatabaseId) -> Result<()> {
        let folder = self.index(number);
        let is_link = fs::symlink_metadata(&folder).is_ok_and(|about| about.is_symlink());
        if !is_link && read_id(&folder).is_ok_and(|(found, _)| found == id) {
            // The id goes last, so that an interrupted removal can be ended.
            for entry in fs::read_dir(&folder).map_err(Error::io("list", &folder))? {
                let entry = entry.map_err(Error::io("list", &folder))?;
                let path = entry.path();
                if entry.file_name() != ID {
                    let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
                    let removed = if is_folder { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
                    removed.map_err(Error::io("remove", path))?;
                }
            }
            fs::remove_dir_all(&folder).map_err(Error::io("remove", folder))?;
        }
        Ok(())
    }
}

/// How a folder must be locked: readers of an engine that allows it lock it together.
fn lock_mode(path: &Path, access: Access) -> LockMode {
    let engine = Head::read(path).ok().flatten().and_then(|head| read_id(&index_path(path, head.index)).ok());
    match engine {
        Some((_, engine)) if access == Access::Read && engine.shares() => LockMode::Shared,
        _ => LockMode::Exclusive,
    }
}

/// What is in a folder; errors for what is not a database.
pub(crate) fn look(path: &Path) -> Result<Found> {
    if let Some(head) = Head::read(path)? {
        return Ok(Found::Head(head));
    }
    let names = match entries(path) {
        Ok(names) => names,
        Err(Error::Io { cause, .. }) if cause.kind() == ErrorKind::NotFound => return Ok(Found::Nothing),
        Err(error) => return Err(error),
    };
    if has_frames(&path.join(GAMES))? {
        return Err(Error::HeadMissing { path: path.join(HEAD) });
    }
    let ours = |name: &String| {
        matches!(name.as_str(), LOCK | "HEAD.new" | GAMES)
            || index_number(name).is_some_and(|number| is_index(&index_path(path, number)))
    };
    if names.iter().all(ours) {
        Ok(Found::Nothing)
    } else {
        Err(Error::NotADatabase { path: path.to_owned() })
    }
}

/// Whether a folder is an index, or one that was only begun.
fn is_index(folder: &Path) -> bool {
    read_id(folder).is_ok() || entries(folder).is_ok_and(|names| names.iter().all(|name| name == ID))
}

/// Whether a folder of segments holds more than the head of an empty one, or anything that is not a segment.
fn has_frames(games: &Path) -> Result<bool> {
    match fs::symlink_metadata(games) {
        Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(false),
        Err(cause) => return Err(Error::Io { action: "read", path: games.to_owned(), cause }),
        Ok(about) if !about.is_dir() => return Ok(true),
        Ok(_) => {}
    }
    let storage = Storage::files(games.to_owned(), false);
    let segments = storage.segments()?;
    if segments.len() != entries(games)?.len() {
        return Ok(true);
    }
    for segment in segments {
        if storage.len(segment)? > SEGMENT_HEAD as u64 {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The id that the first segment of an interrupted creation carries.
pub(crate) fn unfinished_id(games: &Path) -> Option<DatabaseId> {
    Log::segment_id(&Storage::files(games.to_owned(), false), 1).ok().flatten()
}

fn index_path(path: &Path, number: u32) -> PathBuf {
    path.join(format!("{INDEX}{number}"))
}

fn index_number(name: &str) -> Option<u32> {
    let number: u32 = name.strip_prefix(INDEX)?.parse().ok()?;
    (format!("{INDEX}{number}") == name).then_some(number)
}

/// The id and the engine that an index carries; why not, otherwise.
pub(crate) fn read_id(folder: &Path) -> std::result::Result<(DatabaseId, EngineKind), String> {
    let path = folder.join(ID);
    let about = fs::metadata(&path).map_err(|cause| format!("{ID}: {cause}"))?;
    if !about.is_file() {
        return Err(format!("{ID} is not an ordinary file"));
    }
    let mut text = String::new();
    let file = File::open(&path).map_err(|cause| format!("{ID}: {cause}"))?;
    file.take(MAX_ID_BYTES).read_to_string(&mut text).map_err(|cause| format!("{ID}: {cause}"))?;
    let good = text
        .rsplit_once("check ")
        .is_some_and(|(before, check)| check == format!("{:08x}\n", crc32fast::hash(before.as_bytes())));
    let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    let id = field("id").and_then(DatabaseId::parse);
    let engine = field("engine").and_then(EngineKind::of_name);
    match (id, engine) {
        (Some(id), Some(engine)) if good => Ok((id, engine)),
        _ => Err(format!("{ID} is not what was written")),
    }
}

fn entries(path: &Path) -> Result<Vec<String>> {
    let list = fs::read_dir(path).map_err(Error::io("list", path))?;
    let name = |entry: std::io::Result<fs::DirEntry>| Ok(entry?.file_name().to_string_lossy().into_owned());
    list.map(name).collect::<std::io::Result<_>>().map_err(Error::io("list", path))
}
