//! Short texts that are put together before they are appended: one check of room instead of one for every byte.

/// Room for a piece on its square or a move with coordinates within `i64`.
const ROOM: usize = 96;

/// The least number with a text of its own.
const LEAST: i64 = -99;

/// The texts of the numbers up to 999, each with its length.
static NUMBERS: [[u8; 4]; 1099] = {
    let mut numbers = [[0; 4]; 1099];
    let (mut place, mut value) = (0, LEAST);
    while place < numbers.len() {
        numbers[place] = text_of(value);
        (place, value) = (place + 1, value + 1);
    }
    numbers
};

/// The digits of a number, with its sign, and how many bytes these are.
const fn text_of(value: i64) -> [u8; 4] {
    let mut text = [0; 4];
    let mut rest = value.unsigned_abs();
    // The last digit first, and the others moved up before each.
    loop {
        text = [b'0' + (rest % 10).to_le_bytes()[0], text[0], text[1], text[3] + 1];
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if value < 0 {
        text = [b'-', text[0], text[1], text[3] + 1];
    }
    text
}

/// The text of a number that has one of its own: digits, some of which may not count, and how many do.
#[inline]
fn known(value: i64) -> Option<(&'static [u8; 3], usize)> {
    let place = usize::try_from(value.wrapping_sub(LEAST)).ok()?;
    let [digits @ .., length] = NUMBERS.get(place)?;
    Some((digits, usize::from(*length)))
}

/// Appends a number to a text.
#[inline]
pub(crate) fn append_number(out: &mut Vec<u8>, value: i64) {
    if let Some((digits, length)) = known(value) {
        // All of them are appended and those that count are kept: that takes no call.
        out.extend_from_slice(digits);
        out.truncate(out.len() - (digits.len() - length));
    } else {
        out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
    }
}

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

    /// Appends a number: most coordinates of most boards have few digits.
    #[inline]
    pub(crate) fn number(&mut self, value: i64) {
        let Some((digits, length)) = known(value) else { return self.long_number(value) };
        // All of them are written and those that count are kept: that takes no branch.
        self.bytes[self.len..][..digits.len()].copy_from_slice(digits);
        self.len += length;
    }

    #[inline(never)]
    fn long_number(&mut self, value: i64) {
        let mut buffer = itoa::Buffer::new();
        let digits = buffer.format(value).as_bytes();
        self.bytes[self.len..self.len + digits.len()].copy_from_slice(digits);
        self.len += digits.len();
    }

    /// Appends the text. Most are copied as a whole of fixed length, which is cut then: that takes no call.
    #[inline]
    pub(crate) fn append_to(&self, out: &mut Vec<u8>) {
        const USUAL: usize = 32;
        if self.len <= USUAL {
            out.extend_from_slice(&self.bytes[..USUAL]);
            out.truncate(out.len() - (USUAL - self.len));
        } else {
            out.extend_from_slice(&self.bytes[..self.len]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_everybody_writes_them() {
        for value in (-1_200..1_200).chain([i64::MIN, i64::MAX]) {
            let mut short = Short::new();
            short.number(value);
            short.push(b',');
            let mut out = Vec::new();
            short.append_to(&mut out);
            append_number(&mut out, value);
            assert_eq!(String::from_utf8(out).unwrap(), format!("{value},{value}"));
        }
    }
}
