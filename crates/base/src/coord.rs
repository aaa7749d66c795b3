//! Coordinates of the unbounded board.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Add, Mul, Neg, Sub};
use std::str::FromStr;

use crate::big::Big;
use crate::short;

/// A coordinate of the unbounded board: an integer, exact at any size.
///
/// Values within `i64` take no allocation. The same value always has the same representation, so equality and
/// hashing are those of the number.
///
/// ```
/// use boardprint_base::Coord;
/// let far: Coord = "9223372036854775807".parse()?;
/// assert_eq!((far + Coord::from(1)).to_string(), "9223372036854775808");
/// # Ok::<(), boardprint_base::ParseCoordError>(())
/// ```
#[derive(Clone)]
pub struct Coord(Repr);

/// `Big` holds only values outside `i64`.
#[derive(Clone)]
enum Repr {
    Small(i64),
    Big(Box<Big>),
}

/// The text is not an integer in canonical spelling: `0`, or an optional `-` and digits without a leading zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseCoordError;

impl Coord {
    /// Zero.
    pub const ZERO: Coord = Coord(Repr::Small(0));

    /// The value of a run of ASCII digits, leading zeros allowed.
    ///
    /// # Panics
    ///
    /// If `digits` is empty or holds anything but ASCII digits.
    #[must_use]
    #[inline]
    pub fn from_digits(negative: bool, digits: &[u8]) -> Self {
        // 18 digits always fit an i64.
        if digits.len() <= 18 {
            let mut value = 0_i64;
            for digit in digits {
                assert!(digit.is_ascii_digit(), "digits were checked by the caller");
                value = value * 10 + i64::from(digit - b'0');
            }
            assert!(!digits.is_empty(), "digits were checked by the caller");
            return Coord(Repr::Small(if negative { -value } else { value }));
        }
        Self::from_many_digits(negative, digits)
    }

    #[cold]
    fn from_many_digits(negative: bool, digits: &[u8]) -> Self {
        assert!(digits.iter().all(u8::is_ascii_digit), "digits were checked by the caller");
        Self::from_big(Big::from_digits(negative, digits))
    }

    fn from_big(value: Big) -> Self {
        match value.to_i128().and_then(|value| i64::try_from(value).ok()) {
            Some(small) => Coord(Repr::Small(small)),
            None => Coord(Repr::Big(Box::new(value))),
        }
    }

    fn to_big(&self) -> Cow<'_, Big> {
        match &self.0 {
            Repr::Small(value) => Cow::Owned(Big::from(i128::from(*value))),
            Repr::Big(value) => Cow::Borrowed(value),
        }
    }

    /// The value, if it is within `i64`.
    #[must_use]
    #[inline]
    pub const fn as_i64(&self) -> Option<i64> {
        match self.0 {
            Repr::Small(value) => Some(value),
            Repr::Big(_) => None,
        }
    }

    /// The value, if it is within `i128`.
    #[must_use]
    pub fn to_i128(&self) -> Option<i128> {
        match &self.0 {
            Repr::Small(value) => Some((*value).into()),
            Repr::Big(value) => value.to_i128(),
        }
    }

    /// Whether the value is below zero.
    #[must_use]
    pub const fn is_negative(&self) -> bool {
        match &self.0 {
            Repr::Small(value) => *value < 0,
            Repr::Big(value) => value.is_negative(),
        }
    }

    /// Whether the value is zero.
    #[must_use]
    pub const fn is_zero(&self) -> bool {
        matches!(self.0, Repr::Small(0))
    }

    /// The distance from zero.
    #[must_use]
    pub fn abs(&self) -> Self {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// Quotient and remainder of Euclidean division: the remainder is never negative.
    ///
    /// # Panics
    ///
    /// If `divisor` is zero.
    #[must_use]
    pub fn div_rem_euclid(&self, divisor: &Coord) -> (Coord, Coord) {
        if let (Some(a), Some(b)) = (self.as_i64(), divisor.as_i64())
            && let Some(quotient) = a.checked_div_euclid(b)
            && let Some(remainder) = a.checked_rem_euclid(b)
        {
            return (quotient.into(), remainder.into());
        }
        assert!(!divisor.is_zero(), "nobody divides by zero");
        let (quotient, remainder) = self.to_big().div_rem_euclid(&divisor.to_big());
        (Self::from_big(quotient), Self::from_big(remainder))
    }

    /// Appends the decimal digits to `out`.
    #[inline]
    pub fn write_to(&self, out: &mut Vec<u8>) {
        match &self.0 {
            Repr::Small(value) => short::append_number(out, *value),
            Repr::Big(value) => {
                out.extend(value.is_negative().then_some(b'-'));
                out.extend_from_slice(value.digits().as_bytes());
            }
        }
    }

    fn combine(
        &self,
        other: &Coord,
        small: impl Fn(i64, i64) -> Option<i64>,
        big: impl Fn(&Big, &Big) -> Big,
    ) -> Coord {
        if let (Some(a), Some(b)) = (self.as_i64(), other.as_i64())
            && let Some(value) = small(a, b)
        {
            return value.into();
        }
        Self::from_big(big(&self.to_big(), &other.to_big()))
    }
}

impl PartialEq for Coord {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Repr::Small(a), Repr::Small(b)) => a == b,
            (Repr::Big(a), Repr::Big(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Coord {}

impl Hash for Coord {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.0 {
            Repr::Small(value) => value.hash(state),
            Repr::Big(value) => value.hash(state),
        }
    }
}

impl Ord for Coord {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Small(a), Repr::Small(b)) => a.cmp(b),
            // A big value lies beyond every small one, on the side of its sign.
            (Repr::Small(_), Repr::Big(b)) => {
                if b.is_negative() {
                    Ordering::Greater
                } else {
                    Ordering::Less
                }
            }
            (Repr::Big(a), Repr::Small(_)) => {
                if a.is_negative() {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
            (Repr::Big(a), Repr::Big(b)) => a.cmp(b),
        }
    }
}

impl PartialOrd for Coord {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<i64> for Coord {
    #[inline]
    fn from(value: i64) -> Self {
        Coord(Repr::Small(value))
    }
}

impl From<i32> for Coord {
    fn from(value: i32) -> Self {
        i64::from(value).into()
    }
}

impl From<u64> for Coord {
    fn from(value: u64) -> Self {
        i128::from(value).into()
    }
}

impl From<i128> for Coord {
    fn from(value: i128) -> Self {
        i64::try_from(value).map_or_else(|_| Self::from_big(Big::from(value)), Self::from)
    }
}

impl Default for Coord {
    fn default() -> Self {
        Self::ZERO
    }
}

impl Add for &Coord {
    type Output = Coord;
    #[inline]
    fn add(self, other: &Coord) -> Coord {
        self.combine(other, i64::checked_add, |a, b| a.plus(b, false))
    }
}

impl Sub for &Coord {
    type Output = Coord;
    #[inline]
    fn sub(self, other: &Coord) -> Coord {
        self.combine(other, i64::checked_sub, |a, b| a.plus(b, true))
    }
}

impl Mul for &Coord {
    type Output = Coord;
    #[inline]
    fn mul(self, other: &Coord) -> Coord {
        self.combine(other, i64::checked_mul, Big::times)
    }
}

impl Neg for &Coord {
    type Output = Coord;
    fn neg(self) -> Coord {
        &Coord::ZERO - self
    }
}

/// The owned forms of an operator, by way of the borrowed one.
macro_rules! owned {
    ($($operator:ident $method:ident),*) => {$(
        impl $operator for Coord {
            type Output = Coord;
            fn $method(self, other: Coord) -> Coord {
                (&self).$method(&other)
            }
        }
        impl $operator<i64> for &Coord {
            type Output = Coord;
            fn $method(self, other: i64) -> Coord {
                self.$method(&Coord::from(other))
            }
        }
    )*};
}
owned!(Add add, Sub sub, Mul mul);

impl Neg for Coord {
    type Output = Coord;
    fn neg(self) -> Coord {
        -&self
    }
}

impl fmt::Display for Coord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small(value) => fmt::Display::fmt(value, f),
            Repr::Big(value) => f.pad_integral(!value.is_negative(), "", &value.digits()),
        }
    }
}

impl fmt::Debug for Coord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Coord {
    type Err = ParseCoordError;
    fn from_str(text: &str) -> Result<Self, ParseCoordError> {
        let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let canonical = match digits.as_bytes() {
            [b'0'] => !negative,
            [b'1'..=b'9', rest @ ..] => rest.iter().all(u8::is_ascii_digit),
            _ => false,
        };
        if canonical { Ok(Self::from_digits(negative, digits.as_bytes())) } else { Err(ParseCoordError) }
    }
}

impl fmt::Display for ParseCoordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not an integer without leading zeros")
    }
}

impl std::error::Error for ParseCoordError {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn is_two_words() {
        assert_eq!(size_of::<Coord>(), 16);
    }

    #[test]
    fn equal_values_are_equal_across_the_edge_of_i64() {
        let edge = Coord::from(i64::MAX);
        let beyond = &edge + 1;
        assert_eq!(beyond.as_i64(), None);
        assert_eq!(&beyond - 1, edge);
        assert!(edge < beyond && -&beyond < edge);
    }

    #[test]
    fn only_canonical_spelling_is_read() {
        for text in ["", "-", "+5", "007", "-0", "1_0", "1e3", " 1", "٣"] {
            assert_eq!(text.parse::<Coord>(), Err(ParseCoordError), "{text}");
        }
    }

    proptest! {
        #[test]
        fn arithmetic_is_that_of_wide_integers(a in any::<i64>(), b in any::<i64>()) {
            let (x, y) = (Coord::from(a), Coord::from(b));
            prop_assert_eq!(&x + &y, Coord::from(i128::from(a) + i128::from(b)));
            prop_assert_eq!(&x - &y, Coord::from(i128::from(a) - i128::from(b)));
            prop_assert_eq!(&x * &y, Coord::from(i128::from(a) * i128::from(b)));
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
            if b != 0 {
                let (q, r) = x.div_rem_euclid(&y);
                prop_assert_eq!(q, Coord::from(i128::from(a).div_euclid(i128::from(b))));
                prop_assert_eq!(r, Coord::from(i128::from(a).rem_euclid(i128::from(b))));
            }
        }

        #[test]
        fn text_comes_back(text in "0|-?[1-9][0-9]{0,60}") {
            let value: Coord = text.parse().unwrap();
            prop_assert_eq!(value.to_string(), text.clone());
            let mut bytes = Vec::new();
            value.write_to(&mut bytes);
            prop_assert_eq!(bytes, text.into_bytes());
        }
    }
}
