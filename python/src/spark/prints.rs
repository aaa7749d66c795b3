//! What has to be known of every record before it is decided which games stay.

use std::io;
use std::sync::Arc;

use arrow_array::{ArrayRef, BinaryArray, BooleanArray, Int32Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, SchemaRef};
use boardprint_dedup::{By, DedupOptions, Fingerprint};
use boardprint_games::{Content, PositionNamer, Profile, Record, RecordError};
use boardprint_records::{ReadError, ReadErrorKind};
use boardprint_tables::Failure;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::split::Split;
use super::stream::{Made, Stream, schema};
use crate::dedup::options_of;

/// The rows of a batch.
const BATCH_ROWS: usize = 8192;

/// A row of the prints: a game, a record that is not a game, or the end of a split.
#[derive(Default)]
struct Print {
    kind: i32,
    at: i64,
    /// The line in the split, from 1; of an end, the line feeds of the split.
    line: Option<i64>,
    column: Option<i64>,
    /// The number of a bad record in the split, from 1; of an end, how many there were.
    record: Option<i64>,
    key: Option<[u8; 16]>,
    plies: i32,
    players: Option<i64>,
    date: Option<i64>,
    richness: i32,
    /// Whether every move can be played, so that the game has positions.
    playable: bool,
    error: Option<&'static str>,
    message: Option<Box<str>>,
    hint: Option<Box<str>>,
}

const GAME: i32 = 0;
const BAD: i32 = 1;
const END: i32 = 2;

fn print_schema() -> SchemaRef {
    schema(&[
        ("kind", DataType::Int32),
        ("at", DataType::Int64),
        ("line", DataType::Int64),
        ("column", DataType::Int64),
        ("record", DataType::Int64),
        ("key", DataType::Binary),
        ("plies", DataType::Int32),
        ("players", DataType::Int64),
        ("date", DataType::Int64),
        ("richness", DataType::Int32),
        ("playable", DataType::Boolean),
        ("error", DataType::Utf8),
        ("message", DataType::Utf8),
        ("hint", DataType::Utf8),
    ])
}

fn texts<'a>(rows: &'a [Print], of: fn(&'a Print) -> Option<&'a str>) -> ArrayRef {
    Arc::new(rows.iter().map(of).collect::<StringArray>())
}

fn print_batch(schema: &SchemaRef, rows: &[Print]) -> Result<RecordBatch, ArrowError> {
    let ints =
        |of: fn(&Print) -> i32| Arc::new(Int32Array::from_iter_values(rows.iter().map(of))) as ArrayRef;
    let longs =
        |of: fn(&Print) -> Option<i64>| Arc::new(rows.iter().map(of).collect::<Int64Array>()) as ArrayRef;
    let playable: BooleanArray = rows.iter().map(|row| Some(row.playable)).collect();
    let columns = vec![
        ints(|row| row.kind),
        longs(|row| Some(row.at)),
        longs(|row| row.line),
        longs(|row| row.column),
        longs(|row| row.record),
        Arc::new(rows.iter().map(|row| row.key).collect::<BinaryArray>()),
        ints(|row| row.plies),
        longs(|row| row.players),
        longs(|row| row.date),
        ints(|row| row.richness),
        Arc::new(playable),
        texts(rows, |row| row.error),
        texts(rows, |row| row.message.as_deref()),
        texts(rows, |row| row.hint.as_deref()),
    ];
    RecordBatch::try_new(schema.clone(), columns)
}

/// The prints of a split.
#[pyfunction]
#[pyo3(name = "_prints")]
pub(super) fn prints(split: &Bound<'_, PyDict>, about: &Bound<'_, PyDict>) -> PyResult<Stream> {
    let split = Split::new(split, about)?;
    // Without a criterion every game stays.
    let by = about.get_item("by")?.is_some_and(|by| !by.is_none());
    let options = by.then(|| options_of(about)).transpose()?;
    let mut printer =
        Printer { split, options, by: by_of(about)?, namer: PositionNamer::new(Profile::Plain), shift: None };
    let schema = print_schema();
    let (mut items, mut count, mut ended) = (printer.split.items(), 0, false);
    let out = schema.clone();
    let made: Made = Box::new(std::iter::from_fn(move || {
        if ended {
            return None;
        }
        let mut rows = Vec::with_capacity(BATCH_ROWS);
        while rows.len() < BATCH_ROWS {
            let row = if let Some((at, item)) = items.next() {
                count += 1;
                printer.print(at, item)
            } else {
                ended = true;
                printer.end(count)
            };
            match row {
                Ok(row) => rows.push(row),
                Err(error) => {
                    ended = true;
                    return Some(Err(error));
                }
            }
            if ended {
                break;
            }
        }
        Some(print_batch(&out, &rows))
    }));
    Ok(Stream::new(schema, made))
}

fn by_of(about: &Bound<'_, PyDict>) -> PyResult<By> {
    let by: Option<String> = about.get_item("by")?.map_or(Ok(None), |value| value.extract())?;
    Ok(match by.as_deref() {
        Some("moves") => By::Moves,
        Some("final") => By::Final,
        Some("prefix") => By::Prefix,
        _ => By::Game,
    })
}

struct Printer {
    split: Split,
    options: Option<DedupOptions>,
    by: By,
    namer: PositionNamer,
    /// What makes lines of the part lines of the range.
    shift: Option<i64>,
}

impl Printer {
    fn print(&mut self, at: i64, item: Result<Record, ReadError>) -> Result<Print, ArrowError> {
        let record = match item {
            Ok(record) => record,
            Err(error) => {
                // What this machine cannot open, another may; damaged data is damaged everywhere.
                if let ReadErrorKind::Io(cause) = error.kind()
                    && matches!(cause.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied)
                {
                    return Err(ArrowError::ExternalError(Box::new(error)));
                }
                if let (Some(offset), Some(line)) = (error.offset(), error.line()) {
                    self.notice(offset, line)?;
                }
                return Ok(self.bad(at, Failure::of_reading(&error)));
            }
        };
        self.notice(record.offset, record.line)?;
        let read = self.read(at, &record);
        Ok(read.unwrap_or_else(|error| self.bad(at, Failure::of_record(&record, &error))))
    }

    fn read(&mut self, at: i64, record: &Record) -> Result<Print, RecordError> {
        let content = self.split.options().read(record)?.content;
        let print = Fingerprint::of(&content, self.by, Profile::Plain)?;
        let key = self.options.as_ref().and_then(|options| options.group_key(&print));
        // Whoever reads a game of a finite board has played it.
        let playable =
            !matches!(content, Content::Infinite(_)) || self.namer.each_cpn(&content, |_| {}).is_ok();
        Ok(Print {
            kind: GAME,
            at,
            line: self.line(Some(record.line)),
            key: key.map(bytes_of),
            plies: i32::try_from(print.plies).unwrap_or(i32::MAX),
            players: print.players.map(u64::cast_signed),
            date: print.date.map(u64::cast_signed),
            richness: i32::from(print.richness),
            playable,
            ..Print::default()
        })
    }

    fn bad(&self, at: i64, failure: Failure) -> Print {
        let signed = |number: Option<u64>| number.and_then(|number| i64::try_from(number).ok());
        Print {
            kind: BAD,
            at,
            line: self.line(failure.line),
            column: signed(failure.column),
            record: signed(failure.record),
            error: Some(failure.kind),
            message: Some(failure.message),
            hint: failure.hint,
            ..Print::default()
        }
    }

    fn end(&self, records: i64) -> Result<Print, ArrowError> {
        let lines = self.split.lines_before(None).map_err(|error| unread(&self.split, error))?;
        let (at, line) = ((self.split.number << 32) + i64::from(u32::MAX), i64::try_from(lines).ok());
        Ok(Print { kind: END, at, line, record: Some(records), ..Print::default() })
    }

    /// Learns from the first record how its lines are counted.
    fn notice(&mut self, offset: u64, line: u64) -> Result<(), ArrowError> {
        if self.shift.is_none() {
            let shift = if self.split.start() == 0 {
                0
            } else {
                let before =
                    self.split.lines_before(Some(offset)).map_err(|error| unread(&self.split, error))?;
                before.cast_signed() + 1 - line.cast_signed()
            };
            self.shift = Some(shift);
        }
        Ok(())
    }

    fn line(&self, line: Option<u64>) -> Option<i64> {
        Some(i64::try_from(line?).ok()? + self.shift.unwrap_or(0))
    }
}

fn unread(split: &Split, error: io::Error) -> ArrowError {
    ArrowError::IoError(format!("{}: {error}", split.path()), error)
}

fn bytes_of([high, low]: [u64; 2]) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&high.to_le_bytes());
    bytes[8..].copy_from_slice(&low.to_le_bytes());
    bytes
}

/// By prefix, the keys of the beginnings of every game of a split.
#[pyfunction]
#[pyo3(name = "_beginnings")]
pub(super) fn beginnings(split: &Bound<'_, PyDict>, about: &Bound<'_, PyDict>) -> PyResult<Stream> {
    let split = Split::new(split, about)?;
    let options = options_of(about)?;
    let schema = schema(&[
        ("key", DataType::Binary),
        ("at", DataType::Int64),
        ("plies", DataType::Int32),
        ("players", DataType::Int64),
        ("date", DataType::Int64),
        ("length", DataType::Int32),
    ]);
    let mut items = split.items();
    let out = schema.clone();
    let made: Made = Box::new(std::iter::from_fn(move || {
        let mut rows = Vec::with_capacity(BATCH_ROWS);
        while rows.len() < BATCH_ROWS {
            let Some((at, item)) = items.next() else { break };
            // Bad records were told of before.
            let Ok(record) = item else { continue };
            let Ok(reading) = split.options().read(&record) else { continue };
            let Ok(print) = Fingerprint::of(&reading.content, By::Prefix, Profile::Plain) else { continue };
            rows.extend(options.beginning_keys(&print).into_iter().map(|(plies, key)| Beginning {
                key: bytes_of(key),
                at,
                plies: plies.cast_signed(),
                players: print.players.map(u64::cast_signed),
                date: print.date.map(u64::cast_signed),
                length: i32::try_from(print.plies).unwrap_or(i32::MAX),
            }));
        }
        (!rows.is_empty()).then(|| beginning_batch(&out, &rows))
    }));
    Ok(Stream::new(schema, made))
}

struct Beginning {
    key: [u8; 16],
    at: i64,
    plies: i32,
    players: Option<i64>,
    date: Option<i64>,
    /// The half-moves of the whole game.
    length: i32,
}

fn beginning_batch(schema: &SchemaRef, rows: &[Beginning]) -> Result<RecordBatch, ArrowError> {
    let longs =
        |of: fn(&Beginning) -> Option<i64>| Arc::new(rows.iter().map(of).collect::<Int64Array>()) as ArrayRef;
    let ints =
        |of: fn(&Beginning) -> i32| Arc::new(Int32Array::from_iter_values(rows.iter().map(of))) as ArrayRef;
    let columns = vec![
        Arc::new(BinaryArray::from_iter_values(rows.iter().map(|row| row.key))) as ArrayRef,
        longs(|row| Some(row.at)),
        ints(|row| row.plies),
        longs(|row| row.players),
        longs(|row| row.date),
        ints(|row| row.length),
    ];
    RecordBatch::try_new(schema.clone(), columns)
}
