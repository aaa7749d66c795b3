//! The columns of the tables.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};
use boardprint_games::Profile;

/// The version of the schemas. It grows when a column changes its name, type or meaning; new columns at the
/// end do not count.
pub const VERSION: u32 = 1;

/// A table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Table {
    /// Every position of every game, as read.
    Postings,
    /// Every position of every game, by key, then game and half-move.
    SortedPostings,
    /// Every game, as read.
    Games,
    /// Every distinct position, by key, with what became of it.
    Positions {
        /// Whether the CPN of each position is a column: SHA-1 of it is the whole hash.
        cpn: bool,
    },
}

/// How much of a position's hash is its key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Key {
    /// The first 10 bytes. Among 10⁹ positions two share them with a chance of 4·10⁻⁷.
    #[default]
    Short,
    /// All 20 bytes.
    Full,
}

impl Key {
    /// How many bytes of the hash.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Key::Short => 10,
            Key::Full => 20,
        }
    }
}

impl Table {
    /// The name, which is also that of its file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Table::Postings | Table::SortedPostings => "postings",
            Table::Games => "games",
            Table::Positions { .. } => "positions",
        }
    }

    /// The columns.
    #[must_use]
    pub fn schema(self, profile: Profile, key: Key) -> SchemaRef {
        let fields = match self {
            Table::Postings | Table::SortedPostings => postings(),
            Table::Games => games(),
            Table::Positions { cpn } => positions(cpn),
        };
        let about = [
            ("boardprint.table", self.name().to_owned()),
            ("boardprint.version", VERSION.to_string()),
            ("boardprint.profile", profile.name().to_owned()),
            ("boardprint.key_bytes", key.bytes().to_string()),
        ];
        let about: HashMap<String, String> =
            about.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Arc::new(Schema::new_with_metadata(fields, about))
    }
}

fn field(name: &str, kind: DataType) -> Field {
    Field::new(name, kind, false)
}

fn optional(name: &str, kind: DataType) -> Field {
    Field::new(name, kind, true)
}

fn postings() -> Vec<Field> {
    vec![
        field("key", DataType::Binary),
        field("game", DataType::Int64),
        field("ply", DataType::Int32),
        optional("move", DataType::Utf8),
        field("result", DataType::Utf8),
    ]
}

fn games() -> Vec<Field> {
    vec![
        field("id", DataType::Int64),
        field("hash", DataType::Binary),
        field("kind", DataType::Utf8),
        optional("variant", DataType::Utf8),
        optional("laws", DataType::Utf8),
        optional("event", DataType::Utf8),
        optional("site", DataType::Utf8),
        optional("round", DataType::Utf8),
        optional("date", DataType::Date32),
        optional("year", DataType::Int32),
        optional("white", DataType::Utf8),
        optional("black", DataType::Utf8),
        optional("white_elo", DataType::Int32),
        optional("black_elo", DataType::Int32),
        optional("eco", DataType::Utf8),
        field("result", DataType::Utf8),
        field("plies", DataType::Int32),
        field("start", DataType::Utf8),
        field("moves", DataType::Utf8),
        field("tags", tags()),
        field("source", DataType::Utf8),
        field("record", DataType::Int64),
    ]
}

fn tags() -> DataType {
    let entry = Fields::from(vec![field("key", DataType::Utf8), optional("value", DataType::Utf8)]);
    DataType::Map(Arc::new(field("entries", DataType::Struct(entry))), false)
}

fn positions(cpn: bool) -> Vec<Field> {
    let mut fields = vec![field("key", DataType::Binary)];
    fields.extend(
        ["occurrences", "games", "white_wins", "draws", "black_wins", "unknown"]
            .map(|name| field(name, DataType::Int64)),
    );
    fields.push(field("first_game", DataType::Int64));
    fields.push(field("first_ply", DataType::Int32));
    if cpn {
        fields.push(field("cpn", DataType::Utf8));
    }
    fields
}
