//! Collections of games in, a database of positions, answers out.
//!
//! - [`read`] cuts files, folders and standard input into records.
//! - [`pgn`] reads games of Western chess.
//! - [`dedup`] finds games that are there twice.
//! - [`db`] keeps games and positions in an embedded database.
//! - [`games`] turns records of any format into games of the database, and plays stored games again.

pub mod db;
pub mod dedup;
pub mod games;
pub mod pgn;
pub mod read;
