//! Postings by key: what a worker does with all of a part.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use arrow_schema::ArrowError;
use boardprint_tables::{Error, PackedPostings, Table};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::stream::Stream;
use crate::table::options_of;

/// Sorts the postings of a part, which come packed.
#[pyclass(frozen, module = "boardprint", name = "_Sorting")]
pub(super) struct Sorting(Mutex<Option<PackedPostings>>);

#[pymethods]
impl Sorting {
    #[new]
    fn new(about: &Bound<'_, PyDict>) -> PyResult<Self> {
        let (_, options, _) = options_of(about)?;
        Ok(Sorting(Mutex::new(Some(PackedPostings::new(&options)))))
    }

    /// Takes a block.
    fn push(&self, py: Python<'_>, block: &[u8]) -> PyResult<()> {
        py.detach(|| {
            let mut packed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            packed.as_mut().ok_or_else(ended)?.add(block).map_err(failed)
        })
    }

    /// The postings in order, or what is counted of them.
    fn rows(&self, py: Python<'_>, counts: bool) -> PyResult<Stream> {
        let table = if counts { Table::Positions { cpn: false } } else { Table::SortedPostings };
        let batches = py.detach(|| self.take()?.read(table).map_err(failed))?;
        let schema = batches.schema();
        let made = batches.map(|batch| batch.map_err(|error| ArrowError::ExternalError(Box::new(error))));
        Ok(Stream::new(schema, Box::new(made)))
    }

    /// Writes both to files.
    fn write(&self, py: Python<'_>, postings: PathBuf, counts: PathBuf) -> PyResult<()> {
        py.detach(|| self.take()?.write(postings, counts).map_err(failed))?;
        Ok(())
    }
}

impl Sorting {
    fn take(&self) -> PyResult<PackedPostings> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take().ok_or_else(ended)
    }
}

fn ended() -> PyErr {
    PyValueError::new_err("sorting has ended")
}

fn failed(error: Error) -> PyErr {
    PyOSError::new_err(error.to_string())
}
