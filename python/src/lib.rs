//! The native part of the Python package `boardprint`.
//!
//! It translates between Python and the Rust crates and decides nothing: what a record means is decided by
//! `boardprint_games`. Long work releases the interpreter lock. What can be said as well in Python (sources,
//! small result classes) is in `boardprint/*.py`.

mod database;
mod dedup;
mod errors;
mod game;
mod inputs;
mod position;
mod reader;
mod spark;
mod table;
mod texts;

use pyo3::prelude::*;

/// The native part of boardprint.
#[pymodule]
fn _boardprint(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("SCHEMA_VERSION", boardprint_tables::VERSION)?;
    module.add_class::<game::Game>()?;
    module.add_class::<game::Positions>()?;
    module.add_class::<position::Position>()?;
    module.add_class::<reader::Games>()?;
    module.add_class::<table::Table>()?;
    module.add_class::<database::NativeDatabase>()?;
    module.add_function(wrap_pyfunction!(texts::canon, module)?)?;
    module.add_function(wrap_pyfunction!(texts::cph, module)?)?;
    module.add_function(wrap_pyfunction!(texts::warnings, module)?)?;
    module.add_function(wrap_pyfunction!(texts::read, module)?)?;
    module.add_function(wrap_pyfunction!(dedup::dedup, module)?)?;
    spark::add(module)?;
    Ok(())
}
