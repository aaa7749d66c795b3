//! The site's verdict on games: legal or not, and how they ended.

use boardprint_icn::parse;
use boardprint_rules::legal::{Conclusion, Trial};
use boardprint_rules::pieces::PieceTable;
use boardprint_tests::{report, rows};
use serde::Deserialize;

#[derive(Deserialize)]
struct Row {
    id: String,
    icn: String,
    legal: bool,
    conclusion: Option<End>,
}

#[derive(Deserialize, Debug, PartialEq)]
struct End {
    victor: Option<u32>,
    condition: String,
}

impl From<Conclusion> for End {
    fn from(conclusion: Conclusion) -> Self {
        let victor = conclusion.victor.map(|player| player.0);
        End { victor, condition: conclusion.condition.name().to_owned() }
    }
}

/// Whether all moves are legal, how the game ended, and the first ply after which it had ended.
fn verdict(icn: &str) -> (bool, Option<End>, Option<usize>) {
    let game = parse(icn).expect("the games of the corpus can be read").game;
    let mut trial = Trial::new(PieceTable::built_in(), game.start.clone());
    let mut ended = None;
    for mv in &game.moves {
        match trial.play(mv) {
            Ok(ply) if ply.conclusion.is_some() => ended = ended.or(Some(trial.ply())),
            Ok(ply) => assert!(ply.is_decided, "{icn}"),
            Err(fault) => {
                assert!(fault.is_certain(), "{fault}");
                return (false, None, ended);
            }
        }
    }
    (true, trial.conclusion().map(End::from), ended)
}

#[test]
fn games_are_legal_and_end_as_on_the_site() {
    let rows: Vec<Row> = rows("replay/replay.jsonl");
    let mut failures = Vec::new();
    for row in &rows {
        let (legal, conclusion, ended) = verdict(&row.icn);
        let plies = parse(&row.icn).expect("it was read before").game.moves.len();
        // The site names no end for games that it refused.
        if legal != row.legal || (legal && conclusion != row.conclusion) {
            failures.push(format!(
                "{}: {legal}, {conclusion:?}; expected {}, {:?}",
                row.id, row.legal, row.conclusion
            ));
        }
        if legal && ended.is_some_and(|ply| ply < plies) {
            failures.push(format!("{}: ended at ply {ended:?} of {plies}", row.id));
        }
    }
    assert_eq!(rows.len(), 263);
    report("verdicts", rows.len(), &failures);
}
