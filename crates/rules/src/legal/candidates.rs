//! Whether a player can move at all, decided from finitely many candidates on a board without end.

use std::cell::OnceCell;
use std::ops::ControlFlow;
use std::rc::Rc;

use boardprint_base::{Coord, Move, Piece, PieceKind, Placed, Position, Rect, Square};

use super::attack::Attack;
use super::guard::Guard;
use super::lines::Lined;
use super::{Answer, Referee, Refusal, has_to_promote, line, view};
use crate::fairy::{Leg, Limits, Movement, Mover, Path, Run, Segment, Vector};

/// How many stops of one ray, or of one movement without closed form, are tried.
const BUDGET: i64 = 4096;

/// A ray of a piece on its square.
struct Slide {
    step: Vector,
    least: Coord,
    /// The last stop, the capture included; `None` without end.
    most: Option<Coord>,
}

impl Referee<'_> {
    /// Whether the player to move has a legal move.
    ///
    /// Every leap is tried. On a ray the first stop is tried. If that is illegal, some line of attack is open
    /// while the piece is off the board, and only a stop that captures the attacker or stands in its line can
    /// be legal: where the lines cross there is one such stop, and along the same line only those between
    /// attacker and royal. Castling need not be tried: it goes over a square onto which the king could step.
    ///
    /// The site does not decide on the open board whether a royal that slides has a safe stop; neither is it
    /// decided here unless one is found nearby. Between edges every stop is tried.
    #[must_use]
    pub fn can_move(&self, position: &mut Position) -> Answer {
        self.can_move_out_of(position, Answer::Unknown)
    }

    /// The same where it is known already whether the player is in check.
    pub(super) fn can_move_out_of(&self, position: &mut Position, check: Answer) -> Answer {
        let player = position.turn.to_move();
        if check == Answer::No && self.moves_freely(position, player) {
            return Answer::Yes;
        }
        let may_be_attacked = check != Answer::No && self.heeds_check(player);
        let attacks = if may_be_attacked { self.attacks(position, player) } else { None };
        let threat = attacks.into_iter().flatten().find(|attack| attack.certain && attack.has_line());
        let search = Search { referee: self, check, threat, guard: OnceCell::new() };
        let mut answer = Answer::No;
        // A royal that only leaps comes first: in check it is tried soon, and most likely to be able to move.
        for is_first in [true, false] {
            for index in 0..position.pieces.len() {
                let placed = &position.pieces.as_slice()[index];
                if placed.piece.player != player || self.is_leaping_royal(placed.piece) != is_first {
                    continue;
                }
                let placed = placed.clone();
                match search.can_piece_move(position, &placed) {
                    Answer::Yes => return Answer::Yes,
                    Answer::Unknown => answer = Answer::Unknown,
                    Answer::No => {}
                }
            }
        }
        answer
    }

    fn is_leaping_royal(&self, piece: Piece) -> bool {
        let strikes = self.table.strikes().of(piece);
        self.is_royal(piece) && strikes.is_plain() && strikes.rays == 0
    }
}

/// The search for a legal move of one position.
struct Search<'r, 't> {
    referee: &'r Referee<'t>,
    /// Whether the player is in check.
    check: Answer,
    /// A check that every move has to meet.
    threat: Option<Attack<'t>>,
    /// What holds for most pieces alike, once somebody asks.
    guard: OnceCell<Guard<'t>>,
}

impl<'t> Search<'_, 't> {
    fn can_piece_move(&self, position: &mut Position, placed: &Placed) -> Answer {
        let Some(definition) = self.referee.table.get(placed.piece.kind) else { return Answer::Unknown };
        let movement = definition.movement(placed.piece.player);
        let mut answer = Answer::No;
        let mut is_plain = movement.is_exact();
        for path in movement.paths(placed.right) {
            if let Some(displacement) = path.displacement() {
                let to = line::along(&placed.square, displacement, &Coord::from(1));
                match self.try_move(position, placed, to) {
                    Answer::Yes => return Answer::Yes,
                    Answer::Unknown => answer = Answer::Unknown,
                    Answer::No => {}
                }
            } else if path.as_ray().is_none() {
                is_plain = false;
            }
        }
        if placed.piece.kind == PieceKind::Pawn
            && let Some(square) = position.en_passant.clone()
            && self.try_all_promotions(position, placed, square) == Answer::Yes
        {
            return Answer::Yes;
        }
        match self.can_slide(position, placed, movement) {
            Answer::Yes => return Answer::Yes,
            Answer::Unknown => answer = Answer::Unknown,
            Answer::No => {}
        }
        if is_plain {
            return answer;
        }
        match self.can_wander(position, placed, movement) {
            Answer::No => answer,
            other => other,
        }
    }

    /// Whether a piece can move along one of its rays.
    fn can_slide(&self, position: &mut Position, placed: &Placed, movement: &Movement) -> Answer {
        let runs = || movement.paths(placed.right).filter_map(Path::as_ray);
        let first =
            |run: &Run| line::along(&placed.square, run.step(), &Coord::from(run.times().least.max(1)));
        let mut answer = self.try_moves(position, placed, runs().map(first));
        // Nothing lies behind a first stop that is occupied.
        let goes_on =
            |square: &Square| position.laws.border.contains(square) && position.pieces.get(square).is_none();
        if answer == Answer::Yes || !runs().map(first).any(|square| goes_on(&square)) {
            return answer;
        }
        let slides = self.slides(position, placed, movement);
        let open = slides.into_iter().filter(|slide| slide.most.as_ref() != Some(&slide.least));
        let open: Vec<Slide> = open.collect();
        if open.is_empty() {
            return answer;
        }
        // A royal that slides has to be tried square by square. Between edges that ends; without end the site
        // does not decide it, and neither do we.
        let is_royal = self.referee.is_royal(placed.piece);
        let attacks = if is_royal { None } else { self.attacks_without(position, placed) };
        for slide in &open {
            let found = if is_royal {
                self.try_range(position, placed, slide)
            } else {
                self.can_slide_into(position, placed, slide, attacks.as_deref())
            };
            match found {
                Answer::Yes => return Answer::Yes,
                Answer::Unknown => answer = Answer::Unknown,
                Answer::No => {}
            }
        }
        answer
    }

    /// The rays of a piece that have a stop, friends' squares excluded.
    fn slides(&self, position: &Position, placed: &Placed, movement: &Movement) -> Vec<Slide> {
        let guard = self.guard(position);
        let view = view(position, placed.piece.player);
        let lined = Lined { view, lines: Some(guard.lines()) };
        let mover = Mover { from: &placed.square, right: placed.right };
        let rays = movement.rays(mover, &lined).filter(|(path, _)| path.as_ray().is_some());
        let slides = rays.filter_map(|(_, ray)| {
            let can_take = |blocker: &Square| {
                use crate::fairy::{Board, Occupant};
                view.at(blocker) == Occupant::Enemy
            };
            let free = ray.free.map(|free| match &ray.blocker {
                Some(blocker) if can_take(blocker) => &free + 1,
                _ => free,
            });
            let limits = [free, ray.run.times().most.map(Coord::from), self.referee.slide_limit.clone()];
            let most = limits.into_iter().flatten().min();
            let least = Coord::from(ray.run.times().least.max(1));
            let has_stop = most.as_ref().is_none_or(|most| least <= *most);
            has_stop.then(|| Slide { step: ray.run.step(), least, most })
        });
        slides.collect()
    }

    /// The attacks on the royals of a piece's player while that piece is off the board.
    fn attacks_without(&self, position: &mut Position, placed: &Placed) -> Option<Rc<[Attack<'t>]>> {
        let player = placed.piece.player;
        if let Some(attacks) = self.guard(position).attacks_apart_from(placed) {
            return Some(attacks).filter(|_| self.referee.heeds_check(player));
        }
        if !self.referee.heeds_check(player) || self.referee.has_hurdles(position, player) {
            return None;
        }
        position.pieces.remove(&placed.square);
        let attacks = self.referee.attacks(position, player);
        position.pieces.insert(placed.clone());
        attacks.map(Into::into)
    }

    /// The position is as it was before the search.
    fn guard(&self, position: &Position) -> &Guard<'t> {
        self.guard.get_or_init(|| Guard::new(self.referee, position, position.turn.to_move()))
    }

    /// Whether a legal stop exists on a ray whose first stop is illegal.
    fn can_slide_into(
        &self,
        position: &mut Position,
        placed: &Placed,
        slide: &Slide,
        attacks: Option<&[Attack<'_>]>,
    ) -> Answer {
        let Some(attacks) = attacks else { return self.try_range(position, placed, slide) };
        let (mut least, mut most) = (slide.least.clone(), slide.most.clone());
        let mut is_bounded = false;
        for attack in attacks.iter().filter(|attack| attack.certain) {
            match stops_against(&placed.square, slide.step, attack) {
                Stops::These(counts) => {
                    let within = |count: &Coord| {
                        *count >= slide.least && slide.most.as_ref().is_none_or(|most| count <= most)
                    };
                    let squares = counts.iter().filter(|count| within(count));
                    let squares = squares.map(|count| line::along(&placed.square, slide.step, count));
                    return self.try_moves(position, placed, squares);
                }
                Stops::Between(low, high) => {
                    least = least.max(low);
                    most = Some(most.map_or(high.clone(), |most| most.min(high)));
                    is_bounded = true;
                }
                Stops::Unknown => {}
            }
        }
        if is_bounded && most.as_ref().is_some_and(|most| *most < least) {
            return Answer::No;
        }
        self.try_range(position, placed, &Slide { step: slide.step, least, most })
    }

    /// Tries the stops of a ray one after the other, as far as the budget goes.
    fn try_range(&self, position: &mut Position, placed: &Placed, slide: &Slide) -> Answer {
        let end = &slide.least + BUDGET;
        let is_cut = slide.most.as_ref().is_none_or(|most| *most > end);
        let last = slide.most.clone().filter(|_| !is_cut).unwrap_or(end);
        let mut count = slide.least.clone();
        let counts = std::iter::from_fn(|| {
            let here = count.clone();
            count = &count + 1;
            (here <= last).then_some(here)
        });
        let squares = counts.map(|count| line::along(&placed.square, slide.step, &count));
        match self.try_moves(position, placed, squares) {
            Answer::No if is_cut => Answer::Unknown,
            answer => answer,
        }
    }

    /// Tries the stops of a movement without closed form, near the pieces of the board.
    fn can_wander(&self, position: &mut Position, placed: &Placed, movement: &Movement) -> Answer {
        let window = neighbourhood(position);
        let limits = Limits { steps: 1 << 20, stops: usize::try_from(BUDGET).unwrap_or(0) };
        let mover = Mover { from: &placed.square, right: placed.right };
        let stops = movement.stops(mover, &view(position, placed.piece.player), &window, &limits);
        let squares = stops.stops.into_iter().map(|stop| stop.square);
        let border = &position.laws.border;
        let is_whole_board = window.to_border() == *border;
        match self.try_moves(position, placed, squares) {
            Answer::No if !(stops.complete && is_whole_board) => Answer::Unknown,
            answer => answer,
        }
    }

    fn try_moves(
        &self,
        position: &mut Position,
        placed: &Placed,
        squares: impl IntoIterator<Item = Square>,
    ) -> Answer {
        let mut answer = Answer::No;
        let flow = squares.into_iter().try_for_each(|square| match self.try_move(position, placed, square) {
            Answer::Yes => ControlFlow::Break(()),
            Answer::Unknown => {
                answer = Answer::Unknown;
                ControlFlow::Continue(())
            }
            Answer::No => ControlFlow::Continue(()),
        });
        if flow.is_break() { Answer::Yes } else { answer }
    }

    /// Whether a piece may go to a square.
    fn try_move(&self, position: &mut Position, placed: &Placed, to: Square) -> Answer {
        if let Some(threat) = &self.threat
            && !threat.is_met_on(&to)
            && !self.referee.is_royal(placed.piece)
        {
            return Answer::No;
        }
        self.try_all_promotions(position, placed, to)
    }

    /// Whether a piece may go to a square, with some promotion if it has to promote there.
    fn try_all_promotions(&self, position: &mut Position, placed: &Placed, to: Square) -> Answer {
        let mut mv = Move::new(placed.square.clone(), to);
        if !has_to_promote(position, placed.piece, &mv.to) {
            return self.try_out(position, &mv);
        }
        let laws = position.laws.clone();
        let choices = laws.promotion.get(&placed.piece.player).map_or(&[][..], |law| law.choices());
        let mut answer = Answer::No;
        for choice in choices {
            mv.promotion = Some(*choice);
            match self.try_out(position, &mv) {
                Answer::Yes => return Answer::Yes,
                Answer::Unknown => answer = Answer::Unknown,
                Answer::No => {}
            }
        }
        answer
    }

    fn try_out(&self, position: &mut Position, mv: &Move) -> Answer {
        match self.referee.play_if_legal(position, mv, self.check) {
            Ok(played) => {
                played.undo(position);
                Answer::Yes
            }
            Err(Refusal::Illegal) => Answer::No,
            Err(Refusal::Unknown) => Answer::Unknown,
        }
    }
}

impl Attack<'_> {
    /// Whether the squares on its way are known.
    pub(super) fn has_line(&self) -> bool {
        self.path.as_ray().is_some() || self.path.displacement().is_some()
    }

    /// Whether a piece that comes to a square takes the attacker or stands in its way.
    pub(super) fn is_met_on(&self, square: &Square) -> bool {
        if *square == self.from {
            return true;
        }
        match self.path.as_ray() {
            Some(run) => line::count(&self.from, square, run.step()).is_some_and(|count| {
                let whole = line::count(&self.from, &self.royal, run.step());
                !count.is_negative() && whole.is_none_or(|whole| count < whole)
            }),
            None => self.path.legs().iter().any(|leg| squares_of(leg, &self.from).contains(square)),
        }
    }
}

/// The stops of a ray that can meet an attack, as counts of steps.
enum Stops {
    These(Vec<Coord>),
    Between(Coord, Coord),
    Unknown,
}

/// The stops of a ray that capture an attacker or stand in its way.
fn stops_against(from: &Square, step: Vector, attack: &Attack<'_>) -> Stops {
    let count = |square: &Square| line::count(from, square, step);
    if let Some(run) = attack.path.as_ray() {
        let direction = Run::step(run);
        if !line::are_parallel(step, direction) {
            let crossing = line::crossing(from, step, &attack.from, direction);
            return Stops::These(count(&attack.from).into_iter().chain(crossing).collect());
        }
        if !line::is_on_line(from, &attack.royal, step) {
            return Stops::These(Vec::new());
        }
        let ends = [&attack.from, &attack.royal].map(|end| line::count_floor(from, end, step));
        let [a, b] = ends;
        let (low, high) = if a <= b { (a, b) } else { (b, a) };
        return Stops::Between(low, &high + 1);
    }
    match attack.path.legs() {
        [leg] if attack.path.displacement().is_some() => {
            let squares = squares_of(leg, &attack.from);
            Stops::These(std::iter::once(&attack.from).chain(&squares).filter_map(count).collect())
        }
        _ => Stops::Unknown,
    }
}

/// The squares on which a chain of single jumps lands, the last one excluded.
pub(super) fn squares_of(leg: &Leg, from: &Square) -> Vec<Square> {
    let mut here = from.clone();
    let mut squares: Vec<Square> = leg
        .segments()
        .iter()
        .filter_map(|segment| match segment {
            Segment::Jump(jump) => {
                here = here.offset(jump.x, jump.y);
                Some(here.clone())
            }
            Segment::Run(_) => None,
        })
        .collect();
    squares.pop();
    squares
}

/// The board if it has four edges and is small, else the pieces and some squares around them.
pub(super) fn neighbourhood(position: &Position) -> Rect {
    const MARGIN: i64 = 8;
    let border = &position.laws.border;
    let xs = || position.pieces.iter().map(|placed| &placed.square.x);
    let ys = || position.pieces.iter().map(|placed| &placed.square.y);
    let zero = Coord::ZERO;
    let low = |value: Option<&Coord>, edge: &Option<Coord>| {
        edge.clone().unwrap_or_else(|| value.unwrap_or(&zero) - MARGIN)
    };
    let high = |value: Option<&Coord>, edge: &Option<Coord>| {
        edge.clone().unwrap_or_else(|| value.unwrap_or(&zero) + MARGIN)
    };
    Rect::with_edges(
        low(xs().min(), &border.left),
        low(ys().min(), &border.bottom),
        high(xs().max(), &border.right),
        high(ys().max(), &border.top),
    )
}
