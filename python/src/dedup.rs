//! Each game once.

use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use boardprint_dedup::{
    By, Collection, Confidence, DedupError, DedupOptions, Keep, Pair, Place, Reject, Sink, run,
};
use boardprint_games::{Format, Record, with_tags};
use boardprint_tables::Failure;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use tempfile::NamedTempFile;

use crate::errors::{error_object, wrong_word};
use crate::inputs::{Inputs, Reading};

/// Finds duplicates, writes what stays and what goes to files, and gives sums, pairs and bad records back.
#[pyfunction]
#[pyo3(signature = (sources, about, output=None, duplicates=None, *, format=None, game=None))]
pub(crate) fn dedup<'py>(
    py: Python<'py>,
    sources: &Bound<'_, PyAny>,
    about: &Bound<'_, PyDict>,
    output: Option<PathBuf>,
    duplicates: Option<PathBuf>,
    format: Option<&str>,
    game: Option<&str>,
) -> PyResult<Bound<'py, PyDict>> {
    let inputs = Inputs::new(sources, Reading::new(format, game)?)?;
    let options = options_of(about)?;
    let outcome = py.detach(|| {
        let mut sink = Writing {
            inputs: &inputs,
            kept: output.as_deref().map(Output::create).transpose().map_err(DedupError::Sink)?,
            copies: duplicates.as_deref().map(Output::create).transpose().map_err(DedupError::Sink)?,
            pairs: Vec::new(),
            failures: Vec::new(),
        };
        let games = Collection::new(inputs.reading.options.clone());
        let summary = run(inputs.all(), &inputs.options(), &options, &games, &mut sink)?;
        for output in [sink.kept.take(), sink.copies.take()].into_iter().flatten() {
            output.finish().map_err(DedupError::Sink)?;
        }
        Ok((summary, sink.pairs, sink.failures))
    });
    let (summary, pairs, failures) = outcome.map_err(|error: DedupError<io::Error>| match error {
        // The kind of the error decides the class: FileNotFoundError, PermissionError.
        DedupError::Sink(error) => PyErr::from(error),
        other => PyOSError::new_err(other.to_string()),
    })?;
    let answer = PyDict::new(py);
    let counts = [
        ("records", summary.records),
        ("kept", summary.kept),
        ("dropped", summary.dropped()),
        ("certain", summary.certain),
        ("likely", summary.likely),
        ("doubtful", summary.doubtful),
        ("doubts", summary.doubts),
        ("rejected", summary.rejected),
        ("collisions", summary.collisions),
    ];
    for (name, count) in counts {
        answer.set_item(name, count)?;
    }
    let list = PyList::empty(py);
    for pair in &pairs {
        list.append(pair_object(py, pair)?)?;
    }
    answer.set_item("pairs", list)?;
    let list = PyList::empty(py);
    for failure in &failures {
        list.append(error_object(py, failure)?)?;
    }
    answer.set_item("errors", list)?;
    Ok(answer)
}

pub(crate) fn options_of(about: &Bound<'_, PyDict>) -> PyResult<DedupOptions> {
    let word = |name: &str| -> PyResult<String> {
        about.get_item(name)?.map_or(Ok(String::new()), |value| value.extract())
    };
    let flag =
        |name: &str| -> PyResult<bool> { about.get_item(name)?.map_or(Ok(false), |value| value.extract()) };
    let number =
        |name: &str| -> PyResult<u32> { about.get_item(name)?.map_or(Ok(0), |value| value.extract()) };
    let by = match &*word("by")? {
        "game" => By::Game,
        "moves" => By::Moves,
        "final" => By::Final,
        "prefix" => By::Prefix,
        other => return Err(wrong_word("by", other, &["game", "moves", "final", "prefix"])),
    };
    let keep = match &*word("keep")? {
        "first" => Keep::First,
        "longest" => Keep::Longest,
        "richest" => Keep::Richest,
        other => return Err(wrong_word("keep", other, &["first", "longest", "richest"])),
    };
    let confidence = match &*word("min_confidence")? {
        "doubtful" => Confidence::Doubtful,
        "likely" => Confidence::Likely,
        "certain" => Confidence::Certain,
        other => return Err(wrong_word("min_confidence", other, &["doubtful", "likely", "certain"])),
    };
    Ok(DedupOptions::default()
        .by(by)
        .keep(keep)
        .min_confidence(confidence)
        .min_plies(number("min_plies")?)
        .merge_tags(flag("merge_tags")?)
        .paranoid(flag("paranoid")?)
        .threads(number("threads")? as usize))
}

/// The name of a confidence.
pub(crate) const fn name_of(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::Certain => "certain",
        Confidence::Likely => "likely",
        Confidence::Doubtful => "doubtful",
    }
}

fn pair_object<'py>(py: Python<'py>, pair: &Pair) -> PyResult<Bound<'py, PyDict>> {
    let place = |place: &Place| -> PyResult<Bound<'py, PyDict>> {
        let object = PyDict::new(py);
        object.set_item("path", &*place.path)?;
        object.set_item("record", place.record)?;
        object.set_item("line", place.line)?;
        Ok(object)
    };
    let object = PyDict::new(py);
    object.set_item("game", place(&pair.game)?)?;
    object.set_item("kept", place(&pair.kept)?)?;
    object.set_item("dropped", pair.dropped)?;
    object.set_item("confidence", name_of(pair.confidence))?;
    object.set_item("reason", pair.reason)?;
    Ok(object)
}

/// Takes the results.
struct Writing<'a> {
    inputs: &'a Inputs,
    kept: Option<Output>,
    copies: Option<Output>,
    pairs: Vec<Pair>,
    failures: Vec<Failure>,
}

impl Sink for Writing<'_> {
    type Error = io::Error;

    fn keep(&mut self, record: &Record, tags: &[(String, String)]) -> io::Result<()> {
        match &mut self.kept {
            None => Ok(()),
            Some(output) if tags.is_empty() => output.write(record.format, &record.text),
            Some(output) => {
                output.write(record.format, &with_tags(record, tags, &self.inputs.reading.options))
            }
        }
    }

    fn duplicate(&mut self, record: &Record, pair: &Pair) -> io::Result<()> {
        self.pairs.push(pair.clone());
        self.copies.as_mut().map_or(Ok(()), |output| output.write(record.format, &record.text))
    }

    fn doubt(&mut self, pair: &Pair) -> io::Result<()> {
        self.pairs.push(pair.clone());
        Ok(())
    }

    fn reject(&mut self, reject: Reject<'_>) -> io::Result<()> {
        self.failures.push(match reject {
            Reject::Read(error) => Failure::of_reading(error),
            Reject::Game(record, error) => Failure::of_record(record, error),
        });
        Ok(())
    }
}

/// A file of records that takes its name when everything is written.
pub(crate) struct Output {
    writer: BufWriter<NamedTempFile>,
    path: PathBuf,
    /// Whether the record before takes several lines; `None` before the first.
    several_lines: Option<bool>,
}

impl Output {
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        builder.prefix(".boardprint-");
        // The rights that a file has which is made in the usual way.
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let temporary = builder.tempfile_in(folder)?;
        Ok(Output { writer: BufWriter::new(temporary), path: path.to_owned(), several_lines: None })
    }

    /// Writes a record as the program does: those of several lines stand between blank ones.
    pub(crate) fn write(&mut self, format: Format, text: &str) -> io::Result<()> {
        let text = text.trim_ascii();
        let several_lines = format == Format::Pgn || text.contains('\n');
        let end: &[u8] = if text.contains("\r\n") { b"\r\n" } else { b"\n" };
        if self.several_lines.is_some_and(|before| before || several_lines) {
            self.writer.write_all(end)?;
        }
        // CSA has a line of its own between games.
        if format == Format::Csa && self.several_lines.is_some() {
            self.writer.write_all(b"/")?;
            self.writer.write_all(end)?;
        }
        self.several_lines = Some(several_lines);
        self.writer.write_all(text.as_bytes())?;
        self.writer.write_all(end)
    }

    pub(crate) fn finish(self) -> io::Result<()> {
        let temporary = self.writer.into_inner().map_err(io::IntoInnerError::into_error)?;
        temporary.as_file().sync_all()?;
        temporary.persist(&self.path).map_err(|error| error.error)?;
        Ok(())
    }
}
