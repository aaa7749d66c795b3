//! What can be asked about a record.

#![expect(clippy::float_cmp, reason = "in what wasm-bindgen generates for an enum")]

use wasm_bindgen::prelude::wasm_bindgen;

/// What can be asked about a record.
#[wasm_bindgen]
#[derive(Clone, Copy, Debug)]
pub enum Question {
    /// Tags, warnings and so on as JSON, then lines of moves.
    Read,
    /// Canonical ICN.
    Canon,
    /// The hash of one position.
    Hash,
    /// The hash of the game.
    GameHash,
    /// The hash of the canonical text of one position.
    ExactHash,
    /// The hash of every position, the start first, one line each.
    Hashes,
    /// The record in another form, as JSON with what that form does not carry.
    Convert,
    /// One position in every notation, as JSON.
    Position,
    /// The legal moves of one position, as JSON.
    Legal,
    /// What is wrong with the record, as JSON.
    Check,
    /// A picture of one position.
    Svg,
}
