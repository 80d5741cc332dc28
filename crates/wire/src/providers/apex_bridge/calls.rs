//! apex-bridge's tool calls: `tool_start` has one call or a list of calls, `tool_end` one result or
//! a list of results, which name their calls or come in the calls' order.

use crate::providers::output::{append_meta, emit, emit_call, generated_id};
use crate::reader::Sink;
use apex_parts_json::record::Val;
use apex_parts_json::saved::{Numbering, state};
use apex_parts_json::slots::Slots;
use apex_parts_model::delta::{Payload, ReaderOutput};
use std::borrow::Cow;

/// The calls of one message.
#[derive(Clone, Debug, Default)]
pub(crate) struct BridgeCalls {
    /// The ids of calls without a result, by number.
    waiting: Slots<String>,
    /// The numbers of all calls, by id.
    known: Numbering,
    /// The id of the response.
    of: String,
    /// How many ids were generated.
    made: u64,
}

state!(BridgeCalls { waiting, known, of, made });

impl BridgeCalls {
    /// The calls of a response.
    pub(crate) fn new(response: &str) -> BridgeCalls {
        BridgeCalls { of: response.to_owned(), ..BridgeCalls::default() }
    }

    /// `tool_start`.
    pub(crate) fn start(&mut self, data: Val<'_>, out: &mut Sink<'_>) {
        let lists = data.fields(&["toolCalls", "tool_calls", "toolActions", "calls"]);
        if let Some(calls) = lists.into_iter().find(|v| v.is_array()) {
            calls.items().for_each(|call| self.call(call, out));
        } else {
            data.items().for_each(|call| self.call(call, out));
            if data.is_object() {
                self.call(data, out);
            }
        }
    }

    fn call(&mut self, call: Val<'_>, out: &mut Sink<'_>) {
        let function = call.get("function");
        let body = if function.is_object() { function } else { call };
        let names = body.fields(&["name", "toolName", "tool_name", "tool"]);
        let name = names.into_iter().find_map(Val::str).unwrap_or_default();
        let id = id_of(call).filter(|id| !self.known.contains_key(&**id));
        let id = id.map_or_else(|| self.generate_id(), Cow::into_owned);
        let inputs = body.fields(&["arguments", "args", "input", "parameters", "params"]);
        let input = inputs.into_iter().find(|v| v.exists());
        // OpenAI's calls have their arguments as JSON text in a string.
        let text = input.and_then(Val::piece);
        if let Some(text) = text {
            emit(out, Payload::ToolCallStart { id: id.as_str().into(), name, provider: None });
            emit(out, Payload::ToolCallArgs { id: id.as_str().into(), text });
            emit(out, Payload::ToolCallEnd { id: id.as_str().into(), provider: None });
        } else {
            let input = input.filter(|v| !v.is_string()).map_or("", Val::raw);
            emit_call(out, &id, &name, input);
        }
        let number = self.known.len() as u64;
        self.known.insert(id.clone(), number);
        self.waiting.insert(number, id);
    }

    fn generate_id(&mut self) -> String {
        loop {
            let id = generated_id(&self.of, self.made);
            self.made += 1;
            if !self.known.contains_key(&id) {
                return id;
            }
        }
    }

    /// `tool_end`.
    pub(crate) fn end(&mut self, data: Val<'_>, out: &mut Sink<'_>) {
        let results = data.get("results");
        if results.is_array() {
            results.items().for_each(|result| self.result(result, out));
        } else if data.is_array() {
            data.items().for_each(|result| self.result(result, out));
        } else {
            self.result(data, out);
        }
    }

    fn result(&mut self, result: Val<'_>, out: &mut Sink<'_>) {
        let number = id_of(result).and_then(|id| self.known.get(&*id).copied());
        // Results that name no call are in the order of the calls.
        let id = match number {
            Some(number) => {
                self.waiting.remove(number).or_else(|| id_of(result).map(Cow::into_owned))
            }
            None => self.waiting.pop(),
        };
        let Some(id) = id else { return append_meta(out, "toolResults", result.value()) };
        let [success, failed, error, status] =
            result.fields(&["success", "isError", "error", "status"]);
        let is_error = success.raw() == "false"
            || failed.is_true()
            || status.text() == "error"
            || (error.exists() && !error.is_empty_object() && success.raw() != "true");
        let outcomes = result.fields(&["output", "result", "content"]);
        let outcome = outcomes.into_iter().find(|v| v.exists());
        let content = match outcome {
            _ if is_error && error.exists() => error,
            Some(outcome) => outcome,
            None => result,
        };
        out(ReaderOutput::ToolResult {
            id: id.into(),
            is_error,
            content: content.json().into(),
            provider: None,
        });
    }
}

fn id_of(value: Val<'_>) -> Option<Cow<'_, str>> {
    let names = &["id", "toolCallId", "tool_call_id", "callID", "callId", "call_id"];
    value.fields(names).into_iter().find(|v| v.piece().is_some()).and_then(Val::str)
}
