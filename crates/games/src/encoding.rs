//! The encodings of texts that are not UTF-8.

use std::borrow::Cow;
use std::fmt;

use crate::Format;

/// How the text of a record was written in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Encoding {
    /// UTF-8, or ASCII.
    #[default]
    Utf8,
    /// Latin-1, as in old PGN.
    Latin1,
    /// `Shift_JIS`, as in KIF and CSA.
    ShiftJis,
    /// GBK, as in Chinese PGN.
    Gbk,
}

impl Encoding {
    /// The name as people write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 => "UTF-8",
            Encoding::Latin1 => "Latin-1",
            Encoding::ShiftJis => "Shift_JIS",
            Encoding::Gbk => "GBK",
        }
    }

    /// The text of a record of a format, and its encoding. What is UTF-8 is read as that; else PGN is
    /// Latin-1, or GBK if it is of Xiangqi, and KIF and CSA are `Shift_JIS`. `None` if the bytes are a text
    /// in none of these. Without the feature `encodings` nothing is GBK or `Shift_JIS`.
    ///
    /// ```
    /// # #[cfg(feature = "encodings")] {
    /// use boardprint_games::{Encoding, Format};
    /// let (text, encoding) = Encoding::decode(b"\x8e\xe8\x8d\x87\x8a\x84\x81\x46\x95\xbd\x8e\xe8", Format::Kif).expect("Japanese");
    /// assert_eq!((&*text, encoding), ("手合割：平手", Encoding::ShiftJis));
    /// # }
    /// ```
    #[must_use]
    pub fn decode(bytes: &[u8], format: Format) -> Option<(Cow<'_, str>, Encoding)> {
        if let Ok(text) = std::str::from_utf8(bytes) {
            return Some((Cow::Borrowed(text), Encoding::Utf8));
        }
        match format {
            Format::Pgn => Some(match is_chinese(bytes).then(|| gbk(bytes)).flatten() {
                Some(text) => (text, Encoding::Gbk),
                None => (bytes.iter().map(|b| char::from(*b)).collect(), Encoding::Latin1),
            }),
            Format::Kif | Format::Csa => Some((shift_jis(bytes)?, Encoding::ShiftJis)),
            _ => None,
        }
    }
}

#[cfg(feature = "encodings")]
fn gbk(bytes: &[u8]) -> Option<Cow<'_, str>> {
    encoding_rs::GBK.decode_without_bom_handling_and_without_replacement(bytes)
}

#[cfg(feature = "encodings")]
fn shift_jis(bytes: &[u8]) -> Option<Cow<'_, str>> {
    encoding_rs::SHIFT_JIS.decode_without_bom_handling_and_without_replacement(bytes)
}

#[cfg(not(feature = "encodings"))]
fn gbk(_: &[u8]) -> Option<Cow<'_, str>> {
    None
}

#[cfg(not(feature = "encodings"))]
fn shift_jis(_: &[u8]) -> Option<Cow<'_, str>> {
    None
}

/// Whether the tags of a PGN say that it is of Xiangqi.
fn is_chinese(bytes: &[u8]) -> bool {
    let has = |sign: &[u8]| memchr::memmem::find(bytes, sign).is_some();
    has(b"\"Chinese Chess\"") || has(b"[Red \"") || has(b"\"Xiangqi\"") || has(b"\"xiangqi\"")
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
