//! messages-FORMAT: messages as a program sends them to a model, or keeps them to train one. A file is an array of
//! messages, or has one a line: one session. Or it is the body of a request, or has records with messages, in an array or
//! one a line: each is a session.
//!
//! Here the file is told from others and cut into sessions; what the messages say is read by `apex-parts-providers`. If the
//! format was not given, the messages of each session tell it; the file has the first that is told by more than a role and a
//! text.

mod answer;
pub(crate) mod envelope;
mod exchange;
pub(crate) mod message_likeness;
mod other_fields;
mod reader;
mod session_source;
pub(crate) mod signs;
mod whole_answer;

use apex_parts_agents::{DocumentLayout, FormatReader, SeenFields, TranscriptFormat};
use apex_parts_json::tape::Node;
use apex_parts_model::Agent;
use apex_parts_validate::Ids;
use reader::MessageArrayReader;

/// What the name of each format begins with, before the name that `apex-parts-providers` has for it.
pub(crate) const PREFIX: &str = "messages-";

macro_rules! formats {
    ($($(#[doc = $doc:literal])+ $name:ident = $format:literal, $title:literal;)+) => {
        $(
            $(#[doc = $doc])+
            pub(crate) struct $name;

            impl TranscriptFormat for $name {
                const NAME: &'static str = concat!("messages-", $format);
                const TITLE: &'static str = $title;
                const AGENT: Option<Agent> = None;
                // The ids of messages begin with that of their session.
                const IDS: Ids = Ids::OpenCode;
                const LAYOUT: Option<DocumentLayout> = Some(DocumentLayout::Lines);
                const SHARE: u64 = message_likeness::SHARE;

                fn detect(_seen: &SeenFields) -> bool {
                    false
                }

                fn detect_record(seen: &SeenFields) -> bool {
                    signs::format_of(seen) == Some($format)
                }

                fn may_be(seen: &SeenFields, _is_listed: bool) -> bool {
                    signs::format_of(seen) == Some($format)
                }

                fn is_own(record: Node<'_>) -> Option<bool> {
                    Some(envelope::is_own(record))
                }

                fn reader() -> Option<Box<dyn FormatReader>> {
                    Some(Box::new(MessageArrayReader::new($format)))
                }
            }
        )+
    };
}

formats! {
    /// Messages of Anthropic's Messages API.
    AnthropicMessages = "anthropic", "Anthropic messages";
    /// Messages of OpenAI's Chat Completions API and of those like it.
    OpenAiChatMessages = "openai-chat", "OpenAI Chat messages";
    /// Items of OpenAI's Responses API.
    OpenAiResponsesItems = "openai-responses", "OpenAI Responses items";
    /// Contents of Gemini's API.
    GeminiContents = "gemini", "Gemini contents";
    /// `UIMessage`s of the AI SDK.
    AiSdkUiMessages = "ai-sdk", "AI SDK UI messages";
    /// `ModelMessage`s of the AI SDK.
    AiSdkModelMessages = "ai-sdk-model", "AI SDK model messages";
    /// Conversations of ShareGPT.
    ShareGptMessages = "sharegpt", "ShareGPT conversations";
}
