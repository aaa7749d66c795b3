//! Every game.

use std::fmt::Write as _;
use std::sync::Arc;

use arrow_array::builder::{
    BinaryBuilder, Date32Builder, Int32Builder, Int64Builder, MapBuilder, MapFieldNames, StringBuilder,
};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::SchemaRef;
use boardprint_base::GameResult;
use boardprint_games::{Content, Profile, says_something};
use boardprint_icn::canonical_position;

use crate::postings::{BATCH_ROWS, batch};
use crate::workers::{Builder, Refused};
use crate::{Entry, Error};

/// Makes batches of games.
pub(crate) struct GamesTable {
    schema: SchemaRef,
    profile: Profile,
    rows: usize,
    bytes: usize,
    columns: Columns,
    done: Vec<RecordBatch>,
}

struct Columns {
    id: Int64Builder,
    hash: BinaryBuilder,
    kind: StringBuilder,
    /// Variant, laws, event, site, round.
    about: [StringBuilder; 5],
    date: Date32Builder,
    year: Int32Builder,
    players: [StringBuilder; 2],
    ratings: [Int32Builder; 2],
    eco: StringBuilder,
    result: StringBuilder,
    plies: Int32Builder,
    start: StringBuilder,
    moves: StringBuilder,
    tags: MapBuilder<StringBuilder, StringBuilder>,
    source: StringBuilder,
    record: Int64Builder,
}

/// The bytes of texts in a batch: far below what a column can hold.
const BATCH_BYTES: usize = 64 << 20;

impl GamesTable {
    pub(crate) fn new(schema: SchemaRef, profile: Profile) -> Self {
        GamesTable { schema, profile, rows: 0, bytes: 0, columns: Columns::new(), done: Vec::new() }
    }

    fn flush(&mut self) -> Result<(), Error> {
        (self.rows, self.bytes) = (0, 0);
        let arrays = self.columns.finish();
        self.done.push(batch(&self.schema, arrays)?);
        Ok(())
    }
}

impl Columns {
    fn new() -> Self {
        let names =
            MapFieldNames { entry: "entries".to_owned(), key: "key".to_owned(), value: "value".to_owned() };
        Columns {
            id: Int64Builder::new(),
            hash: BinaryBuilder::new(),
            kind: StringBuilder::new(),
            about: Default::default(),
            date: Date32Builder::new(),
            year: Int32Builder::new(),
            players: Default::default(),
            ratings: Default::default(),
            eco: StringBuilder::new(),
            result: StringBuilder::new(),
            plies: Int32Builder::new(),
            start: StringBuilder::new(),
            moves: StringBuilder::new(),
            tags: MapBuilder::new(Some(names), StringBuilder::new(), StringBuilder::new()),
            source: StringBuilder::new(),
            record: Int64Builder::new(),
        }
    }

    fn finish(&mut self) -> Vec<ArrayRef> {
        let mut arrays: Vec<ArrayRef> =
            vec![Arc::new(self.id.finish()), Arc::new(self.hash.finish()), Arc::new(self.kind.finish())];
        arrays.extend(self.about.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef));
        arrays.push(Arc::new(self.date.finish()));
        arrays.push(Arc::new(self.year.finish()));
        arrays.extend(self.players.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef));
        arrays.extend(self.ratings.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef));
        arrays.push(Arc::new(self.eco.finish()));
        arrays.push(Arc::new(self.result.finish()));
        arrays.push(Arc::new(self.plies.finish()));
        arrays.push(Arc::new(self.start.finish()));
        arrays.push(Arc::new(self.moves.finish()));
        arrays.push(Arc::new(self.tags.finish()));
        arrays.push(Arc::new(self.source.finish()));
        arrays.push(Arc::new(self.record.finish()));
        arrays
    }

    /// What the tags say. Returns how many bytes of text were added.
    fn add_tags(&mut self, content: &Content<'_>) -> Result<usize, Error> {
        let known = |names: &[&str]| {
            names.iter().find_map(|name| content.tag(name).filter(|value| says_something(value)))
        };
        let laws = content.laws().filter(|laws| !laws.is_empty());
        let about =
            [known(&["Variant"]), laws.as_deref(), known(&["Event"]), known(&["Site"]), known(&["Round"])];
        for (column, value) in self.about.iter_mut().zip(about) {
            column.append_option(value);
        }
        let (year, day) = known(&["Date", "UTCDate"]).map_or((None, None), date);
        self.date.append_option(day);
        self.year.append_option(year);
        self.players[0].append_option(known(&["White", "Red", "Sente"]));
        self.players[1].append_option(known(&["Black", "Gote"]));
        self.ratings[0].append_option(known(&["WhiteElo", "RedElo"]).and_then(rating));
        self.ratings[1].append_option(known(&["BlackElo"]).and_then(rating));
        self.eco.append_option(known(&["ECO"]));
        // A map has a key once; of a tag given twice the first counts, as everywhere.
        let (mut seen, mut bytes) = (Vec::new(), 0);
        for (name, value) in content.tags() {
            if !seen.contains(&name) {
                seen.push(name);
                bytes += name.len() + value.len();
                self.tags.keys().append_value(name);
                self.tags.values().append_value(value);
            }
        }
        self.tags.append(true).map_err(|error| Error::Batch(error.to_string()))?;
        Ok(bytes)
    }
}

impl Builder for GamesTable {
    type Rows = RecordBatch;

    fn add(&mut self, number: i64, entry: &Entry<'_>) -> Result<(), Refused> {
        let content = &entry.content;
        // Moves of a game are not all checked when it is read; a game that breaks off has no row here either.
        content.last_key(self.profile)?;
        let columns = &mut self.columns;
        columns.id.append_value(number);
        columns.hash.append_value(content.key(self.profile).digest().0);
        let kind = match content {
            Content::Infinite(_) => "infinite",
            Content::Finite(game) => game.game().name(),
            _ => "board",
        };
        columns.kind.append_value(kind);
        let tag_bytes = columns.add_tags(content)?;
        columns.result.append_value(content.result().unwrap_or(GameResult::Unknown).as_str());
        columns.plies.append_value(i32::try_from(content.plies()).unwrap_or(i32::MAX));
        let start = start_text(content);
        columns.start.append_value(&start);
        let mut moves = String::new();
        for (index, step) in content.moves().enumerate() {
            // Writing to a string cannot fail.
            let _ = write!(moves, "{}{step}", if index == 0 { "" } else { " " });
        }
        columns.moves.append_value(&moves);
        columns.source.append_value(entry.source);
        columns.record.append_value(entry.record);
        self.rows += 1;
        self.bytes += tag_bytes + start.len() + moves.len();
        if self.rows >= BATCH_ROWS || self.bytes >= BATCH_BYTES {
            self.flush()?;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<RecordBatch>, Error> {
        if self.rows > 0 {
            self.flush()?;
        }
        Ok(self.done)
    }
}

/// FEN of a finite game, canonical ICN of the open board, else CPN.
fn start_text(content: &Content<'_>) -> String {
    match content {
        Content::Infinite(game) => canonical_position(&game.start),
        Content::Finite(game) => game.start().fen().to_string(),
        Content::Board(cpn) => cpn.to_string(),
        _ => String::new(),
    }
}

fn rating(text: &str) -> Option<i32> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    text[..digits].parse().ok().filter(|rating| *rating > 0)
}

/// The year, and the day since 1970 if month and day are known too.
fn date(text: &str) -> (Option<i32>, Option<i32>) {
    let mut parts = text.trim().split(['.', '-', '/', ' ']).map(|part| part.parse::<u32>().ok());
    let (year, month, day) = (parts.next().flatten(), parts.next().flatten(), parts.next().flatten());
    let Some(year) = year.and_then(|year| i32::try_from(year).ok()).filter(|year| (1..=9999).contains(year))
    else {
        return (None, None);
    };
    let whole = month.zip(day).and_then(|(month, day)| days_since_1970(year, month, day));
    (Some(year), whole)
}

/// The number of a day of the Gregorian calendar; `None` if there is no such day.
fn days_since_1970(year: i32, month: u32, day: u32) -> Option<i32> {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let lengths = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let before = month.checked_sub(1).and_then(|before| usize::try_from(before).ok())?;
    if day == 0 || day > *lengths.get(before)? {
        return None;
    }
    let past = year - 1;
    let days = past * 365 + past / 4 - past / 100 + past / 400;
    let in_year = lengths[..before].iter().sum::<u32>() + day - 1;
    // 719,162 days lie between the first day of year 1 and that of 1970.
    Some(days + i32::try_from(in_year).ok()? - 719_162)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        assert_eq!(date("1970.01.01"), (Some(1970), Some(0)));
        assert_eq!(date("2000-03-01"), (Some(2000), Some(11_017)));
        assert_eq!(date("1969.12.31"), (Some(1969), Some(-1)));
        assert_eq!(date("2024.02.29"), (Some(2024), Some(19_782)));
    }

    #[test]
    fn a_part_of_a_date_is_a_year() {
        assert_eq!(date("2024.??.??"), (Some(2024), None));
        assert_eq!(date("2023.02.29"), (Some(2023), None));
        assert_eq!(date("????.??.??"), (None, None));
        assert_eq!(date("99999.01.01"), (None, None));
        assert_eq!(date("2024.13.01"), (Some(2024), None));
    }
}
