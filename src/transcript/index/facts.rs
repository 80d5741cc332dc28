//! Long lists of what is known, which grow without being copied.

use std::fmt;
use std::ops::Range;

/// So many stand together.
const BLOCK: usize = 4096;

/// A list that is only added to. Half a million entries in one vector would, while it grows, take twice
/// their memory and leave holes behind that nothing else fits into: so they stand in blocks.
#[derive(Clone)]
pub struct Facts<T> {
    /// All but the last are full.
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
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        let full = self.blocks.len().saturating_sub(1) * BLOCK;
        full + self.blocks.last().map_or(0, Vec::len)
    }

    /// Is there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The one at an index.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&T> {
        self.blocks.get(index / BLOCK)?.get(index % BLOCK)
    }

    /// The last one.
    #[must_use]
    pub fn last(&self) -> Option<&T> {
        self.blocks.last()?.last()
    }

    /// All of them, in their order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.blocks.iter().flatten()
    }

    /// Those of a range, as many of them as there are.
    pub fn range(&self, range: Range<usize>) -> impl Iterator<Item = &T> {
        let blocks = self.blocks.get(range.start / BLOCK..).unwrap_or_default();
        let all = blocks.iter().flatten().skip(range.start % BLOCK);
        all.take(range.end.saturating_sub(range.start))
    }

    /// The index of the first one of a range for which `is_before` is false; the range is so ordered
    /// that those for which it is true stand in front.
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
            // A short list takes no more room than it needs.
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
    fn is_a_list() {
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
