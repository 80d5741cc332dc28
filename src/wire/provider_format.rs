//! What a provider's module implements: the format of its records, and what they mean.

use super::reader::Sink;
use crate::json::record::Val;
use crate::json::saved::Saved;
use crate::model::Violation;
use crate::wire::providers::response_id::RecordOwner;
use std::borrow::Cow;

/// The name of the format of `MessageDelta`s, which is no provider's.
pub(crate) const DELTA: &str = "delta";

/// What a record shows of its format, as far as that can be told without reading it.
#[derive(Clone, Copy)]
pub(crate) struct Clues<'a> {
    /// Its `type`, or the name of the event that it came with.
    pub(crate) kind: Option<&'a str>,
    /// The record.
    pub(crate) root: Val<'a>,
}

impl Clues<'_> {
    /// Whether the record has no type, and is no `MessageDelta`: what is left to go by are the names
    /// of its fields.
    pub(crate) fn is_untyped(&self) -> bool {
        self.kind.is_none() && !self.root.get("runId").exists()
    }
}

/// How sure a format is that a record is its own; a later one outweighs those before it, and where
/// two formats are as sure, the first in the registry has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Evidence {
    /// It has names that only this format has, but no type.
    FieldNames,
    /// Its type is one of this format's.
    Type,
    /// It is built like a record of this format.
    Shape,
    /// It has a field that names this format.
    Marker,
}

/// What one format makes of records that are known to be JSON objects.
pub(crate) trait ProviderFormat: Clone + Default + Saved {
    /// The format's name in the API.
    const NAME: &'static str;
    /// How much a record, of whatever format, looks like one of this format.
    fn sniff(clues: &Clues<'_>) -> Option<Evidence>;
    /// Is this a record of its own, although it does not look like one?
    fn owns(_event: &str, _root: Val<'_>) -> bool {
        false
    }
    /// Does it read this record, although it looks like one of another format?
    fn reads(_other: &str, _root: Val<'_>) -> bool {
        false
    }
    /// Reads the records that come by the thousand without more ado; false leaves a record to
    /// `check` and `apply`.
    fn fast_path(&mut self, _event: &str, _json: &str, _out: &mut Sink<'_>) -> bool {
        false
    }
    /// Does the record have what its kind must have?
    fn check(&self, event: &str, root: Val<'_>) -> Result<(), Violation>;
    /// Says what a record says that has passed `check`.
    fn apply(&mut self, event: &str, root: Val<'_>, out: &mut Sink<'_>);
    /// The stream sent its `[DONE]`.
    fn done(&mut self, out: &mut Sink<'_>);
    /// The transport has ended.
    fn end(&mut self, out: &mut Sink<'_>);
    /// The bytes that are held of what was not said yet.
    fn held(&self) -> u64 {
        0
    }
    /// What is held is too much.
    fn drop_held(&mut self) {}
    /// The id of the response that a record is of; empty where it has none.
    fn id_of(_root: Val<'_>) -> Cow<'_, str> {
        Cow::Borrowed("")
    }
    /// Which response is a record of that has passed `check`? What `Wait` holds back is applied
    /// when the next record has come.
    fn turn(&mut self, _event: &str, _root: Val<'_>) -> RecordOwner {
        RecordOwner::Same
    }
    /// A record that was held back begins a response, unless the next record shows that it does not.
    const BEGINS: bool = false;
    /// It did not: ids tell nothing here.
    fn distrust(&mut self) {}
    /// The id of the response that is open, where its records have one.
    fn open_id(&self) -> &str {
        ""
    }
    /// The response that is open is over, and another begins.
    fn cut(&mut self, out: &mut Sink<'_>) {
        self.end(out);
    }
}
