//! JSON objects: alone, in an array, or one after another.
//!
//! **Accepts** objects with anything between them that an array has: brackets, commas, blanks. **Refuses**
//! other values between them, and an array that is not closed: the file may have lost its end. An object that
//! is never closed ends where a line begins with `{` and no object can begin, so that one broken line spoils
//! no other.

use boardprint_base::cut::{Cut, Step};

/// Cuts by brackets outside strings.
#[derive(Default)]
pub(crate) struct JsonCutter {
    position: usize,
    depth: usize,
    in_string: bool,
    /// Whether the array around the objects is open.
    in_array: bool,
    /// The last byte outside strings that is not blank, and whether a line feed follows it.
    before: u8,
    line_begins: bool,
}

impl JsonCutter {
    fn end(&mut self, length: usize) -> Step {
        *self = JsonCutter { in_array: self.in_array, ..JsonCutter::default() };
        Step::Record(length)
    }

    /// Goes on to the end of a string. False if it is not in the text.
    fn pass_string(&mut self, text: &[u8]) -> bool {
        while let Some(at) = memchr::memchr3(b'"', b'\\', b'\n', &text[self.position..]) {
            let found = self.position + at;
            if text[found] == b'\\' {
                if found + 1 >= text.len() {
                    self.position = found;
                    return false;
                }
                self.position = found + 2;
                continue;
            }
            // A string cannot hold a line feed: it has lost its quote.
            self.position = found + usize::from(text[found] == b'"');
            self.in_string = false;
            self.before = b'"';
            self.line_begins = false;
            return true;
        }
        self.position = text.len();
        false
    }
}

impl Cut for JsonCutter {
    fn step(&mut self, text: &[u8], last: bool) -> Step {
        if self.depth == 0 {
            match text[0] {
                b'{' => {}
                bracket @ (b'[' | b']') if self.in_array == (bracket == b'[') => {
                    // An array in the array holds no records, and what is not open cannot be closed.
                    let run = text.iter().take_while(|b| **b == bracket).count();
                    return if run == text.len() && !last {
                        Step::More
                    } else {
                        Step::Bad(run, "a JSON object")
                    };
                }
                bracket @ (b',' | b'[') => {
                    self.in_array |= bracket == b'[';
                    return Step::Skip(1);
                }
                b']' if self.in_array => {
                    self.in_array = false;
                    return Step::Skip(1);
                }
                _ => {
                    // The end of a value that is not an object.
                    let end = text.iter().skip(1).position(|b| matches!(b, b',' | b']' | b'{' | b'\n'));
                    return match end {
                        Some(at) => Step::Bad(at + 1, "a JSON object"),
                        None if last => Step::Bad(text.len(), "a JSON object"),
                        None => Step::More,
                    };
                }
            }
        }
        loop {
            if self.in_string && !self.pass_string(text) {
                return Step::More;
            }
            let Some(&byte) = text.get(self.position) else { return Step::More };
            match byte {
                b'\n' => self.line_begins = true,
                b' ' | b'\t' | b'\r' => {}
                _ => {
                    let can_begin = matches!(self.before, b':' | b',' | b'[' | b'{');
                    match byte {
                        b'"' => self.in_string = true,
                        b'{' if self.depth > 0 && self.line_begins && !can_begin => {
                            return self.end(self.position);
                        }
                        b'{' | b'[' => self.depth += 1,
                        b'}' | b']' if self.depth <= 1 => return self.end(self.position + 1),
                        b'}' | b']' => self.depth -= 1,
                        _ => {}
                    }
                    self.before = byte;
                    self.line_begins = false;
                }
            }
            self.position += 1;
        }
    }

    fn unclosed(&self) -> Option<&'static str> {
        self.in_array.then_some("array")
    }

    fn position(&self) -> usize {
        self.position
    }

    fn forget(&mut self, count: usize) {
        self.position = self.position.saturating_sub(count);
    }
}
