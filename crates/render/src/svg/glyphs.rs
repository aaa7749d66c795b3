//! How each glyph is written: figures once in the definitions and then by reference, tiles where they stand.

use std::collections::BTreeMap;
use std::fmt::Write;

use boardprint_base::{PieceKind, Player};

use super::shapes;
use super::xml::{Escaped, Tenths};
use crate::glyph::{Form, Glyph, Tile};
use crate::label;
use crate::palette::{self, Colour};

const FIGURE: &str = r#"stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round""#;
const FONT: &str = "'Noto Serif CJK JP','Noto Serif JP','Yu Mincho','Hiragino Mincho ProN','Songti TC',serif";
const RED: Colour = Colour(0xb3, 0x26, 0x1e);
const GREEN: Colour = Colour(0x14, 0x68, 0x3a);
const BLACK: Colour = Colour(0x1f, 0x1f, 0x1f);

/// A glyph that is defined once and then used, by its id.
fn id(glyph: &Glyph) -> Option<String> {
    Some(match glyph {
        Glyph::Piece(piece) => match piece.kind {
            PieceKind::Custom(code) => format!("bp-x-{}", code.as_str()),
            kind => format!("bp-{}", kind.code()),
        },
        Glyph::Makruk(kind, _) => format!("bp-m-{}", kind.name()),
        Glyph::Origin => "bp-origin".to_owned(),
        Glyph::Friend => "bp-friend".to_owned(),
        Glyph::Enemy => "bp-enemy".to_owned(),
        Glyph::Tile(_) => return None,
    })
}

/// The definitions that some glyphs need, each once, in the order of their ids.
pub(super) fn definitions<'a>(out: &mut String, glyphs: impl Iterator<Item = &'a Glyph>) {
    let needed: BTreeMap<String, &Glyph> = glyphs.filter_map(|glyph| Some((id(glyph)?, glyph))).collect();
    if needed.is_empty() {
        return;
    }
    out.push_str("<defs>\n");
    for (id, glyph) in needed {
        let _ = writeln!(out, r#"<g id="{id}">{}</g>"#, fragment(glyph));
    }
    out.push_str("</defs>\n");
}

/// The shape of a figure.
fn fragment(glyph: &Glyph) -> String {
    match glyph {
        Glyph::Piece(piece) => match shapes::of_kind(piece.kind) {
            Some(shape) => shape.to_owned(),
            None => shield(piece.kind.code()),
        },
        Glyph::Makruk(kind, _) => shapes::of_makruk(*kind).to_owned(),
        Glyph::Origin => shapes::ORIGIN.to_owned(),
        Glyph::Friend => shapes::FRIEND.to_owned(),
        Glyph::Enemy | Glyph::Tile(_) => shapes::ENEMY.to_owned(),
    }
}

/// A piece that a user defines: a shield with its code.
fn shield(code: &str) -> String {
    let size = [22, 18, 12, 9][code.len().clamp(1, 4) - 1];
    format!(
        r#"{}<text x="22.5" y="{}" font-size="{size}" font-weight="bold" font-family="sans-serif" text-anchor="middle" fill="currentColor" stroke="none">{}</text>"#,
        shapes::SHIELD,
        Tenths(215 + size * 10 * 35 / 100),
        Escaped(&code.to_ascii_uppercase())
    )
}

/// Opens the group of a player's figures.
pub(super) fn open_player(out: &mut String, player: Player) {
    let ink = palette::ink(player);
    let _ =
        writeln!(out, r#"<g fill="{}" stroke="{}" color="{}" {FIGURE}>"#, ink.fill, ink.stroke, ink.detail);
}

/// Writes a glyph with its upper left corner at a place; figures stand inside their player's group.
pub(super) fn write(out: &mut String, glyph: &Glyph, x: Tenths, y: Tenths, up: bool, words: &str) {
    let words = Escaped(words);
    match glyph {
        Glyph::Tile(tile) => {
            let _ = write!(out, r#"<g transform="translate({x} {y})"><title>{words}</title>"#);
            write_tile(out, tile, up);
            out.push_str("</g>\n");
        }
        figure => {
            let id = id(figure).unwrap_or_default();
            let _ = writeln!(out, r##"<use href="#{id}" x="{x}" y="{y}"><title>{words}</title></use>"##);
        }
    }
}

fn write_tile(out: &mut String, tile: &Tile, up: bool) {
    let bottom = tile.player == Player::WHITE;
    let (outline, sign_size, sign_y, letter_y) = match tile.form {
        Form::Wedge if up => ("M22.5 3L34 8.5l4.5 33h-32L11 8.5z", 20, 290, 388),
        Form::Wedge => ("M22.5 42L34 36.5 38.5 3.5h-32L11 36.5z", 20, 290, 118),
        Form::Disc => ("M2.5 22.5a20 20 0 0 1 40 0 20 20 0 0 1-40 0z", 21, 275, 375),
        Form::LargeOctagon => ("M14.5 3h16L42 14.5v16L30.5 42h-16L3 30.5v-16z", 21, 275, 380),
        Form::Octagon => ("M15.5 5.5h14l10 10v14l-10 10h-14l-10-10v-14z", 18, 265, 355),
        Form::SmallOctagon => ("M16.7 8.5h11.6l8.2 8.2v11.6l-8.2 8.2H16.7l-8.2-8.2V16.7z", 15, 255, 335),
        Form::Card => ("M9 5h27q3 0 3 3v29q0 3-3 3H9q-3 0-3-3V8q0-3 3-3z", 0, 0, 0),
    };
    if tile.form == Form::Card {
        return write_card(out, tile, outline);
    }
    let colour = match tile.form {
        Form::Wedge if !tile.promoted => BLACK,
        Form::Disc if !bottom => BLACK,
        Form::LargeOctagon | Form::Octagon | Form::SmallOctagon if bottom => GREEN,
        _ => RED,
    };
    let _ = write!(
        out,
        r#"<path d="{outline}" fill="{}" stroke="{}" stroke-width="1.3" stroke-linejoin="round"/>"#,
        palette::TILE,
        palette::LINE
    );
    if tile.form == Form::Disc {
        let _ = write!(
            out,
            r#"<circle cx="22.5" cy="22.5" r="17.5" fill="none" stroke="{colour}" stroke-width=".9"/>"#
        );
    }
    // The sign looks at its owner's opponent, the letter always at the reader.
    let turn = if tile.form == Form::Wedge && !up { r#" transform="rotate(180 22.5 22.5)""# } else { "" };
    let _ = write!(
        out,
        r#"<text x="22.5" y="{}" font-size="{sign_size}" font-weight="bold" font-family="{FONT}" text-anchor="middle" fill="{colour}" stroke="none"{turn}>{}</text>"#,
        Tenths(sign_y),
        Escaped(&tile.sign)
    );
    let _ = write!(
        out,
        r#"<text x="22.5" y="{}" font-size="8" font-family="sans-serif" text-anchor="middle" fill="{colour}" stroke="none" opacity=".8">{}</text>"#,
        Tenths(letter_y),
        Escaped(&tile.letter)
    );
}

/// A piece of a game without a form of its own: its name on a card in its side's colour.
fn write_card(out: &mut String, tile: &Tile, outline: &str) {
    let bottom = tile.player == Player::WHITE;
    let ink = palette::ink(if bottom { Player::WHITE } else { Player::BLACK });
    let sign = label::shortened(&tile.sign, 4);
    let size = [20, 20, 17, 13, 10][sign.chars().count().min(4)];
    let _ = write!(
        out,
        r#"<path d="{outline}" fill="{}" stroke="{}" stroke-width="1.5"/>"#,
        ink.fill, ink.stroke
    );
    let y = Tenths(225 + size * 10 * 35 / 100);
    let plus = if tile.promoted { "+" } else { "" };
    let _ = write!(
        out,
        r#"<text x="22.5" y="{y}" font-size="{size}" font-family="sans-serif" text-anchor="middle" fill="{}" stroke="none">{plus}{}</text>"#,
        ink.detail,
        Escaped(&sign)
    );
}
