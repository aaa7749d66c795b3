//! The games and their pieces.

use std::fmt;
use std::str::FromStr;

use crate::man::Kind;

/// The games that have a FEN or SFEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
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

static WESTERN: [Kind; 6] = [
    Kind::new(b'p', "p"),
    Kind::new(b'n', "n"),
    Kind::new(b'b', "b"),
    Kind::new(b'r', "r"),
    Kind::new(b'q', "q"),
    Kind::royal(b'k', "k"),
];
static MAKRUK: [Kind; 6] = [
    Kind::new(b'p', "p"),
    Kind::new(b'n', "n"),
    Kind::new(b's', "b").or(b"b"),
    Kind::new(b'r', "r"),
    Kind::new(b'm', "q").or(b"q"),
    Kind::royal(b'k', "k"),
];
/// In the order of hands in SFEN.
static SHOGI: [Kind; 8] = [
    Kind::promoting(b'r', "r"),
    Kind::promoting(b'b', "b"),
    Kind::new(b'g', "g"),
    Kind::promoting(b's', "s"),
    Kind::promoting(b'n', "n"),
    Kind::promoting(b'l', "l"),
    Kind::promoting(b'p', "p"),
    Kind::royal(b'k', "k"),
];
static XIANGQI: [Kind; 7] = [
    Kind::new(b'p', "s").or(b"s"),
    Kind::new(b'c', "c"),
    Kind::new(b'r', "r"),
    Kind::new(b'n', "h").or(b"h"),
    Kind::new(b'b', "e").or(b"e"),
    Kind::new(b'a', "a"),
    Kind::royal(b'k', "g").or(b"g"),
];
/// Without other letters: in FEN a p is a soldier, in GAN a cannon.
static JANGGI: [Kind; 7] = [
    Kind::new(b'p', "j"),
    Kind::new(b'c', "p"),
    Kind::new(b'r', "r"),
    Kind::new(b'n', "m"),
    Kind::new(b'b', "e"),
    Kind::new(b'a', "s"),
    Kind::royal(b'k', "g"),
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

    /// The name as people write it.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Game::Western => "Western chess",
            Game::Makruk => "Makruk",
            Game::Shogi => "Shogi",
            Game::Xiangqi => "Xiangqi",
            Game::Janggi => "Janggi",
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

    /// Its number on disk; it never changes.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Game::Western => 1,
            Game::Makruk => 2,
            Game::Shogi => 3,
            Game::Xiangqi => 4,
            Game::Janggi => 5,
        }
    }

    /// The game of a number on disk.
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|game| game.code() == code)
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

    /// How many squares the board has.
    #[must_use]
    pub const fn squares(self) -> usize {
        self.ranks() * self.files()
    }

    /// The square, numbered from `a1` upwards, of a cell in reading order, or the other way round.
    #[must_use]
    pub const fn flipped(self, square: usize) -> usize {
        let (rank, file) = (square / self.files(), square % self.files());
        (self.ranks() - 1 - rank) * self.files() + file
    }

    /// The usual start, as FEN. Janggi has others: sides choose where horses and elephants stand.
    #[must_use]
    pub const fn start(self) -> &'static str {
        match self {
            Game::Western => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            Game::Makruk => "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
            Game::Shogi => "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[] w - - 0 1",
            Game::Xiangqi => "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
            Game::Janggi => "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 0 1",
        }
    }

    /// The kinds of its pieces; in Shogi in the order of hands in SFEN.
    #[must_use]
    pub fn kinds(self) -> &'static [Kind] {
        match self {
            Game::Western => &WESTERN,
            Game::Makruk => &MAKRUK,
            Game::Shogi => &SHOGI,
            Game::Xiangqi => &XIANGQI,
            Game::Janggi => &JANGGI,
        }
    }

    /// What a letter that is not in the table is called.
    pub(crate) const fn letter_words(self) -> &'static str {
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
