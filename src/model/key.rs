//! The field names and fixed words of the model, as small numbers.
//!
//! A name that crosses the boundary to JavaScript as a string costs more than the rule that asks
//! for it. Rules therefore name fields by [`Key`] and compare values with [`Word`]; each host turns
//! them into its own strings once.

macro_rules! names {
    ($(#[$meta:meta])* $name:ident { $($variant:ident = $text:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum $name {
            $(#[doc = concat!("`", $text, "`")] $variant,)+
        }

        impl $name {
            /// Every name, in the order of the discriminants.
            pub const ALL: &'static [$name] = &[$($name::$variant,)+];

            /// The name as it stands in JSON.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $($name::$variant => $text,)+ }
            }

            /// The name for this JSON string, if it is one of them.
            #[must_use]
            pub fn parse(text: &str) -> Option<$name> {
                match text { $($text => Some($name::$variant),)+ _ => None }
            }
        }
    };
}

names! {
    /// A field name that a rule asks for.
    Key {
        Aborted = "aborted",
        Agent = "agent",
        Attachments = "attachments",
        Attempt = "attempt",
        Auto = "auto",
        Body = "body",
        Cache = "cache",
        CallID = "callID",
        CallProviderMetadata = "callProviderMetadata",
        Character = "character",
        ClientName = "clientName",
        Command = "command",
        Compacted = "compacted",
        Completed = "completed",
        Cost = "cost",
        Created = "created",
        Cwd = "cwd",
        Data = "data",
        Description = "description",
        DoomLoop = "doomLoop",
        Diffs = "diffs",
        End = "end",
        EndTime = "endTime",
        Error = "error",
        ErrorText = "errorText",
        Filename = "filename",
        Files = "files",
        Finish = "finish",
        FirstPart = "firstPart",
        Flags = "flags",
        Format = "format",
        Hash = "hash",
        Id = "id",
        Ids = "ids",
        Ignored = "ignored",
        Info = "info",
        Input = "input",
        IsRetryable = "isRetryable",
        Iteration = "iteration",
        Kind = "kind",
        Line = "line",
        MaxBytes = "maxBytes",
        MaxDepth = "maxDepth",
        MediaType = "mediaType",
        Message = "message",
        MessageID = "messageID",
        Messages = "messages",
        Metadata = "metadata",
        Mime = "mime",
        Model = "model",
        ModelID = "modelID",
        Name = "name",
        OnDuplicate = "onDuplicate",
        OnProblem = "onProblem",
        Output = "output",
        Parameters = "parameters",
        ParentID = "parentID",
        Parts = "parts",
        Path = "path",
        Problems = "problems",
        Prompt = "prompt",
        ProviderID = "providerID",
        ProviderMetadata = "providerMetadata",
        Range = "range",
        Raw = "raw",
        Read = "read",
        Reason = "reason",
        Reasoning = "reasoning",
        ReasoningStartTime = "reasoningStartTime",
        ResponseBody = "responseBody",
        ResponseHeaders = "responseHeaders",
        Role = "role",
        Roles = "roles",
        Root = "root",
        RunId = "runId",
        SessionID = "sessionID",
        Sizes = "sizes",
        Snapshot = "snapshot",
        Source = "source",
        Start = "start",
        StartTime = "startTime",
        State = "state",
        Status = "status",
        StatusCode = "statusCode",
        Statuses = "statuses",
        StepCount = "stepCount",
        StepNumber = "stepNumber",
        Success = "success",
        Summary = "summary",
        Synthetic = "synthetic",
        System = "system",
        Text = "text",
        Time = "time",
        Timestamp = "timestamp",
        Title = "title",
        Tokens = "tokens",
        Tool = "tool",
        ToolCallHistory = "toolCallHistory",
        ToolCallId = "toolCallId",
        ToolName = "toolName",
        Tools = "tools",
        Total = "total",
        Type = "type",
        Types = "types",
        Uri = "uri",
        Url = "url",
        Valid = "valid",
        Value = "value",
        Variant = "variant",
        Write = "write",
    }
}

names! {
    /// A fixed string that a rule compares a value with, or writes.
    Word {
        // The twelve part types, in the order of the contract's union.
        Text = "text",
        Reasoning = "reasoning",
        Tool = "tool",
        StepStart = "step-start",
        StepFinish = "step-finish",
        File = "file",
        Subtask = "subtask",
        Agent = "agent",
        Compaction = "compaction",
        Retry = "retry",
        Snapshot = "snapshot",
        Patch = "patch",
        // Tool states.
        Pending = "pending",
        Running = "running",
        Completed = "completed",
        Error = "error",
        // Roles.
        User = "user",
        Assistant = "assistant",
        // Kinds of file source ("file" stands above).
        Symbol = "symbol",
        Resource = "resource",
        // OpenCode's named errors.
        ProviderAuthError = "ProviderAuthError",
        UnknownError = "UnknownError",
        MessageOutputLengthError = "MessageOutputLengthError",
        MessageAbortedError = "MessageAbortedError",
        StructuredOutputError = "StructuredOutputError",
        ContextOverflowError = "ContextOverflowError",
        ContentFilterError = "ContentFilterError",
        ApiError = "APIError",
        // Id styles.
        Apex = "apex",
        OpenCode = "opencode",
        // AI SDK UI messages, and MIME types that are left out of them.
        OutputAvailable = "output-available",
        OutputError = "output-error",
        TextPlain = "text/plain",
        Directory = "application/x-directory",
        ToolPrefix = "tool-",
        ToolSays = "Tool ",
        ReturnedAttachment = " returned an attachment:",
        ClearedOutput = "[Old tool result content cleared]",
        Interrupted = "[Tool execution was interrupted]",
        WhatDidWeDo = "What did we do so far?",
        ExecutedByUser = "The following tool was executed by the user",
        Nothing = "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parse_back() {
        for (i, key) in Key::ALL.iter().enumerate() {
            assert_eq!(Key::parse(key.as_str()), Some(*key));
            assert_eq!(*key as usize, i);
        }
        for (i, word) in Word::ALL.iter().enumerate() {
            assert_eq!(Word::parse(word.as_str()), Some(*word));
            assert_eq!(*word as usize, i);
        }
        assert_eq!(Key::parse("__proto__"), None);
        assert_eq!(Word::parse("texts"), None);
    }
}
