//! The words of a list: actors with their squares, and tables of the common ones.

use std::sync::LazyLock;

use boardprint_base::{Coord, Piece, PieceKind, Placed, Player, Square};

/// The actor of the en passant square, before its square.
pub(crate) const EN_PASSANT: &[u8] = b"infinite_0:ep";
/// The actor of a turn order other than white and black, before its players.
pub(crate) const TURN: &[u8] = b"infinite_0:turn";

/// Whether the actors of a player are in upper case.
#[inline]
fn is_upper(player: Player) -> bool {
    player == Player::WHITE
}

/// Appends `game:`, prefixes and code.
pub(crate) fn write_actor(out: &mut Vec<u8>, piece: Piece, right: bool) {
    match piece.player {
        Player::WHITE => out.extend_from_slice(b"INFINITE"),
        Player::BLACK => out.extend_from_slice(b"infinite"),
        Player(number) => {
            out.extend_from_slice(b"infinite_");
            write_number(out, number);
        }
    }
    out.push(b':');
    if right {
        out.push(b'+');
    }
    if piece.kind.is_royal() {
        out.push(b'^');
    }
    let start = out.len();
    out.extend_from_slice(piece.kind.code().as_bytes());
    if is_upper(piece.player) {
        out[start..].make_ascii_uppercase();
    }
}

/// Appends `_x_y`.
pub(crate) fn write_square(out: &mut Vec<u8>, square: &Square, player: Player) {
    for coordinate in [&square.x, &square.y] {
        out.push(b'_');
        write_coordinate(out, coordinate, is_upper(player));
    }
}

/// Appends a coordinate: minus is the letter n.
fn write_coordinate(out: &mut Vec<u8>, value: &Coord, upper: bool) {
    let start = out.len();
    value.write_to(out);
    if out[start] == b'-' {
        out[start] = if upper { b'N' } else { b'n' };
    }
}

/// Appends a player number.
pub(crate) fn write_number(out: &mut Vec<u8>, number: u32) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// A short text in an array of fixed size: copying all of it costs less than copying as much as is needed.
///
/// The last byte is the length.
#[derive(Clone, Copy)]
pub(crate) struct Word<const N: usize>([u8; N]);

impl<const N: usize> Word<N> {
    const EMPTY: Self = Word([0; N]);

    fn new(text: &[u8]) -> Self {
        let mut bytes = [0; N];
        bytes[..text.len()].copy_from_slice(text);
        bytes[N - 1] = u8::try_from(text.len()).expect("words are short");
        Word(bytes)
    }

    /// Writes the text and something after it; returns where the text ends.
    #[inline]
    pub(crate) fn put(&self, out: &mut [u8; CELL], at: usize) -> usize {
        out[at..at + N].copy_from_slice(&self.0);
        at + usize::from(self.0[N - 1])
    }
}

/// What a cell made of words takes, at most.
pub(crate) const CELL: usize = 32;

/// `INFINITE:+^RC_` has 14 bytes.
pub(crate) type Head = Word<16>;
/// `n999_` has 5 bytes.
pub(crate) type Number = Word<8>;

const KINDS: usize = PieceKind::BUILT_IN.len();
/// The coordinates in the table are nearer to zero than this.
const BOUND: i64 = 1000;
const NUMBERS: usize = 1999;
/// The squares in the table have coordinates from 0 to before this.
const CORNER: usize = 64;

/// The beginnings of cells of white and black, and small coordinates.
pub(crate) struct Words {
    /// By upper case, right, kind; each ends with `_`.
    heads: [[[Head; KINDS]; 2]; 2],
    /// The squares of the corner where boards usually are, row by row; each is `x_y,`.
    squares: Box<[Number]>,
    /// By upper case, then from the least one; each ends with `_`.
    columns: [Box<[Number; NUMBERS]>; 2],
    /// The same; each ends with `,`.
    rows: [Box<[Number; NUMBERS]>; 2],
}

static WORDS: LazyLock<Words> = LazyLock::new(Words::new);

impl Words {
    /// The tables.
    pub(crate) fn get() -> &'static Words {
        &WORDS
    }

    fn new() -> Self {
        let mut heads = [[[Head::EMPTY; KINDS]; 2]; 2];
        let mut text = Vec::new();
        for (case, player) in [Player::BLACK, Player::WHITE].into_iter().enumerate() {
            let kinds = PieceKind::BUILT_IN.iter().enumerate();
            for (place, kind, right) in
                kinds.flat_map(|(place, kind)| [false, true].map(|right| (place, kind, right)))
            {
                text.clear();
                write_actor(&mut text, Piece::new(*kind, player), right);
                text.push(b'_');
                heads[case][usize::from(right)][place] = Word::new(&text);
            }
        }
        let square = |index: usize| Word::new(format!("{}_{},", index % CORNER, index / CORNER).as_bytes());
        let squares = (0..CORNER * CORNER).map(square).collect();
        let mut numbers = |end: u8| {
            [false, true].map(|upper| {
                let number = |value: i64| {
                    text.clear();
                    write_coordinate(&mut text, &value.into(), upper);
                    text.push(end);
                    Word::new(&text)
                };
                let table: Vec<Number> = (1 - BOUND..BOUND).map(number).collect();
                table.try_into().ok().expect("as many numbers as the bound says")
            })
        };
        Words { heads, squares, columns: numbers(b'_'), rows: numbers(b',') }
    }

    /// Writes cells, each with a comma after it, until there is no room for one more or a piece is not in the
    /// tables; returns how many, and how many bytes.
    #[inline]
    pub(crate) fn put_cells(&self, pieces: &[Placed], rights: bool, out: &mut [u8]) -> (usize, usize) {
        let mut at = 0;
        for (count, placed) in pieces.iter().enumerate() {
            let Some(cell) = out[at..].first_chunk_mut() else { return (count, at) };
            let Some(len) = self.put_cell(placed, placed.right && rights, cell) else { return (count, at) };
            at += len;
        }
        (pieces.len(), at)
    }

    /// Writes a cell and a comma; returns where it ends, or `None` if a word is not in the tables.
    #[inline]
    fn put_cell(&self, placed: &Placed, right: bool, cell: &mut [u8; CELL]) -> Option<usize> {
        let case = match placed.piece.player {
            Player::BLACK => 0,
            Player::WHITE => 1,
            _ => return None,
        };
        let head = self.heads[case][usize::from(right)].get(placed.piece.kind.built_in_index()?)?;
        let end = head.put(cell, 0);
        if let Some(square) = corner_index(&placed.square).and_then(|index| self.squares.get(index)) {
            return Some(square.put(cell, end));
        }
        let column = self.columns[case].get(number_index(&placed.square.x)?)?;
        let row = self.rows[case].get(number_index(&placed.square.y)?)?;
        let end = column.put(cell, end);
        Some(row.put(cell, end))
    }
}

/// The place of a square in the table of the corner, if it is there.
#[inline]
fn corner_index(square: &Square) -> Option<usize> {
    let (x, y) = (square.x.as_i64()?.cast_unsigned(), square.y.as_i64()?.cast_unsigned());
    let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
    ((x | y) < CORNER).then(|| y * CORNER + x)
}

/// The place of a coordinate in the tables, or beyond them.
#[inline]
fn number_index(value: &Coord) -> Option<usize> {
    usize::try_from(value.as_i64()?.wrapping_add(BOUND - 1).cast_unsigned()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_say_what_the_writers_say() {
        for value in [i64::MIN, -1000, -999, -1, 0, 7, 99, 999, 1000, i64::MAX] {
            for (kind, player) in
                PieceKind::BUILT_IN.iter().flat_map(|kind| (0..4).map(move |n| (*kind, Player(n))))
            {
                let placed = Placed::new(Piece::new(kind, player), Square::new(value, -value.max(-5)));
                let mut text = Vec::new();
                write_actor(&mut text, placed.piece, true);
                write_square(&mut text, &placed.square, player);
                text.push(b',');
                let mut cell = [0; CELL];
                match Words::get().put_cell(&placed, true, &mut cell) {
                    Some(end) => assert_eq!(cell[..end], text),
                    None => assert!(!(-999..=999).contains(&value) || ![1, 2].contains(&player.0)),
                }
            }
        }
    }
}
