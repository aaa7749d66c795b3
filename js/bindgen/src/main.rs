//! Writes the glue between the core and JavaScript: `boardprint-bindgen IN.wasm OUT-FOLDER`.
//!
//! What `wasm-bindgen --target web --no-typescript --experimental-reset-state-function` does, without the
//! command line around it: the lock file beside this says which code runs.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let (input, out) = arguments.next().zip(arguments.next()).context("usage: boardprint-bindgen IN OUT")?;
    let mut bindgen = Bindgen::new();
    // A core that has run out of memory is replaced.
    bindgen.input_path(input).web(true)?.typescript(false).reset_state_function(true);
    bindgen.out_name("boardprint").generate(out)
}
