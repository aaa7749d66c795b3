//! What stands in braces: extra rules before the first move, comments anywhere.

use boardprint_base::{JsonObject, Span};

use super::cursor::{Cursor, PResult, broken, fail};
use super::strict::Feature;
use crate::error::{IcnErrorKind, Limited, Part, Rule};
use crate::json::{is_name_byte, read_rules};
use crate::warning::WarningKind;

/// Extra rules or a comment.
pub(super) enum Brace<'a> {
    Rules(JsonObject),
    Comment(&'a str),
}

/// What stands in braces before the first move: extra rules if it is an object, else a comment.
pub(super) fn brace<'a>(cursor: &Cursor<'a, '_>, i: &'a str) -> PResult<'a, Brace<'a>> {
    let start = cursor.span(i, i).start;
    match read_rules(cursor.options, i) {
        Ok((object, warnings, end)) => {
            let rest = &i[end..];
            for warning in warnings {
                cursor.warn(warning.kind(), warning.span().shifted(start));
            }
            cursor.uses(Feature::ExtraRules, cursor.span(i, rest));
            Ok((rest, Brace::Rules(object)))
        }
        Err(error) => match error.kind() {
            // It is an object that breaks a rule.
            IcnErrorKind::Twice { first, .. } => {
                let kind = IcnErrorKind::Twice { what: Part::Rule, first: first.shifted(start) };
                blame(i, error.span(), kind)
            }
            kind @ IcnErrorKind::TooMuch { what: Limited::Nesting, .. } => {
                blame(i, error.span(), kind.clone())
            }
            kind @ IcnErrorKind::TooMuch { .. } if looks_like_rules(&i[1..]) => {
                blame(i, error.span(), kind.clone())
            }
            _ if looks_like_rules(&i[1..]) => broken(i, 1, Rule::BrokenRules),
            _ => {
                let (rest, comment) = comment(cursor, i)?;
                Ok((rest, Brace::Comment(comment)))
            }
        },
    }
}

/// An error at a place in what stands in braces.
fn blame<T>(i: &str, span: Span, kind: IcnErrorKind) -> PResult<'_, T> {
    fail(&i[span.start..], span.end - span.start, kind)
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
    let start = cursor.span(open, open).start + 1;
    let mut offset = 0;
    while let Some(odd) = odd_clock(text, offset, is_clock) {
        cursor.warn(WarningKind::Clock, odd.shifted(start));
        offset = odd.end;
    }
    if cursor.notes_features()
        && let Some(odd) = odd_clock(text, 0, has_tenths)
    {
        cursor.uses(Feature::ClockWithoutTenths, odd.shifted(start));
    }
}

/// Whether a comment has a clock stamp that is not `H:MM:SS` with or without a fraction.
pub(crate) fn has_odd_clock(text: &str) -> bool {
    odd_clock(text, 0, is_clock).is_some()
}

/// The first stamp from a byte on that is not as it should be, without its `]`.
fn odd_clock(text: &str, from: usize, is_clock: fn(&str) -> bool) -> Option<Span> {
    const STAMP: &str = "[%clk";
    let mut offset = from;
    loop {
        let start = offset + text[offset..].find(STAMP)?;
        let inner = &text[start + STAMP.len()..];
        let end = inner.find(']').unwrap_or(inner.len());
        offset = start + STAMP.len() + end;
        if !is_clock(inner[..end].trim()) || end == inner.len() {
            return Some(Span::new(start, offset));
        }
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

/// Whether a clock has one digit after the point.
fn has_tenths(text: &str) -> bool {
    is_clock(text) && text.split_once('.').is_some_and(|(_, fraction)| fraction.len() == 1)
}

/// Whether something in braces was meant as extra rules: it begins with a quote, or with a word and a colon.
pub(crate) fn looks_like_rules(inner: &str) -> bool {
    let inner = inner.trim_start();
    let word = inner.bytes().take_while(|b| is_name_byte(*b)).count();
    inner.starts_with('"') || word > 0 && inner[word..].trim_start().starts_with(':')
}
