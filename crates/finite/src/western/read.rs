//! SAN to moves: only the pieces that could reach the square are looked at.

use cozy_chess::{
    BitBoard, Board, Color, File, Move as Generated, Piece, Rank, Square, get_between_rays, get_bishop_rays,
    get_king_moves, get_knight_moves, get_line_rays, get_pawn_attacks, get_rook_rays,
};

use super::{Played, castling_name};
use crate::error::{Illegal, MoveError};
use crate::fen::Fen;
use crate::mailbox::explain_western;
use crate::moves::Move;

/// The move that a word means. `word` holds no blanks.
#[inline]
pub(crate) fn resolve(board: &Board, word: &[u8]) -> Result<Played, MoveError> {
    if matches!(word, b"0000" | b"--" | b"Z0") {
        let nothing = Generated { from: Square::A1, to: Square::A1, promotion: None };
        let null = Played { generated: nothing, named: Move::NULL };
        return if board.checkers().is_empty() { Ok(null) } else { Err(MoveError::Illegal) };
    }
    let first = *word.first().ok_or(MoveError::NotAMove)?;
    match first {
        b'O' | b'0' | b'o' => castling(board, word),
        b'K' => piece(board, Piece::King, &word[1..]),
        b'Q' => piece(board, Piece::Queen, &word[1..]),
        b'R' => piece(board, Piece::Rook, &word[1..]),
        b'B' => piece(board, Piece::Bishop, &word[1..]),
        b'N' => piece(board, Piece::Knight, &word[1..]),
        b'P' => piece(board, Piece::Pawn, &word[1..]),
        b'a'..=b'h' => piece(board, Piece::Pawn, word),
        _ => Err(MoveError::NotAMove),
    }
}

/// What a word says about the squares: where from, as far as it says, and where to.
struct Squares {
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<Piece>,
}

#[inline]
fn squares(word: &[u8]) -> Option<Squares> {
    // Most words are no more than a target.
    if let [file @ b'a'..=b'h', rank @ b'1'..=b'8'] | [b'x', file @ b'a'..=b'h', rank @ b'1'..=b'8'] = word {
        let to = Square::new(File::index(usize::from(file - b'a')), Rank::index(usize::from(rank - b'1')));
        return Some(Squares { file: None, rank: None, to, promotion: None });
    }
    all_squares(word)
}

/// The same for words that say more.
fn all_squares(word: &[u8]) -> Option<Squares> {
    // Files and ranks in order; the last two are the target.
    let mut signs = [0_u8; 4];
    let mut count = 0;
    let mut at = 0;
    while let Some(&byte) = word.get(at) {
        match byte {
            b'a'..=b'h' | b'1'..=b'8' => {
                // `e7e8b`: a letter after a whole target is a promotion.
                if byte == b'b' && at + 1 == word.len() && count >= 2 && signs[count - 1].is_ascii_digit() {
                    break;
                }
                *signs.get_mut(count)? = byte;
                count += 1;
            }
            b'x' | b'-' | b':' => {}
            _ => break,
        }
        at += 1;
    }
    let target = count.checked_sub(2)?;
    let file_of = |sign: u8| File::try_index(usize::from(sign.wrapping_sub(b'a')));
    let rank_of = |sign: u8| Rank::try_index(usize::from(sign.wrapping_sub(b'1')));
    let to = Square::new(file_of(signs[target])?, rank_of(signs[target + 1])?);
    let (file, rank) = match signs[..target] {
        [] => (None, None),
        [file @ b'a'..=b'h'] => (file_of(file), None),
        [rank @ b'1'..=b'8'] => (None, rank_of(rank)),
        [file, rank] => (Some(file_of(file)?), Some(rank_of(rank)?)),
        _ => return None,
    };
    let rest = word[at..].trim_ascii_start();
    let letter = match rest {
        [b'=' | b'(' | b'/', letter, ..] | [letter, ..] => Some(letter.to_ascii_lowercase()),
        [] => None,
    };
    let promotion = match letter {
        Some(b'q') => Some(Piece::Queen),
        Some(b'r') => Some(Piece::Rook),
        Some(b'b') => Some(Piece::Bishop),
        Some(b'n') => Some(Piece::Knight),
        None | Some(b'+' | b'#' | b'!' | b'?' | b'e') => None,
        Some(_) => return None,
    };
    Some(Squares { file, rank, to, promotion })
}

/// A word without the mark of en passant: `exd6e.p.`, `exd6ep`.
fn without_en_passant(word: &[u8]) -> Option<&[u8]> {
    let at = word.iter().rposition(|b| *b == b'p')?;
    let before = word[..at].strip_suffix(b".").unwrap_or(&word[..at]);
    before.strip_suffix(b"e")
}

fn piece(board: &Board, kind: Piece, word: &[u8]) -> Result<Played, MoveError> {
    let said = squares(word).or_else(|| squares(without_en_passant(word)?)).ok_or(MoveError::NotAMove)?;
    let (us, to) = (board.side_to_move(), said.to);
    let mut from = BitBoard::FULL;
    if let Some(file) = said.file {
        from &= file.bitboard();
    }
    if let Some(rank) = said.rank {
        from &= rank.bitboard();
    }
    // `g1f3` says which square, whatever stands there.
    if kind == Piece::Pawn
        && let (Some(file), Some(rank)) = (said.file, said.rank)
    {
        let square = Square::new(file, rank);
        match board.piece_on(square) {
            Some(Piece::King) => return king(board, square, to),
            Some(Piece::Pawn) => {}
            Some(other) => return one_of(board, able_to_reach(board, other, from, to), to),
            None => return Err(MoveError::Illegal),
        }
    }
    match kind {
        Piece::Pawn => pawn(board, from, &said),
        Piece::King => {
            let square = board.king(us);
            if from.has(square) { king(board, square, to) } else { Err(MoveError::Illegal) }
        }
        _ => one_of(board, able_to_reach(board, kind, from, to), to),
    }
}

/// The squares of our pieces of a kind, among `from`, that attack a square.
#[inline]
fn able_to_reach(board: &Board, kind: Piece, from: BitBoard, to: Square) -> BitBoard {
    let ours = board.colored_pieces(board.side_to_move(), kind) & from;
    reaching(kind, ours, to, board.occupied())
}

/// Which of some pieces of a kind, neither kings nor pawns, attack a square.
#[inline]
pub(super) fn reaching(kind: Piece, pieces: BitBoard, to: Square, blockers: BitBoard) -> BitBoard {
    let lines = match kind {
        Piece::Knight => return pieces & get_knight_moves(to),
        Piece::Bishop => get_bishop_rays(to),
        Piece::Rook => get_rook_rays(to),
        Piece::Queen => get_bishop_rays(to) | get_rook_rays(to),
        Piece::Pawn | Piece::King => BitBoard::EMPTY,
    };
    // One or two sliders are on these lines: looking between is cheaper than the generator's large tables.
    let mut able = BitBoard::EMPTY;
    for square in pieces & lines {
        if (get_between_rays(square, to) & blockers).is_empty() {
            able |= square.bitboard();
        }
    }
    able
}

/// The one piece that can legally go, neither king nor pawn.
#[inline]
fn one_of(board: &Board, from: BitBoard, to: Square) -> Result<Played, MoveError> {
    let us = board.side_to_move();
    if from.is_empty() || board.colors(us).has(to) || !answers_check(board, to) {
        return Err(MoveError::Illegal);
    }
    let mut able = from & !board.pinned();
    let king = board.king(us);
    for square in from & board.pinned() {
        if get_line_rays(king, square).has(to) {
            able |= square.bitboard();
        }
    }
    match able.len() {
        0 => Err(MoveError::Illegal),
        1 => Ok(Played::plain(able.next_square().expect("one square"), to, None)),
        _ => Err(MoveError::Ambiguous),
    }
}

/// Whether landing on a square answers the check, if there is one.
#[inline]
fn answers_check(board: &Board, to: Square) -> bool {
    let checkers = board.checkers();
    match checkers.len() {
        0 => true,
        1 => {
            let checker = checkers.next_square().expect("one checker");
            to == checker || get_between_rays(checker, board.king(board.side_to_move())).has(to)
        }
        _ => false,
    }
}

fn pawn(board: &Board, from: BitBoard, said: &Squares) -> Result<Played, MoveError> {
    let (us, to) = (board.side_to_move(), said.to);
    let pawns = board.colored_pieces(us, Piece::Pawn);
    let back = |rank: Rank, by: usize| {
        let index = if us == Color::White { (rank as usize).checked_sub(by)? } else { rank as usize + by };
        Rank::try_index(index)
    };
    let behind = |file: File, by: usize| back(to.rank(), by).map(|rank| Square::new(file, rank));
    let file = said.file.unwrap_or(to.file());
    let one = behind(file, 1).filter(|square| (pawns & from).has(*square));
    let two = || behind(file, 2).filter(|square| file == to.file() && (pawns & from).has(*square));
    let square = one.or_else(two).ok_or(MoveError::Illegal)?;
    let last_rank = to.rank() == Rank::Eighth.relative_to(us);
    if last_rank != said.promotion.is_some() {
        return Err(MoveError::Illegal);
    }
    let played = Played::plain(square, to, said.promotion);
    let free = !board.occupied().has(to);
    let steps = match (square.file() == to.file(), one.is_some()) {
        (true, true) => free,
        (true, false) => {
            let between = behind(file, 1).is_some_and(|between| !board.occupied().has(between));
            free && between && square.rank() == Rank::Second.relative_to(us)
        }
        (false, _) if board.colors(!us).has(to) => (square.file() as usize).abs_diff(to.file() as usize) == 1,
        // En passant may uncover a check along the rank: that is for the generator.
        (false, _) => {
            return if board.is_legal(played.generated) { Ok(played) } else { Err(MoveError::Illegal) };
        }
    };
    let pinned = board.pinned().has(square) && !get_line_rays(board.king(us), square).has(to);
    if steps && !pinned && answers_check(board, to) { Ok(played) } else { Err(MoveError::Illegal) }
}

fn king(board: &Board, square: Square, to: Square) -> Result<Played, MoveError> {
    let us = board.side_to_move();
    if square != board.king(us) {
        return Err(MoveError::Illegal);
    }
    let played = Played::plain(square, to, None);
    // `Kg1` and `e1g1` for castling, `e1h1` as engines write it.
    let far = square.rank() == to.rank() && (square.file() as usize).abs_diff(to.file() as usize) > 1;
    if board.colors(us).has(to) || far {
        return castle(board, square.file() < to.file());
    }
    if get_king_moves(square).has(to) && is_safe(board, to) { Ok(played) } else { Err(MoveError::Illegal) }
}

/// Whether the king of the side to move would stand safely on a square.
fn is_safe(board: &Board, to: Square) -> bool {
    let us = board.side_to_move();
    // The king does not stand in the way of what attacks it.
    let blockers = board.occupied() & !board.king(us).bitboard();
    !is_attacked(to, us, blockers, |piece| board.colored_pieces(!us, piece))
}

/// Whether an enemy attacks a square of ours, given the enemy's pieces of each kind. The generator looks into
/// its large tables for that, as it does for sliders: see [`reaching`].
#[inline]
pub(super) fn is_attacked(
    square: Square,
    us: Color,
    blockers: BitBoard,
    them: impl Fn(Piece) -> BitBoard,
) -> bool {
    let near = get_knight_moves(square) & them(Piece::Knight)
        | get_king_moves(square) & them(Piece::King)
        | get_pawn_attacks(square, us) & them(Piece::Pawn);
    if !near.is_empty() {
        return true;
    }
    let diagonal = get_bishop_rays(square) & (them(Piece::Bishop) | them(Piece::Queen));
    let straight = get_rook_rays(square) & (them(Piece::Rook) | them(Piece::Queen));
    (diagonal | straight).into_iter().any(|slider| (get_between_rays(slider, square) & blockers).is_empty())
}

fn castling(board: &Board, word: &[u8]) -> Result<Played, MoveError> {
    let sides = word.iter().filter(|b| matches!(b, b'O' | b'0' | b'o')).count();
    let rest = word.iter().find(|b| !matches!(b, b'O' | b'0' | b'o' | b'-'));
    if !matches!(rest, None | Some(b'+' | b'#' | b'!' | b'?')) {
        return Err(MoveError::NotAMove);
    }
    match sides {
        2 => castle(board, true),
        3 => castle(board, false),
        _ => Err(MoveError::NotAMove),
    }
}

fn castle(board: &Board, short: bool) -> Result<Played, MoveError> {
    let us = board.side_to_move();
    let rights = board.castle_rights(us);
    let rook = if short { rights.short } else { rights.long }.ok_or(MoveError::Illegal)?;
    let (square, rank) = (board.king(us), Rank::First.relative_to(us));
    let generated = Generated { from: square, to: Square::new(rook, rank), promotion: None };
    if !board.is_legal(generated) {
        return Err(MoveError::Illegal);
    }
    Ok(Played { generated, named: castling_name(square, rook) })
}

/// Why the move that a word means is illegal; it is known to be.
#[cold]
pub(crate) fn reason(board: &Board, fen: &Fen, word: &[u8]) -> Illegal {
    let first = word.first().copied().unwrap_or_default();
    let kind = match first {
        b'K' => Piece::King,
        b'Q' => Piece::Queen,
        b'R' => Piece::Rook,
        b'B' => Piece::Bishop,
        b'N' => Piece::Knight,
        b'O' | b'o' => return Illegal::Castling,
        b'0' if word.starts_with(b"0-0") => return Illegal::Castling,
        b'0' | b'-' | b'Z' => return Illegal::StaysInCheck,
        _ => Piece::Pawn,
    };
    let rest = if first.is_ascii_uppercase() { &word[1..] } else { word };
    let Some(said) = squares(rest).or_else(|| squares(without_en_passant(rest)?)) else {
        return Illegal::NoSuchMove;
    };
    let fits = |square: &Square| {
        said.file.is_none_or(|file| square.file() == file)
            && said.rank.is_none_or(|rank| square.rank() == rank)
    };
    let whole = said.file.is_some() && said.rank.is_some() && kind == Piece::Pawn;
    let us = board.side_to_move();
    let own = if whole { BitBoard::FULL } else { board.colored_pieces(us, kind) };
    let reasons = own.into_iter().filter(fits).map(|from| {
        let named = Played::plain(from, said.to, said.promotion).named;
        explain_western(fen, named)
    });
    reasons.max_by_key(|reason| reason.nearness()).unwrap_or(Illegal::NoPiece)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kings_step_where_the_generator_lets_them() {
        let (mut random, mut steps) = (1_u64, [0_u32; 2]);
        for game in 0..200 {
            let mut board = Board::chess960_startpos(game * 4);
            for _ in 0..160 {
                let king = board.king(board.side_to_move());
                for to in get_king_moves(king) & !board.colors(board.side_to_move()) {
                    let generated = Generated { from: king, to, promotion: None };
                    assert_eq!(is_safe(&board, to), board.is_legal(generated), "{board} {generated}");
                    steps[usize::from(is_safe(&board, to))] += 1;
                }
                let mut moves = Vec::new();
                board.generate_moves(|some| {
                    moves.extend(some);
                    false
                });
                if moves.is_empty() {
                    break;
                }
                random =
                    random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let pick = usize::try_from(random >> 33).expect("31 bits") % moves.len();
                board.play_unchecked(moves[pick]);
            }
        }
        assert!(steps.into_iter().all(|count| count > 5_000), "{steps:?}");
    }
}
