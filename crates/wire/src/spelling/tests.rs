use super::*;
use crate::providers::Provider;
use apex_parts_json::record::FAST_PATH_DEPTH;
use proptest::prelude::*;

/// How a stream begins, and records that differ in their text only: `TEXT` stands for it, `PAD` for a string that
/// says nothing.
const FORMATS: &[(Provider, &[&str], &[&str])] = &[
    (
        Provider::Anthropic,
        &[
            r#"{"type":"message_start","message":{"id":"m"}}"#,
            r#"{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"t","name":"n","input":{"a":1}}}"#,
            r#"{"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"u","name":"n","input":{}}}"#,
        ],
        &[
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":TEXT}}"#,
            r#"{"type":"content_block_delta","index":1,"delta":{"type":"thinking_delta","thinking":TEXT}}"#,
            r#"{"type":"ping"}"#,
            r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":TEXT}}"#,
            r#"{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":TEXT}}"#,
            r#"{"type":"content_block_stop","index":2}"#,
        ],
    ),
    (
        Provider::Bedrock,
        &[r#"{"messageStart":{"role":"assistant"}}"#],
        &[
            r#"{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"text":TEXT},"p":PAD}}"#,
            r#"{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"text":TEXT}}}"#,
            r#"{"contentBlockDelta":{"p":PAD,"contentBlockIndex":0,"delta":{"text":TEXT}}}"#,
        ],
    ),
    (
        Provider::OpenAiChat,
        &[r#"{"id":"c","model":"m","choices":[{"index":0,"delta":{"role":"assistant"}}]}"#],
        &[
            r#"{"id":"c","choices":[{"index":0,"delta":{"content":TEXT}}],"obfuscation":PAD}"#,
            r#"{"id":"c","choices":[{"index":0,"delta":{"reasoning_content":TEXT}}]}"#,
            r#"{"id":"c","choices":[{"index":0,"delta":{"content":TEXT,"reasoning_content":PAD}}]}"#,
        ],
    ),
    (
        Provider::Ollama,
        &[],
        &[
            r#"{"model":"m","created_at":"1","message":{"role":"assistant","content":TEXT},"done":false}"#,
            r#"{"model":"m","created_at":PAD,"message":{"role":"assistant","content":TEXT},"done":false}"#,
        ],
    ),
    (
        Provider::AgUi,
        &[
            r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}"#,
            r#"{"type":"TEXT_MESSAGE_START","messageId":"u","role":"user"}"#,
        ],
        &[
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":TEXT}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"u","delta":TEXT}"#,
        ],
    ),
];

/// What a reader emits for records, read to this depth.
fn outputs(format: Provider, records: &[String], depth: usize) -> Vec<Result<Vec<String>, String>> {
    let mut reader = format.reader();
    let mut read = |record: &String| {
        let mut found = Vec::new();
        let mut out = |one: ReaderOutput<'_>| found.push(format!("{one:?}"));
        let result = reader.record_within("", record.as_bytes(), depth, &mut out);
        result.map(|()| found).map_err(|violation| violation.message)
    };
    records.iter().map(&mut read).collect()
}

fn string() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z ]{0,6}".prop_map(|text| format!("{text:?}")),
        Just(r#""é\n😀""#.to_owned()),
        Just(r#""\ud83d""#.to_owned()),
        Just(r#""\ude00\"}""#.to_owned()),
        Just("null".to_owned()),
        Just("7".to_owned()),
    ]
}

proptest! {
    /// A record that is spelled as the one before it emits what its format emits.
    #[test]
    fn a_spelling_changes_nothing(
        format in prop::sample::select(FORMATS),
        records in prop::collection::vec((0..6_usize, 1..4_usize, string(), string()), 1..12),
    ) {
        let (format, begin, kinds) = format;
        let mut all: Vec<String> = begin.iter().map(|record| (*record).to_owned()).collect();
        for (kind, times, text, pad) in records {
            let record = kinds[kind % kinds.len()].replace("TEXT", &text).replace("PAD", &pad);
            all.extend(std::iter::repeat_n(record, times));
        }
        let fast = outputs(format, &all, FAST_PATH_DEPTH);
        prop_assert_eq!(fast, outputs(format, &all, FAST_PATH_DEPTH - 1));
    }
}

/// It is kept, and read with: otherwise the law above would say nothing.
#[test]
fn the_spelling_of_a_record_is_kept() {
    let mut spelling = Spelling::default();
    for (first, second) in [
        (r#"{"text":"a"}"#, r#"{"text":"b\n"}"#),
        (r#"{"text":"a","p":"abc","q":1}"#, r#"{"text":"b\n","p":"d","q":1}"#),
    ] {
        let mut seen = SeenText::of(first, false);
        let piece = Piece::from(first.get(9..10).unwrap());
        seen.see(&ReaderOutput::Delta(Payload::Text(piece)));
        spelling.keep("e", first, &seen, r#""p":""#);
        let mut found = String::new();
        let mut read = |event: &str, record: &str| {
            spelling.read(event, record.as_bytes(), &mut |one| found.push_str(&format!("{one:?}")))
        };
        assert!(read("e", second));
        assert!(!read("f", second) && !read("e", &second.replace("text", "tex")));
        assert!(!read("e", &format!("{second} ")));
        assert!(found.contains(r#""b\n""#) && found.matches("Text").count() == 1, "{found}");
    }
}

#[test]
fn the_spelling_of_arguments_is_kept_where_all_are_alike() {
    let (first, second) = (r#"{"json":"a"}"#, r#"{"json":"\"b"}"#);
    for has_args in [false, true] {
        let mut spelling = Spelling::default();
        let mut seen = SeenText::of(first, has_args);
        let text = Piece::from(first.get(9..10).unwrap());
        seen.see(&ReaderOutput::Delta(Payload::ToolCallArgs { id: "call".into(), text }));
        spelling.keep("", first, &seen, "");
        let mut found = String::new();
        let is_read = spelling.read("", second.as_bytes(), &mut |one| found = format!("{one:?}"));
        assert_eq!(is_read, has_args);
        assert_eq!(found.contains("ToolCallArgs") && found.contains("call"), has_args, "{found}");
    }
}

#[test]
fn a_spelling_that_is_of_no_use_is_not_kept_for_ever() {
    let mut spelling = Spelling::default();
    for id in 0..100 {
        let record = format!(r#"{{"id":{},"text":"a"}}"#, 100 + id);
        let mut seen = SeenText::of(&record, false);
        seen.see(&ReaderOutput::Delta(Payload::Text(Piece::from(record.get(18..19).unwrap()))));
        spelling.keep("", &record, &seen, "");
        assert!(!spelling.read("", br#"{"id":1,"text":"a"}"#, &mut |_| {}));
    }
    assert!(spelling.before.is_empty());
}
