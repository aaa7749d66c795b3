//! Lines through squares, in exact arithmetic.

use boardprint_base::{Coord, Square};

use super::strikes::difference;
use crate::fairy::Vector;

/// The square `count` steps from another.
pub(crate) fn along(from: &Square, step: Vector, count: &Coord) -> Square {
    let part = |start: &Coord, step: i128| match step {
        0 => start.clone(),
        _ => start + &(count * &Coord::from(step)),
    };
    Square { x: part(&from.x, step.x), y: part(&from.y, step.y) }
}

/// How many steps lead from a square to another: a whole number of any sign, if there is one.
pub(crate) fn count(from: &Square, to: &Square, step: Vector) -> Option<Coord> {
    if let Some(((x, y), (dx, dy))) = difference(from, to).zip(small(step)) {
        let count = if dx == 0 { y / dy } else { x / dx };
        return (count.checked_mul(dx) == Some(x) && count.checked_mul(dy) == Some(y)).then(|| count.into());
    }
    let (x, y) = (&to.x - &from.x, &to.y - &from.y);
    let (dx, dy) = (Coord::from(step.x), Coord::from(step.y));
    let count = if dx.is_zero() { y.div_rem_euclid(&dy).0 } else { x.div_rem_euclid(&dx).0 };
    (&count * &dx == x && &count * &dy == y).then_some(count)
}

/// A step within the reach of machine arithmetic.
#[inline]
fn small(step: Vector) -> Option<(i64, i64)> {
    Some((i64::try_from(step.x).ok()?, i64::try_from(step.y).ok()?))
}

/// How many steps lead from a square to the place on its line nearest to `to`, rounded down along the line.
pub(crate) fn count_floor(from: &Square, to: &Square, step: Vector) -> Coord {
    let (distance, step) = if step.x == 0 { (&to.y - &from.y, step.y) } else { (&to.x - &from.x, step.x) };
    let (distance, step) = if step < 0 { (-distance, -step) } else { (distance, step) };
    distance.div_rem_euclid(&Coord::from(step)).0
}

/// Whether a square lies on the line through another.
pub(crate) fn is_on_line(from: &Square, to: &Square, step: Vector) -> bool {
    cross(&(&to.x - &from.x), &(&to.y - &from.y), step).is_zero()
}

/// Whether two lines have the same direction or opposite ones.
pub(crate) fn are_parallel(a: Vector, b: Vector) -> bool {
    cross(&Coord::from(a.x), &Coord::from(a.y), b).is_zero()
}

/// How many steps lead from a square to the crossing with a line through `other`; the lines are not parallel.
pub(crate) fn crossing(from: &Square, step: Vector, other: &Square, direction: Vector) -> Option<Coord> {
    let across = cross(&(&other.x - &from.x), &(&other.y - &from.y), direction);
    let per_step = cross(&Coord::from(step.x), &Coord::from(step.y), direction);
    let (count, rest) = across.div_rem_euclid(&per_step);
    rest.is_zero().then_some(count)
}

/// How many steps lead from a square to the place of another on its line, rounded down and rounded up.
pub(crate) fn floor_ceiling(from: &Square, to: &Square, step: Vector) -> (Coord, Coord) {
    let (distance, step) = if step.x == 0 { (&to.y - &from.y, step.y) } else { (&to.x - &from.x, step.x) };
    let (distance, step) = if step < 0 { (-distance, -step) } else { (distance, step) };
    let (floor, rest) = distance.div_rem_euclid(&Coord::from(step));
    let ceiling = if rest.is_zero() { floor.clone() } else { &floor + 1 };
    (floor, ceiling)
}

/// A direction without its length.
pub(crate) fn directed(step: Vector) -> Vector {
    let (mut a, mut b) = (step.x.abs(), step.y.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    Vector { x: step.x / a.max(1), y: step.y / a.max(1) }
}

/// A direction without its sense and length.
pub(crate) fn undirected(step: Vector) -> Vector {
    let Vector { x, y } = directed(step);
    if (x, y) < (0, 0) { Vector { x: -x, y: -y } } else { Vector { x, y } }
}

fn cross(x: &Coord, y: &Coord, other: Vector) -> Coord {
    &(x * &Coord::from(other.y)) - &(y * &Coord::from(other.x))
}
