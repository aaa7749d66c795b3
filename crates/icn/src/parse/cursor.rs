//! The place in the text, the faults of the grammar, and the notes taken on the way.

use std::cell::RefCell;

use boardprint_base::Span;
use nom::Parser;
use nom::error::{ErrorKind, ParseError};

use super::strict::{Feature, Note};
use crate::error::{IcnError, IcnErrorKind, Rule};
use crate::options::ReadOptions;
use crate::warning::{Warning, WarningKind};

/// What a grammar function gives: the rest of the text and a value.
pub(super) type PResult<'a, T> = nom::IResult<&'a str, T, Fault<'a>>;

/// Why reading stopped.
pub(super) type Halt<'a> = nom::Err<Fault<'a>>;

/// What is wrong, and the text from there on.
///
/// Small, because every grammar function returns it: what is wrong is boxed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fault<'a> {
    rest: &'a str,
    wrong: Box<Wrong>,
}

#[derive(Clone, Debug, PartialEq)]
struct Wrong {
    /// How many bytes are wrong; 0 stands for one character.
    len: usize,
    kind: IcnErrorKind,
}

impl<'a> Fault<'a> {
    pub(super) fn new(rest: &'a str, len: usize, kind: IcnErrorKind) -> Self {
        Fault { rest, wrong: Box::new(Wrong { len, kind }) }
    }
}

impl<'a> ParseError<&'a str> for Fault<'a> {
    fn from_error_kind(rest: &'a str, _: ErrorKind) -> Self {
        let kind = match rest.chars().next() {
            None => IcnErrorKind::Expected { what: "more text", found: None },
            Some('-') => Rule::Dash.into(),
            Some(found) => IcnErrorKind::Unexpected(found),
        };
        Fault::new(rest, 0, kind)
    }

    fn append(_: &'a str, _: ErrorKind, other: Self) -> Self {
        other
    }
}

/// A fault that ends the reading: the text was committed to what it broke.
#[cold]
pub(super) fn fail<T>(rest: &str, len: usize, kind: IcnErrorKind) -> PResult<'_, T> {
    Err(fatal(rest, len, kind))
}

#[cold]
pub(super) fn fatal(rest: &str, len: usize, kind: IcnErrorKind) -> Halt<'_> {
    nom::Err::Failure(Fault::new(rest, len, kind))
}

/// Something else had to stand here.
pub(super) fn expected<'a, T>(rest: &'a str, what: &'static str) -> PResult<'a, T> {
    fail(rest, 0, IcnErrorKind::Expected { what, found: rest.chars().next() })
}

/// Nothing like the next character can stand here.
pub(super) fn unexpected<T>(rest: &str) -> PResult<'_, T> {
    Err(nom::Err::Failure(Fault::from_error_kind(rest, ErrorKind::Fail)))
}

/// A rule of the format is broken by `len` bytes.
pub(super) fn broken<T>(rest: &str, len: usize, rule: Rule) -> PResult<'_, T> {
    fail(rest, len, rule.into())
}

/// A character that has to stand here.
pub(super) fn needed<'a>(
    wanted: char,
    what: &'static str,
) -> impl Parser<&'a str, Output = char, Error = Fault<'a>> {
    move |i: &'a str| match i.strip_prefix(wanted) {
        Some(rest) => Ok((rest, wanted)),
        None => expected(i, what),
    }
}

/// One or more items with a character between them. Where it stands, an item must follow.
pub(super) fn joined<'a, T>(
    between: char,
    mut item: impl FnMut(&'a str) -> PResult<'a, T>,
) -> impl FnMut(&'a str) -> PResult<'a, Vec<T>> {
    move |i| {
        let (mut rest, first) = item(i)?;
        let mut all = vec![first];
        while let Some(after) = rest.strip_prefix(between) {
            let next;
            (rest, next) = item(after)?;
            all.push(next);
        }
        Ok((rest, all))
    }
}

/// What every grammar function may look at: the whole text, the options, and room for notes.
pub(super) struct Cursor<'a, 'o> {
    source: &'a str,
    pub(super) options: &'o ReadOptions,
    notes: RefCell<Vec<Note>>,
}

impl<'a, 'o> Cursor<'a, 'o> {
    pub(super) fn new(source: &'a str, options: &'o ReadOptions) -> Self {
        Cursor { source, options, notes: RefCell::default() }
    }

    /// The bytes from where `from` begins to where `to` begins.
    pub(super) fn span(&self, from: &str, to: &str) -> Span {
        Span::new(self.source.len() - from.len(), self.source.len() - to.len())
    }

    /// The text from a byte on.
    pub(super) fn from(&self, start: usize) -> &'a str {
        &self.source[start..]
    }

    /// The end of the text.
    pub(super) fn end(&self) -> &'a str {
        &self.source[self.source.len()..]
    }

    /// All of the text.
    pub(super) fn whole(&self) -> Span {
        Span::new(0, self.source.len())
    }

    pub(super) fn warn(&self, kind: WarningKind, span: Span) {
        self.notes.borrow_mut().push(Note::Warning(Warning::new(kind, span)));
    }

    /// Whether plain spelling may be read without a look at the options: no limit can be hit, nothing is noted.
    #[inline]
    pub(super) fn allows_plain(&self) -> bool {
        self.options.allows_plain()
    }

    /// Whether anybody asks what a strict reader of some dialect does not know.
    pub(super) fn notes_features(&self) -> bool {
        self.options.notes_features()
    }

    /// Notes what a strict reader of some dialect does not know. Costs nothing where nobody asks.
    pub(super) fn uses(&self, feature: Feature, span: Span) {
        if self.notes_features() {
            self.notes.borrow_mut().push(Note::Feature(feature, span));
        }
    }

    /// Passes over blanks; unusual ones with a warning.
    #[inline]
    pub(super) fn blanks(&self, text: &'a str) -> &'a str {
        let bytes = text.as_bytes();
        let plain = bytes.iter().take_while(|b| matches!(b, b' ' | b'\n' | b'\r' | b'\t')).count();
        let rest = &text[plain..];
        match rest.as_bytes().first() {
            Some(0x0b | 0x0c | 0x80..) => self.odd_blanks(rest),
            _ => rest,
        }
    }

    #[cold]
    fn odd_blanks(&self, text: &'a str) -> &'a str {
        let mut rest = text;
        while let Some(next) = rest.chars().next().filter(|c| c.is_whitespace()) {
            let after = &rest[next.len_utf8()..];
            if is_odd_blank(next) {
                self.warn(WarningKind::OddBlank, self.span(rest, after));
            }
            rest = after;
        }
        rest
    }

    /// Warns of the unusual blanks between two places.
    pub(super) fn note_odd_blanks(&self, from: &str, to: &str) {
        let start = self.span(from, from).start;
        for (at, blank) in from[..from.len() - to.len()].char_indices().filter(|(_, c)| is_odd_blank(*c)) {
            self.warn(WarningKind::OddBlank, Span::new(start + at, start + at + blank.len_utf8()));
        }
    }

    /// The text after the blanks, without taking note of them: for looking ahead.
    pub(super) fn peek_blanks(text: &'a str) -> &'a str {
        match text.as_bytes().first() {
            Some(b' ' | b'\n' | b'\r' | b'\t' | 0x0b | 0x0c | 0x80..) => text.trim_start(),
            _ => text,
        }
    }

    pub(super) fn error(&self, fault: Halt<'a>) -> IcnError {
        match fault {
            nom::Err::Error(fault) | nom::Err::Failure(fault) => {
                let start = self.source.len() - fault.rest.len();
                let one = || fault.rest.chars().next().map_or(0, char::len_utf8);
                let len = if fault.wrong.len > 0 { fault.wrong.len } else { one() };
                IcnError::new(fault.wrong.kind, Span::new(start, start + len))
            }
            nom::Err::Incomplete(_) => unreachable!("complete parsers never ask for more"),
        }
    }

    /// How many notes there are, to forget later ones with [`Cursor::forget`].
    pub(super) fn mark(&self) -> usize {
        self.notes.borrow().len()
    }

    pub(super) fn forget(&self, mark: usize) {
        self.notes.borrow_mut().truncate(mark);
    }

    pub(super) fn into_notes(self) -> Vec<Note> {
        self.notes.into_inner()
    }
}

fn is_odd_blank(c: char) -> bool {
    c.is_whitespace() && !matches!(c, ' ' | '\n' | '\r' | '\t')
}

/// Whether a field may end before this text: at its end, at a blank, and before `[` and `{`.
pub(super) fn is_field_end(rest: &str) -> bool {
    match rest.as_bytes().first() {
        None | Some(b' ' | b'\n' | b'\r' | b'\t' | b'[' | b'{') => true,
        Some(0x0b | 0x0c | 0x80..) => rest.starts_with(char::is_whitespace),
        Some(_) => false,
    }
}
