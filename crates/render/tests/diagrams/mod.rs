//! Diagrams that the tests draw.

use boardprint_base::{Border, CustomCode, Move, Piece, PieceKind, Player, Square};
use boardprint_render::{Diagram, DiagramBuilder, Glyph, Mark, finite};

/// Every diagram with its name.
pub(crate) fn all() -> Vec<(&'static str, DiagramBuilder)> {
    vec![
        ("empty", Diagram::builder()),
        ("far-king", far_king()),
        ("far-king-flipped", far_king().flip(true)),
        ("far-king-window", far_king().window("0,0,9,9".parse().expect("a window"))),
        ("far-king-wide-window", far_king().window("0,0,1000000000000005,99".parse().expect("a window"))),
        ("players", players()),
        ("western", finite::board(&[8, 8], cells(WESTERN), [], true).expect("64 cells")),
        ("makruk", finite::board(&[8, 8], cells(MAKRUK), [], false).expect("64 cells")),
        ("shogi", finite::board(&[9, 9], cells(SHOGI), SHOGI_HAND, true).expect("81 cells")),
        (
            "shogi-flipped",
            finite::board(&[9, 9], cells(SHOGI), SHOGI_HAND, true).expect("81 cells").flip(true),
        ),
        ("xiangqi", finite::board(&[10, 9], cells(XIANGQI), [], true).expect("90 cells")),
        ("janggi", finite::board(&[10, 9], cells(JANGGI), [], true).expect("90 cells")),
        (
            "other-game",
            finite::board(&[2, 2, 3], cells("FOO:JOKER,foo:x1,,,C:+A,w:q,,,,s:p,x:r,"), [], true)
                .expect("12 cells"),
        ),
        (
            "cube",
            finite::board(&[3, 3, 3], cells(CUBE), [], true)
                .expect("27 cells")
                .last_squares([Square::new(2, 2), Square::new(6, 1)]),
        ),
        ("tesseract", finite::board(&[2, 2, 2, 2], cells(TESSERACT), ["w:p"], false).expect("16 cells")),
        (
            "western-rights",
            finite::board(&[8, 8], cells(WESTERN), [], true)
                .expect("64 cells")
                .rights(true)
                .flip(true)
                .last_move(&Move::new(Square::new(5, 2), Square::new(5, 4))),
        ),
        (
            "xiangqi-flipped",
            finite::board(&[10, 9], cells(XIANGQI), [], false)
                .expect("90 cells")
                .flip(true)
                .last_move(&Move::new(Square::new(8, 3), Square::new(5, 3))),
        ),
        ("arrows", arrows()),
        ("movement", movement()),
        ("knightrider", knightrider()),
        ("knight", knight()),
    ]
}

fn cells(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.split(',')
}

fn piece(kind: PieceKind, player: u32) -> Glyph {
    Piece::new(kind, Player(player)).into()
}

fn far_king() -> DiagramBuilder {
    use PieceKind::{King, Pawn, Queen, Rook};
    Diagram::builder()
        .piece_with_right(Square::new(5, 1), piece(King, 1))
        .piece_with_right(Square::new(8, 1), piece(Rook, 1))
        .piece(Square::new(4, 4), piece(Pawn, 1))
        .piece_with_right(Square::new(3, 7), piece(Pawn, 2))
        .piece(Square::new(40, 90), piece(Queen, 2))
        .piece(Square::new(10_i64.pow(15), 5), piece(King, 2))
        .piece(Square::new(-1_234_567_890_123_i64, -3), piece(Rook, 2))
        .mark(Square::new(4, 3), Mark::EnPassant)
        .last_move(&Move::new(Square::new(4, 2), Square::new(4, 4)))
        .to_move(Player::BLACK)
        .title("A king at 10^15 & other <far> pieces")
}

fn players() -> DiagramBuilder {
    let mut diagram = Diagram::builder();
    for (x, kind) in (1_i64..).zip(PieceKind::BUILT_IN) {
        for player in 0..8 {
            diagram = diagram.piece(Square::new(x, i64::from(player)), piece(*kind, player));
        }
    }
    let codes = ["z", "zz", "zeb", "wyrm"].map(|code| CustomCode::new(code).expect("a code"));
    for (x, code) in (1_i64..).zip(codes) {
        diagram = diagram.piece(Square::new(x, 8), piece(PieceKind::Custom(code), 1));
        diagram = diagram.piece(Square::new(x + 4, 8), piece(PieceKind::Custom(code), 12));
    }
    let border = Border { left: Some(0.into()), right: Some(23.into()), bottom: Some(0.into()), top: None };
    diagram.border(border).mark(Square::new(10, 8), Mark::Highlight)
}

fn arrows() -> DiagramBuilder {
    finite::board(&[8, 8], cells(WESTERN), [], true)
        .expect("64 cells")
        .arrow(Square::new(7, 1), Square::new(6, 3))
        .arrow(Square::new(6, 1), Square::new(2, 5))
        .arrow(Square::new(4, 7), Square::new(4, 5))
        .highlight([Square::new(6, 7), Square::new(2, 5)])
        .last_move(&Move::new(Square::new(5, 7), Square::new(5, 5)))
        .coordinates(false)
        .title("The Spanish bishop looks at b5")
}

fn movement() -> DiagramBuilder {
    let at = Square::new(0, 0);
    let line = |dx: i64, dy: i64, steps: i64| (1..=steps).map(move |step| Square::new(dx * step, dy * step));
    Diagram::builder()
        .window("-4,-4,4,4".parse().expect("a window"))
        .piece(at.clone(), piece(PieceKind::Rook, 1))
        .piece(Square::new(3, 0), Glyph::Enemy)
        .piece(Square::new(0, -2), Glyph::Friend)
        .marks(line(1, 0, 2).chain(line(-1, 0, 4)).chain(line(0, 1, 4)).chain(line(0, -1, 1)), Mark::Target)
        .mark(Square::new(3, 0), Mark::Capture)
        .mark(Square::new(2, 2), Mark::Capture)
        .ray(at.clone(), -1, 0)
        .ray(at, 0, 1)
        .title("a rook between a friend and an enemy")
}

fn knight() -> DiagramBuilder {
    let steps = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
    Diagram::builder()
        .window("-3,-3,3,3".parse().expect("a window"))
        .mover(Square::new(0, 0), "knight")
        .marks(steps.map(|(dx, dy)| Square::new(dx, dy)), Mark::Target)
}

fn knightrider() -> DiagramBuilder {
    let at = Square::new(0, 0);
    let steps = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
    let mut diagram =
        Diagram::builder().window("-5,-5,5,5".parse().expect("a window")).piece(at.clone(), Glyph::Origin);
    for (dx, dy) in steps {
        diagram = diagram.marks((1..=2).map(|step| Square::new(dx * step, dy * step)), Mark::Target).ray(
            at.clone(),
            dx,
            dy,
        );
    }
    diagram
}

const WESTERN: &str = "w:r,w:n,w:b,w:q,w:+^k,w:b,w:n,w:+r,w:p,w:p,w:p,w:p,,w:p,w:p,w:p,,,,,,,,,,,,,w:p,,,,,,,,W:P,,,,,,,,w_0:ep,,,,W:P,W:P,W:P,W:P,,W:P,W:P,W:P,W:R,W:N,W:B,W:Q,W:+^K,W:B,W:N,W:+R";
const MAKRUK: &str = "m:r,m:n,m:b,m:q,m:^k,m:b,m:n,m:r,,,,,,,,,m:p,m:p,m:p,m:p,m:p,m:p,m:p,m:p,,,,,,,,,,,,,,,,,M:P,M:P,M:P,M:P,M:P,M:P,M:P,M:P,,,,,,,,,M:R,M:N,M:B,M:^K,M:Q,M:B,M:N,M:R";
const SHOGI: &str = "s:l,s:n,s:s,s:g,s:^k,s:g,s:s,s:n,s:l,,s:r,,,,,,S:+B,,s:p,s:p,s:p,s:p,s:p,s:p,,s:p,s:p,,,,,,,,,,,,,,,,,,,,,,,,,,,,S:P,S:P,,S:P,S:P,S:P,S:P,S:P,S:P,s:+p,S:+S,,,,,S:+N,S:R,S:+L,S:L,S:N,S:S,S:G,S:^K,S:G,S:S,s:+r,S:L";
const SHOGI_HAND: [&str; 5] = ["S:B", "S:P", "S:P", "s:p", "s:s"];
const XIANGQI: &str = "x:r,x:h,x:e,x:a,x:^g,x:a,x:e,x:h,x:r,,,,,,,,,,,x:c,,,,,,x:c,,x:s,,x:s,,x:s,,x:s,,x:s,,,,,,,,,,,,,,,,,,,X:S,,X:S,,X:S,,X:S,,X:S,,X:C,,,,,,X:C,,,,,,,,,,,X:R,X:H,X:E,X:A,X:^G,X:A,X:E,X:H,X:R";
const JANGGI: &str = "j:r,j:m,j:e,j:s,,j:s,j:e,j:m,j:r,,,,,j:^g,,,,,,j:p,,,,,,j:p,,j:j,,j:j,,j:j,,j:j,,j:j,,,,,,,,,,,,,,,,,,,J:J,,J:J,,J:J,,J:J,,J:J,,J:P,,,,,,J:P,,,,,,J:^G,,,,,J:R,J:M,J:E,J:S,,J:S,J:E,J:M,J:R";
const CUBE: &str = ",w:n,w:^k,,,,w:p,,,,w:q,,,,W:P,,,,,,W:P,W:R,,,W:^K,W:B,";
const TESSERACT: &str = "W:^K,,,w:p,,,W:N,,,,w:r,,,,,w:^k";
