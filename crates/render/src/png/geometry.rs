//! Points, transforms and circles.
//!
//! Only additions, products, quotients and square roots, which are exact to the last bit on every machine;
//! the functions of angles that the standard library has are not.

/// A point, or a vector.
pub(super) type Point = (f64, f64);

/// How a shape is moved, scaled and turned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Transform {
    pub(super) a: f64,
    pub(super) b: f64,
    pub(super) c: f64,
    pub(super) d: f64,
    pub(super) e: f64,
    pub(super) f: f64,
}

impl Transform {
    pub(super) const fn scale(x: f64, y: f64) -> Self {
        Transform { a: x, b: 0.0, c: 0.0, d: y, e: 0.0, f: 0.0 }
    }

    pub(super) const fn translate(x: f64, y: f64) -> Self {
        Transform { a: 1.0, b: 0.0, c: 0.0, d: 1.0, e: x, f: y }
    }

    /// A turn by degrees, clockwise on the picture.
    pub(super) fn rotate(degrees: f64) -> Self {
        let (sine, cosine) = sine_cosine(degrees);
        Transform { a: cosine, b: sine, c: -sine, d: cosine, e: 0.0, f: 0.0 }
    }

    /// First `inner`, then this.
    pub(super) fn then(&self, inner: &Transform) -> Transform {
        let (e, f) = self.apply((inner.e, inner.f));
        Transform {
            a: self.a * inner.a + self.c * inner.b,
            b: self.b * inner.a + self.d * inner.b,
            c: self.a * inner.c + self.c * inner.d,
            d: self.b * inner.c + self.d * inner.d,
            e,
            f,
        }
    }

    pub(super) fn apply(&self, (x, y): Point) -> Point {
        (self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f)
    }

    /// About how much larger things get.
    pub(super) fn size(&self) -> f64 {
        (self.a * self.d - self.b * self.c).abs().sqrt()
    }

    /// The transforms of an attribute, one after another; what is not understood is left out.
    pub(super) fn parse(text: &str) -> Transform {
        let mut all = Transform::scale(1.0, 1.0);
        for part in text.split(')') {
            let Some((name, numbers)) = part.split_once('(') else { continue };
            let numbers: Vec<f64> =
                numbers.split([' ', ',']).filter_map(|number| number.parse().ok()).collect();
            let step = match (name.trim(), &numbers[..]) {
                ("translate", [x, y]) => Transform::translate(*x, *y),
                ("scale", [both]) => Transform::scale(*both, *both),
                ("scale", [x, y]) => Transform::scale(*x, *y),
                ("rotate", [degrees]) => Transform::rotate(*degrees),
                ("rotate", [degrees, x, y]) => Transform::translate(*x, *y)
                    .then(&Transform::rotate(*degrees))
                    .then(&Transform::translate(-x, -y)),
                _ => continue,
            };
            all = all.then(&step);
        }
        all
    }
}

fn sine_cosine(degrees: f64) -> (f64, f64) {
    let quarter = (degrees / 90.0).round();
    let rest = (degrees - quarter * 90.0) * std::f64::consts::PI / 180.0;
    // At most an eighth of a turn is left, for which these series are exact enough after ten terms.
    let (mut sine, mut cosine, mut term) = (0.0, 0.0, 1.0);
    for index in 0..20_u8 {
        match index % 4 {
            0 => cosine += term,
            1 => sine += term,
            2 => cosine -= term,
            _ => sine -= term,
        }
        term = term * rest / f64::from(index + 1);
    }
    let turns = quarter.rem_euclid(4.0);
    if turns < 0.5 {
        (sine, cosine)
    } else if turns < 1.5 {
        (cosine, -sine)
    } else if turns < 2.5 {
        (-sine, -cosine)
    } else {
        (-cosine, sine)
    }
}

/// A vector of length 1 in the same direction; `None` if there is none.
pub(super) fn unit((x, y): Point) -> Option<Point> {
    let length = (x * x + y * y).sqrt();
    (length > 1e-9).then(|| (x / length, y / length))
}

/// Points on the unit circle from `from` to `to`, which is included and `from` is not, in 2^`halvings` steps;
/// `forward` is clockwise on the picture.
pub(super) fn arc(from: Point, to: Point, forward: bool, large: bool, halvings: u32, out: &mut Vec<Point>) {
    let Some(halvings) = halvings.checked_sub(1) else {
        out.push(to);
        return;
    };
    let side = if forward { (-from.1, from.0) } else { (from.1, -from.0) };
    let middle = match unit((from.0 + to.0, from.1 + to.1)) {
        Some((x, y)) if large => (-x, -y),
        Some(middle) => middle,
        None => side,
    };
    arc(from, middle, forward, false, halvings, out);
    arc(middle, to, forward, false, halvings, out);
}

/// A circle around 0 with radius 1, as a polygon that is fine enough for a radius in pixels.
pub(super) fn circle(pixels: f64) -> Vec<Point> {
    let halvings = if pixels < 3.0 {
        1
    } else if pixels < 12.0 {
        2
    } else if pixels < 60.0 {
        3
    } else {
        5
    };
    let corners = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)];
    let mut points = Vec::new();
    for (index, corner) in corners.iter().enumerate() {
        arc(*corner, corners[(index + 1) % 4], true, false, halvings + 1, &mut points);
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_those_of_the_library() {
        for degrees in [-450, -90, -18, 0, 18, 45, 46, 90, 135, 180, 270, 359] {
            let (sine, cosine) = sine_cosine(f64::from(degrees));
            let (s, c) = f64::from(degrees).to_radians().sin_cos();
            assert!((sine - s).abs() < 1e-12 && (cosine - c).abs() < 1e-12, "{degrees}");
        }
    }

    #[test]
    fn circles_are_round_and_go_round_once() {
        for pixels in [1.0, 5.0, 30.0, 100.0] {
            let points = circle(pixels);
            let mut area = 0.0;
            for (index, (x, y)) in points.iter().enumerate() {
                assert!((x * x + y * y - 1.0).abs() < 1e-9);
                let next = points[(index + 1) % points.len()];
                area += (x * next.1 - next.0 * y) / 2.0;
            }
            assert!((area - std::f64::consts::PI).abs() < 0.1, "{area}");
        }
    }

    #[test]
    fn attributes_are_applied_from_the_right() {
        let transform = Transform::parse("translate(10 20) scale(2)");
        assert_eq!(transform.apply((1.0, 1.0)), (12.0, 22.0));
        let (x, y) = Transform::parse("rotate(180 22.5 22.5)").apply((0.0, 0.0));
        assert!((x - 45.0).abs() < 1e-9 && (y - 45.0).abs() < 1e-9);
    }
}
