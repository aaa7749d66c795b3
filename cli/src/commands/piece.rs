//! `boardprint piece`: where a movement goes.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use boardprint_base::{Coord, Span, Square};
use boardprint_games::{Encoding, Format, Record};
use boardprint_render::{Diagram, Glyph, Mark, Rect, SvgOptions, svg, text};
use boardprint_rules::fairy::{self, Board, Expr, Limits, Movement, Mover, Window};
use boardprint_rules::pieces::{Definition, PieceTable};
use serde::Serialize;
use serde_json::{Value, json};

use crate::args::PiecesArg;
use crate::nearest::nearest;
use crate::problem::Problem;
use crate::report::{Report, Status, Usage};

/// Where a movement goes: a diagram, a list of squares, or whether one square is reached
///
/// EXPR is an expression of the Fairy movement language, or the code or name of a piece.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boardprint piece '[1,2]|-/'                              a knight\n  \
    boardprint piece rose --enemies '2,4|4,6'\n  \
    boardprint piece '[1,0]^*|/' --at 1,1 --window 1,1,8,8 --json\n  \
    boardprint piece '[1,2]^*|-/' --unbounded --to 1000000000000000,2000000000000000\n  \
    boardprint piece '[1,1]^*|-' --svg bishop.svg")]
pub(crate) struct Args {
    /// The movement
    #[arg(value_name = "EXPR", allow_hyphen_values = true)]
    expr: String,

    /// Where the piece stands
    #[arg(long, value_name = "X,Y", default_value = "0,0", allow_hyphen_values = true, value_parser = parse_square)]
    at: Square,

    /// Squares of pieces of the same side
    #[arg(long, value_name = "X,Y|X,Y", allow_hyphen_values = true)]
    friends: Option<String>,

    /// Squares of pieces of the other side
    #[arg(long, value_name = "X,Y|X,Y", allow_hyphen_values = true)]
    enemies: Option<String>,

    /// The whole board; with --unbounded, the part of it to look at
    #[arg(long, value_name = "X0,Y0,X1,Y1", allow_hyphen_values = true, value_parser = parse_window)]
    window: Option<Window>,

    /// The board goes on beyond the window
    #[arg(long)]
    unbounded: bool,

    /// Whether this square is reached, and how
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = parse_square)]
    to: Option<Square>,

    /// The piece has its special right (`$` in the movement)
    #[arg(long)]
    right: bool,

    /// One JSON object: `moves` and `captures`, or `answer`
    #[arg(long)]
    json: bool,

    /// Draws the diagram as SVG into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    #[command(flatten)]
    pieces: PiecesArg,
}

/// How far a diagram reaches if no window is given.
const SIGHT: i64 = 6;

pub(crate) fn run(args: &Args) -> Result<Status> {
    let mut report = Report::new(args.json);
    let table = args.pieces.table()?;
    match movement(args, &table) {
        Ok((expr, movement)) => answer(args, &expr, &movement, &mut report)?,
        Err(problem) => report.bad_record(&record(&args.expr), &problem)?,
    }
    report.finish()
}

/// The expression, or the movement of the piece that is called so.
fn movement(args: &Args, table: &PieceTable) -> Result<(Expr, Movement), Problem> {
    let word = args.expr.trim();
    let called = |name: &str, code: &str| name == word || code == word;
    let expr = match table.iter().find(|piece| called(piece.name(), piece.kind().code())) {
        Some(piece) => piece.expr().clone(),
        None => args.expr.parse::<Expr>().map_err(|error| unread(word, error.into(), table))?,
    };
    let movement = Movement::new(&expr).map_err(|error| Problem {
        kind: "syntax",
        message: error.to_string(),
        span: Span::new(0, args.expr.len()),
        also: None,
        hint: Some("use repeats instead of long lists of options".to_owned()),
    })?;
    Ok((expr, movement))
}

/// Why a text is no movement. A single word was probably meant as the name of a piece.
fn unread(word: &str, problem: Problem, table: &PieceTable) -> Problem {
    if word.is_empty() {
        return Problem { hint: Some("a knight is `[1,2]|-/`".to_owned()), ..problem };
    }
    if !word.chars().all(char::is_alphanumeric) {
        return problem;
    }
    let known = table.iter().map(Definition::name);
    let hint = nearest(word, known).map_or_else(
        || "a movement is made of jumps: a knight is `[1,2]|-/`".to_owned(),
        |near| format!("did you mean `{near}`?"),
    );
    Problem {
        kind: "unknown-piece",
        message: format!("no piece is called `{word}`"),
        span: Span::new(0, word.len()),
        also: None,
        hint: Some(hint),
    }
}

/// The expression as a record, for drawing errors.
fn record(expr: &str) -> Record {
    Record {
        source: Arc::from("EXPR"),
        number: 1,
        line: 1,
        column: 1,
        offset: 0,
        format: Format::Icn,
        byte_order_mark: false,
        encoding: Encoding::Utf8,
        size: expr.len() as u64,
        text: expr.to_owned(),
    }
}

fn answer(args: &Args, expr: &Expr, movement: &Movement, report: &mut Report) -> Result<()> {
    let friends = squares(args.friends.as_deref())?;
    let enemies = squares(args.enemies.as_deref())?;
    let window = args.window.clone().unwrap_or_else(|| around(&args.at));
    let mut board = fairy::Scene::new(friends.clone(), enemies.clone());
    if args.window.is_some() && !args.unbounded {
        board = board.within(window.to_border());
    }
    let mover = Mover { from: &args.at, right: args.right };
    if let Some(to) = &args.to {
        let reach = movement.reach(mover, to, &board);
        return if args.json {
            report.object(&json!({ "expr": expr.to_string(), "answer": reach.as_str() }))
        } else {
            report.line(reach.as_str())
        };
    }
    let found = movement.stops(mover, &board, &window, &Limits::default());
    if !found.complete {
        report.talk("warning: the search ended at its limit: there may be more squares");
    }
    let mut by_column: Vec<&fairy::Stop> = found.stops.iter().collect();
    by_column.sort_by(|a, b| (&a.square.x, &a.square.y).cmp(&(&b.square.x, &b.square.y)));
    if args.json {
        let list = |capture_only: bool| {
            let wanted = by_column.iter().filter(|stop| stop.capture || !capture_only);
            wanted.map(|stop| [coordinate(&stop.square.x), coordinate(&stop.square.y)]).collect()
        };
        let object = StopsObject {
            expr: expr.to_string(),
            moves: list(false),
            captures: list(true),
            complete: found.complete,
        };
        report.object(&object)?;
    }
    if args.json && args.svg.is_none() {
        return Ok(());
    }
    let scene = diagram(args, &found.stops, movement, &board, &window, [friends, enemies])?;
    match &args.svg {
        Some(path) => fs::write(path, svg::write(&scene, &SvgOptions::default()))
            .with_context(|| path.display().to_string()),
        None => report.line(text::write(&scene, Report::text_options()).trim_end()),
    }
}

#[derive(Serialize)]
struct StopsObject {
    expr: String,
    moves: Vec<[Value; 2]>,
    captures: Vec<[Value; 2]>,
    complete: bool,
}

/// A JSON number, or a string where programs would round it.
fn coordinate(value: &Coord) -> Value {
    const EXACT: i64 = 1 << 53;
    match value.as_i64() {
        Some(value) if value.abs() <= EXACT => value.into(),
        _ => value.to_string().into(),
    }
}

fn diagram(
    args: &Args,
    stops: &[fairy::Stop],
    movement: &Movement,
    board: &fairy::Scene,
    window: &Window,
    [friends, enemies]: [Vec<Square>; 2],
) -> Result<Diagram> {
    let corners = (
        Square { x: window.left.clone(), y: window.bottom.clone() },
        Square { x: window.right.clone(), y: window.top.clone() },
    );
    let inside = |squares: Vec<Square>| squares.into_iter().filter(|square| window.contains(square));
    let mut scene = Diagram::builder()
        .window(Rect::new(corners.0, corners.1))
        .title(format!("Where {} goes", args.expr))
        .piece(args.at.clone(), Glyph::Origin);
    for (list, glyph) in [(friends, Glyph::Friend), (enemies, Glyph::Enemy)] {
        for square in inside(list).filter(|square| *square != args.at) {
            scene = scene.piece(square, glyph.clone());
        }
    }
    for stop in stops.iter().filter(|stop| stop.square != args.at) {
        scene = scene.mark(stop.square.clone(), if stop.capture { Mark::Capture } else { Mark::Target });
    }
    if board.border().is_none_or(boardprint_base::Border::is_open) {
        let mover = Mover { from: &args.at, right: args.right };
        for (dx, dy) in endless(movement, mover, board) {
            scene = scene.ray(args.at.clone(), dx, dy);
        }
    }
    scene.build().map_err(|error| {
        let hint = error.hint().map(|hint| format!("; {hint}")).unwrap_or_default();
        Usage(format!("{error}{hint}")).into()
    })
}

/// The directions in which the piece goes on for ever.
fn endless(movement: &Movement, mover: Mover<'_>, board: &fairy::Scene) -> Vec<(i64, i64)> {
    let rays = movement.rays(mover, board);
    let mut directions: Vec<(i64, i64)> = rays
        .filter(|(_, ray)| ray.free.is_none())
        .filter_map(|(path, _)| {
            let run = path.as_ray().filter(|run| run.times().most.is_none())?;
            let step = run.step();
            Some((i64::try_from(step.x).ok()?, i64::try_from(step.y).ok()?))
        })
        .collect();
    directions.sort_unstable();
    directions.dedup();
    directions
}

/// What can be seen without a window.
fn around(at: &Square) -> Window {
    Window::new(&at.x - SIGHT, &at.y - SIGHT, &at.x + SIGHT, &at.y + SIGHT)
}

/// A list of squares joined by `|`.
fn squares(list: Option<&str>) -> Result<Vec<Square>> {
    let Some(list) = list.filter(|list| !list.is_empty()) else { return Ok(Vec::new()) };
    let square = |text: &str| {
        text.parse().map_err(|_| Usage(format!("`{text}` is no square; write `x,y|x,y`")).into())
    };
    list.split('|').map(square).collect()
}

fn parse_square(text: &str) -> Result<Square, String> {
    text.parse().map_err(|_| "write two whole numbers: 4,-7".to_owned())
}

/// What a window is written as.
const CORNERS: &str = "write the lower left and the upper right corner: 1,1,8,8";

fn parse_window(text: &str) -> Result<Window, String> {
    let sides: Vec<Coord> =
        text.split(',').map(str::parse).collect::<Result<_, _>>().map_err(|_| CORNERS.to_owned())?;
    let [left, bottom, right, top] = <[Coord; 4]>::try_from(sides).map_err(|_| CORNERS.to_owned())?;
    if left > right || bottom > top {
        return Err("the first corner is left of and below the second".to_owned());
    }
    Ok(Window { left, bottom, right, top })
}
