//! `boardprint piece`: where a movement goes.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use boardprint_base::{Coord, Piece, PieceKind, Player, Span, Square};
use boardprint_games::{Encoding, Format, Record};
use boardprint_render::{Diagram, Glyph, Mark, Rect, SvgOptions, svg, text};
use boardprint_rules::betza;
use boardprint_rules::fairy::{self, Board, Expr, Limits, Movement, MovementError, Mover, Reach, Sameness};
use boardprint_rules::pieces::{Definition, PieceTable};
use serde::Serialize;
use serde_json::{Value, json};

use crate::args::PiecesArg;
use crate::args::parse_square;
use crate::nearest::nearest;
use crate::problem::Problem;
use crate::report::{Report, Status, Usage};

/// Show where a movement goes: a diagram, a list of squares, or one square
///
/// EXPR is an expression of the Fairy movement language, the code or name of a piece, or Betza notation.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boardprint piece '[1,2]|-/'    # a knight\n  \
    boardprint piece WF            # a king in Betza notation\n  \
    boardprint piece rose --enemies '2,4|4,6'\n  \
    boardprint piece '[1,0]^*|/' --at 1,1 --window 1,1,8,8 --json\n  \
    boardprint piece '[1,2]^*|-/' --unbounded --to 1000000000000,2000000000000\n  \
    boardprint piece '[1,0]^*|-' --same-as rook\n  \
    boardprint piece '[1,1]^*|-' --svg bishop.svg\n  \
    boardprint piece --list")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct Args {
    /// Show this movement
    #[arg(value_name = "EXPR", allow_hyphen_values = true, required_unless_present = "list")]
    expr: Option<String>,

    /// List all pieces: code, name, movement and whether they are royal
    #[arg(long, conflicts_with_all = ["expr", "to", "svg", "same_as"])]
    list: bool,

    /// Compare with another movement: the same moves on every board, or a square where they differ
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true, conflicts_with_all = ["to", "svg"])]
    same_as: Option<String>,

    /// Put the piece on this square
    #[arg(long, value_name = "X,Y", default_value = "0,0", allow_hyphen_values = true, value_parser = parse_square)]
    at: Square,

    /// Put pieces of the same side on these squares
    #[arg(long, value_name = "X,Y|X,Y", allow_hyphen_values = true)]
    friends: Option<String>,

    /// Put pieces of the other side on these squares
    #[arg(long, value_name = "X,Y|X,Y", allow_hyphen_values = true)]
    enemies: Option<String>,

    /// Use this as the whole board; with --unbounded, look at this part of it
    #[arg(long, value_name = "X0,Y0,X1,Y1", allow_hyphen_values = true, value_parser = parse_window)]
    window: Option<Rect>,

    /// Let the board go on beyond the window
    #[arg(long)]
    unbounded: bool,

    /// Say whether this square is reached, and how
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = parse_square)]
    to: Option<Square>,

    /// Give the piece its special right (`$` in the movement)
    #[arg(long)]
    right: bool,

    /// Print one JSON object: `moves` and `captures`, or `answer`; with --list one per piece
    #[arg(long)]
    json: bool,

    /// Draw the diagram as SVG into this file
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
    let Some(text) = &args.expr else {
        list(&table, &mut report)?;
        return report.finish();
    };
    let Some(asked) = ask(text, &table, &mut report)? else { return report.finish() };
    match &args.same_as {
        None => answer(args, &asked, &mut report)?,
        Some(other) => {
            if let Some(other) = ask(other, &table, &mut report)? {
                compare(&asked, &other, &mut report)?;
            }
        }
    }
    report.finish()
}

/// A movement that was asked about.
struct Asked {
    text: String,
    expr: Expr,
    movement: Movement,
    /// The piece that moves so, if it was asked for by name or by a Betza name of its movement.
    kind: Option<PieceKind>,
}

/// The movement that a text means, with what there is to say about it; `None` if it means none, which is
/// reported.
fn ask(text: &str, table: &PieceTable, report: &mut Report) -> Result<Option<Asked>> {
    match movement(text, table) {
        Ok(asked) => {
            if betza::looks_like_betza(text.trim()) && asked.expr.to_string() != text.trim() {
                report.talk(&format!("note: `{}` in the movement language: {}", text.trim(), asked.expr));
            }
            for note in fairy::notes(&asked.expr) {
                report.talk(&format!("note: {note}"));
            }
            Ok(Some(asked))
        }
        Err(problem) => {
            report.bad_record(&record(text), &problem)?;
            Ok(None)
        }
    }
}

/// The expression, the movement of the piece that is called so, or the translation of Betza notation.
fn movement(text: &str, table: &PieceTable) -> Result<Asked, Problem> {
    let word = text.trim();
    let called = |name: &str, code: &str| name == word || code == word;
    let (expr, kind) = match table.iter().find(|piece| called(piece.name(), piece.kind().code())) {
        Some(piece) => (piece.expr().clone(), Some(piece.kind())),
        None if betza::looks_like_betza(word) => {
            let expr = betza::read(word).map_err(|error| {
                let hint = error.hint().map(str::to_owned);
                let blanks = text.len() - text.trim_start().len();
                Problem {
                    kind: "syntax",
                    message: error.to_string(),
                    span: error.span().shifted(blanks),
                    also: None,
                    hint,
                }
            })?;
            // The first piece that moves so lends its picture: `WF` is drawn as a king.
            let limits = Limits { steps: 10_000, ..Limits::default() };
            let is_same = |piece: &&Definition| {
                fairy::same_words(piece.expr(), &expr, &limits) == fairy::Comparison::Same
            };
            let same = table.iter().find(is_same);
            let kind = same.map(Definition::kind);
            (expr, kind)
        }
        None => (text.parse::<Expr>().map_err(|error| unread(word, problem(&error), table))?, None),
    };
    let movement = Movement::new(&expr).map_err(|error| Problem {
        kind: "syntax",
        message: error.to_string(),
        span: Span::new(0, text.len()),
        also: None,
        hint: Some("use repeats instead of long lists of options".to_owned()),
    })?;
    Ok(Asked { text: text.to_owned(), expr, movement, kind })
}

fn problem(error: &MovementError) -> Problem {
    let hint = error.hint().map(str::to_owned);
    Problem { kind: "syntax", message: error.to_string(), span: error.span(), also: None, hint }
}

/// All pieces, one per line.
fn list(table: &PieceTable, report: &mut Report) -> Result<()> {
    for piece in table.iter() {
        let (code, name, movement) = (piece.kind().code().to_owned(), piece.name(), piece.expr().to_string());
        if report.is_json() {
            report.object(&json!({
                "code": code, "name": name, "movement": movement, "royal": piece.is_royal(),
            }))?;
        } else {
            let royal = if piece.is_royal() { "royal" } else { "" };
            report.line(format!("{code:<5}{name:<15}{royal:<7}{movement}"))?;
        }
    }
    Ok(())
}

/// Whether two movements are the same, and a square where they differ.
fn compare(first: &Asked, second: &Asked, report: &mut Report) -> Result<()> {
    let found = fairy::same_as(&first.expr, &second.expr, &Limits::default());
    let answer = match &found {
        Sameness::Same => "same",
        Sameness::Differs(_) => "different",
        Sameness::Unknown => "unknown",
    };
    if found != Sameness::Same {
        report.raise(Status::BadRecords);
    }
    let difference = if let Sameness::Differs(difference) = found { Some(difference) } else { None };
    if report.is_json() {
        let mut object = json!({
            "expr": first.expr.to_string(), "same_as": second.expr.to_string(), "answer": answer,
        });
        if let Some(found) = difference {
            let pair = |square: &Square| json!([coordinate(&square.x), coordinate(&square.y)]);
            let pairs = |squares: &[Square]| squares.iter().map(pair).collect::<Vec<Value>>();
            object["square"] = pair(&found.square);
            object["first"] = found.first.as_str().into();
            object["second"] = found.second.as_str().into();
            object["friends"] = pairs(&found.friends).into();
            object["enemies"] = pairs(&found.enemies).into();
            object["right"] = found.right.into();
        }
        return report.object(&object);
    }
    report.line(answer)?;
    let Some(found) = difference else { return Ok(()) };
    let does = |reach: Reach| match reach {
        Reach::Quiet => "goes there",
        Reach::Capture => "captures there",
        Reach::Null => "comes back to its square",
        Reach::No | Reach::Unknown => "does not go there",
    };
    let joined = |squares: &[Square]| squares.iter().map(ToString::to_string).collect::<Vec<_>>().join("|");
    let friends = if found.friends.is_empty() { "" } else { " with friends on " };
    let enemies = if found.enemies.is_empty() { "" } else { " with an enemy on " };
    let right = if found.right { " with the special right" } else { "" };
    let board = format!("{friends}{}{enemies}{}{right}", joined(&found.friends), joined(&found.enemies));
    report.line(format!(
        "from 0,0 to {}{board}: `{}` {}, `{}` {}",
        found.square,
        first.text.trim(),
        does(found.first),
        second.text.trim(),
        does(found.second)
    ))
}

/// Why a text is not a movement. A single word was probably meant as the name of a piece.
fn unread(word: &str, problem: Problem, table: &PieceTable) -> Problem {
    if word.is_empty() {
        return Problem { hint: Some("a knight is `[1,2]|-/`".to_owned()), ..problem };
    }
    // A word without a sign of the language was meant as a name.
    if !word.chars().all(|c| c.is_ascii_alphanumeric() || !c.is_ascii()) {
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

/// The expression as a record, for drawing errors. It is one line: the column of an error counts line ends
/// as any blank.
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
        text: expr.replace(['\n', '\r'], " "),
    }
}

fn answer(args: &Args, asked: &Asked, report: &mut Report) -> Result<()> {
    let Asked { expr, movement, .. } = asked;
    let friends = squares(args.friends.as_deref())?;
    let enemies = squares(args.enemies.as_deref())?;
    let window = args.window.clone().unwrap_or_else(|| around(&args.at));
    let mut board = fairy::Surroundings::new(friends.clone(), enemies.clone());
    if args.window.is_some() && !args.unbounded {
        board = board.within(window.to_border());
    }
    let mover = Mover { from: &args.at, right: args.right };
    if let Some(to) = &args.to {
        let reach = movement.reach(mover, to, &board);
        if !reach.is_yes() {
            report.raise(Status::BadRecords);
        }
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
    let scene = diagram(args, asked, &found.stops, &board, &window, [friends, enemies])?;
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
    asked: &Asked,
    stops: &[fairy::Stop],
    board: &fairy::Surroundings,
    window: &Rect,
    [friends, enemies]: [Vec<Square>; 2],
) -> Result<Diagram> {
    let inside = |squares: Vec<Square>| squares.into_iter().filter(|square| window.contains(square));
    let mut scene = Diagram::builder()
        .window(window.clone())
        .title(format!("Where {} goes", asked.text))
        .piece(args.at.clone(), picture(asked.kind));
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
        for (dx, dy) in endless(&asked.movement, mover, board) {
            scene = scene.ray(args.at.clone(), dx, dy);
        }
    }
    scene.build().map_err(|error| {
        let hint = error.hint().map(|hint| format!("; {hint}")).unwrap_or_default();
        Usage(format!("{error}{hint}")).into()
    })
}

/// The piece itself, or a star for a movement that nobody has asked for by a name.
fn picture(kind: Option<PieceKind>) -> Glyph {
    match kind {
        Some(kind) if kind.is_neutral() => Glyph::Piece(Piece::new(kind, Player::NEUTRAL)),
        Some(kind) => Glyph::Piece(Piece::new(kind, Player::WHITE)),
        None => Glyph::Origin,
    }
}

/// The directions in which the piece goes on forever.
fn endless(movement: &Movement, mover: Mover<'_>, board: &fairy::Surroundings) -> Vec<(i64, i64)> {
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
fn around(at: &Square) -> Rect {
    Rect::with_edges(&at.x - SIGHT, &at.y - SIGHT, &at.x + SIGHT, &at.y + SIGHT)
}

/// A list of squares joined by `|`.
fn squares(list: Option<&str>) -> Result<Vec<Square>> {
    let Some(list) = list.filter(|list| !list.is_empty()) else { return Ok(Vec::new()) };
    let square = |text: &str| {
        text.parse().map_err(|_| Usage(format!("`{text}` is not a square; write `x,y|x,y`")).into())
    };
    list.split('|').map(square).collect()
}

/// What a window is written as.
const CORNERS: &str = "write the lower left and the upper right corner: 1,1,8,8";

fn parse_window(text: &str) -> Result<Rect, String> {
    let sides: Vec<Coord> =
        text.split(',').map(str::parse).collect::<Result<_, _>>().map_err(|_| CORNERS.to_owned())?;
    let [left, bottom, right, top] = <[Coord; 4]>::try_from(sides).map_err(|_| CORNERS.to_owned())?;
    if left > right || bottom > top {
        return Err("the first corner is left of and below the second".to_owned());
    }
    Ok(Rect::with_edges(left, bottom, right, top))
}
