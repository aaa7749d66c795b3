//! How each glyph is written: known ones once in the definitions and then by reference, others where they
//! stand.

use std::fmt::Write;

use boardprint_base::{PieceKind, Player};

use super::{Pen, shapes};
use crate::glyph::{Form, Glyph, Tile};
use crate::label;
use crate::palette::Colour;
use crate::signs;
use crate::xml::{Escaped, Tenths};

const FIGURE: &str = r#"stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round""#;
const FONT: &str = "'Noto Serif CJK JP','Noto Serif JP','Yu Mincho','Hiragino Mincho ProN','Songti TC',serif";
const RED: Colour = Colour(0xb3, 0x26, 0x1e);
const GREEN: Colour = Colour(0x14, 0x68, 0x3a);
const BLACK: Colour = Colour(0x1f, 0x1f, 0x1f);

/// A glyph that is defined once and then used, by its id without the prefix; `up` is whether a tile points up.
fn id(glyph: &Glyph, up: bool) -> Option<String> {
    Some(match glyph {
        Glyph::Piece(piece) => match piece.kind {
            PieceKind::Custom(code) => format!("x-{}", code.as_str()),
            kind => kind.code().to_owned(),
        },
        Glyph::Makruk(kind, _) => format!("m-{}", kind.name()),
        Glyph::Origin => "origin".to_owned(),
        Glyph::Friend => "friend".to_owned(),
        Glyph::Enemy => "enemy".to_owned(),
        Glyph::Tile(tile) => return tile_id(tile, up),
    })
}

/// The id of a tile whose sign is drawn; other signs and letters could be any text.
fn tile_id(tile: &Tile, up: bool) -> Option<String> {
    let mut signs = tile.sign.chars();
    let sign = signs.next().filter(|sign| signs::strokes(*sign).is_some() && signs.next().is_none())?;
    let letter = tile.letter.strip_prefix('+').unwrap_or(&tile.letter);
    let form = match tile.form {
        Form::Wedge => "w",
        Form::Disc => "d",
        Form::LargeOctagon => "l",
        Form::Octagon => "o",
        Form::SmallOctagon => "s",
        Form::Card => return None,
    };
    let side = if tile.player == Player::WHITE { 'b' } else { 't' };
    let (turn, plus) = (if up { 'u' } else { 'd' }, if tile.promoted { "p" } else { "" });
    (letter.len() == 1 && letter.bytes().all(|byte| byte.is_ascii_alphanumeric()))
        .then(|| format!("t{form}{side}{turn}{plus}{letter}-{:x}", u32::from(sign)))
}

/// The definitions that some glyphs need, each once, in the order of their ids.
pub(super) fn definitions<'a>(
    out: &mut String,
    pen: &Pen<'_>,
    glyphs: impl Iterator<Item = (&'a Glyph, bool)>,
) {
    let mut needed: Vec<(String, &Glyph, bool)> =
        glyphs.filter_map(|(glyph, up)| Some((id(glyph, up)?, glyph, up))).collect();
    needed.sort_by(|a, b| a.0.cmp(&b.0));
    needed.dedup_by(|a, b| a.0 == b.0);
    if needed.is_empty() {
        return;
    }
    out.push_str("<defs>\n");
    for (id, glyph, up) in needed {
        let _ = writeln!(out, r#"<g id="{}{id}">{}</g>"#, pen.prefix, fragment(pen, glyph, up));
    }
    out.push_str("</defs>\n");
}

/// The shape of a glyph.
fn fragment(pen: &Pen<'_>, glyph: &Glyph, up: bool) -> String {
    match glyph {
        Glyph::Piece(piece) => match shapes::of_kind(piece.kind) {
            Some(shape) => shape.to_owned(),
            None => shield(piece.kind.code()),
        },
        Glyph::Makruk(kind, _) => shapes::of_makruk(*kind).to_owned(),
        Glyph::Origin => shapes::ORIGIN.to_owned(),
        Glyph::Friend => shapes::FRIEND.to_owned(),
        Glyph::Enemy => shapes::ENEMY.to_owned(),
        Glyph::Tile(tile) => {
            let mut out = String::new();
            write_tile(&mut out, pen, tile, up);
            out
        }
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
pub(super) fn open_player(out: &mut String, pen: &Pen<'_>, player: Player) {
    let ink = pen.palette.ink(player);
    let _ =
        writeln!(out, r#"<g fill="{}" stroke="{}" color="{}" {FIGURE}>"#, ink.fill, ink.stroke, ink.detail);
}

/// Writes a glyph with its upper left corner at a place; figures stand inside their player's group.
pub(super) fn write(
    out: &mut String,
    pen: &Pen<'_>,
    glyph: &Glyph,
    (x, y): (Tenths, Tenths),
    up: bool,
    words: &str,
) {
    let tooltip = if pen.tooltips { format!("<title>{}</title>", Escaped(words)) } else { String::new() };
    match (id(glyph, up), glyph) {
        (None, Glyph::Tile(tile)) => {
            let _ = write!(out, r#"<g transform="translate({x} {y})">{tooltip}"#);
            write_tile(out, pen, tile, up);
            out.push_str("</g>\n");
        }
        (id, _) => {
            let id = id.unwrap_or_default();
            let _ = writeln!(out, r##"<use href="#{}{id}" x="{x}" y="{y}">{tooltip}</use>"##, pen.prefix);
        }
    }
}

fn write_tile(out: &mut String, pen: &Pen<'_>, tile: &Tile, up: bool) {
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
        return write_card(out, pen, tile, outline);
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
        pen.palette.tile, pen.palette.line
    );
    if tile.form == Form::Disc {
        let _ = write!(
            out,
            r#"<circle cx="22.5" cy="22.5" r="17.5" fill="none" stroke="{colour}" stroke-width=".9"/>"#
        );
    }
    // The sign looks at its owner's opponent, the letter always at the reader.
    let turned = tile.form == Form::Wedge && !up;
    write_sign(out, &tile.sign, (sign_size, Tenths(sign_y)), colour, turned);
    let _ = write!(
        out,
        r#"<text x="22.5" y="{}" font-size="8" font-family="sans-serif" text-anchor="middle" fill="{colour}" stroke="none" opacity=".8">{}</text>"#,
        Tenths(letter_y),
        Escaped(&label::shortened(&tile.letter, 4))
    );
}

/// The sign of a tile: strokes if we have them, else text in whatever font there is.
fn write_sign(out: &mut String, sign: &str, (size, y): (i64, Tenths), colour: Colour, turned: bool) {
    let mut characters = sign.chars();
    let drawn = characters.next().and_then(signs::strokes).filter(|_| characters.next().is_none());
    let turn = if turned { "rotate(180 22.5 22.5)" } else { "" };
    let _ = if let Some(strokes) = drawn {
        // Strokes fill a square of 48; text of this size would have its foot at `y`.
        let (left, top) = (Tenths(225 - size * 5), Tenths(y.0 - size * 88 / 10));
        write!(
            out,
            r#"<path d="{strokes}" transform="{turn}translate({left} {top}) scale(.{:03})" fill="none" stroke="{colour}" stroke-width="3.6" stroke-linecap="round" stroke-linejoin="round"/>"#,
            size * 1000 / 48
        )
    } else {
        let turn = if turned { format!(r#" transform="{turn}""#) } else { String::new() };
        write!(
            out,
            r#"<text x="22.5" y="{y}" font-size="{size}" font-weight="bold" font-family="{FONT}" text-anchor="middle" fill="{colour}" stroke="none"{turn}>{}</text>"#,
            Escaped(&label::shortened(sign, 4))
        )
    };
}

/// A piece of a game without a form of its own: its name on a card in its side's colour.
fn write_card(out: &mut String, pen: &Pen<'_>, tile: &Tile, outline: &str) {
    let bottom = tile.player == Player::WHITE;
    let ink = pen.palette.ink(if bottom { Player::WHITE } else { Player::BLACK });
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
