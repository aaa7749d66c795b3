use std::collections::BTreeMap;

use boardprint_base::{Move, Piece, PieceKind, Player, Square};
use proptest::prelude::*;
use sha2::{Digest, Sha256};

use super::*;

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let all =
            chunk.iter().chain([&0; 2]).take(3).fold(0_usize, |all, byte| all << 8 | usize::from(*byte));
        for index in 0..4 {
            let digit = char::from(DIGITS[all >> (18 - 6 * index) & 63]);
            out.push(if index <= chunk.len() { digit } else { '=' });
        }
    }
    out
}

#[test]
fn the_policy_knows_style_and_script() {
    for (name, text) in [("style-src", STYLE), ("script-src", SCRIPT)] {
        let hash = base64(&Sha256::digest(text));
        let rule = format!("{name} 'sha256-{hash}'");
        assert!(POLICY.contains(&rule), "write {rule} into the policy");
    }
}

fn walk(steps: i64) -> Page {
    let king = |x: i64| {
        Diagram::builder()
            .piece(Square::new(x, 1), Piece::new(PieceKind::King, Player::WHITE))
            .piece(Square::new(1, 9), Piece::new(PieceKind::King, Player::BLACK))
            .to_move(Player::BLACK)
    };
    let mut page = Page::new("A walk").frame(Frame::new(king(0)));
    page.extend((1..=steps).map(|x| {
        let played = Move::new(Square::new(x - 1, 1), Square::new(x, 1));
        Frame::new(king(x).last_move(&played)).number(format!("{x}.")).played(format!("K{x},1"))
    }));
    page
}

/// What the script in the page does, so that it can be checked here.
fn decoded(html: &str) -> Vec<String> {
    let data = html.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    let lines = data["lines"].as_array().unwrap();
    let mut before: Vec<usize> = Vec::new();
    let mut texts = Vec::new();
    for code in data["svg"].as_array().unwrap() {
        let code: Vec<i64> = code.as_array().unwrap().iter().map(|number| number.as_i64().unwrap()).collect();
        let (mut now, mut at) = (Vec::new(), 0);
        while at < code.len() {
            if let Ok(from) = usize::try_from(code[at]) {
                let count = usize::try_from(code[at + 1]).unwrap();
                now.extend(&before[from..from + count]);
                at += 2;
            } else {
                now.push(usize::try_from(-1 - code[at]).unwrap());
                at += 1;
            }
        }
        let text: Vec<&str> = now.iter().map(|line| lines[*line].as_str().unwrap()).collect();
        texts.push(text.join("\n") + "\n");
        before = now;
    }
    texts
}

#[test]
fn every_position_comes_back_as_it_was_drawn() {
    let page = walk(30);
    let frames = page.frames.clone();
    let html = write(page, &PageOptions::default()).unwrap();
    let kept = shared_squares(&frames);
    assert_eq!(kept.len(), 32);
    let drawing = SvgOptions::default().theme(Theme::Page);
    let drawn: Vec<String> =
        frames.into_iter().map(|frame| svg::write(&build(frame.diagram, &kept).unwrap(), &drawing)).collect();
    assert_eq!(decoded(&html), drawn);
    assert!(html.contains(&drawn[30]), "without scripts the last position is seen");
}

#[test]
fn long_games_stay_small() {
    let size = |steps: i64| write(walk(steps), &PageOptions::default()).unwrap().len();
    // All squares of the walk are shown, so only what moves is written for each step.
    let (short, long) = (size(100), size(300));
    assert!((long - short) / 200 < 1000, "{} bytes per half-move", (long - short) / 200);
}

#[test]
fn limits_and_empty_pages_are_refused() {
    let limit = PageOptions::default().max_bytes(10_000);
    assert_eq!(write(walk(100), &limit), Err(PageError::TooLarge { limit: 10_000 }));
    assert_eq!(write(Page::new("x"), &PageOptions::default()), Err(PageError::Empty));
    let rook = Piece::new(PieceKind::Rook, Player::WHITE);
    let twice = Diagram::builder().piece(Square::new(1, 1), rook).piece(Square::new(1, 1), rook);
    let error = write(Page::new("x").frame(Frame::new(twice)), &PageOptions::default()).unwrap_err();
    assert!(matches!(error, PageError::Frame { index: 0, error: DiagramError::SquareTwice(_) }));
}

#[test]
fn a_game_too_wide_for_one_layout_is_drawn_position_by_position() {
    let rook = Piece::new(PieceKind::Rook, Player::WHITE);
    let mut page = Page::new("Far and wide");
    page.extend((0..200_i64).map(|step| {
        let square = Square::new(step * step * 1000, -step * step * 1000);
        Frame::new(Diagram::builder().piece(square, rook).margin(0))
    }));
    let html = write(page, &PageOptions::default()).unwrap();
    assert_eq!(decoded(&html).len(), 200);
}

/// The elements of a page with how often they occur; anything that a browser would not expect fails.
fn elements(html: &str) -> BTreeMap<String, usize> {
    let body = html.split_once("<body>").unwrap().1;
    let (body, _) = body.split_once("<script type=\"application/json\"").unwrap();
    let wrapped = format!("<x>{}</x>", body.replace(" hidden>", " hidden=\"\">"));
    let document = roxmltree::Document::parse(&wrapped).unwrap();
    let mut all = BTreeMap::new();
    for node in document.descendants().filter(roxmltree::Node::is_element) {
        *all.entry(node.tag_name().name().to_owned()).or_default() += 1;
        for attribute in node.attributes() {
            assert!(!attribute.name().starts_with("on") && attribute.name() != "style");
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn hostile_text_stays_text(
        texts in prop::collection::vec(prop_oneof![any::<String>(), Just("</script><script>alert(1)</script>".to_owned()), Just("<!--".to_owned()), Just("\"><img src=x onerror=alert(1)>".to_owned())], 6),
    ) {
        let [title, name, value, number, played, comment] = &texts[..] else { unreachable!() };
        let glyph = crate::finite::glyph(value);
        let diagram = Diagram::builder().piece(Square::new(1, 1), glyph.clone()).hand(glyph, 2).turn(true, Player::WHITE, name).title(title);
        let page = Page::new(title).tag(name, value).frame(Frame::new(diagram.clone())).frame(
            Frame::new(diagram).played(format!("x{played}")).number(number).comment(format!("y{comment}")));
        let html = write(page, &PageOptions::default()).unwrap();
        let plain = Page::new("a").tag("a", "a").frame(Frame::new(Diagram::builder())).frame(Frame::new(Diagram::builder()).played("a").comment("a"));
        let plain = write(plain, &PageOptions::default()).unwrap();
        // Scripts and styles are ours alone, and markup of a file adds no element.
        prop_assert_eq!(html.matches("<script").count(), plain.matches("<script").count());
        prop_assert_eq!(html.matches("<!--").count(), 0);
        let known = ["x", "header", "h1", "bdi", "dl", "div", "dt", "dd", "main", "section", "p", "nav", "button", "details", "summary", "pre", "span",
            "svg", "title", "defs", "g", "use", "path", "rect", "circle", "text"];
        for element in elements(&html).keys() {
            prop_assert!(known.contains(&element.as_str()), "{}", element);
        }
        prop_assert_eq!(decoded(&html).len(), 2);
        for picture in decoded(&html) {
            prop_assert!(roxmltree::Document::parse(&picture).is_ok());
        }
    }
}
