//! A piece of a collection, not yet understood.

use std::sync::Arc;

use boardprint_base::LineColumn;

use crate::{Encoding, Format};

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
    /// How its bytes were read.
    pub encoding: Encoding,
    /// How many bytes of the source it has, blanks around it aside.
    pub size: u64,
    /// Its text, without the blanks around it.
    pub text: String,
}

impl Record {
    /// The source of a text of the command line.
    pub const TEXT_SOURCE: &'static str = "-e";

    /// The record as people call it: source and number, `games.icn:3`; a text of the command line is just `-e`.
    #[must_use]
    pub fn name(&self) -> String {
        if &*self.source == Self::TEXT_SOURCE {
            self.source.to_string()
        } else {
            format!("{}:{}", self.source, self.number)
        }
    }

    /// The place in the source of a byte of the text. The first line of a record may begin in the middle of
    /// one of the source.
    #[must_use]
    pub fn line_column(&self, at: usize) -> LineColumn {
        let LineColumn { line, column } = LineColumn::of(&self.text, at);
        let count = |number: u64| usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX);
        let before = if line == 1 { count(self.column) } else { 0 };
        LineColumn { line: line.saturating_add(count(self.line)), column: column.saturating_add(before) }
    }

    /// The byte of the uncompressed source after it.
    #[must_use]
    pub const fn end(&self) -> u64 {
        self.offset + self.size
    }
}
