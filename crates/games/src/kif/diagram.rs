//! Board diagrams (BOD) and the hands beside them.

use std::fmt::Write as _;

use boardprint_base::Side;
use boardprint_finite::notation::{kanji_digit, kif_name, kif_piece};
use boardprint_finite::{Fen, Game, Man};

use super::BLANKS;
use crate::shogi;

/// A diagram as far as it is read.
#[derive(Debug, Default)]
pub(super) struct Diagram {
    pieces: Vec<(usize, Man)>,
    pub(super) rows: usize,
    hands: Vec<(Man, usize)>,
}

impl Diagram {
    /// Reads a row such as `|v香v桂 ・ ・ 玉 ・ ・ ・ ・|一`. False if it is not one.
    pub(super) fn row(&mut self, line: &str) -> bool {
        let Some(mut rest) = line.strip_prefix('|') else { return false };
        self.rows += 1;
        for file in (1..=9).rev() {
            let mut chars = rest.chars();
            let (side, cell) = match chars.next() {
                Some('v' | 'V' | '-') => (Side::Top, chars.as_str()),
                Some(' ' | '^' | '+') => (Side::Bottom, chars.as_str()),
                Some(_) => (Side::Bottom, rest),
                None => return false,
            };
            if let Some(empty) = cell.strip_prefix(['・', '.', '･', '　']) {
                rest = empty;
                continue;
            }
            let Some((man, after)) = kif_piece(cell, side) else { return false };
            let Some(place) = shogi::cell(file, self.rows) else { return false };
            self.pieces.push((place, man));
            rest = after;
        }
        rest.starts_with('|')
    }

    /// Reads a hand such as `飛二　歩十八`, or `なし`. False if it is not one.
    pub(super) fn hand(&mut self, side: Side, text: &str) -> bool {
        let mut rest = text.trim_matches(BLANKS);
        if matches!(rest, "" | "なし" | "無し") {
            return true;
        }
        while !rest.is_empty() {
            let Some((man, after)) = kif_piece(rest, side) else { return false };
            let end = after.find(|c: char| c != '十' && kanji_digit(c).is_none()).unwrap_or(after.len());
            let Some(count) = number(&after[..end]) else { return false };
            self.hands.push((man, count));
            rest = after[end..].trim_start_matches(BLANKS);
        }
        true
    }

    /// The position, with hands.
    pub(super) fn fen(&self) -> Option<Fen> {
        let mut fen = Fen::empty(Game::Shogi);
        for (cell, man) in &self.pieces {
            fen.put(*cell, Some(*man)).ok()?;
        }
        for (man, count) in &self.hands {
            if man.is_promoted() {
                return None;
            }
            fen.add_to_hand(man.side(), man.kind(), *count).ok()?;
        }
        Some(fen)
    }
}

/// A number below 1,000 in Chinese or plain digits; nothing is 1.
fn number(text: &str) -> Option<usize> {
    if text.is_empty() {
        return Some(1);
    }
    let Some((tens, ones)) = text.split_once('十') else {
        return text.chars().try_fold(0_usize, |sum, c| {
            (sum < 100).then(|| kanji_digit(c)).flatten().map(|digit| sum * 10 + digit)
        });
    };
    let digit = |text: &str, empty: usize| {
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (None, _) => Some(empty),
            (Some(c), None) => kanji_digit(c),
            _ => None,
        }
    };
    Some(digit(tens, 1)? * 10 + digit(ones, 0)?)
}

const DIGITS: [&str; 10] = ["", "一", "二", "三", "四", "五", "六", "七", "八", "九"];

/// A count in Chinese digits, or in plain ones if it is larger than any set has; 1 is not written.
fn count_text(count: usize) -> String {
    if count > 99 {
        return count.to_string();
    }
    match (count / 10, count % 10) {
        (0, 1) => String::new(),
        (0, ones) => DIGITS[ones].to_owned(),
        (tens, ones) => format!("{}十{}", if tens == 1 { "" } else { DIGITS[tens] }, DIGITS[ones]),
    }
}

/// A hand as KIF writes it.
pub(super) fn hand_text(fen: &Fen, side: Side) -> String {
    let mut out = String::new();
    for (kind, count) in fen.hand(side).iter().enumerate().filter(|(_, count)| **count > 0) {
        let _ = write!(out, "{}{}　", kif_name(Man::new(kind, side, false)), count_text(*count));
    }
    if out.is_empty() { "なし".to_owned() } else { out }
}

/// The board in nine rows between borders.
pub(super) fn write_board(fen: &Fen, out: &mut String) {
    out.push_str("  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n");
    for (index, rank) in fen.cells().chunks(9).enumerate() {
        out.push('|');
        for cell in rank {
            match cell {
                Some(man) => {
                    out.push(if man.side() == Side::Bottom { ' ' } else { 'v' });
                    out.push_str(short_name(*man));
                }
                None => out.push_str(" ・"),
            }
        }
        let _ = writeln!(out, "|{}", DIGITS[(index + 1) % 10]);
    }
    out.push_str("+---------------------------+\n");
}

/// The name of a piece in one character.
fn short_name(man: Man) -> &'static str {
    match kif_name(man) {
        "成銀" => "全",
        "成桂" => "圭",
        "成香" => "杏",
        name => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_come_back() {
        for count in 1..1_000 {
            assert_eq!(number(&count_text(count)), Some(count), "{}", count_text(count));
        }
        assert_eq!(number("18"), Some(18));
        assert_eq!(number("十八"), Some(18));
        assert_eq!(number("9999"), None);
    }
}
