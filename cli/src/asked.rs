//! What a question means: a hash, its first digits, moves, or a position in any notation. The program and the
//! server decide alike.

use boardprint_base::{Digest, DigestPrefix, LineColumn};
use boardprint_games::{Content, Format, ReadOptions, RecordError, Warning as ReadWarning};
use boardprint_store::db::{self, Posting, Replay as _, Snapshot};
use boardprint_store::games::Rules;
use serde::Serialize;

use crate::answers::AnswerError;
use crate::report::Usage;

/// The fewest digits of a hash that are looked up.
const LEAST_DIGITS: usize = 6;
/// The most warnings that are told.
const MOST_WARNINGS: usize = 100;

/// A position that somebody asks about.
pub(crate) struct Asked {
    /// How the question was understood.
    pub(crate) taken_as: &'static str,
    /// Start and all moves that lead to the position.
    pub(crate) whole: Content<'static>,
    /// The position itself, without moves.
    pub(crate) now: Content<'static>,
    /// Whether the question gave a start, and not only a hash.
    pub(crate) has_start: bool,
    pub(crate) warnings: Vec<Warning>,
}

/// What a question is.
pub(crate) enum Meant {
    /// A whole hash.
    Hash(Digest),
    /// The first digits of one.
    Prefix(DigestPrefix),
    /// A position.
    Position(Box<Asked>),
}

/// How a question is to be understood, if somebody says so.
#[derive(Clone, Copy)]
#[cfg_attr(not(feature = "serve"), expect(dead_code, reason = "the command line names formats only"))]
pub(crate) enum Form {
    Hash,
    Moves,
    Record(Format),
}

/// Why a question has no meaning.
#[derive(Debug)]
pub(crate) enum Unclear {
    /// Neither a hash nor moves nor a position.
    Nothing,
    /// Not the digits of a hash.
    NotAHash,
    /// Too few digits of a hash; whether they could be moves that cannot be played.
    FewDigits { moves: bool },
    /// A text that cannot be read or played, its format, and whether it is bare moves.
    Record { error: RecordError, format: Format, moves: bool },
}

/// Something that had to be interpreted.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Warning {
    kind: &'static str,
    message: String,
    line: Option<u64>,
    column: Option<u64>,
}

impl Warning {
    /// The warnings of a text, the first of them.
    pub(crate) fn all(warnings: &[ReadWarning], text: &str) -> Vec<Self> {
        warnings.iter().take(MOST_WARNINGS).map(|warning| Self::new(warning, text)).collect()
    }

    /// The same in other words.
    #[cfg(feature = "serve")]
    pub(crate) fn reworded(self, words: fn(&str) -> String) -> Self {
        Warning { message: words(&self.message), ..self }
    }

    /// What was interpreted, in words.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    fn new(warning: &ReadWarning, text: &str) -> Self {
        let LineColumn { line, column } = LineColumn::of(text, warning.span().start);
        Warning {
            kind: warning.kind().name(),
            message: warning.to_string(),
            line: Some(line as u64),
            column: Some(column as u64),
        }
    }
}

/// Decides what a text means. Whatever a text can be, the first of these counts: a whole hash; moves; six or
/// more digits of a hash; any notation. Nothing is both a hash and moves, unless it has six or more
/// hexadecimal digits: then it is moves if these can be played.
pub(crate) fn understand(text: &str, form: Option<Form>, reading: &ReadOptions) -> Result<Meant, Unclear> {
    let text = text.trim();
    let digits = text.parse::<DigestPrefix>().ok();
    match form {
        Some(Form::Hash) => return by_digits(digits.ok_or(Unclear::NotAHash)?, false),
        Some(Form::Moves) => return Asked::read(text, Format::Pgn, true, reading),
        Some(Form::Record(format)) => return Asked::read(text, format, false, reading),
        None => {}
    }
    let format = Format::detect(text.as_bytes());
    if let Some(digits) = digits {
        let moves = digits.whole().is_none() && format == Some(Format::Pgn);
        if moves && let Ok(asked) = Asked::read(text, Format::Pgn, true, reading) {
            return Ok(asked);
        }
        return by_digits(digits, moves);
    }
    let format = format.ok_or(Unclear::Nothing)?;
    Asked::read(text, format, format == Format::Pgn && !text.starts_with('['), reading)
}

fn by_digits(digits: DigestPrefix, moves: bool) -> Result<Meant, Unclear> {
    match digits.whole() {
        Some(hash) => Ok(Meant::Hash(hash)),
        None if digits.digits() < LEAST_DIGITS => Err(Unclear::FewDigits { moves }),
        None => Ok(Meant::Prefix(digits)),
    }
}

impl Asked {
    /// A position that is given as it is.
    pub(crate) fn given(taken_as: &'static str, now: Content<'static>, has_start: bool) -> Self {
        Asked { taken_as, whole: now.clone(), now, has_start, warnings: Vec::new() }
    }

    fn read(text: &str, format: Format, moves: bool, reading: &ReadOptions) -> Result<Meant, Unclear> {
        let bad = |error| Unclear::Record { error, format, moves };
        let read = reading.read_text(format, text).map_err(bad)?;
        let warnings = Warning::all(&read.warnings, text);
        let whole = read.content.into_owned();
        // A position without moves is itself: playing to it would make a start that lacks kings unplayable.
        let now = whole.at(whole.plies()).map_err(bad)?;
        let taken_as = if moves { "moves" } else { format.name() };
        Ok(Meant::Position(Box::new(Asked { taken_as, whole, now, has_start: true, warnings })))
    }
}

impl Unclear {
    /// In words of the command line, with the place in the text.
    pub(crate) fn usage(&self, text: &str) -> Usage {
        Usage(match self {
            Unclear::Nothing => {
                "this is neither a hash nor moves nor a position; name its format with --from".to_owned()
            }
            Unclear::NotAHash => "this is not a hash".to_owned(),
            Unclear::FewDigits { moves: true } => {
                "these moves cannot be played from the usual start, and a hash needs at least 6 digits"
                    .to_owned()
            }
            Unclear::FewDigits { moves: false } => {
                "a hash needs at least 6 digits to be looked up".to_owned()
            }
            Unclear::Record { error, format, moves } => {
                let LineColumn { line, column } = error.line_column(text.trim());
                let hint = error.hint().map(|hint| format!("; {hint}")).unwrap_or_default();
                let what = if *moves {
                    "these are not valid moves".to_owned()
                } else {
                    format!("this is not valid {}", format.title())
                };
                format!("{line}:{column}: {what}: {error}{hint}")
            }
        })
    }
}

/// Who finds positions by their hashes: in the games that have them.
#[derive(Clone, Copy)]
pub(crate) struct Finder<'a> {
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) rules: &'a Rules,
}

impl Finder<'_> {
    /// The position of a hash; `None` if it never occurred.
    pub(crate) fn position(&self, hash: &Digest) -> Result<Option<Content<'static>>, AnswerError> {
        let Some((id, ply)) = self.snapshot.first_occurrence(hash)? else { return Ok(None) };
        // Ten bytes of the hash are kept; the position must have all twenty.
        if self.hash_at(id, ply)? != *hash {
            return Ok(None);
        }
        let unplayable = |why| db::Error::Replay { id, why };
        let content = self.rules.content(&*self.snapshot.game(id)?).map_err(unplayable)?;
        Ok(Some(content.at(ply as usize)?))
    }

    /// The hashes that begin with some digits, this many, after a place that an earlier list gave, and where
    /// the list goes on.
    pub(crate) fn beginning_with(
        &self,
        digits: &DigestPrefix,
        after: Option<db::Prefix>,
        limit: usize,
    ) -> Result<(Vec<Digest>, Option<db::Prefix>), AnswerError> {
        // One more than is wanted, to know that there are more.
        let mut postings = self.snapshot.positions(digits, after, limit.saturating_add(1))?;
        let more = postings.len() > limit;
        postings.truncate(limit);
        let mut hashes = Vec::with_capacity(postings.len());
        for posting in &postings {
            let hash = self.hash_at(posting.game(), posting.ply())?;
            if hash.starts_with(digits) {
                hashes.push(hash);
            }
        }
        Ok((hashes, postings.last().filter(|_| more).map(Posting::prefix)))
    }

    /// The whole hash of a position, by playing to it.
    fn hash_at(&self, id: u64, ply: u32) -> Result<Digest, AnswerError> {
        let unplayable = |why| db::Error::Replay { id, why };
        let text = self.rules.position(&*self.snapshot.game(id)?, ply).map_err(unplayable)?;
        let short = || unplayable("the game is shorter than its positions say".to_owned());
        Ok(Digest::of(&text.ok_or_else(short)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(text: &str) -> String {
        match understand(text, None, &ReadOptions::default()) {
            Ok(Meant::Hash(_)) => "hash".to_owned(),
            Ok(Meant::Prefix(digits)) => format!("digits {digits}"),
            Ok(Meant::Position(asked)) => asked.taken_as.to_owned(),
            Err(unclear) => unclear.usage(text).to_string(),
        }
    }

    #[test]
    fn a_question_is_taken_in_a_fixed_order() {
        for (text, expected) in [
            ("5693c349961f8bc345c6c11418aa00be3a038d8f", "hash"),
            ("5693C3", "digits 5693c3"),
            ("e4", "moves"),
            ("d4 d5 c4", "moves"),
            ("1. e4 c5", "moves"),
            ("1.e4 c5 2.Nf3", "moves"),
            ("e2e4", "moves"),
            ("a2a3b7", "digits a2a3b7"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "fen"),
            ("K1,1|k1,9", "icn"),
            ("B--1,3--w:^k,,W:^K--", "cpn"),
            ("[White \"A\"]\n\n1. e4", "pgn"),
        ] {
            assert_eq!(taken(text), expected, "{text}");
        }
        assert!(taken("0123").contains("at least 6 digits"), "{}", taken("0123"));
        assert!(taken("e5").contains("cannot be played"), "{}", taken("e5"));
        assert!(taken("no position at all").contains("neither"));
        assert!(taken("1. e4 e4").starts_with("1:"), "{}", taken("1. e4 e4"));
    }
}
