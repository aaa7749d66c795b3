//! The pieces of a position, in reading order.

use std::mem;

use crate::piece::{Piece, PieceKind, Placed};
use crate::player::Player;
use crate::square::Square;

/// The pieces of a position: in reading order, no square twice.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pieces(Vec<Placed>);

/// Two entries of a list name the same square; indexes into the list as given, and `second` is the least
/// there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SquareTwice {
    /// The entry that has the square first.
    pub first: usize,
    /// The entry that has it again.
    pub second: usize,
}

impl Pieces {
    /// Sorts a list in any order.
    ///
    /// # Errors
    ///
    /// [`SquareTwice`] if a square occurs twice.
    pub fn from_list(mut list: Vec<Placed>) -> Result<Self, SquareTwice> {
        if list.is_sorted_by(|a, b| a.square < b.square) {
            return Ok(Pieces(list));
        }
        let Order { order, has_clash } = reading_order(&list);
        if has_clash {
            let clash = order
                .windows(2)
                .filter(|pair| list[pair[0]].square == list[pair[1]].square)
                .map(|pair| SquareTwice { first: pair[0], second: pair[1] })
                .min_by_key(|clash| clash.second);
            if let Some(clash) = clash {
                return Err(clash);
            }
        }
        let hole = || {
            Placed::new(
                Piece::new(PieceKind::Void, Player::NEUTRAL),
                Square { x: 0_i64.into(), y: 0_i64.into() },
            )
        };
        Ok(Pieces(order.into_iter().map(|index| mem::replace(&mut list[index], hole())).collect()))
    }

    /// The pieces as a slice.
    #[must_use]
    #[inline]
    pub fn as_slice(&self) -> &[Placed] {
        &self.0
    }

    /// The pieces in reading order.
    pub fn iter(&self) -> std::slice::Iter<'_, Placed> {
        self.0.iter()
    }

    /// How many pieces there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the board is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The index of the piece on a square, or where it would be inserted.
    #[inline]
    #[expect(clippy::missing_errors_doc, reason = "both sides are answers, as in slice::binary_search")]
    pub fn find(&self, square: &Square) -> Result<usize, usize> {
        self.0.binary_search_by(|placed| placed.square.cmp(square))
    }

    /// What stands on a square.
    #[must_use]
    #[inline]
    pub fn get(&self, square: &Square) -> Option<&Placed> {
        self.find(square).ok().map(|index| &self.0[index])
    }

    /// Puts a piece on its square and returns what stood there.
    pub fn insert(&mut self, placed: Placed) -> Option<Placed> {
        match self.find(&placed.square) {
            Ok(index) => Some(mem::replace(&mut self.0[index], placed)),
            Err(index) => {
                self.0.insert(index, placed);
                None
            }
        }
    }

    /// Takes the piece off a square.
    pub fn remove(&mut self, square: &Square) -> Option<Placed> {
        self.find(square).ok().map(|index| self.0.remove(index))
    }

    /// Moves the piece at index `from` to the empty square `to`, shifting only what lies between; returns its
    /// new index.
    ///
    /// # Panics
    ///
    /// If there is no piece at `from`, or another piece stands on `to`.
    pub fn relocate(&mut self, from: usize, to: Square) -> usize {
        match self.find(&to) {
            Ok(index) if index == from => from,
            Ok(_) => panic!("relocate goes to an empty square"),
            Err(place) => self.relocate_to(from, place, to),
        }
    }

    /// The same where [`Pieces::find`] has said already that `to` is empty and that `place` is its place.
    ///
    /// # Panics
    ///
    /// If there is no piece at `from`, or `place` is beyond the end.
    pub fn relocate_to(&mut self, from: usize, place: usize, to: Square) -> usize {
        self.0[from].square = to;
        if place > from {
            self.0[from..place].rotate_left(1);
            place - 1
        } else {
            self.0[place..=from].rotate_right(1);
            place
        }
    }

    /// Moves the piece at index `from` onto the square of another at index `target`; returns its new index
    /// and what stood there.
    ///
    /// # Panics
    ///
    /// If there are no two pieces at these indexes.
    pub fn capture(&mut self, from: usize, target: usize) -> (usize, Placed) {
        assert_ne!(from, target, "no piece captures itself");
        let mover = self.0.remove(from);
        let index = if from < target { target - 1 } else { target };
        let square = self.0[index].square.clone();
        (index, mem::replace(&mut self.0[index], Placed { square, ..mover }))
    }

    /// Sets or clears the special right of the piece at an index.
    ///
    /// # Panics
    ///
    /// If there is no piece at `index`.
    pub fn set_right(&mut self, index: usize, right: bool) {
        self.0[index].right = right;
    }

    /// Changes the piece at an index.
    ///
    /// # Panics
    ///
    /// If there is no piece at `index`.
    pub fn set_piece(&mut self, index: usize, piece: Piece) {
        self.0[index].piece = piece;
    }

    /// The list, in reading order.
    #[must_use]
    pub fn into_vec(self) -> Vec<Placed> {
        self.0
    }
}

impl<'a> IntoIterator for &'a Pieces {
    type Item = &'a Placed;
    type IntoIter = std::slice::Iter<'a, Placed>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The indexes of a list in reading order; equal squares in list order.
struct Order {
    order: Vec<usize>,
    /// Whether two neighbours may be on the same square.
    has_clash: bool,
}

fn reading_order(list: &[Placed]) -> Order {
    packed_order(list).unwrap_or_else(|| {
        let mut order: Vec<usize> = (0..list.len()).collect();
        order.sort_by(|a, b| list[*a].square.cmp(&list[*b].square));
        Order { order, has_clash: true }
    })
}

/// Reading order by sorting one `u64` per piece (row, column, index), when the board is small enough to pack
/// them.
///
/// Sorting plain integers is several times faster than comparing squares, and nearly every real position fits.
fn packed_order(list: &[Placed]) -> Option<Order> {
    let (mut left, mut right, mut bottom, mut top) = (i64::MAX, i64::MIN, i64::MAX, i64::MIN);
    for placed in list {
        let (x, y) = (placed.square.x.as_i64()?, placed.square.y.as_i64()?);
        (left, right) = (left.min(x), right.max(x));
        (bottom, top) = (bottom.min(y), top.max(y));
    }
    let bits = |span: u64| u64::BITS - span.leading_zeros();
    let column_bits = bits(right.abs_diff(left));
    let index_bits = bits(list.len() as u64);
    let key_bits = bits(top.abs_diff(bottom)) + column_bits + index_bits;
    if key_bits > u64::BITS {
        return None;
    }
    let mut keys = Vec::with_capacity(list.len());
    for (index, placed) in list.iter().enumerate() {
        let (row, column) =
            (top.abs_diff(placed.square.y.as_i64()?), placed.square.x.as_i64()?.abs_diff(left));
        keys.push(((row << column_bits | column) << index_bits) | index as u64);
    }
    // Each pass over all keys takes as long as a few levels of comparing.
    if list.len() > 1 << DIGIT_BITS && key_bits - index_bits <= 3 * DIGIT_BITS {
        keys = sorted_by_digits(keys, index_bits, key_bits);
    } else {
        keys.sort_unstable();
    }
    let has_clash = keys.windows(2).any(|pair| pair[0] >> index_bits == pair[1] >> index_bits);
    let index_mask = (1_u64 << index_bits) - 1;
    let index = |key: u64| usize::try_from(key & index_mask).expect("it was an index before it was packed");
    Some(Order { order: keys.into_iter().map(index).collect(), has_clash })
}

const DIGIT_BITS: u32 = 11;

/// Sorts keys by the bits from `low` to `high`, a digit at a time from the lowest on; equal ones stay in
/// their order.
fn sorted_by_digits(mut keys: Vec<u64>, low: u32, high: u32) -> Vec<u64> {
    const MASK: u64 = (1 << DIGIT_BITS) - 1;
    let mut other = vec![0; keys.len()];
    for shift in (low..high).step_by(DIGIT_BITS as usize) {
        let digit = |key: u64| usize::try_from(key >> shift & MASK).unwrap_or_default();
        let mut places = [0_usize; 1 << DIGIT_BITS];
        for key in &keys {
            places[digit(*key)] += 1;
        }
        let mut next = 0;
        for place in &mut places {
            next += mem::replace(place, next);
        }
        for key in &keys {
            let place = &mut places[digit(*key)];
            other[*place] = *key;
            *place += 1;
        }
        mem::swap(&mut keys, &mut other);
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Coord;
    use proptest::prelude::*;

    fn coordinate() -> impl Strategy<Value = Coord> {
        prop_oneof![
            4 => (-4_i64..4).prop_map(Coord::from),
            1 => any::<i64>().prop_map(Coord::from),
            1 => any::<i128>().prop_map(Coord::from),
        ]
    }

    proptest! {
        #[test]
        fn lists_in_any_order_become_reading_order(squares in prop::collection::vec((coordinate(), coordinate()), 0..40)) {
            let list: Vec<Placed> = squares
                .into_iter()
                .map(|(x, y)| Placed::new(Piece::new(PieceKind::Rook, Player::WHITE), Square { x, y }))
                .collect();
            let second = (0..list.len()).find(|i| list[..*i].iter().any(|p| p.square == list[*i].square));
            match Pieces::from_list(list.clone()) {
                Ok(pieces) => {
                    prop_assert_eq!(second, None);
                    let mut sorted = list;
                    sorted.sort_by(|a, b| a.square.cmp(&b.square));
                    prop_assert_eq!(pieces.into_vec(), sorted);
                }
                Err(clash) => {
                    prop_assert_eq!(Some(clash.second), second);
                    prop_assert_eq!(&list[clash.first].square, &list[clash.second].square);
                    prop_assert!(clash.first < clash.second);
                }
            }
        }

        #[test]
        fn large_lists_become_reading_order(
            squares in prop::collection::btree_set((-90_i64..90, -90_i64..90), 2_500..3_000), twice in any::<bool>()
        ) {
            let place = |(x, y): &(i64, i64)| Placed::new(Piece::new(PieceKind::Rook, Player::WHITE), Square::new(*x, *y));
            let mut list: Vec<Placed> = squares.iter().map(place).collect();
            if twice {
                list.push(list[7].clone());
                prop_assert_eq!(Pieces::from_list(list.clone()), Err(SquareTwice { first: 7, second: squares.len() }));
                list.pop();
            }
            let pieces = Pieces::from_list(list.clone()).unwrap().into_vec();
            list.sort_by(|a, b| a.square.cmp(&b.square));
            prop_assert_eq!(pieces, list);
        }

        #[test]
        fn capturing_is_removing_both_and_inserting(
            squares in prop::collection::btree_set((-4_i64..4, -4_i64..4), 2..20), picks in any::<[prop::sample::Index; 2]>()
        ) {
            let rook = |index: usize| Piece::new(PieceKind::Rook, Player(u32::try_from(index).unwrap()));
            let list = squares.iter().enumerate().map(|(i, (x, y))| Placed::new(rook(i), Square::new(*x, *y))).collect();
            let mut pieces = Pieces::from_list(list).unwrap();
            let [from, target] = picks.map(|pick| pick.index(pieces.len()));
            prop_assume!(from != target);
            let mut expected = pieces.clone();
            let mut mover = expected.remove(&pieces.as_slice()[from].square).unwrap();
            mover.square = pieces.as_slice()[target].square.clone();
            let gone = expected.insert(mover.clone());
            let (index, captured) = pieces.capture(from, target);
            prop_assert_eq!(pieces.find(&mover.square), Ok(index));
            prop_assert_eq!(Some(captured), gone);
            prop_assert_eq!(pieces, expected);
        }

        #[test]
        fn relocating_is_removing_and_inserting(
            squares in prop::collection::btree_set((-4_i64..4, -4_i64..4), 1..20), pick in any::<prop::sample::Index>(), to in (-5_i64..5, -5_i64..5)
        ) {
            let rook = Piece::new(PieceKind::Rook, Player::WHITE);
            let list = squares.iter().map(|(x, y)| Placed::new(rook, Square::new(*x, *y))).collect();
            let mut pieces = Pieces::from_list(list).unwrap();
            let from = pick.index(pieces.len());
            let to = Square::new(to.0, to.1);
            prop_assume!(pieces.get(&to).is_none());
            let mut expected = pieces.clone();
            let mut placed = expected.remove(&pieces.as_slice()[from].square).unwrap();
            placed.square = to.clone();
            expected.insert(placed);
            let index = pieces.relocate(from, to.clone());
            prop_assert_eq!(pieces.find(&to), Ok(index));
            prop_assert_eq!(pieces, expected);
        }
    }
}
