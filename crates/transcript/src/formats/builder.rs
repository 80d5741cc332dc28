//! What all format readers write: the JSON of messages, tokens, parts and tool states.

use apex_parts_json::scan;
use apex_parts_json::writer::{ObjectWriter, object};
use apex_parts_model::view::is_blank;

/// Tokens in disjoint counts: no token is in two of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct TokenCounts {
    pub(crate) input: f64,
    pub(crate) output: f64,
    pub(crate) reasoning: f64,
    pub(crate) read: f64,
    pub(crate) write: f64,
    /// All tokens, where the file has a sum of its own.
    pub(crate) total: Option<f64>,
}

/// A valid count of tokens, or a valid cost: finite and not negative (BR-13).
pub(crate) fn count(value: f64) -> f64 {
    if value.is_finite() { value.max(0.0) } else { 0.0 }
}

impl TokenCounts {
    /// Adds the tokens of another step.
    pub(crate) fn add(&mut self, other: TokenCounts) {
        self.input += count(other.input);
        self.output += count(other.output);
        self.reasoning += count(other.reasoning);
        self.read += count(other.read);
        self.write += count(other.write);
        if let Some(total) = other.total {
            self.total = Some(self.total.unwrap_or(0.0) + count(total));
        }
    }

    pub(crate) fn write(self, out: &mut ObjectWriter<'_>) {
        if let Some(total) = self.total {
            out.number("total", count(total));
        }
        out.number("input", count(self.input)).number("output", count(self.output));
        out.number("reasoning", count(self.reasoning));
        out.object("cache", |cache| {
            cache.number("read", count(self.read)).number("write", count(self.write));
        });
    }
}

/// The `info` of an assistant's message. Fields that are not known are empty, which is valid.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AssistantInfo<'a> {
    pub(crate) id: &'a str,
    pub(crate) session_id: &'a str,
    pub(crate) created: f64,
    pub(crate) completed: Option<f64>,
    pub(crate) parent_id: &'a str,
    pub(crate) model_id: &'a str,
    pub(crate) provider_id: &'a str,
    pub(crate) agent: &'a str,
    pub(crate) cwd: &'a str,
    pub(crate) cost: f64,
    pub(crate) tokens: TokenCounts,
    pub(crate) finish: Option<&'a str>,
    /// A JSON object.
    pub(crate) error: Option<&'a str>,
}

impl AssistantInfo<'_> {
    pub(crate) fn write(&self, out: &mut String) {
        object(out, |info| self.fields(info));
    }

    /// Writes the fields; the caller can add others.
    pub(crate) fn fields(&self, info: &mut ObjectWriter<'_>) {
        info.string("id", self.id).string("sessionID", self.session_id);
        info.string("role", "assistant");
        info.object("time", |time| {
            time.number("created", self.created);
            if let Some(completed) = self.completed {
                time.number("completed", completed);
            }
        });
        info.string("parentID", self.parent_id).string("modelID", self.model_id);
        info.string("providerID", self.provider_id).string("agent", self.agent);
        info.object("path", |path| {
            path.string("cwd", self.cwd).string("root", self.cwd);
        });
        info.number("cost", count(self.cost)).object("tokens", |tokens| self.tokens.write(tokens));
        if let Some(finish) = self.finish {
            info.string("finish", finish);
        }
        if let Some(error) = self.error {
            info.key("error").push_str(error);
        }
    }
}

/// The `info` of a user's message.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct UserInfo<'a> {
    pub(crate) id: &'a str,
    pub(crate) session_id: &'a str,
    pub(crate) created: f64,
    pub(crate) agent: &'a str,
    pub(crate) provider_id: &'a str,
    pub(crate) model_id: &'a str,
}

impl UserInfo<'_> {
    pub(crate) fn fields(&self, info: &mut ObjectWriter<'_>) {
        info.string("id", self.id).string("sessionID", self.session_id).string("role", "user");
        info.object("time", |time| {
            time.number("created", self.created);
        });
        info.string("agent", self.agent).object("model", |model| {
            model.string("providerID", self.provider_id).string("modelID", self.model_id);
        });
    }
}

/// Writes the first fields of every part.
pub(crate) fn base(
    part: &mut ObjectWriter<'_>,
    id: &str,
    session: &str,
    message: &str,
    kind: &str,
) {
    part.string("id", id).string("sessionID", session);
    part.string("messageID", message).string("type", kind);
}

/// Writes `time`.
pub(crate) fn time(out: &mut ObjectWriter<'_>, start: f64, end: Option<f64>) {
    out.object("time", |time| {
        time.number("start", start);
        if let Some(end) = end {
            // Clocks may differ; nothing ends before it starts (BR-08).
            time.number("end", end.max(start));
        }
    });
}

/// The result of a tool call.
pub(crate) struct CallOutcome<'a> {
    pub(crate) is_error: bool,
    /// The output or the error: the content of a JSON string, still escaped.
    pub(crate) output: &'a str,
    pub(crate) end: f64,
    /// Writes the JSON array of the files that came with it.
    pub(crate) attachments: Option<&'a dyn Fn(&mut String)>,
}

/// Writes the fields of a tool part's `state`; `input` is JSON, `metadata` writes fields. Without an outcome the call
/// is running.
pub(crate) fn state(
    out: &mut ObjectWriter<'_>,
    input: &str,
    start: f64,
    metadata: Option<&dyn Fn(&mut ObjectWriter<'_>)>,
    outcome: Option<&CallOutcome<'_>>,
) {
    let status = match outcome {
        None => "running",
        Some(outcome) if outcome.is_error => "error",
        Some(_) => "completed",
    };
    out.string("status", status);
    write_input(out.key("input"), input);
    let Some(outcome) = outcome else {
        if let Some(metadata) = metadata {
            out.object("metadata", metadata);
        }
        return time(out, start, None);
    };
    if outcome.is_error {
        let blank = is_blank(&apex_parts_json::tape::unescape(outcome.output.as_bytes()));
        // BR-10: the text of an error is not blank.
        let said = if blank { "the tool failed and did not say why" } else { outcome.output };
        raw_string(out.key("error"), said);
        if let Some(metadata) = metadata {
            out.object("metadata", metadata);
        }
    } else {
        raw_string(out.key("output"), outcome.output);
        out.string("title", "");
        out.object("metadata", |out| metadata.into_iter().for_each(|metadata| metadata(out)));
    }
    time(out, start, Some(outcome.end));
    if let (false, Some(attachments)) = (outcome.is_error, outcome.attachments) {
        attachments(out.key("attachments"));
    }
}

/// Writes a JSON string, given its escaped content.
pub(crate) fn raw_string(out: &mut String, raw: &str) {
    out.push('"');
    out.push_str(raw);
    out.push('"');
}

/// The JSON of a text or reasoning part. `raw` is its escaped text; `base` and `more` write the fields
/// before and after it.
pub(crate) fn text_part(
    base: impl FnOnce(&mut ObjectWriter<'_>),
    raw: &str,
    more: impl FnOnce(&mut ObjectWriter<'_>),
) -> String {
    let mut json = String::with_capacity(raw.len() + 256);
    object(&mut json, |part| {
        base(part);
        raw_string(part.key("text"), raw);
        more(part);
    });
    json
}

/// Writes the arguments of a call as an object, which the message model requires: others are put into the
/// field `input` of one.
fn write_input(out: &mut String, input: &str) {
    let bytes = input.as_bytes();
    match bytes.get(scan::skip_space(bytes, 0)) {
        Some(b'{') => out.push_str(input),
        None | Some(b'n') => out.push_str("{}"),
        Some(_) => {
            out.push_str("{\"input\":");
            out.push_str(input);
            out.push('}');
        }
    }
}
