//! The records about a call of a tool: its input, who may run it, and its result.

use super::{AiSdk, STEP, STREAMED, TEXT};
use crate::providers::ai_sdk::record::{OWN_OF_CALL, id_of_call, piece_of_input, state_of_call};
use crate::providers::output::{append_meta, emit, emit_args, merge_call, unknown_fields};
use crate::providers::part_state::StateFields;
use crate::reader::Sink;
use apex_parts_json::record;
use apex_parts_json::record::Val;
use apex_parts_json::saved::object_of;
use apex_parts_model::delta::{Payload, ReaderOutput, WholeCall};

impl AiSdk {
    fn call_start(&mut self, id: &str, root: Val<'_>, out: &mut Sink<'_>) {
        if self.calls.contains_key(id) {
            return;
        }
        self.last.clear();
        let text = if root.get("inputEncoding").text() == "text" { TEXT } else { 0 };
        self.calls.insert(id.to_owned(), self.step.wrapping_mul(STEP) | text);
        let provider = state_of_call(root).map(Into::into);
        let name = root.get("toolName").text();
        emit(out, Payload::ToolCallStart { id: id.into(), name, provider });
        self.describe(id, root, out);
    }

    /// Keeps what is told of a call and has no other place.
    fn describe(&mut self, id: &str, root: Val<'_>, out: &mut Sink<'_>) {
        let fields = unknown_fields(root, OWN_OF_CALL).filter(|(_, value)| value.raw() != "false");
        let mut fields = object_of(fields.map(|(name, value)| (name.into_owned(), value.value())));
        if fields.is_empty() {
            return;
        }
        let number = self.described.len() as u64;
        let number = *self.described.entry(id.to_owned()).or_insert(number);
        fields.insert("toolCallId".to_owned(), id.into());
        merge_call(out, usize::try_from(number).unwrap_or(usize::MAX), fields);
    }

    /// The input is complete.
    fn call_end(&mut self, id: &str, root: Val<'_>, out: &mut Sink<'_>) {
        let mut provider = None;
        let is_known = self.calls.contains_key(id);
        if is_known || self.ended.contains_key(id) {
            self.describe(id, root, out);
            provider = state_of_call(root).map(Into::into);
        } else {
            self.call_start(id, root, out);
        }
        let Some(call) = self.calls.remove(id) else {
            // It is said once more.
            return self.whole_input(id, root, false, out);
        };
        self.ended.insert(id.to_owned(), self.step);
        let [input, raw] = root.fields(&["input", "rawInput"]);
        let input = if input.exists() { input } else { raw };
        let is_text = call & TEXT != 0;
        if call & STREAMED == 0 {
            let is_json = !is_text && self.is_text(root, input);
            let args = if is_json { input.text() } else { input.raw().into() };
            emit_args(out, id, &args);
        }
        if is_known {
            self.whole_input(id, root, is_text, out);
        }
        if is_text && call & STREAMED != 0 && !input.is_string() {
            // The closing quote of text; what the tool gets has it.
            emit_args(out, id, "\"");
        }
        emit(out, Payload::ToolCallEnd { id: id.into(), provider });
    }

    /// What a tool is called with is compared with what the model wrote: defaults, coercion and repair change it (W-70).
    fn whole_input(&self, id: &str, root: Val<'_>, is_text: bool, out: &mut Sink<'_>) {
        let [input, name, encoding] = root.fields(&["input", "toolName", "inputEncoding"]);
        let is_text = is_text || encoding.is("text");
        let args = if input.is_object() || is_text && input.is_string() {
            input.json()
        } else if input.piece().is_some() && self.is_text(root, input) {
            input.text().into_owned()
        } else {
            return;
        };
        out(ReaderOutput::WholeCall(Box::new(WholeCall {
            id: id.into(),
            args: args.into(),
            name: name.str(),
            is_usual: true,
            item: id.into(),
            ..WholeCall::default()
        })));
    }

    /// Is the input of a call JSON text, and not a value?
    fn is_text(&self, root: Val<'_>, input: Val<'_>) -> bool {
        if !input.is_string() || root.get("type").text() != "tool-call" {
            return false;
        }
        let text = input.text();
        let is_object = || record::read(&text, record::MAX_DEPTH).is_ok_and(Val::is_object);
        self.model || is_object()
    }

    pub(super) fn args(&mut self, id: &str, delta: Val<'_>, out: &mut Sink<'_>) {
        let Some(text) = delta.piece() else { return };
        if let Some(call) = self.calls.get_mut(id) {
            let is_first = *call & STREAMED == 0;
            *call |= STREAMED;
            if *call & TEXT != 0 {
                emit_args(out, id, if is_first { "\"" } else { "" });
                return emit_args(out, id, delta.token());
            }
        }
        emit(out, Payload::ToolCallArgs { id: id.into(), text });
    }

    /// Somebody is asked whether a call may run, or has answered.
    pub(super) fn approval(&mut self, root: Val<'_>, out: &mut Sink<'_>) {
        let [of, call, approved, reason] =
            root.fields(&["approvalId", "toolCallId", "approved", "reason"]);
        let mut state = StateFields::new("approval");
        state.value("id", of);
        let id = if approved.exists() {
            state.value("approved", approved).value("reason", reason);
            let id = self.told.get(&format!("a{}", of.text())).map(|id| id.concat());
            let Some(id) = id else { return };
            self.told.insert(format!("d{id}"), vec![reason.json()]);
            id
        } else {
            let own = [("approvalDescriptor", "descriptor"), ("reason", "requestReason")];
            let same = ["inputSchemaInput", "isAutomatic", "signature"].map(|name| (name, name));
            for (name, known) in own.into_iter().chain(same) {
                state.value(known, root.get(name));
            }
            let id = call.text().into_owned();
            self.told.insert(format!("a{}", of.text()), vec![id.clone()]);
            id
        };
        let provider = Some(state.whole().into());
        emit(out, Payload::ToolCallEnd { id: id.into(), provider });
    }

    pub(super) fn tool(&mut self, kind: &str, root: Val<'_>, out: &mut Sink<'_>) {
        let id = id_of_call(root).text();
        let result = |is_error, content| ReaderOutput::ToolResult {
            id: id.clone(),
            is_error,
            content,
            provider: None,
        };
        match kind {
            "tool-input-end" => {}
            "tool-call" => self.call_end(&id, root, out),
            "tool-result" => {
                let [output, result_of, preliminary, is_error] =
                    root.fields(&["output", "result", "preliminary", "isError"]);
                let output = if output.exists() { output } else { result_of };
                if !preliminary.is_true() {
                    out(result(is_error.is_true(), output.json().into()));
                }
            }
            "tool-error" => out(result(true, root.get("error").json().into())),
            "tool-input-start" => self.call_start(&id, root, out),
            "tool-input-delta" => self.args(&id, piece_of_input(root), out),
            "tool-input-available" => self.call_end(&id, root, out),
            "tool-input-error" => {
                self.call_end(&id, root, out);
                out(result(true, root.get("errorText").json().into()));
            }
            "tool-output-available" => {
                let [output, preliminary] = root.fields(&["output", "preliminary"]);
                if !preliminary.is_true() {
                    out(result(false, output.json().into()));
                }
            }
            "tool-output-error" => out(result(true, root.get("errorText").json().into())),
            "tool-output-denied" => {
                let told = self.told.get(&format!("d{id}")).map(|reason| reason.concat());
                let told = told.filter(|reason| reason.starts_with('"'));
                out(result(true, told.unwrap_or_else(|| "\"denied\"".to_owned()).into()));
            }
            _ => append_meta(out, "events", root.value()),
        }
    }
}
