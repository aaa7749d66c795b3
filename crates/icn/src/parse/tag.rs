//! Tags: `[White "Tom"]`, `[White: Tom]`, `[White Tom]`, `[White]`.

use boardprint_base::{Span, Tag};

use super::cursor::{Cursor, PResult, expected, fail};
use super::strict::Feature;
use crate::error::IcnErrorKind;
use crate::warning::WarningKind;

/// The longest value that the site's converter takes.
pub(crate) const LONG_VALUE: usize = 200;

/// One tag, from its `[` to its `]`.
pub(super) fn tag<'a>(cursor: &Cursor<'a, '_>, i: &'a str) -> PResult<'a, Tag> {
    let inner = &i[1..];
    let unclosed = || fail(i, 1, IcnErrorKind::Unclosed('['));
    let name_len =
        inner.find(|c: char| c.is_whitespace() || matches!(c, ':' | '"' | ']' | '[')).unwrap_or(inner.len());
    let (name, behind_name) = inner.split_at(name_len);
    if memchr::memchr(b']', inner.as_bytes()).is_none() {
        return unclosed();
    }
    if name.is_empty() {
        return expected(inner, "the name of a tag");
    }
    if !name.bytes().all(|b| b.is_ascii_alphabetic()) {
        cursor.uses(Feature::OddTagName, cursor.span(inner, behind_name));
    }
    let next = cursor.blanks(behind_name);
    let (value, rest) = match next.as_bytes().first() {
        Some(b'"') => match quoted(&next[1..]) {
            Some((value, rest)) => {
                if value.contains('"') {
                    cursor.warn(WarningKind::QuoteInTag, inside(cursor, next, value));
                }
                cursor.note_odd_blanks(&next[1 + value.len()..], rest);
                cursor.uses(Feature::QuotedTag, cursor.span(i, rest));
                if next.len() > value.len() + rest.len() + "\"\"]".len() {
                    cursor.uses(Feature::BlankInTag, cursor.span(i, rest));
                }
                (value, rest)
            }
            None => return unclosed(),
        },
        Some(b':') => {
            let Some((value, rest)) = next[1..].split_once(']').filter(|(value, _)| !has_newline(value))
            else {
                return unclosed();
            };
            cursor.warn(WarningKind::ColonTag, cursor.span(i, rest));
            (value.trim(), rest)
        }
        Some(b']') => ("", &next[1..]),
        _ => {
            let Some((value, rest)) = next.split_once(']').filter(|(value, _)| !has_newline(value)) else {
                return unclosed();
            };
            cursor.warn(WarningKind::UnquotedTag, cursor.span(i, rest));
            cursor.note_odd_blanks(next, rest);
            (value.trim_end(), rest)
        }
    };
    if value.is_empty() {
        cursor.warn(WarningKind::TagWithoutValue, cursor.span(i, rest));
    }
    if value.len() > LONG_VALUE && value.chars().count() > LONG_VALUE {
        cursor.warn(WarningKind::LongTag, cursor.span(i, rest));
    }
    Ok((rest, Tag { name: name.into(), value: value.into() }))
}

/// A value up to its closing quote and bracket. A quote inside is allowed as long as the tag ends on the same
/// line.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let mut from = 0;
    loop {
        let quote = from + memchr::memchr(b'"', &text.as_bytes()[from..])?;
        if let Some(rest) = text[quote + 1..].trim_start().strip_prefix(']') {
            return Some((&text[..quote], rest));
        }
        if has_newline(&text[from..quote]) {
            return None;
        }
        from = quote + 1;
    }
}

fn has_newline(text: &str) -> bool {
    memchr::memchr(b'\n', text.as_bytes()).is_some()
}

fn inside(cursor: &Cursor<'_, '_>, before: &str, value: &str) -> Span {
    let start = cursor.span(before, before).start + 1;
    Span::new(start, start + value.len())
}
