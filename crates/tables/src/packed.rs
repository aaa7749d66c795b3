//! Postings on their way to the machine that sorts them.
//!
//! Whoever reads games packs their postings by part of the hashes ([`Options::pack`]); whoever has all of a
//! part sorts them ([`PackedPostings`]). The bytes are for the journey only: both sides have to be of one
//! version.

use std::collections::VecDeque;

use crate::batches::{Batches, BlockRows};
use crate::rows::Text;
use crate::sort::{Sorter, write_row};
use crate::{Error, Games, Options, Table};

/// A block that is long enough to be sent.
const BLOCK_BYTES: usize = 256 << 10;
/// What waits in all blocks together. With thousands of parts, shorter blocks are sent.
const WAITING_BYTES: usize = 64 << 20;

impl Options {
    /// The postings of some games in blocks, each of one of so many equal parts of the hashes. A bad record
    /// ends them.
    #[must_use]
    pub fn pack(&self, games: Games, parts: u32) -> Packing {
        let blocks = vec![Vec::new(); parts.max(1) as usize];
        let rows = self.clone().rows(Text::NextMove, games, self.worker_count(), Box::new(Err));
        Packing { rows, blocks, waiting: 0, ready: VecDeque::new(), ended: false }
    }
}

/// Postings in blocks: the number of the part, and the bytes. An error ends them.
pub struct Packing {
    rows: BlockRows,
    blocks: Vec<Vec<u8>>,
    waiting: usize,
    ready: VecDeque<(u32, Vec<u8>)>,
    ended: bool,
}

impl Packing {
    fn fill(&mut self) -> Result<(), Error> {
        let Some(rows) = self.rows.next().transpose()? else {
            self.ended = true;
            self.send_from(1);
            return Ok(());
        };
        let parts = self.blocks.len();
        for row in &rows.rows {
            let block = &mut self.blocks[part_of(&row.key, parts)];
            let before = block.len();
            write_row(block, row, rows.text(row)).map_err(Error::Spill)?;
            self.waiting += block.len() - before;
        }
        self.send_from(if self.waiting < WAITING_BYTES { BLOCK_BYTES } else { 1 });
        Ok(())
    }

    /// Sends the blocks of at least this length.
    fn send_from(&mut self, least: usize) {
        for (part, block) in (0..).zip(&mut self.blocks) {
            if block.len() >= least {
                self.waiting -= block.len();
                self.ready.push_back((part, std::mem::take(block)));
            }
        }
    }
}

impl Iterator for Packing {
    type Item = Result<(u32, Vec<u8>), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(block) = self.ready.pop_front() {
                return Some(Ok(block));
            }
            if self.ended {
                return None;
            }
            if let Err(error) = self.fill() {
                self.ended = true;
                return Some(Err(error));
            }
        }
    }
}

/// The part of the hashes that a key belongs to: parts are equal ranges of the first four bytes.
fn part_of(key: &[u8; 20], parts: usize) -> usize {
    let top = u32::from_be_bytes([key[0], key[1], key[2], key[3]]);
    // Below `parts`, as the product is below 2³² times as much.
    usize::try_from((u64::from(top) * parts as u64) >> 32).unwrap_or(0)
}

/// Postings that came in blocks, to be sorted in bounded memory ([`Options::memory`]).
pub struct PackedPostings {
    options: Options,
    sorter: Sorter,
}

impl PackedPostings {
    /// Nothing yet. The options are those with which postings were packed.
    #[must_use]
    pub fn new(options: &Options) -> Self {
        PackedPostings { options: options.clone(), sorter: Sorter::new(options.memory_bytes()) }
    }

    /// Takes a block.
    ///
    /// # Errors
    ///
    /// It is not a block, or the disk failed.
    pub fn add(&mut self, block: &[u8]) -> Result<(), Error> {
        self.sorter.push_written(block).map_err(Error::Spill)
    }

    /// A table of them: [`Table::SortedPostings`] or [`Table::Positions`] without CPN.
    ///
    /// # Errors
    ///
    /// The disk failed, or they do not make that table.
    pub fn read(self, table: Table) -> Result<Batches, Error> {
        if !matches!(table, Table::SortedPostings | Table::Positions { cpn: false }) {
            return Err(Error::Batch(
                "packed postings make sorted postings and positions without CPN".to_owned(),
            ));
        }
        Ok(Batches::of_sorted(&self.options, table, self.sorter.sorted().map_err(Error::Spill)?))
    }

    /// Both tables, as files of Parquet with a bloom filter of the keys: sorted postings and positions. What
    /// is written depends only on the postings and the options, so that work that is done twice does no harm.
    ///
    /// # Errors
    ///
    /// The disk failed. Each file is there whole or not at all.
    #[cfg(feature = "parquet")]
    pub fn write(
        self,
        postings: impl AsRef<std::path::Path>,
        positions: impl AsRef<std::path::Path>,
    ) -> Result<[crate::parquet::Written; 2], Error> {
        use crate::parquet::Writer;
        use crate::positions::Positions;
        use crate::postings::Postings;
        use crate::workers::Builder as _;

        let [of_postings, of_positions] = [Table::SortedPostings, Table::Positions { cpn: false }];
        let [schema, position_schema] = [of_postings, of_positions].map(|table| self.options.schema(table));
        let mut sorted = self.sorter.sorted().map_err(Error::Spill)?;
        let mut rows = Postings::of(&self.options);
        let mut counts = Positions::new(position_schema.clone(), self.options.key_length(), false);
        let mut postings = Writer::new(of_postings, schema, postings.as_ref(), true)?;
        let mut positions = Writer::new(of_positions, position_schema, positions.as_ref(), true)?;
        while let Some(counted) = sorted
            .next(|row| rows.add_row(row).and_then(|()| counts.add_row(row)))
            .map_err(Error::Spill)?
            .transpose()?
        {
            rows.take().iter().try_for_each(|batch| postings.push(batch))?;
            counted.iter().try_for_each(|batch| positions.push(batch))?;
        }
        rows.finish()?.iter().try_for_each(|batch| postings.push(batch))?;
        counts.finish()?.iter().try_for_each(|batch| positions.push(batch))?;
        Ok([postings.finish()?, positions.finish()?])
    }
}
