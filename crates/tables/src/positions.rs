//! Every distinct position, with what became of it.

use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, Int32Builder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::SchemaRef;
use boardprint_base::GameResult;

use crate::postings::{BATCH_ROWS, batch};
use crate::rows::Row;
use crate::{Error, Key};

/// Makes batches of positions from sorted rows.
pub(crate) struct Positions {
    schema: SchemaRef,
    key_bytes: usize,
    current: Option<Position>,
    rows: usize,
    text_bytes: usize,
    key: BinaryBuilder,
    /// Occurrences, games, white wins, draws, black wins, unknown results.
    counts: [Int64Builder; 6],
    first_game: Int64Builder,
    first_ply: Int32Builder,
    cpn: Option<StringBuilder>,
}

/// The position whose rows are coming in.
struct Position {
    key: [u8; 20],
    counts: [i64; 6],
    first: (i64, i32),
    last_game: i64,
    cpn: String,
}

/// The bytes of CPN in a batch: far below what a column can hold.
const BATCH_BYTES: usize = 64 << 20;

impl Positions {
    pub(crate) fn new(schema: SchemaRef, key: Key, cpn: bool) -> Self {
        Positions {
            schema,
            key_bytes: key.bytes(),
            current: None,
            rows: 0,
            text_bytes: 0,
            key: BinaryBuilder::new(),
            counts: Default::default(),
            first_game: Int64Builder::new(),
            first_ply: Int32Builder::new(),
            cpn: cpn.then(StringBuilder::new),
        }
    }

    /// Counts a row. Rows come by key, then game.
    pub(crate) fn add_row(&mut self, row: &Row<'_>) -> Result<Option<RecordBatch>, Error> {
        let mut full = None;
        if self.current.as_ref().is_none_or(|current| current.key != row.key) {
            self.end_position();
            if self.rows >= BATCH_ROWS || self.text_bytes >= BATCH_BYTES {
                full = Some(self.flush()?);
            }
            let cpn =
                if self.cpn.is_some() { row.text.unwrap_or_default().to_owned() } else { String::new() };
            let first = (row.game, row.ply);
            self.current = Some(Position { key: row.key, counts: [0; 6], first, last_game: i64::MIN, cpn });
        }
        if let Some(current) = &mut self.current {
            current.counts[0] += 1;
            current.counts[1] += i64::from(current.last_game != row.game);
            current.last_game = row.game;
            let place = match row.result {
                GameResult::WhiteWins => 2,
                GameResult::Draw => 3,
                GameResult::BlackWins => 4,
                GameResult::Unknown => 5,
            };
            current.counts[place] += 1;
        }
        Ok(full)
    }

    /// The last batch, if anything is left.
    pub(crate) fn finish(&mut self) -> Result<Option<RecordBatch>, Error> {
        self.end_position();
        if self.rows == 0 { Ok(None) } else { self.flush().map(Some) }
    }

    fn end_position(&mut self) {
        let Some(position) = self.current.take() else { return };
        self.key.append_value(&position.key[..self.key_bytes]);
        for (column, count) in self.counts.iter_mut().zip(position.counts) {
            column.append_value(count);
        }
        self.first_game.append_value(position.first.0);
        self.first_ply.append_value(position.first.1);
        if let Some(cpn) = &mut self.cpn {
            cpn.append_value(&position.cpn);
            self.text_bytes += position.cpn.len();
        }
        self.rows += 1;
    }

    fn flush(&mut self) -> Result<RecordBatch, Error> {
        let mut arrays: Vec<ArrayRef> = vec![Arc::new(self.key.finish())];
        arrays.extend(self.counts.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef));
        arrays.push(Arc::new(self.first_game.finish()));
        arrays.push(Arc::new(self.first_ply.finish()));
        if let Some(cpn) = &mut self.cpn {
            arrays.push(Arc::new(cpn.finish()));
        }
        (self.rows, self.text_bytes) = (0, 0);
        batch(&self.schema, arrays)
    }
}
