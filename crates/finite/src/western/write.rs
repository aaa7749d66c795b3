//! Moves to SAN.

use cozy_chess::{Board, GameStatus, Move as Generated, Piece, Square};

use super::generated;
use crate::moves::Move;

/// A move in SAN; `None` if it is illegal.
pub(crate) fn san(board: &Board, named: Move) -> Option<String> {
    if named == Move::NULL {
        return board.null_move().map(|_| "--".to_owned());
    }
    let played = generated(board, named);
    if !board.is_legal(played) {
        return None;
    }
    let mut san = bare_san(board, played);
    let mut next = board.clone();
    next.play_unchecked(played);
    if !next.checkers().is_empty() {
        san.push(if next.status() == GameStatus::Won { '#' } else { '+' });
    }
    Some(san)
}

fn bare_san(board: &Board, played: Generated) -> String {
    let Generated { from, to, promotion } = played;
    let us = board.side_to_move();
    let Some(kind) = board.piece_on(from) else { return String::new() };
    if kind == Piece::King && board.colors(us).has(to) {
        return if from.file() < to.file() { "O-O" } else { "O-O-O" }.to_owned();
    }
    let captures = board.colors(!us).has(to);
    if kind == Piece::Pawn {
        let mut san = String::new();
        if from.file() != to.file() {
            san = format!("{}x", from.file());
        }
        san += &to.to_string();
        if let Some(piece) = promotion {
            san.push('=');
            san.push(letter(piece));
        }
        return san;
    }
    let mut san = letter(kind).to_string();
    if kind != Piece::King {
        let able = |square: &Square| board.is_legal(Generated { from: *square, to, promotion: None });
        let others = board.colored_pieces(us, kind) & !from.bitboard();
        let rivals: Vec<Square> = others.into_iter().filter(able).collect();
        let same_file = rivals.iter().any(|rival| rival.file() == from.file());
        let same_rank = rivals.iter().any(|rival| rival.rank() == from.rank());
        if !rivals.is_empty() && (!same_file || same_rank) {
            san += &from.file().to_string();
        }
        if same_file {
            san += &from.rank().to_string();
        }
    }
    if captures {
        san.push('x');
    }
    san + &to.to_string()
}

fn letter(piece: Piece) -> char {
    char::from(b"PNBRQK"[piece as usize])
}
