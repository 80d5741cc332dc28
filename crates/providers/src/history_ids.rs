//! [`HistoryIds`]: the ids of messages and calls; no two messages have the same one, and no two calls.

use super::written::push_number;
use apex_parts_model::text_map::TextMap;

/// The ids of messages and calls, as `JSON.stringify` spells them.
#[derive(Debug)]
pub(crate) struct HistoryIds {
    session_id: String,
    /// The ids that messages have of their own, up to the last such one; empty for others.
    own: Vec<String>,
    /// The ids of messages since one has its own; their numbers say nothing.
    messages: TextMap,
    calls: TextMap,
    /// The next number behind an id that is taken.
    suffixes: TextMap,
}

impl HistoryIds {
    pub(crate) fn new(session_id: String) -> HistoryIds {
        HistoryIds {
            session_id,
            own: Vec::new(),
            messages: TextMap::default(),
            calls: TextMap::default(),
            suffixes: TextMap::default(),
        }
    }

    pub(crate) fn session_id(&self) -> &str {
        &self.session_id
    }

    /// Names the next message, of which there are `count` before it.
    pub(crate) fn name(&mut self, count: usize, id: Option<String>) {
        if id.is_none() && self.own.is_empty() {
            return;
        }
        while self.own.len() < count {
            let id = self.of(self.own.len());
            self.messages.insert(&id, 0);
            self.own.push(String::new());
        }
        let id = id.unwrap_or_else(|| self.of(count));
        let id = unused(id, &mut self.messages, &mut self.suffixes);
        self.own.push(id);
    }

    /// The id of a message.
    pub(crate) fn of(&self, message: usize) -> String {
        let mut id = Vec::new();
        self.push(message, &mut id);
        String::from_utf8(id).unwrap_or_default()
    }

    /// Writes the id of a message.
    pub(crate) fn push(&self, message: usize, out: &mut Vec<u8>) {
        if let Some(own) = self.own.get(message).filter(|own| !own.is_empty()) {
            return out.extend_from_slice(own.as_bytes());
        }
        out.extend_from_slice(self.session_id.as_bytes());
        out.push(b':');
        push_number(out, message);
    }

    /// An id that no other call has: this one, if it is free.
    pub(crate) fn call(&mut self, id: String) -> String {
        unused(id, &mut self.calls, &mut self.suffixes)
    }
}

/// The id, with a number behind it if it is taken.
fn unused(id: String, taken: &mut TextMap, suffixes: &mut TextMap) -> String {
    let mut own = id.clone();
    let mut count = suffixes.get(&id).unwrap_or(2);
    while taken.contains(&own) {
        own = format!("{id}_{count}");
        count += 1;
        suffixes.insert(&id, count);
    }
    taken.insert(&own, 0);
    own
}
