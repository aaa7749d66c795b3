//! Boards of finite games from their actors in General Actor Notation, such as `W:^K`, `s:+p` or `X:C`.
//!
//! Western pieces and Makruk's are figures, Shogi's are wedges, Xiangqi's discs, Janggi's octagons. Any other
//! game is drawn on cards with the actor's name, and so are all but Western pieces in a build without finite
//! games. Upper case sits at the bottom.

use boardprint_base::{Border, Piece, PieceKind, Player, Rect, Square};
use boardprint_games::Format;

use crate::builder::DiagramBuilder;
use crate::diagram::{Diagram, Labels, Mark, Surface};
use crate::error::DiagramError;
use crate::glyph::{Form, Glyph, Makruk, Tile};
use crate::layers::Layers;

/// An actor taken apart.
struct Actor<'a> {
    game: &'a str,
    name: &'a str,
    plus: bool,
    player: Player,
}

impl<'a> Actor<'a> {
    fn new(text: &'a str) -> Self {
        let (game, name) = text.split_once(':').unwrap_or(("", text));
        let plus = name.starts_with('+');
        // Royal pieces have a prefix that differs between revisions of the notation.
        let name = name.trim_start_matches(|c: char| c.is_ascii_punctuation());
        let top = text.chars().find(char::is_ascii_alphabetic).is_some_and(|c| c.is_ascii_lowercase());
        Actor { game, name, plus, player: if top { Player::BLACK } else { Player::WHITE } }
    }

    fn is_of(&self, game: &str) -> bool {
        self.game.eq_ignore_ascii_case(game)
    }
}

/// What an actor looks like.
///
/// ```
/// use boardprint_render::finite;
/// assert_eq!(finite::glyph("s:+p").describe(), "top promoted pawn");
/// assert_eq!(finite::glyph("W:^K").describe(), "white king");
/// ```
#[must_use]
pub fn glyph(actor: &str) -> Glyph {
    let actor = Actor::new(actor);
    let letter = actor.name.to_ascii_lowercase();
    let known = match actor.game.to_ascii_lowercase().as_str() {
        "w" => western(&letter).map(|kind| Glyph::Piece(Piece::new(kind, actor.player))),
        _ if !Format::Fen.is_built() => None,
        "m" => makruk(&letter).map(|kind| Glyph::Makruk(kind, actor.player)),
        "s" => shogi(&letter, actor.plus, actor.player),
        "x" => xiangqi(&letter, actor.player),
        "j" => janggi(&letter, actor.player),
        _ => None,
    };
    known.unwrap_or_else(|| tile(Form::Card, &actor, actor.name, actor.name, actor.name))
}

/// A board with its pieces: its shape (the last number is the number of columns), its cells in the order of
/// the page (empty text for an empty cell), the pieces in hand, and whether the bottom side is to move.
///
/// Castling rights and en passant are not shown unless asked for ([`DiagramBuilder::rights`]). Squares count
/// from 1 at the lower left, so that the last move can be marked; [`Layers::square`] gives the square of a
/// cell. A board of more than two dimensions is drawn as layers side by side, with their names.
///
/// # Errors
///
/// [`DiagramError::WrongCellCount`] if there are not as many cells as the shape says.
///
/// ```
/// use boardprint_render::{SvgOptions, finite, svg};
/// let board = finite::board(&[2, 2], ["s:^k", "", "", "S:^K"], ["S:P", "S:P"], true)?;
/// assert!(svg::write(&board.build()?, &SvgOptions::default()).contains("bottom pawn in hand: 2"));
/// # Ok::<(), boardprint_render::DiagramError>(())
/// ```
pub fn board<'a>(
    shape: &[usize],
    cells: impl IntoIterator<Item = &'a str>,
    hand: impl IntoIterator<Item = &'a str>,
    bottom_to_move: bool,
) -> Result<DiagramBuilder, DiagramError> {
    let cells: Vec<&str> = cells.into_iter().collect();
    // A board without dimensions has no cells.
    let product =
        |sizes: &[usize]| sizes.iter().try_fold(1_usize, |product, size| product.checked_mul(*size));
    let expected = if shape.is_empty() { Some(0) } else { product(shape) };
    let layers = Layers::new(shape).filter(|_| expected == Some(cells.len()));
    let Some(layers) = layers else {
        return Err(DiagramError::WrongCellCount { expected, found: cells.len() });
    };
    let (columns, rows) = (layers.total_columns(), layers.total_rows());
    let held: Vec<&str> = hand.into_iter().collect();
    let Look { surface, labels, sides } = look(&cells, &held, shape, columns, rows);

    let mut diagram = Diagram::builder().margin(0).rights(false);
    for (index, text) in cells.iter().enumerate().filter(|(_, text)| !text.is_empty()) {
        let Some(square) = layers.square(index) else { continue };
        let actor = Actor::new(text);
        diagram = if actor.name.eq_ignore_ascii_case("ep") {
            diagram.mark(square, Mark::EnPassant)
        } else if actor.plus && actor.is_of("w") {
            diagram.piece_with_right(square, glyph(text))
        } else {
            diagram.piece(square, glyph(text))
        };
    }
    for (text, count) in hand_order(held) {
        diagram = diagram.hand(glyph(text), count);
    }
    let (colour, name) = if bottom_to_move { sides[0] } else { sides[1] };
    let size = |count: usize| Some((count as u64).into());
    let border = Border { left: size(1), right: size(columns), bottom: size(1), top: size(rows) };
    Ok(diagram
        .turn(bottom_to_move, Player(colour), name)
        .sides(sides[0].1, sides[1].1)
        .surface(surface)
        .labels(labels)
        .border(border)
        .layers(layers)
        .fold(u32::MAX)
        .window(Rect::new(Square::new(1, 1), Square::new(columns as u64, rows as u64))))
}

/// Equal pieces in hand with their count; Shogi's in the order of their value, as diagrams have them.
fn hand_order(mut held: Vec<&str>) -> Vec<(&str, usize)> {
    const VALUES: &str = "rbgsnlp";
    let rank = |text: &str| {
        let actor = Actor::new(text);
        let value = if actor.is_of("s") { VALUES.find(&actor.name.to_ascii_lowercase()) } else { None };
        value.unwrap_or(VALUES.len())
    };
    held.sort_unstable_by(|a, b| rank(a).cmp(&rank(b)).then_with(|| a.cmp(b)));
    held.chunk_by(|a, b| a == b).map(|equal| (equal[0], equal.len())).collect()
}

/// What a board looks like, and what its sides are called (bottom, top) and coloured.
struct Look {
    surface: Surface,
    labels: Labels,
    sides: [(u32, &'static str); 2],
}

/// The look of a board, by the games whose pieces are on it.
fn look(cells: &[&str], held: &[&str], shape: &[usize], columns: usize, rows: usize) -> Look {
    let all = |game: &str| {
        let all = cells.iter().chain(held);
        let mut actors = all.filter(|text| !text.is_empty()).map(|text| Actor::new(text));
        actors.all(|actor| actor.is_of(game) || actor.name.eq_ignore_ascii_case("ep"))
    };
    let size = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let of = |surface, labels, sides| Look { surface, labels, sides };
    let chess = [(1, "white"), (2, "black")];
    if cells.iter().chain(held).all(|text| text.is_empty()) {
        of(Surface::Grid, Labels::Numbers, [(1, "bottom"), (2, "top")])
    } else if all("w") {
        of(Surface::Chequered, Labels::Letters, chess)
    } else if all("m") {
        of(Surface::Grid, Labels::Letters, chess)
    } else if all("s") && shape.len() == 2 {
        let labels = Labels::Shogi { columns: size(columns), rows: size(rows) };
        of(Surface::Grid, labels, [(2, "sente"), (1, "gote")])
    } else if all("x") && shape == [10, 9] {
        of(Surface::Xiangqi, Labels::Letters, [(3, "red"), (2, "black")])
    } else if all("j") && shape == [10, 9] {
        of(Surface::Janggi, Labels::Letters, [(6, "green"), (3, "red")])
    } else {
        of(Surface::Grid, Labels::Letters, [(1, "bottom"), (2, "top")])
    }
}

fn tile(form: Form, actor: &Actor<'_>, sign: &str, letter: &str, name: &str) -> Glyph {
    build_tile(form, actor.player, sign, letter, name, actor.plus)
}

fn build_tile(form: Form, player: Player, sign: &str, letter: &str, name: &str, promoted: bool) -> Glyph {
    let letter =
        if player == Player::WHITE { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() };
    let letter = if promoted { format!("+{letter}") } else { letter };
    Glyph::Tile(Box::new(Tile {
        form,
        player,
        sign: sign.into(),
        letter: letter.into(),
        name: name.into(),
        promoted,
    }))
}

fn western(letter: &str) -> Option<PieceKind> {
    PieceKind::from_code(letter).filter(|_| letter.len() == 1)
}

fn makruk(letter: &str) -> Option<Makruk> {
    Some(match letter {
        "k" => Makruk::Khun,
        "q" => Makruk::Met,
        "b" => Makruk::Khon,
        "n" => Makruk::Ma,
        "r" => Makruk::Ruea,
        "p" => Makruk::Bia,
        _ => return None,
    })
}

fn shogi(letter: &str, promoted: bool, player: Player) -> Option<Glyph> {
    let (sign, name) = match (letter, promoted) {
        // The two kings differ by a stroke, as on real sets.
        ("k", false) if player == Player::WHITE => ("王", "king"),
        ("k", false) => ("玉", "king"),
        ("r", false) => ("飛", "rook"),
        ("r", true) => ("龍", "rook"),
        ("b", false) => ("角", "bishop"),
        ("b", true) => ("馬", "bishop"),
        ("g", false) => ("金", "gold general"),
        ("s", false) => ("銀", "silver general"),
        ("s", true) => ("全", "silver general"),
        ("n", false) => ("桂", "knight"),
        ("n", true) => ("圭", "knight"),
        ("l", false) => ("香", "lance"),
        ("l", true) => ("杏", "lance"),
        ("p", false) => ("歩", "pawn"),
        ("p", true) => ("と", "pawn"),
        _ => return None,
    };
    Some(build_tile(Form::Wedge, player, sign, letter, name, promoted))
}

fn xiangqi(letter: &str, player: Player) -> Option<Glyph> {
    let (red, black, name) = match letter {
        "g" => ("帥", "將", "general"),
        "a" => ("仕", "士", "advisor"),
        "e" => ("相", "象", "elephant"),
        "r" => ("俥", "車", "chariot"),
        "c" => ("炮", "砲", "cannon"),
        "h" => ("傌", "馬", "horse"),
        "s" => ("兵", "卒", "soldier"),
        _ => return None,
    };
    let sign = if player == Player::WHITE { red } else { black };
    Some(build_tile(Form::Disc, player, sign, letter, name, false))
}

fn janggi(letter: &str, player: Player) -> Option<Glyph> {
    let (cho, han, name, form) = match letter {
        "g" => ("楚", "漢", "general", Form::LargeOctagon),
        "s" => ("士", "士", "guard", Form::SmallOctagon),
        "e" => ("象", "象", "elephant", Form::Octagon),
        "r" => ("車", "車", "chariot", Form::Octagon),
        "p" => ("包", "包", "cannon", Form::Octagon),
        "m" => ("馬", "馬", "horse", Form::Octagon),
        "j" => ("卒", "兵", "soldier", Form::SmallOctagon),
        _ => return None,
    };
    let sign = if player == Player::WHITE { cho } else { han };
    Some(build_tile(form, player, sign, letter, name, false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_games_get_cards() {
        let Glyph::Tile(card) = glyph("CAPABLANCA:A") else { panic!("not a tile") };
        assert_eq!((card.form, &*card.sign, card.player), (Form::Card, "A", Player::WHITE));
        assert!(matches!(glyph("foo"), Glyph::Tile(card) if card.player == Player::BLACK));
        assert!(matches!(glyph(""), Glyph::Tile(_)));
    }

    #[test]
    fn shapes_must_be_filled() {
        let wrong = |shape: &[usize]| board(shape, ["W:K"], [], true).unwrap_err();
        assert_eq!(wrong(&[2, 2]), DiagramError::WrongCellCount { expected: Some(4), found: 1 });
        assert_eq!(wrong(&[]), DiagramError::WrongCellCount { expected: Some(0), found: 1 });
        assert_eq!(wrong(&[usize::MAX, 2]), DiagramError::WrongCellCount { expected: None, found: 1 });
        assert!(board(&[], [], [], true).unwrap().build().is_ok());
        assert!(board(&[0, 8], [], [], true).unwrap().build().is_ok());
    }

    #[test]
    fn layers_stand_side_by_side_under_their_names() {
        let cells = ["W:K", "", "", "w:k", "", "W:P", "", ""];
        let board = board(&[2, 2, 2], cells, [], false).unwrap();
        let find = |diagram: &Diagram, name: &str| {
            let shown = diagram.pieces.iter().find(|shown| shown.glyph.describe() == name).unwrap();
            (shown.row, shown.column, diagram.square_name(&shown.square))
        };
        let diagram = board.clone().build().unwrap();
        assert_eq!(diagram.size(), (5, 3));
        assert_eq!(find(&diagram, "white king"), (1, 0, "layer 1 a2".to_owned()));
        assert_eq!(find(&diagram, "black king"), (2, 1, "layer 1 b1".to_owned()));
        assert_eq!(find(&diagram, "white pawn"), (1, 4, "layer 2 b2".to_owned()));
        let flipped = board.flip(true).build().unwrap();
        assert_eq!(find(&flipped, "white king"), (2, 1, "layer 1 a2".to_owned()));
        assert_eq!(find(&flipped, "white pawn"), (2, 3, "layer 2 b2".to_owned()));
    }

    #[test]
    fn hands_are_ordered_by_value() {
        let order = hand_order(vec!["S:P", "s:p", "S:R", "S:P", "X:A"]);
        assert_eq!(order, [("S:R", 1), ("S:P", 2), ("s:p", 1), ("X:A", 1)]);
    }

    #[test]
    fn equal_pieces_in_hand_are_counted() {
        let diagram = board(&[1, 1], [""], ["S:P", "s:p", "S:P"], true).unwrap().build().unwrap();
        assert_eq!(diagram.hand(false).map(|(_, count)| *count).collect::<Vec<_>>(), [2]);
        assert_eq!(diagram.hand(true).map(|(_, count)| *count).collect::<Vec<_>>(), [1]);
    }
}
