//! What is seen, and where.

use std::fmt::Write;

use boardprint_base::{Border, Coord, Player, Square};

use crate::axis::{Axis, Track};
use crate::builder::DiagramBuilder;
use crate::glyph::Glyph;
use crate::label;
use crate::layers::Layers;

/// A picture that is laid out and ready to be written. Made by a [`DiagramBuilder`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    pub(crate) columns: Axis,
    pub(crate) rows: Axis,
    /// In the order of the page; no square twice.
    pub(crate) pieces: Vec<Shown>,
    pub(crate) marks: Vec<Marked>,
    pub(crate) rays: Vec<Ray>,
    pub(crate) arrows: Vec<Arrow>,
    pub(crate) hands: Vec<(Glyph, usize)>,
    pub(crate) border: Border,
    pub(crate) surface: Surface,
    pub(crate) labels: Labels,
    pub(crate) coordinates: bool,
    pub(crate) legend: bool,
    pub(crate) title: Option<String>,
    pub(crate) turn: Option<Turn>,
    /// The names of the sides that sit at the bottom and at the top of a board that is not flipped.
    pub(crate) sides: Option<[String; 2]>,
    pub(crate) layers: Option<Layers>,
    pub(crate) flipped: bool,
    pub(crate) hidden: usize,
}

/// A piece in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) row: usize,
    pub(crate) column: usize,
    pub(crate) square: Square,
    pub(crate) glyph: Glyph,
    pub(crate) right: bool,
}

/// A mark in its place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Marked {
    pub(crate) row: usize,
    pub(crate) column: usize,
    pub(crate) mark: Mark,
}

/// An endless movement in its place: where it starts, its step on the picture (down is positive), and how
/// many steps are on the picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ray {
    pub(crate) row: usize,
    pub(crate) column: usize,
    pub(crate) right: i64,
    pub(crate) down: i64,
    pub(crate) steps: i64,
}

/// An arrow between the middles of two squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Arrow {
    /// Row and column where it starts.
    pub(crate) from: (usize, usize),
    /// Row and column of its tip.
    pub(crate) to: (usize, usize),
    /// Both squares, for words.
    pub(crate) squares: [Square; 2],
}

/// Whose turn it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    /// Whether this side starts at the bottom of the board.
    pub(crate) from_bottom: bool,
    /// The player in whose colour the side is shown.
    pub(crate) colour: Player,
    pub(crate) name: String,
}

/// What can be said about a square besides what stands on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Mark {
    /// The last move started or ended here.
    LastMove,
    /// Somebody points at it.
    Highlight,
    /// A pawn may capture en passant here.
    EnPassant,
    /// A movement may end here without capturing.
    Target,
    /// A movement may capture here.
    Capture,
}

/// What a board looks like where nothing stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Surface {
    /// Dark and light squares; 1,1 is dark.
    #[default]
    Chequered,
    /// Squares of one colour with lines between them (Shogi, Makruk).
    Grid,
    /// Crossing lines with a river and palaces, 9 by 10 (Xiangqi).
    Xiangqi,
    /// Crossing lines with palaces, 9 by 10 (Janggi).
    Janggi,
}

/// How rows and columns are named along the edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Labels {
    /// By their coordinates.
    #[default]
    Numbers,
    /// Columns by letters from `a` at column 1, rows by numbers.
    Letters,
    /// Columns by numbers from the right, rows by letters from the top.
    Shogi {
        /// How many columns the board has.
        columns: u32,
        /// How many rows the board has.
        rows: u32,
    },
}

impl Diagram {
    /// Starts an empty diagram.
    #[must_use]
    pub fn builder() -> DiagramBuilder {
        DiagramBuilder::default()
    }

    /// How many columns and rows of squares are shown, folded ones left out.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        let lines =
            |axis: &Axis| axis.tracks().iter().filter(|track| matches!(track, Track::Line(_))).count();
        (lines(&self.columns), lines(&self.rows))
    }

    /// How many pieces are on the picture.
    #[must_use]
    pub fn shown(&self) -> usize {
        self.pieces.len()
    }

    /// How many pieces lie outside the window.
    #[must_use]
    pub const fn hidden(&self) -> usize {
        self.hidden
    }

    /// What the picture shows, in words: the title that was set, or one that counts the pieces. At most 500
    /// characters.
    #[must_use]
    pub fn title(&self) -> String {
        if let Some(title) = &self.title {
            return label::shortened(title, TITLE);
        }
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let mut title = format!("Board with {} piece{}", self.shown(), plural(self.shown()));
        if self.hidden > 0 {
            let _ = write!(title, ", {} outside the window", self.hidden);
        }
        if let Some(words) = self.layers.as_ref().and_then(Layers::describe) {
            let _ = write!(title, ", {words}");
        }
        if let Some(turn) = self.turn_words() {
            let _ = write!(title, ", {turn}");
        }
        title
    }

    /// Whose turn it is, in words.
    pub(crate) fn turn_words(&self) -> Option<String> {
        self.turn.as_ref().map(|turn| format!("{} to move", label::shortened(&turn.name, NAME)))
    }

    /// The name of the side whose hand is shown at the top, or at the bottom.
    pub(crate) fn side_name(&self, top: bool) -> Option<&str> {
        self.sides.as_ref().map(|sides| &*sides[usize::from(top != self.flipped)])
    }

    /// A square in the words of the game: `5,4`, `e4`, `5e`, or `layer 2 b1`.
    pub(crate) fn square_name(&self, square: &Square) -> String {
        let name = match self.labels {
            Labels::Numbers => label::square(square),
            _ => format!("{}{}", self.column_label(&square.x), self.row_label(&square.y)),
        };
        match self.named_layers().and_then(|layers| Some((layers, layers.find(square)?.0))) {
            Some((layers, layer)) => format!("{} {name}", layers.name(layer)),
            None => name,
        }
    }

    /// Whether a square of a chequered board is dark.
    pub(crate) fn is_dark(&self, square: &Square) -> bool {
        match self.named_layers() {
            // Neighbours above each other differ, as neighbours side by side do.
            Some(layers) => {
                layers.find(square).is_some_and(|(layer, row, column)| (layer + row + column) % 2 == 1)
            }
            None => is_odd(&square.x) == is_odd(&square.y),
        }
    }

    /// The layers, if there is more than one to be told apart.
    pub(crate) fn named_layers(&self) -> Option<&Layers> {
        self.layers.as_ref().filter(|layers| layers.is_named())
    }

    /// Whether a square lies between layers.
    pub(crate) fn is_between(&self, square: &Square) -> bool {
        self.named_layers().is_some_and(|layers| layers.find(square).is_none())
    }

    /// The row from the bottom and the column of a layer, counted from 1, as the game counts them.
    fn inside_layer(&self, square: &Square) -> Option<(u64, u64)> {
        let layers = self.named_layers()?;
        let (_, row, column) = layers.find(square)?;
        let (columns, rows) = layers.layer_size();
        let (row, column) = if self.flipped { (row + 1, columns - column) } else { (rows - row, column + 1) };
        Some((row as u64, column as u64))
    }

    /// The name of a column beside the board.
    pub(crate) fn column_label(&self, column: &Coord) -> String {
        if let Some(layers) = self.named_layers() {
            let square = Square { x: column.clone(), y: layers.corner(0).y };
            return self.inside_layer(&square).map(|(_, column)| label::letters(column)).unwrap_or_default();
        }
        let number =
            column.as_i64().and_then(|column| u64::try_from(column).ok()).filter(|number| *number > 0);
        match (self.labels, number) {
            (Labels::Letters, Some(number)) => label::letters(number),
            (Labels::Shogi { columns, .. }, _) => {
                label::number(&(&Coord::from(i64::from(columns) + 1) - column))
            }
            _ => label::number(column),
        }
    }

    /// The name of a row beside the board.
    pub(crate) fn row_label(&self, row: &Coord) -> String {
        if let Some(layers) = self.named_layers() {
            let square = Square { x: layers.corner(0).x, y: row.clone() };
            return self.inside_layer(&square).map(|(row, _)| row.to_string()).unwrap_or_default();
        }
        match self.labels {
            Labels::Shogi { rows, .. } => {
                let from_top = &Coord::from(i64::from(rows) + 1) - row;
                let number = from_top.as_i64().and_then(|row| u64::try_from(row).ok()).filter(|row| *row > 0);
                number.map_or_else(|| label::number(row), label::letters)
            }
            _ => label::number(row),
        }
    }

    /// Whether a player's tiles point up.
    pub(crate) fn points_up(&self, player: Player) -> bool {
        (player == Player::WHITE) != self.flipped
    }

    /// The pieces in hand of the side that sits at the top, or of the one at the bottom.
    pub(crate) fn hand(&self, top: bool) -> impl Iterator<Item = &(Glyph, usize)> {
        self.hands.iter().filter(move |(glyph, _)| self.points_up(glyph.player()) != top)
    }
}

fn is_odd(line: &Coord) -> bool {
    match line.as_i64() {
        Some(small) => small & 1 == 1,
        None => !line.div_rem_euclid(&Coord::from(2)).1.is_zero(),
    }
}

/// How many characters of a title are written.
const TITLE: usize = 500;
/// How many characters of a side's name are written.
const NAME: usize = 40;
