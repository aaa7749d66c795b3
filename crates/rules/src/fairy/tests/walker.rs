//! A walker that tries every word of a movement, letter by letter: slow, simple, and independent of the
//! evaluator.

use std::collections::BTreeSet;

use boardprint_base::Square;

use crate::fairy::{Board, Expr, Jump, Mirror, Modifier, Occupant, Repeat, Surroundings};

#[derive(Clone, Copy, PartialEq)]
enum Last {
    Free,
    Captured,
    Hurdle,
}

pub(super) struct Walker<'a> {
    pub(super) start: (i64, i64),
    pub(super) board: &'a Surroundings,
    pub(super) right: bool,
    /// Endless repeats go on for this many rounds.
    pub(super) rounds: u64,
    /// How many letters may still be tried.
    pub(super) fuel: u32,
}

type Here = (i64, i64, Last);
type Next<'a, 'w> = &'a mut dyn FnMut(&mut Walker<'w>, Here);

impl<'w> Walker<'w> {
    /// Every square that some word leads to, or `None` if there are too many words.
    pub(super) fn ends(mut self, expr: &Expr) -> Option<BTreeSet<(i64, i64)>> {
        let mut ends = BTreeSet::new();
        let start = (self.start.0, self.start.1, Last::Free);
        self.walk(expr, &[], start, &mut |_, (x, y, last)| {
            if last != Last::Hurdle {
                ends.insert((x, y));
            }
        });
        (self.fuel > 0).then_some(ends)
    }

    /// Tries every word of a movement; `mirrors` are those around it, the outermost first.
    fn walk(&mut self, expr: &Expr, mirrors: &[Mirror], here: Here, next: Next<'_, 'w>) {
        match expr {
            Expr::Jump(jump) => {
                if let Some(there) = self.jump(here, image(*jump, mirrors), false) {
                    next(self, there);
                }
            }
            Expr::Hurdle(jump) => {
                if let Some(there) = self.jump(here, image(*jump, mirrors), true) {
                    next(self, there);
                }
            }
            Expr::Prime(jump) => {
                let Jump { x, y } = image(*jump, mirrors);
                let mut at = here;
                let mut reached = 0;
                for prime in 2..40 {
                    if (2..prime).any(|divisor| prime % divisor == 0) {
                        continue;
                    }
                    let step = Jump { x: x * (prime - reached), y: y * (prime - reached) };
                    reached = prime;
                    match self.jump(at, step, false) {
                        Some(there) => {
                            next(self, there);
                            at = there;
                        }
                        None => break,
                    }
                }
            }
            Expr::Options(options) => {
                for option in options {
                    self.walk(option, mirrors, here, next);
                }
            }
            Expr::Sequence(steps) => self.sequence(steps, mirrors, here, next),
            Expr::Modified(object, modifiers) => self.modified(object, modifiers, mirrors, here, next),
        }
    }

    fn sequence(&mut self, steps: &[Expr], mirrors: &[Mirror], here: Here, next: Next<'_, 'w>) {
        match steps {
            [] => next(self, here),
            [first, rest @ ..] => {
                self.walk(first, mirrors, here, &mut |walker, there| {
                    walker.sequence(rest, mirrors, there, next);
                });
            }
        }
    }

    fn modified(
        &mut self,
        object: &Expr,
        modifiers: &[Modifier],
        mirrors: &[Mirror],
        here: Here,
        next: Next<'_, 'w>,
    ) {
        let Some((last, inner)) = modifiers.split_last() else {
            return self.walk(object, mirrors, here, next);
        };
        match last {
            Modifier::Mirror(mirror) => {
                self.modified(object, inner, mirrors, here, next);
                let deeper: Vec<Mirror> = mirrors.iter().copied().chain([*mirror]).collect();
                self.modified(object, inner, &deeper, here, next);
            }
            Modifier::Repeat(times) => self.repeat(object, inner, mirrors, *times, 0, here, next),
            Modifier::Quiet => self.modified(object, inner, mirrors, here, &mut |walker, there| {
                if let Some(there) = walker.jump(there, Jump { x: 0, y: 0 }, false) {
                    next(walker, there);
                }
            }),
            Modifier::Capture => self.modified(object, inner, mirrors, here, &mut |walker, there| {
                if there.2 == Last::Captured {
                    next(walker, there);
                }
            }),
            Modifier::Right => {
                if self.right {
                    self.modified(object, inner, mirrors, here, next);
                }
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "a round of a repeat within its surroundings")]
    fn repeat(
        &mut self,
        object: &Expr,
        inner: &[Modifier],
        mirrors: &[Mirror],
        times: Repeat,
        round: u64,
        here: Here,
        next: Next<'_, 'w>,
    ) {
        self.fuel = self.fuel.saturating_sub(1);
        if round >= times.least {
            next(self, here);
        }
        if round < times.most.unwrap_or(times.least + self.rounds) && self.fuel > 0 {
            self.modified(object, inner, mirrors, here, &mut |walker, there| {
                walker.repeat(object, inner, mirrors, times, round + 1, there, next);
            });
        }
    }

    fn jump(&mut self, here: Here, jump: Jump, hurdle: bool) -> Option<Here> {
        self.fuel = self.fuel.saturating_sub(1);
        if here.2 == Last::Captured || self.fuel == 0 {
            return None;
        }
        let (x, y) = (here.0 + jump.x, here.1 + jump.y);
        let square = Square::new(x, y);
        if !self.board.border().unwrap().contains(&square) {
            return None;
        }
        let occupant = if (x, y) == self.start { Occupant::Empty } else { self.board.at(&square) };
        match (occupant, hurdle) {
            (Occupant::Empty, false) => Some((x, y, Last::Free)),
            (Occupant::Enemy, false) => Some((x, y, Last::Captured)),
            (Occupant::Empty, true) | (Occupant::Friend, false) => None,
            (_, true) => Some((x, y, Last::Hurdle)),
        }
    }
}

/// The innermost mirror acts first.
fn image(jump: Jump, mirrors: &[Mirror]) -> Jump {
    mirrors.iter().rev().fold(jump, |Jump { x, y }, mirror| match mirror {
        Mirror::FlipY => Jump { x, y: -y },
        Mirror::FlipX => Jump { x: -x, y },
        Mirror::Swap => Jump { x: y, y: x },
    })
}
