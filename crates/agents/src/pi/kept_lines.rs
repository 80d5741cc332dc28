//! [`KeptLines`]: lines of a file that are needed later, in blocks, so that many lines are not copied while more come.

use std::ops::Range;

/// Lines, each in one block.
#[derive(Debug, Default)]
pub(crate) struct KeptLines {
    blocks: Vec<String>,
}

/// Where a line is kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeptLine {
    block: usize,
    range: Range<usize>,
}

/// The length of the first block, and of the largest that is made for several lines.
const SIZES: [usize; 2] = [16 << 10, 1 << 20];

impl KeptLines {
    /// Keeps a line.
    pub(crate) fn add(&mut self, line: &str) -> KeptLine {
        let is_full = |block: &String| block.capacity() - block.len() < line.len();
        if self.blocks.last().is_none_or(is_full) {
            let size = self.blocks.last().map_or(SIZES[0], |block| 2 * block.capacity());
            self.blocks.push(String::with_capacity(size.min(SIZES[1]).max(line.len())));
        }
        let Some(block) = self.blocks.last_mut() else { return KeptLine::default() };
        let start = block.len();
        block.push_str(line);
        let range = start..block.len();
        KeptLine { block: self.blocks.len() - 1, range }
    }

    /// The text of a line.
    pub(crate) fn get(&self, line: &KeptLine) -> &str {
        let block = self.blocks.get(line.block);
        block.and_then(|block| block.get(line.range.clone())).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_what_was_kept() {
        let mut kept = KeptLines::default();
        assert_eq!(kept.get(&KeptLine::default()), "");
        let text = |i: usize| format!("{i}é").repeat(i * i % 4000);
        let lines: Vec<_> = (0..3000).map(|i| kept.add(&text(i))).collect();
        let long = kept.add(&"x".repeat(3 << 20));
        for (i, line) in lines.iter().enumerate() {
            assert_eq!(kept.get(line), text(i));
        }
        assert_eq!(kept.get(&long).len(), 3 << 20);
    }
}
