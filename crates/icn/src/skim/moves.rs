//! Moves in plain spelling: `P5,2>5,4`, `p7,5 x 8,4 +`, `1,7>1,8=Q{[%clk 0:09:57.6]}`, numbered or joined by
//! `|`.

use boardprint_base::{Piece, PieceKind, Player, Position};

use super::{Extra, Parts, PlainMove};
use crate::options::ReadOptions;
use crate::parse::{PLAIN_DIGITS, has_odd_clock};

/// There is room for this many moves when the next text comes, however long the last one was.
const KEPT: usize = 1 << 11;

impl Parts {
    /// Finds the moves from a byte on, up to the end of the text.
    pub(super) fn skim_moves(
        &mut self,
        text: &str,
        from: usize,
        options: &ReadOptions,
        start: &Position,
    ) -> Option<()> {
        self.moves.clear();
        self.moves.shrink_to(KEPT);
        self.extras.clear();
        self.extras.shrink_to(KEPT);
        (self.has_letters, self.has_warnings) = (false, false);
        let bytes = text.as_bytes();
        let limit = options.move_limit(start.pieces.len());
        let first = skip_blanks(bytes, from);
        let mut at = skip_number(bytes, first)?;
        if at == bytes.len() {
            // A number alone is not plain.
            return (first == at).then_some(());
        }
        while self.moves.len() < limit {
            let mv = skim_squares(bytes, at)?;
            self.has_letters |= mv.start > at;
            self.moves.push(mv);
            // A bar and the next move, as nearly always.
            at = match bytes.get(mv.end..mv.end + 2) {
                Some([b'|', b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-']) => mv.end + 1,
                _ => self.skim_after(text, mv.end, start.turn.at(self.moves.len() - 1))?,
            };
            if at == bytes.len() {
                return Some(());
            }
        }
        None
    }

    /// What stands between a move and the next one, or the end.
    fn skim_after(&mut self, text: &str, end: usize, mover: Player) -> Option<usize> {
        let mut extra = Extra::default();
        let end = match text.as_bytes().get(end) {
            None | Some(b'|' | b'{') => end,
            Some(_) => self.skim_suffix(text.as_bytes(), end, mover, &mut extra)?,
        };
        let next = self.skim_gap(text, end, &mut extra)?;
        if extra.promotion.is_some() || !extra.marks.is_empty() || !extra.comment.is_empty() {
            self.extras.push(extra);
            self.moves.last_mut()?.extra = self.extras.len();
        }
        Some(next)
    }

    /// Promotion and marks after a move.
    fn skim_suffix(&mut self, bytes: &[u8], from: usize, mover: Player, extra: &mut Extra) -> Option<usize> {
        let mut end = from;
        loop {
            let at = skip_blanks(bytes, end);
            match bytes.get(at) {
                Some(b'+' | b'#' | b'!' | b'?') => {
                    if extra.marks.is_empty() {
                        extra.marks = at..at;
                    }
                    // Marks that are not in one piece in the text are not plain.
                    if extra.marks.end != at {
                        return None;
                    }
                    extra.marks.end = at + 1;
                    end = at + 1;
                }
                Some(b'=') => end = self.skim_promotion(bytes, at + 1, mover, extra)?,
                Some(b'a'..=b'z' | b'A'..=b'Z') if at == end => {
                    end = self.skim_promotion(bytes, at, mover, extra)?;
                    self.has_warnings = true;
                }
                // After a blank it may be the next move.
                Some(b'a'..=b'z' | b'A'..=b'Z') => {
                    let (_, after) = skim_piece(bytes, at)?;
                    return is_coordinate(bytes, after).then_some(end);
                }
                _ => return Some(end),
            }
        }
    }

    fn skim_promotion(&mut self, bytes: &[u8], at: usize, mover: Player, extra: &mut Extra) -> Option<usize> {
        let (piece, end) = skim_piece(bytes, at)?;
        if piece.kind.is_neutral() || extra.promotion.is_some() || is_coordinate(bytes, end) {
            return None;
        }
        self.has_warnings |= piece.player != mover;
        extra.promotion = Some(Piece::new(piece.kind, mover));
        Some(end)
    }

    /// What stands between a move with its suffix and the next one, or the end.
    fn skim_gap(&mut self, text: &str, from: usize, extra: &mut Extra) -> Option<usize> {
        let bytes = text.as_bytes();
        let (mut at, mut is_open) = (from, false);
        loop {
            match bytes.get(at) {
                None => {
                    self.has_warnings |= is_open;
                    return Some(at);
                }
                Some(b' ' | b'\n' | b'\r' | b'\t') => at += 1,
                Some(b'|') => (at, is_open) = (at + 1, true),
                Some(b'{') => at = self.skim_comment(text, at, extra)?,
                // The next move needs something in front.
                Some(b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-') if at > from => {
                    let after = skip_number(bytes, at)?;
                    if after == at {
                        return Some(at);
                    }
                    (at, is_open) = (after, true);
                }
                Some(_) => return None,
            }
        }
    }

    fn skim_comment(&mut self, text: &str, open: usize, extra: &mut Extra) -> Option<usize> {
        let bytes = text.as_bytes();
        let end = open + bytes[open..].iter().position(|byte| *byte == b'}')?;
        let comment = open + 1..end;
        if !is_usual_clock(&bytes[comment.clone()]) {
            let said = &text[comment.clone()];
            if said.trim().is_empty() {
                return Some(end + 1);
            }
            self.has_warnings |= has_odd_clock(said);
        }
        if !extra.comment.is_empty() {
            return None;
        }
        extra.comment = comment;
        Some(end + 1)
    }
}

/// Whether moves begin at a byte, blanks aside, or the text ends there.
pub(super) fn begins_moves(bytes: &[u8], at: usize) -> bool {
    let first = skip_blanks(bytes, at);
    first == bytes.len()
        || skip_number(bytes, first).is_none_or(|after| after > first)
        || skim_squares(bytes, first).is_some()
}

/// The two squares of a move, with or without its piece.
#[inline]
fn skim_squares(bytes: &[u8], at: usize) -> Option<PlainMove> {
    let start = if bytes.get(at)?.is_ascii_alphabetic() { skim_piece(bytes, at)?.1 } else { at };
    let arrow = plain_square_end(bytes, start)?;
    let to = match bytes.get(arrow..arrow + 2)? {
        [b'>' | b'x', b'0'..=b'9' | b'-'] => arrow + 1,
        [b'>' | b'x' | b' ' | b'\n' | b'\r' | b'\t', _] => skip_arrow(bytes, arrow)?,
        _ => return None,
    };
    let end = plain_square_end(bytes, to)?;
    Some(PlainMove { start, arrow, to, end, extra: 0 })
}

/// Whether a number begins at a byte.
fn is_coordinate(bytes: &[u8], at: usize) -> bool {
    matches!(bytes.get(at), Some(b'0'..=b'9' | b'-'))
}

/// A built-in piece without a player number, and the byte after its letters.
#[inline]
fn skim_piece(bytes: &[u8], at: usize) -> Option<(Piece, usize)> {
    let first = *bytes.get(at)?;
    let upper = first.is_ascii_uppercase();
    let (kind, end) = match bytes.get(at + 1) {
        Some(second) if second.is_ascii_alphabetic() => {
            if upper != second.is_ascii_uppercase() || bytes.get(at + 2).is_some_and(u8::is_ascii_alphabetic)
            {
                return None;
            }
            (PieceKind::from_letters([first | 0x20, second | 0x20])?, at + 2)
        }
        _ => (PieceKind::from_letter(first | 0x20)?, at + 1),
    };
    let player = match (kind.is_neutral(), upper) {
        (false, true) => Player::WHITE,
        (false, false) => Player::BLACK,
        (true, false) => Player::NEUTRAL,
        (true, true) => return None,
    };
    Some((Piece::new(kind, player), end))
}

/// The byte after a square in plain spelling, where its number cannot go on.
#[inline]
fn plain_square_end(bytes: &[u8], at: usize) -> Option<usize> {
    let comma = plain_end(bytes, at)?;
    if bytes.get(comma) != Some(&b',') {
        return None;
    }
    let end = plain_end(bytes, comma + 1)?;
    (!matches!(bytes.get(end), Some(b'0'..=b'9' | b'.' | b'e' | b'E'))).then_some(end)
}

/// The byte after a number in plain spelling: a sign, up to 18 digits, no leading zero.
#[inline]
fn plain_end(bytes: &[u8], at: usize) -> Option<usize> {
    let (mut first, mut start) = (*bytes.get(at)?, at);
    if first == b'-' {
        start = at + 1;
        first = *bytes.get(start)?;
        if first == b'0' {
            return None;
        }
    }
    match first {
        b'0' => Some(start + 1),
        b'1'..=b'9' => {
            let mut end = start + 1;
            while let Some(b'0'..=b'9') = bytes.get(end) {
                end += 1;
            }
            (end - start <= PLAIN_DIGITS).then_some(end)
        }
        _ => None,
    }
}

/// The byte after the arrow of a move and the blanks around it.
fn skip_arrow(bytes: &[u8], at: usize) -> Option<usize> {
    let arrow = skip_blanks(bytes, at);
    matches!(bytes.get(arrow), Some(b'>' | b'x')).then(|| skip_blanks(bytes, arrow + 1))
}

/// The byte after a move number with its dot and blanks; where there is no such number, the byte itself.
/// `None` if dots are left.
fn skip_number(bytes: &[u8], at: usize) -> Option<usize> {
    let dot = at + bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    if dot == at || bytes.get(dot) != Some(&b'.') {
        return Some(at);
    }
    let after = skip_blanks(bytes, dot + 1);
    // `1...` and `1. …`
    (!matches!(bytes.get(after), Some(b'.' | 0x80..))).then_some(after)
}

#[inline]
pub(super) fn skip_blanks(bytes: &[u8], mut at: usize) -> usize {
    while let Some(byte) = bytes.get(at)
        && is_blank(*byte)
    {
        at += 1;
    }
    at
}

#[inline]
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

/// Whether a comment is one clock stamp and nothing else: `[%clk H:MM:SS]`, with or without a fraction.
fn is_usual_clock(comment: &[u8]) -> bool {
    let Some([time @ .., b']']) = comment.strip_prefix(b"[%clk ") else { return false };
    let hours = digits(time);
    let Some([b':', m1, m2, b':', s1, s2, fraction @ ..]) = time.get(hours..) else { return false };
    let fits = match fraction {
        [] => true,
        [b'.', rest @ ..] => !rest.is_empty() && digits(rest) == rest.len(),
        _ => false,
    };
    hours > 0 && [m1, m2, s1, s2].into_iter().all(u8::is_ascii_digit) && fits
}

fn digits(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_digit()).count()
}
