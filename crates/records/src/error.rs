//! What can go wrong while reading a collection.

use std::io;
use std::sync::Arc;

use boardprint_games::Format;

/// Something that could not be read, and where it stands.
#[derive(Debug, thiserror::Error)]
#[error("{source_name}{}: {kind}", .line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct ReadError {
    source_name: Arc<str>,
    number: Option<u64>,
    line: Option<u64>,
    offset: Option<u64>,
    #[source]
    kind: ReadErrorKind,
}

/// What could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// The system or the decompressor failed; the rest of the source is not read.
    #[error("{}", io_text(.0))]
    Io(#[from] io::Error),
    /// A folder that contains itself by way of links.
    #[error("the folder contains itself by way of links")]
    LinkLoop,
    /// The content looks like no known format.
    #[error(
        "cannot tell the format of this text; name it with --from to see what is wrong (ICN looks like `K5,1|k5,8`)"
    )]
    UnknownFormat,
    /// The content is packed in a way that is not read here.
    #[error("this is {0}; unpack it first (gzip, zstd and bzip2 are read as they are)")]
    Packed(&'static str),
    /// The text is UTF-16.
    #[error("the text is UTF-16; convert it to UTF-8")]
    Utf16,
    /// The record is not UTF-8.
    #[error("byte {offset} of the record is not UTF-8")]
    NotUtf8 {
        /// The first bad byte, from the beginning of the record.
        offset: usize,
    },
    /// The record is longer than the options allow.
    #[error("the record is longer than {limit} bytes")]
    TooLong {
        /// How many bytes are allowed.
        limit: usize,
    },
    /// The text ends within something that holds records.
    #[error("the {0} is not closed; the end of the text may be missing")]
    Unclosed(&'static str),
    /// The file was not the same at its end as at its beginning.
    #[error("the file changed while it was read; what stands at its end is left out")]
    Changed,
    /// The file was read before, and the record with a number ended elsewhere.
    #[error("record {number} does not end where it did; was the file read in another format before?")]
    OtherEnd {
        /// The record, from 1.
        number: u64,
    },
    /// Something else stands where a record had to be.
    #[error("expected {0}")]
    Expected(&'static str),
}

/// What the system says; what a decompressor says needs an explanation.
fn io_text(cause: &io::Error) -> String {
    match cause.kind() {
        io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => {
            format!("the compressed data is damaged or cut off: {cause}")
        }
        _ => cause.to_string(),
    }
}

impl ReadErrorKind {
    /// A short name for programs.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            ReadErrorKind::Io(_) => "io",
            ReadErrorKind::LinkLoop => "link-loop",
            ReadErrorKind::UnknownFormat | ReadErrorKind::Packed(_) => "unknown-format",
            ReadErrorKind::Utf16 => "utf-16",
            ReadErrorKind::NotUtf8 { .. } => "not-utf-8",
            ReadErrorKind::TooLong { .. } => "too-long",
            ReadErrorKind::Unclosed(_) => "unclosed",
            ReadErrorKind::Changed => "changed",
            ReadErrorKind::OtherEnd { .. } => "other-end",
            ReadErrorKind::Expected(_) => "expected",
        }
    }
}

impl ReadError {
    pub(super) fn of_source(source: &Arc<str>, kind: impl Into<ReadErrorKind>) -> Self {
        ReadError { source_name: source.clone(), number: None, line: None, offset: None, kind: kind.into() }
    }

    pub(super) fn of_record(
        source: &Arc<str>,
        number: u64,
        line: u64,
        offset: u64,
        kind: impl Into<ReadErrorKind>,
    ) -> Self {
        let (source_name, kind) = (source.clone(), kind.into());
        ReadError { source_name, number: Some(number), line: Some(line), offset: Some(offset), kind }
    }

    /// What was being read: a path, `-` or `-e`.
    #[must_use]
    pub fn source_name(&self) -> &Arc<str> {
        &self.source_name
    }

    /// The number of the record, unless the whole source could not be read.
    #[must_use]
    pub const fn number(&self) -> Option<u64> {
        self.number
    }

    /// The line on which the record begins.
    #[must_use]
    pub const fn line(&self) -> Option<u64> {
        self.line
    }

    /// The byte of the uncompressed source at which the record begins.
    #[must_use]
    pub const fn offset(&self) -> Option<u64> {
        self.offset
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> &ReadErrorKind {
        &self.kind
    }

    /// Whether a whole file is something other than games, as far as anybody can tell.
    #[must_use]
    pub fn is_about_something_else(&self) -> bool {
        let is_other = match self.kind {
            ReadErrorKind::UnknownFormat => true,
            ReadErrorKind::Packed(_) => Format::of_name(&self.source_name).is_none(),
            _ => false,
        };
        self.number.is_none() && is_other
    }

    /// Whether the machine failed, rather than one record being bad.
    #[must_use]
    pub const fn is_fatal_to_source(&self) -> bool {
        !matches!(
            self.kind,
            ReadErrorKind::NotUtf8 { .. }
                | ReadErrorKind::TooLong { .. }
                | ReadErrorKind::Unclosed(_)
                | ReadErrorKind::Expected(_)
        )
    }
}
