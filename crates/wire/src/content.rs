//! What the records of a stream have become: a stream must not end well, and in silence, when nothing of it was read.

use apex_parts_json::record::Val;
use apex_parts_json::saved::{Numbering, state};
use apex_parts_model::delta::{Payload, ReaderOutput};

/// The number of kinds of records that a warning names.
const KINDS: usize = 8;
/// At most this many characters of a kind are named.
const LONGEST: usize = 60;

/// W-77: the response ends for calls, and has none.
const NO_CALL: &str =
    "the finish reason is `tool-calls`, but there is no call, and no text or reasoning either";

/// What the records of the open response have become.
#[derive(Clone, Debug, Default)]
pub(crate) struct Content {
    /// A response is open.
    open: bool,
    /// A response has ended, and no other has begun.
    ended: bool,
    /// A record became a part, usage, a tool result or an error.
    is_there: bool,
    /// The kinds of its records, and how many there were of each, as long as nothing became of them.
    kinds: Numbering,
    /// The kind of the record that is being read.
    now: String,
    /// Records of a format that is not read were reported.
    other: bool,
    /// The open response has neither text nor reasoning nor a call.
    silent: bool,
}

state!(Content { open, ended, is_there, kinds, now, other, silent });

impl Content {
    /// Has something become of a record?
    pub(crate) fn is_there(&self) -> bool {
        self.is_there
    }

    /// Notes a record before it is read.
    pub(crate) fn see(&mut self, event: &str, root: Val<'_>) {
        self.count();
        if self.is_there || self.ended && !self.open {
            return;
        }
        let [kind, event_type, object] = root.fields(&["type", "event_type", "object"]);
        let named = [kind, event_type, object].into_iter().find_map(Val::str);
        let named = named.or_else(|| (!event.is_empty()).then_some(event.into()));
        let name = named.unwrap_or_else(|| {
            let keys: Vec<_> = root.entries().take(3).map(|(key, _)| key).collect();
            keys.join(", ").into()
        });
        self.now = name.chars().take(LONGEST).collect();
    }

    /// Counts the record that was read.
    fn count(&mut self) {
        let name = std::mem::take(&mut self.now);
        if let Some(count) = self.kinds.get_mut(&name) {
            *count += 1;
        } else if self.kinds.len() < KINDS && !name.is_empty() {
            self.kinds.insert(name, 1);
        }
    }

    /// Notes an output. Gives the message of a warning that goes before it: the response ends, and
    /// nothing became of its records.
    pub(crate) fn note(&mut self, output: &ReaderOutput<'_>) -> Option<String> {
        let ReaderOutput::Delta(payload) = output else {
            self.is_there |= matches!(output, ReaderOutput::ToolResult { .. });
            return None;
        };
        match payload {
            Payload::Start { .. } => {
                // Records before the first start are counted with it.
                let lack = if self.open { self.lack() } else { None };
                if self.open || self.ended {
                    self.kinds.clear();
                }
                (self.open, self.ended, self.is_there) = (true, false, false);
                self.silent = true;
                lack
            }
            Payload::Done { .. } | Payload::Error(_) => {
                self.count();
                let lack = match payload {
                    Payload::Done { finish_reason } => match &**finish_reason {
                        "stop" | "other" => self.lack(),
                        "tool-calls" if self.silent => Some(NO_CALL.to_owned()),
                        _ => None,
                    },
                    _ => None,
                };
                (self.open, self.ended) = (false, true);
                self.kinds.clear();
                lack
            }
            Payload::ToolCallArgs { .. } | Payload::ToolCallEnd { .. } => None,
            _ => {
                self.silent &= matches!(
                    payload,
                    Payload::Usage(_) | Payload::Custom { .. } | Payload::Reset { .. }
                );
                self.is_there = true;
                self.kinds.clear();
                None
            }
        }
    }

    /// The transport has ended: the message of a warning, as in [`Content::note`].
    pub(crate) fn end(&mut self) -> Option<String> {
        self.count();
        self.lack().filter(|_| !self.ended)
    }

    fn lack(&self) -> Option<String> {
        if self.is_there || self.kinds.is_empty() {
            return None;
        }
        let kinds = self.kinds.iter().map(|(name, count)| format!("{count} × {name:?}"));
        let kinds = kinds.collect::<Vec<_>>().join(", ");
        Some(format!(
            "no record became a part of the message, usage, a tool result or an error: {kinds}"
        ))
    }

    /// Were records of a format reported that is not read?
    pub(crate) fn names_other(&self) -> bool {
        self.other
    }

    /// Takes a record of a format that is not read; true for the first one.
    pub(crate) fn name_other(&mut self) -> bool {
        !std::mem::replace(&mut self.other, true)
    }
}
