//! The folder of a database: a lock, the data, and HEAD.
//!
//! `HEAD` names the folder of the data in use and the last state that was acknowledged. It is replaced by one rename, so that a
//! database written anew takes the old one's place at once or not at all. The state in HEAD also guards against an engine
//! that silently goes back behind synced work when its log is damaged.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use fs2::FileExt as _;

use super::codec::FORMAT;
use super::error::{Error, Result};

/// The folder of a database, locked.
#[derive(Debug)]
pub(crate) struct Home {
    path: PathBuf,
    /// Held for as long as the database is open.
    _lock: File,
}

/// What HEAD says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    /// The number of the data folder.
    pub(crate) data: u32,
    /// The last state that was acknowledged.
    pub(crate) acknowledged: u64,
}

const HEAD: &str = "HEAD";
const HEAD_NEW: &str = "HEAD.new";
const LOCK: &str = "lock";
const DATA: &str = "data-";
const SPILL: &str = "spill";

impl Home {
    /// Locks a folder; `None` for its head if the database is new. Leftovers of interrupted work are removed.
    pub(crate) fn open(path: &Path, create: bool) -> Result<(Self, Option<Head>)> {
        let exists = path.join(HEAD).exists();
        if !exists {
            if !create {
                return Err(Error::NoDatabase { path: path.to_owned() });
            }
            fs::create_dir_all(path).map_err(Error::io("create", path))?;
            if entries(path)?.iter().any(|name| !is_ours(name)) {
                return Err(Error::NotADatabase { path: path.to_owned() });
            }
        }
        let lock = path.join(LOCK);
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&lock);
        let file = file.map_err(Error::io("open", &lock))?;
        file.try_lock_exclusive().map_err(|cause| {
            if cause.kind() == fs2::lock_contended_error().kind() {
                Error::InUse { path: path.to_owned() }
            } else {
                Error::Io { action: "lock", path: lock, cause }
            }
        })?;
        let home = Home { path: path.to_owned(), _lock: file };
        // Read under the lock: another process may have compacted the database just before.
        let head = home.read_head()?;
        let in_use = head.map(|head| format!("{DATA}{}", head.data));
        for name in entries(path)? {
            let stale = name.starts_with(DATA) && Some(&name) != in_use.as_ref();
            if stale {
                let old = path.join(name);
                fs::remove_dir_all(&old).map_err(Error::io("remove", old))?;
            }
        }
        Ok((home, head))
    }

    /// The folder of the data with a number.
    pub(crate) fn data(&self, number: u32) -> PathBuf {
        self.path.join(format!("{DATA}{number}"))
    }

    /// The folder for the sorted files of a bulk load.
    pub(crate) fn spill(&self) -> PathBuf {
        self.path.join(SPILL)
    }

    /// The folder of the database.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Replaces HEAD.
    pub(crate) fn write_head(&self, head: Head) -> Result<()> {
        let text = format!(
            "boardprint database, format {FORMAT}\ndata {}\nacknowledged {}\n",
            head.data, head.acknowledged
        );
        let text = format!("{text}check {:08x}\n", crc32fast::hash(text.as_bytes()));
        let (new, old) = (self.path.join(HEAD_NEW), self.path.join(HEAD));
        let write = || {
            let mut file = File::create(&new)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            fs::rename(&new, &old)?;
            sync_folder(&self.path)
        };
        write().map_err(Error::io("write", &old))
    }

    fn read_head(&self) -> Result<Option<Head>> {
        let path = self.path.join(HEAD);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(None),
            Err(cause) => return Err(Error::Io { action: "read", path, cause }),
        };
        let format = text.strip_prefix("boardprint database, format ").and_then(|rest| rest.split_once('\n'));
        let format = format.and_then(|(format, _)| format.parse().ok());
        let damaged = || {
            let cause =
                std::io::Error::new(ErrorKind::InvalidData, "its text or its check is not what was written");
            Error::Io { action: "read", path: path.clone(), cause }
        };
        let checked = text
            .rsplit_once("check ")
            .filter(|(before, check)| *check == format!("{:08x}\n", crc32fast::hash(before.as_bytes())));
        match (format, checked) {
            (Some(found), Some(_)) if found != u32::from(FORMAT) => {
                return Err(Error::OtherFormat { found, known: FORMAT.into() });
            }
            (Some(_), Some(_)) => {}
            _ => return Err(damaged()),
        }
        let field = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
            line.ok_or_else(damaged)
        };
        let data = field("data")?.parse().map_err(|_| damaged())?;
        let acknowledged = field("acknowledged")?.parse().map_err(|_| damaged())?;
        Ok(Some(Head { data, acknowledged }))
    }
}

/// Makes renames and new files in a folder safe. Some systems cannot open folders; there it does nothing.
pub(crate) fn sync_folder(path: &Path) -> std::io::Result<()> {
    if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) }
}

fn entries(path: &Path) -> Result<Vec<String>> {
    let list = fs::read_dir(path).map_err(Error::io("list", path))?;
    let name = |entry: std::io::Result<fs::DirEntry>| Ok(entry?.file_name().to_string_lossy().into_owned());
    list.map(name).collect::<std::io::Result<_>>().map_err(Error::io("list", path))
}

/// Whether a file may lie in a database that was not finished.
fn is_ours(name: &str) -> bool {
    name == LOCK || name == HEAD_NEW || name == SPILL || name.starts_with(DATA)
}
