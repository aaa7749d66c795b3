//! Pieces of text that know their place, the context with its warnings, and numbers.

use std::ops::Range;

use boardprint_base::{Coord, Span, Square, Whole, whole_digits};

use crate::error::{IcnError, IcnErrorKind, Limited, Rule, Term};
use crate::options::ReadOptions;
use crate::warning::{Warning, WarningKind};

pub(super) fn error(kind: IcnErrorKind, span: Span) -> IcnError {
    IcnError::new(kind, span)
}

/// A rule of the format is broken.
pub(super) fn broken(rule: Rule, span: Span) -> IcnError {
    error(rule.into(), span)
}

/// Something else had to stand at a byte of a text.
pub(super) fn expected(what: &'static str, text: &str, at: usize) -> IcnError {
    let found = text.get(at..).and_then(|rest| rest.chars().next());
    let at = at.min(text.len());
    error(IcnErrorKind::Expected { what, found }, Span::new(at, at + found.map_or(0, char::len_utf8)))
}

/// The options, and what had to be interpreted.
pub(super) struct Context<'o> {
    pub(super) options: &'o ReadOptions,
    warnings: Vec<Warning>,
}

impl<'o> Context<'o> {
    pub(super) fn new(options: &'o ReadOptions) -> Self {
        Context { options, warnings: Vec::new() }
    }

    pub(super) fn warn(&mut self, kind: WarningKind, span: Span) {
        self.warnings.push(Warning::new(kind, span));
    }

    pub(super) fn into_warnings(self) -> Vec<Warning> {
        self.warnings
    }

    pub(super) fn too_many_digits(&self, span: Span) -> IcnError {
        let limit = self.options.max_digits;
        error(IcnErrorKind::TooMuch { what: Limited::Digits, limit }, span)
    }
}

/// A text from the source and its place there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slice<'v> {
    pub(super) text: &'v str,
    pub(super) span: Span,
    /// Whether the text stands in the source as it is, so that places inside it are known.
    is_exact: bool,
}

impl<'v> Slice<'v> {
    pub(super) fn exact(text: &'v str, span: Span) -> Self {
        Slice { text, span, is_exact: true }
    }

    /// A text that was written with escapes: all of it is one place.
    pub(super) fn vague(text: &'v str, span: Span) -> Self {
        Slice { text, span, is_exact: false }
    }

    pub(super) fn sub(self, range: Range<usize>) -> Self {
        let span = self.span_of(range.start, range.end);
        Slice { text: &self.text[range], span, ..self }
    }

    pub(super) fn from(self, start: usize) -> Self {
        self.sub(start..self.text.len())
    }

    fn span_of(self, start: usize, end: usize) -> Span {
        if self.is_exact { Span::new(self.span.start + start, self.span.start + end) } else { self.span }
    }

    /// An error of this text read as text of its own.
    pub(super) fn error_inside(self, inner: IcnError) -> IcnError {
        if self.is_exact { inner.shifted(self.span.start) } else { error(inner.kind().clone(), self.span) }
    }

    /// The place of a span of this text read as text of its own.
    pub(super) fn span_inside(self, inner: Span) -> Span {
        self.span_of(inner.start, inner.end)
    }

    /// The error that something else had to stand at the beginning.
    pub(super) fn expected(self, what: &'static str) -> IcnError {
        let found = self.text.chars().next();
        let span = self.span_of(0, found.map_or(0, char::len_utf8));
        error(IcnErrorKind::Expected { what, found }, span)
    }

    pub(super) fn unknown(self, what: Term, nearest: Option<&'static str>) -> IcnError {
        error(IcnErrorKind::Unknown { what, nearest }, self.span)
    }
}

/// An integer: `-12`, and with a warning `007`, `-0`, `1e21`. A JSON number may also be `8.0`.
pub(super) fn integer(
    context: &mut Context<'_>,
    slice: Slice<'_>,
    is_number: bool,
) -> Result<Coord, IcnError> {
    let (negative, unsigned) = slice.text.strip_prefix('-').map_or((false, slice.text), |rest| (true, rest));
    let (mantissa, exponent) = unsigned
        .split_once(['e', 'E'])
        .map_or((unsigned, None), |(mantissa, exponent)| (mantissa, Some(exponent)));
    let (whole, fraction) = mantissa.split_once('.').map_or((mantissa, None), |(w, f)| (w, Some(f)));
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let is_exponent = |part: &str| is_digits(part.strip_prefix(['+', '-']).unwrap_or(part));
    let is_plain = fraction.is_none() && exponent.is_none();
    let is_spelt_well = is_digits(whole)
        && fraction.is_none_or(is_digits)
        && exponent.is_none_or(is_exponent)
        && (is_number || fraction.is_none() || exponent.is_some());
    if !is_spelt_well {
        return Err(broken(Rule::NotANumber, slice.span));
    }
    if whole.len() > context.options.max_digits {
        return Err(context.too_many_digits(slice.span));
    }
    if exponent.is_some() {
        context.warn(WarningKind::Exponent, slice.span);
    }
    let value = if is_plain {
        Coord::from_digits(negative, whole.as_bytes())
    } else {
        let parts = [whole, fraction.unwrap_or("")];
        match whole_digits(parts, exponent.unwrap_or("0"), context.options.max_digits) {
            Some(Whole::Digits(digits)) => Coord::from_digits(negative, digits.as_bytes()),
            Some(Whole::TooLong) => return Err(context.too_many_digits(slice.span)),
            None => return Err(broken(Rule::NotWhole, slice.span)),
        }
    };
    if whole.len() > 1 && whole.starts_with('0') {
        context.warn(WarningKind::LeadingZero, slice.span);
    }
    if negative && value.is_zero() {
        context.warn(WarningKind::MinusZero, slice.span);
    }
    Ok(value)
}

/// A square: `x,y` without blanks.
pub(super) fn square(context: &mut Context<'_>, slice: Slice<'_>) -> Result<Square, IcnError> {
    // Nearly every square is two short plain numbers.
    if let Ok(square) = slice.text.parse::<Square>()
        && slice.text.len() <= context.options.max_digits
    {
        return Ok(square);
    }
    let Some(comma) = slice.text.find(',') else {
        return Err(slice.from(slice.text.len()).expected("`,` between coordinates"));
    };
    let x = integer(context, slice.sub(0..comma), false)?;
    let y = integer(context, slice.from(comma + 1), false)?;
    Ok(Square { x, y })
}
