//! Helpers for tests of bad input: options, our own streams, and a record of each format that is valid
//! after any other.

mod bytes;
mod deltas;
mod fields;
mod refusals;
mod sizes;
mod wholes;

use crate::assemble::{collecting, start, text};
use crate::streams::own_streams;
use apex_parts_assemble::{MessagePart, Stream, StreamOptions};
use apex_parts_wire::{Provider, WireFormat};
use std::path::PathBuf;

/// Every format.
fn formats() -> impl Iterator<Item = WireFormat> {
    let providers = Provider::ALL.iter().copied().map(WireFormat::Provider);
    [WireFormat::Delta].into_iter().chain(providers)
}

/// Options for a format, with problems collected.
fn options(format: WireFormat) -> StreamOptions {
    StreamOptions { format: Some(format), run_id: Some("r".into()), ..collecting() }
}

/// An event with the text `LATER`.
fn later(format: WireFormat) -> String {
    let record = match format {
        WireFormat::Delta => text(1_000_000, "LATER").to_string(),
        WireFormat::Provider(format) => match format {
            Provider::Anthropic => {
                r#"{"type":"content_block_delta","index":77,"delta":{"type":"text_delta","text":"LATER"}}"#
            }
            Provider::OpenAiChat => r#"{"choices":[{"index":0,"delta":{"content":"LATER"}}]}"#,
            Provider::OpenAiResponses => {
                r#"{"type":"response.output_text.delta","output_index":99,"delta":"LATER"}"#
            }
            Provider::Gemini => r#"{"candidates":[{"content":{"parts":[{"text":"LATER"}]}}]}"#,
            Provider::AiSdk => r#"{"type":"text-delta","id":"z","delta":"LATER"}"#,
            Provider::GeminiInteractions => {
                r#"{"event_type":"step.delta","index":77,"delta":{"type":"text","text":"LATER"}}"#
            }
            Provider::AgUi => {
                r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"z","delta":"LATER"}"#
            }
            Provider::Bedrock => {
                r#"{"contentBlockDelta":{"contentBlockIndex":77,"delta":{"text":"LATER"}}}"#
            }
            Provider::Ollama => {
                r#"{"model":"m","created_at":"now","message":{"content":"LATER"},"done":false}"#
            }
            Provider::Cohere => {
                r#"{"type":"content-delta","index":77,"delta":{"message":{"content":{"text":"LATER"}}}}"#
            }
            Provider::ApexBridge => r#"{"content":"LATER","step_number":0,"iteration":0}"#,
        }
        .to_owned(),
    };
    format!("data: {record}\n\n")
}

#[test]
fn a_record_of_each_format_adds_its_text() {
    for format in formats() {
        let mut stream = Stream::new(options(format));
        if format == WireFormat::Delta {
            stream.push_bytes(format!("data: {}\n\n", start(1)).as_bytes(), 0.0).unwrap();
        }
        stream.push_bytes(later(format).as_bytes(), 0.0).unwrap();
        let read = texts(&stream).concat();
        assert_eq!(
            read,
            "LATER",
            "`later` in crates/assemble/tests/deltas/bad_input/mod.rs: write a record of {} with this text",
            format.as_str()
        );
    }
}

/// Name, format and bytes of our own streams.
fn fixtures() -> Vec<(String, WireFormat, Vec<u8>)> {
    let read = |(path, format, text): (PathBuf, _, String)| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        (name, WireFormat::Provider(format), text.into_bytes())
    };
    own_streams().into_iter().map(read).collect()
}

/// The text parts of the message.
fn texts(stream: &Stream) -> Vec<String> {
    let preview = stream.preview();
    let text = |part| match part {
        MessagePart::Text { text, .. } => Some(text.to_string()),
        _ => None,
    };
    preview.parts().filter_map(text).collect()
}
