//! `boardprint dedup`: each game once.

mod database;
mod output;
mod progress;

use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
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

use self::database::{Against, Stored};
use self::output::{Output, Records, check, clean_on_interrupt};
use self::progress::Meter;
use crate::args::{InputArgs, format_parser};
use crate::database::collisions;
use crate::problem::Problem;
use crate::report::{Report, Status, Usage};
use crate::visible::visible_line;

/// Each game of a collection once
///
/// Tags, comments, variations, clocks, marks, results, spelling, dialect and file format never matter. Records are written as they
/// were read, in the order in which they were read. Games that cannot be read are reported and kept apart.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boardprint dedup games.pgn -o unique.pgn\n  \
    boardprint dedup old/ new.icn.zst -o all.icn --duplicates copies.icn --report copies.jsonl\n  \
    boardprint dedup games.pgn --by prefix --keep richest --merge-tags -o unique.pgn\n  \
    boardprint dedup week.pgn --db boardprint.db -o new.pgn\n  \
    boardprint dedup uploads/ --paranoid -o unique.icn\n  \
    zstdcat games.icn.zst | boardprint dedup - --to icn --style compact")]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// When two games are one
    #[arg(long, value_enum, default_value_t = By::Game)]
    by: By,

    /// Which of equal games stays; by prefix the longer one always does
    #[arg(long, value_enum, default_value_t = Keep::First)]
    keep: Keep,

    /// Games with fewer half-moves are one only if players and date agree as well
    #[arg(long, value_name = "N", default_value_t = 10)]
    min_plies: u32,

    /// How sure a copy must be to go; what is less sure stays and is reported
    #[arg(long, value_name = "CONFIDENCE", value_enum, default_value_t = Confidence::Likely)]
    min_confidence: Confidence,

    /// Gives the game that stays the tags that only its copies have
    #[arg(long)]
    merge_tags: bool,

    /// Compares games themselves, not only their hashes, before one is dropped: for games of hostile origin
    #[arg(long)]
    paranoid: bool,

    /// Drops what this database holds, too: what stays is new
    #[arg(long, value_name = "DIR")]
    db: Option<PathBuf>,

    /// Writes games to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Writes dropped copies to this file
    #[arg(long, value_name = "FILE")]
    duplicates: Option<PathBuf>,

    /// Writes records that are no good games to this file
    #[arg(long, value_name = "FILE")]
    rejects: Option<PathBuf>,

    /// Writes one JSON object for each pair to this file: `game`, `kept`, `dropped`, `by`, `confidence`, `reason`
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    /// Writes games in this form instead of their own text
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    to: Option<Format>,

    /// How to write ICN
    #[arg(long, value_name = "STYLE", value_parser = style_parser(), requires = "to")]
    style: Option<Style>,

    /// How many threads work; as many as there are cores unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum By {
    /// Same laws, start and moves
    Game,
    /// Same start and moves, laws aside
    Moves,
    /// Same final position after the same number of half-moves
    Final,
    /// One continues the other: a truncated copy goes
    Prefix,
}

#[derive(Clone, Copy, ValueEnum)]
enum Keep {
    /// The first in input order
    First,
    /// The longest, then the first
    Longest,
    /// The one with most tags, ratings, clocks and comments, then the first
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
    if args.style.is_some() && args.to != Some(Format::Icn) {
        return Err(Usage("--style goes with --to icn".to_owned()).into());
    }
    let reading = &args.input.reading;
    let options = reading.read_options()?;
    let stored = args.db.as_deref().map(|folder| Stored::open(folder, reading, args.paranoid)).transpose()?;
    let profile = stored.as_ref().map_or(Profile::Plain, Stored::profile);
    let games = Against::new(Collection::new(options).profile(profile), stored);
    clean_on_interrupt()?;
    let mut sink = Writing::new(args)?;
    let reading = args.input.reading.reader_options();
    let outcome = dedup::run(&args.input.inputs(), &reading, &args.options(), &games, &mut sink);
    sink.meter.end();
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
    meter: Meter,
    /// How many records are not UTF-8, and what they are.
    recoded: u64,
    encodings: BTreeSet<Encoding>,
    /// How many games have the hash of another.
    collisions: u64,
}

impl<'a> Writing<'a> {
    fn new(args: &'a Args) -> Result<Self> {
        let stdout = Path::new("-");
        let named = [Some(args.output.as_deref().unwrap_or(stdout)), args.duplicates.as_deref()];
        let others = [args.rejects.as_deref(), args.report.as_deref()];
        let outputs: Vec<&Path> = named.into_iter().chain(others).flatten().collect();
        let inputs: Vec<&Path> = args.input.paths().collect();
        check(&outputs, &inputs)?;
        let create = |path: &Option<PathBuf>| path.as_deref().map(Output::create).transpose();
        let reading = args.input.reading.read_options()?;
        // Results that scroll by are progress enough.
        let scrolls = outputs.contains(&stdout) && io::stdout().is_terminal();
        Ok(Writing {
            args,
            collection: Collection::new(reading.clone()),
            reading,
            games: Records::new(create(&args.output)?.unwrap_or_else(Output::stdout)),
            copies: create(&args.duplicates)?.map(Records::new),
            rejects: create(&args.rejects)?.map(Records::new),
            pairs: create(&args.report)?,
            report: Report::new(false),
            meter: Meter::new(io::stderr().is_terminal() && !scrolls),
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
            serde_json::to_writer(&mut *pairs, pair).map_err(io::Error::from)?;
            pairs.write_all(b"\n")?;
        }
        Ok(())
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
                "note: {} {are} no UTF-8; read as {} and written as UTF-8",
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
            self.report.talk(&collisions(summary.collisions, "game", "not dropped for it"));
        }
        self.report.talk(&sentence(summary));
        self.report.finish()
    }
}

impl Sink for Writing<'_> {
    type Error = anyhow::Error;

    fn begin(&mut self, pass: Pass, progress: Progress) {
        self.meter.begin(pass, progress);
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
                Err(problem) => self.meter.aside(|| self.report.bad_record(record, &problem.on(record)))?,
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
            self.meter.aside(|| self.report.talk(&text));
        }
        Ok(())
    }

    fn reject(&mut self, reject: Reject<'_>) -> Result<()> {
        match reject {
            Reject::Read(error) => self.meter.aside(|| self.report.unread(error)),
            Reject::Game(record, error) => {
                if let Some(rejects) = &mut self.rejects {
                    rejects.write_own(record)?;
                }
                let problem = Problem::from(error.clone()).on(record);
                self.meter.aside(|| self.report.bad_record(record, &problem))
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

/// What happened, in one line.
fn sentence(summary: &Summary) -> String {
    let count = |n: u64, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
    let mut parts = vec![count(summary.kept, "stays", "stay")];
    let sure = [(summary.certain, "certain"), (summary.likely, "likely"), (summary.doubtful, "doubtful")];
    let sure: Vec<String> =
        sure.iter().filter(|(n, _)| *n > 0).map(|(n, name)| format!("{n} {name}")).collect();
    let copies = count(summary.dropped(), "copy goes", "copies go");
    parts.push(if sure.is_empty() { copies } else { format!("{copies} ({})", sure.join(", ")) });
    if summary.doubts > 0 {
        parts.push(count(
            summary.doubts,
            "of those that stay may be a copy",
            "of those that stay may be copies",
        ));
    }
    if summary.rejected > 0 {
        parts.push(count(summary.rejected, "is bad", "are bad"));
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
