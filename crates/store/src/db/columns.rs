//! A row of fixed width per game: what filters, lists and ratings need, so that they never open a game.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use boardprint_base::GameResult;

use super::codec;
use super::engine::{Engine, Tree, Write};
use super::error::{Error, Result};
use super::game::{GameKind, StoredGame, Tags, result_code};
use super::log::Address;

/// What is known of a game without opening it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The number of the first player's name plus one; 0 if unknown.
    pub white: u32,
    /// The number of the second player's name plus one; 0 if unknown.
    pub black: u32,
    /// The number of the laws plus one; 0 for the usual ones.
    pub laws: u32,
    /// The number of the source file.
    pub source: u32,
    /// Year × 10,000 + month × 100 + day; a part that is unknown is 0.
    pub date: u32,
    /// The rating of the first player; 0 if unknown.
    pub white_rating: u16,
    /// The rating of the second player; 0 if unknown.
    pub black_rating: u16,
    /// How many half-moves the game has.
    pub plies: u32,
    /// What the game is.
    pub kind: GameKind,
    /// How it ended.
    pub result: GameResult,
    /// Whether it was forgotten.
    pub forgotten: bool,
    /// The block of the log that holds it.
    pub(crate) address: Address,
}

/// Rows of one value: below the size at which sled would move its leaf into a file of its own.
pub(crate) const ROWS: u64 = 128;
const ROW_BYTES: usize = 5 * 4 + 2 * 2 + 4 + 2 + 8;
const FORGOTTEN: u8 = 0x80;

/// What the tags of a game say, names still in full.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts<'a> {
    pub(crate) white: Option<&'a str>,
    pub(crate) black: Option<&'a str>,
    pub(crate) date: u32,
    pub(crate) white_rating: u16,
    pub(crate) black_rating: u16,
}

impl<'a> Facts<'a> {
    /// What tags say: of those that mean the same, the one that the usual name has, else the first of its kind.
    pub(crate) fn of(tags: &'a Tags) -> Self {
        const NAMES: [&str; 10] =
            ["White", "Red", "Sente", "Black", "Gote", "Date", "UTCDate", "WhiteElo", "RedElo", "BlackElo"];
        let mut values = [None; NAMES.len()];
        for (name, value) in tags.iter() {
            if let Some(place) = NAMES.iter().position(|known| *known == name) {
                values[place].get_or_insert(value);
            }
        }
        let [white, red, sente, black, gote, day, utc_day, white_rating, red_rating, black_rating] = values;
        let name = |value: Option<&'a str>| value.filter(|name| !matches!(*name, "" | "?" | "-"));
        Facts {
            white: name(white.or(red).or(sente)),
            black: name(black.or(gote)),
            date: day.or(utc_day).map_or(0, date),
            white_rating: white_rating.or(red_rating).map_or(0, rating),
            black_rating: black_rating.map_or(0, rating),
        }
    }
}

/// A date as a number: `2024.05.06` is 20240506, unknown parts are 0.
#[must_use]
pub fn date(text: &str) -> u32 {
    let mut parts = text.split(['.', '-', '/', ' ']).map(|part| part.parse::<u32>().unwrap_or(0));
    let (year, month, day) =
        (parts.next().unwrap_or(0), parts.next().unwrap_or(0), parts.next().unwrap_or(0));
    if year == 0 || year > 9999 || month > 12 || day > 31 { 0 } else { year * 10_000 + month * 100 + day }
}

fn rating(text: &str) -> u16 {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    text[..digits].parse().unwrap_or(0)
}

/// The mean of the ratings that are known; 0 if none is.
pub(crate) const fn mean_rating([white, black]: [u16; 2]) -> u16 {
    match (white, black) {
        (0, one) | (one, 0) => one,
        (white, black) => white.midpoint(black),
    }
}

impl Row {
    /// The row of a game; names and laws by number.
    pub(crate) fn new(
        game: &StoredGame,
        facts: &Facts<'_>,
        [white, black, laws]: [u32; 3],
        address: Address,
    ) -> Self {
        Row {
            white,
            black,
            laws,
            source: game.source.file,
            date: facts.date,
            white_rating: facts.white_rating,
            black_rating: facts.black_rating,
            plies: u32::try_from(game.moves.len()).unwrap_or(u32::MAX),
            kind: game.kind,
            result: game.result,
            forgotten: false,
            address,
        }
    }

    /// A row of which nothing is known.
    #[cfg(test)]
    pub(crate) fn of_nobody() -> Self {
        Self::take(&[0; ROW_BYTES]).expect("zeros are a row")
    }

    /// The mean of the ratings that are known; 0 if none is.
    #[must_use]
    pub fn mean_rating(&self) -> u16 {
        mean_rating(self.ratings())
    }

    /// The ratings of both players.
    pub(crate) fn ratings(&self) -> [u16; 2] {
        [self.white_rating, self.black_rating]
    }

    fn put(&self, out: &mut Vec<u8>) {
        for number in [self.white, self.black, self.laws, self.source, self.date, self.plies] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        out.extend_from_slice(&self.white_rating.to_le_bytes());
        out.extend_from_slice(&self.black_rating.to_le_bytes());
        out.push(self.kind.code());
        out.push(result_code(self.result) | if self.forgotten { FORGOTTEN } else { 0 });
        out.extend_from_slice(&self.address.0.to_le_bytes());
    }

    fn take(bytes: &[u8; ROW_BYTES]) -> Option<Self> {
        let mut input = codec::Cursor::new(bytes);
        let mut number = || input.array().map(u32::from_le_bytes);
        let [white, black, laws, source, date, plies] =
            [number()?, number()?, number()?, number()?, number()?, number()?];
        let (white_rating, black_rating) =
            (u16::from_le_bytes(input.array()?), u16::from_le_bytes(input.array()?));
        let kind = GameKind::of_code(input.byte()?)?;
        let ended = input.byte()?;
        Some(Row {
            white,
            black,
            laws,
            source,
            date,
            white_rating,
            black_rating,
            plies,
            kind,
            result: *GameResult::ALL.get(usize::from(ended & !FORGOTTEN))?,
            forgotten: ended & FORGOTTEN != 0,
            address: Address(u64::from_le_bytes(input.array()?)),
        })
    }
}

fn key(block: u64) -> Vec<u8> {
    block.to_be_bytes()[3..].to_vec()
}

/// Reads rows; the last block read is kept, so that rows in order cost one read per block.
pub(crate) struct Columns {
    engine: Arc<dyn Engine>,
    block: Option<(u64, Vec<[u8; ROW_BYTES]>)>,
}

impl Columns {
    pub(crate) fn new(engine: &Arc<dyn Engine>) -> Self {
        Columns { engine: Arc::clone(engine), block: None }
    }

    /// The row of a game.
    pub(crate) fn row(&mut self, id: u64) -> Result<Row> {
        let (block, place) = (id / ROWS, (id % ROWS) as usize);
        // The last block grows while batches come in.
        if self.block.as_ref().is_none_or(|(held, rows)| *held != block || rows.len() <= place) {
            let rows = read_bytes(&*self.engine, block)?;
            self.block = Some((block, rows.unwrap_or_default()));
        }
        // Rows are taken apart one by one: whoever looks for a few games does not pay for their neighbours.
        let row = self.block.as_ref().and_then(|(_, rows)| Row::take(rows.get(place)?));
        row.ok_or_else(|| {
            Error::damaged(Tree::Columns, &key(block), "the row of a game is missing, or cannot be read")
        })
    }
}

/// Calls with the rows of games, in order.
pub(crate) fn for_each_row(
    engine: &dyn Engine,
    games: Range<u64>,
    mut each: impl FnMut(u64, &Row) -> Result<()>,
) -> Result<()> {
    /// Blocks have about 5 KB.
    const PAGE: usize = 32;
    let (mut block, end) = (games.start / ROWS, games.end.div_ceil(ROWS));
    while block < end && !games.is_empty() {
        let page = engine.scan(Tree::Columns, &key(block), &key(end), PAGE)?;
        let missing = |block| Error::damaged(Tree::Columns, &key(block), "the row of a game is missing");
        if page.is_empty() {
            return Err(missing(block));
        }
        for (found, value) in page {
            let rows = open_rows(&found, &value)?;
            let first = block * ROWS;
            let wanted = games.start.max(first)..games.end.min(first + ROWS);
            if found != key(block) || wanted.end > first + rows.len() as u64 {
                return Err(missing(block));
            }
            for (game, bytes) in (first..).zip(rows).filter(|(game, _)| wanted.contains(game)) {
                let broken = || Error::damaged(Tree::Columns, &found, "a row cannot be read");
                each(game, &Row::take(bytes).ok_or_else(broken)?)?;
            }
            block += 1;
        }
    }
    Ok(())
}

/// The rows of a block; `None` if there is no such block.
fn read(engine: &dyn Engine, block: u64) -> Result<Option<Vec<Row>>> {
    let Some(rows) = read_bytes(engine, block)? else { return Ok(None) };
    let rows = rows.iter().map(Row::take).collect::<Option<Vec<_>>>();
    rows.ok_or_else(|| Error::damaged(Tree::Columns, &key(block), "a row cannot be read")).map(Some)
}

/// The rows of a block as they are kept.
fn read_bytes(engine: &dyn Engine, block: u64) -> Result<Option<Vec<[u8; ROW_BYTES]>>> {
    let key = key(block);
    let Some(value) = engine.get(Tree::Columns, &key)? else { return Ok(None) };
    open_rows(&key, &value).map(|rows| Some(rows.to_vec()))
}

fn open_rows<'a>(key: &[u8], value: &'a [u8]) -> Result<&'a [[u8; ROW_BYTES]]> {
    let body = codec::open(Tree::Columns, key, value)?.rest();
    let (rows, rest) = body.as_chunks::<ROW_BYTES>();
    if !rest.is_empty() || rows.len() as u64 > ROWS {
        return Err(Error::damaged(Tree::Columns, key, "a row cannot be read"));
    }
    Ok(rows)
}

/// Writes that put rows into their places. Blocks that are there are read first: a row may change, or its
/// block have room.
pub(crate) fn writes(
    engine: &dyn Engine,
    first: u64,
    new: &[Row],
    changed: &HashMap<u64, Row>,
) -> Result<Writes> {
    let mut blocks: std::collections::BTreeMap<u64, Vec<(u64, Row)>> = std::collections::BTreeMap::new();
    let mut all: Vec<(u64, Row)> = (first..).zip(new.iter().copied()).collect();
    let mut later: Vec<(u64, Row)> = changed.iter().map(|(id, row)| (*id, *row)).collect();
    later.sort_unstable_by_key(|(id, _)| *id);
    all.extend(later);
    for (id, row) in all {
        blocks.entry(id / ROWS).or_default().push((id, row));
    }
    let mut writes = Writes::default();
    for (block, rows) in blocks {
        let begins = block * ROWS >= first;
        let mut whole = if begins { Vec::new() } else { read(engine, block)?.unwrap_or_default() };
        // Rows that an unfinished batch left are written over.
        whole.truncate(usize::try_from(first.saturating_sub(block * ROWS).min(ROWS)).unwrap_or(0));
        for (id, row) in rows {
            let place = (id % ROWS) as usize;
            match place.cmp(&whole.len()) {
                std::cmp::Ordering::Less => whole[place] = row,
                std::cmp::Ordering::Equal => whole.push(row),
                std::cmp::Ordering::Greater => {
                    return Err(Error::damaged(Tree::Columns, &key(block), "the row of a game is missing"));
                }
            }
        }
        let key = key(block);
        let mut value = codec::begin(whole.len() * ROW_BYTES);
        for row in &whole {
            row.put(&mut value);
        }
        let value = codec::seal(Tree::Columns, &key, value);
        let write = Write::Put { tree: Tree::Columns, key, value };
        if begins { writes.new.push(write) } else { writes.changed.push(write) }
    }
    Ok(writes)
}

/// Writes of new blocks, and of blocks that were there.
#[derive(Debug, Default)]
pub(crate) struct Writes {
    pub(crate) new: Vec<Write>,
    pub(crate) changed: Vec<Write>,
}

#[cfg(test)]
mod tests {
    use super::super::engine::MemoryEngine;
    use super::*;

    fn row(n: u32) -> Row {
        Row {
            white: n,
            black: 2,
            laws: 0,
            source: 1,
            date: 20_240_506,
            white_rating: 2400,
            black_rating: 0,
            plies: n,
            kind: GameKind::Board,
            result: GameResult::Draw,
            forgotten: n.is_multiple_of(2),
            address: Address::new(1, n.into()).unwrap(),
        }
    }

    #[test]
    fn rows_come_back_appended_in_parts_and_changed() {
        let engine: Arc<dyn Engine> = Arc::new(MemoryEngine::new());
        let mut first = 0;
        for part in [1_u32, 100, 40, 300, 7] {
            let rows: Vec<Row> = (first..first + part).map(row).collect();
            let found = writes(&*engine, first.into(), &rows, &HashMap::new()).unwrap();
            engine.apply(found.new).unwrap();
            engine.apply(found.changed).unwrap();
            first += part;
        }
        let changed = HashMap::from([(5, row(1000)), (300, row(2000))]);
        let found = writes(&*engine, first.into(), &[], &changed).unwrap();
        assert!(found.new.is_empty());
        engine.apply(found.changed).unwrap();
        let mut columns = Columns::new(&engine);
        for n in 0..first {
            let expected = match n {
                5 => row(1000),
                300 => row(2000),
                n => row(n),
            };
            assert_eq!(columns.row(n.into()).unwrap(), expected);
        }
        assert!(columns.row(first.into()).is_err());
        let first = u64::from(first);
        for games in [0..first, 0..1, 127..129, 128..256, 300..first, 447..448, 5..5] {
            let mut found = Vec::new();
            let each = |game, row: &Row| {
                found.push((game, *row));
                Ok(())
            };
            for_each_row(&*engine, games.clone(), each).unwrap();
            let expected: Vec<_> = games.map(|game| (game, columns.row(game).unwrap())).collect();
            assert_eq!(found, expected);
        }
        for games in [0..first + 1, first..first + 1, first + 500..first + 501] {
            assert!(for_each_row(&*engine, games, |_, _| Ok(())).is_err());
        }
    }

    #[test]
    fn facts_are_read_from_tags() {
        let tags = [("Red", "Hu"), ("Black", "?"), ("Date", "2024.??.??"), ("WhiteElo", "2405 (FIDE)")];
        let tags = Tags::from_iter(tags);
        let facts = Facts::of(&tags);
        assert_eq!((facts.white, facts.black), (Some("Hu"), None));
        assert_eq!((facts.date, facts.white_rating, facts.black_rating), (20_240_000, 2405, 0));
        assert_eq!(date("1999-12-31"), 19_991_231);
        assert_eq!(date("2024.13.01"), 0);
        assert_eq!(date("????.05.12"), 0, "a day of no year lies nowhere");
    }
}
