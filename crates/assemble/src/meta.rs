//! What a message has beyond parts, finish reason and usage: it stands in `meta` alone, and rides in
//! `payload.meta` of the delta that ends the stream.

use super::part::Ms;
use super::place::StreamPlace;
use super::provider_state::{self, json_field};
use apex_parts_json::record;
use apex_parts_json::record::Val;
use apex_parts_json::saved::object_of;
use apex_parts_json::writer::{ObjectWriter, object, value_text};
use apex_parts_model::delta::{MergePolicy, ReaderOutput};
use apex_parts_wire::READS_PROVIDERS;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// JSON that is nested deeper goes into `meta` as its text: snapshots must be able to bring it back.
const MAX_META_DEPTH: usize = 64;
/// The same for a whole `payload.meta`: the lists and objects of `meta` stand around such values.
const MAX_CARRIED_DEPTH: usize = MAX_META_DEPTH + 8;

/// What the assembler puts into `meta` itself, from deltas: a `payload.meta` cannot contradict them.
const OWN: [&str; 5] = ["usage", "finishReason", "error", "parseErrors", "unclosedToolCalls"];

/// Takes an id, unless there is one already or it is blank.
fn fill(known: &mut String, id: &str) {
    if known.is_empty() && !id.trim().is_empty() {
        id.clone_into(known);
    }
}

/// The output of a tool, from the stream.
#[derive(Clone, Debug, Default)]
pub(crate) struct ToolResult {
    pub(crate) id: Box<str>,
    pub(crate) is_error: bool,
    /// The output as JSON text.
    pub(crate) content: Box<str>,
    /// State of its provider, as JSON text.
    pub(crate) provider: Option<Box<str>>,
    pub(crate) at: Ms,
}

impl ToolResult {
    /// The number of bytes that it counts for.
    fn size(&self) -> usize {
        self.id.len() + self.content.len() + self.provider.as_ref().map_or(0, |json| json.len())
    }
}

/// The fields of `meta` that only the delta that ends the stream can carry.
#[derive(Clone, Debug, Default)]
pub(crate) struct EndMeta {
    /// The first `meta.modelId` after a `start` without one.
    pub(crate) model_id: String,
    /// The first `meta.requestId` after a `start` without one.
    pub(crate) request_id: String,
    /// The key of the provider whose state of the message `provider` has; empty if nobody knows it. It is not
    /// shown in `meta`.
    pub(crate) state_key: String,
    /// `meta.toolResults`
    pub(crate) tool_results: Vec<ToolResult>,
    /// `meta.compaction`
    pub(crate) compaction: Option<Value>,
    /// `meta.provider`
    pub(crate) provider: Map<String, Value>,
    /// All other fields of a `payload.meta`.
    pub(crate) more: Map<String, Value>,
    /// What the model wrote for calls whose tool got other arguments, for their elements in `provider.toolCalls`: by the
    /// id of the call, its fields.
    pub(crate) inputs: Map<String, Value>,
}

impl EndMeta {
    /// Reads a `payload.meta`: the JSON text of an object.
    pub(crate) fn read(json: &str, at: Ms) -> EndMeta {
        let mut read = EndMeta::default();
        let Ok(meta) = record::read(json, record::MAX_DEPTH) else { return read };
        for (name, value) in meta.entries() {
            match name.as_ref() {
                own if OWN.contains(&own) => {}
                "modelId" => fill(&mut read.model_id, &value.text()),
                "requestId" => fill(&mut read.request_id, &value.text()),
                "stateKey" => fill(&mut read.state_key, &value.text()),
                "toolResults" if read.read_results(value, at) => {}
                "compaction" => read.compaction = Some(carried(value)),
                "provider" if value.is_object() => {
                    let fields = value.entries();
                    let fields = fields.map(|(n, v)| (n.into_owned(), carried(v)));
                    read.provider = object_of(fields);
                }
                _ => {
                    read.more.insert(name.into_owned(), carried(value));
                }
            }
        }
        read
    }

    /// Reads `toolResults`; false if it is not a list of them.
    fn read_results(&mut self, list: Val<'_>, at: Ms) -> bool {
        let one = |result: Val<'_>| {
            let [id, is_error, content, provider] =
                result.fields(&["toolCallId", "isError", "content", "provider"]);
            let state = provider.exists().then(|| provider.json());
            let is_state = |json: &String| provider_state::check(json, MAX_META_DEPTH).is_ok();
            let provider = state.filter(is_state).map(String::into_boxed_str);
            let is_error = match is_error.raw() {
                "true" => true,
                "false" => false,
                _ => return None,
            };
            let (id, content) = (id.str()?.into(), content.json().into());
            Some(ToolResult { id, is_error, content, provider, at })
        };
        let results = list.is_array().then(|| list.items().map(one).collect()).flatten();
        let good = results.is_some();
        self.tool_results = results.unwrap_or_default();
        good
    }

    /// The number of bytes that it counts for.
    pub(crate) fn size(&self) -> usize {
        let results = self.tool_results.iter().map(ToolResult::size).sum::<usize>();
        let fields = |map: &Map<String, Value>| -> usize {
            map.iter().map(|(name, value)| name.len() + size_of(value)).sum()
        };
        let compaction = self.compaction.as_ref().map_or(0, size_of);
        let ids = self.model_id.len() + self.request_id.len() + self.state_key.len();
        let inputs = fields(&self.inputs);
        ids + results + compaction + fields(&self.provider) + fields(&self.more) + inputs
    }

    /// Takes the fields of a `payload.meta`, which replace those of the same names. Returns the
    /// number of bytes that were released.
    pub(crate) fn carry(&mut self, read: EndMeta) -> usize {
        let before = self.size() + read.size();
        if !read.tool_results.is_empty() {
            self.tool_results = read.tool_results;
        }
        fill(&mut self.model_id, &read.model_id);
        fill(&mut self.request_id, &read.request_id);
        fill(&mut self.state_key, &read.state_key);
        self.compaction = read.compaction.or(self.compaction.take());
        self.provider.extend(read.provider);
        self.more.extend(read.more);
        before.saturating_sub(self.size())
    }

    /// Forgets the results of calls that are gone. Returns the number of bytes that were released.
    pub(crate) fn forget_results(&mut self, is_kept: &dyn Fn(&str) -> bool) -> usize {
        let mut released = 0;
        self.tool_results.retain(|result| {
            let is_kept = is_kept(&result.id);
            released += if is_kept { 0 } else { result.size() };
            is_kept
        });
        released
    }

    /// The number of bytes that this output will hold.
    pub(crate) fn size_of_output(output: &ReaderOutput<'_>) -> usize {
        match output {
            ReaderOutput::Delta(_)
            | ReaderOutput::Warning { .. }
            | ReaderOutput::Wrong { .. }
            | ReaderOutput::Step
            | ReaderOutput::ResetStep
            | ReaderOutput::WholeText(_)
            | ReaderOutput::WholeCall(_)
            | ReaderOutput::Place(_) => 0,
            ReaderOutput::ToolResult { id, content, provider, .. } => {
                let provider = provider.as_ref().map_or(0, |json| json.len());
                id.len().saturating_add(content.len()).saturating_add(provider)
            }
            ReaderOutput::Ids { model_id, request_id } => {
                model_id.len().saturating_add(request_id.len())
            }
            ReaderOutput::StateKey(key) => key.len(),
            ReaderOutput::Compaction(value) => size_of(value),
            ReaderOutput::Provider { name, value, .. } => name.len().saturating_add(size_of(value)),
        }
    }

    /// Takes an output that goes into `meta`, received at `at`. Returns the number of bytes that
    /// were released. `place` gives the place among the parts, for what needs it.
    pub(crate) fn take(
        &mut self,
        output: ReaderOutput<'_>,
        at: Ms,
        place: &mut dyn FnMut() -> Option<StreamPlace>,
    ) -> usize {
        match output {
            // Not part of `meta`.
            ReaderOutput::Delta(_)
            | ReaderOutput::Warning { .. }
            | ReaderOutput::Wrong { .. }
            | ReaderOutput::Step
            | ReaderOutput::ResetStep
            | ReaderOutput::WholeText(_)
            | ReaderOutput::WholeCall(_)
            | ReaderOutput::Place(_) => 0,
            ReaderOutput::ToolResult { id, is_error, content, provider } => {
                let (id, content) = (id.into(), content.into());
                let length = provider.as_ref().map_or(0, |json| json.len());
                let is_state =
                    |json: &Cow<'_, str>| provider_state::check(json, MAX_META_DEPTH).is_ok();
                let provider = provider.filter(is_state).map(Into::into);
                let released = if provider.is_none() { length } else { 0 };
                self.tool_results.push(ToolResult { id, is_error, content, provider, at });
                released
            }
            ReaderOutput::Ids { model_id, request_id } => {
                fill(&mut self.model_id, &model_id);
                fill(&mut self.request_id, &request_id);
                0
            }
            ReaderOutput::StateKey(key) => {
                let known = self.state_key.len();
                fill(&mut self.state_key, key);
                known
            }
            ReaderOutput::Compaction(value) => {
                self.compaction.replace(flat(value, MAX_META_DEPTH)).as_ref().map_or(0, size_of)
            }
            ReaderOutput::Provider { name, mut value, keep } => {
                let place =
                    matches!(keep, MergePolicy::Placed | MergePolicy::Marked(_)).then(place);
                if let Some(place) = place.flatten() {
                    place.add_to(&mut value);
                }
                self.provider(name, value, keep)
            }
        }
    }

    /// Takes a field of `meta.provider`. Returns the number of bytes released: the size of a
    /// replaced value, and that of a name that was there already.
    fn provider(&mut self, name: Cow<'static, str>, value: Value, keep: MergePolicy) -> usize {
        let mut value = flat(value, MAX_META_DEPTH);
        if let (MergePolicy::Marked(number), Value::Object(fields)) = (keep, &mut value) {
            let known = self.provider.get_mut(name.as_ref()).and_then(|list| list.get_mut(number));
            let ends = known.and_then(|element| element.get_mut("summaryEnds")).map(Value::take);
            let Value::Array(mut ends) = ends.unwrap_or(Value::Array(Vec::new())) else { return 0 };
            ends.extend(fields.get("offset").cloned());
            fields.insert("summaryEnds".to_owned(), Value::Array(ends));
        }
        let is_list = !matches!(keep, MergePolicy::Last | MergePolicy::Fields | MergePolicy::Deep);
        let mut released = 0;
        if keep == MergePolicy::Deep {
            released = without_prototype_names(&mut value);
        }
        let Some(known) = self.provider.get_mut(name.as_ref()) else {
            let value = if is_list { Value::Array(vec![value]) } else { value };
            self.provider.insert(name.into_owned(), value);
            return released;
        };
        released += name.len();
        match (known, value) {
            (Value::Array(values), value) if is_list => {
                let (number, join) = match keep {
                    MergePolicy::Joined(number) => (number, true),
                    MergePolicy::Merged(number)
                    | MergePolicy::Marked(number)
                    | MergePolicy::Replaced(number) => (number, false),
                    _ => (usize::MAX, false),
                };
                match (values.get_mut(number), value) {
                    (Some(element), value) if matches!(keep, MergePolicy::Replaced(_)) => {
                        released += size_of(element);
                        *element = value;
                    }
                    (Some(Value::Object(fields)), Value::Object(more)) => {
                        released += 1 + merge(fields, more, join);
                    }
                    (_, value) => values.push(value),
                }
            }
            (Value::Object(fields), Value::Object(more)) if keep == MergePolicy::Fields => {
                released += 1 + merge(fields, more, false);
            }
            (Value::Object(fields), Value::Object(more)) if keep == MergePolicy::Deep => {
                released += 1 + merge_deep(fields, more);
            }
            (known, value) => {
                released = released.saturating_add(size_of(known));
                *known = if is_list { Value::Array(vec![value]) } else { value };
            }
        }
        released
    }

    /// Keeps what the model wrote for a call whose tool got other arguments, or another name.
    pub(crate) fn note_input(&mut self, id: String, text: String, name: Option<String>) {
        let known = self.inputs.get(&id);
        let known = |field: &str| known.and_then(|input| input.get(field)).cloned();
        // What was written first is what the model wrote.
        let text = known("inputText").unwrap_or_else(|| text.into());
        let name = known("inputName").or_else(|| name.map(Value::from));
        let mut input = Map::new();
        input.insert("inputText".to_owned(), text);
        input.extend(name.map(|name| ("inputName".to_owned(), name)));
        self.inputs.insert(id, Value::Object(input));
    }

    /// The fields of `meta.provider`, with what the models wrote among those of its calls.
    fn shown_provider(&self) -> Cow<'_, Map<String, Value>> {
        if !READS_PROVIDERS || self.inputs.is_empty() {
            return Cow::Borrowed(&self.provider);
        }
        let (mut provider, mut inputs) = (self.provider.clone(), self.inputs.clone());
        let calls = provider.entry("toolCalls").or_insert_with(|| Value::Array(Vec::new()));
        if let Value::Array(calls) = calls {
            for call in calls.iter_mut().filter_map(Value::as_object_mut) {
                let id = call.get("toolCallId").and_then(Value::as_str);
                if let Some(Value::Object(input)) = id.and_then(|id| inputs.remove(id)) {
                    call.extend(input);
                }
            }
            for (id, input) in inputs {
                let Value::Object(mut input) = input else { continue };
                input.insert("toolCallId".to_owned(), id.into());
                calls.push(Value::Object(input));
            }
        }
        Cow::Owned(provider)
    }

    /// Gives the parts of places in `meta.provider` other numbers.
    pub(crate) fn move_places(&mut self, moved: &dyn Fn(usize) -> usize) {
        for element in self.provider.values_mut().filter_map(Value::as_array_mut).flatten() {
            if let Some(part) = element.get_mut("part")
                && let Some(number) = part.as_u64()
            {
                *part = Value::from(moved(usize::try_from(number).unwrap_or(usize::MAX)));
            }
        }
    }

    /// The state of the whole message: fields of `provider` that are not lists. The message has its own fields
    /// for tokens and the finish reason.
    pub(crate) fn message_state(&self) -> impl Iterator<Item = (&String, &Value)> {
        let fields = self.provider.iter().filter(|_| !self.state_key.is_empty());
        let is_elsewhere = |name: &str| matches!(name, "usage" | "rawFinishReason");
        fields.filter(move |(name, value)| !value.is_array() && !is_elsewhere(name))
    }

    /// Writes that state as the `metadata` of a part, if there is any.
    pub(crate) fn write_message_state(&self, part: &mut ObjectWriter<'_>) {
        if self.message_state().next().is_some() {
            part.object("metadata", |metadata| {
                object(metadata.foreign_key(&self.state_key), |state| {
                    state.object("message", |out| write_fields(out, self.message_state()));
                });
            });
        }
    }

    /// Writes the fields.
    pub(crate) fn write(&self, meta: &mut ObjectWriter<'_>) {
        if !self.tool_results.is_empty() {
            meta.list("toolResults", &self.tool_results, |out, result| {
                object(out, |out| {
                    out.string("toolCallId", &result.id).bool("isError", result.is_error);
                    out.key("content").push_str(&result.content);
                    json_field(out, "provider", result.provider.as_deref());
                });
            });
        }
        if let Some(compaction) = &self.compaction {
            meta.value("compaction", compaction);
        }
        let provider = self.shown_provider();
        if !provider.is_empty() {
            meta.object("provider", |out| write_fields(out, provider.iter()));
        }
        // `toolResults` or `provider` of another shape are kept, unless there are proper ones.
        for (name, value) in &self.more {
            let is_written = match name.as_str() {
                "toolResults" => !self.tool_results.is_empty(),
                "provider" => !provider.is_empty(),
                _ => false,
            };
            if !is_written {
                meta.foreign_key(name).push_str(&value_text(value));
            }
        }
    }

    /// Writes the field `meta` of a payload that ends a stream, unless it is empty.
    pub(crate) fn write_carried(&self, payload: &mut ObjectWriter<'_>) {
        let EndMeta {
            model_id,
            request_id,
            state_key,
            tool_results,
            compaction,
            provider,
            more,
            inputs,
        } = self;
        let has_ids = !model_id.is_empty() || !request_id.is_empty();
        let is_empty = tool_results.is_empty() && provider.is_empty() && more.is_empty();
        if has_ids || !is_empty || compaction.is_some() || !inputs.is_empty() {
            payload.object("meta", |meta| {
                for (name, id) in [("modelId", model_id), ("requestId", request_id)] {
                    if !id.is_empty() {
                        meta.string(name, id);
                    }
                }
                self.write(meta);
                if self.message_state().next().is_some() {
                    meta.string("stateKey", state_key);
                }
            });
        }
    }
}

/// Takes the fields of an object over into another one, where they replace those of the same names, or
/// are appended to them if `join` says so and both are strings. Objects within are merged as well.
/// Returns the number of bytes that were released.
fn merge(fields: &mut Map<String, Value>, more: Map<String, Value>, join: bool) -> usize {
    let mut released = 0_usize;
    for (name, value) in more {
        let length = name.len();
        match (fields.get_mut(&name), value) {
            (Some(Value::String(text)), Value::String(more)) if join => {
                text.push_str(&more);
                released = released.saturating_add(length + 1);
            }
            (Some(Value::Object(inner)), Value::Object(more)) if name == "function" => {
                released = released.saturating_add(length + 1 + merge(inner, more, join));
            }
            (_, value) => {
                if let Some(old) = fields.insert(name, value) {
                    released = released.saturating_add(length + size_of(&old));
                }
            }
        }
    }
    released
}

/// The same with all objects within, however deep.
fn merge_deep(fields: &mut Map<String, Value>, more: Map<String, Value>) -> usize {
    let mut released = 0_usize;
    for (name, value) in more {
        let length = name.len();
        match (fields.get_mut(&name), value) {
            (Some(Value::Object(inner)), Value::Object(more)) => {
                released = released.saturating_add(length + 1 + merge_deep(inner, more));
            }
            (_, value) => {
                if let Some(old) = fields.insert(name, value) {
                    released = released.saturating_add(length + size_of(&old));
                }
            }
        }
    }
    released
}

/// Removes the fields, at any depth, that would change the prototype of an object in JavaScript when objects are merged.
/// Returns the number of bytes that were released.
fn without_prototype_names(value: &mut Value) -> usize {
    match value {
        Value::Array(list) => list.iter_mut().map(without_prototype_names).sum(),
        Value::Object(fields) => {
            let mut released = 0;
            for name in ["__proto__", "constructor", "prototype"] {
                if let Some(value) = fields.remove(name) {
                    released += name.len() + size_of(&value);
                }
            }
            released + fields.values_mut().map(without_prototype_names).sum::<usize>()
        }
        _ => 0,
    }
}

fn write_fields<'a>(
    out: &mut ObjectWriter<'_>,
    fields: impl IntoIterator<Item = (&'a String, &'a Value)>,
) {
    for (name, value) in fields {
        out.foreign_key(name).push_str(&value_text(value));
    }
}

/// The number of bytes that a value counts for: those of text, and one for each value.
fn size_of(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len() + 1,
        Value::Array(list) => list.iter().map(size_of).sum::<usize>() + 1,
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| name.len() + size_of(value)).sum::<usize>() + 1
        }
        _ => 1,
    }
}

/// Is the value nested deeper than `depth` lists and objects?
fn is_deeper(value: &Value, depth: usize) -> bool {
    match value {
        Value::Array(list) => depth == 0 || list.iter().any(|v| is_deeper(v, depth - 1)),
        Value::Object(fields) => depth == 0 || fields.values().any(|v| is_deeper(v, depth - 1)),
        _ => false,
    }
}

/// The value, or its JSON text if it is nested deeper than `depth`.
fn flat(value: Value, depth: usize) -> Value {
    if is_deeper(&value, depth) { Value::String(value_text(&value)) } else { value }
}

/// A value of a `payload.meta`.
fn carried(value: Val<'_>) -> Value {
    flat(value.value(), MAX_CARRIED_DEPTH)
}
