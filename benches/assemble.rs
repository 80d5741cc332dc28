//! `cargo bench --bench assemble`: benchmarks of the assembler as native code.
#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing, clippy::string_slice)]

use apex_parts::assemble::{Stream, StreamOptions};
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

fn time(stream: &str, chunk: usize, changes: bool) -> Duration {
    let best = |_| {
        let start = Instant::now();
        let mut s = Stream::new(StreamOptions::default());
        if chunk == 0 {
            for line in stream.split_inclusive('\n') {
                s.push_bytes(line.as_bytes(), 0.0).unwrap();
                if changes {
                    std::hint::black_box(s.take_changes());
                }
            }
        } else {
            for bytes in stream.as_bytes().chunks(chunk) {
                s.push_bytes(bytes, 0.0).unwrap();
                if changes {
                    std::hint::black_box(s.take_changes());
                }
            }
        }
        s.end(0.0);
        assert!(s.message().is_some() && s.problems().is_empty());
        start.elapsed()
    };
    (0..5).map(best).min().unwrap()
}

fn show(what: &str, stream: &str, count: usize, took: Duration) {
    let each = took.as_nanos() as f64 / count as f64;
    let rate = stream.len() as f64 / took.as_nanos() as f64;
    println!("{what:44} {each:7.1} ns a delta  {rate:5.2} GB/s");
}

fn main() {
    const N: usize = 200_000;
    let text = text_stream(N);
    println!("{} bytes a delta", text.len() / N);
    show("text, chunks of 4 KB", &text, N, time(&text, 4096, false));
    show("text, chunks of one line", &text, N, time(&text, 0, false));
    show("text, chunks of one line, changes each", &text, N, time(&text, 0, true));
    let sse: String = text.lines().map(|l| format!("data: {l}\n\n")).collect();
    show("text as SSE, chunks of 4 KB", &sse, N, time(&sse, 4096, false));
    let spaced = text.replace("\":", "\": ");
    show("text with spaces, chunks of 4 KB", &spaced, N, time(&spaced, 4096, false));
    let call = call_stream(N);
    show("one tool call, chunks of 4 KB", &call, N, time(&call, 4096, false));
    let calls = many_calls(N / 2);
    show("100,000 tool calls, chunks of 4 KB", &calls, N, time(&calls, 4096, false));
    for (what, make) in [
        ("text", text_stream as fn(usize) -> String),
        ("one call", call_stream),
        ("calls", many_calls),
    ] {
        let (one, four) = (time(&make(N / 4), 4096, true), time(&make(N), 4096, true));
        println!(
            "4 times the deltas ({what}): {:.2} times the time",
            four.as_secs_f64() / one.as_secs_f64()
        );
    }
}
