//! [`OtherFields`]: what is like messages or an answer in fields that are not read.

use super::exchange::{ANSWERS, Exchange};
use super::message_likeness::{MessageLikeness, list_likeness, list_of, message_likeness};
use super::whole_answer::is_whole_answer;
use apex_parts_agents::fields::{items, string};
use apex_parts_json::tape::Node;
use apex_parts_model::problem_list::ProblemList;
use apex_parts_model::sorted_map::SortedMap;
use apex_parts_model::{Kind, View};

/// The fields of a body that hold the instructions of a model. They are read, and Gemini's are built like a message.
const INSTRUCTIONS: [&str; 4] =
    ["system", "systemInstruction", "system_instruction", "instructions"];

/// The most names that are counted, and the most characters of one that are shown: a file can have any.
const MOST: usize = 100;
const LONGEST: usize = 60;

/// In how many records a field was, where the first of them is, and whether it was read.
#[derive(Clone, Copy, Debug)]
struct FieldCount {
    records: usize,
    offset: u64,
    is_read: bool,
}

/// The fields of all records of a file.
#[derive(Debug, Default)]
pub(super) struct OtherFields {
    fields: SortedMap<Box<str>, FieldCount>,
    /// Observations that are no generations.
    asides: Option<FieldCount>,
}

impl OtherFields {
    /// Counts those of a record.
    pub(super) fn add(&mut self, record: Node<'_>, exchange: &Exchange<'_>, offset: u64) {
        if let Some(likely) = exchange.likely {
            self.count(likely, true, offset);
        }
        for (name, value) in record.fields() {
            let Some(name) = name.str() else { continue };
            let is_read = INSTRUCTIONS.contains(&&*name) || exchange.is_used(record, &name);
            if holds_messages(&name, value) && !is_read {
                self.count(&name, false, offset);
            }
        }
    }

    /// Counts a record that is left out.
    pub(super) fn leave_out(&mut self, offset: u64) {
        let count = FieldCount { records: 0, offset, is_read: false };
        self.asides.get_or_insert(count).records += 1;
    }

    fn count(&mut self, name: &str, is_read: bool, offset: u64) {
        if self.fields.len() < MOST && !self.fields.contains_key(name) {
            self.fields.insert(name.into(), FieldCount { records: 0, offset, is_read });
        }
        if let Some(count) = self.fields.get_mut(name) {
            count.records += 1;
            count.is_read &= is_read;
        }
    }

    /// One warning for each.
    pub(super) fn report(&self, problems: &mut ProblemList) {
        for (name, count) in self.fields.iter() {
            let name: String = name.chars().take(LONGEST).collect();
            let what = if count.is_read {
                "a text that is taken for the answer"
            } else {
                "messages, or an answer, that are left out"
            };
            let message = format!("`{name}` holds {what} ({})", records(count.records));
            problems.warning("schema", message, count.offset);
        }
        if let Some(asides) = self.asides {
            let message = format!(
                "observations that are not generations are left out ({})",
                records(asides.records)
            );
            problems.warning("schema", message, asides.offset);
        }
    }
}

fn records(count: usize) -> String {
    if count == 1 { "in 1 record".to_owned() } else { format!("in {count} records") }
}

/// Does a field hold messages, a whole answer, or the text of one?
fn holds_messages(name: &str, value: Node<'_>) -> bool {
    match value.kind() {
        Kind::Array => {
            items(Some(value)).any(|one| one.kind() == Kind::Object)
                && list_likeness(value) == MessageLikeness::Message
        }
        Kind::Object => {
            let list =
                || list_of(value).map(|(_, list)| list).filter(|list| list.kind() == Kind::Array);
            is_whole_answer(value)
                || message_likeness(value) == MessageLikeness::Message
                || list().is_some_and(|list| holds_messages("", list))
        }
        kind => kind.is_string() && ANSWERS.contains(&name) && string(Some(value)).is_some(),
    }
}
