//! Where calls, time, tokens and cost went: by tool, step, model, agent or file, of all of a run or of a range of
//! its time.

use super::busy_time::BusyTime;
use super::call_subject::asks;
use super::summarizer::Summarizer;
use super::transcript_summary::TimeSplit;
use crate::model::order;
use crate::transcript::Transcript;
use crate::transcript::index::entry::{MessageFact, PartFact};
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

    fn add_step(&mut self, part: &PartFact) {
        if part.tokens > 0 {
            self.tokens = Some(self.tokens.unwrap_or(0.0) + f64::from(part.tokens));
        }
        if part.cost > 0.0 {
            self.cost = Some(self.cost.unwrap_or(0.0) + f64::from(part.cost));
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
    /// The sums of the shown session by tool, step, model, agent or file, over a range of time in milliseconds
    /// since the Unix epoch; those that took the most time come first. Spans that begin or end outside of the
    /// range count with what is in it, tokens and cost with the end of their step. The summarizer must have
    /// read all messages.
    #[must_use]
    pub fn breakdown(
        &self,
        summarizer: &Summarizer,
        by: Division,
        range: &RangeInclusive<f64>,
    ) -> Vec<BreakdownRow> {
        let mut rows: BTreeMap<usize, BreakdownRow> = BTreeMap::new();
        if by == Division::File {
            self.add_files(summarizer, range, &mut rows);
        } else {
            for (index, message) in self.messages().iter().enumerate() {
                self.add_message(index, message, (summarizer, by, range), &mut rows);
            }
        }
        let mut named: Vec<BreakdownRow> = rows
            .into_iter()
            .map(|(key, row)| BreakdownRow { name: self.name_of(summarizer, by, key), ..row })
            .collect();
        let time = |row: &BreakdownRow| row.ms.unwrap_or(-1.0);
        order::sort_by(&mut named, |a, b| time(b).total_cmp(&time(a)).then(b.calls.cmp(&a.calls)));
        named.truncate(MOST_ROWS);
        named
    }

    /// Where the time of the shown session went in a range of time, as [`TimeSplit`] says it for all of it; `None`
    /// if no time is known in the range. The summarizer must have read all messages.
    #[must_use]
    pub fn time_split(
        &self,
        summarizer: &Summarizer,
        range: &RangeInclusive<f64>,
    ) -> Option<TimeSplit> {
        let mut time = BusyTime::within(range.clone());
        let asking: Vec<bool> = self.tool_names().iter().map(|name| asks(name)).collect();
        for (index, message) in self.messages().iter().enumerate() {
            let is_request = summarizer.columns.is_request(index);
            time.message(is_request, message.created, message.completed);
            for part in self.parts_of(index, message).filter(|part| part.kind == TOOL) {
                let asks = usize::from(part.tool).checked_sub(1).and_then(|at| asking.get(at));
                time.call(part.from, part.to, asks.is_some_and(|asks| *asks));
            }
        }
        time.split()
    }

    fn parts_of(&self, index: usize, message: &MessageFact) -> impl Iterator<Item = &PartFact> {
        let next = self.messages().get(index + 1).map_or(self.part_count(), first_part);
        self.parts().range(first_part(message)..next)
    }

    fn add_message(
        &self,
        index: usize,
        message: &MessageFact,
        (summarizer, by, range): (&Summarizer, Division, &RangeInclusive<f64>),
        rows: &mut BTreeMap<usize, BreakdownRow>,
    ) {
        const ASSISTANT: u8 = 2;
        // A command that a person ran is a call as well, but no step.
        if message.role != ASSISTANT && by != Division::Tool {
            return;
        }
        let key = match by {
            Division::Step => index,
            Division::Model => summarizer.columns.model_of(index),
            Division::Agent => usize::from(message.agent),
            Division::Tool | Division::File => 0,
        };
        let ends = if message.completed.is_nan() { message.created } else { message.completed };
        let mut row = BreakdownRow::default();
        for part in self.parts_of(index, message) {
            if part.kind == TOOL && is_call_in(part, range) {
                let tool = usize::from(part.tool);
                let of =
                    if by == Division::Tool { rows.entry(tool).or_default() } else { &mut row };
                of.add_call(part, range);
            } else if is_in(range, ends) {
                row.add_step(part);
            }
        }
        let span = within(range, message.created, ends);
        if by == Division::Tool || (span.is_none() && row == BreakdownRow::default()) {
            return;
        }
        // The time of a step is its own: calls may run at once, and the model answers beside them.
        row.ms = span;
        let sum = rows.entry(key).or_default();
        sum.message = (by == Division::Step).then(|| u32::try_from(index).unwrap_or(u32::MAX));
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

    fn add_files(
        &self,
        summarizer: &Summarizer,
        range: &RangeInclusive<f64>,
        rows: &mut BTreeMap<usize, BreakdownRow>,
    ) {
        for (part, path) in &summarizer.columns.path_of {
            if let Some(part) =
                self.parts().get(*part as usize).filter(|part| is_call_in(part, range))
            {
                rows.entry(*path as usize).or_default().add_call(part, range);
            }
        }
    }

    fn name_of(&self, summarizer: &Summarizer, by: Division, key: usize) -> String {
        let numbered = |names: &[Box<str>]| {
            key.checked_sub(1).and_then(|at| names.get(at)).map(|name| name.to_string())
        };
        let name = match by {
            Division::Tool => numbered(self.tool_names()),
            Division::Agent => numbered(self.agent_names()),
            Division::Model => numbered(summarizer.columns.models.list()),
            Division::File => summarizer.columns.path(key).map(str::to_owned),
            Division::Step => None,
        };
        name.unwrap_or_default()
    }
}

fn first_part(message: &MessageFact) -> usize {
    message.first_part as usize
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
