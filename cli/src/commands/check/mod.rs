//! `boardprint check`: what is wrong with a collection.

mod filter;
mod finite;
mod infinite;
mod verdict;

use std::collections::BTreeMap;

use annotate_snippets::{Level, Renderer};
use anyhow::Result;
use boardprint_games::{Content, ReadOptions, Reading, Record, WarningKind};
use boardprint_rules::pieces::PieceTable;

use self::filter::{Filter, Sieve};
use self::verdict::{Finding, Verdict};
use crate::args::InputArgs;
use crate::problem::Problem;
use crate::report::{Report, Status};
use crate::source::for_each_record;
use crate::visible::visible_line;

/// What is wrong with a collection; silent if all is well
///
/// Looks for syntax errors, illegal moves, wrong marks, results that the board contradicts, and more. Kinds of findings are in brackets
/// behind the message.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boardprint check games.icn\n  \
    boardprint check --only illegal-move --json games/\n  \
    boardprint check --ignore warnings,useless-right games.icn.zst\n  \
    boardprint check -e 'K5,1|R8,1|P8,2|k5,8 8,1>8,9'")]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    filter: Filter,

    /// One JSON object a record, with `ok`, `legal`, `first_illegal_ply`, `conclusion`, `findings`, and `more` by kind if there are
    #[arg(long)]
    json: bool,

    /// Draws no boards
    #[arg(long)]
    no_board: bool,
}

/// How many records there were, and what was wrong with them.
#[derive(Default)]
struct Summary {
    records: u64,
    bad: u64,
    kinds: BTreeMap<&'static str, u64>,
}

pub(crate) fn run(args: &Args) -> Result<Status> {
    let mut report = Report::new(args.json);
    let options = args.input.reading.read_options()?;
    let table = args.input.reading.piece_table()?;
    let mut summary = Summary::default();
    for_each_record(&args.input, &mut report, |record, report| {
        let mut sieve = args.filter.sieve();
        let verdict = judge(&options, &table, record, &mut sieve);
        summary.count(&sieve);
        if !sieve.counts().is_empty() {
            report.raise(Status::BadRecords);
        }
        if report.is_json() {
            report.object(&verdict.object(record, &sieve))?;
        } else {
            for finding in &verdict.findings {
                show(args, record, finding, report)?;
            }
            for (kind, count) in sieve.left_out() {
                report.line(format!("{}: {count} more [{kind}]", visible_line(&record.name())))?;
            }
        }
        Ok(Ok(()))
    })?;
    if summary.bad > 0 {
        report.talk(&summary.sentence());
    }
    report.finish()
}

fn judge(options: &ReadOptions, table: &PieceTable, record: &Record, sieve: &mut Sieve<'_>) -> Verdict {
    let mut verdict = match options.read(record) {
        Err(error) => finite::of_error(options, record, error),
        Ok(Reading { content: Content::Infinite(game), warnings, .. }) => {
            return infinite::judge(table, &game, &warnings, sieve);
        }
        Ok(Reading { content: Content::Finite(game), warnings, .. }) => finite::judge(&game, &warnings),
        // What reads is all that can be said about other boards.
        Ok(_) => Verdict::default(),
    };
    verdict.findings.retain(|finding| sieve.takes(finding.kind));
    verdict
}

/// Shows a finding to people: its place in the text, or the board where it happens.
fn show(args: &Args, record: &Record, finding: &Finding, report: &mut Report) -> Result<()> {
    let ply = finding.ply.map(|ply| format!("ply {ply}: ")).unwrap_or_default();
    if let Some(problem) = &finding.problem {
        let is_warning = WarningKind::names().any(|name| name == finding.kind);
        let level = if is_warning { Level::WARNING } else { Level::ERROR };
        let problem = Problem { message: format!("{ply}{}", problem.message), ..problem.clone() };
        let drawn = problem.draw(record, &level, &Renderer::plain().term_width(100));
        let (title, rest) = drawn.split_once('\n').unwrap_or((&drawn, ""));
        report.line(format!("{title} [{}]\n{rest}", finding.kind))?;
        return picture(args, finding, report);
    }
    let line = format!("{}: {ply}{} [{}]", record.name(), finding.message, finding.kind);
    report.line(&*visible_line(&line))?;
    picture(args, finding, report)
}

/// Draws the board where a finding happens.
fn picture(args: &Args, finding: &Finding, report: &mut Report) -> Result<()> {
    match &finding.picture {
        Some(scene) if !args.no_board => {
            let board = boardprint_render::text::write(scene, Report::text_options());
            report.line(board.trim_end())
        }
        _ => Ok(()),
    }
}

impl Summary {
    fn count(&mut self, sieve: &Sieve<'_>) {
        self.records += 1;
        self.bad += u64::from(!sieve.counts().is_empty());
        for (kind, count) in sieve.counts() {
            *self.kinds.entry(kind).or_default() += count;
        }
    }

    fn sentence(&self) -> String {
        let kinds: Vec<String> = self.kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        let records = if self.records == 1 { "record" } else { "records" };
        format!("{} of {} {records} with findings: {}", self.bad, self.records, kinds.join(", "))
    }
}
