//! A file as `read` shows it: without what is not seen.

use apex_parts_model::invisible::{Controls, HiddenStretches};
use std::ops::Range;

/// The bytes of a file that are seen, and where they are in it.
pub(super) struct ShownFile {
    pub(super) bytes: Vec<u8>,
    /// Where something was left out, in order: the place in `bytes`, and how much was left out up to there.
    cuts: Vec<(usize, usize)>,
}

impl ShownFile {
    /// `None` if all of the file is seen.
    pub(super) fn new(file: &[u8]) -> Option<ShownFile> {
        if file.is_ascii() && !file.contains(&0x1b) {
            return None;
        }
        let mut shown = ShownFile { bytes: Vec::new(), cuts: Vec::new() };
        let (mut from, mut start, mut left_out) = (0, 0, 0);
        for chunk in file.utf8_chunks() {
            let text = chunk.valid();
            let hidden = match start {
                0 => HiddenStretches::new(text, Controls::Keep),
                _ => HiddenStretches::inside(text, Controls::Keep),
            };
            for stretch in hidden {
                let Range { start: hidden, end } = stretch.range;
                shown.bytes.extend_from_slice(file.get(from..start + hidden).unwrap_or_default());
                from = start + end;
                left_out += end - hidden;
                shown.cuts.push((shown.bytes.len(), left_out));
            }
            start += text.len() + chunk.invalid().len();
        }
        if shown.cuts.is_empty() {
            return None;
        }
        shown.bytes.extend_from_slice(file.get(from..).unwrap_or_default());
        Some(shown)
    }

    /// The range of the file from the first byte of a range that is seen to the last one.
    pub(super) fn original(&self, range: &Range<usize>) -> Range<usize> {
        let place = |at: usize| {
            let cuts = self.cuts.partition_point(|(cut, _)| *cut <= at);
            let before = cuts.checked_sub(1).and_then(|last| self.cuts.get(last));
            at + before.map_or(0, |(_, left_out)| *left_out)
        };
        let start = place(range.start);
        start..range.end.checked_sub(1).map_or(start, |last| place(last) + 1)
    }
}
