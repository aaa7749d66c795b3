//! Mending what can be mended without judgement.

use std::path::{Path, PathBuf};

use anyhow::Result;
use boardprint_base::Game;
use boardprint_games::{Content, Format, Record, WriteOptions};
use boardprint_icn::Style;
use boardprint_rules::findings::{Repair, RepairOptions, Repaired, repair};
use boardprint_rules::pieces::PieceTable;
use serde::Serialize;

use crate::output::{Output, Records};
use crate::problem::Problem;
use crate::report::Usage;

/// What is mended, and where the games go.
#[derive(clap::Args)]
pub(super) struct FixArgs {
    /// Mend what needs no judgement: promotion ranks that are swapped, marks that the board contradicts
    #[arg(long)]
    fix: bool,

    /// Mend results that the board contradicts as well; it may be the moves that are wrong
    #[arg(long, requires = "fix")]
    fix_results: bool,

    /// Write all records to this file, mended or not; compressed if its name ends in .gz or .zst
    #[arg(short, long, value_name = "FILE", requires = "fix")]
    output: Option<PathBuf>,

    /// Write no file; say what would be mended
    #[arg(long, requires = "fix")]
    dry_run: bool,
}

/// Mends records and writes them down.
pub(super) struct Fixer {
    options: RepairOptions,
    records: Records,
    /// How many records were changed.
    pub(super) mended: u64,
}

/// A repair as an object of the output.
#[derive(Serialize)]
pub(super) struct RepairObject {
    kind: &'static str,
    ply: Option<usize>,
    message: String,
    done: String,
}

impl FixArgs {
    /// The fixer, if one was asked for.
    pub(super) fn fixer(&self, inputs: &[&Path]) -> Result<Option<Fixer>> {
        if !self.fix {
            return Ok(None);
        }
        let output = match self.output.as_deref() {
            _ if self.dry_run => Output::nowhere(),
            Some(path) if path.as_os_str() != Output::STDOUT => {
                crate::output::check(&[path], inputs)?;
                Output::create(path)?
            }
            _ => {
                let message = "--fix needs a file for the games: name one with -o, or try --dry-run";
                return Err(Usage(message.to_owned()).into());
            }
        };
        let options = RepairOptions::default().result(self.fix_results);
        Ok(Some(Fixer { options, records: Records::new(output), mended: 0 }))
    }
}

impl Fixer {
    /// The game after its repair, with what was done.
    pub(super) fn mend(&self, table: &PieceTable, game: &Game) -> Repaired {
        let own = boardprint_games::piece_table(game);
        repair(own.unwrap_or(table), game, self.options)
    }

    /// Writes a record as it was.
    pub(super) fn keep(&mut self, record: &Record) -> Result<()> {
        Ok(self.records.write_own(record)?)
    }

    /// Writes a record that was mended, in its own format.
    pub(super) fn write(&mut self, record: &Record, repaired: &Repaired) -> Result<Result<(), Problem>> {
        if repaired.repairs.is_empty() {
            return self.keep(record).map(Ok);
        }
        self.mended += 1;
        // Positions in other formats have no moves, so there was nothing to mend.
        let format = if record.format == Format::Json { Format::Json } else { Format::Icn };
        let options = WriteOptions::default().style(Style::Compact);
        match Content::Infinite(repaired.game.clone()).write(format, &options) {
            Ok(written) => {
                self.records.write(format, &written.text)?;
                Ok(Ok(()))
            }
            Err(error) => Ok(Err(error.into())),
        }
    }

    pub(super) fn finish(self) -> Result<()> {
        self.records.finish()
    }
}

impl From<&Repair> for RepairObject {
    fn from(repair: &Repair) -> Self {
        RepairObject {
            kind: repair.finding.kind.name(),
            ply: repair.finding.ply,
            message: repair.finding.message.clone(),
            done: repair.done.clone(),
        }
    }
}
