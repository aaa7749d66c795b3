//! General Actor Notation: `game:name` with its prefixes.

use std::fmt;

use boardprint_base::{Side, SyntaxError};
use nom::Parser;
use nom::bytes::complete::take_while;
use nom::character::complete::{char, satisfy};
use nom::combinator::{opt, recognize};

use crate::parse::{Fault, PResult, expected};
use crate::revision::Revision;

/// An actor of General Actor Notation, such as `W:^K`.
///
/// ```
/// use boardprint_cpn::{Actor, Side};
/// let dragon = Actor::parse("s:+r")?;
/// assert_eq!((dragon.game(), dragon.abbreviation(), dragon.side()), ("s", "r", Side::Top));
/// assert!(dragon.is_promoted() && !dragon.is_royal());
/// # Ok::<(), boardprint_base::SyntaxError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Actor<'a> {
    text: &'a str,
    game: &'a str,
    promoted: bool,
    royal: Option<Revision>,
    abbreviation: &'a str,
}

impl<'a> Actor<'a> {
    /// Reads an actor of any revision.
    ///
    /// # Errors
    ///
    /// [`SyntaxError`] if the text is anything but one actor.
    pub fn parse(text: &'a str) -> Result<Self, SyntaxError> {
        match actor(text) {
            Ok(("", actor)) => Ok(actor),
            Ok((rest, _)) => Err(Fault::new(rest, "the end of the actor").into_syntax_error(text)),
            Err(error) => Err(Fault::of(error).into_syntax_error(text)),
        }
    }

    /// The whole text.
    #[must_use]
    pub const fn as_str(&self) -> &'a str {
        self.text
    }

    /// The game its rules come from, in its case: `W`, `s`, `DAI_DAI_SHOGI`.
    #[must_use]
    pub const fn game(&self) -> &'a str {
        self.game
    }

    /// Its name within the game, in its case, without prefixes.
    #[must_use]
    pub const fn abbreviation(&self) -> &'a str {
        self.abbreviation
    }

    /// Whether it has the prefix `+`.
    #[must_use]
    pub const fn is_promoted(&self) -> bool {
        self.promoted
    }

    /// Whether it has a royal prefix.
    #[must_use]
    pub const fn is_royal(&self) -> bool {
        self.royal.is_some()
    }

    /// The revision its royal prefix is from.
    #[must_use]
    pub const fn revision(&self) -> Option<Revision> {
        self.royal
    }

    /// Whose it is, by its case.
    #[must_use]
    pub fn side(&self) -> Side {
        side_of(self.game)
    }

    /// Appends the text with the royal prefix of a revision.
    pub fn write_to(&self, revision: Revision, out: &mut String) {
        out.push_str(self.game);
        out.push(':');
        if self.promoted {
            out.push('+');
        }
        if self.is_royal() {
            out.push(revision.royal_prefix());
        }
        out.push_str(self.abbreviation);
    }
}

impl fmt::Display for Actor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text)
    }
}

fn side_of(text: &str) -> Side {
    if text.starts_with(|c: char| c.is_ascii_uppercase()) { Side::Bottom } else { Side::Top }
}

/// An actor at the beginning of the input.
pub(crate) fn actor(i: &str) -> PResult<'_, Actor<'_>> {
    let side = side_of(i);
    let abbreviation = match side {
        Side::Bottom => "a name in upper case like its game",
        Side::Top => "a name in lower case like its game",
    };
    let (rest, (game, _, promoted, royal, abbreviation)) = (
        expected("an actor such as `w:r`", name(side)),
        expected("`:` after the game", char(':')),
        opt(char('+')),
        opt(satisfy(|c| Revision::from_royal_prefix(c).is_some())),
        expected(abbreviation, name(side)),
    )
        .parse(i)?;
    let actor = Actor {
        text: &i[..i.len() - rest.len()],
        game,
        promoted: promoted.is_some(),
        royal: royal.and_then(Revision::from_royal_prefix),
        abbreviation,
    };
    Ok((rest, actor))
}

/// A letter of the side's case, then more of them, digits and `_`.
fn name<'a>(side: Side) -> impl Parser<&'a str, Output = &'a str, Error = Fault<'a>> {
    let letter = move |c: char| match side {
        Side::Bottom => c.is_ascii_uppercase(),
        Side::Top => c.is_ascii_lowercase(),
    };
    recognize((satisfy(letter), take_while(move |c: char| letter(c) || c.is_ascii_digit() || c == '_')))
}
