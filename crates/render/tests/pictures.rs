//! What holds for every picture.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod diagrams;

use std::collections::BTreeSet;

use boardprint_base::{Coord, Piece, PieceKind, Player, Square};
use boardprint_render::{
    Diagram, DiagramBuilder, DiagramError, Form, Glyph, Labels, Mark, Rect, Surface, SvgOptions, TextOptions,
    Theme, Tile, svg, text,
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

/// Kept as a case of its own: a board without cells has no layers to name.
#[test]
fn boards_without_cells_are_drawn() {
    for shape in [&[][..], &[0], &[0, 3, 3], &[3, 0, 3], &[2, 3, 3, 0]] {
        let diagram = boardprint_render::finite::board(shape, [], [], true).unwrap().build().unwrap();
        assert!(roxmltree::Document::parse(&svg::write(&diagram, &SvgOptions::default())).is_ok());
        assert!(!text::write(&diagram, TextOptions::default()).is_empty());
    }
}

fn hostile() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        Just("</title><script>alert(1)</script>".to_owned()),
        Just("\" onload=\"alert(1)".to_owned()),
        Just("]]>&lt;<![CDATA[".to_owned()),
        Just("\x1b[31m\u{202e}\u{ffff}\0".to_owned()),
    ]
}

fn tile() -> impl Strategy<Value = Glyph> {
    let forms = [Form::Wedge, Form::Disc, Form::LargeOctagon, Form::Octagon, Form::SmallOctagon, Form::Card];
    let sign = prop_oneof![hostile(), Just("龍".to_owned())];
    let letter = prop_oneof![hostile(), Just("+R".to_owned())];
    (prop::sample::select(forms.to_vec()), 0_u32..3, sign, letter, hostile(), any::<bool>()).prop_map(
        |(form, player, sign, letter, name, promoted)| {
            let [sign, letter, name] = [sign, letter, name].map(String::into_boxed_str);
            Glyph::Tile(Box::new(Tile { form, player: Player(player), sign, letter, name, promoted }))
        },
    )
}

fn look() -> impl Strategy<Value = (Theme, bool, bool, Surface, Labels)> {
    let surfaces = vec![Surface::Chequered, Surface::Grid, Surface::Xiangqi, Surface::Janggi];
    let labels = vec![Labels::Numbers, Labels::Letters, Labels::Shogi { columns: 9, rows: u32::MAX }];
    let (surface, labels) = (prop::sample::select(surfaces), prop::sample::select(labels));
    (prop::sample::select(Theme::ALL.to_vec()), any::<bool>(), any::<bool>(), surface, labels)
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
    fn any_text_gives_well_formed_xml(
        texts in prop::collection::vec(hostile(), 5), tile in tile(), look in look(), width in 0_usize..120
    ) {
        let [title, actor, side, name, prefix] = &texts[..] else { unreachable!() };
        let glyph = boardprint_render::finite::glyph(actor);
        let diagram = Diagram::builder()
            .title(title)
            .piece(Square::new(0, 0), glyph.clone())
            .piece(Square::new(1, 0), Glyph::mover(name))
            .piece(Square::new(2, 0), tile.clone())
            .hand(glyph, 2)
            .hand(tile, 1)
            .sides(side, name)
            .turn(true, Player(7), name)
            .arrow(Square::new(0, 0), Square::new(1, 0))
            .flip(look.1)
            .coordinates(look.2)
            .legend(!look.1)
            .surface(look.3)
            .labels(look.4)
            .build()
            .unwrap();
        let options = SvgOptions::default().theme(look.0).id_prefix(prefix).tooltips(look.2);
        let picture = svg::write(&diagram, &options);
        let document = roxmltree::Document::parse(&picture).unwrap();
        for node in document.descendants() {
            prop_assert!(!node.has_tag_name("style") && !node.has_tag_name("script"));
            for attribute in node.attributes() {
                prop_assert!(attribute.name() != "style" && !attribute.name().starts_with("on"));
            }
        }
        drawn(&picture);
        let options = TextOptions::default().width(width);
        let text = text::write(&diagram, options);
        let steers = |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c);
        prop_assert!(!text.contains(steers));
        prop_assert!(text::write(&diagram, options.ascii()).is_ascii());
    }

    #[test]
    fn boards_of_any_shape_are_drawn_or_refused(
        shape in prop::collection::vec(0_usize..5, 0..6), flip in any::<bool>(), width in 0_usize..60
    ) {
        let count = if shape.is_empty() { 0 } else { shape.iter().product() };
        let cells: Vec<&str> = ["W:K", "", "s:+p", "x:c", "FOO:BAR"].into_iter().cycle().take(count).collect();
        let pieces = cells.iter().filter(|cell| !cell.is_empty()).count();
        let board = boardprint_render::finite::board(&shape, cells, ["s:p"], flip).unwrap().flip(flip);
        let Ok(diagram) = board.build() else { return Ok(()) };
        prop_assert_eq!((diagram.shown(), diagram.hidden()), (pieces, 0));
        prop_assert!(roxmltree::Document::parse(&svg::write(&diagram, &SvgOptions::default())).is_ok());
        let text = text::write(&diagram, TextOptions::default().ascii().width(width));
        prop_assert_eq!(text.matches('K').count(), pieces.div_ceil(4));
    }

    #[test]
    fn rays_of_any_step_end(dx in any::<i64>(), dy in any::<i64>(), x in -4_i64..4) {
        let diagram = Diagram::builder().ray(Square::new(x, 0), dx, dy).ray(Square::new(0, 0), dx % 4, dy % 4);
        let diagram = diagram.window("-4,-4,4,4".parse().unwrap()).build().unwrap();
        prop_assert!(roxmltree::Document::parse(&svg::write(&diagram, &SvgOptions::default())).is_ok());
        prop_assert!(text::write(&diagram, TextOptions::default().ascii()).is_ascii());
    }
}

#[cfg(feature = "png")]
proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_text_gives_a_png(title in hostile(), tile in tile(), look in look(), size in 1_u32..16) {
        let diagram = Diagram::builder()
            .piece(Square::new(0, 0), tile)
            .turn(true, Player(3), title)
            .flip(look.1)
            .surface(look.3)
            .build()
            .unwrap();
        let options = boardprint_render::PngOptions::default().theme(look.0).square(size);
        prop_assert!(boardprint_render::png::write(&diagram, &options).unwrap().starts_with(b"\x89PNG"));
    }
}

#[test]
fn every_diagram_is_well_formed_and_repeatable() {
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

#[test]
fn sizes_change_the_outside_only() {
    let diagram = Diagram::builder().build().unwrap();
    let head = |options: &SvgOptions| svg::write(&diagram, options).split_once('>').unwrap().0.to_owned();
    let (usual, half) = (head(&SvgOptions::default()), head(&SvgOptions::default().square(90)));
    assert!(usual.contains(r#"viewBox="0 0 391 392" width="391" height="392""#), "{usual}");
    assert!(half.contains(r#"viewBox="0 0 391 392" width="782" height="784""#), "{half}");
    let wide = head(&SvgOptions::default().width(1000));
    assert!(wide.contains(r#"width="1000" height="1003""#), "{wide}");
}

#[test]
fn rights_can_be_hidden_and_shown() {
    let board = || {
        let cells = ["w:+^k", "", "w_0:ep", "W:+R"];
        boardprint_render::finite::board(&[2, 2], cells, [], true).unwrap()
    };
    let text = |shown: Option<bool>| {
        let board = shown.map_or(board(), |shown| board().rights(shown));
        text::write(&board.build().unwrap(), TextOptions::default().ascii())
    };
    assert_eq!(text(None), "2 k  .\n1 .  R\n  a  b\nwhite to move\n");
    assert_eq!(text(Some(false)), text(None));
    assert_eq!(text(Some(true)), "2 k+ .\n1 ep R+\n  a  b\nwhite to move\n");
}

#[test]
fn a_picture_needs_no_exception_from_a_strict_policy() {
    for (name, builder) in diagrams::all() {
        for theme in Theme::ALL {
            let picture = svg::write(&builder.clone().build().unwrap(), &SvgOptions::default().theme(theme));
            for word in ["<style", "style=", "<script", "class=", "url(", "http:", "https:"] {
                let outside = picture.replacen("http://www.w3.org/2000/svg", "", 1);
                assert!(!outside.contains(word), "{name} {theme} {word}");
            }
        }
    }
}

#[test]
fn long_boards_take_linear_time() {
    // With a step for each pair of columns, or of layers, these would take minutes.
    let line = Diagram::builder()
        .window("0,0,200000,0".parse().unwrap())
        .fold(u32::MAX)
        .piece(Square::new(5, 0), rook())
        .limit(1 << 18)
        .build()
        .unwrap();
    for options in [TextOptions::default(), TextOptions::default().width(80)] {
        assert_eq!(text::write(&line, options).matches('♖').count(), 1);
    }
    let cells = vec!["W:K"; 50_000];
    let layers = boardprint_render::finite::board(&[50_000, 1, 1], cells, [], true).unwrap();
    let layers = layers.limit(1 << 18).build().unwrap();
    assert_eq!(svg::write(&layers, &SvgOptions::default()).matches("<use ").count(), 50_000);
    assert_eq!(text::write(&layers, TextOptions::default()).matches('♔').count(), 50_000);
}
