//! The moves of a position.

use boardprint_base::Side;

use super::tables::{CANNON, Mode};
use super::{Mailbox, bits};
use crate::game::Game;
use crate::man::Man;
use crate::moves::Move;

/// Places of kinds of Shogi.
pub(super) const KNIGHT: usize = 4;
pub(super) const LANCE: usize = 5;
pub(super) const PAWN: usize = 6;

/// How a piece that goes from one square to another promotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Promotion {
    Never,
    May,
    Must,
}

impl Mailbox {
    /// Calls a function with every legal move until it returns `false`.
    pub(crate) fn each_legal(&self, each: &mut dyn FnMut(Move) -> bool) {
        self.each_candidate(&mut |played| !self.is_safe(played) || each(played));
    }

    pub(crate) fn has_legal_move(&self) -> bool {
        let mut any = false;
        self.each_legal(&mut |_| {
            any = true;
            false
        });
        any
    }

    /// Every move, but for those that leave the king attacked or mate by a dropped pawn.
    fn each_candidate(&self, each: &mut impl FnMut(Move) -> bool) {
        let us = self.side as usize;
        for from in bits(self.men[us]) {
            let Some(man) = self.cells[from] else { continue };
            if !self.each_candidate_from(from, man, each) {
                return;
            }
        }
        if self.game == Game::Janggi && self.kings[us] != super::NOWHERE {
            let king = usize::from(self.kings[us]);
            if !each(Move::other(king, king, false)) {
                return;
            }
        }
        for kind in (0..8).filter(|kind| self.hands[us][*kind] > 0) {
            if !self.each_drop(kind, each) {
                return;
            }
        }
    }

    fn each_drop(&self, kind: usize, each: &mut impl FnMut(Move) -> bool) -> bool {
        let squares = self.game.squares();
        (0..squares).filter(|to| self.cells[*to].is_none()).all(|to| {
            !self.can_live(self.side, kind, to)
                || kind == PAWN && self.has_pawn_on_file(self.side, to)
                || each(Move::other(squares + kind, to, false))
        })
    }

    fn each_candidate_from(&self, from: usize, man: Man, each: &mut impl FnMut(Move) -> bool) -> bool {
        let mut go = |to: u8| self.each_promotion(from, usize::from(to), man, each);
        for ray in self.tables.rays(man, from) {
            let path = self.tables.path(*ray);
            let at = |square: &u8| self.cells[usize::from(*square)];
            let captures = |square: &u8| at(square).is_some_and(|victim| self.is_prey(victim));
            if !ray.slides {
                let Some((to, way)) = path.split_last() else { continue };
                let fits = match ray.mode {
                    Mode::Quiet => at(to).is_none(),
                    Mode::Capture => captures(to),
                    _ => at(to).is_none() || captures(to),
                };
                if fits && way.iter().all(|square| at(square).is_none()) && !go(*to) {
                    return false;
                }
                continue;
            }
            // The free squares, the first piece on the way, the free squares beyond it, and the next piece.
            let free = path.iter().take_while(|square| at(square).is_none()).count();
            let beyond = &path[(free + 1).min(path.len())..];
            let free_beyond = beyond.iter().take_while(|square| at(square).is_none()).count();
            let next = path.get(free);
            let (quiet, victim) = match ray.mode {
                Mode::Face => continue,
                Mode::JanggiCannon if next.and_then(at).is_none_or(|screen| screen.kind() == CANNON) => {
                    continue;
                }
                Mode::JanggiCannon => (&beyond[..free_beyond], beyond.get(free_beyond)),
                Mode::Cannon => (&path[..free], beyond.get(free_beyond)),
                Mode::Both | Mode::Quiet | Mode::Capture => (&path[..free], next),
            };
            if !quiet.iter().all(|to| go(*to)) {
                return false;
            }
            let spared =
                |to: &u8| ray.mode == Mode::JanggiCannon && at(to).is_some_and(|man| man.kind() == CANNON);
            if let Some(to) = victim.filter(|to| captures(to) && !spared(to))
                && !go(*to)
            {
                return false;
            }
        }
        true
    }

    /// Whether a piece may be captured: one of the other side, but never a king.
    #[inline]
    fn is_prey(&self, man: Man) -> bool {
        man.side() != self.side && !self.is_royal(man)
    }

    fn each_promotion(&self, from: usize, to: usize, man: Man, each: &mut impl FnMut(Move) -> bool) -> bool {
        let promotion = self.promotion(from, to, man);
        (promotion == Promotion::Must || each(Move::other(from, to, false)))
            && (promotion == Promotion::Never || each(Move::other(from, to, true)))
    }

    pub(super) fn promotion(&self, from: usize, to: usize, man: Man) -> Promotion {
        let side = man.side();
        match self.game {
            Game::Makruk if man.kind() == 0 && self.depth(side, to) >= 5 => Promotion::Must,
            Game::Shogi if !man.is_promoted() && self.game.kinds()[man.kind()].promotes() => {
                if !self.can_live(side, man.kind(), to) {
                    Promotion::Must
                } else if self.depth(side, from) >= 6 || self.depth(side, to) >= 6 {
                    Promotion::May
                } else {
                    Promotion::Never
                }
            }
            _ => Promotion::Never,
        }
    }

    /// Whether an unpromoted piece of Shogi could move on from a square of an empty board.
    pub(super) fn can_live(&self, side: Side, kind: usize, square: usize) -> bool {
        let ahead = self.game.ranks() - 1 - self.depth(side, square);
        match kind {
            PAWN | LANCE => ahead >= 1,
            KNIGHT => ahead >= 2,
            _ => true,
        }
    }

    pub(super) fn has_pawn_on_file(&self, side: Side, square: usize) -> bool {
        let files = self.game.files();
        let pawn = Some(Man::new(PAWN, side, false));
        (square % files..self.game.squares()).step_by(files).any(|on_file| self.cells[on_file] == pawn)
    }

    /// Whether a candidate is legal: the king is safe after it, and it is not mate by a dropped pawn.
    pub(super) fn is_safe(&self, played: Move) -> bool {
        let us = self.side;
        let (from, to, _) = played.other_parts();
        let facing = self.facing();
        if from == to {
            return facing || !self.in_check(us);
        }
        let mut next = self.clone();
        next.make(played);
        if next.in_danger(us) || facing && next.facing() {
            return false;
        }
        let drops_pawn = from == self.game.squares() + PAWN;
        !(drops_pawn && next.in_check(us.opponent()) && !next.has_legal_move())
    }
}
