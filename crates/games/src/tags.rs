//! Records with tags added.

use std::ops::Range;

use boardprint_base::Tag;

use crate::content::says_something;
use crate::{Content, Format, ReadOptions, Record, WriteOptions, pgn};

impl Content<'_> {
    /// Gives a game some tags; one that it has already gets the new value. Boards have no tags.
    pub fn add_tags(&mut self, tags: &[(String, String)]) {
        for (name, value) in tags {
            match self {
                Content::Infinite(game) => match game.tags.iter_mut().find(|tag| *tag.name == **name) {
                    Some(tag) => tag.value = value.as_str().into(),
                    None => game.tags.push(Tag { name: name.as_str().into(), value: value.as_str().into() }),
                },
                Content::Finite(game) => match game.tags.iter_mut().find(|(known, _)| known == name) {
                    Some((_, known)) => *known = value.clone().into(),
                    None => game.tags.push((name.clone().into(), value.clone().into())),
                },
                Content::Board(_) => {}
            }
        }
    }
}

/// The text of a record with some tags added; one that it has already gets the new value. A game in JSON is
/// written again; formats without tags stay as they are.
#[must_use]
pub fn with_tags(record: &Record, tags: &[(String, String)], options: &ReadOptions) -> String {
    match record.format {
        Format::Pgn => pgn::with_tags(&record.text, tags),
        Format::Icn => icn_with_tags(&record.text, tags),
        Format::Json => match options.read(record).map(|reading| reading.content) {
            Ok(mut content) => {
                content.add_tags(tags);
                let written = content.write(Format::Json, &WriteOptions::default());
                written.map_or_else(|_| record.text.clone(), |written| written.text)
            }
            Err(_) => record.text.clone(),
        },
        _ => record.text.clone(),
    }
}

fn icn_with_tags(text: &str, tags: &[(String, String)]) -> String {
    let mut text = text.to_owned();
    let between = if text.contains("\r\n") {
        "\r\n"
    } else if text.contains('\n') {
        "\n"
    } else {
        " "
    };
    let mut new = String::new();
    for (name, value) in tags {
        let tag = format!("[{name} \"{value}\"]");
        if let Some(place) = empty_tag(&text, name) {
            text.replace_range(place, &tag);
        } else {
            new.push_str(&tag);
            new.push_str(between);
        }
    }
    new + &text
}

/// The bytes of a tag that says nothing, from `[` to `]`.
fn empty_tag(text: &str, name: &str) -> Option<Range<usize>> {
    text.match_indices('[').find_map(|(start, _)| {
        let value = text[start + 1..].strip_prefix(name)?;
        let length = value.find(']')?;
        let value = value[..length].trim_start().trim_start_matches(':').trim().trim_matches('"');
        (!says_something(value)).then_some(start..start + 1 + name.len() + length + 1)
    })
}
