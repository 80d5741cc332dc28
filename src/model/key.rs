//! The field names and fixed words of the model, as small numbers.
//!
//! A name that crosses the boundary to JavaScript as a string costs more than the rule that asks
//! for it. Rules therefore name fields by [`Key`] and compare values with [`Word`]; each host turns
//! them into its own strings once.

/// More than twice as many as there are names of a kind, so that most are found at once.
const SLOTS: usize = 1 << 9;

/// A name in a table.
#[derive(Clone, Copy)]
struct Slot {
    gram: u64,
    /// The last eight bytes of a name that is longer.
    last: u64,
    length: u8,
    /// One more than its number; 0 where the slot is empty.
    code: u8,
}
type Table = [Slot; SLOTS];

/// Some of the bytes of a name: all of them where there are no more than eight.
#[inline]
const fn gram(name: &[u8]) -> u64 {
    if let (Some(first), Some(last)) = (name.first_chunk::<8>(), name.last_chunk::<8>()) {
        return u64::from_le_bytes(*first) ^ u64::from_le_bytes(*last).rotate_left(31);
    }
    if let (Some(first), Some(last)) = (name.first_chunk::<4>(), name.last_chunk::<4>()) {
        return u32::from_le_bytes(*first) as u64 | (u32::from_le_bytes(*last) as u64) << 32;
    }
    match name {
        [a, b, c, ..] => *a as u64 | (*b as u64) << 8 | (*c as u64) << 16,
        [a, b] => *a as u64 | (*b as u64) << 8,
        [a] => *a as u64,
        [] => 0,
    }
}

#[inline]
const fn slot_of(gram: u64, length: usize) -> usize {
    let mixed = (gram ^ length as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    #[allow(clippy::cast_possible_truncation)] // nine bits
    let slot = (mixed >> 55) as usize;
    slot
}

const fn last_of(name: &[u8]) -> u64 {
    match name.last_chunk::<8>() {
        Some(last) => u64::from_le_bytes(*last),
        None => 0,
    }
}

#[inline]
fn find(table: &Table, names: &[&str], name: &[u8]) -> u8 {
    let gram = gram(name);
    let mut slot = slot_of(gram, name.len());
    loop {
        let Some(found) = table.get(slot % SLOTS).filter(|found| found.code > 0) else { return 0 };
        // Up to eight bytes are all in the gram; up to sixteen, the first follow from the last.
        let same = found.gram == gram
            && usize::from(found.length) == name.len()
            && found.last == last_of(name)
            && (name.len() <= 16 || {
                let own = names.get(usize::from(found.code) - 1);
                own.is_some_and(|own| own.as_bytes() == name)
            });
        if same {
            return found.code;
        }
        slot += 1;
    }
}

#[allow(clippy::indexing_slicing, clippy::cast_possible_truncation)] // when it is compiled
const fn table(names: &[&str]) -> Table {
    assert!(names.len() < SLOTS / 2 && names.len() < u8::MAX as usize);
    let mut table = [Slot { gram: 0, last: 0, length: 0, code: 0 }; SLOTS];
    let mut n = 0;
    while n < names.len() {
        let name = names[n].as_bytes();
        assert!(name.len() < u8::MAX as usize);
        let gram = gram(name);
        let mut slot = slot_of(gram, name.len());
        while table[slot % SLOTS].code > 0 {
            slot += 1;
        }
        let (length, code) = (name.len() as u8, n as u8 + 1);
        table[slot % SLOTS] = Slot { gram, last: last_of(name), length, code };
        n += 1;
    }
    table
}

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

            /// The name as it stands in JSON.
            #[must_use]
            #[inline]
            pub const fn as_str(self) -> &'static str {
                #[allow(clippy::indexing_slicing)] // there is a text for each
                $name::TEXTS[self as usize]
            }

            /// The name for this JSON string, if it is one of them.
            #[must_use]
            pub fn parse(text: &str) -> Option<$name> {
                $name::of(text.as_bytes())
            }

            /// The name that these bytes are, if they are one.
            #[must_use]
            #[inline]
            pub fn of(name: &[u8]) -> Option<$name> {
                $name::ALL.get(usize::from($name::code_of(name)).checked_sub(1)?).copied()
            }

            /// One more than the discriminant of the name that these bytes are; 0 where they are
            /// none.
            #[must_use]
            #[inline]
            pub fn code_of(name: &[u8]) -> u8 {
                static TABLE: Table = table($name::TEXTS);
                find(&TABLE, $name::TEXTS, name)
            }
        }
    };
}

names! {
    /// A field name that a rule asks for.
    Key {
        Aborted = "aborted",
        Agent = "agent",
        AgentNames = "agentNames",
        Agents = "agents",
        Arguments = "arguments",
        Attachments = "attachments",
        Attempt = "attempt",
        Auto = "auto",
        Body = "body",
        Cache = "cache",
        CallID = "callID",
        CallProviderMetadata = "callProviderMetadata",
        CaseSensitive = "caseSensitive",
        Character = "character",
        ClientName = "clientName",
        Command = "command",
        Compacted = "compacted",
        Completed = "completed",
        Content = "content",
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
        End = "end",
        EndTime = "endTime",
        Ends = "ends",
        Error = "error",
        ErrorCode = "errorCode",
        ErrorText = "errorText",
        Facts = "facts",
        Field = "field",
        Filename = "filename",
        Files = "files",
        Finish = "finish",
        FinishReason = "finishReason",
        FirstPart = "firstPart",
        Flags = "flags",
        Foot = "foot",
        Format = "format",
        Hash = "hash",
        Head = "head",
        Id = "id",
        Ids = "ids",
        Ignored = "ignored",
        Info = "info",
        Input = "input",
        InputTokens = "inputTokens",
        IsError = "isError",
        IsRetryable = "isRetryable",
        Iteration = "iteration",
        Kind = "kind",
        Limit = "limit",
        Line = "line",
        MaxBytes = "maxBytes",
        MaxDepth = "maxDepth",
        MediaType = "mediaType",
        Message = "message",
        MessageID = "messageID",
        Messages = "messages",
        Meta = "meta",
        Metadata = "metadata",
        Mime = "mime",
        MimeType = "mimeType",
        Model = "model",
        ModelID = "modelID",
        ModelId = "modelId",
        Name = "name",
        OnDuplicate = "onDuplicate",
        OnProblem = "onProblem",
        Output = "output",
        OutputTokens = "outputTokens",
        Parameters = "parameters",
        ParentID = "parentID",
        Part = "part",
        PartID = "partID",
        Parts = "parts",
        Path = "path",
        Payload = "payload",
        Problems = "problems",
        Prompt = "prompt",
        Properties = "properties",
        ProviderID = "providerID",
        ProviderMetadata = "providerMetadata",
        Range = "range",
        Raw = "raw",
        RawArgsText = "rawArgsText",
        Read = "read",
        Reason = "reason",
        Reasoning = "reasoning",
        ReasoningStartTime = "reasoningStartTime",
        ResponseBody = "responseBody",
        ResponseHeaders = "responseHeaders",
        Regex = "regex",
        Role = "role",
        Roles = "roles",
        Root = "root",
        RunId = "runId",
        SessionID = "sessionID",
        Sessions = "sessions",
        Sizes = "sizes",
        Snapshot = "snapshot",
        Source = "source",
        Start = "start",
        StartTime = "startTime",
        Starts = "starts",
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
        ToolNames = "toolNames",
        Tools = "tools",
        Total = "total",
        TotalTokens = "totalTokens",
        Type = "type",
        Types = "types",
        Uri = "uri",
        Url = "url",
        Usage = "usage",
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
        // Messages of a run ("user", "assistant", "tool", "text" stand above).
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
        assert_eq!(Key::parse("__proto__"), None);
        assert_eq!(Word::parse("texts"), None);
    }
}
