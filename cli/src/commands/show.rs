//! `boardprint show`: a board in the terminal or as SVG.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use boardprint_games::{Content, Record};
use boardprint_render::{self as render, Diagram, DiagramError, Rect, SvgOptions, svg, text};

use crate::args::{InputArgs, Ply};
use crate::problem::Problem;
use crate::report::{Report, Status};
use crate::source::{for_each_content, position};

/// A board in the terminal, or as SVG
///
/// Runs of empty rows and columns are folded, so pieces any distance apart are on one picture.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boardprint show -e 'K0,0|k1000000000000000,3|Q2,2'\n  \
    boardprint show game.icn --ply 10 --svg board.svg\n  \
    boardprint show game.icn --window 1,1,8,8 --flip")]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// Draws the picture as SVG into this file; further records get `-2`, `-3` behind the name
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// The part of the board to show
    #[arg(long, value_name = "X0,Y0,X1,Y1", allow_hyphen_values = true)]
    window: Option<Rect>,

    /// The position after so many half-moves: a number or `last`
    #[arg(long, value_name = "PLY", default_value = "last")]
    ply: Ply,

    /// Black at the bottom
    #[arg(long)]
    flip: bool,

    /// Letters instead of chess symbols
    #[arg(long)]
    ascii: bool,
}

pub(crate) fn run(args: &Args) -> Result<Status> {
    let mut report = Report::new(false);
    let mut drawn = 0;
    for_each_content(&args.input, &mut report, |record, reading, report| {
        match diagram(args, record, &reading.content) {
            Err(problem) => Ok(Err(problem)),
            Ok(diagram) => {
                drawn += 1;
                draw(args, &diagram, drawn, report).map(Ok)
            }
        }
    })?;
    report.finish()
}

fn diagram(args: &Args, record: &Record, content: &Content<'_>) -> Result<Diagram, Problem> {
    let shown = position(record, content, args.ply)?;
    let last = args.ply.of(content.plies()).and_then(|ply| content.moves().nth(ply.checked_sub(1)?));
    let diagram = render::diagram(&shown, last.as_ref()).map_err(|error| unseen(record, &error))?;
    let mut diagram = diagram.flip(args.flip);
    if let Some(window) = &args.window {
        diagram = diagram.window(window.clone());
    }
    diagram.build().map_err(|error| unseen(record, &error))
}

fn unseen(record: &Record, error: &DiagramError) -> Problem {
    let mut problem = Problem::of_record(record, error.to_string());
    problem.hint = error.hint();
    problem
}

fn draw(args: &Args, scene: &Diagram, number: usize, report: &mut Report) -> Result<()> {
    let Some(path) = &args.svg else {
        let options = if args.ascii { Report::text_options().ascii() } else { Report::text_options() };
        return report.line(text::write(scene, options).trim_end());
    };
    let path = if number == 1 { path.clone() } else { numbered(path, number) };
    fs::write(&path, svg::write(scene, &SvgOptions::default())).with_context(|| path.display().to_string())
}

/// `board.svg` → `board-2.svg`
fn numbered(path: &std::path::Path, number: usize) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().map(|ending| format!(".{}", ending.to_string_lossy())).unwrap_or_default();
    path.with_file_name(format!("{stem}-{number}{ending}"))
}
