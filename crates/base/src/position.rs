//! Positions and the laws they are played under.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::coord::Coord;
use crate::json::{Json, JsonObject};
use crate::piece::PieceKind;
use crate::pieces::Pieces;
use crate::player::{Player, TurnOrder};
use crate::square::Square;

/// A position of the unbounded board with its laws and counters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Whose turn it is and who follows.
    pub turn: TurnOrder,
    /// The square onto which a pawn may capture en passant.
    pub en_passant: Option<Square>,
    /// Half-moves without progress and how many are allowed; `None` without such a rule.
    pub move_rule: Option<MoveRule>,
    /// The full move number, 1 at the start of a game.
    pub full_move: Coord,
    /// Promotion, win conditions, border, extra rules. Shared: positions of one game have the same laws.
    pub laws: Arc<Laws>,
    /// The pieces in reading order.
    pub pieces: Pieces,
}

/// The counter of half-moves without capture or pawn move, and its limit. Both are never negative.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MoveRule {
    /// Half-moves since the last capture or pawn move.
    pub count: Coord,
    /// How many end the game.
    pub limit: Coord,
}

/// What does not change during a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Laws {
    /// Who promotes where and to what; a player that is missing never promotes.
    pub promotion: BTreeMap<Player, Promotion>,
    /// How each player wins.
    pub wins: WinConditions,
    /// The edges of the board.
    pub border: Border,
    /// Rules that have no field of their own.
    pub extra: JsonObject,
}

impl Laws {
    /// Whether nobody promotes, checkmate wins, the board is open, and no extra rule says anything but the
    /// default.
    #[must_use]
    pub fn is_default(&self) -> bool {
        self.promotion.is_empty()
            && self.wins.is_default()
            && self.border.is_open()
            && !self.has_unusual_rules()
    }

    /// Whether an extra rule says what also holds without it: `cannotPassTurn: true` and `slideLimit:
    /// "Infinity"`.
    ///
    /// The notation's own text leaves them out of the compact spelling of a game whose long spelling has them.
    #[must_use]
    pub fn is_default_rule(name: &str, value: &Json) -> bool {
        match name {
            "cannotPassTurn" => *value == Json::Bool(true),
            "slideLimit" => matches!(value, Json::String(text) if &**text == "Infinity"),
            _ => false,
        }
    }

    /// Whether there are extra rules that say anything but the default.
    #[must_use]
    pub fn has_unusual_rules(&self) -> bool {
        self.extra.iter().any(|(name, value)| !Self::is_default_rule(name, value))
    }

    /// Appends the extra rules as canonical JSON, without those that say the default.
    pub fn write_unusual_rules_to(&self, out: &mut Vec<u8>) {
        self.extra.write_members_to(|name, value| !Self::is_default_rule(name, value), out);
    }
}

/// Where a player's pawns promote and to what.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Promotion {
    ranks: Vec<Coord>,
    choices: Vec<PieceKind>,
}

impl Promotion {
    /// Promotion on the given ranks to the given choices; both in any order, repeats do not matter.
    #[must_use]
    pub fn new(ranks: impl IntoIterator<Item = Coord>, choices: impl IntoIterator<Item = PieceKind>) -> Self {
        let mut ranks: Vec<Coord> = ranks.into_iter().collect();
        ranks.sort_unstable();
        ranks.dedup();
        let mut choices: Vec<PieceKind> = choices.into_iter().collect();
        choices.sort_unstable();
        choices.dedup();
        Promotion { ranks, choices }
    }

    /// Promotion on the given ranks to queen, rook, bishop or knight.
    #[must_use]
    pub fn usual(ranks: impl IntoIterator<Item = Coord>) -> Self {
        Self::new(ranks, PieceKind::USUAL_PROMOTIONS)
    }

    /// The ranks, ascending.
    #[must_use]
    pub fn ranks(&self) -> &[Coord] {
        &self.ranks
    }

    /// The choices, in the order of [`PieceKind`].
    #[must_use]
    pub fn choices(&self) -> &[PieceKind] {
        &self.choices
    }

    /// Whether the choices are exactly queen, rook, bishop and knight.
    #[must_use]
    pub fn has_usual_choices(&self) -> bool {
        self.choices == PieceKind::USUAL_PROMOTIONS
    }
}

/// The win condition that holds where none is given.
pub const CHECKMATE: &str = "checkmate";

/// The win conditions that the programs in use know.
pub const KNOWN_WIN_CONDITIONS: [&str; 6] =
    [CHECKMATE, "royalcapture", "allroyalscaptured", "allpiecescaptured", "koth", "threecheck"];

/// How each player wins: sets of words, `checkmate` alone unless said otherwise. In the order of players.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct WinConditions(Vec<(Player, BTreeSet<Box<str>>)>);

impl WinConditions {
    /// Sets how a player wins.
    pub fn set(&mut self, player: Player, conditions: BTreeSet<Box<str>>) {
        self.0.retain(|(known, _)| *known != player);
        if conditions.len() > 1 || !conditions.contains(CHECKMATE) {
            let place = self.0.partition_point(|(known, _)| *known < player);
            self.0.insert(place, (player, conditions));
        }
    }

    fn get(&self, player: Player) -> Option<&BTreeSet<Box<str>>> {
        self.0.iter().find(|(known, _)| *known == player).map(|(_, conditions)| conditions)
    }

    /// How a player wins, in ASCII order.
    pub fn of(&self, player: Player) -> impl Iterator<Item = &str> {
        let given = self.get(player);
        given.into_iter().flatten().map(|word| &**word).chain(given.is_none().then_some(CHECKMATE))
    }

    /// Whether a player wins in this way.
    #[must_use]
    pub fn has(&self, player: Player, condition: &str) -> bool {
        self.get(player).map_or(condition == CHECKMATE, |words| words.contains(condition))
    }

    /// Whether every player wins by checkmate alone.
    #[must_use]
    pub fn is_default(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether all of these players win in the same ways.
    #[must_use]
    pub fn is_shared_by(&self, players: &[Player]) -> bool {
        players.windows(2).all(|pair| self.get(pair[0]) == self.get(pair[1]))
    }
}

/// The edges of the board, each included; `None` is open. A closed pair is never inverted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Border {
    /// The least column.
    pub left: Option<Coord>,
    /// The greatest column.
    pub right: Option<Coord>,
    /// The least row.
    pub bottom: Option<Coord>,
    /// The greatest row.
    pub top: Option<Coord>,
}

impl Border {
    /// Whether every side is open.
    #[must_use]
    pub fn is_open(&self) -> bool {
        *self == Border::default()
    }

    /// Whether left lies right of right, or bottom above top.
    #[must_use]
    pub fn is_inverted(&self) -> bool {
        let inverted = |low: &Option<Coord>, high: &Option<Coord>| matches!((low, high), (Some(low), Some(high)) if low > high);
        inverted(&self.left, &self.right) || inverted(&self.bottom, &self.top)
    }

    /// Whether a square is on the board.
    #[must_use]
    pub fn contains(&self, square: &Square) -> bool {
        let within = |value: &Coord, low: &Option<Coord>, high: &Option<Coord>| {
            low.as_ref().is_none_or(|low| low <= value) && high.as_ref().is_none_or(|high| value <= high)
        };
        within(&square.x, &self.left, &self.right) && within(&square.y, &self.bottom, &self.top)
    }
}

impl Position {
    /// A position with white to move, default laws and counters.
    #[must_use]
    pub fn new(pieces: Pieces) -> Self {
        Position { pieces, ..Position::default() }
    }
}

impl Default for Position {
    /// The empty board.
    fn default() -> Self {
        Position {
            turn: TurnOrder::default(),
            en_passant: None,
            move_rule: None,
            full_move: 1_i64.into(),
            laws: Arc::default(),
            pieces: Pieces::default(),
        }
    }
}
