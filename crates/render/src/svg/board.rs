//! The board under the pieces: squares, lines, folds, marks, arrows and coordinates.

use std::fmt::Write;
use std::ops::Range;

use boardprint_base::{Coord, Square};

use super::xml::{Escaped, Tenths};
use crate::axis::{Axis, Track};
use crate::diagram::{Diagram, Mark, Surface};
use crate::label;
use crate::palette;

/// The side of a square.
const SQUARE: usize = 45;
/// The width of a fold; a multiple of the zigzag's step, as [`SQUARE`] is.
const FOLD: usize = 30;
/// Half a tooth of the zigzag.
const TOOTH: usize = 15;
/// The height of a row of pieces in hand.
const HAND: usize = 38;
/// The distance between pieces in hand.
const HAND_STEP: usize = 56;
/// The frame around the board where nothing else is.
const EDGE: usize = 10;
/// The width of a character of a label.
const CHARACTER: usize = 7;

/// Names of columns with more characters than this stand upright.
const UPRIGHT: usize = 5;

/// Where everything goes.
pub(super) struct Frame {
    pub(super) width: usize,
    pub(super) height: usize,
    left: usize,
    top: usize,
    /// Where each track starts, from the corner of the board, and where the last one ends.
    columns: Vec<usize>,
    rows: Vec<usize>,
    column_labels: Vec<String>,
    row_labels: Vec<String>,
    /// Which names of columns stand upright: too long to stand side by side, or between such.
    upright: Vec<bool>,
    hand_top: usize,
}

impl Frame {
    pub(super) fn of(diagram: &Diagram) -> Self {
        let (columns, rows) = (offsets(&diagram.columns), offsets(&diagram.rows));
        let labels = |axis: &Axis, name: &dyn Fn(&Coord) -> String| -> Vec<String> {
            let text = |track: &Track| match track {
                Track::Line(line) if diagram.coordinates => name(line),
                _ => String::new(),
            };
            axis.tracks().iter().map(text).collect()
        };
        let column_labels = labels(&diagram.columns, &|column| diagram.column_label(column));
        let row_labels = labels(&diagram.rows, &|row| diagram.row_label(row));
        let longest = |labels: &[String]| labels.iter().map(String::len).max().unwrap_or(0);
        let (column_text, row_text) = (longest(&column_labels), longest(&row_labels));
        let left = EDGE + if row_text > 0 { row_text * CHARACTER + 4 } else { 0 };
        let below = match column_text {
            0 => EDGE,
            1..=UPRIGHT => 22,
            long => long * CHARACTER + EDGE + 5,
        };
        let hands = [true, false].map(|top| diagram.hand(top).count());
        let hand_height = |count: usize| if count > 0 { HAND } else { 0 };
        let right = if diagram.turn.is_some() { 20 } else { EDGE };
        let (board_width, board_height) = (end(&columns), end(&rows));
        let hand_width = hands.iter().max().copied().unwrap_or(0) * HAND_STEP;
        let top = EDGE + hand_height(hands[0]);
        let hand_top = top + board_height + below;
        Frame {
            width: left + board_width.max(hand_width) + right,
            height: hand_top + hand_height(hands[1]),
            left,
            top,
            columns,
            rows,
            upright: upright(&column_labels),
            column_labels,
            row_labels,
            hand_top,
        }
    }

    /// The left edge of a column.
    pub(super) fn x(&self, column: usize) -> Tenths {
        tenths(self.left + self.columns[column])
    }

    /// The upper edge of a row.
    pub(super) fn y(&self, row: usize) -> Tenths {
        tenths(self.top + self.rows[row])
    }

    /// The middle of a square.
    fn centre(&self, row: usize, column: usize) -> (Tenths, Tenths) {
        (Tenths(self.x(column).0 + HALF), Tenths(self.y(row).0 + HALF))
    }

    /// Where a piece in hand goes.
    pub(super) fn hand_place(&self, top: bool, index: usize) -> (usize, usize) {
        (self.left + index * HAND_STEP, if top { 4 } else { self.hand_top })
    }

    /// Where the dot of the side to move goes.
    pub(super) fn turn_place(&self, bottom: bool) -> (usize, usize) {
        let right = self.left + end(&self.columns);
        (right + 10, if bottom { self.top + end(&self.rows) - 6 } else { self.top + 6 })
    }
}

/// Half a square, in tenths.
const HALF: i64 = 225;

fn tenths(units: usize) -> Tenths {
    Tenths(i64::try_from(units * 10).unwrap_or(i64::MAX))
}

fn offsets(axis: &Axis) -> Vec<usize> {
    let widths =
        axis.tracks().iter().map(|track| if matches!(track, Track::Line(_)) { SQUARE } else { FOLD });
    let mut all = vec![0];
    all.extend(widths.scan(0, |end, width| {
        *end += width;
        Some(*end)
    }));
    all
}

/// Which names stand upright: all of a run without folds if one of them is long.
fn upright(labels: &[String]) -> Vec<bool> {
    let runs = labels.chunk_by(|a, b| a.is_empty() == b.is_empty());
    runs.flat_map(|run| vec![run.iter().any(|label| label.len() > UPRIGHT); run.len()]).collect()
}

fn end(offsets: &[usize]) -> usize {
    offsets.last().copied().unwrap_or(0)
}

/// The squares or lines of the board.
pub(super) fn surface(out: &mut String, diagram: &Diagram, frame: &Frame) {
    let (left, top, width, height) = (frame.left, frame.top, end(&frame.columns), end(&frame.rows));
    let base = if diagram.surface == Surface::Chequered { palette::LIGHT } else { palette::WOOD };
    let _ = writeln!(out, r#"<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="{base}"/>"#);
    match diagram.surface {
        Surface::Chequered => squares(out, diagram, frame, &palette::DARK.to_string(), is_dark),
        Surface::Grid => {
            let mut path = String::new();
            for x in &frame.columns {
                let _ = write!(path, "M{} {top}v{height}", left + x);
            }
            for y in &frame.rows {
                let _ = write!(path, "M{left} {}h{width}", top + y);
            }
            lines(out, &path);
        }
        Surface::Xiangqi | Surface::Janggi => crossings(out, diagram, frame),
    }
    if !diagram.border.is_open() {
        squares(out, diagram, frame, "#3b3d42", |x, y| {
            !diagram.border.contains(&Square { x: x.clone(), y: y.clone() })
        });
    }
    let _ = writeln!(
        out,
        r##"<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#6b6355"/>"##
    );
}

fn is_dark(x: &Coord, y: &Coord) -> bool {
    is_odd(x) == is_odd(y)
}

fn is_odd(line: &Coord) -> bool {
    match line.as_i64() {
        Some(small) => small & 1 == 1,
        None => !line.div_rem_euclid(&Coord::from(2)).1.is_zero(),
    }
}

/// Fills the squares that some test picks; runs in a row are one rectangle.
fn squares(
    out: &mut String,
    diagram: &Diagram,
    frame: &Frame,
    fill: &str,
    pick: impl Fn(&Coord, &Coord) -> bool,
) {
    let mut path = String::new();
    for (row, track) in diagram.rows.tracks().iter().enumerate() {
        let Track::Line(y) = track else { continue };
        let mut run: Option<Range<usize>> = None;
        let mut close = |run: Option<Range<usize>>| {
            if let Some(run) = run {
                let width = frame.columns[run.end] - frame.columns[run.start];
                let _ = write!(
                    path,
                    "M{} {}h{width}v{SQUARE}h-{width}z",
                    frame.left + frame.columns[run.start],
                    frame.top + frame.rows[row]
                );
            }
        };
        for (column, track) in diagram.columns.tracks().iter().enumerate() {
            let picked = matches!(track, Track::Line(x) if pick(x, y));
            run = match run {
                Some(run) if picked => Some(run.start..column + 1),
                None if picked => Some(column..column + 1),
                other => {
                    close(other);
                    None
                }
            };
        }
        close(run);
    }
    if !path.is_empty() {
        let _ = writeln!(out, r#"<path d="{path}" fill="{fill}"/>"#);
    }
}

fn lines(out: &mut String, path: &str) {
    let _ = writeln!(out, r#"<path d="{path}" fill="none" stroke="{}"/>"#, palette::LINE);
}

/// The lines of Xiangqi and Janggi, through the middle of the squares.
fn crossings(out: &mut String, diagram: &Diagram, frame: &Frame) {
    let place = |x: i64, y: i64| {
        let (row, column) = (diagram.rows.find(&y.into())?, diagram.columns.find(&x.into())?);
        Some(frame.centre(row, column))
    };
    let mut path = String::new();
    let mut line = |from: (i64, i64), to: (i64, i64)| {
        if let (Some((x0, y0)), Some((x1, y1))) = (place(from.0, from.1), place(to.0, to.1)) {
            let _ = write!(path, "M{x0} {y0}L{x1} {y1}");
        }
    };
    for y in 1..=10 {
        line((1, y), (9, y));
    }
    for x in 1..=9 {
        if diagram.surface == Surface::Xiangqi && x != 1 && x != 9 {
            line((x, 1), (x, 5));
            line((x, 6), (x, 10));
        } else {
            line((x, 1), (x, 10));
        }
    }
    for bottom in [1, 8] {
        line((4, bottom), (6, bottom + 2));
        line((4, bottom + 2), (6, bottom));
    }
    lines(out, &path);
}

/// Marks that colour a square.
pub(super) fn marks_below(out: &mut String, diagram: &Diagram, frame: &Frame) {
    for marked in &diagram.marks {
        let colour = match marked.mark {
            Mark::LastMove => palette::MOVED,
            Mark::Highlight => palette::HIGHLIGHT,
            Mark::EnPassant | Mark::Target | Mark::Capture => continue,
        };
        let (x, y) = (frame.x(marked.column), frame.y(marked.row));
        let _ = writeln!(out, r#"<path d="M{x} {y}h45v45h-45z" fill="{colour}" opacity=".75"/>"#);
    }
}

/// Bands where rows or columns are left out.
pub(super) fn folds(out: &mut String, diagram: &Diagram, frame: &Frame) {
    let (width, height) = (end(&frame.columns), end(&frame.rows));
    let middle = |axis: &Axis, offsets: &[usize]| {
        let run = axis.longest_run();
        usize::midpoint(offsets[run.start], offsets[run.end])
    };
    for (column, track) in diagram.columns.tracks().iter().enumerate() {
        let Track::Gap(gap) = track else { continue };
        let (x, y) = (frame.left + frame.columns[column], frame.top);
        let band = zigzag(x, y, height, |x, y| (x, y));
        let (at_x, at_y) = (x + FOLD / 2, y + middle(&diagram.rows, &frame.rows));
        let turn = format!(r#" transform="rotate(-90 {at_x} {at_y})""#);
        fold(out, &band, &gap.len(), "column", (at_x, at_y), &turn, [&gap.first, &gap.last]);
    }
    for (row, track) in diagram.rows.tracks().iter().enumerate() {
        let Track::Gap(gap) = track else { continue };
        let (x, y) = (frame.left, frame.top + frame.rows[row]);
        let band = zigzag(y, x, width, |y, x| (x, y));
        let at = (x + middle(&diagram.columns, &frame.columns), y + FOLD / 2);
        fold(out, &band, &gap.len(), "row", at, "", [&gap.first, &gap.last]);
    }
}

/// Both edges of a band along `length`: its outline and the zigzags alone.
fn zigzag(
    across: usize,
    along: usize,
    length: usize,
    turn: impl Fn(usize, usize) -> (usize, usize),
) -> (String, String) {
    let teeth = length / TOOTH;
    let edge = |base: usize, index: usize| {
        turn(base + if index.is_multiple_of(2) { 0 } else { 5 }, along + index * TOOTH)
    };
    let points = |points: &mut dyn Iterator<Item = (usize, usize)>| {
        points.map(|(x, y)| format!("{x} {y}")).collect::<Vec<_>>().join(" ")
    };
    // The band takes a little of the empty squares beside it, so that no sliver is left.
    let first = points(&mut (0..=teeth).map(|index| edge(across - 5, index)));
    let second = points(&mut (0..=teeth).map(|index| edge(across + FOLD, index)));
    let back = points(&mut (0..=teeth).rev().map(|index| edge(across + FOLD, index)));
    (format!("M{first} {back}z"), format!("M{first}M{second}"))
}

fn fold(
    out: &mut String,
    (outline, edges): &(String, String),
    count: &Coord,
    what: &str,
    (x, y): (usize, usize),
    turn: &str,
    [first, last]: [&Coord; 2],
) {
    let plural = if *count == Coord::from(1) { "" } else { "s" };
    let (first, last) = (label::short(first, 40), label::short(last, 40));
    let _ = writeln!(
        out,
        r##"<g><title>{what}s {first} to {last} are empty</title><path class="bp-frame" d="{outline}"/><path d="{edges}" fill="none" stroke="#8d8576" stroke-linejoin="round"/><text class="bp-label" x="{x}" y="{}" font-size="11" text-anchor="middle"{turn}>{} {what}{plural}</text></g>"##,
        y + 4,
        label::short(count, 12)
    );
}

/// Marks that stand on a square: rights, en passant, where a movement goes.
pub(super) fn marks_above(out: &mut String, diagram: &Diagram, frame: &Frame) {
    let mut plus = String::new();
    for shown in diagram.pieces.iter().filter(|shown| shown.right) {
        let (Tenths(x), Tenths(y)) = (frame.x(shown.column), frame.y(shown.row));
        let _ = write!(
            plus,
            "M{} {}h7M{} {}v7",
            Tenths(x + 355),
            Tenths(y + 70),
            Tenths(x + 390),
            Tenths(y + 35)
        );
    }
    if !plus.is_empty() {
        let colour = palette::TARGET;
        let _ = writeln!(
            out,
            r##"<g fill="none" stroke-linecap="round"><path d="{plus}" stroke="#fff" stroke-width="4"/><path d="{plus}" stroke="{colour}" stroke-width="2.2"/></g>"##
        );
    }
    for marked in &diagram.marks {
        let (x, y) = frame.centre(marked.row, marked.column);
        let occupied = diagram
            .pieces
            .binary_search_by_key(&(marked.row, marked.column), |shown| (shown.row, shown.column))
            .is_ok();
        let _ = match marked.mark {
            Mark::EnPassant => writeln!(
                out,
                r#"<circle cx="{x}" cy="{y}" r="11" fill="none" stroke="{}" stroke-width="2.5" stroke-dasharray="4.3 4.3"><title>en passant</title></circle>"#,
                palette::CAPTURE
            ),
            Mark::Target => writeln!(out, r#"<circle cx="{x}" cy="{y}" r="7" fill="{}"/>"#, palette::TARGET),
            Mark::Capture if occupied => writeln!(
                out,
                r#"<circle cx="{x}" cy="{y}" r="19.5" fill="none" stroke="{}" stroke-width="3"/>"#,
                palette::CAPTURE
            ),
            Mark::Capture => writeln!(
                out,
                r#"<path d="M{} {}l12 12m0-12l-12 12" fill="none" stroke="{}" stroke-width="3.5" stroke-linecap="round"/>"#,
                Tenths(x.0 - 60),
                Tenths(y.0 - 60),
                palette::CAPTURE
            ),
            Mark::LastMove | Mark::Highlight => Ok(()),
        };
    }
}

/// Arrows along endless movements: from the edge of the first square to beyond the last one shown.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "what is on a picture is small; a step beyond it only gives a direction"
)]
pub(super) fn rays(out: &mut String, diagram: &Diagram, frame: &Frame) {
    for ray in &diagram.rays {
        let (x, y) = frame.centre(ray.row, ray.column);
        let (right, down) = (ray.right as f64, ray.down as f64);
        // Square roots are exact to the last bit everywhere, so the picture is the same everywhere.
        let length = (right * right + down * down).sqrt();
        let (right, down) = (right / length, down / length);
        let run = ray.steps as f64 * length * 450.0 + 290.0;
        let at = |along: f64, aside: f64| {
            let place = |from: Tenths, offset: f64| Tenths(from.0 + offset.round() as i64);
            (place(x, along * right - aside * down), place(y, along * down + aside * right))
        };
        let (start, neck, tip) = (at(190.0, 0.0), at(run - 90.0, 0.0), at(run, 0.0));
        let (one, other) = (at(run - 110.0, 55.0), at(run - 110.0, -55.0));
        let _ = writeln!(
            out,
            r#"<g fill="{0}" stroke="{0}" opacity=".85"><path d="M{1} {2}L{3} {4}" stroke-width="2.5" fill="none"/><path d="M{5} {6}L{7} {8} {9} {10}z" stroke="none"/></g>"#,
            palette::TARGET,
            start.0,
            start.1,
            neck.0,
            neck.1,
            tip.0,
            tip.1,
            one.0,
            one.1,
            other.0,
            other.1
        );
    }
}

/// The names of rows and columns.
pub(super) fn labels(out: &mut String, diagram: &Diagram, frame: &Frame) {
    if !diagram.coordinates {
        return;
    }
    let below = frame.top + end(&frame.rows);
    out.push_str("<g class=\"bp-label\" font-size=\"11\">\n");
    for (column, text) in frame.column_labels.iter().enumerate().filter(|(_, text)| !text.is_empty()) {
        let x = Tenths(frame.x(column).0 + HALF);
        let name = Escaped(text);
        let _ = if frame.upright[column] {
            let (x, y) = (Tenths(x.0 + 40), below + 6);
            writeln!(
                out,
                r#"<text text-anchor="end" transform="translate({x} {y}) rotate(-90)">{name}</text>"#
            )
        } else {
            writeln!(out, r#"<text x="{x}" y="{}" text-anchor="middle">{name}</text>"#, below + 14)
        };
    }
    for (row, text) in frame.row_labels.iter().enumerate().filter(|(_, text)| !text.is_empty()) {
        let (x, y) = (frame.left - 6, Tenths(frame.y(row).0 + HALF + 40));
        let _ = writeln!(out, r#"<text x="{x}" y="{y}" text-anchor="end">{}</text>"#, Escaped(text));
    }
    out.push_str("</g>\n");
}
