//! A position: what it is, what was played, who played it.

use std::collections::{BTreeMap, BTreeSet};

use boardprint_base::Digest;
use boardprint_finite::Move as FiniteMove;
use boardprint_games::{Content, LegalMoves};
use boardprint_store::db::{Answer, Filter, MoveLine, Question as StoreQuestion, Replay as _, StoredMove};
use serde::Serialize;

use super::app::{Context, Question, Reply};
use super::asked::{Asked, POSITION, Warning};
use super::fault::{Fault, Outcome};
use super::query::FILTERS;
use super::shapes::{GameRow, Move, Ply, Position, Results, SCHEMA, one_move};

/// For positions that occur more often, ratings and games per move would take too long: rows would be looked at one by one.
pub(super) const RATED: u64 = 20_000;

/// A move that was played, or could have been and leads to a position that occurred.
#[derive(Serialize)]
pub(super) struct NextMove {
    #[serde(flatten)]
    pub(super) step: Move,
    pub(super) occurrences: u64,
    pub(super) games: u64,
    pub(super) results: Results,
    pub(super) rating: Option<u64>,
    hash: String,
    reached: u64,
    /// The first game with it.
    #[serde(skip)]
    pub(super) first: Option<u64>,
}

#[derive(Serialize)]
struct Explored {
    schema: u32,
    generation: u64,
    taken_as: &'static str,
    position: Position,
    line: Vec<Ply>,
    start: Option<Position>,
    occurrences: u64,
    game_count: u64,
    results: Results,
    moves: Vec<NextMove>,
    more_moves: usize,
    games: Vec<GameRow>,
    #[serde(rename = "nextCursor")]
    next_cursor: Option<String>,
    warnings: Vec<Warning>,
}

pub(super) fn explore(view: &Context<'_>, question: &Question) -> Outcome<Reply> {
    let query = &question.query;
    query.only(&[&POSITION, &FILTERS, &["moves", "games", "cursor"]])?;
    let (moves, games) = (query.number("moves", 50, 10_000)?, query.number("games", 15, 200)?);
    let profile = view.app.profile;
    let asked = view.reader().asked(query)?;
    let position = Position::of(&asked.now, profile)?;
    if question.accept.contains(CPN) {
        return Ok(Reply::text(CPN, position.cpn));
    }
    let filter = query.filter(asked.laws().as_deref())?;
    let hash = hash_of(&position)?;
    let ask = StoreQuestion::new(hash).filter(filter.clone()).games(games).after(query.cursor()?);
    let snapshot = &view.snapshot;
    let answer = snapshot.answer(&ask, &view.app.rules)?;
    let mut next = next_moves(view, &asked, &hash, &filter, &answer, moves)?;
    next.unplayed(view, &asked, &filter, moves)?;
    Reply::json(&Explored {
        schema: SCHEMA,
        generation: snapshot.generation(),
        taken_as: asked.taken_as,
        position,
        line: asked.line(profile)?,
        start: asked.start_position(profile)?,
        occurrences: answer.occurrences,
        game_count: answer.games,
        results: (&answer.results).into(),
        moves: next.moves,
        more_moves: next.more,
        games: GameRow::all(snapshot, &answer.list)?,
        next_cursor: answer.next.map(|cursor| cursor.to_string()),
        warnings: asked.warnings,
    })
}

/// The media type of a CPN.
const CPN: &str = "application/vnd.cpn+feen";

pub(super) fn hash_of(position: &Position) -> Outcome<Digest> {
    position.hash.parse().map_err(|_| Fault::internal("a hash is not a hash"))
}

/// The moves of a position.
pub(super) struct NextMoves {
    pub(super) moves: Vec<NextMove>,
    /// How many are left out.
    more: usize,
    /// All that were played.
    played: BTreeSet<StoredMove>,
}

/// What rows say about a move: a sum of ratings, how many, and in how many games it was played.
#[derive(Clone, Copy, Default)]
struct Rated {
    sum: u64,
    count: u64,
    games: u64,
    last_game: Option<u64>,
}

/// The moves that were played, the most frequent first and then by name.
pub(super) fn next_moves(
    view: &Context<'_>,
    asked: &Asked,
    hash: &Digest,
    filter: &Filter,
    answer: &Answer,
    limit: usize,
) -> Outcome<NextMoves> {
    let rated = rated(view, asked, hash, filter, answer)?;
    let mut lines: Vec<(String, &MoveLine)> = Vec::with_capacity(answer.moves.len());
    for line in &answer.moves {
        if let Some(step) = &line.next {
            lines.push((step.to_string(), line));
        }
    }
    lines.sort_by(|(a, left), (b, right)| right.count().cmp(&left.count()).then_with(|| a.cmp(b)));
    let more = lines.len().saturating_sub(limit);
    let mut moves = Vec::with_capacity(lines.len().min(limit));
    for (_, line) in lines.iter().take(limit) {
        let Some(step) = &line.next else { continue };
        let (shown, after) = after(view, asked, step, line.first)?;
        let reached = reached(view, &after, filter)?;
        let rows = rated.get(step).copied().unwrap_or_default();
        moves.push(NextMove {
            step: shown,
            occurrences: line.count(),
            games: if rated.is_empty() { line.count() } else { rows.games },
            results: (&line.results).into(),
            rating: rows.sum.checked_div(rows.count),
            hash: after.to_string(),
            reached: reached.max(line.count()),
            first: Some(line.first.0),
        });
    }
    let played = answer.moves.iter().filter_map(|line| line.next.clone()).collect();
    Ok(NextMoves { moves, more, played })
}

/// Ratings of those who played each move, unless that would take too long.
fn rated(
    view: &Context<'_>,
    asked: &Asked,
    hash: &Digest,
    filter: &Filter,
    answer: &Answer,
) -> Outcome<BTreeMap<StoredMove, Rated>> {
    let mut rated: BTreeMap<StoredMove, Rated> = BTreeMap::new();
    if answer.occurrences == 0 || answer.occurrences > RATED {
        return Ok(rated);
    }
    let is_white = is_white_to_move(asked);
    view.snapshot.each_occurrence(hash, filter, |posting, _, row| {
        let Some(step) = posting.next_move() else { return };
        let entry = rated.entry(step).or_default();
        let rating = if is_white { row.white_rating } else { row.black_rating };
        entry.sum += u64::from(rating);
        entry.count += u64::from(rating > 0);
        entry.games += u64::from(entry.last_game != Some(posting.game()));
        entry.last_game = Some(posting.game());
    })?;
    Ok(rated)
}

fn is_white_to_move(asked: &Asked) -> bool {
    match &asked.now {
        Content::Infinite(game) => game.start.turn.to_move() == boardprint_base::Player::WHITE,
        Content::Finite(game) => game.start().fen().side() == boardprint_base::Side::Bottom,
        _ => true,
    }
}

/// How often a position occurred under a filter.
fn reached(view: &Context<'_>, hash: &Digest, filter: &Filter) -> Outcome<u64> {
    view.budget.check()?;
    Ok(view.snapshot.tally_filtered(hash, filter)?.occurrences())
}

/// A stored move as answers show it, and the hash of the position after it.
///
/// The move is played on the position. Where rights differ, because names of positions need not carry them, it may be illegal
/// there; then the game that has it tells.
fn after(
    view: &Context<'_>,
    asked: &Asked,
    step: &StoredMove,
    (game, ply): (u64, u32),
) -> Outcome<(Move, Digest)> {
    let profile = view.app.profile;
    if let Some(content) = one_move(&asked.now, step)
        && let Ok(hashes) = content.hashes(profile)
        && let Some(hash) = hashes.get(1)
    {
        return Ok((shown(&content), *hash));
    }
    let rules = &view.app.rules;
    let stored = view.snapshot.game(game)?;
    let content = rules.content(&stored).map_err(|why| Fault::internal(&why))?;
    let hashes = rules.hashes(&stored).map_err(|why| Fault::internal(&why))?;
    let missing = || Fault::internal(&format!("game {game} is shorter than its positions say"));
    let (hash, _) = hashes.get(ply as usize + 1).ok_or_else(missing)?;
    let there = content.at(ply as usize).map_err(|error| Fault::internal(&error.to_string()))?;
    let played = one_move(&there, step).ok_or_else(missing)?;
    Ok((shown(&played), *hash))
}

/// The only move of a content.
fn shown(content: &Content<'_>) -> Move {
    match content {
        Content::Infinite(game) => match game.moves.first() {
            Some(played) => Move::open(played, game.start.turn.to_move()),
            None => Move::none(),
        },
        Content::Finite(game) => match (game.start().board(), game.moves().first()) {
            (Ok(board), Some(played)) => Move::finite(&board, *played),
            _ => Move::none(),
        },
        _ => Move::none(),
    }
}

impl NextMoves {
    /// Adds legal moves that nobody played here and that lead to a position which occurred by another road. On the open
    /// board these are moves to single squares: rays have no end.
    fn unplayed(&mut self, view: &Context<'_>, asked: &Asked, filter: &Filter, limit: usize) -> Outcome<()> {
        /// On boards with more pieces nobody looks for them.
        const PIECES: usize = 100;
        if asked.open_game().is_some_and(|game| game.start.pieces.len() > PIECES) {
            return Ok(());
        }
        let Ok(legal) = asked.now.legal_moves() else { return Ok(()) };
        let mut found = Vec::new();
        for step in single_steps(&legal) {
            if self.played.contains(&step) {
                continue;
            }
            view.budget.check()?;
            let Some(content) = one_move(&asked.now, &step) else { continue };
            let Some(hash) = content.hashes(view.app.profile).ok().and_then(|hashes| hashes.get(1).copied())
            else {
                continue;
            };
            if view.snapshot.lookup(&hash)?.next().transpose()?.is_none() {
                continue;
            }
            let reached = reached(view, &hash, filter)?;
            if reached > 0 {
                let results = (&boardprint_store::db::Counts::default()).into();
                found.push(NextMove {
                    step: shown(&content),
                    occurrences: 0,
                    games: 0,
                    results,
                    rating: None,
                    hash: hash.to_string(),
                    reached,
                    first: None,
                });
            }
        }
        found.sort_by(|a, b| a.step.text.cmp(&b.step.text));
        let room = limit.saturating_sub(self.moves.len());
        self.more += found.len().saturating_sub(room);
        self.moves.extend(found.into_iter().take(room));
        Ok(())
    }
}

/// Legal moves to single squares, as the database has them.
fn single_steps(legal: &LegalMoves) -> Vec<StoredMove> {
    match legal {
        LegalMoves::Finite(_, moves) => {
            moves.iter().copied().map(FiniteMove::bits).map(StoredMove::Finite).collect()
        }
        LegalMoves::Open(moves) => moves
            .pieces()
            .iter()
            .flat_map(|piece| piece.single.iter().map(move |single| (&piece.piece.square, single)))
            .flat_map(|(from, single)| {
                let step =
                    |promotion| StoredMove::Infinite { from: from.clone(), to: single.to.clone(), promotion };
                if single.promotions.is_empty() {
                    vec![step(None)]
                } else {
                    single.promotions.iter().copied().map(|kind| step(Some(kind))).collect()
                }
            })
            .collect(),
        _ => Vec::new(),
    }
}
