//! Games: lists with filters, and one game in any form.

use boardprint_games::{Content, Format, WriteOptions};
use boardprint_icn::Style;
use boardprint_store::db::{Filter, Replay as _, StoredGame};
use serde::Serialize;

use super::app::{Context, Question, Reply};
use super::fault::{Fault, Outcome};
use super::query::{FILTERS, brief};
use crate::answers::{
    Conclusion, GameRow, Paths, Place, Ply, Position, Tag, kind_name, outcome, plies, tags,
};

#[derive(Serialize)]
struct Page {
    generation: u64,
    total: u64,
    games: Vec<GameRow>,
    #[serde(rename = "nextCursor")]
    next_cursor: Option<String>,
}

#[derive(Serialize)]
struct OneGame {
    generation: u64,
    id: u64,
    hash: String,
    game: &'static str,
    variant: Option<String>,
    tags: Vec<Tag>,
    result: &'static str,
    conclusion: Option<Conclusion>,
    record: Place,
    start: Position,
    plies: usize,
    moves: Vec<Ply>,
}

/// A page of games.
pub(super) fn list(view: &Context<'_>, question: &Question) -> Outcome<Reply> {
    let query = &question.query;
    query.only(&[&FILTERS, &["game", "order", "games", "cursor"]])?;
    let filter = Filter { kind: query.kind()?, ..query.filter(None)? };
    let snapshot = &view.snapshot;
    let found = snapshot.list(&filter, query.order()?, query.cursor()?, query.number("games", 15, 200)?)?;
    Reply::json(&Page {
        generation: snapshot.generation(),
        total: found.total,
        games: GameRow::all(snapshot, &found.games, Paths::Names)?,
        next_cursor: found.next.map(|cursor| cursor.to_string()),
    })
}

/// One game.
pub(super) fn one(view: &Context<'_>, question: &Question) -> Outcome<Reply> {
    question.query.only(&[&["form"]])?;
    let id = number(&question.name)?;
    let stored = view.snapshot.game(id)?;
    match question.query.get("form") {
        None | Some("json") => json(view, id, &stored),
        Some(form) => {
            let text = in_form(view, &stored, if form == "long" { "json" } else { form })?;
            Ok(Reply::text("text/plain; charset=utf-8", text))
        }
    }
}

/// One game as PGN, as lichess has it.
pub(super) fn pgn(view: &Context<'_>, question: &Question) -> Outcome<Reply> {
    let stored = view.snapshot.game(number(&question.name)?)?;
    Ok(Reply::text("application/x-chess-pgn; charset=utf-8", in_form(view, &stored, "pgn")?))
}

fn number(name: &str) -> Outcome<u64> {
    name.parse().map_err(|_| Fault::unknown_game(&brief(name)))
}

/// What a stored game means; from the text of its record where that was kept, because it says more.
pub(super) fn content(view: &Context<'_>, stored: &StoredGame) -> Outcome<Content<'static>> {
    let rules = &view.app.rules;
    let plain = rules.content(stored).map_err(|why| Fault::internal(&why))?;
    if stored.extra.is_empty() {
        return Ok(plain);
    }
    let text = rules.text(stored).map_err(|why| Fault::internal(&why))?;
    let mut whole = match view.app.reading.stored.read_text(rules.form(stored).format(), &text) {
        Ok(reading) if reading.content.plies() == plain.plies() => reading.content.into_owned(),
        _ => return Ok(plain),
    };
    // Tags may have been added since.
    let tags: Vec<(String, String)> =
        plain.tags().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    whole.add_tags(&tags);
    Ok(whole)
}

fn json(view: &Context<'_>, id: u64, stored: &StoredGame) -> Outcome<Reply> {
    let profile = view.app.profile;
    let content = content(view, stored)?;
    let key = view.app.rules.identity(stored).map_err(|why| Fault::internal(&why))?;
    let at = |ply| content.at(ply).map_err(|error| Fault::internal(&error.to_string()));
    let last = view.position(&at(content.plies())?)?;
    Reply::json(&OneGame {
        generation: view.snapshot.generation(),
        id,
        hash: view.app.rules.hash(&key).to_string(),
        game: kind_name(stored.kind),
        variant: stored.tag("Variant").filter(|name| !name.is_empty()).map(str::to_owned),
        tags: tags(&content),
        result: outcome(stored.result),
        conclusion: last.conclusion,
        record: Paths::Names.place(&view.snapshot, stored.source.file, stored.source.record),
        start: view.position(&at(0)?)?,
        plies: content.plies(),
        moves: plies(&content, profile)?,
    })
}

/// A stored game as text of some form, with a newline at its end.
fn in_form(view: &Context<'_>, stored: &StoredGame, form: &str) -> Outcome<String> {
    let rules = &view.app.rules;
    let mut text = match form.parse::<Format>() {
        Ok(format) if format == rules.form(stored).format() => {
            rules.text(stored).map_err(|why| Fault::internal(&why))?
        }
        Ok(format) => {
            // The canonical form has no tags.
            let options = WriteOptions::default().style(Style::Compact);
            content(view, stored)?.write(format, &options)?.text
        }
        Err(_) if form == "uci" => uci(&content(view, stored)?)?,
        Err(_) => {
            let message = format!("a game cannot be written as `{}`", brief(form));
            return Err(Fault::unsupported(message).hint("json, icn, pgn, csa, kif, usi, uci, long"));
        }
    };
    text.push('\n');
    Ok(text)
}

/// A finite game as the `position` command of UCI.
fn uci(content: &Content<'_>) -> Outcome<String> {
    let Content::Finite(game) = content else {
        return Err(Fault::unsupported("only finite games are written as UCI"));
    };
    let fen = game.start().fen();
    let usual = game.start().board().is_ok_and(|board| board.is_usual_start());
    let mut text = if usual { "position startpos".to_owned() } else { format!("position fen {fen}") };
    for (number, played) in game.moves().iter().enumerate() {
        text.push_str(if number == 0 { " moves " } else { " " });
        text.push_str(&played.uci(game.game()).to_string());
    }
    Ok(text)
}
