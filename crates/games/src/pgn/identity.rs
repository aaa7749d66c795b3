//! What a Western game is: its start and its moves.

use boardprint_base::Digest;
use cozy_chess::{Board, Color, File, Move, Piece, Rank, Square, get_pawn_attacks};

use super::{WesternGame, WesternMove};
use crate::dedup::Chain;

/// The usual start, without counters.
pub(super) const USUAL_START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

impl WesternGame<'_> {
    /// Appends the identity text: the start as FEN without counters, then the moves, one space between. Returns where the start ends.
    pub fn write_identity(&self, out: &mut Vec<u8>) -> usize {
        self.write_start(out);
        let start = out.len();
        for played in &self.moves {
            out.push(b' ');
            played.write_to(out);
        }
        start
    }

    /// The game hash: SHA-1 of the identity text.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let mut text = Vec::with_capacity(64 + 5 * self.moves.len());
        self.write_identity(&mut text);
        Digest::of(&text)
    }

    /// The key of the start and every beginning, the whole game last; see [`Chain`].
    #[must_use]
    pub fn chain(&self) -> Vec<[u64; 2]> {
        let mut start = Vec::with_capacity(96);
        self.write_start(&mut start);
        let mut chain = Chain::new(&start);
        let mut keys = Vec::with_capacity(self.moves.len() + 1);
        keys.push(chain.key());
        for played in &self.moves {
            chain.push(u64::from(played.bits()));
            keys.push(chain.key());
        }
        keys
    }

    fn write_start(&self, out: &mut Vec<u8>) {
        if self.usual_start {
            out.extend_from_slice(USUAL_START.as_bytes());
        } else {
            write_fen(&self.start, out);
        }
    }

    /// SHA-1 of the last position and the number of plies.
    #[must_use]
    pub fn last_digest(&self) -> Digest {
        let mut text = Vec::with_capacity(96);
        self.write_last(&mut text);
        Digest::of(&text)
    }

    /// Appends the last position, as FEN without counters, and the number of plies.
    pub fn write_last(&self, out: &mut Vec<u8>) {
        write_fen(&self.last, out);
        out.extend_from_slice(format!(" {}", self.moves.len()).as_bytes());
    }
}

/// The game hash of a start and moves: what [`WesternGame::digest`] gives for such a game.
#[must_use]
pub fn game_digest(start: &Board, moves: impl IntoIterator<Item = WesternMove>) -> Digest {
    let mut text = Vec::with_capacity(512);
    write_game(start, moves, &mut text);
    Digest::of(&text)
}

/// Appends the identity text of a start and moves: what [`WesternGame::write_identity`] writes for such a game.
pub fn write_game(start: &Board, moves: impl IntoIterator<Item = WesternMove>, out: &mut Vec<u8>) {
    write_fen(start, out);
    for played in moves {
        out.push(b' ');
        played.write_to(out);
    }
}

/// Appends a position as FEN without counters; see the module for castling and en passant.
pub fn write_fen(board: &Board, out: &mut Vec<u8>) {
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
    pawns.into_iter().any(|from| board.is_legal(Move { from, to, promotion: None })).then_some(to)
}

/// The position of a `FEN` tag: with or without counters, castling in the usual letters (X-FEN: the outermost rook) or by files. Rights
/// without king and rook, and en passant squares without a pawn, mean nothing and are dropped.
#[must_use]
pub fn board_of_fen(fen: &str) -> Option<Board> {
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
