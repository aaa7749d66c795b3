//! FEN to CPN and back.
//!
//! The plain CPN has the pieces only. With the rights carried, `+` stands on the rooks that may castle and on their king
//! (`W:+R`, `W:+^K`), and the neutral actor `w_0:ep` on the en passant square. Western pieces have no other use for `+`, and
//! no piece is of the game `w_0`, so both say one thing.

use std::fmt::Write as _;

use boardprint_base::{Span, SyntaxError, SyntaxErrorKind};
use boardprint_cpn::{Actor, Cpn, CpnError, Field, Side};

use super::game::{Game, Kind};
use super::{Fen, Man, RIGHT, fresh_plies};
use crate::identity::Marks;
use crate::lost::{Lossy, Lost};

/// The actor of the en passant square.
const EN_PASSANT: &str = "w_0:ep";

impl Fen {
    /// The CPN: plain, or with castling rights and the en passant square if their marks are asked for.
    ///
    /// With [`Marks::Usable`] an en passant square is left out that no pawn can step onto.
    ///
    /// # Errors
    ///
    /// [`Lossy`] with the CPN and what it does not carry.
    #[expect(clippy::missing_panics_doc, reason = "what is written is a CPN")]
    pub fn to_cpn(&self, marks: Option<Marks>) -> Result<Cpn, Lossy<Cpn>> {
        let en_passant = self.en_passant.filter(|cell| match marks {
            None => false,
            Some(Marks::Usable) => self.can_capture_en_passant(*cell),
            Some(Marks::AsGiven) => true,
        });
        let dropped = self.en_passant.is_some() && en_passant.is_none();
        let lost = Lost::CASTLING.when(marks.is_none() && !self.castling.is_none())
            | Lost::EN_PASSANT.when(marks.is_none() && dropped)
            | Lost::DEAD_MARKS.when(marks.is_some() && dropped)
            | Lost::CLOCK.when(self.clock > 0)
            | Lost::MOVE_NUMBER.when(!self.is_fresh())
            | Lost::COUNTING.when(self.counting.is_some());
        let mut text = format!("{}--{},{}--", self.side, self.game.ranks(), self.game.files());
        for (cell, square) in self.board.iter().enumerate() {
            if cell > 0 {
                text.push(',');
            }
            if let Some(man) = square {
                let marked = man.promoted || marks.is_some() && self.may_castle(cell);
                push_actor(&mut text, self.game, man.kind, man.side, marked);
            } else if en_passant == Some(cell) {
                text.push_str(EN_PASSANT);
            }
        }
        text.push_str("--");
        self.push_hand(&mut text);
        lost.with(text.parse().expect("actors in as many cells as the shape has, and a sorted hand"))
    }

    /// The FEN of a CPN that has the board and the actors of one of the games; counters are those of a first move.
    ///
    /// Without any piece, the game must be given.
    ///
    /// # Errors
    ///
    /// [`CpnError`] with the cell that no FEN can say.
    pub fn from_cpn(cpn: &Cpn, game: Option<Game>) -> Result<Self, CpnError> {
        let Some(game) = game.or_else(|| game_of(cpn)) else {
            return Err(shape_error(cpn, "no game with a FEN has this board", "name the game"));
        };
        let sizes = [game.ranks(), game.files()];
        if !cpn.shape().iter().map(ToString::to_string).eq(sizes.iter().map(ToString::to_string)) {
            return Err(shape_error(cpn, "the board has not the shape of its game", "ranks, then files"));
        }
        let mut fen = Fen::empty(game);
        fen.side = cpn.side();
        fen.plies = fresh_plies(fen.side);
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
                if game == Game::Western && man.promoted {
                    marked.push((cell, span));
                }
                fen.board[cell] = Some(Man { promoted: man.promoted && game != Game::Western, ..man });
            }
        }
        fen.restore_castling(&marked)?;
        if let Some((cell, span)) = en_passant {
            if let Some((rule, hint)) = fen.en_passant_fault(cell) {
                return Err(CpnError::new(Field::Board, Some(cell + 1), broken(rule, hint, span)));
            }
            fen.en_passant = Some(cell);
        }
        fen.read_hand(cpn)?;
        Ok(fen)
    }

    fn may_castle(&self, cell: usize) -> bool {
        let of_king = |(side, rooks): (Side, &[Option<usize>; 2])| {
            rooks.iter().any(Option::is_some) && self.castling_king(side) == Some(cell)
        };
        self.castling.rooks().any(|rook| rook == cell)
            || [Side::Bottom, Side::Top].into_iter().zip(&self.castling.0).any(of_king)
    }

    /// Castling rights from the cells that have a `+`.
    fn restore_castling(&mut self, marked: &[(usize, Span)]) -> Result<(), CpnError> {
        let fault = |cell: usize, span, rule, hint| {
            Err(CpnError::new(Field::Board, Some(cell + 1), broken(rule, hint, span)))
        };
        for &(cell, span) in marked {
            let side = self.board[cell].map_or(Side::Bottom, |man| man.side);
            let king = self.castling_king(side).filter(|king| marked.iter().any(|(other, _)| other == king));
            if king == Some(cell) {
                let has_rook = |(other, _): &(usize, Span)| self.is_own(*other, side, false, b'r');
                if !marked.iter().any(has_rook) {
                    let hint = "mark a rook that may castle too";
                    return fault(cell, span, "a king has a castling mark and no rook has", hint);
                }
                continue;
            }
            let Some(king) =
                king.filter(|_| self.is_own(cell, side, false, b'r') && self.back_rank(side).contains(&cell))
            else {
                let hint = "`+` stands on a king and rooks on their back rank";
                return fault(cell, span, "a castling mark without king and rook", hint);
            };
            let wing = if cell > king { RIGHT } else { 1 - RIGHT };
            if self.castling.0[side as usize][wing].replace(cell).is_some() {
                let hint = "one rook on each side of the king";
                return fault(cell, span, "two rooks have a castling mark on one side of their king", hint);
            }
        }
        Ok(())
    }

    fn read_hand(&mut self, cpn: &Cpn) -> Result<(), CpnError> {
        for (number, (span, text)) in (1..).zip(cpn.hand().with_spans()) {
            let at_piece = |error| CpnError::new(Field::Hand, Some(number), error);
            if self.game != Game::Shogi {
                let hint = "only Shogi has pieces in hand";
                return Err(at_piece(broken("this game has no hand", hint, span)));
            }
            let man = read_man(self.game, text, span).map_err(at_piece)?;
            if man.promoted || man.kind.royal {
                let hint = "a piece in hand is neither promoted nor a king";
                return Err(at_piece(broken("this piece is never in hand", hint, span)));
            }
            let place = self.game.kinds().iter().position(|kind| kind == man.kind);
            self.hands[man.side as usize][place.expect("the kind is from the table")] += 1;
        }
        Ok(())
    }

    fn push_hand(&self, out: &mut String) {
        let mut first = true;
        for (side, hand) in [Side::Bottom, Side::Top].into_iter().zip(&self.hands) {
            let mut kinds: Vec<(&'static Kind, usize)> =
                self.game.kinds().iter().zip(hand.iter().copied()).collect();
            // Upper case sorts before lower case, and no piece in hand has a prefix.
            kinds.sort_unstable_by_key(|(kind, _)| kind.abbreviation);
            for (kind, count) in kinds {
                for _ in 0..count {
                    out.push_str(if std::mem::take(&mut first) { "" } else { "," });
                    push_actor(out, self.game, kind, side, false);
                }
            }
        }
    }
}

fn push_actor(out: &mut String, game: Game, kind: &Kind, side: Side, marked: bool) {
    let start = out.len();
    let (plus, royal) = (if marked { "+" } else { "" }, if kind.royal { "^" } else { "" });
    write!(out, "{}:{plus}{royal}{}", game.actor_game(), kind.abbreviation).expect("writing to a String");
    if side == Side::Bottom {
        out[start..].make_ascii_uppercase();
    }
}

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
    let named = |kind: &&Kind| kind.abbreviation.eq_ignore_ascii_case(actor.abbreviation());
    let Some(kind) = game.kinds().iter().find(named) else {
        return Err(SyntaxError::new(
            SyntaxErrorKind::Unknown { what: "actor of this game", nearest: None },
            span,
        ));
    };
    if kind.royal != actor.is_royal() {
        let hint = "it stands on the king or general and nowhere else";
        return Err(broken("wrong royal prefix", hint, span));
    }
    if actor.is_promoted() && game != Game::Western && !kind.promotes {
        return Err(broken("a piece that never promotes has a `+`", "leave the `+` out", span));
    }
    Ok(Man { kind, side: actor.side(), promoted: actor.is_promoted() })
}

fn shape_error(cpn: &Cpn, rule: &'static str, hint: &'static str) -> CpnError {
    let start = "B--".len();
    let end = start + cpn.as_str()[start..].find("--").unwrap_or(0);
    CpnError::new(Field::Shape, None, broken(rule, hint, Span::new(start, end)))
}

fn broken(rule: &'static str, hint: &'static str, span: Span) -> SyntaxError {
    SyntaxError::new(SyntaxErrorKind::Broken { rule, hint }, span)
}
