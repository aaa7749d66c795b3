//! Western games on the open board, and back.

use boardprint_base::{Game, Tag};
use boardprint_bridge::Lost;
use boardprint_bridge::embed;
use boardprint_icn::variants;

use crate::finite::FiniteGame;
use crate::pgn;
use crate::{Content, Format, Start, WriteError};

/// Tags that say the start of a PGN game. On the open board the pieces do.
const START_TAGS: [&str; 2] = ["FEN", "SetUp"];

/// Variants that PGN files name and that say nothing beyond the start, in lower case without blanks.
const WESTERN: [&str; 6] = ["standard", "chess", "chess960", "fischerrandom", "fromposition", "western"];

impl Content<'_> {
    /// A Western game on the open board, as [`embed`] says, and what it does not carry there. What is on the
    /// open board already stays.
    ///
    /// # Errors
    ///
    /// [`WriteError::Embed`] with the half-move, or [`WriteError::OtherBoard`] if it is a board of another
    /// game.
    pub fn to_open_board(&self, border: bool) -> Result<(Content<'static>, Lost), WriteError> {
        let game = match self {
            Content::Infinite(game) => return Ok((Content::Infinite(game.clone()), Lost::NOTHING)),
            Content::Board(_) => return Err(WriteError::OtherBoard(Format::Icn)),
            Content::Finite(game) => game,
        };
        let (start, lost) = embed::open_position(&game.start().fen(), border)?;
        let moves = match game.start() {
            Start::Board(board) => embed::open_moves(board, game.moves())?,
            Start::Fen(_) => Vec::new(),
        };
        let tags = game.tags.iter().filter(|(name, _)| !START_TAGS.contains(&&**name));
        let tags = tags.map(|(name, value)| Tag { name: (**name).into(), value: (**value).into() }).collect();
        let extras = game.extras;
        let noted = extras.comments + extras.clocks + extras.variations + extras.glyphs > 0;
        let open = Game { tags, start, moves, result: game.result, ..Game::default() };
        Ok((Content::Infinite(open), lost | Lost::NOTES.when(noted)))
    }

    /// A game of the open board as the Western game that it is, and what it does not carry there. A Western
    /// game stays as it is.
    ///
    /// # Errors
    ///
    /// [`WriteError::Embed`] with the square or half-move of what Western chess does not have, or
    /// [`WriteError::OtherBoard`] if it is a board of another game.
    pub fn to_western(&self) -> Result<(Content<'static>, Lost), WriteError> {
        let game = match self {
            Content::Finite(game) => {
                return Ok((Content::Finite(game.clone().into_owned()), Lost::NOTHING));
            }
            Content::Board(_) => return Err(WriteError::OtherBoard(Format::Fen)),
            Content::Infinite(game) => game,
        };
        let (mut western, mut lost) = if game.moves.is_empty() {
            let (fen, lost) = embed::western_fen(&game.start)?;
            (FiniteGame::position(fen), lost)
        } else {
            let (start, moves, lost) = embed::western_moves(game)?;
            (FiniteGame::played(start, moves), lost)
        };
        for Tag { name, value } in &game.tags {
            if &**name == "Variant" && !is_western(value) {
                // The start says what a variant of the open board would.
                lost |= Lost::TAGS.when(variants::find(value).is_none());
                continue;
            }
            western.tags.push((name.to_string().into(), value.to_string().into()));
        }
        western.result = game.result;
        Ok((Content::Finite(western), lost | Lost::NOTES.when(is_noted(game))))
    }
}

fn is_western(variant: &str) -> bool {
    WESTERN.contains(&pgn::plain_name(variant).as_str())
}

/// Whether a game has comments, judgements of moves, or marks on the board. Checks and mates can be seen
/// without marks.
fn is_noted(game: &Game) -> bool {
    let outside = game.opening_comments.len() + game.closing_comments.len();
    let presets = game.presets.squares.len() + game.presets.rays.len();
    outside + presets > 0
        || game
            .moves
            .iter()
            .any(|played| !played.notes.comments.is_empty() || played.notes.marks.contains(['!', '?', '=']))
}

#[cfg(test)]
mod tests {
    use boardprint_bridge::Lost;

    use crate::{Content, Format, ReadOptions, WriteOptions};

    fn read(format: Format, text: &str) -> Content<'_> {
        let reading = ReadOptions::default().read_text(format, text);
        reading.unwrap_or_else(|error| panic!("{text}: {error}")).content
    }

    const PGN: &str = "[White \"Ann \\\"A\\\"\"]\n[Black \"Bob\"]\n[Result \"0-1\"]\n\n\
        1. f3 {weak} e5 2. g4 Qh4# 0-1";

    #[test]
    fn json_has_games_of_the_open_board_and_of_western_chess() {
        let shogi = read(Format::Usi, "startpos moves 7g7f 3c3d");
        assert!(!shogi.is_whole_in(Format::Json) && shogi.is_whole_in(Format::Kif));
        for whole in [read(Format::Pgn, PGN), read(Format::Icn, "K5,1|k5,8 5,1>5,2")] {
            assert!(whole.is_whole_in(Format::Json) && !whole.is_whole_in(Format::Fen));
        }
    }

    #[test]
    fn a_pgn_goes_to_icn_and_json_and_comes_back() {
        let game = read(Format::Pgn, PGN);
        for border in [false, true] {
            for to in [Format::Icn, Format::Json] {
                let options = WriteOptions::default().border(border).style(boardprint_icn::Style::Compact);
                let written = game.write(to, &options).unwrap();
                assert_eq!(written.lost, Lost::NOTES, "the comment");
                assert_eq!(written.text.contains("1,8,1,8"), border && to == Format::Icn);
                let open = read(to, &written.text);
                assert_eq!(open.plies(), 4);
                let back = open.write(Format::Pgn, &options).unwrap();
                assert!(back.lost.is_nothing(), "{}", back.lost);
                assert!(back.text.ends_with("1. f3 e5 2. g4 Qh4# 0-1"), "{}", back.text);
                let again = read(Format::Pgn, &back.text);
                assert_eq!(again.game_text(), game.game_text());
                assert!(again.tags().eq(game.tags()));
            }
        }
    }

    #[test]
    fn positions_go_both_ways() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 17 40";
        let options = WriteOptions::default();
        let icn = read(Format::Fen, fen).write(Format::Icn, &options).unwrap();
        assert_eq!(icn.text, "b 17/100 40 (8|1) r1,8+|k5,8+|r8,8|R1,1|K5,1+|R8,1+");
        let back = read(Format::Icn, &icn.text).write(Format::Fen, &options).unwrap();
        assert_eq!((back.text.as_str(), back.lost), (fen, Lost::NOTHING));
    }

    #[test]
    fn a_game_of_the_open_board_that_is_western_has_uci() {
        let game = read(Format::Icn, "[Variant \"Classical\"] 5,2>5,4|4,7>4,5|5,4>4,5");
        let uci = game.write(Format::Uci, &WriteOptions::default()).unwrap();
        assert_eq!(uci.text, "position startpos moves e2e4 d7d5 e4d5");
        assert_eq!(read(Format::Uci, &uci.text).plies(), 3);
        let position = read(Format::Icn, "b k5,8|K5,1|Q4,4");
        assert_eq!(
            position.write(Format::Uci, &WriteOptions::default()).unwrap().text,
            "position fen 4k3/8/8/8/3Q4/8/8/4K3 b - - 0 1"
        );
        let beyond = read(Format::Icn, "K5,1|k5,8|Q4,4 4,4>4,9").write(Format::Uci, &WriteOptions::default());
        assert!(beyond.unwrap_err().to_string().starts_with("half-move 1: 4,9 is not on the board"));
    }

    #[test]
    fn signs_and_case_of_a_variant_do_not_matter() {
        for name in ["Chess", "chess™", "CHESS 960", "“From Position”", "FISCHER\u{2011}RANDOM"] {
            assert!(super::is_western(name), "{name}");
        }
        for name in ["Classical", "Chesś", "Шахматы", ""] {
            assert!(!super::is_western(name), "{name}");
        }
        let game = read(Format::Icn, "[Variant \"Chess™\"] (8|1) K5,1+|k5,8+|p4,7+ 5,1>5,2");
        let (western, lost) = game.to_western().unwrap();
        assert_eq!((western.tag("Variant"), lost.contains(Lost::TAGS)), (Some("Chess™"), false));
    }

    #[test]
    fn a_position_in_json_is_its_board_unless_a_border_asks_for_the_open_one() {
        let position = read(Format::Fen, "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
        let json =
            |border| position.write(Format::Json, &WriteOptions::default().border(border)).unwrap().text;
        assert!(json(false).starts_with("{\"side\":\"B\",\"shape\":[8,8]"), "{}", json(false));
        assert!(json(true).contains("startingPosition"), "{}", json(true));
    }

    #[test]
    fn what_cannot_come_back_is_said_with_its_place() {
        let refused = |text: &str, to: Format| {
            read(Format::Icn, text).write(to, &WriteOptions::default()).unwrap_err().to_string()
        };
        assert_eq!(refused("K5,1|k5,8|Q0,4", Format::Fen), "0,4 is not on the board of 8 by 8 squares");
        assert_eq!(
            refused("K5,1|k5,8|Q4,4 4,4>4,9", Format::Pgn),
            "half-move 1: 4,9 is not on the board of 8 by 8 squares"
        );
        let shogi = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        let error = read(Format::Sfen, shogi).write(Format::Icn, &WriteOptions::default()).unwrap_err();
        assert_eq!(error.name(), "no-such-form");
    }

    #[test]
    fn a_variant_of_the_open_board_becomes_its_start() {
        let game = read(Format::Icn, "[Variant \"Classical\"] 5,2>5,4");
        let pgn = game.write(Format::Pgn, &WriteOptions::default()).unwrap();
        assert_eq!(pgn.lost, Lost::LAWS | Lost::CLOCK, "{}", pgn.text);
        assert_eq!(pgn.text, "1. e4 *");
    }
}
