//! A board that does no more than reading SAN and judging moves need.
//!
//! Collections are read move by move, and nobody looks at the positions between. So this board keeps neither
//! hash nor pins nor counters, and knows only ordinary games: from the usual start, in ordinary spelling.
//! Whatever else comes up it leaves to the generator.

use cozy_chess::{
    BitBoard, Color, File, Move as Generated, Piece, Rank, Square, get_between_rays, get_king_moves,
    get_pawn_attacks,
};

use super::read::{is_attacked, reaching};
use super::{Played, plain_move};
use crate::moves::Move;

/// The longest words without marks: `Qa1xb2`, `exd8=Q`.
const LONGEST: usize = 6;

/// The position of a game from the usual start.
#[derive(Clone, Debug)]
pub(crate) struct Light {
    pieces: [BitBoard; 6],
    colors: [BitBoard; 2],
    /// The place of the kind in `pieces`, for squares that are not empty.
    kinds: [u8; 64],
    us: Color,
    /// The squares of kings and rooks that have not moved.
    unmoved: BitBoard,
    en_passant: BitBoard,
}

const KINDS: [u8; 8] = [3, 1, 2, 4, 5, 2, 1, 3];

impl Light {
    pub(crate) const START: Light = {
        let mut kinds = [0; 64];
        let mut file = 0;
        while file < 8 {
            kinds[file] = KINDS[file];
            kinds[file + 56] = KINDS[file];
            file += 1;
        }
        Light {
            pieces: [
                BitBoard(0x00ff_0000_0000_ff00),
                BitBoard(0x4200_0000_0000_0042),
                BitBoard(0x2400_0000_0000_0024),
                BitBoard(0x8100_0000_0000_0081),
                BitBoard(0x0800_0000_0000_0008),
                BitBoard(0x1000_0000_0000_0010),
            ],
            colors: [BitBoard(0xffff), BitBoard(0xffff << 48)],
            kinds,
            us: Color::White,
            unmoved: BitBoard(0x9100_0000_0000_0091),
            en_passant: BitBoard::EMPTY,
        }
    };

    /// Reads the move that a text begins with, plays it, and says how long it is. `None`, and nothing has
    /// changed, if no blank follows, or if it is for the generator to say what the word means.
    #[inline]
    pub(crate) fn play_next(&mut self, text: &[u8]) -> Option<(Move, usize)> {
        let word = text.first_chunk().copied().unwrap_or_else(|| {
            let mut short = [b' '; LONGEST];
            short[..text.len()].copy_from_slice(text);
            short
        });
        let kind = match word[0] {
            b'a'..=b'h' => return self.pawn(word, text),
            b'N' => Piece::Knight,
            b'B' => Piece::Bishop,
            b'R' => Piece::Rook,
            b'Q' => Piece::Queen,
            b'K' => Piece::King,
            b'O' => return self.castle(text),
            _ => return None,
        };
        let (hint, target, length) = match word[1..] {
            [b'x', file, rank, ..] => (BitBoard::FULL, [file, rank], 4),
            [a @ b'a'..=b'h', b @ b'1'..=b'8', b'x', file, rank, ..]
            | [a @ b'a'..=b'h', b @ b'1'..=b'8', file @ b'a'..=b'h', rank, ..] => {
                (square([a, b])?.bitboard(), [file, rank], 5 + usize::from(word[3] == b'x'))
            }
            [file @ b'a'..=b'h', rank @ b'1'..=b'8', ..] => (BitBoard::FULL, [file, rank], 3),
            [hint, b'x', file, rank, ..] => (files_or_ranks(hint)?, [file, rank], 5),
            [hint, file, rank, ..] => (files_or_ranks(hint)?, [file, rank], 4),
            _ => return None,
        };
        let (to, length) = (square(target)?, whole(text, length)?);
        let ours = self.ours();
        if ours.has(to) {
            return None;
        }
        let men = ours & self.pieces[kind as usize] & hint;
        let able = match kind {
            Piece::King => men & get_king_moves(to),
            _ => reaching(kind, men, to, self.occupied()),
        };
        // Where several can go, all but one have to be pinned.
        let mut safe = able.into_iter().filter(|from| self.is_safe_after(*from, to, BitBoard::EMPTY));
        let from = safe.next().filter(|_| safe.next().is_none())?;
        Some((self.go(from, to, None), length))
    }

    /// Plays a named move. `None`, and nothing has changed, if it is for the generator to say whether it is
    /// legal.
    #[inline]
    pub(crate) fn play(&mut self, named: Move) -> Option<()> {
        let Generated { from, to, promotion } = plain_move(named);
        let ours = self.ours();
        if !ours.has(from) || ours.has(to) {
            return None;
        }
        let kind = Piece::try_index(usize::from(self.kinds[from as usize]))?;
        if kind == Piece::Pawn {
            return self.play_pawn(from, to, promotion);
        }
        if promotion.is_some() {
            return None;
        }
        let can_go = match kind {
            Piece::King if get_king_moves(from).has(to) => true,
            Piece::King => return self.castle_to(from, to).map(|_| ()),
            _ => !reaching(kind, from.bitboard(), to, self.occupied()).is_empty(),
        };
        (can_go && self.is_safe_after(from, to, BitBoard::EMPTY)).then(|| {
            self.go(from, to, None);
        })
    }

    fn play_pawn(&mut self, from: Square, to: Square, promotion: Option<Piece>) -> Option<()> {
        let is_last = to.rank() == Rank::Eighth.relative_to(self.us);
        if promotion.is_some() != is_last || matches!(promotion, Some(Piece::Pawn | Piece::King)) {
            return None;
        }
        let mut victim = BitBoard::EMPTY;
        if from.file() == to.file() {
            let one = behind(to, self.us)?;
            let is_double = from != one;
            let starts_two_back =
                || from.rank() == Rank::Second.relative_to(self.us) && behind(one, self.us) == Some(from);
            let way = to.bitboard() | get_between_rays(from, to);
            if is_double && !starts_two_back() || !(way & self.occupied()).is_empty() {
                return None;
            }
        } else if !get_pawn_attacks(from, self.us).has(to) {
            return None;
        } else if !self.theirs().has(to) {
            self.en_passant.has(to).then_some(())?;
            victim = behind(to, self.us)?.bitboard();
        }
        self.is_safe_after(from, to, victim).then_some(())?;
        self.remove(victim);
        self.go(from, to, promotion);
        Some(())
    }

    /// Takes a pawn from the board that is taken in passing.
    #[inline]
    fn remove(&mut self, victim: BitBoard) {
        if !victim.is_empty() {
            self.pieces[Piece::Pawn as usize] ^= victim;
            self.colors[!self.us as usize] ^= victim;
        }
    }

    #[inline]
    fn ours(&self) -> BitBoard {
        self.colors[self.us as usize]
    }

    #[inline]
    fn theirs(&self) -> BitBoard {
        self.colors[!self.us as usize]
    }

    #[inline]
    fn occupied(&self) -> BitBoard {
        self.colors[0] | self.colors[1]
    }

    fn pawn(&mut self, word: [u8; LONGEST], text: &[u8]) -> Option<(Move, usize)> {
        let file = word[0];
        let is_capture = word[1] == b'x';
        let (target, length) = if is_capture { ([word[2], word[3]], 4) } else { ([word[0], word[1]], 2) };
        let promotion = if word[length] == b'=' { Some(promoted(word[length + 1])?) } else { None };
        let length = whole(text, length + 2 * usize::from(promotion.is_some()))?;
        let to = square(target)?;
        let pawns = self.ours() & self.pieces[Piece::Pawn as usize];
        if promotion.is_some() != (to.rank() == Rank::Eighth.relative_to(self.us)) {
            return None;
        }
        let mut victim = BitBoard::EMPTY;
        let from = if is_capture {
            let column = File::try_index(usize::from(file.wrapping_sub(b'a')))?;
            if !self.theirs().has(to) {
                victim = behind(to, self.us)?.bitboard();
                self.en_passant.has(to).then_some(())?;
            }
            (get_pawn_attacks(to, !self.us) & column.bitboard() & pawns).next_square()?
        } else {
            let one = behind(to, self.us)?;
            let from = if pawns.has(one) { one } else { behind(one, self.us)? };
            let is_double = from != one;
            let way = to.bitboard() | get_between_rays(from, to);
            let may_go = !is_double || from.rank() == Rank::Second.relative_to(self.us);
            (may_go && pawns.has(from) && (way & self.occupied()).is_empty()).then_some(from)?
        };
        self.is_safe_after(from, to, victim).then_some(())?;
        self.remove(victim);
        Some((self.go(from, to, promotion), length))
    }

    fn castle(&mut self, text: &[u8]) -> Option<(Move, usize)> {
        let is_long = text.starts_with(b"O-O-O");
        if !text.starts_with(b"O-O") {
            return None;
        }
        let length = whole(text, if is_long { 5 } else { 3 })?;
        let rank = Rank::First.relative_to(self.us);
        let to = Square::new(if is_long { File::C } else { File::G }, rank);
        Some((self.castle_to(Square::new(File::E, rank), to)?, length))
    }

    /// Castles if the king goes from its first square to one of the two, and may.
    fn castle_to(&mut self, king: Square, to: Square) -> Option<Move> {
        let rank = Rank::First.relative_to(self.us);
        let at = |file: File| Square::new(file, rank);
        let (rook, passed) = match to {
            to if to == at(File::C) => (at(File::A), at(File::D)),
            to if to == at(File::G) => (at(File::H), at(File::F)),
            _ => return None,
        };
        let have_moved = king != at(File::E) || !(self.unmoved.has(king) && self.unmoved.has(rook));
        if have_moved || !(get_between_rays(king, rook) & self.occupied()).is_empty() {
            return None;
        }
        let is_safe = |square| !self.is_attacked(square, self.occupied(), self.theirs());
        [king, passed, to].into_iter().all(is_safe).then_some(())?;
        let both = rook.bitboard() | passed.bitboard();
        self.pieces[Piece::Rook as usize] ^= both;
        self.colors[self.us as usize] ^= both;
        self.kinds[passed as usize] = Piece::Rook as u8;
        Some(self.go(king, to, None))
    }

    #[inline]
    fn is_attacked(&self, square: Square, blockers: BitBoard, theirs: BitBoard) -> bool {
        is_attacked(square, self.us, blockers, |piece| self.pieces[piece as usize] & theirs)
    }

    /// Whether our king is not attacked when a piece has gone from one square to another, and what stood on
    /// `victim` is gone.
    #[inline]
    fn is_safe_after(&self, from: Square, to: Square, victim: BitBoard) -> bool {
        let king = (self.ours() & self.pieces[Piece::King as usize]).next_square();
        let king = king.map(|king| if king == from { to } else { king });
        let blockers = (self.occupied() ^ from.bitboard() ^ victim) | to.bitboard();
        let theirs = self.theirs() & !to.bitboard() & !victim;
        king.is_some_and(|king| !self.is_attacked(king, blockers, theirs))
    }

    /// Plays a legal move; castling and en passant have moved the other piece already.
    #[inline]
    fn go(&mut self, from: Square, to: Square, promotion: Option<Piece>) -> Move {
        let (start, end) = (from.bitboard(), to.bitboard());
        let kind = self.kinds[from as usize];
        if self.theirs().has(to) {
            self.pieces[usize::from(self.kinds[to as usize])] ^= end;
            self.colors[!self.us as usize] ^= end;
        }
        let becomes = promotion.map_or(kind, |piece| piece as u8);
        self.pieces[usize::from(kind)] ^= start;
        self.pieces[usize::from(becomes)] ^= end;
        self.colors[self.us as usize] ^= start | end;
        self.kinds[to as usize] = becomes;
        self.unmoved &= !(start | end);
        let is_double = kind == Piece::Pawn as u8 && (from as u8).abs_diff(to as u8) == 16;
        self.en_passant = if is_double { get_between_rays(from, to) } else { BitBoard::EMPTY };
        self.us = !self.us;
        Played::plain(from, to, promotion).named
    }
}

/// The length of a word with its marks, if a blank or nothing follows.
#[inline]
fn whole(text: &[u8], bare: usize) -> Option<usize> {
    let mut length = bare;
    while let Some(b'+' | b'#' | b'!' | b'?') = text.get(length) {
        length += 1;
    }
    text.get(length).is_none_or(u8::is_ascii_whitespace).then_some(length)
}

#[inline]
fn square([file, rank]: [u8; 2]) -> Option<Square> {
    let file = File::try_index(usize::from(file.wrapping_sub(b'a')))?;
    Some(Square::new(file, Rank::try_index(usize::from(rank.wrapping_sub(b'1')))?))
}

/// The squares that a single sign stands for.
fn files_or_ranks(sign: u8) -> Option<BitBoard> {
    let file = File::try_index(usize::from(sign.wrapping_sub(b'a'))).map(File::bitboard);
    file.or_else(|| Rank::try_index(usize::from(sign.wrapping_sub(b'1'))).map(Rank::bitboard))
}

fn promoted(sign: u8) -> Option<Piece> {
    Some(match sign {
        b'Q' => Piece::Queen,
        b'R' => Piece::Rook,
        b'B' => Piece::Bishop,
        b'N' => Piece::Knight,
        _ => return None,
    })
}

/// The square from which a pawn comes by a single step.
#[inline]
fn behind(square: Square, us: Color) -> Option<Square> {
    square.try_offset(0, if us == Color::White { -1 } else { 1 })
}
