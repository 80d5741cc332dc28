//! Where a text occurs in another.

use std::ops::Range;

/// Places in a text, in order, that do not overlap.
#[derive(Debug, Default)]
pub(super) struct Occurrences {
    pub(super) ranges: Vec<Range<usize>>,
    /// One more place overlaps the only one.
    overlapped: bool,
}

impl Occurrences {
    pub(super) fn once(range: Range<usize>) -> Occurrences {
        Occurrences { ranges: vec![range], overlapped: false }
    }

    /// How many there are, one that overlaps another included.
    pub(super) fn count(&self) -> usize {
        self.ranges.len() + usize::from(self.overlapped)
    }

    /// From the beginning of the first to the end of the last.
    pub(super) fn first_to_last(&self) -> Range<usize> {
        let start = self.ranges.first().map_or(0, |range| range.start);
        start..self.ranges.last().map_or(start, |range| range.end)
    }

    pub(super) fn each(&mut self, change: impl Fn(&Range<usize>) -> Range<usize>) {
        for range in &mut self.ranges {
            *range = change(range);
        }
    }

    pub(super) fn shift(&mut self, by: usize) {
        for range in &mut self.ranges {
            *range = range.start + by..range.end + by;
        }
    }
}

/// Where `needle` occurs. If all are to be replaced, an overlap does not count: `aa` is in `aaa` once then,
/// and twice else.
pub(super) fn occurrences(text: &[u8], needle: &[u8], all: bool) -> Occurrences {
    let length = needle.len();
    let finder = memchr::memmem::Finder::new(needle);
    let ranges: Vec<_> = finder.find_iter(text).map(|at| at..at + length).collect();
    let overlapped = match ranges.as_slice() {
        [only] if !all => {
            let end = (only.end + length - 1).min(text.len());
            text.get(only.start + 1..end).is_some_and(|rest| finder.find(rest).is_some())
        }
        _ => false,
    };
    Occurrences { ranges, overlapped }
}
