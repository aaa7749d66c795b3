//! Sixteen texts side by side, one in each lane of a vector (FIPS 180-4, section 6.1.2).
#![expect(
    clippy::inline_always,
    reason = "what is made for a processor must stand inside of what is called for it"
)]
#![expect(clippy::many_single_char_names, reason = "the names of the standard")]

use fearless_simd::prelude::*;
use fearless_simd::x86::{Avx2, Avx512};
use fearless_simd::{Level, u8x64, u32x16};

use crate::Digest;
use crate::digest_chain::{BLOCK, START, digest_of};

const LANES: usize = 16;

/// With fewer texts it takes less time to hash them one by one.
pub(super) const ENOUGH: usize = 8;

/// A number for each lane.
type Lanes = [u32; LANES];

/// What a processor has that is longer than what SHA-1 of one text can use.
#[derive(Clone, Copy, Debug)]
pub(super) enum Processor {
    Avx2(Avx2),
    Avx512(Avx512),
}

impl Processor {
    /// What this one has. It is found out once.
    pub(super) fn detect() -> Option<Self> {
        let level = Level::new();
        level.as_avx512().map(Processor::Avx512).or_else(|| level.as_avx2().map(Processor::Avx2))
    }

    /// The digests of up to sixteen texts, each in blocks.
    pub(super) fn digest_all<'a>(
        self,
        texts: impl Iterator<Item = &'a [[u8; BLOCK]]>,
        digests: &mut [Digest],
    ) {
        let mut all: [&[[u8; BLOCK]]; LANES] = [&[]; LANES];
        all.iter_mut().zip(texts).for_each(|(lane, text)| *lane = text);
        let most = all.iter().map(|text| text.len()).max().unwrap_or(0);
        let mut state = START.map(|word| [word; LANES]);
        for number in 0..most {
            let blocks = all.map(|text| text.get(number).unwrap_or(&[0; BLOCK]));
            match self {
                Processor::Avx2(simd) => compress(simd, &mut state, &blocks),
                Processor::Avx512(simd) => compress(simd, &mut state, &blocks),
            }
            // What goes on in lanes whose texts have ended does not matter.
            for ((lane, text), digest) in all.iter().enumerate().zip(&mut *digests) {
                if text.len() == number + 1 {
                    *digest = digest_of(state.map(|word| word[lane]));
                }
            }
        }
    }
}

/// One block in each lane.
#[inline(always)]
fn compress<S: Simd>(simd: S, state: &mut [Lanes; 5], blocks: &[&[u8; BLOCK]; LANES]) {
    simd.vectorize(
        #[inline(always)]
        || {
            let mut words = words_of(simd, blocks);
            let mut now = state.map(|word| u32x16::simd_from(simd, word));
            // Written out, so that every word has a place of its own; where nothing is optimised, so many
            // places would take more than the stack of a thread.
            #[cfg(not(debug_assertions))]
            {
                macro_rules! rounds {
                    ($($number:literal)*) => {$( now = round($number, &mut words, now); )*};
                }
                rounds!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
                rounds!(20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39);
                rounds!(40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59);
                rounds!(60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79);
            }
            #[cfg(debug_assertions)]
            for number in 0..80 {
                now = round(number, &mut words, now);
            }
            for (word, more) in state.iter_mut().zip(now) {
                *word = (u32x16::simd_from(simd, *word) + more).into();
            }
        },
    );
}

/// One of the eighty rounds.
#[inline(always)]
fn round<S: Simd>(
    number: usize,
    words: &mut [u32x16<S>; 16],
    [a, b, c, d, e]: [u32x16<S>; 5],
) -> [u32x16<S>; 5] {
    let place = number % 16;
    if number >= 16 {
        let (one, two, three) = ((number + 13) % 16, (number + 8) % 16, (number + 2) % 16);
        words[place] = rotate(words[one] ^ words[two] ^ words[three] ^ words[place], 1);
    }
    let mixed = match number / 20 {
        0 => choice(b, c, d) + 0x5a82_7999,
        1 => parity(b, c, d) + 0x6ed9_eba1,
        2 => majority(b, c, d) + 0x8f1b_bcdc,
        _ => parity(b, c, d) + 0xca62_c1d6,
    };
    [rotate(a, 5) + mixed + e + words[place], a, rotate(b, 30), c, d]
}

/// Where the bytes of the words stand, in each four words by themselves.
const LAST_BYTE_FIRST: [u8; BLOCK] = {
    let mut order = [0; BLOCK];
    let mut at = 0_u8;
    while (at as usize) < BLOCK {
        order[at as usize] = (at % 16) ^ 3;
        at += 1;
    }
    order
};

/// The words of blocks: the first of each block, the second of each, and so on.
#[inline(always)]
fn words_of<S: Simd>(simd: S, blocks: &[&[u8; BLOCK]; LANES]) -> [u32x16<S>; 16] {
    let order = u8x64::simd_from(simd, LAST_BYTE_FIRST);
    let mut words: [u32x16<S>; 16] =
        blocks.map(|block| u8x64::simd_from(simd, *block).swizzle_dyn_within_blocks(order).bitcast());
    // Each time, half as many words of a block stand beside each other.
    for _ in 0..LANES.ilog2() {
        let before = words;
        for half in 0..LANES / 2 {
            (words[2 * half], words[2 * half + 1]) = before[half].interleave(before[half + LANES / 2]);
        }
    }
    words
}

#[inline(always)]
fn rotate<S: Simd>(word: u32x16<S>, bits: u32) -> u32x16<S> {
    word << bits | word >> (32 - bits)
}

#[inline(always)]
fn choice<S: Simd>(b: u32x16<S>, c: u32x16<S>, d: u32x16<S>) -> u32x16<S> {
    d ^ b & (c ^ d)
}

#[inline(always)]
fn parity<S: Simd>(b: u32x16<S>, c: u32x16<S>, d: u32x16<S>) -> u32x16<S> {
    b ^ c ^ d
}

#[inline(always)]
fn majority<S: Simd>(b: u32x16<S>, c: u32x16<S>, d: u32x16<S>) -> u32x16<S> {
    b & c | d & (b | c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_stack_is_enough() {
        let thread = std::thread::Builder::new().stack_size(256 << 10);
        thread.spawn(every_kind_of_vector_gives_the_same).unwrap().join().unwrap();
    }

    #[test]
    fn every_kind_of_vector_gives_the_same() {
        let level = Level::new();
        let kinds = [level.as_avx2().map(Processor::Avx2), level.as_avx512().map(Processor::Avx512)];
        for processor in kinds.into_iter().flatten() {
            let texts: Vec<Vec<[u8; BLOCK]>> = (0..LANES)
                .map(|lane| (0..=lane % 7).map(|block| [b"abcdefghij"[(lane + block) % 10]; BLOCK]).collect())
                .collect();
            let mut digests = [Digest([0; 20]); LANES];
            processor.digest_all(texts.iter().map(Vec::as_slice), &mut digests);
            for (text, digest) in texts.iter().zip(digests) {
                let mut state = START;
                sha1::block_api::compress(&mut state, text);
                assert_eq!(digest, digest_of(state), "{processor:?}");
            }
        }
    }
}
