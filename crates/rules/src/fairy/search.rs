//! Questions about movements without closed form: yes, no or unknown within a budget.

use std::collections::BTreeSet;

use boardprint_base::{Border, Coord, Rect, Square};

use super::board::{Board, Occupant};
use super::expr::Jump;
use super::node::{Id, Node, Nodes};
use super::rays::{Answer, Question};
use super::walk::{Direction, Exceeded, Field, Region, Stance, State, Walk};

/// A movement that may wander, ready for searching.
#[derive(Clone, Debug)]
pub(crate) struct Wanderer {
    nodes: Nodes,
    root: Id,
    /// Whether no repeat is endless.
    finite: bool,
    longest_jump: i64,
    lattice: Option<Lattice>,
    /// Every jump is on the good side of these: `a·x + b·y ≥ 0`.
    half_planes: Vec<(i128, i128)>,
}

impl Wanderer {
    pub(crate) fn new(nodes: &Nodes, root: Id) -> Self {
        let (mut jumps, mut finite) = (BTreeSet::new(), true);
        let (mut stack, mut seen) = (vec![root], BTreeSet::from([root]));
        while let Some(id) = stack.pop() {
            let mut visit = |id: &Id| {
                if seen.insert(*id) {
                    stack.push(*id);
                }
            };
            match nodes.get(id) {
                Node::Nothing | Node::Capture => {}
                Node::Jump(jump) | Node::Hurdle(jump) => {
                    jumps.insert(*jump);
                }
                Node::Prime(jump) => {
                    jumps.insert(*jump);
                    finite = false;
                }
                Node::Sequence(parts) | Node::Options(parts) => parts.iter().for_each(&mut visit),
                Node::Repeat(body, times) => {
                    finite &= times.most.is_some();
                    visit(body);
                }
            }
        }
        Wanderer {
            nodes: nodes.clone(),
            root,
            finite,
            longest_jump: jumps.iter().map(|jump| jump.x.abs().max(jump.y.abs())).max().unwrap_or(0),
            lattice: Lattice::of(&jumps),
            half_planes: half_planes(&jumps),
        }
    }

    /// Whether the movement leads to a square that is on the board and holds no friend.
    pub(crate) fn leads_to<B: Board>(
        &self,
        question: &Question<'_, B>,
        target: &Square,
        mut budget: usize,
    ) -> Answer {
        let (x, y) = (&target.x - &question.start.x, &target.y - &question.start.y);
        if self.is_out_of_reach(&x, &y) {
            return Answer::No;
        }
        let (Some(x), Some(y)) = (x.as_i64(), y.as_i64()) else { return Answer::Unknown };
        if !Region::ALL.contains(x, y) {
            return Answer::Unknown;
        }
        let mut field = field(question);
        let stance = if field.at(x, y) == Occupant::Enemy { Stance::Captured } else { Stance::Free };
        let (start, end) = (State { x: 0, y: 0, stance: Stance::Free }, State { x, y, stance });
        let closed = field.border.is_closed();
        let between = Region { left: x.min(0), right: x.max(0), bottom: y.min(0), top: y.max(0) };
        let mut margin = self.longest_jump.saturating_mul(2).max(8);
        loop {
            let whole = self.finite || closed || margin >= Region::ALL.right;
            field.region = if whole { Region::ALL } else { between.grown(margin) };
            let mut exceeded = false;
            for (direction, from, to) in [(Direction::Forward, start, end), (Direction::Backward, end, start)]
            {
                // Half of what is left, so that one side cannot starve the other.
                let mut share = budget / 2;
                let before = share;
                let mut walk =
                    Walk { nodes: &self.nodes, field: &field, direction, budget: &mut share, cut: false };
                let found = walk.run(self.root, vec![from]);
                let cut = walk.cut;
                budget -= before - share;
                match found {
                    Ok(states) if states.contains(&to) => return Answer::Yes,
                    Ok(_) if !cut => return Answer::No,
                    Ok(_) => {}
                    Err(Exceeded) => exceeded = true,
                }
            }
            if whole || exceeded {
                return Answer::Unknown;
            }
            margin = margin.saturating_mul(2);
        }
    }

    /// Every square in a window that the movement leads to, and whether that is all.
    pub(crate) fn stops<B: Board>(
        &self,
        question: &Question<'_, B>,
        window: &Rect,
        mut budget: usize,
    ) -> (Vec<Square>, bool) {
        let mut field = field(question);
        let closed = field.border.is_closed();
        if !self.finite && !closed {
            let (x, y) = (&question.start.x, &question.start.y);
            let shown = Region {
                left: clamped(window.left(), x).min(0),
                right: clamped(window.right(), x).max(0),
                bottom: clamped(window.bottom(), y).min(0),
                top: clamped(window.top(), y).max(0),
            };
            field.region = shown.grown(self.longest_jump.saturating_mul(4)).intersection(&Region::ALL);
        }
        let start = State { x: 0, y: 0, stance: Stance::Free };
        let mut walk = Walk {
            nodes: &self.nodes,
            field: &field,
            direction: Direction::Forward,
            budget: &mut budget,
            cut: false,
        };
        let Ok(states) = walk.run(self.root, vec![start]) else { return (Vec::new(), false) };
        let complete = !walk.cut;
        let squares = states
            .into_iter()
            .filter(|state| state.stance != Stance::Hurdle)
            .map(|state| question.start.offset(state.x, state.y))
            .filter(|square| window.contains(square));
        (squares.collect(), complete)
    }

    fn is_out_of_reach(&self, x: &Coord, y: &Coord) -> bool {
        let behind =
            |(a, b): &(i128, i128)| (&(&Coord::from(*a) * x) + &(&Coord::from(*b) * y)).is_negative();
        self.half_planes.iter().any(behind)
            || self.lattice.as_ref().is_some_and(|lattice| !lattice.contains(x, y))
    }
}

/// The board around the start of a question. What is too far for relative coordinates cannot be met in the
/// budget.
fn field<B: Board>(question: &Question<'_, B>) -> Field {
    let Square { x: start_x, y: start_y } = question.start;
    let occupants = question.board.occupied().filter_map(|square| {
        let (x, y) = ((&square.x - start_x).as_i64()?, (&square.y - start_y).as_i64()?);
        Some(((x, y), question.board.at(square)))
    });
    let side =
        |edge: &Option<Coord>, start: &Coord, open: i64| edge.as_ref().map_or(open, |e| clamped(e, start));
    let all = Region::ALL;
    let border = question.board.border().map_or(all, |Border { left, right, bottom, top }| Region {
        left: side(left, start_x, all.left),
        right: side(right, start_x, all.right),
        bottom: side(bottom, start_y, all.bottom),
        top: side(top, start_y, all.top),
    });
    Field { occupants: occupants.collect(), elsewhere: Occupant::Empty, border, region: all }
}

/// A coordinate relative to another, brought into the range of relative coordinates.
fn clamped(value: &Coord, start: &Coord) -> i64 {
    let relative = value - start;
    let edge = if relative.is_negative() { Region::ALL.left } else { Region::ALL.right };
    relative.as_i64().map_or(edge, |value| value.clamp(Region::ALL.left, Region::ALL.right))
}

/// All sums and differences of some jumps: multiples of `(a, b)` and `(0, d)`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Lattice {
    a: i128,
    b: i128,
    d: i128,
}

impl Lattice {
    /// `None` if the numbers get too big.
    fn of(jumps: &BTreeSet<Jump>) -> Option<Self> {
        let mut lattice = Lattice::default();
        for jump in jumps {
            let (mut x, mut y) = (i128::from(jump.x), i128::from(jump.y));
            while x != 0 {
                let quotient = lattice.a / x;
                let rest = (lattice.a - quotient * x, lattice.b.checked_sub(quotient.checked_mul(y)?)?);
                (lattice.a, lattice.b) = (x, y);
                (x, y) = rest;
            }
            while y != 0 {
                (lattice.d, y) = (y, lattice.d % y);
            }
            if lattice.d != 0 {
                lattice.b %= lattice.d;
            }
        }
        Some(lattice)
    }

    fn contains(&self, x: &Coord, y: &Coord) -> bool {
        let multiple = |value: &Coord, of: i128| {
            if of == 0 {
                return value.is_zero().then_some(Coord::ZERO);
            }
            let (quotient, rest) = value.div_rem_euclid(&Coord::from(of));
            rest.is_zero().then_some(quotient)
        };
        multiple(x, self.a)
            .is_some_and(|count| multiple(&(y - &(&count * &Coord::from(self.b))), self.d).is_some())
    }
}

/// The half-planes through zero with all jumps on one side, among those along a jump or across it.
fn half_planes(jumps: &BTreeSet<Jump>) -> Vec<(i128, i128)> {
    const MAX_DIRECTIONS: usize = 128;
    let mut directions: Vec<(i128, i128)> = jumps
        .iter()
        .filter(|jump| (jump.x, jump.y) != (0, 0))
        .map(|jump| {
            let (x, y) = (i128::from(jump.x), i128::from(jump.y));
            let gcd = gcd(x.abs(), y.abs());
            (x / gcd, y / gcd)
        })
        .collect();
    directions.sort_unstable();
    directions.dedup();
    if directions.len() > MAX_DIRECTIONS {
        return Vec::new();
    }
    let is_good = |(a, b): &(i128, i128)| {
        directions.iter().all(|(x, y)| {
            a.checked_mul(*x)
                .zip(b.checked_mul(*y))
                .and_then(|(p, q)| p.checked_add(q))
                .is_some_and(|s| s >= 0)
        })
    };
    let candidates = directions.iter().flat_map(|(x, y)| [(-y, *x), (*y, -x), (*x, *y)]);
    let mut good: Vec<(i128, i128)> = candidates.filter(is_good).collect();
    good.sort_unstable();
    good.dedup();
    good
}

fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
