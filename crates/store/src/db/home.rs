//! The home of a database: HEAD, a lock, the games, and the index, in a folder or on a server.
//!
//! Nothing is ever removed here but an index that is named by our scheme, carries this database's id, and is
//! not the one that HEAD names.

use std::fs::{self, File};
use std::io::{ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::engine::{Access, Engine, EngineKind};
use super::error::{Error, Result};
use super::head::{DatabaseId, FORMAT_1, HEAD, Head, sync_folder};
use super::lock::{Holder, LOCK, Lock, LockMode};
use super::log::{GAMES, Log, SEGMENT_HEAD, Storage};
use super::manifest::Manifest;
use super::place::Place;
#[cfg(feature = "postgres")]
use super::postgres::PostgresEngine;

/// The place of a database, locked.
#[derive(Debug)]
pub(crate) struct Home {
    place: Place,
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

/// Whether a path is the address of a server.
pub(crate) fn is_url(path: &Path) -> bool {
    path.to_str().is_some_and(|text| text.starts_with("postgresql://") || text.starts_with("postgres://"))
}

impl Home {
    /// Locks a place, and says what is in it.
    pub(crate) fn open(
        place: Place,
        access: Access,
        create: bool,
        holder: &Holder,
        wait: Duration,
    ) -> Result<(Self, Found)> {
        match (place.look()?, &place) {
            (Found::Nothing, _) if !create => return Err(Error::NoDatabase { path: place.name() }),
            (Found::Nothing, Place::Folder(path)) => {
                fs::create_dir_all(path).map_err(Error::io("create", path))?;
            }
            _ => {}
        }
        loop {
            let mode = place.mode(access);
            let lock = place.lock_for(access, holder, wait)?;
            // Read under the lock: another process may have built another index just before.
            if place.mode(access) == mode {
                let found = place.look()?;
                return Ok((Home { place, _lock: lock }, found));
            }
        }
    }

    /// A place whose lock is held.
    pub(crate) const fn locked(place: Place, lock: Lock) -> Self {
        Home { place, _lock: lock }
    }

    pub(crate) const fn place(&self) -> &Place {
        &self.place
    }

    /// Whether it lies in a folder.
    pub(crate) const fn is_folder(&self) -> bool {
        matches!(self.place, Place::Folder(_))
    }

    /// The segments of the log.
    pub(crate) fn storage(&self, writable: bool) -> Storage {
        self.place.storage(writable)
    }

    /// Replaces HEAD: from here on everything that it names counts.
    pub(crate) fn write_head(&self, head: &Head) -> Result<()> {
        match &self.place {
            Place::Folder(path) => head.write(path),
            #[cfg(feature = "postgres")]
            Place::Server(server) => server.write_head(head),
        }
    }

    /// Says who holds the database, where that could not be said before it was made.
    pub(crate) fn note_holder(&self) {
        match &self.place {
            Place::Folder(_) => {}
            #[cfg(feature = "postgres")]
            Place::Server(server) => server.note_holder(),
        }
    }

    /// Makes room for a new database; its id, and the end of its log.
    pub(crate) fn begin(&self, segment_bytes: u64) -> Result<Log> {
        let id = match &self.place {
            Place::Folder(path) => {
                let games = path.join(GAMES);
                let id = unfinished_id(&games).unwrap_or_else(DatabaseId::new);
                fs::create_dir_all(&games).map_err(Error::io("create", &games))?;
                // What an interrupted creation left carries the same id.
                self.remove_index(1, id)?;
                id
            }
            #[cfg(feature = "postgres")]
            Place::Server(server) => {
                server.create_tables()?;
                DatabaseId::new()
            }
        };
        Ok(Log::new(self.storage(true), id, segment_bytes))
    }

    /// The name of the index with a number, for messages.
    pub(crate) fn index(&self, number: u32) -> PathBuf {
        match &self.place {
            Place::Folder(path) => index_path(path, number),
            #[cfg(feature = "postgres")]
            Place::Server(server) => server.name().join(format!("{INDEX}{number}")),
        }
    }

    /// The folder for the sorted files of a bulk load, if there is a folder.
    #[cfg_attr(not(feature = "postgres"), expect(clippy::unnecessary_wraps, reason = "a server has none"))]
    pub(crate) fn spills(&self, number: u32) -> Option<PathBuf> {
        match &self.place {
            Place::Folder(path) => Some(index_path(path, number).join("spill")),
            #[cfg(feature = "postgres")]
            Place::Server(_) => None,
        }
    }

    /// The engine of the index with a number; why not, otherwise.
    pub(crate) fn engine_of(&self, number: u32) -> std::result::Result<EngineKind, String> {
        match &self.place {
            Place::Folder(path) => read_id(&index_path(path, number)).map(|note| note.engine),
            #[cfg(feature = "postgres")]
            Place::Server(_) => Ok(EngineKind::Postgres),
        }
    }

    /// An index number that is not in use.
    pub(crate) fn free_index(&self) -> Result<u32> {
        let taken = match &self.place {
            Place::Folder(path) => entries(path)?.iter().filter_map(|name| index_number(name)).max(),
            #[cfg(feature = "postgres")]
            Place::Server(server) => server.indexes()?.into_iter().map(|(number, _)| number).max(),
        };
        Ok(taken.map_or(1, |taken| taken.saturating_add(1)))
    }

    /// Makes an index, with the id of its database in it. The manifest says what it is to hold.
    pub(crate) fn create_index(
        &self,
        number: u32,
        manifest: &Manifest,
        engine: EngineKind,
        cache: u64,
    ) -> Result<Arc<dyn Engine>> {
        match &self.place {
            Place::Folder(path) => {
                let folder = create_index(path, number, manifest, engine)?;
                engine.open(&folder, cache, Access::Write)
            }
            #[cfg(feature = "postgres")]
            Place::Server(server) => {
                server.create_index(number, manifest.id)?;
                Ok(Arc::new(PostgresEngine::new(Arc::clone(server), number)))
            }
        }
    }

    /// Opens the index that HEAD names.
    pub(crate) fn open_index(
        &self,
        head: &Head,
        cache: u64,
        access: Access,
    ) -> Result<(Arc<dyn Engine>, EngineKind)> {
        let name = self.index(head.index);
        let bad = |why: String| Error::BadIndex { path: name.clone(), why };
        let other =
            |id: String| Error::OtherDatabase { path: name.clone(), found: id, wanted: head.id.to_string() };
        #[cfg_attr(
            not(feature = "postgres"),
            expect(clippy::infallible_destructuring_match, reason = "a server is another place")
        )]
        let path = match &self.place {
            Place::Folder(path) => path,
            #[cfg(feature = "postgres")]
            Place::Server(server) => {
                let indexes = server.indexes()?;
                let found = indexes.into_iter().find(|(number, _)| *number == head.index);
                return match found {
                    None => Err(bad("it is missing".to_owned())),
                    Some((_, id)) if id != head.id.to_string() => Err(other(id)),
                    Some(_) => {
                        let engine = PostgresEngine::new(Arc::clone(server), head.index);
                        Ok((Arc::new(engine), EngineKind::Postgres))
                    }
                };
            }
        };
        let folder = index_path(path, head.index);
        let IndexNote { id, engine, .. } = read_id(&folder).map_err(bad)?;
        if id != head.id {
            return Err(other(id.to_string()));
        }
        match engine.open(&folder, cache, access) {
            Ok(opened) => Ok((opened, engine)),
            Err(error @ (Error::InUse { .. } | Error::Threads(_) | Error::Interrupted { .. })) => {
                Err(match error {
                    Error::InUse { .. } => {
                        Error::InUse { path: path.clone(), holder: Holder::read(path).map(Box::new) }
                    }
                    other => other,
                })
            }
            Err(error) => Err(bad(error.to_string())),
        }
    }

    /// Removes indexes of this database that HEAD does not name.
    pub(crate) fn remove_superseded(&self, head: &Head) -> Result<()> {
        let numbers: Vec<u32> = match &self.place {
            Place::Folder(path) => entries(path)?.iter().filter_map(|name| index_number(name)).collect(),
            #[cfg(feature = "postgres")]
            Place::Server(server) => server.indexes()?.into_iter().map(|(number, _)| number).collect(),
        };
        for number in numbers.into_iter().filter(|number| *number != head.index) {
            self.remove_index(number, head.id)?;
        }
        Ok(())
    }

    /// Removes an index if it is one of this database.
    pub(crate) fn remove_index(&self, number: u32, id: DatabaseId) -> Result<()> {
        match &self.place {
            Place::Folder(path) => remove_index(&index_path(path, number), id),
            #[cfg(feature = "postgres")]
            Place::Server(server) => server.remove_index(number, id),
        }
    }
}

/// How the positions of a database are named, and which of them are indexed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Indexing {
    /// How the hashes are made.
    pub profile: String,
    /// Positions after this ply are not indexed.
    pub max_ply: Option<u32>,
}

impl Indexing {
    /// What HEAD says of a database; where HEAD is lost, what its index says of itself. `None` if nothing
    /// says it.
    ///
    /// # Errors
    ///
    /// If there is no database, or none that this program knows.
    pub fn of(path: &Path) -> Result<Option<Self>> {
        let place = Place::of(path)?;
        match place.look() {
            Ok(Found::Head(head)) => Ok(Some(Indexing { profile: head.profile, max_ply: head.max_ply })),
            Ok(Found::Nothing) => Err(Error::NoDatabase { path: place.name() }),
            Err(Error::HeadMissing { .. } | Error::HeadUnreadable { .. }) => {
                let id = Log::segment_id(&place.storage(false), 1)?;
                Ok(id.and_then(|id| newest_index(path, id)).and_then(|(_, note)| note.indexing))
            }
            // Its index is read when it is taken over.
            Err(Error::OtherFormat { found: FORMAT_1, .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// What an index in a folder says of itself.
pub(crate) struct IndexNote {
    id: DatabaseId,
    engine: EngineKind,
    /// Indexes of the first databases of this format do not say it.
    pub(crate) indexing: Option<Indexing>,
}

/// The newest index of a database in a folder, for whoever has no HEAD that names one.
pub(crate) fn newest_index(path: &Path, id: DatabaseId) -> Option<(u32, IndexNote)> {
    let names = entries(path).ok()?;
    let notes = names.iter().filter_map(|name| {
        let number = index_number(name)?;
        let note = read_id(&index_path(path, number)).ok()?;
        (note.id == id).then_some((number, note))
    });
    notes.max_by_key(|(number, _)| *number)
}

/// Makes a folder for an index, with the id of its database in it.
fn create_index(path: &Path, number: u32, manifest: &Manifest, engine: EngineKind) -> Result<PathBuf> {
    let folder = index_path(path, number);
    fs::create_dir(&folder).map_err(Error::io("create", &folder))?;
    let Manifest { id, profile, max_ply, .. } = manifest;
    let max_ply = max_ply.map(|ply| format!("max-ply {ply}\n")).unwrap_or_default();
    let text = format!("boardprint index\nid {id}\nengine {engine}\nprofile {profile}\n{max_ply}");
    let text = format!("{text}check {:08x}\n", crc32fast::hash(text.as_bytes()));
    let file = folder.join(ID);
    let write = || {
        let mut file = File::create(&file)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        sync_folder(&folder)?;
        sync_folder(path)
    };
    write().map_err(Error::io("write", &file))?;
    Ok(folder)
}

/// Removes a folder if it is an index of this database.
fn remove_index(folder: &Path, id: DatabaseId) -> Result<()> {
    let is_link = fs::symlink_metadata(folder).is_ok_and(|about| about.is_symlink());
    if !is_link && read_id(folder).is_ok_and(|note| note.id == id) {
        // The id goes last, so that an interrupted removal can be ended.
        for entry in fs::read_dir(folder).map_err(Error::io("list", folder))? {
            let entry = entry.map_err(Error::io("list", folder))?;
            let path = entry.path();
            if entry.file_name() != ID {
                let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
                let removed = if is_folder { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
                removed.map_err(Error::io("remove", path))?;
            }
        }
        fs::remove_dir_all(folder).map_err(Error::io("remove", folder))?;
    }
    Ok(())
}

/// How a folder must be locked: readers of an engine that allows it lock it together.
pub(crate) fn lock_mode(path: &Path, access: Access) -> LockMode {
    let note = Head::read(path).ok().flatten().and_then(|head| read_id(&index_path(path, head.index)).ok());
    match note {
        Some(note) if access == Access::Read && note.engine.shares() => LockMode::Shared,
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
    match look_at_games(&path.join(GAMES))? {
        FoundGames::Frames => return Err(Error::HeadMissing { path: path.join(HEAD) }),
        // Somebody's own folder of that name.
        FoundGames::Other => return Err(Error::NotADatabase { path: path.to_owned() }),
        FoundGames::Nothing => {}
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

/// What is found where the segments of a log lie.
enum FoundGames {
    /// More than the head of an empty segment.
    Frames,
    /// Nothing, or what an interrupted creation left.
    Nothing,
    /// No segment, but something else.
    Other,
}

fn look_at_games(games: &Path) -> Result<FoundGames> {
    match fs::symlink_metadata(games) {
        Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(FoundGames::Nothing),
        Err(cause) => return Err(Error::Io { action: "read", path: games.to_owned(), cause }),
        Ok(about) if !about.is_dir() => return Ok(FoundGames::Other),
        Ok(_) => {}
    }
    let storage = Storage::files(games.to_owned(), false);
    let (segments, names) = (storage.segments()?, entries(games)?);
    if segments.is_empty() {
        return Ok(if names.is_empty() { FoundGames::Nothing } else { FoundGames::Other });
    }
    if segments.len() != names.len() {
        return Ok(FoundGames::Frames);
    }
    for segment in segments {
        if storage.len(segment)? > SEGMENT_HEAD as u64 {
            return Ok(FoundGames::Frames);
        }
    }
    Ok(FoundGames::Nothing)
}

/// The id that the first segment of an interrupted creation carries.
fn unfinished_id(games: &Path) -> Option<DatabaseId> {
    Log::segment_id(&Storage::files(games.to_owned(), false), 1).ok().flatten()
}

fn index_path(path: &Path, number: u32) -> PathBuf {
    path.join(format!("{INDEX}{number}"))
}

/// The number of the index whose folder has this name.
pub(crate) fn index_number(name: &str) -> Option<u32> {
    let number: u32 = name.strip_prefix(INDEX)?.parse().ok()?;
    (format!("{INDEX}{number}") == name).then_some(number)
}

/// What an index says of itself; why not, otherwise.
fn read_id(folder: &Path) -> std::result::Result<IndexNote, String> {
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
    let indexing = field("profile").map(|profile| Indexing {
        profile: profile.to_owned(),
        max_ply: field("max-ply").and_then(|ply| ply.parse().ok()),
    });
    match (id, engine) {
        (Some(id), Some(engine)) if good => Ok(IndexNote { id, engine, indexing }),
        _ => Err(format!("{ID} is not what was written")),
    }
}

fn entries(path: &Path) -> Result<Vec<String>> {
    let list = fs::read_dir(path).map_err(Error::io("list", path))?;
    let name = |entry: std::io::Result<fs::DirEntry>| Ok(entry?.file_name().to_string_lossy().into_owned());
    list.map(name).collect::<std::io::Result<_>>().map_err(Error::io("list", path))
}
