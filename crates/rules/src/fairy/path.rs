//! Movements multiplied out: a union of paths, each a chain of jumps and at most a few repeated words.

use std::collections::HashSet;

use super::expr::{Jump, Repeat};
use super::node::{Id, Node, Nodes, sum};
use super::number::SMALL;

/// A sum of jumps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Vector {
    /// Columns to the right.
    pub x: i128,
    /// Rows forward.
    pub y: i128,
}

impl Vector {
    /// No displacement.
    pub const ZERO: Vector = Vector { x: 0, y: 0 };

    fn plus(self, other: Vector) -> Vector {
        Vector { x: self.x + other.x, y: self.y + other.y }
    }

    fn is_small(self) -> bool {
        self.x.abs() < SMALL && self.y.abs() < SMALL
    }
}

impl From<Jump> for Vector {
    fn from(jump: Jump) -> Self {
        Vector { x: jump.x.into(), y: jump.y.into() }
    }
}

/// What a path may end on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// An empty square or an enemy.
    Any,
    /// An empty square only: `~`.
    Quiet,
    /// An enemy only: `!`.
    Capture,
}

/// A way to move in closed form. The union of its paths is the movement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Path {
    pub(crate) legs: Box<[Leg]>,
    pub(crate) end: End,
    /// Whether the fast arithmetic will do: all vectors are small, and one run at most.
    pub(crate) small: bool,
}

/// A part of a path between hurdles: every leg but the last ends with a jump onto an occupied square.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Leg {
    pub(crate) segments: Box<[Segment]>,
    /// The sum of the single jumps.
    pub(crate) fixed: Vector,
}

/// A link of a path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Segment {
    /// One jump; the square it lands on must be empty unless the path ends there.
    Jump(Jump),
    /// A word of jumps, repeated.
    Run(Run),
}

/// A word of jumps that is repeated: a ray.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Run {
    /// The squares of one round: sums of the first jumps, the whole word last.
    pub(crate) offsets: Box<[Vector]>,
    pub(crate) times: Repeat,
    /// Whether only prime counts stop and only squares at prime counts are looked at; the word is one jump
    /// then.
    pub(crate) prime: bool,
}

impl Path {
    /// The parts between hurdles, nearly always one.
    #[must_use]
    pub fn legs(&self) -> &[Leg] {
        &self.legs
    }

    /// What the path may end on.
    #[must_use]
    pub const fn end(&self) -> End {
        self.end
    }

    /// The jump, if the path is exactly one jump.
    #[must_use]
    pub fn as_leap(&self) -> Option<Jump> {
        match &*self.legs {
            [Leg { segments, .. }] => match **segments {
                [Segment::Jump(jump)] => Some(jump),
                _ => None,
            },
            _ => None,
        }
    }

    /// The repeated jump, if the path is exactly one jump repeated: an ordinary slide.
    #[must_use]
    pub fn as_ray(&self) -> Option<&Run> {
        match &*self.legs {
            [Leg { segments, .. }] => match &**segments {
                [Segment::Run(run)] if run.offsets.len() == 1 => Some(run),
                _ => None,
            },
            _ => None,
        }
    }

    /// The displacement, if the path has no repeats and no hurdles.
    pub(crate) fn displacement(&self) -> Option<Vector> {
        match &*self.legs {
            [leg] if leg.runs().next().is_none() => Some(leg.fixed),
            _ => None,
        }
    }
}

impl Leg {
    /// The links in order.
    #[must_use]
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    pub(crate) fn runs(&self) -> impl Iterator<Item = &Run> {
        self.segments.iter().filter_map(|segment| match segment {
            Segment::Run(run) => Some(run),
            Segment::Jump(_) => None,
        })
    }
}

impl Run {
    /// The squares of one round, relative to where it starts; the last one is where the next round starts.
    #[must_use]
    pub fn offsets(&self) -> &[Vector] {
        &self.offsets
    }

    /// The displacement of one round; never zero.
    #[must_use]
    #[inline]
    pub fn step(&self) -> Vector {
        self.offsets[self.offsets.len() - 1]
    }

    /// How many rounds there may be.
    #[must_use]
    pub const fn times(&self) -> Repeat {
        self.times
    }

    /// Whether it stops only at prime counts, and is blocked only there.
    #[must_use]
    pub const fn is_prime(&self) -> bool {
        self.prime
    }
}

/// A letter of a path that is not finished.
#[derive(Clone, Debug, PartialEq)]
enum Letter {
    Jump(Jump),
    Hurdle(Jump),
    Run { word: Box<[Jump]>, times: Repeat, prime: bool },
    Capture,
}

const MAX_PATHS: usize = 4096;
/// Repeats up to this many jumps are written out.
const MAX_WRITTEN_OUT: u64 = 16;
const MAX_LETTERS: usize = 1 << 16;

type Words = Vec<Vec<Letter>>;

/// What a movement comes to when multiplied out.
pub(crate) struct Expansion {
    pub(crate) paths: Vec<Path>,
    /// Whether the paths are the whole movement.
    pub(crate) complete: bool,
}

/// The paths of a movement, as far as they have closed forms.
pub(crate) fn expand(nodes: &Nodes, root: Id) -> Expansion {
    let parts = match nodes.get(root) {
        Node::Options(parts) => parts.clone(),
        _ => [root].into(),
    };
    let mut expansion = Expansion { paths: Vec::new(), complete: true };
    let (mut space, mut seen) = (MAX_LETTERS, HashSet::new());
    for part in parts {
        match words(nodes, part, &mut space) {
            Some(words) if expansion.paths.len() + words.len() <= MAX_PATHS => {
                for word in words {
                    match finish(word) {
                        Finished::Path(path) if seen.insert(path.clone()) => expansion.paths.push(path),
                        Finished::Path(_) | Finished::Illegal => {}
                        Finished::Wandering => expansion.complete = false,
                    }
                }
            }
            _ => expansion.complete = false,
        }
    }
    expansion
}

/// The words of a node, or `None` if there are too many or no closed form is known.
fn words(nodes: &Nodes, id: Id, space: &mut usize) -> Option<Words> {
    let words = match nodes.get(id) {
        Node::Nothing => Vec::new(),
        Node::Jump(jump) => vec![vec![Letter::Jump(*jump)]],
        Node::Hurdle(jump) => vec![vec![Letter::Hurdle(*jump)]],
        Node::Prime(jump) => {
            let times = Repeat { least: 2, most: None };
            vec![vec![Letter::Run { word: [*jump].into(), times, prime: true }]]
        }
        Node::Capture => vec![vec![Letter::Capture]],
        Node::Options(parts) => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(words(nodes, *part, space)?);
                if all.len() > MAX_PATHS {
                    return None;
                }
            }
            all
        }
        Node::Sequence(parts) => {
            let mut all = vec![Vec::new()];
            for part in parts {
                all = concatenate(&all, &words(nodes, *part, space)?, space)?;
            }
            all
        }
        Node::Repeat(body, times) => repeated(&words(nodes, *body, space)?, *times, space)?,
    };
    *space = space.checked_sub(words.len())?;
    Some(words)
}

fn concatenate(first: &Words, second: &Words, space: &mut usize) -> Option<Words> {
    if first.len().checked_mul(second.len())? > MAX_PATHS {
        return None;
    }
    let mut all = Vec::with_capacity(first.len() * second.len());
    for start in first {
        for end in second {
            *space = space.checked_sub(start.len() + end.len())?;
            all.push([start.as_slice(), end].concat());
        }
    }
    Some(all)
}

fn repeated(body: &Words, times: Repeat, space: &mut usize) -> Option<Words> {
    if let [only] = body.as_slice()
        && times.most != Some(1)
        && let Some(word) = only.iter().map(as_jump).collect::<Option<Box<[Jump]>>>()
    {
        if word.is_empty() {
            return Some(vec![Vec::new()]);
        }
        let total = word.iter().fold(Vector::ZERO, |sum, jump| sum.plus((*jump).into()));
        if total == Vector::ZERO {
            // A third round looks at no square that two have not looked at.
            let (least, most) = (times.least.min(2), times.most.map_or(2, |most| most.min(2)));
            return Some((least..=most).map(|rounds| written_out(only, rounds)).collect());
        }
        let length = u64::try_from(word.len()).ok()?;
        if times.most == Some(times.least) && times.least.saturating_mul(length) <= MAX_WRITTEN_OUT {
            return Some(vec![written_out(only, times.least)]);
        }
        return Some(vec![vec![Letter::Run { word, times, prime: false }]]);
    }
    let most = times.most.filter(|most| *most <= MAX_WRITTEN_OUT)?;
    let (mut power, mut all) = (vec![Vec::new()], Vec::new());
    for round in 0..=most {
        if round >= times.least {
            all.extend(power.iter().cloned());
            if all.len() > MAX_PATHS {
                return None;
            }
        }
        if round < most {
            power = concatenate(&power, body, space)?;
        }
    }
    Some(all)
}

fn written_out(word: &[Letter], rounds: u64) -> Vec<Letter> {
    (0..rounds).flat_map(|_| word.iter().cloned()).collect()
}

fn as_jump(letter: &Letter) -> Option<Jump> {
    match letter {
        Letter::Jump(jump) => Some(*jump),
        _ => None,
    }
}

enum Finished {
    Path(Path),
    /// No board allows it.
    Illegal,
    /// No closed form is known.
    Wandering,
}

const STAND: Jump = Jump { x: 0, y: 0 };

/// Makes a path of a word.
///
/// A path answers questions by division, so it has to be a chain of jumps and runs with one demand on its
/// end. The word may say that demand in the middle (`!` before something that may be left out) or as a jump
/// of no length (`~` is `*[0,0]`); both are brought to the end here or found impossible.
fn finish(word: Vec<Letter>) -> Finished {
    let hurdles = word.iter().any(|letter| matches!(letter, Letter::Hurdle(_)));
    let mut end = End::Any;
    let mut legs = Vec::new();
    let mut segments: Vec<Segment> = Vec::new();
    // Whether the last jump was one of no length. It asks for the square under it to be free, as every jump
    // does of the square it leaves; the square is then also the end, so this is the demand not to capture.
    let mut stands = false;
    for letter in word {
        if end == End::Capture {
            match letter {
                // A capture ends the move, so what may be left out is left out.
                Letter::Run { times: Repeat { least: 0, .. }, .. } | Letter::Capture => continue,
                _ => return Finished::Illegal,
            }
        }
        if stands && !matches!(letter, Letter::Capture) {
            // A jump onto the own square that is not the last one asks for nothing new: whatever follows
            // leaves the square and asks for the same. Only what may be left out does not, so before it the
            // jump stays.
            if matches!(letter, Letter::Run { times: Repeat { least: 0, .. }, .. }) {
                segments.push(Segment::Jump(STAND));
            }
            stands = false;
        }
        match letter {
            // Between hurdles it stays a jump: standing on a hurdle is not standing on an empty square.
            Letter::Jump(STAND) if !hurdles => stands = true,
            Letter::Jump(jump) => segments.push(Segment::Jump(jump)),
            Letter::Hurdle(jump) => {
                segments.push(Segment::Jump(jump));
                legs.push(std::mem::take(&mut segments));
            }
            // The own square, or one that has to be empty, holds nobody to capture.
            Letter::Capture if stands || (segments.is_empty() && legs.is_empty()) => {
                return Finished::Illegal;
            }
            Letter::Capture => end = End::Capture,
            Letter::Run { word, times, prime } => {
                let run = Run::new(&word, times, prime);
                // Two runs along one line have no single pair of counts for a square, and would wander;
                // together they are one run. Of prime counts the sums have gaps, so those are left apart.
                match segments.last_mut() {
                    Some(Segment::Run(last)) if !prime && !last.prime && last.offsets == run.offsets => {
                        match sum(last.times, times) {
                            Some(times) => last.times = times,
                            None => return Finished::Wandering,
                        }
                    }
                    _ => segments.push(Segment::Run(run)),
                }
            }
        }
    }
    // A word must not end on a hurdle.
    if segments.is_empty() && !legs.is_empty() {
        return Finished::Illegal;
    }
    if stands {
        // A run of zero rounds before it makes no difference: the own square is empty.
        end = End::Quiet;
    }
    legs.push(segments);
    let legs: Box<[Leg]> = legs.into_iter().map(Leg::new).collect();
    if legs.iter().any(Leg::is_wandering) {
        return Finished::Wandering;
    }
    let small = legs.iter().all(Leg::is_small);
    Finished::Path(Path { legs, end, small })
}

impl Run {
    fn new(word: &[Jump], times: Repeat, prime: bool) -> Self {
        let mut sum = Vector::ZERO;
        let offsets = word.iter().map(|jump| {
            sum = sum.plus((*jump).into());
            sum
        });
        Run { offsets: offsets.collect(), times, prime }
    }
}

impl Leg {
    fn new(segments: Vec<Segment>) -> Self {
        let fixed = segments.iter().fold(Vector::ZERO, |sum, segment| match segment {
            Segment::Jump(jump) => sum.plus((*jump).into()),
            Segment::Run(_) => sum,
        });
        Leg { segments: segments.into(), fixed }
    }

    /// Whether the counts of the runs do not follow from the squares at both ends.
    fn is_wandering(&self) -> bool {
        let steps: Vec<Vector> = self.runs().map(Run::step).collect();
        match *steps {
            [] | [_] => false,
            [a, b] => match (a.x.checked_mul(b.y), a.y.checked_mul(b.x)) {
                (Some(left), Some(right)) => left == right,
                _ => true,
            },
            _ => true,
        }
    }

    fn is_small(&self) -> bool {
        self.runs().nth(1).is_none()
            && self.segments.iter().all(|segment| match segment {
                Segment::Jump(jump) => Vector::from(*jump).is_small(),
                Segment::Run(run) => run.offsets.iter().all(|offset| offset.is_small()),
            })
    }
}
