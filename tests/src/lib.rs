//! Reading the vectors in `corpus/`, and what must hold for any bytes.

mod mutate;
pub mod property;

pub use mutate::Mutator;

use std::fs;
use std::path::PathBuf;

use serde::de::DeserializeOwned;

/// The path of a file in `corpus/`.
#[must_use]
pub fn corpus(file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../corpus").join(file)
}

/// The rows of a file of JSON lines in `corpus/`.
///
/// # Panics
///
/// If the file is missing, empty, or a row does not have the expected shape.
#[must_use]
pub fn rows<T: DeserializeOwned>(file: &str) -> Vec<T> {
    let path = corpus(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let rows: Vec<T> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{}: {e}: {line}", path.display())))
        .collect();
    assert!(!rows.is_empty(), "{} is empty", path.display());
    rows
}

/// Panics with every failure, or not at all.
///
/// # Panics
///
/// If there is any failure.
pub fn report(what: &str, total: usize, failures: &[String]) {
    assert!(failures.is_empty(), "{} of {total} {what} fail:\n{}", failures.len(), failures.join("\n"));
}

/// The page that follows three records through the code: its examples run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/walk.md")]
struct Walk;
