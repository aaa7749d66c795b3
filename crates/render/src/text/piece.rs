//! Pieces, arrows and their colours in the terminal.

use std::ops::RangeInclusive;

use boardprint_base::{PieceKind, Player, is_steering};

use super::TextOptions;
use crate::glyph::{Form, Glyph};
use crate::label;
use crate::palette;

/// How many characters of a piece's name are written.
const NAME: usize = 6;

/// A piece as text; tiles of the side at the top have a `v` in front, as Shogi diagrams do, or are letters if
/// that is asked for.
pub(super) fn text(glyph: &Glyph, options: TextOptions, letters: bool) -> String {
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
        Glyph::Tile(tile) if options.ascii || letters => {
            let name = label::shortened(&tile.letter, NAME);
            name.chars().map(|c| if c.is_ascii_graphic() { c } else { '?' }).collect()
        }
        Glyph::Tile(tile) => {
            let side = if tile.player == Player::WHITE { ' ' } else { 'v' };
            let plus = if tile.form == Form::Card && tile.promoted { "+" } else { "" };
            let name = label::shortened(&tile.sign, NAME);
            let name: String = name.chars().map(|c| if is_steering(c) { '\u{fffd}' } else { c }).collect();
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
pub(super) fn colour(glyph: &Glyph) -> u8 {
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
pub(super) fn arrow(right: i64, down: i64, options: TextOptions) -> &'static str {
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
pub(super) fn width(text: &str) -> usize {
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
