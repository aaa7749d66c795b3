//! The database: games by number, and where every position occurred.
//!
//! - [`db`] keeps games and positions in an embedded database.
//! - [`games`] turns records of any format into games of the database, and plays stored games again.

pub mod db;
pub mod games;

/// The page of the crate: its example runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
