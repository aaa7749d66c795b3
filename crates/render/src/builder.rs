//! From what is to be seen to where it is seen.

use boardprint_base::{Border, Coord, Move, Player, Position, Square};

use crate::axis::{self, Axis, Span};
use crate::diagram::{Arrow, Diagram, Labels, Mark, Marked, Ray, Shown, Surface, Turn};
use crate::error::DiagramError;
use crate::glyph::Glyph;
use crate::layers::Layers;
use boardprint_base::Rect;

/// Collects what is to be seen; the setters can be called in any order.
///
/// | setting | default |
/// |---|---|
/// | [`window`](Self::window) | everything there is |
/// | [`margin`](Self::margin) | 1 line around everything |
/// | [`fold`](Self::fold) | runs of more than 8 needless lines; a window of up to 64 lines is not folded |
/// | [`limit`](Self::limit) | 16,384 squares |
/// | [`coordinates`](Self::coordinates) | shown |
/// | [`rights`](Self::rights) | shown; hidden by [`finite::board`](crate::finite::board) |
/// | [`legend`](Self::legend) | shown if it is known whose turn it is |
/// | [`flip`](Self::flip) | not flipped |
///
/// Colours and sizes belong to the form that is written: [`SvgOptions`](crate::SvgOptions),
/// [`TextOptions`](crate::TextOptions).
///
/// ```
/// use boardprint_base::{Piece, PieceKind, Player, Square};
/// use boardprint_render::{Diagram, SvgOptions, Theme, svg};
///
/// let diagram = Diagram::builder()
///     .piece(Square::new(3, 1), Piece::new(PieceKind::Knight, Player::WHITE))
///     .arrow(Square::new(3, 1), Square::new(4, 3))
///     .highlight([Square::new(4, 3)])
///     .coordinates(false)
///     .build()?;
/// let picture = svg::write(&diagram, &SvgOptions::default().theme(Theme::Dark).square(60));
/// # assert!(picture.contains("<title>arrow from 3,1 to 4,3</title>"));
/// # Ok::<(), boardprint_render::DiagramError>(())
/// ```
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own, set by name")]
pub struct DiagramBuilder {
    pieces: Vec<(Square, Glyph, bool)>,
    marks: Vec<(Square, Mark)>,
    rays: Vec<(Square, i64, i64)>,
    arrows: Vec<(Square, Square)>,
    kept: Vec<Square>,
    hands: Vec<(Glyph, usize)>,
    window: Option<Rect>,
    border: Border,
    surface: Surface,
    labels: Labels,
    coordinates: bool,
    rights: bool,
    legend: bool,
    title: Option<String>,
    turn: Option<Turn>,
    sides: Option<[String; 2]>,
    layers: Option<Layers>,
    flip: bool,
    margin: u32,
    fold: Option<u32>,
    limit: usize,
}

/// A window of up to this many lines is not folded unless asked for.
const UNFOLDED: i64 = 64;
/// A run of more than this many lines without anything to see is folded unless said otherwise.
const FOLD: u32 = 8;
/// The side of the window that an error proposes, if the limit allows it.
const PROPOSED: i64 = 32;

impl Default for DiagramBuilder {
    fn default() -> Self {
        DiagramBuilder {
            pieces: Vec::new(),
            marks: Vec::new(),
            rays: Vec::new(),
            arrows: Vec::new(),
            kept: Vec::new(),
            hands: Vec::new(),
            window: None,
            border: Border::default(),
            surface: Surface::default(),
            labels: Labels::default(),
            coordinates: true,
            rights: true,
            legend: true,
            title: None,
            turn: None,
            sides: None,
            layers: None,
            flip: false,
            margin: 1,
            fold: None,
            limit: 1 << 14,
        }
    }
}

impl DiagramBuilder {
    /// Adds the pieces of a position with their rights, its en passant square, its border and whose turn it is.
    #[must_use]
    pub fn position(mut self, position: &Position) -> Self {
        let pieces = position.pieces.iter();
        self.pieces.extend(pieces.map(|placed| (placed.square.clone(), placed.piece.into(), placed.right)));
        self.marks.extend(position.en_passant.iter().map(|square| (square.clone(), Mark::EnPassant)));
        self.border = position.laws.border.clone();
        self.to_move(position.turn.to_move())
    }

    /// Adds a piece.
    #[must_use]
    pub fn piece(mut self, square: Square, glyph: impl Into<Glyph>) -> Self {
        self.pieces.push((square, glyph.into(), false));
        self
    }

    /// Adds a piece with its special right.
    #[must_use]
    pub fn piece_with_right(mut self, square: Square, glyph: impl Into<Glyph>) -> Self {
        self.pieces.push((square, glyph.into(), true));
        self
    }

    /// Adds the piece of a movement diagram: its own picture if `name` is the code or the English name of a
    /// built-in kind, in any case (`n`, `Knight`, `royal centaur`), and a star if it is anything else.
    #[must_use]
    pub fn mover(self, square: Square, name: &str) -> Self {
        self.piece(square, Glyph::mover(name))
    }

    /// Adds a mark.
    #[must_use]
    pub fn mark(mut self, square: Square, mark: Mark) -> Self {
        self.marks.push((square, mark));
        self
    }

    /// Adds the same mark on many squares.
    #[must_use]
    pub fn marks(mut self, squares: impl IntoIterator<Item = Square>, mark: Mark) -> Self {
        self.marks.extend(squares.into_iter().map(|square| (square, mark)));
        self
    }

    /// Marks where the last move started and ended.
    #[must_use]
    pub fn last_move(self, played: &Move) -> Self {
        self.marks([played.from.clone(), played.to.clone()], Mark::LastMove)
    }

    /// Marks squares as those of the last move: for a drop, where there is one only, or for a move with more
    /// than two.
    #[must_use]
    pub fn last_squares(self, squares: impl IntoIterator<Item = Square>) -> Self {
        self.marks(squares, Mark::LastMove)
    }

    /// Points at squares by their colour.
    #[must_use]
    pub fn highlight(self, squares: impl IntoIterator<Item = Square>) -> Self {
        self.marks(squares, Mark::Highlight)
    }

    /// Adds an arrow between two squares. It is left out if one of them is outside the window.
    #[must_use]
    pub fn arrow(mut self, from: Square, to: Square) -> Self {
        self.arrows.push((from, to));
        self
    }

    /// Shows these squares even if nothing stands there, so that pictures of a whole game can share one layout.
    #[must_use]
    pub fn keep(mut self, squares: impl IntoIterator<Item = Square>) -> Self {
        self.kept.extend(squares);
        self
    }

    /// Adds a movement that goes on forever: an arrow from a square, `dx` columns and `dy` rows per step.
    #[must_use]
    pub fn ray(mut self, from: Square, dx: i64, dy: i64) -> Self {
        self.rays.push((from, dx, dy));
        self
    }

    /// Adds pieces in hand.
    #[must_use]
    pub fn hand(mut self, glyph: impl Into<Glyph>, count: usize) -> Self {
        self.hands.push((glyph.into(), count));
        self
    }

    /// Shows these squares, and nothing outside them.
    #[must_use]
    pub fn window(mut self, window: Rect) -> Self {
        self.window = Some(window);
        self
    }

    /// Says where the board ends.
    #[must_use]
    pub fn border(mut self, border: Border) -> Self {
        self.border = border;
        self
    }

    /// Says what the board looks like.
    #[must_use]
    pub fn surface(mut self, surface: Surface) -> Self {
        self.surface = surface;
        self
    }

    /// Says how rows and columns are named.
    #[must_use]
    pub fn labels(mut self, labels: Labels) -> Self {
        self.labels = labels;
        self
    }

    /// Shows or hides the names of rows and columns.
    #[must_use]
    pub fn coordinates(mut self, shown: bool) -> Self {
        self.coordinates = shown;
        self
    }

    /// Shows or hides special rights (such as castling) and the en passant square.
    #[must_use]
    pub fn rights(mut self, shown: bool) -> Self {
        self.rights = shown;
        self
    }

    /// Shows or hides the line that says whose turn it is.
    #[must_use]
    pub fn legend(mut self, shown: bool) -> Self {
        self.legend = shown;
        self
    }

    /// Names the sides, for their pieces in hand: the one that sits at the bottom, then the one at the top.
    #[must_use]
    pub fn sides(mut self, bottom: impl Into<String>, top: impl Into<String>) -> Self {
        self.sides = Some([bottom.into(), top.into()]);
        self
    }

    /// Says that the squares are the flat layout of a board with any number of dimensions. With more than
    /// two, the board is always shown whole.
    #[must_use]
    pub fn layers(mut self, layers: Layers) -> Self {
        self.layers = Some(layers);
        self
    }

    /// Says in words what the picture shows.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Says whose turn it is.
    #[must_use]
    pub fn to_move(self, player: Player) -> Self {
        self.turn(player == Player::WHITE, player, player.to_string())
    }

    /// Says whose turn it is in a game whose sides are not called white and black: whether the side starts at
    /// the bottom, the player in whose colour it is shown, and its name.
    #[must_use]
    pub fn turn(mut self, from_bottom: bool, colour: Player, name: impl Into<String>) -> Self {
        self.turn = Some(Turn { from_bottom, colour, name: name.into() });
        self
    }

    /// Turns the board by half a turn.
    #[must_use]
    pub fn flip(mut self, flip: bool) -> Self {
        self.flip = flip;
        self
    }

    /// How many empty lines to show around everything.
    #[must_use]
    pub fn margin(mut self, lines: u32) -> Self {
        self.margin = lines;
        self
    }

    /// Folds runs of more than this many lines without anything to see.
    #[must_use]
    pub fn fold(mut self, lines: u32) -> Self {
        self.fold = Some(lines);
        self
    }

    /// How many squares may be drawn.
    #[must_use]
    pub fn limit(mut self, squares: usize) -> Self {
        self.limit = squares;
        self
    }

    /// Lays the diagram out.
    ///
    /// # Errors
    ///
    /// [`DiagramError::TooLarge`] if more squares than the limit would be drawn,
    /// [`DiagramError::SquareTwice`] if two pieces stand on one square.
    pub fn build(mut self) -> Result<Diagram, DiagramError> {
        self.settle();
        let (columns, rows) = self.axes()?;
        let place = |square: &Square| Some((rows.find(&square.y)?, columns.find(&square.x)?));
        let mut hidden = 0;
        let mut pieces = Vec::with_capacity(self.pieces.len());
        for (square, glyph, right) in self.pieces {
            match place(&square) {
                Some((row, column)) => pieces.push(Shown { row, column, square, glyph, right }),
                None => hidden += 1,
            }
        }
        pieces.sort_by_key(|shown| (shown.row, shown.column));
        if let Some(pair) = pieces.windows(2).find(|pair| pair[0].square == pair[1].square) {
            return Err(DiagramError::SquareTwice(pair[0].square.clone()));
        }
        let mut marks: Vec<Marked> = self
            .marks
            .iter()
            .filter_map(|(square, mark)| {
                place(square).map(|(row, column)| Marked { row, column, mark: *mark })
            })
            .collect();
        marks.sort_unstable();
        marks.dedup();
        let rays =
            self.rays.iter().filter_map(|(from, dx, dy)| ray(&columns, &rows, from, *dx, *dy)).collect();
        let arrows = self
            .arrows
            .into_iter()
            .filter_map(|(from, to)| {
                Some(Arrow { from: place(&from)?, to: place(&to)?, squares: [from, to] })
            })
            .filter(|arrow| arrow.from != arrow.to)
            .collect();
        Ok(Diagram {
            columns,
            rows,
            pieces,
            marks,
            rays,
            arrows,
            hands: self.hands,
            border: self.border,
            surface: self.surface,
            labels: self.labels,
            coordinates: self.coordinates,
            legend: self.legend,
            title: self.title,
            turn: self.turn,
            sides: self.sides,
            layers: self.layers,
            flipped: self.flip,
            hidden,
        })
    }

    /// Applies what the order of the setters must not decide.
    fn settle(&mut self) {
        if !self.rights {
            self.pieces.iter_mut().for_each(|(.., right)| *right = false);
            self.marks.retain(|(_, mark)| *mark != Mark::EnPassant);
        }
        if let Some(layers) = self.layers.as_ref().filter(|layers| layers.is_named()) {
            let corner = Square::new(layers.total_columns() as u64, layers.total_rows() as u64);
            self.window = Some(Rect::new(Square::new(1, 1), corner));
        }
        // The layers of a flipped board are turned one by one, and keep their order.
        if let Some(layers) = self.layers.as_ref().filter(|layers| layers.is_named() && self.flip) {
            let turn =
                |square: &mut Square| *square = layers.turned(square).unwrap_or_else(|| square.clone());
            self.pieces.iter_mut().for_each(|(square, ..)| turn(square));
            self.marks.iter_mut().for_each(|(square, _)| turn(square));
            self.kept.iter_mut().for_each(turn);
            for (from, to) in &mut self.arrows {
                turn(from);
                turn(to);
            }
        }
    }

    /// Whether the axes run the other way.
    fn turns_axes(&self) -> bool {
        self.flip && !self.layers.as_ref().is_some_and(Layers::is_named)
    }

    /// Every square that something is said about.
    pub(crate) fn squares(&self) -> impl Iterator<Item = &Square> {
        let pieces = self.pieces.iter().map(|(square, ..)| square);
        let marks = self.marks.iter().map(|(square, _)| square);
        let arrows = self.arrows.iter().flat_map(|(from, to)| [from, to]);
        pieces.chain(marks).chain(self.rays.iter().map(|(from, ..)| from)).chain(arrows).chain(&self.kept)
    }

    /// The squares that must be on the picture.
    fn anchors(&self) -> impl Iterator<Item = &Square> {
        self.squares().filter(|square| self.window.as_ref().is_none_or(|window| window.contains(square)))
    }

    fn axes(&self) -> Result<(Axis, Axis), DiagramError> {
        let window = self.window.as_ref();
        let columns = self.spans(
            self.anchors().map(|square| square.x.clone()).collect(),
            window.map(|window| (window.left(), window.right())),
            (self.border.left.as_ref(), self.border.right.as_ref()),
        );
        let rows = self.spans(
            self.anchors().map(|square| square.y.clone()).collect(),
            window.map(|window| (window.bottom(), window.top())),
            (self.border.bottom.as_ref(), self.border.top.as_ref()),
        );
        let (width, height) = (axis::total(&columns), axis::total(&rows));
        if &width * &height > Coord::from(self.limit as u64) {
            let window = self.proposal();
            return Err(DiagramError::TooLarge { columns: width, rows: height, limit: self.limit, window });
        }
        Ok((Axis::new(columns, self.turns_axes()), Axis::new(rows, !self.turns_axes())))
    }

    fn spans(
        &self,
        mut anchors: Vec<Coord>,
        window: Option<(&Coord, &Coord)>,
        border: (Option<&Coord>, Option<&Coord>),
    ) -> Vec<Span> {
        let (low, high) = match window {
            Some((low, high)) => {
                if self.fold.is_none() && high - low < Coord::from(UNFOLDED) {
                    return vec![Span { first: low.clone(), last: high.clone() }];
                }
                anchors.extend([low.clone(), high.clone()]);
                (Some(low), Some(high))
            }
            None => border,
        };
        if anchors.is_empty() {
            // An empty board: eight lines from the first, as in the usual game, or what the border leaves of
            // them.
            let first = match (low, high) {
                (Some(low), _) => low.clone(),
                (None, Some(high)) => high - 7,
                (None, None) => Coord::from(1),
            };
            let last = high.map_or_else(|| &first + 7, |high| high.clone().min(&first + 7));
            return vec![Span { first, last }];
        }
        anchors.sort_unstable();
        anchors.dedup();
        let fold = self.fold.unwrap_or(FOLD);
        if window.is_none() {
            // The edge of the board is shown when it is near.
            let near = i64::from(fold) + i64::from(self.margin);
            let (first, last) = (anchors[0].clone(), anchors[anchors.len() - 1].clone());
            if let Some(low) = low.filter(|low| **low < first && &first - near <= **low) {
                anchors.insert(0, low.clone());
            }
            if let Some(high) = high.filter(|high| last < **high && **high <= &last + near) {
                anchors.push(high.clone());
            }
        }
        // A piece beyond the border is drawn all the same.
        let low = low.filter(|low| **low <= anchors[0]);
        let high = high.filter(|high| anchors[anchors.len() - 1] <= **high);
        axis::spans(&anchors, self.margin, fold, low, high)
    }

    /// A window that can be drawn: around where the last move ended, or around the piece in the middle of the
    /// list.
    fn proposal(&self) -> Rect {
        let moved =
            self.marks.iter().rev().find(|(_, mark)| *mark == Mark::LastMove).map(|(square, _)| square);
        let middle = self.pieces.get(self.pieces.len() / 2).map(|(square, ..)| square);
        let centre = moved
            .or(middle)
            .filter(|square| self.window.as_ref().is_none_or(|window| window.contains(square)));
        let corner = || self.window.as_ref().map(|w| Square { x: w.left().clone(), y: w.bottom().clone() });
        let centre = centre.cloned().or_else(corner).unwrap_or_else(|| Square::new(0, 0));
        let side = i64::try_from(self.limit.isqrt()).map_or(PROPOSED, |side| side.clamp(1, PROPOSED));
        let corner = centre.offset(-(side / 2), -(side / 2));
        Rect::new(corner.offset(side - 1, side - 1), corner)
    }
}

/// A ray in its place; `None` if it does not start on the picture or goes nowhere.
fn ray(columns: &Axis, rows: &Axis, from: &Square, dx: i64, dy: i64) -> Option<Ray> {
    let start = (columns.find(&from.x)?, rows.find(&from.y)?);
    let right = if columns.is_descending() { dx.checked_neg()? } else { dx };
    let down = if rows.is_descending() { dy.checked_neg()? } else { dy };
    if dx == 0 && dy == 0 {
        return None;
    }
    let mut steps = 0;
    let (mut square, mut at) = (from.clone(), start);
    loop {
        square = square.offset(dx, dy);
        // Across a fold the picture is not straight: the arrow ends there.
        let straight = |old: usize, new: usize, step: i64| {
            isize::try_from(step).is_ok_and(|step| old.checked_add_signed(step) == Some(new))
        };
        match (columns.find(&square.x), rows.find(&square.y)) {
            (Some(column), Some(row)) if straight(at.0, column, right) && straight(at.1, row, down) => {
                at = (column, row);
                steps += 1;
            }
            _ => return Some(Ray { row: start.1, column: start.0, right, down, steps }),
        }
    }
}
