//! Texts made to hang an evaluator: each is answered or refused within its budget.

use boardprint_base::{Rect, Square};

use crate::fairy::{Comparison, Expr, Limits, Movement, Mover, Reach, Surroundings, same_moves, same_words};

fn texts() -> Vec<String> {
    let path = format!("{}/../../corpus/fairy/hostile.txt", env!("CARGO_MANIFEST_DIR"));
    let file = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut texts: Vec<String> =
        file.lines().filter(|line| !line.starts_with("//")).map(str::to_owned).collect();
    let filled = |start: &str, again: &str, end: &str| {
        let times = (4096 - start.len() - end.len()) / again.len();
        format!("{start}{}{end}", again.repeat(times))
    };
    texts.extend([
        filled("[1,2]", "|/", ""),
        filled("[1,2]", "|?", ""),
        filled("[1,2]", "~?", ""),
        filled("[1,2]", "^9", ""),
        filled("[1,2]", "^[2..9]", ""),
        filled("[1,2]", "|^2/", ""),
        filled("{[1,2]", ",[1,2]|-/", "}^*"),
        filled("[1,2]?", "*[3,1]?", ""),
        filled("{[1,0],[0,1]}", "*{[1,0],[0,1]}", ""),
        format!("{}[1,0]{}", "(".repeat(64), ")^[1..9]".repeat(64)),
        format!("{}[1,0]{}", "{[0,1],".repeat(64), "}|^[1..2]".repeat(64)),
        format!("{}[1,0]{}", "([0,1]*".repeat(64), ")?".repeat(64)),
    ]);
    texts
}

#[test]
fn hostile_texts_are_answered_or_refused_within_the_budget() {
    let board = Surroundings::new([Square::new(3, 3)], [Square::new(-3, 2)]);
    let from = Square::new(0, 0);
    let small = Rect::with_edges(-8, -8, 8, 8);
    let closed = board.clone().within(small.to_border());
    // The budget bounds the work; a tenth of the usual one keeps this test quick without optimisation.
    let limits = Limits { steps: 100_000, stops: 10_000 };
    let texts = texts();
    assert!(texts.len() > 30);
    for text in texts {
        assert!(text.len() <= 4096);
        let expr: Expr = match text.parse() {
            Ok(expr) => expr,
            Err(error) => panic!("{error}: {text}"),
        };
        let Ok(movement) = Movement::new(&expr) else { continue };
        let far = Square::new(10_i64.pow(15), 1);
        for to in [Square::new(5, 5), far] {
            let _ = movement.reach_within(Mover::at(&from), &to, &board, &limits);
            let _ = movement.reach_within(Mover::at(&from), &to, &closed, &limits);
        }
        let _ = movement.stops(Mover::at(&from), &closed, &small, &limits);
        let _ =
            movement.stops(Mover::at(&from), &board, &Rect::with_edges(-8, -8, 10_i64.pow(15), 8), &limits);
        let _ = same_words(&expr, &"[1,0]".parse().unwrap(), &limits);
        let _ = same_moves(&expr, &"[1,0]".parse().unwrap(), &limits);
    }
}

#[test]
fn huge_and_nested_counts_are_answered_at_once() {
    let limits = Limits { steps: 20_000, stops: 10_000 };
    let (from, window) = (Square::new(0, 0), Rect::with_edges(-4, -4, 4, 4));
    let board = Surroundings::default().within(window.to_border());
    for (text, count) in [
        ("[1,0]^1000000000000", 0),
        ("[1,0]|^1000000000001", 4),
        ("(([1,0]^[1..9])^[1..9])^[1..9]", 4),
        ("([1,0]|^[2..3])^[1000000000000..*]", 9),
        ("((([1,0]|)^3)^1000000000000)^3", 5),
    ] {
        let movement = Movement::new(&text.parse().unwrap()).unwrap();
        let stops = movement.stops(Mover::at(&from), &board, &window, &limits);
        assert!(stops.complete, "{text}");
        assert_eq!(stops.stops.len(), count, "{text}");
    }
    let wide =
        Movement::new(&"{[1,0],[0,1],[1,1],[-1,1],[-1,-1],[1,-1],[-1,0],[0,-1]}^[1..20]".parse().unwrap());
    let stops = wide.unwrap().stops(Mover::at(&from), &board, &window, &limits);
    assert!(stops.complete);
    assert_eq!(stops.stops.len(), 81);
}

#[test]
fn a_wanderer_finds_its_way_or_says_that_it_does_not_know() {
    let king = Movement::new(&"{[1,0]/,[1,1]}|-^*".parse().unwrap()).unwrap();
    let from = Square::new(0, 0);
    let ring = |radius: i64| {
        let squares = (-radius..=radius).flat_map(move |x| (-radius..=radius).map(move |y| (x, y)));
        squares.filter(move |(x, y)| x.abs().max(y.abs()) == radius).map(|(x, y)| Square::new(x, y))
    };
    let reach = |board: &Surroundings, x: i64| king.reach(Mover::at(&from), &Square::new(x, 0), board);
    assert_eq!(reach(&Surroundings::default(), 20), Reach::Quiet);
    assert_eq!(reach(&Surroundings::new(ring(3), []), 20), Reach::No);
    assert_eq!(reach(&Surroundings::new([], ring(3)), 3), Reach::Capture);
    // The target is walled in, the piece is not: only the search from the target can tell.
    let walled = Surroundings::new(ring(3).map(|square| square.offset(20, 0)), []);
    assert_eq!(reach(&walled, 20), Reach::No);
    assert_eq!(reach(&Surroundings::default(), 10_i64.pow(15)), Reach::Unknown);
    let knights = Movement::new(&"{[2,0],[0,2]}|-^*".parse().unwrap()).unwrap();
    assert_eq!(
        knights.reach(Mover::at(&from), &Square::new(10_i64.pow(15) + 1, 0), &Surroundings::default()),
        Reach::No
    );
    let up = Movement::new(&"{[1,1],[-1,2]}^*".parse().unwrap()).unwrap();
    assert_eq!(
        up.reach(Mover::at(&from), &Square::new(3, -10_i64.pow(15)), &Surroundings::default()),
        Reach::No
    );
}

#[test]
fn the_laws_of_the_language_hold() {
    let limits = Limits::default();
    let compare = |a: &str, b: &str| same_words(&a.parse().unwrap(), &b.parse().unwrap(), &limits);
    for (a, b) in [
        ("([1,0]*[0,1])*[1,1]", "[1,0]*([0,1]*[1,1])"),
        ("{[1,0],[0,1]}*[1,1]", "{[1,0]*[1,1],[0,1]*[1,1]}"),
        ("[1,2]||", "[1,2]|"),
        ("[1,2]|-/", "[1,2]/|-"),
        ("{[1,2],[3,1]}|", "{[1,2]|,[3,1]|}"),
        ("{[1,0],[0,1]}^2*{[1,0],[0,1]}^3", "{[1,0],[0,1]}^5"),
        ("[1,0]??", "[1,0]?"),
        ("({[1,0],[2,0]}^*)^*", "{[1,0],[2,0]}^*"),
        ("[1,0]^1000000000000*[1,0]", "[1,0]^1000000000001"),
        ("{[1,0]^2,[1,0]^3}^[2..*]", "[1,0]^[4..*]"),
    ] {
        assert_eq!(compare(a, b), Comparison::Same, "{a} {b}");
    }
    for (a, b) in [
        ("[1,2]|/", "[1,2]/|"),
        ("([1,0]*[1,1])|", "[1,0]|*[1,1]|"),
        ("[1,0]^2|", "[1,0]|^2"),
        ("[1,0]^*", "[1,0]^[0..*]"),
        ("[1,0]", "[1,0]$"),
        ("[1,0]", "[1,0]!"),
    ] {
        assert_eq!(compare(a, b), Comparison::Different, "{a} {b}");
    }
}

#[test]
fn movements_are_the_same_when_no_board_tells_them_apart() {
    let limits = Limits::default();
    let compare = |a: &str, b: &str| same_moves(&a.parse().unwrap(), &b.parse().unwrap(), &limits);
    assert_eq!(compare("[0,1]*[0,-1]*[0,1]", "[0,1]~"), Comparison::Same);
    assert_eq!(compare("[0,0]*[0,1]", "[0,1]"), Comparison::Same);
    assert_eq!(compare("{[1,0],[1,0]~}", "[1,0]"), Comparison::Same);
    assert_eq!(compare("{[1,0]!,[1,0]~}", "[1,0]"), Comparison::Same);
    assert_eq!(compare("[1,0]~", "[1,0]"), Comparison::Different);
    assert_eq!(compare("[1,0]^*", "{[1,0]^*,[1,0]^3~}"), Comparison::Exceeded);
    assert_eq!(compare("[1,0]^*|", "[1,0]|^*"), Comparison::Different);
    assert_eq!(compare("[1,0]^*|", "[1,0]^*"), Comparison::Different);
    assert_eq!(compare("[1,0]^*", "[1,0]^[2..*]"), Comparison::Different);
    assert_eq!(compare("[1,0]^1000000000000", "[1,0]^1000000000001"), Comparison::Exceeded);
}
