//! Positions that come back.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};

use boardprint_base::{Placed, Position};

/// How often each position has occurred since the last capture or pawn move.
///
/// A position stands for its pieces with their rights, en passant, and whose turn of the cycle it is. Its key
/// is a sum of hashes of 128 bits, so a move changes it by what it changed on the board.
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

    /// Counts the position after `ply` half-moves and says how often it has occurred. Nothing from before a
    /// capture or pawn move can come back.
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

/// 128 bits of a value. Games are judged one at a time and a collision would need 2^64 positions, so this
/// need not withstand attacks: two rounds of multiplication and folding for each word are enough, and several
/// times as fast as the hash of the standard library.
fn hash(value: &impl Hash) -> u128 {
    let mut mix = Mix { low: 0x9e37_79b9_7f4a_7c15, high: 0xd1b5_4a32_d192_ed03 };
    value.hash(&mut mix);
    u128::from(mix.high) << 64 | u128::from(mix.low)
}

struct Mix {
    low: u64,
    high: u64,
}

impl Mix {
    #[inline]
    fn fold(a: u64, b: u64) -> u64 {
        let product = u128::from(a) * u128::from(b);
        let half = |value: u128| u64::try_from(value & u128::from(u64::MAX)).unwrap_or(0);
        half(product) ^ half(product >> 64)
    }
}

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.low = Self::fold(self.low ^ word, 0xa076_1d64_78bd_642f).wrapping_add(self.high);
        self.high =
            Self::fold(self.high ^ word.rotate_left(32), 0xe703_7ed1_a0b4_28db) ^ self.low.rotate_left(17);
    }

    #[inline]
    fn write_u8(&mut self, value: u8) {
        self.write_u64(value.into());
    }

    #[inline]
    fn write_u32(&mut self, value: u32) {
        self.write_u64(value.into());
    }

    #[inline]
    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }

    #[inline]
    fn write_i64(&mut self, value: i64) {
        self.write_u64(value.cast_unsigned());
    }

    #[inline]
    fn write_isize(&mut self, value: isize) {
        self.write_u64(value.cast_unsigned() as u64);
    }

    fn finish(&self) -> u64 {
        self.low
    }
}
