//! CSA collections.
//!
//! A game ends at a line `/`, which belongs to none, or where a version or an encoding follows something
//! other than comments.

use boardprint_base::cut::{Cut, Step, line_end};

/// Cuts at slashes and versions.
#[derive(Default)]
pub(crate) struct CsaCutter {
    /// The beginning of the line that is looked at.
    position: usize,
    /// How much of that line holds no line feed.
    seen: usize,
    /// Whether there is more than comments.
    has_any: bool,
    /// Whether there is more than comments and versions.
    has_content: bool,
}

impl CsaCutter {
    fn end(&mut self, length: usize) -> Step {
        *self = CsaCutter::default();
        Step::Record(length)
    }
}

impl Cut for CsaCutter {
    fn step(&mut self, text: &[u8], last: bool) -> Step {
        while self.position < text.len() {
            let Some(end) = line_end(text, self.seen.max(self.position), last) else {
                self.seen = text.len();
                return Step::More;
            };
            self.seen = 0;
            let line = text[self.position..end].trim_ascii_end();
            if line == b"/" {
                if self.has_any {
                    return self.end(self.position);
                }
                *self = CsaCutter::default();
                return Step::Skip(end);
            }
            let begins = line.starts_with(b"'CSA encoding=") || matches!(line, [b'V', b'1'..=b'9', ..]);
            if begins && self.has_content {
                return self.end(self.position);
            }
            self.has_any |= !line.is_empty() && line[0] != b'\'';
            self.has_content |= !line.is_empty() && !begins && line[0] != b'\'';
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
