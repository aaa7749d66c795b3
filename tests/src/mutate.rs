//! Seeds changed at random, the same on every machine.

/// Changes bytes a little. The same number gives the same changes.
pub struct Mutator(u64);

/// What formats are made of, and what breaks them.
const TOKENS: [&str; 48] = [
    "|",
    ",",
    ">",
    "+",
    "=",
    "^",
    "\"",
    "\\",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ":",
    ";",
    "/",
    "-",
    "_",
    ".",
    "\n",
    "\r",
    " ",
    "\t",
    "\0",
    "é",
    "\u{a0}",
    "😀",
    "\u{202e}",
    "\u{feff}",
    "1e999999999",
    "-0",
    "007",
    "9223372036854775807",
    "-9223372036854775809",
    "18446744073709551616",
    "K1,1",
    "--",
    "[A \"b\"]",
    "{a:1}",
    "^*",
    "[1,0]",
    "null",
    "\\ud800",
    "1. e4",
    "@prime",
    "//",
    "\u{1b}[31m",
];

impl Mutator {
    /// A mutator that begins with a number.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Mutator(seed)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % limit.max(1) as u64).unwrap_or(0)
    }

    /// Bytes with a few changes; some of them are pieces of `other`.
    pub fn change(&mut self, bytes: &[u8], other: &[u8]) -> Vec<u8> {
        let mut out = bytes.to_vec();
        for _ in 0..=self.below(4) {
            let at = self.below(out.len() + 1);
            let rest = out.len() - at;
            match self.below(8) {
                0 if rest > 0 => out[at] ^= 1 << self.below(8),
                1 if rest > 0 => out[at] = self.byte(),
                2 => {
                    out.drain(at..at + self.below(rest.min(16) + 1));
                }
                3 => {
                    let piece = out[at..at + self.below(rest.min(32) + 1)].to_vec();
                    let times = 1 + self.below(4);
                    out.splice(at..at, piece.repeat(times));
                }
                4 => {
                    let from = self.below(other.len() + 1);
                    let to = from + self.below((other.len() - from).min(64) + 1);
                    out.splice(at..at, other[from..to].iter().copied());
                }
                5 => out.truncate(at),
                6 => {
                    let digits: Vec<u8> = (0..=self.below(30)).map(|_| b'0' + self.byte() % 10).collect();
                    out.splice(at..at, digits);
                }
                _ => {
                    let token = TOKENS[self.below(TOKENS.len())];
                    out.splice(at..at, token.bytes());
                }
            }
        }
        out
    }

    fn byte(&mut self) -> u8 {
        u8::try_from(self.below(256)).unwrap_or(0)
    }
}
