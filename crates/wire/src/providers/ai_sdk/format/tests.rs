use super::*;
use crate::providers::Provider;

fn outputs(records: &[&str]) -> String {
    let mut reader = Provider::AiSdk.reader();
    let mut found = Vec::new();
    let mut take = |one: ReaderOutput<'_>| found.push(format!("{one:?}"));
    for record in records {
        reader.record("", record.as_bytes(), &mut take).unwrap();
    }
    reader.end(&mut take);
    found.join("\n")
}

#[test]
fn a_finish_ends_the_message_without_done() {
    let all = outputs(&[
        r#"{"type":"start","messageId":"a"}"#,
        r#"{"type":"finish","finishReason":"length"}"#,
        r#"{"type":"start","messageId":"b"}"#,
        r#"{"type":"finish"}"#,
    ]);
    let ends: Vec<_> = all.lines().filter(|l| l.contains("Done")).collect();
    assert_eq!(ends.len(), 2);
    assert!(ends[0].contains("length") && ends[1].contains("stop"));
}

#[test]
fn a_stream_that_is_cut_off_emits_no_end() {
    let all = outputs(&[r#"{"type":"start"}"#, r#"{"type":"text-delta","id":"t","delta":"x"}"#]);
    assert!(!all.contains("Done"));
}

#[test]
fn a_stream_without_its_start_gets_one() {
    let all = outputs(&[r#"{"type":"text-delta","id":"t","delta":"x"}"#]);
    assert!(all.starts_with("Delta(Start"), "{all}");
}
