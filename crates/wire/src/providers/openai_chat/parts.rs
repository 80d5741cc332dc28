//! The text and the reasoning of a response, and the state that goes back to the server with them.

use crate::providers::failure::is_nothing;
use crate::providers::part_state::{StateFields, emit_block, emit_text};
use crate::reader::Sink;
use apex_parts_json::record::Val;
use apex_parts_json::saved::{Numbering, state, state_choice};
use apex_parts_json::writer::value_text;
use apex_parts_model::delta::{BlockKind, Piece};
use serde_json::{Map, Value};

/// The key of the state on parts.
pub(crate) const KEY: &str = "openaiCompatible";
/// The key of OpenRouter's reasoning details.
const ROUTER: &str = "openrouter";

/// A part of the message; `None` if there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ChatPart {
    #[default]
    None,
    Text,
    Thinking,
    Call,
}

state_choice!(ChatPart { None, Text, Thinking, Call });

impl ChatPart {
    fn of(kind: BlockKind) -> ChatPart {
        match kind {
            BlockKind::Text => ChatPart::Text,
            BlockKind::Thinking => ChatPart::Thinking,
        }
    }
}

/// Where a piece of text stands in a delta.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextSource {
    /// In the content, or in a field that goes back elsewhere.
    Content,
    /// In a field for reasoning.
    Field(&'static str),
    /// In an element of the content of the type `thinking`.
    Typed,
}

/// The parts of one response.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChatParts {
    /// They are known from the first on: a snapshot of an older version has none of this.
    known: bool,
    first: ChatPart,
    last: ChatPart,
    /// How many calls have started.
    calls: u64,
    /// The block of the first reasoning, counted from 1; 0 if there is none.
    thinking: u64,
    /// The state of the open reasoning says where its text came from.
    named: bool,
    /// The fields of the deltas that nobody knows.
    message: Map<String, Value>,
    /// OpenRouter's reasoning details.
    details: Vec<Map<String, Value>>,
    /// The number of the detail of an index and a type.
    places: Numbering,
    /// The bytes of both.
    kept: u64,
}

state!(ChatParts { known, first, last, calls, thinking, named, message, details, places, kept });

impl ChatParts {
    /// No parts yet.
    pub(crate) fn new() -> ChatParts {
        ChatParts { known: true, ..ChatParts::default() }
    }

    /// Notes how many calls have started.
    pub(crate) fn note_calls(&mut self, started: u64) {
        if self.calls != started {
            self.calls = started;
            self.last = ChatPart::Call;
            if self.first == ChatPart::None {
                self.first = ChatPart::Call;
            }
        }
    }

    /// Emits text. What continues the last part is nothing but text.
    pub(crate) fn text(
        &mut self,
        kind: BlockKind,
        piece: Piece<'_>,
        source: TextSource,
        out: &mut Sink<'_>,
    ) {
        if !self.known {
            return emit_text(out, kind, piece);
        }
        let part = ChatPart::of(kind);
        let is_new = self.last != part;
        if is_new {
            self.named = false;
        }
        let has_name = source != TextSource::Content && !self.named;
        if !is_new && !has_name {
            return emit_text(out, kind, piece);
        }
        let number = if is_new { self.open(part) } else { None };
        let mut state = StateFields::new(KEY);
        match source {
            TextSource::Field(name) if has_name => drop(state.string("field", name)),
            TextSource::Typed if has_name => drop(state.flag("thinking")),
            _ => {}
        }
        self.named |= has_name;
        match (number, state.take()) {
            (None, None) => emit_text(out, kind, piece),
            (number, state) => emit_block(out, kind, piece, number, state),
        }
    }

    /// Notes that a part begins; its block, if state may come for it later.
    fn open(&mut self, part: ChatPart) -> Option<u64> {
        self.last = part;
        let is_first = self.first == ChatPart::None;
        let is_thinking = part == ChatPart::Thinking && self.thinking == 0;
        if is_first {
            self.first = part;
        }
        let number = (is_first || is_thinking).then_some(u64::from(!is_first));
        if is_thinking {
            self.thinking = number.map_or(0, |number| number + 1);
        }
        number
    }

    /// Keeps the fields of a delta that nobody knows.
    pub(crate) fn keep(&mut self, delta: Val<'_>, own: &[&str]) {
        for (name, value) in delta.entries() {
            if own.contains(&&*name) || matches!(&*name, "index" | "logprobs") || is_nothing(value)
            {
                continue;
            }
            self.kept += (name.len() + value.raw().len()) as u64;
            merge(&mut self.message, name.into_owned(), value.value(), MERGED);
        }
    }

    /// Keeps an element of OpenRouter's `reasoning_details`. The pieces of one index and type are one.
    pub(crate) fn detail(&mut self, detail: Val<'_>, out: &mut Sink<'_>) {
        if !detail.is_object() || !self.known {
            return;
        }
        if self.first == ChatPart::None {
            let number = self.open(ChatPart::Thinking);
            self.named = false;
            emit_block(out, BlockKind::Thinking, Piece::default(), number, None);
        }
        self.kept += detail.raw().len() as u64;
        let [index, kind, data] = detail.fields(&["index", "type", "data"]);
        let next = self.details.len() as u64;
        // Without an index, nothing says that data continues.
        let is_alone = !index.exists() && data.exists();
        let key = format!("{} {}", index.raw(), kind.text());
        let place = match self.places.get(&key) {
            Some(place) if !is_alone => *place,
            _ => next,
        };
        if place == next {
            self.details.push(Map::new());
            if !is_alone {
                self.places.insert(key, place);
            }
        }
        let place = usize::try_from(place).unwrap_or(usize::MAX);
        let Some(known) = self.details.get_mut(place) else { return };
        for (name, value) in detail.entries() {
            let is_joined = matches!(&*name, "text" | "summary" | "data");
            match (known.get_mut(&*name), value.str()) {
                (Some(Value::String(text)), Some(more)) if is_joined => text.push_str(&more),
                (Some(_), _) if !value.exists() => {}
                _ => drop(known.insert(name.into_owned(), value.value())),
            }
        }
    }

    /// The bytes that are held.
    pub(crate) fn held(&self) -> u64 {
        self.kept
    }

    /// Drops those bytes.
    pub(crate) fn drop_held(&mut self) {
        self.kept = 0;
        self.message.clear();
        self.details.clear();
        self.places.clear();
    }

    /// The response has ended: emits what is held. The state that is of the first call is returned, as fields with
    /// commas between them.
    pub(crate) fn flush(&mut self, out: &mut Sink<'_>) -> String {
        self.kept = 0;
        self.places.clear();
        let details = std::mem::take(&mut self.details);
        if !details.is_empty() {
            let details = details.into_iter().map(Value::Object).collect();
            let mut state = StateFields::new(ROUTER);
            state.json("reasoning_details", &value_text(&Value::Array(details)));
            let number = self.thinking.checked_sub(1).or_else(|| self.open(ChatPart::Thinking));
            emit_block(out, BlockKind::Thinking, Piece::default(), number, state.take());
        }
        let message = std::mem::take(&mut self.message);
        if message.is_empty() {
            return String::new();
        }
        let message = value_text(&Value::Object(message));
        let mut state = StateFields::new(KEY);
        let kind = match self.first {
            ChatPart::None => return String::new(),
            ChatPart::Call => return format!("\"message\":{message}"),
            ChatPart::Text => BlockKind::Text,
            ChatPart::Thinking => BlockKind::Thinking,
        };
        state.json("message", &message);
        emit_block(out, kind, Piece::default(), Some(0), state.take());
        String::new()
    }
}

/// So many levels of objects are merged.
pub(crate) const MERGED: usize = 64;

/// Merges a field into those that came before: strings and arrays are joined, objects are merged to `depth` levels; of
/// all else the last value counts.
pub(crate) fn merge(fields: &mut Map<String, Value>, name: String, value: Value, depth: usize) {
    match (fields.get_mut(&name), value) {
        (Some(Value::String(text)), Value::String(more)) => text.push_str(&more),
        (Some(Value::Array(list)), Value::Array(more)) => list.extend(more),
        (Some(Value::Object(inner)), Value::Object(more)) if depth > 0 => {
            more.into_iter().for_each(|(name, value)| merge(inner, name, value, depth - 1));
        }
        (_, value) => drop(fields.insert(name, value)),
    }
}
