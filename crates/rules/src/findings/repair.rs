//! Mends what can be mended without judgement.

use std::sync::Arc;

use boardprint_base::{Game, Laws, Move, Player, Promotion};

use super::marks::Habits;
use super::{Finding, Kind, inspect, tags};
use crate::legal::{Answer, Ply, Trial};
use crate::pieces::PieceTable;

/// What may be mended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RepairOptions {
    result: bool,
}

impl RepairOptions {
    /// Whether a result or termination that the board contradicts is changed. It may be the moves that are
    /// wrong, so this has to be asked for.
    #[must_use]
    pub const fn result(mut self, wanted: bool) -> Self {
        self.result = wanted;
        self
    }
}

/// A game after its repair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repaired {
    /// The game; as it was if nothing could be mended.
    pub game: Game,
    /// What was changed, in the order of the game.
    pub repairs: Vec<Repair>,
}

/// One thing that was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// What was wrong.
    pub finding: Finding,
    /// What was done about it.
    pub done: String,
}

impl std::fmt::Display for Repair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.finding, self.done)
    }
}

/// Mends what can be mended without judgement: ranks of promotion that are the other way round, if that makes
/// the whole game legal, and marks that contradict the board. A game that stays illegal is not touched.
///
/// ```
/// use boardprint_base::{Game, Move, Piece, PieceKind, Pieces, Placed, Player, Position, Square};
/// use boardprint_rules::findings::{RepairOptions, repair};
/// use boardprint_rules::pieces::PieceTable;
///
/// let knight = Placed::new(Piece::new(PieceKind::Knight, Player::WHITE), Square::new(0, 0));
/// let mut mv = Move::new(Square::new(0, 0), Square::new(1, 2));
/// mv.notes.capture = true;
/// let start = Position::new(Pieces::from_list(vec![knight]).unwrap());
/// let game = Game { start, moves: vec![mv], ..Game::default() };
/// let mended = repair(PieceTable::built_in(), &game, RepairOptions::default());
/// assert!(!mended.game.moves[0].notes.capture);
/// assert_eq!(mended.repairs[0].to_string(), "ply 1: N0,0>1,2 has `x` and takes nothing: removed `x`");
/// ```
#[must_use]
pub fn repair(table: &PieceTable, game: &Game, options: RepairOptions) -> Repaired {
    let mut repaired = Repaired { game: game.clone(), repairs: Vec::new() };
    let mut found = inspect(table, game);
    if found.legal == Some(false)
        && let Some(swapped) = found.findings.iter().find(|finding| finding.kind == Kind::SwappedPromotion)
        && let Some(other_way_round) = with_swapped_ranks(game)
    {
        let judged = inspect(table, &other_way_round);
        if judged.legal == Some(true) {
            let done = "gave each player the ranks of the other".to_owned();
            repaired.repairs.push(Repair { finding: swapped.clone(), done });
            repaired.game = other_way_round;
            found = judged;
        }
    }
    if found.legal == Some(true) {
        repair_marks(table, &mut repaired);
        if options.result {
            repair_result(table, &mut repaired);
        }
    }
    repaired
}

/// The game with the promotion ranks of White and Black exchanged; each keeps the pieces it may choose from.
fn with_swapped_ranks(game: &Game) -> Option<Game> {
    let laws = &game.start.laws;
    let (white, black) = (laws.promotion.get(&Player::WHITE)?, laws.promotion.get(&Player::BLACK)?);
    let with = |ranks: &Promotion, choices: &Promotion| {
        Promotion::new(ranks.ranks().iter().cloned(), choices.choices().iter().copied())
    };
    let mut promotion = laws.promotion.clone();
    promotion.insert(Player::WHITE, with(black, white));
    promotion.insert(Player::BLACK, with(white, black));
    let mut swapped = game.clone();
    swapped.start.laws = Arc::new(Laws { promotion, ..Laws::clone(laws) });
    Some(swapped)
}

fn repair_marks(table: &PieceTable, repaired: &mut Repaired) {
    // What the writer marks is decided by the game as it was: mending the only `+` does not change the habit.
    let habits = Habits::of(&repaired.game);
    let mut trial = Trial::new(table, repaired.game.start.clone());
    for mv in &mut repaired.game.moves {
        let Ok(ply) = trial.play(mv) else { return };
        let heeds_check = trial.referee().heeds_check(trial.position().turn.to_move());
        // A move has at most one wrong mark of each kind: `x`, and one of `+` and `#`.
        for _ in 0..3 {
            let may_be_drawn = || trial.is_material_doubtful();
            let Some(finding) = habits.findings(mv, &ply, trial.ply(), heeds_check, may_be_drawn) else {
                break;
            };
            let Some(done) = mend(mv, &ply, finding.kind) else { break };
            repaired.repairs.push(Repair { finding, done });
        }
    }
}

/// Mends the marks of a move and says how.
fn mend(mv: &mut Move, ply: &Ply, kind: Kind) -> Option<String> {
    let marks = mv.notes.marks.to_string();
    let (marks, done) = match kind {
        Kind::MissingCapture => {
            mv.notes.capture = true;
            (marks, "added `x`")
        }
        Kind::WrongCapture => {
            mv.notes.capture = false;
            (marks, "removed `x`")
        }
        Kind::WrongMate if ply.check == Answer::Yes && !marks.contains('+') => {
            (marks.replacen('#', "+", 1), "wrote `+` for `#`")
        }
        Kind::WrongMate => (marks.replace('#', ""), "removed `#`"),
        Kind::WrongCheck => (marks.replace('+', ""), "removed `+`"),
        Kind::MissingMate if marks.contains('+') => (marks.replacen('+', "#", 1), "wrote `#` for `+`"),
        Kind::MissingMate => (format!("#{marks}"), "added `#`"),
        Kind::MissingCheck => (format!("+{marks}"), "added `+`"),
        _ => return None,
    };
    mv.notes.marks = marks.into();
    Some(done.to_owned())
}

/// Gives the game the result of the board, if the board shows an end.
fn repair_result(table: &PieceTable, repaired: &mut Repaired) {
    let found = inspect(table, &repaired.game);
    let Some(end) = found.conclusion else { return };
    let Some(result) = tags::result_of(end) else { return };
    let concerns = |finding: &Finding| matches!(finding.kind, Kind::WrongResult | Kind::WrongTermination);
    for finding in found.findings.into_iter().filter(concerns) {
        let (name, value) = match finding.kind {
            Kind::WrongResult => ("Result", result.as_str()),
            _ => ("Termination", end.condition.title()),
        };
        if finding.kind == Kind::WrongResult && repaired.game.result.is_some() {
            repaired.game.result = Some(result);
        }
        for tag in repaired.game.tags.iter_mut().filter(|tag| &*tag.name == name) {
            tag.value = value.into();
        }
        repaired.repairs.push(Repair { finding, done: format!("wrote `{value}`") });
    }
}
