use crate::providers::Provider;
use crate::sniff;
use apex_parts_model::delta::ReaderOutput;

fn outputs(records: &[&str]) -> Vec<String> {
    let mut reader = Provider::Ollama.reader();
    let mut all = Vec::new();
    let mut take = |one: ReaderOutput<'_>| all.push(format!("{one:?}"));
    for record in records {
        reader.record("", record.as_bytes(), &mut take).unwrap();
    }
    reader.end(&mut take);
    all
}

fn count(all: &[String], word: &str) -> usize {
    all.iter().filter(|one| one.contains(word)).count()
}

const HI: &str = r#"{"model":"m","created_at":"t","message":{"content":"Hi"},"done":false}"#;
const END: &str = r#"{"model":"m","created_at":"t","message":{"content":""},"done":true}"#;

#[test]
fn only_its_own_records_are_recognised() {
    assert_eq!(sniff(HI.as_bytes()), Some(Provider::Ollama));
    for other in [
        r#"{"model":"m","created_at":"t","done":false}"#,
        r#"{"model":"m","created_at":"t","message":{"content":"Hi"}}"#,
        r#"{"model":"m","created_at":"t","message":{"content":"Hi"},"done":"no"}"#,
        r#"{"created_at":"t","message":{"content":"Hi"},"done":false}"#,
    ] {
        assert_eq!(sniff(other.as_bytes()), None, "{other}");
    }
}

#[test]
fn a_stream_without_its_end_has_none() {
    let all = outputs(&[HI, HI]);
    assert_eq!((count(&all, "Start"), count(&all, "Done")), (1, 0));
}

#[test]
fn after_an_end_another_response_begins() {
    let all = outputs(&[HI, END, HI, END]);
    assert_eq!((count(&all, "Start"), count(&all, "Done")), (2, 2));
}

#[test]
fn after_an_error_only_content_begins_another_response() {
    let all = outputs(&[HI, r#"{"error":"out of memory"}"#, END, HI, END]);
    assert_eq!((count(&all, "Start"), count(&all, "Error"), count(&all, "Done")), (2, 1, 1));
}

#[test]
fn odd_elements_are_reported_and_the_rest_is_read() {
    let odd = r#"{"model":"m","created_at":"t","response":"Hi","message":7,"done":false}"#;
    let calls = r#"{"model":"m","created_at":"t","message":{"tool_calls":[7,{"function":{}},{"function":{"name":"go"}}]},"done":false}"#;
    let all = outputs(&[odd, calls]);
    assert_eq!((count(&all, "Wrong"), count(&all, "Text(")), (3, 1), "{all:?}");
    assert_eq!((count(&all, "ToolCallStart"), count(&all, "ToolCallEnd")), (1, 1));
}
