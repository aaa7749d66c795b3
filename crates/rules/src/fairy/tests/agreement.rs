//! The evaluator agrees with the walker, with itself at a distance, and with larger and larger boards.

use std::collections::BTreeSet;

use boardprint_base::{Border, Coord, Rect, Square};
use proptest::prelude::*;

use super::walker::Walker;
use super::{expr, jump, mirror, repeat, squares};
use crate::fairy::node::Nodes;
use crate::fairy::rays::Question;
use crate::fairy::search::Wanderer;
use crate::fairy::{Board, Expr, Limits, Movement, Mover, Occupant, Reach, Surroundings};

fn pairs(stops: impl Iterator<Item = Square>) -> BTreeSet<(i64, i64)> {
    stops.map(|square| (square.x.as_i64().unwrap(), square.y.as_i64().unwrap())).collect()
}

/// A movement with one or two rays in it.
fn ray_expr() -> impl Strategy<Value = Expr> {
    let ray = (jump(2), repeat(3)).prop_map(|(jump, repeat)| Expr::Jump(jump).modified(repeat));
    let word_ray = (prop::collection::vec(jump(2).prop_map(Expr::Jump), 2..=3), repeat(3))
        .prop_map(|(word, repeat)| Expr::Sequence(word).modified(repeat));
    let link = prop_oneof![
        3 => jump(2).prop_map(Expr::Jump),
        3 => ray,
        1 => word_ray,
        1 => jump(2).prop_map(Expr::Hurdle),
        1 => jump(2).prop_map(Expr::Prime),
    ];
    (prop::collection::vec(link, 1..=3), prop::collection::vec(mirror(), 0..=2))
        .prop_map(|(links, mirrors)| mirrors.into_iter().fold(Expr::Sequence(links), Expr::modified))
}

fn shifted(squares: &[Square], by: &Square) -> Vec<Square> {
    squares.iter().map(|square| Square { x: &square.x + &by.x, y: &square.y + &by.y }).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, max_global_rejects: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn small_boards_agree_with_the_walker(
        expr in expr(2, 2), friends in squares(0, 3, 4), enemies in squares(0, 3, 4), from in (0_i64..4, 0_i64..4), right in any::<bool>()
    ) {
        let window = Rect::with_edges(0, 0, 3, 3);
        let board = Surroundings::new(friends, enemies).within(window.to_border());
        let walker = Walker { start: from, board: &board, right, rounds: 16, fuel: 60_000 };
        let Some(expected) = walker.ends(&expr) else { return Err(TestCaseError::reject("too many words")) };
        let start = Square::new(from.0, from.1);
        let movement = Movement::new(&expr).unwrap();
        let mover = Mover { from: &start, right };
        let stops = movement.stops(mover, &board, &window, &Limits::default());
        prop_assert!(stops.complete);
        for stop in &stops.stops {
            let enemy = stop.square != start && board.at(&stop.square) == Occupant::Enemy;
            prop_assert_eq!(stop.capture, enemy);
        }
        prop_assert_eq!(pairs(stops.stops.into_iter().map(|stop| stop.square)), expected.clone(), "{}", expr);
        // Questions one by one, from closed forms and by search alike, give the same squares.
        for x in 0..4 {
            for y in 0..4 {
                let reach = movement.reach(mover, &Square::new(x, y), &board);
                prop_assert_ne!(reach, Reach::Unknown);
                prop_assert_eq!(reach.is_yes(), expected.contains(&(x, y)), "{} to {},{}", expr, x, y);
            }
        }
    }

    #[test]
    fn rays_agree_with_a_search_on_a_large_board(
        expr in ray_expr(), friends in squares(-6, 6, 6), enemies in squares(-6, 6, 6)
    ) {
        let board = Surroundings::new(friends, enemies);
        let start = Square::new(0, 0);
        let movement = Movement::new(&expr).unwrap();
        prop_assume!(movement.is_exact());
        let mut nodes = Nodes::default();
        let root = nodes.compile(&expr, false).unwrap()[0];
        let large = board.clone().within(Rect::with_edges(-60, -60, 60, 60).to_border());
        let window = Rect::with_edges(-6, -6, 6, 6);
        let question = Question { board: &large, start: &start };
        let (found, complete) = Wanderer::new(&nodes, root).stops(&question, &window, 4_000_000);
        prop_assume!(complete);
        let expected = pairs(found.into_iter());
        for x in -6..=6 {
            for y in -6..=6 {
                let reach = movement.reach(Mover::at(&start), &Square::new(x, y), &board);
                prop_assert_eq!(reach.is_yes(), expected.contains(&(x, y)), "{} to {},{}", expr, x, y);
            }
        }
        let listed = movement.stops(Mover::at(&start), &board, &window, &Limits::default());
        prop_assert!(listed.complete);
        prop_assert_eq!(pairs(listed.stops.into_iter().map(|stop| stop.square)), expected);
    }

    #[test]
    fn answers_do_not_depend_on_where_the_board_is(
        expr in ray_expr(), friends in squares(-6, 6, 5), enemies in squares(-6, 6, 5), to in (-6_i64..=6, -6_i64..=6), far in 0..5_usize
    ) {
        let far = [Coord::from(10_i64.pow(15)), Coord::from((1_i64 << 60) - 3), Coord::from((1_i64 << 62) - 3), Coord::from(i64::MAX - 2), Coord::from(-(1_i128 << 90))][far].clone();
        let by = Square { x: far.clone(), y: -&far };
        let movement = Movement::new(&expr).unwrap();
        prop_assume!(movement.is_exact());
        let (here, there) = (Square::new(0, 0), by.clone());
        let (near_to, far_to) = (Square::new(to.0, to.1), by.offset(to.0, to.1));
        let near = Surroundings::new(friends.clone(), enemies.clone());
        let distant = Surroundings::new(shifted(&friends, &by), shifted(&enemies, &by));
        prop_assert_eq!(
            movement.reach(Mover::at(&here), &near_to, &near),
            movement.reach(Mover::at(&there), &far_to, &distant)
        );
    }

    #[test]
    fn wandering_answers_are_never_wrong(
        expr in expr(2, 2), friends in squares(-4, 4, 6), enemies in squares(-4, 4, 6), to in (-4_i64..=4, -4_i64..=4)
    ) {
        let board = Surroundings::new(friends, enemies);
        let (start, to) = (Square::new(0, 0), Square::new(to.0, to.1));
        let movement = Movement::new(&expr).unwrap();
        let limits = Limits { steps: 100_000, ..Limits::default() };
        let reach = movement.reach_within(Mover::at(&start), &to, &board, &limits);
        let large = board.within(Rect::with_edges(-24, -24, 24, 24).to_border());
        match movement.reach_within(Mover::at(&start), &to, &large, &limits) {
            // What is free within walls is free without them.
            Reach::No | Reach::Unknown => {}
            yes => prop_assert!(reach == yes || reach == Reach::Unknown, "{}: {:?}", expr, reach),
        }
    }

    #[test]
    fn negating_y_is_moving_for_the_other_side(
        expr in expr(2, 2), friends in squares(-3, 3, 4), enemies in squares(-3, 3, 4)
    ) {
        let flip = |list: &[Square]| -> Vec<Square> { list.iter().map(|s| Square { x: s.x.clone(), y: -&s.y }).collect() };
        let window = Rect::with_edges(-3, -3, 3, 3);
        let start = Square::new(0, 0);
        let up = Surroundings::new(friends.clone(), enemies.clone()).within(window.to_border());
        let down = Surroundings::new(flip(&friends), flip(&enemies)).within(window.to_border());
        let list = |movement: &Movement, board: &Surroundings| -> Vec<Square> {
            movement.stops(Mover::at(&start), board, &window, &Limits::default()).stops.into_iter().map(|s| s.square).collect()
        };
        let white = Movement::for_player(&expr, boardprint_base::Player::WHITE).unwrap();
        let black = Movement::for_player(&expr, boardprint_base::Player::BLACK).unwrap();
        let mut expected = flip(&list(&white, &up));
        expected.sort();
        prop_assert_eq!(list(&black, &down), expected);
    }
}

#[test]
fn a_zero_jump_is_the_last_one_when_nothing_optional_follows() {
    let from = Square::new(0, 0);
    let to = Square::new(2, 0);
    let board = Surroundings::new([], [to.clone()]);
    for text in ["[2,0]*[0,0]*[1,0]^[0..2]", "[2,0]*[0,0]*[1,0]?", "[2,0]*[0,0]*([1,0]*[0,0])^[0..2]"] {
        let movement = Movement::new(&text.parse().unwrap()).unwrap();
        assert_eq!(movement.reach(Mover::at(&from), &to, &board), Reach::No, "{text}");
        assert_eq!(movement.reach(Mover::at(&from), &to, &Surroundings::default()), Reach::Quiet, "{text}");
    }
}

#[test]
fn a_window_is_not_a_border() {
    let movement = Movement::new(&"[5,0]*[-4,0]".parse().unwrap()).unwrap();
    let (from, window) = (Square::new(0, 0), Rect::with_edges(-4, -4, 4, 4));
    let open = Surroundings::default();
    let closed = Surroundings::default().within(window.to_border());
    let count = |board: &Surroundings| {
        movement.stops(Mover::at(&from), board, &window, &Limits::default()).stops.len()
    };
    assert_eq!((count(&open), count(&closed)), (1, 0));
}

#[test]
fn a_half_open_border_stops_rays_at_its_edge() {
    let rook = Movement::new(&"[1,0]^*|/".parse().unwrap()).unwrap();
    let from = Square::new(0, 0);
    let edge = Coord::from(10_i64.pow(15));
    let board = Surroundings::default().within(Border { right: Some(edge.clone()), ..Border::default() });
    let reach = |x: Coord| rook.reach(Mover::at(&from), &Square { x, y: Coord::ZERO }, &board);
    assert_eq!(reach(edge.clone()), Reach::Quiet);
    assert_eq!(reach(&edge + 1), Reach::No);
    let ray = rook.rays(Mover::at(&from), &board).find(|(_, ray)| ray.run.step().x == 1).unwrap().1;
    assert_eq!((ray.free, ray.blocker), (Some(edge), None));
}

#[test]
fn first_blockers_are_named() {
    let queen = Movement::new(&"{[1,0]^*,[1,1]^*}|-/".parse().unwrap()).unwrap();
    let from = Square::new(0, 0);
    let far = Square::new(10_i64.pow(15), 10_i64.pow(15));
    let board = Surroundings::new([Square::new(7, 0)], [far.clone(), far.offset(1, 1)]);
    let mut blockers: Vec<Square> =
        queen.rays(Mover::at(&from), &board).filter_map(|(_, ray)| ray.blocker).collect();
    blockers.sort();
    assert_eq!(blockers, [far, Square::new(7, 0)]);
}

#[test]
fn huygens_are_blocked_only_at_prime_distances() {
    let huygen = Movement::new(&"[1,0]@prime|/".parse().unwrap()).unwrap();
    let from = Square::new(0, 0);
    let reach = |x: i128, friends: &[i128]| {
        let at = |x: i128| Square { x: x.into(), y: Coord::ZERO };
        huygen.reach(Mover::at(&from), &at(x), &Surroundings::new(friends.iter().map(|x| at(*x)), []))
    };
    assert_eq!(reach(999_999_999_999_989, &[4, 1, 999_999_999_999_988]), Reach::Quiet);
    assert_eq!(reach(999_999_999_999_989, &[1_000_003]), Reach::No);
    assert_eq!(reach(1_000_000_000_000_001, &[]), Reach::No);
    assert_eq!(reach(1 << 100, &[]), Reach::No);
    assert_eq!(reach((1 << 89) - 1, &[]), Reach::Unknown);
    assert_eq!(reach((1 << 89) - 1, &[3]), Reach::No);
}

#[test]
fn cannons_and_grasshoppers_need_their_hurdle() {
    let cannon = Movement::new(&"{[1,0]^*~,[1,0]^[0..*]*[1,0]#*[1,0]^*!}|-/".parse().unwrap()).unwrap();
    assert!(cannon.is_exact());
    let from = Square::new(0, 0);
    let far = 10_i64.pow(15);
    let reach = |x: i64, friends: &[i64], enemies: &[i64]| {
        let at = |x: &i64| Square::new(*x, 0);
        cannon.reach(
            Mover::at(&from),
            &at(&x),
            &Surroundings::new(friends.iter().map(at), enemies.iter().map(at)),
        )
    };
    assert_eq!(reach(far, &[], &[]), Reach::Quiet);
    assert_eq!(reach(far, &[], &[far]), Reach::No);
    assert_eq!(reach(far, &[5], &[far]), Reach::Capture);
    assert_eq!(reach(far, &[], &[5, far]), Reach::Capture);
    assert_eq!(reach(far, &[5, 6], &[far]), Reach::No);
    assert_eq!(reach(far, &[5], &[]), Reach::No);
}

#[test]
fn pawns_push_capture_and_need_their_right_for_two() {
    let pawn: Expr = "{[0,1]~,[0,1]^2~$,[1,1]|!}".parse().unwrap();
    let pawn = Movement::for_player(&pawn, boardprint_base::Player::BLACK).unwrap();
    let from = Square::new(4, 7);
    let board = Surroundings::new([], [Square::new(5, 6), Square::new(4, 5)]);
    let reach = |mover, x, y| pawn.reach(mover, &Square::new(x, y), &board);
    let plain = Mover::at(&from);
    assert_eq!(reach(plain, 4, 6), Reach::Quiet);
    assert_eq!(reach(plain, 5, 6), Reach::Capture);
    assert_eq!(reach(plain, 3, 6), Reach::No);
    assert_eq!(reach(plain.with_right(), 4, 5), Reach::No);
    let empty = Surroundings::default();
    assert_eq!(pawn.reach(plain.with_right(), &Square::new(4, 5), &empty), Reach::Quiet);
    assert_eq!(pawn.reach(plain, &Square::new(4, 5), &empty), Reach::No);
}

#[test]
fn attackers_are_asked_from_their_own_side() {
    let griffon = Movement::new(&"([1,1]*[0,1]^[0..*])|-/".parse().unwrap()).unwrap();
    let (low, high) = (Square::new(0, 0), Square::new(1, 4));
    let board = Surroundings::new([low.clone(), high.clone(), Square::new(1, 1)], []);
    // The way up is shut by the piece on the corner, the way down uses another corner.
    let up = Surroundings::new([low.clone(), Square::new(1, 1)], [high.clone()]);
    assert_eq!(griffon.attackers([Mover::at(&low)], &high, &up).count(), 0);
    let down = Surroundings::new([high.clone(), Square::new(1, 1)], [low.clone()]);
    assert_eq!(griffon.attackers([Mover::at(&high)], &low, &down).count(), 1);
    assert_eq!(griffon.attackers([Mover::at(&low), Mover::at(&high)], &high, &board).count(), 0);
}
