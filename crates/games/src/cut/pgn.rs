//! PGN collections.
//!
//! **Accepts** games with or without tags. A game ends where tags follow its moves; where a line `[Event …]`
//! follows tags and a blank line, or repeats that tag (a game without moves); or where a line that begins
//! with `1.` follows a result and a blank line (a game without tags). Brackets in comments (`{…}`, `;…`) and
//! in `%` lines count for nothing, except that a whole tag after a blank line shows that a brace was
//! forgotten.

use boardprint_base::cut::{Cut, Step, line_end, tags_in_comment};

/// Cuts at tags after moves.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts, each read on its own")]
pub(crate) struct PgnCutter {
    /// The beginning of the line that is looked at, or the `{` of a comment.
    position: usize,
    in_line: bool,
    /// How much of an open comment holds no `}`.
    seen: usize,
    has_event: bool,
    has_tags: bool,
    has_moves: bool,
    ends_with_result: bool,
    after_blank: bool,
}

const RESULTS: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", b"*"];

impl PgnCutter {
    fn end(&mut self, length: usize) -> Step {
        *self = PgnCutter::default();
        Step::Record(length)
    }

    /// Whether the line at `position` begins another record.
    fn begins(&self, line: &[u8]) -> bool {
        let event = line.starts_with(b"[Event ");
        match line.first() {
            Some(b'[') if self.has_moves => line.get(1).is_some_and(u8::is_ascii_alphabetic),
            Some(b'[') => event && (self.has_event || (self.has_tags && self.after_blank)),
            Some(b'1') => self.ends_with_result && self.after_blank && line.starts_with(b"1."),
            _ => false,
        }
    }

    /// Passes the comment at `position`. False if its end is not in the text.
    fn pass_comment(&mut self, text: &[u8], last: bool) -> bool {
        let from = self.seen.max(self.position);
        let closed = memchr::memchr(b'}', &text[from..]).map(|at| from + at + 1);
        if closed.is_none() && !last {
            self.seen = text.len();
            return false;
        }
        self.seen = 0;
        let end = closed.unwrap_or(text.len());
        match tags_in_comment(text, self.position, end) {
            Some(tags) => {
                self.position = tags;
                self.in_line = false;
            }
            None => self.position = end,
        }
        true
    }
}

/// What stands after the tags with which a line begins.
fn behind_tags(mut line: &[u8]) -> &[u8] {
    while line.first() == Some(&b'[') {
        let Some(close) = memchr::memmem::find(line, b"\"]") else { return &[] };
        line = line[close + 2..].trim_ascii_start();
    }
    line
}

impl Cut for PgnCutter {
    fn step(&mut self, text: &[u8], last: bool) -> Step {
        while self.position < text.len() {
            if self.in_line && text[self.position] == b'{' {
                if !self.pass_comment(text, last) {
                    return Step::More;
                }
                continue;
            }
            let Some(end) = line_end(text, self.position, last) else { return Step::More };
            let line = &text[self.position..end];
            if !self.in_line {
                let content = line.trim_ascii_start();
                if content.is_empty() {
                    self.after_blank = true;
                    self.position = end;
                    continue;
                }
                if self.position > 0 && self.begins(content) {
                    return self.end(self.position);
                }
                self.after_blank = false;
                if line[0] == b'%' {
                    self.position = end;
                    continue;
                }
                if content[0] == b'[' && !self.has_moves {
                    self.has_tags = true;
                    self.has_event |= content.starts_with(b"[Event ");
                    // Nearly every line is one tag.
                    let one_tag = content.trim_ascii_end().ends_with(b"\"]");
                    let behind = if one_tag { &[] } else { behind_tags(content) };
                    self.position = end - behind.len();
                    if behind.trim_ascii_start().is_empty() {
                        self.position = end;
                        continue;
                    }
                    self.in_line = true;
                    self.has_moves = true;
                    continue;
                }
                self.has_moves = true;
            }
            match memchr::memchr2(b'{', b';', line) {
                Some(at) if line[at] == b'{' => {
                    self.position += at;
                    self.in_line = true;
                    self.ends_with_result = false;
                    continue;
                }
                comment => {
                    let moves = line[..comment.unwrap_or(line.len())].trim_ascii_end();
                    if !moves.trim_ascii_start().is_empty() {
                        self.ends_with_result = RESULTS.iter().any(|result| moves.ends_with(result));
                    }
                }
            }
            self.in_line = false;
            self.position = end;
        }
        Step::More
    }

    fn position(&self) -> usize {
        self.position
    }

    fn forget(&mut self, count: usize) {
        self.position = self.position.saturating_sub(count);
        self.seen = self.seen.saturating_sub(count);
    }
}
