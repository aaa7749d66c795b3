//! Computes every example of `docs/specification.md`.
//!
//! A block of examples follows a comment `<!-- test: NAME -->`. A line is an example, the lines after it that
//! begin with `= ` are what it comes to.

use boardprint_base::Digest;
use boardprint_base::replay::position_at;
use boardprint_bridge::fen::FenExt as _;
use boardprint_bridge::{Lossy, Marks, exact_hash};
use boardprint_finite::{Board, Fen, Game, Notation};
use boardprint_games::{Content, FiniteGame, Format, Profile, read};
use boardprint_icn::canonical;

const PAGE: &str = include_str!("../../../../docs/specification.md");

fn open_game(text: &str) -> boardprint_base::Game {
    boardprint_icn::parse(text).unwrap_or_else(|error| panic!("{text}: {error}")).game
}

/// A text and its SHA-1.
fn named(text: impl Into<Vec<u8>>) -> Vec<String> {
    let text = text.into();
    let digest = Digest::of(&text).to_string();
    vec![String::from_utf8(text).expect("texts are UTF-8"), digest]
}

fn finite_cpn(example: &str, marks: Option<Marks>) -> Vec<String> {
    let (game, fen) = example.split_once(' ').expect("a game and its FEN");
    let fen = Fen::read(game.parse().expect("a game"), fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    named(Lossy::parts(fen.to_cpn(marks)).0.to_string())
}

fn finite_game(example: &str) -> Vec<String> {
    let (game, rest) = example.split_once(' ').expect("a game");
    let (fen, words) = rest.split_once(" moves ").expect("moves");
    let game: Game = game.parse().expect("the name of a game");
    let fen = Fen::read(game, fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    let start = Board::from_fen(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    let (mut board, mut moves) = (start.clone(), Vec::new());
    for word in words.split(' ') {
        let played =
            board.read(Notation::Uci, word).unwrap_or_else(|error| panic!("{example}: {word}: {error}"));
        board.play(played).expect("what was read is legal");
        moves.push(played);
    }
    named(Content::Finite(FiniteGame::unchecked(start, moves)).game_text().text)
}

fn computed(test: &str, example: &str) -> Vec<String> {
    match test {
        "canonical" => vec![canonical(&open_game(example))],
        "list" => {
            let content = Content::Infinite(open_game(example));
            named(
                Lossy::parts(boardprint_bridge::list::to_cpn(&start_of(&content), Marks::Usable))
                    .0
                    .to_string(),
            )
        }
        "plain" => finite_cpn(example, None),
        "rights" => finite_cpn(example, Some(Marks::Usable)),
        "open game" => named(Content::Infinite(open_game(example)).game_text().text),
        "game" => finite_game(example),
        "key" => named(read(example).unwrap_or_else(|e| panic!("{example}: {e}")).key(Profile::Plain).text),
        "last position" => {
            let game = open_game(example);
            let last = position_at(&game, game.moves.len()).expect("every move has a piece");
            let line = canonical(&boardprint_base::Game { start: last.clone(), ..Default::default() });
            let hash = exact_hash(&last).to_string();
            assert_eq!(Digest::of(line.as_bytes()).to_string(), hash);
            vec![line, hash]
        }
        "exact" => vec![exact_hash(&open_game(example).start).to_string()],
        other => panic!("no test is called {other}"),
    }
}

fn start_of(content: &Content<'_>) -> boardprint_base::Position {
    match content {
        Content::Infinite(game) => game.start.clone(),
        _ => panic!("not on the open board"),
    }
}

#[test]
fn every_example_comes_to_what_the_page_says() {
    let (mut wrong, mut examples) = (Vec::new(), 0);
    for block in PAGE.split("<!-- test: ").skip(1) {
        let (test, rest) = block.split_once(" -->\n```text\n").expect("a block of text follows");
        let (lines, _) = rest.split_once("\n```").expect("the block ends");
        let mut lines = lines.lines().peekable();
        while let Some(example) = lines.next() {
            let mut said = Vec::new();
            while let Some(line) = lines.next_if(|line| line.starts_with("= ")) {
                said.push(line[2..].to_owned());
            }
            let right = computed(test, example);
            if said != right {
                wrong.push(format!("{test}: {example}\n= {}", right.join("\n= ")));
            }
            examples += 1;
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(examples > 25, "only {examples} examples were found");
}

#[test]
fn kinds_stand_on_the_page_in_the_order_of_lists() {
    let table: Vec<Vec<&str>> = PAGE
        .lines()
        .skip_while(|line| !line.starts_with("| code | kind |"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.split('|').map(|cell| cell.trim().trim_matches('`')).collect())
        .collect();
    let codes: Vec<&str> =
        (0..4).flat_map(|column| table.iter().map(move |row| row[1 + 2 * column])).collect();
    let codes: Vec<&str> = codes.into_iter().filter(|code| !code.is_empty()).collect();
    let known: Vec<&str> =
        boardprint_base::PieceKind::BUILT_IN.iter().map(boardprint_base::PieceKind::code).collect();
    assert_eq!(codes, known);
}

/// A record of any format reads as what the page takes it for.
#[test]
fn keys_are_computed_from_records_of_three_formats() {
    let keys = PAGE.split("<!-- test: key -->").nth(1).unwrap();
    let formats = [Format::Icn, Format::Fen, Format::Cpn];
    let found = |format: &Format| keys.lines().any(|line| Format::detect(line.as_bytes()) == Some(*format));
    assert!(formats.iter().all(found));
}
