//! Playing moves that are given as squares.

use cozy_chess::{Board, Color, Move, Piece, Rank, Square};

use super::WesternMove;

/// Plays a move, or says that it is illegal and leaves the board as it was.
pub(crate) fn play(board: &mut Board, named: WesternMove) -> bool {
    if named == WesternMove::NULL {
        return board.null_move().map(|next| *board = next).is_some();
    }
    board.try_play(generator_move(board, named)).is_ok()
}

/// The move as the generator wants it: castling is king takes rook.
#[inline]
pub(crate) fn generator_move(board: &Board, named: WesternMove) -> Move {
    let (from, to) = (named.from(), named.to());
    let plain = Move { from, to, promotion: named.promotion() };
    let us: Color = board.side_to_move();
    let (start, end) = (from.file() as usize, to.file() as usize);
    let castles = start.abs_diff(end) == 2
        && board.colored_pieces(us, Piece::King).has(from)
        && !board.colors(us).has(to)
        && from.rank() == to.rank();
    if !castles {
        return plain;
    }
    let rights = board.castle_rights(us);
    match if end > start { rights.short } else { rights.long } {
        Some(rook) => Move { to: Square::new(rook, Rank::First.relative_to(us)), ..plain },
        None => plain,
    }
}
