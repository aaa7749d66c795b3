//! What went wrong, as an object for JavaScript.

use boardprint_base::{LineColumn, Span};
use boardprint_finite::Unplayable;
use boardprint_games::{RecordError, WriteError};
use boardprint_render::DiagramError;
use boardprint_rules::fairy::MovementError;
use serde::Serialize;
use wasm_bindgen::JsValue;

/// The kind of a text that looks like no format.
pub(crate) const UNKNOWN_FORMAT: &str = "unknown-format";

/// What went wrong. It is thrown as JSON, which the module makes an error of.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct Problem(Box<Parts>);

#[derive(Debug, Serialize)]
struct Parts {
    kind: &'static str,
    message: String,
    #[serde(flatten)]
    place: Option<Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    also: Option<Also>,
}

/// A place in a text: line and column from 1 in characters, and the part of the text in UTF-16 units, as
/// JavaScript counts.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Place {
    line: usize,
    column: usize,
    start: usize,
    end: usize,
}

/// A second place that has to do with it.
#[derive(Debug, Serialize)]
struct Also {
    message: &'static str,
    #[serde(flatten)]
    place: Place,
}

impl Problem {
    /// A call that makes no sense.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Problem::new("usage", message.into())
    }

    /// An answer that is not JSON, which none is. The words of serde would be read by nobody, and are large.
    pub(crate) fn internal() -> Self {
        Problem::new("internal", "the answer cannot be written as JSON".to_owned())
    }

    pub(crate) fn new(kind: &'static str, message: String) -> Self {
        Problem(Box::new(Parts { kind, message, place: None, hint: None, also: None }))
    }

    pub(crate) fn kind(&self) -> &'static str {
        self.0.kind
    }

    pub(crate) fn message(&self) -> &str {
        &self.0.message
    }

    pub(crate) fn place(&self) -> Option<Place> {
        self.0.place
    }

    pub(crate) fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<Option<String>>) -> Self {
        self.0.hint = hint.into();
        self
    }

    pub(crate) fn at(mut self, text: &str, span: Span) -> Self {
        self.0.place = Some(Places::new(text).of(span));
        self
    }

    /// A text that cannot be read, or a question that has no answer.
    pub(crate) fn of_record(error: &RecordError, text: &str) -> Self {
        let mut places = Places::new(text);
        Problem(Box::new(Parts {
            kind: error.name(),
            message: error.to_string(),
            place: Some(places.of(error.span())),
            hint: error.hint(),
            also: error.also().map(|(span, message)| Also { message, place: places.of(span) }),
        }))
    }

    /// A position that no game can start from.
    pub(crate) fn unplayable(why: Unplayable) -> Self {
        Problem::new("unplayable-start", why.to_string())
    }

    /// A text of the movement language that cannot be read.
    pub(crate) fn of_movement(error: &MovementError, text: &str) -> Self {
        let hint = error.hint().map(ToOwned::to_owned);
        Problem::new("syntax", error.to_string()).with_hint(hint).at(text, error.span())
    }
}

impl From<WriteError> for Problem {
    fn from(error: WriteError) -> Self {
        Problem::new(error.name(), error.to_string()).with_hint(error.hint())
    }
}

impl From<DiagramError> for Problem {
    fn from(error: DiagramError) -> Self {
        Problem::new("diagram", error.to_string()).with_hint(error.hint())
    }
}

impl From<Problem> for JsValue {
    fn from(problem: Problem) -> Self {
        JsValue::from_str(&serde_json::to_string(&problem).unwrap_or_default())
    }
}

/// Places of a text, asked for in any order; in ascending order the text is walked once.
pub(crate) struct Places<'a> {
    text: &'a str,
    byte: usize,
    unit: usize,
    at: LineColumn,
}

impl<'a> Places<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Places { text, byte: 0, unit: 0, at: LineColumn { line: 1, column: 1 } }
    }

    pub(crate) fn of(&mut self, span: Span) -> Place {
        self.go(span.start);
        let (at, start) = (self.at, self.unit);
        let length = units(&self.text.as_bytes()[self.byte..self.inside(span.end).max(self.byte)]);
        Place { line: at.line, column: at.column, start, end: start + length }
    }

    fn go(&mut self, offset: usize) {
        let offset = self.inside(offset);
        if offset < self.byte {
            *self = Places::new(self.text);
        }
        let passed = &self.text.as_bytes()[self.byte..offset];
        self.at = self.at.after(passed);
        self.unit += units(passed);
        self.byte = offset;
    }

    fn inside(&self, offset: usize) -> usize {
        offset.min(self.text.len())
    }
}

/// How many UTF-16 units some UTF-8 takes: one for each character, one more for those of four bytes.
fn units(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
        + bytes.iter().filter(|byte| **byte >= 0xf0).count()
}
