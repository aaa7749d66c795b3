//! The squares of a board in the terminal.

use std::fmt::Write;
use std::ops::Range;

use boardprint_base::{Coord, PieceKind, Square};

use super::{TextOptions, piece};
use crate::axis::{Axis, Track};
use crate::diagram::{Diagram, Mark, Ray, Surface};
use crate::glyph::Glyph;
use crate::label;

/// One square of the board.
#[derive(Clone, Default)]
struct Cell {
    body: String,
    brackets: Option<(char, char)>,
    foreground: Option<u8>,
    background: Option<u8>,
}

/// A board of cells, row by row.
pub(super) struct Grid<'a> {
    diagram: &'a Diagram,
    options: TextOptions,
    letters: bool,
    cells: Vec<Cell>,
    /// How many characters a square takes, brackets apart.
    width: usize,
    row_labels: Vec<String>,
    column_labels: Vec<String>,
}

impl<'a> Grid<'a> {
    /// The board with signs on its tiles, or with letters, which are narrower.
    pub(super) fn new(diagram: &'a Diagram, options: TextOptions, letters: bool) -> Self {
        let labels = |axis: &Axis, name: &dyn Fn(&Coord) -> String| -> Vec<String> {
            let text = |track: &Track| match track {
                Track::Line(line) if diagram.coordinates => name(line),
                _ => String::new(),
            };
            axis.tracks().iter().map(text).collect()
        };
        let mut grid = Grid {
            diagram,
            options,
            letters,
            cells: Vec::new(),
            width: 1,
            row_labels: labels(&diagram.rows, &|row| diagram.row_label(row)),
            column_labels: labels(&diagram.columns, &|column| diagram.column_label(column)),
        };
        grid.lay_squares();
        grid.lay_pieces();
        grid.lay_marks();
        for ray in &diagram.rays {
            grid.lay_ray(ray);
        }
        let bodies = grid.cells.iter().map(|cell| piece::width(&cell.body)).max().unwrap_or(1);
        let labels = grid.column_labels.iter().map(String::len).max().unwrap_or(0);
        grid.width = bodies.max(if labels <= 3 { labels } else { 1 }).max(2);
        grid
    }

    /// How many columns of the terminal the whole board takes.
    pub(super) fn total_width(&self) -> usize {
        self.margin() + self.line_width(0..self.columns()) + 1
    }

    fn columns(&self) -> usize {
        self.diagram.columns.tracks().len()
    }

    fn margin(&self) -> usize {
        self.row_labels.iter().map(String::len).max().unwrap_or(0)
    }

    fn cell(&mut self, row: usize, column: usize) -> &mut Cell {
        let columns = self.columns();
        &mut self.cells[row * columns + column]
    }

    fn lay_squares(&mut self) {
        let diagram = self.diagram;
        for row in diagram.rows.tracks() {
            for column in diagram.columns.tracks() {
                let mut cell = Cell::default();
                if let (Track::Line(x), Track::Line(y)) = (column, row) {
                    let square = Square { x: x.clone(), y: y.clone() };
                    let dark = diagram.surface == Surface::Chequered && diagram.is_dark(&square);
                    let inside = diagram.border.contains(&square) && !diagram.is_between(&square);
                    let (unicode, ascii) = match inside {
                        _ if diagram.is_between(&square) => (" ", " "),
                        true if is_palace(diagram, &square) => ("┼", "+"),
                        true => ("·", "."),
                        false => ("█", "#"),
                    };
                    cell.body.push_str(self.options.pick(unicode, ascii));
                    cell.background = Some(if dark { 137 } else { 180 }).filter(|_| inside);
                    cell.foreground = Some(if dark { 101 } else { 138 }).filter(|_| inside);
                }
                self.cells.push(cell);
            }
        }
    }

    fn lay_pieces(&mut self) {
        let (options, letters) = (self.options, self.letters);
        for shown in &self.diagram.pieces {
            let mut body = piece::text(&shown.glyph, options, letters);
            if shown.right {
                body.push('+');
            }
            let foreground = piece::colour(&shown.glyph);
            let void = matches!(shown.glyph, Glyph::Piece(piece) if piece.kind == PieceKind::Void);
            let cell = self.cell(shown.row, shown.column);
            cell.body = body;
            cell.foreground = Some(foreground);
            if void {
                cell.background = None;
            }
        }
    }

    fn lay_marks(&mut self) {
        let options = self.options;
        for marked in &self.diagram.marks {
            let place = (marked.row, marked.column);
            let occupied =
                self.diagram.pieces.binary_search_by_key(&place, |shown| (shown.row, shown.column)).is_ok();
            let cell = self.cell(marked.row, marked.column);
            let mut write = |body: &str, colour: u8| {
                body.clone_into(&mut cell.body);
                cell.foreground = Some(colour);
            };
            match marked.mark {
                Mark::LastMove => {
                    cell.brackets = Some(('[', ']'));
                    cell.background = Some(178);
                }
                Mark::Highlight => {
                    cell.brackets = Some(('<', '>'));
                    cell.background = Some(110);
                }
                Mark::Capture | Mark::Target | Mark::EnPassant if occupied => {
                    cell.brackets = Some(('(', ')'));
                    cell.background = Some(167);
                }
                Mark::EnPassant => write("ep", 88),
                Mark::Target => write(options.pick("•", "o"), 22),
                Mark::Capture => write(options.pick("×", "x"), 88),
            }
        }
    }

    /// Puts an arrow on the last square of an endless movement, unless a piece stands there.
    fn lay_ray(&mut self, ray: &Ray) {
        let along = |start: usize, step: i64| {
            usize::try_from(i64::try_from(start).ok()? + step.checked_mul(ray.steps)?).ok()
        };
        let (Some(row), Some(column)) = (along(ray.row, ray.down), along(ray.column, ray.right)) else {
            return;
        };
        let pieces = &self.diagram.pieces;
        if pieces.binary_search_by_key(&(row, column), |shown| (shown.row, shown.column)).is_ok() {
            return;
        }
        let body = piece::arrow(ray.right, ray.down, self.options);
        let cell = self.cell(row, column);
        body.clone_into(&mut cell.body);
        cell.foreground = Some(22);
    }

    /// Writes the board, in blocks of columns if it is too wide.
    pub(super) fn write(&self, out: &mut String) {
        let mut start = 0;
        let room = self.options.width.unwrap_or(usize::MAX).saturating_sub(self.margin() + 1);
        loop {
            let tracks = &self.diagram.columns.tracks()[start..];
            let mut used = 0;
            let fitting = tracks.iter().take_while(|track| {
                used += self.track_width(track) + 1;
                used <= room
            });
            let end = (start + fitting.count().max(1)).min(self.columns());
            self.write_block(out, start..end);
            if end >= self.columns() {
                return;
            }
            out.push('\n');
            start = end;
        }
    }

    fn write_block(&self, out: &mut String, block: Range<usize>) {
        let margin = self.margin();
        for (row, cells) in self.cells.chunks(self.columns().max(1)).enumerate() {
            let mut line = String::new();
            match &self.diagram.rows.tracks()[row] {
                Track::Line(y) => {
                    if let Some(names) = self.layer_names(y, block.clone()) {
                        let _ = write!(line, "{:margin$}{names}", "");
                    } else {
                        let _ = write!(line, "{:>margin$}", self.row_labels[row]);
                        self.write_row(&mut line, &cells[block.clone()], block.clone());
                    }
                }
                Track::Gap(gap) => {
                    let wave = self.options.pick("≈", "~");
                    let (first, last) = (label::number(&gap.first), label::number(&gap.last));
                    let count = label::number(&gap.len());
                    let mut note = format!(" rows {first} to {last} are empty ({count}) ");
                    if self.options.width.is_some_and(|width| margin + note.len() + 5 > width) {
                        note = format!(" {count} rows ");
                    }
                    let waves = self.line_width(block.clone()).saturating_sub(note.len() + 2);
                    let _ =
                        write!(line, "{:margin$} {}{note}{}", "", wave.repeat(2), wave.repeat(waves.max(2)));
                }
            }
            out.push_str(line.trim_end());
            out.push('\n');
            self.write_river(out, row, block.clone());
        }
        self.write_column_labels(out, block);
    }

    /// The names of the layers below this row, if it is a row of names.
    fn layer_names(&self, y: &Coord, block: Range<usize>) -> Option<String> {
        let layers = self.diagram.named_layers()?;
        let first = Square { x: layers.corner(0).x, y: y.clone() };
        if !self.diagram.is_between(&first) {
            return None;
        }
        let (mut line, mut at) = (String::new(), 0);
        for (index, track) in self.diagram.columns.tracks()[block].iter().enumerate() {
            let Track::Line(x) = track else { continue };
            let below = Square { x: x.clone(), y: y - 1 };
            let named = layers.find(&below).filter(|(_, _, column)| *column == 0 || index == 0);
            if let Some((layer, ..)) = named {
                let _ = write!(line, "{:1$} {2}", "", at - line.len().min(at), layers.name(layer));
            }
            at += self.track_width(track) + 1;
        }
        Some(line)
    }

    /// The river of Xiangqi, after the row above it.
    fn write_river(&self, out: &mut String, row: usize, block: Range<usize>) {
        if self.diagram.surface != Surface::Xiangqi {
            return;
        }
        let tracks = self.diagram.rows.tracks();
        let pair = (tracks.get(row), tracks.get(row + 1));
        let (Some(Track::Line(upper)), Some(Track::Line(lower))) = pair else { return };
        if upper.as_i64().zip(lower.as_i64()).is_some_and(|(a, b)| a.min(b) == 5 && a.max(b) == 6) {
            let dash = self.options.pick("─", "-");
            let side = (self.line_width(block).saturating_sub(8) / 2).max(1);
            let _ = writeln!(out, "{:1$} {2} river {2}", "", self.margin(), dash.repeat(side));
        }
    }

    /// How many characters some columns of a row take.
    fn line_width(&self, columns: Range<usize>) -> usize {
        self.diagram.columns.tracks()[columns].iter().map(|track| self.track_width(track) + 1).sum()
    }

    fn track_width(&self, track: &Track) -> usize {
        if matches!(track, Track::Line(_)) { self.width } else { 1 }
    }

    fn write_row(&self, line: &mut String, cells: &[Cell], block: Range<usize>) {
        let mut before: Option<char> = None;
        for (cell, track) in cells.iter().zip(&self.diagram.columns.tracks()[block]) {
            let separator = match (before, cell.brackets.map(|(open, _)| open)) {
                (None, None) => ' ',
                (Some(close), None) => close,
                (None, Some(open)) => open,
                (Some(_), Some(_)) => '|',
            };
            before = cell.brackets.map(|(_, close)| close);
            let body =
                if matches!(track, Track::Gap(_)) { self.options.pick("≈", "~") } else { &cell.body };
            let padding = " ".repeat(self.track_width(track).saturating_sub(piece::width(body)));
            let coloured = self.options.colour && (cell.background.is_some() || cell.foreground.is_some());
            if coloured {
                if let Some(background) = cell.background {
                    let _ = write!(line, "\x1b[48;5;{background}m");
                }
                if let Some(foreground) = cell.foreground {
                    let _ = write!(line, "\x1b[1;38;5;{foreground}m");
                }
            }
            let _ = write!(line, "{separator}{body}{padding}");
            if coloured {
                line.push_str("\x1b[0m");
            }
        }
        line.extend(before);
    }

    /// The names of columns side by side, or from top to bottom when they are too long for that.
    fn write_column_labels(&self, out: &mut String, block: Range<usize>) {
        let labels = &self.column_labels[block.clone()];
        let longest = labels.iter().map(String::len).max().unwrap_or(0);
        let lines = if longest <= self.width { longest.min(1) } else { longest };
        for index in 0..lines {
            let mut line = " ".repeat(self.margin());
            for (text, track) in labels.iter().zip(&self.diagram.columns.tracks()[block.clone()]) {
                let width = self.track_width(track);
                let shown = if lines == 1 { &**text } else { text.get(index..=index).unwrap_or("") };
                let _ = write!(line, " {shown:width$}");
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
    }
}

/// Whether a point lies in a palace of Xiangqi or Janggi.
fn is_palace(diagram: &Diagram, square: &Square) -> bool {
    let lines = matches!(diagram.surface, Surface::Xiangqi | Surface::Janggi);
    let (Some(x), Some(y)) = (square.x.as_i64(), square.y.as_i64()) else { return false };
    lines && (4..=6).contains(&x) && ((1..=3).contains(&y) || (8..=10).contains(&y))
}
