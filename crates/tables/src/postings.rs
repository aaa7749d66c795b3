//! Every position of every game.

use std::fmt::Write as _;
use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, Int32Builder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::SchemaRef;
use boardprint_base::{Digest, GameResult};
use boardprint_games::PositionNamer;

use crate::rows::Row;
use crate::workers::{Builder, Refused};
use crate::{Entry, Error, Options, Table};

/// The rows of a batch.
pub(crate) const BATCH_ROWS: usize = 1 << 16;

/// Makes batches of postings.
pub(crate) struct Postings {
    schema: SchemaRef,
    key_bytes: usize,
    max_ply: Option<u32>,
    namer: PositionNamer,
    hashes: Vec<Digest>,
    columns: Columns,
    done: Vec<RecordBatch>,
}

#[derive(Default)]
struct Columns {
    rows: usize,
    key: BinaryBuilder,
    game: Int64Builder,
    ply: Int32Builder,
    next: StringBuilder,
    result: StringBuilder,
}

impl Postings {
    pub(crate) fn of(options: &Options) -> Self {
        let (profile, max_ply) = options.naming();
        Postings {
            schema: options.schema(Table::Postings),
            key_bytes: options.key_length().bytes(),
            max_ply,
            namer: PositionNamer::new(profile),
            hashes: Vec::new(),
            columns: Columns::default(),
            done: Vec::new(),
        }
    }

    /// Adds a row that was sorted.
    pub(crate) fn add_row(&mut self, row: &Row<'_>) -> Result<(), Error> {
        let columns = &mut self.columns;
        columns.key.append_value(&row.key[..self.key_bytes]);
        columns.game.append_value(row.game);
        columns.ply.append_value(row.ply);
        columns.next.append_option(row.text);
        columns.result.append_value(row.result.as_str());
        columns.rows += 1;
        self.cut()
    }

    /// The batch that is full, if there is one.
    pub(crate) fn take(&mut self) -> Option<RecordBatch> {
        self.done.pop()
    }

    fn cut(&mut self) -> Result<(), Error> {
        if self.columns.rows >= BATCH_ROWS {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Error> {
        let columns = &mut self.columns;
        let arrays: Vec<ArrayRef> = vec![
            Arc::new(columns.key.finish()),
            Arc::new(columns.game.finish()),
            Arc::new(columns.ply.finish()),
            Arc::new(columns.next.finish()),
            Arc::new(columns.result.finish()),
        ];
        columns.rows = 0;
        self.done.push(batch(&self.schema, arrays)?);
        Ok(())
    }
}

/// A batch of columns.
pub(crate) fn batch(schema: &SchemaRef, arrays: Vec<ArrayRef>) -> Result<RecordBatch, Error> {
    RecordBatch::try_new(Arc::clone(schema), arrays).map_err(|error| Error::Batch(error.to_string()))
}

impl Builder for Postings {
    type Rows = RecordBatch;

    fn add(&mut self, number: i64, entry: &Entry<'_>) -> Result<(), Refused> {
        let content = &entry.content;
        // All hashes first: a game that breaks off has no rows.
        self.hashes.clear();
        let hashes = &mut self.hashes;
        self.namer.each_cpn(content, |cpn| hashes.push(Digest::of(cpn)))?;
        let result = content.result().unwrap_or(GameResult::Unknown).as_str();
        let last = self.max_ply.map_or(usize::MAX, |ply| ply as usize);
        let mut moves = content.moves();
        for (ply, index) in (0..).zip(0..self.hashes.len()) {
            let next = moves.next();
            if index > last {
                break;
            }
            let columns = &mut self.columns;
            columns.key.append_value(&self.hashes[index].0[..self.key_bytes]);
            columns.game.append_value(number);
            columns.ply.append_value(ply);
            match next {
                Some(next) => {
                    // Writing to a builder cannot fail.
                    let _ = write!(columns.next, "{next}");
                    columns.next.append_value("");
                }
                None => columns.next.append_null(),
            }
            columns.result.append_value(result);
            columns.rows += 1;
            self.cut()?;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<RecordBatch>, Error> {
        if self.columns.rows > 0 {
            self.flush()?;
        }
        Ok(self.done)
    }
}
