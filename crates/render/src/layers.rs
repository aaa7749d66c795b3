//! Where the cells of a board of any number of dimensions go on a flat picture.

use boardprint_base::Square;

/// The flat layout of a finite board: one layer of rows and columns, or several side by side.
///
/// The last number of a shape counts columns, the one before it rows. The one before that counts layers,
/// which stand side by side with their names above; every further dimension adds rows of layers. Between
/// layers lies an empty column, above each row of layers an empty row with the names.
///
/// ```
/// use boardprint_base::Square;
/// use boardprint_render::Layers;
///
/// let flat = Layers::new(&[8, 8]).unwrap();
/// assert_eq!(flat.square(0), Some(Square::new(1, 8)));
/// let cube = Layers::new(&[3, 2, 2]).unwrap();
/// assert_eq!((cube.len(), cube.name(1).as_str()), (3, "layer 2"));
/// assert_eq!(cube.square(4), Some(Square::new(4, 2)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layers {
    shape: Vec<usize>,
    columns: usize,
    rows: usize,
    across: usize,
    down: usize,
}

impl Layers {
    /// The layout of a shape; `None` if it has more cells than can be counted.
    #[must_use]
    pub fn new(shape: &[usize]) -> Option<Self> {
        // One more for the space between layers, so that every sum below is safe.
        let safe = |sizes: &[usize]| {
            sizes.iter().try_fold(1_usize, |all, size| all.checked_mul(size.checked_add(1)?))
        };
        safe(shape).filter(|all| *all <= usize::MAX / 4)?;
        let from_end = |index: usize| shape.len().checked_sub(index).map(|index| shape[index]);
        let further = &shape[..shape.len().saturating_sub(3)];
        Some(Layers {
            columns: from_end(1).unwrap_or(0),
            rows: from_end(2).unwrap_or(1),
            across: from_end(3).unwrap_or(1),
            down: further.iter().product(),
            shape: shape.to_vec(),
        })
    }

    /// How many layers there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.across * self.down
    }

    /// Whether there is no layer at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the board has cells and more than rows and columns, so that layers have names.
    #[must_use]
    pub fn is_named(&self) -> bool {
        self.shape.len() > 2 && !self.shape.contains(&0)
    }

    /// The name of a layer, counted from 0: `layer 2`, or `layer 1.2` on a board of four dimensions.
    #[must_use]
    pub fn name(&self, layer: usize) -> String {
        let mut rest = layer;
        let outer = &self.shape[..self.shape.len().saturating_sub(2)];
        let mut numbers: Vec<String> = outer
            .iter()
            .rev()
            .map(|size| {
                let number = rest % (*size).max(1) + 1;
                rest /= (*size).max(1);
                number.to_string()
            })
            .collect();
        numbers.reverse();
        format!("layer {}", numbers.join("."))
    }

    /// What the board is, in words, if it has other than two dimensions.
    #[must_use]
    pub fn describe(&self) -> Option<String> {
        let sizes: Vec<String> = self.shape.iter().map(ToString::to_string).collect();
        match self.shape.len() {
            0 => Some("a board without dimensions".to_owned()),
            1 => Some(format!("a board of one dimension with {} cells", sizes[0])),
            2 => None,
            3 => Some(format!("a board of {}, as layers side by side", sizes.join("×"))),
            count => Some(format!(
                "a board of {count} dimensions, {}: {} layers, numbered from the outermost dimension",
                sizes.join("×"),
                self.len()
            )),
        }
    }

    /// The square of a cell, counted from 0 in the order of the text; `None` beyond the last one.
    #[must_use]
    pub fn square(&self, cell: usize) -> Option<Square> {
        if self.columns == 0 || self.rows == 0 || self.is_empty() {
            return None;
        }
        let (line, column) = (cell / self.columns, cell % self.columns);
        let (layer, row) = (line / self.rows, line % self.rows);
        (layer < self.len()).then(|| self.place(layer, row, column))
    }

    /// The square in a row (from the top) and column (from the left) of a layer.
    fn place(&self, layer: usize, row: usize, column: usize) -> Square {
        let (across, down) = (layer % self.across, layer / self.across);
        let from_top = down * (self.rows + self.gap()) + self.gap() + row;
        let x = across * (self.columns + self.gap()) + column + 1;
        Square::new(x as u64, (self.total_rows() - from_top) as u64)
    }

    /// How many lines lie between layers.
    fn gap(&self) -> usize {
        usize::from(self.is_named())
    }

    /// How many columns the picture has.
    pub(crate) fn total_columns(&self) -> usize {
        (self.across * (self.columns + self.gap())).saturating_sub(self.gap()).max(1)
    }

    /// How many rows the picture has.
    pub(crate) fn total_rows(&self) -> usize {
        (self.down * (self.rows + self.gap())).max(1)
    }

    /// The layer, and the row (from the top) and column inside it, of a square of the picture; `None` between
    /// layers.
    pub(crate) fn find(&self, square: &Square) -> Option<(usize, usize, usize)> {
        let number = |coord: &boardprint_base::Coord| usize::try_from(coord.as_i64()?).ok();
        let x = number(&square.x)?.checked_sub(1)?;
        let from_top = self.total_rows().checked_sub(number(&square.y)?)?.checked_sub(self.gap())?;
        let (across, column) =
            (x / (self.columns + self.gap()).max(1), x % (self.columns + self.gap()).max(1));
        let (down, row) =
            (from_top / (self.rows + self.gap()).max(1), from_top % (self.rows + self.gap()).max(1));
        (across < self.across && down < self.down && column < self.columns && row < self.rows).then_some((
            down * self.across + across,
            row,
            column,
        ))
    }

    /// The same square on a board turned by half a turn: the layers stay where they are.
    pub(crate) fn turned(&self, square: &Square) -> Option<Square> {
        let (layer, row, column) = self.find(square)?;
        Some(self.place(layer, self.rows - 1 - row, self.columns - 1 - column))
    }

    /// The square at the upper left of a layer.
    pub(crate) fn corner(&self, layer: usize) -> Square {
        self.place(layer, 0, 0)
    }

    /// How many columns and rows a layer has.
    pub(crate) fn layer_size(&self) -> (usize, usize) {
        (self.columns, self.rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_has_a_square_of_its_own_and_finds_back() {
        for shape in [&[3][..], &[2, 3], &[2, 2, 3], &[2, 3, 2, 2], &[2, 1, 2, 3, 2]] {
            let layers = Layers::new(shape).unwrap();
            let cells: usize = shape.iter().product();
            let squares: Vec<Square> = (0..cells).map(|cell| layers.square(cell).unwrap()).collect();
            assert_eq!(layers.square(cells), None);
            for (cell, square) in squares.iter().enumerate() {
                let (layer, row, column) = layers.find(square).unwrap();
                assert_eq!((layer * layers.rows + row) * layers.columns + column, cell, "{shape:?}");
                let turned = layers.turned(square).unwrap();
                assert_eq!(layers.turned(&turned).as_ref(), Some(square));
            }
            assert_eq!(squares.iter().collect::<std::collections::BTreeSet<_>>().len(), cells);
        }
    }

    #[test]
    fn layers_are_named_from_the_outermost_dimension() {
        let layers = Layers::new(&[2, 3, 4, 4]).unwrap();
        let names: Vec<String> = (0..layers.len()).map(|layer| layers.name(layer)).collect();
        assert_eq!(names, ["layer 1.1", "layer 1.2", "layer 1.3", "layer 2.1", "layer 2.2", "layer 2.3"]);
    }

    #[test]
    fn shapes_beyond_counting_are_refused() {
        assert_eq!(Layers::new(&[usize::MAX, 2]), None);
        assert_eq!(Layers::new(&[1 << 20, 1 << 20, 1 << 20, 1 << 20]), None);
        assert!(Layers::new(&[]).unwrap().square(0).is_none());
        assert!(Layers::new(&[0, 8]).unwrap().square(0).is_none());
        assert!(Layers::new(&[0, 8, 8]).unwrap().square(0).is_none());
        assert!(!Layers::new(&[2, 0, 8]).unwrap().is_named());
    }
}
