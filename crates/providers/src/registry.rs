//! The reader of each format.

use super::ai_sdk::messages as ai_sdk;
use super::ai_sdk_model::messages as ai_sdk_model;
use super::anthropic::messages as anthropic;
use super::gemini::messages as gemini;
use super::messages_format::MessagesFormat;
use super::messages_reader::MessagesReader;
use super::openai_chat::messages as openai_chat;
use super::openai_responses::messages as openai_responses;
use super::sharegpt::messages as sharegpt;

/// The reader of a format.
pub(crate) fn reader(format: MessagesFormat) -> MessagesReader {
    match format {
        MessagesFormat::Anthropic => anthropic::READER,
        MessagesFormat::OpenAiChat => openai_chat::READER,
        MessagesFormat::OpenAiResponses => openai_responses::READER,
        MessagesFormat::Gemini => gemini::READER,
        MessagesFormat::AiSdk => ai_sdk::READER,
        MessagesFormat::AiSdkModel => ai_sdk_model::READER,
        MessagesFormat::ShareGpt => sharegpt::READER,
    }
}
