//! Pixels, and polygons on them.

use super::geometry::Point;

/// How many lines of samples a row of pixels has. Along a line, coverage is exact.
const SAMPLES: usize = 8;

/// A picture of RGBA pixels, transparent at first.
pub(super) struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<[u8; 4]>,
}

/// An edge of a polygon, from its upper to its lower end.
struct Edge {
    top: f64,
    bottom: f64,
    x: f64,
    slope: f64,
    winding: i32,
}

impl Canvas {
    pub(super) fn new(width: usize, height: usize) -> Self {
        Canvas { width, height, pixels: vec![[0; 4]; width * height] }
    }

    pub(super) fn pixels(&self) -> &[[u8; 4]] {
        &self.pixels
    }

    /// Fills what polygons go around, by the rule that SVG calls non-zero.
    pub(super) fn fill(&mut self, polygons: &[Vec<Point>], colour: [u8; 3], opacity: f64) {
        let mut edges: Vec<Edge> = polygons.iter().flat_map(|polygon| edges(polygon)).collect();
        edges.sort_by(|a, b| a.top.total_cmp(&b.top));
        let bottom = edges.iter().map(|edge| edge.bottom).fold(0.0, f64::max);
        let Some(first) = edges.first() else { return };
        let rows = row(first.top, self.height)..(row(bottom, self.height) + 1).min(self.height);
        let mut cover = vec![0.0_f64; self.width];
        let (mut active, mut next): (Vec<usize>, usize) = (Vec::new(), 0);
        let mut crossings: Vec<(f64, i32)> = Vec::new();
        for y in rows {
            let mut touched = (self.width, 0);
            for sample in 0..SAMPLES {
                let at = index(y) + (index(sample) + 0.5) / index(SAMPLES);
                while edges.get(next).is_some_and(|edge| edge.top <= at) {
                    active.push(next);
                    next += 1;
                }
                active.retain(|edge| edges[*edge].bottom > at);
                crossings.clear();
                crossings.extend(active.iter().map(|edge| {
                    let edge = &edges[*edge];
                    (edge.x + (at - edge.top) * edge.slope, edge.winding)
                }));
                crossings.sort_by(|a, b| a.0.total_cmp(&b.0));
                let (mut winding, mut start) = (0, 0.0);
                for (x, turn) in &crossings {
                    if winding == 0 {
                        start = *x;
                    }
                    winding += turn;
                    if winding == 0 {
                        span(&mut cover, start, *x, &mut touched);
                    }
                }
            }
            self.blend(y, &mut cover, touched, colour, opacity);
        }
    }

    /// Lays a colour over the pixels of a row that are covered, and clears the cover.
    fn blend(&mut self, y: usize, cover: &mut [f64], touched: (usize, usize), colour: [u8; 3], opacity: f64) {
        let row = &mut self.pixels[y * self.width..][..self.width];
        for (pixel, covered) in row.iter_mut().zip(cover).take(touched.1).skip(touched.0) {
            let share = (std::mem::take(covered) / index(SAMPLES)).min(1.0) * opacity;
            let alpha = byte(share * 255.0);
            let below = u32::from(pixel[3]) * (255 - alpha);
            let whole = alpha * 255 + below;
            if alpha > 0 && whole > 0 {
                for (channel, value) in pixel.iter_mut().zip(colour) {
                    let mixed =
                        (u32::from(value) * alpha * 255 + u32::from(*channel) * below + whole / 2) / whole;
                    *channel = u8::try_from(mixed).unwrap_or(u8::MAX);
                }
                pixel[3] = u8::try_from((whole + 127) / 255).unwrap_or(u8::MAX);
            }
        }
    }
}

/// Adds the cover of a stretch of one line of samples.
fn span(cover: &mut [f64], from: f64, to: f64, touched: &mut (usize, usize)) {
    let limit = index(cover.len());
    let (from, to) = (from.clamp(0.0, limit), to.clamp(0.0, limit));
    if to <= from {
        return;
    }
    let (first, last) = (row(from, cover.len()), row(to, cover.len()));
    touched.0 = touched.0.min(first);
    touched.1 = touched.1.max((last + 1).min(cover.len()));
    if first == last {
        if let Some(cell) = cover.get_mut(first) {
            *cell += to - from;
        }
        return;
    }
    cover[first] += index(first + 1) - from;
    for cell in &mut cover[first + 1..last] {
        *cell += 1.0;
    }
    if let Some(cell) = cover.get_mut(last) {
        *cell += to - index(last);
    }
}

fn edges(polygon: &[Point]) -> impl Iterator<Item = Edge> {
    let next = polygon.iter().skip(1).chain(polygon.first());
    polygon.iter().zip(next).filter(|(a, b)| a.1 < b.1 || b.1 < a.1).map(|(a, b)| {
        let (upper, lower, winding) = if a.1 < b.1 { (a, b, 1) } else { (b, a, -1) };
        let slope = (lower.0 - upper.0) / (lower.1 - upper.1);
        Edge { top: upper.1, bottom: lower.1, x: upper.0, slope, winding }
    })
}

/// The row of pixels at a height, between the first and one beyond the last.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the picture")]
fn row(y: f64, count: usize) -> usize {
    y.clamp(0.0, index(count)) as usize
}

#[expect(clippy::cast_precision_loss, reason = "pixels are far fewer than 2^52")]
fn index(value: usize) -> f64 {
    value as f64
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a byte")]
fn byte(value: f64) -> u32 {
    value.round().clamp(0.0, 255.0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(left: f64, top: f64, side: f64) -> Vec<Point> {
        vec![(left, top), (left + side, top), (left + side, top + side), (left, top + side)]
    }

    #[test]
    fn half_a_pixel_is_half_covered() {
        let mut canvas = Canvas::new(3, 3);
        canvas.fill(&[square(0.5, 1.0, 1.0)], [10, 20, 30], 1.0);
        let alphas: Vec<u8> = canvas.pixels().iter().map(|pixel| pixel[3]).collect();
        assert_eq!(alphas, [0, 0, 0, 128, 128, 0, 0, 0, 0]);
    }

    #[test]
    fn overlaps_count_once_and_holes_stay_open() {
        let mut canvas = Canvas::new(4, 1);
        canvas.fill(&[square(0.0, 0.0, 2.0), square(1.0, 0.0, 2.0)], [0; 3], 0.5);
        assert_eq!(canvas.pixels().iter().map(|pixel| pixel[3]).collect::<Vec<_>>(), [128, 128, 128, 0]);
        let mut canvas = Canvas::new(3, 3);
        let hole: Vec<Point> = square(1.0, 1.0, 1.0).into_iter().rev().collect();
        canvas.fill(&[square(0.0, 0.0, 3.0), hole], [0; 3], 1.0);
        assert_eq!(canvas.pixels()[4][3], 0);
    }

    #[test]
    fn what_lies_outside_is_cut_off() {
        let mut canvas = Canvas::new(2, 2);
        canvas.fill(&[square(-1e9, -1e9, 3e9)], [1, 2, 3], 1.0);
        canvas.fill(
            &[square(5.0, 5.0, 1.0), square(f64::NAN, 0.0, 1.0), square(-5.0, -5.0, 1.0)],
            [9; 3],
            1.0,
        );
        assert_eq!(canvas.pixels()[3], [1, 2, 3, 255]);
    }
}
