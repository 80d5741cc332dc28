//! The kinds of file.

use crate::validate::Ids;
use crate::wire::WireFormat;

/// The kinds of file that are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// `opencode export`: `{info, messages: [{info, parts}]}`.
    OpenCodeExport,
    /// The events of an OpenCode server, as SSE or one a line.
    OpenCodeEvents,
    /// What `opencode run --format json` prints.
    OpenCodeRun,
    /// Messages with their parts: a JSON array, or one a line.
    WithParts,
    /// Messages as the assembler makes them: a JSON array, or one a line.
    Messages,
    /// A session of Claude Code.
    ClaudeCode,
    /// A recorded stream of deltas or of a provider: a message a response.
    Stream(WireFormat),
}

impl Format {
    /// The names of all formats in the API.
    pub const NAMES: [&str; 13] = [
        "opencode-export",
        "opencode-events",
        "opencode-run",
        "with-parts",
        "messages",
        "deltas",
        "claude-code",
        "anthropic",
        "openai-chat",
        "openai-responses",
        "gemini",
        "ai-sdk",
        "apex-bridge",
    ];

    /// The format's name in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Format::OpenCodeExport => "opencode-export",
            Format::OpenCodeEvents => "opencode-events",
            Format::OpenCodeRun => "opencode-run",
            Format::WithParts => "with-parts",
            Format::Messages => "messages",
            Format::ClaudeCode => "claude-code",
            Format::Stream(WireFormat::Delta) => "deltas",
            Format::Stream(format) => format.as_str(),
        }
    }

    /// The format of this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Format> {
        match name {
            "opencode-export" => Some(Format::OpenCodeExport),
            "opencode-events" => Some(Format::OpenCodeEvents),
            "opencode-run" => Some(Format::OpenCodeRun),
            "with-parts" => Some(Format::WithParts),
            "messages" => Some(Format::Messages),
            "claude-code" => Some(Format::ClaudeCode),
            "deltas" => Some(Format::Stream(WireFormat::Delta)),
            "delta" => None,
            name => WireFormat::parse(name).map(Format::Stream),
        }
    }

    pub(crate) const fn ids(self) -> Ids {
        match self {
            Format::OpenCodeExport
            | Format::OpenCodeEvents
            | Format::OpenCodeRun
            | Format::ClaudeCode => Ids::OpenCode,
            Format::WithParts | Format::Messages | Format::Stream(_) => Ids::Apex,
        }
    }
}
