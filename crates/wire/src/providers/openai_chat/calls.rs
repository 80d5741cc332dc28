//! The tool calls of a chat completion. A delta of one has an index, an id, a name and a piece of arguments, and
//! servers leave out or repeat each of them. [`ChatCalls::call_of`] decides which call is meant.

use super::parts::{KEY, MERGED, merge};
use crate::json_scan::JsonScan;
use crate::providers::output::{emit, emit_args, generated_id, merge_call, unknown_object, wrong};
use crate::providers::part_state::StateFields;
use crate::reader::Sink;
use apex_parts_json::record;
use apex_parts_json::record::Val;
use apex_parts_json::saved::{Numbering, state};
use apex_parts_json::slots::Slots;
use apex_parts_json::writer::value_text;
use apex_parts_model::delta::Payload;
use apex_parts_model::order::{inserted, sort_by};
use serde_json::{Map, Value};

/// The calls of one response.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChatCalls {
    /// In the order of their first deltas.
    calls: Vec<ChatCall>,
    /// The number of the last call begun or continued under an index.
    slots: Slots<u64>,
    /// The number of the call with an id.
    ids: Numbering,
    /// The number of the call that the last delta was for, counted from 1.
    last: u64,
    /// The number of the call that has a name and waits for its id, counted from 1.
    waits: u64,
    /// How many deltas had calls.
    deltas: u64,
    /// How many calls have started.
    started: u64,
    /// The id of the response.
    of: String,
    /// How many ids were generated.
    made: u64,
    /// How many calls have an element in `meta.provider.toolCalls`.
    told: u64,
    /// Bytes that are held.
    kept: u64,
}

state!(ChatCalls { calls, slots, ids, last, waits, deltas, started, of, made, told, kept });

#[derive(Clone, Debug, Default)]
struct ChatCall {
    id: String,
    /// The id is the provider's own.
    own: bool,
    name: String,
    /// Which of the deltas with calls had its name.
    named: u64,
    /// Which of the calls that have started it is, counted from 1.
    started: u64,
    /// Input is free text, given as a JSON string.
    custom: bool,
    /// A piece of arguments has come.
    has_args: bool,
    /// What the arguments are so far.
    scan: JsonScan,
    /// Arguments that wait: for the start of the call, or because they are `{}`, which may be a placeholder.
    held: String,
    /// Its element in `meta.provider.toolCalls`, counted from 1.
    told: u64,
    /// Fields for that element, until the call has an id.
    fields: Value,
    /// All fields that nobody knows, which go back to the server.
    state: Map<String, Value>,
    /// Some of them came after the start.
    late: bool,
}

state!(ChatCall {
    id,
    own,
    name,
    named,
    started,
    custom,
    has_args,
    scan,
    held,
    told,
    fields,
    state,
    late
});

impl ChatCall {
    /// Its state: the fields that nobody knows. The key alone says that its arguments are text of this format.
    fn provider(&self, more: &str) -> String {
        let mut state = StateFields::new(KEY);
        for (name, value) in &self.state {
            state.json(name, &value_text(value));
        }
        state.fields(more);
        state.whole()
    }
}

/// The index given to the legacy `function_call`, which has none.
const FUNCTION: u64 = u64::MAX;

/// A text of the wire; blank is none.
fn filled(value: Val<'_>) -> String {
    value.str().filter(|text| !text.trim().is_empty()).unwrap_or_default().into_owned()
}

/// An index: a whole number from 0, which some servers write as a string or with a fraction of 0.
fn index_of(value: Val<'_>) -> Option<u64> {
    let text = value.word();
    let text = text.trim();
    text.strip_suffix(".0").unwrap_or(text).parse().ok()
}

fn place(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

impl ChatCalls {
    /// The calls of a response.
    pub(crate) fn new(response: &str) -> ChatCalls {
        ChatCalls { of: response.to_owned(), ..ChatCalls::default() }
    }

    /// Does a call wait for its id? The next piece of the response decides whether it gets one.
    pub(crate) fn waits(&self) -> bool {
        self.waits > 0
    }

    /// How many calls have started?
    pub(crate) fn started(&self) -> u64 {
        self.started
    }

    /// Is there a call that the client has to answer?
    pub(crate) fn is_any(&self) -> bool {
        self.started > 0 || self.waits > 0
    }

    /// An element of `tool_calls` that only adds to the arguments of a started call; false if it
    /// has anything else.
    pub(crate) fn fast_path(&mut self, call: Val<'_>, out: &mut Sink<'_>) -> bool {
        let names = ["index", "id", "function"];
        let Some([index, id, function]) = record::only_fields(call.raw(), names, &["type"]) else {
            return false;
        };
        let Some([name, args]) = record::only_fields(function.raw(), ["name", "arguments"], &[])
        else {
            return false;
        };
        let is_empty = |v: Val<'_>| !v.exists() || v.token().is_empty() && v.is_string();
        let Some(number) = index.index().and_then(|at| self.slots.get(at).copied()) else {
            return false;
        };
        let Some(call) = self.calls.get_mut(place(number)) else { return false };
        let goes_on = call.started > 0 && call.held.is_empty() && call.has_args && !call.custom;
        if !goes_on || !is_empty(id) || !is_empty(name) || !args.is_string() {
            return false;
        }
        if let Some(text) = args.piece() {
            call.scan.read(text.text.as_bytes());
            emit(out, Payload::ToolCallArgs { id: call.id.as_str().into(), text });
        }
        self.last = number + 1;
        true
    }

    /// The elements of `tool_calls`.
    pub(crate) fn tool_calls(&mut self, calls: Val<'_>, out: &mut Sink<'_>) {
        self.deltas += 1;
        for call in calls.items() {
            if !call.is_object() {
                let what = call.describe();
                wrong(
                    out,
                    format!("an element of `tool_calls` must be an object, but it is {what}"),
                );
                continue;
            }
            let [index, id, function, custom] = call.fields(&["index", "id", "function", "custom"]);
            let is_custom = custom.is_object();
            let body = if is_custom { custom } else { function };
            let mut more = unknown_object(call, &["index", "id", "type", "function", "custom"]);
            let of_body = unknown_object(body, &["name", "arguments", "input"]);
            if !of_body.is_empty() {
                more.insert("function".to_owned(), Value::Object(of_body));
            }
            let name = filled(body.get("name"));
            let args = body.get(if is_custom { "input" } else { "arguments" });
            let entry = CallDelta { index: index_of(index), id: filled(id), name, args, is_custom };
            self.entry(&entry, Value::Object(more), out);
        }
    }

    /// The legacy `function_call`.
    pub(crate) fn function_call(&mut self, call: Val<'_>, out: &mut Sink<'_>) {
        self.deltas += 1;
        let [name, args] = call.fields(&["name", "arguments"]);
        let more = unknown_object(call, &["name", "arguments"]);
        let more = Some(more)
            .filter(|more| !more.is_empty())
            .map(|more| Value::Object(inserted([("function".to_owned(), Value::Object(more))])));
        let entry = CallDelta {
            index: Some(FUNCTION),
            id: String::new(),
            name: filled(name),
            args,
            is_custom: false,
        };
        self.entry(&entry, more.unwrap_or_default(), out);
    }

    fn entry(&mut self, entry: &CallDelta<'_>, more: Value, out: &mut Sink<'_>) {
        let has_more = more.as_object().is_some_and(|more| !more.is_empty());
        let Some(number) = self.call_of(entry) else {
            if entry.args.piece().is_some() || entry.args.is_object() || has_more {
                wrong(out, "a piece of arguments belongs to no tool call");
            }
            return;
        };
        if let Some(index) = entry.index {
            self.slots.insert(index, number);
        }
        self.last = number + 1;
        if self.waits > 0 && self.waits != number + 1 {
            self.release(out);
        }
        let Some(call) = self.calls.get_mut(place(number)) else { return };
        if let Value::Object(more) = &more {
            // The server's own fields stand beside the function, whose fields are the call's.
            for (name, value) in more.iter().filter(|(name, _)| *name != "function") {
                self.kept += (name.len() + value_text(value).len()) as u64;
                merge(&mut call.state, name.clone(), value.clone(), MERGED);
                call.late |= call.started > 0;
            }
        }
        let was_waiting = self.waits == number + 1;
        call.custom |= entry.is_custom;
        if call.name.is_empty() && !entry.name.is_empty() {
            entry.name.clone_into(&mut call.name);
            call.named = self.deltas;
        }
        if !entry.id.is_empty() && !call.own {
            call.own = true;
            if call.id.is_empty() {
                entry.id.clone_into(&mut call.id);
            }
            self.ids.insert(entry.id.clone(), number);
        }
        if was_waiting {
            self.release(out);
        } else if let Some(call) = self.calls.get(place(number))
            && call.started == 0
            && !call.name.is_empty()
        {
            if call.id.is_empty() {
                self.waits = number + 1;
            } else {
                self.start(number, out);
            }
        }
        if has_more {
            self.more(number, more, out);
        }
        self.args(number, entry.args, out);
    }

    /// The number of the call that an entry is about, which may be another one; `None` if it is about none.
    fn call_of(&mut self, entry: &CallDelta<'_>) -> Option<u64> {
        if let Some(number) = self.ids.get(&entry.id).filter(|_| !entry.id.is_empty()) {
            return Some(*number);
        }
        let slot = match entry.index {
            Some(index) => self.slots.get(index).copied(),
            None => self.last.checked_sub(1),
        };
        let known = slot.and_then(|number| Some((number, self.calls.get(place(number))?)));
        if let Some((number, call)) = known {
            let same_name = call.name == entry.name || call.name.is_empty();
            let is_other = if !entry.id.is_empty() {
                // An id without a name belongs to the call in the slot, however often it changes.
                !entry.name.is_empty() && (call.own || !same_name || call.has_args)
            } else if !entry.name.is_empty() && !call.name.is_empty() {
                let begins =
                    entry.args.is_object() || entry.args.text().trim_start().starts_with('{');
                call.named == self.deltas
                    || !same_name && !call.own
                    || begins && call.scan.is_object()
            } else {
                false
            };
            if !is_other {
                return Some(number);
            }
        } else if entry.id.is_empty() && entry.name.is_empty() {
            return None;
        }
        self.calls.push(ChatCall::default());
        Some(self.calls.len() as u64 - 1)
    }

    /// Starts the call that waits for an id, with the one that has come or with a generated one.
    pub(crate) fn release(&mut self, out: &mut Sink<'_>) {
        let Some(number) = std::mem::take(&mut self.waits).checked_sub(1) else { return };
        if self.calls.get(place(number)).is_some_and(|call| call.id.is_empty()) {
            let id = self.generate_id();
            if let Some(call) = self.calls.get_mut(place(number)) {
                call.id = id;
            }
        }
        self.start(number, out);
    }

    fn start(&mut self, number: u64, out: &mut Sink<'_>) {
        self.started += 1;
        let Some(call) = self.calls.get_mut(place(number)) else { return };
        call.started = self.started;
        self.ids.insert(call.id.clone(), number);
        let (id, name) = (call.id.as_str().into(), call.name.as_str().into());
        let provider = Some(call.provider("").into());
        emit(out, Payload::ToolCallStart { id, name, provider });
        if call.custom {
            emit_args(out, &call.id, "\"");
        }
        if call.held.trim() != "{}" || call.custom {
            self.kept = self.kept.saturating_sub(call.held.len() as u64);
            emit_args(out, &call.id, &std::mem::take(&mut call.held));
        }
        let fields = std::mem::take(&mut call.fields);
        if !fields.is_null() {
            self.more(number, fields, out);
        }
    }

    /// Fields that nobody knows.
    fn more(&mut self, number: u64, more: Value, out: &mut Sink<'_>) {
        let Some(call) = self.calls.get_mut(place(number)) else { return };
        let Value::Object(mut more) = more else { return };
        if call.started == 0 {
            // Rarely more than once before the start.
            if let Value::Object(fields) = &mut call.fields {
                fields.extend(more);
            } else {
                call.fields = Value::Object(more);
            }
            return;
        }
        if call.told == 0 {
            self.told += 1;
            call.told = self.told;
            more.insert("toolCallId".to_owned(), Value::from(call.id.as_str()));
        }
        merge_call(out, place(call.told - 1), more);
    }

    fn args(&mut self, number: u64, args: Val<'_>, out: &mut Sink<'_>) {
        let Some(call) = self.calls.get_mut(place(number)) else { return };
        if !args.is_string() && !args.is_object() {
            if args.exists() {
                let what = args.describe();
                wrong(
                    out,
                    format!("the arguments of a tool call must be a string, but they are {what}"),
                );
            }
            return;
        }
        // Free text is passed on as escaped on the wire; arguments may come as an object.
        let raw = if call.custom { args.token() } else { args.raw() };
        let is_raw = call.custom || args.is_object();
        let piece = args.piece();
        if is_raw && raw.is_empty() || !is_raw && piece.is_none() {
            return;
        }
        let text = args.text();
        let more = if is_raw { raw } else { &text };
        let is_blank = more.trim().is_empty();
        let waits = call.started == 0;
        let placeholder = !call.custom && call.held.trim() == "{}";
        if placeholder && !is_blank {
            self.kept = self.kept.saturating_sub(call.held.len() as u64);
            call.held.clear();
            call.scan = JsonScan::default();
        }
        let is_placeholder = !call.has_args && !call.custom && more.trim() == "{}";
        call.has_args = true;
        if !call.custom {
            call.scan.read(more.as_bytes());
        }
        if waits || is_placeholder || placeholder && is_blank {
            call.held.push_str(more);
            self.kept += more.len() as u64;
        } else if is_raw {
            emit_args(out, &call.id, raw);
        } else if let Some(text) = piece {
            emit(out, Payload::ToolCallArgs { id: call.id.as_str().into(), text });
        }
    }

    /// The bytes of arguments that are held.
    pub(crate) fn held(&self) -> u64 {
        self.kept
    }

    /// Drops those bytes.
    pub(crate) fn drop_held(&mut self) {
        self.kept = 0;
        for call in &mut self.calls {
            call.held.clear();
            call.state.clear();
        }
    }

    fn generate_id(&mut self) -> String {
        loop {
            let id = generated_id(&self.of, self.made);
            self.made += 1;
            if !self.ids.contains_key(&id) {
                return id;
            }
        }
    }

    /// The response has failed: emits what is held of calls that have begun.
    pub(crate) fn flush(&mut self, out: &mut Sink<'_>) {
        self.release(out);
        for call in self.calls.iter().filter(|call| call.started > 0) {
            emit_args(out, &call.id, &call.held);
        }
    }

    /// The response has ended, and all calls with it. `more` is state of the first one.
    pub(crate) fn end_all(&mut self, more: &str, out: &mut Sink<'_>) {
        self.release(out);
        let mut calls = std::mem::take(&mut self.calls);
        sort_by(&mut calls, |a, b| a.started.cmp(&b.started));
        for call in &calls {
            if call.started == 0 {
                wrong(out, format!("the tool call {:?} has no name", call.id));
                continue;
            }
            emit_args(out, &call.id, if call.custom { "\"" } else { &call.held });
            let more = if call.started == 1 { more } else { "" };
            let provider = (call.late || !more.is_empty()).then(|| call.provider(more).into());
            emit(out, Payload::ToolCallEnd { id: call.id.as_str().into(), provider });
        }
        (self.slots, self.last, self.kept) = (Slots::default(), 0, 0);
    }
}

/// An element of `tool_calls`.
struct CallDelta<'a> {
    index: Option<u64>,
    id: String,
    name: String,
    args: Val<'a>,
    is_custom: bool,
}
