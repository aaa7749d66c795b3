//! A part of a large file.

use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use boardprint_games::Format;
use boardprint_games::cut::{LOOK_BACK, next_start};

use super::decode::is_compressed;
use super::stream::{BYTE_ORDER_MARK, HEAD};

/// A file from the first record that begins in a range to the first one that begins after it.
pub(super) struct Part {
    /// The file, at the first of these records.
    pub(super) file: File,
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) format: Option<Format>,
}

/// How much is looked at, at a time, for the beginning of a record.
const STEP: u64 = 64 << 10;

impl Part {
    pub(super) fn open(
        path: &Path,
        range: &Range<u64>,
        format: Option<Format>,
        name: &Arc<str>,
    ) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let size = file.metadata()?.len();
        let mut head = Vec::new();
        file.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
        let format = format.or_else(|| Format::detect(&head)).or_else(|| Format::of_name(name));
        let is_array = format == Some(Format::Json) && text_of(&head).first() == Some(&b'[');
        let format = format.filter(|_| !is_compressed(&head) && !is_array);
        let mut border = |at: u64| match (at, format) {
            (0, _) => Ok(0),
            (at, Some(format)) if at < size => border(&mut file, format, at, size),
            _ => Ok(size),
        };
        let (start, end) = (border(range.start)?, border(range.end)?);
        // What is missing at the end of the file is missed by whoever gets there.
        let end = if end == size { u64::MAX } else { end };
        file.seek(SeekFrom::Start(start))?;
        Ok(Part { file, start, end, format })
    }
}

/// The text after a byte order mark and blanks.
fn text_of(head: &[u8]) -> &[u8] {
    head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head).trim_ascii_start()
}

/// The first byte, not before `at`, at which a record certainly begins; the end of the file if there is none.
fn border(file: &mut File, format: Format, at: u64, size: u64) -> io::Result<u64> {
    let mut begin = at.saturating_sub(LOOK_BACK as u64);
    let mut from = usize::try_from(at - begin).unwrap_or(usize::MAX);
    let mut text = Vec::new();
    file.seek(SeekFrom::Start(begin))?;
    loop {
        let read = file.by_ref().take(STEP).read_to_end(&mut text)?;
        if let Some(start) = next_start(format, &text, from, read == 0) {
            return Ok(begin + start as u64);
        }
        if read == 0 {
            return Ok(size);
        }
        // The last line may not be whole yet; all before it was looked at.
        let line = memchr::memrchr(b'\n', &text).map_or(0, |line| line + 1);
        let keep = line.saturating_sub(LOOK_BACK);
        text.drain(..keep);
        begin += keep as u64;
        from = from.max(line) - keep;
    }
}

#[cfg(test)]
mod tests;
