//! The text of one PGN record.

use std::sync::LazyLock;

use boardprint_base::{GameResult, Span};
use cozy_chess::Board;

use super::identity::{USUAL_START, board_of_fen};
use super::san::resolve;
use super::{Broken, Extras, Tag, Trouble, WesternGame, WesternMove};

/// The usual start.
static START: LazyLock<Board> = LazyLock::new(Board::default);

/// Variants whose rules are those of Western chess, in lower case without blanks.
const WESTERN: [&str; 9] = [
    "",
    "standard",
    "chess",
    "normal",
    "chess960",
    "fischerandom",
    "fischerrandom",
    "fromposition",
    "western",
];

impl<'a> WesternGame<'a> {
    /// Reads one record. It always gives a game: [`WesternGame::broken`] says if it could not be read to its end.
    #[must_use]
    pub fn parse(text: &'a str) -> Self {
        let (tags, body, unclosed) = tag_section(text);
        let mut game = WesternGame {
            tags,
            start: START.clone(),
            last: START.clone(),
            moves: Vec::new(),
            result: None,
            extras: Extras::default(),
            broken: None,
            usual_start: true,
        };
        if let Some(span) = unclosed {
            game.broken = Some(Broken { ply: 0, span, trouble: Trouble::Unclosed('[') });
            return game;
        }
        if let Err((tag, trouble)) = game.set_up() {
            let start = tag.raw.as_ptr() as usize - text.as_ptr() as usize;
            game.broken = Some(Broken { ply: 0, span: Span::new(start, start + tag.raw.len()), trouble });
            return game;
        }
        game.moves.reserve(128);
        let mut reader = Movetext { text: text.as_bytes(), at: body, game: &mut game };
        if let Err((span, trouble)) = reader.read() {
            game.broken = Some(Broken { ply: game.moves.len(), span, trouble });
        }
        game
    }

    /// Sets the start from the tags.
    fn set_up(&mut self) -> Result<(), (Tag<'a>, Trouble)> {
        let mut fen = None;
        for tag in &self.tags {
            match tag.name {
                "FEN" => fen = Some(*tag),
                "SetUp" if tag.raw.trim() == "0" => return Ok(()),
                "Variant" => {
                    let name: String = tag.raw.chars().filter(|c| c.is_alphanumeric()).collect();
                    if !WESTERN.contains(&name.to_lowercase().as_str()) {
                        return Err((*tag, Trouble::Variant));
                    }
                }
                _ => {}
            }
        }
        let Some(tag) = fen else { return Ok(()) };
        let value = tag.value();
        if !value.starts_with(USUAL_START) {
            self.start = board_of_fen(&value).ok_or((tag, Trouble::Start))?;
            self.last = self.start.clone();
            self.usual_start = false;
        }
        Ok(())
    }
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
        loop {
            match memchr::memchr3(b'"', b'\\', b'\n', &bytes[end..]) {
                Some(found) if bytes[end + found] == b'\\' => end = (end + found + 2).min(bytes.len()),
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
        tags.push(Tag { name: tag_name, raw });
        at = skip_blanks(bytes, end + 1) + 1;
    }
}

fn skip_blanks(text: &[u8], from: usize) -> usize {
    from + text[from.min(text.len())..].iter().take_while(|b| b.is_ascii_whitespace()).count()
}

fn line_end(text: &[u8], from: usize) -> usize {
    memchr::memchr(b'\n', &text[from..]).map_or(text.len(), |at| from + at + 1)
}

/// The bytes that end a word of the movetext.
const ENDS_WORD: [bool; 256] = {
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
struct Movetext<'g, 'a> {
    text: &'a [u8],
    at: usize,
    game: &'g mut WesternGame<'a>,
}

type Reading = Result<(), (Span, Trouble)>;

impl Movetext<'_, '_> {
    fn read(&mut self) -> Reading {
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b' ' | b'\n' | b'\r' | b'\t' | 0x0b | 0x0c | b'.' | b')' | b'+' | b'#' | b'=' | b'/'
                | b'<' | b'>' => {
                    self.at += 1;
                }
                b'a'..=b'h' | b'K' | b'Q' | b'R' | b'B' | b'N' | b'O' | b'P' | b'o' => self.play()?,
                b'0'..=b'9' => self.number()?,
                b'{' => self.comment()?,
                b';' => {
                    self.game.extras.comments += 1;
                    self.at = line_end(self.text, self.at);
                }
                b'%' if self.at == 0 || self.text[self.at - 1] == b'\n' => {
                    self.at = line_end(self.text, self.at);
                }
                b'(' => self.variation()?,
                b'$' => {
                    self.game.extras.glyphs += 1;
                    self.at += 1;
                    self.at += self.text[self.at..].iter().take_while(|b| b.is_ascii_digit()).count();
                }
                b'!' | b'?' => {
                    self.game.extras.glyphs += 1;
                    self.at += self.text[self.at..].iter().take_while(|b| matches!(b, b'!' | b'?')).count();
                }
                b'*' => {
                    self.game.result = Some(GameResult::Unknown);
                    self.at += 1;
                }
                b'-' | b'Z' => self.null()?,
                0xe2 if self.text[self.at..].starts_with("…".as_bytes()) => self.at += 3,
                _ => return Err((self.word(), Trouble::NotAMove)),
            }
        }
        Ok(())
    }

    /// The word at the place that is being read.
    fn word(&self) -> Span {
        let length = self.text[self.at..].iter().take_while(|b| !ENDS_WORD[usize::from(**b)]).count();
        Span::new(self.at, self.at + length.max(1))
    }

    fn play(&mut self) -> Reading {
        let Span { start, end } = self.word();
        let word = &self.text[start..end];
        self.at = end;
        if word.starts_with(b"e.p") {
            return Ok(());
        }
        if self.game.result.is_some() {
            return Err((Span::new(start, end), Trouble::AfterResult));
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
        let played = resolve(&self.game.last, &self.text[start..end]);
        let played = played.map_err(|trouble| (Span::new(start, end), trouble))?;
        self.game.last.play_unchecked(played.generator);
        self.game.moves.push(played.named);
        if matches!(self.text[end - 1], b'!' | b'?') {
            self.game.extras.glyphs += 1;
        }
        Ok(())
    }

    /// A move number, a result, or castling with zeros.
    fn number(&mut self) -> Reading {
        let rest = &self.text[self.at..];
        for result in GameResult::ALL {
            let name = result.as_str().as_bytes();
            if rest.starts_with(name)
                && !rest.get(name.len()).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'-')
            {
                self.game.result = Some(result);
                self.at += name.len();
                return Ok(());
            }
        }
        if rest.starts_with(b"0-0") {
            return self.play();
        }
        self.at += rest.iter().take_while(|b| b.is_ascii_digit()).count();
        Ok(())
    }

    fn null(&mut self) -> Reading {
        let span = self.word();
        let word = &self.text[span.start..span.end];
        self.at = span.end;
        if !(word.starts_with(b"--") || word.starts_with(b"Z0")) {
            return if word == b"-" { Ok(()) } else { Err((span, Trouble::NotAMove)) };
        }
        self.game.last = self.game.last.null_move().ok_or((span, Trouble::Illegal))?;
        self.game.moves.push(WesternMove::NULL);
        Ok(())
    }

    fn comment(&mut self) -> Reading {
        let unclosed = (Span::new(self.at, self.at + 1), Trouble::Unclosed('{'));
        let length = memchr::memchr(b'}', &self.text[self.at..]).ok_or(unclosed)?;
        let comment = &self.text[self.at..self.at + length];
        self.game.extras.comments += 1;
        let clock = memchr::memchr_iter(b'%', comment).any(|at| comment[at..].starts_with(b"%clk"));
        self.game.extras.clocks += u32::from(clock);
        self.at += length + 1;
        Ok(())
    }

    /// Passes over a variation and those inside it.
    fn variation(&mut self) -> Reading {
        let unclosed = Err((Span::new(self.at, self.at + 1), Trouble::Unclosed('(')));
        self.game.extras.variations += 1;
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
