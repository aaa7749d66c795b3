//! What two records have in common, and where they part.

use std::fmt;
use std::str::FromStr;

use boardprint_base::GameResult;

use crate::{Content, NextMove, Profile, RecordError};

/// By what two records are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Criterion {
    /// Same laws, start and moves.
    Game,
    /// Same start and moves, laws aside.
    Moves,
    /// Same laws and start, and one continues the other.
    Prefix,
    /// Same final position after the same number of half-moves.
    Final,
    /// Same final position, however it was reached.
    Position,
}

/// What two records have in common, and where they part.
///
/// ```
/// use boardprint_games::{Criterion, MoveDifference, Profile, compare, read};
///
/// let (a, b) = (read("1. e4 e5 2. Nf3")?, read("1. e4 e5 2. Nc3")?);
/// let found = compare(&a, &b, Profile::Plain);
/// assert!(!found.is_same(Criterion::Game));
/// assert!(matches!(found.moves, MoveDifference::At { ply: 3, .. }));
/// # Ok::<(), boardprint_games::ReadTextError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Comparison {
    /// The tags that only one has, or whose values differ, in order of their names.
    pub tags: Vec<TagDifference>,
    /// The boards, if they are boards of different games.
    pub boards: Option<(&'static str, &'static str)>,
    /// The laws in the spelling of canonical ICN, if they differ.
    pub laws: Option<(String, String)>,
    /// Whether the starts differ, laws aside.
    pub start: bool,
    /// Where the moves part.
    pub moves: MoveDifference,
    /// How the games ended, if that differs.
    pub result: Option<(Option<GameResult>, Option<GameResult>)>,
    /// Why the final positions cannot be compared: a move cannot be played.
    pub unplayable: Option<RecordError>,
    same: Vec<Criterion>,
}

/// A tag that only one of two records has, or whose values differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagDifference {
    /// The name of the tag.
    pub name: String,
    /// Its value in the first record.
    pub first: Option<String>,
    /// Its value in the second record.
    pub second: Option<String>,
}

/// Where the moves of two records part.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MoveDifference {
    /// Nowhere.
    None,
    /// The first has moves after the last one of the second.
    FirstGoesOn {
        /// How many half-moves both have.
        common: usize,
        /// How many more the first has.
        more: usize,
    },
    /// The second has moves after the last one of the first.
    SecondGoesOn {
        /// How many half-moves both have.
        common: usize,
        /// How many more the second has.
        more: usize,
    },
    /// Different moves were played.
    At {
        /// The first half-move that differs, from 1.
        ply: usize,
        /// What was played in the first record.
        first: Box<NextMove>,
        /// What was played in the second record.
        second: Box<NextMove>,
    },
}

impl Criterion {
    /// Every criterion, the strictest first.
    pub const ALL: [Criterion; 5] =
        [Criterion::Game, Criterion::Moves, Criterion::Prefix, Criterion::Final, Criterion::Position];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Criterion::Game => "game",
            Criterion::Moves => "moves",
            Criterion::Prefix => "prefix",
            Criterion::Final => "final",
            Criterion::Position => "position",
        }
    }

    /// What is the same, in words.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Criterion::Game => "same laws, start and moves",
            Criterion::Moves => "same start and moves, laws aside",
            Criterion::Prefix => "same laws and start, and one continues the other",
            Criterion::Final => "same final position after the same number of half-moves",
            Criterion::Position => "same final position, however it was reached",
        }
    }
}

impl fmt::Display for Criterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Criterion {
    type Err = UnknownCriterion;
    fn from_str(text: &str) -> Result<Self, UnknownCriterion> {
        Criterion::ALL.into_iter().find(|criterion| criterion.name() == text).ok_or(UnknownCriterion)
    }
}

/// The text is not the name of a criterion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownCriterion;

impl fmt::Display for UnknownCriterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected `game`, `moves`, `prefix`, `final` or `position`")
    }
}

impl std::error::Error for UnknownCriterion {}

impl Comparison {
    /// Whether the records are one by a criterion.
    #[must_use]
    pub fn is_same(&self, criterion: Criterion) -> bool {
        self.same.contains(&criterion)
    }

    /// The criteria by which the records are one, the strictest first.
    #[must_use]
    pub fn criteria(&self) -> &[Criterion] {
        &self.same
    }
}

impl MoveDifference {
    /// How many half-moves both records have.
    #[must_use]
    pub const fn common(&self, plies: usize) -> usize {
        match self {
            MoveDifference::None => plies,
            MoveDifference::FirstGoesOn { common, .. } | MoveDifference::SecondGoesOn { common, .. } => {
                *common
            }
            MoveDifference::At { ply, .. } => *ply - 1,
        }
    }
}

/// Compares two records. Positions of finite games are compared under a profile.
#[must_use]
pub fn compare(first: &Content<'_>, second: &Content<'_>, profile: Profile) -> Comparison {
    let (first_laws, second_laws) = (first.laws(), second.laws());
    let laws = match (first_laws, second_laws) {
        (Some(a), Some(b)) if a != b => Some((a, b)),
        _ => None,
    };
    let boards = (board_name(first), board_name(second));
    let starts = (start_key(first, profile), start_key(second, profile));
    let moves = part(first, second);
    let (mut same, mut unplayable) = (Vec::new(), None);
    if first.key(profile) == second.key(profile) {
        same.push(Criterion::Game);
    }
    if first.key_without_laws(profile) == second.key_without_laws(profile) {
        same.push(Criterion::Moves);
    }
    let continues = !matches!(moves, MoveDifference::At { .. });
    if starts.0 == starts.1 && laws.is_none() && continues {
        same.push(Criterion::Prefix);
    }
    match (last(first, profile), last(second, profile)) {
        (Ok(a), Ok(b)) if a == b => {
            if first.plies() == second.plies() {
                same.push(Criterion::Final);
            }
            same.push(Criterion::Position);
        }
        (Ok(_), Ok(_)) => {}
        (Err(error), _) | (_, Err(error)) => unplayable = Some(error),
    }
    let results = (first.result(), second.result());
    Comparison {
        tags: tags(first, second),
        boards: (boards.0 != boards.1).then_some(boards),
        laws,
        start: starts.0 != starts.1,
        moves,
        result: (results.0 != results.1).then_some(results),
        unplayable,
        same,
    }
}

/// What the board is of.
fn board_name(content: &Content<'_>) -> &'static str {
    match content {
        Content::Infinite(_) => "the open board",
        Content::Finite(game) => game.game().name(),
        Content::Board(_) => "another board",
    }
}

/// What tells the start from others, laws aside. A position without moves is named as positions are, in any
/// format.
fn start_key(content: &Content<'_>, profile: Profile) -> Result<Vec<u8>, RecordError> {
    Ok(content.at(0)?.key_without_laws(profile).text)
}

/// What tells the last position from others, laws aside.
fn last(content: &Content<'_>, profile: Profile) -> Result<Vec<u8>, RecordError> {
    Ok(content.at(content.plies())?.key_without_laws(profile).text)
}

fn part(first: &Content<'_>, second: &Content<'_>) -> MoveDifference {
    for (ply, (a, b)) in (1..).zip(first.moves().zip(second.moves())) {
        if a != b {
            return MoveDifference::At { ply, first: a.into(), second: b.into() };
        }
    }
    let (a, b) = (first.plies(), second.plies());
    match a.cmp(&b) {
        std::cmp::Ordering::Equal => MoveDifference::None,
        std::cmp::Ordering::Greater => MoveDifference::FirstGoesOn { common: b, more: a - b },
        std::cmp::Ordering::Less => MoveDifference::SecondGoesOn { common: a, more: b - a },
    }
}

fn tags(first: &Content<'_>, second: &Content<'_>) -> Vec<TagDifference> {
    let mut names: Vec<&str> = first.tags().chain(second.tags()).map(|(name, _)| name).collect();
    names.sort_unstable();
    names.dedup();
    let differ = names.into_iter().filter(|name| first.tag(name) != second.tag(name));
    let own = |content: &Content<'_>, name: &str| content.tag(name).map(str::to_owned);
    differ
        .map(|name| TagDifference {
            name: name.to_owned(),
            first: own(first, name),
            second: own(second, name),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    fn of(a: &str, b: &str) -> Comparison {
        let read = |text| read(text).unwrap_or_else(|error| panic!("{error}"));
        compare(&read(a), &read(b), Profile::Plain)
    }

    #[test]
    fn spelling_makes_no_difference() {
        let found = of("w 1 (8;Q,R,B,N|1;q,r,b,n) K5,1|k5,8 1. K5,1>5,2 {hm}", "K5,1|k5,8 (8|1) 5,1>5,2");
        assert_eq!(found.criteria(), Criterion::ALL);
        assert_eq!((found.start, found.laws, found.moves), (false, None, MoveDifference::None));
    }

    #[test]
    fn laws_make_another_game_of_the_same_moves() {
        let found = of("(8|1) K5,1|k5,8 5,1>5,2", "K5,1|k5,8 5,1>5,2");
        assert_eq!(found.criteria(), [Criterion::Moves, Criterion::Final, Criterion::Position]);
        assert_eq!(found.laws, Some(("(8|1)".to_owned(), String::new())));
    }

    #[test]
    fn one_continues_the_other() {
        let found = of("1. e4 e5", "1. e4 e5 2. Nf3 Nc6");
        assert_eq!(found.criteria(), [Criterion::Prefix]);
        assert_eq!(found.moves, MoveDifference::SecondGoesOn { common: 2, more: 2 });
        assert_eq!(found.moves.common(2), 2);
    }

    #[test]
    fn a_transposition_ends_on_the_same_position() {
        let found = of("1. Nf3 Nf6 2. Nc3", "1. Nc3 Nf6 2. Nf3");
        assert_eq!(found.criteria(), [Criterion::Final, Criterion::Position]);
        let MoveDifference::At { ply: 1, first, second } = found.moves else { panic!("{:?}", found.moves) };
        assert_eq!((first.to_string(), second.to_string()), ("g1f3".to_owned(), "b1c3".to_owned()));
    }

    #[test]
    fn a_position_is_the_end_of_a_game() {
        let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        let found = of("1. e4", fen);
        assert_eq!(found.criteria(), [Criterion::Position]);
        assert!(found.start);
    }

    #[test]
    fn tags_and_results_are_listed_and_do_not_count() {
        let found = of("[White \"A\"]\n[Round \"1\"]\n\n1. e4 1-0", "[White \"B\"]\n\n1. e4 0-1");
        assert_eq!(found.criteria(), Criterion::ALL);
        let names: Vec<&str> = found.tags.iter().map(|tag| &*tag.name).collect();
        assert_eq!(names, ["Round", "White"]);
        assert_eq!(found.result, Some((Some(GameResult::WhiteWins), Some(GameResult::BlackWins))));
    }

    #[test]
    fn boards_of_different_games_are_named() {
        let found = of("K5,1|k5,8", "1. e4");
        assert_eq!(found.boards, Some(("the open board", "western")));
        assert_eq!(found.criteria(), []);
    }

    #[test]
    fn moves_that_cannot_be_played_are_compared_all_the_same() {
        let found = of("K5,1|k5,8 7,7>7,8", "K5,1|k5,8 7,7>7,8");
        assert!(found.is_same(Criterion::Game) && !found.is_same(Criterion::Position));
        assert!(found.unplayable.is_some());
    }

    #[test]
    fn names_are_read_back() {
        for criterion in Criterion::ALL {
            assert_eq!(criterion.to_string().parse(), Ok(criterion));
        }
    }
}
