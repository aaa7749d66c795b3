//! Exact answers for paths in closed form, at any distance: divisions instead of steps.

use std::ops::ControlFlow;

use boardprint_base::{Border, Coord, Rect, Square};

use super::board::{Board, Occupant};
use super::expr::Jump;
use super::number::{Number, ratios};
use super::path::{Leg, Path, Run, Segment, Vector};

/// Yes, no, or not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Yes,
    No,
    Unknown,
}

impl Answer {
    /// A yes is only as certain as what it rests on.
    fn and(self, certain: bool) -> Self {
        if self == Answer::Yes && !certain { Answer::Unknown } else { self }
    }
}

/// A square in the numbers of the arithmetic.
#[derive(Clone, PartialEq, Eq)]
struct Point<N> {
    x: N,
    y: N,
}

impl<N: Number> Point<N> {
    #[inline]
    fn of(square: &Square) -> Option<Self> {
        Some(Point { x: N::from_coord(&square.x)?, y: N::from_coord(&square.y)? })
    }

    #[inline]
    fn of_distant(square: &Square) -> Option<Self> {
        Some(Point { x: N::from_distant(&square.x)?, y: N::from_distant(&square.y)? })
    }

    #[inline]
    fn to_square(&self) -> Square {
        Square { x: self.x.to_coord(), y: self.y.to_coord() }
    }

    #[inline]
    fn plus(&self, vector: Vector) -> Self {
        Point { x: self.x.plus(vector.x), y: self.y.plus(vector.y) }
    }

    #[inline]
    fn plus_times(&self, count: &N, vector: Vector) -> Self {
        Point { x: self.x.plus_times(count, vector.x), y: self.y.plus_times(count, vector.y) }
    }
}

/// The first square of a run that is not empty.
pub(crate) struct Obstacle<N> {
    /// This many whole rounds are free.
    pub(crate) round: N,
    /// Which square of the next round it is.
    pub(crate) offset: usize,
    /// The square, or `None` beyond the edge of the board.
    pub(crate) square: Option<Square>,
}

/// A question about one moving piece.
pub(crate) struct Question<'a, B> {
    pub(crate) board: &'a B,
    /// Where the piece starts; that square is empty while it moves.
    pub(crate) start: &'a Square,
}

impl<B: Board> Question<'_, B> {
    #[inline]
    pub(crate) fn at(&self, square: &Square) -> Occupant {
        if square == self.start { Occupant::Empty } else { self.board.at(square) }
    }

    #[inline]
    pub(crate) fn is_on_board(&self, square: &Square) -> bool {
        self.board.border().is_none_or(|border| border.contains(square))
    }

    fn is_free(&self, square: &Square) -> bool {
        self.is_on_board(square) && self.at(square) == Occupant::Empty
    }

    /// Whether a path leads to a square, if what may stand at its end does stand there: `ends_well` is asked
    /// only about paths that could lead there on an empty board.
    #[inline]
    pub(crate) fn leads_to(&self, path: &Path, target: &Square, ends_well: impl FnOnce() -> bool) -> Answer {
        if path.small
            && let (Some(start), Some(end)) = (Point::<i64>::of(self.start), Point::of(target))
        {
            return self.path_leads_to(&path.legs, &start, &end, ends_well);
        }
        let (start, end) = (Point::<Coord>::of(self.start), Point::of(target));
        let (start, end) = start.zip(end).expect("coordinates of any size have no limits");
        self.path_leads_to(&path.legs, &start, &end, ends_well)
    }

    #[inline]
    fn path_leads_to<N: Number>(
        &self,
        legs: &[Leg],
        from: &Point<N>,
        to: &Point<N>,
        ends_well: impl FnOnce() -> bool,
    ) -> Answer {
        match legs {
            [leg] => match solve(leg, from, to) {
                Some((counts, certain)) if ends_well() => {
                    self.is_way_free(leg, from, &counts, true).and(certain)
                }
                _ => Answer::No,
            },
            _ if ends_well() => self.legs_lead_to(legs, from, to, true),
            _ => Answer::No,
        }
    }

    fn legs_lead_to<N: Number>(&self, legs: &[Leg], from: &Point<N>, to: &Point<N>, first: bool) -> Answer {
        let [leg, rest @ ..] = legs else { return Answer::No };
        if rest.is_empty() {
            return self.leg_leads_to(leg, from, to, first);
        }
        let mut answer = Answer::No;
        for hurdle in self.board.occupied().filter(|hurdle| *hurdle != self.start && self.is_on_board(hurdle))
        {
            let Some(over) = Point::of(hurdle) else { continue };
            let both = match self.leg_leads_to(leg, from, &over, first) {
                Answer::No => continue,
                onto => (onto, self.legs_lead_to(rest, &over, to, false)),
            };
            match both {
                (Answer::Yes, Answer::Yes) => return Answer::Yes,
                (_, Answer::No) => {}
                _ => answer = Answer::Unknown,
            }
        }
        answer
    }

    /// Whether a leg leads from a square to another. After a hurdle it has to do something.
    fn leg_leads_to<N: Number>(&self, leg: &Leg, from: &Point<N>, to: &Point<N>, first: bool) -> Answer {
        match solve(leg, from, to) {
            Some((counts, certain)) => self.is_way_free(leg, from, &counts, first).and(certain),
            None => Answer::No,
        }
    }

    /// Whether every square is free on which a leg with these counts does not end.
    fn is_way_free<N: Number>(&self, leg: &Leg, from: &Point<N>, counts: &[N; 2], first: bool) -> Answer {
        let (mut here, mut moved, mut answer) = (from.clone(), false, Answer::Yes);
        let mut counts = counts.iter();
        for segment in &leg.segments {
            let count = match segment {
                Segment::Jump(_) => None,
                Segment::Run(_) => counts.next(),
            };
            if count == Some(&N::ZERO) {
                continue;
            }
            if moved && !self.is_free(&here.to_square()) {
                return Answer::No;
            }
            moved = true;
            match (segment, count) {
                (Segment::Jump(jump), _) => here = here.plus((*jump).into()),
                (Segment::Run(run), Some(count)) => {
                    let (obstacle, certain) = self.first_obstacle(run, &here);
                    if let Some(obstacle) = obstacle {
                        let last = obstacle.offset + 1 == run.offsets.len();
                        let free = *count <= obstacle.round || (last && *count == obstacle.round.plus(1));
                        if !free {
                            return Answer::No;
                        }
                    }
                    if !certain {
                        answer = Answer::Unknown;
                    }
                    here = here.plus_times(count, run.step());
                }
                (Segment::Run(_), None) => {}
            }
        }
        if moved || first { answer } else { Answer::No }
    }

    /// The first square of a run that is not empty, and whether that is certain: among huge distances it may
    /// not be known which are prime.
    #[inline]
    fn first_obstacle<N: Number>(&self, run: &Run, base: &Point<N>) -> (Option<Obstacle<N>>, bool) {
        let step = run.step();
        let mut best: Option<(N, usize, &Square)> = None;
        let mut certain = true;
        let first = base.plus(run.offsets[0]);
        // Whether something stands in the way of it.
        let mut look = |square| {
            let Some(point) = Point::<N>::of_distant(square) else { return best.is_some() };
            for (index, offset) in run.offsets.iter().enumerate() {
                let start = if index == 0 { first.clone() } else { base.plus(*offset) };
                let Some(round) = N::ratio(&point.x.minus(&start.x), &point.y.minus(&start.y), step) else {
                    continue;
                };
                let nearer = best.as_ref().is_none_or(|(r, i, _)| (&round, index) < (r, *i));
                if !nearer || square == self.start {
                    continue;
                }
                match if run.prime { round.plus(1).is_prime() } else { Some(true) } {
                    Some(true) => best = Some((round, index, square)),
                    Some(false) => {}
                    None => certain = false,
                }
            }
            best.is_some()
        };
        match (run.offsets.len(), i64::try_from(step.x), i64::try_from(step.y)) {
            (1, Ok(x), Ok(y)) => {
                let through = base.to_square();
                for square in self.board.occupied_on_line(&through, Jump { x, y }) {
                    if look(square) && B::IS_ORDERED {
                        break;
                    }
                }
            }
            _ => {
                for square in self.board.occupied() {
                    look(square);
                }
            }
        }
        let mut first =
            best.map(|(round, offset, square)| Obstacle { round, offset, square: Some(square.clone()) });
        if let Some(border) = self.board.border().filter(|border| !border.is_open()) {
            for (index, offset) in run.offsets.iter().enumerate() {
                let start = base.plus(*offset).to_square();
                let Some(round) = rounds_on_board(&start, step, border).and_then(|r| N::from_distant(&r))
                else {
                    continue;
                };
                if first.as_ref().is_none_or(|f| (&round, index) < (&f.round, f.offset)) {
                    first = Some(Obstacle { round, offset: index, square: None });
                }
            }
        }
        (first, certain)
    }
}

/// How often each run of a leg has to go round to lead from a square to another, and whether that is certain:
/// of huge counts it may not be known whether they are prime.
#[inline]
fn solve<N: Number>(leg: &Leg, from: &Point<N>, to: &Point<N>) -> Option<([N; 2], bool)> {
    let goal = from.plus(leg.fixed);
    let (x, y) = (to.x.minus(&goal.x), to.y.minus(&goal.y));
    let mut runs = leg.runs();
    let counts = match (runs.next(), runs.next()) {
        (None, _) => (x == N::ZERO && y == N::ZERO).then_some([N::ZERO, N::ZERO]),
        (Some(run), None) => N::ratio(&x, &y, run.step()).map(|count| [count, N::ZERO]),
        (Some(run), Some(other)) => ratios(&x.to_coord(), &y.to_coord(), run.step(), other.step())
            .and_then(|(k, l)| Some([N::from_coord(&k)?, N::from_coord(&l)?])),
    }?;
    let mut certain = true;
    for (run, count) in leg.runs().zip(&counts) {
        if !count.is_within(run.times.least, run.times.most) {
            return None;
        }
        match if run.prime { count.is_prime() } else { Some(true) } {
            Some(true) => {}
            Some(false) => return None,
            None => certain = false,
        }
    }
    Some((counts, certain))
}

/// How many of the squares `start`, `start + step`, … are on the board before one is not; `None` if all are.
fn rounds_on_board(start: &Square, step: Vector, border: &Border) -> Option<Coord> {
    if !border.contains(start) {
        return Some(Coord::ZERO);
    }
    let along = |from: &Coord, step: i128, low: &Option<Coord>, high: &Option<Coord>| {
        let room = if step > 0 { high.as_ref()? - from } else { from - low.as_ref()? };
        (step != 0).then(|| &room.div_rem_euclid(&Coord::from(step.abs())).0 + 1)
    };
    let x = along(&start.x, step.x, &border.left, &border.right);
    let y = along(&start.y, step.y, &border.bottom, &border.top);
    match (x, y) {
        (Some(x), Some(y)) => Some(x.min(y)),
        (x, y) => x.or(y),
    }
}

/// A ray of a piece on its square: its stops are `base + k · step` for the counts `first ≤ k ≤ last`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ray<'a> {
    /// The repeated word.
    pub run: &'a Run,
    /// Where the first round starts.
    pub base: Square,
    /// How many whole rounds are free; `None` is without end.
    pub free: Option<Coord>,
    /// The first piece in the way.
    pub blocker: Option<Square>,
    /// Whether that is certain: of a piece at a huge distance it may not be known whether the distance is
    /// prime.
    pub certain: bool,
}

impl<B: Board> Question<'_, B> {
    /// The ray of a path whose only leg begins with jumps and a run, or `None` if the way to the run is
    /// blocked.
    pub(crate) fn ray<'p>(&self, path: &'p Path) -> Option<Ray<'p>> {
        let [leg] = &*path.legs else { return None };
        let mut here = Point::<Coord>::of(self.start)?;
        for (index, segment) in leg.segments.iter().enumerate() {
            let square = here.to_square();
            if index > 0 && !self.is_free(&square) {
                return None;
            }
            match segment {
                Segment::Jump(jump) => here = here.plus((*jump).into()),
                Segment::Run(run) => {
                    let (obstacle, certain) = self.first_obstacle(run, &here);
                    let (free, blocker) = obstacle.map_or((None, None), |o| (Some(o.round), o.square));
                    return Some(Ray { run, base: square, free, blocker, certain });
                }
            }
        }
        None
    }

    /// Shows every square in a window that a path leads to; squares may come twice. `steps` limits the work.
    pub(crate) fn each_stop(
        &self,
        path: &Path,
        window: &Rect,
        steps: &mut usize,
        visit: &mut impl FnMut(Square) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let start = Point::of(self.start).expect("coordinates of any size have no limits");
        self.each_leg(&path.legs, &start, true, window, steps, visit)
    }

    fn each_leg(
        &self,
        legs: &[Leg],
        from: &Point<Coord>,
        first: bool,
        window: &Rect,
        steps: &mut usize,
        visit: &mut impl FnMut(Square) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let [leg, rest @ ..] = legs else { return ControlFlow::Continue(()) };
        if rest.is_empty() {
            return self.each_end(&leg.segments, from, !first, true, window, steps, visit);
        }
        for hurdle in self.board.occupied().filter(|hurdle| *hurdle != self.start && self.is_on_board(hurdle))
        {
            spend(steps)?;
            let over = Point::of(hurdle).expect("coordinates of any size have no limits");
            match self.leg_leads_to(leg, from, &over, first) {
                Answer::Yes => self.each_leg(rest, &over, false, window, steps, visit)?,
                Answer::No => {}
                Answer::Unknown => return ControlFlow::Break(()),
            }
        }
        ControlFlow::Continue(())
    }

    /// Shows every end of the segments from here on.
    ///
    /// Only a square on which the word does not end has to be free, and whether it ends there is known one
    /// segment later. So a square is looked at when something leaves it, not when it is reached. `vacant`
    /// says that the square here needs no look: the piece starts here, or stands on the hurdle that it has
    /// just jumped onto. `hurdle` says that nothing has been done since the last hurdle: a word must not end
    /// on one.
    #[expect(clippy::too_many_arguments, reason = "the state of one recursive walk, two runs deep")]
    fn each_end(
        &self,
        segments: &[Segment],
        here: &Point<Coord>,
        hurdle: bool,
        vacant: bool,
        window: &Rect,
        steps: &mut usize,
        visit: &mut impl FnMut(Square) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (mut here, mut hurdle, mut vacant) = (here.clone(), hurdle, vacant);
        let mut rest = segments;
        while let [segment, tail @ ..] = rest {
            rest = tail;
            let run = match segment {
                Segment::Jump(jump) => {
                    if !vacant && !self.is_free(&here.to_square()) {
                        return ControlFlow::Continue(());
                    }
                    here = here.plus((*jump).into());
                    (hurdle, vacant) = (false, false);
                    continue;
                }
                Segment::Run(run) => run,
            };
            // A run of no rounds leaves the piece where it is, and all that was known of that square still
            // holds. It is walked apart, because one round or more needs the square here to be free.
            if run.times.least == 0 {
                spend(steps)?;
                self.each_end(rest, &here, hurdle, vacant, window, steps, visit)?;
            }
            if !vacant && !self.is_free(&here.to_square()) {
                return ControlFlow::Continue(());
            }
            let (obstacle, certain) = self.first_obstacle(run, &here);
            // Without a window a run has no last round. What follows the run is at most one more run, so the
            // counts that can still end in the window lie between two numbers that a division gives.
            let (mut least, mut most) = counts_in_window(&here, run.step(), rest, window);
            least = least.max(Coord::from(run.times.least.max(1)));
            most = run.times.most.map_or(most.clone(), |limit| most.min(Coord::from(limit)));
            if let Some(obstacle) = obstacle {
                // A round that would end on the obstacle may be the last: whether it can be taken is for the
                // end to say. An obstacle in the middle of a round spoils it.
                let landing = i64::from(obstacle.offset + 1 == run.offsets.len());
                most = most.min(&obstacle.round + landing);
            }
            while least <= most {
                spend(steps)?;
                match if run.prime { least.is_prime() } else { Some(true) } {
                    Some(true) => {
                        let end = here.plus_times(&least, run.step());
                        self.each_end(rest, &end, false, false, window, steps, visit)?;
                    }
                    Some(false) => {}
                    None => return ControlFlow::Break(()),
                }
                least = &least + 1;
            }
            // An obstacle whose distance may be prime could have ended the run earlier: the list is not
            // complete.
            return if certain { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        }
        let end = here.to_square();
        if !hurdle && window.contains(&end) && self.is_on_board(&end) {
            visit(end)
        } else {
            ControlFlow::Continue(())
        }
    }
}

fn spend(steps: &mut usize) -> ControlFlow<()> {
    match steps.checked_sub(1) {
        Some(left) => {
            *steps = left;
            ControlFlow::Continue(())
        }
        None => ControlFlow::Break(()),
    }
}

/// The counts of a run after which the rest of a leg can end in a window: a range that may hold too many.
fn counts_in_window(here: &Point<Coord>, step: Vector, rest: &[Segment], window: &Rect) -> (Coord, Coord) {
    let mut goal = here.clone();
    let mut other = None;
    for segment in rest {
        match segment {
            Segment::Jump(jump) => goal = goal.plus((*jump).into()),
            Segment::Run(run) => other = Some(run.step()),
        }
    }
    let (left, right) = (window.left() - &goal.x, window.right() - &goal.x);
    let (bottom, top) = (window.bottom() - &goal.y, window.top() - &goal.y);
    match other {
        None => {
            let (x0, x1) = counts_between(&left, &right, step.x);
            let (y0, y1) = counts_between(&bottom, &top, step.y);
            let least = x0.into_iter().chain(y0).max().unwrap_or(Coord::ZERO);
            let most = [x1, y1].into_iter().flatten().min().unwrap_or(Coord::from(-1));
            (least, most)
        }
        Some(second) => {
            // (x, y) = k·step + l·second, so k is det(p, second) / det(step, second): extreme at the corners.
            let [ax, ay, bx, by] = [step.x, step.y, second.x, second.y].map(Coord::from);
            let det = &(&ax * &by) - &(&ay * &bx);
            let counts = [(&left, &bottom), (&left, &top), (&right, &bottom), (&right, &top)]
                .map(|(x, y)| (&(x * &by) - &(y * &bx)).div_rem_euclid(&det).0);
            let least = counts.iter().min().expect("four corners");
            let most = counts.iter().max().expect("four corners");
            // Euclidean quotients are within one of the true ones.
            (least - 1, most + 1)
        }
    }
}

/// The counts `k` with `low ≤ k · step ≤ high`; without bounds if the step is zero and zero lies between.
fn counts_between(low: &Coord, high: &Coord, step: i128) -> (Option<Coord>, Option<Coord>) {
    if step == 0 {
        let inside = !high.is_negative() && (low.is_negative() || low.is_zero());
        return if inside { (None, None) } else { (Some(Coord::ZERO), Some(Coord::from(-1))) };
    }
    let (low, high) = if step > 0 { (low.clone(), high.clone()) } else { (-high, -low) };
    let step = Coord::from(step.abs());
    let least = -&((-&low).div_rem_euclid(&step).0);
    (Some(least), Some(high.div_rem_euclid(&step).0))
}
