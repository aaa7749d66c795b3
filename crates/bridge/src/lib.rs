//! Between the notations: positions of the infinite board, CPN, FEN and SFEN.
//!
//! - [`identity()`] drops the rights and the en passant square that no move can use.
//! - [`Namer`] writes the CPN of a position and hashes it, many times without allocating.
//! - [`Trail`] names every position of a game, writing only what each move changed.
//! - [`game_hash()`] names a whole game, [`exact_hash`] a position with everything that was written.
//! - [`list`] turns a position into a CPN and back; [`grid`] writes a dense window of it.
//! - [`fen`] turns FEN and SFEN of five games into CPN and back; [`BoardNamer`] names playable positions of
//!   them, many times, and [`BoardTrail`] every position of a game.
//! - [`embed`] puts Western chess onto the open board and takes it back from there.
//! - [`Lossy`] is what a conversion returns that could not keep everything: the result and what was [`Lost`].
//!
//! ```
//! use boardprint_base::{Piece, PieceKind, Pieces, Placed, Player, Position, Square};
//! use boardprint_bridge::{Lost, Namer, list};
//!
//! let king = |player, square| Placed::new(Piece::new(PieceKind::King, player), square);
//! let kings = vec![king(Player::BLACK, Square::new(1000, -999)), king(Player::WHITE, Square::new(0, 0)).with_right()];
//! let position = Position::new(Pieces::from_list(kings).unwrap());
//!
//! let mut namer = Namer::new();
//! assert_eq!(namer.cpn(&position), b"B--2--INFINITE:^K_0_0,infinite:^k_1000_n999--");
//!
//! // A king alone cannot castle: its right is not part of the identity.
//! let cpn = list::to_cpn(&position, Default::default()).or_else(|e| e.ignore(Lost::DEAD_MARKS))?;
//! assert_eq!(cpn.cph(), namer.cph(&position));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod board_namer;
mod board_trail;
pub mod embed;
pub mod fen;
mod game_hash;
pub mod grid;
mod identity;
pub mod list;
mod lost;
mod namer;
mod rights;
#[cfg(test)]
mod tests;
mod trail;
mod words;

pub use board_namer::BoardNamer;
pub use board_trail::BoardTrail;
pub use game_hash::{exact_hash, game_hash, game_text, named_start, write_game_text};
pub use identity::{Marks, identity};
pub use lost::{Lossy, Lost, UnknownLoss};
pub use namer::Namer;
pub use trail::Trail;

/// The format page: its examples run as tests.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../../docs/cpn.md")]
    struct Cpn;
}

/// The page of the crate: its example runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
