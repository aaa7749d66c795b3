//! The shapes of the pieces, drawn for boardprint on a grid of 45 by 45.
//!
//! A shape is an SVG fragment that inherits `fill` and `stroke` from its player; details use `currentColor`,
//! which the player sets to the opposite of its fill. A piece that also moves as a knight is a horse with the
//! hat of the other part.

use boardprint_base::PieceKind;

use crate::glyph::Makruk;

/// The foot that most pieces stand on.
macro_rules! foot {
    () => {
        r#"<path d="M10.5 40v-3.3q0-1.7 1.7-1.7h20.6q1.7 0 1.7 1.7V40z"/>"#
    };
}

/// The foot of a crown, with the collar that joins them.
macro_rules! crown_foot {
    () => {
        concat!(r#"<path d="M13 32.5h19l1 2.5h-21z"/>"#, foot!())
    };
}

/// A horse's head, without foot.
macro_rules! horse {
    () => {
        concat!(
            r#"<path d="M14 35C13.5 29 20.5 26.5 21.2 20.5 18.5 22.7 16.2 22.6 14.7 24.7 13.5 26.5 11.2 26.8 9.9 25.4 8.7 24.1 8.9 22.4 9.8 21 11.5 18.2 12 15.2 13.8 12.6 14.8 11.1 16.2 10.1 17.6 9.5L17.2 5.2 21.8 8.4C30.2 9.2 35.2 16.5 34.6 27 34.4 30 33.8 32.6 33 35z"/>"#,
            r#"<circle cx="16.9" cy="15" r="1.5" fill="currentColor" stroke="none"/>"#,
            r#"<path d="M23.5 11.8c5 3 7.3 8.4 6.7 16.7" fill="none" stroke="currentColor"/>"#
        )
    };
}

/// A smaller horse's head on a foot, with room for a hat above.
macro_rules! hatless {
    () => {
        concat!(
            r#"<g transform="translate(2.7 8.4) scale(.88 .76)" stroke-width="1.8">"#,
            horse!(),
            "</g>",
            foot!()
        )
    };
}

/// The shield of a kind that a user defines; its code is written on it.
pub(super) const SHIELD: &str = r#"<path d="M22.5 4.5q6.5 4.5 14.5 4.5v11.5c0 9-5.5 15.5-14.5 19.5-9-4-14.5-10.5-14.5-19.5V9q8 0 14.5-4.5z"/>"#;

/// Where a movement starts.
pub(super) const ORIGIN: &str = r##"<path d="M22.5 4.5l5 12.5 13.5.8-10.4 8.6L34 39.5l-11.5-7.3L11 39.5l3.4-13.1L4 17.8l13.5-.8z" fill="#e3c44f" stroke="#4d3b00"/>"##;

/// A piece of the mover, whatever it is.
pub(super) const FRIEND: &str =
    r##"<rect x="10" y="10" width="25" height="25" rx="5" fill="#fdfcf8" stroke="#1f1f1f"/>"##;

/// A piece of the opponent, whatever it is.
pub(super) const ENEMY: &str =
    r##"<rect x="10" y="10" width="25" height="25" rx="5" fill="#2e2e33" stroke="#0d0d0f"/>"##;

/// The SVG fragment of a built-in kind; `None` for a kind that a user defines.
#[expect(clippy::too_many_lines, reason = "a table: one entry a kind")]
pub(super) fn of_kind(kind: PieceKind) -> Option<&'static str> {
    Some(match kind {
        PieceKind::King => concat!(
            r#"<path d="M22.5 16V4M18 7.7h9" fill="none" stroke-width="2.6"/>"#,
            r#"<path d="M13 32.5C6.3 25 7.5 15.3 15.2 15.3c3.6 0 6 2 7.3 5.2 1.3-3.2 3.7-5.2 7.3-5.2 7.7 0 8.9 9.7 2.2 17.2z"/>"#,
            r#"<path d="M22.5 21v8M14.5 29.7q8-2.6 16 0" fill="none" stroke="currentColor"/>"#,
            crown_foot!()
        ),
        PieceKind::Queen => concat!(
            r#"<path d="M12.8 32.5L6.5 14.5l8.6 8 1.7-13.3 5.7 12 5.7-12 1.7 13.3 8.6-8-6.3 18z"/>"#,
            r#"<circle cx="6.5" cy="12.5" r="2.4"/><circle cx="16.5" cy="7.5" r="2.4"/><circle cx="28.5" cy="7.5" r="2.4"/><circle cx="38.5" cy="12.5" r="2.4"/>"#,
            r#"<path d="M14.3 29.7q8.2-2.6 16.4 0" fill="none" stroke="currentColor"/>"#,
            crown_foot!()
        ),
        PieceKind::Rook => concat!(
            r#"<path d="M11 7h5.6v3.8h3.3V7h5.2v3.8h3.3V7H34v8.5L30.3 19v12.5l2.2 3.5h-20l2.2-3.5V19L11 15.5z"/>"#,
            r#"<path d="M14.7 19h15.6M14.7 31.5h15.6" fill="none" stroke="currentColor"/>"#,
            foot!()
        ),
        PieceKind::Bishop => concat!(
            r#"<path d="M22.5 8.2c6 4.2 9.7 8.7 9.7 13.8 0 3.5-1.7 6-4.2 7.7h-11c-2.5-1.7-4.2-4.2-4.2-7.7 0-5.1 3.7-9.6 9.7-13.8z"/>"#,
            r#"<circle cx="22.5" cy="6.2" r="2.5"/>"#,
            r#"<path d="M26 13.5l-5.5 8.5" fill="none" stroke="currentColor" stroke-width="2"/>"#,
            r#"<path d="M15 29.7h15l1.5 5.3h-18z"/>"#,
            foot!()
        ),
        PieceKind::Knight => concat!(horse!(), foot!()),
        PieceKind::Pawn => concat!(
            r#"<path d="M18.5 20.5h8c.3 6 2.7 10 5 14.5h-18c2.3-4.5 4.7-8.5 5-14.5z"/>"#,
            r#"<circle cx="22.5" cy="14" r="5.8"/>"#,
            r#"<path d="M15.8 21.8q0-2 2-2h9.4q2 0 2 2z"/>"#,
            foot!()
        ),
        PieceKind::Amazon => concat!(
            hatless!(),
            r#"<path d="M16 17L11.5 6.5l6.3 3.7 4.2-6.7 4.2 6.7 6.3-3.7L28 17z"/>"#,
            r#"<circle cx="11.5" cy="5.5" r="1.7"/><circle cx="22" cy="3.2" r="1.7"/><circle cx="32.5" cy="5.5" r="1.7"/>"#
        ),
        PieceKind::Chancellor => concat!(
            hatless!(),
            r#"<path d="M13 3h4.2v2.9h2.7V3h4.2v2.9h2.7V3H31v6.6l-2.7 2.2V17H15.7v-5.2L13 9.6z"/>"#,
            r#"<path d="M15.7 12h12.6" fill="none" stroke="currentColor"/>"#
        ),
        PieceKind::Archbishop => concat!(
            hatless!(),
            r#"<path d="M22 3.5c5.5 3.6 7.6 8 6.3 13.5H15.7c-1.3-5.5.8-9.9 6.3-13.5z"/>"#,
            r#"<circle cx="22" cy="2.8" r="1.7"/>"#,
            r#"<path d="M24.3 7.5l-3.8 6" fill="none" stroke="currentColor" stroke-width="1.8"/>"#
        ),
        PieceKind::Centaur => concat!(
            hatless!(),
            r#"<path d="M14.5 17c-.3-8 2.5-12 7.5-12s7.8 4 7.5 12z"/>"#,
            r#"<path d="M14.8 13.2h14.4M22 5.5v7.5" fill="none" stroke="currentColor"/>"#
        ),
        PieceKind::RoyalCentaur => concat!(
            hatless!(),
            r#"<path d="M22 9V1.7M19 4.2h6" fill="none" stroke-width="2.2"/>"#,
            r#"<path d="M16 17c-4.8-4.3-3.8-9.2 1-9.2 2.4 0 4 1.2 5 3.3 1-2.1 2.6-3.3 5-3.3 4.8 0 5.8 4.9 1 9.2z"/>"#
        ),
        PieceKind::RoyalQueen => concat!(
            r#"<path d="M22.5 15V3.5M18.7 6.7h7.6" fill="none" stroke-width="2.4"/>"#,
            r#"<path d="M12.8 32.5L5.5 16l8.7 6.5L14 11l8.5 8.5L31 11l-.2 11.5 8.7-6.5-7.3 16.5z"/>"#,
            r#"<circle cx="5.5" cy="14.5" r="2.1"/><circle cx="13.8" cy="9.5" r="2.1"/><circle cx="31.2" cy="9.5" r="2.1"/><circle cx="39.5" cy="14.5" r="2.1"/>"#,
            r#"<path d="M22.5 22.3l3.2 3.5-3.2 3.5-3.2-3.5z" fill="currentColor" stroke="none"/>"#,
            crown_foot!()
        ),
        PieceKind::Guard => concat!(
            r#"<path d="M22.5 9.5C23 4 28.5 3 33 6.5 29 6.5 26.5 8 25 11z"/>"#,
            r#"<path d="M12.5 35V20.5c0-7 4-11.5 10-11.5s10 4.5 10 11.5V35z"/>"#,
            r#"<path d="M15 19.5h15v3.2h-5.7l-1.8 1.6-1.8-1.6H15z" fill="currentColor" stroke="none"/>"#,
            r#"<path d="M22.5 26.5V32M18 27.5v4M27 27.5v4" fill="none" stroke="currentColor"/>"#,
            foot!()
        ),
        PieceKind::Hawk => concat!(
            r#"<path d="M19.2 15.5C13 15 7.5 11.5 4 6 3 16 7 25.5 17 30.5L14.5 40l8-3 8 3L28 30.5C38 25.5 42 16 41 6 37.5 11.5 32 15 25.8 15.5 26.8 13.5 26.7 10.8 25 9 22.8 6.7 19.2 7 17.7 9.7L14 13.7l4.5-.4C18.6 14.1 18.8 14.9 19.2 15.5z"/>"#,
            r#"<circle cx="21" cy="11.2" r="1.3" fill="currentColor" stroke="none"/>"#,
            r#"<path d="M8.5 15.5c2.5 4 5.5 6 9.5 7M36.5 15.5c-2.5 4-5.5 6-9.5 7M12 24c2 1.6 4 2.4 6.5 2.8M33 24c-2 1.6-4 2.4-6.5 2.8M22.5 20v6M20 33.5h5" fill="none" stroke="currentColor"/>"#
        ),
        PieceKind::Camel => concat!(
            r#"<path d="M3.5 12.7C3.5 10 5.6 8.3 8.4 8L9.6 5.3 11.7 8.3C13.5 9.2 14.2 11 13.9 13.2L13.1 20C12.9 22 13.7 22.8 14.7 22.4 16 21.9 16.5 20 17.1 17.8 18 14.6 19.3 12.6 21.2 12.6 23.2 12.6 24.3 14.7 25 17.4 25.4 19 26 19.6 26.7 19.6 27.4 19.6 28 19 28.4 17.4 29.1 14.7 30.3 12.6 32.2 12.6 34.4 12.6 35.6 15.2 36.6 18.8 37.5 22 40.2 23.3 40.5 28L40.7 33.5 38.3 29.5 37.8 40H33.2L32.4 30.8C27.8 31.9 22.5 31.9 19.2 31.2L18.4 40H13.8L12.8 29.6C9.3 27 7.9 23.5 8.5 18.3L8.6 15.6C5.9 16.3 3.5 15.3 3.5 12.7z"/>"#,
            r#"<circle cx="8.8" cy="11.3" r="1.3" fill="currentColor" stroke="none"/>"#,
            r#"<path d="M18.5 21.5q2.5 2.5 5 0M29.5 21.5q2.5 2.5 5 0" fill="none" stroke="currentColor"/>"#
        ),
        PieceKind::Giraffe => concat!(
            r#"<path d="M19.5 8.5L18.5 3.5M23.3 8L24 3.3" fill="none" stroke-width="2.2"/>"#,
            r#"<path d="M14.5 35C18.5 28 19.8 21.5 19.3 15.8 16 17 12.8 17.9 10.6 17.4 8.4 16.9 8 14.3 9.7 12.9 12.5 10.6 15.5 8.5 19 7.7L24 7.4 30 6.7 26.5 11.3C27.3 19.5 29.3 28.5 32 35z"/>"#,
            r#"<circle cx="17.5" cy="11.3" r="1.3" fill="currentColor" stroke="none"/>"#,
            r#"<path d="M22 14.5l3 .5-.3 3.5-3-.7zM21.3 21l2.8.7-.6 3.3-3-.6zM25.5 22.5l1.8 3-1.5 2.2-1.7-2.4zM19.7 28l3.3.8-.6 3.4-4.2-.5zM25.2 29.8l2.8-.2 1.2 2.9h-4z" fill="currentColor" stroke="none"/>"#,
            foot!()
        ),
        PieceKind::Zebra => concat!(
            r#"<path d="M14 35C13.5 29 20.5 26.5 21.2 20.5 18.5 22.7 16.2 22.6 14.7 24.7 13.5 26.5 11.2 26.8 9.9 25.4 8.7 24.1 8.9 22.4 9.8 21 11.5 18.2 12 15.2 13.8 12.6 14.8 11.1 16.2 10.1 17.6 9.5L17.2 5.2 21 8 24.8 5.2 26.2 9 30.5 8.2 30.7 12.3 34.8 13 33.8 17 37.5 19 35.5 22.3 38 25.5 35 27.5 35.8 31 33 35z"/>"#,
            r#"<circle cx="16.9" cy="15" r="1.5" fill="currentColor" stroke="none"/>"#,
            r#"<path d="M28 11.5l-4.5 4.5M32 16l-7 4M33.5 21.5l-8.5 3.5M33.5 27.5l-11.5 2.5M13.3 17.5l3.7 3" fill="none" stroke="currentColor" stroke-width="2.3"/>"#,
            foot!()
        ),
        PieceKind::Knightrider => concat!(
            r#"<g transform="translate(-4.5 0)">"#,
            horse!(),
            "</g>",
            foot!(),
            r#"<path d="M22.5 33.5C33 34.5 37.5 31.5 39 28L34 28.5C38.5 26.5 41 23 41.8 19.2L36 21C39.8 18 42.3 13.5 42.5 7.5 32.5 9.5 24 18 22.5 33.5z"/>"#,
            r#"<path d="M26.5 29C29 22.5 32.5 17.8 37 14.5M28.5 29.5C31 27 33 25.5 35.5 24.3" fill="none" stroke="currentColor"/>"#
        ),
        PieceKind::Huygen => concat!(
            r#"<path d="M20 28h5l1.5 7h-8z"/>"#,
            r#"<g transform="rotate(-18 22.5 18.5)"><path d="M2.5 18.5a20 6.5 0 0 1 40 0h-5.5a14.5 3.6 0 0 0-29 0z"/>"#,
            r#"<circle cx="22.5" cy="18.5" r="11.2"/>"#,
            r#"<path d="M13.5 12.6q9 3 18 0M15.7 26.5q6.8 2.3 13.6 0" fill="none" stroke="currentColor"/>"#,
            r#"<path d="M2.5 18.5a20 6.5 0 0 0 40 0h-5.5a14.5 3.6 0 0 1-29 0z"/></g>"#,
            foot!()
        ),
        PieceKind::Rose => concat!(
            r#"<path d="M22.5 26v10" fill="none" stroke-width="3"/>"#,
            r#"<path d="M22.5 34.5C16 35 11.5 32.5 9 27.5c6.5-.5 11.5 2 13.5 7zM22.5 34.5C29 35 33.5 32.5 36 27.5c-6.5-.5-11.5 2-13.5 7z"/>"#,
            r#"<circle cx="22.5" cy="9.5" r="6"/><circle cx="29.3" cy="14.3" r="6"/><circle cx="26.7" cy="22.2" r="6"/><circle cx="18.3" cy="22.2" r="6"/><circle cx="15.7" cy="14.3" r="6"/>"#,
            r#"<circle cx="22.5" cy="16.5" r="5.6"/>"#,
            r#"<path d="M22.5 16.5a1.4 1.4 0 0 1 1.5 1.5 2.7 2.7 0 0 1-4.3.4 3.2 3.2 0 0 1 2.8-4.9 3.6 3.6 0 0 1 3.4 2.2" fill="none" stroke="currentColor"/>"#,
            foot!()
        ),
        PieceKind::Obstacle => concat!(
            r#"<rect x="6" y="7" width="33" height="31" rx="2.5"/>"#,
            r#"<path d="M6 17.3h33M6 27.7h33M22.5 7v10.3M14.5 17.3v10.4M30.5 17.3v10.4M22.5 27.7V38" fill="none" stroke="currentColor"/>"#
        ),
        PieceKind::Void => concat!(
            r##"<path d="M0 0h45v45H0z" fill="#3b3d42" stroke="none"/>"##,
            r##"<path d="M1 14L14 1M1 29L29 1M1 44L44 1M16 44L44 16M31 44L44 31" fill="none" stroke="#54575e" stroke-linecap="butt"/>"##
        ),
        _ => return None,
    })
}

/// The SVG fragment of a Makruk piece.
pub(super) fn of_makruk(kind: Makruk) -> &'static str {
    match kind {
        Makruk::Khun => concat!(
            r#"<path d="M22.5 3.5l2.3 8.7c4 1.3 6 4.3 5.7 8.3l2.8 2.5-1.5 12H13.2l-1.5-12 2.8-2.5c-.3-4 1.7-7 5.7-8.3z"/>"#,
            r#"<path d="M20 12.2h5M14.5 20.5h16M12 23.5h21M13 31h19" fill="none" stroke="currentColor"/>"#,
            foot!()
        ),
        Makruk::Met => concat!(
            r#"<path d="M22.5 13.5l1.8 6c3.5 1.5 5.5 4.5 5.5 8l1.7 7.5h-18l1.7-7.5c0-3.5 2-6.5 5.5-8z"/>"#,
            r#"<path d="M20.5 19.5h4M15.2 27.5h14.6" fill="none" stroke="currentColor"/>"#,
            foot!()
        ),
        Makruk::Khon => concat!(
            r#"<path d="M20 15.5h5l1 3.5c4.5 2 7 5.5 7 10.5v5.5H12v-5.5c0-5 2.5-8.5 7-10.5z"/>"#,
            r#"<circle cx="22.5" cy="11.7" r="3.8"/>"#,
            r#"<path d="M19 19h7M12.5 29h20" fill="none" stroke="currentColor"/>"#,
            foot!()
        ),
        Makruk::Ma => concat!(horse!(), foot!()),
        Makruk::Ruea => concat!(
            r#"<path d="M9 17q0-2 2-2h23q2 0 2 2v4h-3l2 14H10l2-14H9z"/>"#,
            r#"<path d="M12 21h21M11 28h23" fill="none" stroke="currentColor"/>"#,
            foot!()
        ),
        Makruk::Bia => concat!(
            r#"<path d="M12 35c0-8 4.5-13 10.5-13S33 27 33 35z"/>"#,
            r#"<path d="M22.5 26v6" fill="none" stroke="currentColor" stroke-width="2"/>"#,
            foot!()
        ),
    }
}
