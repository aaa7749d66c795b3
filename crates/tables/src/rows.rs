//! Rows that are to be sorted.

use boardprint_base::{Digest, GameResult};
use boardprint_games::{PositionNamer, Profile};

use crate::workers::{Builder, Refused};
use crate::{Entry, Error, Key};

/// A position of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row<'a> {
    /// The key; bytes that do not count are 0.
    pub(crate) key: [u8; 20],
    pub(crate) game: i64,
    pub(crate) ply: i32,
    pub(crate) result: GameResult,
    /// The next move, or the CPN.
    pub(crate) text: Option<&'a str>,
}

/// Many rows, their texts one after another.
#[derive(Debug, Default)]
pub(crate) struct Block {
    pub(crate) rows: Vec<Packed>,
    pub(crate) texts: Vec<u8>,
}

/// A row of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packed {
    pub(crate) key: [u8; 20],
    pub(crate) ply: i32,
    pub(crate) game: i64,
    pub(crate) text: usize,
    /// `NONE` for no text.
    pub(crate) length: u32,
    pub(crate) result: u8,
}

pub(crate) const NONE: u32 = u32::MAX;

impl Block {
    pub(crate) fn push(&mut self, row: &Row<'_>) {
        let text = row.text.unwrap_or_default();
        let length = row.text.map_or(NONE, |text| u32::try_from(text.len()).unwrap_or(NONE));
        self.rows.push(Packed {
            key: row.key,
            ply: row.ply,
            game: row.game,
            text: self.texts.len(),
            length,
            result: result_code(row.result),
        });
        self.texts.extend_from_slice(text.as_bytes());
    }

    /// Moves all rows of another block here.
    pub(crate) fn append(&mut self, other: &Block) {
        let shift = self.texts.len();
        self.rows.extend(other.rows.iter().map(|row| Packed { text: row.text + shift, ..*row }));
        self.texts.extend_from_slice(&other.texts);
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.rows.len() * size_of::<Packed>() + self.texts.len()
    }

    /// The text of a row.
    pub(crate) fn text(&self, row: &Packed) -> &[u8] {
        if row.length == NONE { &[] } else { &self.texts[row.text..row.text + row.length as usize] }
    }
}

impl Packed {
    pub(crate) fn order(&self) -> ([u8; 20], i64, i32) {
        (self.key, self.game, self.ply)
    }
}

/// The place of a result in [`GameResult::ALL`].
pub(crate) fn result_code(result: GameResult) -> u8 {
    let place = GameResult::ALL.into_iter().position(|known| known == result);
    place.and_then(|place| u8::try_from(place).ok()).unwrap_or(u8::MAX)
}

/// The result with a code.
pub(crate) fn result_of(code: u8) -> GameResult {
    GameResult::ALL.get(usize::from(code)).copied().unwrap_or(GameResult::Unknown)
}

/// What the text of a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Text {
    NextMove,
    Cpn,
    Nothing,
}

/// Makes blocks of rows.
pub(crate) struct Rower {
    text: Text,
    key_bytes: usize,
    max_ply: Option<u32>,
    namer: PositionNamer,
    block: Block,
    hashes: Vec<Digest>,
    cpns: Vec<u8>,
    ends: Vec<usize>,
    word: String,
}

impl Rower {
    pub(crate) fn new(text: Text, profile: Profile, key: Key, max_ply: Option<u32>) -> Self {
        Rower {
            text,
            key_bytes: key.bytes(),
            max_ply,
            namer: PositionNamer::new(profile),
            block: Block::default(),
            hashes: Vec::new(),
            cpns: Vec::new(),
            ends: Vec::new(),
            word: String::new(),
        }
    }
}

impl Builder for Rower {
    type Rows = Block;

    fn add(&mut self, number: i64, entry: &Entry<'_>) -> Result<(), Refused> {
        use std::fmt::Write as _;

        let content = &entry.content;
        self.hashes.clear();
        self.cpns.clear();
        self.ends.clear();
        let last = self.max_ply.map_or(usize::MAX, |ply| ply as usize);
        let (hashes, cpns, ends) = (&mut self.hashes, &mut self.cpns, &mut self.ends);
        let keep_cpn = self.text == Text::Cpn;
        self.namer.each_cpn(content, |cpn| {
            if hashes.len() > last {
                return;
            }
            hashes.push(Digest::of(cpn));
            if keep_cpn {
                cpns.extend_from_slice(cpn);
                ends.push(cpns.len());
            }
        })?;
        let result = content.result().unwrap_or(GameResult::Unknown);
        let mut moves = content.moves();
        let mut start = 0;
        for (ply, (index, hash)) in (0..).zip(self.hashes.iter().enumerate()) {
            let mut key = [0; 20];
            key[..self.key_bytes].copy_from_slice(&hash.0[..self.key_bytes]);
            let text = match self.text {
                Text::NextMove => moves.next().map(|next| {
                    self.word.clear();
                    // Writing to a string cannot fail.
                    let _ = write!(self.word, "{next}");
                    &*self.word
                }),
                Text::Cpn => {
                    let end = self.ends[index];
                    let cpn = std::str::from_utf8(&self.cpns[start..end]).unwrap_or_default();
                    start = end;
                    Some(cpn)
                }
                Text::Nothing => None,
            };
            self.block.push(&Row { key, game: number, ply, result, text });
        }
        Ok(())
    }

    fn finish(self) -> Result<Vec<Block>, Error> {
        Ok(vec![self.block])
    }
}
