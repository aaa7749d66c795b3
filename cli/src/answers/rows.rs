//! Games in lists: who played, when, how it ended, where it was read.

use boardprint_base::GameResult;
use boardprint_dedup::Confidence;
#[cfg(feature = "serve")]
use boardprint_games::Content;
use boardprint_games::says_something;
use boardprint_store::db::{Counts, GameKind, GameLine, Snapshot, StoredGame};
use boardprint_store::games::confidence_of;
use serde::Serialize;

/// How many occurrences belong to games with each outcome.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Results {
    pub(crate) white: u64,
    pub(crate) black: u64,
    pub(crate) draw: u64,
    unknown: u64,
}

impl From<&Counts> for Results {
    fn from(counts: &Counts) -> Self {
        Results {
            white: counts.of(GameResult::WhiteWins),
            black: counts.of(GameResult::BlackWins),
            draw: counts.of(GameResult::Draw),
            unknown: counts.of(GameResult::Unknown),
        }
    }
}

/// How a game ended, in a word.
pub(crate) const fn outcome(result: GameResult) -> &'static str {
    match result {
        GameResult::WhiteWins => "white",
        GameResult::BlackWins => "black",
        GameResult::Draw => "draw",
        GameResult::Unknown => "unknown",
    }
}

/// Which game a stored one is of.
pub(crate) const fn kind_name(kind: GameKind) -> &'static str {
    match kind {
        GameKind::Infinite => "infinite",
        GameKind::Finite(game) => game.name(),
        GameKind::Board => "other",
    }
}

/// How sure it is that a record is a copy, in a word.
pub(crate) const fn sure(confidence: u8) -> &'static str {
    match confidence_of(confidence) {
        Confidence::Certain => "certain",
        Confidence::Likely => "likely",
        Confidence::Doubtful => "doubtful",
    }
}

/// A date as answers have it: `2024-03-17`, `2024-03`, `2024`.
pub(crate) fn date_text(date: u32) -> Option<String> {
    match (date / 10_000, date / 100 % 100, date % 100) {
        (0, ..) => None,
        (year, 0, _) => Some(format!("{year:04}")),
        (year, month, 0) => Some(format!("{year:04}-{month:02}")),
        (year, month, day) => Some(format!("{year:04}-{month:02}-{day:02}")),
    }
}

/// The value of a tag, if it says anything.
pub(crate) fn known(value: Option<&str>) -> Option<String> {
    value.filter(|value| says_something(value)).map(str::to_owned)
}

/// How much of a path of the machine is shown.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Paths {
    /// All of it: to whoever runs the program.
    Whole,
    /// Of an absolute path only the name of the file: to strangers.
    #[cfg(feature = "serve")]
    Names,
}

impl Paths {
    /// A path as it is shown.
    pub(crate) fn show(self, path: &str) -> String {
        match self {
            Paths::Whole => path.to_owned(),
            #[cfg(feature = "serve")]
            Paths::Names => {
                let is_absolute = path.starts_with(['/', '\\']) || path.as_bytes().get(1) == Some(&b':');
                let name = path.rsplit(['/', '\\']).next().filter(|_| is_absolute);
                name.unwrap_or(path).to_owned()
            }
        }
    }

    /// Where a record was read.
    pub(crate) fn place(self, snapshot: &Snapshot, file: u32, record: u64) -> Place {
        let path = snapshot.sources().get(file as usize).map_or("?", |source| &source.path);
        Place { path: self.show(path), record, line: None }
    }
}

/// Where a record was read.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Place {
    path: String,
    record: u64,
    line: Option<u64>,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.path, self.record)
    }
}

/// A game in a list.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct GameRow {
    id: u64,
    ply: Option<u32>,
    pub(crate) plies: u32,
    game: &'static str,
    variant: Option<String>,
    pub(crate) white: Option<Box<str>>,
    pub(crate) black: Option<Box<str>>,
    white_rating: Option<u16>,
    black_rating: Option<u16>,
    date: Option<String>,
    event: Option<String>,
    pub(crate) result: &'static str,
    pub(crate) record: Place,
}

impl GameRow {
    /// A game in a list, with the ply at which it has a position.
    pub(crate) fn new(snapshot: &Snapshot, line: &GameLine, stored: &StoredGame, paths: Paths) -> Self {
        let rating = |rating: u16| (rating > 0).then_some(rating);
        let row = &line.row;
        GameRow {
            id: line.game,
            ply: line.plies.first().copied(),
            plies: row.plies,
            game: kind_name(row.kind),
            variant: known(stored.tag("Variant")).or_else(|| known(line.laws.as_deref())),
            white: line.white.clone(),
            black: line.black.clone(),
            white_rating: rating(row.white_rating),
            black_rating: rating(row.black_rating),
            date: date_text(row.date),
            event: known(stored.tag("Event")),
            result: outcome(row.result),
            record: paths.place(snapshot, stored.source.file, stored.source.record),
        }
    }

    /// The games of a list.
    pub(crate) fn all(
        snapshot: &Snapshot,
        lines: &[GameLine],
        paths: Paths,
    ) -> boardprint_store::db::Result<Vec<Self>> {
        lines.iter().map(|line| Ok(Self::new(snapshot, line, &*snapshot.game(line.game)?, paths))).collect()
    }
}

/// A tag. Both parts are foreign text.
#[cfg(feature = "serve")]
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Tag {
    name: String,
    value: String,
}

/// The tags of a content in order.
#[cfg(feature = "serve")]
pub(crate) fn tags(content: &Content<'_>) -> Vec<Tag> {
    content.tags().map(|(name, value)| Tag { name: name.to_owned(), value: value.to_owned() }).collect()
}
