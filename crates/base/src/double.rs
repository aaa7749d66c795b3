//! Decimals as doubles hold them, by integers of any size.
//!
//! The library does the same much faster, with tables of ten kilobytes. Numbers that are not whole are rare
//! here, and what is made for browsers should not carry the tables.

use crate::Coord;

/// `digits · 10^exponent`, without zeros at the ends of the digits; zero has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    pub(crate) digits: String,
    exponent: i64,
}

/// `whole · 2^exponent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Double {
    whole: u64,
    exponent: i64,
}

impl Decimal {
    pub(crate) fn new(digits: &str, exponent: i64) -> Self {
        let significant = digits.trim_end_matches('0');
        let exponent = exponent.saturating_add(length(digits) - length(significant));
        Decimal { digits: significant.trim_start_matches('0').to_owned(), exponent }
    }

    /// How many of the digits stand before the point; below zero, how many zeros follow it.
    pub(crate) fn point(&self) -> i64 {
        self.exponent.saturating_add(length(&self.digits))
    }

    /// The shortest decimal that has the same nearest double, or `None` if none is near.
    pub(crate) fn rounded(&self) -> Option<Self> {
        let double = self.nearest()?;
        let exact = double.to_decimal();
        // 17 digits tell every double from its neighbours.
        (1..=17).flat_map(|count| exact.cut(count)).find(|short| short.nearest() == Some(double))
    }

    /// The decimals of so many digits around it, the nearer one first; of two the larger one.
    fn cut(&self, count: usize) -> [Self; 2] {
        let (kept, dropped) = self.digits.split_at(count.min(self.digits.len()));
        let kept: u64 = kept.parse().unwrap_or(0);
        let is_more = dropped >= "5";
        [is_more, !is_more]
            .map(|up| Decimal::new(&(kept + u64::from(up)).to_string(), self.exponent + length(dropped)))
    }

    /// The nearest double; of two the even one.
    fn nearest(&self) -> Option<Double> {
        // Beyond these there are no doubles, and the number itself could be huge.
        if self.digits.is_empty() || self.point() < -330 {
            return Some(Double { whole: 0, exponent: Double::LEAST });
        }
        if self.point() > 310 {
            return None;
        }
        // Half-way between two doubles lie numbers of up to 767 digits. Of what follows counts only that it
        // is there.
        let (head, tail) = self.digits.split_at(self.digits.len().min(770));
        let mut digits = Coord::from_digits(false, head.as_bytes());
        let mut exponent = self.exponent + length(tail);
        if !tail.is_empty() {
            digits = &(&digits * 10) + 1;
            exponent -= 1;
        }
        // At least 54 bits, and no more than fit an `i64`: a digit is between 3 and 3.33 bits.
        let least = ((self.point() - 1) * 3322).div_euclid(1000) - 55;
        Double::nearest(&digits, exponent, least.max(Double::LEAST - 1))
    }
}

impl Double {
    /// The least exponent, and the largest one of 53 bits.
    const LEAST: i64 = -1074;
    const MOST: i64 = 971;

    /// The nearest one to `digits · 10^tens`. Its exponent is more than `least`, and the number in units of
    /// `2^least` fits an `i64`.
    fn nearest(digits: &Coord, tens: i64, least: i64) -> Option<Self> {
        let (up, down) = (|exponent: i64| exponent.max(0), |exponent: i64| (-exponent).max(0));
        let over = &(digits * &power(10, up(tens))) * &power(2, down(least));
        let under = &power(10, down(tens)) * &power(2, up(least));
        let (units, rest) = over.div_rem_euclid(&under);
        let units = u64::try_from(units.as_i64()?).ok()?;
        let dropped = (i64::from(u64::BITS - units.leading_zeros()) - 53).max(Self::LEAST - least);
        let (mut whole, mut exponent) = (units >> dropped, least + dropped);
        let (half, tail) = (1 << (dropped - 1), units - (whole << dropped));
        let is_more = tail > half || tail == half && (!rest.is_zero() || whole & 1 == 1);
        whole += u64::from(is_more);
        if whole >> 53 != 0 {
            (whole, exponent) = (whole >> 1, exponent + 1);
        }
        (exponent <= Self::MOST).then_some(Double { whole, exponent })
    }

    fn to_decimal(self) -> Decimal {
        // 2^-n is 5^n / 10^n.
        let base = if self.exponent < 0 { 5 } else { 2 };
        let digits = &Coord::from(self.whole) * &power(base, self.exponent.abs());
        Decimal::new(&digits.to_string(), self.exponent.min(0))
    }
}

fn power(base: i64, mut exponent: i64) -> Coord {
    let (mut result, mut square) = (Coord::from(1), Coord::from(base));
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = &result * &square;
        }
        square = &square * &square;
        exponent >>= 1;
    }
    result
}

fn length(digits: &str) -> i64 {
    i64::try_from(digits.len()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What the library makes of the same number.
    fn by_the_library(digits: &str, exponent: i64) -> Option<Decimal> {
        let value: f64 = format!("{digits}e{exponent}").parse().unwrap();
        let spelled = value.is_finite().then(|| format!("{value:e}"))?;
        let (mantissa, power) = spelled.split_once('e').unwrap();
        let fraction = mantissa.split_once('.').map_or("", |(_, fraction)| fraction);
        Some(Decimal::new(&mantissa.replace('.', ""), power.parse::<i64>().unwrap() - length(fraction)))
    }

    fn check(digits: &str, exponent: i64) {
        let rounded = Decimal::new(digits, exponent).rounded();
        let mut expected = by_the_library(digits, exponent);
        if let Some(zero) = expected.as_mut().filter(|decimal| decimal.digits.is_empty()) {
            zero.exponent = rounded.as_ref().map_or(0, |decimal| decimal.exponent);
        }
        assert_eq!(rounded, expected, "{digits}e{exponent}");
    }

    #[test]
    fn edges_are_those_of_the_library() {
        for (digits, exponent) in [
            ("0", 0),
            ("0", 400),
            ("1", -1),
            ("5", -324),
            ("2", -324),
            ("3", -324),
            ("24703282292062327", -340),
            ("24703282292062328", -340),
            ("22250738585072011", -324),
            ("22250738585072014", -324),
            ("17976931348623157", 292),
            ("17976931348623158", 292),
            ("17976931348623159", 292),
            ("1", 309),
            ("1", 999_999_999_999),
            ("1", -999_999_999_999),
            ("9007199254740993", 0),
            ("90071992547409930000000000000000000001", -22),
            ("9007199254740991", 3),
            ("4503599627370496", -15),
            ("1", 23),
        ] {
            check(digits, exponent);
        }
        for power in -1074..1024 {
            let exact = Double { whole: 1, exponent: power }.to_decimal();
            check(&exact.digits, exact.exponent);
        }
        // Half-way between two doubles, and a little more, far after the point.
        let half = Double { whole: (1 << 53) + 1, exponent: -1074 }.to_decimal();
        check(&half.digits, half.exponent);
        let more = format!("{}{}1", half.digits, "0".repeat(2000));
        check(&more, half.exponent - 2001);
    }

    proptest! {
        #[test]
        fn every_number_is_that_of_the_library(digits in "[0-9]{1,25}", exponent in -360_i64..320) {
            check(&digits, exponent);
        }

        #[test]
        fn every_double_comes_back(bits in any::<u64>()) {
            let value = f64::from_bits(bits).abs();
            prop_assume!(value.is_finite());
            let spelled = format!("{value:e}");
            let (mantissa, power) = spelled.split_once('e').unwrap();
            let fraction = mantissa.split_once('.').map_or("", |(_, fraction)| fraction);
            check(&mantissa.replace('.', ""), power.parse::<i64>().unwrap() - length(fraction));
        }
    }
}
