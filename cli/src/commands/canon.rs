//! `boardprint canon`: canonical ICN.

use anyhow::Result;
use boardprint_games::Warning;
use boardprint_icn::canonical;
use serde::Serialize;

use crate::args::InputArgs;
use crate::problem::Places;
use crate::report::{RecordObject, Report, Status};
use crate::source::{for_each_record, open_board_game};

/// Print canonical ICN, one line per record
///
/// Two texts of the same game give the same line, whoever wrote them down. What had to be interpreted is
/// printed to standard error.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boardprint canon games.icn\n  \
    boardprint canon -e 'w 0/100 1 K05,1|k5,8 1. K5,1 > 5,2 {hm}'\n  \
    zstdcat games.icn.zst | boardprint canon --json")]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// Print one JSON object per record, with `canonical` and `warnings`
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Line {
    record: RecordObject,
    canonical: String,
    warnings: Vec<WarningObject>,
}

#[derive(Serialize)]
struct WarningObject {
    kind: &'static str,
    message: &'static str,
    line: u64,
    column: u64,
}

pub(crate) fn run(args: &Args) -> Result<Status> {
    let mut report = Report::new(args.json);
    let options = args.input.reading.read_options()?;
    for_each_record(&args.input, &mut report, |record, report| {
        let (game, warnings) = match open_board_game(&options, record) {
            Ok(read) => read,
            Err(problem) => return Ok(Err(problem)),
        };
        let canonical = canonical(&game);
        if report.is_json() {
            let mut places = Places::new(record);
            let warnings = warnings.iter().map(|warning| warning_object(&mut places, warning)).collect();
            report.object(&Line { record: RecordObject::of(record), canonical, warnings })?;
        } else {
            report.line(canonical)?;
            report.warnings(record, &warnings);
        }
        Ok(Ok(()))
    })?;
    report.finish()
}

fn warning_object(places: &mut Places<'_>, warning: &Warning) -> WarningObject {
    let (line, column) = places.of(warning.span().start);
    WarningObject { kind: warning.kind().name(), message: warning.kind().message(), line, column }
}
