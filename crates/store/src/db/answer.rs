//! Answers: everything about one position, confirmed. Whoever asks prints them.

use std::collections::{BTreeMap, BinaryHeap};
use std::str::FromStr;

use boardprint_base::Digest;

use super::columns::Row;
use super::counts::{Counts, Summary};
use super::error::{Error, Result};
use super::filter::{Filter, Side};
use super::game::StoredMove;
use super::posting::{Posting, Prefix};
use super::replay::Replay;
use super::snapshot::{NextMove, Snapshot, Tally};
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

    /// Whether mean ratings are wanted: the row of every game is looked at.
    #[must_use]
    pub fn ratings(self, ratings: bool) -> Self {
        self.ratings_up_to(if ratings { u64::MAX } else { 0 })
    }

    /// Mean ratings are wanted, unless the position occurs more often than this.
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
    /// A game with the position, in which all twenty bytes of the hash were compared; `None` if the position never occurred.
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
    /// In how many games it was played, if ratings were asked for.
    pub games: Option<u64>,
    /// The mean rating of those who played it, or of both players, if it was asked for.
    pub mean_rating: Option<u16>,
    /// The first game with it, and the ply of the position there.
    pub first: (u64, u32),
}

impl From<NextMove> for MoveLine {
    fn from(next: NextMove) -> Self {
        let NextMove { next, results, first } = next;
        MoveLine { next, results, games: None, mean_rating: None, first }
    }
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

/// A sum of ratings.
#[derive(Clone, Copy, Default)]
struct Mean {
    sum: u64,
    count: u64,
}

impl Mean {
    fn add(&mut self, rating: u16) {
        self.sum += u64::from(rating);
        self.count += u64::from(rating > 0);
    }

    fn get(self) -> Option<u16> {
        self.sum.checked_div(self.count).and_then(|mean| u16::try_from(mean).ok())
    }
}

/// What rows say of the games with a move.
#[derive(Default)]
struct Followed {
    mean: Mean,
    games: u64,
    last: Option<u64>,
}

/// What rows say of the games with a position.
#[derive(Default)]
struct Ratings {
    mover: Option<Side>,
    all: Mean,
    /// By packed move; the empty one is the end of the game.
    by_move: BTreeMap<Box<[u8]>, Followed>,
}

impl Ratings {
    fn add(&mut self, visit: &Visit) {
        let Visit { posting, again, row } = visit;
        if !again {
            self.all.add(row.mean_rating());
        }
        let rating = match self.mover {
            Some(Side::White) => row.white_rating,
            Some(Side::Black) => row.black_rating,
            None => row.mean_rating(),
        };
        posting.with_step(|step| {
            if !self.by_move.contains_key(step) {
                self.by_move.insert(step.into(), Followed::default());
            }
            if let Some(followed) = self.by_move.get_mut(step) {
                followed.mean.add(rating);
                followed.games += u64::from(followed.last != Some(posting.game()));
                followed.last = Some(posting.game());
            }
        });
    }

    fn fill(self, answer: &mut Answer) {
        answer.mean_rating = self.all.get();
        let named = |(step, followed): (Box<[u8]>, Followed)| (StoredMove::unpack(&step), followed);
        let by_move: BTreeMap<Option<StoredMove>, Followed> = self.by_move.into_iter().map(named).collect();
        for line in &mut answer.moves {
            if let Some(followed) = by_move.get(&line.next) {
                (line.mean_rating, line.games) = (followed.mean.get(), Some(followed.games));
            }
        }
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
        let (tally, ratings) = self.tally_with_ratings(question)?;
        (answer.games, answer.occurrences, answer.results) =
            (tally.games, tally.occurrences(), tally.results);
        answer.moves = tally.moves.into_iter().map(MoveLine::from).collect();
        if answer.occurrences == 0 {
            return Ok(answer);
        }
        if answer.occurrences <= question.rated {
            ratings.fill(&mut answer);
        }
        (answer.list, answer.next) = self.game_lines(question)?;
        Ok(answer)
    }

    /// How games went on, and what their rows say of ratings. Both come from one look at the occurrences where they are looked at anyway.
    fn tally_with_ratings(&self, question: &Question) -> Result<(Tally, Ratings)> {
        let mut ratings = Ratings { mover: question.mover, ..Ratings::default() };
        if !question.filter.is_empty() {
            let mut sum = Summary::new(Prefix::of(&question.hash));
            for visit in self.visits(&question.hash, &question.filter, 0)? {
                let visit = visit?;
                sum.count(&visit.posting, visit.again);
                ratings.add(&visit);
            }
            return Ok((sum.into_tally(), ratings));
        }
        let tally = self.tally(&question.hash)?;
        if tally.occurrences() <= question.rated {
            for visit in self.visits(&question.hash, &question.filter, 0)? {
                ratings.add(&visit?);
            }
        }
        Ok((tally, ratings))
    }

    fn witness(&self, hash: &Digest, replay: &dyn Replay) -> Result<Option<Witness>> {
        let Some(first) = self.lookup(hash)?.next().transpose()? else { return Ok(None) };
        let (game, ply) = (first.game(), first.ply());
        let text = self.confirm(game, ply, hash, replay)?;
        Ok(text.map(|text| Witness { game, ply, text }))
    }

    /// The hash of the position after a move, and how often that occurred by any road in games that pass; `None` where games ended.
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
        let mut found = match question.order {
            Order::Number => self.first_games(question)?,
            Order::Rating | Order::Date | Order::Plies => self.best_games(question)?,
        };
        let next = if found.len() > question.games {
            found.truncate(question.games);
            found.last().map(|listed| Cursor { key: listed.key, game: listed.game })
        } else {
            None
        };
        let lines = found.into_iter().map(|Listed { game, row, plies, .. }| self.line_of(game, row, plies));
        Ok((lines.collect::<Result<_>>()?, next))
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
        let key = |row: &Row| match question.order {
            Order::Rating => u32::from(row.mean_rating()),
            Order::Date | Order::Number => row.date,
            Order::Plies => row.plies,
        };
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
            if heap.len() > question.games + 1
                && let Some((_, gone)) = heap.pop()
            {
                found.remove(&gone);
            }
        }
        let sorted = heap.into_sorted_vec().into_iter();
        Ok(sorted.filter_map(|(_, game)| found.remove(&game)).collect())
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
mod tests {
    use super::super::visits::tests::{Rules, game};
    use super::super::{Batch, Db, Options};
    use super::*;

    #[test]
    fn a_game_that_comes_back_to_a_position_is_listed_once_with_every_ply() {
        let db = Db::in_memory(Options::default()).unwrap();
        let games = (0..9).map(game).collect();
        db.ingest(Batch { games, ..Batch::default() }, &Rules, None).unwrap();
        let snapshot = db.snapshot();
        let question = Question::new(Digest::of(b"start"));
        for order in [Order::Number, Order::Date] {
            for wanted in [1, 3, 8, 20] {
                let question = question.clone().order(order).games(wanted);
                let (list, next) = snapshot.game_lines(&question).unwrap();
                let found: Vec<(u64, Vec<u32>)> =
                    list.into_iter().map(|line| (line.game, line.plies)).collect();
                let plies = |game: u64| if game.is_multiple_of(3) { vec![0, 2] } else { vec![0] };
                let expected: Vec<_> = (0..9).take(wanted).map(|game| (game, plies(game))).collect();
                assert_eq!(found, expected, "{order:?}, {wanted}");
                assert_eq!(next.is_some(), wanted < 9, "{order:?}, {wanted}");
            }
        }
    }
}
