//! How games end.

use std::collections::HashMap;

use boardprint_base::{Condition, GameResult, Side};

use crate::board::Board;
use crate::game::Game;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Conclusion {
    /// Who won; nobody in a draw.
    pub victor: Option<Side>,
    /// In which way.
    pub condition: Condition,
}

impl Conclusion {
    pub(crate) const fn draw(condition: Condition) -> Self {
        Conclusion { victor: None, condition }
    }

    pub(crate) const fn win(victor: Side, condition: Condition) -> Self {
        Conclusion { victor: Some(victor), condition }
    }

    /// The result that it means, with the first player as white; unknown where points decide.
    #[must_use]
    pub const fn result(self) -> GameResult {
        match self.victor {
            None if matches!(self.condition, Condition::Points) => GameResult::Unknown,
            None => GameResult::Draw,
            Some(Side::Bottom) => GameResult::WhiteWins,
            Some(Side::Top) => GameResult::BlackWins,
        }
    }

    /// Whether a result cannot be that of the game. Where points decide, any can.
    #[must_use]
    pub fn contradicts(self, result: GameResult) -> bool {
        self.condition != Condition::Points && result != self.result()
    }
}

/// The positions of a game so far, to find the ends that one position does not show: repetition, perpetual
/// check, and moves without progress. What it does not know of a game it says nothing about.
///
/// ```
/// use boardprint_finite::{Board, Condition, Game, History, Notation};
/// let mut board = Board::start(Game::Shogi);
/// let mut history = History::new(&board);
/// let mut end = None;
/// for word in ["2h3h", "8b7b", "3h2h", "7b8b"].repeat(3) {
///     assert_eq!(end, None);
///     board.play(board.read(Notation::Usi, word)?).expect("a legal move");
///     end = history.push(&board);
/// }
/// assert_eq!(end.map(|end| end.condition), Some(Condition::Repetition));
/// # Ok::<(), boardprint_finite::MoveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct History {
    /// How often each position stood, and at which ply first.
    seen: HashMap<Vec<u8>, Vec<usize>>,
    /// Whether the side to move was in check after each ply.
    checks: Vec<bool>,
    /// The position before, in Janggi.
    before: Option<Board>,
}

impl History {
    /// A game that starts here.
    #[must_use]
    pub fn new(start: &Board) -> Self {
        let mut history = History { seen: HashMap::new(), checks: Vec::new(), before: None };
        history.push(start);
        history
    }

    /// Adds the position after a move, and says whether the game is over by it: as [`Board::end`] does, or by
    /// what came before.
    pub fn push(&mut self, board: &Board) -> Option<Conclusion> {
        let ply = self.checks.len();
        self.checks.push(board.is_check());
        let mut key = Vec::with_capacity(96);
        board.write_identity(&mut key);
        let times = self.seen.entry(key).or_default();
        times.push(ply);
        if let Some(end) = board.end() {
            return Some(end);
        }
        let (count, first) = (times.len(), times[0]);
        match board.game() {
            Game::Western if count >= 5 => Some(Conclusion::draw(Condition::Repetition)),
            Game::Western if board.clock() >= 150 => Some(Conclusion::draw(Condition::MoveRule)),
            Game::Shogi if count >= 4 => Some(self.fourfold(board.side(), first, ply)),
            Game::Janggi => {
                // Every move but a pass changes the pieces of the side that makes it, so two plies that
                // change nothing are two passes.
                let passed_twice = count >= 2 && times[count - 2] + 2 == ply;
                let before = self.before.replace(board.clone());
                let faced = before.is_some_and(|before| before.passed_while_facing(board));
                (passed_twice || faced).then_some(Conclusion::draw(Condition::Points))
            }
            _ => None,
        }
    }

    /// The fourth time: a draw, unless all moves of one side since the first time were checks.
    fn fourfold(&self, to_move: Side, first: usize, last: usize) -> Conclusion {
        // After plies last, last - 2, … the side that is to move now was to move: its opponent had just moved.
        let all_checks = |after: usize| (first + 1..=after).rev().step_by(2).all(|ply| self.checks[ply]);
        if all_checks(last) {
            Conclusion::win(to_move, Condition::PerpetualCheck)
        } else if all_checks(last - 1) {
            Conclusion::win(to_move.opponent(), Condition::PerpetualCheck)
        } else {
            Conclusion::draw(Condition::Repetition)
        }
    }
}
