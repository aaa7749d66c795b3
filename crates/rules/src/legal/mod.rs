//! Which moves are legal, who is in check, and how a game ends, as infinitechess.org plays.
//!
//! How a piece moves comes from the [`PieceTable`] alone. What is added here are the rules about pieces of
//! special standing: royals, castling, en passant, promotion, and the ends of a game.
//!
//! - A player has to heed check only if an opponent wins by checkmate. Checkmate is replaced by the capture
//!   of a royal where more than two players move, one moves twice in a row, there are more than 50,000
//!   pieces, 16 directions of slides or 6 royals.
//! - Whether a player can move at all is decided from finitely many candidates: every leap, and on a ray the
//!   first stop, captures of whoever gives check, and the crossings with the lines of attack. See
//!   [`Referee::can_move`].
//! - Who is captured en passant is a pawn, as in the identity of a position. Only a game whose moves are known
//!   has another case: a pawn that went two squares onto a rank of promotion may be taken as what it became.
//! - Where a question has no answer within the budget it is [`Answer::Unknown`]; a mate is never claimed then.
//!
//! ```
//! use boardprint_base::{Move, Piece, PieceKind, Pieces, Placed, Player, Position, Square};
//! use boardprint_rules::legal::Trial;
//! use boardprint_rules::pieces::PieceTable;
//!
//! let piece = |kind, player, x: i64, y: i64| Placed::new(Piece::new(kind, player), Square::new(x, y));
//! let pieces = vec![
//!     piece(PieceKind::Rook, Player::WHITE, 8, 1),
//!     piece(PieceKind::Pawn, Player::WHITE, 8, 2),
//! ];
//! let start = Position::new(Pieces::from_list(pieces).unwrap());
//! let mut trial = Trial::new(PieceTable::built_in(), start);
//! let fault = trial.play(&Move::new(Square::new(8, 1), Square::new(8, 9))).unwrap_err();
//! assert_eq!(fault.to_string(), "R8,1>8,9 passes over P8,2");
//! ```

mod attack;
mod candidates;
mod castling;
mod ends;
mod guard;
mod line;
mod lines;
mod list;
mod material;
mod plain;
mod reason;
mod repetition;
mod strikes;
#[cfg(test)]
mod tests;
mod trial;

use boardprint_base::{CHECKMATE, Coord, Json, Move, Piece, PieceKind, Placed, Player, Position, Square};

pub use attack::Check;
pub use boardprint_base::Condition;
pub(crate) use castling::Castlers;
pub use ends::Conclusion;
pub use list::{Count, Destination, LegalMoves, LegalRay, Line, PieceMoves, Special};
pub use reason::{Fault, Reason};
pub(crate) use strikes::Strikes;
pub use trial::{Ply, Trial};

use crate::fairy::{Mover, Path, Reach, Run, View};
use crate::pieces::PieceTable;
use boardprint_base::replay::{Played, en_passant_victim, play};

/// Yes, no, or not known within the budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// Yes.
    Yes,
    /// No.
    No,
    /// The budget did not allow an answer.
    Unknown,
}

impl Answer {
    /// Yes if both are, no if one is.
    fn and(self, other: Answer) -> Answer {
        match (self, other) {
            (Answer::No, _) | (_, Answer::No) => Answer::No,
            (Answer::Yes, Answer::Yes) => Answer::Yes,
            _ => Answer::Unknown,
        }
    }

    fn not(self) -> Answer {
        match self {
            Answer::Yes => Answer::No,
            Answer::No => Answer::Yes,
            Answer::Unknown => Answer::Unknown,
        }
    }
}

/// Decides about moves under the laws of one game.
#[derive(Clone, Debug)]
pub struct Referee<'t> {
    table: &'t PieceTable,
    /// Whether checkmate cannot be decided here and the capture of a royal stands in for it.
    checkmate_replaced: bool,
    /// The players who have to heed check.
    guarded: Vec<Player>,
    slide_limit: Option<Coord>,
    /// The rays of all pieces of the game, if none attacks in any other way than by these and by leaps.
    rays: Option<plain::Rays>,
    /// Whether a pawn has just gone two squares and become something else, which may be taken en passant.
    /// A position alone does not tell: there only pawns are.
    has_passed_as_pawn: bool,
}

/// The most pieces, royals and directions of slides with which the site decides checkmate.
const MOST_PIECES: usize = 50_000;
const MOST_ROYALS: usize = 6;
const MOST_DIRECTIONS: usize = 16;

impl<'t> Referee<'t> {
    /// The referee of a game that starts from this position.
    #[must_use]
    pub fn new(table: &'t PieceTable, start: &Position) -> Self {
        let players = start.turn.players();
        let slide_limit = match start.laws.extra.get("slideLimit") {
            Some(Json::Number(limit)) => limit.as_str().parse().ok(),
            _ => None,
        };
        let mut referee = Referee {
            table,
            checkmate_replaced: false,
            guarded: Vec::new(),
            slide_limit,
            rays: None,
            has_passed_as_pawn: false,
        };
        referee.rays = referee.rays_of_game(start);
        referee.checkmate_replaced = players.len() > 2
            || has_double_turn(start.turn.cycle())
            || start.pieces.len() > MOST_PIECES
            || start.pieces.iter().filter(|placed| referee.is_royal(placed.piece)).count() > MOST_ROYALS
            || referee.directions(start) > MOST_DIRECTIONS;
        if !referee.checkmate_replaced {
            let mates = |player: &Player| start.laws.wins.has(*player, CHECKMATE);
            let is_guarded = |player: &Player| players.iter().any(|other| other != player && mates(other));
            referee.guarded = players.iter().copied().filter(is_guarded).collect();
        }
        referee
    }

    /// The table of pieces.
    #[must_use]
    pub fn table(&self) -> &'t PieceTable {
        self.table
    }

    /// Whether a player must not leave a royal in check.
    #[must_use]
    pub fn heeds_check(&self, player: Player) -> bool {
        self.guarded.contains(&player)
    }

    /// Whether a player wins in this way, with checkmate replaced where it cannot be decided.
    #[must_use]
    pub fn wins_by(&self, position: &Position, player: Player, condition: &str) -> bool {
        let has = |condition| position.laws.wins.has(player, condition);
        match condition {
            CHECKMATE => has(CHECKMATE) && !self.checkmate_replaced,
            "royalcapture" => has("royalcapture") || (self.checkmate_replaced && has(CHECKMATE)),
            other => has(other),
        }
    }

    /// Whether a move is legal; the position is as before afterwards.
    ///
    /// # Errors
    ///
    /// [`Fault`] says what is wrong with it.
    pub fn judge(&self, position: &mut Position, mv: &Move) -> Result<(), Fault> {
        self.play(position, mv).map(|played| played.undo(position))
    }

    /// Plays a move if it is legal; otherwise the position is as before.
    ///
    /// # Errors
    ///
    /// [`Fault`] says what is wrong with it.
    pub fn play(&self, position: &mut Position, mv: &Move) -> Result<Played, Fault> {
        self.play_out_of(position, mv, Answer::Unknown)
    }

    /// The same where it is known already whether the player is in check.
    fn play_out_of(&self, position: &mut Position, mv: &Move, check: Answer) -> Result<Played, Fault> {
        match self.play_if_legal(position, mv, check) {
            Ok(played) => Ok(played),
            Err(refusal) => Err(self.explain(position, mv, refusal)),
        }
    }

    /// Plays a move if it is legal. `check`: whether the player to move is in check.
    fn play_if_legal(&self, position: &mut Position, mv: &Move, check: Answer) -> Result<Played, Refusal> {
        let Ok(index) = position.pieces.find(&mv.from) else { return Err(Refusal::Illegal) };
        let mover = &position.pieces.as_slice()[index];
        let (piece, side) = (mover.piece, position.turn.to_move());
        if piece.player != side || mv.from == mv.to || !promotes_well(position, piece, mv) {
            return Err(Refusal::Illegal);
        }
        let mut certain = true;
        match self.reach(position, mover, &mv.to) {
            Reach::Quiet | Reach::Capture => {}
            Reach::Unknown => certain = false,
            Reach::Null | Reach::No => {
                let special = if piece.kind == PieceKind::Pawn {
                    self.is_en_passant(position, piece, mv).then_some(Answer::Yes)
                } else {
                    self.castling(position, index, &mv.to)
                };
                match special {
                    Some(Answer::Yes) => {}
                    Some(Answer::Unknown) => certain = false,
                    Some(Answer::No) | None => return Err(Refusal::Illegal),
                }
            }
        }
        let played = play(position, mv).map_err(|_| Refusal::Illegal)?;
        if self.heeds_check(side) && !(check == Answer::No && self.stays_safe(position, &played)) {
            match self.is_in_check(position, side) {
                Answer::No => {}
                Answer::Yes => {
                    played.undo(position);
                    return Err(Refusal::Illegal);
                }
                Answer::Unknown => certain = false,
            }
        }
        if certain {
            Ok(played)
        } else {
            played.undo(position);
            Err(Refusal::Unknown)
        }
    }

    fn is_royal(&self, piece: Piece) -> bool {
        self.is_royal_kind(piece.kind)
    }

    fn is_royal_kind(&self, kind: PieceKind) -> bool {
        match kind {
            PieceKind::Custom(_) => self.table.is_royal(kind),
            kind => kind.is_royal(),
        }
    }

    /// Whether a piece reaches a square by its movement.
    #[inline]
    fn reach(&self, position: &Position, mover: &Placed, to: &Square) -> Reach {
        if let Some(reach) = self.plain_reach(position, mover, to) {
            return reach;
        }
        let Some(definition) = self.table.get(mover.piece.kind) else { return Reach::Unknown };
        let movement = definition.movement(mover.piece.player);
        let view = view(position, mover.piece.player);
        let from = Mover { from: &mover.square, right: mover.right };
        let reach = match &self.slide_limit {
            None => movement.reach(from, to, &view),
            Some(_) => self.limited_reach(position, mover, to),
        };
        if reach == Reach::No || definition.keeps_to_small_boards(&mover.square, to) {
            reach
        } else {
            Reach::No
        }
    }

    /// Whether a piece reaches a square without sliding further than a limit.
    fn limited_reach(&self, position: &Position, mover: &Placed, to: &Square) -> Reach {
        let Some(definition) = self.table.get(mover.piece.kind) else { return Reach::Unknown };
        let movement = definition.movement(mover.piece.player);
        let view = view(position, mover.piece.player);
        let from = Mover { from: &mover.square, right: mover.right };
        let reach = movement.reach(from, to, &view);
        if !movement.is_exact() {
            return if reach.is_yes() { Reach::Unknown } else { reach };
        }
        let mut ways =
            movement.paths_to(from, to, &view).filter(|(path, _)| self.is_short(path, &mover.square, to));
        if reach.is_yes() && ways.next().is_none() { Reach::No } else { reach }
    }

    /// Whether a path to a square is not a slide beyond the limit of the laws.
    fn is_short(&self, path: &Path, from: &Square, to: &Square) -> bool {
        match (&self.slide_limit, path.as_ray().map(Run::step)) {
            (Some(limit), Some(step)) => line::count(from, to, step).is_some_and(|count| count <= *limit),
            _ => true,
        }
    }

    /// Whether a pawn's move captures en passant: a pawn, or what a pawn has become by going two squares.
    fn is_en_passant(&self, position: &Position, piece: Piece, mv: &Move) -> bool {
        let victim = en_passant_victim(position, piece, mv).and_then(|square| position.pieces.get(&square));
        position.pieces.get(&mv.to).is_none()
            && victim.is_some_and(|victim| victim.piece.kind == PieceKind::Pawn || self.has_passed_as_pawn)
    }

    /// How many directions of slides there are on a board.
    fn directions(&self, position: &Position) -> usize {
        let mut kinds: Vec<PieceKind> = position.pieces.iter().map(|placed| placed.piece.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let definitions = kinds.into_iter().filter_map(|kind| self.table.get(kind));
        let movements = definitions.map(|definition| definition.movement(Player::WHITE));
        let paths = movements.flat_map(|movement| movement.paths(true));
        let mut steps: Vec<_> = paths.filter_map(Path::as_ray).map(Run::step).map(line::undirected).collect();
        steps.sort_unstable();
        steps.dedup();
        steps.len()
    }
}

/// Why a move was not played, before anybody asks for words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refusal {
    Illegal,
    Unknown,
}

fn view(position: &Position, player: Player) -> View<'_> {
    View { pieces: &position.pieces, player, border: &position.laws.border }
}

/// Whether somebody moves twice in a row.
fn has_double_turn(cycle: &[Player]) -> bool {
    cycle.len() > 1 && (0..cycle.len()).any(|index| cycle[index] == cycle[(index + 1) % cycle.len()])
}

/// Whether a move lands where its piece has to promote.
fn has_to_promote(position: &Position, piece: Piece, to: &Square) -> bool {
    piece.kind == PieceKind::Pawn
        && position.laws.promotion.get(&piece.player).is_some_and(|law| law.ranks().contains(&to.y))
}

/// Whether a move promotes exactly where it has to, and to what it may.
fn promotes_well(position: &Position, piece: Piece, mv: &Move) -> bool {
    match mv.promotion {
        None => !has_to_promote(position, piece, &mv.to),
        Some(kind) => {
            has_to_promote(position, piece, &mv.to)
                && position.laws.promotion[&piece.player].choices().contains(&kind)
        }
    }
}
