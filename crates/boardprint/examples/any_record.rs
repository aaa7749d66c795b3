//! Any record, its positions, its moves, its picture: `cargo run -p boardprint --example any_record -- '1. e4
//! e5'`

use boardprint::render::{SvgOptions, diagram, svg};
use boardprint::{Profile, read};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::env::args().nth(1).unwrap_or("1. e4 e5 2. Nf3".to_owned());
    let record = read(&text)?;
    for (ply, hash) in record.hashes(Profile::Plain)?.iter().enumerate() {
        eprintln!("{ply:3} {hash}");
    }
    let last = record.at(record.plies())?;
    let moves = last.legal_moves()?;
    eprintln!("{:?} legal moves: {moves}", moves.count());
    let board = diagram(&last, record.moves().last().as_ref())?.build()?;
    std::fs::write("board.svg", svg::write(&board, &SvgOptions::default()))?;
    Ok(())
}
