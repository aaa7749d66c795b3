//! Players and turn orders.

use std::fmt;

/// A player, by number: 0 neutral, 1 white, 2 black, 3 red, 4 blue, 5 yellow, 6 green, then any number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Player(pub u32);

/// The codes of turn orders, by player number.
const CODES: [&str; 7] = ["n", "w", "b", "r", "bu", "y", "g"];
const NAMES: [&str; 7] = ["neutral", "white", "black", "red", "blue", "yellow", "green"];

impl Player {
    /// Nobody: obstacles and voids.
    pub const NEUTRAL: Player = Player(0);
    /// White, whose pawns move up.
    pub const WHITE: Player = Player(1);
    /// Black.
    pub const BLACK: Player = Player(2);

    /// The code in a turn order; players beyond green have none.
    #[must_use]
    pub fn code(self) -> Option<&'static str> {
        CODES.get(self.0 as usize).copied()
    }

    /// The player of a code in a turn order.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        let number = CODES.iter().position(|known| *known == code)?;
        u32::try_from(number).ok().map(Player)
    }

    /// Whether the cycle in which nobody else moves has to be given with two turns: the codes of white and
    /// black alone mean both in turn, and players beyond green have no codes.
    #[must_use]
    pub fn is_two_turns(self) -> bool {
        self == Player::WHITE || self == Player::BLACK || self.code().is_none()
    }

    /// The codes of turn orders, by player number.
    #[must_use]
    pub fn codes() -> &'static [&'static str] {
        &CODES
    }

    /// The English name in lower case, such as `white`; players beyond green have none.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        NAMES.get(self.0 as usize).copied()
    }

    /// The player of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let number = NAMES.iter().position(|known| *known == name)?;
        u32::try_from(number).ok().map(Player)
    }

    /// The names of players, by number.
    #[must_use]
    pub fn names() -> &'static [&'static str] {
        &NAMES
    }

    /// The direction in which this player's pawns move: up for white, down for everybody else.
    #[must_use]
    pub fn forward(self) -> i64 {
        if self == Player::WHITE { 1 } else { -1 }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "player {}", self.0),
        }
    }
}

impl fmt::Debug for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// One cycle of turns, the side to move first. Never empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TurnOrder(Vec<Player>);

impl TurnOrder {
    /// A cycle that starts with the side to move, or `None` without any player. White, black or a player beyond
    /// green alone stands twice, so that a cycle has one spelling in every notation
    /// ([`Player::is_two_turns`]).
    #[must_use]
    pub fn new(cycle: Vec<Player>) -> Option<Self> {
        match *cycle {
            [] => None,
            [player] if player.is_two_turns() => Some(TurnOrder(vec![player; 2])),
            _ => Some(TurnOrder(cycle)),
        }
    }

    /// White and black in turn, white to move.
    #[must_use]
    pub fn white_first() -> Self {
        TurnOrder(vec![Player::WHITE, Player::BLACK])
    }

    /// White and black in turn, black to move.
    #[must_use]
    pub fn black_first() -> Self {
        TurnOrder(vec![Player::BLACK, Player::WHITE])
    }

    /// The cycle, side to move first.
    #[must_use]
    pub fn cycle(&self) -> &[Player] {
        &self.0
    }

    /// Whose turn it is.
    #[must_use]
    #[inline]
    pub fn to_move(&self) -> Player {
        self.0[0]
    }

    /// Who moves at `ply` half-moves from now.
    #[must_use]
    #[inline]
    pub fn at(&self, ply: usize) -> Player {
        self.0[ply % self.0.len()]
    }

    /// The distinct players in ascending number: they fix how many parts promotion and win conditions have.
    #[must_use]
    pub fn players(&self) -> Vec<Player> {
        let mut players = self.0.clone();
        players.sort_unstable();
        players.dedup();
        players
    }

    /// Passes the turn on.
    pub fn advance(&mut self) {
        self.0.rotate_left(1);
    }

    /// Takes the turn back.
    pub fn retreat(&mut self) {
        self.0.rotate_right(1);
    }

    /// Whether this is the cycle of white and black, whoever is to move.
    #[must_use]
    pub fn is_white_and_black(&self) -> bool {
        matches!(*self.0, [Player::WHITE, Player::BLACK] | [Player::BLACK, Player::WHITE])
    }
}

impl Default for TurnOrder {
    fn default() -> Self {
        Self::white_first()
    }
}
