//! Errors of Rust as exceptions of Python.

use boardprint_base::LineColumn;
use boardprint_games::{Content, RecordError, WriteError};
use boardprint_tables::Failure;
use pyo3::exceptions::{PyIndexError, PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

static SYNTAX_ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// An instance of `boardprint.SyntaxError`.
pub(crate) fn error_object<'py>(py: Python<'py>, failure: &Failure) -> PyResult<Bound<'py, PyAny>> {
    let class = SYNTAX_ERROR.import(py, "boardprint._errors", "SyntaxError")?;
    let about = PyDict::new(py);
    about.set_item("kind", failure.kind)?;
    about.set_item("line", failure.line)?;
    about.set_item("column", failure.column)?;
    about.set_item("hint", failure.hint.as_deref())?;
    about.set_item("source", (!failure.source.is_empty()).then_some(&*failure.source))?;
    about.set_item("record", failure.record)?;
    class.call((&*failure.message,), Some(&about))
}

/// A failure as an exception: `OSError` if the machine failed, else `boardprint.SyntaxError`.
pub(crate) fn raised(py: Python<'_>, failure: &Failure) -> PyErr {
    if failure.system {
        return PyOSError::new_err(format!("{}: {}", failure.source, failure.message));
    }
    error_object(py, failure).map_or_else(|error| error, PyErr::from_value)
}

/// What is wrong with a text that stands for itself.
pub(crate) fn of_text(text: &str, error: &RecordError) -> Failure {
    let LineColumn { line, column, .. } = error.line_column(text);
    Failure {
        source: "".into(),
        record: None,
        line: Some(line as u64),
        column: Some(column as u64),
        kind: error.name(),
        message: error.to_string().into(),
        hint: error.hint().map(Into::into),
        system: false,
    }
}

/// Something that is wrong with a text as a whole.
pub(crate) fn whole(kind: &'static str, message: impl Into<String>, hint: Option<String>) -> Failure {
    let (source, message) = ("".into(), message.into().into());
    let hint = hint.map(Into::into);
    Failure { source, record: None, line: None, column: None, kind, message, hint, system: false }
}

/// What is wrong with a game that was read: a move cannot be played.
pub(crate) fn of_game(py: Python<'_>, error: &RecordError) -> PyErr {
    raised(py, &whole(error.name(), error.to_string(), error.hint()))
}

/// Why a text cannot be written.
pub(crate) fn of_writing(py: Python<'_>, error: &WriteError) -> PyErr {
    raised(py, &whole(error.name(), error.to_string(), error.hint()))
}

/// A half-move as Python counts: negative numbers from the end.
pub(crate) fn ply_of(content: &Content<'_>, ply: isize) -> PyResult<usize> {
    let positions = content.plies() + 1;
    let place = if ply < 0 { positions.checked_sub(ply.unsigned_abs()) } else { Some(ply.unsigned_abs()) };
    place.filter(|place| *place < positions).ok_or_else(|| {
        let plies = positions - 1;
        PyIndexError::new_err(format!("ply {ply} is out of range: the game has {plies} half-moves"))
    })
}

/// An argument with a wrong word.
pub(crate) fn wrong_word(what: &str, found: &str, known: &[&str]) -> PyErr {
    let known: Vec<String> = known.iter().map(|word| format!("'{word}'")).collect();
    PyValueError::new_err(format!("{what} must be {}, not '{found}'", known.join(", ")))
}
