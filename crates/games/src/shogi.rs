//! What records of Shogi share: squares, sets of pieces, diagrams in the making.

use boardprint_base::Side;
use boardprint_finite::{Board, Fen, Game, Man};

use crate::GameErrorKind;

/// How many of each kind a set has, by the place of the kind; kings aside.
const SET: [usize; 7] = [2, 2, 4, 4, 4, 4, 18];

/// The cell in reading order of a file, counted from the right, and a rank, counted from the top; both from 1.
pub(crate) fn cell(file: usize, rank: usize) -> Option<usize> {
    ((1..=9).contains(&file) && (1..=9).contains(&rank)).then(|| (rank - 1) * 9 + 9 - file)
}

/// The usual start.
pub(crate) fn even_start() -> Fen {
    Board::start(Game::Shogi).fen()
}

/// Puts a piece on an empty cell, or into a hand if it is `None`. False if that is not possible.
pub(crate) fn place(fen: &mut Fen, cell: Option<usize>, man: Man) -> bool {
    match cell {
        Some(cell) => fen.man(cell).is_none() && fen.put(cell, Some(man)).is_ok(),
        None => !man.is_promoted() && fen.add_to_hand(man.side(), man.kind(), 1).is_ok(),
    }
}

/// Puts everything that a set has beyond the pieces of a position into a hand.
pub(crate) fn take_the_rest(fen: &mut Fen, side: Side) {
    let used = count(fen);
    for (kind, (all, used)) in SET.iter().zip(used).enumerate() {
        if let Some(rest) = all.checked_sub(used).filter(|rest| *rest > 0) {
            // A kind of the table can be in hand.
            let _ = fen.add_to_hand(side, kind, rest);
        }
    }
}

/// Whether there are more pieces of a kind than a set has.
pub(crate) fn has_too_many(fen: &Fen) -> bool {
    count(fen).iter().zip(SET).any(|(used, all)| *used > all)
}

fn count(fen: &Fen) -> [usize; 7] {
    let mut used = [0; 7];
    for man in fen.cells().iter().flatten() {
        if let Some(count) = used.get_mut(man.kind()) {
            *count += 1;
        }
    }
    for side in Side::ALL {
        for (count, held) in used.iter_mut().zip(fen.hand(side)) {
            *count += held;
        }
    }
    used
}

/// The position as something that can be played from.
pub(crate) fn playable(fen: &Fen) -> Result<Board, GameErrorKind> {
    Board::from_fen(fen).map_err(|why| GameErrorKind::Start(Some(why)))
}
