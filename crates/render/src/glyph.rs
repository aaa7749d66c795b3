//! What can stand on a square of a picture.

use boardprint_base::{Piece, PieceKind, Player};

/// What stands on a square.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Glyph {
    /// A piece of infinite or Western chess.
    Piece(Piece),
    /// A piece of Makruk.
    Makruk(Makruk, Player),
    /// A tile with a character on it.
    Tile(Box<Tile>),
    /// Where a movement starts, when no piece has that movement.
    Origin,
    /// A piece of the mover in the way, whatever it is.
    Friend,
    /// A piece that the mover may capture, whatever it is.
    Enemy,
}

/// The pieces of Makruk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Makruk {
    /// The king.
    Khun,
    /// The queen's neighbour in the West, and what a bia becomes.
    Met,
    /// The bishop's neighbour in the West.
    Khon,
    /// The horse.
    Ma,
    /// The rook.
    Ruea,
    /// The pawn.
    Bia,
}

/// A flat piece with a character on it, as in Shogi, Xiangqi and Janggi.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile {
    /// Its outline.
    pub form: Form,
    /// Whose it is: [`Player::WHITE`] sits at the bottom, anybody else at the top.
    pub player: Player,
    /// What is written on it, such as `歩`.
    pub sign: Box<str>,
    /// What is written small beside it for those without the font, such as `P`.
    pub letter: Box<str>,
    /// What it is in English, such as `pawn`.
    pub name: Box<str>,
    /// Whether it is promoted: drawn in red.
    pub promoted: bool,
}

/// The outline of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// A wedge that points at the opponent (Shogi).
    Wedge,
    /// A round disc (Xiangqi).
    Disc,
    /// A large octagon (the generals of Janggi).
    LargeOctagon,
    /// An octagon (Janggi).
    Octagon,
    /// A small octagon (guards and soldiers of Janggi).
    SmallOctagon,
    /// A card, for games that have no form of their own.
    Card,
}

impl Makruk {
    /// The name in Thai.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Makruk::Khun => "khun",
            Makruk::Met => "met",
            Makruk::Khon => "khon",
            Makruk::Ma => "ma",
            Makruk::Ruea => "ruea",
            Makruk::Bia => "bia",
        }
    }

    /// The letter in a FEN, in upper case.
    #[must_use]
    pub const fn letter(self) -> &'static str {
        match self {
            Makruk::Khun => "K",
            Makruk::Met => "M",
            Makruk::Khon => "S",
            Makruk::Ma => "N",
            Makruk::Ruea => "R",
            Makruk::Bia => "P",
        }
    }
}

impl Glyph {
    /// The picture of a piece in a movement diagram, by its code or English name in any case;
    /// [`Glyph::Origin`] for anything else, such as an expression.
    ///
    /// ```
    /// use boardprint_render::Glyph;
    /// assert_eq!(Glyph::mover("Knight").describe(), "white knight");
    /// assert_eq!(Glyph::mover("rc"), Glyph::mover("royal centaur"));
    /// assert_eq!(Glyph::mover("[1,2]"), Glyph::Origin);
    /// ```
    #[must_use]
    pub fn mover(name: &str) -> Glyph {
        // Names are written with spaces or hyphens, or as one word.
        let letters = |text: &str| -> String {
            text.chars().filter(|c| !matches!(c, ' ' | '-' | '_')).map(|c| c.to_ascii_lowercase()).collect()
        };
        let wanted = letters(name);
        let found = PieceKind::BUILT_IN.iter().find(|kind| {
            !kind.is_neutral() && (letters(kind.code()) == wanted || letters(kind.name()) == wanted)
        });
        found.map_or(Glyph::Origin, |kind| Glyph::Piece(Piece::new(*kind, Player::WHITE)))
    }

    /// What it is in words, such as `white king`.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Glyph::Piece(piece) if piece.kind.is_neutral() && piece.player == Player::NEUTRAL => {
                piece.kind.name().to_owned()
            }
            Glyph::Piece(piece) => format!("{} {}", piece.player, piece.kind.name()),
            Glyph::Makruk(kind, player) => format!("{player} {}", kind.name()),
            Glyph::Tile(tile) => {
                let side = if tile.player == Player::WHITE { "bottom" } else { "top" };
                let promoted = if tile.promoted { "promoted " } else { "" };
                format!("{side} {promoted}{}", tile.name)
            }
            Glyph::Origin => "origin".to_owned(),
            Glyph::Friend => "friend".to_owned(),
            Glyph::Enemy => "enemy".to_owned(),
        }
    }

    /// Whose it is; marks of movement diagrams belong to nobody.
    #[must_use]
    pub fn player(&self) -> Player {
        match self {
            Glyph::Piece(piece) => piece.player,
            Glyph::Makruk(_, player) => *player,
            Glyph::Tile(tile) => tile.player,
            Glyph::Origin | Glyph::Friend | Glyph::Enemy => Player::NEUTRAL,
        }
    }
}

impl From<Piece> for Glyph {
    fn from(piece: Piece) -> Self {
        Glyph::Piece(piece)
    }
}
