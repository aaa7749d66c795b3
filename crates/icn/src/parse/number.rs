//! Numbers: coordinates and counters.

use boardprint_base::{Coord, Square, Whole, whole_digits};

use nom::Parser;
use nom::sequence::separated_pair;

use super::cursor::{Cursor, PResult, broken, expected, fail, needed};
use super::strict::Feature;
use crate::error::{IcnErrorKind, Limited, Rule};
use crate::lex;
use crate::warning::WarningKind;

/// How many digits a number in plain spelling may have: they always fit an `i64`.
pub(crate) const PLAIN_DIGITS: usize = 18;

/// The number at a byte in plain spelling, and the byte after it: a sign, up to 18 digits, no leading zero.
///
/// Everything that nearly every text consists of. Whatever is unusual gives `None` and goes through [`coord`].
#[inline]
fn plain(bytes: &[u8], at: usize) -> Option<(i64, usize)> {
    let negative = *bytes.get(at)? == b'-';
    let first = at + usize::from(negative);
    let mut value = i64::from(bytes.get(first)?.wrapping_sub(b'0'));
    let mut end = first + 1;
    match value {
        0 if negative => return None,
        0 => {}
        1..=9 => {
            while let Some(digit @ b'0'..=b'9') = bytes.get(end) {
                value = value.wrapping_mul(10).wrapping_add(i64::from(digit - b'0'));
                end += 1;
            }
        }
        _ => return None,
    }
    (end - first <= PLAIN_DIGITS).then(|| (if negative { -value } else { value }, end))
}

/// Whether a number may go on at a byte after its plain digits.
#[inline]
fn goes_on(bytes: &[u8], at: usize) -> bool {
    matches!(bytes.get(at), Some(b'0'..=b'9' | b'.' | b'e' | b'E'))
}

/// The column and row of the square at a byte in plain spelling, and the byte after it.
///
/// Not a [`Square`] yet: as long as one may have to be dropped, it is kept in memory, and moving it from
/// there to a list right after it was written takes longer than reading its digits.
#[inline]
pub(super) fn plain_square(bytes: &[u8], at: usize) -> Option<(i64, i64, usize)> {
    let (x, comma) = plain(bytes, at)?;
    if bytes.get(comma) != Some(&b',') {
        return None;
    }
    let (y, end) = plain(bytes, comma + 1)?;
    (!goes_on(bytes, end)).then_some((x, y, end))
}

/// A coordinate: `-12`, and with a warning `007`, `-0`, `1e21`, `1.5e3`.
pub(super) fn coord<'a>(cursor: &Cursor<'a, '_>, i: &'a str) -> PResult<'a, Coord> {
    match plain(i.as_bytes(), 0) {
        Some((value, end)) if !goes_on(i.as_bytes(), end) && cursor.allows_plain() => {
            Ok((&i[end..], value.into()))
        }
        _ => unusual_coord(cursor, i),
    }
}

fn unusual_coord<'a>(cursor: &Cursor<'a, '_>, i: &'a str) -> PResult<'a, Coord> {
    let Some((rest, number)) = lex(i) else {
        return expected(i, "a coordinate");
    };
    let span = cursor.span(i, rest);
    let len = i.len() - rest.len();
    let limit = cursor.options.max_digits;
    let too_long = || fail(i, len, IcnErrorKind::TooMuch { what: Limited::Digits, limit });
    if number.whole.len() > limit {
        return too_long();
    }
    let value = if let Some(exponent) = number.exponent {
        cursor.warn(WarningKind::Exponent, span);
        match whole_digits([number.whole, number.fraction], exponent, limit) {
            Some(Whole::Digits(digits)) => Coord::from_digits(number.negative, digits.as_bytes()),
            Some(Whole::TooLong) => return too_long(),
            None => return broken(i, len, Rule::NotWhole),
        }
    } else {
        Coord::from_digits(number.negative, number.whole.as_bytes())
    };
    if number.whole.len() > 1 && number.whole.starts_with('0') {
        cursor.warn(WarningKind::LeadingZero, span);
    }
    if number.negative && value.is_zero() {
        cursor.warn(WarningKind::MinusZero, span);
    }
    if value.as_i64().is_none() {
        cursor.uses(Feature::BeyondI64, span);
    }
    Ok((rest, value))
}

/// A number as it is written.
pub(super) struct Number<'a> {
    negative: bool,
    whole: &'a str,
    fraction: &'a str,
    exponent: Option<&'a str>,
}

/// The number that a text begins with.
pub(super) fn lex(i: &str) -> Option<(&str, Number<'_>)> {
    let number = lex::number(i.as_bytes())?;
    let parts = Number {
        negative: number.negative,
        whole: &i[number.whole],
        fraction: &i[number.fraction],
        exponent: number.exponent.map(|exponent| &i[exponent]),
    };
    Some((&i[number.end..], parts))
}

/// Whether a text begins with a number with an exponent.
pub(super) fn is_scientific(text: &str) -> bool {
    lex::is_scientific(text.as_bytes())
}

/// The digits that a text begins with, and the rest.
pub(super) fn split_digits(text: &str) -> (&str, &str) {
    text.split_at(lex::digits(text.as_bytes()))
}

/// A counter: digits without sign and exponent.
pub(super) fn counter<'a>(cursor: &Cursor<'a, '_>, i: &'a str) -> PResult<'a, Coord> {
    let (digits, rest) = split_digits(i);
    if digits.is_empty() {
        return expected(i, "a number");
    }
    if digits.len() > cursor.options.max_digits {
        let limit = cursor.options.max_digits;
        return fail(i, digits.len(), IcnErrorKind::TooMuch { what: Limited::Digits, limit });
    }
    if digits.len() > 1 && digits.starts_with('0') {
        cursor.warn(WarningKind::LeadingZero, cursor.span(i, rest));
    }
    Ok((rest, Coord::from_digits(false, digits.as_bytes())))
}

/// A square: `x,y` without blanks.
pub(super) fn square<'a>(cursor: &Cursor<'a, '_>, i: &'a str) -> PResult<'a, Square> {
    let number = |i| coord(cursor, i);
    separated_pair(number, needed(',', "`,` between coordinates"), number)
        .map(|(x, y)| Square { x, y })
        .parse(i)
}
