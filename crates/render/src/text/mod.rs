//! Boards in the terminal.
//!
//! **Writes** one line per row with its coordinate in front and the columns below; what does not fit beside
//! the board follows in lines under it. Figures in Unicode for the six usual pieces, codes as in canonical
//! text for the others.
//!
//! | on the board | Unicode | ASCII |
//! |---|---|---|
//! | empty square, obstacle, void or beyond the border | `·` `▒` `█` | `.` `%` `#` |
//! | empty point of a palace | `┼` | `+` |
//! | special right | `♙+` | `P+` |
//! | last move | `[♘]` | `[N]` |
//! | a highlighted square | `<♘>` | `<N>` |
//! | a piece that can be captured | `(♞)` | `(n)` |
//! | a square to go to, or to capture on | `•` `×` | `o` `x` |
//! | en passant | `ep` | `ep` |
//! | an endless movement | `→` `↗` … | `>` `/` … |
//! | folded rows or columns | `≈` | `~` |
//!
//! A board that is wider than [`TextOptions::width`] has letters instead of signs, and if that is not enough,
//! it is written as blocks of columns, one after another.

mod grid;
mod piece;

use std::fmt::Write;

use boardprint_base::is_steering;

use self::grid::Grid;
use crate::axis::Track;
use crate::diagram::Diagram;
use crate::label;

/// How a board is written in the terminal: Unicode without colour, as wide as it is, unless set otherwise.
///
/// ```
/// use boardprint_render::TextOptions;
/// let options = TextOptions::default().ascii().width(40);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextOptions {
    ascii: bool,
    colour: bool,
    width: Option<usize>,
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

    /// Keeps lines within this many columns of the terminal. A board is never narrower than one square, so
    /// fewer than about 20 columns may not be kept.
    #[must_use]
    pub fn width(mut self, columns: usize) -> Self {
        self.width = Some(columns);
        self
    }

    /// One of two spellings.
    fn pick<T>(self, unicode: T, ascii: T) -> T {
        if self.ascii { ascii } else { unicode }
    }
}

/// Writes a diagram as text, each line with its newline.
///
/// ```
/// use boardprint_base::{Piece, PieceKind, Player, Square};
/// use boardprint_render::{Diagram, TextOptions, text};
/// let king = Piece::new(PieceKind::King, Player::WHITE);
/// let diagram = Diagram::builder().margin(0).piece(Square::new(5, 1), king).build()?;
/// assert_eq!(text::write(&diagram, TextOptions::default()), "1 ♔\n  5\n");
/// # Ok::<(), boardprint_render::DiagramError>(())
/// ```
#[must_use]
pub fn write(diagram: &Diagram, options: TextOptions) -> String {
    let fits = |grid: &Grid<'_>| options.width.is_none_or(|width| grid.total_width() <= width);
    let mut grid = Grid::new(diagram, options, false);
    if !fits(&grid) {
        grid = Grid::new(diagram, options, true);
    }
    let mut notes = String::new();
    hand(&mut notes, diagram, options, true);
    let mut out = wrapped(&notes, options);
    grid.write(&mut out);
    notes.clear();
    hand(&mut notes, diagram, options, false);
    for track in diagram.columns.tracks() {
        if let Track::Gap(gap) = track {
            let _ = writeln!(
                notes,
                "{} columns {} to {} are empty ({})",
                options.pick('≈', '~'),
                label::number(&gap.first),
                label::number(&gap.last),
                label::number(&gap.len())
            );
        }
    }
    for arrow in &diagram.arrows {
        let [from, to] = arrow.squares.each_ref().map(|square| diagram.square_name(square));
        let _ = writeln!(notes, "arrow from {from} to {to}");
    }
    if let Some(words) = diagram.layers.as_ref().and_then(crate::Layers::describe) {
        let _ = writeln!(notes, "{}", if options.ascii { words.replace('×', "x") } else { words });
    }
    if diagram.hidden > 0 {
        let plural = if diagram.hidden == 1 { "piece is" } else { "pieces are" };
        let _ = writeln!(notes, "{} {plural} outside the window", diagram.hidden);
    }
    if let Some(words) = diagram.turn_words().filter(|_| diagram.legend) {
        let _ = writeln!(notes, "{}", plain(&words, options));
    }
    out.push_str(&wrapped(&notes, options));
    out
}

/// The pieces in hand of one side.
fn hand(out: &mut String, diagram: &Diagram, options: TextOptions, top: bool) {
    let held: Vec<String> = diagram
        .hand(top)
        .map(|(glyph, count)| {
            let piece = piece::text(glyph, options, false);
            if *count > 1 {
                format!("{}{}{count}", piece.trim(), options.pick('×', 'x'))
            } else {
                piece.trim().to_owned()
            }
        })
        .collect();
    if !held.is_empty() {
        let side =
            diagram.side_name(top).map(|name| format!("{} ", plain(name, options))).unwrap_or_default();
        let _ = writeln!(out, "{side}in hand: {}", held.join(" "));
    }
}

/// Words from elsewhere without what would steer a terminal, and in ASCII if that is asked for.
fn plain(words: &str, options: TextOptions) -> String {
    let keep = |c: char| !is_steering(c) && (!options.ascii || c.is_ascii());
    words.chars().map(|c| if keep(c) { c } else { options.pick('\u{fffd}', '?') }).collect()
}

/// Lines broken between words where they are too long; what follows is indented.
fn wrapped(lines: &str, options: TextOptions) -> String {
    let Some(limit) = options.width else { return lines.to_owned() };
    let mut out = String::new();
    for line in lines.lines() {
        let mut used = 0;
        for word in line.split(' ') {
            let width = piece::width(word);
            if used > 0 && used + 1 + width > limit {
                out.push_str("\n  ");
                used = 2;
            } else if used > 0 {
                out.push(' ');
                used += 1;
            }
            out.push_str(word);
            used += width;
        }
        out.push('\n');
    }
    out
}
