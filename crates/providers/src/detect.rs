//! Which format messages have, told by fields that only it has.

use super::messages_format::MessagesFormat;
use super::values::{array, kind_of, object, pick};
use apex_parts_json::tape::Node;
use apex_parts_model::{Kind, View};

/// Types of items of OpenAI's Responses API.
const ITEMS: [&str; 5] =
    ["message", "function_call", "function_call_output", "reasoning", "item_reference"];
/// Types of its contents.
const INPUTS: [&str; 4] = ["input_text", "input_image", "input_file", "output_text"];
/// Types of blocks of Anthropic's API.
const BLOCKS: [&str; 5] =
    ["tool_use", "tool_result", "redacted_thinking", "document", "server_tool_use"];

/// The order in which formats are told: what only one has comes first.
const ORDER: [MessagesFormat; 6] = [
    MessagesFormat::Gemini,
    MessagesFormat::OpenAiResponses,
    MessagesFormat::AiSdkModel,
    MessagesFormat::AiSdk,
    MessagesFormat::Anthropic,
    MessagesFormat::ShareGpt,
];

/// The formats whose fields were seen in messages.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SeenFormats(u8);

impl SeenFormats {
    fn add(&mut self, format: MessagesFormat) {
        self.0 |= 1 << format as u8;
    }

    fn has(self, format: MessagesFormat) -> bool {
        self.0 & (1 << format as u8) != 0
    }

    /// What is seen in a list of messages.
    pub(crate) fn in_list(list: Option<Node<'_>>) -> SeenFormats {
        let mut seen = SeenFormats::default();
        for message in array(list).into_iter().flat_map(Node::children) {
            seen.see(message);
        }
        seen
    }

    /// Looks at a message.
    pub(crate) fn see(&mut self, message: Node<'_>) {
        if message.kind() != Kind::Object {
            return;
        }
        let names = ["type", "role", "parts", "content", "from", "value", "stop_reason"];
        let [kind, role, parts, content, from, value, stop] = pick(message, &names).values;
        if let Some(kind) = kind.and_then(Node::str) {
            let is_call = role.is_none() && (kind.ends_with("_call") || kind.ends_with("_output"));
            if is_call || ITEMS.contains(&&*kind) {
                // An answer of Anthropic's API is a `message`, too.
                let is_anthropic = kind == "message" && stop.is_some();
                self.add(match is_anthropic {
                    true => MessagesFormat::Anthropic,
                    false => MessagesFormat::OpenAiResponses,
                });
            }
        }
        if let Some(parts) = array(parts) {
            let is_typed = |part: Node<'_>| pick(part, &["type"]).values[0].is_some();
            let is_empty = parts.children().next().is_none();
            self.add(match is_empty || parts.children().any(is_typed) {
                true => MessagesFormat::AiSdk,
                false => MessagesFormat::Gemini,
            });
        }
        for block in array(content).into_iter().flat_map(Node::children) {
            self.see_block(block);
        }
        if from.is_some() && value.is_some() {
            self.add(MessagesFormat::ShareGpt);
        }
    }

    fn see_block(&mut self, block: Node<'_>) {
        let names =
            ["type", "toolCallId", "mediaType", "providerOptions", "image", "thinking", "source"];
        let [kind, call, media, options, image, thinking, source] = pick(block, &names).values;
        let Some(kind) = kind.and_then(Node::str) else { return };
        if INPUTS.contains(&&*kind) {
            self.add(MessagesFormat::OpenAiResponses);
        }
        let is_of_sdk = call.or(media).or(options).is_some();
        if is_of_sdk || (kind == "image" && image.is_some()) {
            self.add(MessagesFormat::AiSdkModel);
        }
        // Mistral's `thinking` is a list, in messages of Chat Completions.
        let is_thinking = kind == "thinking" && kind_of(thinking) == "a string";
        let is_image = kind == "image" && object(source).is_some();
        if is_thinking || is_image || BLOCKS.contains(&&*kind) {
            self.add(MessagesFormat::Anthropic);
        }
    }

    /// The format that was told; `None` if nothing tells it.
    pub(crate) fn format(self) -> Option<MessagesFormat> {
        ORDER.into_iter().find(|format| self.has(*format))
    }

    /// The same for the messages of a body.
    pub(crate) fn format_of_body(mut self, body: Node<'_>) -> Option<MessagesFormat> {
        let [contents, input, system] = pick(body, &["contents", "input", "system"]).values;
        if contents.is_some() {
            return Some(MessagesFormat::Gemini);
        }
        if input.is_some() {
            return Some(MessagesFormat::OpenAiResponses);
        }
        let is_other = self.has(MessagesFormat::ShareGpt) || self.has(MessagesFormat::AiSdkModel);
        if system.is_some() && !is_other {
            self.add(MessagesFormat::Anthropic);
        }
        self.format()
    }
}
