//! Marks under and above the pieces.

use std::fmt::Write;

use super::Pen;
use super::frame::Frame;
use crate::diagram::{Diagram, Mark};
use crate::xml::Tenths;

/// Marks that colour a square.
pub(super) fn below(out: &mut String, pen: &Pen<'_>, diagram: &Diagram, frame: &Frame) {
    for marked in &diagram.marks {
        let colour = match marked.mark {
            Mark::LastMove => pen.palette.moved,
            Mark::Highlight => pen.palette.highlight,
            Mark::EnPassant | Mark::Target | Mark::Capture => continue,
        };
        let (Tenths(x), Tenths(y)) = (frame.x(marked.column), frame.y(marked.row));
        let _ = if pen.palette.outlines {
            // On paper the last move is a solid frame, a highlight a dashed one.
            let dashes = if marked.mark == Mark::Highlight { r#" stroke-dasharray="6 4.5""# } else { "" };
            writeln!(
                out,
                r#"<path d="M{} {}h42v42h-42z" fill="none" stroke="{colour}" stroke-width="2.5"{dashes}/>"#,
                Tenths(x + 15),
                Tenths(y + 15)
            )
        } else {
            writeln!(
                out,
                r#"<path d="M{} {}h45v45h-45z" fill="{colour}" opacity=".75"/>"#,
                Tenths(x),
                Tenths(y)
            )
        };
    }
}

/// Marks that stand on a square: rights, en passant, where a movement goes.
pub(super) fn above(out: &mut String, pen: &Pen<'_>, diagram: &Diagram, frame: &Frame) {
    rights(out, pen, diagram, frame);
    let (target, capture) = (pen.palette.target, pen.palette.capture);
    for marked in &diagram.marks {
        let (x, y) = frame.centre(marked.row, marked.column);
        let occupied = diagram
            .pieces
            .binary_search_by_key(&(marked.row, marked.column), |shown| (shown.row, shown.column))
            .is_ok();
        let _ = match marked.mark {
            Mark::EnPassant => {
                let title = if pen.tooltips { "<title>en passant</title>" } else { "" };
                writeln!(
                    out,
                    r#"<circle cx="{x}" cy="{y}" r="11" fill="none" stroke="{capture}" stroke-width="2.5" stroke-dasharray="4.3 4.3">{title}</circle>"#
                )
            }
            Mark::Target => writeln!(out, r#"<circle cx="{x}" cy="{y}" r="7" fill="{target}"/>"#),
            Mark::Capture if occupied => writeln!(
                out,
                r#"<circle cx="{x}" cy="{y}" r="19.5" fill="none" stroke="{capture}" stroke-width="3"/>"#
            ),
            Mark::Capture => writeln!(
                out,
                r#"<path d="M{} {}l12 12m0-12l-12 12" fill="none" stroke="{capture}" stroke-width="3.5" stroke-linecap="round"/>"#,
                Tenths(x.0 - 60),
                Tenths(y.0 - 60)
            ),
            Mark::LastMove | Mark::Highlight => Ok(()),
        };
    }
}

/// A small plus beside each piece that has its special right.
fn rights(out: &mut String, pen: &Pen<'_>, diagram: &Diagram, frame: &Frame) {
    let mut plus = String::new();
    for shown in diagram.pieces.iter().filter(|shown| shown.right) {
        let (Tenths(x), Tenths(y)) = (frame.x(shown.column), frame.y(shown.row));
        let _ = write!(
            plus,
            "M{} {}h7M{} {}v7",
            Tenths(x + 355),
            Tenths(y + 70),
            Tenths(x + 390),
            Tenths(y + 35)
        );
    }
    if !plus.is_empty() {
        let colour = pen.palette.target;
        let _ = writeln!(
            out,
            r##"<g fill="none" stroke-linecap="round"><path d="{plus}" stroke="#fff" stroke-width="4"/><path d="{plus}" stroke="{colour}" stroke-width="2.2"/></g>"##
        );
    }
}
