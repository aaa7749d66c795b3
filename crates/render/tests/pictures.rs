//! What holds for every picture.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod diagrams;

use std::collections::BTreeSet;

use boardprint_base::{Coord, Piece, PieceKind, Player, Square};
use boardprint_render::{
    Diagram, DiagramBuilder, DiagramError, Glyph, Mark, Rect, SvgOptions, TextOptions, svg, text,
};
use proptest::prelude::*;

/// Where each piece is drawn: its title, `x` and `y`.
fn drawn(picture: &str) -> Vec<(String, f64, f64)> {
    let document = roxmltree::Document::parse(picture).unwrap();
    let ids: Vec<&str> = document.descendants().filter_map(|node| node.attribute("id")).collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "an id twice");
    document
        .descendants()
        .filter(|node| node.has_tag_name("use"))
        .filter(|node| node.first_element_child().is_some())
        .map(|node| {
            let id = node.attribute("href").unwrap().strip_prefix('#').unwrap();
            assert!(ids.contains(&id), "{id} is not defined");
            let title = node.first_element_child().unwrap().text().unwrap().to_owned();
            let number = |name: &str| node.attribute(name).unwrap().parse().unwrap();
            (title, number("x"), number("y"))
        })
        .collect()
}

fn rook() -> Piece {
    Piece::new(PieceKind::Rook, Player::WHITE)
}

fn coordinate() -> impl Strategy<Value = Coord> {
    prop_oneof![4 => (-9_i64..9).prop_map(Coord::from), 1 => any::<i64>().prop_map(Coord::from), 1 => any::<i128>().prop_map(Coord::from)]
}

fn squares() -> impl Strategy<Value = Vec<Square>> {
    prop::collection::btree_set((coordinate(), coordinate()), 0..25)
        .prop_map(|set| set.into_iter().map(|(x, y)| Square { x, y }).collect())
}

proptest! {
    #[test]
    fn every_piece_is_drawn_once_and_in_order(squares in squares(), flip in any::<bool>(), margin in 0_u32..3) {
        let mut builder = Diagram::builder().flip(flip).margin(margin);
        for square in &squares {
            builder = builder.piece(square.clone(), rook());
        }
        let diagram = builder.build().unwrap();
        prop_assert_eq!((diagram.shown(), diagram.hidden()), (squares.len(), 0));
        let pieces = drawn(&svg::write(&diagram, &SvgOptions::default()));
        prop_assert_eq!(pieces.len(), squares.len());
        let sign = if flip { -1.0 } else { 1.0 };
        let mut places = Vec::new();
        for square in &squares {
            let title = format!("white rook {square}");
            let mut found = pieces.iter().filter(|(text, ..)| *text == title);
            let (Some((_, x, y)), None) = (found.next(), found.next()) else { panic!("{square} is not drawn once") };
            places.push((square, x * sign, -y * sign));
        }
        for (a, ax, ay) in &places {
            for (b, bx, by) in &places {
                prop_assert_eq!((a.x.cmp(&b.x), a.y.cmp(&b.y)), (ax.total_cmp(bx), ay.total_cmp(by)));
            }
        }
        let text = text::write(&diagram, TextOptions::default().ascii());
        prop_assert_eq!(text.matches('R').count(), squares.len());
        let wide = text::write(&diagram, TextOptions::default().colour(true));
        prop_assert_eq!(wide.matches('♜').count(), squares.len());
    }

    #[test]
    fn a_window_splits_the_pieces(squares in squares(), a in (coordinate(), coordinate()), b in (coordinate(), coordinate())) {
        let window = Rect::new(Square { x: a.0, y: a.1 }, Square { x: b.0, y: b.1 });
        let mut builder = Diagram::builder().window(window.clone());
        for square in &squares {
            builder = builder.piece(square.clone(), rook());
        }
        let inside = squares.iter().filter(|square| window.contains(square)).count();
        let diagram = builder.build().unwrap();
        prop_assert_eq!((diagram.shown(), diagram.hidden()), (inside, squares.len() - inside));
        prop_assert_eq!(drawn(&svg::write(&diagram, &SvgOptions::default())).len(), inside);
    }

    #[test]
    fn any_text_gives_well_formed_xml(title in any::<String>(), actor in any::<String>()) {
        let glyph = boardprint_render::finite::glyph(&actor);
        let diagram = Diagram::builder().title(title).piece(Square::new(0, 0), glyph.clone()).hand(glyph, 2).build().unwrap();
        let picture = svg::write(&diagram, &SvgOptions::default());
        prop_assert!(roxmltree::Document::parse(&picture).is_ok());
        prop_assert!(!text::write(&diagram, TextOptions::default()).contains('\x1b'));
        prop_assert!(text::write(&diagram, TextOptions::default().ascii()).is_ascii());
    }

    #[test]
    fn rays_of_any_step_end(dx in any::<i64>(), dy in any::<i64>(), x in -4_i64..4) {
        let diagram = Diagram::builder().ray(Square::new(x, 0), dx, dy).ray(Square::new(0, 0), dx % 4, dy % 4);
        let diagram = diagram.window("-4,-4,4,4".parse().unwrap()).build().unwrap();
        prop_assert!(roxmltree::Document::parse(&svg::write(&diagram, &SvgOptions::default())).is_ok());
        prop_assert!(text::write(&diagram, TextOptions::default().ascii()).is_ascii());
    }
}

#[test]
fn every_scene_is_well_formed_and_repeatable() {
    for (name, builder) in diagrams::all() {
        let diagram = builder.clone().build().unwrap();
        let picture = svg::write(&diagram, &SvgOptions::default());
        drawn(&picture);
        assert_eq!(picture, svg::write(&builder.build().unwrap(), &SvgOptions::default()), "{name}");
        let document = roxmltree::Document::parse(&picture).unwrap();
        assert!(document.root_element().first_element_child().unwrap().has_tag_name("title"), "{name}");
    }
    drawn(&svg::piece_sheet(&SvgOptions::default()));
}

#[test]
fn every_kind_has_its_own_shape() {
    let sheet = svg::piece_sheet(&SvgOptions::default());
    let document = roxmltree::Document::parse(&sheet).unwrap();
    let shapes: BTreeSet<&str> = document
        .descendants()
        .filter(|node| node.attribute("id").is_some())
        .map(|node| sheet[node.range()].split_once('>').unwrap().1)
        .collect();
    assert_eq!(shapes.len(), PieceKind::BUILT_IN.len());
}

/// As many pieces as the largest known position has, on a square without gaps.
fn crowd() -> DiagramBuilder {
    let mut builder = Diagram::builder();
    for index in 0_i64..186_285 {
        builder = builder.piece(Square::new(index % 432, index / 432), rook());
    }
    builder
}

#[test]
fn a_crowd_is_refused_with_a_window_that_works() {
    let error = crowd().build().unwrap_err();
    let DiagramError::TooLarge { window, .. } = &error else { panic!("{error:?}") };
    assert_eq!(error.to_string(), "the picture would have 434 columns and 434 rows, more than 16384 squares");
    assert_eq!(error.hint().unwrap(), format!("draw a part of it: choose a window, such as {window}"));
    let diagram = crowd().window(window.clone()).build().unwrap();
    assert_eq!(diagram.shown(), 32 * 32);
    assert_eq!(diagram.shown() + diagram.hidden(), 186_285);
}

#[test]
fn a_crowd_is_drawn_when_asked_for() {
    let diagram = crowd().limit(1 << 18).build().unwrap();
    assert_eq!(diagram.shown(), 186_285);
    assert_eq!(svg::write(&diagram, &SvgOptions::default()).matches("<use ").count(), 186_285);
}

#[test]
fn small_limits_still_propose_a_window_that_works() {
    for limit in 1..200 {
        let far = Square::new(10_i64.pow(12), 7);
        let diagram = || {
            Diagram::builder()
                .piece(far.clone(), rook())
                .piece(Square::new(-70, 90), rook())
                .limit(limit)
                .fold(u32::MAX)
        };
        let DiagramError::TooLarge { window, .. } = diagram().build().unwrap_err() else {
            panic!("not too large")
        };
        assert!(diagram().window(window).build().is_ok(), "{limit}");
    }
}

#[test]
fn two_pieces_on_a_square_are_refused() {
    let twice = Diagram::builder().piece(Square::new(1, 1), rook()).piece(Square::new(1, 1), Glyph::Friend);
    assert_eq!(twice.build().unwrap_err(), DiagramError::SquareTwice(Square::new(1, 1)));
}

#[test]
fn endless_folds_are_refused_not_expanded() {
    let diagram = Diagram::builder()
        .mark(Square::new(0, 0), Mark::Target)
        .window("0,0,9223372036854775808,0".parse().unwrap());
    assert!(diagram.clone().build().is_ok());
    assert!(diagram.fold(u32::MAX).build().is_ok());
    let billions = Diagram::builder()
        .fold(u32::MAX)
        .piece(Square::new(0, 0), rook())
        .piece(Square::new(4_000_000_000_i64, 0), rook());
    let error = billions.build().unwrap_err();
    assert_eq!(
        error.to_string(),
        "the picture would have 4*10^9+3 columns and 3 rows, more than 16384 squares"
    );
}
