//! Short texts that are put together before they are appended: one check of room instead of one for every byte.

/// Room for a piece on its square or a move with coordinates within `i64`.
const ROOM: usize = 96;

/// A short text. Whoever uses it knows that there is room.
pub(crate) struct Short {
    bytes: [u8; ROOM],
    len: usize,
}

impl Short {
    #[inline]
    pub(crate) fn new() -> Self {
        Short { bytes: [0; ROOM], len: 0 }
    }

    #[inline]
    pub(crate) fn push(&mut self, byte: u8) {
        self.bytes[self.len] = byte;
        self.len += 1;
    }

    /// Appends a number: most coordinates of most boards have one or two digits.
    #[inline]
    pub(crate) fn number(&mut self, value: i64) {
        if value < 0 {
            self.push(b'-');
        }
        match value.unsigned_abs() {
            digit @ 0..=9 => self.push(b'0' + digit.to_le_bytes()[0]),
            two @ 10..=99 => {
                let two = two.to_le_bytes()[0];
                self.push(b'0' + two / 10);
                self.push(b'0' + two % 10);
            }
            more => self.long_number(more),
        }
    }

    #[inline(never)]
    fn long_number(&mut self, value: u64) {
        let mut buffer = itoa::Buffer::new();
        let digits = buffer.format(value).as_bytes();
        self.bytes[self.len..self.len + digits.len()].copy_from_slice(digits);
        self.len += digits.len();
    }

    /// Appends the text. Most are copied as a whole of fixed length, which is cut then: that takes no call.
    #[inline]
    pub(crate) fn append_to(&self, out: &mut Vec<u8>) {
        const USUAL: usize = 16;
        if self.len <= USUAL {
            out.extend_from_slice(&self.bytes[..USUAL]);
            out.truncate(out.len() - (USUAL - self.len));
        } else {
            out.extend_from_slice(&self.bytes[..self.len]);
        }
    }
}
