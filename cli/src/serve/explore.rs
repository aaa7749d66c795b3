//! A position: what it is, what was played, who played it.

use boardprint_finite::Move as FiniteMove;
use boardprint_games::LegalMoves;
use boardprint_store::db::{Counts, Filter, Question as StoreQuestion, StoredMove};

use super::app::{Context, Question, Reply};
use super::fault::Outcome;
use super::position::POSITION;
use super::query::FILTERS;
use crate::answers::{Explored, Move, NextMove, NextNamer, mover};
use crate::asked::Asked;

/// For positions that occur more often, ratings and games per move would take too long: rows would be looked
/// at one by one.
pub(super) const RATED: u64 = 20_000;

pub(super) fn explore(view: &Context<'_>, question: &Question) -> Outcome<Reply> {
    let query = &question.query;
    query.only(&[&POSITION, &FILTERS, &["moves", "games", "cursor"]])?;
    let (moves, games) = (query.number("moves", 50, 10_000)?, query.number("games", 15, 200)?);
    let asked = view.asked(query)?;
    let position = view.position(&asked.now)?;
    if question.accept == CPN {
        return Ok(Reply::text(CPN, position.cpn));
    }
    let filter = query.filter(asked.now.laws().as_deref())?;
    let ask = StoreQuestion::new(position.hash).filter(filter.clone()).games(games).after(query.cursor()?);
    let ask = ask.ratings_up_to(RATED).mover(mover(&asked.now));
    let answer = view.snapshot.answer(&ask, &view.app.rules)?;
    let mut explored = view.shower().explored(&asked, position, &filter, &answer, moves)?;
    let played: Vec<&StoredMove> = answer.moves.iter().filter_map(|line| line.next.as_ref()).collect();
    explored.add(unplayed(view, &asked, &filter, &played)?, moves);
    Reply::json(&explored)
}

/// The media type of a CPN.
pub(super) const CPN: &str = "application/vnd.cpn+feen";

/// Legal moves that nobody played here and that lead to a position that occurred by another route. On the
/// open board these are moves to single squares: rays have no end.
fn unplayed(
    view: &Context<'_>,
    asked: &Asked,
    filter: &Filter,
    played: &[&StoredMove],
) -> Outcome<Vec<NextMove>> {
    /// On boards with more pieces nobody looks for them.
    const PIECES: usize = 100;
    if asked.open_game().is_some_and(|game| game.start.pieces.len() > PIECES) {
        return Ok(Vec::new());
    }
    let Ok(legal) = asked.now.legal_moves_with(&view.app.reading.pieces) else { return Ok(Vec::new()) };
    let mut namer = NextNamer::new(&asked.now, view.app.profile);
    let mut found = Vec::new();
    for step in single_steps(&legal) {
        if played.contains(&&step) {
            continue;
        }
        view.budget.check()?;
        let Some(hash) = namer.after(&step) else { continue };
        let reached = view.snapshot.occurrences(&hash, filter)?;
        if reached > 0 {
            found.push(NextMove {
                step: Move::stored(&asked.now, &step),
                occurrences: 0,
                games: 0,
                results: (&Counts::default()).into(),
                rating: None,
                hash: Some(hash),
                reached,
                first: None,
            });
        }
    }
    found.sort_by(|a, b| a.step.text.cmp(&b.step.text));
    Ok(found)
}

impl Explored {
    /// Adds moves that were not played, as far as there is room.
    fn add(&mut self, unplayed: Vec<NextMove>, limit: usize) {
        let room = limit.saturating_sub(self.moves.len());
        self.more_moves += unplayed.len().saturating_sub(room);
        self.moves.extend(unplayed.into_iter().take(room));
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
