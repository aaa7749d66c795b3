//! Reads movements. LL(1) over single characters: an error is at the first character that no movement
//! continues with.
//!
//! ```text
//! expr     = sequence END
//! sequence = post *( "*" post )
//! post     = prim *( "-" / "|" / "/" / "?" / "~" / "!" / "$" / "^" count )
//! prim     = "[" int "," int "]" [ "#" / "@prime" ] / "{" sequence *( "," sequence ) "}" / "(" sequence ")"
//! count    = nat / "*" / "[" nat ".." ( nat / "*" ) "]"
//! ```

use std::str::FromStr;

use boardprint_base::Span;
use nom::bytes::complete::{tag, take_while};
use nom::character::complete::{char, digit1};
use nom::combinator::opt;
use nom::sequence::preceded;
use nom::{IResult, Parser};

use super::error::{MovementError, MovementErrorKind};
use super::expr::{Expr, Jump, Mirror, Modifier, Repeat};

/// What the reader accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    empty: bool,
    max_length: usize,
    max_depth: usize,
}

impl ReadOptions {
    /// Whether `{}`, no move at all, is accepted. Piece files have it; elsewhere it is a slip.
    #[must_use]
    pub const fn empty(mut self, accepted: bool) -> Self {
        self.empty = accepted;
        self
    }

    /// The most characters of a text.
    #[must_use]
    pub const fn max_length(mut self, characters: usize) -> Self {
        self.max_length = characters;
        self
    }

    /// The most brackets within brackets; at most 128, which keeps recursion safe.
    #[must_use]
    pub const fn max_depth(mut self, levels: usize) -> Self {
        self.max_depth = if levels > 128 { 128 } else { levels };
        self
    }

    /// Reads a movement.
    ///
    /// # Errors
    ///
    /// [`MovementError`] at the first character that cannot stand there, or when a limit is exceeded.
    pub fn parse(self, text: &str) -> Result<Expr, MovementError> {
        if let Some((start, extra)) = text.char_indices().nth(self.max_length) {
            let kind = MovementErrorKind::TooLong { limit: self.max_length };
            return Err(MovementError::new(kind, Span::new(start, start + extra.len_utf8())));
        }
        let reader = Reader { options: self };
        match reader.whole(text) {
            Ok((_, expr)) => Ok(expr),
            Err(nom::Err::Error(fault) | nom::Err::Failure(fault)) => {
                let start = text.len() - fault.rest.len();
                Err(MovementError::new(fault.kind, Span::new(start, start + fault.width)))
            }
            Err(nom::Err::Incomplete(_)) => {
                let kind = MovementErrorKind::Expected { what: "a movement", found: None };
                Err(MovementError::new(kind, Span::new(text.len(), text.len())))
            }
        }
    }
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions { empty: false, max_length: 4096, max_depth: 64 }
    }
}

impl FromStr for Expr {
    type Err = MovementError;
    fn from_str(text: &str) -> Result<Self, MovementError> {
        ReadOptions::default().parse(text)
    }
}

type PResult<'a, T> = IResult<&'a str, T, Fault<'a>>;

/// What is wrong, where, and how many bytes of it.
struct Fault<'a> {
    rest: &'a str,
    width: usize,
    kind: MovementErrorKind,
}

impl<'a> nom::error::ParseError<&'a str> for Fault<'a> {
    fn from_error_kind(rest: &'a str, _: nom::error::ErrorKind) -> Self {
        Fault::expected("a movement", rest)
    }
    fn append(_: &'a str, _: nom::error::ErrorKind, other: Self) -> Self {
        other
    }
}

impl<'a> Fault<'a> {
    fn new(kind: MovementErrorKind, rest: &'a str, width: usize) -> Self {
        Fault { rest, width, kind }
    }

    fn expected(what: &'static str, rest: &'a str) -> Self {
        let found = rest.chars().next();
        if found == Some('.') && what.contains("`*`") {
            return Fault::new(MovementErrorKind::PointForStar, rest, 1);
        }
        Fault::new(MovementErrorKind::Expected { what, found }, rest, found.map_or(0, char::len_utf8))
    }

    fn fail<T>(self) -> PResult<'a, T> {
        Err(nom::Err::Failure(self))
    }
}

/// Where a movement may begin.
const PRIMARY: &str = "`[`, `{` or `(`";

struct Reader {
    options: ReadOptions,
}

impl Reader {
    fn whole<'a>(&self, i: &'a str) -> PResult<'a, Expr> {
        let (i, expr) = self.sequence(i, 0)?;
        let i = blank(i)?.0;
        match i.chars().next() {
            None => Ok((i, expr)),
            Some('[' | '{' | '(') => Fault::new(MovementErrorKind::MissingStar, i, 1).fail(),
            Some(',') => Fault::new(MovementErrorKind::OptionsWithoutBraces, i, 1).fail(),
            Some(_) => Fault::expected("`*`, a mark or the end", i).fail(),
        }
    }

    fn sequence<'a>(&self, i: &'a str, depth: usize) -> PResult<'a, Expr> {
        let (mut i, first) = self.post(i, depth)?;
        let mut steps = vec![first];
        while let (rest, Some(_)) = opt(token('*')).parse(i)? {
            let (rest, step) = self.post(rest, depth)?;
            steps.push(step);
            i = rest;
        }
        Ok((i, if steps.len() == 1 { steps.remove(0) } else { Expr::Sequence(steps) }))
    }

    fn post<'a>(&self, i: &'a str, depth: usize) -> PResult<'a, Expr> {
        let (mut i, mut expr) = self.primary(i, depth)?;
        loop {
            let here = blank(i)?.0;
            let Some(mark) = here.chars().next() else { return Ok((i, expr)) };
            let modifier = match mark {
                '-' => Modifier::Mirror(Mirror::FlipY),
                '|' => Modifier::Mirror(Mirror::FlipX),
                '/' => Modifier::Mirror(Mirror::Swap),
                '?' => Modifier::Repeat(Repeat { least: 0, most: Some(1) }),
                '~' => Modifier::Quiet,
                '!' => Modifier::Capture,
                '$' => Modifier::Right,
                '^' => {
                    let (rest, repeat) = count(&here[1..])?;
                    expr = expr.modified(Modifier::Repeat(repeat));
                    i = rest;
                    continue;
                }
                _ => return Ok((i, expr)),
            };
            expr = expr.modified(modifier);
            i = &here[1..];
        }
    }

    fn primary<'a>(&self, i: &'a str, depth: usize) -> PResult<'a, Expr> {
        let i = blank(i)?.0;
        match i.as_bytes().first() {
            Some(b'[') => jump(i),
            Some(b'{' | b'(') if depth == self.options.max_depth => {
                let limit = self.options.max_depth;
                Fault::new(MovementErrorKind::TooDeep { limit }, i, 1).fail()
            }
            Some(b'(') => {
                let (rest, expr) = self.sequence(&i[1..], depth + 1)?;
                Ok((close(rest, ')', "`)`, `*` or a mark")?, expr))
            }
            Some(b'{') => self.options(&i[1..], depth + 1),
            _ => Fault::expected(PRIMARY, i).fail(),
        }
    }

    fn options<'a>(&self, i: &'a str, depth: usize) -> PResult<'a, Expr> {
        if self.options.empty
            && let (rest, Some(_)) = opt(token('}')).parse(i)?
        {
            return Ok((rest, Expr::Options(Vec::new())));
        }
        let (mut i, first) = self.sequence(i, depth)?;
        let mut options = vec![first];
        while let (rest, Some(_)) = opt(token(',')).parse(i)? {
            let (rest, option) = self.sequence(rest, depth)?;
            options.push(option);
            i = rest;
        }
        Ok((close(i, '}', "`,`, `}`, `*` or a mark")?, Expr::Options(options)))
    }
}

/// A jump, from its bracket on.
fn jump(i: &str) -> PResult<'_, Expr> {
    let (i, x) = integer(&i[1..])?;
    let (i, y) = integer(close(i, ',', "`,`")?)?;
    let i = close(i, ']', "`]`")?;
    let jump = Jump { x, y };
    let here = blank(i)?.0;
    match here.as_bytes().first() {
        Some(b'#') => Ok((&here[1..], Expr::Hurdle(jump))),
        Some(b'@') => {
            let matching =
                here[1..].bytes().zip(b"prime").take_while(|(found, wanted)| found == *wanted).count();
            match tag::<_, _, Fault<'_>>("@prime").parse(here) {
                Ok((rest, _)) => Ok((rest, Expr::Prime(jump))),
                Err(_) => Fault::expected("`@prime`", &here[1 + matching..]).fail(),
            }
        }
        _ => Ok((i, Expr::Jump(jump))),
    }
}

/// What stands after `^`.
fn count(i: &str) -> PResult<'_, Repeat> {
    let here = blank(i)?.0;
    match here.as_bytes().first() {
        Some(b'*') => Ok((&here[1..], Repeat { least: 1, most: None })),
        Some(b'0'..=b'9') => natural(here, "a count").map(|(i, n)| (i, Repeat { least: n, most: Some(n) })),
        Some(b'[') => {
            let (i, least) = natural(&here[1..], "a count")?;
            let i = blank(i)?.0;
            let dots = i.bytes().take(2).take_while(|b| *b == b'.').count();
            if dots < 2 {
                return Fault::expected("`..`", &i[dots..]).fail();
            }
            let upper = blank(&i[2..])?.0;
            let (i, most) = match upper.strip_prefix('*') {
                Some(rest) => (rest, None),
                None => natural(upper, "a count or `*`").map(|(i, n)| (i, Some(n)))?,
            };
            if most.is_some_and(|most| most < least) {
                let kind = MovementErrorKind::ReversedRange;
                return Fault::new(kind, upper, upper.len() - i.len()).fail();
            }
            Ok((close(i, ']', "`]`")?, Repeat { least, most }))
        }
        _ => Fault::expected("a count, `*` or `[`", here).fail(),
    }
}

fn integer(i: &str) -> PResult<'_, i64> {
    let start = blank(i)?.0;
    let (i, sign) = opt(char('-')).parse(start)?;
    let what = if sign.is_some() { "a digit" } else { "an integer" };
    let (rest, value) = digits(i, what, start)?;
    let value = i64::try_from(value).or_else(|_| too_big(start, rest))?;
    Ok((rest, if sign.is_some() { -value } else { value }))
}

fn natural<'a>(i: &'a str, what: &'static str) -> PResult<'a, u64> {
    let start = blank(i)?.0;
    let (rest, value) = digits(start, what, start)?;
    if i64::try_from(value).is_err() {
        return too_big(start, rest);
    }
    Ok((rest, value))
}

/// The value of a run of digits; `start` is where the number begins.
fn digits<'a>(i: &'a str, what: &'static str, start: &'a str) -> PResult<'a, u64> {
    let (rest, run) = digit1::<_, Fault<'_>>(i).or_else(|_| Fault::expected(what, i).fail())?;
    let significant = run.trim_start_matches('0');
    if significant.is_empty() {
        return Ok((rest, 0));
    }
    significant.parse().map_or_else(|_| too_big(start, rest), |value| Ok((rest, value)))
}

fn too_big<'a, T>(start: &'a str, rest: &'a str) -> Result<T, nom::Err<Fault<'a>>> {
    let kind = MovementErrorKind::NumberOutOfRange;
    Err(nom::Err::Failure(Fault::new(kind, start, start.len() - rest.len())))
}

fn blank(i: &str) -> PResult<'_, &str> {
    take_while(|c| matches!(c, ' ' | '\t' | '\r' | '\n')).parse(i)
}

fn token<'a>(c: char) -> impl Parser<&'a str, Output = char, Error = Fault<'a>> {
    preceded(blank, char(c))
}

/// The text after a character that has to come next.
fn close<'a>(i: &'a str, c: char, what: &'static str) -> Result<&'a str, nom::Err<Fault<'a>>> {
    let here = blank(i)?.0;
    here.strip_prefix(c).ok_or_else(|| nom::Err::Failure(Fault::expected(what, here)))
}
