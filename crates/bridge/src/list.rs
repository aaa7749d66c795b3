//! The infinite board as a list: a one-dimensional CPN of the occupied squares in reading order.
//!
//! ```text
//! cell = game ":" ["+"] ["^"] code "_" int "_" int
//! int  = "0" / ["n"] nonzero *digit                     ; n is minus
//! game = "INFINITE"                                     ; white: the whole actor in upper case
//!      / "infinite" / "infinite_0" / "infinite_3" …     ; black, neutral, other players
//! ```
//!
//! `+` is the special right, `^` stands on k, rq and rc. En passant is the neutral actor `infinite_0:ep_x_y`
//! on its square; as given, it may stand on an occupied square and then follows the piece. Side is `B` when
//! white is to move. A turn order other than white and black is one actor `infinite_0:turn_1_3_2_4` in the
//! hand, side to move first.
//!
//! **Accepts** such lists in any revision of the royal prefix. Codes that are not built in become custom kinds.
//!
//! **Writes** them with the prefix `^`; [`Cpn::in_revision`] gives the others.
//!
//! **Refuses** cells out of reading order, a square twice, numbers with leading zeros or `n0`, an empty cell,
//! `^` on other pieces or missing on royal ones, `infinite_1` and `infinite_2`, a turn order that the side
//! already says or contradicts, one player's turn alone where ICN wants it twice (`turn_1`).

use boardprint_base::{
    Coord, CustomCode, Laws, Piece, PieceKind, Pieces, Placed, Player, Position, Span, Square, SyntaxError,
    SyntaxErrorKind, TurnOrder,
};
use boardprint_cpn::{Actor, Cpn, CpnError, Field, Side};

use crate::identity::{Identity, Marks};
use crate::lost::{Lossy, Lost};
use crate::namer::Namer;
use crate::rights::DeadRights;

/// The CPN of a position. [`Namer`] does the same for many positions without allocating.
///
/// # Errors
///
/// [`Lossy`] with the CPN and what it does not carry: laws and counters, and with [`Marks::Usable`] dead marks.
#[expect(clippy::missing_panics_doc, reason = "what the namer writes is a CPN")]
pub fn to_cpn(position: &Position, marks: Marks) -> Result<Cpn, Lossy<Cpn>> {
    let mut namer = Namer::with_marks(marks);
    let text = std::str::from_utf8(namer.cpn(position)).expect("a CPN is ASCII");
    lost(position, marks).with(text.parse().expect("the namer writes a CPN"))
}

/// What the CPN of a position does not carry.
#[must_use]
pub fn lost(position: &Position, marks: Marks) -> Lost {
    let mut rights = DeadRights::default();
    let identity = Identity::of(position, marks, &mut rights);
    Lost::LAWS.when(*position.laws != Laws::default())
        | Lost::CLOCK.when(position.move_rule.is_some())
        | Lost::MOVE_NUMBER.when(position.full_move != Coord::from(1_i64))
        | Lost::DEAD_MARKS.when(!identity.keeps_all_marks(position))
}

/// Whether a CPN looks like a list of an infinite board: one dimension, and its first actor is of that game.
#[must_use]
pub fn is_list(cpn: &Cpn) -> bool {
    let is_infinite = |text: &str| text.get(..8).is_some_and(|game| game.eq_ignore_ascii_case("infinite"));
    cpn.shape().len() == 1 && cpn.cells().chain(cpn.hand()).next().is_some_and(is_infinite)
}

/// The position of a list. Laws and counters are the defaults.
///
/// # Errors
///
/// [`CpnError`] with the cell that is wrong, if the CPN is not a list as this module writes it.
#[expect(clippy::missing_panics_doc, reason = "the reading order of the pieces is checked")]
pub fn from_cpn(cpn: &Cpn) -> Result<Position, CpnError> {
    if cpn.shape().len() != 1 {
        let start = "B--".len();
        let end = start + cpn.as_str()[start..].find("--").unwrap_or(0);
        let error =
            broken("a list has one size", "an infinite board is a list of pieces", Span::new(start, end));
        return Err(CpnError::new(Field::Shape, None, error));
    }
    let mut position = Position::default();
    let mut list: Vec<Placed> = Vec::with_capacity(cpn.len());
    let mut before: Option<(Square, Span)> = None;
    for (number, (span, text)) in (1..).zip(cpn.cells().with_spans()) {
        let at_cell = |error| CpnError::new(Field::Board, Some(number), error);
        let entry = read_entry(text, span).map_err(at_cell)?;
        if let Some((last, first)) = &before {
            let follows_its_piece =
                entry.piece.is_none() && list.last().is_some_and(|placed| placed.square == entry.square);
            if entry.square == *last && !follows_its_piece {
                let kind = SyntaxErrorKind::SquareTwice { first: *first };
                return Err(at_cell(SyntaxError::new(kind, span)));
            }
            if entry.square < *last {
                let hint = "higher rows first, then smaller columns first";
                return Err(at_cell(broken("the cells are not in reading order", hint, span)));
            }
        }
        before = Some((entry.square.clone(), span));
        match entry.piece {
            Some((piece, right)) => list.push(Placed { square: entry.square, piece, right }),
            None if position.en_passant.is_some() => {
                let hint = "keep the one that the last move made";
                return Err(at_cell(broken("more than one en passant square", hint, span)));
            }
            None => position.en_passant = Some(entry.square),
        }
    }
    position.turn = read_turn(cpn)?;
    position.pieces = Pieces::from_list(list).expect("no square came twice");
    Ok(position)
}

/// A cell: a piece with or without its right, or no piece but the en passant mark.
struct Entry {
    square: Square,
    piece: Option<(Piece, bool)>,
}

fn read_entry(text: &str, span: Span) -> Result<Entry, SyntaxError> {
    if text.is_empty() {
        return Err(broken("a list has no empty cells", "leave the cell out and lower the size", span));
    }
    let actor = Actor::parse(text).map_err(|error| error.shifted(span.start))?;
    let player = read_game(actor.game(), span)?;
    let mut parts = actor.abbreviation().split('_');
    let (Some(code), Some(x), Some(y), None) = (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err(broken(
            "the actor does not carry its square",
            "write code, column and row: `k_5_n1`",
            span,
        ));
    };
    let square = Square { x: read_int(x, span)?, y: read_int(y, span)? };
    if player == Player::NEUTRAL && code == "ep" {
        if actor.is_promoted() || actor.is_royal() {
            return Err(broken("en passant has no prefix", "write `infinite_0:ep_x_y`", span));
        }
        return Ok(Entry { square, piece: None });
    }
    let kind = read_kind(code, span)?;
    if kind.is_royal() != actor.is_royal() {
        let hint = "the royal prefix stands on k, rq and rc and nowhere else";
        return Err(broken("wrong royal prefix", hint, span));
    }
    Ok(Entry { square, piece: Some((Piece::new(kind, player), actor.is_promoted())) })
}

pub(crate) fn read_game(game: &str, span: Span) -> Result<Player, SyntaxError> {
    match game {
        "INFINITE" => return Ok(Player::WHITE),
        "infinite" => return Ok(Player::BLACK),
        _ => {}
    }
    let Some(number) = game.strip_prefix("infinite_") else {
        let what = "game in a list, which is of `infinite` chess";
        return Err(SyntaxError::new(SyntaxErrorKind::Unknown { what, nearest: Some("infinite") }, span));
    };
    match read_player(number, span)? {
        Player::WHITE => Err(broken("white has another game name", "write `INFINITE` in upper case", span)),
        Player::BLACK => Err(broken("black has another game name", "write `infinite`", span)),
        player => Ok(player),
    }
}

fn read_player(digits: &str, span: Span) -> Result<Player, SyntaxError> {
    let canonical = is_whole(digits) && (digits.len() == 1 || !digits.starts_with('0'));
    let number = canonical.then(|| digits.parse().ok()).flatten();
    number.map(Player).ok_or_else(|| {
        broken("wrong player number", "write a number up to 4294967295 without leading zeros", span)
    })
}

pub(crate) fn read_kind(code: &str, span: Span) -> Result<PieceKind, SyntaxError> {
    let lower = code.to_ascii_lowercase();
    PieceKind::from_code(&lower)
        .or_else(|| CustomCode::new(&lower).map(PieceKind::Custom))
        .ok_or_else(|| SyntaxError::new(SyntaxErrorKind::UnknownPieceCode, span))
}

fn read_int(text: &str, span: Span) -> Result<Coord, SyntaxError> {
    let (negative, digits) = match text.strip_prefix(['n', 'N']) {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    if !is_whole(digits) || (digits.starts_with('0') && (negative || digits.len() > 1)) {
        let hint = "write `0`, or digits without leading zeros, with `n` in front for minus";
        return Err(broken("wrong coordinate", hint, span));
    }
    Ok(Coord::from_digits(negative, digits.as_bytes()))
}

fn is_whole(digits: &str) -> bool {
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// How many turns a turn order may have, as ICN has it.
const MAX_TURNS: usize = 1_000;

pub(crate) fn read_turn(cpn: &Cpn) -> Result<TurnOrder, CpnError> {
    let plain = match cpn.side() {
        Side::Bottom => TurnOrder::white_first(),
        Side::Top => TurnOrder::black_first(),
    };
    let mut hand = cpn.hand().with_spans();
    let Some((span, text)) = hand.next() else { return Ok(plain) };
    let at = |number, error| CpnError::new(Field::Hand, Some(number), error);
    if let Some((span, _)) = hand.next() {
        return Err(at(
            2,
            broken("more than a turn order in the hand", "an infinite board has no drops", span),
        ));
    }
    let Some(players) = text.strip_prefix("infinite_0:turn_") else {
        let hint =
            "only a turn order such as `infinite_0:turn_1_3_2` stands in the hand of an infinite board";
        return Err(at(1, broken("not a turn order", hint, span)));
    };
    if players.split('_').nth(MAX_TURNS).is_some() {
        let kind = SyntaxErrorKind::TooMuch { what: "turns", limit: MAX_TURNS };
        return Err(at(1, SyntaxError::new(kind, span)));
    }
    let cycle: Result<Vec<Player>, SyntaxError> =
        players.split('_').map(|number| read_player(number, span)).collect();
    let cycle = cycle.map_err(|error| at(1, error))?;
    // One position has one text, in ICN as well.
    if let [player] = *cycle
        && player.is_two_turns()
    {
        let hint = "white, black and players beyond green stand twice if nobody else moves: \
                    `infinite_0:turn_1_1`";
        return Err(at(1, broken("a turn order of one", hint, span)));
    }
    let turn = TurnOrder::new(cycle).unwrap_or(plain);
    if turn.is_white_and_black() {
        return Err(at(1, broken("the side says this turn order", "leave the hand empty", span)));
    }
    if (turn.to_move() == Player::WHITE) != (cpn.side() == Side::Bottom) {
        return Err(at(
            1,
            broken(
                "the turn order contradicts the side",
                "`B` is for white to move, `t` for all others",
                span,
            ),
        ));
    }
    Ok(turn)
}

pub(crate) fn broken(rule: &'static str, hint: &'static str, span: Span) -> SyntaxError {
    SyntaxError::new(SyntaxErrorKind::Broken { rule, hint }, span)
}
