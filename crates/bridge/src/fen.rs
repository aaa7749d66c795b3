//! FEN to CPN and back.
//!
//! ```
//! use boardprint_bridge::fen::{Fen, FenExt as _, Game};
//! use boardprint_bridge::{Lost, Marks};
//!
//! let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
//! let fen = Fen::read(Game::Western, start)?;
//! let plain = fen.to_cpn(None).or_else(|e| e.ignore(Lost::CASTLING))?;
//! assert_eq!(plain.cph().to_string(), "5693c349961f8bc345c6c11418aa00be3a038d8f");
//!
//! // With the rights carried along, the way back gives the same FEN.
//! let whole = fen.to_cpn(Some(Marks::AsGiven))?;
//! assert!(whole.to_string().ends_with("W:+R,W:N,W:B,W:Q,W:+^K,W:B,W:N,W:+R--"));
//! assert_eq!(Fen::from_cpn(&whole, None)?.to_string(), start);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The plain CPN has the pieces only. With the rights carried, `+` stands on the rooks that may castle and on
//! their king (`W:+R`, `W:+^K`), and the neutral actor `w_0:ep` on the en passant square. Western pieces have
//! no other use for `+`, and no piece is of the game `w_0`, so both say one thing.

use std::fmt::Write as _;

use boardprint_base::{Span, SyntaxError, SyntaxErrorKind};
use boardprint_cpn::{Actor, Cpn, CpnError, Field, Side};

pub use boardprint_finite::{Fen, FenError, FenErrorKind, Game, Part, UnknownGame};
use boardprint_finite::{FenRule, Kind, Man};

use crate::identity::Marks;
use crate::list::broken;
use crate::lost::{Lossy, Lost};

/// The actor of the en passant square.
pub(crate) const EN_PASSANT: &str = "w_0:ep";

/// FEN to CPN and back.
pub trait FenExt: Sized {
    /// The CPN: plain, or with castling rights and the en passant square if their marks are asked for.
    ///
    /// With [`Marks::Usable`] an en passant square is left out that no pawn can step onto.
    ///
    /// # Errors
    ///
    /// [`Lossy`] with the CPN and what it does not carry.
    fn to_cpn(&self, marks: Option<Marks>) -> Result<Cpn, Lossy<Cpn>>;

    /// The FEN of a CPN that has the board and the actors of one of the games; counters are those of a first
    /// move.
    ///
    /// Without any piece, the game must be given.
    ///
    /// # Errors
    ///
    /// [`CpnError`] with the cell that no FEN can say.
    fn from_cpn(cpn: &Cpn, game: Option<Game>) -> Result<Self, CpnError>;

    /// The FEN; of Shogi with the hand in brackets. A FEN counts moves of both sides, so that it cannot tell
    /// which of the two began; an SFEN can.
    ///
    /// # Errors
    ///
    /// [`Lossy`] if the number of half-moves comes back as another.
    fn to_fen(&self) -> Result<String, Lossy<String>>;
}

impl FenExt for Fen {
    fn to_cpn(&self, marks: Option<Marks>) -> Result<Cpn, Lossy<Cpn>> {
        let en_passant = self.en_passant().filter(|_| match marks {
            None => false,
            Some(Marks::Usable) => self.can_capture_en_passant(),
            Some(Marks::AsGiven) => true,
        });
        let dropped = self.en_passant().is_some() && en_passant.is_none();
        let castles = self.castling() != [[None; 2]; 2];
        let lost = Lost::CASTLING.when(marks.is_none() && castles)
            | Lost::EN_PASSANT.when(marks.is_none() && dropped)
            | Lost::DEAD_MARKS.when(marks.is_some() && dropped)
            | Lost::CLOCK.when(self.clock() > 0)
            | Lost::MOVE_NUMBER.when(!self.is_fresh())
            | Lost::COUNTING.when(self.counting().is_some());
        let game = self.game();
        let mut text = format!("{}--{},{}--", self.side(), game.ranks(), game.files());
        for (cell, square) in self.cells().iter().enumerate() {
            if cell > 0 {
                text.push(',');
            }
            if let Some(man) = square {
                let marked = man.is_promoted() || marks.is_some() && self.may_castle(cell);
                push_actor(&mut text, game, &game.kinds()[man.kind()], man.side(), marked);
            } else if en_passant == Some(cell) {
                text.push_str(EN_PASSANT);
            }
        }
        text.push_str("--");
        push_hand(self, &mut text);
        lost.with(text.parse().expect("actors in as many cells as the shape has, and a sorted hand"))
    }

    fn from_cpn(cpn: &Cpn, game: Option<Game>) -> Result<Self, CpnError> {
        let Some(game) = game.or_else(|| game_of(cpn)) else {
            return Err(shape_error(cpn, "no game with a FEN has this board", NO_GAME));
        };
        let sizes = [game.ranks(), game.files()];
        if !cpn.shape().iter().map(ToString::to_string).eq(sizes.iter().map(ToString::to_string)) {
            return Err(shape_error(cpn, "the board has not the shape of its game", "ranks, then files"));
        }
        let mut fen = Fen::empty(game);
        fen.set_side(cpn.side());
        let mut marked = Vec::new();
        let mut en_passant = None;
        for (cell, (span, text)) in cpn.cells().with_spans().enumerate() {
            let at_cell = |error| CpnError::new(Field::Board, Some(cell + 1), error);
            if text == EN_PASSANT && game == Game::Western {
                if en_passant.replace((cell, span)).is_some() {
                    let hint = "keep the one that the last move made";
                    return Err(at_cell(broken("more than one en passant square", hint, span)));
                }
            } else if !text.is_empty() {
                let man = read_man(game, text, span).map_err(at_cell)?;
                if game == Game::Western && man.is_promoted() {
                    marked.push((cell, span));
                }
                let promoted = man.is_promoted() && game != Game::Western;
                fen.put(cell, Some(Man::new(man.kind(), man.side(), promoted)))
                    .map_err(|fault| at_cell(rule_error(fault, span)))?;
            }
        }
        restore_castling(&mut fen, &marked)?;
        if let Some((cell, span)) = en_passant {
            fen.set_en_passant(cell)
                .map_err(|fault| CpnError::new(Field::Board, Some(cell + 1), rule_error(fault, span)))?;
        }
        read_hand(&mut fen, cpn)?;
        Ok(fen)
    }

    fn to_fen(&self) -> Result<String, Lossy<String>> {
        Lost::MOVE_NUMBER.when(!self.tells_plies()).with(self.to_string())
    }
}

/// Castling rights from the cells that have a `+`: kings and rooks both have one.
fn restore_castling(fen: &mut Fen, marked: &[(usize, Span)]) -> Result<(), CpnError> {
    let fault = |cell: usize, span, rule, hint| {
        Err(CpnError::new(Field::Board, Some(cell + 1), broken(rule, hint, span)))
    };
    let kind =
        |fen: &Fen, cell: usize| fen.man(cell).map(|man| (man.side(), &Game::Western.kinds()[man.kind()]));
    let is_royal = |fen: &Fen, cell: usize| kind(fen, cell).is_some_and(|(_, kind)| kind.is_royal());
    let of_side = |fen: &Fen, cell: usize, side| kind(fen, cell).is_some_and(|(own, _)| own == side);
    for &(cell, span) in marked {
        let Some(side) = fen.man(cell).map(Man::side) else { continue };
        let has_king = marked.iter().any(|(other, _)| of_side(fen, *other, side) && is_royal(fen, *other));
        if is_royal(fen, cell) {
            continue;
        }
        if !has_king {
            let hint = "`+` stands on a king and rooks on their back rank";
            return fault(cell, span, "a castling mark without king and rook", hint);
        }
        if let Err(wrong) = fen.allow_castling(cell) {
            return Err(CpnError::new(Field::Board, Some(cell + 1), rule_error(wrong, span)));
        }
    }
    for &(cell, span) in marked {
        if !fen.may_castle(cell) {
            let hint = "mark a rook that may castle too";
            return fault(cell, span, "a king has a castling mark and no rook has", hint);
        }
    }
    Ok(())
}

fn read_hand(fen: &mut Fen, cpn: &Cpn) -> Result<(), CpnError> {
    for (number, (span, text)) in (1..).zip(cpn.hand().with_spans()) {
        let at_piece = |error| CpnError::new(Field::Hand, Some(number), error);
        if fen.game() != Game::Shogi {
            return Err(at_piece(rule_error(FenRule::NoHand, span)));
        }
        let man = read_man(fen.game(), text, span).map_err(at_piece)?;
        if man.is_promoted() {
            return Err(at_piece(rule_error(FenRule::NeverInHand, span)));
        }
        fen.add_to_hand(man.side(), man.kind(), 1).map_err(|fault| at_piece(rule_error(fault, span)))?;
    }
    Ok(())
}

fn push_hand(fen: &Fen, out: &mut String) {
    let mut first = true;
    for side in Side::ALL {
        let counts = fen.hand(side).iter().copied();
        let mut kinds: Vec<(&'static Kind, usize)> = fen.game().kinds().iter().zip(counts).collect();
        // Upper case sorts before lower case, and no piece in hand has a prefix.
        kinds.sort_unstable_by_key(|(kind, _)| kind.abbreviation());
        for (kind, count) in kinds {
            for _ in 0..count {
                out.push_str(if std::mem::take(&mut first) { "" } else { "," });
                push_actor(out, fen.game(), kind, side, false);
            }
        }
    }
}

pub(crate) fn push_actor(out: &mut String, game: Game, kind: &Kind, side: Side, marked: bool) {
    let start = out.len();
    let (plus, royal) = (if marked { "+" } else { "" }, if kind.is_royal() { "^" } else { "" });
    write!(out, "{}:{plus}{royal}{}", game.actor_game(), kind.abbreviation()).expect("writing to a String");
    if side == Side::Bottom {
        out[start..].make_ascii_uppercase();
    }
}

const NO_GAME: &str = "actors of a game with a FEN begin with `w:`, `m:`, `s:`, `x:` or `j:`";

/// The game of the first actor.
fn game_of(cpn: &Cpn) -> Option<Game> {
    let actor = cpn.cells().chain(cpn.hand()).find(|text| !text.is_empty() && *text != EN_PASSANT)?;
    let game = actor.split(':').next()?;
    Game::ALL.into_iter().find(|known| game.eq_ignore_ascii_case(known.actor_game()))
}

fn read_man(game: Game, text: &str, span: Span) -> Result<Man, SyntaxError> {
    let actor = Actor::parse(text).map_err(|error| error.shifted(span.start))?;
    if !actor.game().eq_ignore_ascii_case(game.actor_game()) {
        let hint = "a FEN is of one game: a board of two games has a CPN only";
        return Err(broken("an actor of another game", hint, span));
    }
    let named = |kind: &Kind| kind.abbreviation().eq_ignore_ascii_case(actor.abbreviation());
    let Some(place) = game.kinds().iter().position(named) else {
        return Err(SyntaxError::new(
            SyntaxErrorKind::Unknown { what: "actor of this game", nearest: None },
            span,
        ));
    };
    let kind = &game.kinds()[place];
    if kind.is_royal() != actor.is_royal() {
        let hint = "it stands on the king or general and nowhere else";
        return Err(broken("wrong royal prefix", hint, span));
    }
    if actor.is_promoted() && game != Game::Western && !kind.promotes() {
        return Err(rule_error(FenRule::NeverPromotes, span));
    }
    Ok(Man::new(place, actor.side(), actor.is_promoted()))
}

/// A rule of the FEN that a part of the CPN breaks.
fn rule_error(rule: FenRule, span: Span) -> SyntaxError {
    broken(rule.words(), rule.hint(), span)
}

fn shape_error(cpn: &Cpn, rule: &'static str, hint: &'static str) -> CpnError {
    let start = "B--".len();
    let end = start + cpn.as_str()[start..].find("--").unwrap_or(0);
    CpnError::new(Field::Shape, None, broken(rule, hint, Span::new(start, end)))
}

#[cfg(test)]
mod tests;
