//! A window of the infinite board as a dense CPN, for readers that want one.
//!
//! The cells are those of [`list`] without their squares (`INFINITE:+^K`, `infinite_0:ep`), rows from the
//! top, columns from the left, shape `rows,columns`. Where the window lies is lost, and so is everything
//! beyond it. [`from_cpn`] reads a window back if it is told where it lay.

use std::fmt;

use boardprint_base::{Coord, Piece, Pieces, Placed, Player, Position, Rect, Span, Square};
use boardprint_cpn::{Actor, Cpn, CpnError, Field, Side};

use crate::identity::{Identity, Marks};
use crate::list;
use crate::lost::{Lossy, Lost};
use crate::rights::DeadRights;
use crate::words;

/// The most cells a dense board may have: 2^20.
pub const MAX_CELLS: usize = 1 << 20;

/// A rectangle of squares, small enough to be written as a dense board.
///
/// ```
/// use boardprint_bridge::grid::Grid;
/// let grid = Grid::of(&"1,1,8,8".parse()?)?;
/// assert_eq!((grid.rows(), grid.columns()), (8, 8));
/// assert!(Grid::of(&"0,0,1000000000000,0".parse()?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    left: Coord,
    top: Coord,
    columns: usize,
    rows: usize,
}

/// A window that cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GridError {
    /// It has more than [`MAX_CELLS`] cells.
    TooLarge,
    /// Nothing stands on the board, so there is no box around it.
    Nothing,
}

impl Grid {
    /// The dense board of a rectangle of squares.
    ///
    /// # Errors
    ///
    /// [`GridError`] if it has too many squares.
    pub fn of(rect: &Rect) -> Result<Self, GridError> {
        let size = |low: &Coord, high: &Coord| {
            let size = (high - low).as_i64().and_then(|span| usize::try_from(span).ok())?.checked_add(1)?;
            (size <= MAX_CELLS).then_some(size)
        };
        let columns = size(rect.left(), rect.right()).ok_or(GridError::TooLarge)?;
        let rows = size(rect.bottom(), rect.top()).ok_or(GridError::TooLarge)?;
        if columns * rows > MAX_CELLS {
            return Err(GridError::TooLarge);
        }
        Ok(Grid { left: rect.left().clone(), top: rect.top().clone(), columns, rows })
    }

    /// The smallest window that holds every piece and an en passant square that counts.
    ///
    /// # Errors
    ///
    /// [`GridError`] if there is none, or if it is too large.
    pub fn around(position: &Position, marks: Marks) -> Result<Self, GridError> {
        let mut rights = DeadRights::default();
        let identity = Identity::of(position, marks, &mut rights);
        let squares = || position.pieces.iter().map(|placed| &placed.square).chain(identity.en_passant);
        let columns = squares().map(|square| &square.x);
        let rows = squares().map(|square| &square.y);
        let (Some(left), Some(right), Some(bottom), Some(top)) =
            (columns.clone().min(), columns.max(), rows.clone().min(), rows.max())
        else {
            return Err(GridError::Nothing);
        };
        let corners = (Square::new(left.clone(), bottom.clone()), Square::new(right.clone(), top.clone()));
        Self::of(&Rect::new(corners.0, corners.1))
    }

    /// How many rows it has.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// How many columns it has.
    #[must_use]
    pub const fn columns(&self) -> usize {
        self.columns
    }

    /// The number of the cell of a square, in reading order from 0, if the window has it.
    fn cell(&self, square: &Square) -> Option<usize> {
        let within = |distance: Coord, size: usize| {
            distance
                .as_i64()
                .and_then(|distance| usize::try_from(distance).ok())
                .filter(|distance| *distance < size)
        };
        let row = within(&self.top - &square.y, self.rows)?;
        let column = within(&square.x - &self.left, self.columns)?;
        Some(row * self.columns + column)
    }
}

/// The window of a position as a dense CPN.
///
/// # Errors
///
/// [`Lossy`] always: the CPN and what it does not carry, at least where the window lies.
#[expect(clippy::missing_panics_doc, reason = "what is written is a CPN")]
pub fn to_cpn(position: &Position, window: &Grid, marks: Marks) -> Result<Cpn, Lossy<Cpn>> {
    let mut rights = DeadRights::default();
    let identity = Identity::of(position, marks, &mut rights);
    let mut lost = list::lost(position, marks) | Lost::ORIGIN;
    let mut text: Vec<u8> = Vec::with_capacity(window.rows * window.columns);
    let mut cell = 0;
    let mut advance = |text: &mut Vec<u8>, to: usize| {
        text.resize(text.len() + to - cell, b',');
        cell = to;
    };
    let en_passant = identity.en_passant.filter(|square| position.pieces.get(square).is_none());
    lost |= Lost::EN_PASSANT.when(identity.en_passant.is_some_and(|square| {
        // As given, it may stand on an occupied square, and a cell holds one actor.
        en_passant.is_none() || window.cell(square).is_none()
    }));
    let mut en_passant = en_passant.and_then(|square| window.cell(square));
    let mut dead = identity.dead_rights.iter().copied().peekable();
    for (index, placed) in position.pieces.iter().enumerate() {
        let right = placed.right && dead.next_if_eq(&index).is_none();
        let Some(place) = window.cell(&placed.square) else {
            lost |= Lost::OUTSIDE;
            continue;
        };
        if let Some(earlier) = en_passant.take_if(|earlier| *earlier < place) {
            advance(&mut text, earlier);
            text.extend_from_slice(words::EN_PASSANT);
        }
        advance(&mut text, place);
        words::write_actor(&mut text, placed.piece, right);
    }
    if let Some(last) = en_passant {
        advance(&mut text, last);
        text.extend_from_slice(words::EN_PASSANT);
    }
    advance(&mut text, window.rows * window.columns - 1);
    let board = String::from_utf8(text).expect("actors are ASCII");
    let to_move = position.turn.to_move();
    let side = if to_move == boardprint_base::Player::WHITE { Side::Bottom } else { Side::Top };
    let mut hand = Vec::new();
    if !position.turn.is_white_and_black() {
        hand.extend_from_slice(words::TURN);
        for player in position.turn.cycle() {
            hand.push(b'_');
            words::write_number(&mut hand, player.0);
        }
    }
    let hand = String::from_utf8(hand).expect("actors are ASCII");
    let text = format!("{side}--{},{}--{board}--{hand}", window.rows, window.columns);
    lost.with(text.parse().expect("actors in as many cells as the shape has"))
}

/// Whether a CPN looks like a window of the infinite board: two dimensions, and its first actor is of that
/// game.
#[must_use]
pub fn is_grid(cpn: &Cpn) -> bool {
    let is_infinite = |text: &str| text.get(..8).is_some_and(|game| game.eq_ignore_ascii_case("infinite"));
    let first = cpn.cells().chain(cpn.hand()).find(|text| !text.is_empty());
    cpn.shape().len() == 2 && first.is_some_and(is_infinite)
}

/// The position of a window, whose bottom left cell is the square `origin`. Laws and counters are the defaults.
///
/// ```
/// use boardprint_base::Square;
/// use boardprint_bridge::{Marks, grid, list};
/// let position = grid::from_cpn(&"B--2,3--,,infinite:^k,INFINITE:^K,,--".parse()?, &Square::new(5, 1))?;
/// assert_eq!(list::to_cpn(&position, Marks::Usable)?.to_string(), "B--2--infinite:^k_7_2,INFINITE:^K_5_1--");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`CpnError`] with the cell that is wrong, if the CPN is not a window as this module writes it.
#[expect(clippy::missing_panics_doc, reason = "every cell is another square")]
pub fn from_cpn(cpn: &Cpn, origin: &Square) -> Result<Position, CpnError> {
    let whole = |size: &Coord| size.as_i64().filter(|size| *size >= 0);
    let [rows, columns] = cpn.shape() else {
        let end = cpn.as_str()[SHAPE_START..].find("--").unwrap_or(0);
        let span = Span::new(SHAPE_START, SHAPE_START + end);
        let hint = "a list of pieces carries their squares and needs no origin";
        let error = list::broken("a window has two sizes", hint, span);
        return Err(CpnError::new(Field::Shape, None, error));
    };
    // A shape beyond that has no cell: one of its sizes is 0.
    let (rows, columns) = (whole(rows).unwrap_or(0), whole(columns).unwrap_or(0).max(1));
    let mut position = Position { turn: list::read_turn(cpn)?, ..Position::default() };
    let mut pieces = Vec::new();
    for (number, (span, text)) in (0_i64..).zip(cpn.cells().with_spans()) {
        if text.is_empty() {
            continue;
        }
        let at_cell = |error| CpnError::new(Field::Board, usize::try_from(number + 1).ok(), error);
        let square = origin.offset(number % columns, rows - 1 - number / columns);
        if text.as_bytes() == words::EN_PASSANT {
            if position.en_passant.replace(square).is_some() {
                let hint = "keep the one that the last move made";
                return Err(at_cell(list::broken("more than one en passant square", hint, span)));
            }
            continue;
        }
        let (piece, right) = read_piece(text, span).map_err(at_cell)?;
        pieces.push(Placed { square, piece, right });
    }
    position.pieces = Pieces::from_list(pieces).expect("every cell is another square");
    Ok(position)
}

/// Where the shape begins in every CPN, after the side.
const SHAPE_START: usize = "B--".len();

/// A piece without its square, and whether it has its right.
fn read_piece(text: &str, span: Span) -> Result<(Piece, bool), boardprint_base::SyntaxError> {
    let actor = Actor::parse(text).map_err(|error| error.shifted(span.start))?;
    let player = list::read_game(actor.game(), span)?;
    let kind = list::read_kind(actor.abbreviation(), span)?;
    if player == Player::NEUTRAL && actor.abbreviation() == "ep" {
        return Err(list::broken("en passant has no prefix", "write `infinite_0:ep`", span));
    }
    if kind.is_royal() != actor.is_royal() {
        let hint = "the royal prefix stands on k, rq and rc and nowhere else";
        return Err(list::broken("wrong royal prefix", hint, span));
    }
    Ok((Piece::new(kind, player), actor.is_promoted()))
}

impl fmt::Display for GridError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GridError::TooLarge => write!(f, "the window has more than {MAX_CELLS} cells"),
            GridError::Nothing => f.write_str("the board is empty, so there is no window around its pieces"),
        }
    }
}

impl std::error::Error for GridError {}
