//! `cargo bench --bench assemble`: benchmarks of the assembler as native code.
#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing, clippy::string_slice)]

use apex_parts::assemble::{Stream, StreamOptions};
use apex_parts::model::crc32::crc32;
use apex_parts::wire::{Framing, Provider, WireFormat};
use std::fmt::Write;
use std::time::{Duration, Instant};

const RUN: &str = "0195124e-7a1b-7c3d-9e5f-8a7b6c5d4e3f";

fn record(out: &mut String, seq: usize, kind: &str, payload: &str) {
    writeln!(
        out,
        r#"{{"runId":"{RUN}","seq":{seq},"kind":"{kind}","payload":{payload},"timestamp":"2025-02-17T08:30:00.125Z"}}"#
    )
    .unwrap();
}

fn text_stream(count: usize) -> String {
    let mut out = String::new();
    record(&mut out, 1, "start", r#"{"modelId":"m","requestId":"q"}"#);
    for i in 0..count {
        let text = if i % 10 == 0 { r"a line\n\n" } else { " and some words" };
        record(&mut out, i + 2, "text", &format!(r#"{{"textDelta":"{text}"}}"#));
    }
    record(&mut out, count + 2, "done", r#"{"finishReason":"stop"}"#);
    out
}

fn call_stream(count: usize) -> String {
    let mut out = String::new();
    record(&mut out, 1, "start", r#"{"modelId":"m","requestId":"q"}"#);
    record(&mut out, 2, "tool_call_start", r#"{"toolCallId":"c","toolName":"write"}"#);
    record(
        &mut out,
        3,
        "tool_call_args",
        r#"{"toolCallId":"c","argsTextDelta":"{\"content\":\""}"#,
    );
    for i in 0..count {
        record(
            &mut out,
            i + 4,
            "tool_call_args",
            r#"{"toolCallId":"c","argsTextDelta":"some words\\n"}"#,
        );
    }
    record(&mut out, count + 4, "tool_call_args", r#"{"toolCallId":"c","argsTextDelta":"\"}"}"#);
    record(&mut out, count + 5, "tool_call_end", r#"{"toolCallId":"c"}"#);
    record(&mut out, count + 6, "done", r#"{"finishReason":"stop"}"#);
    out
}

fn many_calls(count: usize) -> String {
    let mut out = String::new();
    record(&mut out, 1, "start", r#"{"modelId":"m","requestId":"q"}"#);
    for i in 0..count {
        let seq = i * 2 + 2;
        record(
            &mut out,
            seq,
            "tool_call_start",
            &format!(r#"{{"toolCallId":"c{i}","toolName":"t"}}"#),
        );
        record(&mut out, seq + 1, "tool_call_end", &format!(r#"{{"toolCallId":"c{i}"}}"#));
    }
    record(&mut out, count * 2 + 2, "done", r#"{"finishReason":"stop"}"#);
    out
}

/// A stream of a provider: its format, how it begins, the record of a piece of text and how it ends.
struct Answer {
    format: Provider,
    head: &'static str,
    /// With `WORD` in the place of the text, `TIME` in that of microseconds, `PADDING` in that of a string
    /// that says nothing.
    piece: &'static str,
    tail: &'static str,
}

const ANSWERS: &[Answer] = &[
    Answer {
        format: Provider::Anthropic,
        head: r#"{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[]}}
{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
        piece: r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"WORD "}}"#,
        tail: r#"{"type":"content_block_stop","index":0}
{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":1}}
{"type":"message_stop"}"#,
    },
    Answer {
        format: Provider::Bedrock,
        head: r#"{"messageStart":{"role":"assistant"}}"#,
        piece: r#"{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"text":"WORD "},"p":"PADDING"}}"#,
        tail: r#"{"contentBlockStop":{"contentBlockIndex":0}}
{"messageStop":{"stopReason":"end_turn"}}"#,
    },
    Answer {
        format: Provider::Ollama,
        head: "",
        piece: r#"{"model":"llama3.2","created_at":"2026-01-01T00:00:00.TIMEZ","message":{"role":"assistant","content":"WORD "},"done":false}"#,
        tail: r#"{"model":"llama3.2","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}"#,
    },
    Answer {
        format: Provider::Cohere,
        head: r#"{"id":"m","type":"message-start","delta":{"message":{"role":"assistant","content":[]}}}"#,
        piece: r#"{"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"WORD "}}}}"#,
        tail: r#"{"type":"message-end","delta":{"finish_reason":"COMPLETE"}}"#,
    },
    Answer {
        format: Provider::GeminiInteractions,
        head: r#"{"event_type":"interaction.created","interaction":{"id":"i","model":"gemini-3","status":"in_progress"}}
{"event_type":"step.start","index":0,"step":{"type":"model_output"}}"#,
        piece: r#"{"event_type":"step.delta","index":0,"delta":{"type":"text","text":"WORD "}}"#,
        tail: r#"{"event_type":"step.stop","index":0}
{"event_type":"interaction.completed","interaction":{"id":"i","status":"completed"}}"#,
    },
    Answer {
        format: Provider::AgUi,
        head: r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}
{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}"#,
        piece: r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"WORD "}"#,
        tail: r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}
{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#,
    },
    Answer {
        format: Provider::AiSdk,
        head: r#"{"type":"stream-start","warnings":[]}
{"type":"text-start","id":"0"}"#,
        piece: r#"{"type":"text-delta","id":"0","delta":"WORD "}"#,
        tail: r#"{"type":"text-end","id":"0"}
{"type":"finish","finishReason":"stop"}"#,
    },
];

impl Answer {
    fn records(&self, count: usize) -> Vec<String> {
        let words = "the tool found what it was looking for and wrote it down before lunch";
        let words: Vec<&str> = words.split(' ').collect();
        let pieces = (0..count).map(|i| {
            let piece = self.piece.replace("WORD", words[i % words.len()]);
            let padding = "abcdefghijklmnopqrstuvwxyz".get(..i % 26).unwrap();
            piece.replace("TIME", &format!("{:06}", i)).replace("PADDING", padding)
        });
        let lines = |text: &'static str| text.lines().map(str::to_owned);
        lines(self.head).chain(pieces).chain(lines(self.tail)).collect()
    }
}

/// The records of Bedrock in frames of Amazon's event stream.
fn frames(records: &[String]) -> Vec<u8> {
    let header = |name: &str, value: &str| {
        let mut out = vec![u8::try_from(name.len()).unwrap()];
        out.extend_from_slice(name.as_bytes());
        out.push(7);
        out.extend_from_slice(&u16::try_from(value.len()).unwrap().to_be_bytes());
        out.extend_from_slice(value.as_bytes());
        out
    };
    let mut out = Vec::new();
    for record in records {
        let (name, payload) = record[2..record.len() - 1].split_once("\":").unwrap();
        let headers = [
            header(":event-type", name),
            header(":content-type", "application/json"),
            header(":message-type", "event"),
        ]
        .concat();
        let number = |n: usize| u32::try_from(n).unwrap().to_be_bytes();
        let mut frame =
            [number(16 + headers.len() + payload.len()), number(headers.len())].concat();
        frame.extend_from_slice(&crc32(&frame).to_be_bytes());
        frame.extend_from_slice(&headers);
        frame.extend_from_slice(payload.as_bytes());
        frame.extend_from_slice(&crc32(&frame).to_be_bytes());
        out.extend_from_slice(&frame);
    }
    out
}

/// How a stream comes: in chunks of this many bytes, or of one line each (0); and whether changes are taken
/// after each.
#[derive(Clone, Copy)]
struct Chunks(usize, bool);

/// The shortest of five times that it takes to assemble a stream.
fn time(stream: &[u8], format: WireFormat, Chunks(size, changes): Chunks) -> Duration {
    let chunks: Vec<&[u8]> = match size {
        0 => stream.split_inclusive(|byte| *byte == b'\n').collect(),
        size => stream.chunks(size).collect(),
    };
    let best = |_| {
        let start = Instant::now();
        let mut s = Stream::new(StreamOptions { format: Some(format), ..StreamOptions::default() });
        for chunk in &chunks {
            s.push_bytes(chunk, 0.0).unwrap();
            if changes {
                std::hint::black_box(s.take_changes());
            }
        }
        s.end(0.0);
        assert!(s.message().is_some() && s.problems().is_empty());
        start.elapsed()
    };
    (0..5).map(best).min().unwrap()
}

/// The number of deltas of a stream.
const N: usize = 200_000;

fn show(what: &str, stream: &[u8], took: Duration) {
    let each = took.as_nanos() as f64 / N as f64;
    let rate = stream.len() as f64 / took.as_nanos() as f64;
    println!("{what:44} {each:7.1} ns a delta  {rate:5.2} GB/s");
}

fn deltas() {
    let run = |what: &str, stream: &str, chunks: Chunks| {
        show(what, stream.as_bytes(), time(stream.as_bytes(), WireFormat::Delta, chunks));
    };
    let whole = Chunks(4096, false);
    let text = text_stream(N);
    println!("{} bytes a delta", text.len() / N);
    run("text, chunks of 4 KB", &text, whole);
    run("text, chunks of one line", &text, Chunks(0, false));
    run("text, chunks of one line, changes each", &text, Chunks(0, true));
    let sse: String = text.lines().map(|l| format!("data: {l}\n\n")).collect();
    run("text as SSE, chunks of 4 KB", &sse, whole);
    run("text with spaces, chunks of 4 KB", &text.replace("\":", "\": "), whole);
    run("one tool call, chunks of 4 KB", &call_stream(N), whole);
    run("100,000 tool calls, chunks of 4 KB", &many_calls(N / 2), whole);
    for (what, make) in [
        ("text", text_stream as fn(usize) -> String),
        ("one call", call_stream),
        ("calls", many_calls),
    ] {
        let of = |count| time(make(count).as_bytes(), WireFormat::Delta, Chunks(4096, true));
        let (one, four) = (of(N / 4), of(N));
        println!(
            "4 times the deltas ({what}): {:.2} times the time",
            four.as_secs_f64() / one.as_secs_f64()
        );
    }
}

fn formats() {
    for answer in ANSWERS {
        let records = answer.records(N);
        let run = |what: &str, stream: &[u8]| {
            let took = time(stream, WireFormat::Provider(answer.format), Chunks(4096, false));
            show(&format!("{} {what}", answer.format.as_str()), stream, took);
        };
        let lines: String = records.iter().map(|line| format!("{line}\n")).collect();
        run("a line each", lines.as_bytes());
        let events: String = records.iter().map(|line| format!("data: {line}\n\n")).collect();
        run("as SSE", events.as_bytes());
        if answer.format == Provider::Bedrock {
            run("in binary frames", &frames(&records));
        }
    }
}

fn binary_framing() {
    let records = ANSWERS.iter().find(|answer| answer.format == Provider::Bedrock).unwrap();
    let stream = frames(&records.records(N));
    let best = |_| {
        let start = Instant::now();
        let mut framing = Framing::default();
        let mut count = 0;
        for chunk in stream.chunks(65_536) {
            let mut at = 0;
            while let Some(frame) = framing.next(chunk, &mut at, usize::MAX) {
                count += usize::from(frame.fault.is_none());
            }
        }
        assert!(count > N);
        start.elapsed()
    };
    show("binary frames alone", &stream, (0..5).map(best).min().unwrap());
}

fn main() {
    deltas();
    formats();
    binary_framing();
}
