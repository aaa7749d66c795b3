//! Rows between Python and here.

use std::io::Cursor;
use std::sync::{Mutex, PoisonError};

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_ipc::reader::StreamReader;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// Batches that are made while they are read.
pub(super) type Made = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>;

/// Rows for Python, which can be read once.
#[pyclass(frozen, module = "boardprint", name = "_Stream")]
pub(crate) struct Stream {
    schema: SchemaRef,
    batches: Mutex<Option<Made>>,
}

impl Stream {
    pub(super) fn new(schema: SchemaRef, batches: Made) -> Self {
        Stream { schema, batches: Mutex::new(Some(batches)) }
    }

    pub(super) fn of(schema: SchemaRef, batches: Vec<RecordBatch>) -> Self {
        Self::new(schema, Box::new(batches.into_iter().map(Ok)))
    }
}

struct Reading(SchemaRef, Made);

impl Iterator for Reading {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.1.next()
    }
}

impl RecordBatchReader for Reading {
    fn schema(&self) -> SchemaRef {
        self.0.clone()
    }
}

#[pymethods]
impl Stream {
    /// The rows as an Arrow stream, by the PyCapsule interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let made = self.batches.lock().unwrap_or_else(PoisonError::into_inner).take();
        let made = made.ok_or_else(|| PyValueError::new_err("the rows were read before"))?;
        let stream = FFI_ArrowArrayStream::new(Box::new(Reading(self.schema.clone(), made)));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }
}

/// The batches of an Arrow IPC stream.
pub(super) fn batches(bytes: &[u8]) -> PyResult<Vec<RecordBatch>> {
    let reader = StreamReader::try_new(Cursor::new(bytes), None).map_err(|error| bad(&error))?;
    reader.collect::<Result<_, _>>().map_err(|error| bad(&error))
}

/// Rows that do not look as they must.
pub(super) fn bad(error: &impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Columns that may be null.
pub(super) fn schema(fields: &[(&str, DataType)]) -> SchemaRef {
    let fields: Vec<Field> =
        fields.iter().map(|(name, kind)| Field::new(*name, kind.clone(), true)).collect();
    SchemaRef::new(Schema::new(fields))
}
