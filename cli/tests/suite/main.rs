//! The program from the outside.

mod apart;
mod comfort;
mod common;
mod compressed;
mod database;
mod dedup;
mod determinism;
mod faults;
mod hostile;
mod memory;
mod one_door;
#[cfg(all(unix, feature = "postgres"))]
mod postgres;
mod schema;
#[cfg(unix)]
mod serve;
mod terminal;
