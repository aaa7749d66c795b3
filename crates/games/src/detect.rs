//! The format of a text, told from its beginning.

use std::path::Path;

use boardprint_base::KNOWN_WIN_CONDITIONS;

use crate::{Encoding, Format, kif, pgn};

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
        let head = head.strip_prefix("\u{feff}".as_bytes()).unwrap_or(head);
        if let Some(format) = shogi_record(head) {
            return Some(format);
        }
        let head = skip_comment_lines(head);
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
            _ => engine_line(head).or_else(|| fen(head)).or_else(|| icn_or_pgn(head)),
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
            "kifu" => Some(Format::Kif),
            other => other.parse().ok(),
        }
    }
}

/// The text after blank lines and lines that begin with `#`, `%` or `;`.
fn skip_comment_lines(text: &[u8]) -> &[u8] {
    let mut rest = text.trim_ascii_start();
    while let [b'#' | b'%' | b';', ..] = rest {
        let line = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        rest = rest[line..].trim_ascii_start();
    }
    rest
}

/// How many lines are looked at to find a record of Shogi.
const SHOGI_LINES: usize = 64;

/// CSA or KIF, if the first line that is not a comment is of one of them.
fn shogi_record(text: &[u8]) -> Option<Format> {
    let mut rest = Some(text);
    for _ in 0..SHOGI_LINES {
        let text = rest?;
        let end = memchr::memchr(b'\n', text);
        let line = &text[..end.unwrap_or(text.len())];
        rest = end.map(|end| &text[end + 1..]);
        let trimmed = line.trim_ascii();
        match trimmed {
            // Turns and comments of CSA, comments of KIF and other formats.
            [] | b"+" | b"-" => {}
            _ if trimmed.starts_with(b"#KIF") => return Some(Format::Kif),
            _ if trimmed.starts_with(b"'CSA encoding=") => return Some(Format::Csa),
            [b'\'' | b'#', ..] => {}
            _ if is_csa(trimmed) => return Some(Format::Csa),
            [b'+', b'-', b'-', b'-', ..] => return Some(Format::Kif),
            _ if trimmed.is_ascii() => return None,
            _ => {
                let is_kif = Encoding::decode(line, Format::Kif).is_some_and(|(line, _)| kif::is_kif(&line));
                return is_kif.then_some(Format::Kif);
            }
        }
    }
    None
}

/// Whether a line is one of CSA: a version, a player, a header, a piece of the start or a move.
fn is_csa(line: &[u8]) -> bool {
    let is_name = |name: &[u8]| name.len() >= 2 && name[..2].iter().all(u8::is_ascii_uppercase);
    match line {
        // A white knight left of the origin is no player.
        [b'N', square @ ..] if begins_with_square(square) => false,
        [b'V', b'1'..=b'3']
        | [b'V', b'1'..=b'3', b'.', ..]
        | [b'N', b'+' | b'-', ..]
        | b"PI"
        | [b'P', b'1'..=b'9', b' ', b'*', ..] => true,
        [b'P', b'I', b'1'..=b'9', b'1'..=b'9', name @ ..]
        | [b'P', b'1'..=b'9', b'+' | b'-', name @ ..]
        | [b'P', b'+' | b'-', b'0'..=b'9', b'0'..=b'9', name @ ..] => is_name(name),
        [b'+' | b'-', squares @ ..] if squares.len() >= 6 => {
            squares[..4].iter().all(u8::is_ascii_digit) && is_name(&squares[4..])
        }
        [b'$', key @ ..] => {
            let length = key.iter().take_while(|b| b.is_ascii_uppercase() || b"_+-".contains(b)).count();
            length > 1 && key.get(length) == Some(&b':')
        }
        _ => false,
    }
}

/// Whether a square of ICN whose column is negative begins here: `-3,4`.
fn begins_with_square(text: &[u8]) -> bool {
    let Some(column) = text.strip_prefix(b"-") else { return false };
    let length = column.iter().take_while(|b| b.is_ascii_digit() || b".eE+".contains(b)).count();
    column[..length].first().is_some_and(u8::is_ascii_digit)
        && matches!(column[length..], [b',', b'0'..=b'9', ..] | [b',', b'-', b'0'..=b'9', ..])
}

/// The words of the first line. It is not searched for its end before somebody wants its last word.
fn words_of_line(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let blanks = rest.iter().take_while(|b| b.is_ascii_whitespace() && **b != b'\n').count();
        let word = rest[blanks..].split(u8::is_ascii_whitespace).next().filter(|word| !word.is_empty())?;
        rest = &rest[blanks + word.len()..];
        Some(word)
    })
}

/// A line of USI or UCI: the kind of start tells them apart, else the first move.
fn engine_line(text: &[u8]) -> Option<Format> {
    let mut words = words_of_line(text);
    let mut first = words.next()?;
    let said = first == b"position";
    if said {
        first = words.next()?;
    }
    match first {
        b"startpos" => {
            let is_usi = |word: &[u8]| matches!(word, [b'1'..=b'9', b'a'..=b'i', ..] | [_, b'*', ..]);
            let first_move = words.find(|word| *word != b"moves");
            Some(if first_move.is_some_and(is_usi) { Format::Usi } else { Format::Uci })
        }
        b"sfen" if said || words.any(|word| word == b"moves") => Some(Format::Usi),
        b"fen" => Some(Format::Uci),
        _ => None,
    }
}

/// What the objects of records are told by where their end is not in sight: the long form, and boards.
const JSON_NAMES: [&[u8]; 19] = [
    b"metadata",
    b"turn",
    b"enpassant",
    b"moveRule",
    b"fullMove",
    b"gameRules",
    b"specialRights",
    b"startingPosition",
    b"shortposition",
    b"presets",
    b"openingComments",
    b"moves",
    b"notes",
    b"result",
    b"closingComments",
    b"side",
    b"shape",
    b"cells",
    b"hand",
];

/// Whether the first name of an object is one of a record.
fn begins_as_record(object: &[u8]) -> bool {
    let name = object[1..].trim_ascii_start().strip_prefix(b"\"").unwrap_or_default();
    let name = &name[..memchr::memchr(b'"', name).unwrap_or(name.len())];
    JSON_NAMES.contains(&name)
}

/// An object is JSON unless something other than an object follows it: then it was the extra rules of an ICN.
/// Where the end of the object is not among the bytes that are looked at, its first name decides.
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
    // A short text is an object that somebody forgot to close.
    if text.len() < LONG_OBJECT || begins_as_record(text) { Format::Json } else { Format::Icn }
}

/// Objects of which so much was looked at are not short.
const LONG_OBJECT: usize = 32 << 10;

/// A FEN or SFEN: ranks with slashes, then the side to move.
fn fen(text: &[u8]) -> Option<Format> {
    let mut fields = words_of_line(text).peekable();
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
    // A FEN has castling and en passant after the side, an SFEN the hands and perhaps the move number.
    let third = fields.next();
    let fourth = fields.next();
    let numbered = fourth.is_none_or(|field| field.iter().all(u8::is_ascii_digit));
    let sfen = ranks == 9 && third.is_some() && numbered && fields.next().is_none() && !board.contains(&b'[');
    Some(if sfen { Format::Sfen } else { Format::Fen })
}

/// This many tags without a quote at their end are looked at.
const MOST_UNQUOTED: usize = 64;

/// ICN and PGN both have tags; what follows them decides, and only where nothing does, the tags.
fn icn_or_pgn(text: &[u8]) -> Option<Format> {
    let mut rest = text;
    let mut tagged = None;
    let mut is_pgn = false;
    let (mut words, mut unquoted) = (0, 0);
    while let Some(first) = rest.first() {
        match first {
            b'[' => {
                // A quote before the bracket, or the end of the line.
                let mut ends = memchr::memchr2_iter(b'"', b'\n', rest);
                let close = match ends.find(|end| rest[*end] == b'\n' || rest.get(end + 1) == Some(&b']')) {
                    Some(quote) if rest[quote] == b'"' => quote + 2,
                    // The rest of a long line is looked through for each.
                    _ if unquoted == MOST_UNQUOTED => return tagged,
                    line => {
                        unquoted += 1;
                        memchr::memchr(b']', &rest[..line.unwrap_or(rest.len())])? + 1
                    }
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
                // ICN knows no FEN; a start without moves that names its variant is ICN unless that is a
                // finite game.
                match &tag[..name] {
                    b"FEN" | b"ECO" | b"Red" | b"Game" => is_pgn = true,
                    b"Variant" if is_finite_variant(&tag[name..]) => is_pgn = true,
                    b"Variant" => tagged = Some(Format::Icn),
                    _ => drop(tagged.get_or_insert(Format::Pgn)),
                }
                if is_pgn {
                    tagged = Some(Format::Pgn);
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
            b'(' if is_law(rest) => return Some(Format::Icn),
            b'(' => return tagged,
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

/// Whether the quoted value of a tag names a finite game.
fn is_finite_variant(value: &[u8]) -> bool {
    let value = value.trim_ascii().trim_ascii_end();
    let value = value.strip_suffix(b"]").unwrap_or(value).trim_ascii();
    let name = String::from_utf8_lossy(value);
    pgn::is_finite_variant(name.trim_matches('"'))
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
    if is_san || is_move_of_other_game(glued) {
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
    let is_code = |code: &[u8]| matches!(code, b"w" | b"b" | b"r" | b"bu" | b"y" | b"g" | b"n");
    let is_number = |code: &[u8]| !code.is_empty() && code.iter().all(u8::is_ascii_digit);
    let mut codes = word.split(|b| *b == b':');
    codes.clone().all(|code| is_code(code) || is_number(code)) && codes.any(is_code)
}

/// Whether a word is a move of Shogi (`P-76`), of Xiangqi (`C2=5`, `H2-E2`, `h2e2`, `炮二平五`) or of Janggi
/// (`P77-76`).
fn is_move_of_other_game(word: &[u8]) -> bool {
    const CHINESE: &str = "炮砲包车車俥马馬傌相象仕士帅帥将將兵卒前后後中";
    let bare = word.strip_prefix(b"+").unwrap_or(word);
    match bare {
        [b'A'..=b'Z', b'1'..=b'9' | b'+' | b'-', b'=' | b'+' | b'-' | b'.', b'1'..=b'9']
        | [b'A'..=b'I', b'0'..=b'9', b'-', b'A'..=b'I', b'0'..=b'9']
        | [b'A'..=b'Z', b'-' | b'x' | b'*', b'1'..=b'9', b'1'..=b'9' | b'a'..=b'i', ..]
        | [b'A'..=b'Z', b'0'..=b'9', b'1'..=b'9', b'-' | b'x', b'0'..=b'9', b'1'..=b'9', ..]
        | [b'a'..=b'i', b'0'..=b'9', b'a'..=b'i', b'0'..=b'9']
        | [b'A'..=b'Z', b'@', b'a'..=b'i', b'1'..=b'9', ..] => true,
        _ => {
            let first = std::str::from_utf8(word).ok().and_then(|word| word.chars().next());
            first.is_some_and(|c| CHINESE.contains(c) || ('Ａ'..='Ｚ').contains(&c))
        }
    }
}

/// Whether parentheses hold a law of ICN, one part per player or win conditions of all, rather than a remark or
/// the target of a link.
fn is_law(text: &[u8]) -> bool {
    let end = memchr::memchr(b')', text).unwrap_or(text.len());
    let inner = text[1..end].trim_ascii_start();
    let word = &inner[..inner.iter().take_while(|b| b.is_ascii_lowercase()).count()];
    memchr::memchr2(b'|', b';', inner).is_some()
        || matches!(inner, [b'0'..=b'9' | b'-', ..])
        || KNOWN_WIN_CONDITIONS.iter().any(|condition| condition.as_bytes() == word)
}
