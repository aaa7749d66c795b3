//! Moves in two bytes.
//!
//! The bits are stored in databases and never change. Squares are numbered from `a1` rank by rank upwards.
//!
//! | game | bits |
//! |---|---|
//! | Western | 0–5 from, 6–11 to, 12–15 what a pawn becomes: 1 knight, 2 bishop, 3 rook, 4 queen, 0 nothing |
//! | the others | 0–6 from, 7–13 to, 14 promotes, 15 is 0 |
//!
//! Where a piece is dropped, "from" is the number of squares plus the place of its kind in [`Game::kinds`]. A
//! pass, in Janggi, goes from the general's square to the same square. All bits 0 is a turn without a move.
//!
//! Castling is the king's move (`e1g1`) if the king stands on the e file and the rook on the a or h file,
//! else the king takes the rook (`f1h1`), since the king's own move may be ambiguous.

use std::fmt;

use crate::game::Game;

/// A move of any of the games, in two bytes. The module says what the bits mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

/// What a move does, by squares numbered from `a1` rank by rank upwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Action {
    /// A turn without a move.
    Null,
    /// A piece goes from one square to another.
    Go {
        /// Where it stood.
        from: usize,
        /// Where it goes.
        to: usize,
        /// What it becomes: the place of the kind in [`Game::kinds`], in Shogi of its own kind.
        promotion: Option<usize>,
    },
    /// A piece from the hand.
    Drop {
        /// The place of its kind in [`Game::kinds`].
        kind: usize,
        /// Where it goes.
        to: usize,
    },
    /// A pass of Janggi, named after the square of the general.
    Pass(usize),
}

/// The place of the met among the kinds of Makruk, which pawns become.
pub(crate) const MET: usize = 4;

const PROMOTES: u16 = 1 << 14;

impl Move {
    /// A turn without a move.
    pub const NULL: Move = Move(0);

    pub(crate) const fn western(from: u16, to: u16, promotion: u16) -> Self {
        Move(from | to << 6 | promotion << 12)
    }

    pub(crate) const fn other(from: usize, to: usize, promotes: bool) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "both are below 128")]
        Move((from | to << 7) as u16 | if promotes { PROMOTES } else { 0 })
    }

    /// Where it comes from and goes to, in games other than Western chess, and whether it promotes.
    #[inline]
    pub(crate) const fn other_parts(self) -> (usize, usize, bool) {
        ((self.0 & 127) as usize, (self.0 >> 7 & 127) as usize, self.0 & PROMOTES != 0)
    }

    /// The move of two bytes, if they can be one of this game.
    #[must_use]
    pub fn from_bits(game: Game, bits: u16) -> Option<Self> {
        let made = Move(bits);
        if game == Game::Western {
            return (bits >> 12 <= 4).then_some(made);
        }
        let (from, to, promotes) = made.other_parts();
        let squares = game.squares();
        let from_fits = from < squares || game == Game::Shogi && from < squares + 7 && !promotes;
        let promotion_fits = !promotes || matches!(game, Game::Makruk | Game::Shogi);
        (bits >> 15 == 0 && to < squares && from_fits && promotion_fits).then_some(made)
    }

    /// The two bytes.
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// What it does.
    #[must_use]
    pub fn action(self, game: Game) -> Action {
        if self == Self::NULL {
            return Action::Null;
        }
        if game == Game::Western {
            let (from, to) = (usize::from(self.0 & 63), usize::from(self.0 >> 6 & 63));
            let promotion = Some(usize::from(self.0 >> 12)).filter(|piece| *piece > 0);
            return Action::Go { from, to, promotion };
        }
        let (from, to, promotes) = self.other_parts();
        match from.checked_sub(game.squares()) {
            Some(kind) => Action::Drop { kind, to },
            None if from == to => Action::Pass(from),
            None => Action::Go { from, to, promotion: promotes.then_some(MET) },
        }
    }

    /// Appends the move as UCI has it, with ranks from 1: `e2e4`, `e7e8q`, `P@e5`, `b2h8+`, `a5a6m`, `0000`.
    #[inline]
    pub fn write_uci(self, game: Game, out: &mut Vec<u8>) {
        if game == Game::Western && self != Self::NULL {
            return self.write_western(out);
        }
        match self.action(game) {
            Action::Null => out.extend_from_slice(b"0000"),
            Action::Go { from, to, promotion } => {
                write_square(game, from, out);
                write_square(game, to, out);
                if let Some(kind) = promotion {
                    let letter = game.kinds().get(kind).map_or(b'?', crate::Kind::letter);
                    out.push(if game == Game::Shogi { b'+' } else { letter });
                }
            }
            Action::Drop { kind, to } => {
                out.push(game.kinds().get(kind).map_or(b'?', |kind| kind.letter().to_ascii_uppercase()));
                out.push(b'@');
                write_square(game, to, out);
            }
            Action::Pass(square) => {
                write_square(game, square, out);
                write_square(game, square, out);
            }
        }
    }

    /// The same without tables, since large collections are made of these.
    #[inline]
    fn write_western(self, out: &mut Vec<u8>) {
        let ([a, b], [c, d]) = (western_square(self.0), western_square(self.0 >> 6));
        out.extend_from_slice(&[a, b, c, d]);
        if self.0 >> 12 > 0 {
            out.push(b"?nbrq???????????"[usize::from(self.0 >> 12)]);
        }
    }

    /// Appends moves as UCI has them, a space before each.
    pub fn write_line(moves: &[Move], game: Game, out: &mut Vec<u8>) {
        out.reserve(5 * moves.len());
        for played in moves {
            if game == Game::Western && played.0 >> 12 == 0 && *played != Self::NULL {
                let ([a, b], [c, d]) = (western_square(played.0), western_square(played.0 >> 6));
                out.extend_from_slice(&[b' ', a, b, c, d]);
            } else {
                out.push(b' ');
                played.write_uci(game, out);
            }
        }
    }

    /// The move as UCI has it, with ranks from 1.
    #[must_use]
    pub fn uci(self, game: Game) -> Uci {
        Uci(self, game)
    }
}

/// The name of the square in the lowest six bits.
#[inline]
const fn western_square(bits: u16) -> [u8; 2] {
    [b'a' + (bits & 7) as u8, b'1' + (bits >> 3 & 7) as u8]
}

/// Shows a move as UCI has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uci(Move, Game);

impl fmt::Display for Uci {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Vec::with_capacity(6);
        self.0.write_uci(self.1, &mut text);
        f.write_str(&String::from_utf8_lossy(&text))
    }
}

/// Appends the name of a square: file from `a`, rank from 1.
#[inline]
pub(crate) fn write_square(game: Game, square: usize, out: &mut Vec<u8>) {
    let (rank, file) = (square / game.files(), square % game.files());
    #[expect(clippy::cast_possible_truncation, reason = "a board has at most ten ranks and nine files")]
    let (rank, file) = (rank as u8 + 1, file as u8);
    out.push(b'a' + file);
    if rank >= 10 {
        out.push(b'1');
    }
    out.push(b'0' + rank % 10);
}
