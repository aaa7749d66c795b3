//! Evaluates a whole movement on a finite region, as a map from sets of states to sets of states.
//!
//! Words are never listed. A power of a map of finite sets becomes periodic, so a repeat of 10^12 ends as
//! soon as a set comes back; a range of counts ends as soon as a round brings nothing new. Every step costs
//! one unit of a budget.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use super::board::Occupant;
use super::expr::{Jump, Repeat};
use super::node::{Id, Node, Nodes};
use super::prime::is_prime;

/// A square relative to the start, and what the piece did there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub(crate) x: i64,
    pub(crate) y: i64,
    pub(crate) stance: Stance,
}

/// What a piece did on the square it is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Stance {
    /// It landed on an empty square, or has not moved.
    Free,
    /// It captured, so the move is over.
    Captured,
    /// It landed on another piece as a hurdle, so the move is not over.
    Hurdle,
}

/// A rectangle of relative squares, all edges included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    pub(crate) left: i64,
    pub(crate) right: i64,
    pub(crate) bottom: i64,
    pub(crate) top: i64,
}

impl Region {
    /// Everything that relative coordinates can say, with room for the sum of two.
    pub(crate) const ALL: Region =
        Region { left: i64::MIN / 4, right: i64::MAX / 4, bottom: i64::MIN / 4, top: i64::MAX / 4 };

    pub(crate) const fn contains(&self, x: i64, y: i64) -> bool {
        self.left <= x && x <= self.right && self.bottom <= y && y <= self.top
    }

    /// Whether no side lies at the edge of what relative coordinates can say.
    pub(crate) const fn is_closed(&self) -> bool {
        let all = Self::ALL;
        self.left > all.left && self.right < all.right && self.bottom > all.bottom && self.top < all.top
    }

    /// The same with a margin on every side.
    pub(crate) const fn grown(&self, margin: i64) -> Region {
        Region {
            left: self.left.saturating_sub(margin),
            right: self.right.saturating_add(margin),
            bottom: self.bottom.saturating_sub(margin),
            top: self.top.saturating_add(margin),
        }
    }

    pub(crate) fn intersection(&self, other: &Region) -> Region {
        Region {
            left: self.left.max(other.left),
            right: self.right.min(other.right),
            bottom: self.bottom.max(other.bottom),
            top: self.top.min(other.top),
        }
    }
}

/// A hasher for small keys that nobody can choose at will: the states of one walk.
#[derive(Default)]
pub(crate) struct QuickHasher(u64);

impl Hasher for QuickHasher {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }
    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(26) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    fn write_i64(&mut self, value: i64) {
        self.write_u64(value.cast_unsigned());
    }
    fn write_isize(&mut self, value: isize) {
        self.write_u64(value.cast_unsigned() as u64);
    }
}

type Quick = BuildHasherDefault<QuickHasher>;
type Set = HashSet<State, Quick>;

/// The board around the start, in relative coordinates.
pub(crate) struct Field {
    pub(crate) occupants: HashMap<(i64, i64), Occupant, Quick>,
    /// What stands on the squares that are not listed.
    pub(crate) elsewhere: Occupant,
    /// The edges of the board.
    pub(crate) border: Region,
    /// The part that is searched. Squares outside count as blocked, but are remembered as cut.
    pub(crate) region: Region,
}

/// Forward from the start, or back from the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Forward,
    Backward,
}

/// The budget is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exceeded;

/// One evaluation.
pub(crate) struct Walk<'a> {
    pub(crate) nodes: &'a Nodes,
    pub(crate) field: &'a Field,
    pub(crate) direction: Direction,
    /// How many steps are left.
    pub(crate) budget: &'a mut usize,
    /// Whether a way was cut off by the region rather than by the board.
    pub(crate) cut: bool,
}

impl Field {
    pub(crate) fn at(&self, x: i64, y: i64) -> Occupant {
        if (x, y) == (0, 0) {
            Occupant::Empty
        } else {
            *self.occupants.get(&(x, y)).unwrap_or(&self.elsewhere)
        }
    }
}

impl Walk<'_> {
    /// The states after a movement, for the states in front of it; without doubles.
    pub(crate) fn run(&mut self, id: Id, states: Vec<State>) -> Result<Vec<State>, Exceeded> {
        if states.is_empty() {
            return Ok(states);
        }
        self.spend(states.len() + 4)?;
        let nodes = self.nodes;
        match nodes.get(id) {
            Node::Nothing => Ok(Vec::new()),
            Node::Jump(jump) => {
                Ok(states.into_iter().filter_map(|state| self.jump(state, *jump, false)).collect())
            }
            Node::Hurdle(jump) => {
                Ok(states.into_iter().filter_map(|state| self.jump(state, *jump, true)).collect())
            }
            Node::Prime(jump) => {
                let (mut all, mut seen) = (Vec::new(), Set::default());
                for state in states {
                    self.prime(state, *jump, |state| {
                        if seen.insert(state) {
                            all.push(state);
                        }
                    })?;
                }
                Ok(all)
            }
            Node::Capture => Ok(states.into_iter().filter(|s| s.stance == Stance::Captured).collect()),
            Node::Options(parts) => {
                let (mut all, mut seen) = (Vec::new(), Set::default());
                for part in parts {
                    let found = self.run(*part, states.clone())?;
                    self.spend(states.len() + 2 * found.len())?;
                    all.extend(found.into_iter().filter(|state| seen.insert(*state)));
                }
                Ok(all)
            }
            Node::Sequence(parts) => match self.direction {
                Direction::Forward => parts.iter().try_fold(states, |states, part| self.run(*part, states)),
                Direction::Backward => {
                    parts.iter().rev().try_fold(states, |states, part| self.run(*part, states))
                }
            },
            Node::Repeat(body, times) => self.repeat(*body, *times, states),
        }
    }

    fn repeat(&mut self, body: Id, times: Repeat, states: Vec<State>) -> Result<Vec<State>, Exceeded> {
        let states = self.power(body, times.least, states)?;
        let mut seen: Set = states.iter().copied().collect();
        let (mut all, mut news) = (states.clone(), states);
        let mut rounds = times.most.map(|most| most - times.least);
        while rounds != Some(0) && !news.is_empty() {
            rounds = rounds.map(|rounds| rounds - 1);
            news = self.run(body, news)?;
            self.spend(2 * news.len())?;
            news.retain(|state| seen.insert(*state));
            all.extend_from_slice(&news);
        }
        Ok(all)
    }

    /// This many rounds exactly. Brent's way of finding the period: the current set is compared with the one
    /// at the last power of two.
    fn power(&mut self, body: Id, rounds: u64, mut states: Vec<State>) -> Result<Vec<State>, Exceeded> {
        if rounds <= 2 {
            return (0..rounds).try_fold(states, |states, _| self.run(body, states));
        }
        let mut milestone: Set = states.iter().copied().collect();
        let (mut left, mut since, mut next) = (rounds, 0_u64, 1_u64);
        while left > 0 && !states.is_empty() {
            states = self.run(body, states)?;
            self.spend(2 * states.len())?;
            (left, since) = (left - 1, since + 1);
            if states.len() == milestone.len() && states.iter().all(|state| milestone.contains(state)) {
                left %= since;
            }
            if since == next {
                milestone = states.iter().copied().collect();
                (since, next) = (0, next.saturating_mul(2));
            }
        }
        Ok(states)
    }

    fn spend(&mut self, steps: usize) -> Result<(), Exceeded> {
        *self.budget = self.budget.checked_sub(steps).ok_or(Exceeded)?;
        Ok(())
    }

    fn jump(&mut self, state: State, jump: Jump, hurdle: bool) -> Option<State> {
        match self.direction {
            Direction::Forward => {
                if state.stance == Stance::Captured {
                    return None;
                }
                let (x, y) = self.step(state, jump, 1)?;
                let stance = match (self.field.at(x, y), hurdle) {
                    (Occupant::Empty, false) => Stance::Free,
                    (Occupant::Enemy, false) => Stance::Captured,
                    (Occupant::Friend | Occupant::Enemy, true) => Stance::Hurdle,
                    (Occupant::Friend, false) | (Occupant::Empty, true) => return None,
                };
                Some(State { x, y, stance })
            }
            Direction::Backward => {
                if hurdle != (state.stance == Stance::Hurdle) {
                    return None;
                }
                let (x, y) = self.step(state, jump, -1)?;
                Some(State { x, y, stance: self.before(x, y) })
            }
        }
    }

    /// How a piece can stand on a square that it goes on from.
    fn before(&self, x: i64, y: i64) -> Stance {
        if self.field.at(x, y) == Occupant::Empty { Stance::Free } else { Stance::Hurdle }
    }

    /// The square some jumps away, if it is on the board and in the region.
    fn step(&mut self, state: State, jump: Jump, count: i64) -> Option<(i64, i64)> {
        let part = |from: i64, step: i64| step.checked_mul(count).and_then(|step| from.checked_add(step));
        let (Some(x), Some(y)) = (part(state.x, jump.x), part(state.y, jump.y)) else {
            self.cut = true;
            return None;
        };
        if !self.field.border.contains(x, y) {
            // The edge of what can be computed is not an edge of the board.
            self.cut |= !Region::ALL.contains(x, y);
            return None;
        }
        if !self.field.region.contains(x, y) {
            self.cut = true;
            return None;
        }
        Some((x, y))
    }

    fn prime(&mut self, state: State, jump: Jump, mut found: impl FnMut(State)) -> Result<(), Exceeded> {
        match self.direction {
            Direction::Forward if state.stance == Stance::Captured => Ok(()),
            Direction::Forward => {
                for count in primes() {
                    self.spend(PRIME_COST)?;
                    let Some((x, y)) = self.step(state, jump, count) else { return Ok(()) };
                    match self.field.at(x, y) {
                        Occupant::Empty => found(State { x, y, stance: Stance::Free }),
                        Occupant::Enemy => {
                            found(State { x, y, stance: Stance::Captured });
                            return Ok(());
                        }
                        Occupant::Friend => return Ok(()),
                    }
                }
                Ok(())
            }
            Direction::Backward if state.stance == Stance::Hurdle => Ok(()),
            Direction::Backward => {
                for count in primes() {
                    self.spend(PRIME_COST)?;
                    let Some((x, y)) = self.step(state, jump, -count) else { return Ok(()) };
                    let from = State { x, y, stance: self.before(x, y) };
                    let mut free = true;
                    for nearer in primes().take_while(|nearer| *nearer < count) {
                        self.spend(PRIME_COST)?;
                        // A square outside the region may be free: the way is lost, and `cut` says so.
                        free &= self
                            .step(from, jump, nearer)
                            .is_some_and(|(x, y)| self.field.at(x, y) == Occupant::Empty);
                        if !free {
                            break;
                        }
                    }
                    if free {
                        found(from);
                    }
                }
                Ok(())
            }
        }
    }
}

/// Finding the next prime costs as much as this many steps.
const PRIME_COST: usize = 16;

fn primes() -> impl Iterator<Item = i64> {
    (2..i64::MAX).filter(|n| is_prime(n.unsigned_abs()))
}
