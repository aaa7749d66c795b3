//! What is seen, and where.

use std::fmt::Write;

use boardprint_base::{Border, Coord, Player, Square};

use crate::axis::{Axis, Track};
use crate::builder::DiagramBuilder;
use crate::glyph::Glyph;
use crate::label;

/// A picture that is laid out and ready to be written. Made by a [`DiagramBuilder`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    pub(crate) columns: Axis,
    pub(crate) rows: Axis,
    /// In the order of the page; no square twice.
    pub(crate) pieces: Vec<Shown>,
    pub(crate) marks: Vec<Marked>,
    pub(crate) rays: Vec<Ray>,
    pub(crate) hands: Vec<(Glyph, usize)>,
    pub(crate) border: Border,
    pub(crate) surface: Surface,
    pub(crate) labels: Labels,
    pub(crate) coordinates: bool,
    pub(crate) title: Option<String>,
    pub(crate) turn: Option<Turn>,
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

/// An endless movement in its place: where it starts, its step on the picture (down is positive), and how many steps
/// are on the picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ray {
    pub(crate) row: usize,
    pub(crate) column: usize,
    pub(crate) right: i64,
    pub(crate) down: i64,
    pub(crate) steps: i64,
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

    /// What the picture shows, in words: the title that was set, or one that counts the pieces.
    #[must_use]
    pub fn title(&self) -> String {
        if let Some(title) = &self.title {
            return title.clone();
        }
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let mut title = format!("Board with {} piece{}", self.shown(), plural(self.shown()));
        if self.hidden > 0 {
            let _ = write!(title, ", {} outside the window", self.hidden);
        }
        if let Some(turn) = &self.turn {
            let _ = write!(title, ", {} to move", turn.name);
        }
        title
    }

    /// The name of a column beside the board.
    pub(crate) fn column_label(&self, column: &Coord) -> String {
        let number =
            column.as_i64().and_then(|column| u64::try_from(column).ok()).filter(|number| *number > 0);
        match (self.labels, number) {
            (Labels::Letters, Some(number)) => label::letters(number),
            (Labels::Shogi { columns, .. }, _) => (&Coord::from(i64::from(columns) + 1) - column).to_string(),
            _ => label::short(column, LABEL_WIDTH),
        }
    }

    /// The name of a row beside the board.
    pub(crate) fn row_label(&self, row: &Coord) -> String {
        match self.labels {
            Labels::Shogi { rows, .. } => {
                let from_top = &Coord::from(i64::from(rows) + 1) - row;
                let number = from_top.as_i64().and_then(|row| u64::try_from(row).ok()).filter(|row| *row > 0);
                number.map_or_else(|| label::short(row, LABEL_WIDTH), label::letters)
            }
            _ => label::short(row, LABEL_WIDTH),
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

/// How many characters a coordinate beside the board may have.
const LABEL_WIDTH: usize = 11;
