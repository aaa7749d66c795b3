//! The text of one CSA record.

use std::borrow::Cow;

use boardprint_base::{Side, Span};
use boardprint_finite::notation::{csa_name, csa_piece};
use boardprint_finite::{Fen, Game, Notation};

use crate::ending::{self, TERMINATION};
use crate::finite::{Extras, FiniteGame, Remark};
use crate::headers::Headers;
use crate::score::{Draft, Score};
use crate::shogi;
use crate::warning::{GameWarning, Warning};
use crate::{GameError, GameErrorKind};

/// Reads one record.
///
/// ```
/// let game = boardprint_games::csa::read("V2.2\nPI\n+\n+7776FU\nT12\n-3334FU\n%TORYO")?;
/// assert_eq!(game.moves().len(), 2);
/// assert_eq!(game.result.map(|result| result.as_str()), Some("0-1"));
/// # Ok::<(), boardprint_games::GameError>(())
/// ```
///
/// # Errors
///
/// [`GameError`] says where the game breaks off.
pub fn read(text: &str) -> Result<FiniteGame<'_>, GameError> {
    draft(text).whole().map(|(game, _)| game)
}

/// Reads one record as far as possible.
pub(crate) fn draft(text: &str) -> Draft<'_> {
    let mut reader = Reader::default();
    let outcome = reader.record(text);
    let score = match (reader.score.take(), &outcome) {
        (Some(score), _) => Some(score),
        (None, Ok(())) if reader.fen.is_none() && reader.tags.is_empty() => {
            let span = Span::new(0, 0);
            return Draft::failed(GameError::at_start(
                GameErrorKind::Expected("a position or moves of CSA"),
                span,
            ));
        }
        (None, Ok(())) => match reader.begin(Side::Bottom, Span::new(0, 0)) {
            Ok(()) => reader.score.take(),
            Err(error) => return Draft::failed(error),
        },
        (None, Err(_)) => None,
    };
    let error = outcome.err();
    match score {
        Some(mut score) => {
            (score.extras, score.tags) = (reader.extras, reader.tags);
            (score.warnings, score.remarks) = (reader.warnings, reader.remarks);
            score.draft(error)
        }
        None => Draft { game: None, warnings: reader.warnings, error },
    }
}

#[derive(Default)]
struct Reader<'a> {
    tags: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    /// The start, as far as it is said.
    fen: Option<Fen>,
    /// The game, once somebody is to move.
    score: Option<Score<'a>>,
    extras: Extras,
    remarks: Vec<Remark>,
    warnings: Vec<Warning>,
}

/// What `PI` may be followed by.
const TAKEN_AWAY: &str = "a piece of the usual start to take away, such as `82HI`";

type Step = Result<(), GameError>;

impl<'a> Reader<'a> {
    fn record(&mut self, text: &'a str) -> Step {
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let statement = line.trim_end_matches(['\n', '\r', ' ', '\t', '\u{1a}']);
            match statement.as_bytes().first() {
                None => {}
                // They may hold commas.
                Some(b'\'' | b'N' | b'$') => self.statement(statement, start)?,
                Some(_) => {
                    let mut at = start;
                    for part in statement.split(',') {
                        self.statement(part, at)?;
                        at += part.len() + 1;
                    }
                }
            }
            start += line.len();
        }
        Ok(())
    }

    fn statement(&mut self, text: &'a str, start: usize) -> Step {
        let span = Span::new(start, start + text.len());
        match text.as_bytes() {
            [] => Ok(()),
            [b'\'', ..] => {
                if !text.starts_with("'CSA encoding=") {
                    self.extras.comments += 1;
                    let ply = self.score.as_ref().map_or(0, |score| score.moves.len());
                    // `'*` is a comment of a program on the move before.
                    let signs = 1 + usize::from(text[1..].starts_with('*'));
                    self.remarks.push(Remark { ply, span: Span::new(start + signs, span.end) });
                }
                Ok(())
            }
            [b'V', version @ ..] if self.score.is_none() => {
                if !matches!(version, [b'2', ..] | [b'3', b'.', b'0', ..] | b"3") {
                    self.warn(GameWarning::UnknownVersion, span);
                }
                Ok(())
            }
            [b'N', side @ (b'+' | b'-'), ..] if self.score.is_none() => {
                let name = if *side == b'+' { "White" } else { "Black" };
                self.tags.push((name.into(), text[2..].into()));
                Ok(())
            }
            [b'$', ..] if self.score.is_none() => {
                match text[1..].split_once(':') {
                    Some((key, value)) => Headers::Csa.read(key.trim(), value.trim(), &mut self.tags),
                    None => self.warn(GameWarning::UnknownLine, span),
                }
                Ok(())
            }
            [b'P', ..] if self.score.is_none() => self.position(text, span),
            [sign @ (b'+' | b'-')] if self.score.is_none() => self.begin(side_of(*sign), span),
            [sign @ (b'+' | b'-'), ..] => self.play(side_of(*sign), text, span),
            [b'%', ..] => self.end(&text[1..], span),
            [b'T', number @ ..] if is_time(number) => {
                self.extras.clocks += 1;
                Ok(())
            }
            _ => {
                self.warn(GameWarning::UnknownLine, span);
                Ok(())
            }
        }
    }

    fn warn(&mut self, kind: GameWarning, span: Span) {
        self.warnings.push(Warning::game(kind, span));
    }

    /// A statement about the start.
    fn position(&mut self, text: &str, span: Span) -> Step {
        let failed = |what| Err(GameError::at_start(GameErrorKind::Expected(what), span));
        if !text.is_ascii() {
            return failed("pieces in letters of CSA, such as `+FU`");
        }
        let rest = &text[2.min(text.len())..];
        match text.as_bytes().get(1) {
            Some(b'I') => {
                let mut fen = shogi::even_start();
                for (square, name) in pieces(rest) {
                    let Some(Place::Cell(cell)) = place_of(square) else { return failed(TAKEN_AWAY) };
                    let is_there = fen.man(cell).is_some_and(|man| csa_name(man) == name);
                    if !is_there || fen.put(cell, None).is_err() {
                        return failed(TAKEN_AWAY);
                    }
                }
                self.fen = Some(fen);
                Ok(())
            }
            Some(rank @ b'1'..=b'9') => {
                let fen = self.fen.get_or_insert_with(|| Fen::empty(Game::Shogi));
                if row(fen, usize::from(rank - b'0'), rest) {
                    Ok(())
                } else {
                    failed("nine cells such as `-KY` or ` * `")
                }
            }
            Some(sign @ (b'+' | b'-')) => {
                let fen = self.fen.get_or_insert_with(|| Fen::empty(Game::Shogi));
                if single(fen, side_of(*sign), rest) {
                    Ok(())
                } else {
                    failed("pieces on empty squares or in hand, such as `99KY00FU`")
                }
            }
            _ => {
                self.warn(GameWarning::UnknownLine, span);
                Ok(())
            }
        }
    }

    /// Somebody is to move: the start is complete.
    fn begin(&mut self, side: Side, span: Span) -> Step {
        if self.fen.is_none() {
            self.warn(GameWarning::NoStart, span);
        }
        let mut fen = self.fen.take().unwrap_or_else(shogi::even_start);
        if shogi::has_too_many(&fen) {
            self.warn(GameWarning::ExtraPieces, span);
        }
        fen.set_side(side);
        // The first move is the first, whoever makes it.
        fen.set_counters(0, 0);
        let start = shogi::playable(&fen).map_err(|kind| GameError::at_start(kind, span))?;
        self.score = Some(Score::new(start));
        Ok(())
    }

    fn play(&mut self, side: Side, text: &str, span: Span) -> Step {
        if self.score.is_none() {
            self.warn(GameWarning::NoSideToMove, span);
            self.begin(side, span)?;
        }
        let Some(score) = &mut self.score else { return Ok(()) };
        if score.result.is_some() {
            return Err(score.error(GameErrorKind::AfterResult, span));
        }
        score.play(Notation::Csa, text.trim_end(), span)
    }

    fn end(&mut self, word: &str, span: Span) -> Step {
        if self.score.is_none() {
            self.warn(GameWarning::NoSideToMove, span);
            self.begin(Side::Bottom, span)?;
        }
        let Some(score) = &mut self.score else { return Ok(()) };
        if let Some((result, named)) = ending::of_csa(word.trim(), score.board.side()) {
            score.result = Some(result);
            self.tags.push((TERMINATION.into(), named.into()));
        } else {
            score.result = Some(boardprint_base::GameResult::Unknown);
            self.warn(GameWarning::UnknownEnd, span);
        }
        Ok(())
    }
}

const fn side_of(sign: u8) -> Side {
    if sign == b'+' { Side::Bottom } else { Side::Top }
}

fn is_time(number: &[u8]) -> bool {
    number.first().is_some_and(u8::is_ascii_digit) && number.iter().all(|b| b.is_ascii_digit() || *b == b'.')
}

/// Squares and names, four letters each; what is left over is a name that no piece has.
fn pieces(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let chunks = text.as_bytes().chunks(4).enumerate();
    chunks.map(move |(index, chunk)| {
        let at = index * 4;
        let square = at + chunk.len().min(2);
        (&text[at..square], &text[square..at + chunk.len()])
    })
}

/// Where a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Cell(usize),
    Hand,
}

/// The cell of a square such as `77`, or the hand, which is `00`.
fn place_of(square: &str) -> Option<Place> {
    let &[file @ b'0'..=b'9', rank @ b'0'..=b'9'] = square.as_bytes() else { return None };
    if (file, rank) == (b'0', b'0') {
        return Some(Place::Hand);
    }
    shogi::cell(usize::from(file - b'0'), usize::from(rank - b'0')).map(Place::Cell)
}

/// A row of the board. Empty cells at its end may be missing.
fn row(fen: &mut Fen, rank: usize, cells: &str) -> bool {
    let mut file = 9;
    for chunk in cells.as_bytes().chunks(3) {
        if file == 0 {
            return chunk.trim_ascii().is_empty();
        }
        let man = match chunk {
            [sign @ (b'+' | b'-'), name @ ..] => {
                let name = std::str::from_utf8(name).unwrap_or_default();
                let Some(man) = csa_piece(name, side_of(*sign)) else { return false };
                Some(man)
            }
            empty if matches!(empty.trim_ascii(), b"*" | b"") => None,
            _ => return false,
        };
        let placed = shogi::cell(file, rank).is_some_and(|cell| fen.put(cell, man).is_ok());
        if !placed {
            return false;
        }
        file -= 1;
    }
    true
}

/// Single pieces of a side, on squares or in hand.
fn single(fen: &mut Fen, side: Side, text: &str) -> bool {
    pieces(text).all(|(square, name)| match (place_of(square), name) {
        (Some(Place::Hand), "AL") => {
            shogi::take_the_rest(fen, side);
            true
        }
        (Some(place), name) => {
            let cell = match place {
                Place::Cell(cell) => Some(cell),
                Place::Hand => None,
            };
            csa_piece(name, side).is_some_and(|man| shogi::place(fen, cell, man))
        }
        (None, _) => false,
    })
}
