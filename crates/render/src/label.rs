//! Numbers short enough to stand beside a board.

use boardprint_base::{Coord, Square};

/// How many characters a number beside the board, in a fold or in a message may have.
pub(crate) const WIDTH: usize = 12;

/// From this many digits on, a number near a power of ten is written as that power, wherever it stands.
const FAR: usize = 10;

/// A number in at most `width` characters (at least 9), exact where that is possible: `10^15+3`, `2*10^9`,
/// `1234..6789`.
///
/// How a number is spelled depends on its value first, and on the width only if it is too long: neighbours
/// look alike.
pub(crate) fn short(value: &Coord, width: usize) -> String {
    let text = value.to_string();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", &*text),
    };
    if digits.len() >= FAR
        && let Some(power) = near_power(sign, digits)
        && power.len() <= width
    {
        return power;
    }
    if text.len() <= width {
        return text;
    }
    // The first digits say how far, the last ones tell neighbours apart.
    let room = width.max(9) - sign.len() - 2;
    let head = room / 2;
    format!("{sign}{}..{}", &digits[..head], &digits[digits.len() - (room - head)..])
}

/// A number as it stands beside a board.
pub(crate) fn number(value: &Coord) -> String {
    short(value, WIDTH)
}

/// The number as a digit times a power of ten with a small rest, if it is near one.
fn near_power(sign: &str, digits: &str) -> Option<String> {
    let (lead, tail) = digits.split_at(digits.len().checked_sub(3)?);
    let rest: u16 = tail.parse().ok()?;
    let opposite = if sign.is_empty() { '-' } else { '+' };
    let same = if sign.is_empty() { '+' } else { '-' };
    if !lead.is_empty() && lead.bytes().all(|digit| digit == b'9') {
        return Some(format!("{sign}10^{}{opposite}{}", digits.len(), 1000 - rest));
    }
    let (first, zeros) = lead.split_at_checked(1)?;
    if zeros.bytes().any(|digit| digit != b'0') {
        return None;
    }
    let factor = if first == "1" { String::new() } else { format!("{first}*") };
    let rest = if rest == 0 { String::new() } else { format!("{same}{rest}") };
    Some(format!("{sign}{factor}10^{}{rest}", digits.len() - 1))
}

/// A square as `x,y`, shortened only when it is absurdly long.
pub(crate) fn square(square: &Square) -> String {
    format!("{},{}", short(&square.x, 40), short(&square.y, 40))
}

/// At most `width` characters of a name.
pub(crate) fn shortened(name: &str, width: usize) -> String {
    if name.chars().count() <= width {
        name.to_owned()
    } else {
        name.chars().take(width.saturating_sub(1)).chain(['…']).collect()
    }
}

/// The letters of a column: `a` to `z`, then `aa`, `ab`, …; `number` counts from 1.
pub(crate) fn letters(number: u64) -> String {
    let mut letters = Vec::new();
    let mut rest = number;
    while rest > 0 {
        rest -= 1;
        letters.push(char::from(b'a' + u8::try_from(rest % 26).expect("less than 26")));
        rest /= 26;
    }
    letters.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(value: &str, expected: &str) {
        assert_eq!(short(&value.parse().unwrap(), 11), expected);
    }

    #[test]
    fn powers_of_ten_and_their_neighbours_are_exact() {
        check("1000000000000000", "10^15");
        check("1000000000000012", "10^15+12");
        check("999999999999999", "10^15-1");
        check("-999999999999999", "-10^15+1");
        check("-1000000000000001", "-10^15-1");
        check("7000000000000", "7*10^12");
        check("123456", "123456");
    }

    #[test]
    fn neighbours_are_spelled_alike_at_any_width() {
        for (value, text) in
            [("999999999997", "10^12-3"), ("999999999999988", "10^15-12"), ("4000000003", "4*10^9+3")]
        {
            for width in [11, 12, 40] {
                assert_eq!(short(&value.parse().unwrap(), width), text);
            }
        }
        assert_eq!(short(&999_999_999_i64.into(), 12), "999999999");
    }

    #[test]
    fn other_long_numbers_keep_both_ends() {
        check("9223372036854775807", "9223..75807");
        check("-9223372036854775807", "-9223..5807");
    }

    #[test]
    fn columns_are_lettered_like_a_spreadsheet() {
        for (number, text) in [(1, "a"), (26, "z"), (27, "aa"), (52, "az"), (703, "aaa")] {
            assert_eq!(letters(number), text);
        }
    }

    proptest! {
        #[test]
        fn labels_are_never_too_long(text in "-?[19][09]{0,40}[0-9]{0,4}", width in 9_usize..20) {
            prop_assert!(short(&text.parse().unwrap(), width).len() <= width);
        }
    }
}
