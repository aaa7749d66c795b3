//! Xiangqi: ICCS (`H2-E2`), WXF (`C2=5`, `H8+7`, `R+=6`, `15=6`) and Chinese (`炮二平五`, `前车退一`, `中兵进一`).
//!
//! WXF and Chinese name a piece by its file, counted from the mover's right, and where several stand on one
//! file by their order from the front. The ways to do that differ: the readers here take those of
//! Fairy-Stockfish, of the official text and of xqbase, decide by what is legal, and prefer them in this
//! order. WXF is written as Fairy-Stockfish does, Chinese as xqbase does.

use boardprint_base::Side;

use super::japanese::kanji_digit;
use super::squares::take_square;
use crate::error::{Illegal, Refusal};
use crate::game::Game;
use crate::mailbox::Mailbox;
use crate::moves::Move;

const FILES: usize = 9;
const RANKS: usize = 10;

/// The places of the kinds.
const PAWN: usize = 0;
const HORSE: usize = 3;
const ELEPHANT: usize = 4;
pub(super) const ADVISOR: usize = 5;

pub(super) fn read_iccs(board: &Mailbox, text: &str) -> Result<Move, Refusal> {
    let text: String = text.chars().map(plain).collect();
    let (from, rest) = take_square(Game::Xiangqi, text.as_bytes(), 0).ok_or(Refusal::NotAMove)?;
    let rest = rest.strip_prefix(b"-").unwrap_or(rest);
    let (to, rest) = take_square(Game::Xiangqi, rest, 0).ok_or(Refusal::NotAMove)?;
    if !rest.is_empty() {
        return Err(Refusal::NotAMove);
    }
    let played = Move::other(from, to, false);
    board.judge(played).map(|()| played).map_err(Refusal::Illegal)
}

pub(super) fn write_iccs(played: Move) -> String {
    let (from, to, _) = played.other_parts();
    let name = |square: usize| {
        format!("{}{}", b"ABCDEFGHI".get(square % FILES).map_or('?', |b| char::from(*b)), square / FILES)
    };
    format!("{}-{}", name(from), name(to))
}

/// Full-width letters, digits and signs as plain ones.
fn plain(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '–' | '—' => '-',
        _ => c,
    }
}

/// The direction of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Forward,
    Back,
    Sideways,
}

/// Which of the pieces of a kind is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    /// Those on a file, counted from the mover's right from 1.
    OnFile(usize),
    /// The first of those that share a file.
    Front,
    /// The last of them.
    Rear,
    /// The one between the first and the last of three.
    Middle,
    /// One of those that share a file, counted from the front from 1, on a file or anywhere.
    Nth(usize, Option<usize>),
    /// One of all that share a file, counted from 1: the mover's right file first, each from the front.
    InRow(usize),
    /// The first or last on a file.
    FrontOn(usize),
    RearOn(usize),
    /// The one in the middle of three or five on a file.
    MiddleOn(usize),
    /// The first of two or three, the second of more.
    Plus,
    /// The last of two or three, the last but one of more.
    Minus,
}

/// A file as the side counts it, from 1 at its right.
fn own_file(side: Side, square: usize) -> usize {
    let file = square % FILES;
    if side == Side::Bottom { FILES - file } else { file + 1 }
}

/// How far a square is from the side, in ranks.
fn depth(side: Side, square: usize) -> usize {
    let rank = square / FILES;
    if side == Side::Bottom { rank } else { RANKS - 1 - rank }
}

/// The square of a file and a depth of a side.
fn square_at(side: Side, own_file: usize, depth: usize) -> Option<usize> {
    if !(1..=FILES).contains(&own_file) || depth >= RANKS {
        return None;
    }
    Some(match side {
        Side::Bottom => depth * FILES + FILES - own_file,
        Side::Top => (RANKS - 1 - depth) * FILES + own_file - 1,
    })
}

/// The pieces of a kind on each file that holds any, the mover's right file first, each file from the front.
fn columns(board: &Mailbox, kind: usize) -> Vec<(usize, Vec<usize>)> {
    let side = board.side();
    let squares = board.squares_of(kind);
    (1..=FILES)
        .map(|file| {
            let mut on_file: Vec<usize> =
                squares.iter().copied().filter(|square| own_file(side, *square) == file).collect();
            on_file.sort_unstable_by_key(|square| std::cmp::Reverse(depth(side, *square)));
            (file, on_file)
        })
        .filter(|(_, on_file)| !on_file.is_empty())
        .collect()
}

/// The squares of the pieces that may be meant.
fn origins(board: &Mailbox, kind: usize, which: Which) -> Vec<usize> {
    let all = columns(board, kind);
    let shared =
        || all.iter().filter(|(_, on_file)| on_file.len() > 1).map(|(file, on_file)| (*file, on_file));
    let on = |file: usize| all.iter().find(|(own, _)| *own == file).map(|(_, on_file)| on_file);
    match which {
        Which::OnFile(file) => on(file).cloned().unwrap_or_default(),
        Which::Front => shared().map(|(_, on_file)| on_file[0]).collect(),
        Which::Rear => shared().map(|(_, on_file)| on_file[on_file.len() - 1]).collect(),
        Which::Middle => {
            shared().filter(|(_, on_file)| on_file.len() == 3).map(|(_, on_file)| on_file[1]).collect()
        }
        Which::Nth(place, file) => shared()
            .filter(|(own, _)| file.is_none_or(|file| file == *own))
            .filter_map(|(_, on_file)| on_file.get(place.checked_sub(1)?).copied())
            .collect(),
        Which::InRow(place) => {
            let row = shared().flat_map(|(_, on_file)| on_file.iter().copied());
            place.checked_sub(1).and_then(|place| row.skip(place).take(1).next()).into_iter().collect()
        }
        Which::FrontOn(file) => on(file).filter(|all| all.len() > 1).map(|all| all[0]).into_iter().collect(),
        Which::RearOn(file) => {
            on(file).filter(|all| all.len() > 1).map(|all| all[all.len() - 1]).into_iter().collect()
        }
        Which::MiddleOn(file) => {
            let odd = on(file).filter(|all| all.len() > 2 && all.len() % 2 == 1);
            odd.map(|all| all[all.len() / 2]).into_iter().collect()
        }
        Which::Plus => shared().map(|(_, on_file)| on_file[usize::from(on_file.len() > 3)]).collect(),
        Which::Minus => {
            shared().map(|(_, on_file)| on_file[on_file.len() - 1 - usize::from(on_file.len() > 3)]).collect()
        }
    }
}

/// Where a piece goes by its way and number: steps, or the file of the goal.
fn goal(side: Side, kind: usize, from: usize, way: Way, number: usize) -> Option<usize> {
    let (file, deep) = (own_file(side, from), depth(side, from));
    let moved = |by: usize| match way {
        Way::Forward => Some(deep + by),
        Way::Back => deep.checked_sub(by),
        Way::Sideways => Some(deep),
    };
    let aside = file.abs_diff(number);
    let (to_file, by) = match (kind, way) {
        (_, Way::Sideways) => (number, 0),
        (HORSE, _) if aside == 1 || aside == 2 => (number, 3 - aside),
        (ELEPHANT, _) if aside == 2 => (number, 2),
        (ADVISOR, _) if aside == 1 => (number, 1),
        (HORSE | ELEPHANT | ADVISOR, _) => return None,
        _ => (file, number),
    };
    square_at(side, to_file, moved(by)?)
}

/// The legal move of the first of some readings that has one.
fn choose(board: &Mailbox, readings: &[(usize, Which)], way: Way, number: usize) -> Result<Move, Refusal> {
    let mut nearest = Illegal::NoPiece;
    for (kind, which) in readings {
        let mut found = None;
        for from in origins(board, *kind, *which) {
            let to = goal(board.side(), *kind, from, way, number).filter(|to| *to != from);
            let judged = to.map_or(Err(Illegal::NotItsMove), |to| {
                let played = Move::other(from, to, false);
                board.judge(played).map(|()| played)
            });
            match judged {
                Ok(_) if found.is_some() => return Err(Refusal::Ambiguous),
                Ok(played) => found = Some(played),
                Err(reason) if reason.nearness() >= nearest.nearness() => nearest = reason,
                Err(_) => {}
            }
        }
        if let Some(played) = found {
            return Ok(played);
        }
    }
    Err(Refusal::Illegal(nearest))
}

/// The place of the kind that a letter of WXF means.
fn wxf_kind(letter: char) -> Option<usize> {
    "PCRHEAK".chars().position(|own| own == letter).or(match letter {
        'S' => Some(PAWN),
        'N' => Some(HORSE),
        'B' | 'M' => Some(ELEPHANT),
        'G' => Some(6),
        _ => None,
    })
}

pub(super) fn read_wxf(board: &Mailbox, text: &str) -> Result<Move, Refusal> {
    let signs: Vec<char> = text.chars().map(plain).collect();
    let &[a, b, way, number] = signs.as_slice() else { return Err(Refusal::NotAMove) };
    // The official text has a point where Fairy-Stockfish has `=`.
    let is_official = way == '.';
    let way = match way {
        '+' => Way::Forward,
        '-' => Way::Back,
        '=' | '.' => Way::Sideways,
        _ => return Err(Refusal::NotAMove),
    };
    let digit =
        |c: char| c.to_digit(10).filter(|digit| *digit > 0).and_then(|digit| usize::try_from(digit).ok());
    let number = digit(number).ok_or(Refusal::NotAMove)?;
    let mut readings = wxf_readings(a, b, digit).ok_or(Refusal::NotAMove)?;
    if matches!((a, b), ('G' | 'g', _) | (_, 'G' | 'g')) {
        // In the drafts that have M for the minister, G is the guard.
        readings.extend(readings.clone().into_iter().map(|(_, which)| (ADVISOR, which)));
    }
    if is_official {
        // `33.4` is the middle one on file 3, `33=4` the third.
        readings.sort_by_key(|(_, which)| !matches!(which, Which::MiddleOn(_)));
    }
    choose(board, &readings, way, number)
}

/// What the two signs that name a piece may mean.
fn wxf_readings(a: char, b: char, digit: impl Fn(char) -> Option<usize>) -> Option<Vec<(usize, Which)>> {
    let kind = |c: char| wxf_kind(c.to_ascii_uppercase());
    Some(match (a, b) {
        // `++.4` and `--.4`: the first and the last of four or five pawns.
        ('+', '+') => vec![(PAWN, Which::Front)],
        ('-', '-') => vec![(PAWN, Which::Rear)],
        ('+', letter) => vec![(kind(letter)?, Which::Front)],
        ('-', letter) => vec![(kind(letter)?, Which::Rear)],
        (file, '+') if digit(file).is_some() => vec![(PAWN, Which::FrontOn(digit(file)?))],
        (file, '-') if digit(file).is_some() => vec![(PAWN, Which::RearOn(digit(file)?))],
        (letter, '+') => vec![(kind(letter)?, Which::Plus)],
        (letter, '-') => vec![(kind(letter)?, Which::Minus)],
        (a, b) if digit(a).is_some() => {
            let (first, second) = (digit(a)?, digit(b)?);
            // Fairy-Stockfish: place, then file. The official text: file, then the file again for the middle one.
            // Its example is of file 3; 3 is read as the middle one of other files, too.
            let mut readings = vec![(PAWN, Which::Nth(first, Some(second)))];
            if first == second {
                readings.push((PAWN, Which::MiddleOn(first)));
            }
            if second == 3 {
                readings.push((PAWN, Which::Nth(2, Some(first))));
            }
            readings
        }
        (letter, place @ 'a'..='e') if kind(letter) == Some(PAWN) => {
            vec![(PAWN, Which::InRow(1 + usize::try_from(u32::from(place) - u32::from('a')).ok()?))]
        }
        (letter, file) => {
            let (kind, file) = (kind(letter)?, digit(file)?);
            if kind != PAWN {
                return Some(vec![(kind, Which::OnFile(file))]);
            }
            // The official text: the middle pawn "is neither front nor rear" and goes by its file.
            let mut readings = vec![(PAWN, Which::MiddleOn(file)), (PAWN, Which::OnFile(file))];
            if file == 3 {
                readings.extend([(PAWN, Which::Middle), (PAWN, Which::Nth(3, None))]);
            }
            readings
        }
    })
}

/// Way and number of a move: steps, or the file of the goal.
fn way_of(side: Side, kind: usize, from: usize, to: usize) -> (Way, usize) {
    let (before, after) = (depth(side, from), depth(side, to));
    let way = match after.cmp(&before) {
        std::cmp::Ordering::Greater => Way::Forward,
        std::cmp::Ordering::Less => Way::Back,
        std::cmp::Ordering::Equal => Way::Sideways,
    };
    let by_file = way == Way::Sideways || matches!(kind, HORSE | ELEPHANT | ADVISOR);
    (way, if by_file { own_file(side, to) } else { before.abs_diff(after) })
}

pub(super) fn write_wxf(board: &Mailbox, played: Move) -> Option<String> {
    let (from, to, _) = played.other_parts();
    let side = board.side();
    let kind = board.man(from)?.kind();
    let (way, number) = way_of(side, kind, from, to);
    let file = own_file(side, from);
    let columns = columns(board, kind);
    let on_file = &columns.iter().find(|(own, _)| *own == file)?.1;
    let place = on_file.iter().position(|square| *square == from)?;
    let shared = columns.iter().filter(|(_, on_file)| on_file.len() > 1).count();
    let letter = "PCRHEAK".chars().nth(kind)?;
    let crowded = kind == PAWN && (on_file.len() > 2 || shared > 1 && on_file.len() > 1);
    // Where the other piece could not make the same move on the board, the file is enough.
    let told_apart = || {
        let step = |from: usize, to: usize, size: usize| from.wrapping_add(to).wrapping_sub(size);
        on_file.iter().filter(|other| **other != from).all(|other| {
            let rank = step(other / FILES, to / FILES, from / FILES);
            rank >= RANKS
        })
    };
    let name = if crowded {
        format!("{}{file}", place + 1)
    } else if on_file.len() < 2 || matches!(kind, ELEPHANT | ADVISOR) || told_apart() {
        format!("{letter}{file}")
    } else {
        format!("{letter}{}", if place == 0 { '+' } else { '-' })
    };
    let way = match way {
        Way::Forward => '+',
        Way::Back => '-',
        Way::Sideways => '=',
    };
    let text = format!("{name}{way}{number}");
    if kind == PAWN && place < 9 || shared < 2 && on_file.len() < 3 {
        return Some(text);
    }
    // Only pawns have names for more than two; a set has no more than two of the others, but a FEN may.
    let mut others = [format!("{letter}{file}"), format!("{letter}+"), format!("{letter}-")]
        .map(|name| format!("{name}{way}{number}"))
        .into_iter();
    let comes_back = |text: &String| read_wxf(board, text).is_ok_and(|read| read == played);
    if comes_back(&text) { Some(text) } else { others.find(comes_back) }
}

/// The place of the kind that a Chinese name means.
fn chinese_kind(c: char) -> Option<usize> {
    Some(match c {
        '兵' | '卒' => PAWN,
        '炮' | '砲' | '包' => 1,
        '车' | '車' | '俥' => 2,
        '马' | '馬' | '傌' => HORSE,
        '相' | '象' => ELEPHANT,
        '仕' | '士' => ADVISOR,
        '帅' | '帥' | '将' | '將' => 6,
        _ => return None,
    })
}

pub(super) fn read_chinese(board: &Mailbox, text: &str) -> Result<Move, Refusal> {
    let signs: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    let &[a, b, way, number] = signs.as_slice() else { return Err(Refusal::NotAMove) };
    let way = match way {
        '进' | '進' | '上' => Way::Forward,
        '退' | '下' => Way::Back,
        '平' => Way::Sideways,
        _ => return Err(Refusal::NotAMove),
    };
    let digit = |c: char| kanji_digit(c).filter(|digit| *digit > 0);
    let number = digit(number).ok_or(Refusal::NotAMove)?;
    let readings = chinese_readings(a, b, digit).ok_or(Refusal::NotAMove)?;
    choose(board, &readings, way, number)
}

fn chinese_readings(a: char, b: char, digit: impl Fn(char) -> Option<usize>) -> Option<Vec<(usize, Which)>> {
    if let Some(kind) = chinese_kind(a) {
        return Some(vec![(kind, Which::OnFile(digit(b)?))]);
    }
    let kind = chinese_kind(b);
    Some(match (a, kind) {
        ('前', Some(kind)) => vec![(kind, Which::Front)],
        ('后' | '後', Some(kind)) => vec![(kind, Which::Rear)],
        ('中', Some(kind)) => vec![(kind, Which::Middle)],
        ('前', None) => vec![(PAWN, Which::FrontOn(digit(b)?))],
        ('后' | '後', None) => vec![(PAWN, Which::RearOn(digit(b)?))],
        ('中', None) => vec![(PAWN, Which::Nth(2, Some(digit(b)?)))],
        (place, Some(kind)) => {
            let place = digit(place)?;
            vec![(kind, Which::InRow(place)), (kind, Which::Nth(place, None))]
        }
        _ => return None,
    })
}

const RED_DIGITS: &str = "一二三四五六七八九";
const BLACK_DIGITS: &str = "１２３４５６７８９";

/// Which characters Chinese moves are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    Simplified,
    Traditional,
}

impl Script {
    /// The names of a side's pieces in the order of their kinds. Sets of pieces with traditional characters
    /// name them by side.
    const fn names(self, side: Side) -> &'static str {
        match (self, side) {
            (Script::Simplified, Side::Bottom) => "兵炮车马相仕帅",
            (Script::Simplified, Side::Top) => "卒炮车马象士将",
            (Script::Traditional, Side::Bottom) => "兵炮俥傌相仕帥",
            (Script::Traditional, Side::Top) => "卒砲車馬象士將",
        }
    }

    const fn rear(self) -> char {
        match self {
            Script::Simplified => '后',
            Script::Traditional => '後',
        }
    }

    const fn way(self, way: Way) -> char {
        match (way, self) {
            (Way::Forward, Script::Simplified) => '进',
            (Way::Forward, Script::Traditional) => '進',
            (Way::Back, _) => '退',
            (Way::Sideways, _) => '平',
        }
    }
}

pub(super) fn write_chinese(board: &Mailbox, played: Move, script: Script) -> Option<String> {
    let (from, to, _) = played.other_parts();
    let side = board.side();
    let kind = board.man(from)?.kind();
    let digits = match side {
        Side::Bottom => RED_DIGITS,
        Side::Top => BLACK_DIGITS,
    };
    let digit = |number: usize| digits.chars().nth(number.checked_sub(1)?);
    let name = script.names(side).chars().nth(kind)?;
    let (way, number) = way_of(side, kind, from, to);
    let file = own_file(side, from);
    let columns = columns(board, kind);
    let shared: Vec<&Vec<usize>> =
        columns.iter().map(|(_, on_file)| on_file).filter(|on_file| on_file.len() > 1).collect();
    let own = shared.iter().find(|on_file| on_file.contains(&from));
    let head = match own {
        Some(on_file) if !matches!(kind, ELEPHANT | ADVISOR) => {
            let place = on_file.iter().position(|square| *square == from)?;
            let last = place + 1 == on_file.len();
            let sign = match (shared.len(), on_file.len(), place) {
                (1, 2 | 3, 0) => '前',
                (1, 2 | 3, _) if last => script.rear(),
                (1, 3, _) => '中',
                // All pawns that share files in one row.
                _ => {
                    let row = shared
                        .iter()
                        .flat_map(|on_file| on_file.iter())
                        .position(|square| *square == from)?;
                    RED_DIGITS.chars().nth(row)?
                }
            };
            [sign, name]
        }
        _ => [name, digit(file)?],
    };
    Some(head.into_iter().chain([script.way(way), digit(number)?]).collect())
}
