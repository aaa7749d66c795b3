//! What deduplication needs to know about a game.

use boardprint_base::Digest;
use boardprint_games::{Content, Identity, Profile, ReadOptions, Record, RecordError};

use super::decide::Facts;
use super::{By, Place};

/// What deduplication needs to know about a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    /// SHA-1 of what decides: the game, its moves, or its last position and length. By prefix, the game.
    pub digest: Digest,
    /// What decides, as text.
    pub text: Identity,
    /// By prefix, what gives the key after every ply.
    pub line: Option<Line>,
    /// Half-moves.
    pub plies: u32,
    /// A key of the players, if one of them is known; see [`players_key`].
    pub players: Option<u64>,
    /// A key of the date, if it is known.
    pub date: Option<u64>,
    /// How much the record says beside the moves.
    pub richness: u16,
}

/// Games of a collection, whatever their format.
pub trait Games: Sync {
    /// The fingerprint of a record's game.
    ///
    /// # Errors
    ///
    /// The record is not a game, or its game breaks off.
    fn fingerprint(&self, record: &Record, by: By) -> Result<Fingerprint, RecordError>;

    /// The tags of a record in order.
    fn tags(&self, record: &Record) -> Vec<(String, String)>;

    /// The game known from elsewhere that has the same digest; if there are several, one with the same text,
    /// if there is one. It is asked from many threads.
    fn known(&self, _game: &Fingerprint) -> Option<Known> {
        None
    }
}

/// A game that is not part of the input, such as one of a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// Where it stands.
    pub place: Place,
    /// A key of the players, if one of them is known; see [`players_key`].
    pub players: Option<u64>,
    /// A key of the date, if it is known.
    pub date: Option<u64>,
    /// The text of the game; [`DedupOptions::paranoid`](super::DedupOptions::paranoid) compares it.
    pub text: Vec<u8>,
}

/// A running key of a start and moves: the key of a beginning is the key of the game that ends there.
///
/// It is fast and finds equal beginnings; it is not a secure hash. Whoever wants to can easily make different
/// games with the same key: see [`DedupOptions::paranoid`](super::DedupOptions::paranoid).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chain([u64; 2]);

impl Chain {
    /// The key of a start.
    #[must_use]
    pub fn new(start: &[u8]) -> Self {
        let Digest(bytes) = Digest::of(start);
        Chain(key_of(&bytes))
    }

    /// Goes on by one move, given as a number.
    #[inline]
    pub fn push(&mut self, word: u64) {
        let [a, b] = self.0;
        self.0 =
            [fold(a ^ word, 0x9e37_79b9_7f4a_7c15), fold(b.rotate_left(29) ^ word, 0xd6e8_feb8_6659_fd93)];
    }

    /// Goes on by one move, given as text.
    pub fn push_text(&mut self, text: &[u8]) {
        for chunk in text.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.push(u64::from_le_bytes(word));
        }
        self.push(text.len() as u64);
    }

    /// The key so far.
    #[must_use]
    pub const fn key(&self) -> [u64; 2] {
        self.0
    }
}

/// The start of a game and its moves, as [`Chain`] takes them: the keys of all its beginnings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The key of the start, without counters.
    pub(super) start: [u64; 2],
    /// The key of the whole game.
    pub(super) key: [u64; 2],
    /// Whether moves take two bytes each; else they are text, each with one byte before it.
    pub(super) are_words: bool,
    pub(super) moves: Vec<u8>,
}

impl Line {
    /// The line of a content whose text is known.
    fn of(content: &Content<'_>, identity: &Identity) -> Self {
        let (start, moves) = identity.text.split_at(identity.start);
        let start = Chain::new(start).key();
        let mut line = match content {
            Content::Finite(game) => {
                let moves = game.moves().iter().flat_map(|played| played.bits().to_le_bytes()).collect();
                Line { start, key: start, are_words: true, moves }
            }
            _ => Line { start, key: start, are_words: false, moves: moves.to_vec() },
        };
        let mut last = start;
        line.each_key(|_, key| last = key);
        line.key = last;
        line
    }

    /// The key of the whole game.
    #[must_use]
    pub const fn key(&self) -> [u64; 2] {
        self.key
    }

    /// Calls with every ply from 0 to the last, and the key of the beginning that ends there.
    #[inline]
    pub fn each_key(&self, mut each: impl FnMut(u32, [u64; 2])) {
        let mut chain = Chain(self.start);
        each(0, chain.key());
        if self.are_words {
            for (ply, word) in (1..).zip(self.moves.as_chunks().0) {
                chain.push(u64::from(u16::from_le_bytes(*word)));
                each(ply, chain.key());
            }
            return;
        }
        let moves = self.moves.split(|byte| matches!(byte, b' ' | b'|')).skip(1);
        for (ply, played) in (1..).zip(moves) {
            chain.push_text(played);
            each(ply, chain.key());
        }
    }
}

/// Multiplies and folds the two halves of the product together.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "both halves are taken")]
pub(super) fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ 0x2d35_8dcc_aa6c_78a5) * u128::from(b);
    (product as u64) ^ (product >> 64) as u64
}

/// The first 16 bytes of a digest.
pub(super) fn key_of(digest: &[u8; 20]) -> [u64; 2] {
    let word = |at: usize| u64::from_le_bytes(digest[at..at + 8].try_into().expect("eight bytes"));
    [word(0), word(8)]
}

/// A key with something added.
pub(super) fn mixed(key: [u64; 2], word: u64) -> [u64; 2] {
    let mut chain = Chain(key);
    chain.push(word);
    chain.0
}

/// A key of the players: the last words of their surnames, case and punctuation aside. `None` if neither is
/// known. Its last bit says whether both are.
///
/// ```
/// use boardprint_dedup::players_key;
/// assert_eq!(players_key("Carlsen, Magnus", "Anand,V"), players_key("carlsen", "Viswanathan Anand"));
/// assert_ne!(players_key("Carlsen", "?"), players_key("Smith", "?"));
/// assert_eq!(players_key("Carlsen", "?").map(|key| key & 1), Some(0));
/// assert_eq!(players_key("?", ""), None);
/// ```
#[must_use]
pub fn players_key(white: &str, black: &str) -> Option<u64> {
    let mut key = Chain([1, 2]);
    let mut known = 0;
    for name in [white, black] {
        // `Munoz Pantoja,M` and `Munoz Pantoja`: the last word before the comma.
        let before_comma = name.split(',').next().unwrap_or_default();
        let surname = before_comma.split_ascii_whitespace().next_back().unwrap_or_default();
        let mut letters = 0;
        for letter in surname.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase) {
            key.push(u64::from(u32::from(letter)));
            letters += 1;
        }
        known += u64::from(letters > 0);
        key.push(u64::MAX);
    }
    (known > 0).then_some(key.0[0] & !1 | known >> 1)
}

/// A key of the players if both are known.
pub(super) fn both(players: Option<u64>) -> Option<u64> {
    players.filter(|players| players & 1 == 1)
}

/// A key of a date: its digits. `None` if the year is unknown.
#[must_use]
pub fn date_key(date: &str) -> Option<u64> {
    let day = date.split_whitespace().next().unwrap_or_default();
    if !day.as_bytes().first().is_some_and(u8::is_ascii_digit) {
        return None;
    }
    // `2024.01.05`, `2024/1/5` and `2024-01-05` are one day; unknown parts are 0.
    let mut parts = day.split(['.', '/', '-']).map(|part| part.parse::<u64>().unwrap_or(0));
    let mut part = || parts.next().unwrap_or(0).min(1 << 20);
    Some((part() << 42) | (part() << 21) | part())
}

/// Games and positions of every format.
#[derive(Clone, Debug, Default)]
pub struct Collection {
    reading: ReadOptions,
    profile: Profile,
    across: bool,
}

impl Collection {
    /// Games that are read in a certain way.
    #[must_use]
    pub fn new(reading: ReadOptions) -> Self {
        Collection { reading, profile: Profile::Plain, across: false }
    }

    /// How positions without moves are compared.
    #[must_use]
    pub fn profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// Whether a game of the open board that is one of Western chess is compared as the Western game. That
    /// needs a criterion that leaves the laws out, [`By::Moves`] or [`By::Final`]; with the others it changes
    /// nothing.
    #[must_use]
    pub fn across(mut self, across: bool) -> Self {
        self.across = across;
        self
    }

    /// The Western game that a content of the open board is, if that is what has to be compared.
    fn western(&self, content: &Content<'_>, by: By) -> Option<Content<'static>> {
        let asked = self.across && matches!(by, By::Moves | By::Final);
        let western = (asked && matches!(content, Content::Infinite(_))).then(|| content.to_western());
        western.and_then(Result::ok).map(|(western, _)| western)
    }

    /// The text of a record with some tags added; one that it has already gets the new value.
    #[must_use]
    pub fn with_tags(&self, record: &Record, tags: &[(String, String)]) -> String {
        boardprint_games::with_tags(record, tags, &self.reading)
    }
}

impl Games for Collection {
    fn fingerprint(&self, record: &Record, by: By) -> Result<Fingerprint, RecordError> {
        let content = self.reading.read(record)?.content;
        let Some(western) = self.western(&content, by) else {
            return Fingerprint::of(&content, by, self.profile);
        };
        // Comments do not come along to the other board, and where a date stands depends on where a record
        // comes from.
        let (players, date) = who_and_when(&content);
        let richness = u16::try_from(content.richness()).unwrap_or(u16::MAX);
        Ok(Fingerprint { players, date, richness, ..Fingerprint::of(&western, by, self.profile)? })
    }

    fn tags(&self, record: &Record) -> Vec<(String, String)> {
        let Ok(reading) = self.reading.read(record) else { return Vec::new() };
        reading.content.tags().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    }
}

impl Fingerprint {
    /// The fingerprint of what a record holds.
    ///
    /// # Errors
    ///
    /// A move cannot be played; only [`By::Final`] needs to play them.
    pub fn of(content: &Content<'_>, by: By, profile: Profile) -> Result<Self, RecordError> {
        let text = match by {
            // A game of somebody's without moves is the beginning of his game.
            By::Prefix if !content.is_bare_position() => content.game_text(),
            By::Game | By::Prefix => content.key(profile),
            By::Moves => content.key_without_laws(profile),
            By::Final => content.last_key(profile)?,
        };
        let Facts { plies, players, date, richness } = Facts::of(content);
        Ok(Fingerprint {
            digest: text.digest(),
            line: (by == By::Prefix).then(|| Line::of(content, &text)),
            text,
            plies,
            players,
            date,
            richness,
        })
    }
}

/// Keys of players and date. A position without tags is nobody's game: two equal ones are one.
#[must_use]
pub fn who_and_when(content: &Content<'_>) -> (Option<u64>, Option<u64>) {
    let Facts { players, date, .. } = Facts::of(content);
    (players, date)
}
