//! The index of a list of messages.

use super::entry::{MessageFact, PartFact, TOOL};
use super::facts::Facts;
use super::stats::MessageUsage;
use super::step_tokens::StepTokens;
use super::sums::IndexSums;
use crate::index::interner::Interner;
use apex_parts_compaction::{PartTokens, Times, hash};
use apex_parts_json::tape::Node;
use apex_parts_model::sorted_map::SortedMap;
use apex_parts_model::text_map::TextMap;
use apex_parts_model::{Key, Kind, View, Word};
use std::cell::RefCell;

/// What is known of a list of messages without reading their values again.
#[derive(Debug, Default)]
pub(crate) struct Index {
    pub(crate) messages: Facts<MessageFact>,
    pub(crate) parts: Facts<PartFact>,
    pub(crate) sums: IndexSums,
    /// The sessions that messages name, in the order of their first occurrence.
    pub(crate) sessions: Vec<String>,
    /// The index of each session in `sessions`.
    places: TextMap,
    pub(crate) tools: Interner,
    pub(crate) agents: Interner,
    /// The tokens of parts that are counted when they are asked for.
    pub(crate) counted: RefCell<CountedTokens>,
}

/// Tokens of a message's parts, by its index and whether the estimator is "classes".
pub(crate) type CountedTokens = SortedMap<(u32, bool), Box<[PartTokens]>>;

/// The range of an id's text, from the beginning of its message.
fn id_range(id: Node<'_>, message: Node<'_>) -> (u32, u32) {
    let (span, start) = (id.span(), message.span().start);
    let from = |at: usize| u32::try_from(at.saturating_sub(start)).unwrap_or(u32::MAX);
    if id.raw().is_some() { (from(span.start), from(span.end)) } else { (0, 0) }
}

/// Is it a message with parts, valid or not?
pub(crate) fn is_message(message: Node<'_>) -> bool {
    message.get(Key::Info).kind() == Kind::Object && message.get(Key::Parts).kind() == Kind::Array
}

impl Index {
    /// An empty one; messages without a time were given this one.
    pub(crate) fn of(made_up: Option<f64>) -> Index {
        Index { sums: IndexSums::of(made_up), ..Index::default() }
    }

    /// Adds a message, whose JSON begins at `offset`.
    pub(crate) fn add(&mut self, message: Node<'_>, offset: u64) {
        let info = message.get(Key::Info);
        let first_part = u32::try_from(self.parts.len()).unwrap_or(u32::MAX);
        let mut has_tools = false;
        let id = info.get(Key::Id);
        let id_hash = hash(&id.str().unwrap_or_default());
        let mut usage = MessageUsage::default();
        for part in message.get(Key::Parts).children() {
            let id = part.get(Key::Id);
            let mut fact = PartFact::new(part, id);
            if fact.kind == TOOL {
                has_tools = true;
                fact.tool = self.tools.number(part.get(Key::Tool));
            }
            self.sums.add_part(part, &fact, &mut usage);
            self.parts.push(fact);
        }
        let times = Times::read(&message);
        let told = (&StepTokens::read(info.get(Key::Tokens)), info.get(Key::Cost).number());
        let (own_tokens, own_cost) = self.sums.add_message(&times, usage, told);
        let session = self.session(info.get(Key::SessionID));
        let failed = !info.get(Key::Error).kind().is_nullish();
        let summary = info.get(Key::Summary).kind() == Kind::True;
        self.messages.push(MessageFact {
            start: offset,
            size: u32::try_from(message.span().len()).unwrap_or(u32::MAX),
            first_part,
            session,
            role: match info.get(Key::Role).word() {
                Some(Word::User) => 1,
                Some(Word::Assistant) => 2,
                _ => 0,
            },
            flags: u8::from(failed) | (u8::from(summary) << 1) | (u8::from(has_tools) << 2),
            agent: self.agents.number(info.get(Key::Agent)),
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // it saturates
            tokens: own_tokens as u32,
            #[allow(clippy::cast_possible_truncation)] // enough for a sum that is shown
            cost: own_cost as f32,
            created: times.created,
            completed: times.completed,
            id: id_range(id, message),
            id_hash,
        });
    }

    /// Are there parts of this type?
    pub(crate) fn has(&self, kind: Word) -> bool {
        self.sums.stats.parts.contains_key(kind.as_str())
    }

    /// The index of the last message of each of `sessions`.
    pub(crate) fn last_messages(&self) -> Vec<usize> {
        let mut last = vec![0; self.sessions.len()];
        for (index, message) in self.messages.iter().enumerate() {
            if let Some(last) = last.get_mut(message.session as usize) {
                *last = index;
            }
        }
        last
    }

    /// The index of a session in `sessions`.
    pub(crate) fn session_place(&self, id: &str) -> Option<usize> {
        self.places.get(id)
    }

    /// The index of a session among those that messages name.
    fn session(&mut self, id: Node<'_>) -> u32 {
        let id = id.str().unwrap_or_default();
        let last = self.messages.last().map(|message| message.session);
        if let Some(last) = last
            && self.sessions.get(last as usize).is_some_and(|known| *known == id)
        {
            return last;
        }
        let place = self.places.get(&id).unwrap_or_else(|| {
            self.places.insert(&id, self.sessions.len());
            self.sessions.push(id.into_owned());
            self.sessions.len() - 1
        });
        u32::try_from(place).unwrap_or(u32::MAX)
    }
}
