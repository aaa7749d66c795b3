//! The program from the outside.

mod common;
mod compressed;
mod database;
mod dedup;
mod determinism;
mod hostile;
mod memory;
mod one_door;
#[cfg(unix)]
mod serve;
mod terminal;
