//! What a record means, as the database keeps it, and back.

use boardprint_base::{Game, GameResult, Move, PieceKind, Tag};
use boardprint_bridge::fen::FenExt as _;
use boardprint_bridge::{Lossy, Marks};
use boardprint_cpn::Revision;
use boardprint_finite::moves::Action;
use boardprint_finite::{Board, Fen, Game as FiniteKind, Move as FiniteMove};
use boardprint_games::{Content, FiniteGame, Format, ReadOptions};
use boardprint_icn::canonical_position;

use crate::db::{GameKind, Moves, Origin, StoredGame, StoredMove, WesternMove};

/// What the database keeps of a content.
pub(super) fn store(content: Content<'_>) -> StoredGame {
    let result = content.result().unwrap_or(GameResult::Unknown);
    let (start, moves) = match &content {
        Content::Infinite(game) => (canonical_position(&game.start), Moves::infinite(game.moves.iter())),
        Content::Finite(game) => match game.start().board() {
            Ok(board) if board.game() == FiniteKind::Western => {
                (start_text(&board), Moves::western(game.moves().iter().map(|played| packed(*played))))
            }
            _ => (rights_cpn(&game.start().fen()), Moves::infinite([].iter())),
        },
        Content::Board(cpn) => (cpn.in_revision(Revision::Y2015).to_string(), Moves::infinite([].iter())),
        _ => (String::new(), Moves::infinite([].iter())),
    };
    let tags = match content {
        Content::Infinite(game) => game.tags,
        content => {
            content.tags().map(|(name, value)| Tag { name: name.into(), value: value.into() }).collect()
        }
    };
    StoredGame { tags, result, start: start.into(), moves, source: Origin::default(), extra: Box::default() }
}

/// A position with all that its CPN can carry.
fn rights_cpn(fen: &Fen) -> String {
    Lossy::parts(fen.to_cpn(Some(Marks::AsGiven))).0.to_string()
}

/// What a stored game means.
pub(super) fn content(game: &StoredGame, reading: &ReadOptions) -> Result<Content<'static>, String> {
    let read = |format, text: &str| match reading.read_text(format, text) {
        Ok(reading) => Ok(reading.content.into_owned()),
        Err(error) => Err(error.to_string()),
    };
    let result = Some(game.result).filter(|result| *result != GameResult::Unknown);
    match game.moves.kind() {
        GameKind::Infinite if is_cpn(&game.start) => read(Format::Cpn, &game.start),
        GameKind::Infinite => {
            let Content::Infinite(start) = read(Format::Icn, &game.start)? else {
                return Err("its start is not ICN".to_owned());
            };
            let moves = game.moves.iter().filter_map(infinite_move).collect();
            let (tags, start) = (game.tags.clone(), start.start);
            Ok(Content::Infinite(Game { tags, start, moves, result, ..Game::default() }))
        }
        GameKind::Western => {
            let start = board_of(&game.start).ok_or("its start cannot be played")?;
            let mut played = FiniteGame::unchecked(start, western_moves(&game.moves).collect());
            let tag = |tag: &Tag| (tag.name.to_string().into(), tag.value.to_string().into());
            played.tags = game.tags.iter().map(tag).collect();
            played.result = result;
            Ok(Content::Finite(played))
        }
    }
}

/// Whether a start is a CPN; no ICN begins so.
pub(super) fn is_cpn(start: &str) -> bool {
    start.starts_with("B--") || start.starts_with("t--")
}

/// The start of a Western game as it is kept: empty for the usual one, castling by the files of the rooks where they are not usual, counters fresh.
fn start_text(board: &Board) -> String {
    if board.is_usual_start() {
        return String::new();
    }
    let text = board.fen().to_string();
    let fields: Vec<&str> = text.split(' ').take(4).collect();
    format!("{} 0 1", fields.join(" "))
}

/// The board of a start as it is kept.
fn board_of(start: &str) -> Option<Board> {
    if start.is_empty() { Some(Board::start(FiniteKind::Western)) } else { Board::of_western_tag(start) }
}

/// The moves of a Western game.
fn western_moves(moves: &Moves) -> impl Iterator<Item = FiniteMove> {
    moves.iter().filter_map(|step| match step {
        StoredMove::Western(step) => unpacked(step),
        StoredMove::Infinite { .. } => None,
    })
}

/// What a pawn can become, in the order of the bits of a move.
const PROMOTIONS: [PieceKind; 4] = [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];

/// A move as the database keeps it.
fn packed(step: FiniteMove) -> WesternMove {
    let (from, to, promotion) = match step.action(FiniteKind::Western) {
        Action::Go { from, to, promotion } => (from, to, promotion),
        _ => (0, 0, None),
    };
    let promotion = promotion.and_then(|place| PROMOTIONS.get(place - 1).copied());
    let square = |square: usize| u8::try_from(square).unwrap_or(0);
    WesternMove::new(square(from), square(to), promotion).expect("squares are on the board")
}

fn unpacked(step: WesternMove) -> Option<FiniteMove> {
    let promotion = step.promotion().and_then(|kind| PROMOTIONS.iter().position(|known| *known == kind));
    let promotion = promotion.map_or(0, |place| u16::try_from(place + 1).unwrap_or(0));
    let bits = u16::from(step.from()) | u16::from(step.to()) << 6 | promotion << 12;
    FiniteMove::from_bits(FiniteKind::Western, bits)
}

fn infinite_move(step: StoredMove) -> Option<Move> {
    match step {
        StoredMove::Infinite { from, to, promotion } => Some(Move { promotion, ..Move::new(from, to) }),
        StoredMove::Western(_) => None,
    }
}
