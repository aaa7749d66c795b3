//! What stands in braces: extra rules before the first move, comments anywhere.

use boardprint_base::{Json, JsonNumber, JsonObject, Span};

use super::cursor::{Cursor, Fault, Halt, PResult, broken, fail, fatal};
use super::strict::Feature;
use crate::error::{IcnErrorKind, Limited, Part, Rule};
use crate::warning::WarningKind;

/// Extra rules or a comment.
pub(super) enum Brace<'a> {
    Rules(JsonObject),
    Comment(&'a str),
}

/// What stands in braces before the first move: extra rules if it is an object, else a comment.
pub(super) fn brace<'a>(cursor: &Cursor<'a, '_>, i: &'a str) -> PResult<'a, Brace<'a>> {
    let mark = cursor.mark();
    match (Rules { cursor, depth: 0, unquoted: false }).object(i) {
        Ok((rest, object)) => {
            cursor.uses(Feature::ExtraRules, cursor.span(i, rest));
            Ok((rest, Brace::Rules(object)))
        }
        Err(nom::Err::Failure(fault)) => Err(nom::Err::Failure(fault)),
        Err(_) if looks_like_rules(&i[1..]) => broken(i, 1, Rule::BrokenRules),
        Err(_) => {
            cursor.forget(mark);
            let (rest, comment) = comment(cursor, i)?;
            Ok((rest, Brace::Comment(comment)))
        }
    }
}

/// A comment, from its `{` to the first `}`; gives what is between.
pub(super) fn comment<'a>(cursor: &Cursor<'a, '_>, i: &'a str) -> PResult<'a, &'a str> {
    let Some(end) = memchr::memchr(b'}', i.as_bytes()) else {
        return fail(i, 1, IcnErrorKind::Unclosed('{'));
    };
    let text = &i[1..end];
    check_clocks(cursor, i, text);
    Ok((&i[end + 1..], text))
}

/// Warns of clock stamps that are not `H:MM:SS` with or without a fraction.
fn check_clocks(cursor: &Cursor<'_, '_>, open: &str, text: &str) {
    const STAMP: &str = "[%clk";
    let mut offset = 0;
    while let Some(found) = text[offset..].find(STAMP) {
        let start = offset + found;
        let inner = &text[start + STAMP.len()..];
        let end = inner.find(']').unwrap_or(inner.len());
        if !is_clock(inner[..end].trim()) || end == inner.len() {
            let at = cursor.span(open, open).start + 1 + start;
            cursor.warn(WarningKind::Clock, Span::new(at, at + STAMP.len() + end));
        }
        offset = start + STAMP.len() + end;
    }
}

fn is_clock(text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let (time, fraction) =
        text.split_once('.').map_or((text, None), |(time, fraction)| (time, Some(fraction)));
    let parts: Vec<&str> = time.split(':').collect();
    let [hours, minutes, seconds] = parts[..] else { return false };
    digits(hours)
        && minutes.len() == 2
        && digits(minutes)
        && seconds.len() == 2
        && digits(seconds)
        && fraction.is_none_or(digits)
}

/// Whether something in braces was meant as extra rules: it begins with a quote, or with a word and a colon.
pub(crate) fn looks_like_rules(inner: &str) -> bool {
    let inner = inner.trim_start();
    let word = inner.bytes().take_while(|b| is_name_byte(*b)).count();
    inner.starts_with('"') || word > 0 && inner[word..].trim_start().starts_with(':')
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
}

/// A reader of JSON objects that also takes names without quotes and `Infinity`.
///
/// What is no object gives [`nom::Err::Error`] (it may be a comment), what is one but breaks a rule gives
/// [`nom::Err::Failure`].
struct Rules<'a, 'o, 'c> {
    cursor: &'c Cursor<'a, 'o>,
    depth: usize,
    unquoted: bool,
}

fn no_json<T>(rest: &str) -> PResult<'_, T> {
    Err(nom::Err::Error(Fault::new(rest, 0, IcnErrorKind::Expected { what: "JSON", found: None })))
}

fn json_blanks(text: &str) -> &str {
    text.trim_start_matches([' ', '\t', '\n', '\r'])
}

impl<'a> Rules<'a, '_, '_> {
    fn value(&mut self, i: &'a str) -> PResult<'a, Json> {
        match i.as_bytes().first() {
            Some(b'{') => self.object(i).map(|(rest, object)| (rest, Json::Object(object))),
            Some(b'[') => self.array(i),
            Some(b'"') => string(i).map(|(rest, text)| (rest, Json::String(text))),
            Some(b'-' | b'0'..=b'9') if !i.starts_with("-I") => self.number(i),
            _ => self.word(i),
        }
    }

    fn word(&mut self, i: &'a str) -> PResult<'a, Json> {
        let len = i.bytes().take_while(|b| is_name_byte(*b) || *b == b'-').count();
        let (word, rest) = i.split_at(len);
        let value = match word {
            "null" => Json::Null,
            "true" => Json::Bool(true),
            "false" => Json::Bool(false),
            "Infinity" | "-Infinity" => {
                self.cursor.warn(WarningKind::Infinity, self.cursor.span(i, rest));
                Json::String(word.into())
            }
            _ => return no_json(i),
        };
        Ok((rest, value))
    }

    fn number(&mut self, i: &'a str) -> PResult<'a, Json> {
        let len = i
            .bytes()
            .take_while(|b| b.is_ascii_digit() || matches!(b, b'-' | b'+' | b'.' | b'e' | b'E'))
            .count();
        let (text, rest) = i.split_at(len);
        match JsonNumber::parse(text, self.cursor.options.max_digits) {
            Some(number) => Ok((rest, Json::Number(number))),
            None => no_json(i),
        }
    }

    fn deeper(&mut self, i: &'a str) -> Result<(), Halt<'a>> {
        self.depth += 1;
        let limit = self.cursor.options.max_depth;
        if self.depth <= limit {
            return Ok(());
        }
        Err(fatal(i, 1, IcnErrorKind::TooMuch { what: Limited::Nesting, limit }))
    }

    fn array(&mut self, i: &'a str) -> PResult<'a, Json> {
        self.deeper(i)?;
        let mut items = Vec::new();
        let mut rest = json_blanks(&i[1..]);
        if let Some(behind) = rest.strip_prefix(']') {
            self.depth -= 1;
            return Ok((behind, Json::Array(items)));
        }
        loop {
            let (behind, item) = self.value(rest)?;
            items.push(item);
            rest = json_blanks(behind);
            match rest.as_bytes().first() {
                Some(b',') => rest = json_blanks(&rest[1..]),
                Some(b']') => {
                    self.depth -= 1;
                    return Ok((&rest[1..], Json::Array(items)));
                }
                _ => return no_json(rest),
            }
        }
    }

    fn object(&mut self, i: &'a str) -> PResult<'a, JsonObject> {
        self.deeper(i)?;
        let mut members = Vec::new();
        let mut names = Vec::new();
        let mut rest = json_blanks(&i[1..]);
        if let Some(behind) = rest.strip_prefix('}') {
            self.depth -= 1;
            return Ok((behind, JsonObject::default()));
        }
        loop {
            let at_name = rest;
            let (behind, name) = self.name(rest)?;
            names.push((at_name, behind));
            let Some(behind) = json_blanks(behind).strip_prefix(':') else {
                return no_json(behind);
            };
            let (behind, value) = self.value(json_blanks(behind))?;
            members.push((name, value));
            rest = json_blanks(behind);
            match rest.as_bytes().first() {
                Some(b',') => rest = json_blanks(&rest[1..]),
                Some(b'}') => break,
                _ => return no_json(rest),
            }
        }
        self.depth -= 1;
        let first_names: Vec<Box<str>> = members.iter().map(|(name, _)| name.clone()).collect();
        match JsonObject::from_members(members) {
            Ok(object) => Ok((&rest[1..], object)),
            Err(again) => {
                let (at, behind) = names[again];
                let first = first_names.iter().position(|name| *name == first_names[again]).unwrap_or(again);
                let first = self.cursor.span(names[first].0, names[first].1);
                fail(at, at.len() - behind.len(), IcnErrorKind::Twice { what: Part::Rule, first })
            }
        }
    }

    fn name(&mut self, i: &'a str) -> PResult<'a, Box<str>> {
        if i.starts_with('"') {
            return string(i);
        }
        let len = i.bytes().take_while(|b| is_name_byte(*b)).count();
        if len == 0 || i.as_bytes()[0].is_ascii_digit() {
            return no_json(i);
        }
        let (name, rest) = i.split_at(len);
        if !self.unquoted {
            self.unquoted = true;
            self.cursor.warn(WarningKind::UnquotedRules, self.cursor.span(i, rest));
        }
        Ok((rest, name.into()))
    }
}

/// A JSON string.
fn string(i: &str) -> PResult<'_, Box<str>> {
    let bytes = i.as_bytes();
    let mut text = String::new();
    let mut at = 1;
    loop {
        let run = bytes[at..].iter().take_while(|b| !matches!(b, b'"' | b'\\' | 0x00..=0x1f)).count();
        text.push_str(&i[at..at + run]);
        at += run;
        match bytes.get(at) {
            Some(b'"') => return Ok((&i[at + 1..], text.into())),
            Some(b'\\') => {
                let Some((character, len)) = escape(&i[at + 1..]) else { return no_json(&i[at..]) };
                text.push(character);
                at += 1 + len;
            }
            _ => return no_json(&i[at..]),
        }
    }
}

/// The character of an escape sequence behind its backslash, and how long it is.
fn escape(text: &str) -> Option<(char, usize)> {
    let simple = match text.as_bytes().first()? {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => {
            let unit = |text: &str| {
                let digits = text.get(..4).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))?;
                u16::from_str_radix(digits, 16).ok()
            };
            let first = unit(&text[1..])?;
            if let Some(character) = char::from_u32(u32::from(first)) {
                return Some((character, 5));
            }
            let second = unit(text.get(5..)?.strip_prefix("\\u")?)?;
            let pair = char::decode_utf16([first, second]).next()?.ok()?;
            return Some((pair, 11));
        }
        _ => return None,
    };
    Some((simple, 1))
}
