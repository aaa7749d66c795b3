//! Answers of the database as objects. `docs/api/openapi.json` describes them; the server prints the same.

use anyhow::{Result, anyhow};
use boardprint_base::{GameResult, Player, Side};
use boardprint_finite::{Action, Board, Move as FiniteMove, Notation};
use boardprint_games::{Content, PositionNamer, Profile, WriteOptions, says_something};
use boardprint_icn::canonical_position;
use boardprint_store::db::{Answer, Counts, GameKind, GameLine, MoveLine, Snapshot, StoredGame, StoredMove};
use serde_json::{Map, Value, json};

/// How many occurrences belong to games with each outcome.
pub(crate) fn results(counts: &Counts) -> Value {
    let entries = GameResult::ALL.map(|result| (outcome(result).to_owned(), counts.of(result).into()));
    Value::Object(entries.into_iter().collect::<Map<_, _>>())
}

/// How a game ended, in a word.
pub(crate) const fn outcome(result: GameResult) -> &'static str {
    match result {
        GameResult::WhiteWins => "white",
        GameResult::BlackWins => "black",
        GameResult::Draw => "draw",
        GameResult::Unknown => "unknown",
    }
}

/// Which game a stored one is of.
pub(crate) const fn kind_name(kind: GameKind) -> &'static str {
    match kind {
        GameKind::Infinite => "infinite",
        GameKind::Finite(game) => game.name(),
        GameKind::Board => "other",
    }
}

/// A date as answers have it: `2024-03-17`, `2024-03`, `2024`.
pub(crate) fn date_text(date: u32) -> Option<String> {
    match (date / 10_000, date / 100 % 100, date % 100) {
        (0, ..) => None,
        (year, 0, _) => Some(format!("{year:04}")),
        (year, month, 0) => Some(format!("{year:04}-{month:02}")),
        (year, month, day) => Some(format!("{year:04}-{month:02}-{day:02}")),
    }
}

/// A position in the notations that can hold it.
pub(crate) struct Shown {
    pub(crate) cpn: String,
    pub(crate) icn: Option<String>,
    pub(crate) fen: Option<String>,
    sfen: Option<String>,
    turn: String,
    game: &'static str,
    lost: Vec<&'static str>,
}

impl Shown {
    /// The notations of a content without moves.
    pub(crate) fn new(content: &Content<'_>, profile: Profile) -> Result<Self> {
        let mut cpn = String::new();
        let named = PositionNamer::new(profile).each_cpn(content, |text| {
            if cpn.is_empty() {
                cpn = String::from_utf8_lossy(text).into_owned();
            }
        });
        named.map_err(|error| anyhow!("{error}"))?;
        let options = WriteOptions::default().rights(profile == Profile::Rights);
        let lost = content.to_cpn(&options).map(|(_, lost)| lost.names().collect()).unwrap_or_default();
        let side = |side: Side| if side == Side::Bottom { Player::WHITE } else { Player::BLACK }.to_string();
        let mut shown =
            Shown { cpn, icn: None, fen: None, sfen: None, turn: String::new(), game: "other", lost };
        match content {
            Content::Infinite(game) => {
                shown.game = "infinite";
                shown.turn = game.start.turn.to_move().to_string();
                shown.icn = Some(canonical_position(&game.start));
            }
            Content::Finite(game) => {
                let fen = game.start().fen();
                shown.game = game.game().name();
                shown.turn = side(fen.side());
                shown.sfen = fen.to_sfen();
                shown.fen = Some(fen.to_string());
            }
            Content::Board(cpn) => shown.turn = side(cpn.side()),
            _ => {}
        }
        Ok(shown)
    }

    pub(crate) fn object(&self, hash: &str) -> Value {
        let mut object = json!({
            "hash": hash, "game": self.game, "turn": self.turn, "cpn": self.cpn, "lost": self.lost,
        });
        for (name, text) in [("icn", &self.icn), ("fen", &self.fen), ("sfen", &self.sfen)] {
            if let Some(text) = text {
                object[name] = text.as_str().into();
            }
        }
        object
    }
}

/// A stored move as people write it: SAN where the game has it.
pub(crate) fn move_text(content: &Content<'_>, step: &StoredMove) -> String {
    match finite(content, step) {
        Some((board, played)) => san(&board, played).unwrap_or_else(|| played.uci(board.game()).to_string()),
        None => step.to_string(),
    }
}

fn finite(content: &Content<'_>, step: &StoredMove) -> Option<(Board, FiniteMove)> {
    let (Content::Finite(game), StoredMove::Finite(bits)) = (content, step) else { return None };
    let board = game.start().board().ok()?.into_owned();
    Some((board, FiniteMove::from_bits(game.game(), *bits)?))
}

fn san(board: &Board, played: FiniteMove) -> Option<String> {
    if !Notation::San.fits(board.game()) {
        return None;
    }
    board.write(Notation::San, played)
}

/// The fields of a move.
fn move_object(content: &Content<'_>, step: &StoredMove) -> Value {
    if let Some((board, played)) = finite(content, step) {
        let uci = played.uci(board.game()).to_string();
        let mut object = json!({ "move": uci, "uci": uci });
        if let Some(san) = san(&board, played) {
            object["san"] = san.into();
        }
        let files = board.game().files();
        let name = |square: usize| {
            let file = u8::try_from(square % files).unwrap_or(0);
            format!("{}{}", char::from(b'a' + file), square / files + 1)
        };
        let (from, to) = match played.action(board.game()) {
            Action::Go { from, to, .. } => (Some(from), Some(to)),
            Action::Drop { to, .. } => (None, Some(to)),
            _ => (None, None),
        };
        for (field, square) in [("from", from), ("to", to)] {
            if let Some(square) = square {
                object[field] = name(square).into();
            }
        }
        return object;
    }
    match step {
        StoredMove::Infinite { from, to, .. } => {
            json!({ "move": step.to_string(), "from": from.to_string(), "to": to.to_string() })
        }
        StoredMove::Finite(_) => json!({ "move": step.to_string() }),
    }
}

/// A move that followed; where games ended there is none.
fn next_move(content: &Content<'_>, line: &MoveLine) -> Option<Value> {
    let mut object = move_object(content, line.next.as_ref()?);
    object["occurrences"] = line.count().into();
    object["games"] = line.games.unwrap_or_else(|| line.count()).into();
    object["results"] = results(&line.results);
    object["rating"] = line.mean_rating.into();
    object["hash"] = line.after.map(|hash| hash.to_string()).into();
    object["reached"] = line.reached.unwrap_or_else(|| line.count()).max(line.count()).into();
    Some(object)
}

/// A game in a list.
pub(crate) fn game_row(line: &GameLine, stored: &StoredGame) -> Value {
    let known = |text: Option<&str>| text.filter(|text| says_something(text)).map(str::to_owned);
    let rating = |rating: u16| (rating > 0).then_some(rating);
    let row = &line.row;
    json!({
        "id": line.game, "ply": line.plies.first(), "plies": row.plies, "game": kind_name(row.kind),
        "variant": known(stored.tag("Variant")).or_else(|| known(line.laws.as_deref())),
        "white": line.white, "black": line.black,
        "white_rating": rating(row.white_rating), "black_rating": rating(row.black_rating),
        "date": date_text(row.date), "event": known(stored.tag("Event")), "result": outcome(row.result),
        "record": { "path": line.source, "record": stored.source.record, "line": null },
    })
}

/// Everything about a position. `shown` moves are in it.
pub(crate) fn explore(
    snapshot: &Snapshot,
    taken_as: &str,
    position: Option<(&Content<'_>, &Shown)>,
    answer: &Answer,
    shown: usize,
) -> Result<Value> {
    let hash = answer.hash.to_string();
    let lines = position.map(|(content, _)| answer.moves.iter().filter_map(|line| next_move(content, line)));
    let moves: Vec<Value> = lines.into_iter().flatten().collect();
    let ended = answer.moves.iter().find(|line| line.next.is_none()).map_or(0, MoveLine::count);
    let mut games = Vec::with_capacity(answer.list.len());
    for line in &answer.list {
        games.push(game_row(line, &*snapshot.game(line.game).map_err(crate::database::failure)?));
    }
    Ok(json!({
        "generation": snapshot.generation(),
        "taken_as": taken_as,
        "position": position.map_or_else(|| json!({ "hash": hash }), |(_, shown)| shown.object(&hash)),
        "line": [],
        "start": null,
        "occurrences": answer.occurrences,
        "game_count": answer.games,
        "ended_here": ended,
        "results": results(&answer.results),
        "rating": answer.mean_rating,
        "more_moves": moves.len().saturating_sub(shown),
        "moves": moves.into_iter().take(shown).collect::<Vec<_>>(),
        "games": games,
        "nextCursor": answer.next.map(|cursor| cursor.to_string()),
        "warnings": [],
    }))
}
