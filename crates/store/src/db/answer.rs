//! Answers: everything about one position, confirmed. Whoever asks prints them.

use std::collections::{BTreeMap, BinaryHeap};
use std::str::FromStr;
use std::sync::Arc;

use boardprint_base::Digest;

use super::columns::Row;
use super::counts::{Counts, Summary};
use super::error::{Error, Result};
use super::filter::{Filter, Side};
use super::game::StoredMove;
use super::manifest::Manifest;
use super::orders::Place;
use super::posting::Posting;
use super::replay::Replay;
use super::snapshot::{RatingsWanted, Snapshot};
use super::visits::Visit;

/// What is asked about a position.
#[derive(Clone, Debug)]
pub struct Question {
    hash: Digest,
    filter: Filter,
    order: Order,
    games: usize,
    after: Option<Cursor>,
    rated: u64,
    mover: Option<Side>,
}

impl Question {
    /// All moves and the first twenty games, without ratings.
    #[must_use]
    pub fn new(hash: Digest) -> Self {
        Question {
            hash,
            filter: Filter::default(),
            order: Order::Number,
            games: 20,
            after: None,
            rated: 0,
            mover: None,
        }
    }

    /// Which games count.
    #[must_use]
    pub fn filter(mut self, filter: Filter) -> Self {
        self.filter = filter;
        self
    }

    /// The order of the games.
    #[must_use]
    pub fn order(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    /// How many games to list.
    #[must_use]
    pub fn games(mut self, games: usize) -> Self {
        self.games = games;
        self
    }

    /// Lists games after this place, which an earlier answer gave.
    #[must_use]
    pub fn after(mut self, cursor: Option<Cursor>) -> Self {
        self.after = cursor;
        self
    }

    /// Whether mean ratings are wanted.
    #[must_use]
    pub fn ratings(self, ratings: bool) -> Self {
        self.ratings_up_to(if ratings { u64::MAX } else { 0 })
    }

    /// Mean ratings are wanted. Where they were not counted ahead, every game is looked at, unless the
    /// position occurs more often than this.
    #[must_use]
    pub fn ratings_up_to(mut self, occurrences: u64) -> Self {
        self.rated = occurrences;
        self
    }

    /// Who is to move: the rating of a move is then that of those who played it, else that of both players.
    #[must_use]
    pub fn mover(mut self, side: Option<Side>) -> Self {
        self.mover = side;
        self
    }
}

/// The order of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// By number: as they came in.
    #[default]
    Number,
    /// The highest mean rating first.
    Rating,
    /// The newest first.
    Date,
    /// The longest first.
    Plies,
}

/// Where a list of games goes on. Its text can be handed to users.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    pub(crate) key: u32,
    pub(crate) game: u64,
}

impl std::fmt::Display for Cursor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.key, self.game)
    }
}

impl FromStr for Cursor {
    type Err = &'static str;

    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        let parts =
            text.split_once('-').and_then(|(key, game)| Some((key.parse().ok()?, game.parse().ok()?)));
        parts.map(|(key, game)| Cursor { key, game }).ok_or("not a place in a list of games")
    }
}

/// Everything about a position.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The hash that was asked for.
    pub hash: Digest,
    /// A game with the position, in which all twenty bytes of the hash were compared; `None` if the position
    /// never occurred.
    pub witness: Option<Witness>,
    /// How many games that pass have the position.
    pub games: u64,
    /// How often it occurred in them.
    pub occurrences: u64,
    /// How they ended, for each occurrence.
    pub results: Counts,
    /// The mean of the mean ratings of games that have any, if it was asked for.
    pub mean_rating: Option<u16>,
    /// The moves that followed, the most frequent first.
    pub moves: Vec<MoveLine>,
    /// Games with the position.
    pub list: Vec<GameLine>,
    /// Where the list goes on; `None` at its end.
    pub next: Option<Cursor>,
}

/// A game that has a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// Its number.
    pub game: u64,
    /// The ply of the position.
    pub ply: u32,
    /// The text that tells the position from others; its SHA-1 is the hash.
    pub text: Vec<u8>,
}

/// A move that followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveLine {
    /// The move; `None` where games ended.
    pub next: Option<StoredMove>,
    /// How the games with it ended, for each occurrence.
    pub results: Counts,
    /// In how many games it was played; a game may have it several times.
    pub games: u64,
    /// The mean rating of those who played it, or of both players, if it was asked for.
    pub mean_rating: Option<u16>,
    /// The first game with it, and the ply of the position there.
    pub first: (u64, u32),
}

impl MoveLine {
    /// How often it was played.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.results.total()
    }
}

/// A game in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameLine {
    /// Its number.
    pub game: u64,
    /// The plies at which it has the position.
    pub plies: Vec<u32>,
    /// The first player.
    pub white: Option<Box<str>>,
    /// The second player.
    pub black: Option<Box<str>>,
    /// The laws, unless they are the usual ones.
    pub laws: Option<Box<str>>,
    /// The source file.
    pub source: Box<str>,
    /// Date, ratings, result and the rest.
    pub row: Row,
}

/// Looking a position up in a game costs as much as looking at this many of its occurrences. Tests do with
/// less.
const LOOK: u64 = if cfg!(test) { 1 } else { 64 };

/// A list of games by number in a state of their tags.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ListKey {
    hash: Digest,
    from: u64,
    games: usize,
    retagged: u64,
    forgotten: u64,
}

/// A list with as many games as were wanted, and at least one more beyond it. Games that come in do not
/// change it: their numbers are higher.
pub(crate) struct FullList {
    lines: Vec<GameLine>,
    next: Option<Cursor>,
    /// The first game that is not on it.
    beyond: u64,
}

/// A game on its way into a list.
struct Listed {
    /// What the list is sorted by.
    key: u32,
    game: u64,
    row: Row,
    /// Where it has the position.
    plies: Vec<u32>,
}

impl Listed {
    fn new(key: u32, posting: &Posting, row: Row) -> Self {
        Listed { key, game: posting.game(), row, plies: vec![posting.ply()] }
    }
}

impl Snapshot {
    /// Answers a question. The position is confirmed by replaying one game.
    ///
    /// # Errors
    ///
    /// If a block is damaged, or the game cannot be replayed.
    pub fn answer(&self, question: &Question, replay: &dyn Replay) -> Result<Answer> {
        let hash = question.hash;
        let mut answer = Answer {
            hash,
            witness: self.witness(&hash, replay)?,
            games: 0,
            occurrences: 0,
            results: Counts::default(),
            mean_rating: None,
            moves: Vec::new(),
            list: Vec::new(),
            next: None,
        };
        if answer.witness.is_none() {
            return Ok(answer);
        }
        let (sum, has_ratings) = self.sum_of(question)?;
        answer.games = sum.games;
        if has_ratings {
            answer.mean_rating = sum.ratings.get();
        }
        for (step, counts) in sum.moves {
            answer.results.add_all(&counts.results);
            answer.moves.push(MoveLine {
                next: StoredMove::unpack(&step),
                results: counts.results,
                games: counts.games,
                mean_rating: if has_ratings { counts.ratings.mean(question.mover) } else { None },
                first: counts.first,
            });
        }
        answer.moves.sort_by(|a, b| b.count().cmp(&a.count()).then_with(|| a.next.cmp(&b.next)));
        answer.occurrences = answer.results.total();
        if answer.occurrences > 0 {
            (answer.list, answer.next) = self.game_lines(question)?;
        }
        Ok(answer)
    }

    /// What is counted of the games that pass, and whether their ratings are all among it.
    fn sum_of(&self, question: &Question) -> Result<(Summary, bool)> {
        if question.filter.is_empty() {
            let mut wanted = RatingsWanted::new(self.engine(), question.rated);
            let is_wanted = question.rated > 0;
            let sum = self.summary(&question.hash, is_wanted.then_some(&mut wanted))?;
            return Ok((sum, is_wanted && wanted.all_known));
        }
        let sum = self.passing_summary(&question.hash, &question.filter)?;
        Ok((sum, question.rated > 0))
    }

    fn witness(&self, hash: &Digest, replay: &dyn Replay) -> Result<Option<Witness>> {
        let Some((game, ply)) = self.first_occurrence(hash)? else { return Ok(None) };
        let text = self.confirm(game, ply, hash, replay)?;
        Ok(text.map(|text| Witness { game, ply, text }))
    }

    /// The hash of the position after a move, and how often that occurred by any road in games that pass;
    /// `None` where games ended.
    ///
    /// # Errors
    ///
    /// If a block is damaged, or the first game with the move cannot be replayed.
    pub fn after_move(
        &self,
        line: &MoveLine,
        filter: &Filter,
        replay: &dyn Replay,
    ) -> Result<Option<(Digest, u64)>> {
        let (id, ply) = line.first;
        if line.next.is_none() {
            return Ok(None);
        }
        let text = replay.position(&*self.game(id)?, ply + 1).map_err(|why| Error::Replay { id, why })?;
        let Some(text) = text else { return Ok(None) };
        let hash = replay.hash(&text);
        Ok(Some((hash, self.occurrences(&hash, filter)?)))
    }

    /// The games that are listed, and where the list goes on.
    fn game_lines(&self, question: &Question) -> Result<(Vec<GameLine>, Option<Cursor>)> {
        if question.games == 0 {
            return Ok((Vec::new(), None));
        }
        let kept = self.kept_list(question);
        if let Some(list) = kept.and_then(|key| self.lists().get(key))
            && list.beyond < self.next_game()
        {
            return Ok((list.lines.clone(), list.next));
        }
        let mut found = match question.order {
            Order::Number => self.first_games(question)?,
            Order::Rating | Order::Date | Order::Plies => self.best_games(question)?,
        };
        let beyond = found.get(question.games).map(|listed| listed.game);
        let next = if found.len() > question.games {
            found.truncate(question.games);
            found.last().map(|listed| Cursor { key: listed.key, game: listed.game })
        } else {
            None
        };
        let lines = found.into_iter().map(|Listed { game, row, plies, .. }| self.line_of(game, row, plies));
        let lines: Vec<GameLine> = lines.collect::<Result<_>>()?;
        if let (Some(key), Some(beyond)) = (kept, beyond) {
            let plies: usize = lines.iter().map(|line| line.plies.len()).sum();
            let weight = lines.len() * size_of::<GameLine>() * 2 + plies * size_of::<u32>();
            self.lists().put(key, Arc::new(FullList { lines: lines.clone(), next, beyond }), weight);
        }
        Ok((lines, next))
    }

    /// The name of a list that is worth keeping: all games, by number.
    fn kept_list(&self, question: &Question) -> Option<ListKey> {
        let is_kept = question.filter.is_empty() && question.order == Order::Number;
        let from = question.after.map_or(0, |cursor| cursor.game.saturating_add(1));
        let Manifest { retagged, forgotten, .. } = *self.manifest();
        is_kept.then_some(ListKey { hash: question.hash, from, games: question.games, retagged, forgotten })
    }

    /// One game more than is wanted, by number.
    fn first_games(&self, question: &Question) -> Result<Vec<Listed>> {
        let mut found: Vec<Listed> = Vec::new();
        let from = question.after.map_or(0, |cursor| cursor.game.saturating_add(1));
        for visit in self.visits(&question.hash, &question.filter, from)? {
            let Visit { posting, again, row } = visit?;
            if again {
                found.last_mut().into_iter().for_each(|listed| listed.plies.push(posting.ply()));
            } else if found.len() > question.games {
                break;
            } else {
                found.push(Listed::new(0, &posting, row));
            }
        }
        Ok(found)
    }

    /// One game more than is wanted, by rating or date, the highest first and then by number.
    fn best_games(&self, question: &Question) -> Result<Vec<Listed>> {
        if question.filter.is_empty()
            && let Some(found) = self.best_from_the_top(question)?
        {
            return Ok(found);
        }
        let key = |row: &Row| question.order.key(row);
        // The heap gives the greatest, which is the one to go: the lowest key, the highest number.
        let mut heap: BinaryHeap<(std::cmp::Reverse<u32>, u64)> = BinaryHeap::new();
        let mut found: BTreeMap<u64, Listed> = BTreeMap::new();
        for visit in self.visits(&question.hash, &question.filter, 0)? {
            let Visit { posting, again, row } = visit?;
            if again {
                if let Some(listed) = found.get_mut(&posting.game()) {
                    listed.plies.push(posting.ply());
                }
                continue;
            }
            let place = (std::cmp::Reverse(key(&row)), posting.game());
            let before = question.after.is_some_and(|at| place <= (std::cmp::Reverse(at.key), at.game));
            let beyond = heap.len() > question.games && heap.peek().is_some_and(|worst| place > *worst);
            if before || beyond {
                continue;
            }
            heap.push(place);
            found.insert(posting.game(), Listed::new(key(&row), &posting, row));
            if heap.len() - 1 > question.games
                && let Some((_, gone)) = heap.pop()
            {
                found.remove(&gone);
            }
        }
        let sorted = heap.into_sorted_vec().into_iter();
        Ok(sorted.filter_map(|(_, game)| found.remove(&game)).collect())
    }

    /// As [`Snapshot::best_games`], from all games in their order; `None` if nobody keeps that, or if looking
    /// at all occurrences takes less.
    fn best_from_the_top(&self, question: &Question) -> Result<Option<Vec<Listed>>> {
        let occurrences = self.all_occurrences(&question.hash)?;
        let (wanted, games) = ((question.games as u64).saturating_add(1), self.next_game());
        // So many games are looked at if those with the position are like the others.
        let expected = wanted.saturating_mul(games) / occurrences.max(1);
        if expected.saturating_mul(LOOK) >= occurrences {
            return Ok(None);
        }
        let Some(sorted) = self.in_order(question.order)? else { return Ok(None) };
        let is_before = |place: &Place| {
            let at = question.after.map(|after| (std::cmp::Reverse(after.key), after.game));
            at.is_some_and(|at| (place.0, u64::from(place.1)) <= at)
        };
        let rest = &sorted[sorted.partition_point(is_before)..];
        let mut found: Vec<Listed> = Vec::new();
        for (looked, (key, game)) in (0..).zip(rest) {
            if found.len() as u64 == wanted {
                break;
            }
            // They are not like the others.
            if looked > expected.saturating_mul(4).max(occurrences / LOOK) {
                return Ok(None);
            }
            let game = u64::from(*game);
            if game >= games {
                continue;
            }
            for posting in self.lookup_from(&question.hash, game)? {
                let posting = posting?;
                match found.last_mut() {
                    _ if posting.game() != game => break,
                    Some(listed) if listed.game == game => listed.plies.push(posting.ply()),
                    _ => found.push(Listed::new(key.0, &posting, self.row(game)?)),
                }
            }
        }
        Ok(Some(found))
    }

    /// A game as a line of a list, without a position; `None` if it was forgotten.
    ///
    /// # Errors
    ///
    /// If there is no such game, or the index is damaged.
    pub fn game_line_of(&self, game: u64) -> Result<Option<GameLine>> {
        let row = self.row(game)?;
        if row.forgotten { Ok(None) } else { self.line(game, row).map(Some) }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::posting::Prefix;
    use super::super::visits::tests::{Rules, game};
    use super::super::{Batch, Db, NewGame, Options};
    use super::*;

    /// A game with ratings, a date and moves, as far as its number says so.
    pub(crate) fn rated(number: u32, shift: u32) -> NewGame {
        let mut game = game(number);
        let tags = game.game.tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
        let mut tags: Vec<(String, String)> = tags.collect();
        let rating = |n: u32| (1_500 + n * 37 % 900).to_string();
        if !(number + shift).is_multiple_of(4) {
            tags.push(("WhiteElo".to_owned(), rating(number)));
        }
        if !(number + shift).is_multiple_of(3) {
            tags.push(("BlackElo".to_owned(), rating(number + 5)));
        }
        if !number.is_multiple_of(5) {
            tags.push(("Date".to_owned(), format!("20{:02}.01.01", number % 40)));
        }
        game.game.tags = tags.iter().map(|(name, value)| (&**name, &**value)).collect();
        game
    }

    pub(crate) fn put(db: &Db, games: impl Iterator<Item = NewGame>) {
        db.ingest(Batch { games: games.collect(), ..Batch::default() }, &Rules, None).unwrap();
    }

    /// What the postings and rows say, one by one.
    fn looked_at(snapshot: &Snapshot, position: &Digest) -> Summary {
        let mut sum = Summary::new(Prefix::of(position));
        for posting in snapshot.lookup(position).unwrap() {
            let posting = posting.unwrap();
            sum.count(&posting, snapshot.row(posting.game()).unwrap().ratings());
        }
        sum
    }

    /// What was counted ahead, and whether ratings are among it.
    fn counted(snapshot: &Snapshot, position: &Digest, up_to: u64) -> (Summary, bool) {
        let mut wanted = RatingsWanted::new(snapshot.engine(), up_to);
        let sum = snapshot.summary(position, Some(&mut wanted)).unwrap();
        (sum, wanted.all_known)
    }

    #[test]
    fn ratings_that_were_counted_ahead_are_those_of_the_games() {
        let db = Db::in_memory(Options::default().counts_from(20)).unwrap();
        let start = Digest::of(b"start");
        for part in 0..4 {
            put(&db, (part * 150..(part + 1) * 150).map(|number| rated(number, 0)));
        }
        let check = |runs: usize, rated_before: usize, unrated: usize| {
            let snapshot = db.snapshot();
            let manifest = snapshot.manifest();
            let found = (manifest.runs.postings.len(), manifest.rated_before.len(), manifest.unrated.len());
            assert_eq!(found, (runs, rated_before, unrated));
            let (sum, all_known) = counted(&snapshot, &start, u64::MAX);
            assert!(all_known);
            let expected = looked_at(&snapshot, &start);
            assert!(expected.ratings.get().is_some_and(|mean| mean > 1_500));
            assert_eq!(sum, expected);
            // Nobody looks at games unless counts have no ratings.
            assert_eq!(counted(&snapshot, &start, 0).1, unrated == 0);
            let distinct = snapshot.export_positions().count() as u64;
            assert!(snapshot.distinct_positions().is_none_or(|positions| positions == distinct));
            assert_eq!(snapshot.distinct_positions().is_some(), runs == 1);
        };
        check(4, 0, 0);
        // Copies that know the ratings of games that had none.
        put(&db, (0..40).map(|number| rated(number, 1)));
        let few = db.snapshot().manifest().rated_before.len();
        assert!((10..40).contains(&few), "{few}");
        check(4, few, 0);
        put(&db, (0..40).map(|number| rated(number, 2)));
        check(4, db.snapshot().manifest().rated_before.len(), 0);
        put(&db, (100..500).map(|number| rated(number, 1)));
        check(4, 0, 4);
        // One batch with games of its own, and copies of them that say more.
        put(&db, (600..700).chain(600..700).zip(0..).map(|(number, place)| rated(number, place / 100)));
        check(5, 0, 4);
        db.settle(&Rules).unwrap();
        check(1, 0, 0);
        put(&db, (500..530).map(|number| rated(number, 1)));
        let few = db.snapshot().manifest().rated_before.len();
        assert!(few > 0);
        check(1, few, 0);
        let db = db.compact().unwrap();
        let snapshot = db.snapshot();
        assert_eq!(counted(&snapshot, &start, 0), (looked_at(&snapshot, &start), true));
        assert!(snapshot.manifest().rated_before.is_empty());
    }

    #[test]
    fn games_that_are_kept_in_order_are_listed_as_by_looking_at_all() {
        let db = Db::in_memory(Options::default()).unwrap();
        let start = Digest::of(b"start");
        let pages = |db: &Db| {
            let snapshot = db.snapshot();
            let mut pages = Vec::new();
            for order in [Order::Rating, Order::Date, Order::Plies] {
                let (mut after, mut count) = (None, 0);
                loop {
                    let question = Question::new(start).order(order).games(7).after(after);
                    let (list, next) = snapshot.game_lines(&question).unwrap();
                    let page = snapshot.list(&Filter::default(), order, after, 7).unwrap();
                    pages.push((list, next, page.games, page.next, page.total));
                    (after, count) = (next, count + 1);
                    if next.is_none() || count == 60 {
                        break;
                    }
                }
            }
            pages
        };
        put(&db, (0..300).map(|number| rated(number, 0)));
        assert!(!db.snapshot().keeps_orders());
        let looked_at = pages(&db);
        assert!(looked_at.len() > 100);
        assert!(db.keep_orders().unwrap());
        assert!(!db.keep_orders().unwrap(), "there is nothing left to do");
        assert_eq!(pages(&db), looked_at);
        // A view from before the next games does not show them.
        let before = db.snapshot();
        put(&db, (300..420).map(|number| rated(number, 0)));
        assert!(db.snapshot().keeps_orders());
        let question = Question::new(start).order(Order::Rating).games(500);
        assert_eq!(db.snapshot().game_lines(&question).unwrap().0.len(), 420);
        assert_eq!(before.list(&Filter::default(), Order::Rating, None, 500).unwrap().games.len(), 300);
        assert_eq!(before.game_lines(&question).unwrap().0.len(), 300);
        let with_new = pages(&db);
        // Other tags may mean another order.
        put(&db, (0..9).map(|number| rated(number, 1)));
        assert!(!db.snapshot().keeps_orders());
        let looked_at = pages(&db);
        assert_ne!(looked_at, with_new);
        assert!(db.keep_orders().unwrap());
        assert_eq!(pages(&db), looked_at);
    }

    #[test]
    fn what_is_kept_of_first_games_is_that_of_each_view() {
        let db = Db::in_memory(Options::default()).unwrap();
        let (start, fifth) = (Digest::of(b"start"), Digest::of(&5_u32.to_le_bytes()));
        let list = |snapshot: &Snapshot, games: usize, after: Option<Cursor>| {
            let question = Question::new(start).games(games).after(after);
            let (lines, next) = snapshot.game_lines(&question).unwrap();
            (lines.iter().map(|line| line.game).collect::<Vec<_>>(), next)
        };
        put(&db, (0..3).map(|number| rated(number, 0)));
        let before = db.snapshot();
        put(&db, (3..10).map(|number| rated(number, 0)));
        let now = db.snapshot();
        // Whoever asks first, each view has its own games.
        for _ in 0..2 {
            let (games, next) = list(&now, 3, None);
            assert_eq!((games, next.is_some()), (vec![0, 1, 2], true));
            assert_eq!(list(&now, 4, next).0, [3, 4, 5, 6]);
            assert_eq!(list(&before, 3, None), (vec![0, 1, 2], None));
            assert_eq!(list(&before, 4, next), (vec![], None));
            assert_eq!(now.first_occurrence(&fifth).unwrap(), Some((5, 1)));
            assert_eq!(before.first_occurrence(&fifth).unwrap(), None);
            assert_eq!(before.first_occurrence(&start).unwrap(), Some((0, 0)));
        }
        let rating = |snapshot: &Snapshot| {
            let (lines, _) = snapshot.game_lines(&Question::new(start).games(3)).unwrap();
            lines[0].row.white_rating
        };
        assert_eq!(rating(&now), 0);
        // A copy knows more.
        put(&db, (0..1).map(|number| rated(number, 1)));
        assert_eq!(rating(&db.snapshot()), 1_500);
    }

    #[test]
    fn an_older_view_does_not_say_which_newer_games_pass() {
        let start = Digest::of(b"start");
        let filter = Filter { min_rating: Some(1), ..Filter::default() };
        let games = |snapshot: &Snapshot, position| snapshot.tally_filtered(position, &filter).unwrap().games;
        let filled = |count: u32| {
            let db = Db::in_memory(Options::default()).unwrap();
            put(&db, (0..count).map(|number| rated(number, 1)));
            db
        };
        let [some, all] = [600, 1_200].map(|count| games(&filled(count).snapshot(), &start));
        assert!(0 < some && some < all);
        let db = filled(600);
        let before = db.snapshot();
        put(&db, (600..1_200).map(|number| rated(number, 1)));
        let now = db.snapshot();
        // So few occurrences that no bits are made; then the older view wants them.
        let nowhere = Digest::of(b"nowhere");
        assert_eq!(games(&now, &nowhere), 0);
        assert_eq!(games(&before, &start), some);
        assert_eq!(games(&now, &start), all);
        assert_eq!(games(&before, &start), some);
    }

    #[test]
    fn a_game_that_comes_back_to_a_position_is_listed_once_with_every_ply() {
        let db = Db::in_memory(Options::default()).unwrap();
        let games = (0..9).map(game).collect();
        db.ingest(Batch { games, ..Batch::default() }, &Rules, None).unwrap();
        let snapshot = db.snapshot();
        let question = Question::new(Digest::of(b"start"));
        for order in [Order::Number, Order::Date] {
            for wanted in [1, 3, 8, 20, usize::MAX] {
                let question = question.clone().order(order).games(wanted);
                let (list, next) = snapshot.game_lines(&question).unwrap();
                let found: Vec<(u64, Vec<u32>)> =
                    list.into_iter().map(|line| (line.game, line.plies)).collect();
                let plies = |game: u64| if game.is_multiple_of(3) { vec![0, 2] } else { vec![0] };
                let expected: Vec<_> = (0..9).take(wanted).map(|game| (game, plies(game))).collect();
                assert_eq!(found, expected, "{order:?}, {wanted}");
                assert_eq!(next.is_some(), wanted < 9, "{order:?}, {wanted}");
                let list = snapshot.list(&Filter::default(), order, None, wanted).unwrap();
                assert_eq!((list.games.len(), list.next.is_some()), (wanted.min(9), wanted < 9), "{order:?}");
            }
        }
    }
}
