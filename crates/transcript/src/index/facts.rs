//! Long lists of index entries, which grow without being copied.

use std::fmt;
use std::ops::Range;

/// The number of entries in a block.
const BLOCK: usize = 4096;

/// An append-only list in blocks. One vector of half a million entries would take twice their memory while
/// it grows, and would leave freed memory that is too small for anything else.
#[derive(Clone)]
pub struct Facts<T> {
    /// All blocks but the last are full.
    blocks: Vec<Vec<T>>,
}

impl<T> Default for Facts<T> {
    fn default() -> Self {
        Facts { blocks: Vec::new() }
    }
}

impl<T: fmt::Debug> fmt::Debug for Facts<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T> Facts<T> {
    /// The number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        let full = self.blocks.len().saturating_sub(1) * BLOCK;
        full + self.blocks.last().map_or(0, Vec::len)
    }

    /// Is the list empty?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The entry at an index.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&T> {
        self.blocks.get(index / BLOCK)?.get(index % BLOCK)
    }

    /// The last entry.
    #[must_use]
    pub fn last(&self) -> Option<&T> {
        self.blocks.last()?.last()
    }

    /// All entries, in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.blocks.iter().flatten()
    }

    /// The entries of a range, as far as they exist.
    pub fn range(&self, range: Range<usize>) -> impl Iterator<Item = &T> {
        let blocks = self.blocks.get(range.start / BLOCK..).unwrap_or_default();
        let all = blocks.iter().flatten().skip(range.start % BLOCK);
        all.take(range.end.saturating_sub(range.start))
    }

    /// The entries of a range, as far as they exist, in the slices in which they are stored.
    pub(crate) fn slices(&self, range: Range<usize>) -> impl Iterator<Item = &[T]> {
        let (first, last) = (range.start / BLOCK, range.end.div_ceil(BLOCK).min(self.blocks.len()));
        let blocks = self.blocks.get(first..last.max(first)).unwrap_or_default();
        blocks.iter().zip(first..).filter_map(move |(block, at)| {
            let from = range.start.saturating_sub(at * BLOCK);
            let to = range.end.saturating_sub(at * BLOCK).min(block.len());
            block.get(from..to).filter(|slice| !slice.is_empty())
        })
    }

    /// The index of the first entry of a range for which `is_before` is false, or the end of the range. The
    /// entries for which it is true must come first.
    #[must_use]
    pub fn partition_point(&self, range: Range<usize>, is_before: impl Fn(&T) -> bool) -> usize {
        let (mut low, mut high) = (range.start, range.end.min(self.len()).max(range.start));
        while low < high {
            let middle = low.midpoint(high);
            if self.get(middle).is_some_and(&is_before) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    pub(crate) fn push(&mut self, item: T) {
        match self.blocks.last_mut() {
            Some(last) if last.len() < BLOCK => last.push(item),
            // A short list takes no more memory than it needs.
            None => self.blocks.push(vec![item]),
            Some(_) => {
                let mut block = Vec::with_capacity(BLOCK);
                block.push(item);
                self.blocks.push(block);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_equals_a_vector() {
        for count in [0, 1, 2, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 3 * BLOCK + 7] {
            let mut facts = Facts::default();
            for i in 0..count {
                facts.push(i);
                assert_eq!(facts.last(), Some(&i));
            }
            let plain: Vec<usize> = (0..count).collect();
            assert_eq!((facts.len(), facts.is_empty()), (count, count == 0));
            assert!(facts.iter().eq(&plain));
            assert_eq!(format!("{facts:?}"), format!("{plain:?}"));
            for at in [0, 1, BLOCK - 1, BLOCK, 2 * BLOCK + 3, count, count + BLOCK] {
                assert_eq!(facts.get(at), plain.get(at));
                for end in [at, at + 1, at + BLOCK, count, usize::MAX] {
                    let expected = plain.get(at.min(count)..end.clamp(at.min(count), count));
                    let slices: Vec<&[usize]> = facts.slices(at..end).collect();
                    assert_eq!(slices.concat(), expected.unwrap(), "{at}..{end} of {count}");
                    assert!(facts.range(at..end).eq(expected.unwrap()), "{at}..{end} of {count}");
                }
                assert_eq!(facts.partition_point(0..count, |i| *i < at), at.min(count));
                let from = at / 2;
                let expected = at.min(count).max(from);
                assert_eq!(facts.partition_point(from..usize::MAX, |i| *i < at), expected);
            }
        }
    }
}
