//! Reading CPN.

use boardprint_base::{Coord, Side, Span, SyntaxError, SyntaxErrorKind};
use nom::bytes::complete::tag;
use nom::character::complete::{char, digit1};
use nom::combinator::value;
use nom::error::{ErrorKind, ParseError};
use nom::{IResult, Parser, branch::alt};

use crate::error::{CpnError, CpnRule, Field};
use crate::gan::{Actor, actor};
use crate::notation::Cpn;
use crate::revision::Revision;
use crate::warning::{CpnWarning, CpnWarningKind};

/// How to read a CPN. The default is strict and takes any one revision.
///
/// ```
/// use boardprint_cpn::{Options, Revision};
/// assert!(Options::default().read("t--2,1--,--foo").is_err());
/// assert!(Options::default().free_names(true).read("t--2,1--,--foo").is_ok());
/// assert!(Options::default().revision(Revision::Y2019).read("B--1--w:^k--").is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    free_names: bool,
    lenient: bool,
    revision: Option<Revision>,
}

impl Options {
    /// Whether any graphic ASCII without `,` and `--` that does not begin with `-` is an actor, as in `cpn.rb`.
    #[must_use]
    pub const fn free_names(mut self, free_names: bool) -> Self {
        self.free_names = free_names;
        self
    }

    /// Whether a hand in another order is sorted. [`Options::read_with_warnings`] tells that it was.
    ///
    /// ```
    /// use boardprint_cpn::{CpnWarningKind, Options};
    /// let lenient = Options::default().lenient(true);
    /// let (cpn, warnings) = lenient.read_with_warnings("B--1----s:p,S:P")?;
    /// assert_eq!(cpn.to_string(), "B--1----S:P,s:p");
    /// assert_eq!(warnings[0].kind(), CpnWarningKind::UnsortedHand);
    /// assert!(Options::default().read("B--1----s:p,S:P").is_err());
    /// # Ok::<(), boardprint_cpn::CpnError>(())
    /// ```
    #[must_use]
    pub const fn lenient(mut self, lenient: bool) -> Self {
        self.lenient = lenient;
        self
    }

    /// Takes royal prefixes of this revision only.
    #[must_use]
    pub const fn revision(mut self, revision: Revision) -> Self {
        self.revision = Some(revision);
        self
    }

    /// Reads a CPN.
    ///
    /// # Errors
    ///
    /// [`CpnError`] with the field, the cell and the bytes that are wrong.
    pub fn read(self, text: &str) -> Result<Cpn, CpnError> {
        self.read_with_warnings(text).map(|(cpn, _)| cpn)
    }

    /// Reads a CPN and says what had to be put right.
    ///
    /// # Errors
    ///
    /// As [`Options::read`].
    pub fn read_with_warnings(self, text: &str) -> Result<(Cpn, Vec<CpnWarning>), CpnError> {
        let Options { free_names, lenient, revision: only } = self;
        Reader { source: text, rest: text, free_names, lenient, only, seen: None, unsorted: None }.cpn()
    }
}

pub(crate) type PResult<'a, T> = IResult<&'a str, T, Fault<'a>>;

/// Where the grammar stopped and what it wanted there.
#[derive(Debug)]
pub(crate) struct Fault<'a> {
    rest: &'a str,
    what: &'static str,
}

impl<'a> Fault<'a> {
    pub(crate) const fn new(rest: &'a str, what: &'static str) -> Self {
        Fault { rest, what }
    }

    pub(crate) fn of(error: nom::Err<Self>) -> Self {
        match error {
            nom::Err::Error(fault) | nom::Err::Failure(fault) => fault,
            nom::Err::Incomplete(_) => Fault::new("", "more text"),
        }
    }

    pub(crate) fn into_syntax_error(self, source: &str) -> SyntaxError {
        let start = source.len() - self.rest.len();
        let found = self.rest.chars().next();
        let end = start + found.map_or(0, char::len_utf8);
        SyntaxError::new(SyntaxErrorKind::Expected { what: self.what, found }, Span::new(start, end))
    }
}

impl<'a> ParseError<&'a str> for Fault<'a> {
    fn from_error_kind(rest: &'a str, _: ErrorKind) -> Self {
        Fault::new(rest, "something else")
    }

    fn append(_: &'a str, _: ErrorKind, other: Self) -> Self {
        other
    }
}

/// Names what was missing where a parser stopped.
pub(crate) fn expected<'a, P>(
    what: &'static str,
    mut parser: P,
) -> impl Parser<&'a str, Output = P::Output, Error = Fault<'a>>
where
    P: Parser<&'a str, Error = Fault<'a>>,
{
    move |i: &'a str| parser.parse(i).map_err(|error| error.map(|fault| Fault { what, ..fault }))
}

/// One pass over the text, field by field.
struct Reader<'a> {
    source: &'a str,
    rest: &'a str,
    free_names: bool,
    lenient: bool,
    /// The revision asked for.
    only: Option<Revision>,
    /// The revision of the first royal prefix.
    seen: Option<Revision>,
    /// The first piece in hand that is out of order.
    unsorted: Option<Span>,
}

impl<'a> Reader<'a> {
    fn cpn(mut self) -> Result<(Cpn, Vec<CpnWarning>), CpnError> {
        let side = alt((value(Side::Bottom, char('B')), value(Side::Top, char('t'))));
        let side = self.take(Field::Side, None, expected("`B` or `t`", side))?;
        self.separator(Field::Side)?;
        let shape = self.shape()?;
        self.separator(Field::Shape)?;
        let (len, board) = self.board(cell_count(&shape))?;
        self.separator(Field::Board)?;
        let hand = self.hand()?;
        let Some(span) = self.unsorted else {
            return Ok((
                Cpn::from_checked(self.source, side, shape, len, board, hand, self.seen),
                Vec::new(),
            ));
        };
        let mut pieces: Vec<&str> = self.source[hand.start..].split(',').collect();
        pieces.sort_unstable();
        let text = format!("{}{}", &self.source[..hand.start], pieces.join(","));
        let warning = CpnWarning::new(CpnWarningKind::UnsortedHand, span);
        Ok((Cpn::from_checked(&text, side, shape, len, board, hand, self.seen), vec![warning]))
    }

    fn offset(&self) -> usize {
        self.source.len() - self.rest.len()
    }

    fn take<T>(
        &mut self,
        field: Field,
        cell: Option<usize>,
        mut parser: impl Parser<&'a str, Output = T, Error = Fault<'a>>,
    ) -> Result<T, CpnError> {
        let (rest, value) = parser
            .parse(self.rest)
            .map_err(|error| CpnError::new(field, cell, Fault::of(error).into_syntax_error(self.source)))?;
        self.rest = rest;
        Ok(value)
    }

    fn separator(&mut self, after: Field) -> Result<(), CpnError> {
        let what = match after {
            Field::Side => "`--` after the side",
            Field::Shape => "`,` or `--` after a size",
            Field::Board | Field::Hand => "`,` or `--` after a cell",
        };
        self.take(after, None, expected(what, tag("--"))).map(drop)
    }

    fn shape(&mut self) -> Result<Vec<Coord>, CpnError> {
        let mut sizes = Vec::new();
        if self.rest.starts_with("--") {
            return Ok(sizes);
        }
        loop {
            let start = self.offset();
            let digits = self.take(Field::Shape, None, expected("a size", digit1))?;
            if digits.len() > 1 && digits.starts_with('0') {
                let span = Span::new(start, self.offset());
                return Err(CpnError::broken(Field::Shape, None, CpnRule::LeadingZero, span));
            }
            sizes.push(Coord::from_digits(false, digits.as_bytes()));
            let Some(rest) = self.rest.strip_prefix(',') else { return Ok(sizes) };
            self.rest = rest;
        }
    }

    /// The cells: how many there are and where.
    fn board(&mut self, wanted: Option<usize>) -> Result<(usize, Span), CpnError> {
        let start = self.offset();
        let mut found = 0;
        if wanted != Some(0) || !self.rest.starts_with("--") {
            loop {
                found += 1;
                if !(self.rest.is_empty() || self.rest.starts_with(',') || self.rest.starts_with("--")) {
                    self.actor(Field::Board, found)?;
                }
                let Some(rest) = self.rest.strip_prefix(',') else { break };
                self.rest = rest;
            }
        }
        // What cannot follow a cell is the better message than a count that it made wrong.
        if !self.rest.starts_with("--") {
            let what = "`,` or `--` after a cell";
            return Err(CpnError::new(
                Field::Board,
                Some(found),
                Fault::new(self.rest, what).into_syntax_error(self.source),
            ));
        }
        let board = Span::new(start, self.offset());
        if wanted == Some(found) {
            Ok((found, board))
        } else {
            Err(CpnError::cell_count(found, wanted, board))
        }
    }

    /// The pieces in hand: where they are.
    fn hand(&mut self) -> Result<Span, CpnError> {
        let start = self.offset();
        let mut last = "";
        let mut number = 0;
        while !(number == 0 && self.rest.is_empty()) {
            number += 1;
            let (piece, span) = self.actor(Field::Hand, number)?;
            // CPN, "Pieces in hand": sorted, so that equal hands have equal texts.
            if piece < last && !self.lenient {
                return Err(CpnError::broken(Field::Hand, Some(number), CpnRule::UnsortedHand, span));
            }
            if piece < last {
                self.unsorted.get_or_insert(span);
            }
            last = piece;
            match self.rest.strip_prefix(',') {
                Some(rest) => self.rest = rest,
                None if self.rest.is_empty() => break,
                None => {
                    let fault = Fault::new(self.rest, "`,` or the end of the text after a piece in hand");
                    return Err(CpnError::new(
                        Field::Hand,
                        Some(number),
                        fault.into_syntax_error(self.source),
                    ));
                }
            }
        }
        Ok(Span::new(start, self.source.len()))
    }

    fn actor(&mut self, field: Field, cell: usize) -> Result<(&'a str, Span), CpnError> {
        let start = self.offset();
        let (text, revision) = if self.free_names {
            let name = self.take(field, Some(cell), free_name)?;
            (name, Actor::parse(name).ok().and_then(|actor| actor.revision()))
        } else {
            let actor = self.take(field, Some(cell), actor)?;
            (actor.as_str(), actor.revision())
        };
        let span = Span::new(start, self.offset());
        if let Some(revision) = revision {
            let wanted = *self.seen.get_or_insert(self.only.unwrap_or(revision));
            if wanted != revision {
                return Err(CpnError::broken(field, Some(cell), CpnRule::OtherRevision { wanted }, span));
            }
        }
        Ok((text, span))
    }
}

/// An actor as `cpn.rb` takes it: graphic ASCII up to `,` or `--`.
fn free_name(i: &str) -> PResult<'_, &str> {
    let end = i.find(',').unwrap_or(i.len());
    let end = i[..end].find("--").unwrap_or(end);
    let fault = |at: &'_ str| nom::Err::Error(Fault::new(&i[i.len() - at.len()..], "the name of an actor"));
    if end == 0 || i.starts_with('-') {
        return Err(fault(i));
    }
    match i[..end].find(|c: char| !c.is_ascii_graphic()) {
        Some(bad) => Err(fault(&i[bad..])),
        None => Ok((&i[end..], &i[..end])),
    }
}

/// The product of the sizes; `None` if it is beyond `usize`. No size at all makes no cell.
fn cell_count(shape: &[Coord]) -> Option<usize> {
    if shape.is_empty() || shape.iter().any(Coord::is_zero) {
        return Some(0);
    }
    shape.iter().try_fold(1_usize, |product, size| {
        let size = usize::try_from(size.as_i64()?).ok()?;
        product.checked_mul(size)
    })
}
