//! [`AssembledList`]: the messages of a session that the reader of a format has assembled.

use crate::index::file_rules::FileRules;
use crate::message_list::{ListPath, MessageList};
use apex_parts_agents::LoadedMessages;
use apex_parts_model::problem_list::ProblemList;
use std::cell::{OnceCell, RefCell};

/// Messages that were assembled from records. They are written, and indexed, when they are asked for.
#[derive(Debug)]
pub(crate) struct AssembledList {
    messages: RefCell<LoadedMessages>,
    count: Option<usize>,
    rules: FileRules,
    pub(crate) path: ListPath,
    list: OnceCell<MessageList>,
}

impl AssembledList {
    /// Those of a session.
    pub(crate) fn new(messages: LoadedMessages, rules: FileRules, path: ListPath) -> AssembledList {
        let count = messages.count();
        let (messages, list) = (RefCell::new(messages), OnceCell::new());
        AssembledList { messages, count, rules, path, list }
    }

    /// How many messages there are.
    pub(crate) fn count(&self) -> usize {
        self.count.unwrap_or_else(|| self.list().index.messages.len())
    }

    /// The messages.
    pub(crate) fn list(&self) -> &MessageList {
        self.list_with(None)
    }

    /// The rules that they break.
    pub(crate) fn problems(&self) -> ProblemList {
        self.list_with(Some(&self.path)).problems(self.rules, &self.path, false)
    }

    /// The messages, which are judged while they are indexed, if their path is given.
    fn list_with(&self, path: Option<&ListPath>) -> &MessageList {
        let made = || MessageList::assembled(self.messages.borrow_mut().take(), self.rules, path);
        self.list.get_or_init(made)
    }
}
