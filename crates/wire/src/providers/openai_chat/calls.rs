//! The tool calls of a chat completion. Their deltas are keyed by index; only the first has id and
//! name.

use crate::providers::output::{emit, emit_args, generated_id};
use crate::reader::Sink;
use apex_parts_json::record;
use apex_parts_json::record::Val;
use apex_parts_json::saved::{Numbering, state};
use apex_parts_json::slots::Slots;
use apex_parts_model::delta::Payload;

/// The calls of one response.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChatCalls {
    /// By their index on the wire.
    open: Slots<ChatCall>,
    /// The index of the call with an id.
    ids: Numbering,
    /// The index of the call that the last delta was for.
    last: u64,
    /// The id of the response.
    of: String,
    /// How many ids were generated.
    made: u64,
    /// Bytes held of arguments that came before a name.
    kept: u64,
}

state!(ChatCalls { open, ids, last, of, made, kept });

#[derive(Clone, Debug, Default)]
struct ChatCall {
    id: String,
    /// Its name has come, and its start was emitted.
    started: bool,
    /// Input is free text, given as a JSON string.
    custom: bool,
    /// Arguments that came before the name.
    held: String,
}

state!(ChatCall { id, started, custom, held });

/// The index given to the legacy `function_call`, which has none.
const FUNCTION: u64 = u64::MAX;

impl ChatCalls {
    /// The calls of a response.
    pub(crate) fn new(response: &str) -> ChatCalls {
        ChatCalls { of: response.to_owned(), ..ChatCalls::default() }
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
        let open = index.index().and_then(|at| Some((at, self.open.get(at)?)));
        match open.filter(|(_, c)| c.started && !c.custom) {
            Some((at, call)) if is_empty(id) && is_empty(name) && args.is_string() => {
                if let Some(text) = args.piece() {
                    emit(out, Payload::ToolCallArgs { id: call.id.as_str().into(), text });
                }
                self.last = at;
                true
            }
            _ => false,
        }
    }

    /// One element of `tool_calls`.
    pub(crate) fn tool_call(&mut self, call: Val<'_>, out: &mut Sink<'_>) {
        let [index, id, function, custom] = call.fields(&["index", "id", "function", "custom"]);
        let id = id.text();
        let is_custom = custom.is_object();
        let body = if is_custom { custom } else { function };
        let [name, args, input] = body.fields(&["name", "arguments", "input"]);
        let index = index.index().unwrap_or_else(|| self.index_for(&id));
        let name = name.text();
        // Some servers give all parallel calls the index 0, with different ids and names.
        let is_another =
            |c: &ChatCall| c.started && c.id != id && !id.is_empty() && !name.is_empty();
        if self.open.get(index).is_some_and(is_another)
            && let Some(mut call) = self.open.remove(index)
        {
            call.close(out);
        }
        if let Some(call) = self.open.or_default(index) {
            call.custom |= is_custom;
        }
        self.last = index;
        self.add_name(index, &id, &name, out);
        self.add_args(index, if is_custom { input } else { args }, out);
    }

    /// The legacy `function_call`.
    pub(crate) fn function_call(&mut self, call: Val<'_>, out: &mut Sink<'_>) {
        let [name, args] = call.fields(&["name", "arguments"]);
        self.open.or_default(FUNCTION);
        self.add_name(FUNCTION, "", &name.text(), out);
        self.add_args(FUNCTION, args, out);
    }

    /// The index of a delta without one: that of the call with this id, or the next free one;
    /// without an id that of the last call.
    fn index_for(&self, id: &str) -> u64 {
        if id.is_empty() {
            return self.last;
        }
        let next = self.open.last_below(FUNCTION).map_or(0, |at| at + 1);
        self.ids.get(id).copied().unwrap_or(next)
    }

    fn add_name(&mut self, at: u64, id: &str, name: &str, out: &mut Sink<'_>) {
        let Some(mut call) = self.open.get_mut(at).filter(|c| !c.started) else { return };
        if call.id.is_empty() {
            id.clone_into(&mut call.id);
        }
        if name.is_empty() {
            return;
        }
        if call.id.is_empty() {
            let generated = self.generate_id();
            let Some(same) = self.open.get_mut(at) else { return };
            call = same;
            call.id = generated;
        }
        self.kept = self.kept.saturating_sub(call.held.len() as u64);
        call.start(name, out);
        self.ids.insert(call.id.clone(), at);
    }

    fn add_args(&mut self, at: u64, args: Val<'_>, out: &mut Sink<'_>) {
        let Some(call) = self.open.get_mut(at) else { return };
        // Free text is passed on as escaped on the wire; arguments may come as an object.
        let raw = if call.custom { args.token() } else { args.raw() };
        let is_raw = call.custom || args.is_object();
        if !call.started {
            let text = args.text();
            let more = if is_raw { raw } else { &text };
            call.held.push_str(more);
            self.kept += more.len() as u64;
        } else if is_raw {
            emit_args(out, &call.id, raw);
        } else if let Some(text) = args.piece() {
            emit(out, Payload::ToolCallArgs { id: call.id.as_str().into(), text });
        }
    }

    /// The bytes of arguments that wait for the names of their calls.
    pub(crate) fn held(&self) -> u64 {
        self.kept
    }

    /// Drops those bytes.
    pub(crate) fn drop_held(&mut self) {
        self.kept = 0;
        self.open.each_mut().for_each(|call| call.held.clear());
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

    /// The finish reason has come: all calls are complete.
    pub(crate) fn end_all(&mut self, out: &mut Sink<'_>) {
        while let Some(mut call) = self.open.pop() {
            if !call.started && (!call.id.is_empty() || !call.held.is_empty()) {
                // A call that never got a name is still emitted.
                if call.id.is_empty() {
                    call.id = self.generate_id();
                }
                call.start("", out);
            }
            call.close(out);
        }
    }
}

impl ChatCall {
    fn start(&mut self, name: &str, out: &mut Sink<'_>) {
        self.started = true;
        emit(out, Payload::ToolCallStart { id: self.id.as_str().into(), name: name.into() });
        if self.custom {
            emit_args(out, &self.id, "\"");
        }
        emit_args(out, &self.id, &std::mem::take(&mut self.held));
    }

    fn close(&mut self, out: &mut Sink<'_>) {
        if self.started {
            if self.custom {
                emit_args(out, &self.id, "\"");
            }
            emit(out, Payload::ToolCallEnd { id: self.id.as_str().into() });
        }
    }
}
