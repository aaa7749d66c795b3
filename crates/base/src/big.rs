//! Integers of any size, in billions.
//!
//! Such numbers come from texts and go to texts, and are added and compared in between. A base that is a
//! power of ten does all of this in linear time. Products and quotients are made as on paper: one of the two
//! numbers is short wherever boards need them.

use std::cmp::Ordering;

const BASE: u64 = 1_000_000_000;
/// Decimal digits of a limb.
const WIDTH: usize = 9;

/// An integer. The same value always has the same limbs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Big {
    /// Never for zero.
    negative: bool,
    /// The least first, the last one not zero.
    limbs: Vec<u32>,
}

impl Big {
    fn new(negative: bool, mut limbs: Vec<u32>) -> Self {
        trim(&mut limbs);
        Big { negative: negative && !limbs.is_empty(), limbs }
    }

    /// The value of a run of ASCII digits.
    pub(crate) fn from_digits(negative: bool, digits: &[u8]) -> Self {
        let limb = |digits: &[u8]| digits.iter().fold(0, |value, digit| value * 10 + u32::from(digit - b'0'));
        Big::new(negative, digits.rchunks(WIDTH).map(limb).collect())
    }

    /// The value, if it is within `i128`.
    pub(crate) fn to_i128(&self) -> Option<i128> {
        self.limbs.iter().rev().try_fold(0_i128, |value, limb| {
            let limb = i128::from(*limb);
            value.checked_mul(i128::from(BASE))?.checked_add(if self.negative { -limb } else { limb })
        })
    }

    pub(crate) const fn is_negative(&self) -> bool {
        self.negative
    }

    /// The decimal digits, without the sign.
    pub(crate) fn digits(&self) -> String {
        let mut digits: Vec<u8> = Vec::with_capacity(self.limbs.len() * WIDTH);
        for limb in &self.limbs {
            let mut rest = *limb;
            for _ in 0..WIDTH {
                digits.push(b'0' + u8::try_from(rest % 10).expect("one digit"));
                rest /= 10;
            }
        }
        while digits.len() > 1 && digits.last() == Some(&b'0') {
            digits.pop();
        }
        digits.iter().rev().map(|digit| char::from(*digit)).collect()
    }

    /// The sum, or with `minus` the difference.
    pub(crate) fn plus(&self, other: &Big, minus: bool) -> Self {
        let other_negative = other.negative != minus;
        if self.negative == other_negative {
            return Big::new(self.negative, sum(&self.limbs, &other.limbs));
        }
        match compare(&self.limbs, &other.limbs) {
            Ordering::Less => Big::new(other_negative, difference(&other.limbs, &self.limbs)),
            _ => Big::new(self.negative, difference(&self.limbs, &other.limbs)),
        }
    }

    pub(crate) fn times(&self, other: &Big) -> Self {
        Big::new(self.negative != other.negative, product(&self.limbs, &other.limbs))
    }

    /// Quotient and remainder of Euclidean division: the remainder is never negative.
    pub(crate) fn div_rem_euclid(&self, divisor: &Big) -> (Self, Self) {
        let (mut quotient, mut remainder) = quotient(&self.limbs, &divisor.limbs);
        trim(&mut remainder);
        if self.negative && !remainder.is_empty() {
            quotient = sum(&quotient, &[1]);
            remainder = difference(&divisor.limbs, &remainder);
        }
        (Big::new(self.negative != divisor.negative, quotient), Big::new(false, remainder))
    }
}

impl From<i128> for Big {
    fn from(value: i128) -> Self {
        let (mut rest, mut limbs) = (value.unsigned_abs(), Vec::new());
        while rest > 0 {
            limbs.push(u32::try_from(rest % u128::from(BASE)).expect("a limb"));
            rest /= u128::from(BASE);
        }
        Big::new(value < 0, limbs)
    }
}

impl Ord for Big {
    fn cmp(&self, other: &Self) -> Ordering {
        other.negative.cmp(&self.negative).then_with(|| {
            let order = compare(&self.limbs, &other.limbs);
            if self.negative { order.reverse() } else { order }
        })
    }
}

impl PartialOrd for Big {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn trim(limbs: &mut Vec<u32>) {
    while limbs.last() == Some(&0) {
        limbs.pop();
    }
}

/// What stays in the place of a value, and what is carried to the next one.
fn carried(value: u64) -> (u32, u64) {
    (u32::try_from(value % BASE).expect("a limb"), value / BASE)
}

fn compare(a: &[u32], b: &[u32]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

fn sum(a: &[u32], b: &[u32]) -> Vec<u32> {
    let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    let (mut limbs, mut carry) = (Vec::with_capacity(long.len() + 1), 0);
    for (place, limb) in long.iter().enumerate() {
        let value = u64::from(*limb) + u64::from(short.get(place).copied().unwrap_or(0)) + carry;
        let (kept, next) = carried(value);
        limbs.push(kept);
        carry = next;
    }
    limbs.extend((carry > 0).then_some(1));
    limbs
}

/// `a - b`, where `b` is not the larger one. Zeros may be left at the end.
fn difference(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut limbs = a.to_vec();
    let borrowed = subtract(&mut limbs, b, 1);
    debug_assert_eq!(borrowed, 0);
    limbs
}

/// Takes `count` times `b` from the limbs, and returns what is missing beyond the last one.
fn subtract(limbs: &mut [u32], b: &[u32], count: u64) -> u64 {
    let mut carry = 0;
    for (place, limb) in limbs.iter_mut().enumerate() {
        if carry == 0 && place >= b.len() {
            break;
        }
        let (low, next) = carried(count * u64::from(b.get(place).copied().unwrap_or(0)) + carry);
        carry = next;
        if *limb < low {
            *limb += u32::try_from(BASE).expect("a limb");
            carry += 1;
        }
        *limb -= low;
    }
    carry
}

fn product(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut limbs = vec![0; a.len() + b.len()];
    for (place, x) in a.iter().enumerate() {
        let mut carry = 0;
        for (limb, y) in limbs[place..].iter_mut().zip(b) {
            (*limb, carry) = carried(u64::from(*x) * u64::from(*y) + u64::from(*limb) + carry);
        }
        limbs[place + b.len()] = u32::try_from(carry).expect("a limb");
    }
    limbs
}

/// Quotient and remainder of a division by one limb.
fn quotient_by_limb(a: &[u32], divisor: u32) -> (Vec<u32>, u32) {
    let (mut limbs, divisor, mut rest) = (a.to_vec(), u64::from(divisor), 0);
    for limb in limbs.iter_mut().rev() {
        let value = rest * BASE + u64::from(*limb);
        *limb = u32::try_from(value / divisor).expect("a limb");
        rest = value % divisor;
    }
    (limbs, u32::try_from(rest).expect("a limb"))
}

/// Quotient and remainder, with zeros at their ends (Knuth, The Art of Computer Programming, 4.3.1, algorithm
/// D).
fn quotient(a: &[u32], b: &[u32]) -> (Vec<u32>, Vec<u32>) {
    if let [limb] = *b {
        let (quotient, rest) = quotient_by_limb(a, limb);
        return (quotient, vec![rest]);
    }
    if a.len() < b.len() {
        return (Vec::new(), a.to_vec());
    }
    // With a divisor whose first limb is at least half the base, two limbs guess a limb of the quotient with
    // an error of at most one or two.
    let first = u64::from(*b.last().expect("nobody divides by zero"));
    let scale = [u32::try_from(BASE / (first + 1)).expect("a limb")];
    let (mut rest, mut divisor) = (product(a, &scale), product(b, &scale));
    trim(&mut divisor);
    let count = divisor.len();
    let [.., second, first] = *divisor else { unreachable!("at least two limbs") };
    let (first, second) = (u64::from(first), u64::from(second));
    let mut limbs = vec![0; rest.len() - count];
    for (place, limb) in limbs.iter_mut().enumerate().rev() {
        let window = &mut rest[place..=place + count];
        let [.., third, low, high] = *window else { unreachable!("at least three limbs") };
        let value = u64::from(high) * BASE + u64::from(low);
        let (mut guess, mut left) = (value / first, value % first);
        while left < BASE && (guess >= BASE || guess * second > left * BASE + u64::from(third)) {
            guess -= 1;
            left += first;
        }
        if subtract(window, &divisor, guess) > 0 {
            // One too many.
            guess -= 1;
            let mut carry = 0;
            for (limb, more) in window.iter_mut().zip(divisor.iter().chain([&0])) {
                (*limb, carry) = carried(u64::from(*limb) + u64::from(*more) + carry);
            }
        }
        *limb = u32::try_from(guess).expect("a limb");
    }
    (limbs, quotient_by_limb(&rest, scale[0]).0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn big(text: &str) -> Big {
        let digits = text.strip_prefix('-').unwrap_or(text);
        Big::from_digits(digits.len() < text.len(), digits.as_bytes())
    }

    /// Limbs at the edges of their range are where carries and guesses go wrong.
    fn any_big() -> impl Strategy<Value = Big> {
        let limb = prop_oneof![
            Just(0),
            Just(1),
            Just(499_999_999),
            Just(500_000_000),
            Just(999_999_999),
            0..1_000_000_000_u32
        ];
        (any::<bool>(), proptest::collection::vec(limb, 0..12))
            .prop_map(|(negative, limbs)| Big::new(negative, limbs))
    }

    #[test]
    fn a_guess_that_is_one_too_many_is_taken_back() {
        let (a, b) = (big("500000000000000000000000000000000000"), big("500000000000000000000000001"));
        let (quotient, remainder) = a.div_rem_euclid(&b);
        assert_eq!(
            (quotient.digits(), remainder.digits()),
            ("999999999".into(), "499999999999999999000000001".into())
        );
    }

    proptest! {
        #[test]
        fn agrees_with_wide_integers(a in any::<i128>(), b in any::<i128>(), shift in 0..127_u32) {
            let b = b >> shift;
            let (x, y) = (Big::from(a), Big::from(b));
            prop_assert_eq!(x.to_i128(), Some(a));
            prop_assert_eq!(x.digits(), a.unsigned_abs().to_string());
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
            prop_assert_eq!(x.plus(&y, false).to_i128(), a.checked_add(b));
            prop_assert_eq!(x.plus(&y, true).to_i128(), a.checked_sub(b));
            prop_assert_eq!(x.times(&y).to_i128(), a.checked_mul(b));
            if let (Some(q), Some(r)) = (a.checked_div_euclid(b), a.checked_rem_euclid(b)) {
                let (quotient, remainder) = x.div_rem_euclid(&y);
                prop_assert_eq!((quotient.to_i128(), remainder.to_i128()), (Some(q), Some(r)));
            }
        }

        #[test]
        fn division_is_the_inverse_of_multiplication(a in any_big(), b in any_big(), c in any_big()) {
            prop_assume!(!b.limbs.is_empty());
            let (quotient, remainder) = a.div_rem_euclid(&b);
            prop_assert!(!remainder.negative && compare(&remainder.limbs, &b.limbs).is_lt());
            prop_assert_eq!(quotient.times(&b).plus(&remainder, false), a.clone());
            prop_assert_eq!(a.times(&b).plus(&c.times(&b), true), a.plus(&c, true).times(&b));
            prop_assert_eq!(a.plus(&c, true).plus(&c, false), a.clone());
            prop_assert_eq!(a.cmp(&c), Big::from(0).cmp(&c.plus(&a, true)));
        }

        #[test]
        fn digits_come_back(text in "[1-9][0-9]{0,99}") {
            prop_assert_eq!(big(&text).digits(), text.clone());
            let negative = format!("-{}{text}", "0".repeat(20));
            prop_assert_eq!(big(&negative), Big::from(0).plus(&big(&text), true));
        }
    }
}
