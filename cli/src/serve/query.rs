//! The parameters of a question: from an address, a form or a JSON object.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use boardprint_base::GameResult;
use boardprint_finite::Game;
use boardprint_store::db::{Cursor, Filter, GameKind, Order, Side, date};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

use super::fault::{Fault, Outcome};
use crate::filters::laws_of;

/// Parameters by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Query {
    values: BTreeMap<String, String>,
    /// Those that were given more than once.
    repeated: BTreeSet<String>,
}

/// The parameters that say which games count.
pub(super) const FILTERS: [&str; 8] =
    ["laws", "player", "color", "since", "until", "result", "minRating", "source"];

impl Query {
    /// Reads `a=b&c=d`; an empty value counts as none.
    pub(super) fn of_form(text: &str) -> Outcome<Self> {
        let mut all = Self::default();
        for pair in text.split('&').filter(|pair| !pair.is_empty()) {
            // A whole text in place of parameters is not passed over in silence.
            let Some((name, value)) = pair.split_once('=') else {
                let message = format!("expected `name=value`, found `{}`", brief(pair));
                return Err(Fault::parameter(message));
            };
            let (name, value) = (decoded(name)?, decoded(value)?);
            all.add(name, value);
        }
        Ok(all)
    }

    /// Reads a JSON object of strings and numbers.
    pub(super) fn of_json(text: &str) -> Outcome<Self> {
        let not_json = |error: serde_json::Error| {
            // The place of a text that is empty.
            let place = Some((error.line() as u64, error.column().max(1) as u64));
            Fault { place, ..Fault::unreadable(format!("this is not JSON: {error}")) }
        };
        if !matches!(serde_json::from_str(text).map_err(not_json)?, Value::Object(_)) {
            return Err(Fault::parameter("expected an object with the parameters"));
        }
        // An object of serde_json has each name once, whatever the text has.
        let Members(members) = serde_json::from_str(text).map_err(not_json)?;
        let mut all = Self::default();
        for (name, value) in members {
            let text = match value {
                Value::Null => continue,
                Value::String(text) => text,
                Value::Number(number) => number.to_string(),
                Value::Bool(flag) => flag.to_string(),
                Value::Array(_) | Value::Object(_) => {
                    return Err(Fault::parameter(format!(
                        "the parameter `{name}` must be a text or a number"
                    )));
                }
            };
            all.add(name, text);
        }
        Ok(all)
    }

    /// Adds a parameter. An empty value counts as none, and of several the first.
    fn add(&mut self, name: String, value: String) {
        if value.is_empty() {
            return;
        }
        match self.values.entry(name) {
            Entry::Vacant(entry) => {
                entry.insert(value);
            }
            Entry::Occupied(entry) => {
                self.repeated.insert(entry.key().clone());
            }
        }
    }

    /// Adds those of a body to those of the address.
    pub(super) fn extend(&mut self, more: Self) {
        self.repeated.extend(more.repeated);
        for (name, value) in more.values {
            self.add(name, value);
        }
    }

    /// Refuses parameters other than these.
    pub(super) fn only(&self, known: &[&[&str]]) -> Outcome<()> {
        let is_known = |name: &str| known.iter().any(|names| names.contains(&name));
        match self.values.keys().find(|name| !is_known(name)) {
            None => self.once_where(|_| true),
            Some(name) => {
                let names: Vec<&str> = known.iter().flat_map(|names| names.iter().copied()).collect();
                let hint = if names.is_empty() { "there are none".to_owned() } else { names.join(", ") };
                Err(Fault::parameter(format!("there is no parameter `{name}`")).hint(hint))
            }
        }
    }

    /// Refuses any of these that is given more than once.
    pub(super) fn once(&self, names: &[&str]) -> Outcome<()> {
        self.once_where(|name| names.contains(&name))
    }

    fn once_where(&self, is_meant: impl Fn(&str) -> bool) -> Outcome<()> {
        match self.repeated.iter().find(|name| is_meant(name)) {
            None => Ok(()),
            Some(name) => Err(Fault::parameter(format!("the parameter `{}` is given twice", brief(name)))),
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// The same without a parameter.
    pub(super) fn without(&self, name: &str) -> Self {
        let mut other = self.clone();
        other.values.remove(name);
        other
    }

    /// Sets a parameter, if there is a value.
    pub(super) fn set(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.values.insert(name.to_owned(), value.to_owned());
        }
    }

    /// The text of all parameters in one order, for comparing questions.
    pub(super) fn key(&self) -> String {
        let pairs: Vec<String> =
            self.values.iter().map(|(name, value)| format!("{name}={}:{value}", value.len())).collect();
        // Whoever repeats a parameter gets another answer, if it means something.
        let repeated: Vec<&str> = self.repeated.iter().map(String::as_str).collect();
        format!("{}&&{}", pairs.join("&"), repeated.join("&"))
    }

    /// The bytes of all parameters.
    pub(super) fn len(&self) -> usize {
        self.values.iter().map(|(name, value)| name.len() + value.len()).sum()
    }

    /// A parameter of some type.
    pub(super) fn parsed<T: FromStr>(&self, name: &str, expected: &str) -> Outcome<Option<T>> {
        let parse = |text: &str| {
            text.parse()
                .map_err(|_| Fault::parameter(format!("`{name}` must be {expected}, not `{}`", brief(text))))
        };
        self.get(name).map(parse).transpose()
    }

    /// A number with its usual value and the largest that is allowed.
    pub(super) fn number(&self, name: &str, usual: usize, most: usize) -> Outcome<usize> {
        let number = self.parsed::<usize>(name, &format!("a number up to {most}"))?.unwrap_or(usual);
        if number > most {
            return Err(Fault::parameter(format!("`{name}` must be a number up to {most}")));
        }
        Ok(number)
    }

    /// A flag.
    pub(super) fn flag(&self, name: &str) -> Outcome<bool> {
        Ok(self.parsed::<bool>(name, "`true` or `false`")?.unwrap_or(false))
    }

    pub(super) fn cursor(&self) -> Outcome<Option<Cursor>> {
        self.parsed("cursor", "the `nextCursor` of an earlier answer")
    }

    /// Which games count. `laws` are those of the position, for `laws=same`.
    pub(super) fn filter(&self, laws: Option<&str>) -> Outcome<Filter> {
        let side = match self.get("color") {
            None => None,
            Some("white") => Some(Side::White),
            Some("black") => Some(Side::Black),
            Some(other) => {
                let message = format!("`color` must be `white` or `black`, not `{}`", brief(other));
                return Err(Fault::parameter(message));
            }
        };
        let result = match self.get("result") {
            None => None,
            Some("white") => Some(GameResult::WhiteWins),
            Some("black") => Some(GameResult::BlackWins),
            Some("draw") => Some(GameResult::Draw),
            Some("unknown") => Some(GameResult::Unknown),
            Some(other) => {
                let message =
                    format!("`result` must be `white`, `black`, `draw` or `unknown`, not `{}`", brief(other));
                return Err(Fault::parameter(message));
            }
        };
        let laws = match self.get("laws") {
            None => None,
            Some("same") => match laws {
                Some(laws) => Some(laws.to_owned()),
                None => return Err(Fault::parameter("`laws=same` needs a position of the open board")),
            },
            Some(name) => Some(laws_of(name).map_err(|why| {
                Fault::parameter(format!("`laws={}`: {why}", brief(name)))
                    .hint("/api/v1/variants lists the variants; laws look like `(8|1)`; `usual`; `same` as the position")
            })?),
        };
        let rating = self.parsed::<u64>("minRating", "a number")?;
        Ok(Filter {
            player: self.get("player").map(str::to_owned),
            side,
            since: self.date("since")?,
            until: self.date("until")?,
            result,
            min_both_ratings: rating.map(|rating| u16::try_from(rating).unwrap_or(u16::MAX)),
            source: self.get("source").map(str::to_owned),
            // Letter by letter the folders of this machine could be guessed.
            source_name: true,
            laws,
            ..Filter::default()
        }
        .simplified())
    }

    /// Which games a list is of: `game`.
    pub(super) fn kind(&self) -> Outcome<Option<GameKind>> {
        let Some(name) = self.get("game") else { return Ok(None) };
        let finite = Game::ALL.into_iter().find(|game| game.name() == name).map(GameKind::Finite);
        match name {
            "infinite" => Ok(Some(GameKind::Infinite)),
            "other" => Ok(Some(GameKind::Board)),
            _ => finite.map(Some).ok_or_else(|| {
                let names = Game::ALL.map(Game::name).join(", ");
                Fault::parameter(format!("there is no game `{}`", brief(name)))
                    .hint(format!("infinite, {names}, other"))
            }),
        }
    }

    fn date(&self, name: &str) -> Outcome<Option<u32>> {
        let Some(text) = self.get(name) else { return Ok(None) };
        let parts: Vec<&str> = text.split('-').collect();
        let is_date = parts.len() <= 3
            && parts.iter().enumerate().all(|(index, part)| {
                part.len() == if index == 0 { 4 } else { 2 } && part.bytes().all(|b| b.is_ascii_digit())
            });
        match date(text) {
            number if is_date && number > 0 => Ok(Some(number)),
            _ => {
                let message = format!("`{name}` must be a date, not `{}`", brief(text));
                Err(Fault::parameter(message).hint("2024, 2024-03 or 2024-03-17"))
            }
        }
    }

    /// The order of a list of games.
    pub(super) fn order(&self) -> Outcome<Order> {
        match self.get("order") {
            None | Some("id") => Ok(Order::Number),
            Some("date") => Ok(Order::Date),
            Some("rating") => Ok(Order::Rating),
            Some("plies") => Ok(Order::Plies),
            Some(other) => {
                let message =
                    format!("`order` must be `id`, `date`, `rating` or `plies`, not `{}`", brief(other));
                Err(Fault::parameter(message))
            }
        }
    }
}

/// The members of a JSON object as they come.
struct Members(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Each;
        impl<'de> Visitor<'de> for Each {
            type Value = Members;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        from.deserialize_map(Each)
    }
}

/// What makes a filter without conditions equal to the default one.
trait Simplified {
    fn simplified(self) -> Self;
}

impl Simplified for Filter {
    fn simplified(mut self) -> Self {
        self.source_name &= self.source.is_some();
        self.side = self.side.filter(|_| self.player.is_some());
        self
    }
}

/// So much of a foreign text as fits into a message.
pub(super) fn brief(text: &str) -> String {
    let short: String = text.chars().take(40).collect();
    if short.len() < text.len() { format!("{short}…") } else { short }
}

/// A part of an address or form without its escapes.
pub(super) fn decoded(text: &str) -> Outcome<String> {
    let bad = || Fault::parameter("the address has a broken escape").hint("write `%` as `%25`");
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        match first {
            b'+' => bytes.push(b' '),
            b'%' => {
                let digit =
                    |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
                let [high, low, after @ ..] = rest else { return Err(bad()) };
                let (Some(high), Some(low)) = (digit(*high), digit(*low)) else { return Err(bad()) };
                bytes.push(high << 4 | low);
                rest = after;
            }
            byte => bytes.push(*byte),
        }
    }
    String::from_utf8(bytes).map_err(|_| Fault::parameter("the address is not UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_read() {
        let query = Query::of_form("position=K5%2C1%7Ck5,8&player=A+B&games=&color=white").unwrap();
        assert_eq!(query.get("position"), Some("K5,1|k5,8"));
        assert_eq!(query.get("player"), Some("A B"));
        assert_eq!(query.get("games"), None);
        assert!(query.only(&[&["position"], &FILTERS]).is_ok());
        assert_eq!(query.only(&[&["position"]]).unwrap_err().kind, "bad-parameter");
        for bad in ["e4", "a=1&e4", "a=%4", "a=%zz", "a=%ff"] {
            assert!(Query::of_form(bad).is_err(), "{bad}");
        }
        // Only a parameter that means something is refused for being given twice.
        let twice = Query::of_form("a=1&a=2&b=3").unwrap();
        assert!(twice.only(&[&["a", "b"]]).is_err() && twice.once(&["a"]).is_err());
        assert!(twice.once(&["b"]).is_ok());
        let mut both = Query::of_form("a=1").unwrap();
        both.extend(Query::of_form("b=2").unwrap());
        assert!(both.only(&[&["a", "b"]]).is_ok());
        both.extend(Query::of_form("b=2").unwrap());
        assert!(both.only(&[&["a", "b"]]).is_err());
    }

    #[test]
    fn json_is_read() {
        let query = Query::of_json(r#"{"position": "e4", "games": 3, "cursor": null}"#).unwrap();
        assert_eq!(
            (query.get("position"), query.get("games"), query.get("cursor")),
            (Some("e4"), Some("3"), None)
        );
        assert!(Query::of_json("[1]").is_err());
        assert!(Query::of_json(r#"{"a": 1, "a": 2}"#).unwrap().only(&[&["a"]]).is_err());
        assert_eq!(Query::of_json("{").unwrap_err().place, Some((1, 1)));
    }

    #[test]
    fn filters_are_checked() {
        let filter = |text: &str| Query::of_form(text).unwrap().filter(None);
        assert!(filter("").unwrap().is_empty());
        assert!(filter("color=white").unwrap().is_empty());
        assert_eq!(filter("since=2024-03").unwrap().since, Some(20_240_300));
        assert_eq!(filter("minRating=99999").unwrap().min_both_ratings, Some(u16::MAX));
        assert!(!filter("laws=Classical").unwrap().laws.unwrap().is_empty());
        assert_eq!(filter("laws=omega").unwrap().laws, Some(String::new()));
        assert_eq!(filter("laws=(8|1)").unwrap().laws.as_deref(), Some("(8|1)"));
        assert_eq!(filter("laws=usual").unwrap().laws.as_deref(), Some(""));
        let same = Query::of_form("laws=same").unwrap();
        assert_eq!(same.filter(Some("(8|1)")).unwrap().laws.as_deref(), Some("(8|1)"));
        assert!(same.filter(None).is_err());
        let kind = |text: &str| Query::of_form(text).unwrap().kind();
        assert_eq!(kind("game=shogi").unwrap(), Some(GameKind::Finite(Game::Shogi)));
        assert_eq!(kind("game=infinite").unwrap(), Some(GameKind::Infinite));
        assert!(kind("game=Go").is_err());
        for bad in
            ["since=yesterday", "until=2024-3", "result=perhaps", "color=red", "minRating=x", "laws=Nothing"]
        {
            assert_eq!(filter(bad).unwrap_err().kind, "bad-parameter", "{bad}");
        }
    }
}
