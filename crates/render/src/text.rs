//! Boards in the terminal.
//!
//! **Writes** one line a row with its coordinate in front and the columns below; what does not fit beside the board is
//! said in lines under it. Figures in Unicode for the six usual pieces, codes as in canonical text for the others.
//!
//! | on the board | Unicode | ASCII |
//! |---|---|---|
//! | empty square, obstacle, void or beyond the border | `·` `▒` `█` | `.` `%` `#` |
//! | special right | `♙+` | `P+` |
//! | last move | `[♘]` | `[N]` |
//! | a highlighted square | `<♘>` | `<N>` |
//! | a piece that can be captured | `(♞)` | `(n)` |
//! | a square to go to, or to capture on | `•` `×` | `o` `x` |
//! | en passant | `ep` | `ep` |
//! | an endless movement | `→` `↗` … | `>` `/` … |
//! | folded rows or columns | `≈` | `~` |

use std::fmt::Write;
use std::ops::RangeInclusive;

use boardprint_base::{PieceKind, Player, Square};

use crate::axis::Track;
use crate::diagram::{Diagram, Mark, Ray, Surface};
use crate::glyph::{Form, Glyph};
use crate::label;
use crate::palette;

/// How a board is written in the terminal: Unicode without colour unless said otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextOptions {
    ascii: bool,
    colour: bool,
}

impl TextOptions {
    /// Uses ASCII characters only.
    #[must_use]
    pub fn ascii(mut self) -> Self {
        self.ascii = true;
        self
    }

    /// Colours the board with ANSI codes (256 colours).
    #[must_use]
    pub fn colour(mut self, colour: bool) -> Self {
        self.colour = colour;
        self
    }

    /// One of two spellings.
    fn pick<T>(self, unicode: T, ascii: T) -> T {
        if self.ascii { ascii } else { unicode }
    }
}

/// How many characters of a piece's name are written.
const NAME: usize = 6;

/// One square of the board.
#[derive(Clone, Default)]
struct Cell {
    body: String,
    brackets: Option<(char, char)>,
    foreground: Option<u8>,
    background: Option<u8>,
}

/// Writes a diagram as text, each line with its newline.
#[must_use]
pub fn write(diagram: &Diagram, options: TextOptions) -> String {
    let grid = Grid::new(diagram, options);
    let mut out = String::new();
    hand(&mut out, diagram, options, true);
    grid.write(&mut out);
    hand(&mut out, diagram, options, false);
    for track in diagram.columns.tracks() {
        if let Track::Gap(gap) = track {
            let _ = writeln!(
                out,
                "{} columns {} to {} are empty ({})",
                options.pick('≈', '~'),
                label::short(&gap.first, 12),
                label::short(&gap.last, 12),
                label::short(&gap.len(), 12)
            );
        }
    }
    if diagram.hidden > 0 {
        let plural = if diagram.hidden == 1 { "piece is" } else { "pieces are" };
        let _ = writeln!(out, "{} {plural} outside the window", diagram.hidden);
    }
    if let Some(turn) = &diagram.turn {
        let _ = writeln!(out, "{} to move", turn.name);
    }
    out
}

/// The pieces in hand of one side.
fn hand(out: &mut String, diagram: &Diagram, options: TextOptions, top: bool) {
    let held: Vec<String> = diagram
        .hand(top)
        .map(|(glyph, count)| {
            let piece = piece_text(glyph, options);
            if *count > 1 {
                format!("{}{}{count}", piece.trim(), options.pick('×', 'x'))
            } else {
                piece.trim().to_owned()
            }
        })
        .collect();
    if !held.is_empty() {
        let _ = writeln!(out, "in hand: {}", held.join(" "));
    }
}

/// A board of cells, row by row.
struct Grid<'a> {
    diagram: &'a Diagram,
    options: TextOptions,
    cells: Vec<Cell>,
    /// How many characters a square takes, brackets apart.
    width: usize,
    row_labels: Vec<String>,
    column_labels: Vec<String>,
}

impl<'a> Grid<'a> {
    fn new(diagram: &'a Diagram, options: TextOptions) -> Self {
        let name = |track: &Track, name: &dyn Fn(&boardprint_base::Coord) -> String| match track {
            Track::Line(line) if diagram.coordinates => name(line),
            _ => String::new(),
        };
        let rows = diagram.rows.tracks().iter();
        let columns = diagram.columns.tracks().iter();
        let mut grid = Grid {
            diagram,
            options,
            cells: Vec::new(),
            width: 1,
            row_labels: rows.map(|track| name(track, &|row| diagram.row_label(row))).collect(),
            column_labels: columns.map(|track| name(track, &|column| diagram.column_label(column))).collect(),
        };
        grid.lay_squares();
        grid.lay_pieces();
        grid.lay_marks();
        for ray in &diagram.rays {
            grid.lay_ray(ray);
        }
        let bodies = grid.cells.iter().map(|cell| width(&cell.body)).max().unwrap_or(1);
        let labels = grid.column_labels.iter().map(String::len).max().unwrap_or(0);
        grid.width = bodies.max(if labels <= 3 { labels } else { 1 }).max(2);
        grid
    }

    fn cell(&mut self, row: usize, column: usize) -> &mut Cell {
        let columns = self.diagram.columns.tracks().len();
        &mut self.cells[row * columns + column]
    }

    fn lay_squares(&mut self) {
        let diagram = self.diagram;
        for row in diagram.rows.tracks() {
            for column in diagram.columns.tracks() {
                let mut cell = Cell::default();
                if let (Track::Line(x), Track::Line(y)) = (column, row) {
                    let square = Square { x: x.clone(), y: y.clone() };
                    let dark = diagram.surface == Surface::Chequered
                        && (&square.x + &square.y).div_rem_euclid(&2.into()).1.is_zero();
                    let inside = diagram.border.contains(&square);
                    let (unicode, ascii) = if inside { ("·", ".") } else { ("█", "#") };
                    cell.body.push_str(self.options.pick(unicode, ascii));
                    cell.background = Some(if dark { 137 } else { 180 }).filter(|_| inside);
                    cell.foreground = Some(if dark { 101 } else { 138 }).filter(|_| inside);
                }
                self.cells.push(cell);
            }
        }
    }

    fn lay_pieces(&mut self) {
        let options = self.options;
        for shown in &self.diagram.pieces {
            let mut body = piece_text(&shown.glyph, options);
            if shown.right {
                body.push('+');
            }
            let foreground = piece_colour(&shown.glyph);
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
        if self.diagram.pieces.binary_search_by_key(&(row, column), |shown| (shown.row, shown.column)).is_ok()
        {
            return;
        }
        let body = arrow(ray.right, ray.down, self.options);
        let cell = self.cell(row, column);
        body.clone_into(&mut cell.body);
        cell.foreground = Some(22);
    }

    fn write(&self, out: &mut String) {
        let margin = self.row_labels.iter().map(String::len).max().unwrap_or(0);
        let columns = self.diagram.columns.tracks().len();
        for (row, cells) in self.cells.chunks(columns.max(1)).enumerate() {
            let mut line = String::new();
            match &self.diagram.rows.tracks()[row] {
                Track::Line(_) => {
                    let _ = write!(line, "{:>margin$}", self.row_labels[row]);
                    self.write_row(&mut line, cells);
                }
                Track::Gap(gap) => {
                    let wave = self.options.pick("≈", "~");
                    let (first, last) = (label::short(&gap.first, 12), label::short(&gap.last, 12));
                    let note =
                        format!(" rows {first} to {last} are empty ({}) ", label::short(&gap.len(), 12));
                    let waves = self.line_width().saturating_sub(note.len() + 2);
                    let _ =
                        write!(line, "{:margin$} {}{note}{}", "", wave.repeat(2), wave.repeat(waves.max(2)));
                }
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
        self.write_column_labels(out, margin);
    }

    /// How many characters a row takes.
    fn line_width(&self) -> usize {
        self.diagram.columns.tracks().iter().map(|track| self.track_width(track) + 1).sum()
    }

    fn track_width(&self, track: &Track) -> usize {
        if matches!(track, Track::Line(_)) { self.width } else { 1 }
    }

    fn write_row(&self, line: &mut String, cells: &[Cell]) {
        let mut before: Option<char> = None;
        for (cell, track) in cells.iter().zip(self.diagram.columns.tracks()) {
            let separator = match (before, cell.brackets.map(|(open, _)| open)) {
                (None, None) => ' ',
                (Some(close), None) => close,
                (None, Some(open)) => open,
                (Some(_), Some(_)) => '|',
            };
            before = cell.brackets.map(|(_, close)| close);
            let body =
                if matches!(track, Track::Gap(_)) { self.options.pick("≈", "~") } else { &cell.body };
            let padding = " ".repeat(self.track_width(track).saturating_sub(width(body)));
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
    fn write_column_labels(&self, out: &mut String, margin: usize) {
        let longest = self.column_labels.iter().map(String::len).max().unwrap_or(0);
        let lines = if longest <= self.width { longest.min(1) } else { longest };
        for index in 0..lines {
            let mut line = " ".repeat(margin);
            for (text, track) in self.column_labels.iter().zip(self.diagram.columns.tracks()) {
                let width = self.track_width(track);
                let shown = if lines == 1 { &**text } else { text.get(index..=index).unwrap_or("") };
                let _ = write!(line, " {shown:width$}");
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
    }
}

/// A piece as text; tiles of the side at the top have a `v` in front, as Shogi diagrams do.
fn piece_text(glyph: &Glyph, options: TextOptions) -> String {
    match glyph {
        Glyph::Piece(piece) => {
            let neutral = piece.player == Player::NEUTRAL;
            match (piece.kind, figure(piece.kind)) {
                (PieceKind::Void, _) if neutral => options.pick("█", "#").to_owned(),
                (PieceKind::Obstacle, _) if neutral => options.pick("▒", "%").to_owned(),
                (_, Some((white, black))) if !options.ascii => match piece.player {
                    // On a coloured board the ink says whose it is, and full figures are easier to see.
                    _ if options.colour => black.to_string(),
                    Player::WHITE => white.to_string(),
                    Player::BLACK => black.to_string(),
                    _ => piece.to_string(),
                },
                _ => piece.to_string(),
            }
        }
        Glyph::Makruk(kind, Player::WHITE) => kind.letter().to_owned(),
        Glyph::Makruk(kind, _) => kind.letter().to_ascii_lowercase(),
        Glyph::Tile(tile) if options.ascii => {
            let name = label::shortened(&tile.letter, NAME);
            name.chars().map(|c| if c.is_ascii_graphic() { c } else { '?' }).collect()
        }
        Glyph::Tile(tile) => {
            let side = if tile.player == Player::WHITE { ' ' } else { 'v' };
            let plus = if tile.form == Form::Card && tile.promoted { "+" } else { "" };
            let name = label::shortened(&tile.sign, NAME);
            let name: String = name.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
            format!("{side}{plus}{name}")
        }
        Glyph::Origin => options.pick("★", "@").to_owned(),
        Glyph::Friend => options.pick("□", "f").to_owned(),
        Glyph::Enemy => options.pick("■", "e").to_owned(),
    }
}

/// White's and black's figure of a usual piece.
fn figure(kind: PieceKind) -> Option<(char, char)> {
    Some(match kind {
        PieceKind::King => ('♔', '♚'),
        PieceKind::Queen => ('♕', '♛'),
        PieceKind::Rook => ('♖', '♜'),
        PieceKind::Bishop => ('♗', '♝'),
        PieceKind::Knight => ('♘', '♞'),
        PieceKind::Pawn => ('♙', '♟'),
        _ => return None,
    })
}

/// The colour of a piece among the 256 of a terminal.
fn piece_colour(glyph: &Glyph) -> u8 {
    match glyph {
        Glyph::Tile(tile) if tile.promoted => 124,
        Glyph::Tile(_) | Glyph::Enemy => 16,
        Glyph::Origin | Glyph::Friend => 231,
        _ => match glyph.player() {
            Player(0) => 240,
            Player(1) => 231,
            Player(2) => 16,
            Player(3) => 124,
            Player(4) => 19,
            Player(5) => 226,
            Player(6) => 22,
            player => {
                let palette::Colour(red, green, blue) = palette::ink(player).stroke;
                let step = |part: u8| part / 43;
                16 + 36 * step(red) + 6 * step(green) + step(blue)
            }
        },
    }
}

/// The arrow nearest to a direction; down is positive.
fn arrow(right: i64, down: i64, options: TextOptions) -> &'static str {
    // A direction counts as straight when one part is more than twice the other.
    let (r, d) = (right.unsigned_abs(), down.unsigned_abs());
    let right = if d / 2 >= r.max(1) && d > 2 * r.min(d) { 0 } else { right.signum() };
    let down = if r / 2 >= d.max(1) && r > 2 * d.min(r) { 0 } else { down.signum() };
    match (right, down) {
        (1, 0) => options.pick("→", ">"),
        (-1, 0) => options.pick("←", "<"),
        (0, 1) => options.pick("↓", "v"),
        (1, 1) => options.pick("↘", "\\"),
        (-1, 1) => options.pick("↙", "/"),
        (1, -1) => options.pick("↗", "/"),
        (-1, -1) => options.pick("↖", "\\"),
        _ => options.pick("↑", "^"),
    }
}

/// How many columns of a terminal a text takes: two for each East Asian character.
fn width(text: &str) -> usize {
    text.chars().map(|c| if WIDE.iter().any(|range| range.contains(&c)) { 2 } else { 1 }).sum()
}

/// Characters that take two columns.
const WIDE: [RangeInclusive<char>; 6] = [
    '\u{1100}'..='\u{115f}',
    '\u{2e80}'..='\u{a4cf}',
    '\u{ac00}'..='\u{d7a3}',
    '\u{f900}'..='\u{faff}',
    '\u{ff00}'..='\u{ff60}',
    '\u{1f300}'..='\u{3fffd}',
];
