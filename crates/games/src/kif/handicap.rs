//! The handicaps of `手合割`.

use boardprint_finite::Fen;

/// Names, the one that is written first, and the two ranks at the top.
const HANDICAPS: [(&[&str], &str); 16] = [
    (&["平手"], "lnsgkgsnl/1r5b1"),
    (&["香落ち", "左香落ち"], "lnsgkgsn1/1r5b1"),
    (&["右香落ち"], "1nsgkgsnl/1r5b1"),
    (&["角落ち"], "lnsgkgsnl/1r7"),
    (&["飛車落ち", "飛落ち"], "lnsgkgsnl/7b1"),
    (&["飛香落ち"], "lnsgkgsn1/7b1"),
    (&["二枚落ち"], "lnsgkgsnl/9"),
    (&["三枚落ち"], "lnsgkgsn1/9"),
    (&["四枚落ち"], "1nsgkgsn1/9"),
    (&["五枚落ち"], "2sgkgsn1/9"),
    (&["左五枚落ち"], "1nsgkgs2/9"),
    (&["六枚落ち"], "2sgkgs2/9"),
    (&["左七枚落ち"], "2sgkg3/9"),
    (&["右七枚落ち", "七枚落ち"], "3gkgs2/9"),
    (&["八枚落ち"], "3gkg3/9"),
    (&["十枚落ち"], "4k4/9"),
];

/// The start of a handicap, and whether it is an even game.
pub(super) fn of_name(name: &str) -> Option<(Fen, bool)> {
    let bare = |name: &str| name.trim_end_matches('ち').to_owned();
    let (names, top) = HANDICAPS.iter().find(|(names, _)| names.iter().any(|own| bare(own) == bare(name)))?;
    let even = names.contains(&"平手");
    Some((start(top, even)?, even))
}

fn start(top: &str, even: bool) -> Option<Fen> {
    let turn = if even { 'b' } else { 'w' };
    Fen::read_sfen(&format!("{top}/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL {turn} - 1")).ok()
}

/// The name of a start, if it is that of a handicap or of an even game.
pub(super) fn name_of(fen: &Fen) -> Option<&'static str> {
    HANDICAPS.iter().find_map(|(names, top)| {
        let own = start(top, names.contains(&"平手"))?;
        let same = own.cells() == fen.cells()
            && own.side() == fen.side()
            && boardprint_base::Side::ALL.iter().all(|side| own.hand(*side) == fen.hand(*side));
        same.then(|| names[0])
    })
}
