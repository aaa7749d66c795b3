//! The vocabulary of boardprint: coordinates of any size, squares, players, pieces, positions, laws, moves
//! and games, SHA-1 digests, and where an error is.
//!
//! - [`cut`]: where one record of a collection ends and the next begins
//! - [`replay`]: playing moves on a position and taking them back
//!
//! Every format crate knows these words and no other format.
//!
//! ```
//! use boardprint_base::{Piece, PieceKind, Pieces, Placed, Player, Position, Square};
//!
//! let king = Piece::new(PieceKind::King, Player::WHITE);
//! let far = Square::new(10_i64.pow(15), -3);
//! let pieces = Pieces::from_list(vec![Placed::new(king, far.clone()).with_right()]).unwrap();
//! let position = Position::new(pieces);
//! assert_eq!(position.pieces.get(&far).unwrap().to_string(), "K1000000000000000,-3+");
//! ```

mod big;
mod condition;
mod coord;
pub mod cut;
mod digest;
mod digest_batch;
mod digest_chain;
mod double;
mod error;
mod game;
mod json;
mod kinds;
#[cfg(feature = "serde")]
mod long_form;
mod piece;
mod pieces;
mod player;
mod position;
mod rect;
pub mod replay;
mod short;
mod side;
mod square;

pub use condition::Condition;
pub use coord::{Coord, ParseCoordError};
pub use digest::{Digest, DigestPrefix, ParseDigestError};
pub use digest_batch::DigestBatch;
pub use digest_chain::DigestChain;
pub use error::{Found, LineColumn, Span, SyntaxError, SyntaxErrorKind, is_steering};
pub use game::{Game, GameResult, Move, Notes, ParseMoveError, ParseResultError, Presets, Tag};
pub use json::{Json, JsonNumber, JsonObject, Whole, whole_digits};
pub use piece::{CustomCode, Piece, PieceKind, Placed};
pub use pieces::{Pieces, SquareTwice};
pub use player::{Player, TurnOrder};
pub use position::{
    Border, CHECKMATE, KNOWN_WIN_CONDITIONS, Laws, MoveRule, Position, Promotion, WinConditions,
};
pub use rect::{ParseRectError, Rect};
pub use side::Side;
pub use square::Square;

/// The page of the crate: its example runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
