//! Sorted files beside the database, on the way to one run: the external sort of a bulk load.
//!
//! A file is a sequence of chunks: length and CRC-32 of the bytes, then the number of entries and the entries
//! as blocks have them.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::codec::{Cursor, put_varint};
use super::error::{Error, Result};
use super::run::Entry;

const CHUNK_ENTRIES: usize = 2048;
/// This many chunks are made at a time, so that all threads have work and few bytes wait.
const CHUNKS_TOGETHER: usize = 32;
/// A chunk that claims to be longer is damaged.
const MAX_CHUNK_BYTES: u32 = 1 << 30;

/// Writes sorted entries into a file and makes it safe.
pub(crate) fn write_slice<E: Entry>(path: &Path, entries: &[E]) -> Result<()> {
    let mut out = SpillWriter::new(create(path)?, path);
    out.slice(entries)?;
    out.into_safe_file()
}

/// Writes a sorted stream into a file and makes it safe.
pub(crate) fn write_stream<E: Entry>(path: &Path, entries: impl Iterator<Item = Result<E>>) -> Result<u64> {
    let mut out = SpillWriter::new(create(path)?, path);
    let count = out.stream(entries)?;
    out.into_safe_file()?;
    Ok(count)
}

fn create(path: &Path) -> Result<File> {
    File::create(path).map_err(Error::io("create", path))
}

/// Writes entries in order. Errors name the path.
pub(crate) struct SpillWriter<'a> {
    path: &'a Path,
    file: BufWriter<File>,
}

impl<'a> SpillWriter<'a> {
    pub(crate) fn new(file: File, path: &'a Path) -> Self {
        SpillWriter { path, file: BufWriter::with_capacity(1 << 18, file) }
    }

    pub(crate) fn slice<E: Entry>(&mut self, entries: &[E]) -> Result<()> {
        for part in entries.chunks(CHUNKS_TOGETHER * CHUNK_ENTRIES) {
            let chunks: Vec<Vec<u8>> = part.par_chunks(CHUNK_ENTRIES).map(encode_chunk).collect();
            chunks.iter().try_for_each(|chunk| self.chunk(chunk))?;
        }
        Ok(())
    }

    /// How many entries there were.
    pub(crate) fn stream<E: Entry>(&mut self, entries: impl Iterator<Item = Result<E>>) -> Result<u64> {
        let mut chunk: Vec<E> = Vec::with_capacity(CHUNK_ENTRIES);
        let mut count = 0;
        for entry in entries {
            chunk.push(entry?);
            count += 1;
            if chunk.len() == CHUNK_ENTRIES {
                self.chunk(&encode_chunk(&chunk))?;
                chunk.clear();
            }
        }
        if !chunk.is_empty() {
            self.chunk(&encode_chunk(&chunk))?;
        }
        Ok(count)
    }

    /// The file with everything in it, though perhaps not on the disk yet.
    pub(crate) fn into_file(self) -> Result<File> {
        self.file.into_inner().map_err(|error| Error::io("write", self.path)(error.into_error()))
    }

    fn into_safe_file(self) -> Result<()> {
        let path = self.path;
        self.into_file()?.sync_all().map_err(Error::io("write", path))
    }

    fn chunk(&mut self, bytes: &[u8]) -> Result<()> {
        self.file.write_all(bytes).map_err(Error::io("write", self.path))
    }
}

fn encode_chunk<E: Entry>(entries: &[E]) -> Vec<u8> {
    let mut out = vec![0; 8];
    put_varint(&mut out, entries.len() as u64);
    let mut previous = None;
    for entry in entries {
        entry.encode(previous, &mut out);
        previous = Some(entry);
    }
    let (head, body) = out.split_at_mut(8);
    let len = u32::try_from(body.len()).expect("a chunk is far below 4 GB");
    head[..4].copy_from_slice(&len.to_le_bytes());
    head[4..].copy_from_slice(&crc32fast::hash(body).to_le_bytes());
    out
}

/// The entries of a file, in order.
pub(crate) struct SpillReader<E> {
    path: PathBuf,
    file: BufReader<File>,
    chunk: std::vec::IntoIter<E>,
    bytes: Vec<u8>,
    /// How many entries are still to come.
    left: u64,
}

impl<E: Entry> SpillReader<E> {
    pub(crate) fn open(path: &Path, entries: u64) -> Result<Self> {
        Ok(Self::new(File::open(path).map_err(Error::io("open", path))?, path, entries))
    }

    /// Reads a file that is open from where it stands. Errors name the path.
    pub(crate) fn new(file: File, path: &Path, entries: u64) -> Self {
        SpillReader {
            path: path.to_owned(),
            file: BufReader::with_capacity(1 << 17, file),
            chunk: Vec::new().into_iter(),
            bytes: Vec::new(),
            left: entries,
        }
    }

    fn damaged(&self, what: &'static str) -> Error {
        let cause = io::Error::new(ErrorKind::InvalidData, what);
        Error::Io { action: "read", path: self.path.clone(), cause }
    }

    fn fill(&mut self) -> Result<()> {
        let (mut len, mut checksum) = ([0; 4], [0; 4]);
        self.file.read_exact(&mut len).map_err(Error::io("read", &self.path))?;
        self.file.read_exact(&mut checksum).map_err(Error::io("read", &self.path))?;
        let len = u32::from_le_bytes(len);
        if len > MAX_CHUNK_BYTES {
            return Err(self.damaged("the length of a chunk is wrong"));
        }
        self.bytes.resize(len as usize, 0);
        self.file.read_exact(&mut self.bytes).map_err(Error::io("read", &self.path))?;
        if crc32fast::hash(&self.bytes) != u32::from_le_bytes(checksum) {
            return Err(self.damaged("the checksum of a chunk does not match"));
        }
        let mut input = Cursor::new(&self.bytes);
        let count = input.count().filter(|count| (1..=self.left).contains(&(*count as u64)));
        let count = count.ok_or_else(|| self.damaged("the number of entries is wrong"))?;
        let mut entries: Vec<E> = Vec::with_capacity(count);
        for _ in 0..count {
            let entry = E::decode(entries.last(), &mut input);
            entries.push(entry.ok_or_else(|| self.damaged("an entry cannot be read"))?);
        }
        self.left -= count as u64;
        self.chunk = entries.into_iter();
        Ok(())
    }
}

impl<E: Entry> Iterator for SpillReader<E> {
    type Item = Result<E>;

    #[inline]
    fn next(&mut self) -> Option<Result<E>> {
        if let Some(entry) = self.chunk.next() {
            return Some(Ok(entry));
        }
        if self.left == 0 {
            return None;
        }
        match self.fill() {
            Ok(()) => self.chunk.next().map(Ok),
            Err(error) => {
                self.left = 0;
                Some(Err(error))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::posting::{Posting, Prefix};
    use boardprint_base::Digest;

    fn postings(count: u64) -> Vec<Posting> {
        let posting = |n: u64| Posting::new(Prefix::of(&Digest::of(&n.to_le_bytes())), n, 7).unwrap();
        let mut postings: Vec<Posting> = (0..count).map(posting).collect();
        postings.sort_unstable();
        postings
    }

    fn read(path: &Path, entries: u64) -> Result<Vec<Posting>> {
        SpillReader::open(path, entries)?.collect()
    }

    #[test]
    fn slices_and_streams_come_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("spill");
        let all = postings(5000);
        write_slice(&path, &all).unwrap();
        assert_eq!(read(&path, 5000).unwrap(), all);
        assert_eq!(write_stream(&path, all.iter().map(|posting| Ok(posting.clone()))).unwrap(), 5000);
        assert_eq!(read(&path, 5000).unwrap(), all);
        assert!(read(&path, 5001).is_err(), "an entry too few");
        assert!(read(&path, 4999).is_err(), "an entry too many");
    }

    #[test]
    fn a_flipped_bit_in_a_file_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("spill");
        write_slice(&path, &postings(20)).unwrap();
        let good = std::fs::read(&path).unwrap();
        for bit in (0..good.len() * 8).step_by(7) {
            let mut bad = good.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&path, bad).unwrap();
            assert!(read(&path, 20).is_err(), "bit {bit}");
        }
    }
}
