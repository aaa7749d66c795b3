//! SHA-1 digests and their beginnings.

use std::fmt;
use std::str::FromStr;

#[cfg(feature = "serde")]
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha1::{Digest as _, Sha1};

/// A SHA-1 digest. Its text is 40 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub [u8; 20]);

/// The beginning of a digest, as typed by a person: 1 to 40 hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct DigestPrefix {
    bytes: [u8; 20],
    digits: usize,
}

/// The text is not a digest, or not the beginning of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseDigestError;

impl Digest {
    /// The SHA-1 of some bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Digest(Sha1::digest(bytes).into())
    }

    /// Whether the digest begins with these digits.
    #[must_use]
    pub fn starts_with(&self, prefix: &DigestPrefix) -> bool {
        let whole = prefix.digits / 2;
        self.0[..whole] == prefix.bytes[..whole]
            && (prefix.digits.is_multiple_of(2) || self.0[whole] & 0xf0 == prefix.bytes[whole])
    }
}

impl DigestPrefix {
    /// How many hex digits are known.
    #[must_use]
    pub const fn digits(&self) -> usize {
        self.digits
    }

    /// The least digest that begins this way.
    #[must_use]
    pub const fn first(&self) -> Digest {
        Digest(self.bytes)
    }

    /// The whole digest, if all 40 digits are known.
    #[must_use]
    pub fn whole(&self) -> Option<Digest> {
        (self.digits == 40).then_some(Digest(self.bytes))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0; 40];
        hex::encode_to_slice(self.0, &mut text).expect("the buffer has twice the length");
        f.write_str(std::str::from_utf8(&text).expect("hex is ASCII"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({}…)", hex::encode(&self.0[..4]))
    }
}

impl FromStr for Digest {
    type Err = ParseDigestError;
    fn from_str(text: &str) -> Result<Self, ParseDigestError> {
        let lower = text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        let mut bytes = [0; 20];
        hex::decode_to_slice(text, &mut bytes).map_err(|_| ParseDigestError)?;
        if lower { Ok(Digest(bytes)) } else { Err(ParseDigestError) }
    }
}

impl FromStr for DigestPrefix {
    type Err = ParseDigestError;
    fn from_str(text: &str) -> Result<Self, ParseDigestError> {
        let digits = text.len();
        if !(1..=40).contains(&digits) || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(ParseDigestError);
        }
        let padded = format!("{text:0<40}");
        let mut bytes = [0; 20];
        hex::decode_to_slice(padded, &mut bytes).map_err(|_| ParseDigestError)?;
        Ok(DigestPrefix { bytes, digits })
    }
}

impl fmt::Display for DigestPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.bytes)[..self.digits])
    }
}

impl fmt::Debug for DigestPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DigestPrefix({self})")
    }
}

#[cfg(feature = "serde")]
impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl fmt::Display for ParseDigestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected 40 hex digits of a SHA-1 digest, or the beginning of one")
    }
}

impl std::error::Error for ParseDigestError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_comes_back() {
        let digest = Digest::of(b"abc");
        assert_eq!(digest.to_string(), "a9993e364706816aba3e25717850c26c9cd0d89d");
        assert_eq!(digest.to_string().parse(), Ok(digest));
    }

    #[test]
    fn prefixes_of_odd_length_match() {
        let digest = Digest::of(b"abc");
        for (prefix, matches) in [("a", true), ("a99", true), ("A9993E", true), ("a98", false), ("b", false)]
        {
            assert_eq!(digest.starts_with(&prefix.parse().unwrap()), matches, "{prefix}");
        }
        assert_eq!("".parse::<DigestPrefix>(), Err(ParseDigestError));
        assert_eq!("xyz".parse::<DigestPrefix>(), Err(ParseDigestError));
    }
}
