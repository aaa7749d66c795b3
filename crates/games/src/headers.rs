//! The headers of CSA and KIF, and the tags they are.

use std::borrow::Cow;

use boardprint_bridge::Lost;

use crate::content::says_something;
use crate::ending::TERMINATION;
use crate::finite::FiniteGame;
use crate::kif;

/// A tag, the key of CSA, and the key of KIF.
const HEADERS: [(&str, Option<&str>, Option<&str>); 8] = [
    ("Event", Some("EVENT"), Some("棋戦")),
    ("Site", Some("SITE"), Some("場所")),
    ("Opening", Some("OPENING"), Some("戦型")),
    ("TimeControl", Some("TIME_LIMIT"), Some("持ち時間")),
    ("EndTime", Some("END_TIME"), Some("終了日時")),
    ("Note", Some("NOTE"), Some("備考")),
    ("Title", None, Some("表題")),
    ("Byoyomi", None, Some("秒読み")),
];

/// Tags that a record of Shogi says in another way.
const CARRIED: [&str; 8] = ["White", "Black", "Variant", "FEN", "SetUp", "Result", TERMINATION, "Game"];

/// The formats with headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Headers {
    Csa,
    Kif,
}

impl Headers {
    fn key(self, row: &(&'static str, Option<&'static str>, Option<&'static str>)) -> Option<&'static str> {
        match self {
            Headers::Csa => row.1,
            Headers::Kif => row.2,
        }
    }

    fn is_start(self, key: &str) -> bool {
        match self {
            Headers::Csa => key == "START_TIME",
            Headers::Kif => matches!(key, "開始日時" | "対局日"),
        }
    }

    /// Adds the tags that a header says.
    pub(crate) fn read<'a>(self, key: &'a str, value: &'a str, tags: &mut Vec<(Cow<'a, str>, Cow<'a, str>)>) {
        let known = HEADERS.iter().find(|row| self.key(row) == Some(key));
        match (known, date_and_time(value)) {
            (Some(row), _) => tags.push((row.0.into(), value.into())),
            (None, Some((date, time))) if self.is_start(key) => {
                tags.push(("Date".into(), date.into()));
                if !time.is_empty() {
                    tags.push(("Time".into(), time.into()));
                }
            }
            _ => tags.push((key.into(), value.into())),
        }
    }

    /// The headers of a game, without its players, and what they do not say.
    pub(crate) fn write(self, game: &FiniteGame<'_>, mut each: impl FnMut(&str, &str)) -> Lost {
        let mut lost = Lost::NOTHING;
        for (name, value) in &game.tags {
            if let Some(row) = HEADERS.iter().find(|row| *name == row.0)
                && let Some(key) = self.key(row)
            {
                each(key, &one_line(value));
            } else if name == "Date" && says_something(value) {
                let date = value.replace('.', "/");
                let time = game.tag("Time").map(|time| format!(" {time}")).unwrap_or_default();
                let key = if self == Headers::Csa { "START_TIME" } else { "開始日時" };
                each(key, &one_line(&format!("{date}{time}")));
            } else if self.owns(name) {
                each(name, &one_line(value));
            } else if !CARRIED.contains(&&**name) && !is_time_of_date(game, name) && says_something(value) {
                lost |= Lost::TAGS;
            }
        }
        lost
    }

    /// Whether a name is a key of the format that has no tag.
    fn owns(self, name: &str) -> bool {
        match self {
            Headers::Csa => {
                !name.is_empty()
                    && name.bytes().all(|b| b.is_ascii_uppercase() || b"_+-".contains(&b))
                    && name != "FEN"
                    && name != "ECO"
            }
            Headers::Kif => !name.is_ascii() && kif::is_free_key(name),
        }
    }
}

fn is_time_of_date(game: &FiniteGame<'_>, name: &str) -> bool {
    name == "Time" && game.tag("Date").is_some_and(says_something)
}

/// A value in one line.
pub(crate) fn one_line(value: &str) -> String {
    value.replace(['\n', '\r'], " ")
}

/// Date as PGN has it, and time, of `2003/05/03 10:30:00`, perhaps with the day of the week in parentheses.
fn date_and_time(value: &str) -> Option<(String, String)> {
    let value = value.trim();
    let end = value.find(|c: char| !c.is_ascii_digit() && c != '/').unwrap_or(value.len());
    let mut parts = value[..end].split('/');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let is_number = |text: &str, most: usize| (1..=most).contains(&text.len());
    if parts.next().is_some() || year.len() != 4 || !is_number(month, 2) || !is_number(day, 2) {
        return None;
    }
    let rest = value[end..].trim_start();
    let rest = match rest.strip_prefix(['(', '（']) {
        Some(weekday) => weekday.split_once([')', '）'])?.1,
        None => rest,
    };
    Some((format!("{year}.{month:0>2}.{day:0>2}"), rest.trim().to_owned()))
}
