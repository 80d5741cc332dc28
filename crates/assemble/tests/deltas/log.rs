//! The log of a run: `take_deltas`, and the `meta` of the last delta.

use crate::assemble::*;
use apex_parts_assemble::{MessageContext, Stream, StreamOptions};
use serde_json::{Value, json};

fn taken(stream: &mut Stream) -> Vec<Value> {
    stream.take_deltas().lines().map(json_of).collect()
}

type Short<'a> = (i64, &'a str, Option<&'a str>);

/// `seq`, kind and text of each delta.
fn short(deltas: &[Value]) -> Vec<Short<'_>> {
    fn one(delta: &Value) -> Short<'_> {
        let payload = &delta["payload"];
        let text = payload.get("textDelta").or_else(|| payload.get("argsTextDelta"));
        let kind = delta["kind"].as_str().unwrap();
        (delta["seq"].as_i64().unwrap(), kind, text.and_then(Value::as_str))
    }
    deltas.iter().map(one).collect()
}

#[test]
fn consecutive_deltas_of_one_part_are_joined() {
    let mut stream = of(&[
        start(1),
        text(2, "a"),
        text(4, "b"),
        thinking(5, "t"),
        text(6, "c"),
        call(7, "x"),
        args(8, "x", "{"),
        args(9, "x", "\"k\":"),
        call(10, "y"),
        args(11, "x", "1}"),
        args(12, "y", "{}"),
        call_end(13, "x"),
        done(20),
    ]);
    let deltas = taken(&mut stream);
    let want = [
        (1, "start", None),
        (4, "text", Some("ab")),
        (5, "thinking", Some("t")),
        (6, "text", Some("c")),
        (7, "tool_call_start", None),
        (9, "tool_call_args", Some("{\"k\":")),
        (10, "tool_call_start", None),
        (11, "tool_call_args", Some("1}")),
        (12, "tool_call_args", Some("{}")),
        (13, "tool_call_end", None),
        (20, "done", None),
    ];
    assert_eq!(short(&deltas), want);
    // The timestamp is that of the first joined delta.
    assert_eq!(deltas[1]["timestamp"], text(2, "")["timestamp"]);
    assert_eq!(deltas[0], start(1));
    assert_eq!(deltas[10], done(20));
    assert!(stream.take_deltas().is_empty());
    assert_eq!(seen(&of(&deltas)), seen(&stream));
}

#[test]
fn the_state_of_a_block_is_joined_with_its_text() {
    let said = |seq, kind: &str, block: &str, said: &str, state: Option<Value>| {
        let mut delta = if kind == "text" { text(seq, said) } else { thinking(seq, said) };
        if !block.is_empty() {
            delta["payload"]["block"] = json!(block);
        }
        if let Some(state) = state {
            delta["payload"]["provider"] = json!({"anthropic": state});
        }
        delta
    };
    let mut stream = of(&[
        start(1),
        said(2, "thinking", "0", "", None),
        said(3, "thinking", "0", "Plan ", None),
        said(4, "thinking", "0", "A.", None),
        said(5, "thinking", "0", "", Some(json!({"signature": "SG"}))),
        said(6, "text", "1", "", Some(json!({"citations": [1]}))),
        said(7, "text", "1", "Hel", None),
        said(8, "text", "1", "lo", Some(json!({"citations": [1, 2]}))),
        // Another block between them keeps them apart.
        said(9, "thinking", "0", "", Some(json!({"data": "D"}))),
        said(10, "text", "1", "!", None),
        // Text without a block.
        said(11, "thinking", "", "", Some(json!({"signature": "of none"}))),
        said(12, "thinking", "", "x", None),
    ]);
    let deltas = taken(&mut stream);
    let payloads: Vec<(i64, &Value)> =
        deltas.iter().map(|delta| (delta["seq"].as_i64().unwrap(), &delta["payload"])).collect();
    let anthropic = |state: Value| json!({ "anthropic": state });
    let whole = json!({"signature": "SG", "data": "D"});
    let want = [
        json!({"textDelta": "Plan A.", "block": "0", "provider": anthropic(whole.clone())}),
        json!({"textDelta": "Hello", "block": "1", "provider": anthropic(json!({"citations": [1, 2]}))}),
        json!({"textDelta": "", "block": "0", "provider": anthropic(whole)}),
        json!({"textDelta": "!", "block": "1"}),
        json!({"textDelta": "x", "provider": anthropic(json!({"signature": "of none"}))}),
    ];
    let want: Vec<(i64, &Value)> = [5, 8, 9, 10, 12].into_iter().zip(&want).collect();
    assert_eq!(payloads[1..], want);
    let (again, first) = (of(&deltas), stream);
    assert_eq!(seen(&again), seen(&first));
}

#[test]
fn deltas_before_and_after_a_take_are_not_joined() {
    let mut stream = of(&[start(1), text(2, "a")]);
    assert_eq!(short(&taken(&mut stream)), [(1, "start", None), (2, "text", Some("a"))]);
    push(&mut stream, &text(3, "b")).unwrap();
    push(&mut stream, &text(4, "c")).unwrap();
    assert_eq!(short(&taken(&mut stream)), [(4, "text", Some("bc"))]);
    assert!(push(&mut stream, &text(4, "d")).is_err(), "a violation is no delta");
    assert!(stream.take_deltas().is_empty());
}

#[test]
fn a_surrogate_pair_split_by_a_take_is_joined_by_the_reader() {
    let pieces = [r"a\ud83d", r"\ude00b", r"\ud83d", r"\ud83d", "", r"\ude00", r"\ud83d", "x"];
    for ways in 0..1 << pieces.len() {
        let mut stream = of(&[start(1)]);
        let mut log = String::new();
        stream.forget_deltas(0);
        for (i, piece) in pieces.iter().enumerate() {
            let record = text(i as i64 + 2, "@").to_string().replace('@', piece);
            stream.push(record.as_bytes()).unwrap();
            if ways >> i & 1 == 1 {
                log.push_str(&stream.take_deltas());
            }
        }
        push(&mut stream, &call(40, "c")).unwrap();
        push(&mut stream, &done(50)).unwrap();
        log.push_str(&stream.take_deltas());
        assert_eq!(stream.deltas_again(0, 99), log, "{ways:b}");
        let mut again = Stream::new(StreamOptions::default());
        again.push_bytes(log.as_bytes(), 0.0).unwrap();
        assert_eq!(seen(&again), seen(&stream), "{ways:b}: {log}");
        assert_eq!(preview(&stream)["parts"][0]["payload"]["text"], "a😀b\u{fffd}😀\u{fffd}x");
    }
}

#[test]
fn a_log_that_nobody_takes_does_not_outgrow_the_message() {
    let mut stream =
        of(&[start(1), call(2, "x"), call(3, "y"), args(4, "x", "\""), args(5, "y", "\"")]);
    let usage = json!({"inputTokens": 1, "outputTokens": 0, "totalTokens": 1});
    let mut seq = 5;
    for _ in 0..60_000 {
        for one in [args(0, "x", "1"), args(0, "y", "2"), delta(0, "usage", usage.clone())] {
            seq += 1;
            let mut one = one;
            one["seq"] = json!(seq);
            push(&mut stream, &one).unwrap();
        }
    }
    push(&mut stream, &done(seq + 1)).unwrap();
    let deltas = taken(&mut stream);
    assert!(deltas.len() < 140_000, "{}", deltas.len());
    let seqs: Vec<i64> = deltas.iter().map(|delta| delta["seq"].as_i64().unwrap()).collect();
    assert!(seqs.is_sorted());
    assert_eq!(seen(&of(&deltas)), seen(&stream));
}

#[test]
fn after_a_restore_only_new_deltas_are_taken() {
    let mut stream = of(&[start(1), text(2, "a"), call(3, "x"), args(4, "x", "{")]);
    stream.take_deltas();
    push(&mut stream, &args(5, "x", "\"k\"")).unwrap();
    let mut again = Stream::restore(&stream.snapshot(), StreamOptions::default()).unwrap();
    assert!(again.take_deltas().is_empty());
    push(&mut again, &args(6, "x", ":1}")).unwrap();
    push(&mut again, &done(7)).unwrap();
    let want = [(6, "tool_call_args", Some(":1}")), (7, "done", None)];
    assert_eq!(short(&taken(&mut again)), want);
}

fn ended(kind: &str, mut payload: Value, meta: Value) -> Stream {
    payload["meta"] = meta;
    of(&[start(1), text(2, "a"), delta(3, kind, payload)])
}

#[test]
fn meta_of_the_end_becomes_meta_of_the_message() {
    let meta = json!({
        "provider": {"id": "p", "list": [1, {"a": 2.5}]},
        "toolResults": [{"toolCallId": "c", "isError": false, "content": {"z": 1, "a": [null]}}],
        "compaction": {"content": "short"},
        "mine": "too",
    });
    let mut stream = ended("done", json!({"finishReason": "stop"}), meta.clone());
    let message = json_of(&stream.message().unwrap().to_json());
    for name in ["provider", "toolResults", "compaction", "mine"] {
        assert_eq!(message["meta"][name], meta[name], "{name}");
    }
    assert_eq!(message["meta"]["finishReason"], "stop");
    // It is in the taken deltas and in a snapshot too.
    assert_eq!(taken(&mut stream)[2]["payload"]["meta"], meta);
    let again = Stream::restore(&stream.snapshot(), StreamOptions::default()).unwrap();
    assert_eq!(seen(&again), seen(&stream));
    let mut plain = Stream::new(StreamOptions::default());
    plain.push_bytes(&stream.snapshot(), 0.0).unwrap();
    assert_eq!(seen(&plain), seen(&stream));

    let failed = ended("error", json!({"errorCode": "e"}), meta.clone());
    assert!(failed.message().is_none());
    assert_eq!(preview(&failed)["meta"]["provider"], meta["provider"]);
    assert_eq!(preview(&failed)["meta"]["error"], json!({"errorCode": "e"}));
}

#[test]
fn tool_results_in_meta_of_the_end_complete_their_calls() {
    let result = |id, is_error| json!({"toolCallId": id, "isError": is_error, "content": "out"});
    let meta = json!({"toolResults": [result("a", false), result("b", true)]});
    let end = json!({"finishReason": "stop", "meta": meta});
    let mut stream = of(&[
        start(1),
        call(2, "a"),
        call_end(3, "a"),
        call(4, "b"),
        call_end(5, "b"),
        delta(6, "done", end),
    ]);
    let context = MessageContext { session_id: "s", ..MessageContext::default() };
    let made = json_of(&stream.to_with_parts(&context, &mut String::new));
    let states = made["parts"].as_array().unwrap().iter().filter(|part| part["type"] == "tool");
    let states: Vec<&Value> = states.map(|part| &part["state"]).collect();
    assert_eq!((&states[0]["status"], &states[0]["output"]), (&json!("completed"), &json!("out")));
    assert_eq!((&states[1]["status"], &states[1]["error"]), (&json!("error"), &json!("out")));
}

#[test]
fn meta_of_the_end_does_not_replace_fields_of_deltas() {
    let meta = json!({
        "modelId": "other", "requestId": 7, "finishReason": "x", "error": {"errorCode": "no"},
        "usage": {"inputTokens": 9}, "parseErrors": [], "unclosedToolCalls": ["q"],
    });
    let stream = ended("done", json!({"finishReason": "stop"}), meta);
    let want = json!({"modelId": "m", "requestId": "q", "finishReason": "stop"});
    assert_eq!(preview(&stream)["meta"], want);
}

#[test]
fn meta_fields_of_unknown_shape_are_kept() {
    let meta = json!({"provider": [1], "toolResults": [{"toolCallId": 5}], "compaction": null});
    let stream = ended("done", json!({"finishReason": "stop"}), meta.clone());
    assert_eq!(preview(&stream)["meta"]["provider"], meta["provider"]);
    assert_eq!(preview(&stream)["meta"]["toolResults"], meta["toolResults"]);
}

#[test]
fn meta_is_an_object_and_has_a_limit() {
    for meta in [json!(null), json!("text"), json!([1])] {
        let mut stream = of(&[start(1)]);
        let before = seen(&stream);
        let wrong = delta(2, "done", json!({"finishReason": "stop", "meta": meta}));
        let violation = push(&mut stream, &wrong).unwrap_err();
        assert_eq!((violation.rule, violation.path.as_str()), ("schema", "/payload/meta"));
        assert_eq!(seen(&stream), before);
        push(&mut stream, &done(2)).unwrap();
    }
    let mut small =
        Stream::new(StreamOptions { max_bytes: Some(2000), ..StreamOptions::default() });
    push(&mut small, &start(1)).unwrap();
    let payload = json!({"finishReason": "stop", "meta": {"provider": {"a": "x".repeat(3000)}}});
    let violation = push(&mut small, &delta(2, "done", payload)).unwrap_err();
    assert_eq!(violation.rule, "limit");
    assert_eq!(small.status().as_str(), "streaming");
    push(&mut small, &done(2)).unwrap();
}
