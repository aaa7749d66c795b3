//! What ICN is made of, byte by byte.
//!
//! The reader and the cutter share it. The cutter sees bytes that need not be UTF-8 and need not be all
//! there, so everything here looks at bytes and says how long something is.

use std::ops::Range;

use boardprint_base::GameResult;

/// The length of the blank with which the text begins: any Unicode `White_Space`.
#[inline]
pub(crate) fn blank(text: &[u8]) -> Option<usize> {
    match text {
        [b' ' | b'\t'..=b'\r', ..] => Some(1),
        [0..=0x7f, ..] | [] => None,
        _ => odd_blank(text),
    }
}

#[cold]
fn odd_blank(text: &[u8]) -> Option<usize> {
    match text {
        [0xc2, 0x85 | 0xa0, ..] => Some(2),
        [0xe1, 0x9a, 0x80, ..]
        | [0xe2, 0x80, 0x80..=0x8a | 0xa8 | 0xa9 | 0xaf, ..]
        | [0xe2, 0x81, 0x9f, ..]
        | [0xe3, 0x80, 0x80, ..] => Some(3),
        _ => None,
    }
}

/// The length of all blanks with which the text begins.
#[inline]
pub(crate) fn blanks(text: &[u8]) -> usize {
    let mut length = 0;
    while let Some(one) = blank(&text[length..]) {
        length += one;
    }
    length
}

/// How many digits the text begins with.
#[inline]
pub(crate) fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|b| b.is_ascii_digit()).count()
}

/// How many letters the text begins with.
#[inline]
pub(crate) fn letters(text: &[u8]) -> usize {
    text.iter().take_while(|b| b.is_ascii_alphabetic()).count()
}

/// Where the parts of a number stand: `-12`, `1e21`, `1.5e+3`.
pub(crate) struct Number {
    pub(crate) negative: bool,
    pub(crate) whole: Range<usize>,
    pub(crate) fraction: Range<usize>,
    /// With its sign.
    pub(crate) exponent: Option<Range<usize>>,
    pub(crate) end: usize,
}

/// The number that a text begins with. A point belongs to it only if an exponent follows: `4.5` is move
/// number 4.
pub(crate) fn number(text: &[u8]) -> Option<Number> {
    let negative = text.first() == Some(&b'-');
    let start = usize::from(negative);
    let point = start + digits(&text[start..]);
    if point == start {
        return None;
    }
    let (fraction, exponent) = exponent(text, point).map_or((point..point, None), |(f, e)| (f, Some(e)));
    let end = exponent.as_ref().map_or(point, |exponent| exponent.end);
    Some(Number { negative, whole: start..point, fraction, exponent, end })
}

/// Fraction and exponent after the whole part of a number, if it has an exponent.
fn exponent(text: &[u8], point: usize) -> Option<(Range<usize>, Range<usize>)> {
    let fraction = match text.get(point) {
        Some(b'.') => point + 1..point + 1 + digits(&text[point + 1..]),
        _ => point..point,
    };
    let has_point = fraction.start > point;
    if has_point && fraction.is_empty() || !matches!(text.get(fraction.end), Some(b'e' | b'E')) {
        return None;
    }
    let start = fraction.end + 1;
    let power = start + usize::from(matches!(text.get(start), Some(b'+' | b'-')));
    let end = power + digits(text.get(power..)?);
    (end > power).then_some((fraction, start..end))
}

/// The length of the square that a text begins with: `x,y`.
pub(crate) fn square(text: &[u8]) -> Option<usize> {
    let comma = number(text)?.end;
    if text.get(comma) != Some(&b',') {
        return None;
    }
    Some(comma + 1 + number(&text[comma + 1..])?.end)
}

/// A piece code with or without a player number that a text begins with, before a coordinate: its length.
pub(crate) fn code_before_coordinate(text: &[u8]) -> Option<usize> {
    let number = digits(text);
    let end = number + letters(&text[number..]);
    let is_code = end > number && matches!(text.get(end), Some(b'0'..=b'9' | b'-' | b'+'));
    (is_code && !is_scientific(text)).then_some(end)
}

/// Whether a text begins with a number with an exponent: the `e` in it is not a piece, its point ends no move
/// number.
pub(crate) fn is_scientific(text: &[u8]) -> bool {
    number(text).is_some_and(|number| number.exponent.is_some())
}

/// Whether a text begins with `>`, or with an `x` that a coordinate follows, blanks aside.
pub(crate) fn begins_with_arrow(text: &[u8]) -> bool {
    let text = &text[blanks(text)..];
    match text.first() {
        Some(b'>') => true,
        Some(b'x') => {
            let arrows = text.iter().take_while(|b| matches!(b, b'x' | b'>')).count();
            let target = &text[arrows..];
            matches!(target.get(blanks(target)), Some(b'0'..=b'9' | b'-'))
        }
        _ => false,
    }
}

/// The result that a text begins with, and its length.
pub(crate) fn result(text: &[u8]) -> Option<(GameResult, usize)> {
    if !matches!(text.first(), Some(b'0' | b'1' | b'*')) {
        return None;
    }
    let mut all = GameResult::ALL.into_iter().map(|result| (result, result.as_str()));
    all.find(|(_, spelling)| text.starts_with(spelling.as_bytes()))
        .map(|(result, spelling)| (result, spelling.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_white_space_of_unicode_is_a_blank() {
        for c in (0..=u32::from(char::MAX)).filter_map(char::from_u32) {
            let mut bytes = [0; 4];
            let text = c.encode_utf8(&mut bytes).as_bytes();
            assert_eq!(blank(text), c.is_whitespace().then_some(text.len()), "{c:?}");
        }
    }

    #[test]
    fn a_number_ends_where_it_cannot_go_on() {
        for (text, end) in [
            ("12", 2),
            ("-0,", 2),
            ("1e21x", 4),
            ("1.5e+3,", 6),
            ("1.5", 1),
            ("1.e5", 1),
            ("1e", 1),
            ("1e+", 1),
            ("1E-2", 4),
        ] {
            assert_eq!(number(text.as_bytes()).map(|number| number.end), Some(end), "{text}");
        }
        for text in ["", "-", "+1", "e5", ",1"] {
            assert!(number(text.as_bytes()).is_none(), "{text}");
        }
    }
}
