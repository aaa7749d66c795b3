//! Which distances are prime.

use boardprint_base::Coord;

/// The first twelve primes: as bases they make the test exact below 2^64.
const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];

/// Whether a number is prime; exact.
pub(crate) fn is_prime(n: u64) -> bool {
    if n < 2 {
        return false;
    }
    for p in BASES {
        if n.is_multiple_of(p) {
            return n == p;
        }
    }
    if n < 41 * 41 {
        return true;
    }
    let shift = (n - 1).trailing_zeros();
    let odd = (n - 1) >> shift;
    // The first four bases are enough below this strong pseudoprime.
    let bases = if n < 3_215_031_751 { &BASES[..4] } else { &BASES };
    bases.iter().all(|base| {
        let mut x = power(*base, odd, n);
        if x == 1 || x == n - 1 {
            return true;
        }
        for _ in 1..shift {
            x = multiply(x, x, n);
            if x == n - 1 {
                return true;
            }
        }
        false
    })
}

/// Whether a number is prime, or `None` where it is beyond `u64` and no base proves it composite.
pub(crate) fn is_prime_coord(n: &Coord) -> Option<bool> {
    if n.is_negative() {
        return Some(false);
    }
    if let Some(small) = n.to_i128().and_then(|n| u64::try_from(n).ok()) {
        return Some(is_prime(small));
    }
    if BASES.iter().any(|base| n.div_rem_euclid(&Coord::from(*base)).1.is_zero()) {
        return Some(false);
    }
    let modulus = Modulus::new(n);
    if BASES.iter().all(|base| modulus.passes(*base)) { None } else { Some(false) }
}

/// An odd number beyond `u64`, for products of remainders. Those are kept times `2^64` for each limb, so that
/// a product is reduced limb by limb without division (Montgomery).
struct Modulus {
    n: Coord,
    /// The least first.
    limbs: Vec<u64>,
    /// What times `n` is -1, in a limb.
    inverse: u64,
    /// One, as a remainder.
    unit: Coord,
}

impl Modulus {
    fn new(n: &Coord) -> Self {
        let limbs = limbs(n);
        // Each step doubles the bits that are right; an odd number is its own inverse in three.
        let inverse = (0..5)
            .fold(limbs[0], |x, _| x.wrapping_mul(2_u64.wrapping_sub(x.wrapping_mul(limbs[0]))))
            .wrapping_neg();
        let unit = limbs
            .iter()
            .fold(Coord::from(1), |unit, _| &unit * &Coord::from(1_i128 << 64))
            .div_rem_euclid(n)
            .1;
        Modulus { n: n.clone(), limbs, inverse, unit }
    }

    fn remainder(&self, value: &Coord) -> Vec<u64> {
        let mut remainder = limbs(&value.div_rem_euclid(&self.n).1);
        remainder.resize(self.limbs.len(), 0);
        remainder
    }

    /// Whether the number passes the test of Miller and Rabin.
    fn passes(&self, base: u64) -> bool {
        let [one, minus_one] = [self.unit.clone(), -&self.unit].map(|value| self.remainder(&value));
        // The number is odd: but for the last bit, its own bits are those of one less.
        let bits = 64 * self.limbs.len();
        let is_set = |bit: usize| self.limbs[bit / 64] >> (bit % 64) & 1 == 1;
        let shift = (1..bits).find(|bit| is_set(*bit)).expect("more than one");
        let mut x = one.clone();
        for bit in (shift..bits).rev() {
            x = self.product(&x, &x);
            if is_set(bit) {
                x = self.times(&x, base);
            }
        }
        if x == one || x == minus_one {
            return true;
        }
        (1..shift).any(|_| {
            x = self.product(&x, &x);
            x == minus_one
        })
    }

    fn product(&self, a: &[u64], b: &[u64]) -> Vec<u64> {
        let count = self.limbs.len();
        // One limb more for what is carried, at most one bit.
        let mut sum = vec![0_u64; count + 1];
        for limb in a {
            let high = add_times(&mut sum, b, *limb);
            let factor = sum[0].wrapping_mul(self.inverse);
            let carry = add_times(&mut sum, &self.limbs, factor);
            // The last limb is zero now.
            sum.rotate_left(1);
            sum[count] = high + carry;
        }
        self.reduce(&mut sum);
        sum.truncate(count);
        sum
    }

    /// A remainder a few times, by sums: they take less than a product.
    fn times(&self, a: &[u64], count: u64) -> Vec<u64> {
        let mut sum = a.to_vec();
        sum.push(0);
        for bit in (0..count.ilog2()).rev() {
            let mut carry = 0;
            for limb in &mut sum {
                (*limb, carry) = (*limb << 1 | carry, *limb >> 63);
            }
            self.reduce(&mut sum);
            if count >> bit & 1 == 1 {
                add_times(&mut sum, a, 1);
                self.reduce(&mut sum);
            }
        }
        sum.truncate(self.limbs.len());
        sum
    }

    /// The remainder of a number below twice the modulus, with one limb more than that.
    fn reduce(&self, sum: &mut [u64]) {
        let count = self.limbs.len();
        let is_less = sum[count] == 0 && sum[..count].iter().rev().lt(self.limbs.iter().rev());
        if !is_less {
            let mut borrow = false;
            for (limb, other) in sum.iter_mut().zip(&self.limbs) {
                let (value, first) = limb.overflowing_sub(*other);
                let (value, second) = value.overflowing_sub(u64::from(borrow));
                (*limb, borrow) = (value, first || second);
            }
            sum[count] = 0;
        }
    }
}

/// Adds `factor · other`, and returns what is carried beyond the last limb.
fn add_times(sum: &mut [u64], other: &[u64], factor: u64) -> u64 {
    let (low, high) = sum.split_at_mut(other.len());
    let mut carry = 0;
    for (limb, other) in low.iter_mut().zip(other) {
        let value = u128::from(*other) * u128::from(factor) + u128::from(*limb) + u128::from(carry);
        (*limb, carry) = halves(value);
    }
    for limb in high {
        let (value, is_carried) = limb.overflowing_add(carry);
        (*limb, carry) = (value, is_carried.into());
    }
    carry
}

/// The lower and the upper half.
#[expect(clippy::cast_possible_truncation, reason = "halves are meant")]
fn halves(value: u128) -> (u64, u64) {
    (value as u64, (value >> 64) as u64)
}

fn limbs(value: &Coord) -> Vec<u64> {
    let (mut rest, mut limbs) = (value.clone(), Vec::new());
    while !rest.is_zero() {
        let (quotient, limb) = rest.div_rem_euclid(&Coord::from(1_i128 << 64));
        limbs.push(limb.to_i128().and_then(|limb| u64::try_from(limb).ok()).expect("less than the divisor"));
        rest = quotient;
    }
    limbs
}

fn power(base: u64, mut exponent: u64, n: u64) -> u64 {
    let (mut result, mut square) = (1, base % n);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = multiply(result, square, n);
        }
        square = multiply(square, square, n);
        exponent >>= 1;
    }
    result
}

fn multiply(a: u64, b: u64, n: u64) -> u64 {
    if u32::try_from(n).is_ok() {
        return a * b % n;
    }
    u64::try_from(u128::from(a) * u128::from(b) % u128::from(n)).expect("a remainder of a u64")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn products_are_those_of_division(
            n in "[1-9][0-9]{20,90}[13579]",
            a in "[1-9][0-9]{0,100}",
            b in "[1-9][0-9]{0,100}",
        ) {
            let [n, a, b]: [Coord; 3] = [n, a, b].map(|text| text.parse().unwrap());
            let modulus = Modulus::new(&n);
            let [x, y, product] = [&a * &modulus.unit, &b * &modulus.unit, &(&a * &b) * &modulus.unit]
                .map(|value| modulus.remainder(&value));
            prop_assert_eq!(modulus.product(&x, &y), product);
            for count in BASES {
                let times = modulus.remainder(&(&(&a * &modulus.unit) * &Coord::from(count)));
                prop_assert_eq!(modulus.times(&x, count), times);
            }
        }
    }

    #[test]
    fn small_numbers_agree_with_trial_division() {
        for n in 0..20_000_u64 {
            let divides = |d: u64| n.is_multiple_of(d);
            let expected = n >= 2 && !(2..n).take_while(|d| d * d <= n).any(divides);
            assert_eq!(is_prime(n), expected, "{n}");
        }
    }

    #[test]
    fn known_primes_and_strong_pseudoprimes() {
        for prime in [18_446_744_073_709_551_557, 999_999_999_999_989, 2_305_843_009_213_693_951] {
            assert!(is_prime(prime), "{prime}");
        }
        for composite in [3_215_031_751, 341_550_071_728_321, 3_825_123_056_546_413_051] {
            assert!(!is_prime(composite), "{composite}");
        }
    }

    #[test]
    fn beyond_u64_composites_are_proved_and_primes_are_left_open() {
        let mersenne: Coord = ((1_i128 << 89) - 1).into();
        assert_eq!(is_prime_coord(&mersenne), None);
        let product: Coord = (18_446_744_073_709_551_557_i128 * 999_999_999_999_989).into();
        assert_eq!(is_prime_coord(&product), Some(false));
        let power = |bits: u32| (0..bits).fold(Coord::from(1), |power, _| &power + &power);
        for bits in [107, 127, 521, 607] {
            assert_eq!(is_prime_coord(&(&power(bits) - 1)), None, "2^{bits} - 1");
        }
        // Without small factors; the last one has many bits that are zero.
        for composite in
            [&power(67) - 1, &power(257) - 1, &(&power(61) - 1) * &(&power(521) - 1), &power(512) + 1]
        {
            assert_eq!(is_prime_coord(&composite), Some(false), "{composite}");
        }
        assert_eq!(is_prime_coord(&Coord::from(-7)), Some(false));
        assert_eq!(is_prime_coord(&Coord::from(7)), Some(true));
    }
}
