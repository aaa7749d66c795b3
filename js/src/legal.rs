//! Legal moves as an object: single moves, and rays in closed form.

use boardprint_base::{Move, Piece, Square};
use boardprint_finite::{Action, Notation};
use boardprint_games::LegalMoves;
use boardprint_rules::legal::{Count, LegalRay, Line, PieceMoves};
use serde::Serialize;

use crate::problem::Problem;

/// The legal moves of a position.
#[derive(Serialize)]
pub(crate) struct LegalObject {
    /// How many there are; nothing if there is no end to them.
    count: Option<u64>,
    moves: Vec<MoveObject>,
    rays: Vec<RayObject>,
    complete: bool,
}

/// A move. The open board has `from` and `to`, finite games have `uci` and perhaps `san`.
#[derive(Default, Serialize)]
struct MoveObject {
    #[serde(rename = "move")]
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uci: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    san: Option<String>,
}

/// The squares `from + n · step` for n from `first` to `last`.
#[derive(Serialize)]
struct RayObject {
    from: String,
    #[serde(flatten)]
    line: LineObject,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    only: Vec<LineObject>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    except: Vec<String>,
    #[serde(rename = "exceptLines", skip_serializing_if = "Vec::is_empty")]
    except_lines: Vec<LineObject>,
}

#[derive(Serialize)]
struct LineObject {
    /// Where the counting starts, if that is not where the piece stands.
    #[serde(rename = "origin", skip_serializing_if = "Option::is_none")]
    origin: Option<String>,
    step: String,
    first: String,
    last: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    prime: bool,
}

impl LegalObject {
    /// The moves of a position, or those of the piece on one square.
    pub(crate) fn of(moves: &LegalMoves, from: Option<&str>) -> Result<Self, Problem> {
        match moves {
            LegalMoves::Open(found) => {
                let no_square = || Problem::usage("option `square` has to be a square: `4,-2`");
                let from: Option<Square> =
                    from.map(|text| text.parse().map_err(|_| no_square())).transpose()?;
                let wanted =
                    |moves: &&PieceMoves| from.as_ref().is_none_or(|from| moves.piece.square == *from);
                let pieces: Vec<&PieceMoves> = found.pieces().iter().filter(wanted).collect();
                let counts: Vec<Count> = pieces.iter().map(|moves| moves.count()).collect();
                Ok(LegalObject {
                    count: sum(&counts),
                    moves: pieces.iter().flat_map(|moves| single_moves(moves)).collect(),
                    rays: pieces.iter().flat_map(|moves| rays(moves)).collect(),
                    complete: pieces.iter().all(|moves| moves.complete),
                })
            }
            LegalMoves::Finite(board, found) if cfg!(feature = "finite") => {
                let game = board.game();
                let name = |number: usize| {
                    let file = u8::try_from(number % game.files()).unwrap_or_default();
                    format!("{}{}", char::from(b'a' + file), number / game.files() + 1)
                };
                let starts = |action: Action| match action {
                    Action::Go { from, .. } | Action::Pass(from) => Some(name(from)),
                    _ => None,
                };
                let wanted = found
                    .iter()
                    .filter(|played| from.is_none() || starts(played.action(game)).as_deref() == from);
                let moves: Vec<MoveObject> = wanted
                    .map(|played| {
                        MoveObject::finite(played.uci(game).to_string(), board.write(Notation::San, *played))
                    })
                    .collect();
                Ok(LegalObject { count: Some(moves.len() as u64), moves, rays: Vec::new(), complete: true })
            }
            _ => Err(Problem::new("no-rules", "nobody knows the rules of this game".to_owned())),
        }
    }
}

impl MoveObject {
    /// A move of the open board, promotion in the mover's case.
    fn open(played: &Move, promoted: Option<Piece>) -> Self {
        let (from, to) = (played.from.to_string(), played.to.to_string());
        let promotion = promoted.map(|piece| format!("={piece}")).unwrap_or_default();
        let text = format!("{from}>{to}{promotion}");
        MoveObject { text, from: Some(from), to: Some(to), ..MoveObject::default() }
    }

    /// A move of a finite game.
    fn finite(uci: String, san: Option<String>) -> Self {
        MoveObject { text: uci.clone(), uci: Some(uci), san, ..MoveObject::default() }
    }
}

fn sum(counts: &[Count]) -> Option<u64> {
    counts.iter().try_fold(0_u64, |sum, count| match count {
        Count::Finite(number) => sum.checked_add(u64::try_from(number.as_i64()?).ok()?),
        _ => None,
    })
}

fn single_moves(moves: &PieceMoves) -> Vec<MoveObject> {
    let mut list = Vec::new();
    for single in &moves.single {
        let played = Move::new(moves.piece.square.clone(), single.to.clone());
        if single.promotions.is_empty() {
            list.push(MoveObject::open(&played, None));
        }
        for kind in &single.promotions {
            list.push(MoveObject::open(&played, Some(Piece::new(*kind, moves.piece.piece.player))));
        }
    }
    list
}

fn rays(moves: &PieceMoves) -> Vec<RayObject> {
    let from = &moves.piece.square;
    let line = |line: &Line| LineObject {
        origin: (line.from != *from).then(|| line.from.to_string()),
        step: format!("{},{}", line.step.x, line.step.y),
        first: line.first.to_string(),
        last: line.last.as_ref().map(ToString::to_string),
        prime: line.prime,
    };
    let ray = |ray: &LegalRay| RayObject {
        from: from.to_string(),
        line: line(&ray.line),
        only: ray.only.iter().map(line).collect(),
        except: ray.except.iter().map(ToString::to_string).collect(),
        except_lines: ray.except_lines.iter().map(line).collect(),
    };
    moves.rays.iter().map(ray).collect()
}
