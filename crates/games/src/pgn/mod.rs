//! PGN games: tags, start, moves.
//!
//! **Accepts** one record: tags with `\"` and `\\`, SAN in any usual spelling (long algebraic, `e7e8q`,
//! `0-0`, no or wrong marks, more or less disambiguation than needed), comments, nested variations (passed
//! over), glyphs, `%` lines, move numbers or none, results, null moves (`--`, `Z0`), the tags `FEN` (X-FEN
//! and Shredder-FEN too) and `SetUp`. The tags `Variant`, `Game` and `Red` name Makruk, Shogi, Xiangqi and
//! Janggi; their moves may be in any of their notations, which is told by what is legal.
//!
//! **Writes** tags, moves in SAN or another notation, and the result, in lines of at most 80 characters.
//!
//! **Refuses** a start that cannot be played from, other variants, and a move that is illegal, ambiguous or
//! not a move: [`GameError`](crate::GameError) says where the game breaks off.

mod marks;
mod parse;
mod setup;
mod words;
mod write;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

pub(crate) use marks::marks;
pub(crate) use parse::draft;
pub use parse::{PgnOptions, read};
pub(crate) use setup::{is_finite_variant, plain_name};
pub(crate) use write::is_tag_name;
pub use write::{write, write_in};

/// A tag of a PGN game, as it stands in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag<'a> {
    /// Such as `White`.
    pub name: &'a str,
    /// The value between its quotes, escapes and all.
    pub raw: &'a str,
    /// Whether there is a backslash in the value.
    escaped: bool,
}

/// The tags of a record, without its moves.
#[must_use]
pub fn tags(text: &str) -> Vec<Tag<'_>> {
    parse::tag_section(text).0
}

/// The record with some tags added after its own; one that it has already gets the new value.
///
/// ```
/// let text = "[Event \"?\"]\n\n1. e4 *";
/// let tags = [("Event".to_owned(), "Open".to_owned()), ("ECO".to_owned(), "B00".to_owned())];
/// assert_eq!(boardprint_games::pgn::with_tags(text, &tags), "[Event \"Open\"]\n[ECO \"B00\"]\n\n1. e4 *");
/// ```
#[must_use]
pub fn with_tags(text: &str, tags: &[(String, String)]) -> String {
    let own = parse::tag_section(text).0;
    let place = |tag: &Tag<'_>| tag.raw.as_ptr() as usize - text.as_ptr() as usize;
    let escaped = |value: &str| value.replace('\\', "\\\\").replace('"', "\\\"");
    let mut out = String::with_capacity(text.len() + 64);
    let mut done = 0;
    for tag in &own {
        if let Some((_, value)) = tags.iter().find(|(name, _)| name == tag.name) {
            out.push_str(&text[done..place(tag)]);
            out.push_str(&escaped(value));
            done = place(tag) + tag.raw.len();
        }
    }
    // Behind the bracket of the last tag.
    let end = own.last().map_or(0, |tag| {
        let value_end = place(tag) + tag.raw.len();
        value_end + text[value_end..].find(']').map_or(0, |at| at + 1)
    });
    out.push_str(&text[done..end]);
    for (name, value) in tags.iter().filter(|(name, _)| own.iter().all(|tag| tag.name != name)) {
        if !out.is_empty() {
            out.push('\n');
        }
        for part in ["[", name, " \"", &escaped(value), "\"]"] {
            out.push_str(part);
        }
    }
    if end == 0 && !out.is_empty() {
        out.push_str("\n\n");
    }
    out.push_str(&text[end..]);
    out
}

impl<'a> Tag<'a> {
    /// The value without escapes.
    #[must_use]
    pub fn value(&self) -> Cow<'a, str> {
        if !self.escaped {
            return Cow::Borrowed(self.raw);
        }
        let mut value = String::with_capacity(self.raw.len());
        let mut chars = self.raw.chars().peekable();
        while let Some(c) = chars.next() {
            let escaped = if c == '\\' { chars.next_if(|next| matches!(next, '"' | '\\')) } else { None };
            value.push(escaped.unwrap_or(c));
        }
        Cow::Owned(value)
    }
}
