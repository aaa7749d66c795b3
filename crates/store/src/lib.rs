//! Collections of games in, a database of positions, answers out.
//!
//! - [`read`] cuts files, folders and standard input into records.
//! - [`pgn`] reads games of Western chess.
//! - [`dedup`] finds games that are there twice.
//! - [`db`] keeps games and positions in an embedded database.
//! - [`games`] turns records of any format into games of the database, and plays stored games again.
//!
//! ```
//! use boardprint_store::read::{Format, Input, Options, Reader};
//!
//! let inputs = [Input::text("K5,1|k5,8 5,1>5,2"), Input::text("1. e4 e5 2. Nf3")];
//! let records: Vec<_> = Reader::new(inputs, Options::default()).collect::<Result<_, _>>()?;
//! assert_eq!(records[0].format, Format::Icn);
//! assert_eq!(records[1].format, Format::Pgn);
//! # Ok::<(), boardprint_store::read::ReadError>(())
//! ```

pub mod db;
pub mod dedup;
pub mod games;
pub mod pgn;
pub mod read;
