//! Movement, replay and pictures.

use boardprint_base::replay::{Replay, position_at};
use boardprint_base::{Rect, Square};
use boardprint_bridge::{Namer, Trail};
use boardprint_icn::ReadOptions;
use boardprint_render::text::TextOptions;
use boardprint_render::{Diagram, SvgOptions, svg, text};
use boardprint_rules::fairy::{Expr, Limits, Movement, Mover, Reach, Surroundings};

/// The movement language: printed and read again it is the same, canonical twice is once, and the list of
/// squares agrees with the question for one square. All of it within a small budget.
pub fn fairy(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let expr: Expr = match text.parse::<Expr>() {
        Ok(expr) => expr,
        Err(error) => return assert!(text.get(error.span().start..error.span().end).is_some()),
    };
    let written = expr.to_string();
    let canonical = expr.canonical();
    assert_eq!(written.parse::<Expr>().map(|back| back.canonical()).as_ref(), Ok(&canonical), "{written}");
    assert_eq!(canonical.canonical(), canonical, "{written}");
    let Ok(movement) = Movement::new(&expr) else { return };
    let (from, window) = (Square::new(0, 0), Rect::with_edges(-4, -4, 4, 4));
    let board =
        Surroundings::new([Square::new(1, 3), Square::new(-2, 0)], [Square::new(3, 3), Square::new(0, -3)]);
    let limits = Limits { steps: 2_000, stops: 200 };
    for (board, mover) in [
        (board.clone().within(window.to_border()), Mover::at(&from)),
        (board.clone(), Mover::at(&from).with_right()),
    ] {
        let stops = movement.stops(mover, &board, &window, &limits);
        let squares = (-4..=4).flat_map(|x| (-4..=4).map(move |y| Square::new(x, y)));
        for square in squares {
            let listed = stops.stops.iter().find(|stop| stop.square == square);
            let reach = movement.reach_within(mover, &square, &board, &limits);
            match reach {
                Reach::Unknown => {}
                Reach::No => assert!(listed.is_none(), "{written} to {square}"),
                _ if !stops.complete => {}
                _ => {
                    let capture = listed.map(|stop| stop.capture);
                    assert_eq!(capture, Some(reach == Reach::Capture), "{written} to {square}");
                }
            }
        }
        let far = Square::new(10_i64.pow(15), 7);
        let _ = movement.reach_within(mover, &far, &board, &limits);
    }
}

/// Replay: every move taken back gives the position before it; every position has a name, the same made again
/// and made from the one before.
pub fn replay(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(reading) = ReadOptions::default().max_digits(200).max_pieces(2_000).parse(text) else { return };
    let game = reading.game;
    let (mut namer, mut trail) = (Namer::new(), Trail::new());
    let (mut steps, mut hashes) = (Vec::new(), Vec::new());
    let mut forward = Replay::new(&game);
    assert_eq!(trail.start(forward.position()), namer.cph(forward.position()));
    loop {
        hashes.push(namer.cph(forward.position()));
        match forward.step() {
            Ok(Some(step)) => {
                assert_eq!(trail.step(forward.position(), &step), namer.cph(forward.position()));
                steps.push(step);
            }
            Ok(None) => break,
            Err(error) => {
                assert_eq!(error.ply, forward.ply() + 1);
                break;
            }
        }
    }
    let plies = forward.ply();
    assert_eq!(position_at(&game, plies).as_ref(), Ok(forward.position()));
    let mut position = forward.into_position();
    for (step, name) in steps.into_iter().zip(&hashes).rev() {
        step.undo(&mut position);
        assert_eq!(namer.cph(&position), *name);
    }
    assert_eq!(position, game.start);
}

/// Pictures: every position is drawn or refused, and the drawing is bounded.
pub fn render(bytes: &[u8]) {
    let Ok(source) = std::str::from_utf8(bytes) else { return };
    let Ok(reading) = ReadOptions::default().max_digits(200).max_pieces(500).parse(source) else { return };
    for flip in [false, true] {
        let Ok(scene) = Diagram::builder().position(&reading.game.start).flip(flip).build() else { return };
        let drawn = text::write(&scene, TextOptions::default().ascii());
        assert!(drawn.is_ascii() && !drawn.contains('\u{1b}'));
        let _ = text::write(&scene, TextOptions::default().colour(true));
        let picture = svg::write(&scene, &SvgOptions::default());
        assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"));
    }
}
