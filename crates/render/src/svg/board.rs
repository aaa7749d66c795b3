//! The board under the pieces: squares, lines, folds and coordinates.

use std::fmt::Write;
use std::ops::Range;

use boardprint_base::{Coord, Square};

use super::Pen;
use super::frame::{FOLD, Frame, HALF, SQUARE, end};
use crate::axis::{Axis, Track};
use crate::diagram::{Diagram, Surface};
use crate::label;
use crate::palette::Colour;
use crate::signs;
use crate::xml::{Escaped, Tenths};

/// Half a tooth of the zigzag.
const TOOTH: usize = 15;

/// The squares or lines of the board.
pub(super) fn surface(out: &mut String, pen: &Pen<'_>, diagram: &Diagram, frame: &Frame) {
    let colours = &pen.palette;
    let base = if diagram.surface == Surface::Chequered { colours.light } else { colours.wood };
    for [left, top, width, height] in panels(diagram, frame) {
        let _ =
            writeln!(out, r#"<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="{base}"/>"#);
    }
    match diagram.surface {
        Surface::Chequered => squares(out, diagram, frame, colours.dark, |square| diagram.is_dark(square)),
        Surface::Grid => grid(out, pen, diagram, frame),
        Surface::Xiangqi | Surface::Janggi => crossings(out, pen, diagram, frame),
    }
    if !diagram.border.is_open() {
        squares(out, diagram, frame, colours.beyond, |square| !diagram.border.contains(square));
    }
    for [left, top, width, height] in panels(diagram, frame) {
        let _ = writeln!(
            out,
            r#"<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="{}"/>"#,
            colours.edge
        );
    }
}

/// The rectangles that are board: one, or one for each layer; left, top, width and height.
fn panels(diagram: &Diagram, frame: &Frame) -> Vec<[usize; 4]> {
    match diagram.named_layers() {
        Some(layers) => {
            let (columns, rows) = layers.layer_size();
            let corners = layer_corners(diagram, frame).into_iter();
            corners.map(|((x, y), _)| [x, y, columns * SQUARE, rows * SQUARE]).collect()
        }
        None => vec![[frame.left, frame.top, end(&frame.columns), end(&frame.rows)]],
    }
}

/// Lines between squares.
fn grid(out: &mut String, pen: &Pen<'_>, diagram: &Diagram, frame: &Frame) {
    let mut path = String::new();
    let layers = diagram.named_layers().map(crate::Layers::layer_size);
    for [left, top, width, height] in panels(diagram, frame) {
        // The lines of a layer are as far apart as its squares are large; a board alone may be folded.
        let places = |from: usize, offsets: &[usize], count: Option<usize>| -> Vec<usize> {
            match count {
                Some(count) => (0..=count).map(|index| from + index * SQUARE).collect(),
                None => offsets.iter().map(|offset| from + offset).collect(),
            }
        };
        for x in places(left, &frame.columns, layers.map(|(columns, _)| columns)) {
            let _ = write!(path, "M{x} {top}v{height}");
        }
        for y in places(top, &frame.rows, layers.map(|(_, rows)| rows)) {
            let _ = write!(path, "M{left} {y}h{width}");
        }
    }
    lines(out, pen, &path);
}

/// Fills the squares that some test picks; runs in a row are one rectangle.
fn squares(out: &mut String, diagram: &Diagram, frame: &Frame, fill: Colour, pick: impl Fn(&Square) -> bool) {
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
            let picked = matches!(track, Track::Line(x) if pick(&Square { x: x.clone(), y: y.clone() }));
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

fn lines(out: &mut String, pen: &Pen<'_>, path: &str) {
    if !path.is_empty() {
        let _ = writeln!(out, r#"<path d="{path}" fill="none" stroke="{}"/>"#, pen.palette.line);
    }
}

/// The lines of Xiangqi and Janggi, through the middle of the squares.
fn crossings(out: &mut String, pen: &Pen<'_>, diagram: &Diagram, frame: &Frame) {
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
    let xiangqi = diagram.surface == Surface::Xiangqi;
    for y in 1..=10 {
        line((1, y), (9, y));
    }
    for x in 1..=9 {
        if xiangqi && x != 1 && x != 9 {
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
    if xiangqi {
        // At the edges only the half that is on the board is drawn.
        let edge = (tenths(frame.left) + HALF, tenths(frame.left + end(&frame.columns)) - HALF);
        for (x, y) in
            (1..=9).step_by(2).flat_map(|x| [(x, 4), (x, 7)]).chain([(2, 3), (8, 3), (2, 8), (8, 8)])
        {
            corners(&mut path, place(x, y), edge);
        }
    }
    lines(out, pen, &path);
    if xiangqi && let (Some(a), Some(b)) = (place(1, 5), place(1, 6)) {
        river(out, pen, frame, Tenths(i64::midpoint(a.1.0, b.1.0)));
    }
}

/// The small corners around a place where a soldier or cannon starts.
fn corners(path: &mut String, place: Option<(Tenths, Tenths)>, edge: (i64, i64)) {
    let Some((Tenths(x), Tenths(y))) = place else { return };
    for (right, down) in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
        if !(edge.0..edge.1).contains(&(x + right * 90)) {
            continue;
        }
        let (near_x, near_y) = (Tenths(x + right * 30), Tenths(y + down * 30));
        let _ = write!(path, "M{near_x} {}V{near_y}H{}", Tenths(y + down * 90), Tenths(x + right * 90));
    }
}

/// A length in tenths of a unit.
fn tenths(units: usize) -> i64 {
    i64::try_from(units).map_or(i64::MAX, |units| units.saturating_mul(10))
}

/// The names of the river between both halves.
fn river(out: &mut String, pen: &Pen<'_>, frame: &Frame, middle: Tenths) {
    const SIZE: i64 = 260;
    let (left, width) = (tenths(frame.left), tenths(end(&frame.columns)));
    // Where the four signs stand, in eightieths of the width.
    for (sign, eighths) in [('楚', 14), ('河', 28), ('漢', 52), ('界', 66)] {
        let Some(strokes) = signs::strokes(sign) else { continue };
        let (x, y) = (Tenths(left + width * eighths / 80 - SIZE / 2), Tenths(middle.0 - SIZE / 2));
        let _ = writeln!(
            out,
            r#"<path d="{strokes}" transform="translate({x} {y}) scale(.54)" fill="none" stroke="{}" stroke-width="3" stroke-linecap="round" stroke-linejoin="round" opacity=".6"/>"#,
            pen.palette.line
        );
    }
}

/// Bands where rows or columns are left out.
pub(super) fn folds(out: &mut String, pen: &Pen<'_>, diagram: &Diagram, frame: &Frame) {
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
        fold(out, pen, &band, &gap.len(), "column", (at_x, at_y), &turn, [&gap.first, &gap.last]);
    }
    for (row, track) in diagram.rows.tracks().iter().enumerate() {
        let Track::Gap(gap) = track else { continue };
        let (x, y) = (frame.left, frame.top + frame.rows[row]);
        let band = zigzag(y, x, width, |y, x| (x, y));
        let at = (x + middle(&diagram.columns, &frame.columns), y + FOLD / 2);
        fold(out, pen, &band, &gap.len(), "row", at, "", [&gap.first, &gap.last]);
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

#[expect(clippy::too_many_arguments, reason = "one band, said once for rows and columns")]
fn fold(
    out: &mut String,
    pen: &Pen<'_>,
    (outline, edges): &(String, String),
    count: &Coord,
    what: &str,
    (x, y): (usize, usize),
    turn: &str,
    [first, last]: [&Coord; 2],
) {
    let plural = if *count == Coord::from(1) { "" } else { "s" };
    let colours = &pen.palette;
    out.push_str("<g>");
    if pen.tooltips {
        let (first, last) = (label::short(first, 40), label::short(last, 40));
        let _ = write!(out, "<title>{what}s {first} to {last} are empty</title>");
    }
    let _ = writeln!(
        out,
        r##"<path fill="{}" d="{outline}"/><path d="{edges}" fill="none" stroke="#8d8576" stroke-linejoin="round"/><text x="{x}" y="{}" font-size="11" font-family="sans-serif" fill="{}" text-anchor="middle"{turn}>{} {what}{plural}</text></g>"##,
        colours.fold,
        y + 4,
        colours.fold_text,
        label::number(count)
    );
}

/// The names of rows and columns.
pub(super) fn labels(out: &mut String, pen: &Pen<'_>, diagram: &Diagram, frame: &Frame) {
    let below = frame.top + end(&frame.rows);
    layer_names(out, pen, diagram, frame);
    if !diagram.coordinates {
        return;
    }
    let _ = writeln!(out, r#"<g font-size="11" font-family="sans-serif" fill="{}">"#, pen.palette.label);
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

/// The names of layers, above them.
fn layer_names(out: &mut String, pen: &Pen<'_>, diagram: &Diagram, frame: &Frame) {
    for ((x, y), name) in layer_corners(diagram, frame) {
        let _ = writeln!(
            out,
            r#"<text x="{x}" y="{}" font-size="13" font-family="sans-serif" fill="{}">{name}</text>"#,
            y.saturating_sub(8),
            pen.palette.label
        );
    }
}

/// The upper left corner of each layer that is on the picture, with its name.
fn layer_corners(diagram: &Diagram, frame: &Frame) -> Vec<((usize, usize), String)> {
    let Some(layers) = diagram.named_layers() else { return Vec::new() };
    let corner = |layer: usize| {
        let square = layers.corner(layer);
        let (row, column) = (diagram.rows.find(&square.y)?, diagram.columns.find(&square.x)?);
        Some(((frame.left + frame.columns[column], frame.top + frame.rows[row]), layers.name(layer)))
    };
    let (columns, rows) = layers.layer_size();
    if columns == 0 || rows == 0 { Vec::new() } else { (0..layers.len()).filter_map(corner).collect() }
}
