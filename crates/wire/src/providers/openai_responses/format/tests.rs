use super::*;
use crate::providers::Provider;
use crate::providers::part_state::parts_of;

fn outputs(records: &[Value]) -> Vec<String> {
    let mut reader = Provider::OpenAiResponses.reader();
    let mut found = Vec::new();
    for record in records {
        let data = record.to_string();
        let mut take =
            |one: apex_parts_model::delta::ReaderOutput<'_>| found.push(format!("{one:?}"));
        reader.record("", data.as_bytes(), &mut take).unwrap();
    }
    found
}

#[test]
fn items_without_an_index_are_separated_by_their_ids() {
    let call = |id: &str| json!({ "id": id, "type": "function_call", "call_id": format!("c_{id}"), "name": "f" });
    let found = outputs(&[
        json!({ "type": "response.created", "response": { "id": "r" } }),
        json!({ "type": "response.output_item.added", "item": call("a") }),
        json!({ "type": "response.output_item.added", "item": call("b") }),
        json!({ "type": "response.function_call_arguments.delta", "item_id": "a", "delta": "{}" }),
        json!({ "type": "response.output_item.done", "item": call("b") }),
        json!({ "type": "response.function_call_arguments.done", "item_id": "a", "arguments": "{}" }),
    ]);
    let deltas = found.iter().filter(|output| output.starts_with("Delta"));
    let ids: Vec<_> = deltas.skip(1).map(|s| (s.contains("c_a"), s.contains("c_b"))).collect();
    assert_eq!(ids, [(true, false), (false, true), (true, false), (false, true), (true, false)]);
}

#[test]
fn a_patch_that_was_not_streamed_is_emitted_at_once() {
    let item = json!({
        "id": "x", "type": "apply_patch_call", "call_id": "c",
        "operation": { "type": "delete_file", "path": "a" },
    });
    let found =
        outputs(&[json!({ "type": "response.output_item.done", "output_index": 0, "item": item })]);
    let all = found.join("\n");
    assert!(all.contains(r#"\"callId\":\"c\""#) && all.contains("delete_file"), "{all}");
    assert!(all.contains("ToolCallEnd"));
}

#[test]
fn an_unknown_event_goes_to_meta() {
    let found = outputs(&[json!({ "type": "response.new_thing", "a": 1 })]);
    assert!(found[2].contains("events") && found[2].contains("new_thing"), "{found:?}");
    assert_eq!(outputs(&[json!({ "type": "keepalive", "sequence_number": 3 })]).len(), 0);
}

#[test]
fn tools_of_the_server_do_not_end_with_tool_calls() {
    let end = |item: Value| {
        let found = outputs(&[
            json!({ "type": "response.output_item.done", "output_index": 0, "item": item }),
            json!({ "type": "response.completed", "response": { "status": "completed" } }),
        ]);
        found.last().unwrap().clone()
    };
    let custom = |name: &str| json!({ "type": "custom_tool_call", "call_id": "c", "name": name, "input": "" });
    assert!(end(custom("sql")).contains("tool-calls"));
    assert!(end(custom("x_keyword_search")).contains("stop"));
    assert!(end(json!({ "type": "web_search_call", "id": "w" })).contains("stop"));
}

fn search(call: &str, kind: &str) -> Value {
    json!({
        "type": format!("response.output_item.{kind}"),
        "output_index": 0,
        "item": {
            "type": "tool_search_call", "id": "tsc", "execution": "client", "call_id": call,
            "arguments": if kind == "done" { json!({ "goal": "weather" }) } else { json!({}) },
        },
    })
}

/// The deltas and results of calls only, as text.
fn calls(records: &[Value]) -> String {
    outputs(records).into_iter().filter(|output| output.contains("ToolCall")).collect()
}

#[test]
fn a_call_with_its_input_in_done_has_the_id_of_done() {
    let all = outputs(&[search("added", "added"), search("done", "done")]).join("\n");
    assert!(all.contains("\"done\"") && !all.contains("\"added\""), "{all}");
    assert_eq!(all.matches("ToolCallStart").count(), 1);
    // An answer that names no call belongs to the last one.
    let answer = json!({
        "type": "response.output_item.done", "output_index": 1,
        "item": { "type": "tool_search_output", "id": "o", "tools": [] },
    });
    let all = outputs(&[search("added", "added"), search("done", "done"), answer]).join("\n");
    assert!(all.contains("ToolResult { id: \"done\""), "{all}");
}

#[test]
fn a_call_that_is_cut_off_before_done_has_the_id_of_added() {
    let cut = json!({ "type": "response.incomplete", "response": { "status": "incomplete" } });
    let all = calls(&[search("added", "added"), cut]);
    assert!(all.contains("ToolCallStart { id: \"added\""), "{all}");
    let again = calls(&[search("one", "added"), search("two", "added"), search("two", "done")]);
    assert_eq!(again.matches("ToolCallStart").count(), 2, "{again}");
}

#[test]
fn a_done_without_an_id_keeps_the_id_of_added() {
    let mut done = search("", "done");
    done["item"]["call_id"] = Value::Null;
    let all = calls(&[search("added", "added"), done]);
    assert!(all.contains("ToolCallStart { id: \"added\"") && all.contains("weather"), "{all}");
}

fn parts(records: &[Value]) -> Vec<String> {
    let records: Vec<String> = records.iter().map(Value::to_string).collect();
    parts_of(Provider::OpenAiResponses, &records.iter().map(String::as_str).collect::<Vec<_>>())
}

fn created() -> Value {
    json!({ "type": "response.created", "response": { "id": "r", "model": "m" } })
}

fn added(at: u64, item: Value) -> Value {
    json!({ "type": "response.output_item.added", "output_index": at, "item": item })
}

fn done(at: u64, item: Value) -> Value {
    json!({ "type": "response.output_item.done", "output_index": at, "item": item })
}

fn text(at: u64, part: u64, text: &str) -> Value {
    let kind = "response.output_text.delta";
    json!({ "type": kind, "output_index": at, "content_index": part, "delta": text })
}

fn summary(at: u64, part: u64, text: &str) -> Value {
    let kind = "response.reasoning_summary_text.delta";
    json!({ "type": kind, "output_index": at, "summary_index": part, "delta": text })
}

/// The block of a part of an item.
fn block(item: u64, part: u64) -> u64 {
    (item << 20) + part
}

#[test]
fn a_content_part_is_a_part() {
    let message = json!({ "type": "message", "id": "i", "phase": "p" });
    let whole = json!({ "type": "message", "id": "i", "phase": "q", "more": 1, "content": [
        { "type": "output_text", "text": "ab", "annotations": [{ "n": 1 }] },
        { "type": "output_text", "text": "c" },
        { "type": "refusal", "refusal": "d" },
    ]});
    let refusal = json!({
        "type": "response.refusal.delta", "output_index": 1, "content_index": 2, "delta": "d",
    });
    let found = parts(&[
        created(),
        added(1, message),
        text(1, 0, "a"),
        text(1, 0, "b"),
        text(1, 1, "c"),
        refusal,
        done(1, whole.clone()),
    ]);
    let [a, b, c] = [0, 1, 2].map(|part| block(1, part));
    let state = r#"{"openai":{"itemId":"i","phase":"p"}}"#;
    let phase = r#"{"openai":{"phase":"q"}}"#;
    assert_eq!(
        found,
        [
            format!("text[{a}] a {state}"),
            "text b".to_owned(),
            format!("text[{b}] c {state}"),
            format!(r#"text[{c}] d {{"openai":{{"itemId":"i","phase":"p","refusal":true}}}}"#),
            format!("text[{a}]  {phase}"),
            format!("text[{b}]  {phase}"),
            format!("text[{c}]  {phase}"),
            format!(r#"text[{a}]  {{"openai":{{"annotations":[{{"n":1}}],"item":{{"more":1}}}}}}"#),
        ]
    );
    // The same without a stream.
    let answer =
        json!({ "object": "response", "id": "r", "status": "completed", "output": [whole] });
    let [a, b, c] = [0, 1, 2].map(|part| block(0, part));
    assert_eq!(
        parts(&[answer]),
        [
            format!(
                r#"text[{a}] ab {{"openai":{{"itemId":"i","phase":"q","annotations":[{{"n":1}}],"item":{{"more":1}}}}}}"#
            ),
            format!(r#"text[{b}] c {{"openai":{{"itemId":"i","phase":"q"}}}}"#),
            format!(r#"text[{c}] d {{"openai":{{"itemId":"i","phase":"q","refusal":true}}}}"#),
        ]
    );
}

#[test]
fn a_stream_that_is_cut_off_keeps_the_state_that_came() {
    let note = json!({
        "type": "response.output_text.annotation.added", "output_index": 0, "content_index": 0,
        "annotation": { "n": 1 },
    });
    let found = parts(&[
        created(),
        added(0, json!({ "type": "message", "id": "i" })),
        text(0, 0, "a"),
        note.clone(),
        note,
    ]);
    assert_eq!(
        found,
        [
            r#"text[0] a {"openai":{"itemId":"i"}}"#,
            r#"text[0]  {"openai":{"annotations":[{"n":1},{"n":1}]}}"#,
        ]
    );
    let reasoning = json!({ "type": "reasoning", "id": "i", "encrypted_content": "e" });
    let found = parts(&[created(), added(0, reasoning)]);
    let empty = block(0, 1 << 18);
    let state = r#"{"openai":{"itemId":"i","reasoningEncryptedContent":"e"}}"#;
    assert_eq!(found, [format!("thinking[{empty}]  {state}")]);
}

#[test]
fn a_summary_is_a_part_with_the_state_of_its_item() {
    let item = json!({
        "type": "reasoning", "id": "i", "encrypted_content": "e", "more": 1,
        "summary": [{ "text": "a" }, { "text": "b" }], "content": [{ "text": "c" }],
    });
    let stream = [
        created(),
        added(0, json!({ "type": "reasoning", "id": "i", "summary": [] })),
        summary(0, 0, "a"),
        summary(0, 1, "b"),
        json!({ "type": "response.reasoning_text.delta", "output_index": 0, "content_index": 0, "delta": "c" }),
        done(0, item.clone()),
    ];
    let [a, b, c] = [1 << 18, (1 << 18) + 1, 2 << 18];
    let state = r#"{"openai":{"itemId":"i","reasoningEncryptedContent":"e"}}"#;
    let want = [
        format!(r#"thinking[{a}] a {{"openai":{{"itemId":"i"}}}}"#),
        format!(r#"thinking[{b}] b {{"openai":{{"itemId":"i"}}}}"#),
        format!(r#"thinking[{c}] c {{"openai":{{"itemId":"i","content":true}}}}"#),
        format!("thinking[{a}]  {state}"),
        format!("thinking[{b}]  {state}"),
        format!("thinking[{c}]  {state}"),
        format!(r#"thinking[{a}]  {{"openai":{{"item":{{"more":1}}}}}}"#),
    ];
    assert_eq!(parts(&stream), want);
    assert_eq!(parts(&[created(), done(0, item)]), want);
    // Without a summary it is a part without text.
    let bare = json!({ "type": "reasoning", "id": "i", "summary": [] });
    let found = parts(&[created(), added(0, bare.clone()), done(0, bare)]);
    let empty = format!(r#"thinking[{a}]  {{"openai":{{"itemId":"i"}}}}"#);
    assert_eq!(found, [empty.as_str()]);
    // An empty content is not the same as none.
    let bare = json!({ "type": "reasoning", "id": "i", "summary": [], "content": [] });
    let found = parts(&[created(), done(0, bare)]);
    let more = format!(r#"thinking[{a}]  {{"openai":{{"item":{{"content":[]}}}}}}"#);
    assert_eq!(found, [empty, more]);
}

#[test]
fn calls_keep_their_items() {
    let call = json!({
        "type": "function_call", "id": "i", "call_id": "c", "name": "f", "arguments": "{}",
    });
    let custom = json!({
        "type": "custom_tool_call", "id": "j", "call_id": "d", "name": "g", "input": "a\"b",
    });
    let mut begun = custom.clone();
    begun["input"] = "".into();
    let search = json!({
        "type": "web_search_call", "id": "w", "status": "completed", "action": { "query": "q" },
    });
    let output = |call: &str| json!({ "type": "shell_call_output", "call_id": call, "output": [] });
    let shell = json!({ "type": "shell_call", "call_id": "s", "action": { "commands": ["ls"] } });
    let found = parts(&[
        created(),
        done(0, call),
        added(1, begun.clone()),
        done(1, custom),
        done(2, search.clone()),
        done(3, shell.clone()),
        done(4, output("s")),
        done(5, output("z")),
        done(6, json!({ "type": "program", "code": "1" })),
    ]);
    let whole = |name: &str, item: &Value| format!(r#"{{"openai":{{"{name}":{item}}}}}"#);
    let result = |call: &str, at: u64| {
        format!(r#"{{"openai":{{"result":{},"resultIndex":{at}}}}}"#, output(call))
    };
    assert_eq!(
        found,
        [
            r#"call c f {"openai":{"itemId":"i"}}"#.to_owned(),
            "args c {}".to_owned(),
            "end c".to_owned(),
            r#"call d g {"openai":{"itemId":"j"}}"#.to_owned(),
            r#"args d ""#.to_owned(),
            r#"args d a\"b"#.to_owned(),
            r#"args d ""#.to_owned(),
            r#"end d {"openai":{"custom":"a\"b"}}"#.to_owned(),
            r#"call w web_search {"openai":{"itemId":"w"},"providerExecuted":true}"#.to_owned(),
            r#"args w {"query":"q"}"#.to_owned(),
            format!("end w {}", whole("item", &search)),
            "result w \"completed\"".to_owned(),
            r#"call s shell {"openai":{}}"#.to_owned(),
            r#"args s {"action":{"commands":["ls"]}}"#.to_owned(),
            format!("end s {}", whole("item", &shell)),
            format!("result s [] {}", result("s", 4)),
            format!("custom openai-shell_call_output {}", whole("item", &output("z"))),
            format!("result z [] {}", result("z", 5)),
            r#"custom openai-program {"openai":{"item":{"code":"1","type":"program"}}}"#.to_owned(),
        ]
    );
    // A call with fields that nobody knows goes back whole.
    let odd = json!({
        "type": "function_call", "id": "i", "call_id": "c", "name": "f", "arguments": "{ }",
        "namespace": "n",
    });
    let args = json!({ "type": "response.function_call_arguments.done", "output_index": 0, "arguments": "{ }" });
    let found = parts(&[created(), added(0, odd.clone()), args, done(0, odd.clone())]);
    assert_eq!(
        found,
        [
            r#"call c f {"openai":{"itemId":"i"}}"#.to_owned(),
            "args c { }".to_owned(),
            format!("end c {}", whole("item", &odd)),
        ]
    );
    // The arguments are complete, and the item does not come.
    let input =
        json!({ "type": "response.custom_tool_call_input.done", "output_index": 0, "input": "x" });
    let found = parts(&[created(), added(0, begun), input]);
    assert_eq!(found.last().unwrap(), r#"end d {"openai":{"custom":"x"}}"#);
}

#[test]
fn the_state_of_many_parts_is_bounded() {
    let summary: Vec<Value> = (0..4000).map(|_| json!({ "text": "a" })).collect();
    let secret = "e".repeat(1 << 20);
    let item =
        json!({ "type": "reasoning", "id": "i", "encrypted_content": secret, "summary": summary });
    let found = parts(&[created(), done(0, item)]);
    let id = "i".repeat(1 << 20);
    let list: Vec<Value> =
        (0..4000).map(|_| json!({ "type": "output_text", "text": "a" })).collect();
    let item = json!({ "type": "message", "id": id, "content": list });
    let found = [found, parts(&[created(), done(0, item)])].concat();
    let size: usize = found.iter().map(String::len).sum();
    assert!(size < 1 << 23, "{size}");
}
