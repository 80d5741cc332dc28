use super::*;
use crate::providers::Provider;
use crate::providers::part_state::parts_of;
use apex_parts_model::delta::ReaderOutput;

fn error(records: &[&str]) -> Violation {
    let mut reader = Provider::Anthropic.reader();
    let (last, before) = records.split_last().unwrap();
    for record in before {
        reader.record("", record.as_bytes(), &mut |_| {}).unwrap();
    }
    reader
        .record("", last.as_bytes(), &mut |_| panic!("a record that breaks a rule emits nothing"))
        .unwrap_err()
}

#[test]
fn input_needs_a_call() {
    let start = r#"{"type":"message_start","message":{"id":"m"}}"#;
    let text = r#"{"type":"content_block_start","index":0,"content_block":{"type":"text"}}"#;
    let input = r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{"}}"#;
    assert_eq!(error(&[start, input]).rule, "DC-6");
    assert_eq!(error(&[start, text, input]).rule, "DC-6");
}

#[test]
fn a_violation_names_the_field() {
    let cases = [
        (r#"{"type":7}"#, "`type` must be a string, but it is a number"),
        (r#"{"a":1}"#, "`type` must be a string, but it is missing"),
        (r#"{"type":"message_start"}"#, "`message` must be an object, but it is missing"),
        (
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":null}}"#,
            "`delta.text` must be a string, but it is null",
        ),
        (
            r#"{"type":"content_block_start","index":-1,"content_block":{"type":"text"}}"#,
            "`index` must be a whole number from 0, but it is a number",
        ),
        (
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a"}}"#,
            "`content_block.name` must be a string, but it is missing",
        ),
    ];
    for (record, message) in cases {
        let error = error(&[record]);
        assert_eq!((error.rule, &*error.message), ("schema", message));
    }
}

#[test]
fn the_type_may_come_as_the_event_name_only() {
    let mut reader = Provider::Anthropic.reader();
    let mut output = Vec::new();
    let mut take = |one: ReaderOutput<'_>| output.push(format!("{one:?}"));
    reader.record("message_start", br#"{"message":{"id":"m","model":"c"}}"#, &mut take).unwrap();
    reader.record("message_stop", b"{}", &mut take).unwrap();
    assert!(output[0].contains("Start") && output[3].contains("Done"), "{output:?}");
    assert!(output[2].contains("empty") && output[2].contains("message_stop"), "{output:?}");
}

#[test]
fn a_stream_that_is_cut_off_emits_no_end() {
    let mut reader = Provider::Anthropic.reader();
    let delta = r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"}}"#;
    reader.record("", delta.as_bytes(), &mut |_| {}).unwrap();
    reader.end(&mut |output| {
        assert!(matches!(output, ReaderOutput::Warning { rule: "empty", .. }), "{output:?}");
    });
}

#[test]
fn stop_reasons_are_mapped() {
    let words = [
        ("end_turn", "stop"),
        ("pause_turn", "stop"),
        ("max_tokens", "length"),
        ("tool_use", "tool-calls"),
        ("refusal", "content-filter"),
        ("compaction", "other"),
    ];
    for (raw, word) in words {
        assert_eq!(finish_word(Some(raw), false), word);
    }
    assert_eq!(finish_word(None, false), "other");
}

const START: &str = r#"{"type":"message_start","message":{"id":"m","model":"c"}}"#;

fn start(at: u64, block: &str) -> String {
    format!(r#"{{"type":"content_block_start","index":{at},"content_block":{block}}}"#)
}

fn delta(at: u64, kind: &str, field: &str, value: &str) -> String {
    format!(
        r#"{{"type":"content_block_delta","index":{at},"delta":{{"type":"{kind}","{field}":{value}}}}}"#
    )
}

fn stop(at: u64) -> String {
    format!(r#"{{"type":"content_block_stop","index":{at}}}"#)
}

fn parts(records: &[String]) -> Vec<String> {
    let records: Vec<&str> =
        std::iter::once(START).chain(records.iter().map(String::as_str)).collect();
    parts_of(Provider::Anthropic, &records)
}

#[test]
fn only_the_beginning_of_a_block_names_it() {
    let text = |at, text: &str| delta(at, "text_delta", "text", &format!("{text:?}"));
    let found = parts(&[
        start(0, r#"{"type":"text","text":""}"#),
        text(0, "a"),
        text(0, "b"),
        stop(0),
        start(1, r#"{"type":"text","text":"c"}"#),
        text(1, "d"),
        // A server that gives every block the same index.
        start(0, r#"{"type":"text","text":""}"#),
        text(0, "e"),
        stop(0),
        // The first block goes on while another one is the last part.
        text(1, "f"),
    ]);
    assert_eq!(found, ["text[0] a", "text b", "text[1] c", "text d", "text[2] e", "text[1] f"]);
}

#[test]
fn the_pieces_of_a_signature_are_one() {
    let thinking = |text: &str| delta(0, "thinking_delta", "thinking", text);
    let signature = |text: &str| delta(0, "signature_delta", "signature", text);
    let begin = start(0, r#"{"type":"thinking","thinking":"","signature":""}"#);
    let found = parts(&[
        begin.clone(),
        thinking(r#""a""#),
        signature(r#""one""#),
        signature(r#""two""#),
        // The whole again.
        signature(r#""onetwo""#),
        stop(0),
    ]);
    assert_eq!(found, ["thinking[0] a", r#"thinking[0]  {"anthropic":{"signature":"onetwo"}}"#]);
    // A stream that is cut off keeps what came.
    let found = parts(&[begin.clone(), signature(r#""one""#)]);
    assert_eq!(found, [r#"thinking[0]  {"anthropic":{"signature":"one"}}"#]);
    let found = parts(&[begin.clone(), thinking(r#""a""#)]);
    assert_eq!(found, ["thinking[0] a", r#"thinking[0]  {"anthropic":{"unsigned":true}}"#]);
    assert_eq!(parts(std::slice::from_ref(&begin)), Vec::<String>::new());
    let found = parts(&[begin, stop(0)]);
    assert_eq!(found, [r#"thinking[0]  {"anthropic":{"unsigned":true}}"#]);
}

#[test]
fn what_nobody_knows_of_a_block_goes_back_with_it() {
    let citation = |text: &str| delta(0, "citations_delta", "citation", text);
    let found = parts(&[
        start(0, r#"{"type":"text","text":"a","citations":[{"n":1.0}],"mark":{"b":1,"a":2}}"#),
        citation(r#"{"n":2}"#),
        stop(0),
        start(1, r#"{"type":"redacted_thinking","data":"x","more":[]}"#),
        start(2, r#"{"type":"tool_use","id":"t","name":"go","input":{},"caller":{"type":"c"}}"#),
        delta(2, "input_json_delta", "partial_json", r#""{}""#),
        stop(2),
    ]);
    assert_eq!(
        found,
        [
            "text[0] a",
            r#"text[0]  {"anthropic":{"citations":[{"n":1.0},{"n":2}],"block":{"mark":{"b":1,"a":2}}}}"#,
            r#"thinking[1]  {"anthropic":{"redactedData":"x","block":{"more":[]}}}"#,
            r#"call t go {"anthropic":{"block":{"caller":{"type":"c"}}}}"#,
            "args t {}",
            "end t",
        ]
    );
}

#[test]
fn a_result_of_the_server_stands_on_its_call() {
    let call = r#"{"type":"server_tool_use","id":"s","name":"find","input":{"q":1}}"#;
    let result = |id: &str| {
        format!(r#"{{"type":"find_tool_result","tool_use_id":"{id}","content":[],"more":null}}"#)
    };
    let found = parts(&[start(0, call), stop(0), start(1, &result("s")), start(2, &result("z"))]);
    assert_eq!(
        found,
        [
            r#"call s find {"anthropic":{"type":"server_tool_use","index":0},"providerExecuted":true}"#,
            r#"args s {"q":1}"#,
            "end s",
            r#"result s [] {"anthropic":{"result":{"type":"find_tool_result","content":[],"more":null},"resultIndex":1}}"#,
            r#"result z [] {"anthropic":{"result":{"type":"find_tool_result","content":[],"more":null},"resultIndex":2}}"#,
            // Its call stands in an earlier message.
            r#"custom anthropic-find_tool_result {"anthropic":{"block":{"type":"find_tool_result","tool_use_id":"z","content":[],"more":null}}}"#,
        ]
    );
}

#[test]
fn other_blocks_are_parts_of_their_own_type() {
    let found = parts(&[
        start(0, r#"{"type":"hand_over","z":1,"a":2}"#),
        stop(0),
        start(1, r#"{"type":"growing","text":"a","n":1}"#),
        delta(1, "growing_delta", "text", r#""b""#),
        delta(1, "growing_delta", "n", "2"),
        start(2, r#"{"type":"compaction","content":null}"#),
        delta(2, "compaction_delta", "content", r#""Short.""#),
    ]);
    assert_eq!(
        found,
        [
            r#"custom anthropic-hand_over {"anthropic":{"block":{"type":"hand_over","z":1,"a":2}}}"#,
            r#"custom anthropic-growing {"anthropic":{"block":{"n":2,"text":"ab","type":"growing"}}}"#,
            r#"custom anthropic-compaction {"anthropic":{"block":{"content":"Short.","type":"compaction"}}}"#,
        ]
    );
}

#[test]
fn what_is_held_for_the_end_of_a_block_is_counted() {
    let mut reader = Provider::Anthropic.reader();
    let mut record = |text: &str| {
        reader.record("", text.as_bytes(), &mut |_| {}).unwrap();
        reader.held()
    };
    assert_eq!(record(START), 0);
    record(&start(0, r#"{"type":"thinking","thinking":""}"#));
    record(&delta(0, "signature_delta", "signature", r#""first""#));
    let piece = delta(0, "signature_delta", "signature", r#""abcd""#);
    for count in 1..=100_000 {
        assert_eq!(record(&piece), 5 + 4 * count);
    }
    assert_eq!(record(&stop(0)), 0);
}

#[test]
fn a_snapshot_of_an_older_version_is_read() {
    let mut reader = Provider::Anthropic.reader();
    let state =
        r#"{"phase":1,"id":"m","blocks":[0,null,1,{"call":"t"},2,{"signed":0}],"ids":{"t":0}}"#;
    reader.restore(serde_json::from_str(state).unwrap()).unwrap();
    let mut all = Vec::new();
    for record in [
        delta(0, "text_delta", "text", r#""a""#),
        delta(1, "input_json_delta", "partial_json", r#""{}""#),
        stop(1),
        stop(0),
    ] {
        reader.record("", record.as_bytes(), &mut |one| all.push(format!("{one:?}"))).unwrap();
    }
    assert!(all[0].starts_with("Delta(Text("), "{all:?}");
    assert!(all[1].starts_with("Delta(ToolCallArgs"), "{all:?}");
    assert!(all[2].starts_with("Delta(ToolCallEnd"), "{all:?}");
    assert_eq!(all.len(), 3, "{all:?}");
}
