//! A split: a range of a file, or the content of one.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::PathBuf;

use boardprint_games::{ReadOptions, Record};
use boardprint_records::{Input, ReadError, Reader, ReaderOptions};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::inputs::Reading;

/// The records of a file that begin in a range of bytes.
#[derive(Clone, Debug)]
pub(super) struct Split {
    /// Its place among all splits.
    pub(super) number: i64,
    path: String,
    start: u64,
    end: u64,
    /// Whether a file that does not look like games is passed over.
    found: bool,
    content: Option<Vec<u8>>,
    pub(super) reading: Reading,
}

impl Split {
    pub(super) fn new(split: &Bound<'_, PyDict>, about: &Bound<'_, PyDict>) -> PyResult<Self> {
        let get = |name: &'static str| split.get_item(name)?.ok_or_else(|| PyKeyError::new_err(name));
        let word = |name: &str| -> PyResult<Option<String>> {
            about.get_item(name)?.map_or(Ok(None), |value| value.extract())
        };
        let content = split.get_item("content")?.filter(|content| !content.is_none());
        let content = content.map(|content| Ok::<_, PyErr>(content.cast::<PyBytes>()?.as_bytes().to_vec()));
        Ok(Split {
            number: get("split")?.extract()?,
            path: get("path")?.extract()?,
            start: get("start")?.extract()?,
            end: get("end")?.extract()?,
            found: get("found")?.extract()?,
            content: content.transpose()?,
            reading: Reading::new(word("format")?.as_deref(), word("game")?.as_deref())?,
        })
    }

    pub(super) fn options(&self) -> &ReadOptions {
        &self.reading.options
    }

    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// The records, each with its place in the order of the whole input.
    pub(super) fn items(&self) -> impl Iterator<Item = (i64, Result<Record, ReadError>)> + Send + 'static {
        let input = match &self.content {
            Some(content) => Input::bytes(&*self.path, content.clone(), 0),
            None => Input::part(PathBuf::from(&self.path), self.start..self.end),
        };
        let reader = Reader::new([input], ReaderOptions::default().format(self.reading.format));
        let (first, found) = (self.number << 32, self.found);
        let passed_over = move |error: &ReadError| found && error.is_about_something_else();
        let items = reader.filter(move |item| !item.as_ref().is_err_and(passed_over));
        (first..).zip(items)
    }

    /// How many line feeds stand between the beginning of the range and a byte; `None` is the end of the range.
    ///
    /// The range of a compressed file begins at 0, where lines need not be counted.
    pub(super) fn lines_before(&self, end: Option<u64>) -> io::Result<u64> {
        let end = end.unwrap_or(self.end);
        if self.content.is_some() || end <= self.start {
            return Ok(0);
        }
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(self.start))?;
        let mut file = file.take(end - self.start);
        let (mut buffer, mut lines) = (vec![0; 256 << 10], 0);
        loop {
            let count = file.read(&mut buffer)?;
            if count == 0 {
                return Ok(lines);
            }
            lines += memchr::memchr_iter(b'\n', &buffer[..count]).count() as u64;
        }
    }

    pub(super) const fn start(&self) -> u64 {
        self.start
    }
}
