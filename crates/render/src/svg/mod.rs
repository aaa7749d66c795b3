//! SVG pictures.
//!
//! **Writes** one `<svg>` element in UTF-8 with a `<title>`, own shapes for every piece, and the name and square of each
//! piece as its tooltip. The same diagram always gives the same bytes. The frame follows the reader's light or dark theme.

mod board;
mod glyphs;
mod shapes;
mod xml;

use std::collections::BTreeMap;
use std::fmt::Write;

use boardprint_base::{Piece, PieceKind, Player};

use self::board::Frame;
use self::xml::{Escaped, Tenths};
use crate::diagram::{Diagram, Shown};
use crate::glyph::Glyph;
use crate::label;
use crate::palette;

/// Colours of frame and labels in both themes; everything else has its own background.
const STYLE: &str = "<style>.bp-frame{fill:#faf8f4}.bp-label{fill:#57534a;font-family:sans-serif}\
    @media (prefers-color-scheme:dark){.bp-frame{fill:#24262a}.bp-label{fill:#c9c5bb}}</style>\n";

/// Writes a diagram as SVG.
#[must_use]
pub fn write(diagram: &Diagram) -> String {
    let frame = Frame::of(diagram);
    let mut out = String::with_capacity(4096 + 100 * diagram.pieces.len());
    open(&mut out, frame.width, frame.height, &diagram.title());
    let glyphs =
        diagram.pieces.iter().map(|shown| &shown.glyph).chain(diagram.hands.iter().map(|(glyph, _)| glyph));
    glyphs::definitions(&mut out, glyphs);
    board::surface(&mut out, diagram, &frame);
    board::marks_below(&mut out, diagram, &frame);
    board::folds(&mut out, diagram, &frame);
    pieces(&mut out, diagram, &frame);
    board::marks_above(&mut out, diagram, &frame);
    board::rays(&mut out, diagram, &frame);
    board::labels(&mut out, diagram, &frame);
    hands(&mut out, diagram, &frame);
    turn(&mut out, diagram, &frame);
    out.push_str("</svg>\n");
    out
}

/// Writes a sheet of every built-in kind in the colours of every named player.
#[must_use]
pub fn piece_sheet() -> String {
    let kinds = PieceKind::BUILT_IN;
    let players: Vec<Player> = (1..=6).chain([0]).map(Player).collect();
    let (per_row, square) = (11, 45);
    let glyph = |kind: PieceKind, player: Player| Glyph::Piece(Piece::new(kind, player));
    let block = (players.len() + 1) * square;
    let mut out = String::new();
    open(
        &mut out,
        per_row * square + 10,
        kinds.len().div_ceil(per_row) * block + 5,
        "The pieces of boardprint",
    );
    let all: Vec<Glyph> = kinds.iter().map(|kind| glyph(*kind, Player::WHITE)).collect();
    glyphs::definitions(&mut out, all.iter());
    let tenths = |value: usize| Tenths(i64::try_from(value * 10).unwrap_or(i64::MAX));
    let place = |index: usize, line: usize| {
        (index % per_row * square + 5, index / per_row * block + line * square + 5)
    };
    for (index, kind) in kinds.iter().enumerate() {
        for line in 0..players.len() {
            let (x, y) = place(index, line);
            let colour = if (index + line) % 2 == 0 { palette::LIGHT } else { palette::DARK };
            let _ = writeln!(out, r#"<path d="M{x} {y}h45v45h-45z" fill="{colour}"/>"#);
        }
        let (x, y) = place(index, players.len());
        let (x, y, next) = (x + square / 2, y + 13, y + 24);
        let _ = writeln!(
            out,
            r#"<text class="bp-label" x="{x}" y="{y}" font-size="11" font-weight="bold" text-anchor="middle">{}</text>"#,
            kind.code()
        );
        let _ = writeln!(
            out,
            r#"<text class="bp-label" x="{x}" y="{next}" font-size="7" text-anchor="middle">{}</text>"#,
            kind.name()
        );
    }
    for (line, player) in players.iter().enumerate() {
        glyphs::open_player(&mut out, *player);
        for (index, kind) in kinds.iter().enumerate() {
            let (x, y) = place(index, line);
            let glyph = glyph(*kind, *player);
            glyphs::write(&mut out, &glyph, tenths(x), tenths(y), true, &glyph.describe());
        }
        out.push_str("</g>\n");
    }
    out.push_str("</svg>\n");
    out
}

fn open(out: &mut String, width: usize, height: usize, title: &str) {
    let _ = writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">"#
    );
    let _ = writeln!(out, "<title>{}</title>", Escaped(title));
    out.push_str(STYLE);
    let _ = writeln!(out, r#"<rect class="bp-frame" width="{width}" height="{height}" rx="6"/>"#);
}

/// The pieces, grouped by player so that each colour is said once.
fn pieces(out: &mut String, diagram: &Diagram, frame: &Frame) {
    let mut groups: BTreeMap<Player, Vec<&Shown>> = BTreeMap::new();
    for shown in &diagram.pieces {
        groups.entry(shown.glyph.player()).or_default().push(shown);
    }
    for (player, group) in groups {
        glyphs::open_player(out, player);
        for shown in group {
            let (x, y) = (frame.x(shown.column), frame.y(shown.row));
            let title = format!("{} {}", shown.glyph.describe(), label::square(&shown.square));
            glyphs::write(out, &shown.glyph, x, y, diagram.points_up(player), &title);
        }
        out.push_str("</g>\n");
    }
}

/// The pieces in hand, above and below the board.
fn hands(out: &mut String, diagram: &Diagram, frame: &Frame) {
    for top in [true, false] {
        for (index, (glyph, count)) in diagram.hand(top).enumerate() {
            let (x, y) = frame.hand_place(top, index);
            let _ = writeln!(out, r#"<g transform="translate({x} {y}) scale(.7)">"#);
            glyphs::open_player(out, glyph.player());
            let title = format!("{} in hand: {count}", glyph.describe());
            glyphs::write(out, glyph, Tenths(0), Tenths(0), !top, &title);
            out.push_str("</g>");
            if *count > 1 {
                let _ = write!(out, r#"<text class="bp-label" x="45" y="28" font-size="16">×{count}</text>"#);
            }
            out.push_str("</g>\n");
        }
    }
}

/// A dot in the colour of the side to move, on its side of the board.
fn turn(out: &mut String, diagram: &Diagram, frame: &Frame) {
    let Some(turn) = &diagram.turn else { return };
    let (ink, (x, y)) = (palette::ink(turn.colour), frame.turn_place(turn.from_bottom != diagram.flipped));
    let _ = writeln!(
        out,
        r#"<circle cx="{x}" cy="{y}" r="5" fill="{}" stroke="{}" stroke-width="1.5"><title>{} to move</title></circle>"#,
        ink.fill,
        ink.stroke,
        Escaped(&turn.name)
    );
}
