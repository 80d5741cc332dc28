//! The field names and fixed words of the model, as small numbers.
//!
//! A name that crosses the boundary to JavaScript as a string costs more than the rule that asks
//! for it. Rules therefore name fields by [`Key`] and compare values with [`Word`]; each host turns
//! them into its own strings once.

use super::name_table::{Gram, HashTable, WIDTH, find, table};

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

            const TEXTS: &'static [&'static str] = &[$($text,)+];

            /// The name as written in JSON.
            #[must_use]
            #[inline]
            pub const fn as_str(self) -> &'static str {
                #[allow(clippy::indexing_slicing)] // there is a text for each
                $name::TEXTS[self as usize]
            }

            /// The name that this text is, if it is one of them.
            #[must_use]
            pub fn parse(text: &str) -> Option<$name> {
                $name::of(text.as_bytes())
            }

            /// The name that these bytes are, if they are one of them.
            #[must_use]
            #[inline]
            pub fn of(name: &[u8]) -> Option<$name> {
                $name::ALL.get(usize::from($name::code_of(name)).checked_sub(1)?).copied()
            }

            /// The same for a name inside `bytes`.
            #[must_use]
            #[inline]
            pub fn at(bytes: &[u8], start: usize, end: usize) -> Option<$name> {
                let code = $name::code_at(bytes, start, end);
                $name::ALL.get(usize::from(code).checked_sub(1)?).copied()
            }

            /// One more than the discriminant of the name that these bytes are; 0 if they are not a
            /// name.
            #[must_use]
            #[inline]
            pub fn code_of(name: &[u8]) -> u8 {
                let code = find($name::table(), Gram::new(name), name.len());
                if name.len() <= WIDTH {
                    return code;
                }
                let own = usize::from(code).checked_sub(1).and_then(|i| $name::TEXTS.get(i));
                if own.is_some_and(|own| own.as_bytes() == name) { code } else { 0 }
            }

            /// The same for a name inside `bytes`.
            #[must_use]
            #[inline(always)]
            pub fn code_at(bytes: &[u8], start: usize, end: usize) -> u8 {
                let length = end.saturating_sub(start);
                let block = bytes.get(start..).and_then(|rest| rest.first_chunk::<WIDTH>());
                match block.and_then(|block| Gram::in_block(block, length)) {
                    Some(gram) => find($name::table(), gram, length),
                    None => $name::code_of(bytes.get(start..end).unwrap_or_default()),
                }
            }

            #[inline]
            fn table() -> &'static HashTable {
                static TABLE: HashTable = table($name::TEXTS);
                &TABLE
            }
        }
    };
}

names! {
    /// A field name that a rule asks for.
    Key {
        Aborted = "aborted",
        Added = "added",
        Agent = "agent",
        AgentNames = "agentNames",
        Agents = "agents",
        AiSdk = "ai-sdk",
        Approval = "approval",
        Approved = "approved",
        Arguments = "arguments",
        Attachments = "attachments",
        Attempt = "attempt",
        Auto = "auto",
        Base = "base",
        Body = "body",
        Buffer = "buffer",
        Cache = "cache",
        CacheRead = "cacheRead",
        CacheWrite = "cacheWrite",
        CallID = "callID",
        CallProviderMetadata = "callProviderMetadata",
        Canceled = "canceled",
        Cancelled = "cancelled",
        Capped = "capped",
        CaseSensitive = "caseSensitive",
        Character = "character",
        Citations = "citations",
        ClientName = "clientName",
        Code = "code",
        Command = "command",
        Compacted = "compacted",
        CompactionContinue = "compaction_continue",
        CompactionID = "compactionID",
        CompactionReplay = "compaction_replay",
        Completed = "completed",
        Config = "config",
        Content = "content",
        Context = "context",
        Continue = "continue",
        Cost = "cost",
        Costs = "costs",
        Created = "created",
        Cwd = "cwd",
        Data = "data",
        Delta = "delta",
        Description = "description",
        Diff = "diff",
        Diffs = "diffs",
        DoomLoop = "doomLoop",
        Drop = "drop",
        End = "end",
        EndTime = "endTime",
        Ends = "ends",
        Error = "error",
        ErrorCode = "errorCode",
        ErrorText = "errorText",
        Estimator = "estimator",
        Exit = "exit",
        ExitCode = "exitCode",
        ExitCodeSnake = "exit_code",
        Exits = "exits",
        Factor = "factor",
        Facts = "facts",
        Field = "field",
        FieldNames = "fieldNames",
        Fields = "fields",
        Filename = "filename",
        Files = "files",
        Fingerprint = "fingerprint",
        Finish = "finish",
        FinishReason = "finishReason",
        FirstPart = "firstPart",
        Flags = "flags",
        Foot = "foot",
        Format = "format",
        From = "from",
        Hash = "hash",
        Head = "head",
        Headroom = "headroom",
        Id = "id",
        Ids = "ids",
        Ignored = "ignored",
        Info = "info",
        Input = "input",
        InputTokens = "inputTokens",
        Interrupted = "interrupted",
        IsError = "isError",
        IsErrorSnake = "is_error",
        IsRetryable = "isRetryable",
        Iteration = "iteration",
        Keep = "keep",
        Killed = "killed",
        Kind = "kind",
        Limit = "limit",
        Line = "line",
        MaxBytes = "maxBytes",
        MaxDepth = "maxDepth",
        Media = "media",
        MediaType = "mediaType",
        Message = "message",
        MessageID = "messageID",
        Messages = "messages",
        Meta = "meta",
        Metadata = "metadata",
        Mime = "mime",
        MimeType = "mimeType",
        Minimum = "minimum",
        Mode = "mode",
        Model = "model",
        ModelID = "modelID",
        ModelId = "modelId",
        Name = "name",
        Now = "now",
        OnDuplicate = "onDuplicate",
        OnProblem = "onProblem",
        Open = "open",
        Output = "output",
        OutputTokens = "outputTokens",
        Overflow = "overflow",
        Parameters = "parameters",
        ParentID = "parentID",
        Part = "part",
        PartID = "partID",
        PartIDs = "partIDs",
        Parts = "parts",
        Path = "path",
        Payload = "payload",
        PinUser = "pinUser",
        Pinned = "pinned",
        PreserveRecentTokens = "preserve_recent_tokens",
        PreviousSummary = "previousSummary",
        Prices = "prices",
        Problems = "problems",
        Prompt = "prompt",
        Properties = "properties",
        Protect = "protect",
        ProtectTurns = "protectTurns",
        ProtectedTools = "protectedTools",
        ProviderExecuted = "providerExecuted",
        ProviderID = "providerID",
        ProviderMetadata = "providerMetadata",
        Prune = "prune",
        Query = "query",
        Range = "range",
        Raw = "raw",
        RawArgsText = "rawArgsText",
        Read = "read",
        Reason = "reason",
        Reasoning = "reasoning",
        ReasoningStartTime = "reasoningStartTime",
        Regex = "regex",
        Reserved = "reserved",
        ResponseBody = "responseBody",
        ResponseHeaders = "responseHeaders",
        Result = "result",
        ResultProviderMetadata = "resultProviderMetadata",
        Reused = "reused",
        Role = "role",
        Roles = "roles",
        Root = "root",
        RunId = "runId",
        Sdk = "sdk",
        Session = "session",
        SessionID = "sessionID",
        Sessions = "sessions",
        Signal = "signal",
        Sizes = "sizes",
        Snapshot = "snapshot",
        Source = "source",
        Start = "start",
        StartTime = "startTime",
        Starts = "starts",
        State = "state",
        Status = "status",
        StatusCode = "statusCode",
        StatusCodeSnake = "status_code",
        Statuses = "statuses",
        StepCount = "stepCount",
        StepNumber = "stepNumber",
        StructuredContent = "structuredContent",
        SubtractReserved = "subtractReserved",
        Success = "success",
        Summarise = "summarise",
        Summary = "summary",
        Synthetic = "synthetic",
        System = "system",
        Tag = "tag",
        Tail = "tail",
        TailStart = "tail_start_id",
        TailStartID = "tailStartID",
        TailTurns = "tail_turns",
        Text = "text",
        ThinkTags = "thinkTags",
        Threshold = "threshold",
        Time = "time",
        TimedOut = "timedOut",
        TimedOutSnake = "timed_out",
        Timeout = "timeout",
        Timestamp = "timestamp",
        Title = "title",
        To = "to",
        Tokens = "tokens",
        Tool = "tool",
        ToolCallHistory = "toolCallHistory",
        ToolCallId = "toolCallId",
        ToolName = "toolName",
        ToolNames = "toolNames",
        ToolOutputMax = "toolOutputMax",
        ToolUseResult = "toolUseResult",
        Tools = "tools",
        Total = "total",
        TotalTokens = "totalTokens",
        Type = "type",
        Types = "types",
        Uri = "uri",
        Url = "url",
        Usable = "usable",
        Usage = "usage",
        Used = "used",
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
        // Kinds of file source ("file" is above).
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
        OutputDenied = "output-denied",
        ApprovalRequested = "approval-requested",
        ApprovalResponded = "approval-responded",
        Denied = "denied",
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
        // Messages of a run ("user", "assistant", "tool" and "text" are above).
        System = "system",
        Thinking = "thinking",
        ToolCall = "tool_call",
        ToolResult = "tool_result",
        Image = "image",
        FileRef = "file_ref",
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
        // Anything may follow a name.
        for rest in ["\"", "\":{\"id\":1}", "\":\"a long text that goes on\""] {
            for (i, key) in Key::ALL.iter().enumerate() {
                let (text, end) = (format!("{}{rest}", key.as_str()), key.as_str().len());
                assert_eq!(usize::from(Key::code_at(text.as_bytes(), 0, end)), i + 1, "{text}");
                assert_eq!(Key::code_at(text.as_bytes(), 0, end + 1), 0, "{text}");
            }
        }
        for odd in ["", "\0", "id\0", "idx", "callProviderMetaData", "callProv----Metadata"] {
            assert_eq!(Key::parse(odd), None);
            assert_eq!(
                Key::code_at(format!("{odd}\"                ").as_bytes(), 0, odd.len()),
                0
            );
        }
        assert_eq!(Key::parse("__proto__"), None);
        assert_eq!(Word::parse("texts"), None);
    }
}
