//! Positions in which nobody has the pieces to mate.
//!
//! The site decides this from tables. The forces for the endless board are facts of an older state of its table
//! (Infinite-Chess/infinitechess.org, `insufficientmaterial.ts`), one king on each side; those for a board with an edge are
//! the well-known ones. How they are applied is ours. Both sides have exactly one king and nothing
//! else that is royal, and win by checkmate alone. Each side is looked at alone: what it cannot mate a bare king with.
//! A pawn that can still promote counts as each piece it may become; with three of them the question is not asked.

use boardprint_base::{Border, CHECKMATE, Coord, PieceKind, Player, Position};

use super::Referee;

/// As many as there are.
const ANY: u32 = u32::MAX;
/// More pieces than this are not looked at.
const MOST_PIECES: usize = 10;
/// An edge this near makes the board a finite one.
const NEAR: i64 = 1_000_000;

/// A force that cannot mate, nor can any part of it.
struct Force {
    /// Pieces other than bishops.
    pieces: &'static [(PieceKind, u32)],
    /// Bishops on the two colours of squares, the larger number first.
    bishops: [u32; 2],
}

const fn force(pieces: &'static [(PieceKind, u32)], bishops: [u32; 2]) -> Force {
    Force { pieces, bishops }
}

/// With the help of its king, on a board without end.
const ENDLESS: [Force; 16] = [
    force(&[(PieceKind::Queen, 1)], [0, 0]),
    force(&[], [ANY, 1]),
    force(&[(PieceKind::Knight, 3)], [0, 0]),
    force(&[(PieceKind::Hawk, 2)], [0, 0]),
    force(&[(PieceKind::Hawk, 1)], [1, 0]),
    force(&[(PieceKind::Rook, 1), (PieceKind::Knight, 1)], [0, 0]),
    force(&[(PieceKind::Rook, 1)], [1, 0]),
    force(&[(PieceKind::Archbishop, 1)], [1, 0]),
    force(&[(PieceKind::Archbishop, 1), (PieceKind::Knight, 1)], [0, 0]),
    force(&[(PieceKind::Knight, 1)], [ANY, 0]),
    force(&[(PieceKind::Knight, 1)], [1, 1]),
    force(&[(PieceKind::Knight, 2)], [1, 0]),
    force(&[(PieceKind::Guard, 1)], [0, 0]),
    force(&[(PieceKind::Chancellor, 1)], [0, 0]),
    force(&[(PieceKind::Knightrider, 2)], [0, 0]),
    force(&[(PieceKind::Pawn, 3)], [0, 0]),
];

/// With the help of its king, on a board with an edge.
const FINITE: [Force; 2] = [force(&[(PieceKind::Knight, 1)], [0, 0]), force(&[], [ANY, 0])];

/// What a side has besides its king.
#[derive(Default)]
struct Count {
    pieces: Vec<PieceKind>,
    bishops: [u32; 2],
    /// Pawns that can still promote.
    pawns: usize,
}

/// Whether nobody has the pieces to mate.
pub(super) fn is_insufficient(referee: &Referee<'_>, position: &Position) -> bool {
    let wins_only_by_mate = |player| position.laws.wins.of(player).eq([CHECKMATE]);
    let sides = [Player::WHITE, Player::BLACK];
    if !position.turn.is_white_and_black() || !sides.into_iter().all(wins_only_by_mate) {
        return false;
    }
    let is_counted = |kind: PieceKind| kind != PieceKind::Obstacle;
    let counted = position.pieces.iter().filter(|placed| is_counted(placed.piece.kind));
    if counted.take(MOST_PIECES + 1).count() > MOST_PIECES {
        return false;
    }
    let Some(forces) =
        sides.map(|side| count(referee, position, side)).into_iter().collect::<Option<Vec<_>>>()
    else {
        return false;
    };
    let strangers = position
        .pieces
        .iter()
        .any(|placed| is_counted(placed.piece.kind) && !sides.contains(&placed.piece.player));
    let promotable: usize = forces.iter().map(|force| force.pawns).sum();
    if strangers || promotable > 2 {
        return false;
    }
    let table: &[Force] = if is_finite(&position.laws.border) { &FINITE } else { &ENDLESS };
    sides.into_iter().zip(forces).all(|(side, force)| {
        let choices = position.laws.promotion.get(&side).map_or(&[][..], |law| law.choices());
        cannot_mate(table, force, choices)
    })
}

/// What a side has besides its one king; `None` if it has no king, or other royals.
fn count(referee: &Referee<'_>, position: &Position, side: Player) -> Option<Count> {
    let mut count = Count::default();
    let mut kings = 0;
    for placed in position.pieces.iter().filter(|placed| placed.piece.player == side) {
        match placed.piece.kind {
            PieceKind::Obstacle => {}
            PieceKind::King => kings += 1,
            _ if referee.is_royal(placed.piece) => return None,
            PieceKind::Bishop => {
                let (_, colour) = (&placed.square.x + &placed.square.y).div_rem_euclid(&Coord::from(2));
                count.bishops[usize::from(!colour.is_zero())] += 1;
            }
            PieceKind::Pawn if can_promote(position, side, &placed.square.y) => count.pawns += 1,
            kind => count.pieces.push(kind),
        }
    }
    (kings == 1).then_some(count)
}

fn can_promote(position: &Position, side: Player, row: &Coord) -> bool {
    let Some(law) = position.laws.promotion.get(&side) else { return false };
    let is_ahead = |rank: &Coord| if side.forward() > 0 { rank > row } else { rank < row };
    !law.choices().is_empty() && law.ranks().iter().any(is_ahead)
}

/// Whether a force cannot mate, whatever its pawns become.
fn cannot_mate(table: &[Force], mut force: Count, choices: &[PieceKind]) -> bool {
    let Some(pawns) = force.pawns.checked_sub(1) else {
        return table.iter().any(|weak| weak.holds(&force));
    };
    force.pawns = pawns;
    choices.iter().all(|choice| {
        let colours: &[usize] = if *choice == PieceKind::Bishop { &[0, 1] } else { &[0] };
        colours.iter().all(|colour| {
            let mut grown =
                Count { pieces: force.pieces.clone(), bishops: force.bishops, pawns: force.pawns };
            match choice {
                PieceKind::Bishop => grown.bishops[*colour] += 1,
                kind => grown.pieces.push(*kind),
            }
            cannot_mate(table, grown, choices)
        })
    })
}

impl Force {
    /// Whether another force is a part of this one.
    fn holds(&self, other: &Count) -> bool {
        let [a, b] = other.bishops;
        let allowed =
            |kind: PieceKind| self.pieces.iter().find(|(own, _)| *own == kind).map_or(0, |(_, n)| *n);
        let number = |kind: PieceKind| other.pieces.iter().filter(|own| **own == kind).count();
        a.max(b) <= self.bishops[0]
            && a.min(b) <= self.bishops[1]
            && other.pieces.iter().all(|kind| number(*kind) <= allowed(*kind) as usize)
    }
}

fn is_finite(border: &Border) -> bool {
    let sides = [&border.left, &border.right, &border.bottom, &border.top];
    sides.into_iter().flatten().any(|side| side.abs() <= Coord::from(NEAR))
}
