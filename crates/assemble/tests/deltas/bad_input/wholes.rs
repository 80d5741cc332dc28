//! Whole values of hostile sizes. Each test ends in seconds if the work is linear, and in hours if it is not.

use crate::assemble::*;
use apex_parts_assemble::{Stream, StreamOptions, read_deltas};
use apex_parts_wire::WireFormat;
use serde_json::{Value, json};
use std::fmt::Write as _;

fn options(format: &str) -> StreamOptions {
    let format = WireFormat::parse(format);
    StreamOptions { format, run_id: Some("r".to_owned()), ..collecting() }
}

fn line(event: &Value) -> String {
    format!("data: {event}\n\n")
}

const CREATED: &str =
    "data: {\"type\":\"response.created\",\"response\":{\"id\":\"resp_1\",\"model\":\"m\"}}\n\n";

fn read(format: &str, bytes: &[u8]) -> Stream {
    let mut stream = Stream::new(options(format));
    stream.push_bytes(bytes, 0.0).unwrap();
    stream.end(0.0);
    stream
}

fn rules(stream: &Stream) -> Vec<String> {
    stream.problems().iter().map(|problem| problem.rule.to_string()).collect()
}

/// A response with one text: its pieces, and the text whole.
fn text(pieces: &[&str], whole: &str) -> Vec<u8> {
    let at = json!({ "output_index": 0, "content_index": 0, "item_id": "msg_1" });
    let mut lines = CREATED.to_owned();
    for piece in pieces {
        let mut event = at.clone();
        event["type"] = "response.output_text.delta".into();
        event["delta"] = (*piece).into();
        lines += &line(&event);
    }
    let mut event = at;
    event["type"] = "response.output_text.done".into();
    event["text"] = whole.into();
    lines += &line(&event);
    lines += &line(
        &json!({ "type": "response.completed", "response": { "id": "resp_1", "output": [] } }),
    );
    lines.into_bytes()
}

#[test]
fn a_text_of_a_hundred_megabytes() {
    let long = "a".repeat(100 << 20);
    let stream = read("openai-responses", &text(&[&long[..50 << 20], &long[50 << 20..]], &long));
    assert_eq!(rules(&stream), Vec::<String>::new());
    let stream = read("openai-responses", &text(&["b"], &long));
    assert_eq!(rules(&stream), ["final"]);
    let preview = preview(&stream);
    assert_eq!(preview["parts"][0]["payload"]["text"].as_str().map(str::len), Some(long.len()));
}

#[test]
fn a_whole_value_beyond_the_limit_is_refused_and_the_rest_stays() {
    let bytes = text(&["short"], &"a".repeat(2 << 20));
    let mut stream =
        Stream::new(StreamOptions { max_bytes: Some(1 << 20), ..options("openai-responses") });
    stream.push_bytes(&bytes, 0.0).unwrap();
    stream.end(0.0);
    assert!(rules(&stream).contains(&"limit".to_owned()), "{:?}", rules(&stream));
    assert_eq!(preview(&stream)["parts"][0]["payload"]["text"], "short");
}

/// A list of so many items at the end, of which the stream had every second one, with another text.
fn listed(count: usize) -> Vec<u8> {
    let mut lines = CREATED.to_owned();
    let mut output = Vec::new();
    for at in 0..count {
        let id = format!("msg_{at}");
        if at % 2 == 0 {
            lines += &line(
                &json!({ "type": "response.output_text.delta", "output_index": at, "content_index": 0,
                "item_id": id, "delta": "piece" }),
            );
        }
        output.push(json!({ "type": "message", "id": id, "role": "assistant",
            "content": [{ "type": "output_text", "text": format!("whole {at}") }] }));
    }
    lines += &line(
        &json!({ "type": "response.completed", "response": { "id": "resp_1", "output": output } }),
    );
    lines.into_bytes()
}

#[test]
fn ten_thousand_items_in_a_list() {
    let count = 10_000;
    let bytes = listed(count);
    let stream = read("openai-responses", &bytes);
    let shown = preview(&stream);
    let parts = shown["parts"].as_array().unwrap();
    assert_eq!(parts.len(), count);
    assert!((0..count).all(|at| parts[at]["payload"]["text"] == format!("whole {at}")));
    assert_eq!(rules(&stream).iter().filter(|rule| *rule == "final").count(), count / 2);
    let deltas = read_deltas(&bytes, &options("openai-responses"), 0.0, &mut || "r2".to_owned());
    let deltas = json_of(&deltas.unwrap());
    let resets = deltas.as_array().unwrap().iter().filter(|delta| delta["kind"] == "reset");
    assert_eq!(resets.count(), 1);
}

#[test]
fn a_million_data_parts_of_one_id() {
    let mut lines = String::from("data: {\"type\":\"start\",\"messageId\":\"m\"}\n\n");
    for at in 0..1_000_000 {
        write!(lines, "data: {{\"type\":\"data-progress\",\"id\":\"p\",\"data\":{at}}}\n\n")
            .unwrap();
    }
    lines += "data: {\"type\":\"finish\"}\n\ndata: [DONE]\n\n";
    let mut stream = read("ai-sdk", lines.as_bytes());
    let shown = preview(&stream);
    assert_eq!(shown["parts"].as_array().unwrap().len(), 1);
    assert_eq!(shown["parts"][0]["payload"]["provider"]["ai-sdk"]["part"]["data"], 999_999);
    assert_eq!(shown["meta"]["provider"]["data-progress"], json!([999_999]));
    let log = stream.take_deltas();
    assert_eq!(log.lines().filter(|delta| delta.contains("\"custom\"")).count(), 1);
}

/// Each event names another id of the item, and of the response.
#[test]
fn ids_that_rotate_at_each_event() {
    let mut lines = CREATED.to_owned();
    let count = 100_000;
    for at in 0..count {
        lines += &line(
            &json!({ "type": "response.output_text.delta", "output_index": 0, "content_index": 0,
            "item_id": format!("msg_{at}"), "delta": "a" }),
        );
    }
    let whole = "a".repeat(count);
    let message = json!({ "type": "message", "id": "msg_end", "role": "assistant",
        "content": [{ "type": "output_text", "text": whole }] });
    lines +=
        &line(&json!({ "type": "response.output_item.done", "output_index": 0, "item": message }));
    lines += &line(
        &json!({ "type": "response.completed", "response": { "id": "resp_2", "output": [message] } }),
    );
    let stream = read("openai-responses", lines.as_bytes());
    let shown = preview(&stream);
    assert_eq!(shown["parts"].as_array().unwrap().len(), 1);
    assert_eq!(shown["parts"][0]["payload"]["text"].as_str().map(str::len), Some(count));
    assert_eq!(rules(&stream), Vec::<String>::new());
}

/// Each of many texts is corrected by an event of its own: the log must not hold each of them again and again.
#[test]
fn what_is_sent_again_is_bounded() {
    let count = 2_000;
    let mut lines = CREATED.to_owned();
    let event = |kind: &str, at: usize, name: &str, text: String| {
        line(
            &json!({ "type": kind, "output_index": at, "content_index": 0, "item_id": format!("msg_{at}"), name: text }),
        )
    };
    for at in 0..count {
        lines += &event("response.output_text.delta", at, "delta", "x".repeat(100));
    }
    for at in 0..count {
        lines += &event("response.output_text.done", at, "text", "y".repeat(100));
    }
    lines += &line(
        &json!({ "type": "response.completed", "response": { "id": "resp_1", "output": [] } }),
    );
    let mut stream = Stream::new(options("openai-responses"));
    let mut log = String::new();
    for event in lines.split_inclusive("\n\n") {
        stream.push_bytes(event.as_bytes(), 0.0).unwrap();
        log += &stream.take_deltas();
    }
    stream.end(0.0);
    log += &stream.take_deltas();
    // The pieces, four times all of it, and all that waited, at the end.
    assert!(log.len() < 8 * 400 * count, "{}", log.len());
    let of_log = of(&log.lines().map(json_of).collect::<Vec<_>>());
    assert_eq!(preview(&of_log)["parts"], preview(&stream)["parts"]);
    assert_eq!(preview(&stream)["parts"][0]["payload"]["text"], "y".repeat(100));
}
