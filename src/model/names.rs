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
    gram: Gram,
    length: u8,
    /// One more than its number; 0 where the slot is empty.
    code: u8,
}
type HashTable = [Slot; SLOTS];

/// A name in two words: all of it where it has no more than sixteen bytes, behind it zeros; else its
/// first eight and its last.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Gram(u64, u64);

const WIDTH: usize = 16;

impl Gram {
    #[inline]
    const fn of(name: &[u8]) -> Gram {
        if let (Some(first), Some(last)) = (name.first_chunk::<8>(), name.last_chunk::<8>()) {
            let (first, last) = (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
            return match name.len() {
                8 => Gram(first, 0),
                9..=15 => Gram(first, last >> (8 * (WIDTH - name.len()))),
                _ => Gram(first, last),
            };
        }
        if let (Some(first), Some(last)) = (name.first_chunk::<4>(), name.last_chunk::<4>()) {
            let last = (u32::from_le_bytes(*last) as u64) << (8 * (name.len() - 4));
            return Gram(u32::from_le_bytes(*first) as u64 | last, 0);
        }
        let word = match name {
            [a, b, c, ..] => *a as u64 | (*b as u64) << 8 | (*c as u64) << 16,
            [a, b] => *a as u64 | (*b as u64) << 8,
            [a] => *a as u64,
            [] => 0,
        };
        Gram(word, 0)
    }

    /// That of a name of at most sixteen bytes with which the block begins: no branch depends on
    /// how long it is.
    #[inline]
    fn in_block(block: &[u8; WIDTH], length: usize) -> Option<Gram> {
        let Gram(first, last) = MASKS.get(length)?;
        let (halves, _) = block.as_chunks::<8>();
        let half = |i: usize| halves.get(i).map_or(0, |half| u64::from_le_bytes(*half));
        Some(Gram(half(0) & first, half(1) & last))
    }
}

/// The bytes of a name, by its length.
static MASKS: [Gram; WIDTH + 1] = masks();

#[allow(clippy::indexing_slicing)] // when it is compiled
const fn masks() -> [Gram; WIDTH + 1] {
    let mut masks = [Gram(0, 0); WIDTH + 1];
    let ones = [u8::MAX; WIDTH];
    let mut length = 0;
    while length <= WIDTH {
        masks[length] = Gram::of(ones.split_at(length).0);
        length += 1;
    }
    masks
}

#[inline]
const fn slot_of(Gram(first, last): Gram, length: usize) -> usize {
    let mixed = (first ^ last.rotate_left(31) ^ length as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    #[allow(clippy::cast_possible_truncation)] // nine bits
    let slot = (mixed >> 55) as usize;
    slot
}

#[inline]
fn find(table: &HashTable, gram: Gram, length: usize) -> u8 {
    let mut slot = slot_of(gram, length);
    loop {
        let Some(found) = table.get(slot % SLOTS).filter(|found| found.code > 0) else { return 0 };
        if found.gram == gram && usize::from(found.length) == length {
            return found.code;
        }
        slot += 1;
    }
}

#[allow(clippy::indexing_slicing, clippy::cast_possible_truncation)] // when it is compiled
const fn table(names: &[&str]) -> HashTable {
    assert!(names.len() < SLOTS / 2 && names.len() < u8::MAX as usize);
    let mut table = [Slot { gram: Gram(0, 0), length: 0, code: 0 }; SLOTS];
    let mut n = 0;
    while n < names.len() {
        let name = names[n].as_bytes();
        assert!(name.len() < u8::MAX as usize);
        let gram = Gram::of(name);
        let mut slot = slot_of(gram, name.len());
        while table[slot % SLOTS].code > 0 {
            slot += 1;
        }
        let (length, code) = (name.len() as u8, n as u8 + 1);
        table[slot % SLOTS] = Slot { gram, length, code };
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

            /// The same for a name that stands somewhere in `bytes`.
            #[must_use]
            #[inline]
            pub fn at(bytes: &[u8], start: usize, end: usize) -> Option<$name> {
                let code = $name::code_at(bytes, start, end);
                $name::ALL.get(usize::from(code).checked_sub(1)?).copied()
            }

            /// One more than the discriminant of the name that these bytes are; 0 where they are
            /// none.
            #[must_use]
            #[inline]
            pub fn code_of(name: &[u8]) -> u8 {
                let code = find($name::table(), Gram::of(name), name.len());
                if name.len() <= WIDTH {
                    return code;
                }
                let own = usize::from(code).checked_sub(1).and_then(|i| $name::TEXTS.get(i));
                if own.is_some_and(|own| own.as_bytes() == name) { code } else { 0 }
            }

            /// The same for a name that stands somewhere in `bytes`.
            #[must_use]
            #[inline]
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
        Capped = "capped",
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
        FieldNames = "fieldNames",
        Fields = "fields",
        Filename = "filename",
        Files = "files",
        Finish = "finish",
        FinishReason = "finishReason",
        FirstPart = "firstPart",
        Flags = "flags",
        Foot = "foot",
        Format = "format",
        From = "from",
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
        To = "to",
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
        // Behind a name anything may stand.
        for behind in ["\"", "\":{\"id\":1}", "\":\"a long text that goes on\""] {
            for (i, key) in Key::ALL.iter().enumerate() {
                let (text, end) = (format!("{}{behind}", key.as_str()), key.as_str().len());
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
