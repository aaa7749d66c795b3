//! The texts of the games that stand for others, kept out of memory.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};

use super::Identity;

/// How many bytes wait to be written together, and how many are compared at a time.
const WAITING: usize = 1 << 20;
const CHUNK: usize = 8 << 10;
/// The length of a text and that of its start.
const HEAD: usize = 16;

/// Texts by the number of their game, in a temporary file without a name. Remembered are 12 bytes a text.
pub(super) struct Texts {
    file: File,
    /// How many bytes are in the file.
    written: u64,
    /// What comes behind them.
    waiting: Vec<u8>,
    /// The games in ascending order, and where their texts begin.
    games: Vec<u32>,
    places: Vec<u64>,
}

/// Where a text is.
struct Kept {
    place: u64,
    length: usize,
    start: usize,
}

impl Texts {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Texts {
            file: tempfile::tempfile()?,
            written: 0,
            waiting: Vec::new(),
            games: Vec::new(),
            places: Vec::new(),
        })
    }

    /// Remembers the text of a game. Games come in the order of their numbers.
    pub(super) fn add(&mut self, game: u32, identity: &Identity) -> io::Result<()> {
        self.games.push(game);
        self.places.push(self.written + self.waiting.len() as u64);
        for length in [identity.text.len(), identity.start] {
            self.waiting.extend_from_slice(&(length as u64).to_le_bytes());
        }
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
        let Some(Kept { place, length, start }) = self.find(game)? else { return Ok(false) };
        Ok(start == other.start && length == other.text.len() && self.holds(place, &other.text)?)
    }

    /// Whether a game that is remembered breaks off where this one goes on.
    pub(super) fn begins(&mut self, game: u32, longer: &Identity) -> io::Result<bool> {
        let Some(Kept { place, length, start }) = self.find(game)? else { return Ok(false) };
        // It ends where a move does. Starts of different lengths differ, even if one text is the beginning of the other.
        let ends = matches!(longer.text.get(length), Some(b' ' | b'|'));
        Ok(start == longer.start && ends && self.holds(place, &longer.text[..length])?)
    }

    fn find(&mut self, game: u32) -> io::Result<Option<Kept>> {
        let Ok(index) = self.games.binary_search(&game) else { return Ok(None) };
        let place = self.places[index];
        let mut head = [0; HEAD];
        self.read(place, &mut head)?;
        let number = |at: usize| {
            let number = u64::from_le_bytes(head[at..at + 8].try_into().expect("eight bytes"));
            usize::try_from(number).unwrap_or(usize::MAX)
        };
        Ok(Some(Kept { place: place + HEAD as u64, length: number(0), start: number(8) }))
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

    /// Fills `into` from `place`. A text lies whole in the file or whole behind it.
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

    /// Whether the first text is the second one, and whether it is its beginning: asked while it waits, and when it is written.
    fn compared(one: &Identity, other: &Identity) -> (bool, bool) {
        let mut texts = Texts::new().unwrap();
        texts.add(3, &identity("before", "")).unwrap();
        texts.add(7, one).unwrap();
        let waiting = (texts.same(7, other).unwrap(), texts.begins(7, other).unwrap());
        texts.add(9, &Identity::whole(vec![b'x'; WAITING])).unwrap();
        assert!(texts.waiting.is_empty() && texts.written > 0);
        texts.add(11, &identity("behind", "")).unwrap();
        let written = (texts.same(7, other).unwrap(), texts.begins(7, other).unwrap());
        assert_eq!(waiting, written);
        assert!(texts.same(11, &identity("behind", "")).unwrap());
        assert!(!texts.same(8, other).unwrap() && !texts.begins(8, other).unwrap(), "not remembered");
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
            assert!(!compared(long, short).1, "the longer one is no beginning");
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
