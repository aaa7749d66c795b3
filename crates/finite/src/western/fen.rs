//! Western positions as FEN and back.

use boardprint_base::Side;
use cozy_chess::{
    Board, BoardBuilder, CastleRights, Color, File, Move as Generated, Piece, Rank, Square, get_pawn_attacks,
};

use crate::error::Unplayable;
use crate::fen::Fen;
use crate::game::Game;
use crate::man::Man;

/// Appends a position as FEN without counters; see the module for castling and en passant.
pub(crate) fn write_fen(board: &Board, out: &mut Vec<u8>) {
    for rank in Rank::ALL.into_iter().rev() {
        let mut empty = 0;
        for file in File::ALL {
            let square = Square::new(file, rank);
            let Some(piece) = board.piece_on(square) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                out.push(b'0' + empty);
                empty = 0;
            }
            let letter = b"pnbrqk"[piece as usize];
            out.push(if board.colors(Color::White).has(square) {
                letter.to_ascii_uppercase()
            } else {
                letter
            });
        }
        if empty > 0 {
            out.push(b'0' + empty);
        }
        out.push(if rank == Rank::First { b' ' } else { b'/' });
    }
    out.extend_from_slice(if board.side_to_move() == Color::White { b"w " } else { b"b " });
    write_rights(board, out);
    out.push(b' ');
    match legal_en_passant(board) {
        Some(square) => out.extend_from_slice(square.to_string().as_bytes()),
        None => out.push(b'-'),
    }
}

fn write_rights(board: &Board, out: &mut Vec<u8>) {
    let before = out.len();
    let usual = Color::ALL.into_iter().all(|color| {
        let rights = board.castle_rights(color);
        let fits = |right: Option<File>, file| right.is_none() || right == Some(file);
        let none = rights.short.is_none() && rights.long.is_none();
        none || (board.king(color).file() == File::E
            && fits(rights.short, File::H)
            && fits(rights.long, File::A))
    });
    for color in [Color::White, Color::Black] {
        let rights = board.castle_rights(color);
        for (file, letter) in [(rights.short, b'k'), (rights.long, b'q')] {
            let Some(file) = file else { continue };
            let letter = if usual { letter } else { b'a' + file as u8 };
            out.push(if color == Color::White { letter.to_ascii_uppercase() } else { letter });
        }
    }
    if out.len() == before {
        out.push(b'-');
    }
}

/// The en passant square, if a capture onto it is legal.
fn legal_en_passant(board: &Board) -> Option<Square> {
    let us = board.side_to_move();
    let to = Square::new(board.en_passant()?, Rank::Sixth.relative_to(us));
    let pawns = board.colored_pieces(us, Piece::Pawn) & get_pawn_attacks(to, !us);
    pawns.into_iter().any(|from| board.is_legal(Generated { from, to, promotion: None })).then_some(to)
}

/// The position of a `FEN` tag: with or without counters, castling in the usual letters (X-FEN: the outermost
/// rook) or by files. Rights without king and rook, and en passant squares without a pawn, mean nothing and
/// are dropped.
#[must_use]
pub(crate) fn board_of_fen(fen: &str) -> Option<Board> {
    let mut fields = fen.split_ascii_whitespace();
    let pieces = fields.next()?;
    let side = fields.next().unwrap_or("w");
    let castling = fields.next().unwrap_or("-");
    let en_passant = fields.next().unwrap_or("-");
    let bare: Board = Board::from_fen(&format!("{pieces} {side} - - 0 1"), false).ok()?;
    let mut rights = String::new();
    for letter in castling.chars().filter(|letter| *letter != '-') {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        if !"KQABCDEFGH".contains(letter.to_ascii_uppercase()) {
            return None;
        }
        let Some(file) = rook_file(&bare, color, letter.to_ascii_lowercase()) else { continue };
        let name = char::from(b'a' + file as u8);
        let name = if color == Color::White { name.to_ascii_uppercase() } else { name };
        if !rights.contains(name) {
            rights.push(name);
        }
    }
    if rights.is_empty() {
        rights.push('-');
    }
    let with =
        |en_passant: &str| Board::from_fen(&format!("{pieces} {side} {rights} {en_passant} 0 1"), true);
    with(en_passant).or_else(|_| with("-")).ok()
}

/// The file of the rook that a castling letter means, if there is such a rook.
fn rook_file(board: &Board, color: Color, letter: char) -> Option<File> {
    let rank = Rank::First.relative_to(color);
    let king = board.king(color);
    let rooks = board.colored_pieces(color, Piece::Rook);
    let has_rook = |file: &File| king.rank() == rank && rooks.has(Square::new(*file, rank));
    match letter {
        'k' => File::ALL.into_iter().rev().find(|file| *file > king.file() && has_rook(file)),
        'q' => File::ALL.into_iter().find(|file| *file < king.file() && has_rook(file)),
        _ => letter.try_into().ok().filter(has_rook),
    }
}

/// The en passant square, if a pawn of the side to move could step onto it.
pub(crate) fn usable_en_passant(board: &Board) -> Option<Square> {
    let us = board.side_to_move();
    let square = Square::new(board.en_passant()?, Rank::Sixth.relative_to(us));
    let pawns = board.colored_pieces(us, Piece::Pawn) & get_pawn_attacks(square, !us);
    (!pawns.is_empty()).then_some(square)
}

/// Whether two positions have the same pieces, side to move, castling rights and en passant captures. The
/// generator's own comparison takes a queen beside the passed pawn for one that could capture en passant.
pub(crate) fn same_position(one: &Board, two: &Board) -> bool {
    one.side_to_move() == two.side_to_move()
        && Color::ALL.into_iter().all(|color| {
            one.colors(color) == two.colors(color) && one.castle_rights(color) == two.castle_rights(color)
        })
        && Piece::ALL.into_iter().all(|piece| one.pieces(piece) == two.pieces(piece))
        && legal_en_passant(one) == legal_en_passant(two)
}

/// The cell of a square in reading order.
pub(crate) const fn cell_of(square: Square) -> usize {
    square as usize ^ 0b11_1000
}

/// The position of a FEN, if the generator can play it.
pub(crate) fn board_of_parts(fen: &Fen) -> Result<Board, Unplayable> {
    let mut builder = BoardBuilder::empty();
    let color = |side| if side == Side::Bottom { Color::White } else { Color::Black };
    let square = |cell: usize| Square::index(cell ^ 0b11_1000);
    for (cell, man) in fen.cells().iter().enumerate() {
        if let Some(man) = man {
            builder.board[square(cell) as usize] =
                Piece::try_index(man.kind()).map(|piece| (piece, color(man.side())));
        }
    }
    builder.side_to_move = color(fen.side());
    for (side, [right, left]) in Side::ALL.into_iter().zip(fen.castling()) {
        let file = |cell: usize| square(cell).file();
        builder.castle_rights[color(side) as usize] =
            CastleRights { short: right.map(file), long: left.map(file) };
    }
    builder.en_passant = fen.en_passant().map(square);
    builder.fullmove_number = 1;
    for side in [Color::White, Color::Black] {
        match builder.board.iter().filter(|man| **man == Some((Piece::King, side))).count() {
            0 => return Err(Unplayable::NoKing),
            1 => {}
            _ => return Err(Unplayable::TwoKings),
        }
    }
    // A square that no pawn can have passed, by the generator's closer look, means nothing.
    let built = builder.build().or_else(|_| {
        builder.en_passant = None;
        builder.build()
    });
    built.map_err(|_| {
        builder.side_to_move = !builder.side_to_move;
        if builder.build().is_ok() { Unplayable::OpponentInCheck } else { Unplayable::Impossible }
    })
}

/// The position with its counters: half-moves without progress and since the start. An en passant square is
/// there if a pawn could step onto it.
pub(crate) fn fen_of(board: &Board, clock: u64, plies: u64) -> Fen {
    let mut fen = Fen::empty(Game::Western);
    let side = if board.side_to_move() == Color::White { Side::Bottom } else { Side::Top };
    fen.set_side(side);
    for color in Color::ALL {
        let side = if color == Color::White { Side::Bottom } else { Side::Top };
        for piece in Piece::ALL {
            for square in board.colored_pieces(color, piece) {
                fen.put(cell_of(square), Some(Man::new(piece as usize, side, false)))
                    .expect("the board has the squares and pieces of the game");
            }
        }
    }
    for color in Color::ALL {
        let rights = board.castle_rights(color);
        for rook in [rights.short, rights.long].into_iter().flatten() {
            let cell = cell_of(Square::new(rook, Rank::First.relative_to(color)));
            fen.allow_castling(cell).expect("the generator has checked king and rook");
        }
    }
    if let Some(square) = usable_en_passant(board) {
        fen.set_en_passant(cell_of(square)).expect("a pawn has just passed it");
    }
    fen.set_counters(clock, plies);
    fen
}
