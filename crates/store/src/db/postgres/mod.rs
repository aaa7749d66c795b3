//! Databases on PostgreSQL servers: the log and the index in tables, the acknowledgement in one transaction.
//!
//! - Everything of a database lies in one schema of the server that its address names; `tables` has the layout.
//! - One writer at a time: it holds an advisory lock for as long as its connection lives. What it writes goes
//!   into one transaction, which ends with HEAD, so that a batch is there whole or not at all, whatever
//!   happens to the program, the server or what lies between.
//! - Readers take no lock and wait for nobody: a snapshot is a transaction of its own that sees one state.
//! - Postings and counts may lie on other servers, by ranges of hashes: the shards. What is written there is
//!   committed first, under run numbers that the manifest does not name yet; so an interruption leaves
//!   nothing but blocks that the next writer removes.

mod conn;
mod engine;
mod fdw;
mod log;
mod server;
mod shards;
mod tables;
mod url;

pub use self::engine::PostgresEngine;
pub use self::fdw::fdw_script;
pub(crate) use self::log::LogTable;
pub(crate) use self::server::{Held, Server};
pub use self::shards::make_shards;
