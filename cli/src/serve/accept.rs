//! What a client says about the answers that it wants and has: `Accept` and `If-None-Match`.

use axum::http::HeaderMap;
use axum::http::header::{self, HeaderName};

/// The form that a client prefers, of those that there are; the first of them if it does not say, or wants
/// none of them (RFC 9110, section 12.5.1).
pub(super) fn preferred(headers: &HeaderMap, forms: &[&'static str]) -> &'static str {
    let ranges: Vec<Range> = elements(headers, &header::ACCEPT).filter_map(Range::of).collect();
    // Of equals the first counts, so the last one must be better.
    let quality = |form: &str| {
        let fitting = ranges.iter().filter_map(|range| Some((range.fits(form)?, range.quality)));
        fitting.max().map_or(0, |(_, quality)| quality)
    };
    let best = forms.iter().rev().copied().max_by_key(|form| quality(form));
    best.filter(|form| quality(form) > 0).unwrap_or(forms[0])
}

/// A range of media types: `text/*;q=0.5`.
struct Range {
    kind: String,
    /// In thousandths.
    quality: u16,
}

impl Range {
    /// `None` if it cannot be read: then it counts for nothing.
    fn of(element: &str) -> Option<Self> {
        let mut parts = pieces(element, b';').map(str::trim);
        let kind = parts.next()?.to_ascii_lowercase();
        let weight = parts.find_map(|part| {
            let (name, value) = part.split_once('=')?;
            name.trim().eq_ignore_ascii_case("q").then_some(value.trim())
        });
        let quality = weight.map_or(Some(1000), thousandths)?;
        Some(Range { kind, quality })
    }

    /// How exactly it names a type, if it includes it.
    fn fits(&self, form: &str) -> Option<u8> {
        let family = form.split('/').next().unwrap_or_default();
        match self.kind.as_str() {
            "*/*" => Some(0),
            kind if kind == form => Some(2),
            kind if kind.strip_suffix("/*") == Some(family) => Some(1),
            _ => None,
        }
    }
}

/// A weight: `0.5`, with three digits at most.
fn thousandths(text: &str) -> Option<u16> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let is_number = part.len() <= 3 && part.bytes().all(|byte| byte.is_ascii_digit());
    match whole {
        _ if !is_number => None,
        "0" => format!("{part:0<3}").parse().ok(),
        "1" if part.bytes().all(|byte| byte == b'0') => Some(1000),
        _ => None,
    }
}

/// Which answers a client has already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// Those with these tags, compared weakly.
    Tags(Vec<String>),
    /// Whatever there is.
    Any,
}

impl Held {
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let tags: Vec<&str> = elements(headers, &header::IF_NONE_MATCH).collect();
        if tags == ["*"] {
            return Held::Any;
        }
        Held::Tags(tags.into_iter().map(|tag| weak(tag).to_owned()).collect())
    }

    pub(super) fn has(&self, tag: &str) -> bool {
        matches!(self, Held::Tags(tags) if tags.iter().any(|held| held == weak(tag)))
    }
}

/// A tag without the mark of weakness.
fn weak(tag: &str) -> &str {
    tag.strip_prefix("W/").unwrap_or(tag)
}

/// The elements of a list that may stand in several lines.
fn elements<'a>(headers: &'a HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'a str> {
    let lines = headers.get_all(name).into_iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| pieces(line, b',')).map(str::trim).filter(|element| !element.is_empty())
}

/// The pieces of a text between separators; those in quotes do not separate.
fn pieces(text: &str, separator: u8) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let whole = rest?;
        let (mut quoted, mut escaped) = (false, false);
        let end = whole.bytes().position(|byte| {
            let (was_escaped, ends) = (escaped, byte == separator && !quoted);
            escaped = quoted && byte == b'\\' && !was_escaped;
            quoted ^= byte == b'"' && !was_escaped;
            ends
        });
        let (piece, after) = end.map_or((whole, None), |end| (&whole[..end], Some(&whole[end + 1..])));
        rest = after;
        Some(piece)
    })
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn lines(name: &HeaderName, lines: &[&'static str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(name, HeaderValue::from_static(line));
        }
        headers
    }

    #[test]
    fn the_form_that_a_client_likes_best_is_sent() {
        let forms = ["application/json", "application/vnd.cpn+feen"];
        for (accept, expected) in [
            (&[][..], 0),
            (&["*/*"], 0),
            (&["application/vnd.cpn+feen"], 1),
            (&["Application/VND.CPN+FEEN"], 1),
            (&["application/vnd.cpn+feen, */*;q=0.1"], 1),
            (&["application/vnd.cpn+feen;q=0.1, application/json"], 0),
            (&["application/vnd.cpn+feen; Q=0.100, application/json; q=0.05"], 1),
            (&["application/json", "application/vnd.cpn+feen"], 0),
            (&["application/json;q=0.5", "application/vnd.cpn+feen"], 1),
            (&["application/vnd.cpn+feen;q=0"], 0),
            (&["application/vnd.cpn+feen;q=0, */*"], 0),
            (&["application/json;q=0, application/*;q=0.3"], 1),
            (&["application/vnd.cpn+feenx"], 0),
            (&["text/html;title=\"application/vnd.cpn+feen, x\";q=1"], 0),
            (&["text/html"], 0),
            (&["application/vnd.cpn+feen;q=2"], 0),
        ] {
            assert_eq!(preferred(&lines(&header::ACCEPT, accept), &forms), forms[expected], "{accept:?}");
        }
    }

    #[test]
    fn tags_are_compared_weakly_in_every_line() {
        let held = |text: &[&'static str]| Held::of(&lines(&header::IF_NONE_MATCH, text));
        for text in [&["W/\"a\""][..], &["\"a\""], &["\"b\" , W/\"a\""], &["\"b\"", "W/\"a\""]] {
            assert!(held(text).has("W/\"a\""), "{text:?}");
        }
        for text in [&[][..], &["\"b\""], &["a"], &["*"], &["\"*\""], &["\"b,W/\\\"a\\\"\""]] {
            assert!(!held(text).has("W/\"a\""), "{text:?}");
        }
        assert_eq!(held(&["*"]), Held::Any);
    }
}
