//! The text of one KIF record.

use std::borrow::Cow;

use boardprint_base::{GameResult, Side, Span};
use boardprint_finite::Notation;
use boardprint_finite::notation::kanji_digit;

use super::diagram::Diagram;
use super::{BLANKS, handicap};
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
/// let text = "手合割：平手\n   1 ７六歩(77)   ( 0:12/00:00:12)\n   2 ３四歩(33)\n   3 投了\nまで2手で後手の勝ち\n";
/// let game = boardprint_games::kif::read(text)?;
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
    let mut outcome = reader.record(text);
    if outcome.is_ok() && reader.score.is_none() {
        outcome = if reader.has_anything() {
            reader.begin(Span::new(0, 0))
        } else {
            Err(GameError::at_start(
                GameErrorKind::Expected("headers, a diagram or moves of KIF"),
                Span::new(0, 0),
            ))
        };
    }
    match reader.score {
        Some(mut score) => {
            (score.extras, score.tags, score.warnings) = (reader.extras, reader.tags, reader.warnings);
            score.remarks = reader.remarks;
            score.draft(outcome.err())
        }
        None => Draft { game: None, warnings: reader.warnings, error: outcome.err() },
    }
}

/// Keys of headers that say the start or the players.
const SPOKEN_FOR: [&str; 13] = [
    "手合割",
    "先手",
    "下手",
    "後手",
    "上手",
    "先手の持駒",
    "下手の持駒",
    "先手の持ち駒",
    "下手の持ち駒",
    "後手の持駒",
    "上手の持駒",
    "後手の持ち駒",
    "上手の持ち駒",
];

/// Whether a line that begins with this key and a colon is read as a header that means nothing else.
pub(crate) fn is_free_key(key: &str) -> bool {
    const OTHER_LINES: [&str; 4] = ["+-", "変化", "手数", "まで"];
    !key.is_empty()
        && key.trim_matches(BLANKS) == key
        && !key.contains(['：', ':', '\n', '\r'])
        && !key.starts_with(|c: char| c.is_ascii_digit() || "#&*|▲△☗☖".contains(c))
        && !OTHER_LINES.iter().any(|start| key.starts_with(start))
        && !SPOKEN_FOR.contains(&key)
}

#[derive(Default)]
struct Reader<'a> {
    tags: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    /// The value of `手合割` and where it stands.
    handicap: Option<(&'a str, Span)>,
    diagram: Diagram,
    side: Option<Side>,
    /// The game, once moves begin.
    score: Option<Score<'a>>,
    /// What is added to the number of a move to get its half-move.
    offset: Option<i64>,
    in_variation: bool,
    extras: Extras,
    remarks: Vec<Remark>,
    warnings: Vec<Warning>,
}

type Step = Result<(), GameError>;

impl<'a> Reader<'a> {
    fn record(&mut self, text: &'a str) -> Step {
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let content = line.trim_end_matches(['\n', '\r', ' ', '\t', '\u{1a}']);
            let inner = content.trim_start_matches(BLANKS);
            let at = start + content.len() - inner.len();
            self.line(inner, Span::new(at, at + inner.len()))?;
            start += line.len();
        }
        Ok(())
    }

    fn line(&mut self, line: &'a str, span: Span) -> Step {
        match line.chars().next() {
            None | Some('#' | '&') => return Ok(()),
            Some('*') => {
                self.extras.comments += 1;
                if !self.in_variation {
                    let ply = self.score.as_ref().map_or(0, |score| score.moves.len());
                    self.remarks.push(Remark { ply, span: Span::new(span.start + 1, span.end) });
                }
                return Ok(());
            }
            Some('0'..='9') => return self.numbered(line, span),
            Some('|') => return self.row(line, span),
            Some('+') if line.starts_with("+-") => return Ok(()),
            Some('▲' | '△' | '☗' | '☖') => {
                let kind =
                    GameErrorKind::Expected("numbered moves with the square they come from: this is KI2");
                return Err(self.error(kind, span));
            }
            _ => {}
        }
        if line.starts_with("変化") {
            self.extras.variations += 1;
            self.in_variation = true;
            return Ok(());
        }
        if self.in_variation
            || line.starts_with("手数")
            || line.chars().all(|c| "１２３４５６７８９ 　".contains(c))
        {
            return Ok(());
        }
        match line {
            "先手番" | "下手番" => self.side = Some(Side::Bottom),
            "後手番" | "上手番" => self.side = Some(Side::Top),
            _ if line.starts_with("まで") => self.sentence(line, span)?,
            _ => match line.split_once(['：', ':']) {
                Some((key, value)) if self.score.is_none() => {
                    let value_at = span.end - value.len();
                    self.header(
                        key.trim_matches(BLANKS),
                        value.trim_matches(BLANKS),
                        Span::new(value_at, span.end),
                    )?;
                }
                _ => self.warn(GameWarning::UnknownLine, span),
            },
        }
        Ok(())
    }

    fn warn(&mut self, kind: GameWarning, span: Span) {
        self.warnings.push(Warning::game(kind, span));
    }

    fn error(&self, kind: GameErrorKind, span: Span) -> GameError {
        GameError { kind, span, plies: self.score.as_ref().map_or(0, |score| score.moves.len()) }
    }

    /// Whether anything was said that a record has.
    fn has_anything(&self) -> bool {
        !self.tags.is_empty() || self.handicap.is_some() || self.diagram.rows > 0 || self.side.is_some()
    }

    fn header(&mut self, key: &'a str, value: &'a str, span: Span) -> Step {
        let hand = match key {
            "先手の持駒" | "下手の持駒" | "先手の持ち駒" | "下手の持ち駒" => {
                Some(Side::Bottom)
            }
            "後手の持駒" | "上手の持駒" | "後手の持ち駒" | "上手の持ち駒" => {
                Some(Side::Top)
            }
            _ => None,
        };
        match (hand, key) {
            (Some(side), _) => {
                if !self.diagram.hand(side, value) {
                    let kind = GameErrorKind::Expected("pieces in hand such as `飛　歩三`, or `なし`");
                    return Err(self.error(kind, span));
                }
            }
            (None, "手合割") => self.handicap = Some((value, span)),
            (None, "先手" | "下手") => self.tags.push(("White".into(), value.into())),
            (None, "後手" | "上手") => self.tags.push(("Black".into(), value.into())),
            (None, _) if value.is_empty() => {}
            (None, key) => Headers::Kif.read(key, value, &mut self.tags),
        }
        Ok(())
    }

    fn row(&mut self, line: &str, span: Span) -> Step {
        if self.score.is_some() || self.in_variation || self.diagram.rows == 9 {
            if self.diagram.rows == 9 && !self.in_variation && self.score.is_none() {
                self.warn(GameWarning::TwoDiagrams, span);
            }
            return Ok(());
        }
        if self.diagram.row(line) {
            return Ok(());
        }
        Err(self.error(GameErrorKind::Expected("nine cells such as `v香` or ` ・`, then `|`"), span))
    }

    /// The start is complete. `span` is where moves begin.
    fn begin(&mut self, span: Span) -> Step {
        let named = self.handicap.map(|(name, span)| (handicap::of_name(name), span));
        let moves_first = match &named {
            Some((Some((_, false)), _)) => Side::Top,
            _ => Side::Bottom,
        };
        let mut fen = match (self.diagram.rows, named) {
            (0, None) => {
                if self.score.is_none() && !self.has_anything() {
                    self.warn(GameWarning::NoStart, span);
                }
                shogi::even_start()
            }
            (0, Some((Some((fen, _)), _))) => fen,
            (0, Some((None, span))) => {
                return Err(self.error(GameErrorKind::Expected("a known handicap, or a diagram"), span));
            }
            (9, _) => match self.diagram.fen() {
                Some(fen) => fen,
                None => return Err(self.error(GameErrorKind::Expected("pieces that can be in hand"), span)),
            },
            _ => return Err(self.error(GameErrorKind::Expected("a diagram of nine rows"), span)),
        };
        if shogi::has_too_many(&fen) {
            self.warn(GameWarning::ExtraPieces, span);
        }
        fen.set_side(self.side.unwrap_or(moves_first));
        // The file counts the first move as 1, whoever makes it.
        fen.set_counters(0, 0);
        let start = shogi::playable(&fen).map_err(|kind| GameError::at_start(kind, span))?;
        self.score = Some(Score::new(start));
        Ok(())
    }

    /// A move or an end word with its number.
    fn numbered(&mut self, line: &'a str, span: Span) -> Step {
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let number = line[..line.len() - rest.len()].parse::<i64>().ok();
        let body = rest.trim_start_matches(BLANKS);
        if body.len() == rest.len() {
            self.warn(GameWarning::UnknownLine, span);
            return Ok(());
        }
        if self.in_variation {
            return Ok(());
        }
        if self.score.is_none() {
            self.begin(span)?;
        }
        let Some(score) = &mut self.score else { return Ok(()) };
        let word = body.split([' ', '\t', '\u{3000}', '(', '（']).next().unwrap_or_default();
        if let Some((result, named)) = ending::of_kif(word, score.board.side()) {
            score.result = Some(result);
            self.tags.push((TERMINATION.into(), named.into()));
            return Ok(());
        }
        let at = span.end - body.len();
        if score.result.is_some() {
            return Err(score.error(GameErrorKind::AfterResult, Span::new(at, span.end)));
        }
        let core = move_text(body);
        let core_span = Span::new(at, at + core.len());
        let is_word = |c: char| !c.is_ascii() && kanji_digit(c).is_none() && !"同▲△☗☖▼▽".contains(c);
        if body.starts_with(is_word) {
            // A word without a square is an end that is not known.
            score.result = Some(GameResult::Unknown);
            self.warn(GameWarning::UnknownEnd, Span::new(at, span.end));
            return Ok(());
        }
        score.play(Notation::Kif, core, core_span)?;
        let plies = i64::try_from(score.moves.len()).unwrap_or(i64::MAX);
        self.extras.clocks += u32::from(body[core.len()..].contains(':'));
        if let Some(number) = number {
            let offset = *self.offset.get_or_insert(number - plies);
            if number - plies != offset {
                self.offset = Some(number - plies);
                self.warn(GameWarning::MoveNumber, span);
            }
        }
        Ok(())
    }

    /// `まで12手で後手の勝ち`: the result, if no end word said it.
    fn sentence(&mut self, line: &str, span: Span) -> Step {
        if self.score.is_none() {
            self.begin(span)?;
        }
        let Some(score) = &mut self.score else { return Ok(()) };
        if score.result.is_some() {
            return Ok(());
        }
        let has = |words: &[&str]| words.iter().any(|word| line.contains(word));
        let (first, second) = (has(&["先手", "下手"]), has(&["後手", "上手"]));
        let won = if has(&["勝"]) {
            Some(first)
        } else if has(&["負"]) {
            Some(second)
        } else {
            None
        };
        score.result = match won {
            Some(true) if first != second => Some(GameResult::WhiteWins),
            Some(false) if first != second => Some(GameResult::BlackWins),
            _ if has(&["千日手", "持将棋", "引き分け", "引分"]) => Some(GameResult::Draw),
            _ => Some(GameResult::Unknown),
        };
        Ok(())
    }
}

/// The move with which a text begins: up to `打`, or to the square it comes from.
fn move_text(body: &str) -> &str {
    let open = body.find(['(', '（']).unwrap_or(body.len());
    if let Some(at) = body[..open].find('打') {
        return &body[..at + '打'.len_utf8()];
    }
    match body[open..].char_indices().find(|(_, c)| matches!(c, ')' | '）')) {
        Some((at, close)) => &body[..open + at + close.len_utf8()],
        None => body[..open].trim_end_matches(BLANKS),
    }
}
