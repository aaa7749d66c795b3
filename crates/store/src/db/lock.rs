//! Who has a database open: a lock that the system gives back however the process ends, and a text that names
//! the holder.

use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Seek as _, Write as _};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::error::{Error, Result};
use super::head::Head;

pub(crate) const LOCK: &str = "lock";

/// Who holds a database, as the lock file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holder {
    /// The number of the process.
    pub process: u32,
    /// The machine on which it runs, if it may be another one.
    pub host: Option<String>,
    /// What it does, such as `import`.
    pub purpose: String,
    /// When it began, in seconds since 1970.
    pub since: u64,
    /// Where it answers, if it is a server.
    pub address: Option<String>,
    /// How many games the database had when this was read: how far an import is.
    pub games: Option<u64>,
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let host = self.host.as_ref().map(|host| format!(" on {host}")).unwrap_or_default();
        write!(f, "{} (process {}{host})", self.purpose, self.process)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs());
        let seconds = now.saturating_sub(self.since);
        write!(f, ", for {seconds} {}", if seconds == 1 { "second" } else { "seconds" })?;
        if let Some(games) = self.games {
            write!(f, ", {games} {} so far", if games == 1 { "game" } else { "games" })?;
        }
        self.address.as_ref().map_or(Ok(()), |address| write!(f, ", answering at {address}"))
    }
}

impl Holder {
    /// This process.
    #[must_use]
    pub fn this(purpose: &str, address: Option<&str>) -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs());
        // One line each, whatever the caller says.
        let line = |text: &str| text.replace(['\n', '\r'], " ");
        let (process, purpose) = (std::process::id(), line(purpose));
        Holder { process, host: None, purpose, since, address: address.map(line), games: None }
    }

    /// The holder that the lock file of a database names. It may have ended meanwhile.
    #[must_use]
    pub fn read(folder: &Path) -> Option<Self> {
        let path = folder.join(LOCK);
        // A pipe in its place would keep us waiting.
        if !fs::metadata(&path).ok()?.is_file() {
            return None;
        }
        let text = fs::read_to_string(path).ok()?;
        let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        Some(Holder {
            process: field("process")?.parse().ok()?,
            host: None,
            purpose: field("purpose")?.to_owned(),
            since: field("since")?.parse().ok()?,
            address: field("address").map(str::to_owned),
            games: Head::read(folder).ok().flatten().map(|head| head.games),
        })
    }

    /// The holder with the name of this machine, for those who look from another one.
    #[cfg(feature = "postgres")]
    pub(crate) fn on_this_host(mut self) -> Self {
        let name =
            fs::read_to_string("/proc/sys/kernel/hostname").or_else(|_| fs::read_to_string("/etc/hostname"));
        let name =
            name.ok().or_else(|| std::env::var("HOSTNAME").or_else(|_| std::env::var("COMPUTERNAME")).ok());
        self.host = name.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
        self
    }

    fn text(&self) -> String {
        let mut text = format!("process {}\npurpose {}\nsince {}\n", self.process, self.purpose, self.since);
        if let Some(address) = &self.address {
            text.extend(["address ", address, "\n"]);
        }
        text
    }
}

/// A lock that is held, and given back when it is dropped.
#[derive(Debug)]
pub(crate) enum Lock {
    /// Nobody needs to be kept out: readers of a server, or media that nobody can write.
    Free,
    /// A lock on a file.
    File(#[cfg_attr(not(test), expect(dead_code, reason = "it is held, not read"))] HeldFile),
    /// A lock on a server.
    #[cfg(feature = "postgres")]
    Server(#[expect(dead_code, reason = "it is held, not read")] super::postgres::Held),
}

/// A locked file. Closing it would give the lock back only when every copy of its handle is closed, and a
/// program that is being started by another thread has copies of all handles for a moment.
#[derive(Debug)]
pub(crate) struct HeldFile(File);

impl Drop for HeldFile {
    fn drop(&mut self) {
        // If this fails, the system gives it back.
        let _ = self.0.unlock();
    }
}

/// How a lock is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LockMode {
    /// Nobody else.
    Exclusive,
    /// Other readers too.
    Shared,
}

impl Lock {
    /// Takes the lock of a folder; waits for it for a while.
    pub(crate) fn take(folder: &Path, mode: LockMode, holder: &Holder, wait: Duration) -> Result<Self> {
        const STEP: Duration = Duration::from_millis(50);
        let path = folder.join(LOCK);
        let Some(mut file) = open(&path, mode)? else { return Ok(Lock::Free) };
        let deadline = Instant::now() + wait;
        loop {
            let locked = match mode {
                LockMode::Exclusive => file.try_lock(),
                LockMode::Shared => file.try_lock_shared(),
            };
            match locked {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if Instant::now() < deadline => thread::sleep(STEP),
                Err(TryLockError::WouldBlock) => {
                    return Err(Error::InUse {
                        path: folder.to_owned(),
                        holder: Holder::read(folder).map(Box::new),
                    });
                }
                Err(TryLockError::Error(cause)) => {
                    return Err(Error::Io { action: "lock", path, cause });
                }
            }
        }
        if mode == LockMode::Exclusive {
            // Only a help for others: a disk without room does not keep anybody from reading.
            let _ = file
                .set_len(0)
                .and_then(|()| file.rewind())
                .and_then(|()| file.write_all(holder.text().as_bytes()));
        }
        Ok(Lock::File(HeldFile(file)))
    }
}

/// Opens the lock file; `None` where there is none and none can be made, which is enough for readers.
fn open(path: &Path, mode: LockMode) -> Result<Option<File>> {
    if fs::metadata(path).is_ok_and(|about| !about.is_file()) {
        let cause = std::io::Error::new(ErrorKind::InvalidData, "it is not an ordinary file");
        return Err(Error::Io { action: "open", path: path.to_owned(), cause });
    }
    match OpenOptions::new().create(true).truncate(false).write(true).open(path) {
        Ok(file) => Ok(Some(file)),
        Err(cause) if mode == LockMode::Shared => match File::open(path) {
            Ok(file) => Ok(Some(file)),
            Err(again) if again.kind() == ErrorKind::NotFound && is_read_only(&cause) => Ok(None),
            Err(_) => Err(Error::Io { action: "open", path: path.to_owned(), cause }),
        },
        Err(cause) => Err(Error::Io { action: "open", path: path.to_owned(), cause }),
    }
}

fn is_read_only(cause: &std::io::Error) -> bool {
    matches!(cause.kind(), ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_holder_is_named_and_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let holder = Holder::this("import\nof games", Some("127.0.0.1:80"));
        let lock = Lock::take(folder.path(), LockMode::Exclusive, &holder, Duration::ZERO).unwrap();
        assert_eq!(Holder::read(folder.path()), Some(holder.clone()));
        let busy =
            Lock::take(folder.path(), LockMode::Shared, &holder, Duration::from_millis(60)).unwrap_err();
        assert!(busy.to_string().contains("in use by import of games (process "), "{busy}");
        assert!(busy.to_string().contains("answering at 127.0.0.1:80"), "{busy}");
        let waiter = std::thread::spawn({
            let folder = folder.path().to_owned();
            move || Lock::take(&folder, LockMode::Exclusive, &Holder::default(), Duration::from_secs(20))
        });
        drop(lock);
        drop(waiter.join().unwrap().unwrap());
        let one = Lock::take(folder.path(), LockMode::Shared, &holder, Duration::ZERO).unwrap();
        let two = Lock::take(folder.path(), LockMode::Shared, &holder, Duration::ZERO).unwrap();
        drop((one, two));
    }

    #[test]
    fn a_lock_is_given_back_while_a_copy_of_its_handle_is_open() {
        let folder = tempfile::tempdir().unwrap();
        let take = || Lock::take(folder.path(), LockMode::Exclusive, &Holder::default(), Duration::ZERO);
        let Lock::File(held) = take().unwrap() else { panic!("the folder can be written") };
        let copy = held.0.try_clone().unwrap();
        assert!(take().is_err(), "it is held");
        drop(held);
        take().unwrap();
        drop(copy);
    }
}
