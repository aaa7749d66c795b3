//! boardprint for JavaScript.
//!
//! What a record means is decided in `boardprint-games`; this crate hands its answers on as text and JSON. The module `index.js` beside it is
//! what users call: it makes objects of the JSON and errors of what is thrown.

mod check;
mod describe;
mod legal;
mod options;
mod piece;
mod position;
mod problem;
mod record;
mod split;

pub use problem::Problem;
pub use record::Record;

use wasm_bindgen::prelude::wasm_bindgen;

/// The CPH of the last position of a text of any format.
///
/// # Errors
///
/// The first thing in the text that cannot be read, or the first move that cannot be played.
#[wasm_bindgen]
pub fn cph(text: &str) -> Result<String, Problem> {
    record::last_cph(text)
}

/// The records of a text, as JSON.
///
/// # Errors
///
/// A text that looks like no known format.
#[wasm_bindgen]
pub fn split(text: &str, options: &str) -> Result<String, Problem> {
    split::split(text, options)
}

/// The squares that a movement reaches, as JSON.
///
/// # Errors
///
/// The first thing in the movement that cannot be read.
#[wasm_bindgen]
pub fn piece(movement: &str, options: &str) -> Result<String, Problem> {
    piece::reach(movement, options)
}

/// What is wrong with a text, as JSON. That it cannot be read is a finding, too.
///
/// # Errors
///
/// A text that looks like no known format, or options that make no sense.
#[wasm_bindgen]
pub fn check(text: &str, options: &str) -> Result<String, Problem> {
    record::check(text, options)
}
