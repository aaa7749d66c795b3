//! Who attacks a square, found in one pass over the pieces.
//!
//! Nearly every piece attacks by single leaps and by rays without end. Seen from the attacked square that is
//! simple arithmetic: a leap is one of 81 differences, and along each of eight lines only the nearest piece
//! matters. Asking every piece for its way instead costs a walk over all pieces for each of them. Measured on
//! games from the classical start, four fifths of the time went there.

use std::ops::ControlFlow;

use boardprint_base::{Placed, Player, Position, Square};

use super::{Answer, Referee};
use crate::fairy::{End, Movement, Path, Reach, Vector};

/// How far a leap may go to be one of the 81 differences.
const NEAR: i64 = 4;

/// Coordinates up to here can be subtracted and doubled.
const FAR: i64 = 1 << 60;

/// The sixteen directions of riders: rook, bishop, knightrider.
pub(super) const DIRECTIONS: [(i64, i64); 16] = [
    (1, 0),
    (-1, 0),
    (0, 1),
    (0, -1),
    (1, 1),
    (-1, -1),
    (1, -1),
    (-1, 1),
    (1, 2),
    (-1, -2),
    (2, 1),
    (-2, -1),
    (1, -2),
    (-1, 2),
    (2, -1),
    (-2, 1),
];

/// The last eight of them.
const OBLIQUE: u16 = 0xff00;

/// How a kind of piece attacks, compiled from its movement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Strikes {
    /// The differences of its leaps, one bit each.
    leaps: u128,
    /// Its rays, one bit for each of the sixteen directions.
    pub(super) rays: u16,
    /// Whether it attacks in other ways too, so that its movement has to be asked.
    pub(super) has_more: bool,
    /// Whether it goes where it attacks and attacks where it goes.
    is_even: bool,
}

impl Strikes {
    /// A piece of which nothing is known.
    pub(crate) const UNKNOWN: Strikes = Strikes { leaps: 0, rays: 0, has_more: true, is_even: false };

    pub(crate) fn of(movement: &Movement) -> Self {
        let mut strikes = Strikes { leaps: 0, rays: 0, has_more: !movement.is_exact(), is_even: true };
        let mut with_right = strikes;
        movement.paths(false).for_each(|path| strikes.add(path));
        movement.paths(true).for_each(|path| with_right.add(path));
        // A pawn goes further with its right, but attacks alike.
        let is_even = strikes.is_even && with_right.is_even;
        with_right.is_even = strikes.is_even;
        if strikes == with_right { Strikes { is_even, ..strikes } } else { Strikes::UNKNOWN }
    }

    /// Whether leaps and rays are all that it does.
    #[inline]
    pub(super) const fn is_plain(&self) -> bool {
        self.is_even && !self.has_more
    }

    /// Whether it leaps by a difference.
    #[inline]
    pub(super) fn leaps_by(&self, x: i64, y: i64) -> bool {
        leap_bit(x, y).is_some_and(|bit| self.leaps & bit != 0)
    }

    /// The differences of its leaps.
    pub(super) fn leaps(self) -> impl Iterator<Item = (i64, i64)> {
        let near = -NEAR..=NEAR;
        near.clone()
            .flat_map(move |x| near.clone().map(move |y| (x, y)))
            .filter(move |(x, y)| self.leaps_by(*x, *y))
    }

    fn add(&mut self, path: &Path) {
        self.is_even &= path.end() == End::Any;
        if path.end() == End::Quiet {
            return;
        }
        let leap = path.as_leap().and_then(|jump| leap_bit(jump.x, jump.y));
        let ray = path
            .as_ray()
            .filter(|run| !run.is_prime() && run.times().least == 1 && run.times().most.is_none());
        match (leap, ray.and_then(|run| direction_of(run.step()))) {
            (Some(bit), _) => self.leaps |= bit,
            (None, Some(direction)) => self.rays |= 1 << direction,
            (None, None) => self.has_more = true,
        }
    }
}

#[inline]
fn leap_bit(x: i64, y: i64) -> Option<u128> {
    let side = 2 * NEAR + 1;
    let near = (-NEAR..=NEAR).contains(&x) && (-NEAR..=NEAR).contains(&y);
    near.then(|| 1 << ((x + NEAR) * side + y + NEAR))
}

fn direction_of(step: Vector) -> Option<usize> {
    DIRECTIONS.iter().position(|(x, y)| (i128::from(*x), i128::from(*y)) == (step.x, step.y))
}

/// Which of the eight lines of a queen leads to the attacked square, and in how many steps, if the difference
/// `(x, y)` from the attacked square to the other lies on one.
#[inline]
fn line_to(x: i64, y: i64) -> Option<(usize, i64)> {
    // The direction is that of the attacker, towards the attacked square: against the difference.
    if y == 0 {
        Some((usize::from(x > 0), x.abs()))
    } else if x == 0 {
        Some((2 + usize::from(y > 0), y.abs()))
    } else if x == y {
        Some((4 + usize::from(x > 0), x.abs()))
    } else if x == -y {
        Some((6 + usize::from(x > 0), x.abs()))
    } else {
        None
    }
}

/// Which of the sixteen directions leads along the difference `(x, y)`.
#[inline]
pub(super) fn direction(x: i64, y: i64) -> Option<usize> {
    if is_oblique(x, y) {
        let part = |own: i64, other: i64| own.signum() * if own.abs() > other.abs() { 2 } else { 1 };
        let step = (part(x, y), part(y, x));
        return DIRECTIONS.iter().position(|direction| *direction == step);
    }
    line_to(-x, -y).map(|(line, _)| line)
}

/// How far a square lies from another, unless one of them is far out.
#[inline]
pub(super) fn difference(from: &Square, to: &Square) -> Option<(i64, i64)> {
    let ((from_x, from_y), (to_x, to_y)) = (small(from)?, small(to)?);
    Some((to_x - from_x, to_y - from_y))
}

/// Whether a difference lies on a line of a knightrider.
#[inline]
fn is_oblique(x: i64, y: i64) -> bool {
    x.abs() == 2 * y.abs() || y.abs() == 2 * x.abs()
}

impl Referee<'_> {
    /// Whether an enemy of a player attacks a square.
    pub(super) fn is_attacked(&self, position: &Position, player: Player, square: &Square) -> Answer {
        let mut answer = Answer::No;
        let _ = self.each_attacker(position, player, square, |_, reach| {
            let is_certain = reach != Reach::Unknown;
            answer = if is_certain { Answer::Yes } else { Answer::Unknown };
            if is_certain { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        answer
    }

    /// Shows the enemies of a player that attack a square, by index and in no order, and those of which it is
    /// not known.
    pub(super) fn each_attacker(
        &self,
        position: &Position,
        player: Player,
        square: &Square,
        mut visit: impl FnMut(usize, Reach) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let pieces = position.pieces.as_slice();
        let table = self.table.strikes();
        let border = &position.laws.border;
        if !border.contains(square) {
            return ControlFlow::Continue(());
        }
        // The nearest piece on each line, with its distance.
        let mut nearest = [(i64::MAX, usize::MAX); 8];
        let here = if self.slide_limit.is_none() { small(square) } else { None };
        for (index, placed) in pieces.iter().enumerate() {
            let is_enemy = placed.piece.player != player && placed.piece.player != Player::NEUTRAL;
            if let (Some((here_x, here_y)), Some((x, y))) = (here, small(&placed.square)) {
                let (dx, dy) = (x - here_x, y - here_y);
                if let Some((line, steps)) = line_to(dx, dy)
                    && steps > 0
                    && steps < nearest[line].0
                {
                    nearest[line] = (steps, index);
                }
                if !is_enemy {
                    continue;
                }
                let strikes = table.of(placed.piece);
                if strikes.leaps_by(-dx, -dy) {
                    visit(index, Reach::Capture)?;
                    continue;
                }
                // Knightriders are rare, so their lines are not kept: they are asked, if they stand on one.
                let is_rider = strikes.rays & OBLIQUE != 0 && is_oblique(dx, dy);
                if !strikes.has_more && !is_rider {
                    continue;
                }
            } else if !is_enemy {
                continue;
            }
            self.ask(position, index, placed, square, &mut visit)?;
        }
        for (line, (_, index)) in
            nearest.into_iter().enumerate().filter(|(_, (_, index))| *index != usize::MAX)
        {
            let placed = &pieces[index];
            let is_enemy = placed.piece.player != player && placed.piece.player != Player::NEUTRAL;
            let strikes = table.of(placed.piece);
            if !is_enemy || strikes.has_more || strikes.rays & 1 << line == 0 {
                continue;
            }
            if border.contains(&placed.square) {
                visit(index, Reach::Capture)?;
            } else {
                // A piece beyond the edge may have to cross squares that are none.
                self.ask(position, index, placed, square, &mut visit)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Asks a piece of which the arithmetic says too little.
    fn ask(
        &self,
        position: &Position,
        index: usize,
        attacker: &Placed,
        square: &Square,
        visit: &mut impl FnMut(usize, Reach) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match self.reach(position, attacker, square) {
            Reach::No => ControlFlow::Continue(()),
            reach => visit(index, reach),
        }
    }
}

#[inline]
fn small(square: &Square) -> Option<(i64, i64)> {
    let part = |value: i64| (-FAR..=FAR).contains(&value).then_some(value);
    Some((part(square.x.as_i64()?)?, part(square.y.as_i64()?)?))
}
