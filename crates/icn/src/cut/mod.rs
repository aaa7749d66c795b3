//! Collections of ICN: games and positions one after another, in any dialect.
//!
//! A record is tags, fields and a position in any order, then moves, then a result. It ends
//!
//! - after its first move or its result: at a tag, or at a line that begins with something that is not a
//!   move, a separator, a comment or a result (a field, a position; extra rules in front of them go with
//!   them);
//! - after its position, before any move: at a line that begins with a tag or a second position. Fields that
//!   begin the line of a second position go with it, and so do lines of fields between a blank line and a
//!   second position; other lines of fields belong to the position above them;
//! - after an object that is a game in the JSON long form;
//! - before its position: at tags that repeat `Event` or `Variant` after a blank line or a field.
//!
//! Lines and blanks mean nothing else, so one record may take many lines with blank ones between, and many
//! records one line each. A comment may hold anything but `}`. One that is never closed ends with its line,
//! or before a whole tag that follows a blank line. A line that certainly begins a record
//! ([`Cutter::is_beginning`]) ends everything before it.

mod certain;
mod word;

#[cfg(test)]
mod tests;

use boardprint_base::cut::{Cut, Step};

use word::{Lexer, Word, is_preset};

/// Finds where the records of a collection of ICN end. The module page of [`Cut`] says how to feed it.
///
/// ```
/// use boardprint_base::cut::{Cut, Step};
/// use boardprint_icn::Cutter;
///
/// let text = b"K1,1|k1,9 1,1>1,2\nw K2,2|k1,9\n";
/// assert_eq!(Cutter::default().step(text, true), Step::Record(18));
/// ```
///
/// A record ends after its first move, or else its position, at the first line that can only begin another
/// one. Several workers can share a file: each begins at the first line of its share that begins a record for
/// certain ([`Cutter::is_beginning`]).
#[derive(Debug, Default)]
pub struct Cutter {
    position: usize,
    lexer: Lexer,
    record: State,
}

/// What is known of the record so far.
#[derive(Debug, Default)]
struct State {
    phase: Phase,
    /// Only blanks and comments stand between the line's beginning and the place.
    at_line: bool,
    /// Line feeds since the last word.
    feeds: usize,
    /// A byte order mark after the last word: a text that was appended to another begins with it.
    mark: Option<usize>,
    before: Before,
    /// Where the next record begins if it turns out that there is one.
    candidate: Option<Candidate>,
    tags: Tags,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    #[default]
    Head,
    Placed,
    Moves,
}

/// What the last word says about the next one; comments aside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Before {
    #[default]
    Nothing,
    Bar,
    /// A move has its first square and needs its second.
    Arrow,
    /// A list that began with `Squares:` or `Rays:`, whose entries look like moves.
    Preset,
    PresetBar,
}

#[derive(Clone, Copy, Debug)]
struct Candidate {
    at: usize,
    /// Later lines do not replace it.
    firm: bool,
}

/// The tags before a position.
#[derive(Debug, Default)]
struct Tags {
    event: bool,
    variant: bool,
    /// The tags being read form one block that began here.
    block: Option<usize>,
}

impl Cutter {
    /// How many bytes before a line decide, at most, whether a record certainly begins there.
    pub const LOOK_BACK: usize = certain::LOOK_BACK;

    /// Whether a record certainly begins with a whole line, told from up to [`Cutter::LOOK_BACK`] bytes
    /// before it: with a tag after a line that ends with moves, pieces or a result; or with pieces or fields
    /// after a line that is a record by itself. Not every record begins so, but where one does, the cutter
    /// ends whatever is open, so that the answer is right from wherever a file is read.
    #[must_use]
    pub fn is_beginning(before: &[u8], line: &[u8]) -> bool {
        certain::surely_begins(before, line, true) == Some(true)
    }

    fn end(&mut self, at: usize) -> Step {
        self.position = 0;
        self.lexer.end(at);
        self.record = State::default();
        Step::Record(at)
    }

    /// Passes over blanks.
    fn blanks(&mut self, text: &[u8]) {
        while let Some(rest) = text.get(self.position..) {
            let Some(length) = word::blank(rest) else { return };
            match rest[0] {
                b'\n' => {
                    self.record.at_line = true;
                    self.record.feeds += 1;
                }
                0xef => drop(self.record.mark.get_or_insert(self.position)),
                _ => {}
            }
            self.position += length;
        }
    }

    /// Passes over what cannot matter, as long as it is plain.
    ///
    /// - After the first move and inside a line, nothing ends the record but a bracket; and only the last
    ///   word of the line says something about the next line: whether a move still wants its second square.
    /// - In a list of pieces, nothing matters but what may be a move or a result.
    ///
    /// Nearly all of a collection is this, so it decides how fast cutting is.
    fn skip_plain(&mut self, text: &[u8]) {
        let state = &mut self.record;
        let in_preset = matches!(state.before, Before::Preset | Before::PresetBar);
        if in_preset || self.lexer.is_inside_a_word() || self.position >= text.len() {
            return;
        }
        match state.phase {
            Phase::Moves if !state.at_line && state.candidate.is_none() => {
                let (start, is_word) = word::last_word(text, self.position);
                if start > self.position {
                    self.position = start;
                    state.before =
                        if is_word { Before::Nothing } else { state.before.after(Word::Bar, b"|") };
                    state.feeds = 0;
                }
            }
            Phase::Placed if state.before == Before::Bar && !state.at_line => {
                self.position = word::after_pieces(text, self.position);
            }
            _ => {}
        }
    }

    /// The word at `position` and its end, or `None` if more text is needed.
    fn word(&mut self, text: &[u8], last: bool) -> Option<(Word, usize)> {
        let state = &self.record;
        let place = word::Place {
            at: self.position,
            in_moves: state.phase == Phase::Moves,
            at_line: state.at_line,
            wants_target: state.before == Before::Arrow,
        };
        let (word, end) = self.lexer.word(text, last, place)?;
        let is_run = !matches!(text[self.position], b'[' | b'{' | b'|' | b'(');
        let is_entry = is_run && state.before == Before::PresetBar;
        Some((if is_entry { Word::Loose } else { word }, end))
    }

    /// Whether the word at `position` certainly begins a record; `None` if more text is needed to know.
    fn surely_begins(&self, text: &[u8], last: bool) -> Option<bool> {
        let (before, line) = text.split_at(self.position);
        certain::surely_begins(before, line, last)
    }

    /// Where the record ends if it cannot hold the word that stands at `position`.
    fn boundary(&mut self, word: Word, text: &[u8], end: usize) -> Option<usize> {
        let state = &mut self.record;
        let (here, candidate) = (state.mark.unwrap_or(self.position), state.candidate);
        match (state.phase, word) {
            (Phase::Moves | Phase::Placed, Word::Rules)
                if state.at_line && is_json_game(&text[self.position..end]) =>
            {
                Some(here)
            }
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
            (Phase::Placed, Word::Piece) if !state.before.is_bar() => match candidate {
                Some(candidate) if candidate.firm || !state.at_line => Some(candidate.at),
                _ => state.at_line.then_some(here),
            },
            (Phase::Placed, Word::Field | Word::Rules) if state.at_line => {
                if candidate.is_none_or(|c| !c.firm) {
                    state.candidate = Some(Candidate { at: here, firm: state.feeds > 1 });
                }
                None
            }
            (Phase::Head, Word::Tag) => {
                state.tags.boundary(&text[self.position + 1..end], here, state.feeds > 1)
            }
            _ => None,
        }
    }

    /// Notes the word at `position`, which belongs to the record.
    fn note(&mut self, word: Word, text: &[u8], end: usize) {
        let state = &mut self.record;
        let bytes = &text[self.position..end];
        match word {
            Word::Piece if state.phase == Phase::Head => state.phase = Phase::Placed,
            Word::Move | Word::Arrow | Word::Result => {
                state.phase = Phase::Moves;
                state.candidate = None;
            }
            Word::BrokenTag if memchr::memchr2(b'|', b'>', bytes).is_some() => {
                state.phase = state.phase.max(Phase::Placed);
            }
            _ => {}
        }
        if word != Word::Tag {
            state.tags.block = None;
        }
        state.before = state.before.after(word, bytes);
        // After moves, rules may turn out to be a comment.
        if word != Word::Comment && (word != Word::Rules || state.phase != Phase::Moves) {
            state.at_line = false;
        }
        state.feeds = 0;
        state.mark = None;
        // A comment or a broken tag may end with its line; what follows a comment of several lines does not
        // begin one.
        if bytes.last() == Some(&b'\n') {
            state.at_line = true;
            state.feeds = 1;
        } else if word == Word::Comment && memchr::memchr(b'\n', bytes).is_some() {
            state.at_line = false;
        }
    }
}

/// Whether an object before a position is no extra rules but a game in the JSON long form, which somebody put
/// into one file with ICN.
#[must_use]
pub fn is_json_game(object: &[u8]) -> bool {
    let first = object.get(1..).unwrap_or_default().trim_ascii_start();
    let is_position =
        |text: &[u8]| text.starts_with(b"\"startingPosition\"") || text.starts_with(b"\"shortposition\"");
    first.starts_with(b"\"metadata\"")
        || memchr::memchr_iter(b'"', object).any(|at| is_position(&object[at..]))
}

impl Before {
    fn is_bar(self) -> bool {
        matches!(self, Before::Bar | Before::PresetBar)
    }

    /// What stands before the next word once this one is passed.
    fn after(self, word: Word, bytes: &[u8]) -> Self {
        match word {
            Word::Comment => self,
            Word::Bar if matches!(self, Before::Preset | Before::PresetBar) => Before::PresetBar,
            Word::Bar => Before::Bar,
            Word::Field if is_preset(bytes) => Before::Preset,
            Word::Field => Before::Nothing,
            Word::Arrow | Word::Move if matches!(bytes.last(), Some(b'>' | b'x')) => Before::Arrow,
            _ if self == Before::PresetBar => Before::Preset,
            _ => Before::Nothing,
        }
    }
}

impl Tags {
    /// Where a record ends that has tags only, if this tag, given by its name and all after it, begins
    /// another one.
    fn boundary(&mut self, tag: &[u8], here: usize, after_blank_line: bool) -> Option<usize> {
        let (event, variant) = (tag.starts_with(b"Event"), tag.starts_with(b"Variant"));
        if self.block.is_none() || after_blank_line {
            self.block = Some(here);
        }
        let block = self.block.filter(|block| *block > 0);
        if block.is_some() && ((event && self.event) || (variant && self.variant)) {
            return block;
        }
        self.event |= event;
        self.variant |= variant;
        None
    }
}

impl Cut for Cutter {
    fn step(&mut self, text: &[u8], last: bool) -> Step {
        loop {
            self.blanks(text);
            let before = self.position;
            self.skip_plain(text);
            if self.position > before {
                continue;
            }
            if self.position >= text.len() {
                return Step::More;
            }
            let Some((word, end)) = self.word(text, last) else { return Step::More };
            if let Some(at) = self.boundary(word, text, end) {
                return self.end(at);
            }
            match self.surely_begins(text, last) {
                Some(true) => return self.end(self.position),
                Some(false) => {}
                None => return Step::More,
            }
            if word == Word::Rules && self.record.phase == Phase::Head {
                let object = &text[self.position..end];
                if is_json_game(object) {
                    return self.end(end);
                }
            }
            self.note(word, text, end);
            self.position = end;
        }
    }

    fn position(&self) -> usize {
        // What a candidate begins may become the next record.
        let pending = [self.record.candidate.map(|c| c.at), self.record.tags.block, self.record.mark];
        pending.into_iter().flatten().fold(self.position, usize::min)
    }

    fn forget(&mut self, count: usize) {
        self.position = self.position.saturating_sub(count);
        self.lexer.forget(count);
        let state = &mut self.record;
        state.candidate = state.candidate.and_then(|c| Some(Candidate { at: c.at.checked_sub(count)?, ..c }));
        state.tags.block = state.tags.block.and_then(|block| block.checked_sub(count));
        state.mark = state.mark.and_then(|mark| mark.checked_sub(count));
    }
}
