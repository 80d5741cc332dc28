//! One item of a response: a message, reasoning or a call, and what was emitted of it.

mod call;

use crate::providers::checks::{holds, may_array, must_object, must_string, text_piece};
use crate::providers::openai_responses::texts::{ItemTexts, KEY, TextPlace};
use crate::providers::openai_responses::tools::tool_name;
use crate::providers::output::{
    append_meta, emit_args, place_meta, set_meta, set_meta_except, unknown_object,
};
use crate::providers::part_state::{StateFields, emit_custom, other_fields, put_element};
use crate::reader::Sink;
use apex_parts_json::record;
use apex_parts_json::record::Val;
use apex_parts_json::saved::{object_with, state};
use apex_parts_model::Violation;
use apex_parts_model::delta::{BlockKind, MergePolicy, Piece, ReaderOutput, WholePlace};
use serde_json::{Map, Value, json};

/// How many elements the lists in `meta.provider` have, for items that add to theirs later.
#[derive(Clone, Debug, Default)]
pub(crate) struct ListedItems {
    calls: u64,
    reasoning: u64,
}

state!(ListedItems { calls, reasoning });

/// The number of an element, which is added unless there is one; `number` counts from 1.
fn element(number: &mut u64, count: &mut u64) -> usize {
    if *number == 0 {
        *count += 1;
        *number = *count;
    }
    usize::try_from(*number - 1).unwrap_or(usize::MAX)
}

/// An open item.
#[derive(Clone, Debug, Default)]
pub(crate) struct ResponseItem {
    /// Its `type`.
    kind: String,
    /// The item's id when it was added.
    id: String,
    /// The id of the call; empty if the item is not a call, or its start was not emitted.
    call: String,
    /// The added item as JSON text, if its call starts only with `done`; empty once it has started.
    waits: String,
    /// The server runs the call, although its type is one that the client runs.
    server: bool,
    /// Text of the open part was streamed.
    part: bool,
    /// Text or arguments were streamed.
    told: bool,
    /// The end of the call was emitted.
    ended: bool,
    /// What closes the JSON text that free text is streamed into.
    tail: String,
    /// The index of the shell command whose string is open.
    command: Option<u64>,
    /// Its element in a list of `meta.provider`, counted from 1.
    listed: u64,
    /// Its reasoning has several summaries.
    several: bool,
    /// How many parts of its text have begun.
    added: u64,
    texts: ItemTexts,
    /// The phase of the message.
    phase: String,
    /// What the item was added with: `encrypted_content`, as JSON text.
    encrypted: String,
    /// The arguments are complete, and the end of the call waits for the item.
    closed: bool,
    /// The item has come, so it is not an open one any more.
    done: bool,
    /// A call of the client's tool has fields that nobody knows, so that its item goes back whole.
    more: bool,
    /// The complete free text, as JSON text.
    custom: String,
    /// The bytes of `encrypted` and of annotations.
    kept: u64,
    /// Pieces of its arguments that came before it, and of free text, as escaped in a JSON string.
    early: String,
    early_text: String,
    /// How many bytes stand before the free text in its arguments.
    head: u64,
}

state!(ResponseItem {
    kind,
    id,
    call,
    waits,
    server,
    part,
    told,
    ended,
    tail,
    command,
    listed,
    several,
    added,
    texts,
    phase,
    encrypted,
    closed,
    more,
    custom,
    kept,
    early,
    early_text,
    head,
    done
});

impl ResponseItem {
    /// The item's id.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// The item's type and its call's id, if it is a started call.
    pub(crate) fn call(&self) -> Option<(&str, &str)> {
        (!self.call.is_empty()).then_some((self.kind.as_str(), self.call.as_str()))
    }

    /// The id of a call that the client has to answer; `None` if it is not one.
    pub(crate) fn to_answer(&self) -> Option<&str> {
        // A request for an approval is answered, but not with a result.
        let is_asked = !self.server && self.kind != "mcp_approval_request";
        (!self.call.is_empty() && is_asked).then_some(self.call.as_str())
    }

    /// Notes that text of it was streamed.
    pub(crate) fn text_streamed(&mut self) {
        self.told = true;
        self.part = true;
    }

    /// An item of this number, counted from 1, of which nothing has come.
    pub(crate) fn new(number: u64) -> ResponseItem {
        ResponseItem { texts: ItemTexts::new(number), ..ResponseItem::default() }
    }

    /// Its place among the items.
    pub(crate) fn index(&self) -> u64 {
        self.texts.index()
    }

    /// The number of its text, if the stream does not give it.
    pub(crate) fn text_number(&self) -> u64 {
        self.added.saturating_sub(1)
    }

    /// Emits text that was streamed; `last` is the block of the last part, counted from 1.
    pub(crate) fn text(
        &mut self,
        place: TextPlace,
        piece: Piece<'_>,
        last: &mut u64,
        out: &mut Sink<'_>,
    ) {
        self.text_streamed();
        let ResponseItem { id, phase, texts, .. } = self;
        texts.streamed(place, piece, &|| text_state(id, phase, place), last, out);
    }

    /// Keeps an annotation of a text. Gives the bytes that it takes.
    pub(crate) fn annotate(&mut self, at: u64, annotation: Val<'_>) -> u64 {
        let more = self.texts.annotate(at, annotation);
        self.kept += more;
        more
    }

    /// A part of its text begins.
    pub(crate) fn part_added(&mut self, listed: &mut ListedItems, out: &mut Sink<'_>) {
        self.part = false;
        self.added += 1;
        if self.kind == "reasoning" && self.told {
            self.several = true;
            self.mark(Map::new(), listed, out);
        }
    }

    /// Sets fields of the element of this reasoning, where a summary has ended.
    fn mark(&mut self, fields: Map<String, Value>, listed: &mut ListedItems, out: &mut Sink<'_>) {
        let number = element(&mut self.listed, &mut listed.reasoning);
        let (name, value) = ("reasoning".into(), Value::Object(fields));
        out(ReaderOutput::Provider { name, value, keep: MergePolicy::Marked(number) });
    }

    /// A part of its text is complete. Was it streamed?
    pub(crate) fn part_done(&mut self) -> bool {
        std::mem::take(&mut self.part)
    }

    /// May it be an item of this type? Its own has perhaps not come.
    pub(crate) fn is_of_kind(&self, kind: &str) -> bool {
        self.kind == kind || self.is_unnamed()
    }

    /// Has it a number? One of an older snapshot has none.
    pub(crate) fn is_numbered(&self) -> bool {
        self.texts.is_numbered()
    }

    /// Compares a text that is said whole with its pieces; false if there were none.
    pub(crate) fn text_whole(&self, place: TextPlace, text: Val<'_>, out: &mut Sink<'_>) -> bool {
        self.texts.compare(place.number(), text, &self.id, out)
    }

    /// Nothing but pieces has come of it.
    pub(crate) fn is_unnamed(&self) -> bool {
        self.kind.is_empty()
    }

    /// Pieces of its arguments wait for the item.
    pub(crate) fn has_early_pieces(&self) -> bool {
        !self.early.is_empty() || !self.early_text.is_empty()
    }

    /// The id that its pieces name, if the item itself has not come.
    pub(crate) fn name_by_piece(&mut self, id: &str) {
        if self.is_unnamed() && self.id.is_empty() {
            id.clone_into(&mut self.id);
        }
    }

    /// `response.output_item.added`; `early` is what came of it before.
    pub(crate) fn added(
        item: Val<'_>,
        early: ResponseItem,
        listed: &mut ListedItems,
        out: &mut Sink<'_>,
    ) -> ResponseItem {
        let [kind, id, phase, encrypted] =
            item.fields(&["type", "id", "phase", "encrypted_content"]);
        let (kind, id) = (kind.text().into_owned(), id.text().into_owned());
        let mut open = ResponseItem { kind, id, ..early };
        open.phase = phase.text().into_owned();
        if open.kind == "reasoning" && encrypted.exists() {
            open.encrypted = encrypted.json();
            open.kept = open.encrypted.len() as u64;
        }
        if open.waits_for_done(item) {
            open.waits = item.raw().to_owned();
        } else {
            open.start(item, listed, out);
        }
        open
    }

    /// The bytes of a call that waits for its `done`, and of state that may come there again.
    pub(crate) fn held(&self) -> u64 {
        (self.waits.len() + self.early.len() + self.early_text.len()) as u64 + self.kept
    }

    /// Drops those bytes.
    pub(crate) fn drop_held(&mut self) {
        self.waits = String::new();
        self.encrypted = String::new();
        (self.early, self.early_text) = (String::new(), String::new());
        self.texts.drop_held();
        self.kept = 0;
    }

    /// Starts a waiting call with the id that it was added with, if it has one.
    pub(crate) fn start_waiting(&mut self, listed: &mut ListedItems, out: &mut Sink<'_>) {
        let waits = std::mem::take(&mut self.waits);
        if let Ok(item) = record::read(&waits, record::MAX_DEPTH) {
            self.start(item, listed, out);
        }
    }

    /// The stream ended before the item did: emits what is held.
    pub(crate) fn flush(&mut self, listed: &mut ListedItems, out: &mut Sink<'_>) {
        self.start_waiting(listed, out);
        if !self.ended {
            emit_args(out, &self.call, &std::mem::take(&mut self.tail));
        }
        if self.closed {
            let mut state = StateFields::new(KEY);
            if !self.custom.is_empty() {
                state.json("custom", &self.custom);
            }
            self.end(state, out);
        }
        let encrypted = std::mem::take(&mut self.encrypted);
        if !encrypted.is_empty() {
            self.reasoning_state(&encrypted, out);
        }
        self.texts.end(out);
    }

    /// `response.output_item.done`.
    pub(crate) fn done(
        &mut self,
        at: u64,
        item: Val<'_>,
        listed: &mut ListedItems,
        out: &mut Sink<'_>,
    ) {
        let [kind, id] = item.fields(&["type", "id"]);
        if self.kind.is_empty() {
            self.kind = kind.text().into_owned();
        }
        if id.exists() {
            append_meta(out, "itemIds", json!({ "type": kind.value(), "id": id.value() }));
        }
        match self.kind.as_str() {
            "message" => self.message_done(at, item, out),
            "reasoning" => self.reasoning_done(item, listed, out),
            kind if tool_name(kind, item).is_some() => self.call_done(item, listed, out),
            kind if kind.ends_with("_output") => {}
            kind => {
                append_meta(out, "items", item.value());
                emit_custom(out, KEY, kind, "item", &item.json());
            }
        }
    }

    fn message_done(&mut self, at: u64, item: Val<'_>, out: &mut Sink<'_>) {
        let [content, phase, id] = item.fields(&["content", "phase", "id"]);
        holds(may_array(content, "content"), out);
        let mut of_item = StateFields::new(KEY);
        if id.text() != self.id {
            of_item.value("itemId", id);
        }
        if phase.text() != self.phase {
            of_item.value("phase", phase);
        }
        let mut rest = other_fields(item, OWN_OF_MESSAGE);
        if self.told {
            if let Some(state) = of_item.take() {
                self.texts.more_state(BlockKind::Text, &state, out);
            }
        } else {
            self.id = id.text().into_owned();
            self.phase = phase.text().into_owned();
        }
        for (number, part) in content.items().enumerate() {
            if !holds(must_object(part, "content[]"), out) {
                continue;
            }
            let place =
                || object_with(vec![("output_index", at.into()), ("content_index", number.into())]);
            let mut more = unknown_object(part, OWN_OF_PART);
            let [text, refusal, annotations] = part.fields(&["text", "refusal", "annotations"]);
            let has_annotations = annotations.items().next().is_some();
            let of_part = other_fields(part, OWN_OF_PART);
            let has_more = has_annotations || !of_part.is_empty() || !rest.is_empty();
            let mut add = |mut state: StateFields| {
                if has_annotations {
                    state.value("annotations", annotations);
                }
                state.object("part", &of_part);
                state.object("item", &std::mem::take(&mut rest));
                state.take()
            };
            let told = self.texts.content(number as u64);
            if has_annotations {
                let number = told.unwrap_or(TextPlace::Content(number as u64).number());
                self.texts.drop_annotations(number);
            }
            if let Some(number) = told.filter(|_| has_more) {
                self.texts.whole(number, Piece::default(), add(StateFields::new(KEY)), out);
            }
            if let Some(number) = told {
                let whole = if text.piece().is_some() { text } else { refusal };
                self.texts.compare(number, whole, &self.id, out);
            }
            if told.is_none() && (!self.told || self.texts.is_numbered()) {
                let places = [
                    ("text", text, TextPlace::Content(number as u64)),
                    ("refusal", refusal, TextPlace::Refusal(number as u64)),
                ];
                for (name, text, place) in places {
                    let piece = text_piece(text, name, out);
                    if piece.is_some() || has_more && !self.told && text.is_string() {
                        let state = add(text_state(&self.id, &self.phase, place));
                        self.texts.late(place, piece.unwrap_or_default(), state, out);
                    }
                }
                content_part(part, &place, out);
            }
            if !more.is_empty() {
                more.extend(place());
                place_meta(out, "parts", more);
            }
        }
        self.texts.end(out);
        if phase.exists() {
            append_meta(out, "phases", phase.value());
        }
        set_meta_except(out, item, OWN_OF_MESSAGE);
    }

    fn reasoning_done(&mut self, item: Val<'_>, listed: &mut ListedItems, out: &mut Sink<'_>) {
        let [id, content, encrypted] = item.fields(&["id", "content", "encrypted_content"]);
        let is_other = !id.text().is_empty() && id.text() != self.id;
        if is_other {
            self.id = id.text().into_owned();
        }
        // Text that was streamed has the id already.
        let has_id = self.told && !is_other;
        self.reasoning_texts(item, listed, out);
        self.encrypted = String::new();
        let encrypted = if encrypted.exists() { encrypted.json() } else { String::new() };
        if !encrypted.is_empty() || !has_id {
            self.reasoning_state(&encrypted, out);
        }
        let mut more = StateFields::new(KEY);
        let mut rest = other_fields(item, OWN_OF_REASONING);
        if content.is_array() && content.items().next().is_none() {
            // It goes back as it came: an empty list is not the same as none.
            put_element(&mut rest, "\"content\":[]");
        }
        more.object("item", &rest);
        if let (Some(number), Some(state)) = (self.texts.first_reasoning(), more.take()) {
            self.texts.whole(number, Piece::default(), Some(state), out);
        }
        let mut fields = unknown_object(item, &["type", "status", "summary", "content"]);
        let has_more = fields.keys().any(|name| name != "id");
        if self.several {
            self.mark(fields, listed, out);
        } else if has_more {
            element(&mut self.listed, &mut listed.reasoning);
            fields.entry("id").or_insert(Value::Null);
            place_meta(out, "reasoning", fields);
        }
    }

    /// The texts of reasoning that is said whole: those that were read are compared, the others are new.
    fn reasoning_texts(&mut self, item: Val<'_>, listed: &mut ListedItems, out: &mut Sink<'_>) {
        let [summary, content] = item.fields(&["summary", "content"]);
        let was_told = self.told;
        let summaries = (0..).zip(summary.items()).map(|(at, part)| (TextPlace::Summary(at), part));
        let contents =
            (0..).zip(content.items()).map(|(at, part)| (TextPlace::Reasoning(at), part));
        for (place, part) in summaries.chain(contents) {
            let text = part.get("text");
            let Some(piece) = text.piece() else { continue };
            if was_told && self.texts.compare(place.number(), text, &self.id, out) {
                continue;
            }
            self.part_added(listed, out);
            self.text_streamed();
            let state = text_state(&self.id, &self.phase, place).take();
            self.texts.late(place, piece, state, out);
        }
    }

    /// Emits the state of reasoning, with its id, on each of its parts, or on a part without text if it has none.
    fn reasoning_state(&mut self, encrypted: &str, out: &mut Sink<'_>) {
        let mut state = StateFields::new(KEY);
        state.string("itemId", &self.id);
        if !encrypted.is_empty() {
            state.json("reasoningEncryptedContent", encrypted);
        }
        if let Some(state) = state.take() {
            if !self.told {
                self.texts.begin(TextPlace::Summary(0));
            }
            self.texts.more_state(BlockKind::Thinking, &state, out);
        }
    }

    /// The item stands in the list at the end of the response: what it says is compared with what was read.
    pub(crate) fn listed(&mut self, item: Val<'_>, listed: &mut ListedItems, out: &mut Sink<'_>) {
        let [content, args, input, code] = item.fields(&["content", "arguments", "input", "code"]);
        match self.kind.as_str() {
            "message" => {
                for (number, part) in content.items().enumerate() {
                    let [text, refusal] = part.fields(&["text", "refusal"]);
                    let is_text = text.piece().is_some();
                    let whole = if is_text { text } else { refusal };
                    let at = number as u64;
                    let place =
                        if is_text { TextPlace::Content(at) } else { TextPlace::Refusal(at) };
                    let number = self.texts.content(at).unwrap_or(place.number());
                    let is_read = self.texts.compare(number, whole, &self.id, out);
                    if let Some(piece) = whole.piece().filter(|_| !is_read) {
                        let state = text_state(&self.id, &self.phase, place).take();
                        self.texts.late(place, piece, state, out);
                    }
                }
            }
            "reasoning" => self.reasoning_texts(item, listed, out),
            "function_call" | "mcp_call" | "mcp_approval_request" => {
                self.compare(0, &args.text(), out);
            }
            "custom_tool_call" => self.compare_closed(input, out),
            "code_interpreter_call" => self.compare_closed(code, out),
            _ => {}
        }
    }

    /// What was read of an item, once it is no longer open.
    pub(crate) fn closed(self) -> ResponseItem {
        let ResponseItem { kind, id, call, told, closed, ended, texts, phase, head, .. } = self;
        ResponseItem {
            kind,
            id,
            call,
            told,
            closed,
            ended,
            texts,
            phase,
            head,
            ..ResponseItem::default()
        }
    }

    /// The first of its parts.
    pub(crate) fn first_part(&self) -> Option<WholePlace<'_>> {
        if self.call.is_empty() {
            return self.texts.first_part();
        }
        Some(WholePlace::Call { id: self.call.as_str().into() })
    }
}

/// What is known of a text from its beginning on.
fn text_state(id: &str, phase: &str, place: TextPlace) -> StateFields {
    /// Longer ones are not sent back, and must not be copied for each part.
    const LONGEST: usize = 1024;
    let short = |text: &str| text.len() <= LONGEST;
    let mut state = StateFields::new(KEY);
    if short(id) {
        state.string("itemId", id);
    }
    if place.is_message() && short(phase) {
        state.string("phase", phase);
    }
    match place {
        TextPlace::Refusal(_) => drop(state.flag("refusal")),
        TextPlace::Reasoning(_) => drop(state.flag("content")),
        TextPlace::Content(_) | TextPlace::Summary(_) => {}
    }
    state
}

/// The fields of items that are read.
const OWN_OF_MESSAGE: &[&str] = &["id", "type", "status", "role", "content", "phase"];
const OWN_OF_REASONING: &[&str] =
    &["id", "type", "status", "summary", "content", "encrypted_content"];
const OWN_OF_CALL: &[&str] = &["id", "type", "status", "call_id", "name", "arguments", "input"];

/// The fields of a part of a message that are read.
const OWN_OF_PART: &[&str] = &["type", "text", "refusal", "annotations", "logprobs"];

/// Emits what a part of a message that was not streamed has beside its text.
fn content_part(part: Val<'_>, place: &dyn Fn() -> Map<String, Value>, out: &mut Sink<'_>) {
    let [refusal, annotations, logprobs] = part.fields(&["refusal", "annotations", "logprobs"]);
    if refusal.piece().is_some() {
        set_meta(out, "refusal", Value::Bool(true));
    }
    for annotation in annotations.items() {
        let mut element = place();
        element.insert("annotation".to_owned(), annotation.value());
        append_meta(out, "annotations", Value::Object(element));
    }
    if logprobs.items().next().is_some() {
        append_meta(out, "logprobs", logprobs.value());
    }
}

/// Checks that an item has the fields that its type requires.
pub(crate) fn check_item(item: Val<'_>) -> Result<(), Violation> {
    must_object(item, "item")?;
    let [kind, call, name, id] = item.fields(&["type", "call_id", "name", "id"]);
    must_string(kind, "item.type")?;
    if matches!(&*kind.text(), "function_call" | "custom_tool_call") {
        must_string(name, "item.name")?;
        must_string(if call.exists() { call } else { id }, "item.call_id")?;
    }
    Ok(())
}
