//! Occurrences of a position in games that pass a filter.
//!
//! Usually every occurrence is looked at, and the row of its game. Where a position occurs very often and few games pass, the games
//! that pass are found first, from the rows alone, and then the position is looked up in each of them. What a filter means is kept for
//! the last few: one page asks about a position, its moves and its games with the same filter.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use boardprint_base::Digest;

use super::budget::Steps;
use super::columns::{Columns, Row};
use super::error::Result;
use super::filter::{Filter, Matcher};
use super::posting::Posting;
use super::snapshot::{Occurrences, Snapshot};

/// Positions that occur less often are looked through. Tests do with fewer.
const OFTEN: u64 = if cfg!(test) { 100 } else { 20_000 };
/// Finding a game's occurrences costs as much as looking through this many: a block is read for it.
const SEEK: u64 = if cfg!(test) { 4 } else { 512 };
/// If more games pass, occurrences are looked through.
const MOST_GAMES: usize = 1 << 16;
/// It is remembered for this many filters which games pass.
const FILTERS: usize = 8;

/// Which games pass; `None` if they are too many to be named.
type Games = Option<Arc<[u64]>>;

/// What a filter means in a state of the database.
pub(crate) struct Passing {
    generation: u64,
    filter: Filter,
    pub(crate) matcher: Matcher,
    /// The games that pass, once somebody needed them.
    games: OnceLock<Games>,
}

/// The last few filters, the last one first.
#[derive(Default)]
pub(crate) struct Filters(Mutex<Vec<Arc<Passing>>>);

impl Filters {
    fn get(&self, generation: u64, filter: &Filter) -> Option<Arc<Passing>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |passing: &Arc<Passing>| passing.generation == generation && passing.filter == *filter;
        let place = known.iter().position(is_it)?;
        known[..=place].rotate_right(1);
        Some(Arc::clone(&known[0]))
    }

    fn put(&self, passing: &Arc<Passing>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(0, Arc::clone(passing));
        known.truncate(FILTERS);
    }
}

/// An occurrence of a position in a game that passes.
pub(crate) struct Visit {
    pub(crate) posting: Posting,
    /// Whether the game came before.
    pub(crate) again: bool,
    pub(crate) row: Row,
}

/// Occurrences of a position in games that pass, by game and ply.
pub(crate) struct Visits<'a> {
    snapshot: &'a Snapshot,
    position: Digest,
    passing: Arc<Passing>,
    columns: Columns,
    found: Option<Occurrences>,
    /// The games to look the position up in, from the first that is left; without them, `found` has them all.
    games: Option<(Arc<[u64]>, usize)>,
    /// The game of the last occurrence, and whether it passes.
    last: Option<(u64, Row, bool)>,
}

impl Snapshot {
    /// The occurrences of a position in games that pass, from a game on.
    pub(crate) fn visits(&self, position: &Digest, filter: &Filter, from: u64) -> Result<Visits<'_>> {
        let passing = self.passing(filter)?;
        let games = self.few_games(position, &passing)?;
        let games = games.map(|games| {
            let next = games.partition_point(|game| *game < from);
            (games, next)
        });
        Ok(Visits {
            snapshot: self,
            position: *position,
            passing,
            columns: Columns::new(self.engine()),
            found: if games.is_none() { Some(self.lookup_from(position, from)?) } else { None },
            games,
            last: None,
        })
    }

    /// What a filter means here.
    pub(crate) fn passing(&self, filter: &Filter) -> Result<Arc<Passing>> {
        let generation = self.generation();
        if let Some(passing) = self.filters().get(generation, filter) {
            return Ok(passing);
        }
        let matcher = Matcher::new(filter, &**self.engine(), self.manifest())?;
        let (filter, games) = (filter.clone(), OnceLock::new());
        let passing = Arc::new(Passing { generation, filter, matcher, games });
        self.filters().put(&passing);
        Ok(passing)
    }

    /// The games that pass, if the position is found sooner in each of them than by looking through all of its occurrences.
    fn few_games(&self, position: &Digest, passing: &Passing) -> Result<Games> {
        if passing.filter.is_empty() {
            return Ok(None);
        }
        let occurrences = self.all_occurrences(position)?;
        if occurrences < OFTEN {
            return Ok(None);
        }
        let games = if let Some(games) = passing.games.get() {
            games.clone()
        } else {
            let games = self.passing_games(&passing.matcher)?;
            passing.games.get_or_init(|| games).clone()
        };
        Ok(games.filter(|games| games.len() as u64 * SEEK < occurrences))
    }

    fn passing_games(&self, matcher: &Matcher) -> Result<Games> {
        let mut columns = Columns::new(self.engine());
        let mut steps = Steps::of(self.budget());
        let mut games = Vec::new();
        for game in 0..self.next_game() {
            steps.step()?;
            if matcher.passes(&columns.row(game)?) {
                if games.len() == MOST_GAMES {
                    return Ok(None);
                }
                games.push(game);
            }
        }
        Ok(Some(games.into()))
    }
}

impl Visits<'_> {
    fn step(&mut self) -> Result<Option<Visit>> {
        loop {
            let Some(posting) = self.found.as_mut().and_then(Iterator::next).transpose()? else {
                if self.next_game()? {
                    continue;
                }
                return Ok(None);
            };
            let game = posting.game();
            let again = self.last.as_ref().is_some_and(|(last, _, _)| *last == game);
            if !again {
                // Where the position is looked up game by game, the next one is as good as the end.
                if self.games.as_ref().is_some_and(|(games, next)| games.get(next - 1) != Some(&game)) {
                    self.found = None;
                    continue;
                }
                let row = self.columns.row(game)?;
                self.last = Some((game, row, self.passing.matcher.passes(&row)));
            }
            if let Some((_, row, true)) = self.last {
                return Ok(Some(Visit { posting, again, row }));
            }
        }
    }

    /// Goes to the next game in which the position is looked up; whether there is one.
    fn next_game(&mut self) -> Result<bool> {
        let Some((games, next)) = &mut self.games else { return Ok(false) };
        let Some(game) = games.get(*next) else { return Ok(false) };
        *next += 1;
        self.found = Some(self.snapshot.lookup_from(&self.position, *game)?);
        Ok(true)
    }
}

impl Iterator for Visits<'_> {
    type Item = Result<Visit>;

    fn next(&mut self) -> Option<Result<Visit>> {
        self.step().transpose()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use boardprint_base::GameResult;

    use super::super::{Batch, Db, GameKind, Moves, NewGame, Options, Origin, Replay, StoredGame, Tags};
    use super::*;

    pub(crate) struct Rules;

    impl Replay for Rules {
        fn identity(&self, game: &StoredGame) -> std::result::Result<Vec<u8>, String> {
            Ok(game.extra.to_vec())
        }

        fn positions(&self, _: &StoredGame, _: &mut dyn FnMut(&[u8])) -> std::result::Result<(), String> {
            Err("nobody plays these games".to_owned())
        }
    }

    /// Every game begins alike; every third one comes back to its start.
    pub(crate) fn game(number: u32) -> NewGame {
        let player = if number % 50 == 7 { "rare" } else { "frequent" };
        let game = StoredGame {
            kind: GameKind::Infinite,
            tags: Tags::from_iter([("White", player)]),
            result: GameResult::ALL[number as usize % 4],
            start: "K0,0|k5,9".into(),
            moves: Moves::none(GameKind::Infinite),
            source: Origin::default(),
            extra: number.to_le_bytes().into(),
        };
        let (start, own) = (Digest::of(b"start"), Digest::of(&number.to_le_bytes()));
        let mut positions = vec![(start, 0), (own, 1)];
        if number.is_multiple_of(3) {
            positions.push((start, 2));
        }
        NewGame { game, hash: own, positions, laws: None }
    }

    #[test]
    fn few_games_are_found_as_by_looking_through_all() {
        let db = Db::in_memory(Options::default()).unwrap();
        for part in 0..4 {
            let games = (part * 150..(part + 1) * 150).map(game).collect();
            db.ingest(Batch { games, ..Batch::default() }, &Rules, None).unwrap();
        }
        let snapshot = db.snapshot();
        let start = Digest::of(b"start");
        let filter =
            |player: &str, result| Filter { player: Some(player.to_owned()), result, ..Filter::default() };
        for (filter, few) in [
            (filter("rare", None), true),
            (filter("rare", Some(GameResult::Draw)), true),
            (filter("nobody", None), true),
            (filter("frequent", None), false),
        ] {
            let passing = snapshot.passing(&filter).unwrap();
            let games = snapshot.few_games(&start, &passing).unwrap();
            assert_eq!(games.is_some(), few, "{filter:?}");
            for from in [0, 58, 599, 1_000] {
                let visits = snapshot.visits(&start, &filter, from).unwrap().map(Result::unwrap);
                let found: Vec<_> =
                    visits.map(|visit| (visit.posting.game(), visit.posting.ply(), visit.again)).collect();
                let all = snapshot.lookup_from(&start, from).unwrap().map(Result::unwrap);
                let passes =
                    |posting: &Posting| passing.matcher.passes(&snapshot.row(posting.game()).unwrap());
                let expected =
                    all.filter(passes).map(|posting| (posting.game(), posting.ply(), posting.ply() > 0));
                assert_eq!(found, expected.collect::<Vec<_>>(), "{filter:?} from {from}");
            }
        }
    }
}
