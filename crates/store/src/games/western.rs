//! Naming positions of Western chess, many times.

use cozy_chess::{Board, Color, Piece, Rank, Square, get_pawn_attacks};

/// Writes Western positions as CPN, as FEN to CPN does. Its buffer is reused.
pub(super) struct WesternNamer {
    /// Whether castling rights and a usable en passant square are written.
    rights: bool,
    buffer: [u8; BUFFER],
}

/// A side, the shape, 64 cells of at most seven bytes with their commas, the hand; words are copied whole.
const BUFFER: usize = 8 + 64 * 7 + 8;

/// A cell with its comma, padded, and its length.
type Cell = ([u8; 8], usize);

/// Codes of cells: empty is 0, then six kinds of white, six of black, and all twelve with a mark.
const BLACK: u8 = 6;
const MARKED: u8 = 12;
/// A black pawn never has a mark: the place is free.
const EN_PASSANT: u8 = MARKED + BLACK + 1;

/// The cells by code.
const CELLS: [Cell; 25] = {
    let mut cells = [(*b",       ", 1); 25];
    let mut code = 1;
    while code < 25 {
        let marked = code > MARKED;
        let plain = if marked { code - MARKED } else { code };
        let black = plain > BLACK;
        let kind = (plain - 1) as usize % 6;
        let mut cell = [b' '; 8];
        let mut at = 0;
        let mut text = [if black { b'w' } else { b'W' }, b':', b'+', b'^', 0, b','];
        text[4] = if black { b"pnbrqk"[kind] } else { b"PNBRQK"[kind] };
        let mut part = 0;
        while part < text.len() {
            let skipped = (part == 2 && !marked) || (part == 3 && kind != 5);
            if !skipped {
                cell[at] = text[part];
                at += 1;
            }
            part += 1;
        }
        cells[code as usize] = (cell, at);
        code += 1;
    }
    cells[EN_PASSANT as usize] = (*b"w_0:ep, ", 7);
    cells
};

/// The code of a piece without a mark.
#[inline]
const fn code(color: Color, piece: Piece) -> u8 {
    1 + piece as u8 + BLACK * color as u8
}

impl WesternNamer {
    pub(super) fn new(rights: bool) -> Self {
        WesternNamer { rights, buffer: [0; BUFFER] }
    }

    /// The CPN of a position. It is ASCII.
    pub(super) fn cpn(&mut self, board: &Board) -> &[u8] {
        // In reading order: rank 8 first.
        let mut cells = [0; 64];
        let place = |square: Square| square as usize ^ 0b11_1000;
        for color in Color::ALL {
            for piece in Piece::ALL {
                for square in board.colored_pieces(color, piece) {
                    cells[place(square)] = code(color, piece);
                }
            }
        }
        if self.rights {
            for color in Color::ALL {
                let rights = board.castle_rights(color);
                let rank = Rank::First.relative_to(color);
                for rook in [rights.short, rights.long].into_iter().flatten() {
                    cells[place(Square::new(rook, rank))] = MARKED + code(color, Piece::Rook);
                    cells[place(board.king(color))] = MARKED + code(color, Piece::King);
                }
            }
            if let Some(square) = usable_en_passant(board) {
                cells[place(square)] = EN_PASSANT;
            }
        }
        let side: &[u8; 8] = if board.side_to_move() == Color::White { b"B--8,8--" } else { b"t--8,8--" };
        self.buffer[..8].copy_from_slice(side);
        let mut len = 8;
        for cell in cells {
            let (text, length) = &CELLS[usize::from(cell)];
            self.buffer[len..len + 8].copy_from_slice(text);
            len += length;
        }
        // The comma of the last cell gives way.
        self.buffer[len - 1..=len].copy_from_slice(b"--");
        &self.buffer[..=len]
    }
}

/// The en passant square, if a pawn of the side to move could step onto it.
fn usable_en_passant(board: &Board) -> Option<Square> {
    let us = board.side_to_move();
    let square = Square::new(board.en_passant()?, Rank::Sixth.relative_to(us));
    let pawns = board.colored_pieces(us, Piece::Pawn) & get_pawn_attacks(square, !us);
    (!pawns.is_empty()).then_some(square)
}

#[cfg(test)]
mod tests {
    use boardprint_bridge::fen::{Fen, FenExt as _, Game};
    use boardprint_bridge::{Lossy, Marks};

    use super::*;

    /// Names a position in both ways.
    fn compare(board: &Board) {
        let text = format!("{board:#}");
        let fen = Fen::read(Game::Western, &text).unwrap_or_else(|error| panic!("{text}: {error}"));
        for (rights, marks) in [(false, None), (true, Some(Marks::Usable))] {
            let expected = Lossy::parts(fen.to_cpn(marks)).0;
            let mut namer = WesternNamer::new(rights);
            assert_eq!(std::str::from_utf8(namer.cpn(board)), Ok(expected.as_str()), "{text}");
        }
    }

    #[test]
    fn names_are_those_of_fen_to_cpn() {
        // Random games, also of Chess960; a small generator that is the same everywhere.
        let mut state = 7_u64;
        let mut below = |limit: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap_or(0) % limit
        };
        let (mut positions, mut en_passant) = (0, 0);
        for game in 0..60 {
            let mut board = if game % 2 == 0 {
                Board::default()
            } else {
                Board::chess960_startpos(u32::try_from(below(960)).expect("below 960"))
            };
            for _ in 0..120 {
                compare(&board);
                positions += 1;
                en_passant += usize::from(usable_en_passant(&board).is_some());
                let mut moves = Vec::new();
                board.generate_moves(|some| {
                    moves.extend(some);
                    false
                });
                if moves.is_empty() {
                    break;
                }
                let next = moves[below(moves.len())];
                board.play(next);
            }
        }
        assert!(positions > 5_000 && en_passant > 20, "{positions} {en_passant}");
    }
}
