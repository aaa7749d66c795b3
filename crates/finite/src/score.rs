//! Games of Western chess in SAN, read move by move.

use crate::board::Board;
use crate::error::{Illegal, MoveError};
use crate::game::Game;
use crate::moves::Move;
use crate::western::Light;

/// The place of the first move that is illegal after those before it, if there is one: what [`Board::play`]
/// would find, in less time where a game begins as usual.
///
/// ```
/// use boardprint_finite::{Board, Game, Notation, first_illegal};
/// let start = Board::start(Game::Western);
/// let e4 = start.read(Notation::Uci, "e2e4")?;
/// assert_eq!(first_illegal(&start, &[e4]), None);
/// assert_eq!(first_illegal(&start, &[e4, e4]), Some(1));
/// # Ok::<(), boardprint_finite::MoveError>(())
/// ```
#[must_use]
pub fn first_illegal(start: &Board, moves: &[Move]) -> Option<usize> {
    let mut known = 0;
    if start.game() == Game::Western && start.is_usual_start() {
        let mut light = Light::START;
        known = moves.iter().take_while(|played| light.play(**played).is_some()).count();
        if known == moves.len() {
            return None;
        }
    }
    let mut board = start.clone();
    moves[..known].iter().for_each(|played| board.play_known(*played));
    moves[known..].iter().position(|played| board.play(*played).is_err()).map(|place| known + place)
}

/// Reads the moves of a game in SAN, one after another, faster than [`Board::play_san`] does: between them it
/// makes no position that anybody could look at.
///
/// ```
/// use boardprint_finite::{Board, Game, SanReader};
/// let mut reader = SanReader::new(Board::start(Game::Western));
/// for word in ["e4", "e5", "Nf3"] {
///     reader.play_san(word.as_bytes())?;
/// }
/// assert_eq!(reader.moves().len(), 3);
/// assert!(reader.play_san(b"Ke6").is_err());
/// # Ok::<(), boardprint_finite::MoveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SanReader {
    start: Board,
    moves: Vec<Move>,
    /// The position after the moves, as long as nothing unusual came up.
    light: Option<Light>,
    /// The same from then on.
    whole: Board,
}

impl SanReader {
    /// A game before its first move.
    #[must_use]
    pub fn new(start: Board) -> Self {
        let is_usual = start.game() == Game::Western && start.is_usual_start();
        SanReader {
            light: is_usual.then_some(Light::START),
            whole: start.clone(),
            start,
            moves: Vec::with_capacity(128),
        }
    }

    /// The moves so far.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The start and the moves.
    #[must_use]
    pub fn into_parts(self) -> (Board, Vec<Move>) {
        (self.start, self.moves)
    }

    /// Reads the move that a text begins with, plays it, and says how long it is, if it is an ordinary move
    /// in ordinary spelling and a blank or nothing follows. Else nothing has changed, and the whole word is
    /// for [`SanReader::play_san`].
    #[inline]
    pub fn play_next(&mut self, text: &[u8]) -> Option<usize> {
        let (played, length) = self.light.as_mut()?.play_next(text)?;
        self.moves.push(played);
        Some(length)
    }

    /// Reads a move and plays it, as [`Board::play_san`] does.
    ///
    /// # Errors
    ///
    /// [`MoveError`] if it is not a legal move.
    #[inline]
    pub fn play_san(&mut self, word: &[u8]) -> Result<Move, MoveError> {
        let is_one_word = !word.iter().any(u8::is_ascii_whitespace);
        if is_one_word && self.play_next(word).is_some() {
            return Ok(self.moves[self.moves.len() - 1]);
        }
        let played = self.board().play_san(word)?;
        self.moves.push(played);
        Ok(played)
    }

    /// Plays a move, as [`Board::play`] does.
    ///
    /// # Errors
    ///
    /// [`Illegal`], the reason.
    pub fn play(&mut self, played: Move) -> Result<(), Illegal> {
        self.board().play(played)?;
        self.moves.push(played);
        Ok(())
    }

    /// The position after the moves.
    pub fn position(&mut self) -> &Board {
        self.board()
    }

    /// The position after the moves, with which the rest of the game is read.
    fn board(&mut self) -> &mut Board {
        if self.light.take().is_some() {
            self.moves.iter().for_each(|played| self.whole.play_known(*played));
        }
        &mut self.whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Notation;

    /// Words that are often wrong, ambiguous or unusual where a legal move is due.
    const WORDS: [&str; 21] = [
        "e4", "Nf3", "Nd2", "Rd1", "Qd4", "Kf1", "Kg1", "O-O", "O-O-O", "exd6", "dxe5", "Nbd7", "R1e2",
        "a8=Q", "bxa1=N", "a8 =Q", "Ra1xa2", "Nf3+?", "e2e4", "exe4", "exe5",
    ];

    #[test]
    fn words_mean_what_they_mean_on_a_whole_board() {
        let mut random = 1_u64;
        let mut roll = |sides: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(random >> 33).expect("31 bits") % sides
        };
        let (mut plies, mut refused, mut light) = (0, 0, 0);
        let mut seen = [0_u32; 4];
        for game in 0..120 {
            let start = if game % 8 == 0 { Board::chess960(game * 2) } else { None };
            let mut board = start.unwrap_or_else(|| Board::start(Game::Western));
            let mut reader = SanReader::new(board.clone());
            for _ in 0..150 {
                let moves = board.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let word = WORDS[roll(WORDS.len())];
                let (mut probe, mut other) = (board.clone(), reader.clone());
                let (one, two) = (probe.play_san(word.as_bytes()), other.play_san(word.as_bytes()));
                assert_eq!(one, two, "{word} {}", board.fen());
                assert!(other.position().same_position(&probe), "{word} {}", board.fen());
                refused += u32::from(one.is_err());
                let castling =
                    ["O-O", "O-O-O"].into_iter().find_map(|san| board.read(Notation::San, san).ok());
                let random = moves[roll(moves.len())];
                let chosen = castling.filter(|_| roll(2) == 0).unwrap_or(random);
                let san = board.write(Notation::San, chosen).expect("a legal move");
                seen[0] += u32::from(san.starts_with("O-O"));
                seen[1] += u32::from(san.contains('='));
                seen[2] += u32::from(san.contains('+'));
                let played = board.play_san(san.as_bytes()).expect("a legal move");
                assert_eq!(reader.play_san(san.as_bytes()), Ok(played), "{san} {}", board.fen());
                plies += 1;
                light += u32::from(reader.light.is_some());
            }
            seen[3] += u32::from(reader.light.is_some());
            assert!(reader.position().same_position(&board));
        }
        assert!(plies > 10_000 && light > 8_000 && refused > 8_000, "{plies} {light} {refused}");
        assert!(seen.iter().all(|count| *count > 50), "{seen:?}");
    }

    #[test]
    fn moves_are_judged_as_on_a_whole_board() {
        let mut random = 7_u64;
        let mut roll = |sides: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(random >> 33).expect("31 bits") % sides
        };
        let (mut legal, mut castled, mut promoted, mut in_passing) = (0, 0, 0, 0);
        for game in 0..40 {
            let start = Board::start(Game::Western);
            let (mut board, mut light, mut line) = (start.clone(), Light::START, Vec::new());
            for ply in 0..200 {
                let moves = board.legal_moves();
                if moves.is_empty() {
                    break;
                }
                if ply % 61 == game % 61 {
                    for bits in (ply % 7..5 << 12).step_by(7) {
                        let Some(any) = Move::from_bits(Game::Western, bits) else { continue };
                        let is_legal = board.clone().play(any).is_ok();
                        let said = light.clone().play(any).is_some();
                        // What is left to the generator is a null move, or a castling that takes the rook.
                        assert!(
                            said == is_legal || is_legal && !moves.contains(&any),
                            "{any:?} {}",
                            board.fen()
                        );
                    }
                }
                let castling = ["O-O", "O-O-O"].iter().find_map(|san| board.read(Notation::San, san).ok());
                let san = |played: &Move| board.write(Notation::San, *played).expect("a legal move");
                let fen = board.fen().to_string();
                let target = fen.split(' ').nth(3).unwrap_or("-");
                let takes_there = |played: &Move| {
                    san(played).starts_with(|file: char| file.is_ascii_lowercase())
                        && san(played).ends_with(&format!("x{target}"))
                };
                let passing = moves.iter().copied().find(|played| target != "-" && takes_there(played));
                let chosen = castling.or(passing).unwrap_or_else(|| moves[roll(moves.len())]);
                (castled, in_passing) =
                    (castled + u32::from(castling.is_some()), in_passing + u32::from(passing.is_some()));
                promoted += u32::from(san(&chosen).contains('='));
                assert_eq!(light.play(chosen), Some(()), "{} {}", san(&chosen), board.fen());
                board.play(chosen).expect("a legal move");
                line.push(chosen);
                legal += 1;
            }
            assert_eq!(first_illegal(&start, &line), None);
            let (place, wrong) = (roll(line.len()), Move::western(0, 63, 0));
            line.insert(place, wrong);
            assert_eq!(first_illegal(&start, &line), Some(place));
            // A null move is for the generator, and so is what comes after it.
            line[place] = Move::NULL;
            let mut whole = start.clone();
            let expected = line.iter().position(|played| whole.play(*played).is_err());
            assert_eq!(first_illegal(&start, &line), expected);
        }
        assert!(
            legal > 4000 && castled > 20 && promoted > 20 && in_passing > 5,
            "{legal} {castled} {promoted} {in_passing}"
        );
    }
}
