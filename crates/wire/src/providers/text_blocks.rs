//! The texts of content blocks: each block is a part of the message, whatever comes between its pieces (W-77).

use super::part_state::{emit_block, emit_text};
use crate::reader::Sink;
use apex_parts_json::saved::state;
use apex_parts_json::slots::Slots;
use apex_parts_model::delta::{BlockKind, Piece, ReaderOutput, WholePlace, WholeText};

/// The open blocks of a response, and which of them the last part is.
#[derive(Clone, Debug, Default)]
pub(crate) struct TextBlocks {
    /// Blocks are known from the first on: a snapshot of an older version has none.
    known: bool,
    /// By the index and kind of an open block: the number of its part's block, counted from 1.
    open: Slots<u64>,
    /// The highest of these numbers.
    count: u64,
    /// That of the last part; 0 if it is none of them.
    last: u64,
    /// The numbers of the last blocks of each index and kind that have ended.
    ended: Slots<u64>,
}

state!(TextBlocks { known, open, count, last, ended });

impl TextBlocks {
    /// Those of a response that begins.
    pub(crate) fn new() -> TextBlocks {
        TextBlocks { known: true, ..TextBlocks::default() }
    }

    /// A snapshot of an older version does not know what came.
    pub(crate) fn is_known(&self) -> bool {
        self.known
    }

    /// Emits a piece of the block of this index. Only what does not continue the last part names its block.
    pub(crate) fn text(&mut self, at: u64, kind: BlockKind, piece: Piece<'_>, out: &mut Sink<'_>) {
        if !self.known {
            return emit_text(out, kind, piece);
        }
        let key = key_of(at, kind);
        let known = self.open.get(key).copied();
        if known.is_some() && known == Some(self.last) {
            return emit_text(out, kind, piece);
        }
        let number = match known {
            Some(number) => {
                // The last part stays what it is, and this is not it.
                self.last = 0;
                number
            }
            None => {
                // The index, unless the stream gives an index again.
                self.count = if at >= self.count && at < MOST { at + 1 } else { self.count + 1 };
                self.open.insert(key, self.count);
                self.last = self.count;
                self.count
            }
        };
        emit_block(out, kind, piece, Some(number - 1), None);
    }

    /// Another part begins, which is none of these blocks.
    pub(crate) fn other(&mut self) {
        self.last = 0;
    }

    /// The block of this index ends: another may have the index.
    pub(crate) fn end(&mut self, at: u64) {
        for kind in [BlockKind::Text, BlockKind::Thinking] {
            let key = key_of(at, kind);
            let Some(number) = self.open.remove(key) else { continue };
            self.ended.insert(key, number);
            if number == self.last {
                self.last = 0;
            }
        }
    }

    /// The block of the last text of this index, as the assembler knows it; `None` if there was none.
    fn block(&self, at: u64, kind: BlockKind) -> Option<String> {
        let key = key_of(at, kind);
        let number = self.open.get(key).or_else(|| self.ended.get(key))?;
        Some((number - 1).to_string())
    }

    /// Compares a text that is said whole with its pieces; false if there were none.
    pub(crate) fn compare(
        &self,
        at: u64,
        kind: BlockKind,
        text: &str,
        item: &str,
        out: &mut Sink<'_>,
    ) -> bool {
        let Some(block) = self.block(at, kind) else { return !self.known };
        let whole = WholeText::new(kind, block, text.into(), item);
        out(ReaderOutput::WholeText(Box::new(whole)));
        true
    }

    /// The part that the text of this index is.
    pub(crate) fn part(&self, at: u64) -> Option<WholePlace<'static>> {
        [BlockKind::Thinking, BlockKind::Text].into_iter().find_map(|kind| {
            let block = self.block(at, kind)?.into();
            Some(WholePlace::Block { kind, block })
        })
    }
}

/// Numbers up to here are exact in JavaScript.
const MOST: u64 = 1 << 50;

fn key_of(at: u64, kind: BlockKind) -> u64 {
    at.wrapping_mul(2) + u64::from(kind == BlockKind::Thinking)
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use apex_parts_model::delta::Payload;

    #[test]
    fn each_block_is_a_part() {
        use BlockKind::{Text, Thinking};
        let mut said = Vec::new();
        let mut out = |output: ReaderOutput<'_>| match output {
            ReaderOutput::Delta(Payload::Block(block)) => {
                said.push(format!("{}:{}", block.block.unwrap_or_default(), block.text.text));
            }
            ReaderOutput::Delta(Payload::Text(piece) | Payload::Thinking(piece)) => {
                said.push(piece.text.into_owned());
            }
            _ => {}
        };
        let mut blocks = TextBlocks::new();
        for (at, kind, text) in
            [(0, Text, "a"), (0, Text, "b"), (1, Text, "c"), (0, Text, "d"), (0, Text, "e")]
        {
            blocks.text(at, kind, Piece::from(text), &mut out);
        }
        blocks.end(0);
        blocks.text(0, Text, Piece::from("f"), &mut out);
        blocks.text(0, Thinking, Piece::from("g"), &mut out);
        blocks.other();
        blocks.text(0, Thinking, Piece::from("h"), &mut out);
        assert_eq!(said, ["0:a", "b", "1:c", "0:d", "0:e", "2:f", "3:g", "3:h"]);
    }
}
