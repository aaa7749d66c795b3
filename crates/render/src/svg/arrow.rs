//! Arrows: between two squares, and along movements that never end.

use std::fmt::Write;

use super::Pen;
use super::frame::Frame;
use crate::diagram::Diagram;
use crate::palette::Colour;
use crate::xml::{Escaped, Tenths};

/// An arrow as one outline.
struct Arrow {
    /// The middle of the square where it starts.
    origin: (Tenths, Tenths),
    /// Its direction, of length 1; down is positive.
    right: f64,
    down: f64,
    /// Where shaft and tip are, along the direction, in tenths.
    start: f64,
    tip: f64,
    /// Half the width of the shaft, and of the head.
    shaft: f64,
    head: f64,
}

impl Arrow {
    #[expect(clippy::cast_possible_truncation, reason = "what is on a picture is small")]
    fn write(&self, out: &mut String, colour: Colour, opacity: &str, title: &str) {
        let neck = (self.tip - 2.0 * self.head).max(self.start);
        let at = |along: f64, aside: f64| {
            let place = |from: Tenths, offset: f64| Tenths(from.0.saturating_add(offset.round() as i64));
            let x = place(self.origin.0, along * self.right - aside * self.down);
            let y = place(self.origin.1, along * self.down + aside * self.right);
            format!("{x} {y}")
        };
        let points = [
            at(self.start, self.shaft),
            at(neck, self.shaft),
            at(neck, self.head),
            at(self.tip, 0.0),
            at(neck, -self.head),
            at(neck, -self.shaft),
            at(self.start, -self.shaft),
        ];
        let _ = writeln!(
            out,
            r#"<path d="M{}z" fill="{colour}" opacity="{opacity}">{title}</path>"#,
            points.join(" ")
        );
    }
}

/// Every arrow of a diagram.
pub(super) fn all(out: &mut String, pen: &Pen<'_>, diagram: &Diagram, frame: &Frame) {
    rays(out, pen, diagram, frame);
    for arrow in &diagram.arrows {
        let (from, to) = (frame.centre(arrow.from.0, arrow.from.1), frame.centre(arrow.to.0, arrow.to.1));
        let (right, down, length) =
            direction(from.0.0.abs_diff(to.0.0), to.0 < from.0, from.1.0.abs_diff(to.1.0), to.1 < from.1);
        let [start, end] = arrow.squares.each_ref().map(|square| diagram.square_name(square));
        let words = format!("arrow from {start} to {end}");
        let title = if pen.tooltips { format!("<title>{}</title>", Escaped(&words)) } else { String::new() };
        let outline =
            Arrow { origin: from, right, down, start: 130.0, tip: length - 40.0, shaft: 32.0, head: 85.0 };
        outline.write(out, pen.palette.arrow, ".8", &title);
    }
}

/// A direction of length 1 with the length it had.
#[expect(clippy::cast_precision_loss, reason = "what is on a picture is small")]
fn direction(across: u64, left: bool, along: u64, up: bool) -> (f64, f64, f64) {
    let sign = |value: u64, negative: bool| if negative { -(value as f64) } else { value as f64 };
    let (right, down) = (sign(across, left), sign(along, up));
    // Square roots are exact to the last bit everywhere, so the picture is the same everywhere.
    let length = (right * right + down * down).sqrt().max(1.0);
    (right / length, down / length, length)
}

/// Arrows along endless movements: from the edge of the first square to beyond the last one shown.
#[expect(clippy::cast_precision_loss, reason = "a step beyond the picture only gives a direction")]
fn rays(out: &mut String, pen: &Pen<'_>, diagram: &Diagram, frame: &Frame) {
    for ray in &diagram.rays {
        let (right, down, length) =
            direction(ray.right.unsigned_abs(), ray.right < 0, ray.down.unsigned_abs(), ray.down < 0);
        // No step on the picture: only the direction counts.
        let run = if ray.steps == 0 { 0.0 } else { ray.steps as f64 * length * 450.0 };
        let outline = Arrow {
            origin: frame.centre(ray.row, ray.column),
            right,
            down,
            start: 190.0,
            tip: run + 290.0,
            shaft: 13.0,
            head: 52.0,
        };
        outline.write(out, pen.palette.target, ".85", "");
    }
}
