//! What a provider's module implements: the format of its records, and their meaning.

use super::reader::Sink;
use crate::providers::failure;
use crate::providers::response_id::RecordOwner;
use apex_parts_json::record::Val;
use apex_parts_json::saved::Saved;
use apex_parts_model::{Agent, Violation};
use std::borrow::Cow;

/// The name of the format of `MessageDelta`s, which is not a provider's.
pub(crate) const DELTA: &str = "delta";

/// What detection sees of a record before it is read.
#[derive(Clone, Copy)]
pub(crate) struct Clues<'a> {
    /// Its `type`, or the name of its SSE event.
    pub(crate) kind: Option<&'a str>,
    /// The record.
    pub(crate) root: Val<'a>,
}

impl Clues<'_> {
    /// Whether the record has no type and is not a `MessageDelta`: only the names of its fields can
    /// show its format.
    pub(crate) fn is_untyped(&self) -> bool {
        self.kind.is_none() && !self.root.get("runId").exists()
    }
}

/// How sure a format is that a record is its own. A later variant outweighs an earlier one; of two
/// formats that are equally sure, the first in the registry is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Evidence {
    /// It has names that only this format has, but no type.
    FieldNames,
    /// Its type is one of this format's.
    Type,
    /// It has the structure of a record of this format.
    Shape,
    /// It has a field that names this format.
    Marker,
}

/// Is this the id of another response than the one that failed?
pub(crate) fn is_another(id: &str, failed: &str) -> bool {
    !id.is_empty() && id != failed
}

/// What one format makes of records that are known to be JSON objects.
pub(crate) trait ProviderFormat: Default + Saved {
    /// The format's name in the API.
    const NAME: &'static str;
    /// Its name for people.
    const TITLE: &'static str;
    /// The agent that sends it; `None` if any program may.
    const AGENT: Option<Agent> = None;
    /// Whether a stream also has what the caller's tools returned. One of a model's answer has only its calls.
    const HOLDS_RESULTS: bool = false;
    /// Whether texts or calls are said in pieces, and then whole (W-70).
    const SAYS_WHOLES: bool = false;
    /// The name of another format, some records of which are records of this one as well; "" if there is none.
    const ALSO_READ: &'static str = "";
    /// How much a record of any format looks like one of this format.
    fn sniff(clues: &Clues<'_>) -> Option<Evidence>;
    /// Is this a record of this format, although it does not look like one?
    fn owns(_event: &str, _root: Val<'_>) -> bool {
        false
    }
    /// Does this format read the record, although it looks like one of [`Self::ALSO_READ`]?
    fn reads(_root: Val<'_>) -> bool {
        false
    }
    /// The fast path for the records that are most frequent; false leaves a record to `check` and
    /// `apply`.
    fn fast_path(&mut self, _event: &str, _json: &str, _out: &mut Sink<'_>) -> bool {
        false
    }
    /// How a field of a record of text begins whose string says nothing: `"p":"`.
    const PADDING: &'static str = "";
    /// Does the fast path emit every piece of a call's arguments alike, whatever came before?
    const ARGS_ALIKE: bool = false;
    /// The record in the spelling that is read, if it has another one.
    fn rewritten(_root: Val<'_>) -> Option<String> {
        None
    }
    /// The record inside of an envelope; `None` if nothing is left to read of it.
    fn inner<'a>(&mut self, root: Val<'a>, _out: &mut Sink<'_>) -> Option<Val<'a>> {
        Some(root)
    }
    /// Checks that the record has the fields that its kind requires.
    fn check(&self, event: &str, root: Val<'_>) -> Result<(), Violation>;
    /// Emits the deltas of a record that has passed `check`.
    fn apply(&mut self, event: &str, root: Val<'_>, out: &mut Sink<'_>);
    /// Whether its records have a `type`: then one of another type than `error` is not an error.
    const IS_TYPED: bool = false;
    /// Whether the `type` of an error goes before its `code`.
    const ERROR_TYPE_FIRST: bool = false;
    /// The error of a record that ends the response with it.
    fn error_of<'a>(event: &str, root: Val<'a>) -> Option<Val<'a>> {
        failure::error_of(event, root, Self::IS_TYPED)
    }
    /// The response ends with the error of this record: emits what stands beside it, and what is held.
    /// A response begins if none is open. The error itself is emitted after that.
    fn fail(&mut self, root: Val<'_>, out: &mut Sink<'_>);
    /// The id of the response that ended with an error.
    fn failed_id(&self) -> &str {
        self.open_id()
    }
    /// Does the record begin another response than the one of this id, which ended with an error?
    fn begins(_event: &str, root: Val<'_>, failed: &str) -> bool {
        is_another(&Self::id_of(root), failed)
    }
    /// The stream sent its `[DONE]`, which says nothing where a record ends the response.
    fn done(&mut self, _out: &mut Sink<'_>) {}
    /// The transport has ended.
    fn end(&mut self, out: &mut Sink<'_>);
    /// The number of bytes that are held of what was not emitted yet.
    fn held(&self) -> u64 {
        0
    }
    /// Drops what is held: it is too much.
    fn drop_held(&mut self) {}
    /// The id of the response that a record belongs to; empty if it has none.
    fn id_of(_root: Val<'_>) -> Cow<'_, str> {
        Cow::Borrowed("")
    }
    /// Which response a record belongs to that has passed `check`. A record with `Wait` is held
    /// back and applied when the next record has arrived.
    fn turn(&mut self, _event: &str, _root: Val<'_>) -> RecordOwner {
        RecordOwner::Same
    }
    /// A record that was held back begins a response, unless the next record shows otherwise.
    const BEGINS: bool = false;
    /// It did not: the ids of this stream do not distinguish responses.
    fn distrust(&mut self) {}
    /// The id of the open response, if its records have one.
    fn open_id(&self) -> &str {
        ""
    }
    /// The open response has ended, and another begins.
    fn cut(&mut self, out: &mut Sink<'_>) {
        self.end(out);
    }
}
