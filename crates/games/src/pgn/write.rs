//! Games as clean PGN: tags, SAN, result.

use boardprint_base::{GameResult, Side};
use boardprint_finite::{Board, Game, Move, Notation};

use super::setup::{Named, game_of_name};

/// How long a line of moves gets.
const WIDTH: usize = 80;

/// A game as PGN in SAN: see [`write_in`].
///
/// ```
/// use boardprint_base::GameResult;
/// use boardprint_finite::{Board, Game};
/// use boardprint_games::pgn;
/// let game = pgn::read("1. e2e4 e7e5 2. g1f3 1/2-1/2")?;
/// let text = pgn::write([], &Board::start(Game::Western), game.moves().iter().copied(), GameResult::Draw);
/// assert_eq!(text, "1. e4 e5 2. Nf3 1/2-1/2\n");
/// # Ok::<(), boardprint_games::GameError>(())
/// ```
#[must_use]
pub fn write<'t>(
    tags: impl IntoIterator<Item = (&'t str, &'t str)>,
    start: &Board,
    moves: impl IntoIterator<Item = Move>,
    result: GameResult,
) -> String {
    write_in(tags, start, moves, result, Notation::San)
}

/// A game as PGN with moves in a notation of the game, with a blank line between tags and moves, and a
/// newline at its end. Moves from the first illegal one on are left out, and so are tags whose names PGN
/// cannot have. Tags that name the game, its start and its notation are added where they are needed.
#[must_use]
pub fn write_in<'t>(
    tags: impl IntoIterator<Item = (&'t str, &'t str)>,
    start: &Board,
    moves: impl IntoIterator<Item = Move>,
    result: GameResult,
    notation: Notation,
) -> String {
    let mut out = String::new();
    write_tags(tags, start, notation, &mut out);
    if !out.is_empty() {
        out.push('\n');
    }
    let mut line = 0;
    let mut first = true;
    let mut word = |text: &str, out: &mut String| {
        let length = text.chars().count();
        if !first {
            let fits = line + 1 + length < WIDTH;
            out.push(if fits { ' ' } else { '\n' });
            line = if fits { line + 1 } else { 0 };
        }
        first = false;
        line += length;
        out.push_str(text);
    };
    let mut board = start.clone();
    let mut number = start.move_number();
    for (ply, played) in moves.into_iter().enumerate() {
        let white = board.side() == Side::Bottom;
        // WXF has no names for three rooks on a file.
        let spare = (notation == Notation::Wxf).then_some(Notation::Iccs);
        let text = board.write(notation, played).or_else(|| board.write(spare?, played));
        let Some(text) = text else { break };
        if white {
            word(&format!("{number}."), &mut out);
        } else if ply == 0 {
            word(&format!("{number}..."), &mut out);
        }
        word(&text, &mut out);
        board.play_known(played);
        number += u32::from(!white);
    }
    word(result.as_str(), &mut out);
    out.push('\n');
    out
}

/// Whether PGN can have a tag of this name.
pub(crate) fn is_tag_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// The name of a notation in the tag `Format`. Ranks from 0 may be legal moves with ranks from 1, so that
/// they have to be named.
const fn format_name(notation: Notation) -> Option<&'static str> {
    match notation {
        Notation::Iccs => Some("ICCS"),
        Notation::Wxf => Some("WXF"),
        Notation::Chinese | Notation::ChineseTraditional => Some("Chinese"),
        Notation::Ucci => Some("UCCI"),
        Notation::SanFromZero => Some("SAN0"),
        _ => None,
    }
}

fn write_tags<'t>(
    tags: impl IntoIterator<Item = (&'t str, &'t str)>,
    start: &Board,
    notation: Notation,
    out: &mut String,
) {
    let (game, format) = (start.game(), format_name(notation));
    let (mut is_named, mut has_format) = (false, false);
    let is_chinese = |name: &str, value: &str| name == "Game" && value.eq_ignore_ascii_case("Chinese Chess");
    let mut red = game == Game::Xiangqi && format.is_some();
    let tags: Vec<(&str, &str)> = tags.into_iter().filter(|(name, _)| is_tag_name(name)).collect();
    red |= game == Game::Xiangqi && tags.iter().any(|(name, value)| is_chinese(name, value));
    for (name, value) in tags {
        match name {
            // The start is written as it is, below.
            "FEN" | "SetUp" => continue,
            "Format" if game != Game::Western => match format {
                Some(format) => write_tag(name, format, out),
                None => continue,
            },
            // A name that says nothing would leave the game open.
            "Variant" if game != Game::Western && game_of_name(value) != Some(Named::Game(game)) => continue,
            "White" if red => write_tag("Red", value, out),
            _ => write_tag(name, value, out),
        }
        has_format |= name == "Format";
        is_named |= name == "Variant" || is_chinese(name, value);
    }
    if !is_named {
        match game {
            Game::Western if is_shuffled(start) => write_tag("Variant", "Chess960", out),
            Game::Western => {}
            Game::Xiangqi if red => write_tag("Game", "Chinese Chess", out),
            other => write_tag("Variant", other.title(), out),
        }
    }
    if let Some(format) = format.filter(|_| !has_format) {
        write_tag("Format", format, out);
    }
    if !start.is_usual_start() {
        write_tag("SetUp", "1", out);
        write_tag("FEN", &start_text(start), out);
    }
}

/// Whether somebody may castle who does not stand as in the usual start.
fn is_shuffled(start: &Board) -> bool {
    let mut shuffled = false;
    start.each_castling(|rook, king| shuffled |= king % 8 != 4 || !matches!(rook % 8, 0 | 7));
    shuffled
}

/// The start as FEN. That of Western chess has an en passant square only if a capture is legal.
fn start_text(start: &Board) -> String {
    if start.game() != Game::Western {
        return start.fen().to_string();
    }
    let mut fen = Vec::new();
    start.write_identity(&mut fen);
    format!("{} {} {}", String::from_utf8_lossy(&fen), start.clock(), start.move_number())
}

fn write_tag(name: &str, value: &str, out: &mut String) {
    // A value has one line; a backslash before the end of a line may have hidden it.
    let value = value.replace(['\n', '\r'], " ").replace('\\', "\\\\").replace('"', "\\\"");
    for part in ["[", name, " \"", &value, "\"]\n"] {
        out.push_str(part);
    }
}

#[cfg(test)]
mod tests {
    use crate::Start;
    use crate::pgn::read;

    use super::*;

    fn rewritten(text: &str) -> String {
        let game = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let Start::Board(start) = game.start() else { panic!("{text}: cannot be played") };
        let result = game.result.unwrap_or(GameResult::Unknown);
        let written = write([], start, game.moves().iter().copied(), result);
        let again = read(&written).unwrap_or_else(|error| panic!("{written}: {error}"));
        assert_eq!(again.moves(), game.moves(), "{written}");
        written
    }

    #[test]
    fn san_names_no_more_than_it_must() {
        let text = "[FEN \"3k4/8/8/R6R/8/8/8/R3K2R w KQ - 0 1\"]\n\n1. Ra5c5 Ke7 2. Rh1h2 Kf7 3. O-O-O *";
        let written = rewritten(text);
        assert!(written.ends_with("\n\n1. Rac5 Ke7 2. R1h2 Kf7 3. O-O-O *\n"), "{written}");
    }

    #[test]
    fn more_rooks_than_a_set_has_come_back_from_wxf() {
        let text = "[Variant \"Xiangqi\"]\n[FEN \"3k5/9/9/9/R3R4/9/R3R4/9/9/5K3 w - - 0 1\"]\n\n*";
        let game = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let Start::Board(start) = game.start() else { panic!("{text}: cannot be played") };
        for played in start.legal_moves() {
            let written = write_in([], start, [played], GameResult::Unknown, Notation::Wxf);
            let again = read(&written).unwrap_or_else(|error| panic!("{written}: {error}"));
            assert_eq!(again.moves(), [played], "{written}");
        }
    }

    #[test]
    fn mates_promotions_and_null_moves_come_back() {
        rewritten("1. f3 e5 2. g4 Qh4# 0-1");
        rewritten("[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8=N Kg7 2. -- Kf6 1/2-1/2");
        rewritten("[FEN \"r1k4r/pppppppp/8/8/8/8/PPPPPPPP/R1K4R w HAha - 0 1\"]\n\n1. O-O O-O-O *");
    }
}
