//! Lines with a width as polygons.

use super::geometry::{self, Point, unit};
use super::path::Line;

/// How a line is drawn.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pen {
    pub(super) width: f64,
    pub(super) round: bool,
    pub(super) dashes: Vec<f64>,
}

/// Polygons that cover a line, all turning the same way: a bar per segment and a disc at every bend. Corners
/// are always round; our lines are too thin for the difference to be seen.
pub(super) fn outline(line: &Line, pen: &Pen, scale: f64) -> Vec<Vec<Point>> {
    let mut points = line.points.clone();
    if line.closed {
        points.extend(line.points.first().copied());
    }
    points.dedup();
    let mut out = Vec::new();
    if pen.dashes.iter().sum::<f64>() > 0.0 {
        for dash in dashes(&points, &pen.dashes) {
            cover(&dash, false, pen, scale, &mut out);
        }
    } else {
        cover(&points, line.closed, pen, scale, &mut out);
    }
    out
}

fn cover(points: &[Point], closed: bool, pen: &Pen, scale: f64, out: &mut Vec<Vec<Point>>) {
    let half = pen.width / 2.0;
    let disc = geometry::circle(half * scale);
    let mut dot =
        |at: Point| out.push(disc.iter().map(|(x, y)| (at.0 + x * half, at.1 + y * half)).collect());
    let bends = if points.len() > 1 { &points[1..points.len() - 1] } else { &[] };
    bends.iter().copied().for_each(&mut dot);
    if pen.round || closed {
        for end in [points.first(), points.last()].into_iter().flatten() {
            dot(*end);
        }
    }
    for pair in points.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let Some((x, y)) = unit((to.0 - from.0, to.1 - from.1)) else { continue };
        let aside = (-y * half, x * half);
        out.push(vec![
            (from.0 - aside.0, from.1 - aside.1),
            (to.0 - aside.0, to.1 - aside.1),
            (to.0 + aside.0, to.1 + aside.1),
            (from.0 + aside.0, from.1 + aside.1),
        ]);
    }
}

/// The dashes along a line. A picture has few, so their number is limited instead of being trusted.
fn dashes(points: &[Point], pattern: &[f64]) -> Vec<Vec<Point>> {
    const LIMIT: usize = 10_000;
    let mut all: Vec<Vec<Point>> = vec![points.first().copied().into_iter().collect()];
    let (mut index, mut left) = (0, pattern[0]);
    for pair in points.windows(2) {
        let (mut from, to) = (pair[0], pair[1]);
        loop {
            let (dx, dy) = (to.0 - from.0, to.1 - from.1);
            let length = (dx * dx + dy * dy).sqrt();
            let drawn = index % 2 == 0;
            if length <= left || all.len() > LIMIT {
                left -= length;
                if let (true, Some(dash)) = (drawn, all.last_mut()) {
                    dash.push(to);
                }
                break;
            }
            from = (from.0 + dx * left / length, from.1 + dy * left / length);
            if let (true, Some(dash)) = (drawn, all.last_mut()) {
                dash.push(from);
            } else {
                all.push(vec![from]);
            }
            index += 1;
            left = pattern[index % pattern.len()].max(0.01);
        }
    }
    all.retain(|dash| dash.len() > 1);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_polygon_turns_the_same_way() {
        let (lines, _) = super::super::path::lines("M0 0L10 0 10 10 3 3zM5 5Q9 9 1 12", 2.0);
        let pen = Pen { width: 2.0, round: true, dashes: Vec::new() };
        for polygon in lines.iter().flat_map(|line| outline(line, &pen, 2.0)) {
            let area: f64 = (0..polygon.len())
                .map(|index| {
                    let (a, b) = (polygon[index], polygon[(index + 1) % polygon.len()]);
                    a.0 * b.1 - b.0 * a.1
                })
                .sum();
            assert!(area > 0.0, "{polygon:?}");
        }
    }

    #[test]
    fn dashes_cover_their_share() {
        let all = dashes(&[(0.0, 0.0), (7.0, 0.0), (20.0, 0.0)], &[3.0, 2.0]);
        let lengths: Vec<f64> = all.iter().map(|dash| dash[dash.len() - 1].0 - dash[0].0).collect();
        assert_eq!(lengths, [3.0, 3.0, 3.0, 3.0]);
    }
}
