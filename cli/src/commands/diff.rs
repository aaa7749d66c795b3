//! `boardprint diff`: whether two records are one, and where they part.

use anyhow::Result;
use boardprint_games::{
    Comparison, Content, Criterion, MoveDifference, NextMove, Profile, ReadOptions, Record, compare,
};
use boardprint_records::Reader;
use boardprint_render::{self as render, text};
use clap::builder::styling::{AnsiColor, Style as Ansi};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser as _};
use serde::Serialize;

use crate::args::InputArgs;
use crate::problem::Problem;
use crate::report::{RecordObject, Report, Status, Usage};
use crate::terminal;
use crate::visible::visible_line;

/// Compare two records: the same game or not, and where they part
///
/// Spelling, dialect and file format never matter. The exit status is 0 if the records are the same by the
/// criterion that was asked for, and 1 if they differ.
#[derive(clap::Args)]
#[command(
    visible_alias = "compare",
    after_help = "Examples:\n  \
    boardprint diff one.pgn two.pgn\n  \
    boardprint diff both.icn\n  \
    boardprint diff -e '1. e4 e5 2. Nf3' -e '1. e4 e5 2. Nc3'\n  \
    boardprint diff --by position one.pgn two.icn"
)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// Decide when two records are the same
    #[arg(long, value_name = "CRITERION", default_value = "game", value_parser = criterion_parser())]
    by: Criterion,

    /// Count castling rights and en passant when positions of finite games are compared
    #[arg(long)]
    rights: bool,

    /// Draw no board
    #[arg(long)]
    no_board: bool,

    /// Print one JSON object, with `same`, `criteria`, and what differs
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Line {
    records: [RecordObject; 2],
    same: bool,
    by: &'static str,
    criteria: Vec<&'static str>,
    tags: Vec<TagObject>,
    boards: Option<[&'static str; 2]>,
    laws: Option<[String; 2]>,
    start: bool,
    moves: Option<MovesObject>,
    result: Option<[Option<String>; 2]>,
}

#[derive(Serialize)]
struct TagObject {
    name: String,
    values: [Option<String>; 2],
}

/// Where moves part: the first half-move that only one has, or that differs.
#[derive(Serialize)]
struct MovesObject {
    ply: usize,
    moves: [Option<String>; 2],
    plies: [usize; 2],
}

pub(crate) fn run(args: &Args) -> Result<Status> {
    let mut report = Report::new(args.json);
    let Some([a, b]) = two_records(args, &mut report)? else { return report.finish() };
    let options = args.input.reading.read_options()?;
    let (Some(first), Some(second)) =
        (content(&options, &a, &mut report)?, content(&options, &b, &mut report)?)
    else {
        return report.finish();
    };
    let profile = if args.rights { Profile::Rights } else { Profile::Plain };
    let found = compare(&first, &second, profile);
    let same = found.is_same(args.by);
    if !same {
        report.raise(Status::BadRecords);
    }
    if args.json {
        report.object(&line(args, &found, [&a, &b], [&first, &second]))?;
    } else {
        Printing { args, found: &found, records: [&a, &b], contents: [&first, &second] }
            .print(&mut report)?;
    }
    report.finish()
}

/// The two records that are compared. Nothing if one of them cannot be read, which has been said.
fn two_records(args: &Args, report: &mut Report) -> Result<Option<[Record; 2]>> {
    let mut records = Vec::new();
    for record in Reader::new(args.input.inputs()?, args.input.reading.reader_options()) {
        match record {
            Ok(record) => records.push(record),
            Err(error) => {
                report.unread(&error)?;
                return Ok(None);
            }
        }
        if records.len() > 2 {
            break;
        }
    }
    match <[Record; 2]>::try_from(records) {
        Ok(two) => Ok(Some(two)),
        Err(records) => {
            let found = match records.len() {
                0 => "there are none",
                1 => "there is only one",
                _ => "there are more",
            };
            Err(Usage(format!("diff compares two records, and {found}")).into())
        }
    }
}

fn content<'a>(
    options: &ReadOptions,
    record: &'a Record,
    report: &mut Report,
) -> Result<Option<Content<'a>>> {
    match options.read(record) {
        Ok(reading) => {
            report.warnings(record, &reading.warnings);
            Ok(Some(reading.content))
        }
        Err(error) => {
            report.bad_record(record, &Problem::from(error).on(record))?;
            Ok(None)
        }
    }
}

fn line(args: &Args, found: &Comparison, records: [&Record; 2], contents: [&Content<'_>; 2]) -> Line {
    let plies = contents.map(Content::plies);
    let moves = |ply: usize, moves: [Option<String>; 2]| Some(MovesObject { ply, moves, plies });
    let nth =
        |content: &Content<'_>, ply: usize| content.moves().nth(ply - 1).map(|played| played.to_string());
    Line {
        records: records.map(RecordObject::of),
        same: found.is_same(args.by),
        by: args.by.name(),
        criteria: found.criteria().iter().map(|criterion| criterion.name()).collect(),
        tags: found
            .tags
            .iter()
            .map(|tag| TagObject { name: tag.name.clone(), values: [tag.first.clone(), tag.second.clone()] })
            .collect(),
        boards: found.boards.map(|(a, b)| [a, b]),
        laws: found.laws.clone().map(|(a, b)| [a, b]),
        start: found.start,
        moves: match &found.moves {
            MoveDifference::FirstGoesOn { common, .. } => {
                moves(common + 1, [nth(contents[0], common + 1), None])
            }
            MoveDifference::SecondGoesOn { common, .. } => {
                moves(common + 1, [None, nth(contents[1], common + 1)])
            }
            MoveDifference::At { ply, first, second } => {
                moves(*ply, [Some(first.to_string()), Some(second.to_string())])
            }
            _ => None,
        },
        result: found.result.map(|(a, b)| [a, b].map(|result| result.map(|result| result.to_string()))),
    }
}

/// The answer for people.
struct Printing<'a> {
    args: &'a Args,
    found: &'a Comparison,
    records: [&'a Record; 2],
    contents: [&'a Content<'a>; 2],
}

impl Printing<'_> {
    fn print(&self, report: &mut Report) -> Result<()> {
        report.sentence(self.verdict())?;
        let [first, second] = self.records.map(Record::name);
        // Two texts of the command line have one name.
        let [a, b] =
            if first == second { ["first".to_owned(), "second".to_owned()] } else { [first, second] };
        for (index, name) in [a, b].iter().enumerate() {
            report.line(format!("  {} {}", sign(index), visible_line(name)))?;
        }
        let found = self.found;
        if let Some((a, b)) = found.boards {
            Self::pair(report, "board", Some(a), Some(b))?;
        }
        if let Some((a, b)) = &found.laws {
            let shown = |laws: &String| if laws.is_empty() { "the default".to_owned() } else { laws.clone() };
            Self::pair(report, "laws", Some(&shown(a)), Some(&shown(b)))?;
        }
        if found.start && found.boards.is_none() {
            report.line("start: the positions before the first move differ")?;
        }
        self.moves(report)?;
        if let Some((a, b)) = found.result {
            let words = [a, b].map(|result| result.map(|result| result.to_string()));
            Self::pair(report, "result", words[0].as_deref(), words[1].as_deref())?;
        }
        for tag in &found.tags {
            Self::pair(report, &format!("tag {}", tag.name), tag.first.as_deref(), tag.second.as_deref())?;
        }
        Ok(())
    }

    fn verdict(&self) -> String {
        let (by, found) = (self.args.by, self.found);
        if found.is_same(by) {
            return paint(&format!("same by {by}: {}", by.about()), AnsiColor::Green);
        }
        let different = paint(&format!("different by {by}"), AnsiColor::Red);
        match found.criteria().first() {
            Some(other) => format!("{different}; same by {other}: {}", other.about()),
            None => different,
        }
    }

    /// Two values that differ.
    fn pair(report: &mut Report, what: &str, a: Option<&str>, b: Option<&str>) -> Result<()> {
        report.line(format!("{}:", visible_line(what)))?;
        for (index, value) in [a, b].into_iter().enumerate() {
            report.line(format!("  {} {}", sign(index), value.map_or("–".into(), visible_line)))?;
        }
        Ok(())
    }

    fn moves(&self, report: &mut Report) -> Result<()> {
        let half_moves = |count: usize| format!("{count} half-move{}", if count == 1 { "" } else { "s" });
        let (ply, played) = match &self.found.moves {
            MoveDifference::At { ply, first, second } => {
                let [a, b] =
                    [(0, first), (1, second)].map(|(index, played)| self.spelled(index, *ply, played));
                Self::pair(report, &format!("half-move {ply}"), Some(&a), Some(&b))?;
                (*ply, [Some(&**first), Some(&**second)])
            }
            MoveDifference::FirstGoesOn { common, more } => {
                report.line(format!(
                    "moves: {} is the beginning; {} goes on for {}",
                    sign(1),
                    sign(0),
                    half_moves(*more)
                ))?;
                (common + 1, [None, None])
            }
            MoveDifference::SecondGoesOn { common, more } => {
                report.line(format!(
                    "moves: {} is the beginning; {} goes on for {}",
                    sign(0),
                    sign(1),
                    half_moves(*more)
                ))?;
                (common + 1, [None, None])
            }
            _ => return Ok(()),
        };
        if self.args.no_board || self.found.start || self.found.boards.is_some() {
            return Ok(());
        }
        self.board(ply, played, report)
    }

    /// The board where the moves part, with both moves as arrows on it.
    fn board(&self, ply: usize, played: [Option<&NextMove>; 2], report: &mut Report) -> Result<()> {
        let content = self.contents[0];
        let Ok(before) = content.at(ply - 1) else { return Ok(()) };
        let last = (ply > 1).then(|| content.moves().nth(ply - 2)).flatten();
        let Ok(mut board) = render::diagram(&before, last.as_ref()) else { return Ok(()) };
        for played in played.into_iter().flatten() {
            if let NextMove::Infinite(played) = played {
                board = board.arrow(played.from.clone(), played.to.clone());
            }
        }
        // A picture that is too large is no reason to fail.
        let Ok(diagram) = board.build() else { return Ok(()) };
        report.line(format!(
            "the position before it:\n{}",
            text::write(&diagram, Report::text_options()).trim_end()
        ))
    }

    /// A move as players write it, where the position is known.
    fn spelled(&self, index: usize, ply: usize, played: &NextMove) -> String {
        let before = self.contents[index].at(ply - 1).ok();
        crate::commands::moves_text::spelled(played, before.as_ref())
    }
}

/// How the two records are told apart.
fn sign(index: usize) -> String {
    if index == 0 { paint("-", AnsiColor::Red) } else { paint("+", AnsiColor::Green) }
}

fn paint(text: &str, colour: AnsiColor) -> String {
    if !terminal::colours_results() {
        return text.to_owned();
    }
    let style = Ansi::new().fg_color(Some(colour.into())).bold();
    format!("{style}{text}{style:#}")
}

fn criterion_parser() -> impl clap::builder::TypedValueParser<Value = Criterion> {
    let values = Criterion::ALL.map(|criterion| {
        let (first, rest) = criterion.about().split_at(1);
        PossibleValue::new(criterion.name()).help(first.to_uppercase() + rest)
    });
    PossibleValuesParser::new(values)
        .map(|name| name.parse::<Criterion>().expect("only names of criteria are possible"))
}
