//! Thousands of random positions with all pieces, judged by the referee and by brute force.

use std::sync::Arc;

use boardprint_base::TurnOrder;
use boardprint_base::{
    Border, Coord, Laws, Piece, PieceKind, Pieces, Placed, Player, Position, Promotion, Square,
};

use super::brute::Board;
use crate::legal::{Answer, Referee, Trial};
use crate::pieces::PieceTable;

/// A small generator of numbers, the same on every machine.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn roll(&mut self, sides: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from((self.0 >> 33) % sides.unsigned_abs()).unwrap()
    }

    pub(super) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[usize::try_from(self.roll(i64::try_from(from.len()).unwrap())).unwrap()]
    }
}

/// What a random position is made of.
pub(super) struct Recipe {
    pub(super) size: i64,
    pub(super) own: Vec<PieceKind>,
    pub(super) enemies: Vec<PieceKind>,
    pub(super) neutral: i64,
    pub(super) border: bool,
}

pub(super) fn random_position(dice: &mut Dice, recipe: &Recipe) -> Position {
    let mover = dice.pick(&[Player::WHITE, Player::BLACK]);
    let other = if mover == Player::WHITE { Player::BLACK } else { Player::WHITE };
    let own = recipe.own.iter().map(|kind| Piece::new(*kind, mover));
    let enemies = recipe.enemies.iter().map(|kind| Piece::new(*kind, other));
    let neutral = (0..recipe.neutral).map(|n| if n % 2 == 0 { PieceKind::Obstacle } else { PieceKind::Void });
    let neutral = neutral.map(|kind| Piece::new(kind, Player::NEUTRAL));
    let mut pieces = Pieces::default();
    for piece in own.chain(enemies).chain(neutral) {
        let mut square = Square::new(dice.roll(recipe.size), dice.roll(recipe.size));
        while pieces.get(&square).is_some() {
            square = Square::new(dice.roll(recipe.size), dice.roll(recipe.size));
        }
        let right = !piece.kind.is_neutral() && dice.roll(2) == 0;
        pieces.insert(Placed { square, piece, right });
    }
    let mut position = Position::new(pieces);
    if mover == Player::BLACK {
        position.turn = TurnOrder::black_first();
    }
    let edge = |value: i64| recipe.border.then(|| Coord::from(value));
    let border =
        Border { left: edge(0), right: edge(recipe.size - 1), bottom: edge(0), top: edge(recipe.size - 1) };
    let ranks = || Promotion::usual([Coord::from(2), Coord::from(5)]);
    let promotion = [(Player::WHITE, ranks()), (Player::BLACK, ranks())].into();
    position.laws = Arc::new(Laws { promotion, border, ..Laws::default() });
    // Behind a square that some other enemy has passed nobody is captured.
    let is_passer = |placed: &&Placed| {
        placed.piece.player == other && (placed.piece.kind == PieceKind::Pawn) != (recipe.neutral == 1)
    };
    let behind = position.pieces.iter().find(is_passer);
    position.en_passant = behind.map(|pawn| pawn.square.offset(0, mover.forward()));
    position
}

pub(super) fn moving_kinds() -> Vec<PieceKind> {
    PieceKind::BUILT_IN.iter().copied().filter(|kind| !kind.is_neutral()).collect()
}

pub(super) fn window(low: i64, high: i64) -> impl Iterator<Item = (i64, i64)> + Clone {
    (low..=high).flat_map(move |x| (low..=high).map(move |y| (x, y)))
}

#[test]
fn legal_moves_are_those_of_brute_force() {
    let mut dice = Dice(1);
    let kinds = moving_kinds();
    let (mut legal_moves, mut seen) = (0_u32, std::collections::BTreeSet::new());
    for round in 0..2_000 {
        let own = [PieceKind::King, dice.pick(&[PieceKind::Pawn, PieceKind::Rook])];
        let own = own.into_iter().chain((0..3).map(|_| dice.pick(&kinds))).collect();
        let enemies = [PieceKind::King, PieceKind::Pawn];
        let enemies = enemies.into_iter().chain((0..3).map(|_| dice.pick(&kinds))).collect();
        let recipe = Recipe { size: 7, own, enemies, neutral: dice.roll(4), border: round % 3 == 0 };
        let mut position = random_position(&mut dice, &recipe);
        let before = position.clone();
        let referee = Referee::new(PieceTable::built_in(), &position);
        let brute = Board::new(&position);
        let check = referee.is_in_check(&position, position.turn.to_move());
        for from in brute.own() {
            for to in window(-2, 8) {
                let mv = brute.to_move(from, to);
                let answer =
                    referee.play_if_legal(&mut position, &mv, check).map(|played| played.undo(&mut position));
                assert_eq!(answer.is_ok(), brute.is_legal(from, to), "{:?} {before:?}", (from, to));
                if answer.is_ok() {
                    legal_moves += 1;
                    seen.insert(before.pieces.get(&mv.from).unwrap().piece.kind);
                } else if round % 50 == 0 {
                    assert!(referee.judge(&mut position, &mv).unwrap_err().is_certain());
                }
            }
        }
        assert_eq!(position, before, "what was tried was taken back");
    }
    assert!(legal_moves > 20_000, "{legal_moves}");
    assert_eq!(seen.len(), kinds.len());
}

/// Pieces among which a king is often mated.
fn hunters(dice: &mut Dice, count: i64) -> Vec<PieceKind> {
    let kinds = [
        PieceKind::Queen,
        PieceKind::Rook,
        PieceKind::Amazon,
        PieceKind::Chancellor,
        PieceKind::Archbishop,
        PieceKind::Knightrider,
        PieceKind::Huygen,
        PieceKind::Rose,
        PieceKind::Hawk,
        PieceKind::Bishop,
        PieceKind::Pawn,
    ];
    (0..count).map(|_| dice.pick(&kinds)).collect()
}

fn compare_ends(rounds: u32, size: i64, border: bool, reach: i64, seed: u64) -> [u32; 3] {
    let mut dice = Dice(seed);
    // Whether a royal queen is mated is decided between edges only.
    let kinds: Vec<PieceKind> =
        moving_kinds().into_iter().filter(|kind| border || *kind != PieceKind::RoyalQueen).collect();
    let sliding = if border { PieceKind::RoyalQueen } else { PieceKind::King };
    let [mut mates, mut stalemates, mut moves] = [0; 3];
    for _ in 0..rounds {
        let helpers = dice.roll(3);
        let mut own: Vec<PieceKind> = (0..helpers).map(|_| dice.pick(&kinds)).collect();
        own.push(dice.pick(&[PieceKind::King, sliding, PieceKind::RoyalCentaur]));
        let count = 3 + dice.roll(4);
        let enemies = hunters(&mut dice, count);
        let recipe = Recipe { size, own, enemies, neutral: dice.roll(3), border };
        let mut position = random_position(&mut dice, &recipe);
        let referee = Referee::new(PieceTable::built_in(), &position);
        let brute = Board::new(&position);
        let expected = brute.can_move_to(&window(-reach, size + reach));
        let answer = referee.can_move(&mut position);
        assert_eq!(answer, if expected { Answer::Yes } else { Answer::No }, "{position:?}");
        let check = referee.is_in_check(&position, position.turn.to_move());
        assert_eq!(check == Answer::Yes, brute.is_check(), "{position:?}");
        assert_eq!(referee.can_move_out_of(&mut position, check), answer, "{position:?}");
        match (expected, brute.is_check()) {
            (true, _) => moves += 1,
            (false, true) => mates += 1,
            (false, false) => stalemates += 1,
        }
    }
    [mates, stalemates, moves]
}

#[test]
fn mates_and_stalemates_of_bordered_boards_are_those_of_brute_force() {
    let [mates, stalemates, moves] = compare_ends(3_000, 5, true, 0, 2);
    assert!(mates > 200 && stalemates > 20 && moves > 500, "{mates} {stalemates} {moves}");
}

#[test]
fn mates_and_stalemates_of_open_boards_are_those_of_a_wide_window() {
    let [mates, stalemates, moves] = compare_ends(1_200, 5, false, 12, 3);
    assert!(mates > 100 && stalemates > 0 && moves > 500, "{mates} {stalemates} {moves}");
}

#[test]
fn checks_and_moves_of_whole_games_are_those_of_brute_force() {
    let mut dice = Dice(4);
    let kinds = moving_kinds();
    let plain =
        [PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight, PieceKind::Queen, PieceKind::Knightrider];
    let [mut checks, mut refused] = [0_u32; 2];
    for round in 0..300 {
        // In every other game all pieces attack by leaps and rays alone.
        let kinds = if round % 2 == 0 { &plain[..] } else { &kinds };
        let mut side = || {
            let always = [PieceKind::King, PieceKind::Pawn, PieceKind::Pawn];
            always.into_iter().chain((0..4).map(|_| dice.pick(kinds))).collect()
        };
        let (own, enemies) = (side(), side());
        let recipe = Recipe { size: 8, own, enemies, neutral: dice.roll(3), border: round % 3 == 0 };
        let mut trial = Trial::new(PieceTable::built_in(), random_position(&mut dice, &recipe));
        let mut has_promoted = None;
        for _ in 0..60 {
            let mut brute = Board::new(trial.position());
            brute.has_promoted = has_promoted;
            let (from, to) = (dice.pick(&brute.own()), (dice.roll(10) - 1, dice.roll(10) - 1));
            let played = trial.play(&brute.to_move(from, to));
            assert_eq!(played.is_ok(), brute.is_legal(from, to), "{:?} {:?}", (from, to), trial.position());
            refused += u32::from(played.is_err());
            if let Ok(ply) = played {
                has_promoted =
                    (ply.played.is_double_push() && ply.played.promotion().is_some()).then_some(to);
                let is_check = Board::new(trial.position()).is_check();
                assert_eq!(ply.check == Answer::Yes, is_check, "{:?}", trial.position());
                checks += u32::from(is_check);
            }
            if trial.conclusion().is_some() {
                break;
            }
        }
    }
    assert!(checks > 100 && refused > 1000, "{checks} {refused}");
}
