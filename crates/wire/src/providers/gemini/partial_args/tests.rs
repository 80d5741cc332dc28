use super::*;
use apex_parts_json::record;
use apex_parts_model::delta::{Payload, ReaderOutput};
use serde_json::json;

/// The JSON text streamed for `partialArgs`, and its value.
fn joined(args: &[Value]) -> (String, Value) {
    let mut text = String::new();
    let mut emit = |output: ReaderOutput<'_>| {
        if let ReaderOutput::Delta(Payload::ToolCallArgs { text: piece, .. }) = output {
            text.push_str(&piece.text);
        }
    };
    let mut all = PartialArgs::new("c".to_owned());
    for one in args {
        let json = one.to_string();
        all.add(record::read(&json, 512).unwrap(), &mut emit);
        all = PartialArgs::load(all.save()).unwrap();
    }
    all.close(&mut emit);
    let value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
    (text, value)
}

fn text(path: &str, text: &str, more: bool) -> Value {
    json!({ "jsonPath": path, "stringValue": text, "willContinue": more })
}

#[test]
fn values_in_the_order_of_the_document_are_streamed() {
    let (text, value) = joined(&[
        text("$.city", "Bos", true),
        text("$.city", "to\"n\n", true),
        json!({ "jsonPath": "$.city" }),
        json!({ "jsonPath": "$.a.b[0].c", "numberValue": 1 }),
        json!({ "jsonPath": "$.a.b[0].d", "boolValue": false }),
        json!({ "jsonPath": "$.a.b[1][0]", "nullValue": null }),
        json!({ "jsonPath": "$.a.e", "numberValue": 2.5 }),
        text("$['x y'].z", "1", false),
    ]);
    assert_eq!(
        text,
        r#"{"city":"Bosto\"n\n","a":{"b":[{"c":1,"d":false},[null]],"e":2.5},"x y":{"z":"1"}}"#
    );
    assert_eq!(value["a"]["b"][1], json!([null]));
}

#[test]
fn values_out_of_order_are_written_again_at_the_end() {
    let (_, value) =
        joined(&[text("$.a.x", "1", false), text("$.b", "2", false), text("$.a.y", "3", false)]);
    assert_eq!(value, json!({ "a": { "x": "1", "y": "3" }, "b": "2" }));
    // Two strings that are extended by turns.
    let (_, value) = joined(&[
        text("$.a", "1", true),
        text("$.b", "x", true),
        text("$.a", "2", true),
        text("$.b", "y", false),
        text("$.a", "3", false),
    ]);
    assert_eq!(value, json!({ "a": "123", "b": "xy" }));
    // Elements in reverse order.
    let (_, value) = joined(&[text("$.l[1]", "b", false), text("$.l[0]", "a", false)]);
    assert_eq!(value, json!({ "l": ["a", "b"] }));
    let (_, value) = joined(&[text("$.l[0]", "a", false), text("$.l[2]", "c", false)]);
    assert_eq!(value, json!({ "l": ["a", null, "c"] }));
}

#[test]
fn a_string_without_an_end_is_closed() {
    let (text, _) = joined(&[text("$.a.b", "half", true)]);
    assert_eq!(text, r#"{"a":{"b":"half"}}"#);
}

#[test]
fn invalid_paths_are_left_out() {
    let huge = "$.l[99999999999]";
    let odd = ["", "a", "$", "$[0]", "$.a[", "$.a[x]", "$.a['b", huge];
    let mut args: Vec<_> = odd.iter().map(|path| text(path, "x", false)).collect();
    args.push(text("$.ok", "y", false));
    let (_, value) = joined(&args);
    assert_eq!(value["ok"], "y");
}

/// The value of the text does not depend on the order of the values.
#[test]
fn any_order_gives_the_same_value() {
    let leaves = ["$.a.x", "$.a.y[0]", "$.a.y[1].q", "$.b", "$.c.d.e", "$.c.f"];
    let mut order: Vec<usize> = (0..leaves.len()).collect();
    let mut expected = None;
    for round in 0..720 {
        let (a, b) = (round % order.len(), (round * 5 + round / 6) % order.len());
        order.swap(a, b);
        let args: Vec<_> =
            order.iter().map(|i| json!({ "jsonPath": leaves[*i], "numberValue": i })).collect();
        let (text, value) = joined(&args);
        assert_eq!(expected.get_or_insert_with(|| value.clone()), &value, "{text}");
    }
}
