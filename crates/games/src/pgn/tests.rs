use std::path::PathBuf;

use boardprint_base::Digest;
use cozy_chess::Move;
use proptest::prelude::*;

use super::*;
use crate::read::{Reader, Record};

fn corpus(name: &str) -> Vec<Record> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../corpus/pgn").join(name);
    let records: Vec<Record> = Reader::open(path).collect::<Result<_, _>>().unwrap();
    assert!(!records.is_empty());
    records
}

fn identity(game: &WesternGame<'_>) -> String {
    let mut text = Vec::new();
    game.write_identity(&mut text);
    String::from_utf8(text).unwrap()
}

fn broken(text: &str) -> (usize, &str, Trouble) {
    let broken = WesternGame::parse(text).broken.unwrap();
    (broken.ply, &text[broken.span.start..broken.span.end], broken.trouble)
}

#[test]
fn one_game_in_many_spellings_is_one_game() {
    let records = corpus("spellings.pgn");
    let games: Vec<WesternGame<'_>> = records.iter().map(|record| WesternGame::parse(&record.text)).collect();
    for game in &games {
        assert_eq!(game.broken, None, "{:?}", game.tag("Event"));
        assert_eq!(identity(game), identity(&games[0]), "{:?}", game.tag("Event"));
        assert_eq!(game.last_digest(), games[0].last_digest());
    }
    assert_eq!(games[0].moves.len(), 20);
    let decorated = &games[3];
    assert_eq!(decorated.extras, Extras { comments: 5, clocks: 1, variations: 1, glyphs: 5 });
    assert_eq!(decorated.result, Some(GameResult::BlackWins));
}

#[test]
fn games_at_the_edges_of_the_format_are_what_they_say() {
    for record in corpus("edges.pgn") {
        let game = WesternGame::parse(&record.text);
        let found = match game.broken {
            Some(broken) => format!("broken at {}", broken.ply),
            None => identity(&game),
        };
        assert_eq!(Some(found.as_str()), game.tag("Identity").as_deref(), "{:?}", game.tag("Event"));
    }
}

#[test]
fn the_game_hash_is_the_sha_1_of_the_identity_text() {
    let game = WesternGame::parse("1. e4 e5 *");
    let text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - e2e4 e7e5";
    assert_eq!(identity(&game), text);
    assert_eq!(game.digest(), Digest::of(text.as_bytes()));
}

#[test]
fn tags_are_unescaped() {
    let game = WesternGame::parse("[Event \"a \\\"b\\\" \\\\ c \\d\"]\n[Site\t\"Caf\u{e9} \"X\" y\"]\n*");
    assert_eq!(game.tag("Event").as_deref(), Some("a \"b\" \\ c \\d"));
    assert_eq!(game.tag("Site").as_deref(), Some("Caf\u{e9} \"X\" y"));
    assert_eq!(game.result, Some(GameResult::Unknown));
}

#[test]
fn broken_games_point_at_the_word() {
    assert_eq!(broken("1. e4 e5 2. Ke3 *"), (2, "Ke3", Trouble::Illegal));
    assert_eq!(broken("1. Nf3 d5 2. d3 e6 3. Nd2 *"), (4, "Nd2", Trouble::Ambiguous));
    assert_eq!(broken("1. e4 best"), (1, "best", Trouble::NotAMove));
    assert_eq!(broken("1. e4 é"), (1, "é", Trouble::NotAMove));
    assert_eq!(broken("1. e4 {x"), (1, "{", Trouble::Unclosed('{')));
    assert_eq!(broken("1. e4 (x {y}"), (1, "(", Trouble::Unclosed('(')));
    assert_eq!(broken("[Event \"x\n1. e4"), (0, "[", Trouble::Unclosed('[')));
    assert_eq!(broken("[FEN \"8/8 w\"]"), (0, "8/8 w", Trouble::Start));
    assert_eq!(broken("1. e4 1-0 e5"), (1, "e5", Trouble::AfterResult));
}

#[test]
fn deep_variations_need_no_stack() {
    let text = format!("1. e4 {}{} e5 *", "(".repeat(1_000_000), ")".repeat(1_000_000));
    let game = WesternGame::parse(&text);
    assert_eq!((game.broken, game.moves.len()), (None, 2));
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
        let game = WesternGame::parse(&text);
        prop_assert_eq!(game.broken, None, "{}", text);
        prop_assert_eq!(game.moves.len(), played);
        prop_assert!(game.last.same_position(&board));
    }

    /// Every word either is the only legal move of that spelling or is refused; nothing panics.
    #[test]
    fn no_text_makes_the_reader_panic(text in "([KQRBNP]?[a-h1-8]{0,4}[x=]?[a-h][1-8](=[QN])?|[(){};\"\\[ 0-9.*-]{1,4}|O-O|--|é|\n%) ?{0,40}") {
        let game = WesternGame::parse(&text);
        let _ = game.digest();
        if let Some(broken) = game.broken {
            prop_assert!(text.get(broken.span.start..broken.span.end).is_some());
        }
    }

    #[test]
    fn fens_without_counters_come_back(start in 0_u32..960) {
        let board = Board::chess960_startpos(start);
        let mut text = Vec::new();
        write_fen(&board, &mut text);
        let text = String::from_utf8(text).unwrap();
        let game = format!("[FEN \"{text}\"]\n*");
        let again = WesternGame::parse(&game);
        prop_assert_eq!(again.broken, None);
        prop_assert_eq!(identity(&again), text);
        prop_assert!(again.start.same_position(&board));
    }
}
