//! What tells a file from another of the same name.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::time::UNIX_EPOCH;

use boardprint_base::Digest;

use super::Reader;
use super::input::Source;

/// How much of a file's beginning tells it from others.
const HEAD: u64 = 64 << 10;

impl Reader {
    /// The name of the file, text or stream that is read next, and what tells it from another of that name:
    /// of a file its size, time of change and first 64 KB. `stdin` tells one standard input from another.
    #[must_use]
    pub fn next_name_and_stamp(&self, stdin: u64) -> (Box<str>, Digest) {
        let (name, stamp) = match self.next_source() {
            Some(Source::File(path) | Source::Found(path)) => {
                (path.to_string_lossy().into(), stamp(path).unwrap_or_default())
            }
            Some(Source::Text(text)) => ("-e".into(), text.clone().into_bytes()),
            Some(Source::Bytes { name, bytes, .. }) => (name.to_string().into(), bytes.to_vec()),
            Some(Source::Part { path, range }) => {
                let mut stamp = stamp(path).unwrap_or_default();
                stamp.extend_from_slice(&range.start.to_be_bytes());
                stamp.extend_from_slice(&range.end.to_be_bytes());
                (path.to_string_lossy().into(), stamp)
            }
            Some(Source::Failed(error)) => (error.source_name().to_string().into(), Vec::new()),
            Some(Source::Stdin | Source::Copy(_)) | None => ("-".into(), stdin.to_be_bytes().to_vec()),
        };
        (name, Digest::of(&stamp))
    }
}

fn stamp(path: &Path) -> io::Result<Vec<u8>> {
    let about = fs::metadata(path)?;
    let changed = about.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let mut stamp = about.len().to_be_bytes().to_vec();
    stamp.extend_from_slice(&changed.map_or(0, |time| time.as_nanos()).to_be_bytes());
    // A pipe would lose what is read here, and whoever writes to it if it is only opened.
    if about.is_file() {
        File::open(path)?.take(HEAD).read_to_end(&mut stamp)?;
    }
    Ok(stamp)
}
