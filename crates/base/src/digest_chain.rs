//! Digests of texts that begin alike.

use sha1::block_api::compress;

use crate::Digest;

/// The bytes that SHA-1 takes in one step.
pub(crate) const BLOCK: usize = 64;
/// This many blocks are remembered. Longer texts are hashed as well, from the last of these on.
const KEPT: usize = 8;
/// What SHA-1 starts with (FIPS 180-4, section 5.3.1).
pub(crate) const START: [u32; 5] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];

/// SHA-1 of one text after another, each much like the last: it goes on from the first block of 64 bytes that
/// changed.
///
/// ```
/// use boardprint_base::{Digest, DigestChain};
/// let mut chain = DigestChain::new();
/// let (one, two) = ([b'a'; 100], [&[b'a'; 70][..], b"bcd"].concat());
/// assert_eq!(chain.digest(&one), Digest::of(&one));
/// chain.changed_from(70);
/// assert_eq!(chain.digest(&two), Digest::of(&two));
/// ```
#[derive(Clone, Debug)]
pub struct DigestChain {
    /// The state before each block.
    states: [[u32; 5]; KEPT + 1],
    /// How many blocks the states are known for.
    known: usize,
}

impl DigestChain {
    /// A chain without a text yet.
    #[must_use]
    pub const fn new() -> Self {
        DigestChain { states: [START; KEPT + 1], known: 0 }
    }

    /// Says that the next text is as the last one up to this byte.
    #[inline]
    pub fn changed_from(&mut self, byte: usize) {
        self.known = self.known.min(byte / BLOCK);
    }

    /// The SHA-1 of a text. It must begin as the last one did, up to what [`DigestChain::changed_from`] said.
    #[must_use]
    pub fn digest(&mut self, text: &[u8]) -> Digest {
        let mut buffer = [text, &[0; Self::ROOM]].concat();
        Self::pad(&mut buffer, text.len());
        self.digest_padded(&buffer, text.len())
    }

    /// How many bytes [`DigestChain::pad`] needs after a text.
    pub const ROOM: usize = BLOCK + 8;

    /// Writes after the first `len` bytes of a buffer what SHA-1 adds to a text.
    ///
    /// # Panics
    ///
    /// If there are fewer than [`DigestChain::ROOM`] bytes after the text.
    #[inline]
    pub fn pad(buffer: &mut [u8], len: usize) {
        // A one bit, zeros, and the length in bits.
        let mut padding = [0; Self::ROOM];
        padding[0] = 0x80;
        buffer[len..len + Self::ROOM].copy_from_slice(&padding);
        let size = padded(len);
        buffer[size - 8..size].copy_from_slice(&(len as u64 * 8).to_be_bytes());
    }

    /// [`DigestChain::digest`] of the first `len` bytes of a buffer, after which stands what
    /// [`DigestChain::pad`] wrote: nothing is copied.
    ///
    /// # Panics
    ///
    /// If the buffer is too short for that.
    #[inline]
    #[must_use]
    pub fn digest_padded(&mut self, buffer: &[u8], len: usize) -> Digest {
        let size = padded(len);
        let blocks = buffer[..size].as_chunks::<BLOCK>().0;
        let whole = len / BLOCK;
        let known = self.known.min(whole);
        let mut state = self.states[known];
        for (number, block) in (known + 1..).zip(&blocks[known..whole]) {
            compress(&mut state, std::slice::from_ref(block));
            if let Some(kept) = self.states.get_mut(number) {
                *kept = state;
            }
        }
        self.known = whole.min(KEPT);
        compress(&mut state, &blocks[whole..]);
        digest_of(state)
    }
}

/// How many bytes a text has together with what SHA-1 adds to it.
#[inline]
pub(crate) const fn padded(len: usize) -> usize {
    (len + 9).next_multiple_of(BLOCK)
}

/// The digest that a state stands for.
#[inline]
pub(crate) fn digest_of(state: [u32; 5]) -> Digest {
    let mut digest = [0; 20];
    for (bytes, word) in digest.as_chunks_mut().0.iter_mut().zip(state) {
        *bytes = word.to_be_bytes();
    }
    Digest(digest)
}

impl Default for DigestChain {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_any_length_have_their_digest() {
        let text: Vec<u8> = (0..1200_u16).map(|number| (number % 251) as u8).collect();
        for len in 0..text.len() {
            assert_eq!(DigestChain::new().digest(&text[..len]), Digest::of(&text[..len]), "{len}");
        }
    }

    #[test]
    fn changes_anywhere_are_seen() {
        let mut text = vec![b'.'; 700];
        let mut chain = DigestChain::new();
        assert_eq!(chain.digest(&text), Digest::of(&text));
        let mut seed = 1_usize;
        for _ in 0..2000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (at, len) = ((seed >> 33) % text.len(), (seed >> 20) % 5);
            // A few bytes go or come, so that the text grows and shrinks over the edges of blocks.
            let gone = text.len().min(at + len);
            let come = if text.len() < 600 { 5 } else { (seed >> 40) % 5 };
            text.splice(at..gone, std::iter::repeat_n(seed.to_le_bytes()[3], come));
            chain.changed_from(at);
            assert_eq!(chain.digest(&text), Digest::of(&text));
        }
    }
}
