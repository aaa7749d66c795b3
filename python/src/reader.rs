//! The games of a collection, as a stream.

use std::sync::{Mutex, PoisonError};

use boardprint_records::Reader;
use boardprint_tables::Failure;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::errors::{error_object, raised};
use crate::game::Game;
use crate::inputs::{Inputs, OnError, Reading};

/// The games of some files, one after another; :func:`open` makes it.
///
/// It holds one record at a time, however large the files. With ``errors="raise"`` a bad
/// record raises, and the next call goes on after it. With ``"collect"`` bad records are
/// in ``errors``, with ``"skip"`` they are only counted.
#[pyclass(frozen, module = "boardprint")]
pub(crate) struct Games {
    reading: Reading,
    on_error: OnError,
    state: Mutex<State>,
}

struct State {
    reader: Option<Reader>,
    failures: Vec<Failure>,
    skipped: u64,
}

#[pymethods]
impl Games {
    #[new]
    #[pyo3(signature = (sources, *, errors="raise", format=None, game=None))]
    fn new(
        sources: &Bound<'_, PyAny>,
        errors: &str,
        format: Option<&str>,
        game: Option<&str>,
    ) -> PyResult<Self> {
        let inputs = Inputs::new(sources, Reading::new(format, game)?)?;
        let state = State { reader: Some(inputs.reader()), failures: Vec::new(), skipped: 0 };
        Ok(Games { reading: inputs.reading, on_error: OnError::new(errors)?, state: Mutex::new(state) })
    }

    /// The bad records so far, as a list of :class:`boardprint.SyntaxError`; empty unless they are collected.
    #[getter]
    fn errors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let failures = py.detach(|| self.lock().failures.clone());
        let list = PyList::empty(py);
        for failure in &failures {
            list.append(error_object(py, failure)?)?;
        }
        Ok(list)
    }

    /// How many bad records were left out so far, collected or not.
    #[getter]
    fn skipped(&self, py: Python<'_>) -> u64 {
        py.detach(|| self.lock().skipped)
    }

    /// Close the files. Nothing more is read.
    fn close(&self, py: Python<'_>) {
        py.detach(|| self.lock().reader = None);
    }

    fn __enter__(this: Py<Self>) -> Py<Self> {
        this
    }

    #[pyo3(signature = (*_args))]
    fn __exit__(&self, py: Python<'_>, _args: &Bound<'_, pyo3::types::PyTuple>) {
        self.close(py);
    }

    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Game>> {
        py.detach(|| self.advance()).map_err(|failure| raised(py, &failure))
    }
}

impl Games {
    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn advance(&self) -> Result<Option<Game>, Failure> {
        let mut state = self.lock();
        loop {
            let Some(item) = state.reader.as_mut().and_then(Iterator::next) else { return Ok(None) };
            let failure = match item {
                Err(error) => Failure::of_reading(&error),
                Ok(record) => match self.reading.options.read(&record) {
                    Err(error) => Failure::of_record(&record, &error),
                    Ok(reading) => {
                        let (content, warnings) = (reading.content.into_owned(), reading.warnings);
                        return Ok(Some(Game::of_record(content, &warnings, record)));
                    }
                },
            };
            // A file that cannot be read is never passed over in silence.
            if self.on_error == OnError::Raise || failure.system {
                return Err(failure);
            }
            state.skipped += 1;
            if self.on_error == OnError::Collect {
                state.failures.push(failure);
            }
        }
    }
}
