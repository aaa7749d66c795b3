//! From the arguments to records, and from records to what they mean.

use anyhow::Result;
use boardprint_base::Game;
use boardprint_games::{Content, ReadOptions, Reading, Record, RecordError, Warning};
use boardprint_records::Reader;

use crate::args::{InputArgs, Ply};
use crate::problem::Problem;
use crate::report::Report;

/// Does something with every record; a bad one is reported and the rest go on.
pub(crate) fn for_each_record(
    input: &InputArgs,
    report: &mut Report,
    each: impl FnMut(&Record, &mut Report) -> Result<Result<(), Problem>>,
) -> Result<()> {
    each_record(input, report, false, each)
}

/// The same for a command that prints little, so that people see how far it is even where results go to the
/// terminal.
pub(crate) fn for_each_record_quietly(
    input: &InputArgs,
    report: &mut Report,
    each: impl FnMut(&Record, &mut Report) -> Result<Result<(), Problem>>,
) -> Result<()> {
    each_record(input, report, true, each)
}

fn each_record(
    input: &InputArgs,
    report: &mut Report,
    few_results: bool,
    mut each: impl FnMut(&Record, &mut Report) -> Result<Result<(), Problem>>,
) -> Result<()> {
    let reader = Reader::new(input.inputs()?, input.reading.reader_options());
    let progress = reader.progress();
    report.watch("reading", progress.clone(), few_results);
    let mut is_empty = true;
    for record in reader {
        is_empty = false;
        match record {
            Err(error) => report.unread(&error)?,
            Ok(record) => {
                if let Err(problem) = each(&record, report)? {
                    report.bad_record(&record, &problem.on(&record))?;
                }
            }
        }
    }
    report.stop_watching();
    report.skipped(progress.skipped());
    if is_empty {
        report.nothing_found();
    }
    Ok(())
}

/// Does something with what every record means. Its warnings have been shown.
pub(crate) fn for_each_content(
    input: &InputArgs,
    report: &mut Report,
    mut each: impl FnMut(&Record, Reading<'_>, &mut Report) -> Result<Result<(), Problem>>,
) -> Result<()> {
    let options = input.reading.read_options()?;
    for_each_record(input, report, |record, report| match options.read(record) {
        Ok(reading) => {
            report.warnings(record, &reading.warnings);
            each(record, reading, report)
        }
        Err(error) => Ok(Err(error.into())),
    })
}

/// The game of the open board that a record holds.
pub(crate) fn open_board_game(
    options: &ReadOptions,
    record: &Record,
) -> Result<(Game, Vec<Warning>), Problem> {
    let reading = options.read(record)?;
    if let Content::Infinite(game) = reading.content {
        return Ok((game, reading.warnings));
    }
    let problem = Problem::of_record(record, "this is not a position of the open board");
    Err(problem.hint("`boardprint convert --to icn` takes Western chess onto the open board; `--to cpn` takes any position"))
}

/// The position of a game that is meant.
pub(crate) fn position<'a>(record: &Record, content: &Content<'a>, ply: Ply) -> Result<Content<'a>, Problem> {
    match ply.of(content.plies()) {
        Some(ply) => Ok(content.at(ply)?),
        None => Err(content
            .at(usize::MAX)
            .map_or_else(RecordError::into, |_| Problem::of_record(record, "there is no such half-move"))),
    }
}
