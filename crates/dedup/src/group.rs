//! The decision shared by several machines: games that may be one are brought together by a key, and each
//! group is decided on its own.
//!
//! A [`Group`] gets the games of one [key](DedupOptions::group_key) in the order of the input and says of
//! each what the run over the whole collection would have said, because games of other keys never matter to
//! it. By prefix it also finds, for the [beginnings](DedupOptions::beginning_keys) of games, the games that
//! end there; [`Continuations`] follows such finds to the game that stays in the end.

use std::collections::BTreeMap;

use boardprint_base::Digest;
use boardprint_games::Identity;

use super::decide::Facts;
use super::table::Table;
use super::{Confidence, DedupOptions, Fingerprint, Keep};

/// A key that brings games together which may be one.
pub type GroupKey = [u64; 2];

impl DedupOptions {
    /// The key of a game. `None` if no other game can be the same: it is short, and its players or its date
    /// are unknown.
    #[must_use]
    pub fn group_key(&self, game: &Fingerprint) -> Option<GroupKey> {
        let table = Table::new(self.by, self.min_plies);
        table.lookup_key(table.key(game), game.plies, game)
    }

    /// By prefix, the keys of the games that a game may continue, with the half-moves that these have.
    #[must_use]
    pub fn beginning_keys(&self, game: &Fingerprint) -> Vec<(u32, GroupKey)> {
        let table = Table::new(self.by, self.min_plies);
        let mut keys = Vec::new();
        if let Some(line) = &game.line {
            line.each_key(|plies, key| {
                let key = table.lookup_key(key, plies, game).filter(|_| plies < game.plies);
                keys.extend(key.map(|key| (plies, key)));
            });
        }
        keys
    }

    /// Why two games are one, in the words of the report.
    #[must_use]
    pub fn reason(&self, confidence: Confidence) -> &'static str {
        self.by.reason(confidence)
    }
}

/// Games of one key. `at` is whatever tells games apart; it need not be dense.
///
/// ```
/// use boardprint_dedup::{DedupOptions, Facts, Group};
///
/// let game = Facts { plies: 30, ..Facts::default() };
/// let options = DedupOptions::default();
/// let mut group = Group::new(&options, [1, 2]);
/// group.add(17, &game);
/// group.add(40, &Facts { plies: 30, ..game });
/// let stays: Vec<u64> = group.finish().iter().map(|decided| decided.best).collect();
/// assert_eq!(stays, [17, 17]);
/// ```
pub struct Group<'o> {
    options: &'o DedupOptions,
    key: Digest,
    table: Table,
    games: Vec<Game>,
    /// The richest of the games that are one, by the first of them.
    best: BTreeMap<u32, u32>,
}

struct Game {
    at: u64,
    richness: u16,
    first: u32,
    confidence: Confidence,
    doubt: Option<(Confidence, u32)>,
}

/// What is decided about a game among those of its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decided {
    /// The game.
    pub at: u64,
    /// The first of the games that are one with it; itself if there is none before it.
    pub first: u64,
    /// How sure that is.
    pub confidence: Confidence,
    /// The one of them that stays.
    pub best: u64,
    /// How sure it is that this is the first.
    pub best_confidence: Confidence,
    /// How sure it is that a game which stays is another one that stays.
    pub doubt: Option<(Confidence, u64)>,
}

impl Decided {
    /// How sure it is that the game is the one that stays, if there is no longer one.
    #[must_use]
    pub fn settled_confidence(&self) -> Confidence {
        // A first game that gives way is as sure a copy as the one that stands for it.
        if self.at == self.first { self.confidence.min(self.best_confidence) } else { self.confidence }
    }
}

impl<'o> Group<'o> {
    /// A group without games.
    #[must_use]
    pub fn new(options: &'o DedupOptions, key: GroupKey) -> Self {
        let mut digest = [0; 20];
        digest[..8].copy_from_slice(&key[0].to_le_bytes());
        digest[8..16].copy_from_slice(&key[1].to_le_bytes());
        let table = Table::new(options.by, options.min_plies);
        Group { options, key: Digest(digest), table, games: Vec::new(), best: BTreeMap::new() }
    }

    /// Adds the next game in the order of the input.
    pub fn add(&mut self, at: u64, facts: &Facts) {
        let number = u32::try_from(self.games.len()).unwrap_or(u32::MAX);
        let print = self.print(facts);
        let found = self.table.find(&print);
        let mut game = Game {
            at,
            richness: facts.richness,
            first: number,
            confidence: Confidence::Certain,
            doubt: None,
        };
        match found {
            Some(found) if found.confidence >= self.options.min_confidence => {
                (game.first, game.confidence) = (found.game, found.confidence);
                if self.options.keep == Keep::Richest {
                    let best = self.best.entry(found.game).or_insert(found.game);
                    if facts.richness > self.games[*best as usize].richness {
                        *best = number;
                    }
                }
            }
            found => {
                game.doubt = found.map(|found| (found.confidence, found.game));
                self.table.insert(&print, number);
            }
        }
        self.games.push(game);
    }

    /// The game that another one continues, and how sure that is. To be asked when all games have been added.
    #[must_use]
    pub fn continued_by(&self, plies: u32, facts: &Facts) -> Option<(u64, Confidence)> {
        let print = self.print(facts);
        let found = self.table.look_up(self.table.key(&print), plies, &print)?;
        Some((self.games[found.game as usize].at, found.confidence))
    }

    /// What is decided, in the order of the input.
    #[must_use]
    pub fn finish(&self) -> Vec<Decided> {
        let at = |game: u32| self.games[game as usize].at;
        let best = |first: u32| self.best.get(&first).copied().unwrap_or(first);
        let decided = self.games.iter().map(|game| Decided {
            at: game.at,
            first: at(game.first),
            confidence: game.confidence,
            best: at(best(game.first)),
            best_confidence: self.games[best(game.first) as usize].confidence,
            doubt: game.doubt.map(|(confidence, other)| (confidence, at(best(other)))),
        });
        decided.collect()
    }

    /// A fingerprint that has the key of the group.
    fn print(&self, facts: &Facts) -> Fingerprint {
        let Facts { plies, players, date, richness } = *facts;
        let (digest, text) = (self.key, Identity::default());
        Fingerprint { digest, text, line: None, plies, players, date, richness }
    }
}

/// Games that are beginnings of others, each with the game that continues it best.
#[derive(Clone, Debug, Default)]
pub struct Continuations(BTreeMap<u64, (u64, Confidence)>);

impl Continuations {
    /// A game is continued by another.
    pub fn insert(&mut self, game: u64, by: u64, confidence: Confidence) {
        self.0.insert(game, (by, confidence));
    }

    /// For each beginning the game that stays in the end, and how sure that is: a chain is as sure as its
    /// weakest link.
    pub fn settled(&self) -> impl Iterator<Item = (u64, u64, Confidence)> {
        self.0.iter().map(|(game, (by, confidence))| {
            let (mut stand, mut confidence) = (*by, *confidence);
            for _ in 0..Self::MAX_STEPS {
                let Some((next, link)) = self.0.get(&stand) else { return (*game, stand, confidence) };
                (stand, confidence) = (*next, confidence.min(*link));
            }
            (*game, *game, Confidence::Certain)
        })
    }

    /// A continuation is longer, so following ends soon, unless somebody made games with the same keys.
    const MAX_STEPS: usize = 64;
}

#[cfg(test)]
mod tests {
    use boardprint_records::{Input, Reader, ReaderOptions};
    use proptest::prelude::*;

    use super::*;
    use crate::tests::{Taken, game, run_on};
    use crate::{By, Collection, Games as _};

    type Pairs = Vec<(u64, u64, Confidence)>;

    /// Pairs of dropped games and of doubts, found as several machines would find them.
    fn shared(text: &str, options: &DedupOptions) -> (Pairs, Pairs) {
        let reader = Reader::new([Input::text(text)], ReaderOptions::default().cut_text(true));
        let prints: Vec<(u64, Fingerprint)> = reader
            .filter_map(Result::ok)
            .filter_map(|record| {
                Some((record.number, Collection::default().fingerprint(&record, options.by).ok()?))
            })
            .collect();
        let mut groups: BTreeMap<GroupKey, Vec<&(u64, Fingerprint)>> = BTreeMap::new();
        let mut decided: BTreeMap<u64, Decided> = BTreeMap::new();
        let sure = Confidence::Certain;
        for print in &prints {
            let at = print.0;
            if let Some(key) = options.group_key(&print.1) {
                groups.entry(key).or_default().push(print);
            } else {
                let (first, best, doubt) = (at, at, None);
                let alone = Decided { at, first, best, confidence: sure, best_confidence: sure, doubt };
                decided.insert(at, alone);
            }
        }
        let mut made = BTreeMap::new();
        for (key, games) in groups {
            let mut group = Group::new(options, key);
            for (at, print) in games {
                group.add(*at, &print.into());
            }
            decided.extend(group.finish().into_iter().map(|game| (game.at, game)));
            made.insert(key, group);
        }
        // The best continuation: the surest, then the longest, then the first.
        let mut best: BTreeMap<u64, (Confidence, u32, std::cmp::Reverse<u64>)> = BTreeMap::new();
        for (at, print) in prints.iter().filter(|(at, _)| decided[at].first == *at) {
            for (plies, key) in options.beginning_keys(print) {
                let found = made.get(&key).and_then(|group| group.continued_by(plies, &print.into()));
                let Some((beginning, confidence)) = found else { continue };
                let other = (confidence, print.plies, std::cmp::Reverse(*at));
                let known = best.entry(beginning).or_insert(other);
                *known = other.max(*known);
            }
        }
        let (mut links, mut doubts) = (Continuations::default(), BTreeMap::new());
        for (game, (confidence, _, by)) in best {
            if confidence >= options.min_confidence {
                links.insert(game, by.0, confidence);
            } else {
                doubts.insert(game, (confidence, by.0));
            }
        }
        let roots: BTreeMap<u64, (u64, Confidence)> =
            links.settled().map(|(game, root, confidence)| (game, (root, confidence))).collect();
        let stand = |game: &Decided| match roots.get(&game.first) {
            None => (game.best, game.settled_confidence()),
            Some((root, chain)) => (decided[root].best, game.settled_confidence().min(*chain)),
        };
        let (mut dropped, mut doubtful) = (Pairs::new(), Pairs::new());
        for game in decided.values() {
            let (by, confidence) = stand(game);
            if by != game.at {
                dropped.push((game.at, by, confidence));
            } else if let Some((confidence, other)) = game.doubt.or(doubts.get(&game.at).copied()) {
                doubtful.push((game.at, stand(&decided[&other]).0, confidence));
            }
        }
        (dropped, doubtful)
    }

    /// Games that are often the same, or beginnings of each other.
    fn collection() -> impl Strategy<Value = String> {
        let lines = [
            "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7 Nbd2 Bb7 Bc2 Re8",
            "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7 e3 O-O Nf3 h6 Bh4 b6 cxd5 Nxd5 Bxe7 Qxe7 Nxd5 exd5 Rc1 Be6 Qa4 c5",
        ];
        let one = (0..2_usize, 0..25_usize, 0..4_usize, 0..3_usize, 0..2_usize);
        proptest::collection::vec(one, 1..14).prop_map(move |games| {
            let text = games.iter().enumerate().map(|(number, (line, length, players, extra, date))| {
                let moves: Vec<&str> = lines[*line].split(' ').take(*length).collect();
                let players = ["Ann-Bob", "Carl-Dora", "Ann-Dora", "?-?"][*players];
                let extra = ["", "[WhiteElo \"2000\"]\n", "[Site \"x\"]\n[WhiteElo \"2000\"]\n"][*extra];
                let text = game(&number.to_string(), players, extra, &moves.join(" "));
                if *date == 0 { text } else { text.replace("2024.01.02", "2023.01.02") }
            });
            text.collect()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]
        #[test]
        fn groups_decide_as_the_whole_collection(
            text in collection(),
            by in prop::sample::select(vec![By::Game, By::Moves, By::Final, By::Prefix]),
            keep in prop::sample::select(vec![Keep::First, Keep::Longest, Keep::Richest]),
            least in prop::sample::select(vec![Confidence::Doubtful, Confidence::Likely, Confidence::Certain]),
            min_plies in 0_u32..24,
        ) {
            let options = DedupOptions::default().by(by).keep(keep).min_confidence(least).min_plies(min_plies);
            let (taken, _) = run_on(&text, &options);
            let (dropped, doubts) = shared(&text, &options);
            prop_assert_eq!(dropped, Taken::pairs(&taken.dropped));
            prop_assert_eq!(doubts, Taken::pairs(&taken.doubts));
        }
    }
}
