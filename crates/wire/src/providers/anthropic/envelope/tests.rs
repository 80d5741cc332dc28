use crate::providers::Provider;
use crate::sniff;
use apex_parts_model::delta::ReaderOutput;

/// A line of Claude Code with an event; `of` is the call whose sub-agent it is of.
fn line(event: &str, of: &str) -> String {
    format!(
        r#"{{"type":"stream_event","event":{event},"session_id":"s-1","parent_tool_use_id":{of}}}"#
    )
}

fn outputs(lines: &[String]) -> Vec<String> {
    let mut reader = Provider::Anthropic.reader();
    let mut all = Vec::new();
    let mut take = |one: ReaderOutput<'_>| all.push(format!("{one:?}"));
    for line in lines {
        reader.record("", line.as_bytes(), &mut take).unwrap();
    }
    reader.end(&mut take);
    all
}

fn count(all: &[String], word: &str) -> usize {
    all.iter().filter(|one| one.contains(word)).count()
}

const START: &str = r#"{"type":"message_start","message":{"id":"m","model":"c"}}"#;
const CALL: &str = r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t-1","name":"go","input":{}}}"#;
const STOP: &str = r#"{"type":"message_delta","delta":{"stop_reason":"tool_use"}}"#;

#[test]
fn events_in_envelopes_are_read() {
    let end = r#"{"type":"message_stop"}"#;
    let all = outputs(&[START, CALL, STOP, end].map(|event| line(event, "null")));
    assert_eq!(
        (count(&all, "Delta(Start"), count(&all, "ToolCallStart"), count(&all, "Done")),
        (1, 1, 1)
    );
    assert_eq!(count(&all, r#"name: "sessionId", value: String("s-1")"#), 1, "{all:?}");
    assert_eq!(sniff(line(START, "null").as_bytes()), Some(Provider::Anthropic));
}

#[test]
fn sub_agents_are_listed_once_and_left_out() {
    let inner = || line(CALL, r#""t-0""#);
    let all = outputs(&[line(START, "null"), inner(), inner(), line(STOP, "null")]);
    assert_eq!(
        (count(&all, "ToolCallStart"), count(&all, r#"name: "subagents""#)),
        (0, 1),
        "{all:?}"
    );
}

#[test]
fn results_count_for_calls_of_the_open_message() {
    let result = |id: &str| {
        format!(
            r#"{{"type":"user","message":{{"content":[{{"type":"tool_result","tool_use_id":"{id}","content":"x"}}]}}}}"#
        )
    };
    let open = [line(START, "null"), line(CALL, "null"), result("t-1"), result("other")];
    assert_eq!(count(&outputs(&open), "ToolResult"), 1);
}

#[test]
fn lines_that_repeat_the_events_are_nothing() {
    let repeated =
        r#"{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"again"}]}}"#;
    let all =
        outputs(&[line(START, "null"), repeated.to_owned(), r#"{"type":"keep_alive"}"#.to_owned()]);
    assert_eq!((count(&all, "Text("), count(&all, "events")), (0, 0), "{all:?}");
}

#[test]
fn an_event_that_is_refused_changes_nothing() {
    let mut reader = Provider::Anthropic.reader();
    reader.record("", line(START, "null").as_bytes(), &mut |_| {}).unwrap();
    let before = reader.snapshot();
    let odd = line(r#"{"type":"content_block_delta","index":"x"}"#, "null").replace("s-1", "s-2");
    reader.record("", odd.as_bytes(), &mut |_| {}).unwrap_err();
    assert_eq!(reader.snapshot(), before);
}
