//! Games and positions as text, for `parse` and `to_string`.

use std::fmt;
use std::str::FromStr;

use boardprint_base::{Game, Position};

use crate::error::{IcnError, Rule};
use crate::{canonical, canonical_position, parse};

/// A game or a position as ICN: [`FromStr`] reads any dialect leniently, [`Display`](fmt::Display) writes the
/// canonical text.
///
/// [`Game`] and [`Position`] belong to a crate that knows no format, so they wear this coat where text is
/// meant.
///
/// ```
/// use boardprint_base::{Game, Position};
/// use boardprint_icn::Icn;
///
/// let Icn(game): Icn<Game> = "[White: Tom] k5,8|K5,1 1. K5,1 > 5,2 {hm}".parse()?;
/// assert_eq!(Icn(&game).to_string(), "k5,8|K5,1 5,1>5,2");
/// let Icn(position): Icn<Position> = "b K5,1|k5,8".parse()?;
/// assert_eq!(Icn(&position).to_string(), "b k5,8|K5,1");
/// # Ok::<(), boardprint_icn::IcnError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Icn<T>(pub T);

impl FromStr for Icn<Game> {
    type Err = IcnError;
    fn from_str(text: &str) -> Result<Self, IcnError> {
        parse(text).map(|reading| Icn(reading.game))
    }
}

/// A game with moves is not a position.
impl FromStr for Icn<Position> {
    type Err = IcnError;
    fn from_str(text: &str) -> Result<Self, IcnError> {
        let game = parse(text)?.game;
        if game.moves.is_empty() {
            return Ok(Icn(game.start));
        }
        Err(IcnError::new(Rule::MovesOfPosition.into(), boardprint_base::Span::new(0, text.len())))
    }
}

impl fmt::Display for Icn<&Game> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&canonical(self.0))
    }
}

impl fmt::Display for Icn<Game> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Icn(&self.0).fmt(f)
    }
}

impl fmt::Display for Icn<&Position> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&canonical_position(self.0))
    }
}

impl fmt::Display for Icn<Position> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Icn(&self.0).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_not_a_position() {
        let error = "K1,1|k1,9 1,1>1,2".parse::<Icn<Position>>().unwrap_err();
        assert_eq!(error.to_string(), "a game with moves where a position is wanted");
        assert!("K1,1|k1,9 1,1>1,2".parse::<Icn<Game>>().is_ok());
    }
}
