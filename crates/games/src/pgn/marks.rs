//! The marks `+` and `#` after the moves of a text. Moves mean the same without them, so that the reader passes
//! over them; `check` asks here.

use boardprint_finite::Game;

use super::parse::tag_section;
use super::words::words;
use crate::finite::Mark;

/// The marks of the moves of the main line, one for each. Nothing if the words of the text are not as many as
/// its moves.
pub(crate) fn marks(text: &str, game: Game, plies: usize) -> Vec<Mark> {
    let (_, body, _) = tag_section(text);
    let Ok(found) = words(text, body) else { return Vec::new() };
    let word = |span: boardprint_base::Span| (&text[span.start..span.end], &text[span.end..]);
    let marks: Vec<Mark> = found
        .moves
        .iter()
        .map(|span| word(*span))
        // `e8 =Q` is one move.
        .filter(|(word, _)| game != Game::Western || !word.starts_with('='))
        .map(|(word, after)| mark(game, word, after))
        .collect();
    if marks.len() == plies { marks } else { Vec::new() }
}

/// The mark of a word, which may also stand by itself after it.
fn mark(game: Game, word: &str, after: &str) -> Mark {
    let stem = word.trim_end_matches(|c: char| !c.is_alphanumeric());
    let signs = word[stem.len()..].trim_start_matches('.');
    if game == Game::Shogi && !is_algebraic(stem) {
        // There `+` promotes.
        return Mark::Unknown;
    }
    let next = after.trim_start_matches(['!', '?']);
    if signs.is_empty() && next.starts_with("(Q)") {
        return Mark::Unknown;
    }
    // Signs may stand by themselves after the move. Only they are looked at: searching for the end of whatever
    // follows would take a text without blanks quadratic time.
    let apart = next.trim_ascii_start();
    let (apart, rest) = apart.split_at(apart.bytes().take_while(|b| b"+#!?".contains(b)).count());
    let is_word =
        rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_whitespace() || "{;$()".contains(c));
    match (of_signs(signs), of_signs(apart.trim_end_matches(['!', '?']))) {
        (Mark::None, mark @ (Mark::Check | Mark::Mate)) if is_word => mark,
        (own, _) => own,
    }
}

/// The mark that some signs are. Others, such as `+-` and `±`, say who is better.
fn of_signs(signs: &str) -> Mark {
    match signs {
        "" | "=" => Mark::None,
        // Two were written for a double check, and by others for mate.
        "+" => Mark::Check,
        "#" => Mark::Mate,
        _ => Mark::Unknown,
    }
}

/// Whether a move of Shogi is in the notation of pychess, the only one with marks: `Bxh8=H`, `G@e8`.
fn is_algebraic(stem: &str) -> bool {
    let bytes = stem.trim_start_matches('+').as_bytes();
    let target = bytes.strip_suffix(b"=D").or_else(|| bytes.strip_suffix(b"=H"));
    let target = target.or_else(|| bytes.strip_suffix(b"=G")).unwrap_or(bytes);
    bytes.first().is_some_and(u8::is_ascii_uppercase) && matches!(target, [.., b'a'..=b'i', b'1'..=b'9'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<Mark> {
        let game = crate::pgn::read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        marks(text, game.game(), game.moves().len())
    }

    #[test]
    fn marks_stand_at_moves_or_after_them() {
        use Mark::{Check, Mate, None, Unknown};
        let text =
            "[Result \"1-0\"]\n\n1.e4! f5 {x} 2.Qh5+ (2.d4+ e5) 2...g6 3.Qxg6 +! hxg6 4. Nf3+- a6 5. Nc3++ *";
        assert_eq!(of(text), [None, None, Check, None, Check, None, Unknown, None, Unknown]);
        let text = "[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8 =Q Kg7 2. -- Kf6 3. Qf8# *";
        assert_eq!(of(text), [None, None, Unknown, None, Mate]);
        assert_eq!(of("[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8(Q)+ *"), [Unknown]);
    }

    #[test]
    fn a_long_text_without_blanks_is_not_searched_again_for_each_word() {
        // As long as this the other way takes minutes.
        let text = format!("[Event \"x\"]\n\n1. e4 {}", "[a]".repeat(200_000));
        assert_eq!(marks(&text, Game::Western, 200_001).len(), 200_001);
        assert_eq!(marks("1. e4 +] e5 ++{x}", Game::Western, 2), [Mark::None, Mark::None]);
    }

    #[test]
    fn the_sign_that_promotes_in_shogi_is_no_mark() {
        use Mark::{Check, None, Unknown};
        assert_eq!(of("[Variant \"Shogi\"]\n\n1. P-76 P-34 2. Bx22+ *"), [Unknown; 3]);
        assert_eq!(of("[Variant \"Shogi\"]\n\n1. c3c4 g7g6 2. b2h8+ *"), [Unknown; 3]);
        assert_eq!(of("[Variant \"Shogi\"]\n\n1. Pc4 Pg6 2. Bxh8=H+ *"), [None, None, Check]);
    }
}
