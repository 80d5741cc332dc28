//! What compaction knows of a list of messages: [`Contexts`], and [`ContextTokens`]. Both are found when they are asked
//! for: most transcripts are never compacted.

use super::entry::{ContextFact, TOOL};
use super::facts::Facts;
use super::message_index::Index;
use apex_parts_compaction::{
    ClearMarks, Estimator, Head, MessageSums, Note, PartTokens, ToolSet, mark_of, mixed, part_print,
};
use apex_parts_json::tape::Node;
use apex_parts_model::{Key, View};

/// What messages are to a compaction.
#[derive(Debug, Default)]
pub(crate) struct Contexts {
    pub(crate) messages: Facts<ContextFact>,
    /// What is noted of messages with compactions, summaries and marks.
    pub(crate) notes: Vec<Note>,
    /// The hash of all ids and marks.
    pub(crate) print: u64,
}

impl Contexts {
    /// Adds the next message of a list, which its index has already.
    pub(crate) fn add(&mut self, message: Node<'_>, index: &Index) {
        let number = self.messages.len();
        let fact = index.messages.get(number);
        let mut print = fact.map_or(0, |fact| fact.id_hash);
        let (mut tools, mut marks) = (ToolSet::default(), ClearMarks::default());
        let first = fact.map_or(0, |fact| fact.first_part as usize);
        for (part, at) in message.get(Key::Parts).children().zip(first..) {
            let mut mark = f64::NAN;
            if let Some(fact) = index.parts.get(at).filter(|fact| fact.kind == TOOL) {
                tools.add(fact.tool);
                mark = mark_of(&part);
                marks.add(&part);
            }
            print = mixed(print, part_print(&part.get(Key::Id).str().unwrap_or_default(), mark));
        }
        let head = Head::read(&message);
        self.print = mixed(self.print, print);
        self.notes.extend(Note::with(&message, number, head, marks));
        self.messages.push(ContextFact { head, tools });
    }
}

/// What messages take in a model's context, by the estimator "chars", without their files.
#[derive(Debug, Default)]
pub(crate) struct ContextTokens {
    pub(crate) messages: Facts<MessageSums>,
    pub(crate) parts: Facts<PartTokens>,
}

impl ContextTokens {
    /// Adds the next message of a list.
    pub(crate) fn add(&mut self, message: Node<'_>) {
        let head = Head::read(&message);
        let mut sums = MessageSums::new(head.has_failed());
        for part in message.get(Key::Parts).children() {
            let tokens = PartTokens::count(&part, head.speaker, Estimator::Chars);
            sums.add(&tokens, Estimator::Chars);
            self.parts.push(tokens);
        }
        self.messages.push(sums);
    }
}
