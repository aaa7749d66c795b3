//! Kinds of pieces, pieces, and pieces on squares.

use std::fmt;

use crate::player::Player;
use crate::short::Short;
use crate::square::Square;

/// Declares the built-in kinds once: variant, code, name, in the order of promotion choices in canonical text.
macro_rules! kinds {
    ($($variant:ident $code:literal $name:literal $plural:literal),* $(,)?) => {
        /// What a piece is, whoever owns it: the 22 kinds of infinite chess, or one that a user defines.
        ///
        /// `Ord` is the order of promotion choices in canonical text.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum PieceKind {
            $(#[doc = concat!("The ", $name, ", `", $code, "`.")] $variant,)*
            /// A kind that a user defines in a piece file.
            Custom(CustomCode),
        }

        impl PieceKind {
            /// Every built-in kind.
            pub const BUILT_IN: &'static [PieceKind] = &[$(PieceKind::$variant),*];

            /// Where a built-in kind stands in [`PieceKind::BUILT_IN`], for tables that search nothing.
            #[must_use]
            #[inline]
            pub const fn built_in_index(self) -> Option<usize> {
                enum Index { $($variant,)* Beyond }
                // A plain number first, which the compiler takes from the kind as it is: a match that gives
                // options becomes a jump to a place of its own for every kind.
                let index = match self {
                    $(PieceKind::$variant => Index::$variant as usize,)*
                    PieceKind::Custom(_) => Index::Beyond as usize,
                };
                if index < Index::Beyond as usize { Some(index) } else { None }
            }

            /// The code in lower case.
            #[must_use]
            #[inline]
            pub fn code(&self) -> &str {
                match self {
                    $(PieceKind::$variant => $code,)*
                    PieceKind::Custom(code) => code.as_str(),
                }
            }

            /// The English name; of a custom kind, its code.
            #[must_use]
            pub fn name(&self) -> &str {
                match self {
                    $(PieceKind::$variant => $name,)*
                    PieceKind::Custom(code) => code.as_str(),
                }
            }

            /// The name in the JSON long form, such as `queens`; of a custom kind, its code.
            #[must_use]
            pub fn plural(&self) -> &str {
                match self {
                    $(PieceKind::$variant => $plural,)*
                    PieceKind::Custom(code) => code.as_str(),
                }
            }
        }
    };
}

kinds! {
    Queen "q" "queen" "queens",
    Rook "r" "rook" "rooks",
    Bishop "b" "bishop" "bishops",
    Knight "n" "knight" "knights",
    King "k" "king" "kings",
    Pawn "p" "pawn" "pawns",
    Amazon "am" "amazon" "amazons",
    Hawk "ha" "hawk" "hawks",
    Chancellor "ch" "chancellor" "chancellors",
    Archbishop "ar" "archbishop" "archbishops",
    Guard "gu" "guard" "guards",
    Camel "ca" "camel" "camels",
    Giraffe "gi" "giraffe" "giraffes",
    Zebra "ze" "zebra" "zebras",
    Centaur "ce" "centaur" "centaurs",
    RoyalQueen "rq" "royal queen" "royalQueens",
    RoyalCentaur "rc" "royal centaur" "royalCentaurs",
    Knightrider "nr" "knightrider" "knightriders",
    Huygen "hu" "huygen" "huygens",
    Rose "ro" "rose" "roses",
    Obstacle "ob" "obstacle" "obstacles",
    Void "vo" "void" "voids",
}

/// The code of a kind that a user defines: one to four lower-case ASCII letters that mean nothing else.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CustomCode([u8; 4]);

impl CustomCode {
    /// Checks a code, or `None` if it is not one to four lower-case ASCII letters, is built in, or means
    /// something else in a CPN (`ep`, `turn`).
    #[must_use]
    pub fn new(code: &str) -> Option<Self> {
        let fits = (1..=4).contains(&code.len()) && code.bytes().all(|b| b.is_ascii_lowercase());
        let taken = PieceKind::from_code(code).is_some() || matches!(code, "ep" | "turn");
        (fits && !taken).then(|| {
            let mut bytes = [0; 4];
            bytes[..code.len()].copy_from_slice(code.as_bytes());
            CustomCode(bytes)
        })
    }

    /// The letters.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "the letters are ASCII by construction")]
    pub fn as_str(&self) -> &str {
        let len = self.0.iter().position(|b| *b == 0).unwrap_or(self.0.len());
        std::str::from_utf8(&self.0[..len]).expect("ASCII by construction")
    }
}

impl fmt::Debug for CustomCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl PieceKind {
    /// The usual promotion choices.
    pub const USUAL_PROMOTIONS: [PieceKind; 4] =
        [PieceKind::Queen, PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight];

    /// The built-in kind of a code in lower case.
    #[must_use]
    #[inline]
    pub fn from_code(code: &str) -> Option<Self> {
        match *code.as_bytes() {
            [letter] => Self::from_letter(letter),
            [first, second] => Self::from_letters([first, second]),
            _ => None,
        }
    }

    /// The built-in kind of a code of one lower-case letter.
    #[must_use]
    #[inline]
    pub const fn from_letter(letter: u8) -> Option<Self> {
        Some(match letter {
            b'p' => PieceKind::Pawn,
            b'n' => PieceKind::Knight,
            b'b' => PieceKind::Bishop,
            b'r' => PieceKind::Rook,
            b'q' => PieceKind::Queen,
            b'k' => PieceKind::King,
            _ => return None,
        })
    }

    /// The built-in kind of a code of two lower-case letters.
    #[must_use]
    #[inline]
    pub const fn from_letters(letters: [u8; 2]) -> Option<Self> {
        Some(match &letters {
            b"am" => PieceKind::Amazon,
            b"ha" => PieceKind::Hawk,
            b"ch" => PieceKind::Chancellor,
            b"ar" => PieceKind::Archbishop,
            b"gu" => PieceKind::Guard,
            b"ca" => PieceKind::Camel,
            b"gi" => PieceKind::Giraffe,
            b"ze" => PieceKind::Zebra,
            b"ce" => PieceKind::Centaur,
            b"rq" => PieceKind::RoyalQueen,
            b"rc" => PieceKind::RoyalCentaur,
            b"nr" => PieceKind::Knightrider,
            b"hu" => PieceKind::Huygen,
            b"ro" => PieceKind::Rose,
            b"ob" => PieceKind::Obstacle,
            b"vo" => PieceKind::Void,
            _ => return None,
        })
    }

    /// The kind of a name in the JSON long form; a name that is not built in is a custom code, if it can be
    /// one.
    #[must_use]
    pub fn from_plural(name: &str) -> Option<Self> {
        let built_in = Self::BUILT_IN.iter().find(|kind| kind.plural() == name).copied();
        built_in.or_else(|| CustomCode::new(name).map(PieceKind::Custom))
    }

    /// Whether losing this piece can lose the game: king, royal queen, royal centaur.
    ///
    /// A custom kind is royal only where the piece file says so.
    #[must_use]
    pub fn is_royal(&self) -> bool {
        matches!(self, PieceKind::King | PieceKind::RoyalQueen | PieceKind::RoyalCentaur)
    }

    /// Whether this piece leads a castling: king or royal centaur.
    #[must_use]
    #[inline]
    pub fn leads_castling(&self) -> bool {
        matches!(self, PieceKind::King | PieceKind::RoyalCentaur)
    }

    /// Whether this kind belongs to nobody unless a player number says otherwise: obstacle and void.
    #[must_use]
    pub fn is_neutral(&self) -> bool {
        matches!(self, PieceKind::Obstacle | PieceKind::Void)
    }
}

/// A piece: what it is and whose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece {
    /// What it is.
    pub kind: PieceKind,
    /// Whose it is.
    pub player: Player,
}

impl Piece {
    /// A player's piece.
    #[must_use]
    pub const fn new(kind: PieceKind, player: Player) -> Self {
        Piece { kind, player }
    }

    /// The name in the JSON long form: the plural, then `W`, `B`, `N` for nobody, or the number of another
    /// player.
    #[must_use]
    pub fn long_name(self) -> String {
        let plural = self.kind.plural();
        match self.player {
            Player::WHITE => format!("{plural}W"),
            Player::BLACK => format!("{plural}B"),
            Player::NEUTRAL => format!("{plural}N"),
            Player(number) => format!("{plural}{number}"),
        }
    }

    /// The piece of a name in the JSON long form.
    #[must_use]
    pub fn from_long_name(name: &str) -> Option<Self> {
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let (stem, player) = if stem.len() < name.len() {
            (stem, Player(name[stem.len()..].parse().ok()?))
        } else {
            let player = match name.as_bytes().last()? {
                b'W' => Player::WHITE,
                b'B' => Player::BLACK,
                b'N' => Player::NEUTRAL,
                _ => return None,
            };
            (&name[..name.len() - 1], player)
        };
        Some(Piece::new(PieceKind::from_plural(stem)?, player))
    }

    /// Appends the code as canonical text has it: upper case for white, lower case for others, a number in
    /// front for players other than white, black and the neutral owner of obstacles and voids.
    #[inline]
    pub fn write_to(self, out: &mut Vec<u8>) {
        let code = self.kind.code().as_bytes();
        let own_case = !self.kind.is_neutral();
        match self.player {
            Player::WHITE if own_case => match *code {
                [letter] => out.push(letter.to_ascii_uppercase()),
                [first, second] => {
                    out.extend_from_slice(&[first.to_ascii_uppercase(), second.to_ascii_uppercase()]);
                }
                _ => out.extend(code.iter().map(u8::to_ascii_uppercase)),
            },
            Player::BLACK if own_case => out.extend_from_slice(code),
            Player::NEUTRAL if !own_case => out.extend_from_slice(code),
            Player(number) => {
                out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
                out.extend_from_slice(code);
            }
        }
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut code = Vec::with_capacity(8);
        self.write_to(&mut code);
        f.write_str(std::str::from_utf8(&code).expect("codes are ASCII"))
    }
}

/// A piece on its square, with or without its special right (`+`): double push or castling.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Placed {
    /// Where it stands.
    pub square: Square,
    /// What stands there.
    pub piece: Piece,
    /// Whether it has its special right.
    pub right: bool,
}

impl Placed {
    /// A piece without special right.
    #[must_use]
    pub const fn new(piece: Piece, square: Square) -> Self {
        Placed { square, piece, right: false }
    }

    /// Appends the piece as canonical text has it: `K5,1+`.
    #[inline]
    pub fn write_to(&self, out: &mut Vec<u8>) {
        let mut short = Short::new();
        let is_plain = match self.piece.player {
            Player::WHITE | Player::BLACK => !self.piece.kind.is_neutral(),
            _ => false,
        };
        if is_plain {
            let case = if self.piece.player == Player::WHITE { 0x20 } else { 0 };
            // Codes are letters.
            self.piece.kind.code().bytes().for_each(|letter| short.push(letter ^ case));
        } else {
            self.piece.write_to(out);
        }
        if self.square.put(&mut short) {
            short.append_to(out);
        } else {
            short.append_to(out);
            self.square.write_to(out);
        }
        if self.right {
            out.push(b'+');
        }
    }

    /// The same with its special right.
    #[must_use]
    pub fn with_right(self) -> Self {
        Placed { right: true, ..self }
    }
}

impl fmt::Display for Placed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.piece, self.square, if self.right { "+" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_names_its_kind() {
        for kind in PieceKind::BUILT_IN {
            assert_eq!(PieceKind::from_code(kind.code()), Some(*kind));
        }
        assert_eq!(PieceKind::BUILT_IN.len(), 22);
        assert_eq!(PieceKind::from_code("zz"), None);
    }

    #[test]
    fn case_and_number_say_whose_it_is() {
        let text = |kind, player| Piece::new(kind, Player(player)).to_string();
        assert_eq!(text(PieceKind::Amazon, 1), "AM");
        assert_eq!(text(PieceKind::Amazon, 2), "am");
        assert_eq!(text(PieceKind::Amazon, 0), "0am");
        assert_eq!(text(PieceKind::Amazon, 12), "12am");
        assert_eq!(text(PieceKind::Void, 0), "vo");
        assert_eq!(text(PieceKind::Void, 1), "1vo");
    }

    #[test]
    fn custom_codes_are_short_and_lower_case() {
        assert_eq!(CustomCode::new("xy").unwrap().as_str(), "xy");
        for bad in ["", "abcde", "Xy", "x1", "é", "q", "am", "ep", "turn"] {
            assert_eq!(CustomCode::new(bad), None, "{bad}");
        }
    }
}
