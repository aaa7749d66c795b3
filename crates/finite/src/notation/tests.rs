//! Notations: as the vectors have them, and back for every legal move.

use serde_json::Value;

use super::Notation;
use crate::tests::{board, list, rows};
use crate::{Board, Fen, Game, Illegal, Move, MoveError};

/// The fields of the vectors and the notations they are in.
const FIELDS: [(&str, Notation); 7] = [
    ("san", Notation::San),
    ("hodges", Notation::Hodges),
    ("usi", Notation::Usi),
    ("iccs", Notation::Iccs),
    ("ucci", Notation::Ucci),
    ("wxf", Notation::Wxf),
    ("numbers", Notation::Numbers),
];

/// The moves of a CSA or KIF text.
fn japanese_moves(text: &str, csa: bool) -> Vec<String> {
    if csa {
        let is_move = |line: &&str| line.len() > 5 && line.starts_with(['+', '-']);
        return text.lines().filter(is_move).map(str::to_owned).collect();
    }
    let words = text.lines().filter_map(|line| {
        let (number, rest) = line.trim_start().split_once(' ')?;
        number.parse::<u32>().ok()?;
        Some(rest.split("   ").next()?.trim().to_owned())
    });
    words.filter(|word| word != "中断").collect()
}

#[test]
fn moves_of_games_are_read_and_written_as_others_do() {
    let mut count = 0;
    for row in rows("finite/finite-games.jsonl") {
        let mut all: Vec<(Notation, Vec<String>)> = FIELDS
            .into_iter()
            .filter(|(field, _)| row[*field].is_array())
            .map(|(field, notation)| (notation, list(&row, field).into_iter().map(str::to_owned).collect()))
            .collect();
        for (field, notation) in [("csa", Notation::Csa), ("kif", Notation::Kif)] {
            if let Value::String(text) = &row[field] {
                all.push((notation, japanese_moves(text, notation == Notation::Csa)));
            }
        }
        let mut board = board(&row, "start");
        let mut before = None;
        for (ply, uci) in list(&row, "uci").into_iter().enumerate() {
            let played = board.read(Notation::Uci, uci).unwrap();
            for (notation, words) in &all {
                let word = &words[ply];
                let context = format!("{} {} ply {ply} {word} {uci}", row["name"], board.fen());
                assert_eq!(board.read_after(*notation, word, before), Ok(played), "{notation} {context}");
                assert_eq!(
                    board.write_after(*notation, played, before).as_ref(),
                    Some(word),
                    "{notation} {context}"
                );
                count += 1;
            }
            board.play(played).unwrap();
            before = Some(played);
        }
    }
    assert!(count > 15_000, "{count}");
}

/// Every legal move in every notation of its game comes back.
fn there_and_back(board: &Board) {
    let game = board.game();
    for played in board.legal_moves() {
        for notation in Notation::ALL.iter().filter(|notation| notation.fits(game)) {
            let word =
                board.write(*notation, played).unwrap_or_else(|| panic!("{notation} {}", played.uci(game)));
            let context = format!("{notation} {word} {} {}", played.uci(game), board.fen());
            assert_eq!(board.read(*notation, &word), Ok(played), "{context}");
        }
    }
}

#[test]
fn every_legal_move_is_read_as_written() {
    for row in rows("finite/finite-moves.jsonl").iter().chain(&rows("finite/finite-ends.jsonl")) {
        there_and_back(&board(row, "fen"));
    }
    for (number, row) in rows("finite/finite-games.jsonl").iter().enumerate() {
        let mut board = board(row, "start");
        for (ply, uci) in list(row, "uci").into_iter().enumerate() {
            if (ply + number) % 20 == 0 {
                there_and_back(&board);
            }
            board.play(board.read(Notation::Uci, uci).unwrap()).unwrap();
        }
    }
}

fn xiangqi(fen: &str) -> Board {
    Board::from_fen(&Fen::read(Game::Xiangqi, fen).unwrap()).unwrap()
}

#[test]
fn crowded_pawns_of_xiangqi_have_their_names() {
    // Three red pawns on the e file.
    let three = xiangqi("3k5/9/4P4/4P4/4P4/9/9/9/9/5K3 w - - 0 1");
    let uci = |board: &Board, notation, word: &str| {
        board.read(notation, word).map(|played| played.uci(Game::Xiangqi).to_string())
    };
    for (word, expected) in [
        ("15=6", "e8d8"),
        ("25=6", "e7d7"),
        ("35=4", "e6f6"),
        ("P+.6", "e8d8"),
        ("P3.6", "e7d7"),
        ("P5.6", "e7d7"),
        ("55.6", "e7d7"),
        ("P-.4", "e6f6"),
        ("15+1", "e8e9"),
    ] {
        assert_eq!(uci(&three, Notation::Wxf, word).as_deref(), Ok(expected), "{word}");
    }
    for (word, expected) in [
        ("前兵平六", "e8d8"),
        ("中兵平六", "e7d7"),
        ("后兵平四", "e6f6"),
        ("後兵平四", "e6f6"),
        ("二兵平六", "e7d7"),
        ("前五平六", "e8d8"),
    ] {
        assert_eq!(uci(&three, Notation::Chinese, word).as_deref(), Ok(expected), "{word}");
    }
    // Three on the g file, Red's third, and two on the c file.
    let five = xiangqi("3k5/2P3P2/2P3P2/6P2/9/9/9/9/9/5K3 w - - 0 1");
    for (word, expected) in [
        ("3+.4", "g9f9"),
        ("33.4", "g8f8"),
        ("33=4", "g7f7"),
        ("P3.4", "g8f8"),
        ("P3=2", "g8h8"),
        ("3-.4", "g7f7"),
        ("7+.8", "c9b9"),
        ("7-.6", "c8d8"),
    ] {
        assert_eq!(uci(&five, Notation::Wxf, word).as_deref(), Ok(expected), "{word}");
    }
    let all = xiangqi("3k2P2/6P2/6P2/6P2/6P2/9/9/9/9/5K3 w - - 0 1");
    for (word, expected) in
        [("++.4", "g10f10"), ("P+.4", "g9f9"), ("P3.4", "g8f8"), ("P-.4", "g7f7"), ("--.4", "g6f6")]
    {
        assert_eq!(uci(&all, Notation::Wxf, word).as_deref(), Ok(expected), "{word}");
    }
    // Doubled on two files, c and g: right file first.
    let two = xiangqi("3k5/9/2P3P2/2P3P2/9/9/9/9/9/5K3 w - - 0 1");
    for (word, expected) in [
        ("17=8", "c8b8"),
        ("27=8", "c7b7"),
        ("13=4", "g8f8"),
        ("23=2", "g7h7"),
        ("Pa=4", "g8f8"),
        ("Pd=8", "c7b7"),
        ("3+.4", "g8f8"),
        ("3-.4", "g7f7"),
    ] {
        assert_eq!(uci(&two, Notation::Wxf, word).as_deref(), Ok(expected), "{word}");
    }
    for (word, expected) in
        [("一兵平四", "g8f8"), ("四兵平八", "c7b7"), ("前三平四", "g8f8"), ("后七平八", "c7b7")]
    {
        assert_eq!(uci(&two, Notation::Chinese, word).as_deref(), Ok(expected), "{word}");
    }
    assert_eq!(two.read(Notation::Chinese, "前兵进一"), Err(MoveError::Ambiguous));
    there_and_back(&three);
    there_and_back(&two);
    // Four and five on a file.
    let four = xiangqi("3k5/9/4P4/4P4/4P4/4P4/9/9/9/5K3 w - - 0 1");
    for (word, expected) in
        [("前兵平六", "e8d8"), ("三兵平六", "e6d6"), ("二兵平四", "e7f7"), ("一兵进一", "e8e9")]
    {
        assert_eq!(uci(&four, Notation::Chinese, word).as_deref(), Ok(expected), "{word}");
    }
    for (word, expected) in [("++.6", "e8d8"), ("P+.6", "e7d7"), ("P-.6", "e6d6"), ("25=4", "e7f7")] {
        assert_eq!(uci(&four, Notation::Wxf, word).as_deref(), Ok(expected), "{word}");
    }
    there_and_back(&four);
    there_and_back(&xiangqi("3k5/4P4/4P4/4P4/4P4/4P4/9/9/9/5K3 w - - 0 1"));
}

#[test]
fn xiangqi_is_read_in_many_spellings() {
    let start = Board::start(Game::Xiangqi);
    let cannon = start.read(Notation::Uci, "h3e3").unwrap();
    for (notation, word) in [
        (Notation::Wxf, "C2=5"),
        (Notation::Wxf, "c2=5"),
        (Notation::Wxf, "C2.5"),
        (Notation::Wxf, "Ｃ２＝５"),
        (Notation::Iccs, "H2-E2"),
        (Notation::Iccs, "h2e2"),
        (Notation::Iccs, "Ｈ２－Ｅ２"),
        (Notation::Chinese, "炮二平五"),
        (Notation::Chinese, "砲２平５"),
        (Notation::Chinese, "包二平５"),
        (Notation::San, "Che3"),
        (Notation::San, "Ch3e3"),
        (Notation::San, "h3e3"),
        (Notation::SanFromZero, "Che2"),
    ] {
        assert_eq!(start.read(notation, word), Ok(cannon), "{word}");
    }
    let mut board = start.clone();
    board.play(cannon).unwrap();
    for word in ["马８进７", "馬8進7", "傌八上七"] {
        assert_eq!(board.read(Notation::Chinese, word), board.read(Notation::Uci, "h10g8"), "{word}");
    }
    assert_eq!(start.read(Notation::Wxf, "C2=2"), Err(MoveError::Illegal));
    assert_eq!(start.read(Notation::Wxf, "X2=2"), Err(MoveError::NotAMove));
    assert_eq!(start.read(Notation::Kif, "７六歩(77)"), Err(MoveError::NotAMove));
}

#[test]
fn g_is_the_general_or_the_guard_of_xiangqi() {
    let start = Board::start(Game::Xiangqi);
    let uci =
        |notation, word: &str| start.read(notation, word).map(|played| played.uci(Game::Xiangqi).to_string());
    for (word, expected) in [("G5+1", "e1e2"), ("G4+5", "f1e2"), ("g6+5", "d1e2")] {
        assert_eq!(uci(Notation::Wxf, word).as_deref(), Ok(expected), "{word}");
    }
    for (word, expected) in [("Ge2", "e1e2"), ("Gfe2", "f1e2"), ("Gd1-e2", "d1e2")] {
        assert_eq!(uci(Notation::San, word).as_deref(), Ok(expected), "{word}");
    }
    assert_eq!(start.read(Notation::San, "Gfe3"), start.read(Notation::San, "Kfe3"));
}

#[test]
fn tandem_pieces_of_xiangqi_go_by_front_and_rear() {
    let board = xiangqi("3k5/9/9/9/4C4/9/9/4C4/9/5K3 w - - 0 1");
    for (notation, word, expected) in [
        (Notation::Wxf, "C+=6", "e6d6"),
        (Notation::Wxf, "+C=6", "e6d6"),
        (Notation::Wxf, "C--1", "e3e2"),
        (Notation::Wxf, "-C-1", "e3e2"),
        (Notation::Chinese, "前炮退一", "e6e5"),
        (Notation::Chinese, "後砲平六", "e3d3"),
    ] {
        let played = board.read(notation, word).map(|played| played.uci(Game::Xiangqi).to_string());
        assert_eq!(played.as_deref(), Ok(expected), "{word}");
    }
    assert_eq!(
        board.write(Notation::Wxf, board.read(Notation::Uci, "e6d6").unwrap()).as_deref(),
        Some("C+=6")
    );
    assert_eq!(
        board.write(Notation::Chinese, board.read(Notation::Uci, "e3d3").unwrap()).as_deref(),
        Some("后炮平六")
    );
    assert_eq!(
        board.write(Notation::ChineseTraditional, board.read(Notation::Uci, "e3d3").unwrap()).as_deref(),
        Some("後炮平六")
    );
}

#[test]
fn traditional_characters_name_the_pieces_of_each_side() {
    let mut board = Board::start(Game::Xiangqi);
    let line = ["h3e3", "h10g8", "h1g3", "i10h10", "i1i2", "b8e8", "i2f2", "d10e9", "f2f5", "e10d10", "e1e2"];
    let written: Vec<String> = line
        .iter()
        .map(|word| {
            let played = board.read(Notation::Uci, word).unwrap_or_else(|error| panic!("{word}: {error}"));
            let text = board.write(Notation::ChineseTraditional, played).unwrap();
            assert_eq!(board.read(Notation::ChineseTraditional, &text), Ok(played), "{text}");
            assert_eq!(board.read(Notation::Chinese, &text), Ok(played), "{text}");
            board.play(played).unwrap();
            text
        })
        .collect();
    assert_eq!(
        written.join(" "),
        "炮二平五 馬８進７ 傌二進三 車９平８ 俥一進一 砲２平５ 俥一平四 士４進５ 俥四進三 將５平４ 帥五進一"
    );
}

#[test]
fn shogi_is_read_in_many_spellings() {
    let start = Board::start(Game::Shogi);
    let pawn = start.read(Notation::Usi, "7g7f").unwrap();
    for (notation, word) in [
        (Notation::San, "P-76"),
        (Notation::San, "P-7f"),
        (Notation::San, "P76"),
        (Notation::San, "Pc4"),
        (Notation::Hodges, "P7g-7f"),
        (Notation::Uci, "c3c4"),
        (Notation::Csa, "+7776FU"),
        (Notation::Csa, "7776FU"),
        (Notation::Kif, "７六歩(77)"),
        (Notation::Kif, "▲７六歩(77)"),
        (Notation::Kif, "76歩(77)"),
        (Notation::Kif, "７六歩不成(77)"),
    ] {
        assert_eq!(
            start.read(notation, word),
            if word.contains('不') { start.read(notation, "７六歩(77)") } else { Ok(pawn) },
            "{word}"
        );
    }
    assert_eq!(start.read(Notation::Csa, "-3334FU"), Err(MoveError::Illegal));
    assert_eq!(start.read(Notation::Csa, "+7776TO"), Err(MoveError::Illegal));
    assert_eq!(start.read(Notation::Kif, "同　歩(77)"), Err(MoveError::NotAMove));
    let sfen = "4k4/9/9/4+S4/9/4+s4/9/9/4K4 b Bb 1";
    let board = Board::from_fen(&Fen::read_sfen(sfen).unwrap()).unwrap();
    let before = Some(Move::other(0, board.read(Notation::Usi, "5d5c").unwrap().other_parts().1, false));
    for word in ["同全(54)", "同　成銀(54)", "５三成銀(54)"] {
        assert_eq!(
            board.read_after(Notation::Kif, word, before),
            board.read(Notation::Usi, "5d5c"),
            "{word}"
        );
    }
    assert_eq!(board.read(Notation::San, "Ge7"), board.read(Notation::Usi, "5d5c"));
    assert_eq!(board.read(Notation::San, "B*55"), board.read(Notation::San, "B@e5"));
}

#[test]
fn western_moves_are_read_leniently() {
    let fen = "4k3/8/8/3pP3/8/8/8/R3K2R w KQ d6 0 1";
    let board = Board::from_fen(&Fen::read(Game::Western, fen).unwrap()).unwrap();
    let en_passant = board.read(Notation::Uci, "e5d6").unwrap();
    for word in ["exd6", "exd6e.p.", "exd6ep", "exd6e.p", "ed6", "e5xd6", "exd6+"] {
        assert_eq!(board.read(Notation::San, word), Ok(en_passant), "{word}");
    }
    for word in ["0000", "Z0", "--"] {
        assert_eq!(board.read(Notation::San, word), Ok(Move::NULL), "{word}");
    }
    for word in ["O-O", "0-0", "e1g1", "e1h1", "Kg1"] {
        assert_eq!(board.read(Notation::San, word).unwrap().uci(Game::Western).to_string(), "e1g1", "{word}");
    }
    assert_eq!(board.write(Notation::San, Move::NULL).as_deref(), Some("--"));
    assert_eq!(board.read(Notation::San, ""), Err(MoveError::NotAMove));
}

#[test]
fn no_word_makes_a_reader_panic() {
    let words = [
        "",
        "P",
        "P+",
        "++",
        "++++",
        "+=+1",
        "Px",
        "x",
        "K",
        "同",
        "同　",
        "(",
        "()",
        "７",
        "７六",
        "７六歩",
        "７六歩(",
        "７六歩()",
        "７六歩(7)",
        "７六歩(777)",
        "前",
        "前兵",
        "+7",
        "+77",
        "+7776",
        "+7776XX",
        "+0000FU",
        "+7700FU",
        "0000",
        "P@",
        "P*",
        "P*5",
        "P-",
        "+P-",
        "G6a",
        "a",
        "a1",
        "a1b",
        "a10b10",
        "a0a0",
        "h10h0",
        "P77",
        "P77-",
        "P77-7",
        "P7777",
        "é",
        "♔",
        "=M",
        "a=M",
        "B@é",
        "１１１１",
        "Ｃ２",
        "H2-",
        "H2-E",
        "-",
        "--",
        "Z0",
        "e.p.",
        "ep",
        "p",
        "xp",
        "11=1",
        "99=9",
        "P9=9",
        "Pz=1",
    ];
    for game in Game::ALL {
        let board = Board::start(game);
        for notation in Notation::ALL {
            for word in words {
                if let Ok(played) = board.read(*notation, word) {
                    assert_eq!(board.judge(played), Ok(()), "{game} {notation} {word}");
                }
            }
        }
    }
}

#[test]
fn words_that_are_illegal_say_why() {
    let western = |fen: &str, word: &str| {
        let board = Board::from_fen(&Fen::read(Game::Western, fen).unwrap()).unwrap();
        board.reason(Notation::San, word, None)
    };
    let start = Game::Western.start();
    for (word, reason) in [
        ("Bc4", Illegal::Blocked),
        ("e5", Illegal::NotItsMove),
        ("exd3", Illegal::NothingToTake),
        ("Ke2", Illegal::OwnPiece),
        ("O-O", Illegal::Castling),
        ("e3e4", Illegal::NoPiece),
        ("e7e5", Illegal::OtherSide),
        ("e1g1", Illegal::Castling),
    ] {
        assert_eq!(western(start, word), Some(reason), "{word}");
    }
    assert_eq!(western("4r1k1/8/8/8/8/8/N3N3/4K3 w - - 0 1", "Ned4"), Some(Illegal::IntoCheck));
    assert_eq!(western(start, "best"), None);
    let other = |game: Game, notation, word: &str| Board::start(game).reason(notation, word, None);
    assert_eq!(other(Game::Xiangqi, Notation::Wxf, "R1+3"), Some(Illegal::OwnPiece));
    assert_eq!(other(Game::Xiangqi, Notation::Wxf, "R1+4"), Some(Illegal::Blocked));
    assert_eq!(other(Game::Xiangqi, Notation::Chinese, "马二进四"), Some(Illegal::Blocked));
    assert_eq!(other(Game::Xiangqi, Notation::Wxf, "R5+1"), Some(Illegal::NoPiece));
    assert_eq!(other(Game::Shogi, Notation::San, "B*55"), Some(Illegal::NotInHand));
    assert_eq!(other(Game::Shogi, Notation::San, "B-55"), Some(Illegal::Blocked));
    assert_eq!(other(Game::Shogi, Notation::Csa, "-3334FU"), Some(Illegal::OtherSide));
    assert_eq!(other(Game::Shogi, Notation::Kif, "７六銀(77)"), Some(Illegal::OtherPiece));
    assert_eq!(other(Game::Janggi, Notation::Numbers, "P77-67"), None);
    assert_eq!(other(Game::Janggi, Notation::Numbers, "R77-67"), Some(Illegal::OtherPiece));
    assert_eq!(other(Game::Makruk, Notation::San, "e5"), Some(Illegal::NotItsMove));
}
