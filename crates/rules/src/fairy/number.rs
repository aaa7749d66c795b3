//! The arithmetic of rays, once for ordinary coordinates and once for coordinates of any size.

use boardprint_base::Coord;

use super::path::Vector;
use super::prime::{is_prime, is_prime_coord};

/// A number that rays can be computed with.
pub(crate) trait Number: Clone + Ord {
    /// Zero.
    const ZERO: Self;
    /// The number of a coordinate, if this type can compute with it.
    fn from_coord(coord: &Coord) -> Option<Self>;
    /// The number of a coordinate or count that may lie somewhat beyond; what is farther away than this type
    /// can say is on no path between squares that it can compute with.
    fn from_distant(coord: &Coord) -> Option<Self>;
    /// The coordinate of a number.
    fn to_coord(&self) -> Coord;
    /// The number plus a part of a vector.
    fn plus(&self, other: i128) -> Self;
    /// The number plus a multiple of a part of a vector.
    fn plus_times(&self, count: &Self, part: i128) -> Self;
    /// The difference.
    fn minus(&self, other: &Self) -> Self;
    /// The count `k ≥ 0` with `(x, y) = k · step`; the step is not zero.
    fn ratio(x: &Self, y: &Self, step: Vector) -> Option<Self>;
    /// Whether the number lies between bounds.
    fn is_within(&self, least: u64, most: Option<u64>) -> bool;
    /// Whether the number is prime, if that is known.
    fn is_prime(&self) -> Option<bool>;
}

/// How far from zero the ends of a path may be for the fast arithmetic.
const FAR: i64 = 1 << 60;

/// How far from zero its squares and counts can be then; differences of such numbers still fit an `i64`.
const DISTANT: i64 = 1 << 62;

/// The size of vectors up to which the fast arithmetic goes: sums of a whole path stay below `FAR`.
pub(crate) const SMALL: i128 = 1 << 31;

fn small(part: i128) -> i64 {
    i64::try_from(part).expect("only paths of small vectors come here")
}

/// For coordinates up to 2^60 and vectors up to 2^31.
impl Number for i64 {
    const ZERO: Self = 0;

    #[inline]
    fn from_coord(coord: &Coord) -> Option<Self> {
        coord.as_i64().filter(|value| (-FAR..=FAR).contains(value))
    }

    #[inline]
    fn from_distant(coord: &Coord) -> Option<Self> {
        coord.as_i64().filter(|value| (-DISTANT..=DISTANT).contains(value))
    }

    #[inline]
    fn to_coord(&self) -> Coord {
        (*self).into()
    }

    #[inline]
    fn plus(&self, other: i128) -> Self {
        self + small(other)
    }

    #[inline]
    fn plus_times(&self, count: &Self, part: i128) -> Self {
        // Counts come from `ratio`, so the product is a distance on the board.
        small(i128::from(*self) + i128::from(*count) * part)
    }

    #[inline]
    fn minus(&self, other: &Self) -> Self {
        self - other
    }

    #[inline]
    fn ratio(x: &Self, y: &Self, step: Vector) -> Option<Self> {
        let (dx, dy) = (small(step.x), small(step.y));
        if dx == 0 {
            return if *x == 0 { exact_ratio(*y, dy) } else { None };
        }
        let count = exact_ratio(*x, dx)?;
        (i128::from(count) * i128::from(dy) == i128::from(*y)).then_some(count)
    }

    #[inline]
    fn is_within(&self, least: u64, most: Option<u64>) -> bool {
        u64::try_from(*self).is_ok_and(|count| least <= count && most.is_none_or(|most| count <= most))
    }

    fn is_prime(&self) -> Option<bool> {
        Some(u64::try_from(*self).is_ok_and(is_prime))
    }
}

/// `value / step` if it is a whole number and not negative.
#[inline]
fn exact_ratio(value: i64, step: i64) -> Option<i64> {
    if value == 0 {
        return Some(0);
    }
    if (value < 0) != (step < 0) {
        return None;
    }
    match step {
        1 => Some(value),
        -1 => Some(-value),
        _ => (value % step == 0).then(|| value / step),
    }
}

/// For any coordinate and any vector.
impl Number for Coord {
    const ZERO: Self = Coord::ZERO;

    fn from_coord(coord: &Coord) -> Option<Self> {
        Some(coord.clone())
    }

    fn from_distant(coord: &Coord) -> Option<Self> {
        Some(coord.clone())
    }

    fn to_coord(&self) -> Coord {
        self.clone()
    }

    fn plus(&self, other: i128) -> Self {
        self + &Coord::from(other)
    }

    fn plus_times(&self, count: &Self, part: i128) -> Self {
        self + &(count * &Coord::from(part))
    }

    fn minus(&self, other: &Self) -> Self {
        self - other
    }

    fn ratio(x: &Self, y: &Self, step: Vector) -> Option<Self> {
        let (dx, dy) = (Coord::from(step.x), Coord::from(step.y));
        let (count, rest) = if dx.is_zero() { y.div_rem_euclid(&dy) } else { x.div_rem_euclid(&dx) };
        let exact = rest.is_zero() && &count * &dx == *x && &count * &dy == *y;
        (exact && !count.is_negative()).then_some(count)
    }

    fn is_within(&self, least: u64, most: Option<u64>) -> bool {
        *self >= Coord::from(least) && most.is_none_or(|most| *self <= Coord::from(most))
    }

    fn is_prime(&self) -> Option<bool> {
        is_prime_coord(self)
    }
}

/// The counts with `(x, y) = k · first + l · second`; the steps are independent.
pub(crate) fn ratios(x: &Coord, y: &Coord, first: Vector, second: Vector) -> Option<(Coord, Coord)> {
    let [ax, ay, bx, by] = [first.x, first.y, second.x, second.y].map(Coord::from);
    let det = &(&ax * &by) - &(&ay * &bx);
    let (k, first_rest) = (&(x * &by) - &(y * &bx)).div_rem_euclid(&det);
    let (l, second_rest) = (&(&ax * y) - &(&ay * x)).div_rem_euclid(&det);
    let exact = first_rest.is_zero() && second_rest.is_zero();
    (exact && !k.is_negative() && !l.is_negative()).then_some((k, l))
}
