//! boardprint for JavaScript.
//!
//! What a record means is decided in `boardprint-games`; this crate hands its answers on as text and JSON.
//! The module `index.js` beside it is what users call: it makes objects of the JSON and errors of what is
//! thrown.
//!
//! A text crosses in two steps: JavaScript asks for [`room`], writes the text there, and then asks its
//! question with the number of bytes.

mod answer;
mod check;
mod describe;
mod legal;
mod long;
mod options;
mod piece;
mod position;
mod problem;
mod question;
mod record;
mod skim;
mod split;
mod text;

pub use problem::Problem;
pub use question::Question;
pub use record::Record;

use answer::Asked;
use text::with_text;
use wasm_bindgen::prelude::wasm_bindgen;

/// Makes room for a text of so many bytes and says where it is. It stays until other room is asked for.
#[wasm_bindgen]
#[must_use]
pub fn room(length: usize) -> *const u8 {
    text::room(length)
}

/// Answers a question about the text in the room.
///
/// # Errors
///
/// The first thing in the text that cannot be read, or why the question has no answer.
#[wasm_bindgen]
pub fn answer(question: Question, length: usize, reading: &str, options: &str) -> Result<String, Problem> {
    with_text(length, |text| {
        if matches!(question, Question::Check) {
            return check::of_text(text, reading, options);
        }
        let (format, read) = answer::read(text, reading)?;
        let reading = read.map_err(|error| Problem::of_record(&error, text))?;
        Asked { text, format, reading: &reading }.answer(question, options)
    })
}

/// The JSON long form of the ICN in the room, in parts: a line each for the object without pieces and moves,
/// the rights, the pieces, the moves, and the notes.
///
/// # Errors
///
/// The first thing in the text that cannot be read.
#[wasm_bindgen]
pub fn long(length: usize) -> Result<String, Problem> {
    with_text(length, long::parts)
}

/// Whether the text in the room is ICN in plain spelling. If so, its long form waits to be fetched: lines of
/// moves, tags and notes.
#[wasm_bindgen]
#[must_use]
pub fn skim_long(length: usize) -> bool {
    skim::long(length)
}

/// Whether the text in the room is ICN in plain spelling, and nothing is to be said about it. If so, what it
/// holds waits to be fetched: lines of tags and moves. Unless the text is known to be ICN, it has to look
/// like it.
#[wasm_bindgen]
#[must_use]
pub fn skim_read(length: usize, is_icn: bool) -> bool {
    skim::read(length, is_icn)
}

/// Where the numbers about what waits to be fetched are.
#[wasm_bindgen]
#[must_use]
pub fn skim_numbers() -> *const usize {
    skim::numbers()
}

/// The long form of the start in a slot, in parts as those of [`long`].
#[wasm_bindgen]
#[must_use]
pub fn skim_start(slot: usize) -> Option<String> {
    skim::start(slot)
}

/// The records of the text in the room, as JSON.
///
/// # Errors
///
/// A text that looks like no known format.
#[wasm_bindgen]
pub fn split(length: usize, options: &str) -> Result<String, Problem> {
    with_text(length, |text| split::split(text, options))
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
