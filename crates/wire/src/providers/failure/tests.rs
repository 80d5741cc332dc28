use super::{error_of, read_error, retryable};
use apex_parts_json::record;
use apex_parts_model::delta::StreamError;

fn read(json: &str) -> Option<StreamError<'_>> {
    let root = record::read(json, 64).unwrap();
    error_of("", root, false).map(|error| read_error(root, error, false))
}

#[test]
fn words_and_statuses_decide() {
    for (code, want) in [
        ("429", Some(true)),
        ("503", Some(true)),
        ("501", Some(false)),
        ("404", Some(false)),
        ("Throttling.RateQuota", Some(true)),
        ("InternalServerError", Some(true)),
        ("insufficient_quota", Some(false)),
        ("model_not_found", Some(false)),
        ("Request Timed-Out", Some(true)),
        ("200", None),
        ("strange", None),
        ("", None),
    ] {
        assert_eq!(retryable(code), want, "{code}");
    }
}

#[test]
fn an_error_is_found_in_each_place() {
    for (json, message) in [
        (r#"{"error":{"message":"m"}}"#, "m"),
        (r#"{"error":"m"}"#, "m"),
        (r#"{"errors":[{"message":"m"},{"message":"n"}]}"#, "m"),
        (r#"{"object":"error","message":"m"}"#, "m"),
        (r#"{"detail":"m"}"#, "m"),
        (r#"{"detail":[{"msg":"m"}]}"#, r#"[{"msg":"m"}]"#),
        (r#"{"success":false,"message":"m"}"#, "m"),
        (r#"{"success":false,"error":"m"}"#, "m"),
        (r#"{"choices":[{"error":{"message":"m"}}]}"#, "m"),
        (r#"{"x_groq":{"error":"m"}}"#, "m"),
        (r#"{"error":true,"reason":"m"}"#, "m"),
        (r#"{"object":"\u0065rror","message":"m"}"#, "m"),
        (r#"{"type":"\u0065rror","message":"m"}"#, "m"),
    ] {
        assert_eq!(read(json).unwrap().message.as_deref(), Some(message), "{json}");
    }
}

#[test]
fn what_says_nothing_is_no_error() {
    for json in [
        r#"{"error":null}"#,
        r#"{"error":""}"#,
        r#"{"error":{},"choices":[]}"#,
        r#"{"errors":[]}"#,
        r#"{"detail":"of something","id":"x"}"#,
        r#"{"success":false}"#,
        r#"{"success":true,"message":"fine"}"#,
    ] {
        assert_eq!(read(json), None, "{json}");
    }
    let typed = record::read(r#"{"type":"tool","error":{"message":"m"}}"#, 8).unwrap();
    assert!(error_of("", typed, true).is_none());
}

#[test]
fn the_first_word_is_the_code() {
    for (json, code) in [
        (r#"{"error":{"type":"t","code":"c"}}"#, "c"),
        (r#"{"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}"#, "RESOURCE_EXHAUSTED"),
        (r#"{"error":{"code":429,"type":"t"}}"#, "429"),
        (r#"{"error":{"code":" ","type":"t"}}"#, "t"),
        (r#"{"error":{"name":"n","status":500}}"#, "n"),
        (r#"{"error":{"statusCode":500}}"#, "500"),
        (r#"{"error":"m"}"#, "error"),
    ] {
        assert_eq!(read(json).unwrap().code, code, "{json}");
    }
    let root = record::read(r#"{"error":{"type":"t","code":"c"}}"#, 8).unwrap();
    assert_eq!(read_error(root, root.get("error"), true).code, "t");
}

#[test]
fn a_flag_goes_before_the_words() {
    let flagged = read(r#"{"error":{"code":"invalid","isRetryable":true}}"#).unwrap();
    assert_eq!(flagged.retryable, Some(true));
    let status = read(r#"{"error":{"code":"ODD","type":"odd","status":503}}"#).unwrap();
    assert_eq!(status.retryable, Some(true));
}

#[test]
fn a_time_to_wait_is_read() {
    for (json, ms) in [
        (r#"{"error":{"retry_after":2}}"#, 2000.0),
        (r#"{"error":{"retry_after_ms":250}}"#, 250.0),
        (r#"{"error":{"message":"m"},"retry_after":1.5}"#, 1500.0),
        (
            r#"{"error":{"details":[{"@type":"x/google.rpc.RetryInfo","retryDelay":"1.5s"}]}}"#,
            1500.0,
        ),
    ] {
        assert_eq!(read(json).unwrap().retry_after_ms, Some(ms), "{json}");
    }
    assert_eq!(read(r#"{"error":{"retry_after":-1}}"#).unwrap().retry_after_ms, None);
}
