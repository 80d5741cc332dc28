use crate::providers::Provider;
use crate::sniff;
use apex_parts_model::delta::ReaderOutput;

fn outputs(records: &[&str]) -> Vec<String> {
    let mut reader = Provider::Bedrock.reader();
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

const START: &str = r#"{"messageStart":{"role":"assistant","p":"abc"}}"#;
const TEXT: &str =
    r#"{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"text":"Hi"}},"p":"ab"}"#;
const STOP: &str = r#"{"messageStop":{"stopReason":"end_turn"}}"#;
const METADATA: &str = r#"{"metadata":{"usage":{"inputTokens":1,"outputTokens":2}}}"#;

#[test]
fn only_its_own_records_are_recognised() {
    let exception = r#"{"validationException":{"message":"bad"}}"#;
    for own in [START, TEXT, STOP, METADATA, exception] {
        assert_eq!(sniff(own.as_bytes()), Some(Provider::Bedrock), "{own}");
    }
    for other in [
        r#"{"messageStart":{}}"#,
        r#"{"messageStart":{"role":"assistant"},"more":1}"#,
        r#"{"metadata":{"usage":{}}}"#,
        r#"{"Exception":"text"}"#,
    ] {
        assert_eq!(sniff(other.as_bytes()), None, "{other}");
    }
}

#[test]
fn the_stop_and_the_metadata_come_in_either_order() {
    for ends in [[STOP, METADATA], [METADATA, STOP]] {
        let all = outputs(&[START, TEXT, ends[0], ends[1]]);
        assert!(all.last().is_some_and(|last| last.contains("Done")), "{all:?}");
        assert_eq!((count(&all, "Done"), count(&all, "Usage(")), (1, 1));
    }
}

#[test]
fn metadata_may_be_missing_and_the_stop_may_not() {
    assert_eq!(count(&outputs(&[START, TEXT, STOP]), "Done"), 1);
    assert_eq!(count(&outputs(&[START, TEXT, METADATA]), "Done"), 0);
}

#[test]
fn a_result_is_kept_even_if_the_stream_ends_early() {
    let start =
        r#"{"contentBlockStart":{"contentBlockIndex":1,"start":{"toolResult":{"toolUseId":"a"}}}}"#;
    let piece =
        r#"{"contentBlockDelta":{"contentBlockIndex":1,"delta":{"toolResult":[{"text":"x"}]}}}"#;
    let all = outputs(&[START, start, piece]);
    assert!(all.iter().any(|one| one.contains("ToolResult") && one.contains("text")), "{all:?}");
}

#[test]
fn arguments_of_no_call_are_reported() {
    let piece =
        r#"{"contentBlockDelta":{"contentBlockIndex":4,"delta":{"toolUse":{"input":"{}"}}}}"#;
    let all = outputs(&[START, piece, TEXT]);
    assert_eq!((count(&all, "Wrong"), count(&all, "kind: Text")), (1, 1));
}

#[test]
fn an_exception_ends_the_response_once() {
    let exception = r#"{"throttlingException":{"message":"slow down"},"p":"abcd"}"#;
    let all = outputs(&[START, TEXT, exception, exception, TEXT, STOP, METADATA]);
    assert_eq!((count(&all, "Error("), count(&all, "Done"), count(&all, "kind: Text")), (1, 0, 1));
    assert!(all.iter().any(|one| one.contains(r#"code: "throttlingException""#)), "{all:?}");
}
