//! Occurrences of a position in games that pass a filter.
//!
//! Where few occurrences are looked at, so is the row of each game. As soon as that would take longer than
//! reading all rows once, all are read, and from then on it is known of every game whether it passes: one
//! bit. Where a position occurs very often and few games pass, it is looked up in each of these games. What a
//! filter means is kept for the last few, and so is what was counted for it in a run, which never changes:
//! one page asks about a position, its moves and its games with the same filter, and games that come in
//! change neither.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use boardprint_base::Digest;

use super::budget::Steps;
use super::columns::{Columns, Row, for_each_row};
use super::counts::{Counter, Summary};
use super::error::Result;
use super::filter::{Filter, Matcher};
use super::manifest::Manifest;
use super::posting::{Posting, Prefix};
use super::ratings::Ratings;
use super::recent::Recent;
use super::run::{Entry as _, Run};
use super::snapshot::{Occurrences, Snapshot};

/// Finding a game's occurrences costs as much as looking through this many: a block is read for it.
const SEEK: u64 = if cfg!(test) { 4 } else { 512 };
/// Looking at the row of some game costs as much as reading this many rows that lie side by side.
const ROW: u64 = 256;
/// Of more games there are no bits: 16 MB per filter.
const MOST_GAMES: u64 = 1 << 27;
/// Of more games no ratings are kept: four bytes per game. Tests do with fewer.
const MOST_RATINGS: u64 = if cfg!(test) { 500 } else { 1 << 23 };
/// It is remembered for this many filters which games pass.
const FILTERS: usize = 8;

/// A position in a run, which is told from others by its number and its length.
type Part = (u32, u64, Prefix);

/// What a filter means in a state of the database.
pub(crate) struct Passing {
    state: State,
    filter: Filter,
    pub(crate) matcher: Matcher,
    /// How many rows were looked at one by one.
    looked: AtomicU64,
    /// The games that pass, once somebody needed them.
    games: OnceLock<Arc<Games>>,
    /// What was counted before.
    counted: Arc<Counted>,
}

/// What decides which games pass: games and their tags.
#[derive(Clone, Copy, PartialEq, Eq)]
struct State {
    next_game: u64,
    retagged: u64,
    forgotten: u64,
}

impl State {
    fn of(manifest: &Manifest) -> Self {
        let Manifest { next_game, retagged, forgotten, .. } = *manifest;
        State { next_game, retagged, forgotten }
    }

    /// Whether the games of another state are among those of this one, with the same tags. Games that came
    /// later do not matter: whoever does not know them does not ask for them.
    fn includes(&self, other: &State) -> bool {
        other.next_game <= self.next_game && self.same_tags(other)
    }

    fn same_tags(&self, other: &State) -> bool {
        (self.retagged, self.forgotten) == (other.retagged, other.forgotten)
    }
}

/// Which games pass: a bit for each.
#[derive(Clone, Default)]
struct Games {
    bits: Vec<u64>,
    count: u64,
}

impl Games {
    fn add(&mut self, game: u64) {
        let word = usize::try_from(game / 64).unwrap_or(usize::MAX);
        if word >= self.bits.len() {
            self.bits.resize(word + 1, 0);
        }
        self.bits[word] |= 1 << (game % 64);
        self.count += 1;
    }

    #[inline]
    fn has(&self, game: u64) -> bool {
        let word = usize::try_from(game / 64).ok().and_then(|word| self.bits.get(word));
        word.is_some_and(|word| word >> (game % 64) & 1 == 1)
    }

    /// The first game that passes, from one on.
    fn next(&self, from: u64) -> Option<u64> {
        let first = usize::try_from(from / 64).ok()?;
        let mut word = self.bits.get(first)? & (u64::MAX << (from % 64));
        let mut place = first;
        while word == 0 {
            place += 1;
            word = *self.bits.get(place)?;
        }
        Some(place as u64 * 64 + u64::from(word.trailing_zeros()))
    }
}

/// What was counted of positions in runs, of the games that pass.
struct Counted {
    occurrences: Recent<Part, u64>,
    sums: Recent<Part, Arc<Summary>>,
}

impl Default for Counted {
    fn default() -> Self {
        // In numbers, and in bytes, roughly: half a megabyte each, with both halves.
        Counted { occurrences: Recent::new(1 << 12), sums: Recent::new(1 << 18) }
    }
}

/// The last few filters, the last one first, and the ratings of all games, which the answers to most of them
/// show.
#[derive(Default)]
pub(crate) struct Filters {
    known: Mutex<Vec<Arc<Passing>>>,
    ratings: Mutex<Option<(State, Arc<[Ratings]>)>>,
}

impl Filters {
    /// What a filter means in a state, or in one before or after it with the same tags.
    fn get(&self, state: &State, filter: &Filter) -> Option<Arc<Passing>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |passing: &Arc<Passing>| passing.filter == *filter && passing.state.same_tags(state);
        let place = known.iter().position(is_it)?;
        known[..=place].rotate_right(1);
        Some(Arc::clone(&known[0]))
    }

    fn put(&self, passing: &Arc<Passing>) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|other| other.filter != passing.filter || !other.state.same_tags(&passing.state));
        known.insert(0, Arc::clone(passing));
        known.truncate(FILTERS);
    }
}

/// How occurrences in games that pass are found.
enum Way {
    /// The position is looked up in each game that passes.
    Games(Arc<Games>),
    /// All occurrences are looked through, with a bit for each game.
    Bits(Arc<Games>),
    /// All occurrences are looked through, and the rows of their games.
    Rows,
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
    way: Way,
    columns: Columns,
    found: Option<Occurrences>,
    /// Where the position is looked up in each game: the last one, and where to look for the next.
    game: u64,
    next: u64,
    /// The game of the last occurrence, with its row if it passes.
    last: Option<(u64, Option<Row>)>,
}

impl Snapshot {
    /// The occurrences of a position in games that pass, from a game on.
    pub(crate) fn visits(&self, position: &Digest, filter: &Filter, from: u64) -> Result<Visits<'_>> {
        let passing = self.passing(filter)?;
        let way = self.way(position, &passing)?;
        self.visits_on(way, position, passing, from)
    }

    fn visits_on(&self, way: Way, position: &Digest, passing: Arc<Passing>, from: u64) -> Result<Visits<'_>> {
        let found = if let Way::Games(_) = way { None } else { Some(self.lookup_from(position, from)?) };
        let (snapshot, position, columns) = (self, *position, Columns::new(self.engine()));
        Ok(Visits { snapshot, position, passing, way, columns, found, game: 0, next: from, last: None })
    }

    /// What is counted of a position in games that pass.
    pub(crate) fn passing_summary(&self, position: &Digest, filter: &Filter) -> Result<Summary> {
        let prefix = Prefix::of(position);
        let passing = self.passing(filter)?;
        let mut sum = Summary::new(prefix);
        let games = match self.way(position, &passing)? {
            Way::Bits(games) => games,
            way => {
                for visit in self.visits_on(way, position, passing, 0)? {
                    let visit = visit?;
                    sum.count(&visit.posting, visit.row.ratings());
                }
                return Ok(sum);
            }
        };
        for run in &self.manifest().runs.postings {
            let part = (run.id, run.entries, prefix);
            let counts = if let Some(known) = passing.counted.sums.get(part) {
                known
            } else {
                let counts = Arc::new(self.count_passing(run, prefix, &games)?);
                passing.counted.sums.put(part, Arc::clone(&counts), counts.weight());
                counts
            };
            sum.absorb(Summary::clone(&counts));
        }
        Ok(sum)
    }

    /// What is counted of a position in games of a run that pass.
    fn count_passing(&self, run: &Run, prefix: Prefix, games: &Games) -> Result<Summary> {
        let known = if self.next_game() <= MOST_RATINGS { self.ratings()? } else { Arc::default() };
        let mut columns = Columns::new(self.engine());
        let mut counter = Counter::new(prefix);
        self.for_each_in(run, prefix, 0, |posting| {
            let game = posting.game();
            if games.has(game) {
                let ratings = usize::try_from(game).ok().and_then(|game| known.get(game).copied());
                let ratings = match ratings {
                    Some(ratings) => ratings,
                    None => columns.row(game)?.ratings(),
                };
                counter.count(posting, ratings);
            }
            Ok(true)
        })?;
        Ok(counter.into_summary())
    }

    /// How often a position occurs in games that pass.
    pub(crate) fn passing_occurrences(&self, position: &Digest, filter: &Filter) -> Result<u64> {
        let prefix = Prefix::of(position);
        let passing = self.passing(filter)?;
        let games = match self.way(position, &passing)? {
            Way::Bits(games) => games,
            way => {
                let mut visits = self.visits_on(way, position, passing, 0)?;
                return visits.try_fold(0, |count, visit| visit.map(|_| count + 1));
            }
        };
        let mut total = 0;
        for run in &self.manifest().runs.postings {
            let part = (run.id, run.entries, prefix);
            if let Some(known) = passing.counted.occurrences.get(part) {
                total += known;
                continue;
            }
            let mut count = 0;
            self.for_each_in(run, prefix, 0, |posting| {
                count += u64::from(games.has(posting.game()));
                Ok(true)
            })?;
            passing.counted.occurrences.put(part, count, 1);
            total += count;
        }
        Ok(total)
    }

    /// What a filter means here.
    pub(crate) fn passing(&self, filter: &Filter) -> Result<Arc<Passing>> {
        // What is kept from here on takes no steps.
        self.check_budget()?;
        let state = State::of(self.manifest());
        let before = self.filters().get(&state, filter);
        if let Some(passing) = before.as_ref().filter(|passing| passing.state.includes(&state)) {
            return Ok(Arc::clone(passing));
        }
        let matcher = Matcher::new(filter, &**self.engine(), self.manifest())?;
        let games = OnceLock::new();
        let mut counted = Arc::default();
        if let Some(before) = before {
            // Games came in since: those before pass as they did.
            if let Some(known) = before.games.get() {
                let mut known = Games::clone(known);
                self.add_passing(&matcher, before.state.next_game, &mut known)?;
                games.get_or_init(|| Arc::new(known));
            }
            counted = Arc::clone(&before.counted);
        }
        let (filter, looked) = (filter.clone(), AtomicU64::new(0));
        let passing = Arc::new(Passing { state, filter, matcher, looked, games, counted });
        self.filters().put(&passing);
        Ok(passing)
    }

    /// How the occurrences of a position in games that pass are found soonest.
    fn way(&self, position: &Digest, passing: &Passing) -> Result<Way> {
        if passing.filter.is_empty() {
            return Ok(Way::Rows);
        }
        let occurrences = self.all_occurrences(position)?;
        let Some(games) = self.passing_games(passing, occurrences)? else { return Ok(Way::Rows) };
        let is_rare = games.count.saturating_mul(SEEK) < occurrences;
        Ok(if is_rare { Way::Games(games) } else { Way::Bits(games) })
    }

    /// The games that pass, unless that costs more than looking at so many rows one by one.
    fn passing_games(&self, passing: &Passing, rows: u64) -> Result<Option<Arc<Games>>> {
        if let Some(games) = passing.games.get() {
            return Ok(Some(Arc::clone(games)));
        }
        let looked = passing.looked.fetch_add(rows, Ordering::Relaxed).saturating_add(rows);
        let all = self.next_game();
        if all > MOST_GAMES || looked < all / ROW {
            return Ok(None);
        }
        let mut games = Games::default();
        if let Err(error) = self.add_passing(&passing.matcher, 0, &mut games) {
            // Whoever has no time for all rows looks at a few the next time.
            passing.looked.store(0, Ordering::Relaxed);
            return Err(error);
        }
        let games = Arc::new(games);
        // An older view has fewer games than the state.
        if State::of(self.manifest()) == passing.state {
            passing.games.get_or_init(|| Arc::clone(&games));
        }
        Ok(Some(games))
    }

    /// Adds the games that pass, from one on. Whoever reads all rows takes the ratings along, if nobody has
    /// them.
    fn add_passing(&self, matcher: &Matcher, from: u64, games: &mut Games) -> Result<()> {
        let takes_ratings = from == 0 && self.next_game() <= MOST_RATINGS && self.known_ratings().is_none();
        let mut ratings = takes_ratings.then(Vec::new);
        let mut steps = Steps::of(self.budget());
        for_each_row(&**self.engine(), from..self.next_game(), |game, row| {
            steps.step()?;
            if matcher.passes(row) {
                games.add(game);
            }
            if let Some(ratings) = &mut ratings {
                ratings.push(row.ratings());
            }
            Ok(())
        })?;
        if let Some(ratings) = ratings {
            self.keep_ratings(ratings);
        }
        Ok(())
    }

    /// The ratings of all games.
    fn ratings(&self) -> Result<Arc<[Ratings]>> {
        let mut all: Vec<Ratings> = match self.known_ratings() {
            Some(ratings) if ratings.len() as u64 >= self.next_game() => return Ok(ratings),
            Some(ratings) => ratings.to_vec(),
            None => Vec::new(),
        };
        let mut steps = Steps::of(self.budget());
        for_each_row(&**self.engine(), all.len() as u64..self.next_game(), |_, row| {
            steps.step()?;
            all.push(row.ratings());
            Ok(())
        })?;
        Ok(self.keep_ratings(all))
    }

    /// The ratings of games with these tags, perhaps not of all.
    fn known_ratings(&self) -> Option<Arc<[Ratings]>> {
        let known = self.filters().ratings.lock().unwrap_or_else(PoisonError::into_inner);
        let (state, ratings) = known.as_ref()?;
        state.same_tags(&State::of(self.manifest())).then(|| Arc::clone(ratings))
    }

    fn keep_ratings(&self, ratings: Vec<Ratings>) -> Arc<[Ratings]> {
        let ratings: Arc<[Ratings]> = ratings.into();
        let state = State::of(self.manifest());
        let mut known = self.filters().ratings.lock().unwrap_or_else(PoisonError::into_inner);
        *known = Some((state, Arc::clone(&ratings)));
        ratings
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
            let again = self.last.as_ref().is_some_and(|(last, _)| *last == game);
            if !again {
                // Where the position is looked up game by game, the next one is as good as the end.
                if matches!(self.way, Way::Games(_)) && game != self.game {
                    self.found = None;
                    continue;
                }
                let row = match &self.way {
                    Way::Bits(games) if !games.has(game) => None,
                    Way::Bits(_) | Way::Games(_) => Some(self.columns.row(game)?),
                    Way::Rows => Some(self.columns.row(game)?).filter(|row| self.passing.matcher.passes(row)),
                };
                self.last = Some((game, row));
            }
            if let Some((_, Some(row))) = self.last {
                return Ok(Some(Visit { posting, again, row }));
            }
        }
    }

    /// Goes to the next game in which the position is looked up; whether there is one.
    fn next_game(&mut self) -> Result<bool> {
        let Way::Games(games) = &self.way else { return Ok(false) };
        let Some(game) = games.next(self.next) else { return Ok(false) };
        self.snapshot.check_budget()?;
        (self.game, self.next) = (game, game + 1);
        self.found = Some(self.snapshot.lookup_from(&self.position, game)?);
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

    use super::super::answer::tests::{put, rated};
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
            let way = snapshot.way(&start, &passing).unwrap();
            assert_eq!(matches!(way, Way::Games(_)), few, "{filter:?}");
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

    #[test]
    fn what_is_counted_for_a_filter_is_what_its_games_say() {
        let db = Db::in_memory(Options::default()).unwrap();
        let start = Digest::of(b"start");
        let filters = [
            Filter { player: Some("rare".to_owned()), ..Filter::default() },
            Filter { result: Some(GameResult::Draw), ..Filter::default() },
            Filter { min_rating: Some(1_900), ..Filter::default() },
            Filter { since: Some(20_200_000), result: Some(GameResult::WhiteWins), ..Filter::default() },
        ];
        let check = |snapshot: &Snapshot, filter: &Filter| {
            let matcher = Matcher::new(filter, &**snapshot.engine(), snapshot.manifest()).unwrap();
            let mut sum = Summary::new(Prefix::of(&start));
            for posting in snapshot.lookup(&start).unwrap() {
                let posting = posting.unwrap();
                let row = snapshot.row(posting.game()).unwrap();
                if matcher.passes(&row) {
                    sum.count(&posting, row.ratings());
                }
            }
            assert!(sum.games > 0, "{filter:?}");
            // The second time what was counted the first time is known.
            for _ in 0..2 {
                assert_eq!(snapshot.passing_occurrences(&start, filter).unwrap(), sum.occurrences());
                assert_eq!(snapshot.passing_summary(&start, filter).unwrap(), sum, "{filter:?}");
            }
        };
        let mut before: Option<Snapshot> = None;
        for part in 0..5 {
            // The fourth batch has copies that know other ratings, the last one is merged with all others.
            let numbers = if part == 3 { 0..200 } else { part * 150..(part + 1) * 150 };
            put(&db, numbers.map(|number| rated(number, part / 3)));
            if part == 4 {
                db.settle(&Rules).unwrap();
            }
            let snapshot = db.snapshot();
            for filter in &filters {
                check(&snapshot, filter);
                // An older view with the same tags sees what it saw.
                if let Some(before) = before.as_ref().filter(|_| part != 3) {
                    check(before, filter);
                }
            }
            before = Some(snapshot);
        }
        let passing = db.snapshot().passing(&filters[1]).unwrap();
        assert!(passing.games.get().is_some_and(|games| games.count > 100), "bits were used");
    }
}
