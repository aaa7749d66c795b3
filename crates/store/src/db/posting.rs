//! Where a position occurred: the beginning of its hash, the game, and the ply.

use std::fmt;

use boardprint_base::{Digest, DigestPrefix};

use super::codec::Cursor;
use super::engine::Tree;
use super::error::{Error, Result};
use super::run::Entry;

/// The first ten bytes of a position's hash, by which postings are kept.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Prefix(pub [u8; 10]);

/// A place where a position occurred. The order is that of prefix, game, ply.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Posting {
    /// The first 64 bits of the prefix.
    head: u64,
    /// 16 bits of the prefix, 40 of the game, the upper 8 of the ply.
    tail: u64,
    /// The lower 16 bits of the ply.
    low: u16,
}

impl Prefix {
    /// The prefix of a whole hash.
    #[must_use]
    pub fn of(digest: &Digest) -> Self {
        let mut bytes = [0; 10];
        bytes.copy_from_slice(&digest.0[..10]);
        Prefix(bytes)
    }

    /// The least and the greatest prefix of the hashes that begin with some digits.
    #[must_use]
    pub fn range(digits: &DigestPrefix) -> (Self, Self) {
        let low = Self::of(&digits.first());
        let mut high = low;
        for digit in digits.digits()..20 {
            high.0[digit / 2] |= if digit % 2 == 0 { 0xf0 } else { 0x0f };
        }
        (low, high)
    }

    /// The first 64 bits and the last 16.
    fn halves(&self) -> (u64, u16) {
        let mut head = [0; 8];
        head.copy_from_slice(&self.0[..8]);
        (u64::from_be_bytes(head), u16::from_be_bytes([self.0[8], self.0[9]]))
    }

    /// Whether a hash begins so.
    #[must_use]
    pub fn begins(&self, digest: &Digest) -> bool {
        digest.0.starts_with(&self.0)
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Prefix({self})")
    }
}

impl Posting {
    /// The greatest game number.
    pub const MAX_GAME: u64 = (1 << 40) - 1;
    /// The greatest ply: a game of 100,000 moves is ordinary, so that 16 bits do not do.
    pub const MAX_PLY: u32 = (1 << 24) - 1;

    /// A posting.
    ///
    /// # Errors
    ///
    /// If the game or the ply is beyond what the format can hold.
    pub fn new(prefix: Prefix, game: u64, ply: u32) -> Result<Self> {
        if game > Self::MAX_GAME {
            return Err(Error::TooLarge { what: "the number of games", limit: Self::MAX_GAME });
        }
        if ply > Self::MAX_PLY {
            return Err(Error::TooLarge { what: "the ply of a position", limit: Self::MAX_PLY.into() });
        }
        Ok(Self::pack(prefix, game, ply))
    }

    #[expect(clippy::cast_possible_truncation, reason = "the low 16 bits are meant")]
    fn pack(prefix: Prefix, game: u64, ply: u32) -> Self {
        let (head, rest) = prefix.halves();
        let tail = u64::from(rest) << 48 | game << 8 | u64::from(ply >> 16);
        Posting { head, tail, low: ply as u16 }
    }

    /// The least posting of a prefix.
    #[must_use]
    pub fn first_of(prefix: Prefix) -> Self {
        Self::pack(prefix, 0, 0)
    }

    /// The greatest posting of a prefix.
    #[must_use]
    pub fn last_of(prefix: Prefix) -> Self {
        Self::pack(prefix, Self::MAX_GAME, Self::MAX_PLY)
    }

    /// The beginning of the position's hash.
    #[must_use]
    pub fn prefix(&self) -> Prefix {
        let mut bytes = [0; 10];
        bytes[..8].copy_from_slice(&self.head.to_be_bytes());
        bytes[8..].copy_from_slice(&self.tail.to_be_bytes()[..2]);
        Prefix(bytes)
    }

    /// The game.
    #[must_use]
    pub const fn game(&self) -> u64 {
        self.tail >> 8 & Self::MAX_GAME
    }

    /// How many half-moves had been played.
    #[must_use]
    pub const fn ply(&self) -> u32 {
        ((self.tail & 0xff) as u32) << 16 | self.low as u32
    }

    /// Whether both are of the same position.
    #[must_use]
    pub const fn same_position(&self, other: &Posting) -> bool {
        self.head == other.head && self.tail >> 48 == other.tail >> 48
    }

    const fn hash(&self) -> u128 {
        (self.head as u128) << 16 | (self.tail >> 48) as u128
    }
}

impl fmt::Debug for Posting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} game {} ply {}", self.prefix(), self.game(), self.ply())
    }
}

/// How many bytes a number needs.
const fn width(value: u64) -> usize {
    (64 - value.leading_zeros() as usize).div_ceil(8)
}

/// Appends the lowest `len` bytes of a number.
fn put_le(out: &mut Vec<u8>, value: u64, len: usize) {
    out.extend_from_slice(&value.to_le_bytes()[..len]);
}

/// Stored as one byte of widths and then three numbers, little endian: the distance of the prefix from the one before,
/// the game, the ply. With distance 0 the game is the distance from the game before, and with that 0 as well, so is the ply.
/// The byte: width of the prefix (0 to 8, 15 for all ten bytes) in the low four bits, then two bits width of the game minus
/// two, then two bits width of the ply minus one.
impl Entry for Posting {
    const TREE: Tree = Tree::Postings;
    const KEY_LEN: usize = 18;

    fn write_key(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.head.to_be_bytes());
        out.extend_from_slice(&self.tail.to_be_bytes());
        out.extend_from_slice(&self.low.to_be_bytes());
    }

    #[inline]
    fn encode(&self, previous: Option<&Self>, out: &mut Vec<u8>) {
        let (mut game, mut ply) = (self.game(), u64::from(self.ply()));
        let distance = previous.and_then(|previous| {
            let distance = u64::try_from(self.hash() - previous.hash()).ok()?;
            if distance == 0 {
                game -= previous.game();
                if game == 0 {
                    ply -= u64::from(previous.ply());
                }
            }
            Some(distance)
        });
        let game_width = width(game).max(2);
        let ply_width = width(ply).max(1);
        #[expect(clippy::cast_possible_truncation, reason = "both widths fit in two bits")]
        let widths = ((game_width - 2) << 4 | (ply_width - 1) << 6) as u8;
        #[expect(clippy::cast_possible_truncation, reason = "at most eight")]
        if let Some(distance) = distance {
            let prefix_width = width(distance);
            out.push(widths | prefix_width as u8);
            put_le(out, distance, prefix_width);
        } else {
            out.push(widths | 15);
            out.extend_from_slice(&self.prefix().0);
        }
        put_le(out, game, game_width);
        put_le(out, ply, ply_width);
    }

    #[inline]
    fn decode(previous: Option<&Self>, input: &mut Cursor<'_>) -> Option<Self> {
        let widths = input.byte()?;
        let (mut hash, mut repeated) = (0, false);
        match widths & 15 {
            15 => {
                let (head, rest) = Prefix(input.array()?).halves();
                hash = u128::from(head) << 16 | u128::from(rest);
            }
            len @ 0..=8 => {
                let distance = input.le(len.into())?;
                repeated = distance == 0;
                hash += previous?.hash() + u128::from(distance);
            }
            _ => return None,
        }
        let mut game = input.le(usize::from(widths >> 4 & 3) + 2)?;
        let mut ply = input.le(usize::from(widths >> 6) + 1)?;
        if repeated {
            let previous = previous?;
            if game == 0 {
                ply += u64::from(previous.ply());
            }
            game += previous.game();
        }
        let in_range = hash >> 80 == 0 && game <= Self::MAX_GAME && ply <= u64::from(Self::MAX_PLY);
        #[expect(clippy::cast_possible_truncation, reason = "the fields were checked")]
        in_range.then_some(Posting {
            head: (hash >> 16) as u64,
            tail: (hash as u64 & 0xffff) << 48 | game << 8 | ply >> 16,
            low: ply as u16,
        })
    }

    fn order(&self, other: &Self) -> std::cmp::Ordering {
        self.cmp(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_posting() -> impl Strategy<Value = Posting> {
        let prefix =
            prop_oneof![any::<[u8; 10]>(), (0..4_u8).prop_map(|low| [0, 0, 0, 0, 0, 0, 0, 0, 0, low])];
        let game = prop_oneof![0..=Posting::MAX_GAME, 0..300_u64];
        let ply = prop_oneof![0..=Posting::MAX_PLY, 0..300_u32];
        (prefix, game, ply).prop_map(|(prefix, game, ply)| Posting::new(Prefix(prefix), game, ply).unwrap())
    }

    proptest! {
        #[test]
        fn sorted_postings_come_back(mut postings in proptest::collection::vec(any_posting(), 0..200)) {
            postings.sort_unstable();
            let (mut bytes, mut previous) = (Vec::new(), None);
            for posting in &postings {
                posting.encode(previous, &mut bytes);
                previous = Some(posting);
            }
            let (mut cursor, mut previous) = (Cursor::new(&bytes), None);
            for posting in &postings {
                let read = Posting::decode(previous.as_ref(), &mut cursor);
                prop_assert_eq!(read, Some(*posting));
                previous = read;
            }
            prop_assert!(cursor.is_empty());
        }

        #[test]
        fn the_order_of_keys_is_the_order_of_postings(a in any_posting(), b in any_posting()) {
            let key = |posting: &Posting| { let mut key = Vec::new(); posting.write_key(&mut key); key };
            prop_assert_eq!(key(&a).cmp(&key(&b)), a.cmp(&b));
            prop_assert_eq!(key(&a).len(), Posting::KEY_LEN);
            prop_assert_eq!(Posting::new(a.prefix(), a.game(), a.ply()).unwrap(), a);
        }

        #[test]
        fn any_bytes_decode_without_panic(bytes: Vec<u8>, previous in any_posting()) {
            let mut cursor = Cursor::new(&bytes);
            let mut previous = Some(previous);
            while let Some(posting) = Posting::decode(previous.as_ref(), &mut cursor) {
                previous = Some(posting);
            }
        }
    }

    #[test]
    fn a_range_of_digits_holds_exactly_the_hashes_that_begin_so() {
        let digest = Digest::of(b"abc");
        let text = digest.to_string();
        for digits in 1..=40 {
            let (low, high) = Prefix::range(&text[..digits].parse().unwrap());
            assert!(low <= Prefix::of(&digest) && Prefix::of(&digest) <= high, "{digits}");
            assert_eq!(low == high, digits >= 20, "{digits}");
        }
        let (low, high) = Prefix::range(&"abc".parse().unwrap());
        assert_eq!(
            (low.to_string(), high.to_string()),
            (format!("abc{:0<17}", ""), format!("abc{:f<17}", ""))
        );
    }
}
