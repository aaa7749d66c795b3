//! The games and their pieces.

use std::fmt;
use std::str::FromStr;

/// The games that have a FEN or SFEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Game {
    /// Western chess.
    Western,
    /// Makruk, of Thailand.
    Makruk,
    /// Shogi, of Japan.
    Shogi,
    /// Xiangqi, of China.
    Xiangqi,
    /// Janggi, of Korea. Green, who moves first, is at the bottom.
    Janggi,
}

/// A kind of piece: its letter in FEN and its name in GAN.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Kind {
    /// The letter we write, in lower case.
    pub(super) letter: u8,
    /// Letters that are read as well.
    pub(super) also: &'static [u8],
    /// The abbreviation in GAN, in lower case.
    pub(super) abbreviation: &'static str,
    pub(super) royal: bool,
    /// Whether it can promote and keep its name, as in Shogi.
    pub(super) promotes: bool,
}

const fn kind(letter: u8, abbreviation: &'static str) -> Kind {
    Kind { letter, also: &[], abbreviation, royal: false, promotes: false }
}

const fn royal(letter: u8, abbreviation: &'static str) -> Kind {
    Kind { royal: true, ..kind(letter, abbreviation) }
}

const fn promoting(letter: u8, abbreviation: &'static str) -> Kind {
    Kind { promotes: true, ..kind(letter, abbreviation) }
}

impl Kind {
    const fn or(self, also: &'static [u8]) -> Kind {
        Kind { also, ..self }
    }
}

static WESTERN: [Kind; 6] =
    [kind(b'p', "p"), kind(b'n', "n"), kind(b'b', "b"), kind(b'r', "r"), kind(b'q', "q"), royal(b'k', "k")];
static MAKRUK: [Kind; 6] = [
    kind(b'p', "p"),
    kind(b'n', "n"),
    kind(b's', "b").or(b"b"),
    kind(b'r', "r"),
    kind(b'm', "q").or(b"q"),
    royal(b'k', "k"),
];
/// In the order of hands in SFEN.
static SHOGI: [Kind; 8] = [
    promoting(b'r', "r"),
    promoting(b'b', "b"),
    kind(b'g', "g"),
    promoting(b's', "s"),
    promoting(b'n', "n"),
    promoting(b'l', "l"),
    promoting(b'p', "p"),
    royal(b'k', "k"),
];
static XIANGQI: [Kind; 7] = [
    kind(b'p', "s").or(b"s"),
    kind(b'c', "c"),
    kind(b'r', "r"),
    kind(b'n', "h").or(b"h"),
    kind(b'b', "e").or(b"e"),
    kind(b'a', "a"),
    royal(b'k', "g").or(b"g"),
];
/// Without other letters: in FEN a p is a soldier, in GAN a cannon.
static JANGGI: [Kind; 7] = [
    kind(b'p', "j"),
    kind(b'c', "p"),
    kind(b'r', "r"),
    kind(b'n', "m"),
    kind(b'b', "e"),
    kind(b'a', "s"),
    royal(b'k', "g"),
];

impl Game {
    /// Every game.
    pub const ALL: [Game; 5] = [Game::Western, Game::Makruk, Game::Shogi, Game::Xiangqi, Game::Janggi];

    /// The name in lower case, such as `western`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Game::Western => "western",
            Game::Makruk => "makruk",
            Game::Shogi => "shogi",
            Game::Xiangqi => "xiangqi",
            Game::Janggi => "janggi",
        }
    }

    /// The name in GAN, in lower case.
    #[must_use]
    pub const fn actor_game(self) -> &'static str {
        match self {
            Game::Western => "w",
            Game::Makruk => "m",
            Game::Shogi => "s",
            Game::Xiangqi => "x",
            Game::Janggi => "j",
        }
    }

    /// How many ranks the board has.
    #[must_use]
    pub const fn ranks(self) -> usize {
        match self {
            Game::Western | Game::Makruk => 8,
            Game::Shogi => 9,
            Game::Xiangqi | Game::Janggi => 10,
        }
    }

    /// How many squares a rank has.
    #[must_use]
    pub const fn files(self) -> usize {
        match self {
            Game::Western | Game::Makruk => 8,
            Game::Shogi | Game::Xiangqi | Game::Janggi => 9,
        }
    }

    pub(super) fn kinds(self) -> &'static [Kind] {
        match self {
            Game::Western => &WESTERN,
            Game::Makruk => &MAKRUK,
            Game::Shogi => &SHOGI,
            Game::Xiangqi => &XIANGQI,
            Game::Janggi => &JANGGI,
        }
    }

    /// What a letter that is not in the table is called.
    pub(super) const fn letter_words(self) -> &'static str {
        match self {
            Game::Western => "piece letter: Western chess has p n b r q k",
            Game::Makruk => "piece letter: Makruk has p n s r m k",
            Game::Shogi => "piece letter: Shogi has p l n s g b r k",
            Game::Xiangqi => "piece letter: Xiangqi has p c r n b a k",
            Game::Janggi => "piece letter: Janggi has p c r n b a k",
        }
    }
}

/// The text is not the name of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownGame;

impl FromStr for Game {
    type Err = UnknownGame;
    fn from_str(text: &str) -> Result<Self, UnknownGame> {
        Self::ALL.into_iter().find(|game| game.name() == text).ok_or(UnknownGame)
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for UnknownGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected western, makruk, shogi, xiangqi or janggi")
    }
}

impl std::error::Error for UnknownGame {}
