//! The texts of an item: each content part and each summary is a part of the message.

use crate::providers::output::emit_before;
use crate::providers::part_state::{StateFields, emit_block, emit_text, put_element};
use crate::reader::Sink;
use apex_parts_json::record::Val;
use apex_parts_json::saved::state;
use apex_parts_json::slots::Slots;
use apex_parts_model::delta::{BlockKind, Piece, ReaderOutput, WholePlace, WholeText};

/// The key of the state on parts.
pub(crate) const KEY: &str = "openai";

/// Where a text stands in its item: the number of its content part or its summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextPlace {
    /// A content part of a message.
    Content(u64),
    /// A refusal in the place of one.
    Refusal(u64),
    /// A summary of reasoning.
    Summary(u64),
    /// A content part of reasoning.
    Reasoning(u64),
}

impl TextPlace {
    /// The number of texts of one sort that an item has at most, so that all have a number.
    const MOST: u64 = 1 << 18;

    /// Its number among the texts of the item.
    pub(crate) fn number(self) -> u64 {
        let (sort, number) = match self {
            TextPlace::Content(number) | TextPlace::Refusal(number) => (0, number),
            TextPlace::Summary(number) => (1, number),
            TextPlace::Reasoning(number) => (2, number),
        };
        sort * Self::MOST + number.min(Self::MOST - 1)
    }

    /// Is it a text of a message?
    pub(crate) fn is_message(self) -> bool {
        self.kind() == BlockKind::Text
    }

    fn kind(self) -> BlockKind {
        kind_of(self.number())
    }
}

/// Is the text of this number the answer's or the reasoning's?
fn kind_of(number: u64) -> BlockKind {
    if number < TextPlace::MOST { BlockKind::Text } else { BlockKind::Thinking }
}

/// A text of an item.
#[derive(Clone, Debug, Default)]
struct ItemText {
    /// It has begun.
    told: bool,
    /// Its annotations so far, as JSON text with commas between them.
    annotations: String,
}

state!(ItemText { told, annotations });

/// The texts of an item.
#[derive(Clone, Debug, Default)]
pub(crate) struct ItemTexts {
    /// The number of the item among the items, counted from 1; 0 in a snapshot of an older version.
    item: u64,
    texts: Slots<ItemText>,
}

state!(ItemTexts { item, texts });

impl ItemTexts {
    /// The texts of the item of this number, counted from 1.
    pub(crate) fn new(item: u64) -> ItemTexts {
        ItemTexts { item, texts: Slots::default() }
    }

    /// The place of the item among the items.
    pub(crate) fn index(&self) -> u64 {
        self.item.saturating_sub(1)
    }

    /// The block of a text, as the assembler knows it; `None` if the item has no number.
    fn block(&self, number: u64) -> Option<u64> {
        Some((self.item.checked_sub(1)? << 20) + number)
    }

    /// Emits text that was streamed; `last` is the block of the last part, counted from 1. What continues it is nothing
    /// but text; `state` is what is known of a text from its beginning on.
    pub(crate) fn streamed(
        &mut self,
        place: TextPlace,
        piece: Piece<'_>,
        state: &dyn Fn() -> StateFields,
        last: &mut u64,
        out: &mut Sink<'_>,
    ) {
        let (number, kind) = (place.number(), place.kind());
        let Some(block) = self.block(number) else {
            *last = 0;
            return emit_text(out, kind, piece);
        };
        if *last == block + 1 {
            return emit_text(out, kind, piece);
        }
        let is_first = self.begin(place);
        let state = if is_first { state().take() } else { None };
        if is_first {
            *last = block + 1;
        }
        emit_block(out, kind, piece, Some(block), state);
    }

    /// Emits a whole text, or more state of one.
    pub(crate) fn whole(
        &self,
        number: u64,
        piece: Piece<'_>,
        state: Option<String>,
        out: &mut Sink<'_>,
    ) {
        emit_block(out, kind_of(number), piece, self.block(number), state);
    }

    /// Compares a text that has begun with what its pieces were; false if it has not.
    pub(crate) fn compare(
        &self,
        number: u64,
        text: Val<'_>,
        item: &str,
        out: &mut Sink<'_>,
    ) -> bool {
        let Some(block) = self.block(number).filter(|_| self.has_begun(number)) else {
            // Of an older snapshot nothing is known.
            return self.item == 0;
        };
        let whole = WholeText::new(kind_of(number), block.to_string(), text.text(), item);
        out(ReaderOutput::WholeText(Box::new(whole)));
        true
    }

    /// Has the item a number? One of an older snapshot has none.
    pub(crate) fn is_numbered(&self) -> bool {
        self.item > 0
    }

    /// The part that the first of its texts is.
    pub(crate) fn first_part(&self) -> Option<WholePlace<'static>> {
        self.part(|_| true)
    }

    /// The part of the first text that has begun, of those whose numbers are wanted.
    fn part(&self, is_wanted: impl Fn(u64) -> bool) -> Option<WholePlace<'static>> {
        let mut numbers = self.texts.numbers().into_iter();
        let number = numbers.find(|number| is_wanted(*number) && self.has_begun(*number))?;
        let block = self.block(number)?.to_string().into();
        Some(WholePlace::Block { kind: kind_of(number), block })
    }

    /// Emits a text of which no piece came: before the texts that follow it in the item.
    pub(crate) fn late(
        &mut self,
        place: TextPlace,
        piece: Piece<'_>,
        state: Option<String>,
        out: &mut Sink<'_>,
    ) {
        let number = place.number();
        emit_before(self.part(|other| other > number), out, |out| {
            self.begin(place);
            self.whole(number, piece, state, out);
        });
    }

    /// Notes that a text is emitted. Is it the first piece?
    pub(crate) fn begin(&mut self, place: TextPlace) -> bool {
        let text = self.texts.or_default(place.number()).filter(|_| self.item > 0);
        text.is_some_and(|text| !std::mem::replace(&mut text.told, true))
    }

    /// Emits more state of all texts of a kind that have begun.
    pub(crate) fn more_state(&self, kind: BlockKind, state: &str, out: &mut Sink<'_>) {
        /// An item with many parts and a long state must not take more than its share of memory.
        const MOST: usize = 1 << 22;
        let mut size = 0;
        for number in self.texts.numbers() {
            if self.has_begun(number) && kind_of(number) == kind && size <= MOST {
                size += state.len();
                self.whole(number, Piece::default(), Some(state.to_owned()), out);
            }
        }
    }

    fn has_begun(&self, number: u64) -> bool {
        self.texts.get(number).is_some_and(|text| text.told)
    }

    /// The number of the first reasoning.
    pub(crate) fn first_reasoning(&self) -> Option<u64> {
        self.texts.numbers().into_iter().find(|number| kind_of(*number) == BlockKind::Thinking)
    }

    /// The number of the text that is a content part of the item; `None` if it has not begun. Some servers number the
    /// only one otherwise.
    pub(crate) fn content(&self, at: u64) -> Option<u64> {
        let number = TextPlace::Content(at).number();
        if self.has_begun(number) {
            return Some(number);
        }
        if at > 0 {
            return None;
        }
        let mut others = self.texts.numbers().into_iter().filter(|number| self.has_begun(*number));
        let only = others.next().filter(|other| kind_of(*other) == BlockKind::Text)?;
        others.next().is_none().then_some(only)
    }

    /// Keeps an annotation, for the case that the item does not come. Gives the bytes that it takes.
    pub(crate) fn annotate(&mut self, at: u64, annotation: Val<'_>) -> u64 {
        let number = TextPlace::Content(at).number();
        let Some(text) = self.texts.or_default(number).filter(|_| annotation.exists()) else {
            return 0;
        };
        let before = text.annotations.len();
        put_element(&mut text.annotations, &annotation.json());
        (text.annotations.len() - before) as u64
    }

    /// Drops the annotations of a text: the item has all of them.
    pub(crate) fn drop_annotations(&mut self, number: u64) {
        if let Some(text) = self.texts.get_mut(number) {
            text.annotations = String::new();
        }
    }

    /// Drops all annotations.
    pub(crate) fn drop_held(&mut self) {
        self.texts.each_mut().for_each(|text| text.annotations = String::new());
    }

    /// Emits the annotations that came one by one.
    pub(crate) fn end(&mut self, out: &mut Sink<'_>) {
        for number in self.texts.numbers() {
            let Some(text) = self.texts.get_mut(number) else { continue };
            let mut state = StateFields::new(KEY);
            state.list("annotations", &std::mem::take(&mut text.annotations));
            if let Some(state) = state.take() {
                self.whole(number, Piece::default(), Some(state), out);
            }
        }
    }
}
