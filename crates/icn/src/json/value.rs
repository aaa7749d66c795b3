//! JSON values that know where they stand.

use std::borrow::Cow;

use boardprint_base::{Json, JsonNumber, JsonObject, Span};

use super::text::{Context, Slice, broken, error, expected};
use crate::error::{IcnError, IcnErrorKind, Limited, Part, Rule};
use crate::options::ReadOptions;
use crate::warning::{Warning, WarningKind};

/// Deeper than this is refused whatever the options say: values are read and dropped by recursion.
const DEEPEST: usize = 256;

/// A value and its bytes.
#[derive(Debug)]
pub(super) struct Value<'a> {
    pub(super) span: Span,
    pub(super) data: Data<'a>,
}

#[derive(Debug)]
pub(super) enum Data<'a> {
    Null,
    Bool(bool),
    /// As it is written.
    Number(&'a str),
    String(Cow<'a, str>),
    Array(Vec<Value<'a>>),
    Object(Vec<Member<'a>>),
}

/// A member of an object. No two of an object have the same name.
#[derive(Debug)]
pub(super) struct Member<'a> {
    name: Cow<'a, str>,
    name_span: Span,
    pub(super) value: Value<'a>,
}

impl Member<'_> {
    /// The name and its place.
    pub(super) fn name(&self) -> Slice<'_> {
        string_slice(&self.name, self.name_span)
    }
}

impl<'a> Value<'a> {
    pub(super) fn is_null(&self) -> bool {
        matches!(self.data, Data::Null)
    }

    pub(super) fn object(&self, what: &'static str) -> Result<&[Member<'a>], IcnError> {
        match &self.data {
            Data::Object(members) => Ok(members),
            _ => Err(self.expected(what)),
        }
    }

    pub(super) fn array(&self, what: &'static str) -> Result<&[Value<'a>], IcnError> {
        match &self.data {
            Data::Array(items) => Ok(items),
            _ => Err(self.expected(what)),
        }
    }

    pub(super) fn string(&self, what: &'static str) -> Result<Slice<'_>, IcnError> {
        match &self.data {
            Data::String(text) => Ok(string_slice(text, self.span)),
            _ => Err(self.expected(what)),
        }
    }

    pub(super) fn bool(&self, what: &'static str) -> Result<bool, IcnError> {
        match &self.data {
            Data::Bool(value) => Ok(*value),
            _ => Err(self.expected(what)),
        }
    }

    /// The error that something else had to stand here.
    pub(super) fn expected(&self, what: &'static str) -> IcnError {
        let found = match &self.data {
            Data::Null => 'n',
            Data::Bool(true) => 't',
            Data::Bool(false) => 'f',
            Data::Number(text) => text.chars().next().unwrap_or('0'),
            Data::String(_) => '"',
            Data::Array(_) => '[',
            Data::Object(_) => '{',
        };
        error(IcnErrorKind::Expected { what, found: Some(found) }, self.span)
    }

    /// The value without its place.
    pub(super) fn to_json(&self, context: &Context<'_>) -> Result<Json, IcnError> {
        Ok(match &self.data {
            Data::Null => Json::Null,
            Data::Bool(value) => Json::Bool(*value),
            Data::Number(text) => {
                let number = JsonNumber::parse(text, context.options.max_digits);
                Json::Number(number.ok_or_else(|| context.too_many_digits(self.span))?)
            }
            Data::String(text) => Json::String(text.as_ref().into()),
            Data::Array(items) => {
                Json::Array(items.iter().map(|item| item.to_json(context)).collect::<Result<_, _>>()?)
            }
            Data::Object(members) => {
                let members = members
                    .iter()
                    .map(|member| Ok((member.name.as_ref().into(), member.value.to_json(context)?)))
                    .collect::<Result<Vec<_>, IcnError>>()?;
                Json::Object(JsonObject::from_members(members).expect("no name stands twice in an object"))
            }
        })
    }
}

/// What a string says and where; the places inside it are known if it has no escapes.
fn string_slice(text: &str, span: Span) -> Slice<'_> {
    // An escape is always longer than what it stands for.
    if span.end - span.start == text.len() + 2 {
        Slice::exact(text, Span::new(span.start + 1, span.end - 1))
    } else {
        Slice::vague(text, span)
    }
}

/// Reads a whole text.
pub(super) fn read<'a>(context: &mut Context<'_>, text: &'a str) -> Result<Value<'a>, IcnError> {
    let mut reader = Reader { text, at: 0, depth: 0, context, rules: None };
    if text.starts_with('\u{feff}') {
        reader.at = '\u{feff}'.len_utf8();
        reader.context.warn(WarningKind::ByteOrderMark, Span::new(0, reader.at));
    }
    let value = reader.value()?;
    match reader.next() {
        None => Ok(value),
        Some(_) => Err(reader.expected("the end of the text")),
    }
}

/// Extra rules as ICN has them: the object that a text begins with, and the byte after it. Names may stand
/// without quotes.
pub(crate) fn read_rules(
    options: &ReadOptions,
    text: &str,
) -> Result<(JsonObject, Vec<Warning>, usize), IcnError> {
    let mut context = Context::new(options);
    let mut reader = Reader { text, at: 0, depth: 0, context: &mut context, rules: Some(Rules::default()) };
    let value = reader.value()?;
    let end = reader.at;
    match value.to_json(&context)? {
        Json::Object(object) => Ok((object, context.into_warnings(), end)),
        _ => Err(value.expected("extra rules: `{`")),
    }
}

/// What is different in extra rules of ICN.
#[derive(Default)]
struct Rules {
    /// Whether it was said already that names stand without quotes.
    is_warned: bool,
}

struct Reader<'a, 'p, 'o> {
    text: &'a str,
    at: usize,
    depth: usize,
    context: &'p mut Context<'o>,
    /// Given while reading extra rules of ICN rather than the long form.
    rules: Option<Rules>,
}

impl<'a> Reader<'a, '_, '_> {
    /// The next byte after blanks.
    fn next(&mut self) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().take_while(|b| matches!(b, b' ' | b'\n' | b'\r' | b'\t')).count();
        self.text.as_bytes().get(self.at).copied()
    }

    fn expected(&self, what: &'static str) -> IcnError {
        expected(what, self.text, self.at)
    }

    fn value(&mut self) -> Result<Value<'a>, IcnError> {
        let next = self.next();
        let start = self.at;
        let data = match next {
            Some(b'{') => Data::Object(self.nested(Self::members)?),
            Some(b'[') => Data::Array(self.nested(Self::items)?),
            Some(b'"') => Data::String(self.string()?),
            Some(b'-') if self.rules.is_some() && self.text[start..].starts_with("-I") => self.word()?,
            Some(b'-' | b'0'..=b'9') => Data::Number(self.number()?),
            Some(b'a'..=b'z' | b'A'..=b'Z') => self.word()?,
            _ => return Err(self.expected("a value")),
        };
        Ok(Value { span: Span::new(start, self.at), data })
    }

    fn nested<T>(&mut self, content: fn(&mut Self) -> Result<T, IcnError>) -> Result<T, IcnError> {
        let limit = self.context.options.max_depth.min(DEEPEST);
        // In the long form, the extra rules stand two levels deep.
        let around = if self.rules.is_some() { 0 } else { 2 };
        if self.depth == limit + around {
            let kind = IcnErrorKind::TooMuch { what: Limited::Nesting, limit };
            return Err(error(kind, Span::new(self.at, self.at + 1)));
        }
        self.depth += 1;
        let content = content(self)?;
        self.depth -= 1;
        Ok(content)
    }

    fn items(&mut self) -> Result<Vec<Value<'a>>, IcnError> {
        let mut items = Vec::new();
        self.list('[', b']', |reader| {
            items.push(reader.value()?);
            Ok(())
        })?;
        Ok(items)
    }

    fn members(&mut self) -> Result<Vec<Member<'a>>, IcnError> {
        let mut members = Vec::new();
        self.list('{', b'}', |reader| {
            let next = reader.next();
            let start = reader.at;
            let name = if next == Some(b'"') { reader.string()? } else { reader.bare_name()? };
            let name_span = Span::new(start, reader.at);
            if reader.next() != Some(b':') {
                return Err(reader.expected("`:` after a name"));
            }
            reader.at += 1;
            members.push(Member { name, name_span, value: reader.value()? });
            Ok(())
        })?;
        no_name_twice(&members)?;
        Ok(members)
    }

    /// A name without quotes, as the first texts have them in extra rules.
    fn bare_name(&mut self) -> Result<Cow<'a, str>, IcnError> {
        let rest = &self.text[self.at..];
        let len = rest.bytes().take_while(|b| is_name_byte(*b)).count();
        let begins_well = len > 0 && !rest.as_bytes()[0].is_ascii_digit();
        let Some(rules) = self.rules.as_mut().filter(|_| begins_well) else {
            return Err(self.expected("a name in quotes"));
        };
        if !std::mem::replace(&mut rules.is_warned, true) {
            self.context.warn(WarningKind::UnquotedRules, Span::new(self.at, self.at + len));
        }
        self.at += len;
        Ok(Cow::Borrowed(&rest[..len]))
    }

    /// What stands between brackets, with commas between.
    fn list(
        &mut self,
        open: char,
        close: u8,
        mut item: impl FnMut(&mut Self) -> Result<(), IcnError>,
    ) -> Result<(), IcnError> {
        let start = self.at;
        let unclosed = || error(IcnErrorKind::Unclosed(open), Span::new(start, start + 1));
        self.at += 1;
        if self.next() == Some(close) {
            self.at += 1;
            return Ok(());
        }
        loop {
            if self.next().is_none() {
                return Err(unclosed());
            }
            item(self)?;
            match self.next() {
                Some(b',') => self.at += 1,
                Some(byte) if byte == close => {
                    self.at += 1;
                    return Ok(());
                }
                Some(_) => {
                    return Err(self.expected(if close == b']' { "`,` or `]`" } else { "`,` or `}`" }));
                }
                None => return Err(unclosed()),
            }
        }
    }

    /// A string, from its opening quote.
    fn string(&mut self) -> Result<Cow<'a, str>, IcnError> {
        let start = self.at;
        self.at += 1;
        let plain = self.plain();
        if self.text.as_bytes().get(self.at) == Some(&b'"') {
            self.at += 1;
            return Ok(Cow::Borrowed(plain));
        }
        let mut text = plain.to_owned();
        loop {
            match self.text.as_bytes().get(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(Cow::Owned(text));
                }
                Some(b'\\') => text.push(self.escape()?),
                Some(_) => return Err(self.expected("an escape instead of a control character")),
                None => return Err(error(IcnErrorKind::Unclosed('"'), Span::new(start, start + 1))),
            }
            text.push_str(self.plain());
        }
    }

    /// The characters up to the next quote, backslash or control character.
    fn plain(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let len = rest.bytes().take_while(|b| !matches!(b, b'"' | b'\\' | 0..0x20)).count();
        self.at += len;
        &rest[..len]
    }

    fn escape(&mut self) -> Result<char, IcnError> {
        let start = self.at;
        let simple = match self.text.as_bytes().get(self.at + 1) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(),
            _ => return Err(expected("one of `\"\\/bfnrtu` after `\\`", self.text, start + 1)),
        };
        self.at += 2;
        Ok(simple)
    }

    fn unicode_escape(&mut self) -> Result<char, IcnError> {
        let start = self.at;
        let first = self.code_unit()?;
        let units = if (0xd800..0xdc00).contains(&first) && self.text[self.at..].starts_with("\\u") {
            vec![first, self.code_unit()?]
        } else {
            vec![first]
        };
        match char::decode_utf16(units).collect::<Result<Vec<_>, _>>().as_deref() {
            Ok([character]) => Ok(*character),
            _ => Err(broken(Rule::Surrogate, Span::new(start, self.at))),
        }
    }

    fn code_unit(&mut self) -> Result<u16, IcnError> {
        let digits = self.text.as_bytes().get(self.at + 2..self.at + 6).unwrap_or_default();
        let wrong =
            digits.iter().position(|b| !b.is_ascii_hexdigit()).or((digits.len() < 4).then_some(digits.len()));
        if let Some(wrong) = wrong {
            return Err(expected("four hex digits", self.text, self.at + 2 + wrong));
        }
        let value = digits.iter().fold(0, |value, digit| {
            value * 16 + u16::try_from(char::from(*digit).to_digit(16).unwrap_or(0)).unwrap_or(0)
        });
        self.at += 6;
        Ok(value)
    }

    fn number(&mut self) -> Result<&'a str, IcnError> {
        let start = self.at;
        self.skip(b"-");
        let whole = self.digits()?;
        if whole.len() > 1 && whole.starts_with('0') {
            let span = Span::new(start, self.at);
            return Err(broken(Rule::LeadingZero, span));
        }
        if self.skip(b".") {
            self.digits()?;
        }
        if self.skip(b"eE") {
            self.skip(b"+-");
            self.digits()?;
        }
        Ok(&self.text[start..self.at])
    }

    fn skip(&mut self, bytes: &[u8]) -> bool {
        let is_there = self.text.as_bytes().get(self.at).is_some_and(|b| bytes.contains(b));
        self.at += usize::from(is_there);
        is_there
    }

    fn digits(&mut self) -> Result<&'a str, IcnError> {
        let rest = &self.text[self.at..];
        let digits = &rest[..rest.bytes().take_while(u8::is_ascii_digit).count()];
        if digits.is_empty() {
            return Err(self.expected("a digit"));
        }
        self.at += digits.len();
        Ok(digits)
    }

    fn word(&mut self) -> Result<Data<'a>, IcnError> {
        let rest = &self.text[self.at..];
        let sign = usize::from(rest.starts_with('-'));
        let word = &rest[..sign + rest[sign..].bytes().take_while(u8::is_ascii_alphanumeric).count()];
        let span = Span::new(self.at, self.at + word.len());
        let data = match word {
            "null" => Data::Null,
            "true" => Data::Bool(true),
            "false" => Data::Bool(false),
            "undefined" if self.rules.is_none() => {
                self.context.warn(WarningKind::Undefined, span);
                Data::Null
            }
            "Infinity" | "-Infinity" => {
                self.context.warn(WarningKind::Infinity, span);
                Data::String(Cow::Borrowed(word))
            }
            _ => return Err(self.expected("a value")),
        };
        self.at = span.end;
        Ok(data)
    }
}

/// What names without quotes are made of.
pub(crate) fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
}

fn no_name_twice(members: &[Member<'_>]) -> Result<(), IcnError> {
    let mut order: Vec<usize> = (0..members.len()).collect();
    order.sort_by(|a, b| members[*a].name.cmp(&members[*b].name));
    let clash = order
        .windows(2)
        .filter(|pair| members[pair[0]].name == members[pair[1]].name)
        .map(|pair| (pair[0], pair[1]))
        .min_by_key(|(_, second)| *second);
    clash.map_or(Ok(()), |(first, second)| {
        let kind = IcnErrorKind::Twice { what: Part::Name, first: members[first].name_span };
        Err(error(kind, members[second].name_span))
    })
}
