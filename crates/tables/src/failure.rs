//! What can go wrong: a record that is not a good game, or the machine.

use std::fmt;
use std::io;
use std::sync::Arc;

use boardprint_base::LineColumn;
use boardprint_games::{Record, RecordError};
use boardprint_records::ReadError;

/// A record that could not be read, and where it stands. Line and column are those of its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What was being read: a path, `-` or `-e`.
    pub source: Arc<str>,
    /// The number of the record in its source, from 1.
    pub record: Option<u64>,
    /// The line of the first wrong character, from 1.
    pub line: Option<u64>,
    /// The column of the first wrong character, from 1.
    pub column: Option<u64>,
    /// A short name of the kind, for programs.
    pub kind: &'static str,
    /// What is wrong.
    pub message: Box<str>,
    /// What to do about it.
    pub hint: Option<Box<str>>,
    /// Whether the machine failed, rather than one record being bad.
    pub system: bool,
}

impl Failure {
    /// What is wrong with a record.
    #[must_use]
    pub fn of_record(record: &Record, error: &RecordError) -> Self {
        let LineColumn { line, column } = record.line_column(error.span().start);
        Failure {
            source: Arc::clone(&record.source),
            record: Some(record.number),
            line: Some(line as u64),
            column: Some(column as u64),
            kind: error.name(),
            message: error.to_string().into(),
            hint: error.hint().map(Into::into),
            system: false,
        }
    }

    /// What could not be read.
    #[must_use]
    pub fn of_reading(error: &ReadError) -> Self {
        Failure {
            source: Arc::clone(error.source_name()),
            record: error.number(),
            line: error.line(),
            column: None,
            kind: error.kind().name(),
            message: error.kind().to_string().into(),
            hint: None,
            system: error.kind().name() == "io",
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.source)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if let Some(column) = self.column {
            write!(f, ":{column}")?;
        }
        write!(f, ": {}", self.message)?;
        self.hint.as_ref().map_or(Ok(()), |hint| write!(f, "; {hint}"))
    }
}

/// Why a table ends before its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A record is bad, and bad records end the table.
    #[error("{0}")]
    Record(Box<Failure>),
    /// Rows could not be kept in temporary files.
    #[error("cannot keep rows in a temporary file: {0}")]
    Spill(#[source] io::Error),
    /// A file could not be written.
    #[error("cannot write {path}: {cause}")]
    Write {
        /// The file.
        path: String,
        /// Why.
        cause: io::Error,
    },
    /// Rows do not make a batch: there are too many bytes in one column.
    #[error("cannot make a batch of rows: {0}")]
    Batch(String),
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        Error::Record(Box::new(failure))
    }
}
