use pyo3::prelude::*;
#[pymodule]
fn _boardprint(_m: &Bound<'_, PyModule>) -> PyResult<()> { Ok(()) }
