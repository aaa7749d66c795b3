//! CSA: records of Shogi as programs write them.
//!
//! **Accepts** versions 2 to 3.0 and records without a version: players (`N+`, `N-`), headers (`$EVENT:`),
//! the start as `PI` with pieces taken away, as rows (`P1` to `P9`) or as single pieces (`P+99KY00FU`,
//! `P-00AL`), the side to move, moves (`+7776FU`), times (`T12`, `T12.345`), comments (`'`), ends (`%TORYO`
//! and the others), and several of these in one line with commas. UTF-8 or `Shift_JIS`.
//!
//! **Writes** version 2.2: players, headers, start, moves, end.
//!
//! **Refuses** a start that cannot be played from, moves that are illegal or not moves, and moves after the
//! end. What else is not known is passed over with a warning.

mod parse;
#[cfg(test)]
mod tests;
mod write;

pub(crate) use parse::draft;
pub use parse::read;
pub(crate) use write::write;
