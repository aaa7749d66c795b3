//! How pieces move in the two variants of four dimensions.
//!
//! A square of small boards on a large board has four coordinates: column and row of its small board, and
//! column and row on it. In the plane the small boards lie `spacing` squares apart, so a step `(H, V, h, v)`
//! is the jump `[spacing·H + h, spacing·V + v]`. Voids between the small boards stop what would leave them.
//!
//! | piece | steps of −1, 0, 1 in each direction |
//! |---|---|
//! | rook | exactly one is not 0, again and again |
//! | bishop | exactly two are not 0, again and again |
//! | queen | one or two (4×4×4×4), any number (5D), again and again |
//! | king | a single step of a queen |
//! | knight | two in one direction and one in another; the small board changes by exactly its part of the step |
//! | pawn | one or `spacing` rows forward, twice with its right |

use std::fmt::Write;
use std::sync::LazyLock;

use boardprint_base::PieceKind;

use crate::pieces::PieceTable;

/// What the two variants differ in.
struct Shape {
    spacing: i64,
    /// In how many directions at once a queen goes.
    queen: usize,
    /// Whether a pawn captures sideways in steps of the other kind, too.
    mixed_captures: bool,
}

static FOUR: LazyLock<PieceTable> =
    LazyLock::new(|| Shape { spacing: 5, queen: 2, mixed_captures: true }.table());
static FIVE: LazyLock<PieceTable> =
    LazyLock::new(|| Shape { spacing: 9, queen: 4, mixed_captures: false }.table());

/// How pieces move in a variant of four dimensions, by its code.
#[must_use]
pub fn table(variant: &str) -> Option<&'static PieceTable> {
    match variant {
        "4x4x4x4_Chess" => Some(&FOUR),
        "5D_Chess" => Some(&FIVE),
        _ => None,
    }
}

impl Shape {
    fn table(&self) -> PieceTable {
        let riders =
            |least, most| self.options(&steps(1, |step| (least..=most).contains(&directions(step))), "^*");
        let king = self.options(&steps(1, |step| (1..=self.queen).contains(&directions(step))), "");
        let knight =
            self.options(&steps(2, |step| step.iter().map(|part| part * part).sum::<i64>() == 5), "");
        PieceTable::with_movements(
            self.spacing,
            [
                (PieceKind::Rook, riders(1, 1)),
                (PieceKind::Bishop, riders(2, 2)),
                (PieceKind::Queen, riders(1, self.queen)),
                (PieceKind::King, king),
                (PieceKind::Knight, knight),
                (PieceKind::Pawn, self.pawn()),
            ],
        )
    }

    fn options(&self, steps: &[[i64; 4]], mark: &str) -> String {
        let mut text = String::from("{");
        for (index, [columns, rows, x, y]) in steps.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            let (x, y) = (self.spacing * columns + x, self.spacing * rows + y);
            let _ = write!(text, "{comma}[{x},{y}]{mark}");
        }
        text + "}"
    }

    fn pawn(&self) -> String {
        let far = self.spacing;
        let mixed = if self.mixed_captures { format!(",[{far},1]|!,[1,{far}]|!") } else { String::new() };
        format!("{{[0,1]~,[0,1]^2~$,[1,1]|!,[0,{far}]~,[0,{far}]^2~$,[{far},{far}]|!{mixed}}}")
    }
}

/// In how many directions a step goes.
fn directions(step: &[i64; 4]) -> usize {
    step.iter().filter(|part| **part != 0).count()
}

/// The steps of up to `reach` in each direction that are wanted.
fn steps(reach: i64, wanted: impl Fn(&[i64; 4]) -> bool) -> Vec<[i64; 4]> {
    let side = 2 * reach + 1;
    // The digits of a number that counts them all.
    let step = |number: i64| [side.pow(3), side.pow(2), side, 1].map(|place| number / place % side - reach);
    (0..side.pow(4)).map(step).filter(wanted).collect()
}

#[cfg(test)]
mod tests {
    use boardprint_base::{Move, Piece, Pieces, Placed, Player, Position, Square};

    use super::*;
    use crate::fairy::{Mover, Reach, Surroundings};
    use crate::legal::{Answer, Referee};

    #[test]
    fn pieces_have_as_many_directions_as_four_dimensions_give() {
        for (variant, counts) in [("4x4x4x4_Chess", [8, 24, 32, 32, 48]), ("5D_Chess", [8, 24, 80, 80, 48])] {
            let kinds =
                [PieceKind::Rook, PieceKind::Bishop, PieceKind::Queen, PieceKind::King, PieceKind::Knight];
            for (kind, count) in kinds.into_iter().zip(counts) {
                let movement = table(variant).unwrap().get(kind).unwrap().movement(Player::WHITE);
                assert!(movement.is_exact());
                assert_eq!(movement.paths(false).count(), count, "{variant} {kind:?}");
            }
        }
        assert!(table("Classical").is_none());
    }

    /// Whether a knight of this variant may go from one square to another on a board without anything else.
    fn judged(variant: &str, from: (i64, i64), to: (i64, i64)) -> bool {
        let square = |(x, y): (i64, i64)| Square::new(x, y);
        let knight = Placed::new(Piece::new(PieceKind::Knight, Player::WHITE), square(from));
        let mut position = Position::new(Pieces::from_list(vec![knight]).unwrap());
        let referee = Referee::new(table(variant).unwrap(), &position);
        referee.judge(&mut position, &Move::new(square(from), square(to))).is_ok()
    }

    #[test]
    fn a_knight_goes_two_and_one_in_four_coordinates() {
        for (variant, spacing, boards) in [("4x4x4x4_Chess", 5, 4), ("5D_Chess", 9, 3)] {
            // Column and row of the small board, column and row on it.
            let all = |limit: i64| (0..limit).flat_map(move |a| (0..limit).map(move |b| (a, b)));
            let places = || all(boards).flat_map(|board| all(spacing - 1).map(move |on| (board, on)));
            let plane =
                |((bx, by), (x, y)): ((i64, i64), (i64, i64))| (bx * spacing + x + 1, by * spacing + y + 1);
            let (mut legal, middle) = (0, (1, 1));
            for from in places().filter(|(board, _)| *board == middle || *board == (0, 0)) {
                for to in places() {
                    let parts = [to.0.0 - from.0.0, to.0.1 - from.0.1, to.1.0 - from.1.0, to.1.1 - from.1.1];
                    let expected = parts.iter().map(|part| part * part).sum::<i64>() == 5;
                    assert_eq!(
                        judged(variant, plane(from), plane(to)),
                        expected,
                        "{variant} {from:?} {to:?}"
                    );
                    legal += usize::from(expected);
                }
            }
            assert!(legal > 500, "{legal}");
        }
    }

    #[test]
    fn knights_that_once_crossed_between_small_boards() {
        let rows = include_str!("../../../corpus/fairy/bugs/knights-of-four-dimensions.tsv");
        for row in rows.lines().filter(|row| !row.starts_with('#')) {
            let [variant, from, to, legal] =
                <[&str; 4]>::try_from(row.split('\t').collect::<Vec<_>>()).unwrap();
            let point = |text: &str| {
                let square: Square = text.parse().unwrap();
                (square.x.as_i64().unwrap(), square.y.as_i64().unwrap())
            };
            assert_eq!(judged(variant, point(from), point(to)), legal == "legal", "{row}");
        }
    }

    #[test]
    fn a_knight_beyond_its_small_board_gives_no_check() {
        let placed = |kind, player, x: i64, y: i64| Placed::new(Piece::new(kind, player), Square::new(x, y));
        let king = |x, y| placed(PieceKind::King, Player::BLACK, x, y);
        let check = |king: Placed| {
            let knight = placed(PieceKind::Knight, Player::WHITE, 4, 11);
            let position = Position::new(Pieces::from_list(vec![knight, king]).unwrap());
            Referee::new(table("4x4x4x4_Chess").unwrap(), &position).is_in_check(&position, Player::BLACK)
        };
        assert_eq!(check(king(3, 9)), Answer::No);
        assert_eq!(check(king(3, 13)), Answer::Yes);
    }

    #[test]
    fn a_pawn_goes_to_the_next_small_board() {
        let from = Square::new(3, 3);
        let reach = |variant: &str, x: i64, y: i64, enemy: bool| {
            let to = Square::new(x, y);
            let board = Surroundings::new([], enemy.then(|| to.clone()));
            let pawn = table(variant).unwrap().get(PieceKind::Pawn).unwrap().movement(Player::WHITE);
            pawn.reach(Mover::at(&from), &to, &board)
        };
        assert_eq!(reach("5D_Chess", 3, 12, false), Reach::Quiet);
        assert_eq!(reach("5D_Chess", 12, 12, true), Reach::Capture);
        assert_eq!(reach("5D_Chess", 12, 4, true), Reach::No);
        assert_eq!(reach("4x4x4x4_Chess", 8, 4, true), Reach::Capture);
        assert_eq!(reach("4x4x4x4_Chess", 3, 13, false), Reach::No);
    }
}
