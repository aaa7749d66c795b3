//! Why a move is illegal, in plain words.

use std::fmt;

use boardprint_base::{Coord, Move, Piece, PieceKind, Placed, Player, Position, Square};

use super::{Check, Referee, Refusal, has_to_promote};
use crate::fairy::{Mover, Reach, Surroundings};
use boardprint_base::replay::{self, play};

/// A move that is not legal, or not known to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What stands where the move starts.
    pub piece: Option<Piece>,
    /// Where the move starts.
    pub from: Square,
    /// Where it ends.
    pub to: Square,
    /// What is wrong.
    pub reason: Reason,
}

/// What is wrong with a move.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// Nothing stands where it starts.
    NoPiece,
    /// The piece belongs to somebody else.
    WrongPlayer {
        /// Whose turn it is.
        to_move: Player,
    },
    /// It goes nowhere.
    Null,
    /// It ends outside the board.
    OutsideBorder,
    /// It ends on a void.
    Void,
    /// It ends on a piece of the same player.
    OwnPiece(Box<Placed>),
    /// Something stands in its way.
    PassesOver(Box<Placed>),
    /// Something stands in each of its ways.
    EveryWayBlocked,
    /// It would have to capture, and there is nothing to capture.
    NothingToTake,
    /// It must not capture.
    CannotTake(Box<Placed>),
    /// It needs the special right.
    NoRight,
    /// It slides further than the laws allow.
    TooFar(Coord),
    /// The piece does not move that way.
    NotItsMove(PieceKind),
    /// It looks like castling, but no partner with its right is the nearest piece on that side.
    NoPartner,
    /// It castles while in check.
    CastlesInCheck(Box<Placed>),
    /// It castles over an attacked square.
    CastlesThrough {
        /// The square.
        square: Square,
        /// Who attacks it.
        attacker: Box<Placed>,
    },
    /// It leaves a royal in check.
    InCheck {
        /// The royal.
        royal: Box<Placed>,
        /// Who attacks it.
        attacker: Box<Placed>,
    },
    /// It has to promote.
    MustPromote,
    /// It must not promote.
    MustNotPromote,
    /// It promotes to what the laws do not offer.
    NotOffered(PieceKind),
    /// Whether it is legal could not be decided.
    Undecided,
}

impl Fault {
    /// Whether the move is illegal; otherwise that could not be decided.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        self.reason != Reason::Undecided
    }
}

impl Referee<'_> {
    /// Finds the words for a move that was not played.
    pub(super) fn explain(&self, position: &mut Position, mv: &Move, refusal: Refusal) -> Fault {
        let piece = position.pieces.get(&mv.from).map(|placed| placed.piece);
        let reason = match refusal {
            Refusal::Unknown => Reason::Undecided,
            Refusal::Illegal => self.reason(position, mv),
        };
        Fault { piece, from: mv.from.clone(), to: mv.to.clone(), reason }
    }

    fn reason(&self, position: &mut Position, mv: &Move) -> Reason {
        let Some(mover) = position.pieces.get(&mv.from).cloned() else { return Reason::NoPiece };
        let to_move = position.turn.to_move();
        if mover.piece.player != to_move {
            return Reason::WrongPlayer { to_move };
        }
        if mv.from == mv.to {
            return Reason::Null;
        }
        if !position.laws.border.contains(&mv.to) {
            return Reason::OutsideBorder;
        }
        match position.pieces.get(&mv.to) {
            Some(target) if target.piece.kind == PieceKind::Void => return Reason::Void,
            Some(target) if target.piece.player == to_move && target.piece.kind != PieceKind::Obstacle => {
                return Reason::OwnPiece(target.clone().into());
            }
            _ => {}
        }
        let reach = self.reach(position, &mover, &mv.to);
        let is_pawn = mover.piece.kind == PieceKind::Pawn;
        let reaches = reach.is_yes() || (is_pawn && self.is_en_passant(position, mover.piece, mv));
        if !reaches {
            if !looks_like_castling(&mover, mv) {
                return self.geometry(position, &mover, &mv.to);
            }
            if let Some(reason) = self.castling_reason(position, &mover, mv) {
                return reason;
            }
        }
        match mv.promotion {
            None if has_to_promote(position, mover.piece, &mv.to) => return Reason::MustPromote,
            Some(_) if !has_to_promote(position, mover.piece, &mv.to) => return Reason::MustNotPromote,
            Some(kind) if !position.laws.promotion[&to_move].choices().contains(&kind) => {
                return Reason::NotOffered(kind);
            }
            _ => {}
        }
        let Ok(played) = play(position, mv) else { return Reason::NoPiece };
        let check = self.check(position, to_move);
        played.undo(position);
        match check {
            Check::By { attacker, royal } => Reason::InCheck { royal, attacker },
            Check::No | Check::Unknown => Reason::Undecided,
        }
    }

    /// Why a move that looks like castling is none; whether the king is safe afterwards is not asked here.
    fn castling_reason(&self, position: &mut Position, mover: &Placed, mv: &Move) -> Option<Reason> {
        if !mover.right {
            return Some(Reason::NoRight);
        }
        let index = position.pieces.find(&mover.square).ok()?;
        let Some(castling) = replay::castling(position, index, &mv.to) else {
            return Some(Reason::NoPartner);
        };
        if !self.heeds_check(mover.piece.player) {
            return None;
        }
        for square in [&mover.square, &castling.to, &mv.to] {
            let here = position.pieces.find(&mover.square).ok()?;
            let there = position.pieces.relocate(here, square.clone());
            let check = self.check(position, mover.piece.player);
            position.pieces.relocate(there, mover.square.clone());
            match check {
                Check::By { attacker, .. } if *square == mover.square => {
                    return Some(Reason::CastlesInCheck(attacker));
                }
                Check::By { attacker, .. } => {
                    return Some(Reason::CastlesThrough { square: square.clone(), attacker });
                }
                Check::No | Check::Unknown => {}
            }
        }
        None
    }

    /// Why a piece does not reach a square.
    fn geometry(&self, position: &Position, mover: &Placed, to: &Square) -> Reason {
        let Some(definition) = self.table.get(mover.piece.kind) else { return Reason::Undecided };
        if !definition.keeps_to_small_boards(&mover.square, to) {
            return Reason::NotItsMove(mover.piece.kind);
        }
        let movement = definition.movement(mover.piece.player);
        let target = position.pieces.get(to);
        let border = &position.laws.border;
        let reaches = |right: bool, enemy: bool, blocker: Option<&Square>| {
            let enemies = enemy.then(|| to.clone());
            let scene = Surroundings::new(blocker.cloned(), enemies).within(border.clone());
            movement.reach(Mover { from: &mover.square, right }, to, &scene.view())
        };
        let enemy = target.is_some();
        if reaches(mover.right, enemy, None).is_yes() {
            let others =
                position.pieces.iter().filter(|other| other.square != mover.square && other.square != *to);
            let blocks = |other: &&Placed| reaches(mover.right, enemy, Some(&other.square)) == Reach::No;
            let blocker = others.filter(blocks).min_by_key(|other| distance(&mover.square, &other.square));
            return match (blocker, &self.slide_limit) {
                (Some(blocker), _) => Reason::PassesOver(blocker.clone().into()),
                (None, Some(limit)) => Reason::TooFar(limit.clone()),
                (None, None) => Reason::EveryWayBlocked,
            };
        }
        if !mover.right && reaches(true, enemy, None).is_yes() {
            return Reason::NoRight;
        }
        match target {
            Some(target) if reaches(mover.right, false, None).is_yes() => {
                Reason::CannotTake(target.clone().into())
            }
            None if reaches(mover.right, true, None).is_yes() => Reason::NothingToTake,
            _ => Reason::NotItsMove(mover.piece.kind),
        }
    }
}

/// Whether a king or royal centaur goes two squares sideways.
fn looks_like_castling(mover: &Placed, mv: &Move) -> bool {
    mover.piece.kind.leads_castling()
        && mv.to.y == mv.from.y
        && (&mv.to.x - &mv.from.x).abs() == Coord::from(2)
}

fn distance(a: &Square, b: &Square) -> Coord {
    (&a.x - &b.x).abs().max((&a.y - &b.y).abs())
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(piece) = self.piece {
            write!(f, "{piece}")?;
        }
        let Fault { from, to, reason, .. } = self;
        write!(f, "{from}>{to} ")?;
        match reason {
            Reason::NoPiece => write!(f, "moves nothing: no piece stands on {from}"),
            Reason::WrongPlayer { to_move } => write!(f, "is out of turn: {to_move} is to move"),
            Reason::Null => f.write_str("goes nowhere"),
            Reason::OutsideBorder => f.write_str("leaves the board"),
            Reason::Void => f.write_str("enters a void"),
            Reason::OwnPiece(own) => write!(f, "takes its own {own}"),
            Reason::PassesOver(blocker) => write!(f, "passes over {blocker}"),
            Reason::EveryWayBlocked => f.write_str("is blocked on every way"),
            Reason::NothingToTake => f.write_str("needs something to take"),
            Reason::CannotTake(victim) => write!(f, "may not take {victim}"),
            Reason::NoRight => f.write_str("needs the special right `+`"),
            Reason::TooFar(limit) => write!(f, "slides further than {limit}"),
            Reason::NotItsMove(kind) => write!(f, "is not a move of a {}", kind.name()),
            Reason::NoPartner => f.write_str("castles, but the nearest piece on that side is not a partner"),
            Reason::CastlesInCheck(attacker) => write!(f, "castles out of check from {attacker}"),
            Reason::CastlesThrough { square, attacker } => {
                write!(f, "castles over {square}, which {attacker} attacks")
            }
            Reason::InCheck { royal, attacker } => write!(f, "leaves {royal} in check from {attacker}"),
            Reason::MustPromote => f.write_str("has to promote"),
            Reason::MustNotPromote => f.write_str("promotes where it may not"),
            Reason::NotOffered(kind) => {
                write!(f, "promotes to a {}, which the laws do not offer", kind.name())
            }
            Reason::Undecided => f.write_str("could not be decided"),
        }
    }
}

impl std::error::Error for Fault {}
