//! Lists with one record per line.
//!
//! **Accepts** any line. **Skips** blank lines and lines that begin with `#`.

use boardprint_base::cut::{Cut, Step, line_end};

/// Cuts at line ends.
#[derive(Default)]
pub(crate) struct LineCutter {
    /// How much of the line holds no line feed.
    seen: usize,
}

impl Cut for LineCutter {
    fn step(&mut self, text: &[u8], last: bool) -> Step {
        let Some(end) = line_end(text, self.seen, last) else {
            self.seen = text.len();
            return Step::More;
        };
        self.seen = 0;
        let line = text[..end].trim_ascii();
        if line.is_empty() || line[0] == b'#' { Step::Skip(end) } else { Step::Record(end) }
    }

    fn position(&self) -> usize {
        self.seen
    }

    fn forget(&mut self, count: usize) {
        self.seen = self.seen.saturating_sub(count);
    }
}
