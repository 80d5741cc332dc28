use super::*;
use apex_parts_model::Severity;

fn head() -> ContentHead {
    ContentHead {
        client: "demo".into(),
        is_object: true,
        has_content: true,
        ..ContentHead::default()
    }
}

fn rules(parts: &ContentParts) -> Vec<&str> {
    parts.problems.iter().map(|problem| &*problem.rule).collect()
}

const PNG: &str = r#"{"type":"image","mimeType":"image/png","data":{"index":3,"bytes":70,"head":"iVBORw0KGgoAAAANSUhEUgAA"}}"#;

#[test]
fn files_are_numbered_and_referred_to() {
    let items = format!("{{\"type\":\"audio\",\"data\":null}}\n{PNG}\n{PNG}");
    let parts = read_content(&ContentHead { max_files: 1, ..head() }, &items, None);
    let said = "[audio 1: not valid base64, left out]\n\n[image 2: image/png, 70 bytes]\n\n[image 3: image/png, 70 bytes, over the limit, left out]";
    assert_eq!(parts.output, said);
    assert_eq!(parts.attachments.len(), 1);
    assert_eq!((parts.attachments[0].data, &*parts.attachments[0].filename), (3, "image-2.png"));
    assert_eq!(rules(&parts), ["MC-5", "MC-7"]);
    assert_eq!(parts.problems[0].severity, Severity::Error);
}

#[test]
fn ranges_are_right_after_removal_and_cut() {
    let resource = |text: &str| {
        format!(r#"{{"type":"resource","resource":{{"uri":"demo://x/1","text":"{text}"}}}}"#)
    };
    let items = r#"{"type":"text","text":"a\u001b[1m🎉"}"#.to_owned()
        + "\n"
        + &resource(r"b\u0007ü")
        + "\n"
        + &resource("ccc")
        + "\n"
        + &resource("d");
    let parts = read_content(&ContentHead { max_output: 13, ..head() }, &items, None);
    assert_eq!(parts.output, "a🎉\n\nbü\n\nc\n[5 bytes left out]");
    let found: Vec<_> = parts
        .resources
        .iter()
        .filter_map(|r| r.source.as_ref())
        .map(|s| (&*s.value, s.start, s.end))
        .collect();
    assert_eq!(found, [("bü", 5, 7), ("c", 9, 10), ("", 10, 10)]);
    assert_eq!(rules(&parts), ["MC-8", "MC-7"]);
}

#[test]
fn nothing_that_is_no_result_is_taken_for_one() {
    let none = read_content(&ContentHead::default(), "", None);
    assert!(none.is_error && rules(&none) == ["MC-1"]);
    let more = read_content(&ContentHead { needs_input: true, ..head() }, PNG, None);
    assert!(more.is_error && rules(&more) == ["MC-2"] && more.attachments.is_empty());
    let blank = read_content(&ContentHead { is_error: true, ..head() }, "", None);
    assert_eq!(blank.output, NO_MESSAGE);
    let broken = read_content(&head(), "{", None);
    assert_eq!((&*broken.output, rules(&broken)), ("{", vec!["MC-6"]));
}

#[test]
fn what_is_not_seen_is_removed_and_counted() {
    let item = |text: &str| serde_json::json!({"type": "text", "text": text}).to_string();
    let items = item("a\u{200b}\u{1b}[1mb\u{202e}") + "\n" + &item("\u{feff}c");
    let parts = read_content(&head(), &items, None);
    assert_eq!((&*parts.output, parts.invisible), ("ab\n\nc", 4));
    assert_eq!(rules(&parts), ["MC-8", "MC-9"]);
    assert_eq!(read_content(&head(), &item("می\u{200c}خواهم"), None).invisible, 0);
}

#[test]
fn what_was_removed_says_nothing_of_structured_content() {
    let items = r#"{"type":"text","text":"ok \u001b]0;id 7\u0007"}"#;
    let parts = read_content(&head(), items, Some(r#"{"id":"id 7"}"#));
    assert_eq!(parts.output, "ok \n\n{\"id\":\"id 7\"}");
    assert_eq!(parts.structured, Some(StructuredPlace::Appended));
    // What a model reads of it is there.
    let items = r#"{"type":"text","text":"{\"id\":\"a\u200bb\"}"}"#;
    let parts = read_content(&head(), items, Some("{\"id\":\"a\u{200b}b\"}"));
    assert_eq!(parts.structured, Some(StructuredPlace::Mirrored));
}

#[cfg(not(target_arch = "wasm32"))]
mod properties {
    use super::*;
    use apex_parts_model::invisible::{Controls, VisibleText};
    use proptest::prelude::*;

    fn piece() -> impl Strategy<Value = serde_json::Value> {
        let text = "(?s)(.|\u{1b}\\[|[\u{e0000}-\u{e007f}]|[ \n]){0,12}";
        let kind = prop_oneof![
            Just("text"),
            Just("image"),
            Just("resource"),
            Just("resource_link"),
            Just("x")
        ];
        (kind, text, text, any::<bool>()).prop_map(|(kind, text, uri, is_file)| {
            let facts = serde_json::json!({"index": 1, "bytes": 5, "head": "iVBORw0KGgo", "text": text});
            let blob = if is_file { facts } else { serde_json::Value::Null };
            let mut resource = serde_json::json!({"uri": uri, "blob": blob, "mimeType": "text/x"});
            if !is_file {
                resource["text"] = text.clone().into();
            }
            serde_json::json!({"type": kind, "text": text, "data": blob, "uri": uri, "name": text, "resource": resource})
        })
    }

    proptest! {
        #[test]
        fn any_result_gives_an_output(items in proptest::collection::vec(piece(), 0..6), max in 0_usize..80, structured in proptest::option::of(piece())) {
            let lines: Vec<String> = items.iter().map(ToString::to_string).collect();
            let head = ContentHead { max_output: max, ..head() };
            let structured = structured.map(|value| value.to_string());
            let parts = read_content(&head, &lines.join("\n"), structured.as_deref());
            prop_assert!(!is_blank(&parts.output));
            // Behind a joiner the output may be cut.
            let output = parts.output.replace(['\u{200c}', '\u{200d}'], "");
            prop_assert_eq!(VisibleText::new(&output, Controls::Remove).removed(), 0);
            let kept = parts.output.rsplit_once("\n[").filter(|(_, note)| note.ends_with(" bytes left out]")).map_or(&*parts.output, |(kept, _)| kept);
            prop_assert!(kept.len() <= max || kept == NO_OUTPUT);
            let units: Vec<u16> = parts.output.encode_utf16().collect();
            for source in parts.resources.iter().filter_map(|resource| resource.source.as_ref()) {
                prop_assert_eq!(String::from_utf16(&units[source.start..source.end]).unwrap(), &*source.value);
            }
        }
    }
}
