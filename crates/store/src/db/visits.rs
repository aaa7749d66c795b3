//! Occurrences of a position in games that pass a filter.
//!
//! Usually every occurrence is looked at, and the row of its game. Where a position occurs very often and few games pass, the games
//! that pass are found first, from the rows alone, and then the position is looked up in each of them. Which games those are is kept for
//! the last few filters: one page asks about a position, its moves and its games with the same filter.

use std::sync::{Arc, Mutex, PoisonError};

use boardprint_base::Digest;

use super::budget::Steps;
use super::columns::{Columns, Row};
use super::error::Result;
use super::filter::{Filter, Matcher};
use super::posting::Posting;
use super::snapshot::{Occurrences, Snapshot};

/// Positions that occur less often are looked through. Tests do with fewer.
const OFTEN: u64 = if cfg!(test) { 100 } else { 20_000 };
/// Finding a game's occurrences costs as much as looking through so many: a block is read for it.
const SEEK: u64 = if cfg!(test) { 4 } else { 512 };
/// If more games pass, occurrences are looked through.
const MOST_GAMES: usize = 1 << 16;
/// For so many filters it is kept which games pass.
const FILTERS: usize = 8;

/// Which games passed a filter in a state of the database; `None` if they are too many to be named.
type Games = Option<Arc<[u64]>>;

/// The games that passed the last few filters, the last one first.
#[derive(Default)]
pub(crate) struct PassingGames(Mutex<Vec<(u64, Filter, Games)>>);

impl PassingGames {
    fn get(&self, generation: u64, filter: &Filter) -> Option<Games> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = known.iter().position(|(state, of, _)| *state == generation && of == filter)?;
        known[..=place].rotate_right(1);
        Some(known[0].2.clone())
    }

    fn put(&self, generation: u64, filter: &Filter, games: &Games) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(0, (generation, filter.clone(), games.clone()));
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
    matcher: Matcher,
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
        let matcher = self.matcher(filter)?;
        let games = self.few_games(position, filter, &matcher)?;
        let games = games.map(|games| {
            let next = games.partition_point(|game| *game < from);
            (games, next)
        });
        Ok(Visits {
            snapshot: self,
            position: *position,
            matcher,
            columns: Columns::new(self.engine()),
            found: if games.is_none() { Some(self.lookup_from(position, from)?) } else { None },
            games,
            last: None,
        })
    }

    /// The games that pass, if the position is found sooner in each of them than by looking through all of its occurrences.
    fn few_games(&self, position: &Digest, filter: &Filter, matcher: &Matcher) -> Result<Games> {
        if filter.is_empty() {
            return Ok(None);
        }
        let occurrences = self.tally(position)?.occurrences();
        if occurrences < OFTEN {
            return Ok(None);
        }
        let generation = self.generation();
        let games = match self.passing().get(generation, filter) {
            Some(games) => games,
            None => {
                let games = self.passing_games(matcher)?;
                self.passing().put(generation, filter, &games);
                games
            }
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
                match self.next_game()? {
                    true => continue,
                    false => return Ok(None),
                }
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
                self.last = Some((game, row, self.matcher.passes(&row)));
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
mod tests {
    use boardprint_base::{GameResult, Tag};

    use super::super::{Batch, Db, GameKind, Moves, NewGame, Options, Origin, Replay, StoredGame};
    use super::*;

    struct Rules;

    impl Replay for Rules {
        fn identity(&self, game: &StoredGame) -> std::result::Result<Vec<u8>, String> {
            Ok(game.extra.to_vec())
        }

        fn positions(&self, _: &StoredGame, _: &mut dyn FnMut(&[u8])) -> std::result::Result<(), String> {
            Err("nobody plays these games".to_owned())
        }
    }

    /// Every game begins alike; every third one comes back to its start.
    fn game(number: u32) -> NewGame {
        let player = if number % 50 == 7 { "rare" } else { "frequent" };
        let game = StoredGame {
            kind: GameKind::Infinite,
            tags: vec![Tag { name: "White".into(), value: player.into() }],
            result: GameResult::ALL[number as usize % 4],
            start: "K0,0|k5,9".into(),
            moves: Moves::none(GameKind::Infinite),
            source: Origin::default(),
            extra: number.to_le_bytes().into(),
        };
        let (start, own) = (Digest::of(b"start"), Digest::of(&number.to_le_bytes()));
        let mut positions = vec![(start, 0), (own, 1)];
        if number % 3 == 0 {
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
            let matcher = snapshot.matcher(&filter).unwrap();
            let games = snapshot.few_games(&start, &filter, &matcher).unwrap();
            assert_eq!(games.is_some(), few, "{filter:?}");
            for from in [0, 58, 599, 1_000] {
                let visits = snapshot.visits(&start, &filter, from).unwrap().map(Result::unwrap);
                let found: Vec<_> =
                    visits.map(|visit| (visit.posting.game(), visit.posting.ply(), visit.again)).collect();
                let all = snapshot.lookup_from(&start, from).unwrap().map(Result::unwrap);
                let passes = |posting: &Posting| matcher.passes(&snapshot.row(posting.game()).unwrap());
                let expected =
                    all.filter(passes).map(|posting| (posting.game(), posting.ply(), posting.ply() > 0));
                assert_eq!(found, expected.collect::<Vec<_>>(), "{filter:?} from {from}");
            }
        }
    }
}
