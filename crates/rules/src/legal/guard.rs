//! What keeps a player's pieces from moving: attacks on the royals, and lines that a move would open.
//!
//! Where every piece attacks by leaps and endless rays alone, a piece that is no royal and not the nearest
//! one to a royal on any line opens nothing by leaving. All such pieces have to meet the same attacks, those
//! of the position as it is, which are looked for once.

use std::rc::Rc;

use boardprint_base::{Move, PieceKind, Placed, Player, Position, Square};

use super::attack::Attack;
use super::lines::Lines;
use super::strikes::DIRECTIONS;
use super::{Answer, Referee, promotes_well};
use crate::fairy::Reach;
use boardprint_base::replay::{self, Castling};

/// What a player to move has to heed.
#[derive(Clone, Debug)]
pub(super) struct Guard<'t> {
    heeds_check: bool,
    /// The attacks on the royals now, if all pieces attack by leaps and rays and all of these are certain.
    attacks: Option<Rc<[Attack<'t>]>>,
    /// Royals, and the nearest pieces on their lines, in reading order.
    bound: Vec<Square>,
    lines: Lines,
}

/// A move that is legal although nobody tried it on the board.
pub(super) struct Untried {
    pub(super) capture: Option<Placed>,
    pub(super) castling: Option<Castling>,
}

impl<'t> Guard<'t> {
    pub(super) fn new(referee: &Referee<'t>, position: &Position, player: Player) -> Self {
        let lines = Lines::of(position.pieces.as_slice());
        let heeds_check = referee.heeds_check(player);
        let (mut attacks, mut bound) = (None, Vec::new());
        if !heeds_check {
            attacks = Some(Vec::new());
        } else if referee.rays.is_some() {
            attacks = referee.attacks(position, player);
            attacks =
                attacks.filter(|attacks| attacks.iter().all(|attack| attack.certain && attack.has_line()));
            for royal in referee.royals(position, player) {
                bound.push(royal.square.clone());
                let nearest = DIRECTIONS.iter().filter_map(|step| lines.nearest(&royal.square, *step));
                bound.extend(nearest.map(|index| position.pieces.as_slice()[index].square.clone()));
            }
            bound.sort_unstable();
        }
        Guard { heeds_check, attacks: attacks.map(Into::into), bound, lines }
    }

    pub(super) fn lines(&self) -> &Lines {
        &self.lines
    }

    /// The attacks that every move of a piece has to meet, and nothing else; `None` if its leaving may open
    /// others.
    pub(super) fn attacks_apart_from(&self, placed: &Placed) -> Option<Rc<[Attack<'t>]>> {
        let is_bound = self.bound.binary_search(&placed.square).is_ok();
        self.attacks.clone().filter(|_| !is_bound)
    }

    /// Whether a move is legal and what it does, without playing it; `None` if it has to be tried, else the
    /// move, if it is legal, or [`Answer::Unknown`].
    pub(super) fn judge(
        &self,
        referee: &Referee<'_>,
        position: &Position,
        mover: &Placed,
        mv: &Move,
    ) -> Option<Result<Untried, Answer>> {
        let attacks = self.attacks_apart_from(mover)?;
        let royal_comes = mv.promotion.is_some_and(|kind| referee.is_royal_kind(kind));
        if self.heeds_check && royal_comes {
            return None;
        }
        if mv.from == mv.to || !promotes_well(position, mover.piece, mv) {
            return Some(Err(Answer::No));
        }
        let castling = || {
            let index = position.pieces.find(&mover.square).ok()?;
            let leads = mover.right && mover.piece.kind.leads_castling();
            leads.then(|| replay::castling(position, index, &mv.to)).flatten()
        };
        let castling = castling();
        match referee.reach(position, mover, &mv.to) {
            Reach::Unknown => return Some(Err(Answer::Unknown)),
            Reach::Null | Reach::No if mover.piece.kind == PieceKind::Pawn => {
                // Two pieces leave their squares.
                return (!referee.is_en_passant(position, mover.piece, mv)).then_some(Err(Answer::No));
            }
            Reach::Null | Reach::No if castling.is_none() => return Some(Err(Answer::No)),
            Reach::Quiet | Reach::Capture | Reach::Null | Reach::No => {}
        }
        if !attacks.iter().all(|attack| attack.is_met_on(&mv.to)) {
            return Some(Err(Answer::No));
        }
        let capture = position.pieces.get(&mv.to).cloned();
        Some(Ok(Untried { capture, castling }))
    }
}
