//! Western chess and Chess960, on the generator of `cozy-chess`. Its types stay in this module.

mod fen;
mod light;
mod read;
mod write;

use boardprint_base::Side;
use cozy_chess::{Board, Color, Move as Generated, Piece, Rank, Square};

pub(crate) use fen::{
    board_of_fen, board_of_parts, cell_of, fen_of, same_position, usable_en_passant, write_fen,
};
pub(crate) use light::Light;
pub(crate) use read::{reason, resolve};
pub(crate) use write::san;

use crate::moves::Move;

/// A move as it was played and as it is named.
#[derive(Clone, Copy)]
pub(crate) struct Played {
    /// As the generator wants it: castling is king takes rook.
    pub(crate) generated: Generated,
    pub(crate) named: Move,
}

impl Played {
    #[inline]
    fn plain(from: Square, to: Square, promotion: Option<Piece>) -> Self {
        let become_ = promotion.map_or(0, |piece| piece as u16);
        let named = Move::western(from as u16, to as u16, become_);
        Played { generated: Generated { from, to, promotion }, named }
    }
}

/// The squares and the promotion of a named move; promotions to pawns and kings are not promotions.
#[inline]
fn plain_move(named: Move) -> Generated {
    let bits = usize::from(named.bits());
    let promotion = match bits >> 12 {
        0 => None,
        piece => Piece::try_index(piece),
    };
    Generated { from: Square::index(bits & 63), to: Square::index(bits >> 6 & 63), promotion }
}

/// The move as the generator wants it: castling is king takes rook.
#[inline]
pub(crate) fn generated(board: &Board, named: Move) -> Generated {
    let plain = plain_move(named);
    let Generated { from, to, .. } = plain;
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
        Some(rook) => Generated { to: Square::new(rook, Rank::First.relative_to(us)), ..plain },
        None => plain,
    }
}

/// The cells of the rooks that may castle and of their kings.
pub(crate) fn each_castling(board: &Board, each: &mut impl FnMut(usize, usize)) {
    for color in Color::ALL {
        let rights = board.castle_rights(color);
        let rank = Rank::First.relative_to(color);
        for rook in [rights.short, rights.long].into_iter().flatten() {
            each(cell_of(Square::new(rook, rank)), cell_of(board.king(color)));
        }
    }
}

/// The name of a generated move: see [`Move`] for castling.
pub(crate) fn named(board: &Board, played: Generated) -> Move {
    let Generated { from, to, promotion } = played;
    if board.colors(board.side_to_move()).has(to) {
        return castling_name(from, to.file());
    }
    Played::plain(from, to, promotion).named
}

fn castling_name(king: Square, rook: cozy_chess::File) -> Move {
    use cozy_chess::File;
    let target = match (king.file(), rook) {
        (File::E, File::H) => File::G,
        (File::E, File::A) => File::C,
        _ => rook,
    };
    Played::plain(king, Square::new(target, king.rank()), None).named
}

/// The name of a move where castling is always the king taking the rook. It is a name for output, not one
/// that is stored.
pub(crate) fn uci_taking_rooks(board: &Board, named: Move) -> Move {
    if named == Move::NULL {
        return named;
    }
    let Generated { from, to, promotion } = generated(board, named);
    Played::plain(from, to, promotion).named
}

/// Plays a move, or says that it is illegal and leaves the board as it was.
pub(crate) fn play(board: &mut Board, named: Move) -> bool {
    if named == Move::NULL {
        return board.null_move().map(|next| *board = next).is_some();
    }
    board.try_play(generated(board, named)).is_ok()
}

/// Calls a function with every legal move until it returns `false`. Whatever the function, there is one
/// generator: each copy of it would bring its own 700 KB of tables.
pub(crate) fn each_legal(board: &Board, each: &mut dyn FnMut(Move) -> bool) {
    board.generate_moves(|moves| moves.into_iter().any(|played| !each(named(board, played))));
}

/// Whether neither side can mate whatever happens: no more than one knight, or bishops of one colour only.
pub(crate) fn is_dead(board: &Board) -> bool {
    let heavy = board.pieces(Piece::Pawn) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    let (knights, bishops) = (board.pieces(Piece::Knight), board.pieces(Piece::Bishop));
    let dark = cozy_chess::BitBoard(0xaa55_aa55_aa55_aa55);
    let one_colour = (bishops & dark).is_empty() || (bishops & !dark).is_empty();
    heavy.is_empty() && (knights.is_empty() && one_colour || knights.len() == 1 && bishops.is_empty())
}

/// Whether a named move is legal.
pub(crate) fn is_legal(board: &Board, played: Move) -> bool {
    if played == Move::NULL { board.checkers().is_empty() } else { board.is_legal(generated(board, played)) }
}

/// The piece on a square.
pub(crate) fn man(board: &Board, square: usize) -> Option<crate::Man> {
    let square = Square::try_index(square)?;
    let piece = board.piece_on(square)?;
    let side = if board.colors(Color::White).has(square) { Side::Bottom } else { Side::Top };
    Some(crate::Man::new(piece as usize, side, false))
}
