use crate::providers::Provider;
use crate::providers::part_state::parts_of;
use apex_parts_model::delta::ReaderOutput;

fn outputs(records: &[&str]) -> String {
    let mut reader = Provider::OpenAiChat.reader();
    let mut found = Vec::new();
    let mut take = |one: ReaderOutput<'_>| found.push(format!("{one:?}"));
    for record in records {
        reader.record("", record.as_bytes(), &mut take).unwrap();
    }
    reader.end(&mut take);
    found.join("\n")
}

#[test]
fn a_stream_that_is_cut_off_emits_no_end() {
    let all = outputs(&[r#"{"id":"a","choices":[{"index":0,"delta":{"content":"x"}}]}"#]);
    assert!(!all.contains("Done"), "{all}");
}

#[test]
fn a_finish_reason_ends_the_response_without_done() {
    let all = outputs(&[
        r#"{"id":"a","choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"length"}]}"#,
        r#"{"id":"a","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}"#,
    ]);
    assert!(all.ends_with(r#"Delta(Done { finish_reason: "length" })"#), "{all}");
}

#[test]
fn chunks_with_changing_ids_are_one_response() {
    let all = outputs(&[
        r#"{"id":"a","choices":[{"index":0,"delta":{"content":"x"}}]}"#,
        r#"{"id":"b","choices":[{"index":0,"delta":{"content":"y"}}]}"#,
        r#"{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#,
        r#"{"id":"d","choices":[],"usage":{"prompt_tokens":1}}"#,
        "[DONE]",
    ]);
    assert_eq!((all.matches("Start").count(), all.matches("Done").count()), (1, 1));
}

#[test]
fn an_error_as_the_first_record_has_a_start() {
    let all = outputs(&[r#"{"error":"overloaded"}"#, "[DONE]"]);
    assert!(all.starts_with("Delta(Start") && all.contains("overloaded"), "{all}");
    assert!(!all.contains("Done"));
}

#[test]
fn parallel_calls_with_the_same_index_are_separated() {
    let call = |id: &str, name: &str| {
        format!(
            r#"{{"id":"a","choices":[{{"index":0,"delta":{{"tool_calls":[{{"index":0,"id":"{id}","function":{{"name":"{name}","arguments":"{{}}"}}}}]}}}}]}}"#
        )
    };
    let all = outputs(&[&call("1", "f"), &call("2", "g"), &call("2", "")]);
    assert_eq!(all.matches("ToolCallStart").count(), 2, "{all}");
    assert_eq!(all.matches("ToolCallEnd").count(), 2, "both, when the transport ends");
}

/// The output for deltas with these entries of `tool_calls`, one chunk each.
fn calls(entries: &[&str]) -> String {
    let chunk = |entry: &&str| {
        format!(r#"{{"id":"a","choices":[{{"index":0,"delta":{{"tool_calls":[{entry}]}}}}]}}"#)
    };
    let chunks: Vec<_> = entries.iter().map(chunk).collect();
    outputs(&chunks.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn an_id_may_come_one_piece_after_the_name() {
    let name = r#"{"index":0,"function":{"name":"f","arguments":""}}"#;
    let id = r#"{"index":0,"id":"own","function":{"arguments":"{}"}}"#;
    let all = calls(&[name, id]);
    assert!(all.contains(r#"ToolCallStart { id: "own", name: "f""#), "{all}");
    let args = r#"{"index":0,"function":{"arguments":"{\"a\":"}}"#;
    let all = calls(&[name, args, id]);
    assert!(all.contains(r#"ToolCallStart { id: "call_a_0", name: "f""#), "{all}");
    assert_eq!(all.matches("ToolCallStart").count(), 1, "{all}");
}

#[test]
fn a_call_without_a_name_is_a_problem() {
    let all = calls(&[r#"{"index":0,"id":"x","function":{"arguments":"{}"}}"#]);
    assert!(all.contains("Wrong") && !all.contains("ToolCallStart"), "{all}");
    let all = calls(&["null", "7", r#"{"function":{"arguments":"{}"}}"#, r#"{"index":3}"#]);
    assert_eq!(all.matches("Wrong").count(), 3, "{all}");
}

#[test]
fn a_name_beside_whole_arguments_begins_another_call() {
    let entry =
        |args: &str| format!(r#"{{"index":0,"function":{{"name":"f","arguments":"{args}"}}}}"#);
    let (whole, half, rest) =
        (entry(r#"{\"a\":\"}{\"}"#), entry(r#"{\"a\":\"}"#), entry(r#"{\"}"#));
    assert_eq!(calls(&[&whole, &whole]).matches("ToolCallStart").count(), 2);
    assert_eq!(calls(&[&half, &rest]).matches("ToolCallStart").count(), 1);
}

#[test]
fn a_placeholder_gives_way_to_arguments() {
    let piece = |args: &str| {
        format!(r#"{{"index":0,"id":"x","function":{{"name":"f","arguments":"{args}"}}}}"#)
    };
    let all = calls(&[&piece("{}"), &piece(r#"{\"a\":1}"#)]);
    assert_eq!(all.matches("ToolCallArgs").count(), 1, "{all}");
    let all = calls(&[&piece("{}"), &piece(" ")]);
    assert!(all.contains(r#"text: "{} ""#), "{all}");
}

/// The parts of a stream with one chunk for each delta.
fn parts(deltas: &[&str]) -> Vec<String> {
    let chunk = |delta: &&str| {
        format!(r#"{{"id":"c","model":"m","choices":[{{"index":0,"delta":{delta}}}]}}"#)
    };
    let chunks: Vec<String> = deltas.iter().map(chunk).collect();
    parts_of(Provider::OpenAiChat, &chunks.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn reasoning_says_which_field_it_came_in() {
    let found = parts(&[
        r#"{"role":"assistant","reasoning_content":"a"}"#,
        r#"{"reasoning_content":"b"}"#,
        r#"{"content":"c"}"#,
        r#"{"content":"d"}"#,
        r#"{"reasoning":"e"}"#,
        r#"{"content":[{"type":"thinking","thinking":[{"type":"text","text":"f"}]}]}"#,
        r#"{"content":[{"type":"text","text":"g"},{"type":"thinking","thinking":"h"}]}"#,
    ]);
    assert_eq!(
        found,
        [
            r#"thinking[0] a {"openaiCompatible":{"field":"reasoning_content"}}"#,
            "thinking b",
            "text c",
            "text d",
            r#"thinking[] e {"openaiCompatible":{"field":"reasoning"}}"#,
            "thinking f",
            "text g",
            r#"thinking[] h {"openaiCompatible":{"thinking":true}}"#,
        ]
    );
}

#[test]
fn unknown_fields_of_deltas_stand_on_the_first_part() {
    let more = [
        r#"{"mark":"x","list":[1],"deep":{"a":1,"s":"p"},"annotations":[1],"logprobs":[2]}"#,
        r#"{"mark":"y","list":[2],"deep":{"b":2,"s":"q"},"audio":{"id":1},"refusal":""}"#,
    ];
    let state = r#"{"openaiCompatible":{"message":{"deep":{"a":1,"b":2,"s":"pq"},"list":[1,2],"mark":"xy"}}}"#;
    let [one, two] = more;
    let call = r#"{"tool_calls":[{"index":0,"id":"t","function":{"name":"f","arguments":"{}"}}]}"#;
    let found = parts(&[one, r#"{"content":"a"}"#, call, two]);
    let want = [
        "text[0] a",
        r#"call t f {"openaiCompatible":{}}"#,
        &format!("text[0]  {state}"),
        "args t {}",
        "end t",
    ];
    assert_eq!(found, want);
    let found = parts(&[one, call, r#"{"content":"a"}"#, two]);
    let want =
        [r#"call t f {"openaiCompatible":{}}"#, "text a", "args t {}", &format!("end t {state}")];
    assert_eq!(found, want);
    assert_eq!(parts(&[one, two]), Vec::<String>::new());
}

#[test]
fn unknown_fields_of_a_call_go_back_with_it() {
    let found = parts(&[
        r#"{"tool_calls":[{"index":0,"id":"t","extra_content":{"google":{"thought_signature":"s"}},"function":{"name":"f","arguments":"{\"a\":1}","inner":1}}]}"#,
        r#"{"tool_calls":[{"index":1,"id":"u","function":{"name":"g","arguments":"{}"}}]}"#,
        r#"{"tool_calls":[{"index":1,"late":["x"]}]}"#,
        r#"{"tool_calls":[{"index":1,"late":["y"]}]}"#,
    ]);
    assert_eq!(
        found,
        [
            r#"call t f {"openaiCompatible":{"extra_content":{"google":{"thought_signature":"s"}}}}"#,
            r#"args t {"a":1}"#,
            r#"call u g {"openaiCompatible":{}}"#,
            "end t",
            "args u {}",
            r#"end u {"openaiCompatible":{"late":["x","y"]}}"#,
        ]
    );
}

#[test]
fn the_reasoning_details_of_a_message_are_one_list() {
    let detail = |fields: &str| format!(r#"{{"reasoning_details":[{{{fields}}}]}}"#);
    let text =
        |text: &str| detail(&format!(r#""type":"reasoning.text","index":0,"text":"{text}""#));
    let (a, b) = (text("a"), text("b"));
    let sign = detail(r#""type":"reasoning.text","index":0,"text":null,"signature":"s""#);
    let data = detail(r#""type":"reasoning.encrypted","data":"d""#);
    let details = r#"{"openrouter":{"reasoning_details":[{"index":0,"signature":"s","text":"ab","type":"reasoning.text"},{"data":"d","type":"reasoning.encrypted"},{"data":"d","type":"reasoning.encrypted"}]}}"#;
    let found = parts(&[&a, &b, &sign, r#"{"content":"c"}"#, &data, &data]);
    let want = ["thinking[0] a", "thinking b", "text c", &format!("thinking[0]  {details}")];
    assert_eq!(found, want);
    // Without text they are reasoning without text, in its place if nothing came before.
    let state =
        r#"{"openrouter":{"reasoning_details":[{"data":"d","type":"reasoning.encrypted"}]}}"#;
    let found = parts(&[&data, r#"{"content":"c"}"#]);
    assert_eq!(found, ["thinking[0] ", "text c", &format!("thinking[0]  {state}")]);
    let found = parts(&[r#"{"content":"c"}"#, &data, r#"{"content":"d"}"#]);
    assert_eq!(found, ["text[0] c", "text d", &format!("thinking[1]  {state}")]);
}
