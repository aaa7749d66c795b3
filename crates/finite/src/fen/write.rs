//! Writing FEN and SFEN.

use std::fmt;

use boardprint_base::Side;

use super::{Fen, RIGHT};
use crate::game::Game;

/// The kinds in hand in the order in which they are written, by their places in the table of Shogi.
type HandOrder = [usize; 7];

/// Rook, bishop, gold, silver, knight, lance, pawn: as in the table.
const SFEN_HAND: HandOrder = [0, 1, 2, 3, 4, 5, 6];
/// Gold, knight, lance, pawn, silver, rook, bishop, as Fairy-Stockfish and all that is built on it write it.
const FEN_HAND: HandOrder = [2, 4, 5, 6, 3, 0, 1];

impl Fen {
    /// The SFEN, if it is Shogi.
    #[must_use]
    pub fn to_sfen(&self) -> Option<String> {
        if self.game != Game::Shogi {
            return None;
        }
        let turn = if self.side == Side::Bottom { 'b' } else { 'w' };
        let mut hand = self.hand_text(SFEN_HAND, |letter, count, out| {
            if count > 1 {
                out.push_str(&count.to_string());
            }
            out.push(letter);
        });
        if hand.is_empty() {
            hand.push('-');
        }
        Some(format!("{} {turn} {hand} {}", self.board_text(), self.plies + 1))
    }

    /// The FEN with castling rights by the files of the rooks (Shredder-FEN): `HAha`. The usual text, which
    /// is also X-FEN, has `KQkq` and a file only where another rook stands further out.
    #[must_use]
    pub fn to_shredder_fen(&self) -> String {
        self.text(true)
    }

    fn text(&self, rooks_by_file: bool) -> String {
        let mut out = self.board_text();
        if self.game == Game::Shogi {
            let repeated = |letter, count, out: &mut String| out.extend(std::iter::repeat_n(letter, count));
            let hand = self.hand_text(FEN_HAND, repeated);
            out.extend(["[", &hand, "]"]);
        }
        let turn = if self.side == Side::Bottom { 'w' } else { 'b' };
        let (castling, en_passant) = (self.castling_text(rooks_by_file), self.en_passant_text());
        format!("{out} {turn} {castling} {en_passant} {} {}", self.clock, self.plies / 2 + 1)
    }

    fn board_text(&self) -> String {
        let mut out = String::new();
        for (index, rank) in self.board.chunks(self.game.files()).enumerate() {
            if index > 0 {
                out.push('/');
            }
            let mut empty = 0;
            for square in rank {
                let Some(man) = square else {
                    empty += 1;
                    continue;
                };
                push_run(&mut out, std::mem::take(&mut empty));
                if man.is_promoted() {
                    out.push('+');
                }
                out.push(char::from(man.letter(self.game)));
            }
            push_run(&mut out, empty);
        }
        out
    }

    fn hand_text(&self, order: HandOrder, mut push: impl FnMut(char, usize, &mut String)) -> String {
        let mut out = String::new();
        for side in Side::ALL {
            for kind in order {
                let count = self.hands[side as usize][kind];
                if count > 0 {
                    push(in_case(self.game.kinds()[kind].letter(), side), count, &mut out);
                }
            }
        }
        out
    }

    fn castling_text(&self, by_file: bool) -> String {
        let mut out = String::new();
        for side in [Side::Bottom, Side::Top] {
            for (wing, letter) in [(RIGHT, b'k'), (1 - RIGHT, b'q')] {
                let Some(rook) = self.castling.0[side as usize][wing] else { continue };
                let king = self.castling_king(side).unwrap_or(rook);
                let file = b"abcdefgh".get(rook % self.game.files()).copied().unwrap_or(letter);
                // A rook further out would be meant by the usual letter.
                let outermost = self.outermost_rook(side, king, wing) == Some(rook);
                out.push(in_case(if outermost && !by_file { letter } else { file }, side));
            }
        }
        if out.is_empty() { "-".to_owned() } else { out }
    }

    fn en_passant_text(&self) -> String {
        match (self.en_passant, self.counting) {
            (Some(cell), _) => {
                let files = self.game.files();
                let file = b"abcdefgh".get(cell % files).map_or('-', |file| char::from(*file));
                format!("{file}{}", self.game.ranks() - cell / files)
            }
            (None, Some(limit)) => limit.to_string(),
            (None, None) => "-".to_owned(),
        }
    }
}

impl fmt::Display for Fen {
    /// The FEN; of Shogi with the hand in brackets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(false))
    }
}

fn in_case(letter: u8, side: Side) -> char {
    char::from(if side == Side::Bottom { letter.to_ascii_uppercase() } else { letter })
}

fn push_run(out: &mut String, empty: usize) {
    if empty > 0 {
        out.push_str(&empty.to_string());
    }
}
