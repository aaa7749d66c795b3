//! `boardprint convert`: from one format to another.

use std::path::PathBuf;

use anyhow::Result;
use boardprint_bridge::Lost;
use boardprint_finite::Notation;
use boardprint_games::{Content, Format, GridArea, ReadOptions, Record, WriteOptions, Written};
use boardprint_icn::json::MoveForm;
use boardprint_icn::write::{Lost as LostByStyle, move_in};
use boardprint_icn::{Style, WriteOptions as IcnOptions, canonical_position};
use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use serde::Serialize;

use crate::args::{CpnArgs, InputArgs, Ply, format_parser};
use crate::output::{Output, Records, Separator};
use crate::problem::Problem;
use crate::report::{RecordObject, Report, Status, Usage};
use crate::source::{for_each_content, position};

/// Convert records to another format
///
/// What a format or style cannot carry is printed to standard error. Without --ply, formats of games get the
/// whole game, formats of positions its final position.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boardprint convert --to icn --style readable game.icn\n  \
    boardprint convert --to icn --style moderate --one-line game.icn -o one.icn\n  \
    boardprint convert --to json game.icn\n  \
    boardprint convert --to cpn --ply 10 game.icn\n  \
    boardprint convert --to pgn --notation chinese xiangqi.pgn\n  \
    boardprint convert --to kif game.csa\n  \
    boardprint convert --to cpn --grid -e 'K1,1|k3,3|Q2,2'\n  \
    boardprint convert --to icn --move 'P2,7 x 1,8 = Q' -e 'P2,7|r1,8'\n  \
    boardprint convert --to cpn --from sfen -e '4k4/9/9/9/9/9/9/9/4K4 b R2b 1'")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// Write this format
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    to: Format,

    /// Write ICN in this style
    #[arg(long, value_name = "STYLE", default_value = "canonical", value_parser = style_parser())]
    style: Style,

    /// Write ICN on one line, whatever the style
    #[arg(long)]
    one_line: bool,

    /// Write moves in JSON in this form
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Moves::Strings)]
    moves: Moves,

    /// Convert only this move, in the position that --ply names: any spelling of ICN, or SAN and UCI
    #[arg(long = "move", value_name = "MOVE", allow_hyphen_values = true)]
    one_move: Option<String>,

    /// Write the position after this many half-moves: a number, -1 for the last, `last` or `all`
    #[arg(long, value_name = "PLY", allow_negative_numbers = true)]
    ply: Option<Ply>,

    /// Draw a border around the squares of a Western game on the open board
    #[arg(long)]
    border: bool,

    /// Write CPN as a dense board: of all pieces, or of a window
    #[arg(long, value_name = "X0,Y0,X1,Y1", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    grid: Option<String>,

    /// Write moves in PGN in this notation
    #[arg(long, value_name = "NOTATION", value_parser = notation_parser())]
    notation: Option<Notation>,

    /// Write castling rights in FEN as the files of the rooks: `HAha` (Shredder-FEN)
    #[arg(long)]
    shredder: bool,

    #[command(flatten)]
    cpn: CpnArgs,

    /// Write to this file instead of standard output; compressed if its name ends in .gz or .zst
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Print one JSON object per text, with `record`, `ply`, `format`, `text` and `lost`
    #[arg(long, conflicts_with = "output")]
    json: bool,
}

/// How moves are written in JSON.
#[derive(Clone, Copy, ValueEnum)]
enum Moves {
    /// As strings
    Strings,
    /// As objects, the way programs wrote them until 2024
    Objects,
}

/// A text as an object of the output.
#[derive(Serialize)]
struct Line<'a> {
    record: RecordObject,
    ply: Option<usize>,
    format: &'static str,
    text: &'a str,
    lost: Vec<String>,
}

/// A record as text, and what the text does not carry.
struct Rendered {
    written: String,
    lost: Lost,
    by_style: LostByStyle,
}

impl From<Written> for Rendered {
    fn from(Written { text, lost }: Written) -> Self {
        Rendered { written: text, lost, by_style: LostByStyle::default() }
    }
}

/// Where texts go.
struct Writing<'a> {
    args: &'a Args,
    reading: ReadOptions,
    file: Option<Records>,
    /// What stands between the texts on standard output.
    separator: Separator,
}

pub(crate) fn run(args: &Args) -> Result<Status> {
    let mut report = Report::new(args.json);
    let options = write_options(args).map_err(Usage)?;
    if let Some(path) = &args.output {
        let inputs: Vec<_> = args.input.paths().collect();
        crate::output::check(&[path], &inputs)?;
    }
    let file = args.output.as_deref().map(Output::create).transpose()?.map(Records::new);
    let reading = args.input.reading.read_options()?;
    let mut writing = Writing { args, reading, file, separator: Separator::default() };
    for_each_content(&args.input, &mut report, |record, reading, report| {
        // A CPN stays in its revision.
        let options = options.clone().revision(args.cpn.revision.or(reading.revision));
        writing.record(&options, record, &reading.content, report)
    })?;
    writing.file.map_or(Ok(()), Records::finish)?;
    report.finish()
}

impl Writing<'_> {
    fn record(
        &mut self,
        options: &WriteOptions,
        record: &Record,
        content: &Content<'_>,
        report: &mut Report,
    ) -> Result<Result<(), Problem>> {
        let args = self.args;
        if args.ply.is_none() && content.is_whole_in(args.to) && args.one_move.is_none() {
            return self.write(options, record, None, content, report);
        }
        let ply = args.ply.unwrap_or(Ply::LAST);
        if ply != Ply::All {
            return match position(record, content, ply) {
                Ok(position) => self.write(options, record, ply.of(content.plies()), &position, report),
                Err(problem) => Ok(Err(problem)),
            };
        }
        let mut written = Ok(());
        let outcome = content.each_position(|ply, position| {
            if written.is_err() {
                return Ok(());
            }
            match self.write(options, record, Some(ply), position, report) {
                Ok(outcome) => outcome,
                Err(error) => {
                    written = Err(error);
                    Ok(())
                }
            }
        });
        written?;
        Ok(outcome)
    }

    fn write(
        &mut self,
        options: &WriteOptions,
        record: &Record,
        ply: Option<usize>,
        content: &Content<'_>,
        report: &mut Report,
    ) -> Result<Result<(), Problem>> {
        let text = match self.text(options, record, content) {
            Ok(text) => text,
            Err(problem) => return Ok(Err(problem)),
        };
        if report.is_json() {
            let mut lost: Vec<String> = text.lost.names().map(str::to_owned).collect();
            lost.extend((!text.by_style.is_empty()).then(|| text.by_style.to_string()));
            let format = self.args.to.name();
            report.object(&Line {
                record: RecordObject::of(record),
                ply,
                format,
                text: &text.written,
                lost,
            })?;
            return Ok(Ok(()));
        }
        let (format, written) = (self.args.to, &text.written);
        match &mut self.file {
            // A move is not a record.
            Some(file) if self.args.one_move.is_some() => file.write_line(written)?,
            None if self.args.one_move.is_some() => report.line(written)?,
            Some(file) => file.write(format, written)?,
            None => report.record(&mut self.separator, format, written)?,
        }
        report.lost(record, text.lost);
        report.lost_by_style(record, &text.by_style);
        Ok(Ok(()))
    }

    fn text(
        &self,
        options: &WriteOptions,
        record: &Record,
        content: &Content<'_>,
    ) -> Result<Rendered, Problem> {
        if let Some(text) = &self.args.one_move {
            return self.one_move(record, content, text);
        }
        if let (Content::Infinite(game), Format::Icn) = (content, self.args.to) {
            let style = IcnOptions::new(self.args.style).one_line(self.args.one_line);
            return Ok(Rendered {
                written: style.write(game),
                lost: Lost::NOTHING,
                by_style: style.lost(game),
            });
        }
        Ok(content.write(self.args.to, options)?.into())
    }

    /// One move in the position that was asked for.
    fn one_move(&self, record: &Record, content: &Content<'_>, text: &str) -> Result<Rendered, Problem> {
        let refuse = |message: String| Problem::of_record(record, message);
        let text = match content {
            Content::Infinite(game) if self.args.to == Format::Icn => {
                let whole = format!("{} {text}", canonical_position(&game.start));
                let read = self.reading.read_text(Format::Icn, &whole);
                let read = read.map_err(|error| refuse(format!("`{text}`: {error}")))?.content;
                match read {
                    Content::Infinite(read) if read.moves.len() == 1 => {
                        move_in(self.args.style, &read.moves[0], &game.start)
                    }
                    _ => return Err(refuse(format!("`{text}` is not one move"))),
                }
            }
            Content::Finite(game) => {
                let board = game.start().board().map_err(|why| refuse(why.to_string()))?;
                let wanted = if self.args.to == Format::Pgn { "san" } else { self.args.to.name() };
                let notation = Notation::ALL.iter().copied().find(|notation| notation.name() == wanted);
                let notation =
                    notation.ok_or_else(|| refuse(format!("moves have no {}", self.args.to.title())))?;
                let played = board.read(Notation::San, text).or_else(|_| board.read(Notation::Uci, text));
                let played = played.map_err(|error| refuse(format!("`{text}`: {error}")))?;
                let written = board.write(notation, played);
                written.ok_or_else(|| refuse(format!("moves have no {}", self.args.to.title())))?
            }
            _ => return Err(refuse(format!("a move of this board has no {}", self.args.to.title()))),
        };
        Ok(Rendered { written: text, lost: Lost::NOTHING, by_style: LostByStyle::default() })
    }
}

fn write_options(args: &Args) -> Result<WriteOptions, String> {
    if args.one_line && args.to != Format::Icn {
        return Err("--one-line goes with --to icn".to_owned());
    }
    if args.notation.is_some() && args.to != Format::Pgn {
        return Err(format!("--notation is for PGN; {} has a notation of its own", args.to.title()));
    }
    if args.shredder && args.to != Format::Fen {
        return Err("--shredder is for FEN: add --to fen".to_owned());
    }
    if args.grid.is_some() && args.to != Format::Cpn {
        return Err("--grid is for CPN: add --to cpn".to_owned());
    }
    if args.border && !matches!(args.to, Format::Icn | Format::Json) {
        return Err("--border is for the open board: add --to icn or --to json".to_owned());
    }
    let grid = match args.grid.as_deref() {
        None => None,
        Some("") => Some(GridArea::AroundPieces),
        Some(rect) => Some(GridArea::Of(rect.parse().map_err(|error| format!("--grid={rect}: {error}"))?)),
    };
    let form = match args.moves {
        Moves::Strings => MoveForm::Strings,
        Moves::Objects => MoveForm::Objects,
    };
    let options = args.cpn.write_options().style(args.style).border(args.border).move_form(form).grid(grid);
    Ok(options.notation(args.notation.unwrap_or(Notation::San)).rooks_by_file(args.shredder))
}

/// The notations that PGN can have.
fn notation_parser() -> impl clap::builder::TypedValueParser<Value = Notation> {
    const NAMES: [Notation; 11] = [
        Notation::San,
        Notation::Iccs,
        Notation::Wxf,
        Notation::Chinese,
        Notation::ChineseTraditional,
        Notation::Hodges,
        Notation::Algebraic,
        Notation::Numbers,
        Notation::Uci,
        Notation::Ucci,
        Notation::Usi,
    ];
    PossibleValuesParser::new(NAMES.map(Notation::name))
        .map(|name| name.parse::<Notation>().expect("only names of notations are possible"))
}

fn style_parser() -> impl clap::builder::TypedValueParser<Value = Style> {
    PossibleValuesParser::new(Style::ALL.map(Style::name)).map(|name| {
        let known = Style::ALL.into_iter().find(|style| style.name() == name);
        known.expect("only names of styles are possible")
    })
}
