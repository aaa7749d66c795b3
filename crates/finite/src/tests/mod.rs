//! The vectors: legal moves, checks, ends, and how many positions there are at a depth.

mod judge;

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::{Board, Condition, Fen, Game, Move, Notation};

/// The rows of a file of the corpus.
pub(crate) fn rows(file: &str) -> Vec<Value> {
    let path = format!("{}/../../corpus/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

pub(crate) fn text<'a>(row: &'a Value, field: &str) -> &'a str {
    row[field].as_str().unwrap_or_else(|| panic!("no {field} in {}", row["name"]))
}

pub(crate) fn list<'a>(row: &'a Value, field: &str) -> Vec<&'a str> {
    row[field].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// The game and the first position of a row.
pub(crate) fn board(row: &Value, field: &str) -> Board {
    let game = match text(row, "game") {
        "chess960" => Game::Western,
        name => name.parse().unwrap(),
    };
    let fen = text(row, field);
    let read =
        if game == Game::Shogi && !fen.contains('[') { Fen::read_sfen(fen) } else { Fen::read(game, fen) };
    Board::from_fen(&read.unwrap_or_else(|error| panic!("{fen}: {error}"))).unwrap()
}

fn end_name(board: &Board) -> Option<&'static str> {
    match board.end()?.condition {
        Condition::Checkmate => Some("mate"),
        Condition::Stalemate => Some("stalemate"),
        _ => None,
    }
}

#[test]
fn games_have_their_legal_moves_fens_and_ends() {
    let is_960 = |row: &Value| text(row, "game") == "chess960";
    // Fairy-Stockfish writes castling in Chess960 by the files of the rooks.
    let written = |row: &Value, fen: &Fen| if is_960(row) { fen.to_shredder_fen() } else { fen.to_string() };
    let without_clock = |fen: &str| {
        let mut fields: Vec<&str> = fen.split(' ').collect();
        fields.remove(4);
        fields.join(" ")
    };
    let (mut games, mut plies, mut texts, mut counts) = (0, 0, 0, 0);
    for row in rows("finite/finite-games.jsonl") {
        let mut board = board(&row, "start");
        let game = board.game();
        let legal: Vec<u64> = row["legal"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
        let mut fens = vec![written(&row, &board.fen())];
        for (ply, (uci, legal)) in list(&row, "uci").into_iter().zip(&legal).enumerate() {
            let moves = board.legal_moves();
            assert_eq!(moves.len() as u64, *legal, "{} ply {ply} {}", row["name"], board.fen());
            for played in &moves {
                assert_eq!(board.judge(*played), Ok(()), "{} {}", board.fen(), played.uci(game));
            }
            let played =
                board.read(Notation::Uci, uci).unwrap_or_else(|e| panic!("{} {uci}: {e}", row["name"]));
            assert!(moves.contains(&played));
            board.play(played).unwrap();
            let again = Board::from_fen(&board.fen()).unwrap();
            assert!(again.same_position(&board) && again.clock() == board.clock(), "{}", board.fen());
            fens.push(written(&row, &board.fen()));
            plies += 1;
        }
        assert_eq!(end_name(&board), row["end"].as_str(), "{}", row["name"]);
        // The text, not only what it means.
        for fen in list(&row, "fens") {
            let limit = Fen::read(game, fen).unwrap().counting();
            // A game from the start in which Fairy-Stockfish begins to count; we do not judge when.
            if let Some(limit) = limit.map(|limit| format!(" - {limit} 36 ")) {
                assert_eq!((row["name"].as_str(), limit.as_str()), (Some("makruk-11-05"), " - 16 36 "));
                let without = fen.replace(&limit, " - - ");
                assert!(fens.iter().any(|own| without_clock(own) == without), "{fen} {fens:#?}");
                counts += 1;
                continue;
            }
            assert!(fens.iter().any(|own| own == fen), "{}: {fen} {fens:#?}", row["name"]);
            texts += 1;
        }
        games += 1;
    }
    assert_eq!((games, plies), (144, 8_537));
    assert_eq!((texts, counts), (431, 1));
}

#[test]
fn ends_are_judged() {
    let rows = rows("finite/finite-ends.jsonl");
    for row in &rows {
        let board = board(row, "fen");
        let name = &row["name"];
        assert_eq!(Value::from(board.is_check()), row["check"], "{name}");
        assert_eq!(Value::from(board.legal_moves().len()), row["legal"], "{name}");
        assert_eq!(end_name(&board), row["end"].as_str(), "{name}");
        if row["uci"].is_array() {
            assert_eq!(ucis(&board), list(row, "uci").into_iter().map(str::to_owned).collect(), "{name}");
        }
    }
    assert_eq!(rows.len(), 106);
}

fn ucis(board: &Board) -> BTreeSet<String> {
    board.legal_moves().iter().map(|played| played.uci(board.game()).to_string()).collect()
}

#[test]
fn tricky_positions_have_exactly_their_moves() {
    let rows = rows("finite/finite-moves.jsonl");
    for row in &rows {
        let board = board(row, "fen");
        let expected: BTreeSet<String> = list(row, "uci").into_iter().map(str::to_owned).collect();
        let all = board.legal_moves();
        let notation = if text(row, "game") == "chess960" { Notation::Uci960 } else { Notation::Uci };
        let found: BTreeSet<String> =
            all.iter().map(|played| board.write(notation, *played).expect("a legal move")).collect();
        assert_eq!(found, expected, "{} {}", row["name"], row["note"]);
        for uci in &expected {
            assert!(board.read(Notation::Uci, uci).is_ok_and(|played| all.contains(&played)), "{uci}");
        }
    }
    assert_eq!(rows.len(), 50);
}

fn perft(board: &Board, depth: usize) -> usize {
    let moves = board.legal_moves();
    if depth == 1 {
        return moves.len();
    }
    let below = |played: Move| {
        let mut next = board.clone();
        next.play_known(played);
        perft(&next, depth - 1)
    };
    moves.into_iter().map(below).sum()
}

const PERFT: &[(Game, &str, [usize; 4])] = &[
    (Game::Western, "", [20, 400, 8_902, 197_281]),
    (Game::Western, "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1", [20, 400, 9_006, 201_143]),
    (Game::Western, "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w KQkq - 0 1", [20, 400, 9_006, 201_143]),
    (Game::Western, "qrbnnkrb/pppppppp/8/8/8/8/PPPPPPPP/QRBNNKRB w GBgb - 0 1", [21, 441, 10_219, 235_041]),
    (Game::Makruk, "", [23, 529, 12_012, 273_026]),
    (Game::Shogi, "", [30, 900, 25_470, 719_731]),
    (Game::Xiangqi, "", [44, 1_920, 79_666, 3_290_240]),
    (Game::Janggi, "", [32, 1_024, 33_032, 1_067_361]),
    (
        Game::Makruk,
        "r1s1ks1r/3m1n2/p1npp1pp/1pp2p2/1PP2P2/P1NPP1PP/3MSN2/R2K1S1R w - - 0 1",
        [27, 765, 21_209, 585_464],
    ),
    (
        Game::Shogi,
        "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L[SBPPgnppp] w - - 0 1",
        [161, 20_323, 2_600_941, 0],
    ),
];

/// Few enough for a build that checks everything, more for one that is optimised.
#[test]
fn positions_at_a_depth_are_as_many_as_others_count() {
    let most = if cfg!(debug_assertions) { 30_000 } else { 4_000_000 };
    for (game, fen, counts) in PERFT {
        let board = if fen.is_empty() {
            Board::start(*game)
        } else {
            Board::from_fen(&Fen::read(*game, fen).unwrap()).unwrap()
        };
        for (depth, count) in (1..).zip(counts).filter(|(_, count)| (1..most).contains(*count)) {
            assert_eq!(perft(&board, depth), *count, "{game} {fen} {depth}");
        }
    }
}
