//! The legal moves of a position as a list that is exact at any distance.
//!
//! A board without end has no list of squares: a rook alone has endlessly many moves. So the list has two
//! kinds of entries: single destinations, and rays in closed form, which say where they begin, how they step,
//! where they end and which squares are left out because a royal would be attacked there.

mod find;

use std::fmt;

use boardprint_base::replay::Castling;
use boardprint_base::{Coord, Move, Piece, PieceKind, Placed, Square};

use super::{Answer, line};
use crate::fairy::Vector;

/// How many squares of a ray are counted one by one where no formula gives the number.
const COUNTED: i64 = 1 << 16;

/// The legal moves of the player to move.
///
/// ```
/// use boardprint_base::{Coord, Move, Piece, PieceKind, Pieces, Placed, Player, Position, Square};
/// use boardprint_rules::legal::{Answer, Count, Referee};
/// use boardprint_rules::pieces::PieceTable;
///
/// let piece = |kind, x: i64, y: i64| Placed::new(Piece::new(kind, Player::WHITE), Square::new(x, y));
/// let pieces = vec![piece(PieceKind::Rook, 0, 0), piece(PieceKind::Pawn, 0, 5)];
/// let position = Position::new(Pieces::from_list(pieces).unwrap());
/// let moves = Referee::new(PieceTable::built_in(), &position).legal_moves(&position);
///
/// let rook = moves.of(&Square::new(0, 0)).unwrap();
/// assert_eq!(rook.rays.len(), 4);
/// assert_eq!(rook.rays.iter().filter(|ray| ray.line.last.is_none()).count(), 3);
/// let far = Move::new(Square::new(0, 0), Square::new(10_i64.pow(18), 0));
/// assert_eq!(moves.allows(&far), Answer::Yes);
/// assert_eq!(moves.count(), Count::Endless);
/// assert_eq!(moves.of(&Square::new(0, 5)).unwrap().count(), Count::Finite(Coord::from(1)));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LegalMoves {
    pieces: Vec<PieceMoves>,
}

/// The legal moves of one piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceMoves {
    /// The piece, where it stands now.
    pub piece: Placed,
    /// Moves to single squares, in reading order; none of them lies on one of the rays.
    pub single: Vec<Destination>,
    /// Moves along rays.
    pub rays: Vec<LegalRay>,
    /// Whether these are all. Otherwise the movement of the piece, or of one that could give check, has no
    /// closed form and there may be more; what is listed is legal all the same.
    pub complete: bool,
}

/// A legal move to one square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    /// Where the piece goes.
    pub to: Square,
    /// What it takes, with the square that is taken from.
    pub capture: Option<Placed>,
    /// What is special about the move.
    pub special: Option<Special>,
    /// What a pawn may become; it has to become one of these. Empty if it does not promote there.
    pub promotions: Vec<PieceKind>,
}

/// A move that is more than going to a square.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Special {
    /// The partner moves too.
    Castling(Castling),
    /// A pawn takes one that has passed it by.
    EnPassant,
}

/// The squares `from + count · step` for the counts from `first` to `last`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Where the counting starts; not itself on the line unless `first` is 0.
    pub from: Square,
    /// One step; never zero.
    pub step: Vector,
    /// The first count.
    pub first: Coord,
    /// The last count; `None` if the line does not end.
    pub last: Option<Coord>,
    /// Whether only prime counts belong to it, as for a huygen.
    pub prime: bool,
}

impl fmt::Display for Line {
    /// `0,0>(1,0)*1..7`: where the counting starts, one step, and how often it is taken at least and at most.
    /// `1..` has no end, and of `prime(2..7)` only the primes count.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Line { from, step, first, last, prime } = self;
        let last = last.as_ref().map(Coord::to_string).unwrap_or_default();
        let (open, close) = if *prime { ("prime(", ")") } else { ("", "") };
        write!(f, "{from}>({},{})*{open}{first}..{last}{close}", step.x, step.y)
    }
}

/// Legal moves along a line: all squares of `line` that lie on every line of `only` and neither among
/// `except` nor on a line of `except_lines`.
///
/// Nearly always the last three are empty. `only` and `except_lines` hold lines with the direction of `line`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegalRay {
    /// Where the piece can go as far as its own movement and the pieces in its way are concerned.
    pub line: Line,
    /// What it takes on the last square; every other square is empty.
    pub capture: Option<Placed>,
    /// Lines it must not leave: an attack is blocked only there.
    pub only: Vec<Line>,
    /// Squares where a royal piece would be attacked.
    pub except: Vec<Square>,
    /// Lines on which a royal piece would be attacked.
    pub except_lines: Vec<Line>,
}

/// How many moves there are; each promotion counts as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Count {
    /// This many.
    Finite(Coord),
    /// A ray does not end.
    Endless,
    /// Not known, or too many to be counted one by one.
    Unknown,
}

impl LegalMoves {
    /// The pieces of the player to move in reading order, those without a legal move too.
    #[must_use]
    pub fn pieces(&self) -> &[PieceMoves] {
        &self.pieces
    }

    /// The moves of the piece on a square, if it is one of the player to move.
    #[must_use]
    pub fn of(&self, from: &Square) -> Option<&PieceMoves> {
        let index = self.pieces.binary_search_by(|moves| moves.piece.square.cmp(from)).ok()?;
        Some(&self.pieces[index])
    }

    /// Whether these are all legal moves.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.pieces.iter().all(|moves| moves.complete)
    }

    /// How many moves there are.
    #[must_use]
    pub fn count(&self) -> Count {
        self.pieces.iter().map(PieceMoves::count).fold(Count::Finite(Coord::ZERO), Count::plus)
    }

    /// Whether a move is on the list.
    #[must_use]
    pub fn allows(&self, mv: &Move) -> Answer {
        self.of(&mv.from).map_or(Answer::No, |moves| moves.allows(&mv.to, mv.promotion))
    }
}

impl PieceMoves {
    /// Whether there is no move, as far as is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.single.is_empty() && self.rays.iter().all(|ray| ray.count() == Count::Finite(Coord::ZERO))
    }

    /// How many moves there are.
    #[must_use]
    pub fn count(&self) -> Count {
        if !self.complete {
            return Count::Unknown;
        }
        let single: usize = self.single.iter().map(|to| to.promotions.len().max(1)).sum();
        let single = Count::Finite(Coord::from(i64::try_from(single).unwrap_or(i64::MAX)));
        if self.has_shared_squares() {
            return self.count_one_by_one().map_or(Count::Unknown, |along| single.plus(along));
        }
        self.rays.iter().map(LegalRay::count).fold(single, Count::plus)
    }

    /// Whether a move to a square is on the list.
    #[must_use]
    pub fn allows(&self, to: &Square, promotion: Option<PieceKind>) -> Answer {
        if let Ok(index) = self.single.binary_search_by(|single| single.to.cmp(to)) {
            let promotions = &self.single[index].promotions;
            let fits = promotion.map_or(promotions.is_empty(), |kind| promotions.contains(&kind));
            return if fits { Answer::Yes } else { Answer::No };
        }
        let mut answer = if self.complete { Answer::No } else { Answer::Unknown };
        for ray in &self.rays {
            match ray.contains(to) {
                Answer::Yes => return if promotion.is_none() { Answer::Yes } else { Answer::No },
                Answer::Unknown => answer = Answer::Unknown,
                Answer::No => {}
            }
        }
        answer
    }

    /// Whether two rays go in one direction, so that a square may lie on both.
    fn has_shared_squares(&self) -> bool {
        let direction = |ray: &LegalRay| line::directed(ray.line.step);
        let mut directions: Vec<Vector> = self.rays.iter().map(direction).collect();
        directions.sort_unstable();
        directions.windows(2).any(|pair| pair[0] == pair[1])
    }

    fn count_one_by_one(&self) -> Option<Count> {
        if self.rays.iter().any(|ray| ray.count() == Count::Endless) {
            return Some(Count::Endless);
        }
        let mut squares = Vec::new();
        for ray in &self.rays {
            squares.extend(ray.squares()?);
        }
        squares.sort_unstable();
        squares.dedup();
        Some(Count::Finite(Coord::from(i64::try_from(squares.len()).ok()?)))
    }
}

impl Line {
    /// The square after this many steps.
    #[must_use]
    pub fn at(&self, count: &Coord) -> Square {
        line::along(&self.from, self.step, count)
    }

    /// How many steps lead to a square of the line's direction, whether or not the count belongs to it.
    #[must_use]
    pub fn count_of(&self, square: &Square) -> Option<Coord> {
        line::count(&self.from, square, self.step)
    }

    /// Whether a square belongs to it. Unknown only for prime lines at distances beyond 64 bits.
    #[must_use]
    pub fn contains(&self, square: &Square) -> Answer {
        self.count_of(square).map_or(Answer::No, |count| self.has(&count))
    }

    /// Whether no count belongs to it. A prime line may have none although its range is not empty.
    fn is_empty(&self) -> bool {
        self.last.as_ref().is_some_and(|last| *last < self.first)
    }

    /// Whether a count belongs to it.
    fn has(&self, count: &Coord) -> Answer {
        if *count < self.first || self.last.as_ref().is_some_and(|last| last < count) {
            return Answer::No;
        }
        match if self.prime { crate::fairy::is_prime_coord(count) } else { Some(true) } {
            Some(true) => Answer::Yes,
            Some(false) => Answer::No,
            None => Answer::Unknown,
        }
    }
}

impl LegalRay {
    /// Whether a square is one of its destinations.
    #[must_use]
    pub fn contains(&self, square: &Square) -> Answer {
        let mut answer = self.line.contains(square);
        if answer == Answer::No || self.except.contains(square) {
            return Answer::No;
        }
        for only in &self.only {
            answer = answer.and(only.contains(square));
        }
        for except in &self.except_lines {
            answer = answer.and(except.contains(square).not());
        }
        answer
    }

    /// How many destinations it has.
    #[must_use]
    pub fn count(&self) -> Count {
        if self.line.is_empty() {
            return Count::Finite(Coord::ZERO);
        }
        if let Some(last) = &self.line.last {
            if !self.line.prime && self.only.is_empty() && self.except_lines.is_empty() {
                let whole = &(last - &self.line.first) + 1;
                let except = i64::try_from(self.except.len()).unwrap_or(i64::MAX);
                return Count::Finite(&whole - except);
            }
            let number = self.squares().and_then(|squares| i64::try_from(squares.len()).ok());
            return number.map_or(Count::Unknown, |number| Count::Finite(Coord::from(number)));
        }
        // Lines that end cannot cover one that does not, and primes never end.
        let is_covered = self.except_lines.iter().any(|except| except.last.is_none());
        if self.only.is_empty() && !is_covered { Count::Endless } else { Count::Unknown }
    }

    /// Every destination in the order of the ray; `None` if there are too many or some are not known.
    #[must_use]
    pub fn squares(&self) -> Option<Vec<Square>> {
        let last = self.line.last.as_ref()?;
        if last - &self.line.first > Coord::from(COUNTED) {
            return None;
        }
        let (mut squares, mut count) = (Vec::new(), self.line.first.clone());
        while count <= *last {
            let square = self.line.at(&count);
            match self.contains(&square) {
                Answer::Yes => squares.push(square),
                Answer::No => {}
                Answer::Unknown => return None,
            }
            count = &count + 1;
        }
        Some(squares)
    }
}

impl fmt::Display for LegalRay {
    /// The line, then for each line that must not be left `{only:LINE}`, and what is left out as
    /// `{not:5,0|9,0|20,0>(-1,0)*1..3}`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.line.fmt(f)?;
        for only in &self.only {
            write!(f, "{{only:{only}}}")?;
        }
        let mut between = "{not:";
        for square in &self.except {
            write!(f, "{between}{square}")?;
            between = "|";
        }
        for line in &self.except_lines {
            write!(f, "{between}{line}")?;
            between = "|";
        }
        f.write_str(if between == "|" { "}" } else { "" })
    }
}

impl fmt::Display for PieceMoves {
    /// All moves, one blank between them: single ones as `2,7>2,8=Q`, rays as [`LegalRay`] has them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Placed { square: from, piece, .. } = &self.piece;
        let mut between = "";
        for single in &self.single {
            if single.promotions.is_empty() {
                write!(f, "{between}{from}>{}", single.to)?;
                between = " ";
            }
            for kind in &single.promotions {
                write!(f, "{between}{from}>{}={}", single.to, Piece::new(*kind, piece.player))?;
                between = " ";
            }
        }
        let nothing = Count::Finite(Coord::ZERO);
        for ray in self.rays.iter().filter(|ray| ray.count() != nothing) {
            write!(f, "{between}{ray}")?;
            between = " ";
        }
        Ok(())
    }
}

impl Count {
    fn plus(self, other: Count) -> Count {
        match (self, other) {
            (Count::Endless, _) | (_, Count::Endless) => Count::Endless,
            (Count::Finite(a), Count::Finite(b)) => Count::Finite(a + b),
            _ => Count::Unknown,
        }
    }
}
