//! What is wrong with a game: moves, marks, tags, rights.
//!
//! A game is played move by move under the eyes of the [`legal`](crate::legal) referee, up to the first move
//! that is not legal.
//!
//! ```
//! use boardprint_base::{Game, Move, Piece, PieceKind, Pieces, Placed, Player, Position, Square};
//! use boardprint_rules::findings::{Kind, inspect};
//! use boardprint_rules::pieces::PieceTable;
//!
//! let knight = Placed::new(Piece::new(PieceKind::Knight, Player::WHITE), Square::new(0, 0));
//! let start = Position::new(Pieces::from_list(vec![knight]).unwrap());
//! let moves = vec![Move::new(Square::new(0, 0), Square::new(2, 2))];
//! let found = inspect(PieceTable::built_in(), &Game { start, moves, ..Game::default() });
//! assert_eq!(found.legal, Some(false));
//! assert_eq!(found.findings[0].kind, Kind::IllegalMove);
//! assert_eq!(found.findings[0].to_string(), "ply 1: N0,0>2,2 is not a move of a knight");
//! ```

mod marks;
mod repair;
mod start;
mod tags;
#[cfg(test)]
mod tests;

use std::fmt;

use boardprint_base::{Game, Player, Square};

pub use repair::{Repair, RepairOptions, Repaired, repair};

use crate::legal::{Conclusion, Condition, Fault, Reason, Trial};
use crate::pieces::PieceTable;

/// Something that is wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Of which kind it is.
    pub kind: Kind,
    /// Which half-move it is about, counted from 1.
    pub ply: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// Where on the board to look.
    pub square: Option<Square>,
}

boardprint_base::kinds! {
    /// What can be found in a game: the name in output, and what it says about the game.
    Kind about
    IllegalMove "illegal-move" "a move is illegal",
    SwappedPromotion "swapped-promotion" "moves promote on the other player's rank",
    MovesAfterEnd "moves-after-end" "moves follow the end",
    MissingCapture "missing-x" "a capture lacks `x` while others have it",
    WrongCapture "wrong-x" "a move with `x` captures nothing",
    MissingCheck "missing-check" "a check lacks `+` while others have it",
    WrongCheck "wrong-check" "a move with `+` gives no check",
    MissingMate "missing-mate" "a mate lacks `#` while checks are marked",
    WrongMate "wrong-mate" "a move with `#` does not end the game",
    WrongResult "wrong-result" "the board contradicts the result",
    WrongTermination "wrong-termination" "the board contradicts the `Termination` tag",
    UselessRight "useless-right" "a special right can never be used",
    UselessEnPassant "useless-en-passant" "no pawn stands behind the en passant square",
    Undecided "undecided" "legality or an end could not be decided",
}

/// What was found out about a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inspection {
    /// Whether all moves are legal; `None` if that could not be decided.
    pub legal: Option<bool>,
    /// The first half-move that is illegal, counted from 1.
    pub first_illegal_ply: Option<usize>,
    /// How the game stands ended after its last move. Not known if a move is illegal.
    pub conclusion: Option<Conclusion>,
    /// How many half-moves were played.
    pub plies: usize,
    /// What is wrong, in the order of the game.
    pub findings: Vec<Finding>,
}

impl Finding {
    fn new(kind: Kind, ply: impl Into<Option<usize>>, message: impl Into<String>) -> Self {
        Finding { kind, ply: ply.into(), message: message.into(), square: None }
    }

    fn at(mut self, square: &Square) -> Self {
        self.square = Some(square.clone());
        self
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(ply) = self.ply {
            write!(f, "ply {ply}: ")?;
        }
        f.write_str(&self.message)
    }
}

/// Looks for everything that is wrong with a game.
#[must_use]
pub fn inspect(table: &PieceTable, game: &Game) -> Inspection {
    let mut findings = Vec::new();
    let mut trial = Trial::new(table, game.start.clone());
    let habits = marks::Habits::of(game);
    let mut fault = None;
    let mut ended: Option<(usize, Conclusion)> = None;
    let mut open_ply = None;
    for mv in &game.moves {
        let over = end_so_far(&trial);
        match trial.play(mv) {
            Ok(ply) => {
                if let Some(end) = over {
                    ended.get_or_insert((trial.ply() - 1, end));
                }
                if !ply.is_decided {
                    open_ply.get_or_insert(trial.ply());
                }
                let heeds_check = trial.referee().heeds_check(trial.position().turn.to_move());
                let may_be_drawn = || trial.is_material_doubtful();
                findings.extend(habits.findings(mv, &ply, trial.ply(), heeds_check, may_be_drawn));
            }
            Err(found) => {
                fault = Some(found);
                break;
            }
        }
    }
    if let Some((ply, end)) = ended.or_else(|| Some((trial.ply(), end_so_far(&trial)?)))
        && ply < game.moves.len()
    {
        let message = format!("the game has ended before this move: {end}");
        findings.push(Finding::new(Kind::MovesAfterEnd, ply + 1, message).at(&game.moves[ply].from));
    }
    if let Some(ply) = open_ply {
        let message = "whether the player can move could not be decided";
        findings.push(Finding::new(Kind::Undecided, ply, message));
    }
    let (mut legal, mut first_illegal_ply) = (Some(true), None);
    if let Some(fault) = &fault {
        let ply = trial.ply() + 1;
        findings.extend(of_fault(game, fault, ply));
        legal = fault.is_certain().then_some(false);
        first_illegal_ply = fault.is_certain().then_some(ply);
    }
    findings.sort_by_key(|finding| finding.ply);
    findings.splice(..0, start::findings(game));
    let mut conclusion = None;
    if fault.is_none() {
        findings.extend(tags::findings(game, &trial));
        conclusion = trial.conclusion();
    }
    Inspection { legal, first_illegal_ply, conclusion, plies: trial.ply(), findings }
}

/// How the game stands ended. A start with bare material is there to be played with.
fn end_so_far(trial: &Trial<'_>) -> Option<Conclusion> {
    trial.conclusion().filter(|end| trial.ply() > 0 || end.condition != Condition::InsufficientMaterial)
}

/// What to say about a move that is not legal.
fn of_fault(game: &Game, fault: &Fault, ply: usize) -> Vec<Finding> {
    let kind = if fault.is_certain() { Kind::IllegalMove } else { Kind::Undecided };
    let mut findings = vec![Finding::new(kind, ply, fault.to_string()).at(&fault.to)];
    let concerns_rank = matches!(fault.reason, Reason::MustNotPromote | Reason::MustPromote);
    if concerns_rank && let Some(swapped) = swapped_promotion(game, ply) {
        findings.push(Finding::new(Kind::SwappedPromotion, ply, swapped).at(&fault.to));
    }
    findings
}

/// Says that the moves promote on the ranks of the other player, if they do.
fn swapped_promotion(game: &Game, ply: usize) -> Option<String> {
    let promotes_on = |player: Player, move_at: usize| {
        let rank = &game.moves[move_at].to.y;
        let law = game.start.laws.promotion.get(&player)?;
        law.ranks().contains(rank).then_some(rank)
    };
    let other = |player| if player == Player::WHITE { Player::BLACK } else { Player::WHITE };
    let players = game.start.turn.players();
    let promoting = game.moves.iter().enumerate().skip(ply - 1).find(|(_, mv)| mv.promotion.is_some());
    let (at, _) = promoting?;
    let mover = game.start.turn.at(at);
    let rank = promotes_on(other(mover), at)?;
    let is_plain = players == [Player::WHITE, Player::BLACK] && promotes_on(mover, at).is_none();
    is_plain.then(|| {
        format!(
            "{mover} promotes on row {rank}, which the text gives to {}: the oldest texts have the ranks the other way round",
            other(mover)
        )
    })
}
