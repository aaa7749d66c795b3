//! Reading CPN.

use boardprint_base::{Coord, Side, Span, SyntaxError, SyntaxErrorKind};
use nom::bytes::complete::tag;
use nom::character::complete::{char, digit1};
use nom::combinator::value;
use nom::error::{ErrorKind, ParseError};
use nom::{IResult, Parser, branch::alt};

use crate::error::{CpnError, Field};
use crate::gan::{Actor, actor};
use crate::notation::Cpn;
use crate::revision::Revision;

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
    sort_hand: bool,
    revision: Option<Revision>,
}

impl Options {
    /// Whether any graphic ASCII without `,` and `--` that does not begin with `-` is an actor, as in `cpn.rb`.
    #[must_use]
    pub const fn free_names(mut self, free_names: bool) -> Self {
        self.free_names = free_names;
        self
    }

    /// Whether a hand that is not in ASCII order is read, and sorted, instead of refused.
    ///
    /// ```
    /// use boardprint_cpn::Options;
    /// let text = "B--1----s:p,S:P";
    /// assert!(Options::default().read(text).is_err());
    /// assert_eq!(Options::default().sort_hand(true).read(text)?.as_str(), "B--1----S:P,s:p");
    /// # Ok::<(), boardprint_cpn::CpnError>(())
    /// ```
    #[must_use]
    pub const fn sort_hand(mut self, sort_hand: bool) -> Self {
        self.sort_hand = sort_hand;
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
        let read = |text| {
            Reader { source: text, rest: text, free_names: self.free_names, only: self.revision, seen: None }
                .cpn()
        };
        match read(text) {
            Err(error) if self.sort_hand && error.is_about_order() => {
                // The fields before the hand have been read, so the last `--` is the one before it.
                let hand = text.rfind("--").map_or(text.len(), |dashes| dashes + 2);
                let mut pieces: Vec<&str> = text[hand..].split(',').collect();
                pieces.sort_unstable();
                // A text that is wrong in another way as well is refused as it was written.
                read(&format!("{}{}", &text[..hand], pieces.join(","))).map_err(|_| error)
            }
            other => other,
        }
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
    /// The revision asked for.
    only: Option<Revision>,
    /// The revision of the first royal prefix.
    seen: Option<Revision>,
}

impl<'a> Reader<'a> {
    fn cpn(mut self) -> Result<Cpn, CpnError> {
        let side = alt((value(Side::Bottom, char('B')), value(Side::Top, char('t'))));
        let side = self.take(Field::Side, None, expected("`B` or `t`", side))?;
        self.separator(Field::Side)?;
        let shape = self.shape()?;
        self.separator(Field::Shape)?;
        let (len, board) = self.board(cell_count(&shape))?;
        self.separator(Field::Board)?;
        let hand = self.hand()?;
        Ok(Cpn::from_checked(self.source, side, shape, len, board, hand, self.seen))
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

    fn separator(&mut self, behind: Field) -> Result<(), CpnError> {
        let what = match behind {
            Field::Side => "`--` after the side",
            Field::Shape => "`,` or `--` after a size",
            Field::Board | Field::Hand => "`,` or `--` after a cell",
        };
        self.take(behind, None, expected(what, tag("--"))).map(drop)
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
                let kind = SyntaxErrorKind::Broken {
                    rule: "size has a leading zero",
                    hint: "write the size without leading zeros",
                };
                return Err(CpnError::new(
                    Field::Shape,
                    None,
                    SyntaxError::new(kind, Span::new(start, self.offset())),
                ));
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
            if piece < last {
                let kind = SyntaxErrorKind::Broken {
                    rule: UNSORTED,
                    hint: "put this piece before the one in front of it",
                };
                return Err(CpnError::new(Field::Hand, Some(number), SyntaxError::new(kind, span)));
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
            self.check_revision(revision, span).map_err(|error| CpnError::new(field, Some(cell), error))?;
        }
        Ok((text, span))
    }

    fn check_revision(&mut self, revision: Revision, span: Span) -> Result<(), SyntaxError> {
        let wanted = *self.seen.get_or_insert(self.only.unwrap_or(revision));
        if wanted == revision {
            return Ok(());
        }
        let hint = match wanted {
            Revision::Y2014 => "the royal prefix is `_` here",
            Revision::Y2015 => "the royal prefix is `^` here",
            Revision::Y2019 => "the royal prefix is `-` here",
        };
        let kind = SyntaxErrorKind::Broken { rule: "royal prefix of another revision", hint };
        Err(SyntaxError::new(kind, span))
    }
}

/// What is wrong with a hand that is not sorted.
pub(crate) const UNSORTED: &str = "the hand is not in ASCII order";

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
