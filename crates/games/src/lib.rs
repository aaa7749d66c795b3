//! The door: what a record means is decided here and nowhere else.
//!
//! A [`Record`] is a piece of text with a [`Format`]. [`ReadOptions::read`] says what it holds: a
//! [`Content`], which is a game of the open board, a game of one of the finite games, or a board of some
//! other game. From there on formats do not matter: every content has tags, a result, an identity, positions
//! with their names, and moves.
//!
//! ```
//! use boardprint_games::{Format, Profile, ReadOptions};
//!
//! let options = ReadOptions::default();
//! let game = options.read_text(Format::Pgn, "1. e4 e5 2. Nf3")?.content;
//! assert_eq!(game.plies(), 3);
//!
//! // The last position, by whatever route it was reached.
//! let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
//! let position = options.read_text(Format::Fen, fen)?.content;
//! assert_eq!(game.hashes(Profile::Plain)?.last(), position.hashes(Profile::Plain)?.last());
//! # Ok::<(), boardprint_games::RecordError>(())
//! ```
//!
//! - [`Format::detect`] tells the format of a text, [`cut`] where its records end.
//! - [`pgn`], [`csa`], [`kif`] and [`usi`] read and write games of the finite games.
//! - [`Content::to_open_board`] and [`Content::to_western`] take Western games onto the open board and back.
//! - [`Content`] has everything that can be asked of a record.

pub mod check;
mod compare;
mod content;
pub mod csa;
pub mod cut;
mod detect;
mod embed;
mod encoding;
mod ending;
mod error;
mod finite;
mod format;
mod game_error;
mod headers;
mod identity;
pub mod kif;
mod legal;
mod names;
mod openings;
pub mod pgn;
mod reading;
mod record;
mod score;
mod shogi;
mod tags;
#[cfg(test)]
mod tests;
pub mod usi;
mod warning;
mod write;

pub use check::{End, Finding, Verdict};
pub use compare::{Comparison, Criterion, MoveDifference, TagDifference, UnknownCriterion, compare};
pub use content::{Content, NextMove, says_something};
pub use encoding::Encoding;
pub use error::{RecordError, RecordErrorKind};
pub use finite::{Extras, FiniteGame, Remark, Start};
pub use format::{Format, UnknownFormat};
pub use game_error::{GameError, GameErrorKind};
pub use identity::Identity;
pub use legal::{LegalMoves, piece_table};
pub use names::{PositionNamer, Profile};
pub use reading::{ReadOptions, ReadTextError, Reading, read};
pub use record::Record;
pub use tags::with_tags;
pub use warning::{GameWarning, Warning, WarningKind};
pub use write::{GridArea, WriteError, WriteOptions, Written};

/// The page on identity: its examples run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/identity.md")]
struct IdentityPage;

/// The page of the crate: its example runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
