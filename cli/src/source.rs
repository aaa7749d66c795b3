//! From records to games and positions.

use anyhow::Result;
use boardprint_base::replay::{ReplayError, position_at};
use boardprint_base::{Game, Position};
use boardprint_bridge::fen::{Fen, Game as FenGame};
use boardprint_bridge::list;
use boardprint_cpn::Cpn;
use boardprint_icn::{Reading, Warning};
use boardprint_store::read::{Format, Reader, Record};

use crate::args::{InputArgs, Ply, ReadingArgs};
use crate::problem::Problem;
use crate::report::Report;

/// What a record holds.
pub(crate) enum Content {
    /// A game or position of the infinite board.
    Infinite(Game),
    /// A board of another game.
    Board(Cpn),
    /// A position of a finite game.
    Finite(Fen),
}

/// Turns records into what they hold.
pub(crate) struct Parser {
    icn: boardprint_icn::ReadOptions,
    cpn: boardprint_cpn::Options,
    game: FenGame,
}

impl Parser {
    pub(crate) fn new(reading: &ReadingArgs) -> Result<Self> {
        Ok(Parser {
            icn: reading.icn_options(&reading.piece_table()?),
            cpn: boardprint_cpn::Options::default().free_names(reading.as_cpn_rb),
            game: reading.game,
        })
    }

    /// What a record holds, and what had to be interpreted to read it.
    pub(crate) fn content(&self, record: &Record) -> Result<(Content, Vec<Warning>), Problem> {
        let infinite = |reading: Reading| (Content::Infinite(reading.game), reading.warnings);
        let certain = |content: Content| (content, Vec::new());
        match record.format {
            Format::Icn => Ok(infinite(self.icn.parse(&record.text)?)),
            Format::Json => Ok(infinite(self.icn.parse_json(&record.text)?)),
            Format::Cpn => {
                let cpn = self.cpn.read(&record.text)?;
                if !list::is_list(&cpn) {
                    return Ok(certain(Content::Board(cpn)));
                }
                let start = list::from_cpn(&cpn)?;
                Ok(certain(Content::Infinite(Game { start, ..Game::default() })))
            }
            Format::Fen => Ok(certain(Content::Finite(Fen::read(self.game, &record.text)?))),
            Format::Sfen => Ok(certain(Content::Finite(Fen::read_sfen(&record.text)?))),
            Format::Pgn => Err(Problem::of_record(
                record,
                "this is a PGN game, and PGN has no infinite board; `dedup`, `import` and `check` read it",
            )),
        }
    }

    /// The game of the infinite board that a record holds.
    pub(crate) fn game(&self, record: &Record) -> Result<(Game, Vec<Warning>), Problem> {
        if let (Content::Infinite(game), warnings) = self.content(record)? {
            return Ok((game, warnings));
        }
        let problem = Problem::of_record(record, "this is no position of an infinite board");
        Err(problem.hint("finite games go to CPN, FEN and SFEN: `boardprint convert --to cpn`"))
    }
}

/// Does something with every record; a bad one is reported and the rest go on.
pub(crate) fn for_each_record(
    input: &InputArgs,
    report: &mut Report,
    mut each: impl FnMut(&Record, &mut Report) -> Result<Result<(), Problem>>,
) -> Result<()> {
    for record in Reader::new(input.inputs(), input.reading.read_options()) {
        match record {
            Err(error) => report.unread(&error)?,
            Ok(record) => {
                if let Err(problem) = each(&record, report)? {
                    report.bad_record(&record, &problem)?;
                }
            }
        }
    }
    Ok(())
}

/// The position of a game that is meant.
pub(crate) fn position(record: &Record, game: &Game, ply: Ply) -> Result<Position, Problem> {
    let Some(plies) = ply.of(game.moves.len()) else {
        let message = match ply {
            Ply::All => "one position is wanted, not all".to_owned(),
            _ => match game.moves.len() {
                0 => "this is a position without moves".to_owned(),
                1 => "the game has only one half-move".to_owned(),
                many => format!("the game has only {many} half-moves"),
            },
        };
        return Err(Problem::of_record(record, message));
    };
    position_at(game, plies).map_err(|error| unplayable(record, &error))
}

/// A game that cannot be replayed.
pub(crate) fn unplayable(record: &Record, error: &ReplayError) -> Problem {
    let mut problem = Problem::of_record(record, error.to_string());
    problem.hint = Some("`boardprint check` says what is wrong with the moves".to_owned());
    problem
}
