//! [`RecordFields`]: what tells of a record what it is.

use crate::fields::{pick, string};
use apex_parts_json::tape::Node;

/// A record, and its fields that tell what it is.
pub(super) struct RecordFields<'a> {
    pub(super) record: Node<'a>,
    pub(super) set: Option<Node<'a>>,
    pub(super) rewind: Option<Node<'a>>,
    /// The id of the session, or when it began: of a header.
    header: Option<Node<'a>>,
    pub(super) message: MessageFields<'a>,
    timestamp: Option<Node<'a>>,
    content: Option<Node<'a>>,
}

/// What tells messages apart.
#[derive(Clone, Copy)]
pub(super) struct MessageFields<'a> {
    pub(super) id: Option<Node<'a>>,
    pub(super) kind: Option<Node<'a>>,
    pub(super) model: Option<Node<'a>>,
}

impl<'a> RecordFields<'a> {
    /// Those of a record.
    pub(super) fn of(record: Node<'a>) -> RecordFields<'a> {
        let names = [
            "$set",
            "$rewindTo",
            "sessionId",
            "startTime",
            "type",
            "id",
            "model",
            "timestamp",
            "content",
        ];
        let [set, rewind, session, start, kind, id, model, timestamp, content] =
            pick(record, names);
        let message = MessageFields { id, kind, model };
        RecordFields { record, set, rewind, header: session.or(start), message, timestamp, content }
    }

    /// Is it a header, a change of it, or a message?
    pub(super) fn is_own(&self) -> bool {
        let MessageFields { id, kind, .. } = self.message;
        let is_dated = || id.is_some() && self.timestamp.is_some();
        let is_message = string(kind).is_some() && (self.content.is_some() || is_dated());
        is_message || self.set.or(self.rewind).or(self.header).is_some()
    }
}

impl<'a> MessageFields<'a> {
    /// Those of a message.
    pub(super) fn of(message: Node<'a>) -> MessageFields<'a> {
        let [id, kind, model] = pick(message, ["id", "type", "model"]);
        MessageFields { id, kind, model }
    }
}
