//! Collections of games in, a database of positions, answers out.
//!
//! - [`read`] cuts files, folders and standard input into records.
//! - [`pgn`] reads games of Western chess.

pub mod pgn;
pub mod read;
