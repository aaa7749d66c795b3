//! Counts of sorted postings.

use std::sync::{Mutex, PoisonError};

use boardprint_tables::Counter;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::stream::{Stream, bad, batches};
use crate::table::options_of;

/// Counts positions of postings that come by key, game and half-move.
#[pyclass(frozen, module = "boardprint", name = "_Counting")]
pub(super) struct Counting(Mutex<Option<Counter>>);

#[pymethods]
impl Counting {
    #[new]
    fn new(about: &Bound<'_, PyDict>) -> PyResult<Self> {
        let (_, options, _) = options_of(about)?;
        Ok(Counting(Mutex::new(Some(Counter::new(&options)))))
    }

    /// Takes postings and returns the counts that are ready.
    fn push(&self, py: Python<'_>, rows: &[u8]) -> PyResult<Stream> {
        py.detach(|| {
            let mut counter = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let counter = counter.as_mut().ok_or_else(|| PyValueError::new_err("counting has ended"))?;
            let mut ready = Vec::new();
            for batch in batches(rows)? {
                ready.extend(counter.add(&batch).map_err(|error| bad(&error))?);
            }
            Ok(Stream::of(counter.schema(), ready))
        })
    }

    /// Returns the last counts.
    fn finish(&self, py: Python<'_>) -> PyResult<Stream> {
        py.detach(|| {
            let counter = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
            let counter = counter.ok_or_else(|| PyValueError::new_err("counting has ended"))?;
            let schema = counter.schema();
            let last = counter.finish().map_err(|error| bad(&error))?;
            Ok(Stream::of(schema, last.into_iter().collect()))
        })
    }
}
