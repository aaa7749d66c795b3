//! The hashes of positions that many games begin with.
//!
//! Games of a collection share their first moves: of a hundred positions of master games, a dozen were
//! reached by the same moves before. Such a position is found by the one before it and the move, in less time
//! than its name is hashed.

use std::fmt;

use boardprint_base::Digest;
use boardprint_finite::{Board, Move};

/// How many positions there is room for, as a power of two; half of it is used.
const BITS: u32 = 16;
/// A game adds this many positions: what is played often is known soon, and games that nobody follows take
/// little room.
const NEW_PER_GAME: u32 = 2;
/// So many games are named before anything is remembered: whoever names a few has nothing to gain.
const FEW: u32 = 16;
/// Numbers below this one are games before their first move; others are positions, by their place.
const FIRST: u64 = 16;

/// The hashes of positions by the moves that led there from the usual start of a game.
pub(crate) struct Openings {
    /// The position before and the move, which are never 0; 0 where nothing stands. Made when it pays.
    keys: Vec<u64>,
    hashes: Vec<[u8; 20]>,
    used: usize,
    /// How many games began so far.
    games: u32,
}

/// How far a game is known.
pub(crate) struct Known {
    /// The number of the last position; `None` beyond what is known.
    at: Option<u64>,
    /// How many positions the game may add.
    left: u32,
    /// Where the next position would be put.
    free: usize,
}

impl Known {
    /// Whether nothing that comes is known, or will be.
    #[inline]
    pub(crate) const fn is_over(&self) -> bool {
        self.at.is_none()
    }
}

impl Openings {
    pub(crate) const fn new() -> Self {
        Openings { keys: Vec::new(), hashes: Vec::new(), used: 0, games: 0 }
    }

    /// The place of a game that has not begun. Only games from the usual start are known.
    pub(crate) fn start(&mut self, board: &Board) -> Known {
        if self.games < FEW {
            self.games += 1;
            return Known { at: None, left: 0, free: 0 };
        }
        let usual = board.is_usual_start();
        if usual && self.keys.is_empty() {
            (self.keys, self.hashes) = (vec![0; 1 << BITS], vec![[0; 20]; 1 << BITS]);
        }
        let at = usual.then(|| u64::from(board.game().code()));
        Known { at, left: NEW_PER_GAME, free: 0 }
    }

    /// The hash after the next move of a game, if it is known.
    #[inline]
    pub(crate) fn next(&self, known: &mut Known, played: Move) -> Option<Digest> {
        let key = key(known.at?, played);
        let mask = self.keys.len() - 1;
        let mut place = place_of(key);
        loop {
            match self.keys[place] {
                found if found == key => {
                    known.at = Some(FIRST + place as u64);
                    return Some(Digest(self.hashes[place]));
                }
                0 => break,
                _ => place = (place + 1) & mask,
            }
        }
        known.free = place;
        None
    }

    /// Remembers the hash after the move that [`Openings::next`] did not know.
    #[inline]
    pub(crate) fn add(&mut self, known: &mut Known, played: Move, hash: &Digest) {
        let Some(at) = known.at.take() else { return };
        if known.left > 0 && self.used < self.keys.len() / 2 {
            self.keys[known.free] = key(at, played);
            self.hashes[known.free] = hash.0;
            self.used += 1;
            known.left -= 1;
            known.at = Some(FIRST + known.free as u64);
        }
    }
}

impl fmt::Debug for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Openings({} positions)", self.used)
    }
}

/// What a position is found by. Different ways there have different keys: nothing is taken for something else.
#[inline]
fn key(at: u64, played: Move) -> u64 {
    at << 16 | u64::from(played.bits())
}

#[inline]
fn place_of(key: u64) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - BITS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardprint_finite::Game;

    /// Some games are named already.
    fn openings() -> Openings {
        Openings { games: FEW, ..Openings::new() }
    }

    #[test]
    fn what_was_added_is_found_by_the_same_moves_only() {
        let (mut openings, start) = (openings(), Board::start(Game::Western));
        let played = |bits| Move::from_bits(Game::Western, bits).unwrap();
        let hash = |text: &str| Digest::of(text.as_bytes());
        let mut known = openings.start(&start);
        for (bits, text) in [(1, "a"), (2, "b"), (3, "c")] {
            assert_eq!(openings.next(&mut known, played(bits)), None);
            openings.add(&mut known, played(bits), &hash(text));
        }
        let mut known = openings.start(&start);
        assert_eq!(openings.next(&mut known, played(1)), Some(hash("a")));
        assert_eq!(openings.next(&mut known, played(2)), Some(hash("b")));
        assert_eq!(openings.next(&mut known, played(3)), None, "a game adds two positions");
        openings.add(&mut known, played(3), &hash("c"));
        assert_eq!(openings.next(&mut known, played(3)), None, "the same move again is another position");
        let mut known = openings.start(&start);
        assert_eq!(openings.next(&mut known, played(2)), None);
        // Another game has other positions after the same bits.
        let mut known = openings.start(&Board::start(Game::Shogi));
        assert_eq!(openings.next(&mut known, played(1)), None);
        // Another start is not known at all.
        let mut known = openings.start(&Board::chess960(0).unwrap());
        assert_eq!(openings.next(&mut known, played(1)), None);
        openings.add(&mut known, played(1), &hash("d"));
        assert_eq!(openings.next(&mut known, played(1)), None);
    }

    #[test]
    fn a_full_table_takes_nothing_more_and_forgets_nothing() {
        let (mut openings, start) = (openings(), Board::start(Game::Shogi));
        let played = |bits: u16| Move::from_bits(Game::Shogi, bits);
        let moves: Vec<Move> = (0..1 << 14).filter_map(played).collect();
        for first in &moves {
            for second in moves.iter().step_by(701) {
                let mut known = openings.start(&start);
                for step in [*first, *second] {
                    if openings.next(&mut known, step).is_none() {
                        openings.add(&mut known, step, &Digest::of(&step.bits().to_le_bytes()));
                    }
                }
            }
        }
        assert_eq!(openings.used, 1 << (BITS - 1));
        for first in moves.iter().take(100) {
            let mut known = openings.start(&start);
            assert_eq!(openings.next(&mut known, *first), Some(Digest::of(&first.bits().to_le_bytes())));
        }
    }
}
