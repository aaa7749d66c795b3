//! Digests of many short texts at once.

#[cfg(target_arch = "x86_64")]
mod lanes;

use sha1::block_api::compress;

use crate::Digest;
use crate::digest_chain::{BLOCK, START, digest_of, padded};

/// SHA-1 of texts that were put together, in the order in which they came. Processors with long vectors take
/// several at a time.
///
/// ```
/// use boardprint_base::{Digest, DigestBatch};
/// let mut batch = DigestBatch::new();
/// batch.push(b"one");
/// batch.push(b"two");
/// let mut digests = Vec::new();
/// batch.take(|digest| digests.push(digest));
/// assert_eq!(digests, [Digest::of(b"one"), Digest::of(b"two")]);
/// assert!(batch.is_empty());
/// ```
#[derive(Clone, Debug, Default)]
pub struct DigestBatch {
    /// The blocks of all texts, one text after another, with what SHA-1 adds to each.
    blocks: Vec<[u8; BLOCK]>,
    /// Where the blocks of each text end.
    ends: Vec<usize>,
}

impl DigestBatch {
    /// How many texts are worth waiting for.
    pub const FULL: usize = 16;

    /// A batch without texts.
    #[must_use]
    pub const fn new() -> Self {
        DigestBatch { blocks: Vec::new(), ends: Vec::new() }
    }

    /// Whether there is no text.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Whether there are so many texts that it is time to take their digests.
    #[inline]
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.ends.len() >= Self::FULL
    }

    /// Adds a text.
    pub fn push(&mut self, text: &[u8]) {
        let (whole, rest) = text.as_chunks();
        self.blocks.extend_from_slice(whole);
        // The rest, a one bit, zeros, and the length in bits.
        let mut tail = [0; 2 * BLOCK];
        tail[..rest.len()].copy_from_slice(rest);
        tail[rest.len()] = 0x80;
        let size = padded(rest.len());
        tail[size - 8..size].copy_from_slice(&(text.len() as u64 * 8).to_be_bytes());
        self.blocks.extend_from_slice(tail[..size].as_chunks().0);
        self.ends.push(self.blocks.len());
    }

    /// Adds the first `len` bytes of a buffer, after which stands what
    /// [`DigestChain::pad`](crate::DigestChain::pad) wrote.
    ///
    /// # Panics
    ///
    /// If the buffer is too short for that.
    #[inline]
    pub fn push_padded(&mut self, buffer: &[u8], len: usize) {
        self.blocks.extend_from_slice(buffer[..padded(len)].as_chunks().0);
        self.ends.push(self.blocks.len());
    }

    /// Hands on the digest of each text, and forgets the texts.
    #[inline]
    pub fn take(&mut self, mut each: impl FnMut(Digest)) {
        let mut from = 0;
        for ends in self.ends.chunks(Self::FULL) {
            let mut digests = [Digest([0; 20]); Self::FULL];
            digest_all(&self.blocks, from, ends, &mut digests);
            digests[..ends.len()].iter().for_each(|digest| each(*digest));
            from = ends.last().copied().unwrap_or(from);
        }
        self.blocks.clear();
        self.ends.clear();
    }
}

/// The digests of up to [`DigestBatch::FULL`] texts: their blocks, where the first one begins, and where each
/// ends.
fn digest_all(blocks: &[[u8; BLOCK]], from: usize, ends: &[usize], digests: &mut [Digest]) {
    let starts = std::iter::once(&from).chain(ends);
    let texts = starts.zip(ends).map(|(start, end)| &blocks[*start..*end]);
    #[cfg(target_arch = "x86_64")]
    if ends.len() >= lanes::ENOUGH
        && let Some(processor) = lanes::Processor::detect()
    {
        return processor.digest_all(texts, digests);
    }
    for (text, digest) in texts.zip(digests) {
        let mut state = START;
        compress(&mut state, text);
        *digest = digest_of(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DigestChain;

    /// Texts of all lengths around the ends of blocks.
    fn texts(count: usize) -> Vec<Vec<u8>> {
        let text = |n: usize| (0..n * 37 % 331).map(|at| b"abcdefghijk"[(at * 7 + n) % 11]).collect();
        (0..count).map(text).collect()
    }

    #[test]
    fn batches_of_any_size_have_the_digests_of_their_texts() {
        let mut batch = DigestBatch::new();
        for count in 0..70 {
            let texts = texts(count);
            for (number, text) in texts.iter().enumerate() {
                if number % 2 == 0 {
                    batch.push(text);
                } else {
                    let mut buffer = [&text[..], &[1; DigestChain::ROOM]].concat();
                    DigestChain::pad(&mut buffer, text.len());
                    batch.push_padded(&buffer, text.len());
                }
            }
            assert_eq!(batch.is_full(), count >= DigestBatch::FULL);
            let mut digests = Vec::new();
            batch.take(|digest| digests.push(digest));
            assert_eq!(digests, texts.iter().map(|text| Digest::of(text)).collect::<Vec<_>>());
            assert!(batch.is_empty());
        }
    }

    #[test]
    fn texts_of_every_length_are_padded() {
        let text: Vec<u8> = (0..300_u16).map(|number| (number % 251) as u8).collect();
        let mut batch = DigestBatch::new();
        (0..text.len()).for_each(|len| batch.push(&text[..len]));
        let mut len = 0;
        batch.take(|digest| {
            assert_eq!(digest, Digest::of(&text[..len]), "{len}");
            len += 1;
        });
        assert_eq!(len, text.len());
    }
}
