//! Chess Position Notation (CPN), the actors of General Actor Notation (GAN) it is made of, and the Chess
//! Position Hash (CPH) that names it: the SHA-1 of the CPN text.
//!
//! ```
//! use boardprint_cpn::{Actor, Cpn, Revision, Side};
//!
//! let cpn: Cpn = "B--1,3--w:^k,,W:^K--".parse()?;
//! assert_eq!(cpn.side(), Side::Bottom);
//! assert_eq!(cpn.cells().collect::<Vec<_>>(), ["w:^k", "", "W:^K"]);
//! assert_eq!(cpn.revision(), Some(Revision::Y2015));
//! assert_eq!(cpn.cph().to_string(), "4972ef5f38c79f6b451dca5f5316d32cffd3369b");
//!
//! let king = Actor::parse("W:^K")?;
//! assert_eq!((king.game(), king.abbreviation(), king.is_royal()), ("W", "K", true));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Format
//!
//! ```text
//! cpn   = side "--" shape "--" board "--" hand
//! side  = "B" / "t"                        ; bottom or top moves next
//! shape = [ number *( "," number ) ]       ; slowest dimension first; no number: no cell
//! board = [ cell *( "," cell ) ]           ; as many cells as the product of the shape
//! cell  = "" / actor                       ; the last dimension runs fastest, the top row comes first
//! hand  = [ actor *( "," actor ) ]         ; in ASCII order, repeats written out
//! actor = game ":" [ "+" ] [ royal ] name  ; all letters upper case for bottom, lower case for top
//! royal = "_" / "^" / "-"                  ; by revision: 2014, 2015, 2019
//! ```
//!
//! **Accepts** exactly this: numbers are `0` or have no leading zero, games and names begin with a letter and
//! go on with letters of the same case, digits and `_`. [`Options::free_names`] takes any graphic ASCII for
//! actors, as the program `cpn.rb` does.
//!
//! **Writes** the text as it was read, or in another [`Revision`] with the hand in its new order.
//!
//! **Refuses** royal prefixes of two revisions in one text, hands out of order ([`Options::lenient`] sorts
//! them), a number of cells that is not the product of the shape, and every blank, newline or character
//! beyond ASCII.

mod cph;
mod error;
mod gan;
mod notation;
mod parse;
mod revision;
#[cfg(test)]
mod tests;
mod warning;

pub use boardprint_base::Side;
pub use cph::Cph;
pub use error::{CpnError, CpnErrorKind, CpnRule, Field};
pub use gan::Actor;
pub use notation::{Cpn, Items};
pub use parse::Options;
pub use revision::Revision;
pub use warning::{CpnWarning, CpnWarningKind};

/// The page of the crate: its example runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
