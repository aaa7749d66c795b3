//! Names and laws by number, so that a row has a fixed width. The list only grows.

use std::hash::{BuildHasher, RandomState};

use hashbrown::HashTable;

use super::codec::{self, put_bytes};
use super::engine::{Engine, Tree, Write};
use super::error::{Error, Result};

/// Words of one value.
const WORDS: u32 = 64;
/// A longer word is cut: nobody's name is, and a block must not grow.
const MAX_BYTES: usize = 200;

fn key(block: u32) -> Vec<u8> {
    block.to_be_bytes().to_vec()
}

/// A word as it is kept.
fn kept(word: &str) -> &str {
    let mut end = word.len().min(MAX_BYTES);
    while !word.is_char_boundary(end) {
        end -= 1;
    }
    &word[..end]
}

/// The word with a number.
pub(crate) fn word(engine: &dyn Engine, number: u32) -> Result<Box<str>> {
    let key = key(number / WORDS);
    let missing = || Error::damaged(Tree::Words, &key, "a word is missing");
    let value = engine.get(Tree::Words, &key)?.ok_or_else(missing)?;
    let mut input = codec::open(Tree::Words, &key, &value)?;
    // The words before it are passed over: a list of games asks for two words per line.
    for _ in 0..number % WORDS {
        input.bytes().ok_or_else(missing)?;
    }
    input.text().map(Box::from).ok_or_else(missing)
}

/// Calls with the first `count` words and their numbers.
pub(crate) fn for_each(engine: &dyn Engine, count: u32, mut each: impl FnMut(u32, &str)) -> Result<()> {
    for block in 0..count.div_ceil(WORDS) {
        let key = key(block);
        let missing = || Error::damaged(Tree::Words, &key, "a word is missing");
        let value = engine.get(Tree::Words, &key)?.ok_or_else(missing)?;
        let mut input = codec::open(Tree::Words, &key, &value)?;
        for number in (block * WORDS..count).take(WORDS as usize) {
            each(number, input.text().ok_or_else(missing)?);
        }
    }
    Ok(())
}

/// The words by text, for writers. An import reads all that the database has, so that each costs little: they
/// lie one after another in one text.
#[derive(Default)]
pub(crate) struct Words {
    text: String,
    /// Where each word ends in the text.
    ends: Vec<usize>,
    /// The numbers, by the hash of their words.
    numbers: HashTable<u32>,
    hasher: RandomState,
    /// How many are in the engine.
    written: u32,
}

impl Words {
    /// The first `count` words of an engine.
    pub(crate) fn load(engine: &dyn Engine, count: u32) -> Result<Self> {
        let mut words = Words { written: count, ..Words::default() };
        words.ends.reserve(count as usize);
        words.numbers.reserve(count as usize, |_| 0);
        for_each(engine, count, |_, word| {
            words.push(words.hasher.hash_one(word), word);
        })?;
        Ok(words)
    }

    /// The number of a word plus one; 0 for no word.
    pub(crate) fn number_of(&mut self, word: Option<&str>) -> u32 {
        word.map_or(0, |word| self.number(word).saturating_add(1))
    }

    fn number(&mut self, word: &str) -> u32 {
        let word = kept(word);
        let hash = self.hasher.hash_one(word);
        let is_same = |number: &u32| at(&self.text, &self.ends, *number) == word;
        match self.numbers.find(hash, is_same) {
            Some(number) => *number,
            None => self.push(hash, word),
        }
    }

    /// Appends a word that is not there yet; its number.
    fn push(&mut self, hash: u64, word: &str) -> u32 {
        let number = self.len();
        self.text.push_str(word);
        self.ends.push(self.text.len());
        let Words { text, ends, numbers, hasher, .. } = self;
        numbers.insert_unique(hash, number, |number| hasher.hash_one(at(text, ends, *number)));
        number
    }

    /// How many there are.
    pub(crate) fn len(&self) -> u32 {
        u32::try_from(self.ends.len()).unwrap_or(u32::MAX)
    }

    /// The writes that keep the words that are not in the engine yet.
    pub(crate) fn writes(&mut self) -> Vec<Write> {
        let count = self.len();
        if self.written == count {
            return Vec::new();
        }
        // The last block of the engine may not be whole.
        let blocks = self.written / WORDS..count.div_ceil(WORDS);
        self.written = count;
        let write = |block| {
            let key = key(block);
            let mut value = codec::begin(WORDS as usize * 16);
            for number in (block * WORDS..count).take(WORDS as usize) {
                put_bytes(&mut value, at(&self.text, &self.ends, number).as_bytes());
            }
            let value = codec::seal(Tree::Words, &key, value);
            Write::Put { tree: Tree::Words, key, value }
        };
        blocks.map(write).collect()
    }
}

/// The word with a number, in the text of all of them.
fn at<'a>(text: &'a str, ends: &[usize], number: u32) -> &'a str {
    let number = number as usize;
    let start = number.checked_sub(1).map_or(0, |before| ends[before]);
    &text[start..ends[number]]
}

#[cfg(test)]
mod tests {
    use super::super::engine::MemoryEngine;
    use super::*;

    #[test]
    fn words_keep_their_numbers() {
        let engine = MemoryEngine::new();
        let mut words = Words::default();
        let text = |n: u32| if n == 70 { "ä".repeat(300) } else { format!("player {n}") };
        for n in 0..200 {
            assert_eq!(words.number_of(Some(&text(n))), n + 1);
            assert_eq!(words.number_of(Some(&text(n))), n + 1);
            if n % 23 == 0 {
                engine.apply(words.writes()).unwrap();
            }
        }
        engine.apply(words.writes()).unwrap();
        assert!(words.writes().is_empty());
        let mut again = Words::load(&engine, words.len()).unwrap();
        assert_eq!(again.number_of(Some("player 150")), 151);
        assert_eq!(again.number_of(None), 0);
        assert_eq!(&*word(&engine, 199).unwrap(), "player 199");
        assert_eq!(word(&engine, 70).unwrap().len(), 200);
        assert!(word(&engine, 200).is_err());
        // The last block is not whole: it gets the next word and keeps those that it has.
        assert_eq!(again.number_of(Some("somebody else")), 201);
        assert_eq!(again.number_of(Some(&text(70))), 71);
        let writes = again.writes();
        assert_eq!(writes.len(), 1);
        engine.apply(writes).unwrap();
        assert_eq!(&*word(&engine, 199).unwrap(), "player 199");
        assert_eq!(&*word(&engine, 200).unwrap(), "somebody else");
    }
}
