//! The words of a collection: as much of the grammar as decides where a record ends.

use boardprint_base::Player;
use boardprint_base::cut::tags_in_comment;

use super::certain::surely_begins;
use crate::lex;

/// The next thing in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Tag,
    /// A tag that its line does not close, with what else that line holds.
    BrokenTag,
    Comment,
    Rules,
    Bar,
    /// A field that is not a piece list.
    Field,
    /// One entry of a piece list.
    Piece,
    /// A move, or its first square.
    Move,
    /// A square after `>`, a move number, a mark, a promotion: what stands between and after moves.
    Loose,
    /// `>` or `x` at the end.
    Arrow,
    Result,
}

/// Where a word stands.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) at: usize,
    pub(super) in_moves: bool,
    pub(super) at_line: bool,
    pub(super) wants_target: bool,
}

/// Reads words from a text that arrives in pieces.
#[derive(Debug, Default)]
pub(super) struct Lexer {
    /// How much of the word was looked at already, so that no byte is looked at again for every piece of text.
    pending: Pending,
    /// There is no `}` before this place.
    no_close_before: usize,
}

/// The word that the text does not hold to its end.
#[derive(Clone, Copy, Debug, Default)]
enum Pending {
    #[default]
    None,
    Comment {
        seen: usize,
    },
    Rules(Rules),
    Tag(Tag),
    Run {
        seen: usize,
    },
}

impl Lexer {
    /// The record ended at a byte, and all is open again.
    pub(super) fn end(&mut self, at: usize) {
        self.pending = Pending::None;
        self.no_close_before = self.no_close_before.saturating_sub(at);
    }

    /// The first bytes of the text are gone.
    pub(super) fn forget(&mut self, count: usize) {
        self.no_close_before = self.no_close_before.saturating_sub(count);
        match &mut self.pending {
            Pending::None => {}
            Pending::Comment { seen } | Pending::Run { seen } => *seen = seen.saturating_sub(count),
            Pending::Rules(rules) => rules.at = rules.at.saturating_sub(count),
            Pending::Tag(tag) => {
                tag.at = tag.at.saturating_sub(count);
                if let Some(Opening::Quote(quote)) = &mut tag.opening {
                    *quote = quote.saturating_sub(count);
                }
            }
        }
    }

    /// Whether the text so far ended inside a word.
    pub(super) fn is_inside_a_word(&self) -> bool {
        !matches!(self.pending, Pending::None)
    }

    /// The word at a place and its end, or `None` if more text is needed.
    pub(super) fn word(&mut self, text: &[u8], last: bool, place: Place) -> Option<(Word, usize)> {
        let found = match text[place.at] {
            b'[' => self.tag(text, last, place.at),
            b'{' => self.group(text, last, place),
            b'|' => Some((Word::Bar, place.at + 1)),
            b'(' => parentheses(text, place.at, last),
            _ => self.run(text, last, place),
        };
        if found.is_some() {
            self.pending = Pending::None;
        }
        found
    }

    /// The tag at `start`: it ends at `]`, with a quoted value at a `]` after a second quote.
    fn tag(&mut self, text: &[u8], last: bool, start: usize) -> Option<(Word, usize)> {
        let mut tag = match self.pending {
            Pending::Tag(tag) => tag,
            _ => Tag { at: start + 1, opening: None },
        };
        let found = tag.go_on(text, start);
        if found.is_none() {
            self.pending = Pending::Tag(tag);
        }
        found.or_else(|| last.then_some((Word::BrokenTag, text.len())))
    }

    /// Extra rules or a comment.
    fn group(&mut self, text: &[u8], last: bool, place: Place) -> Option<(Word, usize)> {
        // After the first move a brace opens a comment, unless a line begins with it.
        let may_be_rules = !place.in_moves || place.at_line;
        if may_be_rules && !matches!(self.pending, Pending::Comment { .. }) {
            let mut rules = match self.pending {
                Pending::Rules(rules) => rules,
                _ => Rules { at: place.at + 1, depth: 1, is_keyed: false, in_string: false },
            };
            match rules.go_on(text) {
                Verdict::Closed(end) => return Some((Word::Rules, end)),
                Verdict::Open if !last => {
                    self.pending = Pending::Rules(rules);
                    return None;
                }
                // Its brace alone is passed, so that the position after it is seen.
                Verdict::Open | Verdict::Broken if !place.in_moves => {
                    return Some((Word::Loose, place.at + 1));
                }
                Verdict::Open | Verdict::Broken | Verdict::Never => {}
            }
        }
        self.comment(text, last, place.at)
    }

    fn comment(&mut self, text: &[u8], last: bool, start: usize) -> Option<(Word, usize)> {
        let seen = match self.pending {
            Pending::Comment { seen } => seen,
            _ => 0,
        };
        let from = seen.max(start + 1).max(self.no_close_before.min(text.len()));
        match memchr::memchr(b'}', &text[from..]) {
            Some(found) => {
                let end = from + found + 1;
                Some((Word::Comment, gives_way(text, start, end).unwrap_or(end)))
            }
            None if !last => {
                self.pending = Pending::Comment { seen: text.len() };
                None
            }
            // Never closed: it ends with its line.
            None => {
                self.no_close_before = text.len();
                let line = memchr::memchr(b'\n', &text[start..]).map(|found| start + found);
                Some((Word::Comment, line.unwrap_or(text.len())))
            }
        }
    }

    /// A run of bytes up to a blank, a bar or a bracket.
    fn run(&mut self, text: &[u8], last: bool, place: Place) -> Option<(Word, usize)> {
        let from = match self.pending {
            Pending::Run { seen } => seen.max(place.at + 1),
            _ => place.at + 1,
        };
        let mut end = from;
        while end < text.len() && !(ENDS_RUN[usize::from(text[end])] && ends_run(text, end)) {
            end += 1;
        }
        if end == text.len() && !last {
            // A blank of several bytes may have begun.
            self.pending = Pending::Run { seen: end.saturating_sub(2).max(place.at) };
            return None;
        }
        let run = &text[place.at..end];
        let shape = shape(run);
        self.pending = Pending::Run { seen: end };
        let word = match shape {
            Shape::Word(word) => word,
            Shape::Short => {
                match (place.at_line || !place.in_moves).then(|| goes_with_fields(text, end, last)) {
                    Some(None) => return None,
                    Some(Some(true)) => Word::Field,
                    _ if run == b"x" => Word::Arrow,
                    _ => Word::Loose,
                }
            }
            _ => match ahead(text, end, last, shape, place)? {
                Ahead::Arrow if shape != Shape::Number => Word::Move,
                Ahead::Dot | Ahead::Move if shape == Shape::Number => Word::Loose,
                _ if shape == Shape::Square && place.wants_target => Word::Loose,
                _ if shape == Shape::Piece => Word::Piece,
                _ => Word::Field,
            },
        };
        Some((word, end))
    }
}

/// Where a comment gives way to another record, because somebody forgot to close it.
fn gives_way(text: &[u8], start: usize, end: usize) -> Option<usize> {
    let mut lines = memchr::memchr_iter(b'\n', &text[start..end]).map(|feed| start + feed + 1);
    let certain = lines.find(|line| surely_begins(&text[..*line], &text[*line..end], true) == Some(true));
    tags_in_comment(text, start, certain.unwrap_or(end)).or(certain)
}

/// What follows a square, a piece or a number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ahead {
    Arrow,
    Dot,
    Move,
    Other,
}

/// Looks at what follows a run: `4,2` may be a field or the first half of a move, `2` a field or a move
/// number. `None` if more text is needed.
fn ahead(text: &[u8], end: usize, last: bool, shape: Shape, place: Place) -> Option<Ahead> {
    let mut next = end;
    while let Some(length) = blank(&text[next..]) {
        next += length;
    }
    let rest = &text[next..];
    // Three bytes tell an arrow, and a blank that is not ASCII.
    if rest.len() < 3 && !last {
        return None;
    }
    let is_x = rest.first() == Some(&b'x')
        && rest
            .get(1)
            .is_none_or(|b| b.is_ascii_digit() || matches!(b, b'-' | b'>' | b'x') || b.is_ascii_whitespace());
    if rest.first() == Some(&b'>') || is_x {
        return Some(Ahead::Arrow);
    }
    if shape != Shape::Number {
        return Some(Ahead::Other);
    }
    if rest.first() == Some(&b'.') {
        return Some(Ahead::Dot);
    }
    // Only where it could begin another record does it matter whether a number is one of a move.
    if !(place.in_moves && place.at_line && next > end) {
        return Some(Ahead::Other);
    }
    begins_move(rest, last).map(|is_move| if is_move { Ahead::Move } else { Ahead::Other })
}

/// How far a number without its dot looks for a move.
const MOVE_AHEAD: usize = 4096;

/// Whether a move begins here; `None` if more text is needed to know.
fn begins_move(text: &[u8], last: bool) -> Option<bool> {
    let text = &text[..text.len().min(MOVE_AHEAD)];
    let code = lex::code_before_coordinate(text).unwrap_or(0);
    let is_all = last || text.len() == MOVE_AHEAD;
    let Some(length) = lex::square(&text[code..]) else {
        let run = text.iter().take_while(|b| !ENDS_RUN[usize::from(**b)]).count();
        return (is_all || run < text.len()).then_some(false);
    };
    // An `x` is an arrow only if a coordinate follows, so the text must go beyond both.
    let behind = &text[code + length..];
    let arrow = lex::blanks(behind);
    let arrows = behind[arrow..].iter().take_while(|b| matches!(b, b'x' | b'>')).count();
    let target = arrow + arrows + lex::blanks(&behind[arrow + arrows..]);
    (is_all || target + 2 < behind.len()).then(|| lex::begins_with_arrow(behind))
}

/// How far a short win condition looks for a field or pieces.
const FIELD_AHEAD: usize = 4096;

/// Whether a field or pieces follow in this line; `None` if more text is needed to know.
fn goes_with_fields(text: &[u8], end: usize, last: bool) -> Option<bool> {
    let text = &text[end..text.len().min(end + FIELD_AHEAD)];
    let is_all = last || text.len() == FIELD_AHEAD;
    let next = text.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
    let rest = &text[next..];
    let length = rest.iter().take_while(|b| !ENDS_RUN[usize::from(**b)]).count();
    // What ends a word may be the first of several bytes.
    if !is_all && rest.len() < length + 3 {
        return None;
    }
    if length == 0 {
        // Extra rules, or a field in parentheses.
        return Some(next > 0 && (rest.starts_with(b"{\"") || rest.starts_with(b"(")));
    }
    Some(match shape(&rest[..length]) {
        Shape::Word(word) => word == Word::Field,
        Shape::Piece => return is_piece_ahead(rest, length, is_all),
        _ => false,
    })
}

/// Whether the piece that a text begins with is no beginning of a move.
fn is_piece_ahead(text: &[u8], end: usize, last: bool) -> Option<bool> {
    let place = Place { at: 0, in_moves: false, at_line: false, wants_target: false };
    ahead(text, end, last, Shape::Piece, place).map(|ahead| ahead != Ahead::Arrow)
}

/// A tag that is being read.
#[derive(Clone, Copy, Debug)]
struct Tag {
    at: usize,
    opening: Option<Opening>,
}

/// How the value of a tag begins.
#[derive(Clone, Copy, Debug)]
enum Opening {
    Quote(usize),
    Other,
}

impl Tag {
    fn go_on(&mut self, text: &[u8], start: usize) -> Option<(Word, usize)> {
        loop {
            let Some(found) = memchr::memchr3(b'"', b']', b'\n', &text[self.at..]) else {
                self.at = text.len();
                return None;
            };
            let found = self.at + found;
            match (text[found], self.opening) {
                (b'\n', _) => return Some((Word::BrokenTag, found)),
                (b'"', None) => {
                    let key = text[start + 1..found].trim_ascii();
                    let is_quoted = !key.is_empty() && !key.contains(&b':');
                    self.opening = Some(if is_quoted { Opening::Quote(found) } else { Opening::Other });
                }
                (b']', Some(Opening::Quote(quote)))
                    if !text[quote + 1..found].trim_ascii_end().ends_with(b"\"") => {}
                (b']', _) => return Some((Word::Tag, found + 1)),
                _ => {}
            }
            self.at = found + 1;
        }
    }
}

/// Extra rules that are being read, loosely: a first key with its colon, then what JSON is made of, brackets
/// matched.
#[derive(Clone, Copy, Debug)]
struct Rules {
    at: usize,
    depth: usize,
    is_keyed: bool,
    in_string: bool,
}

enum Verdict {
    Closed(usize),
    /// So far it could be rules.
    Open,
    /// It begins like rules and goes on otherwise.
    Broken,
    Never,
}

impl Rules {
    const DEEPEST: usize = 128;

    fn go_on(&mut self, text: &[u8]) -> Verdict {
        let is_part = |b: u8| b.is_ascii_alphanumeric() || b.is_ascii_whitespace() || b"_$-+.,".contains(&b);
        while self.at < text.len() {
            if self.in_string {
                if let Some(verdict) = self.pass_string(text) {
                    return verdict;
                }
                continue;
            }
            match text[self.at] {
                b'"' => self.in_string = true,
                b':' => self.is_keyed = true,
                // A tag, not a value: no word of JSON begins with an upper-case letter.
                b'[' if self.at + 1 == text.len() => return Verdict::Open,
                b'[' if text[self.at + 1].is_ascii_uppercase() => return self.broken(),
                b'{' | b'[' if self.is_keyed && self.depth <= Self::DEEPEST => self.depth += 1,
                b'}' | b',' if !self.is_keyed => return Verdict::Never,
                b']' if self.depth == 1 => return self.broken(),
                b'}' | b']' => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        return Verdict::Closed(self.at + 1);
                    }
                }
                byte if is_part(byte) => {}
                _ => return self.broken(),
            }
            self.at += 1;
        }
        Verdict::Open
    }

    /// Goes on to the end of a string.
    fn pass_string(&mut self, text: &[u8]) -> Option<Verdict> {
        let Some(found) = memchr::memchr3(b'"', b'\\', b'\n', &text[self.at..]).map(|found| self.at + found)
        else {
            self.at = text.len();
            return Some(Verdict::Open);
        };
        match text[found] {
            b'\\' if found + 1 >= text.len() => {
                self.at = found;
                return Some(Verdict::Open);
            }
            b'\\' => self.at = found + 2,
            b'\n' => return Some(self.broken()),
            _ => {
                self.in_string = false;
                self.at = found + 1;
            }
        }
        None
    }

    fn broken(&self) -> Verdict {
        if self.is_keyed { Verdict::Broken } else { Verdict::Never }
    }
}

/// A field in parentheses. What cannot stand in one ends it, and so does a second line feed: whole lines are
/// not part of a field.
fn parentheses(text: &[u8], start: usize, last: bool) -> Option<(Word, usize)> {
    let mut feeds = 0;
    let mut inside = |b: &u8| {
        feeds += usize::from(*b == b'\n');
        feeds < 2 && (b.is_ascii_alphanumeric() || b.is_ascii_whitespace() || b",;|-+._".contains(b))
    };
    let length = text[start + 1..].iter().take_while(|b| inside(b)).count();
    match text.get(start + 1 + length) {
        Some(b')') => Some((Word::Field, start + length + 2)),
        None if !last => None,
        // Never closed: it is passed alone, so that the position after it is seen.
        _ => Some((Word::Field, start + 1)),
    }
}

/// The end of the field in parentheses with which a text begins, if it is closed.
pub(super) fn field_end(text: &[u8]) -> Option<usize> {
    parentheses(text, 0, true).map(|(_, end)| end).filter(|end| *end > 1)
}

/// A table of bytes.
const fn table(of: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    let mut at = 0;
    while at < of.len() {
        table[of[at] as usize] = true;
        at += 1;
    }
    table
}

/// What may end a run: ASCII blanks, bars and brackets, and the first bytes of other blanks.
const ENDS_RUN: [bool; 256] = table(b" \t\n\x0b\x0c\r|[{(\xc2\xe1\xe2\xe3\xef");

fn ends_run(text: &[u8], at: usize) -> bool {
    text[at] < 0x80 || blank(&text[at..]).is_some()
}

/// The length of the blank with which the text begins; byte order marks are blanks here.
#[inline]
pub(super) fn blank(text: &[u8]) -> Option<usize> {
    const MARK: &[u8] = "\u{feff}".as_bytes();
    lex::blank(text).or_else(|| text.starts_with(MARK).then_some(MARK.len()))
}

/// Whether something cannot be passed over after the first move of a record: what may be a tag, a group, a
/// line, or the name of presets; and whatever is not ASCII, which may be a blank.
#[inline]
fn stops_moves(byte: u8) -> bool {
    // All of them are compared without branches, so that many bytes are looked at in one go.
    b"[{(\n:".iter().fold(byte & 0x80, |found, stop| found | u8::from(byte == *stop)) != 0
}

/// How many bytes stand before the first that cannot be passed over.
fn passed_moves(text: &[u8]) -> usize {
    const MANY: usize = 32;
    let is_plain = |part: &&[u8; MANY]| !part.iter().fold(false, |any, byte| any | stops_moves(*byte));
    let (parts, _) = text.as_chunks::<MANY>();
    let plain = MANY * parts.iter().take_while(is_plain).count();
    let rest = &text[plain..];
    plain + rest.iter().position(|byte| stops_moves(*byte)).unwrap_or(rest.len())
}

/// What stands between words in ASCII.
const BETWEEN: [bool; 256] = table(b" \t\x0b\x0c\r|");

/// The beginning of the last word, or what may be it, before something that cannot be passed over, and
/// `true`; or that thing itself, if there are only bars and blanks before it.
pub(super) fn last_word(text: &[u8], from: usize) -> (usize, bool) {
    let rest = &text[from..];
    let stop = passed_moves(rest);
    let is_between = |b: &u8| BETWEEN[usize::from(*b)];
    let Some(last) = rest[..stop].iter().rposition(|b| !is_between(b)) else {
        return (from + stop, false);
    };
    (from + rest[..last].iter().rposition(is_between).map_or(0, |before| before + 1), true)
}

/// What entries of a piece list are made of, if they cannot be moves: neither `>` nor `x` nor `*` nor `/`.
const IN_PIECES: [bool; 256] = table(b"abcdefghijklmnopqrstuvwyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789,-+");

/// The beginning of the first entry of a piece list that no bar follows, or that may be a move or a result.
pub(super) fn after_pieces(text: &[u8], from: usize) -> usize {
    let mut start = from;
    loop {
        let rest = &text[start..];
        let length = rest.iter().take_while(|b| IN_PIECES[usize::from(**b)]).count();
        // `1-0` and `0-1` are made of the same.
        let is_result = length == 3 && rest[1] == b'-';
        if rest.get(length) != Some(&b'|') || is_result {
            return start;
        }
        start += length + 1;
    }
}

/// Whether a field is `Squares:` or `Rays:`.
pub(super) fn is_preset(field: &[u8]) -> bool {
    field.starts_with(b"Squares:") || field.starts_with(b"Rays:")
}

/// What a run looks like by itself.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// `x,y`
    Square,
    /// A piece on a square.
    Piece,
    /// Digits.
    Number,
    /// A word of one or two lower-case letters, or several that begin with one: win conditions, or what a
    /// pawn becomes.
    Short,
    Word(Word),
}

impl Shape {
    /// Whether it is a field whatever follows.
    pub(super) fn is_field(self) -> bool {
        self == Shape::Word(Word::Field)
    }
}

pub(super) fn shape(run: &[u8]) -> Shape {
    let word = Shape::Word;
    match run {
        b"x" => return Shape::Short,
        b">" | b">>" => return word(Word::Arrow),
        [b'=' | b'+' | b'#' | b'!' | b'?' | b'>' | b'.', ..] => return word(Word::Loose),
        [b'_', b',', ..] => return word(Word::Field),
        _ if lex::result(run).is_some_and(|(_, length)| length == run.len()) => return word(Word::Result),
        _ => {}
    }
    let digits = lex::digits(run);
    let letters = lex::letters(&run[digits..]);
    let rest = &run[digits + letters..];
    let starts_number = matches!(rest, [b'-', b'0'..=b'9', ..] | [b'0'..=b'9', ..]);
    if letters > 0 && starts_number && !is_exponent(run, digits, letters) {
        return match lex::square(rest).map(|end| &rest[end..]) {
            _ if digits == 0 && run[..letters].iter().all(|b| *b == b'x') => word(Word::Loose),
            None => word(Word::Loose),
            Some([b'>' | b'x', ..]) => word(Word::Move),
            Some(_) => Shape::Piece,
        };
    }
    if digits == 0 && letters > 0 {
        return letters_alone(run, letters);
    }
    if digits > 0 && letters == 0 {
        match rest {
            [] => return Shape::Number,
            // A move rule, or a turn order that begins with the number of a player.
            [b'/' | b':', ..] => return word(Word::Field),
            [b'.', ..] => {
                let dots = rest.iter().take_while(|b| **b == b'.').count();
                return word(behind_move_number(&rest[dots..]));
            }
            _ => {}
        }
    }
    match lex::square(run).map(|end| &run[end..]) {
        Some([]) => Shape::Square,
        Some([b',', ..]) => word(Word::Field),
        Some([b'>' | b'x', ..]) => word(Word::Move),
        None if begins_with_open_side(run) => word(Word::Field),
        None | Some(_) => word(Word::Loose),
    }
}

/// Whether a border begins here whose second side is open: `1,_,…`.
fn begins_with_open_side(run: &[u8]) -> bool {
    lex::number(run).is_some_and(|number| run[number.end..].starts_with(b",_"))
}

/// What is glued to a move number; a number in front makes a move of a square.
fn behind_move_number(run: &[u8]) -> Word {
    let digits = lex::digits(run);
    let letters = lex::letters(&run[digits..]);
    let square = if letters > 0 && !lex::is_scientific(run) { &run[digits + letters..] } else { run };
    if lex::square(square).is_some() { Word::Move } else { Word::Loose }
}

/// Whether `1e21` rather than player 1 and a piece `e`.
fn is_exponent(run: &[u8], digits: usize, letters: usize) -> bool {
    digits > 0 && letters == 1 && matches!(run[digits], b'e' | b'E')
}

/// A run that begins with letters and has no square after them.
fn letters_alone(run: &[u8], letters: usize) -> Shape {
    let word = &run[..letters];
    let is_player = || std::str::from_utf8(word).is_ok_and(|code| Player::from_code(code).is_some());
    let is_lower = || word.iter().all(u8::is_ascii_lowercase);
    match run.get(letters) {
        Some(b':') => Shape::Word(Word::Field),
        None | Some(b',' | b')') if is_player() => Shape::Word(Word::Field),
        None | Some(b',' | b')') if is_lower() && letters > 2 => Shape::Word(Word::Field),
        None | Some(b',') if is_lower() => Shape::Short,
        _ => Shape::Word(Word::Loose),
    }
}
