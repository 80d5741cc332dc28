//! The wasm suite: tests of `src/wasm/` in Rust. The same tests run in Node (`node.rs`) and in a browser
//! (`browser.rs`).

use apex_parts::wasm::api::assembler;
use apex_parts::wasm::api::assembler::DeltaAssembler;
use apex_parts::wasm::api::loops::DoomLoopDetector;
use apex_parts::wasm::api::{
    convert, loops_of_messages, model_messages, parts, tool_state_transition, transcript, validator,
};
use apex_parts::wasm::errors;
use js_sys::{Function, Object, Reflect};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

fn json(text: &str) -> JsValue {
    js_sys::JSON::parse(text).unwrap()
}
fn field(value: &JsValue, name: &str) -> JsValue {
    Reflect::get(value, &name.into()).unwrap()
}
fn text(value: &JsValue) -> String {
    js_sys::JSON::stringify(value).unwrap().into()
}
fn quiet() {
    apex_parts::wasm::start();
    errors::set_logger(&JsValue::UNDEFINED).unwrap();
}

#[wasm_bindgen_test]
fn a_part_has_the_values_of_the_caller_by_reference() {
    quiet();
    let options = json(r#"{"sessionID":"s","messageID":"m","text":"t","metadata":{"a":1}}"#);
    let part = parts::create_text_part(&options).unwrap();
    assert!(Object::is(&field(&part, "metadata"), &field(&options, "metadata")));
    assert_eq!(field(&part, "type"), "text");
    assert!(validator::is_text_part(&part) && !validator::is_tool_part(&part));
    assert_eq!(field(&part, "id").as_string().unwrap().len(), 36);
}

#[wasm_bindgen_test]
fn ids_sort_in_the_order_of_creation() {
    quiet();
    let ids: Vec<String> = (0..2_000).map(|_| parts::generate_part_id()).collect();
    assert!(ids.windows(2).all(|w| w[0] < w[1]));
    assert!(ids.iter().all(|id| id.as_bytes()[14] == b'7'));
}

#[wasm_bindgen_test]
fn a_missing_argument_gives_undefined_and_is_logged() {
    quiet();
    let lines = js_sys::Array::new();
    let sink = lines.clone();
    let logger = Closure::<dyn Fn(JsValue, JsValue, JsValue)>::new(
        move |level: JsValue, message: JsValue, details: JsValue| {
            sink.push(&js_sys::Array::of3(&level, &message, &details));
        },
    );
    errors::set_logger(logger.as_ref()).unwrap();
    assert!(parts::create_text_part(&json("{}")).unwrap().is_undefined());
    errors::set_logger(&JsValue::UNDEFINED).unwrap();
    assert_eq!(lines.length(), 1);
    let line = lines.get(0);
    assert_eq!(Reflect::get_u32(&line, 0).unwrap(), "warn");
    let error = Reflect::get_u32(&line, 2).unwrap();
    assert_eq!(field(&error, "name"), "MissingRequiredField");
    assert_eq!(field(&field(&error, "details"), "field"), "sessionID");
}

#[wasm_bindgen_test]
fn a_transition_to_the_same_status_returns_the_same_object() {
    quiet();
    let running = json(r#"{"status":"running","input":{"a":1},"time":{"start":1}}"#);
    assert!(Object::is(&tool_state_transition::step_to_running(&running).unwrap(), &running));
    let done =
        tool_state_transition::step_to_completed(&running, &"out".into(), &2.into()).unwrap();
    assert!(Object::is(&field(&done, "input"), &field(&running, "input")));
    assert_eq!(text(&field(&done, "time")), r#"{"start":1,"end":2}"#);
    let error = tool_state_transition::step_to_running(&done).unwrap_err();
    assert!(errors::is_apex_parts_error(&error));
    assert_eq!(field(&error, "name"), "InvalidStateTransition");
    assert_eq!(
        text(&field(&error, "details")),
        r#"{"currentStatus":"completed","attemptedStatus":"running","validTransitions":["completed"]}"#
    );
}

#[wasm_bindgen_test]
fn a_proxy_that_throws_is_a_problem() {
    quiet();
    let handler = Object::new();
    let throws = Function::new_no_args("throw new Error('no')");
    for trap in ["get", "getPrototypeOf", "ownKeys", "has"] {
        Reflect::set(&handler, &trap.into(), &throws).unwrap();
    }
    let proxy = js_sys::Proxy::new(&Object::new(), &handler);
    let result = validator::validate_part(&proxy, &JsValue::UNDEFINED);
    assert_eq!(field(&result, "valid"), false);
    assert!(validator::assert_part(&proxy, &JsValue::UNDEFINED).is_err());
    assert!(!validator::is_text_part(&proxy));
    // The module still works.
    let good =
        json(r#"{"id":"p","sessionID":"s","messageID":"m","type":"snapshot","snapshot":"x"}"#);
    let result = validator::validate_part(&good, &json(r#"{"ids":"opencode"}"#));
    assert_eq!(text(&result), r#"{"valid":true,"problems":[]}"#);
}

#[wasm_bindgen_test]
fn unknown_fields_are_kept_even_with_odd_names() {
    quiet();
    let state = json(r#"{"status":"pending","input":{},"raw":"","__proto__":{"a":1},"mode":"x"}"#);
    let running = tool_state_transition::step_to_running(&state).unwrap();
    let own = Object::get_own_property_descriptor(&running.clone().into(), &"__proto__".into());
    assert_eq!(text(&field(&own, "value")), r#"{"a":1}"#);
    assert_eq!(field(&running, "mode"), "x");
    assert!(field(&running, "raw").is_undefined());
}

#[wasm_bindgen_test]
fn a_transcript_opens_from_bytes() {
    quiet();
    let bytes = include_bytes!("../../fixtures/subtask.export.json");
    let t =
        transcript::Transcript::open(&js_sys::Uint8Array::from(&bytes[..]), &JsValue::UNDEFINED)
            .unwrap();
    assert_eq!(t.format().as_deref(), Some("opencode-export"));
    let expected = json(std::str::from_utf8(bytes).unwrap());
    let messages = t.messages(&JsValue::UNDEFINED, &JsValue::UNDEFINED).unwrap();
    assert_eq!(text(&messages), text(&field(&expected, "messages")));
    assert_eq!(text(&t.session().unwrap()), text(&field(&expected, "info")));
    assert!(t.message(&99.into()).unwrap().is_undefined());
    let made = model_messages::to_model_message(&messages, &JsValue::UNDEFINED).unwrap();
    assert!(js_sys::Array::is_array(&made));
    let error = transcript::Transcript::open(
        &js_sys::Uint8Array::from(&b"nothing"[..]),
        &JsValue::UNDEFINED,
    )
    .unwrap_err();
    assert_eq!(field(&error, "name"), "TranscriptError");
}

fn bytes(text: &str) -> JsValue {
    js_sys::Uint8Array::from(text.as_bytes()).into()
}
/// A delta of run `r`; its payload is JSON text.
fn delta(seq: u32, kind: &str, payload: &str) -> String {
    format!(
        r#"{{"runId":"r","seq":{seq},"kind":"{kind}","payload":{payload},"timestamp":"2025-02-17T08:30:00Z"}}"#
    )
}
fn start() -> String {
    delta(1, "start", r#"{"modelId":"m","requestId":"q"}"#)
}
fn assembler(options: &str) -> DeltaAssembler {
    quiet();
    DeltaAssembler::new(&json(options)).unwrap()
}
fn parts_of(assembler: &DeltaAssembler) -> String {
    text(&field(&assembler.preview().unwrap(), "parts"))
}

#[wasm_bindgen_test]
fn deltas_are_accepted_as_objects_and_as_bytes() {
    let mut a = assembler("{}");
    assert_eq!(a.status(), "empty");
    a.push(&json(&start())).unwrap();
    // A surrogate pair in two deltas: one as an object, one as bytes in two chunks.
    a.push(&json(&delta(2, "text", r#"{"textDelta":"Hi \ud83d"}"#))).unwrap();
    let rest = delta(3, "text", r#"{"textDelta":"\ude00"}"#) + "\n";
    let (one, two) = rest.split_at(rest.len() / 2);
    a.push_bytes(&bytes(one)).unwrap();
    a.push_bytes(&bytes(two)).unwrap();
    assert_eq!(parts_of(&a), r#"[{"kind":"text","payload":{"text":"Hi 😀"}}]"#);
    assert!(a.message().unwrap().is_undefined());
    a.push(&json(&delta(4, "done", r#"{"finishReason":"stop"}"#))).unwrap();
    assert_eq!(a.status(), "done");
    assert_eq!(field(&field(&a.message().unwrap(), "meta"), "finishReason"), "stop");
    let changes: js_sys::Array = a.take_changes().unwrap().into();
    assert_eq!(changes.length(), 2);
    assert_eq!(text(&changes.get(1)), r#"{"op":"status","status":"done"}"#);
}

#[wasm_bindgen_test]
fn a_violation_is_an_error_with_its_place() {
    let mut a = assembler("{}");
    a.push(&json(&start())).unwrap();
    let before = a.snapshot().unwrap().to_vec();
    let error = a.push(&json(&delta(1, "text", r#"{"textDelta":"x"}"#))).unwrap_err();
    assert!(errors::is_apex_parts_error(&error));
    assert_eq!(field(&error, "name"), "DeltaContractError");
    assert_eq!(text(&field(&error, "details")), r#"{"rule":"DC-3","seq":1,"runId":"r"}"#);
    let error = a.push_bytes(&bytes("\n{oops\n")).unwrap_err();
    let details = field(&error, "details");
    assert_eq!((field(&details, "rule"), field(&details, "offset")), ("json".into(), 1.into()));
    assert!(a.push_bytes(&"text".into()).is_err());
    let throws = Function::new_no_args("throw new Error('no')");
    let odd = Object::new();
    let getter = Object::new();
    Reflect::set(&getter, &"get".into(), &throws).unwrap();
    Object::define_property(&odd, &"kind".into(), &getter);
    assert!(a.push(&odd).is_err());
    let restored =
        DeltaAssembler::restore(&js_sys::Uint8Array::from(&before[..]).into(), &JsValue::UNDEFINED);
    assert_eq!(parts_of(&restored.unwrap()), parts_of(&a));
    assert!(DeltaAssembler::new(&json(r#"{"format":"pdf"}"#)).is_err());
}

#[wasm_bindgen_test]
fn problems_are_collected() {
    let mut a = assembler(r#"{"onProblem":"collect"}"#);
    a.push(&json(&delta(1, "text", r#"{"textDelta":"x"}"#))).unwrap();
    a.push(&JsValue::from_f64(5.0)).unwrap();
    a.end();
    let problems: js_sys::Array = a.problems().into();
    let rules: Vec<JsValue> = problems.iter().map(|problem| field(&problem, "rule")).collect();
    assert_eq!(rules, ["DC-1", "schema", "DC-2"]);
    assert_eq!(a.status(), "error");
}

#[wasm_bindgen_test]
fn a_stream_of_a_provider_becomes_a_valid_message() {
    let stream = include_bytes!("../../fixtures/streams/blocks.anthropic.sse");
    let stream = js_sys::Uint8Array::from(&stream[..]);
    assert_eq!(assembler::stream_format(&stream).unwrap().as_deref(), Some("anthropic"));
    let mut a = assembler(r#"{"format":"anthropic","runId":"r"}"#);
    for at in (0..stream.length()).step_by(1000) {
        a.push_bytes(&stream.subarray(at, (at + 1000).min(stream.length()))).unwrap();
    }
    a.end();
    assert_eq!(a.status(), "done");
    let id = parts::generate_message_id();
    let context = json(&format!(r#"{{"sessionID":"{id}","parentID":"{id}"}}"#));
    let made = a.to_with_parts(&context).unwrap();
    let result = validator::validate_message(&made, &JsValue::UNDEFINED);
    assert_eq!(field(&result, "valid"), true, "{}", text(&result));
    assert!(a.to_with_parts(&JsValue::UNDEFINED).is_err());
    // The same as deltas, and in a transcript.
    let options = json(r#"{"runId":"r"}"#);
    let read = assembler::read_deltas(&"anthropic".into(), &stream, &options).unwrap();
    let mut again = assembler("{}");
    for delta in js_sys::Array::from(&read).iter() {
        again.push(&delta).unwrap();
    }
    assert_eq!(parts_of(&again), parts_of(&a));
    let t = transcript::Transcript::open(&stream, &JsValue::UNDEFINED).unwrap();
    assert_eq!((t.format().as_deref(), t.message_count()), (Some("anthropic"), 1));
    let run = js_sys::Array::of1(&a.message().unwrap());
    assert_eq!(js_sys::Array::from(&assembler::check_run(&run)).length(), 0);
    assert_eq!(js_sys::Array::from(&assembler::check_run(&5.into())).length(), 1);
}

fn detector(config: &str) -> DoomLoopDetector {
    quiet();
    DoomLoopDetector::new(&json(config)).unwrap()
}

#[wasm_bindgen_test]
fn a_loop_is_found_at_the_third_call() {
    let mut d = detector("{}");
    // The order of keys and the format of numbers do not matter.
    for (i, parameters) in [r#"{"a":1,"b":[2]}"#, r#"{"b":[2.0],"a":1}"#].iter().enumerate() {
        let call =
            json(&format!(r#"{{"toolName":"t","parameters":{parameters},"callID":"c{i}"}}"#));
        assert_eq!(
            text(&d.check(&call).unwrap()),
            format!(r#"{{"isDetected":false,"stepCount":{},"suggestedAction":"continue"}}"#, i + 1)
        );
    }
    assert!(d.to_error_response().is_undefined());
    let saved = d.snapshot();
    let call = json(r#"{"toolName":"t","parameters":{"a":1,"b":[2]},"callID":"c2","timestamp":5}"#);
    let verdict = d.check(&call).unwrap();
    assert_eq!(field(&verdict, "kind"), "exact_repeat");
    assert_eq!(text(&field(&verdict, "callIDs")), r#"["c0","c1","c2"]"#);
    let response = field(&d.to_error_response(), "error");
    assert_eq!(field(&response, "name"), "DoomLoopDetected");
    // A detector restored from the snapshot has the same verdict.
    let mut again = DoomLoopDetector::restore(&saved.into()).unwrap();
    assert_eq!(text(&again.check(&call).unwrap()), text(&verdict));
    // Different results withdraw the verdict.
    for (call, result) in [(0, "1"), (1, "2"), (2, "3")] {
        d.record(&json(&format!(r#"{{"call":{call},"result":{result}}}"#))).unwrap();
    }
    assert_eq!(field(&d.detect(), "isDetected"), false);
    again.reset();
    assert_eq!(field(&again.detect(), "stepCount"), 0);
}

#[wasm_bindgen_test]
fn a_detector_accepts_any_input() {
    let mut d = detector(r#"{"threshold":2}"#);
    let cyclic = Object::new();
    Reflect::set(&cyclic, &"self".into(), &cyclic).unwrap();
    let call = Object::new();
    Reflect::set(&call, &"toolName".into(), &"t".into()).unwrap();
    Reflect::set(&call, &"parameters".into(), &cyclic).unwrap();
    assert_eq!(field(&d.check(&call).unwrap(), "isDetected"), false);
    assert_eq!(field(&d.check(&call).unwrap(), "kind"), "exact_repeat");
    for junk in [JsValue::NULL, JsValue::from_f64(5.0), "x".into(), js_sys::Array::new().into()] {
        for verdict in
            [d.check(&junk).unwrap(), d.record(&junk).unwrap(), d.text(&junk, &junk).unwrap()]
        {
            assert!(field(&verdict, "isDetected").as_bool().is_some());
        }
        for error in [d.event(&junk).unwrap_err(), DoomLoopDetector::restore(&junk).unwrap_err()] {
            assert!(errors::is_apex_parts_error(&error));
            assert_eq!(field(&error, "name"), "PartValidationError");
        }
    }
    for config in [r#"{"threshold":"3"}"#, r#"{"maxIterations":0}"#, "[]", "null"] {
        let error = DoomLoopDetector::new(&json(config)).unwrap_err();
        assert_eq!(field(&error, "name"), "PartValidationError", "{config}");
    }
}

#[wasm_bindgen_test]
fn chanting_text_and_loops_in_messages_are_found() {
    let mut d = detector("{}");
    let found = (0..12).find(|_| {
        let verdict = d.text(&"Über dasselbe noch einmal. ".into(), &"reasoning".into()).unwrap();
        field(&verdict, "kind") == "chanting"
    });
    assert_eq!(found, Some(9));
    assert_eq!(field(&d.event(&"user".into()).unwrap(), "isDetected"), false);
    let message = |id: &str| {
        format!(
            r#"{{"info":{{"role":"assistant"}},"parts":[{{"id":"{id}","type":"tool","tool":"t","callID":"{id}",
            "state":{{"status":"completed","input":{{"a":1}},"output":"text"}}}}]}}"#
        )
    };
    let messages = json(&format!("[{},{},{}]", message("p1"), message("p2"), message("p3")));
    let found = loops_of_messages::find_loops(&messages, &JsValue::UNDEFINED).unwrap();
    assert_eq!(js_sys::Array::from(&found).length(), 1);
    assert_eq!(text(&field(&js_sys::Array::from(&found).get(0), "partIDs")), r#"["p1","p2","p3"]"#);
    let none = loops_of_messages::find_loops(&messages, &json(r#"{"threshold":0}"#)).unwrap();
    assert_eq!(js_sys::Array::from(&none).length(), 0);
    assert_eq!(
        js_sys::Array::from(
            &loops_of_messages::find_loops(&5.into(), &JsValue::UNDEFINED).unwrap()
        )
        .length(),
        0
    );
}

#[wasm_bindgen_test]
fn markdown_is_safe() {
    assert_eq!(
        convert::render_markdown(&"<b>x</b>".into()).unwrap(),
        "<p>&lt;b&gt;x&lt;/b&gt;</p>\n"
    );
}

/// The search compares many places at once with vector instructions of wasm.
#[wasm_bindgen_test]
fn a_search_finds_a_match_at_every_offset() {
    use apex_parts::transcript::search::query::Query;
    let filler = r"Kex kez \u00e9t k\u001b[0m ".repeat(12).into_bytes();
    for at in 0..filler.len() - 3 {
        let cases = [("Key", "kEY"), (r"k\u0065y", "KEY"), ("\\\"\\n", "\"\n"), ("É", "é")];
        for (written, query) in cases {
            let mut bytes = filler.clone();
            let spaces = at..(at + written.len()).min(filler.len());
            bytes.splice(spaces, written.bytes());
            // The filler may have matches too, but none may be missed.
            let found = Query::new(query, false).next_candidate(&bytes, at);
            assert!(found.is_some_and(|found| (at..at + written.len()).contains(&found)));
        }
    }
    let filler = "all is quiet ".repeat(12);
    for at in 0..filler.len() - 3 {
        let (before, behind) = filler.split_at(at);
        let bytes = [before, "key", behind].concat();
        assert_eq!(Query::new("Key", false).next_candidate(bytes.as_bytes(), 0), Some(at));
        assert_eq!(Query::new("Key", true).next_candidate(bytes.as_bytes(), 0), None);
    }
}

#[wasm_bindgen_test]
fn messages_become_markdown_html_and_messages_of_a_run() {
    let message = json(
        r#"{"info":{"id":"m","sessionID":"s","role":"user","time":{"created":0}},
            "parts":[{"id":"p","type":"text","text":"<b>x</b>"}]}"#,
    );
    let markdown = convert::message_to_markdown(&message, &7.into()).unwrap();
    assert_eq!(markdown, "\n## 7. User · 1970-01-01 00:00:00 UTC\n\n<b>x</b>\n");
    let html = convert::message_to_html(&message, &JsValue::UNDEFINED).unwrap();
    assert!(html.contains("<p>&lt;b&gt;x&lt;/b&gt;</p>"));
    let made = convert::to_messages(&js_sys::Array::of1(&message)).unwrap();
    let made = js_sys::Array::from(&made).get(0);
    assert_eq!(text(&field(&made, "parts")), r#"[{"kind":"text","payload":{"text":"<b>x</b>"}}]"#);
    assert!(convert::to_messages(&5.into()).is_err());
    let page = convert::html_page(&json(r#"{"title":"<t>","facts":["a"]}"#)).unwrap();
    assert!(field(&page, "head").as_string().unwrap().contains("<title>&lt;t&gt;</title>"));
    assert!(field(&page, "foot").as_string().unwrap().ends_with("</html>\n"));
    let head = convert::markdown_head(&json(r#"{"title":"t","facts":["a"]}"#)).unwrap();
    assert_eq!(head, "# t\n\n- a\n");
}
