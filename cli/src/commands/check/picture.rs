//! The board where something is wrong.

use boardprint_base::replay::position_at;
use boardprint_base::{Game, Square};
use boardprint_games::{Content, Finding, ReadOptions, Reading, Record};
use boardprint_render::{self as render, Diagram, Rect};

use super::verdict::Judged;

/// How many squares are drawn around a place.
const AROUND: i64 = 4;

/// The board of a finding, before the move it is about.
pub(super) fn picture(options: &ReadOptions, judged: &Judged<'_>, finding: &Finding) -> Option<Diagram> {
    match &judged.content {
        Some(Content::Infinite(game)) => around_place(game, finding),
        Some(_) => None,
        None => finding.ply.and_then(|_| last_board(options, judged.record)),
    }
}

/// The board around the place of a finding.
fn around_place(game: &Game, finding: &Finding) -> Option<Diagram> {
    let square = finding.square.as_ref()?;
    let before = finding.ply.map_or(0, |ply| ply - 1);
    let position = position_at(game, before).ok()?;
    let mut scene = Diagram::builder().position(&position);
    let mut corners = vec![square];
    if let Some(mv) = finding.ply.and_then(|ply| game.moves.get(ply - 1)) {
        scene = scene.last_move(mv);
        corners.extend([&mv.from, &mv.to]);
    }
    scene.window(around(&corners)?).build().ok()
}

fn around(squares: &[&Square]) -> Option<Rect> {
    let xs = || squares.iter().map(|square| &square.x);
    let ys = || squares.iter().map(|square| &square.y);
    let low = Square { x: xs().min()? - AROUND, y: ys().min()? - AROUND };
    let high = Square { x: xs().max()? + AROUND, y: ys().max()? + AROUND };
    Some(Rect::new(low, high))
}

/// The board after the moves that can be played.
fn last_board(options: &ReadOptions, record: &Record) -> Option<Diagram> {
    let (reading, _) = options.read_as_far(record.format, &record.text);
    let Reading { content, .. } = reading?;
    let last = content.moves().last();
    let position: Content<'_> = content.at(content.plies()).ok()?;
    render::diagram(&position, last.as_ref()).ok()?.build().ok()
}
