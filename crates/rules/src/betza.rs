//! Betza's funny notation, translated into the movement language.
//!
//! **Accepts** the common subset: the leapers `W F D N A H C Z G`, the riders and compounds `R B Q K`; a
//! letter twice (`NN`) or with `0` (`N0`) for a rider, with a number (`R4`) for at most this many steps; and
//! before a letter the modifiers `m` (moves only), `c` (captures only), `f b l r s v` and pairs of them
//! (directions), `n` (may be blocked, for straight leapers), `j` (must jump, for `D` and `A`), `p` (over
//! exactly one piece, for riders), `g` (to the square after the first piece, for riders), `i` (only with the
//! special right, as for a first move).
//!
//! **Refuses** everything else at its place; brackets, `a`, `o`, `t`, `z` and the other extensions have no
//! translation here.
//!
//! ```
//! use boardprint_rules::betza::read;
//! assert_eq!(read("N")?.to_string(), "[1,2]|-/");
//! assert_eq!(read("mfWcfF")?.to_string(), "{[0,1]~,{[-1,1],[1,1]}!}");
//! assert_eq!(read("mRcpR")?.to_string(), "{[1,0]^*|/~,([1,0]^[0..*]*[1,0]#*[1,0]^*)|/!}");
//! # Ok::<(), boardprint_rules::betza::BetzaError>(())
//! ```

use std::fmt;

use boardprint_base::{Found, Span};

use crate::fairy::{Expr, ReadOptions};

/// A text that is not Betza notation, or not of the part that has a translation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BetzaError {
    kind: BetzaErrorKind,
    span: Span,
}

/// What can be wrong with Betza notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BetzaErrorKind {
    /// There is no letter of a piece.
    Empty,
    /// A capital letter that names no movement.
    UnknownAtom(char),
    /// A sign that is neither a modifier nor a movement.
    UnknownModifier(char),
    /// Modifiers without a movement after them.
    NoAtom,
    /// A modifier that has no meaning with this movement.
    Unsuited {
        /// The modifier.
        modifier: char,
        /// The movement.
        atom: char,
    },
    /// Directions that leave nothing of this movement.
    NoDirection {
        /// The movement.
        atom: char,
    },
    /// A range beyond 1 to 9999.
    Range,
    /// The text is too long.
    TooLong {
        /// The most characters.
        limit: usize,
    },
}

impl BetzaError {
    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> BetzaErrorKind {
        self.kind
    }

    /// The bytes that are wrong.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.span
    }

    /// What to do about it.
    #[must_use]
    pub const fn hint(&self) -> Option<&'static str> {
        match self.kind {
            BetzaErrorKind::Empty => Some("a knight is `N`, a king `K` or `WF`"),
            BetzaErrorKind::UnknownAtom(_) => Some("movements are W F D N A H C Z G and R B Q K"),
            BetzaErrorKind::UnknownModifier(_) => Some("modifiers are m c f b l r s v n j p g i"),
            BetzaErrorKind::NoAtom => Some("modifiers stand before the movement: `mfW`"),
            BetzaErrorKind::Unsuited { .. } => {
                Some("`p` and `g` go with riders, `n` with D, A, H and G, `j` with D and A")
            }
            BetzaErrorKind::NoDirection { .. } | BetzaErrorKind::TooLong { .. } => None,
            BetzaErrorKind::Range => {
                Some("`R4` is a rook of at most four steps, `R0` or `R` one without end")
            }
        }
    }
}

impl fmt::Display for BetzaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            BetzaErrorKind::Empty => f.write_str("expected the letters of a movement"),
            BetzaErrorKind::UnknownAtom(atom) => write!(f, "no movement is called `{atom}`"),
            BetzaErrorKind::UnknownModifier(sign) => write!(f, "{} is not a modifier", Found(sign)),
            BetzaErrorKind::NoAtom => f.write_str("expected a movement after the modifiers"),
            BetzaErrorKind::Unsuited { modifier, atom } => {
                write!(f, "`{modifier}` has no meaning before `{atom}`")
            }
            BetzaErrorKind::NoDirection { atom } => write!(f, "`{atom}` has no such direction"),
            BetzaErrorKind::Range => f.write_str("number of steps is out of range"),
            BetzaErrorKind::TooLong { limit } => write!(f, "more than {limit} characters"),
        }
    }
}

impl std::error::Error for BetzaError {}

/// The most characters of a text.
const LONGEST: usize = 256;
/// The most steps of a limited rider.
const MOST_STEPS: u32 = 9999;

/// Reads Betza notation as a movement.
///
/// # Errors
///
/// [`BetzaError`] with the place of whatever has no translation.
#[expect(clippy::missing_panics_doc, reason = "what is written here is read there; a property test says so")]
pub fn read(text: &str) -> Result<Expr, BetzaError> {
    if let Some((start, _)) = text.char_indices().nth(LONGEST) {
        let kind = BetzaErrorKind::TooLong { limit: LONGEST };
        return Err(BetzaError { kind, span: Span::new(start, text.len()) });
    }
    let mut reader = Reader { text, at: 0 };
    let mut parts = Vec::new();
    while reader.at < text.len() {
        reader.group(&mut parts)?;
    }
    let written = match &*parts {
        [] => return Err(BetzaError { kind: BetzaErrorKind::Empty, span: Span::new(0, text.len()) }),
        [only] => only.clone(),
        _ => format!("{{{}}}", parts.join(",")),
    };
    let movement = ReadOptions::default().max_length(usize::MAX).parse(&written);
    Ok(movement.expect("the translation is a movement"))
}

/// Whether a text looks like Betza notation: letters and digits, and a capital letter among them.
#[must_use]
pub fn looks_like_betza(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_alphanumeric()) && text.bytes().any(|b| b.is_ascii_uppercase())
}

/// How the steps of an atom lie.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Straight,
    Diagonal,
    Oblique,
}

/// How far a step is repeated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Range {
    Once,
    Times(u32),
    Endless,
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn error<T>(&self, kind: BetzaErrorKind, start: usize, end: usize) -> Result<T, BetzaError> {
        Err(BetzaError { kind, span: Span::new(start, end.min(self.text.len())) })
    }

    /// Modifiers, a letter, and how far it goes; adds its movements.
    fn group(&mut self, parts: &mut Vec<String>) -> Result<(), BetzaError> {
        let start = self.at;
        while let Some(sign) = self.peek().filter(|sign| !sign.is_ascii_uppercase()) {
            if !"mcfblrsvnjpgi".contains(sign) {
                return self.error(BetzaErrorKind::UnknownModifier(sign), self.at, self.at + sign.len_utf8());
            }
            self.at += 1;
        }
        let modifiers = Modifiers::of(&self.text[start..self.at]);
        let Some(atom) = self.peek() else { return self.error(BetzaErrorKind::NoAtom, start, self.at) };
        let place = self.at;
        self.at += 1;
        let steps: &[(Shape, i64, i64)] = match atom {
            'W' | 'R' => &[(Shape::Straight, 1, 0)],
            'F' | 'B' => &[(Shape::Diagonal, 1, 1)],
            'D' => &[(Shape::Straight, 2, 0)],
            'N' => &[(Shape::Oblique, 1, 2)],
            'A' => &[(Shape::Diagonal, 2, 2)],
            'H' => &[(Shape::Straight, 3, 0)],
            'C' => &[(Shape::Oblique, 1, 3)],
            'Z' => &[(Shape::Oblique, 2, 3)],
            'G' => &[(Shape::Diagonal, 3, 3)],
            'K' | 'Q' => &[(Shape::Straight, 1, 0), (Shape::Diagonal, 1, 1)],
            other => return self.error(BetzaErrorKind::UnknownAtom(other), place, place + 1),
        };
        let range = self.range(atom)?;
        let before = parts.len();
        for (shape, x, y) in steps {
            match modifiers.movement(*shape, (*x, *y), range) {
                Ok(movement) => parts.extend(movement),
                Err(modifier) => {
                    return self.error(BetzaErrorKind::Unsuited { modifier, atom }, start, self.at);
                }
            }
        }
        if parts.len() == before {
            return self.error(BetzaErrorKind::NoDirection { atom }, start, self.at);
        }
        Ok(())
    }

    /// What follows a letter: the same letter for a rider, or a number of steps.
    fn range(&mut self, atom: char) -> Result<Range, BetzaError> {
        let usual = if "RBQ".contains(atom) { Range::Endless } else { Range::Once };
        if usual == Range::Once && self.peek() == Some(atom) {
            self.at += 1;
            return Ok(Range::Endless);
        }
        let start = self.at;
        while self.peek().is_some_and(|sign| sign.is_ascii_digit()) {
            self.at += 1;
        }
        match self.text[start..self.at].parse::<u32>() {
            _ if start == self.at => Ok(usual),
            Ok(0) => Ok(Range::Endless),
            Ok(1) => Ok(Range::Once),
            Ok(steps) if steps <= MOST_STEPS => Ok(Range::Times(steps)),
            _ => self.error(BetzaErrorKind::Range, start, self.at),
        }
    }
}

/// The modifiers before a letter.
struct Modifiers<'a> {
    all: &'a str,
    directions: String,
}

impl<'a> Modifiers<'a> {
    fn of(all: &'a str) -> Self {
        Modifiers { all, directions: all.chars().filter(|sign| "fblrsv".contains(*sign)).collect() }
    }

    fn has(&self, modifier: char) -> bool {
        self.all.contains(modifier)
    }

    /// The movement of a step, `None` if no direction is left of it; an error is the modifier that has no
    /// meaning.
    fn movement(&self, shape: Shape, step: (i64, i64), range: Range) -> Result<Option<String>, char> {
        let word = |x: i64, y: i64| self.word(shape, (x, y), range);
        let all = images(step);
        let wanted: Vec<(i64, i64)> = all.iter().copied().filter(|step| self.wants(shape, *step)).collect();
        let mut text = match &*wanted {
            [] => return Ok(None),
            [(x, y)] => word(*x, *y)?,
            _ if wanted.len() == all.len() => {
                let mirrors = match shape {
                    Shape::Straight => "|/",
                    Shape::Diagonal => "|-",
                    Shape::Oblique => "|-/",
                };
                let word = word(step.0, step.1)?;
                if word.contains('*') && word.contains('#') {
                    format!("({word}){mirrors}")
                } else {
                    format!("{word}{mirrors}")
                }
            }
            _ => {
                let words: Result<Vec<String>, char> = wanted.iter().map(|(x, y)| word(*x, *y)).collect();
                format!("{{{}}}", words?.join(","))
            }
        };
        if self.has('m') != self.has('c') {
            let mark = if self.has('m') { '~' } else { '!' };
            text = if text.contains('#') && wanted.len() == 1 {
                format!("({text}){mark}")
            } else {
                text + mark.encode_utf8(&mut [0; 4])
            };
        }
        if self.has('i') {
            text = if text.contains('#') && wanted.len() == 1 { format!("({text})$") } else { text + "$" };
        }
        Ok(Some(text))
    }

    /// One direction of a step, as a movement.
    fn word(&self, shape: Shape, (x, y): (i64, i64), range: Range) -> Result<String, char> {
        let length = x.abs().max(y.abs());
        let is_straight = shape != Shape::Oblique;
        let (unit_x, unit_y) = (x / length.max(1), y / length.max(1));
        if self.has('p') || self.has('g') {
            let sign = if self.has('p') { 'p' } else { 'g' };
            if range != Range::Endless || self.has('n') || self.has('j') {
                return Err(sign);
            }
            let rest = if sign == 'p' { "^*" } else { "" };
            return Ok(format!("[{x},{y}]^[0..*]*[{x},{y}]#*[{x},{y}]{rest}"));
        }
        if self.has('j') {
            let can_jump = is_straight && length == 2 && range == Range::Once && !self.has('n');
            return if can_jump { Ok(format!("[{unit_x},{unit_y}]#*[{unit_x},{unit_y}]")) } else { Err('j') };
        }
        if self.has('n') {
            let can_be_blocked = is_straight && length > 1 && range == Range::Once;
            return if can_be_blocked { Ok(format!("[{unit_x},{unit_y}]^{length}")) } else { Err('n') };
        }
        Ok(match range {
            Range::Once => format!("[{x},{y}]"),
            Range::Times(most) => format!("[{x},{y}]^[1..{most}]"),
            Range::Endless => format!("[{x},{y}]^*"),
        })
    }

    /// Whether the directions allow a step; without directions all are allowed.
    fn wants(&self, shape: Shape, step: (i64, i64)) -> bool {
        if self.directions.is_empty() {
            return true;
        }
        let letters = self.directions.as_bytes();
        let mut index = 0;
        let mut wanted = false;
        while let Some(letter) = letters.get(index) {
            let pair = letters.get(index + 1).filter(|second| is_pair(shape, *letter, **second));
            wanted |= match pair {
                Some(second) if letter == second => is_narrow(*letter, step),
                Some(second) => is_towards(shape, *letter, step) && is_towards(shape, *second, step),
                None => is_towards(shape, *letter, step),
            };
            index += 1 + usize::from(pair.is_some());
        }
        wanted
    }
}

/// Whether two letters of directions mean one thing together.
fn is_pair(shape: Shape, first: u8, second: u8) -> bool {
    let is_vertical = |letter: u8| matches!(letter, b'f' | b'b');
    let is_sideways = |letter: u8| matches!(letter, b'l' | b'r');
    let is_corner =
        (is_vertical(first) && is_sideways(second)) || (is_sideways(first) && is_vertical(second));
    match shape {
        Shape::Straight => false,
        Shape::Diagonal => is_corner,
        // `ff` is as far forward as it goes, `fs` the other steps forward.
        Shape::Oblique => {
            let is_double = first == second && !matches!(first, b's' | b'v');
            is_corner
                || is_double
                || (is_vertical(first) && second == b's')
                || (is_sideways(first) && second == b'v')
        }
    }
}

/// Whether a step goes in the direction of a letter.
fn is_towards(shape: Shape, letter: u8, (x, y): (i64, i64)) -> bool {
    match (letter, shape) {
        (b'f', _) => y > 0,
        (b'b', _) => y < 0,
        (b'l', _) => x < 0,
        (b'r', _) => x > 0,
        (b's' | b'v', Shape::Diagonal) => true,
        (b's', _) => x.abs() > y.abs(),
        _ => y.abs() > x.abs(),
    }
}

/// Whether an oblique step goes mostly in the direction of a letter.
fn is_narrow(letter: u8, (x, y): (i64, i64)) -> bool {
    let is_vertical = matches!(letter, b'f' | b'b');
    is_towards(Shape::Oblique, letter, (x, y)) && (y.abs() > x.abs()) == is_vertical
}

/// A step and its mirror images, each once.
fn images((x, y): (i64, i64)) -> Vec<(i64, i64)> {
    let mut all: Vec<(i64, i64)> =
        [(x, y), (y, x)].into_iter().flat_map(|(x, y)| [(x, y), (-x, y), (x, -y), (-x, -y)]).collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use boardprint_base::{PieceKind, Rect, Square};
    use proptest::prelude::*;

    use super::*;
    use crate::fairy::{Limits, Movement, Mover, Reach, Sameness, Surroundings, same_as};
    use crate::pieces::PieceTable;

    fn squares(text: &str) -> Vec<(i64, i64)> {
        let movement = Movement::new(&read(text).unwrap()).unwrap();
        let from = Square::new(0, 0);
        let found = movement.stops(
            Mover::at(&from),
            &Surroundings::default(),
            &Rect::with_edges(-5, -5, 5, 5),
            &Limits::default(),
        );
        let mut squares: Vec<(i64, i64)> = found
            .stops
            .iter()
            .map(|stop| (stop.square.x.as_i64().unwrap(), stop.square.y.as_i64().unwrap()))
            .collect();
        squares.sort_unstable();
        squares
    }

    #[test]
    fn the_pieces_of_infinite_chess_have_betza_names() {
        for (text, kind) in [
            ("N", PieceKind::Knight),
            ("WF", PieceKind::King),
            ("K", PieceKind::Guard),
            ("R", PieceKind::Rook),
            ("WW", PieceKind::Rook),
            ("W0", PieceKind::Rook),
            ("B", PieceKind::Bishop),
            ("Q", PieceKind::Queen),
            ("RB", PieceKind::Queen),
            ("QN", PieceKind::Amazon),
            ("RN", PieceKind::Chancellor),
            ("BN", PieceKind::Archbishop),
            ("KN", PieceKind::Centaur),
            ("C", PieceKind::Camel),
            ("Z", PieceKind::Zebra),
            ("NN", PieceKind::Knightrider),
            ("N0", PieceKind::Knightrider),
            ("DAHG", PieceKind::Hawk),
            ("mfWcfFimfnD", PieceKind::Pawn),
        ] {
            let own = PieceTable::built_in().get(kind).unwrap().expr();
            let read = read(text).unwrap();
            assert_eq!(same_as(&read, own, &Limits::default()), Sameness::Same, "{text} is {read}");
        }
    }

    #[test]
    fn directions_choose_among_the_steps() {
        assert_eq!(squares("fW"), [(0, 1)]);
        assert_eq!(squares("sW"), [(-1, 0), (1, 0)]);
        assert_eq!(squares("fsW"), [(-1, 0), (0, 1), (1, 0)]);
        assert_eq!(squares("fF"), [(-1, 1), (1, 1)]);
        assert_eq!(squares("flF"), [(-1, 1)]);
        assert_eq!(squares("fbF").len(), 4);
        assert_eq!(squares("fK"), [(-1, 1), (0, 1), (1, 1)]);
        assert_eq!(squares("fN"), [(-2, 1), (-1, 2), (1, 2), (2, 1)]);
        assert_eq!(squares("ffN"), [(-1, 2), (1, 2)]);
        assert_eq!(squares("fsN"), [(-2, 1), (2, 1)]);
        assert_eq!(squares("vN"), [(-1, -2), (-1, 2), (1, -2), (1, 2)]);
        assert_eq!(squares("frN"), [(1, 2), (2, 1)]);
        assert_eq!(squares("fR4"), [(0, 1), (0, 2), (0, 3), (0, 4)]);
        assert_eq!(squares("R2").len(), 8);
    }

    #[test]
    fn hoppers_and_lame_leapers() {
        let reach = |text: &str, to: (i64, i64), friends: &[(i64, i64)], enemies: &[(i64, i64)]| {
            let movement = Movement::new(&read(text).unwrap()).unwrap();
            let square = |(x, y): &(i64, i64)| Square::new(*x, *y);
            let board = Surroundings::new(friends.iter().map(square), enemies.iter().map(square));
            movement.reach(Mover::at(&square(&(0, 0))), &square(&to), &board)
        };
        assert_eq!(reach("nD", (2, 0), &[(1, 0)], &[]), Reach::No);
        assert_eq!(reach("D", (2, 0), &[(1, 0)], &[]), Reach::Quiet);
        assert_eq!(reach("jD", (2, 0), &[(1, 0)], &[]), Reach::Quiet);
        assert_eq!(reach("jD", (2, 0), &[], &[]), Reach::No);
        assert_eq!(reach("mRcpR", (9, 0), &[(4, 0)], &[(9, 0)]), Reach::Capture);
        assert_eq!(reach("mRcpR", (9, 0), &[], &[(9, 0)]), Reach::No);
        assert_eq!(reach("gQ", (5, 5), &[(4, 4)], &[]), Reach::Quiet);
        assert_eq!(reach("gQ", (6, 6), &[(4, 4)], &[]), Reach::No);
        assert_eq!(reach("cK", (1, 1), &[], &[]), Reach::No);
        assert_eq!(reach("cfpR", (0, 9), &[(0, 4)], &[(0, 9)]), Reach::Capture);
    }

    #[test]
    fn errors_have_a_kind_and_a_place() {
        use BetzaErrorKind::{Empty, NoAtom, NoDirection, Range, UnknownAtom, UnknownModifier, Unsuited};
        for (text, kind, place) in [
            ("", Empty, (0, 0)),
            ("WX", UnknownAtom('X'), (1, 2)),
            ("Wxf", UnknownModifier('x'), (1, 2)),
            ("W[N]", UnknownModifier('['), (1, 2)),
            ("Né", UnknownModifier('é'), (1, 3)),
            ("Nmf", NoAtom, (1, 3)),
            ("pN", Unsuited { modifier: 'p', atom: 'N' }, (0, 2)),
            ("nN", Unsuited { modifier: 'n', atom: 'N' }, (0, 2)),
            ("jW", Unsuited { modifier: 'j', atom: 'W' }, (0, 2)),
            ("R99999", Range, (1, 6)),
            ("R99999999999999", Range, (1, 15)),
        ] {
            let error = read(text).unwrap_err();
            assert_eq!((error.kind(), (error.span().start, error.span().end)), (kind, place), "{text}");
        }
        let none = read("WvsN").err().map(|error| error.kind());
        assert_ne!(none, Some(NoDirection { atom: 'N' }), "`v` and `s` are both");
        assert!(matches!(read(&"N".repeat(300)).unwrap_err().kind(), BetzaErrorKind::TooLong { .. }));
    }

    proptest! {
        #[test]
        fn every_text_is_a_movement_or_an_error(text in "[mcfblrsvnjpgiWFDNAHCZGRBQK0-9X]{0,12}") {
            if let Ok(movement) = read(&text) {
                prop_assert!(Movement::new(&movement).is_ok());
            }
        }
    }
}
