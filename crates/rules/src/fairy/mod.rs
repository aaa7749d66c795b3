//! The Fairy movement language: where a piece goes, on boards with and without edges.
//!
//! A movement is a set of words, and a word is a chain of jumps. The page `docs/fairy.md` explains the
//! language.
//!
//! **Accepts** the original language: jumps `[x,y]`, options `{a,b}`, sequences `a*b`, repeats `a^3`,
//! `a^[1..4]`, `a^[2..*]`, `a^*`, `a?`, mirrors `a-` (flips y), `a|` (flips x), `a/` (swaps), parentheses;
//! and our extensions: `a~` must not capture, `a!` must capture, `a$` needs the special right, `[x,y]#` a
//! hurdle, `[x,y]@prime` prime multiples, and in piece files `{}` no move at all. Blanks stand between
//! tokens, leading zeros and `-0` are read.
//!
//! **Writes** the canonical text: no blanks, options flat, sorted and without doubles, `?`, `^*` and `^n` for
//! the ranges they stand for, parentheses only around a sequence under a mark.
//!
//! **Refuses** everything else at the first character that cannot be right, and texts of more than 4,096
//! characters, 64 levels of brackets, or numbers beyond 63 bits.

mod board;
mod difference;
mod equality;
mod error;
mod expr;
mod movement;
mod node;
mod notes;
mod number;
mod parse;
mod path;
mod prime;
mod rays;
mod search;
mod symmetry;
#[cfg(test)]
mod tests;
mod walk;
mod write;

use std::fmt;

pub use board::{Board, Occupant, Surroundings, View};
pub use difference::{Difference, Sameness, same_as};
pub use equality::{Comparison, same_moves, same_words};
pub use error::{MovementError, MovementErrorKind};
pub use expr::{Expr, Jump, Mirror, Modifier, Repeat};
pub use movement::{Movement, Mover, Reach, Stop, Stops};
pub use notes::{Note, notes};
pub use parse::ReadOptions;
pub use path::{End, Leg, Path, Run, Segment, Vector};
pub(crate) use prime::is_prime_coord;
pub(crate) use rays::Answer;
pub use rays::Ray;

/// How much work a question may cost where no closed form is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Steps of a search.
    pub steps: usize,
    /// Squares in a list of stops.
    pub stops: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { steps: 1_000_000, stops: 100_000 }
    }
}

/// A movement that is too big to be compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooComplex {
    /// What there is too much of.
    pub what: &'static str,
    /// How much is allowed.
    pub limit: usize,
}

impl fmt::Display for TooComplex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "movement is too complex: more than {} {}", self.limit, self.what)
    }
}

impl std::error::Error for TooComplex {}
