//! Where a record certainly begins, told from the lines around it.
//!
//! Workers who share a large file look for such a place from wherever their part begins. Not every record
//! begins at one, but no such place lies inside a record, so that everybody who looks finds the same borders.

use boardprint_base::cut::is_tag_line;

use crate::Format;

/// How many bytes before a place decide, at most, whether a record begins there.
pub const LOOK_BACK: usize = boardprint_icn::Cutter::LOOK_BACK;

/// The first byte, not before `from`, at which a record certainly begins; `None` if there is none in the
/// text. Up to [`LOOK_BACK`] bytes before `from` should be part of the text. With `last`, the text ends where
/// the collection does.
#[must_use]
pub fn next_start(format: Format, text: &[u8], from: usize, last: bool) -> Option<usize> {
    let mut line = match from {
        0 => 0,
        from if text.get(from - 1) == Some(&b'\n') => from,
        from => from + memchr::memchr(b'\n', text.get(from..)?)? + 1,
    };
    while line < text.len() {
        let end = match memchr::memchr(b'\n', &text[line..]) {
            Some(at) => line + at + 1,
            None if last => text.len(),
            None => return None,
        };
        if line > 0 && begins(format, &text[..line], &text[line..end]) {
            return Some(line);
        }
        line = end;
    }
    None
}

/// Whether a record begins with a line, after the lines before it.
fn begins(format: Format, before: &[u8], line: &[u8]) -> bool {
    // No more than this much, whoever looks: then everybody gets the same answer.
    let before = &before[before.len().saturating_sub(LOOK_BACK)..];
    let (rest, above) = split_last_line(before);
    match format {
        Format::Icn => boardprint_icn::Cutter::is_beginning(before, line),
        // An event after a blank line begins a game, even inside a comment that somebody forgot to close.
        // After `%` alone there is none to end.
        Format::Pgn => {
            let (_, content) = split_last_line(rest.trim_ascii_end());
            let is_blank = above.trim_ascii().is_empty() && rest.last() == Some(&b'\n');
            is_blank
                && content.first().is_some_and(|first| *first != b'%')
                && line.starts_with(b"[Event ")
                && is_tag_line(line)
                // With the end of a comment in it, the line is part of that comment.
                && !line.contains(&b'}')
        }
        // One object per line: nowhere inside an object does a line begin with a brace after one that ends
        // with a brace.
        Format::Json => line.starts_with(b"{") && above.trim_ascii_end().ends_with(b"}"),
        // Every line is a record.
        Format::Cpn | Format::Fen | Format::Sfen | Format::Usi | Format::Uci => true,
        // A version begins a game after moves, and so does whatever follows a slash.
        Format::Csa => {
            let above = above.trim_ascii_end();
            let is_content = above.first().is_some_and(|first| !matches!(first, b'V' | b'\''));
            above == b"/" || (is_content && matches!(line, [b'V', b'2' | b'3', ..]))
        }
        Format::Kif => false,
    }
}

/// The last line of a text, without its line feed, and what stands before it.
fn split_last_line(text: &[u8]) -> (&[u8], &[u8]) {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    text.split_at(memchr::memrchr(b'\n', text).map_or(0, |feed| feed + 1))
}
