//! Positions counted from postings that somebody else has sorted.

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array as _, RecordBatch};
use arrow_schema::SchemaRef;
use boardprint_base::GameResult;

use crate::positions::Positions;
use crate::rows::Row;
use crate::{Error, Options, Table};

/// Counts positions from postings that come by key, then game and half-move.
pub struct Counter {
    positions: Positions,
    schema: SchemaRef,
}

impl Counter {
    /// A counter of postings made with some options.
    #[must_use]
    pub fn new(options: &Options) -> Self {
        let schema = options.schema(Table::Positions { cpn: false });
        Counter { positions: Positions::new(schema.clone(), options.key_length(), false), schema }
    }

    /// The columns of the counts.
    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    /// Counts some postings. Returns the counts that became ready: the last position may go on in the next batch.
    ///
    /// # Errors
    ///
    /// A column is missing or of another type.
    pub fn add(&mut self, postings: &RecordBatch) -> Result<Vec<RecordBatch>, Error> {
        let column = |name: &str| {
            let missing = || Error::Batch(format!("postings have no column `{name}`"));
            postings.column_by_name(name).ok_or_else(missing)
        };
        let other = |name: &str| Error::Batch(format!("column `{name}` of postings is of another type"));
        let keys = column("key")?.as_binary_opt::<i32>().ok_or_else(|| other("key"))?;
        let games = column("game")?.as_primitive_opt::<Int64Type>().ok_or_else(|| other("game"))?;
        let plies = column("ply")?.as_primitive_opt::<Int32Type>().ok_or_else(|| other("ply"))?;
        let results = column("result")?.as_string_opt::<i32>().ok_or_else(|| other("result"))?;
        let mut ready = Vec::new();
        for row in 0..keys.len() {
            let mut key = [0; 20];
            let bytes = keys.value(row);
            key.get_mut(..bytes.len()).ok_or_else(|| other("key"))?.copy_from_slice(bytes);
            let (game, ply) = (games.value(row), plies.value(row));
            let result = results.value(row).parse().unwrap_or(GameResult::Unknown);
            let row = Row { key, game, ply, result, text: None };
            ready.extend(self.positions.add_row(&row)?);
        }
        Ok(ready)
    }

    /// The last counts.
    ///
    /// # Errors
    ///
    /// They do not make a batch.
    pub fn finish(mut self) -> Result<Option<RecordBatch>, Error> {
        self.positions.finish()
    }
}
