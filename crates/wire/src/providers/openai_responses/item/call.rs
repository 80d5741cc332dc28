//! An item that is a call: its start, its arguments and free text, and its end.

use super::{ListedItems, OWN_OF_CALL, ResponseItem, element};
use crate::providers::openai_responses::texts::KEY;
use crate::providers::openai_responses::tool_result::result_of_call;
use crate::providers::openai_responses::tools::{STREAMED, XAI_TOOLS, tool_input, tool_name};
use crate::providers::output::{call_details, emit, emit_args, merge_call, unknown_object};
use crate::providers::part_state::{StateFields, other_fields};
use crate::reader::Sink;
use apex_parts_json::record::Val;
use apex_parts_model::delta::{Payload, ReaderOutput, WholeCall};
use serde_json::Value;

impl ResponseItem {
    /// Whether the server runs the call of this item.
    pub(super) fn runs_on_server(&self, name: &str, item: Val<'_>) -> bool {
        match self.kind.as_str() {
            "function_call"
            | "apply_patch_call"
            | "local_shell_call"
            | "computer_call"
            | "mcp_approval_request" => false,
            "custom_tool_call" => XAI_TOOLS.contains(&name),
            "shell_call" => item.get("environment").get("type").text().starts_with("container"),
            _ => item.get("execution").text() != "client",
        }
    }

    /// Whether it is a call that the client answers and whose input comes only with `done`. Its
    /// `call_id` may differ there, and the answer must use that one, so the call starts only then.
    pub(super) fn waits_for_done(&self, item: Val<'_>) -> bool {
        let is_call = tool_name(&self.kind, item).is_some();
        is_call && !STREAMED.contains(&self.kind.as_str()) && item.get("call_id").piece().is_some()
    }

    /// Emits the start of the call, if the item is one.
    pub(super) fn start(&mut self, item: Val<'_>, listed: &mut ListedItems, out: &mut Sink<'_>) {
        let Some(name) = tool_name(&self.kind, item) else { return };
        let [call, id] = item.fields(&["call_id", "id"]);
        let call = if call.piece().is_some() { call } else { id };
        self.call = call.text().into_owned();
        self.server = self.runs_on_server(&name, item);
        if !self.call.is_empty() {
            let mut state = StateFields::new(KEY);
            state.string("itemId", &id.text());
            if self.server {
                state.executed();
            }
            self.more = self.is_plain() && !other_fields(item, OWN_OF_CALL).is_empty();
            // The key alone says that the arguments are text of this format.
            let provider = Some(state.whole().into());
            emit(out, Payload::ToolCallStart { id: call.text(), name: name.into(), provider });
        }
        self.details(item, listed, out);
        self.open_json(item, out);
        // What came before the item comes first.
        let (early, early_text) =
            (std::mem::take(&mut self.early), std::mem::take(&mut self.early_text));
        if !early.is_empty() && !self.call.is_empty() {
            self.told = true;
            emit_args(out, &self.call, &early);
        }
        self.token(&early_text, out);
    }

    /// Is it a call of a tool that the client has defined?
    pub(super) fn is_plain(&self) -> bool {
        matches!(self.kind.as_str(), "function_call" | "custom_tool_call")
    }

    /// What the item of a call has beyond the call: all that nobody knows, and the type of a built-in tool.
    pub(super) fn details(&mut self, item: Val<'_>, listed: &mut ListedItems, out: &mut Sink<'_>) {
        let mut more = if self.is_plain() {
            unknown_object(item, OWN_OF_CALL)
        } else {
            let names =
                &["type", "caller", "server_label", "namespace", "execution", "environment"];
            call_details(&self.call, item, names)
        };
        if self.kind == "shell_call" {
            more.extend(unknown_object(item.get("action"), &["type", "commands", "env"]));
        }
        if !more.is_empty() {
            more.insert("toolCallId".to_owned(), self.call.as_str().into());
            merge_call(out, element(&mut self.listed, &mut listed.calls), more);
        }
    }

    /// Emits the JSON text before free text that will be streamed, and keeps what closes it.
    pub(super) fn open_json(&mut self, item: Val<'_>, out: &mut Sink<'_>) {
        let (head, tail) = match self.kind.as_str() {
            "custom_tool_call" => ("\"".to_owned(), "\""),
            "code_interpreter_call" => {
                let container = item.get("container_id");
                let container = if container.is_string() { container.raw() } else { "null" };
                (format!("{{\"container_id\":{container},\"code\":\""), "\"}")
            }
            "apply_patch_call" => {
                // The diff comes last, in any order on the wire, so that it can be streamed.
                let operation = item.get("operation");
                let [kind, path, diff] = operation.fields(&["type", "path", "diff"]);
                if !diff.is_string() || !diff.token().is_empty() {
                    return;
                }
                let call = Value::String(self.call.clone());
                let (kind, path) = (kind.raw(), path.raw());
                let head = format!(
                    "{{\"callId\":{call},\"operation\":{{\"type\":{kind},\"path\":{path},\"diff\":\""
                );
                (head, "\"}}")
            }
            _ => return,
        };
        emit_args(out, &self.call, &head);
        self.head = head.len() as u64;
        self.tail = tail.to_owned();
    }

    /// A piece of the arguments.
    pub(crate) fn args(&mut self, delta: Val<'_>, out: &mut Sink<'_>) {
        let Some(text) = delta.piece() else { return };
        if self.is_unnamed() {
            self.early.push_str(&delta.text());
        } else if !self.call.is_empty() {
            self.told = true;
            emit(out, Payload::ToolCallArgs { id: self.call.as_str().into(), text });
        }
    }

    /// The arguments are complete.
    pub(crate) fn args_done(&mut self, whole: Val<'_>, out: &mut Sink<'_>) {
        if self.call.is_empty() {
            return;
        }
        if self.told || self.ended {
            self.compare(0, &whole.text(), out);
        } else {
            self.args(whole, out);
        }
        self.close(out);
    }

    /// Compares the arguments with what their pieces were: from this byte on, and without what closes them.
    pub(super) fn compare(&self, head: u64, args: &str, out: &mut Sink<'_>) {
        if args.trim().is_empty() || args.trim() == "{}" {
            return;
        }
        let item = if self.id.is_empty() { &self.call } else { &self.id };
        out(ReaderOutput::WholeCall(Box::new(WholeCall {
            id: self.call.as_str().into(),
            head: usize::try_from(head).unwrap_or(usize::MAX),
            args: args.into(),
            tail: self.tail.as_str().into(),
            item: item.as_str().into(),
            ..WholeCall::default()
        })));
    }

    /// A piece of free text, as escaped in a JSON string.
    pub(crate) fn token(&mut self, token: &str, out: &mut Sink<'_>) {
        if self.is_unnamed() {
            self.early_text.push_str(token);
        } else if !self.tail.is_empty() && !token.is_empty() {
            self.told = true;
            emit_args(out, &self.call, token);
        }
    }

    /// The free text is complete.
    pub(crate) fn token_done(&mut self, whole: Val<'_>, out: &mut Sink<'_>) {
        if self.tail.is_empty() {
            return self.compare_closed(whole, out);
        }
        if self.told {
            self.compare(self.head, whole.token(), out);
        } else {
            self.token(whole.token(), out);
        }
        if self.kind == "custom_tool_call" && whole.is_string() {
            self.custom = whole.json();
        }
        self.close(out);
    }

    /// The same once what closes the text has come.
    pub(super) fn compare_closed(&self, whole: Val<'_>, out: &mut Sink<'_>) {
        let tail = match self.kind.as_str() {
            "custom_tool_call" => "\"",
            "code_interpreter_call" => "\"}",
            _ => return,
        };
        if self.told && self.closed && !whole.token().is_empty() {
            self.compare(self.head, &[whole.token(), tail].concat(), out);
        }
    }

    /// A piece of a command of a shell call.
    pub(crate) fn command(&mut self, index: u64, token: &str, out: &mut Sink<'_>) {
        if self.kind != "shell_call" || self.call.is_empty() || token.is_empty() {
            return;
        }
        if self.command != Some(index) {
            let head = if self.told { "\",\"" } else { "{\"action\":{\"commands\":[\"" };
            emit_args(out, &self.call, head);
            self.told = true;
            self.command = Some(index);
            self.tail = "\"]}}".to_owned();
        }
        emit_args(out, &self.call, token);
    }

    /// The arguments are complete. A call that runs on the server begins to run, and the client can begin with a
    /// function; the end of others waits for their item, which goes back whole.
    pub(super) fn close(&mut self, out: &mut Sink<'_>) {
        if self.call.is_empty() || self.ended {
            return;
        }
        emit_args(out, &self.call, &std::mem::take(&mut self.tail));
        self.closed = true;
        if !self.done
            && !self.more
            && matches!(self.kind.as_str(), "function_call" | "mcp_call" | "code_interpreter_call")
        {
            self.end(StateFields::new(KEY), out);
        }
    }

    /// Ends the call, unless it has ended.
    pub(super) fn end(&mut self, state: StateFields, out: &mut Sink<'_>) {
        if !self.call.is_empty() && !std::mem::replace(&mut self.ended, true) {
            let provider = state.take().map(Into::into);
            emit_args(out, &self.call, &std::mem::take(&mut self.tail));
            emit(out, Payload::ToolCallEnd { id: self.call.as_str().into(), provider });
        }
    }

    pub(super) fn call_done(
        &mut self,
        item: Val<'_>,
        listed: &mut ListedItems,
        out: &mut Sink<'_>,
    ) {
        self.done = true;
        if item.get("call_id").piece().is_some() {
            self.waits = String::new();
        }
        self.start_waiting(listed, out);
        if self.call.is_empty() {
            self.start(item, listed, out);
        } else {
            self.details(item, listed, out);
        }
        let [args, input, code] = item.fields(&["arguments", "input", "code"]);
        match self.kind.as_str() {
            "function_call" | "mcp_call" | "mcp_approval_request" => self.args_done(args, out),
            "custom_tool_call" => self.token_done(input, out),
            "code_interpreter_call" => self.token_done(code, out),
            "apply_patch_call" if !self.tail.is_empty() => {
                self.token_done(item.get("operation").get("diff"), out);
            }
            _ => {}
        }
        if !self.ended && !self.told && self.tail.is_empty() && !self.closed {
            emit_args(out, &self.call, &tool_input(&self.kind, &self.call, item));
        }
        let mut state = StateFields::new(KEY);
        if !self.is_plain() || self.server || self.more {
            state.value("item", item);
        }
        if self.kind == "custom_tool_call" && input.is_string() {
            state.value("custom", input);
        }
        let mut of_result = None;
        if self.ended {
            of_result = state.take();
        } else {
            self.end(state, out);
        }
        result_of_call(&self.call, &self.kind, item, of_result, out);
    }
}
