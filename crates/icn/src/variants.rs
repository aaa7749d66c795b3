//! The named variants of infinite chess: start position and laws, by date where they changed.
//!
//! The table is `variants.txt`, in the order the variants are usually listed; it draws placements rank by
//! rank. A game that names its variant and gives no pieces takes them from here. Four of the variants are
//! only partly ours:
//!
//! - `4x4x4x4_Chess` and `5D_Chess` have start positions, but their pieces move by rules of their own
//!   ([`Variant::has_own_movement`]): what is legal there is known to `boardprint-rules`.
//! - `Omega_Cubed` and `Omega_Fourth` are known by name only. Their placements are too large to carry along,
//!   so games of them must give their pieces.

use std::fmt::Write as _;
use std::sync::LazyLock;

use boardprint_base::Pieces;

use crate::options::ReadOptions;

/// A named variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    code: &'static str,
    name: &'static str,
    has_own_movement: bool,
    revisions: Vec<Revision>,
}

/// What a variant looked like from some time on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    since: Option<&'static str>,
    since_ms: i64,
    icn: String,
}

/// A date or time that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnreadableDate;

/// Every variant.
///
/// ```
/// use boardprint_icn::variants;
/// let omega = variants::find("Showcase: Omega").unwrap();
/// assert_eq!(omega.code(), "Omega");
/// assert_eq!(omega.revisions().len(), 2);
/// assert_eq!(omega.at(None), omega.revisions().last());
/// ```
#[must_use]
pub fn all() -> &'static [Variant] {
    static ALL: LazyLock<Vec<Variant>> = LazyLock::new(|| read(include_str!("variants.txt")));
    &ALL
}

/// The variant of a code (`CoaIP`) or an English name (`Chess on an Infinite Plane`).
#[must_use]
pub fn find(name_or_code: &str) -> Option<&'static Variant> {
    all().iter().find(|variant| variant.code == name_or_code || variant.name == name_or_code)
}

impl Variant {
    /// The code, such as `CoaIP`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// The English name, such as `Chess on an Infinite Plane`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Whether the pieces move by rules of the variant's own, not by the table of pieces.
    #[must_use]
    pub fn has_own_movement(&self) -> bool {
        self.has_own_movement
    }

    /// The revisions, oldest first; none if the placement is unknown.
    #[must_use]
    pub fn revisions(&self) -> &[Revision] {
        &self.revisions
    }

    /// The revision of a time in milliseconds since 1970, or the latest one; `None` if the placement is
    /// unknown.
    #[must_use]
    pub fn at(&self, ms: Option<i64>) -> Option<&Revision> {
        self.revisions.iter().rev().find(|revision| ms.is_none_or(|ms| revision.since_ms <= ms))
    }
}

impl Revision {
    /// When it came into use, as `YYYY-MM-DDThh:mm:ss.mmmZ`; `None` for the first one.
    #[must_use]
    pub fn since(&self) -> Option<&'static str> {
        self.since
    }

    /// Start position and laws as canonical text.
    #[must_use]
    pub fn icn(&self) -> &str {
        &self.icn
    }

    /// The pieces with their rights.
    #[must_use]
    pub fn pieces(&self) -> Option<Pieces> {
        let reading = ReadOptions::default().parse(self.placement()).ok()?;
        Some(reading.game.start.pieces)
    }

    /// The pieces alone, as canonical text.
    #[must_use]
    pub fn placement(&self) -> &str {
        self.icn.rsplit(' ').next().unwrap_or(&self.icn)
    }
}

/// When a game started, in milliseconds since 1970, by its tags: `UTCDate` (`2024.08.05`) with `UTCTime`
/// (`01:15:47`, midnight if missing), else the old `Date` (`2024/03/17 13:42:06`); `None` without either.
///
/// # Errors
///
/// [`UnreadableDate`] if the tag that counts is not a date.
pub fn start_time(
    utc_date: Option<&str>,
    utc_time: Option<&str>,
    date: Option<&str>,
) -> Result<Option<i64>, UnreadableDate> {
    let (day, time) = match (utc_date, date) {
        (Some(day), _) => (day, utc_time),
        (None, Some(date)) => date.split_once(' ').map_or((date, None), |(day, time)| (day, Some(time))),
        (None, None) => return Ok(None),
    };
    let day = day_ms(day).ok_or(UnreadableDate)?;
    let time = time.map_or(Some(0), time_ms).ok_or(UnreadableDate)?;
    Ok(Some(day + time))
}

/// The revision of the variant that tags name, by when the game started; `None` if they name no variant whose
/// placement is known.
///
/// # Errors
///
/// [`UnreadableDate`] if the tag that says when is not a date.
pub(crate) fn named<'a>(
    tag: impl Fn(&str) -> Option<&'a str>,
) -> Result<Option<&'static Revision>, UnreadableDate> {
    let Some(variant) = tag("Variant").and_then(find) else { return Ok(None) };
    Ok(variant.at(start_time(tag("UTCDate"), tag("UTCTime"), tag("Date"))?))
}

impl std::fmt::Display for UnreadableDate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("not a date: write `2024.08.05` and `01:15:47`")
    }
}

impl std::error::Error for UnreadableDate {}

/// Reads the table: `[code] name`, then `own movement` where that is so, then the revisions, oldest first: a
/// time, and fields with a drawing, or `without rights` if nothing else has changed.
fn read(table: &'static str) -> Vec<Variant> {
    let mut variants: Vec<Variant> = Vec::new();
    for line in table.lines().filter(|line| !line.is_empty()) {
        if let Some((code, name)) = line.strip_prefix('[').and_then(|line| line.split_once("] ")) {
            variants.push(Variant { code, name, has_own_movement: false, revisions: Vec::new() });
            continue;
        }
        let variant = variants.last_mut().expect("the table starts with a variant");
        if line == "own movement" {
            variant.has_own_movement = true;
            continue;
        }
        let (since, text) = line.split_once(' ').expect("a revision is a time and a text");
        let since = (since != "always").then_some(since);
        let since_ms =
            since.map_or(i64::MIN, |since| instant_ms(since).expect("times in the table are right"));
        let icn = match (variant.revisions.last(), text.rsplit_once(' ')) {
            (Some(before), Some(("without", "rights"))) => before.icn.replace('+', ""),
            (_, Some((fields, drawing))) => {
                let pieces = drawn(drawing).expect("drawings in the table are right");
                format!("{fields} {pieces}")
            }
            _ => unreachable!("a revision has fields and a drawing"),
        };
        variant.revisions.push(Revision { since, since_ms, icn });
    }
    variants
}

/// The placement of a drawing: the upper left corner, then ranks from the top. `r+.2.8p+` is a rook with its
/// right, two empty squares, and eight pawns with theirs.
fn drawn(drawing: &str) -> Option<String> {
    let (corner, ranks) = drawing.split_once(':')?;
    let (left, top) = corner.split_once(',')?;
    let (left, top): (i32, i32) = (left.parse().ok()?, top.parse().ok()?);
    let mut placement = String::new();
    for (y, rank) in (i32::MIN..=top).rev().zip(ranks.split('/')) {
        let mut x = left;
        for item in rank.split('.') {
            let piece = item.trim_start_matches(|c: char| c.is_ascii_digit());
            let count = &item[..item.len() - piece.len()];
            let end = x + if count.is_empty() { i32::from(!piece.is_empty()) } else { count.parse().ok()? };
            let (code, right) = piece.strip_suffix('+').map_or((piece, ""), |code| (code, "+"));
            for x in if piece.is_empty() { end..end } else { x..end } {
                let bar = if placement.is_empty() { "" } else { "|" };
                let _ = write!(placement, "{bar}{code}{x},{y}{right}");
            }
            x = end;
        }
    }
    Some(placement)
}

/// `YYYY-MM-DDThh:mm:ss.mmmZ`.
fn instant_ms(text: &str) -> Option<i64> {
    let (day, time) = text.strip_suffix('Z')?.split_once('T')?;
    let (time, fraction) = time.split_once('.')?;
    Some(day_ms(day)? + time_ms(time)? + number(fraction, 3, 0..=999)?)
}

/// `YYYY.MM.DD`, with any of `. / -` between.
fn day_ms(text: &str) -> Option<i64> {
    let mut parts = text.split(['.', '/', '-']);
    let mut part = |digits, range| number(parts.next()?, digits, range);
    let (year, month, day) = (part(4, 1..=9999)?, part(2, 1..=12)?, part(2, 1..=31)?);
    if parts.next().is_some() || day > days_of(year, month) {
        return None;
    }
    let days_before_year = |year: i64| year * 365 + (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400;
    let days_in_year: i64 = (1..month).map(|month| days_of(year, month)).sum();
    Some((days_before_year(year) - days_before_year(1970) + days_in_year + day - 1) * 24 * 3_600_000)
}

/// `hh:mm:ss`.
fn time_ms(text: &str) -> Option<i64> {
    let mut parts = text.split(':');
    let mut part = |limit: i64| number(parts.next()?, 2, 0..=limit);
    let seconds = (part(23)? * 60 + part(59)?) * 60 + part(59)?;
    parts.next().is_none().then_some(seconds * 1000)
}

fn days_of(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// A number of exactly this many digits within a range.
fn number(text: &str, digits: usize, range: std::ops::RangeInclusive<i64>) -> Option<i64> {
    let is_plain = text.len() == digits && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|value| is_plain && range.contains(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_name_and_code_is_known_once() {
        let names: Vec<_> = all()
            .iter()
            .flat_map(|v| if v.code == v.name { vec![v.code] } else { vec![v.code, v.name] })
            .collect();
        assert_eq!(names.len(), names.iter().collect::<BTreeSet<_>>().len());
        assert_eq!(all().len(), 25);
        for variant in all() {
            assert_eq!(find(variant.code), Some(variant));
            assert_eq!(find(variant.name), Some(variant));
        }
        assert_eq!(find("classical"), None);
    }

    #[test]
    fn only_two_variants_move_by_their_own_rules_and_two_have_no_placement() {
        let codes = |with: fn(&Variant) -> bool| -> Vec<_> {
            all().iter().filter(|v| with(v)).map(Variant::code).collect()
        };
        assert_eq!(codes(Variant::has_own_movement), ["4x4x4x4_Chess", "5D_Chess"]);
        assert_eq!(codes(|v| v.at(None).is_none()), ["Omega_Cubed", "Omega_Fourth"]);
    }

    #[test]
    fn revisions_start_always_and_grow() {
        for variant in all().iter().filter(|v| !v.revisions.is_empty()) {
            assert_eq!(variant.revisions[0].since, None, "{}", variant.code);
            assert!(variant.revisions.is_sorted_by(|a, b| a.since_ms < b.since_ms && a.icn != b.icn));
        }
        let counts: Vec<_> =
            all().iter().filter(|v| v.revisions.len() > 1).map(|v| (v.code, v.revisions.len())).collect();
        assert_eq!(
            counts,
            [
                ("Space_Classic", 3),
                ("Pawn_Horde", 3),
                ("Pawndard", 2),
                ("Omega", 2),
                ("Omega_Squared", 2),
                ("CoaIP_NO", 2),
                ("Knighted_Chess", 2),
            ]
        );
    }

    #[test]
    fn a_revision_holds_from_its_first_millisecond() {
        let omega = find("Omega").unwrap();
        let change = start_time(Some("2024.05.15"), None, None).unwrap().unwrap();
        assert_eq!(change, 1_715_731_200_000);
        assert_eq!(omega.at(Some(change)), Some(&omega.revisions[1]));
        assert_eq!(omega.at(Some(change - 1)), Some(&omega.revisions[0]));
        assert_eq!(omega.at(Some(-1)), Some(&omega.revisions[0]));
        assert_eq!(omega.at(None), Some(&omega.revisions[1]));
        let pawndard = find("Pawndard").unwrap();
        assert_eq!(pawndard.revisions[1].since_ms, 1_774_955_419_082);
    }

    #[test]
    fn every_text_is_canonical() {
        for variant in all() {
            for revision in variant.revisions() {
                let reading = crate::parse(revision.icn()).unwrap();
                assert_eq!(reading.warnings, [], "{}", variant.code);
                assert_eq!(crate::canonical(&reading.game), revision.icn(), "{}", variant.code);
                assert_eq!(revision.pieces().as_ref(), Some(&reading.game.start.pieces));
            }
        }
    }

    #[test]
    fn a_drawing_is_read_rank_by_rank() {
        assert_eq!(drawn("-1,2:r+.2.2P//1.vo").unwrap(), "r-1,2+|P2,2|P3,2|vo0,0");
        for bad in ["", "1,2", "1:k", "x,2:k", "1,2:99999999999k"] {
            assert_eq!(drawn(bad), None, "{bad}");
        }
        let classical = "0/100 (8|1) r1,8+|n2,8|b3,8|q4,8|k5,8+|b6,8|n7,8|r8,8+|p1,7+|p2,7+|p3,7+|p4,7+|p5,7+|p6,7+|p7,7+|p8,7+|\
            P1,2+|P2,2+|P3,2+|P4,2+|P5,2+|P6,2+|P7,2+|P8,2+|R1,1+|N2,1|B3,1|Q4,1|K5,1+|B6,1|N7,1|R8,1+";
        assert_eq!(find("Classical").unwrap().at(None).unwrap().icn(), classical);
    }

    #[test]
    fn placements_count_their_pieces() {
        let pieces = |name: &str| find(name).unwrap().at(None).unwrap().placement().split('|').count();
        assert_eq!(pieces("Classical"), 32);
        assert_eq!(pieces("Omega_Squared"), 1477);
        assert_eq!(pieces("5D_Chess"), 3281);
    }

    #[test]
    fn tags_give_the_time() {
        let ms = |day, time, old| start_time(day, time, old);
        assert_eq!(ms(None, None, None), Ok(None));
        assert_eq!(ms(None, Some("01:00:00"), None), Ok(None));
        assert_eq!(ms(Some("1970.01.01"), None, None), Ok(Some(0)));
        assert_eq!(ms(Some("2024.08.05"), Some("01:15:47"), Some("junk")), Ok(Some(1_722_820_547_000)));
        assert_eq!(ms(None, Some("junk"), Some("2024/03/17 13:42:06")), Ok(Some(1_710_682_926_000)));
        assert_eq!(ms(None, None, Some("2000/02/29")), Ok(Some(951_782_400_000)));
        assert_eq!(ms(Some("1969.12.31"), Some("23:59:59"), None), Ok(Some(-1000)));
        for bad in [
            "",
            "2024.13.01",
            "2023.02.29",
            "1900.02.29",
            "????.??.??",
            "2024.1.1",
            "2024.01.01.01",
            "+024.01.01",
        ] {
            assert_eq!(ms(Some(bad), None, None), Err(UnreadableDate), "{bad}");
        }
        for bad in ["24:00:00", "1:00:00", "01:00", "01:00:60", "01:00:00:00"] {
            assert_eq!(ms(Some("2024.01.01"), Some(bad), None), Err(UnreadableDate), "{bad}");
        }
    }
}
