//! The calls of the lichess opening explorer, so that its clients work by changing one address.

use boardprint_base::GameResult;
use boardprint_store::db::{Filter, GameLine, Order, Question as StoreQuestion};
use serde_json::{Value, json};

use super::app::{Context, JSON, Question, Reply};
use super::fault::{Fault, Outcome};
use super::query::{Query, brief};
use crate::answers::{date_text, mover};

/// Games of everybody.
pub(super) fn everybody(view: &Context<'_>, question: &Question) -> Outcome<Reply> {
    answer(view, question, None)
}

/// Games of one player.
pub(super) fn player(view: &Context<'_>, question: &Question) -> Outcome<Reply> {
    let missing = || Fault::parameter("`player` is missing");
    let name = question.query.get("player").ok_or_else(missing)?;
    answer(view, question, Some(name))
}

/// The parameters that mean something here; others are passed over, whatever they are.
const KNOWN: [&str; 10] =
    ["fen", "play", "variant", "since", "until", "moves", "topGames", "recentGames", "player", "color"];

fn answer(view: &Context<'_>, question: &Question, player: Option<&str>) -> Outcome<Reply> {
    let query = &question.query;
    query.once(&KNOWN)?;
    match query.get("variant") {
        None | Some("standard" | "chess960" | "fromPosition" | "chess") => {}
        Some(other) => return Err(Fault::parameter(format!("there is no variant `{}` here", brief(other)))),
    }
    // Parameters that mean nothing here are passed over.
    let mut asking = Query::default();
    for (theirs, ours) in [("fen", "position"), ("play", "play")] {
        asking.set(ours, query.get(theirs));
    }
    asking.set("from", query.get("fen").map(|_| "fen"));
    asking.set("game", query.get("fen").map(|_| "western"));
    // Since the year 0: since ever.
    asking.set("since", query.get("since").filter(|since| !since.starts_with("0000")));
    asking.set("until", query.get("until"));
    asking.set("player", player);
    asking.set("color", player.and(query.get("color")));
    let asked = view.asked(&asking)?;
    // Lichess names a player by the whole name.
    let filter = Filter { whole_name: player.is_some(), ..asking.filter(None)? };
    let position = view.position(&asked.now)?;
    let hash = position.hash;
    let limit = |name, usual| query.number(name, usual, 10_000);
    let top = games(view, &filter, hash, Order::Rating, limit("topGames", 4)?.min(100))?;
    let recent = games(view, &filter, hash, Order::Date, limit("recentGames", 4)?.min(100))?;
    let ask = StoreQuestion::new(hash).filter(filter.clone()).games(0);
    let ask = ask.ratings_up_to(super::explore::RATED).mover(mover(&asked.now));
    let found = view.snapshot.answer(&ask, &view.app.rules)?;
    let next = view.shower().next_moves(&asked.now, &filter, &found, limit("moves", 12)?)?;
    let mut moves = Vec::with_capacity(next.len());
    for one in &next {
        // Where only one game has the move, lichess names it.
        let only = if one.occurrences == 1 { one.first } else { None };
        let game = match only {
            Some(id) => {
                let row = view.snapshot.row(id)?;
                Some(game(&view.snapshot.line(id, row)?, None))
            }
            None => None,
        };
        moves.push(json!({
            "uci": one.step.uci.as_deref().unwrap_or(&one.step.text), "san": one.step.san.as_deref().unwrap_or(&one.step.text),
            "averageRating": one.rating, "white": one.results.white, "draws": one.results.draw,
            "black": one.results.black, "game": game, "opening": null,
        }));
    }
    let value = json!({
        "white": found.results.of(GameResult::WhiteWins), "draws": found.results.of(GameResult::Draw),
        "black": found.results.of(GameResult::BlackWins), "opening": null, "moves": moves,
        "topGames": top, "recentGames": recent,
    });
    let streamed = question.accept == NDJSON;
    let text = if streamed { format!("{value}\n") } else { value.to_string() };
    Ok(Reply::text(if streamed { NDJSON } else { JSON }, text))
}

/// One object per line, in which lichess streams.
pub(super) const NDJSON: &str = "application/x-ndjson";

/// The first games of an order, each with the move that was played.
fn games(
    view: &Context<'_>,
    filter: &Filter,
    hash: boardprint_base::Digest,
    order: Order,
    limit: usize,
) -> Outcome<Vec<Value>> {
    if limit == 0 {
        return Ok(Vec::new());
    }
    let snapshot = &view.snapshot;
    // Where a position occurs too often to be sorted, the games are those that came first.
    let is_sorted = filter.is_empty() && snapshot.keeps_orders();
    let often = !is_sorted && snapshot.occurrences(&hash, filter)? > super::explore::RATED;
    let order = if often { Order::Number } else { order };
    let ask = StoreQuestion::new(hash).filter(filter.clone()).order(order).games(limit);
    let list = snapshot.answer(&ask, &view.app.rules)?.list;
    let mut games = Vec::with_capacity(list.len());
    for line in &list {
        let stored = snapshot.game(line.game)?;
        let ply = line.plies.first().copied().unwrap_or(0) as usize;
        let next = stored.moves.iter().nth(ply).map(|step| view.app.rules.move_text(stored.kind, &step));
        games.push(game(line, next));
    }
    Ok(games)
}

fn game(line: &GameLine, uci: Option<String>) -> Value {
    let player = |name: Option<&str>, rating: u16| json!({ "name": name.unwrap_or("?"), "rating": (rating > 0).then_some(rating) });
    let winner = match line.row.result {
        GameResult::WhiteWins => Some("white"),
        GameResult::BlackWins => Some("black"),
        GameResult::Draw | GameResult::Unknown => None,
    };
    let year = line.row.date / 10_000;
    let month = date_text(line.row.date / 100 * 100).filter(|text| text.len() == 7);
    let mut object = json!({
        "id": line.game.to_string(), "winner": winner,
        "white": player(line.white.as_deref(), line.row.white_rating),
        "black": player(line.black.as_deref(), line.row.black_rating),
        "year": (year > 0).then_some(year), "month": month,
    });
    if let Some(uci) = uci {
        object["uci"] = uci.into();
    }
    object
}
