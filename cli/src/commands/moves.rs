//! `boardprint moves`: the legal moves of a position.

use anyhow::Result;
use boardprint_base::{Coord, Piece, Square};
use boardprint_finite::{Board, Move, Notation};
use boardprint_games::{LegalMoves, Record};
use boardprint_rules::legal::{self, Count, Line, PieceMoves};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::args::{InputArgs, Ply};
use crate::report::{RecordObject, Report, Status, Usage};
use crate::source::{for_each_content, position};
use crate::visible::visible_line;

/// List the legal moves of a position
///
/// One line per record: moves in the notation of the game. On the open board a move is `x,y>x,y`, with `=Q`
/// for each promotion, and a ray is `x,y>(dx,dy)*1..7`: a step, and how often it is taken at least and at
/// most. `1..` is endless; of `prime(2..7)` only the primes count; `{not:9,0|20,0>(-1,0)*1..3}` leaves
/// squares out, alone and along rays; `{only:20,0>(-1,0)*1..3}` leaves only those of another ray.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boardprint moves -e '4k4/9/9/9/9/9/9/9/4K4 b R2b 1'\n  \
    boardprint moves --json --ply 10 game.pgn\n  \
    boardprint moves --game makruk -e '4k3/8/8/8/8/8/R7/4K3 w - - 0 1'\n  \
    boardprint moves -e 'K1,1|R5,5|k9,9'")]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// List moves of the position after this many half-moves: a number, -1 for the last, or `last`
    #[arg(long, value_name = "PLY", default_value = "last", allow_negative_numbers = true)]
    ply: Ply,

    /// Print one JSON object per record, with `count`, `moves` and on the open board `rays`
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct MovesObject {
    record: RecordObject,
    /// The half-moves before the position.
    ply: Option<usize>,
    /// The finite game; `null` on the open board.
    game: Option<&'static str>,
    /// `null` if there is no end to them, or if it is not known.
    count: Option<Box<RawValue>>,
    moves: Vec<MoveObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rays: Option<Vec<RayObject>>,
    /// Whether these are all.
    complete: bool,
}

#[derive(Serialize)]
struct MoveObject {
    /// In the notation of the game.
    #[serde(rename = "move")]
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    uci: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    san: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
}

/// The squares `from + k · step` for every k from `first` to `last`.
#[derive(Serialize)]
struct RayObject {
    from: String,
    step: String,
    first: String,
    last: Option<String>,
    /// Only prime k count.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    prime: bool,
    /// Lines that must not be left.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    only: Vec<RayObject>,
    /// Squares and lines that are left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    except: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    except_lines: Vec<RayObject>,
}

pub(crate) fn run(args: &Args) -> Result<Status> {
    if args.ply == Ply::All {
        return Err(Usage(
            "--ply all: `moves` lists those of one position; name it by its number".to_owned(),
        )
        .into());
    }
    let mut report = Report::new(args.json);
    let table = args.input.reading.piece_table()?;
    for_each_content(&args.input, &mut report, |record, reading, report| {
        let content = reading.content;
        let ply = args.ply.of(content.plies());
        let moves = position(record, &content, args.ply)
            .and_then(|position| position.legal_moves_with(&table).map_err(Into::into));
        match moves {
            Err(problem) => Ok(Err(problem)),
            Ok(moves) if report.is_json() => {
                let named = args.input.reading.game.is_some_and(|game| game.is_chess960);
                let is_chess960 = named || content.tag("Variant").is_some_and(|name| name.contains("960"));
                let uci = if is_chess960 { Notation::Uci960 } else { Notation::Uci };
                report.object(&object(record, ply, &moves, uci)).map(Ok)
            }
            Ok(moves) => {
                if matches!(&moves, LegalMoves::Open(list) if !list.is_complete()) {
                    let name = record.name();
                    report.say(&format!("note: {}: there may be more moves than these", visible_line(&name)));
                }
                report.sentence(moves.to_string()).map(Ok)
            }
        }
    })?;
    report.finish()
}

fn object(record: &Record, ply: Option<usize>, moves: &LegalMoves, uci: Notation) -> MovesObject {
    let record = RecordObject::of(record);
    let count = match moves.count() {
        Count::Finite(count) => RawValue::from_string(count.to_string()).ok(),
        _ => None,
    };
    match moves {
        LegalMoves::Finite(board, moves) => {
            let game = Some(board.game().name());
            let moves = moves.iter().map(|played| finite_move(board, *played, uci)).collect();
            MovesObject { record, ply, game, count, moves, rays: None, complete: true }
        }
        LegalMoves::Open(list) => open_board(record, ply, count, list),
        _ => MovesObject { record, ply, game: None, count, moves: Vec::new(), rays: None, complete: false },
    }
}

fn finite_move(board: &Board, played: Move, uci: Notation) -> MoveObject {
    let uci = board.write(uci, played).unwrap_or_else(|| played.uci(board.game()).to_string());
    let san = board.write(Notation::San, played);
    MoveObject { text: san.clone().unwrap_or_else(|| uci.clone()), uci: Some(uci), san, from: None, to: None }
}

fn open_board(
    record: RecordObject,
    ply: Option<usize>,
    count: Option<Box<RawValue>>,
    list: &legal::LegalMoves,
) -> MovesObject {
    let pieces = list.pieces();
    let rays = pieces.iter().flat_map(|piece| &piece.rays).map(|ray| RayObject {
        only: ray.only.iter().map(line).collect(),
        except: ray.except.iter().map(Square::to_string).collect(),
        except_lines: ray.except_lines.iter().map(line).collect(),
        ..line(&ray.line)
    });
    MovesObject {
        record,
        ply,
        game: None,
        count,
        moves: pieces.iter().flat_map(single_moves).collect(),
        rays: Some(rays.collect()),
        complete: pieces.iter().all(|piece| piece.complete),
    }
}

/// The moves of a piece to single squares, each promotion as one.
fn single_moves(piece: &PieceMoves) -> Vec<MoveObject> {
    let from = piece.piece.square.to_string();
    let mut moves = Vec::new();
    for single in &piece.single {
        let to = single.to.to_string();
        let suffixes: Vec<String> = match &*single.promotions {
            [] => vec![String::new()],
            kinds => {
                kinds.iter().map(|kind| format!("={}", Piece::new(*kind, piece.piece.piece.player))).collect()
            }
        };
        moves.extend(suffixes.into_iter().map(|suffix| MoveObject {
            text: format!("{from}>{to}{suffix}"),
            uci: None,
            san: None,
            from: Some(from.clone()),
            to: Some(to.clone()),
        }));
    }
    moves
}

fn line(line: &Line) -> RayObject {
    RayObject {
        from: line.from.to_string(),
        step: format!("{},{}", line.step.x, line.step.y),
        first: line.first.to_string(),
        last: line.last.as_ref().map(Coord::to_string),
        prime: line.prime,
        only: Vec::new(),
        except: Vec::new(),
        except_lines: Vec::new(),
    }
}
