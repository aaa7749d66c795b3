//! A record that was read, kept so that many questions cost one reading.

use boardprint_finite::{Board, Notation};
use boardprint_games::{Content, FiniteGame, Format, ReadOptions, Reading, RecordError};
use boardprint_icn::canonical_position;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::answer::{self, Asked};
use crate::problem::Problem;
use crate::question::Question;
use crate::text::with_text;

/// A record that was read.
#[wasm_bindgen]
pub struct Record {
    text: String,
    format: Format,
    reading: Reading<'static>,
}

#[wasm_bindgen]
impl Record {
    /// Reads the text in the room, one record of any format.
    ///
    /// # Errors
    ///
    /// The first thing in the text that cannot be read.
    pub fn open(length: usize, reading: &str) -> Result<Record, Problem> {
        with_text(length, |text| {
            let (format, read) = answer::read(text, reading)?;
            let Reading { content, warnings, revision } =
                read.map_err(|error| Problem::of_record(&error, text))?;
            let reading = Reading { content: content.into_owned(), warnings, revision };
            Ok(Record { text: text.to_owned(), format, reading })
        })
    }

    /// How many half-moves were played.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn plies(&self) -> usize {
        self.reading.content.plies()
    }

    /// Answers a question.
    ///
    /// # Errors
    ///
    /// Why the question has no answer.
    pub fn answer(&self, question: Question, options: &str) -> Result<String, Problem> {
        Asked { text: &self.text, format: self.format, reading: &self.reading }.answer(question, options)
    }

    /// The record with more moves played from its last position; a finite game refuses illegal ones.
    ///
    /// # Errors
    ///
    /// A move that cannot be read or played.
    pub fn play(&self, moves: &str) -> Result<Record, Problem> {
        let words = || moves.split(['|', ' ', '\n']).filter(|word| !word.is_empty());
        let content = match &self.reading.content {
            Content::Infinite(game) => {
                let last = self.reading.content.at(self.plies());
                let last = last.map_err(|error| Problem::of_record(&error, &self.text))?;
                let Content::Infinite(last) = last else { return Err(no_moves()) };
                // Read as part of a text, so that a move means here what it means there.
                let text =
                    format!("{} {}", canonical_position(&last.start), words().collect::<Vec<_>>().join("|"));
                let read = ReadOptions::default().read_text(Format::Icn, &text);
                let content = read.map_err(|error| without_place(&error))?.content;
                // A move needs a piece.
                content.at(content.plies()).map_err(|error| without_place(&error))?;
                let Content::Infinite(more) = content else { return Err(no_moves()) };
                // A text holds other words, too, and of these none is a move.
                if let (Some(word), true) = (words().next(), more.moves.is_empty()) {
                    return Err(illegal(word));
                }
                let mut game = game.clone();
                game.moves.extend(more.moves);
                Content::Infinite(game)
            }
            Content::Finite(game) => {
                let start = game.start().board().map_err(Problem::unplayable)?;
                let mut played = game.moves().to_vec();
                let mut board = start.clone().into_owned();
                for step in &played {
                    board.play(*step).map_err(|_| illegal("a move of the game"))?;
                }
                for word in words() {
                    let step = read_move(&board, word)?;
                    board.play(step).map_err(|_| illegal(word))?;
                    played.push(step);
                }
                let mut longer = FiniteGame::unchecked(start.into_owned(), played);
                longer.tags.clone_from(&game.tags);
                Content::Finite(longer).into_owned()
            }
            _ => return Err(no_moves()),
        };
        let reading = Reading { content, warnings: Vec::new(), revision: None };
        Ok(Record { text: String::new(), format: self.format, reading })
    }
}

/// What is wrong with a text that only the core has seen.
fn without_place(error: &RecordError) -> Problem {
    Problem::new(error.name(), error.to_string()).with_hint(error.hint())
}

fn no_moves() -> Problem {
    Problem::new("no-rules", "no moves are known on this board".to_owned())
}

fn illegal(word: &str) -> Problem {
    Problem::new("illegal-move", format!("`{word}` is not a legal move here"))
}

/// A move in squares or in the notation of its game.
fn read_move(board: &Board, word: &str) -> Result<boardprint_finite::Move, Problem> {
    let read = board.read(Notation::Uci, word).or_else(|_| board.read_san(word.as_bytes()));
    read.map_err(|error| Problem::new("illegal-move", format!("`{word}`: {error}")))
}
