//! Gives every chess position a name that does not depend on who wrote it down.
//!
//! One dependency for programmers: [`read`] takes a record of any of the six games in any notation, and gives
//! a [`Content`] that has tags, positions with their hashes, legal moves and other notations.
//!
//! # A record and its names
//!
//! ```
//! use boardprint::{Profile, read};
//!
//! let game = read("[White \"Tom\"] K05,1|k5,8 1. K5,1 > 5,2 {hm}")?;
//! assert_eq!((game.tag("White"), game.plies()), (Some("Tom"), 1));
//!
//! // The CPH of every position, the start first. In another notation it is the same.
//! let hashes = game.hashes(Profile::Plain)?;
//! assert_eq!(hashes[1].to_string(), "cc90064445607c7ec03ba86b0929a6bb1faabe49");
//! let cpn = read("t--2--infinite:^k_5_8,INFINITE:^K_5_2--")?;
//! assert_eq!(cpn.hashes(Profile::Plain)?, hashes[1..]);
//!
//! // The name of the whole game.
//! assert_eq!(game.game_text().digest().to_string(), "93b87ef5010854a2792cbc65938ee27dbf0183f2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Other notations
//!
//! [`Content::write`] gives the text and what it does not carry. ICN is canonical unless [`WriteOptions`] say
//! otherwise. CPN, FEN and SFEN hold one position: the start, unless [`Content::at`] chooses another.
//!
//! ```
//! use boardprint::{Format, WriteOptions, read};
//!
//! let options = WriteOptions::default();
//! let game = read("[White \"Tom\"] K05,1|k5,8 1. K5,1 > 5,2 {hm}")?;
//! assert_eq!(game.write(Format::Icn, &options)?.text, "k5,8|K5,1 5,1>5,2");
//!
//! let last = game.at(game.plies())?;
//! assert_eq!(last.write(Format::Cpn, &options)?.text, "t--2--infinite:^k_5_8,INFINITE:^K_5_2--");
//! assert_eq!(last.write(Format::Fen, &options)?.text, "4k3/8/8/8/8/8/4K3/8 b - - 0 1");
//!
//! let castles = read("4k3/8/8/8/8/8/8/4K2R w K - 0 1")?;
//! assert_eq!(castles.write(Format::Cpn, &options)?.lost.to_string(), "castling");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Legal moves, and what is wrong
//!
//! ```
//! use boardprint::{Format, ReadOptions, read};
//!
//! assert_eq!(read("1. e4 e5")?.at(1)?.legal_moves()?.to_string().split(' ').count(), 20);
//!
//! let reading = ReadOptions::default().read_text(Format::Icn, "K05,1|Q4,1|k5,8 4,1>4,7|5,8>6,9")?;
//! let verdict = reading.check();
//! assert_eq!(verdict.first_illegal_ply, Some(2));
//! let kinds: Vec<&str> = verdict.findings.iter().map(|finding| finding.kind).collect();
//! assert_eq!(kinds, ["leading-zero", "illegal-move"]);
//!
//! let error = read("1. e4 e5 2. Ke3").unwrap_err();
//! assert_eq!(error.to_string(), "1:13: illegal move: the piece does not move that way; check the moves before it, too");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Duplicates
//!
//! With the feature `dedup`. `dedup::run` does the whole of it, in many
//! threads; its parts can be used alone:
//!
//! ```
//! use boardprint::dedup::{By, Collection, Games};
//! use boardprint::records::{Input, Reader, ReaderOptions};
//!
//! let texts = ["1. Nf3 d5 *", "[White \"A\"]\n\n1. g1f3 d7d5 {the same}"];
//! let games = Collection::default();
//! let mut keys = Vec::new();
//! for record in Reader::new(texts.map(Input::text), ReaderOptions::default()) {
//!     keys.push(games.fingerprint(&record?, By::Game)?.digest);
//! }
//! assert_eq!(keys[0], keys[1]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A database
//!
//! With the feature `store`. `Input::argument("games/")` takes files and folders, `Db::open` keeps the
//! database in a folder.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use boardprint::records::{Input, Reader, ReaderOptions};
//! use boardprint::store::db::{Db, IngestOptions, Options, ingest};
//! use boardprint::store::games::Rules;
//! use boardprint::{Profile, read};
//!
//! let db = Db::in_memory(Options::default())?;
//! let reader = Reader::new(["1. e4 c5 1-0", "1. e4 e5 *"].map(Input::text), ReaderOptions::default());
//! let rules = Rules::new(Profile::Plain);
//! let stop = AtomicBool::new(false);
//! let report = ingest(&db, reader, &rules, None, &IngestOptions::default(), &(), &stop)?;
//! assert_eq!(report.games, 2);
//!
//! let after_e4 = read("1. e4")?.hashes(Profile::Plain)?[1];
//! let snapshot = db.snapshot();
//! assert_eq!(snapshot.tally(&after_e4)?.games, 2);
//! for place in snapshot.lookup(&after_e4)? {
//!     let place = place?;
//!     println!("half-move {} of game {}: {:?}", place.ply(), place.game(), snapshot.game(place.game())?.result);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules and features
//!
//! | module | what it has | feature |
//! |---|---|---|
//! | [`games`] | the door: formats, records, what they mean, every position, other notations | |
//! | [`base`] | the words of the open board: coordinates of any size, positions, moves, games, replay | |
//! | [`icn`] | infinite-chess notation and its JSON long form | `serde` for games as values of serde |
//! | [`finite`] | Western chess, Makruk, Shogi, Xiangqi, Janggi: boards, FEN, rules, move notations | |
//! | [`rules`] | the open board: movement language, legal moves, ends of games | |
//! | [`cpn`] | Chess Position Notation and its hash | |
//! | [`bridge`] | between them: identities, conversions, and what they lose | |
//! | `render` | boards as SVG and text, pages of whole games | `render` (default), `png` |
//! | `records` | files, folders and streams as records | `records` |
//! | `dedup` | duplicates in a collection | `dedup` |
//! | `store` | the database | `store`; `postgres` for databases on a server |
//!
//! A picture of any record, as `cargo run -p boardprint --example any_record` draws it:
//!
//! ```no_run
#![doc = include_str!("../examples/any_record.rs")]
//! ```

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
