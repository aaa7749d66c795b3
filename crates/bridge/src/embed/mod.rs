//! Western chess on the open board, and back.
//!
//! The board lies where the original text of the notation puts it: files a to h are the columns 1 to 8, ranks
//! are rows. Pawns on their first rank have their special right, so do the rooks that may castle and their
//! kings. White promotes on row 8, black on row 1, to queen, rook, bishop or knight; the move rule is 100
//! half-moves. The board stays open unless a border is asked for, `1,8,1,8`.
//!
//! ```
//! use boardprint_bridge::embed;
//! use boardprint_finite::{Fen, Game};
//!
//! let fen = Fen::read(Game::Western, "4k3/8/8/8/8/8/4P3/4K2R w K - 3 9")?;
//! let (position, lost) = embed::open_position(&fen, false)?;
//! assert!(lost.is_nothing());
//! let icn = boardprint_icn::canonical_position(&position);
//! assert_eq!(icn, "3/100 9 (8|1) k5,8|P5,2+|K5,1+|R8,1+");
//! assert_eq!(embed::western_fen(&position)?, (fen, lost));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What both sides can say comes back as it was. The rest is either named as [`Lost`] or refused with its
//! square or half-move:
//!
//! | way | lost | refused |
//! |---|---|---|
//! | to the open board | castling with other squares than those of the usual start (Chess960) | such a castling played, a turn without a move, other games |
//! | back | laws and move rule other than those above, marks that nothing can use | pieces beyond the board, other pieces and players, rights that Western chess does not have, moves that are illegal there |
//!
//! A border around the eight by eight squares is not lost: Western chess has it anyway. Without one, nothing
//! is lost either, because that is how the original text writes the Western game; but a game that leaves the
//! board is refused at the half-move that does.

mod error;
#[cfg(test)]
mod tests;

pub use error::{EmbedError, EmbedErrorKind};

use std::sync::Arc;

use boardprint_base::{
    Border, Coord, Game as OpenGame, Laws, Move as OpenMove, MoveRule, Piece, PieceKind, Pieces, Placed,
    Player, Position, Promotion, Side, Square, TurnOrder,
};
use boardprint_finite::{Action, Board, Fen, Game, Illegal, Man, Move};

use crate::identity::identity;
use crate::lost::Lost;

/// The kinds of Western chess, by their place in [`Game::kinds`].
const KINDS: [PieceKind; 6] = [
    PieceKind::Pawn,
    PieceKind::Knight,
    PieceKind::Bishop,
    PieceKind::Rook,
    PieceKind::Queen,
    PieceKind::King,
];

/// Ranks and files of the board.
const SIZE: i64 = 8;
/// Half-moves without progress that end a game.
const LIMIT: i64 = 100;
/// The columns from which king and rooks castle as the open board does it: the king goes two columns.
const KING_COLUMN: i64 = 5;
const ROOK_COLUMNS: [i64; 2] = [1, SIZE];

/// The laws of Western chess on the open board, with or without a border around its squares.
#[must_use]
pub fn western_laws(border: bool) -> Laws {
    let edge = |row: i64| border.then(|| Coord::from(row));
    Laws {
        promotion: [
            (Player::WHITE, Promotion::usual([Coord::from(SIZE)])),
            (Player::BLACK, Promotion::usual([Coord::from(1)])),
        ]
        .into(),
        border: Border { left: edge(1), right: edge(SIZE), bottom: edge(1), top: edge(SIZE) },
        ..Laws::default()
    }
}

/// A position of Western chess on the open board, and what it does not carry there: castling as in Chess960.
///
/// # Errors
///
/// [`EmbedErrorKind::OtherGame`] if it is of another game.
#[expect(clippy::missing_panics_doc, reason = "every cell is another square")]
pub fn open_position(fen: &Fen, border: bool) -> Result<(Position, Lost), EmbedError> {
    if fen.game() != Game::Western {
        return Err(EmbedErrorKind::OtherGame(fen.game()).into());
    }
    let mut rights = vec![false; fen.cells().len()];
    let mut lost = Lost::NOTHING;
    for (side, rooks) in Side::ALL.into_iter().zip(fen.castling()) {
        for rook in rooks.into_iter().flatten() {
            let king = cell(&Square::new(KING_COLUMN, back_rank(side)));
            let king = king.filter(|king| fen.may_castle(*king) && is_king(fen, *king, side));
            match king.filter(|_| ROOK_COLUMNS.contains(&column(rook))) {
                Some(king) => (rights[king], rights[rook]) = (true, true),
                None => lost |= Lost::CASTLING,
            }
        }
    }
    let placed = fen.cells().iter().enumerate().filter_map(|(cell, man)| {
        let man = (*man)?;
        let player = player(man.side());
        let square = square(cell);
        let kind = KINDS[man.kind()];
        let right = rights[cell] || kind == PieceKind::Pawn && square.y == Coord::from(pawn_rank(man.side()));
        Some(Placed { piece: Piece::new(kind, player), square, right })
    });
    let position = Position {
        turn: if fen.side() == Side::Bottom { TurnOrder::white_first() } else { TurnOrder::black_first() },
        en_passant: fen.en_passant().map(square),
        move_rule: Some(MoveRule { count: coord(fen.clock()), limit: LIMIT.into() }),
        full_move: coord(fen.plies() / 2 + 1),
        laws: Arc::new(western_laws(border)),
        pieces: Pieces::from_list(placed.collect()).expect("every cell is another square"),
    };
    Ok((position, lost))
}

/// Moves of Western chess on the open board. The move that a king castles with is the king's there, too.
///
/// # Errors
///
/// [`EmbedError`] with the half-move that the open board does not have: a turn without a move, or a king that
/// castles from other squares than those of the usual start.
pub fn open_moves(start: &Board, moves: &[Move]) -> Result<Vec<OpenMove>, EmbedError> {
    let game = start.game();
    if game != Game::Western {
        return Err(EmbedErrorKind::OtherGame(game).into());
    }
    let mut board = start.clone();
    let mut open = Vec::with_capacity(moves.len());
    for (ply, played) in (1..).zip(moves) {
        let refuse = |kind: EmbedErrorKind| kind.at_ply(ply);
        let Action::Go { from, to, promotion } = played.action(game) else {
            return Err(refuse(EmbedErrorKind::NoMove));
        };
        // Castling other than the usual is named by the rook that the king takes.
        if board.man(to).is_some_and(|man| man.side() == board.side()) {
            return Err(refuse(EmbedErrorKind::OtherCastling));
        }
        board.play(*played).map_err(|why| refuse(EmbedErrorKind::Illegal(why)))?;
        let on_board = |number: usize| square(number ^ 0b11_1000);
        let promotion = promotion.and_then(|kind| KINDS.get(kind).copied());
        open.push(OpenMove { promotion, ..OpenMove::new(on_board(from), on_board(to)) });
    }
    Ok(open)
}

/// The FEN of a position of the open board that is one of Western chess, and what it does not carry.
///
/// # Errors
///
/// [`EmbedError`] names the square of what Western chess does not have.
#[expect(clippy::missing_panics_doc, reason = "the cells and pieces are those of the game")]
pub fn western_fen(position: &Position) -> Result<(Fen, Lost), EmbedError> {
    if !position.turn.is_white_and_black() {
        return Err(EmbedErrorKind::TurnOrder.into());
    }
    let usable = identity(position);
    let mut fen = Fen::empty(Game::Western);
    for placed in &usable.pieces {
        let (cell, man) = man_of(placed)?;
        fen.put(cell, Some(man)).expect("the board has this cell, and the game this piece");
    }
    let white_moves = position.turn.to_move() == Player::WHITE;
    fen.set_side(if white_moves { Side::Bottom } else { Side::Top });
    restore_rights(&mut fen, &usable)?;
    // A square that no pawn can step onto is kept where a FEN can say it.
    let mut lost = Lost::NOTHING;
    if let Some(square) = &position.en_passant {
        let fits = cell(square).is_some_and(|cell| fen.set_en_passant(cell).is_ok());
        if !fits && usable.en_passant.is_some() {
            return Err(EmbedErrorKind::EnPassant { square: square.clone() }.into());
        }
        lost |= Lost::DEAD_MARKS.when(!fits);
    }
    lost |= Lost::DEAD_MARKS.when(usable.pieces != position.pieces);
    lost |= restore_counters(&mut fen, position);
    let laws = &*position.laws;
    let same_laws = laws.promotion == western_laws(false).promotion
        && laws.wins.is_default()
        && !laws.has_unusual_rules()
        && (laws.border.is_open() || laws.border == western_laws(true).border);
    Ok((fen, lost | Lost::LAWS.when(!same_laws)))
}

/// The moves of a game of the open board that is one of Western chess, with the position they start from and
/// what that does not carry.
///
/// # Errors
///
/// [`EmbedError`] names the square or the half-move of what Western chess does not have.
pub fn western_moves(game: &OpenGame) -> Result<(Board, Vec<Move>, Lost), EmbedError> {
    let (fen, lost) = western_fen(&game.start)?;
    let start = Board::from_fen(&fen).map_err(EmbedErrorKind::Unplayable)?;
    let mut board = start.clone();
    let mut moves = Vec::with_capacity(game.moves.len());
    for (ply, step) in (1..).zip(&game.moves) {
        let played = western_move(&board, step).map_err(|kind| kind.at_ply(ply))?;
        board.play_known(played);
        moves.push(played);
    }
    Ok((start, moves, lost))
}

/// A move of the open board in Western chess, if it is legal there.
fn western_move(board: &Board, step: &OpenMove) -> Result<Move, EmbedErrorKind> {
    let number = |square: &Square| {
        let cell = cell(square).ok_or_else(|| EmbedErrorKind::Outside { square: square.clone() });
        cell.map(|cell| cell ^ 0b11_1000)
    };
    let (from, to) = (number(&step.from)?, number(&step.to)?);
    let promotion = match step.promotion {
        None => 0,
        Some(kind) => match KINDS.iter().position(|known| *known == kind) {
            Some(place @ 1..=4) => place,
            _ => return Err(EmbedErrorKind::Promotion { kind }),
        },
    };
    let mover = board.man(from).ok_or(EmbedErrorKind::Illegal(Illegal::NoPiece))?;
    // All bits 0 would be a turn without a move, and a king that takes its rook would castle.
    if from == to || board.man(to).is_some_and(|man| man.side() == mover.side()) {
        return Err(EmbedErrorKind::Illegal(Illegal::OwnPiece));
    }
    let bits = u16::try_from(from | to << 6 | promotion << 12).ok();
    let played = bits.and_then(|bits| Move::from_bits(Game::Western, bits));
    let played = played.ok_or(EmbedErrorKind::Illegal(Illegal::NoSuchMove))?;
    board.judge(played).map_err(EmbedErrorKind::Illegal)?;
    Ok(played)
}

fn man_of(placed: &Placed) -> Result<(usize, Man), EmbedError> {
    let Placed { square, piece, .. } = placed;
    let cell = cell(square).ok_or_else(|| EmbedErrorKind::Outside { square: square.clone() })?;
    let side = match piece.player {
        Player::WHITE => Some(Side::Bottom),
        Player::BLACK => Some(Side::Top),
        _ => None,
    };
    let kind = KINDS.iter().position(|kind| *kind == piece.kind);
    match (kind, side) {
        (Some(kind), Some(side)) => Ok((cell, Man::new(kind, side, false))),
        _ => Err(EmbedErrorKind::OtherPiece { square: square.clone(), piece: *piece }.into()),
    }
}

/// Pawns must have their right exactly where Western chess gives it to them; castling must be the usual one.
fn restore_rights(fen: &mut Fen, usable: &Position) -> Result<(), EmbedError> {
    let mut rooks = Vec::new();
    for placed in &usable.pieces {
        let Placed { square, piece, right } = placed;
        let side = if piece.player == Player::WHITE { Side::Bottom } else { Side::Top };
        let fits = match piece.kind {
            PieceKind::Pawn => *right == (square.y == Coord::from(pawn_rank(side))),
            _ if !right => true,
            PieceKind::King => *square == Square::new(KING_COLUMN, back_rank(side)),
            PieceKind::Rook => {
                rooks.push(square);
                square.y == Coord::from(back_rank(side))
                    && ROOK_COLUMNS.iter().any(|column| square.x == Coord::from(*column))
            }
            _ => false,
        };
        if !fits {
            return Err(EmbedErrorKind::Right { square: square.clone() }.into());
        }
    }
    for square in rooks {
        if cell(square).is_none_or(|cell| fen.allow_castling(cell).is_err()) {
            return Err(EmbedErrorKind::Right { square: square.clone() }.into());
        }
    }
    Ok(())
}

fn restore_counters(fen: &mut Fen, position: &Position) -> Lost {
    let number = |coord: &Coord| coord.as_i64().and_then(|number| u64::try_from(number).ok());
    let rule = position.move_rule.as_ref().filter(|rule| rule.limit == Coord::from(LIMIT));
    let clock = rule.and_then(|rule| number(&rule.count));
    let full_move = number(&position.full_move).filter(|number| (1..=u64::MAX / 4).contains(number));
    let plies = (full_move.unwrap_or(1) - 1) * 2 + u64::from(fen.side() == Side::Top);
    fen.set_counters(clock.unwrap_or(0), plies);
    Lost::CLOCK.when(clock.is_none()) | Lost::MOVE_NUMBER.when(full_move.is_none())
}

fn is_king(fen: &Fen, cell: usize, side: Side) -> bool {
    fen.man(cell).is_some_and(|man| man.side() == side && KINDS[man.kind()] == PieceKind::King)
}

fn player(side: Side) -> Player {
    if side == Side::Bottom { Player::WHITE } else { Player::BLACK }
}

const fn back_rank(side: Side) -> i64 {
    if matches!(side, Side::Bottom) { 1 } else { SIZE }
}

const fn pawn_rank(side: Side) -> i64 {
    if matches!(side, Side::Bottom) { 2 } else { SIZE - 1 }
}

/// The column of a cell in reading order.
fn column(cell: usize) -> i64 {
    i64::try_from(cell % 8).unwrap_or(0) + 1
}

/// The square of a cell in reading order.
fn square(cell: usize) -> Square {
    Square::new(column(cell), SIZE - i64::try_from(cell / 8).unwrap_or(0))
}

/// The cell of a square in reading order, if the board has it.
fn cell(square: &Square) -> Option<usize> {
    let within = |coord: &Coord| {
        coord.as_i64().and_then(|n| usize::try_from(n).ok()).filter(|n| (1..=8).contains(n)).map(|n| n - 1)
    };
    Some((7 - within(&square.y)?) * 8 + within(&square.x)?)
}

fn coord(number: u64) -> Coord {
    match i64::try_from(number) {
        Ok(small) => small.into(),
        Err(_) => Coord::from_digits(false, number.to_string().as_bytes()),
    }
}
