//! SVG pictures.
//!
//! **Writes** one `<svg>` element in UTF-8 with a `<title>`, own shapes for every piece, and the name and
//! square of each piece as its tooltip. The same diagram always gives the same bytes, one element per line.
//!
//! There is no `<style>`, no `style` attribute, no script and no reference to anything outside, so the
//! picture needs no exception from a strict content security policy. The signs of Shogi, Xiangqi and Janggi
//! are drawn as strokes, so they look alike with any fonts; only coordinates, counts and words use the
//! reader's sans-serif font.

mod arrow;
mod board;
mod frame;
mod glyphs;
mod marks;
mod options;
mod shapes;
mod sheet;

use std::fmt::Write;

use self::frame::Frame;
use self::options::Size;
use crate::diagram::{Diagram, Shown};
use crate::theme::Palette;
use crate::xml::{Escaped, Tenths};

pub use options::SvgOptions;
pub use sheet::piece_sheet;

/// What every part of a picture is drawn with.
struct Pen<'a> {
    palette: Palette,
    prefix: &'a str,
    tooltips: bool,
}

/// Writes a diagram as SVG.
///
/// ```
/// use boardprint_render::{Diagram, SvgOptions, svg};
/// let picture = svg::write(&Diagram::builder().build()?, &SvgOptions::default());
/// assert!(picture.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
/// # Ok::<(), boardprint_render::DiagramError>(())
/// ```
#[must_use]
pub fn write(diagram: &Diagram, options: &SvgOptions) -> String {
    let frame = Frame::of(diagram);
    let pen = Pen { palette: options.theme.palette(), prefix: &options.prefix, tooltips: options.tooltips };
    let mut out = String::with_capacity(4096 + 100 * diagram.pieces.len());
    open(&mut out, &pen, (frame.width, frame.height), options.size, &diagram.title());
    let pieces = diagram.pieces.iter().map(|shown| &shown.glyph);
    let all = pieces.chain(diagram.hands.iter().map(|(glyph, _)| glyph));
    glyphs::definitions(&mut out, &pen, all.map(|glyph| (glyph, diagram.points_up(glyph.player()))));
    board::surface(&mut out, &pen, diagram, &frame);
    marks::below(&mut out, &pen, diagram, &frame);
    board::folds(&mut out, &pen, diagram, &frame);
    figures(&mut out, &pen, diagram, &frame);
    marks::above(&mut out, &pen, diagram, &frame);
    arrow::all(&mut out, &pen, diagram, &frame);
    board::labels(&mut out, &pen, diagram, &frame);
    hands(&mut out, &pen, diagram, &frame);
    legend(&mut out, &pen, diagram, &frame);
    out.push_str("</svg>\n");
    out
}

fn open(out: &mut String, pen: &Pen<'_>, (width, height): (usize, usize), size: Size, title: &str) {
    // Rounded up, so that nothing is cut off.
    let scaled =
        |length: usize, (over, under): (usize, usize)| length.saturating_mul(over).div_ceil(under.max(1));
    let scale = match size {
        Size::Square(pixels) => (pixels as usize, frame::SQUARE),
        Size::Width(pixels) => (pixels as usize, width),
    };
    let _ = writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{}" height="{}" role="img">"#,
        scaled(width, scale),
        scaled(height, scale)
    );
    let _ = writeln!(out, "<title>{}</title>", Escaped(title));
    if let Some(colour) = pen.palette.frame {
        let _ = writeln!(out, r#"<rect width="{width}" height="{height}" rx="6" fill="{colour}"/>"#);
    }
}

/// The pieces, grouped by player so that each colour is said once.
fn figures(out: &mut String, pen: &Pen<'_>, diagram: &Diagram, frame: &Frame) {
    let mut pieces: Vec<&Shown> = diagram.pieces.iter().collect();
    pieces.sort_by_key(|shown| shown.glyph.player());
    for group in pieces.chunk_by(|a, b| a.glyph.player() == b.glyph.player()) {
        let player = group[0].glyph.player();
        glyphs::open_player(out, pen, player);
        for shown in group {
            let place = (frame.x(shown.column), frame.y(shown.row));
            let words = format!("{} {}", shown.glyph.describe(), diagram.square_name(&shown.square));
            glyphs::write(out, pen, &shown.glyph, place, diagram.points_up(player), &words);
        }
        out.push_str("</g>\n");
    }
}

/// The pieces in hand, above and below the board.
fn hands(out: &mut String, pen: &Pen<'_>, diagram: &Diagram, frame: &Frame) {
    for top in [true, false] {
        for (index, (glyph, count)) in diagram.hand(top).enumerate() {
            let (x, y) = frame.hand_place(top, index);
            let _ = writeln!(out, r#"<g transform="translate({x} {y}) scale(.7)">"#);
            glyphs::open_player(out, pen, glyph.player());
            let words = format!("{} in hand: {count}", glyph.describe());
            glyphs::write(out, pen, glyph, (Tenths(0), Tenths(0)), !top, &words);
            out.push_str("</g>");
            if *count > 1 {
                let _ = write!(
                    out,
                    r#"<text x="45" y="28" font-size="16" font-family="sans-serif" fill="{}">×{count}</text>"#,
                    pen.palette.label
                );
            }
            out.push_str("</g>\n");
        }
    }
}

/// Whose turn it is: a dot in the colour of the side, and words.
fn legend(out: &mut String, pen: &Pen<'_>, diagram: &Diagram, frame: &Frame) {
    let Some((turn, words)) = diagram.turn.as_ref().zip(diagram.turn_words()).filter(|_| diagram.legend)
    else {
        return;
    };
    // Outlined as the words are, so that a black dot is seen on a dark frame.
    let (ink, (x, y)) = (pen.palette.ink(turn.colour), frame.legend_place());
    let _ = writeln!(
        out,
        r#"<circle cx="{x}" cy="{y}" r="5" fill="{}" stroke="{}" stroke-width="1.5"/>"#,
        ink.fill, pen.palette.label
    );
    let _ = writeln!(
        out,
        r#"<text x="{}" y="{}" font-size="12" font-family="sans-serif" fill="{}">{}</text>"#,
        x + 11,
        y + 4,
        pen.palette.label,
        Escaped(&words)
    );
}
