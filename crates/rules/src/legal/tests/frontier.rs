//! The smallest pairs of forces that no row of the table of insufficient material has, and the search for a
//! mate with each of them.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use boardprint_base::{Laws, Piece, PieceKind, Pieces, Placed, Player, Position, Square, TurnOrder};

use super::material::{judged, mate_of};
use super::random::Dice;
use crate::legal::material::Verdict;
use crate::legal::{Answer, Count, Referee};
use crate::pieces::PieceTable;

/// The pieces of both sides beside Black's king: White's in capitals, bishops on the two colours as `B` and
/// `D`.
type Pair = Vec<String>;

/// What pairs are made of.
const KINDS: &str = "Q R B D N P AM CH AR NR HA HU GU RO CA GI ZE CE";
/// Larger pairs are not looked for: every row but those with any number of bishops has fewer pieces.
const MOST: usize = 5;

/// A pair as a position: where the pieces stand does not matter, except to bishops.
fn somewhere(pair: &[String], edges: &str) -> Position {
    let place = |(number, code): (usize, &String)| match code.as_str() {
        "D" => format!("B{},20", 2 * number + 1),
        "d" => format!("b{},20", 2 * number + 1),
        other => format!("{other}{},20", 2 * number),
    };
    let pieces: Vec<String> = pair.iter().enumerate().map(place).collect();
    mate_of(format!("{edges} k9,9|{}", pieces.join("|")).trim_start())
}

/// The smallest pairs with two kings that no row has: without any one of its other pieces each is in the table.
fn frontier(edges: &str) -> BTreeSet<Pair> {
    let mut known: HashMap<Pair, bool> = HashMap::new();
    let mut is_claimed = |pair: &Pair| {
        if let Some(claimed) = known.get(pair) {
            return *claimed;
        }
        let claimed = judged(&somewhere(pair, edges)) == Verdict::Insufficient;
        known.insert(pair.clone(), claimed);
        claimed
    };
    let kinds: Vec<String> =
        KINDS.split(' ').flat_map(|kind| [kind.to_owned(), kind.to_lowercase()]).collect();
    let mut frontier = BTreeSet::new();
    let mut claimed: BTreeSet<Pair> = [vec!["K".to_owned()]].into();
    for _ in 0..MOST {
        let mut next = BTreeSet::new();
        for (pair, kind) in claimed.iter().flat_map(|pair| kinds.iter().map(move |kind| (pair, kind))) {
            let mut larger = pair.clone();
            larger.push(kind.clone());
            larger.sort();
            if is_claimed(&larger) {
                next.insert(larger);
                continue;
            }
            let without = |index: usize| {
                let mut smaller = larger.clone();
                smaller.remove(index);
                smaller
            };
            let others = (0..larger.len()).filter(|index| larger[*index] != "K");
            if others.map(without).all(|smaller| is_claimed(&smaller)) {
                frontier.insert(larger);
            }
        }
        claimed = next;
    }
    frontier
}

fn unsure(edges: &str) -> (usize, Vec<Pair>) {
    let all = frontier(edges);
    let number = all.len();
    let open = all.into_iter().filter(|pair| judged(&somewhere(pair, edges)) == Verdict::Unsure);
    (number, open.collect())
}

/// A position on its way to a mate of Black's king.
struct Search<'t> {
    referee: Referee<'t>,
    position: Position,
    pieces: Vec<Piece>,
    squares: Vec<Square>,
    /// The colour of the squares that a bishop stands on.
    colours: Vec<Option<i64>>,
    edges: &'static str,
    dice: Dice,
}

impl Search<'_> {
    fn new(pair: &[String], edges: &'static str, seed: u64) -> Self {
        let mut pieces = vec![Piece::new(PieceKind::King, Player::BLACK)];
        let mut colours = vec![None];
        for code in pair {
            let player = if code.starts_with(char::is_uppercase) { Player::WHITE } else { Player::BLACK };
            let (code, colour) = match code.to_lowercase().as_str() {
                "b" => ("b".to_owned(), Some(0)),
                "d" => ("b".to_owned(), Some(1)),
                other => (other.to_owned(), None),
            };
            pieces.push(Piece::new(PieceKind::from_code(&code).unwrap(), player));
            colours.push(colour);
        }
        let border = somewhere(pair, edges).laws.border.clone();
        let laws = Arc::new(Laws { border, ..Laws::default() });
        let position = Position { turn: TurnOrder::black_first(), laws, ..Position::new(Pieces::default()) };
        let referee = Referee::new(PieceTable::built_in(), &position);
        let squares = vec![Square::new(0, 0); pieces.len()];
        Search { referee, position, pieces, squares, colours, edges, dice: Dice(seed) }
    }

    /// A square for a piece: Black's king stays near the origin, others come near it.
    fn square(&mut self, index: usize) -> Square {
        loop {
            let reach = if self.dice.roll(4) == 0 { 8 } else { 3 };
            let (x, y) = (self.dice.roll(2 * reach + 1) - reach, self.dice.roll(2 * reach + 1) - reach);
            let (x, y) = match (self.edges, index) {
                ("", 0) => (0, self.dice.roll(2)),
                (_, 0) => (if self.edges == "corner" { self.dice.roll(2) } else { 20 + x }, 0),
                ("", _) => (x, y),
                ("corner", _) => (x.abs(), y.abs()),
                _ => (20 + x, y.abs()),
            };
            if self.colours[index].is_none_or(|colour| (x + y).rem_euclid(2) == colour) {
                return Square::new(x, y);
            }
        }
    }

    /// How far from a mate the position is; 0 for a mate, `None` if two pieces stand on one square.
    fn cost(&mut self) -> Option<u64> {
        let placed = self.pieces.iter().zip(&self.squares).map(|(piece, at)| Placed::new(*piece, at.clone()));
        self.position.pieces = Pieces::from_list(placed.collect()).ok()?;
        let (position, referee) = (&self.position, &self.referee);
        let mut cost = 0;
        if referee.is_in_check(position, Player::WHITE) != Answer::No {
            cost += 100;
        }
        if referee.is_in_check(position, Player::BLACK) != Answer::Yes {
            cost += 3;
        }
        let moves = referee.legal_moves(position);
        cost += moves
            .pieces()
            .iter()
            .map(|moves| match moves.count() {
                Count::Finite(count) => count.to_string().parse().unwrap_or(50).min(50),
                _ => 50,
            })
            .sum::<u64>();
        if cost == 0 && referee.can_move(&mut self.position.clone()) != Answer::No {
            cost = 1;
        }
        Some(cost)
    }

    /// Climbs from random positions; the mate it comes to, as a row of the list.
    fn run(&mut self, tries: usize) -> Option<String> {
        for _ in 0..tries {
            for index in 0..self.pieces.len() {
                self.squares[index] = self.square(index);
            }
            let mut best = self.cost().unwrap_or(u64::MAX);
            let mut idle = 0;
            while best > 0 && idle < 150 {
                let index =
                    usize::try_from(self.dice.roll(i64::try_from(self.pieces.len()).unwrap())).unwrap();
                let new = self.square(index);
                let old = std::mem::replace(&mut self.squares[index], new);
                match self.cost() {
                    Some(cost) if cost <= best => {
                        idle = if cost < best { 0 } else { idle + 1 };
                        best = cost;
                    }
                    _ => {
                        self.squares[index] = old;
                        idle += 1;
                    }
                }
            }
            if best == 0 {
                return Some(self.row());
            }
        }
        None
    }

    fn row(&self) -> String {
        let text = |(piece, at): (&Piece, &Square)| {
            let code = piece.kind.code();
            let code = if piece.player == Player::WHITE { code.to_uppercase() } else { code.to_owned() };
            format!("{code}{},{}", at.x, at.y)
        };
        let pieces: Vec<String> = self.pieces.iter().zip(&self.squares).map(text).collect();
        format!("{} {}", self.edges, pieces.join("|")).trim_start().to_owned()
    }
}

/// Prints a mate for each of the smallest pairs that one is found for and that `mates.txt` has none for:
/// `cargo test -p boardprint-rules --release --lib look_for_mates -- --ignored --nocapture`.
#[test]
#[ignore = "a search that takes minutes"]
#[expect(clippy::print_stdout, reason = "rows for the list")]
fn look_for_mates() {
    for edges in ["", "edge", "corner"] {
        let (number, open) = unsure(edges);
        println!("# {edges}: {number} pairs, {} without a known mate", open.len());
        for pair in open {
            match Search::new(&pair, edges, 17).run(400) {
                Some(row) => println!("{row}"),
                None => println!("# none found: {}", pair.join(" ")),
            }
        }
    }
}

/// What `docs/check.md` says of the smallest pairs.
#[test]
fn the_smallest_pairs_are_counted() {
    for (edges, pairs, without_mate) in [("", 439, 198), ("edge", 45, 23), ("corner", 45, 12)] {
        let (number, open) = unsure(edges);
        assert_eq!((number, open.len()), (pairs, without_mate), "{edges}");
    }
}
