//! Where one record of a collection ends and the next begins: what the cutters of all formats share.

/// What a cutter found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// No end in this text; more is needed to decide.
    More,
    /// The first bytes are a record.
    Record(usize),
    /// The first bytes belong to no record.
    Skip(usize),
    /// The first bytes should have been a record of this kind.
    Bad(usize, &'static str),
}

/// Finds the end of the first record of a text that arrives in pieces.
///
/// After `Record(n)`, `Skip(n)` or `Bad(n)` the next text begins `n` bytes later. After `More` it begins at
/// the same byte and is longer. No byte is looked at more than a few times, whatever the pieces.
pub trait Cut {
    /// Looks on. With `last`, the text is all there is to decide with: then `More` means that all of it is
    /// one record.
    fn step(&mut self, text: &[u8], last: bool) -> Step;

    /// What is still open when no bytes are left.
    fn unclosed(&self) -> Option<&'static str> {
        None
    }

    /// Where it will look on: everything before is part of the record and need not be kept.
    fn position(&self) -> usize;

    /// The first `count` bytes of the text are gone; beyond `position` only after a step with `last`.
    fn forget(&mut self, count: usize);
}

/// The end of the line at `from`, after its line feed; `None` if it is not in the text yet.
#[must_use]
pub fn line_end(text: &[u8], from: usize, last: bool) -> Option<usize> {
    match memchr::memchr(b'\n', &text[from..]) {
        Some(at) => Some(from + at + 1),
        None if last => Some(text.len()),
        None => None,
    }
}

/// Whether the text is a whole tag, `[Name "value"]` or `[Name: value]`, with nothing after it.
#[must_use]
pub fn is_tag_line(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let [b'[', inner @ .., b']'] = line else { return false };
    let name = inner.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    let rest = inner[name..].trim_ascii_start();
    name > 0 && (rest.first() == Some(&b':') || (rest.len() >= 2 && rest[0] == b'"' && rest.ends_with(b"\"")))
}

/// Where a comment that should have been closed before `end` gives way to the tags of another record: at a
/// line that is a tag and follows a blank line. Nobody writes that into a comment, everybody forgets a brace
/// once.
#[must_use]
pub fn tags_in_comment(text: &[u8], start: usize, end: usize) -> Option<usize> {
    let mut blank = false;
    let mut line = start;
    while line < end {
        let next = memchr::memchr(b'\n', &text[line..end]).map_or(end, |at| line + at + 1);
        if line > start {
            let content = text[line..next].trim_ascii();
            if blank && content.first() == Some(&b'[') && is_tag_line(content) {
                return Some(line);
            }
            blank = content.is_empty();
        }
        line = next;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_after_its_line_feed_or_with_the_last_text() {
        assert_eq!(line_end(b"ab\ncd", 0, false), Some(3));
        assert_eq!(line_end(b"ab\ncd", 3, false), None);
        assert_eq!(line_end(b"ab\ncd", 3, true), Some(5));
    }

    #[test]
    fn a_tag_line_is_a_whole_tag() {
        for line in ["[White \"A\"]", " [White: A] \r\n", "[A_1 \"\"]"] {
            assert!(is_tag_line(line.as_bytes()), "{line}");
        }
        for line in ["[%clk 0:01:00]", "[White \"A\"] K1,1", "[ \"A\"]", "[White]", "[White \"]", "White: A"]
        {
            assert!(!is_tag_line(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn tags_after_a_blank_line_end_an_open_comment() {
        let text = b"{never closed\n[White \"A\"]\n\n[White \"B\"]\n1. x }";
        assert_eq!(tags_in_comment(text, 0, text.len()), Some(27));
        assert_eq!(tags_in_comment(text, 0, 30), None);
        assert_eq!(tags_in_comment(text, 0, 38), Some(27));
    }
}
