//! Collections cut into records, as a stream.
//!
//! A reader holds one record at a time, however large the file, and never stops at a bad one: what cannot be read is an
//! item of the stream that says where it stands and why.
//!
//! **Accepts** files, folders (walked in name order, hidden files aside), standard input and text; plain or compressed by
//! gzip, zstd or bzip2, told apart by their first bytes; with or without a byte order mark; lines ended by LF or CR LF. The format
//! is told from the content ([`Format::detect`]) unless the options name it:
//!
//! | format | one record |
//! |---|---|
//! | `icn` | a game or position, as `icn.rs` cuts it |
//! | `json` | an object; alone, in an array, or one a line |
//! | `pgn` | tags and moves up to the next tags; text that is not UTF-8 is read as Latin-1 ([`Record::latin1`]) |
//! | `cpn`, `fen`, `sfen` | a line; blank lines and lines that begin with `#` belong to none |
//!
//! **Refuses**, as items of the stream: records longer than [`Options::max_record`], text that is not UTF-8 (PGN aside), UTF-16, damaged or
//! truncated compressed data, JSON arrays that are not closed, folders that contain themselves by way of links, files whose format nobody can tell, files
//! that changed while they were read.
//!
//! ```
//! use boardprint_store::read::{Input, Options, Reader};
//!
//! let reader = Reader::new([Input::text("K1,1|k1,9 1,1>1,2\nK2,2|k1,9\n")], Options::default().cut_text(true));
//! let texts: Vec<String> = reader.map(|record| record.map(|record| record.text)).collect::<Result<_, _>>()?;
//! assert_eq!(texts, ["K1,1|k1,9 1,1>1,2", "K2,2|k1,9"]);
//! # Ok::<(), boardprint_store::read::ReadError>(())
//! ```

mod cut;
mod decode;
mod detect;
mod error;
mod icn;
mod input;
mod json;
mod lines;
mod pgn;
mod stream;

#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use decode::Progress;
pub use error::{ReadError, ReadErrorKind};
pub(crate) use input::Source;
pub use input::{Input, Reader};

/// A text format of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// Infinite-chess notation.
    Icn,
    /// The JSON long form of ICN.
    Json,
    /// Chess Position Notation.
    Cpn,
    /// FEN and its relatives.
    Fen,
    /// SFEN of Shogi.
    Sfen,
    /// Portable Game Notation.
    Pgn,
}

/// One record of a collection and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// What it was read from: a path, `-` for standard input, `-e` for a text.
    pub source: Arc<str>,
    /// Its number in that source, from 1. Records that could not be read count too.
    pub number: u64,
    /// The line on which it begins, from 1.
    pub line: u64,
    /// The character of that line at which it begins, from 1.
    pub column: u64,
    /// The byte of the uncompressed source at which it begins.
    pub offset: u64,
    /// Its format.
    pub format: Format,
    /// Whether a byte order mark stood in front of it.
    pub byte_order_mark: bool,
    /// Whether its bytes were no UTF-8 and were read as Latin-1.
    pub latin1: bool,
    /// Its text, without the blanks around it.
    pub text: String,
}

/// How to read collections.
#[derive(Clone, Debug)]
pub struct Options {
    format: Option<Format>,
    max_record: usize,
    buffer: usize,
    cut_text: bool,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 6] =
        [Format::Icn, Format::Json, Format::Cpn, Format::Fen, Format::Sfen, Format::Pgn];

    /// The name on the command line, which is also the usual ending of file names.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Format::Icn => "icn",
            Format::Json => "json",
            Format::Cpn => "cpn",
            Format::Fen => "fen",
            Format::Sfen => "sfen",
            Format::Pgn => "pgn",
        }
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Format {
    type Err = UnknownFormat;
    fn from_str(text: &str) -> Result<Self, UnknownFormat> {
        Format::ALL.into_iter().find(|format| format.name() == text).ok_or(UnknownFormat)
    }
}

/// The text names no format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected one of icn, json, cpn, fen, sfen, pgn")]
pub struct UnknownFormat;

impl Record {
    /// The record as people call it: source and number, `games.icn:3`; a text of the command line is just `-e`.
    #[must_use]
    pub fn name(&self) -> String {
        if &*self.source == Input::TEXT_NAME {
            self.source.to_string()
        } else {
            format!("{}:{}", self.source, self.number)
        }
    }
}

impl Options {
    /// Names the format instead of telling it from the content.
    #[must_use]
    pub fn format(mut self, format: impl Into<Option<Format>>) -> Self {
        self.format = format.into();
        self
    }

    /// How many bytes a record may have; 64 MiB unless said otherwise.
    #[must_use]
    pub fn max_record(mut self, bytes: usize) -> Self {
        self.max_record = bytes;
        self
    }

    /// How many bytes are read at a time; 256 KiB unless said otherwise. Has no influence on the records.
    #[must_use]
    pub fn buffer(mut self, bytes: usize) -> Self {
        self.buffer = bytes.max(1);
        self
    }

    /// Whether [`Input::text`] is cut like a file; else it is one record.
    #[must_use]
    pub fn cut_text(mut self, cut: bool) -> Self {
        self.cut_text = cut;
        self
    }
}

impl Default for Options {
    fn default() -> Self {
        Options { format: None, max_record: 64 << 20, buffer: 256 << 10, cut_text: false }
    }
}
