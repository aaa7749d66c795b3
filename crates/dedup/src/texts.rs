//! The texts of the games that stand for others, kept out of memory.
//!
//! Whether two games are the same is decided byte for byte. A game may have as many beginnings as moves, and
//! reading them all would take the square of its length. So each text leaves a fingerprint with a key that is
//! made again for each run, and nobody could know when the games were made: beginnings with equal
//! fingerprints are equal, but for a chance of one in 2⁶⁴. Those of all beginnings of a text are made in one
//! go.

use std::collections::hash_map::{DefaultHasher, RandomState};
use std::fs::File;
use std::hash::{BuildHasher as _, Hasher as _};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};

use boardprint_games::Identity;

/// How many bytes wait to be written together, and how many are compared at a time.
const WAITING: usize = 1 << 20;
const CHUNK: usize = 8 << 10;
/// The length of the start of a text, before it in the file.
const HEAD: usize = 8;

/// Texts by the number of their game, in a temporary file without a name. 20 bytes per text are remembered.
pub(super) struct Texts {
    file: File,
    /// How many bytes are in the file.
    written: u64,
    /// What comes after them.
    waiting: Vec<u8>,
    /// The games in ascending order, where their texts begin, and their fingerprints.
    games: Vec<u32>,
    places: Vec<u64>,
    prints: Vec<u64>,
    secret: RandomState,
}

impl Texts {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Texts {
            file: tempfile::tempfile()?,
            written: 0,
            waiting: Vec::new(),
            games: Vec::new(),
            places: Vec::new(),
            prints: Vec::new(),
            secret: RandomState::new(),
        })
    }

    /// Remembers the text of a game. Games come in the order of their numbers.
    pub(super) fn add(&mut self, game: u32, identity: &Identity) -> io::Result<()> {
        self.games.push(game);
        self.places.push(self.end());
        let mut print = self.print(identity.start);
        print.write(&identity.text);
        self.prints.push(print.finish());
        self.waiting.extend_from_slice(&(identity.start as u64).to_le_bytes());
        self.waiting.extend_from_slice(&identity.text);
        if self.waiting.len() >= WAITING {
            self.file.seek(SeekFrom::Start(self.written))?;
            self.file.write_all(&self.waiting)?;
            self.written += self.waiting.len() as u64;
            self.waiting = Vec::new();
        }
        Ok(())
    }

    /// Whether the text of a game that is remembered is this one.
    pub(super) fn same(&mut self, game: u32, other: &Identity) -> io::Result<bool> {
        let Some(index) = self.find(game) else { return Ok(false) };
        if self.length(index) != other.text.len() {
            return Ok(false);
        }
        let place = self.places[index];
        let start = (other.start as u64).to_le_bytes();
        Ok(self.holds(place, &start)? && self.holds(place + HEAD as u64, &other.text)?)
    }

    /// Which of some games that are remembered break off where this one goes on.
    pub(super) fn begin(&self, games: impl Iterator<Item = u32>, longer: &Identity) -> Vec<bool> {
        let mut begin = Vec::new();
        let mut ends = Vec::new();
        for (at, game) in games.enumerate() {
            begin.push(false);
            let Some(index) = self.find(game) else { continue };
            let length = self.length(index);
            // It ends where a move does.
            if matches!(longer.text.get(length), Some(b' ' | b'|')) {
                ends.push((length, at, self.prints[index]));
            }
        }
        ends.sort_unstable();
        let mut print = self.print(longer.start);
        let mut printed = 0;
        for (length, at, expected) in ends {
            print.write(&longer.text[printed..length]);
            printed = length;
            begin[at] = print.finish() == expected;
        }
        begin
    }

    /// The fingerprint of a text, before its first byte. Starts of different lengths differ, even if one text
    /// is the beginning of the other.
    fn print(&self, start: usize) -> DefaultHasher {
        let mut print = self.secret.build_hasher();
        print.write_u64(start as u64);
        print
    }

    fn find(&self, game: u32) -> Option<usize> {
        self.games.binary_search(&game).ok()
    }

    /// The length of a text. It ends where the next one begins.
    fn length(&self, index: usize) -> usize {
        let end = self.places.get(index + 1).copied().unwrap_or_else(|| self.end());
        usize::try_from(end - self.places[index]).unwrap_or(usize::MAX) - HEAD
    }

    /// Where the next text begins.
    fn end(&self) -> u64 {
        self.written + self.waiting.len() as u64
    }

    /// Whether the bytes from `place` are these.
    fn holds(&mut self, mut place: u64, bytes: &[u8]) -> io::Result<bool> {
        let mut chunk = [0; CHUNK];
        for part in bytes.chunks(CHUNK) {
            let read = &mut chunk[..part.len()];
            self.read(place, read)?;
            if read != part {
                return Ok(false);
            }
            place += part.len() as u64;
        }
        Ok(true)
    }

    /// Fills `into` from `place`. A text lies whole in the file or whole after it.
    fn read(&mut self, place: u64, into: &mut [u8]) -> io::Result<()> {
        if let Some(waits) = place.checked_sub(self.written) {
            let waits = usize::try_from(waits).unwrap_or(usize::MAX);
            into.copy_from_slice(&self.waiting[waits..waits + into.len()]);
            return Ok(());
        }
        self.file.seek(SeekFrom::Start(place))?;
        self.file.read_exact(into)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(start: &str, moves: &str) -> Identity {
        Identity { text: format!("{start}{moves}").into_bytes(), start: start.len() }
    }

    /// Whether the first text is the second one, and whether it is its beginning: asked while it waits, and
    /// when it is written.
    fn compared(one: &Identity, other: &Identity) -> (bool, bool) {
        let mut texts = Texts::new().unwrap();
        texts.add(3, &identity("before", "")).unwrap();
        texts.add(7, one).unwrap();
        let waiting = (texts.same(7, other).unwrap(), texts.begin([7].into_iter(), other) == [true]);
        texts.add(9, &Identity::whole(vec![b'x'; WAITING])).unwrap();
        assert!(texts.waiting.is_empty() && texts.written > 0);
        texts.add(11, &identity("behind", "")).unwrap();
        let written = (texts.same(7, other).unwrap(), texts.begin([7].into_iter(), other) == [true]);
        assert_eq!(waiting, written);
        assert!(texts.same(11, &identity("behind", "")).unwrap());
        assert!(
            !texts.same(8, other).unwrap() && texts.begin([8].into_iter(), other) == [false],
            "not remembered"
        );
        written
    }

    #[test]
    fn equal_texts_are_the_same() {
        let game = identity("K1,1|k1,9", " 1,1>1,2|1,9>1,8");
        assert_eq!(compared(&game, &game), (true, false));
        for other in [
            identity("K1,1|k1,9", " 1,1>1,2|1,9>1,7"),
            identity("K1,1|k1,9|", " 1,1>1,2|1,9>1,8"),
            identity("K1,1|k1,9 ", "1,1>1,2|1,9>1,8"),
            identity("K1,1|k1,9", " 1,1>1,2"),
        ] {
            assert_eq!(compared(&game, &other), (false, false), "{other:?}");
        }
    }

    #[test]
    fn beginnings_end_where_a_move_does() {
        let begins = |short: &Identity, long: &Identity| {
            assert!(!compared(long, short).1, "the longer one is not a beginning");
            compared(short, long).1
        };
        let game = identity("K1,1|k1,9", " 1,1>1,2|1,9>1,80");
        assert!(begins(&identity("K1,1|k1,9", ""), &game));
        assert!(begins(&identity("K1,1|k1,9", " 1,1>1,2"), &game));
        assert!(!begins(&identity("K1,1|k1,9", " 1,1>1,2|1,9>1,8"), &game), "half a number");
        assert!(!begins(&identity("K1,1|k1,9", " 1,1>1,3"), &game));
        // The text is a beginning and a bar follows, but the start is another.
        assert!(!begins(&identity("K1,1", ""), &game));
        let western = identity("8/8 w - -", " e2e4 e7e8q");
        assert!(begins(&identity("8/8 w - -", " e2e4"), &western));
        assert!(!begins(&identity("8/8 w - -", " e2e4 e7e8"), &western));
        assert!(!begins(&identity("8/8 w -", ""), &western));
    }

    #[test]
    fn all_beginnings_of_a_text_are_found_in_any_order() {
        let moves = |count: usize| " 1,1>1,2|1,2>1,1".repeat(25)[..count * 8].to_owned();
        let mut texts = Texts::new().unwrap();
        for game in 0..50_u32 {
            let count = game as usize * 7 % 50;
            let start = if game % 10 == 3 { "K1,2" } else { "K1,1" };
            texts.add(game, &identity(start, &moves(count))).unwrap();
        }
        let begin = texts.begin((0..50).rev(), &identity("K1,1", &moves(40)));
        let expected: Vec<bool> = (0..50).rev().map(|game| game % 10 != 3 && game * 7 % 50 < 40).collect();
        assert_eq!(begin, expected);
    }

    #[test]
    fn long_texts_are_compared_to_their_end() {
        let long = |last: u8| {
            let mut text = vec![b'a'; 3 * CHUNK];
            text.push(last);
            Identity::whole(text)
        };
        assert!(compared(&long(b'b'), &long(b'b')).0);
        assert!(!compared(&long(b'b'), &long(b'c')).0);
    }
}
