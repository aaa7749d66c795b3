//! Tags in quotes, at the beginning of a text.

use super::moves::{is_blank, skip_blanks};
use super::{Parts, PlainTag};
use crate::parse::LONG_VALUE;
use crate::variants::{self, Revision};

/// More tags than this are not plain: each name is compared with all others.
const MOST: usize = 32;

impl Parts {
    /// Finds the tags; gives the byte after them and their blanks.
    pub(super) fn skim_tags(&mut self, text: &str, limit: usize) -> Option<usize> {
        self.tags.clear();
        let bytes = text.as_bytes();
        let mut at = skip_blanks(bytes, 0);
        while bytes.get(at) == Some(&b'[') {
            let name = at + 1..word_end(bytes, at + 1);
            if name.is_empty() || bytes.get(name.end..name.end + 2) != Some(b" \"") {
                return None;
            }
            let start = name.end + 2;
            let value = start..start + bytes[start..].iter().position(|byte| *byte == b'"')?;
            let end = value.end + 2;
            let is_usual = bytes.get(end - 1) == Some(&b']')
                && (1..=LONG_VALUE).contains(&value.len())
                && bytes.get(end).is_some_and(|byte| is_blank(*byte))
                && self.tags.len() < MOST.min(limit)
                && self.tags.iter().all(|tag| bytes[tag.name.clone()] != bytes[name.clone()]);
            if !is_usual {
                return None;
            }
            self.tags.push(PlainTag { name, value });
            at = skip_blanks(bytes, end);
        }
        Some(at)
    }

    /// The revision of the variant that the tags name.
    pub(super) fn variant(&self, text: &str) -> Option<&'static Revision> {
        let tag = |name: &str| {
            let tag = self.tags.iter().find(|tag| text[tag.name.clone()] == *name)?;
            Some(&text[tag.value.clone()])
        };
        variants::named(tag).ok().flatten()
    }
}

/// The end of the letters and digits from a byte on.
fn word_end(bytes: &[u8], start: usize) -> usize {
    start + bytes[start..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count()
}
