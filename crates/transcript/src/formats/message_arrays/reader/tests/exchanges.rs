//! Records that hold a request and its answer.

use super::*;
use apex_parts_model::Severity;

const ASKED: &str = r#"[{"role":"user","content":"asked"}]"#;
const CHAT: &str = r#"{"id":"c","object":"chat.completion","created":1767225600,"model":"m-1","choices":[{"index":0,"message":{"role":"assistant","content":"said"},"finish_reason":"stop"}],"usage":{"prompt_tokens":24,"completion_tokens":15,"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":5}}}"#;
const ANTHROPIC: &str = r#"{"id":"m","type":"message","role":"assistant","model":"m-2","content":[{"type":"text","text":"said"}],"stop_reason":"end_turn","usage":{"input_tokens":20,"output_tokens":10,"cache_read_input_tokens":4,"cache_creation_input_tokens":1}}"#;
const RESPONSES: &str = r#"{"id":"r","object":"response","created_at":1767225600,"model":"m-3","status":"completed","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"said"}]}],"usage":{"input_tokens":24,"output_tokens":15,"input_tokens_details":{"cached_tokens":4},"output_tokens_details":{"reasoning_tokens":5}}}"#;
const GEMINI: &str = r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"said"}]},"finishReason":"STOP"}],"modelVersion":"m-4","usageMetadata":{"promptTokenCount":24,"candidatesTokenCount":10,"thoughtsTokenCount":5,"cachedContentTokenCount":4}}"#;

/// The sessions of a file: their ids, and what stands in each of their messages; the same in pieces of any size.
fn sessions(file: &str) -> Vec<String> {
    let shown = |transcript: &Transcript| -> Vec<String> {
        let sessions = transcript.sessions().into_iter();
        let shown = sessions.map(|session| {
            let messages = transcript.messages_of(&session.id).unwrap();
            let texts = messages.iter().map(|message| {
                let message: Value = serde_json::from_slice(message).unwrap();
                let role = message["info"]["role"].as_str().unwrap().to_owned();
                let error = message["info"]["error"]["data"]["message"].as_str();
                let text = text_of(&message).map(|text| {
                    // What is no plain text is shown by the host as JSON.
                    if text.contains("said") { "said" } else { text }.to_owned()
                });
                let text = text.unwrap_or_else(|| format!("ERROR {}", error.unwrap_or("?")));
                format!("{role}: {text}")
            });
            format!("{}: {}", session.id, texts.collect::<Vec<_>>().join(" | "))
        });
        shown.collect()
    };
    let whole = opened(file, None, usize::MAX);
    assert!(whole.format().unwrap().is_messages(), "{file}");
    for size in [1, 40, 300] {
        let pieces = opened(file, None, size);
        assert_eq!(shown(&pieces), shown(&whole), "{file} in pieces of {size}");
        assert_eq!(pieces.problems(), whole.problems(), "{file} in pieces of {size}");
    }
    shown(&whole)
}

/// The only answer of a file: its `info`.
fn answer_info(file: &str) -> Value {
    let transcript = opened(file, None, usize::MAX);
    let session = transcript.sessions()[0].id.clone();
    let messages = transcript.messages_of(&session).unwrap();
    let last: Value = serde_json::from_slice(messages.last().unwrap()).unwrap();
    last["info"].clone()
}

#[test]
fn each_record_is_one_session_with_its_answer() {
    let both = "session-1: user: asked | assistant: said";
    let one = "one: user: asked | assistant: said";
    for (record, expected) in [
        (format!(r#"{{"messages":{ASKED},"response":{CHAT}}}"#), both),
        (format!(r#"{{"id":"one","messages":{ASKED},"response":{ANTHROPIC}}}"#), one),
        (
            format!(r#"{{"request":{{"model":"m","messages":{ASKED}}},"response":{RESPONSES}}}"#),
            both,
        ),
        (format!(r#"{{"response":{CHAT},"request":{{"input":{ASKED}}}}}"#), both),
        (format!(r#"{{"messages":{ASKED},"answer":"said"}}"#), both),
        (
            format!(
                r#"{{"messages":{ASKED},"completion":{{"role":"assistant","content":"said"}}}}"#
            ),
            both,
        ),
        (
            format!(r#"{{"output":[{{"role":"assistant","content":"said"}}],"messages":{ASKED}}}"#),
            both,
        ),
        (
            format!(
                r#"{{"custom_id":"one","method":"POST","url":"/v1/chat/completions","body":{{"messages":{ASKED}}}}}"#
            ),
            "one: user: asked",
        ),
        (
            format!(r#"{{"custom_id":"one","params":{{"max_tokens":1,"messages":{ASKED}}}}}"#),
            "one: user: asked",
        ),
        (
            format!(
                r#"{{"id":"b","custom_id":"one","response":{{"status_code":200,"body":{CHAT}}},"error":null}}"#
            ),
            "one: assistant: said",
        ),
        (
            format!(
                r#"{{"custom_id":"one","result":{{"type":"succeeded","message":{ANTHROPIC}}}}}"#
            ),
            "one: assistant: said",
        ),
        (format!(r#"{{"key":"one","response":{CHAT}}}"#), "one: assistant: said"),
        (format!(r#"{{"key":"one","request":{{"messages":{ASKED}}},"response":{CHAT}}}"#), one),
        (
            format!(
                r#"{{"id":"one","traceId":"t","type":"GENERATION","input":{ASKED},"output":{{"role":"assistant","content":"said"}}}}"#
            ),
            one,
        ),
        (
            format!(
                r#"{{"id":"one","traceId":"t","type":"GENERATION","input":{{"messages":{ASKED}}},"output":"said"}}"#
            ),
            one,
        ),
    ] {
        assert_eq!(sessions(&record), [expected], "{record}");
        let twice = format!("[{record},{record}]");
        assert_eq!(sessions(&twice).len(), 2, "{record}");
    }
}

#[test]
fn a_gemini_batch_has_its_keys_and_is_not_taken_for_a_stream() {
    let contents = r#"[{"role":"user","parts":[{"text":"asked"}]}]"#;
    let input = format!(r#"{{"key":"k1","request":{{"contents":{contents}}}}}"#);
    let output = format!(r#"{{"key":"k1","response":{GEMINI}}}"#);
    assert_eq!(opened(&input, None, 9).sessions()[0].id, "k1");
    let answered = opened(&output, None, 9);
    assert_eq!((answered.sessions()[0].id.as_str(), answered.message_count()), ("k1", 1));
    assert_eq!(
        sessions(r#"{"key":"k2","error":{"code":3,"message":"bad"}}"#),
        ["k2: assistant: ERROR bad"]
    );
}

#[test]
fn the_tokens_of_whole_answers_are_disjoint() {
    for (answer, model, [input, output, reasoning, read, write]) in [
        (CHAT, "m-1", [20, 10, 5, 4, 0]),
        (ANTHROPIC, "m-2", [20, 10, 0, 4, 1]),
        (RESPONSES, "m-3", [20, 10, 5, 4, 0]),
        (GEMINI, "m-4", [20, 10, 5, 4, 0]),
    ] {
        let info = answer_info(&format!(r#"{{"messages":{ASKED},"response":{answer}}}"#));
        let cache = json!({"read": read, "write": write});
        let tokens =
            json!({"input": input, "output": output, "reasoning": reasoning, "cache": cache});
        assert_eq!((&info["tokens"], &info["modelID"]), (&tokens, &json!(model)), "{answer}");
    }
    let langfuse = format!(
        r#"{{"traceId":"t","type":"GENERATION","model":"m","input":{ASKED},"output":"said","usage":{{"input":5,"output":6,"total":11}},"calculatedTotalCost":0.5}}"#
    );
    let info = answer_info(&langfuse);
    assert_eq!((&info["tokens"]["input"], &info["tokens"]["output"]), (&json!(5), &json!(6)));
    assert_eq!((&info["cost"], &info["modelID"]), (&json!(0.5), &json!("m")));
}

#[test]
fn an_error_in_the_place_of_an_answer_is_a_message_without_parts() {
    for (record, error) in [
        (
            r#"{"custom_id":"a","response":{"status_code":400,"body":{"error":{"message":"too large"}}},"error":null}"#,
            "too large",
        ),
        (
            r#"{"custom_id":"a","response":null,"error":{"code":"batch_expired","message":"expired"}}"#,
            "expired",
        ),
        (
            r#"{"custom_id":"a","response":{"status_code":503,"body":{}},"error":null}"#,
            "the server answered with status 503",
        ),
        (
            r#"{"custom_id":"a","result":{"type":"errored","error":{"type":"error","error":{"type":"invalid_request_error","message":"bad"}}}}"#,
            "bad",
        ),
        (r#"{"custom_id":"a","result":{"type":"expired"}}"#, "the request of the batch: expired"),
        (r#"{"custom_id":"a","result":{"type":"canceled"}}"#, "the request of the batch: canceled"),
    ] {
        assert_eq!(sessions(record), [format!("a: assistant: ERROR {error}")], "{record}");
    }
    let refused =
        format!(r#"{{"messages":{ASKED},"response":{{"error":{{"message":"overloaded"}}}}}}"#);
    assert_eq!(sessions(&refused), ["session-1: user: asked | assistant: ERROR overloaded"]);
    let failed = format!(
        r#"{{"id":"o","traceId":"t","type":"GENERATION","input":{ASKED},"output":null,"level":"ERROR","statusMessage":"timeout"}}"#
    );
    assert_eq!(sessions(&failed), ["o: user: asked | assistant: ERROR timeout"]);
}

#[test]
fn what_was_not_preferred_is_a_branch() {
    let chosen = r#"[{"role":"assistant","content":"said"}]"#;
    let rejected = r#"[{"role":"assistant","content":"no"}]"#;
    let whole = |answer: &str| {
        format!(
            r#"[{{"role":"user","content":"asked"}},{{"role":"assistant","content":"{answer}"}}]"#
        )
    };
    let (good, bad) = (whole("said"), whole("no"));
    for record in [
        r#"{"prompt":"asked","chosen":"said","rejected":"no"}"#.to_owned(),
        format!(r#"{{"rejected":{rejected},"chosen":{chosen},"prompt":{ASKED}}}"#),
        format!(
            r#"{{"input":{{"messages":{ASKED}}},"preferred_output":{chosen},"non_preferred_output":{rejected}}}"#
        ),
        // The whole conversations.
        format!(r#"{{"prompt":"asked","chosen":{good},"rejected":{bad}}}"#),
        format!(r#"{{"chosen":{good},"rejected":{bad}}}"#),
    ] {
        let expected =
            ["session-1: user: asked | assistant: said", "session-1/branch-1: assistant: no"];
        assert_eq!(sessions(&record), expected, "{record}");
        let sessions = opened(&record, None, 50).sessions();
        assert_eq!(sessions[1].kind, SessionKind::Branch);
        assert_eq!(sessions[1].parent_id.as_deref(), Some("session-1"));
    }
    let choices = r#"{"choices":[{"message":{"content":"said"}},{"message":{"content":"other"}}]}"#;
    let record = format!(r#"{{"messages":{ASKED},"response":{choices}}}"#);
    assert_eq!(sessions(&record)[1], "session-1/branch-1: assistant: other");
}

#[test]
fn one_warning_names_each_field_that_is_not_read() {
    let messages = |record: &str| -> Vec<String> {
        let file = format!("{record}\n").repeat(12);
        let problems = opened(&file, None, 77).problems();
        assert!(problems.iter().all(|problem| problem.severity == Severity::Warning));
        problems.into_iter().map(|problem| problem.message).collect()
    };
    for name in ["reply", "prediction", "response"] {
        let likely = messages(&format!(r#"{{"messages":{ASKED},"{name}":"text"}}"#));
        let [message] = &likely[..] else { panic!("{likely:?}") };
        assert!(message.starts_with(&format!("`{name}` holds a text")), "{message}");
        assert!(message.contains("in 12 records"), "{message}");
    }
    for record in [
        format!(r#"{{"messages":{ASKED},"answer":"said","reply":"more"}}"#),
        format!(r#"{{"messages":{ASKED},"reply":{ASKED}}}"#),
        format!(r#"{{"messages":{ASKED},"reply":{CHAT}}}"#),
        format!(r#"{{"messages":{ASKED},"reply":{{"messages":{ASKED}}}}}"#),
        r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}],"reply":"c"}"#.to_owned(),
    ] {
        let left = messages(&record);
        let [message] = &left[..] else { panic!("{record}: {left:?}") };
        assert!(message.starts_with("`reply` holds messages, or an answer, that are left out"), "{message}");
    }
    let none = format!(
        r#"{{"messages":{ASKED},"tools":[{{"type":"function","function":{{"name":"f"}}}}],"metadata":{{"a":"b"}},"user":"x"}}"#
    );
    assert_eq!(messages(&none), Vec::<String>::new());
    let span = format!(
        "{{\"traceId\":\"t\",\"type\":\"SPAN\",\"input\":1}}\n{{\"traceId\":\"t\",\"type\":\"GENERATION\",\"input\":{ASKED},\"output\":\"said\"}}"
    );
    assert!(
        opened(&span, None, 9).problems()[0]
            .message
            .contains("not generations are left out (in 1 record)")
    );
}

#[test]
fn hostile_records_are_read_as_far_as_they_go() {
    let long = "x".repeat(5_000);
    for record in [
        r#"{"custom_id":"a","response":7,"error":[]}"#.to_owned(),
        r#"{"custom_id":{},"params":[],"body":"x"}"#.to_owned(),
        format!(r#"{{"messages":{ASKED},"response":{{"choices":[7,null,{{}}]}}}}"#),
        format!(r#"{{"messages":{ASKED},"response":{{"candidates":[]}}}}"#),
        format!(r#"{{"messages":{ASKED},"response":{{"choices":[]}},"usage":"x"}}"#),
        format!(
            r#"{{"messages":{ASKED},"answer":"{long}","{long}":[{{"role":"user","content":"x"}}]}}"#
        ),
        format!(r#"{{"messages":{ASKED},"answer":"a","answer":"b"}}"#),
        r#"{"prompt":[],"chosen":[],"rejected":{}}"#.to_owned(),
        r#"{"traceId":"t","type":"GENERATION","input":[],"output":[]}"#.to_owned(),
        r#"{"key":"k","request":{"contents":[{}]},"response":{"candidates":[{"content":7}]}}"#
            .to_owned(),
    ] {
        let file = format!("{{\"messages\":{ASKED}}}\n{record}\n");
        let transcript = opened(&file, Some("messages-openai-chat"), 11);
        assert_eq!(transcript.sessions()[0].id, "session-1", "{record}");
    }
}
