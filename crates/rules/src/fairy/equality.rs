//! When two movements are the same.
//!
//! As sets of words: by derivatives, state by state. On every board: by footprints. A word asks for some
//! squares to be free and one to be its end; a movement has the same moves as another if each can make every
//! move of the other on the board where all but those squares are blocked.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use super::board::Occupant;
use super::expr::{Expr, Jump, Repeat};
use super::node::{Id, Node, Nodes};
use super::walk::{Direction, Field, Region, Stance, State, Walk};
use super::{Limits, TooComplex};

/// What a comparison of two movements found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// They are the same.
    Same,
    /// They differ.
    Different,
    /// The limits did not allow an answer.
    Exceeded,
}

impl Comparison {
    fn and(self, other: impl FnOnce() -> Self) -> Self {
        match self {
            Comparison::Same => other(),
            Comparison::Different => self,
            Comparison::Exceeded => match other() {
                Comparison::Different => Comparison::Different,
                _ => self,
            },
        }
    }
}

/// Whether two movements are the same set of words, the marks `~` and `!` being part of a word.
///
/// ```
/// use boardprint_rules::fairy::{Comparison, Limits, same_words};
/// let (a, b) = ("[1,2]|-/".parse()?, "[2,1]/-|".parse()?);
/// assert_eq!(same_words(&a, &b, &Limits::default()), Comparison::Same);
/// # Ok::<(), boardprint_rules::fairy::MovementError>(())
/// ```
#[must_use]
pub fn same_words(a: &Expr, b: &Expr, limits: &Limits) -> Comparison {
    compare(a, b, |pair| pair.same_words(limits.steps))
}

/// Whether two movements lead to the same squares on every board.
///
/// ```
/// use boardprint_rules::fairy::{Comparison, Limits, same_moves};
/// let limits = Limits::default();
/// let (jump, both, steps) = ("[2,0]".parse()?, "{[2,0],[1,0]*[1,0]}".parse()?, "[1,0]*[1,0]".parse()?);
/// assert_eq!(same_moves(&jump, &both, &limits), Comparison::Same);
/// assert_eq!(same_moves(&jump, &steps, &limits), Comparison::Different);
/// # Ok::<(), boardprint_rules::fairy::MovementError>(())
/// ```
#[must_use]
pub fn same_moves(a: &Expr, b: &Expr, limits: &Limits) -> Comparison {
    compare(a, b, |pair| {
        if pair.same_words(limits.steps) == Comparison::Same {
            return Comparison::Same;
        }
        let (a, b) = (pair.a, pair.b);
        let first = pair.covers(b, a, limits.steps).comparison();
        first.and(|| pair.covers(a, b, limits.steps).comparison())
    })
}

/// A way that one movement has and the other has not, if everything else is blocked.
pub(super) struct Witness {
    /// The squares of the way in turn, relative to the start.
    pub(super) squares: Vec<(i64, i64)>,
    /// Whether an enemy stands on the last one.
    pub(super) captures: bool,
}

/// A way of one movement that the other has not.
pub(super) fn find_difference(a: &Expr, b: &Expr, right: bool, limits: &Limits) -> Option<Witness> {
    let mut pair = Pair::new(a, b, right).ok()?;
    let (a, b) = (pair.a, pair.b);
    match pair.covers(b, a, limits.steps) {
        Cover::Fails(witness) => Some(witness),
        _ => match pair.covers(a, b, limits.steps) {
            Cover::Fails(witness) => Some(witness),
            _ => None,
        },
    }
}

/// Whether a movement can make every move of another.
enum Cover {
    Holds,
    Fails(Witness),
    Exceeded,
}

impl Cover {
    fn comparison(self) -> Comparison {
        match self {
            Cover::Holds => Comparison::Same,
            Cover::Fails(_) => Comparison::Different,
            Cover::Exceeded => Comparison::Exceeded,
        }
    }
}

/// Compares without the special right and, where that matters, with it.
fn compare(a: &Expr, b: &Expr, question: impl Fn(&mut Pair) -> Comparison) -> Comparison {
    let ask = |right| Pair::new(a, b, right).map_or(Comparison::Exceeded, |mut pair| question(&mut pair));
    ask(false).and(|| if a.uses_right() || b.uses_right() { ask(true) } else { Comparison::Same })
}

/// Two movements over the same nodes.
struct Pair {
    nodes: Nodes,
    a: Id,
    b: Id,
    derivatives: HashMap<(Id, Id), Id>,
}

/// This many words are looked at one by one.
const MAX_WORDS: usize = 1 << 14;

impl Pair {
    fn new(a: &Expr, b: &Expr, right: bool) -> Result<Self, TooComplex> {
        let mut nodes = Nodes::default();
        let a = nodes.compile(a, right)?[0];
        let b = nodes.compile(b, right)?[0];
        Ok(Pair { nodes, a, b, derivatives: HashMap::new() })
    }

    fn same_words(&mut self, mut steps: usize) -> Comparison {
        let mut seen = HashSet::from([(self.a, self.b)]);
        let mut queue = VecDeque::from([(self.a, self.b)]);
        while let Some((a, b)) = queue.pop_front() {
            if a == b {
                continue;
            }
            if self.nodes.is_nullable(a) != self.nodes.is_nullable(b) {
                return Comparison::Different;
            }
            let mut letters = BTreeSet::new();
            self.first_letters(a, &mut letters);
            self.first_letters(b, &mut letters);
            for letter in letters {
                let Some(left) = steps.checked_sub(16) else { return Comparison::Exceeded };
                steps = left;
                let (Ok(a), Ok(b)) = (self.derivative(a, letter), self.derivative(b, letter)) else {
                    return Comparison::Exceeded;
                };
                if seen.insert((a, b)) {
                    queue.push_back((a, b));
                }
            }
        }
        Comparison::Same
    }

    /// Whether `wide` can make every move of `narrow` on any board.
    fn covers(&mut self, wide: Id, narrow: Id, mut steps: usize) -> Cover {
        let mut is_certain = true;
        let mut queue = VecDeque::from([(Word::default(), narrow)]);
        let mut words = 0;
        while let Some((word, rest)) = queue.pop_front() {
            words += 1;
            let cost = 4 * word.squares.len() + 16;
            let Some(left) = steps.checked_sub(cost).filter(|_| words <= MAX_WORDS) else {
                return Cover::Exceeded;
            };
            steps = left;
            if self.nodes.is_nullable(rest) {
                for occupant in word.possible_ends() {
                    match self.can_move(wide, &word, occupant, &mut steps) {
                        Some(true) => {}
                        Some(false) => {
                            let captures = occupant == Occupant::Enemy;
                            return Cover::Fails(Witness { squares: word.squares.clone(), captures });
                        }
                        None => is_certain = false,
                    }
                }
            }
            let mut letters = BTreeSet::new();
            self.first_letters(rest, &mut letters);
            for letter in letters {
                match (word.then(self.nodes.get(letter)), self.derivative(rest, letter)) {
                    (Ok(Some(longer)), Ok(rest)) => queue.push_back((longer, rest)),
                    (Ok(None), _) => {}
                    _ => is_certain = false,
                }
            }
        }
        if is_certain { Cover::Holds } else { Cover::Exceeded }
    }

    /// Whether a movement leads to the end of a word on the board where only the squares of the word are free.
    fn can_move(&self, id: Id, word: &Word, end: Occupant, steps: &mut usize) -> Option<bool> {
        let (x, y) = word.end();
        let mut field = Field {
            occupants: HashMap::default(),
            elsewhere: Occupant::Friend,
            border: Region::ALL,
            region: Region::ALL,
        };
        field.occupants.extend(word.squares.iter().map(|square| (*square, Occupant::Empty)));
        field.occupants.insert((x, y), end);
        let mut walk = Walk {
            nodes: &self.nodes,
            field: &field,
            direction: Direction::Forward,
            budget: steps,
            cut: false,
        };
        let states = walk.run(id, vec![State { x: 0, y: 0, stance: Stance::Free }]).ok()?;
        let stance = if end == Occupant::Enemy { Stance::Captured } else { Stance::Free };
        let found = states.contains(&State { x, y, stance });
        if found || !walk.cut { Some(found) } else { None }
    }

    /// The letters that words of a node can begin with.
    fn first_letters(&self, id: Id, letters: &mut BTreeSet<Id>) {
        match self.nodes.get(id) {
            Node::Nothing => {}
            Node::Jump(_) | Node::Hurdle(_) | Node::Prime(_) | Node::Capture => {
                letters.insert(id);
            }
            Node::Options(parts) => parts.iter().for_each(|part| self.first_letters(*part, letters)),
            Node::Sequence(parts) => {
                for part in parts {
                    self.first_letters(*part, letters);
                    if !self.nodes.is_nullable(*part) {
                        break;
                    }
                }
            }
            Node::Repeat(body, _) => self.first_letters(*body, letters),
        }
    }

    /// What can follow a letter.
    fn derivative(&mut self, id: Id, letter: Id) -> Result<Id, TooComplex> {
        if let Some(known) = self.derivatives.get(&(id, letter)) {
            return Ok(*known);
        }
        let result = match self.nodes.get(id).clone() {
            Node::Nothing => id,
            Node::Jump(_) | Node::Hurdle(_) | Node::Prime(_) | Node::Capture => {
                if id == letter {
                    self.nodes.empty_word()?
                } else {
                    self.nodes.nothing()?
                }
            }
            Node::Options(parts) => {
                let mut all = Vec::with_capacity(parts.len());
                for part in parts {
                    all.push(self.derivative(part, letter)?);
                }
                self.nodes.options(all)?
            }
            Node::Sequence(parts) => {
                let mut all = Vec::new();
                for (index, part) in parts.iter().enumerate() {
                    let first = self.derivative(*part, letter)?;
                    let rest = parts[index + 1..].iter().copied();
                    all.push(self.nodes.sequence([first].into_iter().chain(rest))?);
                    if !self.nodes.is_nullable(*part) {
                        break;
                    }
                }
                self.nodes.options(all)?
            }
            Node::Repeat(body, Repeat { least, most }) => {
                let first = self.derivative(body, letter)?;
                let times = Repeat { least: least.saturating_sub(1), most: most.map(|most| most - 1) };
                let rest = self.nodes.repeat(body, times)?;
                self.nodes.sequence([first, rest])?
            }
        };
        self.derivatives.insert((id, letter), result);
        Ok(result)
    }
}

/// The squares of a word that no board rules out.
#[derive(Clone, Default)]
struct Word {
    /// Where it lands, in turn, relative to the start.
    squares: Vec<(i64, i64)>,
    captured: bool,
}

/// A letter that footprints do not cover.
struct Uncovered;

impl Word {
    fn end(&self) -> (i64, i64) {
        self.squares.last().copied().unwrap_or((0, 0))
    }

    /// Whether the last square has been landed on before, so that it has to be empty.
    fn ends_empty(&self) -> bool {
        let end = self.end();
        end == (0, 0) || self.squares[..self.squares.len() - 1].contains(&end)
    }

    /// What can stand on the last square.
    fn possible_ends(&self) -> impl Iterator<Item = Occupant> {
        let enemy = (!self.ends_empty()).then_some(Occupant::Enemy);
        (!self.captured).then_some(Occupant::Empty).into_iter().chain(enemy)
    }

    /// The word with one more letter, or `None` if no board allows it.
    fn then(&self, letter: &Node) -> Result<Option<Word>, Uncovered> {
        match letter {
            Node::Jump(_) if self.captured => Ok(None),
            Node::Jump(Jump { x, y }) => {
                let end = self.end();
                let (Some(x), Some(y)) = (end.0.checked_add(*x), end.1.checked_add(*y)) else {
                    return Err(Uncovered);
                };
                let mut word = self.clone();
                word.squares.push((x, y));
                Ok(Some(word))
            }
            Node::Capture if self.ends_empty() => Ok(None),
            Node::Capture => Ok(Some(Word { captured: true, ..self.clone() })),
            _ => Err(Uncovered),
        }
    }
}
