//! KIF collections.
//!
//! A game ends where a header or a line `#` follows its moves. Lines before it that say nothing belong to none.

use boardprint_base::cut::{Cut, Step, line_end};

use crate::kif::{begins_record, is_move_line};
use crate::{Encoding, Format};

/// Cuts at headers after moves.
#[derive(Default)]
pub(crate) struct KifCutter {
    /// The beginning of the line that is looked at.
    position: usize,
    /// How much of that line holds no line feed.
    seen: usize,
    has_moves: bool,
    has_content: bool,
}

impl Cut for KifCutter {
    fn step(&mut self, text: &[u8], last: bool) -> Step {
        while self.position < text.len() {
            let Some(end) = line_end(text, self.seen.max(self.position), last) else {
                self.seen = text.len();
                return Step::More;
            };
            self.seen = 0;
            let line = &text[self.position..end];
            // A line that is not text begins nothing: the record that holds it says so.
            let decoded = Encoding::decode(line, Format::Kif).map(|(line, _)| line).unwrap_or_default();
            if self.has_moves && begins_record(&decoded) {
                let length = self.position;
                *self = KifCutter::default();
                return Step::Record(length);
            }
            self.has_moves |= is_move_line(&decoded) || decoded.starts_with("まで");
            self.has_content |= !line.trim_ascii().is_empty() && line[0] != b'#';
            self.position = end;
        }
        if last && !self.has_content {
            let length = text.len();
            *self = KifCutter::default();
            return Step::Skip(length);
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
