//! Tables as batches of rows.

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use boardprint_games::Profile;

use crate::games::GamesTable;
use crate::positions::Positions;
use crate::postings::Postings;
use crate::rows::{Block, Rower, Text};
use crate::sort::{Sorted, Sorter};
use crate::workers::{Builder as _, OnFailure, Rows};
use crate::{Error, Failure, Games, Key, Table};

/// How tables are made.
#[derive(Clone, Debug)]
pub struct Options {
    profile: Profile,
    key: Key,
    max_ply: Option<u32>,
    threads: usize,
    memory: usize,
}

impl Default for Options {
    /// Plain hashes, keys of 10 bytes, all plies, a thread per core, 256 MiB for sorting.
    fn default() -> Self {
        Options { profile: Profile::Plain, key: Key::Short, max_ply: None, threads: 0, memory: 256 << 20 }
    }
}

impl Options {
    /// How positions are named.
    #[must_use]
    pub fn profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// How much of the hash is the key.
    #[must_use]
    pub fn key(mut self, key: Key) -> Self {
        self.key = key;
        self
    }

    /// Leaves out positions after this half-move.
    #[must_use]
    pub fn max_ply(mut self, ply: Option<u32>) -> Self {
        self.max_ply = ply;
        self
    }

    /// How many threads work; 0 is one per core.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// About how many bytes of rows are sorted in memory before they go to a temporary file.
    #[must_use]
    pub fn memory(mut self, bytes: usize) -> Self {
        self.memory = bytes.max(1);
        self
    }

    /// How much of the hash is the key.
    pub(crate) const fn key_length(&self) -> Key {
        self.key
    }

    /// How positions are named, and how many half-moves count.
    pub(crate) const fn naming(&self) -> (Profile, Option<u32>) {
        (self.profile, self.max_ply)
    }

    /// About how many bytes of rows are sorted in memory.
    pub(crate) const fn memory_bytes(&self) -> usize {
        self.memory
    }

    /// How many threads work.
    pub(crate) fn worker_count(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        }
    }

    /// The columns of a table made this way.
    #[must_use]
    pub fn schema(&self, table: Table) -> SchemaRef {
        table.schema(self.profile, self.key)
    }

    /// A table of some games. A bad record ends it.
    #[must_use]
    pub fn read(&self, table: Table, games: Games) -> Batches {
        self.read_with(table, games, Err)
    }

    /// A table of some games. Bad records go to `on_failure`, in order; what it gives back ends the table.
    #[must_use]
    pub fn read_with(
        &self,
        table: Table,
        games: Games,
        on_failure: impl FnMut(Failure) -> Result<(), Failure> + Send + 'static,
    ) -> Batches {
        let schema = self.schema(table);
        let on_failure: OnFailure = Box::new(on_failure);
        let threads = self.worker_count();
        let options = self.clone();
        let rows: Box<dyn Iterator<Item = Result<RecordBatch, Error>> + Send> = match table {
            Table::Postings => {
                Box::new(Rows::new(games, threads, on_failure, move || Postings::of(&options)))
            }
            Table::Games => {
                let schema = schema.clone();
                Box::new(Rows::new(games, threads, on_failure, move || {
                    GamesTable::new(schema.clone(), options.profile)
                }))
            }
            Table::SortedPostings | Table::Positions { .. } => {
                let text = match table {
                    Table::Positions { cpn: true } => Text::Cpn,
                    Table::Positions { cpn: false } => Text::Nothing,
                    _ => Text::NextMove,
                };
                let rows = options.rows(text, games, threads, on_failure);
                Box::new(Sorting { state: State::Unsorted(rows, self.memory), table: Sink::new(self, table) })
            }
        };
        Batches { schema, rows, ended: false }
    }

    pub(crate) fn rows(self, text: Text, games: Games, threads: usize, on_failure: OnFailure) -> BlockRows {
        Box::new(Rows::new(games, threads, on_failure, move || {
            Rower::new(text, self.profile, self.key, self.max_ply)
        }))
    }
}

pub(crate) type BlockRows = Box<dyn Iterator<Item = Result<Block, Error>> + Send>;

/// A table as batches of rows, in order. An error ends it.
pub struct Batches {
    schema: SchemaRef,
    rows: Box<dyn Iterator<Item = Result<RecordBatch, Error>> + Send>,
    ended: bool,
}

impl Batches {
    /// A table of rows that are sorted.
    pub(crate) fn of_sorted(options: &Options, table: Table, sorted: Sorted) -> Self {
        let rows = Sorting { state: State::Sorted(sorted), table: Sink::new(options, table) };
        Batches { schema: options.schema(table), rows: Box::new(rows), ended: false }
    }

    /// The columns.
    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let next = self.rows.next();
        self.ended = !matches!(next, Some(Ok(_)));
        next
    }
}

/// A table by key.
struct Sorting {
    state: State,
    table: Sink,
}

enum State {
    Unsorted(BlockRows, usize),
    Sorted(Sorted),
    Ended,
}

enum Sink {
    Postings(Option<Box<Postings>>),
    Positions(Box<Positions>),
}

impl Sink {
    fn new(options: &Options, table: Table) -> Self {
        match table {
            Table::Positions { cpn } => {
                Sink::Positions(Box::new(Positions::new(options.schema(table), options.key, cpn)))
            }
            _ => Sink::Postings(Some(Box::new(Postings::of(options)))),
        }
    }
}

impl Sorting {
    fn advance(&mut self) -> Result<Option<RecordBatch>, Error> {
        if let State::Unsorted(rows, memory) = &mut self.state {
            let mut sorter = Sorter::new(*memory);
            for block in rows {
                sorter.push(&block?).map_err(Error::Spill)?;
            }
            self.state = State::Sorted(sorter.sorted().map_err(Error::Spill)?);
        }
        let State::Sorted(sorted) = &mut self.state else { return Ok(None) };
        let full = match &mut self.table {
            Sink::Postings(builder) => loop {
                let Some(table) = builder else { break None };
                if sorted.next(|row| table.add_row(row)).map_err(Error::Spill)?.transpose()?.is_none() {
                    break builder
                        .take()
                        .map(|table| table.finish())
                        .transpose()?
                        .and_then(|mut last| last.pop());
                }
                if let Some(full) = table.take() {
                    break Some(full);
                }
            },
            Sink::Positions(table) => loop {
                match sorted.next(|row| table.add_row(row)).map_err(Error::Spill)?.transpose()? {
                    None => break table.finish()?,
                    Some(None) => {}
                    Some(full) => break full,
                }
            },
        };
        if full.is_none() {
            self.state = State::Ended;
        }
        Ok(full)
    }
}

impl Iterator for Sorting {
    type Item = Result<RecordBatch, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.advance().transpose()
    }
}
