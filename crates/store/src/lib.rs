//! Collections of games in, a database of positions, answers out.
//!
//! - [`read`] cuts files, folders and standard input into records.

pub mod read;
//! Collections of games in, an embedded database, answers out.

pub mod db;
