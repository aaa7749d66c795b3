//! Every diagram looks as it did: `corpus/render/` holds the pictures. `BOARDPRINT_BLESS=1` writes them
//! again; look at them before you commit them.

mod diagrams;

use std::path::PathBuf;
use std::{env, fs};

use boardprint_render::{SvgOptions, TextOptions, svg, text};

/// Compares a text with a file of the repository, or writes the file.
fn check(path: &str, actual: impl AsRef<[u8]>) {
    let actual = actual.as_ref();
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    if env::var_os("BOARDPRINT_BLESS").is_some() {
        fs::write(&path, actual).expect("the repository can be written to");
        return;
    }
    let expected = fs::read(&path).unwrap_or_default();
    assert!(expected == actual, "{} differs; BOARDPRINT_BLESS=1 writes it again", path.display());
}

#[test]
fn every_diagram_looks_as_it_did() {
    for (name, diagram) in diagrams::all() {
        let diagram = diagram.build().unwrap();
        check(&format!("corpus/render/{name}.svg"), svg::write(&diagram, &SvgOptions::default()));
        check(&format!("corpus/render/{name}.txt"), text::write(&diagram, TextOptions::default()));
        let ascii = text::write(&diagram, TextOptions::default().ascii());
        assert!(ascii.is_ascii(), "{name}");
        check(&format!("corpus/render/{name}.ascii.txt"), &ascii);
    }
}

#[test]
fn colour_adds_codes_only() {
    for (name, diagram) in diagrams::all() {
        let diagram = diagram.build().unwrap();
        let options = TextOptions::default().ascii();
        let (plain, coloured) = (text::write(&diagram, options), text::write(&diagram, options.colour(true)));
        let mut stripped = String::new();
        for (index, part) in coloured.split("\x1b[").enumerate() {
            stripped.push_str(if index == 0 { part } else { part.split_once('m').unwrap().1 });
        }
        let lines = |text: &str| text.lines().map(str::trim_end).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(lines(&stripped), lines(&plain), "{name}");
    }
}

#[test]
fn the_sheet_of_pieces_is_up_to_date() {
    check("docs/pieces.svg", svg::piece_sheet(&SvgOptions::default()));
}

/// The bytes are compared, so that a machine that draws otherwise is noticed.
#[cfg(feature = "png")]
#[test]
fn png_files_are_the_same_everywhere() {
    use boardprint_render::{PngOptions, Theme, png};
    let themes = [
        ("far-king", Theme::Light),
        ("shogi", Theme::Dark),
        ("xiangqi", Theme::Light),
        ("janggi", Theme::Plain),
        ("arrows", Theme::Print),
        ("cube", Theme::Light),
    ];
    for (name, theme) in themes {
        let (_, diagram) = diagrams::all().into_iter().find(|(all, _)| *all == name).expect("a diagram");
        let options = PngOptions::default().theme(theme).square(45);
        let file = png::write(&diagram.build().unwrap(), &options).unwrap();
        check(&format!("corpus/render/{name}.png"), &file);
    }
}

#[test]
fn narrow_terminals_get_narrow_boards() {
    for (name, diagram) in diagrams::all() {
        let diagram = diagram.build().unwrap();
        let narrow = text::write(&diagram, TextOptions::default().ascii().width(40));
        for line in narrow.lines() {
            assert!(line.len() <= 40, "{name}: {line}");
        }
        check(&format!("corpus/render/{name}.narrow.txt"), &narrow);
    }
}
