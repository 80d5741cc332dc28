use super::*;
use crate::providers::Provider;

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
    assert!(found[1].contains("events") && found[1].contains("new_thing"), "{found:?}");
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
