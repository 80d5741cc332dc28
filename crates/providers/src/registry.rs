//! Which formats have their reader here.

use super::ai_sdk::messages as ai_sdk;
use super::ai_sdk_model::messages as ai_sdk_model;
use super::anthropic::messages as anthropic;
use super::gemini::messages as gemini;
use super::messages_format::MessagesFormat;
use super::messages_reader::MessagesReader;
use super::openai_chat::messages as openai_chat;
use super::openai_responses::messages as openai_responses;
use super::sharegpt::messages as sharegpt;

/// The reader of a format; `None` if it has none here.
pub(crate) fn reader(format: MessagesFormat) -> Option<MessagesReader> {
    match format {
        MessagesFormat::Anthropic => Some(anthropic::READER),
        MessagesFormat::OpenAiChat => Some(openai_chat::READER),
        MessagesFormat::OpenAiResponses => Some(openai_responses::READER),
        MessagesFormat::Gemini => Some(gemini::READER),
        MessagesFormat::AiSdk => Some(ai_sdk::READER),
        MessagesFormat::AiSdkModel => Some(ai_sdk_model::READER),
        MessagesFormat::ShareGpt => Some(sharegpt::READER),
    }
}
