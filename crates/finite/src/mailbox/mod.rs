//! Makruk, Shogi, Xiangqi and Janggi: one small board, and tables of how the pieces move.
//!
//! Squares are numbered from `a1` rank by rank upwards, as in [`Move`].

mod count;
mod find;
mod generate;
mod judge;
mod tables;

use boardprint_base::Side;

use self::tables::{CANNON, Mode, Ray, Tables};
use crate::board::MOST_CELLS;
use crate::error::Unplayable;
use crate::fen::Fen;
use crate::game::Game;
use crate::man::Man;
use crate::moves::{MET, Move};

pub(crate) use find::Sketch;
pub(crate) use judge::explain_western;

/// The square of a king that is not there.
const NOWHERE: u8 = u8::MAX;

/// A position.
#[derive(Clone, Debug)]
pub(crate) struct Mailbox {
    tables: &'static Tables,
    game: Game,
    side: Side,
    /// The squares of the kings or generals; a problem may lack one.
    kings: [u8; 2],
    cells: [Option<Man>; MOST_CELLS],
    /// The squares of the pieces of each side, as bits.
    men: [u128; 2],
    /// How many of each kind are in hand.
    hands: [[u16; 8]; 2],
    /// The limit of the count in Makruk, in half-moves.
    limit: Option<u32>,
}

impl Mailbox {
    pub(crate) fn from_fen(fen: &Fen) -> Result<Self, Unplayable> {
        let game = fen.game();
        let mut board = Mailbox {
            tables: Tables::of(game),
            game,
            side: fen.side(),
            kings: [NOWHERE; 2],
            cells: [None; MOST_CELLS],
            men: [0; 2],
            hands: [[0; 8]; 2],
            limit: fen.counting().map(|limit| u32::try_from(limit).unwrap_or(u32::MAX)),
        };
        for (cell, man) in fen.cells().iter().enumerate() {
            let Some(man) = *man else { continue };
            let square = game.flipped(cell);
            if board.is_royal(man) && board.kings[man.side() as usize] != NOWHERE {
                return Err(Unplayable::TwoKings);
            }
            board.put(square, man);
        }
        for side in Side::ALL {
            for (held, count) in board.hands[side as usize].iter_mut().zip(fen.hand(side)) {
                *held = u16::try_from(*count).map_err(|_| Unplayable::Hand)?;
            }
        }
        Ok(board)
    }

    /// The position as FEN, without counters.
    pub(crate) fn to_fen(&self) -> Fen {
        let mut fen = Fen::empty(self.game);
        fen.set_side(self.side);
        for (square, man) in self.cells[..self.game.squares()].iter().enumerate() {
            fen.put(self.game.flipped(square), *man)
                .expect("the board has the squares and pieces of the game");
        }
        if self.game == Game::Shogi {
            for side in Side::ALL {
                for (kind, count) in self.hand(side).iter().enumerate().filter(|(_, count)| **count > 0) {
                    fen.add_to_hand(side, kind, usize::from(*count)).expect("kings are never in hand");
                }
            }
        }
        fen
    }

    pub(crate) const fn game(&self) -> Game {
        self.game
    }

    pub(crate) const fn side(&self) -> Side {
        self.side
    }

    pub(crate) const fn hand(&self, side: Side) -> &[u16; 8] {
        &self.hands[side as usize]
    }

    #[inline]
    pub(crate) fn man(&self, square: usize) -> Option<Man> {
        self.cells[square]
    }

    /// Copies the pieces, cell by cell in reading order.
    #[inline]
    pub(crate) fn fill_cells(&self, cells: &mut [Option<Man>; MOST_CELLS]) {
        let (ranks, files) = (self.game.ranks(), self.game.files());
        for rank in 0..ranks {
            let row = (ranks - 1 - rank) * files;
            cells[row..row + files].copy_from_slice(&self.cells[rank * files..(rank + 1) * files]);
        }
    }

    pub(crate) fn same_position(&self, other: &Self) -> bool {
        self.game == other.game
            && self.side == other.side
            && self.cells == other.cells
            && self.hands == other.hands
    }

    fn is_royal(&self, man: Man) -> bool {
        self.game.kinds()[man.kind()].is_royal()
    }

    #[inline]
    fn put(&mut self, square: usize, man: Man) {
        self.cells[square] = Some(man);
        self.men[man.side() as usize] |= 1 << square;
        if self.is_royal(man) {
            self.kings[man.side() as usize] = u8::try_from(square).unwrap_or(NOWHERE);
        }
    }

    #[inline]
    fn lift(&mut self, square: usize) -> Option<Man> {
        let man = self.cells[square].take()?;
        self.men[man.side() as usize] &= !(1 << square);
        if self.is_royal(man) {
            self.kings[man.side() as usize] = NOWHERE;
        }
        Some(man)
    }

    /// Makes a move that is known to be possible, and says where the counter of moves starts again, if it does.
    #[inline]
    pub(crate) fn make(&mut self, played: Move) -> Option<u32> {
        let (from, to, promotes) = played.other_parts();
        let us = self.side;
        self.side = us.opponent();
        let squares = self.game.squares();
        if played == Move::NULL || from == to || to >= squares || from >= squares + 7 {
            return None;
        }
        if let Some(kind) = from.checked_sub(squares) {
            self.hands[us as usize][kind] = self.hands[us as usize][kind].saturating_sub(1);
            self.put(to, Man::new(kind, us, false));
            return Some(0);
        }
        let captured = self.lift(to);
        let man = self.lift(from)?;
        if let Some(captured) = captured
            && self.game == Game::Shogi
            && !self.is_royal(captured)
        {
            let held = &mut self.hands[us as usize][captured.kind()];
            *held = held.saturating_add(1);
        }
        let after = match (promotes, self.game) {
            (false, _) => man,
            (true, Game::Makruk) => Man::new(MET, us, false),
            (true, _) => {
                Some(Man::new(man.kind(), us, true)).filter(|after| after.exists_in(self.game)).unwrap_or(man)
            }
        };
        self.put(to, after);
        let makes_progress = captured.is_some() || promotes;
        if self.limit.is_some() {
            return if makes_progress { self.count_again() } else { None };
        }
        let pawn = self.game == Game::Makruk && man.kind() == 0;
        (makes_progress || pawn).then_some(0)
    }

    /// Whether the king or general of a side is attacked.
    pub(crate) fn in_check(&self, side: Side) -> bool {
        self.king(side).is_some_and(|king| {
            self.attacker_rays(king, side.opponent())
                .any(|ray| ray.mode != Mode::Face && self.strikes(ray, king))
        })
    }

    /// Whether the king or general of a side is where it may not be: attacked, or in Xiangqi in sight of the
    /// other general.
    #[inline]
    fn in_danger(&self, side: Side) -> bool {
        self.king(side)
            .is_some_and(|king| self.attacker_rays(king, side.opponent()).any(|ray| self.strikes(ray, king)))
    }

    /// The ways of the pieces that may attack a square.
    fn attacker_rays(&self, target: usize, by: Side) -> impl Iterator<Item = Ray> + '_ {
        bits(self.men[by as usize]).flat_map(move |from| {
            let man = self.cells[from].filter(|man| self.tables.attacks(*man, from) >> target & 1 == 1);
            man.map_or(&[][..], |man| self.tables.rays(man, from)).iter().copied()
        })
    }

    /// The square of the king or general of a side.
    #[inline]
    fn king(&self, side: Side) -> Option<usize> {
        Some(self.kings[side as usize]).filter(|king| *king != NOWHERE).map(usize::from)
    }

    /// Whether a way captures on a square that is occupied.
    fn strikes(&self, ray: Ray, target: usize) -> bool {
        let path = self.tables.path(ray);
        let Some(at) = path.iter().position(|square| usize::from(*square) == target) else { return false };
        if !ray.slides && at + 1 != path.len() {
            return false;
        }
        let mut over = path[..at].iter().filter_map(|square| self.cells[usize::from(*square)]);
        match ray.mode {
            Mode::Quiet => false,
            Mode::Both | Mode::Capture | Mode::Face => over.next().is_none(),
            Mode::Cannon => over.next().is_some() && over.next().is_none(),
            Mode::JanggiCannon => {
                over.next().is_some_and(|screen| screen.kind() != CANNON)
                    && over.next().is_none()
                    && self.cells[target].is_none_or(|victim| victim.kind() != CANNON)
            }
        }
    }

    /// Whether the generals of Janggi face each other on an open file.
    pub(crate) fn facing(&self) -> bool {
        let [one, two] = self.kings.map(usize::from);
        let files = self.game.files();
        if self.game != Game::Janggi || self.kings.contains(&NOWHERE) || one % files != two % files {
            return false;
        }
        let (low, high) = (one.min(two), one.max(two));
        (low + files..high).step_by(files).all(|square| self.cells[square].is_none())
    }

    /// Whether the same pieces stand on the same squares.
    pub(crate) fn has_pieces_of(&self, other: &Mailbox) -> bool {
        self.cells == other.cells
    }

    /// The rank of a square as a side counts it, from 0.
    #[inline]
    fn depth(&self, side: Side, square: usize) -> usize {
        let rank = square / self.game.files();
        if side == Side::Bottom { rank } else { self.game.ranks() - 1 - rank }
    }
}

/// The numbers of the bits that are set.
fn bits(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        next
    })
}
