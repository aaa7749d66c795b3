//! JSON values that keep integers exact, and their canonical text (RFC 8785, integers exact at any size).

use std::hash::{Hash, Hasher};

use crate::double::Decimal;

/// A JSON value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number in its one spelling.
    Number(JsonNumber),
    /// A string.
    String(Box<str>),
    /// A list.
    Array(Vec<Json>),
    /// An object.
    Object(JsonObject),
}

/// A JSON number in canonical spelling: whole numbers as exact digits, others as the nearest double.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct JsonNumber(Box<str>);

/// A JSON object: members in the order they were given, no name twice.
///
/// Order is kept for writing back only: equality, hashing and canonical text do not depend on it.
#[derive(Clone, Debug, Default)]
pub struct JsonObject(Vec<(Box<str>, Json)>);

impl Json {
    /// Appends the canonical text to `out`.
    pub fn write_to(&self, out: &mut Vec<u8>) {
        match self {
            Json::Null => out.extend_from_slice(b"null"),
            Json::Bool(value) => out.extend_from_slice(if *value { b"true" } else { b"false" }),
            Json::Number(number) => out.extend_from_slice(number.0.as_bytes()),
            Json::String(text) => Json::write_text_to(text, out),
            Json::Array(items) => {
                out.push(b'[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(b',');
                    }
                    item.write_to(out);
                }
                out.push(b']');
            }
            Json::Object(object) => object.write_to(out),
        }
    }

    /// Appends a text as a JSON string.
    pub fn write_text_to(text: &str, out: &mut Vec<u8>) {
        out.push(b'"');
        let mut rest = text.as_bytes();
        // Most texts have nothing to escape.
        while let Some(at) = rest.iter().position(|byte| matches!(byte, 0x00..=0x1f | b'"' | b'\\')) {
            out.extend_from_slice(&rest[..at]);
            match rest[at] {
                byte @ (b'"' | b'\\') => out.extend_from_slice(&[b'\\', byte]),
                0x08 => out.extend_from_slice(b"\\b"),
                0x09 => out.extend_from_slice(b"\\t"),
                0x0a => out.extend_from_slice(b"\\n"),
                0x0c => out.extend_from_slice(b"\\f"),
                0x0d => out.extend_from_slice(b"\\r"),
                byte => out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
            }
            rest = &rest[at + 1..];
        }
        out.extend_from_slice(rest);
        out.push(b'"');
    }
}

impl JsonObject {
    /// An object of these members, or the index of the first one whose name stands before it already.
    ///
    /// # Errors
    ///
    /// The index of the second of two members of one name.
    pub fn from_members(members: Vec<(Box<str>, Json)>) -> Result<Self, usize> {
        let mut order: Vec<usize> = (0..members.len()).collect();
        order.sort_by(|a, b| members[*a].0.cmp(&members[*b].0));
        let again = order
            .windows(2)
            .filter(|pair| members[pair[0]].0 == members[pair[1]].0)
            .map(|pair| pair[1])
            .min();
        again.map_or(Ok(JsonObject(members)), Err)
    }

    /// The value of a member.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Json> {
        self.0.iter().find(|(known, _)| &**known == name).map(|(_, value)| value)
    }

    /// The members in the order they were given.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Json)> {
        self.0.iter().map(|(name, value)| (&**name, value))
    }

    /// Whether there is no member.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The members in the order of RFC 8785 §3.2.3: by UTF-16 code units of the name.
    fn canonical_order(&self) -> Vec<&(Box<str>, Json)> {
        let mut members: Vec<_> = self.0.iter().collect();
        members.sort_by(|a, b| a.0.encode_utf16().cmp(b.0.encode_utf16()));
        members
    }

    /// Appends the canonical text to `out`.
    pub fn write_to(&self, out: &mut Vec<u8>) {
        self.write_members_to(|_, _| true, out);
    }

    /// Appends the canonical text of an object of some of the members to `out`.
    pub fn write_members_to(&self, keep: impl Fn(&str, &Json) -> bool, out: &mut Vec<u8>) {
        out.push(b'{');
        let kept = self.canonical_order().into_iter().filter(|(name, value)| keep(name, value));
        for (index, (name, value)) in kept.enumerate() {
            if index > 0 {
                out.push(b',');
            }
            Json::write_text_to(name, out);
            out.push(b':');
            value.write_to(out);
        }
        out.push(b'}');
    }

    /// Appends the text with members in the order they were given and a space after `:` and `,`.
    pub fn write_spaced_to(&self, out: &mut Vec<u8>) {
        out.push(b'{');
        for (index, (name, value)) in self.0.iter().enumerate() {
            if index > 0 {
                out.extend_from_slice(b", ");
            }
            Json::write_text_to(name, out);
            out.extend_from_slice(b": ");
            match value {
                Json::Object(object) => object.write_spaced_to(out),
                other => other.write_to(out),
            }
        }
        out.push(b'}');
    }
}

impl PartialEq for JsonObject {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.canonical_order() == other.canonical_order()
    }
}

impl Eq for JsonObject {}

impl Hash for JsonObject {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.canonical_order().hash(state);
    }
}

impl JsonNumber {
    /// The number of a JSON spelling, or `None` if it is not one, or needs more than `max_digits` digits.
    ///
    /// ```
    /// use boardprint_base::JsonNumber;
    /// let spelling = |text| JsonNumber::parse(text, 1000).map(|n| n.as_str().to_owned());
    /// assert_eq!(spelling("25e-1").as_deref(), Some("2.5"));
    /// assert_eq!(spelling("1E21").as_deref(), Some("1000000000000000000000"));
    /// assert_eq!(spelling("01"), None);
    /// ```
    #[must_use]
    pub fn parse(text: &str, max_digits: usize) -> Option<Self> {
        let (negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, Some(exponent)),
            None => (rest, None),
        };
        let (whole, fraction) = mantissa.split_once('.').map_or((mantissa, None), |(w, f)| (w, Some(f)));
        let digits_only = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let exponent_ok = exponent.is_none_or(|e| digits_only(e.strip_prefix(['+', '-']).unwrap_or(e)));
        let plain = digits_only(whole) && (whole == "0" || !whole.starts_with('0'));
        if !plain || !fraction.is_none_or(digits_only) || !exponent_ok || whole.len() > max_digits {
            return None;
        }
        let fraction = fraction.unwrap_or("");
        match whole_digits([whole, fraction], exponent.unwrap_or("0"), max_digits) {
            Some(Whole::Digits(digits)) if digits == "0" => Some(JsonNumber("0".into())),
            Some(Whole::Digits(digits)) => {
                Some(JsonNumber(format!("{}{digits}", if negative { "-" } else { "" }).into()))
            }
            Some(Whole::TooLong) => None,
            None => {
                let scale = scale(fraction, exponent.unwrap_or("0"));
                let rounded = Decimal::new(&[whole, fraction].concat(), scale).rounded()?;
                spelling(&rounded, max_digits).map(|text| {
                    JsonNumber(if negative && text != "0" { format!("-{text}") } else { text }.into())
                })
            }
        }
    }

    /// The canonical spelling.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What `digits · 10^exponent` is as a whole number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whole {
    /// Its digits without leading zeros.
    Digits(String),
    /// Whole, but with more digits than allowed.
    TooLong,
}

/// The whole number `whole.fraction · 10^exponent`, or `None` if it is none. Spends no memory on huge
/// exponents.
///
/// All three are ASCII digits, `exponent` with an optional sign.
#[must_use]
pub fn whole_digits([whole, fraction]: [&str; 2], exponent: &str, max_digits: usize) -> Option<Whole> {
    let digits = [whole, fraction].concat();
    let significant = digits.trim_start_matches('0');
    if significant.is_empty() {
        return Some(Whole::Digits("0".to_owned()));
    }
    let shift = scale(fraction, exponent);
    let trailing = significant.len() - significant.trim_end_matches('0').len();
    if shift < 0 {
        let cut = usize::try_from(shift.unsigned_abs()).ok()?;
        return (cut <= trailing)
            .then(|| limited(significant[..significant.len() - cut].to_owned(), max_digits));
    }
    let Some(zeros) =
        usize::try_from(shift).ok().filter(|zeros| zeros.saturating_add(significant.len()) <= max_digits)
    else {
        return Some(Whole::TooLong);
    };
    Some(Whole::Digits(format!("{significant}{}", "0".repeat(zeros))))
}

fn limited(digits: String, max_digits: usize) -> Whole {
    if digits.len() > max_digits { Whole::TooLong } else { Whole::Digits(digits) }
}

/// The power of ten by which a number without its point is multiplied.
fn scale(fraction: &str, exponent: &str) -> i64 {
    // An exponent that does not fit is beyond every limit in its own direction.
    let limit = i64::MAX / 4;
    let negative = exponent.starts_with('-');
    let magnitude = exponent.trim_start_matches(['+', '-']).parse::<i64>().map_or(limit, |e| e.min(limit));
    let exponent = if negative { -magnitude } else { magnitude };
    exponent.saturating_sub(i64::try_from(fraction.len()).unwrap_or(limit))
}

/// The spelling that ECMAScript gives a double, as RFC 8785 §3.2.2.3 wants it, but whole numbers have all
/// their digits; `None` if those are too many.
fn spelling(decimal: &Decimal, max_digits: usize) -> Option<String> {
    let digits = &*decimal.digits;
    if digits.is_empty() {
        return Some("0".to_owned());
    }
    let point = decimal.point();
    Some(match usize::try_from(point) {
        Ok(before) if before >= digits.len() => {
            let zeros = "0".repeat(before - digits.len());
            return (before <= max_digits).then(|| format!("{digits}{zeros}"));
        }
        Ok(before @ 1..=21) => format!("{}.{}", &digits[..before], &digits[before..]),
        _ if (-5..=0).contains(&point) => {
            format!("0.{}{digits}", &"00000"[..usize::try_from(-point).unwrap_or(0)])
        }
        _ => {
            let (first, more) = digits.split_at(1);
            let (dot, sign) = (if more.is_empty() { "" } else { "." }, if point > 0 { "+" } else { "" });
            format!("{first}{dot}{more}e{sign}{}", point - 1)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_one_spelling() {
        let cases = [
            ("0.10", "0.1"),
            ("2e-3", "0.002"),
            ("0.000000000000000000000000001", "1e-27"),
            ("1e-7", "1e-7"),
            ("0.000001", "0.000001"),
            ("333333333.33333329", "333333333.3333333"),
            ("-0.5", "-0.5"),
            ("12345.6789e-20", "1.23456789e-16"),
            ("-0.0", "0"),
            ("-1e-999", "0"),
            ("999999999999999999999.9", "1000000000000000000000"),
            ("1000000000000000000000", "1000000000000000000000"),
            ("2500e-2", "25"),
            ("-9007199254740993", "-9007199254740993"),
            ("1.5e300", &format!("15{}", "0".repeat(299))),
        ];
        for (text, spelling) in cases {
            assert_eq!(JsonNumber::parse(text, 1000).unwrap().as_str(), spelling, "{text}");
        }
    }

    #[test]
    fn texts_are_escaped_where_they_must_be() {
        for (text, written) in [
            ("", r#""""#),
            ("a b/é😀\u{7f}", "\"a b/é😀\u{7f}\""),
            ("\"\\", r#""\"\\""#),
            ("a\u{8}\t\nb\u{c}\r\u{0}\u{1f}c", r#""a\b\t\nb\f\r\u0000\u001fc""#),
        ] {
            let mut out = Vec::new();
            Json::write_text_to(text, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), written);
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in [
            "",
            "-",
            "01",
            "+1",
            "1.",
            ".5",
            "1e",
            "1e+",
            "0x1",
            "Infinity",
            "1e999999999",
            "1e99999999999999999999",
        ] {
            assert_eq!(JsonNumber::parse(text, 1000), None, "{text}");
        }
    }
}
