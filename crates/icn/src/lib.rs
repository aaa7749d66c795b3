//! Infinite-chess notation (ICN).
//!
//! Reads every dialect in use, exactly at any coordinate size, and writes one canonical text.
//!
//! ```
//! let reading = boardprint_icn::parse("(8;Q,R,B,N|1) w P5,2+|K05,1+|k5,8 1. P5,2 > 5,4 {hello}")?;
//! assert_eq!(boardprint_icn::canonical(&reading.game), "(8|1) k5,8|P5,2+|K5,1+ 5,2>5,4");
//! assert_eq!(reading.warnings[0].to_string(), "leading zeros were dropped");
//! # Ok::<(), boardprint_icn::IcnError>(())
//! ```

mod cut;
mod error;
pub mod json;
mod lex;
mod options;
mod parse;
mod skim;
#[cfg(test)]
mod tests;
mod text;
pub mod variants;
mod warning;
pub mod write;

pub use cut::{Cutter, is_json_game};
pub use error::{IcnError, IcnErrorKind, Limited, Part, Rule, Term};
pub use options::{Dialect, ReadOptions, UnknownName};
pub use parse::Reading;
pub use skim::{Skimmed, SkimmedMove, Skimmer};
pub use text::Icn;
pub use warning::{Warning, WarningKind};
pub use write::{Style, WriteOptions, canonical, canonical_position};

/// Reads one game or position leniently, in any dialect.
///
/// # Errors
///
/// The first thing in the text that cannot be read.
pub fn parse(text: &str) -> Result<Reading, IcnError> {
    ReadOptions::default().parse(text)
}

/// The examples of the page on the canonical form.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/icn-canonical.md")]
struct CanonicalPage;

/// The examples of the page on styles.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/icn-styles.md")]
struct StylesPage;

/// The page of the crate: its example runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
