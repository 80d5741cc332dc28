//! Reasoning that a model writes into its text, between tags (`<think>…</think>`): a reader that tells it apart.

use super::reader::{Reader, Sink};
use apex_parts_json::saved::{put_back_fields, save_fields, state};
use apex_parts_model::Violation;
use apex_parts_model::delta::{BlockDelta, BlockKind, Payload, Piece, ReaderOutput, WholeText};
use serde_json::Value;
use std::borrow::Cow;

/// Which tag stands around reasoning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThinkTags {
    /// The name of the tag: `think` for `<think>`.
    pub tag: String,
    /// The text begins within the tag, because the prompt ended with it.
    pub open: bool,
}

state!(ThinkTags { tag, open });

impl ThinkTags {
    /// A reader that gives what stands between the tags in text as reasoning. Without the feature
    /// `providers` no such text is read, and this is the reader itself.
    #[must_use]
    pub fn reader(&self, inner: Box<dyn Reader>) -> Box<dyn Reader> {
        if crate::READS_PROVIDERS {
            Box::new(TagReader { inner, tags: Tags::new(self) })
        } else {
            inner
        }
    }
}

struct TagReader {
    inner: Box<dyn Reader>,
    tags: Tags,
}

/// The state between two pieces of text.
#[derive(Clone, Debug, Default)]
struct Tags {
    /// The tag that begins reasoning, and the one that ends it.
    begin: String,
    end: String,
    /// A response begins within the tag.
    open: bool,
    /// The text is within the tag.
    within: bool,
    /// What may be the beginning of the next tag.
    held: String,
    /// The next text begins a block.
    waits: bool,
    /// That block and its state, as JSON text; empty if there is none.
    block: String,
    provider: String,
}

state!(Tags { begin, end, open, within, held, waits, block, provider });

impl Tags {
    fn new(tags: &ThinkTags) -> Tags {
        let ThinkTags { tag, open } = tags;
        Tags {
            begin: format!("<{tag}>"),
            end: format!("</{tag}>"),
            open: *open,
            within: *open,
            ..Tags::default()
        }
    }

    fn emit(&mut self, piece: Piece<'_>, out: &mut Sink<'_>) {
        let is_empty = piece.text.is_empty() && piece.low.is_none() && piece.high.is_none();
        if !is_empty {
            out(ReaderOutput::Delta(match self.within {
                true => Payload::Thinking(piece),
                false if self.waits => self.opening(piece),
                false => Payload::Text(piece),
            }));
        }
    }

    /// The text that the block that waits begins with.
    fn opening<'a>(&mut self, text: Piece<'a>) -> Payload<'a> {
        self.waits = false;
        let take = |json: &mut String| {
            let json = std::mem::take(json);
            (!json.is_empty()).then(|| json.into())
        };
        let (block, provider) = (take(&mut self.block), take(&mut self.provider));
        Payload::Block(Box::new(BlockDelta { kind: BlockKind::Text, text, block, provider }))
    }

    /// All text of the block that waits was reasoning: only its state is left of it.
    fn drop_waiting(&mut self, out: &mut Sink<'_>) {
        if self.waits {
            let opening = self.opening(Piece::default());
            if matches!(&opening, Payload::Block(block) if block.provider.is_some()) {
                out(ReaderOutput::Delta(opening));
            }
        }
    }

    /// Text that begins a block.
    fn begin(&mut self, block: BlockDelta<'_>, out: &mut Sink<'_>) {
        self.flush(out);
        self.drop_waiting(out);
        let owned = |json: Option<Cow<'_, str>>| json.map(Cow::into_owned).unwrap_or_default();
        self.block = owned(block.block);
        self.provider = owned(block.provider);
        self.waits = true;
        self.text(block.text, out);
    }

    /// What is held is no tag.
    fn flush(&mut self, out: &mut Sink<'_>) {
        let held = std::mem::take(&mut self.held);
        self.emit(held.into(), out);
    }

    fn take(&mut self, output: ReaderOutput<'_>, out: &mut Sink<'_>) {
        match output {
            ReaderOutput::Delta(Payload::Text(piece)) => return self.text(piece, out),
            ReaderOutput::Delta(Payload::Block(block))
                if block.kind == BlockKind::Text && block.text != Piece::default() =>
            {
                return self.begin(*block, out);
            }
            ReaderOutput::WholeText(whole) if whole.kind == BlockKind::Text => {
                self.flush(out);
                let texts = whole.texts.iter().flat_map(|(_, text)| self.split(text)).collect();
                let whole = WholeText { texts, is_split: true, ..*whole };
                return out(ReaderOutput::WholeText(Box::new(whole)));
            }
            ReaderOutput::Delta(Payload::Start { .. }) => {
                self.flush(out);
                self.drop_waiting(out);
                self.within = self.open;
            }
            ReaderOutput::Delta(
                Payload::Thinking(_)
                | Payload::Block(_)
                | Payload::ToolCallStart { .. }
                | Payload::Custom { .. }
                | Payload::Done { .. }
                | Payload::Error(_),
            ) => {
                self.flush(out);
                self.drop_waiting(out);
            }
            _ => {}
        }
        out(output);
    }

    /// A whole text, by the same rule: what is reasoning in it, and what is not.
    fn split(&self, text: &str) -> Vec<(BlockKind, Cow<'static, str>)> {
        let (begin, end) = (text.find(&self.begin), text.find(&self.end));
        // The tag was open already where the first one ends it.
        let within = self.open && end.is_some_and(|end| begin.is_none_or(|begin| end < begin));
        let mut tags =
            Tags { begin: self.begin.clone(), end: self.end.clone(), within, ..Tags::default() };
        let mut texts: Vec<(BlockKind, String)> = Vec::new();
        let mut add = |output: ReaderOutput<'_>| {
            let (kind, text) = match output {
                ReaderOutput::Delta(Payload::Text(piece)) => (BlockKind::Text, piece.text),
                ReaderOutput::Delta(Payload::Thinking(piece)) => (BlockKind::Thinking, piece.text),
                _ => return,
            };
            match texts.last_mut().filter(|(last, _)| *last == kind) {
                Some((_, last)) => last.push_str(&text),
                None => texts.push((kind, text.into_owned())),
            }
        };
        tags.text(text.into(), &mut add);
        tags.flush(&mut add);
        texts.into_iter().map(|(kind, text)| (kind, text.into())).collect()
    }

    fn text(&mut self, piece: Piece<'_>, out: &mut Sink<'_>) {
        if piece.low.is_some() {
            // It belongs to the character before it, so what is held is no tag.
            self.flush(out);
        }
        if self.held.is_empty() && memchr::memchr(b'<', piece.text.as_bytes()).is_none() {
            return self.emit(piece, out);
        }
        let (mut low, high) = (piece.low, piece.high);
        let mut whole = std::mem::take(&mut self.held);
        whole.push_str(&piece.text);
        let mut rest = whole.as_str();
        loop {
            let tag = if self.within { &self.end } else { &self.begin };
            let found = match rest.find(tag.as_str()) {
                Some(at) => Some((at, at + tag.len())),
                None if high.is_none() => {
                    // Only the end may be the beginning of a tag.
                    let begins = |(at, _): &(usize, &str)| {
                        rest.get(*at..).is_some_and(|end| tag.starts_with(end))
                    };
                    rest.match_indices('<').find(begins).map(|(at, _)| (at, rest.len()))
                }
                None => None,
            };
            let Some((at, end)) = found else {
                return self.emit(Piece { low, text: rest.into(), high }, out);
            };
            let is_whole = rest.len() - at >= tag.len();
            let (before, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
            self.emit(Piece { low: low.take(), text: before.into(), high: None }, out);
            if !is_whole {
                after.clone_into(&mut self.held);
                return;
            }
            self.within = !self.within;
            rest = rest.get(end..).unwrap_or_default();
        }
    }
}

impl Reader for TagReader {
    fn record_within(
        &mut self,
        event: &str,
        data: &[u8],
        depth: usize,
        out: &mut Sink<'_>,
    ) -> Result<(), Violation> {
        let TagReader { inner, tags } = self;
        inner.record_within(event, data, depth, &mut |output| tags.take(output, out))
    }

    fn line(&mut self, event: &str, line: &[u8], depth: usize, out: &mut Sink<'_>) -> bool {
        let TagReader { inner, tags } = self;
        inner.line(event, line, depth, &mut |output| tags.take(output, out))
    }

    fn held(&self) -> u64 {
        self.inner.held() + self.tags.held.len() as u64
    }

    fn drop_held(&mut self) {
        self.inner.drop_held();
        self.tags.held.clear();
    }

    fn end(&mut self, out: &mut Sink<'_>) {
        let TagReader { inner, tags } = self;
        inner.end(&mut |output| tags.take(output, out));
        tags.flush(out);
        tags.drop_waiting(out);
    }

    fn snapshot(&self) -> Value {
        let TagReader { inner, tags } = self;
        save_fields(&["inner", "tags"], &[&inner.snapshot(), tags])
    }

    fn restore(&mut self, state: Value) -> Result<(), Violation> {
        let (mut inner, mut tags) = (Value::Null, Tags::default());
        if !put_back_fields(state, &["inner", "tags"], &mut [&mut inner, &mut tags]) {
            return Err(Violation::new("schema", "not a snapshot of this reader"));
        }
        self.inner.restore(inner)?;
        self.tags = tags;
        Ok(())
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::{BlockDelta, BlockKind, Piece, Tags, ThinkTags};
    use apex_parts_model::delta::{Payload, ReaderOutput};

    /// The text and the reasoning of pieces, reasoning in brackets.
    fn read(pieces: &[&str], open: bool) -> String {
        let mut tags = Tags::new(&ThinkTags { tag: "plan".to_owned(), open });
        let (mut found, mut last) = (String::new(), false);
        let mut out = |output: ReaderOutput<'_>| {
            let (piece, thinking) = match output {
                ReaderOutput::Delta(Payload::Text(piece)) => (piece, false),
                ReaderOutput::Delta(Payload::Thinking(piece)) => (piece, true),
                other => panic!("{other:?}"),
            };
            if thinking != last {
                found.push(if thinking { '[' } else { ']' });
            }
            last = thinking;
            found.push_str(&piece.text);
        };
        for piece in pieces {
            tags.text(Piece::from(*piece), &mut out);
        }
        tags.flush(&mut out);
        found
    }

    #[test]
    fn a_block_begins_with_the_first_text_that_is_not_reasoning() {
        let mut tags = Tags::new(&ThinkTags { tag: "plan".to_owned(), open: false });
        let mut all = Vec::new();
        let block = |text: &'static str| {
            ReaderOutput::Delta(Payload::Block(Box::new(BlockDelta {
                kind: BlockKind::Text,
                text: text.into(),
                block: Some("3".into()),
                provider: Some("{}".into()),
            })))
        };
        let mut out = |output: ReaderOutput<'_>| {
            all.push(match output {
                ReaderOutput::Delta(Payload::Block(block)) => {
                    let BlockDelta { text, block, provider, .. } = *block;
                    format!("{block:?} {provider:?} {}", text.text)
                }
                ReaderOutput::Delta(Payload::Text(text)) => format!("text {}", text.text),
                ReaderOutput::Delta(Payload::Thinking(text)) => format!("thinking {}", text.text),
                other => panic!("{other:?}"),
            });
        };
        tags.take(block("<pl"), &mut out);
        for piece in ["an>a</plan>b", "c"] {
            tags.take(ReaderOutput::Delta(Payload::Text(piece.into())), &mut out);
        }
        tags.take(block("<plan>d</plan>"), &mut out);
        tags.take(block(""), &mut out);
        let opening = r#"Some("3") Some("{}")"#;
        let want = [
            "thinking a".to_owned(),
            format!("{opening} b"),
            "text c".to_owned(),
            "thinking d".to_owned(),
            format!("{opening} "),
            format!("{opening} "),
        ];
        assert_eq!(all, want);
    }

    #[test]
    fn tags_may_be_split_anywhere() {
        for (text, open, want) in [
            ("<plan>a</plan>b", false, "[a]b"),
            ("x <plan>a<plan>b</pl </plan> y</plan>", false, "x [a<plan>b</pl ] y</plan>"),
            ("<plan>never ends", false, "[never ends"),
            ("a</plan>b", true, "[a]b"),
            ("a < b <pla", false, "a < b <pla"),
            ("<<plan><</plan>", false, "<[<"),
            ("<plan></plan>", false, ""),
        ] {
            assert_eq!(read(&[text], open), want, "{text}");
            for first in 0..text.len() {
                let (a, b) = text.split_at(first);
                let pieces: Vec<_> = b.split_inclusive(['l', '>']).collect();
                assert_eq!(read(&[&[a], &*pieces].concat(), open), want, "{text} at {first}");
            }
            let single: Vec<_> = text.split("").filter(|piece| !piece.is_empty()).collect();
            assert_eq!(read(&single, open), want, "{text}");
        }
    }
}
