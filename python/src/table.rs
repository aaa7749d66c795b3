//! Tables as Arrow streams.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, SchemaRef};
use boardprint_tables::{Batches, Error, Failure, Games, Key, Options, Table as Kind, parquet, records};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};

use crate::database::Stored;
use crate::errors::{error_object, raised, whole, wrong_word};
use crate::inputs::{Inputs, OnError, Reading, profile};

/// A table of postings, games or positions that is read when somebody asks for its rows.
///
/// Whatever takes Arrow data takes it: ``pyarrow.table(table)``, ``polars.DataFrame(table)``,
/// and DuckDB, through ``pyarrow.RecordBatchReader.from_stream(table)``. Each of them
/// reads the files again, in bounded memory and without the interpreter lock.
///
/// >>> import boardprint as bp
/// >>> table = bp.postings(b"1. e4 e5 2. Nf3 *")
/// >>> table
/// <Table postings: key, game, ply, move, result>
/// >>> table.columns
/// ['key', 'game', 'ply', 'move', 'result']
#[pyclass(frozen, module = "boardprint")]
pub(crate) struct Table {
    kind: Kind,
    from: From,
    options: Options,
    on_error: OnError,
    failures: Arc<Mutex<Failures>>,
}

/// Where the games come from.
enum From {
    Inputs(Inputs),
    Database(Stored),
}

/// The bad records of the last reading.
#[derive(Default)]
struct Failures {
    list: Vec<Failure>,
    skipped: u64,
}

/// Batches as Arrow's own trait wants them.
struct Stream(Batches);

impl Iterator for Stream {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.0.next()?.map_err(|error| ArrowError::ExternalError(Box::new(error))))
    }
}

impl RecordBatchReader for Stream {
    fn schema(&self) -> SchemaRef {
        self.0.schema()
    }
}

/// What kind of table, as Python names it.
fn kind_of(name: &str, sort: bool, cpn: bool) -> PyResult<Kind> {
    match name {
        "postings" if sort => Ok(Kind::SortedPostings),
        "postings" => Ok(Kind::Postings),
        "games" => Ok(Kind::Games),
        "positions" => Ok(Kind::Positions { cpn }),
        other => Err(wrong_word("table", other, &["postings", "games", "positions"])),
    }
}

/// What is set for a table; Python has filled in the defaults.
pub(crate) fn options_of(about: &Bound<'_, PyDict>) -> PyResult<(Kind, Options, OnError)> {
    fn get<'py, T: for<'a> FromPyObject<'a, 'py, Error = PyErr>>(
        about: &Bound<'py, PyDict>,
        name: &str,
    ) -> PyResult<Option<T>> {
        match about.get_item(name)? {
            Some(value) if !value.is_none() => value.extract::<T>().map(Some),
            _ => Ok(None),
        }
    }
    let flag = |name: &str| get::<bool>(about, name).map(Option::unwrap_or_default);
    let name = get::<String>(about, "table")?.unwrap_or_default();
    let kind = kind_of(&name, flag("sort")?, flag("cpn")?)?;
    let key = if flag("full_hash")? { Key::Full } else { Key::Short };
    let options = Options::default()
        .profile(profile(flag("rights")?))
        .key(key)
        .max_ply(get(about, "max_ply")?)
        .threads(get(about, "threads")?.unwrap_or(0));
    let options = get(about, "memory")?.map_or(options.clone(), |bytes| options.memory(bytes));
    let errors = get::<String>(about, "errors")?;
    Ok((kind, options, OnError::new(errors.as_deref().unwrap_or("raise"))?))
}

impl Table {
    pub(crate) fn of_database(about: &Bound<'_, PyDict>, stored: Stored) -> PyResult<Self> {
        let (kind, options, on_error) = options_of(about)?;
        let options = options.profile(stored.profile());
        Ok(Table { kind, from: From::Database(stored), options, on_error, failures: Arc::default() })
    }

    fn games(&self) -> Result<Games, Failure> {
        match &self.from {
            From::Inputs(inputs) => Ok(records(inputs.reader(), inputs.reading.options.clone())),
            From::Database(stored) => {
                stored.games().map_err(|error| Failure { system: true, ..whole("database", error, None) })
            }
        }
    }

    fn batches(&self) -> Result<Batches, Failure> {
        let games = self.games()?;
        *lock(&self.failures) = Failures::default();
        let (failures, on_error) = (Arc::clone(&self.failures), self.on_error);
        Ok(self.options.read_with(self.kind, games, move |failure| {
            if on_error == OnError::Raise || failure.system {
                return Err(failure);
            }
            let mut failures = lock(&failures);
            failures.skipped += 1;
            if on_error == OnError::Collect {
                failures.list.push(failure);
            }
            Ok(())
        }))
    }
}

fn lock(failures: &Mutex<Failures>) -> std::sync::MutexGuard<'_, Failures> {
    failures.lock().unwrap_or_else(PoisonError::into_inner)
}

#[pymethods]
impl Table {
    #[new]
    #[pyo3(signature = (sources, about, *, format=None, game=None))]
    fn new(
        sources: &Bound<'_, PyAny>,
        about: &Bound<'_, PyDict>,
        format: Option<&str>,
        game: Option<&str>,
    ) -> PyResult<Self> {
        let inputs = Inputs::new(sources, Reading::new(format, game)?)?;
        let (kind, options, on_error) = options_of(about)?;
        Ok(Table { kind, from: From::Inputs(inputs), options, on_error, failures: Arc::default() })
    }

    /// The name: ``postings``, ``games`` or ``positions``.
    #[getter]
    fn name(&self) -> &'static str {
        self.kind.name()
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.options.schema(self.kind).fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The bad records of the last reading, as a list of :class:`boardprint.SyntaxError`; empty unless they
    /// are collected.
    #[getter]
    fn errors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let failures = py.detach(|| lock(&self.failures).list.clone());
        let list = PyList::empty(py);
        for failure in &failures {
            list.append(error_object(py, failure)?)?;
        }
        Ok(list)
    }

    /// How many bad records the last reading left out, collected or not.
    #[getter]
    fn skipped(&self, py: Python<'_>) -> u64 {
        py.detach(|| lock(&self.failures).skipped)
    }

    /// The rows as an Arrow stream, by the PyCapsule interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface lets a producer ignore the wish.
        drop(requested_schema);
        let batches = py.detach(|| self.batches()).map_err(|failure| raised(py, &failure))?;
        let stream = FFI_ArrowArrayStream::new(Box::new(Stream(batches)));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    /// The columns as an Arrow schema, by the PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.options.schema(self.kind).as_ref())
            .map_err(|error| raised(py, &whole("schema", error.to_string(), None)))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// Write the table to a Parquet file and return the numbers of rows and bytes.
    ///
    /// Postings and positions are sorted by key, games by id. The file appears whole or not at all.
    fn to_parquet(&self, py: Python<'_>, path: std::path::PathBuf) -> PyResult<(u64, u64)> {
        let written = py.detach(|| {
            let batches = self.batches().map_err(Error::from)?;
            parquet::write(self.kind, batches, &path)
        });
        match written {
            Ok(written) => Ok((written.rows, written.bytes)),
            Err(Error::Record(failure)) => Err(raised(py, &failure)),
            Err(error) => Err(PyOSError::new_err(error.to_string())),
        }
    }

    fn __repr__(&self) -> String {
        format!("<Table {}: {}>", self.name(), self.columns().join(", "))
    }
}
