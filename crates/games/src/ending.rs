//! The words with which records of Shogi end, and what they mean.
//!
//! The way in which a game ended is kept in the tag `Termination`, so that it survives in every format.

use boardprint_base::{GameResult, Side};
use boardprint_bridge::Lost;

/// The tag that says in which way a game ended.
pub(crate) const TERMINATION: &str = "Termination";

/// What an end means for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Loses,
    Wins,
    Draw,
    Open,
}

/// A way to end: the value of the tag, what it means, the word of CSA without `%`, and the word of KIF.
struct Way(&'static str, Outcome, Option<&'static str>, Option<&'static str>);

/// The most usual way of each outcome comes first: it is written where nothing says more.
const WAYS: [Way; 17] = [
    Way("resignation", Outcome::Loses, Some("TORYO"), Some("投了")),
    Way("checkmate", Outcome::Loses, Some("TSUMI"), Some("詰み")),
    Way("time forfeit", Outcome::Loses, Some("TIME_UP"), Some("切れ負け")),
    Way("illegal move", Outcome::Loses, Some("ILLEGAL_MOVE"), Some("反則負け")),
    Way("default", Outcome::Loses, None, Some("不戦敗")),
    Way("entering king", Outcome::Wins, Some("KACHI"), Some("入玉勝ち")),
    Way("rules infraction", Outcome::Wins, None, Some("反則勝ち")),
    Way("default", Outcome::Wins, None, Some("不戦勝")),
    Way("agreement", Outcome::Draw, Some("HIKIWAKE"), None),
    Way("impasse", Outcome::Draw, Some("JISHOGI"), Some("持将棋")),
    Way("repetition", Outcome::Draw, Some("SENNICHITE"), Some("千日手")),
    Way("maximum moves", Outcome::Draw, Some("MAX_MOVES"), None),
    Way("abandoned", Outcome::Open, Some("CHUDAN"), Some("中断")),
    Way("no mate", Outcome::Open, Some("FUZUMI"), Some("不詰")),
    Way("take-back", Outcome::Open, Some("MATTA"), None),
    Way("error", Outcome::Open, Some("ERROR"), None),
    Way("mate", Outcome::Loses, None, Some("詰")),
];

/// How a record says that a game ended: the result, and the value of the tag.
pub(crate) type Ending = (GameResult, &'static str);

const fn win_of(side: Side) -> GameResult {
    match side {
        Side::Bottom => GameResult::WhiteWins,
        Side::Top => GameResult::BlackWins,
    }
}

fn result_of(outcome: Outcome, mover: Side) -> GameResult {
    match outcome {
        Outcome::Loses => win_of(mover.opponent()),
        Outcome::Wins => win_of(mover),
        Outcome::Draw => GameResult::Draw,
        Outcome::Open => GameResult::Unknown,
    }
}

fn outcome_of(result: GameResult, mover: Side) -> Outcome {
    match result {
        GameResult::Draw => Outcome::Draw,
        GameResult::Unknown => Outcome::Open,
        won if won == win_of(mover) => Outcome::Wins,
        _ => Outcome::Loses,
    }
}

/// The end that a word of CSA, without `%`, means.
pub(crate) fn of_csa(word: &str, mover: Side) -> Option<Ending> {
    match word {
        "+ILLEGAL_ACTION" => return Some((GameResult::BlackWins, "rules infraction")),
        "-ILLEGAL_ACTION" => return Some((GameResult::WhiteWins, "rules infraction")),
        _ => {}
    }
    let way = WAYS.iter().find(|way| way.2 == Some(word))?;
    Some((result_of(way.1, mover), way.0))
}

/// The end that a word of KIF means.
pub(crate) fn of_kif(word: &str, mover: Side) -> Option<Ending> {
    let way = WAYS.iter().find(|way| way.3 == Some(word))?;
    let named = if way.0 == "mate" { "checkmate" } else { way.0 };
    Some((result_of(way.1, mover), named))
}

/// The word of CSA for an end, without `%`, and what it does not say.
pub(crate) fn to_csa(result: GameResult, named: Option<&str>, mover: Side) -> (&'static str, Lost) {
    let outcome = outcome_of(result, mover);
    if named == Some("rules infraction") && matches!(outcome, Outcome::Wins | Outcome::Loses) {
        let word = if result == GameResult::BlackWins { "+ILLEGAL_ACTION" } else { "-ILLEGAL_ACTION" };
        return (word, Lost::NOTHING);
    }
    pick(outcome, named, |way| way.2)
}

/// The word of KIF for an end, and what it does not say.
pub(crate) fn to_kif(result: GameResult, named: Option<&str>, mover: Side) -> (&'static str, Lost) {
    pick(outcome_of(result, mover), named, |way| way.3)
}

fn pick(
    outcome: Outcome,
    named: Option<&str>,
    word: impl Fn(&Way) -> Option<&'static str>,
) -> (&'static str, Lost) {
    let fits = |way: &&Way| way.1 == outcome;
    let exact = WAYS.iter().filter(fits).find(|way| named == Some(way.0)).and_then(&word);
    if let Some(found) = exact {
        return (found, Lost::NOTHING);
    }
    let usual = WAYS.iter().filter(fits).find_map(&word).unwrap_or_default();
    (usual, Lost::ENDING.when(named.is_some() || outcome == Outcome::Wins))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_comes_back() {
        for mover in Side::ALL {
            for way in &WAYS {
                if let Some(word) = way.2 {
                    let (result, named) = of_csa(word, mover).expect("a word of the table");
                    assert_eq!(to_csa(result, Some(named), mover), (word, Lost::NOTHING));
                }
                if let Some(word) = way.3.filter(|word| *word != "詰") {
                    let (result, named) = of_kif(word, mover).expect("a word of the table");
                    assert_eq!(to_kif(result, Some(named), mover), (word, Lost::NOTHING));
                }
            }
            for word in ["+ILLEGAL_ACTION", "-ILLEGAL_ACTION"] {
                let (result, named) = of_csa(word, mover).expect("a word of CSA");
                assert_eq!(to_csa(result, Some(named), mover), (word, Lost::NOTHING));
            }
        }
    }

    #[test]
    fn the_side_to_move_resigns() {
        assert_eq!(of_csa("TORYO", Side::Bottom), Some((GameResult::BlackWins, "resignation")));
        assert_eq!(of_kif("反則勝ち", Side::Top), Some((GameResult::BlackWins, "rules infraction")));
        assert_eq!(of_csa("+ILLEGAL_ACTION", Side::Top), Some((GameResult::BlackWins, "rules infraction")));
        // Nothing says how: the usual way.
        assert_eq!(to_csa(GameResult::WhiteWins, None, Side::Top), ("TORYO", Lost::NOTHING));
        assert_eq!(to_kif(GameResult::WhiteWins, None, Side::Bottom).1, Lost::ENDING);
    }
}
