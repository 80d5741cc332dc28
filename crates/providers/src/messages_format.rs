//! [`MessagesFormat`]: the formats of messages.

/// Whose messages they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessagesFormat {
    /// Messages of Anthropic's Messages API.
    Anthropic,
    /// Messages of OpenAI's Chat Completions API and of those like it.
    OpenAiChat,
    /// Items of OpenAI's Responses API.
    OpenAiResponses,
    /// Contents of Gemini's API.
    Gemini,
    /// `UIMessage`s of the AI SDK.
    AiSdk,
    /// `ModelMessage`s of the AI SDK.
    AiSdkModel,
    /// Conversations of ShareGPT.
    ShareGpt,
}

impl MessagesFormat {
    /// All of them.
    pub const ALL: [MessagesFormat; 7] = [
        MessagesFormat::Anthropic,
        MessagesFormat::OpenAiChat,
        MessagesFormat::OpenAiResponses,
        MessagesFormat::Gemini,
        MessagesFormat::AiSdk,
        MessagesFormat::AiSdkModel,
        MessagesFormat::ShareGpt,
    ];

    /// The format of this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<MessagesFormat> {
        MessagesFormat::ALL.into_iter().find(|format| format.as_str() == name)
    }

    /// Its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            MessagesFormat::Anthropic => "anthropic",
            MessagesFormat::OpenAiChat => "openai-chat",
            MessagesFormat::OpenAiResponses => "openai-responses",
            MessagesFormat::Gemini => "gemini",
            MessagesFormat::AiSdk => "ai-sdk",
            MessagesFormat::AiSdkModel => "ai-sdk-model",
            MessagesFormat::ShareGpt => "sharegpt",
        }
    }
}
