//! A snapshot is a stream: one `start`, one delta a part, and so on, as NDJSON, so that any
//! assembler can read it. What no delta says (half a line, problems, results of tools) stands in a
//! field `snapshot` of the first record, which other readers step over.
//!
//! The last record has the last `seq` that was taken: the very next delta may follow.

use super::assembler::{Assembler, Ending, ToolResult};
use super::breach::Breach;
use super::json::{Object, object, waiting_text};
use super::message::write_usage;
use super::part::{Body, Call};
use super::settings::{OnDuplicate, OnProblem};
use super::stream::{Options, Stream};
use super::time;
use crate::model::Problem;
use crate::model::delta::What;
use crate::wire::lines::Held;
use crate::wire::{Framing, WireFormat, scan};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::borrow::Cow;

const VERSION: u32 = 1;

/// What no delta says.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Rest<'a> {
    version: u32,
    format: Cow<'a, str>,
    #[serde(default)]
    run_id: Option<Cow<'a, str>>,
    #[serde(default)]
    collect: bool,
    #[serde(default)]
    ignore: bool,
    max_bytes: usize,
    max_depth: usize,
    #[serde(default)]
    last_seq: Option<i64>,
    /// The stream was ended without `done` or `error`.
    #[serde(default)]
    cut: bool,
    #[serde(default)]
    held: usize,
    #[serde(default)]
    problems: Cow<'a, [Problem]>,
    #[serde(default)]
    tool_results: Vec<Output<'a>>,
    #[serde(default)]
    compaction: Option<Cow<'a, Value>>,
    #[serde(default)]
    provider: Cow<'a, Map<String, Value>>,
    #[serde(default)]
    framing: Cow<'a, Framing>,
    #[serde(default)]
    backlog: Held,
    #[serde(default)]
    reader: Option<Value>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Output<'a> {
    tool_call_id: Cow<'a, str>,
    is_error: bool,
    content: Cow<'a, Value>,
    at: Option<i64>,
}

fn rest(stream: &Stream) -> Rest<'_> {
    let assembler = &stream.assembler;
    let settings = &assembler.settings;
    let output = |result: &'_ ToolResult| Output {
        tool_call_id: Cow::Owned(result.id.to_string()),
        is_error: result.is_error,
        content: Cow::Owned(result.content.clone()),
        at: result.at,
    };
    Rest {
        version: VERSION,
        format: Cow::Borrowed(stream.format.as_str()),
        run_id: assembler.run_id.as_deref().map(Cow::Borrowed),
        collect: settings.on_problem == OnProblem::Collect,
        ignore: settings.on_duplicate == OnDuplicate::Ignore,
        max_bytes: settings.max_bytes,
        max_depth: settings.max_depth,
        last_seq: assembler.last_seq,
        cut: matches!(assembler.ending, Some(Ending::Cut)),
        held: assembler.held,
        problems: Cow::Borrowed(&assembler.problems),
        tool_results: assembler.tool_results.iter().map(output).collect(),
        compaction: assembler.compaction.as_ref().map(Cow::Borrowed),
        provider: Cow::Borrowed(&assembler.provider),
        framing: Cow::Borrowed(&stream.framing),
        backlog: Held(stream.backlog.clone()),
        reader: stream.reader.as_ref().map(|reader| reader.snapshot()),
    }
}

/// Writes records one after another.
struct Writer<'a> {
    out: String,
    run_id: &'a str,
    seq: i64,
    rest: Option<String>,
}

impl Writer<'_> {
    fn line(&mut self, kind: &str, timestamp: &str, payload: impl FnOnce(&mut Object<'_>)) {
        let (run_id, seq) = (self.run_id, self.seq);
        let rest = self.rest.take();
        object(&mut self.out, |record| {
            record.string("runId", run_id).integer("seq", seq).string("kind", kind);
            record.object("payload", payload).string("timestamp", timestamp);
            if let Some(rest) = rest {
                record.key("snapshot").push_str(&rest);
            }
        });
        self.out.push('\n');
        self.seq += 1;
    }
}

fn stamp(ms: Option<i64>) -> String {
    ms.map(time::format).unwrap_or_default()
}

pub(super) fn write(stream: &Stream) -> Vec<u8> {
    let assembler = &stream.assembler;
    let mut writer = Writer {
        out: String::with_capacity(assembler.held + assembler.held / 8 + 1024),
        run_id: assembler.run_id.as_deref().unwrap_or_default(),
        seq: 0,
        rest: serde_json::to_string(&rest(stream)).ok(),
    };
    let Some(start) = &assembler.start else {
        // Not even a `start`: a record of a kind that other readers skip (DC-15).
        writer.seq = assembler.last_seq.unwrap_or(0);
        writer.line("snapshot", "", |_| {});
        return writer.out.into_bytes();
    };
    let lines = i64::try_from(count(assembler)).unwrap_or(i64::MAX);
    // Every record stands for one delta that was taken, or more: the numbers suffice.
    writer.seq = assembler.last_seq.unwrap_or(lines).saturating_sub(lines - 1);
    writer.line("start", &start.timestamp, |payload| {
        payload.string("modelId", &start.model_id).string("requestId", &start.request_id);
    });
    for (index, part) in assembler.parts.iter().enumerate() {
        let began = stamp(part.started);
        match &part.body {
            Body::Text(text) => writer.line("text", &began, |payload| {
                waiting_text(payload.key("textDelta"), text);
            }),
            Body::Thinking(text) => writer.line("thinking", &began, |payload| {
                waiting_text(payload.key("textDelta"), text);
            }),
            Body::Call(call) => {
                writer.line("tool_call_start", &began, |payload| {
                    payload.string("toolCallId", &call.id).string("toolName", &call.name);
                });
                if has_args(call) {
                    writer.line("tool_call_args", &began, |payload| {
                        payload.string("toolCallId", &call.id);
                        waiting_text(payload.key("argsTextDelta"), &call.raw);
                    });
                }
                if was_ended(assembler, index, call) {
                    writer.line("tool_call_end", &stamp(part.ended), |payload| {
                        payload.string("toolCallId", &call.id);
                    });
                }
            }
        }
    }
    if let Some(usage) = &assembler.usage {
        writer.line("usage", &start.timestamp, |payload| write_usage(usage, payload));
    }
    match &assembler.ending {
        Some(Ending::Done { finish_reason }) => {
            writer.line("done", &stamp(assembler.ended), |payload| {
                payload.string("finishReason", finish_reason);
            });
        }
        Some(Ending::Error { code, message, retryable }) => {
            writer.line("error", &stamp(assembler.ended), |payload| {
                payload.string("errorCode", code);
                if let Some(message) = message {
                    payload.string("message", message);
                }
                if let Some(retryable) = retryable {
                    payload.bool("retryable", *retryable);
                }
            });
        }
        Some(Ending::Cut) | None => {}
    }
    writer.out.into_bytes()
}

fn has_args(call: &Call) -> bool {
    !call.raw.is_empty() || call.raw.high().is_some()
}

/// By a delta of its own, not by `done`.
fn was_ended(assembler: &Assembler, index: usize, call: &Call) -> bool {
    !call.is_open() && assembler.unclosed.binary_search(&index).is_err()
}

fn count(assembler: &Assembler) -> usize {
    let of_call = |index, call: &Call| {
        1 + usize::from(has_args(call)) + usize::from(was_ended(assembler, index, call))
    };
    let parts = assembler.parts.iter().enumerate();
    let of_parts: usize =
        parts.map(|(index, part)| part.call().map_or(1, |call| of_call(index, call))).sum();
    let ending = matches!(assembler.ending, Some(Ending::Done { .. } | Ending::Error { .. }));
    1 + of_parts + usize::from(assembler.usage.is_some()) + usize::from(ending)
}

pub(super) fn read(bytes: &[u8], options: Options) -> Result<Stream, Breach> {
    let first = bytes.split(|b| *b == b'\n').next().unwrap_or_default();
    let rest = rest_of(first)?;
    let mut options = options;
    if let Some(rest) = &rest {
        let wrong = |what: &str| Breach::new("schema", format!("the snapshot is of {what}"));
        if rest.version != VERSION {
            return Err(wrong("another version of this package"));
        }
        let Some(format) = WireFormat::parse(&rest.format) else {
            return Err(wrong("a format that is not known"));
        };
        // The reader's state is of this format and no other.
        options.format = Some(format);
        options.run_id = rest.run_id.as_ref().map(ToString::to_string).or(options.run_id);
        let (collect, ignore) = (OnProblem::Collect, OnDuplicate::Ignore);
        options.on_problem = options.on_problem.or(rest.collect.then_some(collect));
        options.on_duplicate = options.on_duplicate.or(rest.ignore.then_some(ignore));
        options.max_bytes = options.max_bytes.or(Some(rest.max_bytes));
        options.max_depth = options.max_depth.or(Some(rest.max_depth));
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
                Ok(delta) if rest.is_some() && matches!(delta.what, What::Unknown(_)) => {}
                Ok(delta) => stream.assembler.push(&delta, Some(offset))?,
                Err(refusal) => stream.assembler.refuse(refusal, Some(offset))?,
            }
        }
        offset += line.len() as u64 + 1;
    }
    stream.assembler.settings = options.settings();
    if let Some(rest) = rest {
        put_back(&mut stream, rest)?;
    }
    Ok(stream)
}

/// The field `snapshot` of the first record. Without it the bytes are an ordinary stream.
fn rest_of(first: &[u8]) -> Result<Option<Rest<'static>>, Breach> {
    let no = |what: String| Breach::new("json", format!("this is no snapshot: {what}"));
    let json = std::str::from_utf8(first).map_err(|_| no("it is not UTF-8".to_owned()))?;
    let at = scan::skip_space(first, 0);
    if first.get(at) != Some(&b'{') {
        return Ok(None); // the records will say what is wrong
    }
    let Ok(([Some(span)], _)) = scan::fields(json, at, ["snapshot"], usize::MAX) else {
        return Ok(None);
    };
    serde_json::from_str(span.text(json)).map(Some).map_err(|error| no(error.to_string()))
}

fn put_back(stream: &mut Stream, rest: Rest<'static>) -> Result<(), Breach> {
    if let (Some(reader), Some(state)) = (&mut stream.reader, &rest.reader) {
        reader.restore(state).map_err(|fault| Breach::new("schema", fault.message))?;
    }
    stream.framing = rest.framing.into_owned();
    stream.backlog = rest.backlog.0;
    let assembler = &mut stream.assembler;
    assembler.run_id = rest.run_id.map(Cow::into_owned).or(assembler.run_id.take());
    assembler.last_seq = rest.last_seq;
    if rest.cut && assembler.ending.is_none() {
        assembler.end();
    }
    assembler.problems = rest.problems.into_owned();
    assembler.held = rest.held;
    assembler.compaction = rest.compaction.map(Cow::into_owned);
    assembler.provider = rest.provider.into_owned();
    let result = |output: Output<'_>| ToolResult {
        id: output.tool_call_id.into(),
        is_error: output.is_error,
        content: output.content.into_owned(),
        at: output.at,
    };
    assembler.tool_results = rest.tool_results.into_iter().map(result).collect();
    Ok(())
}
