//! Readers: what one provider sends, record by record, into what the assembler takes.

use super::WireFormat;
use super::foreign::no_json;
use crate::json::record;
use crate::json::saved::state_choice;
use crate::json::scan::Flaw;
use crate::model::delta::{MergePolicy, Payload, ReaderOutput};
#[cfg(any(feature = "providers", test))]
use crate::wire::provider_reader::ProviderReader;
use crate::wire::providers::{ai_sdk, anthropic};
#[cfg(any(feature = "providers", test))]
use crate::wire::providers::{apex_bridge, gemini, openai_chat, openai_responses};
use record::Val;
use serde_json::Value;
use std::borrow::Cow;

/// Why a record could not be read. The reader is as it was before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// `json`, `schema`, `limit`, or the number of the contract's rule.
    pub rule: &'static str,
    /// What is wrong, in plain words.
    pub message: String,
}

impl Fault {
    pub(crate) fn new(rule: &'static str, message: impl Into<String>) -> Fault {
        Fault { rule, message: message.into() }
    }

    /// A record looks like one of another format than the one that is read.
    pub(crate) fn other_format(other: &str, own: &str) -> Fault {
        let message = format!("the record is one of the format {other:?}, and `format` is {own:?}");
        Fault::new("schema", message)
    }

    /// What is wrong with the JSON of this record.
    pub(crate) fn of(flaw: Flaw, record: &str) -> Fault {
        if flaw.deep {
            return Fault::new("limit", format!("{} at byte {}", flaw.what, flaw.at));
        }
        Fault::new("json", no_json(flaw, record.as_bytes()))
    }
}

/// Records nest at most so deep where nothing else is set.
const DEPTH: usize = 512;

/// Where a reader says what it has read.
pub type Sink<'o> = dyn FnMut(ReaderOutput<'_>) + 'o;

/// One provider's stream, framed into records already.
///
/// A recording may hold several responses one after another: each gets its
/// [`Start`](Payload::Start) and its end, unless it was cut: a `Start` behind no end begins the next
/// message too. It is the listener who minds that a message has ended.
pub trait Reader {
    /// Takes one record: the SSE event's name (empty where there is none) and its data.
    ///
    /// # Errors
    /// The record is no JSON or lacks what its kind must have. Nothing was said, nothing changed.
    fn record(&mut self, event: &str, data: &[u8], out: &mut Sink<'_>) -> Result<(), Fault> {
        self.record_within(event, data, DEPTH, out)
    }

    /// [`Reader::record`], whose objects and arrays nest at most so deep.
    ///
    /// # Errors
    /// As there, or it is nested deeper.
    fn record_within(
        &mut self,
        event: &str,
        data: &[u8],
        depth: usize,
        out: &mut Sink<'_>,
    ) -> Result<(), Fault>;

    /// The bytes that it holds of what it has not said yet.
    fn held(&self) -> u64;

    /// What it holds is too much: lets it go.
    fn let_go(&mut self);

    /// The transport has ended: says what is still owed, but no end that the stream did not have.
    fn end(&mut self, out: &mut Sink<'_>);

    /// The state as JSON.
    fn snapshot(&self) -> Value;

    /// Takes the state of a snapshot; reading goes on with the record that follows it.
    ///
    /// # Errors
    /// It is no snapshot of this reader, which stays as it was.
    fn restore(&mut self, state: Value) -> Result<(), Fault>;
}

/// The provider formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Provider {
    /// Anthropic's Messages API.
    Anthropic,
    /// OpenAI's Chat Completions, and what compatible servers make of them.
    OpenAiChat,
    /// OpenAI's Responses.
    OpenAiResponses,
    /// Google's generateContent.
    Gemini,
    /// The UI message stream of the AI SDK.
    AiSdk,
    /// apex-bridge's own events.
    ApexBridge,
}

impl Provider {
    /// Every format.
    pub const ALL: &'static [Provider] = &[
        Provider::Anthropic,
        Provider::OpenAiChat,
        Provider::OpenAiResponses,
        Provider::Gemini,
        Provider::AiSdk,
        Provider::ApexBridge,
    ];

    /// Its name in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Provider::Anthropic => "anthropic",
            Provider::OpenAiChat => "openai-chat",
            Provider::OpenAiResponses => "openai-responses",
            Provider::Gemini => "gemini",
            Provider::AiSdk => "ai-sdk",
            Provider::ApexBridge => "apex-bridge",
        }
    }

    /// The format of this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Provider> {
        Provider::ALL.iter().copied().find(|f| f.as_str() == name)
    }
}

/// A fresh reader of this format; without the feature `providers` one that refuses every record.
#[must_use]
pub fn reader(format: Provider) -> Box<dyn Reader> {
    #[cfg(not(any(feature = "providers", test)))]
    return Box::new(super::unread::Unread(format));
    #[cfg(any(feature = "providers", test))]
    match format {
        Provider::Anthropic => Box::new(ProviderReader::<anthropic::Anthropic>::default()),
        Provider::OpenAiChat => Box::new(ProviderReader::<openai_chat::OpenAiChat>::default()),
        Provider::OpenAiResponses => {
            Box::new(ProviderReader::<openai_responses::OpenAiResponses>::default())
        }
        Provider::Gemini => Box::new(ProviderReader::<gemini::Gemini>::default()),
        Provider::AiSdk => Box::new(ProviderReader::<ai_sdk::AiSdk>::default()),
        Provider::ApexBridge => Box::new(ProviderReader::<apex_bridge::ApexBridge>::default()),
    }
}

/// Tells the format from a record's data; `None` where it could be several or none of them (pings,
/// `[DONE]`, bare errors): ask again with the next one.
#[must_use]
pub fn sniff(data: &[u8]) -> Option<Provider> {
    let text = std::str::from_utf8(data).ok()?;
    let root = record::read(text, record::MAX_DEPTH).ok().filter(|r| r.is_object())?;
    sniff_object(root)
}

/// The format of a record that is an object, a `MessageDelta` as well. Its type may stand in the
/// event's name alone.
pub(crate) fn sniff_record(event: &str, root: Val<'_>) -> Option<WireFormat> {
    let [run, seq, kind] = root.fields(&["runId", "seq", "kind"]);
    if run.is_string() && seq.is_number() && kind.is_string() {
        return Some(WireFormat::Delta);
    }
    let of_event = || if event.is_empty() { None } else { sniff_type(event, root) };
    sniff_object(root).or_else(of_event).map(WireFormat::Provider)
}

fn sniff_object(root: Val<'_>) -> Option<Provider> {
    let [kind, event, object, choices, candidates, feedback, response] = root.fields(&[
        "type",
        "event_type",
        "object",
        "choices",
        "candidates",
        "promptFeedback",
        "response",
    ]);
    if event.is_string() {
        return Some(Provider::ApexBridge);
    }
    if choices.is_array() || object.text().starts_with("chat.completion") {
        return Some(Provider::OpenAiChat);
    }
    let wrapped = response.get("candidates");
    if candidates.is_array() || feedback.is_object() || wrapped.is_array() {
        return Some(Provider::Gemini);
    }
    if let Some(kind) = kind.str() {
        return sniff_type(&kind, root);
    }
    let [content, reasoning, step, iteration, model, usage, runs] = root.fields(&[
        "content",
        "reasoning_content",
        "step_number",
        "iteration",
        "modelVersion",
        "usageMetadata",
        "runId",
    ]);
    if runs.exists() {
        return None; // a MessageDelta
    }
    if (content.exists() || reasoning.exists()) && (step.exists() || iteration.exists()) {
        return Some(Provider::ApexBridge);
    }
    (model.exists() || usage.exists()).then_some(Provider::Gemini)
}

fn sniff_type(kind: &str, root: Val<'_>) -> Option<Provider> {
    if kind.starts_with("response.") {
        return Some(Provider::OpenAiResponses);
    }
    if kind == "error" {
        let [whole, number, text] = root.fields(&["error", "sequence_number", "errorText"]);
        return match (whole.is_object(), number.exists(), text.exists()) {
            (_, true, _) => Some(Provider::OpenAiResponses),
            (_, _, true) => Some(Provider::AiSdk),
            (true, ..) => Some(Provider::Anthropic),
            _ => None,
        };
    }
    if anthropic::TYPES.contains(&kind) {
        return Some(Provider::Anthropic);
    }
    // A provider's message or an agent's log has such types as well; these have their own fields.
    ai_sdk::is_type(kind).then_some(Provider::AiSdk)
}

// ── What every reader says ──────────────────────────────────────────────────────────────────────

/// A delta.
pub(crate) fn say(out: &mut Sink<'_>, payload: Payload<'_>) {
    out(ReaderOutput::Delta(payload));
}

/// A field for `meta.provider`; what comes later replaces it.
pub(crate) fn note(out: &mut Sink<'_>, name: impl Into<Cow<'static, str>>, value: Value) {
    out(ReaderOutput::Provider { name: name.into(), value, keep: MergePolicy::Last });
}

/// An object for `meta.provider`; what comes later replaces its fields, one by one.
pub(crate) fn note_into(out: &mut Sink<'_>, name: &'static str, value: Value) {
    out(ReaderOutput::Provider { name: name.into(), value, keep: MergePolicy::Fields });
}

/// The fields of an object that are not null and have no place of their own, for `meta.provider`.
pub(crate) fn note_rest(out: &mut Sink<'_>, of: Val<'_>, own: &[&str]) {
    for (name, value) in of.entries() {
        if value.exists() && !own.contains(&&*name) {
            note(out, name.into_owned(), value.value());
        }
    }
}

/// The last usage as it stood on the wire, where every record may repeat it.
pub(crate) fn note_usage(usage: &mut String, out: &mut Sink<'_>) {
    if let Ok(usage) = record::read(&std::mem::take(usage), record::MAX_DEPTH) {
        note(out, "usage", usage.value());
    }
}

/// One more element of a list in `meta.provider`.
pub(crate) fn list(out: &mut Sink<'_>, name: impl Into<Cow<'static, str>>, value: Value) {
    out(ReaderOutput::Provider { name: name.into(), value, keep: MergePolicy::All });
}

/// These fields of an object, where they are there and not null, for `meta.provider`.
pub(crate) fn note_fields<const N: usize>(
    out: &mut Sink<'_>,
    of: Val<'_>,
    names: &'static [&'static str; N],
) {
    note_each(out, names, &of.fields(names));
}

fn note_each(out: &mut Sink<'_>, names: &'static [&'static str], values: &[Val<'_>]) {
    for (name, value) in names.iter().zip(values) {
        if value.exists() {
            note(out, *name, value.value());
        }
    }
}

/// A whole tool call: its input is JSON text.
pub(crate) fn whole_call(out: &mut Sink<'_>, id: &str, name: &str, input: &str) {
    say(out, Payload::ToolCallStart { id: id.into(), name: name.into() });
    say_args(out, id, input);
    say(out, Payload::ToolCallEnd { id: id.into() });
}

/// What is told of a call beside its name and input: these fields, where they are there.
pub(crate) fn about_call<const N: usize>(
    id: &str,
    of: Val<'_>,
    names: &'static [&'static str; N],
) -> serde_json::Map<String, Value> {
    about_each(id, names, &of.fields(names))
}

fn about_each(id: &str, names: &[&str], fields: &[Val<'_>]) -> serde_json::Map<String, Value> {
    let mut about = serde_json::Map::new();
    about.insert("toolCallId".to_owned(), Value::from(id));
    for (name, field) in names.iter().zip(fields) {
        if field.exists() && field.raw() != "false" {
            about.insert((*name).to_owned(), field.value());
        }
    }
    about
}

/// An id for a call that came without one: the same for the same stream, and not that of a call of
/// another response.
pub(crate) fn made_id(response: &str, number: u64) -> String {
    if response.is_empty() { format!("call_{number}") } else { format!("call_{response}_{number}") }
}

/// More of a call's JSON text.
pub(crate) fn say_args(out: &mut Sink<'_>, id: &str, text: &str) {
    if !text.is_empty() {
        say(out, Payload::ToolCallArgs { id: id.into(), text: text.into() });
    }
}

/// A field has to be of a kind, if it is there.
pub(crate) fn must(ok: bool, path: &str, want: &str, found: Val<'_>) -> Result<(), Fault> {
    if ok {
        return Ok(());
    }
    Err(Fault::new("schema", format!("`{path}` must be {want}, it is {}", found.describe())))
}

/// A string.
pub(crate) fn must_string(found: Val<'_>, path: &str) -> Result<(), Fault> {
    must(found.is_string(), path, "a string", found)
}

/// The type of a record, in itself or as the event's name. Providers refuse with an object that has
/// no type but an `error`.
///
/// # Errors
/// It has none.
pub(crate) fn type_of<'a>(event: &'a str, root: Val<'a>) -> Result<Cow<'a, str>, Fault> {
    let [kind, error] = root.fields(&["type", "error"]);
    if !kind.exists() && !event.is_empty() {
        return Ok(event.into());
    }
    if !kind.exists() && error.exists() {
        return Ok("error".into());
    }
    must_string(kind, "type")?;
    Ok(kind.text())
}

/// A string, null or nothing.
pub(crate) fn may_string(found: Val<'_>, path: &str) -> Result<(), Fault> {
    must(found.is_string() || !found.exists(), path, "a string or null", found)
}

/// An object.
pub(crate) fn must_object(found: Val<'_>, path: &str) -> Result<(), Fault> {
    must(found.is_object(), path, "an object", found)
}

/// Where a reader stands in its stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum StreamPhase {
    /// Nothing has come.
    #[default]
    Before,
    /// A response is being read.
    Open,
    /// A response has ended.
    Ended,
}

state_choice!(StreamPhase { Before, Open, Ended });

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
