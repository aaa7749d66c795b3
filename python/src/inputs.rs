//! What to read, and how, as Python says it.

use boardprint_finite::Game as FiniteKind;
use boardprint_games::{Format, Profile, ReadOptions};
use boardprint_records::{Input, Reader, ReaderOptions};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::wrong_word;

/// Paths and bytes, which Python has prepared: `str` is a path, `bytes` the content of a file.
#[derive(Clone, Debug)]
pub(crate) struct Inputs {
    inputs: Vec<Input>,
    pub(crate) reading: Reading,
}

/// How to read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reading {
    pub(crate) format: Option<Format>,
    pub(crate) options: ReadOptions,
}

impl Inputs {
    pub(crate) fn new(sources: &Bound<'_, PyAny>, reading: Reading) -> PyResult<Self> {
        let mut inputs = Vec::new();
        for source in sources.try_iter()? {
            let source = source?;
            inputs.push(match source.cast::<PyBytes>() {
                Ok(bytes) => Input::bytes("<bytes>", bytes.as_bytes().to_vec(), 0),
                Err(_) => Input::path(source.extract::<String>()?),
            });
        }
        Ok(Inputs { inputs, reading })
    }

    pub(crate) fn all(&self) -> &[Input] {
        &self.inputs
    }

    pub(crate) fn options(&self) -> ReaderOptions {
        ReaderOptions::default().format(self.reading.format)
    }

    pub(crate) fn reader(&self) -> Reader {
        Reader::new(self.inputs.iter().cloned(), self.options())
    }
}

impl Reading {
    pub(crate) fn new(format: Option<&str>, game: Option<&str>) -> PyResult<Self> {
        let format = match format {
            None => None,
            Some(name) => Some(
                name.parse::<Format>()
                    .map_err(|_| wrong_word("format", name, &Format::ALL.map(Format::name)))?,
            ),
        };
        let game = match game {
            None => None,
            Some(name) => {
                let known = FiniteKind::ALL.into_iter().find(|kind| kind.name() == name);
                Some(known.ok_or_else(|| wrong_word("game", name, &FiniteKind::ALL.map(FiniteKind::name)))?)
            }
        };
        Ok(Reading { format, options: ReadOptions::default().game(game) })
    }
}

/// How positions are named.
pub(crate) const fn profile(rights: bool) -> Profile {
    if rights { Profile::Rights } else { Profile::Plain }
}

/// What to do with a bad record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnError {
    Raise,
    Collect,
    Skip,
}

impl OnError {
    pub(crate) fn new(name: &str) -> PyResult<Self> {
        match name {
            "raise" => Ok(OnError::Raise),
            "collect" => Ok(OnError::Collect),
            "skip" => Ok(OnError::Skip),
            other => Err(wrong_word("errors", other, &["raise", "collect", "skip"])),
        }
    }
}
