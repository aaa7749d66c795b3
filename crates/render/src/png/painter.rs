//! From the elements of a picture to polygons on a canvas.

use std::collections::BTreeMap;

use super::canvas::Canvas;
use super::element::{Attributes, Event, events, unescaped};
use super::geometry::{self, Point, Transform};
use super::letters;
use super::path::{self, Line};
use super::stroke::{self, Pen};

/// What elements inherit.
#[derive(Clone)]
struct State {
    transform: Transform,
    /// `None` draws nothing.
    fill: Option<[u8; 3]>,
    stroke: Option<[u8; 3]>,
    current: [u8; 3],
    pen: Pen,
    opacity: f64,
    size: f64,
    bold: bool,
    anchor: f64,
}

/// The size of a picture in pixels, and how many pixels a unit has.
pub(super) fn size(picture: &str) -> (usize, usize, f64) {
    let root = events(picture).find_map(|(event, _)| match event {
        Event::Open { name: "svg", attributes, .. } => Some(attributes),
        _ => None,
    });
    let Some(root) = root else { return (0, 0, 1.0) };
    let length = |name: &str| root.get(name).and_then(|value| value.parse::<usize>().ok()).unwrap_or(0);
    let units = root.get("viewBox").and_then(|view| view.split(' ').nth(2)?.parse::<f64>().ok());
    (length("width"), length("height"), root.number("width") / units.unwrap_or(1.0).max(1.0))
}

/// Draws one of our own pictures.
pub(super) fn paint(picture: &str, scale: f64, canvas: &mut Canvas) {
    let state = State {
        transform: Transform::scale(scale, scale),
        fill: Some([0; 3]),
        stroke: None,
        current: [0; 3],
        pen: Pen { width: 1.0, round: false, dashes: Vec::new() },
        opacity: 1.0,
        size: 16.0,
        bold: false,
        anchor: 0.0,
    };
    let definitions = definitions(picture);
    Painter { canvas, definitions }.run(picture, &state, true);
}

/// The insides of the elements inside `<defs>`, by id. They are groups without groups of the same depth inside.
fn definitions(picture: &str) -> BTreeMap<&str, &str> {
    let mut all = BTreeMap::new();
    let (mut inside, mut depth) = (false, 0_usize);
    let mut open: Option<(&str, usize)> = None;
    let mut before = 0;
    for (event, after) in events(picture) {
        match event {
            Event::Open { name: "defs", .. } => inside = true,
            Event::Close("defs") => inside = false,
            Event::Open { name: "g", attributes, whole: false } if inside => {
                if depth == 0 {
                    open = attributes.get("id").map(|id| (id, after));
                }
                depth += 1;
            }
            Event::Close("g") if inside => {
                depth = depth.saturating_sub(1);
                if let (0, Some((id, start))) = (depth, open) {
                    all.insert(id, &picture[start..before]);
                }
            }
            _ => {}
        }
        before = after;
    }
    all
}

struct Painter<'a> {
    canvas: &'a mut Canvas,
    definitions: BTreeMap<&'a str, &'a str>,
}

impl Painter<'_> {
    /// Draws elements; references are followed once, since definitions hold none.
    fn run(&mut self, source: &str, state: &State, follow: bool) {
        let mut stack = vec![state.clone()];
        let mut skip = 0_usize;
        let mut text: Option<(State, Attributes<'_>, String)> = None;
        for (event, _) in events(source) {
            let top = stack.last().unwrap_or(state);
            match event {
                Event::Open { name: "title" | "defs", whole: false, .. } => skip += 1,
                Event::Close("title" | "defs") => skip = skip.saturating_sub(1),
                _ if skip > 0 => {}
                Event::Open { name, attributes, whole } => {
                    let inner = top.with(attributes);
                    match name {
                        "text" => text = Some((inner.clone(), attributes, String::new())),
                        "use" if follow => self.reference(attributes, &inner),
                        name => self.shape(name, attributes, &inner),
                    }
                    if !whole {
                        stack.push(inner);
                    }
                }
                Event::Text(part) => {
                    if let Some((_, _, words)) = &mut text {
                        words.push_str(&unescaped(part));
                    }
                }
                Event::Close(name) => {
                    stack.pop();
                    if name == "text"
                        && let Some((state, attributes, words)) = text.take()
                    {
                        self.words(&state, attributes, &words);
                    }
                }
            }
        }
    }

    fn reference(&mut self, attributes: Attributes<'_>, state: &State) {
        let id = attributes.get("href").and_then(|href| href.strip_prefix('#')).unwrap_or_default();
        let Some(inside) = self.definitions.get(id).copied() else { return };
        let mut state = state.clone();
        let place = Transform::translate(attributes.number("x"), attributes.number("y"));
        state.transform = state.transform.then(&place);
        self.run(inside, &state, false);
    }

    fn shape(&mut self, name: &str, attributes: Attributes<'_>, state: &State) {
        let lines = match name {
            "path" => path::lines(attributes.get("d").unwrap_or_default(), state.transform.size()).0,
            "circle" => circle(attributes, state.transform.size()),
            "rect" => rectangle(attributes, state.transform.size()),
            _ => return,
        };
        self.draw(&lines, state);
    }

    fn draw(&mut self, lines: &[Line], state: &State) {
        if let Some(colour) = state.fill {
            let polygons: Vec<Vec<Point>> =
                lines.iter().map(|line| state.transformed(&line.points)).collect();
            self.canvas.fill(&polygons, colour, state.opacity);
        }
        if let Some(colour) = state.stroke {
            let outlines =
                lines.iter().flat_map(|line| stroke::outline(line, &state.pen, state.transform.size()));
            let polygons: Vec<Vec<Point>> = outlines.map(|polygon| state.transformed(&polygon)).collect();
            self.canvas.fill(&polygons, colour, state.opacity);
        }
    }

    /// Draws words letter by letter.
    fn words(&mut self, state: &State, attributes: Attributes<'_>, words: &str) {
        let scale = state.size / letters::EM;
        let width: f64 = words.chars().map(|letter| letters::strokes(letter).1).sum::<f64>() * scale;
        let mut x = attributes.number("x") - width * state.anchor;
        let mut pen = state.clone();
        pen.stroke = state.fill;
        pen.fill = None;
        for letter in words.chars() {
            let (data, advance, unit) = letters::strokes(letter);
            let place = Transform::translate(x, attributes.number("y"))
                .then(&Transform::scale(scale * unit, scale * unit))
                .then(&Transform::translate(0.0, -letters::BASE / unit));
            pen.transform = state.transform.then(&place);
            let width = if state.bold { 2.5 } else { 1.6 };
            pen.pen = Pen { width: width / unit, round: true, dashes: Vec::new() };
            let lines = path::lines(data, pen.transform.size()).0;
            self.draw(&lines, &pen);
            x += advance * scale;
        }
    }
}

impl State {
    /// The state inside an element.
    fn with(&self, attributes: Attributes<'_>) -> State {
        let mut state = self.clone();
        if let Some(colour) = attributes.get("color").and_then(|value| self.colour(value)) {
            state.current = colour;
        }
        let opacity = attributes.get("opacity").and_then(|value| value.parse::<f64>().ok());
        state.opacity *= opacity.unwrap_or(1.0).clamp(0.0, 1.0);
        for (name, value) in attributes.iter() {
            match name {
                "fill" => state.fill = state.colour(value),
                "stroke" => state.stroke = state.colour(value),
                "stroke-width" => state.pen.width = attributes.number(name).max(0.0),
                "stroke-linecap" => state.pen.round = value == "round",
                "stroke-dasharray" => {
                    state.pen.dashes = value.split(' ').filter_map(|dash| dash.parse().ok()).collect();
                }
                "font-size" => state.size = attributes.number(name).max(0.0),
                "font-weight" => state.bold = value == "bold",
                "text-anchor" => {
                    state.anchor = match value {
                        "middle" => 0.5,
                        "end" => 1.0,
                        _ => 0.0,
                    }
                }
                "transform" => state.transform = state.transform.then(&Transform::parse(value)),
                _ => {}
            }
        }
        state
    }

    fn colour(&self, value: &str) -> Option<[u8; 3]> {
        let digits = match value {
            "currentColor" => return Some(self.current),
            value => value.strip_prefix('#')?,
        };
        let part = |range: std::ops::Range<usize>| u8::from_str_radix(digits.get(range)?, 16).ok();
        match digits.len() {
            3 => Some([part(0..1)? * 17, part(1..2)? * 17, part(2..3)? * 17]),
            _ => Some([part(0..2)?, part(2..4)?, part(4..6)?]),
        }
    }

    fn transformed(&self, points: &[Point]) -> Vec<Point> {
        points.iter().map(|point| self.transform.apply(*point)).collect()
    }
}

fn circle(attributes: Attributes<'_>, scale: f64) -> Vec<Line> {
    let (x, y, radius) = (attributes.number("cx"), attributes.number("cy"), attributes.number("r"));
    let points = geometry::circle(radius * scale);
    let points = points.into_iter().map(|point| (x + point.0 * radius, y + point.1 * radius)).collect();
    vec![Line { points, closed: true }]
}

fn rectangle(attributes: Attributes<'_>, scale: f64) -> Vec<Line> {
    let number = |name: &str| attributes.number(name);
    let (x, y, width, height, r) =
        (number("x"), number("y"), number("width"), number("height"), number("rx"));
    let data = if r > 0.0 {
        format!(
            "M{} {y}h{}a{r} {r} 0 0 1 {r} {r}v{}a{r} {r} 0 0 1 -{r} {r}h-{}a{r} {r} 0 0 1 -{r} -{r}v-{}a{r} {r} 0 0 1 {r} -{r}z",
            x + r,
            width - 2.0 * r,
            height - 2.0 * r,
            width - 2.0 * r,
            height - 2.0 * r
        )
    } else {
        format!("M{x} {y}h{width}v{height}h-{width}z")
    };
    path::lines(&data, scale).0
}
