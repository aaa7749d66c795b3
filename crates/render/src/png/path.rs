//! Path data as polygons.

use super::geometry::{self, Point};

/// A run of points, and whether its end is joined to its start.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Line {
    pub(super) points: Vec<Point>,
    pub(super) closed: bool,
}

/// The lines of path data; curves are split finely enough for a scale. What follows something that is not
/// understood is left out, and `false` is returned with the rest.
pub(super) fn lines(data: &str, scale: f64) -> (Vec<Line>, bool) {
    let mut reader = Reader { rest: data.as_bytes() };
    let mut walk = Walk { scale, lines: Vec::new(), at: (0.0, 0.0), start: (0.0, 0.0), control: None };
    let mut command = None;
    loop {
        let next = reader.command();
        if next.is_none() && reader.rest.is_empty() {
            return (walk.lines, true);
        }
        // Further numbers repeat the command; after a move they are lines.
        command = next.or(match command {
            Some(b'M') => Some(b'L'),
            Some(b'm') => Some(b'l'),
            Some(b'Z' | b'z') => None,
            other => other,
        });
        if command.and_then(|command| walk.step(command, &mut reader)).is_none() {
            return (walk.lines, false);
        }
    }
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    fn skip(&mut self) {
        while let [b' ' | b',' | b'\n', rest @ ..] = self.rest {
            self.rest = rest;
        }
    }

    fn command(&mut self) -> Option<u8> {
        self.skip();
        let (first, rest) = self.rest.split_first()?;
        first.is_ascii_alphabetic().then(|| {
            self.rest = rest;
            *first
        })
    }

    /// A number; a second point or sign begins the next one.
    fn number(&mut self) -> Option<f64> {
        self.skip();
        let mut point = false;
        let length = self
            .rest
            .iter()
            .enumerate()
            .position(|(index, byte)| match byte {
                b'0'..=b'9' => false,
                b'-' => index > 0,
                b'.' => std::mem::replace(&mut point, true),
                _ => true,
            })
            .unwrap_or(self.rest.len());
        let (number, rest) = self.rest.split_at(length);
        self.rest = rest;
        std::str::from_utf8(number).ok()?.parse().ok()
    }

    fn point(&mut self, from: Point) -> Option<Point> {
        Some((from.0 + self.number()?, from.1 + self.number()?))
    }
}

struct Walk {
    scale: f64,
    lines: Vec<Line>,
    at: Point,
    start: Point,
    /// The second control point of the curve that was drawn last, for a smooth one after it.
    control: Option<Point>,
}

impl Walk {
    fn step(&mut self, command: u8, reader: &mut Reader<'_>) -> Option<()> {
        let from = if command.is_ascii_lowercase() { self.at } else { (0.0, 0.0) };
        let control = self.control.take();
        match command.to_ascii_uppercase() {
            b'M' => {
                self.at = reader.point(from)?;
                self.start = self.at;
                self.lines.push(Line { points: vec![self.at], closed: false });
            }
            b'L' => {
                let to = reader.point(from)?;
                self.line(to);
            }
            b'H' => {
                let to = (from.0 + reader.number()?, self.at.1);
                self.line(to);
            }
            b'V' => {
                let to = (self.at.0, from.1 + reader.number()?);
                self.line(to);
            }
            b'Q' => {
                let (control, to) = (reader.point(from)?, reader.point(from)?);
                let at = self.at;
                // A cubic curve with the same course.
                let third = |end: Point| {
                    (end.0 + (control.0 - end.0) * 2.0 / 3.0, end.1 + (control.1 - end.1) * 2.0 / 3.0)
                };
                self.curve(third(at), third(to), to);
            }
            b'C' => {
                let (one, two, to) = (reader.point(from)?, reader.point(from)?, reader.point(from)?);
                self.curve(one, two, to);
                self.control = Some(two);
            }
            b'S' => {
                let (two, to) = (reader.point(from)?, reader.point(from)?);
                let at = self.at;
                let one = control.map_or(at, |control| (2.0 * at.0 - control.0, 2.0 * at.1 - control.1));
                self.curve(one, two, to);
                self.control = Some(two);
            }
            b'A' => {
                let radii = (reader.number()?, reader.number()?);
                // Our ellipses are never turned.
                reader.number().filter(|turn| *turn == 0.0)?;
                let (large, sweep) = (reader.number()? > 0.5, reader.number()? > 0.5);
                let to = reader.point(from)?;
                self.arc(radii, large, sweep, to);
            }
            b'Z' => {
                if let Some(line) = self.lines.last_mut() {
                    line.closed = true;
                }
                self.at = self.start;
            }
            _ => return None,
        }
        Some(())
    }

    fn line(&mut self, to: Point) {
        self.at = to;
        match self.lines.last_mut() {
            Some(line) if !line.closed => line.points.push(to),
            _ => self.lines.push(Line { points: vec![self.start, to], closed: false }),
        }
    }

    fn curve(&mut self, one: Point, two: Point, to: Point) {
        let from = self.at;
        let length = |a: Point, b: Point| ((b.0 - a.0) * (b.0 - a.0) + (b.1 - a.1) * (b.1 - a.1)).sqrt();
        let pixels = (length(from, one) + length(one, two) + length(two, to)) * self.scale;
        let mut steps = 4_u32;
        while steps < 64 && f64::from(steps * steps) < pixels * 4.0 {
            steps += 2;
        }
        for step in 1..=steps {
            let t = f64::from(step) / f64::from(steps);
            let u = 1.0 - t;
            let mix = |a: f64, b: f64, c: f64, d: f64| {
                u * u * u * a + 3.0 * u * u * t * b + 3.0 * u * t * t * c + t * t * t * d
            };
            self.line((mix(from.0, one.0, two.0, to.0), mix(from.1, one.1, two.1, to.1)));
        }
    }

    /// An arc of an ellipse: its middle by the rules of SVG, its points on the unit circle.
    fn arc(&mut self, (rx, ry): Point, large: bool, sweep: bool, to: Point) {
        let from = self.at;
        let half = ((from.0 - to.0) / 2.0, (from.1 - to.1) / 2.0);
        if rx <= 0.0 || ry <= 0.0 || (half.0 == 0.0 && half.1 == 0.0) {
            self.line(to);
            return;
        }
        // On the unit circle: half the chord, and the way from its middle to the centre.
        let chord = (half.0 / rx, half.1 / ry);
        let square = chord.0 * chord.0 + chord.1 * chord.1;
        let (scale, square) = if square > 1.0 { (square.sqrt(), 1.0) } else { (1.0, square) };
        let (rx, ry) = (rx * scale, ry * scale);
        let chord = (chord.0 / scale, chord.1 / scale);
        let way = ((1.0 - square) / square).max(0.0).sqrt() * if large == sweep { -1.0 } else { 1.0 };
        let centre = (way * chord.1, -way * chord.0);
        let start = (chord.0 - centre.0, chord.1 - centre.1);
        let end = (-chord.0 - centre.0, -chord.1 - centre.1);
        let halvings = if rx.max(ry) * self.scale < 40.0 { 4 } else { 6 };
        let mut points = Vec::new();
        geometry::arc(start, end, sweep, large, halvings, &mut points);
        let middle = (f64::midpoint(from.0, to.0), f64::midpoint(from.1, to.1));
        points.pop();
        for (x, y) in points {
            self.line((middle.0 + (centre.0 + x) * rx, middle.1 + (centre.1 + y) * ry));
        }
        self.line(to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(data: &str) -> Vec<Point> {
        let (lines, all) = lines(data, 1.0);
        assert!(all, "{data}");
        lines.into_iter().flat_map(|line| line.points).collect()
    }

    #[test]
    fn numbers_need_no_space_between_them() {
        assert_eq!(
            points("M1.5.5-1-2L3,4h-.5v2"),
            [(1.5, 0.5), (-1.0, -2.0), (3.0, 4.0), (2.5, 4.0), (2.5, 6.0)]
        );
        assert_eq!(points("m1 1 1 1zl2 0"), [(1.0, 1.0), (2.0, 2.0), (1.0, 1.0), (3.0, 1.0)]);
    }

    #[test]
    fn arcs_stay_on_their_circle() {
        for (data, large) in [
            ("M10 0A10 10 0 0 1 0 10", false),
            ("M10 0A10 10 0 1 0 0 10", true),
            ("M10 0A10 10 0 0 1-10 0", false),
        ] {
            let all = points(data);
            for (x, y) in &all {
                assert!((x * x + y * y - 100.0).abs() < 1e-6, "{data} {x} {y}");
            }
            assert_eq!(all.iter().any(|(x, y)| *x < -1.0 && *y < -1.0), large, "{data}");
        }
    }

    #[test]
    fn what_is_not_understood_ends_the_path() {
        for data in ["M1 1X3", "M1", "5 5", "M1 1zL", "M0 0z5", "é"] {
            assert!(!lines(data, 1.0).1, "{data}");
        }
    }
}
