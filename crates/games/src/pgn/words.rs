//! The moves of games other than Western chess: words first, then what they mean.
//!
//! Which notation the words are in is told by what is legal: the notations of the game are tried from the
//! start, and the first one in which every word is a legal move counts, else the one that gets furthest. From
//! there on single words may be in another one.

use boardprint_base::{GameResult, Span};
use boardprint_finite::{Action, Board, Game, Move, MoveError, Notation};

use super::parse::{ENDS_WORD, line_end};
use crate::finite::{Extras, Remark};
use crate::score::Score;
use crate::warning::GameWarning;
use crate::{GameError, GameErrorKind};

/// The words of a game that may be moves.
#[derive(Default)]
pub(super) struct Words {
    pub(super) moves: Vec<Span>,
    pub(super) result: Option<GameResult>,
    pub(super) extras: Extras,
    pub(super) remarks: Vec<Remark>,
    /// The first word after the result.
    pub(super) after: Option<Span>,
}

const RESULTS: [(&str, GameResult); 8] = [
    ("1-0", GameResult::WhiteWins),
    ("0-1", GameResult::BlackWins),
    ("1/2-1/2", GameResult::Draw),
    ("1/2", GameResult::Draw),
    ("½-½", GameResult::Draw),
    ("½", GameResult::Draw),
    ("0.5-0.5", GameResult::Draw),
    ("*", GameResult::Unknown),
];

/// Finds the words of a text from a place on.
pub(super) fn words(text: &str, from: usize) -> Result<Words, (Span, GameErrorKind)> {
    let bytes = text.as_bytes();
    let mut found = Words::default();
    let mut at = from;
    while let Some(&byte) = bytes.get(at) {
        let unclosed = |open: char| (Span::new(at, at + 1), GameErrorKind::Unclosed(open));
        match byte {
            b'{' => {
                let length = memchr::memchr(b'}', &bytes[at..]).ok_or_else(|| unclosed('{'))?;
                found.extras.comments += 1;
                let clock = memchr::memmem::find(&bytes[at..at + length], b"%clk").is_some();
                found.extras.clocks += u32::from(clock);
                found.remark(bytes, at + 1, at + length);
                at += length + 1;
            }
            b';' => {
                found.extras.comments += 1;
                let end = line_end(bytes, at);
                found.remark(bytes, at + 1, end);
                at = end;
            }
            b'%' if at == 0 || bytes[at - 1] == b'\n' => at = line_end(bytes, at),
            b'(' => {
                found.extras.variations += 1;
                at = variation_end(bytes, at).ok_or_else(|| unclosed('('))?;
            }
            b'$' => {
                found.extras.glyphs += 1;
                at += 1 + bytes[at + 1..].iter().take_while(|b| b.is_ascii_digit()).count();
            }
            byte if ENDS_WORD[usize::from(byte)] => at += 1,
            0xe3 if bytes[at..].starts_with("\u{3000}".as_bytes()) => at += 3,
            _ => {
                let end = word_end(bytes, at);
                found.word(text, Span::new(at, end));
                at = end;
                if found.after.is_some() {
                    break;
                }
            }
        }
    }
    Ok(found)
}

/// Where a word ends.
fn word_end(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(&byte) = bytes.get(at) {
        if ENDS_WORD[usize::from(byte)] || byte == 0xe3 && bytes[at..].starts_with("\u{3000}".as_bytes()) {
            break;
        }
        at += 1;
    }
    at
}

/// Where a variation ends, with those inside it.
fn variation_end(bytes: &[u8], from: usize) -> Option<usize> {
    let (mut at, mut depth) = (from, 0_usize);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'{' => at += memchr::memchr(b'}', &bytes[at..])?,
            b';' => {
                at = line_end(bytes, at);
                continue;
            }
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

impl Words {
    fn remark(&mut self, text: &[u8], start: usize, end: usize) {
        self.remarks.push(Remark::of_line(self.moves.len(), text, start, end));
    }

    fn word(&mut self, text: &str, span: Span) {
        let whole = &text[span.start..span.end];
        let start = span.start + number_length(whole);
        let word = &text[start..span.end];
        let glyphs = word.trim_end_matches([',', '，', '、', '。']);
        let bare = glyphs.trim_end_matches(['!', '?', '！', '？']);
        self.extras.glyphs += u32::from(bare.len() < glyphs.len());
        let span = Span::new(start, start + bare.len());
        let is_result = RESULTS.iter().find(|(name, _)| *name == bare);
        match is_result {
            _ if bare.is_empty() || is_noise(bare) => {}
            Some((_, result)) if self.result.is_none() => self.result = Some(*result),
            Some(_) => {}
            None if self.result.is_some() => self.after = Some(span),
            None => self.moves.push(span),
        }
    }
}

/// How many bytes of a word are the number of a move: `12.`, `12...`, `12`. `33.4` is a move of Xiangqi.
fn number_length(word: &str) -> usize {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &word[digits..];
    let dots = rest.len() - rest.trim_start_matches(['.', '…', '．', '、']).len();
    let after = &rest[dots..];
    let is_move =
        digits == 2 && rest.starts_with('.') && after.len() == 1 && after.as_bytes()[0].is_ascii_digit();
    match (digits, dots) {
        (0, dots) => dots,
        (_, 0) if rest.is_empty() => digits,
        (_, 0) => 0,
        _ if is_move => 0,
        _ => digits + dots,
    }
}

/// Signs that say nothing about the moves.
fn is_noise(word: &str) -> bool {
    word.starts_with("e.p")
        || word == "ep"
        || word.chars().all(|c| "+#=/<>±∓⩲⩱∞-–—".contains(c) && word != "--")
}

/// The notations of a game in the order in which they are tried.
fn notations(game: Game) -> &'static [Notation] {
    match game {
        Game::Western => &[Notation::San],
        Game::Makruk => &[Notation::San, Notation::Uci],
        Game::Shogi => &[Notation::San, Notation::Usi, Notation::Uci],
        Game::Xiangqi => {
            &[Notation::San, Notation::SanFromZero, Notation::Iccs, Notation::Wxf, Notation::Chinese]
        }
        _ => &[Notation::San, Notation::Numbers, Notation::SanFromZero, Notation::Uci],
    }
}

/// Where the ranks of a notation begin, if it has ranks that may begin at 0 or 1.
const fn first_rank(notation: Notation) -> Option<u8> {
    match notation {
        Notation::San | Notation::Uci => Some(1),
        Notation::SanFromZero | Notation::Iccs | Notation::Ucci => Some(0),
        _ => None,
    }
}

/// The notation that a `Format` tag names.
fn named(name: &str) -> Option<Notation> {
    name.trim().to_ascii_lowercase().parse().ok()
}

/// A turn without a move: the pass of Janggi, else nothing.
fn pass(board: &Board, word: &str) -> Option<Result<Move, MoveError>> {
    if !matches!(word, "--" | "Z0" | "pass" | "Pass" | "PASS" | "0000") {
        return None;
    }
    let mut found = Err(MoveError::Illegal);
    if board.game() == Game::Janggi {
        board.each_legal_move(|played| {
            if matches!(played.action(Game::Janggi), Action::Pass(_)) {
                found = Ok(played);
            }
            found.is_err()
        });
    }
    Some(found)
}

fn read(board: &Board, notation: Notation, word: &str) -> Result<Move, MoveError> {
    match board.read(notation, word) {
        Err(MoveError::NotAMove) => pass(board, word).unwrap_or(Err(MoveError::NotAMove)),
        outcome => outcome,
    }
}

/// Plays words in one notation as far as that goes.
fn attempt(start: &Board, notation: Notation, text: &str, words: &[Span]) -> (Board, Vec<Move>) {
    let mut board = start.clone();
    let mut moves = Vec::with_capacity(words.len());
    for span in words {
        let Ok(played) = read(&board, notation, &text[span.start..span.end]) else { break };
        board.play_known(played);
        moves.push(played);
    }
    (board, moves)
}

/// Plays the words of a game.
pub(super) fn play(
    score: &mut Score<'_>,
    text: &str,
    words: &Words,
    format: Option<&str>,
) -> Result<(), GameError> {
    let game = score.start.game();
    let named = format.and_then(named).filter(|notation| notation.fits(game));
    let mut best = notations(game)[0];
    for notation in named.into_iter().chain(notations(game).iter().copied()) {
        let (board, moves) = attempt(&score.start, notation, text, &words.moves);
        if moves.len() > score.moves.len() || notation == best {
            (score.board, score.moves, best) = (board, moves, notation);
        }
        if score.moves.len() == words.moves.len() {
            break;
        }
    }
    let mut mixed = false;
    for span in &words.moves[score.moves.len()..] {
        let word = &text[span.start..span.end];
        let others = notations(game).iter().copied().filter(|other| {
            *other == best
                || first_rank(*other).is_none()
                || first_rank(best).is_none_or(|rank| first_rank(*other) == Some(rank))
        });
        match others.clone().find_map(|notation| Some((notation, read(&score.board, notation, word).ok()?))) {
            Some((notation, played)) => {
                if notation != best && !mixed {
                    score.warn(GameWarning::MixedNotation, *span);
                    mixed = true;
                }
                score.push(played);
            }
            None => return Err(nearest_error(score, others, word, *span)),
        }
    }
    (score.result, score.extras) = (words.result, words.extras);
    score.remarks.clone_from(&words.remarks);
    let Some(after) = words.after else { return Ok(()) };
    let word = &text[after.start..after.end];
    if notations(game).iter().any(|notation| score.board.read(*notation, word).is_ok()) {
        return Err(score.error(GameErrorKind::AfterResult, after));
    }
    score.warn(GameWarning::TextAfterResult, after);
    Ok(())
}

/// Why a word is not a legal move in any notation: the one in which it is a move at all.
fn nearest_error(
    score: &Score<'_>,
    notations: impl Iterator<Item = Notation>,
    word: &str,
    span: Span,
) -> GameError {
    let mut nearest = None;
    for notation in notations {
        let Err(error) = read(&score.board, notation, word) else { continue };
        if nearest.is_none() || error != MoveError::NotAMove {
            nearest = Some((notation, error));
        }
        if error != MoveError::NotAMove {
            break;
        }
    }
    let (notation, error) = nearest.unwrap_or((Notation::San, MoveError::NotAMove));
    score.refuse(notation, error, word, span)
}

/// The game that moves without a tag are of: Xiangqi or Shogi, if they read what Western chess cannot. The
/// likelier one.
pub(super) fn guess(text: &str, words: &Words) -> Option<Game> {
    let first = &words.moves[..words.moves.len().min(8)];
    if first.is_empty() {
        return None;
    }
    [Game::Xiangqi, Game::Shogi].into_iter().find(|game| {
        let start = Board::start(*game);
        notations(*game).iter().any(|notation| attempt(&start, *notation, text, first).1.len() == first.len())
    })
}
