use super::*;
use crate::{WireFormat, detect};
use apex_parts_model::delta::{Payload, Piece, ReaderOutput};

#[test]
fn a_format_has_a_name() {
    for format in Provider::ALL {
        assert_eq!(Provider::parse(format.as_str()), Some(*format));
    }
    assert_eq!(Provider::parse("delta"), None);
}

#[test]
fn a_format_is_detected_from_a_record() {
    let cases = [
        (r#"{"type":"message_start","message":{}}"#, Some(Provider::Anthropic)),
        // Every format has errors: they show nothing.
        (r#"{"type":"error","error":{"type":"overloaded_error"}}"#, None),
        (r#"{"type":"error","errorText":"x"}"#, None),
        (r#"{"type":"error","sequence_number":2,"error":{}}"#, None),
        // A whole answer is one of the same format.
        (
            r#"{"type":"message","role":"assistant","model":"m","content":[]}"#,
            Some(Provider::Anthropic),
        ),
        (
            r#"{"object":"response","output":[],"status":"completed"}"#,
            Some(Provider::OpenAiResponses),
        ),
        (r#"{"object":"text_completion","id":"x"}"#, Some(Provider::OpenAiChat)),
        // What is not read is none of them.
        (r#"{"type":"response.output_audio.delta","delta":"a","item_id":"i"}"#, None),
        (r#"{"type":"response.created","response":{}}"#, Some(Provider::OpenAiResponses)),
        (r#"{"id":"x","choices":[]}"#, Some(Provider::OpenAiChat)),
        (r#"{"candidates":[{}]}"#, Some(Provider::Gemini)),
        (r#"{"usageMetadata":{}}"#, Some(Provider::Gemini)),
        (r#"{"response":{"candidates":[]}}"#, Some(Provider::Gemini)),
        (r#"{"type":"start","messageId":"m"}"#, Some(Provider::AiSdk)),
        (r#"{"type":"text-delta","id":"1","delta":"a"}"#, Some(Provider::AiSdk)),
        (r#"{"type":"start-step"}"#, Some(Provider::AiSdk)),
        // A word that others have too, or that only begins like one of a format, shows nothing.
        (r#"{"type":"start"}"#, None),
        (r#"{"type":"finish","ms":3}"#, None),
        (r#"{"type":"error","message":"disk full"}"#, None),
        (r#"{"type":"text","text":"a"}"#, None),
        (r#"{"type":"reasoning-chunks","data":{"texts":[]}}"#, None),
        (r#"{"type":"tool-input-form","id":"f"}"#, None),
        (r#"{"type":"text-style","id":"f"}"#, None),
        (r#"{"type":"response.timing","ms":1}"#, None),
        (r#"{"event_type":"session_start","data":{}}"#, None),
        (r#"{"event_type":"tool_start"}"#, None),
        (r#"{"type":"data-x","data":1}"#, Some(Provider::AiSdk)),
        (r#"{"event_type":"tool_start","data":{}}"#, Some(Provider::ApexBridge)),
        (r#"{"reasoning_content":"x","content":null,"iteration":0}"#, Some(Provider::ApexBridge)),
        (r#"{"runId":"r","seq":1,"kind":"text","payload":{}}"#, None),
        (r#"{"type":"ping"}"#, None),
        (r#"{"error":{}}"#, None),
        ("[DONE]", None),
        ("[1]", None),
        ("{", None),
    ];
    for (record, format) in cases {
        assert_eq!(sniff(record.as_bytes()), format, "{record}");
    }
}

/// The pieces of text that a stream emits.
fn pieces(format: Provider, records: &[&str]) -> Vec<(Option<u16>, String, Option<u16>)> {
    let mut found = Vec::new();
    let mut reader = format.reader();
    for record in records {
        let mut take = |output: ReaderOutput<'_>| {
            let piece = match output {
                ReaderOutput::Delta(Payload::Text(text) | Payload::ToolCallArgs { text, .. }) => {
                    text
                }
                ReaderOutput::Delta(Payload::Block(block)) => block.text,
                _ => return,
            };
            let Piece { low, text, high } = piece;
            found.push((low, text.into_owned(), high));
        };
        reader.record("", record.as_bytes(), &mut take).unwrap();
    }
    found
}

#[test]
fn surrogate_halves_are_kept_at_the_edges_of_pieces() {
    let streams: &[(Provider, &[&str])] = &[
        (
            Provider::Anthropic,
            &[
                r#"{"type":"message_start","message":{"id":"m"}}"#,
                r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a\ud83d"}}"#,
                r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"\ude00b"}}"#,
            ],
        ),
        (
            Provider::OpenAiChat,
            &[
                r#"{"id":"m","choices":[{"index":0,"delta":{"content":"a\ud83d"}}]}"#,
                r#"{"id":"m","choices":[{"index":0,"delta":{"content":"\ude00b"}}]}"#,
            ],
        ),
        (
            Provider::AiSdk,
            &[
                r#"{"type":"tool-input-start","toolCallId":"c","toolName":"t"}"#,
                r#"{"type":"tool-input-delta","toolCallId":"c","inputTextDelta":"a\ud83d"}"#,
                r#"{"type":"tool-input-delta","toolCallId":"c","inputTextDelta":"\ude00b"}"#,
            ],
        ),
        (
            Provider::ApexBridge,
            &[r#"{"content":"a\ud83d","iteration":0}"#, r#"{"content":"\ude00b","iteration":0}"#],
        ),
    ];
    for (format, records) in streams {
        let found = pieces(*format, records);
        let (a, b) = ("a".to_owned(), "b".to_owned());
        assert_eq!(found, [(None, a, Some(0xd83d)), (Some(0xde00), b, None)], "{format:?}");
    }
}

#[test]
fn invalid_utf8_is_read_with_replacement_characters() {
    let record = b"{\"content\":\"a\xffb\",\"iteration\":0}";
    let mut count = 0;
    Provider::ApexBridge.reader().record("", record, &mut |_| count += 1).unwrap();
    assert!(count > 1);
}

/// The fast path emits what `apply` emits.
#[test]
fn the_fast_path_equals_the_slow_path() {
    let mut reader = ProviderReader::new(Provider::Anthropic.format(), sniff_name, names);
    let mut slow = Vec::new();
    let start = r#"{"type":"message_start","message":{"id":"m"}}"#;
    reader.record("", start.as_bytes(), &mut |_| {}).unwrap();
    let json = r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"x"}}"#;
    let mut fast = Vec::new();
    assert!(reader.format.fast_path("", json, &mut |output| fast.push(format!("{output:?}"))));
    let root = record::read(json, 512).unwrap();
    reader.format.apply("", root, &mut |output| slow.push(format!("{output:?}")));
    assert_eq!(fast, slow);
}

/// A provider needs no more than one module and one line: everything that knows formats finds that of `made_up.rs`.
#[test]
fn a_provider_with_one_line_is_found_everywhere() {
    const RECORDS: [&str; 3] =
        [r#"{"madeUp":"begin"}"#, r#"{"madeUp":"text","text":"Hi"}"#, r#"{"madeUp":"end"}"#];
    assert_eq!(Provider::parse("made-up"), Some(Provider::MadeUp));
    let wire = WireFormat::parse("made-up").unwrap();
    assert!(WireFormat::NAMES.contains(&"made-up"));
    assert_eq!(detect(format!("{}\n", RECORDS.join("\n")).as_bytes()), Some(wire));
    let mut reader = Provider::MadeUp.reader();
    let mut said = String::new();
    for record in RECORDS {
        let take = &mut |output: ReaderOutput<'_>| {
            if let ReaderOutput::Delta(Payload::Text(Piece { text, .. })) = output {
                said.push_str(&text);
            }
        };
        reader.record("", record.as_bytes(), take).unwrap();
    }
    assert_eq!(said, "Hi");
    // Error messages of other readers name it.
    let mut other = Provider::Anthropic.reader();
    let error = other.record("", RECORDS[0].as_bytes(), &mut |_| {}).unwrap_err();
    assert!(error.message.contains(r#"of the format "made-up""#), "{}", error.message);
}

/// A record that the fast path reads counts like every other.
#[test]
fn empty_pieces_are_nothing_in_every_spelling() {
    for kind in ["text-delta", r"\u0074ext-delta"] {
        let piece = format!(r#"{{"type":"{kind}","id":"0","delta":""}}"#);
        let mut reader = Provider::AiSdk.reader();
        let mut warnings = Vec::new();
        let mut take = |one: ReaderOutput<'_>| {
            if let ReaderOutput::Warning { message, .. } = one {
                warnings.push(message.into_owned());
            }
        };
        for record in [r#"{"type":"start","messageId":"m"}"#, &*piece, &*piece, "[DONE]"] {
            reader.record("", record.as_bytes(), &mut take).unwrap();
        }
        assert_eq!(warnings.len(), 1);
        let warning = warnings.concat();
        assert!(warning.ends_with(r#"1 × "start", 2 × "text-delta""#), "{warning}");
    }
}

#[test]
fn a_wrapped_record_is_read_and_recognised() {
    // {"choices":[{"delta":{"content":"Hi"}}]}
    let record = br#"{"chunk":{"bytes":"eyJjaG9pY2VzIjpbeyJkZWx0YSI6eyJjb250ZW50IjoiSGkifX1dfQ=="},"p":"ab"}"#;
    assert_eq!(sniff(record), Some(Provider::OpenAiChat));
    let mut all = Vec::new();
    let mut take = |one: ReaderOutput<'_>| all.push(format!("{one:?}"));
    Provider::OpenAiChat.reader().record("", record, &mut take).unwrap();
    assert!(all.iter().any(|one| one.contains("Hi")), "{all:?}");
}

#[test]
fn bytes_that_are_no_record_are_reported() {
    let mut reader = Provider::Anthropic.reader();
    let error = reader.record("", br#"{"chunk":{"bytes":"!"}}"#, &mut |_| {}).unwrap_err();
    assert_eq!(error.rule, "json");
}

#[test]
fn an_odd_element_takes_nothing_with_it() {
    let cases = [
        (
            Provider::Gemini,
            r#"{"candidates":[7,{"content":{"parts":[7,{"text":"a"},null,{"functionCall":"x"},{"text":8}]},"finishReason":"STOP"}]}"#,
            5,
        ),
        (Provider::Gemini, r#"{"candidates":[{"content":7}],"modelVersion":"m"}"#, 1),
        (
            Provider::Anthropic,
            r#"{"type":"message","role":"assistant","model":"m","content":[null,7,{"type":"text","text":"a"},{"type":"tool_use","name":"x"}],"stop_reason":"end_turn"}"#,
            3,
        ),
        (
            Provider::OpenAiResponses,
            r#"{"object":"response","status":"completed","output":[7,{"type":"message","content":[7,{"type":"output_text","text":"a"}]},{"type":"function_call"}]}"#,
            3,
        ),
        (
            Provider::OpenAiChat,
            r#"{"id":"c","model":"m","choices":[7,{"delta":{"content":"a","tool_calls":[7]},"finish_reason":"stop"}]}"#,
            2,
        ),
        (Provider::OpenAiChat, r#"{"id":"c","object":"chat.completion.chunk","choices":{}}"#, 1),
        (
            Provider::Bedrock,
            r#"{"output":{"message":{"content":[7,{"text":"a"},{"toolUse":7},{"text":8}]}},"stopReason":"end_turn"}"#,
            3,
        ),
        (
            Provider::Cohere,
            r#"{"message":{"content":[7,{"text":"a"},{"text":8}],"tool_calls":[7]},"finish_reason":"COMPLETE","usage":{"tokens":{}}}"#,
            3,
        ),
        (
            Provider::Ollama,
            r#"{"model":"m","created_at":"t","message":{"content":"a","thinking":8,"tool_calls":[7]},"done":true}"#,
            2,
        ),
        (
            Provider::GeminiInteractions,
            r#"{"object":"interaction","status":"completed","steps":[7,{"type":"model_output","content":[7,{"type":"text","text":"a"},{"type":"text","text":8}]}]}"#,
            3,
        ),
    ];
    for (format, json, count) in cases {
        let (mut texts, mut wrong) = (String::new(), 0);
        let mut take = |one: ReaderOutput<'_>| match one {
            ReaderOutput::Delta(Payload::Text(piece)) => texts.push_str(&piece.text),
            ReaderOutput::Delta(Payload::Block(block)) => texts.push_str(&block.text.text),
            ReaderOutput::Wrong { .. } => wrong += 1,
            _ => {}
        };
        format.reader().record("", json.as_bytes(), &mut take).unwrap();
        assert_eq!(wrong, count, "{json}");
        assert_eq!(texts, if json.contains("\"a\"") { "a" } else { "" }, "{json}");
    }
}

#[test]
fn the_parts_of_a_whole_answer_keep_what_they_have() {
    let json = br#"{"object":"response","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"a","annotations":[{"url":"u"}],"logprobs":[{"token":"a"}],"extra":1}]}]}"#;
    let mut fields = Vec::new();
    let mut take = |one: ReaderOutput<'_>| {
        if let ReaderOutput::Provider { name, value, .. } = one {
            fields.push(format!("{name} {value}"));
        }
    };
    Provider::OpenAiResponses.reader().record("", json, &mut take).unwrap();
    for field in [
        r#"annotations {"annotation":{"url":"u"},"content_index":0,"output_index":0}"#,
        r#"logprobs [{"token":"a"}]"#,
        r#"parts {"content_index":0,"extra":1,"output_index":0}"#,
    ] {
        assert!(fields.iter().any(|one| one == field), "{field}: {fields:?}");
    }
}
