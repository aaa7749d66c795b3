//! From records to games.

use anyhow::Result;
use boardprint_base::Game;
use boardprint_icn::Warning;
use boardprint_store::read::{Format, Options, Reader, Record};

use crate::args::{InputArgs, ReadingArgs};
use crate::problem::Problem;

/// The records of the command line.
pub(crate) fn records(input: &InputArgs) -> Reader {
    Reader::new(input.inputs(), Options::default().format(input.reading.from))
}

/// A game on the unbounded board, and what had to be interpreted to read it.
pub(crate) struct IcnGame {
    pub(crate) game: Game,
    pub(crate) warnings: Vec<Warning>,
}

/// Turns records into games.
pub(crate) struct Parser {
    icn: boardprint_icn::Options,
}

impl Parser {
    pub(crate) fn new(reading: &ReadingArgs) -> Result<Self> {
        Ok(Parser { icn: reading.icn_options(&reading.piece_table()?) })
    }

    /// The game of a record.
    pub(crate) fn game(&self, record: &Record) -> Result<IcnGame, Problem> {
        match record.format {
            Format::Icn => {
                let reading = self.icn.parse(&record.text)?;
                Ok(IcnGame { game: reading.game, warnings: reading.warnings })
            }
            other => Err(Problem {
                message: format!("{other} is not read here"),
                span: boardprint_base::Span::new(0, record.text.len()),
                also: None,
                hint: None,
            }),
        }
    }
}
