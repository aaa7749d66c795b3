//! What is known about a game: names and values.

use std::fmt;

use boardprint_base::Tag;

use super::super::codec::{Cursor, put_bytes, put_varint};

/// The tags of a game, in order. They lie in one text: a game has a dozen or two, and to keep each on its own
/// would be most of what an import allocates.
///
/// ```
/// use boardprint_store::db::Tags;
/// let tags: Tags = [("White", "Ann"), ("Black", "Bob")].into_iter().collect();
/// assert_eq!(tags.get("Black"), Some("Bob"));
/// assert_eq!(tags.iter().next(), Some(("White", "Ann")));
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Tags {
    /// Names and values, one after another.
    text: String,
    /// Where each name and each value ends.
    ends: Vec<[usize; 2]>,
}

impl Tags {
    /// No tags.
    #[must_use]
    pub const fn new() -> Self {
        Tags { text: String::new(), ends: Vec::new() }
    }

    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The value of the first tag with a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// Name and value of each, in order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        let mut start = 0;
        self.ends.iter().map(move |&[middle, end]| {
            let tag = (&self.text[start..middle], &self.text[middle..end]);
            start = end;
            tag
        })
    }

    /// Adds a tag after the others.
    pub fn push(&mut self, name: &str, value: &str) {
        self.text.push_str(name);
        let middle = self.text.len();
        self.text.push_str(value);
        self.ends.push([middle, self.text.len()]);
    }

    /// How many bytes names and values have.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.text.len()
    }

    /// Appends them as the log keeps them.
    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        put_varint(out, self.len() as u64);
        for (name, value) in self.iter() {
            put_bytes(out, name.as_bytes());
            put_bytes(out, value.as_bytes());
        }
    }

    /// Reads what [`Tags::put`] wrote.
    pub(crate) fn take(input: &mut Cursor<'_>) -> Option<Self> {
        let count = input.count()?;
        // No more room than a game has use for: the number may be wrong.
        let (mut text, mut ends) =
            (Vec::with_capacity((24 * count).min(input.rest().len())), Vec::with_capacity(count.min(64)));
        for _ in 0..count {
            text.extend_from_slice(input.bytes()?);
            let middle = text.len();
            text.extend_from_slice(input.bytes()?);
            ends.push([middle, text.len()]);
        }
        // All of them at once: names and values are text if the whole is, and none ends within a character.
        let text = String::from_utf8(text).ok()?;
        let is_cut_well =
            |[middle, end]: &[usize; 2]| text.is_char_boundary(*middle) && text.is_char_boundary(*end);
        ends.iter().all(is_cut_well).then_some(Tags { text, ends })
    }

    fn with_room(tags: usize, bytes: usize) -> Self {
        Tags { text: String::with_capacity(bytes), ends: Vec::with_capacity(tags) }
    }
}

impl<N: AsRef<str>, V: AsRef<str>> FromIterator<(N, V)> for Tags {
    fn from_iter<T: IntoIterator<Item = (N, V)>>(tags: T) -> Self {
        let tags = tags.into_iter();
        let count = tags.size_hint().0;
        let mut all = Tags::with_room(count, count * 24);
        tags.for_each(|(name, value)| all.push(name.as_ref(), value.as_ref()));
        all
    }
}

impl From<&Tags> for Vec<Tag> {
    fn from(tags: &Tags) -> Self {
        tags.iter().map(|(name, value)| Tag { name: name.into(), value: value.into() }).collect()
    }
}

impl fmt::Debug for Tags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn tags_come_back(list: Vec<(String, String)>) {
            let tags: Tags = list.iter().map(|(name, value)| (name, value)).collect();
            prop_assert_eq!(tags.len(), list.len());
            let mut bytes = Vec::new();
            tags.put(&mut bytes);
            let mut input = Cursor::new(&bytes);
            let read = Tags::take(&mut input).unwrap();
            prop_assert!(input.is_empty());
            prop_assert_eq!(&read, &tags);
            let again: Vec<(String, String)> =
                read.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
            prop_assert_eq!(again, list);
        }

        #[test]
        fn any_bytes_are_tags_or_refused(bytes: Vec<u8>) {
            let _ = Tags::take(&mut Cursor::new(&bytes));
        }
    }

    #[test]
    fn tags_with_the_same_text_and_other_borders_differ() {
        assert_ne!(Tags::from_iter([("White", "Ann")]), Tags::from_iter([("Whit", "eAnn")]));
    }
}
