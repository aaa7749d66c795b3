//! The format of a text, told from its beginning.

use std::path::Path;

use crate::Format;

impl Format {
    /// The format of a text that begins with these bytes, or `None` if it looks like none.
    ///
    /// ```
    /// use boardprint_games::Format;
    /// assert_eq!(Format::detect(b"K5,1+|k5,8+"), Some(Format::Icn));
    /// assert_eq!(Format::detect(b"[Event \"x\"]\n\n1. e4 e5 *"), Some(Format::Pgn));
    /// assert_eq!(Format::detect(b"4k3/8/8/8/8/8/8/4K3 w - - 0 1"), Some(Format::Fen));
    /// assert_eq!(Format::detect(b"Dear reader"), None);
    /// ```
    #[must_use]
    pub fn detect(head: &[u8]) -> Option<Format> {
        let head = skip_comment_lines(head.strip_prefix("\u{feff}".as_bytes()).unwrap_or(head));
        match head {
            [] => None,
            // `{"` begins JSON or the extra rules of an ICN, any other brace a comment of ICN or PGN.
            [b'{', rest @ ..] if matches!(rest.trim_ascii_start(), [] | [b'"' | b'}', ..]) => {
                Some(object_or_rules(head))
            }
            [b'{', ..] => Some(icn_or_pgn(head).unwrap_or(Format::Icn)),
            [b'[', rest @ ..] if matches!(rest.trim_ascii_start(), [] | [b'{' | b']' | b',', ..]) => {
                Some(Format::Json)
            }
            [b'B' | b't', b'-', b'-', ..] => Some(Format::Cpn),
            _ => fen(head).or_else(|| icn_or_pgn(head)),
        }
    }

    /// The format that the ending of a file name promises, compression aside.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Format> {
        let mut path = Path::new(name);
        let ending = |path: &Path| path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
        if matches!(ending(path).as_deref(), Some("gz" | "zst" | "bz2")) {
            path = Path::new(path.file_stem()?);
        }
        match ending(path)?.as_str() {
            "jsonl" | "ndjson" => Some(Format::Json),
            "epd" => Some(Format::Fen),
            other => other.parse().ok(),
        }
    }
}

/// The text behind blank lines and lines that begin with `#`, `%` or `;`.
fn skip_comment_lines(text: &[u8]) -> &[u8] {
    let mut rest = text.trim_ascii_start();
    while let [b'#' | b'%' | b';', ..] = rest {
        let line = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        rest = rest[line..].trim_ascii_start();
    }
    rest
}

/// An object is JSON unless something other than an object follows it: then it was the extra rules of an ICN.
fn object_or_rules(text: &[u8]) -> Format {
    let (mut depth, mut at) = (0_usize, 0);
    while at < text.len() {
        match text[at] {
            b'"' => {
                at += 1;
                while at < text.len() && text[at] != b'"' {
                    at += if text[at] == b'\\' { 2 } else { 1 };
                }
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return match text[at + 1..].trim_ascii_start() {
                        [] | [b'{' | b',', ..] => Format::Json,
                        _ => Format::Icn,
                    };
                }
            }
            _ => {}
        }
        at += 1;
    }
    Format::Json
}

/// A FEN or SFEN: ranks with slashes, then the side to move.
fn fen(text: &[u8]) -> Option<Format> {
    let line = text.split(|b| *b == b'\n').next().unwrap_or_default();
    let mut fields = line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty()).peekable();
    if fields.peek() == Some(&b"sfen".as_slice()) {
        return Some(Format::Sfen);
    }
    let board = fields.next()?;
    let ranks = memchr::memchr_iter(b'/', board).count() + 1;
    let is_board = board.iter().all(|b| b.is_ascii_alphanumeric() || b"/+~*-[]".contains(b));
    if ranks < 4 || !is_board || !board[0].is_ascii_alphanumeric() && !b"+*".contains(&board[0]) {
        return None;
    }
    let side = fields.next();
    if !matches!(side, None | Some(b"w" | b"b" | b"r")) {
        return None;
    }
    // A FEN has castling and en passant behind the side, an SFEN the hands and perhaps the move number.
    let third = fields.next();
    let fourth = fields.next();
    let numbered = fourth.is_none_or(|field| field.iter().all(u8::is_ascii_digit));
    let sfen = ranks == 9 && third.is_some() && numbered && fields.next().is_none() && !board.contains(&b'[');
    Some(if sfen { Format::Sfen } else { Format::Fen })
}

/// ICN and PGN both have tags; their moves differ.
fn icn_or_pgn(text: &[u8]) -> Option<Format> {
    let mut rest = text;
    let mut tagged = None;
    let mut words = 0;
    while let Some(first) = rest.first() {
        match first {
            b'[' => {
                let line = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                let close = match memchr::memmem::find(&rest[..line], b"\"]") {
                    Some(quote) => quote + 2,
                    None => memchr::memchr(b']', &rest[..line])? + 1,
                };
                let tag = rest[1..close].trim_ascii_start();
                let name = tag.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
                match tag[name..].trim_ascii_start() {
                    [b':', ..] if name > 0 => return Some(Format::Icn),
                    [b'"', ..] if name > 0 => {}
                    // A tag of ICN without quotes, or `[section]` of some other language: what follows decides.
                    _ => {
                        rest = &rest[close..];
                        continue;
                    }
                }
                // ICN knows no FEN; a start without moves that names its variant is ICN.
                match &tag[..name] {
                    b"FEN" | b"ECO" => return Some(Format::Pgn),
                    b"Variant" => tagged = Some(Format::Icn),
                    _ => drop(tagged.get_or_insert(Format::Pgn)),
                }
                rest = &rest[close..];
            }
            b'{' => {
                let close = memchr::memchr(b'}', rest)?;
                if matches!(rest[1..].trim_ascii_start(), [b'"', ..]) {
                    return Some(Format::Icn);
                }
                rest = &rest[close + 1..];
            }
            b'(' => return Some(Format::Icn),
            b if b.is_ascii_whitespace() => rest = rest.trim_ascii_start(),
            _ => {
                let length = rest
                    .iter()
                    .take_while(|b| !b.is_ascii_whitespace() && !b"[{(|".contains(b))
                    .count()
                    .max(1);
                match word(&rest[..length]) {
                    Look::Of(format) => return Some(format),
                    Look::Either => {}
                    Look::Neither => return tagged,
                }
                words += 1;
                rest = &rest[length..];
                if words > 64 {
                    break;
                }
            }
        }
    }
    tagged
}

enum Look {
    Of(Format),
    Either,
    Neither,
}

fn word(word: &[u8]) -> Look {
    // `12.` and `12...` may be glued to a move.
    let digits = word.iter().take_while(|b| b.is_ascii_digit()).count();
    let behind = &word[digits..];
    let dots = behind.iter().take_while(|b| **b == b'.').count();
    let glued = if digits > 0 && dots > 0 { &behind[dots..] } else { word };
    match glued {
        [] | b"1-0" | b"0-1" | b"1/2-1/2" | b"*" | b"..." | b"-" => return Look::Either,
        b"w" | b"b" | b"w:b" | b"b:w" | b"checkmate" | b"royalcapture" | b"koth" => {
            return Look::Of(Format::Icn);
        }
        b"--" | b"Z0" => return Look::Of(Format::Pgn),
        _ => {}
    }
    if has_square_of_numbers(glued) {
        return Look::Of(Format::Icn);
    }
    if glued.starts_with(b"O-O") || glued.starts_with(b"0-0") {
        return Look::Of(Format::Pgn);
    }
    let san = glued.strip_prefix(&[glued[0]]).filter(|_| b"KQRBNP".contains(&glued[0])).unwrap_or(glued);
    let is_san = san.windows(2).any(|pair| matches!(pair, [b'a'..=b'h', b'1'..=b'8']))
        && san.iter().all(|b| b"abcdefgh12345678x-=QRBNKqrbnk+#!?".contains(b));
    if is_san {
        Look::Of(Format::Pgn)
    } else if is_ratio(glued)
        || glued.iter().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"$!?+#,".contains(b))
    {
        Look::Either
    } else if glued.starts_with(b"Squares:")
        || glued.starts_with(b"Rays:")
        || glued.starts_with(b"_,")
        || is_turn_order(glued)
    {
        Look::Of(Format::Icn)
    } else {
        Look::Neither
    }
}

/// Whether a digit, a comma and a digit or minus follow one another, as in every ICN square.
fn has_square_of_numbers(word: &[u8]) -> bool {
    word.windows(3).any(|three| matches!(three, [b'0'..=b'9', b',', b'0'..=b'9' | b'-' | b'_']))
}

fn is_ratio(word: &[u8]) -> bool {
    let slash = word.iter().position(|b| *b == b'/');
    slash.is_some_and(|at| at > 0 && word.iter().enumerate().all(|(i, b)| i == at || b.is_ascii_digit()))
}

fn is_turn_order(word: &[u8]) -> bool {
    word.split(|b| *b == b':').all(|code| matches!(code, b"w" | b"b" | b"r" | b"bu" | b"y" | b"g" | b"n"))
}
