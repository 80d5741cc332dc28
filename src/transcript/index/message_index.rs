//! The index of a list of messages.

use super::entry::{MessageFact, PART_TYPES, PartFact};
use super::facts::Facts;
use super::stats::TranscriptStats;
use crate::compaction::{
    Head, Links, PartTokens, hash, is_stray_mark, links_of, mark_of, mixed, part_print,
};
use crate::json::tape::Node;
use crate::model::problem_list::ProblemList;
use crate::model::{Key, Kind, Path, View, Word};
use crate::transcript::index::interner::Interner;
use crate::validate;
use crate::validate::Ids;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// What is known of a list of messages without reading their values again.
#[derive(Debug, Default)]
pub(crate) struct Index {
    pub(crate) messages: Facts<MessageFact>,
    pub(crate) parts: Facts<PartFact>,
    pub(crate) stats: TranscriptStats,
    /// The sessions that messages name, in the order of their first occurrence.
    pub(crate) sessions: Vec<String>,
    /// The index of each session in `sessions`.
    places: BTreeMap<String, u32>,
    pub(crate) tools: Interner,
    pub(crate) agents: Interner,
    /// What few messages have, by the index of the message.
    pub(crate) rare: BTreeMap<u32, RareFacts>,
    /// The tokens of parts that are counted when they are asked for.
    pub(crate) counted: RefCell<CountedTokens>,
    /// The number of parts of each of the [`PART_TYPES`] that `stats` does not contain yet.
    kinds: [u32; PART_TYPES.len()],
    /// The violations of rules, in the order of the file.
    pub(crate) problems: ProblemList,
}

/// Tokens of a message's parts, by its index and whether the estimator is "classes".
pub(crate) type CountedTokens = BTreeMap<(u32, bool), Box<[PartTokens]>>;

/// What few messages have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RareFacts {
    pub(crate) links: Links,
    /// The latest time at which an output was cleared; −∞ if none was.
    pub(crate) latest_mark: f64,
    /// Has it a mark on a call that has no output?
    pub(crate) has_stray_mark: bool,
}

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
    /// Adds a message, whose JSON begins at `offset`.
    pub(crate) fn add(&mut self, message: Node<'_>, offset: u64) {
        let info = message.get(Key::Info);
        let first_part = u32::try_from(self.parts.len()).unwrap_or(u32::MAX);
        let mut has_tools = false;
        let head = Head::of(&message);
        let id = info.get(Key::Id);
        let id_hash = hash(&id.str().unwrap_or_default());
        let (mut print, mut latest, mut is_stray) = (id_hash, f64::NEG_INFINITY, false);
        for part in message.get(Key::Parts).children() {
            let mut fact = PartFact::of(part, head.speaker);
            let mark = if fact.kind == TOOL { mark_of(&part) } else { f64::NAN };
            let part_id = part.get(Key::Id);
            print = mixed(print, part_print(&part_id.str().unwrap_or_default(), mark));
            latest = latest.max(mark);
            is_stray |= !mark.is_nan() && is_stray_mark(&part);
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
        self.stats.add_message(head.created, head.completed);
        let links = links_of(&message, &head);
        if links != Links::default() || latest.is_finite() {
            let at = u32::try_from(self.messages.len()).unwrap_or(u32::MAX);
            self.rare
                .insert(at, RareFacts { links, latest_mark: latest, has_stray_mark: is_stray });
        }
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
            head,
            id: id_range(id, message),
            id_hash,
            print,
        });
    }

    /// Adds the counts of part types to `stats`.
    pub(crate) fn settle(&mut self) {
        for (kind, count) in PART_TYPES.iter().zip(&mut self.kinds).filter(|(_, count)| **count > 0)
        {
            self.stats.add_kind(*kind, std::mem::take(count));
        }
    }

    /// Validates the message that was added last. `offset` is its position in the file, if it has one; `list`
    /// is the path of the list of messages.
    pub(crate) fn check(
        &mut self,
        message: Node<'_>,
        ids: Ids,
        list: &Path<'_>,
        offset: Option<u64>,
    ) {
        if self.problems.is_full() {
            return; // further problems are not listed
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

    /// The index of a session among those that messages name.
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
