//! Bytes as they are stored: counted, and decompressed if their first bytes say so.

use std::io::{self, BufReader, Chain, Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bzip2::read::MultiBzDecoder;
use flate2::read::MultiGzDecoder;

/// How much of the input has been read, before decompression. Clones share the count, so another thread can
/// watch.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    read: Arc<AtomicU64>,
    skipped: Arc<AtomicU64>,
    total: Option<u64>,
}

impl Progress {
    pub(super) fn of(total: Option<u64>) -> Self {
        Progress { total, ..Progress::default() }
    }

    /// Files of folders that were passed over because they do not look like games: pictures, programs, prose.
    #[must_use]
    pub fn skipped(&self) -> u64 {
        self.skipped.load(Ordering::Relaxed)
    }

    /// One more file was passed over.
    pub(super) fn skip(&self) {
        self.skipped.fetch_add(1, Ordering::Relaxed);
    }

    /// The bytes read so far.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// The bytes there are, unless some come from standard input.
    #[must_use]
    pub const fn total(&self) -> Option<u64> {
        self.total
    }
}

/// A reader that counts.
struct Counted<R> {
    inner: R,
    progress: Progress,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.progress.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

type Stored<R> = Chain<Cursor<Vec<u8>>, Counted<R>>;

/// The uncompressed bytes of `input`.
pub(super) fn decode(
    input: impl Read + Send + 'static,
    progress: &Progress,
) -> io::Result<Box<dyn Read + Send>> {
    let mut counted = Counted { inner: input, progress: progress.clone() };
    let mut magic = Vec::new();
    counted.by_ref().take(4).read_to_end(&mut magic)?;
    let compression = Compression::of(&magic);
    let stored: Stored<_> = Cursor::new(magic).chain(counted);
    Ok(match compression {
        Some(Compression::Gzip) => Box::new(MultiGzDecoder::new(BufReader::with_capacity(64 << 10, stored))),
        Some(Compression::Zstd) => Box::new(zstd::Decoder::new(stored)?),
        Some(Compression::Bzip2) => Box::new(MultiBzDecoder::new(BufReader::with_capacity(64 << 10, stored))),
        None => Box::new(stored),
    })
}

/// How bytes are compressed.
#[derive(Clone, Copy)]
enum Compression {
    Gzip,
    Zstd,
    Bzip2,
}

impl Compression {
    /// Told from the first bytes.
    fn of(magic: &[u8]) -> Option<Self> {
        match magic {
            [0x1f, 0x8b, ..] => Some(Compression::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Compression::Zstd),
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => Some(Compression::Bzip2),
            _ => None,
        }
    }
}

/// What bytes are that somebody packed in a way that is not read, told from the first of them.
pub(super) fn packed(head: &[u8]) -> Option<&'static str> {
    match head {
        [b'P', b'K', 3, 4, ..] => Some("a zip archive"),
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some("compressed with xz"),
        [b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c, ..] => Some("a 7z archive"),
        [b'R', b'a', b'r', b'!', 0x1a, 7, ..] => Some("a RAR archive"),
        _ if head.get(257..262) == Some(b"ustar") => Some("a tar archive"),
        _ => None,
    }
}

/// Whether bytes are compressed, told from the first of them.
pub(super) fn is_compressed(head: &[u8]) -> bool {
    Compression::of(head).is_some()
}
