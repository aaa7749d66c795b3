//! Games and positions as tables.
//!
//! Three tables, each with a schema that carries its version ([`VERSION`]):
//!
//! | table | one row per | order |
//! |---|---|---|
//! | [`postings`](Table::Postings) | position of a game | as read, or by key |
//! | [`games`](Table::Games) | game | as read |
//! | [`positions`](Table::Positions) | distinct position | by key |
//!
//! Games come from anywhere: a [`Games`] hands on one [`Item`] after another, and [`records`] makes one of
//! files. What a record means is decided by [`boardprint_games`]. Workers turn items into rows in parallel;
//! the rows do not depend on their number. Memory is bounded: what must be sorted goes through temporary
//! files ([`Options::memory`]).
//!
//! ```
//! use boardprint_records::{Input, Reader, ReaderOptions};
//! use boardprint_tables::{Options, Table, records};
//!
//! let reader = Reader::new([Input::text("1. e4 e5 2. Nf3 *")], ReaderOptions::default());
//! let batches = Options::default().read(Table::Postings, records(reader, Default::default()));
//! let rows: usize = batches.map(|batch| batch.map(|batch| batch.num_rows())).sum::<Result<_, _>>()?;
//! assert_eq!(rows, 4); // The start counts too.
//! # Ok::<(), boardprint_tables::Error>(())
//! ```

#![allow(clippy::result_large_err, reason = "a failure is rare, and handed on once")]
#![allow(clippy::large_enum_variant, reason = "there is one sink per stream")]

mod batches;
mod failure;
mod games;
mod item;
mod packed;
#[cfg(feature = "parquet")]
pub mod parquet;
mod positions;
mod postings;
mod rows;
mod schema;
mod sort;
#[cfg(feature = "store")]
mod stored;
#[cfg(test)]
mod tests;
mod workers;

pub use batches::{Batches, Options};
pub use failure::{Error, Failure};
pub use item::{Entry, Games, Item, records};
pub use packed::{PackedPostings, Packing};
pub use schema::{Key, Table, VERSION};
#[cfg(feature = "store")]
pub use stored::stored;

/// The page of the crate: its example runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
