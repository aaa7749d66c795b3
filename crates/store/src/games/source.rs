//! Files as the import reads them.

use std::io;

use boardprint_games::Format;
use boardprint_records::{ReadError, Reader};

use crate::db::{GameSource, Record, SourceFile};

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
            let (path, stamp) = reader.next_name_and_stamp(stdin);
            let file = SourceFile { path, stamp };
            FileSource { reader, file, end: 0, records: 0 }
        })
    }

    /// The next record; `None` at the end of the file.
    fn cut(&mut self) -> Option<io::Result<Record>> {
        let record = match self.reader.next()? {
            Ok(record) => Record {
                number: record.number,
                offset: record.offset,
                end: record.offset + record.size,
                line: record.line,
                column: record.column,
                format: record.format,
                text: record.text.into_bytes(),
                bad: None,
            },
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
