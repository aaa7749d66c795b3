//! Every diagram looks as it did: `corpus/render/` holds the pictures. `BOARDPRINT_BLESS=1` writes them again; look at
//! them before you commit them.

mod diagrams;

use std::path::PathBuf;
use std::{env, fs};

use boardprint_render::{SvgOptions, TextOptions, svg, text};

/// Compares a text with a file of the repository, or writes the file.
fn check(path: &str, actual: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    if env::var_os("BOARDPRINT_BLESS").is_some() {
        fs::write(&path, actual).expect("the repository can be written to");
        return;
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert!(expected == actual, "{} differs; BOARDPRINT_BLESS=1 writes it again", path.display());
}

#[test]
fn every_scene_looks_as_it_did() {
    for (name, diagram) in diagrams::all() {
        let diagram = diagram.build().unwrap();
        check(&format!("corpus/render/{name}.svg"), &svg::write(&diagram, &SvgOptions::default()));
        check(&format!("corpus/render/{name}.txt"), &text::write(&diagram, TextOptions::default()));
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
    check("docs/pieces.svg", &svg::piece_sheet(&SvgOptions::default()));
}
