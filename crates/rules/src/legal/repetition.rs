//! Positions that come back.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use boardprint_base::{Placed, Position};

/// How often each position has occurred since the last capture or pawn move.
///
/// A position stands for its pieces with their rights, en passant, and whose turn of the cycle it is. Its key is a sum of
/// hashes of 128 bits, so a move changes it by what it changed on the board.
#[derive(Clone, Debug, Default)]
pub(super) struct Repetition {
    board: u128,
    seen: HashMap<u128, u32>,
}

impl Repetition {
    /// Starts with a position, which has occurred once.
    pub(super) fn new(position: &Position) -> Self {
        let board = position.pieces.iter().fold(0, |sum: u128, placed| sum.wrapping_add(hash(placed)));
        let mut repetition = Repetition { board, seen: HashMap::new() };
        repetition.count(position, 0, true);
        repetition
    }

    /// A piece has come onto the board.
    pub(super) fn add(&mut self, placed: &Placed) {
        self.board = self.board.wrapping_add(hash(placed));
    }

    /// A piece has left the board.
    pub(super) fn remove(&mut self, placed: &Placed) {
        self.board = self.board.wrapping_sub(hash(placed));
    }

    /// Counts the position after `ply` half-moves and says how often it has occurred. Nothing from before a capture or
    /// pawn move can come back.
    pub(super) fn count(&mut self, position: &Position, ply: usize, is_progress: bool) -> u32 {
        if is_progress {
            self.seen.clear();
        }
        let turn = ply % position.turn.cycle().len();
        let key = self.board.wrapping_add(hash(&(turn, position.en_passant.as_ref())));
        let times = self.seen.entry(key).or_default();
        *times += 1;
        *times
    }
}

fn hash(value: &impl Hash) -> u128 {
    let half = |seed: u8| {
        let mut hasher = DefaultHasher::new();
        seed.hash(&mut hasher);
        value.hash(&mut hasher);
        u128::from(hasher.finish())
    };
    half(0) << 64 | half(1)
}
