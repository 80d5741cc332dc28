//! Damaged streams of providers: the records of streams written by hand and of recorded ones; dropped, repeated, out of
//! order, and with other values in their fields.

use super::tree::Tree;
use super::{Random, damage};
use apex_parts::assemble::{OnProblem, StreamOptions, read_deltas};
use apex_parts::wire::{Framing, Provider, WireFormat};
use std::fs;

/// The event's name and the record.
pub(crate) type Record = (String, String);

/// The records of one stream.
pub(crate) type Records = Vec<Record>;

/// The streams of this format, those written by hand first.
pub(crate) fn of_format(format: WireFormat) -> Vec<Records> {
    let own = apex_parts_fixtures::path("streams");
    let recorded = apex_parts_fixtures::path("recorded/providers");
    let mut found = Vec::new();
    for folder in [&own, &recorded] {
        let mut paths: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort_unstable();
        for path in paths {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let stem = name.strip_suffix(".sse").and_then(|stem| stem.rsplit('.').next());
            let Some(of) = stem.and_then(Provider::parse).map(WireFormat::Provider) else {
                continue;
            };
            let bytes = fs::read(&path).unwrap();
            if of == format {
                found.push(records(&bytes));
                if of == WireFormat::Provider(Provider::OpenAiResponses) && *folder == own {
                    // Some servers do not send it: items are distinguished by their ids then.
                    let mut records = records(&bytes);
                    leave_out(&mut records, "\"output_index\"");
                    found.push(records);
                }
            } else if format == WireFormat::Delta {
                found.push(deltas(&bytes, of));
            }
        }
    }
    if found.is_empty() {
        eprintln!("NO FIXTURE {format:?}");
        found.push(Vec::new());
        found[0].push((String::new(), "{}".into()));
    }
    if format == WireFormat::Delta {
        // Streams of providers have no split surrogate pairs: these have.
        found.extend((0..4).map(|_| halves()));
    }
    found
}

/// Deltas that end with halves of surrogate pairs, some of which the next one completes.
fn halves() -> Records {
    let deltas = [
        ("start", r#""modelId":"m","requestId":"q""#),
        ("text", r#""textDelta":"a\ud83d""#),
        ("text", r#""textDelta":"\ude00b\ud83d""#),
        ("tool_call_start", r#""toolCallId":"c","toolName":"t""#),
        ("tool_call_args", r#""toolCallId":"c","argsTextDelta":"{\"x\":\"\ud83d""#),
        ("thinking", r#""textDelta":"\ud83d""#),
        ("tool_call_args", r#""toolCallId":"c","argsTextDelta":"\ude00\"}""#),
        ("thinking", r#""textDelta":"\ude00""#),
        ("tool_call_args", r#""toolCallId":"c","argsTextDelta":"\ud83d""#),
        ("usage", r#""inputTokens":1,"outputTokens":1,"totalTokens":2"#),
        ("error", r#""errorCode":"e","retryable":true"#),
    ];
    let record = |(seq, (kind, payload)): (usize, &(&str, &str))| {
        let head = format!(r#"{{"runId":"run","seq":{seq},"kind":"{kind}""#);
        format!(r#"{head},"payload":{{{payload}}},"timestamp":"2025-02-17T08:30:00Z"}}"#)
    };
    deltas.iter().enumerate().map(|delta| (String::new(), record(delta))).collect()
}

fn records(bytes: &[u8]) -> Records {
    let (mut framing, mut at) = (Framing::default(), 0);
    let mut found = Vec::new();
    while let Some(frame) = framing.next(bytes, &mut at, usize::MAX) {
        let data = std::str::from_utf8(frame.data).unwrap();
        found.push((frame.event.to_owned(), data.to_owned()));
    }
    found
}

/// The deltas of a provider's stream.
fn deltas(bytes: &[u8], format: WireFormat) -> Records {
    // Some streams have records that are refused.
    let on_problem = Some(OnProblem::Collect);
    let options = StreamOptions { format: Some(format), on_problem, ..StreamOptions::default() };
    let json = read_deltas(bytes, &options, 0.0, &mut || "run".to_owned()).unwrap();
    let Some(Tree::Array(list)) = Tree::read(&json) else { panic!("{json}") };
    list.iter().map(|delta| (String::new(), delta.text())).collect()
}

/// One of these streams, damaged.
pub(crate) fn stream(random: &mut Random, pool: &[Records]) -> Vec<u8> {
    let mut records = window(random, pool);
    for _ in 0..random.below(5) {
        harm(random, &mut records, pool);
    }
    if records.iter().all(|record| record.1.starts_with("{\"runId\"")) && random.one_in(2) {
        number(random, &mut records);
    }
    let mut bytes = write(random, &records);
    if random.one_in(6) {
        // Not the first bytes, from which the framing is detected.
        damage(random, &mut bytes, 8);
    }
    if random.one_in(8) {
        bytes.truncate(random.below(bytes.len() + 1));
    }
    bytes
}

/// A stream; of a long one the beginning and a part of the rest.
fn window(random: &mut Random, pool: &[Records]) -> Records {
    const MOST: usize = 30;
    let records = random.of(pool);
    let spare = records.len().saturating_sub(MOST);
    let from = if random.one_in(2) { 0 } else { random.below(spare + 1) };
    let first = from.min(1 + random.below(3));
    let rest = records.iter().skip(from).take(MOST);
    let mut window: Records = records.iter().take(first).chain(rest).cloned().collect();
    // The last record is often important.
    if spare > 0 && random.one_in(2) {
        window.extend(records.last().cloned());
    }
    window
}

fn harm(random: &mut Random, records: &mut Records, pool: &[Records]) {
    if records.is_empty() {
        return;
    }
    let at = random.below(records.len());
    match random.below(12) {
        0 => drop(records.remove(at)),
        1 => {
            let again = records[at].clone();
            records.insert(random.below(records.len() + 1), again);
        }
        2 => {
            let other = random.below(records.len());
            records.swap(at, other);
        }
        3 => {
            let other = random.of(pool);
            let stray = random.of(other).clone();
            records.insert(at, stray);
        }
        4 => {
            let mut bytes = std::mem::take(&mut records[at].1).into_bytes();
            damage(random, &mut bytes, 0);
            records[at].1 = String::from_utf8_lossy(&bytes).replace(['\n', '\r'], " ");
        }
        5 => records[at].0 = random.word(EVENTS).to_owned(),
        6 => records[at].1.push_str(random.word(&[" ", "}", "]", ",", "{}", " x", "\t"])),
        7 => without(random, at, records),
        _ => {
            if let Some(mut tree) = Tree::read(&records[at].1) {
                tree.twist(random);
                records[at].1 = tree.text();
            }
        }
    }
}

/// Removes a field of one of the records from all of them.
fn without(random: &mut Random, at: usize, records: &mut Records) {
    if let Some(Tree::Object(fields)) = Tree::read(&records[at].1)
        && !fields.is_empty()
    {
        leave_out(records, &random.of(&fields).0);
    }
}

/// Removes a field from all records.
fn leave_out(records: &mut Records, name: &str) {
    for record in records {
        if let Some(Tree::Object(mut fields)) = Tree::read(&record.1) {
            fields.retain(|field| field.0 != name);
            record.1 = Tree::Object(fields).text();
        }
    }
}

const EVENTS: &[&str] = &["", "error", "ping", "message_stop", "done", "text-delta", "x"];

/// Renumbers the deltas, so that not everything after a change breaks DC-3.
fn number(random: &mut Random, records: &mut Records) {
    for (seq, record) in records.iter_mut().enumerate() {
        if let Some(Tree::Object(mut fields)) = Tree::read(&record.1) {
            for (_, value) in fields.iter_mut().filter(|(name, _)| name == "\"seq\"") {
                // Some of these are not JSON.
                *value = Tree::Scalar(match random.below(60) {
                    0 => format!("0{seq}"),
                    1 => format!("{seq}.0"),
                    2 => format!("{seq}e0"),
                    3 => format!("-{seq}"),
                    _ => seq.to_string(),
                });
            }
            record.1 = Tree::Object(fields).text();
        }
    }
}

fn write(random: &mut Random, records: &[Record]) -> Vec<u8> {
    let end = random.word(&["\n", "\n", "\r\n", "\r"]);
    let sse = random.below(4) > 0;
    let mut out = String::from(if random.one_in(8) { "\u{feff}" } else { "" });
    for (event, record) in records {
        if !sse {
            out.push_str(record);
            out.push_str(if end == "\r" { "\n" } else { end });
            continue;
        }
        if !event.is_empty() && !random.one_in(6) {
            out.push_str(&format!("event: {event}{end}"));
        }
        if random.one_in(10) {
            out.push_str(&format!(": a comment{end}id: 7{end}"));
        }
        let space = if random.one_in(6) { "" } else { " " };
        // SSE joins the data lines of a record by a line feed, which is white space in JSON.
        let lines = if random.one_in(8) {
            record.replacen(",\"", &format!(",{end}data:{space}\""), 2)
        } else {
            record.clone()
        };
        out.push_str(&format!("data:{space}{lines}{end}{end}"));
    }
    if random.one_in(3) {
        out.push_str(&if sse { format!("data: [DONE]{end}{end}") } else { "[DONE]\n".to_owned() });
    }
    out.into_bytes()
}
