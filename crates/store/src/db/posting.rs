//! Where a position occurred: the beginning of its hash, the game, the ply, and what a tally needs: the next
//! move and the result.

use std::fmt;

use boardprint_base::{Digest, DigestPrefix, GameResult};

use super::codec::{Cursor, put_bytes};
use super::engine::Tree;
use super::error::{Error, Result};
use super::game::{StoredMove, result_code};
use super::run::Entry;

/// The first ten bytes of a position's hash, by which postings are kept.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Prefix(pub [u8; 10]);

/// A place where a position occurred. The order is that of prefix, game, ply.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Posting {
    /// The first 64 bits of the prefix.
    head: u64,
    /// 16 bits of the prefix, 40 of the game, the upper 8 of the ply.
    tail: u64,
    /// The lower 16 bits of the ply.
    low: u16,
    /// The result in the low two bits, and above them what `step` is.
    flags: u8,
    /// Sixteen bits of a finite game, if it is a word.
    word: u16,
    /// A packed move of the unbounded board, if it is squares. Thin, because batches of millions are sorted.
    squares: Option<Box<Box<[u8]>>>,
}

/// What followed: flags above the result.
const WORD: u8 = 4;
const SQUARES: u8 = 8;

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

    /// The first 64 bits.
    #[inline]
    pub(crate) fn rank(&self) -> u64 {
        self.halves().0
    }

    /// The prefix as a number.
    pub(crate) fn number(&self) -> u128 {
        let (head, rest) = self.halves();
        u128::from(head) << 16 | u128::from(rest)
    }

    /// The next prefix in order; `None` after the last.
    #[must_use]
    pub fn next(self) -> Option<Self> {
        let mut bytes = self.0;
        for byte in bytes.iter_mut().rev() {
            *byte = byte.wrapping_add(1);
            if *byte != 0 {
                return Some(Prefix(bytes));
            }
        }
        None
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
        Posting { head, tail, low: ply as u16, flags: 3, word: 0, squares: None }
    }

    /// Another position of the same finite game, up to the ply that this one has, and the bits of the move
    /// that followed.
    #[inline]
    pub(crate) fn earlier(&self, prefix: Prefix, ply: u32, next: Option<u16>) -> Self {
        let step = if next.is_some() { WORD } else { 0 };
        let flags = self.flags & 3 | step;
        Posting { flags, word: next.unwrap_or(0), ..Self::pack(prefix, self.game(), ply) }
    }

    /// The posting with what followed: a move, packed, or nothing where the game ended; and how the game ended.
    #[must_use]
    pub fn followed_by(mut self, next: Option<&StoredMove>, result: GameResult) -> Self {
        self.flags = result_code(result);
        match next {
            None => {}
            Some(StoredMove::Finite(bits)) => {
                self.flags |= WORD;
                self.word = *bits;
            }
            Some(step) => {
                self.flags |= SQUARES;
                self.squares = Some(Box::new(step.pack()));
            }
        }
        self
    }

    /// The move that followed; `None` where the game ended.
    #[must_use]
    pub fn next_move(&self) -> Option<StoredMove> {
        if self.flags & WORD != 0 {
            return Some(StoredMove::Finite(self.word));
        }
        self.squares.as_ref().and_then(|packed| StoredMove::unpack(packed))
    }

    /// How the game ended.
    #[must_use]
    pub const fn result(&self) -> GameResult {
        GameResult::ALL[self.result_code()]
    }

    pub(crate) const fn result_code(&self) -> usize {
        self.flags as usize & 3
    }

    /// Calls with the packed move, which is empty where the game ended.
    pub(crate) fn with_step<T>(&self, work: impl FnOnce(&[u8]) -> T) -> T {
        if self.flags & WORD != 0 {
            return work(&self.word.to_le_bytes());
        }
        work(self.squares.as_ref().map_or(&[], |packed| packed))
    }

    /// The bits of the move that followed, in a finite game.
    #[inline]
    pub(crate) fn word(&self) -> Option<u16> {
        (self.flags & WORD != 0).then_some(self.word)
    }

    fn same_step(&self, other: &Self) -> bool {
        self.flags >> 2 == other.flags >> 2 && self.word == other.word && self.squares == other.squares
    }

    /// A number for all that the posting says, by two multiplications of which the upper halves count too.
    /// Whoever does not know the key cannot make postings whose numbers have the sum of others.
    #[inline]
    pub(crate) fn sum(&self, key: &[u64; 4]) -> u128 {
        let squares = self.squares.as_ref().map_or(0, |packed| crc32fast::hash(packed));
        let rest = u64::from(self.low) << 48
            | u64::from(self.word) << 32
            | u64::from(squares).rotate_left(8)
            | u64::from(self.flags);
        let place = u128::from(self.head ^ key[0]) * u128::from(self.tail ^ key[1]);
        #[expect(clippy::cast_possible_truncation, reason = "both halves are taken")]
        let all = (place >> 64) as u64 ^ place as u64 ^ rest;
        u128::from(all ^ key[2]) * u128::from(all.rotate_left(32) ^ key[3])
    }

    const fn key(&self) -> (u64, u64, u16) {
        (self.head, self.tail, self.low)
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

    /// One of the first eight bytes of the position's hash.
    #[inline]
    pub(crate) const fn hash_byte(&self, byte: usize) -> u8 {
        self.head.to_be_bytes()[byte]
    }

    /// How far the hash is from that of a posting before it, if 64 bits hold that.
    #[inline]
    const fn distance_from(&self, previous: &Self) -> Option<u64> {
        let (heads, rest, before) = (self.head - previous.head, self.tail >> 48, previous.tail >> 48);
        // Nearly always. One bit is left free, so that nothing overflows, whichever rest is larger.
        if heads < 1 << 47 {
            return Some((heads << 16 | rest).wrapping_sub(before));
        }
        let distance = self.hash() - previous.hash();
        #[expect(clippy::cast_possible_truncation, reason = "it was compared")]
        if distance >> 64 == 0 { Some(distance as u64) } else { None }
    }

    /// The beginning of the hash as a number.
    pub(crate) const fn hash(&self) -> u128 {
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

/// The bytes of one posting, where they are wanted: a whole word is written each time, of which some bytes
/// count.
struct Bytes<'a> {
    room: &'a mut [u8; Bytes::ROOM],
    len: usize,
}

impl Bytes<'_> {
    /// More than any posting takes, and a word.
    const ROOM: usize = 40;

    /// The lowest `len` bytes of a number.
    #[inline]
    fn le(&mut self, value: u64, len: usize) {
        self.room[self.len..self.len + 8].copy_from_slice(&value.to_le_bytes());
        self.len += len;
    }
}

impl Ord for Posting {
    #[inline]
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for Posting {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// How the distance of the prefix is written: bytes by code. Code 0 is the same position with the same move
/// as before, 1 the same position with another move, 6 all ten bytes, 7 an escape: the next byte has the
/// code, and that the move is none (0) or squares (1).
const PREFIX_BYTES: [usize; 6] = [0, 0, 5, 6, 7, 8];
const SAME: u8 = 0;
const SAME_POSITION: u8 = 1;
const FULL: u8 = 6;
const ESCAPE: u8 = 7;
/// Widths of a game number, and of the distance from the game before where the position is the same.
const GAME_BYTES: [usize; 4] = [2, 3, 4, 5];
const DISTANCE_BYTES: [usize; 4] = [1, 2, 3, 5];

/// The codes by the width of a number in bytes.
const PREFIX_CODES: [u8; 9] = [SAME_POSITION, 2, 2, 2, 2, 2, 3, 4, 5];
const GAME_CODES: [u8; 9] = [0, 0, 0, 1, 2, 3, 3, 3, 3];
const DISTANCE_CODES: [u8; 9] = [0, 0, 1, 2, 3, 3, 3, 3, 3];

const fn game_bytes(code: u8) -> [usize; 4] {
    if code <= SAME_POSITION { DISTANCE_BYTES } else { GAME_BYTES }
}

/// Stored as one byte and then numbers, little endian: the distance of the prefix from the one before, the
/// game, the ply, the move. The byte: code of the prefix (three bits), width of the game (two), result (two),
/// whether the ply takes three bytes (one). With the same position the game is the distance from the game
/// before, and with that 0 as well, so is the ply.
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
        let distance = previous.and_then(|previous| self.distance_from(previous));
        let mut code = distance.map_or(FULL, |distance| PREFIX_CODES[width(distance)]);
        if code == SAME_POSITION
            && let Some(previous) = previous
        {
            game -= previous.game();
            if game == 0 {
                ply -= u64::from(previous.ply());
            }
            if previous.same_step(self) {
                code = SAME;
            }
        }
        let (widths, codes) = if code <= SAME_POSITION {
            (&DISTANCE_BYTES, &DISTANCE_CODES)
        } else {
            (&GAME_BYTES, &GAME_CODES)
        };
        let game_code = codes[width(game)];
        let wide_ply = ply > 0xff;
        let escape = code != SAME && self.flags & WORD == 0;
        let rest = game_code << 3 | (self.flags & 3) << 5 | u8::from(wide_ply) << 7;
        // Room first, and back to what counts at the end: nothing is copied again.
        let at = out.len();
        out.extend_from_slice(&[0; Bytes::ROOM]);
        let Some(room) = out.last_chunk_mut() else { return };
        let mut bytes = Bytes { room, len: 0 };
        bytes.le(u64::from(rest | if escape { ESCAPE } else { code }), 1);
        if escape {
            bytes.le(u64::from(code | u8::from(self.squares.is_some()) << 3), 1);
        }
        match (code, distance) {
            (FULL, _) => {
                bytes.le(self.head.swap_bytes(), 8);
                bytes.le((self.tail >> 48).swap_bytes() >> 48, 2);
            }
            (code, Some(distance)) => bytes.le(distance, PREFIX_BYTES[usize::from(code)]),
            _ => {}
        }
        bytes.le(game, widths[usize::from(game_code)]);
        bytes.le(ply, if wide_ply { 3 } else { 1 });
        if code != SAME && self.flags & WORD != 0 {
            bytes.le(u64::from(self.word), 2);
        }
        let len = bytes.len;
        out.truncate(at + len);
        if code != SAME
            && let Some(packed) = &self.squares
        {
            put_bytes(out, packed);
        }
    }

    #[inline]
    fn decode(previous: Option<&Self>, input: &mut Cursor<'_>) -> Option<Self> {
        let first = input.byte()?;
        let (mut code, mut squares) = (first & 7, None);
        if code == ESCAPE {
            let second = input.byte()?;
            code = second & 7;
            squares = Some(second >> 3 == 1);
            if !(SAME_POSITION..=FULL).contains(&code) || second >> 3 > 1 {
                return None;
            }
        }
        let hash = if code == FULL {
            Prefix(input.array()?).number()
        } else {
            previous?.hash() + u128::from(input.le(PREFIX_BYTES[usize::from(code)])?)
        };
        let mut game = input.le(game_bytes(code)[usize::from(first >> 3 & 3)])?;
        let mut ply = input.le(if first & 0x80 != 0 { 3 } else { 1 })?;
        if code <= SAME_POSITION {
            let previous = previous?;
            if game == 0 {
                ply += u64::from(previous.ply());
            }
            game += previous.game();
        }
        let (mut flags, mut word, mut far) = (first >> 5 & 3, 0, None);
        match squares {
            _ if code == SAME => {
                let previous = previous?;
                flags |= previous.flags & !3;
                (word, far) = (previous.word, previous.squares.clone());
            }
            None => {
                flags |= WORD;
                word = u16::from_le_bytes(input.array()?);
            }
            Some(false) => {}
            Some(true) => {
                let packed = input.bytes()?;
                StoredMove::unpack(packed).filter(|step| !matches!(step, StoredMove::Finite(_)))?;
                flags |= SQUARES;
                far = Some(Box::new(packed.into()));
            }
        }
        let in_range = hash >> 80 == 0 && game <= Self::MAX_GAME && ply <= u64::from(Self::MAX_PLY);
        #[expect(clippy::cast_possible_truncation, reason = "the fields were checked")]
        in_range.then_some(Posting {
            head: (hash >> 16) as u64,
            tail: (hash as u64 & 0xffff) << 48 | game << 8 | ply >> 16,
            low: ply as u16,
            flags,
            word,
            squares: far,
        })
    }

    #[inline]
    fn rank(&self) -> u64 {
        self.head
    }

    #[inline]
    fn order(&self, other: &Self) -> std::cmp::Ordering {
        self.cmp(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardprint_base::Square;
    use proptest::prelude::*;

    #[test]
    fn moves_that_change_places_change_the_sum() {
        let key =
            [0x1234_5678_9abc_def1, 0x0fed_cba9_8765_4321, 0x1357_9bdf_0246_8ace, 0x0a1b_2c3d_4e5f_6071];
        // One position, twice in one game: only the ply and the move differ.
        let at = |ply, word| Posting::first_of(Prefix([7; 10])).earlier(Prefix([7; 10]), ply, Some(word));
        let sum = |one: Posting, two: Posting| one.sum(&key).wrapping_add(two.sum(&key));
        assert_ne!(sum(at(4, 100), at(8, 200)), sum(at(4, 200), at(8, 100)));
        assert_eq!(sum(at(4, 100), at(8, 200)), sum(at(8, 200), at(4, 100)));
    }

    fn any_posting() -> impl Strategy<Value = Posting> {
        let prefix =
            prop_oneof![any::<[u8; 10]>(), (0..4_u8).prop_map(|low| [0, 0, 0, 0, 0, 0, 0, 0, 0, low])];
        let game = prop_oneof![0..=Posting::MAX_GAME, 0..300_u64];
        let ply = prop_oneof![0..=Posting::MAX_PLY, 0..300_u32];
        let far =
            |n: i64| StoredMove::Infinite { from: Square::new(n, 1), to: Square::new(1, n), promotion: None };
        let step = prop_oneof![
            Just(None),
            (0..3_u16).prop_map(|bits| Some(StoredMove::Finite(bits))),
            (-2..2_i64).prop_map(move |n| Some(far(n))),
        ];
        (prefix, game, ply, step, 0..4_usize).prop_map(|(prefix, game, ply, step, result)| {
            let posting = Posting::new(Prefix(prefix), game, ply).unwrap();
            posting.followed_by(step.as_ref(), GameResult::ALL[result])
        })
    }

    proptest! {
        #[test]
        fn sorted_postings_come_back(mut postings in proptest::collection::vec(any_posting(), 0..200)) {
            postings.sort_unstable();
            postings.dedup_by(|a, b| a == b || a.cmp(&b).is_eq());
            let (mut bytes, mut previous) = (Vec::new(), None);
            for posting in &postings {
                posting.encode(previous, &mut bytes);
                previous = Some(posting);
            }
            let (mut cursor, mut previous) = (Cursor::new(&bytes), None);
            for posting in &postings {
                let read = Posting::decode(previous.as_ref(), &mut cursor);
                prop_assert_eq!(read.as_ref(), Some(posting));
                let moves = read.as_ref().map(|read| (read.next_move(), read.result()));
                prop_assert_eq!(moves, Some((posting.next_move(), posting.result())));
                previous = read;
            }
            prop_assert!(cursor.is_empty());
        }

        #[test]
        fn the_order_of_keys_is_the_order_of_postings(a in any_posting(), b in any_posting()) {
            let key = |posting: &Posting| { let mut key = Vec::new(); posting.write_key(&mut key); key };
            prop_assert_eq!(key(&a).cmp(&key(&b)), a.cmp(&b));
            prop_assert_eq!(key(&a).len(), Posting::KEY_LEN);
            prop_assert!(Posting::new(a.prefix(), a.game(), a.ply()).unwrap().cmp(&a).is_eq());
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
    fn a_posting_takes_32_bytes_in_memory() {
        assert_eq!(size_of::<Posting>(), 32);
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
