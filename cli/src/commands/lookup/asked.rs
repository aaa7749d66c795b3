//! What a question means: a hash, its first digits, moves, or a position in any notation.

use anyhow::Result;
use boardprint_base::{Digest, DigestPrefix, LineColumn};
use boardprint_games::{Content, Format, Profile, ReadOptions};

use crate::report::Usage;

/// What was asked for.
pub(super) enum Asked {
    /// A whole hash.
    Hash(Digest),
    /// The first digits of one.
    Prefix(DigestPrefix),
    /// A position: how it was given, its hash, and the position itself, without moves.
    Position(&'static str, Digest, Box<Content<'static>>),
}

/// The fewest digits of a hash that are looked up.
const LEAST_DIGITS: usize = 6;

/// Decides what a text means. Whatever a text can be, the first of these counts: a whole hash; moves; six or more digits of a
/// hash; any notation. Nothing is both a hash and moves, unless it has six or more hexadecimal digits: then it is moves if these can be played.
pub(super) fn understand(
    text: &str,
    from: Option<Format>,
    reading: &ReadOptions,
    profile: Profile,
) -> Result<Asked> {
    let text = text.trim();
    if let Some(format) = from {
        return read(text, format, format.name(), reading, profile);
    }
    let digits = text.parse::<DigestPrefix>().ok();
    if let Some(hash) = digits.as_ref().and_then(DigestPrefix::whole) {
        return Ok(Asked::Hash(hash));
    }
    let format = Format::detect(text.as_bytes());
    if let Some(digits) = digits {
        let moves = format == Some(Format::Pgn);
        if moves && let Ok(asked) = read(text, Format::Pgn, "moves", reading, profile) {
            return Ok(asked);
        }
        if digits.digits() < LEAST_DIGITS {
            let message = if moves {
                "these moves cannot be played from the usual start, and a hash needs at least 6 digits"
            } else {
                "a hash needs at least 6 digits to be looked up"
            };
            return Err(Usage(message.to_owned()).into());
        }
        return Ok(Asked::Prefix(digits));
    }
    let Some(format) = format else {
        let message = "this is neither a hash nor moves nor a position; name its format with --from";
        return Err(Usage(message.to_owned()).into());
    };
    let is_bare = format == Format::Pgn && !text.starts_with('[');
    read(text, format, if is_bare { "moves" } else { format.name() }, reading, profile)
}

fn read(
    text: &str,
    format: Format,
    taken_as: &'static str,
    reading: &ReadOptions,
    profile: Profile,
) -> Result<Asked> {
    let bad = |error: boardprint_games::RecordError| {
        let LineColumn { line, column } = error.line_column(text);
        let hint = error.hint().map(|hint| format!("; {hint}")).unwrap_or_default();
        let what = if taken_as == "moves" {
            "these are not good moves".to_owned()
        } else {
            format!("this is not good {}", format.title())
        };
        Usage(format!("{line}:{column}: {what}: {error}{hint}"))
    };
    let whole = reading.read_text(format, text).map_err(bad)?.content.into_owned();
    // A position without moves is itself: playing to it would make a start that lacks kings unplayable.
    let now = whole.at(whole.plies()).map_err(bad)?;
    let hashes = whole.hashes(profile).map_err(bad)?;
    let hash = hashes.last().copied().ok_or_else(|| Usage("a game has a position".to_owned()))?;
    Ok(Asked::Position(taken_as, hash, Box::new(now)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(text: &str) -> String {
        match understand(text, None, &ReadOptions::default(), Profile::Plain) {
            Ok(Asked::Hash(_)) => "hash".to_owned(),
            Ok(Asked::Prefix(digits)) => format!("digits {digits}"),
            Ok(Asked::Position(taken_as, ..)) => taken_as.to_owned(),
            Err(error) => format!("{error}"),
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
