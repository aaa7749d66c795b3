//! The parts that answers are made of, as `docs/api/openapi.json` describes them.

use boardprint_base::{Digest, Game, GameResult, Move as OpenMove, Piece, PieceKind, Player, Side, Square};
use boardprint_finite::{Action, Board, Game as FiniteKind, Move as FiniteMove, Notation};
use boardprint_games::{Content, PositionNamer, Profile, WriteOptions, piece_table};
use boardprint_icn::canonical_position;
use boardprint_rules::legal::{Condition, Trial};
use boardprint_rules::pieces::PieceTable;
use boardprint_store::db::{Counts, GameKind, GameLine, Snapshot, StoredGame, StoredMove};
use serde::Serialize;

use super::fault::{Fault, Outcome};

/// The version of the shapes.
pub(super) const SCHEMA: u32 = 1;

/// On boards with more pieces nobody looks whether the game has ended.
const JUDGED_PIECES: usize = 200;

/// A position in every notation that can hold it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Position {
    pub(super) hash: String,
    pub(super) game: &'static str,
    pub(super) turn: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    icn: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fen: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sfen: Option<String>,
    pub(super) cpn: String,
    lost: Vec<&'static str>,
    pub(super) conclusion: Option<Conclusion>,
}

/// How the rules ended a game.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Conclusion {
    condition: &'static str,
    winner: Option<String>,
}

/// A move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Move {
    #[serde(rename = "move")]
    pub(super) text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) uci: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) san: Option<String>,
}

/// A move of a game with the position after it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Ply {
    #[serde(flatten)]
    pub(super) step: Move,
    #[serde(rename = "ply")]
    number: usize,
    hash: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<String>,
}

/// How many occurrences belong to games with each outcome.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Results {
    pub(super) white: u64,
    pub(super) black: u64,
    pub(super) draw: u64,
    unknown: u64,
}

/// Where a record was read.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Place {
    path: String,
    record: u64,
    line: Option<u64>,
}

/// A game in a list.
#[derive(Clone, Debug, Serialize)]
pub(super) struct GameRow {
    pub(super) id: u64,
    ply: Option<u32>,
    pub(super) plies: u32,
    game: &'static str,
    variant: Option<String>,
    white: Option<String>,
    black: Option<String>,
    white_rating: Option<u16>,
    black_rating: Option<u16>,
    date: Option<String>,
    event: Option<String>,
    result: &'static str,
    record: Place,
}

/// A tag. Both parts are foreign text.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Tag {
    name: String,
    value: String,
}

impl Position {
    /// The position of a content without moves.
    pub(super) fn of(content: &Content<'_>, profile: Profile) -> Outcome<Self> {
        let mut cpn = String::new();
        let named = PositionNamer::new(profile).each_cpn(content, |text| {
            if cpn.is_empty() {
                cpn = String::from_utf8_lossy(text).into_owned();
            }
        });
        named.map_err(|error| Fault::unreadable(error.to_string()))?;
        let (_, lost) = content.to_cpn(&WriteOptions::default().rights(profile == Profile::Rights))?;
        let mut position = Position {
            hash: Digest::of(cpn.as_bytes()).to_string(),
            game: game_name(content),
            turn: String::new(),
            icn: None,
            fen: None,
            sfen: None,
            cpn,
            lost: lost.names().collect(),
            conclusion: None,
        };
        match content {
            Content::Infinite(game) => {
                position.turn = game.start.turn.to_move().to_string();
                position.icn = Some(canonical_position(&game.start));
                position.conclusion = open_end(game);
            }
            Content::Finite(game) => {
                let fen = game.start().fen();
                position.turn = side_name(fen.side()).into();
                position.fen = Some(fen.to_string());
                position.sfen = fen.to_sfen();
                position.conclusion = game.start().board().ok().and_then(|board| board.end()).map(Into::into);
            }
            Content::Board(cpn) => position.turn = side_name(cpn.side()).into(),
            _ => {}
        }
        Ok(position)
    }
}

/// How a position of the open board stands ended. Bare material is there to be played with.
fn open_end(game: &Game) -> Option<Conclusion> {
    if game.start.pieces.len() > JUDGED_PIECES {
        return None;
    }
    let table = piece_table(game).unwrap_or(PieceTable::built_in());
    let end = Trial::new(table, game.start.clone()).conclusion()?;
    (end.condition != Condition::InsufficientMaterial).then(|| Conclusion {
        condition: end.condition.name(),
        winner: end.victor.map(|player| player.to_string()),
    })
}

impl From<boardprint_finite::Conclusion> for Conclusion {
    fn from(end: boardprint_finite::Conclusion) -> Self {
        let winner = end.victor.map(|side| side_name(side).to_owned());
        Conclusion { condition: end.condition.name(), winner }
    }
}

const fn side_name(side: Side) -> &'static str {
    match side {
        Side::Bottom => "white",
        Side::Top => "black",
    }
}

/// Which game a content is of.
pub(super) fn game_name(content: &Content<'_>) -> &'static str {
    match content {
        Content::Infinite(_) => "infinite",
        Content::Finite(game) => game.game().name(),
        _ => "other",
    }
}

impl Move {
    /// No move; never shown.
    pub(super) const fn none() -> Self {
        Move { text: String::new(), uci: None, from: None, to: None, san: None }
    }

    /// A move of the open board.
    pub(super) fn open(played: &OpenMove, mover: Player) -> Self {
        Self::to(&played.from, &played.to, played.promotion, mover)
    }

    /// A move of the open board by its squares.
    pub(super) fn to(from: &Square, to: &Square, promotion: Option<PieceKind>, mover: Player) -> Self {
        let text = match promotion {
            Some(kind) => format!("{from}>{to}={}", Piece::new(kind, mover)),
            None => format!("{from}>{to}"),
        };
        Move { text, uci: None, from: Some(from.to_string()), to: Some(to.to_string()), san: None }
    }

    /// A move of a finite game, from the position before it.
    pub(super) fn finite(board: &Board, played: FiniteMove) -> Self {
        let game = board.game();
        let uci = played.uci(game).to_string();
        let (from, to) = match played.action(game) {
            Action::Go { from, to, .. } => (Some(from), Some(to)),
            Action::Drop { to, .. } => (None, Some(to)),
            _ => (None, None),
        };
        let square = |number: usize| square_name(game, number);
        let san = Notation::San.fits(game).then(|| board.write(Notation::San, played)).flatten();
        Move { text: uci.clone(), uci: Some(uci), from: from.map(square), to: to.map(square), san }
    }
}

/// The name of a square: file from `a`, rank from 1.
pub(super) fn square_name(game: FiniteKind, square: usize) -> String {
    let (rank, file) = (square / game.files(), square % game.files());
    format!("{}{}", char::from(b'a' + u8::try_from(file).unwrap_or(0)), rank + 1)
}

/// The moves of a content, each with the hash after it.
pub(super) fn plies(content: &Content<'_>, profile: Profile) -> Outcome<Vec<Ply>> {
    let hashes = content.hashes(profile).map_err(|error| Fault::unreadable(error.to_string()))?;
    let after = (1..).zip(hashes.into_iter().skip(1));
    match content {
        Content::Infinite(game) => Ok(game
            .moves
            .iter()
            .zip(after)
            .map(|(played, (ply, hash))| Ply {
                step: Move::open(played, game.start.turn.at(ply - 1)),
                number: ply,
                hash: hash.to_string(),
                comment: comment(played),
                clock: clock(played),
            })
            .collect()),
        Content::Finite(game) => {
            let Ok(start) = game.start().board() else { return Ok(Vec::new()) };
            let mut board = start.into_owned();
            let ply = |(played, (ply, hash)): (&FiniteMove, (usize, Digest))| {
                let step = Move::finite(&board, *played);
                board.play_known(*played);
                Ply { step, number: ply, hash: hash.to_string(), comment: None, clock: None }
            };
            Ok(game.moves().iter().zip(after).map(ply).collect())
        }
        _ => Ok(Vec::new()),
    }
}

/// What was said about a move, clock stamps aside.
fn comment(played: &OpenMove) -> Option<String> {
    let words: Vec<&str> = played
        .notes
        .comments
        .iter()
        .map(|comment| &**comment)
        .filter(|comment| !comment.contains("%clk"))
        .collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// The clock after a move: `[%clk 0:09:58.2]`.
fn clock(played: &OpenMove) -> Option<String> {
    let stamp =
        played.notes.comments.iter().find_map(|comment| comment.split_once("%clk")?.1.split(']').next());
    stamp.map(|stamp| stamp.trim().to_owned())
}

impl From<&Counts> for Results {
    fn from(counts: &Counts) -> Self {
        Results {
            white: counts.of(GameResult::WhiteWins),
            black: counts.of(GameResult::BlackWins),
            draw: counts.of(GameResult::Draw),
            unknown: counts.of(GameResult::Unknown),
        }
    }
}

/// The outcome as answers call it.
pub(super) const fn outcome(result: GameResult) -> &'static str {
    match result {
        GameResult::WhiteWins => "white",
        GameResult::BlackWins => "black",
        GameResult::Draw => "draw",
        GameResult::Unknown => "unknown",
    }
}

impl Place {
    /// Where a game was read. A path of the machine keeps its last part only.
    pub(super) fn new(snapshot: &Snapshot, file: u32, record: u64) -> Self {
        let path = snapshot.sources().get(file as usize).map_or("?", |source| &source.path);
        Place { path: relative(path), record, line: None }
    }
}

/// A path as it was given, unless it is absolute: then only the name of the file.
pub(super) fn relative(path: &str) -> String {
    let is_absolute = path.starts_with(['/', '\\']) || path.as_bytes().get(1) == Some(&b':');
    match path.rsplit(['/', '\\']).next() {
        Some(name) if is_absolute => name.to_owned(),
        _ => path.to_owned(),
    }
}

/// A date as answers have it: `2024-03-17`, `2024-03`, `2024`.
pub(super) fn date_text(date: u32) -> Option<String> {
    let (year, month, day) = (date / 10_000, date / 100 % 100, date % 100);
    match (year, month, day) {
        (0, ..) => None,
        (year, 0, _) => Some(format!("{year:04}")),
        (year, month, 0) => Some(format!("{year:04}-{month:02}")),
        (year, month, day) => Some(format!("{year:04}-{month:02}-{day:02}")),
    }
}

impl GameRow {
    /// A game in a list, with the ply at which it has a position.
    pub(super) fn new(snapshot: &Snapshot, line: &GameLine, stored: &StoredGame) -> Self {
        let known = |text: Option<&str>| {
            text.filter(|text| boardprint_games::says_something(text)).map(str::to_owned)
        };
        let rating = |rating: u16| (rating > 0).then_some(rating);
        let row = &line.row;
        GameRow {
            id: line.game,
            ply: line.plies.first().copied(),
            plies: row.plies,
            game: kind_name(row.kind),
            variant: known(stored.tag("Variant")).or_else(|| known(line.laws.as_deref())),
            white: line.white.as_deref().map(str::to_owned),
            black: line.black.as_deref().map(str::to_owned),
            white_rating: rating(row.white_rating),
            black_rating: rating(row.black_rating),
            date: date_text(row.date),
            event: known(stored.tag("Event")),
            result: outcome(row.result),
            record: Place::new(snapshot, stored.source.file, stored.source.record),
        }
    }

    /// The games of a list.
    pub(super) fn all(snapshot: &Snapshot, lines: &[GameLine]) -> Outcome<Vec<Self>> {
        lines.iter().map(|line| Ok(Self::new(snapshot, line, &*snapshot.game(line.game)?))).collect()
    }
}

pub(super) const fn kind_name(kind: GameKind) -> &'static str {
    match kind {
        GameKind::Infinite => "infinite",
        GameKind::Finite(game) => game.name(),
        GameKind::Board => "other",
    }
}

/// The tags of a content in order.
pub(super) fn tags(content: &Content<'_>) -> Vec<Tag> {
    content.tags().map(|(name, value)| Tag { name: name.to_owned(), value: value.to_owned() }).collect()
}

/// A stored move that can be played on a position, as a game of one move from there.
pub(super) fn one_move(content: &Content<'_>, step: &StoredMove) -> Option<Content<'static>> {
    match (content, step) {
        (Content::Infinite(game), StoredMove::Infinite { from, to, promotion }) => {
            let played = OpenMove { promotion: *promotion, ..OpenMove::new(from.clone(), to.clone()) };
            Some(Content::Infinite(Game {
                start: game.start.clone(),
                moves: vec![played],
                ..Game::default()
            }))
        }
        (Content::Finite(game), StoredMove::Finite(bits)) => {
            let board = game.start().board().ok()?.into_owned();
            let played = FiniteMove::from_bits(game.game(), *bits)?;
            Some(Content::Finite(boardprint_games::FiniteGame::unchecked(board, vec![played])))
        }
        _ => None,
    }
}
