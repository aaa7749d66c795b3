//! A bad place in a record, ready to be shown.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use boardprint_base::{LineColumn, Span, SyntaxError};
use boardprint_finite::Part;
use boardprint_games::{Record, RecordError, RecordErrorKind, WriteError};
use serde::Serialize;

use crate::terminal::wrapped;
use crate::visible::{visible, visible_line};

/// What is wrong with a record, and where.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    /// A short name for programs.
    pub(crate) kind: &'static str,
    pub(crate) message: String,
    pub(crate) span: Span,
    /// A second place that has to do with it.
    pub(crate) also: Option<(Span, &'static str)>,
    pub(crate) hint: Option<String>,
}

/// A problem as an object of the output.
#[derive(Serialize)]
pub(crate) struct ProblemObject {
    pub(crate) kind: &'static str,
    pub(crate) message: String,
    pub(crate) line: u64,
    pub(crate) column: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<String>,
}

impl From<SyntaxError> for Problem {
    fn from(error: SyntaxError) -> Self {
        let (message, hint) = (error.to_string(), error.hint());
        Problem { kind: "syntax", message, span: error.span(), also: None, hint }
    }
}

impl From<RecordError> for Problem {
    fn from(error: RecordError) -> Self {
        Problem {
            kind: error.name(),
            message: error.to_string(),
            span: error.span(),
            also: error.also(),
            hint: match error.kind() {
                RecordErrorKind::Replay(_) => Some(CHECK_SAYS.to_owned()),
                RecordErrorKind::Fen(fen) if fen.part() == Part::Turn && fen.hint().is_none() => {
                    Some("`--lenient` reads a board alone, and any blanks".to_owned())
                }
                _ => error.hint(),
            },
        }
    }
}

impl From<WriteError> for Problem {
    fn from(error: WriteError) -> Self {
        let hint = match error {
            WriteError::Replay(_) => Some(CHECK_SAYS.to_owned()),
            WriteError::Grid(_) => Some(
                "name a smaller window, `--grid=X0,Y0,X1,Y1`; without --grid a CPN lists the pieces"
                    .to_owned(),
            ),
            WriteError::OpenBoard(_) | WriteError::FiniteGame(_) => {
                Some("`--to cpn` writes any position".to_owned())
            }
            _ => error.hint(),
        };
        let span = Span::new(0, 0);
        Problem { kind: error.name(), message: error.to_string(), span, also: None, hint }
    }
}

const CHECK_SAYS: &str = "`boardprint check` says what is wrong with the moves";

impl Problem {
    /// Something that is wrong with a record as a whole.
    pub(crate) fn of_record(record: &Record, message: impl Into<String>) -> Self {
        let (message, span) = (message.into(), Span::new(0, 0));
        Problem { kind: "unusable", message, span, also: None, hint: None }.on(record)
    }

    /// The same problem of a known record. One that concerns the record as a whole is shown at its first line.
    pub(crate) fn on(mut self, record: &Record) -> Self {
        if self.span == Span::new(0, 0) {
            let line = record.text.find('\n').unwrap_or(record.text.len()).min(80);
            self.span = Span::new(0, floor(&record.text, line));
        }
        self
    }

    /// The same with what to do about it.
    pub(crate) fn hint(self, hint: &str) -> Self {
        Problem { hint: Some(hint.to_owned()), ..self }
    }

    pub(crate) fn object(&self, places: &mut Places<'_>) -> ProblemObject {
        let (line, column) = places.of(self.span.start);
        ProblemObject {
            kind: self.kind,
            message: self.message.clone(),
            line,
            column,
            hint: self.hint.clone(),
        }
    }

    /// The problem with its source line and a caret.
    pub(crate) fn draw(&self, record: &Record, level: &Level<'_>, renderer: &Renderer) -> String {
        let (first, window) = excerpt(&record.text, self.span, self.also.map(|(span, _)| span));
        let source = &record.text[window.start..window.end];
        // What is escaped is longer than it was, so that places move.
        let drawn = |at: usize| visible(&source[..floor(source, at.max(window.start) - window.start)]).len();
        let shown = |span: Span| drawn(span.start)..drawn(span.end.clamp(span.start, window.end));
        // A column in the first line counts from where the record begins.
        let mut snippet = Snippet::source(visible(source))
            .line_start(usize::try_from(record.line).unwrap_or(1) + first)
            .annotation(AnnotationKind::Primary.span(shown(self.span)));
        if let Some((span, label)) = self.also
            && window.start <= span.start
            && span.end <= window.end
        {
            snippet = snippet.annotation(AnnotationKind::Context.span(shown(span)).label(label));
        }
        let mut group: Group<'_> = level.clone().primary_title(visible(&self.message)).element(snippet);
        if let Some(hint) = &self.hint {
            // The renderer draws further lines under the first one.
            let hint = visible(hint);
            group = group.element(Level::HELP.message(wrapped(&hint, HELP).into_owned()));
        }
        let (line, column) = Places::new(record).of(self.span.start);
        with_origin(&renderer.render(&[group]), &format!("{}:{line}:{column}", visible_line(&record.source)))
    }
}

/// The columns before a help text: numbers of lines, and `= help: `.
const HELP: usize = 14;

/// Puts the place under the title, where compilers have it. The renderer knows only the excerpt, so it cannot.
fn with_origin(drawn: &str, origin: &str) -> String {
    let Some((title, picture)) = drawn.split_once('\n') else { return drawn.to_owned() };
    let gutter = picture.chars().take_while(|c| *c == ' ').count().max(2) - 1;
    format!("{title}\n{:gutter$}--> {origin}\n{picture}", "")
}

/// Lines and columns of a record's bytes, in its source. Those asked for in ascending order are found in one
/// walk.
pub(crate) struct Places<'a> {
    record: &'a Record,
    offset: usize,
    here: LineColumn,
}

impl<'a> Places<'a> {
    const START: LineColumn = LineColumn { line: 1, column: 1 };

    pub(crate) fn new(record: &'a Record) -> Self {
        Places { record, offset: 0, here: Self::START }
    }

    pub(crate) fn of(&mut self, offset: usize) -> (u64, u64) {
        let record = self.record;
        let offset = offset.min(record.text.len());
        if offset < self.offset {
            (self.offset, self.here) = (0, Self::START);
        }
        self.here = self.here.after(&record.text.as_bytes()[self.offset..offset]);
        self.offset = offset;
        let LineColumn { line, column } = self.here;
        let column = if line == 1 { record.column + column as u64 - 1 } else { column as u64 };
        (record.line + line as u64 - 1, column)
    }
}

/// The lines to show: those of the spans, cut to the neighbourhood where they are very long. Also the number
/// of lines before them.
fn excerpt(text: &str, span: Span, also: Option<Span>) -> (usize, Span) {
    const WIDE: usize = 2_000;
    let near = also.filter(|also| also.end.max(span.end) - also.start.min(span.start) < WIDE);
    let (first, last) = (
        near.map_or(span.start, |near| near.start.min(span.start)),
        near.map_or(span.end, |near| near.end.max(span.end)),
    );
    let (first, last) = (first.min(text.len()), last.min(text.len()).min(first.saturating_add(2 * WIDE)));
    let line_start = text[..floor(text, first)].rfind('\n').map_or(0, |newline| newline + 1);
    let last = floor(text, last);
    let line_end = text[last..].find('\n').map_or(text.len(), |newline| last + newline);
    let start = floor(text, line_start.max(first.saturating_sub(WIDE)));
    let end = floor(text, line_end.min(last + WIDE));
    let lines = text[..start].bytes().filter(|b| *b == b'\n').count();
    (lines, Span::new(start, end.max(start)))
}

/// The nearest character boundary at or before a byte.
fn floor(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
