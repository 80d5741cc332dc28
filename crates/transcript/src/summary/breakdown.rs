//! Where calls, time, tokens and cost went: by tool, step, model, agent or file, of all of a run or of a range of
//! its time.

use super::busy_time::BusyTime;
use super::call_subject::asks;
use super::columns::NO_MODEL;
use super::summarizer::Summarizer;
use super::transcript_summary::TimeSplit;
use crate::Transcript;
use crate::index::entry::{MessageFact, PartFact};
use crate::index::message_index::Index;
use crate::scope::ScopedList;
use apex_parts_model::order;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// What the sums are taken by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Division {
    /// By the tool of a call.
    Tool,
    /// By message of the model: a step.
    Step,
    /// By model.
    Model,
    /// By agent.
    Agent,
    /// By the file that a call reads or changes.
    File,
}

impl Division {
    /// All, with their names in the API.
    pub const ALL: [(&'static str, Division); 5] = [
        ("tool", Division::Tool),
        ("step", Division::Step),
        ("model", Division::Model),
        ("agent", Division::Agent),
        ("file", Division::File),
    ];
}

/// The sums of a tool, step, model, agent or file. What is not known is left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct BreakdownRow {
    /// Its name; empty if it has none.
    pub name: String,
    /// Of a step: the index of its message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<u32>,
    /// Of a step outside the main session: its session, among whose messages `message` counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The number of calls.
    pub calls: u32,
    /// How many of them failed.
    pub failed: u32,
    /// Time in milliseconds: of the calls, or of the steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// All tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<f64>,
    /// Cost in US dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

/// The most rows that are given: those that took the most time.
const MOST_ROWS: usize = 10_000;
/// The states of calls in the index from which on they have failed: in an error, or completed.
const FAILED: u8 = 4;
/// The type of a tool part in the index.
const TOOL: u8 = 2;

/// Is it a time in the range? What has no time is in the range of all times only.
fn is_in(range: &RangeInclusive<f64>, at: f64) -> bool {
    if at.is_nan() { *range.start() == f64::NEG_INFINITY } else { range.contains(&at) }
}

/// The length of a span within the range; `None` if it has no times, or nothing of it is in the range.
fn within(range: &RangeInclusive<f64>, from: f64, to: f64) -> Option<f64> {
    let (from, to) = (from.max(*range.start()), to.min(*range.end()));
    (to >= from).then_some(to - from)
}

impl BreakdownRow {
    fn add_call(&mut self, part: &PartFact, range: &RangeInclusive<f64>) {
        self.calls += 1;
        self.failed += u32::from(part.status >= FAILED);
        self.add_time(within(range, part.from, part.to).filter(|_| part.to.is_finite()));
    }

    fn add_time(&mut self, ms: Option<f64>) {
        if let Some(ms) = ms {
            self.ms = Some(self.ms.unwrap_or(0.0) + ms);
        }
    }

    /// Adds what a step took, or a message whose steps do not say it.
    fn add_sums(&mut self, tokens: u32, cost: f32) {
        if tokens > 0 {
            self.tokens = Some(self.tokens.unwrap_or(0.0) + f64::from(tokens));
        }
        if cost > 0.0 {
            self.cost = Some(self.cost.unwrap_or(0.0) + f64::from(cost));
        }
    }
}

/// Is a call in the range, in part at least?
fn is_call_in(part: &PartFact, range: &RangeInclusive<f64>) -> bool {
    if part.from.is_nan() {
        return is_in(range, f64::NAN);
    }
    part.from <= *range.end() && (part.to.is_nan() || part.to >= *range.start())
}

impl Transcript {
    /// The sums of the whole file, or of the session of the summarizer, by tool, step, model, agent or file, over a
    /// range of time in milliseconds since the Unix epoch; those that took the most time come first. Spans that
    /// begin or end outside of the range count with what is in it, tokens and cost with the end of their step. The
    /// summarizer must have read all messages.
    #[must_use]
    pub fn breakdown(
        &self,
        summarizer: &Summarizer,
        by: Division,
        range: &RangeInclusive<f64>,
    ) -> Vec<BreakdownRow> {
        let scope = self.scope(summarizer.session()).unwrap_or_default();
        let mut rows = Rows { summarizer, by, range, places: BTreeMap::new(), all: Vec::new() };
        for list in scope {
            if by == Division::File {
                rows.add_files(&list);
                continue;
            }
            let session = self.session_set.sessions.get(list.place).filter(|_| list.place > 0);
            let session = session.map(|session| session.id.as_str());
            for (index, message) in list.list().index.messages.iter().enumerate() {
                if list.has(message) {
                    rows.add_message(&list, session, index, message);
                }
            }
        }
        let mut named: Vec<BreakdownRow> = rows.all;
        let time = |row: &BreakdownRow| row.ms.unwrap_or(-1.0);
        order::sort_by(&mut named, |a, b| time(b).total_cmp(&time(a)).then(b.calls.cmp(&a.calls)));
        named.truncate(MOST_ROWS);
        named
    }

    /// Where the time of the main session, or of that of the summarizer, went in a range of time, as [`TimeSplit`] says
    /// it for all of it; `None` if no time is known in the range. The summarizer must have read all messages.
    #[must_use]
    pub fn time_split(
        &self,
        summarizer: &Summarizer,
        range: &RangeInclusive<f64>,
    ) -> Option<TimeSplit> {
        let mut time = BusyTime::within(range.clone());
        let scope = self.scope(summarizer.session()).unwrap_or_default();
        let list = scope.first()?;
        let index = &list.list().index;
        let asking: Vec<bool> = index.tools.list().iter().map(|name| asks(name)).collect();
        let columns = summarizer.columns.get(list.place);
        for (place, message) in index.messages.iter().enumerate() {
            if !list.has(message) {
                continue;
            }
            let is_request = columns.is_some_and(|columns| columns.is_request(place));
            time.message(is_request, message.created, message.completed);
            for part in parts_of(index, place, message).filter(|part| part.kind == TOOL) {
                let asks = usize::from(part.tool).checked_sub(1).and_then(|at| asking.get(at));
                time.call(part.from, part.to, asks.is_some_and(|asks| *asks));
            }
        }
        time.split()
    }
}

/// The rows while they are summed: by name or, of steps, by list and message.
struct Rows<'a> {
    summarizer: &'a Summarizer,
    by: Division,
    range: &'a RangeInclusive<f64>,
    places: BTreeMap<Box<str>, usize>,
    all: Vec<BreakdownRow>,
}

impl Rows<'_> {
    /// The index of the row with a name.
    fn row(&mut self, name: &str) -> usize {
        if let Some(place) = self.places.get(name) {
            return *place;
        }
        self.places.insert(name.into(), self.all.len());
        self.all.push(BreakdownRow { name: name.to_owned(), ..BreakdownRow::default() });
        self.all.len() - 1
    }

    fn add_message(
        &mut self,
        list: &ScopedList<'_>,
        session: Option<&str>,
        index: usize,
        message: &MessageFact,
    ) {
        const ASSISTANT: u8 = 2;
        let (by, range) = (self.by, self.range);
        // A command that a person ran is a call as well, but no step.
        if message.role != ASSISTANT && by != Division::Tool {
            return;
        }
        let facts = &list.list().index;
        let ends = if message.completed.is_nan() { message.created } else { message.completed };
        let mut row = BreakdownRow::default();
        for part in parts_of(facts, index, message) {
            if part.kind == TOOL && is_call_in(part, range) {
                if by == Division::Tool {
                    let of = self.row(numbered(facts.tools.list(), usize::from(part.tool)));
                    self.all.get_mut(of).into_iter().for_each(|of| of.add_call(part, range));
                } else {
                    row.add_call(part, range);
                }
            } else if is_in(range, ends) {
                row.add_sums(part.tokens, part.cost);
            }
        }
        if is_in(range, ends) {
            row.add_sums(message.tokens, message.cost);
        }
        let span = within(range, message.created, ends);
        if by == Division::Tool || (span.is_none() && row == BreakdownRow::default()) {
            return;
        }
        // The time of a step is its own: calls may run at once, and the model answers beside them.
        row.ms = span;
        let columns = self.summarizer.columns.get(list.place);
        let of = match by {
            Division::Step => {
                self.all.push(BreakdownRow::default());
                self.all.len() - 1
            }
            Division::Model => {
                let model = columns.map_or(0, |columns| columns.model_of(index));
                if model == usize::from(NO_MODEL) {
                    return;
                }
                self.row(numbered(self.summarizer.names.models.list(), model))
            }
            _ => self.row(numbered(facts.agents.list(), usize::from(message.agent))),
        };
        let Some(sum) = self.all.get_mut(of) else { return };
        if by == Division::Step {
            sum.message = Some(u32::try_from(index).unwrap_or(u32::MAX));
            sum.session = session.map(str::to_owned);
        }
        sum.calls += row.calls;
        sum.failed += row.failed;
        sum.add_time(row.ms);
        let add = |sum: &mut Option<f64>, more: Option<f64>| {
            if let Some(more) = more {
                *sum = Some(sum.unwrap_or(0.0) + more);
            }
        };
        add(&mut sum.tokens, row.tokens);
        add(&mut sum.cost, row.cost);
    }

    fn add_files(&mut self, list: &ScopedList<'_>) {
        let summarizer = self.summarizer;
        let Some(columns) = summarizer.columns.get(list.place) else { return };
        for (part, path) in &columns.path_of {
            let part = list.list().index.parts.get(*part as usize);
            if let Some(part) = part.filter(|part| is_call_in(part, self.range)) {
                let name = summarizer.names.path(*path as usize).unwrap_or_default();
                let (of, range) = (self.row(name), self.range);
                self.all.get_mut(of).into_iter().for_each(|of| of.add_call(part, range));
            }
        }
    }
}

/// The name with a number, which is one more than its place; empty if it has none.
fn numbered(names: &[Box<str>], number: usize) -> &str {
    number.checked_sub(1).and_then(|at| names.get(at)).map_or("", |name| name)
}

/// The parts of the message at a place.
fn parts_of<'a>(
    index: &'a Index,
    place: usize,
    message: &MessageFact,
) -> impl Iterator<Item = &'a PartFact> {
    let next = index.messages.get(place + 1).map_or(index.parts.len(), first_part);
    index.parts.range(first_part(message)..next)
}

fn first_part(message: &MessageFact) -> usize {
    message.first_part as usize
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
