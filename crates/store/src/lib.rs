//! Collections of games in, a database of positions, answers out.
//!
//! - [`read`] cuts files, folders and standard input into records.
//! - [`db`] keeps games and positions in an embedded database.

pub mod db;
pub mod read;
