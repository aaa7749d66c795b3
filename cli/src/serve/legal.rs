//! Legal moves: squares, and on the open board rays as step and range.

use axum::http::StatusCode;
use boardprint_base::{Digest, Square};
use boardprint_finite::Action;
use boardprint_games::{Content, LegalMoves, piece_table};
use boardprint_rules::legal::{Count, LegalRay, Line, PieceMoves, Referee};
use serde::Serialize;

use super::app::{Context, Question, Reply};
use super::fault::{Fault, Outcome};
use super::query::Query;
use crate::answers::{Move, square_name};
use crate::asked::Asked;

/// On boards with more pieces only the moves of one piece are told.
const PIECES: usize = 1_000;

#[derive(Serialize)]
struct Legal {
    hash: Digest,
    turn: String,
    count: Option<u64>,
    moves: Vec<Move>,
    rays: Vec<Ray>,
    complete: bool,
}

/// The moves of a piece along a line: those that lie on every line of `only`, and neither among `except` nor
/// on a line of `except_lines`.
#[derive(Serialize)]
struct Ray {
    from: String,
    #[serde(flatten)]
    line: Squares,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    only: Vec<Squares>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    except: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    except_lines: Vec<Squares>,
}

/// The squares `origin + k · step` for every k from `first` to `last`, or every prime one.
#[derive(Serialize)]
struct Squares {
    /// Where the counting starts, if that is not where the piece stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<String>,
    step: String,
    first: String,
    last: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    prime: bool,
}

pub(super) fn moves(view: &Context<'_>, question: &Question) -> Outcome<Reply> {
    let query = &question.query;
    query.only(&[&["position", "play", "from", "game"]])?;
    if query.get("position").is_none() {
        return Err(Fault::parameter("`position` is missing"));
    }
    // Here `from` is a square.
    let asked = view.asked(&query.without("from"))?;
    let position = view.position(&asked.now)?;
    let mut legal = Legal {
        hash: position.hash,
        turn: position.turn,
        count: None,
        moves: Vec::new(),
        rays: Vec::new(),
        complete: true,
    };
    match &asked.now {
        Content::Infinite(_) => open(view, &asked, query, &mut legal)?,
        _ => finite(&asked, query, &mut legal)?,
    }
    Reply::json(&legal)
}

fn finite(asked: &Asked, query: &Query, legal: &mut Legal) -> Outcome<()> {
    let found = asked.now.legal_moves().map_err(|error| Fault {
        status: StatusCode::BAD_REQUEST,
        kind: "unsupported",
        ..error.into()
    })?;
    let LegalMoves::Finite(board, moves) = found else { return Ok(()) };
    let game = board.game();
    let begins = |action: Action, from: &str| match action {
        Action::Go { from: square, .. } | Action::Pass(square) => square_name(game, square) == from,
        _ => false,
    };
    let wanted = moves
        .into_iter()
        .filter(|played| query.get("from").is_none_or(|from| begins(played.action(game), from)));
    legal.moves = wanted.map(|played| Move::finite(&board, played)).collect();
    legal.count = Some(legal.moves.len() as u64);
    Ok(())
}

fn open(view: &Context<'_>, asked: &Asked, query: &Query, legal: &mut Legal) -> Outcome<()> {
    let Some(game) = asked.open_game() else { return Ok(()) };
    let position = &game.start;
    let referee = Referee::new(piece_table(game).unwrap_or(&view.app.reading.pieces), position);
    let pieces: Vec<PieceMoves> = match query.get("from") {
        Some(from) => {
            let square: Square =
                from.parse().map_err(|_| Fault::parameter("`from` must be a square: `4,-2`"))?;
            referee.legal_moves_of(position, &square).into_iter().collect()
        }
        None if position.pieces.len() > PIECES => {
            let message = format!("the position has more than {PIECES} pieces");
            return Err(Fault::too_large(message).hint("ask for one piece: `from`"));
        }
        None => referee.legal_moves(position).pieces().to_vec(),
    };
    let mover = position.turn.to_move();
    let mut count = Some(0_u64);
    for piece in &pieces {
        let from = &piece.piece.square;
        for single in &piece.single {
            if single.promotions.is_empty() {
                legal.moves.push(Move::to(from, &single.to, None, mover));
            }
            for kind in &single.promotions {
                legal.moves.push(Move::to(from, &single.to, Some(*kind), mover));
            }
        }
        legal.rays.extend(piece.rays.iter().map(|ray| Ray::of(from, ray)));
        legal.complete &= piece.complete;
        count = match (count, piece.count()) {
            (Some(sum), Count::Finite(more)) => {
                more.as_i64().and_then(|more| sum.checked_add(u64::try_from(more).ok()?))
            }
            _ => None,
        };
    }
    legal.count = count;
    Ok(())
}

impl Ray {
    fn of(from: &Square, ray: &LegalRay) -> Self {
        Ray {
            from: from.to_string(),
            line: Squares::of(from, &ray.line),
            only: ray.only.iter().map(|line| Squares::of(from, line)).collect(),
            except: ray.except.iter().map(Square::to_string).collect(),
            except_lines: ray.except_lines.iter().map(|line| Squares::of(from, line)).collect(),
        }
    }
}

impl Squares {
    fn of(from: &Square, line: &Line) -> Self {
        Squares {
            origin: (line.from != *from).then(|| line.from.to_string()),
            step: format!("{},{}", line.step.x, line.step.y),
            first: line.first.to_string(),
            last: line.last.as_ref().map(ToString::to_string),
            prime: line.prime,
        }
    }
}
