//! Results to standard output, talk to standard error, and the exit status.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::process::ExitCode;

use annotate_snippets::{Level, Renderer};
use anyhow::{Context as _, Result};
use boardprint_bridge::Lost;
use boardprint_games::{Format, Record, Warning};
use boardprint_records::{Progress, ReadError, ReadErrorKind};
use boardprint_render::text::TextOptions;
use serde::Serialize;

use crate::interrupt::INTERRUPTED;
use crate::meter::Meter;
use crate::output::Separator;
use crate::problem::{Places, Problem, ProblemObject};
use crate::terminal;
use crate::visible::visible_line;

/// How many errors or warnings of a kind are drawn before they are only counted.
const DRAWN: u64 = 3;

/// The version of the objects that `--json` prints; every object has it. It changes when a field changes its
/// meaning or goes away, not when one is added: `docs/json-output.md`.
pub(crate) const SCHEMA: u32 = 1;

/// How wide messages are drawn where no terminal says how wide it is.
const MESSAGE_WIDTH: usize = 100;

/// How the program ended; the worst counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    #[default]
    Good,
    BadRecords,
    WrongUsage,
    MachineFailed,
    /// Ctrl-C.
    Interrupted,
}

impl Status {
    /// The status of an error that ended everything.
    pub(crate) fn of_failure(error: &anyhow::Error) -> Self {
        if error.is::<Usage>() { Status::WrongUsage } else { Status::MachineFailed }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        ExitCode::from(match status {
            Status::Good => 0,
            Status::BadRecords => 1,
            Status::WrongUsage => 2,
            Status::MachineFailed => 3,
            Status::Interrupted => INTERRUPTED,
        })
    }
}

/// Something was asked that makes no sense.
#[derive(Debug)]
pub(crate) struct Usage(pub(crate) String);

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// Whether an error is that nobody reads our output any more.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .any(|cause| cause.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe))
}

/// One object of the output, as a line: the version of the schema comes first.
pub(crate) fn write_object(out: &mut impl Write, object: &impl Serialize) -> Result<()> {
    let text = serde_json::to_vec(object)?;
    debug_assert!(text.starts_with(b"{"), "only objects are printed");
    let rest = if text == b"{}" { &text[1..] } else { &[b",", &text[1..]].concat() };
    write!(out, "{{\"schema\":{SCHEMA}")?;
    out.write_all(rest)?;
    Ok(out.write_all(b"\n")?)
}

/// How drawn messages look.
pub(crate) fn message_renderer() -> Renderer {
    let renderer = if terminal::colours_messages() { Renderer::styled() } else { Renderer::plain() };
    renderer.term_width(terminal::message_width().unwrap_or(MESSAGE_WIDTH))
}

/// How drawn results look.
pub(crate) fn result_renderer() -> Renderer {
    let renderer = if terminal::colours_results() { Renderer::styled() } else { Renderer::plain() };
    renderer.term_width(terminal::width().unwrap_or(MESSAGE_WIDTH))
}

/// Where results and talk go.
pub(crate) struct Report {
    out: BufWriter<Stdout>,
    json: bool,
    status: Status,
    renderer: Renderer,
    /// How many of each kind there were.
    errors: BTreeMap<&'static str, u64>,
    warnings: BTreeMap<&'static str, u64>,
    lost: BTreeMap<&'static str, u64>,
    meter: Meter,
    /// Whether results go to the terminal that shows the meter.
    shares_terminal: bool,
}

impl Report {
    pub(crate) fn new(json: bool) -> Self {
        Report {
            out: BufWriter::with_capacity(1 << 16, io::stdout()),
            json,
            status: Status::Good,
            renderer: message_renderer(),
            errors: BTreeMap::new(),
            warnings: BTreeMap::new(),
            lost: BTreeMap::new(),
            meter: Meter::visible_if(false),
            shares_terminal: io::stdout().is_terminal(),
        }
    }

    /// Shows how far the reading is, from now on until the end. Results that scroll by are progress enough,
    /// unless there are few.
    pub(crate) fn watch(&mut self, doing: &str, progress: Progress, few_results: bool) {
        if !self.meter.is_visible() {
            self.meter = Meter::visible_if(few_results || !self.shares_terminal);
        }
        self.meter.read(doing, progress);
    }

    /// Takes the meter away.
    pub(crate) fn stop_watching(&mut self) {
        self.meter.end();
    }

    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// How boards are drawn on standard output.
    pub(crate) fn text_options() -> TextOptions {
        let options = TextOptions::default().colour(terminal::colours_results());
        terminal::width().map_or(options, |width| options.width(width))
    }

    /// One line of results.
    pub(crate) fn line(&mut self, text: impl AsRef<[u8]>) -> Result<()> {
        self.print(|out| {
            out.write_all(text.as_ref())?;
            Ok(out.write_all(b"\n")?)
        })
    }

    /// A record among others.
    pub(crate) fn record(&mut self, separator: &mut Separator, format: Format, text: &str) -> Result<()> {
        self.print(|out| Ok(separator.write(out, format, text)?))
    }

    /// A line that says what was done: nobody who wants it quiet needs it.
    pub(crate) fn summary(&mut self, text: impl AsRef<str>) -> Result<()> {
        if terminal::is_quiet() { Ok(()) } else { self.sentence(text) }
    }

    /// A line of results made of words: a terminal gets it broken between them.
    pub(crate) fn sentence(&mut self, text: impl AsRef<str>) -> Result<()> {
        self.line(&*terminal::wrapped_result(text.as_ref()))
    }

    /// One object of results.
    pub(crate) fn object(&mut self, object: &impl Serialize) -> Result<()> {
        self.print(|out| write_object(out, object))
    }

    /// Some results, with the meter out of their way.
    fn print(&mut self, write: impl FnOnce(&mut BufWriter<Stdout>) -> Result<()>) -> Result<()> {
        let Report { out, meter, .. } = self;
        let printed = if meter.is_visible() && self.shares_terminal {
            meter.aside(|| write(out).and_then(|()| Ok(out.flush()?)))
        } else {
            write(out)
        };
        printed.context(WRITING)
    }

    /// A record that could not be read or used.
    pub(crate) fn bad_record(&mut self, record: &Record, problem: &Problem) -> Result<()> {
        self.raise(Status::BadRecords);
        if self.json {
            return self.object(&BadRecord {
                record: RecordObject::of(record),
                error: problem.object(&mut Places::new(record)),
            });
        }
        if self.draws_error(problem.kind) {
            let drawn = problem.draw(record, &Level::ERROR, &self.renderer);
            self.say(&drawn);
        }
        Ok(())
    }

    /// Counts an error; those beyond the first ones of a kind are not drawn.
    fn draws_error(&mut self, kind: &'static str) -> bool {
        let count = self.errors.entry(kind).or_default();
        *count += 1;
        *count <= DRAWN || terminal::shows_all_errors()
    }

    /// A place where nothing could be read.
    pub(crate) fn unread(&mut self, error: &ReadError) -> Result<()> {
        self.raise(match error.kind() {
            ReadErrorKind::Io(cause) if cause.kind() == io::ErrorKind::NotFound => Status::WrongUsage,
            ReadErrorKind::Io(cause) if !is_bad_data(cause) => Status::MachineFailed,
            _ => Status::BadRecords,
        });
        if self.json {
            let record = RecordObject {
                path: error.source_name().to_string(),
                record: error.number(),
                line: error.line(),
            };
            let (line, column) = (error.line().unwrap_or(1), 1);
            let kind = error.kind().name();
            let error = ProblemObject { kind, message: error.kind().to_string(), line, column, hint: None };
            return self.object(&BadRecord { record, error });
        }
        if self.draws_error(error.kind().name()) {
            self.say(&format!("error: {}", visible_line(&error.to_string())));
        }
        Ok(())
    }

    /// What had to be interpreted to read a record. Many of a kind are counted rather than drawn.
    pub(crate) fn warnings(&mut self, record: &Record, warnings: &[Warning]) {
        for warning in warnings {
            let count = self.warnings.entry(warning.kind().name()).or_default();
            *count += 1;
            if *count <= DRAWN {
                let problem = Problem {
                    kind: warning.kind().name(),
                    message: warning.to_string(),
                    span: warning.span(),
                    also: None,
                    hint: None,
                };
                let drawn = problem.draw(record, &Level::WARNING, &self.renderer);
                self.talk(&drawn);
            }
        }
    }

    /// What a form could not carry. Many of a kind are counted rather than said.
    pub(crate) fn lost(&mut self, record: &Record, lost: Lost) {
        let mut said = Vec::new();
        for name in lost.names() {
            let count = self.lost.entry(name).or_default();
            *count += 1;
            if *count <= DRAWN {
                said.push(name);
            }
        }
        if !said.is_empty() {
            self.talk(&format!(
                "note: {}: lost in conversion: {}",
                visible_line(&record.name()),
                said.join(", ")
            ));
        }
    }

    /// What a style of ICN left out. Many are counted rather than told.
    pub(crate) fn lost_by_style(&mut self, record: &Record, lost: &boardprint_icn::write::Lost) {
        if lost.is_empty() {
            return;
        }
        let count = self.lost.entry("records that lost something").or_default();
        *count += 1;
        if *count <= DRAWN {
            self.talk(&format!("note: {}: {lost}", visible_line(&record.name())));
        }
    }

    /// A sentence for people who want to hear more than errors.
    pub(crate) fn talk(&mut self, text: &str) {
        if !terminal::is_quiet() {
            self.say(text);
        }
    }

    /// A sentence for everybody.
    pub(crate) fn say(&mut self, text: &str) {
        let Report { out, meter, .. } = self;
        // What is drawn has several lines, and fits already.
        let text = if text.contains('\n') { text.into() } else { terminal::wrapped(text, 0) };
        let said = meter.aside(|| {
            // What fails here fails again at the end, where it can be told.
            let _ = out.flush();
            // In one piece, so that nothing comes between a line and its end.
            anstream::stderr().write_all(format!("{text}\n").as_bytes())
        });
        // Nothing can be said about an error on the channel for saying it, but the status can tell.
        if said.is_err_and(|error| error.kind() != io::ErrorKind::BrokenPipe) {
            self.raise(Status::MachineFailed);
        }
    }

    /// Nothing was read: an answer, too, and not the one that was hoped for.
    pub(crate) fn nothing_found(&mut self) {
        self.raise(Status::BadRecords);
        self.say("no records found");
    }

    /// Files of folders that were passed over.
    pub(crate) fn skipped(&mut self, files: u64) {
        match files {
            0 => {}
            1 => self.talk("note: skipped 1 file that does not look like games"),
            many => self.talk(&format!("note: skipped {many} files that do not look like games")),
        }
    }

    pub(crate) fn raise(&mut self, status: Status) {
        self.status = self.status.max(status);
    }

    /// Writes what is left and says how it went.
    pub(crate) fn finish(mut self) -> Result<Status> {
        self.meter.end();
        self.out.flush().context(WRITING)?;
        if let Some(many) = beyond(&self.errors)
            && !terminal::shows_all_errors()
        {
            self.say(&format!("errors in all: {many}; --all-errors shows each"));
        }
        if let Some(many) = beyond(&self.warnings) {
            self.talk(&format!("warnings in all: {many}"));
        }
        if let Some(many) = beyond(&self.lost) {
            self.talk(&format!("lost in conversion, in all: {many}"));
        }
        Ok(self.status)
    }
}

/// What is being done when results cannot be written.
const WRITING: &str = "cannot write standard output";

/// The kinds of which some were not drawn, and how many there were.
fn beyond(counts: &BTreeMap<&'static str, u64>) -> Option<String> {
    let many = counts.iter().filter(|(_, count)| **count > DRAWN);
    let many: Vec<String> = many.map(|(kind, count)| format!("{count} {kind}")).collect();
    (!many.is_empty()).then(|| many.join(", "))
}

#[derive(Serialize)]
struct BadRecord {
    record: RecordObject,
    error: ProblemObject,
}

/// Which record, as an object of the output. It is the same everywhere.
#[derive(Clone, Serialize)]
pub(crate) struct RecordObject {
    /// The file, `-` for standard input, `-e` for a text of the command line.
    pub(crate) path: String,
    /// Its number in that file, from 1; `null` where a file as a whole is meant.
    pub(crate) record: Option<u64>,
    /// The line on which it begins.
    pub(crate) line: Option<u64>,
}

impl RecordObject {
    pub(crate) fn of(record: &Record) -> Self {
        RecordObject { path: record.source.to_string(), record: Some(record.number), line: Some(record.line) }
    }
}

/// Whether an input error is about what was read rather than about reading it: damaged or truncated
/// compressed data.
fn is_bad_data(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::InvalidData
            | io::ErrorKind::InvalidInput
            | io::ErrorKind::UnexpectedEof
            | io::ErrorKind::Other
    )
}
