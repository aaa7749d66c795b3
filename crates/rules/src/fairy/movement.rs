//! Movements ready for questions.

use std::cell::Cell;
use std::ops::ControlFlow;

use boardprint_base::{Coord, Player, Rect, Square};

use super::board::{Board, Occupant};
use super::expr::Expr;
use super::node::Nodes;
use super::path::{End, Path, Vector, expand};
use super::rays::{Answer, Question, Ray};
use super::search::Wanderer;
use super::symmetry::Symmetry;
use super::{Limits, TooComplex};

/// A movement compiled once to answer many questions.
///
/// What can be multiplied out into closed forms is answered exactly at any distance, without allocation while
/// coordinates are within 2^60. The rest is searched within [`Limits`].
///
/// ```
/// use boardprint_base::Square;
/// use boardprint_rules::fairy::{Movement, Mover, Reach, Surroundings};
/// let rook = Movement::new(&"[1,0]^*|/".parse()?)?;
/// let far = Square::new(10_i64.pow(15), 0);
/// let from = Square::new(0, 0);
/// let board = Surroundings::new([], [far.clone()]);
/// assert_eq!(rook.reach(Mover::at(&from), &far, &board), Reach::Capture);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Movement {
    plain: Program,
    /// With the special right, where that matters.
    with_right: Option<Program>,
}

/// The piece that moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mover<'a> {
    /// Where it stands. That square counts as empty.
    pub from: &'a Square,
    /// Whether it has its special right.
    pub right: bool,
}

impl<'a> Mover<'a> {
    /// A piece without special right.
    #[must_use]
    pub const fn at(from: &'a Square) -> Self {
        Mover { from, right: false }
    }

    /// The same piece with its special right.
    #[must_use]
    pub const fn with_right(self) -> Self {
        Mover { right: true, ..self }
    }
}

/// Whether a piece reaches a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reach {
    /// Yes, and the square is empty.
    Quiet,
    /// Yes, and it captures there.
    Capture,
    /// Yes: the square is the one it stands on.
    Null,
    /// No.
    No,
    /// The limits did not allow an answer.
    Unknown,
}

impl Reach {
    /// Whether the answer is yes.
    #[must_use]
    pub const fn is_yes(self) -> bool {
        matches!(self, Reach::Quiet | Reach::Capture | Reach::Null)
    }

    /// The answer in a word: `quiet`, `capture`, `null`, `no` or `unknown`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Reach::Quiet => "quiet",
            Reach::Capture => "capture",
            Reach::Null => "null",
            Reach::No => "no",
            Reach::Unknown => "unknown",
        }
    }
}

/// A square that a piece reaches.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stop {
    /// The square.
    pub square: Square,
    /// Whether it captures there.
    pub capture: bool,
}

/// The squares that a piece reaches inside a window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stops {
    /// The squares in reading order, each once. The null move is among them.
    pub stops: Vec<Stop>,
    /// Whether these are all; otherwise the limits cut the list.
    pub complete: bool,
}

impl Movement {
    /// Compiles a movement as the side moving up has it.
    ///
    /// # Errors
    ///
    /// [`TooComplex`] if the movement is beyond the limits of the compiler.
    pub fn new(expr: &Expr) -> Result<Self, TooComplex> {
        Self::with_symmetry(expr, Symmetry::IDENTITY)
    }

    /// Compiles a movement as a player has it: all but white have y negated.
    ///
    /// # Errors
    ///
    /// [`TooComplex`] if the movement is beyond the limits of the compiler.
    pub fn for_player(expr: &Expr, player: Player) -> Result<Self, TooComplex> {
        let upwards = player.forward() > 0;
        Self::with_symmetry(expr, if upwards { Symmetry::IDENTITY } else { Symmetry::FLIP_Y })
    }

    fn with_symmetry(expr: &Expr, symmetry: usize) -> Result<Self, TooComplex> {
        let plain = Program::new(expr, false, symmetry)?;
        let with_right = expr.uses_right().then(|| Program::new(expr, true, symmetry)).transpose()?;
        Ok(Movement { plain, with_right })
    }

    #[inline]
    fn program(&self, right: bool) -> &Program {
        self.with_right.as_ref().filter(|_| right).unwrap_or(&self.plain)
    }

    /// Whether every question has an exact answer from closed forms: no part of the movement wanders.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.plain.wanderer.is_none() && self.with_right.as_ref().is_none_or(|p| p.wanderer.is_none())
    }

    /// The closed forms of the movement. Together they are the whole of it if it [is
    /// exact](Movement::is_exact).
    pub fn paths(&self, right: bool) -> impl Iterator<Item = &Path> {
        let program = self.program(right);
        program.fixed.iter().map(|(_, path)| path).chain(&program.rays)
    }

    /// Whether the piece reaches a square.
    #[must_use]
    #[inline]
    pub fn reach<B: Board>(&self, mover: Mover<'_>, to: &Square, board: &B) -> Reach {
        self.reach_within(mover, to, board, &Limits::default())
    }

    /// Whether the piece reaches a square, searching within limits where no closed form is known.
    #[must_use]
    #[inline]
    pub fn reach_within<B: Board>(&self, mover: Mover<'_>, to: &Square, board: &B, limits: &Limits) -> Reach {
        let question = Question { board, start: mover.from };
        // Most squares are on no path, so what stands there is looked up only when it matters.
        let known = Cell::new(None);
        let if_reached = || {
            known.get().unwrap_or_else(|| {
                let reach = match question.at(to) {
                    _ if !question.is_on_board(to) => Reach::No,
                    Occupant::Friend => Reach::No,
                    Occupant::Enemy => Reach::Capture,
                    Occupant::Empty if to == mover.from => Reach::Null,
                    Occupant::Empty => Reach::Quiet,
                };
                known.set(Some(reach));
                reach
            })
        };
        match self.program(mover.right).leads_to(&question, to, &if_reached, limits) {
            Answer::Yes => if_reached(),
            Answer::No => Reach::No,
            Answer::Unknown => Reach::Unknown,
        }
    }

    /// The closed forms along which the piece reaches a square, each with how certain that is; what wanders
    /// is left out.
    pub(crate) fn paths_to<'m, 'b, B: Board>(
        &'m self,
        mover: Mover<'b>,
        to: &'b Square,
        board: &'b B,
    ) -> impl Iterator<Item = (&'m Path, Answer)> + use<'m, 'b, B> {
        let question = Question { board, start: mover.from };
        let program = self.program(mover.right);
        let paths = program.fixed_paths(mover.from, to).iter().map(|(_, path)| path).chain(&program.rays);
        let unfit = if board.at(to) == Occupant::Enemy { End::Quiet } else { End::Capture };
        let answers = paths.map(move |path| (path, question.leads_to(path, to, || path.end != unfit)));
        answers.filter(|(_, answer)| *answer != Answer::No)
    }

    /// Which of some pieces that move so reach a square: the attackers, each asked with its own path.
    ///
    /// The board is as these pieces see it.
    pub fn attackers<'a, B: Board>(
        &'a self,
        pieces: impl IntoIterator<Item = Mover<'a>> + 'a,
        to: &'a Square,
        board: &'a B,
    ) -> impl Iterator<Item = (Mover<'a>, Reach)> + 'a {
        let answers = pieces.into_iter().map(move |mover| (mover, self.reach(mover, to, board)));
        answers.filter(|(_, reach)| *reach != Reach::No)
    }

    /// The rays of the piece with the first blocker on each; rays whose beginning is blocked are left out.
    pub fn rays<'a, B: Board>(
        &'a self,
        mover: Mover<'a>,
        board: &'a B,
    ) -> impl Iterator<Item = (&'a Path, Ray<'a>)> + 'a {
        let rays = self.program(mover.right).rays.iter();
        rays.filter_map(move |path| Some((path, Question { board, start: mover.from }.ray(path)?)))
    }

    /// Shows every square of a window that the piece reaches, one after the other and without collecting; a
    /// square may come twice. Returns whether these are all.
    pub fn for_each_stop<B: Board>(
        &self,
        mover: Mover<'_>,
        board: &B,
        window: &Rect,
        limits: &Limits,
        mut visit: impl FnMut(Stop) -> ControlFlow<()>,
    ) -> bool {
        let question = Question { board, start: mover.from };
        let mut show = |square: Square, end: End| match (question.at(&square), end) {
            (Occupant::Friend, _) | (Occupant::Enemy, End::Quiet) | (Occupant::Empty, End::Capture) => {
                ControlFlow::Continue(())
            }
            (Occupant::Enemy, _) => visit(Stop { square, capture: true }),
            (Occupant::Empty, _) => visit(Stop { square, capture: false }),
        };
        let mut steps = limits.steps;
        for path in self.paths(mover.right) {
            let flow = question.each_stop(path, window, &mut steps, &mut |square| show(square, path.end));
            if flow.is_break() {
                return false;
            }
        }
        match &self.program(mover.right).wanderer {
            None => true,
            Some(wanderer) => {
                let (squares, complete) = wanderer.stops(&question, window, limits.steps);
                complete & squares.into_iter().try_for_each(|square| show(square, End::Any)).is_continue()
            }
        }
    }

    /// The squares of a window that the piece reaches. The board goes on beyond the window unless it has a
    /// border.
    #[must_use]
    pub fn stops<B: Board>(&self, mover: Mover<'_>, board: &B, window: &Rect, limits: &Limits) -> Stops {
        let mut stops = Vec::new();
        let mut room = limits.stops;
        let mut complete = self.for_each_stop(mover, board, window, limits, |stop| {
            // Doubles are dropped when there may be too many of them.
            if stops.len() >= 2 * room {
                stops.sort_unstable();
                stops.dedup();
                if stops.len() >= room {
                    return ControlFlow::Break(());
                }
            }
            stops.push(stop);
            ControlFlow::Continue(())
        });
        stops.sort_unstable();
        stops.dedup();
        room = room.min(stops.len());
        complete &= room == stops.len();
        stops.truncate(room);
        Stops { stops, complete }
    }
}

/// One side of a movement: with or without the special right.
#[derive(Clone, Debug)]
struct Program {
    /// Paths of a fixed displacement, sorted by it.
    fixed: Vec<(Vector, Path)>,
    /// Paths with repeats or hurdles.
    rays: Vec<Path>,
    /// The whole movement, if the paths are not all of it.
    wanderer: Option<Box<Wanderer>>,
}

impl Program {
    fn new(expr: &Expr, right: bool, symmetry: usize) -> Result<Self, TooComplex> {
        let mut nodes = Nodes::default();
        let root = nodes.compile(expr, right)?[symmetry];
        let expansion = expand(&nodes, root);
        let (mut fixed, mut rays) = (Vec::new(), Vec::new());
        for path in expansion.paths {
            match path.displacement() {
                Some(displacement) => fixed.push((displacement, path)),
                None => rays.push(path),
            }
        }
        // The shortest way first: it asks for the fewest squares.
        fixed.sort_by_key(|(displacement, path)| (*displacement, path.legs[0].segments.len()));
        let wanderer = (!expansion.complete).then(|| Box::new(Wanderer::new(&nodes, root)));
        Ok(Program { fixed, rays, wanderer })
    }

    /// Whether a path leads to a square; `if_reached` tells what the answer is then.
    #[inline]
    fn leads_to<B: Board>(
        &self,
        question: &Question<'_, B>,
        to: &Square,
        if_reached: &impl Fn() -> Reach,
        limits: &Limits,
    ) -> Answer {
        let ends_well = |end: End| match if_reached() {
            Reach::No | Reach::Unknown => false,
            Reach::Capture => end != End::Quiet,
            Reach::Quiet | Reach::Null => end != End::Capture,
        };
        let mut answer = Answer::No;
        for path in self.fixed_paths(question.start, to).iter().map(|(_, path)| path).chain(&self.rays) {
            match question.leads_to(path, to, || ends_well(path.end)) {
                Answer::Yes => return Answer::Yes,
                Answer::Unknown => answer = Answer::Unknown,
                Answer::No => {}
            }
        }
        match &self.wanderer {
            Some(wanderer) if ends_well(End::Any) => match wanderer.leads_to(question, to, limits.steps) {
                Answer::No => answer,
                other => other,
            },
            _ => answer,
        }
    }

    /// The paths of fixed displacement that lead from one square to another.
    #[inline]
    fn fixed_paths(&self, from: &Square, to: &Square) -> &[(Vector, Path)] {
        let part = |from: &Coord, to: &Coord| match (from.as_i64(), to.as_i64()) {
            (Some(from), Some(to)) => Some(i128::from(to) - i128::from(from)),
            _ => (to - from).to_i128(),
        };
        let (Some(x), Some(y)) = (part(&from.x, &to.x), part(&from.y, &to.y)) else { return &[] };
        let wanted = Vector { x, y };
        let start = self.fixed.partition_point(|(displacement, _)| *displacement < wanted);
        let length = self.fixed[start..].partition_point(|(displacement, _)| *displacement == wanted);
        &self.fixed[start..start + length]
    }
}
