//! What moves do on the unbounded board.
//!
//! - [`betza`]: Betza notation, read as movements
//! - [`fairy`]: the movement language and its evaluator
//! - [`findings`]: what is wrong with a game
//! - [`hyper`]: how pieces move in variants of four dimensions
//! - [`legal`]: which moves are legal, check, mate and the other ends of a game
//! - [`pieces`]: how each piece moves, and piece files of users
//!
//! ```
//! use boardprint_base::{Game, Move, Piece, PieceKind, Pieces, Placed, Player, Position, Square};
//! use boardprint_rules::fairy::{Movement, Mover, Reach, Surroundings};
//! use boardprint_base::replay::Replay;
//!
//! let rook = Piece::new(PieceKind::Rook, Player::WHITE);
//! let (from, far) = (Square::new(0, 0), Square::new(10_i64.pow(15), 0));
//! let movement = Movement::new(&"[1,0]^*|/".parse()?)?;
//! assert_eq!(movement.reach(Mover::at(&from), &far, &Surroundings::default()), Reach::Quiet);
//!
//! let start = Position::new(Pieces::from_list(vec![Placed::new(rook, from.clone())]).unwrap());
//! let game = Game { start, moves: vec![Move::new(from, far.clone())], ..Game::default() };
//! let mut replay = Replay::new(&game);
//! replay.step()?;
//! assert!(replay.position().pieces.get(&far).is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod betza;
pub mod fairy;
pub mod findings;
pub mod hyper;
pub mod legal;
pub mod pieces;

/// The page on the language, so that its examples are tested.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/fairy.md")]
struct FairyPage;

/// The page of the crate: its example runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
