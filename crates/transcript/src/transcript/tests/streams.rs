//! A stream, opened as a transcript.

use super::*;
use apex_parts_wire::WireFormat;

/// Two responses, one after another.
const DELTAS: &str = concat!(
    r#"{"runId":"a","seq":1,"kind":"start","payload":{"modelId":"m","requestId":"q"},"timestamp":"2025-02-17T08:00:00Z"}"#,
    "\n",
    r#"{"runId":"a","seq":2,"kind":"text","payload":{"textDelta":"one"},"timestamp":"2025-02-17T08:00:01Z"}"#,
    "\n",
    r#"{"runId":"a","seq":3,"kind":"done","payload":{"finishReason":"stop"},"timestamp":"2025-02-17T08:00:02Z"}"#,
    "\n",
    r#"{"runId":"b","seq":1,"kind":"start","payload":{"modelId":"m","requestId":"q"},"timestamp":"2025-02-17T08:00:03Z"}"#,
    "\n",
    r#"{"runId":"b","seq":2,"kind":"text","payload":{"textDelta":"two"},"timestamp":"2025-02-17T08:00:04Z"}"#,
    "\n",
    r#"{"runId":"b","seq":3,"kind":"done","payload":{"finishReason":"stop"},"timestamp":"2025-02-17T08:00:05Z"}"#,
    "\n",
);

#[test]
fn each_response_of_deltas_is_a_message() {
    let t = open(DELTAS).unwrap();
    assert_eq!(t.format(), Some(Format::Stream(WireFormat::Delta)));
    assert_eq!(t.format().unwrap().as_str(), "deltas");
    assert_eq!((t.message_count(), t.problems()), (2, vec![]));
    for (index, text) in ["one", "two"].into_iter().enumerate() {
        let json: serde_json::Value = serde_json::from_slice(&message(&t, index).unwrap()).unwrap();
        assert_eq!(json["parts"][1]["text"], text);
        assert_eq!(json["info"]["finish"], "stop");
    }
}

#[test]
fn a_stream_that_is_cut_off_keeps_its_messages() {
    for cut in 0..DELTAS.len() {
        match open(&DELTAS[..cut]) {
            Ok(t) => {
                let whole = DELTAS[..cut].matches("\"done\"").count() == t.message_count();
                assert!(whole || !t.problems().is_empty(), "at {cut}");
            }
            Err(error) => assert_eq!(error.name(), "TranscriptError"),
        }
    }
    let t = open(&DELTAS[..DELTAS.len() - 110]).unwrap();
    assert_eq!(t.message_count(), 2);
    assert_eq!(t.problems().last().unwrap().rule, "DC-2");
}

#[test]
fn every_response_of_a_stream_is_a_message() {
    let folder = apex_parts_fixtures::path("streams");
    let mut several = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "sse") {
            continue;
        }
        let name = path.display();
        let expected = fs::read(path.with_extension("expected.json")).unwrap();
        let expected: Value = serde_json::from_slice(&expected).unwrap();
        let responses = expected["responses"].as_array().unwrap();
        several += usize::from(responses.len() > 1);
        let t = opened(&fs::read(&path).unwrap(), TranscriptOptions::default()).unwrap();
        assert_eq!(t.message_count(), responses.len(), "{name}");
        for (index, response) in responses.iter().enumerate() {
            let made: Value = serde_json::from_slice(&message(&t, index).unwrap()).unwrap();
            let parts = made["parts"].as_array().unwrap();
            for (kind, of) in [("text", "text"), ("reasoning", "thinking")] {
                let ours = parts.iter().filter(|p| p["type"] == kind).map(|p| &p["text"]);
                let theirs = response["parts"].as_array().unwrap().iter();
                let theirs = theirs.filter(|p| p[0] == of).map(|p| &p[1]);
                let joined = |all: &mut dyn Iterator<Item = &Value>| {
                    all.map(|t| t.as_str().unwrap()).collect::<String>()
                };
                let (mut ours, mut theirs) = (ours, theirs);
                assert_eq!(joined(&mut ours), joined(&mut theirs), "{name}: {index}: {kind}");
            }
            let calls = parts.iter().filter(|p| p["type"] == "tool").map(|p| &p["callID"]);
            let theirs = response["calls"].as_array().unwrap().iter().map(|call| &call["id"]);
            assert!(calls.eq(theirs), "{name}: {index}");
        }
        // The stream has no problems, and those of the assembled messages have no offset in the file.
        for problem in t.problems() {
            assert!(problem.offset.is_none() && problem.rule.starts_with("WP"), "{problem}");
        }
    }
    assert!(several > 3);
}

#[test]
fn problems_of_a_stream_have_offsets() {
    let broken = DELTAS.replacen("{\"runId\":\"b\",\"seq\":2", "{oops", 1);
    let cut = broken.len() - 110;
    let t = open(&broken[..cut]).unwrap();
    let found: Vec<_> = t.problems().into_iter().map(|p| (p.rule, p.offset)).collect();
    #[allow(clippy::cast_precision_loss)]
    let at = |n: usize| Some(n as f64);
    assert_eq!(t.message_count(), 2);
    assert!(found.contains(&("json".into(), at(broken.find("{oops").unwrap()))), "{found:?}");
    assert_eq!(found.last().unwrap(), &("DC-2".into(), at(cut)));
}

#[test]
fn times_that_the_reader_makes_up_are_none() {
    let stream = concat!(
        r#"data: {"id":"c","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"Hi"}}]}"#,
        "\n\n",
        r#"data: {"id":"c","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"t","type":"function","function":{"name":"read","arguments":"{}"}}]}}]}"#,
        "\n\n",
        r#"data: {"id":"c","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}"#,
        "\n\ndata: [DONE]\n\n",
    );
    let mut env = Env { now_ms: 1_700_000_000_000.0, new_id: &mut || "id".to_owned() };
    let t = Transcript::open(stream.as_bytes(), TranscriptOptions::default(), &mut env).unwrap();
    let stats = t.stats();
    assert_eq!((stats.messages, stats.tools["read"].calls), (1, 1));
    assert_eq!((stats.start, stats.end), (None, None));
    // Those of the file stay.
    assert!(open(DELTAS).unwrap().stats().start.is_some());
}
