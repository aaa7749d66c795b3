//! Text of unknown origin, made fit for a terminal.

use std::borrow::Cow;
use std::fmt::Write as _;

/// The text with every character escaped that cannot be seen or that moves others about: control characters,
/// marks of writing direction, characters without width, separators of lines. Line feeds and tabs stay.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_hidden(c) {
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out.into()
}

/// The same for a name that must stay on its line.
pub(crate) fn visible_line(text: &str) -> Cow<'_, str> {
    match visible(text) {
        text if text.contains(['\n', '\t']) => text.replace('\n', "\\n").replace('\t', "\\t").into(),
        text => text,
    }
}

fn is_hidden(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\u{ad}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{feff}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}' => true,
        other => other.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_escaped() {
        assert_eq!(visible("K1,1|é ♔\n"), "K1,1|é ♔\n");
        assert_eq!(visible("a\u{202e}b\u{1b}[31m\r"), "a\\u{202e}b\\u{1b}[31m\\u{d}");
        assert_eq!(visible("\u{9b}2J\u{200b}"), "\\u{9b}2J\\u{200b}");
        assert_eq!(visible_line("a\nb\tc\0"), "a\\nb\\tc\\u{0}");
    }
}
