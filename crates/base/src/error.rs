//! Where an error is and what would have been right.

use std::fmt;

use crate::PieceKind;

/// A range of bytes in a source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
}

impl Span {
    /// From one byte to before another.
    #[must_use]
    pub const fn new(start: usize, end: usize) -> Self {
        Span { start, end }
    }

    /// The same range of a text that stands `offset` bytes into another.
    #[must_use]
    pub const fn shifted(self, offset: usize) -> Self {
        Span { start: self.start + offset, end: self.end + offset }
    }
}

/// A place in a text as people count: from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LineColumn {
    /// The line.
    pub line: usize,
    /// The character in the line.
    pub column: usize,
}

impl LineColumn {
    /// The place of a byte offset; beyond the text it is the end of the text.
    #[must_use]
    pub fn of(source: &str, offset: usize) -> Self {
        let before = &source.as_bytes()[..offset.min(source.len())];
        LineColumn { line: 1, column: 1 }.after(before)
    }

    /// The place after some bytes that begin here. Whoever asks for many places of a text goes from one to
    /// the next.
    #[must_use]
    pub fn after(self, passed: &[u8]) -> Self {
        let is_first_byte = |b: &&u8| **b & 0xc0 != 0x80;
        let characters = |bytes: &[u8]| bytes.iter().filter(is_first_byte).count();
        match memchr::memrchr(b'\n', passed) {
            None => LineColumn { line: self.line, column: self.column + characters(passed) },
            Some(newline) => LineColumn {
                line: self.line + memchr::memchr_iter(b'\n', passed).count(),
                column: characters(&passed[newline + 1..]) + 1,
            },
        }
    }
}

/// A text that cannot be read: what is wrong, and the bytes that are.
///
/// It holds no source text, so it is small and comparable; line, column and picture are computed when shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    kind: SyntaxErrorKind,
    span: Span,
}

/// What can be wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SyntaxErrorKind {
    /// Something else had to stand here.
    Expected {
        /// What would do.
        what: &'static str,
        /// What stands there, or `None` at the end of the text.
        found: Option<char>,
    },
    /// Nothing like this can stand here.
    Unexpected(char),
    /// A word or code that nobody knows.
    Unknown {
        /// What kind of word it would be.
        what: &'static str,
        /// The nearest known one.
        nearest: Option<&'static str>,
    },
    /// The same thing twice.
    Twice {
        /// What it is.
        what: &'static str,
        /// Where it stands first.
        first: Span,
    },
    /// A piece code that nobody knows.
    UnknownPieceCode,
    /// A square that holds two pieces.
    SquareTwice {
        /// Where it stands first.
        first: Span,
    },
    /// A bracket that is never closed.
    Unclosed(char),
    /// More than a limit allows.
    TooMuch {
        /// What there is too much of.
        what: &'static str,
        /// How much is allowed.
        limit: usize,
    },
    /// A rule of the format is broken.
    Broken {
        /// Which one.
        rule: &'static str,
        /// What to do.
        hint: &'static str,
    },
}

impl SyntaxError {
    /// An error of a kind at a place.
    #[must_use]
    pub const fn new(kind: SyntaxErrorKind, span: Span) -> Self {
        SyntaxError { kind, span }
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> &SyntaxErrorKind {
        &self.kind
    }

    /// The bytes that are wrong.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.span
    }

    /// The same error in a text that begins `offset` bytes earlier.
    #[must_use]
    pub fn shifted(mut self, offset: usize) -> Self {
        self.span = self.span.shifted(offset);
        if let SyntaxErrorKind::Twice { first, .. } | SyntaxErrorKind::SquareTwice { first } = &mut self.kind
        {
            *first = first.shifted(offset);
        }
        self
    }

    /// Line and column of the first wrong byte.
    #[must_use]
    pub fn line_column(&self, source: &str) -> LineColumn {
        LineColumn::of(source, self.span.start)
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match &self.kind {
            SyntaxErrorKind::Unknown { nearest: Some(nearest), .. } => {
                Some(format!("did you mean `{nearest}`?"))
            }
            SyntaxErrorKind::UnknownPieceCode => {
                Some(format!("upper case is white, lower case black; codes are {}", codes()))
            }
            SyntaxErrorKind::Broken { hint, .. } => Some((*hint).to_owned()),
            SyntaxErrorKind::SquareTwice { .. } => Some("a square holds one piece".to_owned()),
            SyntaxErrorKind::Twice { what, .. } => Some(format!("keep one {what}")),
            SyntaxErrorKind::Unclosed(open) => Some(format!("close it with `{}`", closing(*open))),
            SyntaxErrorKind::TooMuch { .. } => Some("the limit is an option".to_owned()),
            _ => None,
        }
    }
}

/// The codes of all pieces that everybody knows.
fn codes() -> String {
    let codes: Vec<&str> = PieceKind::BUILT_IN.iter().map(PieceKind::code).collect();
    codes.join(" ")
}

fn closing(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        other => other,
    }
}

/// A character as messages show it. One outside ASCII has its number: it may look like another one, or like
/// nothing at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found(pub char);

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            c if is_steering(c) => write!(f, "`{}`", c.escape_default()),
            c if c.is_ascii() => write!(f, "`{c}`"),
            c => write!(f, "`{c}` (U+{:04X})", u32::from(c)),
        }
    }
}

/// Whether a character steers what shows it instead of being seen: control codes, and marks that turn the
/// direction of a text around.
#[must_use]
pub fn is_steering(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            SyntaxErrorKind::Expected { what, found: Some(found) } => {
                write!(f, "expected {what}, found {}", Found(*found))
            }
            SyntaxErrorKind::Expected { what, found: None } => {
                write!(f, "expected {what}, found the end of the text")
            }
            SyntaxErrorKind::Unexpected(found) => write!(f, "unexpected {}", Found(*found)),
            SyntaxErrorKind::Unknown { what, .. } => write!(f, "unknown {what}"),
            SyntaxErrorKind::Twice { what, .. } => write!(f, "{what} given twice"),
            SyntaxErrorKind::UnknownPieceCode => f.write_str("unknown piece code"),
            SyntaxErrorKind::SquareTwice { .. } => f.write_str("square given twice"),
            SyntaxErrorKind::Unclosed(open) => write!(f, "unclosed `{open}`"),
            SyntaxErrorKind::TooMuch { what, limit } => write!(f, "more than {limit} {what}"),
            SyntaxErrorKind::Broken { rule, .. } => f.write_str(rule),
        }
    }
}

impl std::error::Error for SyntaxError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_look_alike_are_told_apart() {
        let message = |c| SyntaxError::new(SyntaxErrorKind::Unexpected(c), Span::new(0, 1)).to_string();
        assert_eq!(message('K'), "unexpected `K`");
        assert_eq!(message('К'), "unexpected `К` (U+041A)");
        assert_eq!(message('–'), "unexpected `–` (U+2013)");
        assert_eq!(message('"'), "unexpected `\"`");
        assert_eq!(message('\n'), "unexpected `\\n`");
        assert_eq!(message('\u{202e}'), "unexpected `\\u{202e}`");
    }

    #[test]
    fn columns_count_characters() {
        let text = "é♔\n😀x";
        assert_eq!(LineColumn::of(text, text.len() - 1), LineColumn { line: 2, column: 2 });
        assert_eq!(LineColumn::of(text, 99), LineColumn { line: 2, column: 3 });
        assert_eq!(LineColumn::of("", 0), LineColumn { line: 1, column: 1 });
    }

    #[test]
    fn from_one_place_to_the_next_is_as_from_the_start() {
        let text = "é♔\n😀x\n\nab\n";
        for (to, _) in text.char_indices() {
            for (from, _) in text[..to].char_indices() {
                let next = LineColumn::of(text, from).after(&text.as_bytes()[from..to]);
                assert_eq!(next, LineColumn::of(text, to), "{from} to {to}");
            }
        }
    }
}
