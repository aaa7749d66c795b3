//! Gives every chess position a name that does not depend on who wrote it down.
//!
//! One dependency for programmers: any record of any of the six games, its positions and their hashes, its
//! legal moves, other notations, pictures. The first example reads whatever it is given:
//!
//! ```no_run
#![doc = include_str!("../examples/any_record.rs")]
//! ```
//!
//! | module | what it has | feature |
//! |---|---|---|
//! | [`games`] | the door: formats, records, what they mean, every position, other notations | |
//! | [`base`] | the words of the open board: coordinates of any size, positions, moves, games, replay | |
//! | [`icn`] | infinite-chess notation and its JSON long form | |
//! | [`finite`] | Western chess, Makruk, Shogi, Xiangqi, Janggi: boards, FEN, rules, move notations | |
//! | [`rules`] | the open board: movement language, legal moves, ends of games | |
//! | [`cpn`] | Chess Position Notation and its hash | |
//! | [`bridge`] | between them: identities, conversions, and what they lose | |
//! | `render` | boards as SVG and text, pages of whole games | `render` (default), `png` |
//! | `records` | files, folders and streams as records | `records` |
//! | `dedup` | duplicates in a collection | `dedup` |
//! | `store` | the database | `store` |

#[doc(inline)]
pub use boardprint_base as base;
#[doc(inline)]
pub use boardprint_bridge as bridge;
#[doc(inline)]
pub use boardprint_cpn as cpn;
#[cfg(feature = "dedup")]
#[doc(inline)]
pub use boardprint_dedup as dedup;
#[doc(inline)]
pub use boardprint_finite as finite;
#[doc(inline)]
pub use boardprint_games as games;
#[doc(inline)]
pub use boardprint_icn as icn;
#[cfg(feature = "records")]
#[doc(inline)]
pub use boardprint_records as records;
#[cfg(feature = "render")]
#[doc(inline)]
pub use boardprint_render as render;
#[doc(inline)]
pub use boardprint_rules as rules;
#[cfg(feature = "store")]
#[doc(inline)]
pub use boardprint_store as store;

pub use boardprint_base::{Digest, DigestPrefix};
pub use boardprint_games::{
    Content, Format, LegalMoves, Profile, ReadOptions, ReadTextError, Reading, Record, RecordError,
    WriteOptions, read,
};

/// The page of the crate: its example runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
