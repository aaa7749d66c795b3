//! What the workers of a Spark cluster do, and the little that its driver does.
//!
//! Rows come in as Arrow IPC and go out as Arrow streams. `boardprint/spark.py` says in which order; what a
//! record means and which games are one is decided by the crates, as for the program.

mod group;
mod load;
mod prints;
mod rows;
mod sort;
mod split;
mod stream;

use boardprint_records::Input;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Adds the functions to the module.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<stream::Stream>()?;
    module.add_class::<group::Grouping>()?;
    module.add_class::<sort::Sorting>()?;
    module.add_class::<rows::RecordFile>()?;
    module.add_class::<load::Loading>()?;
    module.add_function(wrap_pyfunction!(files, module)?)?;
    module.add_function(wrap_pyfunction!(reason, module)?)?;
    module.add_function(wrap_pyfunction!(prints::prints, module)?)?;
    module.add_function(wrap_pyfunction!(prints::beginnings, module)?)?;
    module.add_function(wrap_pyfunction!(group::settle, module)?)?;
    module.add_function(wrap_pyfunction!(rows::rows, module)?)?;
    module.add_function(wrap_pyfunction!(load::load_parts, module)?)?;
    Ok(())
}

/// The files that a path stands for, with their sizes, and whether they were found in a folder.
#[pyfunction]
#[pyo3(name = "_files")]
fn files(py: Python<'_>, path: String) -> PyResult<Vec<(String, u64, bool)>> {
    py.detach(|| {
        let files = Input::files(&path).map_err(|error| PyOSError::new_err(error.to_string()))?;
        let about = files.into_iter().map(|(path, found)| {
            let size = std::fs::metadata(&path)?.len();
            Ok((path.to_string_lossy().into_owned(), size, found))
        });
        about.collect()
    })
}

/// Why two games are one, in the words of the report.
#[pyfunction]
#[pyo3(name = "_reason")]
fn reason(about: &Bound<'_, PyDict>, confidence: i32) -> PyResult<(&'static str, &'static str)> {
    let confidence = group::confidence_of(confidence);
    Ok((crate::dedup::name_of(confidence), crate::dedup::options_of(about)?.reason(confidence)))
}
