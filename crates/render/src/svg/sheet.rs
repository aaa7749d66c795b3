//! A sheet of every piece.

use std::fmt::Write;

use boardprint_base::{Piece, PieceKind, Player};

use super::options::{Size, SvgOptions};
use super::{Pen, glyphs};
use crate::glyph::Glyph;
use crate::xml::Tenths;

/// Writes a sheet of every built-in kind in the colours of every named player.
#[must_use]
pub fn piece_sheet(options: &SvgOptions) -> String {
    let pen = Pen { palette: options.theme.palette(), prefix: &options.prefix, tooltips: options.tooltips };
    let kinds = PieceKind::BUILT_IN;
    let players: Vec<Player> = (1..=6).chain([0]).map(Player).collect();
    let (per_row, square) = (11, 45);
    let glyph = |kind: PieceKind, player: Player| Glyph::Piece(Piece::new(kind, player));
    let block = (players.len() + 1) * square;
    let mut out = String::new();
    let size = (per_row * square + 10, kinds.len().div_ceil(per_row) * block + 5);
    super::open(&mut out, &pen, size, Size::Square(45), "The pieces of boardprint");
    let all: Vec<Glyph> = kinds.iter().map(|kind| glyph(*kind, Player::WHITE)).collect();
    glyphs::definitions(&mut out, &pen, all.iter().map(|glyph| (glyph, true)));
    let tenths = |value: usize| Tenths(i64::try_from(value * 10).unwrap_or(i64::MAX));
    let place = |index: usize, line: usize| {
        (index % per_row * square + 5, index / per_row * block + line * square + 5)
    };
    for (index, kind) in kinds.iter().enumerate() {
        for line in 0..players.len() {
            let (x, y) = place(index, line);
            let colour = if (index + line) % 2 == 0 { pen.palette.light } else { pen.palette.dark };
            let _ = writeln!(out, r#"<path d="M{x} {y}h45v45h-45z" fill="{colour}"/>"#);
        }
        let (x, y) = place(index, players.len());
        for (y, style, text) in [
            (y + 13, r#"font-size="11" font-weight="bold""#, kind.code()),
            (y + 24, r#"font-size="7""#, kind.name()),
        ] {
            let _ = writeln!(
                out,
                r#"<text x="{}" y="{y}" {style} font-family="sans-serif" text-anchor="middle" fill="{}">{text}</text>"#,
                x + square / 2,
                pen.palette.label
            );
        }
    }
    for (line, player) in players.iter().enumerate() {
        glyphs::open_player(&mut out, &pen, *player);
        for (index, kind) in kinds.iter().enumerate() {
            let (x, y) = place(index, line);
            let glyph = glyph(*kind, *player);
            glyphs::write(&mut out, &pen, &glyph, (tenths(x), tenths(y)), true, &glyph.describe());
        }
        out.push_str("</g>\n");
    }
    out.push_str("</svg>\n");
    out
}
