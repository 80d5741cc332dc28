//! A snapshot is a stream: one `start`, one delta a part, and so on, as NDJSON, so that any
//! assembler can read it. What no delta says (half a line, problems, results of tools) stands in a
//! field `snapshot` of the first record, which other readers step over.
//!
//! The last record has the last `seq` that was taken: the very next delta may follow.

use super::backlog::Backlog;
use super::corrections::Corrections;
use super::delta_json;
use super::delta_json::Envelope;
use super::ending::Ending;
use super::meta::{EndMeta, ToolResult};
use super::options::StreamOptions;
use super::part::{Body, StreamedCall, StreamedPart};
use super::provider_state::{ProviderState, json_field};
use super::settings::{OnDuplicate, OnProblem, Settings};
use super::state::Assembler;
use super::stream::Stream;
use apex_parts_json::saved;
use apex_parts_json::saved::{Saved, state};
use apex_parts_json::writer::{ObjectWriter, value_text, waiting_text};
use apex_parts_json::{record, scan};
use apex_parts_model::Problem;
use apex_parts_model::Violation;
use apex_parts_model::delta::{DeltaContent, Payload};
use apex_parts_model::time;
use apex_parts_wire::framing::lines::HeldBytes;
use apex_parts_wire::not_json;
use apex_parts_wire::{Framing, ThinkTags, WireFormat};
use serde_json::{Map, Value};

const VERSION: u64 = 1;
/// The lists and objects that the values of records stand in.
const MAX_DEPTH: usize = record::MAX_DEPTH + 16;

/// What no delta says.
#[derive(Default)]
struct SnapshotRest {
    version: u64,
    format: String,
    run_id: Option<String>,
    collect: bool,
    ignore: bool,
    max_bytes: u64,
    max_depth: u64,
    last_seq: Option<Seq>,
    /// The stream was ended without `done` or `error`.
    cut: bool,
    other: bool,
    held: u64,
    problems: Vec<Problem>,
    model_id: String,
    request_id: String,
    state_key: String,
    tool_results: Vec<ToolResult>,
    compaction: Value,
    provider: Map<String, Value>,
    more: Map<String, Value>,
    framing: Framing,
    backlog: HeldBytes,
    reader: Value,
    think_tags: Option<ThinkTags>,
    step: Option<Seq>,
    /// The `seq` of the first delta of each part, if parts can be taken back.
    parts: Vec<Seq>,
    /// The ids of the message and its parts, if they were asked for.
    ids: Vec<String>,
    inputs: Map<String, Value>,
    corrections: Corrections,
}

state!(SnapshotRest {
    version,
    format,
    run_id,
    collect,
    ignore,
    max_bytes,
    max_depth,
    last_seq,
    cut,
    other,
    held,
    problems,
    model_id,
    request_id,
    state_key,
    tool_results,
    compaction,
    provider,
    more,
    framing,
    backlog,
    reader,
    think_tags,
    step,
    parts,
    ids,
    inputs,
    corrections,
});

/// A `seq`, or a time in milliseconds.
#[derive(Clone, Copy, Default)]
struct Seq(i64);

impl Saved for Seq {
    fn save(&self) -> Value {
        Value::from(self.0)
    }
    fn put_back(&mut self, saved: Value) -> bool {
        saved::replace(self, saved.as_i64().map(Seq))
    }
}

impl Saved for ToolResult {
    fn save(&self) -> Value {
        let ToolResult { id, is_error, content, provider, at } = self;
        saved::save_fields(RESULT_FIELDS, &[id, is_error, content, provider, &at.map(Seq)])
    }
    fn put_back(&mut self, saved: Value) -> bool {
        let ToolResult { id, is_error, content, provider, at } = self;
        let mut time = None::<Seq>;
        let fields: &mut [&mut dyn Saved] = &mut [id, is_error, content, provider, &mut time];
        let loaded = saved::put_back_fields(saved, RESULT_FIELDS, fields);
        *at = time.map(|time| time.0);
        loaded
    }
}

const RESULT_FIELDS: &[&str] = &["id", "isError", "content", "provider", "at"];

fn rest(stream: &Stream) -> Value {
    let Stream {
        format,
        framing,
        // What it knows of the last record is only for speed.
        records: _,
        reader,
        think_tags,
        assembler,
        backlog,
        part_ids,
    } = stream;
    let Assembler {
        settings,
        run_id,
        last_seq,
        // These, the usage and the ending are the records after this one.
        start: _,
        parts,
        // The records add these again.
        calls: _,
        blocks: _,
        ended: _,
        unclosed: _,
        step,
        usage: _,
        ending,
        other,
        end_meta,
        problems,
        held,
        // Only for speed.
        last_call: _,
        measured: _,
        // It is compared only within one record.
        violations: _,
        // After a restore, a screen gets everything, and a log goes on with what comes.
        removed: _,
        changed: _,
        last_status: _,
        log: _,
        corrections,
    } = assembler;
    let Settings { run_id: _, on_problem, on_duplicate, max_bytes, max_depth } = settings;
    let EndMeta {
        model_id,
        request_id,
        state_key,
        tool_results,
        compaction,
        provider,
        more,
        inputs,
    } = end_meta;
    let rest = SnapshotRest {
        version: VERSION,
        format: format.as_str().to_owned(),
        run_id: run_id.as_deref().map(str::to_owned),
        collect: *on_problem == OnProblem::Collect,
        ignore: *on_duplicate == OnDuplicate::Ignore,
        max_bytes: *max_bytes as u64,
        max_depth: *max_depth as u64,
        last_seq: last_seq.map(Seq),
        cut: matches!(ending, Some(Ending::Cut)),
        other: *other,
        held: *held as u64,
        problems: problems.to_vec(),
        model_id: model_id.clone(),
        request_id: request_id.clone(),
        state_key: state_key.clone(),
        tool_results: tool_results.clone(),
        compaction: compaction.clone().unwrap_or_default(),
        provider: provider.clone(),
        more: more.clone(),
        framing: framing.clone(),
        backlog: HeldBytes(backlog.bytes().to_vec()),
        reader: reader.as_ref().map(|reader| reader.snapshot()).unwrap_or_default(),
        think_tags: think_tags.clone(),
        step: step.map(Seq),
        parts: if can_reset(stream) {
            parts.iter().map(|part| Seq(part.seq)).collect()
        } else {
            Vec::new()
        },
        ids: part_ids.clone(),
        inputs: inputs.clone(),
        corrections: corrections.saved(),
    };
    rest.save()
}

/// Whether parts may be taken back: by a delta, by a stream that has steps, or where a whole value follows its pieces.
fn can_reset(stream: &Stream) -> bool {
    stream.assembler.step.is_some() || stream.reader.is_none() || stream.format.says_wholes()
}

/// Writes records one after another.
struct RecordWriter<'a> {
    out: String,
    run_id: &'a str,
    seq: i64,
    rest: Option<String>,
    beside: &'a EndMeta,
}

impl RecordWriter<'_> {
    fn line(
        &mut self,
        kind: &'static str,
        timestamp: &str,
        payload: &dyn Fn(&mut ObjectWriter<'_>),
    ) {
        let envelope = Envelope { run_id: self.run_id, seq: self.seq, timestamp };
        envelope.write_as(&mut self.out, kind, self.rest.take().as_deref(), payload);
        self.out.push('\n');
        self.seq += 1;
    }

    fn delta(&mut self, payload: &Payload<'_>, timestamp: &str) {
        let beside = self.beside;
        self.line(delta_json::kind(payload), timestamp, &|out| {
            delta_json::write(payload, beside, out)
        });
    }
}

fn stamp(ms: Option<i64>) -> String {
    ms.map(time::format).unwrap_or_default()
}

impl Stream {
    /// The shortest delta stream that rebuilds this state, as NDJSON.
    #[must_use]
    pub fn snapshot(&self) -> Vec<u8> {
        write(self)
    }

    /// Goes on from a snapshot. Any delta stream in NDJSON will do.
    ///
    /// # Errors
    /// A [`Violation`] where the bytes are no snapshot.
    pub fn restore(bytes: &[u8], options: StreamOptions) -> Result<Stream, Violation> {
        read(bytes, options)
    }
}

fn write(stream: &Stream) -> Vec<u8> {
    let assembler = &stream.assembler;
    let mut writer = RecordWriter {
        out: String::with_capacity(assembler.held + assembler.held / 8 + 1024),
        run_id: assembler.run_id.as_deref().unwrap_or_default(),
        seq: 0,
        rest: Some(value_text(&rest(stream))),
        beside: &assembler.end_meta,
    };
    let Some(start) = &assembler.start else {
        // Not even a `start`: a record of a kind that other readers skip (DC-15).
        writer.seq = assembler.last_seq.unwrap_or(0);
        writer.line("snapshot", "", &|_| {});
        return writer.out.into_bytes();
    };
    let lines = i64::try_from(count(assembler)).unwrap_or(i64::MAX);
    // Every record stands for one delta that was taken, or more: the numbers suffice.
    writer.seq = assembler.last_seq.unwrap_or(lines).saturating_sub(lines - 1);
    writer.delta(&start.payload(), &start.timestamp);
    for (index, part) in assembler.parts.iter().enumerate() {
        let StreamedPart {
            body,
            started,
            ended,
            // With its block: `block` and `state` read them.
            extra: _,
            // Among what no delta says.
            seq: _,
            // A screen and a log begin again.
            reported: _,
            half: _,
        } = part;
        let began = stamp(*started);
        match body {
            Body::Text(text) | Body::Thinking(text) => {
                let is_text = matches!(body, Body::Text(_));
                let state = part.state().filter(|state| state.size() > 0);
                let state = state.map(ProviderState::to_json);
                writer.line(if is_text { "text" } else { "thinking" }, &began, &|payload| {
                    waiting_text(payload.key("textDelta"), text);
                    json_field(payload, "block", part.block());
                    json_field(payload, "provider", state.as_deref());
                });
            }
            Body::Custom(_) => {
                if let Some(payload) = part.custom_payload() {
                    writer.delta(&payload, &began);
                }
            }
            Body::Call(call) => {
                let state = part.state().map(ProviderState::to_json);
                writer.delta(&call.start_payload(state.as_deref()), &began);
                if has_args(call) {
                    writer.line("tool_call_args", &began, &|payload| {
                        payload.string("toolCallId", &call.id);
                        waiting_text(payload.key("argsTextDelta"), &call.raw);
                    });
                }
                if was_ended(assembler, index, call) {
                    writer.delta(&call.end_payload(None), &stamp(*ended));
                }
            }
        }
    }
    if let Some(usage) = assembler.usage {
        writer.delta(&Payload::Usage(usage), &start.timestamp);
    }
    if let Some(payload) = assembler.ending.as_ref().and_then(Ending::payload) {
        writer.delta(&payload, &stamp(assembler.ended));
    }
    writer.out.into_bytes()
}

fn has_args(call: &StreamedCall) -> bool {
    !call.raw.is_empty() || call.raw.high().is_some()
}

/// By a delta of its own, not by `done`.
fn was_ended(assembler: &Assembler, index: usize, call: &StreamedCall) -> bool {
    !call.is_open() && assembler.unclosed.binary_search(&index).is_err()
}

fn count(assembler: &Assembler) -> usize {
    let of_call = |index, call: &StreamedCall| {
        1 + usize::from(has_args(call)) + usize::from(was_ended(assembler, index, call))
    };
    let parts = assembler.parts.iter().enumerate();
    let of_parts: usize =
        parts.map(|(index, part)| part.call().map_or(1, |call| of_call(index, call))).sum();
    let ending = matches!(assembler.ending, Some(Ending::Done { .. } | Ending::Error(_)));
    1 + of_parts + usize::from(assembler.usage.is_some()) + usize::from(ending)
}

fn read(bytes: &[u8], options: StreamOptions) -> Result<Stream, Violation> {
    let first = bytes.split(|b| *b == b'\n').next().unwrap_or_default();
    let rest = rest_of(first)?;
    let mut options = options;
    if let Some(rest) = &rest {
        let wrong = |what: &str| Violation::new("schema", format!("the snapshot is from {what}"));
        if rest.version != VERSION {
            return Err(wrong("another version of this package"));
        }
        let Some(format) = WireFormat::parse(&rest.format) else {
            return Err(wrong("an unknown format"));
        };
        // The reader's state is of this format and no other.
        options.format = Some(format);
        options.think_tags = rest.think_tags.clone();
        options.run_id = rest.run_id.clone().or(options.run_id);
        let (collect, ignore) = (OnProblem::Collect, OnDuplicate::Ignore);
        options.on_problem = options.on_problem.or(rest.collect.then_some(collect));
        options.on_duplicate = options.on_duplicate.or(rest.ignore.then_some(ignore));
        options.max_bytes = options.max_bytes.or(Some(usize_of(rest.max_bytes)));
        options.max_depth = options.max_depth.or(Some(usize_of(rest.max_depth)));
    }
    let mut stream = Stream::new(options.clone());
    let settings = &mut stream.assembler.settings;
    // What was taken once is within the bounds.
    (settings.max_bytes, settings.max_depth) = (usize::MAX, usize::MAX);
    (settings.on_problem, settings.on_duplicate) = (OnProblem::Throw, OnDuplicate::Error);
    let mut offset = 0;
    for line in bytes.split(|b| *b == b'\n') {
        if !line.trim_ascii().is_empty() {
            match stream.records.read(line, usize::MAX) {
                Ok(delta) if rest.is_some() && matches!(delta.what, DeltaContent::Unknown(_)) => {}
                Ok(delta) => stream.assembler.push(&delta, Some(offset))?,
                Err(violation) => stream.assembler.refuse(violation, Some(offset))?,
            }
        }
        offset += line.len() as u64 + 1;
    }
    stream.assembler.settings = options.settings();
    if let Some(rest) = rest {
        put_back(&mut stream, rest)?;
    }
    // What came before the snapshot is in it: a log goes on with what comes after.
    stream.assembler.keep_deltas();
    Ok(stream)
}

/// The field `snapshot` of the first record. Without it the bytes are an ordinary stream.
fn rest_of(first: &[u8]) -> Result<Option<SnapshotRest>, Violation> {
    let no = |what: String| Violation::new("json", format!("this is not a snapshot: {what}"));
    let json = std::str::from_utf8(first).map_err(|_| no("it is not UTF-8".to_owned()))?;
    let at = scan::skip_space(first, 0);
    if first.get(at) != Some(&b'{') {
        return Ok(None); // the records will say what is wrong
    }
    let Ok(([Some(span)], _)) = scan::fields(json, at, ["snapshot"], usize::MAX) else {
        return Ok(None);
    };
    let saved = span.text(json);
    let tree =
        record::tree(saved, MAX_DEPTH).map_err(|error| no(not_json(error, saved).message))?;
    SnapshotRest::load(tree)
        .map(Some)
        .ok_or_else(|| no("its field `snapshot` has a different form".to_owned()))
}

fn usize_of(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn put_back(stream: &mut Stream, mut rest: SnapshotRest) -> Result<(), Violation> {
    if let Some(reader) = &mut stream.reader {
        let state = std::mem::take(&mut rest.reader);
        reader.restore(state).map_err(|error| Violation::new("schema", error.message))?;
    }
    let SnapshotRest {
        // `read` has checked these, or has made options of them.
        version: _,
        format: _,
        collect: _,
        ignore: _,
        max_bytes: _,
        max_depth: _,
        think_tags: _,
        run_id,
        last_seq,
        cut,
        other,
        held,
        problems,
        model_id,
        request_id,
        state_key,
        tool_results,
        compaction,
        provider,
        more,
        framing,
        backlog,
        // It was put back above, as that can fail.
        reader: _,
        step,
        parts,
        ids,
        inputs,
        corrections,
    } = rest;
    stream.framing = framing;
    stream.backlog = Backlog::new(backlog.0);
    stream.part_ids = ids;
    let assembler = &mut stream.assembler;
    assembler.step = step.map(|seq| seq.0);
    // A snapshot of an older version has no numbers where parts are corrected.
    let known = parts.len() as u64;
    for (part, seq) in assembler.parts.iter_mut().zip(parts) {
        part.seq = seq.0;
    }
    assembler.corrections = corrections;
    if stream.format.says_wholes() && known == 0 {
        assembler.corrections.unknown = assembler.parts.len() as u64;
    }
    assembler.run_id = run_id.or(assembler.run_id.take());
    assembler.last_seq = last_seq.map(|seq| seq.0);
    if cut && assembler.ending.is_none() {
        assembler.end();
    }
    assembler.problems = problems.into_iter().collect();
    assembler.other = other;
    assembler.held = usize_of(held);
    assembler.end_meta = EndMeta {
        model_id,
        request_id,
        state_key,
        tool_results,
        compaction: Some(compaction).filter(|value| !value.is_null()),
        provider,
        more,
        inputs,
    };
    Ok(())
}
