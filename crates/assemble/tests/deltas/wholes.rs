//! Whole values that follow their pieces (W-70): whatever was lost of the pieces, the message is that of the whole values,
//! however it is read.

use crate::assemble::*;
use apex_parts_assemble::{Stream, StreamOptions, read_deltas};
use apex_parts_wire::WireFormat;
use proptest::prelude::*;
use serde_json::{Value, json};

/// An item of a response, and what of its pieces has come.
#[derive(Clone, Debug)]
struct Item {
    is_call: bool,
    text: String,
    /// The pieces: some of them are lost, or are others.
    pieces: Vec<String>,
    /// The item itself is said whole before the end of the response.
    is_done: bool,
    /// It is in the stream at all, and not only in the list at its end.
    is_streamed: bool,
}

fn item() -> impl Strategy<Value = Item> {
    let damage = prop_oneof![
        4 => Just(0_usize),
        1 => Just(1_usize),
        1 => Just(2_usize),
        1 => Just(3_usize),
    ];
    (any::<bool>(), "[a-z ü😀]{1,12}", 0..4_usize, damage, any::<bool>(), prop::bool::weighted(0.8))
        .prop_map(|(is_call, words, cut, damage, is_done, is_streamed)| {
            let text = if is_call { json!({ "q": words }).to_string() } else { words };
            let chars: Vec<char> = text.chars().collect();
            let at = cut.min(chars.len());
            let (head, tail) = chars.split_at(at);
            let (head, tail): (String, String) = (head.iter().collect(), tail.iter().collect());
            let pieces = match damage {
                0 => vec![head, tail],
                // The end was lost, or the beginning; or something else came.
                1 => vec![head],
                2 => vec![tail],
                _ => vec![head, "x".to_owned(), tail],
            };
            Item { is_call, text, pieces, is_done, is_streamed }
        })
}

fn whole(at: usize, item: &Item) -> Value {
    match item.is_call {
        true => {
            json!({ "type": "function_call", "id": format!("fc_{at}"), "call_id": format!("call_{at}"),
            "name": "look", "arguments": item.text, "status": "completed" })
        }
        false => json!({ "type": "message", "id": format!("msg_{at}"), "role": "assistant",
            "status": "completed", "content": [{ "type": "output_text", "text": item.text, "annotations": [] }] }),
    }
}

/// Formats that say values in pieces and then whole.
const FORMATS: [&str; 3] = ["openai-responses", "gemini-interactions", "ai-sdk"];

/// A stream of a format with these items.
fn stream(format: &str, items: &[Item]) -> Vec<u8> {
    let events = match format {
        "openai-responses" => of_responses(items),
        "gemini-interactions" => of_interactions(items),
        _ => of_ai_sdk(items),
    };
    let lines: Vec<String> = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    lines.concat().into_bytes()
}

fn of_interactions(items: &[Item]) -> Vec<Value> {
    let head = json!({ "id": "i1", "model": "m", "status": "in_progress" });
    let mut events = vec![json!({ "event_type": "interaction.created", "interaction": head })];
    let step = |at: usize, item: &Item, is_whole: bool| match (item.is_call, is_whole) {
        (true, true) => {
            json!({ "type": "function_call", "id": format!("call_{at}"), "name": "look",
            "arguments": json_of(&item.text) })
        }
        (true, false) => {
            json!({ "type": "function_call", "id": format!("call_{at}"), "name": "look" })
        }
        (false, true) => {
            json!({ "type": "model_output", "content": [{ "type": "text", "text": item.text }] })
        }
        (false, false) => json!({ "type": "model_output" }),
    };
    for (at, item) in items.iter().enumerate().filter(|(_, item)| item.is_streamed) {
        events.push(
            json!({ "event_type": "step.start", "index": at, "step": step(at, item, false) }),
        );
        for piece in item.pieces.iter().filter(|piece| !piece.is_empty()) {
            let delta = match item.is_call {
                true => json!({ "type": "arguments_delta", "arguments": piece }),
                false => json!({ "type": "text", "text": piece }),
            };
            events.push(json!({ "event_type": "step.delta", "index": at, "delta": delta }));
        }
        if item.is_done {
            events.push(json!({ "event_type": "step.stop", "index": at }));
        }
    }
    let steps: Vec<_> = items.iter().enumerate().map(|(at, item)| step(at, item, true)).collect();
    let whole = json!({ "id": "i1", "model": "m", "status": "completed", "steps": steps });
    events.push(json!({ "event_type": "interaction.completed", "interaction": whole }));
    events
}

/// Only calls are said again.
fn of_ai_sdk(items: &[Item]) -> Vec<Value> {
    let mut events = vec![json!({ "type": "start", "messageId": "m" })];
    for (at, item) in items.iter().enumerate() {
        let id = format!("call_{at}");
        if !item.is_call {
            events.push(json!({ "type": "text-start", "id": id }));
            events.push(json!({ "type": "text-delta", "id": id, "delta": item.text }));
            events.push(json!({ "type": "text-end", "id": id }));
            continue;
        }
        if item.is_streamed {
            events
                .push(json!({ "type": "tool-input-start", "toolCallId": id, "toolName": "look" }));
            for piece in item.pieces.iter().filter(|piece| !piece.is_empty()) {
                events.push(
                    json!({ "type": "tool-input-delta", "toolCallId": id, "inputTextDelta": piece }),
                );
            }
        }
        events.push(json!({ "type": "tool-input-available", "toolCallId": id, "toolName": "look",
            "input": json_of(&item.text) }));
    }
    events.push(json!({ "type": "finish" }));
    events
}

fn of_responses(items: &[Item]) -> Vec<Value> {
    let mut events = vec![json!({ "type": "response.created",
        "response": { "id": "resp_1", "object": "response", "model": "m", "status": "in_progress" } })];
    for (at, item) in items.iter().enumerate().filter(|(_, item)| item.is_streamed) {
        let mut added = whole(at, item);
        let (id, kind) = match item.is_call {
            true => (format!("fc_{at}"), "response.function_call_arguments.delta"),
            false => (format!("msg_{at}"), "response.output_text.delta"),
        };
        let fields = added.as_object_mut().unwrap();
        fields.insert("status".to_owned(), "in_progress".into());
        match item.is_call {
            true => fields.insert("arguments".to_owned(), "".into()),
            false => fields.insert("content".to_owned(), json!([])),
        };
        events.push(
            json!({ "type": "response.output_item.added", "output_index": at, "item": added }),
        );
        for piece in item.pieces.iter().filter(|piece| !piece.is_empty()) {
            events.push(json!({ "type": kind, "output_index": at, "content_index": 0, "item_id": id, "delta": piece }));
        }
        if item.is_done {
            events.push(json!({ "type": "response.output_item.done", "output_index": at, "item": whole(at, item) }));
        }
    }
    let output: Vec<_> = items.iter().enumerate().map(|(at, item)| whole(at, item)).collect();
    events.push(
        json!({ "type": "response.completed", "response": { "id": "resp_1", "object": "response",
        "model": "m", "status": "completed", "output": output } }),
    );
    events
}

fn options(format: &str) -> StreamOptions {
    let format = WireFormat::parse(format);
    StreamOptions { format, run_id: Some("r".to_owned()), ..collecting() }
}

/// The parts in the words of the items.
fn parts(preview: &Value) -> Vec<Value> {
    let parts = preview["parts"].as_array().unwrap().iter();
    parts
        .map(|part| match part["kind"].as_str().unwrap() {
            "tool_call" => json!([part["payload"]["toolCallId"], part["payload"]["arguments"]]),
            _ => json!([part["payload"]["text"]]),
        })
        .collect()
}

fn expected(items: &[Item]) -> Vec<Value> {
    let items = items.iter().enumerate();
    items
        .map(|(at, item)| match item.is_call {
            true => json!([format!("call_{at}"), json_of(&item.text)]),
            false => json!([item.text]),
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn the_message_is_that_of_the_whole_values(
        format in prop::sample::select(&FORMATS[..]),
        items in prop::collection::vec(item(), 1..5),
        cuts in prop::collection::vec(1..400_usize, 1..12),
        taken in prop::collection::vec(any::<bool>(), 12),
    ) {
        let bytes = stream(format, &items);
        let mut one = Stream::new(options(format));
        one.push_bytes(&bytes, 0.0).unwrap();
        one.end(0.0);
        prop_assert_eq!(parts(&preview(&one)), expected(&items));
        let want = seen(&one);
        // Any split, with a snapshot at a cut; what a log and a screen were given meanwhile.
        let mut many = Stream::new(options(format));
        let (mut log, mut screen) = (String::new(), Vec::new());
        let mut rest = bytes.as_slice();
        for (cut, taken) in cuts.iter().cycle().zip(taken.iter().cycle()) {
            let (chunk, more) = rest.split_at((*cut).min(rest.len()));
            many.push_bytes(chunk, 0.0).unwrap();
            if *taken {
                log.push_str(&many.take_deltas());
                apply(&mut screen, &take(&mut many));
                prop_assert_eq!(settled(&screen), settled(preview(&many)["parts"].as_array().unwrap()));
            }
            rest = more;
            if rest.is_empty() {
                break;
            }
        }
        many.end(0.0);
        prop_assert_eq!(&seen(&many), &want);
        log.push_str(&many.take_deltas());
        apply(&mut screen, &take(&mut many));
        prop_assert_eq!(&Value::from(screen), &want.0["parts"]);
        let of_log = of(&log.lines().map(json_of).collect::<Vec<_>>());
        prop_assert_eq!(&preview(&of_log)["parts"], &want.0["parts"]);
        // The deltas of the recording, and a snapshot anywhere.
        let deltas = read_deltas(&bytes, &options(format), 0.0, &mut || "r2".to_owned()).unwrap();
        let of_deltas = of(json_of(&deltas).as_array().unwrap());
        prop_assert_eq!(&preview(&of_deltas)["parts"], &want.0["parts"]);
        let at = cuts[0] * 7 % bytes.len();
        let mut first = Stream::new(options(format));
        first.push_bytes(&bytes[..at], 0.0).unwrap();
        let mut second = Stream::restore(&first.snapshot(), StreamOptions::default()).unwrap();
        second.push_bytes(&bytes[at..], 0.0).unwrap();
        second.end(0.0);
        prop_assert_eq!(&seen(&second), &want);
    }

    #[test]
    fn a_stream_that_its_own_whole_values_follow_is_not_corrected(
        format in prop::sample::select(&FORMATS[..]),
        items in prop::collection::vec(item(), 1..5),
    ) {
        let mut items = items;
        for item in &mut items {
            item.is_streamed = true;
            item.pieces = vec![item.text.clone()];
        }
        let deltas = read_deltas(&stream(format, &items), &options(format), 0.0, &mut || "r2".to_owned()).unwrap();
        prop_assert!(!deltas.contains("\"reset\""), "{deltas}");
    }
}
