//! Where games come from.

use std::sync::Arc;

use boardprint_games::{Content, ReadOptions, Record};
use boardprint_records::{ReadError, Reader};

use crate::Failure;

/// Games in order, still to be read.
pub type Games = Box<dyn Iterator<Item = Box<dyn Item>> + Send>;

/// A game that is still to be read; workers do that.
pub trait Item: Send + Sync {
    /// Its number in the tables. Numbers grow; they may have gaps.
    fn number(&self) -> i64;

    /// About how many bytes it has, to share work evenly.
    fn weight(&self) -> usize;

    /// What it means.
    ///
    /// # Errors
    ///
    /// It is not a good game.
    fn entry(&self) -> Result<Entry<'_>, Failure>;

    /// What is wrong with it, if a move turns out to be unplayable later.
    fn failure(&self, error: &boardprint_games::RecordError) -> Failure;
}

/// A game that goes into a table.
#[derive(Clone, Debug)]
pub struct Entry<'a> {
    /// What it was read from.
    pub source: &'a str,
    /// Its number there.
    pub record: i64,
    /// What it means.
    pub content: Content<'a>,
}

/// The games of some files. They are numbered from 1 in the order of the input, records that cannot be read
/// included: so numbers depend on nothing but the input.
#[must_use]
pub fn records(reader: Reader, options: ReadOptions) -> Games {
    let options = Arc::new(options);
    Box::new((1..).zip(reader).map(move |(number, record)| -> Box<dyn Item> {
        Box::new(RecordItem { number, record, options: Arc::clone(&options) })
    }))
}

struct RecordItem {
    number: i64,
    record: Result<Record, ReadError>,
    options: Arc<ReadOptions>,
}

impl Item for RecordItem {
    fn number(&self) -> i64 {
        self.number
    }

    fn weight(&self) -> usize {
        self.record.as_ref().map_or(0, |record| record.text.len())
    }

    fn entry(&self) -> Result<Entry<'_>, Failure> {
        let record = self.record.as_ref().map_err(Failure::of_reading)?;
        let reading = self.options.read(record).map_err(|error| Failure::of_record(record, &error))?;
        Ok(Entry {
            source: &record.source,
            record: i64::try_from(record.number).unwrap_or(i64::MAX),
            content: reading.content,
        })
    }

    fn failure(&self, error: &boardprint_games::RecordError) -> Failure {
        match &self.record {
            Ok(record) => Failure::of_record(record, error),
            Err(error) => Failure::of_reading(error),
        }
    }
}
