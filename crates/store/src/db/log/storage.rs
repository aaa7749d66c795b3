//! Where segments lie: in files, or in memory for databases that need no disk.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::super::error::{Error, Result};
use super::super::head::sync_folder;
#[cfg(feature = "postgres")]
use super::super::postgres::LogTable;

/// Segments by number.
#[derive(Debug)]
pub(crate) enum Storage {
    Files(Files),
    Memory(Mutex<BTreeMap<u32, Vec<u8>>>),
    /// Rows of a table on a server.
    #[cfg(feature = "postgres")]
    Server(LogTable),
}

/// Segments in a folder.
#[derive(Debug)]
pub(crate) struct Files {
    folder: PathBuf,
    open: Mutex<BTreeMap<u32, Arc<Mutex<File>>>>,
    writable: bool,
}

/// The name of a segment.
pub(crate) fn segment_name(segment: u32) -> String {
    format!("{segment:08}.log")
}

/// The number of a segment with this name.
pub(crate) fn segment_number(name: &str) -> Option<u32> {
    let digits = name.strip_suffix(".log")?;
    let number: u32 = digits.parse().ok()?;
    (segment_name(number) == name && number > 0).then_some(number)
}

impl Storage {
    pub(crate) fn files(folder: PathBuf, writable: bool) -> Self {
        Storage::Files(Files { folder, open: Mutex::default(), writable })
    }

    pub(crate) fn memory() -> Self {
        Storage::Memory(Mutex::default())
    }

    /// The numbers of all segments, ascending.
    pub(crate) fn segments(&self) -> Result<Vec<u32>> {
        match self {
            Storage::Files(files) => files.segments(),
            Storage::Memory(map) => Ok(lock(map).keys().copied().collect()),
            #[cfg(feature = "postgres")]
            Storage::Server(table) => table.segments(),
        }
    }

    pub(crate) fn len(&self, segment: u32) -> Result<u64> {
        match self {
            Storage::Files(files) => {
                let path = files.path(segment);
                Ok(fs::metadata(&path).map_err(Error::io("read", path))?.len())
            }
            Storage::Memory(map) => Ok(lock(map).get(&segment).map_or(0, |bytes| bytes.len() as u64)),
            #[cfg(feature = "postgres")]
            Storage::Server(table) => table.len(segment),
        }
    }

    /// Up to `len` bytes from an offset; fewer only where the segment ends.
    pub(crate) fn read(&self, segment: u32, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<()> {
        out.clear();
        match self {
            Storage::Files(files) => files.read(segment, offset, len, out),
            Storage::Memory(map) => {
                let map = lock(map);
                let bytes = map.get(&segment).map_or(&[][..], Vec::as_slice);
                let begin = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
                out.extend_from_slice(&bytes[begin..bytes.len().min(begin.saturating_add(len))]);
                Ok(())
            }
            #[cfg(feature = "postgres")]
            Storage::Server(table) => table.read(segment, offset, len, out),
        }
    }

    /// Writes at an offset, which is the end of the segment.
    pub(crate) fn append(&self, segment: u32, offset: u64, bytes: &[u8]) -> Result<()> {
        match self {
            Storage::Files(files) => {
                let file = files.file(segment)?;
                let mut file = lock(&file);
                let write = file.seek(SeekFrom::Start(offset)).and_then(|_| file.write_all(bytes));
                write.map_err(Error::io("write", files.path(segment)))
            }
            Storage::Memory(map) => {
                lock(map).entry(segment).or_default().extend_from_slice(bytes);
                Ok(())
            }
            #[cfg(feature = "postgres")]
            Storage::Server(table) => table.append(segment, offset, bytes),
        }
    }

    /// Makes a segment safe. On a server this is done by the transaction that acknowledges it.
    pub(crate) fn sync(&self, segment: u32) -> Result<()> {
        match self {
            Storage::Files(files) => {
                let file = files.file(segment)?;
                let file = lock(&file);
                file.sync_all().map_err(Error::io("sync", files.path(segment)))
            }
            Storage::Memory(_) => Ok(()),
            #[cfg(feature = "postgres")]
            Storage::Server(_) => Ok(()),
        }
    }

    /// Keeps what was appended although HEAD says nothing of it yet.
    #[cfg_attr(not(feature = "postgres"), expect(clippy::unnecessary_wraps, reason = "a server may fail"))]
    pub(crate) fn keep(&self) -> Result<()> {
        match self {
            Storage::Files(_) | Storage::Memory(_) => Ok(()),
            #[cfg(feature = "postgres")]
            Storage::Server(table) => table.commit(),
        }
    }

    /// The same segments for readers, if they have a way of their own.
    pub(crate) fn reading(&self) -> Option<Self> {
        match self {
            Storage::Files(_) | Storage::Memory(_) => None,
            #[cfg(feature = "postgres")]
            Storage::Server(table) => Some(Storage::Server(table.reading())),
        }
    }

    /// Makes an empty segment. One that is there is left alone.
    pub(crate) fn create(&self, segment: u32) -> Result<()> {
        match self {
            Storage::Files(files) => files.create(segment),
            Storage::Memory(map) => {
                lock(map).entry(segment).or_default();
                Ok(())
            }
            // It is there with its first row.
            #[cfg(feature = "postgres")]
            Storage::Server(_) => Ok(()),
        }
    }

    /// Makes the entry of a new segment in its folder safe.
    pub(crate) fn sync_folder(&self) -> Result<()> {
        match self {
            Storage::Files(files) => sync_folder(&files.folder).map_err(Error::io("sync", &files.folder)),
            Storage::Memory(_) => Ok(()),
            #[cfg(feature = "postgres")]
            Storage::Server(_) => Ok(()),
        }
    }

    /// Cuts a segment.
    pub(crate) fn truncate(&self, segment: u32, len: u64) -> Result<()> {
        match self {
            Storage::Files(files) => {
                let file = files.file(segment)?;
                let file = lock(&file);
                let cut = file.set_len(len).and_then(|()| file.sync_all());
                cut.map_err(Error::io("cut", files.path(segment)))
            }
            Storage::Memory(map) => {
                let len = usize::try_from(len).unwrap_or(usize::MAX);
                lock(map).entry(segment).or_default().truncate(len);
                Ok(())
            }
            #[cfg(feature = "postgres")]
            Storage::Server(table) => table.truncate(segment, len),
        }
    }

    /// Where a segment lies, for messages.
    pub(crate) fn path(&self, segment: u32) -> PathBuf {
        match self {
            Storage::Files(files) => files.path(segment),
            Storage::Memory(_) => segment_name(segment).into(),
            #[cfg(feature = "postgres")]
            Storage::Server(table) => table.path(segment),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Files {
    fn path(&self, segment: u32) -> PathBuf {
        self.folder.join(segment_name(segment))
    }

    fn segments(&self) -> Result<Vec<u32>> {
        let folder = &self.folder;
        let list = match fs::read_dir(folder) {
            Ok(list) => list,
            Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(cause) => return Err(Error::Io { action: "list", path: folder.clone(), cause }),
        };
        let mut numbers = Vec::new();
        for entry in list {
            let name = entry.map_err(Error::io("list", folder))?.file_name();
            numbers.extend(name.to_str().and_then(segment_number));
        }
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// A segment, opened once.
    fn file(&self, segment: u32) -> Result<Arc<Mutex<File>>> {
        if let Some(file) = lock(&self.open).get(&segment) {
            return Ok(Arc::clone(file));
        }
        let path = self.path(segment);
        let about = fs::metadata(&path).map_err(Error::io("open", &path))?;
        if !about.is_file() {
            let cause = std::io::Error::new(std::io::ErrorKind::InvalidData, "it is not an ordinary file");
            return Err(Error::Io { action: "open", path, cause });
        }
        let file = OpenOptions::new().read(true).write(self.writable).open(&path);
        let file = Arc::new(Mutex::new(file.map_err(Error::io("open", &path))?));
        lock(&self.open).insert(segment, Arc::clone(&file));
        Ok(file)
    }

    fn create(&self, segment: u32) -> Result<()> {
        let path = self.path(segment);
        let made = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        made.map_err(Error::io("create", path)).map(drop)
    }

    fn read(&self, segment: u32, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<()> {
        let file = self.file(segment)?;
        let mut file = lock(&file);
        let read = file.seek(SeekFrom::Start(offset)).and_then(|_| {
            out.reserve(len);
            (&mut *file).take(len as u64).read_to_end(out)
        });
        read.map_err(Error::io("read", self.path(segment))).map(drop)
    }
}
