//! The text of one PGN record.

use std::borrow::Cow;

use boardprint_base::{GameResult, Span};
use boardprint_finite::{Board, Game, Move, MoveError, Notation, SanReader};

use super::setup::SetUp;
use super::{Tag, words};
use crate::finite::{Extras, FiniteGame, Remark};
use crate::score::{Draft, Score};
use crate::warning::{GameWarning, Warning};
use crate::{GameError, GameErrorKind};

/// What a reader of PGN is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PgnOptions {
    /// The game, where the tags leave it open.
    pub game: Option<Game>,
    /// The number of the start in Chess960, where no tag has a FEN.
    pub chess960_start: Option<u32>,
}

/// Reads one record.
///
/// # Errors
///
/// [`GameError`] says where the game breaks off.
pub fn read(text: &str) -> Result<FiniteGame<'_>, GameError> {
    draft(text, &PgnOptions::default()).whole().map(|(game, _)| game)
}

/// Reads one record as far as possible.
pub(crate) fn draft<'a>(text: &'a str, options: &PgnOptions) -> Draft<'a> {
    let (tags, body, unclosed) = tag_section(text);
    if let Some(span) = unclosed {
        return Draft::failed(GameError::at_start(GameErrorKind::Unclosed('['), span));
    }
    let said = match SetUp::of(&tags) {
        Ok(said) => said,
        Err(tag) => {
            let start = tag.raw.as_ptr() as usize - text.as_ptr() as usize;
            let span = Span::new(start, start + tag.raw.len());
            return Draft::failed(GameError::at_start(GameErrorKind::Variant, span));
        }
    };
    let start = match said.start(text, options) {
        Ok(start) => start,
        Err(error) => return Draft::failed(error),
    };
    if start.game() != Game::Western {
        return other_game(text, body, tags, start, said.notation);
    }
    let mut reader = Movetext {
        text: text.as_bytes(),
        at: body,
        line: SanReader::new(start),
        result: None,
        extras: Extras::default(),
        remarks: Vec::new(),
    };
    let outcome = reader.read();
    let is_open = said.named.is_none() && said.fen.is_none() && options.game.is_none();
    if let (Err(_), true, 0..=1) = (&outcome, is_open, reader.line.moves().len())
        && let Some(draft) = guessed(text, body, &tags)
    {
        return draft;
    }
    let error = outcome.err().map(|(span, kind)| {
        let kind = match kind {
            GameErrorKind::Move(error @ MoveError::Illegal, None) => {
                let reason = reader.line.position().reason(Notation::San, &text[span.start..span.end], None);
                GameErrorKind::Move(error, reason)
            }
            kind => kind,
        };
        GameError { kind, span, plies: reader.line.moves().len() }
    });
    let Movetext { line, result, extras, remarks, .. } = reader;
    let (start, moves) = line.into_parts();
    let mut game = FiniteGame::played(start, moves);
    game.tags = tags.into_iter().map(|tag| (Cow::Borrowed(tag.name), tag.value())).collect();
    (game.result, game.extras, game.remarks) = (result, extras, remarks);
    Draft { game: Some(game), warnings: Vec::new(), error }
}

/// A game other than Western chess.
fn other_game<'a>(
    text: &'a str,
    body: usize,
    tags: Vec<Tag<'a>>,
    start: Board,
    format: Option<&str>,
) -> Draft<'a> {
    let mut score = Score::new(start);
    let has_white = tags.iter().any(|tag| tag.name == "White");
    let red_is_white = score.start.game() == Game::Xiangqi && !has_white;
    let name = |name: &'a str| if red_is_white && name == "Red" { "White" } else { name };
    score.tags = tags.into_iter().map(|tag| (Cow::Borrowed(name(tag.name)), tag.value())).collect();
    let words = match words::words(text, body) {
        Ok(words) => words,
        Err((span, kind)) => {
            let error = score.error(kind, span);
            return score.draft(Some(error));
        }
    };
    let error = words::play(&mut score, text, &words, format).err();
    score.draft(error)
}

/// A game whose tags name none and that is not of Western chess.
#[cold]
fn guessed<'a>(text: &'a str, body: usize, tags: &[Tag<'a>]) -> Option<Draft<'a>> {
    let words = words::words(text, body).ok()?;
    let game = words::guess(text, &words)?;
    let mut draft = other_game(text, body, tags.to_vec(), Board::start(game), None);
    draft.warnings.insert(0, Warning::game(GameWarning::GuessedGame, *words.moves.first()?));
    Some(draft)
}

/// The tags, where the moves begin, and a tag that is never closed.
pub(super) fn tag_section(text: &str) -> (Vec<Tag<'_>>, usize, Option<Span>) {
    let bytes = text.as_bytes();
    let mut tags = Vec::with_capacity(20);
    let mut at = 0;
    loop {
        at = skip_blanks(bytes, at);
        match bytes.get(at) {
            Some(b'[') => {}
            Some(b'%') if at == 0 || bytes[at - 1] == b'\n' => {
                at = line_end(bytes, at);
                continue;
            }
            _ => return (tags, at, None),
        }
        let unclosed = Some(Span::new(at, at + 1));
        let name = skip_blanks(bytes, at + 1);
        let name_end =
            name + bytes[name..].iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
        let quote = skip_blanks(bytes, name_end);
        if bytes.get(quote) != Some(&b'"') {
            return (tags, at, unclosed);
        }
        // The value ends at a quote that is not escaped.
        let mut end = quote + 1;
        let mut escaped = false;
        loop {
            match memchr::memchr3(b'"', b'\\', b'\n', &bytes[end..]) {
                Some(found) if bytes[end + found] == b'\\' => {
                    end = (end + found + 2).min(bytes.len());
                    escaped = true;
                }
                // A quote inside a value: it ends where a bracket follows.
                Some(found) if bytes[end + found] == b'"' => {
                    end += found;
                    if bytes.get(skip_blanks(bytes, end + 1)) == Some(&b']') {
                        break;
                    }
                    end += 1;
                }
                _ => return (tags, at, unclosed),
            }
        }
        let (Some(tag_name), Some(raw)) = (text.get(name..name_end), text.get(quote + 1..end)) else {
            return (tags, at, unclosed);
        };
        tags.push(Tag { name: tag_name, raw, escaped });
        at = skip_blanks(bytes, end + 1) + 1;
    }
}

/// The length of a move number with its dot: neither a result nor castling has a dot after its digits.
#[inline]
fn plain_number(text: &[u8]) -> Option<usize> {
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    (digits > 0 && text[0] != b'0' && text.get(digits) == Some(&b'.')).then_some(digits + 1)
}

fn skip_blanks(text: &[u8], from: usize) -> usize {
    from + text[from.min(text.len())..].iter().take_while(|b| b.is_ascii_whitespace()).count()
}

pub(super) fn line_end(text: &[u8], from: usize) -> usize {
    memchr::memchr(b'\n', &text[from..]).map_or(text.len(), |at| from + at + 1)
}

/// The bytes that end a word of the movetext.
pub(super) const ENDS_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let ends = b" \t\n\x0b\x0c\r{}();$[]";
    let mut at = 0;
    while at < ends.len() {
        table[ends[at] as usize] = true;
        at += 1;
    }
    table
};

/// The moves of a game, as they are read.
struct Movetext<'a> {
    text: &'a [u8],
    at: usize,
    line: SanReader,
    result: Option<GameResult>,
    extras: Extras,
    remarks: Vec<Remark>,
}

type Reading = Result<(), (Span, GameErrorKind)>;

impl Movetext<'_> {
    fn read(&mut self) -> Reading {
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b' ' | b'\n' | b'\r' | b'\t' | 0x0b | 0x0c | b'.' | b')' | b'+' | b'#' | b'=' | b'/'
                | b'<' | b'>' => {
                    self.at += 1;
                }
                b'a'..=b'h' | b'K' | b'Q' | b'R' | b'B' | b'N' | b'O' | b'P' | b'o' => self.play()?,
                b'0'..=b'9' => self.number()?,
                b'{' => {
                    let start = self.at + 1;
                    self.comment()?;
                    self.remark(start, self.at - 1);
                }
                b';' => {
                    self.extras.comments += 1;
                    let start = self.at + 1;
                    self.at = line_end(self.text, self.at);
                    self.remark(start, self.at);
                }
                b'%' if self.at == 0 || self.text[self.at - 1] == b'\n' => {
                    self.at = line_end(self.text, self.at);
                }
                b'(' => self.variation()?,
                b'$' => {
                    self.extras.glyphs += 1;
                    self.at += 1;
                    self.at += self.text[self.at..].iter().take_while(|b| b.is_ascii_digit()).count();
                }
                b'!' | b'?' => {
                    self.extras.glyphs += 1;
                    self.at += self.text[self.at..].iter().take_while(|b| matches!(b, b'!' | b'?')).count();
                }
                b'*' => {
                    self.result = Some(GameResult::Unknown);
                    self.at += 1;
                }
                b'-' | b'Z' => self.null()?,
                0xe2 if self.text[self.at..].starts_with("…".as_bytes()) => self.at += 3,
                0xc2 if self.text[self.at..].starts_with("½".as_bytes()) => {
                    self.result = Some(GameResult::Draw);
                    self.at += if self.text[self.at..].starts_with("½-½".as_bytes()) { 5 } else { 2 };
                }
                _ => return Err((self.word(), GameErrorKind::Move(MoveError::NotAMove, None))),
            }
        }
        Ok(())
    }

    /// The word at the place that is being read.
    fn word(&self) -> Span {
        let length = self.text[self.at..].iter().take_while(|b| !ENDS_WORD[usize::from(**b)]).count();
        Span::new(self.at, self.at + length.max(1))
    }

    /// A move, and the ordinary ones after it: nearly all of a collection is this.
    fn play(&mut self) -> Reading {
        let before = self.at;
        while self.result.is_none()
            && let Some(length) = self.line.play_next(&self.text[self.at..])
        {
            self.at += length;
            self.extras.glyphs += u32::from(matches!(self.text[self.at - 1], b'!' | b'?'));
            self.skip_number();
        }
        if self.at > before { Ok(()) } else { self.play_word() }
    }

    /// Passes over a blank, and a move number with its dot and another blank.
    fn skip_number(&mut self) {
        let blank = |at: usize| usize::from(matches!(self.text.get(at), Some(b' ' | b'\n')));
        self.at += blank(self.at);
        if let Some(length) = plain_number(&self.text[self.at..]) {
            self.at += length;
            self.at += blank(self.at);
        }
    }

    /// A move in any spelling.
    fn play_word(&mut self) -> Reading {
        let Span { start, end } = self.word();
        let word = &self.text[start..end];
        self.at = end;
        if word.starts_with(b"e.p") {
            return Ok(());
        }
        if self.result.is_some() {
            return Err((Span::new(start, end), GameErrorKind::AfterResult));
        }
        // `e8(Q)` and `e8 =Q`
        let mut end = end;
        if matches!(word[word.len() - 1], b'1' | b'8') && (b'a'..=b'h').contains(&word[0]) {
            let next = skip_blanks(self.text, end);
            let length = match &self.text[next.min(self.text.len())..] {
                [b'=', letter, ..] if letter.is_ascii_alphabetic() => 2,
                [b'(', b'Q' | b'R' | b'B' | b'N', b')', ..] => 3,
                _ => 0,
            };
            if length > 0 {
                end = next + length;
                self.at = end;
            }
        }
        let played = self.line.play_san(&self.text[start..end]);
        played.map_err(|error| (Span::new(start, end), GameErrorKind::Move(error, None)))?;
        if matches!(self.text[end - 1], b'!' | b'?') {
            self.extras.glyphs += 1;
        }
        Ok(())
    }

    /// A move number, a result, or castling with zeros.
    fn number(&mut self) -> Reading {
        let rest = &self.text[self.at..];
        if let Some(length) = plain_number(rest) {
            self.at += length;
            return Ok(());
        }
        let results = GameResult::ALL.map(|result| (result.as_str(), result));
        for (name, result) in results.into_iter().chain([("1/2", GameResult::Draw)]) {
            if rest.starts_with(name.as_bytes())
                && !rest.get(name.len()).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'-')
            {
                self.result = Some(result);
                self.at += name.len();
                return Ok(());
            }
        }
        if rest.starts_with(b"0-0") {
            return self.play();
        }
        if rest.starts_with(b"0000") {
            return self.null();
        }
        self.at += rest.iter().take_while(|b| b.is_ascii_digit()).count();
        Ok(())
    }

    fn null(&mut self) -> Reading {
        let span = self.word();
        let word = &self.text[span.start..span.end];
        self.at = span.end;
        if !(word.starts_with(b"--") || word.starts_with(b"Z0") || word == b"0000") {
            return if word == b"-" {
                Ok(())
            } else {
                Err((span, GameErrorKind::Move(MoveError::NotAMove, None)))
            };
        }
        self.line.play(Move::NULL).map_err(|_| (span, GameErrorKind::Move(MoveError::Illegal, None)))
    }

    fn remark(&mut self, start: usize, end: usize) {
        self.remarks.push(Remark::of_line(self.line.moves().len(), self.text, start, end));
    }

    fn comment(&mut self) -> Reading {
        let unclosed = (Span::new(self.at, self.at + 1), GameErrorKind::Unclosed('{'));
        let length = memchr::memchr(b'}', &self.text[self.at..]).ok_or(unclosed)?;
        let comment = &self.text[self.at..self.at + length];
        self.extras.comments += 1;
        let clock = memchr::memchr_iter(b'%', comment).any(|at| comment[at..].starts_with(b"%clk"));
        self.extras.clocks += u32::from(clock);
        self.at += length + 1;
        Ok(())
    }

    /// Passes over a variation and those inside it.
    fn variation(&mut self) -> Reading {
        let unclosed = Err((Span::new(self.at, self.at + 1), GameErrorKind::Unclosed('(')));
        self.extras.variations += 1;
        let mut depth = 0_usize;
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'{' => {
                    self.comment()?;
                    continue;
                }
                b';' => {
                    self.at = line_end(self.text, self.at);
                    continue;
                }
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return Ok(());
            }
        }
        unclosed
    }
}
