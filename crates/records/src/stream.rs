//! One source cut into records.

use std::fs::{self, File};
use std::io::Read;
use std::sync::Arc;
use std::time::SystemTime;

use boardprint_base::LineColumn;

use boardprint_games::cut::{Cut, Step, cutter};
use boardprint_games::{Encoding, Format, Record};

use super::decode::packed;
use super::{ReadError, ReadErrorKind, ReaderOptions};

pub(super) const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// How many bytes are looked at to tell the format.
pub(super) const HEAD: usize = 64 << 10;

/// The records of one source.
pub(super) struct Stream {
    source: Arc<str>,
    input: Box<dyn Read + Send>,
    options: ReaderOptions,
    cutter: Option<(Format, Box<dyn Cut + Send>)>,
    /// Read bytes; those before `start` are done with.
    bytes: Vec<u8>,
    start: usize,
    ended: bool,
    failed: Option<ReadErrorKind>,
    /// The file it is read from, to see whether it stays as it was.
    watch: Option<Watch>,
    finished: bool,
    place: Place,
    /// Records that begin here or later belong to somebody else.
    stop: u64,
    number: u64,
    byte_order_mark: bool,
    /// Where the record began whose beginning had to be forgotten, being too long.
    too_long: Option<Place>,
}

/// A file and how it was when it was opened.
pub(super) struct Watch {
    file: File,
    before: (u64, Option<SystemTime>),
}

/// A place in the uncompressed source.
#[derive(Clone, Copy)]
struct Place {
    offset: u64,
    here: LineColumn,
}

type Item = Result<Record, ReadError>;

impl Stream {
    pub(super) fn new(
        source: Arc<str>,
        input: Box<dyn Read + Send>,
        watch: Option<Watch>,
        options: &ReaderOptions,
    ) -> Self {
        Stream {
            source,
            input,
            options: options.clone(),
            cutter: None,
            bytes: Vec::new(),
            start: 0,
            ended: false,
            failed: None,
            watch,
            finished: false,
            place: Place { offset: 0, here: LineColumn { line: 1, column: 1 } },
            stop: u64::MAX,
            number: 0,
            byte_order_mark: false,
            too_long: None,
        }
    }

    /// The same stream, which ends before the first record that begins at an offset or later.
    pub(super) fn until(mut self, stop: u64) -> Self {
        self.stop = stop;
        self
    }

    /// The same stream, whose first byte stands at an offset of what it was taken from.
    pub(super) fn at(mut self, offset: u64) -> Self {
        self.place.offset = offset;
        self
    }

    /// The same stream, whose format is known unless the options name it.
    pub(super) fn format(mut self, format: Option<Format>) -> Self {
        self.options.format = self.options.format.or(format);
        self
    }

    /// The next record, or `None` at the end.
    pub(super) fn next(&mut self) -> Option<Item> {
        let item = if self.place.offset < self.stop { self.next_of_all() } else { None };
        let offset = |item: &Item| match item {
            Ok(record) => Some(record.offset),
            Err(error) => error.offset(),
        };
        item.filter(|item| offset(item).is_none_or(|offset| offset < self.stop))
    }

    fn next_of_all(&mut self) -> Option<Item> {
        if self.cutter.is_none() {
            match self.begin() {
                Ok(format) => self.cutter = Some((format, cutter(format))),
                Err(error) => {
                    self.bytes.clear();
                    self.start = 0;
                    self.ended = true;
                    self.cutter = Some((Format::Icn, cutter(Format::Icn)));
                    return Some(Err(error));
                }
            }
        }
        let mut force = false;
        loop {
            if self.too_long.is_none() && self.cutter().position() == 0 {
                self.skip_blanks();
            }
            if self.start == self.bytes.len() {
                if self.ended {
                    return self.finish();
                }
                self.fill();
                continue;
            }
            // The end of broken input is not the end of a record.
            let last = std::mem::take(&mut force) || (self.ended && self.failed.is_none());
            let step = {
                let (_, cutter) = self.cutter.as_mut().expect("made above");
                cutter.step(&self.bytes[self.start..], last)
            };
            match step {
                Step::Record(length) => {
                    if let Some(item) = self.record(length) {
                        return Some(item);
                    }
                }
                Step::Skip(length) => {
                    let cut_short = self.too_long.take();
                    self.advance(length);
                    if let Some(place) = cut_short {
                        return Some(Err(self.refuse(place)));
                    }
                }
                Step::Bad(length, expected) => {
                    self.number += 1;
                    let place = self.too_long.take().unwrap_or(self.place);
                    self.advance(length);
                    return Some(Err(self.error(place, ReadErrorKind::Expected(expected))));
                }
                Step::More if self.ended => {
                    let length = self.bytes.len() - self.start;
                    if self.failed.is_some() {
                        self.advance(length);
                    } else if let Some(item) = self.record(length) {
                        return Some(item);
                    }
                }
                Step::More => {
                    if self.bytes.len() - self.start > 2 * self.options.max_record.max(self.options.buffer) {
                        // Where the cutter cannot do without any of it, it has to decide now.
                        let count =
                            if last { self.bytes.len() - self.start } else { self.cutter().position() };
                        if count == 0 {
                            force = true;
                            continue;
                        }
                        self.forget(count);
                    }
                    self.fill();
                }
            }
        }
    }

    fn cutter(&self) -> &dyn Cut {
        &*self.cutter.as_ref().expect("made before the first step").1
    }

    /// Reads the head of the source and tells its format.
    fn begin(&mut self) -> Result<Format, ReadError> {
        while self.bytes.len() < HEAD && !self.ended {
            self.fill();
        }
        if matches!(*self.bytes, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) {
            return Err(ReadError::of_source(&self.source, ReadErrorKind::Utf16));
        }
        if self.bytes.starts_with(BYTE_ORDER_MARK) {
            self.byte_order_mark = true;
            self.start = BYTE_ORDER_MARK.len();
            self.place.offset += self.start as u64;
        }
        if let Some(format) = self.options.format {
            return Ok(format);
        }
        let head = &self.bytes[self.start..self.bytes.len().min(HEAD)];
        match Format::detect(head) {
            Some(format) => Ok(format),
            None if self.bytes[self.start..].trim_ascii().is_empty() => Ok(Format::Icn),
            None => {
                let kind = match packed(head) {
                    Some(what) => ReadErrorKind::Packed(what),
                    None => match Format::of_name(&self.source) {
                        Some(format) => return Ok(format),
                        None => ReadErrorKind::UnknownFormat,
                    },
                };
                Err(ReadError::of_source(&self.source, kind))
            }
        }
    }

    /// Reads on: at least as much as is waiting, so that what is looked at again is paid for by what is new.
    fn fill(&mut self) {
        self.bytes.drain(..self.start);
        self.start = 0;
        let waiting = self.bytes.len();
        let wanted =
            waiting.max(self.options.buffer).min(self.options.max_record.max(self.options.buffer)) as u64;
        // No more room than is needed: what grows by itself may take twice as much.
        self.bytes.reserve_exact(usize::try_from(wanted).unwrap_or(0));
        match self.input.by_ref().take(wanted).read_to_end(&mut self.bytes) {
            Ok(count) if count as u64 == wanted => return,
            // The end of a file that changes may be the middle of a record.
            Ok(_) => self.failed = self.watch.as_ref().and_then(Watch::change),
            Err(error) => self.failed = Some(error.into()),
        }
        self.ended = true;
    }

    fn skip_blanks(&mut self) {
        let rest = &self.bytes[self.start..];
        let blanks = rest.len() - rest.trim_ascii_start().len();
        self.advance(blanks);
    }

    /// Goes on after the first `length` waiting bytes.
    fn advance(&mut self, length: usize) {
        let passed = &self.bytes[self.start..self.start + length];
        self.place = self.place.after(passed);
        self.start += length;
    }

    /// Forgets the beginning of a record that is too long.
    fn forget(&mut self, count: usize) {
        let (_, cutter) = self.cutter.as_mut().expect("made before the first step");
        cutter.forget(count);
        self.too_long.get_or_insert(self.place);
        self.advance(count);
    }

    /// The first `length` waiting bytes as a record, or nothing if they are blank.
    fn record(&mut self, length: usize) -> Option<Item> {
        let (place, bytes) = (self.place, &self.bytes[self.start..self.start + length]);
        let blanks = bytes.len() - bytes.trim_ascii_start().len();
        let bytes = bytes.trim_ascii();
        if let Some(place) = self.too_long.take() {
            self.advance(length);
            return Some(Err(self.refuse(place)));
        }
        if bytes.is_empty() {
            self.advance(length);
            return None;
        }
        self.number += 1;
        let place =
            if blanks == 0 { place } else { place.after(&self.bytes[self.start..self.start + blanks]) };
        let (format, _) = self.cutter.as_ref().expect("made before the first step");
        let size = bytes.len() as u64;
        let text = if bytes.len() > self.options.max_record {
            Err(ReadErrorKind::TooLong { limit: self.options.max_record })
        } else {
            text_of(bytes, *format)
        };
        let item = match text {
            Ok((text, encoding)) => Ok(Record {
                source: self.source.clone(),
                number: self.number,
                line: place.line(),
                column: place.here.column as u64,
                offset: place.offset,
                format: *format,
                byte_order_mark: std::mem::take(&mut self.byte_order_mark),
                encoding,
                size,
                text,
            }),
            Err(kind) => Err(self.error(place, kind)),
        };
        self.advance(length);
        Some(item)
    }

    /// The end of the source, or why it could not be read to the end.
    fn finish(&mut self) -> Option<Item> {
        if let Some(place) = self.too_long.take() {
            return Some(Err(self.refuse(place)));
        }
        let finished = std::mem::replace(&mut self.finished, true);
        match self.failed.take() {
            None => {}
            Some(changed @ ReadErrorKind::Changed) => {
                return Some(Err(ReadError::of_source(&self.source, changed)));
            }
            Some(failed) => {
                return Some(Err(ReadError::of_record(
                    &self.source,
                    self.number + 1,
                    self.place.line(),
                    self.place.offset,
                    failed,
                )));
            }
        }
        if !finished && let Some(what) = self.cutter().unclosed() {
            self.number += 1;
            return Some(Err(self.error(self.place, ReadErrorKind::Unclosed(what))));
        }
        None
    }

    fn refuse(&mut self, place: Place) -> ReadError {
        self.number += 1;
        self.error(place, ReadErrorKind::TooLong { limit: self.options.max_record })
    }

    fn error(&self, place: Place, kind: ReadErrorKind) -> ReadError {
        ReadError::of_record(&self.source, self.number, place.line(), place.offset, kind)
    }
}

impl Watch {
    /// Watches a file; pipes and devices change all the time.
    pub(super) fn new(file: &File) -> Option<Self> {
        let file = file.try_clone().ok()?;
        let before = state(&file)?;
        Some(Watch { file, before })
    }

    fn change(&self) -> Option<ReadErrorKind> {
        let changed = state(&self.file).is_some_and(|now| now != self.before);
        changed.then_some(ReadErrorKind::Changed)
    }
}

/// Size and time of change of a file.
fn state(file: &File) -> Option<(u64, Option<SystemTime>)> {
    let about = file.metadata().ok().filter(fs::Metadata::is_file)?;
    Some((about.len(), about.modified().ok()))
}

impl Place {
    fn line(&self) -> u64 {
        self.here.line as u64
    }

    fn after(self, passed: &[u8]) -> Self {
        Place { offset: self.offset + passed.len() as u64, here: self.here.after(passed) }
    }
}

/// The text of a record, and how its bytes were read.
fn text_of(bytes: &[u8], format: Format) -> Result<(String, Encoding), ReadErrorKind> {
    if let Some((text, encoding)) = Encoding::decode(bytes, format) {
        return Ok((text.into_owned(), encoding));
    }
    let offset = std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
    Err(ReadErrorKind::NotUtf8 { offset })
}
