//! Lines at which a record begins whatever stands before the line above them.
//!
//! Workers who share a large file begin anywhere in it, and nobody can tell there whether a brace was opened
//! some kilobytes before. So such a line ends even an open comment or extra rules: then everybody, and
//! whoever reads from the beginning, finds a record at the same byte.

use super::word::{Shape, field_end, shape};
use crate::lex;

/// How many bytes before a line decide, at most, whether a record certainly begins there.
pub(super) const LOOK_BACK: usize = 16 << 10;

/// Whether a record certainly begins with a line, given what stands before it: with a tag after a line that
/// ends with moves, pieces or a result; or with pieces or fields after a line that is a record by itself.
/// `None` if more of the line is needed to know; with `last` there is no more.
///
/// A record that begins within the line above begins with a tag, with extra rules or after comments, which is
/// why nothing of these counts: where somebody who sees all of that line says yes, whoever sees the record
/// alone says it too.
pub(super) fn surely_begins(before: &[u8], line: &[u8], last: bool) -> Option<bool> {
    if before.last() != Some(&b'\n') {
        return Some(false);
    }
    let feed = memchr::memchr(b'\n', line);
    let (line, is_whole) = (&line[..feed.unwrap_or(line.len())], feed.is_some() || last);
    let first = Token::of(line);
    if matches!(first, Token::Loose | Token::Other) {
        return Some(false);
    }
    let window = &before[before.len().saturating_sub(LOOK_BACK)..];
    let above = window.trim_ascii_end();
    let start = memchr::memrchr(b'\n', above).map(|feed| feed + 1);
    // Only a line that is there from its beginning can be a record by itself.
    let is_there = start.is_some() || window.len() < LOOK_BACK;
    let above = &above[start.unwrap_or(0)..];
    if first == Token::Tag {
        return Some(ends_with_play(above, is_there));
    }
    match plain_record(above).filter(|_| is_there) {
        // Fields alone belong to the position above them.
        Some(Has::Pieces) => has_pieces(line, is_whole),
        has => Some(has.is_some()),
    }
}

/// What the first word of a text is, by itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Token {
    Tag,
    /// A piece with a bar after it.
    Pieces,
    Field,
    /// A field only among others.
    Loose,
    Other,
}

impl Token {
    fn of(text: &[u8]) -> Self {
        let run = &text[..run_length(text)];
        match run.first() {
            Some(b'[') if is_tag(text) => Token::Tag,
            Some(b'(') if field_end(run) == Some(run.len()) => Token::Field,
            Some(b'(') | None => Token::Other,
            Some(_) if !run.iter().copied().all(is_plain) => Token::Other,
            Some(_) => match shape(run) {
                Shape::Piece if text.get(run.len()) == Some(&b'|') => Token::Pieces,
                Shape::Number | Shape::Square | Shape::Short => Token::Loose,
                shape if shape.is_field() => Token::Field,
                _ => Token::Other,
            },
        }
    }
}

/// The length of the run of bytes up to a blank or a bar; bars in parentheses are part of it.
fn run_length(text: &[u8]) -> usize {
    let is_field = text.first() == Some(&b'(');
    let ends = |b: &u8| b.is_ascii_whitespace() || (*b == b'|' && !is_field);
    text.iter().position(ends).unwrap_or(text.len())
}

/// What a line of fields, pieces and moves is made of.
fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\t' | b'\r') && !b"{}[]\":".contains(&byte)
}

/// Whether a line has pieces, perhaps after fields; `None` if more of it is needed to know.
fn has_pieces(mut line: &[u8], is_whole: bool) -> Option<bool> {
    loop {
        let length = run_length(line);
        match Token::of(line) {
            _ if length == line.len() && !is_whole => return None,
            Token::Pieces => return Some(true),
            Token::Field | Token::Loose => line = line[length..].trim_ascii_start(),
            Token::Tag | Token::Other => return Some(false),
        }
    }
}

/// Whether a line begins with `[Name "` or `[Name:`, as tags do and nothing in JSON does.
fn is_tag(line: &[u8]) -> bool {
    let [b'[', inner @ ..] = line else { return false };
    let name = inner.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    let after = inner[name..].iter().find(|b| !matches!(b, b' ' | b'\t'));
    inner.first().is_some_and(u8::is_ascii_uppercase) && matches!(after, Some(b'"' | b':'))
}

/// Whether a line has moves or pieces after its tags and extra rules and outside comments, or ends with a
/// result.
fn ends_with_play(line: &[u8], is_there: bool) -> bool {
    if line.last() == Some(&b']') {
        return false;
    }
    // Without its beginning, a line may begin in a comment.
    let mut in_comment = !is_there && line.contains(&b'}');
    let mut has_play = false;
    for (at, byte) in line.iter().enumerate() {
        match byte {
            b'{' => in_comment = true,
            b'}' => in_comment = false,
            b'"' => has_play = false,
            // A bracket after a brace is in a comment: `{[%clk 0:01]}`.
            b'[' if at == 0 || line[at - 1] != b'{' => has_play = false,
            b'>' => has_play |= !in_comment,
            b'|' => has_play |= !in_comment && line.get(at + 1).is_some_and(u8::is_ascii_alphabetic),
            _ => {}
        }
    }
    let last = line.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    has_play || (!in_comment && lex::result(last).is_some_and(|(_, length)| length == last.len()))
}

/// What a line has that is a record by itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Has {
    Pieces,
    Moves,
}

/// What a line has that is a record by itself, with nothing but fields, pieces and moves; `None` if it is not
/// such a line.
fn plain_record(line: &[u8]) -> Option<Has> {
    if !line.iter().copied().all(is_plain) || matches!(line.last(), None | Some(b'|' | b'>' | b'x')) {
        return None;
    }
    let words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let fields = words.clone().take_while(|word| !is_piece_list(word)).count();
    for (place, word) in words.clone().take(fields).enumerate() {
        if !matches!((place, Token::of(word)), (_, Token::Field) | (1.., Token::Loose)) {
            return None;
        }
    }
    let mut words = words.skip(fields);
    words.next()?;
    let is_move = |word: &[u8]| {
        word.contains(&b'>') || lex::result(word).is_some_and(|(_, length)| length == word.len())
    };
    Some(if words.any(is_move) { Has::Moves } else { Has::Pieces })
}

/// Whether a word is a list of two pieces or more.
fn is_piece_list(word: &[u8]) -> bool {
    word.contains(&b'|') && word.split(|b| *b == b'|').all(|entry| shape(entry) == Shape::Piece)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begins(above: &str, line: &str) -> bool {
        surely_begins(format!("{above}\n").as_bytes(), line.as_bytes(), true).unwrap()
    }

    #[test]
    fn tags_after_moves_begin_a_record() {
        for (above, line) in [
            ("K1,1|k1,9 1,1>1,2 {[%clk 0:01]}", "[Event \"x\"]"),
            ("1. K1,1 > 1,2\n \n", "[White: x] K1,1|k1,9"),
            ("[Event \"x\"] w K1,1|k1,9", "[Event \"x\"] K1,1|k1,9"),
            ("so it ended. 1-0", "[Site \"x\"]"),
        ] {
            assert!(begins(above, line), "{above}");
        }
        for (above, line) in [
            ("[White \"a > b\"]", "[Event \"x\"]"),
            ("1,1>1,2 [White \"a\"] w", "[Event \"x\"]"),
            ("{\"a>\": 1} w", "[Event \"x\"]"),
            ("{1,1>1,2 {} w", "[Event \"x\"]"),
            ("w 0/100", "[Event \"x\"]"),
            ("1,1>1,2", "[%clk 0:01]"),
            ("1,1>1,2", "[Event]"),
            ("1,1>1,2", "[true, \"x\"]"),
            ("", "[Event \"x\"]"),
        ] {
            assert!(!begins(above, line), "{above}");
        }
    }

    #[test]
    fn a_line_after_a_whole_record_begins_another() {
        for (above, line) in [
            ("K1,1|k1,9", "K2,2|k2,9 1,1>1,2"),
            ("b 0/100 3 (8|1) koth K1,1|k1,9 1,1>1,2|1,9>1,8\n\n", "(8|1) K1,1|k1,9"),
            ("K1,1|k1,9 1-0", "b K1,1|k1,9"),
            ("K1,1|k1,9", "b 3,4 0/100 7 (8|1) K1,1|k1,9"),
        ] {
            assert!(begins(above, line), "{above}");
        }
        for (above, line) in [
            ("K1,1|k1,9", "b"),
            ("K1,1|k1,9", "b 0/100 P1,1 > 1,2"),
            ("K1,1|k1,9|", "K2,2|k2,9"),
            ("3 K1,1|k1,9", "K2,2|k2,9"),
            ("Rays:1,1|2,2 K1,1|k1,9", "K2,2|k2,9"),
            ("K1,1|k1,9 {a}", "K2,2|k2,9"),
            ("K1,1|k1,9 1,1>1,2", "1. 1,1>1,2"),
            ("K1,1|k1,9 1,1>1,2", "K1,1 > 1,2"),
            ("K1,1|k1,9 1,1>1,2", "(8|1 K1,1"),
            ("maybe 1,1>1,2 was better", "K2,2|k2,9"),
        ] {
            assert!(!begins(above, line), "{above}");
        }
        let long = format!("K1,1|k1,9{}", " 1,1>1,2".repeat(LOOK_BACK / 8));
        assert!(!begins(&long, "K2,2|k2,9"));
        assert!(begins(&long, "[Event \"x\"]"));
        assert!(!begins(&format!("{{{long}}} w"), "[Event \"x\"]"));
    }

    #[test]
    fn a_line_that_is_not_whole_yet_is_waited_for() {
        let before = b"K1,1|k1,9\n";
        for part in ["b", "b ", "b (8|", "b 0/100 K1,", "b K1,1"] {
            assert_eq!(surely_begins(before, part.as_bytes(), false), None, "{part}");
        }
        assert_eq!(surely_begins(before, b"b K1,1|", false), Some(true));
        assert_eq!(surely_begins(before, b"b\nK1,1|", false), Some(false));
        assert_eq!(surely_begins(b"K1,1|k1,9 *\n", b"b", false), Some(true));
    }
}
