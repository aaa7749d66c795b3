//! How each piece moves: the built-in pieces, and those of a user's piece file.
//!
//! **Accepts** TOML with one table per piece: `code` (one to four lower-case letters that no other piece
//! has), `name`, `movement` (the Fairy language, see [`crate::fairy`]; `{}` is a piece that never moves) and
//! `royal` (false if left out).
//!
//! ```
//! use boardprint_base::PieceKind;
//! use boardprint_rules::pieces::PieceTable;
//! let table = PieceTable::from_toml(
//!     r#"
//!     [[piece]]
//!     code = "gr"
//!     name = "griffon"
//!     movement = "([1,1]*[0,1]^[0..*])|-/"
//!     "#,
//! )?;
//! let griffon = table.kind("gr").unwrap();
//! assert_eq!(table.get(griffon).unwrap().name(), "griffon");
//! assert_eq!(table.kind("q"), Some(PieceKind::Queen));
//! # Ok::<(), boardprint_rules::pieces::PieceFileError>(())
//! ```
//!
//! **Refuses** anything else, with the bytes that are wrong.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{LazyLock, OnceLock};

use boardprint_base::{Coord, CustomCode, Piece, PieceKind, Player, Span, Square};
use serde::Deserialize;
use toml::Spanned;

use crate::fairy::{Expr, Movement, MovementError, ReadOptions};
use crate::legal::Strikes;

const KING: &str = "{[1,0],[1,1]}|-/";
const QUEEN: &str = "{[1,0]^*,[1,1]^*}|-/";
const CENTAUR: &str = "{[1,0],[1,1],[1,2]}|-/";
const NONE: &str = "{}";
/// Two circles of seven knight steps, one each way round; every step may be the last.
const ROSE: &str = "{\
    [1,2]*([2,1]*([2,-1]*([1,-2]*([-1,-2]*([-2,-1]*[-2,1]?)?)?)?)?)?,\
    [1,2]*([-1,2]*([-2,1]*([-2,-1]*([-1,-2]*([1,-2]*[2,-1]?)?)?)?)?)?}|-/";

/// The movement of a built-in kind.
fn built_in_movement(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::King | PieceKind::Guard => KING,
        PieceKind::Queen | PieceKind::RoyalQueen => QUEEN,
        PieceKind::Centaur | PieceKind::RoyalCentaur => CENTAUR,
        PieceKind::Rook => "[1,0]^*|/",
        PieceKind::Bishop => "[1,1]^*|-",
        PieceKind::Knight => "[1,2]|-/",
        PieceKind::Pawn => "{[0,1]~,[0,1]^2~$,[1,1]|!}",
        PieceKind::Amazon => "{[1,0]^*,[1,1]^*,[1,2]}|-/",
        PieceKind::Hawk => "{[2,0],[2,2],[3,0],[3,3]}|-/",
        PieceKind::Chancellor => "{[1,0]^*,[1,2]}|-/",
        PieceKind::Archbishop => "{[1,1]^*,[1,2]}|-/",
        PieceKind::Camel => "[1,3]|-/",
        PieceKind::Giraffe => "[1,4]|-/",
        PieceKind::Zebra => "[2,3]|-/",
        PieceKind::Knightrider => "[1,2]^*|-/",
        PieceKind::Huygen => "[1,0]@prime|/",
        PieceKind::Rose => ROSE,
        _ => NONE,
    }
}

/// What a kind of piece is called and how it moves. Movements are compiled when first asked for.
#[derive(Debug)]
pub struct Definition {
    kind: PieceKind,
    name: Box<str>,
    movement: Expr,
    royal: bool,
    /// Set for pieces that leap between small boards: how far apart these lie.
    spacing: Option<i64>,
    up: OnceLock<Movement>,
    down: OnceLock<Movement>,
    /// How it attacks, upwards and downwards.
    strikes: [OnceLock<Strikes>; 2],
}

impl Definition {
    fn new(kind: PieceKind, name: &str, movement: Expr, royal: bool) -> Self {
        let (up, down) = (OnceLock::new(), OnceLock::new());
        Definition {
            kind,
            name: name.into(),
            movement,
            royal,
            spacing: None,
            up,
            down,
            strikes: Default::default(),
        }
    }

    /// How a player's piece of this kind attacks.
    #[inline]
    pub(crate) fn strikes(&self, player: Player) -> &Strikes {
        self.strikes[usize::from(player.forward() < 0)].get_or_init(|| match self.spacing {
            Some(_) => Strikes::UNKNOWN,
            None => Strikes::of(self.movement(player)),
        })
    }

    /// Whether a move of the movement keeps to the small boards of the variant, if it has any.
    ///
    /// In four dimensions a step has a part between small boards and a part on one of them. In the plane both
    /// are added up, so a leap near the edge of a small board could land on another one than its first part
    /// says.
    pub(crate) fn keeps_to_small_boards(&self, from: &Square, to: &Square) -> bool {
        let Some(spacing) = self.spacing else { return true };
        let spacing = Coord::from(spacing);
        let board = |value: &Coord| value.div_rem_euclid(&spacing).0;
        // The part of the step on a small board is less than half the spacing, so rounding finds the other
        // part.
        let boards =
            |distance: Coord| board(&(&(&distance + &distance) + &spacing)).div_rem_euclid(&Coord::from(2)).0;
        let fits = |from: &Coord, to: &Coord| &board(to) - &board(from) == boards(to - from);
        fits(&from.x, &to.x) && fits(&from.y, &to.y)
    }

    /// The kind.
    #[must_use]
    pub const fn kind(&self) -> PieceKind {
        self.kind
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The movement as it is written, for the side moving up.
    #[must_use]
    pub const fn expr(&self) -> &Expr {
        &self.movement
    }

    /// Whether losing the piece can lose the game.
    #[must_use]
    pub const fn is_royal(&self) -> bool {
        self.royal
    }

    /// The movement of a player's piece of this kind, ready for questions.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "movements are compiled once before they get into a table")]
    pub fn movement(&self, player: Player) -> &Movement {
        let cell = if player.forward() > 0 { &self.up } else { &self.down };
        cell.get_or_init(|| {
            // Both directions are images of each other, so they are equally complex.
            Movement::for_player(&self.movement, player).expect("it compiled when the table was made")
        })
    }
}

/// How all pieces move: the built-in ones and a user's.
#[derive(Debug, Default)]
pub struct PieceTable {
    own: BTreeMap<PieceKind, Definition>,
    /// How the built-in kinds attack, upwards and downwards, by [`PieceKind::built_in_index`].
    strikes: OnceLock<Vec<[Strikes; 2]>>,
}

/// The built-in pieces by [`PieceKind::built_in_index`].
static BUILT_IN: LazyLock<Vec<Definition>> = LazyLock::new(|| {
    let define = |kind: &PieceKind| {
        let movement = ReadOptions::default().empty(true).parse(built_in_movement(*kind));
        let movement = movement.expect("the built-in movements are tested");
        Definition::new(*kind, kind.name(), movement, kind.is_royal())
    };
    PieceKind::BUILT_IN.iter().map(define).collect()
});

impl PieceTable {
    /// The built-in pieces alone.
    #[must_use]
    pub fn built_in() -> &'static PieceTable {
        static TABLE: PieceTable = PieceTable { own: BTreeMap::new(), strikes: OnceLock::new() };
        &TABLE
    }

    /// The built-in pieces and those of a piece file.
    ///
    /// # Errors
    ///
    /// [`PieceFileError`] with the place of whatever is wrong.
    pub fn from_toml(text: &str) -> Result<Self, PieceFileError> {
        let file: File = toml::from_str(text).map_err(|error| {
            let span = error.span().unwrap_or(text.len()..text.len());
            PieceFileError::new(error.message(), Span::new(span.start, span.end))
        })?;
        let mut own = BTreeMap::new();
        for Entry { code, name, movement, royal } in file.piece {
            let kind = kind_of_code(&code)?;
            let expr = ReadOptions::default()
                .empty(true)
                .parse(movement.get_ref())
                .map_err(|error| PieceFileError::in_movement(&error, &movement, text))?;
            let compiled = Movement::new(&expr)
                .map_err(|error| PieceFileError::new(error.to_string(), span_of(&movement)))?;
            let definition = Definition::new(kind, &name, expr, royal);
            definition.up.get_or_init(|| compiled);
            if own.insert(kind, definition).is_some() {
                let message = format!("piece code `{}` given twice", code.get_ref());
                return Err(PieceFileError::new(message, span_of(&code)));
            }
        }
        Ok(PieceTable { own, strikes: OnceLock::new() })
    }

    /// The built-in pieces, some of which move in another way.
    ///
    /// With small boards `spacing` squares apart, between which leaps go.
    pub(crate) fn with_movements(
        spacing: i64,
        movements: impl IntoIterator<Item = (PieceKind, String)>,
    ) -> Self {
        let define = |(kind, movement): (PieceKind, String)| {
            let movement =
                ReadOptions::default().parse(&movement).expect("the movements of variants are tested");
            let definition = Definition::new(kind, kind.name(), movement, kind.is_royal());
            // Everything else goes step by step and is stopped by the voids between the small boards.
            let spacing = (kind == PieceKind::Knight).then_some(spacing);
            (kind, Definition { spacing, ..definition })
        };
        PieceTable { own: movements.into_iter().map(define).collect(), strikes: OnceLock::new() }
    }

    /// The definition of a kind; `None` for a custom kind that the piece file does not have.
    #[must_use]
    pub fn get(&self, kind: PieceKind) -> Option<&Definition> {
        match kind {
            PieceKind::Custom(_) => self.own.get(&kind),
            _ if self.own.is_empty() => BUILT_IN.get(kind.built_in_index()?),
            _ => self.own.get(&kind).or_else(|| BUILT_IN.get(kind.built_in_index()?)),
        }
    }

    /// How pieces attack, for many questions in a row.
    pub(crate) fn strikes(&self) -> StrikesOf<'_> {
        let built_in = self.strikes.get_or_init(|| {
            let both = |kind: &PieceKind| {
                let strikes = |player| self.get(*kind).map_or(Strikes::UNKNOWN, |d| *d.strikes(player));
                [strikes(Player::WHITE), strikes(Player::BLACK)]
            };
            PieceKind::BUILT_IN.iter().map(both).collect()
        });
        StrikesOf { table: self, built_in }
    }

    /// The kind of a code in lower case.
    #[must_use]
    pub fn kind(&self, code: &str) -> Option<PieceKind> {
        PieceKind::from_code(code).or_else(|| {
            let own = PieceKind::Custom(CustomCode::new(code)?);
            self.own.contains_key(&own).then_some(own)
        })
    }

    /// Every definition: the built-in ones, then the user's by code.
    pub fn iter(&self) -> impl Iterator<Item = &Definition> {
        BUILT_IN.iter().chain(self.own.values())
    }

    /// Whether losing a piece of this kind can lose the game.
    #[must_use]
    pub fn is_royal(&self, kind: PieceKind) -> bool {
        self.get(kind).is_some_and(Definition::is_royal)
    }
}

/// How the pieces of a table attack.
#[derive(Clone, Copy)]
pub(crate) struct StrikesOf<'t> {
    table: &'t PieceTable,
    built_in: &'t [[Strikes; 2]],
}

impl<'t> StrikesOf<'t> {
    /// How a piece attacks.
    #[inline]
    pub(crate) fn of(self, piece: Piece) -> &'t Strikes {
        match piece.kind.built_in_index().and_then(|place| self.built_in.get(place)) {
            Some(both) => &both[usize::from(piece.player.forward() < 0)],
            None => self.table.get(piece.kind).map_or(&Strikes::UNKNOWN, |own| own.strikes(piece.player)),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    piece: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    code: Spanned<String>,
    name: String,
    movement: Spanned<String>,
    #[serde(default)]
    royal: bool,
}

fn kind_of_code(code: &Spanned<String>) -> Result<PieceKind, PieceFileError> {
    let text = code.get_ref();
    if PieceKind::from_code(text).is_some() {
        return Err(PieceFileError::new(format!("piece code `{text}` is built in"), span_of(code)));
    }
    let custom = CustomCode::new(text).ok_or_else(|| {
        PieceFileError::new("a piece code is one to four lower-case letters", span_of(code))
    })?;
    Ok(PieceKind::Custom(custom))
}

fn span_of(value: &Spanned<String>) -> Span {
    Span::new(value.span().start, value.span().end)
}

/// A piece file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceFileError {
    message: String,
    hint: Option<String>,
    span: Span,
}

impl PieceFileError {
    fn new(message: impl Into<String>, span: Span) -> Self {
        PieceFileError { message: message.into(), hint: None, span }
    }

    /// An error inside a movement: at its place in the file if the string stands there as it is, without
    /// escapes.
    fn in_movement(error: &MovementError, movement: &Spanned<String>, file: &str) -> Self {
        let span = span_of(movement);
        let plain = file.get(span.start + 1..span.end.saturating_sub(1)) == Some(movement.get_ref());
        let span = if plain { error.span().shifted(span.start + 1) } else { span };
        PieceFileError {
            message: format!("in the movement: {error}"),
            hint: error.hint().map(str::to_owned),
            span,
        }
    }

    /// The bytes that are wrong.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.span
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl fmt::Display for PieceFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for PieceFileError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(file: &str) -> (String, &str) {
        let error = PieceTable::from_toml(file).unwrap_err();
        (error.to_string(), &file[error.span().start..error.span().end])
    }

    #[test]
    fn every_built_in_piece_has_closed_forms_for_both_sides() {
        for definition in PieceTable::built_in().iter() {
            for player in [Player::WHITE, Player::BLACK] {
                assert!(definition.movement(player).is_exact(), "{}", definition.name());
            }
        }
        assert_eq!(PieceTable::built_in().iter().count(), PieceKind::BUILT_IN.len());
    }

    #[test]
    fn every_built_in_piece_is_found_in_its_place() {
        for (index, kind) in PieceKind::BUILT_IN.iter().enumerate() {
            assert_eq!(kind.built_in_index(), Some(index));
            assert_eq!(PieceTable::built_in().get(*kind).map(Definition::kind), Some(*kind));
        }
    }

    #[test]
    fn only_obstacles_and_voids_never_move() {
        for definition in PieceTable::built_in().iter() {
            let moves = definition.movement(Player::WHITE).paths(true).next().is_some();
            assert_eq!(moves, !definition.kind().is_neutral(), "{}", definition.name());
        }
    }

    #[test]
    fn royal_pieces_are_the_three_of_the_game_and_those_of_the_file() {
        let file = "[[piece]]\ncode = 'zz'\nname = 'tsar'\nmovement = '[1,0]'\nroyal = true\n";
        let table = PieceTable::from_toml(file).unwrap();
        let royal: Vec<&str> = table.iter().filter(|d| d.is_royal()).map(Definition::name).collect();
        assert_eq!(royal, ["king", "royal queen", "royal centaur", "tsar"]);
        assert!(table.is_royal(table.kind("zz").unwrap()));
        assert!(PieceTable::built_in().kind("zz").is_none());
    }

    #[test]
    fn errors_of_a_file_point_at_what_is_wrong() {
        let entry = |code: &str, movement: &str| {
            format!("[[piece]]\ncode = \"{code}\"\nname = \"x\"\nmovement = {movement}\n")
        };
        let file = entry("zz", "\"[1,0]^*[0,1]\"");
        let (message, place) = error(&file);
        assert_eq!(place, "[");
        assert!(message.contains("between two movements"), "{message}");
        let file = entry("q", "'[1,0]'");
        assert_eq!(error(&file), ("piece code `q` is built in".into(), "\"q\""));
        let file = entry("Zz", "'[1,0]'");
        assert_eq!(error(&file).1, "\"Zz\"");
        let file = entry("zz", "'[1,0]'") + &entry("zz", "'[1,0]'");
        assert_eq!(error(&file), ("piece code `zz` given twice".into(), "\"zz\""));
        let file = entry("zz", "'[1,0]'") + "moves = 1\n";
        assert_eq!(error(&file).1, "moves");
    }
}
