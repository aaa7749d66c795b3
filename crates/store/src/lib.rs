//! The database: games by number, and where every position occurred.
//!
//! - [`db`] keeps games and positions in an embedded database.
//! - [`games`] turns records of any format into games of the database, and plays stored games again.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use boardprint_games::{Profile, read};
//! use boardprint_records::{Input, Reader, ReaderOptions};
//! use boardprint_store::db::{Db, IngestOptions, Options, ingest};
//! use boardprint_store::games::Rules;
//!
//! // `Db::open` keeps it in a folder, `Input::argument` reads files and folders.
//! let db = Db::in_memory(Options::default())?;
//! let reader = Reader::new(["1. e4 c5 1-0", "1. e4 e5 *"].map(Input::text), ReaderOptions::default());
//! let (rules, stop) = (Rules::new(Profile::Plain), AtomicBool::new(false));
//! // Without a judge all games with the same moves are one; nobody listens.
//! let report = ingest(&db, reader, &rules, None, &IngestOptions::default(), &(), &stop)?;
//! assert_eq!((report.games, report.postings), (2, 6));
//!
//! let after_e4 = read("1. e4")?.hashes(Profile::Plain)?[1];
//! let tally = db.snapshot().tally(&after_e4)?;
//! assert_eq!((tally.games, tally.moves.len()), (2, 2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod db;
pub mod games;

/// The page of the crate: its example runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
