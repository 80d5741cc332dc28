//! [`OpenAnswer`]: an answer of the model to which parts are still added.

use apex_parts_model::text_map::TextMap;

/// An answer of the model that has begun. Several messages can be one answer: items of OpenAI's Responses API are.
#[derive(Debug, Default)]
pub(crate) struct OpenAnswer {
    /// The number of its next part.
    pub(crate) number: usize,
    pub(crate) has_calls: bool,
    /// Where the reason goes for which it ended; `None` if it is written.
    pub(crate) finish_at: Option<usize>,
    /// How many items of the answer were read.
    pub(crate) items: usize,
    /// The ids of calls in it that its provider runs; their numbers say nothing.
    pub(crate) own: TextMap,
}
