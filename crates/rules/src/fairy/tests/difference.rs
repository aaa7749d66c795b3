//! Boards that tell movements apart.

use proptest::prelude::*;

use super::expr;
use crate::fairy::{Difference, Expr, Limits, Movement, Mover, Reach, Sameness, Surroundings, same_as};
use boardprint_base::Square;

fn difference(a: &str, b: &str) -> Difference {
    match same_as(&a.parse().unwrap(), &b.parse().unwrap(), &Limits::default()) {
        Sameness::Differs(found) => *found,
        other => panic!("{a} and {b}: {other:?}"),
    }
}

/// Whether the movements do on the board what the difference says.
fn is_right(a: &Expr, b: &Expr, found: &Difference) -> bool {
    let board = Surroundings::new(found.friends.iter().cloned(), found.enemies.iter().cloned());
    let from = Square::new(0, 0);
    let reach = |expr: &Expr| {
        let mover = Mover { from: &from, right: found.right };
        Movement::new(expr).unwrap().reach(mover, &found.square, &board)
    };
    reach(a) == found.first && reach(b) == found.second && found.first != found.second
}

#[test]
fn an_empty_board_is_preferred() {
    let found = difference("[1,0]^*|/", "{[1,0]^*,[1,1]^*}|-/");
    assert!(found.friends.is_empty() && found.enemies.is_empty());
    assert_eq!((found.first, found.second), (Reach::No, Reach::Quiet));
}

#[test]
fn captures_need_an_enemy() {
    let found = difference("[1,1]", "[1,1]~");
    assert_eq!(
        (found.square.to_string().as_str(), found.first, found.second),
        ("1,1", Reach::Capture, Reach::No)
    );
    assert_eq!(found.enemies, [Square::new(1, 1)]);
}

#[test]
fn what_can_be_blocked_needs_one_friend() {
    let found = difference("[2,0]", "[1,0]*[1,0]");
    assert_eq!(found.friends, [Square::new(1, 0)]);
    assert_eq!((found.first, found.second), (Reach::Quiet, Reach::No));
}

#[test]
fn a_right_is_told() {
    let found = difference("{[0,1],[0,2]$}", "[0,1]");
    assert!(found.right);
    assert_eq!(found.square, Square::new(0, 2));
}

#[test]
fn sameness_of_endless_wanderers_may_be_unknown_but_is_never_wrong() {
    let (a, b) = ("{[1,0],[0,1]}^*".parse().unwrap(), "{[0,1],[1,0],[1,0]}^*".parse().unwrap());
    assert_eq!(same_as(&a, &b, &Limits::default()), Sameness::Same);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn a_difference_can_be_seen_on_its_board(a in expr(2, 3), b in expr(2, 3)) {
        let limits = Limits { steps: 20_000, stops: 2_000 };
        if let Sameness::Differs(found) = same_as(&a, &b, &limits) {
            prop_assert!(is_right(&a, &b, &found), "{a} {b} {found:?}");
        }
    }
}
