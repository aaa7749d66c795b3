//! Results to standard output, talk to standard error, and the exit status.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::process::ExitCode;

use annotate_snippets::{Level, Renderer};
use anyhow::Result;
use boardprint_bridge::Lost;
use boardprint_games::{Record, Warning};
use boardprint_records::{ReadError, ReadErrorKind};
use boardprint_render::text::TextOptions;
use serde::Serialize;

use crate::problem::{Places, Problem, ProblemObject};
use crate::visible::visible_line;

/// How many warnings of a kind are drawn before they are only counted.
const DRAWN_WARNINGS: u64 = 3;

/// How the program ended; the worst counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    #[default]
    Good,
    BadRecords,
    WrongUsage,
    MachineFailed,
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

/// Where results and talk go.
pub(crate) struct Report {
    out: BufWriter<Stdout>,
    json: bool,
    status: Status,
    renderer: Renderer,
    warnings: BTreeMap<&'static str, u64>,
    lost: BTreeMap<&'static str, u64>,
}

impl Report {
    pub(crate) fn new(json: bool) -> Self {
        let renderer = if io::stderr().is_terminal() { Renderer::styled() } else { Renderer::plain() };
        Report {
            out: BufWriter::with_capacity(1 << 16, io::stdout()),
            json,
            status: Status::Good,
            renderer: renderer.term_width(100),
            warnings: BTreeMap::new(),
            lost: BTreeMap::new(),
        }
    }

    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// How boards are drawn on standard output.
    pub(crate) fn text_options() -> TextOptions {
        TextOptions::default().colour(io::stdout().is_terminal())
    }

    /// One line of results.
    pub(crate) fn line(&mut self, text: impl AsRef<[u8]>) -> Result<()> {
        self.out.write_all(text.as_ref())?;
        self.out.write_all(b"\n")?;
        Ok(())
    }

    /// One object of results.
    pub(crate) fn object(&mut self, object: &impl Serialize) -> Result<()> {
        serde_json::to_writer(&mut self.out, object).map_err(io::Error::from)?;
        self.out.write_all(b"\n")?;
        Ok(())
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
        self.talk(&problem.draw(record, &Level::ERROR, &self.renderer));
        Ok(())
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
        self.talk(&format!("error: {}", visible_line(&error.to_string())));
        Ok(())
    }

    /// What had to be interpreted to read a record. Many of a kind are counted rather than drawn.
    pub(crate) fn warnings(&mut self, record: &Record, warnings: &[Warning]) {
        for warning in warnings {
            let count = self.warnings.entry(warning.kind().name()).or_default();
            *count += 1;
            if *count <= DRAWN_WARNINGS {
                let problem = Problem {
                    kind: warning.kind().name(),
                    message: warning.to_string(),
                    span: warning.span(),
                    also: None,
                    hint: None,
                };
                self.talk(&problem.draw(record, &Level::WARNING, &self.renderer));
            }
        }
    }

    /// What a form could not carry. Many of a kind are counted rather than said.
    pub(crate) fn lost(&mut self, record: &Record, lost: Lost) {
        let mut said = Vec::new();
        for name in lost.names() {
            let count = self.lost.entry(name).or_default();
            *count += 1;
            if *count <= DRAWN_WARNINGS {
                said.push(name);
            }
        }
        if !said.is_empty() {
            self.talk(&format!("note: {} does not carry: {}", visible_line(&record.name()), said.join(", ")));
        }
    }

    /// A sentence for people.
    pub(crate) fn talk(&mut self, text: &str) {
        // Nothing can be said about an error on the channel for saying it.
        let _ = self.out.flush();
        anstream::eprintln!("{text}");
    }

    pub(crate) fn raise(&mut self, status: Status) {
        self.status = self.status.max(status);
    }

    /// Writes what is left and says how it went.
    pub(crate) fn finish(mut self) -> Result<Status> {
        self.out.flush()?;
        for (what, counts) in [("warnings", self.warnings.clone()), ("not carried", self.lost.clone())] {
            let many = counts.iter().filter(|(_, count)| **count > DRAWN_WARNINGS);
            let many: Vec<String> = many.map(|(kind, count)| format!("{count} {kind}")).collect();
            if !many.is_empty() {
                self.talk(&format!("{what} in all: {}", many.join(", ")));
            }
        }
        Ok(self.status)
    }
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

/// Whether an input error is about what was read rather than about reading it: damaged or truncated compressed data.
fn is_bad_data(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::InvalidData
            | io::ErrorKind::InvalidInput
            | io::ErrorKind::UnexpectedEof
            | io::ErrorKind::Other
    )
}
