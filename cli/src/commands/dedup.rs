//! `boardprint dedup`: each game once.

mod database;

use std::collections::BTreeSet;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use boardprint_dedup::{
    self as dedup, Collection, DedupError, DedupOptions, Pair, Pass, Place, Reject, Sink, Summary,
};
use boardprint_games::{Encoding, Format, Profile, ReadOptions, Record, WriteOptions};
use boardprint_icn::Style;
use boardprint_records::Progress;
use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use serde::Serialize;

use self::database::{Against, Stored};
use crate::args::{InputArgs, format_parser};
use crate::database::{WaitArg, collisions, number};
use crate::interrupt::end_on_interrupt;
use crate::output::{Output, Records, check};
use crate::problem::Problem;
use crate::report::{Report, Status, Usage, write_object};
use crate::visible::visible_line;

/// Remove duplicate games from a collection
///
/// Tags, comments, variations, clocks, marks, results, spelling, dialect and file format never matter.
/// Records are written as they were read, in the order in which they were read; a name that ends in .gz or
/// .zst is compressed. Games that cannot be read are reported and kept apart.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boardprint dedup games.pgn -o unique.pgn\n  \
    boardprint dedup old/ new.icn.zst -o all.icn --report pairs.jsonl\n  \
    boardprint dedup games.pgn --by prefix --merge-tags -o unique.pgn\n  \
    boardprint dedup week.pgn --db boardprint.db -o new.pgn\n  \
    boardprint dedup games.pgn games.icn --by moves --across -o unique.pgn\n  \
    boardprint dedup uploads/ --paranoid -o unique.icn\n  \
    boardprint dedup games.pgn --dry-run --json\n  \
    zstdcat games.icn.zst | boardprint dedup --to icn --style compact")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// Decide when two games are one
    #[arg(long, value_enum, default_value_t = By::Game)]
    by: By,

    /// Compare a game of the open board that is one of Western chess with Western games, by moves or final
    /// position
    #[arg(long)]
    across: bool,

    /// Choose which of equal games to keep; by prefix the longer one is always kept
    #[arg(long, value_enum, default_value_t = Keep::First)]
    keep: Keep,

    /// Treat games with fewer half-moves as one only if players and date agree as well
    #[arg(long, value_name = "N", default_value_t = 10)]
    min_plies: u32,

    /// Remove duplicates that are at least this sure; the others are kept and reported
    #[arg(long, value_name = "CONFIDENCE", value_enum, default_value_t = Confidence::Likely)]
    min_confidence: Confidence,

    /// Give each kept game the tags that only its duplicates have
    #[arg(long)]
    merge_tags: bool,

    /// Compare games themselves, not only their hashes, before one is removed: for games of hostile origin
    #[arg(long)]
    paranoid: bool,

    /// Remove games that this database holds, too: the remaining games are new
    #[arg(long, value_name = "DIR")]
    db: Option<PathBuf>,

    #[command(flatten)]
    wait: WaitArg,

    /// Write games to this file instead of standard output; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Write removed duplicates to this file
    #[arg(long, value_name = "FILE")]
    duplicates: Option<PathBuf>,

    /// Write records that cannot be read as games to this file
    #[arg(long, value_name = "FILE")]
    rejects: Option<PathBuf>,

    /// Write one JSON object for each pair to this file: `game`, `kept`, `dropped`, `by`, `confidence`,
    /// `reason`
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    /// Write games in this format instead of their own text
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    to: Option<Format>,

    /// Write ICN in this style
    #[arg(long, value_name = "STYLE", value_parser = style_parser(), requires = "to")]
    style: Option<Style>,

    /// Use this many threads; one per core unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Write no file; say what would be written
    #[arg(long)]
    dry_run: bool,

    /// Print one JSON object per pair, bad record and, last, the sums; games go to -o
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum By {
    /// Same laws, start and moves
    Game,
    /// Same start and moves, laws aside
    Moves,
    /// Same final position after the same number of half-moves
    Final,
    /// One continues the other: a truncated copy is removed
    Prefix,
}

#[derive(Clone, Copy, ValueEnum)]
enum Keep {
    /// The first in input order
    First,
    /// The longest, then the first
    Longest,
    /// The one with the most tags, ratings, clocks and comments, then the first
    Richest,
}

#[derive(Clone, Copy, ValueEnum)]
enum Confidence {
    /// Short games of other players
    Doubtful,
    /// The moves agree over 20 half-moves or more, or neither game names its players
    Likely,
    /// Moves and players agree
    Certain,
}

pub(crate) fn run(args: &Args) -> Result<Status> {
    if args.db.is_some() && !matches!(args.by, By::Game | By::Prefix) {
        return Err(
            Usage("a database knows whole games: --db goes with --by game or prefix".to_owned()).into()
        );
    }
    if args.json && args.output.is_none() && !args.dry_run {
        return Err(
            Usage("--json prints to standard output: name a file for the games with -o".to_owned()).into()
        );
    }
    if args.across && !matches!(args.by, By::Moves | By::Final) {
        let reason = "the laws of the open board differ: --across goes with --by moves or final";
        return Err(Usage(reason.to_owned()).into());
    }
    if args.style.is_some() && args.to != Some(Format::Icn) {
        return Err(Usage("--style goes with --to icn".to_owned()).into());
    }
    let reading = &args.input.reading;
    let options = reading.read_options()?;
    let open = |folder| Stored::open(folder, args.wait.duration(), reading, args.options(), args.paranoid);
    let stored = args.db.as_deref().map(open).transpose()?;
    let profile = stored.as_ref().map_or(Profile::Plain, Stored::profile);
    let games = Against::new(Collection::new(options).profile(profile).across(args.across), stored);
    end_on_interrupt()?;
    let mut sink = Writing::new(args)?;
    let reading = args.input.reading.reader_options();
    let outcome = dedup::run(&args.input.inputs()?, &reading, &args.options(), &games, &mut sink);
    sink.report.stop_watching();
    games.finish()?;
    let summary = outcome.map_err(|error| match error {
        DedupError::Sink(error) => error,
        other => anyhow!("{other}"),
    })?;
    sink.finish(&summary)
}

impl Args {
    fn options(&self) -> DedupOptions {
        DedupOptions::default()
            .by(self.by.into())
            .keep(self.keep.into())
            .min_plies(self.min_plies)
            .min_confidence(self.min_confidence.into())
            .merge_tags(self.merge_tags)
            .paranoid(self.paranoid)
            .threads(self.threads.map_or(0, usize::from))
    }
}

/// Takes results and writes them down.
struct Writing<'a> {
    args: &'a Args,
    reading: ReadOptions,
    collection: Collection,
    games: Records,
    copies: Option<Records>,
    rejects: Option<Records>,
    pairs: Option<Output>,
    report: Report,
    /// The reading of the input, the last time it was read.
    progress: Progress,
    /// How many records are not UTF-8, and what they are.
    recoded: u64,
    encodings: BTreeSet<Encoding>,
    /// How many games have the hash of another.
    collisions: u64,
}

impl<'a> Writing<'a> {
    fn new(args: &'a Args) -> Result<Self> {
        let stdout = Path::new(Output::STDOUT);
        let games = args.output.as_deref().unwrap_or(stdout);
        let named = [(!args.dry_run).then_some(games), args.duplicates.as_deref()];
        let others = [args.rejects.as_deref(), args.report.as_deref(), args.json.then_some(stdout)];
        let outputs: Vec<&Path> = named.into_iter().chain(others).flatten().collect();
        let inputs: Vec<&Path> = args.input.paths().collect();
        check(&outputs, &inputs)?;
        let open = |path: &Path| if args.dry_run { Ok(Output::nowhere()) } else { Output::create(path) };
        let create = |path: &Option<PathBuf>| path.as_deref().map(open).transpose();
        let reading = args.input.reading.read_options()?;
        Ok(Writing {
            args,
            collection: Collection::new(reading.clone()),
            reading,
            games: Records::new(open(games)?),
            copies: create(&args.duplicates)?.map(Records::new),
            rejects: create(&args.rejects)?.map(Records::new),
            pairs: create(&args.report)?,
            report: Report::new(args.json),
            progress: Progress::default(),
            recoded: 0,
            encodings: BTreeSet::new(),
            collisions: 0,
        })
    }

    /// The record in the form that was asked for.
    fn convert(&self, to: Format, record: &Record, tags: &[(String, String)]) -> Result<String, Problem> {
        let mut content = self.reading.read(record)?.content;
        content.add_tags(tags);
        let options = WriteOptions::default().style(self.args.style.unwrap_or(Style::Compact));
        Ok(content.write(to, &options)?.text)
    }

    fn pair(&mut self, pair: &Pair) -> Result<()> {
        if let Some(pairs) = &mut self.pairs {
            write_object(pairs, pair)?;
        }
        if self.report.is_json() { self.report.object(pair) } else { Ok(()) }
    }

    /// Gives the files their names and says how it went.
    fn finish(mut self, summary: &Summary) -> Result<Status> {
        let formats = self.games.formats().to_vec();
        self.games.finish()?;
        for records in [self.copies, self.rejects].into_iter().flatten() {
            records.finish()?;
        }
        self.pairs.map_or(Ok(()), Output::finish)?;
        if self.recoded > 0 {
            let are = if self.recoded == 1 { "record is" } else { "records are" };
            let names: Vec<&str> = self.encodings.iter().map(|encoding| encoding.name()).collect();
            self.report.talk(&format!(
                "note: {} {are} not UTF-8; read as {} and written as UTF-8",
                self.recoded,
                names.join(" or ")
            ));
        }
        if formats.len() > 1 {
            let names: Vec<&str> = formats.iter().map(|format| format.name()).collect();
            self.report
                .talk(&format!("note: the output holds records of several formats: {}", names.join(", ")));
        }
        if summary.collisions > 0 {
            self.report.talk(&collisions(summary.collisions, "game", "kept"));
        }
        self.report.skipped(self.progress.skipped());
        if summary.records == 0 {
            self.report.nothing_found();
        } else {
            let sentence = sentence(summary);
            let dry = if self.args.dry_run { "; nothing was written" } else { "" };
            self.report.talk(&format!("{sentence}{dry}"));
        }
        if self.report.is_json() {
            self.report.object(&SummaryObject { summary: summary.into(), dry_run: self.args.dry_run })?;
        }
        self.report.finish()
    }
}

impl Sink for Writing<'_> {
    type Error = anyhow::Error;

    fn begin(&mut self, pass: Pass, progress: Progress) {
        // Games that scroll by are progress enough.
        let games_on_terminal =
            self.args.output.is_none() && !self.args.dry_run && io::stdout().is_terminal();
        self.report.watch(name_of_pass(pass), progress.clone(), !games_on_terminal);
        self.progress = progress;
    }

    fn keep(&mut self, record: &Record, tags: &[(String, String)]) -> Result<()> {
        if record.encoding != Encoding::Utf8 {
            self.recoded += 1;
            self.encodings.insert(record.encoding);
        }
        match self.args.to {
            None if tags.is_empty() => self.games.write_own(record)?,
            None => self.games.write(record.format, &self.collection.with_tags(record, tags))?,
            Some(to) => match self.convert(to, record, tags) {
                Ok(text) => self.games.write(to, &text)?,
                Err(problem) => self.report.bad_record(record, &problem.on(record))?,
            },
        }
        Ok(())
    }

    fn duplicate(&mut self, record: &Record, pair: &Pair) -> Result<()> {
        if let Some(copies) = &mut self.copies {
            copies.write_own(record)?;
        }
        self.pair(pair)
    }

    fn doubt(&mut self, pair: &Pair) -> Result<()> {
        self.pair(pair)
    }

    fn collide(&mut self, game: &Place, other: &Place) -> Result<()> {
        self.collisions += 1;
        if self.collisions <= SHOWN_COLLISIONS {
            let text = format!("warning: {} has the hash of {} and differs", name(game), name(other));
            self.report.talk(&text);
        }
        Ok(())
    }

    fn reject(&mut self, reject: Reject<'_>) -> Result<()> {
        match reject {
            Reject::Read(error) => self.report.unread(error),
            Reject::Game(record, error) => {
                if let Some(rejects) = &mut self.rejects {
                    rejects.write_own(record)?;
                }
                self.report.bad_record(record, &Problem::from(error.clone()).on(record))
            }
        }
    }
}

/// How many collisions are told one by one; all are counted.
const SHOWN_COLLISIONS: u64 = 3;

/// A game as errors name it: `games.pgn:12`.
fn name(place: &Place) -> String {
    let number = place.line.or(place.record).map(|number| format!(":{number}")).unwrap_or_default();
    format!("{}{number}", visible_line(&place.path))
}

/// What is being done, as it reads after "interrupted while".
fn name_of_pass(pass: Pass) -> &'static str {
    match pass {
        Pass::Only => "reading",
        Pass::Compare => "comparing games",
        Pass::Tags => "collecting tags",
        Pass::Write => "writing",
    }
}

/// The sums as the last object of the output.
#[derive(Serialize)]
struct SummaryObject {
    summary: Sums,
    dry_run: bool,
}

#[derive(Serialize)]
struct Sums {
    records: u64,
    kept: u64,
    removed: u64,
    certain: u64,
    likely: u64,
    doubtful: u64,
    possible: u64,
    rejected: u64,
    collisions: u64,
}

impl From<&Summary> for Sums {
    fn from(summary: &Summary) -> Self {
        Sums {
            records: summary.records,
            kept: summary.kept,
            removed: summary.dropped(),
            certain: summary.certain,
            likely: summary.likely,
            doubtful: summary.doubtful,
            possible: summary.doubts,
            rejected: summary.rejected,
            collisions: summary.collisions,
        }
    }
}

/// What happened, in one line.
fn sentence(summary: &Summary) -> String {
    let count = |n: u64, one: &str, many: &str| format!("{} {}", number(n), if n == 1 { one } else { many });
    let sure = [(summary.certain, "certain"), (summary.likely, "likely"), (summary.doubtful, "doubtful")];
    let sure: Vec<String> =
        sure.iter().filter(|(n, _)| *n > 0).map(|(n, name)| format!("{} {name}", number(*n))).collect();
    let mut parts = vec![format!("kept {}", number(summary.kept))];
    let removed = format!("removed {}", count(summary.dropped(), "duplicate", "duplicates"));
    parts.push(if sure.is_empty() { removed } else { format!("{removed} ({})", sure.join(", ")) });
    if summary.doubts > 0 {
        parts.push(count(
            summary.doubts,
            "of the kept games may be a duplicate",
            "of the kept games may be duplicates",
        ));
    }
    if summary.rejected > 0 {
        parts.push(count(summary.rejected, "could not be read", "could not be read"));
    }
    format!("{}: {}", count(summary.records, "record", "records"), parts.join(", "))
}

fn style_parser() -> impl clap::builder::TypedValueParser<Value = Style> {
    PossibleValuesParser::new(Style::ALL.map(Style::name)).map(|name| {
        let known = Style::ALL.into_iter().find(|style| style.name() == name);
        known.expect("only names of styles are possible")
    })
}

impl From<By> for dedup::By {
    fn from(by: By) -> Self {
        match by {
            By::Game => dedup::By::Game,
            By::Moves => dedup::By::Moves,
            By::Final => dedup::By::Final,
            By::Prefix => dedup::By::Prefix,
        }
    }
}

impl From<Keep> for dedup::Keep {
    fn from(keep: Keep) -> Self {
        match keep {
            Keep::First => dedup::Keep::First,
            Keep::Longest => dedup::Keep::Longest,
            Keep::Richest => dedup::Keep::Richest,
        }
    }
}

impl From<Confidence> for dedup::Confidence {
    fn from(confidence: Confidence) -> Self {
        match confidence {
            Confidence::Doubtful => dedup::Confidence::Doubtful,
            Confidence::Likely => dedup::Confidence::Likely,
            Confidence::Certain => dedup::Confidence::Certain,
        }
    }
}
