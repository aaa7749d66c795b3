//! The games seen so far, by key.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

use super::fingerprint::{both, fold, key_of, mixed};
use super::{By, Confidence, Fingerprint};

/// The games seen so far. An entry takes 24 bytes and its share of empty places.
pub(super) struct Table {
    by: By,
    min_plies: u32,
    /// The first game of every key.
    first: Keys<Entry>,
    /// Later games of a key by other players, by key and players.
    others: Keys<u32>,
}

#[derive(Clone, Copy)]
struct Entry {
    game: u32,
    /// Half the key of the players, 0 if they are unknown.
    players: u32,
}

type Keys<V> = HashMap<[u64; 2], V, Secret>;

/// Keys are hashes already; but whoever makes games can choose them, so that a secret decides where they lie
/// in the table.
#[derive(Clone)]
struct Secret(u64);

impl Default for Secret {
    fn default() -> Self {
        Secret(RandomState::new().hash_one(0))
    }
}

impl BuildHasher for Secret {
    type Hasher = Folded;

    fn build_hasher(&self) -> Folded {
        Folded(self.0)
    }
}

struct Folded(u64);

impl Hasher for Folded {
    fn finish(&self) -> u64 {
        self.0
    }

    /// A key comes as its bytes.
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0 = fold(self.0 ^ u64::from_le_bytes(word), 0xff51_afd7_ed55_8ccd);
        }
    }

    fn write_usize(&mut self, _length: usize) {}
}

/// An earlier game that is the same by its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Match {
    pub(super) confidence: Confidence,
    pub(super) game: u32,
}

impl Table {
    pub(super) fn new(by: By, min_plies: u32) -> Self {
        Table { by, min_plies, first: Keys::default(), others: Keys::default() }
    }

    /// The key of the whole game.
    pub(super) fn key(&self, game: &Fingerprint) -> [u64; 2] {
        match (self.by, &game.line) {
            (By::Prefix, Some(line)) => line.key(),
            _ => key_of(&game.digest.0),
        }
    }

    /// The key under which a game of this many plies is looked up: short ones only with players and date.
    pub(super) fn lookup_key(&self, key: [u64; 2], plies: u32, game: &Fingerprint) -> Option<[u64; 2]> {
        if plies >= self.min_plies {
            return Some(key);
        }
        Some(mixed(mixed(key, both(game.players)?), game.date?))
    }

    /// The game that `game` repeats, if there is one.
    pub(super) fn find(&self, game: &Fingerprint) -> Option<Match> {
        self.look_up(self.key(game), game.plies, game)
    }

    /// Makes looking for beginnings fast. All games must be there.
    #[expect(clippy::iter_over_hash_type, reason = "bits are set in any order")]
    pub(super) fn sieve(&self) -> Sieve {
        let mut sieve = Sieve::new(self.first.len());
        for key in self.first.keys() {
            sieve.add(key);
        }
        sieve
    }

    /// The games that `game` continues.
    pub(super) fn find_beginnings(&self, game: &Fingerprint, sieve: &Sieve) -> Vec<Match> {
        let mut found = Vec::new();
        if let Some(line) = &game.line {
            line.each_key(|plies, key| {
                let lookup = if plies < game.plies { self.lookup_key(key, plies, game) } else { None };
                if lookup.is_some_and(|lookup| sieve.may_hold(&lookup)) {
                    found.extend(self.look_up(key, plies, game));
                }
            });
        }
        found
    }

    #[inline]
    pub(super) fn look_up(&self, key: [u64; 2], plies: u32, game: &Fingerprint) -> Option<Match> {
        let entry = *self.first.get(&self.lookup_key(key, plies, game)?)?;
        let named = Confidence::of_same_players(game.players);
        if entry.players == half(game.players) || plies < self.min_plies {
            return Some(Match { confidence: named, game: entry.game });
        }
        if let Some(other) = self.others.get(&mixed(key, game.players.unwrap_or(0))) {
            return Some(Match { confidence: named, game: *other });
        }
        Some(Match { confidence: Confidence::of_other_players(plies), game: entry.game })
    }

    /// Remembers a game that stays.
    pub(super) fn insert(&mut self, game: &Fingerprint, number: u32) {
        let key = self.key(game);
        let Some(lookup) = self.lookup_key(key, game.plies, game) else { return };
        let entry = Entry { game: number, players: half(game.players) };
        if self.first.entry(lookup).or_insert(entry).game != number {
            self.others.entry(mixed(key, game.players.unwrap_or(0))).or_insert(number);
        }
    }
}

/// Which keys cannot be in the table: two bytes of memory per game, which the processor's cache holds where
/// it does not hold the table. Nearly all beginnings of games are nobody's whole game.
pub(super) struct Sieve {
    bits: Vec<u64>,
}

impl Sieve {
    fn new(keys: usize) -> Self {
        Sieve { bits: vec![0; (keys / 4).next_power_of_two().max(64)] }
    }

    /// The place of a key: a word and a bit.
    #[inline]
    fn place(&self, key: &[u64; 2]) -> (usize, u64) {
        let word = (key[0] >> 6) as usize & (self.bits.len() - 1);
        (word, 1 << (key[0] & 63))
    }

    fn add(&mut self, key: &[u64; 2]) {
        let (word, bit) = self.place(key);
        self.bits[word] |= bit;
    }

    #[inline]
    fn may_hold(&self, key: &[u64; 2]) -> bool {
        let (word, bit) = self.place(key);
        self.bits[word] & bit != 0
    }
}

fn half(players: Option<u64>) -> u32 {
    players.map_or(0, |players| ((players >> 32) as u32).max(1))
}
