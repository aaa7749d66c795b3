//! Values as bytes: the frame of every stored value, and variable-length integers.
//!
//! A value is the format version, a body, and a CRC-32 of the tree, the key, the version and the body. The
//! key is part of the checksum, so that a block in the wrong place is as damaged as one with a flipped bit.
//! CRC-32 was chosen over xxh3: it finds every burst of up to 32 bits for certain, and sled brings the crate
//! already.

use super::engine::Tree;
use super::error::{Error, Result};

/// The format of values in the index.
pub(crate) const FORMAT: u8 = 3;

const CHECKSUM_LEN: usize = 4;

/// A new value, ready for its body.
pub(crate) fn begin(capacity: usize) -> Vec<u8> {
    let mut value = Vec::with_capacity(capacity + 1 + CHECKSUM_LEN);
    value.push(FORMAT);
    value
}

/// Ends a value made by [`begin`] with its checksum.
pub(crate) fn seal(tree: Tree, key: &[u8], mut value: Vec<u8>) -> Vec<u8> {
    let checksum = checksum(tree, key, &value);
    value.extend_from_slice(&checksum.to_le_bytes());
    value
}

/// The body of a stored value, after its checksum and version were verified.
pub(crate) fn open<'a>(tree: Tree, key: &[u8], value: &'a [u8]) -> Result<Cursor<'a>> {
    let Some((body, stored)) = value.split_last_chunk::<CHECKSUM_LEN>() else {
        return Err(Error::damaged(tree, key, "shorter than its checksum"));
    };
    if checksum(tree, key, body) != u32::from_le_bytes(*stored) {
        return Err(Error::damaged(tree, key, "the checksum does not match"));
    }
    match body.split_first() {
        Some((&FORMAT, body)) => Ok(Cursor { rest: body }),
        Some((&other, _)) => Err(Error::OtherFormat { found: other.into(), known: FORMAT.into() }),
        None => Err(Error::damaged(tree, key, "empty")),
    }
}

/// Where the body of a value ends that [`open`] has opened.
pub(crate) const fn body_end(value: &[u8]) -> usize {
    value.len().saturating_sub(CHECKSUM_LEN)
}

fn checksum(tree: Tree, key: &[u8], value: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&[tree as u8]);
    hasher.update(key);
    hasher.update(value);
    hasher.finalize()
}

/// Appends an integer, seven bits a byte, the lowest first.
pub(crate) fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        #[expect(clippy::cast_possible_truncation, reason = "the low bits are meant")]
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    #[expect(clippy::cast_possible_truncation, reason = "below 0x80")]
    out.push(value as u8);
}

/// Appends a length and bytes.
pub(crate) fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_varint(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// Reads what the functions above wrote. Every method gives `None` where the bytes end or make no sense.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    rest: &'a [u8],
}

impl<'a> Cursor<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Cursor { rest: bytes }
    }

    pub(crate) const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(crate) fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(byte)
    }

    pub(crate) fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        Some(taken)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.rest.split_first_chunk::<N>()?;
        self.rest = rest;
        Some(*taken)
    }

    /// A little-endian integer of up to eight bytes.
    pub(crate) fn le(&mut self, len: usize) -> Option<u64> {
        if let Some(word) = self.rest.first_chunk::<8>() {
            // The usual case: one load and a mask.
            let value = u64::from_le_bytes(*word);
            self.rest = &self.rest[len..];
            return Some(if len == 8 { value } else { value & ((1 << (8 * len)) - 1) });
        }
        let mut word = [0; 8];
        word[..len].copy_from_slice(self.take(len)?);
        Some(u64::from_le_bytes(word))
    }

    pub(crate) fn varint(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                return None;
            }
            value |= bits << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    /// A length that is not beyond the rest: each element takes at least one byte.
    pub(crate) fn count(&mut self) -> Option<usize> {
        let count = usize::try_from(self.varint()?).ok()?;
        (count <= self.rest.len()).then_some(count)
    }

    pub(crate) fn bytes(&mut self) -> Option<&'a [u8]> {
        let len = self.count()?;
        self.take(len)
    }

    pub(crate) fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.bytes()?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_flipped_bit_anywhere_is_found() {
        let mut value = begin(3);
        value.extend_from_slice(b"abc");
        let value = seal(Tree::Counts, b"key", value);
        assert_eq!(open(Tree::Counts, b"key", &value).unwrap().rest(), b"abc");
        for bit in 0..value.len() * 8 {
            let mut bad = value.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            assert!(open(Tree::Counts, b"key", &bad).unwrap_err().is_damage(), "bit {bit}");
        }
        assert!(open(Tree::Counts, b"kez", &value).is_err(), "the key is part of the checksum");
        assert!(open(Tree::Words, b"key", &value).is_err(), "the tree is part of the checksum");
    }

    #[test]
    fn another_format_is_named() {
        let value = seal(Tree::Meta, b"", vec![FORMAT + 1]);
        assert!(matches!(open(Tree::Meta, b"", &value), Err(Error::OtherFormat { found: 4, known: 3 })));
    }

    proptest! {
        #[test]
        fn varints_come_back(values: Vec<u64>) {
            let mut bytes = Vec::new();
            for value in &values {
                put_varint(&mut bytes, *value);
            }
            let mut cursor = Cursor::new(&bytes);
            for value in values {
                prop_assert_eq!(cursor.varint(), Some(value));
            }
            prop_assert!(cursor.is_empty());
        }

        #[test]
        fn any_bytes_read_as_varints_without_panic(bytes: Vec<u8>) {
            let mut cursor = Cursor::new(&bytes);
            while cursor.varint().is_some() {}
        }
    }
}
