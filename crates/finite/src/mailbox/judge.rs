//! Whether one move is legal, and if not, why.

use super::generate::{PAWN, Promotion};
use super::tables::{Mode, Ray};
use super::{Mailbox, NOWHERE};
use crate::error::Illegal;
use crate::fen::Fen;
use crate::game::Game;
use crate::man::Man;
use crate::moves::{Action, Move};

impl Mailbox {
    /// Whether a move is legal, and if not, why.
    #[inline]
    pub(crate) fn judge(&self, played: Move) -> Result<(), Illegal> {
        let (from, to, promotes) = played.other_parts();
        let squares = self.game.squares();
        if played == Move::NULL || to >= squares {
            return Err(Illegal::NoSuchMove);
        }
        if from >= squares {
            self.judge_drop(from - squares, to)?;
        } else if from == to {
            self.judge_pass(from)?;
        } else {
            self.judge_step(from, to, promotes)?;
        }
        if self.is_safe(played) { Ok(()) } else { Err(self.danger(played)) }
    }

    fn judge_drop(&self, kind: usize, to: usize) -> Result<(), Illegal> {
        if self.game != Game::Shogi {
            return Err(Illegal::NoSuchMove);
        }
        if self.hands[self.side as usize].get(kind).is_none_or(|held| *held == 0) {
            return Err(Illegal::NotInHand);
        }
        if self.cells[to].is_some() {
            return Err(Illegal::Occupied);
        }
        if !self.can_live(self.side, kind, to) {
            return Err(Illegal::DeadDrop);
        }
        if kind == PAWN && self.has_pawn_on_file(self.side, to) {
            return Err(Illegal::TwoPawns);
        }
        Ok(())
    }

    fn judge_pass(&self, square: usize) -> Result<(), Illegal> {
        let king = self.kings[self.side as usize];
        let at_king = king != NOWHERE && usize::from(king) == square;
        if self.game == Game::Janggi && at_king { Ok(()) } else { Err(Illegal::NoSuchMove) }
    }

    fn judge_step(&self, from: usize, to: usize, promotes: bool) -> Result<(), Illegal> {
        let man = self.cells[from].ok_or(Illegal::NoPiece)?;
        if man.side() != self.side {
            return Err(Illegal::OtherSide);
        }
        self.judge_way(from, to, man)?;
        match self.promotion(from, to, man) {
            Promotion::Must if !promotes => Err(Illegal::MustPromote),
            Promotion::Never if promotes => Err(Illegal::MustNotPromote),
            _ => Ok(()),
        }
    }

    /// Whether a piece can go somewhere, apart from checks.
    fn judge_way(&self, from: usize, to: usize, man: Man) -> Result<(), Illegal> {
        match self.cells[to] {
            Some(other) if other.side() == man.side() => return Err(Illegal::OwnPiece),
            Some(other) if self.is_royal(other) => return Err(Illegal::TakesKing),
            _ => {}
        }
        if self.tables.goals(man, from) >> to & 1 == 0 {
            return Err(Illegal::NotItsMove);
        }
        let rays = self.tables.rays(man, from);
        if rays.iter().any(|ray| self.leads(*ray, to)) {
            return Ok(());
        }
        let takes = |ray: &Ray| {
            ray.mode == Mode::Capture
                && self.tables.path(*ray).iter().any(|square| usize::from(*square) == to)
        };
        Err(if rays.iter().any(takes) { Illegal::NothingToTake } else { Illegal::Blocked })
    }

    /// Whether a way leads to a square, which is empty or holds an enemy.
    fn leads(&self, ray: Ray, to: usize) -> bool {
        let captures = self.cells[to].is_some();
        match ray.mode {
            Mode::Face => false,
            Mode::Capture if !captures => false,
            Mode::Quiet | Mode::Cannon if !captures => self.is_free(ray, to),
            Mode::Both | Mode::Capture | Mode::JanggiCannon | Mode::Quiet | Mode::Cannon => {
                self.strikes(ray, to)
            }
        }
    }

    fn is_free(&self, ray: Ray, to: usize) -> bool {
        let path = self.tables.path(ray);
        path.contains(&u8::try_from(to).unwrap_or(NOWHERE))
            && path
                .iter()
                .take_while(|square| usize::from(**square) != to)
                .all(|square| self.cells[usize::from(*square)].is_none())
    }

    /// Why a move that can be made otherwise is not safe.
    fn danger(&self, played: Move) -> Illegal {
        let us = self.side;
        let (from, to, _) = played.other_parts();
        if from == to {
            return Illegal::PassInCheck;
        }
        let mut next = self.clone();
        next.make(played);
        if !next.in_danger(us) {
            return if self.facing() { Illegal::GeneralsFace } else { Illegal::MateByPawn };
        }
        if !next.in_check(us) {
            return Illegal::GeneralsFace;
        }
        if self.in_check(us) { Illegal::StaysInCheck } else { Illegal::IntoCheck }
    }
}

/// Why a move of Western chess is illegal; it is known to be.
pub(crate) fn explain_western(fen: &Fen, played: Move) -> Illegal {
    let Action::Go { from, to, promotion } = played.action(Game::Western) else {
        return Illegal::StaysInCheck;
    };
    let Ok(board) = Mailbox::from_fen(fen) else { return Illegal::NotItsMove };
    let Some(man) = board.cells[from] else { return Illegal::NoPiece };
    if man.side() != board.side {
        return Illegal::OtherSide;
    }
    let (files, pawn) = (Game::Western.files(), man.kind() == 0);
    let takes_own_rook = board.cells[to] == Some(Man::new(3, board.side, false));
    let castles = from / files == to / files && (from.abs_diff(to) == 2 || takes_own_rook);
    if board.is_royal(man) && castles {
        return Illegal::Castling;
    }
    if pawn && promotion.is_some() != (board.depth(board.side, to) == 7) {
        return if promotion.is_some() { Illegal::MustNotPromote } else { Illegal::MustPromote };
    }
    if !pawn && promotion.is_some() {
        return Illegal::MustNotPromote;
    }
    let passes = pawn && fen.en_passant().map(|cell| Game::Western.flipped(cell)) == Some(to);
    let two_steps = pawn && board.depth(board.side, from) == 1 && from.abs_diff(to) == 2 * files;
    match board.judge_way(from, to, man) {
        Err(Illegal::NothingToTake) if passes => {}
        Err(Illegal::NotItsMove) if two_steps => {
            let between = usize::midpoint(from, to);
            if board.cells[between].is_some() || board.cells[to].is_some() {
                return Illegal::Blocked;
            }
        }
        Err(why) => return why,
        Ok(()) => {}
    }
    if board.in_check(board.side) { Illegal::StaysInCheck } else { Illegal::IntoCheck }
}
