//! Moves of CSA (`+7776FU`) and KIF (`７六歩(77)`, `同　銀成(67)`, `２四歩打`).

use boardprint_base::Side;

use super::squares::{of_shogi_square, shogi_square};
use crate::error::{Illegal, Refusal};
use crate::game::Game;
use crate::mailbox::Mailbox;
use crate::man::Man;
use crate::moves::{Action, Move};

/// The pieces by the place of their kind; promoted ones follow.
const CSA: [&str; 15] =
    ["HI", "KA", "KI", "GI", "KE", "KY", "FU", "OU", "RY", "UM", "", "NG", "NK", "NY", "TO"];

/// The names of KIF in the same order, and other spellings.
const KIF: [&str; 15] =
    ["飛", "角", "金", "銀", "桂", "香", "歩", "玉", "龍", "馬", "", "成銀", "成桂", "成香", "と"];
const KIF_ALSO: [(&str, usize); 7] =
    [("王", 7), ("竜", 8), ("全", 11), ("圭", 12), ("杏", 13), ("成飛", 8), ("成角", 9)];

const KANJI_DIGITS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// The place of a kind and whether it is promoted, of a place in the tables.
const fn man_of(code: usize, side: Side) -> Man {
    Man::new(code, side, code >= 8)
}

fn code(man: Man) -> usize {
    man.code() & 15
}

/// The two letters of CSA for a piece.
#[must_use]
pub fn csa_name(man: Man) -> &'static str {
    CSA.get(code(man)).copied().unwrap_or_default()
}

/// The piece that two letters of CSA mean.
#[must_use]
pub fn csa_piece(name: &str, side: Side) -> Option<Man> {
    let code = CSA.iter().position(|own| !name.is_empty() && *own == name)?;
    Some(man_of(code, side))
}

/// The name of KIF for a piece.
#[must_use]
pub fn kif_name(man: Man) -> &'static str {
    KIF.get(code(man)).copied().unwrap_or_default()
}

/// The piece that the beginning of a text means in KIF, and the rest of the text.
#[must_use]
pub fn kif_piece(text: &str, side: Side) -> Option<(Man, &str)> {
    let own = KIF.iter().enumerate().map(|(code, name)| (*name, code)).filter(|(name, _)| !name.is_empty());
    let mut names = own.chain(KIF_ALSO);
    names.find_map(|(name, code)| text.strip_prefix(name).map(|rest| (man_of(code, side), rest)))
}

/// The digit of a character: full-width, Chinese or plain.
#[must_use]
pub fn kanji_digit(c: char) -> Option<usize> {
    let full_width = "０１２３４５６７８９".chars().position(|own| own == c);
    let kanji = || KANJI_DIGITS.iter().position(|own| *own == c).map(|at| at + 1);
    full_width.or_else(kanji).or_else(|| c.to_digit(10).and_then(|digit| usize::try_from(digit).ok()))
}

fn judged(board: &Mailbox, played: Move) -> Result<Move, Refusal> {
    board.judge(played).map(|()| played).map_err(Refusal::Illegal)
}

fn drop_of(kind: usize, to: usize) -> Move {
    Move::other(Game::Shogi.squares() + kind, to, false)
}

pub(super) fn read_csa(board: &Mailbox, text: &str) -> Result<Move, Refusal> {
    let us = board.side();
    let text = match (text.as_bytes().first(), us) {
        (Some(b'+'), Side::Bottom) | (Some(b'-'), Side::Top) => &text[1..],
        (Some(b'+' | b'-'), _) => return Err(Refusal::Illegal(Illegal::OtherSide)),
        _ => text,
    };
    let [a @ b'0'..=b'9', b @ b'0'..=b'9', c @ b'0'..=b'9', d @ b'0'..=b'9', name @ ..] = text.as_bytes()
    else {
        return Err(Refusal::NotAMove);
    };
    let name = std::str::from_utf8(name).map_err(|_| Refusal::NotAMove)?;
    let after = csa_piece(name, us).ok_or(Refusal::NotAMove)?;
    let digit = |byte: &u8| usize::from(byte - b'0');
    let to = of_shogi_square(digit(c), digit(d)).ok_or(Refusal::NotAMove)?;
    if (a, b) == (&b'0', &b'0') {
        return if after.is_promoted() {
            Err(Refusal::Illegal(Illegal::NotInHand))
        } else {
            judged(board, drop_of(after.kind(), to))
        };
    }
    let from = of_shogi_square(digit(a), digit(b)).ok_or(Refusal::NotAMove)?;
    let before = board.man(from).ok_or(Refusal::Illegal(Illegal::NoPiece))?;
    if before.kind() != after.kind() || before.is_promoted() && !after.is_promoted() {
        return Err(Refusal::Illegal(Illegal::OtherPiece));
    }
    judged(board, Move::other(from, to, after.is_promoted() && !before.is_promoted()))
}

pub(super) fn write_csa(board: &Mailbox, played: Move) -> Option<String> {
    let sign = if board.side() == Side::Bottom { '+' } else { '-' };
    let name = |square: usize| {
        let (file, rank) = shogi_square(square);
        format!("{file}{rank}")
    };
    match played.action(Game::Shogi) {
        Action::Drop { kind, to } => Some(format!("{sign}00{}{}", name(to), CSA[kind])),
        Action::Go { from, to, promotion } => {
            let man = board.man(from)?;
            let after = Man::new(man.kind(), man.side(), man.is_promoted() || promotion.is_some());
            Some(format!("{sign}{}{}{}", name(from), name(to), csa_name(after)))
        }
        Action::Pass(_) | Action::Null => None,
    }
}

pub(super) fn read_kif(board: &Mailbox, text: &str, before: Option<Move>) -> Result<Move, Refusal> {
    parse_kif(board, text.trim(), before).ok_or(Refusal::NotAMove)?
}

fn parse_kif(board: &Mailbox, text: &str, before: Option<Move>) -> Option<Result<Move, Refusal>> {
    let us = board.side();
    let text = text.trim_start_matches(['▲', '△', '☗', '☖', '▼', '▽']);
    let (to, text) = if let Some(rest) = text.strip_prefix('同') {
        (before?.other_parts().1, rest.trim_start_matches([' ', '　']))
    } else {
        let mut chars = text.chars();
        let (file, rank) = (kanji_digit(chars.next()?)?, kanji_digit(chars.next()?)?);
        (of_shogi_square(file, rank)?, chars.as_str().trim_start_matches([' ', '　']))
    };
    let (man, text) = kif_piece(text, us)?;
    let (text, promotes) = if let Some(rest) = text.strip_prefix("不成") {
        (rest, false)
    } else {
        text.strip_prefix('成').map_or((text, false), |rest| (rest, true))
    };
    if text.strip_prefix('打').is_some_and(|rest| rest.trim().is_empty()) {
        return Some(if man.is_promoted() || promotes {
            Err(Refusal::Illegal(Illegal::NotInHand))
        } else {
            judged(board, drop_of(man.kind(), to))
        });
    }
    let inner = text.trim().strip_prefix(['(', '（'])?.strip_suffix([')', '）'])?;
    let mut digits = inner.chars().map(kanji_digit);
    let (file, rank) = (digits.next()??, digits.next()??);
    let from = of_shogi_square(file, rank).filter(|_| digits.next().is_none())?;
    if board.man(from) != Some(man) {
        let reason = if board.man(from).is_none() { Illegal::NoPiece } else { Illegal::OtherPiece };
        return Some(Err(Refusal::Illegal(reason)));
    }
    Some(judged(board, Move::other(from, to, promotes)))
}

pub(super) fn write_kif(board: &Mailbox, played: Move, before: Option<Move>) -> Option<String> {
    let (_, to, _) = played.other_parts();
    let (file, rank) = shogi_square(to);
    let full_width = "０１２３４５６７８９".chars().nth(file)?;
    let same = before.is_some_and(|before| before.other_parts().1 == to);
    let mut out =
        if same { "同　".to_owned() } else { [full_width, *KANJI_DIGITS.get(rank - 1)?].iter().collect() };
    match played.action(Game::Shogi) {
        Action::Drop { kind, .. } => {
            out += KIF[kind];
            out.push('打');
        }
        Action::Go { from, promotion, .. } => {
            out += kif_name(board.man(from)?);
            out += if promotion.is_some() { "成" } else { "" };
            let (file, rank) = shogi_square(from);
            return Some(format!("{out}({file}{rank})"));
        }
        Action::Pass(_) | Action::Null => return None,
    }
    Some(out)
}
