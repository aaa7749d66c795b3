//! Pieces of text that know their place, the pad for warnings, and numbers.

use std::ops::Range;

use boardprint_base::{Coord, Span, Square, SyntaxError, SyntaxErrorKind, Whole, whole_digits};

use crate::options::Options;
use crate::warning::{Warning, WarningKind};

pub(super) fn error(kind: SyntaxErrorKind, span: Span) -> SyntaxError {
    SyntaxError::new(kind, span)
}

/// A rule of the format is broken.
pub(super) fn broken(rule: &'static str, hint: &'static str, span: Span) -> SyntaxError {
    error(SyntaxErrorKind::Broken { rule, hint }, span)
}

/// Something else had to stand at a byte of a text.
pub(super) fn expected(what: &'static str, text: &str, at: usize) -> SyntaxError {
    let found = text.get(at..).and_then(|rest| rest.chars().next());
    let at = at.min(text.len());
    error(SyntaxErrorKind::Expected { what, found }, Span::new(at, at + found.map_or(0, char::len_utf8)))
}

/// The options, and what had to be interpreted.
pub(super) struct Pad<'o> {
    pub(super) options: &'o Options,
    warnings: Vec<Warning>,
}

impl<'o> Pad<'o> {
    pub(super) fn new(options: &'o Options) -> Self {
        Pad { options, warnings: Vec::new() }
    }

    pub(super) fn warn(&mut self, kind: WarningKind, span: Span) {
        self.warnings.push(Warning::new(kind, span));
    }

    pub(super) fn into_warnings(self) -> Vec<Warning> {
        self.warnings
    }

    pub(super) fn too_many_digits(&self, span: Span) -> SyntaxError {
        let limit = self.options.max_digits;
        error(SyntaxErrorKind::TooMuch { what: "digits in a number", limit }, span)
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
    pub(super) fn error_inside(self, inner: SyntaxError) -> SyntaxError {
        if self.is_exact { inner.shifted(self.span.start) } else { error(inner.kind().clone(), self.span) }
    }

    /// The place of a span of this text read as text of its own.
    pub(super) fn span_inside(self, inner: Span) -> Span {
        self.span_of(inner.start, inner.end)
    }

    /// The error that something else had to stand at the beginning.
    pub(super) fn expected(self, what: &'static str) -> SyntaxError {
        let found = self.text.chars().next();
        let span = self.span_of(0, found.map_or(0, char::len_utf8));
        error(SyntaxErrorKind::Expected { what, found }, span)
    }

    pub(super) fn unknown(self, what: &'static str, nearest: Option<&'static str>) -> SyntaxError {
        error(SyntaxErrorKind::Unknown { what, nearest }, self.span)
    }
}

/// An integer: `-12`, and with a warning `007`, `-0`, `1e21`. A JSON number may also be `8.0`.
pub(super) fn integer(pad: &mut Pad<'_>, slice: Slice<'_>, is_number: bool) -> Result<Coord, SyntaxError> {
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
        let hint = "write a whole number, such as `-12`";
        return Err(broken("not a whole number", hint, slice.span));
    }
    if whole.len() > pad.options.max_digits {
        return Err(pad.too_many_digits(slice.span));
    }
    if exponent.is_some() {
        pad.warn(WarningKind::Exponent, slice.span);
    }
    let value = if is_plain {
        Coord::from_digits(negative, whole.as_bytes())
    } else {
        let parts = [whole, fraction.unwrap_or("")];
        match whole_digits(parts, exponent.unwrap_or("0"), pad.options.max_digits) {
            Some(Whole::Digits(digits)) => Coord::from_digits(negative, digits.as_bytes()),
            Some(Whole::TooLong) => return Err(pad.too_many_digits(slice.span)),
            None => return Err(broken("not a whole number", "squares have whole coordinates", slice.span)),
        }
    };
    if whole.len() > 1 && whole.starts_with('0') {
        pad.warn(WarningKind::LeadingZero, slice.span);
    }
    if negative && value.is_zero() {
        pad.warn(WarningKind::MinusZero, slice.span);
    }
    Ok(value)
}

/// A square: `x,y` without blanks.
pub(super) fn square(pad: &mut Pad<'_>, slice: Slice<'_>) -> Result<Square, SyntaxError> {
    // Nearly every square is two short plain numbers.
    if let Ok(square) = slice.text.parse::<Square>()
        && slice.text.len() <= pad.options.max_digits
    {
        return Ok(square);
    }
    let Some(comma) = slice.text.find(',') else {
        return Err(slice.from(slice.text.len()).expected("`,` between coordinates"));
    };
    let x = integer(pad, slice.sub(0..comma), false)?;
    let y = integer(pad, slice.from(comma + 1), false)?;
    Ok(Square { x, y })
}
