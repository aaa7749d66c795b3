//! Kinds of pieces, and the pieces of a finite board.

use std::num::NonZeroU8;

use boardprint_base::Side;

use crate::game::Game;

/// A kind of piece: its letter in FEN and its name in GAN. The kinds of a game are in [`Game::kinds`].
#[derive(Debug, PartialEq, Eq)]
pub struct Kind {
    /// The letter we write, in lower case.
    letter: u8,
    /// Letters that are read as well.
    also: &'static [u8],
    /// The abbreviation in GAN, in lower case.
    abbreviation: &'static str,
    royal: bool,
    promotes: bool,
}

impl Kind {
    pub(crate) const fn new(letter: u8, abbreviation: &'static str) -> Self {
        Kind { letter, also: &[], abbreviation, royal: false, promotes: false }
    }

    pub(crate) const fn royal(letter: u8, abbreviation: &'static str) -> Self {
        Kind { royal: true, ..Kind::new(letter, abbreviation) }
    }

    pub(crate) const fn promoting(letter: u8, abbreviation: &'static str) -> Self {
        Kind { promotes: true, ..Kind::new(letter, abbreviation) }
    }

    pub(crate) const fn or(self, also: &'static [u8]) -> Self {
        Kind { also, ..self }
    }

    /// The letter in FEN, in lower case.
    #[must_use]
    pub const fn letter(&self) -> u8 {
        self.letter
    }

    /// The abbreviation in GAN, in lower case.
    #[must_use]
    pub const fn abbreviation(&self) -> &'static str {
        self.abbreviation
    }

    /// Whether the game is about it: a king or general.
    #[must_use]
    pub const fn is_royal(&self) -> bool {
        self.royal
    }

    /// Whether it can promote and keep its name, as in Shogi.
    #[must_use]
    pub const fn promotes(&self) -> bool {
        self.promotes
    }

    /// Whether a letter in lower case means this kind.
    pub(crate) fn is_read_as(&self, letter: u8) -> bool {
        self.letter == letter || self.also.contains(&letter)
    }
}

/// A piece on a finite board, in one byte: its kind as the place in [`Game::kinds`], its side, and whether it
/// is promoted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Man(NonZeroU8);

impl Man {
    const PRESENT: u8 = 1 << 5;
    const TOP: u8 = 1 << 4;
    const PROMOTED: u8 = 1 << 3;
    /// How many codes there are: [`Man::code`] is below.
    pub const CODES: usize = 32;

    /// A piece of a kind, given by its place in the table of its game; of the place only the lowest three
    /// bits count.
    #[must_use]
    pub const fn new(kind: usize, side: Side, promoted: bool) -> Self {
        let top = matches!(side, Side::Top) as u8 * Self::TOP;
        #[expect(clippy::cast_possible_truncation, reason = "three bits")]
        let code = Self::PRESENT | top | (promoted as u8 * Self::PROMOTED) | (kind & 7) as u8;
        match NonZeroU8::new(code) {
            Some(code) => Man(code),
            // `PRESENT` is set, so the code is never zero.
            None => unreachable!(),
        }
    }

    /// The place of its kind in [`Game::kinds`].
    #[must_use]
    pub const fn kind(self) -> usize {
        (self.0.get() & 7) as usize
    }

    /// Whose it is.
    #[must_use]
    pub const fn side(self) -> Side {
        if self.0.get() & Self::TOP == 0 { Side::Bottom } else { Side::Top }
    }

    /// Whether it is promoted and keeps its name, as in Shogi.
    #[must_use]
    pub const fn is_promoted(self) -> bool {
        self.0.get() & Self::PROMOTED != 0
    }

    /// A number below [`Man::CODES`] for tables: the kind, plus 8 if it is promoted, plus 16 for the second
    /// player.
    #[must_use]
    pub const fn code(self) -> usize {
        (self.0.get() & !Self::PRESENT) as usize
    }

    /// A byte for a cell that may be empty: 0, or [`Man::CODES`] plus the code of the piece.
    #[must_use]
    #[inline]
    pub const fn byte_of(cell: Option<Man>) -> u8 {
        match cell {
            Some(man) => man.0.get(),
            None => 0,
        }
    }

    /// The letter in FEN: upper case for the first player.
    #[must_use]
    pub fn letter(self, game: Game) -> u8 {
        let letter = game.kinds().get(self.kind()).map_or(b'?', Kind::letter);
        if self.side() == Side::Bottom { letter.to_ascii_uppercase() } else { letter }
    }

    /// Whether there is such a piece in a game.
    #[must_use]
    pub fn exists_in(self, game: Game) -> bool {
        game.kinds().get(self.kind()).is_some_and(|kind| kind.promotes || !self.is_promoted())
    }
}
