//! Where two movements differ.

use boardprint_base::{Rect, Square};

use super::board::Surroundings;
use super::equality::{Comparison, Witness, find_difference, same_moves};
use super::expr::Expr;
use super::movement::{Movement, Mover, Reach};
use super::{Limits, TooComplex};

/// Whether two movements are the same on every board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sameness {
    /// They have the same moves on every board.
    Same,
    /// They differ here.
    Differs(Box<Difference>),
    /// The limits did not allow an answer.
    Unknown,
}

/// A board without edges on which two movements of a piece on 0,0 differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The square that only one of them reaches, or that they reach in different ways.
    pub square: Square,
    /// What the first movement does there.
    pub first: Reach,
    /// What the second movement does there.
    pub second: Reach,
    /// Pieces of the same player.
    pub friends: Vec<Square>,
    /// Pieces of the other player.
    pub enemies: Vec<Square>,
    /// Whether the piece has its special right.
    pub right: bool,
}

/// How far around the piece differences are looked for on simple boards.
const SIGHT: i64 = 8;
/// The most blocked squares of a board made for one way.
const MOST_FRIENDS: i64 = 40;

/// Whether two movements are the same on every board, and a board that tells them apart if not.
///
/// A simple board is preferred: an empty one, then one with a single enemy, then one where all is blocked but
/// the way of one movement.
///
/// ```
/// use boardprint_rules::fairy::{Limits, Sameness, same_as};
/// let limits = Limits::default();
/// let (rook, slip) = ("[1,0]^*|/".parse()?, "[1,0]^*|-".parse()?);
/// let Sameness::Differs(found) = same_as(&rook, &slip, &limits) else { panic!() };
/// assert_eq!(found.square.to_string(), "0,1");
/// assert_eq!(same_as(&rook, &"[0,1]^*-/".parse()?, &limits), Sameness::Same);
/// # Ok::<(), boardprint_rules::fairy::MovementError>(())
/// ```
#[must_use]
pub fn same_as(a: &Expr, b: &Expr, limits: &Limits) -> Sameness {
    let comparison = same_moves(a, b, limits);
    if comparison == Comparison::Same {
        return Sameness::Same;
    }
    let Ok(pair) = Pair::new(a, b, limits) else { return Sameness::Unknown };
    let rights: &[bool] = if a.uses_right() || b.uses_right() { &[false, true] } else { &[false] };
    for right in rights {
        let found = pair.on_simple_boards(*right, limits).or_else(|| {
            let witness = find_difference(a, b, *right, limits)?;
            pair.on_a_blocked_board(&witness, *right)
        });
        if let Some(difference) = found {
            return Sameness::Differs(Box::new(difference));
        }
    }
    Sameness::Unknown
}

struct Pair {
    first: Movement,
    second: Movement,
    start: Square,
    /// For each of the many questions.
    limits: Limits,
}

impl Pair {
    fn new(a: &Expr, b: &Expr, limits: &Limits) -> Result<Self, TooComplex> {
        let limits = Limits { steps: limits.steps / 256, ..*limits };
        Ok(Pair { first: Movement::new(a)?, second: Movement::new(b)?, start: Square::new(0, 0), limits })
    }

    /// The difference on a board at a square, if both answers are known.
    fn at(&self, square: Square, friends: &[Square], enemies: &[Square], right: bool) -> Option<Difference> {
        let board = Surroundings::new(friends.iter().cloned(), enemies.iter().cloned());
        let mover = Mover { from: &self.start, right };
        let [first, second] = [&self.first, &self.second]
            .map(|movement| movement.reach_within(mover, &square, &board, &self.limits));
        let is_known = first != Reach::Unknown && second != Reach::Unknown;
        (is_known && first != second).then(|| Difference {
            square,
            first,
            second,
            friends: friends.to_vec(),
            enemies: enemies.to_vec(),
            right,
        })
    }

    /// The nearest difference on an empty board, or with one enemy on the square.
    fn on_simple_boards(&self, right: bool, limits: &Limits) -> Option<Difference> {
        let window = Rect::with_edges(-SIGHT, -SIGHT, SIGHT, SIGHT);
        let mover = Mover { from: &self.start, right };
        let stops = |movement: &Movement| movement.stops(mover, &Surroundings::default(), &window, limits);
        let (first, second) = (stops(&self.first), stops(&self.second));
        let mut squares: Vec<Square> = if first.complete && second.complete && first != second {
            let only = |a: &super::Stops, b: &super::Stops| -> Vec<Square> {
                a.stops
                    .iter()
                    .filter(|stop| !b.stops.contains(stop))
                    .map(|stop| stop.square.clone())
                    .collect()
            };
            [only(&first, &second), only(&second, &first)].concat()
        } else {
            Vec::new()
        };
        squares.sort_by_key(nearness);
        if let Some(found) = squares.into_iter().find_map(|square| self.at(square, &[], &[], right)) {
            return Some(found);
        }
        let mut near: Vec<Square> = (-SIGHT..=SIGHT)
            .flat_map(|x| (-SIGHT..=SIGHT).map(move |y| Square::new(x, y)))
            .filter(|square| *square != self.start)
            .collect();
        near.sort_by_key(nearness);
        near.into_iter().find_map(|square| self.at(square.clone(), &[], &[square], right))
    }

    /// The difference on a board where everything near is blocked but one way; with as few pieces as will do.
    fn on_a_blocked_board(&self, witness: &Witness, right: bool) -> Option<Difference> {
        let end = *witness.squares.last()?;
        let reach = witness.squares.iter().flat_map(|(x, y)| [x.abs(), y.abs()]).max()?.checked_add(2)?;
        if reach > MOST_FRIENDS {
            return None;
        }
        let is_free = |x: i64, y: i64| (x, y) == (0, 0) || witness.squares.contains(&(x, y));
        let mut friends: Vec<Square> = (-reach..=reach)
            .flat_map(|x| (-reach..=reach).map(move |y| (x, y)))
            .filter(|(x, y)| !is_free(*x, *y))
            .map(|(x, y)| Square::new(x, y))
            .collect();
        let square = Square::new(end.0, end.1);
        let enemies: Vec<Square> = witness.captures.then(|| square.clone()).into_iter().collect();
        self.at(square.clone(), &friends, &enemies, right)?;
        // Halves first, so that the many friends that do not matter cost little.
        let mut size = friends.len().div_ceil(2);
        while size > 0 {
            let mut start = 0;
            while start < friends.len() {
                let mut fewer = friends.clone();
                fewer.drain(start..(start + size).min(friends.len()));
                match self.at(square.clone(), &fewer, &enemies, right) {
                    Some(_) => friends = fewer,
                    None => start += size,
                }
            }
            size /= 2;
        }
        self.at(square, &friends, &enemies, right)
    }
}

/// Nearer squares first, then forward ones.
fn nearness(square: &Square) -> (boardprint_base::Coord, boardprint_base::Coord, Square) {
    let (x, y) = (square.x.abs(), square.y.abs());
    (x.clone().max(y.clone()), &x + &y, square.clone())
}
