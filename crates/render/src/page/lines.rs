//! Many similar texts as a table of lines and what changes from one to the next.

use std::collections::BTreeMap;
use std::fmt::Write;

/// Distinct lines, numbered in the order in which they came.
pub(super) struct Table {
    numbers: BTreeMap<String, usize>,
    bytes: usize,
    limit: usize,
}

/// Texts, each as what it takes from the one before and what is new.
#[derive(Default)]
pub(super) struct Lines {
    codes: Vec<String>,
    before: Vec<usize>,
}

impl Table {
    pub(super) fn new(limit: usize) -> Self {
        Table { numbers: BTreeMap::new(), bytes: 0, limit }
    }

    fn number(&mut self, line: &str) -> usize {
        if let Some(number) = self.numbers.get(line) {
            return *number;
        }
        let number = self.numbers.len();
        self.bytes += line.len() + 3;
        self.numbers.insert(line.to_owned(), number);
        number
    }

    /// Writes the lines as JSON.
    pub(super) fn write(&self, out: &mut String) {
        let mut lines = vec![""; self.numbers.len()];
        for (line, number) in &self.numbers {
            lines[*number] = line;
        }
        write_strings(out, lines.iter());
    }
}

impl Lines {
    /// Adds a text; `false` if there is too much altogether.
    pub(super) fn push(&mut self, table: &mut Table, text: &str) -> bool {
        let lines: Vec<usize> = text.lines().map(|line| table.number(line)).collect();
        // Where each line of the text before is: later ones win, and a run that goes on is preferred below.
        let places: BTreeMap<usize, usize> =
            self.before.iter().enumerate().map(|(place, line)| (*line, place)).collect();
        let mut code = String::new();
        let mut run: Option<(usize, usize)> = None;
        for line in &lines {
            run = match run {
                Some((from, count)) if self.before.get(from + count) == Some(line) => Some((from, count + 1)),
                other => {
                    close(&mut code, other);
                    if !places.contains_key(line) {
                        let _ = write!(code, "-{},", line + 1);
                    }
                    places.get(line).map(|place| (*place, 1))
                }
            };
        }
        close(&mut code, run);
        code.pop();
        table.bytes += code.len() + 3;
        self.codes.push(code);
        self.before = lines;
        table.bytes <= table.limit
    }

    /// Writes the codes as JSON.
    pub(super) fn write(&self, out: &mut String) {
        out.push('[');
        for (index, code) in self.codes.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            let _ = write!(out, "{comma}[{code}]");
        }
        out.push(']');
    }
}

fn close(code: &mut String, run: Option<(usize, usize)>) {
    if let Some((from, count)) = run {
        let _ = write!(code, "{from},{count},");
    }
}

/// Writes texts as JSON that may stand inside a `<script>`.
pub(super) fn write_strings<T: AsRef<str>>(out: &mut String, texts: impl Iterator<Item = T>) {
    out.push('[');
    for (index, text) in texts.enumerate() {
        out.push_str(if index == 0 { "\"" } else { ",\n\"" });
        let text = text.as_ref();
        for (place, c) in text.char_indices() {
            match c {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                '<' if !is_dangerous(&text[place + 1..]) => out.push('<'),
                '<' | '\u{2028}' | '\u{2029}' | '\0'..='\x1f' | '\x7f' => {
                    let _ = write!(out, "\\u{:04x}", u32::from(c));
                }
                c => out.push(c),
            }
        }
        out.push('"');
    }
    out.push(']');
}

/// Whether what follows a `<` could be the beginning or the end of a script, or of a comment.
fn is_dangerous(rest: &str) -> bool {
    let rest = rest.strip_prefix('/').unwrap_or(rest);
    rest.is_empty() || rest.starts_with(['!', 's', 'S'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_the_data_ends_the_script() {
        let mut out = String::new();
        write_strings(&mut out, ["<g></g>", "</script>", "<SCRIPT", "<!--", "</", "<\"\\\n"].iter());
        let expected = r#"["<g></g>",
"\u003c/script>",
"\u003cSCRIPT",
"\u003c!--",
"\u003c/",
"<\"\\\u000a"]"#;
        assert_eq!(out, expected);
    }
}
