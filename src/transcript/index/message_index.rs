//! What is known of each message and part without making values of them.

use super::facts::Facts;
use super::stats::TranscriptStats;
use crate::json::tape::Node;
use crate::model::problem_list::ProblemList;
use crate::model::{Key, Kind, Path, Status, View, Word};
use crate::transcript::index::interner::Interner;
use crate::transcript::search::searched_of;
use crate::validate;
use crate::validate::Ids;
use std::collections::BTreeMap;

/// The part types in the order in which [`PartFact::kind`] numbers them.
pub const PART_TYPES: &[Word] = &crate::model::spec::PART_TYPES;

/// The number of a part whose type is none of the twelve.
pub const CUSTOM: u8 = 255;

/// A part in the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartFact {
    /// Where its JSON begins, counted from the beginning of its message.
    pub start: u32,
    /// The bytes of its JSON.
    pub size: u32,
    /// Where what is searched in it begins, counted from the beginning of its message, and where it
    /// ends.
    pub searched: (u32, u32),
    /// Its type: an index into [`PART_TYPES`], or [`CUSTOM`].
    pub kind: u8,
    /// The state of its tool: 0 none, 1 pending, 2 running, 3 completed, 4 error.
    pub status: u8,
    /// Its tool, by number: see [`crate::transcript::Transcript::tool_names`]; 0 for other parts.
    pub tool: u16,
    /// Tokens that a step took, in all; 0 for other parts.
    pub tokens: u32,
    /// What a step cost, in US dollars; 0 for other parts.
    pub cost: f32,
    /// When it began, in milliseconds since the Unix epoch; `NaN` where it does not say.
    pub from: f64,
    /// When it ended.
    pub to: f64,
}

impl PartFact {
    fn of(part: Node<'_>) -> PartFact {
        let word = part.get(Key::Type).word();
        let kind = word.and_then(|w| PART_TYPES.iter().position(|t| *t == w));
        let mut time = part.get(Key::Time);
        let mut status = 0;
        let (mut tokens, mut cost) = (0.0, 0.0);
        match word {
            Some(Word::Tool) => {
                let state = part.get(Key::State);
                status = match Status::of(&state) {
                    Some(Status::Pending) => 1,
                    Some(Status::Running) => 2,
                    Some(Status::Completed) => 3,
                    Some(Status::Error) => 4,
                    None => 0,
                };
                time = state.get(Key::Time);
            }
            Some(Word::StepFinish) => {
                cost = part.get(Key::Cost).number();
                let of = part.get(Key::Tokens);
                let cache = of.get(Key::Cache);
                let counts = [
                    of.get(Key::Input),
                    of.get(Key::Output),
                    of.get(Key::Reasoning),
                    cache.get(Key::Read),
                    cache.get(Key::Write),
                ];
                tokens = counts.iter().map(View::number).filter(|n| !n.is_nan()).sum();
            }
            _ => {}
        }
        let span = part.span();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // they saturate
        let (tokens, cost) = (tokens as u32, if cost.is_nan() { 0.0 } else { cost as f32 });
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let searched = searched_of(part, word);
        // In the order of the parts all the same where there is nothing to search.
        let searched = if searched.is_empty() { span.start..span.start } else { searched };
        PartFact {
            start: offset(span.start),
            searched: (offset(searched.start), offset(searched.end)),
            size: offset(span.len()),
            kind: kind.and_then(|k| u8::try_from(k).ok()).unwrap_or(CUSTOM),
            status,
            tool: 0,
            tokens,
            cost,
            from: time.get(Key::Start).number(),
            to: time.get(Key::End).number(),
        }
    }
}

/// A message in the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MessageFact {
    /// Where its JSON begins in the file; where a message was put together, among all that were.
    pub start: u64,
    /// The bytes of its JSON.
    pub size: u32,
    /// The index of its first part among all parts of the file.
    pub first_part: u32,
    /// Its session, by its place among those that messages name.
    pub session: u32,
    /// 0 unknown, 1 user, 2 assistant.
    pub role: u8,
    /// Bit 0: it has an error. Bit 1: it sums up what came before. Bit 2: it has calls of tools.
    pub flags: u8,
    /// Its agent, by number: see [`crate::transcript::Transcript::agent_names`]; 0 where it names none.
    pub agent: u16,
    /// When it was made, in milliseconds since the Unix epoch; `NaN` where it does not say.
    pub created: f64,
    /// When it was complete.
    pub completed: f64,
}

/// All that is known of a list of messages.
#[derive(Debug, Default)]
pub(crate) struct Index {
    pub(crate) messages: Facts<MessageFact>,
    pub(crate) parts: Facts<PartFact>,
    pub(crate) stats: TranscriptStats,
    /// The sessions that messages name, in their order, and where each stands.
    pub(crate) sessions: Vec<String>,
    places: BTreeMap<String, u32>,
    pub(crate) tools: Interner,
    pub(crate) agents: Interner,
    /// Parts of each of the [`PART_TYPES`] that are not in the sums yet.
    kinds: [u32; PART_TYPES.len()],
    /// The rules that are broken, in the order of the file.
    pub(crate) problems: ProblemList,
}

/// Is it a message with its parts, right or wrong?
pub(crate) fn is_message(message: Node<'_>) -> bool {
    message.get(Key::Info).kind() == Kind::Object && message.get(Key::Parts).kind() == Kind::Array
}

impl Index {
    /// Adds a message, whose JSON begins at this offset.
    pub(crate) fn add(&mut self, message: Node<'_>, offset: u64) {
        let info = message.get(Key::Info);
        let first_part = u32::try_from(self.parts.len()).unwrap_or(u32::MAX);
        let mut has_tools = false;
        for part in message.get(Key::Parts).children() {
            let mut fact = PartFact::of(part);
            if fact.kind == TOOL {
                has_tools = true;
                fact.tool = self.tools.number(part.get(Key::Tool));
            }
            self.stats.add_part(part, &fact);
            if let Some(count) = self.kinds.get_mut(usize::from(fact.kind)) {
                *count += 1;
            }
            self.parts.push(fact);
        }
        let time = info.get(Key::Time);
        let created = time.get(Key::Created).number();
        let completed = time.get(Key::Completed).number();
        self.stats.add_message(created, completed);
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
            created,
            completed,
        });
    }

    /// Brings the sums up to what was added.
    pub(crate) fn settle(&mut self) {
        for (kind, count) in PART_TYPES.iter().zip(&mut self.kinds).filter(|(_, count)| **count > 0)
        {
            self.stats.add_kind(*kind, std::mem::take(count));
        }
    }

    /// Judges the message that was added last. `offset` is where it stands in the file, if it does.
    pub(crate) fn check(
        &mut self,
        message: Node<'_>,
        ids: Ids,
        list: &Path<'_>,
        offset: Option<u64>,
    ) {
        if self.problems.is_full() {
            return; // the others are not listed
        }
        let mut found = Vec::new();
        let index = self.messages.len().saturating_sub(1);
        validate::message_at(&message, ids, &list.index(index), &mut found);
        for mut problem in found {
            #[allow(clippy::cast_precision_loss)] // no file has 2^53 bytes
            let offset = offset.map(|offset| offset as f64);
            problem.offset = offset;
            self.problems.push(problem);
        }
    }

    /// The place of a session among those that messages name.
    fn session(&mut self, id: Node<'_>) -> u32 {
        let id = id.str().unwrap_or_default();
        let last = self.messages.last().map(|message| message.session);
        if let Some(last) = last
            && self.sessions.get(last as usize).is_some_and(|known| *known == id)
        {
            return last;
        }
        if let Some(place) = self.places.get(id.as_ref()) {
            return *place;
        }
        let place = u32::try_from(self.sessions.len()).unwrap_or(u32::MAX);
        self.places.insert(id.clone().into_owned(), place);
        self.sessions.push(id.into_owned());
        place
    }
}

const TOOL: u8 = 2;
