//! `boardprint convert`: from one form to another.

use anyhow::Result;
use boardprint_finite::Notation;
use boardprint_games::{Content, Format, GridArea, Record, WriteOptions, Written};
use boardprint_icn::Style;
use boardprint_icn::json::MoveForm;
use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};

use crate::args::{CpnArgs, InputArgs, Ply, format_parser};
use crate::problem::Problem;
use crate::report::{Report, Status, Usage};
use crate::source::{for_each_content, position};

/// Records in another form
///
/// What a form cannot carry is said on standard error. Without --ply, CPN, FEN and SFEN get the final position, the other forms the whole game.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boardprint convert --to icn --style readable game.icn\n  \
    boardprint convert --to json game.icn\n  \
    boardprint convert --to cpn --ply 10 game.icn\n  \
    boardprint convert --to pgn --notation chinese game.pgn\n  \
    boardprint convert --to kif game.csa\n  \
    boardprint convert --to cpn --grid -e 'K1,1|k3,3|Q2,2'\n  \
    boardprint convert --to sfen --from cpn -e \"$(boardprint convert --to cpn --from sfen -e 'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1')\"")]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// The form to write
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    to: Format,

    /// How to write ICN
    #[arg(long, value_name = "STYLE", default_value = "canonical", value_parser = style_parser())]
    style: Style,

    /// How to write moves in JSON
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Moves::Strings)]
    moves: Moves,

    /// The position after so many half-moves: a number, `last` or `all`
    #[arg(long, value_name = "PLY")]
    ply: Option<Ply>,

    /// Writes CPN as a dense board: of all pieces, or of a window
    #[arg(long, value_name = "X0,Y0,X1,Y1", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    grid: Option<String>,

    /// The notation of moves in PGN
    #[arg(long, value_name = "NOTATION", value_parser = notation_parser())]
    notation: Option<Notation>,

    /// Writes castling rights in FEN as the files of the rooks: `HAha` (Shredder-FEN)
    #[arg(long)]
    shredder: bool,

    #[command(flatten)]
    cpn: CpnArgs,
}

/// How moves are written in JSON.
#[derive(Clone, Copy, ValueEnum)]
enum Moves {
    /// As strings
    Strings,
    /// As objects, the way programs wrote them until 2024
    Objects,
}

pub(crate) fn run(args: &Args) -> Result<Status> {
    let mut report = Report::new(false);
    let options = match write_options(args) {
        Ok(options) => options,
        Err(message) => return Err(Usage(message).into()),
    };
    for_each_content(&args.input, &mut report, |record, reading, report| {
        let content = reading.content;
        // A CPN stays in its revision.
        let options = options.clone().revision(args.cpn.revision.or(reading.revision));
        let whole_game = args.ply.is_none() && args.to.has_games();
        if whole_game {
            return write(args, &options, record, &content, report);
        }
        let ply = args.ply.unwrap_or(Ply::Last);
        if ply != Ply::All {
            return match position(record, &content, ply) {
                Ok(position) => write(args, &options, record, &position, report),
                Err(problem) => Ok(Err(problem)),
            };
        }
        let mut written = Ok(());
        let outcome = content.each_position(|_, position| {
            if written.is_err() {
                return Ok(());
            }
            match write(args, &options, record, position, report) {
                Ok(outcome) => outcome,
                Err(error) => {
                    written = Err(error);
                    Ok(())
                }
            }
        });
        written?;
        Ok(outcome)
    })?;
    report.finish()
}

fn write(
    args: &Args,
    options: &WriteOptions,
    record: &Record,
    content: &Content<'_>,
    report: &mut Report,
) -> Result<Result<(), Problem>> {
    match content.write(args.to, options) {
        Ok(Written { text, lost }) => {
            report.line(text)?;
            report.lost(record, lost);
            Ok(Ok(()))
        }
        Err(error) => Ok(Err(error.into())),
    }
}

fn write_options(args: &Args) -> Result<WriteOptions, String> {
    if args.notation.is_some() && args.to != Format::Pgn {
        return Err(format!("--notation is for PGN; {} has a notation of its own", args.to.title()));
    }
    if args.shredder && args.to != Format::Fen {
        return Err("--shredder is for FEN: add --to fen".to_owned());
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
    let options = args.cpn.write_options().style(args.style).move_form(form).grid(grid);
    Ok(options.notation(args.notation.unwrap_or(Notation::San)).rooks_by_file(args.shredder))
}

/// The notations that PGN can have.
fn notation_parser() -> impl clap::builder::TypedValueParser<Value = Notation> {
    const NAMES: [Notation; 10] = [
        Notation::San,
        Notation::Iccs,
        Notation::Wxf,
        Notation::Chinese,
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
