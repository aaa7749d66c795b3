use super::*;
use crate::{Diagram, finite};

/// A decoder of our own files, so that tests see pixels.
fn pixels(file: &[u8]) -> (usize, usize, Vec<[u8; 4]>) {
    let number =
        |at: usize| usize::try_from(u32::from_be_bytes(file[at..at + 4].try_into().unwrap())).unwrap();
    let (width, height, length) = (number(16), number(20), number(33));
    assert_eq!(&file[37..41], b"IDAT");
    let rows = miniz_oxide::inflate::decompress_to_vec_zlib(&file[41..41 + length]).unwrap();
    let mut all: Vec<u8> = Vec::new();
    for (y, row) in rows.chunks(width * 4 + 1).enumerate() {
        for (x, byte) in row[1..].iter().enumerate() {
            let left = if x < 4 { 0 } else { all[y * width * 4 + x - 4] };
            let above = if y == 0 { 0 } else { all[(y - 1) * width * 4 + x] };
            let corner = if y == 0 || x < 4 { 0 } else { all[(y - 1) * width * 4 + x - 4] };
            let (p, a) = (i32::from(left) + i32::from(above) - i32::from(corner), [left, above, corner]);
            let nearest = *a.iter().min_by_key(|value| (p - i32::from(**value)).abs()).unwrap();
            let guess = [0, left, above, 0, nearest][usize::from(row[0])];
            all.push(byte.wrapping_add(guess));
        }
    }
    assert_eq!(all.len(), width * height * 4);
    (width, height, all.as_chunks().0.to_vec())
}

#[test]
fn squares_have_the_colours_of_their_theme() {
    let board = finite::board(&[2, 2], ["", "W:P", "", ""], [], true).unwrap();
    let diagram = board.coordinates(false).legend(false).build().unwrap();
    for (theme, light, dark) in [
        (Theme::Light, [0xec, 0xe5, 0xd8, 255], [0xb9, 0xad, 0x99, 255]),
        (Theme::Plain, [255; 4], [0xcf, 0xcf, 0xcf, 255]),
    ] {
        let file = write(&diagram, &PngOptions::default().theme(theme).square(45)).unwrap();
        let (width, height, all) = pixels(&file);
        assert_eq!((width, height), (110, 110));
        assert_eq!(all[20 * width + 20], light);
        assert_eq!(all[90 * width + 20], dark);
        assert_eq!(all[0][3], 0, "the corner is round or there is no frame");
        assert_eq!(all[24 * width + 77], [0xfd, 0xfc, 0xf8, 255], "the pawn is white");
    }
}

#[test]
fn limits_hold_before_anything_is_drawn() {
    let diagram = Diagram::builder().build().unwrap();
    let error = write(&diagram, &PngOptions::default().width(5000).max_pixels(1000)).unwrap_err();
    let PngError::TooLarge { width, limit, .. } = error;
    assert_eq!((width, limit), (5000, 1000));
    assert!(error.hint().is_some() && error.to_string().contains("5000 by"));
}

#[test]
fn every_shape_is_understood_whole() {
    let sheet = svg::piece_sheet(&SvgOptions::default());
    let board = |cells: &'static str| {
        let cells: Vec<&str> = cells.split(',').collect();
        svg::write(
            &finite::board(&[cells.len()], cells, [], true).unwrap().build().unwrap(),
            &SvgOptions::default(),
        )
    };
    let makruk = board("M:K,M:Q,M:B,M:N,M:R,M:P,s:k,X:G,J:G,J:S,FOO:BAR");
    let mut paths = 0;
    for (event, _) in element::events(&(sheet + &makruk)) {
        if let element::Event::Open { name: "path", attributes, .. } = event {
            let data = attributes.get("d").unwrap();
            assert!(path::lines(data, 1.0).1, "{data}");
            paths += 1;
        }
    }
    assert!(paths > 100);
}

#[test]
fn the_same_diagram_gives_the_same_bytes() {
    let file = || {
        let board = finite::board(&[1, 4], ["W:K", "s:+r", "FOO:BAR", "m:k"], ["s:p", "s:p"], true).unwrap();
        write(&board.build().unwrap(), &PngOptions::default()).unwrap()
    };
    assert_eq!(file(), file());
}
