//! Makes a large collection of ICN games out of the small corpus, the same on every machine: `cargo run
//! --release -p boardprint-dedup --example make_collection -- corpus/replay/replay.jsonl 20000 > games.icn`
//!
//! Each game of the corpus is shifted to another place of the board and cut to another length; each has its
//! own tags.

use std::io::{BufWriter, Write};
use std::sync::Arc;

use boardprint_base::{Border, Coord, Game, GameResult, Laws, Notes, Pieces, Promotion, Square, Tag};
use boardprint_icn::Style;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(path), Some(count)) = (arguments.next(), arguments.next()) else {
        return Err("usage: make_collection CORPUS.jsonl GAMES".into());
    };
    let mut seeds = Vec::new();
    for line in std::fs::read_to_string(path)?.lines() {
        let object: serde_json::Value = serde_json::from_str(line)?;
        let text = object["icn"].as_str().ok_or("each line has an ICN")?;
        seeds.push(boardprint_icn::parse(text)?.game);
    }
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut state = 1_u64;
    let mut below = |limit: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % limit
    };
    for number in 0..count.parse::<usize>()? {
        let seed = &seeds[number % seeds.len()];
        // One game in four stays where it is, so that openings are shared.
        let far = if number % 4 == 0 { 1 } else { 1000 };
        let shift = Square::new(i64::try_from(below(far))?, i64::try_from(below(far))?);
        let mut game = shifted(seed, &shift);
        let shortest = game.moves.len() as u64 / 2;
        game.moves.truncate(usize::try_from(shortest + below(shortest + 2))?);
        let tag = |name: &str, value: String| Tag { name: name.into(), value: value.into() };
        game.tags = vec![
            tag("Event", format!("Collection {}", number / 1000)),
            tag("White", format!("Player {}", below(500))),
            tag("Black", format!("Player {}", below(500))),
        ];
        game.result = Some(GameResult::ALL[usize::try_from(below(4))?]);
        writeln!(out, "{}\n", Style::Compact.write(&game))?;
    }
    Ok(out.flush()?)
}

/// The same game elsewhere on the board.
fn shifted(game: &Game, by: &Square) -> Game {
    let square = |square: &Square| Square { x: &square.x + &by.x, y: &square.y + &by.y };
    let mut game = game.clone();
    let mut pieces = game.start.pieces.iter().cloned().collect::<Vec<_>>();
    for placed in &mut pieces {
        placed.square = square(&placed.square);
    }
    game.start.pieces = Pieces::from_list(pieces).unwrap_or_default();
    game.start.en_passant = game.start.en_passant.as_ref().map(square);
    let laws: &Laws = &game.start.laws;
    let promotion = laws.promotion.iter().map(|(player, promotion)| {
        let ranks = promotion.ranks().iter().map(|rank| rank + &by.y);
        (*player, Promotion::new(ranks, promotion.choices().iter().copied()))
    });
    let side = |side: &Option<Coord>, by: &Coord| side.as_ref().map(|side| side + by);
    let border = Border {
        left: side(&laws.border.left, &by.x),
        right: side(&laws.border.right, &by.x),
        bottom: side(&laws.border.bottom, &by.y),
        top: side(&laws.border.top, &by.y),
    };
    game.start.laws = Arc::new(Laws { promotion: promotion.collect(), border, ..laws.clone() });
    for step in &mut game.moves {
        (step.from, step.to) = (square(&step.from), square(&step.to));
        step.notes = Notes::default();
    }
    game
}
