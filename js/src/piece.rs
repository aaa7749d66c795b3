//! Where a movement goes.

use boardprint_base::{Coord, Span, Square};
use boardprint_render::{Diagram, Glyph, Mark, Rect, SvgOptions, svg};
use boardprint_rules::fairy::{Expr, Limits, Movement, Mover, Stop, Surroundings, View};
use boardprint_rules::pieces::PieceTable;
use serde::Serialize;

use crate::answer::json;
use crate::options::Options;
use crate::problem::Problem;

/// How far is looked if no window is given.
const SIGHT: i64 = 6;

#[derive(Serialize)]
struct StopsObject {
    expr: String,
    moves: Vec<[Number; 2]>,
    captures: Vec<[Number; 2]>,
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    svg: Option<String>,
}

/// A JSON number, or a string where JavaScript would round it.
#[derive(Serialize)]
#[serde(untagged)]
enum Number {
    Exact(i64),
    Text(String),
}

#[derive(Serialize)]
struct AnswerObject {
    expr: String,
    answer: &'static str,
}

/// The squares that a movement or a named piece reaches, or whether it reaches one square.
pub(crate) fn reach(word: &str, options: &str) -> Result<String, Problem> {
    let known: &[&str] = &["at", "friends", "enemies", "window", "unbounded", "to", "right", "svg"];
    let options = Options::of(options, &[known])?;
    let square = |text: &str| text.parse::<Square>().ok();
    let squares =
        |text: &str| text.split('|').filter(|part| !part.is_empty()).map(square).collect::<Option<Vec<_>>>();
    let at = options.parse("at", square)?.unwrap_or_else(|| Square::new(0, 0));
    let friends = options.parse("friends", squares)?.unwrap_or_default();
    let enemies = options.parse("enemies", squares)?.unwrap_or_default();
    let given = options.parse("window", window)?;
    let (expr, movement) = movement(word)?;

    let mut around_it = Surroundings::new(friends.clone(), enemies.clone());
    let window = given.clone().unwrap_or_else(|| around(&at));
    if given.is_some() && !options.is_on("unbounded")? {
        around_it = around_it.within(window.to_border());
    }
    let board = around_it.view();
    let mover = Mover { from: &at, right: options.is_on("right")? };
    if let Some(to) = options.parse("to", square)? {
        let answer = movement.reach(mover, &to, &board).as_str();
        return json(&AnswerObject { expr: expr.to_string(), answer });
    }
    let found = movement.stops(mover, &board, &window, &Limits::default());
    let mut by_column: Vec<&Stop> = found.stops.iter().collect();
    by_column.sort_by(|a, b| (&a.square.x, &a.square.y).cmp(&(&b.square.x, &b.square.y)));
    let list = |captures_only: bool| {
        let wanted = by_column.iter().filter(|stop| stop.capture || !captures_only);
        wanted.map(|stop| [coordinate(&stop.square.x), coordinate(&stop.square.y)]).collect()
    };
    let picture = if options.is_on("svg")? {
        let scene =
            scene(word, &found.stops, &window, [(friends, Glyph::Friend), (enemies, Glyph::Enemy)], &at);
        let rays = if board.border.is_open() { endless(&movement, mover, &board) } else { Vec::new() };
        let scene = rays.into_iter().fold(scene, |scene, (dx, dy)| scene.ray(at.clone(), dx, dy));
        Some(svg::write(&scene.build()?, &SvgOptions::default()))
    } else {
        None
    };
    let object = StopsObject {
        expr: expr.to_string(),
        moves: list(false),
        captures: list(true),
        complete: found.complete,
        svg: picture,
    };
    json(&object)
}

/// The expression, or the movement of the piece that is called so.
fn movement(text: &str) -> Result<(Expr, Movement), Problem> {
    let word = text.trim();
    let table = PieceTable::built_in();
    let expr = match table.iter().find(|piece| piece.name() == word || piece.kind().code() == word) {
        Some(piece) => piece.expr().clone(),
        // A word without a sign of the language was meant as a name.
        None if !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || !c.is_ascii()) => {
            let problem = Problem::new("unknown-piece", format!("no piece is called `{word}`"));
            let hint = "a movement is made of jumps: a knight is `[1,2]|-/`".to_owned();
            return Err(problem.with_hint(hint).at(text, Span::new(0, text.len())));
        }
        None => text.parse::<Expr>().map_err(|error| Problem::of_movement(&error, text))?,
    };
    let movement = Movement::new(&expr).map_err(|error| {
        let hint = "use repeats instead of long lists of options".to_owned();
        Problem::new("syntax", error.to_string()).with_hint(hint).at(text, Span::new(0, text.len()))
    })?;
    Ok((expr, movement))
}

fn scene(
    word: &str,
    stops: &[Stop],
    window: &Rect,
    standing: [(Vec<Square>, Glyph); 2],
    at: &Square,
) -> boardprint_render::DiagramBuilder {
    let mut scene = Diagram::builder()
        .window(window.clone())
        .title(format!("Where {word} goes"))
        .piece(at.clone(), Glyph::Origin);
    for (squares, glyph) in standing {
        for square in squares.into_iter().filter(|square| window.contains(square) && square != at) {
            scene = scene.piece(square, glyph.clone());
        }
    }
    for stop in stops.iter().filter(|stop| stop.square != *at) {
        scene = scene.mark(stop.square.clone(), if stop.capture { Mark::Capture } else { Mark::Target });
    }
    scene
}

/// The directions in which the piece goes on for ever.
fn endless(movement: &Movement, mover: Mover<'_>, board: &View<'_>) -> Vec<(i64, i64)> {
    let rays = movement.rays(mover, board).filter(|(_, ray)| ray.free.is_none());
    let mut directions: Vec<(i64, i64)> = rays
        .filter_map(|(path, _)| {
            let step = path.as_ray().filter(|run| run.times().most.is_none())?.step();
            Some((i64::try_from(step.x).ok()?, i64::try_from(step.y).ok()?))
        })
        .collect();
    directions.sort_unstable();
    directions.dedup();
    directions
}

fn coordinate(value: &Coord) -> Number {
    const EXACT: u64 = 1 << 53;
    match value.as_i64() {
        Some(value) if value.unsigned_abs() <= EXACT => Number::Exact(value),
        _ => Number::Text(value.to_string()),
    }
}

fn around(at: &Square) -> Rect {
    Rect::with_edges(&at.x - SIGHT, &at.y - SIGHT, &at.x + SIGHT, &at.y + SIGHT)
}

/// The lower left and the upper right corner: `1,1,8,8`.
fn window(text: &str) -> Option<Rect> {
    let sides: Vec<Coord> = text.split(',').map(str::parse).collect::<Result<_, _>>().ok()?;
    let [left, bottom, right, top] = <[Coord; 4]>::try_from(sides).ok()?;
    (left <= right && bottom <= top).then_some(Rect::with_edges(left, bottom, right, top))
}
