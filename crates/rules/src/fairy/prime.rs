//! Which distances are prime.

use boardprint_base::Coord;
use dashu_int::UBig;
use dashu_int::ops::BitTest;

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
    BASES.iter().all(|base| {
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
    let n = UBig::try_from(n.to_big()).expect("not negative");
    if let Ok(small) = u64::try_from(&n) {
        return Some(is_prime(small));
    }
    let minus_one = &n - UBig::ONE;
    let shift = minus_one.trailing_zeros().expect("not zero");
    let odd = &minus_one >> shift;
    let passes = |base: u64| {
        let mut x = UBig::ONE;
        for bit in (0..odd.bit_len()).rev() {
            x = &x * &x % &n;
            if odd.bit(bit) {
                x = x * base % &n;
            }
        }
        if x == UBig::ONE || x == minus_one {
            return true;
        }
        for _ in 1..shift {
            x = &x * &x % &n;
            if x == minus_one {
                return true;
            }
        }
        false
    };
    if BASES.iter().all(|base| (&n % *base) != 0 && passes(*base)) { None } else { Some(false) }
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
    u64::try_from(u128::from(a) * u128::from(b) % u128::from(n)).expect("a remainder of a u64")
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(is_prime_coord(&Coord::from(-7)), Some(false));
        assert_eq!(is_prime_coord(&Coord::from(7)), Some(true));
    }
}
