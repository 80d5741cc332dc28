//! The tool calls of a chat completion, whose deltas are keyed by index and have id and name only
//! in the first.

use crate::json::record;
use crate::json::record::Val;
use crate::json::saved::{Numbering, Slots, state};
use crate::model::delta::Payload;
use crate::wire::providers::output::{emit, emit_args, generated_id};
use crate::wire::reader::Sink;

/// The calls of one response.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChatCalls {
    /// By their index on the wire.
    open: Slots<ChatCall>,
    /// Which call has this id.
    ids: Numbering,
    /// The call that the last delta was for.
    last: u64,
    /// The response.
    of: String,
    /// Ids made so far.
    made: u64,
    /// The bytes of arguments that came before a name.
    kept: u64,
}

state!(ChatCalls { open, ids, last, of, made, kept });

#[derive(Clone, Debug, Default)]
struct ChatCall {
    id: String,
    /// Its name has come and it was said to start.
    started: bool,
    /// Input is free text, given as a JSON string.
    custom: bool,
    /// Arguments that came before the name did.
    held: String,
}

state!(ChatCall { id, started, custom, held });

/// The place of the legacy `function_call`, which has no index.
const FUNCTION: u64 = u64::MAX;

impl ChatCalls {
    /// The calls of a response.
    pub(crate) fn of(response: &str) -> ChatCalls {
        ChatCalls { of: response.to_owned(), ..ChatCalls::default() }
    }

    /// An element of `tool_calls` that only adds to the arguments of a call that was started; false
    /// if it says more.
    pub(crate) fn fast_path(&mut self, call: Val<'_>, out: &mut Sink<'_>) -> bool {
        let names = ["index", "id", "function"];
        let Some([index, id, function]) = record::only_fields(call.raw(), names, &["type"]) else {
            return false;
        };
        let Some([name, args]) = record::only_fields(function.raw(), ["name", "arguments"], &[])
        else {
            return false;
        };
        let silent = |v: Val<'_>| !v.exists() || v.token().is_empty() && v.is_string();
        let open = index.index().and_then(|at| Some((at, self.open.get(at)?)));
        match open.filter(|(_, c)| c.started && !c.custom) {
            Some((at, call)) if silent(id) && silent(name) && args.is_string() => {
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
    pub(crate) fn tool(&mut self, call: Val<'_>, out: &mut Sink<'_>) {
        let [index, id, function, custom] = call.fields(&["index", "id", "function", "custom"]);
        let id = id.text();
        let is_custom = custom.is_object();
        let body = if is_custom { custom } else { function };
        let [name, args, input] = body.fields(&["name", "arguments", "input"]);
        let index = index.index().unwrap_or_else(|| self.placed(&id));
        let name = name.text();
        // Some servers give each parallel call the index 0, and an id and a name of its own.
        let other = |c: &ChatCall| c.started && c.id != id && !id.is_empty() && !name.is_empty();
        if self.open.get(index).is_some_and(other)
            && let Some(mut call) = self.open.remove(index)
        {
            call.close(out);
        }
        if let Some(call) = self.open.or_default(index) {
            call.custom |= is_custom;
        }
        self.last = index;
        self.name(index, &id, &name, out);
        self.args(index, if is_custom { input } else { args }, out);
    }

    /// The legacy `function_call`.
    pub(crate) fn function(&mut self, call: Val<'_>, out: &mut Sink<'_>) {
        let [name, args] = call.fields(&["name", "arguments"]);
        self.open.or_default(FUNCTION);
        self.name(FUNCTION, "", &name.text(), out);
        self.args(FUNCTION, args, out);
    }

    /// The index of a call without one: that of the call with this id, else one for a new call; of
    /// a delta without an id, that of the last call.
    fn placed(&self, id: &str) -> u64 {
        if id.is_empty() {
            return self.last;
        }
        let next = self.open.last_below(FUNCTION).map_or(0, |at| at + 1);
        self.ids.get(id).copied().unwrap_or(next)
    }

    fn name(&mut self, at: u64, id: &str, name: &str, out: &mut Sink<'_>) {
        let Some(mut call) = self.open.get_mut(at).filter(|c| !c.started) else { return };
        if call.id.is_empty() {
            id.clone_into(&mut call.id);
        }
        if name.is_empty() {
            return;
        }
        if call.id.is_empty() {
            let made = self.make_id();
            let Some(again) = self.open.get_mut(at) else { return };
            call = again;
            call.id = made;
        }
        self.kept = self.kept.saturating_sub(call.held.len() as u64);
        call.start(name, out);
        self.ids.insert(call.id.clone(), at);
    }

    fn args(&mut self, at: u64, args: Val<'_>, out: &mut Sink<'_>) {
        let Some(call) = self.open.get_mut(at) else { return };
        // Free text goes on as it stands between the quotes; arguments may come as an object.
        let raw = if call.custom { args.token() } else { args.raw() };
        let as_is = call.custom || args.is_object();
        if !call.started {
            let text = args.text();
            let more = if as_is { raw } else { &text };
            call.held.push_str(more);
            self.kept += more.len() as u64;
        } else if as_is {
            emit_args(out, &call.id, raw);
        } else if let Some(text) = args.piece() {
            emit(out, Payload::ToolCallArgs { id: call.id.as_str().into(), text });
        }
    }

    /// The bytes of arguments that wait for the names of their calls.
    pub(crate) fn held(&self) -> u64 {
        self.kept
    }

    /// Lets them go.
    pub(crate) fn drop_held(&mut self) {
        self.kept = 0;
        self.open.each_mut().for_each(|call| call.held.clear());
    }

    fn make_id(&mut self) -> String {
        loop {
            let id = generated_id(&self.of, self.made);
            self.made += 1;
            if !self.ids.contains_key(&id) {
                return id;
            }
        }
    }

    /// The response has told why it finished: all its calls are whole.
    pub(crate) fn end_all(&mut self, out: &mut Sink<'_>) {
        while let Some(mut call) = self.open.pop() {
            if !call.started && (!call.id.is_empty() || !call.held.is_empty()) {
                // A call that never got a name is one all the same.
                if call.id.is_empty() {
                    call.id = self.make_id();
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
