//! Collections cut into records, as a stream.
//!
//! A reader holds one record at a time, however large the file, and never stops at a bad one: what cannot be
//! read is an item of the stream that says where it stands and why.
//!
//! **Accepts** files, folders (walked in name order; hidden files, and files that do not look like games, are
//! passed over), standard input and text; plain or compressed by gzip, zstd or bzip2, told apart by their
//! first bytes; with or without a byte order mark; lines ended by LF or CR LF. The format is told from the
//! content ([`Format::detect`]) unless the options name it:
//!
//! | format | one record |
//! |---|---|
//! | `icn` | a game or position, as `icn.rs` cuts it |
//! | `json` | an object; alone, in an array, or one per line |
//! | `pgn` | tags and moves up to the next tags; text that is not UTF-8 is read as Latin-1, or as GBK if it is of Xiangqi ([`Record::encoding`](boardprint_games::Record::encoding)) |
//! | `csa` | a game; games are separated by lines `/` or by versions; UTF-8 or `Shift_JIS` |
//! | `kif` | a game up to the next header after its moves; UTF-8 or `Shift_JIS` |
//! | `cpn`, `fen`, `sfen`, `usi`, `uci` | a line; blank lines and lines that begin with `#` belong to none |
//!
//! **Refuses**, as items of the stream: records longer than [`ReaderOptions::max_record`], text in another
//! encoding, UTF-16, damaged or truncated compressed data, JSON arrays that are not closed, folders that
//! contain themselves by way of links, files whose format nobody can tell, files that changed while they were
//! read.
//!
//! ```
//! use boardprint_records::{Input, ReaderOptions, Reader};
//!
//! let reader = Reader::new([Input::text("K1,1|k1,9 1,1>1,2\nK2,2|k1,9\n")], ReaderOptions::default().cut_text(true));
//! let texts: Vec<String> = reader.map(|record| record.map(|record| record.text)).collect::<Result<_, _>>()?;
//! assert_eq!(texts, ["K1,1|k1,9 1,1>1,2", "K2,2|k1,9"]);
//! # Ok::<(), boardprint_records::ReadError>(())
//! ```

mod decode;
mod error;
mod input;
mod part;
mod stamp;
mod stream;

#[cfg(test)]
mod tests;

use boardprint_games::Format;

pub use decode::Progress;
pub use error::{ReadError, ReadErrorKind};
pub use input::{Input, Reader};

/// How to read collections.
#[derive(Clone, Debug)]
pub struct ReaderOptions {
    format: Option<Format>,
    max_record: usize,
    buffer: usize,
    cut_text: bool,
}

impl ReaderOptions {
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

impl Default for ReaderOptions {
    fn default() -> Self {
        ReaderOptions { format: None, max_record: 64 << 20, buffer: 256 << 10, cut_text: false }
    }
}

/// The page of the crate: its example runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
