//! The XML that our own pictures are made of: elements, attributes and text, nothing else.

/// A piece of a picture.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Event<'a> {
    /// An element begins; `whole` if it also ends here.
    Open { name: &'a str, attributes: Attributes<'a>, whole: bool },
    /// An element ends.
    Close(&'a str),
    /// Text between elements, still escaped.
    Text(&'a str),
}

/// The attributes of an element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Attributes<'a>(&'a str);

impl<'a> Attributes<'a> {
    /// The value of an attribute, still escaped.
    pub(super) fn get(self, name: &str) -> Option<&'a str> {
        self.iter().find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    pub(super) fn iter(self) -> impl Iterator<Item = (&'a str, &'a str)> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let (name, tail) = rest.split_once("=\"")?;
            let (value, tail) = tail.split_once('"')?;
            rest = tail;
            Some((name.trim(), value))
        })
    }

    /// A number, or 0.
    pub(super) fn number(self, name: &str) -> f64 {
        self.get(name)
            .and_then(|value| value.parse().ok())
            .filter(|value: &f64| value.is_finite())
            .unwrap_or(0.0)
    }
}

/// The events of a picture in order, each with the place after it.
pub(super) fn events(source: &str) -> impl Iterator<Item = (Event<'_>, usize)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = source.get(at..).filter(|rest| !rest.is_empty())?;
        let Some(tag) = rest.strip_prefix('<') else {
            let end = rest.find('<').unwrap_or(rest.len());
            at += end;
            return Some((Event::Text(&rest[..end]), at));
        };
        // Our attributes never hold a `>`: it is escaped.
        let end = tag.find('>')?;
        at += end + 2;
        let tag = &tag[..end];
        let event = if let Some(name) = tag.strip_prefix('/') {
            Event::Close(name)
        } else {
            let (tag, whole) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
            let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
            Event::Open { name, attributes: Attributes(attributes), whole }
        };
        Some((event, at))
    })
}

/// Text as it was before it was escaped.
pub(super) fn unescaped(text: &str) -> String {
    let mut out = text.to_owned();
    for (code, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
    {
        if out.contains(code) {
            out = out.replace(code, character);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_and_text_come_in_order() {
        let all: Vec<Event<'_>> = events("<g a=\"1\" b=\"x y\">t<p/></g>").map(|(event, _)| event).collect();
        let Event::Open { name, attributes, whole } = &all[0] else { panic!("{all:?}") };
        assert_eq!(
            (*name, attributes.get("b"), attributes.number("a"), *whole),
            ("g", Some("x y"), 1.0, false)
        );
        assert_eq!(all[1], Event::Text("t"));
        assert!(matches!(all[2], Event::Open { name: "p", whole: true, .. }));
        assert_eq!(all[3..], [Event::Close("g")]);
        assert_eq!(unescaped("&lt;&amp;lt;"), "<&lt;");
    }
}
