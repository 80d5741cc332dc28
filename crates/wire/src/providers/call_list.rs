//! The calls of a response in formats that send each call by itself: their ids, and what `meta.provider.toolCalls` holds
//! of them.

use super::output::{emit, generated_id, merge_call};
use crate::reader::Sink;
use apex_parts_json::saved::{Numbering, state};
use apex_parts_model::delta::Payload;
use serde_json::{Map, Value};

/// The calls of one response.
#[derive(Clone, Debug, Default)]
pub(crate) struct CallList {
    /// The id of the response.
    of: String,
    ids: Numbering,
    /// How many ids were generated.
    made: u64,
    /// How many calls have an element in `meta.provider.toolCalls`.
    listed: u64,
    /// There is a call that the client has to answer.
    asked: bool,
}

state!(CallList { of, ids, made, listed, asked });

/// Who runs a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RunBy {
    /// The client, which sends back a result.
    Client,
    /// The provider's server.
    Server,
}

impl CallList {
    /// No calls yet; `of` is the id of the response.
    pub(crate) fn new(of: &str) -> CallList {
        CallList { of: of.to_owned(), ..CallList::default() }
    }

    /// Begins a call and returns its id: the provider's, or one that is generated if it has none or if another call of
    /// the response has it.
    pub(crate) fn start(&mut self, id: &str, name: &str, by: RunBy, out: &mut Sink<'_>) -> String {
        let mut id = id.to_owned();
        while id.trim().is_empty() || self.ids.contains_key(&id) {
            id = generated_id(&self.of, self.made);
            self.made += 1;
        }
        self.ids.insert(id.clone(), 0);
        self.asked |= by == RunBy::Client;
        emit(
            out,
            Payload::ToolCallStart { id: id.as_str().into(), name: name.into(), provider: None },
        );
        id
    }

    /// Keeps fields of a call that the message has no place for.
    pub(crate) fn keep(&mut self, id: &str, mut fields: Map<String, Value>, out: &mut Sink<'_>) {
        if fields.is_empty() {
            return;
        }
        fields.insert("toolCallId".to_owned(), id.into());
        merge_call(out, usize::try_from(self.listed).unwrap_or(usize::MAX), fields);
        self.listed += 1;
    }

    /// Is there a call that the client has to answer?
    pub(crate) fn is_asked(&self) -> bool {
        self.asked
    }
}
