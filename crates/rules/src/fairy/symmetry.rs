//! The eight symmetries of the square board.

use super::expr::{Jump, Mirror};

/// A signed permutation of the axes: a matrix by rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Symmetry([[i64; 2]; 2]);

impl Symmetry {
    /// Every symmetry, the identity first.
    pub(crate) const ALL: [Symmetry; 8] = [
        Symmetry([[1, 0], [0, 1]]),
        Symmetry([[1, 0], [0, -1]]),
        Symmetry([[-1, 0], [0, 1]]),
        Symmetry([[-1, 0], [0, -1]]),
        Symmetry([[0, 1], [1, 0]]),
        Symmetry([[0, 1], [-1, 0]]),
        Symmetry([[0, -1], [1, 0]]),
        Symmetry([[0, -1], [-1, 0]]),
    ];

    /// The place of "nothing changes" in the list of all.
    pub(crate) const IDENTITY: usize = 0;
    /// The place of "y is negated" in the list of all.
    pub(crate) const FLIP_Y: usize = 1;

    /// The place of a mirror in the list of all.
    pub(crate) const fn of(mirror: Mirror) -> usize {
        match mirror {
            Mirror::FlipY => Self::FLIP_Y,
            Mirror::FlipX => 2,
            Mirror::Swap => 4,
        }
    }

    /// The image of a jump.
    pub(crate) const fn apply(self, jump: Jump) -> Jump {
        let [[a, b], [c, d]] = self.0;
        Jump { x: a * jump.x + b * jump.y, y: c * jump.x + d * jump.y }
    }

    /// The place of "first `inner`, then this".
    pub(crate) fn after(self, inner: Symmetry) -> usize {
        let ([[a, b], [c, d]], [[e, f], [g, h]]) = (self.0, inner.0);
        let product = Symmetry([[a * e + b * g, a * f + b * h], [c * e + d * g, c * f + d * h]]);
        Self::ALL.iter().position(|known| *known == product).expect("symmetries are a group")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn composition_is_application_in_turn() {
        let jump = Jump { x: 3, y: -7 };
        for outer in Symmetry::ALL {
            for inner in Symmetry::ALL {
                let both = Symmetry::ALL[outer.after(inner)];
                assert_eq!(both.apply(jump), outer.apply(inner.apply(jump)));
            }
        }
    }

    #[test]
    fn mirrors_are_what_their_names_say() {
        let image = |mirror| Symmetry::ALL[Symmetry::of(mirror)].apply(Jump { x: 1, y: 2 });
        assert_eq!(image(Mirror::FlipY), Jump { x: 1, y: -2 });
        assert_eq!(image(Mirror::FlipX), Jump { x: -1, y: 2 });
        assert_eq!(image(Mirror::Swap), Jump { x: 2, y: 1 });
    }
}
