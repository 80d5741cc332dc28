//! [`OpenCalls`]: the calls of a history, by what their results name.

use apex_parts_model::text_map::TextMap;

/// A call in a message, and whether its result came.
#[derive(Debug)]
struct OpenCall {
    is_answered: bool,
    /// Its message, and its place among the parts there.
    message: usize,
    part: usize,
}

/// The calls with one name in one message; those before `next` are answered.
#[derive(Debug)]
struct CallGroup {
    message: usize,
    calls: Vec<usize>,
    next: usize,
}

/// The calls of a history, by their numbers and by what their results name.
#[derive(Debug, Default)]
pub(crate) struct OpenCalls {
    calls: Vec<OpenCall>,
    /// The calls by what their results name, those of the newest message last.
    groups: TextMap,
    lists: Vec<Vec<CallGroup>>,
}

/// Why a result belongs to no call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoCall {
    /// There was none with its name.
    Unknown,
    /// Each with its name has one.
    Answered,
}

impl OpenCalls {
    /// Adds a call, which is this part of its message. Gives its number.
    pub(crate) fn add(&mut self, message: usize, part: usize) -> usize {
        self.calls.push(OpenCall { is_answered: false, message, part });
        self.calls.len() - 1
    }

    /// Results find the last call that was added by this name.
    pub(crate) fn register(&mut self, name: &str) {
        let call = self.calls.len().saturating_sub(1);
        let Some(message) = self.calls.last().map(|call| call.message) else { return };
        let place = match self.groups.get(name) {
            Some(place) => place,
            None => {
                let place = self.lists.len();
                self.groups.insert(name, place);
                self.lists.push(Vec::new());
                place
            }
        };
        let Some(list) = self.lists.get_mut(place) else { return };
        match list.last_mut().filter(|last| last.message == message) {
            Some(last) => last.calls.push(call),
            None => list.push(CallGroup { message, calls: vec![call], next: 0 }),
        }
    }

    /// The call that a result means: of those with one name that of the newest message; within a message they are answered in
    /// their order.
    pub(crate) fn find(&mut self, name: &str) -> Result<usize, NoCall> {
        let groups = self.groups.get(name).ok_or(NoCall::Unknown)?;
        while let Some(group) = self.lists.get_mut(groups).and_then(|list| list.last_mut()) {
            let is_answered =
                |call: &usize| self.calls.get(*call).is_none_or(|call| call.is_answered);
            while group.calls.get(group.next).is_some_and(is_answered) {
                group.next += 1;
            }
            if let Some(call) = group.calls.get(group.next) {
                return Ok(*call);
            }
            if let Some(list) = self.lists.get_mut(groups) {
                list.pop();
            }
        }
        Err(NoCall::Answered)
    }

    /// A call gets its result. Gives its message and its place there.
    pub(crate) fn answer(&mut self, call: usize) -> Option<(usize, usize)> {
        let open = self.calls.get_mut(call)?;
        open.is_answered = true;
        Some((open.message, open.part))
    }
}
