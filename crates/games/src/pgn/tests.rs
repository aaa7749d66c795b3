use std::path::PathBuf;

use boardprint_base::{Digest, GameResult};
use boardprint_finite::MoveError;
use cozy_chess::{Board, Move, Piece};
use proptest::prelude::*;

use super::*;
use crate::GameErrorKind;
use crate::cut::{Step, cutter};
use crate::{Content, Extras, FiniteGame, Format, Start};

/// The records of a file of the corpus.
fn corpus(name: &str) -> Vec<String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../corpus/pgn").join(name);
    let bytes = std::fs::read(path).unwrap();
    let mut cutter = cutter(Format::Pgn);
    let mut rest = &bytes[..];
    let mut records = Vec::new();
    while !rest.trim_ascii().is_empty() {
        let length = match cutter.step(rest, true) {
            Step::Record(length) => length,
            _ => rest.len(),
        };
        let record = rest[..length].trim_ascii();
        // As a reader of collections does: what is not UTF-8 is Latin-1.
        records.push(
            String::from_utf8(record.to_vec())
                .unwrap_or_else(|_| record.iter().map(|byte| char::from(*byte)).collect()),
        );
        rest = &rest[length..];
    }
    assert!(!records.is_empty());
    records
}

#[test]
fn a_draw_is_read_in_every_spelling() {
    for text in ["1. e4 e5", "[Variant \"Makruk\"]\n\n1. e4 d5"] {
        for draw in ["1/2-1/2", "1/2", "½-½", "½"] {
            assert_eq!(
                read(&format!("{text} {draw}")).unwrap().result,
                Some(GameResult::Draw),
                "{text} {draw}"
            );
        }
    }
    assert_eq!(read("1. e4 e5 1/20").unwrap().result, None);
}

fn identity(game: &FiniteGame<'_>) -> String {
    String::from_utf8(Content::Finite(game.clone()).game_text().text).unwrap()
}

fn last(game: &FiniteGame<'_>) -> Vec<u8> {
    Content::Finite(game.clone()).last_key(crate::Profile::Plain).unwrap().text
}

fn broken(text: &str) -> (usize, &str, GameErrorKind) {
    let error = read(text).unwrap_err();
    // The reasons have their own tests.
    let kind = match error.kind() {
        GameErrorKind::Move(error, _) => GameErrorKind::Move(*error, None),
        kind => kind.clone(),
    };
    (error.plies(), &text[error.span().start..error.span().end], kind)
}

const ILLEGAL: GameErrorKind = GameErrorKind::Move(MoveError::Illegal, None);
const AMBIGUOUS: GameErrorKind = GameErrorKind::Move(MoveError::Ambiguous, None);
const NOT_A_MOVE: GameErrorKind = GameErrorKind::Move(MoveError::NotAMove, None);

#[test]
fn signs_in_a_name_do_not_matter_and_letters_do() {
    for name in
        ["Fischer-Random", "  fischer random! ", "Fischer–Random™", "♟\u{fe0f} Fischer\u{a0}Random 😀"]
    {
        assert_eq!(plain_name(name), "fischerrandom", "{name}");
    }
    assert_eq!(plain_name("Шахматы chess"), "Шахматыchess");
}

#[test]
fn one_game_in_many_spellings_is_one_game() {
    let records = corpus("spellings.pgn");
    let games: Vec<FiniteGame<'_>> = records.iter().map(|record| read(record).unwrap()).collect();
    for game in &games {
        assert_eq!(identity(game), identity(&games[0]), "{:?}", game.tag("Event"));
        assert_eq!(last(game), last(&games[0]));
    }
    assert_eq!(games[0].moves().len(), 20);
    let decorated = &games[3];
    assert_eq!(decorated.extras, Extras { comments: 5, clocks: 1, variations: 1, glyphs: 5 });
    assert_eq!(decorated.result, Some(GameResult::BlackWins));
}

#[test]
fn games_at_the_edges_of_the_format_are_what_they_say() {
    for record in corpus("edges.pgn") {
        let found = match read(&record) {
            Err(error) => format!("broken at {}", error.plies()),
            Ok(game) => identity(&game),
        };
        let tags = tags(&record);
        let tag = |name: &str| tags.iter().find(|tag| tag.name == name).map(Tag::value);
        assert_eq!(Some(found.as_str()), tag("Identity").as_deref(), "{:?}", tag("Event"));
    }
}

#[test]
fn the_game_hash_is_the_sha_1_of_the_identity_text() {
    let game = read("1. e4 e5 *").unwrap();
    let text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - e2e4 e7e5";
    assert_eq!(identity(&game), text);
    assert_eq!(Content::Finite(game).game_text().digest(), Digest::of(text.as_bytes()));
}

#[test]
fn tags_are_unescaped() {
    let game = read("[Event \"a \\\"b\\\" \\\\ c \\d\"]\n[Site\t\"Caf\u{e9} \"X\" y\"]\n*").unwrap();
    assert_eq!(game.tag("Event"), Some("a \"b\" \\ c \\d"));
    assert_eq!(game.tag("Site"), Some("Caf\u{e9} \"X\" y"));
    assert_eq!(game.result, Some(GameResult::Unknown));
}

#[test]
fn broken_games_point_at_the_word() {
    assert_eq!(broken("1. e4 e5 2. Ke3 *"), (2, "Ke3", ILLEGAL));
    assert_eq!(broken("1. Nf3 d5 2. d3 e6 3. Nd2 *"), (4, "Nd2", AMBIGUOUS));
    assert_eq!(broken("1. e4 best"), (1, "best", NOT_A_MOVE));
    assert_eq!(broken("1. e4 é"), (1, "é", NOT_A_MOVE));
    assert_eq!(broken("1. e4 {x"), (1, "{", GameErrorKind::Unclosed('{')));
    assert_eq!(broken("1. e4 (x {y}"), (1, "(", GameErrorKind::Unclosed('(')));
    assert_eq!(broken("[Event \"x\n1. e4"), (0, "[", GameErrorKind::Unclosed('[')));
    let (plies, place, kind) = broken("[FEN \"4k3/8/8/8/8/8/7/4K3 w - - 0 1\"]");
    assert_eq!((plies, place, kind.name()), (0, "7", "syntax"));
    let (_, place, kind) = broken("[FEN \"8/8/8/8/8/8/8/4K3 w - - 0 1\"]");
    assert_eq!((place, kind.name()), ("8/8/8/8/8/8/8/4K3 w - - 0 1", "unplayable-start"));
    assert_eq!(broken("1. e4 1-0 e5"), (1, "e5", GameErrorKind::AfterResult));
}

#[test]
fn deep_variations_need_no_stack() {
    let text = format!("1. e4 {}{} e5 *", "(".repeat(1_000_000), ")".repeat(1_000_000));
    assert_eq!(read(&text).unwrap().moves().len(), 2);
}

/// A legal move in SAN with as much disambiguation as asked for, by trying every legal move.
fn spell(board: &Board, played: Move, style: u8) -> String {
    let piece = board.piece_on(played.from).unwrap();
    let is_castling = board.colors(board.side_to_move()).has(played.to);
    if is_castling {
        let short = played.from.file() < played.to.file();
        return if short { "O-O" } else { "O-O-O" }.to_owned();
    }
    let capture =
        board.occupied().has(played.to) || (piece == Piece::Pawn && played.from.file() != played.to.file());
    let mut rivals = Vec::new();
    board.generate_moves_for(board.colored_pieces(board.side_to_move(), piece), |moves| {
        rivals.extend(moves.into_iter().filter(|other| other.to == played.to && other.from != played.from));
        false
    });
    let mut text = String::new();
    let from = played.from.to_string();
    if piece == Piece::Pawn {
        if style == 1 {
            text += &from;
        } else if capture {
            text += &from[..1];
        }
    } else {
        text += &"PNBRQK"[piece as usize..=piece as usize];
        let same_file = rivals.iter().any(|other| other.from.file() == played.from.file());
        let same_rank = rivals.iter().any(|other| other.from.rank() == played.from.rank());
        text += match (style, rivals.is_empty(), same_file, same_rank) {
            (1, ..) | (_, false, true, true) => &from,
            (_, true, ..) => "",
            (_, _, false, _) => &from[..1],
            (_, _, true, false) => &from[1..],
        };
    }
    if capture {
        text += "x";
    }
    text += &played.to.to_string();
    if let Some(piece) = played.promotion {
        text += "=";
        text += &"PNBRQK"[piece as usize..=piece as usize];
    }
    text
}

proptest! {
    /// Random legal games, spelt by brute force, are read as they were played.
    #[test]
    fn legal_games_are_read_as_played(start in 0_u32..960, choices in prop::collection::vec((any::<prop::sample::Index>(), 0_u8..2), 0..120)) {
        let mut board = Board::chess960_startpos(start);
        let mut text = format!("[FEN \"{board:#}\"]\n\n");
        let mut played = 0;
        for (choice, style) in choices {
            let mut moves = Vec::new();
            board.generate_moves(|some| {
                moves.extend(some);
                false
            });
            if moves.is_empty() {
                break;
            }
            let chosen = moves[choice.index(moves.len())];
            text += &spell(&board, chosen, style);
            text += " ";
            board.play(chosen);
            played += 1;
        }
        let game = read(&text);
        prop_assert!(game.is_ok(), "{} {:?}", text, game);
        let game = game.unwrap();
        prop_assert_eq!(game.moves().len(), played);
        let Ok(Start::Board(last)) = game.at(usize::MAX) else { panic!("every move was read") };
        let fields = |fen: String| fen.split(' ').take(3).map(str::to_owned).collect::<Vec<_>>();
        let (mine, theirs) = (fields(last.fen().to_string()), fields(format!("{board}")));
        prop_assert_eq!(&mine[..2], &theirs[..2]);
    }

    /// Every word either is the only legal move of that spelling or is refused; nothing panics.
    #[test]
    fn no_text_makes_the_reader_panic(text in "([KQRBNP]?[a-h1-8]{0,4}[x=]?[a-h][1-8](=[QN])?|[(){};\"\\[ 0-9.*-]{1,4}|O-O|--|é|\n%) ?{0,40}") {
        if let Err(error) = read(&text) {
            prop_assert!(text.get(error.span().start..error.span().end).is_some());
        }
    }

    #[test]
    fn fens_without_counters_come_back(start in 0_u32..960) {
        let board = boardprint_finite::Board::chess960(start).unwrap();
        let mut text = Vec::new();
        board.write_identity(&mut text);
        let text = String::from_utf8(text).unwrap();
        let game = format!("[FEN \"{text}\"]\n*");
        let again = read(&game).unwrap();
        prop_assert_eq!(identity(&again), text);
    }
}
