//! Where everything goes.

use boardprint_base::Coord;

use crate::axis::{Axis, Track};
use crate::diagram::Diagram;
use crate::xml::Tenths;

/// The side of a square.
pub(super) const SQUARE: usize = 45;
/// The width of a fold; a multiple of the zigzag's step, as [`SQUARE`] is.
pub(super) const FOLD: usize = 30;
/// The height of a row of pieces in hand.
const HAND: usize = 38;
/// The distance between pieces in hand.
const HAND_STEP: usize = 56;
/// The height of the line that says whose turn it is.
const LEGEND: usize = 22;
/// The width of a character of that line.
const LEGEND_CHARACTER: usize = 8;
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
    pub(super) left: usize,
    pub(super) top: usize,
    /// Where each track starts, from the corner of the board, and where the last one ends.
    pub(super) columns: Vec<usize>,
    pub(super) rows: Vec<usize>,
    pub(super) column_labels: Vec<String>,
    pub(super) row_labels: Vec<String>,
    /// Which names of columns stand upright: too long to stand side by side, or between such.
    pub(super) upright: Vec<bool>,
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
        let (board_width, board_height) = (end(&columns), end(&rows));
        let hand_width = hands.iter().max().copied().unwrap_or(0) * HAND_STEP;
        let top = EDGE + hand_height(hands[0]);
        let hand_top = top + board_height + below;
        let words = diagram.turn_words().filter(|_| diagram.legend);
        let legend_width = words.as_ref().map_or(0, |words| 20 + words.chars().count() * LEGEND_CHARACTER);
        Frame {
            width: left + board_width.max(hand_width).max(legend_width) + EDGE,
            height: hand_top + hand_height(hands[1]) + if words.is_some() { LEGEND } else { 0 },
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
    pub(super) fn centre(&self, row: usize, column: usize) -> (Tenths, Tenths) {
        (Tenths(self.x(column).0 + HALF), Tenths(self.y(row).0 + HALF))
    }

    /// Where a piece in hand goes.
    pub(super) fn hand_place(&self, top: bool, index: usize) -> (usize, usize) {
        (self.left + index * HAND_STEP, if top { 4 } else { self.hand_top })
    }

    /// Where the dot of the side to move goes.
    pub(super) fn legend_place(&self) -> (usize, usize) {
        (self.left + 6, self.height - LEGEND / 2 - 2)
    }
}

/// Half a square, in tenths.
pub(super) const HALF: i64 = 225;

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

pub(super) fn end(offsets: &[usize]) -> usize {
    offsets.last().copied().unwrap_or(0)
}
