//! Finds the legal moves of a position.
//!
//! Every single destination is tried on the board. A ray is not: its legal squares follow from the attacks on
//! the player's royals while the piece is off the board. Putting the piece down again can only block attacks
//! (nothing here hops over it), so a square is legal exactly if it meets every one of them, by taking the
//! attacker or by standing in its way. A royal that slides has to keep off the attacked squares instead:
//! those on a line across its own are single squares, those on its own line are lines.

use std::rc::Rc;

use boardprint_base::{Coord, Move, Placed, Player, Position, Square};

use super::super::attack::{Attack, enemies};
use super::super::candidates::{neighbourhood, squares_of};
use super::super::guard::{Guard, Untried};
use super::super::lines::Lined;
use super::super::{Answer, Referee, Refusal, has_to_promote, line, view};
use super::{Destination, LegalMoves, LegalRay, Line, PieceMoves, Special};
use crate::fairy::{Board, End, Limits, Movement, Mover, Occupant, Vector};

/// How many squares are tried where nothing better is known: of a ray, and against a royal on a ray.
const BUDGET: i64 = 4096;

impl Referee<'_> {
    /// Every legal move of the player to move, exact at any distance.
    ///
    /// What the list says is what [`Referee::judge`] says about each move; see [`PieceMoves::complete`] for
    /// pieces of piece files whose movement has no closed form.
    #[must_use]
    pub fn legal_moves(&self, position: &Position) -> LegalMoves {
        let mut search = Finder::new(self, position);
        let own: Vec<Placed> =
            position.pieces.iter().filter(|placed| placed.piece.player == search.player).cloned().collect();
        LegalMoves { pieces: own.into_iter().map(|placed| search.piece_moves(placed)).collect() }
    }

    /// Every legal move of the piece on a square; `None` if the player to move has no piece there.
    #[must_use]
    pub fn legal_moves_of(&self, position: &Position, from: &Square) -> Option<PieceMoves> {
        let placed = position.pieces.get(from)?.clone();
        let mut search = Finder::new(self, position);
        (placed.piece.player == search.player).then(|| search.piece_moves(placed))
    }
}

/// The search in one position. Pieces are moved about on it and always put back.
struct Finder<'r, 't> {
    referee: &'r Referee<'t>,
    position: Position,
    player: Player,
    guard: Guard<'t>,
}

/// A slide of a piece as far as the pieces in its way allow.
struct Slide {
    line: Line,
    capture: Option<Placed>,
}

/// What the attacks on its own royals leave of a ray.
enum Met {
    /// The part between attackers and royals, on all of these lines; everything without attacks.
    Along { line: Line, only: Vec<Line> },
    /// At most these squares.
    On(Vec<Square>),
    /// An attack has no closed form.
    Unknown,
}

impl<'t> Finder<'_, 't> {
    fn new<'r>(referee: &'r Referee<'t>, position: &Position) -> Finder<'r, 't> {
        let player = position.turn.to_move();
        Finder { referee, player, position: position.clone(), guard: Guard::new(referee, position, player) }
    }

    fn piece_moves(&mut self, piece: Placed) -> PieceMoves {
        let mut moves = PieceMoves { piece, single: Vec::new(), rays: Vec::new(), complete: true };
        match self.referee.table.get(moves.piece.piece.kind) {
            Some(definition) => {
                let movement = definition.movement(moves.piece.piece.player);
                self.find(&mut moves, movement);
            }
            None => moves.complete = false,
        }
        moves
    }

    fn find(&mut self, moves: &mut PieceMoves, movement: &Movement) {
        let placed = moves.piece.clone();
        let mut squares = self.special_squares(&placed);
        // Promotion depends on the square, so the rays of a pawn, if a table gives it any, are tried square
        // by square.
        let slides_freely = placed.piece.kind != boardprint_base::PieceKind::Pawn;
        let mut is_plain = movement.is_exact();
        for path in movement.paths(placed.right) {
            match path.displacement() {
                Some(displacement) => {
                    squares.push(line::along(&placed.square, displacement, &Coord::from(1)));
                }
                None => is_plain &= slides_freely && path.as_ray().is_some(),
            }
        }
        if !is_plain {
            squares.extend(self.wandering_squares(moves, movement));
        }
        if slides_freely {
            squares.extend(self.find_rays(moves, movement));
        }
        squares.sort_unstable();
        squares.dedup();
        for to in squares {
            if moves.rays.iter().any(|ray| ray.contains(&to) == Answer::Yes) {
                continue;
            }
            match self.try_single(&placed, to) {
                Ok(destination) => moves.single.extend(destination),
                Err(Undecided) => moves.complete = false,
            }
        }
    }

    /// Squares of castling and en passant, which no movement leads to.
    fn special_squares(&self, placed: &Placed) -> Vec<Square> {
        let mut squares = Vec::new();
        if placed.right && placed.piece.kind.leads_castling() {
            squares.extend([placed.square.offset(2, 0), placed.square.offset(-2, 0)]);
        }
        if placed.piece.kind == boardprint_base::PieceKind::Pawn {
            squares.extend(self.position.en_passant.clone());
        }
        squares
    }

    /// The squares of a movement without closed form near the pieces. Only on a board with four edges are
    /// these all.
    fn wandering_squares(&self, moves: &mut PieceMoves, movement: &Movement) -> Vec<Square> {
        let window = neighbourhood(&self.position);
        let limits = Limits { steps: 1 << 20, stops: usize::try_from(BUDGET).unwrap_or(0) };
        let piece = Mover { from: &moves.piece.square, right: moves.piece.right };
        let found = movement.stops(piece, &view(&self.position, moves.piece.piece.player), &window, &limits);
        moves.complete &= found.complete && window.to_border() == self.position.laws.border;
        found.stops.into_iter().map(|stop| stop.square).collect()
    }

    /// Finds the rays of a piece; returns squares of rays that have to be tried one by one.
    fn find_rays(&mut self, moves: &mut PieceMoves, movement: &Movement) -> Vec<Square> {
        let placed = moves.piece.clone();
        let mut squares = Vec::new();
        let Some(slides) = self.slides(&placed, movement, &mut squares) else {
            moves.complete = false;
            return squares;
        };
        if slides.is_empty() {
            return squares;
        }
        let guarded = self.referee.heeds_check(self.player);
        let attacks = self.attacks_without(&placed);
        for Slide { line, capture } in slides {
            let met = attacks.as_deref().map_or(Met::Unknown, |attacks| against_attacks(&line, attacks));
            match met {
                Met::Along { line: narrowed, only } => {
                    let is_whole = narrowed == line && only.is_empty();
                    let mut ray = LegalRay {
                        line: narrowed,
                        capture: None,
                        only,
                        except: Vec::new(),
                        except_lines: Vec::new(),
                    };
                    let is_done = !guarded
                        || !self.referee.is_royal(placed.piece)
                        || self.keep_off_attacked(&placed, &mut ray);
                    if !is_done {
                        squares.extend(Self::every_square(&line, moves));
                        continue;
                    }
                    if let Some(capture) = capture {
                        if ray.contains(&capture.square) == Answer::Yes {
                            ray.capture = Some(capture);
                        } else if !is_whole {
                            // It may be the attacker itself.
                            squares.push(capture.square);
                        }
                    }
                    if !ray.line.is_empty() {
                        moves.rays.push(ray);
                    }
                }
                Met::On(found) => squares.extend(found),
                Met::Unknown => squares.extend(Self::every_square(&line, moves)),
            }
        }
        squares
    }

    /// The squares of a line, if there are few enough; otherwise the list is not complete.
    fn every_square(line: &Line, moves: &mut PieceMoves) -> Vec<Square> {
        let end = &line.first + BUDGET;
        let is_cut = line.last.as_ref().is_none_or(|last| *last > end);
        moves.complete &= !is_cut;
        let last = line.last.clone().filter(|_| !is_cut).unwrap_or(end);
        let (mut squares, mut count) = (Vec::new(), line.first.clone());
        while count <= last {
            if line.has(&count) != Answer::No {
                squares.push(line.at(&count));
            }
            count = &count + 1;
        }
        squares
    }

    /// The slides of a piece; single stops go to `squares`. `None` if it is not known where one ends.
    fn slides(&self, placed: &Placed, movement: &Movement, squares: &mut Vec<Square>) -> Option<Vec<Slide>> {
        let view = view(&self.position, placed.piece.player);
        let lined = Lined { view, lines: Some(self.guard.lines()) };
        let mover = Mover { from: &placed.square, right: placed.right };
        let mut slides = Vec::new();
        for (path, ray) in movement.rays(mover, &lined) {
            let Some(run) = path.as_ray() else { continue };
            if !ray.certain {
                return None;
            }
            let victim = ray.blocker.as_ref().filter(|blocker| view.at(blocker) == Occupant::Enemy);
            let victim = victim.filter(|_| path.end() != End::Quiet);
            let free = ray.free.map(|free| if victim.is_some() { &free + 1 } else { free });
            let limits = [free, run.times().most.map(Coord::from), self.referee.slide_limit.clone()];
            let line = Line {
                from: placed.square.clone(),
                step: run.step(),
                first: Coord::from(run.times().least.max(1)),
                last: limits.into_iter().flatten().min(),
                prime: run.is_prime(),
            };
            let victim = victim.filter(|square| line.contains(square) == Answer::Yes);
            if path.end() == End::Capture {
                squares.extend(victim.cloned());
            } else if !line.is_empty() {
                let capture = victim.and_then(|square| self.position.pieces.get(square)).cloned();
                slides.push(Slide { line, capture });
            }
        }
        Some(slides)
    }

    /// The attacks on the royals that stay while a piece is off the board; `None` if some have no closed form.
    fn attacks_without(&mut self, placed: &Placed) -> Option<Rc<[Attack<'t>]>> {
        if let Some(attacks) = self.guard.attacks_apart_from(placed) {
            return Some(attacks);
        }
        if self.referee.has_hurdles(&self.position, self.player) {
            return None;
        }
        self.position.pieces.remove(&placed.square);
        let attacks = self.referee.attacks(&self.position, self.player);
        self.position.pieces.insert(placed.clone());
        attacks.filter(|attacks| attacks.iter().all(|attack| attack.certain)).map(Into::into)
    }

    /// Takes the attacked squares out of a royal's ray; false if that is not possible in closed form.
    fn keep_off_attacked(&mut self, royal: &Placed, ray: &mut LegalRay) -> bool {
        self.position.pieces.remove(&royal.square);
        let found = self.attacked_squares(&ray.line);
        self.position.pieces.insert(royal.clone());
        let Some((mut squares, lines)) = found else { return false };
        ray.except_lines = lines;
        squares.sort_unstable();
        squares.dedup();
        squares.retain(|square| ray.contains(square) != Answer::No);
        if squares.len() > usize::try_from(BUDGET).unwrap_or(usize::MAX) {
            return false;
        }
        for square in squares {
            match self.try_single(royal, square.clone()) {
                Ok(Some(_)) => {}
                Ok(None) => ray.except.push(square),
                Err(Undecided) => return false,
            }
        }
        true
    }

    /// Where enemies may attack a line: single squares that are worth a try, and lines that are attacked for
    /// certain. `None` if a movement has no closed form.
    fn attacked_squares(&self, goal: &Line) -> Option<(Vec<Square>, Vec<Line>)> {
        let (mut squares, mut lines) = (Vec::new(), Vec::new());
        for enemy in enemies(&self.position, self.player) {
            let movement = self.referee.table.get(enemy.piece.kind)?.movement(enemy.piece.player);
            let mover = Mover { from: &enemy.square, right: enemy.right };
            if !movement.is_exact() {
                return None;
            }
            for path in movement.paths(enemy.right).filter(|path| path.end() != End::Quiet) {
                if let Some(displacement) = path.displacement() {
                    squares.push(line::along(&enemy.square, displacement, &Coord::from(1)));
                    continue;
                }
                let step = path.as_ray()?.step();
                if !line::are_parallel(goal.step, step) {
                    let crossing = line::crossing(&goal.from, goal.step, &enemy.square, step);
                    squares.extend(crossing.map(|count| goal.at(&count)));
                }
            }
            if !line::is_on_line(&goal.from, &enemy.square, goal.step) {
                continue;
            }
            let view = view(&self.position, enemy.piece.player);
            for (path, ray) in movement.rays(mover, &view).filter(|(path, _)| path.end() != End::Quiet) {
                let run = path.as_ray()?;
                if !line::are_parallel(goal.step, run.step()) {
                    continue;
                }
                if !ray.certain {
                    return None;
                }
                // The first piece in the way is attacked too: it may be what the royal takes.
                let free = ray.free.map(|free| &free + i64::from(ray.blocker.is_some()));
                let limits = [free, run.times().most.map(Coord::from), self.referee.slide_limit.clone()];
                lines.push(Line {
                    from: enemy.square.clone(),
                    step: run.step(),
                    first: Coord::from(run.times().least.max(1)),
                    last: limits.into_iter().flatten().min(),
                    prime: run.is_prime(),
                });
            }
        }
        Some((squares, lines))
    }

    /// The move of a piece to a square, if it is legal.
    fn try_single(&mut self, mover: &Placed, to: Square) -> Result<Option<Destination>, Undecided> {
        let mut mv = Move::new(mover.square.clone(), to);
        if !has_to_promote(&self.position, mover.piece, &mv.to) {
            return self.try_move(mover, &mv);
        }
        let law = self.position.laws.promotion.get(&mover.piece.player);
        let choices = law.map_or(Vec::new(), |law| law.choices().to_vec());
        let mut found: Option<Destination> = None;
        for choice in choices {
            // Each is tried: a pawn that would become a royal must not be attacked.
            mv.promotion = Some(choice);
            if let Some(destination) = self.try_move(mover, &mv)? {
                found.get_or_insert(destination).promotions.push(choice);
            }
        }
        Ok(found)
    }

    fn try_move(&mut self, mover: &Placed, mv: &Move) -> Result<Option<Destination>, Undecided> {
        match self.guard.judge(self.referee, &self.position, mover, mv) {
            Some(Ok(Untried { capture, castling })) => {
                let special = castling.map(Special::Castling);
                return Ok(Some(Destination { to: mv.to.clone(), capture, special, promotions: Vec::new() }));
            }
            Some(Err(Answer::Unknown)) => return Err(Undecided),
            Some(Err(_)) => return Ok(None),
            None => {}
        }
        match self.referee.play_if_legal(&mut self.position, mv, Answer::Unknown) {
            Ok(played) => {
                let special = match played.castling() {
                    Some(castling) => Some(Special::Castling(castling.clone())),
                    None => played.is_en_passant().then_some(Special::EnPassant),
                };
                let capture = played.captured().cloned();
                played.undo(&mut self.position);
                Ok(Some(Destination { to: mv.to.clone(), capture, special, promotions: Vec::new() }))
            }
            Err(Refusal::Illegal) => Ok(None),
            Err(Refusal::Unknown) => Err(Undecided),
        }
    }
}

struct Undecided;

/// The squares of a line that meet every attack.
fn against_attacks(goal: &Line, attacks: &[Attack<'_>]) -> Met {
    let (mut line, mut only) = (goal.clone(), Vec::new());
    let mut squares: Option<Vec<Square>> = None;
    for attack in attacks {
        let on = match attack.path.as_ray() {
            Some(run) if line::are_parallel(goal.step, run.step()) => {
                if !line::is_on_line(&goal.from, &attack.royal, goal.step) {
                    return Met::On(Vec::new());
                }
                narrow(&mut line, &attack.from, &attack.royal);
                let is_dense = line::directed(run.step()) == run.step() && !run.is_prime();
                if !is_dense {
                    only.push(between(attack, run.step(), run.is_prime()));
                }
                continue;
            }
            Some(run) => {
                let crossing = line::crossing(&goal.from, goal.step, &attack.from, run.step());
                crossing.map(|count| goal.at(&count)).into_iter().collect()
            }
            None if attack.path.displacement().is_some() => {
                attack.path.legs().iter().flat_map(|leg| squares_of(leg, &attack.from)).collect()
            }
            None => return Met::Unknown,
        };
        let mut on: Vec<Square> = on;
        on.push(attack.from.clone());
        match &mut squares {
            None => squares = Some(on),
            Some(squares) => squares.retain(|square| on.contains(square)),
        }
    }
    match squares {
        None => Met::Along { line, only },
        Some(mut squares) => {
            // Whoever tries them asks whether they meet the attacks along the line as well.
            squares.retain(|square| goal.contains(square) != Answer::No);
            Met::On(squares)
        }
    }
}

/// The stops of an attack before it comes to the royal.
fn between(attack: &Attack<'_>, step: Vector, prime: bool) -> Line {
    let whole = line::count(&attack.from, &attack.royal, step);
    let last = whole.map(|whole| &whole - 1);
    Line { from: attack.from.clone(), step, first: Coord::from(1), last, prime }
}

/// Leaves of a line what lies between two squares of its direction, these excluded.
fn narrow(line: &mut Line, a: &Square, b: &Square) {
    let (from, to) =
        (line::floor_ceiling(&line.from, a, line.step), line::floor_ceiling(&line.from, b, line.step));
    let (low, high) = if from <= to { (from.0, to.1) } else { (to.0, from.1) };
    let (first, last) = (&low + 1, &high - 1);
    line.first = line.first.clone().max(first);
    line.last = Some(line.last.take().map_or(last.clone(), |old| old.min(last)));
}
