//! Files as the import reads them.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::time::UNIX_EPOCH;

use boardprint_base::Digest;

use crate::db::{GameSource, Record, SourceFile};
use crate::read::{self, Format, ReadError, Reader};

/// How much of a file's beginning tells it from others.
const HEAD: u64 = 64 << 10;

/// A file, a text or standard input, cut into records.
///
/// A file is the same as before if its path, size, time of change and first 64 KB are: then an import goes on behind the last record it
/// took. A file that has changed is read from its beginning; games that the database holds already are duplicates. Standard input is always new.
pub struct FileSource {
    reader: Reader,
    file: SourceFile,
    /// The byte behind the last record, and how many there were.
    end: u64,
    records: u64,
}

impl FileSource {
    /// The files that a reader reads. `stdin` tells one standard input from another.
    pub fn all(reader: Reader, stdin: u64) -> impl Iterator<Item = FileSource> + Send {
        reader.split().map(move |reader| {
            let file = describe(&reader, stdin);
            FileSource { reader, file, end: 0, records: 0 }
        })
    }

    /// The next record; `None` at the end of the file.
    fn cut(&mut self) -> Option<io::Result<Record>> {
        let record = match self.reader.next()? {
            Ok(record) => {
                let length = if record.latin1 { record.text.chars().count() } else { record.text.len() };
                Record {
                    number: record.number,
                    offset: record.offset,
                    end: record.offset + length as u64,
                    line: record.line,
                    column: record.column,
                    format: record.format,
                    text: record.text.into_bytes(),
                    bad: None,
                }
            }
            Err(error) if error.is_fatal_to_source() => return Some(Err(io::Error::other(error))),
            Err(error) => self.bad(&error),
        };
        (self.end, self.records) = (record.end, record.number);
        Some(Ok(record))
    }

    /// A record that is no text; it counts all the same.
    fn bad(&self, error: &ReadError) -> Record {
        Record {
            number: error.number().unwrap_or(self.records + 1),
            offset: self.end,
            end: self.end,
            line: error.line().unwrap_or(1),
            column: 1,
            format: Format::Icn,
            text: Vec::new(),
            bad: Some(error.kind().to_string()),
        }
    }
}

impl GameSource for FileSource {
    fn file(&self) -> SourceFile {
        self.file.clone()
    }

    /// Cuts again what was taken before: cutting is cheap, and only so lines and the state of the cutter are right.
    fn resume(&mut self, offset: u64, records: u64) -> io::Result<()> {
        while self.records < records {
            match self.cut() {
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(error),
                None => break,
            }
        }
        if (self.end, self.records) == (offset, records) {
            return Ok(());
        }
        let message =
            "record {records} does not end where it did; was the file read in another format before?";
        Err(io::Error::new(io::ErrorKind::InvalidData, message.replace("{records}", &records.to_string())))
    }

    fn next_record(&mut self) -> Option<io::Result<Record>> {
        self.cut()
    }
}

/// The name of what a reader reads, and what tells it from another of that name.
fn describe(reader: &Reader, stdin: u64) -> SourceFile {
    let (path, stamp) = match reader.next_source() {
        Some(read::Source::File(path)) => (path.to_string_lossy().into(), stamp(path).unwrap_or(b"".into())),
        Some(read::Source::Text(text)) => ("-e".into(), text.clone().into_bytes()),
        Some(read::Source::Failed(error)) => (error.source_name().to_string().into(), Vec::new()),
        Some(read::Source::Stdin | read::Source::Copy(_)) | None => {
            ("-".into(), stdin.to_be_bytes().to_vec())
        }
    };
    SourceFile { path, stamp: Digest::of(&stamp) }
}

/// Size, time of change and beginning of a file.
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
