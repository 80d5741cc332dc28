//! Deltas: the one protocol for the output of all models, as the readers of `wire` pass
//! them to the assembler.

use std::borrow::Cow;

/// A piece of streamed text. JSON may cut a text between the two halves of a surrogate pair: a half
/// at an edge is kept, so that it can be joined with the next piece. Any other unpaired half has
/// been replaced by U+FFFD.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Piece<'a> {
    /// A low surrogate (0xDC00–0xDFFF) before the text: the second half of a pair whose first half
    /// may have ended the previous piece.
    pub low: Option<u16>,
    /// The text.
    pub text: Cow<'a, str>,
    /// A high surrogate (0xD800–0xDBFF) after the text: the first half of a pair whose second half
    /// may begin the next piece.
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

/// The payload of a delta (docs/streams.md). Strings are borrowed from the bytes read if
/// possible.
#[derive(Clone, Debug, PartialEq)]
pub enum Payload<'a> {
    /// The stream begins (DC-1).
    Start {
        /// The provider's name of the model; empty if it gives none.
        model_id: Cow<'a, str>,
        /// The provider's id of the response; empty if it gives none.
        request_id: Cow<'a, str>,
    },
    /// Text of the answer (DC-5).
    Text(Piece<'a>),
    /// Text of the reasoning (DC-5).
    Thinking(Piece<'a>),
    /// Text of the answer or of the reasoning that has a block or state of its provider (DC-5).
    /// Boxed, because it is rare and large.
    Block(Box<BlockDelta<'a>>),
    /// A tool call begins.
    ToolCallStart {
        /// The id of the call, unique in the run (DC-8).
        id: Cow<'a, str>,
        /// The name of the tool.
        name: Cow<'a, str>,
        /// The provider's state of the call, as [`BlockDelta::provider`]. If it has the key `openai` or
        /// `openaiCompatible`, even as `{"openai":{}}`, the argument text is kept as well where
        /// `JSON.stringify` would write it otherwise: as the field `arguments` of that key. It is not
        /// kept if that key has an `item`, which contains it.
        provider: Option<Cow<'a, str>>,
    },
    /// More of the JSON text of a call's arguments (DC-6).
    ToolCallArgs {
        /// The id of the call.
        id: Cow<'a, str>,
        /// A piece of JSON text. (The free-text input of a custom tool is a JSON string.)
        text: Piece<'a>,
    },
    /// The arguments of a call are complete (DC-7).
    ToolCallEnd {
        /// The id of the call.
        id: Cow<'a, str>,
        /// More of the provider's state of the call, as [`BlockDelta::provider`].
        provider: Option<Cow<'a, str>>,
    },
    /// A part that no other kind describes.
    Custom {
        /// Its type, such as `anthropic-fallback`.
        name: Cow<'a, str>,
        /// As [`BlockDelta::block`]: of one type and block there is one part, and later content replaces fields of it.
        block: Option<Cow<'a, str>>,
        /// Its content, as [`BlockDelta::provider`].
        provider: Cow<'a, str>,
    },
    /// Parts are taken back: those that began with a delta of this number or a later one.
    Reset {
        /// The number of the first delta that is taken back.
        since: i64,
    },
    /// Tokens and money used since the last usage (DC-11).
    Usage(Usage),
    /// The stream ended well (DC-2).
    Done {
        /// The reason, in the provider's word.
        finish_reason: Cow<'a, str>,
    },
    /// The stream failed (DC-2, DC-12). Boxed, because it is rare and large.
    Error(Box<StreamError<'a>>),
}

/// Whether text is the answer's or the reasoning's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BlockKind {
    /// Text of the answer.
    Text,
    /// Text of the reasoning.
    Thinking,
}

/// Text with a block or with state of its provider.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockDelta<'a> {
    /// What the text is.
    pub kind: BlockKind,
    /// The text; it may be empty. An empty text makes a part too.
    pub text: Piece<'a>,
    /// The block, as JSON text of a number or a string, such as `3` or `"txt-0"`: texts of one kind
    /// and block go to one part, whatever has begun since, and another block is another part. Without
    /// it the text goes to the last part, if that is of its kind. A [`Payload::Text`] or
    /// [`Payload::Thinking`] continues the last part too, be it a block or not.
    pub block: Option<Cow<'a, str>>,
    /// The provider's state of the part, as JSON text of an object of objects by key:
    /// `{"anthropic":{"signature":"…"}}`. A field replaces an earlier one of its key and name;
    /// nothing is joined. The order of the fields is kept.
    pub provider: Option<Cow<'a, str>>,
}

/// How a stream failed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StreamError<'a> {
    /// The code or type of the error.
    pub code: Cow<'a, str>,
    /// The message of the error.
    pub message: Option<Cow<'a, str>>,
    /// Whether sending the request again may help.
    pub retryable: Option<bool>,
    /// The parameter of the request that the error is about.
    pub param: Option<Cow<'a, str>>,
    /// The provider's id of the request that failed.
    pub request_id: Option<Cow<'a, str>>,
    /// The number of milliseconds after which the request may be sent again.
    pub retry_after_ms: Option<f64>,
    /// The provider's error object as JSON text, as it came.
    pub details: Option<Cow<'a, str>>,
}

impl StreamError<'_> {
    /// The same error, which borrows nothing.
    #[must_use]
    pub fn into_owned(self) -> StreamError<'static> {
        let owned = |text: Option<Cow<'_, str>>| text.map(|text| Cow::Owned(text.into_owned()));
        StreamError {
            code: Cow::Owned(self.code.into_owned()),
            message: owned(self.message),
            retryable: self.retryable,
            param: owned(self.param),
            request_id: owned(self.request_id),
            retry_after_ms: self.retry_after_ms,
            details: owned(self.details),
        }
    }

    /// The number of bytes of text in it.
    #[must_use]
    pub fn size(&self) -> usize {
        let texts = [&self.message, &self.param, &self.request_id, &self.details];
        self.code.len() + texts.into_iter().flatten().map(|text| text.len()).sum::<usize>()
    }
}

/// Increments of usage. `input` includes cached input, and `output` reasoning.
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
    /// The part of `input` that was read from the cache.
    pub cache_read: Option<f64>,
    /// The part of `input` that was written to the cache.
    pub cache_write: Option<f64>,
    /// The part of `output` that was reasoning.
    pub reasoning: Option<f64>,
}

impl Usage {
    /// Is a count or the cost below 0?
    #[must_use]
    pub fn is_negative(&self) -> bool {
        let needed = [self.input, self.output, self.total].map(Some);
        let others = [self.cost, self.cache_read, self.cache_write, self.reasoning];
        needed.into_iter().chain(others).flatten().any(|count| count < 0.0)
    }

    /// The sum of both; a field that only one of them has keeps that value.
    #[must_use]
    pub fn plus(self, more: Usage) -> Usage {
        // Clamped, because JSON has no infinity.
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

/// An output of a provider's reader: a delta, a field for `meta`, or something wrong.
#[derive(Clone, Debug, PartialEq)]
pub enum ReaderOutput<'a> {
    /// A delta.
    Delta(Payload<'a>),
    /// The output of a tool that ran on the provider's side, for `meta.toolResults`.
    ToolResult {
        /// The id of the call.
        id: Cow<'a, str>,
        /// Whether the tool failed.
        is_error: bool,
        /// The output as JSON text, which keeps the order of its fields.
        content: Cow<'a, str>,
        /// More of the provider's state of the call, as [`BlockDelta::provider`].
        provider: Option<Cow<'a, str>>,
    },
    /// A step of the message begins: what follows can be taken back by [`ReaderOutput::ResetStep`].
    Step,
    /// What has come since the last [`ReaderOutput::Step`] is taken back, else all parts.
    ResetStep,
    /// The ids of the model and of the response, which come after the start; empty if there is none.
    Ids {
        /// The provider's name of the model.
        model_id: Cow<'a, str>,
        /// The provider's id of the response.
        request_id: Cow<'a, str>,
    },
    /// The key of a provider: what `meta.provider` has once is its state of the whole message.
    StateKey(&'static str),
    /// Anthropic's compaction block, for `meta.compaction`.
    Compaction(serde_json::Value),
    /// A field that the model does not name, for `meta.provider[name]`.
    Provider {
        /// Its name.
        name: Cow<'static, str>,
        /// Its value.
        value: serde_json::Value,
        /// How it is merged with an earlier value of the same name.
        keep: MergePolicy,
    },
    /// A text is said whole, after its pieces (W-70).
    WholeText(Box<WholeText<'a>>),
    /// The arguments of a call are said whole, after their pieces (W-70).
    WholeCall(Box<WholeCall<'a>>),
    /// The new parts that follow stand before this one; or, with `None`, where they stood before the last `Place`.
    Place(Option<WholePlace<'a>>),
    /// Something was left out or replaced; the stream goes on.
    Warning {
        /// The rule: `json` or `limit`.
        rule: &'static str,
        /// What was left out or replaced, in English.
        message: Cow<'static, str>,
    },
    /// The stream is not of the format that it was opened with.
    Wrong {
        /// What it is instead, in English.
        message: String,
    },
}

/// A whole text, which is compared with its pieces.
#[derive(Clone, Debug, PartialEq)]
pub struct WholeText<'a> {
    /// The kind of the block.
    pub kind: BlockKind,
    /// The block, as [`BlockDelta::block`].
    pub block: Cow<'a, str>,
    /// The text; or what it is split into, with the kind of each.
    pub texts: Vec<(BlockKind, Cow<'a, str>)>,
    /// Text between tags is reasoning, so that the block may be several parts.
    pub is_split: bool,
    /// The id of the item that has it, for a warning.
    pub item: Cow<'a, str>,
}

impl<'a> WholeText<'a> {
    /// A text that is one part.
    #[must_use]
    pub fn new(kind: BlockKind, block: String, text: Cow<'a, str>, item: &'a str) -> WholeText<'a> {
        let texts = vec![(kind, text)];
        WholeText { kind, block: block.into(), texts, is_split: false, item: item.into() }
    }
}

/// The whole arguments of a call, which are compared with their pieces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WholeCall<'a> {
    /// The id of the call.
    pub id: Cow<'a, str>,
    /// So many bytes of the pieces stand before `args`.
    pub head: usize,
    /// The arguments as JSON text, or what follows `head`.
    pub args: Cow<'a, str>,
    /// What follows `args`; it has not come as a piece yet, and is not compared.
    pub tail: Cow<'a, str>,
    /// The name of the tool, if it is said again.
    pub name: Option<Cow<'a, str>>,
    /// It is usual that the tool gets other arguments than the model wrote: what it wrote is kept in `meta.provider`.
    pub is_usual: bool,
    /// The id that a warning names.
    pub item: Cow<'a, str>,
}

/// A part that has been read.
#[derive(Clone, Debug, PartialEq)]
pub enum WholePlace<'a> {
    /// That of a block of text.
    Block {
        /// The kind of the block.
        kind: BlockKind,
        /// The block, as [`BlockDelta::block`].
        block: Cow<'a, str>,
    },
    /// That of a call.
    Call {
        /// Its id.
        id: Cow<'a, str>,
    },
    /// That of a block of a part of its own type.
    Custom {
        /// Its type.
        name: Cow<'a, str>,
        /// The block, as [`BlockDelta::block`].
        block: Cow<'a, str>,
    },
}

impl WholePlace<'_> {
    /// The same with texts of its own.
    #[must_use]
    pub fn into_owned(self) -> WholePlace<'static> {
        let own = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        match self {
            WholePlace::Block { kind, block } => WholePlace::Block { kind, block: own(block) },
            WholePlace::Call { id } => WholePlace::Call { id: own(id) },
            WholePlace::Custom { name, block } => {
                WholePlace::Custom { name: own(name), block: own(block) }
            }
        }
    }
}

/// How a field of `meta.provider` is merged with an earlier value of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MergePolicy {
    /// The new value replaces the earlier one.
    Last,
    /// All values are collected in a list.
    All,
    /// The fields of the new object replace those of the same names.
    Fields,
    /// As `Fields`, and the same within objects. Names that a prototype has are left out.
    Deep,
    /// All objects are collected in a list, each with its place among the parts.
    Placed,
    /// The value replaces the element of this number of a list.
    Replaced(usize),
    /// The fields go to the element of this number of a list; strings are appended to those there.
    Joined(usize),
    /// The fields replace those of the element of this number of a list, and the same within objects.
    Merged(usize),
    /// As `Merged`, with the place among the parts; its offset is appended to the list `summaryEnds`.
    Marked(usize),
}

/// A delta of a stream, with its envelope.
#[derive(Clone, Debug, PartialEq)]
pub struct Delta<'a> {
    /// The id of the run.
    pub run_id: Cow<'a, str>,
    /// The number of the delta, which increases (DC-3).
    pub seq: i64,
    /// Its kind and payload.
    pub what: DeltaContent<'a>,
    /// `payload.meta` of a `done` or `error`: the JSON text of an object with the fields of `meta`
    /// that no other delta carries.
    pub meta: Option<Cow<'a, str>>,
    /// The time in ISO 8601.
    pub timestamp: Cow<'a, str>,
}

/// The kind and payload of a delta.
#[derive(Clone, Debug, PartialEq)]
pub enum DeltaContent<'a> {
    /// A kind that the contract defines.
    Known(Payload<'a>),
    /// The name of any other kind (DC-15).
    Unknown(Cow<'a, str>),
}
