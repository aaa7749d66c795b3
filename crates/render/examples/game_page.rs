//! Writes a page of a whole game to standard output: `cargo run -p boardprint-render --example game_page >
//! game.html`.
//!
//! The game is Morphy's at the opera in Paris, 1858. A program that reads games has positions already; here
//! the pieces are pushed by hand.

use std::error::Error;
use std::io::{Write, stdout};

use boardprint_base::Square;
use boardprint_render::page::{self, Frame, Page, PageOptions};
use boardprint_render::{DiagramError, finite};

const GAME: &str = "e2e4 e4|e7e5 e5|g1f3 Nf3|d7d6 d6|d2d4 d4|c8g4 Bg4|d4e5 dxe5|g4f3 Bxf3|d1f3 Qxf3|d6e5 dxe5|f1c4 Bc4|\
    g8f6 Nf6|f3b3 Qb3|d8e7 Qe7|b1c3 Nc3|c7c6 c6|c1g5 Bg5|b7b5 b5|c3b5 Nxb5|c6b5 cxb5|c4b5 Bxb5+|b8d7 Nbd7|\
    e1c1 O-O-O|a8d8 Rd8|d1d7 Rxd7|d8d7 Rxd7|h1d1 Rd1|e7e6 Qe6|b5d7 Bxd7+|f6d7 Nxd7|b3b8 Qb8+|d7b8 Nxb8|d1d8 Rd8#";

fn main() -> Result<(), Box<dyn Error>> {
    let mut board: Vec<String> = (0..64).map(start).collect();
    let mut page = Page::new("Morphy at the opera")
        .tag("White", "Paul Morphy")
        .tag("Black", "Duke of Brunswick and Count Isouard")
        .tag("Date", "1858")
        .tag("Result", "1-0")
        .frame(Frame::new(finite_board(&board, 0)?));
    for (ply, text) in GAME.split('|').enumerate() {
        let (squares, played) = text.split_once(' ').ok_or("a move")?;
        let [from, to] = [&squares[..2], &squares[2..]].map(cell);
        push(&mut board, from, to);
        if played == "O-O-O" {
            push(&mut board, cell("a1"), cell("d1"));
        }
        let place = |cell: usize| Square::new((cell % 8 + 1) as u64, (8 - cell / 8) as u64);
        let diagram = finite_board(&board, ply + 1)?.last_squares([place(from), place(to)]);
        let number = if ply.is_multiple_of(2) { format!("{}.", ply / 2 + 1) } else { String::new() };
        let comment = if played == "Qb8+" { "The queen is given away for mate." } else { "" };
        page = page.frame(Frame::new(diagram).played(played).number(number).comment(comment));
    }
    stdout().write_all(page::write(page, &PageOptions::default())?.as_bytes())?;
    Ok(())
}

fn finite_board(board: &[String], ply: usize) -> Result<boardprint_render::DiagramBuilder, DiagramError> {
    finite::board(&[8, 8], board.iter().map(String::as_str), [], ply.is_multiple_of(2))
}

/// What stands on a cell at the start of the game.
fn start(cell: usize) -> String {
    let piece = &"rnbqkbnr"[cell % 8..=cell % 8];
    match cell / 8 {
        0 => format!("w:{piece}"),
        1 => "w:p".to_owned(),
        6 => "W:P".to_owned(),
        7 => format!("W:{}", piece.to_ascii_uppercase()),
        _ => String::new(),
    }
}

/// The cell of a square such as `e4`.
fn cell(square: &str) -> usize {
    let bytes = square.as_bytes();
    usize::from(bytes[0] - b'a') + 8 * usize::from(b'8' - bytes[1])
}

fn push(board: &mut [String], from: usize, to: usize) {
    board[to] = std::mem::take(&mut board[from]);
}
