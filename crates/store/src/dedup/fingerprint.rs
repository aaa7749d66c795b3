//! What deduplication needs to know about a game.

use boardprint_base::{Digest, SyntaxError};

use super::{By, Place, infinite};
use crate::pgn::WesternGame;
use crate::read::{Format, Record};

/// What deduplication needs to know about a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    /// SHA-1 of what decides: the game, its moves, or its last position and length. By prefix, the game.
    pub digest: Digest,
    /// What decides, as text.
    pub text: Identity,
    /// By prefix, the key after every ply from 0 to the last; else empty.
    pub chain: Vec<[u64; 2]>,
    /// Half-moves.
    pub plies: u32,
    /// A key of both players, if both are known.
    pub players: Option<u64>,
    /// A key of the date, if it is known.
    pub date: Option<u64>,
    /// How much the record says beside the moves.
    pub richness: u16,
}

/// What tells a game from others, as text. Games are one if their texts are equal; [`Fingerprint::digest`] is its SHA-1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// The start, then the moves; or the last position and the number of plies.
    pub text: Vec<u8>,
    /// How many of the bytes are the start. Behind it each move has one byte before it.
    pub start: usize,
}

impl Identity {
    /// A text without moves.
    #[must_use]
    pub fn whole(text: Vec<u8>) -> Self {
        Identity { start: text.len(), text }
    }

    /// The SHA-1 of the text.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of(&self.text)
    }
}

/// Games of a collection, whatever their format.
pub trait Games: Sync {
    /// The fingerprint of a record's game.
    ///
    /// # Errors
    ///
    /// The record is no game, or its game breaks off.
    fn fingerprint(&self, record: &Record, by: By) -> Result<Fingerprint, SyntaxError>;

    /// The tags of a record in order.
    fn tags(&self, record: &Record) -> Vec<(String, String)>;

    /// The game known from elsewhere that has the same digest; if there are several, one with the same text, if there is one. It is
    /// asked from many threads.
    fn known(&self, _game: &Fingerprint) -> Option<Known> {
        None
    }
}

/// A game that is no part of the input, such as one of a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// Where it stands.
    pub place: Place,
    /// A key of both players, if both are known.
    pub players: Option<u64>,
    /// A key of the date, if it is known.
    pub date: Option<u64>,
    /// The text of the game; [`Options::paranoid`](super::Options::paranoid) compares it.
    pub text: Vec<u8>,
}

/// A running key of a start and moves: the key of a beginning is the key of the game that ends there.
///
/// It is fast and finds equal beginnings; it is no secure hash. Whoever wants to can easily make different games with the same key: see
/// [`Options::paranoid`](super::Options::paranoid).
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

/// A key of both players: the last words of their surnames, case and punctuation aside. `None` if one of them is unknown.
///
/// ```
/// use boardprint_store::dedup::players_key;
/// assert_eq!(players_key("Carlsen, Magnus", "Anand,V"), players_key("carlsen", "Viswanathan Anand"));
/// assert_eq!(players_key("Carlsen", "?"), None);
/// ```
#[must_use]
pub fn players_key(white: &str, black: &str) -> Option<u64> {
    let mut key = Chain([1, 2]);
    for name in [white, black] {
        // `Munoz Pantoja,M` and `Munoz Pantoja`: the last word before the comma.
        let before_comma = name.split(',').next().unwrap_or_default();
        let surname = before_comma.split_ascii_whitespace().next_back().unwrap_or_default();
        let mut letters = 0;
        for letter in surname.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase) {
            key.push(u64::from(u32::from(letter)));
            letters += 1;
        }
        if letters == 0 {
            return None;
        }
        key.push(u64::MAX);
    }
    Some(key.0[0])
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

/// Whether a tag's value says anything; `?`, `????.??.??` and `-` do not.
pub(super) fn is_known(value: &str) -> bool {
    value.bytes().any(|b| !matches!(b, b'?' | b'.' | b'-' | b' '))
}

/// Games and positions of every format.
#[derive(Clone, Debug, Default)]
pub struct Collection {
    icn: boardprint_icn::ReadOptions,
}

impl Collection {
    /// Games whose ICN is read in a certain way.
    #[must_use]
    pub fn new(icn: boardprint_icn::ReadOptions) -> Self {
        Collection { icn }
    }

    /// The text of a record with some tags added; one that it has already gets the new value. A game in JSON is written anew.
    #[must_use]
    pub fn with_tags(&self, record: &Record, tags: &[(String, String)]) -> String {
        match record.format {
            Format::Pgn => crate::pgn::with_tags(&record.text, tags),
            Format::Icn | Format::Json => infinite::with_tags(record, tags, &self.icn),
            Format::Cpn | Format::Fen | Format::Sfen => record.text.clone(),
        }
    }
}

impl Games for Collection {
    fn fingerprint(&self, record: &Record, by: By) -> Result<Fingerprint, SyntaxError> {
        match record.format {
            Format::Pgn => western(&record.text, by),
            Format::Icn | Format::Json => infinite::infinite(record, by, &self.icn),
            Format::Cpn | Format::Fen | Format::Sfen => Ok(infinite::line(&record.text, by)),
        }
    }

    fn tags(&self, record: &Record) -> Vec<(String, String)> {
        match record.format {
            Format::Pgn => {
                let tags = crate::pgn::tags(&record.text);
                tags.iter().map(|tag| (tag.name.to_owned(), tag.value().into_owned())).collect()
            }
            Format::Icn | Format::Json => infinite::tags(record, &self.icn),
            Format::Cpn | Format::Fen | Format::Sfen => Vec::new(),
        }
    }
}

fn western(text: &str, by: By) -> Result<Fingerprint, SyntaxError> {
    let game = WesternGame::parse(text);
    if let Some(broken) = game.broken {
        return Err(broken.into());
    }
    let mut text = Vec::with_capacity(96 + 5 * game.moves.len());
    let start = if by == By::Final {
        game.write_last(&mut text);
        text.len()
    } else {
        game.write_identity(&mut text)
    };
    let text = Identity { text, start };
    let (mut white, mut black, mut date, mut known) = ("", "", None, 0_u32);
    let mut ratings = 0_u32;
    for tag in &game.tags {
        match tag.name {
            "White" => white = tag.raw,
            "Black" => black = tag.raw,
            "Date" => date = date_key(tag.raw).or(date),
            "UTCDate" => date = date.or_else(|| date_key(tag.raw)),
            _ => {}
        }
        if is_known(tag.raw) {
            known += 1;
            ratings += u32::from(tag.name.ends_with("Elo"));
        }
    }
    let extras = game.extras;
    let richness = known + ratings + extras.comments + extras.clocks + extras.variations + extras.glyphs;
    Ok(Fingerprint {
        digest: text.digest(),
        text,
        chain: if by == By::Prefix { game.chain() } else { Vec::new() },
        plies: u32::try_from(game.moves.len()).unwrap_or(u32::MAX),
        players: players_key(white, black),
        date,
        richness: u16::try_from(richness).unwrap_or(u16::MAX),
    })
}
