//! The stream contract, rule by rule: DC-1 … DC-15 of `apex-parts explain`.

use crate::assemble::*;
use apex_parts_assemble::{OnDuplicate, Stream, StreamOptions};
use serde_json::{Value, json};

/// Asserts that the last of these deltas breaks the rule, that the others do not, and that the violation
/// changes nothing.
fn breaks(rule: &str, deltas: &[Value]) {
    let (last, before) = deltas.split_last().unwrap();
    let mut stream = of(before);
    let was = (seen(&stream), stream.snapshot());
    let violation = push(&mut stream, last).unwrap_err();
    assert_eq!(violation.rule, rule, "{violation}");
    assert_eq!(violation.seq, last["seq"].as_i64());
    assert_eq!(violation.run_id.as_deref(), last["runId"].as_str());
    assert_eq!((seen(&stream), stream.snapshot()), was);
    // If problems are collected, it becomes a problem, and everything else is the same.
    let mut collected = Stream::new(collecting());
    for delta in deltas {
        push(&mut collected, delta).unwrap();
    }
    assert_eq!(preview(&collected), preview(&stream));
    assert_eq!(collected.problems().len(), 1);
    assert_eq!(collected.problems()[0].rule, rule);
}

#[test]
fn a_message() {
    let mut stream = of(&[
        start(1),
        thinking(2, "hm"),
        text(3, "Hel"),
        text(5, "lo"),
        call(6, "a"),
        args(7, "a", "{\"path\":"),
        args(8, "a", "\"/x\"}"),
        call_end(9, "a"),
        delta(10, "usage", json!({"inputTokens": 5, "outputTokens": 7, "totalTokens": 12})),
    ]);
    assert!(stream.message().is_none());
    assert_eq!(stream.status().as_str(), "streaming");
    push(&mut stream, &done(11)).unwrap();
    assert_eq!(stream.status().as_str(), "done");
    let message = json_of(&stream.message().unwrap().to_json());
    assert_eq!(
        message,
        json!({
            "runId": "r", "role": "assistant", "timestamp": "2025-02-17T08:30:01.000Z",
            "parts": [
                {"kind": "thinking", "payload": {"text": "hm"}},
                {"kind": "text", "payload": {"text": "Hello"}},
                {"kind": "tool_call", "payload": {"toolCallId": "a", "toolName": "read", "arguments": {"path": "/x"}}},
            ],
            "meta": {
                "modelId": "m", "requestId": "q", "finishReason": "stop",
                "usage": {"inputTokens": 5, "outputTokens": 7, "totalTokens": 12},
            },
        })
    );
    assert_eq!(preview(&stream), message);
}

#[test]
fn nothing_at_all() {
    let mut stream = Stream::new(StreamOptions::default());
    assert_eq!(stream.status().as_str(), "empty");
    assert_eq!(
        preview(&stream),
        json!({"runId": "", "role": "assistant", "parts": [], "timestamp": "", "meta": {}})
    );
    assert!(take(&mut stream).is_empty());
    stream.end(0.0);
    stream.end(0.0);
    assert_eq!(stream.status().as_str(), "error");
    assert_eq!(stream.problems().len(), 1);
    assert_eq!(stream.problems()[0].rule, "DC-2");
    assert_eq!(take(&mut stream), [json!({"op": "status", "status": "error"})]);
}

#[test]
fn dc_1_a_stream_has_one_start() {
    breaks("DC-1", &[text(1, "x")]);
    breaks("DC-1", &[done(1)]);
    breaks("DC-1", &[start(1), start(2)]);
    breaks("DC-1", &[start(1), text(2, "x"), start(3)]);
}

#[test]
fn dc_2_a_stream_has_one_end() {
    breaks("DC-2", &[start(1), done(2), text(3, "x")]);
    breaks("DC-2", &[start(1), done(2), done(3)]);
    breaks("DC-2", &[start(1), delta(2, "error", json!({"errorCode": "e"})), done(3)]);
    breaks("DC-2", &[start(1), done(2), delta(3, "error", json!({"errorCode": "e"}))]);
    let mut stream = of(&[start(1), text(2, "x")]);
    stream.end(0.0);
    assert_eq!(stream.status().as_str(), "error");
    assert_eq!(stream.problems()[0].rule, "DC-2");
    assert!(stream.message().is_none());
    assert_eq!(preview(&stream)["parts"][0]["payload"]["text"], "x");
    assert_eq!(push(&mut stream, &text(3, "y")).unwrap_err().rule, "DC-2");
}

#[test]
fn dc_3_seq_ascends() {
    breaks("DC-3", &[start(1), text(5, "x"), text(5, "x")]);
    breaks("DC-3", &[start(1), text(5, "x"), text(4, "x")]);
    of(&[start(-7), text(0, "x"), text(9_007_199_254_740_991, "x")]);
    breaks("schema", &[start(1), text(9_007_199_254_740_992, "x")]);
}

#[test]
fn dc_3_duplicates_can_be_ignored() {
    let options =
        StreamOptions { on_duplicate: Some(OnDuplicate::Ignore), ..StreamOptions::default() };
    let mut stream = Stream::new(options);
    push(&mut stream, &start(1)).unwrap();
    push(&mut stream, &text(2, "x")).unwrap();
    for again in [
        text(2, "x"),
        start(1),
        call_end(2, "nobody"),
        delta(1, "text", json!(5)),
        delta(2, "brand_new", json!({})),
        json!({"seq": 1}),
    ] {
        push(&mut stream, &again).unwrap();
    }
    push(&mut stream, &done(3)).unwrap();
    push(&mut stream, &done(3)).unwrap();
    assert_eq!(stream.problems(), []);
    assert_eq!(preview(&stream)["parts"], json!([{"kind": "text", "payload": {"text": "x"}}]));
    assert_eq!(push(&mut stream, &json!({"seq": 4})).unwrap_err().rule, "schema");
}

#[test]
fn dc_4_all_deltas_are_of_one_run() {
    let mut other = text(2, "x");
    other["runId"] = json!("s");
    breaks("DC-4", &[start(1), other.clone()]);
    let mut stream =
        Stream::new(StreamOptions { run_id: Some("s".into()), ..StreamOptions::default() });
    assert_eq!(push(&mut stream, &start(1)).unwrap_err().rule, "DC-4");
}

#[test]
fn dc_5_consecutive_texts_of_a_kind_are_one_part() {
    let stream = of(&[
        start(1),
        text(2, "a"),
        call(3, "c"),
        thinking(4, "t"),
        args(5, "c", "{}"),
        thinking(6, "u"),
        call_end(7, "c"),
        delta(8, "usage", json!({"inputTokens": 0, "outputTokens": 0, "totalTokens": 0})),
        thinking(9, "v"),
        text(10, "b"),
        text(11, ""),
        thinking(12, ""),
        text(13, "c"),
    ]);
    let parts = preview(&stream)["parts"].clone();
    let kinds: Vec<&str> =
        parts.as_array().unwrap().iter().map(|p| p["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["text", "tool_call", "thinking", "text", "thinking", "text"]);
    assert_eq!(parts[2]["payload"]["text"], "tuv");
    assert_eq!(parts[3]["payload"]["text"], "b");
}

#[test]
fn dc_6_arguments_belong_to_an_open_call() {
    breaks("DC-6", &[start(1), args(2, "c", "{}")]);
    breaks("DC-6", &[start(1), call_end(2, "c")]);
    breaks("DC-6", &[start(1), call(2, "c"), call_end(3, "c"), args(4, "c", "{}")]);
    breaks("DC-6", &[start(1), call(2, "c"), call_end(3, "c"), call_end(4, "c")]);
    let stream = of(&[
        start(1),
        call(2, "a"),
        call(3, "b"),
        args(4, "a", "{\"x\""),
        args(5, "b", "[1"),
        args(6, "a", ":1}"),
        call_end(7, "a"),
        args(8, "b", "]"),
        call_end(9, "b"),
    ]);
    assert_eq!(preview(&stream)["parts"][0]["payload"]["arguments"], json!({"x": 1}));
    assert_eq!(preview(&stream)["parts"][1]["payload"]["arguments"], json!([1]));
}

#[test]
fn dc_7_arguments_are_parsed_when_a_call_ends() {
    let stream = of(&[
        start(1),
        call(2, "empty"),
        call_end(3, "empty"),
        call(4, "blank"),
        args(5, "blank", " \n"),
        call_end(6, "blank"),
        call(7, "bad"),
        args(8, "bad", "{\"é😀\": nope}"),
        call_end(9, "bad"),
        call(10, "text"),
        args(11, "text", "\"free\""),
        call_end(12, "text"),
        call(13, "left"),
        args(14, "left", "{\"a\":1"),
        call(15, "whole"),
        args(16, "whole", "{\"a\":1}"),
        done(17),
    ]);
    let message = json_of(&stream.message().unwrap().to_json());
    let arguments: Vec<&Value> =
        message["parts"].as_array().unwrap().iter().map(|p| &p["payload"]["arguments"]).collect();
    assert_eq!(
        arguments,
        [&json!({}), &json!({}), &json!({}), &json!("free"), &json!({}), &json!({"a": 1})]
    );
    let raw: Vec<bool> = message["parts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| p["payload"].get("rawArgsText").is_some())
        .collect();
    assert_eq!(raw, [false, false, true, false, true, false]);
    assert_eq!(message["parts"][2]["payload"]["rawArgsText"], "{\"é😀\": nope}");
    let errors = &message["meta"]["parseErrors"];
    assert_eq!(errors[0]["toolCallId"], "bad");
    // After `{"é😀": n`, where `null` would go on; counted in UTF-16 code units.
    assert_eq!(errors[0]["offset"], 9);
    assert_eq!(errors[1]["toolCallId"], "left");
    assert_eq!(errors[1]["offset"], 6);
    assert_eq!(errors.as_array().unwrap().len(), 2);
    assert_eq!(message["meta"]["unclosedToolCalls"], json!(["left", "whole"]));
}

#[test]
fn dc_8_ids_of_calls_are_unique() {
    breaks("DC-8", &[start(1), call(2, "c"), call(3, "c")]);
    breaks("DC-8", &[start(1), call(2, "c"), call_end(3, "c"), call(4, "c")]);
}

#[test]
fn dc_11_usage_is_summed() {
    let usage = |seq, more: Value| {
        let mut payload = json!({"inputTokens": 1, "outputTokens": 2, "totalTokens": 3});
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        delta(seq, "usage", payload)
    };
    let stream = of(&[
        start(1),
        usage(2, json!({})),
        usage(3, json!({"cost": 0.25, "cacheReadTokens": 1})),
        usage(
            4,
            json!({"cost": 0.5, "reasoningTokens": 2, "cacheReadTokens": 2, "cacheWriteTokens": 0}),
        ),
    ]);
    let text = stream.preview().to_json();
    assert_eq!(
        json_of(&text)["meta"]["usage"],
        json!({"inputTokens": 3, "outputTokens": 6, "totalTokens": 9, "cost": 0.75,
            "cacheReadTokens": 3, "cacheWriteTokens": 0, "reasoningTokens": 2})
    );
    assert!(text.contains("\"inputTokens\":3,"), "whole numbers stay whole: {text}");
}

#[test]
fn dc_12_an_error_ends_the_message_and_keeps_its_parts() {
    let error = json!({"errorCode": "overloaded", "message": "later", "retryable": true});
    let stream = of(&[
        start(1),
        text(2, "x"),
        call(3, "c"),
        args(4, "c", "{\"a\":\"b"),
        delta(5, "error", error.clone()),
    ]);
    assert!(stream.message().is_none());
    assert_eq!(stream.status().as_str(), "error");
    let preview = preview(&stream);
    assert_eq!(preview["meta"]["error"], error);
    assert_eq!(preview["parts"][0]["payload"]["text"], "x");
    assert_eq!(preview["parts"][1]["payload"]["arguments"], json!({"a": "b"}));
    assert_eq!(preview["parts"][1]["payload"]["rawArgsText"], "{\"a\":\"b");
    let stream = of(&[start(1), delta(2, "error", json!({"errorCode": "e"}))]);
    assert_eq!(crate::assemble::preview(&stream)["meta"]["error"], json!({"errorCode": "e"}));
}

#[test]
fn dc_13_provider_raw_is_ignored() {
    let mut raw = text(2, "x");
    raw["providerRaw"] = json!({"anything": [1, {"textDelta": "no"}]});
    let with = of(&[start(1), raw]);
    assert_eq!(seen(&with), seen(&of(&[start(1), text(2, "x")])));
}

#[test]
fn dc_15_unknown_kinds_are_skipped_with_a_warning() {
    let mut unknown = delta(2, "citation", json!(5));
    unknown["more"] = json!({});
    for options in [StreamOptions::default(), collecting()] {
        let mut stream = Stream::new(options);
        for delta in
            [start(1), unknown.clone(), text(3, "x"), done(4), delta(5, "trailer", json!({}))]
        {
            push(&mut stream, &delta).unwrap();
        }
        assert!(stream.message().is_some());
        let rules: Vec<String> = stream
            .problems()
            .iter()
            .map(|p| format!("{} {}", p.severity.as_str(), p.rule))
            .collect();
        assert_eq!(rules, ["warning DC-15", "warning DC-15"]);
    }
}

#[test]
fn halves_of_a_pair_join_across_deltas() {
    let half = |seq: i64, kind: &str, field: &str, more: &str, text: &str| {
        format!(
            r#"{{"runId":"r","seq":{seq},"kind":"{kind}","payload":{{{more}"{field}":"{text}"}},"timestamp":"t"}}"#
        )
    };
    let mut stream = of(&[start(1)]);
    for (seq, text) in [(2, r"a\ud83d"), (3, ""), (4, r"\ude00b\ud83d"), (5, "c"), (6, r"\ud83d")] {
        stream.push(half(seq, "text", "textDelta", "", text).as_bytes()).unwrap();
    }
    assert_eq!(preview(&stream)["parts"][0]["payload"]["text"], "a😀b\u{fffd}c");
    push(&mut stream, &call(7, "c")).unwrap();
    assert_eq!(preview(&stream)["parts"][0]["payload"]["text"], "a😀b\u{fffd}c\u{fffd}");
    for (seq, text) in [(8, r#"{\"a\":\"\ud83d"#), (9, r#"\ude00\"}"#)] {
        let record = half(seq, "tool_call_args", "argsTextDelta", r#""toolCallId":"c","#, text);
        stream.push(record.as_bytes()).unwrap();
    }
    push(&mut stream, &call_end(10, "c")).unwrap();
    assert_eq!(preview(&stream)["parts"][1]["payload"]["arguments"], json!({"a": "😀"}));
}

#[test]
fn limits() {
    let small = |max_bytes, max_depth| {
        Stream::new(StreamOptions {
            max_bytes: Some(max_bytes),
            max_depth: Some(max_depth),
            ..StreamOptions::default()
        })
    };
    let mut stream = small(200, 4);
    push(&mut stream, &start(1)).unwrap();
    push(&mut stream, &text(2, &"x".repeat(150))).unwrap();
    let was = seen(&stream);
    assert_eq!(push(&mut stream, &text(3, &"x".repeat(50))).unwrap_err().rule, "limit");
    assert_eq!(seen(&stream), was);
    push(&mut stream, &text(3, &"x".repeat(10))).unwrap();
    push(&mut stream, &call(4, "c")).unwrap();
    push(&mut stream, &args(5, "c", "[[[[")).unwrap();
    let was = seen(&stream);
    assert_eq!(push(&mut stream, &args(6, "c", "[")).unwrap_err().rule, "limit");
    assert_eq!(seen(&stream), was);
    push(&mut stream, &args(6, "c", "]]]]")).unwrap();
    push(&mut stream, &done(7)).unwrap();
    assert_eq!(preview(&stream)["parts"][1]["payload"]["arguments"], json!([[[[]]]]));
}

#[test]
fn changes_are_what_a_screen_redraws() {
    let mut stream = of(&[start(1), text(2, "a")]);
    let add = json!({"op": "add", "part": 0, "value": {"kind": "text", "payload": {"text": "a"}}});
    assert_eq!(take(&mut stream), [add.clone(), json!({"op": "status", "status": "streaming"})]);
    assert!(take(&mut stream).is_empty());
    for delta in [text(3, "b"), text(4, "c"), call(5, "c"), args(6, "c", "{\"x\":\"y")] {
        push(&mut stream, &delta).unwrap();
    }
    assert_eq!(
        take(&mut stream),
        [
            json!({"op": "append", "part": 0, "field": "text", "text": "bc"}),
            json!({"op": "add", "part": 1, "value": {"kind": "tool_call", "payload":
                {"toolCallId": "c", "toolName": "read", "arguments": {"x": "y"}, "rawArgsText": "{\"x\":\"y"}}}),
        ]
    );
    push(&mut stream, &args(7, "c", "z\"")).unwrap();
    assert_eq!(
        take(&mut stream),
        [json!({"op": "append", "part": 1, "field": "args", "text": "z\""})]
    );
    push(&mut stream, &args(8, "c", "}")).unwrap();
    push(&mut stream, &call_end(9, "c")).unwrap();
    push(&mut stream, &done(10)).unwrap();
    assert_eq!(
        take(&mut stream),
        [
            json!({"op": "set", "part": 1, "value": {"kind": "tool_call", "payload":
                {"toolCallId": "c", "toolName": "read", "arguments": {"x": "yz"}}}}),
            json!({"op": "status", "status": "done"}),
        ]
    );
    // After a restore, all parts are changes again.
    let mut again = Stream::restore(&stream.snapshot(), StreamOptions::default()).unwrap();
    let ops: Vec<Value> = take(&mut again).iter().map(|c| c["op"].clone()).collect();
    assert_eq!(ops, ["add", "add", "status"]);
}

#[test]
fn a_snapshot_is_the_shortest_stream() {
    let deltas = [
        start(10),
        text(11, "a"),
        text(12, "b"),
        call(13, "c"),
        args(14, "c", "{"),
        args(15, "c", "\"a"),
        call(16, "d"),
        call_end(17, "d"),
        delta(18, "usage", json!({"inputTokens": 1, "outputTokens": 1, "totalTokens": 2})),
        delta(19, "usage", json!({"inputTokens": 1, "outputTokens": 1, "totalTokens": 2})),
    ];
    let stream = of(&deltas);
    let snapshot = String::from_utf8(stream.snapshot()).unwrap();
    let lines: Vec<Value> = snapshot.lines().map(json_of).collect();
    let kinds: Vec<&str> = lines.iter().map(|l| l["kind"].as_str().unwrap()).collect();
    assert_eq!(
        kinds,
        [
            "start",
            "text",
            "tool_call_start",
            "tool_call_args",
            "tool_call_start",
            "tool_call_end",
            "usage"
        ]
    );
    assert_eq!(lines.last().unwrap()["seq"], 19);
    // It can be pushed to any stream.
    let mut plain = Stream::new(StreamOptions::default());
    plain.push_bytes(snapshot.as_bytes(), 0.0).unwrap();
    assert_eq!(seen(&plain), seen(&stream));
    assert_eq!(push(&mut plain, &text(19, "x")).unwrap_err().rule, "DC-3");
    // A plain stream of deltas can be restored like a snapshot.
    let plain: String = deltas.iter().map(|d| format!("{d}\n")).collect();
    let restored = Stream::restore(plain.as_bytes(), StreamOptions::default()).unwrap();
    assert_eq!(seen(&restored), seen(&stream));
    assert!(Stream::restore(b"rubbish", StreamOptions::default()).is_err());
    assert!(Stream::restore(b"{}", StreamOptions::default()).is_err());
    assert!(Stream::restore(b"\xff", StreamOptions::default()).is_err());
    assert_eq!(Stream::restore(b"", StreamOptions::default()).unwrap().status().as_str(), "empty");
}
