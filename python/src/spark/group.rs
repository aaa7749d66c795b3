//! Which games are one.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array as _, ArrayRef, Int32Array, Int64Array, RecordBatch};
use arrow_schema::{DataType, SchemaRef};
use boardprint_dedup::{Confidence, Continuations, Decided, DedupOptions, Facts, Group};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::stream::{Stream, bad, batches, schema};
use crate::dedup::options_of;

/// Decides about games that come by key, then role (games, then beginnings), then place.
#[pyclass(frozen, module = "boardprint", name = "_Grouping")]
pub(super) struct Grouping {
    options: DedupOptions,
    waiting: Mutex<Waiting>,
}

/// The games of the key that is coming in.
#[derive(Default)]
struct Waiting {
    key: Option<[u8; 16]>,
    games: Vec<(u64, Facts)>,
    beginnings: Vec<(u64, u32, i32, Facts)>,
}

/// A decision as a row. Rows of beginnings have `by` and `length`.
struct Row {
    at: i64,
    first: i64,
    best: i64,
    confidence: i32,
    doubt: Option<(i32, i64)>,
    by: Option<(i64, i32)>,
}

#[pymethods]
impl Grouping {
    #[new]
    fn new(about: &Bound<'_, PyDict>) -> PyResult<Self> {
        Ok(Grouping { options: options_of(about)?, waiting: Mutex::default() })
    }

    /// Takes rows and returns what is decided so far.
    fn push(&self, py: Python<'_>, rows: &[u8]) -> PyResult<Stream> {
        py.detach(|| {
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            let mut out = Vec::new();
            for batch in batches(rows)? {
                self.add(&mut waiting, &batch, &mut out)?;
            }
            stream(&out)
        })
    }

    /// Returns the last decisions.
    fn finish(&self, py: Python<'_>) -> PyResult<Stream> {
        py.detach(|| {
            let mut out = Vec::new();
            self.decide(&mut self.waiting.lock().unwrap_or_else(PoisonError::into_inner), &mut out);
            stream(&out)
        })
    }
}

impl Grouping {
    fn add(&self, waiting: &mut Waiting, batch: &RecordBatch, out: &mut Vec<Row>) -> PyResult<()> {
        let keys = column(batch, "key")?.as_binary_opt::<i32>().ok_or_else(|| other("key"))?;
        let long = |name: &'static str| {
            column(batch, name)?.as_primitive_opt::<Int64Type>().ok_or_else(|| other(name))
        };
        let int = |name: &'static str| {
            column(batch, name)?.as_primitive_opt::<Int32Type>().ok_or_else(|| other(name))
        };
        let (ats, players, dates) = (long("at")?, long("players")?, long("date")?);
        let (plies, richness, lengths) = (int("plies")?, int("richness")?, int("length")?);
        for row in 0..batch.num_rows() {
            let key: [u8; 16] = keys.value(row).try_into().map_err(|_| other("key"))?;
            if waiting.key != Some(key) {
                self.decide(waiting, out);
                waiting.key = Some(key);
            }
            let known = |column: &Int64Array| column.is_valid(row).then(|| column.value(row).cast_unsigned());
            let facts = Facts {
                plies: plies.value(row).cast_unsigned(),
                players: known(players),
                date: known(dates),
                richness: u16::try_from(richness.value(row)).unwrap_or(u16::MAX),
            };
            let at = ats.value(row).cast_unsigned();
            if lengths.is_valid(row) {
                waiting.beginnings.push((at, facts.plies, lengths.value(row), facts));
            } else {
                waiting.games.push((at, facts));
            }
        }
        Ok(())
    }

    /// Decides about the games that are waiting.
    fn decide(&self, waiting: &mut Waiting, out: &mut Vec<Row>) {
        let Some(key) = waiting.key.take() else { return };
        let (games, beginnings) =
            (std::mem::take(&mut waiting.games), std::mem::take(&mut waiting.beginnings));
        if games.is_empty() {
            return;
        }
        let word = |at: usize| u64::from_le_bytes(key[at..at + 8].try_into().expect("eight bytes"));
        let mut group = Group::new(&self.options, [word(0), word(8)]);
        for (at, facts) in &games {
            group.add(*at, facts);
        }
        // Most games stand alone, and nothing has to be said of them.
        let alone = |decided: &&Decided| {
            decided.best == decided.at && decided.first == decided.at && decided.doubt.is_none()
        };
        out.extend(group.finish().iter().filter(|decided| !alone(decided)).map(Row::of));
        for (by, plies, length, facts) in &beginnings {
            if let Some((at, confidence)) = group.continued_by(*plies, facts) {
                let (at, by) = (at.cast_signed(), Some((by.cast_signed(), *length)));
                let confidence = number_of(confidence);
                out.push(Row { at, first: at, best: at, confidence, doubt: None, by });
            }
        }
    }
}

impl Row {
    fn of(decided: &Decided) -> Self {
        Row {
            at: decided.at.cast_signed(),
            first: decided.first.cast_signed(),
            best: decided.best.cast_signed(),
            confidence: number_of(decided.settled_confidence()),
            doubt: decided.doubt.map(|(confidence, other)| (number_of(confidence), other.cast_signed())),
            by: None,
        }
    }
}

fn stream(rows: &[Row]) -> PyResult<Stream> {
    let schema = schema(&[
        ("at", DataType::Int64),
        ("first", DataType::Int64),
        ("best", DataType::Int64),
        ("confidence", DataType::Int32),
        ("doubt", DataType::Int64),
        ("doubt_confidence", DataType::Int32),
        ("by", DataType::Int64),
        ("length", DataType::Int32),
    ]);
    let longs =
        |of: fn(&Row) -> Option<i64>| Arc::new(rows.iter().map(of).collect::<Int64Array>()) as ArrayRef;
    let ints =
        |of: fn(&Row) -> Option<i32>| Arc::new(rows.iter().map(of).collect::<Int32Array>()) as ArrayRef;
    let columns = vec![
        longs(|row| Some(row.at)),
        longs(|row| Some(row.first)),
        longs(|row| Some(row.best)),
        ints(|row| Some(row.confidence)),
        longs(|row| row.doubt.map(|(_, other)| other)),
        ints(|row| row.doubt.map(|(confidence, _)| confidence)),
        longs(|row| row.by.map(|(by, _)| by)),
        ints(|row| row.by.map(|(_, length)| length)),
    ];
    one(schema, columns)
}

fn one(schema: SchemaRef, columns: Vec<ArrayRef>) -> PyResult<Stream> {
    let batch = RecordBatch::try_new(schema.clone(), columns).map_err(|error| bad(&error))?;
    Ok(Stream::of(schema, vec![batch]))
}

/// For every beginning, the game that stays in the end. Comes as `at`, `by`, `confidence`.
#[pyfunction]
#[pyo3(name = "_settle")]
pub(super) fn settle(py: Python<'_>, rows: &[u8]) -> PyResult<Stream> {
    py.detach(|| {
        let mut continuations = Continuations::default();
        for batch in batches(rows)? {
            let long = |name: &'static str| {
                column(&batch, name)?.as_primitive_opt::<Int64Type>().ok_or_else(|| other(name))
            };
            let (ats, bys) = (long("at")?, long("by")?);
            let sure = column(&batch, "confidence")?.as_primitive_opt::<Int32Type>();
            let sure = sure.ok_or_else(|| other("confidence"))?;
            for row in 0..batch.num_rows() {
                let (at, by) = (ats.value(row).cast_unsigned(), bys.value(row).cast_unsigned());
                continuations.insert(at, by, confidence_of(sure.value(row)));
            }
        }
        let settled: Vec<_> = continuations.settled().collect();
        let schema =
            schema(&[("at", DataType::Int64), ("root", DataType::Int64), ("chain", DataType::Int32)]);
        let longs = |of: fn(&(u64, u64, Confidence)) -> u64| {
            Arc::new(Int64Array::from_iter_values(settled.iter().map(|row| of(row).cast_signed())))
                as ArrayRef
        };
        let sure = Int32Array::from_iter_values(settled.iter().map(|row| number_of(row.2)));
        one(schema, vec![longs(|row| row.0), longs(|row| row.1), Arc::new(sure)])
    })
}

pub(super) fn column<'b>(batch: &'b RecordBatch, name: &str) -> PyResult<&'b ArrayRef> {
    batch.column_by_name(name).ok_or_else(|| other(name))
}

pub(super) fn other(name: &str) -> PyErr {
    PyValueError::new_err(format!("column `{name}` is missing or of another type"))
}

/// The number of a confidence in rows; larger is surer.
pub(super) const fn number_of(confidence: Confidence) -> i32 {
    match confidence {
        Confidence::Doubtful => 0,
        Confidence::Likely => 1,
        Confidence::Certain => 2,
    }
}

/// The confidence with a number.
pub(super) const fn confidence_of(number: i32) -> Confidence {
    match number {
        ..=0 => Confidence::Doubtful,
        1 => Confidence::Likely,
        2.. => Confidence::Certain,
    }
}
