//! Where a record certainly begins, told from the lines around it.
//!
//! Workers who share a large file look for such a place from wherever their part begins. Not every record begins at one, but no
//! such place lies inside a record, so that everybody who looks finds the same borders.

use boardprint_base::cut::is_tag_line;

use crate::Format;

/// How many bytes before a place decide, at most, whether a record begins there.
pub const LOOK_BACK: usize = 1 << 10;

/// The first byte, not before `from`, at which a record certainly begins; `None` if there is none in the text. Up to [`LOOK_BACK`] bytes
/// before `from` should be part of the text. With `last`, the text ends where the collection does.
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
    let above = &before[..before.len() - 1];
    let above = &above[memchr::memrchr(b'\n', above).map_or(0, |at| at + 1)..];
    let above = above.trim_ascii();
    match format {
        // An event after a blank line begins a game, even inside a comment that somebody forgot to close.
        Format::Pgn => above.is_empty() && line.starts_with(b"[Event ") && is_tag_line(line),
        // One object per line: nowhere inside an object does a line begin with a brace after one that ends with a brace.
        Format::Json => line.starts_with(b"{") && above.ends_with(b"}"),
        // Every line is a record.
        Format::Cpn | Format::Fen | Format::Sfen | Format::Usi | Format::Uci => true,
        // A version begins a game, and so does whatever follows a slash.
        Format::Csa => above == b"/" || matches!(line, [b'V', b'2' | b'3', ..]) && !above.starts_with(b"'"),
        Format::Icn | Format::Kif => false,
    }
}
