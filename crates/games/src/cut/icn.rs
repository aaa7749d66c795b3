//! Collections of ICN: games and positions one after another, in any dialect.
//!
//! A record is tags, fields and a position in any order, then moves, then a result. It ends
//!
//! - behind its first move or its result: at a tag, or at a line that begins with something that is no move, separator, comment
//!   or result (a field, a position; extra rules in front of them go with them);
//! - behind its position, before any move: at a line that begins with a tag or a second position. Fields that begin the line of
//!   a second position go with it, and so do lines of fields between a blank line and a second position; other lines of fields
//!   belong to the position above them;
//! - before its position: at tags that repeat `Event` or `Variant` behind a blank line or a field.
//!
//! Lines and blanks mean nothing else, so one record may take many lines with blank ones between, and many records one line each.
//! A comment may hold anything but `}`. One that is never closed ends with its line, or before a whole tag that follows a blank line.

use boardprint_base::cut::{Cut, Step, tags_in_comment};

/// Cuts where something stands that the record before cannot hold.
#[derive(Default)]
pub(crate) struct IcnCutter {
    position: usize,
    /// How much of an open comment holds no `}`.
    seen: usize,
    /// There is no `}` before this place.
    no_close_before: usize,
    record: State,
}

/// What is known of the record so far.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts, each read on its own")]
struct State {
    phase: Phase,
    /// Only blanks and comments stand between the line's beginning and `position`.
    at_line: bool,
    /// Line feeds since the last word.
    lines: usize,
    after_bar: bool,
    /// A move has its first square and needs its second.
    wants_target: bool,
    /// The last list began with `Squares:` or `Rays:`, whose entries look like moves.
    in_preset: bool,
    /// Where the next record begins if it turns out that there is one.
    candidate: Option<Candidate>,
    event: bool,
    variant: bool,
    /// The tags being read form one block that began here.
    tag_block: Option<usize>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    #[default]
    Head,
    Placed,
    Moves,
}

#[derive(Clone, Copy)]
struct Candidate {
    at: usize,
    /// Later lines do not replace it.
    firm: bool,
}

/// The next thing in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Tag,
    /// A tag that its line does not close, with what else that line holds.
    BrokenTag,
    Comment,
    Rules,
    Bar,
    /// A field that is no piece list.
    Field,
    /// One entry of a piece list.
    Piece,
    /// A move, or its first square.
    Move,
    /// A square behind `>`, a move number, a mark, a promotion: what stands between and behind moves.
    Loose,
    /// `>` or `x` at the end.
    Arrow,
    Result,
}

impl IcnCutter {
    fn end(&mut self, at: usize) -> Step {
        self.position = 0;
        self.seen = 0;
        self.no_close_before = self.no_close_before.saturating_sub(at);
        self.record = State::default();
        Step::Record(at)
    }

    /// The word at `position` and its end, or `None` if more text is needed.
    fn word(&mut self, text: &[u8], last: bool) -> Option<(Word, usize)> {
        match text[self.position] {
            b'[' => tag(text, self.position, last),
            b'{' => self.group(text, last),
            b'|' => Some((Word::Bar, self.position + 1)),
            b'(' => parentheses(text, self.position, last),
            _ => {
                let (word, end) = run(text, self.position, last, self.record.wants_target)?;
                let is_entry = self.record.in_preset && self.record.after_bar;
                Some((if is_entry { Word::Loose } else { word }, end))
            }
        }
    }

    /// Extra rules or a comment.
    fn group(&mut self, text: &[u8], last: bool) -> Option<(Word, usize)> {
        let start = self.position;
        // Behind the first move a brace opens a comment, unless a line begins with it.
        if self.record.phase < Phase::Moves || self.record.at_line {
            match rules(text, start) {
                Rules::Closed(end) => return Some((Word::Rules, end)),
                Rules::Open if !last => return None,
                // Its brace alone is passed, so that the position behind it is seen.
                Rules::Open | Rules::Broken if self.record.phase < Phase::Moves => {
                    return Some((Word::Loose, start + 1));
                }
                Rules::Open | Rules::Broken | Rules::Never => {}
            }
        }
        let from = self.seen.max(start + 1).max(self.no_close_before.min(text.len()));
        let closed = memchr::memchr(b'}', &text[from..]).map(|at| from + at + 1);
        if closed.is_none() && !last {
            self.seen = text.len();
            return None;
        }
        self.seen = 0;
        if let Some(end) = closed {
            return Some((Word::Comment, tags_in_comment(text, start, end).unwrap_or(end)));
        }
        self.no_close_before = text.len();
        Some((Word::Comment, line_feed(text, start).unwrap_or(text.len())))
    }

    /// Where the record ends if it cannot hold the word that stands at `position`.
    fn boundary(&mut self, word: Word, text: &[u8], end: usize) -> Option<usize> {
        let (here, state) = (self.position, &mut self.record);
        let candidate = state.candidate;
        match (state.phase, word) {
            (Phase::Moves, Word::Tag | Word::BrokenTag) => Some(candidate.map_or(here, |c| c.at)),
            (Phase::Moves, Word::Field | Word::Piece) if state.at_line => {
                Some(candidate.map_or(here, |c| c.at))
            }
            (Phase::Moves, Word::Rules) => {
                state.candidate = Some(Candidate { at: here, firm: true });
                None
            }
            (Phase::Moves, Word::Comment) => None,
            (Phase::Moves, _) => {
                state.candidate = None;
                None
            }
            (Phase::Placed, Word::Tag | Word::BrokenTag) if state.at_line => {
                Some(candidate.filter(|c| c.firm).map_or(here, |c| c.at))
            }
            (Phase::Placed, Word::Piece) if !state.after_bar => match candidate {
                Some(candidate) if candidate.firm || !state.at_line => Some(candidate.at),
                _ => state.at_line.then_some(here),
            },
            (Phase::Placed, Word::Field | Word::Rules) if state.at_line => {
                if candidate.is_none_or(|c| !c.firm) {
                    state.candidate = Some(Candidate { at: here, firm: state.lines > 1 });
                }
                None
            }
            (Phase::Head, Word::Tag) => {
                let name = &text[here + 1..end];
                let (event, variant) = (name.starts_with(b"Event"), name.starts_with(b"Variant"));
                if state.tag_block.is_none() || state.lines > 1 {
                    state.tag_block = Some(here);
                }
                let block = state.tag_block.filter(|block| *block > 0);
                if block.is_some() && ((event && state.event) || (variant && state.variant)) {
                    return block;
                }
                state.event |= event;
                state.variant |= variant;
                None
            }
            _ => None,
        }
    }

    /// Notes the word at `position`, which belongs to the record.
    fn note(&mut self, word: Word, text: &[u8], end: usize) {
        let state = &mut self.record;
        match word {
            Word::Piece if state.phase == Phase::Head => state.phase = Phase::Placed,
            Word::Move | Word::Arrow | Word::Result => {
                state.phase = Phase::Moves;
                state.candidate = None;
            }
            Word::BrokenTag if memchr::memchr2(b'|', b'>', &text[self.position..end]).is_some() => {
                state.phase = state.phase.max(Phase::Placed);
            }
            _ => {}
        }
        if word != Word::Tag {
            state.tag_block = None;
        }
        state.wants_target = match word {
            Word::Arrow | Word::Move => matches!(text[end - 1], b'>' | b'x'),
            Word::Comment => state.wants_target,
            _ => false,
        };
        state.in_preset = match word {
            Word::Field => is_preset(&text[self.position..end]),
            Word::Bar | Word::Comment => state.in_preset,
            _ => state.in_preset && state.after_bar,
        };
        state.after_bar = match word {
            Word::Bar => true,
            Word::Comment => state.after_bar,
            _ => false,
        };
        // Behind moves, rules may turn out to be a comment.
        if word != Word::Comment && (word != Word::Rules || state.phase != Phase::Moves) {
            state.at_line = false;
        }
        state.lines = 0;
        // A comment or a broken tag may end with its line.
        if end > self.position && text[end - 1] == b'\n' {
            state.at_line = true;
            state.lines = 1;
        }
    }
}

impl Cut for IcnCutter {
    fn step(&mut self, text: &[u8], last: bool) -> Step {
        loop {
            while let Some(length) = text.get(self.position..).and_then(blank) {
                if text[self.position] == b'\n' {
                    self.record.at_line = true;
                    self.record.lines += 1;
                }
                self.position += length;
            }
            if self.position >= text.len() {
                return Step::More;
            }
            let Some((word, end)) = self.word(text, last) else { return Step::More };
            if let Some(at) = self.boundary(word, text, end) {
                return self.end(at);
            }
            self.note(word, text, end);
            self.position = end;
        }
    }

    fn position(&self) -> usize {
        // What a candidate begins may become the next record.
        let pending = [self.record.candidate.map(|c| c.at), self.record.tag_block];
        pending.into_iter().flatten().fold(self.position, usize::min)
    }

    fn forget(&mut self, count: usize) {
        self.position = self.position.saturating_sub(count);
        self.seen = self.seen.saturating_sub(count);
        self.no_close_before = self.no_close_before.saturating_sub(count);
        let state = &mut self.record;
        state.candidate = state.candidate.and_then(|c| Some(Candidate { at: c.at.checked_sub(count)?, ..c }));
        state.tag_block = state.tag_block.and_then(|block| block.checked_sub(count));
    }
}

/// The length of the blank with which the text begins: Unicode `White_Space`, or a byte order mark.
fn blank(text: &[u8]) -> Option<usize> {
    match text {
        [b' ' | b'\t'..=b'\r', ..] => Some(1),
        [0xc2, 0x85 | 0xa0, ..] => Some(2),
        [0xe1, 0x9a, 0x80, ..]
        | [0xe2, 0x80, 0x80..=0x8a | 0xa8 | 0xa9 | 0xaf, ..]
        | [0xe2, 0x81, 0x9f, ..]
        | [0xe3, 0x80, 0x80, ..]
        | [0xef, 0xbb, 0xbf, ..] => Some(3),
        _ => None,
    }
}

fn is_preset(field: &[u8]) -> bool {
    field.starts_with(b"Squares:") || field.starts_with(b"Rays:")
}

/// The place of the first line feed.
fn line_feed(text: &[u8], from: usize) -> Option<usize> {
    memchr::memchr(b'\n', &text[from..]).map(|at| from + at)
}

/// The tag at `start`: it ends at `]`, with a quoted value at a `]` behind a second quote.
fn tag(text: &[u8], start: usize, last: bool) -> Option<(Word, usize)> {
    let mut at = start + 1;
    // `Some(quote)` if the value begins with a quote, `Some(start)` if it does not.
    let mut opening = None;
    loop {
        let Some(found) = memchr::memchr3(b'"', b']', b'\n', &text[at..]).map(|found| at + found) else {
            return last.then_some((Word::BrokenTag, text.len()));
        };
        match (text[found], opening) {
            (b'\n', _) => return Some((Word::BrokenTag, found)),
            (b'"', None) => {
                let key = text[start + 1..found].trim_ascii();
                let quoted = !key.is_empty() && !key.contains(&b':');
                opening = Some(if quoted { found } else { start });
            }
            (b']', Some(quote)) if quote > start => {
                let value = text[quote + 1..found].trim_ascii_end();
                if value.ends_with(b"\"") {
                    return Some((Word::Tag, found + 1));
                }
            }
            (b']', _) => return Some((Word::Tag, found + 1)),
            _ => {}
        }
        at = found + 1;
    }
}

enum Rules {
    Closed(usize),
    /// So far it could be rules.
    Open,
    /// It begins like rules and goes on otherwise.
    Broken,
    Never,
}

/// Whether the group at `start` is extra rules, loosely: a first key with its colon, then what JSON is made of, brackets matched.
fn rules(text: &[u8], start: usize) -> Rules {
    let mut at = start + 1;
    let mut depth = 1_usize;
    let mut keyed = false;
    let broken = |keyed: bool| if keyed { Rules::Broken } else { Rules::Never };
    while at < text.len() {
        match text[at] {
            b'"' => {
                at += 1;
                loop {
                    match memchr::memchr3(b'"', b'\\', b'\n', &text[at.min(text.len())..])
                        .map(|found| at + found)
                    {
                        None => return Rules::Open,
                        Some(found) if text[found] == b'\\' => at = found + 2,
                        Some(found) if text[found] == b'\n' => return broken(keyed),
                        Some(found) => {
                            at = found;
                            break;
                        }
                    }
                }
            }
            b':' => keyed = true,
            b'{' | b'[' if keyed && depth <= 128 => depth += 1,
            b'}' | b',' if !keyed => return Rules::Never,
            b']' if depth == 1 => return broken(keyed),
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return Rules::Closed(at + 1);
                }
            }
            byte if byte.is_ascii_alphanumeric()
                || byte.is_ascii_whitespace()
                || b"_$-+.,".contains(&byte) => {}
            _ => return broken(keyed),
        }
        at += 1;
    }
    Rules::Open
}

/// A field in parentheses. What cannot stand in one ends it.
fn parentheses(text: &[u8], start: usize, last: bool) -> Option<(Word, usize)> {
    let inside = |b: &u8| b.is_ascii_alphanumeric() || b.is_ascii_whitespace() || b",;|-+._".contains(b);
    let length = text[start + 1..].iter().take_while(|b| inside(b)).count();
    match text.get(start + 1 + length) {
        Some(b')') => Some((Word::Field, start + length + 2)),
        None if !last => None,
        // Never closed: it is passed alone, so that the position behind it is seen.
        _ => Some((Word::Field, start + 1)),
    }
}

/// A run of bytes up to a blank, a bar or a bracket.
fn run(text: &[u8], start: usize, last: bool, is_target: bool) -> Option<(Word, usize)> {
    let stops = |at: usize| matches!(text[at], b'|' | b'[' | b'{' | b'(') || blank(&text[at..]).is_some();
    let end = (start + 1..text.len()).find(|at| stops(*at));
    if end.is_none() && !last {
        return None;
    }
    let end = end.unwrap_or(text.len());
    let word = classify(&text[start..end]);
    let word = match word {
        Shape::Square | Shape::Piece | Shape::Number => {
            // `4,2` may be a field or the first half of a move: what follows tells.
            let mut next = end;
            while let Some(length) = text.get(next..).and_then(blank) {
                next += length;
            }
            let rest = &text[next..];
            if rest.len() < 2 && !last {
                return None;
            }
            let is_x = rest.first() == Some(&b'x')
                && rest.get(1).is_none_or(|b| {
                    b.is_ascii_digit() || matches!(b, b'-' | b'>' | b'x') || b.is_ascii_whitespace()
                });
            let arrow = rest.first() == Some(&b'>') || is_x;
            match word {
                Shape::Number if rest.first() == Some(&b'.') => Word::Loose,
                Shape::Number => Word::Field,
                _ if arrow => Word::Move,
                Shape::Square if is_target => Word::Loose,
                Shape::Square => Word::Field,
                _ => Word::Piece,
            }
        }
        Shape::Word(word) => word,
    };
    Some((word, end))
}

/// What a run looks like.
enum Shape {
    /// `x,y`
    Square,
    /// A piece on a square.
    Piece,
    /// Digits.
    Number,
    Word(Word),
}

fn classify(run: &[u8]) -> Shape {
    let word = Shape::Word;
    match run {
        b"*" | b"1-0" | b"0-1" | b"1/2-1/2" => return word(Word::Result),
        [b'>' | b'x'] | b">>" => return word(Word::Arrow),
        [b'=' | b'+' | b'#' | b'!' | b'?' | b'>' | b'.', ..] => return word(Word::Loose),
        [b'_', b',', ..] => return word(Word::Field),
        _ => {}
    }
    let digits = run.iter().take_while(|b| b.is_ascii_digit()).count();
    let letters = run[digits..].iter().take_while(|b| b.is_ascii_alphabetic()).count();
    let rest = &run[digits + letters..];
    let starts_number = matches!(rest, [b'-', b'0'..=b'9', ..] | [b'0'..=b'9', ..]);
    if letters > 0 && starts_number && !is_exponent(run, digits, letters) {
        return match behind_square(rest) {
            _ if digits == 0 && run[..letters].iter().all(|b| *b == b'x') => word(Word::Loose),
            None => word(Word::Loose),
            Some([b'>' | b'x', ..]) => word(Word::Move),
            Some(_) => Shape::Piece,
        };
    }
    if digits == 0 && letters > 0 {
        return word(letters_alone(run, letters));
    }
    if digits > 0 && letters == 0 {
        match rest {
            [] => return Shape::Number,
            [b'/', ..] => return word(Word::Field),
            [b'.', ..] => {
                let dots = rest.iter().take_while(|b| **b == b'.').count();
                return match classify_behind_number(&rest[dots..]) {
                    Word::Move => word(Word::Move),
                    _ => word(Word::Loose),
                };
            }
            _ => {}
        }
    }
    match behind_square(run) {
        Some([]) => Shape::Square,
        Some([b',', ..]) => word(Word::Field),
        Some([b'>' | b'x', ..]) => word(Word::Move),
        None | Some(_) => word(Word::Loose),
    }
}

/// What is glued to a move number; a number in front makes a move of a square.
fn classify_behind_number(run: &[u8]) -> Word {
    let digits = run.iter().take_while(|b| b.is_ascii_digit()).count();
    let letters = run[digits..].iter().take_while(|b| b.is_ascii_alphabetic()).count();
    let square = if letters > 0 { &run[digits + letters..] } else { run };
    if behind_square(square).is_some() { Word::Move } else { Word::Loose }
}

/// Whether `1e21` rather than player 1 and a piece `e`.
fn is_exponent(run: &[u8], digits: usize, letters: usize) -> bool {
    digits > 0 && letters == 1 && matches!(run[digits], b'e' | b'E')
}

/// A run that begins with letters and no square behind them.
fn letters_alone(run: &[u8], letters: usize) -> Word {
    let word = &run[..letters];
    let lower = word.iter().all(u8::is_ascii_lowercase);
    match run.get(letters) {
        Some(b':') => Word::Field,
        None | Some(b',' | b')') if matches!(word, b"w" | b"b" | b"r" | b"bu" | b"y" | b"g" | b"n") => {
            Word::Field
        }
        None | Some(b',' | b')') if lower && letters > 2 => Word::Field,
        _ => Word::Loose,
    }
}

/// What stands behind `x,y`, or `None` if the text does not begin with a square.
fn behind_square(text: &[u8]) -> Option<&[u8]> {
    let rest = behind_number(text)?;
    behind_number(rest.strip_prefix(b",")?)
}

fn behind_number(text: &[u8]) -> Option<&[u8]> {
    let unsigned = text.strip_prefix(b"-").unwrap_or(text);
    let digits = unsigned.iter().take_while(|b| b.is_ascii_digit()).count();
    if digits == 0 {
        return None;
    }
    let rest = &unsigned[digits..];
    // `1e21`, `1.5e3`, `1e+21`.
    let fraction = match rest {
        [b'.', tail @ ..] => 1 + tail.iter().take_while(|b| b.is_ascii_digit()).count(),
        _ => 0,
    };
    let [b'e' | b'E', exponent @ ..] = &rest[fraction..] else { return Some(rest) };
    let sign = usize::from(matches!(exponent.first(), Some(b'+' | b'-')));
    let power = exponent[sign..].iter().take_while(|b| b.is_ascii_digit()).count();
    if power == 0 { Some(rest) } else { Some(&exponent[sign + power..]) }
}
