//! The message in the message model, with its parts. It is written
//! as JSON text, so that arguments are copied and not parsed.

use super::ending::Ending;
use super::message::Arguments;
use super::meta::ToolResult;
use super::part::{Body, CallState, Ms, StreamedCall, StreamedPart};
use super::provider_state::ShownState;
use super::state::Assembler;
use super::streamed_file::StreamedFile;
use apex_parts_json::saved::Numbering;
use apex_parts_json::scan;
use apex_parts_json::writer::{ObjectWriter, list, object, string, text};
use apex_parts_model::order;
use apex_parts_model::view::is_blank;
use std::borrow::Cow;

/// What the message model says of a message and a stream does not.
#[derive(Clone, Copy, Debug, Default)]
pub struct MessageContext<'a> {
    /// The id of the session.
    pub session_id: &'a str,
    /// The id of the message; a new one if `None`.
    pub message_id: Option<&'a str>,
    /// The id of the user message that it answers.
    pub parent_id: &'a str,
    /// The name of the agent.
    pub agent: &'a str,
    /// The id of the provider.
    pub provider_id: &'a str,
    /// The id of the model; if `None`, that of the stream's `start`.
    pub model_id: Option<&'a str>,
    /// The working directory.
    pub cwd: &'a str,
    /// The root of the project.
    pub root: &'a str,
    /// The time in milliseconds since the Unix epoch, for deltas without a readable timestamp.
    pub now_ms: f64,
    /// An empty output of a tool stays empty, as in a transcript; otherwise it says "(no output)" (BR-09).
    pub keeps_empty_output: bool,
}

/// Token counts of the message model, which do not overlap.
struct DisjointTokens {
    input: f64,
    output: f64,
    reasoning: f64,
    read: f64,
    write: f64,
}

impl DisjointTokens {
    /// A delta's `inputTokens` includes cached input, and its `outputTokens` reasoning. A count that
    /// would be negative is 0 (BR-13).
    fn new(assembler: &Assembler) -> DisjointTokens {
        let usage = assembler.usage.unwrap_or_default();
        let count = |tokens: Option<f64>| tokens.unwrap_or(0.0).max(0.0);
        let (read, write) = (count(usage.cache_read), count(usage.cache_write));
        let reasoning = count(usage.reasoning);
        DisjointTokens {
            input: (usage.input - read - write).max(0.0),
            output: (usage.output - reasoning).max(0.0),
            reasoning,
            read,
            write,
        }
    }

    fn write(&self, out: &mut ObjectWriter<'_>) {
        let total = self.input + self.output + self.reasoning + self.read + self.write;
        let total = total.min(f64::MAX);
        out.number("total", total).number("input", self.input).number("output", self.output);
        out.number("reasoning", self.reasoning);
        out.object("cache", |cache| {
            cache.number("read", self.read).number("write", self.write);
        });
    }
}

impl Assembler {
    /// The message in the message model, with its parts, as JSON text: `{info, parts}`. Ids that the
    /// context lacks come from `fresh` and are new in each call.
    pub fn to_with_parts(
        &self,
        context: &MessageContext<'_>,
        fresh: &mut dyn FnMut() -> String,
    ) -> String {
        write(self, context, &mut Vec::new(), fresh)
    }

    /// The same for a message that is written again as it grows: `ids` holds the ids that it and its
    /// parts got before, and receives those of new parts.
    pub fn to_with_parts_again(
        &self,
        context: &MessageContext<'_>,
        ids: &mut Vec<String>,
        fresh: &mut dyn FnMut() -> String,
    ) -> String {
        write(self, context, ids, fresh)
    }
}

/// Writes the message, with what its parts have in common.
struct PartsWriter<'a> {
    assembler: &'a Assembler,
    context: &'a MessageContext<'a>,
    message_id: String,
    created: i64,
    /// The index of the last result of each call.
    results: Numbering,
}

pub(crate) fn write(
    assembler: &Assembler,
    context: &MessageContext<'_>,
    ids: &mut Vec<String>,
    fresh: &mut dyn FnMut() -> String,
) -> String {
    // The message's own id, then step-start's, then one for each part in its order. The id of
    // step-finish is the last, and is added only when no part can follow.
    let ends = matches!(assembler.ending, Some(Ending::Done { .. }));
    while ids.len() < assembler.parts.len() + 2 + usize::from(ends) {
        ids.push(fresh());
    }
    let start = assembler.start.as_ref();
    let created = start.and_then(|start| apex_parts_model::time::parse(&start.timestamp));
    let writer = PartsWriter {
        assembler,
        context,
        message_id: match (context.message_id, ids.first()) {
            (Some(id), _) => id.to_owned(),
            (None, id) => id.cloned().unwrap_or_default(),
        },
        created: created.unwrap_or(apex_parts_model::time::of_clock(context.now_ms)),
        results: order::inserted(
            (0..).zip(&assembler.end_meta.tool_results).map(|(at, r)| (r.id.to_string(), at)),
        ),
    };
    let mut out = String::with_capacity(assembler.held + assembler.held / 16 + 1024);
    object(&mut out, |message| {
        message.object("info", |info| writer.info(info));
        writer.parts(message.key("parts"), ids);
    });
    out
}

impl PartsWriter<'_> {
    fn cost(&self) -> f64 {
        self.assembler.usage.and_then(|usage| usage.cost).unwrap_or(0.0)
    }

    fn info(&self, info: &mut ObjectWriter<'_>) {
        let (assembler, context) = (self.assembler, self.context);
        info.string("id", &self.message_id).string("sessionID", context.session_id);
        info.string("role", "assistant");
        let completed = match assembler.ending {
            Some(Ending::Done { .. } | Ending::Error(_)) => {
                Some(assembler.ended.unwrap_or(self.created))
            }
            Some(Ending::Cut) | None => None,
        };
        info.object("time", |time| {
            time.integer("created", self.created);
            if let Some(completed) = completed {
                time.integer("completed", completed);
            }
        });
        let model = assembler.start.as_ref().map(|_| assembler.model_id());
        info.string("parentID", context.parent_id);
        info.string("modelID", context.model_id.or(model).unwrap_or_default());
        info.string("providerID", context.provider_id).string("agent", context.agent);
        info.object("path", |path| {
            path.string("cwd", context.cwd).string("root", context.root);
        });
        info.number("cost", self.cost());
        info.object("tokens", |tokens| DisjointTokens::new(assembler).write(tokens));
        match &assembler.ending {
            Some(Ending::Done { finish_reason }) => {
                info.string("finish", finish_reason);
            }
            Some(Ending::Error(failed)) => {
                info.object("error", |error| {
                    error.string("message", failed.message.as_ref().unwrap_or(&failed.code));
                    error.bool("isRetryable", failed.retryable.unwrap_or(false));
                    error.object("metadata", |metadata| {
                        metadata.string("errorCode", &failed.code);
                    });
                });
            }
            Some(Ending::Cut) | None => {}
        }
    }

    fn parts(&self, out: &mut String, ids: &[String]) {
        let assembler = self.assembler;
        if assembler.start.is_none() {
            return out.push_str("[]");
        }
        let mut ids = ids.iter().skip(1);
        let mut id = || ids.next().map(String::as_str).unwrap_or_default();
        let reason = match &assembler.ending {
            Some(Ending::Done { finish_reason }) => Some(finish_reason),
            _ => None,
        };
        let mut items: Vec<PartItem<'_>> = Vec::with_capacity(assembler.parts.len() + 2);
        items.push(PartItem::Start(id()));
        items.extend(assembler.parts.iter().map(|part| match StreamedFile::new(part) {
            Some(file) => PartItem::File(id(), Box::new(file)),
            None => PartItem::Part(id(), part),
        }));
        items.extend(reason.map(|reason| PartItem::Finish(id(), reason)));
        list(out, items, |out, item| {
            object(out, |out| {
                let (id, kind) = match &item {
                    PartItem::Start(id) => (id, "step-start"),
                    PartItem::Finish(id, _) => (id, "step-finish"),
                    PartItem::File(id, _) => (id, "file"),
                    PartItem::Part(id, part) => match &part.body {
                        Body::Text(_) => (id, "text"),
                        Body::Thinking(_) => (id, "reasoning"),
                        Body::Call(_) => (id, "tool"),
                        Body::Custom(custom) => (id, &*custom.name),
                    },
                };
                out.string("id", id).string("sessionID", self.context.session_id);
                out.string("messageID", &self.message_id).string("type", kind);
                match item {
                    PartItem::Start(_) => {}
                    PartItem::Finish(_, reason) => {
                        out.string("reason", reason).number("cost", self.cost());
                        out.object("tokens", |tokens| DisjointTokens::new(assembler).write(tokens));
                        assembler.end_meta.write_message_state(out);
                    }
                    PartItem::File(_, file) => file.write(out),
                    PartItem::Part(_, part) => self.part(part, out),
                }
            });
        });
    }

    fn part(&self, part: &StreamedPart, out: &mut ObjectWriter<'_>) {
        match &part.body {
            Body::Text(value) | Body::Thinking(value) => {
                out.text("text", value).object("time", |time| {
                    time.integer("start", part.started.unwrap_or(self.created));
                    if let Some(end) = part.ended {
                        time.integer("end", end);
                    }
                });
                part.shown().write(out, "metadata");
            }
            Body::Call(call) => {
                out.string("callID", &call.id).string("tool", &call.name);
                let result = self.result(call);
                out.object("state", |state| self.state(part, call, result, state));
                let shown = part.shown();
                let merged;
                let shown = match result.and_then(|result| result.provider.as_deref()) {
                    Some(json) => {
                        merged = shown.with(json);
                        ShownState { state: Some(&merged), ..shown }
                    }
                    None => shown,
                };
                let bad = match call.state {
                    CallState::Bad { message, .. } => Some(message),
                    _ => None,
                };
                if bad.is_some() || !shown.is_empty() {
                    out.object("metadata", |metadata| {
                        if let Some(message) = bad {
                            text(metadata.key("rawArgsText"), &call.raw);
                            metadata.string("parseError", message);
                        }
                        shown.write_fields(metadata);
                    });
                }
            }
            Body::Custom(_) => {
                out.object("metadata", |metadata| part.shown().write_fields(metadata));
            }
        }
    }

    /// The last result of a call.
    fn result(&self, call: &StreamedCall) -> Option<&ToolResult> {
        let at = usize::try_from(*self.results.get(call.id.as_ref())?).ok()?;
        self.assembler.end_meta.tool_results.get(at)
    }

    fn state(
        &self,
        part: &StreamedPart,
        call: &StreamedCall,
        result: Option<&ToolResult>,
        state: &mut ObjectWriter<'_>,
    ) {
        let input = |state: &mut ObjectWriter<'_>| input(call, state.key("input"));
        if call.is_open() {
            state.string("status", "pending");
            input(state);
            state.text("raw", &call.raw);
            return;
        }
        let start = part.ended.or(part.started).unwrap_or(self.created);
        let time = |state: &mut ObjectWriter<'_>, end: Option<Ms>| {
            state.object("time", |time| {
                time.integer("start", start);
                if let Some(end) = end {
                    // The clocks may differ, but nothing ends before it starts (BR-08).
                    time.integer("end", end.map_or(start, |end| end.max(start)));
                }
            });
        };
        let failed = |state: &mut ObjectWriter<'_>, error: &str, at: Ms| {
            state.string("status", "error");
            input(state);
            state.string("error", error);
            time(state, Some(at));
        };
        match result {
            None if let Some(reason) = refusal(part) => failed(state, &reason, part.ended),
            None => {
                state.string("status", "running");
                input(state);
                time(state, None);
            }
            Some(result) if result.is_error => {
                let error = output(&result.content);
                // BR-10: an error is not blank.
                let error =
                    if is_blank(&error) { "the tool failed and did not say why" } else { &error };
                failed(state, error, result.at);
            }
            Some(result) => {
                state.string("status", "completed");
                input(state);
                let output = output(&result.content);
                let is_filled = output.is_empty() && !self.context.keeps_empty_output;
                state.string("output", if is_filled { "(no output)" } else { &output });
                state.string("title", "").object("metadata", |_| {});
                time(state, Some(result.at));
            }
        }
    }
}

/// A part of the message model.
enum PartItem<'a> {
    Start(&'a str),
    Part(&'a str, &'a StreamedPart),
    /// A custom part that is a file.
    File(&'a str, Box<StreamedFile>),
    Finish(&'a str, &'a str),
}

/// Writes arguments as an object, which the message model requires. Others, such as the free text of
/// a custom tool, become `{"input": …}`.
fn input(call: &StreamedCall, out: &mut String) {
    let first = call.raw.blocks().flat_map(str::bytes).find(|b| !b.is_ascii_whitespace());
    let arguments = Arguments::new(call);
    if matches!(first, None | Some(b'{')) || matches!(call.state, CallState::Bad { .. }) {
        arguments.write_json(out);
        return;
    }
    let json = arguments.to_json();
    // Nothing of the value has arrived yet.
    if json == "{}" {
        out.push_str(&json);
        return;
    }
    out.push('{');
    string(out, "input");
    out.push(':');
    out.push_str(&json);
    out.push('}');
}

/// Why a person refused the call of a part; `None` if nobody did.
fn refusal(part: &StreamedPart) -> Option<Cow<'_, str>> {
    let state = part.state()?;
    if state.field("approval", "approved")? != "false" {
        return None;
    }
    let reason = state.field("approval", "reason").map(output).unwrap_or_default();
    Some(if is_blank(&reason) { "denied".into() } else { reason })
}

/// The output of a tool as text: a string's content, or other JSON as it is.
fn output(content: &str) -> Cow<'_, str> {
    let inside = content.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    match inside {
        Some(inside) => Cow::Owned(scan::unescaped(inside)),
        None if content == "null" => Cow::Borrowed(""),
        None => Cow::Borrowed(content),
    }
}
