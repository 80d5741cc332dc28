//! Deltas: the one protocol in which a model's output arrives (seed 004), as the core passes them
//! from the readers of `wire` to the assembler.

use std::borrow::Cow;

/// A piece of streamed text. JSON may cut a text between the two halves of a surrogate pair: the
/// halves that stand at an edge are kept, so that two pieces can join; any other unpaired half is
/// U+FFFD already.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Piece<'a> {
    /// A low surrogate (0xDC00–0xDFFF) that stands before the text: the second half of a pair whose
    /// first half may have ended the piece before.
    pub low: Option<u16>,
    /// The text.
    pub text: Cow<'a, str>,
    /// A high surrogate (0xD800–0xDBFF) that stands behind the text: the first half of a pair whose
    /// second half may begin the next piece.
    pub high: Option<u16>,
}

impl<'a> From<&'a str> for Piece<'a> {
    fn from(text: &'a str) -> Self {
        Piece { low: None, text: Cow::Borrowed(text), high: None }
    }
}

impl From<String> for Piece<'static> {
    fn from(text: String) -> Self {
        Piece { low: None, text: Cow::Owned(text), high: None }
    }
}

/// What a delta says (spec/deltas.md, "Payloads"). Strings are borrowed from the bytes read where
/// that is possible.
#[derive(Clone, Debug, PartialEq)]
pub enum Payload<'a> {
    /// The stream begins (DC-1).
    Start {
        /// The model, as the provider names it; empty where it does not.
        model_id: Cow<'a, str>,
        /// The provider's id of the response; empty where it has none.
        request_id: Cow<'a, str>,
    },
    /// Text of the answer (DC-5).
    Text(Piece<'a>),
    /// Text of a thought (DC-5).
    Thinking(Piece<'a>),
    /// A tool call begins.
    ToolCallStart {
        /// Its id, unique in the run (DC-8).
        id: Cow<'a, str>,
        /// The tool.
        name: Cow<'a, str>,
    },
    /// More of the JSON text of a call's arguments (DC-6).
    ToolCallArgs {
        /// The call.
        id: Cow<'a, str>,
        /// JSON text. (Free-text input of a custom tool comes as the text of a JSON string.)
        text: Piece<'a>,
    },
    /// A call's arguments are whole (DC-7).
    ToolCallEnd {
        /// The call.
        id: Cow<'a, str>,
    },
    /// Tokens and money used since the usage before it (DC-11).
    Usage(Usage),
    /// The stream ended well (DC-2).
    Done {
        /// Why, as the provider says it.
        finish_reason: Cow<'a, str>,
    },
    /// The stream failed (DC-2, DC-12).
    Error {
        /// A code or type.
        code: Cow<'a, str>,
        /// What it says.
        message: Option<Cow<'a, str>>,
        /// Sending the request again may help.
        retryable: Option<bool>,
    },
}

/// Increments of usage. `input` counts all input, cached included; `output` all output, reasoning
/// included.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usage {
    /// Tokens sent.
    pub input: f64,
    /// Tokens received.
    pub output: f64,
    /// Their sum.
    pub total: f64,
    /// US dollars.
    pub cost: Option<f64>,
    /// Of the input, read from the cache.
    pub cache_read: Option<f64>,
    /// Of the input, written to the cache.
    pub cache_write: Option<f64>,
    /// Of the output, thoughts.
    pub reasoning: Option<f64>,
}

impl Usage {
    /// Is one of the counts, or the cost, below 0?
    #[must_use]
    pub fn is_negative(&self) -> bool {
        let needed = [self.input, self.output, self.total].map(Some);
        let others = [self.cost, self.cache_read, self.cache_write, self.reasoning];
        needed.into_iter().chain(others).flatten().any(|count| count < 0.0)
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, more: Usage) -> Usage {
        // What is not finite JSON cannot say.
        let sum = |a: f64, b: f64| (a + b).clamp(f64::MIN, f64::MAX);
        let also = |a: Option<f64>, b: Option<f64>| match (a, b) {
            (Some(a), Some(b)) => Some(sum(a, b)),
            (a, b) => a.or(b),
        };
        Usage {
            input: sum(self.input, more.input),
            output: sum(self.output, more.output),
            total: sum(self.total, more.total),
            cost: also(self.cost, more.cost),
            cache_read: also(self.cache_read, more.cache_read),
            cache_write: also(self.cache_write, more.cache_write),
            reasoning: also(self.reasoning, more.reasoning),
        }
    }
}

/// What a reader says: a delta, or something that the model has a place for only in `meta`.
#[derive(Clone, Debug, PartialEq)]
pub enum ReaderOutput<'a> {
    /// A delta.
    Delta(Payload<'a>),
    /// The output of a tool that the stream carries: `meta.toolResults`.
    ToolResult {
        /// The call.
        id: Cow<'a, str>,
        /// It failed.
        is_error: bool,
        /// What it gave back, as JSON text: a tree would not keep the order of its fields.
        content: Cow<'a, str>,
    },
    /// Anthropic's compaction block: `meta.compaction`.
    Compaction(serde_json::Value),
    /// A field that the model has no place for: `meta.provider[name]`.
    Provider {
        /// Its name.
        name: Cow<'static, str>,
        /// Its value.
        value: serde_json::Value,
        /// What becomes of the value that the name had.
        keep: MergePolicy,
    },
    /// Something was left out or replaced; nothing stops for it.
    Warning {
        /// `json` or `limit`.
        rule: &'static str,
        /// What, in plain words.
        message: Cow<'static, str>,
    },
    /// The stream is not what it was said to be.
    Wrong {
        /// What it is, in plain words.
        message: String,
    },
}

/// What becomes of a field's value in `meta.provider` when its name comes again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MergePolicy {
    /// The new one replaces it.
    Last,
    /// Each is one more element of a list.
    All,
    /// The fields of the new object replace those of the same names.
    Fields,
}

/// A delta with its envelope, as it stands in a stream.
#[derive(Clone, Debug, PartialEq)]
pub struct Delta<'a> {
    /// The run.
    pub run_id: Cow<'a, str>,
    /// Its place in the stream (DC-3).
    pub seq: i64,
    /// What it says.
    pub what: DeltaContent<'a>,
    /// `payload.meta` of a `done` or `error`: the JSON text of an object with what the message has
    /// beyond parts, finish reason and usage.
    pub meta: Option<Cow<'a, str>>,
    /// When, as ISO 8601 has it.
    pub timestamp: Cow<'a, str>,
}

/// What a delta in a stream says.
#[derive(Clone, Debug, PartialEq)]
pub enum DeltaContent<'a> {
    /// Something that the contract knows.
    Known(Payload<'a>),
    /// A `kind` that it does not (DC-15).
    Unknown(Cow<'a, str>),
}
