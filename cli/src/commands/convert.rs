//! `boardprint convert`: from one form to another.

use anyhow::Result;
use boardprint_base::replay::Replay;
use boardprint_base::{Game, Position, Square};
use boardprint_bridge::fen::{Fen, FenExt as _};
use boardprint_bridge::{Lossy, Lost, grid, list};
use boardprint_cpn::Cpn;
use boardprint_icn::Style;
use boardprint_icn::json::{self, MoveForm};
use boardprint_render::Window;
use boardprint_store::read::Record;
use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::args::{CpnArgs, InputArgs, Ply};
use crate::problem::Problem;
use crate::report::{Report, Status};
use crate::source::{Content, Parser, for_each_record, position, unplayable};

/// Records in another form
///
/// What a form cannot carry is said on standard error. Without --ply, ICN and JSON get the whole game, the other forms its final position.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boardprint convert --to icn --style readable game.icn\n  \
    boardprint convert --to json game.icn\n  \
    boardprint convert --to cpn --ply 10 game.icn\n  \
    boardprint convert --to cpn --grid -e 'K1,1|k3,3|Q2,2'\n  \
    boardprint convert --to sfen --from cpn -e \"$(boardprint convert --to cpn --from sfen -e 'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1')\"")]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// The form to write
    #[arg(long, value_name = "FORM", value_enum)]
    to: To,

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

    #[command(flatten)]
    cpn: CpnArgs,
}

/// The forms that can be written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum To {
    /// Infinite-chess notation
    Icn,
    /// The JSON long form; of a CPN, its parts
    Json,
    /// Chess Position Notation
    Cpn,
    /// FEN
    Fen,
    /// SFEN of Shogi
    Sfen,
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
    let parser = Parser::new(&args.input.reading)?;
    for_each_record(&args.input, &mut report, |record, report| {
        let (content, warnings) = match parser.content(record) {
            Ok(read) => read,
            Err(problem) => return Ok(Err(problem)),
        };
        report.warnings(record, &warnings);
        match content {
            Content::Infinite(game) => infinite(args, record, &game, report),
            Content::Board(cpn) => board(args, record, &cpn, report),
            Content::Finite(fen) => finite(args, record, &fen, report),
        }
    })?;
    report.finish()
}

/// A game of the infinite board, or one or all of its positions.
fn infinite(args: &Args, record: &Record, game: &Game, report: &mut Report) -> Result<Result<(), Problem>> {
    let whole_game = args.ply.is_none() && matches!(args.to, To::Icn | To::Json);
    if whole_game {
        return write_game(args, record, game, report);
    }
    let still = |start: Position| Game {
        tags: game.tags.clone(),
        start,
        presets: game.presets.clone(),
        ..Game::default()
    };
    let ply = args.ply.unwrap_or(Ply::Last);
    if ply != Ply::All {
        return match position(record, game, ply) {
            Ok(position) => write_game(args, record, &still(position), report),
            Err(problem) => Ok(Err(problem)),
        };
    }
    let mut replay = Replay::new(game);
    loop {
        if let Err(problem) = write_game(args, record, &still(replay.position().clone()), report)? {
            return Ok(Err(problem));
        }
        match replay.step() {
            Ok(Some(_)) => {}
            Ok(None) => return Ok(Ok(())),
            Err(error) => return Ok(Err(unplayable(record, &error))),
        }
    }
}

fn write_game(args: &Args, record: &Record, game: &Game, report: &mut Report) -> Result<Result<(), Problem>> {
    match args.to {
        To::Icn => report.line(args.style.write(game)).map(Ok),
        To::Json => {
            let form = match args.moves {
                Moves::Strings => MoveForm::Strings,
                Moves::Objects => MoveForm::Objects,
            };
            match json::write(game, form) {
                Ok(text) => report.line(text).map(Ok),
                Err(error) => Ok(Err(unplayable(record, &error))),
            }
        }
        To::Cpn => {
            let (cpn, lost) = match &args.grid {
                None => Lossy::parts(list::to_cpn(&game.start, args.cpn.marks())),
                Some(window) => match dense(args, game, window) {
                    Ok(outcome) => outcome,
                    Err(message) => return Ok(Err(Problem::of_record(record, message))),
                },
            };
            write_cpn(args, record, &cpn, lost, report).map(Ok)
        }
        To::Fen | To::Sfen => {
            Ok(Err(Problem::of_record(record, "an infinite board has no FEN")
                .hint("`--to cpn` writes any position")))
        }
    }
}

/// A dense board of a window, or of all pieces.
fn dense(args: &Args, game: &Game, window: &str) -> Result<(Cpn, Lost), String> {
    let marks = args.cpn.marks();
    let window = if window.is_empty() {
        grid::Window::around(&game.start, marks)
    } else {
        let window: Window = window.parse().map_err(|error| format!("--grid={window}: {error}"))?;
        let corner =
            |x: &boardprint_base::Coord, y: &boardprint_base::Coord| Square { x: x.clone(), y: y.clone() };
        grid::Window::new(corner(window.left(), window.bottom()), corner(window.right(), window.top()))
    };
    let window = window.map_err(|error| error.to_string())?;
    Ok(Lossy::parts(grid::to_cpn(&game.start, &window, marks)))
}

fn write_cpn(args: &Args, record: &Record, cpn: &Cpn, lost: Lost, report: &mut Report) -> Result<()> {
    match args.cpn.revision {
        Some(revision) => report.line(cpn.in_revision(revision).as_str())?,
        None => report.line(cpn.as_str())?,
    }
    report.lost(record, lost);
    Ok(())
}

/// A board of another game.
fn board(args: &Args, record: &Record, cpn: &Cpn, report: &mut Report) -> Result<Result<(), Problem>> {
    match args.to {
        To::Cpn => write_cpn(args, record, cpn, Lost::NOTHING, report).map(Ok),
        To::Json => report.object(&CpnObject::of(cpn)).map(Ok),
        To::Icn => Ok(Err(Problem::of_record(record, "this board is not of the infinite game"))),
        To::Fen | To::Sfen => match Fen::from_cpn(cpn, None) {
            Ok(fen) => write_fen(args, record, &fen, report),
            Err(error) => Ok(Err(error.into())),
        },
    }
}

/// A position of a finite game.
fn finite(args: &Args, record: &Record, fen: &Fen, report: &mut Report) -> Result<Result<(), Problem>> {
    match args.to {
        To::Cpn | To::Json => {
            let (cpn, lost) = Lossy::parts(fen.to_cpn(args.cpn.finite_marks()));
            if args.to == To::Cpn {
                return write_cpn(args, record, &cpn, lost, report).map(Ok);
            }
            report.object(&CpnObject::of(&cpn))?;
            report.lost(record, lost);
            Ok(Ok(()))
        }
        To::Fen | To::Sfen => write_fen(args, record, fen, report),
        To::Icn => Ok(Err(
            Problem::of_record(record, "a finite game has no ICN").hint("`--to cpn` writes any position")
        )),
    }
}

fn write_fen(args: &Args, record: &Record, fen: &Fen, report: &mut Report) -> Result<Result<(), Problem>> {
    if args.to == To::Fen {
        let (text, lost) = Lossy::parts(fen.to_fen());
        report.line(text)?;
        report.lost(record, lost);
        return Ok(Ok(()));
    }
    match fen.to_sfen() {
        Some(text) => report.line(text).map(Ok),
        None => Ok(Err(Problem::of_record(record, "only Shogi has an SFEN"))),
    }
}

/// The parts of a CPN.
#[derive(Serialize)]
struct CpnObject<'a> {
    side: char,
    /// Exact digits: a size may be beyond what a double can tell apart.
    shape: Vec<Box<RawValue>>,
    cells: Vec<&'a str>,
    hand: Vec<&'a str>,
}

impl<'a> CpnObject<'a> {
    fn of(cpn: &'a Cpn) -> Self {
        CpnObject {
            side: cpn.side().letter(),
            shape: cpn
                .shape()
                .iter()
                .map(|size| RawValue::from_string(size.to_string()).expect("digits are JSON"))
                .collect(),
            cells: cpn.cells().collect(),
            hand: cpn.hand().collect(),
        }
    }
}

fn style_parser() -> impl clap::builder::TypedValueParser<Value = Style> {
    PossibleValuesParser::new(Style::ALL.map(Style::name)).map(|name| {
        let known = Style::ALL.into_iter().find(|style| style.name() == name);
        known.expect("only names of styles are possible")
    })
}
