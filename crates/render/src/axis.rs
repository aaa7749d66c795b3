//! One axis of a picture: which lines of squares are shown, and which are folded.

use std::cmp::Ordering;

use boardprint_base::Coord;

/// A run of lines that are shown, ends included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) first: Coord,
    pub(crate) last: Coord,
}

/// What one step along an axis shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Track {
    /// A row or column of squares.
    Line(Coord),
    /// Lines that are left out, from the least to the greatest.
    Gap(Span),
}

/// The lines of a picture from left to right, or from top to bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Axis {
    tracks: Vec<Track>,
    descending: bool,
}

impl Span {
    /// How many lines there are.
    pub(crate) fn len(&self) -> Coord {
        &(&self.last - &self.first) + 1
    }
}

/// The spans around the anchors: each with its margin inside the bounds, joined when at most `fold` lines lie
/// between.
///
/// `anchors` ascend and lie inside the bounds.
pub(crate) fn spans(
    anchors: &[Coord],
    margin: u32,
    fold: u32,
    low: Option<&Coord>,
    high: Option<&Coord>,
) -> Vec<Span> {
    let (margin, reach) = (i64::from(margin), i64::from(fold) + 1);
    let mut spans: Vec<Span> = Vec::new();
    for anchor in anchors {
        let first = (anchor - margin).max(low.cloned().unwrap_or_else(|| anchor - margin));
        let last = (anchor + margin).min(high.cloned().unwrap_or_else(|| anchor + margin));
        match spans.last_mut() {
            Some(open) if first <= &open.last + reach => open.last = last,
            _ => spans.push(Span { first, last }),
        }
    }
    spans
}

/// How many lines the spans show.
pub(crate) fn total(spans: &[Span]) -> Coord {
    spans.iter().fold(Coord::ZERO, |sum, span| &sum + &span.len())
}

impl Axis {
    /// The axis that shows these spans, which ascend without touching; their lines have been counted before.
    pub(crate) fn new(spans: Vec<Span>, descending: bool) -> Self {
        let mut tracks = Vec::new();
        let mut end: Option<Coord> = None;
        for span in spans {
            if let Some(end) = end {
                tracks.push(Track::Gap(Span { first: &end + 1, last: &span.first - 1 }));
            }
            let mut line = span.first;
            while line <= span.last {
                let next = &line + 1;
                tracks.push(Track::Line(line));
                line = next;
            }
            end = Some(span.last);
        }
        if descending {
            tracks.reverse();
        }
        Axis { tracks, descending }
    }

    /// What is shown, in the order of the picture.
    pub(crate) fn tracks(&self) -> &[Track] {
        &self.tracks
    }

    /// Whether coordinates fall along the axis.
    pub(crate) fn is_descending(&self) -> bool {
        self.descending
    }

    /// Where a line is shown.
    pub(crate) fn find(&self, line: &Coord) -> Option<usize> {
        let order = |track: &Track| {
            let order = match track {
                Track::Line(coord) => coord.cmp(line),
                Track::Gap(gap) if gap.last < *line => Ordering::Less,
                Track::Gap(_) => Ordering::Greater,
            };
            if self.descending { order.reverse() } else { order }
        };
        self.tracks.binary_search_by(order).ok()
    }

    /// The longest run of lines without a gap, as a range of tracks.
    pub(crate) fn longest_run(&self) -> std::ops::Range<usize> {
        let (mut best, mut start) = (0..0, 0);
        for index in 0..=self.tracks.len() {
            if !matches!(self.tracks.get(index), Some(Track::Line(_))) {
                if index - start > best.len() {
                    best = start..index;
                }
                start = index + 1;
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn anchors() -> impl Strategy<Value = Vec<Coord>> {
        let line = prop_oneof![(-20_i64..20).prop_map(Coord::from), any::<i128>().prop_map(Coord::from)];
        prop::collection::btree_set(line, 0..12).prop_map(|set| set.into_iter().collect())
    }

    proptest! {
        #[test]
        fn folding_keeps_the_order_and_loses_nothing(
            anchors in anchors(), margin in 0_u32..3, fold in 0_u32..8, descending in any::<bool>()
        ) {
            let spans = spans(&anchors, margin, fold, None, None);
            let count = total(&spans);
            let axis = Axis::new(spans, descending);
            let mut tracks = axis.tracks().to_vec();
            prop_assert_eq!(Coord::from(tracks.iter().filter(|t| matches!(t, Track::Line(_))).count() as u64), count);
            for (index, track) in tracks.iter().enumerate() {
                if let Track::Line(line) = track {
                    prop_assert_eq!(axis.find(line), Some(index));
                }
            }
            for anchor in &anchors {
                prop_assert!(axis.find(anchor).is_some());
            }
            if descending {
                tracks.reverse();
            }
            // Lines and gaps follow each other without a hole, and a gap is longer than the fold.
            let ends: Vec<(Coord, Coord)> = tracks.iter().map(|track| match track {
                Track::Line(line) => (line.clone(), line.clone()),
                Track::Gap(gap) => (gap.first.clone(), gap.last.clone()),
            }).collect();
            for pair in ends.windows(2) {
                prop_assert_eq!(&pair[0].1 + 1, pair[1].0.clone());
            }
            for track in &tracks {
                if let Track::Gap(gap) = track {
                    prop_assert!(gap.len() > Coord::from(i64::from(fold)));
                    prop_assert_eq!(axis.find(&gap.first), None);
                    prop_assert_eq!(axis.find(&gap.last), None);
                }
            }
        }
    }
}
