#![allow(clippy::string_slice)] // a test may fail loudly

use super::*;
use crate::delta::fields::MAX_SAFE;
use proptest::prelude::*;
use serde_json::{Value, json};

fn read(json: &str) -> Result<String, Violation> {
    DeltaReader::default().read(json.as_bytes(), 32).map(|delta| format!("{delta:?}"))
}

fn record(kind: &str, payload: Value) -> Value {
    json!({"runId": "r", "seq": 7, "kind": kind, "payload": payload, "timestamp": "2025-02-17T00:00:00Z"})
}

/// As `JSON.stringify` writes it: `json!` sorts the keys.
fn in_order(kind: &str, payload: &str) -> String {
    format!(
        r#"{{"runId":"r","seq":7,"kind":"{kind}","payload":{payload},"timestamp":"2025-02-17T00:00:00Z"}}"#
    )
}

#[test]
fn the_fast_path_takes_the_common_shape() {
    for json in [
        in_order("text", r#"{"textDelta":"a\nb"}"#),
        in_order("thinking", r#"{"textDelta":""}"#),
        in_order("tool_call_args", r#"{"toolCallId":"c","argsTextDelta":"{\""}"#),
    ] {
        assert!(fast_path(json.as_bytes(), "").is_some(), "{json}");
        let spaced = json.replacen('{', "{ ", 1);
        assert!(fast_path(spaced.as_bytes(), "").is_none());
        assert_eq!(read(&json), read(&spaced));
    }
}

#[test]
fn runs_may_change() {
    let mut records = DeltaReader::default();
    let record = in_order("text", r#"{"textDelta":"x"}"#);
    for run in ["r", "r", "another", "", "s", "", "r\"t"] {
        let record = record.replacen("\"r\"", &serde_json::to_string(run).unwrap(), 1);
        assert_eq!(records.read(record.as_bytes(), 9).unwrap().run_id, run);
    }
}

#[test]
fn every_kind() {
    for (kind, payload) in [
        ("start", json!({"modelId": "m", "requestId": "q"})),
        ("text", json!({"textDelta": "é"})),
        ("thinking", json!({"textDelta": "x"})),
        ("tool_call_start", json!({"toolCallId": "c", "toolName": "t"})),
        ("tool_call_args", json!({"toolCallId": "c", "argsTextDelta": "{"})),
        ("tool_call_end", json!({"toolCallId": "c"})),
        ("usage", json!({"inputTokens": 1, "outputTokens": 2, "totalTokens": 3, "cost": 0.5})),
        ("done", json!({"finishReason": "stop"})),
        ("error", json!({"errorCode": "e", "message": "m", "retryable": true})),
        ("brand_new", json!(5)),
    ] {
        assert!(read(&record(kind, payload.clone()).to_string()).is_ok(), "{kind}");
        let Value::Object(fields) = payload else { continue };
        for name in fields.keys() {
            // Every wrong type in every field is reported, with its path.
            for wrong in [json!(null), json!([1]), json!({}), json!(1), json!("x"), json!(false)] {
                let right = match name.as_str() {
                    "cost" => wrong.is_number(),
                    name if name.ends_with("Tokens") => wrong.is_number(),
                    "retryable" => wrong.is_boolean(),
                    _ => wrong.is_string(),
                };
                let mut fields = fields.clone();
                fields.insert(name.clone(), wrong.clone());
                let got = read(&record(kind, Value::Object(fields)).to_string());
                assert_eq!(got.is_ok(), right, "{kind}.{name}: {wrong}");
                if let Err(refusal) = got {
                    assert_eq!(refusal.rule, "schema");
                    assert_eq!(refusal.path, format!("/payload/{name}"));
                    assert_eq!((refusal.seq, refusal.run_id.as_deref()), (Some(7), Some("r")));
                }
            }
        }
    }
}

#[test]
fn fields_of_the_record_are_checked() {
    let good = record("text", json!({"textDelta": "x"}));
    for (field, wrong) in [
        ("runId", json!(5)),
        ("seq", json!("5")),
        ("seq", json!(1.5)),
        ("seq", json!(null)),
        ("seq", json!(9_007_199_254_740_992u64)),
        ("seq", json!(1e300)),
        ("kind", json!(1)),
        ("payload", json!([])),
        ("payload", json!(null)),
        ("timestamp", json!(0)),
    ] {
        let mut bad = good.clone();
        bad[field] = wrong.clone();
        let refusal = read(&bad.to_string()).unwrap_err();
        assert_eq!(
            (refusal.rule, refusal.path.as_str()),
            ("schema", &*format!("/{field}")),
            "{wrong}"
        );
        bad.as_object_mut().unwrap().remove(field);
        let refusal = read(&bad.to_string()).unwrap_err();
        assert!(refusal.message.contains("is missing"), "{}", refusal.message);
    }
    for (text, seq) in [("1e3", 1000), ("5.0", 5), ("-3", -3), ("9007199254740991", MAX_SAFE)] {
        let json = in_order("text", r#"{"textDelta":""}"#)
            .replace("\"seq\":7", &format!("\"seq\":{text}"));
        let mut records = DeltaReader::default();
        assert_eq!(records.read(json.as_bytes(), 9).unwrap().seq, seq);
    }
}

#[test]
fn unusual_records_are_read() {
    let want = read(&in_order("text", r#"{"textDelta":"x"}"#));
    for odd in [
        r#" { "timestamp" : "2025-02-17T00:00:00Z", "payload":{"textDelta":"x"},"kind":"text","seq":7,"runId":"r"} "#,
        r#"{"runId":"old","runId":"r","seq":7,"kind":"text","payload":{"textDelta":"x"},"timestamp":"2025-02-17T00:00:00Z"}"#,
        r#"{"\u0072unId":"r","seq":7,"kind":"te\u0078t","payload":{"textDelta":"\u0078"},"timestamp":"2025-02-17T00:00:00Z"}"#,
        r#"{"runId":"r","seq":7,"kind":"text","payload":{"textDelta":"x","more":[{}]},"timestamp":"2025-02-17T00:00:00Z","providerRaw":"any"}"#,
    ] {
        let got = read(odd).map(|d| d.replace("Owned(", "Borrowed("));
        assert_eq!(got, want, "{odd}");
    }
}

#[test]
fn records_that_are_not_json_are_refused() {
    for bad in ["", "{", "[1", "{\"runId\":\"r\"", "nonsense", "{}{}", "\u{0}"] {
        assert_eq!(read(bad).unwrap_err().rule, "json", "{bad:?}");
    }
    for bad in ["5", "[]", "null", "\"x\"", "{}"] {
        assert_eq!(read(bad).unwrap_err().rule, "schema", "{bad:?}");
    }
    let deep = format!("{{\"more\":{}{}}}", "[".repeat(40), "]".repeat(40));
    assert_eq!(read(&deep).unwrap_err().rule, "limit");
}

#[test]
fn provider_raw_has_no_effect() {
    let good = in_order("text", r#"{"textDelta":"x"}"#);
    let deep = format!("{}1{}", "[".repeat(700), "]".repeat(700));
    for raw in [deep.as_str(), "{}", "5"] {
        let json = good.replacen('{', &format!("{{\"providerRaw\":{raw},"), 1);
        assert_eq!(read(&json).map(|d| d.replace("Owned(", "Borrowed(")), read(&good), "{raw}");
        let other = json.replace("providerRaw", "providerRow");
        assert_eq!(read(&other).is_ok(), raw.len() < 9, "{raw}");
    }
}

#[test]
fn bytes_that_are_not_utf_8_are_replaced() {
    let good = in_order("text", r#"{"textDelta":"x\u00e9§"}"#).into_bytes();
    let place = good.windows(2).position(|two| two == "§".as_bytes()).unwrap();
    let bad = [&good[..place], b"\xff", &good[place + 2..]].concat();
    let mut records = DeltaReader::default();
    let read = format!("{:?}", records.read(&bad, 9).unwrap());
    assert!(read.contains("xé\u{fffd}"), "{read}");
    assert!(records.replaced());
    records.read(&good, 9).unwrap();
    assert!(!records.replaced());
}

proptest! {
    #[test]
    fn the_fast_path_agrees_with_the_general_reader(
        run in any::<String>(),
        seq in any::<u64>(),
        kind in 0usize..3,
        text in any::<String>(),
        tail in r#"[\\udc0-9"]{0,8}"#,
    ) {
        let text = serde_json::to_string(&text).unwrap();
        let text = format!("{}{tail}\"", &text[..text.len() - 1]);
        let payload = [
            format!(r#"{{"textDelta":{text}}}"#),
            format!(r#"{{"textDelta":{text}}}"#),
            format!(r#"{{"toolCallId":"c","argsTextDelta":{text}}}"#),
        ];
        let kinds = ["text", "thinking", "tool_call_args"];
        let json = in_order(kinds[kind], &payload[kind])
            .replace("\"r\"", &serde_json::to_string(&run).unwrap())
            .replace("\"seq\":7", &format!("\"seq\":{seq}"));
        let spaced = format!(" {json}");
        let own = |json: &str| read(json).map(|d| d.replace("Owned(", "Borrowed("))
            .map_err(|refusal| refusal.rule);
        prop_assert_eq!(own(&json), own(&spaced));
    }

    #[test]
    fn bytes_do_no_harm(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
        let _ = DeltaReader::default().read(&bytes, 8);
    }
}
