//! `boardprint check`: what is wrong with a collection.

mod filter;
mod fix;
mod picture;
mod verdict;

use std::collections::BTreeMap;

use annotate_snippets::Level;
use anyhow::Result;
use boardprint_games::{Content, Finding, ReadOptions, Record, WarningKind};
use boardprint_rules::pieces::PieceTable;

use self::filter::{Filter, Sieve};
use self::fix::{FixArgs, Fixer};
use self::picture::picture;
use self::verdict::Judged;
use crate::args::InputArgs;
use crate::interrupt::end_on_interrupt;
use crate::problem::Problem;
use crate::report::{Report, Status, result_renderer};
use crate::source::for_each_record_quietly;
use crate::visible::visible_line;

/// Check a collection, and print nothing if all is well
///
/// Looks for syntax errors, illegal moves, wrong marks, results that the board contradicts, and more. Kinds
/// of findings are in brackets after the message.
#[derive(clap::Args)]
#[command(
    visible_alias = "validate",
    after_help = "Examples:\n  \
    boardprint check games.icn\n  \
    boardprint check --only illegal-move --json games/\n  \
    boardprint check --ignore warnings,useless-right games.icn.zst\n  \
    boardprint check --fix games.icn -o mended.icn\n  \
    boardprint check -e 'K5,1|R8,1|P8,2|k5,8 8,1>8,9'"
)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    filter: Filter,

    #[command(flatten)]
    fix: FixArgs,

    /// Print one JSON object per record, with `ok`, `legal`, `first_illegal_ply`, `conclusion`, `findings`,
    /// and `more` and `repairs` where there are any
    #[arg(long)]
    json: bool,

    /// Draw no boards
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
    let options = args.input.reading.read_options()?.keep_marks(true);
    let table = args.input.reading.piece_table()?;
    let mut summary = Summary::default();
    let inputs: Vec<_> = args.input.paths().collect();
    let mut fixer = args.fix.fixer(&inputs)?;
    end_on_interrupt()?;
    for_each_record_quietly(&args.input, &mut report, |record, report| {
        let mut sieve = args.filter.sieve();
        let judged = judge(&options, &table, record, &mut sieve, fixer.as_ref());
        match (&mut fixer, &judged.repaired) {
            (Some(fixer), Some(repaired)) => {
                if let Err(problem) = fixer.write(record, repaired)? {
                    return Ok(Err(problem));
                }
            }
            (Some(fixer), None) => fixer.keep(record)?,
            (None, _) => {}
        }
        summary.count(&sieve);
        if !sieve.counts().is_empty() {
            report.raise(Status::BadRecords);
        }
        if report.is_json() {
            report.object(&judged.object(&sieve))?;
        } else {
            for repair in judged.repaired.iter().flat_map(|repaired| &repaired.repairs) {
                let line = format!("{}: {repair} [mended {}]", record.name(), repair.finding.kind.name());
                report.line(&*visible_line(&line))?;
            }
            for finding in &judged.verdict.findings {
                show(&judged, finding, report)?;
                let scene = if args.no_board { None } else { picture(&options, &judged, finding) };
                if let Some(scene) = scene {
                    let board = boardprint_render::text::write(&scene, Report::text_options());
                    report.line(board.trim_end())?;
                }
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
    if let Some(fixer) = fixer {
        let (mended, s) = (fixer.mended, if fixer.mended == 1 { "" } else { "s" });
        fixer.finish()?;
        report.talk(&format!("mended {mended} record{s}"));
    }
    report.finish()
}

/// What is wrong with a record, as far as it is wanted, after what can be mended was.
fn judge<'a>(
    options: &ReadOptions,
    table: &PieceTable,
    record: &'a Record,
    sieve: &mut Sieve<'_>,
    fixer: Option<&Fixer>,
) -> Judged<'a> {
    let reading = match options.read(record) {
        Ok(reading) => reading,
        Err(error) => {
            let mut verdict = error.verdict();
            verdict.findings.retain(|finding| sieve.takes(finding.kind));
            return Judged { record, verdict, error: Some(error), content: None, repaired: None };
        }
    };
    let (mut content, mut repaired) = (reading.content, None);
    if let (Some(fixer), Content::Infinite(game)) = (fixer, &content) {
        let mended = fixer.mend(table, game);
        content = Content::Infinite(mended.game.clone());
        repaired = Some(mended);
    }
    let verdict = content.check_wanted(&reading.warnings, table, &mut |kind| sieve.takes(kind));
    Judged { record, verdict, error: None, content: Some(content), repaired }
}

/// What was found out about one record, for whoever answers for a database.
#[cfg(feature = "serve")]
pub(crate) struct JudgedRecord {
    /// As `check --json` writes it.
    pub(crate) object: verdict::VerdictObject,
    /// How many findings of each kind there are.
    pub(crate) counts: BTreeMap<&'static str, u64>,
}

/// Judges one record, read in this way, with these pieces; this many findings of a kind are told.
#[cfg(feature = "serve")]
pub(crate) fn judge_record(
    record: &Record,
    reading: &ReadOptions,
    table: &PieceTable,
    max_findings: u64,
) -> JudgedRecord {
    let filter = Filter::all(max_findings);
    let mut sieve = filter.sieve();
    let judged = judge(&reading.clone().keep_marks(true), table, record, &mut sieve, None);
    JudgedRecord { object: judged.object(&sieve), counts: sieve.counts().clone() }
}

/// Shows a finding to people, with its place in the text if it has one.
fn show(judged: &Judged<'_>, finding: &Finding, report: &mut Report) -> Result<()> {
    let ply = finding.ply.map(|ply| format!("ply {ply}: ")).unwrap_or_default();
    let Some(problem) = judged.problem(finding) else {
        let line = format!("{}: {ply}{} [{}]", judged.record.name(), finding.message, finding.kind);
        return report.line(&*visible_line(&line));
    };
    let is_warning = WarningKind::names().any(|name| name == finding.kind);
    let level = if is_warning { Level::WARNING } else { Level::ERROR };
    let problem = Problem { message: format!("{ply}{}", problem.message), ..problem };
    let drawn = problem.draw(judged.record, &level, &result_renderer());
    let (title, rest) = drawn.split_once('\n').unwrap_or((&drawn, ""));
    report.line(format!("{title} [{}]\n{rest}", finding.kind))
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
