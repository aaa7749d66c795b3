//! Insufficient material: what is claimed, and that no small board with edges has a mate where it is.

use std::sync::Arc;

use boardprint_base::{Border, Coord, Laws, PieceKind, Player, Position, Promotion};

use super::position;
use super::random::Dice;
use crate::legal::material::{MATING, Verdict, verdict};
use crate::legal::{Answer, Condition, Referee, Trial};
use crate::pieces::PieceTable;

/// Positions in which Black's king is mated: `K1,-2|AM-1,2|k0,0`, after `edge` on a board that ends below 0,
/// after `corner` on one that ends at its left, too. They were found by hill climbing.
const MATES: &str = include_str!("mates.txt");

pub(super) fn judged(position: &Position) -> Verdict {
    verdict(&Referee::new(PieceTable::built_in(), position), position)
}

fn open(pieces: &str) -> Verdict {
    judged(&position(pieces))
}

fn on_eight(pieces: &str) -> Verdict {
    let mut position = position(pieces);
    position.laws = Arc::new(Laws { border: border(8, 8), ..Laws::default() });
    judged(&position)
}

fn border(width: i64, height: i64) -> Border {
    Border {
        left: Some(1.into()),
        right: Some(width.into()),
        bottom: Some(1.into()),
        top: Some(height.into()),
    }
}

#[test]
fn both_sides_are_looked_at_together() {
    use Verdict::{Insufficient, Sufficient, Unsure};
    for (pieces, expected) in [
        ("K1,1|k5,5", Insufficient),
        ("K1,1|k5,5|B2,2", Insufficient),
        ("K1,1|k5,5|N2,2", Insufficient),
        ("K1,1|k5,5|B2,2|B4,4|b6,8", Insufficient),
        ("K1,1|k5,5|B2,2|b6,7", Sufficient),
        ("K1,1|k5,5|B2,2|n7,7", Sufficient),
        ("K1,1|k5,5|N2,2|n7,7", Sufficient),
        ("K1,1|K3,3|k5,5|k8,8", Insufficient),
        ("K1,1|k5,5|HU2,2", Sufficient),
    ] {
        assert_eq!(on_eight(pieces), expected, "{pieces}");
    }
    for (pieces, expected) in [
        ("K1,1|Q3,4|k9,9", Insufficient),
        ("K1,1|Q3,4|k9,9|q8,8", Insufficient),
        ("K1,1|Q3,4|k9,9|r8,8|n7,7", Sufficient),
        ("K1,1|Q3,4|R2,2|k9,9", Sufficient),
        ("K1,1|R3,4|k9,9|ch8,8", Unsure),
        ("K1,1|B3,4|B5,6|k9,9", Insufficient),
        ("K1,1|B3,4|B5,6|B3,5|k9,9", Insufficient),
        ("K1,1|B3,4|B5,6|B3,5|B5,7|k9,9", Sufficient),
        ("K1,1|B3,4|N5,6|k9,9|b3,5", Insufficient),
        ("K1,1|B3,4|N5,6|k9,9|b3,4000", Insufficient),
        ("K1,1|B3,4|k9,9|b3,4000|b3,4001", Insufficient),
        ("K1,1|B3,4|B3,6|k9,9|b3,4000", Unsure),
        ("K1,1|HU3,4|k9,9", Insufficient),
        ("K1,1|HU3,4|HU4,4|k9,9|hu20,20", Insufficient),
        ("K1,1|HU3,4|HU4,4|HU5,5|k9,9", Sufficient),
        ("K1,1|K2,5|k9,9|k20,20", Insufficient),
        ("Q1,1|R2,5|k9,9", Insufficient),
        ("K50,50|Q1,1|R2,5|k9,9", Sufficient),
        ("AM1,1|rc9,9", Insufficient),
        ("K1,1|GU3,3|ob4,4|k9,9", Insufficient),
    ] {
        assert_eq!(open(pieces), expected, "{pieces}");
    }
}

#[test]
fn where_we_doubt_the_table_nothing_is_said() {
    assert_eq!(on_eight("K1,1|RC3,3|k5,5"), Verdict::Unsure);
    assert_eq!(on_eight("RC1,1|rc5,5"), Verdict::Insufficient);
    assert_eq!(on_eight("K1,1|N4,4|k5,7|vo8,8"), Verdict::Unsure);
    let unsure = Trial::new(PieceTable::built_in(), position("K1,1|RC3,3|k50,50"));
    assert_eq!(unsure.conclusion(), None);
}

#[test]
fn pawns_count_as_everything_they_may_become() {
    use PieceKind::{Bishop, Knight, Queen};
    let with = |pieces: &str, choices: &[PieceKind]| {
        let mut position = position(pieces);
        let law = || Promotion::new([8.into()], choices.iter().copied());
        let promotion = [(Player::WHITE, law()), (Player::BLACK, law())].into();
        position.laws = Arc::new(Laws { promotion, ..Laws::default() });
        judged(&position)
    };
    assert_eq!(with("K1,1|P3,4|k9,9", &[Knight, Bishop]), Verdict::Insufficient);
    assert_eq!(with("K1,1|P3,4|P4,4|k9,9", &[Queen]), Verdict::Sufficient);
    assert_eq!(with("K1,1|P3,4|P4,4|P5,4|k9,9", &[Knight]), Verdict::Sufficient, "three are not looked at");
    assert_eq!(open("K1,1|P3,4|P4,4|P5,4|k9,9|p6,7"), Verdict::Insufficient, "no promotion at all");
}

#[test]
fn more_than_ten_pieces_are_not_looked_at() {
    let bishops: Vec<String> = (0..9).map(|n| format!("B{},4", 2 * n)).collect();
    assert_eq!(open(&format!("K1,1|k9,99|{}", bishops[..8].join("|"))), Verdict::Insufficient);
    assert_eq!(open(&format!("K1,1|k9,99|{}", bishops.join("|"))), Verdict::Sufficient);
}

#[test]
fn an_edge_a_million_squares_away_is_no_edge() {
    let with = |edge: i64| {
        let mut position = position("K1,1|Q3,4|k9,9");
        let border = Border { left: Some(edge.into()), ..Border::default() };
        position.laws = Arc::new(Laws { border, ..Laws::default() });
        judged(&position)
    };
    assert_eq!(with(-999_999), Verdict::Sufficient);
    assert_eq!(with(-1_000_000), Verdict::Insufficient);
}

/// A board with edges for the search, with its own small move generator. Squares are `y * width + x`.
struct Small {
    width: i64,
    height: i64,
    /// What stands where: the kind and whether it is white.
    squares: Vec<Option<(PieceKind, bool)>>,
}

type Point = (i64, i64);
const AROUND: [Point; 8] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)];
const LEAPS: [Point; 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

impl Small {
    fn new(width: i64, height: i64) -> Self {
        let squares = vec![None; usize::try_from(width * height).unwrap()];
        Small { width, height, squares }
    }

    fn index(&self, (x, y): Point) -> Option<usize> {
        let inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        inside.then(|| usize::try_from(y * self.width + x).unwrap())
    }

    fn point(&self, index: usize) -> Point {
        let index = i64::try_from(index).unwrap();
        (index % self.width, index / self.width)
    }

    /// Shows the squares a piece goes to, own pieces excluded, until told to stop.
    fn targets(&self, from: usize, visit: &mut impl FnMut(usize) -> bool) -> bool {
        let (kind, white) = self.squares[from].unwrap();
        let here = self.point(from);
        let (steps, slides): (&[Point], bool) = match kind {
            PieceKind::King => (&AROUND, false),
            PieceKind::Knight => (&LEAPS, false),
            PieceKind::Bishop => (&AROUND[4..], true),
            PieceKind::Rook => (&AROUND[..4], true),
            PieceKind::Queen => (&AROUND, true),
            other => panic!("{other:?} is not searched"),
        };
        for (dx, dy) in steps {
            let mut to = (here.0 + dx, here.1 + dy);
            while let Some(index) = self.index(to) {
                let occupant = self.squares[index];
                if occupant.is_none_or(|(_, other)| other != white) && visit(index) {
                    return true;
                }
                if occupant.is_some() || !slides {
                    break;
                }
                to = (to.0 + dx, to.1 + dy);
            }
        }
        false
    }

    fn is_attacked(&self, white_king: bool) -> bool {
        let is_king = |at: usize| self.squares[at] == Some((PieceKind::King, white_king));
        (0..self.squares.len()).any(|from| {
            self.squares[from].is_some_and(|(_, white)| white != white_king)
                && self.targets(from, &mut |to| is_king(to))
        })
    }

    /// Whether a side is mated and the other side's king could not be taken before.
    fn is_mate(&mut self, white: bool) -> bool {
        if !self.is_attacked(white) || self.is_attacked(!white) {
            return false;
        }
        let own: Vec<usize> = (0..self.squares.len())
            .filter(|at| self.squares[*at].is_some_and(|(_, side)| side == white))
            .collect();
        for from in own {
            let mut targets = Vec::new();
            self.targets(from, &mut |to| {
                targets.push(to);
                false
            });
            for to in targets {
                let (piece, taken) = (self.squares[from], self.squares[to]);
                (self.squares[from], self.squares[to]) = (None, piece);
                let is_saved = !self.is_attacked(white);
                (self.squares[from], self.squares[to]) = (piece, taken);
                if is_saved {
                    return false;
                }
            }
        }
        true
    }

    /// Puts pieces on the board in every way that a filter allows and returns the first mate.
    fn find_mate(&mut self, pieces: &[(PieceKind, bool, Option<i64>)]) -> Option<String> {
        let Some(((kind, white, colour), rest)) = pieces.split_first() else {
            return (self.is_mate(true) || self.is_mate(false)).then(|| format!("{:?}", self.squares));
        };
        for at in 0..self.squares.len() {
            let (x, y) = self.point(at);
            let fits = colour.is_none_or(|colour| (x + y) % 2 == colour);
            if self.squares[at].is_none() && fits {
                self.squares[at] = Some((*kind, *white));
                let mate = self.find_mate(rest);
                self.squares[at] = None;
                if mate.is_some() {
                    return mate;
                }
            }
        }
        None
    }
}

/// The pieces of a text such as `KBkb`; `B` and `b` stand on one colour, `D` and `d` are bishops on the other.
fn army(text: &str) -> Vec<(PieceKind, bool, Option<i64>)> {
    let piece = |c: char| {
        let kind = match c.to_ascii_lowercase() {
            'd' => PieceKind::Bishop,
            other => PieceKind::from_letter(u8::try_from(other).unwrap()).unwrap(),
        };
        let colour = match c.to_ascii_lowercase() {
            'b' => Some(0),
            'd' => Some(1),
            _ => None,
        };
        (kind, c.is_ascii_uppercase(), colour)
    };
    text.chars().map(piece).collect()
}

#[test]
fn no_small_board_with_edges_has_a_mate_where_a_draw_is_claimed() {
    for (armies, boards) in [
        ("KNk KBk KKk KKkk", &[(2, 3), (2, 5), (3, 3), (1, 6), (4, 4), (5, 4)][..]),
        ("KBkb KBBk KDDk", &[(2, 4), (3, 3), (1, 6), (4, 4), (3, 5)]),
        ("KBBkb", &[(3, 3), (2, 5), (4, 3), (4, 4)]),
        ("KBBkbb", &[(3, 3), (2, 5)]),
    ] {
        for (army_text, (width, height)) in
            armies.split(' ').flat_map(|army| boards.iter().map(move |board| (army, *board)))
        {
            let mate = Small::new(width, height).find_mate(&army(army_text));
            assert_eq!(mate, None, "{army_text} on {width}×{height}");
        }
    }
}

#[test]
fn pairs_that_are_not_claimed_have_a_mate_on_a_small_board() {
    for (text, claim) in [
        ("KBkn", "K1,1|B2,2|k5,5|n7,7"),
        ("KNkn", "K1,1|N2,2|k5,5|n7,7"),
        ("KBkd", "K1,1|B2,2|k5,5|b7,8"),
        ("KNNk", "K1,1|N2,2|N2,4|k5,5"),
        ("KBDk", "K1,1|B2,2|B2,3|k5,5"),
        ("KBNk", "K1,1|B2,2|N2,3|k5,5"),
        ("KRk", "K1,1|R2,2|k5,5"),
        ("KQk", "K1,1|Q2,2|k5,5"),
    ] {
        assert_eq!(on_eight(claim), Verdict::Sufficient, "{claim}");
        let found =
            [(3, 3), (4, 4)].into_iter().any(|(w, h)| Small::new(w, h).find_mate(&army(text)).is_some());
        assert!(found, "{text}");
    }
}

#[test]
fn the_mate_that_was_once_called_a_draw() {
    let mut start = position("K3,7|k1,8|B3,8|n3,6");
    start.turn = boardprint_base::TurnOrder::black_first();
    start.laws = Arc::new(Laws { border: border(8, 8), ..Laws::default() });
    let mut trial = Trial::new(PieceTable::built_in(), start);
    assert_eq!(trial.conclusion(), None);
    let mv = |text: &str| {
        let (from, to) = text.split_once('>').unwrap();
        boardprint_base::Move::new(from.parse().unwrap(), to.parse().unwrap())
    };
    trial.play(&mv("3,6>1,7")).unwrap();
    let end = trial.play(&mv("3,8>2,7")).unwrap().conclusion.unwrap();
    assert_eq!(end.condition, Condition::Checkmate);
}

/// A mate of Black's king among this many random positions around it.
fn mate_of_the_open_board(white: &str, black: &str, tries: usize) -> Option<Position> {
    use boardprint_base::{Piece, Pieces, Placed, Square, TurnOrder};
    let mut dice = Dice(1);
    let kinds = |codes: &str, player| -> Vec<Piece> {
        codes.split(' ').filter_map(PieceKind::from_code).map(|kind| Piece::new(kind, player)).collect()
    };
    let all: Vec<Piece> =
        kinds(white, Player::WHITE).into_iter().chain(kinds(black, Player::BLACK)).collect();
    (0..tries).find_map(|_| {
        let king = Placed::new(Piece::new(PieceKind::King, Player::BLACK), Square::new(0, 0));
        let mut pieces = Pieces::from_list(vec![king]).unwrap();
        for piece in &all {
            let square = Square::new(dice.roll(7) - 3, dice.roll(7) - 3);
            if pieces.get(&square).is_none() {
                pieces.insert(Placed::new(*piece, square));
            }
        }
        let position = Position { turn: TurnOrder::black_first(), ..Position::new(pieces) };
        let referee = Referee::new(PieceTable::built_in(), &position);
        let is_mate = position.pieces.len() == all.len() + 1
            && referee.is_in_check(&position, Player::WHITE) == Answer::No
            && referee.is_in_check(&position, Player::BLACK) == Answer::Yes
            && referee.can_move(&mut position.clone()) == Answer::No;
        is_mate.then_some(position)
    })
}

/// A row of `mates.txt`.
pub(super) fn mate_of(line: &str) -> Position {
    let (edges, pieces) = line.split_once(' ').unwrap_or(("", line));
    let mut mate = position(pieces);
    mate.turn = boardprint_base::TurnOrder::black_first();
    let edge = Some(Coord::from(0));
    let border = match edges {
        "" => Border::default(),
        "edge" => Border { bottom: edge, ..Border::default() },
        "corner" => Border { bottom: edge.clone(), left: edge, ..Border::default() },
        other => panic!("{other}"),
    };
    mate.laws = Arc::new(Laws { border, ..Laws::default() });
    mate
}

/// So that whatever is called enough has a mate.
#[test]
fn every_pair_that_is_called_enough_has_a_mate() {
    let mut pairs = std::collections::BTreeSet::new();
    for line in MATES.lines() {
        let mate = mate_of(line);
        let referee = Referee::new(PieceTable::built_in(), &mate);
        assert_eq!(referee.is_in_check(&mate, Player::WHITE), Answer::No, "{line}");
        assert_eq!(referee.is_in_check(&mate, Player::BLACK), Answer::Yes, "{line}");
        assert_eq!(referee.can_move(&mut mate.clone()), Answer::No, "{line}");
        // A row of the table that had these pieces would be wrong.
        assert_eq!(judged(&mate), Verdict::Sufficient, "{line}");
        let codes =
            |text: &str| -> String { text.chars().filter(|c| !"0123456789,-".contains(*c)).collect() };
        pairs.insert(codes(line));
    }
    assert!(pairs.len() > 300, "{}", pairs.len());
}

#[test]
fn what_mates_are_the_pieces_of_the_mates() {
    assert_eq!(MATES.lines().count(), MATING.lines().count());
    for (line, pieces) in MATES.lines().zip(MATING.lines()) {
        let (edges, mate) = line.split_once(' ').unwrap_or(("", line));
        let code = |placed: &str| {
            let code = placed.trim_end_matches(|c: char| !c.is_ascii_alphabetic());
            let (x, y) = placed[code.len()..].split_once(',').unwrap();
            let is_odd = (x.parse::<i64>().unwrap() + y.parse::<i64>().unwrap()) % 2 != 0;
            let mark = if is_odd && matches!(code, "B" | "b") { "'" } else { "" };
            format!("{code}{mark}")
        };
        let (black, white): (Vec<_>, Vec<_>) =
            mate.split('|').map(code).partition(|code| code.starts_with(|c: char| c.is_ascii_lowercase()));
        let expected = format!("{edges} {}", [white, black].concat().join(","));
        assert_eq!(pieces, expected.trim_start(), "{line}");
    }
}

/// One piece less than a mate may not be enough, and is never called so without another mate.
#[test]
fn what_is_called_enough_is_at_least_a_mate() {
    let pairs: Vec<&str> = MATES.lines().collect();
    for line in &pairs {
        let (edges, pieces) = line.split_once(' ').unwrap_or(("", line));
        for (index, left_out) in
            pieces.split('|').enumerate().filter(|(_, piece)| !piece.starts_with(['K', 'k']))
        {
            let fewer: Vec<&str> = pieces
                .split('|')
                .enumerate()
                .filter(|(at, _)| *at != index)
                .map(|(_, piece)| piece)
                .collect();
            let fewer = format!("{edges} {}", fewer.join("|"));
            let verdict = judged(&mate_of(fewer.trim_start()));
            assert!(edges == "corner" || verdict != Verdict::Sufficient, "{line} without {left_out}");
        }
    }
}

#[test]
fn boards_without_room_for_a_mate_are_left_open() {
    let on = |width, height| {
        let mut position = position("K1,1|Q2,2|k3,5");
        position.laws = Arc::new(Laws { border: border(width, height), ..Laws::default() });
        judged(&position)
    };
    assert_eq!(on(8, 8), Verdict::Sufficient);
    assert_eq!(on(3, 5), Verdict::Unsure);
}

#[test]
fn random_positions_of_claimed_pairs_are_no_mates() {
    for row in CLAIMED_ON_THE_OPEN_BOARD {
        let (white, black) = row.split_once('/').unwrap();
        for (winner, loser) in [(white, black), (black, white)] {
            let mate = mate_of_the_open_board(&format!("k {winner}"), loser, 1_500);
            // Two bishops may have come to stand on one colour, which is another row.
            assert!(mate.is_none_or(|mate| judged(&mate) == Verdict::Sufficient), "{row}");
        }
    }
}

#[test]
fn two_bishops_of_one_colour_can_take_the_last_squares_from_their_king() {
    let mut mate = position("K0,2|Q-1,1|k0,0|b1,0|b0,-1");
    mate.turn = boardprint_base::TurnOrder::black_first();
    assert_eq!(judged(&mate), Verdict::Sufficient);
    let end = Trial::new(PieceTable::built_in(), mate).conclusion().unwrap();
    assert_eq!(end.condition, Condition::Checkmate);
    assert_eq!(open("K0,2|Q-1,1|k0,0|b1,0|b0,-2"), Verdict::Insufficient, "one on each colour is a row");
}

/// Rows of the table, besides the kings.
const CLAIMED_ON_THE_OPEN_BOARD: [&str; 36] = [
    "q/q", "q/r", "q/b n", "q/b b", "q/n n", "q/p", "r b/n", "r n/n", "r/r", "r/b b", "r/b n", "r/n n",
    "r/p", "b b b/", "b b n/", "b/p", "b n n/", "b b/b", "b b/n", "b b/p", "b n/b", "b n/n", "b n/p",
    "b/n n", "n n n/", "n n/n", "n n/p", "p p p/p", "ch/", "ar b/", "ar n/", "nr nr/", "ha ha/", "ha b/",
    "hu hu/hu", "gu/",
];
