//! The tests of the database from the outside, as one executable.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod changes;
mod common;
mod db;
mod dry_runs;
mod faults;
mod lists;
mod loads;
mod old_faults;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "postgres")]
mod server;
