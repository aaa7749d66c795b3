//! The pieces of a board by the lines on which they stand, so that the nearest one is found by bisection.
//!
//! A position lists its pieces in reading order. Asking every one of 100,000 rooks for its way would walk
//! over all of them for each; sorted by lines once, each way is a search in a sorted list.

use boardprint_base::{Border, Coord, Placed, Square};

use super::line;
use super::strikes::DIRECTIONS;
use crate::fairy::{Board, Jump, Occupant, Vector, View};

/// The pieces of a board along the eight lines of queens and knightriders.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    along: Vec<(Vector, Vec<Entry>)>,
}

#[derive(Clone, Debug)]
struct Entry {
    /// Which of the parallel lines it is.
    line: Coord,
    /// Where on that line.
    place: Coord,
    index: usize,
}

/// Pieces on one side of a square.
struct Ahead<'a> {
    /// From near to far.
    forward: &'a [Entry],
    /// From far to near.
    backward: &'a [Entry],
}

impl Lines {
    pub(super) fn of(pieces: &[Placed]) -> Self {
        // Each direction stands next to its opposite.
        let directions = DIRECTIONS.iter().step_by(2).map(|(x, y)| line::undirected(vector(*x, *y)));
        let along = directions.map(|direction| {
            let mut entries: Vec<Entry> = pieces
                .iter()
                .enumerate()
                .map(|(index, placed)| Entry {
                    line: line_of(&placed.square, direction),
                    place: place_of(&placed.square, direction).clone(),
                    index,
                })
                .collect();
            entries.sort_unstable_by(|a, b| (&a.line, &a.place).cmp(&(&b.line, &b.place)));
            (direction, entries)
        });
        Lines { along: along.collect() }
    }

    /// The index of the nearest piece in a direction; `None` also if that is not one of the eight lines.
    pub(super) fn nearest(&self, from: &Square, direction: (i64, i64)) -> Option<usize> {
        let ahead = self.ahead(from, vector(direction.0, direction.1))?;
        ahead.forward.first().or(ahead.backward.last()).map(|entry| entry.index)
    }

    fn ahead(&self, from: &Square, step: Vector) -> Option<Ahead<'_>> {
        let direction = line::undirected(step);
        let (_, entries) = self.along.iter().find(|(along, _)| *along == direction)?;
        let (line, place) = (line_of(from, direction), place_of(from, direction));
        let split = |keep: fn(std::cmp::Ordering) -> bool| {
            entries.partition_point(|entry| keep((&entry.line, &entry.place).cmp(&(&line, place))))
        };
        Some(if (step.x, step.y) > (0, 0) {
            let rest = &entries[split(std::cmp::Ordering::is_le)..];
            let length = rest.partition_point(|entry| entry.line == line);
            Ahead { forward: &rest[..length], backward: &[] }
        } else {
            let rest = &entries[..split(std::cmp::Ordering::is_lt)];
            let start = rest.partition_point(|entry| entry.line < line);
            Ahead { forward: &[], backward: &rest[start..] }
        })
    }
}

/// A number that all squares of one line share, and those of other lines of its direction do not.
fn line_of(square: &Square, direction: Vector) -> Coord {
    match (direction.x, direction.y) {
        (_, 0) => square.y.clone(),
        (0, _) => square.x.clone(),
        (x, y) => &(&square.x * &Coord::from(y)) - &(&square.y * &Coord::from(x)),
    }
}

fn place_of(square: &Square, direction: Vector) -> &Coord {
    if direction.x == 0 { &square.y } else { &square.x }
}

fn vector(x: i64, y: i64) -> Vector {
    Vector { x: x.into(), y: y.into() }
}

/// A position as one of its players sees it, whose lines are known.
pub(super) struct Lined<'a> {
    pub(super) view: View<'a>,
    pub(super) lines: Option<&'a Lines>,
}

impl Board for Lined<'_> {
    const IS_ORDERED: bool = true;

    fn at(&self, square: &Square) -> Occupant {
        self.view.at(square)
    }

    fn occupied(&self) -> impl Iterator<Item = &Square> {
        self.view.occupied()
    }

    fn occupied_on_line(&self, from: &Square, direction: Jump) -> impl Iterator<Item = &Square> {
        let ahead = self.lines.and_then(|lines| lines.ahead(from, direction.into()));
        let others = ahead.is_none().then(|| self.view.occupied_on_line(from, direction));
        let ahead = ahead.unwrap_or(Ahead { forward: &[], backward: &[] });
        let pieces = self.view.pieces.as_slice();
        let squares = ahead.forward.iter().chain(ahead.backward.iter().rev());
        squares.map(|entry| &pieces[entry.index].square).chain(others.into_iter().flatten())
    }

    fn border(&self) -> Option<&Border> {
        self.view.border()
    }
}
