use crate::providers::Provider;
use crate::sniff;
use apex_parts_model::delta::ReaderOutput;

fn outputs(records: &[&str]) -> Vec<String> {
    let mut reader = Provider::Cohere.reader();
    let mut all = Vec::new();
    let mut take = |one: ReaderOutput<'_>| all.push(format!("{one:?}"));
    for record in records {
        reader.record("", record.as_bytes(), &mut take).unwrap();
    }
    reader.end(&mut take);
    all
}

fn count(all: &[String], word: &str) -> usize {
    all.iter().filter(|one| one.contains(word)).count()
}

const START: &str = r#"{"id":"a","type":"message-start","delta":{"message":{"role":"assistant"}}}"#;
const TEXT: &str =
    r#"{"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"Hi"}}}}"#;
const PLAN: &str = r#"{"type":"tool-plan-delta","delta":{"message":{"tool_plan":"Look. "}}}"#;

#[test]
fn only_its_own_records_are_recognised() {
    for own in [START, TEXT, PLAN, r#"{"type":"content-end","index":1}"#] {
        assert_eq!(sniff(own.as_bytes()), Some(Provider::Cohere), "{own}");
    }
    assert_eq!(sniff(br#"{"type":"content-delta"}"#), None);
    assert_eq!(sniff(br#"{"message":{},"finish_reason":"COMPLETE","usage":{}}"#), None);
}

#[test]
fn a_plan_is_kept_even_if_the_stream_ends_early() {
    let all = outputs(&[START, PLAN, PLAN]);
    assert_eq!((count(&all, "Thinking"), count(&all, "Done")), (2, 0));
    assert_eq!(count(&all, r#"name: "toolPlan", value: String("Look. Look. ")"#), 1, "{all:?}");
}

#[test]
fn a_recording_without_its_first_records_is_read() {
    let all = outputs(&[TEXT, r#"{"type":"message-end","delta":{"finish_reason":"COMPLETE"}}"#]);
    assert_eq!((count(&all, "Start"), count(&all, "kind: Text"), count(&all, "Done")), (1, 1, 1));
}

#[test]
fn an_error_without_a_message_is_a_finish_reason() {
    let end = r#"{"type":"message-end","delta":{"finish_reason":"TIMEOUT"}}"#;
    let all = outputs(&[START, TEXT, end]);
    assert_eq!(count(&all, r#"Done { finish_reason: "error" }"#), 1, "{all:?}");
    let end =
        r#"{"type":"message-end","delta":{"finish_reason":"TIMEOUT","error":{"message":"late"}}}"#;
    let all = outputs(&[START, TEXT, end, TEXT]);
    assert_eq!((count(&all, "Done"), count(&all, "kind: Text")), (0, 1));
    assert!(all.iter().any(|one| one.contains("late") && one.contains("retryable: Some(true)")));
}

#[test]
fn odd_elements_are_reported_and_the_rest_is_read() {
    let call = r#"{"type":"tool-call-start","index":0,"delta":{"message":{"tool_calls":{"function":{"name":7}}}}}"#;
    let args = r#"{"type":"tool-call-delta","index":0,"delta":{"message":{"tool_calls":{"function":{"arguments":"{}"}}}}}"#;
    let all = outputs(&[START, call, args, TEXT]);
    assert_eq!((count(&all, "Wrong"), count(&all, "kind: Text")), (2, 1), "{all:?}");
}
