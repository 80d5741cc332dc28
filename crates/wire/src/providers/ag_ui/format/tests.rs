use crate::providers::Provider;
use crate::sniff;
use apex_parts_model::delta::ReaderOutput;

fn outputs(records: &[&str]) -> Vec<String> {
    let mut reader = Provider::AgUi.reader();
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

const STARTED: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;
const FINISHED: &str = r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#;
const TEXT: &str = r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hi"}"#;

#[test]
fn only_its_own_records_are_recognised() {
    for own in [STARTED, TEXT, r#"{"type":"THINKING_START"}"#, r#"{"type":"RAW","event":{}}"#] {
        assert_eq!(sniff(own.as_bytes()), Some(Provider::AgUi), "{own}");
    }
    assert_eq!(sniff(br#"{"type":"RUN_AWAY"}"#), None);
}

#[test]
fn messages_of_others_are_left_out() {
    let user = r#"{"type":"TEXT_MESSAGE_START","messageId":"u","role":"user"}"#;
    let content = r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"u","delta":"theirs"}"#;
    let chunk = r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"c","role":"user","delta":"theirs"}"#;
    let more = r#"{"type":"TEXT_MESSAGE_CHUNK","delta":"theirs"}"#;
    let all = outputs(&[STARTED, user, content, chunk, more, TEXT]);
    assert_eq!((count(&all, "Text("), count(&all, "theirs")), (1, 0), "{all:?}");
}

#[test]
fn the_finish_reason_depends_on_calls_without_a_result() {
    let call = r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"go"}"#;
    let end = r#"{"type":"TOOL_CALL_END","toolCallId":"c"}"#;
    let result = r#"{"type":"TOOL_CALL_RESULT","toolCallId":"c","content":"done"}"#;
    let interrupted = FINISHED.replace('}', r#","outcome":{"type":"interrupt"}}"#);
    for (records, reason) in [
        (vec![STARTED, call, end, FINISHED], "tool-calls"),
        (vec![STARTED, call, end, result, FINISHED], "stop"),
        (vec![STARTED, call, end, &interrupted], "other"),
    ] {
        let all = outputs(&records);
        let done = format!(r#"Done {{ finish_reason: "{reason}" }}"#);
        assert_eq!(count(&all, &done), 1, "{all:?}");
    }
}

#[test]
fn a_call_in_chunks_ends_when_something_else_comes() {
    let chunk = r#"{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"go","delta":"{"}"#;
    let more = r#"{"type":"TOOL_CALL_CHUNK","delta":"}"}"#;
    let other = chunk.replace("\"c\"", "\"d\"");
    let all = outputs(&[STARTED, chunk, more, &other, TEXT]);
    assert_eq!((count(&all, "ToolCallArgs"), count(&all, "ToolCallEnd")), (3, 2), "{all:?}");
    let late = outputs(&[STARTED, chunk, TEXT, more]);
    assert_eq!(count(&late, "Wrong"), 1);
}

#[test]
fn an_error_ends_the_run_once() {
    let error = r#"{"type":"RUN_ERROR","message":"no","code":"overloaded"}"#;
    let all = outputs(&[STARTED, TEXT, error, TEXT, FINISHED, STARTED, TEXT, FINISHED]);
    assert_eq!((count(&all, "Error("), count(&all, "Done"), count(&all, "Delta(Start")), (1, 1, 2));
    assert_eq!(count(&all, "Text("), 2, "{all:?}");
}

#[test]
fn fields_that_are_not_known_are_kept() {
    let all = outputs(&[
        STARTED,
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hi","mood":1}"#,
    ]);
    assert_eq!(count(&all, "mood"), 1, "{all:?}");
}
