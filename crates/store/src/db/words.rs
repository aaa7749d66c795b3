//! Names and laws by number, so that a row has a fixed width. The list only grows.

use std::collections::HashMap;

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

/// The first number of the block that has the word with this number, or will have it.
const fn first_of_block(number: u32) -> u32 {
    number / WORDS * WORDS
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

/// The words by text, for writers.
#[derive(Debug, Default)]
pub(crate) struct Words {
    numbers: HashMap<Box<str>, u32>,
    /// Those from the last block that the engine does not have whole, in order.
    last: Vec<Box<str>>,
    /// How many are in the engine.
    written: u32,
}

impl Words {
    /// The first `count` words of an engine.
    pub(crate) fn load(engine: &dyn Engine, count: u32) -> Result<Self> {
        let mut words =
            Words { numbers: HashMap::with_capacity(count as usize), last: Vec::new(), written: count };
        let open = first_of_block(count);
        for_each(engine, count, |number, word| {
            words.numbers.insert(word.into(), number);
            if number >= open {
                words.last.push(word.into());
            }
        })?;
        Ok(words)
    }

    /// The number of a word plus one; 0 for no word.
    pub(crate) fn number_of(&mut self, word: Option<&str>) -> u32 {
        word.map_or(0, |word| self.number(word).saturating_add(1))
    }

    fn number(&mut self, word: &str) -> u32 {
        let word = kept(word);
        if let Some(number) = self.numbers.get(word) {
            return *number;
        }
        let number = self.len();
        self.numbers.insert(word.into(), number);
        self.last.push(word.into());
        number
    }

    /// How many there are.
    pub(crate) fn len(&self) -> u32 {
        first_of_block(self.written).saturating_add(u32::try_from(self.last.len()).unwrap_or(u32::MAX))
    }

    /// The writes that keep the words that are not in the engine yet.
    pub(crate) fn writes(&mut self) -> Vec<Write> {
        let count = self.len();
        if self.written == count {
            return Vec::new();
        }
        let first = self.written / WORDS;
        let write = |(block, words): (u32, &[Box<str>])| {
            let key = key(block);
            let mut value = codec::begin(words.len() * 16);
            for word in words {
                put_bytes(&mut value, word.as_bytes());
            }
            let value = codec::seal(Tree::Words, &key, value);
            Write::Put { tree: Tree::Words, key, value }
        };
        let writes = (first..).zip(self.last.chunks(WORDS as usize)).map(write).collect();
        let whole = first_of_block(count) - first * WORDS;
        self.last.drain(..whole as usize);
        self.written = count;
        writes
    }
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
    }
}
