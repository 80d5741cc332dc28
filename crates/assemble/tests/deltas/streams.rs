//! Helpers for tests of the readers: our own streams, a simple SSE splitter, and a collector of a reader's
//! output.
#![allow(dead_code, unreachable_pub)] // each test uses its own part

use apex_parts_model::delta::{BlockKind, MergePolicy, Payload, Piece, ReaderOutput, Usage};
use apex_parts_wire::{Provider, Reader};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The records of a stream: event name and data of each.
pub type Records = Vec<(String, String)>;

/// The streams in a folder: path, format and text. A file's name ends with `.FORMAT.sse`.
pub fn streams_in(folder: &Path) -> Vec<(PathBuf, Provider, String)> {
    let mut paths: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "sse"));
    assert!(!paths.is_empty(), "{} has no streams", folder.display());
    paths.sort_unstable();
    let read = |path: PathBuf| {
        let stem = path.file_stem().unwrap().to_string_lossy();
        let format = Provider::parse(stem.rsplit('.').next().unwrap()).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains("data:"), "{} has no record: write a stream", path.display());
        (path, format, text)
    };
    paths.into_iter().map(read).collect()
}

/// The streams of this repository, whole ones and ones that are cut off.
pub fn own_streams() -> Vec<(PathBuf, Provider, String)> {
    let folder = apex_parts_fixtures::path("streams");
    let found = [streams_in(&folder), streams_in(&folder.join("cut"))].concat();
    assert!(found.len() >= 15);
    found
}

/// Whole streams: those written by hand, and the recorded ones.
pub fn whole_streams() -> Vec<(PathBuf, Provider, String)> {
    let own = apex_parts_fixtures::path("streams");
    [streams_in(&own), streams_in(&apex_parts_fixtures::recorded::folder("providers"))].concat()
}

/// The records of an SSE stream.
pub fn split(text: &str) -> Records {
    let text = text.replace("\r\n", "\n");
    let mut records = Vec::new();
    for block in text.split("\n\n") {
        let (mut event, mut data) = (String::new(), Vec::new());
        for line in block.lines() {
            if let Some(rest) = line.strip_prefix("event:") {
                event = rest.trim().to_owned();
            } else if let Some(rest) = line.strip_prefix("data:") {
                data.push(rest.strip_prefix(' ').unwrap_or(rest));
            }
        }
        if !data.is_empty() {
            records.push((event, data.join("\n")));
        }
    }
    records
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Call {
    pub id: String,
    pub name: String,
    pub args: String,
    pub ended: bool,
    /// The state of its provider.
    pub state: Map<String, Value>,
}

impl Call {
    pub fn input(&self) -> Value {
        if self.args.trim().is_empty() {
            return Value::Object(Map::new());
        }
        serde_json::from_str(&self.args)
            .unwrap_or_else(|e| panic!("arguments of {}: {e}: {}", self.id, self.args))
    }
}

/// One response.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Response {
    pub model: String,
    pub request: String,
    /// Text and reasoning, in order.
    pub parts: Vec<(&'static str, String)>,
    /// The block and the state of each of them.
    pub blocks: Vec<(Option<String>, Map<String, Value>)>,
    /// The parts of their own type.
    pub custom: Vec<(String, Value)>,
    /// Of those with a block: the index, by type and block.
    custom_blocks: BTreeMap<(String, String), usize>,
    pub calls: Vec<Call>,
    pub usage: Option<Usage>,
    pub finish: Option<String>,
    pub error: Option<(String, Option<String>, Option<bool>)>,
    pub results: Vec<(String, bool, Value)>,
    pub compaction: Option<Value>,
    pub warnings: Vec<String>,
    pub provider: Map<String, Value>,
    /// How many outputs came after the end.
    pub late: usize,
    high: Option<u16>,
}

impl Response {
    pub fn text(&self) -> String {
        self.of("text")
    }
    pub fn thinking(&self) -> String {
        self.of("thinking")
    }
    fn of(&self, kind: &str) -> String {
        self.parts.iter().filter(|p| p.0 == kind).map(|p| p.1.as_str()).collect()
    }
    fn add(
        &mut self,
        kind: &'static str,
        piece: &Piece<'_>,
        block: Option<&str>,
        provider: Option<&str>,
    ) {
        let last = self.parts.len().checked_sub(1);
        let is_same = |at: &usize| self.parts[*at].0 == kind;
        let known = match block {
            None => last.filter(is_same),
            Some(block) => (0..self.parts.len())
                .find(|at| is_same(at) && self.blocks[*at].0.as_deref() == Some(block)),
        };
        let at = known.unwrap_or_else(|| {
            self.high = None;
            self.parts.push((kind, String::new()));
            self.blocks.push((block.map(str::to_owned), Map::new()));
            self.parts.len() - 1
        });
        keep_state(&mut self.blocks[at].1, provider);
        let mut units = Vec::new();
        units.extend(self.high.take());
        units.extend(piece.low);
        let part = &mut self.parts[at].1;
        part.push_str(&String::from_utf16_lossy(&units));
        part.push_str(&piece.text);
        self.high = piece.high;
    }
}

/// Merges state of a provider: a field replaces an earlier one of its key and name.
fn keep_state(state: &mut Map<String, Value>, provider: Option<&str>) {
    let Some(provider) = provider else { return };
    let more: Map<String, Value> = serde_json::from_str(provider).expect("an object");
    for (key, fields) in more {
        match (state.get_mut(&key), fields) {
            (Some(Value::Object(known)), Value::Object(mut fields)) => known.append(&mut fields),
            (_, fields) => drop(state.insert(key, fields)),
        }
    }
}

/// All responses of a stream.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Collected {
    pub responses: Vec<Response>,
    pub faults: Vec<String>,
}

impl Collected {
    pub fn only(&self) -> &Response {
        assert_eq!(self.responses.len(), 1, "{self:#?}");
        assert_eq!(self.faults, Vec::<String>::new());
        &self.responses[0]
    }

    pub fn take(&mut self, said: ReaderOutput<'_>) {
        if let ReaderOutput::Delta(Payload::Start { model_id, request_id }) = said {
            self.responses.push(Response {
                model: model_id.into_owned(),
                request: request_id.into_owned(),
                ..Response::default()
            });
            return;
        }
        let now = self.responses.last_mut().expect("a Start comes first");
        if now.finish.is_some() || now.error.is_some() {
            now.late += 1;
        }
        match said {
            ReaderOutput::Delta(payload) => match payload {
                Payload::Start { .. } => unreachable!(),
                Payload::Text(piece) => now.add("text", &piece, None, None),
                Payload::Thinking(piece) => now.add("thinking", &piece, None, None),
                Payload::Block(block) => {
                    let kind = match block.kind {
                        BlockKind::Text => "text",
                        BlockKind::Thinking => "thinking",
                    };
                    now.add(kind, &block.text, block.block.as_deref(), block.provider.as_deref());
                }
                Payload::Custom { name, block, provider } => {
                    let state = serde_json::from_str(&provider).expect("JSON");
                    let key = block.map(|block| (name.to_string(), block.into_owned()));
                    match key.as_ref().and_then(|key| now.custom_blocks.get(key)) {
                        Some(at) => now.custom[*at].1 = state,
                        None => {
                            now.custom_blocks.extend(key.map(|key| (key, now.custom.len())));
                            now.custom.push((name.into_owned(), state));
                        }
                    }
                }
                Payload::Reset { .. } => {}
                Payload::ToolCallStart { id, name, provider } => {
                    assert!(now.calls.iter().all(|c| c.id != id), "DC-8: {id}");
                    let mut state = Map::new();
                    keep_state(&mut state, provider.as_deref());
                    now.calls.push(Call {
                        id: id.into_owned(),
                        name: name.into_owned(),
                        state,
                        ..Call::default()
                    });
                }
                Payload::ToolCallArgs { id, text } => {
                    let call = now.calls.iter_mut().find(|c| c.id == id).expect("DC-6");
                    assert!(!call.ended, "DC-6: {id} has ended");
                    assert!(text.low.is_none() && text.high.is_none(), "tests with ASCII only");
                    call.args.push_str(&text.text);
                }
                Payload::ToolCallEnd { id, provider } => {
                    let call = now.calls.iter_mut().find(|c| c.id == id).expect("DC-6");
                    keep_state(&mut call.state, provider.as_deref());
                    // State may follow the end.
                    let is_end = provider.is_none() || !call.ended;
                    assert!(
                        !is_end || !std::mem::replace(&mut call.ended, true),
                        "DC-6: {id} ends twice"
                    );
                }
                Payload::Usage(more) => {
                    let sum = now.usage.get_or_insert_with(Usage::default);
                    sum.input += more.input;
                    sum.output += more.output;
                    sum.total += more.total;
                    let add = |sum: &mut Option<f64>, more: Option<f64>| {
                        if let Some(more) = more {
                            *sum.get_or_insert(0.0) += more;
                        }
                    };
                    add(&mut sum.cost, more.cost);
                    add(&mut sum.cache_read, more.cache_read);
                    add(&mut sum.cache_write, more.cache_write);
                    add(&mut sum.reasoning, more.reasoning);
                }
                Payload::Done { finish_reason } => now.finish = Some(finish_reason.into_owned()),
                Payload::Error(error) => {
                    let error = error.into_owned();
                    let message = error.message.map(|message| message.into_owned());
                    now.error = Some((error.code.into_owned(), message, error.retryable));
                }
            },
            ReaderOutput::Step | ReaderOutput::ResetStep | ReaderOutput::StateKey(_) => {}
            // What becomes of them is a matter of the assembler.
            ReaderOutput::WholeText(_) | ReaderOutput::WholeCall(_) | ReaderOutput::Place(_) => {}
            ReaderOutput::ToolResult { id, is_error, content, provider } => {
                if let Some(call) = now.calls.iter_mut().find(|c| c.id == id) {
                    keep_state(&mut call.state, provider.as_deref());
                }
                let content = serde_json::from_str(&content).expect("JSON");
                now.results.push((id.into_owned(), is_error, content));
            }
            ReaderOutput::Ids { model_id, request_id } => {
                if now.model.is_empty() {
                    now.model = model_id.into_owned();
                }
                if now.request.is_empty() {
                    now.request = request_id.into_owned();
                }
            }
            ReaderOutput::Compaction(value) => now.compaction = Some(value),
            ReaderOutput::Provider { name, value, keep } => {
                let name = name.into_owned();
                match keep {
                    MergePolicy::Joined(number)
                    | MergePolicy::Merged(number)
                    | MergePolicy::Marked(number)
                        if now.provider.get(&name).is_some_and(|all| all.get(number).is_some()) =>
                    {
                        let Value::Object(more) = value else { panic!("an object") };
                        let known = now.provider[&name][number].as_object_mut().expect("an object");
                        for (name, value) in more {
                            let known = known.entry(name).or_insert(Value::Null);
                            *known = match (&*known, &value) {
                                (Value::String(a), Value::String(b))
                                    if matches!(keep, MergePolicy::Joined(_)) =>
                                {
                                    Value::from(format!("{a}{b}"))
                                }
                                _ => value,
                            };
                        }
                    }
                    MergePolicy::All
                    | MergePolicy::Placed
                    | MergePolicy::Joined(_)
                    | MergePolicy::Merged(_)
                    | MergePolicy::Marked(_) => {
                        let all = now.provider.entry(name).or_insert_with(|| Value::Array(vec![]));
                        all.as_array_mut().expect("a list stays a list").push(value);
                    }
                    MergePolicy::Fields => {
                        let all = now.provider.entry(name).or_insert_with(|| json!({}));
                        let Value::Object(mut more) = value else { panic!("an object") };
                        all.as_object_mut().expect("an object stays one").append(&mut more);
                    }
                    MergePolicy::Replaced(number) => {
                        let all = now.provider.entry(name).or_insert_with(|| Value::Array(vec![]));
                        let all = all.as_array_mut().expect("a list stays a list");
                        match all.get_mut(number) {
                            Some(element) => *element = value,
                            None => all.push(value),
                        }
                    }
                    MergePolicy::Deep => {
                        let known = now.provider.entry(name).or_insert(Value::Null);
                        merge(known, value);
                    }
                    MergePolicy::Last => drop(now.provider.insert(name, value)),
                }
            }
            ReaderOutput::Warning { rule, message } => {
                now.warnings.push(format!("{rule}: {message}"))
            }
            ReaderOutput::Wrong { message } => now.warnings.push(message),
        }
    }
}

/// Objects are merged at every depth; of all else the later value counts.
fn merge(known: &mut Value, more: Value) {
    match (known, more) {
        (Value::Object(known), Value::Object(more)) => {
            for (name, value) in more {
                merge(known.entry(name).or_insert(Value::Null), value);
            }
        }
        (known, more) => *known = more,
    }
}

/// Reads records and collects the output.
pub fn collect(format: Provider, records: &[(String, String)]) -> Collected {
    let mut reader = format.reader();
    let mut all = Collected::default();
    feed(&mut *reader, records, &mut all);
    reader.end(&mut |said| all.take(said));
    all
}

pub fn feed(reader: &mut dyn Reader, records: &[(String, String)], all: &mut Collected) {
    for (event, data) in records {
        let result = reader.record(event, data.as_bytes(), &mut |said| all.take(said));
        if let Err(error) = result {
            all.faults.push(format!("{}: {}", error.rule, error.message));
        }
    }
}

pub fn read(format: Provider, stream: &str) -> Collected {
    collect(format, &split(stream))
}
