//! The rows of the games that stay.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::builder::{Int64Builder, StringBuilder};
use arrow_array::cast::AsArray as _;
use arrow_array::{ArrayRef, BinaryArray, Int32Array, RecordBatch};
use arrow_schema::{ArrowError, DataType};
use boardprint_games::{Format, ReadOptions, Record};
use boardprint_tables::{Entry, Failure, Games, Item, Packing, Table};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use super::split::Split;
use super::stream::{Made, Stream, bad, batches, schema};
use crate::dedup::Output;
use crate::table::options_of;

/// A record of a split that stays.
struct Kept {
    record: Record,
    /// Its number among all games that have positions.
    id: Option<i64>,
    at: i64,
}

/// The records of a split that stay. `kept` has eight bytes for each, twice its place in the split and one if
/// it can be played.
fn kept(split: &Split, kept: &[u8], first: i64) -> impl Iterator<Item = Kept> + Send + 'static {
    let numbers = kept.chunks_exact(8).map(|word| i64::from_le_bytes(word.try_into().expect("eight bytes")));
    let mut numbers: Vec<i64> = numbers.collect();
    numbers.sort_unstable();
    let (begin, mut next) = (split.number << 32, first);
    let mut wanted = numbers.into_iter().peekable();
    split.items().filter_map(move |(at, item)| {
        let number = wanted.next_if(|number| number >> 1 == at - begin)?;
        let id = (number & 1 == 1).then_some(next);
        next += number & 1;
        Some(Kept { record: item.ok()?, id, at })
    })
}

/// A game that stays, for a table.
struct KeptGame {
    id: i64,
    record: Record,
    /// The number of the record in its file.
    place: i64,
    options: Arc<ReadOptions>,
}

impl Item for KeptGame {
    fn number(&self) -> i64 {
        self.id
    }

    fn weight(&self) -> usize {
        self.record.text.len()
    }

    fn entry(&self) -> Result<Entry<'_>, Failure> {
        let reading = self.options.read(&self.record);
        let reading = reading.map_err(|error| Failure::of_record(&self.record, &error))?;
        Ok(Entry { source: &self.record.source, record: self.place, content: reading.content })
    }

    fn failure(&self, error: &boardprint_games::RecordError) -> Failure {
        Failure::of_record(&self.record, error)
    }
}

/// The rows of the games of a split that stay, in a table: `games`, `records`, or `postings`, which are
/// packed in blocks of so many `parts`.
#[pyfunction]
#[pyo3(name = "_rows")]
pub(super) fn rows(
    split: &Bound<'_, PyDict>,
    about: &Bound<'_, PyDict>,
    kept_bytes: &Bound<'_, PyBytes>,
    first_id: i64,
    records_before: i64,
) -> PyResult<Stream> {
    let split = Split::new(split, about)?;
    let games = kept(&split, kept_bytes.as_bytes(), first_id);
    let table: String = about.get_item("table")?.map_or(Ok(String::new()), |table| table.extract())?;
    if table == "records" {
        return Ok(record_stream(games, records_before));
    }
    let (kind, options, _) = options_of(about)?;
    let options = options.threads(1);
    let reading = Arc::new(split.options().clone());
    let begin = split.number << 32;
    let games: Games = Box::new(games.filter_map(move |kept| {
        let place = records_before + (kept.at - begin) + 1;
        let game = KeptGame { id: kept.id?, record: kept.record, place, options: Arc::clone(&reading) };
        Some(Box::new(game) as Box<dyn Item>)
    }));
    if kind == Table::Postings {
        let parts: u32 = about.get_item("parts")?.map_or(Ok(1), |parts| parts.extract())?;
        return Ok(packed_stream(options.pack(games, parts)));
    }
    let batches = options.read(kind, games);
    let schema = batches.schema();
    let made = batches.map(|batch| batch.map_err(|error| ArrowError::ExternalError(Box::new(error))));
    Ok(Stream::new(schema, Box::new(made)))
}

/// Postings in blocks, a row for each with the part of the hashes that it belongs to. A row for each posting
/// would cost Spark many times what sorting costs here.
fn packed_stream(packing: Packing) -> Stream {
    let schema = schema(&[("part", DataType::Int32), ("rows", DataType::Binary)]);
    let out = schema.clone();
    let made = packing.map(move |block| {
        let (part, rows) = block.map_err(|error| ArrowError::ExternalError(Box::new(error)))?;
        let part = Int32Array::from_iter_values([part.cast_signed()]);
        let rows = BinaryArray::from_iter_values([rows]);
        RecordBatch::try_new(out.clone(), vec![Arc::new(part) as ArrayRef, Arc::new(rows)])
    });
    Stream::new(schema, Box::new(made))
}

/// The bytes of texts in a batch.
const BATCH_BYTES: usize = 4 << 20;

fn record_stream(games: impl Iterator<Item = Kept> + Send + 'static, records_before: i64) -> Stream {
    let schema = schema(&[
        ("at", DataType::Int64),
        ("id", DataType::Int64),
        ("path", DataType::Utf8),
        ("record", DataType::Int64),
        ("offset", DataType::Int64),
        ("format", DataType::Utf8),
        ("text", DataType::Utf8),
    ]);
    let out = schema.clone();
    let mut games = games.peekable();
    let made: Made = Box::new(std::iter::from_fn(move || {
        games.peek()?;
        let [mut at, mut id, mut number, mut offset] = std::array::from_fn(|_| Int64Builder::new());
        let [mut path, mut format, mut text] = std::array::from_fn(|_| StringBuilder::new());
        let mut bytes = 0;
        while bytes < BATCH_BYTES {
            let Some(kept) = games.next() else { break };
            at.append_value(kept.at);
            id.append_option(kept.id);
            path.append_value(&kept.record.source);
            number.append_value(records_before + (kept.at & i64::from(u32::MAX)) + 1);
            offset.append_value(i64::try_from(kept.record.offset).unwrap_or(i64::MAX));
            format.append_value(kept.record.format.name());
            text.append_value(&kept.record.text);
            bytes += kept.record.text.len() + 64;
        }
        let columns: Vec<ArrayRef> = vec![
            Arc::new(at.finish()),
            Arc::new(id.finish()),
            Arc::new(path.finish()),
            Arc::new(number.finish()),
            Arc::new(offset.finish()),
            Arc::new(format.finish()),
            Arc::new(text.finish()),
        ];
        Some(RecordBatch::try_new(out.clone(), columns))
    }));
    Stream::new(schema, made)
}

/// A file of records, written as the program writes them. It appears whole or not at all.
#[pyclass(frozen, module = "boardprint", name = "_RecordFile")]
pub(super) struct RecordFile(Mutex<Option<Output>>);

#[pymethods]
impl RecordFile {
    #[new]
    fn new(path: PathBuf) -> PyResult<Self> {
        Ok(RecordFile(Mutex::new(Some(Output::create(&path)?))))
    }

    /// Writes the next records; rows have `format` and `text`.
    fn write(&self, py: Python<'_>, rows: &[u8]) -> PyResult<()> {
        py.detach(|| {
            let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let output = output.as_mut().ok_or_else(|| PyValueError::new_err("the file is finished"))?;
            for batch in batches(rows)? {
                let column = |name: &str| {
                    let column = batch.column_by_name(name).and_then(|column| column.as_string_opt::<i32>());
                    column.ok_or_else(|| bad(&format!("column `{name}` is missing or of another type")))
                };
                let (formats, texts) = (column("format")?, column("text")?);
                for row in 0..batch.num_rows() {
                    let format: Format =
                        formats.value(row).parse().map_err(|_| bad(&"a format that nobody knows"))?;
                    output.write(format, texts.value(row))?;
                }
            }
            Ok(())
        })
    }

    /// Gives the file its name.
    fn finish(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| {
            let output = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
            output.map_or(Ok::<(), io::Error>(()), Output::finish)
        })?;
        Ok(())
    }
}
